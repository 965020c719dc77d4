//! Writes instructions with virtual registers: blocks, operands, constants.
//!
//! An instruction is named by its 128-bit encoding ([`Code`] lists the three lengths of each vector
//! instruction one after another); [`CodeWriter`] picks the length, and the older encoding where
//! there is no AVX-512 ([`vex`](super::vex)).

use iced_x86::Code;
use regalloc2::{Block, Operand, PReg, RegClass, VReg};
use smallvec::SmallVec;
use tilewise_ir::pos::Pos;

use super::machine::WideMachine;
use super::vcode::{
    AllocatedInst, BaseSlot, BlockData, Condition, INT, InstSlot, MASK, MachineInst, RegisterView, VECTOR,
    VectorLength, WideFunction, WideInst,
};
use super::vex::vex_of;
use crate::hash::HashMap;

/// A memory operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryOperand {
    /// The base.
    pub(super) base: MemoryBase,
    /// The index, its view and its scale.
    pub(super) index: Option<(VReg, RegisterView, u8)>,
    /// The displacement.
    pub(super) displacement: i32,
    /// Is one element repeated in each lane?
    pub(super) broadcast: bool,
}

/// The base of a memory operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryBase {
    /// A register.
    Reg(VReg),
    /// The caller's frame: parameters on the stack.
    Caller,
    /// The function's own room on the stack.
    Room,
}

impl MemoryOperand {
    /// The memory at a base.
    pub(super) const fn at(base: MemoryBase, displacement: i32) -> MemoryOperand {
        MemoryOperand { base, index: None, displacement, broadcast: false }
    }

    /// The memory that a register points to.
    pub(super) const fn behind(base: VReg, displacement: i32) -> MemoryOperand {
        MemoryOperand::at(MemoryBase::Reg(base), displacement)
    }

    /// The function's own room on the stack.
    pub(super) const fn room(offset: u32) -> MemoryOperand {
        MemoryOperand::at(MemoryBase::Room, offset as i32)
    }
}

/// A source operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum InstOperand {
    /// A register.
    Reg(VReg, RegisterView),
    /// Memory.
    Mem(MemoryOperand),
    /// A constant behind the code, by its offset in the pool; is one element repeated?
    Pool(u32, bool),
    /// An immediate byte.
    Imm8(u8),
    /// 32 bits, sign-extended to 64.
    Signed32(i32),
    /// 32 bits.
    Imm32(u32),
    /// 64 bits.
    Imm64(u64),
}

/// 32 bits of a general register.
pub(super) const fn dword(register: VReg) -> InstOperand {
    InstOperand::Reg(register, RegisterView::Dword)
}

/// A whole general register.
pub(super) const fn qword(register: VReg) -> InstOperand {
    InstOperand::Reg(register, RegisterView::Qword)
}

/// A mask register.
pub(super) const fn mask(register: VReg) -> InstOperand {
    InstOperand::Reg(register, RegisterView::Mask)
}

/// A vector register at a length.
pub(super) const fn vector(register: VReg, length: VectorLength) -> InstOperand {
    InstOperand::Reg(register, RegisterView::Vector(length))
}

/// The size of an integer operation in general registers: 32 or 64 bits.
#[derive(Clone, Copy)]
pub(super) struct IntSize {
    pub(super) wide: bool,
}

impl IntSize {
    /// One of two encodings.
    pub(super) const fn pick(self, dword: Code, qword: Code) -> Code {
        if self.wide { qword } else { dword }
    }

    /// The part of a register that is named.
    pub(super) const fn view(self) -> RegisterView {
        if self.wide { RegisterView::Qword } else { RegisterView::Dword }
    }

    /// A register of this size.
    pub(super) const fn operand(self, register: VReg) -> InstOperand {
        if self.wide { qword(register) } else { dword(register) }
    }

    /// A number of this size, of at most 32 bits.
    pub(super) const fn immediate(self, number: i32) -> InstOperand {
        if self.wide { InstOperand::Signed32(number) } else { InstOperand::Imm32(number as u32) }
    }
}

/// A vector instruction at another length than that of its name, which is 128 bits.
pub(super) fn at_length(code: Code, length: VectorLength) -> Code {
    let steps = length as usize;
    Code::try_from(code as usize + steps).unwrap_or_else(|_| unreachable!("each vector instruction has three lengths"))
}

/// What a mask does to a result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Masking {
    /// There is none.
    None,
    /// Lanes that are clear become zero. Of comparisons, whose result is a mask: their lanes are
    /// cleared.
    Zero(VReg),
}

/// Writes a function.
pub(super) struct CodeWriter {
    /// The processor.
    pub(super) machine: WideMachine,
    /// The function so far.
    pub(super) function: WideFunction,
    /// The block that is written, and the blocks in the order in which they were begun.
    current: usize,
    order: Vec<usize>,
    /// Does the code that is written run seldom?
    pub(super) cold: bool,
    /// The position of the code that is written.
    pub(super) pos: Pos,
    /// The number of loads and stores that [gathers and scatters became](super::lane_loads).
    pub(super) lane_accesses: u32,
    /// The operands of the instruction that is written.
    operands: SmallVec<[Operand; 8]>,
    /// Constants by their contents.
    constants: HashMap<SmallVec<[u8; 64]>, u32>,
}

impl CodeWriter {
    /// Begins a function.
    pub(super) fn new(machine: WideMachine) -> CodeWriter {
        let function = WideFunction {
            blocks: vec![BlockData::default()],
            vector_words: machine.longest.bytes() as usize / 8,
            ..WideFunction::default()
        };
        CodeWriter {
            machine,
            function,
            current: 0,
            order: vec![0],
            cold: false,
            pos: Pos::NONE,
            lane_accesses: 0,
            operands: SmallVec::new(),
            constants: HashMap::default(),
        }
    }

    /// The complete function.
    pub(super) fn finish(mut self) -> WideFunction {
        debug_assert_eq!(self.order.len(), self.function.blocks.len(), "each block is begun once");
        self.function.complete(&self.order);
        self.function
    }

    // Blocks.

    /// A new block.
    pub(super) fn block(&mut self) -> usize {
        self.function.blocks.push(BlockData::default());
        self.function.blocks.len() - 1
    }

    /// Writes a block from here on.
    pub(super) fn begin(&mut self, block: usize) {
        self.current = block;
        self.function.blocks[block].cold |= self.cold;
        self.order.push(block);
    }

    /// Begins a block that is the head of a loop.
    pub(super) fn begin_loop(&mut self, block: usize) {
        self.begin(block);
        self.function.blocks[block].head = true;
    }

    /// Writes `work` as code that runs seldom.
    pub(super) fn seldom<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let was = std::mem::replace(&mut self.cold, true);
        let result = work(self);
        self.cold = was;
        result
    }

    /// A parameter of a block.
    pub(super) fn param(&mut self, block: usize, class: RegClass) -> VReg {
        let register = self.register(class);
        self.function.blocks[block].params.push(register);
        register
    }

    /// Jumps.
    pub(super) fn jump(&mut self, to: usize, arguments: Vec<VReg>) {
        let block = &mut self.function.blocks[self.current];
        (block.successors, block.arguments) = (vec![Block::new(to)], vec![arguments]);
        self.push(WideInst::Jump);
    }

    /// Jumps to one of two new blocks, which have no parameters.
    pub(super) fn branch(&mut self, condition: Condition, then: usize, otherwise: usize) {
        let block = &mut self.function.blocks[self.current];
        block.successors = vec![Block::new(then), Block::new(otherwise)];
        block.arguments = vec![Vec::new(); 2];
        self.push(WideInst::Branch(condition));
    }

    /// Returns from the function.
    pub(super) fn ret(&mut self, status: VReg) {
        self.operands.push(Operand::reg_fixed_use(status, PReg::new(0, INT)));
        self.push(WideInst::Return);
    }

    /// The parameters of the function, in these general registers.
    pub(super) fn params<const N: usize>(&mut self, hardware: [usize; N]) -> [VReg; N] {
        let registers = hardware.map(|number| {
            let register = self.register(INT);
            self.operands.push(Operand::reg_fixed_def(register, PReg::new(number, INT)));
            register
        });
        self.push(WideInst::Params);
        registers
    }

    /// Calls the thunk at the address in the first register, with arguments in these hardware
    /// registers. It preserves all but `rax`.
    pub(super) fn call(&mut self, thunk: VReg, arguments: &[(VReg, usize)]) {
        for &(register, number) in [(thunk, 0)].iter().chain(arguments) {
            self.operands.push(Operand::reg_fixed_use(register, PReg::new(number, INT)));
        }
        self.push(WideInst::Call);
    }

    // Instructions.

    /// A new register.
    pub(super) fn register(&mut self, class: RegClass) -> VReg {
        self.function.registers += 1;
        VReg::new(self.function.registers - 1, class)
    }

    fn push(&mut self, kind: WideInst) {
        let start = self.function.operands.len() as u32;
        self.function.operands.extend(self.operands.drain(..));
        let operands = (start, self.function.operands.len() as u32);
        self.function.blocks[self.current].insts.push(AllocatedInst { kind, operands, pos: self.pos });
    }

    fn operand(&mut self, operand: Operand) -> u8 {
        self.operands.push(operand);
        self.operands.len() as u8 - 1
    }

    /// A source as it is encoded. A late use is not overwritten by the result.
    fn slot(&mut self, source: InstOperand, late: bool) -> InstSlot {
        let mut used = |register: VReg| {
            self.operands.push(match late {
                true => Operand::reg_use_at_end(register),
                false => Operand::reg_use(register),
            });
            self.operands.len() as u8 - 1
        };
        match source {
            InstOperand::Reg(register, view) => InstSlot::Reg(used(register), view),
            InstOperand::Mem(MemoryOperand { base, index, displacement, broadcast }) => {
                let base = match base {
                    MemoryBase::Reg(base) => BaseSlot::Reg(used(base)),
                    MemoryBase::Caller => BaseSlot::Caller,
                    MemoryBase::Room => BaseSlot::Room,
                };
                let index = index.map(|(index, view, scale)| (used(index), view, scale));
                InstSlot::Mem { base, index, displacement, broadcast }
            }
            InstOperand::Pool(offset, broadcast) => InstSlot::Pool { offset, broadcast },
            InstOperand::Imm8(bits) => InstSlot::Imm8(bits),
            InstOperand::Signed32(bits) => InstSlot::Signed32(bits),
            InstOperand::Imm32(bits) => InstSlot::Imm32(bits),
            InstOperand::Imm64(bits) => InstSlot::Imm64(bits),
        }
    }

    fn inst(&mut self, code: Code, slots: &[InstSlot], mask: Option<u8>, zeroing: bool) {
        self.inst_locked(code, slots, mask, zeroing, false);
    }

    fn inst_locked(&mut self, code: Code, slots: &[InstSlot], mask: Option<u8>, zeroing: bool, locked: bool) {
        let mut code = code;
        if !self.machine.has_masks {
            code = vex_of(code, slots).unwrap_or(code);
        }
        let mut all = [InstSlot::Imm8(0); 4];
        all[..slots.len()].copy_from_slice(slots);
        let count = slots.len() as u8;
        self.push(WideInst::Machine(MachineInst { code, slots: all, count, mask, zeroing, locked }));
    }

    fn sources(&mut self, sources: &[InstOperand]) -> SmallVec<[InstSlot; 4]> {
        sources.iter().map(|&source| self.slot(source, false)).collect()
    }

    /// An instruction whose first operand is its result.
    pub(super) fn def(&mut self, code: Code, class: RegClass, view: RegisterView, sources: &[InstOperand]) -> VReg {
        self.def_masked(code, class, view, sources, Masking::None)
    }

    /// The same under a mask.
    pub(super) fn def_masked(
        &mut self,
        code: Code,
        class: RegClass,
        view: RegisterView,
        sources: &[InstOperand],
        masking: Masking,
    ) -> VReg {
        let slots = self.sources(sources);
        let mask = match masking {
            Masking::None => None,
            Masking::Zero(mask) => Some(self.operand(Operand::reg_use(mask))),
        };
        let result = self.register(class);
        let first = InstSlot::Reg(self.operand(Operand::reg_def(result)), view);
        let slots: SmallVec<[InstSlot; 4]> = std::iter::once(first).chain(slots).collect();
        // A comparison clears lanes by itself; its encoding has no bit for that.
        self.inst(code, &slots, mask, mask.is_some() && class == VECTOR);
        result
    }

    /// An instruction that overwrites its first operand, `before`; with a mask, lanes that are
    /// clear keep it.
    pub(super) fn def_over(
        &mut self,
        code: Code,
        view: RegisterView,
        before: VReg,
        sources: &[InstOperand],
        mask: Option<VReg>,
    ) -> VReg {
        let old = self.operand(Operand::reg_use(before));
        let slots = self.sources(sources);
        let mask = mask.map(|mask| self.operand(Operand::reg_use(mask)));
        let result = self.register(before.class());
        let first = InstSlot::Reg(self.operand(Operand::reg_reuse_def(result, usize::from(old))), view);
        let slots: SmallVec<[InstSlot; 4]> = std::iter::once(first).chain(slots).collect();
        self.inst(code, &slots, mask, false);
        result
    }

    /// A blend: where the mask is set the second source, otherwise the first.
    pub(super) fn def_blend(&mut self, code: Code, view: RegisterView, sources: &[InstOperand], set: VReg) -> VReg {
        let slots = self.sources(sources);
        let mask = self.operand(Operand::reg_use(set));
        let result = self.register(VECTOR);
        let first = InstSlot::Reg(self.operand(Operand::reg_def(result)), view);
        let slots: SmallVec<[InstSlot; 4]> = std::iter::once(first).chain(slots).collect();
        self.inst(code, &slots, Some(mask), false);
        result
    }

    /// An instruction without a result in a register: a store, a comparison that sets flags.
    pub(super) fn effect(&mut self, code: Code, operands: &[InstOperand], mask: Option<VReg>) {
        let slots = self.sources(operands);
        let mask = mask.map(|mask| self.operand(Operand::reg_use(mask)));
        self.inst(code, &slots, mask, false);
    }

    /// An instruction that updates memory, as one step for all threads if it is locked.
    pub(super) fn effect_locked(&mut self, code: Code, operands: &[InstOperand], locked: bool) {
        let slots = self.sources(operands);
        self.inst_locked(code, &slots, None, false, locked);
    }

    /// An instruction whose result is made of no source: zero by exclusive or, ones by not-xor.
    pub(super) fn def_of_itself(&mut self, code: Code, class: RegClass, view: RegisterView) -> VReg {
        let result = self.register(class);
        let slot = InstSlot::Reg(self.operand(Operand::reg_def(result)), view);
        self.inst(code, &[slot; 3], None, false);
        result
    }

    /// A gather: overwrites `before` where the mask is set, and destroys the mask.
    pub(super) fn gather(
        &mut self,
        code: Code,
        length: VectorLength,
        before: VReg,
        from: MemoryOperand,
        lanes: VReg,
    ) -> VReg {
        let memory = self.slot(InstOperand::Mem(from), true);
        let old = self.operand(Operand::reg_use(before));
        let mask = self.operand(Operand::reg_use(lanes));
        let (spent, result) = (self.register(lanes.class()), self.register(VECTOR));
        let spent = self.operand(Operand::reg_reuse_def(spent, usize::from(mask)));
        let slot = self.operand(Operand::reg_reuse_def(result, usize::from(old)));
        let value = InstSlot::Reg(slot, RegisterView::Vector(length));
        if lanes.class() == MASK {
            self.inst(code, &[value, memory], Some(spent), false);
        } else {
            self.inst(code, &[value, memory, InstSlot::Reg(spent, RegisterView::Vector(length))], None, false);
        }
        result
    }

    /// A scatter: destroys the mask.
    pub(super) fn scatter(&mut self, code: Code, value: InstOperand, to: MemoryOperand, mask: VReg) {
        let memory = self.slot(InstOperand::Mem(to), true);
        let value = self.slot(value, true);
        let mask = self.operand(Operand::reg_use(mask));
        let spent = self.register(MASK);
        let spent = self.operand(Operand::reg_reuse_def(spent, usize::from(mask)));
        self.inst(code, &[memory, value], Some(spent), false);
    }

    /// An instruction with operands and results in fixed registers: division, multiplication,
    /// compare-exchange. Gives its results.
    pub(super) fn fixed(
        &mut self,
        code: Code,
        operands: &[InstOperand],
        uses: &[(VReg, usize)],
        results: &[usize],
    ) -> SmallVec<[VReg; 2]> {
        self.fixed_locked(code, operands, uses, results, false)
    }

    /// The same, as one step for all threads if it is locked.
    pub(super) fn fixed_locked(
        &mut self,
        code: Code,
        operands: &[InstOperand],
        uses: &[(VReg, usize)],
        results: &[usize],
        locked: bool,
    ) -> SmallVec<[VReg; 2]> {
        let slots: SmallVec<[InstSlot; 4]> = operands.iter().map(|&operand| self.slot(operand, true)).collect();
        for &(register, number) in uses {
            self.operand(Operand::reg_fixed_use(register, PReg::new(number, INT)));
        }
        let defined = results.iter().map(|&number| {
            let register = self.register(INT);
            self.operand(Operand::reg_fixed_def(register, PReg::new(number, INT)));
            register
        });
        let defined = defined.collect();
        self.inst_locked(code, &slots, None, false, locked);
        defined
    }

    /// An instruction that reads and overwrites a register that it also names, as `lock xadd` does.
    pub(super) fn exchange(
        &mut self,
        code: Code,
        view: RegisterView,
        memory: MemoryOperand,
        value: VReg,
        locked: bool,
    ) -> VReg {
        let memory = self.slot(InstOperand::Mem(memory), true);
        let old = self.operand(Operand::reg_use(value));
        let result = self.register(INT);
        let slot = self.operand(Operand::reg_reuse_def(result, usize::from(old)));
        self.inst_locked(code, &[memory, InstSlot::Reg(slot, view)], None, false, locked);
        result
    }

    // Numbers.

    /// A number in a general register.
    pub(super) fn number(&mut self, bits: u64) -> VReg {
        match u32::try_from(bits) {
            Ok(bits) => self.def(Code::Mov_r32_imm32, INT, RegisterView::Dword, &[InstOperand::Imm32(bits)]),
            Err(_) => self.def(Code::Mov_r64_imm64, INT, RegisterView::Qword, &[InstOperand::Imm64(bits)]),
        }
    }

    /// The offset of bytes in the pool, aligned to their number.
    pub(super) fn constant(&mut self, bytes: &[u8]) -> u32 {
        if let Some(&offset) = self.constants.get(bytes) {
            return offset;
        }
        let pool = &mut self.function.pool;
        pool.resize(pool.len().next_multiple_of(bytes.len().next_power_of_two()), 0);
        let offset = pool.len() as u32;
        pool.extend_from_slice(bytes);
        self.constants.insert(bytes.into(), offset);
        offset
    }

    /// The address of memory in a register.
    pub(super) fn address(&mut self, of: MemoryOperand) -> VReg {
        match of {
            MemoryOperand { base: MemoryBase::Reg(base), index: None, displacement: 0, .. } => base,
            _ => {
                let of = InstOperand::Mem(MemoryOperand { broadcast: false, ..of });
                self.def(Code::Lea_r64_m, INT, RegisterView::Qword, &[of])
            }
        }
    }

    /// Reserves bytes of the function's room on the stack; all uses share them.
    pub(super) fn reserve(&mut self, bytes: u32) {
        self.function.room = self.function.room.max(bytes);
    }
}
