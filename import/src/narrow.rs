//! Values of 16 bits. `f16`, `i16` and `u16` are computed as `f32`, `i32` and `u32`, and each result
//! is rounded or cut to 16 bits. Sums, differences, products, quotients and roots of `f16` are
//! thereby right to the bit, as `f32` has more than twice its digits.

use naga::{ScalarKind, TypeInner};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::ValueId;
use tilewise_ir::ops::Op;

use crate::ShaderImporter;
use crate::value::ShaderValue;

/// The scalar that a value of this type consists of.
pub(crate) fn scalar_of(inner: &TypeInner) -> Option<naga::Scalar> {
    match *inner {
        TypeInner::Scalar(scalar)
        | TypeInner::Vector { scalar, .. }
        | TypeInner::Matrix { scalar, .. }
        | TypeInner::Atomic(scalar) => Some(scalar),
        TypeInner::CooperativeMatrix { .. }
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. } => None,
    }
}

/// The operation that brings a result of this type to its 16 bits.
pub(crate) fn narrowing(inner: &TypeInner) -> Option<Op> {
    let scalar = scalar_of(inner)?;
    match (scalar.kind, scalar.width) {
        (ScalarKind::Float, 2) if fault::planted(Fault::HalfNotRounded) => None,
        (ScalarKind::Float, 2) => Some(Op::QuantizeF16),
        (ScalarKind::Sint, 2) => Some(Op::WrapI16),
        (ScalarKind::Uint, 2) => Some(Op::WrapU16),
        _ => None,
    }
}

impl ShaderImporter<'_> {
    /// A result of type `inner`, brought to 16 bits if that is its width.
    pub(crate) fn narrowed(&mut self, value: ShaderValue, inner: &TypeInner) -> ShaderValue {
        match narrowing(inner) {
            Some(op) => self.map(value, &mut |importer, value| importer.op(op, &[value])),
            None => value,
        }
    }

    /// A step of a composed function over values of type `inner`.
    pub(crate) fn narrowed_data(&mut self, value: ValueId, inner: &TypeInner) -> ValueId {
        narrowing(inner).map_or(value, |op| self.op(op, &[value]))
    }

    /// Applies `each` to the scalar or vector, or to all of a matrix.
    pub(crate) fn map(
        &mut self,
        value: ShaderValue,
        each: &mut dyn FnMut(&mut Self, ValueId) -> ValueId,
    ) -> ShaderValue {
        match value {
            ShaderValue::Data(value) => ShaderValue::Data(each(self, value)),
            ShaderValue::Parts(values) => {
                ShaderValue::Parts(values.into_iter().map(|value| self.map(value, each)).collect())
            }
            ShaderValue::Refused => ShaderValue::Refused,
            ShaderValue::Memory(_)
            | ShaderValue::Zero(_)
            | ShaderValue::Pointer(_)
            | ShaderValue::Texture(_)
            | ShaderValue::Sampler(_) => ShaderValue::Data(self.data(&value)),
        }
    }
}
