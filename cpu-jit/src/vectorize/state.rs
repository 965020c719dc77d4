//! The state of [`vectorize`](super::vectorize) during its traversal of a kernel: the
//! representation of each value, the contents of each variable, and the active lanes.
//!
//! - **Parts** are mutable state: the scalars that make up local variables ([`super::locals`]),
//!   followed by parts that the traversal adds: the lanes that left to a target ([`OpenTarget`]),
//!   and the values they carried. Where control flow joins, parts are merged.
//! - **Active** lanes are those that execute the code being written. `None` means all of them. Code
//!   that writes a memory access ensures that at least one lane is active when it runs, so a
//!   uniform value is then the value of some active lane.
//! - **Protected** parts are needed later by inactive lanes: an assignment preserves the values of
//!   those lanes. All other parts are overwritten in every lane.

use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::facts::{InstFact, KernelFacts};
use tilewise_ir::analysis::plain_atomics::AtomicResults;
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::kernel::{Function, InstId, Kernel, LabelId, LocalId, ValueDef, ValueId};
use tilewise_ir::launch::NOT_WELL_FORMED;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Stored;
use tilewise_ir::typing::Context;

use super::comp::Comp;
use super::current::CurrentParts;
use super::live::Live;
use super::locals::Locals;
use super::nest::CodePosition;
use super::tile::Tile;
use super::tree::InstTree;
use super::usual::UsualForms;
use super::view::FormedView;
use super::{CodeKey, Unformed};
use crate::hash::{HashMap, HashSet};
use crate::lanes::{Elem, LaneBuilder, LaneValue, MessageKind, Note, ShortLoops};
use crate::sorted::{SortedMap, SortedSet};

/// The number of a part.
pub(super) type PartNumber = usize;

/// The representation of a kernel value.
#[derive(Clone, Debug)]
pub(super) enum KernelValue {
    /// Components.
    Data(Vec<Comp>),
    /// A view.
    View(Box<FormedView>),
}

/// An open construct that lanes can leave.
#[derive(Clone, Debug)]
pub(super) struct OpenTarget {
    /// The label that `break` or `continue` names.
    pub(super) label: LabelId,
    /// Is it the continue target of a loop?
    pub(super) continues: bool,
    /// The mask of lanes that left to it: a `bool`.
    pub(super) arrived: PartNumber,
    /// The components of a scope's value that these lanes carried.
    pub(super) result: Vec<PartNumber>,
    /// For a scope that holds a barrier, the value that threads carry.
    pub(super) value: Option<ValueId>,
}

/// Results of earlier attempts at a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopPlan {
    /// Does the loop have divergent exits?
    pub(super) masked: bool,
    /// Do lanes leave its only iteration before others finish it?
    pub(super) left: bool,
    /// Parts that must be lanes.
    pub(super) lanes: SortedSet<PartNumber>,
}

/// The kernel, the key, and the analyses of the kernel.
pub(super) struct VectorizerInput<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) function: &'k Function,
    pub(super) context: Context<'k>,
    pub(super) facts: &'k KernelFacts,
    pub(super) origins: ViewOrigins,
    pub(super) key: &'k CodeKey,
    pub(super) locals: Locals,
    pub(super) live: Live,
    pub(super) shape: InstTree,
    pub(super) regions: BarrierRegions,
    pub(super) atomic_results: AtomicResults,
    /// The sources of its functions of the math libraries.
    pub(super) library_sources: Vec<u32>,
}

/// The constructs that lanes can leave, and the lanes that left.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneExits {
    pub(super) targets: Vec<OpenTarget>,
    /// Arrival parts written since this was last emptied.
    pub(super) touched: SortedSet<PartNumber>,
    /// The mask of lanes whose thread has ended: a `bool`.
    pub(super) ended: PartNumber,
    /// The subset of them that `error` or `abort` ended.
    pub(super) inert: PartNumber,
}

/// The tables of the program.
#[derive(Debug, Default)]
pub(super) struct ProgramTables {
    pub(super) copies: Vec<Vec<(u64, u64, Stored)>>,
    pub(super) messages: Vec<(Pos, MessageKind)>,
    /// How branches and loops were vectorised.
    pub(super) notes: SortedMap<InstId, (Pos, Note)>,
}

/// The traversal.
pub(super) struct Vectorizer<'k> {
    pub(super) input: &'k VectorizerInput<'k>,
    pub(super) b: LaneBuilder,
    pub(super) values: Vec<Option<KernelValue>>,
    pub(super) parts: CurrentParts,
    /// Parts of variables are below this number.
    pub(super) added: PartNumber,
    pub(super) active: Option<LaneValue>,
    pub(super) protected: SortedSet<PartNumber>,
    pub(super) exits: LaneExits,
    pub(super) plans: HashMap<InstId, LoopPlan>,
    pub(super) here: CodePosition,
    pub(super) tile: Tile,
    pub(super) tables: ProgramTables,
    /// The instruction being written.
    pub(super) at: InstId,
    /// Values that are components of the thread's position, in a flat domain.
    pub(super) positions: HashSet<ValueId>,
    /// The affine values that other values usually are.
    pub(super) usual: UsualForms,
    /// The mask under which each variable in memory was declared, if not all lanes were active.
    pub(super) declared_under: HashMap<LocalId, LaneValue>,
    /// What becomes of loops of few iterations.
    pub(super) short_loops: ShortLoops,
    /// Loops that were found to be too long to unroll.
    pub(super) long_loops: HashSet<InstId>,
}

/// The result of vectorizing a construct, which may be unsupported.
pub(super) type Formed<T = ()> = Result<T, Unformed>;

/// The error for a kernel that violates a rule of the checker.
pub(super) fn malformed(what: &str) -> Unformed {
    Unformed(format!("{NOT_WELL_FORMED}: {what}"))
}

impl<'k> Vectorizer<'k> {
    /// A traversal that has not begun.
    pub(super) fn new(input: &'k VectorizerInput<'k>, here: CodePosition) -> Vectorizer<'k> {
        Vectorizer {
            input,
            b: LaneBuilder::new(input.key.width),
            values: vec![None; input.function.values().len()],
            parts: CurrentParts::default(),
            added: input.locals.count(),
            active: None,
            protected: SortedSet::new(),
            exits: LaneExits::default(),
            plans: HashMap::default(),
            here,
            tile: Tile::default(),
            tables: ProgramTables::default(),
            at: InstId::FIRST,
            positions: HashSet::default(),
            usual: UsualForms::default(),
            declared_under: HashMap::default(),
            short_loops: ShortLoops::None,
            long_loops: HashSet::default(),
        }
    }

    /// Adds a part.
    pub(super) fn add_part(&mut self, elem: Elem) -> PartNumber {
        let zero = self.b.constant(elem, 0);
        self.parts.push(Some(Comp::Plain(zero)));
        self.parts.len() - 1
    }

    /// The value of an added part.
    pub(super) fn added(&mut self, part: PartNumber) -> LaneValue {
        match self.parts[part] {
            Some(comp) => comp.value(&mut self.b),
            None => self.b.truth(false),
        }
    }

    /// Polls whether the launch is to end.
    pub(super) fn poll(&mut self) {
        if !self.input.key.without.polls {
            self.b.poll();
        }
    }

    /// The components of a value.
    pub(super) fn comps(&mut self, value: ValueId) -> Formed<Vec<Comp>> {
        if let ValueDef::Const(constant) = self.input.function.value(value).def {
            let constant = self.b.constant(Elem::of(constant.scalar), constant.bits);
            return Ok(vec![Comp::Plain(constant)]);
        }
        match self.values.get(value.index()) {
            Some(Some(KernelValue::Data(comps))) if !comps.is_empty() => Ok(comps.clone()),
            // All paths to it have ended, so no thread reaches this use.
            Some(Some(KernelValue::Data(_))) if let Some(data) = self.input.context.data(value) => {
                let zero = self.b.constant(Elem::of(data.scalar), 0);
                Ok(vec![Comp::Plain(zero); usize::from(data.width)])
            }
            _ => Err(malformed("a value is used that nothing computes")),
        }
    }

    /// The one component of a scalar value.
    pub(super) fn comp(&mut self, value: ValueId) -> Formed<Comp> {
        self.comps(value)?.first().copied().ok_or_else(|| malformed("a value has no component"))
    }

    /// A view.
    pub(super) fn view(&self, value: ValueId) -> Formed<FormedView> {
        match self.values.get(value.index()) {
            Some(Some(KernelValue::View(view))) => Ok((**view).clone()),
            _ => Err(malformed("a view is used that nothing makes")),
        }
    }

    /// Sets the representation of a value.
    pub(super) fn define(&mut self, value: Option<ValueId>, val: KernelValue) {
        if let Some(value) = value {
            if let (Some(parts), KernelValue::Data(comps)) = (self.tile.made.get(&value), &val) {
                for (&part, &comp) in parts.iter().zip(comps) {
                    self.parts[part] = Some(comp);
                }
            }
            self.values[value.index()] = Some(val);
        }
    }

    /// The range of a value in the threads that compute it.
    pub(super) fn range(&self, value: ValueId) -> Option<(i64, i64)> {
        small(self.input.facts.value(value).range?)
    }

    /// The facts about the instruction being written.
    pub(super) fn fact(&self) -> Option<&'k InstFact> {
        self.input.facts.inst(self.at)
    }

    /// Assigns a part.
    pub(super) fn set(&mut self, part: PartNumber, new: Comp) {
        let keep = part >= self.added || self.protected.contains(&part);
        let comp = match (self.active, self.parts[part]) {
            (Some(active), Some(old)) if keep && old != new => {
                let (new, old) = (new.lanes(&mut self.b), old.lanes(&mut self.b));
                Comp::Plain(self.b.select(active, new, old))
            }
            _ => new,
        };
        self.parts[part] = Some(comp);
    }

    /// The active lanes as a value: a mask, or the constant true.
    pub(super) fn active_value(&mut self) -> LaneValue {
        match self.active {
            Some(active) => active,
            None => self.b.truth(true),
        }
    }

    /// The active lanes for which a condition holds.
    pub(super) fn active_and(&mut self, condition: LaneValue) -> Option<LaneValue> {
        match self.active {
            Some(active) => Some(self.b.and(active, condition)),
            None if self.b.constant_of(condition) == Some(1) => None,
            None => Some(condition),
        }
    }

    /// Makes the active lanes leave to the target with this arrival part.
    pub(super) fn leave(&mut self, arrived: PartNumber) {
        let active = self.active_value();
        let before = self.added(arrived);
        let all = self.b.or(before, active);
        self.parts[arrived] = Some(Comp::Plain(all));
        self.exits.touched.insert(arrived);
    }

    /// The lanes that entered a construct, minus those that left it for other targets.
    pub(super) fn without(&mut self, entered: Option<LaneValue>, left: &SortedSet<PartNumber>) -> Option<LaneValue> {
        let mut active = entered;
        for &part in left {
            let gone = self.added(part);
            let stayed = self.b.not(gone);
            active = match active {
                Some(active) => Some(self.b.and(active, stayed)),
                None if self.b.constant_of(stayed) == Some(1) => None,
                None => Some(stayed),
            };
        }
        active
    }
}

/// A range, if it fits in 64 bits.
pub(super) fn small(range: IntegerRange) -> Option<(i64, i64)> {
    Some((i64::try_from(range.lo).ok()?, i64::try_from(range.hi).ok()?))
}
