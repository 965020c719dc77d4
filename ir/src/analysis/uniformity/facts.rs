//! From the finished walk to the facts, and the facts of a walk that was not finished.

use std::collections::HashSet;

use super::env::{Info, LinkId, Verdict};
use super::walk::{Walk, whole};
use super::{BarrierFact, Class, Uniformity};
use crate::analysis::facts::{Fact, Facts, InstFact};
use crate::analysis::range::Range;
use crate::analysis::shape::{Shape, Stride};
use crate::kernel::{Inst, Value, ValueDef, ValueId};
use crate::types::{Scalar, ValueType};

/// Steps of a chain that are followed; each leads to one that was found before it, so all chains end.
const MAX_STEPS: usize = 1 << 12;

impl Walk<'_> {
    pub(super) fn finish(self) -> Facts {
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
        let fact = |&(barrier, verdict): &(&Inst, Verdict)| BarrierFact {
            inst: barrier.id,
            pos: barrier.pos,
            class: verdict.class,
            because: chain(verdict.why),
        };
        let uniformity = Uniformity {
            values: self.values.iter().map(|parts| whole(parts).class).collect(),
            barriers: self.barriers.iter().map(fact).collect(),
            locals: self.locals.clone(),
            constructs: self.constructs.clone(),
            gave_up: false,
        };
        let values = self.function.values.iter().zip(&self.values).map(|(value, parts)| facts(value, parts)).collect();
        Facts { values, insts: self.insts, uniformity }
    }

    /// Nothing is claimed but what needs no walk.
    pub(super) fn unproven(self) -> Facts {
        let function = self.function;
        let mut barriers = Vec::new();
        let mut insts = Vec::new();
        let parts = |value: &Value| if self.is_given(value) { self.given(value) } else { Vec::new() };
        let values: Vec<Vec<Fact>> = function.values.iter().map(|value| facts(value, &parts(value))).collect();
        function.body.walk(&mut |inst| {
            if inst.kind.barrier().is_some() {
                let (inst, pos) = (inst.id, inst.pos);
                barriers.push(BarrierFact { inst, pos, class: Class::Unproven, because: Vec::new() });
            }
            let mut places = Vec::new();
            inst.kind.places(&mut |place| {
                place.place_values(&mut |&value| {
                    places.push(Fact::of_all(values.get(value.index()).map_or(&[], Vec::as_slice)));
                });
            });
            let below = vec![Vec::new(); places.len()];
            insts.push(InstFact { reached: true, control: Class::Unproven, row_together: false, places, below });
        });
        let class = |value: &Value| match self.is_given(value) && whole(&self.given(value)).is_uniform() {
            true => Class::Uniform,
            false => Class::Unproven,
        };
        let uniformity = Uniformity {
            values: function.values.iter().map(class).collect(),
            locals: vec![Class::Unproven; function.locals.len()],
            constructs: vec![Class::Unproven; function.inst_count()],
            barriers,
            gave_up: true,
        };
        Facts { values, insts, uniformity }
    }

    /// What is known about a value here.
    pub(super) fn fact(&self, value: ValueId) -> Fact {
        match self.function.values.get(value.index()) {
            Some(declared) => Fact::of_all(&facts(declared, &self.parts(value))),
            None => Fact::NOTHING,
        }
    }
}

/// One for each component; a view counts as one.
fn facts(value: &Value, parts: &[Info]) -> Vec<Fact> {
    let (width, scalar) = match value.ty {
        ValueType::Data(data) => (usize::from(data.width), Some(data.scalar)),
        ValueType::View(_) | ValueType::Invalid => (1, None),
    };
    let constant = matches!(value.def, ValueDef::Const(_));
    // Without parts it is not computed, as its instruction is not reached.
    let fact = |i: usize| {
        parts.get(i).map_or(Fact { range: scalar.and_then(Range::of_type), ..Fact::NOTHING }, |part| {
            of(*part, scalar, constant)
        })
    };
    (0..width).map(fact).collect()
}

fn of(info: Info, scalar: Option<Scalar>, constant: bool) -> Fact {
    let whole = scalar.and_then(Range::of_type);
    let range = whole.map(|whole| info.range.unwrap_or(whole));
    let shape = match info.stride() {
        _ if constant || range.is_some_and(|range| range.single().is_some()) => Shape::Const,
        _ if info.came.is_uniform() => Shape::TileUniform,
        Some(stride) if stride.is_same() => Shape::GroupUniform,
        Some(stride) => Shape::Affine(Stride { ..stride }),
        None => Shape::Varying,
    };
    Fact { shape, range }
}
