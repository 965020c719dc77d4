//! The vector types, their construction and decomposition, and their kernel types.

use std::{fmt, ops};

use crate::api::graphics::{Norm, Unorm};
use crate::api::shape::{Int, ToArray};
use crate::kernel::capture::captured_by_copy;
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::op::{Equal, OWN};
use crate::kernel::macro_support::{Called, Compares, Data, Form, RustBuiltin, RustType, Scalar};
use crate::kernel::types::{KernelType, KernelValue};

/// A short vector in the kernel language.
pub trait Vector {
    /// Its scalar and width.
    const DATA: Data;
}

/// The scalars of short vectors.
trait VectorComponent {
    const ZERO: Self;
    const ONE: Self;
}

macro_rules! components {
    ($($t:ident: $zero:expr, $one:expr;)*) => {$(
        impl VectorComponent for $t {
            const ZERO: $t = $zero;
            const ONE: $t = $one;
        }
    )*};
}

components! {
    i32: 0, 1;
    u32: 0, 1;
    f32: 0.0, 1.0;
    f64: 0.0, 1.0;
    Norm: Norm::ZERO, Norm::MAX;
    Unorm: Unorm::ZERO, Unorm::MAX;
}

macro_rules! vector_types {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        #[doc = concat!("A vector of ", stringify!($n), " `", stringify!($t), "`; C++ AMP's `", $alias, "`.")]
        #[doc(alias = $alias)]
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        #[repr(C)]
        pub struct $name {
            $(
                #[doc = concat!("Component ", stringify!($i), ".")]
                pub $c: $t,
            )*
        }

        impl $name {
            /// Number of components.
            pub const SIZE: usize = $n;
            /// 0 in every component, also `default()`.
            pub const ZERO: Self = $name { $($c: VectorComponent::ZERO),* };
            /// 1 in every component.
            pub const ONE: Self = $name { $($c: VectorComponent::ONE),* };

            both! {
                /// A vector of these components.
                pub const fn new[new_marked_amp: mark::Compose<$name>]($($c: $t),*) -> Self {
                    $name { $($c),* }
                }

                /// The same number in every component.
                pub const fn splat[splat_marked_amp: mark::Splat<$name>](value: $t) -> Self {
                    $name { $($c: value),* }
                }

                /// The components in order.
                pub const fn to_array[to_array_marked_amp: ToArray](self) -> [$t; $n] {
                    [$(self.$c),*]
                }
            }

            #[doc(hidden)]
            pub fn default_marked_amp() -> Called<Self, crate::kernel::numbers::Default<$name>> {
                Called::new(Self::default())
            }

        }

        impl From<[$t; $n]> for $name {
            fn from([$($c),*]: [$t; $n]) -> Self {
                $name { $($c),* }
            }
        }

        impl From<$name> for [$t; $n] {
            fn from(vector: $name) -> Self {
                vector.to_array()
            }
        }

        impl fmt::Display for $name {
            /// `(1, 2, 3)`
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                show(f, &self.to_array())
            }
        }

        impl<I: Int> ops::Index<I> for $name {
            type Output = $t;

            #[inline]
            #[track_caller]
            fn index(&self, i: I) -> &$t {
                match i.to_i32() {
                    $(Some($i) => &self.$c,)*
                    _ => outside($n),
                }
            }
        }

        impl<I: Int> ops::IndexMut<I> for $name {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, i: I) -> &mut $t {
                match i.to_i32() {
                    $(Some($i) => &mut self.$c,)*
                    _ => outside($n),
                }
            }
        }

        impl Vector for $name {
            const DATA: Data = Data { scalar: Scalar::$scalar, width: $n };
        }

        #[diagnostic::do_not_recommend]
        impl KernelType for $name {
            fn ty() -> RustType {
                RustType::Data(<$name as Vector>::DATA)
            }
        }

        #[diagnostic::do_not_recommend]
        impl KernelValue for $name {
            fn leaves(&self, out: &mut Vec<u64>) {
                $(self.$c.leaves(out);)*
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
    )*};
}

vectors!(vector_types: all);
vectors!(vector_types: norms);

macro_rules! exact {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.to_array().hash(state);
            }
        }
    )*};
}

vectors!(exact: integers);

/// Writes a vector in the format of kernel output.
fn show(f: &mut fmt::Formatter<'_>, components: &[impl fmt::Display]) -> fmt::Result {
    for (i, component) in components.iter().enumerate() {
        f.write_str(if i == 0 { "(" } else { ", " })?;
        component.fmt(f)?;
    }
    f.write_str(")")
}

#[cold]
#[track_caller]
fn outside(width: usize) -> ! {
    panic!("no such component: the vector has {width}, counted from 0");
}

pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, Vector, marks};

    marks! {
        /// `Float3::new`
        Compose<V: Vector> => RustBuiltin::Compose(V::DATA);
        /// `Float3::splat`
        Splat<V: Vector> => RustBuiltin::Splat(V::DATA);
    }
}
