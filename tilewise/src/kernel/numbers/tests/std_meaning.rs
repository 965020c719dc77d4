//! Std's result for each method; none where std panics or leaves the result open.

use tilewise_ir::types::Scalar;

use super::Bare;

/// Std's result over bits, if it has one.
pub(super) type Meaning = fn([u64; 3]) -> Option<Vec<u64>>;

/// The methods of a type `T`, each with its arguments after the receiver `x`.
macro_rules! std_of {
    ($t:ident: $x:ident $($name:ident($($arg:ident: $ty:ty),*) => $result:expr;)*) => {{
        #[allow(dead_code, reason = "not every method names its type")]
        type T = $t;
        vec![$((stringify!($name), (|bits| {
            let mut bits = bits.into_iter();
            let $x: T = Bare::take(&mut bits);
            let _ = $x;
            $(let $arg: $ty = Bare::take(&mut bits);)*
            $result.map(Bare::put)
        }) as Meaning)),*]
    }};
}

/// The methods of all integers.
macro_rules! integer {
    ($t:ident) => {
        std_of! { $t: x
            min(y: T) => Some(Ord::min(x, y));
            max(y: T) => Some(Ord::max(x, y));
            clamp(low: T, high: T) => (low <= high).then(|| Ord::clamp(x, low, high));
            div_euclid(y: T) => x.checked_div_euclid(y);
            rem_euclid(y: T) => x.checked_rem_euclid(y);
            midpoint(y: T) => Some(x.midpoint(y));
            wrapping_div(y: T) => (y != 0).then(|| x.wrapping_div(y));
            wrapping_rem(y: T) => (y != 0).then(|| x.wrapping_rem(y));
            wrapping_div_euclid(y: T) => (y != 0).then(|| x.wrapping_div_euclid(y));
            wrapping_rem_euclid(y: T) => (y != 0).then(|| x.wrapping_rem_euclid(y));
            pow(n: u32) => x.checked_pow(n);
            ilog2() => x.checked_ilog2();
            wrapping_add(y: T) => Some(x.wrapping_add(y));
            wrapping_sub(y: T) => Some(x.wrapping_sub(y));
            wrapping_mul(y: T) => Some(x.wrapping_mul(y));
            wrapping_neg() => Some(x.wrapping_neg());
            wrapping_shl(n: u32) => Some(x.wrapping_shl(n));
            wrapping_shr(n: u32) => Some(x.wrapping_shr(n));
            wrapping_pow(n: u32) => Some(x.wrapping_pow(n));
            saturating_add(y: T) => Some(x.saturating_add(y));
            saturating_sub(y: T) => Some(x.saturating_sub(y));
            saturating_mul(y: T) => Some(x.saturating_mul(y));
            overflowing_add(y: T) => Some(x.overflowing_add(y));
            overflowing_sub(y: T) => Some(x.overflowing_sub(y));
            overflowing_mul(y: T) => Some(x.overflowing_mul(y));
            abs_diff(y: T) => Some(x.abs_diff(y));
            unbounded_shl(n: u32) => Some(x.unbounded_shl(n));
            unbounded_shr(n: u32) => Some(x.unbounded_shr(n));
            rotate_left(n: u32) => Some(x.rotate_left(n));
            rotate_right(n: u32) => Some(x.rotate_right(n));
            count_ones() => Some(x.count_ones());
            count_zeros() => Some(x.count_zeros());
            leading_zeros() => Some(x.leading_zeros());
            trailing_zeros() => Some(x.trailing_zeros());
            leading_ones() => Some(x.leading_ones());
            trailing_ones() => Some(x.trailing_ones());
            swap_bytes() => Some(x.swap_bytes());
            reverse_bits() => Some(x.reverse_bits());
        }
    };
}

macro_rules! signed {
    ($t:ident $unsigned:ident) => {
        std_of! { $t: x
            isqrt() => x.checked_isqrt();
            abs() => x.checked_abs();
            signum() => Some(x.signum());
            unsigned_abs() => Some(x.unsigned_abs());
            wrapping_abs() => Some(x.wrapping_abs());
            saturating_abs() => Some(x.saturating_abs());
            saturating_neg() => Some(x.saturating_neg());
            is_positive() => Some(x.is_positive());
            is_negative() => Some(x.is_negative());
            wrapping_add_unsigned(y: $unsigned) => Some(x.wrapping_add_unsigned(y));
            wrapping_sub_unsigned(y: $unsigned) => Some(x.wrapping_sub_unsigned(y));
            cast_unsigned() => Some(x.cast_unsigned());
        }
    };
}

macro_rules! unsigned {
    ($t:ident $signed:ident) => {
        std_of! { $t: x
            isqrt() => Some(x.isqrt());
            is_power_of_two() => Some(x.is_power_of_two());
            next_power_of_two() => x.checked_next_power_of_two();
            div_ceil(y: T) => (y != 0).then(|| x.div_ceil(y));
            next_multiple_of(y: T) => x.checked_next_multiple_of(y);
            is_multiple_of(y: T) => Some(x.is_multiple_of(y));
            wrapping_add_signed(y: $signed) => Some(x.wrapping_add_signed(y));
            cast_signed() => Some(x.cast_signed());
        }
    };
}

macro_rules! float {
    ($t:ident) => {
        std_of! { $t: x
            // The sign of a zero is open.
            min(y: T) => (x != y || x.to_bits() == y.to_bits()).then(|| x.min(y));
            max(y: T) => (x != y || x.to_bits() == y.to_bits()).then(|| x.max(y));
            clamp(low: T, high: T) => (low <= high).then(|| x.clamp(low, high));
            div_euclid(y: T) => Some(x.div_euclid(y));
            rem_euclid(y: T) => Some(x.rem_euclid(y));
            midpoint(y: T) => Some(x.midpoint(y));
            abs() => Some(x.abs());
            // The rounding is open; with up to two factors there is only one result.
            powi(n: i32) => (0..=2).contains(&n).then(|| x.powi(n));
            signum() => Some(x.signum());
            copysign(y: T) => Some(x.copysign(y));
            mul_add(y: T, z: T) => Some(x.mul_add(y, z));
            sqrt() => Some(x.sqrt());
            floor() => Some(x.floor());
            ceil() => Some(x.ceil());
            trunc() => Some(x.trunc());
            round() => Some(x.round());
            round_ties_even() => Some(x.round_ties_even());
            fract() => Some(x.fract());
            recip() => Some(x.recip());
            to_degrees() => Some(x.to_degrees());
            to_radians() => Some(x.to_radians());
            // Std leaves the last bits open: `precise_math` has the result that is nearest.
            sin() => None::<T>;
            cos() => None::<T>;
            tan() => None::<T>;
            sin_cos() => None::<(T, T)>;
            asin() => None::<T>;
            acos() => None::<T>;
            atan() => None::<T>;
            atan2(_y: T) => None::<T>;
            sinh() => None::<T>;
            cosh() => None::<T>;
            tanh() => None::<T>;
            asinh() => None::<T>;
            acosh() => None::<T>;
            atanh() => None::<T>;
            exp() => None::<T>;
            exp2() => None::<T>;
            exp_m1() => None::<T>;
            ln() => None::<T>;
            log(_y: T) => None::<T>;
            log2() => None::<T>;
            log10() => None::<T>;
            ln_1p() => None::<T>;
            powf(_y: T) => None::<T>;
            cbrt() => None::<T>;
            hypot(_y: T) => None::<T>;
            next_up() => Some(x.next_up());
            next_down() => Some(x.next_down());
            to_bits() => Some(x.to_bits());
            is_nan() => Some(x.is_nan());
            is_infinite() => Some(x.is_infinite());
            is_finite() => Some(x.is_finite());
            is_normal() => Some(x.is_normal());
            is_subnormal() => Some(x.is_subnormal());
            is_sign_negative() => Some(x.is_sign_negative());
            is_sign_positive() => Some(x.is_sign_positive());
        }
    };
}

/// Every method of a scalar.
pub(super) fn of(scalar: Scalar) -> Vec<(&'static str, Meaning)> {
    match scalar {
        Scalar::Bool => Vec::new(),
        Scalar::I32 => [integer!(i32), signed!(i32 u32)].concat(),
        Scalar::U32 => [integer!(u32), unsigned!(u32 i32)].concat(),
        Scalar::I64 => [integer!(i64), signed!(i64 u64)].concat(),
        Scalar::U64 => [integer!(u64), unsigned!(u64 i64)].concat(),
        Scalar::F32 => float!(f32),
        Scalar::F64 => float!(f64),
    }
}
