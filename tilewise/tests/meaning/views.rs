//! Views made in kernels, and elements of 8 and 16 bits.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

#[test]
fn extents_of_sections_without_elements() {
    let data = [0i32; 24];
    let v = ArrayView::read_only((4, 6), &data).unwrap();
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let s = v.section((0, 0), (2, 0));
            let f = v.section_from((1, 6));
            let t = v.section_to((0, 3));
            let z = v.section((4, 6), (0, 0));
            let n = v.section((-1, 0), (2, 2));
            let o = v.section((1, 0), (i32::MAX, 2));
            let w = v[1].view_as((0, 5));
            let g = v.section((1, 1), (2, -1));
            out[i] = match i[0] {
                0 => s.extent()[0] * 10 + s.extent()[1],
                1 => f.extent()[0] * 10 + f.extent()[1],
                2 => t.extent()[0] * 10 + t.extent()[1],
                3 => z.extent()[0] * 10 + z.extent()[1],
                4 => n.extent()[0] * 10 + n.extent()[1],
                5 => o.extent()[0] * 10 + o.extent()[1],
                6 => w.extent()[0] * 10 + w.extent()[1],
                _ => g.extent()[0] * 10 + g.extent()[1],
            };
        })
    });
}

#[test]
fn extents_of_rows_of_sections_without_elements() {
    let data = [0i32; 24];
    let v = ArrayView::read_only((2, 3, 4), &data).unwrap();
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let s = v.section((0, 0, 0), (2, 0, 4));
            let a = s[1];
            let b = v[7];
            let c = s.section_from((0, 0, 2));
            let d = v.section((0, 0, 0), (0, 3, 4))[0];
            out[i] = match i[0] {
                0 => a.extent()[0] * 10 + a.extent()[1],
                1 => b.extent()[0] * 10 + b.extent()[1],
                2 => c.extent()[0] * 100 + c.extent()[1] * 10 + c.extent()[2],
                _ => d.extent()[0] * 10 + d.extent()[1],
            };
        })
    });
}

#[test]
fn small_elements() {
    let data: Vec<u8> = (0..8).map(|x| (x * 37 + 200) as u8).collect();
    for target in [0] {
        let r = ["native", "reference", "jit"].map(|t| {
            let on = Accelerator::new(t).unwrap().default_view();
            let a = ArrayView::from_vec(8, data.clone()).unwrap();
            let b = ArrayView::from_vec(8, vec![-5i8; 8]).unwrap();
            let c = ArrayView::from_vec(8, vec![65530u16; 8]).unwrap();
            let d = ArrayView::from_vec(8, vec![i16::MIN; 8]).unwrap();
            let out = ArrayView::from_vec(8, vec![0i32; 8]).unwrap();
            let e = ArrayView::from_vec(8, vec![tilewise_half(65519.9); 8]).unwrap();
            parallel_for_each!(&on, Extent([8]), |i| {
                let x = a[i];
                a[i] = a[i].wrapping_add(50);
                b[i] = (i32::from(b[i]) - 200) as i8;
                c[i] = c[i].wrapping_mul(3) + i[0] as u16;
                d[i] = d[i].wrapping_sub(1);
                d[i] = -d[i];
                a[i] <<= 1;
                e[i] = e[i] + 16.0 + i[0] as f32 * 1000.0;
                e[i] += 0.1;
                let small = (a[i].wrapping_sub(44) > 5) as i32 + i32::from(b[i]) + i32::from(d[i]);
                out[i] = (x as i32 * 3 - (a[i] as i32) + c[i] as i32 + small).wrapping_add(e[i] as i32);
                a[i] = 1u8.wrapping_sub(3);
                b[i] = 128_i32 as i8;
            })
            .unwrap();
            (
                a.to_vec().unwrap(),
                b.to_vec().unwrap(),
                c.to_vec().unwrap(),
                d.to_vec().unwrap(),
                out.to_vec().unwrap(),
                e.to_vec().unwrap().iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            )
        });
        assert_eq!(r[0], r[1]);
        assert_eq!(r[1], r[2]);
    }
}
fn tilewise_half(x: f32) -> ::half::f16 {
    ::half::f16::from_f32(x)
}

#[amp]
fn cut(v: &ArrayView<'_, i32>, k: i32) -> i32 {
    let s = v.section(k, 3);
    let t = s.section(1, 2);
    t[0] += 1;
    t[5] = 9;
    s.extent()[0] * 100 + t.extent()[0] * 10 + t[1]
}

#[test]
fn views_of_views() {
    let r = ["native", "reference", "jit"].map(|t| {
        let on = Accelerator::new(t).unwrap().default_view();
        let a = ArrayView::from_vec(8, (0..8).collect::<Vec<i32>>()).unwrap();
        let b = a.section(2, 4);
        let a2 = &a;
        let out = ArrayView::from_vec(6, vec![0i32; 6]).unwrap();
        let r = parallel_for_each!(&on, Extent([1]), |i| {
            out[0] = cut(&a, 4);
            out[1] = cut(&a, 6);
            out[2] = cut(&b, 1);
            out[3] = cut(&a, -1);
            b[1] = 70;
            a2[0] = a[3] + b[1];
            let f = a.reinterpret_as::<f32>();
            f[7] = 1.5;
            let w = a.view_as((2, 4));
            w[1][0] = w[(0, 3)] + 1;
            let row = w[0];
            row[1] = 33;
            out[4] = a[7] as i32 + w[(1, 3)] + w[(0, 5)] + w[2].extent()[0];
            out[5] = f.extent()[0]
                + a.section_from(i32::MAX).extent()[0]
                + a.section_from(i32::MIN).extent()[0]
                + a.section(1, i32::MAX).extent()[0];
        });
        assert!(r.is_ok() || t == "reference", "{t}: {r:?}");
        (a.to_vec().unwrap(), out.to_vec().unwrap())
    });
    assert_eq!(r[0], r[1]);
    assert_eq!(r[1], r[2]);
}
