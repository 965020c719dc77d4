//! Matrices of SPIR-V whose rows lie one behind the other. naga keeps matrices in columns and turns one in rows where its
//! own access chain is loaded; a store is not turned, nor a load of what is around. Such accesses are refused.

use std::collections::HashSet;

use spirv::Decoration;

use crate::spirv::op;
use crate::spirv::types::{CompositeType, SpirvTypes};
use crate::spirv::words::{PlacedWords, SpirvRefusal, opcode};

/// A refusal of the first access that does not turn a matrix in rows.
pub(crate) fn refuse_rows(module: &[PlacedWords], types: &SpirvTypes) -> Result<(), SpirvRefusal> {
    let mut rows: HashSet<(u32, u32)> = HashSet::new();
    for one in module.iter().filter(|one| opcode(one) == op::MEMBER_DECORATE) {
        if let &[_, ty, member, decoration] = one.1.as_slice()
            && decoration == Decoration::RowMajor as u32
        {
            rows.insert((ty, member));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    // Types that hold such a matrix, and pointers to one or into it.
    let mut holding: HashSet<u32> = rows.iter().map(|(ty, _)| *ty).collect();
    let mut into: HashSet<u32> = HashSet::new();
    let pointee = |pointer: u32| match types.composites.get(&types.of(pointer)?)? {
        CompositeType::Pointer { pointee, .. } => Some(*pointee),
        _ => None,
    };
    for (byte, words) in module {
        let refuse = |what: &str| {
            Err(SpirvRefusal::at(*byte, format!("{what} a matrix whose rows lie one behind the other (RowMajor)")))
        };
        match (words[0] & 0xffff, words.as_slice()) {
            (op::TYPE_STRUCT, &[_, id, ref all @ ..]) if all.iter().any(|member| holding.contains(member)) => {
                holding.insert(id);
            }
            (op::TYPE_ARRAY | op::TYPE_RUNTIME_ARRAY, &[_, id, element, ..]) if holding.contains(&element) => {
                holding.insert(id);
            }
            (op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN, &[_, _, id, base, ref indices @ ..]) => {
                let mut at = pointee(base);
                let mut is_in_rows = into.contains(&base);
                for index in indices {
                    let Some(ty) = at else { break };
                    at = match (types.composites.get(&ty), types.numbers.get(index)) {
                        (Some(CompositeType::Struct(all)), Some(&member)) => {
                            is_in_rows |= rows.contains(&(ty, member));
                            all.get(member as usize).copied()
                        }
                        (Some(&CompositeType::Array { element, .. }), _) => Some(element),
                        _ => None,
                    };
                }
                if is_in_rows {
                    into.insert(id);
                }
            }
            (op::LOAD, &[_, ty, ..]) if holding.contains(&ty) => {
                return refuse("a load of a struct or an array with");
            }
            (op::STORE, &[_, pointer, ..])
                if into.contains(&pointer) || pointee(pointer).is_some_and(|ty| holding.contains(&ty)) =>
            {
                return refuse("a store to");
            }
            (op::FUNCTION_CALL | op::COPY_MEMORY, [_, all @ ..]) if all.iter().any(|id| into.contains(id)) => {
                return refuse("a call with or a copy of");
            }
            _ => {}
        }
    }
    Ok(())
}
