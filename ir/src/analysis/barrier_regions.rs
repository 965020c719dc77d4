//! Barrier regions: the code between the barriers of a kernel, and the values that threads need in
//! more than one region.
//!
//! An instruction is **lifted** if it is a barrier or holds one. The body of the kernel and the
//! blocks of lifted constructs are **at tile level**. There a block is a sequence of lifted
//! instructions and of runs of others: the **regions**, each named by the id of its first
//! instruction. [`BarrierRegions::split_first`] takes a block at tile level apart. A kernel without
//! barriers is one region.
//!
//! A region is what a target may execute for some threads, or for one after the other, before it
//! continues with the next; so nothing that a region computes survives it in a register or in an
//! expression. A value **crosses** if an instruction of another region uses it, or tile level
//! itself: as the condition of a lifted construct, or as the value of a block at tile level
//! ([`RegionValues`]). How a target carries such a value (as a scalar, in memory, computed again)
//! is its own affair.
//!
//! Barriers are numbered in text order. Whether the threads of a tile are proved to reach a barrier
//! together is a fact of [`uniformity`](super::uniformity); if one is not proved
//! ([`Uniformity::proves_barriers`](super::uniformity::Uniformity::proves_barriers)), the threads
//! have to vote at lifted constructs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::kernel::{Block, Inst, InstId, InstKind, Kernel, ValueId};
use crate::pos::Pos;
use crate::stack::with_levels;

/// The barrier regions of a kernel without calls of functions that hold barriers.
#[derive(Clone, Debug)]
pub struct BarrierRegions {
    /// By id of the instruction.
    insts: Vec<RegionInst>,
    barriers: Vec<RegionBarrier>,
    values: BTreeMap<InstId, RegionValues>,
    /// For each value, the region that computes it.
    homes: Vec<Option<InstId>>,
    /// Values that tile level uses.
    level: BTreeSet<ValueId>,
    /// Results of lifted constructs.
    given: BTreeSet<ValueId>,
}

/// What is known of one instruction.
#[derive(Clone, Copy, Debug)]
struct RegionInst {
    /// The region it is in; `None` if it is lifted.
    region: Option<InstId>,
    /// The number of barriers before it in text order.
    before: u32,
    /// Whether it is in a loop that holds a barrier.
    repeats: bool,
}

/// A barrier.
#[derive(Clone, Copy, Debug)]
pub struct RegionBarrier {
    /// The instruction.
    pub inst: InstId,
    /// Its position.
    pub pos: Pos,
    /// The number of loops around it.
    pub loops: u32,
}

/// The values that cross the border of a region.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegionValues {
    /// Values used here that another region computes, or that are results of lifted constructs.
    pub uses: BTreeSet<ValueId>,
    /// Values computed here that another region or tile level uses.
    pub makes: BTreeSet<ValueId>,
}

/// The next part of a block at tile level.
#[derive(Clone, Copy, Debug)]
pub enum TileStep<'k> {
    /// A region: at least one instruction, none of them lifted.
    Region(&'k [Inst]),
    /// A barrier, or a construct that holds one.
    Lifted(&'k Inst),
}

impl BarrierRegions {
    /// Divides the body of an inlined kernel.
    pub fn of(kernel: &Kernel) -> BarrierRegions {
        let function = kernel.entry();
        let place = RegionInst { region: None, before: 0, repeats: false };
        let regions = BarrierRegions {
            insts: vec![place; function.inst_count()],
            barriers: Vec::new(),
            values: BTreeMap::new(),
            homes: vec![None; function.values().len()],
            level: BTreeSet::new(),
            given: BTreeSet::new(),
        };
        let mut search = RegionSearch { regions, uses: BTreeSet::new(), loops: 0, holds: Vec::new() };
        with_levels(kernel.levels(), || {
            search.holds = vec![false; function.inst_count()];
            search.find_lifted(function.body());
            search.level(function.body());
        });
        search.finish()
    }

    /// Whether the kernel has a barrier.
    pub fn any(&self) -> bool {
        !self.barriers.is_empty()
    }

    /// The barriers in text order.
    pub fn barriers(&self) -> &[RegionBarrier] {
        &self.barriers
    }

    /// The deepest nesting of loops that hold a barrier.
    pub fn loops(&self) -> u32 {
        self.barriers.iter().map(|barrier| barrier.loops).max().unwrap_or(0)
    }

    /// Whether an instruction is a barrier or holds one.
    pub fn is_lifted(&self, inst: InstId) -> bool {
        self.region(inst).is_none()
    }

    /// The region of an instruction, by its first instruction; `None` if it is lifted.
    pub fn region(&self, inst: InstId) -> Option<InstId> {
        self.insts[inst.index()].region
    }

    /// The region that computes a value; `None` for constants, parameters, and results of lifted
    /// constructs.
    pub fn home(&self, value: ValueId) -> Option<InstId> {
        self.homes[value.index()]
    }

    /// Whether a value is the result of a lifted construct.
    pub fn is_given(&self, value: ValueId) -> bool {
        self.given.contains(&value)
    }

    /// The values that cross the border of a region, given by its first instruction; `None` if none
    /// do.
    pub fn values(&self, region: InstId) -> Option<&RegionValues> {
        self.values.get(&region)
    }

    /// The regions whose border some value crosses, with these values, in text order.
    pub fn crossings(&self) -> impl Iterator<Item = (InstId, &RegionValues)> {
        self.values.iter().map(|(&region, values)| (region, values))
    }

    /// The values that tile level uses and a region computes, or a lifted construct gives.
    pub fn level_uses(&self) -> &BTreeSet<ValueId> {
        &self.level
    }

    /// The numbers of the barriers in these instructions, nested ones included.
    pub fn numbers(&self, insts: &[Inst]) -> Range<u32> {
        let (Some(first), Some(last)) = (insts.first(), insts.last()) else { return 0..0 };
        let after = self.insts.get(last.last_inside().index() + 1).map(|inst| inst.before);
        // A barrier that is the last instruction of all is before none.
        self.insts[first.id.index()].before..after.unwrap_or(self.barriers.len() as u32)
    }

    /// Whether a thread that has executed this instruction may still reach a barrier: one that
    /// follows in the text, or one in a loop around both.
    pub fn may_reach_barrier(&self, inst: InstId) -> bool {
        let inst = self.insts[inst.index()];
        inst.repeats || inst.before < self.barriers.len() as u32
    }

    /// The first part of instructions at tile level, and the others.
    pub fn split_first<'k>(&self, insts: &'k [Inst]) -> Option<(TileStep<'k>, &'k [Inst])> {
        let length = insts.iter().take_while(|inst| !self.is_lifted(inst.id)).count();
        if length > 0 {
            let (region, rest) = insts.split_at(length);
            return Some((TileStep::Region(region), rest));
        }
        let (lifted, rest) = insts.split_first()?;
        Some((TileStep::Lifted(lifted), rest))
    }
}

struct RegionSearch {
    regions: BarrierRegions,
    /// Uses of values by regions.
    uses: BTreeSet<(InstId, ValueId)>,
    /// Open loops that hold a barrier.
    loops: u32,
    /// Whether each instruction is lifted.
    holds: Vec<bool>,
}

impl RegionSearch {
    /// Marks the lifted instructions of a block; returns whether there are any.
    fn find_lifted(&mut self, block: &Block) -> bool {
        let mut any = false;
        for inst in &block.insts {
            let mut holds = inst.kind.barrier().is_some();
            inst.kind.blocks(&mut |block| holds |= self.find_lifted(block));
            self.holds[inst.id.index()] = holds;
            any |= holds;
        }
        any
    }

    fn enter(&mut self, inst: &Inst, region: Option<InstId>) {
        let before = self.regions.barriers.len() as u32;
        let repeats = self.loops > 0;
        self.regions.insts[inst.id.index()] = RegionInst { region, before, repeats };
    }

    /// A block at tile level.
    fn level(&mut self, block: &Block) {
        let mut region = None;
        for inst in &block.insts {
            if !self.holds[inst.id.index()] {
                self.in_region(inst, *region.get_or_insert(inst.id));
                continue;
            }
            region = None;
            self.enter(inst, None);
            if inst.kind.barrier().is_some() {
                self.regions.barriers.push(RegionBarrier { inst: inst.id, pos: inst.pos, loops: self.loops });
            }
            self.regions.given.extend(inst.results());
            inst.kind.operands(&mut |&value| _ = self.regions.level.insert(value));
            let is_loop = u32::from(matches!(inst.kind, InstKind::Loop { .. }));
            self.loops += is_loop;
            inst.kind.blocks(&mut |block| self.level(block));
            self.loops -= is_loop;
        }
        self.regions.level.extend(block.value);
    }

    fn in_region(&mut self, inst: &Inst, region: InstId) {
        self.enter(inst, Some(region));
        inst.results().for_each(|value| self.regions.homes[value.index()] = Some(region));
        inst.kind.operands(&mut |&value| _ = self.uses.insert((region, value)));
        inst.kind.blocks(&mut |block| {
            block.insts.iter().for_each(|inst| self.in_region(inst, region));
            self.uses.extend(block.value.map(|value| (region, value)));
        });
    }

    fn finish(self) -> BarrierRegions {
        let RegionSearch { mut regions, uses, .. } = self;
        for (user, value) in uses {
            let home = regions.homes[value.index()];
            if home.is_some_and(|home| home != user) || regions.given.contains(&value) {
                regions.values.entry(user).or_default().uses.insert(value);
            }
            if let Some(home) = home.filter(|&home| home != user) {
                regions.values.entry(home).or_default().makes.insert(value);
            }
        }
        // Constants and parameters are there everywhere.
        regions.level.retain(|value| regions.homes[value.index()].is_some() || regions.given.contains(value));
        for &value in &regions.level {
            if let Some(home) = regions.homes[value.index()] {
                regions.values.entry(home).or_default().makes.insert(value);
            }
        }
        regions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Checked, check};
    use crate::text::parse;

    fn checked(body: &str) -> Checked<Kernel> {
        let text = format!(
            "kernel k(a: view<i32, 1, read_write>, n: i32) tile(8) {{ tile_static t: [i32; 8];
            {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{body}: {failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{body}: {rejected}"))
    }

    /// The parts of a kernel with this body as text: `*` is a barrier, `name{..}` a lifted
    /// construct, `[uses > makes]` a region with the named values that cross its border. A value
    /// without a name is `_`.
    fn shown(body: &str) -> String {
        let kernel = checked(body);
        let kernel = kernel.inlined();
        let regions = BarrierRegions::of(kernel);
        let mut out = String::new();
        show(kernel, &regions, &kernel.entry().body().insts, &mut out);
        out
    }

    fn show(kernel: &Kernel, regions: &BarrierRegions, insts: &[Inst], out: &mut String) {
        let names = |values: &BTreeSet<ValueId>| {
            let name = |&value| kernel.entry().value(value).name.as_ref().map_or("_", |name| &**name);
            values.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let mut rest = insts;
        while let Some((step, behind)) = regions.split_first(rest) {
            match step {
                TileStep::Region(region) => {
                    let none = RegionValues::default();
                    let values = regions.values(region[0].id).unwrap_or(&none);
                    *out += &format!("[{} > {}]", names(&values.uses), names(&values.makes));
                }
                TileStep::Lifted(inst) => match inst.kind.construct() {
                    None => *out += "*",
                    Some(construct) => {
                        *out += construct.name();
                        *out += "{";
                        inst.kind.each_block(&mut |block| {
                            show(kernel, regions, &block.insts, out);
                            *out += ";";
                        });
                        *out += "}";
                    }
                },
            }
            rest = behind;
        }
    }

    #[test]
    fn a_value_crosses_if_another_region_uses_it() {
        assert_eq!(
            shown("let i = local[0]; let x = a[i]; let y = x + 1; t[i] = y; barrier; a[i] = t[7 - i] + x;"),
            "[ > i x]*[i x > ]"
        );
        assert_eq!(shown("a[local[0]] = n;"), "[ > ]", "no barrier: one region");
        assert_eq!(shown("barrier; barrier;"), "**");
    }

    #[test]
    fn a_value_used_at_the_end_of_its_own_region_does_not_cross() {
        assert_eq!(
            shown("let i = local[0]; let x = a[i]; a[i] = if n > 0 { x } else { 0 }; barrier;"),
            "[ > ]*",
            "a block's value is used by the instruction that holds the block"
        );
    }

    #[test]
    fn constructs_with_a_barrier_are_taken_apart_and_others_are_not() {
        assert_eq!(
            shown("let c = n > 0; if c { t[0] = 1; barrier; } else { t[1] = 2; } if c { t[2] = 3; }"),
            "[ > c]if{[ > ]*;[ > ];}[c > ]"
        );
        assert_eq!(
            shown("var i: i32 = 0; while i < n { t[0] = i; barrier; } continuing { i = i + 1; }"),
            "[ > ]while{[ > _];[ > ]*;[ > ];}",
            "tile level uses the condition"
        );
    }

    #[test]
    fn results_of_lifted_constructs_come_from_no_region() {
        let body = "let r = if n > 0 { barrier; let z = a[0]; z } else { 2 }; a[local[0]] = r;";
        assert_eq!(shown(body), "[ > _]if{*[ > z];;}[r > ]");
        let kernel = checked(body);
        let regions = BarrierRegions::of(kernel.inlined());
        let entry = kernel.inlined().entry();
        let given: Vec<bool> = entry.values().iter().map(|v| v.name.as_deref() == Some("r")).collect();
        kernel.inlined().entry().body().walk(&mut |inst| {
            for value in inst.results() {
                assert_eq!(regions.is_given(value), given[value.index()]);
                assert_eq!(regions.home(value).is_none(), given[value.index()]);
            }
        });
    }

    #[test]
    fn barriers_are_numbered_in_text_order_with_the_loops_around_them() {
        let kernel = checked(
            "barrier; while n > 3 { barrier; loop { t[0] = 1; if n > 1 { break; } barrier; } }
            while n > 5 { t[0] = 2; } if n > 0 { barrier; }",
        );
        let regions = BarrierRegions::of(kernel.inlined());
        let loops: Vec<u32> = regions.barriers().iter().map(|barrier| barrier.loops).collect();
        assert_eq!(loops, [0, 1, 2, 0]);
        assert_eq!(regions.loops(), 2);
        let insts = &kernel.inlined().entry().body().insts;
        assert_eq!(regions.numbers(insts), 0..4);
        assert_eq!(regions.numbers(&[]), 0..0);
        let of: Vec<_> = insts
            .iter()
            .filter(|inst| regions.is_lifted(inst.id))
            .map(|inst| regions.numbers(std::slice::from_ref(inst)))
            .collect();
        assert_eq!(of, [0..1, 1..3, 3..4]);
    }

    #[test]
    fn a_barrier_can_be_reached_forwards_or_by_another_iteration() {
        let kernel =
            checked("a[0] = 1; while n > 3 { barrier; a[1] = 2; } if n > 0 { a[2] = 3; while n > 5 { a[3] = 4; } }");
        let regions = BarrierRegions::of(kernel.inlined());
        let mut stores = Vec::new();
        kernel.inlined().entry().body().walk(&mut |inst| {
            if inst.kind.written_place().is_some() {
                stores.push(regions.may_reach_barrier(inst.id));
            }
        });
        assert_eq!(stores, [true, true, false, false]);
    }
}
