//! Values of 16 bits. `f16`, `i16` and `u16` are computed as `f32`, `i32` and `u32`, and each result
//! is rounded or cut to 16 bits. Sums, differences, products, quotients and roots of `f16` are
//! thereby right to the bit, as `f32` has more than twice its digits.

use naga::{ScalarKind, TypeInner};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, ValueId};
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

/// Is it `f16`, or a vector or matrix of them?
pub(crate) fn is_half(inner: &TypeInner) -> bool {
    scalar_of(inner).is_some_and(|scalar| scalar.width == 2 && scalar.kind == ScalarKind::Float)
}

/// Is it an integer of 8 or 16 bits, or a vector of them?
pub(crate) fn is_narrow_integer(inner: &TypeInner) -> bool {
    let is_integer = |kind| matches!(kind, ScalarKind::Sint | ScalarKind::Uint);
    scalar_of(inner).is_some_and(|scalar| scalar.width <= 2 && is_integer(scalar.kind))
}

/// The operation that brings a result of this type to its 16 bits.
pub(crate) fn narrowing(inner: &TypeInner) -> Option<Op> {
    let scalar = scalar_of(inner)?;
    match (scalar.kind, scalar.width) {
        (ScalarKind::Float, 2) if fault::planted(Fault::HalfNotRounded) => None,
        (ScalarKind::Float, 2) => Some(Op::QuantizeF16),
        (ScalarKind::Sint, 1) => Some(Op::WrapI8),
        (ScalarKind::Uint, 1) => Some(Op::WrapU8),
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

    /// A sum that is not exact, as the float beside it whose last bit is set: rounded once more to fewer
    /// digits, it is what the exact sum would be. `is_beyond`: the sum is farther from zero than exact.
    fn sticky(&mut self, sum: ValueId, is_inexact: ValueId, is_beyond: ValueId) -> ValueId {
        let width = self.data_type(sum).width;
        let one = self.u32(1);
        let one = self.splat(one, width);
        let bits = self.op(Op::BitcastU32, &[sum]);
        let before = self.op(Op::Sub, &[bits, one]);
        let towards_zero = self.op(Op::Select, &[is_beyond, before, bits]);
        let odd = self.op(Op::Or, &[towards_zero, one]);
        let bits = self.op(Op::Select, &[is_inexact, odd, bits]);
        self.op(Op::BitcastF32, &[bits])
    }

    /// `a * b + c` of `f16`, before it is rounded. A product has few enough digits; of the sum, what is
    /// rounded off counts.
    pub(crate) fn fma_of_halves(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        let width = self.data_type(a).width;
        let product = self.op(Op::Mul, &[a, b]);
        let sum = self.op(Op::Add, &[product, c]);
        let rest = self.op(Op::Sub, &[sum, product]);
        let of_product = self.op(Op::Sub, &[sum, rest]);
        let of_product = self.op(Op::Sub, &[product, of_product]);
        let of_third = self.op(Op::Sub, &[c, rest]);
        let lost = self.op(Op::Add, &[of_product, of_third]);
        let zero = self.builder.constant(Const::f32(0.0));
        let zero = self.splat(zero, width);
        let size = self.op(Op::Abs, &[lost]);
        // Not of NaN, which an infinite sum has here.
        let is_inexact = self.op(Op::Gt, &[size, zero]);
        let signs = self.op(Op::Mul, &[lost, sum]);
        let is_beyond = self.op(Op::Lt, &[signs, zero]);
        self.sticky(sum, is_inexact, is_beyond)
    }

    /// An `f64` that is converted to `f16`, as `f32` before it is rounded.
    pub(crate) fn half_of_double(&mut self, value: ValueId) -> ValueId {
        let number = self.op(Op::ToF32, &[value]);
        let back = self.op(Op::ToF64, &[number]);
        let (size, exact) = (self.op(Op::Abs, &[back]), self.op(Op::Abs, &[value]));
        let is_beyond = self.op(Op::Gt, &[size, exact]);
        let is_below = self.op(Op::Lt, &[size, exact]);
        let is_inexact = self.op(Op::Or, &[is_beyond, is_below]);
        self.sticky(number, is_inexact, is_beyond)
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
