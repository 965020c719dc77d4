//! The pure operations: what they are called, which types they take, what they mean.
//!
//! `table.rs` holds one row for each operation; everything else is worked out from the row: the checker's rule ([`Op::resolve`]), the parser's and
//! printer's name, the interpreter ([`Op::each`], [`Op::whole`]), the sweep of the conformance suite, the line in `docs/ops.md`.
//!
//! # What a row says
//! - The **doc sentence** decides every edge: NaN, signed zero, denormals, overflow, division by zero.
//! - The **type rule**: each argument and the result is a slot. Its component is the row's type variable `T` (with the class of scalars it ranges over) or
//!   a fixed scalar; its width is the operation's common width or a fixed number.
//! - The **meaning** is Rust code, instantiated for each scalar of a class. *Each*: on one component, applied to every component alike. *Whole*: on
//!   all components together (`dot`, `pack4x8snorm`).
//! - The **accuracy**: in Strict every row is exact to the bit; `relaxed` is what a target may be off by when the launch is Relaxed.
//! - The **oracle**: the second, independent definition that tests hold the row against.
//!
//! Bits: a component is a `u64` holding the bits of its scalar, zero-extended ([`Const`](crate::kernel::Const) says the same). A value is four of them
//! ([`Lanes`]), unused ones zero. A NaN result is whatever the Rust code gives: payload and sign of NaN are not specified, and comparisons of results
//! treat any NaN as equal to any NaN.

mod bits;
mod family;
mod float;
mod geometry;
mod integer;
mod pack;
mod page;
mod table;

use crate::types::{Data, Scalar};

pub use bits::ScalarBits;
pub use family::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, OpFamily, OverflowRule, ShiftOp, SignOp,
};
pub use page::markdown;
pub use table::Op;

/// The components of a value, as bits; those beyond the width are zero.
pub type Lanes = [u64; 4];

/// Meaning of an *each* row: one component of each argument gives one component of the result. Unused arguments are zero.
pub type Each = fn([u64; 4]) -> u64;

/// Meaning of a *whole* row: the arguments, and the common width.
pub type WholeMeaning = fn([Lanes; 4], usize) -> Lanes;

/// Component type of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotScalar {
    /// The row's type variable.
    T,
    /// Always this one.
    Fixed(Scalar),
}

/// Width of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotWidth {
    /// The common width of the operation.
    Common,
    /// Always this many components.
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

/// The second definition that a row is tested against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oracle {
    /// Arithmetic on `i128`, which overflows nowhere, reduced to the type by the stated rule.
    I128,
    /// A soft-float that works on sign, exponent and an integer significand.
    SoftFloat,
    /// A loop over single bits.
    BitLoop,
    /// Correctly rounded functions of CORE-MATH.
    CoreMath,
    /// Cases split by comparison on the ordered bit pattern.
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

/// What a target may be off by in Relaxed. In Strict nothing is ever off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Relaxed {
    /// Nothing: exact there too.
    Exact,
    /// Units in the last place of the correct result.
    Ulp(f32),
    /// The steps that the row spells out may be contracted or reordered, and a division or root among them may be off as `div` and `sqrt` may.
    /// Integers are exact.
    Contracted,
}

/// Everything a row says except its meaning.
#[derive(Clone, Copy, Debug)]
pub struct OpRow {
    /// The operation.
    pub op: Op,
    /// The name in the text form.
    pub name: &'static str,
    /// The doc sentence.
    pub doc: &'static str,
    /// Scalars that `T` ranges over; empty if the row has no `T`.
    pub class: &'static [Scalar],
    /// The arguments.
    pub args: &'static [OperandSlot],
    /// The result.
    pub result: OperandSlot,
    /// Smallest and largest common width; (1, 1) if there is none.
    pub widths: (u8, u8),
    /// Applied to each component alike?
    pub each: bool,
    /// Accuracy in Relaxed.
    pub relaxed: Relaxed,
    /// The second definitions, one of which judges each type.
    pub oracles: &'static [Oracle],
}

/// How an operation is used: what its type variable and its common width are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    /// What `T` is; for a row without `T`, the result's component.
    pub scalar: Scalar,
    /// The common width; 1 if there is none.
    pub width: u8,
    /// Type of the result.
    pub result: Data,
}

/// Why arguments do not fit a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandMisfit {
    /// The number of arguments.
    Count {
        /// How many the row has.
        expected: usize,
    },
    /// A type variable at a scalar outside its class.
    Class {
        /// Which argument.
        arg: usize,
    },
    /// An argument of another component type than an earlier one, or than the row's fixed one.
    Scalar {
        /// Which argument.
        arg: usize,
        /// The component type that was expected there.
        expected: Scalar,
    },
    /// An argument of another width than an earlier one, or than the row's fixed one.
    Width {
        /// Which argument.
        arg: usize,
        /// The width that was expected there.
        expected: u8,
    },
    /// A common width that the row does not have.
    CommonWidth {
        /// Which argument.
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

    /// The type rule: what the operation is on arguments of these types.
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

    /// The result on given arguments, by the row's meaning: the definition, not the fast way.
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
