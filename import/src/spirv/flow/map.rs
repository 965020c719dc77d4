//! Which constructs the blocks of a function of SPIR-V are in, and which of them a branch leaves.

use std::collections::{HashMap, HashSet};

use crate::spirv::MAX_DEPTH;
use crate::spirv::flow::block::FlowBlock;
use crate::spirv::op;
use crate::spirv::types::SpirvTypes;
use crate::spirv::words::{SpirvRefusal, opcode};

/// Loops, switches, their cases and continuing parts in each other: an `OpSwitch` counts twice, as does a loop.
const MAX_CONSTRUCTS: usize = 2 * MAX_DEPTH + 2;

/// What blocks can be inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConstructKind {
    Selection,
    Switch,
    /// A case of the `switch` around, with the label it begins with.
    Case(u32),
    Loop {
        header: u32,
        continuing: u32,
    },
    Continuing,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FlowConstruct {
    pub(super) kind: ConstructKind,
    /// The label behind it; 0 if it has none of its own.
    pub(super) merge: u32,
    pub(super) around: Option<usize>,
    pub(super) depth: usize,
}

/// Which constructs the blocks of a function are in.
#[derive(Default)]
pub(super) struct FlowMap {
    pub(super) constructs: Vec<FlowConstruct>,
    /// The construct around each block that can be reached, as if it had none of its own.
    pub(super) inside: HashMap<u32, Option<usize>>,
    /// The constructs that begin in a block.
    pub(super) begun: HashMap<u32, usize>,
    /// Of each `switch` the cases that fall through, with the labels that they fall to.
    pub(super) falls: HashMap<usize, HashSet<(u32, u32)>>,
}

impl FlowMap {
    /// Follows the branches in the order of the blocks, in which dominators come first.
    pub(super) fn of(blocks: &[FlowBlock], types: &SpirvTypes) -> Result<FlowMap, SpirvRefusal> {
        let mut map = FlowMap::default();
        map.inside.insert(blocks[0].label, None);
        let mut passed = HashSet::new();
        for block in blocks {
            let Some(&around) = map.inside.get(&block.label) else {
                passed.insert(block.label);
                continue;
            };
            let byte = block.byte();
            let is_switch = opcode(block.terminator()) == op::SWITCH;
            let mut within = around;
            match block.merge() {
                Some(&[head, merge, continuing, ..]) if head & 0xffff == op::LOOP_MERGE => {
                    let kind = ConstructKind::Loop { header: block.label, continuing };
                    let own = map.add(kind, merge, around, byte)?;
                    within = Some(own);
                    map.inside.entry(merge).or_insert(around);
                    let part = map.add(ConstructKind::Continuing, 0, within, byte)?;
                    map.inside.entry(continuing).or_insert(Some(part));
                }
                Some(&[_, merge, ..]) => {
                    let kind = if is_switch { ConstructKind::Switch } else { ConstructKind::Selection };
                    within = Some(map.add(kind, merge, around, byte)?);
                    map.inside.entry(merge).or_insert(around);
                }
                _ => {}
            }
            if let Some(own) = within.filter(|_| within != around) {
                map.begun.insert(block.label, own);
            }
            let mut targets = HashSet::new();
            for at in block.targets(literal_words(block, types)) {
                let target = block.terminator().1[at];
                if !targets.insert(target) {
                    continue;
                }
                if let Some((switch, label)) = map.falls_from(within, target) {
                    map.falls.entry(switch).or_default().insert((label, target));
                    continue;
                }
                if passed.contains(&target) {
                    let what = "a block that stands before all blocks that lead to it".to_owned();
                    return Err(SpirvRefusal::at(byte, what));
                }
                if map.inside.contains_key(&target) {
                    map.permit(within, target, byte)?;
                    continue;
                }
                let of_target = match is_switch {
                    true => Some(map.add(ConstructKind::Case(target), 0, within, byte)?),
                    false => within,
                };
                map.inside.insert(target, of_target);
            }
        }
        Ok(map)
    }

    pub(super) fn add(
        &mut self,
        kind: ConstructKind,
        merge: u32,
        around: Option<usize>,
        byte: u32,
    ) -> Result<usize, SpirvRefusal> {
        let depth = around.map_or(0, |around| self.constructs[around].depth) + 1;
        if depth > MAX_CONSTRUCTS {
            return Err(SpirvRefusal::at(byte, format!("constructs nested more than {MAX_DEPTH} deep")));
        }
        self.constructs.push(FlowConstruct { kind, merge, around, depth });
        Ok(self.constructs.len() - 1)
    }

    /// The innermost construct that the terminator of a block is in.
    pub(super) fn within(&self, label: u32) -> Option<usize> {
        self.begun.get(&label).copied().or_else(|| self.inside.get(&label).copied().flatten())
    }

    /// If a branch falls through: the `switch`, and the case that it comes from.
    pub(super) fn falls_from(&self, within: Option<usize>, target: u32) -> Option<(usize, u32)> {
        let case = within?;
        let FlowConstruct { kind: ConstructKind::Case(label), around: Some(switch), .. } = self.constructs[case] else {
            return None;
        };
        let of_target = self.inside.get(&target).copied().flatten()?;
        let other = self.constructs[of_target];
        (other.kind == ConstructKind::Case(target) && other.around == Some(switch) && label != target)
            .then_some((switch, label))
    }

    /// Does the default of a `switch` go to the next round or the end of something around?
    pub(super) fn leaves(&self, switch: usize, target: u32) -> bool {
        let mut at = self.constructs[switch].around;
        while let Some(construct) = at {
            let FlowConstruct { kind, merge, around, .. } = self.constructs[construct];
            if merge == target || matches!(kind, ConstructKind::Loop { continuing, .. } if continuing == target) {
                return true;
            }
            at = around;
        }
        false
    }

    /// The switches that a branch leaves besides the construct that ends at its target, the innermost first; nothing if
    /// it is no such branch. A branch that leaves something else is refused.
    pub(super) fn crossed(
        &self,
        within: Option<usize>,
        target: u32,
        byte: u32,
    ) -> Result<Option<Vec<usize>>, SpirvRefusal> {
        let mut crossed = Vec::new();
        let (mut is_in_loop, mut is_in_selection) = (false, false);
        let mut at = within;
        while let Some(construct) = at {
            let FlowConstruct { kind, merge, around, .. } = self.constructs[construct];
            if merge == target && merge != 0 {
                let leaves_too_much = match kind {
                    ConstructKind::Selection => is_in_selection || is_in_loop || !crossed.is_empty(),
                    _ => is_in_loop,
                };
                if leaves_too_much {
                    return Err(SpirvRefusal::at(byte, MANY.to_owned()));
                }
                return Ok(Some(crossed));
            }
            match kind {
                ConstructKind::Loop { header, continuing } => {
                    if continuing == target || header == target {
                        if is_in_loop {
                            return Err(SpirvRefusal::at(byte, MANY.to_owned()));
                        }
                        return Ok(None);
                    }
                    is_in_loop = true;
                }
                ConstructKind::Switch => crossed.push(construct),
                ConstructKind::Selection => is_in_selection = true,
                ConstructKind::Case(_) | ConstructKind::Continuing => {}
            }
            at = around;
        }
        Ok(None)
    }

    /// Whether a branch to a block that another branch leads to is one of those that naga knows.
    pub(super) fn permit(&self, within: Option<usize>, target: u32, byte: u32) -> Result<(), SpirvRefusal> {
        if self.crossed(within, target, byte)?.is_some() {
            return Ok(());
        }
        let mut at = within;
        while let Some(construct) = at {
            let FlowConstruct { kind, around, .. } = self.constructs[construct];
            match kind {
                ConstructKind::Loop { header, continuing } if header == target || continuing == target => return Ok(()),
                _ => at = around,
            }
        }
        let what = "a branch into another construct, or to a block that several lead to and no merge instruction names";
        Err(SpirvRefusal::at(byte, what.to_owned()))
    }
}

const MANY: &str = "a branch that leaves several constructs at once, and is no `break` of a loop in a `switch`";

/// The words of a literal of the `OpSwitch` that ends a block.
pub(super) fn literal_words(block: &FlowBlock, types: &SpirvTypes) -> usize {
    let ty = block.terminator().1.get(1).and_then(|&selector| types.of(selector));
    let is_wide = ty.and_then(|ty| types.integer(ty)).is_some_and(|(width, _)| width > 32);
    1 + usize::from(is_wide)
}
