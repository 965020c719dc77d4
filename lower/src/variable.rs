//! Local variables: one for each part of a struct or tuple, one for a whole array.

use super::state::{Lower, OrNoValue};
use super::types::TypeContents;
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use super::{RustType, memory};
use tilewise_ir::kernel::{Init, InstKind, LocalId, Root};
use tilewise_ir::pos::Pos;

impl Lower {
    /// New variables for a value of a type; the caller emits their declarations.
    pub(super) fn new_variable(
        &mut self,
        ty: &RustType,
        name: &str,
        locals: &mut Vec<LocalId>,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        match ty.holds() {
            TypeContents::Nothing => return Ok(RustPlace::value(LoweredValue::nothing(ty))),
            TypeContents::Handle => {
                return self.formless(
                    format!("`{name}` is a variable of type `{}`", ty.show()),
                    "a view or an atomic reference has no variable",
                    "bind it to a name that does not change",
                    pos,
                );
            }
            TypeContents::Scalars => {}
        }
        let whole = match ty {
            RustType::Array(..) => memory(self.b.types(), ty),
            // Outside memory, an 8- or 16-bit number has the width of the number that it reads as.
            _ => ty.data().map(|data| self.b.types().data(data)),
        };
        if let Some(id) = whole {
            let local = self.b.local(name, id);
            locals.push(local);
            return Ok(RustPlace::memory(ty.clone(), super::local(local)));
        }
        let mut parts = Vec::new();
        for i in 0..ty.count() {
            let Some(part) = ty.part(i) else { continue };
            parts.push(self.new_variable(&part, &format!("{name}_{}", ty.part_name(i)), locals, pos)?);
        }
        Ok(RustPlace::new(ty.clone(), SpotRoot::Split(parts.into())))
    }

    /// A variable with an initial value, or one that is written before it is read.
    pub(super) fn variable(
        &mut self,
        name: &str,
        ty: &RustType,
        value: Option<&LoweredValue>,
        pos: Pos,
    ) -> OrNoValue<RustPlace> {
        let mut locals = Vec::new();
        let spot = self.new_variable(ty, name, &mut locals, pos)?;
        match value {
            Some(value) => self.begin_with(&spot, value, pos)?,
            // rustc has proved that it is written first; the other path that the checker sees is
            // that of a thread that has ended.
            None => {
                for local in locals {
                    self.emit(InstKind::Declare { local, init: Init::Zero }, pos)?;
                }
            }
        }
        Ok(spot)
    }

    fn begin_with(&mut self, spot: &RustPlace, value: &LoweredValue, pos: Pos) -> OrNoValue<()> {
        match &spot.at {
            SpotRoot::Memory(place) => {
                let Root::Local(local) = place.root else { return Ok(()) };
                if spot.ty.data().is_some() {
                    let value = self.id(value, pos)?;
                    return self.emit(InstKind::Declare { local, init: Init::Value(value) }, pos).map(|_| ());
                }
                if self.is_zero(value) {
                    return self.emit(InstKind::Declare { local, init: Init::Zero }, pos).map(|_| ());
                }
                self.emit(InstKind::Declare { local, init: Init::Unset }, pos)?;
                self.store(spot, value, pos)
            }
            SpotRoot::Split(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    let value = self.part(value, i, pos)?;
                    self.begin_with(part, &value, pos)?;
                }
                Ok(())
            }
            SpotRoot::Chosen(..) | SpotRoot::Rest(..) | SpotRoot::Absent | SpotRoot::Value(_) => Ok(()),
        }
    }

    /// Is every scalar known to be zero?
    fn is_zero(&self, value: &LoweredValue) -> bool {
        match &value.held {
            HeldAs::One(id) => self.known(*id).is_some_and(|known| known.bits == 0),
            HeldAs::Parts(parts) => parts.iter().all(|part| self.is_zero(part)),
            HeldAs::Repeat(element) => self.is_zero(element),
            _ => false,
        }
    }
}
