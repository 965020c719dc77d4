//! Names: hygiene, shadowing, names that are the macros' or the library's too.

use std::sync::Mutex;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Error, TileStatic, amp, parallel_for_each};

use crate::{P, Q, on_all, on_each};

macro_rules! hygienic_capture {
    ($launch:expr, $out:ident, $e:expr) => {{
        let k = 10;
        parallel_for_each!($launch, |i| {
            $out[i] = $e + k;
        })
    }};
}

#[test]
fn two_captures_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        let k = 1;
        hygienic_capture!(l, out, k * 100)
    });
    assert_eq!(r, [110; 2]);
}

macro_rules! hygienic_local {
    ($launch:expr, $out:ident, $e:expr) => {{
        parallel_for_each!($launch, |i| {
            let k = 10;
            $out[i] = $e + k;
        })
    }};
}

#[test]
fn a_local_and_a_capture_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        let k = 1;
        hygienic_local!(l, out, k * 100)
    });
    assert_eq!(r, [110; 2]);
}

#[test]
fn names_that_a_procedural_macro_writes_at_its_call_site() {
    let k = 7;
    let r = on_all([3], |l, out: &ArrayView<'_, i32>| {
        tilewise_respan::at_call_site!(parallel_for_each!(l, |@i| {
            let @a = @i[0] * k;
            {
                let @a = @a + 1;
                out[@i] = @a;
            }
            for @j in 0..3 {
                out[@i] += @j + @a;
            }
        }))
    });
    assert_eq!(r, [4, 32, 60]);
}

macro_rules! hygienic_function {
    ($name:ident, $x:ident, $e:expr) => {
        #[amp]
        fn $name($x: i32) -> i32 {
            let y = 10;
            let z = $e;
            y + z
        }
    };
}
hygienic_function!(with_y, x, x + 1);

macro_rules! two_lets {
    ($launch:expr, $out:ident, $x:ident, $e:expr) => {
        parallel_for_each!($launch, |i| {
            let $x = 3;
            let k = 4;
            let k = k + 1;
            {
                let k = $x;
                $out[i] = $e + k;
            }
        })
    };
}

#[test]
fn two_locals_of_one_name_by_hygiene() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| two_lets!(l, out, k, k * 100));
    assert_eq!(r, [303; 2]);
}

#[test]
fn own_methods_with_builtin_names() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let p = P { x: 4, y: 5 };
            out[i] = p.sqrt() + p.min(3) * 7 + p.abs();
        })
    });
    assert_eq!(r, [4005 + 7 + 77; 2]);
}

mod alias {
    #[allow(non_camel_case_types)]
    type f32 = f64;
    #[allow(non_camel_case_types)]
    type u32 = i64;
    #[tilewise::amp]
    pub fn f(x: i32) -> i32 {
        let a: f32 = x as f32 * 0.1 + 16777217.0;
        let b = -1i32 as u32;
        let c = 7u64 as u32;
        ((a - 16777216.0) * 10.0) as i32 + (b + c) as i32
    }
    pub fn want(x: i32) -> i32 {
        let a: f32 = x as f32 * 0.1 + 16777217.0;
        let b = -1i32 as u32;
        let c = 7u64 as u32;
        ((a - 16777216.0) * 10.0) as i32 + (b + c) as i32
    }
}
#[test]
fn shadowed_primitives() {
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            out[i] = alias::f(i[0]);
        })
    });
    assert_eq!(r, (0..6).map(alias::want).collect::<Vec<_>>());
}

#[amp]
fn add_one(x: i32) -> i32 {
    x + 1
}
#[amp]
pub(crate) fn dual(x: i32) -> i32 {
    add_one(x) * 2
}
#[amp]
fn form(read: i32) -> i32 {
    dual(read) - 1
}
use form as half;
pub(crate) mod deep {
    pub(crate) use super::dual as renamed;
    #[tilewise::amp]
    pub fn twice<T: tilewise::Scalar>(x: T) -> T {
        x + x
    }
}
use deep::{renamed as r2, twice as thrice};

#[test]
fn names_of_functions() {
    let r = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            out[i] = add_one(i[0])
                + dual(i[0]) * 3
                + form(i[0]) * 5
                + half(2) * 7
                + deep::renamed(1)
                + r2(3) * 11
                + thrice(4) * 13
                + thrice::<i32>(5)
                + crate::names::deep::twice(1.5f32) as i32
                + self::deep::twice::<u64>(6) as i32;
        })
    });
}

struct Holder<'a> {
    v: ArrayView<'a, i32>,
    k: i32,
    t: (i32, P),
}
impl Holder<'_> {
    fn go(&self, on: &tilewise::AcceleratorView) -> tilewise::Result<()> {
        let k = 100;
        parallel_for_each!(on, Extent([4]), |i| {
            self.v[i] = self.k + k + self.t.1.y + self.t.0 + self.k;
        })
    }
}
#[test]
fn fields_of_self() {
    let r = ["native", "reference", "jit"].map(|t| {
        let on = Accelerator::new(t).unwrap().default_view();
        let h = Holder { v: ArrayView::from_vec(4, vec![0; 4]).unwrap(), k: 3, t: (5, P { x: 1, y: 9 }) };
        h.go(&on).unwrap();
        h.v.to_vec().unwrap()
    });
    assert_eq!(r, [vec![120; 4], vec![120; 4], vec![120; 4]].map(|v| v));
}

#[test]
fn captures_and_shadowing() {
    let k = 5;
    let i = 1000;
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let a = {
                let k = k + 1;
                k * 2
            };
            let k = k + a;
            let i = i[0] + k;
            for k in 0..2 {
                out[i - 17] = k + i;
            }
        })
    });
}

oracle! {
    constants_that_read_the_same_and_are_not(n) -> i32 {
        let first = const { line!() };
        let second = const { line!() };
        let narrow: i32 = const { 7 };
        let wide: u64 = const { 7 } << (32 + n);
        (second - first) as i32 * 1000 + narrow * 100 + (wide >> 32) as i32 % 100
    }
}

mod same_names {
    use tilewise::prelude::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct A {
        pub k: i32,
    }
    #[amp]
    impl A {
        pub fn go(&self) -> i32 {
            1
        }
        pub fn run(self) -> i32 {
            10
        }
    }
    #[amp]
    pub trait Go {
        fn go(self) -> i32;
        fn run(self) -> i32 {
            20
        }
    }
    #[amp]
    pub trait Walk: Go {
        fn go(self) -> i32;
        fn run(self) -> i32 {
            <Self as Go>::run(self) + 30
        }
    }
    #[amp]
    impl Go for A {
        fn go(self) -> i32 {
            self.k + 2
        }
    }
    #[amp]
    impl Walk for A {
        fn go(self) -> i32 {
            self.k + 3
        }
    }

    pub fn on_the_host(a: A) -> [i32; 6] {
        [A::go(&a), Go::go(a), Walk::go(a), a.run(), Go::run(a), Walk::run(a)]
    }
    #[amp]
    pub fn in_a_kernel(a: A) -> [i32; 6] {
        [A::go(&a), Go::go(a), Walk::go(a), a.run(), Go::run(a), Walk::run(a)]
    }
}

#[test]
fn methods_of_one_name_are_told_apart_by_their_traits() {
    use same_names::{A, in_a_kernel, on_the_host};
    let want = [1, 6, 7, 10, 20, 50];
    assert_eq!(on_the_host(A { k: 4 }), want);
    assert_eq!(in_a_kernel(A { k: 4 }), want);
    let got = on_all([6], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let all = in_a_kernel(A { k: 4 });
            out[i] = all[i[0]];
        })
    });
    assert_eq!(got, want);
}

#[amp]
trait Mix<T: Scalar = i32, const N: usize = 2> {
    fn mix(self, x: T) -> T;
}
#[amp]
impl Mix for P {
    fn mix(self, x: i32) -> i32 {
        self.x + x
    }
}
#[amp]
impl Mix<f32, 3> for P {
    fn mix(self, x: f32) -> f32 {
        x * 3.0
    }
}
#[amp]
fn mixed<T: Mix + Copy>(t: T) -> i32 {
    t.mix(3)
}

#[test]
fn a_trait_keeps_the_defaults_of_its_parameters() {
    let got = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let p = P { x: 7, y: 0 };
            out[i] = mixed(p) * 100 + <P as Mix<f32, 3>>::mix(p, 4.0) as i32;
        })
    });
    assert_eq!(got, [1012; 2]);
}

mod switched {
    use tilewise::prelude::*;

    #[amp]
    #[cfg(any())]
    pub fn free(x: Missing) -> i32 {
        x + "no kernel"
    }
    #[amp]
    #[cfg(not(any()))]
    pub fn free(x: i32) -> i32 {
        x
    }

    #[derive(Clone, Copy, AmpStruct)]
    pub struct S {
        pub x: i32,
    }
    #[amp]
    impl S {
        #[cfg(any())]
        pub fn of(self) -> i32 {
            1
        }
        #[cfg(not(any()))]
        pub fn of(self) -> i32 {
            20
        }
        #[cfg(any())]
        pub fn gone(self) -> Missing {
            "no kernel"
        }
        #[cfg_attr(all(), cfg(any()), inline)]
        pub fn gone_too(self) -> Missing {
            Missing
        }
        #[cfg_attr(all(), inline)]
        pub fn stays(self) -> i32 {
            300
        }
    }
    #[amp]
    #[cfg(any())]
    impl Missing {
        pub fn of(self) -> i32 {
            1
        }
    }
    #[amp]
    pub trait T {
        #[cfg(any())]
        fn gone(self) -> Missing;
        #[cfg(any())]
        fn by(self) -> i32 {
            1
        }
        #[cfg(not(any()))]
        fn by(self) -> i32 {
            4000
        }
        fn given(self) -> i32;
    }
    #[amp]
    #[cfg(any())]
    pub trait Gone {
        fn by(self) -> i32;
    }
    #[amp]
    impl T for S {
        #[cfg(any())]
        fn gone(self) -> Missing {
            Missing
        }
        #[cfg(any())]
        fn given(self) -> i32 {
            1
        }
        #[cfg(not(any()))]
        fn given(self) -> i32 {
            50_000
        }
    }
    #[amp]
    #[cfg(any())]
    impl T for Missing {
        fn given(self) -> i32 {
            "no kernel"
        }
    }
    #[amp]
    #[cfg(any())]
    impl std::ops::Add for Missing {
        type Output = Missing;
        fn add(self, other: Missing) -> Missing {
            self
        }
    }
}

#[test]
fn what_is_not_compiled_leaves_nothing_behind() {
    use switched::{S, T};
    let got = on_all([1], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let s = S { x: 1 };
            out[i] = switched::free(3) + s.of() + s.stays() + s.by() + s.given();
        })
    });
    assert_eq!(got, [54_323]);
}

/// Functions of one name, of which each scope sees another.
mod hiding {
    use tilewise::amp;
    #[amp]
    pub fn f(x: i32) -> i32 {
        x + 1
    }
    #[amp]
    pub fn std(x: i32) -> i32 {
        x + 5
    }
    #[amp]
    pub fn of_another_lifetime<'a, 'b: 'a, T: tilewise::Scalar>(x: &'a T, y: &'b T, z: &'b T) -> T {
        *x + *y + *z
    }
    pub mod inner {
        pub use super::f;
        pub mod deeper {
            use tilewise::amp;
            #[amp]
            pub fn f(x: i32) -> i32 {
                x * 100
            }
        }
    }
}

#[test]
fn a_call_means_the_function_that_rust_calls() {
    use hiding::{f, of_another_lifetime, std};
    #[amp]
    fn outer(x: i32) -> i32 {
        #[allow(clippy::let_and_return, reason = "the call is what is tested")]
        let y = f(x) + hiding::inner::f(x) + hiding::inner::deeper::f(x);
        y
    }
    let got = on_all([2], |l, out: &ArrayView<'_, i32>| {
        use hiding::inner::deeper::f;
        parallel_for_each!(l, |i| {
            let k = i[0];
            out[i] = f(k) + outer(k) * 1000 + std(k) * 1_000_000 + of_another_lifetime(&k, &k, &k);
        })
    });
    assert_eq!(got, [0, 1].map(|k| k * 100 + (2 * (k + 1) + k * 100) * 1000 + (k + 5) * 1_000_000 + 3 * k));
}

#[derive(Clone, Copy, AmpStruct)]
pub struct Couple<T>(pub T, pub T);
#[derive(Clone, Copy, AmpStruct)]
struct Step(i32);

mod renamed {
    pub use super::Couple as Pair;
}

#[amp]
impl Step {
    fn next(self) -> Step {
        Self(self.0 + 1)
    }
}

macro_rules! kernel_with_a_couple {
    ($launch:expr, $out:ident) => {
        parallel_for_each!($launch, |i| $out[i] = $crate::names::with_y($crate::names::Couple(i[0], 5).1))
    };
}

#[test]
fn tuple_structs_are_made_by_every_path() {
    use self::renamed::Pair as Two;
    #[derive(Clone, Copy, AmpStruct)]
    struct Local(i32, i32);
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let n = i[0];
            let (a, b, c) = (Couple(n, 1), renamed::Pair::<i32>(2, n), Two(n as f32, 3.0));
            let d = Couple([1, n], [Step(4).next().0, n]);
            let e = Local(n, 6);
            out[i] = a.0 + a.1 * 10 + b.0 * 100 + (c.1 as i32) * 1000 + d.1[0] * 10000 + e.1 * 100000;
        })
    });
    assert_eq!(r, [653210, 653211]);
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| kernel_with_a_couple!(l, out));
    assert_eq!(r, [16; 2]);
}
