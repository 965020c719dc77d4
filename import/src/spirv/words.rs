//! A module of SPIR-V as words, cut into instructions.

use crate::spirv::fewest::fewest_words;
use crate::spirv::op;

/// The words before the instructions.
pub(crate) const HEAD: usize = 5;

/// Beyond this bound of ids, which is far beyond SPIR-V's own limit, there might be none left.
const MOST_IDS: u32 = 1 << 30;

/// An instruction, and the byte in the module that it comes from.
pub(crate) type PlacedWords = (u32, Vec<u32>);

/// Why a module is not imported: what of it, and the byte of the instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SpirvRefusal {
    pub(crate) byte: u32,
    pub(crate) what: String,
    pub(crate) help: &'static str,
}

/// What to do about most of what is refused.
const HELP: &str = "compilers of shaders write most of it in other forms, some by an option";

impl SpirvRefusal {
    pub(crate) fn at(byte: u32, what: impl Into<String>) -> SpirvRefusal {
        SpirvRefusal { byte, what: what.into(), help: HELP }
    }

    pub(crate) fn with_help(self, help: &'static str) -> SpirvRefusal {
        SpirvRefusal { help, ..self }
    }
}

/// A module, cut into instructions of which none is too short.
#[derive(Clone, Debug)]
pub(crate) struct SpirvWords {
    pub(crate) head: [u32; HEAD],
    pub(crate) instructions: Vec<PlacedWords>,
}

impl SpirvWords {
    /// Nothing if it is no module, or an instruction is cut short: naga says what is wrong with it.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<SpirvWords>, SpirvRefusal> {
        let (words, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let Some((&head, mut left)) = words.split_first_chunk::<HEAD>() else { return Ok(None) };
        if head[0] != spirv::MAGIC_NUMBER || !rest.is_empty() {
            return Ok(None);
        }
        if head[3] > MOST_IDS {
            return Err(SpirvRefusal::at(12, format!("ids below {}, more than the limit of SPIR-V", head[3])));
        }
        let mut instructions: Vec<PlacedWords> = Vec::new();
        while let Some(&first) = left.first() {
            let length = (first >> 16) as usize;
            if length < fewest_words(first & 0xffff) {
                return Ok(None);
            }
            let Some((instruction, after)) = left.split_at_checked(length) else { return Ok(None) };
            instructions.push(((words.len() - left.len()) as u32 * 4, instruction.to_vec()));
            left = after;
        }
        Ok(Some(SpirvWords { head, instructions }))
    }
}

/// The opcode of an instruction.
pub(crate) fn opcode(one: &PlacedWords) -> u32 {
    one.1[0] & 0xffff
}

/// An instruction with its head.
pub(crate) fn words(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let mut out = vec![(operands.len() as u32 + 1) << 16 | opcode];
    out.extend(operands);
    out
}

/// The place of the first function among the instructions.
pub(crate) fn first_function(module: &[PlacedWords]) -> usize {
    module.iter().position(|one| opcode(one) == op::FUNCTION).unwrap_or(module.len())
}
