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
//! | [`Const`](Shape::Const) | one number in every thread of every launch |
//! | [`TileUniform`](Shape::TileUniform) | the same in all threads of the tile |
//! | [`GroupUniform`](Shape::GroupUniform) | the same in all threads of the row |
//! | [`Affine`](Shape::Affine) | from a thread to the one `n` to its right in the row it grows by `n` times the stride |
//! | [`Varying`](Shape::Varying) | none |
//!
//! Each claim implies those below it, `GroupUniform` being a stride of zero.
//!
//! # Modulo
//! Index arithmetic wraps, so **an affine claim is modulo 2^32** (2^64 for 64-bit integers) unless [`Stride::exact`] says otherwise. Both ends of a
//! row can be in range and threads in between out of it: `local[0] * 286331153` over 16 threads. Whoever hoists a bounds check therefore takes an
//! exact stride, or a proof by [ranges](super::range), or evaluates both ends in 64 bits from operands that have not wrapped. The claims about sameness
//! are about the bits themselves: nothing is modulo there.

use super::range::{self, Range};
use crate::ops::Op;
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
pub enum Shape {
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

impl Shape {
    /// What is true of both.
    #[must_use]
    pub fn join(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Affine(a), Shape::Affine(b)) => {
                Stride::join(Some(a), Some(b)).map_or(Shape::Varying, Shape::Affine)
            }
            (Shape::Affine(_), _) | (_, Shape::Affine(_)) => Shape::Varying,
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
            Shape::Const => 0,
            Shape::TileUniform => 1,
            Shape::GroupUniform => 2,
            Shape::Affine(_) => 3,
            Shape::Varying => 4,
        }
    }

    /// The stride along x, 0 if it is the same in the row; nothing if it varies.
    pub const fn stride(self) -> Option<Stride> {
        match self {
            Shape::Const | Shape::TileUniform | Shape::GroupUniform => Some(Stride::SAME),
            Shape::Affine(stride) => Some(stride),
            Shape::Varying => None,
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shape::Const => f.write_str("const"),
            Shape::TileUniform => f.write_str("tile"),
            Shape::GroupUniform => f.write_str("group"),
            Shape::Affine(Stride { by, exact: true }) => write!(f, "affine {by}"),
            Shape::Affine(Stride { by, exact: false }) => write!(f, "affine {by} modulo"),
            Shape::Varying => f.write_str("varying"),
        }
    }
}

/// What is known about an argument.
pub(super) type Arg = (Option<Stride>, Option<Range>);

/// The stride of an operation on one component each.
pub(super) fn apply(op: Op, scalar: Scalar, result: Scalar, args: &[Arg]) -> Option<Stride> {
    if args.iter().all(|(stride, _)| stride.is_some_and(Stride::is_same)) {
        return Some(Stride::SAME);
    }
    if let Some(chosen) = chosen(op, args) {
        return chosen;
    }
    if !result.is_integer() || scalar.is_float() || scalar == Scalar::Bool {
        return None;
    }
    let ranges: Vec<Option<Range>> = args.iter().map(|arg| arg.1).collect();
    let exact = args.iter().all(|(stride, _)| stride.is_some_and(|stride| stride.exact))
        && !range::wraps(op, scalar, result, &ranges);
    let by = |i: usize| args.get(i).and_then(|arg| arg.0).map(|stride| i128::from(stride.by));
    let known = |i: usize| ranges.get(i).copied().flatten().and_then(Range::single);
    let product = || match (known(0), known(1)) {
        (Some(n), _) => by(1)?.checked_mul(n),
        (_, Some(n)) => by(0)?.checked_mul(n),
        _ => None,
    };
    let found = match op {
        Op::Add => by(0)? + by(1)?,
        Op::Sub => by(0)? - by(1)?,
        Op::Neg => -by(0)?,
        Op::Not => return Some(Stride::new(-by(0)?, result, args[0].0?.exact)),
        Op::Mul => product()?,
        Op::Mad => product()? + by(2)?,
        Op::Shl => by(0)?.checked_mul(1 << known(1).filter(|n| (0..i128::from(scalar.bits())).contains(n))?)?,
        // More bits than there were: the stride must be that of the numbers.
        _ if range::converts(op) && result.bits() > scalar.bits() => {
            let stride = args[0].0.filter(|stride| stride.exact)?;
            i128::from(stride.by)
        }
        _ if range::converts(op) => by(0)?,
        _ => return None,
    };
    Some(Stride::new(found, result, exact))
}

/// Operations that give one of their arguments, if it is the same one in the whole row.
fn chosen(op: Op, args: &[Arg]) -> Option<Option<Stride>> {
    let below = |a: Option<Range>, b: Option<Range>| Some(a?.hi <= b?.lo);
    match (op, args) {
        (Op::Select, &[(condition, range), (yes, _), (no, _)]) => Some(match range.and_then(Range::single) {
            Some(0) => no,
            Some(_) => yes,
            None if condition.is_some_and(Stride::is_same) => Stride::join(yes, no),
            None => None,
        }),
        (Op::Min | Op::Max, &[(a, ra), (b, rb)]) => {
            let (smaller, larger) = match (below(ra, rb), below(rb, ra)) {
                (Some(true), _) => (a, b),
                (_, Some(true)) => (b, a),
                _ => return None,
            };
            Some(if op == Op::Min { smaller } else { larger })
        }
        (Op::Clamp, &[(x, rx), (_, lo), (_, hi)]) => (below(lo, rx)? && below(rx, hi)? && below(lo, hi)?).then_some(x),
        (Op::Rem | Op::RemEuclid, &[(a, Some(ra)), (_, Some(rb))]) => (ra.lo >= 0 && ra.hi < rb.lo).then_some(a),
        (Op::Div | Op::Shr, &[(a, _), (_, Some(rb))]) if rb.single() == Some(i128::from(op == Op::Div)) => Some(a),
        (Op::And, &[(a, Some(ra)), (b, Some(rb))]) => {
            let keeps = |x: Range, mask: Range| {
                let mask = mask.single().filter(|&mask| mask >= 0 && mask & (mask + 1) == 0)?;
                Some(x.lo >= 0 && x.hi <= mask)
            };
            match (keeps(ra, rb), keeps(rb, ra)) {
                (Some(true), _) => Some(a),
                (_, Some(true)) => Some(b),
                _ => None,
            }
        }
        _ => None,
    }
}
