//! The probe's inputs: all triples of edge values, then values that are hard to round, and bits
//! drawn from a seed.

use super::format::Format;

/// The number of triples.
pub(super) const COUNT: usize = 1 << 17;

/// A deterministic stream of bits (splitmix64).
struct BitStream(u64);

impl BitStream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }
}

/// The bit layout of a format.
#[derive(Clone, Copy)]
struct FormatShape {
    fraction: u32,
    bias: u64,
    sign: u64,
}

impl FormatShape {
    fn of<F: Format>() -> FormatShape {
        match F::FRACTION {
            52 => FormatShape { fraction: 52, bias: 1023, sign: 1 << 63 },
            fraction => FormatShape { fraction, bias: 127, sign: 1 << 31 },
        }
    }

    /// 2^power, times 1 plus a fraction.
    fn number(self, power: i64, fraction: u64) -> u64 {
        let field = (self.bias as i64 + power).clamp(0, 2 * self.bias as i64) as u64;
        field << self.fraction | fraction & ((1 << self.fraction) - 1)
    }

    fn infinity(self) -> u64 {
        (2 * self.bias + 1) << self.fraction
    }
}

/// The bits of the edge values of operations.
fn edges(shape: FormatShape) -> Vec<u64> {
    let (f, one) = (i64::from(shape.fraction), shape.number(0, 0));
    let least = 1u64 << shape.fraction;
    let sizes = [
        0,
        1,
        3,
        least - 1,
        least,
        least + 1,
        shape.number(-f - 2, 0),
        shape.number(-1, 0),
        one - 1,
        one,
        one + 1,
        shape.number(0, 1 << (shape.fraction - 1)),
        shape.number(1, 1 << (shape.fraction - 2)),
        shape.number(f - 1, least - 1),
        shape.number(f + 1, 1),
        shape.number(31, 0),
        shape.infinity() - 1,
        shape.infinity(),
        shape.infinity() | 1 << (shape.fraction - 1),
    ];
    sizes.iter().flat_map(|&size| [size, size | shape.sign]).collect()
}

/// Two numbers whose quotient is as near as possible to the midpoint between two floats.
///
/// For an odd b, and m with m b = 1 modulo 2^(p+1), a = (m b - 1) / 2^(p+1) has the quotient m -
/// 1/b, and m is odd.
fn hard_quotient(shape: FormatShape, bits: &mut BitStream) -> [u64; 2] {
    let by = bits.next() & ((1 << shape.fraction) - 1) | 1 << shape.fraction | 1;
    let mut inverse = by;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(by.wrapping_mul(inverse)));
    }
    let modulus = 1u64 << (shape.fraction + 2);
    let m = inverse & (modulus - 1);
    let whole = ((u128::from(m) * u128::from(by)) >> (shape.fraction + 2)) as u64;
    let float = |n: u64| {
        let by = n.leading_zeros() - (63 - shape.fraction);
        shape.number(i64::from(shape.fraction) - i64::from(by), n << by)
    };
    [float(whole.max(1)), float(by)]
}

/// The triples, as bits.
pub(super) fn inputs<F: Format>() -> Vec<[u64; 3]> {
    let shape = FormatShape::of::<F>();
    let edges = edges(shape);
    let count = edges.len();
    let mut bits = BitStream(0x7469_6c65_7769_7365);
    let mask = shape.sign | (shape.sign - 1);
    let triple = |i: usize| {
        if i < count * count * count {
            return [edges[i % count], edges[i / count % count], edges[i / count / count]];
        }
        let [x, y, z] = [0; 3].map(|_: u8| bits.next() & mask);
        let near = |power: i64, bits: &mut BitStream| shape.number(power, bits.next()) | bits.next() & shape.sign;
        let times = |x: u64, y: u64| F::from_raw(x).product(F::from_raw(y)).raw();
        match i % 8 {
            0 => [x, y, z],
            1 => [x, y, times(x, y) ^ shape.sign ^ bits.below(3)],
            2 => {
                let powers = [0; 2].map(|_: u8| bits.below(40) as i64 - 20);
                let [x, y] = powers.map(|power| near(power, &mut bits));
                [x, y, times(x, y) ^ shape.sign ^ bits.below(3)]
            }
            3 => {
                let [x, y] = hard_quotient(shape, &mut bits);
                [x, y, z]
            }
            4 => {
                let y = near(bits.below(60) as i64 - 30, &mut bits);
                [times(y, y).wrapping_add(bits.below(3)).wrapping_sub(1) & mask, y, x]
            }
            5 => [x, x ^ shape.sign ^ bits.below(1 << (shape.fraction + 1)), y],
            6 => {
                let power = bits.below(u64::from(shape.fraction) + 3) as i64 - 1;
                let kept = (power + 1).clamp(0, i64::from(shape.fraction)) as u32;
                let whole = shape.number(power, bits.next() << (shape.fraction - kept));
                [whole | bits.next() & shape.sign, near(0, &mut bits), y]
            }
            _ => {
                let tiny = [0; 2].map(|_: u8| bits.next() & (shape.sign | ((1 << shape.fraction) - 1)));
                [near(bits.below(68) as i64 - 2, &mut bits), tiny[0], tiny[1]]
            }
        }
    };
    (0..COUNT).map(triple).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_hold_what_is_hard() {
        let single = inputs::<f32>();
        let as_floats: Vec<[f32; 3]> = single.iter().map(|t| t.map(|bits| f32::from_bits(bits as u32))).collect();
        assert!(as_floats.iter().filter(|[x, y, _]| x.is_subnormal() && y.is_subnormal()).count() > 100);
        assert!(as_floats.iter().any(|[x, y, _]| x.is_nan() && y.is_infinite()));
        // Quotients whose double lies within 2^-24 of a midpoint, without being one.
        let hard = as_floats.iter().filter(|[x, y, _]| {
            let exact = f64::from(*x) / f64::from(*y);
            let rounded = f64::from(exact as f32);
            let unit = f64::from(f32::from_bits((exact as f32).abs().to_bits() + 1)) - rounded.abs();
            let from_middle = ((exact - rounded).abs() / unit - 0.5).abs();
            exact.is_normal() && from_middle > 0.0 && from_middle < 1e-7
        });
        let hard = hard.count();
        assert!(hard > 4000, "{hard} hard quotients");
        let fused = as_floats.iter().filter(|[x, y, z]| x.fused(*y, *z) != x * y + z).count();
        assert!(fused > 10_000, "{fused} products that are not the same fused");
        let double = inputs::<f64>();
        let fused =
            double.iter().map(|t| t.map(f64::from_bits)).filter(|[x, y, z]| x.fused(*y, *z) != x * y + z).count();
        assert!(fused > 10_000, "{fused} products that are not the same fused");
    }
}
