//! Copies of aggregates: which bytes of a type are scalars. Gaps between them are not touched.

use super::memory::{Address, Space};
use crate::types::{Type, TypeId, Types};

/// The bytes of a type that its scalars take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// So many bytes from the first.
    Run(u64),
    /// Parts, each at an offset.
    Parts(Vec<(u64, Shape)>),
    /// The same so many times, so many bytes apart.
    Repeat(u32, u32, Box<Shape>),
}

impl Shape {
    /// The shape of a type of fixed size.
    pub(super) fn new(types: &Types, id: TypeId) -> Shape {
        match types.get(id) {
            Type::Scalar(_) | Type::Vector(..) => Shape::Run(types.size(id)),
            Type::Array { element, length, stride } => {
                let length = length.unwrap_or(0);
                match Shape::new(types, *element) {
                    Shape::Run(size) if size == u64::from(*stride) || length <= 1 => {
                        Shape::Run(size * u64::from(length))
                    }
                    // A stride of 0 puts all elements in one place.
                    shape => Shape::Repeat(if *stride == 0 { length.min(1) } else { length }, *stride, Box::new(shape)),
                }
            }
            Type::Struct(s) => {
                let mut fields: Vec<_> =
                    s.fields.iter().map(|f| (u64::from(f.offset), Shape::new(types, f.ty))).collect();
                fields.sort_by_key(|(offset, _)| *offset);
                let mut parts: Vec<(u64, Shape)> = Vec::new();
                for (offset, shape) in fields {
                    match (parts.last_mut(), &shape) {
                        (Some((at, Shape::Run(size))), Shape::Run(more)) if *at + *size == offset => *size += more,
                        _ => parts.push((offset, shape)),
                    }
                }
                match parts.as_mut_slice() {
                    [(0, Shape::Run(size))] => Shape::Run(*size),
                    _ => Shape::Parts(parts),
                }
            }
        }
    }

    /// Calls `run` with offset and size of each run of bytes.
    pub(super) fn runs(&self, at: u64, run: &mut dyn FnMut(usize, usize)) {
        match self {
            // What is too long for the address space lies in no memory.
            Shape::Run(size) => {
                run(usize::try_from(at).unwrap_or(usize::MAX), usize::try_from(*size).unwrap_or(usize::MAX));
            }
            Shape::Parts(parts) => parts.iter().for_each(|(offset, shape)| shape.runs(at + offset, run)),
            Shape::Repeat(count, stride, shape) => {
                (0..u64::from(*count)).for_each(|i| shape.runs(at + i * u64::from(*stride), run));
            }
        }
    }

    /// Reads the scalars at an address, one after the other; out of range all are zero.
    pub(super) fn gather(&self, spaces: &[Space<'_>], from: Option<Address>, into: &mut Vec<u8>) {
        into.clear();
        let space = from.and_then(|from| spaces.get(from.space as usize));
        self.runs(from.map_or(0, |from| from.at), &mut |at, size| match (space, at.checked_add(size)) {
            // What is too long for the address space lies in no memory, and is not asked for.
            (Some(space), Some(_)) if size <= 1 << 32 => space.append(at, size, into),
            _ => into.resize(into.len().saturating_add(size.min(1 << 32)), 0),
        });
    }

    /// Writes scalars that [`gather`](Shape::gather) has read; out of range it does nothing.
    pub(super) fn scatter(&self, spaces: &mut [Space<'_>], to: Option<Address>, from: &[u8]) {
        let Some(to) = to else { return };
        let Some(space) = spaces.get_mut(to.space as usize) else { return };
        let mut read = 0;
        self.runs(to.at, &mut |at, size| {
            if let Some(source) = from.get(read..read + size) {
                space.write(at, source);
            }
            read += size;
        });
    }
}
