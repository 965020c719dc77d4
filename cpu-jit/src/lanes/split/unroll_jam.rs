//! Unroll and jam: executes several iterations of an outer loop together in one inner loop, which
//! loads shared values once.
//!
//! In a matrix product each row of a tile iterates over all rows of the other factor. Two rows at a
//! time load these half as often, and the two sums are independent, so neither waits for the other.
//! Up to eight iterations are jammed if the registers of the machine hold their sums: eight
//! additions keep two units of a latency of four busy.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::join::joinable;
use super::memory::{LoopAccess, span};
use super::{CountedLoop, LoopIteration, Rewriter};
use crate::lanes::VectorMachine;
use crate::lanes::build::scalar_of;
use crate::lanes::program::{Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};

/// The numbers of iterations that are tried after two, most first.
const MORE: [usize; 2] = [8, 4];

/// A loop body: an inner loop and the nodes before and after it.
struct Nest<'p> {
    before: &'p [Node],
    params: &'p [LaneValue],
    init: &'p [LaneValue],
    body: &'p LaneBlock,
    again: LaneValue,
    results: &'p [LaneValue],
    behind: &'p [Node],
    registers: NestRegisters,
}

/// Registers in units of 16 bytes.
#[derive(Clone, Copy)]
struct NestRegisters {
    /// The lanes that an iteration carries through the inner loop.
    sums: u32,
    /// The lanes that the inner loop loads.
    loads: u32,
    /// An intermediate value.
    value: u32,
}

impl NestRegisters {
    /// Do the sums of `count` iterations fit beside what the inner loop loads for all?
    fn fit(self, count: usize, capacity: u32) -> bool {
        count as u32 * self.sums + self.loads + self.value.max(2) <= capacity
    }
}

/// One of the iterations that are executed together.
#[derive(Default)]
struct JamSide {
    counter: Option<LaneValue>,
    /// The new values of the nodes before the inner loop.
    values: Vec<(LaneValue, LaneValue)>,
    init: Vec<LaneValue>,
    next: Vec<LaneValue>,
    results: Vec<LaneValue>,
    /// Accesses before, in and after the inner loop.
    accesses: [Vec<LoopAccess>; 3],
}

impl<'p> Rewriter<'p> {
    /// Writes a range of a loop's iterations several at a time; returns whether that is legal and
    /// pays. Two show whether it is; more are written only if it is.
    pub(super) fn jam(
        &mut self,
        counted: &CountedLoop,
        range: (i64, i64),
        param: LaneValue,
        body: &'p LaneBlock,
    ) -> bool {
        let Some(capacity) = self.machine.map(VectorMachine::capacity) else { return false };
        let Some(nest) = self.nest(body) else { return false };
        let iterations = (range.1 - range.0) / counted.step;
        let possible = |count: usize| iterations % count as i64 == 0 && nest.registers.fit(count, capacity);
        let mark = self.b.mark();
        if !possible(2) || !self.jammed(counted, range, param, &nest, 2) {
            return false;
        }
        for count in MORE.into_iter().filter(|&count| possible(count)) {
            self.back_to(&mark);
            if self.jammed(counted, range, param, &nest, count) {
                return true;
            }
            // What fewer iterations may do, more may not: their accesses are further apart.
            if !self.jammed(counted, range, param, &nest, 2) {
                return false;
            }
        }
        true
    }

    /// Writes a range of a loop's iterations `count` at a time, or nothing.
    fn jammed(
        &mut self,
        counted: &CountedLoop,
        (from, to): (i64, i64),
        param: LaneValue,
        nest: &Nest<'p>,
        count: usize,
    ) -> bool {
        let step = counted.step;
        let stride = count as i64 * step;
        let mark = self.b.mark();
        self.held.clear();
        let alone = from + stride == to;
        let first = match alone {
            true => self.b.number(from),
            false => self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0],
        };
        if !alone {
            self.ranges.insert(first, (from, to - stride));
            self.divides(first, counted);
        }
        let mut sides = Vec::with_capacity(count);
        for side in 0..count as i64 {
            let counter =
                if side == 0 { first } else { self.shifted(counted, first, side * step, alone, (from, to - stride)) };
            sides.push(JamSide { counter: Some(counter), ..JamSide::default() });
        }
        if !self.sides(nest, param, &mut sides) || !apart(&sides, self.program.width) {
            self.back_to(&mark);
            return false;
        }
        if !alone {
            let (by, end) = (self.b.number(stride), self.b.number(to));
            let next = self.b.op(Op::Add, Scalar::I64, &[first, by]);
            let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
            let body = self.b.close(vec![next]);
            let init = self.b.number(from);
            self.b.repeat(vec![first], vec![init], body, again);
        }
        self.held.clear();
        true
    }

    /// The counter of an iteration `by` behind that of `first`, whose range is given.
    fn shifted(
        &mut self,
        counted: &CountedLoop,
        first: LaneValue,
        by: i64,
        alone: bool,
        (from, last): (i64, i64),
    ) -> LaneValue {
        let number = self.b.number(by);
        let counter = self.b.op(Op::Add, Scalar::I64, &[first, number]);
        if !alone {
            self.ranges.insert(counter, (from + by, last + by));
            self.note_linear(Op::Add, Scalar::I64, &[first, number], counter, true);
            self.divides(counter, counted);
        }
        counter
    }

    /// Takes a body apart, if its inner loop carries lanes and loads some.
    fn nest(&self, body: &'p LaneBlock) -> Option<Nest<'p>> {
        let mut loops = body.nodes.iter().enumerate().filter(|(_, node)| matches!(node, Node::Loop { .. }));
        let (at, Node::Loop { params, init, body: inner, again, results }) = loops.next()? else { return None };
        let (before, behind) = (&body.nodes[..at], &body.nodes[at + 1..]);
        let plain = |node: &Node| matches!(node, Node::Poll) || joinable(std::slice::from_ref(node));
        if loops.next().is_some() || !joinable(before) || !joinable(behind) || !inner.nodes.iter().all(plain) {
            return None;
        }
        let sums: u32 = params.iter().map(|&param| self.registers(param)).sum();
        let loads = self.loaded_registers(inner);
        let registers = NestRegisters { sums, loads, value: self.program.width.div_ceil(4) };
        let nest = Nest { before, params, init, body: inner, again: *again, results, behind, registers };
        (sums > 0 && loads > 0).then_some(nest)
    }

    /// The registers of a value, in units of 16 bytes.
    pub(super) fn registers(&self, value: LaneValue) -> u32 {
        match self.program.ty(value) {
            LaneType::Scalar(_) => 0,
            LaneType::Lanes(Elem::I64 | Elem::F64) => self.program.width.div_ceil(2),
            LaneType::Lanes(Elem::Bool | Elem::I32 | Elem::F32) => self.program.width.div_ceil(4),
        }
    }

    /// The registers of the lanes that a block itself loads.
    pub(super) fn loaded_registers(&self, block: &LaneBlock) -> u32 {
        let loaded = block.nodes.iter().map(|node| match node {
            Node::Let { value, inst: LaneInst::Load { .. }, .. } => self.registers(*value),
            Node::Let { .. }
            | Node::Do { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Exit { .. }
            | Node::Poll => 0,
        });
        loaded.sum()
    }

    /// Writes all iterations; returns whether the inner loop is the same for all and loads a value
    /// for all.
    fn sides(&mut self, nest: &Nest<'p>, param: LaneValue, sides: &mut [JamSide]) -> bool {
        for side in sides.iter_mut() {
            self.values.extend(side.counter.map(|counter| (param, counter)));
            self.noted(|s| nest.before.iter().for_each(|node| s.node(node)), &mut side.accesses[0]);
            side.init = self.all(nest.init);
            let mut defined = vec![param];
            for node in nest.before {
                match node {
                    Node::Let { value, .. } => defined.push(*value),
                    Node::If { results, .. } | Node::Loop { results, .. } => defined.extend(results),
                    Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
                }
            }
            side.values = defined.into_iter().map(|value| (value, self.get(value))).collect();
        }
        let init = sides[0].init.clone();
        // Where the counters of the outer loop are constants, so may the first count and the bound be that the inner
        // loop has in each of the iterations: all must have the same.
        let mut rounds = Vec::with_capacity(sides.len());
        for side in sides.iter() {
            self.values.extend(side.values.iter().copied());
            rounds.push(self.counted(nest.params, &side.init, nest.body, nest.again));
        }
        // The inner loop does not poll.
        let Some(counted) = rounds[0].filter(CountedLoop::is_short) else { return false };
        if rounds.iter().any(|other| *other != Some(counted)) {
            return false;
        }
        let mut shared: Vec<bool> =
            (0..init.len()).map(|at| sides.iter().all(|side| side.init[at] == init[at])).collect();
        let mark = self.b.mark();
        while !self.inner(nest, &counted, &mut shared, sides) {
            if !shared[counted.param] || self.loads_shared == 0 {
                return false;
            }
            self.back_to(&mark);
        }
        for side in sides.iter_mut() {
            self.values.extend(side.values.iter().copied());
            self.values.extend(nest.results.iter().copied().zip(side.results.iter().copied()));
            self.noted(|s| nest.behind.iter().for_each(|node| s.node(node)), &mut side.accesses[2]);
        }
        true
    }

    /// Writes the inner loop of all iterations. Fails if a value assumed to be shared is not, or if
    /// the last shares no load with those before.
    fn inner(&mut self, nest: &Nest<'p>, counted: &CountedLoop, shared: &mut [bool], sides: &mut [JamSide]) -> bool {
        self.held.clear();
        let mut types = Vec::new();
        // Of each parameter, the first of its copies, and how many there are.
        let mut copies = Vec::new();
        for (&param, &shared) in nest.params.iter().zip(&*shared) {
            let count = if shared { 1 } else { sides.len() };
            copies.push((types.len(), count));
            types.extend(std::iter::repeat_n(self.program.ty(param), count));
        }
        let place = |(first, count): (usize, usize), side: usize| first + side.min(count - 1);
        let params = self.b.open_loop(&types);
        let range = (counted.first, counted.end - counted.step);
        self.count(params[copies[counted.param].0], counted, range);
        for (i, side) in sides.iter_mut().enumerate() {
            self.values.extend(side.values.iter().copied());
            let own = copies.iter().map(|&copy| params[place(copy, i)]);
            self.values.extend(nest.params.iter().copied().zip(own));
            self.loads_shared = 0;
            side.accesses[1].clear();
            self.noted(|s| s.few(nest.body), &mut side.accesses[1]);
            side.next = self.all(&nest.body.results);
        }
        let next_of_all = |at: usize| sides.iter().all(|side| side.next[at] == sides[0].next[at]);
        let same: Vec<bool> = (0..copies.len()).map(next_of_all).collect();
        let as_thought = shared.iter().zip(&same).all(|(&shared, &same)| same || !shared);
        if !as_thought || self.loads_shared == 0 {
            shared.iter_mut().zip(same).for_each(|(shared, same)| *shared &= same);
            return false;
        }
        let pick = |of: fn(&JamSide) -> &Vec<LaneValue>| {
            let own = |(param, &(_, count))| sides[..count].iter().map(move |side: &JamSide| of(side)[param]);
            copies.iter().enumerate().flat_map(own).collect::<Vec<_>>()
        };
        let (init, next) = (pick(|side| &side.init), pick(|side| &side.next));
        let counter = next[copies[counted.param].0];
        let elem = self.b.ty(counter).elem();
        let end = self.b.constant(elem, counted.end as u64);
        let again = self.b.op(Op::Lt, scalar_of(elem), &[counter, end]);
        let body = self.b.close(next);
        let results = self.b.repeat(params, init, body, again);
        self.held.clear();
        for (i, side) in sides.iter_mut().enumerate() {
            side.results = copies.iter().map(|&copy| results[place(copy, i)]).collect();
        }
        true
    }

    /// Writes code and records its accesses.
    fn noted(&mut self, write: impl FnOnce(&mut Self), accesses: &mut Vec<LoopAccess>) {
        let outside = std::mem::take(&mut self.accesses);
        self.round = Some(LoopIteration { counter: None, rounds: (0, 0) });
        write(self);
        self.round = None;
        *accesses = std::mem::replace(&mut self.accesses, outside);
    }
}

/// Can each iteration begin before those before it have ended?
fn apart(sides: &[JamSide], width: u32) -> bool {
    let pairs =
        sides.iter().enumerate().flat_map(|(i, first)| sides[i + 1..].iter().map(move |second| (first, second)));
    pairs.into_iter().all(|(first, second)| pair_apart(first, second, width))
}

/// Can the second iteration begin before the first one has ended?
fn pair_apart(first: &JamSide, second: &JamSide, width: u32) -> bool {
    let later = first.accesses.iter().enumerate().skip(1);
    later.flat_map(|(at, accesses)| accesses.iter().map(move |access| (at, access))).all(|(a_at, a)| {
        let earlier = second.accesses.iter().enumerate().take(2);
        earlier.flat_map(|(at, accesses)| accesses.iter().map(move |access| (at, access))).all(|(b_at, b)| {
            if a.at.space != b.at.space || !a.writes && !b.writes {
                return true;
            }
            let spans = (span(&a.at, width), span(&b.at, width));
            // In the inner loop an access overlaps with any iteration of the other.
            let still = a_at != 1 && b_at != 1 && a.at.base == b.at.base && a.at.offset == b.at.offset;
            still && matches!(spans, (Some(a), Some(b)) if a.1 <= b.0 || b.1 <= a.0)
        })
    })
}
