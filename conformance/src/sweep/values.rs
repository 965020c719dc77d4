//! The operands of the sweep: edge values of each scalar and seeded random ones; their literals.

use tilewise_ir::ops::{Op, OpRow};
use tilewise_ir::types::Scalar;

use super::oracle::arguments::{self, Random, mask, random_tuple};
use crate::fuzz::looks_at_bits;

/// One component of each argument.
pub(super) type Tuple = [u64; 4];

/// The bits of a native float.
fn float(scalar: Scalar, x: f64) -> u64 {
    if scalar == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() }
}

/// Edge values of which all pairs are tried: both zeros, units, ends of the range, infinities, NaN,
/// denormals, halves, powers of two, and neighbours of these.
pub(super) fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 | Scalar::F64 => {
            let hidden = 1u64 << if scalar == Scalar::F32 { 23 } else { 52 };
            let of = |x| float(scalar, x);
            let mut list = vec![0, 1, 2, hidden - 1, hidden, hidden + 1];
            list.extend([0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 127.5, 65520.0, 1e19].map(of));
            list.extend([of(0.5) - 1, of(1.0) - 1, of(1.0) + 1]);
            list.extend([23, 24, 31, 32, 52, 53, 63].map(|power| of(2f64.powi(power))));
            list.extend([of(2f64.powi(23) - 0.5), of(2f64.powi(31)) - 1, of(2f64.powi(63)) - 1]);
            list.extend([of(f64::INFINITY) - 1, of(f64::INFINITY), of(f64::NAN)]);
            let negative: Vec<u64> = list.iter().map(|bits| bits ^ of(-0.0)).collect();
            list.extend(negative);
            list
        }
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            let width = scalar.bits();
            let mut list = vec![0, 1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 63, 64, 127, 255, 32767, 46341, 65535];
            list.extend([16_777_217, 0x5555_5555_5555_5555, 0x0102_0408_1020_4080]);
            list.extend([width / 2, width - 2, width - 1].iter().flat_map(|&p| [(1 << p) - 1, 1 << p]));
            let negative: Vec<u64> = list.iter().map(|x: &u64| x.wrapping_neg()).collect();
            list.extend(negative);
            list.iter_mut().for_each(|bits| *bits &= mask(scalar));
            list.sort_unstable();
            list.dedup();
            list
        }
    }
}

/// The few values that become literals and captured values, the most telling first.
pub(super) fn few(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![1, 0],
        Scalar::F32 | Scalar::F64 => {
            let of = |x| float(scalar, x);
            let list = [0.0, 1.0, -1.0, 0.5, -0.0, 2.0, 3.0, f64::INFINITY, f64::NAN, -2.5, -f64::INFINITY];
            let mut list: Vec<u64> = list.map(of).into();
            list.extend([1, of(f64::INFINITY) - 1, of(1e19)]);
            list
        }
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            let top = 1u64 << (scalar.bits() - 1);
            let list = [0, 1, u64::MAX, 2, top, 8, 7, 31, top - 1, 32, 33, 63, 64, 0x1234_5678_9abc_def1];
            list.map(|bits| bits & mask(scalar)).into()
        }
    }
}

/// Does the row read the bits of a NaN in this argument, which are not specified?
pub(super) fn avoids_nan(op: Op, argument: usize) -> bool {
    looks_at_bits(op, argument)
}

/// Is it a NaN?
pub(super) fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => false,
    }
}

/// May the row be given this value in this argument?
pub(super) fn is_fit(row: &OpRow, argument: usize, scalar: Scalar, bits: u64) -> bool {
    !(avoids_nan(row.op, argument) && is_nan(scalar, bits))
}

/// May the row be given this tuple?
pub(super) fn is_fit_tuple(row: &OpRow, types: &[Scalar], tuple: &Tuple) -> bool {
    types.iter().enumerate().all(|(i, &scalar)| is_fit(row, i, scalar, tuple[i]))
}

/// All combinations of edge values: every value of one argument, all pairs of two, fewer values of
/// more.
pub(super) fn edge_tuples(row: &OpRow, types: &[Scalar]) -> Vec<Tuple> {
    let lists: Vec<Vec<u64>> = types
        .iter()
        .map(|&scalar| match types.len() {
            1 => arguments::edges(scalar),
            2 => edges(scalar),
            3 => few(scalar).into_iter().take(11).collect(),
            _ => few(scalar).into_iter().take(6).collect(),
        })
        .collect();
    let all = combinations(&lists);
    all.into_iter().filter(|tuple| is_fit_tuple(row, types, tuple)).collect()
}

/// One value of each list, in every combination.
pub(super) fn combinations(lists: &[Vec<u64>]) -> Vec<Tuple> {
    let mut tuples = vec![[0; 4]];
    for (i, list) in lists.iter().enumerate() {
        let longer = |tuple: &Tuple| {
            let tuple = *tuple;
            list.iter().map(move |&bits| {
                let mut longer = tuple;
                longer[i] = bits;
                longer
            })
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples
}

/// Random tuples of a seed; in a third of them the arguments are related.
pub(super) fn random_tuples(row: &OpRow, types: &[Scalar], seed: u64, count: usize) -> Vec<Tuple> {
    let mut source = Random(seed);
    let drawn = std::iter::repeat_with(|| random_tuple(types, &mut source));
    drawn.filter(|tuple| is_fit_tuple(row, types, tuple)).take(count).collect()
}

/// A value as a literal of the kernel language.
pub(super) fn literal(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::I32 => (bits as u32 as i32).to_string(),
        Scalar::U32 => format!("{bits}u32"),
        Scalar::I64 => format!("{}i64", bits as i64),
        Scalar::U64 => format!("{bits}u64"),
        Scalar::F32 => match f32::from_bits(bits as u32) {
            x if x.is_nan() => format!("nan(0x{bits:08x})"),
            x => format!("{x:?}"),
        },
        Scalar::F64 => match f64::from_bits(bits) {
            x if x.is_nan() => format!("nan_f64(0x{bits:016x})"),
            x if x.is_infinite() => format!("{x:?}_f64"),
            x => format!("{x:?}f64"),
        },
    }
}

/// A value and its bits, for reports.
pub(super) fn shown(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::F32 => format!("{:?} (0x{bits:08x})", f32::from_bits(bits as u32)),
        Scalar::F64 => format!("{:?} (0x{bits:016x})", f64::from_bits(bits)),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            format!("{} (0x{bits:x})", literal(scalar, bits))
        }
    }
}
