//! The table of built-ins: the sections "Floating Point Accuracy" of the WGSL specification and "Precision of
//! Individual Operations" of Vulkan's, an appendix on SPIR-V, as ranges.

use super::builtin::WordKind::{Float, Int, Uint};
use super::builtin::{AccuracyPromise, AllowedResults, DeviceBuiltin, ExactResults, MOST_RESULTS, WordKind, Words};
use super::range::FloatRange;

/// An argument as a float.
fn f(words: Words<'_>, at: usize) -> f32 {
    f32::from_bits(words.get(at).copied().unwrap_or(0))
}

/// As a float in `f64`.
fn d(words: Words<'_>, at: usize) -> f64 {
    f64::from(f(words, at))
}

/// As a range.
fn r(words: Words<'_>, at: usize) -> FloatRange {
    FloatRange::of(f(words, at))
}

/// Arguments as floats in `f64`, from a place on.
fn vector<const N: usize>(words: Words<'_>, from: usize) -> [f64; N] {
    std::array::from_fn(|i| d(words, from + i))
}

fn one(x: f64) -> ExactResults {
    [x, 0.0, 0.0, 0.0]
}

fn allow(range: FloatRange) -> AllowedResults {
    [range, FloatRange::ANY, FloatRange::ANY, FloatRange::ANY]
}

/// The correctly rounded results of exact ones.
fn rounded(exact: ExactResults) -> AllowedResults {
    exact.map(FloatRange::correct)
}

/// Exact results.
fn same(exact: ExactResults) -> AllowedResults {
    exact.map(FloatRange::exactly)
}

/// What Vulkan makes of ranges that an inherited accuracy has.
fn around(ranges: AllowedResults, exact: ExactResults) -> AllowedResults {
    std::array::from_fn(|i| ranges[i].around(exact[i]))
}

/// The sum of numbers, so well that its error is far below that of any sum of `f32`.
fn total<const N: usize>(numbers: [f64; N]) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for number in numbers {
        let next: f64 = sum + number;
        let of_number = next - sum;
        rest += (sum - (next - of_number)) + (number - of_number);
        sum = next;
    }
    sum + rest
}

fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    total(std::array::from_fn::<f64, N, _>(|i| a[i] * b[i]))
}

/// The results of a sum of products in any order, with products fused or not: each product is rounded, and
/// each sum of them, which is no larger than the sum of their sizes.
fn dot_range<const N: usize>(a: [f64; N], b: [f64; N]) -> FloatRange {
    use super::range::unit;
    let sizes: f64 = (0..N).map(|i| (a[i] * b[i]).abs()).sum();
    if sizes > f64::from(f32::MAX) || !sizes.is_finite() {
        return FloatRange::ANY;
    }
    let products: f64 = (0..N).map(|i| unit(a[i] * b[i])).sum();
    // An operand or a product that is subnormal may be zero.
    let is_tiny = |x: f64| x.abs() < f64::from(f32::MIN_POSITIVE);
    let flushed: f64 =
        (0..N).filter(|&i| is_tiny(a[i]) || is_tiny(b[i]) || is_tiny(a[i] * b[i])).map(|i| (a[i] * b[i]).abs()).sum();
    let error = products + (N - 1) as f64 * unit(sizes) + flushed;
    FloatRange::near(dot(a, b), error)
}

/// `length`, inherited from `sqrt(dot(x, x))`.
fn length_range<const N: usize>(a: [f64; N]) -> FloatRange {
    if N == 1 { (FloatRange::of(a[0] as f32) * FloatRange::of(a[0] as f32)).sqrt() } else { dot_range(a, a).sqrt() }
}

fn length<const N: usize>(a: [f64; N]) -> f64 {
    dot(a, a).sqrt()
}

/// Differences of arguments, each rounded.
fn differences(w: Words<'_>) -> [FloatRange; 3] {
    std::array::from_fn(|i| r(w, i) - r(w, 3 + i))
}

fn normalized<const N: usize>(w: Words<'_>) -> ExactResults {
    let v = vector::<N>(w, 0);
    let size = length(v);
    std::array::from_fn(|i| if i < N { v[i] / size } else { 0.0 })
}

fn normalized_wgsl<const N: usize>(w: Words<'_>) -> AllowedResults {
    let size = length_range(vector::<N>(w, 0));
    std::array::from_fn(|i| if i < N { r(w, i) / size } else { FloatRange::ANY })
}

/// Vulkan: `x * inversesqrt(dot(x, x))`; many drivers do the same for WGSL.
fn normalized_vulkan<const N: usize>(w: Words<'_>) -> AllowedResults {
    let v = vector::<N>(w, 0);
    let scale = dot_range(v, v).inverse_sqrt();
    let ranges = std::array::from_fn(|i| if i < N { r(w, i) * scale } else { FloatRange::ANY });
    around(ranges, normalized::<N>(w))
}

fn cross(w: Words<'_>) -> ExactResults {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let part = |i: usize, j: usize| dot([a[i], -a[j]], [b[j], b[i]]);
    [part(1, 2), part(2, 0), part(0, 1), 0.0]
}

fn cross_range(w: Words<'_>) -> AllowedResults {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let part = |i: usize, j: usize| dot_range([a[i], -a[j]], [b[j], b[i]]);
    [part(1, 2), part(2, 0), part(0, 1), FloatRange::ANY]
}

fn reflected(w: Words<'_>) -> ExactResults {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let twice = 2.0 * dot(a, b);
    std::array::from_fn(|i| if i < 3 { a[i] - twice * b[i] } else { 0.0 })
}

fn reflected_range(w: Words<'_>) -> AllowedResults {
    let both = dot_range(vector::<3>(w, 0), vector::<3>(w, 3));
    let two = FloatRange::of(2.0);
    // The products in either order.
    let ranges = |i: usize| (r(w, i) - (two * both) * r(w, 3 + i)).or(r(w, i) - two * (both * r(w, 3 + i)));
    std::array::from_fn(|i| if i < 3 { ranges(i) } else { FloatRange::ANY })
}

fn refracted(w: Words<'_>) -> ExactResults {
    let (a, b, eta) = (vector::<3>(w, 0), vector::<3>(w, 3), d(w, 6));
    let both = dot(b, a);
    let k = 1.0 - eta * eta * (1.0 - both * both);
    if k < 0.0 {
        return [0.0; MOST_RESULTS];
    }
    std::array::from_fn(|i| if i < 3 { eta * a[i] - (eta * both + k.sqrt()) * b[i] } else { 0.0 })
}

fn refracted_range(w: Words<'_>) -> AllowedResults {
    let (one, eta) = (FloatRange::of(1.0), r(w, 6));
    let both = dot_range(vector::<3>(w, 3), vector::<3>(w, 0));
    let k = one - eta * eta * (one - both * both);
    if k.is_any() || k.contains(0.0_f64) {
        return [FloatRange::ANY; MOST_RESULTS];
    }
    if !k.is_positive() {
        return [FloatRange::exactly(0.0); MOST_RESULTS];
    }
    let scale = eta * both + k.sqrt();
    std::array::from_fn(|i| if i < 3 { eta * r(w, i) - scale * r(w, 3 + i) } else { FloatRange::ANY })
}

fn smooth(w: Words<'_>) -> f64 {
    let t = ((d(w, 2) - d(w, 0)) / (d(w, 1) - d(w, 0))).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn smooth_range(w: Words<'_>) -> FloatRange {
    let t = ((r(w, 2) - r(w, 0)) / (r(w, 1) - r(w, 0))).clamp(0.0, 1.0);
    t * t * (FloatRange::of(3.0) - FloatRange::of(2.0) * t)
}

fn mix(w: Words<'_>) -> f64 {
    let (a, b, t) = (d(w, 0), d(w, 1), d(w, 2));
    // `1 - t` of an `f32` need not be a `f64`.
    total([a, -(a * t), b * t])
}

/// `x * (1.0 - z) + y * z`, or the same by one product of the difference.
fn mix_range(w: Words<'_>) -> FloatRange {
    let (a, b, t) = (r(w, 0), r(w, 1), r(w, 2));
    let parts = a * (FloatRange::of(1.0) - t) + b * t;
    parts.or(a + (b - a) * t)
}

fn remainder_range(w: Words<'_>) -> FloatRange {
    let (x, y) = (r(w, 0), r(w, 1));
    x - y * (x / y).trunc()
}

/// `log(x + sqrt(x * x + c))`.
fn area_range(x: FloatRange, c: f32) -> FloatRange {
    (x + (x * x + FloatRange::of(c)).sqrt()).log()
}

/// `sqrt(1.0 - x * x)`.
fn other_side(x: FloatRange) -> FloatRange {
    (FloatRange::of(1.0) - x * x).sqrt()
}

/// An absolute error of 2^-11 from -pi to pi.
fn turned(x: f32, of: fn(f64) -> f64) -> FloatRange {
    let x = f64::from(x);
    if x.abs() <= std::f64::consts::PI { FloatRange::near(of(x), 2_f64.powi(-11)) } else { FloatRange::ANY }
}

fn sin(x: f32) -> FloatRange {
    turned(x, core_math::sin)
}

fn cos(x: f32) -> FloatRange {
    turned(x, core_math::cos)
}

fn hyperbolic(x: FloatRange, minus: bool) -> FloatRange {
    let (up, down) = (x.exp(), (FloatRange::of(0.0) - x).exp());
    (if minus { up - down } else { up + down }) * FloatRange::of(0.5)
}

/// A component as an integer of that many bits: the result may be that of `0.5 + scale * x`, rounded at each
/// step, or of the nearest integer.
fn packed(x: f32, scale: f32, least: f64) -> FloatRange {
    let scaled = FloatRange::of(x).clamp(least, 1.0) * FloatRange::of(scale);
    let half = FloatRange::of(0.5);
    (scaled + half).floor().or((scaled - half).ceil())
}

fn pack_all(w: Words<'_>, scale: f32, least: f64) -> AllowedResults {
    std::array::from_fn(|i| packed(f(w, i), scale, least))
}

fn pack_exact(w: Words<'_>, scale: f64, least: f64) -> ExactResults {
    std::array::from_fn(|i| (0.5 + scale * d(w, i).clamp(least, 1.0)).floor())
}

/// The `f16` on either side of a number.
fn half_range(x: f32) -> FloatRange {
    if !x.is_finite() || x.abs() >= 65_520.0 {
        return FloatRange::ANY;
    }
    let exponent = ((x.to_bits() >> 23 & 0xff) as i32 - 127).max(-14);
    let step = 2_f64.powi(exponent - 10);
    let steps = f64::from(x) / step;
    let range = FloatRange::exactly(steps.floor() * step).or(FloatRange::exactly(steps.ceil() * step));
    // A subnormal `f16` may be zero.
    if x.abs() < 2_f32.powi(-14) { range.or(FloatRange::exactly(0.0)) } else { range }
}

fn half(x: f32) -> f64 {
    f64::from(half::f16::from_f32(x))
}

fn unpacked(word: u32, bits: u32, signed: bool) -> ExactResults {
    let scale = f64::from((1_u32 << (bits - u32::from(signed))) - 1);
    std::array::from_fn(|i| {
        let shift = i as u32 * bits;
        if shift >= 32 {
            return 0.0;
        }
        let part = word >> shift & (u32::MAX >> (32 - bits));
        if signed {
            (f64::from((part << (32 - bits)) as i32 >> (32 - bits)) / scale).max(-1.0)
        } else {
            f64::from(part) / scale
        }
    })
}

fn three_units(exact: ExactResults) -> AllowedResults {
    exact.map(|x| FloatRange::units(x, 3.0))
}

const ONE: &[WordKind] = &[Float];
const TWO: &[WordKind] = &[Float; 2];
const THREE: &[WordKind] = &[Float; 3];
const FOUR: &[WordKind] = &[Float; 4];
const SIX: &[WordKind] = &[Float; 6];

const CORRECT: &str = "correctly rounded";
const NOTHING: AccuracyPromise = AccuracyPromise { rule: "nothing", allowed: None };

/// Rows: the expression, its arguments, the usual range, the exact result, and the rule that WGSL and Vulkan
/// share, or those of each. A rule of Vulkan that is inherited allows the largest error to either side.
macro_rules! builtins {
    ($($name:literal $arguments:ident $from:literal to $to:literal, $exact:expr,
        $rule:literal => $allowed:expr $(, vulkan $other:literal => $vulkan:expr)?;)*) => {
        vec![$(DeviceBuiltin {
            name: $name,
            body: None,
            arguments: $arguments,
            results: ONE,
            usual: ($from, $to),
            exact: { fn exact(w: Words<'_>) -> ExactResults { let of: fn(Words<'_>) -> f64 = $exact; one(of(w)) } exact },
            wgsl: AccuracyPromise {
                rule: $rule,
                allowed: Some({
                    fn allowed(w: Words<'_>) -> AllowedResults {
                        let of: fn(Words<'_>) -> FloatRange = $allowed;
                        allow(of(w))
                    }
                    allowed
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
            rule: $other,
            allowed: Some({
                fn allowed(w: Words<'_>) -> AllowedResults {
                    let of: fn(Words<'_>) -> FloatRange = $vulkan;
                    let exact: fn(Words<'_>) -> f64 = $exact;
                    let range = of(w);
                    allow(if $other.starts_with("inherited") { range.around(exact(w)) } else { range })
                }
                allowed
            }),
        }
    };
}

/// All built-ins that are measured, in the order of the page.
pub fn builtins() -> Vec<DeviceBuiltin> {
    [operators(), simple(), functions(), vectors(), packing(), conversions()].into_iter().flatten().collect()
}

fn operators() -> Vec<DeviceBuiltin> {
    builtins! {
        "x + y" TWO -100.0 to 100.0, |w| d(w, 0) + d(w, 1), "correctly rounded" => |w| r(w, 0) + r(w, 1);
        "x - y" TWO -100.0 to 100.0, |w| d(w, 0) - d(w, 1), "correctly rounded" => |w| r(w, 0) - r(w, 1);
        "x * y" TWO -100.0 to 100.0, |w| d(w, 0) * d(w, 1), "correctly rounded" => |w| r(w, 0) * r(w, 1);
        "x / y" TWO -100.0 to 100.0, |w| d(w, 0) / d(w, 1), "2.5 ulp for |y| in 2^-126 .. 2^126" => |w| r(w, 0) / r(w, 1);
        "1.0 / x" ONE -100.0 to 100.0, |w| 1.0 / d(w, 0), "2.5 ulp for |x| in 2^-126 .. 2^126" => |w| FloatRange::of(1.0) / r(w, 0);
        "x % y" TWO -100.0 to 100.0, |w| d(w, 0) % d(w, 1), "inherited from x - y * trunc(x / y)" => remainder_range;
    }
}

fn simple() -> Vec<DeviceBuiltin> {
    let mut all = builtins! {
        "abs(x)" ONE -100.0 to 100.0, |w| d(w, 0).abs(), "correctly rounded" => |w| FloatRange::exactly(d(w, 0).abs());
        "sign(x)" ONE -100.0 to 100.0, |w| if d(w, 0) == 0.0 { 0.0 } else { d(w, 0).signum() }, "correctly rounded" => |w| {
            let sign = if d(w, 0) == 0.0 { 0.0 } else { d(w, 0).signum() };
            if f(w, 0).is_normal() { FloatRange::exactly(sign) } else { FloatRange::exactly(sign).or(FloatRange::exactly(0.0)) }
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
            let normal = f(w, 0).is_normal() || f(w, 1).is_normal();
            let found = FloatRange::exactly(f64::from(u8::from(d(w, 0) <= d(w, 1))));
            // Of two subnormal numbers, each may be zero.
            if normal { found } else { found.or(FloatRange::exactly(0.0)).or(FloatRange::exactly(1.0)) }
        };
    };
    all.push(DeviceBuiltin {
        name: "frexp(x)",
        body: Some("let r = frexp(x); let r0 = r.fract; let r1 = r.exp;"),
        arguments: ONE,
        results: &[Float, Int],
        usual: (-100.0, 100.0),
        exact: |w| {
            let x = d(w, 0);
            if x == 0.0 {
                return [0.0; MOST_RESULTS];
            }
            let exponent = f64::from((x.abs().to_bits() >> 52) as i32 - 1022);
            [x / 2_f64.powi(exponent as i32), exponent, 0.0, 0.0]
        },
        wgsl: AccuracyPromise { rule: "correctly rounded, for zero and normal x", allowed: Some(frexp_range) },
        vulkan: AccuracyPromise { rule: CORRECT, allowed: Some(frexp_range) },
    });
    all.push(DeviceBuiltin {
        name: "modf(x)",
        body: Some("let r = modf(x); let r0 = r.fract; let r1 = r.whole;"),
        arguments: ONE,
        results: TWO,
        usual: (-100.0, 100.0),
        exact: |w| [d(w, 0).fract(), d(w, 0).trunc(), 0.0, 0.0],
        wgsl: AccuracyPromise { rule: CORRECT, allowed: Some(modf_range) },
        vulkan: AccuracyPromise { rule: CORRECT, allowed: Some(modf_range) },
    });
    all.push(DeviceBuiltin {
        name: "ldexp(x, y)",
        body: Some("let r0 = ldexp(x, clamp(y % 160, -150, 127));"),
        arguments: &[Float, Int],
        results: ONE,
        usual: (-100.0, 100.0),
        exact: |w| one(scaled(w)),
        wgsl: AccuracyPromise { rule: CORRECT, allowed: Some(ldexp_range) },
        vulkan: AccuracyPromise { rule: CORRECT, allowed: Some(ldexp_range) },
    });
    all
}

fn frexp_range(w: Words<'_>) -> AllowedResults {
    let x = f(w, 0);
    if !x.is_normal() && x != 0.0 {
        return [FloatRange::ANY; MOST_RESULTS];
    }
    let exponent = if x == 0.0 { 0.0 } else { f64::from((x.to_bits() >> 23 & 0xff) as i32 - 126) };
    same([f64::from(x) / 2_f64.powi(exponent as i32), exponent, 0.0, 0.0])
}

fn modf_range(w: Words<'_>) -> AllowedResults {
    same([d(w, 0).fract(), d(w, 0).trunc(), 0.0, 0.0])
}

fn scaled(w: Words<'_>) -> f64 {
    let by = (w.get(1).map_or(0, |&word| word as i32) % 160).clamp(-150, 127);
    d(w, 0) * 2_f64.powi(by)
}

/// Where the result is subnormal, it may be zero, and drivers that scale in two steps may have rounded twice.
fn ldexp_range(w: Words<'_>) -> AllowedResults {
    let exact = scaled(w);
    allow(if f(w, 0).is_normal() {
        FloatRange::correct(exact)
    } else {
        FloatRange::correct(exact).or(FloatRange::exactly(0.0))
    })
}

fn functions() -> Vec<DeviceBuiltin> {
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
        "sin(x)" ONE -3.1 to 3.1, |w| core_math::sin(d(w, 0)), "2^-11 absolute in -pi .. pi" => |w| sin(f(w, 0));
        "cos(x)" ONE -3.1 to 3.1, |w| core_math::cos(d(w, 0)), "2^-11 absolute in -pi .. pi" => |w| cos(f(w, 0));
        "tan(x)" ONE -3.1 to 3.1, |w| core_math::tan(d(w, 0)), "inherited from sin(x) / cos(x)" => |w| sin(f(w, 0)) / cos(f(w, 0));
        "asin(x)" ONE -1.0 to 1.0, |w| core_math::asin(d(w, 0)), "6.81e-5 absolute, or inherited from atan2(x, sqrt(1.0 - x * x))" => |w| {
            let by_angle = r(w, 0).atan2(other_side(r(w, 0)));
            if d(w, 0).abs() > 1.0 { FloatRange::ANY } else { by_angle.or(FloatRange::near(core_math::asin(d(w, 0)), 6.81e-5)) }
        }, vulkan "inherited from atan2(x, sqrt(1.0 - x * x))" => |w| r(w, 0).atan2(other_side(r(w, 0)));
        "acos(x)" ONE -1.0 to 1.0, |w| core_math::acos(d(w, 0)), "6.77e-5 absolute, or inherited from atan2(sqrt(1.0 - x * x), x)" => |w| {
            let by_angle = other_side(r(w, 0)).atan2(r(w, 0));
            if d(w, 0).abs() > 1.0 { FloatRange::ANY } else { by_angle.or(FloatRange::near(core_math::acos(d(w, 0)), 6.77e-5)) }
        }, vulkan "inherited from atan2(sqrt(1.0 - x * x), x)" => |w| other_side(r(w, 0)).atan2(r(w, 0));
        "atan(x)" ONE -20.0 to 20.0, |w| core_math::atan(d(w, 0)), "4096 ulp" => |w| {
            let exact = core_math::atan(d(w, 0));
            // A subnormal argument may be zero.
            if f(w, 0).is_normal() { FloatRange::units(exact, 4096.0) } else { FloatRange::units(exact, 4096.0).or(FloatRange::exactly(0.0)) }
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

/// A built-in of vectors: what a shader does, and the rules, which Vulkan reads as inherited.
macro_rules! vector_builtin {
    ($name:literal, $body:literal, $arguments:ident -> $results:ident, $exact:expr, $rule:literal => $wgsl:expr, vulkan $other:literal => $vulkan:expr) => {
        DeviceBuiltin {
            name: $name,
            body: Some($body),
            arguments: $arguments,
            results: $results,
            usual: (-10.0, 10.0),
            exact: $exact,
            wgsl: AccuracyPromise { rule: $rule, allowed: Some($wgsl) },
            vulkan: AccuracyPromise { rule: $other, allowed: Some($vulkan) },
        }
    };
}

const EIGHT: &[WordKind] = &[Float; 8];
const SEVEN: &[WordKind] = &[Float; 7];
const NINE: &[WordKind] = &[Float; 9];

fn vectors() -> Vec<DeviceBuiltin> {
    let mut all = vec![
        vector_builtin!("dot of 2", "let r0 = dot(vec2(x, y), vec2(z, a));", FOUR -> ONE,
            |w| one(dot(vector::<2>(w, 0), vector(w, 2))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<2>(w, 0), vector(w, 2))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<2>(w, 0), vector(w, 2)))),
        vector_builtin!("dot of 3", "let r0 = dot(vec3(x, y, z), vec3(a, b, c));", SIX -> ONE,
            |w| one(dot(vector::<3>(w, 0), vector(w, 3))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<3>(w, 0), vector(w, 3))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<3>(w, 0), vector(w, 3)))),
        vector_builtin!("dot of 4", "let r0 = dot(vec4(x, y, z, a), vec4(b, c, d, e));", EIGHT -> ONE,
            |w| one(dot(vector::<4>(w, 0), vector(w, 4))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<4>(w, 0), vector(w, 4))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range(vector::<4>(w, 0), vector(w, 4)))),
        vector_builtin!("length of 2", "let r0 = length(vec2(x, y));", TWO -> ONE,
            |w| one(length(vector::<2>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range(vector::<2>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range(vector::<2>(w, 0))), one(length(vector::<2>(w, 0))))),
        vector_builtin!("length of 3", "let r0 = length(vec3(x, y, z));", THREE -> ONE,
            |w| one(length(vector::<3>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range(vector::<3>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range(vector::<3>(w, 0))), one(length(vector::<3>(w, 0))))),
        vector_builtin!("length of 4", "let r0 = length(vec4(x, y, z, a));", FOUR -> ONE,
            |w| one(length(vector::<4>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range(vector::<4>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range(vector::<4>(w, 0))), one(length(vector::<4>(w, 0))))),
        vector_builtin!("distance of 3", "let r0 = distance(vec3(x, y, z), vec3(a, b, c));", SIX -> ONE,
            |w| one(distance(w)),
            "inherited from length(x - y)" => |w| allow(distance_range(w)),
            vulkan "inherited from length(x - y)" => |w| around(allow(distance_range(w)), one(distance(w)))),
        vector_builtin!("normalize of 2", "let r = normalize(vec2(x, y)); let r0 = r.x; let r1 = r.y;", TWO -> TWO,
            normalized::<2>, "inherited from x / length(x)" => normalized_wgsl::<2>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<2>),
        vector_builtin!("normalize of 3", "let r = normalize(vec3(x, y, z)); let r0 = r.x; let r1 = r.y; let r2 = r.z;",
            THREE -> THREE, normalized::<3>, "inherited from x / length(x)" => normalized_wgsl::<3>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<3>),
        vector_builtin!("normalize of 4",
            "let r = normalize(vec4(x, y, z, a)); let r0 = r.x; let r1 = r.y; let r2 = r.z; let r3 = r.w;",
            FOUR -> FOUR, normalized::<4>, "inherited from x / length(x)" => normalized_wgsl::<4>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<4>),
        vector_builtin!("cross", "let r = cross(vec3(x, y, z), vec3(a, b, c)); let r0 = r.x; let r1 = r.y; let r2 = r.z;",
            SIX -> THREE, cross, "inherited from x[i] * y[j] - x[j] * y[i]" => cross_range,
            vulkan "inherited from x[i] * y[j] - x[j] * y[i]" => |w| around(cross_range(w), cross(w))),
        vector_builtin!("reflect", "let r = reflect(vec3(x, y, z), vec3(a, b, c)); let r0 = r.x; let r1 = r.y; let r2 = r.z;",
            SIX -> THREE, reflected, "inherited from x - 2.0 * dot(x, y) * y" => reflected_range,
            vulkan "inherited from x - 2.0 * dot(y, x) * y" => |w| around(reflected_range(w), reflected(w))),
        vector_builtin!("refract", "let r = refract(vec3(x, y, z), vec3(a, b, c), d); let r0 = r.x; let r1 = r.y; let r2 = r.z;",
            SEVEN -> THREE, refracted, "inherited from its formula" => refracted_range,
            vulkan "inherited from its formula" => |w| around(refracted_range(w), refracted(w))),
    ];
    // Nothing is promised of determinants; they are measured all the same.
    for (name, body, arguments, exact) in [
        (
            "determinant of 2",
            "let r0 = determinant(mat2x2(x, y, z, a));",
            FOUR,
            (|w| one(dot([d(w, 0), -d(w, 2)], [d(w, 3), d(w, 1)]))) as fn(Words<'_>) -> ExactResults,
        ),
        ("determinant of 3", "let r0 = determinant(mat3x3(x, y, z, a, b, c, d, e, f));", NINE, |w| {
            let minor = |i: usize, j: usize| dot([d(w, 3 + i), -d(w, 3 + j)], [d(w, 6 + j), d(w, 6 + i)]);
            one(total([d(w, 0) * minor(1, 2), d(w, 1) * minor(2, 0), d(w, 2) * minor(0, 1)]))
        }),
    ] {
        let usual = (-10.0, 10.0);
        all.push(DeviceBuiltin {
            name,
            body: Some(body),
            arguments,
            results: ONE,
            usual,
            exact,
            wgsl: NOTHING,
            vulkan: NOTHING,
        });
    }
    all
}

fn distance(w: Words<'_>) -> f64 {
    let squares: [f64; 3] = std::array::from_fn(|i| (d(w, i) - d(w, 3 + i)).powi(2));
    total(squares).sqrt()
}

fn distance_range(w: Words<'_>) -> FloatRange {
    let [a, b, c] = differences(w);
    (a * a + b * b + c * c).or((b * b + c * c) + a * a).sqrt()
}

/// A built-in of packed words.
fn of_words(
    name: &'static str,
    body: &'static str,
    (arguments, results): (&'static [WordKind], &'static [WordKind]),
    exact: fn(Words<'_>) -> ExactResults,
    promise: AccuracyPromise,
) -> DeviceBuiltin {
    DeviceBuiltin {
        name,
        body: Some(body),
        arguments,
        results,
        usual: (-1.5, 1.5),
        exact,
        wgsl: promise,
        vulkan: promise,
    }
}

fn packing() -> Vec<DeviceBuiltin> {
    const INTS: &[WordKind] = &[Int; 4];
    const UINTS: &[WordKind] = &[Uint; 4];
    const WORD: &[WordKind] = &[Uint];
    let pack = |allowed| AccuracyPromise { rule: "the integer of a correctly rounded value", allowed: Some(allowed) };
    let units = |allowed| AccuracyPromise { rule: "3 ulp", allowed: Some(allowed) };
    let correct = |allowed| AccuracyPromise { rule: CORRECT, allowed: Some(allowed) };
    vec![
        of_words(
            "pack4x8snorm",
            "let r = bitcast<i32>(pack4x8snorm(vec4(x, y, z, a))); let r0 = (r << 24u) >> 24u; let r1 = (r << 16u) >> 24u; let r2 = (r << 8u) >> 24u; let r3 = r >> 24u;",
            (FOUR, INTS),
            |w| pack_exact(w, 127.0, -1.0),
            pack(|w| pack_all(w, 127.0, -1.0)),
        ),
        of_words(
            "pack4x8unorm",
            "let r = pack4x8unorm(vec4(x, y, z, a)); let r0 = r & 255u; let r1 = (r >> 8u) & 255u; let r2 = (r >> 16u) & 255u; let r3 = r >> 24u;",
            (FOUR, UINTS),
            |w| pack_exact(w, 255.0, 0.0),
            pack(|w| pack_all(w, 255.0, 0.0)),
        ),
        of_words(
            "pack2x16snorm",
            "let r = bitcast<i32>(pack2x16snorm(vec2(x, y))); let r0 = (r << 16u) >> 16u; let r1 = r >> 16u;",
            (TWO, &INTS[..2]),
            |w| pack_exact(w, 32_767.0, -1.0),
            pack(|w| pack_all(w, 32_767.0, -1.0)),
        ),
        of_words(
            "pack2x16unorm",
            "let r = pack2x16unorm(vec2(x, y)); let r0 = r & 65535u; let r1 = r >> 16u;",
            (TWO, &UINTS[..2]),
            |w| pack_exact(w, 65_535.0, 0.0),
            pack(|w| pack_all(w, 65_535.0, 0.0)),
        ),
        of_words(
            "pack2x16float",
            "let r = pack2x16float(vec2(x, y)); let s = unpack2x16float(r); let r0 = s.x; let r1 = s.y;",
            (TWO, TWO),
            |w| [half(f(w, 0)), half(f(w, 1)), 0.0, 0.0],
            correct(|w| [half_range(f(w, 0)), half_range(f(w, 1)), FloatRange::ANY, FloatRange::ANY]),
        ),
        of_words(
            "quantizeToF16(x)",
            "let r0 = quantizeToF16(x);",
            (ONE, ONE),
            |w| one(half(f(w, 0))),
            correct(|w| allow(half_range(f(w, 0)))),
        ),
        of_words(
            "unpack4x8snorm",
            "let r = unpack4x8snorm(x); let r0 = r.x; let r1 = r.y; let r2 = r.z; let r3 = r.w;",
            (WORD, FOUR),
            |w| unpacked(w[0], 8, true),
            units(|w| three_units(unpacked(w[0], 8, true))),
        ),
        of_words(
            "unpack4x8unorm",
            "let r = unpack4x8unorm(x); let r0 = r.x; let r1 = r.y; let r2 = r.z; let r3 = r.w;",
            (WORD, FOUR),
            |w| unpacked(w[0], 8, false),
            units(|w| three_units(unpacked(w[0], 8, false))),
        ),
        of_words(
            "unpack2x16snorm",
            "let r = unpack2x16snorm(x); let r0 = r.x; let r1 = r.y;",
            (WORD, TWO),
            |w| unpacked(w[0], 16, true),
            units(|w| three_units(unpacked(w[0], 16, true))),
        ),
        of_words(
            "unpack2x16unorm",
            "let r = unpack2x16unorm(x); let r0 = r.x; let r1 = r.y;",
            (WORD, TWO),
            |w| unpacked(w[0], 16, false),
            units(|w| three_units(unpacked(w[0], 16, false))),
        ),
        of_words(
            "unpack2x16float",
            "let r = unpack2x16float(x); let r0 = r.x; let r1 = r.y;",
            (WORD, TWO),
            |w| [halves(w[0]), halves(w[0] >> 16), 0.0, 0.0],
            correct(|w| {
                let range = |word: u32| {
                    let x = FloatRange::exactly(halves(word));
                    // A subnormal `f16` may be zero.
                    if halves(word).abs() < 2_f64.powi(-14) { x.or(FloatRange::exactly(0.0)) } else { x }
                };
                [range(w[0]), range(w[0] >> 16), FloatRange::ANY, FloatRange::ANY]
            }),
        ),
    ]
}

fn halves(word: u32) -> f64 {
    f64::from(half::f16::from_bits(word as u16))
}

fn conversions() -> Vec<DeviceBuiltin> {
    let promise = |allowed| AccuracyPromise { rule: CORRECT, allowed: Some(allowed) };
    vec![
        of_words(
            "f32(i32)",
            "let r0 = f32(x);",
            (&[Int], ONE),
            |w| one(f64::from(w[0] as i32)),
            promise(|w| rounded(one(f64::from(w[0] as i32)))),
        ),
        of_words(
            "f32(u32)",
            "let r0 = f32(x);",
            (&[Uint], ONE),
            |w| one(f64::from(w[0])),
            promise(|w| rounded(one(f64::from(w[0])))),
        ),
        of_words(
            "i32(f32)",
            "let r0 = i32(x);",
            (ONE, &[Int]),
            |w| one(f64::from(d(w, 0) as i32)),
            promise(|w| {
                // The nearest `f32` inside the ends of integers, or the ends themselves.
                let x = d(w, 0);
                allow(if x.is_nan() || x.abs() >= 2_147_483_648.0 {
                    FloatRange::ANY
                } else {
                    FloatRange::exactly(x.trunc())
                })
            }),
        ),
        of_words(
            "u32(f32)",
            "let r0 = u32(x);",
            (ONE, &[Uint]),
            |w| one(f64::from(d(w, 0) as u32)),
            promise(|w| {
                let x = d(w, 0);
                allow(if x.is_nan() || x >= 4_294_967_296.0 {
                    FloatRange::ANY
                } else {
                    FloatRange::exactly(x.trunc().max(0.0))
                })
            }),
        ),
    ]
}
