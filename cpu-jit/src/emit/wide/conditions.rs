//! Scalar conditions as flags: branches on them, and the flags as a value.

use iced_x86::Code;
use regalloc2::VReg;
use tilewise_ir::ops::{BitwiseOp, Comparison};
use tilewise_ir::types::Scalar;

use super::lower::{Lowered, WideLowering};
use super::vcode::{Condition, INT, RegisterView};
use super::vectors::is_wide;
use super::writer::{InstOperand, dword, qword};
use crate::emit::op::compare::CompareRow;
use crate::emit::op::table::{OpWriter, lowering};
use crate::lanes::{LaneInst, LaneValue};

impl<'p> WideLowering<'p> {
    /// Branches to one of two new blocks.
    pub(super) fn branch(&mut self, condition: LaneValue, then: usize, otherwise: usize) -> Lowered<()> {
        if self.is_open(condition) {
            if let Some(bits) = self.plan.constant(condition) {
                // Both blocks are kept, since values of either may be used.
                let number = self.code.number(bits & 1);
                self.code.effect(Code::Test_rm32_r32, &[dword(number), dword(number)], None);
                self.code.branch(Condition::NotEqual, then, otherwise);
                return Ok(());
            }
            if let Some(LaneInst::Op { op, scalar: Scalar::Bool, args }) = self.plan.definition(condition) {
                match lowering(*op).code(Scalar::Bool) {
                    OpWriter::Compare(CompareRow::Not) => return self.branch(args[0], otherwise, then),
                    OpWriter::Compare(CompareRow::Bitwise(row @ (BitwiseOp::And | BitwiseOp::Or))) => {
                        return self.branch_on_both(args, row == BitwiseOp::And, then, otherwise);
                    }
                    _ => {}
                }
            }
        }
        let flags = self.flags(condition)?;
        self.code.branch(flags, then, otherwise);
        Ok(())
    }

    /// Branches on two conditions, of which the second is not tested if the first decides. Edges
    /// that meet have blocks of their own.
    fn branch_on_both(&mut self, args: &[LaneValue], both: bool, then: usize, otherwise: usize) -> Lowered<()> {
        let (middle, decided, last) = (self.code.block(), self.code.block(), self.code.block());
        let (target, other) = if both { (otherwise, then) } else { (then, otherwise) };
        // What the second test needs and waited for it must be there on every way: only values that
        // are used once wait, so it is needed there alone.
        if both {
            self.branch(args[0], middle, decided)?;
        } else {
            self.branch(args[0], decided, middle)?;
        }
        self.code.begin(decided);
        self.code.jump(target, Vec::new());
        self.code.begin(middle);
        if both {
            self.branch(args[1], other, last)?;
        } else {
            self.branch(args[1], last, other)?;
        }
        self.code.begin(last);
        self.code.jump(target, Vec::new());
        Ok(())
    }

    /// Sets the flags; returns the condition that holds if the value is true.
    fn flags(&mut self, condition: LaneValue) -> Lowered<Condition> {
        if self.is_open(condition)
            && let Some(inst) = self.plan.definition(condition)
            && let Some(flags) = self.flags_of(inst)?
        {
            return Ok(flags);
        }
        let register = self.scalar(condition)?;
        self.code.effect(Code::Test_rm32_r32, &[dword(register), dword(register)], None);
        Ok(Condition::NotEqual)
    }

    /// Sets the flags by an instruction whose result they are.
    pub(super) fn flags_of(&mut self, inst: &'p LaneInst) -> Lowered<Option<Condition>> {
        match inst {
            LaneInst::Any(set) => {
                let set = self.lanes(*set)?;
                Ok(Some(self.code.any(&set)))
            }
            LaneInst::All(set) => {
                let set = self.lanes(*set)?;
                Ok(Some(self.code.all(&set)))
            }
            LaneInst::Op { op, scalar, args } if !scalar.is_float() => match lowering(*op).code(*scalar) {
                OpWriter::Compare(CompareRow::Compare(order)) => {
                    let signed = matches!(scalar, Scalar::I32 | Scalar::I64);
                    Ok(Some(self.compare_scalars(order, signed, args[0], args[1])?))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    pub(super) fn compare_scalars(
        &mut self,
        order: Comparison,
        signed: bool,
        a: LaneValue,
        b: LaneValue,
    ) -> Lowered<Condition> {
        let wide = is_wide(self.ty(a).elem());
        let (view, register) = (if wide { qword } else { dword }, self.scalar(a)?);
        match self.immediate(b) {
            Some(number) if wide => {
                self.code.effect(Code::Cmp_rm64_imm32, &[view(register), InstOperand::Signed32(number)], None);
            }
            Some(number) => {
                self.code.effect(Code::Cmp_rm32_imm32, &[view(register), InstOperand::Imm32(number as u32)], None);
            }
            None => {
                let other = self.scalar(b)?;
                let code = if wide { Code::Cmp_r64_rm64 } else { Code::Cmp_r32_rm32 };
                self.code.effect(code, &[view(register), view(other)], None);
            }
        }
        Ok(match (order, signed) {
            (Comparison::Eq, _) => Condition::Equal,
            (Comparison::Ne, _) => Condition::NotEqual,
            (Comparison::Lt, true) => Condition::Less,
            (Comparison::Le, true) => Condition::LessEqual,
            (Comparison::Gt, true) => Condition::Greater,
            (Comparison::Ge, true) => Condition::GreaterEqual,
            (Comparison::Lt, false) => Condition::Below,
            (Comparison::Le, false) => Condition::BelowEqual,
            (Comparison::Gt, false) => Condition::Above,
            (Comparison::Ge, false) => Condition::AboveEqual,
        })
    }

    /// A condition as a scalar `bool`.
    pub(super) fn truth_of_flags(&mut self, condition: Condition) -> VReg {
        let code = match condition {
            Condition::Below => Code::Setb_rm8,
            Condition::AboveEqual => Code::Setae_rm8,
            Condition::Equal => Code::Sete_rm8,
            Condition::NotEqual => Code::Setne_rm8,
            Condition::BelowEqual => Code::Setbe_rm8,
            Condition::Above => Code::Seta_rm8,
            Condition::Less => Code::Setl_rm8,
            Condition::GreaterEqual => Code::Setge_rm8,
            Condition::LessEqual => Code::Setle_rm8,
            Condition::Greater => Code::Setg_rm8,
        };
        let byte = self.code.def(code, INT, RegisterView::Byte, &[]);
        let source = [InstOperand::Reg(byte, RegisterView::Byte)];
        self.code.def(Code::Movzx_r32_rm8, INT, RegisterView::Dword, &source)
    }
}
