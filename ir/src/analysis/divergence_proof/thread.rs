//! The execution of one thread with what the kernel itself determines.

use super::trace::ThreadTrace;
use super::{ConstructEffect, DivergenceProver, ProofTarget, holds, is_around, is_false};
use crate::analysis::finite::assigned_local;
use crate::analysis::uniformity::TileAgreement;
use crate::kernel::{
    Block, Builtin, Construct, Function, Init, Inst, InstClass, InstKind, Jump, LabelId, LocalId, Place, Root, Step,
    SwitchCase, ValueDef, ValueId,
};
use crate::stack::with_block;
use crate::types::Data;

/// What is known of a scalar or vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KnownValue {
    /// The components as bits; `None` for one that is unknown.
    bits: [Option<u64>; 4],
    /// Whether all threads of the tile that have it have the same; for the first tile, all of the
    /// launch.
    shared: bool,
}

const UNKNOWN: KnownValue = KnownValue { bits: [None; 4], shared: false };

impl KnownValue {
    const fn scalar(bits: Option<u64>, shared: bool) -> KnownValue {
        KnownValue { bits: [bits, None, None, None], shared }
    }
}

/// Rounds of a loop after which a thread is no longer followed, if the loop's end is unknown.
const GUESSED_ROUNDS: u32 = 4;

/// Which tile the threads belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProofTile {
    /// Any: its position is unknown.
    Any,
    /// The first of the domain, whose position is zero.
    First,
}

/// How loops around the barrier are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProofRounds {
    /// One round, of which nothing is known but what holds in each.
    Arbitrary,
    /// One after the other.
    FromFirst,
}

/// How the thread goes on after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ThreadFlow {
    Next,
    Break(LabelId),
    Continue(LabelId),
    Return,
    /// Nothing more is known of the thread.
    Lost,
}

/// A condition at a construct.
enum KnownChoice {
    /// The bits of the condition or selector, and whether they are the same for all threads of the
    /// tile.
    Known(u64, bool),
    /// Unknown, and the same for all threads of the tile.
    Shared,
    /// Unknown.
    Unknown,
}

/// What is known of values and variables while a thread is executed. It serves all threads: what one
/// of them has set is put back, so that a thread costs no more than what it executes.
#[derive(Debug, Default)]
pub(super) struct ProofMemory {
    values: Vec<KnownValue>,
    locals: Vec<KnownValue>,
    set_values: Vec<ValueId>,
    set_locals: Vec<LocalId>,
}

impl ProofMemory {
    pub(super) fn of(function: &Function) -> ProofMemory {
        let given = |def: &ValueDef| match def {
            ValueDef::Const(constant) => KnownValue::scalar(Some(constant.bits), true),
            ValueDef::Param(_) => KnownValue::scalar(None, true),
            ValueDef::Inst => UNKNOWN,
        };
        ProofMemory {
            values: function.values().iter().map(|value| given(&value.def)).collect(),
            locals: vec![UNKNOWN; function.locals().len()],
            set_values: Vec::new(),
            set_locals: Vec::new(),
        }
    }

    /// Sets the result of an instruction.
    fn set_value(&mut self, value: ValueId, known: KnownValue) {
        self.values[value.index()] = known;
        self.set_values.push(value);
    }

    /// A variable, to be set.
    fn local_mut(&mut self, local: LocalId) -> &mut KnownValue {
        self.set_locals.push(local);
        &mut self.locals[local.index()]
    }

    /// Forgets what a thread has set: results of instructions and variables.
    fn reset(&mut self) {
        for value in self.set_values.drain(..) {
            self.values[value.index()] = UNKNOWN;
        }
        for local in self.set_locals.drain(..) {
            self.locals[local.index()] = UNKNOWN;
        }
    }
}

/// The execution of one thread.
pub(super) struct ProofThread<'p, 'k> {
    prover: &'p DivergenceProver<'k>,
    tile: ProofTile,
    way: ProofRounds,
    /// The thread's position in the tile.
    at: [u32; 3],
    target: &'p ProofTarget,
    memory: &'p mut ProofMemory,
    /// Whether a condition that differs between threads has led here, so that not all come with
    /// this one.
    own_way: bool,
    /// Whether such a condition belongs to the construct that is executed, or to one in it that
    /// some threads leave.
    parted: bool,
    /// The rounds of the loops around the current instruction.
    rounds: Vec<u32>,
    trace: ThreadTrace,
    /// Instructions that may still be executed.
    steps: u32,
}

impl<'p, 'k> ProofThread<'p, 'k> {
    pub(super) fn new(
        prover: &'p DivergenceProver<'k>,
        (tile, way): (ProofTile, ProofRounds),
        at: [u32; 3],
        target: &'p ProofTarget,
        memory: &'p mut ProofMemory,
        steps: u32,
    ) -> Self {
        memory.reset();
        ProofThread {
            prover,
            tile,
            way,
            at,
            target,
            memory,
            own_way: false,
            parted: false,
            rounds: Vec::new(),
            trace: ThreadTrace::default(),
            steps,
        }
    }

    /// Follows the thread as far as it is known. Returns also the steps that are left.
    pub(super) fn run(mut self) -> (ThreadTrace, u32) {
        match self.block(self.prover.kernel.entry().body()) {
            ThreadFlow::Lost => {}
            ThreadFlow::Next | ThreadFlow::Return | ThreadFlow::Break(_) | ThreadFlow::Continue(_) => self.trace.end(),
        }
        (self.trace, self.steps)
    }

    fn block(&mut self, block: &'k Block) -> ThreadFlow {
        for inst in &block.insts {
            let Some(left) = self.steps.checked_sub(1) else { return ThreadFlow::Lost };
            self.steps = left;
            match self.inst(inst) {
                ThreadFlow::Next => {}
                flow => return flow,
            }
        }
        ThreadFlow::Next
    }

    fn inst(&mut self, inst: &'k Inst) -> ThreadFlow {
        match inst.kind.class() {
            InstClass::Compute | InstClass::Query => {
                let known = self.computed(inst);
                self.set_results(inst, known);
            }
            InstClass::Read => {
                let known = inst.kind.read_place().map_or(UNKNOWN, |place| self.load(place));
                self.set_results(inst, known);
                self.forget(&inst.kind);
            }
            InstClass::Write | InstClass::Declare => self.write(&inst.kind),
            InstClass::Atomic | InstClass::MakeView | InstClass::Call => {
                self.set_results(inst, UNKNOWN);
                self.forget(&inst.kind);
            }
            InstClass::Synchronize => {
                if inst.kind.barrier().is_some() {
                    self.trace.arrive(inst.id, &self.rounds);
                }
            }
            InstClass::Output => {}
            InstClass::Stop => return ThreadFlow::Lost,
            InstClass::Jump => {
                return match inst.kind.jump() {
                    Some(Jump::Break { label, .. }) => ThreadFlow::Break(label),
                    Some(Jump::Continue { label }) => ThreadFlow::Continue(label),
                    Some(Jump::Return(_)) | None => ThreadFlow::Return,
                };
            }
            InstClass::Structured => return self.construct(inst),
        }
        ThreadFlow::Next
    }

    fn construct(&mut self, inst: &'k Inst) -> ThreadFlow {
        let prover = self.prover;
        let (Some(construct), Some(effect)) = (inst.kind.construct(), prover.constructs.get(&inst.id)) else {
            return ThreadFlow::Lost;
        };
        let (before, around) = (self.own_way, std::mem::replace(&mut self.parted, false));
        let flow = match construct {
            Construct::If { condition, then, otherwise } => match self.choice(condition) {
                KnownChoice::Known(bits, shared) => {
                    self.part(!shared);
                    self.arm(inst, if bits == 0 { otherwise } else { then })
                }
                KnownChoice::Shared => match [then, otherwise].into_iter().find(|arm| self.holds(arm)) {
                    Some(arm) if self.may_be_led(0) => self.arm(inst, arm),
                    Some(_) => ThreadFlow::Lost,
                    None if self.is_and(inst, otherwise) => self.arm(inst, then),
                    None => self.skip(inst, effect, true),
                },
                KnownChoice::Unknown => self.skip(inst, effect, false),
            },
            Construct::Switch { selector, cases, default } => match self.choice(selector) {
                KnownChoice::Known(bits, shared) => {
                    self.part(!shared);
                    let selected = |case: &&SwitchCase| case.values.iter().any(|&value| u64::from(value) == bits);
                    self.arm(inst, cases.iter().find(selected).map_or(default, |case| &case.body))
                }
                KnownChoice::Shared => {
                    let mut arms = cases.iter().map(|case| &case.body).chain([default]);
                    match arms.find(|arm| self.holds(arm)) {
                        Some(arm) if self.may_be_led(0) => self.arm(inst, arm),
                        Some(_) => ThreadFlow::Lost,
                        None => self.skip(inst, effect, true),
                    }
                }
                KnownChoice::Unknown => self.skip(inst, effect, false),
            },
            Construct::Loop { .. } => {
                self.rounds.push(0);
                let flow = self.repeat(inst, effect);
                self.rounds.pop();
                flow
            }
            Construct::Scope { label, body } => match self.arm(inst, body) {
                // The value of a `break` is not followed.
                ThreadFlow::Break(to) if to == label => {
                    self.set_results(inst, UNKNOWN);
                    ThreadFlow::Next
                }
                flow => flow,
            },
        };
        if flow != ThreadFlow::Lost {
            self.pass(inst);
        }
        let parted = std::mem::replace(&mut self.parted, around);
        if parted {
            // Threads took different ways, and meet here again unless some have left.
            self.own_way = before || !effect.exits.is_empty();
            self.parted |= !effect.exits.is_empty();
            self.spend(effect.sets.len());
            for &local in &effect.sets {
                self.memory.local_mut(local).shared = false;
            }
            if let Some(result) = inst.result {
                self.memory.values[result.index()].shared = false;
            }
        }
        flow
    }

    /// Counts further work.
    fn spend(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(u32::try_from(steps).unwrap_or(u32::MAX));
    }

    /// A condition is known; `differs`: perhaps not the same for all threads.
    fn part(&mut self, differs: bool) {
        self.own_way |= differs;
        self.parted |= differs;
    }

    /// Executes an arm of a construct, whose value is the construct's.
    fn arm(&mut self, inst: &Inst, arm: &'k Block) -> ThreadFlow {
        let flow = with_block(|| self.block(arm));
        let known = arm.value.map_or(UNKNOWN, |value| self.value(value));
        self.set_results(inst, known);
        flow
    }

    /// Executes a loop. The last number of `rounds` is its own.
    fn repeat(&mut self, inst: &'k Inst, effect: &ConstructEffect) -> ThreadFlow {
        let Some(Construct::Loop { label, condition, body, continuing }) = inst.kind.construct() else {
            return ThreadFlow::Lost;
        };
        let arbitrary = self.way == ProofRounds::Arbitrary && self.is_around(inst);
        if arbitrary {
            self.spend(effect.sets.len());
            for &local in &effect.sets {
                let shared =
                    self.prover.uniformity.local(local) == TileAgreement::Uniform && self.tile == ProofTile::Any;
                *self.memory.local_mut(local) = KnownValue { shared, ..UNKNOWN };
            }
        }
        loop {
            if let Some(block) = condition {
                match with_block(|| self.block(block)) {
                    ThreadFlow::Next => {}
                    flow => return flow,
                }
                match block.value.map_or(KnownChoice::Unknown, |value| self.choice(value)) {
                    KnownChoice::Known(bits, shared) => {
                        self.part(!shared);
                        if bits == 0 {
                            return ThreadFlow::Next;
                        }
                    }
                    // A thread that is not in this round does not come to the barrier in it.
                    KnownChoice::Shared | KnownChoice::Unknown if arbitrary => {}
                    KnownChoice::Shared if self.goes_on(inst) => {}
                    KnownChoice::Shared => return self.skip(inst, effect, true),
                    KnownChoice::Unknown => return self.skip(inst, effect, false),
                }
            }
            match with_block(|| self.block(body)) {
                ThreadFlow::Next => {}
                ThreadFlow::Continue(to) if to == label => {}
                ThreadFlow::Break(to) if to == label => return ThreadFlow::Next,
                flow => return flow,
            }
            match with_block(|| self.block(continuing)) {
                ThreadFlow::Next => {}
                ThreadFlow::Break(to) if to == label => return ThreadFlow::Next,
                flow => return flow,
            }
            if arbitrary {
                self.pass(inst);
                return ThreadFlow::Lost;
            }
            if let Some(value) = continuing.value {
                match self.choice(value) {
                    KnownChoice::Known(bits, shared) => {
                        self.part(!shared);
                        if bits != 0 {
                            return ThreadFlow::Next;
                        }
                    }
                    KnownChoice::Shared if self.goes_on(inst) => {}
                    KnownChoice::Shared => return self.skip(inst, effect, true),
                    KnownChoice::Unknown => return self.skip(inst, effect, false),
                }
            }
            self.pass(inst);
            if let Some(round) = self.rounds.last_mut() {
                *round += 1;
            }
        }
    }

    /// Whether an unknown condition within this many loops may lead the thread: where other
    /// launches go past the barrier, they must not come back to it in a later round.
    fn may_be_led(&self, loops: usize) -> bool {
        self.way == ProofRounds::Arbitrary || self.rounds.len() <= loops
    }

    /// Whether this is `a && b` without which no thread comes to the barrier.
    fn is_and(&self, inst: &Inst, otherwise: &Block) -> bool {
        is_false(self.prover.kernel, otherwise)
            && inst.result.is_some_and(|result| self.target.guards.contains(&result))
            && self.may_be_led(0)
    }

    /// Whether the thread is followed into another round of a loop on whose end all threads agree,
    /// unknown when.
    fn goes_on(&self, inst: &Inst) -> bool {
        let early = self.rounds.last().is_some_and(|&round| round < GUESSED_ROUNDS);
        self.is_around(inst) && early && self.may_be_led(1) && !self.trace.has_met(self.target.barrier)
    }

    /// Goes past the rest of a construct whose way is unknown; `shared`: it is the same for all
    /// threads of the tile.
    fn skip(&mut self, inst: &Inst, effect: &ConstructEffect, shared: bool) -> ThreadFlow {
        // A thread that fails counts as arrived everywhere.
        let around = |label: &LabelId| self.target.labels.contains(label);
        let past = effect.exits.iter().all(|exit| exit.as_ref().is_none_or(around));
        let left = effect.exits.is_empty() || past && self.may_be_led(0) && falls_through(inst);
        let known = match shared {
            true => left,
            false => !effect.has_barrier && effect.exits.is_empty(),
        };
        if self.is_around(inst) || effect.fails || !known {
            return ThreadFlow::Lost;
        }
        self.spend(effect.sets.len());
        for &local in &effect.sets {
            *self.memory.local_mut(local) = UNKNOWN;
        }
        self.set_results(inst, UNKNOWN);
        ThreadFlow::Next
    }

    /// The thread has a construct behind it, or a round of it. If it may fail later, it may still
    /// count as arrived.
    fn pass(&mut self, inst: &Inst) {
        if self.is_around(inst) && !self.prover.may_fail {
            self.trace.pass(&self.rounds);
        }
    }

    /// Whether the barrier in question is in this construct.
    fn is_around(&self, inst: &Inst) -> bool {
        is_around(inst, self.target.barrier)
    }

    /// Whether the barrier in question is in this block.
    fn holds(&self, block: &Block) -> bool {
        holds(block, self.target.barrier)
    }

    fn choice(&self, value: ValueId) -> KnownChoice {
        let known = self.value(value);
        match (known.bits[0], known.shared) {
            (Some(bits), shared) => KnownChoice::Known(bits, shared),
            (None, true) => KnownChoice::Shared,
            (None, false) => KnownChoice::Unknown,
        }
    }

    fn value(&self, value: ValueId) -> KnownValue {
        self.memory.values.get(value.index()).copied().unwrap_or(UNKNOWN)
    }

    fn data(&self, value: ValueId) -> Option<Data> {
        self.prover.kernel.entry().values().get(value.index())?.ty.data()
    }

    fn set_results(&mut self, inst: &Inst, known: KnownValue) {
        if let Some(second) = inst.kind.second_result() {
            self.memory.set_value(second, UNKNOWN);
        }
        if let Some(result) = inst.result {
            // In the first tile, what only this tile shares does not count.
            let uniform = self.prover.uniformity.value(result) == TileAgreement::Uniform;
            let proved = uniform && self.tile == ProofTile::Any;
            self.memory.set_value(result, KnownValue { shared: known.shared || proved, ..known });
        }
    }

    /// The value of an instruction that reads neither memory nor variables.
    fn computed(&self, inst: &Inst) -> KnownValue {
        let mut out = [None; 4];
        let mut shared = true;
        inst.kind.operands(&mut |&operand| shared &= self.value(operand).shared);
        if let InstKind::Op { op, args } = &inst.kind {
            let types: Option<Vec<Data>> = args.iter().map(|&arg| self.data(arg)).collect();
            let Some(Ok(instance)) = types.map(|types| op.resolve(&types)) else { return UNKNOWN };
            let width = usize::from(instance.result.width);
            if op.each(instance.scalar).is_some() {
                for (i, out) in out.iter_mut().enumerate().take(width) {
                    *out = op.fold(instance.scalar, args.iter().map(|&arg| self.value(arg).bits[i]));
                }
            } else {
                let known = |&arg: &ValueId| {
                    let width = self.data(arg).map_or(0, |data| usize::from(data.width));
                    let bits = self.value(arg).bits;
                    bits[..width].iter().all(Option::is_some).then(|| bits.map(Option::unwrap_or_default))
                };
                if let Some(lanes) = args.iter().map(known).collect::<Option<Vec<_>>>() {
                    let bits = op.eval(instance, &lanes);
                    (0..width).for_each(|i| out[i] = Some(bits[i]));
                }
            }
        } else if let InstKind::Compose(parts) = &inst.kind {
            out.iter_mut().zip(parts).for_each(|(out, &part)| *out = self.value(part).bits[0]);
        } else if let InstKind::Splat { value, width } = &inst.kind {
            out[..usize::from(*width)].fill(self.value(*value).bits[0]);
        } else if let InstKind::Swizzle { value, components } = &inst.kind {
            let bits = self.value(*value).bits;
            out.iter_mut().zip(components).for_each(|(out, &component)| *out = bits[usize::from(component)]);
        } else if let InstKind::Builtin(builtin) = &inst.kind {
            out[0] = self.builtin(*builtin).map(u64::from);
            shared = match builtin {
                Builtin::Global(_) | Builtin::Local(_) => false,
                Builtin::Tile(_) | Builtin::TileOrigin(_) => self.tile == ProofTile::Any,
                Builtin::DomainExtent(_) | Builtin::TileExtent(_) | Builtin::TileCount(_) => true,
            };
        }
        KnownValue { bits: out, shared }
    }

    fn builtin(&self, builtin: Builtin) -> Option<u32> {
        let own = self.at.get(builtin.dimension() as usize).copied();
        let in_first = |number: Option<u32>| number.filter(|_| self.tile == ProofTile::First);
        match builtin {
            Builtin::Local(_) => own,
            Builtin::Global(_) => in_first(own),
            Builtin::Tile(_) | Builtin::TileOrigin(_) => in_first(Some(0)),
            Builtin::TileExtent(d) => self.prover.kernel.tile()?.get(d as usize).copied(),
            Builtin::DomainExtent(_) | Builtin::TileCount(_) => None,
        }
    }

    /// The variable that is the root of a place, if it is a scalar or a vector.
    fn number(&self, place: &Place) -> Option<LocalId> {
        let Root::Local(local) = place.root else { return None };
        let kernel = self.prover.kernel;
        kernel.types().value(kernel.entry().locals()[local.index()].ty).map(|_| local)
    }

    fn load(&self, place: &Place) -> KnownValue {
        match (self.number(place), component(&place.path)) {
            (Some(local), Ok(None)) => self.memory.locals[local.index()],
            (Some(local), Ok(Some(component))) => {
                let known = self.memory.locals[local.index()];
                KnownValue::scalar(known.bits.get(component).copied().flatten(), known.shared)
            }
            (Some(_), Err(())) | (None, _) => UNKNOWN,
        }
    }

    /// A store, a copy, or the beginning of a variable.
    fn write(&mut self, kind: &InstKind) {
        let number = kind.written_place().and_then(|place| Some((self.number(place)?, place)));
        if let (Some((local, place)), InstKind::Store { value, .. }) = (number, kind) {
            let new = self.value(*value);
            let shared = new.shared && !self.own_way;
            let variable = self.memory.local_mut(local);
            match component(&place.path) {
                Ok(None) => *variable = KnownValue { shared, ..new },
                Ok(Some(component)) if component < 4 => {
                    variable.bits[component] = new.bits[0];
                    variable.shared &= shared;
                }
                Ok(Some(_)) => {}
                Err(()) => *variable = UNKNOWN,
            }
        } else if let InstKind::Declare { local, init } = kind {
            let known = match init {
                Init::Value(value) => self.value(*value),
                Init::Zero => KnownValue { bits: [Some(0); 4], shared: true },
                Init::Unset => UNKNOWN,
            };
            *self.memory.local_mut(*local) = known;
        } else {
            self.forget(kind);
        }
    }

    fn forget(&mut self, kind: &InstKind) {
        if let Some(local) = assigned_local(kind) {
            *self.memory.local_mut(local) = UNKNOWN;
        }
    }
}

/// The component of a local scalar or vector that a path names: `None` for the whole, `Err` if it
/// is not known which.
fn component(path: &[Step]) -> Result<Option<usize>, ()> {
    match path {
        [] => Ok(None),
        [Step::Component(component)] => Ok(Some(usize::from(*component))),
        [Step::Index(_) | Step::Field(_), ..] | [Step::Component(_), _, ..] => Err(()),
    }
}

/// Whether there is a way through a construct that leads to the instruction after it.
fn falls_through(inst: &Inst) -> bool {
    let goes_on = |block: &Block| !block.insts.last().is_some_and(|last| last.kind.leaves());
    match inst.kind.construct() {
        Some(Construct::If { then, otherwise, .. }) => goes_on(then) || goes_on(otherwise),
        Some(Construct::Switch { cases, default, .. }) => {
            goes_on(default) || cases.iter().any(|case| goes_on(&case.body))
        }
        Some(Construct::Loop { condition, .. }) => condition.is_some(),
        Some(Construct::Scope { body, .. }) => goes_on(body),
        None => true,
    }
}
