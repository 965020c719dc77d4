//! The checks of arithmetic: what an operation on integers would give without bounds, compared with
//! what the type can hold.

use tilewise_ir::launch::ArithmeticSlip;
use tilewise_ir::ops::{ArithmeticOp, DivisionOp, IntegerOp, OpFamily, OverflowRule, SignOp};
use tilewise_ir::types::Scalar;

use crate::Checks;
use crate::code::ArithmeticCode;

/// Whether an operation can make a slip that these checks report.
pub(crate) fn is_checked(family: OpFamily, operands: Scalar, checks: &Checks) -> bool {
    match family {
        OpFamily::Arithmetic(_, OverflowRule::Wrap) | OpFamily::MultiplyAdd => checks.overflow && is_integer(operands),
        OpFamily::Signed(SignOp::Neg | SignOp::Abs) | OpFamily::Integer(IntegerOp::Ipow) => {
            checks.overflow && is_integer(operands)
        }
        OpFamily::Division(_) => (checks.overflow || checks.division_by_zero) && is_integer(operands),
        OpFamily::Shift(_) => checks.shifts,
        OpFamily::Conversion(to) => checks.lossy_conversions && is_integer(to) && operands != Scalar::Bool,
        OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
        | OpFamily::Signed(SignOp::Sign)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(IntegerOp::MulHi | IntegerOp::AbsDiff | IntegerOp::Isqrt)
        | OpFamily::Comparison(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::Bitwise(_)
        | OpFamily::Not
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Bitcast(_)
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry(_) => false,
    }
}

/// The slip that an operation makes with these operands, one component of each; only those that
/// are checked.
pub(super) fn slip(code: &ArithmeticCode, operands: [u64; 3], checks: &Checks) -> Option<ArithmeticSlip> {
    let scalar = code.scalar;
    let overflow = |exact: Option<i128>| {
        let fits = exact.is_some_and(|exact| range(scalar).contains(&exact));
        (checks.overflow && !fits).then_some(ArithmeticSlip::Overflow)
    };
    let [a, b, c] = operands.map(|bits| integer(scalar, bits));
    match code.op.family() {
        OpFamily::Arithmetic(what, _) => overflow(match what {
            ArithmeticOp::Add => a.checked_add(b),
            ArithmeticOp::Sub => a.checked_sub(b),
            ArithmeticOp::Mul => a.checked_mul(b),
        }),
        OpFamily::MultiplyAdd => overflow(a.checked_mul(b).and_then(|product| product.checked_add(c))),
        OpFamily::Signed(_) => overflow(a.checked_abs()),
        // The exponent is a `u32`.
        OpFamily::Integer(_) => overflow(a.checked_pow(operands[1] as u32)),
        OpFamily::Division(what) => match (b, what) {
            (0, _) => checks.division_by_zero.then_some(ArithmeticSlip::DivisionByZero),
            (_, DivisionOp::Div | DivisionOp::DivEuclid) => overflow(a.checked_div(b)),
            (_, DivisionOp::Rem | DivisionOp::RemEuclid) => None,
        },
        OpFamily::Shift(_) => (operands[1] as u32 >= scalar.bits()).then_some(ArithmeticSlip::Shift),
        OpFamily::Conversion(to) => {
            let fits = match scalar {
                Scalar::F32 => float_fits(f64::from(f32::from_bits(operands[0] as u32)), to),
                Scalar::F64 => float_fits(f64::from_bits(operands[0]), to),
                Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => range(to).contains(&a),
            };
            (!fits).then_some(ArithmeticSlip::LossyConversion)
        }
        _ => None,
    }
}

fn is_integer(scalar: Scalar) -> bool {
    match scalar {
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => true,
        Scalar::Bool | Scalar::F32 | Scalar::F64 => false,
    }
}

/// The numbers of an integer type; none of other types.
fn range(scalar: Scalar) -> std::ops::Range<i128> {
    match scalar {
        Scalar::I32 => i128::from(i32::MIN)..i128::from(i32::MAX) + 1,
        Scalar::U32 => 0..i128::from(u32::MAX) + 1,
        Scalar::I64 => i128::from(i64::MIN)..i128::from(i64::MAX) + 1,
        Scalar::U64 => 0..i128::from(u64::MAX) + 1,
        Scalar::Bool | Scalar::F32 | Scalar::F64 => 0..0,
    }
}

fn integer(scalar: Scalar, bits: u64) -> i128 {
    match scalar {
        Scalar::I32 => i128::from(bits as u32 as i32),
        Scalar::I64 => i128::from(bits as i64),
        Scalar::Bool | Scalar::U32 | Scalar::U64 | Scalar::F32 | Scalar::F64 => i128::from(bits),
    }
}

/// Whether a float, without its fraction, is a number of the type.
fn float_fits(x: f64, to: Scalar) -> bool {
    // A float beyond the range of i128 becomes its limit, which no type has.
    !x.is_nan() && range(to).contains(&(x.trunc() as i128))
}
