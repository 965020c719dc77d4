//! Built-in functions: operations, vectors, barriers. Those of indices, extents and views are in
//! `shape`, atomic operations in `atomics`.

use super::state::{Lower, OrNoValue};
use super::value::{LoweredValue, RustPlace, SpotRoot};
use super::{RustBuiltin, RustType, shape};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::kernel::{CallArgument, Const, FnParamKind, InstKind, Place, ValueId};
use tilewise_ir::ops::{Op, SlotScalar, SlotWidth};
use tilewise_ir::pos::Pos;
use tilewise_ir::text::link;
use tilewise_ir::types::{Data, ValueType};

/// Does it need the places of its arguments, not only their values?
pub(super) const fn takes_places(builtin: &RustBuiltin) -> bool {
    matches!(
        builtin,
        RustBuiltin::AtomicAt
            | RustBuiltin::Library(_)
            | RustBuiltin::Swap
            | RustBuiltin::Replace
            | RustBuiltin::Take(_)
            | RustBuiltin::SetSwizzle(_)
            | RustBuiltin::Length
    )
}

impl Lower {
    /// A builtin on values.
    pub(super) fn builtin(
        &mut self,
        builtin: &RustBuiltin,
        args: Vec<LoweredValue>,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        match builtin {
            RustBuiltin::Operator => self.broken("an operator that is called", pos),
            RustBuiltin::OtherEquality(name) => self.formless(
                format!("`{name}` compares otherwise than by its variants"),
                "a kernel compares the variants of an enum",
                "write `#[derive(PartialEq)]`, and for another comparison an `#[amp]` function of another name",
                pos,
            ),
            RustBuiltin::OtherOrder(name) => self.formless(
                format!("`{name}` is ordered otherwise than by the numbers of its variants"),
                "a kernel compares those of an enum",
                "write `#[derive(PartialOrd)]`, and for another order an `#[amp]` function of another name",
                pos,
            ),
            RustBuiltin::Construct(ty, number) => self.constructed(ty, *number, args, pos),
            RustBuiltin::NoConstructor(name) => self.formless(
                format!("`{name}` is handed on as a function"),
                "of tuple structs and variants with fields by their positions, a kernel knows the function",
                "write a closure, `|x| f(x)`, that calls an `#[amp]` function",
                pos,
            ),
            RustBuiltin::Compare(result) => match super::types::sound(result) {
                Ok(()) => self.compare(result, &args, pos),
                Err(why) => self.unsound(why, pos),
            },
            RustBuiltin::TotalOrder(result) => match super::types::sound(result) {
                Ok(()) => self.total_order(result, &args, pos),
                Err(why) => self.unsound(why, pos),
            },
            RustBuiltin::OfOrdering(method) => self.ordering_method(*method, &args, pos),
            RustBuiltin::Op(op) => self.row(*op, &args, pos),
            RustBuiltin::Method(name) => self.method(name, &args, pos),
            RustBuiltin::Chosen(greatest) => self.least_or_greatest(*greatest, &args, pos),
            RustBuiltin::Compose(data) => self.compose(*data, &args, pos),
            RustBuiltin::Splat(data) => {
                let [value] = self.exactly(args, pos)?;
                let value = self.id(&value, pos)?;
                let value = self.widened(value, data.width, pos)?;
                Ok(LoweredValue::one(RustType::Data(*data), value))
            }
            RustBuiltin::Swizzle(components) => self.swizzle(components, args, pos),
            RustBuiltin::Zero(ty) => match super::types::sound(ty) {
                Ok(()) => self.zero(ty, pos),
                Err(why) => self.unsound(why, pos),
            },
            RustBuiltin::Value(value) => match super::types::sound(&value.ty) {
                Ok(()) if value.too_wide.is_some() => self.too_wide(value.too_wide.unwrap_or_default(), pos),
                Ok(()) => self.constant_value(value, pos),
                Err(why) => self.unsound(why, pos),
            },
            RustBuiltin::NoDefault(name) => self.formless(
                format!("`{name}::default` panics"),
                "the host calls it when the kernel is made, as its value is a constant in a kernel",
                "write `#[amp]` on the `impl Default`",
                pos,
            ),
            RustBuiltin::Checked(name, result) => match super::types::sound(result) {
                Ok(()) => self.checked(name, result, &args, pos),
                Err(why) => self.unsound(why, pos),
            },
            RustBuiltin::Fitted(result) => {
                let [value] = self.exactly(args, pos)?;
                match super::types::sound(result) {
                    Ok(()) => self.fitted(&value, result, pos),
                    Err(why) => self.unsound(why, pos),
                }
            }
            RustBuiltin::Sequence(_) => self.broken("a method of an iterator whose arguments are values", pos),
            RustBuiltin::OfOption(..) => self.broken("a method of an `Option` whose arguments are values", pos),
            RustBuiltin::Count(count) => {
                Ok(LoweredValue::one(RustType::Data(Data::U32), self.b.constant(Const::u32(*count))))
            }
            RustBuiltin::Truth(truth) => {
                Ok(LoweredValue::one(RustType::Data(Data::BOOL), self.b.constant(Const::bool(*truth))))
            }
            RustBuiltin::Identity => {
                let [value] = self.exactly(args, pos)?;
                Ok(value)
            }
            RustBuiltin::Cast(ty) => {
                let [value] = self.exactly(args, pos)?;
                let value = self.id(&value, pos)?;
                self.cast_to(value, ty, pos)
            }
            RustBuiltin::ToBytes(order) => {
                let [value] = self.exactly(args, pos)?;
                self.bytes_of_number(*order, &value, pos)
            }
            RustBuiltin::FromBytes(order, ty) => {
                let [bytes] = self.exactly(args, pos)?;
                match super::types::sound(ty) {
                    Ok(()) => self.number_of_bytes(*order, ty, &bytes, pos),
                    Err(why) => self.unsound(why, pos),
                }
            }
            RustBuiltin::Atomic(op) => self.atomic(*op, &args, pos),
            RustBuiltin::CompareExchange => self.compare_exchange(args, pos),
            RustBuiltin::Barrier(fence) => self.emit(InstKind::Barrier(*fence), pos).map(|_| LoweredValue::UNIT),
            RustBuiltin::Fence(fence) => self.emit(InstKind::Fence(*fence), pos).map(|_| LoweredValue::UNIT),
            RustBuiltin::Tuple(of) => {
                let each = |builtin| self.builtin(builtin, args.clone(), pos);
                let parts = of.iter().map(each).collect::<OrNoValue<Vec<_>>>()?;
                Ok(tuple(parts))
            }
            RustBuiltin::Components(of) => {
                let vector = self.builtin(of, args, pos)?;
                let width = vector.ty.data().map_or(0, |data| data.width);
                let each = |i| self.swizzle(&[i], vec![vector.clone()], pos);
                let parts = (0..width).map(each).collect::<OrNoValue<Vec<_>>>()?;
                Ok(tuple(parts))
            }
            RustBuiltin::AtomicAt
            | RustBuiltin::Library(_)
            | RustBuiltin::Swap
            | RustBuiltin::Replace
            | RustBuiltin::Take(_)
            | RustBuiltin::Length
            | RustBuiltin::SetSwizzle(_) => {
                let args: Vec<RustPlace> = args.into_iter().map(RustPlace::value).collect();
                self.builtin_at(builtin, &args, pos)
            }
            other => shape::builtin(self, other, args, pos),
        }
    }

    /// A builtin on places.
    pub(super) fn builtin_at(
        &mut self,
        builtin: &RustBuiltin,
        args: &[RustPlace],
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        match (builtin, args) {
            (RustBuiltin::Library(name), args) => self.library(name, args, pos),
            (RustBuiltin::AtomicAt, [place]) => self.atomic_ref(place, pos),
            (RustBuiltin::Length, [RustPlace { ty: RustType::Array(_, length), .. }]) => {
                Ok(LoweredValue::one(RustType::Data(Data::U32), self.b.constant(Const::u32(*length))))
            }
            (RustBuiltin::AtomicAt, [base, index]) => {
                let index = self.load(index, pos)?;
                let place = self.index(base, &index, false, pos)?;
                self.atomic_ref(&place, pos)
            }
            (RustBuiltin::Swap, [a, b]) => {
                let (old, new) = (self.load(a, pos)?, self.load(b, pos)?);
                self.store(a, &new, pos)?;
                self.store(b, &old, pos)?;
                Ok(LoweredValue::UNIT)
            }
            (RustBuiltin::Take(default), [place]) => {
                let old = self.load(place, pos)?;
                let new = self.builtin(default, Vec::new(), pos)?;
                self.store(place, &new, pos)?;
                Ok(old)
            }
            (RustBuiltin::Replace, [place, value]) => {
                let (old, new) = (self.load(place, pos)?, self.load(value, pos)?);
                self.store(place, &new, pos)?;
                Ok(old)
            }
            (RustBuiltin::SetSwizzle(components), [vector, value]) => {
                let value = self.load(value, pos)?;
                self.set_swizzle(components, vector, &value, pos)?;
                Ok(LoweredValue::UNIT)
            }
            _ => self.broken("a built-in function with other arguments", pos),
        }
    }

    /// The arguments, if there are exactly `N`.
    pub(super) fn exactly<const N: usize>(
        &mut self,
        args: Vec<LoweredValue>,
        pos: Pos,
    ) -> OrNoValue<[LoweredValue; N]> {
        match args.try_into() {
            Ok(args) => Ok(args),
            Err(args) => self.broken(format!("a built-in function with {} arguments, not {N}", Vec::len(&args)), pos),
        }
    }

    /// The value with its type in Rust.
    fn typed(&mut self, id: ValueId, pos: Pos) -> OrNoValue<LoweredValue> {
        match self.b.value_type(id) {
            ValueType::Data(data) => Ok(LoweredValue::one(RustType::Data(data), id)),
            ValueType::View(_) => self.broken("a view where a number is made", pos),
            // The checker reports the reason.
            ValueType::Invalid => Ok(LoweredValue::one(RustType::Data(Data::I32), id)),
        }
    }

    fn row(&mut self, op: Op, args: &[LoweredValue], pos: Pos) -> OrNoValue<LoweredValue> {
        let slots = op.row().args;
        if args.len() != slots.len() {
            return self.broken(format!("`{}` with {} arguments", op.name(), args.len()), pos);
        }
        let width = args.iter().filter_map(|arg| arg.ty.data()).map(|data| data.width).max().unwrap_or(1);
        let mut ids = Vec::new();
        for (arg, slot) in args.iter().zip(slots) {
            let mut id = self.id(arg, pos)?;
            if let (SlotScalar::Fixed(wanted), Some(data)) = (slot.scalar, arg.ty.data())
                && wanted.is_integer()
                && data.scalar.is_integer()
                && data.width == 1
            {
                id = self.convert(id, wanted, pos)?;
            }
            if slot.width == SlotWidth::Common {
                id = self.widened(id, width, pos)?;
            }
            ids.push(id);
        }
        let id = self.op(op, &ids, pos)?;
        self.typed(id, pos)
    }

    pub(super) fn method(&mut self, name: &str, args: &[LoweredValue], pos: Pos) -> OrNoValue<LoweredValue> {
        if let Some(stored) = args.first().and_then(|arg| super::small::small(&arg.ty))
            && let Some(value) = self.small_method(name, stored, args, pos)?
        {
            return Ok(value);
        }
        let numbers = args.iter().all(|arg| arg.ty.data().is_some());
        let mut results = None;
        if numbers {
            let ids = self.method_operands(name, args, pos)?;
            self.spend(8, pos)?;
            results = super::methods::emit(&mut self.b, name, &ids, pos);
        }
        let Some(results) = results else {
            let of = args.first().map_or_else(String::new, |arg| format!(" of `{}`", arg.ty.show()));
            let report = Diagnostic::new(Code::K0703, format!("no method `{name}`{of} in kernels"))
                .at(pos, "")
                .note("a kernel has the methods of numbers that docs/kernels.md lists");
            return self.fail(report);
        };
        let values = results.into_iter().map(|id| self.typed(id, pos)).collect::<OrNoValue<Vec<_>>>()?;
        match <[LoweredValue; 1]>::try_from(values) {
            // Of two characters it is one.
            Ok([one]) => match args.first() {
                Some(LoweredValue { ty: RustType::Char, .. }) if matches!(name, "min" | "max" | "clamp") => {
                    Ok(one.as_type(RustType::Char))
                }
                _ => Ok(one),
            },
            Err(several) => Ok(tuple(several)),
        }
    }

    /// The numbers of a method's arguments. A constant divisor may come from a call, where a condition keeps the division
    /// away.
    pub(super) fn method_operands(&mut self, name: &str, args: &[LoweredValue], pos: Pos) -> OrNoValue<Vec<ValueId>> {
        let mut ids = args.iter().map(|arg| self.id(arg, pos)).collect::<OrNoValue<Vec<_>>>()?;
        if let [_, divisor] = &mut ids[..]
            && ["div", "rem", "multiple"].iter().any(|part| name.contains(part))
        {
            *divisor = self.divisor(Op::Div, *divisor, pos)?;
        }
        Ok(ids)
    }

    /// A function of a library stays a call. It may take places.
    /// For each argument of a library's function, whether it is a place; nothing of other builtins, whose
    /// arguments all are.
    pub(super) fn taken_places(&mut self, builtin: &RustBuiltin) -> Vec<bool> {
        let RustBuiltin::Library(name) = builtin else { return Vec::new() };
        let Some(function) = link(&mut self.b, name) else { return Vec::new() };
        let function = self.b.so_far().functions().get(function.index());
        let Some(params) = function.map(tilewise_ir::kernel::Function::params) else { return Vec::new() };
        params.iter().map(|param| matches!(param.kind, FnParamKind::Ref { .. })).collect()
    }

    fn library(&mut self, name: &str, args: &[RustPlace], pos: Pos) -> OrNoValue<LoweredValue> {
        let Some(function) = link(&mut self.b, name) else {
            let report = Diagnostic::new(Code::K0703, format!("no library has a function `{name}`")).at(pos, "");
            return self.fail(report);
        };
        let Some(params) = self.b.so_far().functions().get(function.index()).map(|it| it.params().to_vec()) else {
            return self.broken("a library's function is not there", pos);
        };
        if params.len() != args.len() {
            return self.broken(format!("`{name}` with {} arguments, not {}", args.len(), params.len()), pos);
        }
        let mut handed = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            handed.push(match (param.kind, &arg.at) {
                (FnParamKind::Ref { .. }, SpotRoot::Memory(place)) => CallArgument::Place(Place::clone(place)),
                (FnParamKind::Ref { .. }, _) => return self.broken("a reference to a value that is no place", pos),
                (FnParamKind::Value(_), _) => {
                    let value = self.load(arg, pos)?;
                    CallArgument::Value(self.id(&value, pos)?)
                }
            });
        }
        match self.emit(InstKind::Call { function, args: handed }, pos)? {
            Some(id) => self.typed(id, pos),
            None => Ok(LoweredValue::UNIT),
        }
    }

    fn compose(&mut self, data: Data, args: &[LoweredValue], pos: Pos) -> OrNoValue<LoweredValue> {
        let mut components = Vec::new();
        for arg in args {
            let id = self.id(arg, pos)?;
            match arg.ty.data() {
                Some(Data { width: width @ 2..=4, .. }) => {
                    for i in 0..width {
                        components.push(self.inst(InstKind::Swizzle { value: id, components: vec![i] }, pos)?);
                    }
                }
                _ => components.push(id),
            }
        }
        if components.len() != usize::from(data.width) || data.width == 1 {
            return self.broken(format!("`{data}` of {} numbers", components.len()), pos);
        }
        let id = self.inst(InstKind::Compose(components), pos)?;
        Ok(LoweredValue::one(RustType::Data(data), id))
    }

    /// Stores the components of a value in those of a vector that are named.
    fn set_swizzle(&mut self, components: &[u8], to: &RustPlace, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        let (Some(data), Some(new)) = (to.ty.data(), value.ty.data()) else {
            return self.broken(format!("components of `{}` that are set", to.ty.show()), pos);
        };
        let fits = components.len() == usize::from(new.width) && components.iter().all(|&c| c < data.width);
        if !fits || new.scalar != data.scalar || data.width == 1 {
            return self.broken(format!("{} components of `{data}` set to a `{new}`", components.len()), pos);
        }
        let id = self.id(value, pos)?;
        for (i, &component) in (0..).zip(components) {
            let part = match new.width {
                1 => id,
                _ => self.inst(InstKind::Swizzle { value: id, components: vec![i] }, pos)?,
            };
            let place = self.component(to, data, component, pos)?;
            self.store(&place, &LoweredValue::one(RustType::scalar(data.scalar), part), pos)?;
        }
        Ok(())
    }

    fn swizzle(&mut self, components: &[u8], args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let [vector] = self.exactly(args, pos)?;
        let Some(data) = vector.ty.data().filter(|data| components.iter().all(|&c| c < data.width)) else {
            return self.broken(format!("components of `{}`", vector.ty.show()), pos);
        };
        if components.is_empty() || components.len() > 4 || data.width == 1 {
            return self.broken(format!("{} components of `{data}`", components.len()), pos);
        }
        let value = self.id(&vector, pos)?;
        let id = self.inst(InstKind::Swizzle { value, components: components.to_vec() }, pos)?;
        Ok(LoweredValue::one(RustType::Data(Data { scalar: data.scalar, width: components.len() as u8 }), id))
    }
}

/// The values as a tuple.
fn tuple(parts: Vec<LoweredValue>) -> LoweredValue {
    LoweredValue::parts(RustType::Tuple(parts.iter().map(|part| part.ty.clone()).collect()), parts)
}
