//! Comparisons within a tolerance, by the traits of the crate `approx`: the feature `approx`.
//!
//! Two vectors are close if each pair of components is close, as for arrays of numbers. So a NaN is
//! close to nothing, and an infinity is close to itself by [`RelativeEq`] and [`UlpsEq`] only:
//! [`AbsDiffEq`] takes the difference, which is a NaN. One tolerance applies to all components.

use approx::{AbsDiffEq, RelativeEq, UlpsEq};

use super::{Double2, Double3, Double4, Float2, Float3, Float4};
use super::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
use crate::api::graphics::{Norm, Unorm};

macro_rules! tolerances {
    ($($name:ident $t:ident $scalar:ident $n:literal $alias:literal ($($c:ident $i:literal),*);)*) => {$(
        impl AbsDiffEq for $name {
            type Epsilon = $t;

            fn default_epsilon() -> $t {
                <$t as AbsDiffEq>::default_epsilon()
            }

            fn abs_diff_eq(&self, other: &Self, epsilon: $t) -> bool {
                $(AbsDiffEq::abs_diff_eq(&self.$c, &other.$c, epsilon))&&*
            }
        }

        impl RelativeEq for $name {
            fn default_max_relative() -> $t {
                <$t as RelativeEq>::default_max_relative()
            }

            fn relative_eq(&self, other: &Self, epsilon: $t, max_relative: $t) -> bool {
                $(RelativeEq::relative_eq(&self.$c, &other.$c, epsilon, max_relative))&&*
            }
        }

        impl UlpsEq for $name {
            fn default_max_ulps() -> u32 {
                <$t as UlpsEq>::default_max_ulps()
            }

            fn ulps_eq(&self, other: &Self, epsilon: $t, max_ulps: u32) -> bool {
                $(UlpsEq::ulps_eq(&self.$c, &other.$c, epsilon, max_ulps))&&*
            }
        }
    )*};
}

vectors!(tolerances: floats);

/// As the numbers that a method gives.
macro_rules! as_floats {
    ($($name:ident $method:ident;)*) => {$(
        impl AbsDiffEq for $name {
            type Epsilon = f32;

            fn default_epsilon() -> f32 {
                f32::default_epsilon()
            }

            fn abs_diff_eq(&self, other: &Self, epsilon: f32) -> bool {
                self.$method().abs_diff_eq(&other.$method(), epsilon)
            }
        }

        impl RelativeEq for $name {
            fn default_max_relative() -> f32 {
                f32::default_max_relative()
            }

            fn relative_eq(&self, other: &Self, epsilon: f32, max_relative: f32) -> bool {
                self.$method().relative_eq(&other.$method(), epsilon, max_relative)
            }
        }

        impl UlpsEq for $name {
            fn default_max_ulps() -> u32 {
                f32::default_max_ulps()
            }

            fn ulps_eq(&self, other: &Self, epsilon: f32, max_ulps: u32) -> bool {
                self.$method().ulps_eq(&other.$method(), epsilon, max_ulps)
            }
        }
    )*};
}

as_floats! {
    Norm get;
    Norm2 as_float;
    Norm3 as_float;
    Norm4 as_float;
    Unorm get;
    Unorm2 as_float;
    Unorm3 as_float;
    Unorm4 as_float;
}
