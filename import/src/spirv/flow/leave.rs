//! Branches out of a `switch` to the end of a loop around it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::spirv::flow::SpirvFlow;
use crate::spirv::flow::block::FlowBlock;
use crate::spirv::flow::map::{FlowMap, literal_words};
use crate::spirv::op;
use crate::spirv::types::PlainType;
use crate::spirv::words::{SpirvRefusal, opcode, words};

/// The storage class `Function`.
const FUNCTION_STORAGE: u32 = spirv::StorageClass::Function as u32;

impl SpirvFlow<'_> {
    /// Branches out of switches to the ends of loops around these set flags, which are asked behind the switches.
    pub(super) fn leave_switches(&mut self, blocks: &mut [FlowBlock], map: &mut FlowMap) -> Result<(), SpirvRefusal> {
        // The flag of each label that is left for, and the switches on the way to it, each with the next label.
        let mut flags: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut ways, mut seen) = (Vec::new(), HashSet::new());
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            let from = map.within(block.label);
            for at in block.targets(literal_words(block, self.types)) {
                let target = block.terminator().1[at];
                let Some(crossed) = map.crossed(from, target, block.byte())? else { continue };
                let Some(&innermost) = crossed.first() else { continue };
                let flag = match flags.get(&target) {
                    Some(&flag) => flag,
                    None => {
                        let flag = self.types.fresh();
                        flags.insert(target, flag);
                        flag
                    }
                };
                for (i, &switch) in crossed.iter().enumerate() {
                    let next = crossed.get(i + 1).map_or(target, |&outer| map.constructs[outer].merge);
                    if seen.insert((switch, next, flag)) {
                        ways.push((switch, next, flag));
                    }
                }
                let boolean = self.types.type_id(PlainType::Bool);
                let set = words(op::STORE, &[flag, self.types.constant(op::CONSTANT_TRUE, boolean, &[])]);
                let merge = map.constructs[innermost].merge;
                let last = block.instructions.len() - 1;
                if opcode(block.terminator()) == op::BRANCH {
                    block.inserted.push(set);
                    block.instructions[last].1[at] = merge;
                } else {
                    let label = self.types.fresh();
                    block.behind.extend([words(op::LABEL, &[label]), set, words(op::BRANCH, &[merge])]);
                    block.instructions[last].1[at] = label;
                }
            }
        }
        if flags.is_empty() {
            return Ok(());
        }
        let boolean = self.types.type_id(PlainType::Bool);
        let pointer = self.types.pointer(FUNCTION_STORAGE, boolean);
        let off = self.types.constant(op::CONSTANT_FALSE, boolean, &[]);
        // Each `switch` gets a new end, at which its flags are asked, the last added first.
        let mut ends: HashMap<usize, Vec<(u32, u32)>> = HashMap::new();
        for &(switch, next, flag) in &ways {
            ends.entry(switch).or_default().push((next, flag));
        }
        let renamed: BTreeMap<usize, (u32, u32)> = {
            let mut switches: Vec<usize> = ends.keys().copied().collect();
            switches.sort_unstable();
            switches.into_iter().map(|switch| (switch, (map.constructs[switch].merge, self.types.fresh()))).collect()
        };
        let new_ends: HashMap<u32, u32> = renamed.values().copied().collect();
        // Every branch to the old end from inside of the `switch`, those of the flags too.
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            let literal = literal_words(block, self.types);
            let last = block.instructions.len() - 1;
            let mut from = map.within(block.label);
            let mut inside = Vec::new();
            while let Some(construct) = from {
                if let Some(&(old, new)) = renamed.get(&construct) {
                    inside.push((old, new));
                }
                from = map.constructs[construct].around;
            }
            let of_inside = |label: u32| inside.iter().find(|(old, _)| *old == label).map_or(label, |(_, new)| *new);
            for at in block.targets(literal) {
                let target = block.instructions[last].1[at];
                block.instructions[last].1[at] = of_inside(target);
            }
            for words in &mut block.behind {
                if words[0] & 0xffff == op::BRANCH {
                    words[1] = of_inside(words[1]);
                }
            }
            // The construct of its own, if it is one of those: in a broken file another may have the same end.
            if let Some(at) = block.merge_at()
                && block.instructions[at].1[0] & 0xffff == op::SELECTION_MERGE
                && let Some(own) = map.within(block.label)
                && let Some(&(old, new)) = renamed.get(&own)
                && block.instructions[at].1[1] == old
            {
                block.instructions[at].1[1] = new;
                block.inserted.extend(ends[&own].iter().map(|&(_, flag)| words(op::STORE, &[flag, off])));
            }
        }
        let places: HashMap<u32, usize> = blocks.iter().enumerate().map(|(i, block)| (block.label, i)).collect();
        let begun = |(i, block): (usize, &FlowBlock)| Some((map.begun.get(&block.label).copied()?, i));
        let headers: HashMap<usize, usize> = blocks.iter().enumerate().filter_map(begun).collect();
        for (switch, (old, new)) in &renamed {
            let mut asked = vec![words(op::LABEL, &[*new])];
            for &(next, flag) in &ends[switch] {
                // The next end may be one of a `switch` that has got a new one.
                let next = new_ends.get(&next).copied().unwrap_or(next);
                let (value, rest) = (self.types.fresh(), self.types.fresh());
                asked.push(words(op::LOAD, &[boolean, value, flag]));
                asked.push(words(op::SELECTION_MERGE, &[rest, 0]));
                asked.push(words(op::BRANCH_CONDITIONAL, &[value, next, rest]));
                asked.push(words(op::LABEL, &[rest]));
            }
            asked.push(words(op::BRANCH, &[*old]));
            // naga reads the new end where it stands, and that is behind the `switch`.
            let header = headers[switch];
            match places.get(old) {
                Some(&at) if at > header => blocks[at].before.extend(asked),
                _ => {
                    let what = "a `switch` whose end stands before it".to_owned();
                    return Err(SpirvRefusal::at(blocks[header].byte(), what));
                }
            }
        }
        let variables = flags.values().map(|&flag| words(op::VARIABLE, &[pointer, flag, FUNCTION_STORAGE]));
        let byte = blocks[0].instructions[0].0;
        let behind_label = blocks[0].instructions.iter().position(|(_, words)| words[0] & 0xffff == op::LABEL);
        let at = behind_label.map_or(0, |at| at + 1);
        blocks[0].instructions.splice(at..at, variables.map(|words| (byte, words)));
        Ok(())
    }
}
