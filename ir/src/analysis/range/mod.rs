//! Ranges: bounds of an integer that hold in every thread and launch. A `bool` counts as a number,
//! 0 or 1.
//!
//! A range describes the result *after* wrapping: an operation whose exact result may leave its
//! type has the whole range of the type ([`apply`]), never a wrapped range. [`wraps`] distinguishes
//! the two cases. Floats have no range.
//!
//! This module has the ranges of constants, built-ins and operations; [`unbounded`] has those of
//! operations without regard to the type's limits. Conditions and loops need control flow, which
//! [`uniformity`](super::uniformity) follows; it applies a condition by [`IntegerRange::meet`]: `if
//! i < n` narrows the ranges of both inside the arm.

mod exact;

pub use exact::unbounded;

use crate::kernel::{Builtin, Const, Kernel};
use crate::ops::{Op, OpFamily, OverflowRule, ShiftOp, SignOp, SlotScalar};
use crate::types::{Scalar, Stored};

/// All integers from `lo` to `hi`, inclusive; `lo <= hi`. Wide enough for `i64` and `u64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerRange {
    /// The lower bound.
    pub lo: i128,
    /// The upper bound.
    pub hi: i128,
}

impl IntegerRange {
    /// A single number.
    pub const fn just(n: i128) -> IntegerRange {
        IntegerRange { lo: n, hi: n }
    }

    /// Both truth values.
    pub const BOOL: IntegerRange = IntegerRange { lo: 0, hi: 1 };

    /// The range of the type; `None` for floats.
    pub const fn of_type(scalar: Scalar) -> Option<IntegerRange> {
        match scalar {
            Scalar::Bool => Some(IntegerRange::BOOL),
            Scalar::I32 => Some(IntegerRange { lo: i32::MIN as i128, hi: i32::MAX as i128 }),
            Scalar::U32 => Some(IntegerRange { lo: 0, hi: u32::MAX as i128 }),
            Scalar::I64 => Some(IntegerRange { lo: i64::MIN as i128, hi: i64::MAX as i128 }),
            Scalar::U64 => Some(IntegerRange { lo: 0, hi: u64::MAX as i128 }),
            Scalar::F32 | Scalar::F64 => None,
        }
    }

    /// The range of a load in this format.
    pub const fn of_stored(stored: Stored) -> Option<IntegerRange> {
        match stored {
            Stored::I8 => Some(IntegerRange { lo: i8::MIN as i128, hi: i8::MAX as i128 }),
            Stored::U8 => Some(IntegerRange { lo: 0, hi: u8::MAX as i128 }),
            Stored::I16 => Some(IntegerRange { lo: i16::MIN as i128, hi: i16::MAX as i128 }),
            Stored::U16 => Some(IntegerRange { lo: 0, hi: u16::MAX as i128 }),
            other => IntegerRange::of_type(other.value()),
        }
    }

    /// The range of a constant.
    pub fn of_const(constant: Const) -> Option<IntegerRange> {
        match constant.scalar {
            Scalar::Bool => Some(IntegerRange::just(i128::from(constant.bits & 1))),
            _ => constant.integer().map(IntegerRange::just),
        }
    }

    /// The range of a built-in of this kernel.
    pub fn of_builtin(kernel: &Kernel, builtin: Builtin) -> IntegerRange {
        let most = i128::from(i32::MAX);
        let tile = kernel.tile().and_then(|tile| tile.get(builtin.dimension() as usize)).map(|&n| i128::from(n.max(1)));
        // The domain is a multiple of the tile, so the last tile begins one tile size before its
        // end.
        let last = |n: i128| IntegerRange { lo: 0, hi: most / n - 1 };
        match (builtin, tile) {
            (Builtin::Local(_), Some(n)) => IntegerRange { lo: 0, hi: n - 1 },
            (Builtin::TileExtent(_), Some(n)) => IntegerRange::just(n),
            (Builtin::Global(_), Some(n)) => IntegerRange { lo: 0, hi: most / n * n - 1 },
            (Builtin::Tile(_), Some(n)) => last(n),
            (Builtin::TileOrigin(_), Some(n)) => IntegerRange { lo: 0, hi: last(n).hi * n },
            (Builtin::DomainExtent(_), Some(n)) => IntegerRange { lo: n, hi: most / n * n },
            (Builtin::TileCount(_), Some(n)) => IntegerRange { lo: 1, hi: most / n },
            (Builtin::Global(_) | Builtin::Local(_) | Builtin::Tile(_) | Builtin::TileOrigin(_), None) => {
                IntegerRange { lo: 0, hi: most - 1 }
            }
            (Builtin::DomainExtent(_) | Builtin::TileExtent(_) | Builtin::TileCount(_), None) => {
                IntegerRange { lo: 1, hi: most }
            }
        }
    }

    /// The range of a view's extent.
    pub const EXTENT: IntegerRange = IntegerRange { lo: 0, hi: i32::MAX as i128 };

    /// The number, if the range has only one.
    pub fn single(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether it contains the other range.
    pub fn contains(self, other: IntegerRange) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The smallest range that contains both.
    #[must_use]
    pub fn join(self, other: IntegerRange) -> IntegerRange {
        IntegerRange { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The intersection; `None` if it is empty, which means that the code is unreachable.
    #[must_use]
    pub fn meet(self, other: IntegerRange) -> Option<IntegerRange> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(IntegerRange { lo, hi })
    }
}

/// The range of an operation, for one component. `scalar` is the row's type variable, `result` the
/// component type of the result.
pub fn apply(op: Op, scalar: Scalar, result: Scalar, args: &[Option<IntegerRange>]) -> Option<IntegerRange> {
    let whole = IntegerRange::of_type(result)?;
    let found = fold(op, scalar, result, args).or_else(|| unbounded(op, scalar, args));
    // If the exact result may leave the type on either side, the operation may wrap to any number.
    Some(found.filter(|&found| whole.contains(found)).unwrap_or(whole))
}

/// Whether the result of a sum, difference, product, negation, shift or conversion may differ from
/// the exact result. Returns `true` for every other operation.
pub fn wraps(op: Op, scalar: Scalar, result: Scalar, args: &[Option<IntegerRange>]) -> bool {
    match (IntegerRange::of_type(result), is_followed(op).then(|| unbounded(op, scalar, args)).flatten()) {
        (Some(whole), Some(found)) => !whole.contains(found),
        _ => true,
    }
}

/// Whether the result equals the exact result modulo the width of its type.
fn is_followed(op: Op) -> bool {
    match op.family() {
        OpFamily::Arithmetic(_, rule) => rule == OverflowRule::Wrap,
        OpFamily::MultiplyAdd => true,
        OpFamily::Signed(op) => op == SignOp::Neg,
        OpFamily::Shift(op) => op == ShiftOp::Shl,
        OpFamily::Conversion(_) | OpFamily::Bitcast(_) => op.integer_change().is_some(),
        OpFamily::Division(_)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(_)
        | OpFamily::Comparison(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::Bitwise(_)
        | OpFamily::Not
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry(_) => false,
    }
}

/// Constant folding by the row's meaning.
fn fold(op: Op, scalar: Scalar, result: Scalar, args: &[Option<IntegerRange>]) -> Option<IntegerRange> {
    let bits = args.iter().zip(op.row().args).map(|(arg, slot)| {
        let scalar = match slot.scalar {
            SlotScalar::T => scalar,
            SlotScalar::Fixed(fixed) => fixed,
        };
        let number = arg.and_then(IntegerRange::single)?;
        Some(if scalar.bits() == 64 { number as u64 } else { u64::from(number as u32) })
    });
    IntegerRange::of_const(Const { scalar: result, bits: op.fold(scalar, bits)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Data;

    const INTEGERS: [Scalar; 4] = [Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];

    /// Ranges between numbers around zero and around the ends of the type.
    fn ranges(scalar: Scalar) -> Vec<IntegerRange> {
        let Some(whole) = IntegerRange::of_type(scalar) else { return Vec::new() };
        let near = [-9, -3, -1, 0, 1, 2, 5, 8].map(|n| IntegerRange { lo: n, hi: n });
        let ends = [whole.lo, whole.lo + 1, whole.lo + 3, whole.hi - 2, whole.hi].map(IntegerRange::just);
        let mut out = Vec::new();
        for list in [&near[..], &ends] {
            for (i, a) in list.iter().enumerate() {
                out.extend(list[i..].iter().map(|b| a.join(*b)).filter(|&range| whole.contains(range)));
            }
        }
        out
    }

    /// Some numbers of a range: all of a small one, the ends and neighbours of a large one.
    fn members(range: IntegerRange) -> Vec<i128> {
        let near = (0..20).flat_map(|n| [range.lo + n, range.hi - n]);
        let mut all: Vec<i128> = near.filter(|&n| range.contains(IntegerRange::just(n))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn bits(scalar: Scalar, n: i128) -> u64 {
        if scalar.bits() == 64 { n as u64 } else { u64::from(n as u32) }
    }

    fn assert_holds(op: Op, scalar: Scalar, args: &[IntegerRange]) {
        let types: Vec<Data> = op
            .row()
            .args
            .iter()
            .map(|slot| match slot.scalar {
                SlotScalar::T => Data::scalar(scalar),
                SlotScalar::Fixed(fixed) => Data::scalar(fixed),
            })
            .collect();
        let Ok(instance) = op.resolve(&types) else { return };
        let known: Vec<Option<IntegerRange>> = args.iter().copied().map(Some).collect();
        let Some(range) = apply(op, instance.scalar, instance.result.scalar, &known) else { return };
        let mut tuples = vec![Vec::new()];
        for arg in args {
            tuples = tuples
                .into_iter()
                .flat_map(|tuple| members(*arg).into_iter().map(move |n| [tuple.clone(), vec![n]].concat()))
                .collect();
        }
        for tuple in tuples {
            let lanes: Vec<_> = tuple.iter().zip(&types).map(|(&n, ty)| [bits(ty.scalar, n), 0, 0, 0]).collect();
            let out = Const { scalar: instance.result.scalar, bits: op.eval(instance, &lanes)[0] };
            let Some(result) = IntegerRange::of_const(out) else { return };
            assert!(
                range.contains(result),
                "{} of {tuple:?} as {scalar} is {}, not in {} to {}",
                op.name(),
                result.lo,
                range.lo,
                range.hi
            );
        }
    }

    /// Every operation on every pair of ranges contains the results of its members.
    #[test]
    fn a_range_holds_every_result_of_one_and_two_arguments() {
        for scalar in INTEGERS {
            for row in Op::ROWS.iter().filter(|row| row.each) {
                for &a in &ranges(scalar) {
                    match row.args.len() {
                        1 => assert_holds(row.op, scalar, &[a]),
                        2 => {
                            let second = if row.op == Op::Ipow { Scalar::U32 } else { scalar };
                            ranges(second).iter().for_each(|&b| assert_holds(row.op, scalar, &[a, b]));
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    #[test]
    fn a_range_holds_every_result_of_three_arguments() {
        let few = |scalar| ranges(scalar).into_iter().step_by(5).collect::<Vec<_>>();
        for scalar in [Scalar::I32, Scalar::U64] {
            for op in [Op::Clamp, Op::Mad] {
                for &a in &few(scalar) {
                    for &b in &few(scalar) {
                        few(scalar).iter().for_each(|&c| assert_holds(op, scalar, &[a, b, c]));
                    }
                }
            }
            for &a in &ranges(scalar) {
                for count in [0, 1, 5, 31, 32, 70].map(IntegerRange::just) {
                    assert_holds(Op::ExtractBits, scalar, &[a, IntegerRange { lo: 0, hi: 40 }, count]);
                }
                assert_holds(Op::Select, scalar, &[IntegerRange::BOOL, a, IntegerRange::just(4)]);
            }
        }
    }

    #[test]
    fn truth_values_are_numbers() {
        for op in [Op::And, Op::Or, Op::Xor, Op::Eq, Op::Ne] {
            for a in [IntegerRange::just(0), IntegerRange::just(1), IntegerRange::BOOL] {
                [IntegerRange::just(0), IntegerRange::just(1), IntegerRange::BOOL]
                    .iter()
                    .for_each(|&b| assert_holds(op, Scalar::Bool, &[a, b]));
            }
        }
    }

    #[test]
    fn what_may_wrap_has_the_range_of_its_type() {
        let big = IntegerRange::EXTENT;
        let whole = IntegerRange::of_type(Scalar::I32);
        assert_eq!(apply(Op::Add, Scalar::I32, Scalar::I32, &[Some(big), Some(IntegerRange::just(1))]), whole);
        assert!(wraps(Op::Add, Scalar::I32, Scalar::I32, &[Some(big), Some(IntegerRange::just(1))]));
        assert!(!wraps(Op::Sub, Scalar::I32, Scalar::I32, &[Some(big), Some(IntegerRange::just(1))]));
        for scalar in [Scalar::I64, Scalar::U64] {
            let all = IntegerRange::of_type(scalar);
            assert_eq!(apply(Op::Mul, scalar, scalar, &[all, all]), all);
        }
    }
}
