//! Liveness across barriers: the values and variables that a thread needs in more than one region.
//!
//! The regions of a kernel and the values that cross their borders are facts of
//! [`barrier_regions`](tilewise_ir::analysis::barrier_regions). All threads of the tile execute one
//! region before the next begins, so no value stays in registers in between. This module decides
//! how each is carried:
//! - a value that is uniform over the tile is kept once, as a scalar ([`Carry::Once`]);
//! - a value that is cheap to compute is rematerialised ([`Carry::Again`]);
//! - all others are kept for each thread in the worker's memory ([`Carry::Kept`]).

use std::collections::BTreeSet;

use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::facts::KernelFacts;
use tilewise_ir::analysis::shape::LaneShape;
use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Inst, InstClass, InstId, InstKind, Kernel, LocalId, ValueDef, ValueId};

use super::locals::{Locals, Touched};
use super::state::PartNumber;
use crate::hash::{HashMap, HashSet};
use crate::sorted::{SortedMap, SortedSet};

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

/// The values and parts that cross the border of one region.
#[derive(Clone, Debug, Default)]
pub(super) struct CarriedParts {
    /// Values of other regions that are used here, including operands of rematerialised values; in
    /// source order.
    pub(super) uses: BTreeSet<ValueId>,
    /// Values computed here that other regions use.
    pub(super) makes: BTreeSet<ValueId>,
    /// Crossing parts that are accessed here; those whose lifetime begins here, and those written
    /// here.
    pub(super) touches: SortedSet<PartNumber>,
    pub(super) begins: SortedSet<PartNumber>,
    pub(super) writes: SortedSet<PartNumber>,
}

/// The values and parts that cross regions.
#[derive(Clone, Debug, Default)]
pub(super) struct RegionLiveness {
    /// Regions, by their first instruction.
    pub(super) regions: HashMap<InstId, CarriedParts>,
    pub(super) values: HashMap<ValueId, Carry>,
    /// Parts that cross; is each uniform over the tile?
    pub(super) parts: SortedMap<PartNumber, bool>,
}

struct CarrySearch<'a, 'k> {
    kernel: &'k Kernel,
    regions: &'a BarrierRegions,
    /// The instruction of a region that defines a value.
    made: HashMap<ValueId, &'k Inst>,
    touched: SortedMap<PartNumber, SortedSet<InstId>>,
    written: SortedSet<(InstId, PartNumber)>,
    declared: SortedMap<PartNumber, SortedSet<InstId>>,
    locals: &'a Locals,
}

/// A user of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum User {
    /// A region, by its first instruction.
    Region(InstId),
    /// Tile level itself.
    Tile,
}

impl RegionLiveness {
    /// Computes the crossings of a kernel with barriers.
    pub(super) fn of(
        kernel: &Kernel,
        facts: &KernelFacts,
        locals: &Locals,
        regions: &BarrierRegions,
    ) -> RegionLiveness {
        let mut search = CarrySearch {
            kernel,
            regions,
            made: HashMap::default(),
            touched: SortedMap::new(),
            written: SortedSet::new(),
            declared: SortedMap::new(),
            locals,
        };
        kernel.entry().body().insts.iter().for_each(|inst| search.inst(inst));
        search.crossing(facts)
    }
}

impl<'k> CarrySearch<'_, 'k> {
    fn inst(&mut self, inst: &'k Inst) {
        if let Some(region) = self.regions.region(inst.id) {
            self.in_region(inst, region);
        }
        inst.kind.each_block(&mut |block| block.insts.iter().for_each(|inst| self.inst(inst)));
    }

    fn in_region(&mut self, inst: &'k Inst, region: InstId) {
        inst.results().for_each(|value| _ = self.made.insert(value, inst));
        inst.kind.places(&mut |place| {
            for part in self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts) {
                self.touched.or_default(part).insert(region);
            }
        });
        if let Some(place) = inst.kind.written_place() {
            for part in self.locals.touched(self.kernel, place).iter().flat_map(Touched::parts) {
                self.written.insert((region, part));
            }
        }
        if let InstKind::Declare { local, .. } = &inst.kind {
            for part in self.locals.parts(*local) {
                self.touched.or_default(part).insert(region);
                self.declared.or_default(part).insert(region);
                if !fault::planted(Fault::DeclarationNotKept) {
                    self.written.insert((region, part));
                }
            }
        }
    }

    fn crossing(mut self, facts: &KernelFacts) -> RegionLiveness {
        let mut crossing = RegionLiveness::default();
        // Values, including those that rematerialisation adds, to a fixed point.
        let of_regions = self
            .regions
            .crossings()
            .flat_map(|(region, values)| values.uses.iter().map(move |&value| (User::Region(region), value)));
        let of_tile = self.regions.level_uses().iter().map(|&value| (User::Tile, value));
        let mut todo: Vec<(User, ValueId)> = of_regions.chain(of_tile).collect();
        let mut seen = HashSet::default();
        while let Some((user, value)) = todo.pop() {
            if self.regions.is_given(value) {
                crossing.values.insert(value, Carry::Kept);
                if let User::Region(region) = user {
                    crossing.regions.entry(region).or_default().uses.insert(value);
                }
                continue;
            }
            let (Some(home), Some(&inst)) = (self.regions.home(value), self.made.get(&value)) else { continue };
            if user == User::Region(home) || !seen.insert((user, value)) {
                continue;
            }
            let once = self.is_once(value, facts) || fault::planted(Fault::VaryingValueKeptOnce) && self.is_data(value);
            let way = match once {
                true => Carry::Once,
                false if user != User::Tile && self.cheap(value, CHEAP, facts).is_some() => Carry::Again,
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
            if let Some(home) = self.regions.home(value) {
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

    fn local_of(&self, part: PartNumber) -> LocalId {
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

    fn is_data(&self, value: ValueId) -> bool {
        self.kernel.entry().value(value).ty.data().is_some()
    }

    /// Is a value uniform over the tile, and kept once for it?
    fn is_once(&self, value: ValueId, facts: &KernelFacts) -> bool {
        let uniform = |shape: LaneShape| matches!(shape, LaneShape::Const | LaneShape::TileUniform);
        self.is_data(value) && facts.parts(value).iter().all(|part| uniform(part.shape))
    }

    /// The cost of rematerialising a value, if it is below a limit. Operands that are kept once cost nothing.
    fn cheap(&self, value: ValueId, limit: u32, facts: &KernelFacts) -> Option<u32> {
        if self.regions.is_given(value) {
            return Some(1);
        }
        if self.is_once(value, facts) {
            return Some(0);
        }
        let Some(&inst) = self.made.get(&value) else {
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
            let more = left.and_then(|left| self.cheap(operand, left, facts));
            cost = cost.zip(more).map(|(a, b)| a + b);
        });
        cost.filter(|&cost| cost <= limit)
    }
}
