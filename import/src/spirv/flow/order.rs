//! The order of the blocks of a function. SPIR-V asks only that a block stands behind those that dominate it; naga,
//! and the passes here, read a construct as one piece: its header, what is inside of it, the part for a loop's next
//! round, and its end.

use std::collections::{HashMap, HashSet};

use crate::spirv::flow::block::FlowBlock;
use crate::spirv::op;

/// Puts the blocks in order. Those that nothing leads to or names come last.
///
/// The order is the reverse of that in which a walk leaves the blocks. From a header it goes to the end of the
/// construct first, then to the part for the next round, and then to the others, the last one first: so blocks that
/// are in order stay where they are. `literal` gives the words of a literal of the `OpSwitch` that ends a block.
pub(super) fn in_order(blocks: Vec<FlowBlock>, literal: impl Fn(&FlowBlock) -> usize) -> Vec<FlowBlock> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    for (i, block) in blocks.iter().enumerate() {
        places.entry(block.label).or_insert(i);
    }
    let next_of = |block: &FlowBlock| -> Vec<usize> {
        let (merge, round) = match block.merge() {
            Some(&[head, merge, round, ..]) if head & 0xffff == op::LOOP_MERGE => (Some(merge), Some(round)),
            Some(&[_, merge, ..]) => (Some(merge), None),
            _ => (None, None),
        };
        let place = |label: u32| places.get(&label).copied();
        let targets = block.targets(literal(block)).into_iter().filter_map(|at| place(block.terminator().1[at]));
        let mut targets: Vec<usize> = targets.collect();
        targets.sort_unstable();
        // The last is visited first.
        targets.extend(round.and_then(place));
        targets.extend(merge.and_then(place));
        targets
    };
    let mut seen: HashSet<usize> = HashSet::from([0]);
    let mut left: Vec<usize> = Vec::with_capacity(blocks.len());
    let mut way = vec![(0, next_of(&blocks[0]))];
    while let Some((block, next)) = way.last_mut() {
        match next.pop() {
            Some(next) if seen.insert(next) => way.push((next, next_of(&blocks[next]))),
            Some(_) => {}
            None => {
                left.push(*block);
                way.pop();
            }
        }
    }
    let mut ranks = vec![usize::MAX; blocks.len()];
    for (rank, &block) in left.iter().rev().enumerate() {
        ranks[block] = rank;
    }
    let mut ranked: Vec<(usize, FlowBlock)> = ranks.into_iter().zip(blocks).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, block)| block).collect()
}
