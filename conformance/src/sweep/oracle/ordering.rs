//! The oracle of float operations that only compare and choose: the size of a float is ordered as its bits without the sign are.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::soft::Format;
use super::softfloat::format;

/// The bits without the sign, and the sign.
fn parts(f: Format, a: u64) -> (u64, bool) {
    (a & !f.sign(), a & f.sign() != 0)
}

fn is_nan(f: Format, a: u64) -> bool {
    parts(f, a).0 > f.inf()
}

/// The rank among numbers; both zeros have rank 0.
fn rank(f: Format, a: u64) -> i128 {
    let (size, negative) = parts(f, a);
    if negative { -i128::from(size) } else { i128::from(size) }
}

/// The rank among numbers, -0 just below +0.
fn fine_rank(f: Format, a: u64) -> i128 {
    2 * rank(f, a) - i128::from(parts(f, a).1)
}

pub(crate) fn min(f: Format, a: u64, b: u64) -> u64 {
    match (is_nan(f, a), is_nan(f, b)) {
        (true, _) => b,
        (false, true) => a,
        (false, false) => [a, b].into_iter().min_by_key(|&x| fine_rank(f, x)).unwrap_or(a),
    }
}

pub(crate) fn max(f: Format, a: u64, b: u64) -> u64 {
    match (is_nan(f, a), is_nan(f, b)) {
        (true, _) => b,
        (false, true) => a,
        (false, false) => [a, b].into_iter().max_by_key(|&x| fine_rank(f, x)).unwrap_or(a),
    }
}

/// 0 to 1; NaN gives 0.
pub(crate) fn saturate(f: Format, a: u64) -> u64 {
    if is_nan(f, a) || rank(f, a) <= 0 {
        0
    } else if rank(f, a) >= rank(f, f.one()) {
        f.one()
    } else {
        a
    }
}

/// Below zero? Not so for -0 and NaN.
pub(crate) fn negative(f: Format, a: u64) -> bool {
    !is_nan(f, a) && rank(f, a) < 0
}

/// The result of an *each* row on one component.
pub(crate) fn each(op: Op, t: Scalar, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let f = format(t)?;
    let nan = is_nan(f, a) || is_nan(f, b);
    let (rank_a, rank_b) = (rank(f, a), rank(f, b));
    let (size, sign) = parts(f, a);
    let truth = |holds: bool| Some(u64::from(holds));
    let smallest_normal = 1 << f.fraction;
    match op {
        Op::Eq => truth(!nan && rank_a == rank_b),
        Op::Ne => truth(nan || rank_a != rank_b),
        Op::Lt => truth(!nan && rank_a < rank_b),
        Op::Le => truth(!nan && rank_a <= rank_b),
        Op::Gt => truth(!nan && rank_a > rank_b),
        Op::Ge => truth(!nan && rank_a >= rank_b),
        Op::Min => Some(min(f, a, b)),
        Op::Max => Some(max(f, a, b)),
        Op::Clamp => Some(min(f, max(f, a, b), c)),
        Op::Saturate => Some(saturate(f, a)),
        // The first argument is the edge.
        Op::Step => Some(if !nan && rank_b >= rank_a { f.one() } else { 0 }),
        Op::Sign if size > f.inf() || size == 0 => Some(a),
        Op::Sign => Some(f.signed(sign, f.one())),
        Op::Signum if size > f.inf() => Some(a),
        Op::Signum => Some(f.signed(sign, f.one())),
        Op::NextUp if size > f.inf() || a == f.inf() => Some(a),
        Op::NextUp if size == 0 => Some(1),
        Op::NextUp => Some(if sign { a - 1 } else { a + 1 }),
        Op::NextDown if size > f.inf() || a == f.signed(true, f.inf()) => Some(a),
        Op::NextDown if size == 0 => Some(f.signed(true, 1)),
        Op::NextDown => Some(if sign { a + 1 } else { a - 1 }),
        Op::IsNan => truth(size > f.inf()),
        Op::IsInf => truth(size == f.inf()),
        Op::IsFinite => truth(size < f.inf()),
        Op::IsNormal => truth(size >= smallest_normal && size < f.inf()),
        Op::IsSubnormal => truth(size > 0 && size < smallest_normal),
        Op::TotalCmp => {
            let (other, other_sign) = parts(f, b);
            let below = match (sign, other_sign) {
                (false, false) => size < other,
                (true, true) => size > other,
                (negative, _) => negative,
            };
            Some(if a == b {
                0
            } else if below {
                u64::from(u32::MAX)
            } else {
                1
            })
        }
        _ => None,
    }
}
