//! For which rounds of a counted loop the conditions in it hold: asked before the loop.

use std::collections::BTreeMap;

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::count::Counter;
use super::{Counts, Pass, SHORT};
use crate::hash::{HashMap, HashSet};
use crate::lanes::program::{Block, Elem, Inst, Likely, Node, Ty, Value};

/// How a scalar of the loop changes with the counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Along {
    /// Not at all.
    Same,
    /// By so much for each 1 of the counter.
    By(i64),
    /// Evenly, by a number that only the launch knows.
    Evenly,
}

/// A scalar of the loop, as it would be if nothing wrapped: in 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    along: Along,
    /// In the first round.
    first: Value,
    /// In the last, where `along` does not tell.
    last: Option<Value>,
    /// If it is a number and the counter, or a number without the counter: the number.
    pub(super) offset: Option<i64>,
}

/// What was found before something that may come to nothing.
pub(super) struct Mark {
    nodes: usize,
    demanded: usize,
    limits: BTreeMap<From, Limits>,
    length: Option<Value>,
    offsets: usize,
}

/// What a line that goes with the counter, or against it, is measured from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct From {
    /// Does it go against the counter?
    against: bool,
    offset: Option<i64>,
    /// What it is in the first round, if it has no offset.
    first: Option<Value>,
}

/// What such a line must stay below, and must not be below.
#[derive(Clone, Debug)]
struct Limits {
    below: i64,
    least: i64,
    all_below: Vec<Value>,
    all_least: Vec<Value>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { below: i64::MAX, least: i64::MIN, all_below: Vec::new(), all_least: Vec::new() }
    }
}

/// What is computed before the loop.
pub(super) struct Judge<'p> {
    pub(super) pass: &'p mut Pass,
    pub(super) nodes: Vec<Node>,
    counter: Value,
    step: i64,
    pub(super) inside: HashSet<Value>,
    first: Value,
    /// What the counter stays below.
    pub(super) bound: Value,
    /// From the first count to the last.
    length: Option<Value>,
    /// Scalars of 64 bits that are the counter and a number, as long as the rest holds.
    pub(super) offsets: Vec<(Value, i64)>,
    lines: HashMap<Value, Line>,
    ranges: HashMap<Value, (i64, i64)>,
    written: HashMap<Inst, Value>,
    /// What must hold in all rounds.
    pub(super) demanded: Vec<Value>,
    limits: BTreeMap<From, Limits>,
}

impl<'p> Judge<'p> {
    pub(super) fn new(
        pass: &'p mut Pass,
        counter: &Counter,
        param: Value,
        first: Value,
        inside: HashSet<Value>,
    ) -> Judge<'p> {
        let mut judge = Judge {
            pass,
            nodes: Vec::new(),
            counter: param,
            step: counter.step,
            inside,
            first,
            bound: counter.bound,
            length: None,
            offsets: Vec::new(),
            lines: HashMap::default(),
            ranges: HashMap::default(),
            written: HashMap::default(),
            demanded: Vec::new(),
            limits: BTreeMap::new(),
        };
        judge.first = judge.wide(first, Scalar::I32);
        judge.bound = judge.wide(counter.bound, Scalar::I32);
        if counter.or_equal {
            let one = judge.constant(1);
            judge.bound = judge.op(Op::Add, &[judge.bound, one]);
        }
        if judge.pass.types[param.index()].elem() == Elem::I32 {
            // No count may wrap: the loop would go on with counts below the first one.
            let next = judge.constant(counter.step - 1);
            let next = judge.op(Op::Add, &[judge.bound, next]);
            let limit = judge.constant(1 << 31);
            let holds = judge.condition(Op::Lt, next, limit);
            judge.demand(holds);
        }
        judge
    }

    /// Finds the conditions that can be judged before the loop, and judges them.
    pub(super) fn guards(&mut self, block: &Block, free: &mut HashSet<Value>) {
        for node in &block.nodes {
            let Node::If { condition, then, otherwise, likely, .. } = node else { continue };
            if *likely == Likely::Then && !free.contains(condition) {
                let before = self.mark();
                if self.judge(*condition).is_some() {
                    free.insert(*condition);
                } else {
                    self.back_to(before);
                }
            }
            self.guards(then, free);
            self.guards(otherwise, free);
        }
    }

    pub(super) fn mark(&self) -> Mark {
        let (nodes, demanded) = (self.nodes.len(), self.demanded.len());
        Mark { nodes, demanded, limits: self.limits.clone(), length: self.length, offsets: self.offsets.len() }
    }

    /// Forgets what was found since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.demanded.truncate(mark.demanded);
        (self.limits, self.length) = (mark.limits, mark.length);
        self.offsets.truncate(mark.offsets);
        self.lines.clear();
        self.written.clear();
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
                let line = self.line(a)?;
                let limit = if self.inside.contains(&b) {
                    let limit = self.line(b)?;
                    (limit.along == Along::Same).then_some(limit.first)?
                } else {
                    self.wide(b, scalar)
                };
                if scalar == Scalar::U32 {
                    self.at_least(line, 0);
                }
                self.holds(op, line, limit);
                Some(())
            }
            _ => None,
        }
    }

    /// A scalar of the loop. Nothing if it does not go evenly; what keeps it from wrapping on the way is demanded.
    pub(super) fn line(&mut self, value: Value) -> Option<Line> {
        if value == self.counter {
            return Some(Line { along: Along::By(1), first: self.first, last: None, offset: Some(0) });
        }
        if let Some(&known) = self.lines.get(&value) {
            return Some(known);
        }
        if self.pass.types[value.index()].is_lanes() {
            return None;
        }
        let line = if !self.inside.contains(&value) || self.pass.number(value).is_some() {
            self.same(value)
        } else {
            let Inst::Op { op, scalar, args } = self.pass.defs.get(&value)?.clone() else { return None };
            match (op, args.as_slice()) {
                (Op::Add | Op::Sub | Op::Mul, &[a, b]) if scalar.is_integer() => {
                    let (x, y) = (self.line(a)?, self.line(b)?);
                    let line = self.arithmetic(op, (x, self.pass.number(a)), (y, self.pass.number(b)))?;
                    if scalar.bits() == 32 {
                        self.within(line);
                    } else if op == Op::Mul {
                        // A product of 64 bits must not wrap either.
                        self.within(x);
                        self.within(y);
                    }
                    line
                }
                (Op::ToI64 | Op::ToU64, &[a]) if matches!(scalar, Scalar::I32 | Scalar::U32) => {
                    let line = self.line(a)?;
                    if scalar == Scalar::U32 {
                        self.at_least(line, 0);
                    }
                    if let (Along::By(1), Some(offset)) = (line.along, line.offset) {
                        self.offsets.push((value, offset));
                    }
                    line
                }
                (Op::ToI32 | Op::ToU32, &[a]) if scalar.is_integer() => {
                    let line = self.line(a)?;
                    self.within(line);
                    line
                }
                _ => return None,
            }
        };
        self.lines.insert(value, line);
        Some(line)
    }

    fn same(&mut self, value: Value) -> Line {
        let first = match self.pass.number(value) {
            Some(number) => self.constant(number),
            None => self.wide(value, Scalar::I32),
        };
        Line { along: Along::Same, first, last: None, offset: None }
    }

    /// A sum, difference or product; with the numbers that the two are, if they are.
    fn arithmetic(&mut self, op: Op, x: (Line, Option<i64>), y: (Line, Option<i64>)) -> Option<Line> {
        let along = match (op, x.0.along, y.0.along) {
            (_, Along::Same, Along::Same) => Along::Same,
            (Op::Mul, Along::Same, other) => x.1.map_or(Some(Along::Evenly), |by| other.times(by))?,
            (Op::Mul, other, Along::Same) => y.1.map_or(Some(Along::Evenly), |by| other.times(by))?,
            (Op::Mul, ..) => return None,
            (_, one, Along::Same) => one,
            (Op::Add, Along::Same, other) => other,
            (_, Along::Same, other) => other.times(-1)?,
            (_, Along::By(a), Along::By(b)) if op == Op::Add => Along::By(a.checked_add(b)?),
            (_, Along::By(a), Along::By(b)) => Along::By(a.checked_sub(b)?),
            _ => Along::Evenly,
        };
        let along = if along == Along::By(0) { Along::Evenly } else { along };
        let offset = match op {
            Op::Add => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_add(b)),
            Op::Sub => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_sub(b)),
            _ => None,
        };
        let offset = offset.filter(|offset| matches!(along, Along::By(1 | -1)) && offset.abs() < 1 << 40);
        let first = self.op(op, &[x.0.first, y.0.first]);
        let last = match along {
            Along::Evenly => {
                let ends = [self.last(x.0), self.last(y.0)];
                Some(self.op(op, &ends))
            }
            _ => None,
        };
        Some(Line { along, first, last, offset })
    }

    /// What a line is in the last round.
    fn last(&mut self, line: Line) -> Value {
        match (line.along, line.last) {
            (_, Some(last)) => last,
            (Along::By(by), None) => {
                let length = self.length();
                let by = self.constant(by);
                let more = self.op(Op::Mul, &[length, by]);
                self.op(Op::Add, &[line.first, more])
            }
            _ => line.first,
        }
    }

    /// From the first count to the last.
    fn length(&mut self) -> Value {
        if let Some(length) = self.length {
            return length;
        }
        let (one, step) = (self.constant(1), self.constant(self.step));
        let span = self.op(Op::Sub, &[self.bound, self.first]);
        let mut length = self.op(Op::Sub, &[span, one]);
        if self.step > 1 {
            let rounds = self.op(Op::Div, &[length, step]);
            length = self.op(Op::Mul, &[rounds, step]);
        }
        self.length = Some(length);
        length
    }

    /// Is it known that the loop goes round few times?
    pub(super) fn is_short(&self) -> bool {
        let (first, bound) = (self.range(self.first).0, self.range(self.bound).1);
        bound.saturating_sub(first) / self.step < SHORT
    }

    /// Whether in all rounds everything holds, and the loop is short if it matters.
    pub(super) fn in_all_rounds(&mut self, counts: &Counts, short: bool) -> Value {
        let line = Line { along: Along::By(1), first: self.first, last: None, offset: Some(0) };
        let last = self.last(line);
        let mut holds = counts.always;
        let mut also = |judge: &mut Self, op, a, b| {
            let condition = judge.condition(op, a, b);
            holds = judge.both(holds, condition);
        };
        also(self, Op::Lt, self.first, self.bound);
        if let Some(low) = counts.low {
            also(self, Op::Ge, self.first, low);
        }
        if let Some(high) = counts.high {
            also(self, Op::Lt, last, high);
        }
        if short && !counts.short {
            let step = self.constant(self.step);
            let length = self.length();
            let (rounds, most) = (self.op(Op::Div, &[length, step]), self.constant(SHORT));
            also(self, Op::Lt, rounds, most);
        }
        holds
    }

    fn at_least(&mut self, line: Line, least: i64) {
        self.limit(line, Op::Ge, least);
    }

    /// It must fit 32 bits with its sign.
    fn within(&mut self, line: Line) {
        self.limit(line, Op::Ge, i32::MIN.into());
        self.limit(line, Op::Lt, 1 << 31);
    }

    /// A line must be below a number, or not below it.
    pub(super) fn limit(&mut self, line: Line, op: Op, number: i64) {
        let Some(from) = from(line) else {
            let number = self.constant(number);
            return self.holds(op, line, number);
        };
        let limits = self.limits.entry(from).or_default();
        match op {
            Op::Lt => limits.below = limits.below.min(number),
            _ => limits.least = limits.least.max(number),
        }
    }

    /// A line must be below something that stays the same, or not below it.
    fn holds(&mut self, op: Op, line: Line, limit: Value) {
        if let Some(from) = from(line) {
            let limits = self.limits.entry(from).or_default();
            let list = if op == Op::Lt { &mut limits.all_below } else { &mut limits.all_least };
            if !list.contains(&limit) {
                list.push(limit);
            }
            return;
        }
        // Where it grows, what it must stay below is asked at the last round, and so on.
        let ends: &[bool] = match (line.along, op) {
            (Along::Same, _) => &[false],
            (Along::By(by), Op::Lt) => &[by > 0][..],
            (Along::By(by), _) => &[by < 0][..],
            (Along::Evenly, _) => &[false, true],
        };
        for &end in ends {
            let value = if end { self.last(line) } else { line.first };
            let holds = self.condition(op, value, limit);
            self.demand(holds);
        }
    }

    /// The counts for which all lines are within their limits, in 64 bits: those from the first on, if not all are, and below the second, if not all that are below the loop's bound are.
    pub(super) fn interval(&mut self) -> (Option<Value>, Option<Value>) {
        let (mut low, mut high) = (None, self.bound);
        let all = std::mem::take(&mut self.limits);
        let counts = (self.range(self.first).0, self.greatest(&all));
        for (from, mut limits) in all {
            self.forget_the_obvious(from, &mut limits, counts);
            let mut below = limits.all_below;
            let mut least = limits.all_least;
            if limits.below < i64::MAX {
                below.push(self.constant(limits.below));
            }
            if limits.least > i64::MIN {
                least.push(self.constant(limits.least));
            }
            for (list, is_below) in [(below, true), (least, false)] {
                for limit in list {
                    let count = self.count_at(from, limit);
                    // Against the counter, what is below a limit comes behind it.
                    if is_below != from.against {
                        high = self.op(Op::Min, &[high, count]);
                    } else {
                        low = Some(low.map_or(count, |low| self.op(Op::Max, &[low, count])));
                    }
                }
            }
        }
        let first = self.range(self.first).0;
        let low = low.filter(|&low| self.range(low).1 > first);
        (low, (high != self.bound).then_some(high))
    }

    /// The count at which a line comes to a limit; against the counter, the one behind it.
    fn count_at(&mut self, from: From, limit: Value) -> Value {
        if let Some(offset) = from.offset {
            if from.against {
                let offset = self.constant(offset + 1);
                return self.op(Op::Sub, &[offset, limit]);
            }
            let offset = self.constant(offset);
            return self.op(Op::Sub, &[limit, offset]);
        }
        // `interval` asks only of lines that have one of the two.
        let first = from.first.unwrap_or(self.first);
        if from.against {
            let ahead = self.op(Op::Sub, &[first, limit]);
            let count = self.op(Op::Add, &[self.first, ahead]);
            let one = self.constant(1);
            return self.op(Op::Add, &[count, one]);
        }
        let ahead = self.op(Op::Sub, &[limit, first]);
        self.op(Op::Add, &[self.first, ahead])
    }

    /// Drops limits that others imply: `counts` are the least and the greatest count for which the others hold.
    fn forget_the_obvious(&mut self, from: From, limits: &mut Limits, counts: (i64, i64)) {
        if limits.all_below.iter().any(|&limit| self.range(limit).1 <= limits.below) {
            limits.below = i64::MAX;
        }
        if limits.all_least.iter().any(|&limit| self.range(limit).0 >= limits.least) {
            limits.least = i64::MIN;
        }
        if let Some(offset) = from.offset.filter(|_| !from.against) {
            if counts.1.saturating_add(offset) < limits.below {
                limits.below = i64::MAX;
            }
            if counts.0.saturating_add(offset) >= limits.least {
                limits.least = i64::MIN;
            }
        } else if !from.against && from.first.is_some_and(|at| self.range(at).0 >= limits.least) {
            limits.least = i64::MIN;
        }
    }

    /// The greatest count that the loop's own bound leaves, and the limits that are no constants.
    fn greatest(&self, limits: &BTreeMap<From, Limits>) -> i64 {
        let mut most = self.range(self.bound).1.saturating_sub(1);
        for (from, limits) in limits {
            let Some(offset) = from.offset.filter(|_| !from.against) else { continue };
            for &limit in &limits.all_below {
                most = most.min(self.range(limit).1.saturating_sub(1).saturating_sub(offset));
            }
        }
        most
    }

    /// What a number of 64 bits is at least and at most.
    fn range(&self, value: Value) -> (i64, i64) {
        if let Some(&known) = self.ranges.get(&value) {
            return known;
        }
        if let Some(number) = self.pass.number(value) {
            return (number, number);
        }
        match self.pass.defs.get(&value) {
            Some(Inst::Op { op: Op::ToI64 | Op::ToU64, scalar: scalar @ (Scalar::I32 | Scalar::U32), args }) => {
                match (self.pass.is_extent(args[0]), scalar) {
                    (true, _) => (0, i32::MAX.into()),
                    (false, Scalar::U32) => (0, u32::MAX.into()),
                    _ => (i32::MIN.into(), i32::MAX.into()),
                }
            }
            _ => (i64::MIN, i64::MAX),
        }
    }

    pub(super) fn constant(&mut self, n: i64) -> Value {
        self.put(Inst::Const(n as u64), Ty::Scalar(Elem::I64))
    }

    pub(super) fn truth(&mut self, truth: bool) -> Value {
        self.put(Inst::Const(truth.into()), Ty::Scalar(Elem::Bool))
    }

    fn put(&mut self, inst: Inst, ty: Ty) -> Value {
        // Constants of two types can have the same bits.
        if let Some(&value) = self.written.get(&inst).filter(|value| self.pass.types[value.index()] == ty) {
            return value;
        }
        let value = self.pass.fresh(ty);
        self.written.insert(inst.clone(), value);
        self.pass.define(value, inst, &mut self.nodes);
        value
    }

    fn computed(&mut self, op: Op, scalar: Scalar, args: &[Value], ty: Ty) -> Value {
        let bits: Vec<Option<u64>> = args.iter().map(|&arg| self.pass.bits(arg)).collect();
        let known = match bits[..] {
            [Some(a)] => Some([a, 0, 0, 0]),
            [Some(a), Some(b)] => Some([a, b, 0, 0]),
            _ => None,
        };
        if let Some(bits) = known
            && let Some(each) = op.each(scalar)
        {
            return self.put(Inst::Const(each(bits)), ty);
        }
        self.put(Inst::Op { op, scalar, args: args.to_vec() }, ty)
    }

    pub(super) fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let ranges: Vec<(i64, i64)> = args.iter().map(|&arg| self.range(arg)).collect();
        if let (&[a, b], &[x, y]) = (args, ranges.as_slice()) {
            match op {
                Op::Add if x == (0, 0) => return b,
                Op::Add | Op::Sub if y == (0, 0) => return a,
                Op::Mul if y == (1, 1) => return a,
                Op::Div if y == (1, 1) => return a,
                Op::Min if a == b || x.1 <= y.0 => return a,
                Op::Min if y.1 <= x.0 => return b,
                Op::Max if a == b || x.0 >= y.1 => return a,
                Op::Max if y.0 >= x.1 => return b,
                _ => {}
            }
        }
        let value = self.computed(op, Scalar::I64, args, Ty::Scalar(Elem::I64));
        if let &[(a, b), (c, d)] = ranges.as_slice() {
            let range = match op {
                Op::Add => a.checked_add(c).zip(b.checked_add(d)),
                Op::Sub => a.checked_sub(d).zip(b.checked_sub(c)),
                Op::Min => Some((a.min(c), b.min(d))),
                Op::Max => Some((a.max(c), b.max(d))),
                _ => None,
            };
            if let Some(range) = range {
                self.ranges.insert(value, range);
            }
        }
        value
    }

    pub(super) fn condition(&mut self, op: Op, a: Value, b: Value) -> Value {
        let (x, y) = (self.range(a), self.range(b));
        match op {
            Op::Lt if x.1 < y.0 => self.truth(true),
            Op::Ge if x.0 >= y.1 => self.truth(true),
            _ => self.computed(op, Scalar::I64, &[a, b], Ty::Scalar(Elem::Bool)),
        }
    }

    /// Both.
    pub(super) fn both(&mut self, a: Value, b: Value) -> Value {
        match (self.pass.bits(a), self.pass.bits(b)) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.computed(Op::And, Scalar::Bool, &[a, b], Ty::Scalar(Elem::Bool)),
        }
    }

    /// A scalar condition that is true where that one is not.
    pub(super) fn opposite(&mut self, condition: Value) -> Value {
        let no = self.truth(false);
        self.computed(Op::Eq, Scalar::Bool, &[condition, no], Ty::Scalar(Elem::Bool))
    }

    pub(super) fn demand(&mut self, condition: Value) {
        if self.pass.bits(condition) != Some(1) && !self.demanded.contains(&condition) {
            self.demanded.push(condition);
        }
    }

    /// Does all hold that must hold in all rounds?
    pub(super) fn all(&mut self) -> Value {
        let truth = self.truth(true);
        std::mem::take(&mut self.demanded).into_iter().fold(truth, |all, one| self.both(all, one))
    }

    /// In 64 bits; 32 bits are seen as `as_seen`.
    pub(super) fn wide(&mut self, value: Value, as_seen: Scalar) -> Value {
        if self.pass.types[value.index()].elem() == Elem::I64 {
            return value;
        }
        let scalar = if as_seen == Scalar::U32 { Scalar::U32 } else { Scalar::I32 };
        self.computed(Op::ToI64, scalar, &[value], Ty::Scalar(Elem::I64))
    }
}

impl Line {
    /// The number in it, if all else is the counter; `known` is what it is if it is the same in all rounds.
    fn number(&self, known: Option<i64>) -> Option<i64> {
        if self.along == Along::Same { known } else { self.offset }
    }

    /// Does it fall by 1 where the counter grows by 1?
    pub(super) fn goes_against(&self) -> bool {
        self.along == Along::By(-1)
    }
}

impl Along {
    /// Of the product with a number.
    fn times(self, by: i64) -> Option<Along> {
        Some(match self {
            Along::By(step) => Along::By(step.checked_mul(by)?),
            other => other,
        })
    }
}

/// What a line is measured from, if it goes with the counter or against it.
fn from(line: Line) -> Option<From> {
    let (against, offset) = match line.along {
        Along::By(1) => (false, line.offset),
        Along::By(-1) => (true, line.offset),
        _ => return None,
    };
    Some(From { against, offset, first: offset.is_none().then_some(line.first) })
}
