//! Writes the loop over blocks of iterations, and behind it the loop for the rest.
//!
//! A block
//! - reads: for each lane the elements of its run, in vectors; so that the elements of an iteration
//!   follow each other in the worker's memory;
//! - iterates: each access of a run takes them from there, or leaves them there;
//! - writes: for each lane the elements of its run.
//!
//! Where lanes are a constant apart and nothing is written, the loads of a block are a group that an
//! emitter moves as whole vectors. Elsewhere each lane's vector is copied to rows in the worker's memory,
//! and what is a group are the loads of these.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

use super::lines::{LineFactor, RunScope};
use super::{LoopCounter, OwnRun, RunLoop, RunReader};
use crate::hash::HashMap;
use crate::lanes::program::{
    AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneType, LaneValue, Likely, MemorySpace,
    Node,
};
use crate::lanes::walk::{effect_operands_mut, operands_mut};

/// Parameters, initial values, body, condition and results of a loop.
pub(super) type LoopParts = (Vec<LaneValue>, Vec<LaneValue>, LaneBlock, LaneValue, Vec<LaneValue>);

/// The elements of a block.
pub(super) struct BlockElements {
    /// Where the element of the first iteration is, in the worker's memory.
    pub(super) kept: LaneAddress,
    /// The offset of each lane's first element, if vectors go through rows.
    pub(super) offsets: Vec<LaneValue>,
}

/// What ends the iterations of a block.
#[derive(Clone, Copy)]
pub(super) enum BlockEnd {
    /// Their number alone.
    Number,
    /// The condition of the loop, too.
    Condition(LaneValue),
}

impl RunReader<'_> {
    /// Writes a loop over blocks, and the loop for the rest.
    pub(super) fn in_blocks(
        &mut self,
        (runs, counter): (&RunLoop, LoopCounter),
        (params, init, body, again, results): LoopParts,
        written: &mut Vec<Node>,
    ) {
        self.program.arena.private = self.private;
        let of_counter = params.iter().position(|&param| param == counter.param).unwrap_or(0);
        let kept: Vec<LaneAddress> = runs.runs.iter().map(|run| self.column(run, runs.length)).collect();
        let rows = runs.through_rows.then(|| self.rows(runs));
        self.most = self.most.max(self.program.arena.private);
        // The blocks.
        let names = params.iter().copied().zip(init.iter().copied()).collect();
        let whole = self.is_next(counter, RunScope::new(runs, names, None), init[of_counter], written);
        let block_params = self.like(&params);
        let names: HashMap<LaneValue, LaneValue> = params.iter().copied().zip(block_params.iter().copied()).collect();
        let mut nodes = Vec::new();
        let follows = self.is_whole((runs, counter), block_params[of_counter], runs.length, &mut nodes);
        let before = self.since(counter, [init[of_counter], block_params[of_counter]], &mut nodes);
        let mut scope = RunScope::new(runs, names, Some(before));
        let elements: Vec<BlockElements> = runs
            .runs
            .iter()
            .zip(kept)
            .map(|(run, kept)| self.read_block(run, kept, rows.as_ref(), follows, &mut scope))
            .collect();
        nodes.append(&mut scope.nodes);
        let loop_values = (params.as_slice(), block_params.as_slice(), &body);
        let (next, _) = self.iterations(runs, loop_values, &elements, BlockEnd::Number, &mut nodes);
        if let Some(rows) = &rows {
            for (run, elements) in runs.runs.iter().zip(&elements) {
                self.write_block(run, elements, rows, runs.length, &mut nodes);
            }
        }
        let names = params.iter().copied().zip(next.iter().copied()).collect();
        let before = self.since(counter, [init[of_counter], next[of_counter]], &mut nodes);
        let more = self.is_next(counter, RunScope::new(runs, names, Some(before)), next[of_counter], &mut nodes);
        let blocks = self.like(&params);
        let in_block = LaneBlock { nodes, results: next };
        let init_of_blocks = init.clone();
        let all = Node::Loop {
            params: block_params,
            init: init_of_blocks,
            body: in_block,
            again: more,
            results: blocks.clone(),
        };
        let (then, after) = (LaneBlock { nodes: vec![all], results: blocks }, self.like(&params));
        let otherwise = LaneBlock { nodes: Vec::new(), results: init };
        written.push(Node::If { condition: whole, then, otherwise, results: after.clone(), likely: Likely::Either });
        // The rest. A loop runs its body once before it asks.
        let none = self.op(Op::Not, Scalar::Bool, &[whole], Elem::Bool, written);
        let LoopCounter { limit, compared, .. } = counter;
        let left = self.op(Op::Lt, compared, &[after[of_counter], limit], Elem::Bool, written);
        let rest = self.op(Op::Or, Scalar::Bool, &[none, left], Elem::Bool, written);
        let last = self.like(&params);
        let nodes = vec![Node::Loop { params, init: after.clone(), body, again, results: last.clone() }];
        let then = LaneBlock { nodes, results: last };
        let otherwise = LaneBlock { nodes: Vec::new(), results: after };
        written.push(Node::If { condition: rest, then, otherwise, results, likely: Likely::Either });
    }

    /// Does a whole block begin at a place, with a value of the counter?
    fn is_next(
        &mut self,
        counter: LoopCounter,
        mut scope: RunScope<'_>,
        count: LaneValue,
        nodes: &mut Vec<Node>,
    ) -> LaneValue {
        let runs = scope.runs;
        let mut holds = self.is_whole((runs, counter), count, 0, nodes);
        for run in &runs.runs {
            // That all of it can be asked is known; what could not be would be no block.
            let asked = match self.asks(run, &mut scope) {
                Some(asked) => asked,
                None => vec![self.define(LaneInst::Const(0), LaneType::Scalar(Elem::Bool), &mut scope.nodes)],
            };
            nodes.append(&mut scope.nodes);
            for condition in asked {
                holds = self.op(Op::And, Scalar::Bool, &[holds, condition], Elem::Bool, nodes);
            }
        }
        holds
    }

    /// Are there so many iterations as a block has, from a number of iterations behind a value of the
    /// counter on?
    fn is_whole(
        &mut self,
        (runs, counter): (&RunLoop, LoopCounter),
        count: LaneValue,
        behind: i64,
        nodes: &mut Vec<Node>,
    ) -> LaneValue {
        let LoopCounter { limit, compared, .. } = counter;
        let [count, limit] = [count, limit].map(|value| self.widened(compared, value, nodes));
        // The counter is not so great that this wraps, but for a loop of one iteration.
        let by = behind + runs.length - if fault::planted(Fault::OwnRunBlockTooLong) { 2 } else { 1 };
        let (most, by) = (self.number(i64::MAX - by, nodes), self.number(by, nodes));
        let counted = self.op(Op::Lt, Scalar::I64, &[count, most], Elem::Bool, nodes);
        let last = self.op(Op::Add, Scalar::I64, &[count, by], Elem::I64, nodes);
        let below = self.op(Op::Lt, Scalar::I64, &[last, limit], Elem::Bool, nodes);
        self.op(Op::And, Scalar::Bool, &[counted, below], Elem::Bool, nodes)
    }

    fn widened(&mut self, from: Scalar, value: LaneValue, nodes: &mut Vec<Node>) -> LaneValue {
        match from {
            Scalar::I64 => value,
            narrow => self.op(Op::ToI64, narrow, &[value], Elem::I64, nodes),
        }
    }

    /// The iterations from a value of the counter to another.
    fn since(&mut self, counter: LoopCounter, values: [LaneValue; 2], nodes: &mut Vec<Node>) -> LaneValue {
        let [first, count] = values.map(|value| self.widened(counter.compared, value, nodes));
        self.op(Op::Sub, Scalar::I64, &[count, first], Elem::I64, nodes)
    }

    /// A part of the worker's memory, with its lanes a number of bytes apart.
    pub(super) fn memory(&mut self, bytes: i64, step: i64, stored: Stored) -> LaneAddress {
        let place = self.program.arena.private.next_multiple_of(64);
        self.program.arena.private = place + bytes as u64;
        self.program.run_elements.get_or_insert(place);
        LaneAddress {
            space: MemorySpace::Arena(ArenaPart::Private),
            // The code that uses it defines the base.
            base: LaneValue(0),
            offset: None,
            displacement: place as i64,
            along: AddressStep::Step(step),
            stored,
        }
    }

    /// Memory for the elements of a block, those of an iteration side by side.
    pub(super) fn column(&mut self, run: &OwnRun, length: i64) -> LaneAddress {
        let size = i64::from(run.at.stored.size());
        self.memory(i64::from(self.program.width) * size * length, size, run.at.stored)
    }

    /// Memory for the vectors of a block, those of a lane side by side: for all runs in turn.
    pub(super) fn rows(&mut self, runs: &RunLoop) -> LaneAddress {
        let size = |run: &OwnRun| i64::from(run.at.stored.size());
        let largest = runs.runs.iter().map(size).max().unwrap_or(0);
        self.memory(i64::from(self.program.width) * largest * runs.length, largest, Stored::I32)
    }

    /// How many bytes ahead the next block of a run is: in the lanes' runs, or, at their end, in those of the
    /// next strip, which begin behind the last lane's if the threads' runs follow each other.
    fn bytes_ahead(&mut self, strip: LaneValue, size: i64, follows: LaneValue, scope: &mut RunScope<'_>) -> LaneValue {
        let nodes = &mut scope.nodes;
        let (here, bytes) = (self.number(scope.runs.length * size, nodes), self.number(size, nodes));
        let before = match scope.before {
            Some(before) => before,
            None => self.number(0, nodes),
        };
        let back = self.op(Op::Mul, Scalar::I64, &[before, bytes], Elem::I64, nodes);
        let next_strip = self.op(Op::Sub, Scalar::I64, &[strip, back], Elem::I64, nodes);
        self.op(Op::Select, Scalar::I64, &[follows, here, next_strip], Elem::I64, nodes)
    }

    /// Reads the elements of a block, if they are read, and keeps them.
    fn read_block(
        &mut self,
        run: &OwnRun,
        kept: LaneAddress,
        rows: Option<&LaneAddress>,
        follows: LaneValue,
        scope: &mut RunScope<'_>,
    ) -> BlockElements {
        let (elem, size) = (Elem::of(run.at.stored.value()), i64::from(run.at.stored.size()));
        let (length, pos) = (scope.runs.length, run.read.unwrap_or(Pos::NONE));
        let offset = run.at.offset.and_then(|offset| self.scalar(offset, scope));
        let base = self.define(LaneInst::Arena(ArenaPart::Private), LaneType::Scalar(Elem::I64), &mut scope.nodes);
        let kept = LaneAddress { base, ..kept };
        let (from, pos, offsets) = match rows {
            None => {
                if let AddressStep::Step(step) = run.at.along {
                    let strip = self.number(i64::from(self.program.width) * step, &mut scope.nodes);
                    let by = self.bytes_ahead(strip, size, follows, scope);
                    let base = self.op(Op::Add, Scalar::I64, &[run.at.base, by], Elem::I64, &mut scope.nodes);
                    let at = LaneAddress { base, offset, ..run.at.clone() };
                    scope.nodes.push(Node::Do { effect: Effect::Prefetch { at }, pos });
                }
                (LaneAddress { offset, ..run.at.clone() }, pos, Vec::new())
            }
            Some(rows) => {
                let (offsets, by) = self.lane_offsets(run, offset, scope);
                let rows = row_of(rows, base, run, length);
                if let Some(pos) = run.read {
                    let width = self.number(self.program.width.into(), &mut scope.nodes);
                    let strip = self.op(Op::Mul, Scalar::I64, &[width, by], Elem::I64, &mut scope.nodes);
                    let ahead = self.bytes_ahead(strip, size, follows, scope);
                    let base = self.op(Op::Add, Scalar::I64, &[run.at.base, ahead], Elem::I64, &mut scope.nodes);
                    for (lane, &offset) in (0..).zip(&offsets) {
                        let at = lane_vector(run, run.at.base, offset);
                        let value = self.load(at, elem, pos, &mut scope.nodes);
                        let to = LaneAddress { along: AddressStep::Step(size), ..further(&rows, lane * length * size) };
                        scope.nodes.push(store(to, value, Pos::NONE));
                        let at = lane_vector(run, base, offset);
                        scope.nodes.push(Node::Do { effect: Effect::Prefetch { at }, pos });
                    }
                }
                (rows, Pos::NONE, offsets)
            }
        };
        if run.read.is_some() {
            self.keep_elements(&from, &kept, (length, pos), &mut scope.nodes);
        }
        BlockElements { kept, offsets }
    }

    /// Loads the elements of a block from where those of a lane follow each other, and keeps them such that
    /// those of an iteration do.
    pub(super) fn keep_elements(
        &mut self,
        from: &LaneAddress,
        kept: &LaneAddress,
        (length, pos): (i64, Pos),
        nodes: &mut Vec<Node>,
    ) {
        let (elem, size) = (Elem::of(from.stored.value()), i64::from(from.stored.size()));
        let elements: Vec<LaneValue> =
            (0..length).map(|element| self.load(further(from, element * size), elem, pos, nodes)).collect();
        for (element, value) in (0..).zip(elements) {
            let to = further(kept, element * i64::from(self.program.width) * size);
            nodes.push(store(to, value, Pos::NONE));
        }
    }

    /// The offset of each lane's run, and how many bytes they are apart.
    fn lane_offsets(
        &mut self,
        run: &OwnRun,
        offset: Option<LaneValue>,
        scope: &mut RunScope<'_>,
    ) -> (Vec<LaneValue>, LaneValue) {
        let mut own = offset;
        let by = match run.at.along {
            AddressStep::Each(offsets) => {
                let line = self.line(offsets, scope);
                let (first, by) = line.map_or((LineFactor::Zero, LineFactor::Zero), |line| (line.first, line.by));
                let first = self.long(first, scope);
                own = Some(match offset {
                    Some(offset) => self.op(Op::Add, Scalar::I64, &[offset, first], Elem::I64, &mut scope.nodes),
                    None => first,
                });
                self.long(by, scope)
            }
            AddressStep::Step(step) => self.number(step, &mut scope.nodes),
            AddressStep::Uniform => self.number(0, &mut scope.nodes),
        };
        let mut next = match own {
            Some(own) => own,
            None => self.number(0, &mut scope.nodes),
        };
        let mut offsets = vec![next];
        for _ in 1..self.program.width {
            next = self.op(Op::Add, Scalar::I64, &[next, by], Elem::I64, &mut scope.nodes);
            offsets.push(next);
        }
        (offsets, by)
    }

    /// Writes the iterations of a block, which access what is kept; the values behind them, and whether the loop
    /// goes on, if that is known there.
    pub(super) fn iterations(
        &mut self,
        runs: &RunLoop,
        (params, init, body): (&[LaneValue], &[LaneValue], &LaneBlock),
        elements: &[BlockElements],
        end: BlockEnd,
        nodes: &mut Vec<Node>,
    ) -> (Vec<LaneValue>, Option<LaneValue>) {
        let (zero, one, length) = (self.number(0, nodes), self.number(1, nodes), self.number(runs.length, nodes));
        let mut names = HashMap::default();
        let mut own: Vec<LaneValue> = params.iter().map(|&param| self.renamed(param, &mut names)).collect();
        let iteration = self.fresh(LaneType::Scalar(Elem::I64));
        let mut inner = Vec::new();
        let mut places = HashMap::default();
        for (run, BlockElements { kept, .. }) in runs.runs.iter().zip(elements) {
            let row = self.number(i64::from(kept.stored.size()) * i64::from(self.program.width), &mut inner);
            let offset = self.op(Op::Mul, Scalar::I64, &[iteration, row], Elem::I64, &mut inner);
            places.insert(run.at.clone(), LaneAddress { offset: Some(offset), ..kept.clone() });
        }
        self.copy(body, Some(&places), &mut names, &mut inner);
        let next = self.op(Op::Add, Scalar::I64, &[iteration, one], Elem::I64, &mut inner);
        let mut again = self.op(Op::Lt, Scalar::I64, &[next, length], Elem::Bool, &mut inner);
        let mut given: Vec<LaneValue> = body.results.iter().map(|&value| named(value, &names)).collect();
        given.push(next);
        own.push(iteration);
        let mut init: Vec<LaneValue> = init.iter().copied().chain([zero]).collect();
        if let BlockEnd::Condition(condition) = end {
            let yes = self.define(LaneInst::Const(1), LaneType::Scalar(Elem::Bool), nodes);
            let goes_on = named(condition, &names);
            again = self.op(Op::And, Scalar::Bool, &[goes_on, again], Elem::Bool, &mut inner);
            given.push(goes_on);
            own.push(self.fresh(LaneType::Scalar(Elem::Bool)));
            init.push(yes);
        }
        let results = self.like(&own);
        let body = LaneBlock { nodes: inner, results: given };
        nodes.push(Node::Loop { params: own, init, body, again, results: results.clone() });
        (results[..params.len()].to_vec(), results.get(params.len() + 1).copied())
    }

    /// Writes the elements of a block, if they are written, that iterations have left in the worker's memory.
    fn write_block(
        &mut self,
        run: &OwnRun,
        BlockElements { kept, offsets }: &BlockElements,
        rows: &LaneAddress,
        length: i64,
        nodes: &mut Vec<Node>,
    ) {
        let Some(pos) = run.written else { return };
        let (elem, size) = (Elem::of(run.at.stored.value()), i64::from(run.at.stored.size()));
        let rows = row_of(rows, kept.base, run, length);
        let elements: Vec<LaneValue> = (0..length)
            .map(|element| {
                let from = further(kept, element * i64::from(self.program.width) * size);
                self.load(from, elem, Pos::NONE, nodes)
            })
            .collect();
        for (element, value) in (0..).zip(elements) {
            nodes.push(store(further(&rows, element * size), value, Pos::NONE));
        }
        let unwritten = usize::from(fault::planted(Fault::OwnRunLastLaneUnwritten));
        for (lane, &offset) in (0..).zip(&offsets[..offsets.len() - unwritten]) {
            let from = LaneAddress { along: AddressStep::Step(size), ..further(&rows, lane * length * size) };
            let value = self.load(from, elem, Pos::NONE, nodes);
            nodes.push(store(lane_vector(run, run.at.base, offset), value, pos));
        }
    }

    /// A copy of a body whose accesses at some addresses are elsewhere; those under conditions are not.
    fn copy(
        &mut self,
        block: &LaneBlock,
        places: Option<&HashMap<LaneAddress, LaneAddress>>,
        names: &mut HashMap<LaneValue, LaneValue>,
        nodes: &mut Vec<Node>,
    ) {
        let place = |at: &LaneAddress| places.and_then(|places| places.get(at));
        for node in &block.nodes {
            nodes.push(match node {
                Node::Let { value, inst, pos } => {
                    let moved = if let LaneInst::Load { at, .. } = inst { place(at) } else { None };
                    let pos = if moved.is_some() { Pos::NONE } else { *pos };
                    let inst = match moved {
                        Some(at) => LaneInst::Load { at: at.clone(), mask: None },
                        None => renamed_inst(inst, names),
                    };
                    Node::Let { value: self.renamed(*value, names), inst, pos }
                }
                Node::Do { effect: Effect::Store { at, value, .. }, .. } if place(at).is_some() => {
                    let at = place(at).unwrap_or(at).clone();
                    store(at, named(*value, names), Pos::NONE)
                }
                Node::Do { effect, pos } => {
                    let mut effect = effect.clone();
                    effect_operands_mut(&mut effect, &mut |value| *value = named(*value, names));
                    Node::Do { effect, pos: *pos }
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let [then, otherwise] = [then, otherwise].map(|arm| {
                        let mut nodes = Vec::with_capacity(arm.nodes.len());
                        self.copy(arm, None, names, &mut nodes);
                        LaneBlock { nodes, results: arm.results.iter().map(|&value| named(value, names)).collect() }
                    });
                    let condition = named(*condition, names);
                    let results = results.iter().map(|&value| self.renamed(value, names)).collect();
                    Node::If { condition, then, otherwise, results, likely: *likely }
                }
                // A loop with either accesses no runs.
                Node::Loop { .. } | Node::Exit { .. } => continue,
                Node::Poll => Node::Poll,
            });
        }
    }

    pub(super) fn load(&mut self, at: LaneAddress, elem: Elem, pos: Pos, nodes: &mut Vec<Node>) -> LaneValue {
        let value = self.fresh(LaneType::Lanes(elem));
        nodes.push(Node::Let { value, inst: LaneInst::Load { at, mask: None }, pos });
        value
    }

    pub(super) fn fresh(&mut self, ty: LaneType) -> LaneValue {
        let value = LaneValue(self.program.types.len() as u32);
        self.program.types.push(ty);
        value
    }

    fn renamed(&mut self, value: LaneValue, names: &mut HashMap<LaneValue, LaneValue>) -> LaneValue {
        let new = self.fresh(self.program.ty(value));
        names.insert(value, new);
        new
    }

    pub(super) fn like(&mut self, values: &[LaneValue]) -> Vec<LaneValue> {
        values.iter().map(|&value| self.fresh(self.program.ty(value))).collect()
    }
}

/// The memory of rows, for the elements of a run.
pub(super) fn row_of(rows: &LaneAddress, base: LaneValue, run: &OwnRun, length: i64) -> LaneAddress {
    let stored = run.at.stored;
    LaneAddress { base, along: AddressStep::Step(length * i64::from(stored.size())), stored, ..rows.clone() }
}

/// The vector of a lane's elements in a block.
pub(super) fn lane_vector(run: &OwnRun, base: LaneValue, offset: LaneValue) -> LaneAddress {
    let along = AddressStep::Step(run.at.stored.size().into());
    LaneAddress { base, offset: Some(offset), along, ..run.at.clone() }
}

pub(super) fn further(at: &LaneAddress, bytes: i64) -> LaneAddress {
    LaneAddress { displacement: at.displacement + bytes, ..at.clone() }
}

pub(super) fn store(at: LaneAddress, value: LaneValue, pos: Pos) -> Node {
    Node::Do { effect: Effect::Store { at, value, mask: None }, pos }
}

fn named(value: LaneValue, names: &HashMap<LaneValue, LaneValue>) -> LaneValue {
    names.get(&value).copied().unwrap_or(value)
}

fn renamed_inst(inst: &LaneInst, names: &HashMap<LaneValue, LaneValue>) -> LaneInst {
    let mut inst = inst.clone();
    operands_mut(&mut inst, &mut |value| *value = named(*value, names));
    inst
}
