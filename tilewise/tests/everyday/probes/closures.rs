//! Closures, functions as arguments, and items in a kernel.

use super::*;
use tilewise::prelude::*;

#[amp]
fn twice<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(f(x))
}

#[amp]
fn each(mut f: impl FnMut(i32), n: i32) {
    for k in 0..n {
        f(k);
    }
}

#[amp]
fn square(x: i32) -> i32 {
    x * x
}

mod shapes {
    use tilewise::prelude::*;

    pub(super) const SIDES: i32 = 4;

    #[amp]
    pub(super) fn around(side: i32) -> i32 {
        side * SIDES
    }
}

/// A macro of the program that writes a whole kernel.
macro_rules! filled_by {
    ($launch:expr, $view:ident, $i:ident => $value:expr) => {
        parallel_for_each!($launch, |p| {
            let $i = p[0];
            $view[p] = $value;
        })
    };
}

macro_rules! table {
    ($($x:expr),*) => {
        [$($x * 2),*]
    };
}

same! {
    a_closure_with_a_name: i32, |i| {
        let add = |x: i32, y| x + y * i;
        add(1, 2) * 10 + add(i, i)
    }

    a_closure_changes_what_is_around_it: i32, |i| {
        let mut count = 0;
        let mut note = |by: i32| count += by;
        note(i);
        note(5);
        count
    }

    a_closure_as_an_argument: i32, |i| { twice(|x| x * 3 + i, 1) }

    a_closure_that_changes_as_an_argument: i32, |i| {
        let mut sum = 0;
        each(|k| sum += k * k, i);
        sum
    }

    a_function_as_an_argument: i32, |i| { twice(square, i) + twice(shapes::around, 1) }

    a_method_as_an_argument: i32, |i| { [i - 3, 2, -1].iter().copied().map(i32::abs).fold(0, i32::max) }

    a_function_in_a_kernel: i32, |i| {
        fn cube(x: i32) -> i32 {
            x * x * x
        }
        cube(i) + 1
    }

    a_constant_in_a_kernel: i32, |i| {
        const STEPS: [i32; 3] = [2, 3, 5];
        STEPS[i as usize % STEPS.len()] * i
    }

    a_use_in_a_kernel: i32, |i| {
        use shapes::{SIDES, around};
        around(i) + SIDES
    }

    a_struct_in_a_kernel: i32, |i| {
        #[derive(Clone, Copy, AmpStruct)]
        struct Pair(i32, i32);
        let pair = Pair(i, i + 1);
        pair.0 * 10 + pair.1
    }

    a_macro_gives_a_constant: i32, |i| {
        let all = const { table!(1, 2, 3) };
        all[i as usize % 3]
    }
}

#[test]
fn a_macro_writes_a_kernel() {
    on_all(&[1, 2, 5, 10], |launch, v: &ArrayView<'_, i32>| filled_by!(launch, v, i => i * i + 1));
}
