//! Rows of packed words and of conversions.

use super::super::builtin::WordKind::{Int, Uint};
use super::super::builtin::{AccuracyPromise, AllowedResults, DeviceBuiltin, ExactResults, WordKind, Words};
use super::super::range::{FloatRange, FloatWidth, SingleFormat};
use super::words::{CORRECT, FOUR, ONE, TWO, allow, allowed, one, rounded};

/// An argument as a float.
fn f(words: Words<'_>, at: usize) -> f32 {
    f32::from_bits(words.get(at).copied().unwrap_or(0))
}

/// As a float in `f64`.
fn d(words: Words<'_>, at: usize) -> f64 {
    f64::from(f(words, at))
}

/// A component as an integer of that many bits: the result may be that of `0.5 + scale * x`, rounded at each
/// step, or of the nearest integer.
fn packed(x: f32, scale: f32, least: f64) -> FloatRange {
    let scaled = FloatRange::of(x).clamp(least, 1.0) * FloatRange::of(scale);
    let half = FloatRange::of(0.5);
    (scaled + half).floor().or((scaled - half).ceil())
}

fn pack_all(w: Words<'_>, scale: f32, least: f64) -> AllowedResults {
    allowed(std::array::from_fn(|i| packed(f(w, i), scale, least)))
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
    allowed(exact.map(|x| FloatRange::<SingleFormat>::units(x, 3.0)))
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
        width: FloatWidth::Single,
        arguments,
        results,
        usual: (-1.5, 1.5),
        exact,
        wgsl: promise,
        vulkan: promise,
    }
}

/// Words of packed numbers.
pub(super) fn packing() -> Vec<DeviceBuiltin> {
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
            correct(|w| allowed([half_range(f(w, 0)), half_range(f(w, 1)), FloatRange::ANY, FloatRange::ANY])),
        ),
        of_words(
            "quantizeToF16(x)",
            "let r0 = quantizeToF16(x);",
            (ONE, ONE),
            |w| one(half(f(w, 0))),
            correct(|w| allowed(allow(half_range(f(w, 0))))),
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
                    let x = FloatRange::<SingleFormat>::exactly(halves(word));
                    // A subnormal `f16` may be zero.
                    if halves(word).abs() < 2_f64.powi(-14) { x.or(FloatRange::exactly(0.0)) } else { x }
                };
                allowed([range(w[0]), range(w[0] >> 16), FloatRange::ANY, FloatRange::ANY])
            }),
        ),
    ]
}

fn halves(word: u32) -> f64 {
    f64::from(half::f16::from_bits(word as u16))
}

/// Conversions between numbers.
pub(super) fn conversions() -> Vec<DeviceBuiltin> {
    let promise = |allowed| AccuracyPromise { rule: CORRECT, allowed: Some(allowed) };
    let truncated =
        |allowed| AccuracyPromise { rule: "correctly rounded, for x within the type", allowed: Some(allowed) };
    vec![
        of_words(
            "f32(i32)",
            "let r0 = f32(x);",
            (&[Int], ONE),
            |w| one(f64::from(w[0] as i32)),
            promise(|w| allowed(rounded::<SingleFormat>(one(f64::from(w[0] as i32))))),
        ),
        of_words(
            "f32(u32)",
            "let r0 = f32(x);",
            (&[Uint], ONE),
            |w| one(f64::from(w[0])),
            promise(|w| allowed(rounded::<SingleFormat>(one(f64::from(w[0]))))),
        ),
        DeviceBuiltin {
            vulkan: truncated(|w| allowed(allow(within(d(w, 0), LEAST_INT, 2_147_483_648.0)))),
            ..of_words(
                "i32(f32)",
                "let r0 = i32(x);",
                (ONE, &[Int]),
                |w| one(d(w, 0).trunc().clamp(LEAST_INT, MOST_INT.0)),
                promise(|w| allowed(allow(nearest_integer(d(w, 0), LEAST_INT, MOST_INT)))),
            )
        },
        DeviceBuiltin {
            vulkan: truncated(|w| allowed(allow(within(d(w, 0), 0.0, 4_294_967_296.0)))),
            ..of_words(
                "u32(f32)",
                "let r0 = u32(x);",
                (ONE, &[Uint]),
                |w| one(d(w, 0).trunc().clamp(0.0, MOST_UINT.0)),
                promise(|w| allowed(allow(nearest_integer(d(w, 0), 0.0, MOST_UINT)))),
            )
        },
    ]
}

/// The least `i32`.
const LEAST_INT: f64 = -2_147_483_648.0;
/// The greatest `i32` that `f32` has too, and the greatest of all.
const MOST_INT: (f64, f64) = (2_147_483_520.0, 2_147_483_647.0);
/// The same of `u32`.
const MOST_UINT: (f64, f64) = (4_294_967_040.0, 4_294_967_295.0);

/// What WGSL has for a conversion: the integer that is nearest to the truncated number, among those that `f32` has
/// too. Drivers from before this rule give the greatest integer of all instead.
fn nearest_integer(x: f64, least: f64, (most, end): (f64, f64)) -> FloatRange {
    if x.is_nan() {
        FloatRange::ANY
    } else if x > most {
        FloatRange::exactly(most).or(FloatRange::exactly(end))
    } else {
        FloatRange::exactly(x.trunc().max(least))
    }
}

/// What Vulkan has: the truncated number, if it is an integer of the type.
fn within(x: f64, least: f64, beyond: f64) -> FloatRange {
    let x = x.trunc();
    if (least..beyond).contains(&x) { FloatRange::exactly(x) } else { FloatRange::ANY }
}
