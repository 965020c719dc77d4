//! Places in memory: a root and the way from it; and what a call hands over.

use super::{LocalId, ParamId, TableId, TileVarId, ValueId};

/// What is handed over for a parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CallArgument {
    /// For [`FnParamKind::Value`](super::FnParamKind::Value).
    Value(ValueId),
    /// For [`FnParamKind::Ref`](super::FnParamKind::Ref).
    Place(Place),
}

/// A place in memory: a root and the way from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where the way begins.
    pub root: Root,
    /// The way.
    pub path: Vec<Step>,
}

/// Where a [`Place`] begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// An element of a view.
    View {
        /// The view.
        view: ValueId,
        /// An `i32` or `u32` for each dimension, the most significant first.
        index: Vec<ValueId>,
    },
    /// A parameter of the kernel: a buffer, or a uniform aggregate. Only in the kernel's own body.
    Param(ParamId),
    /// A `tile_static` variable.
    Tile(TileVarId),
    /// A constant table.
    Table(TableId),
    /// A local variable.
    Local(LocalId),
    /// What the parameter of that number refers to. Only in a function.
    Ref(u32),
}

/// One step of a [`Place`]'s way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A field of a struct, by position.
    Field(u32),
    /// A component of a vector, by position.
    Component(u8),
    /// An element of an array or a component of a vector, at an `i32` or `u32`. Out of range reads zero and writes nothing.
    Index(ValueId),
}
