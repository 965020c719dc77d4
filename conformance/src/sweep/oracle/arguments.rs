//! The arguments that rows are tried on: lists of edges, and seeded random numbers that like edges.

use std::collections::BTreeSet;

use tilewise_ir::ops::{Op, OpRow, SlotScalar};
use tilewise_ir::types::Scalar;

/// splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    fn pick(&mut self, list: &[u64]) -> u64 {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The bits of a scalar's width.
pub(crate) fn mask(t: Scalar) -> u64 {
    u64::MAX >> (64 - t.bits())
}

/// The bits of a native float in the format `t`.
fn bits(t: Scalar, x: f64) -> u64 {
    if t == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() }
}

/// Every value at which some row changes its mind.
pub(crate) fn edges(t: Scalar) -> Vec<u64> {
    let mut list = BTreeSet::new();
    match t {
        Scalar::Bool => list.extend([0, 1]),
        Scalar::F32 | Scalar::F64 => {
            let (fraction, sign) = if t == Scalar::F32 { (23, 1 << 31) } else { (52, 1 << 63) };
            let inf = bits(t, f64::INFINITY);
            let hidden = 1u64 << fraction;
            // Denormals, the smallest normal, the largest numbers, infinity, and NaNs: quiet, with a payload, signalling.
            list.extend([0, 1, 2, 3, hidden / 2, hidden - 1, hidden, hidden + 1, 2 * hidden]);
            list.extend([inf - 2, inf - 1, inf, inf + hidden / 2, inf + hidden / 2 + 5, inf + 1]);
            let small =
                [0.1, 1.0 / 3.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5, 10.0, 100.0, std::f64::consts::PI];
            let formats = [127.0, 127.5, 128.0, 255.0, 255.5, 32767.0, 65504.0, 65519.0, 65520.0, 65535.0, 65536.0];
            list.extend(small.iter().chain(&formats).map(|&x| bits(t, x)));
            // Powers of two where a format, an integer type or a significand ends, with their neighbours; then the last halves.
            for power in [
                -1074, -1022, -150, -149, -127, -126, -75, -54, -53, -25, -24, -14, -1, 0, 22, 23, 24, 31, 32, 51, 52,
                53, 62, 63, 64, 127, 128, 511,
            ] {
                let x = bits(t, 2f64.powi(power));
                list.extend([x.saturating_sub(1), x, x + 1].into_iter().filter(|&x| x < inf));
            }
            list.extend([22, 23, 51, 52].map(|power| bits(t, 2f64.powi(power) - 0.5)));
            list.extend([22, 51].map(|power| bits(t, 2f64.powi(power) + 0.5)));
            let negative: Vec<u64> = list.iter().map(|x| x | sign).collect();
            list.extend(negative);
        }
        _ => {
            let width = t.bits();
            list.extend([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 31, 32, 33, 63, 64, 65, 100]);
            // Ends of the stored formats, exponents of the float formats, roots of the ends of ranges.
            list.extend([
                126, 127, 128, 129, 149, 150, 255, 256, 1022, 1074, 1075, 2098, 32767, 32768, 46340, 46341, 65535,
                65536, 65537,
            ]);
            list.extend([16_777_215, 16_777_216, 16_777_217, 16_777_219, 0x1234_5678, 3_037_000_499, 3_037_000_500]);
            list.extend([
                (1 << 53) - 1,
                (1 << 53) + 1,
                (1 << 53) + 3,
                0x7fff_ffbf,
                0x7fff_ffc0,
                0x7fff_ffff_ffff_fdff,
                0x7fff_ffff_ffff_fe00,
            ]);
            list.extend([0x5555_5555_5555_5555, 0x1234_5678_9abc_def0, 0x0102_0408_1020_4080]);
            for power in [width / 2, width - 2, width - 1] {
                list.extend([(1 << power) - 1, 1 << power, (1 << power) + 1]);
            }
            let negative: Vec<u64> = list.iter().map(|x: &u64| x.wrapping_neg()).collect();
            list.extend(negative);
            list = list.into_iter().map(|x| x & mask(t)).collect();
        }
    }
    list.into_iter().collect()
}

/// A few edges, for rows with many arguments.
fn few(t: Scalar) -> Vec<u64> {
    match t {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 | Scalar::F64 => {
            let fraction = if t == Scalar::F32 { 23 } else { 52 };
            let one = bits(t, 1.0);
            let mut list = vec![1, (1 << fraction) - 1, 1 << fraction, one + 1, bits(t, f64::INFINITY) - 1];
            list.extend(
                [0.0, -0.0, 0.5, 1.0, -1.0, 3.0, -2.5, 1e19, f64::INFINITY, -f64::INFINITY, f64::NAN]
                    .map(|x| bits(t, x)),
            );
            list.extend([bits(t, -1.0) - 1, bits(t, -f64::INFINITY) - 1, bits(t, -0.0) + 1]);
            list
        }
        _ => {
            let top = 1u64 << (t.bits() - 1);
            let small = [0, 1, 2, 5, 8, 31, 32, 33, 63, 64, 65];
            small
                .into_iter()
                .chain([1u64.wrapping_neg(), top, top - 1, 0x5555_5555_5555_5555])
                .map(|x| x & mask(t))
                .collect()
        }
    }
}

/// One random value.
pub(crate) fn random(t: Scalar, source: &mut Random) -> u64 {
    let choice = source.below(8);
    let uniform = source.next() & mask(t);
    if choice < 2 {
        return uniform;
    }
    if choice == 2 {
        return source.pick(&edges_of(t));
    }
    match t {
        Scalar::Bool => uniform,
        Scalar::F32 | Scalar::F64 => {
            let fraction = if t == Scalar::F32 { 23 } else { 52 };
            let (one, inf, sign) = (bits(t, 1.0), bits(t, f64::INFINITY), 1 << (t.bits() - 1));
            let magnitude = match choice {
                // Exponents near 0, where rounding to integers and cancellation happen.
                3 | 4 => (one - (4 << fraction) + (source.below(8) << fraction)) | uniform & ((1 << fraction) - 1),
                // The whole range of integers, with few bits set.
                5 => {
                    (one + (source.below(66) << fraction))
                        | (source.next() & source.next() & source.next() & ((1 << fraction) - 1))
                }
                // Denormals and the ends of the range.
                6 if uniform & 1 == 0 => (uniform >> 1) & ((1 << (fraction + 1)) - 1),
                6 => inf - 1 - (uniform >> 1) % (4 << fraction),
                // Halves, quarters, and fractions whose denominators are those of the packed formats.
                _ => {
                    let over = [2.0, 4.0, 8.0, 127.0, 255.0, 32767.0, 65535.0][source.below(7) as usize];
                    bits(t, (source.below(1 << 17) as f64 + 0.5) / over) & !sign
                }
            };
            magnitude | uniform & sign
        }
        // A tie of a 24-bit or a 53-bit significand, or next to it.
        _ if choice == 3 && t.bits() == 64 => {
            let below = if uniform & 1 == 0 { 39 } else { 10 };
            let tie = uniform >> below << below | 1 << (below - 1);
            tie.wrapping_add(source.below(3)).wrapping_sub(1) >> source.below(9)
        }
        _ if choice < 6 => {
            (uniform >> source.below(u64::from(t.bits()))).wrapping_mul(1 + (source.below(2) * (u64::MAX - 1)))
                & mask(t)
        }
        _ => source.below(2200).wrapping_sub(1100) & mask(t),
    }
}

fn edges_of(t: Scalar) -> Vec<u64> {
    thread_local! {
        static LISTS: [Vec<u64>; 7] = Scalar::ALL.map(edges);
    }
    LISTS.with(|lists| lists[Scalar::ALL.iter().position(|&s| s == t).unwrap_or(0)].clone())
}

/// The component types of a row's arguments when `T` is `t`.
pub(crate) fn scalars(row: &OpRow, t: Scalar) -> Vec<Scalar> {
    let of = |scalar| match scalar {
        SlotScalar::T => t,
        SlotScalar::Fixed(fixed) => fixed,
    };
    row.args.iter().map(|slot| of(slot.scalar)).collect()
}

/// One component of each argument: all edges of one and two arguments, few of more.
pub(crate) fn edge_tuples(types: &[Scalar]) -> Vec<[u64; 4]> {
    let mut tuples = vec![[0; 4]];
    for (i, &t) in types.iter().enumerate() {
        let list = if types.len() <= 2 { edges(t) } else { few(t) };
        tuples = tuples
            .iter()
            .flat_map(|tuple| {
                list.iter().map(move |&x| {
                    let mut longer = *tuple;
                    longer[i] = x;
                    longer
                })
            })
            .collect();
    }
    tuples
}

/// One random component of each argument; in a third of the tuples the arguments are related.
pub(crate) fn random_tuple(types: &[Scalar], source: &mut Random) -> [u64; 4] {
    let mut tuple = [0; 4];
    for (x, &t) in tuple.iter_mut().zip(types) {
        *x = random(t, source);
    }
    if source.below(3) == 0 {
        relate(types, &mut tuple, source);
    }
    tuple
}

/// Makes the arguments equal, neighbours or opposites, a quotient that ties, or a product that cancels against the third.
fn relate(types: &[Scalar], tuple: &mut [u64; 4], source: &mut Random) {
    let Some(&t) = types.first() else { return };
    let apply = |op: Op, args: [u64; 4]| op.each(t).map_or(0, |meaning| meaning(args));
    match source.below(4) {
        0 if t.is_float() && types[1..].starts_with(&[t]) => {
            let quotient = bits(t, source.below(64) as f64 / 2.0);
            tuple[0] = apply(Op::Mul, [tuple[1], quotient, 0, 0]);
        }
        1 if types == [t; 3] && t.is_float() => {
            let product = apply(Op::Mul, [tuple[0], tuple[1], 0, 0]);
            tuple[2] = apply(Op::Neg, [product, 0, 0, 0]).wrapping_add(source.below(3)).wrapping_sub(1) & mask(t);
        }
        _ => {
            for i in 1..types.len() {
                if types[i] == t {
                    let near = tuple[0].wrapping_add(source.below(5)).wrapping_sub(2) & mask(t);
                    let sign = 1 << (t.bits() - 1);
                    tuple[i] = [tuple[0], near, tuple[0] ^ sign, near ^ sign][source.below(4) as usize];
                }
            }
        }
    }
}
