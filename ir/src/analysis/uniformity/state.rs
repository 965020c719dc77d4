//! The state of the walk, and the steps that read and change it.

use std::collections::{HashMap, HashSet};

use super::env::{Diff, Env, Info, LinkId, LocalState, UniformityVerdict};
use super::loops::LoopFixpoint;
use super::order::{Learnt, OrderFact};
use super::{BecauseLink, LinkReason, TileAgreement, phases};
use crate::analysis::facts::InstFact;
use crate::analysis::range::IntegerRange;
use crate::kernel::{Block, Function, Inst, Kernel, LabelId, LocalId, Root, ValueId};
use crate::pos::Pos;

/// Limit on the links of because-chains; beyond it chains are shortened.
const MAX_LINKS: usize = 1 << 20;

/// A reason why not all threads of the tile are at a point.
#[derive(Clone, Copy)]
pub(super) struct Control {
    pub(super) verdict: UniformityVerdict,
    /// Joined with all earlier reasons.
    all: UniformityVerdict,
}

/// An open construct.
pub(super) struct ConstructFrame {
    pub(super) label: Option<LabelId>,
    /// Lengths of the control list and of the layers at its start.
    pub(super) control: usize,
    pub(super) layers: usize,
    /// Exits through it to an outer construct.
    pub(super) passing: UniformityVerdict,
    /// Exits to its end, or iterations that only some threads begin.
    pub(super) leaving: UniformityVerdict,
    /// Jumps to its continuing block.
    pub(super) continuing: UniformityVerdict,
    /// The assignments on the paths to its end, and to the continuing block.
    pub(super) left: Vec<Diff>,
    pub(super) goes_on: Vec<Diff>,
    /// The value of a scope.
    pub(super) value: Option<Vec<Info>>,
}

/// The kernel that is walked, and what is known about it before the first walk.
pub(super) struct WalkedKernel<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) function: &'a Function,
    /// Known ranges of parameters.
    pub(super) ranges: &'a [Option<IntegerRange>],
    /// The instruction that defines each value.
    pub(super) defs: Vec<Option<&'a Inst>>,
    /// Loads from `tile_static` with which no thread can be storing. See [`phases`].
    pub(super) settled: HashSet<ValueId>,
    /// Whether the kernel writes to any view or buffer.
    pub(super) writes_shared: bool,
}

/// What the walk tracks for each value, and for each local besides its state in the [`Env`].
pub(super) struct ValueStates {
    /// The state of each value's components.
    pub(super) values: Vec<Vec<Info>>,
    /// Position of the instruction that defines each value.
    pub(super) positions: Vec<Option<Pos>>,
    /// For each value loaded from a scalar local: the local and its stamp.
    pub(super) loaded: Vec<Option<(LocalId, u64)>>,
    /// For each local, the length of the control list at its declaration.
    pub(super) since: Vec<usize>,
}

/// The control at this point of the walk.
#[derive(Default)]
pub(super) struct PathState {
    /// The reasons why not all threads are here, the outermost first.
    pub(super) control: Vec<Control>,
    pub(super) frames: Vec<ConstructFrame>,
    /// Whether the point is unreachable.
    pub(super) dead: bool,
}

/// What conditions imply at this point, and a trail to undo it.
#[derive(Default)]
pub(super) struct LearntFacts {
    /// Ranges narrowed by conditions.
    pub(super) narrowed: HashMap<ValueId, IntegerRange>,
    pub(super) orders: Vec<OrderFact>,
    pub(super) trail: Vec<Learnt>,
}

/// How far the iteration over walks has come. See [`loops`](super::loops).
#[derive(Default)]
pub(super) struct FixpointProgress {
    pub(super) rounds: HashMap<LabelId, LoopFixpoint>,
    /// Whether the walk is descending.
    pub(super) descending: bool,
    /// Whether the descending walk exceeded its assumptions.
    pub(super) broken: bool,
    /// Whether the walk changed the assumptions on a loop.
    pub(super) changed: bool,
}

/// What the walk finds out about the kernel, besides the states of values.
pub(super) struct WalkFindings<'a> {
    /// The facts at each instruction, indexed by its id.
    pub(super) insts: Vec<InstFact>,
    /// The links of all because-chains, each with the one that follows it.
    pub(super) links: Vec<(BecauseLink, LinkId)>,
    /// Indexed by the id of a construct; meaningless for other instructions.
    pub(super) constructs: Vec<TileAgreement>,
    pub(super) barriers: Vec<(&'a Inst, UniformityVerdict)>,
    pub(super) locals: Vec<TileAgreement>,
}

/// The traversal of a kernel, repeated until nothing changes.
pub(super) struct UniformityWalk<'a> {
    pub(super) walked: WalkedKernel<'a>,
    pub(super) env: Env,
    pub(super) states: ValueStates,
    pub(super) path: PathState,
    pub(super) learnt: LearntFacts,
    pub(super) fixpoint: FixpointProgress,
    pub(super) found: WalkFindings<'a>,
    pub(super) gave_up: bool,
}

impl<'a> UniformityWalk<'a> {
    pub(super) fn new(kernel: &'a Kernel, ranges: &'a [Option<IntegerRange>]) -> UniformityWalk<'a> {
        let function = &kernel.entry;
        let mut writes_shared = false;
        function.body.walk(&mut |inst| {
            let root = inst.kind.written_place().map(|place| &place.root);
            writes_shared |= matches!(root, Some(Root::View { .. } | Root::Param(_) | Root::Ref(_)));
        });
        let (values, locals, insts) = (function.values.len(), function.locals.len(), function.inst_count());
        let mut walk = UniformityWalk {
            walked: WalkedKernel {
                kernel,
                function,
                ranges,
                defs: vec![None; values],
                settled: phases::settled_loads(kernel),
                writes_shared,
            },
            env: Env::new(locals),
            states: ValueStates {
                values: Vec::new(),
                positions: vec![None; values],
                loaded: vec![None; values],
                since: Vec::new(),
            },
            path: PathState::default(),
            learnt: LearntFacts::default(),
            fixpoint: FixpointProgress::default(),
            found: WalkFindings {
                insts: vec![InstFact::default(); insts],
                links: Vec::new(),
                constructs: vec![TileAgreement::Uniform; insts],
                barriers: Vec::new(),
                locals: vec![TileAgreement::Uniform; locals],
            },
            gave_up: false,
        };
        walk.define(&function.body);
        walk
    }

    /// Records the defining instruction of each value.
    fn define(&mut self, block: &'a Block) {
        for inst in &block.insts {
            if let Some(def) = inst.result.and_then(|result| self.walked.defs.get_mut(result.index())) {
                *def = Some(inst);
            }
            inst.kind.each_block(&mut |block| self.define(block));
        }
    }

    /// Resets what one walk finds.
    pub(super) fn start(&mut self) {
        let work = self.env.work;
        self.env = Env::new(self.walked.function.locals.len());
        self.env.work = work;
        self.states.since = vec![0; self.walked.function.locals.len()];
        self.path.control.clear();
        self.found.constructs.fill(TileAgreement::Uniform);
        self.found.barriers.clear();
        self.path.frames.clear();
        self.found.locals.fill(TileAgreement::Uniform);
        self.states.values = self.walked.function.values.iter().map(|value| self.given(value)).collect();
        self.learnt.narrowed.clear();
        self.learnt.orders.clear();
        self.learnt.trail.clear();
        self.fixpoint.broken = false;
        self.open(None);
        self.path.dead = false;
        self.fixpoint.changed = false;
    }

    /// Adds a link to a because-chain.
    pub(super) fn link(&mut self, what: LinkReason, pos: Pos, next: LinkId) -> LinkId {
        if self.found.links.len() >= MAX_LINKS {
            return next;
        }
        self.found.links.push((BecauseLink { what, pos }, next));
        self.found.links.len() as LinkId
    }

    /// The same verdict, with one more link in its chain.
    pub(super) fn because(&mut self, what: LinkReason, pos: Pos, verdict: UniformityVerdict) -> UniformityVerdict {
        match verdict.class {
            TileAgreement::Uniform => UniformityVerdict::UNIFORM,
            _ => UniformityVerdict { why: self.link(what, pos, verdict.why), ..verdict },
        }
    }

    /// Sets the state of a value at its definition, in this walk.
    pub(super) fn know(&mut self, value: ValueId, parts: Vec<Info>) {
        if let Some(known) = self.states.values.get_mut(value.index()) {
            *known = parts;
        }
    }

    /// The combined verdict of the control that began after `depth` entries.
    pub(super) fn control_since(&self, depth: usize) -> UniformityVerdict {
        self.path
            .control
            .get(depth..)
            .unwrap_or_default()
            .iter()
            .fold(UniformityVerdict::UNIFORM, |all, one| all.with(one.verdict))
    }

    pub(super) fn add_control(&mut self, verdict: UniformityVerdict) {
        if !verdict.is_uniform() {
            let all = self.control_here().with(verdict);
            self.path.control.push(Control { verdict, all });
        }
    }

    /// The combined verdict of all control at this point.
    pub(super) fn control_here(&self) -> UniformityVerdict {
        self.path.control.last().map_or(UniformityVerdict::UNIFORM, |control| control.all)
    }

    pub(super) fn open(&mut self, label: Option<LabelId>) {
        self.path.frames.push(ConstructFrame {
            label,
            control: self.path.control.len(),
            layers: self.env.depth(),
            passing: UniformityVerdict::UNIFORM,
            leaving: UniformityVerdict::UNIFORM,
            continuing: UniformityVerdict::UNIFORM,
            left: Vec::new(),
            goes_on: Vec::new(),
            value: None,
        });
    }

    /// Ends a construct: threads that exited through it are inactive from here on.
    pub(super) fn close(&mut self) -> Option<ConstructFrame> {
        let frame = self.path.frames.pop()?;
        self.path.control.truncate(frame.control);
        self.add_control(frame.passing);
        Some(frame)
    }

    /// Records whether the threads that enter a construct together agree on it.
    pub(super) fn judge(&mut self, construct: &Inst, class: TileAgreement) {
        if let Some(known) = self.found.constructs.get_mut(construct.id.index()) {
            *known = class;
        }
    }
}

impl UniformityWalk<'_> {
    /// The state of a scalar at this point; no claim for any other type.
    pub(super) fn scalar(&self, value: ValueId) -> Info {
        match self.states.values.get(value.index()).map(Vec::as_slice) {
            Some([one]) => match self.learnt.narrowed.get(&value) {
                Some(&range) => Info { range: Some(range), ..*one },
                None => *one,
            },
            Some(many) => Info::of(whole(many), None),
            None => Info::of(UniformityVerdict::UNPROVEN, None),
        }
    }

    /// The state of each component at this point.
    pub(super) fn parts(&self, value: ValueId) -> Vec<Info> {
        match self.states.values.get(value.index()).map(Vec::as_slice) {
            Some([_]) => vec![self.scalar(value)],
            Some(many) => many.to_vec(),
            None => Vec::new(),
        }
    }

    /// Sets a local in the current layer, and records its class.
    pub(super) fn set_local(&mut self, local: LocalId, state: LocalState) {
        if let Some(class) = self.found.locals.get_mut(local.index()) {
            // The threads may agree on each value at its assignment, and yet have different values
            // at one time.
            *class = state.parts.iter().fold(*class, |class, part| class.with(part.came.class));
        }
        self.env.set(local, state);
    }
}

/// The combined verdict of all components.
pub(super) fn whole(parts: &[Info]) -> UniformityVerdict {
    parts.iter().fold(UniformityVerdict::UNIFORM, |all, part| all.with(part.verdict()))
}
