//! The machine code of this program's functions, read from its executable.

use std::collections::HashMap;
use std::fmt;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use object::{Architecture, BinaryFormat, Object, ObjectSection, ObjectSymbol, SymbolKind};

/// Whether two functions are the same machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SameCode {
    Yes,
    No,
    /// It cannot be read.
    Unknown,
}

impl fmt::Display for SameCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SameCode::Yes => "the same",
            SameCode::No => "differs",
            SameCode::Unknown => "not read",
        })
    }
}

/// The functions of the executable, by their addresses in the file.
pub(crate) struct ProgramCode {
    functions: HashMap<u64, Vec<u8>>,
    /// How far the program is from the addresses in the file.
    moved: u64,
}

/// A function whose address in the program and in the file is known.
#[inline(never)]
fn anchor_of_the_program() -> u64 {
    std::hint::black_box(anchor_of_the_program as fn() -> u64) as usize as u64
}

impl ProgramCode {
    /// Reads the executable.
    ///
    /// # Errors
    /// If it cannot be read, is not of x86-64 with ELF, or has no symbols.
    pub(crate) fn of_this_program() -> Result<ProgramCode, String> {
        let path = std::env::current_exe().map_err(|error| error.to_string())?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = object::File::parse(bytes.as_slice()).map_err(|error| error.to_string())?;
        if file.architecture() != Architecture::X86_64 || file.format() != BinaryFormat::Elf {
            return Err("this is not x86-64 with ELF".into());
        }
        let mut functions = HashMap::new();
        let mut anchor = None;
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            let code = section.and_then(|section| section.data_range(symbol.address(), symbol.size()).ok().flatten());
            if let Some(code) = code {
                functions.insert(symbol.address(), code.to_vec());
            }
            if symbol.name().is_ok_and(|name| name.contains("anchor_of_the_program")) {
                anchor = Some(symbol.address());
            }
        }
        let anchor = anchor.ok_or("it has no symbols")?;
        Ok(ProgramCode { functions, moved: anchor_of_the_program().wrapping_sub(anchor) })
    }

    /// Compares the functions at two addresses of the program: instruction by instruction, each with
    /// its operands, but for where it finds constants.
    pub(crate) fn compare(&self, a: usize, b: usize) -> SameCode {
        let [Some(a), Some(b)] = [a, b].map(|address| self.instructions(address)) else {
            return SameCode::Unknown;
        };
        if !a.is_empty() && a == b { SameCode::Yes } else { SameCode::No }
    }

    /// The instructions of the function at an address of the program. Its own branches have offsets
    /// in it; constants are anywhere.
    fn instructions(&self, address: usize) -> Option<Vec<Instruction>> {
        let code = self.functions.get(&(address as u64).wrapping_sub(self.moved))?;
        let decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
        Some(decoder.into_iter().map(in_any_place).collect())
    }
}

/// The instruction without the distance to memory that is addressed from it, and to another function.
fn in_any_place(mut instruction: Instruction) -> Instruction {
    if instruction.is_ip_rel_memory_operand() {
        instruction.set_memory_displacement64(0);
    }
    if instruction.mnemonic() == Mnemonic::Call && instruction.op0_kind() == OpKind::NearBranch64 {
        instruction.set_near_branch64(0);
    }
    instruction
}
