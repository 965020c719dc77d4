//! Copies of aggregates: the bytes of a type that its scalars occupy. Padding is not touched.

use super::memory::{ByteSpace, SpaceAddress};
use tilewise_ir::types::{Type, TypeId, Types};

/// The bytes of a type that its scalars occupy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ScalarBytes {
    /// Number of bytes from the start.
    Run(u64),
    /// Parts, each at an offset.
    Parts(Vec<(u64, ScalarBytes)>),
    /// Repetitions: count, stride in bytes, element.
    Repeat(u32, u32, Box<ScalarBytes>),
}

/// The largest number of bytes that are read at once, if they are out of range: more than the memory of any launch
/// on a machine of so many bits.
const LARGEST: usize = 1 << if usize::BITS > 32 { 32 } else { 30 };

impl ScalarBytes {
    /// The scalar bytes of a type of fixed size.
    pub(super) fn new(types: &Types, id: TypeId) -> ScalarBytes {
        match types.get(id) {
            Type::Scalar(_) | Type::Vector(..) => ScalarBytes::Run(types.size(id)),
            Type::Array { element, length, stride } => {
                let length = length.unwrap_or(0);
                match ScalarBytes::new(types, *element) {
                    ScalarBytes::Run(size) if size == u64::from(*stride) || length <= 1 => {
                        ScalarBytes::Run(size * u64::from(length))
                    }
                    // With a stride of 0 all elements are at the same offset.
                    shape => {
                        ScalarBytes::Repeat(if *stride == 0 { length.min(1) } else { length }, *stride, Box::new(shape))
                    }
                }
            }
            Type::Struct(s) => {
                let mut fields: Vec<_> =
                    s.fields.iter().map(|f| (u64::from(f.offset), ScalarBytes::new(types, f.ty))).collect();
                fields.sort_by_key(|(offset, _)| *offset);
                let mut parts: Vec<(u64, ScalarBytes)> = Vec::new();
                for (offset, shape) in fields {
                    match (parts.last_mut(), &shape) {
                        (Some((at, ScalarBytes::Run(size))), ScalarBytes::Run(more)) if *at + *size == offset => {
                            *size += more;
                        }
                        _ => parts.push((offset, shape)),
                    }
                }
                match parts.as_mut_slice() {
                    [(0, ScalarBytes::Run(size))] => ScalarBytes::Run(*size),
                    _ => ScalarBytes::Parts(parts),
                }
            }
        }
    }

    /// Calls `run` with offset and size of each run of bytes.
    pub(super) fn runs(&self, at: u64, run: &mut dyn FnMut(usize, usize)) {
        match self {
            // A size that exceeds the address space is out of range of any memory.
            ScalarBytes::Run(size) => {
                run(usize::try_from(at).unwrap_or(usize::MAX), usize::try_from(*size).unwrap_or(usize::MAX));
            }
            ScalarBytes::Parts(parts) => parts.iter().for_each(|(offset, shape)| shape.runs(at + offset, run)),
            ScalarBytes::Repeat(count, stride, shape) => {
                (0..u64::from(*count)).for_each(|i| shape.runs(at + i * u64::from(*stride), run));
            }
        }
    }

    /// Reads the scalars at an address, contiguously; all are zero out of range.
    pub(super) fn gather(&self, spaces: &[ByteSpace<'_>], from: Option<SpaceAddress>, into: &mut Vec<u8>) {
        into.clear();
        let space = from.and_then(|from| spaces.get(from.space as usize));
        self.runs(from.map_or(0, |from| from.at), &mut |at, size| match (space, at.checked_add(size)) {
            // A size that exceeds the address space is out of range of any memory, and is not
            // allocated.
            (Some(space), Some(_)) if size <= LARGEST => space.append(at, size, into),
            _ => into.resize(into.len().saturating_add(size.min(LARGEST)), 0),
        });
    }

    /// Writes scalars read by [`gather`](ScalarBytes::gather); does nothing out of range.
    pub(super) fn scatter(&self, spaces: &mut [ByteSpace<'_>], to: Option<SpaceAddress>, from: &[u8]) {
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
