//! What a condition says about the ranges of values and locals, where it is known to hold: in the arm of an `if`, behind one whose other arm leaves, in
//! the body of a loop and behind it.
//!
//! What is learnt about a value holds to the end of the block at hand and is then taken back ([`Walk::take_back`]); what is learnt about a local lies in
//! the layers of [`env`](super::env) and goes the way of all assignments.

use super::order::Learnt;
use super::walk::Walk;
use crate::analysis::range::{self, Range};
use crate::kernel::{Inst, InstKind, Place, Root, ValueId};
use crate::ops::Op;
use crate::types::{Data, Scalar, ValueType};

/// Values that one condition may say something about.
const MAX_STEPS: u32 = 64;

impl Walk<'_> {
    /// The condition is known to be `truth` from here on.
    pub(super) fn assume(&mut self, condition: ValueId, truth: bool) {
        self.narrow(condition, Range::just(i128::from(truth)), &mut MAX_STEPS.clone());
    }

    /// Arm number `i` of an `if` or `switch` is taken.
    pub(super) fn assume_arm(&mut self, inst: &Inst, i: usize) {
        match &inst.kind {
            InstKind::If { condition, .. } => self.assume(*condition, i == 0),
            InstKind::Switch { selector, cases, .. } => {
                let signed = self.data(*selector).is_some_and(|data| data.scalar.is_signed_integer());
                let number = |bits: u32| Range::just(if signed { i128::from(bits as i32) } else { i128::from(bits) });
                let hull =
                    cases.get(i).and_then(|case| case.values.iter().map(|&bits| number(bits)).reduce(Range::join));
                if let Some(hull) = hull {
                    self.narrow(*selector, hull, &mut MAX_STEPS.clone());
                }
            }
            _ => {}
        }
    }

    /// Forgets what conditions said since there was this much of it.
    pub(super) fn take_back(&mut self, mark: usize) {
        for learnt in self.trail.drain(mark.min(self.trail.len())..).rev() {
            match learnt {
                Learnt::Range(value, Some(range)) => _ = self.narrowed.insert(value, range),
                Learnt::Range(value, None) => _ = self.narrowed.remove(&value),
                Learnt::Order => _ = self.orders.pop(),
            }
        }
    }

    fn data(&self, value: ValueId) -> Option<Data> {
        match self.function.values.get(value.index())?.ty {
            ValueType::Data(data) => Some(data),
            ValueType::View(_) | ValueType::Invalid => None,
        }
    }

    /// The range of a scalar that is no float.
    fn range(&self, value: ValueId) -> Option<Range> {
        let data = self.data(value).filter(|data| data.width == 1)?;
        self.scalar(value).range.or(Range::of_type(data.scalar))
    }

    /// The scalar is known to be within `to` from here on, and so are those that it was computed from.
    fn narrow(&mut self, value: ValueId, to: Range, steps: &mut u32) {
        self.env.work += 1;
        *steps = steps.saturating_sub(1);
        let Some(now) = self.range(value).filter(|_| *steps > 0) else { return };
        // Nothing in common: this is not reached, and whatever is claimed is right.
        let Some(cut) = now.meet(to) else { return };
        let truth = self.data(value).is_some_and(|data| data.scalar == Scalar::Bool).then(|| cut.single()).flatten();
        if cut == now && truth.is_none() {
            return;
        }
        let before = self.narrowed.insert(value, cut);
        self.trail.push(Learnt::Range(value, before));
        let Some(inst) = self.defs.get(value.index()).copied().flatten() else { return };
        match &inst.kind {
            InstKind::Load(Place { root: Root::Local(_), path }) if path.is_empty() => self.narrow_local(value, cut),
            InstKind::Op { op, args } => match truth {
                Some(truth) => self.hold(*op, args, truth == 1, steps),
                None => self.back(*op, args, cut, steps),
            },
            InstKind::If { condition, then, otherwise } => {
                // `a && b` and `a || b`: an arm that cannot give what came out was not taken.
                let (condition, arms) = (*condition, [then.value, otherwise.value]);
                for (taken, other) in [(0, 1), (1, 0)] {
                    let possible = arms[other].and_then(|arm| self.range(arm)).is_none_or(|it| it.meet(cut).is_some());
                    if let (Some(gave), false) = (arms[taken], possible) {
                        self.narrow(condition, Range::just(i128::from(taken == 0)), steps);
                        self.narrow(gave, cut, steps);
                    }
                }
            }
            _ => {}
        }
    }

    /// The local that the value was loaded from, if it still holds the value.
    fn narrow_local(&mut self, value: ValueId, cut: Range) {
        let Some((local, stamp)) = self.loaded.get(value.index()).copied().flatten() else { return };
        let Some(state) = self.env.get(local).filter(|state| state.stamp == stamp) else { return };
        let mut state = state.clone();
        if let [part] = &mut state.parts[..] {
            part.range = part.range.and_then(|range| range.meet(cut)).or(part.range);
            self.env.refine(local, state);
        }
    }

    /// The operation gave this truth value.
    fn hold(&mut self, op: Op, args: &[ValueId], truth: bool, steps: &mut u32) {
        let just = Range::just(i128::from(truth));
        let (a, b) = match *args {
            [a] if op == Op::Not => return self.narrow(a, Range::just(i128::from(!truth)), steps),
            [a, b] if op == Op::And && truth || op == Op::Or && !truth => {
                self.narrow(a, just, steps);
                return self.narrow(b, just, steps);
            }
            [a, b] => (a, b),
            _ => return,
        };
        let op = match (op, truth) {
            (op, true) => op,
            (Op::Lt, false) => Op::Ge,
            (Op::Le, false) => Op::Gt,
            (Op::Gt, false) => Op::Le,
            (Op::Ge, false) => Op::Lt,
            (Op::Eq, false) => Op::Ne,
            (Op::Ne, false) => Op::Eq,
            _ => return,
        };
        // Floats compare in another way, and have no ranges.
        let (Some(x), Some(y)) = (self.range(a), self.range(b)) else { return };
        self.learn_order(op, a, b);
        let below = |hi: i128| Range { lo: i128::MIN, hi };
        let above = |lo: i128| Range { lo, hi: i128::MAX };
        let (for_a, for_b) = match op {
            Op::Lt => (below(y.hi - 1), above(x.lo + 1)),
            Op::Le => (below(y.hi), above(x.lo)),
            Op::Gt => (above(y.lo + 1), below(x.hi - 1)),
            Op::Ge => (above(y.lo), below(x.hi)),
            Op::Eq => (y, x),
            Op::Ne => (without(x, y), without(y, x)),
            _ => return,
        };
        self.narrow(a, for_a, steps);
        self.narrow(b, for_b, steps);
    }

    /// The integer that the operation gave is within `cut`; so its argument is too, if there is but one that varies and nothing wrapped.
    fn back(&mut self, op: Op, args: &[ValueId], cut: Range, steps: &mut u32) {
        let ranges: Vec<Option<Range>> = args.iter().map(|&arg| self.range(arg)).collect();
        let Some(data) = args.first().and_then(|&arg| self.data(arg)) else { return };
        match (op, args, &ranges[..]) {
            (Op::Add | Op::Sub, &[a, b], &[Some(x), Some(y)])
                if !range::wraps(op, data.scalar, data.scalar, &ranges) =>
            {
                match (op, x.single(), y.single()) {
                    (Op::Add, _, Some(n)) => self.narrow(a, Range { lo: cut.lo - n, hi: cut.hi - n }, steps),
                    (Op::Add, Some(n), _) => self.narrow(b, Range { lo: cut.lo - n, hi: cut.hi - n }, steps),
                    (_, _, Some(n)) => self.narrow(a, Range { lo: cut.lo + n, hi: cut.hi + n }, steps),
                    (_, Some(n), _) => self.narrow(b, Range { lo: n - cut.hi, hi: n - cut.lo }, steps),
                    _ => {}
                }
            }
            // The low 32 bits, the upper half of which is not in use, say all of a 32-bit number.
            (Op::ToI32 | Op::ToU32 | Op::ToI64 | Op::ToU64, &[a], &[Some(_)])
                if data.scalar.is_integer()
                    && (data.scalar.bits() == 32 || matches!(op, Op::ToI64 | Op::ToU64))
                    && (Range { lo: 0, hi: i128::from(i32::MAX) }).contains(cut) =>
            {
                self.narrow(a, cut, steps);
            }
            _ => {}
        }
    }
}

/// `x` without the one number that `y` is, if that is at an end of it.
fn without(x: Range, y: Range) -> Range {
    match y.single() {
        Some(n) if n == x.lo && x.lo < x.hi => Range { lo: x.lo + 1, hi: x.hi },
        Some(n) if n == x.hi && x.lo < x.hi => Range { lo: x.lo, hi: x.hi - 1 },
        _ => x,
    }
}
