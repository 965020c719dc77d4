//! The exact range of each operation, without regard to the limits of types: one table over
//! families.

use super::IntegerRange;
use crate::fault::{self, Fault};
use crate::ops::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp,
};
use crate::types::Scalar;

/// The range of the exact result. `None` if an argument has no range, and for many operations.
pub fn unbounded(op: Op, scalar: Scalar, args: &[Option<IntegerRange>]) -> Option<IntegerRange> {
    if args.len() != op.row().args.len() {
        return None;
    }
    let mut known = [IntegerRange::BOOL; 4];
    for (known, arg) in known.iter_mut().zip(args) {
        *known = (*arg)?;
    }
    let [a, b, c, _] = known;
    match op.family() {
        OpFamily::Arithmetic(what, rule) => arithmetic(what, rule, scalar, a, b),
        OpFamily::Division(part) => division(part, a, b),
        OpFamily::MultiplyAdd => {
            let product = corners(a, b, i128::saturating_mul);
            Some(IntegerRange { lo: product.lo.saturating_add(c.lo), hi: product.hi.saturating_add(c.hi) })
        }
        OpFamily::Signed(op) => Some(signed(op, a)),
        OpFamily::Extreme(ExtremeOp::Min) => Some(IntegerRange { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }),
        OpFamily::Extreme(ExtremeOp::Max) => Some(IntegerRange { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }),
        OpFamily::Clamp => Some(IntegerRange { lo: a.lo.max(b.lo).min(c.lo), hi: a.hi.max(b.hi).min(c.hi) }),
        OpFamily::Integer(op) => integer(op, scalar, a, b),
        OpFamily::Comparison(comparison) => Some(compare(comparison, a, b)),
        OpFamily::Select => Some(match a.single() {
            Some(0) => c,
            Some(_) => b,
            None => b.join(c),
        }),
        OpFamily::Bitwise(op) => bitwise(op, a, b),
        OpFamily::Not => not(scalar, a),
        OpFamily::Shift(op) => shift(op, scalar, a, b),
        OpFamily::BitCount => Some(IntegerRange { lo: 0, hi: i128::from(scalar.bits()) }),
        OpFamily::BitSearch => search(scalar, a),
        OpFamily::ExtractBits => extract(scalar, a, c),
        OpFamily::Conversion(_) | OpFamily::Bitcast(_) => op.integer_change().map(|_| a),
        OpFamily::Narrow(stored) => {
            IntegerRange::of_stored(stored).map(|format| if format.contains(a) { a } else { format })
        }
        OpFamily::Reduction
        | OpFamily::BitMove
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry(_) => None,
    }
}

/// The hull of a function's values at the corners, which contains all its values if it is monotone
/// in each argument.
fn corners(a: IntegerRange, b: IntegerRange, f: impl Fn(i128, i128) -> i128) -> IntegerRange {
    let all = [f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    all.into_iter().fold(IntegerRange::just(f(a.lo, b.lo)), |hull, n| hull.join(IntegerRange::just(n)))
}

fn decided(always: bool, never: bool) -> IntegerRange {
    match (always, never) {
        (true, _) => IntegerRange::just(1),
        (_, true) => IntegerRange::just(0),
        _ => IntegerRange::BOOL,
    }
}

fn arithmetic(
    what: ArithmeticOp,
    rule: OverflowRule,
    scalar: Scalar,
    a: IntegerRange,
    b: IntegerRange,
) -> Option<IntegerRange> {
    let whole = IntegerRange::of_type(scalar)?;
    let exact = match what {
        ArithmeticOp::Add => IntegerRange { lo: a.lo + b.lo, hi: a.hi + b.hi },
        ArithmeticOp::Sub if fault::planted(Fault::RangeOfDifference) => {
            let (low, high) = (a.lo - b.lo, a.hi - b.hi);
            IntegerRange { lo: low.min(high), hi: low.max(high) }
        }
        ArithmeticOp::Sub => IntegerRange { lo: a.lo - b.hi, hi: a.hi - b.lo },
        // Saturated numbers lie outside every type, as the exact ones do.
        ArithmeticOp::Mul => corners(a, b, i128::saturating_mul),
    };
    Some(match rule {
        OverflowRule::Wrap => exact,
        OverflowRule::Saturate => {
            IntegerRange { lo: exact.lo.clamp(whole.lo, whole.hi), hi: exact.hi.clamp(whole.lo, whole.hi) }
        }
        OverflowRule::Report => decided(whole.meet(exact).is_none(), whole.contains(exact)),
    })
}

fn division(part: DivisionOp, a: IntegerRange, b: IntegerRange) -> Option<IntegerRange> {
    let natural = a.lo >= 0 && b.lo >= 0;
    // Division by zero gives the dividend.
    let of_natural = || IntegerRange {
        lo: if b.lo > 0 { a.lo / b.hi } else { 0 },
        hi: a.hi / b.lo.max(1 + i128::from(fault::planted(Fault::QuotientByZero))),
    };
    match part {
        DivisionOp::Div if b.lo > 0 || b.hi < 0 => Some(corners(a, b, |x, y| x / y)),
        DivisionOp::Div | DivisionOp::DivEuclid if natural => Some(of_natural()),
        DivisionOp::Div => {
            let most = a.lo.abs().max(a.hi.abs());
            Some(IntegerRange { lo: -most, hi: most })
        }
        DivisionOp::DivEuclid => (b.lo > 0).then(|| corners(a, b, i128::div_euclid)),
        DivisionOp::Rem => Some(remainder(a, b, false)),
        DivisionOp::RemEuclid => Some(remainder(a, b, true)),
    }
}

/// Division by zero has the remainder 0, which the range contains.
fn remainder(a: IntegerRange, b: IntegerRange, euclid: bool) -> IntegerRange {
    if a.lo >= 0 && b.lo > a.hi {
        return a;
    }
    let most = (b.lo.abs().max(b.hi.abs()) - 1).max(0);
    if euclid {
        return IntegerRange { lo: 0, hi: if a.lo >= 0 { a.hi.min(most) } else { most } };
    }
    let natural = a.lo >= 0 || fault::planted(Fault::RemainderNotNegative);
    IntegerRange { lo: if natural { 0 } else { a.lo.max(-most) }, hi: if a.hi <= 0 { 0 } else { a.hi.min(most) } }
}

fn signed(op: SignOp, x: IntegerRange) -> IntegerRange {
    let IntegerRange { lo, hi } = x;
    match op {
        SignOp::Neg => IntegerRange { lo: -hi, hi: -lo },
        SignOp::Abs if lo >= 0 => x,
        SignOp::Abs => IntegerRange { lo: if hi >= 0 { 0 } else { -hi }, hi: (-lo).max(hi) },
        SignOp::Sign => IntegerRange { lo: lo.signum(), hi: hi.signum() },
    }
}

fn integer(op: IntegerOp, scalar: Scalar, a: IntegerRange, b: IntegerRange) -> Option<IntegerRange> {
    match op {
        IntegerOp::MulHi => (scalar.bits() == 32).then(|| corners(a, b, |x, y| (x * y) >> 32)),
        IntegerOp::AbsDiff => {
            let disjoint = a.hi < b.lo || b.hi < a.lo;
            Some(IntegerRange {
                lo: if disjoint { (b.lo - a.hi).max(a.lo - b.hi) } else { 0 },
                hi: (a.hi - b.lo).max(b.hi - a.lo),
            })
        }
        IntegerOp::Ipow => None,
        IntegerOp::Isqrt => Some(IntegerRange { lo: a.lo.max(0).isqrt(), hi: a.hi.max(0).isqrt() }),
    }
}

fn compare(comparison: Comparison, a: IntegerRange, b: IntegerRange) -> IntegerRange {
    let disjoint = a.hi < b.lo || b.hi < a.lo;
    let equal = a.single().is_some() && a == b;
    match comparison {
        Comparison::Lt => decided(a.hi < b.lo, a.lo >= b.hi),
        Comparison::Le => decided(a.hi <= b.lo, a.lo > b.hi),
        Comparison::Gt => decided(a.lo > b.hi, a.hi <= b.lo),
        Comparison::Ge => decided(a.lo >= b.hi, a.hi < b.lo),
        Comparison::Eq => decided(equal, disjoint),
        Comparison::Ne => decided(disjoint, equal),
    }
}

fn bitwise(op: BitwiseOp, a: IntegerRange, b: IntegerRange) -> Option<IntegerRange> {
    let natural = a.lo >= 0 && b.lo >= 0;
    // All bits set, up to the highest bit that may be set in either.
    let below_power = || (((a.hi | b.hi) + 1) as u128).next_power_of_two() as i128 - 1;
    match op {
        BitwiseOp::And => {
            let hi = [a, b].into_iter().filter(|x| x.lo >= 0).map(|x| x.hi).min()?;
            Some(IntegerRange { lo: 0, hi })
        }
        BitwiseOp::Or => natural.then(|| IntegerRange { lo: a.lo.max(b.lo), hi: below_power() }),
        BitwiseOp::Xor => natural.then(|| IntegerRange { lo: 0, hi: below_power() }),
    }
}

fn not(scalar: Scalar, x: IntegerRange) -> Option<IntegerRange> {
    let IntegerRange { lo, hi } = x;
    if scalar == Scalar::Bool {
        return Some(IntegerRange { lo: 1 - hi, hi: 1 - lo });
    }
    if scalar.is_signed_integer() {
        return Some(IntegerRange { lo: -1 - hi, hi: -1 - lo });
    }
    IntegerRange::of_type(scalar).map(|whole| IntegerRange { lo: whole.hi - hi, hi: whole.hi - lo })
}

fn shift(op: ShiftOp, scalar: Scalar, a: IntegerRange, b: IntegerRange) -> Option<IntegerRange> {
    let amount = IntegerRange { lo: 0, hi: i128::from(scalar.bits()) - 1 }.contains(b);
    match op {
        ShiftOp::Shl => amount.then(|| corners(a, b, |x, n| x.saturating_mul(1 << n))),
        ShiftOp::Shr if amount => Some(corners(a, b, |x, n| x >> n)),
        ShiftOp::Shr => Some(IntegerRange { lo: a.lo.min(0), hi: a.hi.max(-1) }),
    }
}

/// The position is -1 if no bit is found, which an unsigned type cannot represent.
fn search(scalar: Scalar, x: IntegerRange) -> Option<IntegerRange> {
    let last = i128::from(scalar.bits()) - 1;
    match scalar.is_signed_integer() {
        true => Some(IntegerRange { lo: -1, hi: last }),
        false => (x.lo > 0).then_some(IntegerRange { lo: 0, hi: last }),
    }
}

fn extract(scalar: Scalar, x: IntegerRange, count: IntegerRange) -> Option<IntegerRange> {
    let count = count.single().filter(|&n| 0 < n && n < i128::from(scalar.bits()))?;
    Some(match scalar.is_signed_integer() {
        true => IntegerRange { lo: -(1 << (count - 1)), hi: (1 << (count - 1)) - 1 },
        false => IntegerRange { lo: 0, hi: x.hi.min((1 << count) - 1) },
    })
}
