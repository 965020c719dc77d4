//! The walk over the tree: control, leaves, joins and the rounds of loops. What single instructions give is in [`values`](super::values).

use std::collections::{HashMap, HashSet};

use super::env::{Diff, Env, Info, LinkId, State, Verdict};
use super::{Chooser, Class, Leave, Link, Uniformity, What, phases};
use crate::analysis::calls::Calls;
use crate::kernel::{Block, Function, Inst, InstKind, Kernel, LabelId, Root, ValueId};
use crate::pos::Pos;

/// Walks over the kernel after which it gives up; two or three are usual.
const MAX_WALKS: u32 = 256;
/// Links of because-chains; beyond that chains are shortened.
const MAX_LINKS: usize = 1 << 20;

/// The facts about a kernel.
pub(super) fn run(kernel: &Kernel) -> Uniformity {
    let mut walk = Walk::new(kernel);
    let calls = Calls::of(kernel);
    let inlined = calls.order().is_empty() && calls.cycles().is_empty();
    let mut walks = 0;
    while inlined && !walk.gave_up {
        walk.start();
        walk.block(&kernel.entry.body);
        walks += 1;
        walk.gave_up |= walk.env.is_spent();
        if !walk.changed && !walk.gave_up {
            return walk.finish();
        }
        walk.gave_up |= walks >= MAX_WALKS;
    }
    walk.unproven()
}

/// A reason why not all threads of the tile are at a point.
#[derive(Clone, Copy)]
pub(super) struct Control {
    pub(super) verdict: Verdict,
}

/// A construct that is open.
struct Frame {
    label: Option<LabelId>,
    /// How much control and how many layers there were before it.
    control: usize,
    layers: usize,
    /// Leaves that pass through it to a place further out.
    passing: Verdict,
    /// Leaves to its end, or rounds of it that not all threads begin.
    leaving: Verdict,
    /// What was assigned on the ways to its end, and to the continuing part.
    left: Vec<Diff>,
    goes_on: Vec<Diff>,
    /// The value of a scope.
    value: Option<Vec<Info>>,
}

/// What a loop keeps from one walk to the next.
struct Round {
    /// What its back edge brought.
    back: Diff,
    leaving: Verdict,
    grown: u32,
}

pub(super) struct Walk<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) function: &'a Function,
    pub(super) env: Env,
    /// For each local how much control there was at its declaration.
    pub(super) since: Vec<usize>,
    /// What is known about each value's components.
    pub(super) values: Vec<Vec<Info>>,
    /// Where the instruction stands that gives each value.
    pub(super) positions: Vec<Option<Pos>>,
    pub(super) settled: HashSet<ValueId>,
    /// Does the kernel write to any view or buffer?
    pub(super) writes_shared: bool,
    pub(super) locals: Vec<Class>,
    pub(super) control: Vec<Control>,
    frames: Vec<Frame>,
    rounds: HashMap<LabelId, Round>,
    pub(super) links: Vec<(Link, LinkId)>,
    pub(super) constructs: Vec<Class>,
    pub(super) barriers: Vec<(Pos, Verdict)>,
    /// The point is not reached.
    dead: bool,
    changed: bool,
    gave_up: bool,
}

impl<'a> Walk<'a> {
    fn new(kernel: &'a Kernel) -> Walk<'a> {
        let function = &kernel.entry;
        let mut writes_shared = false;
        function.body.walk(&mut |inst| {
            let written = match &inst.kind {
                InstKind::Store { place, .. }
                | InstKind::Copy { to: place, .. }
                | InstKind::Atomic { place, .. }
                | InstKind::CompareExchange { place, .. } => place,
                _ => return,
            };
            writes_shared |= matches!(written.root, Root::View { .. } | Root::Param(_) | Root::Ref(_));
        });
        let mut walk = Walk {
            kernel,
            function,
            env: Env::new(function.locals.len()),
            since: Vec::new(),
            values: Vec::new(),
            positions: vec![None; function.values.len()],
            settled: phases::settled_loads(kernel),
            writes_shared,
            locals: vec![Class::Uniform; function.locals.len()],
            control: Vec::new(),
            frames: Vec::new(),
            rounds: HashMap::new(),
            links: Vec::new(),
            constructs: Vec::new(),
            barriers: Vec::new(),
            dead: false,
            changed: false,
            gave_up: false,
        };
        walk.values = function.values.iter().map(|value| walk.given(value)).collect();
        walk
    }

    fn start(&mut self) {
        let work = self.env.work;
        self.env = Env::new(self.function.locals.len());
        self.env.work = work;
        self.since = vec![0; self.function.locals.len()];
        self.control.clear();
        self.constructs.clear();
        self.barriers.clear();
        self.frames.clear();
        self.open(None);
        self.dead = false;
        self.changed = false;
    }

    /// Adds a link to a because-chain.
    pub(super) fn link(&mut self, what: What, pos: Pos, next: LinkId) -> LinkId {
        if self.links.len() >= MAX_LINKS {
            return next;
        }
        self.links.push((Link { what, pos }, next));
        self.links.len() as LinkId
    }

    /// The same verdict, told with one more link.
    pub(super) fn because(&mut self, what: What, pos: Pos, verdict: Verdict) -> Verdict {
        match verdict.class {
            Class::Uniform => Verdict::UNIFORM,
            class => Verdict { class, why: self.link(what, pos, verdict.why) },
        }
    }

    /// All that is known about a value by now; classes and ranges only grow from walk to walk.
    pub(super) fn know(&mut self, value: ValueId, parts: Vec<Info>) {
        let Some(known) = self.values.get_mut(value.index()) else { return };
        if known.len() != parts.len() {
            *known = parts;
            return;
        }
        for (known, new) in known.iter_mut().zip(parts) {
            *known = known.join(new);
        }
    }

    /// Control that began after there was this much of it, all together.
    pub(super) fn control_since(&self, depth: usize) -> Verdict {
        self.control.get(depth..).unwrap_or_default().iter().fold(Verdict::UNIFORM, |all, one| all.with(one.verdict))
    }

    fn add_control(&mut self, verdict: Verdict) {
        if !verdict.is_uniform() {
            self.control.push(Control { verdict });
        }
    }

    fn open(&mut self, label: Option<LabelId>) {
        self.frames.push(Frame {
            label,
            control: self.control.len(),
            layers: self.env.depth(),
            passing: Verdict::UNIFORM,
            leaving: Verdict::UNIFORM,
            left: Vec::new(),
            goes_on: Vec::new(),
            value: None,
        });
    }

    /// Ends a construct: threads that left through it are missing from here on.
    fn close(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.control.truncate(frame.control);
        self.add_control(frame.passing);
        Some(frame)
    }

    fn number(&mut self) -> usize {
        self.constructs.push(Class::Uniform);
        self.constructs.len() - 1
    }

    fn block(&mut self, block: &'a Block) {
        for inst in &block.insts {
            if self.dead || self.gave_up {
                // Not reached, or reached only as far as the rules do not allow; numbers of constructs and barriers must still fit.
                self.skip(inst);
                continue;
            }
            self.env.work += 1;
            self.gave_up |= self.env.is_spent();
            self.inst(inst);
        }
    }

    fn skip(&mut self, inst: &'a Inst) {
        match &inst.kind {
            InstKind::Barrier(_) => self.barriers.push((inst.pos, Verdict::UNIFORM)),
            InstKind::If { .. } | InstKind::Switch { .. } | InstKind::Loop { .. } | InstKind::Scope { .. } => {
                self.constructs.push(Class::Uniform);
            }
            _ => {}
        }
        inst.kind.blocks(&mut |block| {
            block.walk(&mut |inst| match &inst.kind {
                InstKind::Barrier(_) => self.barriers.push((inst.pos, Verdict::UNIFORM)),
                InstKind::If { .. } | InstKind::Switch { .. } | InstKind::Loop { .. } | InstKind::Scope { .. } => {
                    self.constructs.push(Class::Uniform);
                }
                _ => {}
            });
        });
    }

    fn inst(&mut self, inst: &'a Inst) {
        match &inst.kind {
            InstKind::If { condition, then, otherwise } => {
                self.choose(inst, *condition, Chooser::If, &[then, otherwise]);
            }
            InstKind::Switch { selector, cases, default } => {
                let blocks: Vec<&Block> = cases.iter().map(|case| &case.body).chain([default]).collect();
                self.choose(inst, *selector, Chooser::Switch, &blocks);
            }
            InstKind::Scope { label, body } => self.scope(inst, *label, body),
            InstKind::Loop { label, condition, body, continuing } => {
                self.round(inst, *label, condition.as_deref(), body, continuing);
            }
            InstKind::Break { label, value } => self.leave(inst, Some(*label), Leave::Break, *value),
            InstKind::Continue { label } => self.leave(inst, Some(*label), Leave::Continue, None),
            InstKind::Return(_) => self.leave(inst, None, Leave::Return, None),
            InstKind::Barrier(_) => {
                // Of several reasons the worst counts, and the innermost of these tells why.
                let worst = self.control.iter().map(|control| control.verdict).max_by_key(|verdict| verdict.class);
                self.barriers.push((inst.pos, worst.unwrap_or(Verdict::UNIFORM)));
            }
            _ => self.plain(inst),
        }
    }

    fn choose(&mut self, inst: &'a Inst, selector: ValueId, chooser: Chooser, arms: &[&'a Block]) {
        let number = self.number();
        let verdict = self.scalar(selector).verdict();
        let verdict = self.because(What::Condition(chooser), inst.pos, verdict);
        self.constructs[number] = verdict.class;
        self.open(None);
        let (layers, control) = (self.env.depth(), self.control.len());
        let mut ways = Vec::new();
        let mut value: Option<Vec<Info>> = None;
        for arm in arms {
            self.env.push();
            self.add_control(verdict);
            self.dead = false;
            self.block(arm);
            let diff = self.env.pop_to(layers);
            if !self.dead {
                ways.push(diff);
                if let Some(gives) = arm.value {
                    let gives = self.parts(gives).into_iter().map(|part| part.now().under(verdict)).collect();
                    value = Some(join_parts(value, gives));
                }
            }
            self.control.truncate(control);
        }
        self.dead = ways.is_empty();
        self.env.meet(&ways);
        self.close();
        if let (Some(result), Some(value)) = (inst.result, value) {
            self.know(result, value);
        }
    }

    fn scope(&mut self, inst: &'a Inst, label: LabelId, body: &'a Block) {
        let number = self.number();
        self.open(Some(label));
        let (layers, control) = (self.env.depth(), self.control.len());
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
        self.constructs[number] = frame.leaving.class;
        self.dead = frame.left.is_empty();
        self.env.meet(&frame.left);
        if let (Some(result), Some(value)) = (inst.result, frame.value) {
            self.know(result, value);
        }
    }

    fn round(
        &mut self,
        inst: &'a Inst,
        label: LabelId,
        condition: Option<&'a Block>,
        body: &'a Block,
        continuing: &'a Block,
    ) {
        let number = self.number();
        self.open(Some(label));
        let layers = self.env.depth();
        self.env.push();
        let mut leaving = Verdict::UNIFORM;
        let mut before = Diff::new();
        if let Some(round) = self.rounds.remove(&label) {
            leaving = round.leaving;
            for (local, state) in &round.back {
                let Some(mut head) = self.env.get(*local).cloned() else { continue };
                head.join_widening(state, round.grown);
                self.env.set(*local, head);
            }
            before = round.back;
            self.rounds.insert(label, Round { back: Diff::new(), leaving, grown: round.grown + 1 });
        }
        self.add_control(leaving);
        let base = self.control.len();
        if let Some(condition) = condition {
            self.block(condition);
            self.ends_if(condition, Chooser::While, inst.pos, layers);
        }
        let body_layers = self.env.depth();
        self.env.push();
        self.block(body);
        let diff = self.env.pop_to(body_layers);
        let mut ways = self.frames.last_mut().map(|frame| std::mem::take(&mut frame.goes_on)).unwrap_or_default();
        if !self.dead {
            ways.push(diff);
        }
        self.control.truncate(base);
        self.dead = ways.is_empty();
        self.env.meet(&ways);
        if self.dead {
            continuing.insts.iter().for_each(|inst| self.skip(inst));
        } else {
            self.block(continuing);
            self.ends_if(continuing, Chooser::BreakIf, inst.pos, layers);
        }
        let back = if self.dead { Diff::new() } else { self.env.above(layers) };
        self.env.pop_to(layers);
        let Some(frame) = self.close() else { return };
        let all = leaving.with(frame.leaving).with(frame.passing);
        let back = grow(before.clone(), back);
        self.changed |= all.class != leaving.class || !same(&before, &back);
        let grown = self.rounds.get(&label).map_or(0, |round| round.grown);
        // The first reason found stays, so that chains do not run in circles.
        let leaving = if all.class == leaving.class { leaving } else { all };
        self.rounds.insert(label, Round { back, leaving, grown });
        self.constructs[number] = leaving.class;
        self.dead = frame.left.is_empty();
        self.env.meet(&frame.left);
    }

    /// A loop's condition: some go on, some leave, if the threads do not agree.
    fn ends_if(&mut self, block: &'a Block, chooser: Chooser, pos: Pos, layers: usize) {
        let Some(value) = block.value else { return };
        if self.dead {
            return;
        }
        let pos = self.end_of(value).unwrap_or(pos);
        let info = self.scalar(value);
        let verdict = self.because(What::Condition(chooser), pos, info.verdict());
        let here = self.frames.last().map_or(0, |frame| frame.control);
        let leaving = self.control_since(here).with(verdict);
        let diff = self.env.above(layers);
        // Round and round for ever: nobody leaves here.
        let never = i64::from(chooser == Chooser::While);
        let leaves = info.range.and_then(crate::analysis::range::Range::single) != Some(never);
        if let Some(frame) = self.frames.last_mut()
            && leaves
        {
            frame.leaving = frame.leaving.with(leaving);
            frame.left.push(diff);
        }
        self.add_control(verdict);
    }

    fn leave(&mut self, inst: &'a Inst, label: Option<LabelId>, leave: Leave, value: Option<ValueId>) {
        self.dead = true;
        // The outermost frame is the kernel's: where `return` goes.
        let target = match label {
            Some(label) => self.frames.iter().rposition(|frame| frame.label == Some(label)).unwrap_or(0),
            None => 0,
        };
        for i in (target..self.frames.len()).rev() {
            let verdict = self.control_since(self.frames[i].control);
            let kept = if i > target { self.frames[i].passing } else { self.frames[i].leaving };
            let joined = kept.with(verdict);
            let joined =
                if joined.class == kept.class { kept } else { self.because(What::Left(leave), inst.pos, joined) };
            if i > target {
                self.frames[i].passing = joined;
            } else if leave != Leave::Continue {
                self.frames[i].leaving = joined;
            }
        }
        let (control, layers) = (self.frames[target].control, self.frames[target].layers);
        let is_loop = leave == Leave::Continue;
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

/// All components together.
pub(super) fn whole(parts: &[Info]) -> Verdict {
    parts.iter().fold(Verdict::UNIFORM, |all, part| all.with(part.verdict()))
}

fn join_parts(known: Option<Vec<Info>>, new: Vec<Info>) -> Vec<Info> {
    match known {
        Some(known) => known.into_iter().zip(new).map(|(a, b)| a.join(b)).collect(),
        None => new,
    }
}

/// What a back edge brought in all walks so far.
fn grow(mut known: Diff, new: Diff) -> Diff {
    for (local, state) in new {
        match known.get_mut(&local) {
            Some(known) => known.join(&state),
            None => {
                known.insert(local, state);
            }
        }
    }
    known
}

fn same(a: &Diff, b: &Diff) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((i, x), (j, y))| i == j && x.same(y))
}

impl Walk<'_> {
    /// What is known about a scalar; of something else nothing.
    pub(super) fn scalar(&self, value: ValueId) -> Info {
        match self.values.get(value.index()).map(Vec::as_slice) {
            Some([one]) => *one,
            Some(many) => Info { came: whole(many), range: None },
            None => Info { came: Verdict { class: Class::Unproven, why: 0 }, range: None },
        }
    }

    /// What is known about each component.
    pub(super) fn parts(&self, value: ValueId) -> Vec<Info> {
        self.values.get(value.index()).cloned().unwrap_or_default()
    }

    /// Sets a local in the current layer, and remembers the class.
    pub(super) fn set_local(&mut self, local: crate::kernel::LocalId, state: State) {
        if let Some(class) = self.locals.get_mut(local.index()) {
            // Each single value may be agreed on where it is set, and the variable hold several at a time.
            *class = state.parts.iter().fold(*class, |class, part| class.with(part.came.class));
        }
        self.env.set(local, state);
    }
}
