//! The walk over the tree: control, early exits and joins. Loops are in [`loops`](super::loops),
//! the effects of conditions in [`narrow`](super::narrow), single instructions in
//! [`values`](super::values).

use std::collections::{HashMap, HashSet};

use super::env::{Diff, Env, Info, LinkId, LocalState, UniformityVerdict};
use super::loops::LoopFixpoint;
use super::order::{Learnt, OrderFact};
use super::{BecauseLink, Chooser, EarlyLeave, LinkReason, TileAgreement, phases};
use crate::analysis::calls::CallGraph;
use crate::analysis::facts::{InstFact, KernelFacts};
use crate::analysis::range::IntegerRange;
use crate::kernel::{
    Block, Construct, Function, FunctionId, Inst, InstKind, Jump, Kernel, LabelId, LocalId, Place, Root, ValueDef,
    ValueId,
};
use crate::pos::Pos;
use crate::types::ValueType;

/// Limit on the walks over the kernel, after which the analysis gives up; two or three are usual.
pub(super) const MAX_WALKS: u32 = 256;
/// Limit on the links of because-chains; beyond it chains are shortened.
const MAX_LINKS: usize = 1 << 20;

/// Computes the facts about a kernel.
pub(super) fn run(kernel: &Kernel, ranges: &[Option<IntegerRange>]) -> KernelFacts {
    let mut walk = UniformityWalk::new(kernel, ranges);
    let calls = CallGraph::of(kernel);
    walk.gave_up = !calls.order().iter().all(|&id| is_pure(kernel, id)) || !calls.cycles().is_empty();
    let mut walks = 0;
    while !walk.gave_up {
        walk.once();
        walks += 1;
        if !walk.changed && !walk.gave_up {
            walk.descend(walks);
            break;
        }
        walk.gave_up |= walks >= MAX_WALKS;
    }
    if walk.gave_up { walk.unproven() } else { walk.finish() }
}

/// Whether a function that is still called computes its result from its arguments alone, without
/// side effects. The analysis gives up on a kernel with calls of any other function.
fn is_pure(kernel: &Kernel, id: FunctionId) -> bool {
    let function = &kernel.functions[id.index()];
    let mut pure =
        function.values.iter().all(|value| !matches!((value.def, value.ty), (ValueDef::Param(_), ValueType::View(_))));
    let own = |place: &Place| matches!(place.root, Root::Local(_) | Root::Table(_));
    function.body.walk(&mut |inst| {
        inst.kind.places(&mut |place| pure &= own(place));
        pure &= !matches!(
            inst.kind,
            InstKind::Builtin(_) | InstKind::Barrier(_) | InstKind::Print(_) | InstKind::Error(_) | InstKind::Abort
        );
    });
    pure
}

/// A reason why not all threads of the tile are at a point.
#[derive(Clone, Copy)]
pub(super) struct Control {
    pub(super) verdict: UniformityVerdict,
    /// Joined with all earlier reasons.
    all: UniformityVerdict,
}

/// An open construct.
pub(super) struct ConstructFrame {
    label: Option<LabelId>,
    /// Lengths of the control list and of the layers at its start.
    pub(super) control: usize,
    layers: usize,
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
    value: Option<Vec<Info>>,
}

/// An arm of an `if` or `switch`, and the range of the selector's values that select it, if known.
type Arm<'a> = (&'a Block, Option<IntegerRange>);

pub(super) struct UniformityWalk<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) function: &'a Function,
    pub(super) env: Env,
    /// For each local, the length of the control list at its declaration.
    pub(super) since: Vec<usize>,
    /// The state of each value's components.
    pub(super) values: Vec<Vec<Info>>,
    /// Position of the instruction that defines each value.
    pub(super) positions: Vec<Option<Pos>>,
    pub(super) settled: HashSet<ValueId>,
    /// Whether the kernel writes to any view or buffer.
    pub(super) writes_shared: bool,
    pub(super) locals: Vec<TileAgreement>,
    pub(super) control: Vec<Control>,
    pub(super) frames: Vec<ConstructFrame>,
    pub(super) rounds: HashMap<LabelId, LoopFixpoint>,
    /// Whether the walk is descending. See [`loops`](super::loops).
    pub(super) descending: bool,
    /// Whether the descending walk exceeded its assumptions.
    pub(super) broken: bool,
    /// The instruction that defines each value.
    pub(super) defs: Vec<Option<&'a Inst>>,
    /// For each value loaded from a scalar local: the local and its stamp.
    pub(super) loaded: Vec<Option<(LocalId, u64)>>,
    /// Ranges narrowed by conditions at this point, and a trail to undo them.
    pub(super) narrowed: HashMap<ValueId, IntegerRange>,
    pub(super) orders: Vec<OrderFact>,
    pub(super) trail: Vec<Learnt>,
    /// Known ranges of parameters.
    pub(super) ranges: &'a [Option<IntegerRange>],
    /// The facts at each instruction, indexed by its id.
    pub(super) insts: Vec<InstFact>,
    pub(super) links: Vec<(BecauseLink, LinkId)>,
    /// Indexed by the id of a construct; meaningless for other instructions.
    pub(super) constructs: Vec<TileAgreement>,
    pub(super) barriers: Vec<(&'a Inst, UniformityVerdict)>,
    /// Whether the point is unreachable.
    pub(super) dead: bool,
    pub(super) changed: bool,
    pub(super) gave_up: bool,
}

impl<'a> UniformityWalk<'a> {
    fn new(kernel: &'a Kernel, ranges: &'a [Option<IntegerRange>]) -> UniformityWalk<'a> {
        let function = &kernel.entry;
        let mut writes_shared = false;
        function.body.walk(&mut |inst| {
            let root = inst.kind.written_place().map(|place| &place.root);
            writes_shared |= matches!(root, Some(Root::View { .. } | Root::Param(_) | Root::Ref(_)));
        });
        let mut walk = UniformityWalk {
            kernel,
            function,
            env: Env::new(function.locals.len()),
            since: Vec::new(),
            values: Vec::new(),
            positions: vec![None; function.values.len()],
            settled: phases::settled_loads(kernel),
            writes_shared,
            locals: vec![TileAgreement::Uniform; function.locals.len()],
            control: Vec::new(),
            frames: Vec::new(),
            rounds: HashMap::new(),
            descending: false,
            broken: false,
            defs: vec![None; function.values.len()],
            loaded: vec![None; function.values.len()],
            narrowed: HashMap::new(),
            orders: Vec::new(),
            trail: Vec::new(),
            ranges,
            insts: vec![InstFact::default(); function.inst_count()],
            links: Vec::new(),
            constructs: vec![TileAgreement::Uniform; function.inst_count()],
            barriers: Vec::new(),
            dead: false,
            changed: false,
            gave_up: false,
        };
        walk.define(&function.body);
        walk
    }

    /// Records the defining instruction of each value.
    fn define(&mut self, block: &'a Block) {
        for inst in &block.insts {
            if let Some(def) = inst.result.and_then(|result| self.defs.get_mut(result.index())) {
                *def = Some(inst);
            }
            inst.kind.each_block(&mut |block| self.define(block));
        }
    }

    /// One walk over the kernel.
    pub(super) fn once(&mut self) {
        self.start();
        self.block(&self.function.body);
        self.gave_up |= self.env.is_spent();
    }

    fn start(&mut self) {
        let work = self.env.work;
        self.env = Env::new(self.function.locals.len());
        self.env.work = work;
        self.since = vec![0; self.function.locals.len()];
        self.control.clear();
        self.constructs.fill(TileAgreement::Uniform);
        self.barriers.clear();
        self.frames.clear();
        self.locals.fill(TileAgreement::Uniform);
        self.values = self.function.values.iter().map(|value| self.given(value)).collect();
        self.narrowed.clear();
        self.orders.clear();
        self.trail.clear();
        self.broken = false;
        self.open(None);
        self.dead = false;
        self.changed = false;
    }

    /// Adds a link to a because-chain.
    pub(super) fn link(&mut self, what: LinkReason, pos: Pos, next: LinkId) -> LinkId {
        if self.links.len() >= MAX_LINKS {
            return next;
        }
        self.links.push((BecauseLink { what, pos }, next));
        self.links.len() as LinkId
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
        if let Some(known) = self.values.get_mut(value.index()) {
            *known = parts;
        }
    }

    /// The combined verdict of the control that began after `depth` entries.
    pub(super) fn control_since(&self, depth: usize) -> UniformityVerdict {
        self.control
            .get(depth..)
            .unwrap_or_default()
            .iter()
            .fold(UniformityVerdict::UNIFORM, |all, one| all.with(one.verdict))
    }

    pub(super) fn add_control(&mut self, verdict: UniformityVerdict) {
        if !verdict.is_uniform() {
            let all = self.control_here().with(verdict);
            self.control.push(Control { verdict, all });
        }
    }

    /// The combined verdict of all control at this point.
    fn control_here(&self) -> UniformityVerdict {
        self.control.last().map_or(UniformityVerdict::UNIFORM, |control| control.all)
    }

    pub(super) fn open(&mut self, label: Option<LabelId>) {
        self.frames.push(ConstructFrame {
            label,
            control: self.control.len(),
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
        let frame = self.frames.pop()?;
        self.control.truncate(frame.control);
        self.add_control(frame.passing);
        Some(frame)
    }

    /// Records whether the threads that enter a construct together agree on it.
    pub(super) fn judge(&mut self, construct: &Inst, class: TileAgreement) {
        if let Some(known) = self.constructs.get_mut(construct.id.index()) {
            *known = class;
        }
    }

    pub(super) fn block(&mut self, block: &'a Block) {
        for inst in &block.insts {
            if self.dead || self.gave_up {
                // Unreachable, or reachable only in a kernel that breaks the rules. Barriers are
                // listed in either case.
                self.skip(inst);
                continue;
            }
            self.env.work += 1;
            self.gave_up |= self.env.is_spent();
            self.inst(inst);
        }
    }

    pub(super) fn skip(&mut self, inst: &'a Inst) {
        if inst.kind.barrier().is_some() {
            self.barriers.push((inst, UniformityVerdict::UNIFORM));
        }
        if let Some(fact) = self.insts.get_mut(inst.id.index()) {
            *fact = InstFact::default();
        }
        inst.kind.each_block(&mut |block| block.insts.iter().for_each(|inst| self.skip(inst)));
    }

    /// Records the facts at an instruction.
    fn note(&mut self, inst: &Inst) {
        let mut places = Vec::new();
        inst.kind.places(&mut |place| {
            place.place_values(&mut |&value| places.push((self.fact(value), self.bounds(value))));
        });
        let (places, below) = places.into_iter().unzip();
        let control = self.control_here();
        if let Some(fact) = self.insts.get_mut(inst.id.index()) {
            *fact = InstFact { reached: true, control: control.class, row_together: control.row, places, below };
        }
    }

    fn inst(&mut self, inst: &'a Inst) {
        self.note(inst);
        if let Some(construct) = inst.kind.construct() {
            return self.construct(inst, construct);
        }
        match inst.kind.jump() {
            Some(Jump::Break { label, value }) => self.leave(inst, Some(label), EarlyLeave::Break, value),
            Some(Jump::Continue { label }) => self.leave(inst, Some(label), EarlyLeave::Continue, None),
            Some(Jump::Return(_)) => self.leave(inst, None, EarlyLeave::Return, None),
            // A thread that ends in an error counts as if it continued.
            None => self.plain(inst),
        }
    }

    fn construct(&mut self, inst: &'a Inst, construct: Construct<'a>) {
        match construct {
            Construct::If { condition, then, otherwise } => {
                let arms = [(then, Some(IntegerRange::just(1))), (otherwise, Some(IntegerRange::just(0)))];
                self.choose(inst, condition, Chooser::If, &arms);
            }
            Construct::Switch { selector, cases, default } => {
                let arms = cases.iter().map(|case| (&case.body, self.hull(selector, case)));
                let arms: Vec<Arm<'a>> = arms.chain([(default, None)]).collect();
                self.choose(inst, selector, Chooser::Switch, &arms);
            }
            Construct::Scope { label, body } => self.scope(inst, label, body),
            Construct::Loop { label, condition, body, continuing } => {
                self.round(inst, label, condition, body, continuing);
            }
        }
    }

    /// Records a barrier, with the control at this point.
    pub(super) fn barrier(&mut self, inst: &'a Inst) {
        // The worst verdict counts, with the reason of its innermost control.
        let worst = self.control.iter().map(|control| control.verdict).max_by_key(|verdict| verdict.class);
        self.barriers.push((inst, worst.unwrap_or(UniformityVerdict::UNIFORM)));
    }

    fn choose(&mut self, inst: &'a Inst, selector: ValueId, chooser: Chooser, arms: &[Arm<'a>]) {
        let verdict = self.scalar(selector).verdict();
        let verdict = self.because(LinkReason::Condition(chooser), inst.pos, verdict);
        self.judge(inst, verdict.class);
        self.open(None);
        let (layers, control) = (self.env.depth(), self.control.len());
        let mut ways = Vec::new();
        let mut value: Option<Vec<Info>> = None;
        let mut through = None;
        for &(arm, values) in arms {
            self.env.push();
            self.add_control(verdict);
            self.dead = false;
            let mark = self.trail.len();
            self.assume_arm(selector, values);
            self.block(arm);
            let diff = self.env.pop_to(layers);
            if !self.dead {
                ways.push(diff);
                through = values;
                if let Some(gives) = arm.value {
                    let gives = self.parts(gives).into_iter().map(|part| part.now().under(verdict)).collect();
                    value = Some(join_parts(value, gives));
                }
            }
            self.take_back(mark);
            self.control.truncate(control);
        }
        self.dead = ways.is_empty();
        let mixed = ways.len() > 1 && !verdict.row;
        self.env.meet(&ways, mixed);
        self.close();
        if let (Some(result), Some(value)) = (inst.result, value) {
            self.know(result, value.into_iter().map(|part| part.mixed(mixed)).collect());
        }
        if ways.len() == 1 {
            // Every active thread came through that arm.
            self.assume_arm(selector, through);
        }
    }

    fn scope(&mut self, inst: &'a Inst, label: LabelId, body: &'a Block) {
        self.open(Some(label));
        let (layers, control) = (self.env.depth(), self.control.len());
        let mark = self.trail.len();
        self.env.push();
        self.block(body);
        let here = self.control_since(control);
        let diff = self.env.pop_to(layers);
        let Some(mut frame) = self.close() else { return };
        if !self.dead {
            frame.left.push(diff);
            if let Some(gives) = body.value {
                let gives = self.parts(gives).into_iter().map(|part| part.now().under(here)).collect();
                frame.value = Some(join_parts(frame.value, gives));
            }
        }
        self.take_back(mark);
        self.judge(inst, frame.leaving.class);
        self.dead = frame.left.is_empty();
        let mixed = !frame.leaving.row;
        self.env.meet(&frame.left, mixed);
        if let (Some(result), Some(value)) = (inst.result, frame.value) {
            self.know(result, value.into_iter().map(|part| part.mixed(mixed)).collect());
        }
    }

    fn leave(&mut self, inst: &'a Inst, label: Option<LabelId>, leave: EarlyLeave, value: Option<ValueId>) {
        self.dead = true;
        // The outermost frame is the kernel's: the target of `return`.
        let target = match label {
            Some(label) => self.frames.iter().rposition(|frame| frame.label == Some(label)).unwrap_or(0),
            None => 0,
        };
        for i in (target..self.frames.len()).rev() {
            let verdict = self.control_since(self.frames[i].control);
            let frame = &self.frames[i];
            let kept = match (i > target, leave) {
                (true, _) => frame.passing,
                (false, EarlyLeave::Continue) => frame.continuing,
                (false, _) => frame.leaving,
            };
            let joined = kept.with(verdict);
            let joined = match joined.class == kept.class {
                true => UniformityVerdict { row: joined.row, ..kept },
                false => self.because(LinkReason::Left(leave), inst.pos, joined),
            };
            let frame = &mut self.frames[i];
            match (i > target, leave) {
                (true, _) => frame.passing = joined,
                (false, EarlyLeave::Continue) => frame.continuing = joined,
                (false, _) => frame.leaving = joined,
            }
        }
        let (control, layers) = (self.frames[target].control, self.frames[target].layers);
        let is_loop = leave == EarlyLeave::Continue;
        // A loop has a layer of its own below that of its body.
        let diff = self.env.above(layers + usize::from(is_loop));
        let brought = value.map(|value| {
            let here = self.control_since(control);
            self.parts(value).into_iter().map(|part| part.now().under(here)).collect()
        });
        let frame = &mut self.frames[target];
        if is_loop {
            frame.goes_on.push(diff);
        } else {
            frame.left.push(diff);
        }
        if let Some(brought) = brought {
            frame.value = Some(join_parts(frame.value.take(), brought));
        }
    }
}

/// The combined verdict of all components.
pub(super) fn whole(parts: &[Info]) -> UniformityVerdict {
    parts.iter().fold(UniformityVerdict::UNIFORM, |all, part| all.with(part.verdict()))
}

fn join_parts(known: Option<Vec<Info>>, new: Vec<Info>) -> Vec<Info> {
    match known {
        Some(known) => known.into_iter().zip(new).map(|(a, b)| a.join(b)).collect(),
        None => new,
    }
}

impl UniformityWalk<'_> {
    /// The state of a scalar at this point; no claim for any other type.
    pub(super) fn scalar(&self, value: ValueId) -> Info {
        match self.values.get(value.index()).map(Vec::as_slice) {
            Some([one]) => match self.narrowed.get(&value) {
                Some(&range) => Info { range: Some(range), ..*one },
                None => *one,
            },
            Some(many) => Info::of(whole(many), None),
            None => Info::of(UniformityVerdict::UNPROVEN, None),
        }
    }

    /// The state of each component at this point.
    pub(super) fn parts(&self, value: ValueId) -> Vec<Info> {
        match self.values.get(value.index()).map(Vec::as_slice) {
            Some([_]) => vec![self.scalar(value)],
            Some(many) => many.to_vec(),
            None => Vec::new(),
        }
    }

    /// Sets a local in the current layer, and records its class.
    pub(super) fn set_local(&mut self, local: LocalId, state: LocalState) {
        if let Some(class) = self.locals.get_mut(local.index()) {
            // The threads may agree on each value at its assignment, and yet have different values
            // at one time.
            *class = state.parts.iter().fold(*class, |class, part| class.with(part.came.class));
        }
        self.env.set(local, state);
    }
}
