//! Integers of 8 bits of SPIR-V. naga has none: their values become values of 32 bits that hold the same numbers, and
//! only memory, and composites that lie in it, keep the 8 bits. Here are the declarations, and how values are extended;
//! [`byte_operations`](crate::spirv::byte_operations) are the instructions of functions.

use std::collections::HashMap;

use crate::spirv::op;
use crate::spirv::types::{PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, words};
use crate::spirv::writer::WordWriter;

/// A type of 8 bits.
#[derive(Clone, Copy)]
pub(crate) struct NarrowType {
    pub(crate) id: u32,
    /// The type of its values.
    pub(crate) wide: u32,
    pub(crate) is_signed: bool,
}

/// A module whose integers of 8 bits are widened.
pub(crate) struct ByteWidener<'t> {
    pub(crate) writer: WordWriter<'t>,
    narrow: HashMap<u32, NarrowType>,
    /// The values that had such a type.
    pub(crate) values: HashMap<u32, NarrowType>,
    /// Constants of these, by their numbers.
    constants: HashMap<u32, Vec<u32>>,
    wide_constants: HashMap<u32, u32>,
}

/// Widens the integers of 8 bits of a module that has any.
pub(crate) fn widen_bytes(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) -> Result<(), SpirvRefusal> {
    let is_narrow = |plain: &PlainType| matches!(plain, PlainType::Int { width: 8, .. });
    if !types.plain.values().any(is_narrow) {
        return Ok(());
    }
    let before = std::mem::take(module);
    let mut widener = ByteWidener {
        writer: WordWriter::new(types),
        narrow: HashMap::new(),
        values: HashMap::new(),
        constants: HashMap::new(),
        wide_constants: HashMap::new(),
    };
    let mut is_in_functions = false;
    for (byte, instruction) in before {
        widener.writer.byte = byte;
        if (instruction[0] & 0xffff) == op::FUNCTION && !is_in_functions {
            is_in_functions = true;
            widener.find_values();
        }
        let done = match is_in_functions {
            true => widener.instruction(instruction),
            false => {
                widener.declaration(instruction);
                Ok(())
            }
        };
        done.map_err(|what| SpirvRefusal::at(byte, what))?;
    }
    *module = widener.writer.out;
    Ok(())
}

impl ByteWidener<'_> {
    /// What stands before the functions: types get a wide one beside them, constants are noted.
    fn declaration(&mut self, mut instruction: Vec<u32>) {
        let opcode = instruction[0] & 0xffff;
        if opcode == op::TYPE_FUNCTION {
            // A function's parameters are values.
            for ty in &mut instruction[2..] {
                *ty = self.narrow.get(ty).map_or(*ty, |narrow| narrow.wide);
            }
        }
        if let &[_, ty, id, ..] = instruction.as_slice()
            && matches!(opcode, op::CONSTANT | op::CONSTANT_COMPOSITE | op::CONSTANT_NULL | op::UNDEF)
            && let Some(&narrow) = self.narrow.get(&ty)
        {
            self.values.insert(id, narrow);
            self.constants.insert(id, instruction.clone());
        }
        let declared = match (opcode, instruction.as_slice()) {
            (op::TYPE_INT, &[_, id, 8, sign]) => Some((id, PlainType::Int { width: 32, is_signed: sign != 0 })),
            (op::TYPE_VECTOR, &[_, id, component, count]) => {
                self.narrow.get(&component).map(|narrow| (id, PlainType::Vector { component: narrow.wide, count }))
            }
            _ => None,
        };
        self.writer.push(instruction);
        if let Some((id, plain)) = declared {
            let wide = self.writer.types.fresh();
            let is_signed = match plain {
                PlainType::Int { is_signed, .. } => {
                    self.writer.push(words(op::TYPE_INT, &[wide, 32, is_signed.into()]));
                    is_signed
                }
                PlainType::Vector { component, count } => {
                    self.writer.push(words(op::TYPE_VECTOR, &[wide, component, count]));
                    self.writer.types.integer(component).is_some_and(|(_, is_signed)| is_signed)
                }
                PlainType::Bool | PlainType::Float { .. } => false,
            };
            self.writer.types.plain.insert(wide, plain);
            self.narrow.insert(id, NarrowType { id, wide, is_signed });
        }
    }

    /// Notes the values of functions that have such types, also those that are used before they stand there.
    fn find_values(&mut self) {
        for (&id, ty) in &self.writer.types.values {
            if let Some(&narrow) = self.narrow.get(ty) {
                self.values.insert(id, narrow);
            }
        }
        for (id, narrow) in &self.values {
            if !self.constants.contains_key(id) {
                self.writer.types.values.insert(*id, narrow.wide);
            }
        }
    }

    /// A value of 8 bits as one of 32: constants get another number.
    pub(crate) fn wide(&mut self, id: u32) -> u32 {
        if let Some(&wide) = self.wide_constants.get(&id) {
            return wide;
        }
        let Some(instruction) = self.constants.get(&id).cloned() else { return id };
        let Some(&NarrowType { wide: ty, is_signed, .. }) = self.values.get(&id) else { return id };
        let wide = match (instruction[0] & 0xffff, &instruction[3..]) {
            (op::CONSTANT, &[bits, ..]) => {
                let bits = if is_signed { i32::from(bits as i8) as u32 } else { bits & 0xff };
                self.writer.types.constant(op::CONSTANT, ty, &[bits])
            }
            (op::CONSTANT_COMPOSITE, parts) => {
                // The parts of a vector are scalars: in a file that is broken they could be vectors of vectors.
                let parts: Vec<u32> =
                    parts.iter().map(|&part| if self.is_composite(part) { part } else { self.wide(part) }).collect();
                self.writer.types.constant(op::CONSTANT_COMPOSITE, ty, &parts)
            }
            _ => self.writer.types.null(ty),
        };
        self.wide_constants.insert(id, wide);
        wide
    }

    /// Is it a constant of several parts?
    fn is_composite(&self, id: u32) -> bool {
        self.constants.get(&id).is_some_and(|instruction| instruction[0] & 0xffff == op::CONSTANT_COMPOSITE)
    }

    /// A value extended as the operation means it.
    pub(crate) fn extended(&mut self, id: u32, is_signed: bool) -> u32 {
        let Some(&narrow) = self.values.get(&id) else { return id };
        let value = self.wide(id);
        if narrow.is_signed == is_signed { value } else { self.in_range(narrow.wide, value, is_signed) }
    }

    /// The 8 bits of a number of 32, extended.
    fn in_range(&mut self, ty: u32, value: u32, is_signed: bool) -> u32 {
        let id = self.writer.types.fresh();
        self.in_range_as(ty, id, value, is_signed);
        id
    }

    /// A constant of a type of 32 bits, in all components.
    pub(crate) fn constant(&mut self, ty: u32, number: u32) -> u32 {
        let component = self.writer.types.components(ty).map_or(ty, |(plain, _)| self.writer.types.type_id(plain));
        let number = self.writer.types.constant(op::CONSTANT, component, &[number]);
        match self.writer.types.plain.get(&ty) {
            Some(&PlainType::Vector { count, .. }) => {
                self.writer.types.constant(op::CONSTANT_COMPOSITE, ty, &vec![number; count.min(4) as usize])
            }
            _ => number,
        }
    }

    pub(crate) fn in_range_as(&mut self, ty: u32, id: u32, value: u32, is_signed: bool) {
        if is_signed {
            let distance = self.constant(ty, 24);
            let top = self.writer.add(op::SHIFT_LEFT_LOGICAL, ty, &[value, distance]);
            self.writer.add_as(op::SHIFT_RIGHT_ARITHMETIC, ty, id, &[top, distance]);
        } else {
            let mask = self.constant(ty, 0xff);
            self.writer.add_as(op::BITWISE_AND, ty, id, &[value, mask]);
        }
    }

    /// A value as memory and composites have it. In the module that naga validates these have 16 bits.
    pub(crate) fn stored(&mut self, id: u32) -> u32 {
        let Some(&narrow) = self.values.get(&id) else { return id };
        let value = self.wide(id);
        let ty = self.writer.types.with_component(narrow.id, PlainType::Int { width: 16, is_signed: narrow.is_signed });
        self.writer.add(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, ty, &[value])
    }

    /// A value that comes from memory or from a composite.
    pub(crate) fn loaded(&mut self, mut instruction: Vec<u32>, narrow: NarrowType) {
        let id = instruction[2];
        instruction[2] = self.writer.types.fresh();
        let loaded = instruction[2];
        self.writer.types.values.insert(loaded, narrow.id);
        self.writer.push(instruction);
        self.writer.add_as(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, narrow.wide, id, &[loaded]);
    }
}
