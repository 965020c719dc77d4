//! Orders: `partial_cmp` and `cmp` of numbers, the methods of `Ordering`, and `<` and its like by a
//! `partial_cmp` of the program's own.
//!
//! An `Ordering` is an enum without fields whose values are -1, 0 and 1.

use tilewise_ast::Binary;

use super::state::{Lower, OrNoValue};
use super::value::LoweredValue;
use super::{OrderingMethod, RustType};
use tilewise_ir::kernel::{Const, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    /// `a.partial_cmp(&b)`, `a.cmp(&b)` of numbers and of enums without fields, with the type of the result.
    pub(super) fn compare(&mut self, result: &RustType, args: &[LoweredValue], pos: Pos) -> OrNoValue<LoweredValue> {
        let [a, b] = args else { return self.broken("a comparison without two operands", pos) };
        let (a, b) = (self.number_of(a, pos)?, self.number_of(b, pos)?);
        let is_bool = self.b.value_type(a).data() == Some(Data::BOOL);
        let (below, above) = match is_bool {
            // `false` is below `true`.
            true => {
                let (not_a, not_b) = (self.op(Op::Not, &[a], pos)?, self.op(Op::Not, &[b], pos)?);
                (self.op(Op::And, &[not_a, b], pos)?, self.op(Op::And, &[a, not_b], pos)?)
            }
            false => (self.op(Op::Lt, &[a, b], pos)?, self.op(Op::Gt, &[a, b], pos)?),
        };
        let [less, equal, greater] = [-1, 0, 1].map(|number| self.b.constant(Const::i32(number)));
        let not_below = self.op(Op::Select, &[above, greater, equal], pos)?;
        let order = self.op(Op::Select, &[below, less, not_below], pos)?;
        let RustType::Variants(_) = result else {
            return Ok(LoweredValue::one(result.clone(), order));
        };
        let Some(inner) = result.part(1) else { return self.broken("an order that is none", pos) };
        let equal = self.op(Op::Eq, &[a, b], pos)?;
        let apart = self.op(Op::Or, &[below, above], pos)?;
        let is_some = self.op(Op::Or, &[apart, equal], pos)?;
        let [none, some] = [0, 1].map(|number| self.b.constant(Const::u32(number)));
        let variant = self.op(Op::Select, &[is_some, some, none], pos)?;
        let variant = LoweredValue::one(RustType::scalar(Scalar::U32), variant);
        Ok(LoweredValue::parts(result.clone(), [variant, LoweredValue::one(inner, order)]))
    }

    /// `a.total_cmp(&b)` of floats, with the type of the result.
    pub(super) fn total_order(
        &mut self,
        result: &RustType,
        args: &[LoweredValue],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let ([a, b], RustType::Enum(_)) = (args, result) else {
            return self.broken("a total order without two operands", pos);
        };
        let (a, b) = (self.id(a, pos)?, self.id(b, pos)?);
        Ok(LoweredValue::one(result.clone(), self.op(Op::TotalCmp, &[a, b], pos)?))
    }

    /// `cmp::min(a, b)` or `cmp::max(a, b)` of enums without fields and of `bool`s.
    pub(super) fn least_or_greatest(
        &mut self,
        greatest: bool,
        args: &[LoweredValue],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let [a, b] = args else { return self.broken("a choice without two operands", pos) };
        let (value_a, value_b) = (self.id(a, pos)?, self.id(b, pos)?);
        let chosen = if self.b.value_type(value_a).data() == Some(Data::BOOL) {
            self.op(if greatest { Op::Or } else { Op::And }, &[value_a, value_b], pos)?
        } else {
            let (number_a, number_b) = (self.number_of(a, pos)?, self.number_of(b, pos)?);
            let is_b = self.op(if greatest { Op::Lt } else { Op::Gt }, &[number_a, number_b], pos)?;
            self.op(Op::Select, &[is_b, value_b, value_a], pos)?
        };
        Ok(LoweredValue::one(a.ty.clone(), chosen))
    }

    /// `a < b` and its like, from the result of `a.partial_cmp(&b)`.
    pub(super) fn ordered_by(&mut self, op: Binary, order: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        if !matches!(order.ty, RustType::Variants(_)) {
            return self.broken("an order that is none", pos);
        }
        let is_some = self.is_some(order, pos)?;
        let order = self.part(order, 1, pos)?;
        let order = self.id(&order, pos)?;
        let zero = self.b.constant(Const::i32(0));
        let fits = self.op(row(op), &[order, zero], pos)?;
        Ok(truth(self.op(Op::And, &[is_some, fits], pos)?))
    }

    /// A method of an `Ordering`.
    pub(super) fn ordering_method(
        &mut self,
        method: OrderingMethod,
        args: &[LoweredValue],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let Some((receiver, rest)) = args.split_first() else { return self.broken("a method of nothing", pos) };
        let order = self.id(receiver, pos)?;
        let zero = self.b.constant(Const::i32(0));
        let is = |lower: &mut Lower, op| lower.op(op, &[order, zero], pos).map(truth);
        match (method, rest) {
            (OrderingMethod::IsEq, []) => is(self, Op::Eq),
            (OrderingMethod::IsNe, []) => is(self, Op::Ne),
            (OrderingMethod::IsLt, []) => is(self, Op::Lt),
            (OrderingMethod::IsGt, []) => is(self, Op::Gt),
            (OrderingMethod::IsLe, []) => is(self, Op::Le),
            (OrderingMethod::IsGe, []) => is(self, Op::Ge),
            (OrderingMethod::Reverse, []) => {
                let reversed = self.op(Op::Neg, &[order], pos)?;
                Ok(LoweredValue::one(receiver.ty.clone(), reversed))
            }
            (OrderingMethod::Then, [other]) => {
                let other = self.id(other, pos)?;
                let is_equal = self.op(Op::Eq, &[order, zero], pos)?;
                let chosen = self.op(Op::Select, &[is_equal, other, order], pos)?;
                Ok(LoweredValue::one(receiver.ty.clone(), chosen))
            }
            _ => self.broken("a method of an `Ordering` with other arguments", pos),
        }
    }
}

fn truth(id: ValueId) -> LoweredValue {
    LoweredValue::one(RustType::Data(Data::BOOL), id)
}

/// The row that holds an order against zero.
const fn row(op: Binary) -> Op {
    match op {
        Binary::Lt => Op::Lt,
        Binary::Le => Op::Le,
        Binary::Gt => Op::Gt,
        Binary::Ge => Op::Ge,
        Binary::Eq => Op::Eq,
        Binary::Ne
        | Binary::Add
        | Binary::Sub
        | Binary::Mul
        | Binary::Div
        | Binary::Rem
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor
        | Binary::Shl
        | Binary::Shr => Op::Ne,
    }
}
