//! Versions of loops: accesses are judged once before the loop instead of in each round.
//!
//! [`form`](crate::form) puts each access that may be out of range into an `if` whose first arm is the usual one. In a counted loop most of these conditions
//! compare something that goes evenly with the counter. Then it is enough to ask at the first and at the last count: if the condition holds at both it holds in between, provided that nothing
//! wrapped. So both ends are computed in 64 bits from what did not wrap, and every 32-bit step on the way must lie within 32 bits at both. If all that holds, the loop
//! runs without the conditions; if not, as it was.
//!
//! A loop that is known to be short also runs without asking whether the launch is to end: who is around it asks.

use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::program::{Block, Effect, Elem, Inst, Likely, Node, Program, Ty, Value};
use crate::hash::{HashMap, HashSet};

/// Rounds up to which a loop is short.
const SHORT: i64 = 1 << 16;

/// Nodes up to which a loop is written twice.
const TWICE: usize = 1500;

/// Makes versions of a program's innermost counted loops.
pub fn version(program: &mut Program) {
    let mut pass = Pass { types: std::mem::take(&mut program.types), defs: HashMap::default() };
    let body = std::mem::take(&mut program.body);
    pass.collect(&body);
    program.body = pass.block(body);
    program.types = pass.types;
}

struct Pass {
    types: Vec<Ty>,
    defs: HashMap<Value, Inst>,
}

/// The counter of a loop: which parameter, by how much it grows, and what it stays below.
struct Counter {
    param: usize,
    step: i64,
    bound: Value,
    /// Stays below or equal.
    or_equal: bool,
}

/// What is computed before the loop.
struct Before<'p> {
    pass: &'p mut Pass,
    nodes: Vec<Node>,
    counter: Value,
    inside: HashSet<Value>,
    /// Values of the loop at its first and last count, in 64 bits, and whether they change.
    known: HashMap<(Value, usize), (Value, bool)>,
    ends: [Value; 2],
    /// What was computed already, and demanded.
    written: HashMap<Inst, Value>,
    demanded: Vec<Value>,
    ok: Option<Value>,
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
        let mut nodes = Vec::with_capacity(block.nodes.len());
        for node in block.nodes {
            match node {
                Node::If { condition, then, otherwise, results, likely } => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    nodes.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, body, again, results } => {
                    let body = self.block(body);
                    self.repeat(params, init, body, again, results, &mut nodes);
                }
                other => nodes.push(other),
            }
        }
        Block { nodes, results: block.results }
    }

    /// Writes a loop, in two versions if that helps.
    fn repeat(
        &mut self,
        params: Vec<Value>,
        init: Vec<Value>,
        body: Block,
        again: Value,
        results: Vec<Value>,
        nodes: &mut Vec<Node>,
    ) {
        let mut body = body;
        let mut again = again;
        self.clamp(&params, &mut body, &mut again, nodes);
        let plain = |nodes: &mut Vec<Node>, params, init, body, results| {
            nodes.push(Node::Loop { params, init, body, again, results });
        };
        let mut shape = Shape::default();
        shape.of(&body);
        if shape.loops || shape.nodes > TWICE || !shape.guards && !shape.polls {
            return plain(nodes, params, init, body, results);
        }
        let Some(counter) = self.counter(&params, &body, again) else {
            return plain(nodes, params, init, body, results);
        };
        let mut inside: HashSet<Value> = params.iter().copied().collect();
        defined(&body, &mut inside);
        if inside.contains(&counter.bound) {
            return plain(nodes, params, init, body, results);
        }
        let mut before = Before::new(self, &counter, params[counter.param], init[counter.param], inside);
        let mut free = HashSet::default();
        before.guards(&body, &mut free);
        if free.is_empty() && !shape.polls {
            return plain(nodes, params, init, body, results);
        }
        // Nothing to ask means that all holds.
        let ok = match before.ok {
            Some(ok) => ok,
            None => before.truth(1),
        };
        nodes.append(&mut before.nodes);
        if self.bits(ok) == Some(1) {
            let Node::Loop { params, init, body, again, .. } = self.copy(&params, &init, &body, again, &free) else {
                return;
            };
            nodes.push(Node::Loop { params, init, body, again, results });
            return;
        }
        let fast = self.copy(&params, &init, &body, again, &free);
        let slow_results: Vec<Value> = results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        let slow = Node::Loop { params, init, body, again, results: slow_results.clone() };
        let Node::Loop { results: fast_results, .. } = &fast else { return };
        let then = Block { results: fast_results.clone(), nodes: vec![fast] };
        let otherwise = Block { nodes: vec![slow], results: slow_results };
        nodes.push(Node::If { condition: ok, then, otherwise, results, likely: Likely::Then });
    }

    /// A counted loop that does something only while its counter is below a limit need not count further.
    fn clamp(&mut self, params: &[Value], body: &mut Block, again: &mut Value, nodes: &mut Vec<Node>) {
        let [param] = *params else { return };
        let Some(counter) = self.counter(params, body, *again).filter(|counter| !counter.or_equal) else { return };
        let mut inside: HashSet<Value> = params.iter().copied().collect();
        defined(body, &mut inside);
        if inside.contains(&counter.bound) || self.types[counter.bound.index()] != Ty::Scalar(Elem::I64) {
            return;
        }
        let Some(limit) = self.limit(body, param).filter(|limit| !inside.contains(limit)) else { return };
        let bound = self.fresh(Ty::Scalar(Elem::I64));
        let least = Inst::Op { op: Op::Min, scalar: Scalar::I64, args: vec![counter.bound, limit] };
        self.defs.insert(bound, least.clone());
        nodes.push(Node::Let { value: bound, inst: least, pos: Pos::NONE });
        let next = body.results[counter.param];
        let value = self.fresh(Ty::Scalar(Elem::Bool));
        let inst = Inst::Op { op: Op::Lt, scalar: Scalar::I64, args: vec![next, bound] };
        self.defs.insert(value, inst.clone());
        body.nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        *again = value;
    }

    /// What the counter must be below for a block to do anything.
    fn limit(&self, block: &Block, counter: Value) -> Option<Value> {
        let mut found = None;
        for node in &block.nodes {
            match node {
                Node::Let { inst: Inst::Load { .. } | Inst::Atomic { .. } | Inst::CompareExchange { .. }, .. } => {
                    return None;
                }
                Node::Let { .. } => {}
                Node::If { condition, then: _, otherwise, results, .. } if results.is_empty() && found.is_none() => {
                    let Inst::Op { op: Op::Gt | Op::Ge, scalar: Scalar::I64, args } = self.defs.get(condition)? else {
                        return None;
                    };
                    let (left, least) = (args[0], self.number(args[1])?);
                    let above = matches!(self.defs.get(condition)?, Inst::Op { op: Op::Gt, .. });
                    let Inst::Op { op: Op::Sub, scalar: Scalar::I64, args } = self.defs.get(&left)? else {
                        return None;
                    };
                    if args[1] != counter || least < i64::from(!above) {
                        return None;
                    }
                    let limit = args[0];
                    if !otherwise.nodes.is_empty() && self.limit(otherwise, counter) != Some(limit) {
                        return None;
                    }
                    found = Some(limit);
                }
                _ => return None,
            }
        }
        found
    }

    /// What counts the rounds of a loop.
    fn counter(&self, params: &[Value], body: &Block, again: Value) -> Option<Counter> {
        match self.defs.get(&again)? {
            Inst::Op { op: Op::And, scalar: Scalar::Bool, args } => {
                args.iter().find_map(|&arg| self.counter(params, body, arg))
            }
            Inst::Any(mask) => self.counter(params, body, *mask),
            Inst::Splat(scalar) => self.counter(params, body, *scalar),
            Inst::Op { op, scalar: Scalar::I32 | Scalar::I64, args } => {
                let (next, bound, or_equal) = match (op, args.as_slice()) {
                    (Op::Lt, &[next, bound]) | (Op::Gt, &[bound, next]) => (next, bound, false),
                    (Op::Le, &[next, bound]) | (Op::Ge, &[bound, next]) => (next, bound, true),
                    _ => return None,
                };
                let param = body.results.iter().position(|&result| result == next)?;
                let Inst::Op { op: Op::Add, args, .. } = self.defs.get(&next)? else { return None };
                let &[a, b] = args.as_slice() else { return None };
                let by = if a == params[param] { b } else { a };
                if a != params[param] && b != params[param] || self.types[bound.index()].is_lanes() {
                    return None;
                }
                let step = self.number(by).filter(|step| (1..1 << 20).contains(step))?;
                Some(Counter { param, step, bound, or_equal })
            }
            _ => None,
        }
    }

    /// The bits of a constant.
    fn bits(&self, value: Value) -> Option<u64> {
        match self.defs.get(&value)? {
            Inst::Const(bits) => Some(*bits),
            _ => None,
        }
    }

    /// A constant integer.
    fn number(&self, value: Value) -> Option<i64> {
        match (self.defs.get(&value)?, self.types[value.index()]) {
            (Inst::Const(bits), Ty::Scalar(Elem::I32)) => Some(i64::from(*bits as i32)),
            (Inst::Const(bits), Ty::Scalar(Elem::I64)) => Some(*bits as i64),
            _ => None,
        }
    }

    /// The loop once more, without the conditions that hold and without asking for the end.
    fn copy(&mut self, params: &[Value], init: &[Value], body: &Block, again: Value, free: &HashSet<Value>) -> Node {
        let mut names = HashMap::default();
        let new: Vec<Value> = params.iter().map(|&value| self.renamed(value, &mut names)).collect();
        let body = self.copy_block(body, free, &mut names);
        let again = named(again, &names);
        let results = body.results.iter().map(|&value| self.fresh(self.types[value.index()])).collect();
        Node::Loop { params: new, init: init.to_vec(), body, again, results }
    }

    fn renamed(&mut self, value: Value, names: &mut HashMap<Value, Value>) -> Value {
        let new = self.fresh(self.types[value.index()]);
        names.insert(value, new);
        new
    }

    fn copy_block(&mut self, block: &Block, free: &HashSet<Value>, names: &mut HashMap<Value, Value>) -> Block {
        let mut nodes = Vec::with_capacity(block.nodes.len());
        self.copy_nodes(block, free, names, &mut nodes);
        Block { nodes, results: block.results.iter().map(|&value| named(value, names)).collect() }
    }

    fn copy_nodes(
        &mut self,
        block: &Block,
        free: &HashSet<Value>,
        names: &mut HashMap<Value, Value>,
        nodes: &mut Vec<Node>,
    ) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, pos } => {
                    let mut inst = inst.clone();
                    rename_inst(&mut inst, names);
                    let value = self.renamed(*value, names);
                    self.defs.insert(value, inst.clone());
                    nodes.push(Node::Let { value, inst, pos: *pos });
                }
                Node::Do { effect, pos } => {
                    let mut effect = effect.clone();
                    rename_effect(&mut effect, names);
                    nodes.push(Node::Do { effect, pos: *pos });
                }
                Node::If { condition, then, results, likely: Likely::Then, .. } if free.contains(condition) => {
                    self.copy_nodes(then, free, names, nodes);
                    for (&result, &given) in results.iter().zip(&then.results) {
                        names.insert(result, named(given, names));
                    }
                }
                Node::If { condition, then, otherwise, results, likely } => {
                    let condition = named(*condition, names);
                    let (then, otherwise) =
                        (self.copy_block(then, free, names), self.copy_block(otherwise, free, names));
                    let results = results.iter().map(|&value| self.renamed(value, names)).collect();
                    nodes.push(Node::If { condition, then, otherwise, results, likely: *likely });
                }
                // Only innermost loops have versions.
                Node::Loop { .. } => {}
                Node::Exit { condition, status } => {
                    nodes.push(Node::Exit { condition: named(*condition, names), status: *status });
                }
                Node::Poll => {}
            }
        }
    }
}

impl<'p> Before<'p> {
    fn new(pass: &'p mut Pass, counter: &Counter, param: Value, first: Value, inside: HashSet<Value>) -> Before<'p> {
        let mut before = Before {
            pass,
            nodes: Vec::new(),
            counter: param,
            inside,
            known: HashMap::default(),
            ends: [first; 2],
            written: HashMap::default(),
            demanded: Vec::new(),
            ok: None,
        };
        let first = before.wide(first, Scalar::I32);
        let mut bound = before.wide(counter.bound, Scalar::I32);
        if counter.or_equal {
            let one = before.constant(1);
            bound = before.op(Op::Add, &[bound, one]);
        }
        // The last count below the bound; the first round is run in any case, so its count must be below too.
        let below = before.condition(Op::Lt, first, bound);
        before.demand(below);
        let (one, step) = (before.constant(1), before.constant(counter.step));
        let span = before.op(Op::Sub, &[bound, first]);
        let span = before.op(Op::Sub, &[span, one]);
        let rounds = if counter.step == 1 { span } else { before.op(Op::Div, &[span, step]) };
        let length = before.op(Op::Mul, &[rounds, step]);
        let last = before.op(Op::Add, &[first, length]);
        let most = before.constant(SHORT);
        let short = before.condition(Op::Le, rounds, most);
        before.demand(short);
        before.ends = [first, last];
        before
    }

    fn constant(&mut self, n: i64) -> Value {
        let inst = Inst::Const(n as u64);
        if let Some(&value) = self.written.get(&inst) {
            return value;
        }
        let value = self.pass.fresh(Ty::Scalar(Elem::I64));
        self.written.insert(inst.clone(), value);
        self.pass.defs.insert(value, inst.clone());
        self.nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    fn put(&mut self, op: Op, scalar: Scalar, args: &[Value], ty: Ty) -> Value {
        let bits: Vec<Option<u64>> = args.iter().map(|&arg| self.pass.bits(arg)).collect();
        if let [Some(a), Some(b)] = bits[..]
            && let Some(each) = op.each(scalar)
        {
            let bits = each([a, b, 0, 0]);
            return if ty.elem() == Elem::Bool { self.truth(bits) } else { self.constant(bits as i64) };
        }
        let inst = Inst::Op { op, scalar, args: args.to_vec() };
        if let Some(&value) = self.written.get(&inst) {
            return value;
        }
        let value = self.pass.fresh(ty);
        self.written.insert(inst.clone(), value);
        self.pass.defs.insert(value, inst.clone());
        self.nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    fn truth(&mut self, bits: u64) -> Value {
        let value = self.pass.fresh(Ty::Scalar(Elem::Bool));
        let inst = Inst::Const(bits);
        self.pass.defs.insert(value, inst.clone());
        self.nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        self.put(op, Scalar::I64, args, Ty::Scalar(Elem::I64))
    }

    fn condition(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.put(op, Scalar::I64, &[a, b], Ty::Scalar(Elem::Bool))
    }

    fn demand(&mut self, condition: Value) {
        if self.pass.bits(condition) == Some(1) || self.demanded.contains(&condition) {
            return;
        }
        self.demanded.push(condition);
        self.ok = Some(match self.ok {
            Some(ok) => self.put(Op::And, Scalar::Bool, &[ok, condition], Ty::Scalar(Elem::Bool)),
            None => condition,
        });
    }

    /// In 64 bits; 32 bits are seen as `as_seen`.
    fn wide(&mut self, value: Value, as_seen: Scalar) -> Value {
        match self.pass.types[value.index()].elem() {
            Elem::I64 => value,
            _ => self.put(Op::ToI64, as_seen, &[value], Ty::Scalar(Elem::I64)),
        }
    }

    /// Finds the conditions that can be judged before the loop, and judges them.
    fn guards(&mut self, block: &Block, free: &mut HashSet<Value>) {
        for node in &block.nodes {
            let Node::If { condition, then, otherwise, likely, .. } = node else { continue };
            if *likely == Likely::Then && !free.contains(condition) {
                let (nodes, ok, demanded) = (self.nodes.len(), self.ok, self.demanded.len());
                if self.judge(*condition).is_some() {
                    free.insert(*condition);
                } else {
                    self.nodes.truncate(nodes);
                    self.ok = ok;
                    self.demanded.truncate(demanded);
                    self.known.clear();
                    self.written.clear();
                }
            }
            self.guards(then, free);
            self.guards(otherwise, free);
        }
    }

    fn judge(&mut self, condition: Value) -> Option<()> {
        if !self.inside.contains(&condition) {
            self.demand(condition);
            return Some(());
        }
        let Inst::Op { op, scalar, args } = self.pass.defs.get(&condition)?.clone() else { return None };
        let &[a, b] = args.as_slice() else { return None };
        match (op, scalar) {
            (Op::And, Scalar::Bool) => {
                self.judge(a)?;
                self.judge(b)
            }
            (Op::Lt | Op::Ge, Scalar::I64) | (Op::Lt, Scalar::U32) => {
                for end in 0..2 {
                    let (x, _) = self.value_at(a, end)?;
                    let (y, varies) = self.value_at_seen(b, end, scalar)?;
                    if varies {
                        return None;
                    }
                    if scalar == Scalar::U32 {
                        self.not_negative(x);
                    }
                    let holds = self.condition(op, x, y);
                    self.demand(holds);
                }
                Some(())
            }
            _ => None,
        }
    }

    fn not_negative(&mut self, value: Value) {
        let zero = self.constant(0);
        let holds = self.condition(Op::Ge, value, zero);
        self.demand(holds);
    }

    /// As [`Before::value_at`], of what an unsigned comparison sees as unsigned.
    fn value_at_seen(&mut self, value: Value, end: usize, scalar: Scalar) -> Option<(Value, bool)> {
        if self.inside.contains(&value) { self.value_at(value, end) } else { Some((self.wide(value, scalar), false)) }
    }

    /// What a scalar is at an end, in 64 bits, and does it change from round to round?
    fn value_at(&mut self, value: Value, end: usize) -> Option<(Value, bool)> {
        if value == self.counter {
            return Some((self.ends[end], true));
        }
        if let Some(&known) = self.known.get(&(value, end)) {
            return Some(known);
        }
        if self.pass.types[value.index()].is_lanes() {
            return None;
        }
        let found = if !self.inside.contains(&value) {
            (self.wide(value, Scalar::I32), false)
        } else {
            let Inst::Op { op, scalar, args } = self.pass.defs.get(&value)?.clone() else { return None };
            match (op, args.as_slice()) {
                (Op::Add | Op::Sub | Op::Mul, &[a, b]) if scalar.is_integer() => {
                    let ((x, one), (y, other)) = (self.value_at(a, end)?, self.value_at(b, end)?);
                    if op == Op::Mul && one && other {
                        return None;
                    }
                    let sum = self.op(op, &[x, y]);
                    if scalar.bits() == 32 {
                        self.within(sum);
                    } else if op == Op::Mul {
                        // A product of 64 bits must not wrap either.
                        self.within(x);
                        self.within(y);
                    }
                    (sum, one || other)
                }
                (Op::ToI64 | Op::ToU64, &[a]) if matches!(scalar, Scalar::I32 | Scalar::U32) => {
                    let (x, varies) = self.value_at(a, end)?;
                    if scalar == Scalar::U32 {
                        self.not_negative(x);
                    }
                    (x, varies)
                }
                (Op::ToI32 | Op::ToU32, &[a]) if scalar.is_integer() => {
                    let (x, varies) = self.value_at(a, end)?;
                    self.within(x);
                    (x, varies)
                }
                _ => return None,
            }
        };
        self.known.insert((value, end), found);
        Some(found)
    }

    /// It must fit 32 bits with its sign.
    fn within(&mut self, value: Value) {
        let (low, high) = (self.constant(i64::from(i32::MIN)), self.constant(i64::from(i32::MAX)));
        for (op, limit) in [(Op::Ge, low), (Op::Le, high)] {
            let holds = self.condition(op, value, limit);
            self.demand(holds);
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

fn named(value: Value, names: &HashMap<Value, Value>) -> Value {
    names.get(&value).copied().unwrap_or(value)
}

fn rename_inst(inst: &mut Inst, names: &HashMap<Value, Value>) {
    super::walk::operands_mut(inst, &mut |value| *value = named(*value, names));
}

fn rename_effect(effect: &mut Effect, names: &HashMap<Value, Value>) {
    super::walk::effect_operands_mut(effect, &mut |value| *value = named(*value, names));
}
