//! Integers of 8 bits of SPIR-V. naga has none: their values become values of 32 bits that hold the same numbers, and
//! only memory, and composites that lie in it, keep the 8 bits. Here are the declarations, and how values are extended;
//! [`byte_operations`](crate::spirv::byte_operations) are the instructions of functions.

use std::collections::HashMap;

use crate::spirv::op;
use crate::spirv::types::{PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, words};

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
    pub(crate) types: &'t mut SpirvTypes,
    narrow: HashMap<u32, NarrowType>,
    /// The values that had such a type.
    pub(crate) values: HashMap<u32, NarrowType>,
    /// Constants of these, by their numbers.
    constants: HashMap<u32, Vec<u32>>,
    wide_constants: HashMap<u32, u32>,
    out: Vec<PlacedWords>,
    byte: u32,
}

/// Widens the integers of 8 bits of a module that has any.
pub(crate) fn widen_bytes(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) -> Result<(), SpirvRefusal> {
    let is_narrow = |plain: &PlainType| matches!(plain, PlainType::Int { width: 8, .. });
    if !types.plain.values().any(is_narrow) {
        return Ok(());
    }
    let before = std::mem::take(module);
    let mut widener = ByteWidener {
        types,
        narrow: HashMap::new(),
        values: HashMap::new(),
        constants: HashMap::new(),
        wide_constants: HashMap::new(),
        out: Vec::with_capacity(before.len()),
        byte: 0,
    };
    let mut is_in_functions = false;
    for (byte, instruction) in before {
        widener.byte = byte;
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
    *module = widener.out;
    Ok(())
}

impl ByteWidener<'_> {
    pub(crate) fn push(&mut self, instruction: Vec<u32>) {
        self.out.push((self.byte, instruction));
    }

    pub(crate) fn add_as(&mut self, opcode: u32, ty: u32, id: u32, operands: &[u32]) {
        self.push(words(opcode, &[&[ty, id], operands].concat()));
        self.types.values.insert(id, ty);
    }

    pub(crate) fn add(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.types.fresh();
        self.add_as(opcode, ty, id, operands);
        id
    }

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
        self.push(instruction);
        if let Some((id, plain)) = declared {
            let wide = self.types.fresh();
            let is_signed = match plain {
                PlainType::Int { is_signed, .. } => {
                    self.push(words(op::TYPE_INT, &[wide, 32, is_signed.into()]));
                    is_signed
                }
                PlainType::Vector { component, count } => {
                    self.push(words(op::TYPE_VECTOR, &[wide, component, count]));
                    self.types.integer(component).is_some_and(|(_, is_signed)| is_signed)
                }
                PlainType::Bool | PlainType::Float { .. } => false,
            };
            self.types.plain.insert(wide, plain);
            self.narrow.insert(id, NarrowType { id, wide, is_signed });
        }
    }

    /// Notes the values of functions that have such types, also those that are used before they stand there.
    fn find_values(&mut self) {
        for (&id, ty) in &self.types.values {
            if let Some(&narrow) = self.narrow.get(ty) {
                self.values.insert(id, narrow);
            }
        }
        for (id, narrow) in &self.values {
            if !self.constants.contains_key(id) {
                self.types.values.insert(*id, narrow.wide);
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
                self.types.constant(op::CONSTANT, ty, &[bits])
            }
            (op::CONSTANT_COMPOSITE, parts) => {
                // A constant is made of those before it.
                let parts: Vec<u32> =
                    parts.iter().map(|&part| if part < id { self.wide(part) } else { part }).collect();
                self.types.constant(op::CONSTANT_COMPOSITE, ty, &parts)
            }
            _ => self.types.null(ty),
        };
        self.wide_constants.insert(id, wide);
        wide
    }

    /// A value extended as the operation means it.
    pub(crate) fn extended(&mut self, id: u32, is_signed: bool) -> u32 {
        let Some(&narrow) = self.values.get(&id) else { return id };
        let value = self.wide(id);
        if narrow.is_signed == is_signed { value } else { self.in_range(narrow.wide, value, is_signed) }
    }

    /// The 8 bits of a number of 32, extended.
    fn in_range(&mut self, ty: u32, value: u32, is_signed: bool) -> u32 {
        let id = self.types.fresh();
        self.in_range_as(ty, id, value, is_signed);
        id
    }

    /// A constant of a type of 32 bits, in all components.
    pub(crate) fn constant(&mut self, ty: u32, number: u32) -> u32 {
        let component = self.types.components(ty).map_or(ty, |(plain, _)| self.types.type_id(plain));
        let number = self.types.constant(op::CONSTANT, component, &[number]);
        match self.types.plain.get(&ty) {
            Some(&PlainType::Vector { count, .. }) => {
                self.types.constant(op::CONSTANT_COMPOSITE, ty, &vec![number; count.min(4) as usize])
            }
            _ => number,
        }
    }

    pub(crate) fn in_range_as(&mut self, ty: u32, id: u32, value: u32, is_signed: bool) {
        if is_signed {
            let distance = self.constant(ty, 24);
            let top = self.add(op::SHIFT_LEFT_LOGICAL, ty, &[value, distance]);
            self.add_as(op::SHIFT_RIGHT_ARITHMETIC, ty, id, &[top, distance]);
        } else {
            let mask = self.constant(ty, 0xff);
            self.add_as(op::BITWISE_AND, ty, id, &[value, mask]);
        }
    }

    /// A value as memory and composites have it. In the module that naga validates these have 16 bits.
    pub(crate) fn stored(&mut self, id: u32) -> u32 {
        let Some(&narrow) = self.values.get(&id) else { return id };
        let value = self.wide(id);
        let ty = self.types.with_component(narrow.id, PlainType::Int { width: 16, is_signed: narrow.is_signed });
        self.add(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, ty, &[value])
    }

    /// A value that comes from memory or from a composite.
    pub(crate) fn loaded(&mut self, mut instruction: Vec<u32>, narrow: NarrowType) {
        let id = instruction[2];
        instruction[2] = self.types.fresh();
        let loaded = instruction[2];
        self.types.values.insert(loaded, narrow.id);
        self.push(instruction);
        self.add_as(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, narrow.wide, id, &[loaded]);
    }
}
