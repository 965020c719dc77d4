//! Narrows the ranges of values and locals where a condition is known to hold: in the arm of an
//! `if`, after an `if` whose other arm exits, in the body of a loop and after it.
//!
//! A narrowed value is restored at the end of the current block ([`UniformityWalk::take_back`]); a
//! narrowed local is stored in the layers of [`env`](super::env), like any assignment.

use super::order::Learnt;
use super::state::UniformityWalk;
use crate::analysis::range::{self, IntegerRange};
use crate::kernel::{Construct, InstClass, InstKind, Place, Root, SwitchCase, ValueId};
use crate::ops::{ArithmeticOp, BitwiseOp, Comparison, Op, OpFamily, OverflowRule};
use crate::types::{Data, Scalar, ValueType};

/// Limit on the values narrowed by one condition.
const MAX_STEPS: u32 = 64;

impl UniformityWalk<'_> {
    /// Assumes that the condition is `truth` from here on.
    pub(super) fn assume(&mut self, condition: ValueId, truth: bool) {
        self.narrow(condition, IntegerRange::just(i128::from(truth)), &mut MAX_STEPS.clone());
    }

    /// Assumes that the selector has the values of an arm of an `if` or `switch`; `None` for the
    /// arm of all other values, which gives no information.
    pub(super) fn assume_arm(&mut self, selector: ValueId, values: Option<IntegerRange>) {
        if let Some(values) = values {
            self.narrow(selector, values, &mut MAX_STEPS.clone());
        }
    }

    /// The hull of a case's values.
    pub(super) fn hull(&self, selector: ValueId, case: &SwitchCase) -> Option<IntegerRange> {
        let signed = self.data(selector).is_some_and(|data| data.scalar.is_signed_integer());
        let number = |bits: u32| IntegerRange::just(if signed { i128::from(bits as i32) } else { i128::from(bits) });
        case.values.iter().map(|&bits| number(bits)).reduce(IntegerRange::join)
    }

    /// Undoes what was learnt from conditions since `mark`.
    pub(super) fn take_back(&mut self, mark: usize) {
        for learnt in self.learnt.trail.drain(mark.min(self.learnt.trail.len())..).rev() {
            match learnt {
                Learnt::Range(value, Some(range)) => _ = self.learnt.narrowed.insert(value, range),
                Learnt::Range(value, None) => _ = self.learnt.narrowed.remove(&value),
                Learnt::Order => _ = self.learnt.orders.pop(),
            }
        }
    }

    fn data(&self, value: ValueId) -> Option<Data> {
        match self.walked.function.values.get(value.index())?.ty {
            ValueType::Data(data) => Some(data),
            ValueType::View(_) | ValueType::Invalid => None,
        }
    }

    /// The range of a scalar other than a float.
    fn range(&self, value: ValueId) -> Option<IntegerRange> {
        let data = self.data(value).filter(|data| data.width == 1)?;
        self.scalar(value).range.or(IntegerRange::of_type(data.scalar))
    }

    /// Narrows a scalar to `to` from here on, and the operands from which it was computed.
    fn narrow(&mut self, value: ValueId, to: IntegerRange, steps: &mut u32) {
        self.env.work += 1;
        *steps = steps.saturating_sub(1);
        let Some(now) = self.range(value).filter(|_| *steps > 0) else { return };
        // An empty intersection: the code is unreachable, and any claim is correct.
        let Some(cut) = now.meet(to) else { return };
        let truth = self.data(value).is_some_and(|data| data.scalar == Scalar::Bool).then(|| cut.single()).flatten();
        if cut == now && truth.is_none() {
            return;
        }
        let before = self.learnt.narrowed.insert(value, cut);
        self.learnt.trail.push(Learnt::Range(value, before));
        let Some(inst) = self.walked.defs.get(value.index()).copied().flatten() else { return };
        // For other instructions the result gives no information about operands.
        match inst.kind.class() {
            InstClass::Read => {
                if let Some(Place { root: Root::Local(_), path }) = inst.kind.read_place()
                    && path.is_empty()
                {
                    self.narrow_local(value, cut);
                }
            }
            InstClass::Compute => {
                if let InstKind::Op { op, args } = &inst.kind {
                    match truth {
                        Some(truth) => self.hold(*op, args, truth == 1, steps),
                        None => self.back(*op, args, cut, steps),
                    }
                }
            }
            InstClass::Structured => {
                if let Some(Construct::If { condition, then, otherwise }) = inst.kind.construct() {
                    self.narrow_if(condition, [then.value, otherwise.value], cut, steps);
                }
            }
            InstClass::Query
            | InstClass::MakeView
            | InstClass::Write
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Synchronize
            | InstClass::Output
            | InstClass::Stop
            | InstClass::Call
            | InstClass::Jump => {}
        }
    }

    /// `a && b` and `a || b`: excludes an arm that cannot give the result.
    fn narrow_if(&mut self, condition: ValueId, arms: [Option<ValueId>; 2], cut: IntegerRange, steps: &mut u32) {
        for (taken, other) in [(0, 1), (1, 0)] {
            let possible = arms[other].and_then(|arm| self.range(arm)).is_none_or(|it| it.meet(cut).is_some());
            if let (Some(gave), false) = (arms[taken], possible) {
                self.narrow(condition, IntegerRange::just(i128::from(taken == 0)), steps);
                self.narrow(gave, cut, steps);
            }
        }
    }

    /// Narrows the local from which the value was loaded, if it still has that value.
    fn narrow_local(&mut self, value: ValueId, cut: IntegerRange) {
        let Some((local, stamp)) = self.states.loaded.get(value.index()).copied().flatten() else { return };
        let Some(state) = self.env.get(local).filter(|state| state.stamp == stamp) else { return };
        let mut state = state.clone();
        if let [part] = &mut state.parts[..] {
            part.range = part.range.and_then(|range| range.meet(cut)).or(part.range);
            self.env.refine(local, state);
        }
    }

    /// Assumes that the operation's result is `truth`.
    fn hold(&mut self, op: Op, args: &[ValueId], truth: bool, steps: &mut u32) {
        match op.family() {
            OpFamily::Not => {
                if let &[a] = args {
                    self.narrow(a, IntegerRange::just(i128::from(!truth)), steps);
                }
            }
            OpFamily::Bitwise(BitwiseOp::And) if truth => self.hold_both(args, truth, steps),
            OpFamily::Bitwise(BitwiseOp::Or) if !truth => self.hold_both(args, truth, steps),
            OpFamily::Comparison(comparison) => {
                let comparison = if truth { comparison } else { comparison.negated() };
                if let &[a, b] = args {
                    self.compare(comparison, a, b, steps);
                }
            }
            OpFamily::Bitwise(BitwiseOp::And | BitwiseOp::Or | BitwiseOp::Xor)
            | OpFamily::Arithmetic(..)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Signed(_)
            | OpFamily::Extreme(_)
            | OpFamily::Clamp
            | OpFamily::Integer(_)
            | OpFamily::Select
            | OpFamily::Reduction
            | OpFamily::Shift(_)
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Conversion(_)
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => {}
        }
    }

    fn hold_both(&mut self, args: &[ValueId], truth: bool, steps: &mut u32) {
        if let &[a, b] = args {
            self.narrow(a, IntegerRange::just(i128::from(truth)), steps);
            self.narrow(b, IntegerRange::just(i128::from(truth)), steps);
        }
    }

    /// Assumes that the comparison holds.
    fn compare(&mut self, comparison: Comparison, a: ValueId, b: ValueId, steps: &mut u32) {
        // Floats compare by other rules, and have no ranges.
        let (Some(x), Some(y)) = (self.range(a), self.range(b)) else { return };
        self.learn_order(comparison, a, b);
        let below = |hi: i128| IntegerRange { lo: i128::MIN, hi };
        let above = |lo: i128| IntegerRange { lo, hi: i128::MAX };
        let (for_a, for_b) = match comparison {
            Comparison::Lt => (below(y.hi - 1), above(x.lo + 1)),
            Comparison::Le => (below(y.hi), above(x.lo)),
            Comparison::Gt => (above(y.lo + 1), below(x.hi - 1)),
            Comparison::Ge => (above(y.lo), below(x.hi)),
            Comparison::Eq => (y, x),
            Comparison::Ne => (without(x, y), without(y, x)),
        };
        self.narrow(a, for_a, steps);
        self.narrow(b, for_b, steps);
    }

    /// Assumes that the operation's integer result is within `cut`; narrows its argument if only
    /// one varies and nothing wrapped.
    fn back(&mut self, op: Op, args: &[ValueId], cut: IntegerRange, steps: &mut u32) {
        match op.family() {
            OpFamily::Arithmetic(what, OverflowRule::Wrap) => self.back_arithmetic(op, what, args, cut, steps),
            OpFamily::Conversion(to) => {
                let Some(from) = args.first().and_then(|&arg| self.data(arg)).map(|data| data.scalar) else { return };
                // The low 32 bits determine a 32-bit number, as numbers above `i32::MAX` are
                // excluded.
                let says_all = to.is_integer() && from.is_integer() && (from.bits() == 32 || to.bits() == 64);
                if let (&[a], true) = (args, says_all)
                    && self.range(a).is_some()
                    && (IntegerRange { lo: 0, hi: i128::from(i32::MAX) }).contains(cut)
                {
                    self.narrow(a, cut, steps);
                }
            }
            OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Signed(_)
            | OpFamily::Extreme(_)
            | OpFamily::Clamp
            | OpFamily::Integer(_)
            | OpFamily::Comparison(_)
            | OpFamily::Select
            | OpFamily::Reduction
            | OpFamily::Bitwise(_)
            | OpFamily::Not
            | OpFamily::Shift(_)
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::Float
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => {}
        }
    }

    fn back_arithmetic(&mut self, op: Op, what: ArithmeticOp, args: &[ValueId], cut: IntegerRange, steps: &mut u32) {
        let &[a, b] = args else { return };
        let (Some(x), Some(y), Some(data)) = (self.range(a), self.range(b), self.data(a)) else { return };
        if range::wraps(op, data.scalar, data.scalar, &[Some(x), Some(y)]) {
            return;
        }
        let less = |n: i128| IntegerRange { lo: cut.lo - n, hi: cut.hi - n };
        match (what, x.single(), y.single()) {
            (ArithmeticOp::Add, _, Some(n)) => self.narrow(a, less(n), steps),
            (ArithmeticOp::Add, Some(n), None) => self.narrow(b, less(n), steps),
            (ArithmeticOp::Sub, _, Some(n)) => self.narrow(a, less(-n), steps),
            (ArithmeticOp::Sub, Some(n), None) => {
                self.narrow(b, IntegerRange { lo: n - cut.hi, hi: n - cut.lo }, steps);
            }
            (ArithmeticOp::Add | ArithmeticOp::Sub, None, None) | (ArithmeticOp::Mul, ..) => {}
        }
    }
}

/// Removes from `x` the single number `y`, if it is a bound of `x`.
fn without(x: IntegerRange, y: IntegerRange) -> IntegerRange {
    match y.single() {
        Some(n) if n == x.lo && x.lo < x.hi => IntegerRange { lo: x.lo + 1, hi: x.hi },
        Some(n) if n == x.hi && x.lo < x.hi => IntegerRange { lo: x.lo, hi: x.hi - 1 },
        _ => x,
    }
}
