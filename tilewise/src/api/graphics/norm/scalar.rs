//! The scalars: the types, their range, their conversions, and what an `f32` has of methods.

use std::cmp::Ordering;
use std::fmt;

use super::mark;
use crate::amp;
use crate::kernel::capture::captured_by_copy;
use crate::kernel::companions::both;
use crate::kernel::macro_support::op::{Equal, OWN, Order};
use crate::kernel::macro_support::{Called, Compares, Data, Form, PartialCmpMethod, RustType};
use crate::kernel::orders::ComparedValues;
use crate::kernel::types::{KernelType, KernelValue};

macro_rules! scalars {
    ($($(#[$doc:meta])* $name:ident $least:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
        #[repr(transparent)]
        pub struct $name(f32);

        impl $name {
            /// The least value.
            pub const MIN: Self = $name($least);
            /// The greatest value.
            pub const MAX: Self = $name(1.0);
            /// 0, also `default()`.
            pub const ZERO: Self = $name(0.0);

            both! {
                /// The number.
                pub const fn get[get_marked_amp: mark::SameNumber](self) -> f32 {
                    self.0
                }

                /// A number that is known to be in range, and is not clamped.
                #[doc(hidden)]
                pub const fn within[within_marked_amp: mark::SameNumber](number: f32) -> Self {
                    $name(number)
                }
            }
        }

        #[amp]
        impl $name {
            /// The nearest number in range; the least for NaN.
            pub fn new(number: f32) -> Self {
                $name::within(number.max($least).min(1.0))
            }

            /// The smaller one.
            pub fn min(self, other: Self) -> Self {
                $name::new(self.get().min(other.get()))
            }

            /// The larger one.
            pub fn max(self, other: Self) -> Self {
                $name::new(self.get().max(other.get()))
            }

            /// Clamped to two bounds: `self.max(low).min(high)`, also when `low` is above `high`.
            pub fn clamp(self, low: Self, high: Self) -> Self {
                self.max(low).min(high)
            }

            /// Adds 1: C++ AMP's `++`.
            #[doc(alias = "++")]
            pub fn increment(&mut self) {
                *self = $name::new(self.get() + 1.0);
            }

            /// Subtracts 1: C++ AMP's `--`.
            #[doc(alias = "--")]
            pub fn decrement(&mut self) {
                *self = $name::new(self.get() - 1.0);
            }
        }

        #[amp]
        impl From<f32> for $name {
            /// The nearest number in range, as by `new`.
            fn from(number: f32) -> Self {
                $name::new(number)
            }
        }

        #[amp]
        impl From<f64> for $name {
            /// Converted to `f32` first.
            fn from(number: f64) -> Self {
                $name::new(number as f32)
            }
        }

        #[amp]
        impl From<i32> for $name {
            /// Converted to `f32` first.
            fn from(number: i32) -> Self {
                $name::new(number as f32)
            }
        }

        #[amp]
        impl From<u32> for $name {
            /// Converted to `f32` first.
            fn from(number: u32) -> Self {
                $name::new(number as f32)
            }
        }

        #[amp]
        impl From<$name> for f32 {
            fn from(number: $name) -> f32 {
                number.get()
            }
        }

        #[amp]
        impl From<$name> for f64 {
            fn from(number: $name) -> f64 {
                number.get() as f64
            }
        }


        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            /// The number alone, as kernels write it.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        #[diagnostic::do_not_recommend]
        impl KernelType for $name {
            fn ty() -> RustType {
                RustType::Data(Data::F32)
            }
        }

        #[diagnostic::do_not_recommend]
        impl KernelValue for $name {
            fn leaves(&self, out: &mut Vec<u64>) {
                self.0.leaves(out);
            }

            fn zero() -> Self {
                $name::ZERO
            }
        }

        captured_by_copy!(() $name;);

        #[diagnostic::do_not_recommend]
        impl Compares<Equal> for $name {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl Compares<Order> for $name {
            fn form() -> Form {
                OWN
            }
        }

        impl PartialCmpMethod for $name {
            type Mark = ComparedValues<Option<Ordering>>;

            #[inline(always)]
            fn partial_cmp_marked_amp(&self, other: &$name) -> Called<Option<Ordering>, Self::Mark> {
                Called::new(self.partial_cmp(other))
            }
        }
    )*};
}

scalars! {
    /// A number from -1 to 1: C++ AMP's `norm`.
    #[doc(alias = "norm")]
    Norm -1.0;
    /// A number from 0 to 1: C++ AMP's `unorm`.
    #[doc(alias = "unorm")]
    Unorm 0.0;
}

#[amp]
impl Norm {
    /// The number without its sign.
    pub fn abs(self) -> Norm {
        Norm::new(self.get().abs())
    }

    /// The nearest `Unorm`: 0 for a negative number.
    pub fn as_unorm(self) -> Unorm {
        Unorm::new(self.get())
    }
}

#[amp]
impl Unorm {
    /// The same number.
    pub fn as_norm(self) -> Norm {
        Norm::new(self.get())
    }
}

#[amp]
impl From<Unorm> for Norm {
    fn from(number: Unorm) -> Norm {
        number.as_norm()
    }
}
