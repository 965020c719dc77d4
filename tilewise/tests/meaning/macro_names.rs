//! Names of the user's that the macros once used for their own items.

use tilewise::prelude::*;
use tilewise::{AmpStruct, ArrayView, amp, parallel_for_each};

use crate::on_all;

#[amp]
fn called(x: i32) -> i32 {
    x + 1
}

#[amp]
#[allow(non_snake_case, reason = "the name is the test")]
fn callable<T: Scalar>(x: T) -> T {
    called(1);
    x
}

mod inner {
    //! Functions in a module of a name that the macros once brought into scope.

    pub mod called {
        //! The module.

        use tilewise::amp;

        #[amp]
        pub fn twice(x: i32) -> i32 {
            x * 2
        }
    }
}

/// A dual number.
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Dual {
    value: f32,
    slope: f32,
}

#[amp]
impl std::ops::Mul for Dual {
    type Output = Self;
    fn mul(self, other: Dual) -> Dual {
        Dual { value: self.value * other.value, slope: self.value * other.slope + self.slope * other.value }
    }
}

#[amp]
impl Default for Dual {
    fn default() -> Dual {
        Dual { value: 1.0, slope: 0.0 }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Made {
    value: f32,
}

#[amp]
impl From<f32> for Made {
    fn from(value: f32) -> Made {
        Made { value }
    }
}

#[amp]
impl std::ops::Add for Made {
    type Output = Made;
    fn add(self, other: Made) -> Made {
        Made { value: self.value + other.value }
    }
}

#[test]
fn functions_and_modules_may_be_named_called() {
    use inner::called;
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let called_too = crate::macro_names::called(10);
            out[i] = called::twice(i[0]) + callable(called_too) + callable(1);
        })
    });
    assert_eq!(r, [12, 14]);
    assert_eq!(called(1), 2);
}

#[test]
fn a_function_named_called_is_called_by_its_name() {
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| parallel_for_each!(l, |i| out[i] = called(i[0])));
    assert_eq!(r, [1, 2]);
}

#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct Number {
    value: i32,
}

#[amp]
impl Number {
    fn plus(self, other: i32) -> i32 {
        self.value + other
    }
    fn plus_dual(self, other: i32) -> i32 {
        self.value - other
    }
}

#[test]
fn methods_may_differ_by_the_end_dual() {
    let number = Number { value: 5 };
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| out[i] = number.plus(i[0]) * 100 + number.plus_dual(i[0]))
    });
    assert_eq!(r, [505, 604]);
}

#[test]
fn structs_may_be_named_dual_and_made() {
    let r = on_all([2], |l, out: &ArrayView<'_, f32>| {
        let x = Dual { value: 3.0, slope: 1.0 };
        parallel_for_each!(l, |i| {
            let sum = Made::from(1.0) + Made::from(2.0);
            out[i] = (x * x * Dual::default()).slope + sum.value;
        })
    });
    assert_eq!(r, [9.0; 2]);
}

macro_rules! filled {
    ($view:ident, |$i:ident| $body:block) => {
        parallel_for_each!($view.extent(), |$i| $body)
    };
}

/// A body that a macro's caller wrote as a block is the kernel's own: items may stand in it.
#[test]
fn items_stand_in_a_body_that_a_macro_passes_on() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(3, vec![0; 3])?;
    filled!(view, |i| {
        const FIVE: i32 = 5;
        view[i] = FIVE + i[0];
    })?;
    assert_eq!(view.to_vec()?, [5, 6, 7]);
    Ok(())
}
