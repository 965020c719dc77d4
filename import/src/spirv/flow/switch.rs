//! `OpSwitch` in a form that naga reads rightly, and cases that fall through.

use std::collections::{HashMap, HashSet};

use crate::spirv::flow::SpirvFlow;
use crate::spirv::flow::block::FlowBlock;
use crate::spirv::flow::map::{FlowMap, literal_words};
use crate::spirv::op;
use crate::spirv::types::PlainType;
use crate::spirv::words::{opcode, words};

impl SpirvFlow<'_> {
    /// A condition that falls through to the next case does so by way of a block of its own.
    pub(super) fn fall_from_conditions(&mut self, blocks: &mut [FlowBlock], map: &FlowMap) {
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            if opcode(block.terminator()) != op::BRANCH_CONDITIONAL {
                continue;
            }
            let from = map.within(block.label);
            for at in [2, 3] {
                let last = block.instructions.len() - 1;
                let target = block.terminator().1[at];
                if map.falls_from(from, target).is_some() {
                    let label = self.types.fresh();
                    block.behind.extend([words(op::LABEL, &[label]), words(op::BRANCH, &[target])]);
                    block.instructions[last].1[at] = label;
                }
            }
        }
    }

    /// An `OpSwitch` in the form that naga reads right.
    pub(super) fn switch(&mut self, block: &mut FlowBlock, map: &FlowMap) {
        let literal = literal_words(block, self.types);
        let old = block.terminator().1.clone();
        let (Some(ty), Some(own)) = (self.types.of(old[1]), map.within(block.label)) else { return };
        let Some(&PlainType::Int { width, is_signed }) = self.types.plain.get(&ty) else { return };
        let default = old[2];
        let mut cases: Vec<(&[u32], u32)> =
            old[3..].chunks_exact(literal + 1).map(|pair| (&pair[..literal], pair[literal])).collect();
        let all_cases = cases.len();
        cases.retain(|&(_, target)| target != default);
        let mut known: HashSet<u32> = HashSet::new();
        let mut order: Vec<u32> = cases.iter().map(|case| case.1).filter(|&target| known.insert(target)).collect();
        // Its end now: a `switch` that flags are asked behind has got a new one, which its branches go to.
        let Some(merge) = block.merge().map(|words| words[1]) else { return };
        let falls: HashMap<u32, u32> = map.falls.get(&own).into_iter().flatten().copied().collect();
        let next = |label: u32| falls.get(&label).copied();
        let is_in_order =
            order.iter().enumerate().all(|(i, &label)| next(label).is_none_or(|next| order.get(i + 1) == Some(&next)));
        let is_plain_default = next(default).is_none() && !map.leaves(own, default);
        let (selector, ty) = if width == 16 || width == 8 {
            let wide = self.types.int(32, is_signed);
            let id = self.types.fresh();
            let opcode = if is_signed { op::S_CONVERT } else { op::U_CONVERT };
            block.inserted.push(words(opcode, &[wide, id, old[1]]));
            (id, wide)
        } else {
            (old[1], ty)
        };
        let last = block.instructions.len() - 1;
        if is_in_order && is_plain_default && width <= 32 {
            if all_cases != cases.len() || selector != old[1] {
                let pairs = cases.iter().flat_map(|(literal, target)| [literal[0], *target]);
                let operands: Vec<u32> = [selector, default].into_iter().chain(pairs).collect();
                block.instructions[last].1 = words(op::SWITCH, &operands);
            }
            return;
        }
        // Over the numbers of the cases, in an order in which each stands before the one it falls into.
        if default != merge {
            order.push(default);
        }
        let entered: HashSet<u32> = order.iter().filter_map(|&label| next(label)).collect();
        let (mut sorted, mut numbers): (Vec<u32>, HashMap<u32, u32>) = (Vec::new(), HashMap::new());
        known.insert(default);
        for &first in order.iter().filter(|label| !entered.contains(label)) {
            let mut at = Some(first);
            while let Some(label) = at.filter(|label| known.contains(label) && !numbers.contains_key(label)) {
                numbers.insert(label, sorted.len() as u32);
                sorted.push(label);
                at = next(label);
            }
        }
        let number_of = |label: u32| numbers.get(&label).copied().unwrap_or(sorted.len() as u32);
        let (number, boolean) = (self.types.int(32, false), self.types.type_id(PlainType::Bool));
        let mut value = self.types.constant(op::CONSTANT, number, &[number_of(default)]);
        for (literal, target) in &cases {
            let (compared, chosen) = (self.types.constant(op::CONSTANT, ty, literal), number_of(*target));
            let chosen = self.types.constant(op::CONSTANT, number, &[chosen]);
            let (is_it, result) = (self.types.fresh(), self.types.fresh());
            block.inserted.push(words(op::I_EQUAL, &[boolean, is_it, selector, compared]));
            block.inserted.push(words(op::SELECT, &[number, result, is_it, chosen, value]));
            value = result;
        }
        let pairs = sorted.iter().enumerate().flat_map(|(i, &label)| [i as u32, label]);
        let operands: Vec<u32> = [value, merge].into_iter().chain(pairs).collect();
        block.instructions[last].1 = words(op::SWITCH, &operands);
    }
}
