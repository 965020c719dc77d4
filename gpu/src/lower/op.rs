//! The rows of the op table: each becomes an expression where the module language has one with the
//! same meaning, else a call of the [prelude](super::prelude) for each component.
//!
//! Operations that look alike and differ: shifts do not take their amount modulo the width; `!=` of
//! floats is false for NaN; conversions to integers do not saturate; `%` of floats is inaccurate;
//! drivers' `min`, `max`, `sign`, `round` and `fma` differ in zeros, NaN and rounding; no 64-bit
//! form of bit counts and divisions is written by every backend.

use naga::{BinaryOperator, Expression, MathFunction, Statement, UnaryOperator};
use tilewise_ir::kernel::ValueId;
use tilewise_ir::ops::{Comparison, Op, SlotScalar};
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::state::{Lowerer, LoweringResult, malformed};
use super::table::{ModuleOp, lowering};
use crate::exact::NativeOp;

/// The argument with this number.
pub(super) fn argument(arguments: &[ExprHandle], i: usize) -> LoweringResult<ExprHandle> {
    arguments.get(i).copied().ok_or_else(|| malformed("an operation lacks an argument"))
}

impl Lowerer<'_> {
    /// Calls a function of the prelude.
    pub(super) fn call(&mut self, name: &str, arguments: &[ExprHandle]) -> ExprHandle {
        let Some(&function) = self.input.prelude.functions.get(name) else {
            // A test covers every row and type, so this cannot happen; a zero keeps the module well
            // formed.
            self.findings.missing.get_or_insert_with(|| name.to_owned());
            return self.b.u32(0);
        };
        let result = self.b.bare(Expression::CallResult(function));
        self.b.statement(Statement::Call { function, arguments: arguments.to_vec(), result: Some(result) });
        result
    }

    pub(super) fn component(&mut self, value: ExprHandle, width: u8, i: u8) -> ExprHandle {
        if width == 1 { value } else { self.b.at(value, u32::from(i)) }
    }

    /// One call per component. `result` is the type of a component.
    pub(super) fn each(&mut self, name: &str, width: u8, arguments: &[ExprHandle], result: Scalar) -> ExprHandle {
        let mut components = Vec::new();
        for i in 0..width {
            let arguments: Vec<ExprHandle> = arguments.iter().map(|&value| self.component(value, width, i)).collect();
            components.push(self.call(name, &arguments));
        }
        self.b.compose(Data { scalar: result, width }, components)
    }

    /// A row for arguments with the common width, the first of which (for `select`: the second) has
    /// the type `t`.
    pub(super) fn op(&mut self, op: Op, t: Scalar, width: u8, arguments: &[ExprHandle]) -> LoweringResult<ExprHandle> {
        use BinaryOperator as B;
        let float = t.is_float();
        let arg = |i: usize| argument(arguments, i);
        let a = arg(0)?;
        if float
            && self.input.key.strict.is_none()
            && let Some(held) = self.held_by_literals(op, arguments)
        {
            return Ok(held);
        }
        let made = match lowering(op) {
            ModuleOp::Operator(operator) => self.b.binary(operator, a, arg(1)?),
            ModuleOp::Div | ModuleOp::Rem => return self.quotient(op, t, width, arguments),
            ModuleOp::Neg if !float || self.exact(NativeOp::Negate, t) => self.b.unary(UnaryOperator::Negate, a),
            ModuleOp::FloatFunction(own, function) if float && self.exact(own, t) => self.b.math(function, &[a]),
            ModuleOp::Fma | ModuleOp::Mad if float && self.exact(NativeOp::Fma, t) => {
                self.b.math(MathFunction::Fma, &[a, arg(1)?, arg(2)?])
            }
            ModuleOp::Mad if !float => {
                let product = self.b.binary(B::Multiply, a, arg(1)?);
                self.b.binary(B::Add, product, arg(2)?)
            }
            ModuleOp::IntegerFunction(function) if !float => self.b.math(function, &[a, arg(1)?]),
            ModuleOp::Clamp if !float => {
                let held = self.b.math(MathFunction::Max, &[a, arg(1)?]);
                self.b.math(MathFunction::Min, &[held, arg(2)?])
            }
            ModuleOp::Sqrt => self.sqrt(t, width, a),
            ModuleOp::Compare(comparison) if !float => self.compare_integers(comparison, t, a, arg(1)?),
            ModuleOp::Compare(comparison) if self.exact(NativeOp::Compare, t) => self.compare(comparison, a, arg(1)?),
            ModuleOp::Select => self.b.select(a, arg(1)?, arg(2)?),
            ModuleOp::Relational(fun) => self.b.expr(Expression::Relational { fun, argument: a }),
            ModuleOp::Xor => {
                let operator = if t == Scalar::Bool { B::NotEqual } else { B::ExclusiveOr };
                self.b.binary(operator, a, arg(1)?)
            }
            ModuleOp::Not if t == Scalar::Bool => self.b.not(a),
            ModuleOp::Not => self.b.unary(UnaryOperator::BitwiseNot, a),
            ModuleOp::Shift(operator) => {
                let mask = self.b.u32(t.bits() - 1);
                let mask = if width == 1 { mask } else { self.splat(mask, width) };
                let by = self.b.binary(B::And, arg(1)?, mask);
                self.b.binary(operator, a, by)
            }
            ModuleOp::Convert(to) => self.to(op, t, to, width, a),
            ModuleOp::Bitcast(to) if to.is_float() => self.float_of_bits(a, t, to, width),
            ModuleOp::Bitcast(to) => self.b.bits(a, t, to),
            ModuleOp::Steps(steps) => return self.steps(steps, t, width, arguments),
            ModuleOp::PreludeWhole => self.call(&format!("{}_", op.name()), arguments),
            ModuleOp::Prelude
            | ModuleOp::Neg
            | ModuleOp::FloatFunction(..)
            | ModuleOp::Fma
            | ModuleOp::Mad
            | ModuleOp::IntegerFunction(_)
            | ModuleOp::Clamp
            | ModuleOp::Compare(_) => self.prelude_each(op, t, width, arguments),
        };
        Ok(made)
    }

    /// In Relaxed, a minimum, maximum or clamp by literals: a comparison. That has the right result for
    /// a NaN, and for zeros if the literal is not the one that would lose to a zero of the other sign.
    fn held_by_literals(&mut self, op: Op, arguments: &[ExprHandle]) -> Option<ExprHandle> {
        let (low, high) = if op == Op::Max {
            (arguments.get(1), None)
        } else if op == Op::Min {
            (None, arguments.get(1))
        } else if op == Op::Clamp {
            (arguments.get(1), arguments.get(2))
        } else {
            return None;
        };
        let (x, low, high) = (*arguments.first()?, low.copied(), high.copied());
        let known = |value: Option<ExprHandle>| value.map_or(Some(None), |value| self.b.known_float(value).map(Some));
        let (lowest, highest) = (known(low)?, known(high)?);
        let is_low = |low: f64| !low.is_nan() && (low != 0.0 || low.is_sign_positive());
        let is_high = |high: f64| !high.is_nan() && (high != 0.0 || high.is_sign_negative());
        let is_ordered = lowest.zip(highest).is_none_or(|(low, high)| low <= high);
        if !is_ordered || !lowest.is_none_or(is_low) || !highest.is_none_or(is_high) {
            return None;
        }
        let mut held = x;
        if let Some(low) = low {
            let above = self.b.binary(BinaryOperator::Greater, held, low);
            held = self.b.select(above, held, low);
        }
        if let Some(high) = high {
            let below = self.b.binary(BinaryOperator::Less, held, high);
            held = self.b.select(below, held, high);
        }
        Some(held)
    }

    /// A call of a prelude function for each component.
    fn prelude_each(&mut self, op: Op, t: Scalar, width: u8, arguments: &[ExprHandle]) -> ExprHandle {
        let result = match op.row().result.scalar {
            SlotScalar::Fixed(fixed) => fixed,
            SlotScalar::T => t,
        };
        self.each(&format!("{}_{t}", op.name()), width, arguments, result)
    }

    /// A quotient or a remainder.
    fn quotient(&mut self, op: Op, t: Scalar, width: u8, arguments: &[ExprHandle]) -> LoweringResult<ExprHandle> {
        let (a, b) = (argument(arguments, 0)?, argument(arguments, 1)?);
        let remainder = op == Op::Rem;
        let operator = if remainder { BinaryOperator::Modulo } else { BinaryOperator::Divide };
        let own = if t.is_float() { !remainder && self.exact(NativeOp::Div, t) } else { t.bits() != 64 };
        if !own {
            return Ok(self.prelude_each(op, t, width, arguments));
        }
        let b = if t.is_integer() { self.b.divisor(b) } else { b };
        Ok(self.b.binary(operator, a, b))
    }

    /// A comparison of integers or of conditions.
    fn compare_integers(&mut self, comparison: Comparison, t: Scalar, a: ExprHandle, b: ExprHandle) -> ExprHandle {
        use BinaryOperator as B;
        let (operator, ordered) = match comparison {
            Comparison::Eq => (B::Equal, false),
            Comparison::Ne => (B::NotEqual, false),
            Comparison::Lt => (B::Less, true),
            Comparison::Le => (B::LessEqual, true),
            Comparison::Gt => (B::Greater, true),
            Comparison::Ge => (B::GreaterEqual, true),
        };
        if ordered && t == Scalar::Bool {
            let (a, b) = (self.b.convert(a, Scalar::U32), self.b.convert(b, Scalar::U32));
            return self.b.binary(operator, a, b);
        }
        self.b.binary(operator, a, b)
    }

    /// A conversion between numbers.
    fn to(&mut self, op: Op, from: Scalar, to: Scalar, width: u8, a: ExprHandle) -> ExprHandle {
        if from == to {
            return a;
        }
        if from == Scalar::Bool {
            let data = Data { scalar: to, width };
            let bits = match to {
                Scalar::F32 => u64::from(1f32.to_bits()),
                Scalar::F64 => 1f64.to_bits(),
                _ => 1,
            };
            let one = self.constant(to, bits);
            let one = match width {
                1 => one,
                n => self.b.expr(Expression::Splat { size: super::builder::vector_size(n), value: one }),
            };
            let zero = self.zero(data);
            return self.b.select(a, one, zero);
        }
        if from.is_float() && to.is_integer() {
            return self.each(&format!("{}_{from}", op.name()), width, &[a], to);
        }
        if from.is_float() && !self.exact(NativeOp::Convert, from) {
            let name = if to == Scalar::F64 { "widen_f32" } else { "narrow_f64" };
            return self.each(name, width, &[a], to);
        }
        if from.is_integer() && to.is_float() {
            let a = if self.exact(NativeOp::Zeros, to) { a } else { self.hidden(a, from, width) };
            let own = if from.bits() == 64 { NativeOp::FromLong } else { NativeOp::FromInt };
            if !self.exact(own, to) {
                return self.each(&format!("from_{from}_{to}"), width, &[a], to);
            }
            return self.b.convert(a, to);
        }
        let wide = match from {
            Scalar::I32 => Scalar::I64,
            _ => Scalar::U64,
        };
        if from.is_integer() && to.is_integer() && to.bits() > from.bits() {
            // naga extends by the signedness of the result, the language by that of the operand.
            let widened = match from {
                Scalar::I32 => self.each("widen_i32", width, &[a], wide),
                _ => self.b.convert(a, wide),
            };
            return self.b.bits(widened, wide, to);
        }
        self.b.convert(a, to)
    }

    fn float_of_bits(&mut self, a: ExprHandle, from: Scalar, to: Scalar, width: u8) -> ExprHandle {
        let a = if from.is_float() || self.exact(NativeOp::Zeros, to) { a } else { self.hidden(a, from, width) };
        self.b.bits(a, from, to)
    }

    /// The negative of an integer, as the difference from a zero that the driver does not know.
    /// NVIDIA's ends a loop that counts down to a negative it knows as such after five iterations.
    pub(super) fn negated(&mut self, op: Op, scalar: Scalar, args: &[ValueId]) -> LoweringResult<Option<ExprHandle>> {
        let ones = u64::MAX >> (64 - scalar.bits().clamp(1, 64));
        let is = |value: ValueId, bits: u64| self.constant_of(value).is_some_and(|constant| constant.bits == bits);
        let of = match *args {
            [of] if op == Op::Neg => Some(of),
            [zero, of] if op == Op::Sub && is(zero, 0) => Some(of),
            [minus, of] | [of, minus] if op == Op::Mul && is(minus, ones) => Some(of),
            _ => None,
        };
        let of = of.filter(|&of| scalar.is_integer() && self.data(of).width == 1 && self.constant_of(of).is_none());
        let Some(of) = of else { return Ok(None) };
        let (zero, of) = (self.hidden_integer(scalar), self.value(of)?);
        Ok(Some(self.b.binary(BinaryOperator::Subtract, zero, of)))
    }

    /// A zero that the driver does not know.
    fn hidden_integer(&mut self, scalar: Scalar) -> ExprHandle {
        let zero = self.nothing();
        match scalar.bits() {
            64 => {
                let wide = self.b.convert(zero, Scalar::U64);
                self.b.bits(wide, Scalar::U64, scalar)
            }
            _ => self.b.bits(zero, Scalar::U32, scalar),
        }
    }

    /// An integer that the driver cannot know to be zero. Otherwise it would treat the float made
    /// from it as a constant zero, and lose signs.
    pub(super) fn hidden(&mut self, a: ExprHandle, scalar: Scalar, width: u8) -> ExprHandle {
        let zero = self.hidden_integer(scalar);
        let zero = if width == 1 { zero } else { self.splat(zero, width) };
        self.b.binary(BinaryOperator::InclusiveOr, a, zero)
    }

    pub(super) fn sqrt(&mut self, t: Scalar, width: u8, a: ExprHandle) -> ExprHandle {
        if self.exact(NativeOp::Sqrt, t) {
            return self.b.math(MathFunction::Sqrt, &[a]);
        }
        self.each(&format!("sqrt_{t}"), width, &[a], t)
    }

    pub(super) fn splat(&mut self, value: ExprHandle, width: u8) -> ExprHandle {
        self.b.expr(Expression::Splat { size: super::builder::vector_size(width), value })
    }
}
