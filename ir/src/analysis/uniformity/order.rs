//! Which of two numbers is the smaller one, where a condition says so: under `if l >= reach` the difference `l - reach` is not negative, and in
//! `while k < side` the index `k` is below `side`, whatever that is.
//!
//! Only what conditions say themselves is known, about the values that they compare; nothing is concluded from two of them. A local is told by its
//! [stamp](super::env::LocalState): it is the same number as long as it has not been assigned.

use super::walk::UniformityWalk;
use crate::analysis::facts::IndexBound;
use crate::analysis::range::IntegerRange;
use crate::kernel::{InstKind, LocalId, ParamId, ValueId};
use crate::ops::Comparison;

/// Orders that are kept at a time; what is learnt beyond is not needed so often that it should cost every access a long search.
const MOST: usize = 256;

/// A number, however it was come by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Value(ValueId),
    Local(LocalId, u64),
    Extent(ParamId, u32),
}

/// One number is below another, or no higher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderFact {
    low: Term,
    high: Term,
    strict: bool,
}

/// What can be taken back: see [`UniformityWalk::take_back`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Learnt {
    /// The range of a value was another before.
    Range(ValueId, Option<IntegerRange>),
    /// An order was added.
    Order,
}

impl UniformityWalk<'_> {
    fn term(&self, value: ValueId) -> Term {
        if let Some((local, stamp)) = self.loaded.get(value.index()).copied().flatten() {
            return Term::Local(local, stamp);
        }
        let def = self.defs.get(value.index()).copied().flatten().map(|inst| &inst.kind);
        if let Some(InstKind::ViewExtent { view, dimension }) = def
            && let Some(param) = self.kernel.param_of(*view)
        {
            return Term::Extent(param, *dimension);
        }
        Term::Value(value)
    }

    /// A condition that is known to hold: both are integers of one type.
    pub(super) fn learn_order(&mut self, comparison: Comparison, a: ValueId, b: ValueId) {
        if self.orders.len() >= MOST {
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
        self.orders.push(OrderFact { low, high, strict });
        self.trail.push(Learnt::Order);
    }

    /// How much a number is smaller than another at least, if it is known to be no larger: 0 or 1.
    pub(super) fn gap(&self, low: ValueId, high: ValueId) -> Option<i128> {
        let (low, high) = (self.term(low), self.term(high));
        let known = self.orders.iter().filter(|order| order.low == low && order.high == high);
        known.map(|order| i128::from(order.strict)).max()
    }

    /// What an integer is known to be below, here.
    pub(super) fn bounds(&self, value: ValueId) -> Vec<IndexBound> {
        if self.orders.is_empty() {
            return Vec::new();
        }
        let low = self.term(value);
        let mut bounds = Vec::new();
        for order in self.orders.iter().filter(|order| order.strict && order.low == low) {
            let bound = match order.high {
                Term::Extent(view, dimension) => Some(IndexBound::Extent(view, dimension)),
                Term::Value(value) => self.kernel.param_of(value).map(IndexBound::Param),
                Term::Local(..) => None,
            };
            bounds.extend(bound.filter(|bound| !bounds.contains(bound)));
        }
        bounds
    }
}
