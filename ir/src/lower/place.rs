//! Places: which one an expression names, how it is read and written, and the way to its parts.
//!
//! A place is worked out once, its indices included; reading it happens later, and only of what is wanted: `v[i].pos.x` loads one number.

use std::rc::Rc;

use tilewise_ast::{Expr, Kind};

use super::state::{Bound, Lower, Stop, Way};
use super::types::memory_field;
use super::value::{At, Held, Spot, Value};
use super::{Ty, memory};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Const, Init, InstKind, Place, Root, Step, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::{Data, Scalar};

/// Elements up to which an array is loaded element by element; a larger one is copied.
const FEW: u64 = 16;

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
                self.deeper(pos)?;
                let spot = self.place_within(expr, pos);
                self.levels -= 1;
                spot
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
        }
    }

    fn sub_place(&mut self, place: &Place, ty: &Ty, i: usize) -> Place {
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
        match &base.at {
            At::Memory(_) if !ty.in_memory() => Ok(Spot::value(Value::nothing(&ty))),
            At::Memory(place) => {
                let number = self.index_number(number, pos)?;
                Ok(Spot::memory(ty, step(place, Step::Index(number))))
            }
            At::Split(parts) => Ok(Spot { ty, at: At::Chosen(parts.clone(), self.index_number(number, pos)?) }),
            At::Value(value) => self.element_of(value, ty, number, pos).map(Spot::value),
            At::Chosen(..) => self.broken("a component of a number", pos),
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
                super::types::Holds::Nothing => Ok(Value::nothing(&ty)),
                _ => self.formless(
                    "an array of views is indexed by a computed number",
                    "which view this is can not be chosen while a kernel runs",
                    "index it by constants",
                    pos,
                ),
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

    /// The number at `index` of a few, zero out of range.
    fn choose(&mut self, parts: &[Value], index: ValueId, pos: Pos) -> Way<Value> {
        let mut chosen = self.i32(0);
        for (i, part) in parts.iter().enumerate() {
            let part = self.id(part, pos)?;
            let here = self.is_at(index, i, pos)?;
            chosen = self.op(Op::Select, &[here, part, chosen], pos)?;
        }
        Ok(Value::one(Ty::scalar(Scalar::I32), chosen))
    }

    fn is_at(&mut self, index: ValueId, i: usize, pos: Pos) -> Way<ValueId> {
        let unsigned = self.b.value_type(index).data() == Some(Data::U32);
        let i = self.b.constant(if unsigned { Const::u32(i as u32) } else { Const::i32(i as i32) });
        self.op(Op::Eq, &[index, i], pos)
    }

    /// What is there now.
    pub(super) fn load(&mut self, spot: &Spot, pos: Pos) -> Way<Value> {
        match &spot.at {
            At::Split(parts) => {
                let parts = parts.iter().map(|part| self.load(part, pos)).collect::<Way<Vec<_>>>()?;
                Ok(Value::parts(spot.ty.clone(), parts))
            }
            At::Memory(place) => self.load_place(place, &spot.ty, pos),
            At::Chosen(parts, index) => {
                let parts = parts.iter().map(|part| self.load(part, pos)).collect::<Way<Vec<_>>>()?;
                self.choose(&parts, *index, pos)
            }
            At::Value(value) if value.ty.data().is_some() => {
                let id = self.id(value, pos)?;
                Ok(Value::one(value.ty.clone(), id))
            }
            At::Value(value) => Ok(value.clone()),
        }
    }

    fn load_place(&mut self, place: &Place, ty: &Ty, pos: Pos) -> Way<Value> {
        if ty.data().is_some() {
            let id = self.inst(InstKind::Load(place.clone()), pos)?;
            // The element of a view of 8- or 16-bit numbers reads as a number of 32 bits, for rustc too.
            let widened = matches!((&place.root, &place.path[..]), (Root::View { .. }, []));
            return Ok(match ty {
                Ty::Small(stored) if widened => Value::one(Ty::scalar(stored.value()), id),
                _ => Value::one(ty.clone(), id),
            });
        }
        if matches!(ty, Ty::Array(..)) && ty.leaves() > FEW {
            let mut locals = Vec::new();
            let spot = self.new_variable(ty, "copy", &mut locals, pos)?;
            for local in locals {
                self.emit(InstKind::Declare { local, init: Init::Unset }, pos)?;
            }
            let At::Memory(to) = &spot.at else { return Ok(Value::nothing(ty)) };
            self.emit(InstKind::Copy { to: Place::clone(to), from: place.clone() }, pos)?;
            return Ok(Value { ty: ty.clone(), held: Held::Kept(to.clone()) });
        }
        let mut parts = Vec::new();
        for i in 0..ty.count() {
            let Some(part) = ty.part(i) else { continue };
            parts.push(match part.in_memory() {
                true => {
                    let place = self.sub_place(place, ty, i);
                    self.load_place(&place, &part, pos)?
                }
                false => Value::nothing(&part),
            });
        }
        Ok(Value::parts(ty.clone(), parts))
    }

    /// Sets what is there. All of the value has been read before.
    pub(super) fn store(&mut self, spot: &Spot, value: &Value, pos: Pos) -> Way<()> {
        match &spot.at {
            At::Split(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let value = self.part(value, i, pos)?;
                    self.store(part, &value, pos)?;
                }
                Ok(())
            }
            At::Memory(place) => self.store_place(place, &spot.ty, value, pos),
            At::Chosen(parts, index) => {
                let new = self.id(value, pos)?;
                for (i, part) in parts.iter().enumerate() {
                    let old = self.load(part, pos)?;
                    let old = self.id(&old, pos)?;
                    let here = self.is_at(*index, i, pos)?;
                    let new = self.op(Op::Select, &[here, new, old], pos)?;
                    self.store(part, &Value::one(Ty::scalar(Scalar::I32), new), pos)?;
                }
                Ok(())
            }
            At::Value(_) if spot.ty.holds() == super::types::Holds::Nothing => Ok(()),
            At::Value(it) if it.ty.holds() == super::types::Holds::Handle => self.formless(
                format!("a name of type `{}` is given another value", spot.ty.show()),
                "which view a name stands for can not change while a kernel runs",
                "bind the other view to a name of its own",
                pos,
            ),
            At::Value(_) => self.broken("what is assigned to is no place", pos),
        }
    }

    fn store_place(&mut self, place: &Place, ty: &Ty, value: &Value, pos: Pos) -> Way<()> {
        if ty.data().is_some() {
            let value = self.id(value, pos)?;
            return self.emit(InstKind::Store { place: place.clone(), value }, pos).map(|_| ());
        }
        if value.ty.count() != ty.count() {
            return self.broken(format!("`{}` in place of `{}`", value.ty.show(), ty.show()), pos);
        }
        match &value.held {
            Held::Kept(from) if value.ty == *ty => {
                let (to, from) = (place.clone(), Place::clone(from));
                return self.emit(InstKind::Copy { to, from }, pos).map(|_| ());
            }
            Held::Repeat(element) if ty.count() as u64 > FEW => {
                let (element, count) = (element.clone(), ty.count() as u32);
                let Some(part) = ty.part(0).filter(Ty::in_memory) else { return Ok(()) };
                return self.count_up(count, pos, |lower, i| {
                    lower.store_place(&step(place, Step::Index(i)), &part, &element, pos)
                });
            }
            _ => {}
        }
        self.spend(ty.count() as u64, pos)?;
        for i in 0..ty.count() {
            let Some(part) = ty.part(i).filter(Ty::in_memory) else { continue };
            let value = self.part(value, i, pos)?;
            let place = self.sub_place(place, ty, i);
            self.store_place(&place, &part, &value, pos)?;
        }
        Ok(())
    }

    /// Puts an array that does not change in memory, so that it can be indexed by computed numbers: a table if it is constant, else a variable.
    pub(super) fn keep(&mut self, value: &Value, pos: Pos) -> Way<Value> {
        if matches!(value.held, Held::Kept(_)) {
            return Ok(value.clone());
        }
        let mut leaves = Vec::new();
        let small = value.ty.leaves() <= crate::limits::MAX_TABLE;
        if small && self.known_leaves(value, &mut leaves) {
            self.spend(leaves.len() as u64, pos)?;
            return self.table(&value.ty, leaves, pos);
        }
        let spot = self.variable("array", &value.ty, Some(value), pos)?;
        match spot.at {
            At::Memory(place) => Ok(Value { ty: spot.ty, held: Held::Kept(place) }),
            _ => Ok(value.clone()),
        }
    }

    /// A table of constants.
    pub(super) fn table(&mut self, ty: &Ty, leaves: Vec<u64>, pos: Pos) -> Way<Value> {
        let Some(id) = memory(self.b.types(), ty) else { return Ok(Value::nothing(ty)) };
        let table = match self.tables.get(&(id, leaves.clone())) {
            Some(&table) => table,
            None => {
                let table = self.b.table("table", id, leaves.clone(), pos);
                self.tables.insert((id, leaves), table);
                table
            }
        };
        let place = Place { root: Root::Table(table), path: Vec::new() };
        Ok(Value { ty: ty.clone(), held: Held::Kept(Rc::new(place)) })
    }

    /// The bits of a value that is known; false if it is not.
    fn known_leaves(&self, value: &Value, out: &mut Vec<u64>) -> bool {
        match &value.held {
            Held::One(id) => self.known(*id).is_some_and(|known| {
                out.push(known.bits);
                true
            }),
            Held::Parts(parts) => parts.iter().all(|part| self.known_leaves(part, out)),
            Held::Repeat(element) => (0..value.ty.count()).all(|_| self.known_leaves(element, out)),
            Held::Nothing => true,
            Held::Kept(_) | Held::Thread(_) | Held::TiledThread | Held::Place(_) => false,
        }
    }

    /// An `i32` or `u32` of what an index is. Beyond these types it is out of range, and stays so.
    pub(super) fn index_number(&mut self, number: ValueId, pos: Pos) -> Way<ValueId> {
        let Some(data) = self.b.value_type(number).data().filter(|data| data.scalar.is_integer() && !data.is_vector())
        else {
            return self.broken("an index that is no integer", pos);
        };
        if let Some(known) = self.known(number).and_then(Const::integer) {
            let fits = i32::try_from(known).ok().map(Const::i32);
            if let Some(constant) = fits {
                return Ok(self.b.constant(constant));
            }
        }
        match data.scalar {
            Scalar::I64 => {
                let lo = self.b.constant(Const::i64(i64::from(i32::MIN)));
                let hi = self.b.constant(Const::i64(i64::from(i32::MAX)));
                let near = self.op(Op::Clamp, &[number, lo, hi], pos)?;
                self.op(Op::ToI32, &[near], pos)
            }
            Scalar::U64 => {
                let hi = self.b.constant(Const::u64(i32::MAX as u64));
                let near = self.op(Op::Min, &[number, hi], pos)?;
                self.op(Op::ToI32, &[near], pos)
            }
            _ => Ok(number),
        }
    }

    /// An `i32` of what an index is; what lies beyond is negative or the largest.
    pub(super) fn number_i32(&mut self, number: ValueId, pos: Pos) -> Way<ValueId> {
        let number = self.index_number(number, pos)?;
        match self.b.value_type(number).data() {
            Some(Data::U32) => self.op(Op::ToI32, &[number], pos),
            _ => Ok(number),
        }
    }
}

/// A place with one more step.
fn step(place: &Place, to: Step) -> Place {
    let mut place = place.clone();
    place.path.push(to);
    place
}
