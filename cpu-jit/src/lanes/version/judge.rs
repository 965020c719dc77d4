//! For which rounds of a counted loop the conditions in it hold: asked before the loop.

use std::collections::BTreeMap;

use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::types::Scalar;

use super::count::Counter;
use super::limits::{Base, LimitSide, Limits};
use super::numbers::NumberOp;
use super::{Counts, Pass, SHORT};
use crate::hash::{HashMap, HashSet};
use crate::lanes::classes::{IntegerType, MaskOp, SumOp, mask_op, sum_op};
use crate::lanes::program::{Block, Elem, Inst, Likely, Node, Value};

/// How a scalar of the loop changes with the counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
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
    pub(super) along: Along,
    /// In the first round.
    pub(super) first: Value,
    /// In the last, where `along` does not tell.
    pub(super) last: Option<Value>,
    /// If it is a number and the counter, or a number without the counter: the number.
    pub(super) offset: Option<i64>,
}

/// What was found before something that may come to nothing.
pub(super) struct Mark {
    nodes: usize,
    demanded: usize,
    limits: BTreeMap<Base, Limits>,
    length: Option<Value>,
    offsets: usize,
}

/// What is computed before the loop.
pub(super) struct Judge<'p> {
    pub(super) pass: &'p mut Pass,
    pub(super) nodes: Vec<Node>,
    pub(super) counter: Value,
    pub(super) step: i64,
    pub(super) inside: HashSet<Value>,
    pub(super) first: Value,
    /// What the counter stays below.
    pub(super) bound: Value,
    /// From the first count to the last.
    pub(super) length: Option<Value>,
    /// Scalars of 64 bits that are the counter and a number, as long as the rest holds.
    pub(super) offsets: Vec<(Value, i64)>,
    pub(super) lines: HashMap<Value, Line>,
    pub(super) ranges: HashMap<Value, (i64, i64)>,
    pub(super) written: HashMap<Inst, Value>,
    /// What must hold in all rounds.
    pub(super) demanded: Vec<Value>,
    pub(super) limits: BTreeMap<Base, Limits>,
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
            judge.bound = judge.op(NumberOp::Add, &[judge.bound, one]);
        }
        if judge.pass.types[param.index()].elem() == Elem::I32 {
            // No count may wrap: the loop would go on with counts below the first one.
            let next = judge.constant(counter.step - 1);
            let next = judge.op(NumberOp::Add, &[judge.bound, next]);
            let limit = judge.constant(1 << 31);
            let holds = judge.condition(LimitSide::Below, next, limit);
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
        match (mask_op(op), scalar) {
            (MaskOp::And, Scalar::Bool) => {
                self.judge(a)?;
                self.judge(b)
            }
            (MaskOp::Compare(Comparison::Lt | Comparison::Ge), Scalar::I64)
            | (MaskOp::Compare(Comparison::Lt), Scalar::U32) => {
                let side = if op == Op::Lt { LimitSide::Below } else { LimitSide::AtLeast };
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
                self.holds(side, line, limit);
                Some(())
            }
            (MaskOp::And | MaskOp::Or | MaskOp::Not | MaskOp::Compare(_) | MaskOp::Other, _) => None,
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
            let sum = sum_op(op);
            match (sum, args.as_slice()) {
                (SumOp::Add | SumOp::Sub | SumOp::Mul, &[a, b]) if scalar.is_integer() => {
                    let op = match sum {
                        SumOp::Add => NumberOp::Add,
                        SumOp::Sub => NumberOp::Sub,
                        SumOp::Mul => NumberOp::Mul,
                        SumOp::Convert(_) | SumOp::Other => return None,
                    };
                    let (x, y) = (self.line(a)?, self.line(b)?);
                    let line = self.arithmetic(op, (x, self.pass.number(a)), (y, self.pass.number(b)))?;
                    if scalar.bits() == 32 {
                        self.within(line);
                    } else if op == NumberOp::Mul {
                        // A product of 64 bits must not wrap either.
                        self.within(x);
                        self.within(y);
                    }
                    line
                }
                (SumOp::Convert(IntegerType::I64 | IntegerType::U64), &[a])
                    if matches!(scalar, Scalar::I32 | Scalar::U32) =>
                {
                    let line = self.line(a)?;
                    if scalar == Scalar::U32 {
                        self.at_least(line, 0);
                    }
                    if let (Along::By(1), Some(offset)) = (line.along, line.offset) {
                        self.offsets.push((value, offset));
                    }
                    line
                }
                (SumOp::Convert(IntegerType::I32 | IntegerType::U32), &[a]) if scalar.is_integer() => {
                    let line = self.line(a)?;
                    self.within(line);
                    line
                }
                (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _) => return None,
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
    fn arithmetic(&mut self, op: NumberOp, x: (Line, Option<i64>), y: (Line, Option<i64>)) -> Option<Line> {
        let along = match (op, x.0.along, y.0.along) {
            (_, Along::Same, Along::Same) => Along::Same,
            (NumberOp::Mul, Along::Same, other) => x.1.map_or(Some(Along::Evenly), |by| other.times(by))?,
            (NumberOp::Mul, other, Along::Same) => y.1.map_or(Some(Along::Evenly), |by| other.times(by))?,
            (NumberOp::Mul, ..) => return None,
            (_, one, Along::Same) => one,
            (NumberOp::Add, Along::Same, other) => other,
            (_, Along::Same, other) => other.times(-1)?,
            (_, Along::By(a), Along::By(b)) if op == NumberOp::Add => Along::By(a.checked_add(b)?),
            (_, Along::By(a), Along::By(b)) => Along::By(a.checked_sub(b)?),
            (_, Along::By(_) | Along::Evenly, Along::Evenly) | (_, Along::Evenly, Along::By(_)) => Along::Evenly,
        };
        let along = if along == Along::By(0) { Along::Evenly } else { along };
        let offset = match op {
            NumberOp::Add => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_add(b)),
            NumberOp::Sub => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_sub(b)),
            NumberOp::Mul | NumberOp::Div | NumberOp::Min | NumberOp::Max => None,
        };
        let offset = offset.filter(|offset| matches!(along, Along::By(1 | -1)) && offset.abs() < 1 << 40);
        let first = self.op(op, &[x.0.first, y.0.first]);
        let last = match along {
            Along::Evenly => {
                let ends = [self.last(x.0), self.last(y.0)];
                Some(self.op(op, &ends))
            }
            Along::Same | Along::By(_) => None,
        };
        Some(Line { along, first, last, offset })
    }

    /// What a line is in the last round.
    pub(super) fn last(&mut self, line: Line) -> Value {
        match (line.along, line.last) {
            (_, Some(last)) => last,
            (Along::By(by), None) => {
                let length = self.length();
                let by = self.constant(by);
                let more = self.op(NumberOp::Mul, &[length, by]);
                self.op(NumberOp::Add, &[line.first, more])
            }
            (Along::Same | Along::Evenly, None) => line.first,
        }
    }

    /// From the first count to the last.
    fn length(&mut self) -> Value {
        if let Some(length) = self.length {
            return length;
        }
        let (one, step) = (self.constant(1), self.constant(self.step));
        let span = self.op(NumberOp::Sub, &[self.bound, self.first]);
        let mut length = self.op(NumberOp::Sub, &[span, one]);
        if self.step > 1 {
            let rounds = self.op(NumberOp::Div, &[length, step]);
            length = self.op(NumberOp::Mul, &[rounds, step]);
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
        also(self, LimitSide::Below, self.first, self.bound);
        if let Some(low) = counts.low {
            also(self, LimitSide::AtLeast, self.first, low);
        }
        if let Some(high) = counts.high {
            also(self, LimitSide::Below, last, high);
        }
        if short && !counts.short {
            let step = self.constant(self.step);
            let length = self.length();
            let (rounds, most) = (self.op(NumberOp::Div, &[length, step]), self.constant(SHORT));
            also(self, LimitSide::Below, rounds, most);
        }
        holds
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
            Along::Same | Along::Evenly => self,
        })
    }
}
