//! Unroll and jam: executes two iterations of an outer loop together in one inner loop, which loads
//! shared values once.
//!
//! In a matrix product each row of a tile iterates over all rows of the other factor. Two rows at a
//! time load these half as often, and the two sums are independent, so neither waits for the other.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::join::joinable;
use super::memory::{LoopAccess, span};
use super::{CountedLoop, LoopIteration, Rewriter};
use crate::lanes::build::scalar_of;
use crate::lanes::program::{Elem, LaneBlock, LaneInst, LaneType, LaneValue, Node};

/// Vector registers of 16 bytes.
const REGISTERS: u32 = 16;

/// A loop body: an inner loop and the nodes before and after it.
struct Nest<'p> {
    before: &'p [Node],
    params: &'p [LaneValue],
    init: &'p [LaneValue],
    body: &'p LaneBlock,
    again: LaneValue,
    results: &'p [LaneValue],
    behind: &'p [Node],
}

/// One of the two iterations.
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
    /// Writes a range of a loop's iterations in pairs; returns whether that is legal and pays.
    pub(super) fn jam(
        &mut self,
        counted: &CountedLoop,
        (from, to): (i64, i64),
        param: LaneValue,
        body: &'p LaneBlock,
    ) -> bool {
        let step = counted.step;
        let Some(nest) = self.nest(body).filter(|_| (to - from) / step % 2 == 0) else { return false };
        let mark = self.b.mark();
        self.held.clear();
        let alone = from + 2 * step == to;
        let first = match alone {
            true => self.b.number(from),
            false => self.b.open_loop(&[LaneType::Scalar(Elem::I64)])[0],
        };
        if !alone {
            self.ranges.insert(first, (from, to - 2 * step));
            self.divides(first, counted);
        }
        let by = self.b.number(step);
        let second = self.b.op(Op::Add, Scalar::I64, &[first, by]);
        if !alone {
            self.ranges.insert(second, (from + step, to - step));
            self.note_linear(Op::Add, Scalar::I64, &[first, by], second, true);
            self.divides(second, counted);
        }
        let mut sides = [first, second].map(|counter| JamSide { counter: Some(counter), ..JamSide::default() });
        if !self.sides(&nest, param, &mut sides) || !apart(&sides, self.program.width) {
            self.back_to(&mark);
            return false;
        }
        if !alone {
            let (by, end) = (self.b.number(2 * step), self.b.number(to));
            let next = self.b.op(Op::Add, Scalar::I64, &[first, by]);
            let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
            let body = self.b.close(vec![next]);
            let init = self.b.number(from);
            self.b.repeat(vec![first], vec![init], body, again);
        }
        self.held.clear();
        true
    }

    /// Takes a body apart, if there are enough registers for two.
    fn nest(&self, body: &'p LaneBlock) -> Option<Nest<'p>> {
        let mut loops = body.nodes.iter().enumerate().filter(|(_, node)| matches!(node, Node::Loop { .. }));
        let (at, Node::Loop { params, init, body: inner, again, results }) = loops.next()? else { return None };
        let (before, behind) = (&body.nodes[..at], &body.nodes[at + 1..]);
        let plain = |node: &Node| matches!(node, Node::Poll) || joinable(std::slice::from_ref(node));
        if loops.next().is_some() || !joinable(before) || !joinable(behind) || !inner.nodes.iter().all(plain) {
            return None;
        }
        let registers = |value: LaneValue| match self.program.ty(value) {
            LaneType::Scalar(_) => 0,
            LaneType::Lanes(Elem::I64 | Elem::F64) => self.program.width.div_ceil(2),
            LaneType::Lanes(_) => self.program.width.div_ceil(4),
        };
        let loaded = |node: &Node| {
            if let Node::Let { value, inst: LaneInst::Load { .. }, .. } = node { registers(*value) } else { 0 }
        };
        let sums: u32 = params.iter().map(|&param| registers(param)).sum();
        let loads: u32 = inner.nodes.iter().map(loaded).sum();
        // And two for intermediate values.
        let fits = sums > 0 && loads > 0 && 2 * sums + loads + 2 <= REGISTERS;
        fits.then_some(Nest { before, params, init, body: inner, again: *again, results, behind })
    }

    /// Writes both iterations; returns whether the inner loop is the same for both and loads a
    /// value for both.
    fn sides(&mut self, nest: &Nest<'p>, param: LaneValue, sides: &mut [JamSide; 2]) -> bool {
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
        // The inner loop does not poll.
        let counted = self.counted(nest.params, &init, nest.body, nest.again).filter(CountedLoop::is_short);
        let Some(counted) = counted else { return false };
        let mut shared: Vec<bool> = init.iter().zip(&sides[1].init).map(|(a, b)| a == b).collect();
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

    /// Writes the inner loop of both iterations. Fails if a value assumed to be shared is not, or
    /// if they share no load.
    fn inner(&mut self, nest: &Nest<'p>, counted: &CountedLoop, shared: &mut [bool], sides: &mut [JamSide; 2]) -> bool {
        self.held.clear();
        let mut types = Vec::new();
        let mut places = Vec::new();
        for (&param, &shared) in nest.params.iter().zip(&*shared) {
            places.push([types.len(), types.len() + usize::from(!shared)]);
            types.extend(std::iter::repeat_n(self.program.ty(param), 2 - usize::from(shared)));
        }
        let params = self.b.open_loop(&types);
        let range = (counted.first, counted.end - counted.step);
        self.count(params[places[counted.param][0]], counted, range);
        for (i, side) in sides.iter_mut().enumerate() {
            self.values.extend(side.values.iter().copied());
            self.values.extend(nest.params.iter().copied().zip(places.iter().map(|place| params[place[i]])));
            self.loads_shared = 0;
            side.accesses[1].clear();
            self.noted(|s| s.few(nest.body), &mut side.accesses[1]);
            side.next = self.all(&nest.body.results);
        }
        let same: Vec<bool> = sides[0].next.iter().zip(&sides[1].next).map(|(a, b)| a == b).collect();
        let as_thought = shared.iter().zip(&same).all(|(&shared, &same)| same || !shared);
        if !as_thought || self.loads_shared == 0 {
            shared.iter_mut().zip(same).for_each(|(shared, same)| *shared &= same);
            return false;
        }
        let pick = |of: fn(&JamSide) -> &Vec<LaneValue>| {
            let mut all = Vec::new();
            for (param, place) in places.iter().enumerate() {
                all.push(of(&sides[0])[param]);
                all.extend((place[0] != place[1]).then(|| of(&sides[1])[param]));
            }
            all
        };
        let (init, next) = (pick(|side| &side.init), pick(|side| &side.next));
        let counter = next[places[counted.param][0]];
        let elem = self.b.ty(counter).elem();
        let end = self.b.constant(elem, counted.end as u64);
        let again = self.b.op(Op::Lt, scalar_of(elem), &[counter, end]);
        let body = self.b.close(next);
        let results = self.b.repeat(params, init, body, again);
        self.held.clear();
        for (i, side) in sides.iter_mut().enumerate() {
            side.results = places.iter().map(|place| results[place[i]]).collect();
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

/// Can the second iteration begin before the first one has ended?
fn apart(sides: &[JamSide; 2], width: u32) -> bool {
    let later = sides[0].accesses.iter().enumerate().skip(1);
    later.flat_map(|(at, accesses)| accesses.iter().map(move |access| (at, access))).all(|(a_at, a)| {
        let earlier = sides[1].accesses.iter().enumerate().take(2);
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
