//! Methods on whole vectors. The order of their steps is that of the rows of the op table
//! (docs/ops.md), so that host and kernel compute the same bits.

use super::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::arithmetic::Arithmetic;
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::{Op, RustBuiltin};

macro_rules! products {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal (x 0 $(, $c:ident $i:literal)*);)*) => {$(
        impl $name {
            both! {
                /// The sum of the products of the components, from the first to the last.
                pub fn dot[dot_marked_amp: mark::Dot](self, other: $name) -> $t {
                    self.x.times(other.x) $(.plus(self.$c.times(other.$c)))*
                }
            }
        }
    )*};
}

vectors!(products: all);

macro_rules! lengths {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        impl $name {
            both! {
                /// `self.dot(self).sqrt()`: it overflows if the squares do.
                pub fn length[length_marked_amp: mark::Length](self) -> $t {
                    self.dot(self).sqrt()
                }

                /// The length of the difference.
                pub fn distance[distance_marked_amp: mark::Distance](self, other: $name) -> $t {
                    (self - other).length()
                }

                /// Each component divided by the length; a zero vector gives NaN.
                pub fn normalize[normalize_marked_amp: mark::Normalize](self) -> $name {
                    self / self.length()
                }
            }
        }
    )*};
}

vectors!(lengths: floats);

macro_rules! crosses {
    ($($name:ident)*) => {$(
        impl $name {
            both! {
                /// The cross product.
                pub fn cross[cross_marked_amp: mark::Cross](self, other: $name) -> $name {
                    $name {
                        x: self.y * other.z - self.z * other.y,
                        y: self.z * other.x - self.x * other.z,
                        z: self.x * other.y - self.y * other.x,
                    }
                }
            }
        }
    )*};
}

crosses!(Float3 Double3);

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{Op, RustBuiltin, marks};

    marks! {
        /// `dot`
        Dot => RustBuiltin::Op(Op::Dot);
        /// `length`
        Length => RustBuiltin::Op(Op::Length);
        /// `distance`
        Distance => RustBuiltin::Op(Op::Distance);
        /// `normalize`
        Normalize => RustBuiltin::Op(Op::Normalize);
        /// `cross`
        Cross => RustBuiltin::Op(Op::Cross);
    }
}
