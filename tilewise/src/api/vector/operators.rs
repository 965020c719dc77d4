//! Operators between vectors, and between a vector and a number.

use std::ops;

use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::arithmetic::{Arithmetic, IntegerBits, Signed};
use crate::kernel::macro_support::op::{self, OWN};
use crate::kernel::macro_support::{Form, Operates};

/// A binary operator of one type: vector and vector, vector and number, number and vector, and the
/// compound assignments.
macro_rules! binary {
    ($name:ident $t:ident ($($c:ident)*): $op:ident $fun:ident $assign:ident $assign_fun:ident $meaning:ident) => {
        #[diagnostic::do_not_recommend]
        impl ops::$op for $name {
            type Output = $name;

            #[inline(always)]
            fn $fun(self, other: $name) -> $name {
                $name { $($c: self.$c.$meaning(other.$c)),* }
            }
        }

        #[diagnostic::do_not_recommend]

        impl ops::$op<$t> for $name {
            type Output = $name;

            #[inline(always)]
            fn $fun(self, other: $t) -> $name {
                $name { $($c: self.$c.$meaning(other)),* }
            }
        }

        #[diagnostic::do_not_recommend]

        impl ops::$op<$name> for $t {
            type Output = $name;

            #[inline(always)]
            fn $fun(self, other: $name) -> $name {
                $name { $($c: self.$meaning(other.$c)),* }
            }
        }

        #[diagnostic::do_not_recommend]

        impl ops::$assign for $name {
            #[inline(always)]
            fn $assign_fun(&mut self, other: $name) {
                *self = ops::$op::$fun(*self, other);
            }
        }

        #[diagnostic::do_not_recommend]

        impl ops::$assign<$t> for $name {
            #[inline(always)]
            fn $assign_fun(&mut self, other: $t) {
                *self = ops::$op::$fun(*self, other);
            }
        }

        own!($name: $op $name $name);
        own!($name: $op $name $t);
        own!($name: $op $t $name);
        assigns!($op $name, $name);
        assigns!($op $name, $t);
    };
}

/// A unary operator of one type.
macro_rules! unary {
    ($name:ident ($($c:ident)*): $op:ident $fun:ident $meaning:ident) => {
        #[diagnostic::do_not_recommend]
        impl ops::$op for $name {
            type Output = $name;

            #[inline(always)]
            fn $fun(self) -> $name {
                $name { $($c: self.$c.$meaning()),* }
            }
        }

        own!($name: $op $name ());
    };
}

/// In a kernel, an operator with `=` keeps its own meaning.
macro_rules! assigns {
    ($op:ident $left:ty, $right:ty) => {
        #[diagnostic::do_not_recommend]
        impl Operates<op::Assign<op::$op>, $left, $right> for () {
            fn form() -> Form {
                OWN
            }
        }
    };
}

/// In a kernel, an operator keeps its own meaning.
macro_rules! own {
    ($name:ident: $op:ident $left:ty, $right:ty) => {
        #[diagnostic::do_not_recommend]
        impl Operates<op::$op, $left, $right> for $name {
            fn form() -> Form {
                OWN
            }
        }
    };
    ($name:ident: $op:ident $left:ident $right:tt) => {
        own!($name: $op $left, $right);
    };
}

macro_rules! arithmetic {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        binary!($name $t ($($c)*): Add add AddAssign add_assign plus);
        binary!($name $t ($($c)*): Sub sub SubAssign sub_assign minus);
        binary!($name $t ($($c)*): Mul mul MulAssign mul_assign times);
        binary!($name $t ($($c)*): Div div DivAssign div_assign over);
        binary!($name $t ($($c)*): Rem rem RemAssign rem_assign modulo);
    )*};
}

vectors!(arithmetic: all);

macro_rules! bits {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        binary!($name $t ($($c)*): BitAnd bitand BitAndAssign bitand_assign and);
        binary!($name $t ($($c)*): BitOr bitor BitOrAssign bitor_assign or);
        binary!($name $t ($($c)*): BitXor bitxor BitXorAssign bitxor_assign xor);
        binary!($name $t ($($c)*): Shl shl ShlAssign shl_assign up);
        binary!($name $t ($($c)*): Shr shr ShrAssign shr_assign down);
        unary!($name ($($c)*): Not not inverted);
    )*};
}

vectors!(bits: integers);

macro_rules! signed {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        unary!($name ($($c)*): Neg neg negated);
    )*};
}

vectors!(signed: signed);
