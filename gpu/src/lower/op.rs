//! The rows of the op table: each an expression where the module language has one with the same meaning, else a call of the [prelude](super::prelude), component by component.
//!
//! What looks alike and is not: shifts do not take their amount modulo the width; `!=` of floats is false for NaN; conversions to integers do not saturate; `%` of floats is rough;
//! `min`, `max`, `sign`, `round` and `fma` of drivers differ in zeros, NaN and rounding; bit counts and divisions have no form for 64 bits that every backend writes.

use naga::{BinaryOperator, Expression, MathFunction, RelationalFunction, Statement, UnaryOperator};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar};

use super::builder::Expr;
use super::state::{Lowerer, Made, malformed};
use crate::exact::Own;

impl Lowerer<'_> {
    /// Calls a function of the prelude.
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr]) -> Expr {
        let Some(&function) = self.prelude.functions.get(name) else {
            // A test walks through every row and type, so that this cannot happen; a zero keeps the module whole.
            self.missing.get_or_insert_with(|| name.to_owned());
            return self.b.u32(0);
        };
        let result = self.b.bare(Expression::CallResult(function));
        self.b.statement(Statement::Call { function, arguments: arguments.to_vec(), result: Some(result) });
        result
    }

    fn component(&mut self, value: Expr, width: u8, i: u8) -> Expr {
        if width == 1 { value } else { self.b.at(value, u32::from(i)) }
    }

    /// A call for each component. `result` is the type of one.
    pub(super) fn each(&mut self, name: &str, width: u8, arguments: &[Expr], result: Scalar) -> Expr {
        let mut components = Vec::new();
        for i in 0..width {
            let arguments: Vec<Expr> = arguments.iter().map(|&value| self.component(value, width, i)).collect();
            components.push(self.call(name, &arguments));
        }
        self.b.compose(Data { scalar: result, width }, components)
    }

    /// A row for arguments of which the first has the type `t` (of `select`: the second), all with the common width.
    pub(super) fn op(&mut self, op: Op, t: Scalar, width: u8, arguments: &[Expr]) -> Made<Expr> {
        use BinaryOperator as B;
        let float = t.is_float();
        let arg = |i: usize| arguments.get(i).copied().ok_or_else(|| malformed("an operation lacks an argument"));
        let a = arg(0)?;
        let wide = t.bits() == 64;
        let made = match op {
            Op::Add => self.b.binary(B::Add, a, arg(1)?),
            Op::Sub => self.b.binary(B::Subtract, a, arg(1)?),
            Op::Mul => self.b.binary(B::Multiply, a, arg(1)?),
            Op::Div if float && !self.exact(Own::Div, t) => self.each(&format!("div_{t}"), width, arguments, t),
            // What is divided by is known here, and naga refuses a zero.
            Op::Div if !float && self.b.is_nought(arg(1)?) => a,
            Op::Rem if !float && self.b.is_nought(arg(1)?) => arg(1)?,
            Op::Div if float || !wide => self.b.binary(B::Divide, a, arg(1)?),
            Op::Rem if !float && !wide => self.b.binary(B::Modulo, a, arg(1)?),
            Op::Neg if !float || self.exact(Own::Negate, t) => self.b.unary(UnaryOperator::Negate, a),
            Op::Abs if float && self.exact(Own::Absolute, t) => self.b.math(MathFunction::Abs, &[a]),
            Op::Floor if self.exact(Own::Floor, t) => self.b.math(MathFunction::Floor, &[a]),
            Op::Ceil if self.exact(Own::Ceil, t) => self.b.math(MathFunction::Ceil, &[a]),
            Op::Trunc if self.exact(Own::Trunc, t) => self.b.math(MathFunction::Trunc, &[a]),
            Op::RoundEven if self.exact(Own::RoundEven, t) => self.b.math(MathFunction::Round, &[a]),
            Op::Fma | Op::Mad if float && self.exact(Own::Fma, t) => {
                self.b.math(MathFunction::Fma, &[a, arg(1)?, arg(2)?])
            }
            Op::Min if !float => self.b.math(MathFunction::Min, &[a, arg(1)?]),
            Op::Max if !float => self.b.math(MathFunction::Max, &[a, arg(1)?]),
            Op::Clamp if !float => {
                let held = self.b.math(MathFunction::Max, &[a, arg(1)?]);
                self.b.math(MathFunction::Min, &[held, arg(2)?])
            }
            Op::Mad if !float => {
                let product = self.b.binary(B::Multiply, a, arg(1)?);
                self.b.binary(B::Add, product, arg(2)?)
            }
            Op::Sqrt => self.sqrt(t, width, a),
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge if float => {
                if self.exact(Own::Compare, t) {
                    let b = arg(1)?;
                    return Ok(self.compare(op, a, b));
                }
                self.each(&format!("{}_{t}", op.name()), width, arguments, Scalar::Bool)
            }
            Op::Eq => self.b.binary(B::Equal, a, arg(1)?),
            Op::Ne => self.b.binary(B::NotEqual, a, arg(1)?),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                let (a, b) = if t == Scalar::Bool {
                    let b = arg(1)?;
                    (self.b.convert(a, Scalar::U32), self.b.convert(b, Scalar::U32))
                } else {
                    (a, arg(1)?)
                };
                let operator = match op {
                    Op::Lt => B::Less,
                    Op::Le => B::LessEqual,
                    Op::Gt => B::Greater,
                    _ => B::GreaterEqual,
                };
                self.b.binary(operator, a, b)
            }
            Op::Select => self.b.select(a, arg(1)?, arg(2)?),
            Op::Any => self.b.expr(Expression::Relational { fun: RelationalFunction::Any, argument: a }),
            Op::All => self.b.expr(Expression::Relational { fun: RelationalFunction::All, argument: a }),
            Op::And => self.b.binary(B::And, a, arg(1)?),
            Op::Or => self.b.binary(B::InclusiveOr, a, arg(1)?),
            Op::Xor if t == Scalar::Bool => self.b.binary(B::NotEqual, a, arg(1)?),
            Op::Xor => self.b.binary(B::ExclusiveOr, a, arg(1)?),
            Op::Not if t == Scalar::Bool => self.b.not(a),
            Op::Not => self.b.unary(UnaryOperator::BitwiseNot, a),
            Op::Shl | Op::Shr => {
                let mask = self.b.u32(t.bits() - 1);
                let mask = match width {
                    1 => mask,
                    n => self.b.expr(Expression::Splat { size: super::builder::vector_size(n), value: mask }),
                };
                let by = self.b.binary(B::And, arg(1)?, mask);
                self.b.binary(if op == Op::Shl { B::ShiftLeft } else { B::ShiftRight }, a, by)
            }
            Op::ToI32 | Op::ToU32 | Op::ToI64 | Op::ToU64 | Op::ToF32 | Op::ToF64 => {
                let to = match op {
                    Op::ToI32 => Scalar::I32,
                    Op::ToU32 => Scalar::U32,
                    Op::ToI64 => Scalar::I64,
                    Op::ToU64 => Scalar::U64,
                    Op::ToF32 => Scalar::F32,
                    _ => Scalar::F64,
                };
                self.to(op, t, to, width, a)
            }
            Op::BitcastI32 => self.b.bits(a, t, Scalar::I32),
            Op::BitcastU32 => self.b.bits(a, t, Scalar::U32),
            Op::BitcastF32 => self.float_of_bits(a, t, Scalar::F32, width),
            Op::BitcastI64 => self.b.bits(a, t, Scalar::I64),
            Op::BitcastU64 => self.b.bits(a, t, Scalar::U64),
            Op::BitcastF64 => self.float_of_bits(a, t, Scalar::F64, width),
            _ => return self.by_steps(op, t, width, arguments),
        };
        Ok(made)
    }

    /// A conversion between numbers.
    fn to(&mut self, op: Op, from: Scalar, to: Scalar, width: u8, a: Expr) -> Expr {
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
        if from.is_float() && !self.exact(Own::Convert, from) {
            let name = if to == Scalar::F64 { "widen_f32" } else { "narrow_f64" };
            return self.each(name, width, &[a], to);
        }
        if from.is_integer() && to.is_float() {
            let a = if self.exact(Own::Zeros, to) { a } else { self.hidden(a, from, width) };
            let own = if from.bits() == 64 { Own::FromLong } else { Own::FromInt };
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
            // naga widens by the sign of what it makes; the language by that of what it widens.
            let widened = match from {
                Scalar::I32 => self.each("widen_i32", width, &[a], wide),
                _ => self.b.convert(a, wide),
            };
            return self.b.bits(widened, wide, to);
        }
        self.b.convert(a, to)
    }

    fn float_of_bits(&mut self, a: Expr, from: Scalar, to: Scalar, width: u8) -> Expr {
        let a = if from.is_float() || self.exact(Own::Zeros, to) { a } else { self.hidden(a, from, width) };
        self.b.bits(a, from, to)
    }

    /// An integer of which the driver does not know whether it is zero: it would compute with the float as with constants that are zero, and lose signs.
    pub(super) fn hidden(&mut self, a: Expr, scalar: Scalar, width: u8) -> Expr {
        let zero = self.nothing();
        let zero = match scalar.bits() {
            64 => {
                let wide = self.b.convert(zero, Scalar::U64);
                self.b.bits(wide, Scalar::U64, scalar)
            }
            _ => self.b.bits(zero, Scalar::U32, scalar),
        };
        let zero = if width == 1 { zero } else { self.splat(zero, width) };
        self.b.binary(BinaryOperator::InclusiveOr, a, zero)
    }

    /// Rows that work on vectors as a whole, spelled out; then what the prelude has.
    fn by_steps(&mut self, op: Op, t: Scalar, width: u8, arguments: &[Expr]) -> Made<Expr> {
        use BinaryOperator as B;
        let arg = |i: usize| arguments.get(i).copied().ok_or_else(|| malformed("an operation lacks an argument"));
        let one = |number: f64| match t {
            Scalar::F64 => number.to_bits(),
            _ => u64::from((number as f32).to_bits()),
        };
        let made = match op {
            Op::Dot => self.dot(width, arg(0)?, arg(1)?),
            Op::Length => {
                let square = self.dot(width, arg(0)?, arg(0)?);
                self.sqrt(t, 1, square)
            }
            Op::Distance => {
                let apart = self.b.binary(B::Subtract, arg(0)?, arg(1)?);
                let square = self.dot(width, apart, apart);
                self.sqrt(t, 1, square)
            }
            Op::Normalize => {
                let square = self.dot(width, arg(0)?, arg(0)?);
                let length = self.sqrt(t, 1, square);
                let length = self.splat(length, width);
                self.op(Op::Div, t, width, &[arg(0)?, length])?
            }
            Op::Cross => {
                let (a, b) = (arg(0)?, arg(1)?);
                let mut components = Vec::new();
                for i in 0..3u8 {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let [aj, ak] = [j, k].map(|c| self.component(a, 3, c));
                    let [bj, bk] = [j, k].map(|c| self.component(b, 3, c));
                    let first = self.b.binary(B::Multiply, aj, bk);
                    let second = self.b.binary(B::Multiply, ak, bj);
                    components.push(self.b.binary(B::Subtract, first, second));
                }
                self.b.compose(Data { scalar: t, width: 3 }, components)
            }
            Op::Reflect => {
                let (i, normal) = (arg(0)?, arg(1)?);
                let dot = self.dot(width, normal, i);
                let two = self.constant(t, one(2.0));
                let twice = self.b.binary(B::Multiply, two, dot);
                let twice = self.splat(twice, width);
                let back = self.b.binary(B::Multiply, twice, normal);
                self.b.binary(B::Subtract, i, back)
            }
            Op::Refract => {
                let (i, normal, eta) = (arg(0)?, arg(1)?, arg(2)?);
                let d = self.dot(width, normal, i);
                let unit = self.constant(t, one(1.0));
                let square = self.b.binary(B::Multiply, d, d);
                let rest = self.b.binary(B::Subtract, unit, square);
                let etas = self.b.binary(B::Multiply, eta, eta);
                let part = self.b.binary(B::Multiply, etas, rest);
                let k = self.b.binary(B::Subtract, unit, part);
                let zero = self.zero(Data::scalar(t));
                let none = self.op(Op::Lt, t, 1, &[k, zero])?;
                let root = self.sqrt(t, 1, k);
                let along = self.b.binary(B::Multiply, eta, d);
                let along = self.b.binary(B::Add, along, root);
                let (along, eta) = (self.splat(along, width), self.splat(eta, width));
                let first = self.b.binary(B::Multiply, eta, i);
                let second = self.b.binary(B::Multiply, along, normal);
                let bent = self.b.binary(B::Subtract, first, second);
                let nothing = self.zero(Data { scalar: t, width });
                let none = self.splat(none, width);
                self.b.select(none, nothing, bent)
            }
            Op::FaceForward => {
                let (normal, i, reference) = (arg(0)?, arg(1)?, arg(2)?);
                let dot = self.dot(width, reference, i);
                let zero = self.zero(Data::scalar(t));
                let keep = self.op(Op::Lt, t, 1, &[dot, zero])?;
                let other = self.each(&format!("neg_{t}"), width, &[normal], t);
                let keep = self.splat(keep, width);
                self.b.select(keep, normal, other)
            }
            _ if !op.row().each => self.call(&format!("{}_", op.name()), arguments),
            _ => {
                let result = match op {
                    Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::IsSubnormal | Op::SignBit => Scalar::Bool,
                    Op::AddOverflows | Op::SubOverflows | Op::MulOverflows => Scalar::Bool,
                    Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros => Scalar::U32,
                    Op::FrexpExp | Op::Ilogb | Op::TotalCmp => Scalar::I32,
                    _ => t,
                };
                self.each(&format!("{}_{t}", op.name()), width, arguments, result)
            }
        };
        Ok(made)
    }

    fn sqrt(&mut self, t: Scalar, width: u8, a: Expr) -> Expr {
        if self.exact(Own::Sqrt, t) {
            return self.b.math(MathFunction::Sqrt, &[a]);
        }
        self.each(&format!("sqrt_{t}"), width, &[a], t)
    }

    fn splat(&mut self, value: Expr, width: u8) -> Expr {
        self.b.expr(Expression::Splat { size: super::builder::vector_size(width), value })
    }

    /// The sum of products from the first to the last.
    fn dot(&mut self, width: u8, a: Expr, b: Expr) -> Expr {
        let products = self.b.binary(BinaryOperator::Multiply, a, b);
        let mut sum = self.component(products, width, 0);
        for i in 1..width {
            let next = self.component(products, width, i);
            sum = self.b.binary(BinaryOperator::Add, sum, next);
        }
        sum
    }
}
