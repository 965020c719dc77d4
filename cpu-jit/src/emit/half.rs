//! Conversion between `f16` in 32 bits and `f32`, for scalars and vectors of four alike, with the
//! instructions of the rows on packed halves.

use cranelift_codegen::ir::Value;

use super::LaneCost;
use super::emitter::Emitter;
use super::op::Cx;
use super::pieces::Pieces;
use crate::lanes::Elem;

impl Emitter<'_, '_> {
    /// The value of a half whose bits are the low 16 of an `i32`, the others zero. Exact.
    pub(super) fn half_to_float(&mut self, half: Value) -> Value {
        let half = self.one_piece(Elem::I32, half);
        Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() }.half_to_float(half).first()
    }

    /// The bits of the nearest half, ties to even, in an `i32` whose other bits are zero.
    pub(super) fn float_to_half(&mut self, float: Value) -> Value {
        let float = self.one_piece(Elem::F32, float);
        Cx { builder: &mut self.builder, facts: self.facts, pace: LaneCost::default() }.float_to_half(float).first()
    }

    fn one_piece(&self, elem: Elem, value: Value) -> Pieces {
        let vector = self.builder.func.dfg.value_type(value).is_vector();
        if vector { Pieces::from_parts(elem, &[value]) } else { Pieces::scalar(elem, value) }
    }
}
