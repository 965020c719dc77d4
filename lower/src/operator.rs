//! Operators and their built-in meanings: for numbers, `bool`s, enums and vectors a row of the op
//! table, for indices and extents that row part by part.

use tilewise_ast::{Binary, Expr, ExprKind, SyntaxLiteral, Unary};

use super::place::is_written;
use super::small::small;
use super::state::{Lower, OrNoValue};
use super::value::{LoweredValue, RustPlace};
use super::{Form, RustBuiltin, RustType};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    /// `a && b` is `if a { b } else { false }`, `a || b` is `if a { true } else { b }`.
    pub(super) fn short(&mut self, left: &Expr, right: &Expr, and: bool, pos: Pos) -> OrNoValue<LoweredValue> {
        let condition = self.value(left)?;
        let condition = self.id(&condition, pos)?;
        let mut join = super::join::Join::new(true);
        let known =
            |lower: &mut Lower| Ok(LoweredValue::one(RustType::Data(Data::BOOL), lower.b.constant(Const::bool(!and))));
        let (then, otherwise) = match and {
            true => {
                let then = self.arm(&mut join, pos, |lower| lower.value(right));
                (then, self.arm(&mut join, pos, known))
            }
            false => {
                let then = self.arm(&mut join, pos, known);
                (then, self.arm(&mut join, pos, |lower| lower.value(right)))
            }
        };
        self.if_joined(condition, then, otherwise, join, pos)
    }

    /// A left-nested chain of operators, from the inside out, without recursion, as it may be long.
    pub(super) fn binary_chain(&mut self, expr: &Expr) -> OrNoValue<LoweredValue> {
        let mut chain = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(op, left, right, link) = &at.kind {
            chain.push((*op, right, *link, self.pos(at.at)));
            at = left;
        }
        let mut left = self.value(at)?;
        while let Some((op, right, link, pos)) = chain.pop() {
            self.spend(1, pos)?;
            let written = self.writes_divisor(right);
            let right = self.value(right)?;
            left = self.binary(op, &left, (&right, written), link, pos)?;
        }
        Ok(left)
    }

    /// Is the divisor a number that is written there, or a vector with a zero that is written there? Other
    /// constants may come from a call, where a condition keeps the division away.
    fn writes_divisor(&mut self, divisor: &Expr) -> bool {
        let is_zero = |part: &Expr| matches!(part.kind, ExprKind::Literal(SyntaxLiteral::Int(0), _));
        match &divisor.kind {
            ExprKind::Call(link, args) => {
                let form = self.frame().function.links.get(*link as usize).map(|form| form());
                let makes_a_vector =
                    matches!(form, Some(Form::Builtin(RustBuiltin::Compose(_) | RustBuiltin::Splat(_))));
                makes_a_vector && args.iter().any(is_zero)
            }
            ExprKind::Struct(_, _, fields, _) => fields.iter().any(|field| is_zero(&field.value)),
            _ => is_written(divisor),
        }
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &LoweredValue,
        (right, written): (&LoweredValue, bool),
        link: u32,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        match self.link(link, pos)?() {
            Form::Builtin(RustBuiltin::Operator) => self.own_by(op, left, right, written, pos),
            Form::Builtin(builtin) => self.builtin(&builtin, vec![left.clone(), right.clone()], pos),
            Form::Function(function) => {
                let result =
                    self.inline(function, vec![RustPlace::value(left.clone()), RustPlace::value(right.clone())], pos)?;
                match op {
                    // `!=` of a user's type is the negation of its `==`.
                    Binary::Ne => self.not(&result, pos),
                    Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => self.ordered_by(op, &result, pos),
                    _ => Ok(result),
                }
            }
        }
    }

    /// `place op= value`: evaluates the value, then the place, then loads the place.
    pub(super) fn assign_op(
        &mut self,
        op: Binary,
        place: &Expr,
        value: &Expr,
        link: u32,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let written = self.writes_divisor(value);
        let value = self.value(value)?;
        self.refuse_changed_end(place)?;
        let place = self.place(place)?;
        let new = match self.link(link, pos)?() {
            Form::Builtin(RustBuiltin::Operator) => {
                let old = self.load(&place, pos)?;
                let (left, right) = fault::choose(Fault::AssignOrder, (&old, &value), (&value, &old));
                self.own_by(op, left, right, written, pos)?
            }
            Form::Builtin(_) => return self.broken("an operator with `=` that is a built-in function", pos),
            // The function of an `AddAssign` changes a copy, as in the closure: an element out of range
            // has the changes while the function runs.
            Form::Function(function) => {
                let old = self.load(&place, pos)?;
                let copy = self.variable("changed", &old.ty, Some(&old), pos)?;
                self.inline(function, vec![copy.clone(), RustPlace::value(value)], pos)?;
                self.load(&copy, pos)?
            }
        };
        self.store(&place, &new, pos)?;
        Ok(LoweredValue::UNIT)
    }

    pub(super) fn unary(&mut self, op: Unary, operand: &Expr, link: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let operand = self.value(operand)?;
        match self.link(link, pos)?() {
            Form::Builtin(RustBuiltin::Operator) => match op {
                Unary::Neg => self.each(Op::Neg, &operand, pos),
                Unary::Not => self.not(&operand, pos),
            },
            Form::Builtin(builtin) => self.builtin(&builtin, vec![operand], pos),
            Form::Function(function) => self.inline(function, vec![RustPlace::value(operand)], pos),
        }
    }

    pub(super) fn not(&mut self, operand: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        self.each(Op::Not, operand, pos)
    }

    /// An operation on a number, or on each component of an index.
    fn each(&mut self, op: Op, operand: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        if operand.ty.data().is_some() {
            let id = self.id(operand, pos)?;
            let mut id = self.op(op, &[id], pos)?;
            if let Some(stored) = small(&operand.ty) {
                id = self.wrapped(id, stored, pos)?;
            }
            return Ok(LoweredValue::one(operand.ty.clone(), id));
        }
        let parts = self.components(operand, operand.ty.count() as u32, pos)?;
        let parts = parts.into_iter().map(|part| self.op(op, &[part], pos)).collect::<OrNoValue<Vec<_>>>()?;
        Ok(self.of_numbers(operand.ty.clone(), parts))
    }

    /// The operator's built-in meaning, where the right operand may be a number that is `written` there.
    fn own_by(
        &mut self,
        op: Binary,
        left: &LoweredValue,
        right: &LoweredValue,
        written: bool,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        self.written_divisor = written;
        let result = self.own(op, left, right, pos);
        self.written_divisor = false;
        result
    }

    /// The operator's built-in meaning.
    pub(super) fn own(
        &mut self,
        op: Binary,
        left: &LoweredValue,
        right: &LoweredValue,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let is_order = matches!(op, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge);
        if let (RustType::Enum(of), true) = (&left.ty, is_order) {
            let scalar = RustType::scalar(of.scalar);
            let (left, right) = (self.number_of(left, pos)?, self.number_of(right, pos)?);
            let [left, right] = [left, right].map(|number| LoweredValue::one(scalar.clone(), number));
            return self.own(op, &left, &right, pos);
        }
        match (left.ty.data(), right.ty.data()) {
            (Some(a), Some(b)) => self.numbers_op(op, (left, a), (right, b), pos),
            _ if matches!(op, Binary::Eq | Binary::Ne) => {
                let equal = self.equal(left, right, pos)?;
                let equal = LoweredValue::one(RustType::Data(Data::BOOL), equal);
                if op == Binary::Ne { self.not(&equal, pos) } else { Ok(equal) }
            }
            _ if is_order => self.ordered(op, left, right, pos),
            _ => self.index_op(op, left, right, pos),
        }
    }

    fn numbers_op(
        &mut self,
        op: Binary,
        left: (&LoweredValue, Data),
        right: (&LoweredValue, Data),
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let width = left.1.width.max(right.1.width);
        let (a, mut b) = (self.id(left.0, pos)?, self.id(right.0, pos)?);
        if left.1 == Data::BOOL && matches!(op, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge) {
            return self.bools_in_order(op, a, b, pos);
        }
        let row = row(op);
        if matches!(row, Op::Shl | Op::Shr) {
            b = self.shift_amount(b, right.1, pos)?;
            if let Some(stored) = small(&left.0.ty) {
                b = self.small_amount(b, stored, pos)?;
            }
        }
        b = self.divisor(row, b, pos)?;
        let (a, b) = (self.widened(a, width, pos)?, self.widened(b, width, pos)?);
        let id = self.op(row, &[a, b], pos)?;
        let scalar = |scalar| RustType::Data(Data { scalar, width: 1 });
        match op {
            Binary::Eq | Binary::Ne if width > 1 => {
                let all = if op == Binary::Eq && !fault::planted(Fault::EqualVectors) { Op::All } else { Op::Any };
                let id = self.op(all, &[id], pos)?;
                Ok(LoweredValue::one(scalar(Scalar::Bool), id))
            }
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                Ok(LoweredValue::one(RustType::Data(Data { scalar: Scalar::Bool, width }), id))
            }
            _ => match small(&left.0.ty) {
                Some(stored) => self.small_result(op, id, stored, pos),
                None => Ok(LoweredValue::one(RustType::Data(Data { scalar: left.1.scalar, width }), id)),
            },
        }
    }

    /// A shift amount of any integer type, modulo the width.
    fn shift_amount(&mut self, amount: ValueId, data: Data, pos: Pos) -> OrNoValue<ValueId> {
        match data.scalar {
            Scalar::U32 => Ok(amount),
            scalar if scalar.is_integer() && data.width == 1 => self.convert(amount, Scalar::U32, pos),
            scalar if scalar.is_integer() => self.op(Op::ToU32, &[amount], pos),
            _ => self.broken("a shift by no integer", pos),
        }
    }

    /// Splats a scalar beside a vector.
    pub(super) fn widened(&mut self, value: ValueId, width: u8, pos: Pos) -> OrNoValue<ValueId> {
        match self.b.value_type(value).data() {
            Some(data) if data.width == 1 && width > 1 => self.inst(InstKind::Splat { value, width }, pos),
            _ => Ok(value),
        }
    }

    /// Are they equal in every part?
    pub(super) fn equal(&mut self, left: &LoweredValue, right: &LoweredValue, pos: Pos) -> OrNoValue<ValueId> {
        if let (Some(a), Some(b)) = (left.ty.data(), right.ty.data()) {
            let equal = self.numbers_op(Binary::Eq, (left, a), (right, b), pos)?;
            return self.id(&equal, pos);
        }
        if left.ty.count() != right.ty.count() || left.ty.data().is_some() != right.ty.data().is_some() {
            return self.broken(format!("`{}` compared with `{}`", left.ty.show(), right.ty.show()), pos);
        }
        let mut all = self.b.constant(Const::bool(true));
        let always = all;
        self.spend(left.ty.count() as u64, pos)?;
        for i in 0..left.ty.count() {
            let (a, b) = (self.part(left, i, pos)?, self.part(right, i, pos)?);
            if a.ty.holds() == super::types::TypeContents::Nothing {
                continue;
            }
            let equal = self.equal(&a, &b, pos)?;
            all = if all == always { equal } else { self.op(Op::And, &[all, equal], pos)? };
        }
        Ok(all)
    }

    /// Order of indices, tuples and arrays: the first part that differs decides. Of parts that are NaN, none is
    /// the same, nor before or behind.
    fn ordered(&mut self, op: Binary, left: &LoweredValue, right: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        let count = left.ty.count();
        if count != right.ty.count() || left.ty.data().is_some() != right.ty.data().is_some() {
            return self.broken(format!("`{}` compared with `{}`", left.ty.show(), right.ty.show()), pos);
        }
        self.spend(count as u64, pos)?;
        let strict = if matches!(op, Binary::Lt | Binary::Le) { Binary::Lt } else { Binary::Gt };
        let mut decided = self.b.constant(Const::bool(matches!(op, Binary::Le | Binary::Ge)));
        let from_behind = |at: usize| if fault::planted(Fault::IndexOrder) { at } else { count - 1 - at };
        for at in (0..count).map(from_behind) {
            let (a, b) = (self.part(left, at, pos)?, self.part(right, at, pos)?);
            let before = self.own(strict, &a, &b, pos)?;
            let before = self.id(&before, pos)?;
            let same = self.equal(&a, &b, pos)?;
            let later = self.op(Op::And, &[same, decided], pos)?;
            decided = self.op(Op::Or, &[before, later], pos)?;
        }
        Ok(LoweredValue::one(RustType::Data(Data::BOOL), decided))
    }

    /// `a < b` and its like of `bool`s: `false` is before `true`.
    fn bools_in_order(&mut self, op: Binary, a: ValueId, b: ValueId, pos: Pos) -> OrNoValue<LoweredValue> {
        let (before, behind) = if matches!(op, Binary::Lt | Binary::Le) { (a, b) } else { (b, a) };
        let not_before = self.op(Op::Not, &[before], pos)?;
        let joined = if matches!(op, Binary::Lt | Binary::Gt) { Op::And } else { Op::Or };
        let id = self.op(joined, &[not_before, behind], pos)?;
        Ok(LoweredValue::one(RustType::Data(Data::BOOL), id))
    }

    /// A componentwise operator on an index or extent and another, or a number.
    fn index_op(&mut self, op: Binary, left: &LoweredValue, right: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        let is_index = |value: &LoweredValue| matches!(value.ty, RustType::Index(_) | RustType::Extent(_));
        let ty = if is_index(left) { left.ty.clone() } else { right.ty.clone() };
        if !is_index(left) && !is_index(right) {
            let what = format!("`{}` of `{}` and `{}`", op.symbol(), left.ty.show(), right.ty.show());
            return self.broken(what, pos);
        }
        let count = ty.count() as u32;
        let mut side = |value: &LoweredValue| {
            if is_index(value) {
                return self.components(value, count, pos);
            }
            let number = self.id(value, pos)?;
            let number = self.number_i32(number, pos)?;
            Ok(vec![number; count as usize])
        };
        let (a, b) = (side(left)?, side(right)?);
        let parts = a.into_iter().zip(b).map(|(a, b)| self.op(row(op), &[a, b], pos)).collect::<OrNoValue<Vec<_>>>()?;
        Ok(self.of_numbers(ty, parts))
    }
}

/// The row of the op table.
const fn row(op: Binary) -> Op {
    match op {
        Binary::Add => Op::Add,
        Binary::Sub => Op::Sub,
        Binary::Mul => Op::Mul,
        Binary::Div => Op::Div,
        Binary::Rem => Op::Rem,
        Binary::BitAnd => Op::And,
        Binary::BitOr => Op::Or,
        Binary::BitXor => Op::Xor,
        Binary::Shl => Op::Shl,
        Binary::Shr => Op::Shr,
        Binary::Eq => Op::Eq,
        Binary::Ne => Op::Ne,
        Binary::Lt => Op::Lt,
        Binary::Le => Op::Le,
        Binary::Gt => Op::Gt,
        Binary::Ge => Op::Ge,
    }
}
