//! `precise_math`, `fast_math` and `direct3d` as users call them: in kernels on every target, in generic functions,
//! and on the host, with the same bits.

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, FloatMode, Launch, amp};

const TARGETS: [&str; 3] = [Accelerator::NATIVE, Accelerator::REFERENCE, Accelerator::JIT];

fn target(path: &str) -> AcceleratorView {
    Accelerator::new(path).expect("it is everywhere").default_view()
}

/// Arguments of either sign, with fractions, not evenly spaced.
const COUNT: usize = 300;

fn argument(i: i32) -> f64 {
    f64::from(i - 150) * 0.173 + 0.011 * f64::from(i % 7)
}

#[amp]
fn waves(x: f64, y: f32) -> (f64, f32) {
    let (sine, cosine) = precise_math::sincos(x);
    let (single, other) = precise_math::sincosf(y);
    let powers = precise_math::exp(-x.abs()) + precise_math::exp2(x) * precise_math::log1p(x.abs());
    let methods = x.sin() - sine + x.tan() * x.abs().ln() + x.exp_m1() + x.sin_cos().1;
    let singles = precise_math::sinf(y) + precise_math::cosf(y) * precise_math::expf(-y.abs()) + y.exp2() + y.tan();
    (cosine + powers + methods, single + other * singles)
}

#[amp]
fn parts(x: f64) -> (f64, f64, i32) {
    let (fraction, exponent) = precise_math::frexp(x);
    let (rest, whole) = precise_math::modf(x);
    (fraction + rest, whole, exponent + precise_math::ilogb(x))
}

#[amp]
fn share<T: Float>(x: T, of: T) -> T {
    let (sine, cosine) = precise_math::sincos(x);
    precise_math::exp(-x * x) + sine * cosine / (T::from(0.5) + of.abs().ln_1p()) - precise_math::fmax(x, -of).sqrt()
}

#[amp]
fn fast(x: f32) -> f32 {
    let (sine, cosine) = fast_math::sincos(x);
    let (fraction, exponent) = fast_math::frexp(x);
    let (rest, whole) = fast_math::modf(x);
    let angles = fast_math::acos(fraction) + fast_math::asinf(fraction) * fast_math::atan2(x, whole);
    sine * cosine + fast_math::atan(x) + fast_math::sinhf(rest) * fast_math::cosh(rest) + angles + exponent as f32
}

#[amp]
fn shader(x: f32, n: i32) -> f32 {
    let limited = direct3d::clamp(n, -20, 20) + direct3d::imax(n, 3) - direct3d::imin(n, -3) + direct3d::sign(n);
    let bits = direct3d::countbits(n as u32) + direct3d::umax(direct3d::reversebits(n as u32), 7) % 1000;
    let found = direct3d::firstbithigh(n) + direct3d::firstbitlow(n) + direct3d::abs(n);
    let sums = direct3d::msad4(
        0x00ff_4080,
        UInt2::new(n as u32, direct3d::umin(bits, 9)),
        UInt4::new(1, 2, 3, direct3d::mad(bits, 3_u32, 5)),
    );
    let smooth = direct3d::smoothstep(-5.0, 5.0, x) + direct3d::saturate(x) + direct3d::step(0.5, x);
    let rest = direct3d::mad(direct3d::radians(x), 2.5, direct3d::rcp(x)) + direct3d::clamp(x, -1.0, 1.0);
    smooth + rest + direct3d::noise(x) + (limited + found) as f32 + (sums.x + sums.w) as f32
}

#[test]
fn mth_1_and_3_precise_math_has_the_same_bits_in_kernels_and_on_the_host() {
    for path in TARGETS {
        let (wide, narrow) =
            (ArrayView::<f64, 1>::without_source(COUNT).unwrap(), ArrayView::<f32, 1>::without_source(COUNT).unwrap());
        parallel_for_each!(&target(path), wide.extent(), |i| {
            let x = f64::from(i[0] - 150) * 0.173 + 0.011 * f64::from(i[0] % 7);
            let (a, b) = waves(x, x as f32);
            let (c, d, e) = parts(x);
            wide[i] = a + c * d + f64::from(e);
            narrow[i] = b;
        })
        .unwrap();
        for (i, (a, b)) in wide.to_vec().unwrap().into_iter().zip(narrow.to_vec().unwrap()).enumerate() {
            let x = argument(i as i32);
            let (c, d, e) = parts(x);
            let (wide, narrow) = waves(x, x as f32);
            assert_eq!(a.to_bits(), (wide + c * d + f64::from(e)).to_bits(), "{x} on {path}");
            assert_eq!(b.to_bits(), narrow.to_bits(), "{x} on {path}");
        }
    }
}

#[test]
fn generic_functions_reach_precise_math_for_both_floats() {
    for path in TARGETS {
        let (wide, narrow) =
            (ArrayView::<f64, 1>::without_source(COUNT).unwrap(), ArrayView::<f32, 1>::without_source(COUNT).unwrap());
        parallel_for_each!(&target(path), wide.extent(), |i| {
            wide[i] = share(f64::from(i[0]) * 0.1, 3.5);
            narrow[i] = share(i[0] as f32 * 0.1, 3.5);
        })
        .unwrap();
        for (i, (a, b)) in wide.to_vec().unwrap().into_iter().zip(narrow.to_vec().unwrap()).enumerate() {
            assert_eq!(a.to_bits(), share(i as f64 * 0.1, 3.5).to_bits(), "{i} on {path}");
            assert_eq!(b.to_bits(), share(i as f32 * 0.1, 3.5).to_bits(), "{i} on {path}");
        }
    }
}

#[test]
fn mth_2_d3i_1_fast_math_and_direct3d_have_the_same_bits_in_kernels_and_on_the_host() {
    for path in TARGETS {
        let (a, b) =
            (ArrayView::<f32, 1>::without_source(COUNT).unwrap(), ArrayView::<f32, 1>::without_source(COUNT).unwrap());
        parallel_for_each!(&target(path), a.extent(), |i| {
            let x = f64::from(i[0] - 150) * 0.173 + 0.011 * f64::from(i[0] % 7);
            a[i] = fast(x as f32);
            b[i] = shader(x as f32, i[0] * 31 - 4000);
        })
        .unwrap();
        for (i, (a, b)) in a.to_vec().unwrap().into_iter().zip(b.to_vec().unwrap()).enumerate() {
            let (x, n) = (argument(i as i32) as f32, i as i32 * 31 - 4000);
            assert_eq!(a.to_bits(), fast(x).to_bits(), "{x} on {path}");
            assert_eq!(b.to_bits(), shader(x, n).to_bits(), "{x}, {n} on {path}");
        }
    }
}

#[test]
fn a_relaxed_launch_computes_precise_math_as_a_strict_one() {
    let mut results = Vec::new();
    for mode in [FloatMode::Strict, FloatMode::Relaxed] {
        let out = ArrayView::<f64, 1>::without_source(COUNT).unwrap();
        let kernel = tilewise::kernel!(|i: Index<1>| out[i] = precise_math::sin(f64::from(i[0]) * 0.37));
        Launch::new(out.extent()).on(&target(Accelerator::JIT)).float_mode(mode).run(&kernel).unwrap();
        drop(kernel);
        results.push(out.to_vec().unwrap());
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0][7], precise_math::sin(7.0 * 0.37));
}

#[test]
fn mth_4_precise_math_is_at_least_as_exact_as_fast_math() {
    type OfSingle = fn(f32) -> f32;
    type OfDouble = fn(f64) -> f64;
    let functions: [(OfSingle, OfSingle, OfDouble); 8] = [
        (precise_math::sinf, fast_math::sin, precise_math::sin),
        (precise_math::tanf, fast_math::tan, precise_math::tan),
        (precise_math::expf, fast_math::exp, precise_math::exp),
        (precise_math::logf, fast_math::log, precise_math::log),
        (precise_math::atanf, fast_math::atan, precise_math::atan),
        (precise_math::sinhf, fast_math::sinh, precise_math::sinh),
        (precise_math::tanhf, fast_math::tanh, precise_math::tanh),
        (precise_math::rsqrtf, fast_math::rsqrt, precise_math::rsqrt),
    ];
    for (i, (precise, fast, wide)) in functions.into_iter().enumerate() {
        let mut differ = 0;
        for n in 1..2000 {
            let x = n as f32 * 0.0027;
            let exact = wide(x.into());
            let off = |found: f32| (f64::from(found) - exact).abs();
            assert!(off(precise(x)) <= off(fast(x)), "function {i} of {x}");
            differ += i32::from(precise(x) != fast(x));
        }
        assert!(differ > 20, "function {i} is another one");
    }
}

#[test]
fn mth_5_special_values_are_those_of_c99() {
    let inf = f64::INFINITY;
    let same = |found: f64, wanted: f64| found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
    let cases: [(&str, f64, f64); 34] = [
        ("sin(-0)", precise_math::sin(-0.0), -0.0),
        ("sin(inf)", precise_math::sin(inf), f64::NAN),
        ("cos(0)", precise_math::cos(0.0), 1.0),
        ("sin of 1e300", precise_math::sin(1e300), -0.817_881_912_115_908_5),
        ("exp(-inf)", precise_math::exp(-inf), 0.0),
        ("exp2(10)", precise_math::exp2(10.0), 1024.0),
        ("expm1(-0)", precise_math::expm1(-0.0), -0.0),
        ("log(-0)", precise_math::log(-0.0), -inf),
        ("log(-1)", precise_math::log(-1.0), f64::NAN),
        ("log1p(-1)", precise_math::log1p(-1.0), -inf),
        ("log10(1000)", precise_math::log10(1000.0), 3.0),
        ("pow(NaN, 0)", precise_math::pow(f64::NAN, 0.0), 1.0),
        ("pow(-2, 3)", precise_math::pow(-2.0, 3.0), -8.0),
        ("pow(-0, -3)", precise_math::pow(-0.0, -3.0), -inf),
        ("pow(-1, inf)", precise_math::pow(-1.0, inf), 1.0),
        ("atan2(-0, -1)", precise_math::atan2(-0.0, -1.0), -std::f64::consts::PI),
        ("atan2(inf, -inf)", precise_math::atan2(inf, -inf), 3.0 * std::f64::consts::FRAC_PI_4),
        ("hypot(inf, NaN)", precise_math::hypot(-inf, f64::NAN), inf),
        ("acosh(0.5)", precise_math::acosh(0.5), f64::NAN),
        ("atanh(-1)", precise_math::atanh(-1.0), -inf),
        ("cbrt(-27)", precise_math::cbrt(-27.0), -3.0),
        ("fmod(-6, 3)", precise_math::fmod(-6.0, 3.0), -0.0),
        ("remainder(5, 2)", precise_math::remainder(5.0, 2.0), 1.0),
        ("fdim(NaN, 1)", precise_math::fdim(f64::NAN, 1.0), f64::NAN),
        ("copysign(3, -0)", precise_math::copysign(3.0, -0.0), -3.0),
        ("logb of a denormal", precise_math::logb(f64::from_bits(1)), -1074.0),
        ("nextafter(1, 1)", precise_math::nextafter(1.0, 1.0), 1.0),
        ("nearbyint(2.5)", precise_math::nearbyint(2.5), 2.0),
        ("round(-2.5)", precise_math::round(-2.5), -3.0),
        ("tgamma(5)", precise_math::tgamma(5.0), 24.0),
        ("tgamma(-0)", precise_math::tgamma(-0.0), -inf),
        ("erf(-inf)", precise_math::erf(-inf), -1.0),
        ("erfinv(1)", precise_math::erfinv(1.0), inf),
        ("probit(0.5)", precise_math::probit(0.5), 0.0),
    ];
    for (name, found, wanted) in cases {
        assert!(same(found, wanted), "{name} is {found:e}, not {wanted:e}");
    }
    assert_eq!(precise_math::remquo(-29.0, 3.0), (1.0, -2));
    assert_eq!(precise_math::lgamma(-0.5).1, -1);
    assert_eq!(precise_math::frexp(f64::from_bits(1)), (0.5, -1073));
    assert_eq!(precise_math::ilogb(0.0), i32::MIN);
    assert_eq!(precise_math::modf(-2.5), (-0.5, -2.0));
    assert!(precise_math::nan::<f64>(7).is_nan() && precise_math::nanf(7).is_nan());
    let kinds = [f64::NAN, inf, -0.0, f64::from_bits(5), 1.0].map(precise_math::fpclassify);
    let wanted = [
        precise_math::FP_NAN,
        precise_math::FP_INFINITE,
        precise_math::FP_ZERO,
        precise_math::FP_SUBNORMAL,
        precise_math::FP_NORMAL,
    ];
    assert_eq!(kinds, wanted);
}
