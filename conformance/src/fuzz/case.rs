//! A kernel with a launch of it, and the comparison of the memory that two launches leave.

use std::fmt;

use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory};
use tilewise_ir::types::{Stored, Type, TypeId};

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

/// The first place where two memories differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryDifference {
    /// The index of the allocation.
    pub allocation: usize,
    /// The offset of the byte in it.
    pub byte: usize,
    /// A parameter that reaches the byte, and the scalar that it stores there.
    pub through: Option<(String, Stored)>,
    /// The bytes of that scalar in the first memory, or the one byte.
    pub left: Vec<u8>,
    /// The same in the second.
    pub right: Vec<u8>,
}

impl fmt::Display for MemoryDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |bytes: &[u8]| bytes.iter().rev().map(|b| format!("{b:02x}")).collect::<String>();
        write!(f, "byte {} of allocation {}", self.byte, self.allocation)?;
        if let Some((name, stored)) = &self.through {
            write!(f, " (`{name}`, {stored})")?;
        }
        write!(f, ": 0x{} and 0x{}", hex(&self.left), hex(&self.right))
    }
}

impl FuzzCase {
    /// The first difference of two memories that launches of this case left: bit for bit, except
    /// that any NaN equals any NaN where a parameter stores floats and none stores anything else.
    pub fn compare(&self, left: &LaunchMemory, right: &LaunchMemory) -> Option<MemoryDifference> {
        let whole = |allocation: usize, byte: usize, left: &[u8], right: &[u8]| MemoryDifference {
            allocation,
            byte,
            through: None,
            left: left.to_vec(),
            right: right.to_vec(),
        };
        if left.allocations.len() != right.allocations.len() {
            return Some(whole(left.allocations.len().min(right.allocations.len()), 0, &[], &[]));
        }
        for (allocation, (a, b)) in left.allocations.iter().zip(&right.allocations).enumerate() {
            if a == b {
                continue;
            }
            if a.len() != b.len() {
                return Some(whole(allocation, a.len().min(b.len()), &[], &[]));
            }
            let leaves = self.leaves(allocation, a.len());
            for at in (0..a.len()).filter(|&at| a[at] != b[at]) {
                let Some(leaf) = leaves[at] else { return Some(whole(allocation, at, &a[at..=at], &b[at..=at])) };
                let bytes = leaf.start..leaf.start + leaf.stored.size() as usize;
                let (x, y) = (&a[bytes.clone()], &b[bytes]);
                if leaf.sole && is_nan(leaf.stored, x) && is_nan(leaf.stored, y) {
                    continue;
                }
                let name = self.kernel.params()[leaf.param].name.to_string();
                return Some(MemoryDifference {
                    allocation,
                    byte: leaf.start,
                    through: Some((name, leaf.stored)),
                    left: x.to_vec(),
                    right: y.to_vec(),
                });
            }
        }
        None
    }

    /// The scalar at each byte of an allocation.
    fn leaves(&self, allocation: usize, size: usize) -> Vec<Option<ScalarAt>> {
        let types = self.kernel.types();
        let mut map: Vec<Option<ScalarAt>> = vec![None; size];
        let mut claim = |param: usize, start: u64, stored: Stored| {
            let leaf = ScalarAt { param, start: start as usize, stored, sole: true };
            for at in leaf.start..leaf.start + stored.size() as usize {
                match map.get_mut(at) {
                    Some(Some(other)) if other.start != leaf.start || other.stored != stored => other.sole = false,
                    Some(free @ None) => *free = Some(leaf),
                    _ => {}
                }
            }
        };
        for (i, (param, argument)) in self.kernel.params().iter().zip(&self.arguments).enumerate() {
            match (param.kind, argument) {
                (ParamKind::View(ty), Argument::View(view)) if view.allocation == allocation => {
                    let stride = types.element_size(ty.element);
                    each_index(&view.extent, &mut |index| {
                        let at: u64 = index.iter().zip(&view.strides).map(|(&i, &s)| i as u64 * s).sum();
                        types.leaves(ty.element, &mut |o, stored| claim(i, view.offset + at * stride + o, stored));
                    });
                }
                (ParamKind::Buffer { ty, .. }, Argument::Buffer { allocation: in_allocation, offset, size })
                    if *in_allocation == allocation =>
                {
                    types.leaves(ty, &mut |o, stored| claim(i, offset + o, stored));
                    if let Some((from, element, stride)) = tail(types, ty) {
                        let step = u64::from(stride).max(1);
                        for n in 0..size.saturating_sub(from) / step {
                            types.leaves(element, &mut |o, stored| claim(i, offset + from + n * step + o, stored));
                        }
                    }
                }
                _ => {}
            }
        }
        map
    }
}

/// The scalar at a byte.
#[derive(Clone, Copy, Debug)]
struct ScalarAt {
    param: usize,
    start: usize,
    stored: Stored,
    /// No parameter reaches these bytes under another type.
    sole: bool,
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

/// Every index of an extent.
fn each_index(extent: &[i32], f: &mut dyn FnMut(&[i32])) {
    if extent.iter().any(|&e| e <= 0) {
        return;
    }
    let mut index = vec![0; extent.len()];
    loop {
        f(&index);
        let Some(d) = (0..extent.len()).rev().find(|&d| index[d] + 1 < extent[d]) else { return };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}

/// Are these the bytes of a NaN?
fn is_nan(stored: Stored, bytes: &[u8]) -> bool {
    let bits = bytes.iter().rev().fold(0u64, |bits, &b| bits << 8 | u64::from(b));
    match stored {
        Stored::F16 => bits & 0x7fff > 0x7c00,
        Stored::F32 => f32::from_bits(bits as u32).is_nan(),
        Stored::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}
