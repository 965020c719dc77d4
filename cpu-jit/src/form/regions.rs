//! Regions: a kernel with barriers cut into stretches that each thread runs through without waiting, and what threads keep from one to the next.
//!
//! A construct that holds a barrier is **lifted** ([`Regions::lifted`]): all threads of the tile go through it together, so it is control of the tile. *Tile
//! level* are the kernel's body and, inside, the blocks of lifted constructs. At tile level the instructions are barriers, lifted constructs, and
//! between them runs without either: the **regions**, numbered in text order. [`Regions::body`] is that tree, its blocks in the order of
//! `InstKind::each_block`. The instructions of a region are a row in one block, and with all inside them a range of numbers. A kernel without barriers
//! is one region.
//!
//! **Whatever the tile asks, a region answers**, at its end ([`End`]): the condition of a lifted `if`, the selector of a lifted `switch`, the value of a `while`'s
//! condition block, that of `break if`. So before a lifted `if` or `switch` and at the end of such a block there always is a region, if need be an empty
//! one. There all threads of the tile vote, unless facts say that they agree. Likewise what an arm of a lifted construct with a result gives
//! is given by a region at its end.
//!
//! A region may jump: to the end or the continuing part of a lifted construct around it ([`Region::jumps`]), or out of the kernel
//! ([`Region::returns`]). A `break`, `continue` or `return` at tile level is the last instruction of its region.
//!
//! # What crosses
//! **Values**. A value that a region uses and another one made is either *crossing*: the region that makes it stores it, the one that uses it loads
//! it ([`Region::values_in`], [`Region::values_out`]); or it is in [`Regions::recompute`]: the region that uses it runs its instruction again, whose operands obey
//! the same rule, and so on. What is run again is cheap (a chain of at most [`CHEAP`] steps out of constants, parameters, built-ins, extents and
//! crossing values) or a view, which never crosses. Nothing else: an operand that is neither in its region, nor a constant or parameter, nor crossing,
//! nor to be run again, does not occur. The result of a lifted `if` or scope crosses if it is used at all: the regions that give it
//! (their [`End::Gives`], a `break` with a value) store it.
//!
//! **Parts** of locals. [`Region::parts_in`]: live at its start, and read in it or written by some of its threads only; loaded at its start.
//! [`Region::parts_out`]: written in it, and live at its end or where its jumps lead; stored at its end. A part that all threads of a tile agree on
//! can be kept once for all of them: load it before the first strip, store it behind the last.
//!
//! **Memory** locals that more than one region touches ([`Regions::shared_memory`]) need room for every thread of the tile; others for one strip.

mod parts;
mod values;

use std::ops::Range;

use tilewise_ir::analysis::facts::Facts;
use tilewise_ir::kernel::{Block, Init, Inst, InstKind, Kernel, LabelId, LocalId, Place, Root, ValueDef, ValueId};

use super::bits::BitSet;
use super::live::{Jump, Live};
use super::locals::{Keep, Locals};
use super::numbers::Numbers;

/// Steps of the longest chain that is rather run again than stored and loaded.
pub(super) const CHEAP: u32 = 8;

/// What ends a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Nothing but that a barrier, a lifted loop or scope, or the end of a block follows.
    Goes,
    /// The tile asks for this value.
    Asks(ValueId),
    /// An arm of a lifted `if`, or a lifted scope, ends and gives a value.
    Gives {
        /// What is given.
        value: ValueId,
        /// The construct's result.
        result: ValueId,
    },
}

/// A stretch of code without barriers at tile level.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Numbers of its instructions and of all inside them; may be empty.
    pub(super) numbers: Range<usize>,
    /// The lifted construct in whose block it lies, and which of its blocks; nothing for the kernel's body.
    pub(super) inside: Option<(usize, usize)>,
    /// Which instructions of that block.
    pub(super) insts: Range<usize>,
    /// What ends it.
    pub(super) end: End,
    /// Where it jumps to out of itself, each once: labels of lifted constructs.
    pub(super) jumps: Vec<Jump>,
    /// May a thread return in it?
    pub(super) returns: bool,
    /// Crossing values that it needs, those of what it runs again among them, upwards.
    pub(super) values_in: Vec<ValueId>,
    /// Crossing values that it makes, upwards.
    pub(super) values_out: Vec<ValueId>,
    /// Parts to load at its start, upwards.
    pub(super) parts_in: Vec<usize>,
    /// Parts to store at its end, upwards.
    pub(super) parts_out: Vec<usize>,
    /// Locals in memory that it touches, upwards.
    pub(super) memory: Vec<LocalId>,
    /// Values of other regions that are used in it as they stand: not constants and parameters.
    uses: Vec<ValueId>,
    /// Results of lifted constructs that it gives.
    gives: Vec<ValueId>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// Number of its last instruction at tile level, unless that leaves.
    last: Option<usize>,
}

/// One thing at tile level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// The region of that number.
    Region(usize),
    /// The barrier of that number.
    Barrier(usize),
    /// A lifted construct.
    Lifted {
        /// Its number.
        number: usize,
        /// Its blocks, in text order.
        blocks: Vec<Vec<Item>>,
    },
}

/// The regions of a kernel's body.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// All of them, in text order.
    pub(super) list: Vec<Region>,
    /// The tile level.
    pub(super) body: Vec<Item>,
    /// By value: stored by one region, loaded by others.
    pub(super) crossing: BitSet,
    /// By value: run again in regions that need it.
    pub(super) recompute: BitSet,
    /// By value: what the tile asks for.
    pub(super) asked: BitSet,
    /// By part: loaded or stored by some region.
    pub(super) parts: BitSet,
    /// Locals in memory that more than one region touches, upwards.
    pub(super) shared_memory: Vec<LocalId>,
    lifted: BitSet,
}

impl Regions {
    /// Cuts an inlined kernel.
    pub(super) fn of(kernel: &Kernel, facts: &Facts, locals: &Locals, numbers: &Numbers, live: &mut Live) -> Regions {
        let values = kernel.entry().values().len();
        let mut cut = Cut {
            kernel,
            locals,
            numbers,
            owner: vec![None; values],
            regions: Regions {
                list: Vec::new(),
                body: Vec::new(),
                crossing: BitSet::new(values),
                recompute: BitSet::new(values),
                asked: BitSet::new(values),
                parts: BitSet::new(locals.count()),
                shared_memory: Vec::new(),
                lifted: lifted(kernel, numbers),
            },
            results: Vec::new(),
        };
        let body = cut.block(kernel.entry().body(), 0, None, End::Goes);
        let Cut { owner, mut regions, .. } = cut;
        regions.body = body;
        values::cross(&mut regions, kernel, facts, &owner);
        parts::cross(&mut regions, kernel, locals, numbers, live);
        regions.shared_memory = shared(&regions.list, locals);
        regions
    }

    /// Holds the construct of that number a barrier?
    pub(super) fn lifted(&self, number: usize) -> bool {
        self.lifted.has(number)
    }
}

/// The constructs that hold barriers.
fn lifted(kernel: &Kernel, numbers: &Numbers) -> BitSet {
    let mut lifted = BitSet::new(numbers.count());
    let (mut open, mut number) = (Vec::new(), 0);
    kernel.entry().body().walk(&mut |inst| {
        while open.last().is_some_and(|&outer| numbers.end(outer) <= number) {
            open.pop();
        }
        if let InstKind::Barrier(_) = inst.kind {
            // From the inside out, until one is known, and then all around it are.
            let _ = open.iter().rev().take_while(|&&outer| lifted.insert(outer)).count();
        }
        if numbers.end(number) > number + 1 {
            open.push(number);
        }
        number += 1;
    });
    lifted
}

fn shared(list: &[Region], locals: &Locals) -> Vec<LocalId> {
    let mut touched = vec![false; locals.keeps().len()];
    let mut shared: Vec<LocalId> = Vec::new();
    for local in list.iter().flat_map(|region| &region.memory) {
        if std::mem::replace(&mut touched[local.index()], true) {
            shared.push(*local);
        }
    }
    shared.sort_unstable();
    shared.dedup();
    shared
}

/// Which region makes each value. Results of lifted constructs have no owner, as constants and parameters.
type Owners = Vec<Option<u32>>;

struct Cut<'k> {
    kernel: &'k Kernel,
    locals: &'k Locals,
    numbers: &'k Numbers,
    owner: Owners,
    regions: Regions,
    /// Labels of the lifted scopes around with the results that a `break` to them gives.
    results: Vec<(LabelId, ValueId)>,
}

impl Cut<'_> {
    fn block(&mut self, block: &Block, first: usize, inside: Option<(usize, usize)>, end: End) -> Vec<Item> {
        let numbers = self.numbers.in_block(block, first);
        let mut items = Vec::new();
        let mut start = 0;
        for (i, inst) in block.insts.iter().enumerate() {
            let lifted = self.regions.lifted(numbers[i]);
            let asked = match &inst.kind {
                InstKind::Barrier(_) => End::Goes,
                InstKind::If { condition: asked, .. } | InstKind::Switch { selector: asked, .. } if lifted => {
                    End::Asks(*asked)
                }
                _ if lifted => End::Goes,
                _ => continue,
            };
            self.region(block, &numbers, start..i, inside, asked, &mut items);
            start = i + 1;
            items.push(if lifted { self.construct(inst, numbers[i]) } else { Item::Barrier(numbers[i]) });
        }
        self.region(block, &numbers, start..block.insts.len(), inside, end, &mut items);
        items
    }

    fn construct(&mut self, inst: &Inst, number: usize) -> Item {
        if let (InstKind::Scope { label, .. }, Some(result)) = (&inst.kind, inst.result) {
            self.results.push((*label, result));
        }
        let blocks = self.numbers.blocks(inst, number).into_iter().enumerate();
        let blocks = blocks.map(|(i, (block, first))| {
            let end = match (&inst.kind, block.value, inst.result) {
                (InstKind::Loop { .. }, Some(value), _) => End::Asks(value),
                (_, Some(value), Some(result)) => End::Gives { value, result },
                _ => End::Goes,
            };
            self.block(block, first, Some((number, i)), end)
        });
        let blocks = blocks.collect();
        if let (InstKind::Scope { .. }, Some(_)) = (&inst.kind, inst.result) {
            self.results.pop();
        }
        Item::Lifted { number, blocks }
    }

    fn region(
        &mut self,
        block: &Block,
        numbers: &[usize],
        insts: Range<usize>,
        inside: Option<(usize, usize)>,
        end: End,
        items: &mut Vec<Item>,
    ) {
        if insts.is_empty() && end == End::Goes {
            return;
        }
        let number = self.regions.list.len();
        let last = insts.clone().next_back().filter(|&i| !block.insts[i].kind.leaves()).map(|i| numbers[i]);
        let mut region = Region {
            numbers: numbers[insts.start]..numbers[insts.end],
            inside,
            insts: insts.clone(),
            end,
            jumps: Vec::new(),
            returns: false,
            values_in: Vec::new(),
            values_out: Vec::new(),
            parts_in: Vec::new(),
            parts_out: Vec::new(),
            memory: Vec::new(),
            uses: Vec::new(),
            gives: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            last,
        };
        let mut labels = Vec::new();
        block.insts[insts].iter().for_each(|inst| self.gather(inst, number as u32, &mut region, &mut labels));
        match end {
            End::Goes => {}
            End::Asks(value) => {
                self.regions.asked.insert(value.index());
                region.uses.push(value);
            }
            End::Gives { value, result } => {
                region.uses.push(value);
                region.gives.push(result);
            }
        }
        labels.sort_unstable();
        region.jumps.retain(|jump| labels.binary_search(&jump.label()).is_err());
        let owner = &self.owner;
        let entry = self.kernel.entry();
        region.uses.retain(|value| {
            let made = matches!(entry.value(*value).def, ValueDef::Inst);
            made && owner[value.index()] != Some(number as u32)
        });
        sorted(&mut region.uses);
        sorted(&mut region.gives);
        sorted(&mut region.reads);
        sorted(&mut region.writes);
        sorted(&mut region.memory);
        sorted(&mut region.jumps);
        self.regions.list.push(region);
        items.push(Item::Region(number));
    }

    /// What an instruction of a region, and all inside it, does.
    fn gather(&mut self, inst: &Inst, number: u32, region: &mut Region, labels: &mut Vec<LabelId>) {
        if let Some(result) = inst.result {
            self.owner[result.index()] = Some(number);
        }
        inst.kind.operands(&mut |&value| region.uses.push(value));
        match &inst.kind {
            InstKind::CompareExchange { equal, .. } => self.owner[equal.index()] = Some(number),
            InstKind::Declare { local, init } => match self.locals.keep(*local) {
                // Surely written before it is read.
                Keep::Parts(_) if *init == Init::Unset && self.is_value(*local) => {}
                Keep::Parts(_) => region.writes.extend(self.locals.parts(*local)),
                Keep::Memory { .. } => region.memory.push(*local),
            },
            InstKind::Store { place, .. } => self.touch(place, &mut region.writes, &mut region.memory),
            InstKind::Load(place) => self.touch(place, &mut region.reads, &mut region.memory),
            InstKind::Copy { to, from } => {
                self.touch(to, &mut region.writes, &mut region.memory);
                self.touch(from, &mut region.reads, &mut region.memory);
            }
            InstKind::Loop { label, .. } | InstKind::Scope { label, .. } => labels.push(*label),
            InstKind::Break { label, value } => {
                region.jumps.push(Jump::Break(*label));
                if value.is_some()
                    && let Some((_, result)) = self.results.iter().find(|(scope, _)| scope == label)
                {
                    region.gives.push(*result);
                }
            }
            InstKind::Continue { label } => region.jumps.push(Jump::Continue(*label)),
            InstKind::Return(_) => region.returns = true,
            _ => {}
        }
        inst.kind.blocks(&mut |block| {
            block.insts.iter().for_each(|inst| self.gather(inst, number, region, labels));
            region.uses.extend(block.value);
        });
    }

    /// A scalar or vector: aggregates that are not set are zero.
    fn is_value(&self, local: LocalId) -> bool {
        self.kernel.types().value(self.kernel.entry().locals()[local.index()].ty).is_some()
    }

    fn touch(&self, place: &Place, parts: &mut Vec<usize>, memory: &mut Vec<LocalId>) {
        let Root::Local(local) = place.root else { return };
        match self.locals.touched(self.kernel, place) {
            Some(touched) => parts.extend(touched.parts()),
            None => memory.push(local),
        }
    }
}

fn sorted<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

#[cfg(test)]
mod tests;
