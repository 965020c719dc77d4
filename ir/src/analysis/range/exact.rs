//! The range of each operation as if types had no bounds: from its family, by one table.

use super::Range;
use crate::ops::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, Op, OpFamily, OverflowRule, ShiftOp, SignOp,
};
use crate::types::Scalar;

/// The result as if types had no bounds. Nothing is said of an argument without a range, nor of many operations.
pub(super) fn unbounded(op: Op, scalar: Scalar, args: &[Option<Range>]) -> Option<Range> {
    if args.len() != op.row().args.len() {
        return None;
    }
    let mut known = [Range::BOOL; 4];
    for (known, arg) in known.iter_mut().zip(args) {
        *known = (*arg)?;
    }
    let [a, b, c, _] = known;
    match op.family() {
        OpFamily::Arithmetic(what, rule) => arithmetic(what, rule, scalar, a, b),
        OpFamily::Division(part) => division(part, a, b),
        OpFamily::MultiplyAdd => {
            let product = corners(a, b, i128::saturating_mul);
            Some(Range { lo: product.lo.saturating_add(c.lo), hi: product.hi.saturating_add(c.hi) })
        }
        OpFamily::Signed(op) => Some(signed(op, a)),
        OpFamily::Extreme(ExtremeOp::Min) => Some(Range { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) }),
        OpFamily::Extreme(ExtremeOp::Max) => Some(Range { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) }),
        OpFamily::Clamp => Some(Range { lo: a.lo.max(b.lo).min(c.lo), hi: a.hi.max(b.hi).min(c.hi) }),
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
        OpFamily::BitCount => Some(Range { lo: 0, hi: i128::from(scalar.bits()) }),
        OpFamily::BitSearch => search(scalar, a),
        OpFamily::ExtractBits => extract(scalar, a, c),
        OpFamily::Conversion(_) | OpFamily::Bitcast(_) => op.integer_change().map(|_| a),
        OpFamily::Narrow(stored) => Range::of_stored(stored).map(|format| if format.contains(a) { a } else { format }),
        OpFamily::Reduction
        | OpFamily::BitMove
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry => None,
    }
}

/// The hull of what a function gives on the ends, which is the hull of all if it is monotone in each argument.
fn corners(a: Range, b: Range, f: impl Fn(i128, i128) -> i128) -> Range {
    let all = [f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    all.into_iter().fold(Range::just(f(a.lo, b.lo)), |hull, n| hull.join(Range::just(n)))
}

fn decided(always: bool, never: bool) -> Range {
    match (always, never) {
        (true, _) => Range::just(1),
        (_, true) => Range::just(0),
        _ => Range::BOOL,
    }
}

fn arithmetic(what: ArithmeticOp, rule: OverflowRule, scalar: Scalar, a: Range, b: Range) -> Option<Range> {
    let whole = Range::of_type(scalar)?;
    let exact = match what {
        ArithmeticOp::Add => Range { lo: a.lo + b.lo, hi: a.hi + b.hi },
        ArithmeticOp::Sub => Range { lo: a.lo - b.hi, hi: a.hi - b.lo },
        // Saturated numbers lie outside every type, as the exact ones do.
        ArithmeticOp::Mul => corners(a, b, i128::saturating_mul),
    };
    Some(match rule {
        OverflowRule::Wrap => exact,
        OverflowRule::Saturate => {
            Range { lo: exact.lo.clamp(whole.lo, whole.hi), hi: exact.hi.clamp(whole.lo, whole.hi) }
        }
        OverflowRule::Report => decided(whole.meet(exact).is_none(), whole.contains(exact)),
    })
}

fn division(part: DivisionOp, a: Range, b: Range) -> Option<Range> {
    let natural = a.lo >= 0 && b.lo >= 0;
    // Division by zero gives the dividend.
    let of_natural = || Range { lo: if b.lo > 0 { a.lo / b.hi } else { 0 }, hi: a.hi / b.lo.max(1) };
    match part {
        DivisionOp::Div if b.lo > 0 || b.hi < 0 => Some(corners(a, b, |x, y| x / y)),
        DivisionOp::Div | DivisionOp::DivEuclid if natural => Some(of_natural()),
        DivisionOp::Div => {
            let most = a.lo.abs().max(a.hi.abs());
            Some(Range { lo: -most, hi: most })
        }
        DivisionOp::DivEuclid => (b.lo > 0).then(|| corners(a, b, i128::div_euclid)),
        DivisionOp::Rem => Some(remainder(a, b, false)),
        DivisionOp::RemEuclid => Some(remainder(a, b, true)),
    }
}

/// Of a division by zero it is zero, which the hull holds.
fn remainder(a: Range, b: Range, euclid: bool) -> Range {
    if a.lo >= 0 && b.lo > a.hi {
        return a;
    }
    let most = (b.lo.abs().max(b.hi.abs()) - 1).max(0);
    if euclid {
        return Range { lo: 0, hi: if a.lo >= 0 { a.hi.min(most) } else { most } };
    }
    Range { lo: if a.lo >= 0 { 0 } else { a.lo.max(-most) }, hi: if a.hi <= 0 { 0 } else { a.hi.min(most) } }
}

fn signed(op: SignOp, x: Range) -> Range {
    let Range { lo, hi } = x;
    match op {
        SignOp::Neg => Range { lo: -hi, hi: -lo },
        SignOp::Abs if lo >= 0 => x,
        SignOp::Abs => Range { lo: if hi >= 0 { 0 } else { -hi }, hi: (-lo).max(hi) },
        SignOp::Sign => Range { lo: lo.signum(), hi: hi.signum() },
    }
}

fn integer(op: IntegerOp, scalar: Scalar, a: Range, b: Range) -> Option<Range> {
    match op {
        IntegerOp::MulHi => (scalar.bits() == 32).then(|| corners(a, b, |x, y| (x * y) >> 32)),
        IntegerOp::AbsDiff => {
            let disjoint = a.hi < b.lo || b.hi < a.lo;
            Some(Range {
                lo: if disjoint { (b.lo - a.hi).max(a.lo - b.hi) } else { 0 },
                hi: (a.hi - b.lo).max(b.hi - a.lo),
            })
        }
        IntegerOp::Ipow => None,
        IntegerOp::Isqrt => Some(Range { lo: a.lo.max(0).isqrt(), hi: a.hi.max(0).isqrt() }),
    }
}

fn compare(comparison: Comparison, a: Range, b: Range) -> Range {
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

fn bitwise(op: BitwiseOp, a: Range, b: Range) -> Option<Range> {
    let natural = a.lo >= 0 && b.lo >= 0;
    // All bits set, up to the highest that either may have.
    let below_power = || (((a.hi | b.hi) + 1) as u128).next_power_of_two() as i128 - 1;
    match op {
        BitwiseOp::And => {
            let hi = [a, b].into_iter().filter(|x| x.lo >= 0).map(|x| x.hi).min()?;
            Some(Range { lo: 0, hi })
        }
        BitwiseOp::Or => natural.then(|| Range { lo: a.lo.max(b.lo), hi: below_power() }),
        BitwiseOp::Xor => natural.then(|| Range { lo: 0, hi: below_power() }),
    }
}

fn not(scalar: Scalar, x: Range) -> Option<Range> {
    let Range { lo, hi } = x;
    if scalar == Scalar::Bool {
        return Some(Range { lo: 1 - hi, hi: 1 - lo });
    }
    if scalar.is_signed_integer() {
        return Some(Range { lo: -1 - hi, hi: -1 - lo });
    }
    Range::of_type(scalar).map(|whole| Range { lo: whole.hi - hi, hi: whole.hi - lo })
}

fn shift(op: ShiftOp, scalar: Scalar, a: Range, b: Range) -> Option<Range> {
    let amount = Range { lo: 0, hi: i128::from(scalar.bits()) - 1 }.contains(b);
    match op {
        ShiftOp::Shl => amount.then(|| corners(a, b, |x, n| x.saturating_mul(1 << n))),
        ShiftOp::Shr if amount => Some(corners(a, b, |x, n| x >> n)),
        ShiftOp::Shr => Some(Range { lo: a.lo.min(0), hi: a.hi.max(-1) }),
    }
}

/// Where nothing is found the position is -1, which an unsigned type does not hold.
fn search(scalar: Scalar, x: Range) -> Option<Range> {
    let last = i128::from(scalar.bits()) - 1;
    match scalar.is_signed_integer() {
        true => Some(Range { lo: -1, hi: last }),
        false => (x.lo > 0).then_some(Range { lo: 0, hi: last }),
    }
}

fn extract(scalar: Scalar, x: Range, count: Range) -> Option<Range> {
    let count = count.single().filter(|&n| 0 < n && n < i128::from(scalar.bits()))?;
    Some(match scalar.is_signed_integer() {
        true => Range { lo: -(1 << (count - 1)), hi: (1 << (count - 1)) - 1 },
        false => Range { lo: 0, hi: x.hi.min((1 << count) - 1) },
    })
}
