//! Atomic operations on floats: sums of `f64`, minima and maxima of both.

use tilewise::prelude::*;

use crate::on_each;

macro_rules! of_floats {
    ($name:ident $t:ident) => {
        #[test]
        fn $name() {
            let data: Vec<$t> = vec![3.0, -1.0, 8.5, $t::NAN, 2.0, -0.0, 0.0, -9.0, 7.0, 8.25, $t::NEG_INFINITY, 1e-30];
            let got = on_each(5, |on, v: &ArrayView<'_, $t>| {
                let data = ArrayView::read_only(12, &data)?;
                v.set(1, $t::NAN)?;
                v.set(3, -0.0)?;
                parallel_for_each!(on, Extent([12]), |i| {
                    let x = data[i];
                    v.atomic(0).fetch_max(x);
                    v.atomic(1).fetch_min(x);
                    v.atomic(2).fetch_add(if i[0] < 3 { x } else { 0.5 });
                    // Of the two zeros, the positive one is larger.
                    v.atomic(3).fetch_max(if i[0] == 7 { 0.0 } else { -0.0 });
                    // Nothing is there.
                    let nothing = v.atomic(i[0] + 5).fetch_max(x) + v.atomic(i[0] + 5).fetch_add(x);
                    if i[0] == 2 {
                        let old = v.atomic(4).exchange(nothing + 1.5);
                        v.atomic(4).fetch_add(old);
                    }
                })
            });
            let bits: Vec<_> = got.iter().map(|x| x.to_bits()).collect();
            let want: [$t; 5] = [8.5, $t::NEG_INFINITY, 15.0, 0.0, 1.5];
            assert_eq!(bits, want.map($t::to_bits));
        }
    };
}

of_floats!(floats_have_minima_maxima_and_sums f32);
of_floats!(doubles_have_minima_maxima_and_sums f64);

#[test]
fn a_tile_shares_a_maximum() {
    let got = on_each(2, |on, v: &ArrayView<'_, f32>| {
        parallel_for_each!(on, Extent([64]).tile::<32>(), |t| {
            #[tile_static]
            let most: [f32; 2];
            most.atomic(0).fetch_max(((t.global[0] * 37) % 101) as f32 * 0.5);
            most.atomic(1).fetch_min(-(t.global[0] as f32));
            t.barrier.wait();
            if t.local[0] == 0 {
                v[t.tile] = most[0] * 1000.0 - most[1];
            }
        })
    });
    let want = |tile: i32| {
        let most = (0..32).map(|k| ((tile * 32 + k) * 37 % 101) as f32 * 0.5).fold(0.0, f32::max);
        most * 1000.0 + (tile * 32 + 31) as f32
    };
    assert_eq!(got, [want(0), want(1)]);
}

#[test]
fn the_host_has_them_too() {
    let v = ArrayView::from_vec(2, vec![1.5_f64, -2.0]).unwrap();
    assert_eq!(v.atomic(0).fetch_add(2.0), 1.5);
    assert_eq!(v.atomic(1).fetch_max(-1.0), -2.0);
    assert_eq!(v.atomic(1).fetch_min(f64::NAN), -1.0);
    assert_eq!(v.to_vec().unwrap(), [3.5, -1.0]);
}
