//! Operations on whole vectors: their [steps](VectorSteps) are written on vectors of the module.

use tilewise_ir::ops::{Op, StepWriter, VectorSteps};
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::lowered::Unsupported;
use super::state::{Lowerer, LoweringResult};

/// Writes steps for components of type `t`.
struct ModuleSteps<'s, 'a> {
    lowerer: &'s mut Lowerer<'a>,
    t: Scalar,
}

impl StepWriter for ModuleSteps<'_, '_> {
    type Value = ExprHandle;
    type Error = Unsupported;

    fn row(&mut self, op: Op, width: u8, args: &[ExprHandle]) -> LoweringResult<ExprHandle> {
        self.lowerer.op(op, self.t, width, args)
    }

    fn component(&mut self, &vector: &ExprHandle, index: u8) -> ExprHandle {
        self.lowerer.b.at(vector, u32::from(index))
    }

    fn compose(&mut self, components: [ExprHandle; 3]) -> ExprHandle {
        self.lowerer.b.compose(Data { scalar: self.t, width: 3 }, components.to_vec())
    }

    fn splat(&mut self, &scalar: &ExprHandle, width: u8) -> ExprHandle {
        self.lowerer.splat(scalar, width)
    }

    fn number(&mut self, number: f64) -> ExprHandle {
        let bits = if self.t == Scalar::F64 { number.to_bits() } else { u64::from((number as f32).to_bits()) };
        if bits == 0 { self.lowerer.zero(Data::scalar(self.t)) } else { self.lowerer.constant(self.t, bits) }
    }
}

impl Lowerer<'_> {
    /// Expands an operation on arguments with components of type `t` and the common width.
    pub(super) fn steps(
        &mut self,
        steps: VectorSteps,
        t: Scalar,
        width: u8,
        arguments: &[ExprHandle],
    ) -> LoweringResult<ExprHandle> {
        steps.write(&mut ModuleSteps { lowerer: self, t }, width, arguments)
    }
}
