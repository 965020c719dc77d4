//! SPIR-V that was assembled from a text: which line each instruction stands in. naga's spans are bytes of the
//! module, but it does not count all: it leaves out the variables of an entry point, the numbers of an execution mode,
//! and the parameters of a type of functions.

use naga::Span;
use spirv::Op;
use tilewise_ir::pos::Pos;

use crate::spirv::InstructionOrigins;

/// Where an instruction stands in the text that SPIR-V was assembled from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstructionPlace {
    /// The byte of its first word in the module.
    pub byte: u32,
    /// Its line, from 1.
    pub line: u32,
    /// The column of its opcode in characters, from 1.
    pub column: u32,
    /// The length of its opcode.
    pub length: u32,
}

impl InstructionPlace {
    fn pos(&self) -> Pos {
        Pos { source: 0, line: self.line, column: self.column, length: self.length.max(1) }
    }
}

/// The places of instructions, by their bytes in the module that naga reads.
#[derive(Clone, Debug)]
pub(crate) struct InstructionMap {
    places: Vec<InstructionPlace>,
}

impl InstructionMap {
    /// The places of instructions in the module that naga reads, and where these come from, if it was rewritten.
    pub(crate) fn new(places: &[InstructionPlace], origins: &InstructionOrigins, module: &[u8]) -> InstructionMap {
        let mut here: Vec<InstructionPlace> = match origins.as_slice() {
            [] => places.to_vec(),
            origins => origins
                .iter()
                .filter_map(|&(byte, old)| {
                    let at = places.binary_search_by_key(&old, |place| place.byte).ok()?;
                    Some(InstructionPlace { byte, ..places[at] })
                })
                .collect(),
        };
        let mut uncounted = 0;
        for place in &mut here {
            let at = place.byte;
            place.byte -= uncounted;
            uncounted += uncounted_bytes(module.get(at as usize..).unwrap_or(&[]));
        }
        InstructionMap { places: here }
    }

    /// The place of the instruction that a span begins in.
    pub(crate) fn pos(&self, span: Span) -> Pos {
        let Some(range) = span.to_range() else { return Pos::NONE };
        let before = self.places.partition_point(|place| place.byte as usize <= range.start);
        let Some(place) = before.checked_sub(1).and_then(|at| self.places.get(at)) else { return Pos::NONE };
        place.pos()
    }
}

/// Where the instruction stands that begins at this byte of the module as it was assembled.
pub(crate) fn place_of(places: &[InstructionPlace], byte: u32) -> Pos {
    match places.binary_search_by_key(&byte, |place| place.byte) {
        Ok(at) => places[at].pos(),
        Err(_) => Pos::NONE,
    }
}

/// Where the first instruction with an opcode stands.
pub(crate) fn first_place(places: &[InstructionPlace], module: &[u8], opcode: u32) -> Pos {
    let has_it = |place: &&InstructionPlace| {
        let words = module.get(place.byte as usize..).and_then(|rest| rest.first_chunk::<2>());
        words.is_some_and(|&low| u32::from(u16::from_le_bytes(low)) == opcode)
    };
    places.iter().find(has_it).map_or(Pos::NONE, InstructionPlace::pos)
}

/// The bytes of an instruction that naga reads without counting them.
fn uncounted_bytes(instruction: &[u8]) -> u32 {
    let word = |i: usize| instruction.get(4 * i..4 * i + 4).map(|word| [word[0], word[1], word[2], word[3]]);
    let head = word(0).map_or(0, u32::from_le_bytes);
    let (opcode, length) = (head & 0xffff, head >> 16);
    let counted = if opcode == Op::ExecutionMode as u32 || opcode == Op::TypeFunction as u32 {
        3
    } else if opcode == Op::EntryPoint as u32 {
        // Up to the end of its name.
        let ends = |i: &u32| word(*i as usize).is_none_or(|word| word.contains(&0));
        (3..length).find(ends).map_or(length, |last| last + 1)
    } else {
        length
    };
    4 * length.saturating_sub(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_belongs_to_the_instruction_around_it_also_in_a_rewritten_module() {
        let place = |byte, line| InstructionPlace { byte, line, column: 3, length: 6 };
        let places = [place(20, 1), place(28, 2), place(40, 4)];
        let line = |map: &InstructionMap, at: u32| map.pos(Span::new(at, at + 4)).line;
        let plain = InstructionMap::new(&places, &Vec::new(), &[]);
        assert_eq!([16, 20, 24, 28, 44].map(|at| line(&plain, at)), [0, 1, 1, 2, 4]);
        let rewritten = InstructionMap::new(&places, &vec![(20, 20), (28, 28), (60, 40)], &[]);
        assert_eq!([40, 59, 60].map(|at| line(&rewritten, at)), [2, 2, 4]);
        // An entry point with a name of two words and two variables, of which naga counts 20 bytes.
        let mut module = vec![0; 20];
        let words = [7 << 16 | 15, 5, 1, u32::from_le_bytes(*b"main"), 0, 8, 9, 1 << 16];
        module.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
        let short = InstructionMap::new(&[place(20, 1), place(48, 2)], &Vec::new(), &module);
        assert_eq!([36, 40].map(|at| line(&short, at)), [1, 2]);
    }
}
