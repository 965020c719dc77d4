//! Shapes: how a value changes from thread to thread along x, the last dimension.
//!
//! The CPU's vector code runs neighbouring threads along x in neighbouring lanes. The shape of a
//! value along x decides its representation (one scalar, or one per lane) and the cost of a load at
//! that index (one scalar load, one vector load, or one load per lane).
//!
//! A **row** is the threads of one tile that differ in x only. In an untiled kernel the whole
//! domain counts as one tile, in this module only. All claims are about threads that compute a
//! value **together**: at the same instruction, in the same iterations of all enclosing loops.
//! Threads that are not active there are exempt.
//!
//! | shape | claim |
//! |---|---|
//! | [`Const`](LaneShape::Const) | one number in every thread of every launch |
//! | [`TileUniform`](LaneShape::TileUniform) | the same in all threads of the tile |
//! | [`GroupUniform`](LaneShape::GroupUniform) | the same in all threads of the row |
//! | [`Affine`](LaneShape::Affine) | grows by `n` times the stride from a thread to the one `n` to its right in the row |
//! | [`Varying`](LaneShape::Varying) | none |
//!
//! Each claim implies those below it; `GroupUniform` is a stride of zero.
//!
//! # Modulo
//! Index arithmetic wraps, so **an affine claim is modulo 2^32** (2^64 for 64-bit integers) unless
//! [`Stride::exact`] is set. Both ends of a row can be in range and threads in between out of
//! range: `local[0] * 286331153` over 16 threads. So bounds-check hoisting requires an exact
//! stride, or a proof by [ranges](super::range), or an evaluation of both ends in 64 bits from
//! operands that have not wrapped. The uniform claims are about the bits themselves, without a
//! modulus.

use super::range::{self, IntegerRange};
use crate::ops::{ArithmeticOp, BitwiseOp, DivisionOp, ExtremeOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp};
use crate::types::Scalar;

/// The growth of an integer from a thread to its right neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    /// The difference; of the differences equal modulo the type's width, the one closest to zero.
    pub by: i64,
    /// Whether it is the exact difference, not only modulo 2^32 or 2^64.
    pub exact: bool,
}

impl Stride {
    /// The same value in the whole row.
    pub const SAME: Stride = Stride { by: 0, exact: true };
    /// The stride of the thread's own index.
    pub const ONE: Stride = Stride { by: 1, exact: true };

    /// The stride of an integer of type `scalar`.
    fn new(by: i128, scalar: Scalar, exact: bool) -> Stride {
        let near = if scalar.bits() == 64 { i128::from(by as i64) } else { i128::from(by as i32) };
        // Equal bits are equal numbers, so a stride of 0 is exact.
        Stride { by: near as i64, exact: near == 0 || exact && near == by }
    }

    /// Whether all threads have the same value.
    pub const fn is_same(self) -> bool {
        self.by == 0
    }

    /// The join of two strides, each of which holds for whole rows.
    pub(super) fn join(a: Option<Stride>, b: Option<Stride>) -> Option<Stride> {
        let (a, b) = (a?, b?);
        (a.by == b.by).then_some(Stride { by: a.by, exact: a.exact && b.exact })
    }

    /// Whether `a` implies `b`.
    pub(super) fn implies(a: Option<Stride>, b: Option<Stride>) -> bool {
        match (a, b) {
            (_, None) => true,
            (Some(a), Some(b)) => a.by == b.by && a.exact >= b.exact,
            (None, Some(_)) => false,
        }
    }
}

/// How a value changes along x. See the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneShape {
    /// One number in every thread of every launch: the value is a constant, or its range has a
    /// single number.
    Const,
    /// The same in all threads of a tile.
    TileUniform,
    /// The same in all threads of a row.
    GroupUniform,
    /// Linear along a row.
    Affine(Stride),
    /// No claim.
    Varying,
}

impl LaneShape {
    /// The strongest claim that both imply.
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

    /// The stride along x, 0 for a uniform value; `None` if it varies.
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

/// The facts about an argument.
pub type ArgumentShape = (Option<Stride>, Option<IntegerRange>);

/// The stride of an operation, for one component.
pub fn apply(op: Op, scalar: Scalar, result: Scalar, args: &[ArgumentShape]) -> Option<Stride> {
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
        // Division by one, and a shift by zero bits.
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
        // `-1 - x`, or for an unsigned type its largest number minus `x`: as exact as `x` itself.
        OpFamily::Not => {
            let stride = args.first()?.0.filter(|_| are_integers(scalar, result))?;
            Some(Stride::new(-i128::from(stride.by), result, stride.exact))
        }
        OpFamily::Conversion(_) | OpFamily::Bitcast(_) => {
            op.integer_change()?;
            // A widening conversion needs the exact stride.
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
        | OpFamily::Geometry(_) => None,
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

    /// The stride of the product of the first two arguments, if one of them is a known number.
    fn product(&self) -> Option<i128> {
        match (self.known(0), self.known(1)) {
            (Some(n), _) => self.by(1)?.checked_mul(n),
            (_, Some(n)) => self.by(0)?.checked_mul(n),
            _ => None,
        }
    }
}

/// The stride of an integer operation that grows by `by` modulo the type's width; exact if all
/// arguments are exact and it does not wrap.
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

/// The stride of a minimum or maximum, if the same argument is the smaller one in the whole row.
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

/// The first argument of a `clamp`, if it is within the limits in the whole row.
fn unclamped(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(x, rx), (_, lo), (_, hi)] = args else { return None };
    if below(lo, rx)? && below(rx, hi)? && below(lo, hi)? { x } else { None }
}

/// The dividend, if it is smaller than the divisor in the whole row and so equals the remainder.
fn undivided(args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, Some(ra)), (_, Some(rb))] = args else { return None };
    if ra.lo >= 0 && ra.hi < rb.lo { a } else { None }
}

/// The first argument, if the second is the operation's neutral element `number`.
fn unchanged_by(number: i128, args: &[ArgumentShape]) -> Option<Stride> {
    let &[(a, _), (_, Some(rb))] = args else { return None };
    if rb.single() == Some(number) { a } else { None }
}

/// The argument all of whose bits a mask keeps in the whole row.
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
