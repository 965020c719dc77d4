//! Loop versioning: bounds checks are hoisted out of loops.
//!
//! [`vectorize`](crate::vectorize) guards each access that may be out of range by an `if` whose
//! first arm is the usual one. In a counted loop most of these conditions compare a scalar that is
//! affine in the counter. For a slope of 1 or -1, the counts for which the condition holds are an
//! interval, whose ends are computed before the loop (`judge`); for larger slopes the condition is
//! tested for the first and the last iteration, and so holds in between. All of that is computed in
//! 64 bits from values that did not wrap, and every intermediate must also stay within its 32 or 64
//! bits, which is checked in the same way: a sum that wraps between the first iteration and the last
//! is not affine. Then the loop becomes
//!
//! ```text
//! loop {
//!     if low <= counter < high (likely) { the same loop without the conditions, while counter < high }
//!     else { one round as it was }
//! } while counter < bound
//! ```
//!
//! so that a stencil executes its conditions only at the edges. If only loop-invariant conditions
//! remain, the result is one test and two loops; so it is for sums whose interval differs by row, as that of
//! `a[row * n + k]` does, since rows that are executed together need one loop.
//!
//! The inner loop does not poll; it is left after [`SHORT`] iterations, and the outer loop polls.
//!
//! - `count` finds the counter of a loop, `judge` the iterations in which its conditions hold;
//! - `limits` computes the interval of counts, `numbers` is its 64-bit arithmetic;
//! - `masks` fixes masks that are mixed only in strips at an edge;
//! - `copy` writes the body without the conditions that hold.

mod copy;
mod count;
mod judge;
mod limits;
mod masks;
mod numbers;

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use self::copy::named;
use self::count::Counter;
use self::judge::{BoundsHoister, WideSum};
use self::masks::Fixed;
use super::program::{Args, ArgumentWord, Elem, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Likely, Node};
use super::sum::Sum;
use super::walk::{effect_operands, operands};
use crate::hash::{HashMap, HashSet};
use crate::sorted::SortedMap;

/// Maximum number of iterations of a short loop.
const SHORT: i64 = 1 << 16;

/// Maximum number of nodes of a loop that is versioned.
const TWICE: usize = 1500;

/// Versions a program's innermost counted loops.
pub fn version(program: &mut LaneProgram) {
    let types = std::mem::take(&mut program.types);
    let (width, inputs) = (program.width.into(), program.inputs.clone());
    let body = std::mem::take(&mut program.body);
    let (defs, of_a_row, used) = (HashMap::default(), HashSet::default(), HashSet::default());
    let mut pass = VersionPass { types, width, inputs, defs, of_a_row, used };
    pass.collect(&body);
    for node in &body.nodes {
        if let Node::Loop { body, .. } = node {
            defined(body, &mut pass.of_a_row);
        }
    }
    program.body = pass.block(body);
    program.types = pass.types;
}

struct VersionPass {
    types: Vec<LaneType>,
    width: i64,
    inputs: Vec<ArgumentWord>,
    defs: HashMap<LaneValue, LaneInst>,
    /// Values that are not uniform over the whole launch.
    of_a_row: HashSet<LaneValue>,
    /// Values that something reads.
    used: HashSet<LaneValue>,
}

/// A loop.
struct VersionedLoop {
    params: Vec<LaneValue>,
    init: Vec<LaneValue>,
    body: LaneBlock,
    again: LaneValue,
    results: Vec<LaneValue>,
}

/// The iterations of a loop in which its hoisted conditions hold.
struct IterationCounts {
    counter: Counter,
    /// The first such count, if there are lower counts.
    low: Option<LaneValue>,
    /// The end of such counts, if there are others below the loop's own bound.
    high: Option<LaneValue>,
    /// An additional loop-invariant condition.
    always: LaneValue,
    /// Is the number of iterations known to be small?
    short: bool,
}

/// Facts that hold in the fast version.
struct LoopFacts {
    /// Conditions of accesses that hold.
    free: HashSet<LaneValue>,
    /// Masks and conditions that are the same in all iterations.
    fixed: Fixed,
    /// 64-bit scalars that equal the counter plus a constant.
    offsets: SortedMap<LaneValue, i64>,
    /// 64-bit scalars that equal a sum of the counter and of scalars from before the loop.
    exact: SortedMap<LaneValue, Sum>,
    /// 64-bit scalars that equal a 32-bit one plus a constant, by the latter.
    sums: SortedMap<LaneValue, Vec<(LaneValue, i64)>>,
    /// All of them.
    summed: HashSet<LaneValue>,
}

impl VersionedLoop {
    fn node(self) -> Node {
        let VersionedLoop { params, init, body, again, results } = self;
        Node::Loop { params, init, body, again, results }
    }
}

impl VersionPass {
    fn collect(&mut self, block: &LaneBlock) {
        self.used.extend(&block.results);
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    self.defs.insert(*value, inst.clone());
                    operands(inst, &mut |&value| _ = self.used.insert(value));
                }
                Node::Do { effect, .. } => effect_operands(effect, &mut |&value| _ = self.used.insert(value)),
                Node::If { condition, then, otherwise, .. } => {
                    self.used.insert(*condition);
                    [then, otherwise].into_iter().for_each(|block| self.collect(block));
                }
                Node::Loop { init, body, again, .. } => {
                    self.used.extend(init.iter().chain([again]));
                    self.collect(body);
                }
                Node::Exit { condition, .. } => _ = self.used.insert(*condition),
                Node::Poll => {}
            }
        }
    }

    fn fresh(&mut self, ty: LaneType) -> LaneValue {
        self.types.push(ty);
        LaneValue(self.types.len() as u32 - 1)
    }

    fn block(&mut self, block: LaneBlock) -> LaneBlock {
        let (all, results) = block.into_parts();
        let mut nodes = Vec::with_capacity(all.len());
        for node in all {
            match node {
                Node::If { condition, then, otherwise, results, likely } => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    nodes.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, body, again, results } => {
                    let body = self.block(body);
                    self.repeat(VersionedLoop { params, init, body, again, results }, &mut nodes);
                }
                other @ (Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll) => nodes.push(other),
            }
        }
        LaneBlock { nodes, results }
    }

    /// Writes a loop, in two versions if that helps.
    fn repeat(&mut self, mut round: VersionedLoop, nodes: &mut Vec<Node>) {
        if round.results.iter().all(|result| !self.used.contains(result)) {
            self.clamp((&round.params, &round.init), &mut round.body, &mut round.again, nodes);
        }
        let mut shape = BodyShape::default();
        shape.of(&round.body);
        let counter = self.counter(&round.params, &round.body, round.again);
        let Some(counter) = counter.filter(|_| !shape.loops && shape.nodes <= TWICE && (shape.guards || shape.polls))
        else {
            return nodes.push(round.node());
        };
        let mut inside: HashSet<LaneValue> = round.params.iter().copied().collect();
        defined(&round.body, &mut inside);
        if inside.contains(&counter.bound) {
            return nodes.push(round.node());
        }
        let (param, first) = (round.params[counter.param], round.init[counter.param]);
        let mut judge = BoundsHoister::new(self, &counter, param, first, inside);
        let mut free = HashSet::default();
        judge.guards(&round.body, &mut free);
        let mut fixed = Fixed::default();
        if judge.pass.compares(round.again) {
            judge.masks(&round.body, &free, &mut fixed);
        }
        if free.is_empty() && fixed.is_empty() && !shape.polls {
            return nodes.push(round.node());
        }
        judge.widened(&round.body);
        let offsets = judge.offsets.iter().copied().collect();
        let exact = judge.exact.iter().cloned().collect();
        let mut known = LoopFacts { free, fixed, offsets, exact, sums: SortedMap::new(), summed: HashSet::default() };
        for &(value, WideSum { of, constant }) in &judge.sums {
            if known.summed.insert(value) {
                known.sums.or_default(of).push((value, constant));
            }
        }
        // A loop of the kernel whose interval differs by row could not be one loop for several rows.
        let sums = round.params.iter().any(|param| judge.pass.types[param.index()].is_lanes());
        let whole = shape.polls && sums && judge.differs_by_row();
        let (low, high) = judge.interval();
        let always = judge.all();
        let counts = IterationCounts { counter, low, high, always, short: judge.is_short() };
        if !whole && judge.pass.compares(round.again) && (low.is_some() || high.is_some()) {
            let end = high.unwrap_or(judge.bound);
            nodes.append(&mut judge.nodes);
            return self.stretches(round, &counts, end, shape.polls, &known, nodes);
        }
        // All iterations or none.
        let holds = judge.in_all_rounds(&counts, shape.polls);
        let always = judge.pass.bits(holds) == Some(1);
        nodes.append(&mut judge.nodes);
        let mut before = Vec::new();
        let fast = self.without(&round, param, &known, &mut before);
        if always {
            nodes.append(&mut before);
            return nodes.push(VersionedLoop { results: round.results, ..fast }.node());
        }
        let slow_results: Vec<LaneValue> =
            round.results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        let results = std::mem::replace(&mut round.results, slow_results.clone());
        let results_of_fast = fast.results.clone();
        before.push(fast.node());
        let then = LaneBlock { results: results_of_fast, nodes: before };
        let otherwise = LaneBlock { nodes: vec![round.node()], results: slow_results };
        nodes.push(Node::If { condition: holds, then, otherwise, results, likely: Likely::Version });
    }

    /// The loop without the conditions that hold; `before` gets what is computed before it.
    fn without(
        &mut self,
        round: &VersionedLoop,
        count: LaneValue,
        known: &LoopFacts,
        before: &mut Vec<Node>,
    ) -> VersionedLoop {
        let (params, body, names) = self.copy(round, count, known, before);
        let results = body.results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        VersionedLoop { params, init: round.init.clone(), body, again: named(round.again, &names), results }
    }

    /// Writes a loop that enters its fast version wherever the counter is in the interval.
    fn stretches(
        &mut self,
        round: VersionedLoop,
        counts: &IterationCounts,
        end: LaneValue,
        polls: bool,
        known: &LoopFacts,
        nodes: &mut Vec<Node>,
    ) {
        let Counter { param, step, .. } = counts.counter;
        let count = round.params[param];
        let narrow = self.types[count.index()].elem() == Elem::I32;
        let mut around = Vec::new();
        let wide = if narrow { self.op(Op::ToI64, Scalar::I32, &[count], Elem::I64, &mut around) } else { count };
        let mut condition = self.op(Op::Lt, Scalar::I64, &[wide, end], Elem::Bool, &mut around);
        if let Some(low) = counts.low {
            let reached = self.op(Op::Ge, Scalar::I64, &[wide, low], Elem::Bool, &mut around);
            condition = self.op(Op::And, Scalar::Bool, &[condition, reached], Elem::Bool, &mut around);
        }
        if self.bits(counts.always) != Some(1) {
            condition = self.op(Op::And, Scalar::Bool, &[condition, counts.always], Elem::Bool, &mut around);
        }
        let mut then = Vec::new();
        let mut until = end;
        if polls && !counts.short {
            then.push(Node::Poll);
            let many = self.fresh(LaneType::Scalar(Elem::I64));
            self.define(many, LaneInst::Const((SHORT * step) as u64), &mut then);
            let far = self.op(Op::Add, Scalar::I64, &[wide, many], Elem::I64, &mut then);
            until = self.op(Op::Min, Scalar::I64, &[end, far], Elem::I64, &mut then);
        }
        if narrow {
            until = self.op(Op::ToI32, Scalar::I64, &[until], Elem::I32, &mut then);
        }
        let mut fast = VersionedLoop { init: round.params.clone(), ..self.without(&round, count, known, &mut then) };
        let next = fast.body.results[param];
        let scalar = if narrow { Scalar::I32 } else { Scalar::I64 };
        fast.again = self.op(Op::Lt, scalar, &[next, until], Elem::Bool, &mut fast.body.nodes);
        let given = fast.results.clone();
        then.push(fast.node());
        let results: Vec<LaneValue> = round.params.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        let next = round.body.results[param];
        // `compares` has checked this.
        let Some(LaneInst::Op { op, scalar, args }) = self.defs.get(&round.again) else {
            return nodes.push(round.node());
        };
        let args = args.iter().map(|&arg| if arg == next { results[param] } else { arg });
        let (op, scalar, args) = (*op, *scalar, args.collect::<Vec<LaneValue>>());
        around.push(Node::If {
            condition,
            then: LaneBlock { nodes: then, results: given },
            otherwise: round.body,
            results: results.clone(),
            likely: Likely::Version,
        });
        let again = self.op(op, scalar, &args, Elem::Bool, &mut around);
        let body = LaneBlock { nodes: around, results };
        nodes.push(VersionedLoop { body, again, ..round }.node());
    }

    fn op(&mut self, op: Op, scalar: Scalar, args: &[LaneValue], elem: Elem, nodes: &mut Vec<Node>) -> LaneValue {
        let value = self.fresh(LaneType::Scalar(elem));
        self.define(value, LaneInst::Op { op, scalar, args: Args::from_slice(args) }, nodes);
        value
    }

    fn define(&mut self, value: LaneValue, inst: LaneInst, nodes: &mut Vec<Node>) {
        self.defs.insert(value, inst.clone());
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
    }

    /// Is it the extent of a view or of the domain?
    fn is_extent(&self, value: LaneValue) -> bool {
        let Some(LaneInst::Input(input)) = self.defs.get(&value) else { return false };
        matches!(self.inputs.get(*input as usize), Some(ArgumentWord::ViewExtent(..) | ArgumentWord::DomainExtent(_)))
    }

    /// Is it a single scalar comparison?
    fn compares(&self, again: LaneValue) -> bool {
        matches!(self.defs.get(&again), Some(LaneInst::Op { scalar: Scalar::I32 | Scalar::U32 | Scalar::I64, .. }))
    }

    /// The bits of a constant.
    fn bits(&self, value: LaneValue) -> Option<u64> {
        if let LaneInst::Const(bits) = self.defs.get(&value)? { Some(*bits) } else { None }
    }

    /// A constant integer.
    fn number(&self, value: LaneValue) -> Option<i64> {
        let bits = self.bits(value)?;
        match self.types[value.index()] {
            LaneType::Scalar(Elem::I32) => Some(i64::from(bits as i32)),
            LaneType::Scalar(Elem::I64) => Some(bits as i64),
            LaneType::Scalar(Elem::Bool | Elem::F32 | Elem::F64) | LaneType::Lanes(_) => None,
        }
    }
}

/// The shape of a loop's body.
#[derive(Default)]
struct BodyShape {
    nodes: usize,
    loops: bool,
    guards: bool,
    polls: bool,
}

impl BodyShape {
    fn of(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            self.nodes += 1;
            match node {
                Node::If { then, otherwise, likely, .. } => {
                    self.guards |= likely.is_then();
                    self.of(then);
                    self.of(otherwise);
                }
                Node::Loop { .. } => self.loops = true,
                Node::Poll => self.polls = true,
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } => {}
            }
        }
    }
}

fn defined(block: &LaneBlock, into: &mut HashSet<LaneValue>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, .. } => _ = into.insert(*value),
            Node::If { then, otherwise, results, .. } => {
                into.extend(results);
                defined(then, into);
                defined(otherwise, into);
            }
            Node::Loop { params, body, results, .. } => {
                into.extend(params.iter().chain(results));
                defined(body, into);
            }
            Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
        }
    }
}

#[cfg(test)]
mod tests;
