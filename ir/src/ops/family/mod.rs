//! Families of operations: which operations a pass may treat alike.
//!
//! [`Op::family`] is the one table that says it of every operation. A pass that does not mean each
//! operation matches on [`OpFamily`], and names every family. So an operation that is added does not
//! compile before it has a family, and an operation of a family with members does not compile
//! before each pass that tells the members apart knows it.

mod table;
#[cfg(test)]
mod tests;

use super::Op;
use crate::types::{Scalar, Stored};

/// Operations that passes treat alike. A family has a payload where passes tell its members apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpFamily {
    /// A sum, a difference or a product, and what happens when the exact number is outside of an
    /// integer's type.
    Arithmetic(ArithmeticOp, OverflowRule),
    /// A quotient or a remainder.
    Division(DivisionOp),
    /// A product and a sum: `mad` and `fma`.
    MultiplyAdd,
    /// Of signed numbers and floats: the negative, the absolute value, the sign.
    Signed(SignOp),
    /// The smaller or the larger of two numbers.
    Extreme(ExtremeOp),
    /// A number held between two others.
    Clamp,
    /// Arithmetic of integers only.
    Integer(IntegerOp),
    /// Two values compared.
    Comparison(Comparison),
    /// One of two values by a condition.
    Select,
    /// All components of a condition together: `any` and `all`.
    Reduction,
    /// Bit by bit, of two integers or conditions.
    Bitwise(BitwiseOp),
    /// Each bit, or the condition, turned into its opposite.
    Not,
    /// All bits moved one way; those that leave are lost.
    Shift(ShiftOp),
    /// A number of bits: those set, those that are zero before the first or behind the last.
    BitCount,
    /// The position of a bit, or -1: `first_high` and `first_low`.
    BitSearch,
    /// Bits brought to other positions: rotations, reversals, `insert_bits`.
    BitMove,
    /// Some bits as a number of their own.
    ExtractBits,
    /// The value as one of another scalar type.
    Conversion(Scalar),
    /// The bits as another scalar type.
    Bitcast(Scalar),
    /// The value of a number that is stored in so many bits, as a scalar.
    Narrow(Stored),
    /// Another function of floats, component by component.
    Float,
    /// A question about a float: `is_nan`, `sign_bit`.
    FloatTest,
    /// Several small numbers in one integer: made, read, or computed with.
    Packed,
    /// A function of vectors as a whole.
    Geometry,
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

/// What an operation gives where the exact number is outside of the integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowRule {
    /// The low bits. These operations exist for floats too, which round.
    Wrap,
    /// The end of the type.
    Saturate,
    /// Whether the number is outside, and no number.
    Report,
}

/// Quotients and remainders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DivisionOp {
    /// The quotient, rounded to zero for integers.
    Div,
    /// The remainder with the sign of the dividend.
    Rem,
    /// The quotient that belongs to `RemEuclid`.
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

/// Arithmetic that floats do not have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntegerOp {
    /// The high half of the product.
    MulHi,
    /// The distance.
    AbsDiff,
    /// A power.
    Ipow,
    /// The square root, rounded down.
    Isqrt,
}

/// Bit by bit, of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitwiseOp {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
}

/// The directions of shifts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShiftOp {
    /// To higher positions.
    Shl,
    /// To lower positions; of a signed number the sign fills in.
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

    /// The comparison that says the same with its operands exchanged: `a < b` is `b > a`.
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

    /// The comparison that is true where this one is false. Of floats, with NaN, it is so for `Eq`
    /// and `Ne` only.
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
