//! Liveness across barriers: the values and variables that a thread needs in more than one region.
//!
//! In a kernel with barriers, code at **tile level** (the body, and the blocks of constructs that
//! hold a barrier) consists of runs of instructions without barriers: **regions**, identified by
//! the id of their first instruction. All threads of the tile execute one region before the next
//! begins, so no value stays in registers in between:
//! - a value that is uniform over the tile is kept once, as a scalar ([`Carry::Once`]);
//! - a value that is cheap to compute is rematerialised ([`Carry::Again`]);
//! - all others are kept for each thread in the worker's memory ([`Carry::Kept`]).

use std::collections::{BTreeMap, BTreeSet};

use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::analysis::shape::LaneShape;
use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::kernel::{Block, Inst, InstClass, InstId, InstKind, Kernel, ValueDef, ValueId};

use super::locals::{Locals, Touched};
use super::state::PartNumber;
use super::tree::InstTree;
use crate::hash::HashMap;

/// Maximum number of instructions to rematerialise a value.
const CHEAP: u32 = 8;

/// How a value crosses regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carry {
    /// As a scalar.
    Once,
    /// It is rematerialised.
    Again,
    /// In memory, for each thread.
    Kept,
}

/// One region.
#[derive(Clone, Debug, Default)]
pub(super) struct BarrierRegion {
    /// Values of other regions that are used here, including operands of rematerialised values; in
    /// source order.
    pub(super) uses: BTreeSet<ValueId>,
    /// Values computed here that other regions use.
    pub(super) makes: BTreeSet<ValueId>,
    /// Crossing parts that are accessed here; those whose lifetime begins here, and those written
    /// here.
    pub(super) touches: BTreeSet<PartNumber>,
    pub(super) begins: BTreeSet<PartNumber>,
    pub(super) writes: BTreeSet<PartNumber>,
}

/// The values and parts that cross regions.
#[derive(Clone, Debug, Default)]
pub(super) struct RegionLiveness {
    /// Regions, by their first instruction.
    pub(super) regions: HashMap<InstId, BarrierRegion>,
    pub(super) values: HashMap<ValueId, Carry>,
    /// Parts that cross; is each uniform over the tile?
    pub(super) parts: BTreeMap<PartNumber, bool>,
}

struct RegionSearch<'a, 'k> {
    kernel: &'k Kernel,
    tree: &'a InstTree,
    /// The region and the instruction that define a value.
    made: HashMap<ValueId, (InstId, &'k Inst)>,
    used: BTreeSet<(User, ValueId)>,
    touched: BTreeMap<PartNumber, BTreeSet<InstId>>,
    written: BTreeSet<(InstId, PartNumber)>,
    declared: BTreeMap<PartNumber, BTreeSet<InstId>>,
    locals: &'a Locals,
    /// Results of constructs that hold a barrier: always kept.
    given: BTreeSet<ValueId>,
}

/// A user of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum User {
    /// A region, by its first instruction.
    Region(InstId),
    /// Tile level itself.
    Tile,
}

impl RegionLiveness {
    /// Computes the crossings of a kernel with barriers.
    pub(super) fn of(kernel: &Kernel, facts: &KernelFacts, locals: &Locals, tree: &InstTree) -> RegionLiveness {
        let mut search = RegionSearch {
            kernel,
            tree,
            made: HashMap::default(),
            used: BTreeSet::new(),
            touched: BTreeMap::new(),
            written: BTreeSet::new(),
            declared: BTreeMap::new(),
            locals,
            given: BTreeSet::new(),
        };
        search.level(kernel.entry().body());
        search.crossing(facts)
    }
}

impl<'k> RegionSearch<'_, 'k> {
    /// Traverses a block at tile level.
    fn level(&mut self, block: &'k Block) {
        let mut region = None;
        for inst in &block.insts {
            if self.tree.at(inst.id).barrier {
                region = None;
                self.given.extend(inst.result);
                inst.kind.operands(&mut |&value| _ = self.used.insert((User::Tile, value)));
                inst.kind.each_block(&mut |block| self.level(block));
            } else {
                let region = *region.get_or_insert(inst.id);
                self.in_region(inst, region);
            }
        }
        if let Some(value) = block.value {
            self.used.insert((User::Tile, value));
        }
    }

    fn in_region(&mut self, inst: &'k Inst, region: InstId) {
        inst.results().for_each(|value| _ = self.made.insert(value, (region, inst)));
        inst.kind.operands(&mut |&value| _ = self.used.insert((User::Region(region), value)));
        inst.kind.places(&mut |place| {
            for part in self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts) {
                self.touched.entry(part).or_default().insert(region);
            }
        });
        if let Some(place) = inst.kind.written_place() {
            for part in self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts) {
                self.written.insert((region, part));
            }
        }
        if let InstKind::Declare { local, .. } = &inst.kind {
            for part in self.locals.parts(*local) {
                self.touched.entry(part).or_default().insert(region);
                self.declared.entry(part).or_default().insert(region);
                self.written.insert((region, part));
            }
        }
        inst.kind.each_block(&mut |block| {
            block.insts.iter().for_each(|inst| self.in_region(inst, region));
            if let Some(value) = block.value {
                self.used.insert((User::Region(region), value));
            }
        });
    }

    fn crossing(mut self, facts: &KernelFacts) -> RegionLiveness {
        let mut crossing = RegionLiveness::default();
        // Values, including those that rematerialisation adds, to a fixed point.
        let mut todo: Vec<(User, ValueId)> = self.used.iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some((user, value)) = todo.pop() {
            if self.given.contains(&value) {
                crossing.values.insert(value, Carry::Kept);
                if let User::Region(region) = user {
                    crossing.regions.entry(region).or_default().uses.insert(value);
                }
                continue;
            }
            let Some(&(home, inst)) = self.made.get(&value) else { continue };
            if user == User::Region(home) || !seen.insert((user, value)) {
                continue;
            }
            let once =
                facts.parts(value).iter().all(|part| matches!(part.shape, LaneShape::Const | LaneShape::TileUniform))
                    && self.kernel.entry().value(value).ty.data().is_some();
            let way = match once {
                true => Carry::Once,
                false if user != User::Tile && self.cheap(value, CHEAP).is_some() => Carry::Again,
                false => Carry::Kept,
            };
            // A value that tile level uses is available to regions too.
            let known = crossing.values.entry(value).or_insert(way);
            if way == Carry::Kept || *known == Carry::Again && way == Carry::Once {
                *known = way;
            }
            if let User::Region(region) = user {
                crossing.regions.entry(region).or_default().uses.insert(value);
            }
            if way == Carry::Again {
                inst.kind.operands(&mut |&value| todo.push((user, value)));
            }
        }
        for &value in crossing.values.keys() {
            if let Some(&(home, _)) = self.made.get(&value) {
                crossing.regions.entry(home).or_default().makes.insert(value);
            }
        }
        for (part, regions) in std::mem::take(&mut self.touched) {
            let declared = self.declared.get(&part);
            if regions.len() == 1 && declared == Some(&regions) {
                continue;
            }
            let local = self.local_of(part);
            let once = facts.uniformity().local(local) == TileAgreement::Uniform;
            crossing.parts.insert(part, once);
            for region in regions {
                let entry = crossing.regions.entry(region).or_default();
                entry.touches.insert(part);
                if declared.is_some_and(|declared| declared.contains(&region)) {
                    entry.begins.insert(part);
                }
                if self.written.contains(&(region, part)) {
                    entry.writes.insert(part);
                }
            }
        }
        crossing
    }

    fn local_of(&self, part: PartNumber) -> tilewise_ir::kernel::LocalId {
        let mut found = None;
        self.kernel.entry().body().walk(&mut |inst| {
            if let InstKind::Declare { local, .. } = inst.kind
                && self.locals.parts(local).contains(&part)
            {
                found = Some(local);
            }
        });
        // The checker guarantees that an accessed part has been declared.
        found.unwrap_or_else(|| unreachable!("a part of no variable"))
    }

    /// The cost of rematerialising a value, if it is below a limit.
    fn cheap(&self, value: ValueId, limit: u32) -> Option<u32> {
        if self.given.contains(&value) {
            return Some(1);
        }
        let Some(&(_, inst)) = self.made.get(&value) else {
            return matches!(self.kernel.entry().value(value).def, ValueDef::Const(_) | ValueDef::Param(_))
                .then_some(0);
        };
        let pure = match inst.kind.class() {
            // A view is a handful of numbers: rebuilding it is cheaper than keeping it.
            InstClass::MakeView => return Some(0),
            InstClass::Compute => {
                if let InstKind::Op { op, .. } = &inst.kind {
                    op.row().each
                } else {
                    matches!(inst.kind, InstKind::Compose(_) | InstKind::Splat { .. } | InstKind::Swizzle { .. })
                }
            }
            InstClass::Query => {
                if matches!(inst.kind, InstKind::Builtin(_) | InstKind::ViewExtent { .. }) {
                    return Some(1);
                }
                false
            }
            InstClass::Read
            | InstClass::Write
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Synchronize
            | InstClass::Output
            | InstClass::Stop
            | InstClass::Call
            | InstClass::Structured
            | InstClass::Jump => false,
        };
        if !pure || limit == 0 {
            return None;
        }
        let mut cost = Some(1);
        inst.kind.operands(&mut |&operand| {
            let left = cost.map(|cost| limit.saturating_sub(cost));
            let more = left.and_then(|left| self.cheap(operand, left));
            cost = cost.zip(more).map(|(a, b)| a + b);
        });
        cost.filter(|&cost| cost <= limit)
    }
}
