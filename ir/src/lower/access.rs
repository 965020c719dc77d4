//! Reading and writing places, and arrays that do not change.
//!
//! An aggregate is read part by part, and written part by part once all of it has been read. Large arrays are copied and filled by an instruction or a loop, so that a kernel does not grow with their length.

use std::rc::Rc;

use super::place::step;
use super::state::{Lower, Way};
use super::types::Holds;
use super::value::{At, Held, Spot, Value};
use super::{Ty, memory};
use crate::kernel::{Const, Init, InstKind, Place, Root, Step, ValueId};
use crate::ops::Op;
use crate::pos::Pos;
use crate::types::Scalar;

/// Elements up to which an array is loaded and filled element by element.
const FEW: u64 = 16;

impl Lower {
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
            At::Absent => self.zero(&spot.ty, pos),
            At::Value(value) if value.ty.data().is_some() => {
                let id = self.id(value, pos)?;
                Ok(Value::one(value.ty.clone(), id))
            }
            At::Value(value) => Ok(value.clone()),
        }
    }

    pub(super) fn load_place(&mut self, place: &Place, ty: &Ty, pos: Pos) -> Way<Value> {
        if ty.data().is_some() {
            let id = self.inst(InstKind::Load(place.clone()), pos)?;
            // The element of a view of 8- or 16-bit numbers reads as a number of 32 bits, for rustc too.
            let widened = matches!((&place.root, &place.path[..]), (Root::View { .. }, []));
            if is_host_bool(place, ty) {
                let truth = self.truth(id, pos)?;
                return Ok(Value::one(ty.clone(), truth));
            }
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

    /// A byte from the host as a `bool`.
    fn truth(&mut self, byte: ValueId, pos: Pos) -> Way<ValueId> {
        let zero = self.b.constant(Const::u32(0));
        let width = self.b.value_type(byte).data().map_or(1, |data| data.width);
        let zero = self.widened(zero, width, pos)?;
        self.op(Op::Ne, &[byte, zero], pos)
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
            At::Absent => Ok(()),
            At::Value(_) if spot.ty.holds() == Holds::Nothing => Ok(()),
            At::Value(it) if it.ty.holds() == Holds::Handle => self.formless(
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
            Held::Kept(from) if value.ty == *ty && !is_host_bool(from, ty) => {
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
}

/// Has it a `bool` in it that the host wrote as a byte?
fn is_host_bool(place: &Place, ty: &Ty) -> bool {
    matches!(place.root, Root::Param(_)) && ty.has_bool()
}
