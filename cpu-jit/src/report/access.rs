//! Classifies accesses to memory, by their place in the source.
//!
//! One access of a kernel often becomes several in the lane program: masked and unmasked, in the
//! fast version of a loop and in the other, with the range check passed and failed. The report
//! shows the accesses on hot paths.

use tilewise_ir::pos::Pos;

use super::{AccessKind, BoundsKnowledge, LaneStride, PlaceFinding, PlaceOutcome, ReportedAccess};
use crate::emit::{CodeForm, moves_rows};
use crate::hash::HashSet;
use crate::lanes::{
    AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneInstClass, LaneProgram, LaneValue,
    Likely, MemorySpace, MovedRows, Node, access, row_groups,
};
use crate::sorted::{SortedMap, SortedSet};

/// One access of the lane program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SeenAccess {
    way: LaneStride,
    masked: bool,
    asked: bool,
}

/// All observations of an access of the kernel.
#[derive(Default)]
struct AccessSummary {
    pos: Pos,
    usual: SortedSet<SeenAccess>,
    seldom: SortedSet<SeenAccess>,
}

/// The context of a part of a program.
#[derive(Clone, Copy, Default)]
struct Within {
    /// Is it cold?
    seldom: bool,
    /// Is it guarded by a condition that is tested in each iteration?
    asked: bool,
    /// Is it one of the accesses that together cover rows?
    of_rows: bool,
    /// Is it one of the loads of the lanes' own runs?
    of_runs: bool,
}

/// A place in the source, by [`Pos::key`].
type Spot = (u32, u32, u32, u32);

struct AccessWalk<'p> {
    program: &'p LaneProgram,
    width: u32,
    sites: SortedMap<(Spot, AccessKind), AccessSummary>,
    prefetched: SortedMap<Spot, Pos>,
}

/// The accesses of a program.
pub(super) fn accesses(program: &LaneProgram) -> Vec<PlaceFinding> {
    let mut walk = AccessWalk { program, width: program.width, sites: SortedMap::new(), prefetched: SortedMap::new() };
    walk.block(&program.body, Within::default());
    let accesses = walk.sites.into_iter().map(|((_, kind), site)| site.finding(kind));
    let prefetched = walk.prefetched.into_values().map(|pos| PlaceFinding { pos, what: PlaceOutcome::Prefetched });
    accesses.chain(prefetched).collect()
}

impl AccessSummary {
    fn finding(self, kind: AccessKind) -> PlaceFinding {
        // The other version of the loop checks it.
        let asked_elsewhere = self.seldom.iter().any(|seen| seen.asked);
        let seen = if self.usual.is_empty() { self.seldom } else { self.usual };
        let range = match seen.iter().any(|seen| seen.asked) {
            true => BoundsKnowledge::Asked,
            false if asked_elsewhere => BoundsKnowledge::Before,
            false => BoundsKnowledge::Known,
        };
        let ways: SortedSet<LaneStride> = seen.iter().map(|seen| seen.way).collect();
        let masked = seen.iter().any(|seen| seen.masked);
        PlaceFinding {
            pos: self.pos,
            what: PlaceOutcome::Access(ReportedAccess { kind, ways: ways.into_iter().collect(), masked, range }),
        }
    }
}

impl AccessWalk<'_> {
    fn block(&mut self, block: &LaneBlock, within: Within) {
        // Which of them this code takes, the form tells.
        let fits = |_: Elem, count: usize| self.width >= 8 && moves_rows(CodeForm::Avx512, count);
        let groups = row_groups(block, &MovedRows { fits: &fits, parts: [0; 2] });
        // Loads are so many only where a pass wrote them for the vectors of the machine.
        let runs: HashSet<usize> = [[16, 8], [8, 4]]
            .into_iter()
            .flat_map(|parts| row_groups(block, &MovedRows { fits: &|_, _| false, parts }).into_keys())
            .collect();
        for (at_node, node) in block.nodes.iter().enumerate() {
            let within = Within {
                of_rows: groups.contains_key(&at_node),
                of_runs: runs.contains(&at_node) && !groups.contains_key(&at_node)
                    || self.is_lane_vector(block, at_node),
                ..within
            };
            match node {
                Node::Let { inst, pos, .. } => {
                    let kind = match inst.class() {
                        LaneInstClass::Read => AccessKind::Load,
                        LaneInstClass::Atomic if inst.is_for_all_lanes() && self.width > 1 => {
                            AccessKind::CombinedAtomic
                        }
                        LaneInstClass::Atomic => AccessKind::Atomic,
                        LaneInstClass::Pure => continue,
                    };
                    if let Some((at, mask)) = access(inst) {
                        // That of the one lane which stands for all says nothing.
                        let mask = mask.filter(|_| kind != AccessKind::CombinedAtomic);
                        self.see(kind, at, mask, *pos, within);
                    }
                }
                Node::Do { effect, pos } => match effect {
                    Effect::Store { at, mask, .. } => self.see(AccessKind::Store, at, *mask, *pos, within),
                    Effect::Copy { to, mask, .. } => self.see(AccessKind::Copy, to, *mask, *pos, within),
                    Effect::Prefetch { .. } => _ = self.prefetched.insert(pos.key(), *pos),
                    Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence => {}
                },
                Node::Exit { .. } | Node::Poll => {}
                Node::If { then, otherwise, likely: Likely::Then | Likely::Version, .. } => {
                    self.block(then, Within { asked: true, ..within });
                    self.block(otherwise, Within { seldom: true, ..within });
                }
                Node::If { then, otherwise, likely: Likely::Either, .. } => {
                    self.block(then, within);
                    self.block(otherwise, within);
                }
                Node::Loop { body, .. } => self.block(body, Within { asked: false, ..within }),
            }
        }
    }

    /// Is a node an access to a lane's vector of elements of its own run? Such loads are kept at once,
    /// and such stores write what has been kept.
    fn is_lane_vector(&self, block: &LaneBlock, at_node: usize) -> bool {
        let stored = |at_node: usize| match block.nodes.get(at_node) {
            Some(Node::Do { effect: Effect::Store { at, value, .. }, .. }) => {
                Some((self.program.is_of_runs(at), *value))
            }
            Some(Node::Do { .. } | Node::Let { .. } | Node::If { .. } | Node::Loop { .. }) => None,
            Some(Node::Exit { .. } | Node::Poll) | None => None,
        };
        let loaded = |at_node: usize| {
            let Some(Node::Let { value, inst: LaneInst::Load { at, .. }, .. }) = block.nodes.get(at_node) else {
                return None;
            };
            Some((self.program.is_of_runs(at), *value))
        };
        match (loaded(at_node), stored(at_node)) {
            (Some((false, value)), _) => stored(at_node + 1) == Some((true, value)),
            (_, Some((false, value))) => at_node > 0 && loaded(at_node - 1) == Some((true, value)),
            (Some((true, _)), _) | (None, Some((true, _)) | None) => false,
        }
    }

    fn see(&mut self, kind: AccessKind, at: &LaneAddress, mask: Option<LaneValue>, pos: Pos, within: Within) {
        // Values that threads keep between regions are no accesses of the kernel.
        if matches!(at.space, MemorySpace::Arena(ArenaPart::Context | ArenaPart::Votes | ArenaPart::Report)) {
            return;
        }
        let way = match at.along {
            AddressStep::Uniform => LaneStride::One,
            AddressStep::Step(step) if step == i64::from(at.stored.size()) => match within.of_runs {
                true => LaneStride::Run { step: None },
                false => LaneStride::Side,
            },
            AddressStep::Step(step) if within.of_runs => LaneStride::Run { step: Some(step) },
            AddressStep::Step(step) if within.of_rows => {
                let size = i64::from(at.stored.size());
                LaneStride::Rows { step, elements: step / size, near: few_elements(step, size).is_some() }
            }
            AddressStep::Step(step) => match few_elements(step, at.stored.size().into()) {
                Some(elements) if mask.is_none() && self.width >= 8 => LaneStride::Near { step, elements },
                Some(_) | None => LaneStride::Step(step),
            },
            AddressStep::Each(_) => LaneStride::Each,
        };
        let site = self.sites.or_default((pos.key(), kind));
        site.pos = pos;
        let seen = SeenAccess { way, masked: mask.is_some(), asked: within.asked };
        if within.seldom {
            site.seldom.insert(seen)
        } else {
            site.usual.insert(seen)
        };
    }
}

/// A step in elements, if every form of wide code moves whole vectors for it: half the lanes of the
/// shortest of their longest vectors.
fn few_elements(step: i64, size: i64) -> Option<i64> {
    const VECTOR: i64 = 32;
    let elements = step / size;
    (size >= 4 && step % size == 0 && elements != 0 && elements.abs() <= VECTOR / size / 2).then_some(elements)
}
