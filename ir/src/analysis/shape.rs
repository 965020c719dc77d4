//! Shapes: how a value changes from thread to thread along x, the last dimension.
//!
//! The vector code of the CPU lets threads that are neighbours along x ride in neighbouring lanes. How a value changes along x decides how it is kept (once,
//! or once a lane) and what a load at it costs (one scalar, one vector, one load a lane).
//!
//! A **row** is the threads of one tile that differ in x only. In a kernel without tiles the whole domain counts as one tile, here and only here.
//! All claims are about threads that compute a value **together**: the same instruction in the same rounds of all loops around it. Threads that are not
//! there say nothing.
//!
//! | shape | claim |
//! |---|---|
//! | [`Const`](LaneShape::Const) | one number in every thread of every launch |
//! | [`TileUniform`](LaneShape::TileUniform) | the same in all threads of the tile |
//! | [`GroupUniform`](LaneShape::GroupUniform) | the same in all threads of the row |
//! | [`Affine`](LaneShape::Affine) | from a thread to the one `n` to its right in the row it grows by `n` times the stride |
//! | [`Varying`](LaneShape::Varying) | none |
//!
//! Each claim implies those below it, `GroupUniform` being a stride of zero.
//!
//! # Modulo
//! Index arithmetic wraps, so **an affine claim is modulo 2^32** (2^64 for 64-bit integers) unless [`Stride::exact`] says otherwise. Both ends of a
//! row can be in range and threads in between out of it: `local[0] * 286331153` over 16 threads. Whoever hoists a bounds check therefore takes an
//! exact stride, or a proof by [ranges](super::range), or evaluates both ends in 64 bits from operands that have not wrapped. The claims about sameness
//! are about the bits themselves: nothing is modulo there.

use super::range::{self, IntegerRange};
use crate::ops::{ArithmeticOp, BitwiseOp, DivisionOp, ExtremeOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp};
use crate::types::Scalar;

/// How much an integer grows from a thread to its right neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    /// The difference; of those that are equal modulo the type's width, the one closest to zero.
    pub by: i64,
    /// Is it the difference of the numbers themselves, not only modulo 2^32 or 2^64?
    pub exact: bool,
}

impl Stride {
    /// The same in the whole row.
    pub const SAME: Stride = Stride { by: 0, exact: true };
    /// The thread's own index.
    pub const ONE: Stride = Stride { by: 1, exact: true };

    /// A stride of integers of a type.
    fn new(by: i128, scalar: Scalar, exact: bool) -> Stride {
        let near = if scalar.bits() == 64 { i128::from(by as i64) } else { i128::from(by as i32) };
        // Equal bits are equal numbers.
        Stride { by: near as i64, exact: near == 0 || exact && near == by }
    }

    /// Is every thread's value the same?
    pub const fn is_same(self) -> bool {
        self.by == 0
    }

    /// Of rows that go one way or the other as a whole.
    pub(super) fn join(a: Option<Stride>, b: Option<Stride>) -> Option<Stride> {
        let (a, b) = (a?, b?);
        (a.by == b.by).then_some(Stride { by: a.by, exact: a.exact && b.exact })
    }

    /// Does `a` claim all that `b` does?
    pub(super) fn implies(a: Option<Stride>, b: Option<Stride>) -> bool {
        match (a, b) {
            (_, None) => true,
            (Some(a), Some(b)) => a.by == b.by && a.exact >= b.exact,
            (None, Some(_)) => false,
        }
    }
}

/// How a value changes along x. See the page of the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneShape {
    /// One number in every thread of every launch: the value is a constant, or its range is a single number.
    Const,
    /// The same in all threads of a tile.
    TileUniform,
    /// The same in all threads of a row.
    GroupUniform,
    /// Grows evenly along a row.
    Affine(Stride),
    /// Anything.
    Varying,
}

impl LaneShape {
    /// What is true of both.
    #[must_use]
    pub fn join(self, other: LaneShape) -> LaneShape {
        match (self, other) {
            (LaneShape::Affine(a), LaneShape::Affine(b)) => {
                Stride::join(Some(a), Some(b)).map_or(LaneShape::Varying, LaneShape::Affine)
            }
            (LaneShape::Affine(_), _) | (_, LaneShape::Affine(_)) => LaneShape::Varying,
            (a, b) => {
                if a.rank() >= b.rank() {
                    a
                } else {
                    b
                }
            }
        }
    }

    const fn rank(self) -> u8 {
        match self {
            LaneShape::Const => 0,
            LaneShape::TileUniform => 1,
            LaneShape::GroupUniform => 2,
            LaneShape::Affine(_) => 3,
            LaneShape::Varying => 4,
        }
    }

    /// The stride along x, 0 if it is the same in the row; nothing if it varies.
    pub const fn stride(self) -> Option<Stride> {
        match self {
            LaneShape::Const | LaneShape::TileUniform | LaneShape::GroupUniform => Some(Stride::SAME),
            LaneShape::Affine(stride) => Some(stride),
            LaneShape::Varying => None,
        }
    }
}

impl std::fmt::Display for LaneShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LaneShape::Const => f.write_str("const"),
            LaneShape::TileUniform => f.write_str("tile"),
            LaneShape::GroupUniform => f.write_str("group"),
            LaneShape::Affine(Stride { by, exact: true }) => write!(f, "affine {by}"),
            LaneShape::Affine(Stride { by, exact: false }) => write!(f, "affine {by} modulo"),
            LaneShape::Varying => f.write_str("varying"),
        }
    }
}

/// What is known about an argument.
pub(super) type ArgumentShape = (Option<Stride>, Option<IntegerRange>);

/// The stride of an operation on one component each.
pub(super) fn apply(op: Op, scalar: Scalar, result: Scalar, args: &[ArgumentShape]) -> Option<Stride> {
    if args.iter().all(|(stride, _)| stride.is_some_and(Stride::is_same)) {
        return Some(Stride::SAME);
    }
    let operands = Operands(args);
    let linear = |by: Option<i128>| linear(op, scalar, result, args, by?);
    match op.family() {
        OpFamily::Select => selected(args),
        OpFamily::Extreme(extreme) => extremal(extreme, args),
        OpFamily::Clamp => unclamped(args),
        OpFamily::Division(DivisionOp::Rem | DivisionOp::RemEuclid) => undivided(args),
        // By one, and by no bits.
        OpFamily::Division(DivisionOp::Div) => unchanged_by(1, args),
        OpFamily::Shift(ShiftOp::Shr) => unchanged_by(0, args),
        OpFamily::Bitwise(BitwiseOp::And) => unmasked(args),
        OpFamily::Arithmetic(what, OverflowRule::Wrap) => linear(match what {
            ArithmeticOp::Add => operands.by(0).zip(operands.by(1)).map(|(a, b)| a + b),
            ArithmeticOp::Sub => operands.by(0).zip(operands.by(1)).map(|(a, b)| a - b),
            ArithmeticOp::Mul => operands.product(),
        }),
        OpFamily::MultiplyAdd => linear(operands.product().zip(operands.by(2)).map(|(product, c)| product + c)),
        OpFamily::Signed(SignOp::Neg) => linear(operands.by(0).map(|by| -by)),
        OpFamily::Shift(ShiftOp::Shl) => {
            let bits = operands.known(1).filter(|n| (0..i128::from(scalar.bits())).contains(n))?;
            linear(operands.by(0)?.checked_mul(1 << bits))
        }
        // `-1 - x`, or of an unsigned number the largest one minus `x`: as exact as `x` itself.
        OpFamily::Not => {
            let stride = args.first()?.0.filter(|_| are_integers(scalar, result))?;
            Some(Stride::new(-i128::from(stride.by), result, stride.exact))
        }
        OpFamily::Conversion(_) | OpFamily::Bitcast(_) => {
            op.integer_change()?;
            // More bits than there were: the stride must be that of the numbers.
            let widens = result.bits() > scalar.bits();
            linear(args.first()?.0.filter(|stride| stride.exact || !widens).map(|stride| i128::from(stride.by)))
        }
        OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
        | OpFamily::Division(DivisionOp::DivEuclid)
        | OpFamily::Signed(SignOp::Abs | SignOp::Sign)
        | OpFamily::Integer(_)
        | OpFamily::Comparison(_)
        | OpFamily::Reduction
        | OpFamily::Bitwise(BitwiseOp::Or | BitwiseOp::Xor)
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry => None,
    }
}

/// The arguments of an operation.
struct Operands<'a>(&'a [ArgumentShape]);

impl Operands<'_> {
    fn by(&self, i: usize) -> Option<i128> {
        self.0.get(i)?.0.map(|stride| i128::from(stride.by))
    }

    fn known(&self, i: usize) -> Option<i128> {
        self.0.get(i)?.1.and_then(IntegerRange::single)
    }

    /// The stride of the product of the first two, if one of them is a known number.
    fn product(&self) -> Option<i128> {
        match (self.known(0), self.known(1)) {
            (Some(n), _) => self.by(1)?.checked_mul(n),
            (_, Some(n)) => self.by(0)?.checked_mul(n),
            _ => None,
        }
    }
}

/// Of an operation on integers that grows by `by` modulo the type's width; exactly so if all its
/// arguments do, and it does not wrap.
fn linear(op: Op, scalar: Scalar, result: Scalar, args: &[ArgumentShape], by: i128) -> Option<Stride> {
    if !are_integers(scalar, result) {
        return None;
    }
    let ranges: Vec<Option<IntegerRange>> = args.iter().map(|arg| arg.1).collect();
    let exact = args.iter().all(|(stride, _)| stride.is_some_and(|stride| stride.exact))
        && !range::wraps(op, scalar, result, &ranges);
    Some(Stride::new(by, result, exact))
}

fn are_integers(scalar: Scalar, result: Scalar) -> bool {
    scalar.is_integer() && result.is_integer()
}

fn below(a: Option<IntegerRange>, b: Option<IntegerRange>) -> Option<bool> {
    Some(a?.hi <= b?.lo)
}

fn selected(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(condition, range), (yes, _), (no, _)] = args else { return None };
    match range.and_then(IntegerRange::single) {
        Some(0) => no,
        Some(_) => yes,
        None if condition.is_some_and(Stride::is_same) => Stride::join(yes, no),
        None => None,
    }
}

/// Of two numbers one is the smaller in the whole row.
fn extremal(extreme: ExtremeOp, args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, ra), (b, rb)] = args else { return None };
    let (smaller, larger) = match (below(ra, rb), below(rb, ra)) {
        (Some(true), _) => (a, b),
        (_, Some(true)) => (b, a),
        _ => return None,
    };
    match extreme {
        ExtremeOp::Min => smaller,
        ExtremeOp::Max => larger,
    }
}

/// The number between the ends of a `clamp`, if it is between them in the whole row.
fn unclamped(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(x, rx), (_, lo), (_, hi)] = args else { return None };
    if below(lo, rx)? && below(rx, hi)? && below(lo, hi)? { x } else { None }
}

/// The dividend, if it is smaller than the divisor in the whole row: it is the remainder.
fn undivided(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, Some(ra)), (_, Some(rb))] = args else { return None };
    if ra.lo >= 0 && ra.hi < rb.lo { a } else { None }
}

/// The first argument, if the second is the number that changes nothing.
fn unchanged_by(number: i128, args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, _), (_, Some(rb))] = args else { return None };
    if rb.single() == Some(number) { a } else { None }
}

/// The argument of which a mask leaves all bits in the whole row.
fn unmasked(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, Some(ra)), (b, Some(rb))] = args else { return None };
    let keeps = |x: IntegerRange, mask: IntegerRange| {
        let mask = mask.single().filter(|&mask| mask >= 0 && mask & (mask + 1) == 0)?;
        Some(x.lo >= 0 && x.hi <= mask)
    };
    match (keeps(ra, rb), keeps(rb, ra)) {
        (Some(true), _) => a,
        (_, Some(true)) => b,
        _ => None,
    }
}
