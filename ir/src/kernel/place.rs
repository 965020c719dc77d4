//! Places in memory (a root and a path), and arguments of calls.

use super::{LocalId, ParamId, TableId, TileVarId, ValueId};

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CallArgument {
    /// For [`FnParamKind::Value`](super::FnParamKind::Value).
    Value(ValueId),
    /// For [`FnParamKind::Ref`](super::FnParamKind::Ref).
    Place(Place),
}

/// A place in memory: a root and a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The root.
    pub root: Root,
    /// The path from the root.
    pub path: Vec<Step>,
}

/// The root of a [`Place`].
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
    /// The referent of the function's parameter with this number. Only in a function.
    Ref(u32),
}

/// One step of the path of a [`Place`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A field of a struct, by position.
    Field(u32),
    /// A component of a vector, by position.
    Component(u8),
    /// An element of an array or a component of a vector, at an `i32` or `u32`. Out of range reads
    /// zero and writes nothing.
    Index(ValueId),
}
