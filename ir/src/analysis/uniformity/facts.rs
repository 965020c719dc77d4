//! Conversion of a finished walk to facts, and the facts for a walk that gave up.

use std::collections::HashSet;

use super::env::{Info, LinkId, UniformityVerdict};
use super::state::{UniformityWalk, whole};
use super::{BarrierFact, TileAgreement, Uniformity};
use crate::analysis::facts::{InstFact, KernelFacts, ValueFact};
use crate::analysis::range::IntegerRange;
use crate::analysis::shape::{LaneShape, Stride};
use crate::kernel::{Inst, Value, ValueDef, ValueId};
use crate::types::{Scalar, ValueType};

/// Limit on the links followed; each link leads to an older one, so every chain ends.
const MAX_STEPS: usize = 1 << 12;

impl UniformityWalk<'_> {
    pub(super) fn finish(self) -> KernelFacts {
        let chain = |mut at: LinkId| {
            let mut chain = Vec::new();
            let mut told = HashSet::new();
            for _ in 0..MAX_STEPS {
                let Some((link, next)) = (at as usize).checked_sub(1).and_then(|i| self.found.links.get(i)) else {
                    break;
                };
                // A variable set in several iterations is listed once. Positions compare equal, so
                // the set uses their keys.
                if told.insert((link.what, link.pos.key())) {
                    chain.push(*link);
                }
                at = *next;
            }
            chain
        };
        let fact = |&(barrier, verdict): &(&Inst, UniformityVerdict)| BarrierFact {
            inst: barrier.id,
            pos: barrier.pos,
            class: verdict.class,
            because: chain(verdict.why),
        };
        let uniformity = Uniformity {
            values: self.states.values.iter().map(|parts| whole(parts).class).collect(),
            barriers: self.found.barriers.iter().map(fact).collect(),
            locals: self.found.locals.clone(),
            constructs: self.found.constructs.clone(),
            gave_up: false,
        };
        let values = self
            .walked
            .function
            .values
            .iter()
            .zip(&self.states.values)
            .map(|(value, parts)| facts(value, parts))
            .collect();
        KernelFacts { values, insts: self.found.insts, uniformity }
    }

    /// Facts that need no walk, and no other claims.
    pub(super) fn unproven(self) -> KernelFacts {
        let function = self.walked.function;
        let mut barriers = Vec::new();
        let mut insts = Vec::new();
        let parts = |value: &Value| if self.is_given(value) { self.given(value) } else { Vec::new() };
        let values: Vec<Vec<ValueFact>> = function.values.iter().map(|value| facts(value, &parts(value))).collect();
        function.body.walk(&mut |inst| {
            if inst.kind.barrier().is_some() {
                let (inst, pos) = (inst.id, inst.pos);
                barriers.push(BarrierFact { inst, pos, class: TileAgreement::Unproven, because: Vec::new() });
            }
            let mut places = Vec::new();
            inst.kind.places(&mut |place| {
                place.place_values(&mut |&value| {
                    places.push(ValueFact::of_all(values.get(value.index()).map_or(&[], Vec::as_slice)));
                });
            });
            let below = vec![Vec::new(); places.len()];
            insts.push(InstFact {
                reached: true,
                control: TileAgreement::Unproven,
                row_together: false,
                places,
                below,
            });
        });
        let class = |value: &Value| match self.is_given(value) && whole(&self.given(value)).is_uniform() {
            true => TileAgreement::Uniform,
            false => TileAgreement::Unproven,
        };
        let uniformity = Uniformity {
            values: function.values.iter().map(class).collect(),
            locals: vec![TileAgreement::Unproven; function.locals.len()],
            constructs: vec![TileAgreement::Unproven; function.inst_count()],
            barriers,
            gave_up: true,
        };
        KernelFacts { values, insts, uniformity }
    }

    /// The fact about a value at this point.
    pub(super) fn fact(&self, value: ValueId) -> ValueFact {
        match self.walked.function.values.get(value.index()) {
            Some(declared) => ValueFact::of_all(&facts(declared, &self.parts(value))),
            None => ValueFact::NOTHING,
        }
    }
}

/// One fact for each component; a view has one.
fn facts(value: &Value, parts: &[Info]) -> Vec<ValueFact> {
    let (width, scalar) = match value.ty {
        ValueType::Data(data) => (usize::from(data.width), Some(data.scalar)),
        ValueType::View(_) | ValueType::Invalid => (1, None),
    };
    let constant = matches!(value.def, ValueDef::Const(_));
    // A value without parts is never computed, as its instruction is unreachable.
    let fact = |i: usize| {
        parts.get(i).map_or(ValueFact { range: scalar.and_then(IntegerRange::of_type), ..ValueFact::NOTHING }, |part| {
            of(*part, scalar, constant)
        })
    };
    (0..width).map(fact).collect()
}

fn of(info: Info, scalar: Option<Scalar>, constant: bool) -> ValueFact {
    let whole = scalar.and_then(IntegerRange::of_type);
    let range = whole.map(|whole| info.range.unwrap_or(whole));
    let shape = match info.stride() {
        _ if constant || range.is_some_and(|range| range.single().is_some()) => LaneShape::Const,
        _ if info.came.is_uniform() => LaneShape::TileUniform,
        Some(stride) if stride.is_same() => LaneShape::GroupUniform,
        Some(stride) => LaneShape::Affine(Stride { ..stride }),
        None => LaneShape::Varying,
    };
    ValueFact { shape, range }
}
