//! The walk over the tree: control, early exits and joins. Loops are in [`loops`](super::loops),
//! the effects of conditions in [`narrow`](super::narrow), single instructions in
//! [`values`](super::values).

use super::env::{Info, UniformityVerdict};
use super::state::UniformityWalk;
use super::{Chooser, EarlyLeave, LinkReason};
use crate::analysis::calls::CallGraph;
use crate::analysis::facts::{InstFact, KernelFacts};
use crate::analysis::range::IntegerRange;
use crate::fault::{self, Fault};
use crate::kernel::{
    Block, Construct, FunctionId, Inst, InstKind, Jump, Kernel, LabelId, Place, Root, ValueDef, ValueId,
};
use crate::types::ValueType;

/// Limit on the walks over the kernel, after which the analysis gives up; two or three are usual.
pub(super) const MAX_WALKS: u32 = 256;

/// Computes the facts about a kernel.
pub(super) fn run(kernel: &Kernel, ranges: &[Option<IntegerRange>]) -> KernelFacts {
    let mut walk = UniformityWalk::new(kernel, ranges);
    let calls = CallGraph::of(kernel);
    walk.gave_up = !calls.order().iter().all(|&id| is_pure(kernel, id)) || !calls.cycles().is_empty();
    let mut walks = 0;
    while !walk.gave_up {
        walk.once();
        walks += 1;
        if !walk.fixpoint.changed && !walk.gave_up {
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

/// An arm of an `if` or `switch`, and the range of the selector's values that select it, if known.
type Arm<'a> = (&'a Block, Option<IntegerRange>);

impl<'a> UniformityWalk<'a> {
    /// One walk over the kernel.
    pub(super) fn once(&mut self) {
        self.start();
        self.block(&self.walked.function.body);
        self.gave_up |= self.env.is_spent();
    }

    pub(super) fn block(&mut self, block: &'a Block) {
        for inst in &block.insts {
            if self.path.dead || self.gave_up {
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
            self.found.barriers.push((inst, UniformityVerdict::UNIFORM));
        }
        if let Some(fact) = self.found.insts.get_mut(inst.id.index()) {
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
        if let Some(fact) = self.found.insts.get_mut(inst.id.index()) {
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
        let worst = self.path.control.iter().map(|control| control.verdict).max_by_key(|verdict| verdict.class);
        self.found.barriers.push((inst, worst.unwrap_or(UniformityVerdict::UNIFORM)));
    }

    fn choose(&mut self, inst: &'a Inst, selector: ValueId, chooser: Chooser, arms: &[Arm<'a>]) {
        let verdict = self.scalar(selector).verdict();
        let verdict = self.because(LinkReason::Condition(chooser), inst.pos, verdict);
        self.judge(inst, verdict.class);
        self.open(None);
        let (layers, control) = (self.env.depth(), self.path.control.len());
        let mut ways = Vec::new();
        let mut value: Option<Vec<Info>> = None;
        let mut through = None;
        for &(arm, values) in arms {
            self.env.push();
            if !fault::planted(Fault::ArmsCountAsUniform) {
                self.add_control(verdict);
            }
            self.path.dead = false;
            let mark = self.learnt.trail.len();
            self.assume_arm(selector, values);
            self.block(arm);
            let diff = self.env.pop_to(layers);
            if !self.path.dead {
                ways.push(diff);
                through = values;
                if let Some(gives) = arm.value {
                    let gives = self.parts(gives).into_iter().map(|part| part.now().under(verdict)).collect();
                    value = Some(join_parts(value, gives));
                }
            }
            self.take_back(mark);
            self.path.control.truncate(control);
        }
        self.path.dead = ways.is_empty();
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
        let (layers, control) = (self.env.depth(), self.path.control.len());
        let mark = self.learnt.trail.len();
        self.env.push();
        self.block(body);
        let here = self.control_since(control);
        let diff = self.env.pop_to(layers);
        let Some(mut frame) = self.close() else { return };
        if !self.path.dead {
            frame.left.push(diff);
            if let Some(gives) = body.value {
                let gives = self.parts(gives).into_iter().map(|part| part.now().under(here)).collect();
                frame.value = Some(join_parts(frame.value, gives));
            }
        }
        self.take_back(mark);
        self.judge(inst, frame.leaving.class);
        self.path.dead = frame.left.is_empty();
        let mixed = !frame.leaving.row;
        self.env.meet(&frame.left, mixed);
        if let (Some(result), Some(value)) = (inst.result, frame.value) {
            self.know(result, value.into_iter().map(|part| part.mixed(mixed)).collect());
        }
    }

    fn leave(&mut self, inst: &'a Inst, label: Option<LabelId>, leave: EarlyLeave, value: Option<ValueId>) {
        self.path.dead = true;
        // The outermost frame is the kernel's: the target of `return`.
        let target = match label {
            Some(label) => self.path.frames.iter().rposition(|frame| frame.label == Some(label)).unwrap_or(0),
            None => 0,
        };
        for i in (target..self.path.frames.len()).rev() {
            let verdict = self.control_since(self.path.frames[i].control);
            let frame = &self.path.frames[i];
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
            let frame = &mut self.path.frames[i];
            match (i > target, leave) {
                (true, _) => frame.passing = joined,
                (false, EarlyLeave::Continue) => frame.continuing = joined,
                (false, _) => frame.leaving = joined,
            }
        }
        let (control, layers) = (self.path.frames[target].control, self.path.frames[target].layers);
        let is_loop = leave == EarlyLeave::Continue;
        // A loop has a layer of its own below that of its body.
        let diff = self.env.above(layers + usize::from(is_loop));
        let brought = value.map(|value| {
            let here = self.control_since(control);
            self.parts(value).into_iter().map(|part| part.now().under(here)).collect()
        });
        let frame = &mut self.path.frames[target];
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

fn join_parts(known: Option<Vec<Info>>, new: Vec<Info>) -> Vec<Info> {
    match known {
        Some(known) => known.into_iter().zip(new).map(|(a, b)| a.join(b)).collect(),
        None => new,
    }
}
