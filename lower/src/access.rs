//! Loads and stores of places, and arrays held in memory.
//!
//! An aggregate is loaded part by part, and stored part by part after all of it was loaded. Large
//! arrays are copied and filled by an instruction or a loop, so that the size of a kernel does not
//! depend on their length.

use std::rc::Rc;

use super::place::step;
use super::state::{Lower, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{RustType, memory};
use tilewise_ir::kernel::{Const, Init, InstKind, Place, Root, Step, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Scalar, Stored};

/// Arrays of at most this many elements are loaded and filled element by element.
const FEW: u64 = 16;

impl Lower {
    /// Loads the current value of a place.
    pub(super) fn load(&mut self, spot: &RustPlace, pos: Pos) -> OrNoValue<LoweredValue> {
        match &spot.at {
            SpotRoot::Split(parts) => {
                let parts = parts.iter().map(|part| self.load(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                Ok(LoweredValue::parts(spot.ty.clone(), parts))
            }
            SpotRoot::Memory(place) => self.load_place(place, &spot.ty, pos),
            SpotRoot::Chosen(parts, index) => {
                let parts = parts.iter().map(|part| self.load(part, pos)).collect::<OrNoValue<Vec<_>>>()?;
                self.choose(&parts, *index, pos)
            }
            SpotRoot::Rest(..) => {
                self.spend(spot.ty.count() as u64, pos)?;
                let mut parts = Vec::new();
                for i in 0..spot.ty.count() {
                    let part = self.sub(spot, i, pos)?;
                    parts.push(self.load(&part, pos)?);
                }
                Ok(LoweredValue::parts(spot.ty.clone(), parts))
            }
            SpotRoot::Absent => self.zero(&spot.ty, pos),
            SpotRoot::Value(value) if value.ty.data().is_some() => {
                let id = self.id(value, pos)?;
                Ok(LoweredValue::one(value.ty.clone(), id))
            }
            SpotRoot::Value(value) => Ok(value.clone()),
        }
    }

    pub(super) fn load_place(&mut self, place: &Place, ty: &RustType, pos: Pos) -> OrNoValue<LoweredValue> {
        if ty.data().is_some() {
            let id = self.inst(InstKind::Load(place.clone()), pos)?;
            if is_host_bool(place, ty) {
                let truth = self.truth(id, pos)?;
                return Ok(LoweredValue::one(ty.clone(), truth));
            }
            return Ok(match ty {
                // An element of a view of `f16` reads as an `f32`, in rustc's types too.
                RustType::Small(Stored::F16) => LoweredValue::one(RustType::scalar(Scalar::F32), id),
                _ => LoweredValue::one(ty.clone(), id),
            });
        }
        if matches!(ty, RustType::Array(..)) && ty.leaves() > FEW {
            let mut locals = Vec::new();
            let spot = self.new_variable(ty, "copy", &mut locals, pos)?;
            for local in locals {
                self.emit(InstKind::Declare { local, init: Init::Unset }, pos)?;
            }
            let SpotRoot::Memory(to) = &spot.at else { return Ok(LoweredValue::nothing(ty)) };
            self.emit(InstKind::Copy { to: Place::clone(to), from: place.clone() }, pos)?;
            return Ok(LoweredValue { ty: ty.clone(), held: HeldAs::Kept(to.clone()) });
        }
        let mut parts = Vec::new();
        for i in 0..ty.count() {
            let Some(part) = ty.part(i) else { continue };
            parts.push(match part.in_memory() {
                true => {
                    let place = self.sub_place(place, ty, i);
                    self.load_place(&place, &part, pos)?
                }
                false => LoweredValue::nothing(&part),
            });
        }
        Ok(LoweredValue::parts(ty.clone(), parts))
    }

    /// A byte from the host as a `bool`.
    fn truth(&mut self, byte: ValueId, pos: Pos) -> OrNoValue<ValueId> {
        let zero = self.b.constant(Const::u32(0));
        let width = self.b.value_type(byte).data().map_or(1, |data| data.width);
        let zero = self.widened(zero, width, pos)?;
        self.op(Op::Ne, &[byte, zero], pos)
    }

    /// Stores a value. All of the value has been loaded before.
    pub(super) fn store(&mut self, spot: &RustPlace, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        match &spot.at {
            SpotRoot::Split(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let value = self.part(value, i, pos)?;
                    self.store(part, &value, pos)?;
                }
                Ok(())
            }
            SpotRoot::Memory(place) => self.store_place(place, &spot.ty, value, pos),
            SpotRoot::Chosen(parts, index) => {
                let new = self.id(value, pos)?;
                for (i, part) in parts.iter().enumerate() {
                    let old = self.load(part, pos)?;
                    let old = self.id(&old, pos)?;
                    let here = self.is_at(*index, i, pos)?;
                    let new = self.op(Op::Select, &[here, new, old], pos)?;
                    self.store(part, &LoweredValue::one(RustType::scalar(Scalar::I32), new), pos)?;
                }
                Ok(())
            }
            SpotRoot::Rest(..) => {
                self.spend(spot.ty.count() as u64, pos)?;
                for i in 0..spot.ty.count() {
                    let (part, value) = (self.sub(spot, i, pos)?, self.part(value, i, pos)?);
                    self.store(&part, &value, pos)?;
                }
                Ok(())
            }
            SpotRoot::Absent => Ok(()),
            SpotRoot::Value(_) if spot.ty.holds() == TypeContents::Nothing => Ok(()),
            SpotRoot::Value(it) if it.ty.holds() == TypeContents::Handle => self.formless(
                format!("a name of type `{}` is given another value", spot.ty.show()),
                "which view a name stands for can not change while a kernel runs",
                "bind the other view to a name of its own",
                pos,
            ),
            // A variable that cannot be assigned to is rustc's error.
            SpotRoot::Value(_) => self.formless(
                "a part of a value that has no name is assigned to",
                "nothing reads the value behind the assignment",
                "give the value a name, `let mut value = ..;`, and assign to a part of that",
                pos,
            ),
        }
    }

    fn store_place(&mut self, place: &Place, ty: &RustType, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        if ty.data().is_some() {
            let value = self.id(value, pos)?;
            return self.emit(InstKind::Store { place: place.clone(), value }, pos).map(|_| ());
        }
        if value.ty.count() != ty.count() {
            return self.broken(format!("`{}` in place of `{}`", value.ty.show(), ty.show()), pos);
        }
        match &value.held {
            HeldAs::Kept(from) if value.ty == *ty && !is_host_bool(from, ty) => {
                let (to, from) = (place.clone(), Place::clone(from));
                return self.emit(InstKind::Copy { to, from }, pos).map(|_| ());
            }
            HeldAs::Repeat(element) if ty.count() as u64 > FEW => {
                let (element, count) = (element.clone(), ty.count() as u32);
                let Some(part) = ty.part(0).filter(RustType::in_memory) else { return Ok(()) };
                return self.count_up(count, pos, |lower, i| {
                    lower.store_place(&step(place, Step::Index(i)), &part, &element, pos)
                });
            }
            _ => {}
        }
        self.spend(ty.count() as u64, pos)?;
        for i in 0..ty.count() {
            let Some(part) = ty.part(i).filter(RustType::in_memory) else { continue };
            let value = self.part(value, i, pos)?;
            let place = self.sub_place(place, ty, i);
            self.store_place(&place, &part, &value, pos)?;
        }
        Ok(())
    }

    /// Puts an unchanging array in memory, so that it can be indexed by computed numbers: a table
    /// if it is constant, otherwise a variable.
    pub(super) fn keep(&mut self, value: &LoweredValue, pos: Pos) -> OrNoValue<LoweredValue> {
        if matches!(value.held, HeldAs::Kept(_)) {
            return Ok(value.clone());
        }
        let mut leaves = Vec::new();
        let small = value.ty.leaves() <= tilewise_ir::limits::MAX_TABLE;
        if small && self.known_leaves(value, &mut leaves) {
            self.spend(leaves.len() as u64, pos)?;
            return self.table(&value.ty, leaves, pos);
        }
        let spot = self.variable("array", &value.ty, Some(value), pos)?;
        match spot.at {
            SpotRoot::Memory(place) => Ok(LoweredValue { ty: spot.ty, held: HeldAs::Kept(place) }),
            _ => Ok(value.clone()),
        }
    }

    /// A table of constants.
    pub(super) fn table(&mut self, ty: &RustType, leaves: Vec<u64>, pos: Pos) -> OrNoValue<LoweredValue> {
        let Some(id) = memory(self.b.types(), ty) else { return Ok(LoweredValue::nothing(ty)) };
        let table = match self.tables.get(&(id, leaves.clone())) {
            Some(&table) => table,
            None => {
                let table = self.b.table("table", id, leaves.clone(), pos);
                self.tables.insert((id, leaves), table);
                table
            }
        };
        let place = Place { root: Root::Table(table), path: Vec::new() };
        Ok(LoweredValue { ty: ty.clone(), held: HeldAs::Kept(Rc::new(place)) })
    }

    /// The bits of a value if it is constant; false if it is not.
    fn known_leaves(&self, value: &LoweredValue, out: &mut Vec<u64>) -> bool {
        match &value.held {
            HeldAs::One(id) => self.known(*id).is_some_and(|known| {
                out.push(known.bits);
                true
            }),
            HeldAs::Parts(parts) => parts.iter().all(|part| self.known_leaves(part, out)),
            HeldAs::Repeat(element) => (0..value.ty.count()).all(|_| self.known_leaves(element, out)),
            HeldAs::Nothing => true,
            HeldAs::Kept(_) | HeldAs::Thread(_) | HeldAs::TiledThread | HeldAs::Place(_) => false,
        }
    }
}

/// Does it contain a `bool` that the host wrote as a byte?
fn is_host_bool(place: &Place, ty: &RustType) -> bool {
    matches!(place.root, Root::Param(_)) && ty.has_bool()
}
