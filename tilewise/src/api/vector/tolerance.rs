//! Comparisons within a tolerance, by the traits of the crate `approx`: the feature `approx`.
//!
//! Two vectors are close if each pair of components is close, as for arrays of numbers. So a NaN is
//! close to nothing, and an infinity is close to itself by [`RelativeEq`] and [`UlpsEq`] only:
//! [`AbsDiffEq`] takes the difference, which is a NaN. One tolerance applies to all components.

use approx::{AbsDiffEq, RelativeEq, UlpsEq};

use super::{Double2, Double3, Double4, Float2, Float3, Float4};

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
