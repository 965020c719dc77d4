//! Operations on scalars. Integers of the common rows stay in general registers; every other row
//! takes the recipe for lanes, at width 1.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;
use tilewise_ir::ops::{BitwiseOp, DivisionOp, Op};
use tilewise_ir::types::Scalar;

use super::lower::{Lowered, LoweredValue, WideLowering};
use super::vcode::{INT, RegisterView};
use super::vectors::{WideValue, is_float, is_wide};
use super::writer::{CodeWriter, InstOperand, IntSize, MemoryOperand, dword, qword};
use crate::emit::op::compare::CompareRow;
use crate::emit::op::convert::ConvertRow;
use crate::emit::op::integer::IntegerRow;
use crate::emit::op::shift::{Move, ShiftRow};
use crate::emit::op::table::{OpWriter, lowering};
use crate::lanes::{Elem, LaneInst, LaneValue};

impl<'p> WideLowering<'p> {
    /// An operation on scalars.
    pub(super) fn scalar_op(
        &mut self,
        value: LaneValue,
        inst: &'p LaneInst,
        (op, scalar): (Op, Scalar),
        args: &[LaneValue],
    ) -> Lowered<LoweredValue> {
        if let Some(register) = self.integer_op((op, scalar), args)? {
            return Ok(LoweredValue::Scalar(register));
        }
        let mut lanes: SmallVec<[WideValue; 4]> = SmallVec::new();
        for &arg in args {
            lanes.push(self.as_lanes(arg)?);
        }
        match super::ops::each(&mut self.code, op, scalar, &lanes) {
            Some(result) => Ok(LoweredValue::Scalar(self.scalar_of(&result))),
            None => self.cold_value(value, inst),
        }
    }

    /// A row on integers and truth values in general registers, if it is a common one.
    fn integer_op(&mut self, (op, scalar): (Op, Scalar), args: &[LaneValue]) -> Lowered<Option<VReg>> {
        let elem = Elem::of(scalar);
        let size = IntSize { wide: is_wide(elem) };
        let signed = matches!(scalar, Scalar::I32 | Scalar::I64);
        Ok(Some(match lowering(op).code(scalar) {
            OpWriter::Compare(CompareRow::Select) => match is_float(self.ty(args[1]).elem()) {
                true => return Ok(None),
                false => self.select_scalars(args)?,
            },
            OpWriter::Compare(_) if is_float(elem) => return Ok(None),
            OpWriter::Compare(CompareRow::Compare(order)) => {
                let flags = self.compare_scalars(order, signed, args[0], args[1])?;
                self.truth_of_flags(flags)
            }
            OpWriter::Compare(CompareRow::Bitwise(bitwise)) => {
                let code = match bitwise {
                    BitwiseOp::And => size.pick(Code::And_r32_rm32, Code::And_r64_rm64),
                    BitwiseOp::Or => size.pick(Code::Or_r32_rm32, Code::Or_r64_rm64),
                    BitwiseOp::Xor => size.pick(Code::Xor_r32_rm32, Code::Xor_r64_rm64),
                };
                let (a, b) = (self.scalar(args[0])?, self.scalar(args[1])?);
                self.code.def_over(code, size.view(), a, &[size.operand(b)], None)
            }
            OpWriter::Compare(CompareRow::Not) if elem == Elem::Bool => {
                let a = self.scalar(args[0])?;
                self.code.def_over(Code::Xor_rm32_imm32, RegisterView::Dword, a, &[InstOperand::Imm32(1)], None)
            }
            OpWriter::Compare(CompareRow::Not) => {
                let a = self.scalar(args[0])?;
                self.code.def_over(size.pick(Code::Not_rm32, Code::Not_rm64), size.view(), a, &[], None)
            }
            OpWriter::Integer(row) => match row {
                IntegerRow::Add => self.sum(size, args[0], args[1], false)?,
                IntegerRow::Sub => self.sum(size, args[0], args[1], true)?,
                IntegerRow::Mul => self.product(size, args[0], args[1])?,
                IntegerRow::Mad => {
                    let product = self.product(size, args[0], args[1])?;
                    let sum = self.scalar(args[2])?;
                    self.code.def_over(
                        size.pick(Code::Add_r32_rm32, Code::Add_r64_rm64),
                        size.view(),
                        product,
                        &[size.operand(sum)],
                        None,
                    )
                }
                IntegerRow::Neg => {
                    let a = self.scalar(args[0])?;
                    self.code.def_over(size.pick(Code::Neg_rm32, Code::Neg_rm64), size.view(), a, &[], None)
                }
                IntegerRow::Min | IntegerRow::Max => {
                    let (a, b) = (self.scalar(args[0])?, self.scalar(args[1])?);
                    self.code.extreme_scalar(size, a, b, signed, row == IntegerRow::Max)
                }
                IntegerRow::Clamp => {
                    let [a, low, high] = [self.scalar(args[0])?, self.scalar(args[1])?, self.scalar(args[2])?];
                    let held = self.code.extreme_scalar(size, a, low, signed, true);
                    self.code.extreme_scalar(size, held, high, signed, false)
                }
                _ => return Ok(None),
            },
            OpWriter::Divide(row) => match row {
                DivisionOp::Div | DivisionOp::Rem => {
                    self.quotient(size, args[0], args[1], signed, row == DivisionOp::Rem)?
                }
                DivisionOp::DivEuclid | DivisionOp::RemEuclid if !signed => {
                    self.quotient(size, args[0], args[1], false, row == DivisionOp::RemEuclid)?
                }
                DivisionOp::DivEuclid | DivisionOp::RemEuclid => return Ok(None),
            },
            OpWriter::Shift(ShiftRow::Move(way @ (Move::Shl | Move::Shr))) => {
                self.shift(size, args[0], args[1], way == Move::Shl, signed)?
            }
            OpWriter::Convert(ConvertRow::ToInteger(to, _)) if !is_float(elem) => {
                let a = self.scalar(args[0])?;
                match (is_wide(to), scalar) {
                    (true, Scalar::I32) => self.code.def(Code::Movsxd_r64_rm32, INT, RegisterView::Qword, &[dword(a)]),
                    (true, Scalar::U32) => self.code.def(Code::Mov_r32_rm32, INT, RegisterView::Dword, &[dword(a)]),
                    _ => a,
                }
            }
            OpWriter::Convert(ConvertRow::Bitcast(to)) if !is_float(elem) && !is_float(to) => self.scalar(args[0])?,
            _ => return Ok(None),
        }))
    }

    fn sum(&mut self, size: IntSize, a: LaneValue, b: LaneValue, minus: bool) -> Lowered<VReg> {
        let immediate = self.immediate(b).and_then(|number| if minus { number.checked_neg() } else { Some(number) });
        let a = self.scalar(a)?;
        if let Some(number) = immediate {
            return Ok(self.code.address(MemoryOperand::behind(a, number)));
        }
        let b = self.scalar(b)?;
        if minus {
            let code = size.pick(Code::Sub_r32_rm32, Code::Sub_r64_rm64);
            return Ok(self.code.def_over(code, size.view(), a, &[size.operand(b)], None));
        }
        let index = Some((b, RegisterView::Qword, 1));
        Ok(self.code.address(MemoryOperand { index, ..MemoryOperand::behind(a, 0) }))
    }

    fn product(&mut self, size: IntSize, a: LaneValue, b: LaneValue) -> Lowered<VReg> {
        let (a, b) = if self.plan.constant(a).is_some() { (b, a) } else { (a, b) };
        let known = self.plan.constant(b);
        let first = self.scalar(a)?;
        if let Some(factor) = known.filter(|factor| factor.is_power_of_two()) {
            let by = InstOperand::Imm8(factor.trailing_zeros() as u8);
            let code = size.pick(Code::Shl_rm32_imm8, Code::Shl_rm64_imm8);
            return Ok(self.code.def_over(code, size.view(), first, &[by], None));
        }
        if let Some(number) = self.immediate(b) {
            let code = size.pick(Code::Imul_r32_rm32_imm32, Code::Imul_r64_rm64_imm32);
            let sources = [size.operand(first), size.immediate(number)];
            return Ok(self.code.def(code, INT, size.view(), &sources));
        }
        let second = self.scalar(b)?;
        let code = size.pick(Code::Imul_r32_rm32, Code::Imul_r64_rm64);
        Ok(self.code.def_over(code, size.view(), first, &[size.operand(second)], None))
    }

    fn shift(&mut self, size: IntSize, a: LaneValue, n: LaneValue, left: bool, signed: bool) -> Lowered<VReg> {
        let (by_constant, by_register) = match (left, signed) {
            (true, _) => {
                ((Code::Shl_rm32_imm8, Code::Shl_rm64_imm8), (Code::VEX_Shlx_r32_rm32_r32, Code::VEX_Shlx_r64_rm64_r64))
            }
            (false, true) => {
                ((Code::Sar_rm32_imm8, Code::Sar_rm64_imm8), (Code::VEX_Sarx_r32_rm32_r32, Code::VEX_Sarx_r64_rm64_r64))
            }
            (false, false) => {
                ((Code::Shr_rm32_imm8, Code::Shr_rm64_imm8), (Code::VEX_Shrx_r32_rm32_r32, Code::VEX_Shrx_r64_rm64_r64))
            }
        };
        let known = self.plan.constant(n);
        let a = self.scalar(a)?;
        if let Some(bits) = known {
            let by = InstOperand::Imm8(bits as u8 & if size.wide { 63 } else { 31 });
            return Ok(self.code.def_over(size.pick(by_constant.0, by_constant.1), size.view(), a, &[by], None));
        }
        let n = self.scalar(n)?;
        let sources = [size.operand(a), size.operand(n)];
        Ok(self.code.def(size.pick(by_register.0, by_register.1), INT, size.view(), &sources))
    }

    fn select_scalars(&mut self, args: &[LaneValue]) -> Lowered<VReg> {
        let (yes, no) = (self.scalar(args[1])?, self.scalar(args[2])?);
        // Operands are there before the flags are set.
        let condition = self.scalar(args[0])?;
        self.code.effect(Code::Test_rm32_r32, &[dword(condition), dword(condition)], None);
        Ok(self.code.def_over(Code::Cmovne_r64_rm64, RegisterView::Qword, no, &[qword(yes)], None))
    }

    /// A quotient or remainder.
    fn quotient(&mut self, size: IntSize, a: LaneValue, b: LaneValue, signed: bool, remainder: bool) -> Lowered<VReg> {
        let known = self.plan.constant(b);
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        Ok(self.code.divide_scalars(size, (a, b), known, signed, remainder))
    }

    /// A quotient or remainder of 64-bit lanes, one by one.
    pub(super) fn divide_lanes(&mut self, row: DivisionOp, signed: bool, lanes: &[WideValue]) -> Option<WideValue> {
        let remainder = match row {
            DivisionOp::Div => false,
            DivisionOp::Rem => true,
            DivisionOp::DivEuclid if !signed => false,
            DivisionOp::RemEuclid if !signed => true,
            DivisionOp::DivEuclid | DivisionOp::RemEuclid => return None,
        };
        let (size, known) = (IntSize { wide: true }, lanes[1].constant);
        Some(self.code.by_lanes(Elem::I64, lanes, |code, words| {
            code.divide_scalars(size, (words[0], words[1]), known, signed, remainder)
        }))
    }
}

impl CodeWriter {
    /// A quotient or remainder: `x / 0 = x`, `x % 0 = 0`, `MIN / -1 = MIN`. `known` is the divisor
    /// if it is a constant.
    fn divide_scalars(
        &mut self,
        size: IntSize,
        (a, b): (VReg, VReg),
        known: Option<u64>,
        signed: bool,
        remainder: bool,
    ) -> VReg {
        let code = self;
        let ones = if size.wide { u64::MAX } else { 0xffff_ffff };
        let is_safe = known.is_some_and(|bits| bits != 0 && !(signed && bits == ones));
        let test = |code: &mut CodeWriter, number: i32| {
            let compare = size.pick(Code::Cmp_rm32_imm32, Code::Cmp_rm64_imm32);
            code.effect(compare, &[size.operand(b), size.immediate(number)], None);
        };
        let equal = size.pick(Code::Cmove_r32_rm32, Code::Cmove_r64_rm64);
        let mut divisor = b;
        if !is_safe {
            let one = code.number(1);
            test(code, 0);
            divisor = code.def_over(equal, size.view(), divisor, &[size.operand(one)], None);
            if signed {
                test(code, -1);
                divisor = code.def_over(equal, size.view(), divisor, &[size.operand(one)], None);
            }
        }
        let high = if signed {
            let by = InstOperand::Imm8(if size.wide { 63 } else { 31 });
            code.def_over(size.pick(Code::Sar_rm32_imm8, Code::Sar_rm64_imm8), size.view(), a, &[by], None)
        } else {
            code.number(0)
        };
        let divide = match signed {
            true => size.pick(Code::Idiv_rm32, Code::Idiv_rm64),
            false => size.pick(Code::Div_rm32, Code::Div_rm64),
        };
        let results = code.fixed(divide, &[size.operand(divisor)], &[(a, 0), (high, 2)], &[0, 2]);
        if remainder {
            // By 1 in place of 0 or -1 it is 0, as it should be.
            return results[1];
        }
        if !signed || is_safe {
            return results[0];
        }
        let negated = code.def_over(size.pick(Code::Neg_rm32, Code::Neg_rm64), size.view(), a, &[], None);
        test(code, -1);
        code.def_over(equal, size.view(), results[0], &[size.operand(negated)], None)
    }

    /// The minimum or maximum of integers in general registers.
    fn extreme_scalar(&mut self, size: IntSize, a: VReg, b: VReg, signed: bool, larger: bool) -> VReg {
        self.effect(size.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), &[size.operand(b), size.operand(a)], None);
        // `a` is replaced by `b` where that is better.
        let code = match (larger, signed) {
            (false, true) => size.pick(Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64),
            (false, false) => size.pick(Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64),
            (true, true) => size.pick(Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64),
            (true, false) => size.pick(Code::Cmova_r32_rm32, Code::Cmova_r64_rm64),
        };
        self.def_over(code, size.view(), a, &[size.operand(b)], None)
    }
}
