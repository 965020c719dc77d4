//! The vectors: their numbers, componentwise methods, and conversions from and to all others.

use super::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4, mark};
use crate::amp;
use crate::kernel::companions::both;
use crate::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};

macro_rules! vectors {
    ($($name:ident of $t:ident by $clamp:ident, $float:ident ($($c:ident)*);)*) => {$(
        impl $name {
            both! {
                /// The numbers of the components.
                pub const fn as_float[as_float_marked_amp: mark::SameNumber](self) -> $float {
                    $float { $($c: self.$c.get()),* }
                }

                /// Numbers that are known to be in range, and are not clamped.
                #[doc(hidden)]
                pub const fn within[within_marked_amp: mark::SameNumber](numbers: $float) -> Self {
                    $name { $($c: $t::within(numbers.$c)),* }
                }
            }
        }

        #[amp]
        impl $name {
            /// The smaller of each two components.
            pub fn min(self, other: Self) -> Self {
                self.as_float().min(other.as_float()).$clamp()
            }

            /// The larger of each two components.
            pub fn max(self, other: Self) -> Self {
                self.as_float().max(other.as_float()).$clamp()
            }

            /// Each component clamped to two bounds: `self.max(low).min(high)`, also when `low` is
            /// above `high`.
            pub fn clamp(self, low: Self, high: Self) -> Self {
                self.max(low).min(high)
            }

            /// Adds 1 to each component: C++ AMP's `++`.
            #[doc(alias = "++")]
            pub fn increment(&mut self) {
                *self = (self.as_float() + 1.0).$clamp();
            }

            /// Subtracts 1 from each component: C++ AMP's `--`.
            #[doc(alias = "--")]
            pub fn decrement(&mut self) {
                *self = (self.as_float() - 1.0).$clamp();
            }
        }


        #[amp]
        impl From<$name> for $float {
            fn from(vector: $name) -> $float {
                vector.as_float()
            }
        }
    )*};
}

vectors! {
    Norm2 of Norm by as_norm, Float2 (x y);
    Norm3 of Norm by as_norm, Float3 (x y z);
    Norm4 of Norm by as_norm, Float4 (x y z w);
    Unorm2 of Unorm by as_unorm, Float2 (x y);
    Unorm3 of Unorm by as_unorm, Float3 (x y z);
    Unorm4 of Unorm by as_unorm, Float4 (x y z w);
}

macro_rules! clamped {
    ($($from:ident $norm:ident $unorm:ident;)*) => {$(
        #[amp]
        impl $from {
            /// The nearest number from -1 to 1 of each component; -1 for NaN.
            pub fn as_norm(self) -> $norm {
                $norm::within(self.max($from::splat(-1.0)).min($from::splat(1.0)))
            }

            /// The nearest number from 0 to 1 of each component; 0 for NaN.
            pub fn as_unorm(self) -> $unorm {
                $unorm::within(self.max($from::splat(0.0)).min($from::splat(1.0)))
            }
        }
    )*};
}

clamped! {
    Float2 Norm2 Unorm2;
    Float3 Norm3 Unorm3;
    Float4 Norm4 Unorm4;
}

/// Conversions of vectors by way of floats.
macro_rules! by_floats {
    ($($from:ident: $($to:ident $method:ident),*;)*) => {$(
        #[amp]
        impl $from {$(
            /// As `as_float` and then the conversion of that.
            pub fn $method(self) -> $to {
                self.as_float().$method()
            }
        )*}
    )*};
}

by_floats! {
    Int2: Norm2 as_norm, Unorm2 as_unorm;
    Int3: Norm3 as_norm, Unorm3 as_unorm;
    Int4: Norm4 as_norm, Unorm4 as_unorm;
    UInt2: Norm2 as_norm, Unorm2 as_unorm;
    UInt3: Norm3 as_norm, Unorm3 as_unorm;
    UInt4: Norm4 as_norm, Unorm4 as_unorm;
    Double2: Norm2 as_norm, Unorm2 as_unorm;
    Double3: Norm3 as_norm, Unorm3 as_unorm;
    Double4: Norm4 as_norm, Unorm4 as_unorm;
    Norm2: Int2 as_int, UInt2 as_uint, Double2 as_double, Norm2 as_norm, Unorm2 as_unorm;
    Norm3: Int3 as_int, UInt3 as_uint, Double3 as_double, Norm3 as_norm, Unorm3 as_unorm;
    Norm4: Int4 as_int, UInt4 as_uint, Double4 as_double, Norm4 as_norm, Unorm4 as_unorm;
    Unorm2: Int2 as_int, UInt2 as_uint, Double2 as_double, Norm2 as_norm, Unorm2 as_unorm;
    Unorm3: Int3 as_int, UInt3 as_uint, Double3 as_double, Norm3 as_norm, Unorm3 as_unorm;
    Unorm4: Int4 as_int, UInt4 as_uint, Double4 as_double, Norm4 as_norm, Unorm4 as_unorm;
}

macro_rules! signed {
    ($($norm:ident $unorm:ident;)*) => {$(
        #[amp]
        impl $norm {
            /// The components without their signs.
            pub fn abs(self) -> $norm {
                self.as_float().abs().as_norm()
            }
        }

        #[amp]
        impl From<$unorm> for $norm {
            fn from(vector: $unorm) -> $norm {
                vector.as_norm()
            }
        }
    )*};
}

signed! {
    Norm2 Unorm2;
    Norm3 Unorm3;
    Norm4 Unorm4;
}
