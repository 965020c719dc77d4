//! The function that wide code calls others through: it preserves all registers.
//!
//! It calls the function in `r11`; arguments are in the registers of a C function. Results are
//! returned in memory.

use std::sync::OnceLock;

use iced_x86::{Code, Encoder, IcedError, Instruction, Register};

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
pub(super) fn address() -> Result<usize, EmitError> {
    static THUNK: OnceLock<Result<MachineCode, EmitError>> = OnceLock::new();
    let made = THUNK.get_or_init(|| {
        let bytes = make().map_err(|why| EmitError(format!("the thunk is not encoded: {why}")))?;
        let isa = target::host()?.well()?;
        MachineCode::new(isa.clone(), CompiledFunction { bytes, alignment: 16, ..CompiledFunction::default() })
    });
    made.as_ref().map(|code| code.bytes().as_ptr().addr()).map_err(Clone::clone)
}

/// The instructions.
fn make() -> Result<Vec<u8>, IcedError> {
    use iced_x86::MemoryOperand as Memory;
    // 32 vectors of 64 bytes, 7 masks and 9 general registers of 8.
    const ROOM: i32 = 32 * 64 + 16 * 8;
    let vector = |number: u32| (Register::ZMM0 + number, i64::from(number) * 64);
    let small = |number: usize| (32 * 64 + number as i64 * 8) as u64;
    let at = |offset: u64| Memory::with_base_displ(Register::RSP, offset as i64);
    let mut instructions = vec![
        Instruction::with1(Code::Push_r64, Register::RBP)?,
        Instruction::with2(Code::Mov_r64_rm64, Register::RBP, Register::RSP)?,
        Instruction::with2(Code::Sub_rm64_imm32, Register::RSP, ROOM)?,
        Instruction::with2(Code::And_rm64_imm32, Register::RSP, -64)?,
    ];
    for (i, register) in GENERAL.into_iter().enumerate() {
        instructions.push(Instruction::with2(Code::Mov_rm64_r64, at(small(i)), register)?);
    }
    for mask in 1..8 {
        let place = at(small(GENERAL.len() + mask - 1));
        instructions.push(Instruction::with2(Code::VEX_Kmovq_m64_kr, place, Register::K0 + mask as u32)?);
    }
    for (register, offset) in (0..32).map(vector) {
        instructions.push(Instruction::with2(Code::EVEX_Vmovaps_zmmm512_k1z_zmm, at(offset as u64), register)?);
    }
    instructions.push(Instruction::with(Code::VEX_Vzeroupper));
    instructions.push(Instruction::with1(Code::Call_rm64, Register::R11)?);
    for (register, offset) in (0..32).map(vector) {
        instructions.push(Instruction::with2(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, register, at(offset as u64))?);
    }
    for mask in 1..8 {
        let place = at(small(GENERAL.len() + mask - 1));
        instructions.push(Instruction::with2(Code::VEX_Kmovq_kr_km64, Register::K0 + mask as u32, place)?);
    }
    for (i, register) in GENERAL.into_iter().enumerate() {
        instructions.push(Instruction::with2(Code::Mov_r64_rm64, register, at(small(i)))?);
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
