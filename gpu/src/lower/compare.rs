//! Comparisons of floats where a driver's own take denormals for zeros, and what is known of values that makes its own right all the same.

use naga::BinaryOperator;
use tilewise_ir::kernel::{Const, ValueDef, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::builder::Expr;
use super::state::Lowerer;
use crate::exact::Own;

impl Lowerer<'_> {
    /// The constant that a value is, if it is one.
    pub(super) fn constant_of(&self, value: ValueId) -> Option<Const> {
        match self.kernel.entry().value(value).def {
            ValueDef::Const(constant) => Some(constant),
            ValueDef::Param(_) | ValueDef::Inst => self.folded.get(&value).copied(),
        }
    }

    /// A comparison of floats with the driver's own operation.
    pub(super) fn compare(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        use BinaryOperator as B;
        let operator = match op {
            Op::Eq | Op::Ne => B::Equal,
            Op::Lt => B::Less,
            Op::Le => B::LessEqual,
            Op::Gt => B::Greater,
            _ => B::GreaterEqual,
        };
        let made = self.b.binary(operator, a, b);
        // Drivers' `!=` is false for what is no number.
        if op == Op::Ne { self.b.not(made) } else { made }
    }

    /// The cheapest comparison of two values that is exact.
    pub(super) fn compare_values(
        &mut self,
        op: Op,
        t: Scalar,
        width: u8,
        ids: [ValueId; 2],
        values: [Expr; 2],
    ) -> Expr {
        let constants = ids.map(|id| self.constant_of(id));
        let is_normal = |constant: &Option<Const>| constant.is_some_and(|c| class(c) == Class::Normal);
        let known = constants.iter().any(is_normal) || ids.iter().all(|&id| self.is_never_tiny(id));
        if self.exact(Own::Compare, t) || self.exact(Own::CompareNormal, t) && known {
            return self.compare(op, values[0], values[1]);
        }
        let is_zero = |constant: Option<Const>| constant.is_some_and(|c| class(c) == Class::Zero);
        if is_zero(constants[1]) {
            return self.each(&format!("{}0_{t}", op.name()), width, &values[..1], Scalar::Bool);
        }
        if is_zero(constants[0]) {
            return self.each(&format!("{}0_{t}", turned(op).name()), width, &values[1..], Scalar::Bool);
        }
        self.each(&format!("{}_{t}", op.name()), width, &values, Scalar::Bool)
    }

    fn is_never_tiny(&self, value: ValueId) -> bool {
        match self.constant_of(value) {
            Some(constant) => class(constant) != Class::Denormal,
            None => self.never_tiny.contains(&value),
        }
    }

    /// Takes a note of it if the result of an operation is zero or normal or more, whatever its arguments are.
    pub(super) fn note_size(&mut self, op: Op, t: Scalar, args: &[ValueId], result: Option<ValueId>) {
        let Some(result) = result else { return };
        let all = |args: &[ValueId]| args.iter().all(|&arg| self.is_never_tiny(arg));
        let large = |&arg: &ValueId| self.constant_of(arg).is_some_and(is_large);
        let never = match op {
            // The denormals of `f32` are normal numbers of `f64`.
            Op::ToF64 => true,
            Op::ToF32 => t != Scalar::F64,
            Op::Sqrt | Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::RoundEven | Op::Sign | Op::Signum => true,
            Op::Neg | Op::Abs | Op::Min | Op::Max | Op::Clamp => all(args),
            Op::Select => all(args.get(1..).unwrap_or(&[])),
            // Near the constant's opposite the other's last place is half of the constant's at least.
            Op::Add | Op::Sub => args.iter().any(large),
            _ => false,
        };
        if never && t.is_float() | matches!(op, Op::ToF32 | Op::ToF64) {
            self.never_tiny.insert(result);
        }
    }
}

/// The comparison with its sides changed.
fn turned(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Gt => Op::Lt,
        Op::Le => Op::Ge,
        Op::Ge => Op::Le,
        other => other,
    }
}

/// What a constant is to a driver that takes denormals for zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Zero,
    Denormal,
    /// Or infinite, or no number.
    Normal,
}

fn class(constant: Const) -> Class {
    let (zero, denormal) = match constant.scalar {
        Scalar::F32 => {
            let number = f32::from_bits(constant.bits as u32);
            (number == 0.0, number.is_subnormal())
        }
        Scalar::F64 => {
            let number = f64::from_bits(constant.bits);
            (number == 0.0, number.is_subnormal())
        }
        _ => return Class::Zero,
    };
    match (zero, denormal) {
        (true, _) => Class::Zero,
        (_, true) => Class::Denormal,
        _ => Class::Normal,
    }
}

/// Is half of a constant's last place at least the smallest normal number?
fn is_large(constant: Const) -> bool {
    match constant.scalar {
        Scalar::F32 => f32::from_bits(constant.bits as u32).abs() >= f32::MIN_POSITIVE * (1u32 << 25) as f32,
        Scalar::F64 => f64::from_bits(constant.bits).abs() >= f64::MIN_POSITIVE * (1u64 << 54) as f64,
        _ => false,
    }
}
