//! Control-flow joins: an `if` of the lane program, and the merge of both states.

use tilewise_ir::ops::Op;

use super::comp::Comp;
use super::current::CurrentParts;
use super::state::{Formed, Vectorizer};
use crate::lanes::{LaneBlock, LaneValue, Likely, scalar_of};

/// The state before an `if`, in which both arms begin.
struct BranchEntry {
    active: Option<LaneValue>,
    parts: CurrentParts,
}

/// The first arm of an `if`: its values, its code and its final state.
struct FirstArm {
    comps: Vec<Comp>,
    block: LaneBlock,
    parts: CurrentParts,
}

impl Vectorizer<'_> {
    /// Writes an `if` of the lane program. Both arms begin with the same state; their final states
    /// are merged after it.
    pub(super) fn merge(
        &mut self,
        condition: LaneValue,
        likely: Likely,
        then: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
        otherwise: impl FnOnce(&mut Self) -> Formed<Vec<Comp>>,
    ) -> Formed<Vec<Comp>> {
        match self.b.constant_of(condition) {
            Some(0) => return otherwise(self),
            Some(_) => return then(self),
            None => {}
        }
        let entry = self.open_branch();
        let first = then(self)?;
        let first = self.open_second_arm(&entry, first);
        let second = otherwise(self)?;
        Ok(self.join(condition, likely, entry, first, second))
    }

    /// Begins the first arm.
    fn open_branch(&mut self) -> BranchEntry {
        self.b.open_arm();
        BranchEntry { active: self.active, parts: self.parts.clone() }
    }

    /// Ends the first arm, which has these values, and begins the second.
    fn open_second_arm(&mut self, entry: &BranchEntry, comps: Vec<Comp>) -> FirstArm {
        let block = self.b.close(Vec::new());
        let parts = std::mem::replace(&mut self.parts, entry.parts.clone());
        self.active = entry.active;
        self.b.open_arm();
        FirstArm { comps, block, parts }
    }

    /// Ends the second arm, and merges the states and the values of both.
    fn join(
        &mut self,
        condition: LaneValue,
        likely: Likely,
        entry: BranchEntry,
        first: FirstArm,
        mut second: Vec<Comp>,
    ) -> Vec<Comp> {
        let second_block = self.b.close(Vec::new());
        self.active = entry.active;
        let before = entry.parts;
        let FirstArm { comps: mut first, block: first_block, parts: first_parts } = first;
        self.level_out(&mut first, &mut second);
        let known = self.parts.len().min(first_parts.len());
        if self.parts.len() > known {
            self.parts.truncate(known);
        }
        let mut meet = Vec::new();
        let to_compare = if first_parts.is_shared_with(&self.parts) { 0 } else { known };
        for (part, &first_part) in first_parts[..to_compare].iter().enumerate() {
            let (a, b) = match (first_part, self.parts[part]) {
                (a, b) if a == b => continue,
                (Some(a), Some(b)) => (a, b),
                // Lanes of the arm in which it is unknown do not need it: any value will do for
                // them.
                (a, b) => {
                    let Some(one) = a.or(b) else { continue };
                    if before.get(part) == Some(&Some(one)) {
                        self.parts[part] = Some(one);
                        continue;
                    }
                    let zero = self.b.constant(one.elem(&self.b), 0);
                    let any = match one {
                        Comp::Affine { step, exact, .. } => Comp::Affine { base: zero, step, exact },
                        Comp::Plain(_) => Comp::Plain(zero),
                    };
                    (a.unwrap_or(any), b.unwrap_or(any))
                }
            };
            meet.push(part);
            first.push(a);
            second.push(b);
        }
        let results = first.len() - meet.len();
        // The common form of both: a scalar, an affine base, or lanes.
        let both: Vec<_> = first.iter().zip(&second).map(|(&a, &b)| self.common(a, b)).collect();
        self.b.reopen(first_block);
        let values = first.iter().zip(&both).map(|(&comp, &common)| self.as_common(comp, common)).collect();
        let first_block = self.b.close(values);
        self.b.reopen(second_block);
        let values = second.iter().zip(&both).map(|(&comp, &common)| self.as_common(comp, common)).collect();
        let second_block = self.b.close(values);
        let values = match self.selected([&first_block, &second_block], condition) {
            Some(values) => values,
            None => self.b.if_else(condition, first_block, second_block, likely),
        };
        let mut comps: Vec<Comp> = values.into_iter().zip(both).map(|(value, common)| common.of(value)).collect();
        for (part, comp) in meet.into_iter().zip(comps.split_off(results)) {
            self.parts[part] = Some(comp);
        }
        comps
    }

    /// The values of two arms that only choose scalars, without a branch: selections can be computed before
    /// the loops around them, and what depends on them is known there.
    fn selected(&mut self, [first, second]: [&LaneBlock; 2], condition: LaneValue) -> Option<Vec<LaneValue>> {
        let pairs = || first.results.iter().zip(&second.results);
        let are_scalars = pairs().all(|(&a, &b)| !self.b.ty(a).is_lanes() && self.b.ty(a) == self.b.ty(b));
        if !(first.nodes.is_empty() && second.nodes.is_empty() && are_scalars) {
            return None;
        }
        let select = |(&a, &b): (&LaneValue, &LaneValue)| match a == b {
            true => a,
            false => self.b.op(Op::Select, scalar_of(self.b.ty(a).elem()), &[condition, a, b]),
        };
        Some(pairs().map(select).collect())
    }

    /// An arm that leaves has no value: give it one, so that both have.
    pub(super) fn level_out(&mut self, first: &mut Vec<Comp>, second: &mut Vec<Comp>) {
        for (to, other) in [(first.len(), second.clone()), (second.len(), first.clone())] {
            for comp in other.iter().skip(to) {
                let zero = Comp::Plain(self.b.constant(comp.elem(&self.b), 0));
                if first.len() < second.len() { first.push(zero) } else { second.push(zero) }
            }
        }
    }

    pub(super) fn common(&self, a: Comp, b: Comp) -> Common {
        match (a, b) {
            (Comp::Affine { step, exact: x, .. }, Comp::Affine { step: other, exact: y, .. }) if step == other => {
                Common::Affine(step, x.zip(y).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))))
            }
            _ if a.scalar(&self.b).is_some() && b.scalar(&self.b).is_some() => Common::Scalar,
            _ => Common::Lanes,
        }
    }

    pub(super) fn as_common(&mut self, comp: Comp, common: Common) -> LaneValue {
        match (common, comp) {
            (Common::Affine(..), Comp::Affine { base, .. }) => base,
            (Common::Scalar, Comp::Plain(value)) => value,
            _ => comp.lanes(&mut self.b),
        }
    }
}

/// The common form of two arms' components.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Common {
    Scalar,
    /// The base is a result; the step is known.
    Affine(i64, Option<(i64, i64)>),
    Lanes,
}

impl Common {
    /// The component of a value in this form.
    pub(super) fn of(self, value: LaneValue) -> Comp {
        match self {
            Common::Scalar | Common::Lanes => Comp::Plain(value),
            Common::Affine(step, exact) => Comp::Affine { base: value, step, exact },
        }
    }
}
