//! Constants of SPIR-V that naga does not read, or reads otherwise than they are meant.
//!
//! It has no integer constants of 16 bits, or of 8: they are declared with 32 bits and a name, by which they are found in the
//! module that naga makes, and get their type back. And it takes a workgroup's size from the execution mode, where
//! a constant marked as `WorkgroupSize` comes first in SPIR-V.

use std::collections::{HashMap, HashSet};

use naga::{Expression, Literal, Module, Scalar, ScalarKind, Type, TypeInner};
use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op};

use crate::spirv::words::{PlacedWords, opcode};

/// The name of constants that have 8 or 16 bits: none of a shader begins like this.
const NAME: &str = "\u{1}16 bits";

/// What stands before the names of a module.
const BEFORE_NAMES: [u32; 13] = [
    Op::Capability as u32,
    Op::Extension as u32,
    Op::ExtInstImport as u32,
    Op::MemoryModel as u32,
    Op::EntryPoint as u32,
    Op::ExecutionMode as u32,
    Op::ExecutionModeId as u32,
    Op::String as u32,
    Op::SourceExtension as u32,
    Op::Source as u32,
    Op::SourceContinued as u32,
    Op::Name as u32,
    Op::MemberName as u32,
];

/// Declares integer constants of 8 and 16 bits with 32; returns whether there are any.
pub(crate) fn widen_constants(module: &mut Vec<PlacedWords>, bound: &mut u32) -> bool {
    let mut narrow: HashMap<u32, u32> = HashMap::new();
    let mut named: HashSet<u32> = HashSet::new();
    let mut out: Vec<PlacedWords> = Vec::with_capacity(module.len());
    for (byte, mut words) in module.drain(..) {
        match *words.as_slice() {
            [head, id, 8 | 16, sign] if head & 0xffff == Op::TypeInt as u32 => _ = narrow.insert(id, sign),
            [head, ty, id, _] if head & 0xffff == Op::Constant as u32 => {
                if let Some(&sign) = narrow.get(&ty) {
                    named.insert(id);
                    let wide = *bound;
                    *bound += 1;
                    out.push((byte, vec![4 << 16 | Op::TypeInt as u32, wide, 32, sign]));
                    words[1] = wide;
                }
            }
            _ => {}
        }
        out.push((byte, words));
    }
    if !named.is_empty() {
        out.retain(|one| opcode(one) != Op::Name as u32 || !one.1.get(1).is_some_and(|id| named.contains(id)));
        let at = out.iter().position(|one| !BEFORE_NAMES.contains(&opcode(one))).unwrap_or(out.len());
        let byte = out.get(at).map_or(0, |one| one.0);
        let mut letters = NAME.as_bytes().to_vec();
        letters.resize(NAME.len() / 4 * 4 + 4, 0);
        let letters: Vec<u32> = letters.as_chunks::<4>().0.iter().map(|letters| u32::from_le_bytes(*letters)).collect();
        let mut ids: Vec<u32> = named.iter().copied().collect();
        ids.sort_unstable();
        let names = ids.iter().map(|&id| {
            let head = (letters.len() as u32 + 2) << 16 | Op::Name as u32;
            (byte, [&[head, id], letters.as_slice()].concat())
        });
        out.splice(at..at, names);
    }
    *module = out;
    !named.is_empty()
}

/// Gives these constants 16 bits, which those of 8 have in the module that naga validates.
pub(crate) fn narrow_constants(module: &mut Module) {
    for (_, constant) in module.constants.iter_mut() {
        if constant.name.as_deref() != Some(NAME) {
            continue;
        }
        constant.name = None;
        let Expression::Literal(literal) = &mut module.global_expressions[constant.init] else { continue };
        let kind = match *literal {
            Literal::I32(number) => {
                *literal = Literal::I16(number as i16);
                ScalarKind::Sint
            }
            Literal::U32(number) => {
                *literal = Literal::U16(number as u16);
                ScalarKind::Uint
            }
            _ => continue,
        };
        let inner = TypeInner::Scalar(Scalar { kind, width: 2 });
        constant.ty = module.types.insert(Type { name: None, inner }, naga::Span::UNDEFINED);
    }
}

/// Gives all entry points the workgroup's size that a constant says; returns whether that changes the module.
pub(crate) fn of_one_workgroup_size(module: &mut Vec<PlacedWords>) -> bool {
    let mut marked = None;
    let (mut numbers, mut parts) = (HashMap::new(), HashMap::new());
    for (_, words) in module.iter() {
        match *words.as_slice() {
            [head, id, decoration, which]
                if head & 0xffff == Op::Decorate as u32
                    && decoration == Decoration::BuiltIn as u32
                    && which == BuiltIn::WorkgroupSize as u32 =>
            {
                marked = Some(id);
            }
            [head, _, id, number] if head & 0xffff == Op::Constant as u32 => _ = numbers.insert(id, number),
            [head, _, id, x, y, z] if head & 0xffff == Op::ConstantComposite as u32 => {
                parts.insert(id, [x, y, z]);
            }
            _ => {}
        }
    }
    let size_of = |ids: [u32; 3]| {
        let [x, y, z] = ids.map(|id| numbers.get(&id).copied());
        Some([x?, y?, z?])
    };
    let of_all = marked.and_then(|id| parts.get(&id)).and_then(|&ids| size_of(ids));
    let mut has_changed = false;
    let mut entries: Vec<u32> = Vec::new();
    let mut end = 0;
    for (i, (_, words)) in module.iter_mut().enumerate() {
        match *words.as_slice() {
            [head, model, entry, ..]
                if head & 0xffff == Op::EntryPoint as u32 && model == ExecutionModel::GLCompute as u32 =>
            {
                entries.push(entry);
                end = i + 1;
            }
            [head, ..] if head & 0xffff == Op::EntryPoint as u32 => end = i + 1,
            [head, entry, mode, x, y, z] => {
                let is_size = head & 0xffff == Op::ExecutionMode as u32 && mode == ExecutionMode::LocalSize as u32;
                let is_of_ids =
                    head & 0xffff == Op::ExecutionModeId as u32 && mode == ExecutionMode::LocalSizeId as u32;
                if !is_size && !is_of_ids {
                    continue;
                }
                entries.retain(|&other| other != entry);
                let own = if is_size { Some([x, y, z]) } else { size_of([x, y, z]) };
                let Some(size) = of_all.or(own) else { continue };
                if is_of_ids || size != [x, y, z] {
                    *words = [6 << 16 | Op::ExecutionMode as u32, entry, ExecutionMode::LocalSize as u32]
                        .into_iter()
                        .chain(size)
                        .collect();
                    has_changed = true;
                }
            }
            _ => {}
        }
    }
    if let Some([x, y, z]) = of_all {
        has_changed |= !entries.is_empty();
        let byte = module.get(end).map_or(0, |one| one.0);
        let mode = |&entry: &u32| {
            (byte, vec![6 << 16 | Op::ExecutionMode as u32, entry, ExecutionMode::LocalSize as u32, x, y, z])
        };
        let added: Vec<PlacedWords> = entries.iter().map(mode).collect();
        module.splice(end..end, added);
    }
    has_changed
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONSTANT: u32 = Op::Constant as u32;

    fn module(mode: &[u32]) -> Vec<PlacedWords> {
        let entry: &[u32] = &[Op::EntryPoint as u32, ExecutionModel::GLCompute as u32, 1, 0];
        let size: &[u32] = &[Op::Decorate as u32, 9, Decoration::BuiltIn as u32, BuiltIn::WorkgroupSize as u32];
        let all = [
            entry,
            mode,
            size,
            &[CONSTANT, 2, 3, 8],
            &[CONSTANT, 2, 4, 1],
            &[Op::ConstantComposite as u32, 5, 9, 3, 4, 4],
        ];
        let with_length = |words: &&[u32]| {
            let head = (words.len() as u32) << 16 | words[0];
            (0, [&[head], &words[1..]].concat())
        };
        all.iter().filter(|words| !words.is_empty()).map(with_length).collect()
    }

    #[test]
    fn a_constant_says_the_size_of_workgroups() {
        let local = [6 << 16 | Op::ExecutionMode as u32, 1, ExecutionMode::LocalSize as u32, 8, 1, 1];
        let other = [Op::ExecutionMode as u32, 1, ExecutionMode::LocalSize as u32, 4, 1, 1];
        let by_ids = [Op::ExecutionModeId as u32, 1, ExecutionMode::LocalSizeId as u32, 3, 4, 4];
        for mode in [other.as_slice(), &by_ids, &[]] {
            let mut module = module(mode);
            assert!(of_one_workgroup_size(&mut module));
            assert_eq!(module[1].1, local);
            assert_eq!(module.len(), 6);
            assert!(!of_one_workgroup_size(&mut module));
        }
    }

    #[test]
    fn sizes_by_ids_are_those_of_constants() {
        let mut module = module(&[Op::ExecutionModeId as u32, 1, ExecutionMode::LocalSizeId as u32, 4, 3, 4]);
        module.retain(|one| opcode(one) != Op::Decorate as u32);
        assert!(of_one_workgroup_size(&mut module));
        assert_eq!(module[1].1[2..], [ExecutionMode::LocalSize as u32, 1, 8, 1]);
    }
}
