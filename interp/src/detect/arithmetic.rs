//! The checks of arithmetic: what an operation on integers would give without bounds, compared with
//! what the type can hold.

use tilewise_ir::launch::ArithmeticSlip;
use tilewise_ir::ops::{ArithmeticOp, DivisionOp, IntegerOp, OpFamily, OverflowRule, SignOp};
use tilewise_ir::types::{Scalar, Stored};

use crate::Checks;
use crate::code::ArithmeticCode;

/// The rule by which an operation is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArithmeticRule {
    /// A sum, a difference or a product.
    Sum(ArithmeticOp),
    /// `a * b + c`.
    MultiplyAdd,
    /// A negative or an absolute value.
    Magnitude,
    /// A power; the exponent is a `u32`.
    Power,
    /// A quotient or a remainder.
    Division(DivisionOp),
    /// A shift; the amount is a `u32`.
    Shift,
    /// A conversion to this integer type.
    Conversion(Scalar),
    /// Integers of 8 and 16 bits: what is left of the result of an operation with 32 bits.
    NarrowResult(Stored),
    /// A conversion to an integer of 8 or 16 bits.
    NarrowCast(Stored),
}

impl ArithmeticRule {
    /// The rule for an operation on operands of this type; `None` if it cannot make a slip that
    /// these checks report. `before` is the operation that has made the operand, if it has the same position in the
    /// source.
    pub(crate) fn of(
        family: OpFamily,
        before: Option<OpFamily>,
        operands: Scalar,
        checks: &Checks,
    ) -> Option<ArithmeticRule> {
        let overflows = |rule| (checks.overflow && is_integer(operands)).then_some(rule);
        match family {
            OpFamily::Arithmetic(what, OverflowRule::Wrap) => overflows(ArithmeticRule::Sum(what)),
            OpFamily::MultiplyAdd => overflows(ArithmeticRule::MultiplyAdd),
            OpFamily::Signed(SignOp::Neg | SignOp::Abs) => overflows(ArithmeticRule::Magnitude),
            OpFamily::Integer(IntegerOp::Ipow) => overflows(ArithmeticRule::Power),
            OpFamily::Division(what) => {
                let checked = (checks.overflow || checks.division_by_zero) && is_integer(operands);
                checked.then_some(ArithmeticRule::Division(what))
            }
            OpFamily::Shift(_) => checks.shifts.then_some(ArithmeticRule::Shift),
            OpFamily::Conversion(to) => {
                let checked = checks.lossy_conversions && is_integer(to) && operands != Scalar::Bool;
                checked.then_some(ArithmeticRule::Conversion(to))
            }
            OpFamily::Narrow(Stored::F16) => None,
            OpFamily::Narrow(to) => match before {
                Some(
                    OpFamily::Arithmetic(_, OverflowRule::Wrap)
                    | OpFamily::MultiplyAdd
                    | OpFamily::Signed(_)
                    | OpFamily::Division(DivisionOp::Div | DivisionOp::DivEuclid)
                    | OpFamily::Integer(IntegerOp::Ipow),
                ) => checks.overflow.then_some(ArithmeticRule::NarrowResult(to)),
                None | Some(OpFamily::Conversion(_)) => {
                    checks.lossy_conversions.then_some(ArithmeticRule::NarrowCast(to))
                }
                // A part of a number, as `to_le_bytes` takes.
                Some(_) => None,
            },
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
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => None,
        }
    }

    /// The format of 8 or 16 bits that its result has.
    pub(crate) const fn narrow(self) -> Option<Stored> {
        match self {
            ArithmeticRule::NarrowResult(to) | ArithmeticRule::NarrowCast(to) => Some(to),
            ArithmeticRule::Sum(_)
            | ArithmeticRule::MultiplyAdd
            | ArithmeticRule::Magnitude
            | ArithmeticRule::Power
            | ArithmeticRule::Division(_)
            | ArithmeticRule::Shift
            | ArithmeticRule::Conversion(_) => None,
        }
    }

    /// The type of an operand of an operation on `operands`.
    pub(super) fn operand(self, operands: Scalar, number: usize) -> Scalar {
        match self {
            ArithmeticRule::Power | ArithmeticRule::Shift if number == 1 => Scalar::U32,
            ArithmeticRule::Sum(_)
            | ArithmeticRule::MultiplyAdd
            | ArithmeticRule::Magnitude
            | ArithmeticRule::Power
            | ArithmeticRule::Division(_)
            | ArithmeticRule::Shift
            | ArithmeticRule::Conversion(_)
            | ArithmeticRule::NarrowResult(_)
            | ArithmeticRule::NarrowCast(_) => operands,
        }
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
    match code.rule {
        ArithmeticRule::Sum(what) => overflow(match what {
            ArithmeticOp::Add => a.checked_add(b),
            ArithmeticOp::Sub => a.checked_sub(b),
            ArithmeticOp::Mul => a.checked_mul(b),
        }),
        ArithmeticRule::MultiplyAdd => overflow(a.checked_mul(b).and_then(|product| product.checked_add(c))),
        ArithmeticRule::Magnitude => overflow(a.checked_abs()),
        ArithmeticRule::Power => overflow(a.checked_pow(operands[1] as u32)),
        ArithmeticRule::Division(what) => match (b, what) {
            (0, _) => checks.division_by_zero.then_some(ArithmeticSlip::DivisionByZero),
            // For a remainder too, as in Rust: `i32::MIN % -1`.
            (_, DivisionOp::Div | DivisionOp::DivEuclid | DivisionOp::Rem | DivisionOp::RemEuclid) => {
                overflow(a.checked_div(b))
            }
        },
        ArithmeticRule::Shift => (operands[1] as u32 >= scalar.bits()).then_some(ArithmeticSlip::Shift),
        ArithmeticRule::Conversion(to) => {
            let fits = match scalar {
                Scalar::F32 => float_fits(f64::from(f32::from_bits(operands[0] as u32)), to),
                Scalar::F64 => float_fits(f64::from_bits(operands[0]), to),
                Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => range(to).contains(&a),
            };
            (!fits).then_some(ArithmeticSlip::LossyConversion)
        }
        ArithmeticRule::NarrowResult(to) => {
            let fits = narrow_range(to).contains(&a);
            (!fits).then_some(ArithmeticSlip::Overflow)
        }
        ArithmeticRule::NarrowCast(to) => {
            let fits = narrow_range(to).contains(&a);
            (!fits).then_some(ArithmeticSlip::LossyConversion)
        }
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

/// The numbers of an integer type of 8 or 16 bits; all numbers of 64 bits for other formats.
fn narrow_range(stored: Stored) -> std::ops::RangeInclusive<i128> {
    match stored {
        Stored::I8 => i8::MIN.into()..=i8::MAX.into(),
        Stored::U8 => 0..=u8::MAX.into(),
        Stored::I16 => i16::MIN.into()..=i16::MAX.into(),
        Stored::U16 => 0..=u16::MAX.into(),
        Stored::I32
        | Stored::U32
        | Stored::I64
        | Stored::U64
        | Stored::F16
        | Stored::F32
        | Stored::F64
        | Stored::Bool => i64::MIN.into()..=u64::MAX.into(),
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
