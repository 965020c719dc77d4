//! Lowers the nodes of a lane program: control, and the values that nodes define and use.

use std::mem::offset_of;
use std::sync::Arc;

use iced_x86::Code;
use regalloc2::{RegClass, VReg};
use smallvec::SmallVec;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::extremes::ExtremeValue;
use super::folding::FoldPlan;
use super::machine::WideMachine;
use super::plain_op;
use super::vcode::{Condition, INT, RegisterView, VECTOR, WideFunction};
use super::vectors::{FusedSigns, WideValue, is_float, is_wide};
use super::writer::{CodeWriter, InstOperand, MemoryBase, MemoryOperand, at_length};
use crate::emit::cold_block::ColdBlock;
use crate::emit::copy::Runs;
use crate::emit::op::table::{OpWriter, lowering};
use crate::emit::plan::{is_long, outside_uses};
use crate::emit::{EmitError, HostCalls, LaneCost, Slow};
use crate::hash::HashSet;
use crate::lanes::{
    Elem, ExitStatus, GroupRole, LaneBlock, LaneInst, LaneInstClass, LaneProgram, LaneType, LaneValue, Likely, Node,
    near_offsets,
};

/// A value of the program.
#[derive(Clone, Debug)]
pub(super) enum LoweredValue {
    /// A scalar: an integer or `bool` in a general register, a float in the lowest lane of a vector
    /// register. The upper half of a general register is arbitrary for an `i32`, and zero for a
    /// `bool`, which is 0 or 1.
    Scalar(VReg),
    /// Lanes.
    Lanes(WideValue),
}

/// The result of lowering a part of a program.
pub(super) type Lowered<T> = Result<T, EmitError>;

/// Lowers one program.
pub(super) struct WideLowering<'p> {
    pub(super) program: &'p LaneProgram,
    pub(super) code: CodeWriter,
    pub(super) plan: FoldPlan<'p>,
    /// Offsets of lanes that probably lie close together.
    pub(super) near: HashSet<LaneValue>,
    values: Vec<Option<LoweredValue>>,
    /// The argument block.
    pub(super) words: VReg,
    /// The worker's memory.
    pub(super) arena: VReg,
    /// The flag that ends a launch.
    stop: Option<VReg>,
    /// The address of the thunk.
    pub(super) thunk: usize,
    /// Nodes left to Cranelift, and the program around them.
    pub(super) cold_blocks: Vec<Arc<ColdBlock>>,
    /// Tables that the code reads.
    pub(super) runs: Vec<Runs>,
    pub(super) around: Option<Arc<LaneProgram>>,
    /// Operations without a recipe.
    pub(super) slow: Vec<Slow>,
}

/// What a program was lowered to.
pub(super) struct LoweredProgram {
    pub(super) function: WideFunction,
    pub(super) cold_blocks: Vec<Arc<ColdBlock>>,
    pub(super) runs: Vec<Runs>,
    pub(super) slow: Vec<Slow>,
}

/// Lowers a program. `thunk` is the address of the function that calls go through.
pub(super) fn lower(program: &LaneProgram, machine: WideMachine, thunk: usize) -> Lowered<LoweredProgram> {
    let mut code = CodeWriter::new(machine);
    let plan = FoldPlan::of(program, machine);
    let [words, g0, g1, g2, g3, arena] = code.params([7, 6, 2, 1, 8, 9]);
    let mut values = vec![None; program.types.len()];
    for (value, register) in program.given.into_iter().zip([g0, g1, g2, g3]) {
        values[value.index()] = Some(LoweredValue::Scalar(register));
    }
    let mut lowering = WideLowering {
        program,
        code,
        plan,
        near: near_offsets(program),
        values,
        words,
        arena,
        stop: None,
        thunk,
        cold_blocks: Vec::new(),
        runs: Vec::new(),
        around: None,
        slow: Vec::new(),
    };
    if lowering.plan.polls {
        let host = lowering.host();
        let stop = MemoryOperand::behind(host, offset_of!(HostCalls, stop) as i32);
        lowering.stop = Some(lowering.load_qword(stop));
    }
    lowering.block(&program.body)?;
    let done = lowering.code.number(ExitStatus::Done as u64);
    lowering.code.ret(done);
    let WideLowering { code, cold_blocks, runs, slow, .. } = lowering;
    Ok(LoweredProgram { function: code.finish(), cold_blocks, runs, slow })
}

/// Vectors that a rare arm takes copies of: of more, the copies themselves would take the registers of the code
/// around it.
const MOST_COPIED: usize = 4;

impl<'p> WideLowering<'p> {
    // Types.

    /// The number of lanes.
    pub(super) fn width(&self) -> u32 {
        self.program.width
    }

    /// The type of a value.
    pub(super) fn ty(&self, value: LaneValue) -> LaneType {
        self.program.ty(value)
    }

    /// The register class of the parts of a type.
    fn class(&self, ty: LaneType) -> RegClass {
        match ty {
            LaneType::Lanes(Elem::Bool) => self.code.mask_class(),
            LaneType::Scalar(Elem::Bool | Elem::I32 | Elem::I64) => INT,
            LaneType::Lanes(_) | LaneType::Scalar(_) => VECTOR,
        }
    }

    /// The number of registers of a type.
    fn count(&self, ty: LaneType) -> usize {
        match ty {
            LaneType::Scalar(_) => 1,
            LaneType::Lanes(elem) => self.code.machine.part_count(elem, self.width()),
        }
    }

    // Values.

    /// Loads 64 bits.
    pub(super) fn load_qword(&mut self, from: MemoryOperand) -> VReg {
        self.code.def(Code::Mov_r64_rm64, INT, RegisterView::Qword, &[InstOperand::Mem(from)])
    }

    /// The host, which is the seventh parameter.
    pub(super) fn host(&mut self) -> VReg {
        self.load_qword(MemoryOperand::at(MemoryBase::Caller, 16))
    }

    /// The word of the argument block.
    pub(super) fn word(&self, index: u32) -> MemoryOperand {
        MemoryOperand::behind(self.words, 8 * index as i32)
    }

    /// Is a value computed anew wherever it is used?
    fn is_unplaced(&self, value: LaneValue) -> bool {
        match self.plan.definition(value) {
            Some(LaneInst::Const(_) | LaneInst::Lane | LaneInst::Arena(_)) => true,
            Some(LaneInst::Splat(scalar)) => {
                self.plan.constant(*scalar).is_some()
                    || matches!(self.plan.definition(*scalar), Some(LaneInst::Input(_)))
                        && self.ty(value).elem() != Elem::Bool
            }
            Some(LaneInst::Op { .. }) => self.scaled(value).is_some() && self.plan.only_offsets(value),
            _ => false,
        }
    }

    /// A product that an address computes by itself: the factor is 1, 2, 4 or 8.
    pub(super) fn scaled(&self, value: LaneValue) -> Option<(LaneValue, u8)> {
        match self.plan.definition(value)? {
            LaneInst::Op { op: Op::Mul, args, .. } if self.ty(value) == LaneType::Scalar(Elem::I64) => {
                let (factor, other) = match (self.plan.constant(args[0]), self.plan.constant(args[1])) {
                    (_, Some(factor)) => (factor, args[0]),
                    (Some(factor), None) => (factor, args[1]),
                    (None, None) => return None,
                };
                matches!(factor, 1 | 2 | 4 | 8).then_some((other, factor as u8))
            }
            _ => None,
        }
    }

    /// Has a value not been computed yet?
    pub(super) fn is_open(&self, value: LaneValue) -> bool {
        self.values[value.index()].is_none()
    }

    /// A value: computed now if it waited for this use, or has no place of its own.
    fn value(&mut self, value: LaneValue) -> Lowered<LoweredValue> {
        if let Some(value) = &self.values[value.index()] {
            return Ok(value.clone());
        }
        let Some(inst) = self.plan.definition(value) else {
            return Err(EmitError(format!("%{} is used before it is there", value.0)));
        };
        let made = self.inst(value, inst)?;
        if !self.is_unplaced(value) {
            self.values[value.index()] = Some(made.clone());
        }
        Ok(made)
    }

    /// A scalar in a register.
    pub(super) fn scalar(&mut self, value: LaneValue) -> Lowered<VReg> {
        match self.value(value)? {
            LoweredValue::Scalar(register) => Ok(register),
            LoweredValue::Lanes(_) => Err(EmitError(format!("%{} is no scalar", value.0))),
        }
    }

    /// Lanes, which may be memory operands.
    pub(super) fn lanes(&mut self, value: LaneValue) -> Lowered<WideValue> {
        match self.value(value)? {
            LoweredValue::Lanes(lanes) => Ok(lanes),
            LoweredValue::Scalar(_) => Err(EmitError(format!("%{} is a scalar", value.0))),
        }
    }

    /// A mask, if there is one.
    pub(super) fn optional_mask(&mut self, mask: Option<LaneValue>) -> Lowered<Option<WideValue>> {
        mask.map(|mask| self.lanes(mask)).transpose()
    }

    /// The constant of an `i32` or `i64` scalar as an immediate operand.
    pub(super) fn immediate(&self, value: LaneValue) -> Option<i32> {
        let bits = self.plan.constant(value)?;
        match self.ty(value) {
            LaneType::Scalar(Elem::I64) => i32::try_from(bits as i64).ok(),
            LaneType::Scalar(Elem::Bool | Elem::I32) => Some(bits as u32 as i32),
            LaneType::Scalar(_) | LaneType::Lanes(_) => None,
        }
    }

    pub(super) fn set(&mut self, value: LaneValue, lowered: LoweredValue) {
        self.values[value.index()] = Some(lowered);
    }

    /// The registers of values, for the parameters of a block.
    fn arguments(&mut self, values: &[LaneValue]) -> Lowered<Vec<VReg>> {
        let mut registers = Vec::new();
        for &value in values {
            match self.value(value)? {
                LoweredValue::Scalar(register) => registers.push(register),
                LoweredValue::Lanes(lanes) => registers.extend(self.code.registers(&lanes)),
            }
        }
        Ok(registers)
    }

    /// Makes registers a value of a type.
    pub(super) fn of_registers(&self, ty: LaneType, registers: &[VReg]) -> LoweredValue {
        match ty {
            LaneType::Scalar(_) => LoweredValue::Scalar(registers[0]),
            LaneType::Lanes(elem) => LoweredValue::Lanes(WideValue::of(elem, self.width(), registers.iter().copied())),
        }
    }

    fn define_params(&mut self, block: usize, values: &[LaneValue]) {
        for &value in values {
            let ty = self.ty(value);
            let registers: SmallVec<[VReg; 8]> =
                (0..self.count(ty)).map(|_| self.code.param(block, self.class(ty))).collect();
            let lowered = self.of_registers(ty, &registers);
            self.set(value, lowered);
        }
    }

    // Nodes.

    fn block(&mut self, block: &'p LaneBlock) -> Lowered<()> {
        let groups = self.groups_of(block);
        for (at, node) in block.nodes.iter().enumerate() {
            match groups.get(&at) {
                None => self.node(node)?,
                Some(GroupRole::Member) => {}
                Some(GroupRole::Loads(nodes)) => self.load_rows(block, nodes)?,
                Some(GroupRole::Stores(nodes)) => self.store_rows(block, nodes)?,
            }
        }
        Ok(())
    }

    fn node(&mut self, node: &'p Node) -> Lowered<()> {
        match node {
            Node::Let { value, inst, pos } => {
                self.code.pos = *pos;
                let unused = !self.plan.is_used(*value) && inst.class() != LaneInstClass::Atomic;
                if unused || self.plan.waits(*value) || self.is_unplaced(*value) {
                    return Ok(());
                }
                let made = self.inst(*value, inst)?;
                self.set(*value, made);
                Ok(())
            }
            Node::Do { effect, pos } => {
                self.code.pos = *pos;
                self.effect(effect)
            }
            Node::If { condition, then, otherwise, results, likely } => {
                self.branch_node(*condition, [then, otherwise], results, *likely)
            }
            Node::Loop { params, init, body, again, results } => self.repeat(params, init, body, *again, results),
            Node::Exit { condition, status } => {
                let (leave, on) = (self.code.block(), self.code.block());
                self.branch(*condition, leave, on)?;
                self.leave(leave, *status);
                self.code.begin(on);
                Ok(())
            }
            Node::Poll => {
                let Some(stop) = self.stop else { return Err(EmitError("a poll that was not counted".into())) };
                let flag = InstOperand::Mem(MemoryOperand::behind(stop, 0));
                self.code.effect(Code::Cmp_rm32_imm32, &[flag, InstOperand::Imm32(0)], None);
                let (leave, on) = (self.code.block(), self.code.block());
                self.code.branch(Condition::NotEqual, leave, on);
                self.leave(leave, ExitStatus::Interrupted);
                self.code.begin(on);
                Ok(())
            }
        }
    }

    /// A block that ends the program.
    fn leave(&mut self, block: usize, status: ExitStatus) {
        self.code.seldom(|code| {
            code.begin(block);
            let status = code.number(status as i64 as u64);
            code.ret(status);
        });
    }

    fn branch_node(
        &mut self,
        condition: LaneValue,
        arms: [&'p LaneBlock; 2],
        results: &[LaneValue],
        likely: Likely,
    ) -> Lowered<()> {
        let (blocks, join) = ([self.code.block(), self.code.block()], self.code.block());
        self.branch(condition, blocks[0], blocks[1])?;
        for (i, (block, arm)) in blocks.into_iter().zip(arms).enumerate() {
            let was = self.code.cold;
            self.code.cold |= i == 1 && likely.is_then();
            self.code.begin(block);
            let crowds = i == 1 && likely.is_then() && is_long(self.program, arm);
            let replaced = if crowds { self.copied_for(arm) } else { Vec::new() };
            self.block(arm)?;
            let arguments = self.arguments(&arm.results)?;
            self.code.jump(join, arguments);
            replaced.into_iter().for_each(|(value, lowered)| self.set(value, lowered));
            self.code.cold = was;
        }
        self.code.begin(join);
        self.define_params(join, results);
        Ok(())
    }

    /// Copies the vectors from outside that a rare arm uses, unless they are many, and returns what they are copies of. Where the arm
    /// has too few registers, the allocator then stores the copies in it. It would otherwise store each value
    /// where it is computed, in the code that nearly always runs.
    fn copied_for(&mut self, arm: &LaneBlock) -> Vec<(LaneValue, LoweredValue)> {
        let mut vectors = Vec::new();
        for value in outside_uses(arm) {
            let Some(LoweredValue::Lanes(lanes)) = &self.values[value.index()] else { continue };
            let in_vectors = |part: &InstOperand| matches!(part, InstOperand::Reg(_, RegisterView::Vector(_)));
            if lanes.parts.iter().all(in_vectors) {
                vectors.push((value, lanes.clone()));
            }
        }
        if vectors.len() > MOST_COPIED {
            return Vec::new();
        }
        let mut replaced = Vec::new();
        for (value, lanes) in vectors {
            let code = at_length(Code::EVEX_Vmovaps_xmm_k1z_xmmm128, lanes.length());
            let view = RegisterView::Vector(lanes.length());
            let copies: Vec<VReg> =
                lanes.parts.iter().map(|&part| self.code.def(code, VECTOR, view, &[part])).collect();
            let copy = WideValue { constant: lanes.constant, ..WideValue::of(lanes.elem, lanes.width, copies) };
            self.set(value, LoweredValue::Lanes(copy));
            replaced.push((value, LoweredValue::Lanes(lanes)));
        }
        replaced
    }

    fn repeat(
        &mut self,
        params: &[LaneValue],
        init: &[LaneValue],
        body: &'p LaneBlock,
        again: LaneValue,
        results: &[LaneValue],
    ) -> Lowered<()> {
        let first = self.arguments(init)?;
        let (head, back, after) = (self.code.block(), self.code.block(), self.code.block());
        self.code.jump(head, first);
        self.code.begin_loop(head);
        self.define_params(head, params);
        self.block(body)?;
        let next = self.arguments(&body.results)?;
        self.branch(again, back, after)?;
        self.code.begin(back);
        self.code.jump(head, next.clone());
        self.code.begin(after);
        let mut rest = next.as_slice();
        for &result in results {
            let ty = self.ty(result);
            let (own, others) = rest.split_at(self.count(ty));
            rest = others;
            let lowered = self.of_registers(ty, own);
            self.set(result, lowered);
        }
        Ok(())
    }

    // Instructions.

    fn inst(&mut self, value: LaneValue, inst: &'p LaneInst) -> Lowered<LoweredValue> {
        let ty = self.ty(value);
        let elem = ty.elem();
        match inst {
            LaneInst::Const(bits) => {
                let bits = if is_wide(elem) { *bits } else { *bits & 0xffff_ffff };
                Ok(LoweredValue::Scalar(if is_float(elem) {
                    let constant = self.code.bits_as(elem, 1, bits);
                    self.code.in_register(&constant, 0)
                } else {
                    self.code.number(bits)
                }))
            }
            LaneInst::Input(word) => {
                let from = self.word(*word);
                Ok(LoweredValue::Scalar(self.load_word(elem, from)))
            }
            LaneInst::Arena(part) => {
                let offset = self.program.arena.offset(*part) as i32;
                Ok(LoweredValue::Scalar(self.code.address(MemoryOperand::behind(self.arena, offset))))
            }
            LaneInst::Lane => Ok(LoweredValue::Lanes(self.row(0, 1))),
            LaneInst::Splat(scalar) => Ok(LoweredValue::Lanes(self.splat(value, elem, *scalar)?)),
            LaneInst::Op { .. } if let Some(merge) = self.plan.bit_merge(value) => {
                Ok(LoweredValue::Lanes(self.bit_merge(ty, &merge)?))
            }
            LaneInst::Op { op, scalar, args } if ty.is_lanes() => self.lanes_op(value, inst, (*op, *scalar), args),
            LaneInst::Op { op, scalar, args } => self.scalar_op(value, inst, (*op, *scalar), args),
            LaneInst::Whole { op, instance, args, widths, component } => {
                let args: Vec<WideValue> = args.iter().map(|&arg| self.as_lanes(arg)).collect::<Lowered<_>>()?;
                match super::ops::whole(&mut self.code, *op, *instance, &args, widths, *component) {
                    Some(result) if ty.is_lanes() => Ok(LoweredValue::Lanes(result)),
                    Some(result) => Ok(LoweredValue::Scalar(self.scalar_of(&result))),
                    None => self.cold_value(value, inst),
                }
            }
            LaneInst::Select { mask, yes, no } => Ok(LoweredValue::Lanes(match self.plan.extreme(value) {
                Some(extreme) => self.extreme(extreme)?,
                None => self.select(*mask, *yes, *no)?,
            })),
            LaneInst::FirstLanes(count) => Ok(LoweredValue::Lanes(self.first_lanes(*count)?)),
            LaneInst::Any(_) | LaneInst::All(_) => match self.flags_of(inst)? {
                Some(flags) => Ok(LoweredValue::Scalar(self.truth_of_flags(flags))),
                None => Err(EmitError("a query of a mask has no flags".into())),
            },
            LaneInst::LowestLane { lanes, mask }
                if ty.elem() != Elem::Bool && self.plan.definition(*mask).is_some_and(|mask| self.has_lane_0(mask)) =>
            {
                let lanes = self.lanes(*lanes)?;
                Ok(LoweredValue::Scalar(self.scalar_of(&lanes)))
            }
            LaneInst::LowestLane { lanes, mask } => {
                let (lanes, set) = (self.lanes(*lanes)?, self.lanes(*mask)?);
                Ok(LoweredValue::Scalar(self.lowest_lane(&lanes, &set)))
            }
            LaneInst::ReciprocalRoot(of) => {
                let of = self.lanes(*of)?;
                Ok(LoweredValue::Lanes(super::ops::reciprocal_root(&mut self.code, &of)))
            }
            LaneInst::Slide { low, high, by } => {
                let (low, high) = (self.lanes(*low)?, self.lanes(*high)?);
                Ok(LoweredValue::Lanes(self.code.slide(&low, &high, *by)))
            }
            LaneInst::Load { at, mask } => self.load(value, at, *mask),
            LaneInst::Atomic { op, scalar, at, operand, mask } => {
                self.atomic(value, (*op, *scalar), at, *operand, *mask)
            }
            LaneInst::CompareExchange { scalar, at, expected, new, mask } => {
                self.compare_exchange(value, *scalar, at, (*expected, *new), *mask)
            }
        }
    }

    /// Is lane 0 of a mask certainly set?
    fn has_lane_0(&self, mask: &LaneInst) -> bool {
        matches!(mask, LaneInst::FirstLanes(count) if self.plan.constant(*count).is_some_and(|count| count as i64 > 0))
    }

    /// Loads a 64-bit word that holds an element.
    pub(super) fn load_word(&mut self, elem: Elem, from: MemoryOperand) -> VReg {
        let from = [InstOperand::Mem(from)];
        let vector = RegisterView::Vector(super::vcode::VectorLength::X);
        match elem {
            Elem::F32 => self.code.def(Code::EVEX_Vmovss_xmm_k1z_m32, VECTOR, vector, &from),
            Elem::F64 => self.code.def(Code::EVEX_Vmovsd_xmm_k1z_m64, VECTOR, vector, &from),
            Elem::I64 => self.code.def(Code::Mov_r64_rm64, INT, RegisterView::Qword, &from),
            Elem::Bool | Elem::I32 => self.code.def(Code::Mov_r32_rm32, INT, RegisterView::Dword, &from),
        }
    }

    /// Lanes that count: the first, and each a step further.
    pub(super) fn row(&mut self, first: i32, step: i32) -> WideValue {
        let width = self.width();
        self.code.counted_lanes(width, first, step)
    }

    /// A scalar in every lane.
    fn splat(&mut self, value: LaneValue, elem: Elem, scalar: LaneValue) -> Lowered<WideValue> {
        let width = self.width();
        if let Some(bits) = self.plan.constant(scalar) {
            return Ok(match elem {
                Elem::Bool => self.code.constant_mask(width, bits & 1 == 1),
                _ => self.code.bits_as(elem, width, bits),
            });
        }
        if elem == Elem::Bool {
            let truth = self.scalar(scalar)?;
            return Ok(self.code.mask_of_truth(width, truth));
        }
        match self.plan.definition(scalar) {
            Some(LaneInst::Input(word)) if self.is_open(scalar) => {
                let from = self.word(*word);
                return Ok(self.code.repeated(elem, width, from));
            }
            Some(LaneInst::Load { at, .. }) if self.is_open(scalar) && self.plan.waits(scalar) => {
                let from = self.memory(at, 0)?;
                let lanes = self.code.repeated(elem, width, from);
                // What has more than one use may be used after a store.
                return Ok(if self.plan.waits(value) { lanes } else { self.code.loaded(&lanes) });
            }
            _ => {}
        }
        let register = self.scalar(scalar)?;
        Ok(self.code.repeat_scalar(elem, width, register))
    }

    fn select(&mut self, set: LaneValue, yes: LaneValue, no: LaneValue) -> Lowered<WideValue> {
        if self.is_open(yes)
            && self.plan.waits(yes)
            && let Some(LaneInst::Op { op, scalar, args }) = self.plan.definition(yes)
            && let Some((code, commutes)) = plain_op::plain(*op, *scalar, self.code.machine)
        {
            let (a, b) = (self.lanes(args[0])?, self.lanes(args[1])?);
            let (set, no) = (self.lanes(set)?, self.lanes(no)?);
            let is_register = |value: &WideValue| matches!(value.parts[0], InstOperand::Reg(..));
            let (a, b) = if commutes && is_register(&b) && !is_register(&a) { (b, a) } else { (a, b) };
            return Ok(self.code.binary_where(code, &set, &a, &b, &no));
        }
        let (set, yes, no) = (self.lanes(set)?, self.lanes(yes)?, self.lanes(no)?);
        Ok(self.code.select(&set, &yes, &no))
    }

    /// The smaller or larger of two values.
    fn extreme(&mut self, ExtremeValue { code, first, second, commutes }: ExtremeValue) -> Lowered<WideValue> {
        let (first, second) = (self.lanes(first)?, self.lanes(second)?);
        Ok(if commutes {
            self.code.commutative(code, &first, &second)
        } else {
            self.code.binary(code, &first, &second)
        })
    }

    /// The mask of the lanes below a number.
    fn first_lanes(&mut self, count: LaneValue) -> Lowered<WideValue> {
        let width = self.width();
        if let Some(bits) = self.plan.constant(count) {
            let lanes = (bits as i64).clamp(0, width.into()) as u32;
            let bits = if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 };
            return Ok(self.code.mask_of_bits(width, bits));
        }
        let count = self.scalar(count)?;
        Ok(self.code.mask_of_count(width, count))
    }

    // Operations.

    /// The arguments of an operation on lanes.
    fn lanes_op(
        &mut self,
        value: LaneValue,
        inst: &'p LaneInst,
        (op, scalar): (Op, Scalar),
        args: &[LaneValue],
    ) -> Lowered<LoweredValue> {
        if let (Op::Mad | Op::Fma, true) = (op, scalar.is_float()) {
            // Negations are part of the instruction.
            let plain = [0, 1, 2].map(|i| self.plan.negated(args[i]).unwrap_or(args[i]));
            let negates = [0, 1, 2].map(|i| plain[i] != args[i]);
            let signs = FusedSigns { product: negates[0] != negates[1], sum: negates[2] };
            let [a, b, c] = [self.lanes(plain[0])?, self.lanes(plain[1])?, self.lanes(plain[2])?];
            // The operand that is not needed any more is overwritten.
            let is_register = |value: &WideValue| matches!(value.parts[0], InstOperand::Reg(..));
            let over_sum = self.plan.is_used_once(plain[2]) && is_register(&c) || !is_register(&b);
            return Ok(LoweredValue::Lanes(self.code.fused([&a, &b, &c], signs, over_sum)));
        }
        let mut lanes: SmallVec<[WideValue; 4]> = SmallVec::new();
        for &arg in args {
            lanes.push(self.lanes(arg)?);
        }
        if let Some(result) = super::ops::each(&mut self.code, op, scalar, &lanes) {
            return Ok(LoweredValue::Lanes(result));
        }
        if let OpWriter::Divide(row) = lowering(op).code(scalar)
            && let Some(result) = self.divide_lanes(row, scalar == Scalar::I64, &lanes)
        {
            self.slow.push(Slow { pos: self.code.pos, op: (op, scalar), pace: LaneCost::Lanes });
            return Ok(LoweredValue::Lanes(result));
        }
        self.cold_value(value, inst)
    }

    /// Lanes as they are; a scalar as lanes of width 1.
    pub(super) fn as_lanes(&mut self, value: LaneValue) -> Lowered<WideValue> {
        let LaneType::Scalar(elem) = self.ty(value) else { return self.lanes(value) };
        if let Some(bits) = self.plan.constant(value) {
            return Ok(match elem {
                Elem::Bool => self.code.constant_mask(1, bits & 1 == 1),
                _ => self.code.bits_as(elem, 1, bits),
            });
        }
        let register = self.scalar(value)?;
        Ok(self.code.scalar_as_lanes(elem, register))
    }

    /// Lanes of width 1 as a scalar.
    pub(super) fn scalar_of(&mut self, lanes: &WideValue) -> VReg {
        self.code.lanes_as_scalar(lanes)
    }
}
