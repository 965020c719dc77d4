//! C++ AMP's names: which functions are there, and which are missing.

use super::super::{fast_math, precise_math};

/// MTH-2: the functions of `fast_math`.
const FAST: &str = "acos asin atan atan2 ceil cos cosh exp exp2 fabs floor fmax fmin fmod frexp isfinite isinf isnan \
    ldexp log log10 log2 modf pow round rsqrt signbit sin sincos sinh sqrt tan tanh trunc";

/// MTH-3 with `phi` and `probit`: the functions of `precise_math`.
const PRECISE: &str = "acos acosh asin asinh atan atanh atan2 cbrt ceil copysign cos cosh cospi erf erfc erfinv \
    erfcinv exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isinf isnan \
    isnormal ldexp lgamma log log10 log2 log1p logb modf nan nearbyint nextafter phi pow probit rcbrt remainder remquo \
    round rsqrt scalb scalbn signbit sin sincos sinh sinpi sqrt tgamma tan tanh tanpi trunc";

/// Functions without a second name for `f32`.
const ONE_NAME: [&str; 5] = ["fpclassify", "isfinite", "isinf", "isnan", "isnormal"];

/// Functions of `precise_math` that are not written yet.
const MISSING: usize = 0;

/// The names of a list, and those with `f` at the end.
fn both(list: &str) -> Vec<String> {
    let one = |name: &str| {
        let single = (!ONE_NAME.contains(&name)).then(|| format!("{name}f"));
        [Some(name.to_owned()), single].into_iter().flatten().collect::<Vec<_>>()
    };
    list.split_whitespace().flat_map(one).collect()
}

#[test]
fn fast_math_has_the_names_of_cpp_amp() {
    let wanted = both(FAST);
    assert_eq!((FAST.split_whitespace().count(), wanted.len()), (34, 65));
    let missing: Vec<_> = wanted.iter().filter(|name| !fast_math::names().contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn precise_math_has_the_names_of_cpp_amp() {
    let wanted = both(PRECISE);
    assert_eq!(wanted.len(), 131);
    let missing: Vec<_> = wanted.iter().filter(|name| !precise_math::NAMES.contains(&name.as_str())).collect();
    assert_eq!(missing.len(), MISSING, "{missing:?}");
}
