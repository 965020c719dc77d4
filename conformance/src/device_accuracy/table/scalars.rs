//! Rows of operators and functions of numbers.

use super::super::builtin::WordKind::{Float, Int};
use super::super::builtin::{AccuracyPromise, DeviceBuiltin, ExactResults, MOST_RESULTS};
use super::super::range::{FloatFormat, FloatRange, FloatWidth, is_normal};
use super::words::{
    ArgumentRow, CORRECT, ONE, ResultRanges, THREE, TWO, allow, allowed, d, one, r, rule_of, same, total, usual_of,
};

fn smooth<F: FloatFormat>(w: ArgumentRow<'_, F>) -> f64 {
    let t = ((d(w, 2) - d(w, 0)) / (d(w, 1) - d(w, 0))).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn smooth_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> FloatRange<F> {
    let t = ((r(w, 2) - r(w, 0)) / (r(w, 1) - r(w, 0))).clamp(0.0, 1.0);
    t * t * (FloatRange::of(3.0) - FloatRange::of(2.0) * t)
}

fn mix<F: FloatFormat>(w: ArgumentRow<'_, F>) -> f64 {
    let (a, b, t) = (d(w, 0), d(w, 1), d(w, 2));
    // `1 - t` of an `f32` need not be a `f64`.
    total([a, -(a * t), b * t])
}

/// `x * (1.0 - z) + y * z`, or the same by one product of the difference.
fn mix_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> FloatRange<F> {
    let (a, b, t) = (r(w, 0), r(w, 1), r(w, 2));
    let parts = a * (FloatRange::of(1.0) - t) + b * t;
    parts.or(a + (b - a) * t)
}

fn remainder_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> FloatRange<F> {
    let (x, y) = (r(w, 0), r(w, 1));
    x - y * (x / y).trunc()
}

/// `log(x + sqrt(x * x + c))`.
fn area_range<F: FloatFormat>(x: FloatRange<F>, c: f64) -> FloatRange<F> {
    (x + (x * x + FloatRange::of(c)).sqrt()).log()
}

/// `sqrt(1.0 - x * x)`.
fn other_side<F: FloatFormat>(x: FloatRange<F>) -> FloatRange<F> {
    (FloatRange::of(1.0) - x * x).sqrt()
}

/// An absolute error from -pi to pi.
fn turned<F: FloatFormat>(x: f64, of: fn(f64) -> f64) -> FloatRange<F> {
    if x.abs() <= std::f64::consts::PI { FloatRange::near(of(x), F::SINE_ERROR) } else { FloatRange::ANY }
}

fn sin<F: FloatFormat>(x: f64) -> FloatRange<F> {
    turned(x, core_math::sin)
}

fn cos<F: FloatFormat>(x: f64) -> FloatRange<F> {
    turned(x, core_math::cos)
}

fn hyperbolic<F: FloatFormat>(x: FloatRange<F>, minus: bool) -> FloatRange<F> {
    let (up, down) = (x.exp(), (FloatRange::of(0.0) - x).exp());
    (if minus { up - down } else { up + down }) * FloatRange::of(0.5)
}

/// Rows: the expression, its arguments, the usual range, the exact result, and the rule that WGSL and Vulkan
/// share, or those of each. A rule of Vulkan that is inherited allows the largest error to either side.
macro_rules! builtins {
    ($($name:literal $arguments:ident $from:literal to $to:literal, $exact:expr,
        $rule:literal => $allowed:expr $(, vulkan $other:literal => $vulkan:expr)?;)*) => {
        vec![$(DeviceBuiltin {
            name: $name,
            body: None,
            width: F::WIDTH,
            arguments: $arguments,
            results: ONE,
            usual: usual_of::<F>($name, ($from, $to)),
            exact: |words| {
                let of: fn(ArgumentRow<'_, F>) -> f64 = $exact;
                one(of(ArgumentRow::new(words)))
            },
            wgsl: AccuracyPromise {
                rule: rule_of::<F>($rule),
                allowed: Some(|words| {
                    let of: fn(ArgumentRow<'_, F>) -> FloatRange<F> = $allowed;
                    allowed(allow(of(ArgumentRow::new(words))))
                }),
            },
            vulkan: builtins!(@ vulkan $exact, $rule => $allowed $(, $other => $vulkan)?),
        }),*]
    };
    (@ vulkan $exact:expr, $rule:literal => $allowed:expr) => {
        builtins!(@ vulkan $exact, $rule => $allowed, $rule => $allowed)
    };
    (@ vulkan $exact:expr, $rule:literal => $allowed:expr, $other:literal => $vulkan:expr) => {
        AccuracyPromise {
            rule: rule_of::<F>($other),
            allowed: Some(|words| {
                let of: fn(ArgumentRow<'_, F>) -> FloatRange<F> = $vulkan;
                let exact: fn(ArgumentRow<'_, F>) -> f64 = $exact;
                let row = ArgumentRow::new(words);
                let range = of(row);
                allowed(allow(if $other.starts_with("inherited") { range.around(exact(row)) } else { range }))
            }),
        }
    };
}

/// Operators.
pub(super) fn operators<F: FloatFormat>() -> Vec<DeviceBuiltin> {
    builtins! {
        "x + y" TWO -100.0 to 100.0, |w| d(w, 0) + d(w, 1), "correctly rounded" => |w| r(w, 0) + r(w, 1);
        "x - y" TWO -100.0 to 100.0, |w| d(w, 0) - d(w, 1), "correctly rounded" => |w| r(w, 0) - r(w, 1);
        "x * y" TWO -100.0 to 100.0, |w| d(w, 0) * d(w, 1), "correctly rounded" => |w| r(w, 0) * r(w, 1);
        "x / y" TWO -100.0 to 100.0, |w| d(w, 0) / d(w, 1), "2.5 ulp for |y| in 2^-126 .. 2^126" => |w| r(w, 0) / r(w, 1);
        "1.0 / x" ONE -100.0 to 100.0, |w| 1.0 / d(w, 0), "2.5 ulp for |x| in 2^-126 .. 2^126" => |w| FloatRange::of(1.0) / r(w, 0);
        "x % y" TWO -100.0 to 100.0, |w| d(w, 0) % d(w, 1), "inherited from x - y * trunc(x / y)" => remainder_range;
    }
}

/// Functions whose results are exact, or nearly so.
pub(super) fn simple<F: FloatFormat>() -> Vec<DeviceBuiltin> {
    let mut all = builtins! {
        "abs(x)" ONE -100.0 to 100.0, |w| d(w, 0).abs(), "correctly rounded" => |w| FloatRange::exactly(d(w, 0).abs());
        "sign(x)" ONE -100.0 to 100.0, |w| if d(w, 0) == 0.0 { 0.0 } else { d(w, 0).signum() }, "correctly rounded" => |w| {
            let sign = if d(w, 0) == 0.0 { 0.0 } else { d(w, 0).signum() };
            if is_normal::<F>(d(w, 0)) { FloatRange::exactly(sign) } else { FloatRange::exactly(sign).or(FloatRange::exactly(0.0)) }
        };
        "floor(x)" ONE -100.0 to 100.0, |w| d(w, 0).floor(), "correctly rounded" => |w| r(w, 0).floor();
        "ceil(x)" ONE -100.0 to 100.0, |w| d(w, 0).ceil(), "correctly rounded" => |w| r(w, 0).ceil();
        "trunc(x)" ONE -100.0 to 100.0, |w| d(w, 0).trunc(), "correctly rounded" => |w| r(w, 0).trunc();
        "round(x)" ONE -100.0 to 100.0, |w| d(w, 0).round_ties_even(), "correctly rounded" => |w| FloatRange::exactly(d(w, 0).round_ties_even());
        "fract(x)" ONE -100.0 to 100.0, |w| d(w, 0) - d(w, 0).floor(), "inherited from x - floor(x)" => |w| r(w, 0) - r(w, 0).floor(),
            vulkan "correctly rounded" => |w| r(w, 0) - r(w, 0).floor();
        "min(x, y)" TWO -100.0 to 100.0, |w| d(w, 0).min(d(w, 1)), "correctly rounded" => |w| FloatRange::exactly(d(w, 0).min(d(w, 1)));
        "max(x, y)" TWO -100.0 to 100.0, |w| d(w, 0).max(d(w, 1)), "correctly rounded" => |w| FloatRange::exactly(d(w, 0).max(d(w, 1)));
        "clamp(x, y, z)" THREE -100.0 to 100.0, |w| d(w, 0).max(d(w, 1)).min(d(w, 2)), "correctly rounded" => |w| {
            let by_ends = FloatRange::exactly(d(w, 0).max(d(w, 1)).min(d(w, 2)));
            let mut three = [d(w, 0), d(w, 1), d(w, 2)];
            three.sort_by(f64::total_cmp);
            if d(w, 1) > d(w, 2) { by_ends.or(FloatRange::exactly(three[1])) } else { by_ends }
        };
        "saturate(x)" ONE -2.0 to 2.0, |w| d(w, 0).clamp(0.0, 1.0), "correctly rounded" => |w| r(w, 0).clamp(0.0, 1.0);
        "step(x, y)" TWO -2.0 to 2.0, |w| f64::from(u8::from(d(w, 0) <= d(w, 1))), "correctly rounded" => |w| {
            let normal = is_normal::<F>(d(w, 0)) || is_normal::<F>(d(w, 1));
            let found = FloatRange::exactly(f64::from(u8::from(d(w, 0) <= d(w, 1))));
            // Of two subnormal numbers, each may be zero.
            if normal { found } else { found.or(FloatRange::exactly(0.0)).or(FloatRange::exactly(1.0)) }
        };
    };
    all.push(DeviceBuiltin {
        name: "frexp(x)",
        body: Some("let r = frexp(x); let r0 = r.fract; let r1 = i32(r.exp);"),
        width: F::WIDTH,
        arguments: ONE,
        results: &[Float, Int],
        usual: (-100.0, 100.0),
        exact: |words| split(d(ArgumentRow::<F>::new(words), 0)),
        wgsl: AccuracyPromise {
            rule: "correctly rounded, for zero and normal x",
            allowed: Some(|words| allowed(frexp_range::<F>(ArgumentRow::new(words)))),
        },
        vulkan: AccuracyPromise {
            rule: CORRECT,
            allowed: Some(|words| allowed(frexp_range::<F>(ArgumentRow::new(words)))),
        },
    });
    all.push(DeviceBuiltin {
        name: "modf(x)",
        body: Some("let r = modf(x); let r0 = r.fract; let r1 = r.whole;"),
        width: F::WIDTH,
        arguments: ONE,
        results: TWO,
        usual: (-100.0, 100.0),
        exact: |words| {
            let x = d(ArgumentRow::<F>::new(words), 0);
            [x.fract(), x.trunc(), 0.0, 0.0]
        },
        wgsl: AccuracyPromise {
            rule: CORRECT,
            allowed: Some(|words| allowed(modf_range::<F>(ArgumentRow::new(words)))),
        },
        vulkan: AccuracyPromise {
            rule: CORRECT,
            allowed: Some(|words| allowed(modf_range::<F>(ArgumentRow::new(words)))),
        },
    });
    all.push(DeviceBuiltin {
        name: "ldexp(x, y)",
        body: Some(match F::WIDTH {
            FloatWidth::Single => "let r0 = ldexp(x, clamp(y % 160, -150, 127));",
            FloatWidth::Half => "let r0 = ldexp(x, clamp(y % 30, -25, 15));",
        }),
        width: F::WIDTH,
        arguments: &[Float, Int],
        results: ONE,
        usual: (-100.0, 100.0),
        exact: |words| one(scaled::<F>(ArgumentRow::new(words))),
        wgsl: AccuracyPromise {
            rule: CORRECT,
            allowed: Some(|words| allowed(ldexp_range::<F>(ArgumentRow::new(words)))),
        },
        vulkan: AccuracyPromise {
            rule: CORRECT,
            allowed: Some(|words| allowed(ldexp_range::<F>(ArgumentRow::new(words)))),
        },
    });
    all
}

/// Fraction and exponent.
fn split(x: f64) -> ExactResults {
    if x == 0.0 {
        return [0.0; MOST_RESULTS];
    }
    let exponent = f64::from((x.abs().to_bits() >> 52) as i32 - 1022);
    [x / 2_f64.powi(exponent as i32), exponent, 0.0, 0.0]
}

fn frexp_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let x = d(w, 0);
    if !is_normal::<F>(x) && x != 0.0 {
        return [FloatRange::ANY; MOST_RESULTS];
    }
    same(split(x))
}

fn modf_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    same([d(w, 0).fract(), d(w, 0).trunc(), 0.0, 0.0])
}

fn scaled<F: FloatFormat>(w: ArgumentRow<'_, F>) -> f64 {
    let by = w.words.get(1).map_or(0, |&word| word as i32);
    let by = match F::WIDTH {
        FloatWidth::Single => (by % 160).clamp(-150, 127),
        FloatWidth::Half => (by % 30).clamp(-25, 15),
    };
    d(w, 0) * 2_f64.powi(by)
}

/// Where the result is subnormal, it may be zero, and drivers that scale in two steps may have rounded twice.
fn ldexp_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let exact = scaled(w);
    allow(if is_normal::<F>(d(w, 0)) {
        FloatRange::correct(exact)
    } else {
        FloatRange::correct(exact).or(FloatRange::exactly(0.0))
    })
}

/// Roots, powers, angles and the like.
pub(super) fn functions<F: FloatFormat>() -> Vec<DeviceBuiltin> {
    builtins! {
        "fma(x, y, z)" THREE -100.0 to 100.0, |w| total([d(w, 0) * d(w, 1), d(w, 2)]),
            "inherited from x * y + z" => |w| {
                let fused = FloatRange::correct(total([d(w, 0) * d(w, 1), d(w, 2)]));
                (r(w, 0) * r(w, 1) + r(w, 2)).or(fused)
            };
        "sqrt(x)" ONE 0.0 to 100.0, |w| d(w, 0).sqrt(), "inherited from 1.0 / inverseSqrt(x)" => |w| r(w, 0).sqrt();
        "inverseSqrt(x)" ONE 0.0 to 100.0, |w| 1.0 / d(w, 0).sqrt(), "2 ulp" => |w| r(w, 0).inverse_sqrt();
        "exp(x)" ONE -87.0 to 88.0, |w| core_math::exp(d(w, 0)), "3 + 2 |x| ulp" => |w| r(w, 0).exp();
        "exp2(x)" ONE -126.0 to 127.0, |w| core_math::exp2(d(w, 0)), "3 + 2 |x| ulp" => |w| r(w, 0).exp2();
        "log(x)" ONE 0.0 to 100.0, |w| core_math::log(d(w, 0)), "2^-21 absolute in 0.5 .. 2, 3 ulp elsewhere" => |w| r(w, 0).log();
        "log2(x)" ONE 0.0 to 100.0, |w| core_math::log2(d(w, 0)), "2^-21 absolute in 0.5 .. 2, 3 ulp elsewhere" => |w| r(w, 0).log2();
        "pow(x, y)" TWO 0.0 to 10.0, |w| core_math::pow(d(w, 0), d(w, 1)), "inherited from exp2(y * log2(x))" => |w| (r(w, 1) * r(w, 0).log2()).exp2();
        "sin(x)" ONE -3.1 to 3.1, |w| core_math::sin(d(w, 0)), "2^-11 absolute in -pi .. pi" => |w| sin(d(w, 0));
        "cos(x)" ONE -3.1 to 3.1, |w| core_math::cos(d(w, 0)), "2^-11 absolute in -pi .. pi" => |w| cos(d(w, 0));
        "tan(x)" ONE -3.1 to 3.1, |w| core_math::tan(d(w, 0)), "inherited from sin(x) / cos(x)" => |w| sin(d(w, 0)) / cos(d(w, 0));
        "asin(x)" ONE -1.0 to 1.0, |w| core_math::asin(d(w, 0)), "6.81e-5 absolute, or inherited from atan2(x, sqrt(1.0 - x * x))" => |w| {
            let by_angle = r(w, 0).atan2(other_side(r(w, 0)));
            if d(w, 0).abs() > 1.0 { FloatRange::ANY } else { by_angle.or(FloatRange::near(core_math::asin(d(w, 0)), F::ARC_ERRORS.0)) }
        }, vulkan "inherited from atan2(x, sqrt(1.0 - x * x))" => |w| r(w, 0).atan2(other_side(r(w, 0)));
        "acos(x)" ONE -1.0 to 1.0, |w| core_math::acos(d(w, 0)), "6.77e-5 absolute, or inherited from atan2(sqrt(1.0 - x * x), x)" => |w| {
            let by_angle = other_side(r(w, 0)).atan2(r(w, 0));
            if d(w, 0).abs() > 1.0 { FloatRange::ANY } else { by_angle.or(FloatRange::near(core_math::acos(d(w, 0)), F::ARC_ERRORS.1)) }
        }, vulkan "inherited from atan2(sqrt(1.0 - x * x), x)" => |w| other_side(r(w, 0)).atan2(r(w, 0));
        "atan(x)" ONE -20.0 to 20.0, |w| core_math::atan(d(w, 0)), "4096 ulp" => |w| {
            let exact = core_math::atan(d(w, 0));
            // A subnormal argument may be zero.
            if is_normal::<F>(d(w, 0)) { FloatRange::units(exact, F::ATAN_UNITS) } else { FloatRange::units(exact, F::ATAN_UNITS).or(FloatRange::exactly(0.0)) }
        };
        "atan2(x, y)" TWO -20.0 to 20.0, |w| core_math::atan2(d(w, 0), d(w, 1)), "4096 ulp for |y| in 2^-126 .. 2^126" => |w| r(w, 0).atan2(r(w, 1));
        "sinh(x)" ONE -20.0 to 20.0, |w| core_math::sinh(d(w, 0)), "inherited from (exp(x) - exp(-x)) * 0.5" => |w| hyperbolic(r(w, 0), true);
        "cosh(x)" ONE -20.0 to 20.0, |w| core_math::cosh(d(w, 0)), "inherited from (exp(x) + exp(-x)) * 0.5" => |w| hyperbolic(r(w, 0), false);
        "tanh(x)" ONE -10.0 to 10.0, |w| core_math::tanh(d(w, 0)), "1.0e-5 absolute, or inherited from sinh(x) / cosh(x)" => |w| {
            let quotient = hyperbolic(r(w, 0), true) / hyperbolic(r(w, 0), false);
            quotient.or(FloatRange::near(core_math::tanh(d(w, 0)), 1.0e-5))
        }, vulkan "inherited from sinh(x) / cosh(x)" => |w| hyperbolic(r(w, 0), true) / hyperbolic(r(w, 0), false);
        "asinh(x)" ONE -100.0 to 100.0, |w| core_math::asinh(d(w, 0)), "inherited from log(x + sqrt(x * x + 1.0))" => |w| area_range(r(w, 0), 1.0);
        "acosh(x)" ONE 1.0 to 100.0, |w| core_math::acosh(d(w, 0)), "inherited from log(x + sqrt(x * x - 1.0))" => |w| area_range(r(w, 0), -1.0);
        "atanh(x)" ONE -1.0 to 1.0, |w| core_math::atanh(d(w, 0)), "inherited from log((1.0 + x) / (1.0 - x)) * 0.5" => |w| {
            let one = FloatRange::of(1.0);
            ((one + r(w, 0)) / (one - r(w, 0))).log() * FloatRange::of(0.5)
        };
        "degrees(x)" ONE -7.0 to 7.0, |w| d(w, 0) * (180.0 / std::f64::consts::PI), "inherited from x * 57.29577951" => |w| r(w, 0) * FloatRange::correct(180.0 / std::f64::consts::PI);
        "radians(x)" ONE -360.0 to 360.0, |w| d(w, 0) * (std::f64::consts::PI / 180.0), "inherited from x * 0.01745329252" => |w| r(w, 0) * FloatRange::correct(std::f64::consts::PI / 180.0);
        "mix(x, y, z)" THREE 0.0 to 1.0, mix, "inherited from x * (1.0 - z) + y * z" => mix_range;
        "smoothstep(x, y, z)" THREE -2.0 to 2.0, smooth, "inherited from t * t * (3.0 - 2.0 * t)" => smooth_range;
    }
}
