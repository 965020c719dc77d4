//! The instructions that a pass writes in place of those it reads.

use crate::spirv::types::SpirvTypes;
use crate::spirv::words::{PlacedWords, words};

/// Instructions that are written, and the types and values of the module, to which they are added.
pub(crate) struct WordWriter<'t> {
    pub(crate) types: &'t mut SpirvTypes,
    pub(crate) out: Vec<PlacedWords>,
    /// The byte of the instruction in whose place the next ones stand.
    pub(crate) byte: u32,
}

impl<'t> WordWriter<'t> {
    pub(crate) fn new(types: &'t mut SpirvTypes) -> WordWriter<'t> {
        WordWriter { types, out: Vec::new(), byte: 0 }
    }

    /// Adds an instruction as it is.
    pub(crate) fn push(&mut self, instruction: Vec<u32>) {
        self.out.push((self.byte, instruction));
    }

    /// Adds an instruction whose result has this number.
    pub(crate) fn add_as(&mut self, opcode: u32, ty: u32, id: u32, operands: &[u32]) {
        self.push(words(opcode, &[&[ty, id], operands].concat()));
        self.types.values.insert(id, ty);
    }

    /// Adds an instruction, and gives its result.
    pub(crate) fn add(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.types.fresh();
        self.add_as(opcode, ty, id, operands);
        id
    }
}
