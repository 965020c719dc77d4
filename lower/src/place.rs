//! Places: expressions that name one, loads and stores, and the access to parts.
//!
//! A place is evaluated once, its indices included; it is loaded later, and only as far as
//! necessary: `v[i].pos.x` loads one number.

use std::rc::Rc;

use tilewise_ast::{Expr, ExprKind, Mode};

use super::state::{Lower, NameBinding, NoValue, OrNoValue};
use super::types::{TypeContents, memory_field};
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{Form, RustBuiltin, RustType};
use tilewise_ir::diag::{Code, Diagnostic};
use tilewise_ir::kernel::{Const, InstKind, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

impl Lower {
    /// The place that an expression names; for any other expression, its value.
    pub(super) fn place(&mut self, expr: &Expr) -> OrNoValue<RustPlace> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            ExprKind::Local(local) => match self.frame().locals.get(*local as usize).cloned() {
                Some(NameBinding::To(spot) | NameBinding::Lent(spot)) => Ok(spot),
                Some(NameBinding::Broken) => Err(NoValue::Failed),
                Some(NameBinding::Iterator(_)) => self.kept_iterator(pos),
                Some(NameBinding::Function(_)) => self.broken("a closure that is used as a value", pos),
                Some(NameBinding::Nothing) | None => {
                    self.broken(format!("name {local} is used before it is bound"), pos)
                }
            },
            ExprKind::Capture(capture) | ExprKind::CaptureOrFunction(capture, _) => {
                match self.frame().captures.get(*capture as usize).cloned() {
                    Some(value) => Ok(RustPlace::value(value)),
                    None => self.broken(format!("there is no captured name {capture}"), pos),
                }
            }
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Ref(..) | ExprKind::Deref(_) => {
                self.nested(pos, |lower| lower.place_within(expr, pos))
            }
            ExprKind::Call(link, args) if self.gives_self(expr)? => {
                self.nested(pos, |lower| lower.receiver_place(*link, args, pos))
            }
            _ => self.value(expr).map(RustPlace::value),
        }
    }

    fn place_within(&mut self, expr: &Expr, pos: Pos) -> OrNoValue<RustPlace> {
        match &expr.kind {
            ExprKind::Field(base, name) => {
                let base = self.place(base)?;
                self.field(&base, name, pos)
            }
            ExprKind::Index(base, index, link) => {
                let (base, written) = (self.place(base)?, is_written(index));
                let index = self.value(index)?;
                match link {
                    Some(link) => self.index_by(*link, base, index, written, pos),
                    None => self.index(&base, &index, written, pos),
                }
            }
            ExprKind::Ref(_, inner) => self.place(inner),
            ExprKind::Deref(inner) => Ok(RustPlace { exclusive: false, ..self.place(inner)? }),
            _ => self.broken("no place", pos),
        }
    }

    /// The field `name` of a place.
    pub(super) fn field(&mut self, base: &RustPlace, name: &str, pos: Pos) -> OrNoValue<RustPlace> {
        if let RustType::Data(data @ Data { width: 2.., .. }) = base.ty {
            return match ["x", "y", "z", "w"].iter().position(|component| *component == name) {
                Some(i) if i < usize::from(data.width) => self.component(base, data, i as u8, pos),
                _ => self.no_field(&base.ty, name, pos),
            };
        }
        // The array inside `Index` and `Extent`.
        if matches!(base.ty, RustType::Index(_) | RustType::Extent(_)) && name == "0" {
            let ty = RustType::Array(RustType::scalar(Scalar::I32).into(), base.ty.count() as u32);
            let at = match &base.at {
                SpotRoot::Value(value) => SpotRoot::Value(self.spread(value, pos)?.as_type(ty.clone())),
                other => other.clone(),
            };
            return Ok(RustPlace::new(ty, at));
        }
        match base.ty.position(name) {
            Some(i) => self.sub(base, i, pos),
            None => self.no_field(&base.ty, name, pos),
        }
    }

    fn no_field<T>(&mut self, ty: &RustType, name: &str, pos: Pos) -> OrNoValue<T> {
        self.is_no_deref(ty, &format!("a struct with a field `{name}`"), pos)?;
        self.broken(format!("`{}` has no field `{name}`", ty.show()), pos)
    }

    /// A component of a vector, by its number.
    pub(super) fn component(&mut self, base: &RustPlace, data: Data, i: u8, pos: Pos) -> OrNoValue<RustPlace> {
        let ty = RustType::scalar(data.scalar);
        match &base.at {
            SpotRoot::Memory(place) => Ok(RustPlace::memory(ty, step(place, Step::Component(i)))),
            _ => {
                let value = self.load(base, pos)?;
                let value = self.id(&value, pos)?;
                let value = self.inst(InstKind::Swizzle { value, components: vec![i] }, pos)?;
                Ok(RustPlace::value(LoweredValue::one(ty, value)))
            }
        }
    }

    /// Part `i` of a place.
    pub(super) fn sub(&mut self, base: &RustPlace, i: usize, pos: Pos) -> OrNoValue<RustPlace> {
        let Some(ty) = base.ty.part(i) else {
            return self.broken(format!("`{}` has no part {i}", base.ty.show()), pos);
        };
        match &base.at {
            SpotRoot::Split(parts) => match parts.get(i) {
                Some(part) => Ok(part.clone()),
                None => self.broken("a variable without that part", pos),
            },
            SpotRoot::Memory(_) if !ty.in_memory() => Ok(RustPlace::value(LoweredValue::nothing(&ty))),
            SpotRoot::Memory(place) => {
                let place = self.sub_place(place, &base.ty, i);
                Ok(RustPlace::memory(ty, place))
            }
            SpotRoot::Rest(whole, first) => self.sub(&whole.clone(), first + i, pos),
            SpotRoot::Value(value) => self.part(value, i, pos).map(RustPlace::value),
            SpotRoot::Chosen(..) => self.broken("a part of a number", pos),
            SpotRoot::Absent => Ok(RustPlace::new(ty, SpotRoot::Absent)),
        }
    }

    pub(super) fn sub_place(&mut self, place: &Place, ty: &RustType, i: usize) -> Place {
        let to = match ty {
            RustType::Struct(_) | RustType::Tuple(_) | RustType::Variants(_) => Step::Field(memory_field(ty, i)),
            _ => Step::Index(self.i32(i as i32)),
        };
        step(place, to)
    }

    /// `base[index]`, by the meaning of `[]` for the type. `written`: is the index a number that is written
    /// there?
    fn index_by(
        &mut self,
        link: u32,
        base: RustPlace,
        index: LoweredValue,
        written: bool,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        match self.link(link, pos)?() {
            Form::Builtin(RustBuiltin::Operator) => self.index(&base, &index, written, pos),
            Form::Builtin(_) => self.broken("an index that is a built-in function", pos),
            Form::Function(function) => {
                let read = self.read(&function, pos)?;
                let names_a_place = matches!(read.tree.params.first(), Some(first) if first.mode == Mode::RefMut);
                // What is indexed may be behind a `Deref`, which only rustc sees.
                let wanted = read.tree.params.first().and_then(|first| function.types.get(first.ty as usize));
                if let Some(wanted) = wanted.filter(|wanted| **wanted != *base.ty.bare()) {
                    self.is_no_deref(base.ty.bare(), &format!("a `{}`", wanted.show()), pos)?;
                }
                let args = vec![base, RustPlace::value(index)];
                // The function of an `IndexMut` names a place; that of an `Index` gives the element.
                match names_a_place {
                    true => self.inline_place(function, args, pos),
                    false => self.inline(function, args, pos).map(RustPlace::value),
                }
            }
        }
    }

    /// The element of a place at an index. Of constants, only a `written` one that is out of range is an error:
    /// others may come from a call, or the length from an argument, where a condition keeps the access away.
    pub(super) fn index(
        &mut self,
        base: &RustPlace,
        index: &LoweredValue,
        written: bool,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        let mut numbers = Vec::new();
        self.numbers(index, &mut numbers, pos)?;
        match base.ty.bare() {
            RustType::View { rank, element, .. } => {
                let view = self.load(base, pos)?;
                let view = self.id(&view, pos)?;
                if numbers.len() == *rank as usize {
                    let mut index =
                        numbers.iter().map(|&n| self.index_number(n, pos)).collect::<OrNoValue<Vec<_>>>()?;
                    for number in &mut index {
                        if !written && self.known(*number).and_then(Const::integer).is_some_and(|n| n < 0) {
                            *number = self.unseen(*number, pos)?;
                        }
                    }
                    let root = Root::View { view, index };
                    return Ok(RustPlace::memory(RustType::clone(element), Place { root, path: Vec::new() }));
                }
                let [number] = numbers[..] else {
                    return self.broken(format!("{} indices of a view of rank {rank}", numbers.len()), pos);
                };
                self.project(&base.ty, view, number, pos).map(RustPlace::value)
            }
            _ if numbers.is_empty() => self.broken("an index without components", pos),
            _ => {
                let mut at = base.clone();
                for number in numbers {
                    at = self.element(&at, number, written, pos)?;
                }
                Ok(at)
            }
        }
    }

    /// A row of a view.
    pub(super) fn project(
        &mut self,
        ty: &RustType,
        view: ValueId,
        number: ValueId,
        pos: Pos,
    ) -> OrNoValue<LoweredValue> {
        let RustType::View { element, rank: rank @ 2.., access } = ty else {
            return self.broken(format!("a row of `{}`", ty.show()), pos);
        };
        let ty = RustType::View { element: element.clone(), rank: rank - 1, access: *access };
        let index = self.number_i32(number, pos)?;
        let row = self.inst(InstKind::Project { view, index }, pos)?;
        Ok(LoweredValue::one(ty, row))
    }

    /// The element of an array, or the component of an index or a vector.
    pub(super) fn element(
        &mut self,
        base: &RustPlace,
        number: ValueId,
        written: bool,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        let (mut number, mut known) = (number, self.known(number).and_then(Const::integer));
        let ty = match &base.ty {
            RustType::Array(element, _) => RustType::clone(element),
            RustType::Index(_) | RustType::Extent(_) | RustType::TiledExtent(_) => RustType::scalar(Scalar::I32),
            RustType::TiledIndex(_) => {
                let global = self.sub(base, 0, pos)?;
                return self.element(&global, number, written, pos);
            }
            RustType::Data(data @ Data { width: 2.., .. }) => RustType::scalar(data.scalar),
            other => {
                self.is_no_deref(other, "an array", pos)?;
                return self.broken(format!("`{}` is indexed", other.show()), pos);
            }
        };
        let count = base.ty.data().map_or(base.ty.count(), |data| usize::from(data.width));
        if let Some(n) = known
            && !(0..count as i128).contains(&n)
            && (!written || !self.is_certain())
        {
            (number, known) = (self.unseen(number, pos)?, None);
        }
        if let Some(n) = known
            && !(0..count as i128).contains(&n)
        {
            let report = Diagnostic::new(Code::K0402, format!("the index {n} is out of range"))
                .at(pos, format!("`{}` has {count} of them", base.ty.show()));
            return self.fail(report);
        }
        if let (Some(n), None, false) = (known, base.ty.data(), matches!(base.at, SpotRoot::Memory(_))) {
            return self.sub(base, n as usize, pos);
        }
        if count == 0 {
            // Each index is out of range.
            return match ty.holds() {
                TypeContents::Handle => self.chosen_view(pos),
                TypeContents::Nothing | TypeContents::Scalars => Ok(RustPlace::new(ty, SpotRoot::Absent)),
            };
        }
        match &base.at {
            SpotRoot::Memory(_) if !ty.in_memory() => Ok(RustPlace::value(LoweredValue::nothing(&ty))),
            SpotRoot::Memory(place) => {
                let number = self.index_number(number, pos)?;
                Ok(RustPlace::memory(ty, step(place, Step::Index(number))))
            }
            SpotRoot::Split(parts) => {
                Ok(RustPlace::new(ty, SpotRoot::Chosen(parts.clone(), self.index_number(number, pos)?)))
            }
            SpotRoot::Rest(whole, first) => {
                let number = self.number_in_whole(number, count, whole, *first, pos)?;
                self.element(whole, number, false, pos)
            }
            SpotRoot::Value(value) => self.element_of(value, ty, number, pos).map(RustPlace::value),
            SpotRoot::Chosen(..) => self.broken("a component of a number", pos),
            SpotRoot::Absent => Ok(RustPlace::new(ty, SpotRoot::Absent)),
        }
    }

    /// The index in a whole array of the element `number` of `count` that begin at `first`. An index
    /// out of their range is out of the range of the whole.
    fn number_in_whole(
        &mut self,
        number: ValueId,
        count: usize,
        whole: &RustPlace,
        first: usize,
        pos: Pos,
    ) -> OrNoValue<ValueId> {
        let number = self.index_number(number, pos)?;
        let unsigned = self.b.value_type(number).data() == Some(Data::U32);
        let mut constant =
            |n: usize| self.b.constant(if unsigned { Const::u32(n as u32) } else { Const::i32(n as i32) });
        let (zero, count, first, outside) = (constant(0), constant(count), constant(first), constant(whole.ty.count()));
        let below = self.op(Op::Lt, &[number, count], pos)?;
        let above = self.op(Op::Ge, &[number, zero], pos)?;
        let inside = self.op(Op::And, &[below, above], pos)?;
        let moved = self.op(Op::Add, &[number, first], pos)?;
        self.op(Op::Select, &[inside, moved, outside], pos)
    }

    /// The element of a value at a computed index.
    fn element_of(&mut self, value: &LoweredValue, ty: RustType, number: ValueId, pos: Pos) -> OrNoValue<LoweredValue> {
        let number = self.index_number(number, pos)?;
        if value.ty.data().is_some() {
            let value = self.id(value, pos)?;
            let component = self.inst(InstKind::ComponentAt { value, index: number }, pos)?;
            return Ok(LoweredValue::one(ty, component));
        }
        if !ty.in_memory() {
            return match value.ty.holds() {
                TypeContents::Nothing => Ok(LoweredValue::nothing(&ty)),
                TypeContents::Handle | TypeContents::Scalars => self.chosen_view(pos),
            };
        }
        if !matches!(value.ty, RustType::Array(..)) {
            let parts = self.spread(value, pos)?;
            let HeldAs::Parts(parts) = parts.held else { return self.broken("an index without components", pos) };
            return self.choose(&parts, number, pos);
        }
        let HeldAs::Kept(place) = self.keep(value, pos)?.held else {
            return self.broken("an array out of memory", pos);
        };
        Ok(LoweredValue { ty, held: HeldAs::Kept(Rc::new(step(&place, Step::Index(number)))) })
    }

    fn chosen_view<T>(&mut self, pos: Pos) -> OrNoValue<T> {
        self.formless(
            "an array of views is indexed by a computed number",
            "which view this is can not be chosen while a kernel runs",
            "index it by constants",
            pos,
        )
    }

    /// The number at `index` among a few; zero out of range.
    pub(super) fn choose(&mut self, parts: &[LoweredValue], index: ValueId, pos: Pos) -> OrNoValue<LoweredValue> {
        let mut chosen = self.i32(0);
        for (i, part) in parts.iter().enumerate() {
            let part = self.id(part, pos)?;
            let here = self.is_at(index, i, pos)?;
            chosen = self.op(Op::Select, &[here, part, chosen], pos)?;
        }
        Ok(LoweredValue::one(RustType::scalar(Scalar::I32), chosen))
    }

    pub(super) fn is_at(&mut self, index: ValueId, i: usize, pos: Pos) -> OrNoValue<ValueId> {
        let unsigned = self.b.value_type(index).data() == Some(Data::U32);
        let i = self.b.constant(if unsigned { Const::u32(i as u32) } else { Const::i32(i as i32) });
        self.op(Op::Eq, &[index, i], pos)
    }
}

/// Is it a number that is written there?
pub(super) fn is_written(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(..) => true,
        ExprKind::Unary(_, inner, _) | ExprKind::Cast(inner, _) => is_written(inner),
        ExprKind::Array(parts, _) | ExprKind::Tuple(parts) => parts.iter().all(is_written),
        _ => false,
    }
}

/// A place with one more step.
pub(super) fn step(place: &Place, to: Step) -> Place {
    let mut place = place.clone();
    place.path.push(to);
    place
}
