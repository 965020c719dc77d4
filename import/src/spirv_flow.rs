//! Branches of SPIR-V that naga would read otherwise than they are meant, rewritten before naga reads them.
//!
//! naga makes statements of the blocks of a function: a branch to a merge block is a `break`, or the end of an `if`; a
//! branch to another case falls through. It does not ask which construct a branch leaves. Rewritten are therefore
//!
//! - literals of a `switch` that go where its default goes, which naga gives an empty case: they are left out;
//! - a default that falls through, is fallen into, or leaves for a loop's next round, and selectors of 64 bits: the
//!   `switch` is made one over the numbers of its cases, and the default is one of these;
//! - selectors of 16 bits, which are widened;
//! - a `break` of a loop in a `switch`, which in naga's form leaves the `switch`: it sets a flag and leaves the
//!   `switch`, behind which the flag is asked;
//! - a case that falls through from a condition: by way of a block of its own;
//! - blocks that nothing leads to, which naga would take for a part of the function's body: they are left out.
//!
//! Values of `OpPhi` stay with the blocks that they came from: naga stores them at the end of these blocks, whatever
//! way leads on from there. Other branches out of several constructs are refused.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::spirv_words::{MAX_DEPTH, SpirvRefusal, op};

/// An instruction, and the byte in the module that it comes from.
pub(crate) type PlacedWords = (u32, Vec<u32>);

/// Loops, switches, their cases and continuing parts in each other: an `OpSwitch` counts twice, as does a loop.
const MAX_CONSTRUCTS: usize = 2 * MAX_DEPTH + 2;

/// What blocks can be inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConstructKind {
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
struct FlowConstruct {
    kind: ConstructKind,
    /// The label behind it; 0 if it has none of its own.
    merge: u32,
    around: Option<usize>,
    depth: usize,
}

/// A block: its label, what stands before that, and the rest up to its terminator.
struct FlowBlock {
    label: u32,
    instructions: Vec<PlacedWords>,
    /// Those that are inserted before its terminator, and before the merge instruction that may stand there.
    inserted: Vec<Vec<u32>>,
    /// Blocks that are inserted before it, and behind it.
    before: Vec<Vec<u32>>,
    behind: Vec<Vec<u32>>,
    is_dead: bool,
}

impl FlowBlock {
    fn terminator(&self) -> &PlacedWords {
        self.instructions.last().expect("a block has its label at least")
    }

    fn byte(&self) -> u32 {
        self.terminator().0
    }

    /// The place of the merge instruction, which may stand before others.
    fn merge_at(&self) -> Option<usize> {
        let is_merge =
            |one: &PlacedWords| matches!(one.1[0] & 0xffff, op::LOOP_MERGE | op::SELECTION_MERGE) && one.1.len() > 2;
        self.instructions.iter().rposition(is_merge)
    }

    fn merge(&self) -> Option<&[u32]> {
        self.merge_at().map(|at| self.instructions[at].1.as_slice())
    }

    /// The places of labels among the words of its terminator. `literal`: the words of a literal of an `OpSwitch`.
    fn targets(&self, literal: usize) -> Vec<usize> {
        let words = &self.terminator().1;
        match words[0] & 0xffff {
            op::BRANCH if words.len() == 2 => vec![1],
            op::BRANCH_CONDITIONAL if words.len() >= 4 => vec![2, 3],
            op::SWITCH if words.len() >= 3 => {
                std::iter::once(2).chain((3 + literal..words.len()).step_by(literal + 1)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// A module whose branches are put right.
pub(crate) struct SpirvFlow {
    bound: u32,
    /// Width and signedness of types of integers, and the types of values of these types.
    integers: HashMap<u32, (u32, bool)>,
    value_types: HashMap<u32, u32>,
    bool_type: Option<u32>,
    /// Types, pointers and constants by what declares them, without their number.
    declared: HashMap<Vec<u32>, u32>,
    declarations: Vec<Vec<u32>>,
    has_changed: bool,
}

/// The instructions of a module with branches that naga reads right, and the bound of its ids; nothing if they are
/// right as they are.
pub(crate) fn straightened(
    module: &[PlacedWords],
    bound: u32,
) -> Result<Option<(Vec<PlacedWords>, u32)>, SpirvRefusal> {
    let mut flow = SpirvFlow {
        bound,
        integers: HashMap::new(),
        value_types: HashMap::new(),
        bool_type: None,
        declared: HashMap::new(),
        declarations: Vec::new(),
        has_changed: false,
    };
    for (_, words) in module {
        match *words.as_slice() {
            [head, id, width, sign] if head & 0xffff == op::TYPE_INT => {
                flow.integers.insert(id, (width, sign != 0));
            }
            [head, id] if head & 0xffff == op::TYPE_BOOL => flow.bool_type = Some(id),
            [_, ty, id, ..] if flow.integers.contains_key(&ty) => _ = flow.value_types.insert(id, ty),
            _ => {}
        }
    }
    let begin = module.iter().position(|(_, words)| words[0] & 0xffff == op::FUNCTION).unwrap_or(module.len());
    let mut functions = Vec::new();
    for function in module[begin..].chunk_by(|_, (_, next)| next[0] & 0xffff != op::FUNCTION) {
        flow.function(function, &mut functions)?;
    }
    if !flow.has_changed {
        return Ok(None);
    }
    let byte = module.get(begin).map_or(0, |(byte, _)| *byte);
    let mut out = module[..begin].to_vec();
    out.extend(flow.declarations.into_iter().map(|words| (byte, words)));
    out.extend(functions);
    Ok(Some((out, flow.bound)))
}

/// An instruction with its head.
fn words(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let mut out = vec![(operands.len() as u32 + 1) << 16 | opcode];
    out.extend(operands);
    out
}

impl SpirvFlow {
    fn fresh(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// The type that is declared by these words behind its number.
    fn ty(&mut self, opcode: u32, operands: &[u32]) -> u32 {
        if opcode == op::TYPE_BOOL
            && let Some(id) = self.bool_type
        {
            return id;
        }
        let key = words(opcode, operands);
        if let Some(&id) = self.declared.get(&key) {
            return id;
        }
        let id = self.fresh();
        self.declarations.push(words(opcode, &[&[id], operands].concat()));
        self.declared.insert(key, id);
        id
    }

    /// The type of integers, which the module may have already.
    fn int(&mut self, width: u32, is_signed: bool) -> u32 {
        match self.integers.iter().find(|&(_, &known)| known == (width, is_signed)) {
            Some((&id, _)) => id,
            None => {
                let id = self.ty(op::TYPE_INT, &[width, is_signed.into()]);
                self.integers.insert(id, (width, is_signed));
                id
            }
        }
    }

    /// A constant of these words behind its type and number.
    fn constant(&mut self, opcode: u32, ty: u32, literal: &[u32]) -> u32 {
        let key = words(opcode, &[&[ty], literal].concat());
        if let Some(&id) = self.declared.get(&key) {
            return id;
        }
        let id = self.fresh();
        self.declarations.push(words(opcode, &[&[ty, id], literal].concat()));
        self.declared.insert(key, id);
        id
    }

    /// A function, from its head to its end.
    fn function(&mut self, function: &[PlacedWords], out: &mut Vec<PlacedWords>) -> Result<(), SpirvRefusal> {
        let Some((head, mut blocks, tail)) = divided(function) else {
            out.extend_from_slice(function);
            return Ok(());
        };
        let mut map = FlowMap::of(&blocks, self)?;
        for block in &mut blocks {
            block.is_dead = !map.inside.contains_key(&block.label);
            self.has_changed |= block.is_dead;
        }
        self.leave_switches(&mut blocks, &mut map)?;
        self.fall_from_conditions(&mut blocks, &map);
        for block in &mut blocks {
            if !block.is_dead && block.terminator().1[0] & 0xffff == op::SWITCH {
                self.switch(block, &map);
            }
        }
        let dead: HashSet<u32> = blocks.iter().filter(|block| block.is_dead).map(|block| block.label).collect();
        out.extend_from_slice(head);
        for block in blocks.into_iter().filter(|block| !block.is_dead) {
            let byte = block.byte();
            out.extend(block.before.iter().map(|words| (block.instructions[0].0, words.clone())));
            let last = block.instructions.len() - 1;
            let end = block.merge_at().filter(|at| at + 1 == last).unwrap_or(last);
            for (i, (byte, words)) in block.instructions.into_iter().enumerate() {
                if i == end {
                    out.extend(block.inserted.iter().map(|words| (byte, words.clone())));
                }
                out.push((byte, without_dead_values(words, &dead)));
            }
            out.extend(block.behind.into_iter().map(|words| (byte, words)));
        }
        out.extend_from_slice(tail);
        Ok(())
    }

    /// Branches out of switches to the ends of loops around these set flags, which are asked behind the switches.
    fn leave_switches(&mut self, blocks: &mut [FlowBlock], map: &mut FlowMap) -> Result<(), SpirvRefusal> {
        // The flag of each label that is left for, and the switches on the way to it, each with the next label.
        let mut flags: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut ways, mut seen) = (Vec::new(), HashSet::new());
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            let from = map.within(block.label);
            for at in block.targets(map.literal(block, self)) {
                let target = block.terminator().1[at];
                let Some(crossed) = map.crossed(from, target, block.byte())? else { continue };
                let Some(&innermost) = crossed.first() else { continue };
                let flag = match flags.get(&target) {
                    Some(&flag) => flag,
                    None => {
                        let flag = self.fresh();
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
                let boolean = self.ty(op::TYPE_BOOL, &[]);
                let set = words(op::STORE, &[flag, self.constant(op::CONSTANT_TRUE, boolean, &[])]);
                let merge = map.constructs[innermost].merge;
                let last = block.instructions.len() - 1;
                if block.terminator().1[0] & 0xffff == op::BRANCH {
                    block.inserted.push(set);
                    block.instructions[last].1[at] = merge;
                } else {
                    let label = self.fresh();
                    block.behind.extend([words(op::LABEL, &[label]), set, words(op::BRANCH, &[merge])]);
                    block.instructions[last].1[at] = label;
                }
            }
        }
        if flags.is_empty() {
            return Ok(());
        }
        self.has_changed = true;
        let boolean = self.ty(op::TYPE_BOOL, &[]);
        let pointer = self.ty(op::TYPE_POINTER, &[FUNCTION_STORAGE, boolean]);
        let off = self.constant(op::CONSTANT_FALSE, boolean, &[]);
        // Each `switch` gets a new end, at which its flags are asked, the last added first.
        let mut ends: HashMap<usize, Vec<(u32, u32)>> = HashMap::new();
        for &(switch, next, flag) in &ways {
            ends.entry(switch).or_default().push((next, flag));
        }
        let renamed: BTreeMap<usize, (u32, u32)> = {
            let mut switches: Vec<usize> = ends.keys().copied().collect();
            switches.sort_unstable();
            switches.into_iter().map(|switch| (switch, (map.constructs[switch].merge, self.fresh()))).collect()
        };
        let new_ends: HashMap<u32, u32> = renamed.values().copied().collect();
        // Every branch to the old end from inside of the `switch`, those of the flags too.
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            let literal = map.literal(block, self);
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
            if let Some(at) = block.merge_at()
                && block.instructions[at].1[0] & 0xffff == op::SELECTION_MERGE
            {
                let merge = &mut block.instructions[at].1;
                if let Some(&(_, new)) = inside.first().filter(|(old, _)| *old == merge[1]) {
                    merge[1] = new;
                    let own = map.within(block.label).expect("a `switch` is around its own cases");
                    block.inserted.extend(ends[&own].iter().map(|&(_, flag)| words(op::STORE, &[flag, off])));
                }
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
                let (value, rest) = (self.fresh(), self.fresh());
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

    /// A condition that falls through to the next case does so by way of a block of its own.
    fn fall_from_conditions(&mut self, blocks: &mut [FlowBlock], map: &FlowMap) {
        for block in blocks.iter_mut().filter(|block| !block.is_dead) {
            if block.terminator().1[0] & 0xffff != op::BRANCH_CONDITIONAL {
                continue;
            }
            let from = map.within(block.label);
            for at in [2, 3] {
                let last = block.instructions.len() - 1;
                let target = block.terminator().1[at];
                if map.falls_from(from, target).is_some() {
                    let label = self.fresh();
                    block.behind.extend([words(op::LABEL, &[label]), words(op::BRANCH, &[target])]);
                    block.instructions[last].1[at] = label;
                    self.has_changed = true;
                }
            }
        }
    }

    /// An `OpSwitch` in the form that naga reads right.
    fn switch(&mut self, block: &mut FlowBlock, map: &FlowMap) {
        let literal = map.literal(block, self);
        let old = block.terminator().1.clone();
        let (Some(&ty), Some(own)) = (self.value_types.get(&old[1]), map.within(block.label)) else { return };
        let (width, is_signed) = self.integers[&ty];
        let default = old[2];
        let mut cases: Vec<(&[u32], u32)> =
            old[3..].chunks_exact(literal + 1).map(|pair| (&pair[..literal], pair[literal])).collect();
        let all_cases = cases.len();
        cases.retain(|&(_, target)| target != default);
        let mut known: HashSet<u32> = HashSet::new();
        let mut order: Vec<u32> = cases.iter().map(|case| case.1).filter(|&target| known.insert(target)).collect();
        let merge = map.constructs[own].merge;
        let falls: HashMap<u32, u32> = map.falls.get(&own).into_iter().flatten().copied().collect();
        let next = |label: u32| falls.get(&label).copied();
        let is_in_order =
            order.iter().enumerate().all(|(i, &label)| next(label).is_none_or(|next| order.get(i + 1) == Some(&next)));
        let is_plain_default = next(default).is_none() && !map.leaves(own, default);
        let (selector, ty) = if width == 16 || width == 8 {
            let wide = self.int(32, is_signed);
            let id = self.fresh();
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
                self.has_changed = true;
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
        let (number, boolean) = (self.int(32, false), self.ty(op::TYPE_BOOL, &[]));
        let mut value = self.constant(op::CONSTANT, number, &[number_of(default)]);
        for (literal, target) in &cases {
            let (compared, chosen) = (self.constant(op::CONSTANT, ty, literal), number_of(*target));
            let chosen = self.constant(op::CONSTANT, number, &[chosen]);
            let (is_it, result) = (self.fresh(), self.fresh());
            block.inserted.push(words(op::I_EQUAL, &[boolean, is_it, selector, compared]));
            block.inserted.push(words(op::SELECT, &[number, result, is_it, chosen, value]));
            value = result;
        }
        let pairs = sorted.iter().enumerate().flat_map(|(i, &label)| [i as u32, label]);
        let operands: Vec<u32> = [value, merge].into_iter().chain(pairs).collect();
        block.instructions[last].1 = words(op::SWITCH, &operands);
        self.has_changed = true;
    }
}

/// The storage class `Function`.
const FUNCTION_STORAGE: u32 = spirv::StorageClass::Function as u32;

/// An `OpPhi` without the values of blocks that are left out; any other instruction as it is.
fn without_dead_values(words: Vec<u32>, dead: &HashSet<u32>) -> Vec<u32> {
    if words[0] & 0xffff != op::PHI || dead.is_empty() || words.len() < 3 {
        return words;
    }
    let living = words[3..].chunks_exact(2).filter(|pair| !dead.contains(&pair[1])).flatten();
    let operands: Vec<u32> = words[1..3].iter().chain(living).copied().collect();
    self::words(op::PHI, &operands)
}

/// The instructions before a function's first block, its blocks, and those behind the last.
type DividedFunction<'w> = (&'w [PlacedWords], Vec<FlowBlock>, &'w [PlacedWords]);

/// Nothing if it has no blocks or a block is not whole: naga says what is wrong with it.
fn divided(function: &[PlacedWords]) -> Option<DividedFunction<'_>> {
    let opcode = |(_, words): &PlacedWords| words[0] & 0xffff;
    let is_label = |one: &PlacedWords| opcode(one) == op::LABEL && one.1.len() == 2;
    let first = function.iter().position(is_label)?;
    let last = function.iter().rposition(|one| is_end(opcode(one)))? + 1;
    let mut blocks = Vec::new();
    for part in function.get(first..last)?.split_inclusive(|one| is_end(opcode(one))) {
        let mut labels = part.iter().filter(|one| is_label(one));
        let (Some((_, label)), None) = (labels.next(), labels.next()) else { return None };
        blocks.push(FlowBlock {
            label: label[1],
            instructions: part.to_vec(),
            inserted: Vec::new(),
            before: Vec::new(),
            behind: Vec::new(),
            is_dead: false,
        });
    }
    Some((&function[..first], blocks, &function[last..]))
}

/// Does an instruction end a block?
fn is_end(opcode: u32) -> bool {
    use spirv::Op;
    const OTHERS: [u32; 5] = [
        Op::Kill as u32,
        Op::Return as u32,
        Op::ReturnValue as u32,
        Op::Unreachable as u32,
        Op::TerminateInvocation as u32,
    ];
    matches!(opcode, op::BRANCH | op::BRANCH_CONDITIONAL | op::SWITCH) || OTHERS.contains(&opcode)
}

/// Which constructs the blocks of a function are in.
#[derive(Default)]
struct FlowMap {
    constructs: Vec<FlowConstruct>,
    /// The construct around each block that can be reached, as if it had none of its own.
    inside: HashMap<u32, Option<usize>>,
    /// The constructs that begin in a block.
    begun: HashMap<u32, usize>,
    /// Of each `switch` the cases that fall through, with the labels that they fall to.
    falls: HashMap<usize, HashSet<(u32, u32)>>,
}

impl FlowMap {
    /// Follows the branches in the order of the blocks, in which dominators come first.
    fn of(blocks: &[FlowBlock], flow: &SpirvFlow) -> Result<FlowMap, SpirvRefusal> {
        let mut map = FlowMap::default();
        map.inside.insert(blocks[0].label, None);
        let mut passed = HashSet::new();
        for block in blocks {
            let Some(&around) = map.inside.get(&block.label) else {
                passed.insert(block.label);
                continue;
            };
            let byte = block.byte();
            let is_switch = block.terminator().1[0] & 0xffff == op::SWITCH;
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
            for at in block.targets(map.literal(block, flow)) {
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

    fn add(
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
    fn within(&self, label: u32) -> Option<usize> {
        self.begun.get(&label).copied().or_else(|| self.inside.get(&label).copied().flatten())
    }

    /// The words of a literal of the `OpSwitch` that ends a block.
    fn literal(&self, block: &FlowBlock, flow: &SpirvFlow) -> usize {
        let selector = block.terminator().1.get(1);
        let ty = selector.and_then(|selector| flow.value_types.get(selector));
        let is_wide = ty.and_then(|ty| flow.integers.get(ty)).is_some_and(|&(width, _)| width > 32);
        1 + usize::from(is_wide)
    }

    /// If a branch falls through: the `switch`, and the case that it comes from.
    fn falls_from(&self, within: Option<usize>, target: u32) -> Option<(usize, u32)> {
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
    fn leaves(&self, switch: usize, target: u32) -> bool {
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
    fn crossed(&self, within: Option<usize>, target: u32, byte: u32) -> Result<Option<Vec<usize>>, SpirvRefusal> {
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
    fn permit(&self, within: Option<usize>, target: u32, byte: u32) -> Result<(), SpirvRefusal> {
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
