//! Comparisons of floats for drivers that treat denormals as zeros, and the analysis that finds
//! values for which the native comparison is right nevertheless.

use naga::BinaryOperator;
use tilewise_ir::kernel::{Const, ValueDef, ValueId};
use tilewise_ir::ops::{ArithmeticOp, Comparison, Op, OpFamily, OverflowRule, SignOp};
use tilewise_ir::types::Scalar;

use super::builder::ExprHandle;
use super::state::Lowerer;
use crate::exact::NativeOp;

impl Lowerer<'_> {
    /// The constant that a value is, if it is one.
    pub(super) fn constant_of(&self, value: ValueId) -> Option<Const> {
        match self.input.kernel.entry().value(value).def {
            ValueDef::Const(constant) => Some(constant),
            ValueDef::Param(_) | ValueDef::Inst => self.forms.folded.get(&value).copied(),
        }
    }

    /// A comparison of floats with the native operation.
    pub(super) fn compare(&mut self, comparison: Comparison, a: ExprHandle, b: ExprHandle) -> ExprHandle {
        use BinaryOperator as B;
        let operator = match comparison {
            Comparison::Eq | Comparison::Ne => B::Equal,
            Comparison::Lt => B::Less,
            Comparison::Le => B::LessEqual,
            Comparison::Gt => B::Greater,
            Comparison::Ge => B::GreaterEqual,
        };
        let made = self.b.binary(operator, a, b);
        // Drivers' `!=` is false for NaN.
        if comparison == Comparison::Ne { self.b.not(made) } else { made }
    }

    /// The cheapest exact comparison of two values.
    pub(super) fn compare_values(
        &mut self,
        comparison: Comparison,
        t: Scalar,
        width: u8,
        ids: [ValueId; 2],
        values: [ExprHandle; 2],
    ) -> ExprHandle {
        let constants = ids.map(|id| self.constant_of(id));
        let known = ids.iter().all(|&id| self.is_never_tiny(id));
        if self.exact(NativeOp::Compare, t) || self.exact(NativeOp::CompareNormal, t) && known {
            return self.compare(comparison, values[0], values[1]);
        }
        for (comparison, constant, [other, side]) in
            [(comparison, constants[1], values), (comparison.swapped(), constants[0], [values[1], values[0]])]
        {
            let name = comparison.op().name();
            match constant.map(class) {
                Some(ConstantClass::Zero) => return self.each(&format!("{name}0_{t}"), width, &[other], Scalar::Bool),
                Some(ConstantClass::Normal) => {
                    return self.each(&format!("{name}c_{t}"), width, &[other, side], Scalar::Bool);
                }
                Some(ConstantClass::Denormal | ConstantClass::NotFinite) | None => {}
            }
        }
        self.each(&format!("{}_{t}", comparison.op().name()), width, &values, Scalar::Bool)
    }

    fn is_never_tiny(&self, value: ValueId) -> bool {
        match self.constant_of(value) {
            Some(constant) => class(constant) != ConstantClass::Denormal,
            None => self.forms.never_tiny.contains(&value),
        }
    }

    /// Records the result of an operation if it is never denormal, whatever the arguments.
    pub(super) fn note_size(&mut self, op: Op, t: Scalar, args: &[ValueId], result: Option<ValueId>) {
        let Some(result) = result else { return };
        let all = |args: &[ValueId]| args.iter().all(|&arg| self.is_never_tiny(arg));
        let large = |&arg: &ValueId| self.constant_of(arg).is_some_and(is_large);
        let never = match op.family() {
            // Integers convert to no denormals, and the denormals of `f32` are normal numbers in
            // `f64`. A float that has the format already is unchanged.
            OpFamily::Conversion(Scalar::F64) => t != Scalar::F64 || all(args),
            OpFamily::Conversion(Scalar::F32) => !t.is_float() || t == Scalar::F32 && all(args),
            OpFamily::Signed(SignOp::Sign) => true,
            OpFamily::Signed(SignOp::Neg | SignOp::Abs) | OpFamily::Extreme(_) | OpFamily::Clamp => all(args),
            OpFamily::Select => all(args.get(1..).unwrap_or(&[])),
            // Where the other operand nearly cancels the constant, its last place is at least half
            // of the constant's.
            OpFamily::Arithmetic(ArithmeticOp::Add | ArithmeticOp::Sub, OverflowRule::Wrap) => args.iter().any(large),
            // The other operations may yield denormals, which is always a safe assumption.
            OpFamily::Float => {
                matches!(op, Op::Sqrt | Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::RoundEven | Op::Signum)
            }
            OpFamily::Conversion(Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64)
            | OpFamily::Arithmetic(
                ArithmeticOp::Add | ArithmeticOp::Sub,
                OverflowRule::Saturate | OverflowRule::Report,
            )
            | OpFamily::Arithmetic(ArithmeticOp::Mul, _)
            | OpFamily::Division(_)
            | OpFamily::MultiplyAdd
            | OpFamily::Integer(_)
            | OpFamily::Comparison(_)
            | OpFamily::Reduction
            | OpFamily::Bitwise(_)
            | OpFamily::Not
            | OpFamily::Shift(_)
            | OpFamily::BitCount
            | OpFamily::BitSearch
            | OpFamily::BitMove
            | OpFamily::ExtractBits
            | OpFamily::Bitcast(_)
            | OpFamily::Narrow(_)
            | OpFamily::FloatTest
            | OpFamily::Packed
            | OpFamily::Geometry(_) => false,
        };
        if never && t.is_float() | matches!(op, Op::ToF32 | Op::ToF64) {
            self.forms.never_tiny.insert(result);
        }
    }
}

/// The class of a constant for a driver that treats denormals as zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstantClass {
    Zero,
    Denormal,
    Normal,
    /// Infinite, or NaN.
    NotFinite,
}

fn class(constant: Const) -> ConstantClass {
    use std::num::FpCategory;
    let category = match constant.scalar {
        Scalar::F32 => f32::from_bits(constant.bits as u32).classify(),
        Scalar::F64 => f64::from_bits(constant.bits).classify(),
        _ => FpCategory::Zero,
    };
    match category {
        FpCategory::Zero => ConstantClass::Zero,
        FpCategory::Subnormal => ConstantClass::Denormal,
        FpCategory::Normal => ConstantClass::Normal,
        FpCategory::Infinite | FpCategory::Nan => ConstantClass::NotFinite,
    }
}

/// Whether half of a constant's last place is at least the smallest normal number.
fn is_large(constant: Const) -> bool {
    match constant.scalar {
        Scalar::F32 => f32::from_bits(constant.bits as u32).abs() >= f32::MIN_POSITIVE * (1u32 << 25) as f32,
        Scalar::F64 => f64::from_bits(constant.bits).abs() >= f64::MIN_POSITIVE * (1u64 << 54) as f64,
        _ => false,
    }
}
