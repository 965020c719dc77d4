//! The operators: each computes in `f32` and clamps.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use crate::amp;

macro_rules! binary {
    ($name:ident $other:ident: $($op:ident $fun:ident $assign:ident $assign_fun:ident $sign:tt;)*) => {$(
        #[amp]
        #[diagnostic::do_not_recommend]
        impl $op for $name {
            type Output = $name;

            fn $fun(self, other: $name) -> $name {
                $name::new(self.get() $sign other.get())
            }
        }

        #[amp]
        #[diagnostic::do_not_recommend]
        impl $assign for $name {
            fn $assign_fun(&mut self, other: $name) {
                *self = *self $sign other;
            }
        }
    )*};
}

macro_rules! scalars {
    ($($name:ident)*) => {$(
        binary! {
            $name $name:
            Add add AddAssign add_assign +;
            Sub sub SubAssign sub_assign -;
            Mul mul MulAssign mul_assign *;
            Div div DivAssign div_assign /;
        }
    )*};
}

scalars!(Norm Unorm);

/// The operators of vectors: with a vector, and with a scalar on either side.
macro_rules! componentwise {
    (
        $name:ident of $t:ident by $clamp:ident:
        $($op:ident $fun:ident $assign:ident $assign_fun:ident $sign:tt;)*
    ) => {$(
        #[amp]
        #[diagnostic::do_not_recommend]
        impl $op for $name {
            type Output = $name;

            fn $fun(self, other: $name) -> $name {
                (self.as_float() $sign other.as_float()).$clamp()
            }
        }

        #[amp]
        #[diagnostic::do_not_recommend]
        impl $op<$t> for $name {
            type Output = $name;

            fn $fun(self, other: $t) -> $name {
                (self.as_float() $sign other.get()).$clamp()
            }
        }

        #[amp]
        #[diagnostic::do_not_recommend]
        impl $op<$name> for $t {
            type Output = $name;

            fn $fun(self, other: $name) -> $name {
                (self.get() $sign other.as_float()).$clamp()
            }
        }

        #[amp]
        #[diagnostic::do_not_recommend]
        impl $assign for $name {
            fn $assign_fun(&mut self, other: $name) {
                *self = *self $sign other;
            }
        }

        #[amp]
        #[diagnostic::do_not_recommend]
        impl $assign<$t> for $name {
            fn $assign_fun(&mut self, other: $t) {
                *self = *self $sign other;
            }
        }
    )*};
}

macro_rules! vectors {
    ($($name:ident of $t:ident by $clamp:ident;)*) => {$(
        componentwise! {
            $name of $t by $clamp:
            Add add AddAssign add_assign +;
            Sub sub SubAssign sub_assign -;
            Mul mul MulAssign mul_assign *;
            Div div DivAssign div_assign /;
        }
    )*};
}

vectors! {
    Norm2 of Norm by as_norm;
    Norm3 of Norm by as_norm;
    Norm4 of Norm by as_norm;
    Unorm2 of Unorm by as_unorm;
    Unorm3 of Unorm by as_unorm;
    Unorm4 of Unorm by as_unorm;
}

macro_rules! negated {
    ($($name:ident)*) => {$(
        #[amp]
        #[diagnostic::do_not_recommend]
        impl Neg for $name {
            type Output = $name;

            fn neg(self) -> $name {
                (-self.as_float()).as_norm()
            }
        }
    )*};
}

negated!(Norm2 Norm3 Norm4);

#[amp]
#[diagnostic::do_not_recommend]
impl Neg for Norm {
    type Output = Norm;

    fn neg(self) -> Norm {
        Norm::new(-self.get())
    }
}
