//! Orders between two numbers that a condition implies: under `if l >= reach` the difference `l -
//! reach` is not negative, and in `while k < side` the index `k` is below `side`, whatever `side`
//! is.
//!
//! Only the conditions' own comparisons are recorded; no order is derived from two of them. The
//! [stamp](super::env::LocalState) of a local identifies its value: it is the same number until the
//! next assignment.

use super::state::UniformityWalk;
use crate::analysis::facts::IndexBound;
use crate::analysis::range::IntegerRange;
use crate::kernel::{InstKind, LocalId, ParamId, ValueId};
use crate::ops::Comparison;

/// Limit on recorded orders; more would rarely help, and every access searches all of them.
const MOST: usize = 256;

/// A number, by its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Value(ValueId),
    Local(LocalId, u64),
    Extent(ParamId, u32),
}

/// One number is below another, or not above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderFact {
    low: Term,
    high: Term,
    strict: bool,
}

/// A fact that can be undone: see [`UniformityWalk::take_back`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Learnt {
    /// The previous range of a value.
    Range(ValueId, Option<IntegerRange>),
    /// An order was added.
    Order,
}

impl UniformityWalk<'_> {
    fn term(&self, value: ValueId) -> Term {
        if let Some((local, stamp)) = self.states.loaded.get(value.index()).copied().flatten() {
            return Term::Local(local, stamp);
        }
        let def = self.walked.defs.get(value.index()).copied().flatten().map(|inst| &inst.kind);
        if let Some(InstKind::ViewExtent { view, dimension }) = def
            && let Some(param) = self.walked.kernel.param_of(*view)
        {
            return Term::Extent(param, *dimension);
        }
        Term::Value(value)
    }

    /// Records a condition that holds. Both operands are integers of one type.
    pub(super) fn learn_order(&mut self, comparison: Comparison, a: ValueId, b: ValueId) {
        if self.learnt.orders.len() >= MOST {
            return;
        }
        let (a, b) = (self.term(a), self.term(b));
        let (low, high, strict) = match comparison {
            Comparison::Lt => (a, b, true),
            Comparison::Le => (a, b, false),
            Comparison::Gt => (b, a, true),
            Comparison::Ge => (b, a, false),
            Comparison::Eq | Comparison::Ne => return,
        };
        self.learnt.orders.push(OrderFact { low, high, strict });
        self.learnt.trail.push(Learnt::Order);
    }

    /// The minimum difference of two numbers, 0 or 1, if `low` is known to be not above `high`.
    pub(super) fn gap(&self, low: ValueId, high: ValueId) -> Option<i128> {
        let (low, high) = (self.term(low), self.term(high));
        let known = self.learnt.orders.iter().filter(|order| order.low == low && order.high == high);
        known.map(|order| i128::from(order.strict)).max()
    }

    /// The launch parameters that are known to exceed an integer at this point.
    pub(super) fn bounds(&self, value: ValueId) -> Vec<IndexBound> {
        if self.learnt.orders.is_empty() {
            return Vec::new();
        }
        let low = self.term(value);
        let mut bounds = Vec::new();
        for order in self.learnt.orders.iter().filter(|order| order.strict && order.low == low) {
            let bound = match order.high {
                Term::Extent(view, dimension) => Some(IndexBound::Extent(view, dimension)),
                Term::Value(value) => self.walked.kernel.param_of(value).map(IndexBound::Param),
                Term::Local(..) => None,
            };
            bounds.extend(bound.filter(|bound| !bounds.contains(bound)));
        }
        bounds
    }
}
