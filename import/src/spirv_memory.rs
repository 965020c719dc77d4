//! Matrices in rows, operands of images and barriers of SPIR-V that naga reads otherwise than they are meant.
//!
//! naga keeps matrices in columns and turns one in rows where its own access chain is loaded; a store is not turned,
//! nor a load of what is around. It drops offsets of images that it has no form for, and makes a barrier of threads of
//! one of memory that names the memory of subgroups. What cannot be written otherwise is refused.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use crate::spirv_flow::PlacedWords;
use crate::spirv_words::{SpirvRefusal, SpirvRewriter, op};

/// The bit of memory semantics for the memory of subgroups.
const SUBGROUP_MEMORY: u32 = 0x80;

/// Bits of image operands, each with the words it takes: `Bias`, `Lod`, `Grad`, `ConstOffset`, `Offset`,
/// `ConstOffsets`, `Sample`, `MinLod`.
const OPERAND_WORDS: [usize; 8] = [1, 1, 2, 1, 1, 1, 1, 1];
const GRAD: u32 = 4;
const CONST_OFFSET: u32 = 8;
const OFFSET: u32 = 0x10;
const CONST_OFFSETS: u32 = 0x20;
const MIN_LOD: u32 = 0x80;

/// A refusal of the first access that does not turn a matrix in rows.
pub(crate) fn refuse_rows(module: &[PlacedWords]) -> Result<(), SpirvRefusal> {
    let of = |one: &PlacedWords, opcode: Op| one.1[0] & 0xffff == opcode as u32;
    let mut rows: HashSet<(u32, u32)> = HashSet::new();
    for one in module.iter().filter(|one| of(one, Op::MemberDecorate)) {
        if let &[_, ty, member, decoration] = one.1.as_slice()
            && decoration == Decoration::RowMajor as u32
        {
            rows.insert((ty, member));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    // Types that hold such a matrix, and what others are made of.
    let mut holding: HashSet<u32> = rows.iter().map(|(ty, _)| *ty).collect();
    let (mut members, mut elements) = (HashMap::new(), HashMap::new());
    let (mut pointees, mut numbers, mut types) = (HashMap::new(), HashMap::new(), HashMap::new());
    // Pointers to such a matrix or into it.
    let mut into: HashSet<u32> = HashSet::new();
    for (byte, words) in module {
        let refuse = |what: &str| {
            Err(SpirvRefusal::at(*byte, format!("{what} a matrix whose rows lie one behind the other (RowMajor)")))
        };
        match *words.as_slice() {
            [head, id, ref all @ ..] if head & 0xffff == Op::TypeStruct as u32 => {
                if all.iter().any(|member| holding.contains(member)) {
                    holding.insert(id);
                }
                members.insert(id, all.to_vec());
            }
            [head, id, element, ..]
                if [Op::TypeArray as u32, Op::TypeRuntimeArray as u32].contains(&(head & 0xffff)) =>
            {
                if holding.contains(&element) {
                    holding.insert(id);
                }
                elements.insert(id, element);
            }
            [head, id, _, pointee] if head & 0xffff == Op::TypePointer as u32 => _ = pointees.insert(id, pointee),
            [head, _, id, number] if head & 0xffff == op::CONSTANT => _ = numbers.insert(id, number),
            [head, ty, id, base, ref indices @ ..]
                if [Op::AccessChain as u32, Op::InBoundsAccessChain as u32].contains(&(head & 0xffff)) =>
            {
                types.insert(id, ty);
                let mut at = types.get(&base).and_then(|ty| pointees.get(ty)).copied();
                let mut is_in_rows = into.contains(&base);
                for index in indices {
                    let Some(ty) = at else { break };
                    at = match (members.get(&ty), numbers.get(index)) {
                        (Some(all), Some(&member)) => {
                            is_in_rows |= rows.contains(&(ty, member));
                            all.get(member as usize).copied()
                        }
                        _ => elements.get(&ty).copied(),
                    };
                }
                if is_in_rows {
                    into.insert(id);
                }
            }
            [head, ty, id, ..] if [op::VARIABLE, Op::FunctionParameter as u32].contains(&(head & 0xffff)) => {
                types.insert(id, ty);
            }
            [head, ty, ..] if head & 0xffff == op::LOAD && holding.contains(&ty) => {
                return refuse("a load of a struct or an array with");
            }
            [head, pointer, ..] if head & 0xffff == op::STORE => {
                let pointee = types.get(&pointer).and_then(|ty| pointees.get(ty));
                if into.contains(&pointer) || pointee.is_some_and(|ty| holding.contains(ty)) {
                    return refuse("a store to");
                }
            }
            [head, ref all @ ..]
                if [Op::FunctionCall as u32, Op::CopyMemory as u32].contains(&(head & 0xffff))
                    && all.iter().any(|id| into.contains(id)) =>
            {
                return refuse("a call with or a copy of");
            }
            _ => {}
        }
    }
    Ok(())
}

/// The place of the image operands among the words of an instruction.
fn image_operands(opcode: u32) -> Option<usize> {
    const AT_5: [Op; 6] = [
        Op::ImageSampleImplicitLod,
        Op::ImageSampleExplicitLod,
        Op::ImageSampleProjImplicitLod,
        Op::ImageSampleProjExplicitLod,
        Op::ImageFetch,
        Op::ImageRead,
    ];
    const AT_6: [Op; 6] = [
        Op::ImageSampleDrefImplicitLod,
        Op::ImageSampleDrefExplicitLod,
        Op::ImageSampleProjDrefImplicitLod,
        Op::ImageSampleProjDrefExplicitLod,
        Op::ImageGather,
        Op::ImageDrefGather,
    ];
    let is_one_of = |all: &[Op]| all.iter().any(|one| *one as u32 == opcode);
    if is_one_of(&AT_5) {
        Some(5)
    } else if is_one_of(&AT_6) {
        Some(6)
    } else {
        (opcode == Op::ImageWrite as u32).then_some(4)
    }
}

impl SpirvRewriter {
    /// An instruction on an image or a barrier, as naga reads it rightly; nothing if it is right as it is.
    pub(crate) fn image_or_barrier(&mut self, words: &[u32]) -> Result<Option<Vec<u32>>, String> {
        let opcode = words[0] & 0xffff;
        if let &[_, scope, semantics] = words
            && opcode == Op::MemoryBarrier as u32
            && let Some(&bits) = self.known.get(&semantics)
            && bits & SUBGROUP_MEMORY != 0
        {
            let others = self.number(bits & !SUBGROUP_MEMORY);
            return Ok(Some(vec![words[0], scope, others]));
        }
        let Some((at, &mask)) = image_operands(opcode).and_then(|at| Some((at, words.get(at)?))) else {
            return Ok(None);
        };
        let is_fetch = opcode == Op::ImageFetch as u32;
        let is_compared = opcode == Op::ImageSampleDrefExplicitLod as u32;
        for (bit, name) in [(CONST_OFFSETS, "ConstOffsets"), (MIN_LOD, "MinLod"), (OFFSET, "Offset"), (GRAD, "Grad")] {
            let is_misread = match bit {
                OFFSET => !is_fetch,
                GRAD => is_compared,
                _ => true,
            };
            if mask & bit != 0 && is_misread {
                return Err(format!("the image operand {name} of an instruction that has no form with it"));
            }
        }
        let offset_bit = mask & (CONST_OFFSET | OFFSET);
        if !is_fetch || offset_bit == 0 {
            return Ok(None);
        }
        let before: usize =
            (0..8).filter(|i| mask & (1 << i) != 0 && 1 << i < offset_bit).map(|i| OPERAND_WORDS[i]).sum();
        let (coordinate, place) = (words[4], at + 1 + before);
        let of = |id: u32| self.value_types.get(&id).copied();
        let offset = words.get(place).copied();
        let types = offset.and_then(|offset| Some((of(coordinate)?, of(offset)?)));
        let count = |ty: u32| self.components(ty).map(|(_, count)| count);
        match (offset, types) {
            (Some(offset), Some((ty, other))) if count(ty).is_some() && count(ty) == count(other) => {
                let sum = self.add(op::I_ADD, ty, &[coordinate, offset]);
                let mut out = words.to_vec();
                out.remove(place);
                (out[4], out[at]) = (sum, mask & !offset_bit);
                if out[at] == 0 {
                    out.truncate(at);
                }
                out[0] = (out.len() as u32) << 16 | opcode;
                Ok(Some(out))
            }
            _ => Err("an offset of a texel of an array of images".to_owned()),
        }
    }
}
