//! The built-in masks of subgroups, which naga does not have: they are computed where they are read.

use std::collections::HashMap;

use spirv::{BuiltIn, Decoration, StorageClass};

use crate::spirv::op;
use crate::spirv::types::{PlainType, SpirvTypes};
use crate::spirv::words::{PlacedWords, words};

/// Takes the variables of masks out of a module, and writes what is loaded of them out.
pub(crate) fn compute_masks(module: &mut Vec<PlacedWords>, types: &mut SpirvTypes) {
    const MASKS: [BuiltIn; 5] = [
        BuiltIn::SubgroupEqMask,
        BuiltIn::SubgroupGeMask,
        BuiltIn::SubgroupGtMask,
        BuiltIn::SubgroupLeMask,
        BuiltIn::SubgroupLtMask,
    ];
    let mut variables: HashMap<u32, BuiltIn> = HashMap::new();
    for (_, one) in module.iter() {
        if let &[head, variable, BUILT_IN, number] = one.as_slice()
            && head & 0xffff == op::DECORATE
            && let Some(mask) = MASKS.iter().find(|mask| **mask as u32 == number)
        {
            variables.insert(variable, *mask);
        }
    }
    if variables.is_empty() {
        return;
    }
    let lane = lane_variable(module, types, &mut variables);
    // Pointers to components: the mask, and the index.
    let mut components: HashMap<u32, (BuiltIn, u32)> = HashMap::new();
    let before = std::mem::take(module);
    for (byte, mut one) in before {
        let mut add = |opcode: u32, operands: &[u32]| module.push((byte, words(opcode, operands)));
        match (one[0] & 0xffff, one.as_slice()) {
            (op::DECORATE | op::NAME, [_, target, ..]) if variables.contains_key(target) && *target != lane => {}
            (op::NAME, &[_, target, ..]) if target == lane => {}
            (op::DECORATE, &[_, target, decoration, _]) if target == lane && decoration == BUILT_IN => {
                add(op::DECORATE, &[lane, BUILT_IN, BuiltIn::SubgroupLocalInvocationId as u32]);
            }
            (op::VARIABLE, [_, _, id, ..]) if variables.contains_key(id) => {}
            (op::ENTRY_POINT, [_, _, _, rest @ ..]) => {
                // Behind the name, which ends with a byte of zero, stand the variables.
                let name = rest.iter().position(|word| word.to_le_bytes().contains(&0)).map_or(rest.len(), |at| at + 1);
                let variables_of = one.split_off(one.len().min(3 + name));
                let (masks, mut others): (Vec<u32>, Vec<u32>) =
                    variables_of.into_iter().partition(|variable| variables.contains_key(variable));
                if !masks.is_empty() && !others.contains(&lane) {
                    others.push(lane);
                }
                one.extend(others);
                one[0] = (one.len() as u32) << 16 | op::ENTRY_POINT;
                module.push((byte, one));
            }
            (op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN, &[_, _, id, base, index])
                if let Some(&mask) = variables.get(&base) =>
            {
                components.insert(id, (mask, index));
            }
            (op::LOAD, &[_, ty, id, pointer, ..]) if let Some(&mask) = variables.get(&pointer) => {
                let vector = types.with_component(ty, PlainType::Int { width: 32, is_signed: false });
                let all = if vector == ty { id } else { types.fresh() };
                mask_vector(types, mask, lane, all, &mut add);
                if all != id {
                    add(op::BITCAST, &[ty, id, all]);
                }
            }
            (op::LOAD, &[_, ty, id, pointer, ..]) if let Some(&(mask, index)) = components.get(&pointer) => {
                let number = types.int(32, false);
                let [all, part] = [types.fresh(), types.fresh()];
                mask_vector(types, mask, lane, all, &mut add);
                add(op::VECTOR_EXTRACT_DYNAMIC, &[number, part, all, index]);
                add(if ty == number { op::COPY_OBJECT } else { op::BITCAST }, &[ty, id, part]);
            }
            _ => module.push((byte, one)),
        }
    }
}

const BUILT_IN: u32 = Decoration::BuiltIn as u32;

/// The variable of a thread's number in its subgroup: the module's own, or the first mask becomes it.
fn lane_variable(module: &[PlacedWords], types: &mut SpirvTypes, masks: &mut HashMap<u32, BuiltIn>) -> u32 {
    let own = module.iter().find_map(|(_, one)| match *one.as_slice() {
        [head, variable, BUILT_IN, number] if head & 0xffff == op::DECORATE => {
            (number == BuiltIn::SubgroupLocalInvocationId as u32).then_some(variable)
        }
        _ => None,
    });
    if let Some(own) = own {
        return own;
    }
    let first = masks.keys().copied().min().unwrap_or_default();
    let (class, number) = (StorageClass::Input as u32, types.int(32, false));
    let pointer = types.pointer(class, number);
    types.added.push(words(op::VARIABLE, &[pointer, first, class]));
    first
}

/// A mask as a vector of four words, of which the first has all 32 threads of a subgroup.
fn mask_vector(types: &mut SpirvTypes, mask: BuiltIn, lane: u32, id: u32, add: &mut dyn FnMut(u32, &[u32])) {
    let number = types.int(32, false);
    let vector = types.type_id(PlainType::Vector { component: number, count: 4 });
    let [zero, one] = [0, 1].map(|value| types.number(value));
    let mut made = |opcode: u32, operands: &[u32]| {
        let id = types.fresh();
        types.values.insert(id, number);
        add(opcode, &[&[number, id], operands].concat());
        id
    };
    let lane = made(op::LOAD, &[lane]);
    let own = made(op::SHIFT_LEFT_LOGICAL, &[one, lane]);
    let below = made(op::I_SUB, &[own, one]);
    let up_to = made(op::BITWISE_OR, &[below, own]);
    let word = match mask {
        BuiltIn::SubgroupLtMask => below,
        BuiltIn::SubgroupLeMask => up_to,
        BuiltIn::SubgroupGtMask => made(op::NOT, &[up_to]),
        BuiltIn::SubgroupGeMask => made(op::NOT, &[below]),
        _ => own,
    };
    types.values.insert(id, vector);
    add(op::COMPOSITE_CONSTRUCT, &[vector, id, word, zero, zero, zero]);
}
