//! Defines the pure operations: their names, type rules, meaning and accuracy.
//!
//! `table.rs` has one row for each operation, from which everything else is derived: the checker's
//! rule ([`Op::resolve`]), the name for parser and printer, the interpreter ([`Op::each`],
//! [`Op::whole`]), the sweep of the conformance suite, the line in `docs/ops.md`.
//!
//! | module | contents |
//! |---|---|
//! | `table` | the rows |
//! | `family` | [`OpFamily`]: operations that passes treat alike |
//! | `bits` | [`ScalarBits`]: conversion between Rust values and bits |
//! | `float`, `integer`, `pack`, `geometry` | meanings that are too long for a row |
//! | `page` | generator of `docs/ops.md` |
//!
//! # Parts of a row
//! - The **doc sentence** decides every edge case: NaN, signed zero, denormals, overflow, division
//!   by zero.
//! - The **type rule**: each argument and the result is a slot. Its component type is the row's
//!   type variable `T` (restricted to a class of scalars) or a fixed scalar; its width is the
//!   operation's common width or a fixed number.
//! - The **meaning** is Rust code, instantiated for each scalar of a class. *Each*: a function of
//!   one component, applied to every component. *Whole*: a function of all components together
//!   (`dot`, `pack4x8snorm`).
//! - The **accuracy**: in Strict every row is exact to the bit; `relaxed` is the permitted error of
//!   a target in a Relaxed launch.
//! - The **oracle**: the second, independent definition against which tests compare the row.
//!
//! Representation: a component is a `u64` with the bits of its scalar, zero-extended (as in
//! [`Const`](crate::kernel::Const)). A value is four of them ([`Lanes`]), unused ones zero. A NaN
//! result is the one that the Rust code produces: payload and sign of NaN are unspecified, and
//! comparisons of results treat all NaNs as equal.

mod bits;
mod family;
mod float;
mod geometry;
mod integer;
mod pack;
mod page;
mod steps;
mod table;

use crate::types::{Data, Scalar};

pub use bits::ScalarBits;
pub use family::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, OpFamily, OverflowRule, ShiftOp, SignOp,
};
pub use page::markdown;
pub use steps::{StepWriter, VectorSteps};
pub use table::Op;

/// The components of a value, as bits; those beyond its width are zero.
pub type Lanes = [u64; 4];

/// Meaning of an *each* row: maps one component of each argument to one component of the result.
/// Unused arguments are zero.
pub type Each = fn([u64; 4]) -> u64;

/// Meaning of a *whole* row: the arguments, and the common width.
pub type WholeMeaning = fn([Lanes; 4], usize) -> Lanes;

/// Component type of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotScalar {
    /// The row's type variable.
    T,
    /// A fixed scalar.
    Fixed(Scalar),
}

/// Width of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotWidth {
    /// The common width of the operation.
    Common,
    /// A fixed number of components.
    Exactly(u8),
}

/// One argument of a row, or its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandSlot {
    /// The name in documentation; empty for the result.
    pub name: &'static str,
    /// Component type.
    pub scalar: SlotScalar,
    /// Number of components.
    pub width: SlotWidth,
}

/// The independent definition against which tests compare a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oracle {
    /// Arithmetic on `i128`, which never overflows here, reduced to the type by the stated rule.
    I128,
    /// A soft-float on sign, exponent and an integer significand.
    SoftFloat,
    /// A loop over single bits.
    BitLoop,
    /// Correctly rounded functions of CORE-MATH.
    CoreMath,
    /// Case analysis by comparison of the ordered bit pattern.
    Ordering,
    /// The formula of the doc sentence, in soft-float steps.
    Composed,
}

impl Oracle {
    /// The name in `docs/ops.md`.
    pub const fn name(self) -> &'static str {
        match self {
            Oracle::I128 => "i128 arithmetic",
            Oracle::SoftFloat => "bit-level soft-float",
            Oracle::BitLoop => "bit loop",
            Oracle::CoreMath => "CORE-MATH",
            Oracle::Ordering => "ordered bit patterns",
            Oracle::Composed => "composed soft-float",
        }
    }
}

/// Permitted error of a target in Relaxed. In Strict no error is permitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Relaxed {
    /// None: exact in Relaxed too.
    Exact,
    /// Units in the last place of the correct result.
    Ulp(f32),
    /// The steps that the row spells out may be contracted or reordered, and a division or root
    /// among them may have the error of `div` or `sqrt`. Integers are exact.
    Contracted,
}

/// A row without its meaning.
#[derive(Clone, Copy, Debug)]
pub struct OpRow {
    /// The operation.
    pub op: Op,
    /// The name in the text form.
    pub name: &'static str,
    /// The doc sentence.
    pub doc: &'static str,
    /// The scalars that `T` may be; empty if the row has no `T`.
    pub class: &'static [Scalar],
    /// The arguments.
    pub args: &'static [OperandSlot],
    /// The result.
    pub result: OperandSlot,
    /// Smallest and largest common width; (1, 1) if there is none.
    pub widths: (u8, u8),
    /// Whether it is an *each* row.
    pub each: bool,
    /// Accuracy in Relaxed.
    pub relaxed: Relaxed,
    /// The independent definitions; one of them covers each type.
    pub oracles: &'static [Oracle],
}

/// A use of an operation: its type variable and common width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    /// `T`; for a row without `T`, the result's component type.
    pub scalar: Scalar,
    /// The common width; 1 if there is none.
    pub width: u8,
    /// Type of the result.
    pub result: Data,
}

/// The reason why arguments do not fit a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandMisfit {
    /// A wrong number of arguments.
    Count {
        /// Number of arguments of the row.
        expected: usize,
    },
    /// An argument whose component type is outside the class of `T`.
    Class {
        /// Index of the argument.
        arg: usize,
    },
    /// An argument whose component type differs from that of an earlier one, or from the row's
    /// fixed one.
    Scalar {
        /// Index of the argument.
        arg: usize,
        /// The expected component type.
        expected: Scalar,
    },
    /// An argument whose width differs from that of an earlier one, or from the row's fixed one.
    Width {
        /// Index of the argument.
        arg: usize,
        /// The expected width.
        expected: u8,
    },
    /// A common width that the row does not have.
    CommonWidth {
        /// Index of the argument.
        arg: usize,
    },
}

impl Op {
    /// The row.
    pub fn row(self) -> &'static OpRow {
        &Op::ROWS[self as usize]
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The operation called `name`.
    pub fn by_name(name: &str) -> Option<Op> {
        Op::ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// The type rule: the instance of the operation for arguments of these types.
    pub fn resolve(self, args: &[Data]) -> Result<Instance, OperandMisfit> {
        let row = self.row();
        if args.len() != row.args.len() {
            return Err(OperandMisfit::Count { expected: row.args.len() });
        }
        let mut scalar = None;
        let mut width = None;
        for (arg, (slot, data)) in row.args.iter().zip(args).enumerate() {
            match (slot.scalar, scalar) {
                (SlotScalar::Fixed(expected), _) if expected != data.scalar => {
                    return Err(OperandMisfit::Scalar { arg, expected });
                }
                (SlotScalar::Fixed(_), _) => {}
                (SlotScalar::T, Some(expected)) if expected != data.scalar => {
                    return Err(OperandMisfit::Scalar { arg, expected });
                }
                (SlotScalar::T, Some(_)) => {}
                (SlotScalar::T, None) if !row.class.contains(&data.scalar) => return Err(OperandMisfit::Class { arg }),
                (SlotScalar::T, None) => scalar = Some(data.scalar),
            }
            match (slot.width, width) {
                (SlotWidth::Exactly(expected), _) | (SlotWidth::Common, Some(expected)) if expected != data.width => {
                    return Err(OperandMisfit::Width { arg, expected });
                }
                (SlotWidth::Exactly(_), _) | (SlotWidth::Common, Some(_)) => {}
                (SlotWidth::Common, None) if data.width < row.widths.0 || data.width > row.widths.1 => {
                    return Err(OperandMisfit::CommonWidth { arg });
                }
                (SlotWidth::Common, None) => width = Some(data.width),
            }
        }
        let result_scalar = match row.result.scalar {
            SlotScalar::Fixed(fixed) => fixed,
            SlotScalar::T => scalar.unwrap_or(Scalar::Bool),
        };
        let result_width = match row.result.width {
            SlotWidth::Exactly(n) => n,
            SlotWidth::Common => width.unwrap_or(1),
        };
        Ok(Instance {
            scalar: scalar.unwrap_or(result_scalar),
            width: width.unwrap_or(1),
            result: Data { scalar: result_scalar, width: result_width },
        })
    }

    /// Evaluates a componentwise row on constants, given as the bits of their values. `None` if one
    /// of them is unknown, or if the row is none that this scalar has componentwise.
    pub fn fold(self, scalar: Scalar, args: impl IntoIterator<Item = Option<u64>>) -> Option<u64> {
        let each = self.each(scalar)?;
        let mut bits = [0; 4];
        for (to, arg) in bits.iter_mut().zip(args) {
            *to = arg?;
        }
        Some(each(bits))
    }

    /// Evaluates the operation by the row's meaning: the definition, not a fast implementation.
    pub fn eval(self, instance: Instance, args: &[Lanes]) -> Lanes {
        let mut four = [[0; 4]; 4];
        four[..args.len()].copy_from_slice(args);
        if let Some(each) = self.each(instance.scalar) {
            let component = |i: usize| each(four.map(|arg| arg[i]));
            let mut out = [0; 4];
            (0..usize::from(instance.width)).for_each(|i| out[i] = component(i));
            return out;
        }
        match self.whole(instance.scalar) {
            Some(whole) => whole(four, usize::from(instance.width)),
            None => [0; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_meaning_for_every_scalar_of_its_class() {
        for row in Op::ROWS {
            assert_eq!(Op::by_name(row.name), Some(row.op), "{} is found by its name", row.name);
            assert!(!row.doc.is_empty() && !row.oracles.is_empty(), "{} has a doc sentence and an oracle", row.name);
            assert!(row.args.len() <= 4, "{} fits the four argument lanes", row.name);
            let fixed = [match row.result.scalar {
                SlotScalar::Fixed(scalar) => scalar,
                SlotScalar::T => Scalar::Bool,
            }];
            let scalars = if row.class.is_empty() { &fixed[..] } else { row.class };
            for &scalar in scalars {
                let has = if row.each { row.op.each(scalar).is_some() } else { row.op.whole(scalar).is_some() };
                assert!(has, "{} has no meaning for {scalar}", row.name);
            }
        }
    }
}
