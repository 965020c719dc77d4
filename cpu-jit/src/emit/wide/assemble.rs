//! Allocates registers, and encodes the result.
//!
//! The frame: the caller's `rbp`, so that profilers can walk the stack; saved registers; spilled
//! registers and the function's room, aligned to 64. Constants follow the code.

use iced_x86::{Code, Decoder, DecoderOptions, Encoder, Instruction, OpKind, Register};
use regalloc2::{Algorithm, Allocation, Block, Edit, InstOrEdit, MachineEnv, PReg, PRegSet, RegClass, RegallocOptions};
use tilewise_ir::pos::Pos;

use super::machine::WideMachine;
use super::vcode::{
    BaseSlot, INT, InstSlot, MASK, MachineInst, RegisterView, VECTOR, VectorLength, WideFunction, WideInst,
};
use super::writer::at_length;
use crate::emit::EmitError;

/// Machine code before it is executable.
pub(super) struct AssembledCode {
    pub(super) bytes: Vec<u8>,
    pub(super) lines: Vec<(u32, Pos)>,
    /// Bytes of stack.
    pub(super) frame: u32,
}

/// General registers that a function preserves.
const PRESERVED: [usize; 5] = [3, 12, 13, 14, 15];

/// Maximum stack frame of a function in bytes, as for Cranelift's.
const FRAME: usize = 512 << 10;

/// A page that has a guard.
const PAGE: usize = 4096;

fn environment(machine: WideMachine) -> MachineEnv {
    let set = |class, numbers: &mut dyn Iterator<Item = usize>| {
        numbers.fold(PRegSet::empty(), |set, number| set.with(PReg::new(number, class)))
    };
    MachineEnv {
        preferred_regs_by_class: [
            set(INT, &mut [0, 1, 2, 6, 7, 8, 9, 10, 11].into_iter()),
            set(VECTOR, &mut (0..machine.registers())),
            set(MASK, &mut (1..if machine.has_masks { 8 } else { 1 })),
        ],
        non_preferred_regs_by_class: [set(INT, &mut PRESERVED.into_iter()), PRegSet::empty(), PRegSet::empty()],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}

fn register(physical: PReg, view: RegisterView) -> Register {
    const BYTES: [Register; 16] = [
        Register::AL,
        Register::CL,
        Register::DL,
        Register::BL,
        Register::SPL,
        Register::BPL,
        Register::SIL,
        Register::DIL,
        Register::R8L,
        Register::R9L,
        Register::R10L,
        Register::R11L,
        Register::R12L,
        Register::R13L,
        Register::R14L,
        Register::R15L,
    ];
    let number = physical.hw_enc();
    match view {
        RegisterView::Byte => BYTES[number],
        RegisterView::Word => Register::AX + number as u32,
        RegisterView::Dword => Register::EAX + number as u32,
        RegisterView::Qword => Register::RAX + number as u32,
        RegisterView::Mask => Register::K0 + number as u32,
        RegisterView::Vector(VectorLength::X) => Register::XMM0 + number as u32,
        RegisterView::Vector(VectorLength::Y) => Register::YMM0 + number as u32,
        RegisterView::Vector(VectorLength::Z) => Register::ZMM0 + number as u32,
    }
}

/// A place in the code where the distance to somewhere else is patched in.
struct Patch {
    /// Offset of the 32 bits.
    at: usize,
    /// Offset that the distance is counted from.
    from: usize,
    to: PatchTarget,
}

enum PatchTarget {
    Block(usize),
    Pool(u32),
}

struct Assembler<'f> {
    function: &'f WideFunction,
    encoder: Encoder,
    position: usize,
    /// Bytes of spilled registers.
    spilled: usize,
    patches: Vec<Patch>,
    failure: Option<EmitError>,
    machine: WideMachine,
    /// Is each instruction decoded and compared?
    check: bool,
}

/// Allocates registers and encodes. `single_pass` allocation takes a sixth of the time, and spills
/// most values that live beyond a block; a frame that then is too large is allocated again. With
/// `check`, the allocation is verified, and each instruction is decoded and compared.
pub(super) fn assemble(
    function: &WideFunction,
    machine: WideMachine,
    single_pass: bool,
    check: bool,
) -> Result<AssembledCode, EmitError> {
    let environment = environment(machine);
    let allocated = allocate(function, &environment, single_pass, check)?;
    let (spilled, room) = frame(function, &allocated);
    if room > FRAME && single_pass {
        return assemble(function, machine, false, check);
    }
    if room > FRAME {
        return Err(EmitError(format!("it would take {room} bytes on the stack, at most {FRAME} may be")));
    }
    let mut assembler = Assembler {
        function,
        encoder: Encoder::new(64),
        position: 0,
        spilled,
        patches: Vec::new(),
        failure: None,
        machine,
        check,
    };
    let saved = preserved(&allocated);
    assembler.enter(&saved, room);
    let mut lines = Vec::new();
    let starts = assembler.blocks(&allocated, &saved, room > 0, &mut lines);
    assembler.finish(&starts, lines, room + 8 * (saved.len() + 2) + 64)
}

/// Allocates registers.
fn allocate(
    function: &WideFunction,
    environment: &MachineEnv,
    single_pass: bool,
    check: bool,
) -> Result<regalloc2::Output, EmitError> {
    let algorithm = if single_pass { Algorithm::Fastalloc } else { Algorithm::Ion };
    let options = RegallocOptions { validate_ssa: check, algorithm, ..RegallocOptions::default() };
    let allocated = regalloc2::run(function, environment, &options)
        .map_err(|why| EmitError(format!("register allocation failed: {why:?}")))?;
    if check {
        let mut checker = regalloc2::checker::Checker::new(function, environment);
        checker.prepare(&allocated);
        checker.run().map_err(|why| EmitError(format!("register allocation is wrong: {why:?}")))?;
    }
    Ok(allocated)
}

/// Bytes of spilled registers, and of all that is below the saved registers.
fn frame(function: &WideFunction, allocated: &regalloc2::Output) -> (usize, usize) {
    let spilled = (allocated.num_spillslots * 8).next_multiple_of(64);
    (spilled, spilled + (function.room as usize).next_multiple_of(64))
}

/// The preserved registers that are used.
fn preserved(allocated: &regalloc2::Output) -> Vec<PReg> {
    let moves = allocated.edits.iter().flat_map(|(_, Edit::Move { from, to })| [*from, *to]);
    let mut used = PRegSet::empty();
    for register in allocated.allocs.iter().copied().chain(moves).filter_map(Allocation::as_reg) {
        used.add(register);
    }
    PRESERVED.map(|number| PReg::new(number, INT)).into_iter().filter(|&register| used.contains(register)).collect()
}

impl Assembler<'_> {
    fn encode(&mut self, instruction: &Instruction) {
        match self.encoder.encode(instruction, self.position as u64) {
            Ok(bytes) => {
                if !self.machine.has_masks && self.begins_evex() {
                    let code = instruction.code();
                    self.failure.get_or_insert_with(|| EmitError(format!("{code:?} is an instruction of AVX-512")));
                }
                if self.check {
                    self.decode_again(instruction);
                }
                self.position += bytes;
            }
            Err(why) => {
                let code = instruction.code();
                self.failure.get_or_insert_with(|| EmitError(format!("{code:?} is not encoded: {why}")));
            }
        }
    }

    /// Does the last instruction begin with the prefix of AVX-512's encodings?
    fn begins_evex(&mut self) -> bool {
        const EVEX: u8 = 0x62;
        let bytes = self.encoder.take_buffer();
        let begins = bytes.get(self.position) == Some(&EVEX);
        self.encoder.set_buffer(bytes);
        begins
    }

    /// Compares the last instruction with what its bytes decode to.
    fn decode_again(&mut self, instruction: &Instruction) {
        let bytes = self.encoder.take_buffer();
        let start = self.position as u64;
        let decoded = Decoder::with_ip(64, &bytes[self.position..], start, DecoderOptions::NONE).decode();
        let parts = |of: &Instruction| {
            let operands = (0..of.op_count()).map(|i| (of.op_kind(i) == OpKind::Memory, of.op_register(i)));
            let memory = (of.memory_base(), of.memory_index(), of.memory_index_scale());
            let address = of.memory_displacement64();
            let masks = (of.op_mask(), of.zeroing_masking(), of.is_broadcast(), of.has_lock_prefix());
            (of.code(), operands.collect::<Vec<_>>(), memory, address, masks)
        };
        let (expected, found) = (parts(instruction), parts(&decoded));
        if expected != found {
            self.failure = Some(EmitError(format!("{expected:?} decodes to {found:?}")));
        }
        self.encoder.set_buffer(bytes);
    }

    fn raw(&mut self, bytes: &[u8]) {
        let mut buffer = self.encoder.take_buffer();
        buffer.extend_from_slice(bytes);
        self.position += bytes.len();
        self.encoder.set_buffer(buffer);
    }

    fn plain(&mut self, code: Code) {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        self.encode(&instruction);
    }

    fn with_register(&mut self, code: Code, register: Register) {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        set_register(&mut instruction, 0, register);
        self.encode(&instruction);
    }

    fn with_registers(&mut self, code: Code, to: Register, from: Register) {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        set_register(&mut instruction, 0, to);
        set_register(&mut instruction, 1, from);
        self.encode(&instruction);
    }

    fn with_number(&mut self, code: Code, register: Register, number: i32) {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        set_register(&mut instruction, 0, register);
        instruction.set_op1_kind(OpKind::Immediate32to64);
        instruction.set_immediate32to64(number.into());
        self.encode(&instruction);
    }

    fn with_memory(&mut self, code: Code, register: Register, base: Register, offset: i64, store: bool) {
        let mut instruction = Instruction::default();
        instruction.set_code(code);
        let (own, memory) = if store { (1, 0) } else { (0, 1) };
        set_register(&mut instruction, own, register);
        set_memory(&mut instruction, memory, base, None, offset);
        self.encode(&instruction);
    }

    /// The prologue.
    fn enter(&mut self, saved: &[PReg], room: usize) {
        self.with_register(Code::Push_r64, Register::RBP);
        self.with_registers(Code::Mov_r64_rm64, Register::RBP, Register::RSP);
        for &register_saved in saved {
            self.with_register(Code::Push_r64, register(register_saved, RegisterView::Qword));
        }
        if room > 0 {
            // Each page is touched, so that no guard page is skipped.
            for page in 1..=(room + 64) / PAGE {
                self.with_memory(Code::Test_rm32_r32, Register::EAX, Register::RSP, -((page * PAGE) as i64), true);
            }
            self.with_number(Code::Sub_rm64_imm32, Register::RSP, room as i32);
            self.with_number(Code::And_rm64_imm32, Register::RSP, -64);
        }
    }

    fn leave(&mut self, saved: &[PReg], has_room: bool) {
        if self.function.streams {
            self.plain(Code::Sfence);
        }
        self.plain(Code::VEX_Vzeroupper);
        if has_room {
            let below = -8 * saved.len() as i64;
            self.with_memory(Code::Lea_r64_m, Register::RSP, Register::RBP, below, false);
        }
        for &register_saved in saved.iter().rev() {
            self.with_register(Code::Pop_r64, register(register_saved, RegisterView::Qword));
        }
        self.with_register(Code::Pop_r64, Register::RBP);
        self.plain(Code::Retnq);
    }

    /// Copies a register or a spilled one.
    fn copy(&mut self, from: Allocation, to: Allocation) {
        let older = !self.machine.has_masks;
        let code = |class, load: bool, store: bool, longest: VectorLength| match class {
            RegClass::Int if store => Code::Mov_rm64_r64,
            RegClass::Int => Code::Mov_r64_rm64,
            RegClass::Float if older && store => at_length(Code::VEX_Vmovaps_xmmm128_xmm, longest),
            RegClass::Float if older => at_length(Code::VEX_Vmovaps_xmm_xmmm128, longest),
            RegClass::Float if store => at_length(Code::EVEX_Vmovaps_xmmm128_k1z_xmm, longest),
            RegClass::Float => at_length(Code::EVEX_Vmovaps_xmm_k1z_xmmm128, longest),
            RegClass::Vector if store => Code::VEX_Kmovw_m16_kr,
            RegClass::Vector if load => Code::VEX_Kmovw_kr_km16,
            RegClass::Vector => Code::VEX_Kmovw_kr_km16,
        };
        let offset = |slot: Allocation| slot.as_stack().map_or(0, |slot| slot.index() as i64 * 8);
        let longest = self.machine.longest;
        let name = |physical: PReg| {
            let view = match physical.class() {
                RegClass::Int => RegisterView::Qword,
                RegClass::Float => RegisterView::Vector(longest),
                RegClass::Vector => RegisterView::Mask,
            };
            register(physical, view)
        };
        match (from.as_reg(), to.as_reg()) {
            _ if from == to => {}
            (Some(a), Some(b)) => self.with_registers(code(a.class(), false, false, longest), name(b), name(a)),
            (Some(a), None) => {
                self.with_memory(code(a.class(), false, true, longest), name(a), Register::RSP, offset(to), true);
            }
            (None, Some(b)) => {
                self.with_memory(code(b.class(), true, false, longest), name(b), Register::RSP, offset(from), false);
            }
            (None, None) => {
                self.failure.get_or_insert_with(|| EmitError("a move from the stack to the stack".into()));
            }
        }
    }

    fn machine(&mut self, inst: &MachineInst, allocs: &[Allocation]) {
        let physical = |index: u8| allocs[usize::from(index)].as_reg();
        let mut instruction = Instruction::default();
        instruction.set_code(inst.code);
        let mut pool = None;
        for (i, &slot) in (0..).zip(&inst.slots[..usize::from(inst.count)]) {
            match slot {
                InstSlot::Reg(index, view) => match physical(index) {
                    Some(physical) => set_register(&mut instruction, i, register(physical, view)),
                    None => self.failure = Some(EmitError("an operand is not in a register".into())),
                },
                InstSlot::Mem { base, index, displacement, broadcast } => {
                    let (base, more) = match base {
                        BaseSlot::Reg(index) => {
                            let base = physical(index).map(|base| register(base, RegisterView::Qword));
                            (base.unwrap_or(Register::RAX), 0)
                        }
                        BaseSlot::Caller => (Register::RBP, 0),
                        BaseSlot::Room => (Register::RSP, self.spilled as i64),
                    };
                    let index = index.and_then(|(index, view, scale)| Some((register(physical(index)?, view), scale)));
                    set_memory(&mut instruction, i, base, index, i64::from(displacement) + more);
                    instruction.set_is_broadcast(broadcast);
                }
                InstSlot::Pool { offset, broadcast } => {
                    pool = Some(offset);
                    instruction.set_op_kind(i, OpKind::Memory);
                    instruction.set_memory_base(Register::RIP);
                    instruction.set_memory_displ_size(8);
                    instruction.set_memory_displacement64(self.position as u64);
                    instruction.set_is_broadcast(broadcast);
                }
                InstSlot::Imm8(bits) => {
                    instruction.set_op_kind(i, OpKind::Immediate8);
                    instruction.set_immediate8(bits);
                }
                InstSlot::Signed32(bits) => {
                    instruction.set_op_kind(i, OpKind::Immediate32to64);
                    instruction.set_immediate32to64(bits.into());
                }
                InstSlot::Imm32(bits) => {
                    instruction.set_op_kind(i, OpKind::Immediate32);
                    instruction.set_immediate32(bits);
                }
                InstSlot::Imm64(bits) => {
                    instruction.set_op_kind(i, OpKind::Immediate64);
                    instruction.set_immediate64(bits);
                }
            }
        }
        if let Some(mask) = inst.mask.and_then(physical) {
            instruction.set_op_mask(register(mask, RegisterView::Mask));
            instruction.set_zeroing_masking(inst.zeroing);
        }
        instruction.set_has_lock_prefix(inst.locked);
        let start = self.position;
        self.encode(&instruction);
        if let Some(offset) = pool {
            let at = start + self.encoder.get_constant_offsets().displacement_offset();
            self.patches.push(Patch { at, from: self.position, to: PatchTarget::Pool(offset) });
        }
    }

    fn jump_to(&mut self, opcode: &[u8], block: usize) {
        self.raw(opcode);
        let at = self.position;
        self.raw(&[0; 4]);
        self.patches.push(Patch { at, from: at + 4, to: PatchTarget::Block(block) });
    }

    /// Encodes all blocks; returns their offsets.
    fn blocks(
        &mut self,
        allocated: &regalloc2::Output,
        saved: &[PReg],
        has_room: bool,
        lines: &mut Vec<(u32, Pos)>,
    ) -> Vec<usize> {
        let function = self.function;
        let count = function.blocks.len();
        // Blocks that only jump are skipped.
        let empty: Vec<bool> = (0..count)
            .map(|block| {
                function.blocks[block].successors.len() == 1
                    && allocated.block_insts_and_edits(function, Block::new(block)).all(|step| match step {
                        InstOrEdit::Edit(Edit::Move { from, to }) => from == to,
                        InstOrEdit::Inst(inst) => matches!(function.insts[inst.index()].kind, WideInst::Jump),
                    })
            })
            .collect();
        let target = |mut block: usize| {
            let mut left = count;
            while empty[block] && block != 0 && left > 0 {
                block = function.blocks[block].successors[0].index();
                left -= 1;
            }
            block
        };
        let wanted = |&block: &usize| block == 0 || !empty[block];
        let (hot, cold): (Vec<usize>, Vec<usize>) =
            (0..count).filter(wanted).partition(|&block| block == 0 || !function.blocks[block].cold);
        let order: Vec<usize> = hot.into_iter().chain(cold).collect();
        let mut starts = vec![0; count];
        for (i, &block) in order.iter().enumerate() {
            let next = order.get(i + 1).copied();
            let data = &function.blocks[block];
            if data.head && !data.cold {
                self.align();
            }
            starts[block] = self.position;
            for step in allocated.block_insts_and_edits(function, Block::new(block)) {
                let inst = match step {
                    InstOrEdit::Edit(&Edit::Move { from, to }) => {
                        self.copy(from, to);
                        continue;
                    }
                    InstOrEdit::Inst(inst) => inst,
                };
                let pos = function.insts[inst.index()].pos;
                if lines.last().is_none_or(|(_, last): &(u32, Pos)| last.key() != pos.key()) {
                    lines.push((self.position as u32, pos));
                }
                match &function.insts[inst.index()].kind {
                    WideInst::Machine(machine) => self.machine(machine, allocated.inst_allocs(inst)),
                    WideInst::Params => {}
                    WideInst::Call => self.with_register(Code::Call_rm64, Register::RAX),
                    WideInst::Return => self.leave(saved, has_room),
                    WideInst::Jump => {
                        let to = target(data.successors[0].index());
                        if Some(to) != next {
                            self.jump_to(&[0xe9], to);
                        }
                    }
                    WideInst::Branch(condition) => {
                        let [then, otherwise] = [0, 1].map(|i| target(data.successors[i].index()));
                        let code = *condition as u8;
                        if Some(then) == next {
                            self.jump_to(&[0x0f, 0x80 | code ^ 1], otherwise);
                        } else {
                            self.jump_to(&[0x0f, 0x80 | code], then);
                            if Some(otherwise) != next {
                                self.jump_to(&[0xe9], otherwise);
                            }
                        }
                    }
                }
            }
        }
        starts
    }

    /// Aligns the next instruction to 32 bytes, by instructions that do nothing.
    fn align(&mut self) {
        const FILL: [&[u8]; 9] = [
            &[0x90],
            &[0x66, 0x90],
            &[0x0f, 0x1f, 0],
            &[0x0f, 0x1f, 0x40, 0],
            &[0x0f, 0x1f, 0x44, 0, 0],
            &[0x66, 0x0f, 0x1f, 0x44, 0, 0],
            &[0x0f, 0x1f, 0x80, 0, 0, 0, 0],
            &[0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0],
            &[0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0],
        ];
        let mut left = self.position.next_multiple_of(32) - self.position;
        while left > 0 {
            let bytes = left.min(FILL.len());
            self.raw(FILL[bytes - 1]);
            left -= bytes;
        }
    }

    fn finish(mut self, starts: &[usize], lines: Vec<(u32, Pos)>, frame: usize) -> Result<AssembledCode, EmitError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let mut bytes = self.encoder.take_buffer();
        let pool = if self.function.pool.is_empty() { bytes.len() } else { bytes.len().next_multiple_of(64) };
        bytes.resize(pool, 0);
        bytes.extend_from_slice(&self.function.pool);
        for Patch { at, from, to } in self.patches {
            let to = match to {
                PatchTarget::Block(block) => starts[block],
                PatchTarget::Pool(offset) => pool + offset as usize,
            };
            bytes[at..at + 4].copy_from_slice(&((to as i64 - from as i64) as i32).to_le_bytes());
        }
        Ok(AssembledCode { bytes, lines, frame: frame as u32 })
    }
}

fn set_register(instruction: &mut Instruction, operand: u32, register: Register) {
    instruction.set_op_kind(operand, OpKind::Register);
    instruction.set_op_register(operand, register);
}

fn set_memory(
    instruction: &mut Instruction,
    operand: u32,
    base: Register,
    index: Option<(Register, u8)>,
    displacement: i64,
) {
    instruction.set_op_kind(operand, OpKind::Memory);
    instruction.set_memory_base(base);
    if let Some((index, scale)) = index {
        instruction.set_memory_index(index);
        instruction.set_memory_index_scale(scale.into());
    }
    instruction.set_memory_displ_size(u32::from(displacement != 0));
    instruction.set_memory_displacement64(displacement as u64);
}
