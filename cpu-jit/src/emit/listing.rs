//! Disassembles machine code to text, annotated with source lines.

use std::fmt::Write as _;

use tilewise_ir::pos::Pos;

use super::MachineCode;

/// Lists the instructions, each after its offset; `place` formats the source position whenever it
/// changes.
pub(crate) fn listing(code: &MachineCode, place: &dyn Fn(Pos) -> String) -> String {
    let mut out = String::new();
    let mut last = None;
    // Writing to a `String` cannot fail.
    decode(code.bytes(), &mut |offset, text| {
        let pos = code.pos_at(offset);
        let line = (pos.source, pos.line);
        if last != Some(line) && pos.is_known() {
            let _ = writeln!(out, "; {}", place(pos));
            last = Some(line);
        }
        let _ = writeln!(out, "{offset:6x}  {text}");
    });
    out
}

/// Calls `each` with every instruction, and with the constants after the last.
#[cfg(target_arch = "x86_64")]
fn decode(bytes: &[u8], each: &mut dyn FnMut(u32, &str)) {
    use iced_x86::{Decoder, DecoderOptions, FastFormatter, Mnemonic};
    let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    let mut format = FastFormatter::new();
    let mut text = String::new();
    // Constants follow the instructions, which refer to them by distance.
    let mut end = bytes.len();
    while decoder.position() < end {
        let at = decoder.position();
        let instruction = decoder.decode();
        if instruction.is_ip_rel_memory_operand() {
            end = end.min(instruction.ip_rel_memory_address() as usize).max(at);
        }
        text.clear();
        format.format(&instruction, &mut text);
        each(at as u32, &text);
        let next = decoder.position();
        let leaves = matches!(instruction.mnemonic(), Mnemonic::Ret | Mnemonic::Jmp);
        if leaves && bytes.get(next..end).is_some_and(|rest| rest.iter().all(|&byte| byte == 0)) {
            break;
        }
    }
    for at in (end..bytes.len()).step_by(8) {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(&bytes[at..]) {
            *to = *from;
        }
        each(at as u32, &format!(".quad {:#x}", u64::from_le_bytes(word)));
    }
}

/// Calls `each` with every instruction; a constant between them is listed as a word.
#[cfg(target_arch = "aarch64")]
fn decode(bytes: &[u8], each: &mut dyn FnMut(u32, &str)) {
    use yaxpeax_arch::{Decoder, U8Reader};
    let decoder = yaxpeax_arm::armv8::a64::InstDecoder::default();
    for (at, word) in bytes.chunks(4).enumerate() {
        let text = match decoder.decode(&mut U8Reader::new(word)) {
            Ok(instruction) => instruction.to_string(),
            Err(_) => format!(".word {:#x}", u32::from_le_bytes(word.try_into().unwrap_or_default())),
        };
        each(at as u32 * 4, &text);
    }
}

/// Kernels are not compiled on other machines.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn decode(_: &[u8], _: &mut dyn FnMut(u32, &str)) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn constants_are_told_from_instructions() {
        // addps xmm0, [rip + 9]; ret; padding; a constant of 16 bytes.
        let mut bytes = vec![0x0f, 0x58, 0x05, 0x09, 0, 0, 0, 0xc3];
        bytes.resize(16, 0);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
        let mut lines = Vec::new();
        decode(&bytes, &mut |at, text| lines.push(format!("{at} {text}")));
        assert_eq!(lines, ["0 addps xmm0,[10h]", "7 ret", "16 .quad 0x1", "24 .quad 0x2"]);
    }
}
