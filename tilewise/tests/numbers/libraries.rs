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
    let (rest, whole) = (x.fract(), precise_math::trunc(x));
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
fn precise_math_has_the_same_bits_in_kernels_and_on_the_host() {
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
fn fast_math_and_direct3d_have_the_same_bits_in_kernels_and_on_the_host() {
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
