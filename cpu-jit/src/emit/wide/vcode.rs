//! Machine code with virtual registers: the function that register allocation reads.
//!
//! A [`WideFunction`] is basic blocks of instructions in static single assignment, with block
//! parameters. Register classes: `Int` are general registers, `Float` vector registers, `Vector`
//! the mask registers `k1` to `k7`.

use iced_x86::Code;
use regalloc2::{Block, Function, Inst, InstRange, Operand, PReg, PRegSet, RegClass, VReg};
use tilewise_ir::pos::Pos;

/// General registers.
pub(super) const INT: RegClass = RegClass::Int;
/// Vector registers, which hold scalar floats too.
pub(super) const VECTOR: RegClass = RegClass::Float;
/// Mask registers.
pub(super) const MASK: RegClass = RegClass::Vector;

/// The part of a register that an instruction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RegisterView {
    /// 8 bits of a general register.
    Byte,
    /// 16 bits.
    Word,
    /// 32 bits.
    Dword,
    /// A whole general register.
    Qword,
    /// A whole mask register.
    Mask,
    /// 128, 256 or 512 bits of a vector register.
    Vector(VectorLength),
}

/// The length of a vector instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VectorLength {
    /// 128 bits.
    X,
    /// 256 bits.
    Y,
    /// 512 bits.
    Z,
}

impl VectorLength {
    /// The length of a vector of so many bytes: the next that exists.
    pub(super) const fn of_bytes(bytes: u32) -> VectorLength {
        match bytes {
            0..=16 => VectorLength::X,
            17..=32 => VectorLength::Y,
            _ => VectorLength::Z,
        }
    }

    /// Its bytes.
    pub(super) const fn bytes(self) -> u32 {
        16 << self as u32
    }
}

/// An operand of an instruction as it is encoded. Registers are indices into the instruction's
/// list of allocated operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum InstSlot {
    /// A register.
    Reg(u8, RegisterView),
    /// Memory.
    Mem {
        /// The base.
        base: BaseSlot,
        /// The index, its view (a vector for gathers), and its scale.
        index: Option<(u8, RegisterView, u8)>,
        /// The displacement.
        displacement: i32,
        /// Is one element repeated in each lane?
        broadcast: bool,
    },
    /// A constant behind the code.
    Pool {
        /// Byte offset in the pool.
        offset: u32,
        /// Is one element repeated in each lane?
        broadcast: bool,
    },
    /// An immediate byte.
    Imm8(u8),
    /// 32 bits, sign-extended to 64.
    Signed32(i32),
    /// 32 bits.
    Imm32(u32),
    /// 64 bits.
    Imm64(u64),
}

/// The base of a memory operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum BaseSlot {
    /// A register.
    Reg(u8),
    /// The caller's frame: parameters on the stack.
    Caller,
    /// The function's own room on the stack.
    Room,
}

/// An instruction of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct MachineInst {
    /// The instruction.
    pub(super) code: Code,
    /// Its operands.
    pub(super) slots: [InstSlot; 4],
    /// The number of operands.
    pub(super) count: u8,
    /// The mask register, by index.
    pub(super) mask: Option<u8>,
    /// Are masked-off lanes zeroed, or kept?
    pub(super) zeroing: bool,
    /// Is it one step for all threads?
    pub(super) locked: bool,
}

/// What an instruction of a [`WideFunction`] is.
#[derive(Clone, Copy, Debug)]
pub(super) enum WideInst {
    /// An instruction.
    Machine(MachineInst),
    /// Defines the function's parameters.
    Params,
    /// Returns from the function.
    Return,
    /// Jumps to the only successor.
    Jump,
    /// Jumps to the first successor if a condition holds, otherwise to the second.
    Branch(Condition),
    /// Calls the thunk, whose address is in `rax`.
    Call,
}

/// A condition on the flags, by the number that instructions encode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Condition {
    /// Unsigned below; carry.
    Below = 2,
    /// Unsigned above or equal; no carry.
    AboveEqual = 3,
    /// Equal; zero.
    Equal = 4,
    /// Not equal; not zero.
    NotEqual = 5,
    /// Unsigned below or equal.
    BelowEqual = 6,
    /// Unsigned above.
    Above = 7,
    /// Signed less.
    Less = 12,
    /// Signed greater or equal.
    GreaterEqual = 13,
    /// Signed less or equal.
    LessEqual = 14,
    /// Signed greater.
    Greater = 15,
}

/// An instruction with its operands for register allocation.
pub(super) struct AllocatedInst {
    /// What it is.
    pub(super) kind: WideInst,
    /// Its range in [`WideFunction::operands`].
    pub(super) operands: (u32, u32),
    /// Its position in the source.
    pub(super) pos: Pos,
}

/// A basic block.
#[derive(Default)]
pub(super) struct BlockData {
    /// The instructions.
    pub(super) insts: Vec<AllocatedInst>,
    /// The parameters.
    pub(super) params: Vec<VReg>,
    /// The successors, and the arguments for each.
    pub(super) successors: Vec<Block>,
    /// The arguments for each successor.
    pub(super) arguments: Vec<Vec<VReg>>,
    /// The predecessors, once the function is complete.
    pub(super) predecessors: Vec<Block>,
    /// Does a loop begin here?
    pub(super) head: bool,
    /// Does it run seldom?
    pub(super) cold: bool,
}

/// A function with virtual registers.
#[derive(Default)]
pub(super) struct WideFunction {
    /// All instructions, block by block, once the function is complete.
    pub(super) insts: Vec<AllocatedInst>,
    /// The range of each block in [`WideFunction::insts`].
    pub(super) ranges: Vec<(u32, u32)>,
    /// The blocks, in the order of the code.
    pub(super) blocks: Vec<BlockData>,
    /// The operands of all instructions.
    pub(super) operands: Vec<Operand>,
    /// The number of virtual registers.
    pub(super) registers: usize,
    /// Constants.
    pub(super) pool: Vec<u8>,
    /// Bytes of the function's own room on the stack.
    pub(super) room: u32,
    /// 8-byte words that a spilled vector takes.
    pub(super) vector_words: usize,
    /// Were there stores that bypass the caches?
    pub(super) streams: bool,
}

impl WideFunction {
    /// Puts the blocks in this order, and completes the function.
    pub(super) fn complete(&mut self, order: &[usize]) {
        let count = self.blocks.len();
        let mut position = vec![0; count];
        for (at, &block) in order.iter().enumerate() {
            position[block] = at;
        }
        let mut old: Vec<Option<BlockData>> = std::mem::take(&mut self.blocks).into_iter().map(Some).collect();
        self.blocks = order.iter().filter_map(|&block| old[block].take()).collect();
        let mut predecessors = vec![Vec::new(); count];
        for (at, block) in self.blocks.iter_mut().enumerate() {
            for successor in &mut block.successors {
                *successor = Block::new(position[successor.index()]);
                predecessors[successor.index()].push(Block::new(at));
            }
            let start = self.insts.len() as u32;
            self.insts.append(&mut block.insts);
            self.ranges.push((start, self.insts.len() as u32));
        }
        for (block, predecessors) in self.blocks.iter_mut().zip(predecessors) {
            block.predecessors = predecessors;
        }
    }
}

impl Function for WideFunction {
    fn num_insts(&self) -> usize {
        self.insts.len()
    }

    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry_block(&self) -> Block {
        Block::new(0)
    }

    fn block_insns(&self, block: Block) -> InstRange {
        let (start, end) = self.ranges[block.index()];
        InstRange::new(Inst::new(start as usize), Inst::new(end as usize))
    }

    fn block_succs(&self, block: Block) -> &[Block] {
        &self.blocks[block.index()].successors
    }

    fn block_preds(&self, block: Block) -> &[Block] {
        &self.blocks[block.index()].predecessors
    }

    fn block_params(&self, block: Block) -> &[VReg] {
        &self.blocks[block.index()].params
    }

    fn is_ret(&self, inst: Inst) -> bool {
        matches!(self.insts[inst.index()].kind, WideInst::Return)
    }

    fn is_branch(&self, inst: Inst) -> bool {
        matches!(self.insts[inst.index()].kind, WideInst::Jump | WideInst::Branch(_))
    }

    fn branch_blockparams(&self, block: Block, _: Inst, successor: usize) -> &[VReg] {
        &self.blocks[block.index()].arguments[successor]
    }

    fn inst_operands(&self, inst: Inst) -> &[Operand] {
        let (start, end) = self.insts[inst.index()].operands;
        &self.operands[start as usize..end as usize]
    }

    fn inst_clobbers(&self, inst: Inst) -> PRegSet {
        // The thunk preserves all but the register of its result.
        if matches!(self.insts[inst.index()].kind, WideInst::Call) {
            return PRegSet::empty().with(PReg::new(0, INT));
        }
        PRegSet::empty()
    }

    fn num_vregs(&self) -> usize {
        self.registers
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        if class == VECTOR { self.vector_words } else { 1 }
    }
}
