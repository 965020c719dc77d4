//! `#[tile_static]` variables and barriers.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

struct S1;
#[amp]
impl S1 {
    fn one(v: i32) -> i32 {
        #[tile_static]
        let x: [i32; 2];
        x[0] += v;
        x[0]
    }
    fn two(v: i32) -> i32 {
        #[tile_static]
        let z: [i32; 2];
        z[0] += v;
        z[0]
    }
}

#[test]
fn tile_static_variables_of_two_methods_are_two() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = S1::one(1);
            let b = S1::two(10);
            let c = S1::one(100);
            out[t] = a * 10000 + b * 1000 + c;
        })
    });
    assert_eq!(r, [1 * 10000 + 10 * 1000 + 101; 2]);
}

macro_rules! with_static {
    ($m:ident) => {
        mod $m {
            #[tilewise::amp]
            pub fn add(v: i32) -> i32 {
                #[tile_static]
                let x: i32;
                x += v;
                x
            }
        }
    };
}
with_static!(sa);
with_static!(sb);

macro_rules! two_with_static {
    ($($f:ident)*) => {$(
            #[tilewise::amp]
            pub fn $f(v: i32) -> i32 {
                #[tile_static]
                let x: i32;
                x += v;
                x
            }
    )*};
}
two_with_static!(tw1 tw2);

#[test]
fn tile_static_variables_of_functions_in_modules_that_a_macro_makes() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = sa::add(1);
            let b = sb::add(10);
            out[t] = a * 100 + b;
        })
    });
    assert_eq!(r, [110; 2]);
}

#[test]
fn tile_static_variables_of_functions_that_one_macro_call_makes() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = tw1(1);
            let b = tw2(10);
            out[t] = a * 100 + b;
        })
    });
    assert_eq!(r, [110; 2]);
}

#[amp]
fn generic_static<T: Scalar>(v: T) -> T {
    #[tile_static]
    let x: T;
    x += v;
    x
}
#[amp]
fn generic_const<const N: usize>(v: i32) -> i32 {
    #[tile_static]
    let x: i32;
    x += v + N as i32;
    x
}

#[test]
fn tile_static_variables_of_generic_functions() {
    let r = on_each(2, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([2]).tile::<1>(), |t| {
            let a = generic_static(1);
            let b = generic_static(10.0f32) as i32;
            let c = generic_static(2u32) as i32;
            let d = generic_const::<1>(0);
            let e = generic_const::<2>(0);
            out[t] = a * 100 + b * 1000 + c + d * 1000000 + e * 10000000;
        })
    });
}

mod here {
    use tilewise::AmpStruct;
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Length {
        pub of: i32,
    }
}
mod there {
    use tilewise::AmpStruct;
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Length {
        pub of: i32,
    }
}

#[amp]
fn previous<T: tilewise::types::KernelValue + 'static>(next: T) -> T {
    #[tile_static]
    let kept: T;
    let before = kept;
    kept = next;
    before
}

#[test]
fn tile_static_variables_of_types_with_the_same_memory() {
    let r = on_each(1, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([1]).tile::<1>(), |t| {
            let a = previous(here::Length { of: 1 });
            let b = previous(there::Length { of: 2 });
            let c = previous(here::Length { of: 3 });
            let d = previous(4_u32);
            let e = previous(5_usize);
            let f = previous([6; 1]);
            let g = previous(Index([7]));
            let h = previous(Extent([8]));
            let tail = d as i32 + e as i32 + f[0] + g[0] + h[0];
            out[t] = a.of * 1000 + b.of * 100 + c.of * 10 + tail;
        })
    });
    assert_eq!(r, [10]);
}

#[amp]
fn meet(b: &TileBarrier, s: &TileStatic<[i32; 4]>, me: i32, rounds: i32) -> i32 {
    let mut sum = 0;
    for r in 0..rounds {
        s[me] = me * 10 + r;
        b.wait();
        sum += s[(me + 1) % 4];
        b.wait();
        if r == 2 {
            return sum;
        }
    }
    sum
}

#[test]
fn barriers_in_functions() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([8]).tile::<4>(), |t| {
            #[tile_static]
            let s: [i32; 4];
            let a = meet(&t.barrier, &s, t.local[0], 2);
            let b = meet(&t.barrier, &s, t.local[0], 5);
            out[t] = a * 1000 + b;
        })
    });
}

#[test]
fn tile_static_shapes() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([8]).tile::<1>(), |t| {
            #[tile_static]
            let a: [[i32; 3]; 2];
            #[tile_static]
            let q: Q;
            #[tile_static]
            let n: i32;
            #[tile_static]
            let f: Float3;
            #[tile_static]
            let tu: (i32, [P; 2]);
            let k = t.global[0] - 3;
            a[1][k] = 5;
            a[k][1] += 7;
            a[0] = a[1];
            q.a[k].x = 4;
            q.p = q.a[1];
            q.a[0].y += 2;
            n += 3;
            n *= n;
            f.y = 2.0;
            f[k] += 1.0;
            tu.1[k].y = 6;
            tu.0 -= 1;
            let c = a;
            a[0][0] = 77;
            out[t] = a[0][1]
                + a[1][0] * 10
                + a[1][2] * 100
                + q.a[0].x
                + q.a[0].y * 3
                + q.p.x * 5
                + n * 7
                + (f.x + f.y * 2.0 + f.z * 3.0) as i32 * 1000
                + tu.1[0].y * 11
                + tu.1[1].y * 13
                + tu.0
                + c[0][0] * 3
                + q.a[2].x * 17;
        })
    });
}
