//! Instructions of SPIR-V that naga would read otherwise than they are meant, or not at all, written as others.
//!
//! In SPIR-V the opcode says whether an operation is signed; the types of its operands say nothing, and
//! compilers whose languages have no signed types write unsigned ones throughout. naga takes the
//! signedness from the type: so operands of the other type are bitcast ([`crate::spirv::signs`]), and results back. Where
//! naga gives a result the type of its operand, it is brought to the declared type. Float
//! comparisons of NaN follow the opcode too (`OpFUnordLessThan` is true), but naga makes ordered ones of
//! all but `OpFUnordNotEqual`, and that of `OpFOrdNotEqual`. `OpSMod` goes through floats in naga. Loads and stores
//! lose memory operands that have operands themselves, such as `Aligned 4`, which naga does not read.

use crate::spirv::MAX_DEPTH;
use crate::spirv::block_values::BlockValues;
use crate::spirv::divisors::ZeroConstants;
use crate::spirv::op;
use crate::spirv::signs::signed_operands;
use crate::spirv::types::{CompositeType, PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, first_function, words};
use crate::spirv::writer::WordWriter;

/// The letters `GLSL`.
const GLSL: u32 = u32::from_le_bytes(*b"GLSL");

/// Elements of an array in which one is replaced: each is an expression.
const MOST_ELEMENTS: u32 = 4096;

/// The functions of a module while they are rewritten.
pub(crate) struct SpirvRewriter<'t> {
    pub(crate) writer: WordWriter<'t>,
    /// The set of instructions GLSL.std.450, by the beginning of its name.
    pub(crate) glsl: Option<u32>,
    /// The labels behind the constructs around.
    merges: Vec<u32>,
    pub(crate) zeros: ZeroConstants,
    pub(crate) of_blocks: BlockValues,
}

/// Rewrites the instructions of all functions.
pub(crate) fn rewrite(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) -> Result<(), SpirvRefusal> {
    let functions = module.split_off(first_function(module));
    let glsl = module.iter().find_map(|(_, words)| match *words.as_slice() {
        [head, id, GLSL, ..] if head & 0xffff == op::EXT_INST_IMPORT => Some(id),
        _ => None,
    });
    let zeros = ZeroConstants::of(module, &types.added);
    let mut rewriter = SpirvRewriter {
        writer: WordWriter::new(types),
        glsl,
        merges: Vec::new(),
        zeros,
        of_blocks: BlockValues::default(),
    };
    for (byte, mut instruction) in functions {
        rewriter.writer.byte = byte;
        rewriter.writer.types.note(&instruction);
        rewriter.copy_operands(&mut instruction);
        rewriter.note_in_block(&instruction);
        rewriter.instruction(instruction).map_err(|what| SpirvRefusal::at(byte, what))?;
    }
    module.append(&mut rewriter.writer.out);
    Ok(())
}

impl SpirvRewriter<'_> {
    pub(crate) fn instruction(&mut self, mut instruction: Vec<u32>) -> Result<(), String> {
        let opcode = instruction[0] & 0xffff;
        match (opcode, instruction.as_slice()) {
            (op::FUNCTION, _) => self.merges.clear(),
            (op::LOOP_MERGE | op::SELECTION_MERGE, &[_, merge, ..]) => self.merges.push(merge),
            (op::LABEL, &[_, label]) => {
                while self.merges.last() == Some(&label) {
                    self.merges.pop();
                }
            }
            _ => {}
        }
        if self.merges.len() > MAX_DEPTH {
            return Err(format!("constructs nested more than {MAX_DEPTH} deep"));
        }
        if let Some(other) = self.image_or_barrier(&instruction)? {
            self.writer.push(other);
            return Ok(());
        }
        self.places_of_bits(&mut instruction);
        self.zeros.note(&instruction);
        self.without_zeros(&mut instruction);
        if self.dot(&instruction)? || self.ballot_or_older(&instruction)? || self.group(&instruction)? {
            return Ok(());
        }
        match (opcode, instruction.as_slice()) {
            (op::COPY_LOGICAL, &[_, ty, id, value]) => self.copy_logical(ty, id, value)?,
            (op::SELECT, &[_, ty, id, condition, yes, no]) if self.select(ty, id, [condition, yes, no])? => {}
            (op::COMPOSITE_INSERT, &[_, ty, _, _, _, ref indices @ ..]) if self.is_in_long_array(ty, indices) => {
                return Err(format!("an `OpCompositeInsert` into an array of more than {MOST_ELEMENTS} elements"));
            }
            (op::EXPECT, &[_, ty, id, value, _]) => self.writer.add_as(op::COPY_OBJECT, ty, id, &[value]),
            (op::QUANTIZE, &[_, ty, id, value]) => self.quantize(ty, id, value),
            // Accesses in operands change nothing.
            (op::COPY_MEMORY, &[_, to, from, ..]) => self.writer.push(words(op::COPY_MEMORY, &[to, from])),
            (op::F_UNORD_LESS, &[_, ty, id, a, b]) => self.not(op::F_ORD_GREATER_EQUAL, ty, id, [a, b]),
            (op::F_UNORD_GREATER, &[_, ty, id, a, b]) => self.not(op::F_ORD_LESS_EQUAL, ty, id, [a, b]),
            (op::F_UNORD_LESS_EQUAL, &[_, ty, id, a, b]) => self.not(op::F_ORD_GREATER, ty, id, [a, b]),
            (op::F_UNORD_GREATER_EQUAL, &[_, ty, id, a, b]) => self.not(op::F_ORD_LESS, ty, id, [a, b]),
            (op::F_ORD_NOT_EQUAL, &[_, ty, id, a, b]) => {
                let parts = [op::F_ORD_LESS, op::F_ORD_GREATER].map(|opcode| self.writer.add(opcode, ty, &[a, b]));
                self.writer.add_as(op::LOGICAL_OR, ty, id, &parts);
            }
            (op::F_UNORD_EQUAL, &[_, ty, id, a, b]) => {
                let parts = [op::F_ORD_LESS, op::F_ORD_GREATER].map(|opcode| self.writer.add(opcode, ty, &[a, b]));
                let differ = self.writer.add(op::LOGICAL_OR, ty, &parts);
                self.writer.add_as(op::LOGICAL_NOT, ty, id, &[differ]);
            }
            (op::ATOMIC_S_MIN | op::ATOMIC_U_MIN | op::ATOMIC_S_MAX | op::ATOMIC_U_MAX, &[_, ty, ..]) => {
                let is_signed = matches!(opcode, op::ATOMIC_S_MIN | op::ATOMIC_S_MAX);
                if self.writer.types.integer(ty).is_some_and(|(_, signed)| signed != is_signed) {
                    let (minimum, memory) = if is_signed { ("signed", "unsigned") } else { ("unsigned", "signed") };
                    return Err(format!("an atomic {minimum} minimum or maximum of {memory} integers"));
                }
                self.writer.push(instruction);
            }
            // naga reads a mask of memory operands, but nothing behind it; alignments and the like change nothing.
            (op::LOAD, &[_, ty, id, pointer, _, _, ..]) => self.writer.push(words(op::LOAD, &[ty, id, pointer])),
            (op::STORE, &[_, pointer, value, _, _, ..]) => self.writer.push(words(op::STORE, &[pointer, value])),
            (op::U_MUL_EXTENDED | op::S_MUL_EXTENDED | op::I_ADD_CARRY | op::I_SUB_BORROW, &[_, ty, id, a, b])
                if self.extended(opcode, [ty, id, a, b]) => {}
            (op::BITCAST, &[_, ty, id, value]) if self.bitcast(ty, id, value) => {}
            // naga reads one in a function as a number that is computed twice.
            (op::UNDEF, &[_, ty, id]) => self.writer.types.added.push(words(op::CONSTANT_NULL, &[ty, id])),
            (op::EXT_INST, _) if self.parts(&instruction) => {}
            (op::EXT_INST, &[_, _, _, set, ..]) if Some(set) != self.glsl => self.writer.push(instruction),
            _ => match signed_operands(&instruction) {
                Some(needs) => self.of_signs(instruction, &needs),
                None => self.writer.push(instruction),
            },
        }
        Ok(())
    }

    /// Does a path of members and elements lead through an array of very many? naga writes out all of them.
    fn is_in_long_array(&self, ty: u32, indices: &[u32]) -> bool {
        let mut at = ty;
        for &index in indices {
            at = match self.writer.types.composites.get(&at) {
                Some(CompositeType::Struct(members)) => match members.get(index as usize) {
                    Some(&member) => member,
                    None => return false,
                },
                Some(&CompositeType::Array { element, length }) => {
                    let length = length.and_then(|length| self.writer.types.numbers.get(&length));
                    if length.is_none_or(|&length| length > MOST_ELEMENTS) {
                        return true;
                    }
                    element
                }
                Some(&CompositeType::Matrix { column, .. }) => column,
                Some(CompositeType::Pointer { .. }) | None => return false,
            };
        }
        false
    }

    /// Offset and count of a bit field become unsigned numbers of 32 bits, as naga has them.
    fn places_of_bits(&mut self, instruction: &mut [u32]) {
        let at = match instruction[0] & 0xffff {
            op::BIT_FIELD_INSERT => 5,
            op::BIT_FIELD_S_EXTRACT | op::BIT_FIELD_U_EXTRACT => 4,
            _ => return,
        };
        for place in &mut instruction[at..] {
            let Some(opcode) = self.writer.types.of(*place).and_then(|ty| match *self.writer.types.plain.get(&ty)? {
                PlainType::Int { width: 32, is_signed: false } => None,
                PlainType::Int { width: 32, is_signed: true } => Some(op::BITCAST),
                PlainType::Int { .. } => Some(op::U_CONVERT),
                PlainType::Bool | PlainType::Float { .. } | PlainType::Vector { .. } => None,
            }) else {
                continue;
            };
            let number = self.writer.types.int(32, false);
            *place = match opcode {
                op::U_CONVERT => self.unsigned(*place),
                _ => *place,
            };
            *place = self.writer.add(opcode, number, &[*place]);
        }
    }

    /// An integer with an unsigned type of its width.
    fn unsigned(&mut self, value: u32) -> u32 {
        match self.writer.types.of(value).and_then(|ty| self.writer.types.integer(ty)) {
            Some((width, true)) => {
                let ty = self.writer.types.int(width, false);
                self.writer.add(op::BITCAST, ty, &[value])
            }
            _ => value,
        }
    }
}
