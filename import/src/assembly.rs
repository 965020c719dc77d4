//! SPIR-V that was assembled from a text: which line each instruction stands in. naga's spans are bytes of the
//! module.

use naga::Span;
use tilewise_ir::pos::Pos;

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

/// The places of instructions, by their bytes in the module that naga reads.
#[derive(Clone, Debug)]
pub(crate) struct InstructionMap {
    places: Vec<InstructionPlace>,
}

impl InstructionMap {
    /// The places, and where instructions of the module that naga reads come from, if it was rewritten.
    pub(crate) fn new(places: &[InstructionPlace], origins: &[(u32, u32)]) -> InstructionMap {
        if origins.is_empty() {
            return InstructionMap { places: places.to_vec() };
        }
        let place = |&(byte, old): &(u32, u32)| {
            let at = places.binary_search_by_key(&old, |place| place.byte).ok()?;
            Some(InstructionPlace { byte, ..places[at] })
        };
        InstructionMap { places: origins.iter().filter_map(place).collect() }
    }

    /// The place of the instruction that a span begins in.
    pub(crate) fn pos(&self, span: Span) -> Pos {
        let Some(range) = span.to_range() else { return Pos::NONE };
        let before = self.places.partition_point(|place| place.byte as usize <= range.start);
        let Some(place) = before.checked_sub(1).and_then(|at| self.places.get(at)) else { return Pos::NONE };
        Pos { source: 0, line: place.line, column: place.column, length: place.length.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_belongs_to_the_instruction_around_it_also_in_a_rewritten_module() {
        let place = |byte, line| InstructionPlace { byte, line, column: 3, length: 6 };
        let places = [place(20, 1), place(28, 2), place(40, 4)];
        let line = |map: &InstructionMap, at: u32| map.pos(Span::new(at, at + 4)).line;
        let plain = InstructionMap::new(&places, &[]);
        assert_eq!([16, 20, 24, 28, 44].map(|at| line(&plain, at)), [0, 1, 1, 2, 4]);
        let rewritten = InstructionMap::new(&places, &[(20, 20), (28, 28), (60, 40)]);
        assert_eq!([40, 59, 60].map(|at| line(&rewritten, at)), [2, 2, 4]);
    }
}
