//! Descriptions of places in source terms: stored beside the places, and read only for reports.

use super::code::FrameSlot;
use super::compile::{Compiler, malformed};
use tilewise_ir::kernel::{Root, Step, ValueDef, ValueId};
use tilewise_ir::launch::Refusal;
use tilewise_ir::types::{Name, Scalar, Type};
use tilewise_ir::typing::PlaceType;

/// An instruction that may occur in a report.
#[derive(Clone, Debug)]
pub(super) struct AccessSite {
    /// Index of the instruction.
    pub(super) pc: u32,
    pub(super) what: AccessSiteKind,
}

/// The operand of such an instruction.
#[derive(Clone, Debug)]
pub(super) enum AccessSiteKind {
    /// A place, by index.
    Place(u32),
    /// Two places, by index.
    Copy { to: u32, from: u32 },
    /// A component of a vector in the frame.
    Lane { name: Option<Name>, index: IndexWord },
    /// The source of a new view.
    View { name: Option<Name>, index_signed: bool },
}

/// A place in source terms.
#[derive(Clone, Debug)]
pub(super) struct PlaceWords {
    pub(super) object: PlaceObject,
    /// The name of the variable, parameter or view.
    pub(super) root: Option<Name>,
    /// The indices of a view.
    pub(super) index: Vec<IndexWord>,
    /// The path from the root.
    pub(super) parts: Vec<PlaceStep>,
}

/// The object that contains a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceObject {
    /// The elements of a view parameter, directly or through views made from it.
    View(Option<u32>),
    /// A buffer.
    Buffer(u32),
    /// A `tile_static` variable.
    Tile(u32),
    /// A local variable.
    Local(u32),
    /// A table or a uniform: constant, so only its indices can be wrong.
    Constant,
}

/// One step of a path.
#[derive(Clone, Debug)]
pub(super) enum PlaceStep {
    Field(Name),
    Component(u8),
    /// An index, and the number of the place's bounds-checked step; `None` for a constant in range.
    Index(IndexWord, Option<u32>),
}

/// An index: its slot, and whether it is an `i32`.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexWord {
    pub(super) slot: FrameSlot,
    pub(super) signed: bool,
}

impl IndexWord {
    /// The value of the index, with its sign.
    pub(super) fn read(self, frame: &[u64]) -> i64 {
        signed(frame[self.slot as usize], self.signed)
    }
}

/// The low 32 bits of a lane as a number.
pub(super) fn signed(lane: u64, signed: bool) -> i64 {
    if signed { i64::from(lane as i32) } else { i64::from(lane as u32) }
}

impl Compiler<'_> {
    /// Whether an index is an `i32`.
    pub(super) fn is_signed(&self, index: ValueId) -> bool {
        self.context.data(index).is_some_and(|data| data.scalar == Scalar::I32)
    }

    fn index_word(&self, index: ValueId) -> Result<IndexWord, Refusal> {
        Ok(IndexWord { slot: self.slot(index)?, signed: self.is_signed(index) })
    }

    /// The site of a dynamic index into a vector in the frame.
    pub(super) fn lane_site(&self, name: Option<&Name>, index: ValueId) -> Result<AccessSiteKind, Refusal> {
        Ok(AccessSiteKind::Lane { name: name.cloned(), index: self.index_word(index)? })
    }

    /// The name of a view: its own, or that of the parameter from which it is made.
    pub(super) fn view_name(&self, view: ValueId) -> Option<Name> {
        let value = self.context.values.get(view.index())?;
        let param = || Some(&self.context.params.get(self.origins.of_view(view)?.param.index())?.name);
        match (&value.name, value.def) {
            (Some(name), _) => Some(name.clone()),
            (None, ValueDef::Param(_)) => param().cloned(),
            (None, _) => param().map(|name| format!("view of {name}").into()),
        }
    }

    /// The description of a place's root.
    pub(super) fn root_words(&self, root: &Root) -> Result<PlaceWords, Refusal> {
        let param = |i: usize| self.context.params.get(i).map(|param| param.name.clone());
        let (object, root, index) = match root {
            Root::View { view, index } => {
                let index = index.iter().map(|&index| self.index_word(index)).collect::<Result<_, _>>()?;
                let origin = self.origins.of_view(*view).map(|origin| origin.param.index() as u32);
                (PlaceObject::View(origin), self.view_name(*view), index)
            }
            Root::Param(id) => {
                let constant =
                    matches!(self.context.params[id.index()].kind, tilewise_ir::kernel::ParamKind::Uniform(_));
                let object = if constant { PlaceObject::Constant } else { PlaceObject::Buffer(id.index() as u32) };
                (object, param(id.index()), Vec::new())
            }
            Root::Tile(id) => {
                let name = self.context.tile_vars.get(id.index()).map(|var| var.name.clone());
                (PlaceObject::Tile(id.index() as u32), name, Vec::new())
            }
            Root::Table(id) => {
                let name = self.context.tables.get(id.index()).map(|table| table.name.clone());
                (PlaceObject::Constant, name, Vec::new())
            }
            Root::Local(id) => {
                let name = self.context.locals.get(id.index()).map(|local| local.name.clone());
                (PlaceObject::Local(id.index() as u32), name, Vec::new())
            }
            Root::Ref(_) => return Err(malformed("a reference outside a function")),
        };
        Ok(PlaceWords { object, root, index, parts: Vec::new() })
    }

    /// The description of a step.
    pub(super) fn step_words(&self, at: PlaceType, step: &Step) -> Result<Option<PlaceStep>, Refusal> {
        let PlaceType::Whole(id) = at else { return Ok(None) };
        Ok(match (self.kernel.types().get(id), *step) {
            (Type::Struct(s), Step::Field(i)) => {
                s.fields.get(i as usize).map(|field| PlaceStep::Field(field.name.clone()))
            }
            (_, Step::Component(i)) => Some(PlaceStep::Component(i)),
            (_, Step::Index(index)) => Some(PlaceStep::Index(self.index_word(index)?, None)),
            _ => None,
        })
    }
}
