//! SPIR-V before naga reads it, and put right behind that.
//!
//! A module is cut into instructions, and passes go over these, one behind the other. [`SpirvTypes`] tells all of them
//! what the module declares, and takes what they declare besides.
//!
//! | module | contents |
//! |---|---|
//! | `words`, `op`, `fewest` | instructions as words, and how long they are at least |
//! | `writer` | the instructions that a pass writes |
//! | `types` | what a module declares |
//! | `specialize`, `fold` | specialization constants become constants; what is computed of them |
//! | `masks` | built-in masks of subgroups |
//! | `bytes`, `byte_operations` | integers of 8 bits |
//! | `constants` | constants of 8 and 16 bits, sizes of workgroups |
//! | `matrices`, `matrix_access` | matrices in rows, or with other steps between columns than naga has |
//! | `flow` | branches |
//! | `pointers` | pointers and images that are used in other blocks than they are made in |
//! | `extensions` | extensions and instructions that say nothing |
//! | `rewrite` and what it calls: `signs`, `bitcast`, `extended`, `aggregate`, `dot`, `groups`, `ballots`, `block_values`, `images`, `quantize`, `divisors`, `parts` | instructions, one by one |
//! | `repair`, `zero_stores` | what is put right in the module that naga has made |
//! | `stand_in`, `loosen` | what naga validates in its place |

mod aggregate;
mod ballots;
mod bitcast;
mod block_values;
mod byte_operations;
mod bytes;
mod constants;
mod divisors;
mod dot;
mod extended;
mod extensions;
mod fewest;
mod flow;
mod fold;
mod groups;
mod images;
mod loosen;
mod masks;
mod matrices;
mod matrix_access;
mod op;
mod parts;
mod pointers;
mod quantize;
mod repair;
mod rewrite;
mod signs;
mod specialize;
mod stand_in;
mod types;
mod words;
mod writer;
mod zero_stores;

use std::collections::HashMap;

pub(crate) use repair::put_right;
pub(crate) use specialize::SpecConstant;
pub(crate) use stand_in::stand_in;

use bytes::widen_bytes;
use constants::{of_one_workgroup_size, widen_constants};
use extensions::leave_out;
use flow::straighten;
use images::{name_formats, refuse_combined, refuse_levels_of_depth, refuse_long};
use masks::compute_masks;
use matrices::lay_out_matrices;
use pointers::make_again;
use rewrite::rewrite;
use specialize::specialize;
use types::SpirvTypes;
use words::{PlacedWords, SpirvRefusal, SpirvWords, first_function};

/// Constructs in constructs, as in WGSL: naga recurses over them. Kernels nest 256 deep.
const MAX_DEPTH: usize = 1000;

/// Types in types, as in kernels, and the parts of a type and of all types: naga and the passes walk through them, part
/// by part. Members may share their place, so that the size of a type says nothing of its parts.
const MAX_TYPE_DEPTH: u32 = 256;
const MOST_TYPE_PARTS: u64 = 1 << 16;
const MOST_PARTS_OF_ALL: u64 = 1 << 22;

/// Refuses types that nest too deep, or have too many parts.
fn refuse_large_types(module: &[PlacedWords]) -> Result<(), SpirvRefusal> {
    let mut sizes: HashMap<u32, (u32, u64)> = HashMap::new();
    let mut all = 0_u64;
    for (byte, words) in module {
        let (id, parts) = match (words[0] & 0xffff, words.as_slice()) {
            (op::TYPE_STRUCT, [_, id, members @ ..]) => (*id, members),
            (op::TYPE_ARRAY, [_, id, element @ .., _]) | (op::TYPE_RUNTIME_ARRAY, [_, id, element @ ..]) => {
                (*id, element)
            }
            _ => continue,
        };
        let (mut depth, mut count) = (1, 1_u64);
        for part in parts {
            let (below, inside) = sizes.get(part).copied().unwrap_or((0, 1));
            (depth, count) = (depth.max(below + 1), count.saturating_add(inside));
        }
        all = all.saturating_add(count);
        if depth > MAX_TYPE_DEPTH {
            return Err(SpirvRefusal::at(*byte, format!("types nested more than {MAX_TYPE_DEPTH} deep")));
        }
        if count > MOST_TYPE_PARTS || all > MOST_PARTS_OF_ALL {
            return Err(SpirvRefusal::at(*byte, "types of too many parts"));
        }
        sizes.insert(id, (depth, count));
    }
    Ok(())
}

/// Where instructions of a rewritten module come from: the byte of its first word there, and in the module as it was.
pub(crate) type InstructionOrigins = Vec<(u32, u32)>;

/// A module that naga reads as it is meant.
pub(crate) struct ReadableSpirv {
    pub(crate) bytes: Vec<u8>,
    pub(crate) origins: InstructionOrigins,
    /// The constants that can be given values.
    pub(crate) constants: Vec<SpecConstant>,
}

/// Rewrites a module whose specialization constants have these values, by their numbers. Nothing if it is cut short or
/// no module: naga says what is wrong.
pub(crate) fn readable(bytes: &[u8], values: &HashMap<u32, f64>) -> Result<Option<ReadableSpirv>, SpirvRefusal> {
    let Some(SpirvWords { mut head, instructions: mut module }) = SpirvWords::read(bytes)? else { return Ok(None) };
    refuse_large_types(&module)?;
    leave_out(&mut module)?;
    let mut types = SpirvTypes::new(head[3]);
    let constants = specialize(&mut module, &mut types, values)?;
    compute_masks(&mut module, &mut types);
    lay_out_matrices(&mut module, &mut types)?;
    refuse_combined(&module)?;
    refuse_long(&module, &types)?;
    refuse_levels_of_depth(&module, &types)?;
    name_formats(&mut module, &types);
    of_one_workgroup_size(&mut module);
    widen_bytes(&mut module, &mut types)?;
    widen_constants(&mut module, &mut types.bound);
    straighten(&mut module, &mut types)?;
    make_again(&mut module, &mut types);
    rewrite(&mut module, &mut types)?;
    let begin = first_function(&module);
    let byte = module.get(begin).map_or(0, |one| one.0);
    module.splice(begin..begin, types.added.into_iter().map(|words| (byte, words)));
    head[3] = types.bound;
    let mut words = head.to_vec();
    let mut origins = Vec::with_capacity(module.len());
    for (byte, instruction) in module {
        origins.push((words.len() as u32 * 4, byte));
        words.extend(instruction);
    }
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Ok(Some(ReadableSpirv { bytes, origins, constants }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module as naga reads it; nothing if it is left to naga as it is. The error is a sentence.
    fn repaired(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        readable(bytes, &HashMap::new()).map(|read| read.map(|read| read.bytes)).map_err(|refusal| refusal.what)
    }

    fn module(bound: u32, instructions: &[&[u32]]) -> Vec<u8> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0300, 0, bound, 0];
        for instruction in instructions {
            words.push((instruction.len() as u32) << 16 | instruction[0]);
            words.extend(&instruction[1..]);
        }
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn broken_modules_are_left_as_they_are_or_refused() {
        // A vector of itself; instructions that are cut off; an instruction without a length.
        let of_itself: &[&[u32]] = &[
            &[op::TYPE_VECTOR, 1, 1, 2],
            &[op::FUNCTION, 1, 2],
            &[op::CONVERT_S_TO_F, 1, 3, 2],
            &[op::S_MOD, 1, 4, 3, 3],
        ];
        let cut: &[&[u32]] = &[&[op::FUNCTION], &[op::S_MOD], &[op::CONVERT_S_TO_F, 1], &[op::EXT_INST, 1, 2, 3]];
        // A terminator before the first label.
        let before: &[&[u32]] = &[&[op::FUNCTION, 1, 2, 0, 3], &[spirv::Op::Return as u32], &[op::LABEL, 4]];
        // A selection in a `switch` that has the same end, and leaves the loop around.
        let same_end: &[&[u32]] = &[
            &[op::FUNCTION, 1, 2, 0, 3],
            &[op::LABEL, 10],
            &[op::LOOP_MERGE, 20, 19, 0],
            &[op::BRANCH, 11],
            &[op::LABEL, 11],
            &[op::SELECTION_MERGE, 18, 0],
            &[op::SWITCH, 5, 18, 1, 12],
            &[op::LABEL, 12],
            &[op::SELECTION_MERGE, 18, 0],
            &[op::BRANCH_CONDITIONAL, 6, 20, 18],
            &[op::LABEL, 18],
            &[op::BRANCH, 19],
            &[op::LABEL, 19],
            &[op::BRANCH, 10],
            &[op::LABEL, 20],
            &[spirv::Op::Return as u32],
        ];
        // A vector of more bytes than there are bits.
        let long: &[&[u32]] = &[
            &[op::TYPE_INT, 1, 8, 0],
            &[op::TYPE_VECTOR, 2, 1, u32::MAX],
            &[op::TYPE_INT, 3, 32, 0],
            &[op::CONSTANT, 3, 4, 7],
            &[op::FUNCTION, 3, 5, 0, 6],
            &[op::LABEL, 7],
            &[op::BITCAST, 2, 8, 4],
            &[spirv::Op::Return as u32],
        ];
        assert!(repaired(&module(9, long)).is_err());
        // A struct with a matrix in rows, and itself, is loaded.
        let endless: &[&[u32]] = &[
            &[op::MEMBER_DECORATE, 5, 0, spirv::Decoration::RowMajor as u32],
            &[op::MEMBER_DECORATE, 5, 0, spirv::Decoration::MatrixStride as u32, 16],
            &[op::TYPE_FLOAT, 1, 32],
            &[op::TYPE_VECTOR, 2, 1, 2],
            &[op::TYPE_MATRIX, 3, 2, 2],
            &[op::TYPE_STRUCT, 5, 3, 5],
            &[op::TYPE_POINTER, 6, spirv::StorageClass::Uniform as u32, 5],
            &[op::VARIABLE, 6, 7, spirv::StorageClass::Uniform as u32],
            &[op::FUNCTION, 3, 8, 0, 6],
            &[op::LABEL, 9],
            &[op::LOAD, 5, 10, 7],
            &[spirv::Op::Return as u32],
        ];
        assert!(repaired(&module(11, endless)).is_err());
        for broken in [module(9, of_itself), module(9, cut), module(9, before), module(30, same_end)] {
            assert!(repaired(&broken).is_ok());
        }
        // An image operand without its word; matrices of floats of any width.
        let short: &[&[u32]] = &[
            &[op::FUNCTION, 1, 2, 0, 3],
            &[op::LABEL, 4],
            &[spirv::Op::ImageFetch as u32, 1, 5, 6, 7, 1],
            &[spirv::Op::Return as u32],
        ];
        assert!(repaired(&module(9, short)).is_err());
        let wide: &[&[u32]] = &[
            &[op::DECORATE, 5, spirv::Decoration::ArrayStride as u32, 4],
            &[op::MEMBER_DECORATE, 6, 0, spirv::Decoration::MatrixStride as u32, 16],
            &[op::MEMBER_DECORATE, 6, 0, spirv::Decoration::RowMajor as u32],
            &[op::TYPE_FLOAT, 1, u32::MAX],
            &[op::TYPE_VECTOR, 2, 1, 4],
            &[op::TYPE_MATRIX, 3, 2, 4],
            &[op::TYPE_INT, 4, 32, 0],
            &[op::CONSTANT, 4, 7, 4],
            &[op::TYPE_ARRAY, 5, 3, 7],
            &[op::TYPE_STRUCT, 6, 5],
        ];
        assert!(repaired(&module(9, wide)).is_ok());
        // Vectors of bytes, each made of the one before.
        let mut chain = vec![vec![op::TYPE_INT, 1, 8, 1], vec![op::TYPE_VECTOR, 2, 1, 4], vec![op::CONSTANT, 1, 3, 7]];
        chain.extend((4..50_000).map(|id| vec![op::CONSTANT_COMPOSITE, 2, id, id - 1]));
        chain.extend([vec![op::FUNCTION, 1, 50_000, 0, 3], vec![op::LABEL, 50_001]]);
        chain.extend([vec![op::I_ADD, 2, 50_002, 49_999, 49_999], vec![spirv::Op::Return as u32]]);
        let chain: Vec<&[u32]> = chain.iter().map(Vec::as_slice).collect();
        assert!(repaired(&module(50_003, &chain)).is_ok());
        // Arrays of arrays of a struct without members, selected; structs whose members double at each level.
        let mut empty = vec![vec![op::TYPE_INT, 1, 32, 0], vec![op::CONSTANT, 1, 2, 4096], vec![op::TYPE_BOOL, 3]];
        empty.extend([vec![op::CONSTANT_TRUE, 3, 4], vec![op::TYPE_STRUCT, 5]]);
        empty.extend((6..12).map(|id| vec![op::TYPE_ARRAY, id, id - 1, 2]));
        empty.extend([vec![op::CONSTANT_NULL, 11, 12], vec![op::FUNCTION, 1, 13, 0, 3], vec![op::LABEL, 14]]);
        empty.extend([vec![op::SELECT, 11, 15, 4, 12, 12], vec![spirv::Op::Return as u32]]);
        let empty: Vec<&[u32]> = empty.iter().map(Vec::as_slice).collect();
        assert!(repaired(&module(16, &empty)).is_err());
        let doubled: Vec<Vec<u32>> = (2..62).map(|id| vec![op::TYPE_STRUCT, id, id - 1, id - 1]).collect();
        let doubled: Vec<&[u32]> = doubled.iter().map(Vec::as_slice).collect();
        assert_eq!(repaired(&module(62, &doubled)), Err("types of too many parts".to_owned()));
        // A number in an array of very many.
        let inserted: &[&[u32]] = &[
            &[op::TYPE_INT, 1, 32, 0],
            &[op::CONSTANT, 1, 2, 1_000_000_000],
            &[op::TYPE_ARRAY, 3, 1, 2],
            &[op::CONSTANT_NULL, 3, 4],
            &[op::FUNCTION, 1, 5, 0, 6],
            &[op::LABEL, 7],
            &[op::COMPOSITE_INSERT, 3, 8, 2, 4, 5],
            &[spirv::Op::Return as u32],
        ];
        assert!(repaired(&module(9, inserted)).is_err_and(|what| what.contains("more than 4096 elements")));
        let deep: Vec<Vec<u32>> = (2..300).map(|id| vec![op::TYPE_STRUCT, id, id - 1]).collect();
        let deep: Vec<&[u32]> = deep.iter().map(Vec::as_slice).collect();
        assert_eq!(repaired(&module(300, &deep)), Err("types nested more than 256 deep".to_owned()));
        let mut endless = module(9, cut);
        endless.extend([0; 4]);
        assert_eq!(repaired(&endless), Ok(None));
        assert_eq!(repaired(&endless[..30]), Ok(None));
        assert!(repaired(&module(u32::MAX, cut)).is_err_and(|what| what.starts_with("ids below 4294967295")));
        let nested = |count: u32| {
            let constructs = (0..count).flat_map(|i| [vec![op::SELECTION_MERGE, 9 + i, 0], vec![op::LABEL, 9 + i]]);
            let all: Vec<Vec<u32>> = [vec![op::FUNCTION, 1, 2, 0, 3]].into_iter().chain(constructs).collect();
            let one_behind_the_other: Vec<&[u32]> = all.iter().map(Vec::as_slice).collect();
            let inside: Vec<&[u32]> = one_behind_the_other.iter().filter(|one| one[0] != op::LABEL).copied().collect();
            [module(9, &one_behind_the_other), module(9, &inside)]
        };
        assert!(nested(1000).iter().all(|module| repaired(module).is_ok()));
        let [flat, deep] = nested(50_000);
        assert!(repaired(&flat).is_ok());
        assert_eq!(repaired(&deep), Err("constructs nested more than 1000 deep".to_owned()));
    }
}
