//! Control: branches, loops that end, scopes, and the ways out of them.
//!
//! A construct is *level* when all threads of a tile pass through it together: its condition is
//! uniform, and only uniform breaks leave it. Barriers stand in level constructs alone. Where one
//! ends, or is left, the phases are restored to their states at its beginning. In a kernel whose
//! threads may miss each other, some level constructs have a condition that is
//! [in doubt](KernelMaker::doubtful) instead.

use tilewise_ir::kernel::{Block, Const, InstKind, LocalId, Place, Root, SwitchCase, ValueId};
use tilewise_ir::kernel::{Fence, Init};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar, Stored};

use super::{KernelMaker, LeaveTarget, PhaseState, UsableValue};

impl KernelMaker {
    /// A block, filled by `body`. `level`: if all threads of the tile are here, all are in the
    /// block.
    pub(super) fn block(&mut self, level: bool, body: &mut dyn FnMut(&mut KernelMaker) -> Option<ValueId>) -> Block {
        let outer = self.flow.clone();
        let states = self.states();
        self.flow.level &= level;
        self.flow.depth += 1;
        self.b.begin_block();
        self.enter();
        let value = body(self);
        if std::mem::take(&mut self.gone) {
            for (phase, state) in self.phases.iter_mut().zip(states) {
                phase.state = state;
            }
        } else {
            self.restore(&states);
        }
        self.leave();
        self.flow = outer;
        self.b.end_block(value)
    }

    /// The states of the phases.
    pub(super) fn states(&self) -> Vec<PhaseState> {
        self.phases.iter().map(|phase| phase.state.clone()).collect()
    }

    /// Restores an earlier state of the phases, by a barrier if it has changed.
    fn restore(&mut self, states: &[PhaseState]) {
        if self.states() != states {
            self.emit(InstKind::Barrier(Fence::All));
            for (phase, state) in self.phases.iter_mut().zip(states) {
                phase.state = state.clone();
            }
        }
    }

    /// Draws whether a construct is level, so that a barrier may stand in it.
    fn draw_level(&mut self) -> bool {
        self.flow.level && self.rng.percent(60)
    }

    /// Draws whether threads of a tile may diverge here, where all are together and a barrier may
    /// follow.
    fn misses(&mut self, level: bool) -> bool {
        level && self.thread.doubt.is_some() && !self.flow.in_function && self.rng.percent(60)
    }

    /// A number of a few bits; neither checker nor target can know whether a tile's threads agree
    /// on it.
    fn doubtful(&mut self, bits: u32) -> ValueId {
        let Some(doubt) = self.thread.doubt else { return self.u32(0) };
        let by = self.rng.below(33 - bits as usize) as u32;
        let (by, mask) = (self.u32(by), self.u32((1 << bits) - 1));
        let moved = self.op(Op::Shr, &[doubt, by]);
        self.op(Op::And, &[moved, mask])
    }

    /// A condition for a construct: uniform, in doubt, or any.
    fn way(&mut self, level: bool, misses: bool) -> ValueId {
        if !misses {
            return self.condition(level);
        }
        let bit = self.doubtful(1);
        let wanted = self.u32(1);
        self.op(Op::Eq, &[bit, wanted])
    }

    fn data(&mut self) -> Data {
        let scalar = Scalar::ALL[self.rng.below(Scalar::ALL.len())];
        Data { scalar, width: self.rng.one([1, 1, 1, 2, 3, 4]) }
    }

    /// Is the value known to be uniform, or a constant?
    fn knows_uniform(&self, value: ValueId) -> bool {
        let context = self.b.context();
        matches!(context.values[value.index()].def, tilewise_ir::kernel::ValueDef::Const(_))
            || self.scopes.iter().flat_map(|scope| &scope.values).any(|known| known.id == value && known.uniform)
    }

    /// `if`, with a value or without.
    pub(super) fn if_statement(&mut self, with_value: bool) {
        let level = self.draw_level();
        let misses = self.misses(level);
        let condition = self.way(level, misses);
        let data = with_value.then(|| self.data());
        let most = (self.budget.left / 3).clamp(2, 25);
        let mut uniform = level && !misses;
        let mut left_early = false;
        let mut arm = |maker: &mut KernelMaker, empty: bool| {
            maker.block(level, &mut |maker: &mut KernelMaker| {
                if !empty {
                    maker.some_statements(most);
                }
                if !left_early && maker.rng.percent(10) && maker.leave_now() {
                    left_early = true;
                    return None;
                }
                let data = data?;
                let value = maker.value(data, level && maker.rng.clone().percent(50));
                uniform &= maker.knows_uniform(value);
                Some(value)
            })
        };
        let then = arm(self, false);
        let empty = self.rng.percent(50) && !with_value;
        let otherwise = arm(self, empty);
        if let Some(value) = self.emit(InstKind::If { condition, then, otherwise }) {
            self.know(value, uniform);
        }
    }

    /// `switch` with a few cases.
    pub(super) fn switch_statement(&mut self) {
        let level = self.draw_level();
        let scalar = self.rng.one([Scalar::I32, Scalar::U32]);
        let mut selector = self.value(Data::scalar(scalar), level);
        let misses = self.misses(level);
        if misses {
            let bits = self.doubtful(2);
            selector = if scalar == Scalar::I32 { self.op(Op::ToI32, &[bits]) } else { bits };
        }
        if !level
            && !self.flow.in_function
            && self.rng.percent(40)
            && let Some(linear) = self.thread.linear
        {
            selector = self.op(KernelMaker::conversion(scalar), &[linear]);
        }
        if self.rng.percent(80) {
            let three = self.b.constant(Const { scalar, bits: 3 });
            selector = self.op(Op::And, &[selector, three]);
        }
        let mut values: Vec<u32> = vec![0, 1, 2, 3, 7, u32::MAX, 0x8000_0000];
        let mut cases = Vec::new();
        let most = (self.budget.left / 4).clamp(2, 15);
        for _ in 0..self.rng.range(1, 4) {
            let mut these = Vec::new();
            for _ in 0..self.rng.range(1, 2) {
                if !values.is_empty() {
                    // Small ones first: the selector is mostly one of them.
                    let i = self.rng.below(values.len().min(3));
                    these.push(values.remove(i));
                }
            }
            if these.is_empty() {
                break;
            }
            let body = self.block(level, &mut |maker| {
                // So that threads wait in several cases.
                if misses && maker.rng.percent(40) {
                    maker.barrier_statement();
                }
                maker.some_statements(most);
                if maker.rng.percent(15) {
                    maker.leave_now();
                }
                None
            });
            cases.push(SwitchCase { values: these, body, pos: tilewise_ir::pos::Pos::NONE });
        }
        let with_default = self.rng.percent(70);
        let default = self.block(level, &mut |maker| {
            if with_default {
                maker.some_statements(most);
            }
            None
        });
        self.emit(InstKind::Switch { selector, cases, default });
    }

    /// A scope that code inside may break out of.
    pub(super) fn scope_statement(&mut self, with_value: bool) {
        let level = self.draw_level();
        let data = with_value.then(|| self.data());
        let label = self.label();
        let target = LeaveTarget { label, is_loop: false, level, value: data, states: self.states() };
        let most = (self.budget.left / 3).clamp(3, 25);
        let body = self.block(level, &mut |maker| {
            maker.flow.targets.push(target.clone());
            maker.some_statements(most);
            maker.leave_statement();
            maker.some_statements(4);
            data.map(|data| maker.value(data, false))
        });
        if let Some(value) = self.emit(InstKind::Scope { label, body }) {
            self.know(value, false);
        }
    }

    fn label(&mut self) -> tilewise_ir::kernel::LabelId {
        let name = self.rng.percent(60).then(|| self.name());
        self.b.label(name.as_deref())
    }

    /// A bound for a loop's iterations, and its maximum.
    fn rounds(&mut self, level: bool, misses: bool) -> (ValueId, u32) {
        if misses {
            let bit = self.doubtful(1);
            let (bit, most) = (self.op(Op::ToI32, &[bit]), self.i32(2));
            return (self.op(Op::Sub, &[most, bit]), 2);
        }
        let room = (self.budget.most_rounds / self.flow.rounds.max(1)).clamp(1, 5);
        if room >= 3 && self.rng.percent(40) {
            let value = self.value(Data::I32, level);
            if self.rng.percent(50) {
                let three = self.i32(3);
                return (self.op(Op::And, &[value, three]), 3);
            }
            let one = self.i32(1);
            let odd = self.op(Op::And, &[value, one]);
            return (self.op(Op::Add, &[odd, one]), 2);
        }
        let n = self.rng.range(i64::from(self.rng.clone().percent(90)), i64::from(room)) as u32;
        (self.i32(n as i32), n.max(1))
    }

    /// A loop in one of its forms; all have a counter, which ends them if nothing else does.
    pub(super) fn loop_statement(&mut self) {
        if self.percent_aside(60) && self.sweep_statement() || self.percent_aside(40) && self.own_array_statement() {
            return;
        }
        let level = self.draw_level();
        let misses = self.misses(level);
        let (bound, most_rounds) = self.rounds(level, misses);
        let ahead = if self.rng.percent(25) { self.ask_ahead() } else { None };
        let i32_type = self.b.types().scalar(Stored::I32);
        let name = self.name();
        let counter = self.b.local(&name, i32_type);
        let zero = self.i32(0);
        let init = if self.rng.percent(50) { Init::Zero } else { Init::Value(zero) };
        self.emit(InstKind::Declare { local: counter, init });
        let label = self.label();
        let target = LeaveTarget { label, is_loop: true, level, value: None, states: self.states() };
        let form = self.rng.below(3);
        let outer = self.flow.clone();
        self.flow.rounds = self.flow.rounds.saturating_mul(most_rounds);
        let condition = (form == 0).then(|| {
            // A third of the conditions also write, and leave outer constructs.
            let statements = if self.rng.percent(35) { self.rng.range(1, 4) } else { 0 };
            Box::new(self.block(level, &mut |maker| {
                if statements > 0 {
                    maker.some_statements(statements);
                    if maker.rng.percent(30) {
                        maker.leave_statement();
                    }
                }
                let count = maker.load_local(counter);
                Some(maker.op(Op::Lt, &[count, bound]))
            }))
        });
        let most = (self.budget.left / 3).clamp(3, 30);
        let body = self.block(level, &mut |maker| {
            let count = maker.load_local(counter);
            if form == 1 {
                // Incremented and tested at the start of an iteration.
                let done = maker.op(Op::Ge, &[count, bound]);
                maker.b.begin_block();
                maker.emit(InstKind::Break { label, value: None });
                let then = maker.b.end_block(None);
                maker.emit(InstKind::If { condition: done, then, otherwise: Block::default() });
                maker.count_up(counter, count);
            }
            if let Some(scope) = maker.scopes.last_mut() {
                scope.values.push(UsableValue { id: count, data: Data::I32, uniform: level && !misses });
            }
            maker.flow.targets.push(target.clone());
            if let Some(ahead) = &ahead {
                maker.ask_in_turn(ahead);
            }
            maker.some_statements(most);
            if maker.rng.percent(40) {
                maker.leave_statement();
                maker.some_statements(5);
            }
            None
        });
        let continuing = self.block(false, &mut |maker| {
            if form != 1 {
                let count = maker.load_local(counter);
                maker.count_up(counter, count);
            }
            if maker.rng.percent(25) {
                maker.flow.targets.clear();
                maker.flow.may_return = false;
                maker.some_statements(4);
            }
            (form == 2).then(|| {
                // Of one round, as shaders have them for the sake of their breaks.
                if maker.rng.percent(20) {
                    return maker.b.constant(Const::bool(true));
                }
                let count = maker.load_local(counter);
                maker.op(Op::Ge, &[count, bound])
            })
        });
        self.flow = outer;
        self.emit(InstKind::Loop { label, condition, body, continuing });
        if let Some(ahead) = &ahead {
            let turns = self.load_local(ahead.turns);
            self.mix(turns);
        }
    }

    /// Asks, before a loop, what the loop asks again; and begins a count that is uniform there and is not in the loop,
    /// which a target may see only at its end.
    fn ask_ahead(&mut self) -> Option<AskedAhead> {
        let conditions = self.ask_both()?;
        let ty = self.b.types().scalar(Stored::U32);
        let name = self.name();
        let turns = self.b.local(&name, ty);
        self.emit(InstKind::Declare { local: turns, init: Init::Zero });
        Some(AskedAhead { conditions, turns })
    }

    /// Counts, and mixes something in on either side of a condition.
    fn ask_in_turn(&mut self, ahead: &AskedAhead) {
        let Some(linear) = self.thread.linear else { return };
        for condition in ahead.conditions.into_iter().rev() {
            let value = self.u32(0x9e37_79b9);
            let then = self.block(false, &mut |maker| {
                // A target may compute short arms for all threads, but not what stores.
                maker.store_statement();
                maker.mix(value);
                None
            });
            let otherwise = self.block(false, &mut |_| None);
            self.emit(InstKind::If { condition, then, otherwise });
        }
        let old = self.load_local(ahead.turns);
        let three = self.u32(3);
        let times = self.op(Op::Mul, &[old, three]);
        let next = self.op(Op::Add, &[times, linear]);
        self.emit(InstKind::Store { place: Place { root: Root::Local(ahead.turns), path: Vec::new() }, value: next });
    }

    fn load_local(&mut self, local: LocalId) -> ValueId {
        self.value_of(InstKind::Load(Place { root: Root::Local(local), path: Vec::new() }))
    }

    fn count_up(&mut self, counter: LocalId, count: ValueId) {
        let one = self.i32(1);
        let next = self.op(Op::Add, &[count, one]);
        self.emit(InstKind::Store { place: Place { root: Root::Local(counter), path: Vec::new() }, value: next });
    }

    /// Emits a conditional way out.
    pub(super) fn leave_statement(&mut self) {
        let Some(way) = self.way_out() else { return };
        let level = self.way_is_level(&way);
        let misses = self.misses(level);
        let condition = self.way(level, misses);
        let then = self.block(level, &mut |maker| {
            maker.go(&way);
            None
        });
        let otherwise = self.block(level, &mut |_| None);
        self.emit(InstKind::If { condition, then, otherwise });
    }

    /// Emits an unconditional way out; false if there is none.
    fn leave_now(&mut self) -> bool {
        let Some(way) = self.way_out() else { return false };
        self.go(&way);
        true
    }

    /// Must all threads of the tile take this way together?
    fn way_is_level(&self, way: &WayOut) -> bool {
        match way {
            WayOut::Break(target) | WayOut::Continue(target) => target.level,
            WayOut::Return => self.flow.level && self.features.barriers && !self.flow.in_function,
        }
    }

    /// A way out that may be taken here.
    fn way_out(&mut self) -> Option<WayOut> {
        let here = self.flow.level;
        let fit: Vec<LeaveTarget> = self.flow.targets.iter().filter(|target| here || !target.level).cloned().collect();
        let may_return =
            self.flow.may_return || (here && self.features.barriers && !self.flow.in_function && self.rng.percent(10));
        if may_return && (fit.is_empty() || self.rng.percent(15)) {
            return self.rng.percent(40).then_some(WayOut::Return);
        }
        let target = self.rng.pick(&fit)?.clone();
        if target.is_loop && self.rng.percent(45) {
            Some(WayOut::Continue(target))
        } else {
            Some(WayOut::Break(target))
        }
    }

    fn go(&mut self, way: &WayOut) {
        self.leave_by(way);
        self.gone = true;
    }

    fn leave_by(&mut self, way: &WayOut) {
        match way {
            WayOut::Break(target) => {
                let value = target.value.map(|data| self.value(data, false));
                if target.level {
                    self.restore(&target.states);
                }
                self.emit(InstKind::Break { label: target.label, value });
            }
            WayOut::Continue(target) => {
                if target.level {
                    self.restore(&target.states);
                }
                self.emit(InstKind::Continue { label: target.label });
            }
            WayOut::Return => {
                if !self.flow.in_function {
                    self.ending();
                }
                let value = self.flow.result.map(|data| self.value(data, false));
                self.emit(InstKind::Return(value));
            }
        }
    }
}

/// What was asked before a loop, with its opposite, and a count of the loop's rounds.
struct AskedAhead {
    conditions: [ValueId; 2],
    turns: LocalId,
}

/// A way out of constructs.
enum WayOut {
    Break(LeaveTarget),
    Continue(LeaveTarget),
    Return,
}
