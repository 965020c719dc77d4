//! Square roots and their inverses, and the analysis that finds arguments for which neither needs
//! the tests of its range.
//!
//! A root and the quotient of 1 and a root have steps of their own where the driver's estimate and
//! fused product allow them ([`NativeOp::RootByStep`], [`NativeOp::InverseBySteps`]). Arguments
//! that are tiny, zero or negative take another road; a sum of squares and a constant never does.

use tilewise_ir::kernel::ValueId;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::builder::ExprHandle;
use super::state::{Lowerer, LoweringResult};
use crate::exact::NativeOp;

impl Lowerer<'_> {
    /// A root, or the quotient of 1 and a root, in a cheaper form than the operation by itself.
    pub(super) fn rooted(
        &mut self,
        op: Op,
        t: Scalar,
        width: u8,
        args: &[ValueId],
        result: Option<ValueId>,
    ) -> LoweringResult<Option<ExprHandle>> {
        if !t.is_float() {
            return Ok(None);
        }
        if let (true, &[x]) = (op == Op::Sqrt, args) {
            if let Some(result) = result {
                self.forms.roots.insert(result, x);
            }
            if self.exact(NativeOp::Sqrt, t) || !self.is_not_small(x) {
                return Ok(None);
            }
            let value = self.value(x)?;
            return Ok(Some(self.each(&format!("sqrt_large_{t}"), width, &[value], t)));
        }
        // WGSL's reciprocal root exists for `f32` only.
        if t != Scalar::F32 || !self.has_inverse_steps(t) {
            return Ok(None);
        }
        let root = match *args {
            [root] if op == Op::Rcp => root,
            [one, root] if op == Op::Div && self.float_constant(one) == Some(1.0) => root,
            _ => return Ok(None),
        };
        let Some(&x) = self.forms.roots.get(&root).filter(|_| self.data(root).width == width) else {
            return Ok(None);
        };
        let value = self.value(x)?;
        let name = if self.is_not_small(x) { "inverse_root_large" } else { "inverse_root" };
        Ok(Some(self.each(&format!("{name}_{t}"), width, &[value], t)))
    }

    /// Whether the prelude has the steps of a root's inverse, which begin with a root's.
    fn has_inverse_steps(&self, t: Scalar) -> bool {
        let roots = [NativeOp::Sqrt, NativeOp::RootByStep, NativeOp::StepNear, NativeOp::RootNear];
        self.exact(NativeOp::InverseBySteps, t) && roots.into_iter().any(|own| self.exact(own, t))
    }

    /// Records the result of an operation if it is never negative, or never small: at least
    /// [`least`], whatever the arguments. It may be NaN, and one that is not negative may be -0.
    pub(super) fn note_signs(&mut self, op: Op, t: Scalar, args: &[ValueId], result: Option<ValueId>) {
        let Some(result) = result else { return };
        let not_negative = |&arg: &ValueId| self.is_not_negative(arg);
        let not_small = |&arg: &ValueId| self.is_not_small(arg);
        let any_constant = |from: f64| args.iter().any(|&arg| self.float_constant(arg).is_some_and(|c| c >= from));
        let product = |a: &ValueId, b: &ValueId| a == b || not_negative(a) && not_negative(b);
        let all = (args.iter().all(not_negative), args.iter().all(not_small));
        let (never_negative, never_small) = match args {
            _ if matches!(op, Op::ToF32 | Op::ToF64) => (matches!(t, Scalar::U32 | Scalar::U64 | Scalar::Bool), false),
            _ if !t.is_float() => (false, false),
            // The root of a number above 2^-64 is above 2^-32.
            [_] if matches!(op, Op::Abs | Op::Sqrt) => (true, all.1),
            [a, b] if op == Op::Mul => (product(a, b), false),
            // By -0, which is not below zero either, a quotient is negative.
            [a, b] if op == Op::Div => {
                let positive = not_small(b) || self.float_constant(*b).is_some_and(|divisor| divisor > 0.0);
                (not_negative(a) && positive, false)
            }
            // Rounding keeps order, so a sum is no smaller than either part.
            [a, b] if op == Op::Add => (all.0, all.0 && (not_small(a) || not_small(b))),
            [a, b, c] if matches!(op, Op::Fma | Op::Mad) => {
                (product(a, b) && not_negative(c), product(a, b) && not_small(c))
            }
            // The larger of NaN and a constant is the constant.
            [_, _] if op == Op::Max => (all.0 || any_constant(0.0), all.1 || any_constant(least(t))),
            [_, _] if op == Op::Min => all,
            [_, a, b] if op == Op::Select => (not_negative(a) && not_negative(b), not_small(a) && not_small(b)),
            // Nothing is recorded of other operations, which is always safe.
            _ => (false, false),
        };
        if never_negative {
            self.forms.not_negative.insert(result);
        }
        if never_small {
            self.forms.not_small.insert(result);
        }
    }

    fn is_not_negative(&self, value: ValueId) -> bool {
        match self.float_constant(value) {
            Some(constant) => constant >= 0.0,
            None => self.forms.not_negative.contains(&value) || self.forms.not_small.contains(&value),
        }
    }

    fn is_not_small(&self, value: ValueId) -> bool {
        match self.float_constant(value) {
            Some(constant) => constant >= least(self.data(value).scalar),
            None => self.forms.not_small.contains(&value),
        }
    }

    /// The float constant that a value is, if it is one.
    fn float_constant(&self, value: ValueId) -> Option<f64> {
        let constant = self.constant_of(value)?;
        if constant.scalar == Scalar::F32 {
            return Some(f64::from(f32::from_bits(constant.bits as u32)));
        }
        (constant.scalar == Scalar::F64).then(|| f64::from_bits(constant.bits))
    }
}

/// The least number whose root is computed without being lifted first: `TINY` of
/// `gpu/src/prelude/own/sqrt_range.wgsl`.
fn least(t: Scalar) -> f64 {
    if t == Scalar::F64 { f64::from_bits(0x07b0_0000_0000_0000) } else { f64::from(f32::from_bits(0x1f80_0000)) }
}
