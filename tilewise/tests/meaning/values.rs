//! Captures, constants, places out of range, operators, indices.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

#[test]
fn large_capture() {
    // Without optimisations rustc has a place on the stack for each of the many times that a capture
    // is moved, and threads of tests have 2 MiB.
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(launch_with_large_captures);
    thread.unwrap().join().unwrap();
}

fn launch_with_large_captures() {
    let table: [u32; 16000] = std::array::from_fn(|i| (i * i) as u32);
    let big = [[table; 1]; 1];
    let small = [5u32, 6, 7];
    let r = on_all([8], |l, out: &ArrayView<'_, u32>| {
        parallel_for_each!(l, |i| {
            let k = i[0] * 2500;
            out[i] = table[k] + big[0][0][k + 1] + small[i[0]];
        })
    });
    assert_eq!(r[1], 2500 * 2500 + 2501 * 2501 + 6);
}

#[test]
fn constants() {
    const T: [[i32; 3]; 2] = [[1, 2, 3], [4, 5, 6]];
    const PS: [P; 2] = [P { x: 1, y: 2 }, P { x: 3, y: 4 }];
    const TU: (i32, [f32; 2], bool) = (7, [0.5, -0.0], true);
    static ST: [u32; 4] = [9, 8, 7, 6];
    const fn f(x: i32) -> i32 {
        x * x
    }
    const FX: i32 = f(12);
    const F: Float3 = Float3::new(1.0, 2.0, 3.0);
    trait C {
        const A: [i32; 2];
        const P: P;
    }
    struct D;
    impl C for D {
        const A: [i32; 2] = [11, 12];
        const P: P = P { x: 13, y: 14 };
    }
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let k = i[0] - 2;
            let row = T[k];
            let p = PS[k];
            let q = D::A;
            out[i] = T[k][i[0]]
                + row[0] * 10
                + p.y * 100
                + PS[1].x
                + TU.1[k] as i32
                + TU.0
                + ST[k] as i32 * 1000
                + FX
                + F.y as i32
                + F[k] as i32 * 10000
                + D::A[k]
                + D::P.x
                + q[i[0]]
                + const { T[1][2] }
                + TU.2 as i32;
        })
    });
}

#[test]
fn out_of_range_of_nested_arrays() {
    let r = on_all([12, 6], |l, out: &ArrayView<'_, i32, 2>| {
        parallel_for_each!(l, |i| {
            let mut a = [[P { x: 1, y: 2 }; 3]; 2];
            let j = i[1] - 2;
            let k = i[0] - 4;
            a[j][k].x = 5;
            a[j][k].y += 7;
            let b = a[j];
            let c = b[k];
            a[k] = b;
            a[j as u32][k as i64] = P { x: 100, y: 200 };
            let mut f = Float3::new(1.0, 2.0, 3.0);
            f[k] = 9.0;
            f[j] += 1.5;
            let mut ix = i;
            ix[k] = 5;
            ix[j] *= 3;
            let mut t = ([1, 2], [[3; 2]; 2]);
            t.1[j][k] = 8;
            t.0[k] -= 4;
            let mut s = c.x
                + c.y * 2
                + f.x as i32 * 3
                + f.y as i32 * 5
                + f.z as i32 * 7
                + ix[0] * 11
                + ix[1] * 13
                + t.1[0][0]
                + t.1[1][1] * 2
                + t.0[0] * 3
                + f[k] as i32
                + ix[k];
            for q in 0..2 {
                for w in 0..3 {
                    s = s * 3 + a[q][w].x + a[q][w].y * 2;
                }
            }
            out[i] = s;
        })
    });
}

mod userland {
    use tilewise::prelude::*;
    #[derive(Clone, Copy, Debug, AmpStruct)]
    pub struct V(pub i32, pub i32);
    #[amp]
    impl std::ops::Sub for V {
        type Output = i32;
        fn sub(self, o: V) -> i32 {
            self.0 * 10 - o.1
        }
    }
    #[amp]
    impl std::ops::Add<i32> for V {
        type Output = V;
        fn add(mut self, o: i32) -> V {
            self.0 += o;
            V(self.0, self.1 - o)
        }
    }
    #[amp]
    impl std::ops::AddAssign<i32> for V {
        fn add_assign(&mut self, o: i32) {
            *self = *self + o;
        }
    }
    #[amp]
    impl std::ops::Not for V {
        type Output = bool;
        fn not(self) -> bool {
            self.0 == self.1
        }
    }
    #[amp]
    impl PartialEq for V {
        fn eq(&self, o: &V) -> bool {
            if self.0 > 3 {
                return false;
            }
            self.0 == o.1
        }
    }
    #[amp]
    impl std::ops::Shl<f32> for V {
        type Output = V;
        fn shl(self, o: f32) -> V {
            V(o as i32, self.0)
        }
    }
}
use userland::V;

#[test]
fn operators() {
    let r = on_all([8], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let a = V(i[0], 3);
            let mut b = a + 2;
            b += {
                b = V(7, 8);
                5
            };
            let c = a << 2.5;
            out[i] = (a - b) + b.0 * 100 + (!a) as i32 + (a == c) as i32 * 2 + (a != c) as i32 * 4 + (c - a) * 1000;
        })
    });
}

#[test]
fn atomics_as_operands() {
    let r = on_each(8, |on, out: &ArrayView<'_, i32>| {
        let c = ArrayView::from_vec(2, vec![0i32; 2]).unwrap();
        let r = parallel_for_each!(on, Extent([1]), |i| {
            out[c.atomic(0).fetch_add(1)] = c.atomic(0).fetch_add(1) + 10;
            out[c.atomic(0).fetch_add(1)] += c.atomic(0).fetch_add(1) * 10;
            let x0 = i[0];
            let x = (c.atomic(0).fetch_add(1), c.atomic(0).fetch_sub(2)).0 - c.atomic(5).fetch_add(1)
                + c.atomic(x0 - 1).exchange(4);
            out[7] = x + c[0] * 100 + c.atomic(1).compare_exchange(0, 5).0 + c.atomic(1).fetch_max(9);
        });
        r
    });
}

#[test]
fn index_arithmetic() {
    let r = on_all([6, 6], |l, out: &ArrayView<'_, i32, 2>| {
        let e = Extent([i32::MAX, 3]);
        parallel_for_each!(l, |i| {
            let j = i - 3;
            let a = j / (i[1] - 2);
            let b = j % (i[1] - 2);
            let c = Index::new((i32::MIN, -1)) / (i[0] - 1);
            let d = Index::new((i32::MAX, -1)) + i;
            let mut m = i * 1_000_000_000;
            m += i;
            m -= 7;
            let mut g = e - i;
            g *= 3;
            let o = (i < j) as i32
                + (a <= b) as i32 * 2
                + (c > d) as i32 * 4
                + (i == Index([1, 2])) as i32 * 8
                + (a != b) as i32 * 16
                + e.contains(j) as i32 * 32;
            out[i] = a[0] * 3
                + a[1] * 5
                + b[0] * 7
                + b[1] * 11
                + (c[0] % 1000) * 13
                + c[1]
                + (d[0] % 1000)
                + d[1]
                + (m[0] % 1000) * 3
                + m[1] % 1000
                + (g[0] % 1000)
                + g[1]
                + o * 10000
                + (e.size() % 1000) as i32
                + i.to_array()[1]
                + i.0[0];
        })
    });
}

oracle! {
    a_tuple_of_names_that_are_assigned_later(n) -> i32 {
        let (a, (b, _)): (i32, (i32, bool));
        a = 5;
        if n > 3 {
            b = 7;
        } else {
            b = 8;
        }
        a * 10 + b
    }
}

mod cut {
    #![allow(overflowing_literals)]
    use tilewise::prelude::*;

    #[amp]
    pub fn signed() -> i32 {
        3_000_000_000
    }
    #[amp]
    pub fn unsigned() -> u32 {
        5_000_000_000
    }
}

#[test]
fn a_literal_that_is_too_wide_is_refused_in_the_words_of_its_type() {
    let out = ArrayView::from_vec(1, vec![0]).unwrap();
    let on = Accelerator::new("reference").unwrap().default_view();
    let launch = parallel_for_each!((&on, out.extent()), |i| out[i] = cut::signed());
    let told = launch.expect_err("3_000_000_000 is no `i32`").to_string();
    assert!(told.contains("K0706") && told.contains("`i32` has 32 bits, and so has `isize` in a kernel"), "{told}");
    let launch = parallel_for_each!((&on, out.extent()), |i| out[i] = cut::unsigned() as i32);
    let told = launch.expect_err("5_000_000_000 is no `u32`").to_string();
    assert!(told.contains("compute with `u64`, or write a number that `u32` has"), "{told}");
}
