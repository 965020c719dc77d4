//! Instructions on integers of 8 bits, whose values have 32 while they are computed.

use crate::spirv::bytes::{ByteWidener, NarrowType};
use crate::spirv::op;
use crate::spirv::signs::opcode_sign;
use crate::spirv::types::{PlainType, SpirvTypes};

const EXCLUSIVE: u32 = spirv::GroupOperation::ExclusiveScan as u32;

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
        op::GROUP_ROTATE => vec![4, 5],
        op::SUBGROUP_FIRST | op::SUBGROUP_ALL_EQUAL => vec![3],
        op::SUBGROUP_READ => vec![3, 4],
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
            | op::GROUP_SHUFFLE
            ..=op::GROUP_SHUFFLE_DOWN
                | op::GROUP_QUAD_BROADCAST
                | op::GROUP_QUAD_SWAP
                | op::GROUP_ROTATE
                | op::SUBGROUP_FIRST
                | op::SUBGROUP_READ
    )
}

impl ByteWidener<'_> {
    /// Rewrites an instruction of a function.
    pub(crate) fn instruction(&mut self, mut instruction: Vec<u32>) -> Result<(), String> {
        let opcode = instruction[0] & 0xffff;
        let operands = number_operands(&instruction);
        let is_narrow: Vec<bool> = instruction.iter().map(|id| self.values.contains_key(id)).collect();
        let is_narrow = |at: usize| is_narrow.get(at).copied().unwrap_or(false);
        let result = instruction.get(2).and_then(|id| self.values.get(id)).copied();
        let result = result.filter(|narrow| narrow.id == instruction[1]);
        if result.is_none() && !operands.iter().any(|&at| is_narrow(at)) {
            self.writer.push(instruction);
            return Ok(());
        }
        let is_composite = instruction.get(1).is_some_and(|ty| self.writer.types.composites.contains_key(ty));
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
                self.writer.push(instruction);
                return Ok(());
            }
            op::COMPOSITE_CONSTRUCT | op::COMPOSITE_INSERT if is_composite => {
                let most = if opcode == op::COMPOSITE_INSERT { 4 } else { instruction.len() };
                for operand in &mut instruction[3..most] {
                    *operand = self.stored(*operand);
                }
                self.writer.push(instruction);
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
        // The bits that are counted are 8, whatever the sign is.
        let own = opcode != op::BIT_COUNT
            && opcode_sign(&instruction).unwrap_or_else(|| result.is_some_and(|narrow| narrow.is_signed));
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
        let source =
            instruction.get(3).and_then(|&id| self.writer.types.of(id)).and_then(|ty| self.writer.types.integer(ty));
        let Some(narrow) = result else {
            // A conversion to 32 bits has nothing left to do.
            if is_conversion && self.writer.types.integer(instruction[1]).is_some_and(|(width, _)| width == 32) {
                instruction[0] = 4 << 16 | op::BITCAST;
            }
            self.writer.push(instruction);
            return Ok(());
        };
        if is_conversion && source.is_some_and(|(width, _)| width == 32) {
            instruction[0] = 4 << 16 | op::BITCAST;
        }
        let id = instruction[2];
        instruction[1] = narrow.wide;
        if keeps_range(opcode) {
            self.writer.push(instruction);
            return Ok(());
        }
        if let (op::GROUP_S_MIN | op::GROUP_S_MAX, &[_, ty, _, scope, EXCLUSIVE, value]) =
            (opcode, instruction.as_slice())
        {
            // What stands before the first is the greatest or the least number of 32 bits: so the 8 bits are on top.
            let distance = self.constant(ty, 24);
            let top = self.writer.add(op::SHIFT_LEFT_LOGICAL, ty, &[value, distance]);
            let found = self.writer.add(opcode, ty, &[scope, EXCLUSIVE, top]);
            let found = self.writer.add(op::SHIFT_RIGHT_ARITHMETIC, ty, &[found, distance]);
            self.in_range_as(ty, id, found, narrow.is_signed);
            return Ok(());
        }
        let found = self.writer.types.fresh();
        instruction[2] = found;
        self.writer.types.values.insert(found, narrow.wide);
        self.writer.push(instruction);
        let found = match opcode {
            op::BIT_REVERSE => {
                let distance = self.constant(narrow.wide, 24);
                self.writer.add(op::SHIFT_RIGHT_LOGICAL, narrow.wide, &[found, distance])
            }
            _ => found,
        };
        self.in_range_as(narrow.wide, id, found, narrow.is_signed);
        Ok(())
    }

    /// A bitcast between bytes and numbers of 16 or 32 bits.
    fn bitcast_bytes(&mut self, [ty, id, value]: [u32; 3], result: Option<NarrowType>) -> Result<(), String> {
        let refused = || "a bitcast between integers of 8 bits and a number of other than 16 or 32 bits".to_owned();
        let number = self.writer.types.int(32, false);
        let bits = |types: &SpirvTypes, ty: u32| match types.components(ty) {
            Some((
                PlainType::Int { width: width @ (16 | 32), .. } | PlainType::Float { width: width @ (16 | 32) },
                1,
            )) => Some(width),
            _ => None,
        };
        let Some(narrow) = result else {
            let Some(&narrow) = self.values.get(&value) else { return Err(refused()) };
            let count = self.writer.types.components(narrow.wide).map_or(0, |(_, count)| count);
            let width =
                bits(self.writer.types, ty).filter(|&width| count.checked_mul(8) == Some(width)).ok_or_else(refused)?;
            let all = self.extended(value, false);
            let component =
                self.writer.types.components(narrow.wide).map_or(number, |(plain, _)| self.writer.types.type_id(plain));
            let mut joined = self.writer.types.null(number);
            for i in 0..count {
                let part = self.writer.add(op::COMPOSITE_EXTRACT, component, &[all, i]);
                let part = self.writer.add(op::BITCAST, number, &[part]);
                let distance = self.writer.types.number(8 * i);
                let part = self.writer.add(op::SHIFT_LEFT_LOGICAL, number, &[part, distance]);
                joined = self.writer.add(op::BITWISE_OR, number, &[joined, part]);
            }
            if width == 16 {
                let short = self.writer.types.int(16, false);
                joined = self.writer.add(op::U_CONVERT, short, &[joined]);
            }
            self.writer.add_as(op::BITCAST, ty, id, &[joined]);
            return Ok(());
        };
        let count = self.writer.types.components(narrow.wide).map_or(0, |(_, count)| count);
        let from = self.writer.types.of(value).ok_or_else(refused)?;
        let width =
            bits(self.writer.types, from).filter(|&width| count.checked_mul(8) == Some(width)).ok_or_else(refused)?;
        let mut whole = value;
        if width == 16 {
            let short = self.writer.types.int(16, false);
            whole = self.writer.add(op::BITCAST, short, &[whole]);
            whole = self.writer.add(op::U_CONVERT, number, &[whole]);
        } else {
            whole = self.writer.add(op::BITCAST, number, &[whole]);
        }
        let component =
            self.writer.types.components(narrow.wide).map_or(number, |(plain, _)| self.writer.types.type_id(plain));
        let parts: Vec<u32> = (0..count)
            .map(|i| {
                let distance = self.writer.types.number(8 * i);
                let part = self.writer.add(op::SHIFT_RIGHT_LOGICAL, number, &[whole, distance]);
                self.writer.add(op::BITCAST, component, &[part])
            })
            .collect();
        let all = self.writer.add(op::COMPOSITE_CONSTRUCT, narrow.wide, &parts);
        self.in_range_as(narrow.wide, id, all, narrow.is_signed);
        Ok(())
    }
}
