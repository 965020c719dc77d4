//! Expressions. Control flow, calls and operators have modules of their own.

use std::sync::Arc;

use tilewise_ast::{Expr, ExprKind, FieldValue, Mode, Pattern, SyntaxLiteral, SyntaxParam, Unary};

use super::parts::cut;
use super::small::small;
use super::state::{Lower, NameBinding, NoValue, OrNoValue};
use super::types::vector_fields;
use super::value::{HeldAs, LoweredValue};
use super::{RustType, VariantsTy};
use tilewise_ir::kernel::{Const, InstKind, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    pub(super) fn value(&mut self, expr: &Expr) -> OrNoValue<LoweredValue> {
        let pos = self.pos(expr.at);
        self.nested(pos, |lower| lower.value_within(expr, pos))
    }

    /// The value of an expression that becomes a part of another one.
    pub(super) fn moved(&mut self, expr: &Expr) -> OrNoValue<LoweredValue> {
        if matches!(expr.kind, ExprKind::Ref(true, _)) || self.ends_in_self(expr)? {
            let pos = self.pos(expr.at);
            return self.exclusive_value(pos);
        }
        self.end_value(expr)
    }

    /// The value of the expression at the end of a block or an arm, which is the value of what it is in.
    pub(super) fn end_value(&mut self, expr: &Expr) -> OrNoValue<LoweredValue> {
        if let ExprKind::Local(local) = &expr.kind
            && let Some(NameBinding::Lent(place)) = self.frame().locals.get(*local as usize)
            && place.exclusive
        {
            let pos = self.pos(expr.at);
            return self.exclusive_value(pos);
        }
        self.value(expr)
    }

    pub(super) fn shared_value<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "a `#[tile_static]` variable that was lent is used as a value",
            "a copy would not take part in what the tile shares",
            "name an element of it, read it with `get`, or hand the reference on as an argument",
            pos,
        )
    }

    pub(super) fn exclusive_value<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "a `&mut` reference is used as a value",
            "a copy of what it refers to would take the changes in its place",
            "name the value, `*name`, or hand the reference on as an argument",
            pos,
        )
    }

    fn value_within(&mut self, expr: &Expr, pos: Pos) -> OrNoValue<LoweredValue> {
        match &expr.kind {
            ExprKind::Local(local) if self.is_shared_variable(*local) => self.shared_value(pos),
            ExprKind::Local(_)
            | ExprKind::Capture(_)
            | ExprKind::CaptureOrFunction(..)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Ref(..)
            | ExprKind::Deref(_) => self.place(expr).and_then(|place| self.load(&place, pos)),
            ExprKind::Literal(literal, ty) => self.literal(literal, *ty, false, pos),
            ExprKind::Const(slot) | ExprKind::ConstOrFunction(slot, _) => {
                self.constant(*slot, pos).and_then(|constant| self.constant_value(&constant, pos))
            }
            ExprKind::Unary(Unary::Neg, operand, _) if matches!(operand.kind, ExprKind::Literal(..)) => {
                let ExprKind::Literal(literal, ty) = &operand.kind else { return Err(NoValue::Failed) };
                self.literal(literal, *ty, true, pos)
            }
            ExprKind::Unary(op, operand, link) => self.unary(*op, operand, *link, pos),
            ExprKind::Binary(..) => self.binary_chain(expr),
            ExprKind::And(left, right) => self.short(left, right, true, pos),
            ExprKind::Or(left, right) => self.short(left, right, false, pos),
            ExprKind::Assign(place, value) => self.assign(place, value, pos),
            ExprKind::AssignOp(op, place, value, link) => self.assign_op(*op, place, value, *link, pos),
            ExprKind::Call(..) if self.gives_self(expr)? => self.place(expr).and_then(|place| self.load(&place, pos)),
            ExprKind::Call(link, args) => self.call(*link, args, pos),
            ExprKind::Cast(value, ty) => self.cast(value, *ty, pos),
            ExprKind::Struct(ty, None, fields, rest) => self.struct_(*ty, fields, rest.as_deref(), pos),
            ExprKind::Struct(ty, Some(variant), fields, rest) => match self.ty(*ty, pos)? {
                RustType::Variants(of) => self.variant(&of, *variant, fields, pos),
                _ => self.struct_(*ty, fields, rest.as_deref(), pos),
            },
            ExprKind::Try(value) => self.try_(value, pos),
            ExprKind::Invoke(function, args) => self.invoke(*function, args, pos),
            ExprKind::Closure(..) | ExprKind::Function(_) => self.broken("a closure that is used as a value", pos),
            ExprKind::Tuple(parts) => self.tuple(parts.iter()),
            ExprKind::Range(low, high, _) => self.tuple([&**low, &**high].into_iter()),
            ExprKind::Array(parts, ty) => self.array(parts, *ty, pos),
            ExprKind::Repeat(value, ty) => self.repeat(value, *ty, pos),
            ExprKind::Print(pieces, values, formats) => self.print(pieces, values, formats, pos),
            ExprKind::Error(pieces, values, formats) => self.error(pieces, values, formats, pos),
            ExprKind::Abort => self.emit(InstKind::Abort, pos).and(Err(NoValue::Gone)),
            _ => self.flow(expr, pos),
        }
    }

    /// Is it a parameter that stands for a `#[tile_static]` variable of the caller?
    fn is_shared_variable(&mut self, local: u32) -> bool {
        let frame = self.frame();
        let bound = |param: &&SyntaxParam| {
            !matches!(param.mode, Mode::Function | Mode::Iterator)
                && matches!(param.pattern, Pattern::Bind(id) if id == local)
        };
        let ty = frame.read.tree.params.iter().find(bound).map(|param| param.ty as usize);
        ty.is_some_and(|ty| matches!(frame.function.types.get(ty), Some(RustType::TileStatic(_))))
    }

    fn literal(&mut self, literal: &SyntaxLiteral, slot: u32, negative: bool, pos: Pos) -> OrNoValue<LoweredValue> {
        let ty = self.ty(slot, pos)?;
        self.literal_of(ty, literal, negative, pos)
    }

    /// The value of a literal, for a given type.
    pub(super) fn literal_of(
        &mut self,
        ty: RustType,
        literal: &SyntaxLiteral,
        negative: bool,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        if let (SyntaxLiteral::Int(number), Some(data)) = (literal, ty.data()) {
            let number = i128::from(*number);
            let number = if negative { -number } else { number };
            if let Some(stored) = small(&ty) {
                let constant = self.b.constant(Const { scalar: data.scalar, bits: cut(data.scalar, number as u64) });
                let constant = self.wrapped(constant, stored, pos)?;
                return Ok(LoweredValue::one(ty, constant));
            }
            // rustc reports a number that does not fit, unless it is a `usize` or `isize`, or the
            // program allows `overflowing_literals`.
            match data.scalar {
                Scalar::I32 if i32::try_from(number).is_err() => {
                    return self.literal_too_wide(number, ["i32", "isize", "i64"], pos);
                }
                Scalar::U32 if u32::try_from(number).is_err() => {
                    return self.literal_too_wide(number, ["u32", "usize", "u64"], pos);
                }
                _ => {}
            }
        }
        match self.literal_bits(literal, &ty, negative) {
            Some(constant) => Ok(LoweredValue::one(ty, self.b.constant(constant))),
            None => self.broken(format!("a literal of type `{}`", ty.show()), pos),
        }
    }

    /// The constant of a literal.
    fn literal_bits(&self, literal: &SyntaxLiteral, ty: &RustType, negative: bool) -> Option<Const> {
        let Data { scalar, width: 1 } = ty.data()? else { return None };
        let signed = |value: u64| if negative { value.wrapping_neg() } else { value };
        let bits = match (literal, scalar) {
            (SyntaxLiteral::Bool(value), Scalar::Bool) => u64::from(*value != negative),
            (SyntaxLiteral::Int(value), Scalar::F32) => u64::from(sign(negative, *value as f32).to_bits()),
            (SyntaxLiteral::Int(value), Scalar::F64) => sign(negative, *value as f64).to_bits(),
            (SyntaxLiteral::Int(value), scalar) if scalar.is_integer() => cut(scalar, signed(*value)),
            (SyntaxLiteral::Float(text), Scalar::F32) => u64::from(sign(negative, text.parse::<f32>().ok()?).to_bits()),
            (SyntaxLiteral::Float(text), Scalar::F64) => sign(negative, text.parse::<f64>().ok()?).to_bits(),
            _ => return None,
        };
        Some(Const { scalar, bits })
    }

    /// Assigns: evaluates the value first, then the place.
    fn assign(&mut self, place: &Expr, value: &Expr, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.moved(value)?;
        if self.is_lent_name(place) {
            return self.formless(
                "a name that is a reference is made to refer to something else",
                "which place it stands for can not change while a kernel runs",
                "assign to the place, `*name = ..`, or bind another name by `let`",
                pos,
            );
        }
        self.refuse_changed_end(place)?;
        let place = self.place(place)?;
        self.store(&place, &value, pos)?;
        Ok(LoweredValue::UNIT)
    }

    fn tuple<'t, I: Iterator<Item = &'t Expr>>(&mut self, parts: I) -> OrNoValue<LoweredValue> {
        let values = parts.map(|part| self.moved(part)).collect::<OrNoValue<Vec<_>>>()?;
        if values.is_empty() {
            return Ok(LoweredValue::UNIT);
        }
        Ok(LoweredValue::parts(RustType::Tuple(values.iter().map(|value| value.ty.clone()).collect()), values))
    }

    fn array(&mut self, parts: &[Expr], slot: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let ty = self.ty(slot, pos)?;
        let RustType::Array(_, length) = ty else {
            return self.broken(format!("an array of type `{}`", ty.show()), pos);
        };
        if length as usize != parts.len() {
            return self.broken("an array of another length", pos);
        }
        let values = parts.iter().map(|part| self.moved(part)).collect::<OrNoValue<Vec<_>>>()?;
        Ok(LoweredValue::parts(ty, values))
    }

    fn repeat(&mut self, value: &Expr, slot: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let ty = self.ty(slot, pos)?;
        if !matches!(ty, RustType::Array(..)) {
            return self.broken(format!("an array of type `{}`", ty.show()), pos);
        }
        let value = self.value(value)?;
        Ok(LoweredValue { ty, held: HeldAs::Repeat(value.into()) })
    }

    /// The fields are evaluated in the order in which they are written, then the rest.
    fn struct_(&mut self, slot: u32, fields: &[FieldValue], rest: Option<&Expr>, pos: Pos) -> OrNoValue<LoweredValue> {
        let ty = self.ty(slot, pos)?;
        let names = vector_fields(&ty);
        let mut values = Vec::new();
        for field in fields {
            values.push((field.name.as_str(), self.moved(&field.value)?));
        }
        let rest = rest.map(|rest| self.place(rest)).transpose()?;
        if matches!(ty, RustType::Index(_) | RustType::Extent(_)) {
            let [("0", numbers)] = &values[..] else { return self.broken("an index with other fields", pos) };
            let components = self.components(numbers, ty.count() as u32, pos)?;
            return Ok(self.of_numbers(ty, components));
        }
        if names.is_none() && !matches!(ty, RustType::Struct(_)) {
            return self.broken(format!("fields of `{}`", ty.show()), pos);
        }
        let all: Vec<String> = match &names {
            Some(names) => names.iter().map(|name| (*name).to_owned()).collect(),
            None => (0..ty.count()).map(|i| ty.part_name(i)).collect(),
        };
        let mut parts = Vec::new();
        for name in &all {
            parts.push(match (values.iter().position(|(field, _)| field == name), &rest) {
                (Some(i), _) => values[i].1.clone(),
                (None, Some(rest)) => {
                    let part = self.field(rest, name, pos)?;
                    self.load(&part, pos)?
                }
                (None, None) => return self.broken(format!("a `{}` without `{name}`", ty.show()), pos),
            });
        }
        if names.is_none() {
            return Ok(LoweredValue::parts(ty, parts));
        }
        let numbers = parts.iter().map(|part| self.id(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
        let id = self.inst(InstKind::Compose(numbers), pos)?;
        Ok(LoweredValue::one(ty, id))
    }

    /// A variant of an enum: its number, its fields, and zeros for those of the others.
    fn variant(&mut self, of: &Arc<VariantsTy>, slot: u32, fields: &[FieldValue], pos: Pos) -> OrNoValue<LoweredValue> {
        let mut values = Vec::new();
        for field in fields {
            values.push((field.name.as_str(), self.moved(&field.value)?));
        }
        let number = self.variant_number(slot, pos)?;
        self.variant_of(of, number, &values, pos)
    }

    /// The same, of values that have been computed.
    fn variant_of(
        &mut self,
        of: &Arc<VariantsTy>,
        number: usize,
        values: &[(&str, LoweredValue)],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let mut parts = vec![self.variant_constant(number)];
        for (i, variant) in of.variants.iter().enumerate() {
            for (name, ty) in &variant.fields {
                let given = values.iter().find(|(field, _)| i == number && field == name);
                parts.push(match given {
                    Some((_, value)) => value.clone(),
                    None if i == number => return self.broken(format!("a `{}` without `{name}`", of.name), pos),
                    None => self.zero(ty, pos)?,
                });
            }
        }
        Ok(LoweredValue::parts(RustType::Variants(of.clone()), parts))
    }

    /// A tuple struct or a variant of an enum, by its constructor.
    pub(super) fn constructed(
        &mut self,
        ty: &RustType,
        number: usize,
        values: Vec<LoweredValue>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        if let Err(why) = super::types::sound(ty) {
            return self.unsound(why, pos);
        }
        match ty {
            RustType::Struct(of) if of.fields.len() == values.len() => Ok(LoweredValue::parts(ty.clone(), values)),
            RustType::Variants(of) => {
                let names: Vec<String> = (0..values.len()).map(|at| at.to_string()).collect();
                let values: Vec<(&str, LoweredValue)> = names.iter().map(String::as_str).zip(values).collect();
                self.variant_of(of, number, &values, pos)
            }
            _ => self.broken(format!("a constructor of `{}`", ty.show()), pos),
        }
    }

    fn cast(&mut self, value: &Expr, slot: u32, pos: Pos) -> OrNoValue<LoweredValue> {
        let value = self.value(value)?;
        let ty = self.ty(slot, pos)?;
        let from = self.number_of(&value, pos)?;
        self.cast_to(from, &ty, pos)
    }

    /// The number that Rust shows for a value: of an enum, the discriminant.
    pub(super) fn number_of(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<ValueId> {
        let id = self.id(value, pos)?;
        let zero = match &value.ty {
            RustType::Enum(ty) => Const { scalar: ty.scalar, bits: ty.zero().into() },
            _ => return Ok(id),
        };
        if zero.bits == 0 {
            return Ok(id);
        }
        if let Some(known) = self.known(id) {
            let bits = known.bits.wrapping_add(zero.bits) & u64::from(u32::MAX);
            return Ok(self.b.constant(Const { bits, ..known }));
        }
        let zero = self.b.constant(zero);
        self.op(Op::Add, &[id, zero], pos.implied())
    }

    /// Converts a number to another type, like Rust's `as`.
    pub(super) fn convert(&mut self, value: ValueId, to: Scalar, pos: Pos) -> OrNoValue<ValueId> {
        let Some(from) = self.b.value_type(value).data() else { return self.broken("a cast of no number", pos) };
        if from.scalar == to {
            return Ok(value);
        }
        if let Some(known) = self.known(value)
            && let Some(number) = known.integer()
            && to.is_integer()
        {
            return Ok(self.b.constant(Const { scalar: to, bits: cut(to, number as u64) }));
        }
        let op = match to {
            Scalar::Bool => return self.broken("a cast to `bool`", pos),
            Scalar::I32 => Op::ToI32,
            Scalar::U32 => Op::ToU32,
            Scalar::I64 => Op::ToI64,
            Scalar::U64 => Op::ToU64,
            Scalar::F32 => Op::ToF32,
            Scalar::F64 => Op::ToF64,
        };
        self.op(op, &[value], pos)
    }

    fn error(&mut self, pieces: &[String], values: &[Expr], formats: &[String], pos: Pos) -> OrNoValue<LoweredValue> {
        let message = self.message(pieces, values, formats, pos)?;
        self.emit(InstKind::Error(message), pos)?;
        Err(NoValue::Gone)
    }
}

fn sign<T: std::ops::Neg<Output = T>>(negative: bool, value: T) -> T {
    if negative { -value } else { value }
}
