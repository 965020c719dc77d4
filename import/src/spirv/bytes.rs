//! Integers of 8 bits of SPIR-V. naga has none: their values become values of 32 bits that hold the same numbers, and
//! only memory, and composites that lie in it, keep the 8 bits. What could leave a value's range is brought back to it.

use std::collections::HashMap;

use crate::spirv::op;
use crate::spirv::signs::opcode_sign;
use crate::spirv::types::{PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, words};

/// A type of 8 bits.
#[derive(Clone, Copy)]
struct NarrowType {
    id: u32,
    /// The type of its values.
    wide: u32,
    is_signed: bool,
}

/// A module whose integers of 8 bits are widened.
struct ByteWidener<'t> {
    types: &'t mut SpirvTypes,
    narrow: HashMap<u32, NarrowType>,
    /// The values that had such a type.
    values: HashMap<u32, NarrowType>,
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

/// Where the operands of an instruction stand that can be numbers.
fn number_operands(words: &[u32]) -> Vec<usize> {
    let end = words.len();
    match words[0] & 0xffff {
        op::STORE => vec![2],
        op::RETURN_VALUE | op::SWITCH => vec![1],
        op::COMPOSITE_EXTRACT => vec![3],
        op::COMPOSITE_INSERT | op::VECTOR_SHUFFLE => vec![3, 4],
        op::PHI => (3..end).step_by(2).collect(),
        op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN | op::FUNCTION_CALL => (4..end).collect(),
        op::EXT_INST => (5..end).collect(),
        op::GROUP_I_ADD..=op::GROUP_LOGICAL_XOR => vec![5],
        op::GROUP_ALL_EQUAL | op::GROUP_BROADCAST_FIRST => vec![4],
        op::GROUP_BROADCAST | op::GROUP_SHUFFLE..=op::GROUP_SHUFFLE_DOWN | op::GROUP_QUAD_BROADCAST => vec![4, 5],
        op::GROUP_QUAD_SWAP => vec![4],
        op::S_DOT..=op::SU_DOT => vec![3, 4],
        op::S_DOT_ACC_SAT..=op::SU_DOT_ACC_SAT => vec![3, 4, 5],
        op::VECTOR_EXTRACT_DYNAMIC | op::VECTOR_INSERT_DYNAMIC | op::COMPOSITE_CONSTRUCT | op::COPY_OBJECT => {
            (3..end).collect()
        }
        op::CONVERT_F_TO_U..=op::BIT_COUNT => (3..end).collect(),
        _ => Vec::new(),
    }
}

/// Is a result of the opcode in the range of its type, if its operands are?
fn keeps_range(opcode: u32) -> bool {
    matches!(
        opcode,
        op::PHI
            | op::SELECT
            | op::COPY_OBJECT
            | op::COMPOSITE_EXTRACT
            | op::COMPOSITE_CONSTRUCT
            | op::COMPOSITE_INSERT
            | op::VECTOR_SHUFFLE
            | op::VECTOR_EXTRACT_DYNAMIC
            | op::VECTOR_INSERT_DYNAMIC
            | op::FUNCTION
            | op::FUNCTION_PARAMETER
            | op::FUNCTION_CALL
            | op::UNDEF
            | op::BITWISE_AND
            | op::BITWISE_OR
            | op::BITWISE_XOR
            | op::GROUP_BROADCAST
            | op::GROUP_BROADCAST_FIRST
            | op::GROUP_SHUFFLE..=op::GROUP_SHUFFLE_DOWN | op::GROUP_QUAD_BROADCAST | op::GROUP_QUAD_SWAP
    )
}

impl ByteWidener<'_> {
    fn push(&mut self, instruction: Vec<u32>) {
        self.out.push((self.byte, instruction));
    }

    fn add_as(&mut self, opcode: u32, ty: u32, id: u32, operands: &[u32]) {
        self.push(words(opcode, &[&[ty, id], operands].concat()));
        self.types.values.insert(id, ty);
    }

    fn add(&mut self, opcode: u32, ty: u32, operands: &[u32]) -> u32 {
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
    fn wide(&mut self, id: u32) -> u32 {
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
    fn extended(&mut self, id: u32, is_signed: bool) -> u32 {
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

    fn in_range_as(&mut self, ty: u32, id: u32, value: u32, is_signed: bool) {
        let by = |widener: &mut Self, number: u32| {
            let component = widener.types.components(ty).map_or(ty, |(plain, _)| widener.types.type_id(plain));
            let number = widener.types.constant(op::CONSTANT, component, &[number]);
            match widener.types.plain.get(&ty) {
                Some(&PlainType::Vector { count, .. }) => {
                    widener.types.constant(op::CONSTANT_COMPOSITE, ty, &vec![number; count.min(4) as usize])
                }
                _ => number,
            }
        };
        if is_signed {
            let distance = by(self, 24);
            let top = self.add(op::SHIFT_LEFT_LOGICAL, ty, &[value, distance]);
            self.add_as(op::SHIFT_RIGHT_ARITHMETIC, ty, id, &[top, distance]);
        } else {
            let mask = by(self, 0xff);
            self.add_as(op::BITWISE_AND, ty, id, &[value, mask]);
        }
    }

    /// A value as memory and composites have it. In the module that naga validates these have 16 bits.
    fn stored(&mut self, id: u32) -> u32 {
        let Some(&narrow) = self.values.get(&id) else { return id };
        let value = self.wide(id);
        let ty = self.types.with_component(narrow.id, PlainType::Int { width: 16, is_signed: narrow.is_signed });
        self.add(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, ty, &[value])
    }

    /// A value that comes from memory or from a composite.
    fn loaded(&mut self, mut instruction: Vec<u32>, narrow: NarrowType) {
        let id = instruction[2];
        instruction[2] = self.types.fresh();
        let loaded = instruction[2];
        self.types.values.insert(loaded, narrow.id);
        self.push(instruction);
        self.add_as(if narrow.is_signed { op::S_CONVERT } else { op::U_CONVERT }, narrow.wide, id, &[loaded]);
    }

    fn instruction(&mut self, mut instruction: Vec<u32>) -> Result<(), String> {
        let opcode = instruction[0] & 0xffff;
        let operands = number_operands(&instruction);
        let is_narrow: Vec<bool> = instruction.iter().map(|id| self.values.contains_key(id)).collect();
        let is_narrow = |at: usize| is_narrow.get(at).copied().unwrap_or(false);
        let result = instruction.get(2).and_then(|id| self.values.get(id)).copied();
        let result = result.filter(|narrow| narrow.id == instruction[1]);
        if result.is_none() && !operands.iter().any(|&at| is_narrow(at)) {
            self.push(instruction);
            return Ok(());
        }
        let is_composite = instruction.get(1).is_some_and(|ty| self.types.composites.contains_key(ty));
        match opcode {
            op::LOAD => {
                if let Some(narrow) = result {
                    self.loaded(instruction, narrow);
                }
                return Ok(());
            }
            op::COMPOSITE_EXTRACT if !is_narrow(3) => {
                if let Some(narrow) = result {
                    self.loaded(instruction, narrow);
                }
                return Ok(());
            }
            op::STORE => {
                instruction[2] = self.stored(instruction[2]);
                self.push(instruction);
                return Ok(());
            }
            op::COMPOSITE_CONSTRUCT | op::COMPOSITE_INSERT if is_composite => {
                let most = if opcode == op::COMPOSITE_INSERT { 4 } else { instruction.len() };
                for operand in &mut instruction[3..most] {
                    *operand = self.stored(*operand);
                }
                self.push(instruction);
                return Ok(());
            }
            op::BITCAST if result.is_none() || !is_narrow(3) => {
                return self.bitcast_bytes([instruction[1], instruction[2], instruction[3]], result);
            }
            op::S_DOT_ACC_SAT..=op::SU_DOT_ACC_SAT if result.is_some() => {
                return Err("a dot product that is added to an integer of 8 bits".to_owned());
            }
            _ if operands.is_empty() && !keeps_range(opcode) => {
                return Err("an instruction that is not supported on integers of 8 bits".to_owned());
            }
            _ => {}
        }
        // Shifts, places and counts are not negative; other operands are extended as the opcode or the result says.
        let own = opcode_sign(&instruction).unwrap_or_else(|| result.is_some_and(|narrow| narrow.is_signed));
        let first = *operands.first().unwrap_or(&3);
        for &at in &operands {
            let Some(&id) = instruction.get(at) else { continue };
            let is_signed = match opcode {
                op::SHIFT_RIGHT_LOGICAL..=op::SHIFT_LEFT_LOGICAL
                | op::BIT_FIELD_S_EXTRACT
                | op::BIT_FIELD_U_EXTRACT => own && at == first,
                op::SU_DOT | op::SU_DOT_ACC_SAT => at == 3,
                op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN | op::FUNCTION_CALL | op::RETURN_VALUE | op::SWITCH => {
                    self.values.get(&id).is_some_and(|narrow| narrow.is_signed)
                }
                op::PHI | op::SELECT | op::COMPOSITE_EXTRACT | op::COMPOSITE_CONSTRUCT | op::COMPOSITE_INSERT => {
                    instruction[at] = self.wide(id);
                    continue;
                }
                _ => own,
            };
            instruction[at] = self.extended(id, is_signed);
        }
        let is_conversion = matches!(opcode, op::U_CONVERT | op::S_CONVERT);
        let source = instruction.get(3).and_then(|&id| self.types.of(id)).and_then(|ty| self.types.integer(ty));
        let Some(narrow) = result else {
            // A conversion to 32 bits has nothing left to do.
            if is_conversion && self.types.integer(instruction[1]).is_some_and(|(width, _)| width == 32) {
                instruction[0] = 4 << 16 | op::BITCAST;
            }
            self.push(instruction);
            return Ok(());
        };
        if is_conversion && source.is_some_and(|(width, _)| width == 32) {
            instruction[0] = 4 << 16 | op::BITCAST;
        }
        let id = instruction[2];
        instruction[1] = narrow.wide;
        if keeps_range(opcode) {
            self.push(instruction);
            return Ok(());
        }
        let found = self.types.fresh();
        instruction[2] = found;
        self.types.values.insert(found, narrow.wide);
        self.push(instruction);
        let found = match opcode {
            op::BIT_REVERSE => {
                let distance = self.types.number(24);
                let number = self.types.with_component(narrow.wide, PlainType::Int { width: 32, is_signed: false });
                let distance = match self.types.plain.get(&number) {
                    Some(&PlainType::Vector { count, .. }) => {
                        self.types.constant(op::CONSTANT_COMPOSITE, number, &vec![distance; count.min(4) as usize])
                    }
                    _ => distance,
                };
                self.add(op::SHIFT_RIGHT_LOGICAL, narrow.wide, &[found, distance])
            }
            _ => found,
        };
        self.in_range_as(narrow.wide, id, found, narrow.is_signed);
        Ok(())
    }

    /// A bitcast between bytes and numbers of 16 or 32 bits.
    fn bitcast_bytes(&mut self, [ty, id, value]: [u32; 3], result: Option<NarrowType>) -> Result<(), String> {
        let refused = || "a bitcast between integers of 8 bits and a number of other than 16 or 32 bits".to_owned();
        let number = self.types.int(32, false);
        let bits = |types: &SpirvTypes, ty: u32| match types.components(ty) {
            Some((
                PlainType::Int { width: width @ (16 | 32), .. } | PlainType::Float { width: width @ (16 | 32) },
                1,
            )) => Some(width),
            _ => None,
        };
        let Some(narrow) = result else {
            let Some(&narrow) = self.values.get(&value) else { return Err(refused()) };
            let count = self.types.components(narrow.wide).map_or(0, |(_, count)| count);
            let width = bits(self.types, ty).filter(|&width| width == 8 * count).ok_or_else(refused)?;
            let all = self.extended(value, false);
            let component = self.types.components(narrow.wide).map_or(number, |(plain, _)| self.types.type_id(plain));
            let mut joined = self.types.null(number);
            for i in 0..count {
                let part = self.add(op::COMPOSITE_EXTRACT, component, &[all, i]);
                let part = self.add(op::BITCAST, number, &[part]);
                let distance = self.types.number(8 * i);
                let part = self.add(op::SHIFT_LEFT_LOGICAL, number, &[part, distance]);
                joined = self.add(op::BITWISE_OR, number, &[joined, part]);
            }
            if width == 16 {
                let short = self.types.int(16, false);
                joined = self.add(op::U_CONVERT, short, &[joined]);
            }
            self.add_as(op::BITCAST, ty, id, &[joined]);
            return Ok(());
        };
        let count = self.types.components(narrow.wide).map_or(0, |(_, count)| count);
        let from = self.types.of(value).ok_or_else(refused)?;
        let width = bits(self.types, from).filter(|&width| width == 8 * count).ok_or_else(refused)?;
        let mut whole = value;
        if width == 16 {
            let short = self.types.int(16, false);
            whole = self.add(op::BITCAST, short, &[whole]);
            whole = self.add(op::U_CONVERT, number, &[whole]);
        } else {
            whole = self.add(op::BITCAST, number, &[whole]);
        }
        let component = self.types.components(narrow.wide).map_or(number, |(plain, _)| self.types.type_id(plain));
        let parts: Vec<u32> = (0..count)
            .map(|i| {
                let distance = self.types.number(8 * i);
                let part = self.add(op::SHIFT_RIGHT_LOGICAL, number, &[whole, distance]);
                self.add(op::BITCAST, component, &[part])
            })
            .collect();
        let all = self.add(op::COMPOSITE_CONSTRUCT, narrow.wide, &parts);
        self.in_range_as(narrow.wide, id, all, narrow.is_signed);
        Ok(())
    }
}
