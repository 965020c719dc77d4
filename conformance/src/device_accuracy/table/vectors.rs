//! Rows of functions of vectors and matrices.

use super::super::builtin::WordKind::Float;
use super::super::builtin::{AccuracyPromise, DeviceBuiltin, ExactResults, MOST_RESULTS, WordKind, Words};
use super::super::range::{FloatFormat, FloatRange, least, most, unit};
use super::words::{
    ArgumentRow, FOUR, NOTHING, ONE, ResultRanges, SIX, THREE, TWO, allow, allowed, around, d, one, r, total, vector,
};

fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    total(std::array::from_fn::<f64, N, _>(|i| a[i] * b[i]))
}

/// The results of a sum of products in any order, with products fused or not: each product is rounded, and
/// each sum of them, which is no larger than the sum of their sizes; what is subnormal may be zero.
fn dot_range<F: FloatFormat, const N: usize>(a: [f64; N], b: [f64; N]) -> FloatRange<F> {
    let sizes: f64 = (0..N).map(|i| (a[i] * b[i]).abs()).sum();
    if sizes > most::<F>() || !sizes.is_finite() {
        return FloatRange::ANY;
    }
    let products: f64 = (0..N).map(|i| unit::<F>(a[i] * b[i])).sum();
    // An operand or a product that is subnormal may be zero.
    let is_tiny = |x: f64| x.abs() < least::<F>();
    let flushed: f64 =
        (0..N).filter(|&i| is_tiny(a[i]) || is_tiny(b[i]) || is_tiny(a[i] * b[i])).map(|i| (a[i] * b[i]).abs()).sum();
    let rounded = products + (N - 1) as f64 * unit::<F>(sizes);
    // So may each sum on the way: some order has it if products cancel up to their errors.
    let tiny = least::<F>();
    let partial = |terms: u32| -> f64 { (0..N).filter(|i| terms >> i & 1 == 1).map(|i| a[i] * b[i]).sum() };
    let is_lost = |&terms: &u32| terms.count_ones() > 1 && partial(terms).abs() < tiny + rounded;
    let lost = if (0..1 << N).any(|terms| is_lost(&terms)) { (N - 1) as f64 * tiny } else { 0.0 };
    let error = rounded + flushed + lost;
    FloatRange::near(dot(a, b), error)
}

/// `length`, inherited from `sqrt(dot(x, x))`.
fn length_range<F: FloatFormat, const N: usize>(a: [f64; N]) -> FloatRange<F> {
    if N == 1 { (FloatRange::of(a[0]) * FloatRange::of(a[0])).sqrt() } else { dot_range::<F, _>(a, a).sqrt() }
}

fn length<const N: usize>(a: [f64; N]) -> f64 {
    dot(a, a).sqrt()
}

/// Differences of arguments, each rounded.
fn differences<F: FloatFormat>(w: ArgumentRow<'_, F>) -> [FloatRange<F>; 3] {
    std::array::from_fn(|i| r(w, i) - r(w, 3 + i))
}

fn normalized<F: FloatFormat, const N: usize>(w: ArgumentRow<'_, F>) -> ExactResults {
    let v = vector::<N>(w, 0);
    let size = length(v);
    std::array::from_fn(|i| if i < N { v[i] / size } else { 0.0 })
}

fn normalized_wgsl<F: FloatFormat, const N: usize>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let size = length_range::<F, _>(vector::<N>(w, 0));
    std::array::from_fn(|i| if i < N { r(w, i) / size } else { FloatRange::ANY })
}

/// Vulkan: `x * inversesqrt(dot(x, x))`; many drivers do the same for WGSL.
fn normalized_vulkan<F: FloatFormat, const N: usize>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let v = vector::<N>(w, 0);
    let scale = dot_range::<F, _>(v, v).inverse_sqrt();
    let ranges = std::array::from_fn(|i| if i < N { r(w, i) * scale } else { FloatRange::ANY });
    around(ranges, normalized::<F, N>(w))
}

fn cross<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ExactResults {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let part = |i: usize, j: usize| dot([a[i], -a[j]], [b[j], b[i]]);
    [part(1, 2), part(2, 0), part(0, 1), 0.0]
}

fn cross_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let part = |i: usize, j: usize| dot_range::<F, _>([a[i], -a[j]], [b[j], b[i]]);
    [part(1, 2), part(2, 0), part(0, 1), FloatRange::ANY]
}

fn reflected<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ExactResults {
    let (a, b) = (vector::<3>(w, 0), vector::<3>(w, 3));
    let twice = 2.0 * dot(a, b);
    std::array::from_fn(|i| if i < 3 { a[i] - twice * b[i] } else { 0.0 })
}

fn reflected_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let both = dot_range::<F, _>(vector::<3>(w, 0), vector::<3>(w, 3));
    let two = FloatRange::of(2.0);
    // The products in either order.
    let ranges = |i: usize| (r(w, i) - (two * both) * r(w, 3 + i)).or(r(w, i) - two * (both * r(w, 3 + i)));
    std::array::from_fn(|i| if i < 3 { ranges(i) } else { FloatRange::ANY })
}

fn refracted<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ExactResults {
    let (a, b, eta) = (vector::<3>(w, 0), vector::<3>(w, 3), d(w, 6));
    let both = dot(b, a);
    let k = 1.0 - eta * eta * (1.0 - both * both);
    if k < 0.0 {
        return [0.0; MOST_RESULTS];
    }
    std::array::from_fn(|i| if i < 3 { eta * a[i] - (eta * both + k.sqrt()) * b[i] } else { 0.0 })
}

fn refracted_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> ResultRanges<F> {
    let (one, eta) = (FloatRange::of(1.0), r(w, 6));
    let both = dot_range::<F, _>(vector::<3>(w, 3), vector::<3>(w, 0));
    let k = one - eta * eta * (one - both * both);
    if k.is_any() || k.contains(0.0) {
        return [FloatRange::ANY; MOST_RESULTS];
    }
    if !k.is_positive() {
        return [FloatRange::exactly(0.0); MOST_RESULTS];
    }
    let scale = eta * both + k.sqrt();
    std::array::from_fn(|i| if i < 3 { eta * r(w, i) - scale * r(w, 3 + i) } else { FloatRange::ANY })
}

/// A built-in of vectors: what a shader does, and the rules, which Vulkan reads as inherited.
macro_rules! vector_builtin {
    ($name:literal, $body:literal, $arguments:ident -> $results:ident, $exact:expr, $rule:literal => $wgsl:expr, vulkan $other:literal => $vulkan:expr) => {
        DeviceBuiltin {
            name: $name,
            body: Some($body),
            width: F::WIDTH,
            arguments: $arguments,
            results: $results,
            usual: (-10.0, 10.0),
            exact: |words| {
                let of: fn(ArgumentRow<'_, F>) -> ExactResults = $exact;
                of(ArgumentRow::new(words))
            },
            wgsl: AccuracyPromise {
                rule: $rule,
                allowed: Some(|words| {
                    let of: fn(ArgumentRow<'_, F>) -> ResultRanges<F> = $wgsl;
                    allowed(of(ArgumentRow::new(words)))
                }),
            },
            vulkan: AccuracyPromise {
                rule: $other,
                allowed: Some(|words| {
                    let of: fn(ArgumentRow<'_, F>) -> ResultRanges<F> = $vulkan;
                    allowed(of(ArgumentRow::new(words)))
                }),
            },
        }
    };
}

const EIGHT: &[WordKind] = &[Float; 8];
const SEVEN: &[WordKind] = &[Float; 7];
const NINE: &[WordKind] = &[Float; 9];

/// Functions of vectors and matrices.
pub(super) fn vectors<F: FloatFormat>() -> Vec<DeviceBuiltin> {
    let mut all = vec![
        vector_builtin!("dot of 2", "let r0 = dot(vec2(x, y), vec2(z, a));", FOUR -> ONE,
            |w| one(dot(vector::<2>(w, 0), vector(w, 2))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<2>(w, 0), vector(w, 2))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<2>(w, 0), vector(w, 2)))),
        vector_builtin!("dot of 3", "let r0 = dot(vec3(x, y, z), vec3(a, b, c));", SIX -> ONE,
            |w| one(dot(vector::<3>(w, 0), vector(w, 3))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<3>(w, 0), vector(w, 3))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<3>(w, 0), vector(w, 3)))),
        vector_builtin!("dot of 4", "let r0 = dot(vec4(x, y, z, a), vec4(b, c, d, e));", EIGHT -> ONE,
            |w| one(dot(vector::<4>(w, 0), vector(w, 4))),
            "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<4>(w, 0), vector(w, 4))),
            vulkan "inherited from the sum of x[i] * y[i]" => |w| allow(dot_range::<F, _>(vector::<4>(w, 0), vector(w, 4)))),
        vector_builtin!("length of 2", "let r0 = length(vec2(x, y));", TWO -> ONE,
            |w| one(length(vector::<2>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range::<F, _>(vector::<2>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range::<F, _>(vector::<2>(w, 0))), one(length(vector::<2>(w, 0))))),
        vector_builtin!("length of 3", "let r0 = length(vec3(x, y, z));", THREE -> ONE,
            |w| one(length(vector::<3>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range::<F, _>(vector::<3>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range::<F, _>(vector::<3>(w, 0))), one(length(vector::<3>(w, 0))))),
        vector_builtin!("length of 4", "let r0 = length(vec4(x, y, z, a));", FOUR -> ONE,
            |w| one(length(vector::<4>(w, 0))),
            "inherited from sqrt(dot(x, x))" => |w| allow(length_range::<F, _>(vector::<4>(w, 0))),
            vulkan "inherited from sqrt(dot(x, x))" => |w| around(allow(length_range::<F, _>(vector::<4>(w, 0))), one(length(vector::<4>(w, 0))))),
        vector_builtin!("distance of 3", "let r0 = distance(vec3(x, y, z), vec3(a, b, c));", SIX -> ONE,
            |w| one(distance(w)),
            "inherited from length(x - y)" => |w| allow(distance_range(w)),
            vulkan "inherited from length(x - y)" => |w| around(allow(distance_range(w)), one(distance(w)))),
        vector_builtin!("normalize of 2", "let r = normalize(vec2(x, y)); let r0 = r.x; let r1 = r.y;", TWO -> TWO,
            normalized::<F, 2>, "inherited from x / length(x)" => normalized_wgsl::<F, 2>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<F, 2>),
        vector_builtin!("normalize of 3", "let r = normalize(vec3(x, y, z)); let r0 = r.x; let r1 = r.y; let r2 = r.z;",
            THREE -> THREE, normalized::<F, 3>, "inherited from x / length(x)" => normalized_wgsl::<F, 3>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<F, 3>),
        vector_builtin!("normalize of 4",
            "let r = normalize(vec4(x, y, z, a)); let r0 = r.x; let r1 = r.y; let r2 = r.z; let r3 = r.w;",
            FOUR -> FOUR, normalized::<F, 4>, "inherited from x / length(x)" => normalized_wgsl::<F, 4>,
            vulkan "inherited from x * inversesqrt(dot(x, x))" => normalized_vulkan::<F, 4>),
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
            (|words| {
                let w = ArgumentRow::<F>::new(words);
                one(dot([d(w, 0), -d(w, 2)], [d(w, 3), d(w, 1)]))
            }) as fn(Words<'_>) -> ExactResults,
        ),
        ("determinant of 3", "let r0 = determinant(mat3x3(x, y, z, a, b, c, d, e, f));", NINE, |words| {
            let w = ArgumentRow::<F>::new(words);
            let minor = |i: usize, j: usize| dot([d(w, 3 + i), -d(w, 3 + j)], [d(w, 6 + j), d(w, 6 + i)]);
            one(total([d(w, 0) * minor(1, 2), d(w, 1) * minor(2, 0), d(w, 2) * minor(0, 1)]))
        }),
    ] {
        let usual = (-10.0, 10.0);
        all.push(DeviceBuiltin {
            name,
            body: Some(body),
            width: F::WIDTH,
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

fn distance<F: FloatFormat>(w: ArgumentRow<'_, F>) -> f64 {
    let squares: [f64; 3] = std::array::from_fn(|i| (d(w, i) - d(w, 3 + i)).powi(2));
    total(squares).sqrt()
}

fn distance_range<F: FloatFormat>(w: ArgumentRow<'_, F>) -> FloatRange<F> {
    let [a, b, c] = differences(w);
    (a * a + b * b + c * c).or((b * b + c * c) + a * a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::super::range::SingleFormat;
    use super::*;

    #[test]
    fn sums_that_cancel_to_a_subnormal_number_may_be_zero_on_the_way() {
        let word = |bits: u32| f64::from(f32::from_bits(bits));
        // As the driver of a GPU adds them: the first two products cancel, and their sum is subnormal.
        let a = [0x8100_0000, 0x8080_0000, 0x0080_0000].map(word);
        let b = [0x3f7f_ffff, 0xbf80_0001, 0x4020_0000].map(word);
        assert!(
            dot_range::<SingleFormat, _>(a, b).contains(2.938_736e-38)
                && dot_range::<SingleFormat, _>(a, b).contains(1.763_242e-38)
        );
        assert!(
            !dot_range::<SingleFormat, _>(a, b).contains(7e-38) && !dot_range::<SingleFormat, _>(a, b).contains(-1e-38)
        );
        // Where nothing cancels, nothing is lost.
        assert!(
            !dot_range::<SingleFormat, _>([1.0, 2.0], [3.0, 4.0])
                .contains(11.0_f32.next_up().next_up().next_up().next_up())
        );
        assert!(!dot_range::<SingleFormat, _>([1e-30, 2e-30], [1.0, 1.0]).contains(1e-30));
    }
}
