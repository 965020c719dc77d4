//! Places: which one an expression names, how it is read and written, and the way to its parts.
//!
//! A place is worked out once, its indices included; reading it happens later, and only of what is wanted: `v[i].pos.x` loads one number.

use std::rc::Rc;

use tilewise_ast::{Expr, Kind};

use super::Ty;
use super::state::{Bound, Lower, Stop, Way};
use super::types::{Holds, memory_field};
use super::value::{At, Held, Spot, Value};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Const, InstKind, Place, Root, Step, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Data, Scalar};

impl Lower {
    /// The place that an expression names; of any other expression, its value.
    pub(super) fn place(&mut self, expr: &Expr) -> Way<Spot> {
        let pos = self.pos(expr.at);
        match &expr.kind {
            Kind::Local(local) => match self.frame().locals.get(*local as usize).cloned() {
                Some(Bound::To(spot)) => Ok(spot),
                Some(Bound::Broken) => Err(Stop::Failed),
                Some(Bound::Nothing) | None => self.broken(format!("name {local} is used before it is bound"), pos),
            },
            Kind::Capture(capture) => match self.frame().captures.get(*capture as usize).cloned() {
                Some(value) => Ok(Spot::value(value)),
                None => self.broken(format!("there is no captured name {capture}"), pos),
            },
            Kind::Field(..) | Kind::Index(..) | Kind::Ref(..) | Kind::Deref(_) => {
                self.nested(pos, |lower| lower.place_within(expr, pos))
            }
            _ => self.value(expr).map(Spot::value),
        }
    }

    fn place_within(&mut self, expr: &Expr, pos: Pos) -> Way<Spot> {
        match &expr.kind {
            Kind::Field(base, name) => {
                let base = self.place(base)?;
                self.field(&base, name, pos)
            }
            Kind::Index(base, index) => {
                let base = self.place(base)?;
                let index = self.value(index)?;
                self.index(&base, &index, pos)
            }
            Kind::Ref(_, inner) | Kind::Deref(inner) => self.place(inner),
            _ => self.broken("no place", pos),
        }
    }

    /// The field `name` of a place.
    pub(super) fn field(&mut self, base: &Spot, name: &str, pos: Pos) -> Way<Spot> {
        if let Ty::Data(data @ Data { width: 2.., .. }) = base.ty {
            return match ["x", "y", "z", "w"].iter().position(|component| *component == name) {
                Some(i) if i < usize::from(data.width) => self.component(base, data, i as u8, pos),
                _ => self.no_field(&base.ty, name, pos),
            };
        }
        // The array inside of `Index` and `Extent`.
        if matches!(base.ty, Ty::Index(_) | Ty::Extent(_)) && name == "0" {
            let ty = Ty::Array(Ty::scalar(Scalar::I32).into(), base.ty.count() as u32);
            let at = match &base.at {
                At::Value(value) => At::Value(self.spread(value, pos)?.as_type(ty.clone())),
                other => other.clone(),
            };
            return Ok(Spot { ty, at });
        }
        match base.ty.position(name) {
            Some(i) => self.sub(base, i, pos),
            None => self.no_field(&base.ty, name, pos),
        }
    }

    fn no_field<T>(&mut self, ty: &Ty, name: &str, pos: Pos) -> Way<T> {
        self.broken(format!("`{}` has no field `{name}`", ty.show()), pos)
    }

    fn component(&mut self, base: &Spot, data: Data, i: u8, pos: Pos) -> Way<Spot> {
        let ty = Ty::scalar(data.scalar);
        match &base.at {
            At::Memory(place) => Ok(Spot::memory(ty, step(place, Step::Component(i)))),
            _ => {
                let value = self.load(base, pos)?;
                let value = self.id(&value, pos)?;
                let value = self.inst(InstKind::Swizzle { value, components: vec![i] }, pos)?;
                Ok(Spot::value(Value::one(ty, value)))
            }
        }
    }

    /// Part `i` of a place.
    pub(super) fn sub(&mut self, base: &Spot, i: usize, pos: Pos) -> Way<Spot> {
        let Some(ty) = base.ty.part(i) else {
            return self.broken(format!("`{}` has no part {i}", base.ty.show()), pos);
        };
        match &base.at {
            At::Split(parts) => match parts.get(i) {
                Some(part) => Ok(part.clone()),
                None => self.broken("a variable without that part", pos),
            },
            At::Memory(_) if !ty.in_memory() => Ok(Spot::value(Value::nothing(&ty))),
            At::Memory(place) => {
                let place = self.sub_place(place, &base.ty, i);
                Ok(Spot::memory(ty, place))
            }
            At::Value(value) => self.part(value, i, pos).map(Spot::value),
            At::Chosen(..) => self.broken("a part of a number", pos),
            At::Absent => Ok(Spot { ty, at: At::Absent }),
        }
    }

    pub(super) fn sub_place(&mut self, place: &Place, ty: &Ty, i: usize) -> Place {
        let to = match ty {
            Ty::Struct(_) | Ty::Tuple(_) => Step::Field(memory_field(ty, i)),
            _ => Step::Index(self.i32(i as i32)),
        };
        step(place, to)
    }

    /// The element of a place that an index names.
    pub(super) fn index(&mut self, base: &Spot, index: &Value, pos: Pos) -> Way<Spot> {
        let mut numbers = Vec::new();
        self.numbers(index, &mut numbers, pos)?;
        match base.ty.bare() {
            Ty::View { rank, element, .. } => {
                let view = self.load(base, pos)?;
                let view = self.id(&view, pos)?;
                if numbers.len() == *rank as usize {
                    let index = numbers.iter().map(|&n| self.index_number(n, pos)).collect::<Way<Vec<_>>>()?;
                    let root = Root::View { view, index };
                    return Ok(Spot::memory(Ty::clone(element), Place { root, path: Vec::new() }));
                }
                let [number] = numbers[..] else {
                    return self.broken(format!("{} indices of a view of rank {rank}", numbers.len()), pos);
                };
                self.project(&base.ty, view, number, pos).map(Spot::value)
            }
            _ if numbers.is_empty() => self.broken("an index without components", pos),
            _ => {
                let mut at = base.clone();
                for number in numbers {
                    at = self.element(&at, number, pos)?;
                }
                Ok(at)
            }
        }
    }

    /// The row of a view.
    pub(super) fn project(&mut self, ty: &Ty, view: ValueId, number: ValueId, pos: Pos) -> Way<Value> {
        let Ty::View { element, rank: rank @ 2.., access } = ty else {
            return self.broken(format!("a row of `{}`", ty.show()), pos);
        };
        let ty = Ty::View { element: element.clone(), rank: rank - 1, access: *access };
        let index = self.number_i32(number, pos)?;
        let row = self.inst(InstKind::Project { view, index }, pos)?;
        Ok(Value::one(ty, row))
    }

    /// The element of an array, the component of an index or a vector.
    fn element(&mut self, base: &Spot, number: ValueId, pos: Pos) -> Way<Spot> {
        let known = self.known(number).and_then(Const::integer);
        let ty = match &base.ty {
            Ty::Array(element, _) => Ty::clone(element),
            Ty::Index(_) | Ty::Extent(_) | Ty::TiledExtent(_) => Ty::scalar(Scalar::I32),
            Ty::TiledIndex(_) => {
                let global = self.sub(base, 0, pos)?;
                return self.element(&global, number, pos);
            }
            Ty::Data(data @ Data { width: 2.., .. }) => Ty::scalar(data.scalar),
            other => return self.broken(format!("`{}` is indexed", other.show()), pos),
        };
        let count = base.ty.data().map_or(base.ty.count(), |data| usize::from(data.width));
        if let Some(n) = known
            && !(0..count as i128).contains(&n)
        {
            let report = Diagnostic::new(Code::K0402, format!("the index {n} is out of range"))
                .at(pos, format!("`{}` has {count} of them", base.ty.show()));
            return self.fail(report);
        }
        if let (Some(n), None, false) = (known, base.ty.data(), matches!(base.at, At::Memory(_))) {
            return self.sub(base, n as usize, pos);
        }
        if count == 0 {
            // Each index is out of range.
            return match ty.holds() {
                Holds::Handle => self.chosen_view(pos),
                Holds::Nothing | Holds::Scalars => Ok(Spot { ty, at: At::Absent }),
            };
        }
        match &base.at {
            At::Memory(_) if !ty.in_memory() => Ok(Spot::value(Value::nothing(&ty))),
            At::Memory(place) => {
                let number = self.index_number(number, pos)?;
                Ok(Spot::memory(ty, step(place, Step::Index(number))))
            }
            At::Split(parts) => Ok(Spot { ty, at: At::Chosen(parts.clone(), self.index_number(number, pos)?) }),
            At::Value(value) => self.element_of(value, ty, number, pos).map(Spot::value),
            At::Chosen(..) => self.broken("a component of a number", pos),
            At::Absent => Ok(Spot { ty, at: At::Absent }),
        }
    }

    /// The element of a value, at a computed number.
    fn element_of(&mut self, value: &Value, ty: Ty, number: ValueId, pos: Pos) -> Way<Value> {
        let number = self.index_number(number, pos)?;
        if value.ty.data().is_some() {
            let value = self.id(value, pos)?;
            let component = self.inst(InstKind::ComponentAt { value, index: number }, pos)?;
            return Ok(Value::one(ty, component));
        }
        if !ty.in_memory() {
            return match value.ty.holds() {
                Holds::Nothing => Ok(Value::nothing(&ty)),
                Holds::Handle | Holds::Scalars => self.chosen_view(pos),
            };
        }
        if !matches!(value.ty, Ty::Array(..)) {
            let parts = self.spread(value, pos)?;
            let Held::Parts(parts) = parts.held else { return self.broken("an index without components", pos) };
            return self.choose(&parts, number, pos);
        }
        let Held::Kept(place) = self.keep(value, pos)?.held else { return self.broken("an array out of memory", pos) };
        Ok(Value { ty, held: Held::Kept(Rc::new(step(&place, Step::Index(number)))) })
    }

    fn chosen_view<T>(&mut self, pos: Pos) -> Way<T> {
        self.formless(
            "an array of views is indexed by a computed number",
            "which view this is can not be chosen while a kernel runs",
            "index it by constants",
            pos,
        )
    }

    /// The number at `index` of a few, zero out of range.
    pub(super) fn choose(&mut self, parts: &[Value], index: ValueId, pos: Pos) -> Way<Value> {
        let mut chosen = self.i32(0);
        for (i, part) in parts.iter().enumerate() {
            let part = self.id(part, pos)?;
            let here = self.is_at(index, i, pos)?;
            chosen = self.op(Op::Select, &[here, part, chosen], pos)?;
        }
        Ok(Value::one(Ty::scalar(Scalar::I32), chosen))
    }

    pub(super) fn is_at(&mut self, index: ValueId, i: usize, pos: Pos) -> Way<ValueId> {
        let unsigned = self.b.value_type(index).data() == Some(Data::U32);
        let i = self.b.constant(if unsigned { Const::u32(i as u32) } else { Const::i32(i as i32) });
        self.op(Op::Eq, &[index, i], pos)
    }
}

/// A place with one more step.
pub(super) fn step(place: &Place, to: Step) -> Place {
    let mut place = place.clone();
    place.path.push(to);
    place
}
