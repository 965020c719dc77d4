//! The feature `approx`: short vectors of floats are compared within a tolerance, component by component.

use std::fmt::Debug;

use approx::{
    AbsDiffEq, RelativeEq, UlpsEq, abs_diff_eq, abs_diff_ne, assert_abs_diff_eq, assert_abs_diff_ne,
    assert_relative_eq, assert_relative_ne, assert_ulps_eq, assert_ulps_ne, relative_eq, relative_ne, ulps_eq, ulps_ne,
};
use tilewise::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use tilewise::vector::{Double2, Double3, Double4, Float2, Float3, Float4};

/// A vector of `$base`, with another value in one component.
macro_rules! with_component {
    ($vector:ident, $t:ident, $n:literal, $base:expr, $at:expr, $value:expr) => {{
        let mut components: [$t; $n] = [$base; $n];
        components[$at] = $value;
        $vector::from(components)
    }};
}

macro_rules! each_width {
    ($($name:ident: $vector:ident $t:ident $n:literal;)*) => {$(
        #[test]
        fn $name() {
            let zero = $vector::ZERO;
            assert_abs_diff_eq!(zero, zero);
            assert_relative_eq!(zero, -zero);
            assert_ulps_eq!(zero, -zero);
            assert_eq!($vector::default_epsilon(), <$t>::EPSILON);
            assert_eq!($vector::default_max_relative(), <$t>::EPSILON);
            assert_eq!($vector::default_max_ulps(), <$t as UlpsEq>::default_max_ulps());
            // One component that differs decides, whichever it is.
            for at in 0..$n {
                let make = |value: $t| with_component!($vector, $t, $n, 100.0, at, value);
                let (exact, close, far) = (make(100.0), make(100.5), make(101.5));
                assert_abs_diff_eq!(exact, close, epsilon = 1.0);
                assert_abs_diff_ne!(exact, far, epsilon = 1.0);
                assert_abs_diff_ne!(exact, close);
                assert_relative_eq!(exact, close, epsilon = 0.0, max_relative = 0.01);
                assert_relative_ne!(exact, far, epsilon = 0.0, max_relative = 0.01);
                assert_relative_eq!(exact, far, epsilon = 2.0, max_relative = 0.0);
                assert_relative_ne!(exact, close);
                let next = |steps: u32| make((0..steps).fold(100.0, |x: $t, _| x.next_up()));
                assert_ulps_eq!(exact, next(2), epsilon = 0.0, max_ulps = 2);
                assert_ulps_ne!(exact, next(3), epsilon = 0.0, max_ulps = 2);
                assert_ulps_eq!(exact, close, epsilon = 1.0, max_ulps = 0);
                assert_ulps_eq!(exact, next(4));
                assert_ulps_ne!(exact, next(5));
                assert_relative_eq!(exact, next(1));
                special_values(make(<$t>::NAN), make(<$t>::INFINITY), make(<$t>::NEG_INFINITY), exact, <$t>::MAX);
            }
        }
    )*};
}

/// NaN is close to nothing; infinities are themselves where approx says so of numbers.
fn special_values<V, E: Copy>(nan: V, infinite: V, negative: V, finite: V, most: E)
where
    V: AbsDiffEq<Epsilon = E> + RelativeEq + UlpsEq + Copy + Debug,
{
    for other in [nan, infinite, negative, finite] {
        assert!(abs_diff_ne!(nan, other, epsilon = most), "{other:?}");
        assert!(relative_ne!(nan, other, epsilon = most, max_relative = most), "{other:?}");
        assert!(ulps_ne!(nan, other, epsilon = most, max_ulps = 1000), "{other:?}");
    }
    for other in [negative, finite] {
        assert!(abs_diff_ne!(infinite, other, epsilon = most), "{other:?}");
        assert!(relative_ne!(infinite, other, epsilon = most, max_relative = most), "{other:?}");
        assert!(ulps_ne!(infinite, other, epsilon = most, max_ulps = 1000), "{other:?}");
    }
    for same in [infinite, negative] {
        assert!(relative_eq!(same, same) && ulps_eq!(same, same), "{same:?}");
        // The difference of two infinities is a NaN.
        assert!(!abs_diff_eq!(same, same, epsilon = most), "{same:?}");
    }
}

each_width! {
    float2_is_compared_within_a_tolerance: Float2 f32 2;
    float3_is_compared_within_a_tolerance: Float3 f32 3;
    float4_is_compared_within_a_tolerance: Float4 f32 4;
    double2_is_compared_within_a_tolerance: Double2 f64 2;
    double3_is_compared_within_a_tolerance: Double3 f64 3;
    double4_is_compared_within_a_tolerance: Double4 f64 4;
}

/// Two values and one between them, closer to the first.
macro_rules! norms_are_compared {
    ($($t:ident $base:expr, $near:expr, $far:expr;)*) => {$(
        let (base, near, far): ($t, $t, $t) = ($base, $near, $far);
        assert_abs_diff_eq!(base, near, epsilon = 0.01);
        assert_abs_diff_ne!(base, far, epsilon = 0.01);
        assert_relative_eq!(base, near, max_relative = 0.02);
        assert_relative_ne!(base, far, max_relative = 0.02);
        assert_ulps_eq!(base, base);
        assert_ulps_ne!(base, near);
        assert_eq!((<$t>::default_epsilon(), <$t>::default_max_relative()), (f32::EPSILON, f32::EPSILON));
        assert_eq!(<$t>::default_max_ulps(), <f32 as UlpsEq>::default_max_ulps());
    )*};
}

#[test]
fn norms_are_compared_as_floats() {
    let (norm, unorm) = (Norm::new, Unorm::new);
    norms_are_compared! {
        Norm norm(0.5), norm(0.505), norm(-0.5);
        Unorm unorm(0.5), unorm(0.505), unorm(0.6);
        Norm2 Norm2::splat(norm(0.5)), Norm2::new(norm(0.5), norm(0.505)), Norm2::new(norm(0.5), norm(-0.5));
        Norm3 Norm3::splat(norm(0.5)), Norm3::splat(norm(0.505)), Norm3::splat(norm(0.5)) * norm(0.9);
        Norm4 Norm4::splat(norm(-0.5)), Norm4::splat(norm(-0.505)), Norm4::ZERO;
        Unorm2 Unorm2::splat(unorm(0.5)), Unorm2::splat(unorm(0.505)), Unorm2::ONE;
        Unorm3 Unorm3::splat(unorm(0.5)), Unorm3::splat(unorm(0.505)), Unorm3::ONE;
        Unorm4 Unorm4::splat(unorm(0.5)), Unorm4::splat(unorm(0.505)), Unorm4::ONE;
    }
}

#[test]
#[should_panic(expected = "assert_abs_diff_eq!(Float2::ZERO, Float2::ONE, epsilon = 0.5)")]
fn a_failed_assertion_shows_both_vectors() {
    assert_abs_diff_eq!(Float2::ZERO, Float2::ONE, epsilon = 0.5);
}
