//! How the source calls what bytecode accesses: kept beside the places, and read only when something is reported.

use super::code::Slot;
use super::compile::{Compiler, malformed};
use crate::kernel::{Root, Step, ValueDef, ValueId};
use crate::launch::Refusal;
use crate::types::{Name, Scalar, Type};
use crate::typing::PlaceType;

/// An instruction that a report may name.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Which instruction.
    pub(super) pc: u32,
    pub(super) what: SiteKind,
}

/// What such an instruction works on.
#[derive(Clone, Debug)]
pub(super) enum SiteKind {
    /// A place, by number.
    Place(u32),
    /// Two places, by number.
    Copy { to: u32, from: u32 },
    /// A component of a vector in the frame.
    Lane { name: Option<Name>, index: IndexWord },
    /// A view is made from another.
    View { name: Option<Name>, index_signed: bool },
}

/// A place in the words of the source.
#[derive(Clone, Debug)]
pub(super) struct PlaceWords {
    pub(super) object: Object,
    /// The name of the variable, parameter or view.
    pub(super) root: Option<Name>,
    /// The indices of a view.
    pub(super) index: Vec<IndexWord>,
    /// The way from there.
    pub(super) parts: Vec<Part>,
}

/// What a place lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Object {
    /// The elements of a view parameter, directly or through views made from it.
    View(Option<u32>),
    /// A buffer.
    Buffer(u32),
    /// A `tile_static` variable.
    Tile(u32),
    /// A local variable.
    Local(u32),
    /// A table or a uniform: constant, and so never at fault but for its indices.
    Constant,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Field(Name),
    Component(u8),
    /// An index, and the number of the place's bounded step; none for a constant that is in range.
    Index(IndexWord, Option<u32>),
}

/// An index: where it lies, and whether it is an `i32`.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexWord {
    pub(super) slot: Slot,
    pub(super) signed: bool,
}

impl IndexWord {
    /// The index as the source means it.
    pub(super) fn read(self, frame: &[u64]) -> i64 {
        signed(frame[self.slot as usize], self.signed)
    }
}

/// 32 bits of a lane as a number.
pub(super) fn signed(lane: u64, signed: bool) -> i64 {
    if signed { i64::from(lane as i32) } else { i64::from(lane as u32) }
}

impl Compiler<'_> {
    /// Is an index an `i32`?
    pub(super) fn is_signed(&self, index: ValueId) -> bool {
        self.context.data(index).is_some_and(|data| data.scalar == Scalar::I32)
    }

    fn index_word(&self, index: ValueId) -> Result<IndexWord, Refusal> {
        Ok(IndexWord { slot: self.slot(index)?, signed: self.is_signed(index) })
    }

    /// The site of an index into a vector that lies in the frame.
    pub(super) fn lane_site(&self, name: Option<&Name>, index: ValueId) -> Result<SiteKind, Refusal> {
        Ok(SiteKind::Lane { name: name.cloned(), index: self.index_word(index)? })
    }

    /// What a view is called: by its own name, else after the parameter it is made from.
    pub(super) fn view_name(&self, view: ValueId) -> Option<Name> {
        let value = self.context.values.get(view.index())?;
        let param = || Some(&self.context.params.get(self.view_of[view.index()]? as usize)?.name);
        match (&value.name, value.def) {
            (Some(name), _) => Some(name.clone()),
            (None, ValueDef::Param(_)) => param().cloned(),
            (None, _) => param().map(|name| format!("view of {name}").into()),
        }
    }

    /// The words for where a place begins.
    pub(super) fn root_words(&self, root: &Root) -> Result<PlaceWords, Refusal> {
        let param = |i: usize| self.context.params.get(i).map(|param| param.name.clone());
        let (object, root, index) = match root {
            Root::View { view, index } => {
                let index = index.iter().map(|&index| self.index_word(index)).collect::<Result<_, _>>()?;
                (Object::View(self.view_of[view.index()]), self.view_name(*view), index)
            }
            Root::Param(id) => {
                let constant = matches!(self.context.params[id.index()].kind, crate::kernel::ParamKind::Uniform(_));
                let object = if constant { Object::Constant } else { Object::Buffer(id.index() as u32) };
                (object, param(id.index()), Vec::new())
            }
            Root::Tile(id) => {
                let name = self.context.tile_vars.get(id.index()).map(|var| var.name.clone());
                (Object::Tile(id.index() as u32), name, Vec::new())
            }
            Root::Table(id) => {
                let name = self.context.tables.get(id.index()).map(|table| table.name.clone());
                (Object::Constant, name, Vec::new())
            }
            Root::Local(id) => {
                let name = self.context.locals.get(id.index()).map(|local| local.name.clone());
                (Object::Local(id.index() as u32), name, Vec::new())
            }
            Root::Ref(_) => return Err(malformed("a reference outside a function")),
        };
        Ok(PlaceWords { object, root, index, parts: Vec::new() })
    }

    /// The words for a step.
    pub(super) fn step_words(&self, at: PlaceType, step: &Step) -> Result<Option<Part>, Refusal> {
        let PlaceType::Whole(id) = at else { return Ok(None) };
        Ok(match (self.kernel.types().get(id), *step) {
            (Type::Struct(s), Step::Field(i)) => s.fields.get(i as usize).map(|field| Part::Field(field.name.clone())),
            (_, Step::Component(i)) => Some(Part::Component(i)),
            (_, Step::Index(index)) => Some(Part::Index(self.index_word(index)?, None)),
            _ => None,
        })
    }
}
