//! Functions as arguments: `map(x, square)`.

use tilewise::fast_math;
use tilewise::prelude::*;

use crate::{on_all, on_each};

#[amp]
fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
    f(x) + f(1.0)
}

#[amp]
fn square(x: f32) -> f32 {
    x * x
}

#[amp]
fn twice<F>(n: i32, f: F) -> i32
where
    F: Fn(i32, i32) -> i32,
{
    f(f(n, 1), 2)
}

#[amp]
fn mix(a: i32, b: i32) -> i32 {
    if a > 5 {
        return a - b;
    }
    a * 3 + b
}

#[amp]
fn grow(x: &mut i32) {
    *x = mix(*x, 4);
}

#[amp]
fn change<F: Fn(&mut i32)>(mut x: i32, f: F) -> i32 {
    f(&mut x);
    f(&mut x);
    x
}

mod shapes {
    use tilewise::prelude::*;

    #[amp]
    pub(crate) fn half<T: Scalar>(x: T) -> T {
        x + x
    }

    #[amp]
    pub(crate) fn inside(x: f32) -> f32 {
        // The names of the module, and of the function.
        super::map(x, third) + super::map(x, self::third)
    }

    #[amp]
    fn third(x: f32) -> f32 {
        x * 0.25
    }
}

oracle! {
    functions_are_arguments_of_functions(n) -> i32 {
        fn local(a: i32, b: i32) -> i32 {
            a + b * 10
        }
        let x = n as f32;
        let sum = map(x, square) + map(x, shapes::inside) + map(x, shapes::half::<f32>) + map(x, |x| square(x) + 1.0);
        let some = Some(n).map(|n| n + 1);
        (sum * 16.0) as i32 + twice(n, mix) * 3 + twice(n, local) + change(n, grow) + some.map_or(0, |n| n)
    }
}

#[test]
fn functions_are_arguments_in_a_kernel() {
    let got = on_all([4], |l, v: &ArrayView<'_, f32>| {
        parallel_for_each!(l, |i| {
            use shapes::inside;
            fn negated(x: f32) -> f32 {
                -x
            }
            let x = i[0] as f32;
            v[i] = map(x, self::square) + map(x, inside) + map(x, negated) + map(x, shapes::half::<f32>);
        })
    });
    let want = |i: i32| {
        let x = i as f32;
        map(x, square) + map(x, shapes::inside) + map(x, |x| -x) + map(x, shapes::half)
    };
    assert_eq!(got, (0..4).map(want).collect::<Vec<_>>());
}

#[test]
fn a_function_of_fast_math_is_an_argument() {
    let got = on_all([4], |l, v: &ArrayView<'_, f32>| {
        parallel_for_each!(l, |i| {
            v[i] = map(i[0] as f32, fast_math::sin);
        })
    });
    let want = |i: i32| fast_math::sin(i as f32) + fast_math::sin(1.0);
    assert_eq!(got, (0..4).map(want).collect::<Vec<_>>());
}
