//! From the finished walk to the facts, and the facts of a walk that was not finished.

use std::collections::HashSet;

use super::env::{LinkId, Verdict};
use super::walk::{Walk, whole};
use super::{BarrierFact, Class, Uniformity};
use crate::kernel::{InstKind, Value};
use crate::pos::Pos;

/// Steps of a chain that are followed; each leads to one that was found before it, so all chains end.
const MAX_STEPS: usize = 1 << 12;

impl Walk<'_> {
    pub(super) fn finish(self) -> Uniformity {
        let chain = |mut at: LinkId| {
            let mut chain = Vec::new();
            let mut told = HashSet::new();
            for _ in 0..MAX_STEPS {
                let Some((link, next)) = (at as usize).checked_sub(1).and_then(|i| self.links.get(i)) else { break };
                // A variable that is set round after round is told once. Positions compare equal, so they are looked at by their keys.
                if told.insert((link.what, link.pos.key())) {
                    chain.push(*link);
                }
                at = *next;
            }
            chain
        };
        let fact =
            |&(pos, verdict): &(Pos, Verdict)| BarrierFact { pos, class: verdict.class, because: chain(verdict.why) };
        Uniformity {
            values: self.values.iter().map(|parts| whole(parts).class).collect(),
            barriers: self.barriers.iter().map(fact).collect(),
            locals: self.locals,
            constructs: self.constructs,
            gave_up: false,
        }
    }

    /// Nothing is claimed but what needs no walk.
    pub(super) fn unproven(self) -> Uniformity {
        let function = self.function;
        let mut constructs = Vec::new();
        let mut barriers = Vec::new();
        function.body.walk(&mut |inst| match &inst.kind {
            InstKind::Barrier(_) => {
                barriers.push(BarrierFact { pos: inst.pos, class: Class::Unproven, because: Vec::new() });
            }
            InstKind::If { .. } | InstKind::Switch { .. } | InstKind::Loop { .. } | InstKind::Scope { .. } => {
                constructs.push(Class::Unproven);
            }
            _ => {}
        });
        let class = |value: &Value| {
            if whole(&self.given(value)).is_uniform() && self.is_given(value) {
                Class::Uniform
            } else {
                Class::Unproven
            }
        };
        Uniformity {
            values: function.values.iter().map(class).collect(),
            locals: vec![Class::Unproven; function.locals.len()],
            constructs,
            barriers,
            gave_up: true,
        }
    }
}
