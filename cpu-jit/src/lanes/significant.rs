//! How many of the bits of an integer may be set: of what is loaded as a byte eight, and of what is computed of bytes
//! often not more. So a number is not narrowed to what it is anyway: `a.min(b)` of bytes is a byte.
//!
//! A number that may be negative has all bits.

use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{ArithmeticOp, BitwiseOp, DivisionOp, ExtremeOp, Op, OpFamily, OverflowRule, ShiftOp};
use tilewise_ir::types::{Scalar, Stored};

use super::program::{LaneInst, LaneValue};

/// All bits of any integer.
const ALL_BITS: u8 = 64;

/// The bits of each value of a program.
#[derive(Debug)]
pub(super) struct SignificantBits {
    bits: Vec<u8>,
}

impl SignificantBits {
    /// Those of so many values of which nothing is known.
    pub(super) fn of_any(values: usize) -> SignificantBits {
        SignificantBits { bits: vec![ALL_BITS; values] }
    }

    /// Adds a value of which nothing is known.
    pub(super) fn push(&mut self) {
        self.bits.push(ALL_BITS);
    }

    /// Forgets the values from a number on.
    pub(super) fn truncate(&mut self, values: usize) {
        self.bits.truncate(values);
    }

    fn of(&self, value: LaneValue) -> u8 {
        self.bits.get(value.index()).copied().unwrap_or(ALL_BITS)
    }

    /// Notes the instruction that computes a value.
    pub(super) fn note(&mut self, value: LaneValue, inst: &LaneInst) {
        let bits = self.of_result(inst);
        if let Some(known) = self.bits.get_mut(value.index()) {
            *known = bits;
        }
    }

    /// Notes that a value is one of two others.
    pub(super) fn note_choice(&mut self, value: LaneValue, (a, b): (&LaneValue, &LaneValue)) {
        let bits = self.of(*a).max(self.of(*b));
        if let Some(known) = self.bits.get_mut(value.index()) {
            *known = bits;
        }
    }

    /// Is a value a number of such a format, so that narrowing changes nothing?
    pub(super) fn fit(&self, value: LaneValue, stored: Stored) -> bool {
        let room = match stored {
            Stored::U8 => fault::choose(Fault::NarrowingLeftOut, 8, 9),
            Stored::I8 => 7,
            Stored::U16 => 16,
            Stored::I16 => 15,
            Stored::Bool
            | Stored::I32
            | Stored::U32
            | Stored::I64
            | Stored::U64
            | Stored::F16
            | Stored::F32
            | Stored::F64 => return false,
        };
        self.of(value) <= room
    }

    fn of_result(&self, inst: &LaneInst) -> u8 {
        match inst {
            LaneInst::Const(bits) => (u64::BITS - bits.leading_zeros()) as u8,
            LaneInst::Splat(value) | LaneInst::LowestLane { lanes: value, .. } => self.of(*value),
            LaneInst::Select { yes: a, no: b, .. } | LaneInst::Slide { low: a, high: b, .. } => {
                self.of(*a).max(self.of(*b))
            }
            LaneInst::Load { at, .. } => match at.stored {
                Stored::U8 => 8,
                Stored::U16 => 16,
                Stored::Bool
                | Stored::I8
                | Stored::I16
                | Stored::I32
                | Stored::U32
                | Stored::I64
                | Stored::U64
                | Stored::F16
                | Stored::F32
                | Stored::F64 => ALL_BITS,
            },
            LaneInst::Op { op, scalar, args } => {
                let args: SmallVec<[u8; 4]> = args.iter().map(|&arg| self.of(arg)).collect();
                of_operation(*op, *scalar, &args)
            }
            LaneInst::Input(_)
            | LaneInst::Arena(_)
            | LaneInst::Lane
            | LaneInst::Whole { .. }
            | LaneInst::FirstLanes(_)
            | LaneInst::Any(_)
            | LaneInst::All(_)
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Atomic { .. }
            | LaneInst::CompareExchange { .. } => ALL_BITS,
        }
    }
}

/// The bits of what an operation gives, of operands with these bits.
fn of_operation(op: Op, scalar: Scalar, args: &[u8]) -> u8 {
    // The bits of numbers that are not negative.
    let room = match scalar {
        Scalar::I32 => 31,
        Scalar::U32 => 32,
        Scalar::I64 => 63,
        Scalar::U64 => 64,
        Scalar::Bool | Scalar::F32 | Scalar::F64 => return ALL_BITS,
    };
    let all_known = args.iter().all(|&bits| bits <= room);
    match (op.family(), args) {
        (OpFamily::Bitwise(BitwiseOp::And), &[a, b]) => a.min(b),
        (OpFamily::Bitwise(BitwiseOp::Or | BitwiseOp::Xor), &[a, b]) => a.max(b),
        (OpFamily::Narrow(Stored::U8), &[a]) => a.min(8),
        (OpFamily::Narrow(Stored::U16), &[a]) => a.min(16),
        (OpFamily::Select, &[_, a, b]) => a.max(b),
        (OpFamily::Extreme(ExtremeOp::Min), &[a, b]) if all_known => a.min(b),
        (OpFamily::Extreme(ExtremeOp::Max), &[a, b]) if all_known => a.max(b),
        (OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Wrap), &[a, b]) if a.max(b) < room => a.max(b) + 1,
        (OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap), &[a, b])
            if u32::from(a) + u32::from(b) <= u32::from(room) =>
        {
            a + b
        }
        (OpFamily::Shift(ShiftOp::Shr), &[a, _]) if a <= room => a,
        (OpFamily::Division(DivisionOp::Div | DivisionOp::Rem), &[a, _]) if all_known => a,
        _ => ALL_BITS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_results_hold_what_numbers_with_such_operands_give() {
        let wrap = |op: Op| of_operation(op, Scalar::U32, &[8, 8]);
        assert_eq!([Op::Add, Op::Mul, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor].map(wrap), [9, 16, 8, 8, 8, 8, 8]);
        assert_eq!(of_operation(Op::Sub, Scalar::U32, &[8, 8]), ALL_BITS);
        assert_eq!(of_operation(Op::Mul, Scalar::U32, &[16, 17]), ALL_BITS);
        assert_eq!(of_operation(Op::Add, Scalar::U32, &[32, 1]), ALL_BITS);
        assert_eq!(of_operation(Op::Add, Scalar::I32, &[31, 1]), ALL_BITS);
        assert_eq!(of_operation(Op::Add, Scalar::I32, &[30, 30]), 31);
        // The smaller of a byte and a number that may be negative may be negative.
        assert_eq!(of_operation(Op::Min, Scalar::I32, &[8, ALL_BITS]), ALL_BITS);
        assert_eq!(of_operation(Op::And, Scalar::I32, &[8, ALL_BITS]), 8);
        assert_eq!(of_operation(Op::Shr, Scalar::I32, &[32, 5]), ALL_BITS);
        assert_eq!(of_operation(Op::Div, Scalar::I32, &[8, ALL_BITS]), ALL_BITS);
        assert_eq!(of_operation(Op::Div, Scalar::I32, &[8, 3]), 8);
    }
}
