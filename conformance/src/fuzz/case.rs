//! A kernel with a launch of it.

use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory};
use tilewise_ir::types::{Type, TypeId};

use crate::memory_difference::{MemoryDifference, memory_difference};

/// How parameters of a kernel share memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Alias {
    /// Each has an allocation of its own.
    Apart,
    /// Several read the same bytes, which none writes.
    ReadTwice,
    /// The same elements under one type, reached through two views by the thread that owns them.
    OwnTwice,
    /// The same elements under two types, reached by the thread that owns them.
    OwnAcrossTypes,
    /// One is written, the other read only, both at the elements that the thread owns.
    WriteAndRead,
    /// Elements of two views, interleaved: their bytes are close, never the same.
    Interleaved,
    /// A view and a buffer over the same bytes.
    ViewAndBuffer,
}

impl Alias {
    /// All of them.
    pub const ALL: [Alias; 7] = [
        Alias::Apart,
        Alias::ReadTwice,
        Alias::OwnTwice,
        Alias::OwnAcrossTypes,
        Alias::WriteAndRead,
        Alias::Interleaved,
        Alias::ViewAndBuffer,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Alias::Apart => "apart",
            Alias::ReadTwice => "read twice",
            Alias::OwnTwice => "own elements twice",
            Alias::OwnAcrossTypes => "own elements across types",
            Alias::WriteAndRead => "written and read only",
            Alias::Interleaved => "interleaved",
            Alias::ViewAndBuffer => "view and buffer",
        }
    }
}

/// A kernel and one launch of it.
#[derive(Clone, Debug)]
pub struct FuzzCase {
    /// The kernel.
    pub kernel: Kernel,
    /// The domain.
    pub domain: Domain,
    /// The memory before the launch.
    pub memory: LaunchMemory,
    /// The argument of each parameter.
    pub arguments: Vec<Argument>,
    /// How the parameters share memory.
    pub aliases: Vec<Alias>,
}

impl FuzzCase {
    /// The first difference of two memories that launches of this case left: bit for bit, except
    /// that any NaN equals any NaN where a parameter stores floats and none stores anything else.
    pub fn compare(&self, left: &LaunchMemory, right: &LaunchMemory) -> Option<MemoryDifference> {
        memory_difference(&self.kernel, &self.arguments, left, right)
    }
}

/// The runtime-sized array that a type ends in: its offset, its element, its stride.
pub(super) fn tail(types: &tilewise_ir::types::Types, ty: TypeId) -> Option<(u64, TypeId, u32)> {
    match types.get(ty) {
        Type::Array { element, length: None, stride } => Some((0, *element, *stride)),
        Type::Struct(s) => {
            let last = s.fields.last()?;
            tail(types, last.ty).map(|(from, element, stride)| (from + u64::from(last.offset), element, stride))
        }
        _ => None,
    }
}
