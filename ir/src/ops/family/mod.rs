//! Families of operations: groups of operations that a pass may treat alike.
//!
//! [`Op::family`] is the one table from operations to families. A pass that need not distinguish
//! each operation matches on [`OpFamily`], and names every family. So a new operation does not
//! compile until it has a family, and a new member of a family with a payload does not compile
//! until each pass that distinguishes the members handles it.

mod table;
#[cfg(test)]
mod tests;

use super::{Op, VectorSteps};
use crate::types::{Scalar, Stored};

/// Operations that passes treat alike. A family has a payload if passes distinguish its members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpFamily {
    /// A sum, a difference or a product, and the result when the exact number is out of an
    /// integer's range.
    Arithmetic(ArithmeticOp, OverflowRule),
    /// A quotient or a remainder.
    Division(DivisionOp),
    /// A product and a sum: `mad` and `fma`.
    MultiplyAdd,
    /// Negation, absolute value or sign of a signed integer or a float.
    Signed(SignOp),
    /// The smaller or the larger of two numbers.
    Extreme(ExtremeOp),
    /// A number limited to a range.
    Clamp,
    /// Integer-only arithmetic.
    Integer(IntegerOp),
    /// A comparison of two values.
    Comparison(Comparison),
    /// Selects one of two values by a condition.
    Select,
    /// Combines all components of a condition: `any` and `all`.
    Reduction,
    /// Bitwise operation of two integers or conditions.
    Bitwise(BitwiseOp),
    /// Bitwise or logical negation.
    Not,
    /// Shifts all bits; those shifted out are lost.
    Shift(ShiftOp),
    /// A count of bits: of set ones, of leading or of trailing zeros.
    BitCount,
    /// The position of a bit, or -1: `first_high` and `first_low`.
    BitSearch,
    /// Moves bits to other positions: rotations, reversals, `insert_bits`.
    BitMove,
    /// Extracts a bit field as a number.
    ExtractBits,
    /// Converts the value to another scalar type.
    Conversion(Scalar),
    /// Reinterprets the bits as another scalar type.
    Bitcast(Scalar),
    /// The value of a number stored in a narrow format, as a scalar.
    Narrow(Stored),
    /// Any other componentwise function of floats.
    Float,
    /// A predicate on a float: `is_nan`, `sign_bit`.
    FloatTest,
    /// Makes, reads or computes with several small numbers in one integer.
    Packed,
    /// A function of whole vectors, and the steps that it consists of.
    Geometry(VectorSteps),
}

/// Sums, differences and products.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArithmeticOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
}

/// The result when the exact number is out of the integer type's range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowRule {
    /// The low bits. These operations exist for floats too, and round.
    Wrap,
    /// The nearest limit of the type.
    Saturate,
    /// Only whether the number is out of range.
    Report,
}

/// Quotients and remainders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DivisionOp {
    /// The quotient, rounded toward zero for integers.
    Div,
    /// The remainder with the sign of the dividend.
    Rem,
    /// The quotient that matches `RemEuclid`.
    DivEuclid,
    /// The remainder that is never negative.
    RemEuclid,
}

/// Functions of one signed number or float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SignOp {
    /// `-x`
    Neg,
    /// The absolute value.
    Abs,
    /// -1, 0 or 1.
    Sign,
}

/// The smaller or the larger number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExtremeOp {
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

/// Integer-only operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntegerOp {
    /// The high half of the product.
    MulHi,
    /// The absolute difference.
    AbsDiff,
    /// A power.
    Ipow,
    /// The square root, rounded down.
    Isqrt,
}

/// Bitwise operations of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitwiseOp {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
}

/// Directions of shifts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShiftOp {
    /// To higher positions.
    Shl,
    /// To lower positions; arithmetic for signed numbers.
    Shr,
}

/// The comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
}

impl Comparison {
    /// The operation.
    pub const fn op(self) -> Op {
        match self {
            Comparison::Eq => Op::Eq,
            Comparison::Ne => Op::Ne,
            Comparison::Lt => Op::Lt,
            Comparison::Le => Op::Le,
            Comparison::Gt => Op::Gt,
            Comparison::Ge => Op::Ge,
        }
    }

    /// The equivalent comparison with operands exchanged: `a < b` is `b > a`.
    #[must_use]
    pub const fn swapped(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Eq,
            Comparison::Ne => Comparison::Ne,
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
        }
    }

    /// The complementary comparison. For floats, because of NaN, it is the complement for `Eq` and
    /// `Ne` only.
    #[must_use]
    pub const fn negated(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ge => Comparison::Lt,
        }
    }
}
