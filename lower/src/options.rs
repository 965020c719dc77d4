//! `Option`: its methods, and the methods of integers that return one.

use std::rc::Rc;

use tilewise_ast::Expr;

use super::closure::FunctionValue;
use super::join::Join;
use super::small::{limits, small};
use super::state::{Lower, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{OptionMethod, RustType};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Data;

impl Lower {
    /// A method of an `Option`, the first argument.
    pub(super) fn option_method(
        &mut self,
        method: OptionMethod,
        result: &RustType,
        args: &[Expr],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        if let Err(why) = super::types::sound(result) {
            return self.unsound(why, pos);
        }
        let Some((receiver, rest)) = args.split_first() else { return self.broken("a method of nothing", pos) };
        let receiver = self.value(receiver)?;
        if !matches!(&receiver.ty, RustType::Variants(of) if of.fields().count() == 1 && of.variants.len() == 2) {
            return self.broken(format!("a method of an `Option` of `{}`", receiver.ty.show()), pos);
        }
        let is_some = self.is_some(&receiver, pos)?;
        let inner = self.part(&receiver, 1, pos)?;
        let value = |lower: &mut Lower, i: usize| match rest.get(i) {
            Some(expr) => lower.moved(expr),
            None => lower.broken("a method with fewer arguments", pos),
        };
        let function = |lower: &mut Lower, i: usize| match rest.get(i) {
            Some(expr) => lower.function_value(expr).map(|bound| bound.function),
            None => lower.broken("a method with fewer arguments", pos),
        };
        match method {
            OptionMethod::IsSome => Ok(truth(is_some)),
            OptionMethod::IsNone => self.not(&truth(is_some), pos),
            OptionMethod::UnwrapOr => {
                let other = value(self, 0)?;
                self.either(is_some, pos, |_| Ok(inner), |_| Ok(other))
            }
            OptionMethod::Or => {
                let other = value(self, 0)?;
                self.either(is_some, pos, |_| Ok(receiver), |_| Ok(other))
            }
            OptionMethod::UnwrapOrElse => {
                let other = function(self, 0)?;
                self.either(is_some, pos, |_| Ok(inner), |lower| lower.apply(&other, Vec::new(), pos))
            }
            OptionMethod::Map => {
                let f = function(self, 0)?;
                let some = |lower: &mut Lower| {
                    let value = lower.applied(&f, inner, pos)?;
                    let number = lower.variant_constant(1);
                    Ok(LoweredValue::parts(result.clone(), [number, value]))
                };
                self.either(is_some, pos, some, |lower| lower.zero(result, pos))
            }
            OptionMethod::AndThen => {
                let f = function(self, 0)?;
                let none = |lower: &mut Lower| lower.zero(result, pos);
                self.either(is_some, pos, |lower| lower.applied(&f, inner, pos), none)
            }
            OptionMethod::IsSomeAnd => {
                let f = function(self, 0)?;
                let none = |lower: &mut Lower| lower.zero(result, pos);
                self.either(is_some, pos, |lower| lower.applied(&f, inner, pos), none)
            }
            OptionMethod::MapOr => {
                let other = value(self, 0)?;
                let f = function(self, 1)?;
                self.either(is_some, pos, |lower| lower.applied(&f, inner, pos), |_| Ok(other))
            }
        }
    }

    /// Is it another variant than the first?
    pub(super) fn is_some(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<ValueId> {
        let (number, first) = (self.part(value, 0, pos)?, self.variant_constant(0));
        let (number, first) = (self.id(&number, pos)?, self.id(&first, pos)?);
        self.op(Op::Ne, &[number, first], pos)
    }

    fn applied(&mut self, function: &Rc<FunctionValue>, arg: LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        self.apply(function, vec![RustPlace::value(arg)], pos)
    }

    pub(super) fn either(
        &mut self,
        condition: ValueId,
        pos: Pos,
        then: impl FnOnce(&mut Lower) -> OrNoValue<LoweredValue>,
        otherwise: impl FnOnce(&mut Lower) -> OrNoValue<LoweredValue>,
    ) -> OrNoValue<LoweredValue> {
        let mut join = Join::new(true);
        let then = self.arm(&mut join, pos, then);
        let otherwise = self.arm(&mut join, pos, otherwise);
        self.if_joined(condition, then, otherwise, join, pos)
    }

    /// `x.checked_add(y)` and its like. Without a result, the value in the `Option` is zero.
    pub(super) fn checked(
        &mut self,
        name: &str,
        result: &RustType,
        args: &[LoweredValue],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let [x, y] = args else { return self.broken("a checked operation without two operands", pos) };
        let overflowing = match name {
            "checked_add" => Some("overflowing_add"),
            "checked_sub" => Some("overflowing_sub"),
            "checked_mul" => Some("overflowing_mul"),
            _ => None,
        };
        let (value, fails) = match overflowing {
            Some(method) => {
                let both = self.method(method, args, pos)?;
                let (value, fails) = (self.part(&both, 0, pos)?, self.part(&both, 1, pos)?);
                (self.id(&value, pos)?, self.id(&fails, pos)?)
            }
            None => {
                let Some(Data { scalar, width: 1 }) = x.ty.data().filter(|data| data.scalar.is_integer()) else {
                    return self.broken(format!("a checked operation of `{}`", x.ty.show()), pos);
                };
                let (a, b) = (self.id(x, pos)?, self.id(y, pos)?);
                let value = self.op(if name == "checked_div" { Op::Div } else { Op::Rem }, &[a, b], pos)?;
                let zero = self.b.constant(Const { scalar, bits: 0 });
                let mut fails = self.op(Op::Eq, &[b, zero], pos)?;
                if scalar.is_signed_integer() {
                    let bits = scalar.bits();
                    let all = u64::MAX >> (64 - bits);
                    let least = match small(&x.ty) {
                        Some(stored) => limits(stored).0,
                        None => Const { scalar, bits: 1 << (bits - 1) },
                    };
                    let least = self.b.constant(least);
                    let minus_one = self.b.constant(Const { scalar, bits: all });
                    let is_least = self.op(Op::Eq, &[a, least], pos)?;
                    let is_minus_one = self.op(Op::Eq, &[b, minus_one], pos)?;
                    let beyond = self.op(Op::And, &[is_least, is_minus_one], pos)?;
                    fails = self.op(Op::Or, &[fails, beyond], pos)?;
                }
                (value, fails)
            }
        };
        let Some(ty) = result.part(1) else { return self.broken("a result that is no `Option`", pos) };
        let zero = self.zero(&ty, pos)?;
        let zero = self.id(&zero, pos)?;
        let (none, some) = (self.variant_constant(0), self.variant_constant(1));
        let (none, some) = (self.id(&none, pos)?, self.id(&some, pos)?);
        let number = self.op(Op::Select, &[fails, none, some], pos)?;
        let value = self.op(Op::Select, &[fails, zero, value], pos)?;
        let number = LoweredValue::one(RustType::Data(Data::U32), number);
        Ok(LoweredValue::parts(result.clone(), [number, LoweredValue::one(ty, value)]))
    }
}

const fn truth(id: ValueId) -> LoweredValue {
    LoweredValue::one(RustType::Data(Data::BOOL), id)
}
