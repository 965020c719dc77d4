//! Ranges: between which two numbers an integer lies, whatever thread and launch compute it. A `bool` is a number too, 0 or 1.
//!
//! A range is a promise about the result *after* wrapping: an operation whose exact result may leave its type gives no range at all ([`apply`] says
//! `None`), never a wrapped one. No range means anything the type can hold, and floats have none.
//!
//! [`uniformity`](super::uniformity) asks these questions first: `local[0] < 16` is `true` in a tile 16 wide, hence uniform. What is known here comes
//! from constants, from the tile's size and from operations. Not yet from conditions (inside `if i < n` nothing is learnt about `i`), from loop
//! bounds or from the alignment of numbers; the vector code of the CPU will want those, and they belong here: a further source is a further function
//! that gives a [`Range`], and [`Range::cut`] joins it with what is known.

use crate::kernel::{Builtin, Const, Kernel};
use crate::ops::Op;
use crate::types::{Scalar, Stored};

/// All integers from `lo` to `hi`, both included; `lo <= hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The smallest.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
}

impl Range {
    /// One number.
    pub const fn just(n: i64) -> Range {
        Range { lo: n, hi: n }
    }

    /// Both truth values.
    pub const BOOL: Range = Range { lo: 0, hi: 1 };

    /// The range with these ends; nothing if a `Range` does not reach so far.
    fn new(lo: i128, hi: i128) -> Option<Range> {
        Some(Range { lo: i64::try_from(lo).ok()?, hi: i64::try_from(hi).ok()? })
    }

    /// What the type can hold; nothing for floats and `u64`.
    pub fn of_type(scalar: Scalar) -> Option<Range> {
        match scalar {
            Scalar::Bool => Some(Range::BOOL),
            Scalar::I32 => Some(Range { lo: i64::from(i32::MIN), hi: i64::from(i32::MAX) }),
            Scalar::U32 => Some(Range { lo: 0, hi: i64::from(u32::MAX) }),
            Scalar::I64 => Some(Range { lo: i64::MIN, hi: i64::MAX }),
            Scalar::U64 | Scalar::F32 | Scalar::F64 => None,
        }
    }

    /// What a load of this format can give.
    pub fn of_stored(stored: Stored) -> Option<Range> {
        match stored {
            Stored::I8 => Some(Range { lo: i64::from(i8::MIN), hi: i64::from(i8::MAX) }),
            Stored::U8 => Some(Range { lo: 0, hi: i64::from(u8::MAX) }),
            Stored::I16 => Some(Range { lo: i64::from(i16::MIN), hi: i64::from(i16::MAX) }),
            Stored::U16 => Some(Range { lo: 0, hi: i64::from(u16::MAX) }),
            other => Range::of_type(other.value()),
        }
    }

    /// A constant.
    pub fn of_const(constant: Const) -> Option<Range> {
        match constant.scalar {
            Scalar::Bool => Some(Range::just((constant.bits & 1) as i64)),
            _ => constant.integer().and_then(|n| i64::try_from(n).ok()).map(Range::just),
        }
    }

    /// What a built-in of this kernel can be.
    pub fn of_builtin(kernel: &Kernel, builtin: Builtin) -> Range {
        let most = i64::from(i32::MAX);
        let tile = kernel.tile().and_then(|tile| tile.get(builtin.dimension() as usize)).map(|&n| i64::from(n.max(1)));
        match (builtin, tile) {
            (Builtin::Local(_), Some(n)) => Range { lo: 0, hi: n - 1 },
            (Builtin::TileExtent(_), Some(n)) => Range::just(n),
            (Builtin::Global(_) | Builtin::Local(_) | Builtin::Tile(_) | Builtin::TileOrigin(_), _) => {
                Range { lo: 0, hi: most - 1 }
            }
            (Builtin::DomainExtent(_) | Builtin::TileExtent(_) | Builtin::TileCount(_), _) => Range { lo: 1, hi: most },
        }
    }

    /// The one number it is, if it is one.
    pub fn single(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Everything in either.
    #[must_use]
    pub fn join(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is in both; `self` if nothing is, which says that the code is not reached.
    #[must_use]
    pub fn cut(self, other: Range) -> Range {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Range { lo, hi } } else { self }
    }

    fn wide(self) -> (i128, i128) {
        (i128::from(self.lo), i128::from(self.hi))
    }
}

/// The range of an operation on one component each. `scalar` is what the row's type variable is, `result` the component type of the result.
pub fn apply(op: Op, scalar: Scalar, result: Scalar, args: &[Option<Range>]) -> Option<Range> {
    let whole = Range::of_type(result);
    let arg = |i: usize| args.get(i).copied().flatten();
    let found = match args.len() {
        1 => arg(0).and_then(|x| unary(op, scalar, x)),
        2 => match (arg(0), arg(1)) {
            (Some(a), Some(b)) => binary(op, scalar, a, b),
            (a, b) => one_known(op, scalar, a, b),
        },
        3 => ternary(op, arg(0), arg(1), arg(2)),
        _ => None,
    };
    match (found, whole) {
        // Out of the type on either side: the operation wraps, and anything may come out.
        (Some(found), Some(whole)) if found.lo < whole.lo || found.hi > whole.hi => Some(whole),
        (Some(found), None) if result == Scalar::U64 && found.lo >= 0 => Some(found),
        (Some(_), None) => None,
        (Some(found), Some(_)) => Some(found),
        (None, whole) => whole,
    }
}

fn unary(op: Op, scalar: Scalar, x: Range) -> Option<Range> {
    let (lo, hi) = x.wide();
    match op {
        Op::Neg => Range::new(-hi, -lo),
        Op::Abs if lo >= 0 => Some(x),
        Op::Abs => Range::new(if hi >= 0 { 0 } else { -hi }, (-lo).max(hi)),
        Op::Sign => Some(Range { lo: x.lo.signum(), hi: x.hi.signum() }),
        Op::Not if scalar == Scalar::Bool => Some(Range { lo: 1 - x.hi, hi: 1 - x.lo }),
        Op::ToI32 | Op::ToU32 | Op::ToI64 | Op::ToU64 if !scalar.is_float() => Some(x),
        _ => None,
    }
}

fn binary(op: Op, scalar: Scalar, a: Range, b: Range) -> Option<Range> {
    let ((al, ah), (bl, bh)) = (a.wide(), b.wide());
    let corners = |f: &dyn Fn(i128, i128) -> i128| {
        let all = [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)];
        Range::new(all.into_iter().min()?, all.into_iter().max()?)
    };
    let decided = |always: bool, never: bool| match (always, never) {
        (true, _) => Range::just(1),
        (_, true) => Range::just(0),
        _ => Range::BOOL,
    };
    let disjoint = ah < bl || bh < al;
    let equal = al == ah && bl == bh && al == bl;
    match op {
        Op::Add => Range::new(al + bl, ah + bh),
        Op::Sub => Range::new(al - bh, ah - bl),
        Op::Mul => corners(&|x, y| x.saturating_mul(y)),
        Op::Div if bl > 0 || bh < 0 => corners(&|x, y| x / y),
        // Division by zero gives the dividend.
        Op::Div if al >= 0 && bl >= 0 => Some(Range { lo: 0, hi: a.hi }),
        Op::Rem if bl > 0 && al >= 0 && ah < bl => Some(a),
        Op::Rem if bl > 0 => {
            Range::new(if al >= 0 { 0 } else { al.max(1 - bh) }, if ah <= 0 { 0 } else { ah.min(bh - 1) })
        }
        Op::RemEuclid if bl > 0 && al >= 0 && ah < bl => Some(a),
        Op::RemEuclid if bl > 0 => Range::new(0, bh - 1),
        Op::DivEuclid if bl > 0 && al >= 0 => corners(&|x, y| x / y),
        Op::And => nonnegative_and(Some(a), Some(b)),
        Op::Or | Op::Xor if al >= 0 && bl >= 0 => {
            let most = (ah | bh) as u128;
            Range::new(0, (most.checked_add(1)?.next_power_of_two() - 1) as i128)
        }
        Op::Shl if bl >= 0 && bh < i128::from(scalar.bits()) => corners(&|x, n| x << n),
        Op::Shr if bl >= 0 && bh < i128::from(scalar.bits()) => corners(&|x, n| x >> n),
        Op::Min => Some(Range { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }),
        Op::Max => Some(Range { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }),
        Op::Lt => Some(decided(ah < bl, al >= bh)),
        Op::Le => Some(decided(ah <= bl, al > bh)),
        Op::Gt => Some(decided(al > bh, ah <= bl)),
        Op::Ge => Some(decided(al >= bh, ah < bl)),
        Op::Eq => Some(decided(equal, disjoint)),
        Op::Ne => Some(decided(disjoint, equal)),
        _ => None,
    }
}

/// What one side alone decides.
fn one_known(op: Op, scalar: Scalar, a: Option<Range>, b: Option<Range>) -> Option<Range> {
    let b_is_positive = b.filter(|b| b.lo > 0);
    match op {
        Op::And => nonnegative_and(a, b),
        Op::Rem | Op::RemEuclid if scalar == Scalar::U64 => b_is_positive.map(|b| Range { lo: 0, hi: b.hi - 1 }),
        Op::Mul if a == Some(Range::just(0)) || b == Some(Range::just(0)) => {
            (!scalar.is_float()).then_some(Range::just(0))
        }
        _ => None,
    }
}

/// `a & b` is at most the smaller of those that are not negative.
fn nonnegative_and(a: Option<Range>, b: Option<Range>) -> Option<Range> {
    let most = [a, b].into_iter().flatten().filter(|x| x.lo >= 0).map(|x| x.hi).min()?;
    if let (Some(a), Some(b)) = (a, b)
        && a == Range::just(1)
        && b == Range::just(1)
    {
        return Some(a);
    }
    Some(Range { lo: 0, hi: most })
}

fn ternary(op: Op, a: Option<Range>, b: Option<Range>, c: Option<Range>) -> Option<Range> {
    match op {
        Op::Select => match a.and_then(Range::single) {
            Some(0) => c,
            Some(_) => b,
            None => Some(b?.join(c?)),
        },
        Op::Clamp => {
            let (x, lo, hi) = (a?, b?, c?);
            (lo.hi <= hi.lo).then(|| Range { lo: x.lo.clamp(lo.lo, hi.lo), hi: x.hi.clamp(lo.hi, hi.hi) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on every pair of small ranges contains what its members give.
    #[test]
    fn a_range_holds_every_result() {
        let ends = [-9i64, -3, -1, 0, 1, 2, 5, 8];
        let mut ranges = Vec::new();
        for (i, &lo) in ends.iter().enumerate() {
            ranges.extend(ends[i..].iter().map(|&hi| Range { lo, hi }));
        }
        for scalar in [Scalar::I32, Scalar::U32, Scalar::I64] {
            let data = crate::types::Data::scalar(scalar);
            let bits = |n: i64| match scalar {
                Scalar::I32 => u64::from(n as i32 as u32),
                _ => n as u64,
            };
            for row in Op::ROWS.iter().filter(|row| row.args.len() == 2 && row.each) {
                let Ok(instance) = row.op.resolve(&[data, data]) else { continue };
                for &a in &ranges {
                    for &b in &ranges {
                        if scalar == Scalar::U32 && (a.lo < 0 || b.lo < 0) {
                            continue;
                        }
                        let Some(range) = apply(row.op, scalar, instance.result.scalar, &[Some(a), Some(b)]) else {
                            continue;
                        };
                        for x in a.lo..=a.hi {
                            for y in b.lo..=b.hi {
                                let lanes = row.op.eval(instance, &[[bits(x), 0, 0, 0], [bits(y), 0, 0, 0]]);
                                let constant = Const { scalar: instance.result.scalar, bits: lanes[0] };
                                let Some(result) = Range::of_const(constant).and_then(Range::single) else { continue };
                                assert!(
                                    range.lo <= result && result <= range.hi,
                                    "{} of {x} and {y} is {result}, not in {} to {}",
                                    row.name,
                                    range.lo,
                                    range.hi
                                );
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_may_wrap_has_the_range_of_its_type() {
        let big = Range { lo: 0, hi: i64::from(i32::MAX) };
        let whole = Range::of_type(Scalar::I32);
        assert_eq!(apply(Op::Add, Scalar::I32, Scalar::I32, &[Some(big), Some(Range::just(1))]), whole);
        let long = Range::of_type(Scalar::I64);
        assert_eq!(apply(Op::Mul, Scalar::I64, Scalar::I64, &[long, long]), long);
    }
}
