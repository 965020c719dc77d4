//! The function that wide code calls others through: it preserves all registers.
//!
//! It calls the function in `r11`; arguments are in the registers of a C function. Results are
//! returned in memory.

use std::sync::OnceLock;

use iced_x86::{Code, Encoder, IcedError, Instruction, Register};

use super::machine::WideMachine;
use super::vcode::VectorLength;
use crate::emit::compile::CompiledFunction;
use crate::emit::{EmitError, MachineCode, target};

/// General registers that a C function may change.
const GENERAL: [Register; 9] = [
    Register::RAX,
    Register::RCX,
    Register::RDX,
    Register::RSI,
    Register::RDI,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
];

/// The address of the thunk.
pub(super) fn address(machine: WideMachine) -> Result<usize, EmitError> {
    type Made = OnceLock<Result<MachineCode, EmitError>>;
    static THUNKS: [Made; 2] = [Made::new(), Made::new()];
    let made = THUNKS[usize::from(machine.has_masks)].get_or_init(|| {
        let bytes = make(machine).map_err(|why| EmitError(format!("the thunk is not encoded: {why}")))?;
        let isa = target::host()?.well()?;
        MachineCode::new(isa.clone(), CompiledFunction { bytes, alignment: 16, ..CompiledFunction::default() })
    });
    made.as_ref().map(|code| code.bytes().as_ptr().addr()).map_err(Clone::clone)
}

/// A register, how it is saved at an offset and how it is restored.
type SavedRegister = (Register, Code, Code);

/// The registers to save, with the bytes that each takes.
fn saved_registers(machine: WideMachine) -> Vec<(SavedRegister, usize)> {
    let (first, store, load) = match machine.longest {
        VectorLength::Z => (Register::ZMM0, Code::EVEX_Vmovaps_zmmm512_k1z_zmm, Code::EVEX_Vmovaps_zmm_k1z_zmmm512),
        VectorLength::X | VectorLength::Y => {
            (Register::YMM0, Code::VEX_Vmovaps_ymmm256_ymm, Code::VEX_Vmovaps_ymm_ymmm256)
        }
    };
    let vectors = (0..machine.registers() as u32).map(|number| (first + number, store, load));
    let masks = (1..if machine.has_masks { 8 } else { 1 })
        .map(|number| (Register::K0 + number, Code::VEX_Kmovq_m64_kr, Code::VEX_Kmovq_kr_km64));
    let general = GENERAL.map(|register| (register, Code::Mov_rm64_r64, Code::Mov_r64_rm64));
    let bytes = machine.longest.bytes() as usize;
    vectors.map(|saved| (saved, bytes)).chain(masks.chain(general).map(|saved| (saved, 8))).collect()
}

/// The instructions.
fn make(machine: WideMachine) -> Result<Vec<u8>, IcedError> {
    use iced_x86::MemoryOperand as Memory;
    let mut room = 0;
    let saved = saved_registers(machine).into_iter().map(|(saved, bytes)| {
        let at = Memory::with_base_displ(Register::RSP, room);
        room += bytes as i64;
        (saved, at)
    });
    let saved: Vec<_> = saved.collect();
    let mut instructions = vec![
        Instruction::with1(Code::Push_r64, Register::RBP)?,
        Instruction::with2(Code::Mov_r64_rm64, Register::RBP, Register::RSP)?,
        Instruction::with2(Code::Sub_rm64_imm32, Register::RSP, room as i32)?,
        Instruction::with2(Code::And_rm64_imm32, Register::RSP, -64)?,
    ];
    for &((register, store, _), at) in &saved {
        instructions.push(Instruction::with2(store, at, register)?);
    }
    instructions.push(Instruction::with(Code::VEX_Vzeroupper));
    instructions.push(Instruction::with1(Code::Call_rm64, Register::R11)?);
    for &((register, _, load), at) in &saved {
        instructions.push(Instruction::with2(load, register, at)?);
    }
    instructions.push(Instruction::with2(Code::Mov_r64_rm64, Register::RSP, Register::RBP)?);
    instructions.push(Instruction::with1(Code::Pop_r64, Register::RBP)?);
    instructions.push(Instruction::with(Code::Retnq));
    let mut encoder = Encoder::new(64);
    let mut position = 0;
    for instruction in &instructions {
        position += encoder.encode(instruction, position)? as u64;
    }
    Ok(encoder.take_buffer())
}
