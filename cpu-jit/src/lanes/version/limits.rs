//! Limits of scalars that change with the counter, and the interval of counts that satisfies them.

use super::judge::{AffineScalar, BoundsHoister, Slope};
use super::numbers::NumberOp;
use crate::lanes::program::LaneValue;
use crate::sorted::SortedMap;
use tilewise_ir::fault::{self, Fault};

/// The origin of a line with slope 1 or -1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LimitBase {
    /// Is the slope -1?
    pub(super) against: bool,
    pub(super) offset: Option<i64>,
    /// Its value in the first iteration, if it has no offset.
    pub(super) first: Option<LaneValue>,
}

/// The upper (exclusive) and lower (inclusive) limits of such a line.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) below: i64,
    pub(super) least: i64,
    pub(super) all_below: Vec<LaneValue>,
    pub(super) all_least: Vec<LaneValue>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { below: i64::MAX, least: i64::MIN, all_below: Vec::new(), all_least: Vec::new() }
    }
}

/// The side of a limit on which a line must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LimitSide {
    /// Below it.
    Below,
    /// Not below it.
    AtLeast,
}

/// See [`BoundsHoister::moderate`]. Larger than any number of an index.
const MODERATE: i64 = 1 << 60;

impl BoundsHoister<'_> {
    pub(super) fn at_least(&mut self, line: AffineScalar, least: i64) {
        self.limit(line, LimitSide::AtLeast, least);
    }

    /// Demands that a line fits in a signed 32-bit integer.
    pub(super) fn within(&mut self, line: AffineScalar) {
        self.limit(line, LimitSide::AtLeast, i32::MIN.into());
        self.limit(line, LimitSide::Below, 1 << 31);
    }

    /// Demands that the operand of a product fits in a signed 32-bit integer in the first iteration
    /// and in the last. An interval of counts is not enough: the product is judged at its ends, which
    /// are computed from these, and must not wrap there.
    pub(super) fn within_at_ends(&mut self, line: AffineScalar) {
        for value in [line.first, self.last(line)] {
            for (side, end) in [(LimitSide::AtLeast, i32::MIN.into()), (LimitSide::Below, 1 << 31)] {
                let end = self.constant(end);
                let holds = self.condition(side, value, end);
                self.demand(holds);
            }
        }
    }

    /// Demands that a line is so far from the ends of 64 bits that no sum or difference of two such
    /// lines wraps, nor one of those sums.
    pub(super) fn moderate(&mut self, line: AffineScalar) {
        self.limit(line, LimitSide::AtLeast, -MODERATE);
        self.limit(line, LimitSide::Below, MODERATE);
    }

    /// The same of a loop-invariant number.
    pub(super) fn demand_moderate(&mut self, number: LaneValue) {
        for (side, end) in [(LimitSide::AtLeast, -MODERATE), (LimitSide::Below, MODERATE)] {
            let end = self.constant(end);
            let holds = self.condition(side, number, end);
            self.demand(holds);
        }
    }

    /// Demands that a line is below a constant, or not below it.
    pub(super) fn limit(&mut self, line: AffineScalar, side: LimitSide, number: i64) {
        let Some(from) = base(line) else {
            let number = self.constant(number);
            return self.holds(side, line, number);
        };
        let limits = self.limits.or_default(from);
        match side {
            LimitSide::Below => limits.below = limits.below.min(number),
            LimitSide::AtLeast => limits.least = limits.least.max(number),
        }
    }

    /// Demands that a line is below an invariant value, or not below it.
    pub(super) fn holds(&mut self, side: LimitSide, line: AffineScalar, limit: LaneValue) {
        if let Some(from) = base(line) {
            let limits = self.limits.or_default(from);
            let list = match side {
                LimitSide::Below => &mut limits.all_below,
                LimitSide::AtLeast => &mut limits.all_least,
            };
            if !list.contains(&limit) {
                list.push(limit);
            }
            return;
        }
        // An increasing line is compared with its upper limit in the last iteration, and so on.
        let ends: &[bool] = match (line.along, side) {
            (Slope::Same, _) => &[false],
            (Slope::By(_), LimitSide::Below) if fault::planted(Fault::SteepLineAtFirstOnly) => &[false][..],
            (Slope::By(by), LimitSide::Below) => &[by > 0][..],
            (Slope::By(by), LimitSide::AtLeast) => &[by < 0][..],
            (Slope::Evenly, _) => &[false, true],
        };
        for &end in ends {
            let value = if end { self.last(line) } else { line.first };
            let holds = self.condition(side, value, limit);
            self.demand(holds);
        }
    }

    /// Do the ends of the interval depend on where an index begins, as those of `a[row * n + k]` do?
    pub(super) fn differs_by_row(&self) -> bool {
        self.limits.keys().any(|from| from.offset.is_none())
    }

    /// The interval of counts in which all lines are within their limits, in 64 bits: its start,
    /// unless all counts qualify, and its end, unless it is the loop's own bound.
    pub(super) fn interval(&mut self) -> (Option<LaneValue>, Option<LaneValue>) {
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
                    // With slope -1, the counts below a limit come after it.
                    if is_below != from.against {
                        high = self.op(NumberOp::Min, &[high, count]);
                    } else {
                        low = Some(low.map_or(count, |low| {
                            let op = fault::choose(Fault::OnlyOneLowerEnd, NumberOp::Max, NumberOp::Min);
                            self.op(op, &[low, count])
                        }));
                    }
                }
            }
        }
        let first = self.range(self.first).0;
        let low = low.filter(|&low| self.range(low).1 > first);
        (low, (high != self.bound).then_some(high))
    }

    /// The count at which a line reaches a limit; with slope -1, the next one.
    fn count_at(&mut self, from: LimitBase, limit: LaneValue) -> LaneValue {
        if let Some(offset) = from.offset {
            if from.against {
                let offset = self.constant(offset + i64::from(!fault::planted(Fault::AgainstEndOneEarly)));
                return self.op(NumberOp::Sub, &[offset, limit]);
            }
            let offset = self.constant(offset - i64::from(fault::planted(Fault::OffsetEndOneLate)));
            return self.op(NumberOp::Sub, &[limit, offset]);
        }
        // `interval` passes only lines that have one of the two.
        let first = from.first.unwrap_or(self.first);
        if from.against {
            let ahead = self.op(NumberOp::Sub, &[first, limit]);
            let count = self.op(NumberOp::Add, &[self.first, ahead]);
            let one = self.constant(1);
            return self.op(NumberOp::Add, &[count, one]);
        }
        let ahead = self.op(NumberOp::Sub, &[limit, first]);
        let count = self.op(NumberOp::Add, &[self.first, ahead]);
        let late = self.constant(i64::from(fault::planted(Fault::IntervalEndOneLate)));
        self.op(NumberOp::Add, &[count, late])
    }

    /// Drops limits implied by others: `counts` are the minimum and maximum count for which the
    /// others hold.
    fn forget_the_obvious(&mut self, from: LimitBase, limits: &mut Limits, counts: (i64, i64)) {
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

    /// The maximum count under the loop's own bound and the limits that are not constants.
    fn greatest(&self, limits: &SortedMap<LimitBase, Limits>) -> i64 {
        let mut most = self.range(self.bound).1.saturating_sub(1);
        for (from, limits) in limits {
            let Some(offset) = from.offset.filter(|_| !from.against) else { continue };
            for &limit in &limits.all_below {
                most = most.min(self.range(limit).1.saturating_sub(1).saturating_sub(offset));
            }
        }
        most
    }
}

/// The origin of a line, if its slope is 1 or -1.
fn base(line: AffineScalar) -> Option<LimitBase> {
    let (against, offset) = match line.along {
        Slope::By(1) => (false, line.offset),
        Slope::By(-1) => (true, line.offset),
        Slope::Same | Slope::By(_) | Slope::Evenly => return None,
    };
    Some(LimitBase { against, offset, first: offset.is_none().then_some(line.first) })
}
