//! Versions of loops: accesses are judged before the loop instead of in each round.
//!
//! [`form`](crate::form) puts each access that may be out of range into an `if` whose first arm is the usual one. In a counted loop most of these conditions
//! compare something that goes evenly with the counter. For what goes with it one by one, or against it, the counts for which the condition holds are an interval, whose
//! ends are computed before the loop (`judge`); for what goes in larger steps it is asked in the first and in the last round, and so holds in between. All of that
//! is computed in 64 bits from what did not wrap, and every 32-bit step on the way must lie within 32 bits too, by the same means. Then the loop becomes
//!
//! ```text
//! loop {
//!     if low <= counter < high (likely) { the same loop without the conditions, while counter < high }
//!     else { one round as it was }
//! } while counter < bound
//! ```
//!
//! so that a stencil runs with conditions at the edges only. Where nothing but conditions of the whole loop is left, it is one question and two loops.
//!
//! The inner loop does not ask whether the launch is to end; it is left after [`SHORT`] rounds, and that is asked.

mod copy;
mod count;
mod judge;
mod limits;
mod masks;
mod numbers;

use std::collections::BTreeMap;

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use self::copy::named;
use self::count::Counter;
use self::judge::Judge;
use self::masks::Fixed;
use super::program::{Args, Block, Elem, Input, Inst, Likely, Node, Program, Ty, Value};
use crate::hash::{HashMap, HashSet};

/// Rounds up to which a loop is short.
const SHORT: i64 = 1 << 16;

/// Nodes up to which a loop is written twice.
const TWICE: usize = 1500;

/// Makes versions of a program's innermost counted loops.
pub fn version(program: &mut Program) {
    let types = std::mem::take(&mut program.types);
    let (width, inputs) = (program.width.into(), program.inputs.clone());
    let mut pass = Pass { types, width, inputs, defs: HashMap::default(), of_a_row: HashSet::default() };
    let body = std::mem::take(&mut program.body);
    pass.collect(&body);
    for node in &body.nodes {
        if let Node::Loop { body, .. } = node {
            defined(body, &mut pass.of_a_row);
        }
    }
    program.body = pass.block(body);
    program.types = pass.types;
}

struct Pass {
    types: Vec<Ty>,
    width: i64,
    inputs: Vec<Input>,
    defs: HashMap<Value, Inst>,
    /// Values that are not the same in the whole launch.
    of_a_row: HashSet<Value>,
}

/// A loop.
struct Round {
    params: Vec<Value>,
    init: Vec<Value>,
    body: Block,
    again: Value,
    results: Vec<Value>,
}

/// For which rounds of a loop what is asked in it holds.
struct Counts {
    counter: Counter,
    /// Counts from here on, if there are others.
    low: Option<Value>,
    /// Counts below that, if there are others below the loop's own bound.
    high: Option<Value>,
    /// And if this holds.
    always: Value,
    /// Is it known that there are few?
    short: bool,
}

/// What is known in the quick loop.
struct Known {
    /// Conditions of accesses that hold.
    free: HashSet<Value>,
    /// Masks and conditions that are the same in all rounds.
    fixed: Fixed,
    /// Scalars of 64 bits that are the counter and a number.
    offsets: BTreeMap<Value, i64>,
}

impl Round {
    fn node(self) -> Node {
        let Round { params, init, body, again, results } = self;
        Node::Loop { params, init, body, again, results }
    }
}

impl Pass {
    fn collect(&mut self, block: &Block) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => _ = self.defs.insert(*value, inst.clone()),
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|block| self.collect(block)),
                Node::Loop { body, .. } => self.collect(body),
                Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn fresh(&mut self, ty: Ty) -> Value {
        self.types.push(ty);
        Value(self.types.len() as u32 - 1)
    }

    fn block(&mut self, block: Block) -> Block {
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
                    self.repeat(Round { params, init, body, again, results }, &mut nodes);
                }
                other @ (Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll) => nodes.push(other),
            }
        }
        Block { nodes, results }
    }

    /// Writes a loop, in two versions if that helps.
    fn repeat(&mut self, mut round: Round, nodes: &mut Vec<Node>) {
        self.clamp(&round.params, &mut round.body, &mut round.again, nodes);
        let mut shape = Shape::default();
        shape.of(&round.body);
        let counter = self.counter(&round.params, &round.body, round.again);
        let Some(counter) = counter.filter(|_| !shape.loops && shape.nodes <= TWICE && (shape.guards || shape.polls))
        else {
            return nodes.push(round.node());
        };
        let mut inside: HashSet<Value> = round.params.iter().copied().collect();
        defined(&round.body, &mut inside);
        if inside.contains(&counter.bound) {
            return nodes.push(round.node());
        }
        let (param, first) = (round.params[counter.param], round.init[counter.param]);
        let mut judge = Judge::new(self, &counter, param, first, inside);
        let mut free = HashSet::default();
        judge.guards(&round.body, &mut free);
        let mut fixed = Fixed::default();
        if judge.pass.compares(round.again) {
            judge.masks(&round.body, &free, &mut fixed);
        }
        if free.is_empty() && fixed.is_empty() && !shape.polls {
            return nodes.push(round.node());
        }
        let offsets = judge.offsets.iter().copied().collect();
        let known = Known { free, fixed, offsets };
        let (low, high) = judge.interval();
        let always = judge.all();
        let counts = Counts { counter, low, high, always, short: judge.is_short() };
        if judge.pass.compares(round.again) && (low.is_some() || high.is_some()) {
            let end = high.unwrap_or(judge.bound);
            nodes.append(&mut judge.nodes);
            return self.stretches(round, &counts, end, shape.polls, &known, nodes);
        }
        // All rounds or none.
        let holds = judge.in_all_rounds(&counts, shape.polls);
        let always = judge.pass.bits(holds) == Some(1);
        nodes.append(&mut judge.nodes);
        let fast = self.without(&round, param, &known);
        if always {
            return nodes.push(Round { results: round.results, ..fast }.node());
        }
        let slow_results: Vec<Value> =
            round.results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        let results = std::mem::replace(&mut round.results, slow_results.clone());
        let then = Block { results: fast.results.clone(), nodes: vec![fast.node()] };
        let otherwise = Block { nodes: vec![round.node()], results: slow_results };
        nodes.push(Node::If { condition: holds, then, otherwise, results, likely: Likely::Then });
    }

    /// The loop without what holds.
    fn without(&mut self, round: &Round, count: Value, known: &Known) -> Round {
        let (params, body, names) = self.copy(round, count, known);
        let results = body.results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        Round { params, init: round.init.clone(), body, again: named(round.again, &names), results }
    }

    /// Writes a loop that goes the quick way wherever its counter is within the interval.
    fn stretches(
        &mut self,
        round: Round,
        counts: &Counts,
        end: Value,
        polls: bool,
        known: &Known,
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
            let many = self.fresh(Ty::Scalar(Elem::I64));
            self.define(many, Inst::Const((SHORT * step) as u64), &mut then);
            let far = self.op(Op::Add, Scalar::I64, &[wide, many], Elem::I64, &mut then);
            until = self.op(Op::Min, Scalar::I64, &[end, far], Elem::I64, &mut then);
        }
        if narrow {
            until = self.op(Op::ToI32, Scalar::I64, &[until], Elem::I32, &mut then);
        }
        let mut fast = Round { init: round.params.clone(), ..self.without(&round, count, known) };
        let next = fast.body.results[param];
        let scalar = if narrow { Scalar::I32 } else { Scalar::I64 };
        fast.again = self.op(Op::Lt, scalar, &[next, until], Elem::Bool, &mut fast.body.nodes);
        let given = fast.results.clone();
        then.push(fast.node());
        let results: Vec<Value> = round.params.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        let next = round.body.results[param];
        // `compares` saw to it.
        let Some(Inst::Op { op, scalar, args }) = self.defs.get(&round.again) else {
            return nodes.push(round.node());
        };
        let args = args.iter().map(|&arg| if arg == next { results[param] } else { arg });
        let (op, scalar, args) = (*op, *scalar, args.collect::<Vec<Value>>());
        around.push(Node::If {
            condition,
            then: Block { nodes: then, results: given },
            otherwise: round.body,
            results: results.clone(),
            likely: Likely::Then,
        });
        let again = self.op(op, scalar, &args, Elem::Bool, &mut around);
        let body = Block { nodes: around, results };
        nodes.push(Round { body, again, ..round }.node());
    }

    fn op(&mut self, op: Op, scalar: Scalar, args: &[Value], elem: Elem, nodes: &mut Vec<Node>) -> Value {
        let value = self.fresh(Ty::Scalar(elem));
        self.define(value, Inst::Op { op, scalar, args: Args::from_slice(args) }, nodes);
        value
    }

    fn define(&mut self, value: Value, inst: Inst, nodes: &mut Vec<Node>) {
        self.defs.insert(value, inst.clone());
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
    }

    /// The extent of a view or of the domain?
    fn is_extent(&self, value: Value) -> bool {
        let Some(Inst::Input(input)) = self.defs.get(&value) else { return false };
        matches!(self.inputs.get(*input as usize), Some(Input::ViewExtent(..) | Input::DomainExtent(_)))
    }

    /// Is it one comparison of scalars, and nothing else?
    fn compares(&self, again: Value) -> bool {
        matches!(self.defs.get(&again), Some(Inst::Op { scalar: Scalar::I32 | Scalar::I64, .. }))
    }

    /// The bits of a constant.
    fn bits(&self, value: Value) -> Option<u64> {
        if let Inst::Const(bits) = self.defs.get(&value)? { Some(*bits) } else { None }
    }

    /// A constant integer.
    fn number(&self, value: Value) -> Option<i64> {
        let bits = self.bits(value)?;
        match self.types[value.index()] {
            Ty::Scalar(Elem::I32) => Some(i64::from(bits as i32)),
            Ty::Scalar(Elem::I64) => Some(bits as i64),
            Ty::Scalar(Elem::Bool | Elem::F32 | Elem::F64) | Ty::Lanes(_) => None,
        }
    }
}

/// What a loop's body is like.
#[derive(Default)]
struct Shape {
    nodes: usize,
    loops: bool,
    guards: bool,
    polls: bool,
}

impl Shape {
    fn of(&mut self, block: &Block) {
        for node in &block.nodes {
            self.nodes += 1;
            match node {
                Node::If { then, otherwise, likely, .. } => {
                    self.guards |= *likely == Likely::Then;
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

fn defined(block: &Block, into: &mut HashSet<Value>) {
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
