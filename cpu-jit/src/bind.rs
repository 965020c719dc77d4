//! What a launch binds: from arguments to what a lane program is specialised for ([`Key`]) and to the words of its argument block ([`Input`]).
//!
//! Addresses are plain numbers here. Nothing is read through them, so the lane interpreter can put in numbers of its own.

use tilewise_ir::analysis::written::written;
use tilewise_ir::bytes::{decode, encode};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::Domain;
use tilewise_ir::types::{Type, round_up};

use crate::flat::{flattened, whole_views};
use crate::form::{Key, ParamKey, Without};
use crate::lanes::Input;

/// What is bound to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound<'a> {
    /// For a view.
    View {
        /// Address of the first element.
        base: u64,
        /// Which memory: only what has the same home can overlap.
        home: u64,
        /// Size of each dimension, none negative.
        extent: &'a [i32],
        /// Elements from one index to the next in each dimension.
        strides: &'a [u64],
    },
    /// For a buffer.
    Buffer {
        /// Address of the first byte.
        base: u64,
        /// Which memory: only what has the same home can overlap.
        home: u64,
        /// Number of bytes.
        size: u64,
    },
    /// For a uniform: the bytes of its type.
    Uniform(&'a [u8]),
}

/// Bytes that views may span for offsets in them to take 32 bits.
const SMALL: u64 = 1 << 31;

/// What launches of a kernel need to know of it, worked out once.
#[derive(Clone, Debug)]
pub struct Binder {
    params: Vec<Param>,
    /// Parameters that are used at the whole position of a thread, if that is all that the position is used for.
    whole_views: Option<Vec<bool>>,
    constants: Constants,
}

#[derive(Clone, Debug)]
struct Param {
    kind: Kind,
    /// May the kernel write through it?
    written: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A view; bytes from one element of a dense view to the next.
    View(u64),
    Buffer,
    /// A scalar or vector: where its components stand and how.
    Value(Vec<(u64, tilewise_ir::types::Stored)>),
    Aggregate,
}

/// The bytes of a kernel's constant tables, and 64 zeros before them.
#[derive(Clone, Debug)]
pub struct Constants {
    bytes: Vec<u64>,
    /// First byte of each table.
    tables: Vec<u64>,
}

impl Constants {
    fn of(kernel: &Kernel) -> Constants {
        let types = kernel.types();
        let mut bytes = vec![0u8; 64];
        let mut tables = Vec::new();
        for table in kernel.tables() {
            let base = bytes.len().next_multiple_of(64);
            tables.push(base as u64);
            bytes.resize(base + types.size(table.ty) as usize, 0);
            let mut leaves = table.leaves.iter();
            types.leaves(table.ty, &mut |at, stored| {
                if let (Some(&bits), Some(to)) = (leaves.next(), bytes.get_mut(base + at as usize..)) {
                    encode(to, stored, bits);
                }
            });
        }
        Constants { bytes: aligned(&bytes), tables }
    }

    /// The bytes, as words in memory order. A program may be given any copy of them that is aligned to 8 bytes.
    pub fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// The bytes of one launch's uniform aggregates.
#[derive(Clone, Debug)]
pub struct Aggregates {
    bytes: Vec<u64>,
    /// For each parameter, its first byte; of anything but a uniform aggregate, 0.
    at: Vec<u64>,
}

impl Aggregates {
    /// The bytes, as words in memory order.
    pub fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// Bytes as words in memory order.
fn aligned(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// Where the bytes of a launch's constants lie.
#[derive(Clone, Copy, Debug)]
pub struct Bases<'a> {
    /// Address of [`Constants::bytes`].
    pub constants: u64,
    /// The launch's aggregates.
    pub aggregates: &'a Aggregates,
    /// Address of their bytes.
    pub aggregates_at: u64,
}

impl Binder {
    /// Of a kernel without calls.
    pub fn new(kernel: &Kernel) -> Binder {
        let types = kernel.types();
        let written = written(kernel);
        let params = kernel.params().iter().zip(written).map(|(param, written)| {
            let kind = match param.kind {
                ParamKind::View(view) => Kind::View(round_up(types.size(view.element), types.align(view.element))),
                ParamKind::Buffer { .. } => Kind::Buffer,
                ParamKind::Uniform(ty) => match types.get(ty) {
                    Type::Scalar(_) | Type::Vector(..) => {
                        let mut components = Vec::new();
                        types.leaves(ty, &mut |at, stored| components.push((at, stored)));
                        Kind::Value(components)
                    }
                    Type::Array { .. } | Type::Struct(_) => Kind::Aggregate,
                },
            };
            Param { kind, written }
        });
        Binder { params: params.collect(), whole_views: whole_views(kernel), constants: Constants::of(kernel) }
    }

    /// The one row that the domain may be seen as; the key then says `flat`.
    pub fn flat(&self, domain: &Domain, bound: &[Bound<'_>]) -> Option<Domain> {
        flattened(self.whole_views.as_deref()?, domain, bound)
    }

    /// The bytes of the kernel's constant tables.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// What a program for this launch and width is specialised for.
    pub fn key(&self, bound: &[Bound<'_>], width: u32) -> Key {
        let mut homes: Vec<u64> = Vec::new();
        let mut writable: Vec<bool> = Vec::new();
        let mut small = true;
        let params = self.params.iter().zip(bound).map(|(param, bound)| {
            let (home, unit, span) = match (*bound, &param.kind) {
                (Bound::View { home, extent, strides, .. }, &Kind::View(size)) => {
                    (home, is_unit(strides), span(extent, strides, size))
                }
                (Bound::Buffer { home, size, .. }, _) => (home, false, Some(size)),
                (Bound::View { .. } | Bound::Uniform(_), _) => return ParamKey { space: 0, unit: false },
            };
            small &= span.is_some_and(|span| span < SMALL);
            let space = homes.iter().position(|&other| other == home).unwrap_or_else(|| {
                homes.push(home);
                writable.push(false);
                homes.len() - 1
            });
            writable[space] |= param.written;
            ParamKey { space: space as u16, unit }
        });
        let params = params.collect();
        Key { width, small, flat: false, params, writable, relaxed: false, without: Without::default() }
    }

    /// The bytes of a launch's uniform aggregates, one after the other.
    pub fn aggregates(&self, bound: &[Bound<'_>]) -> Aggregates {
        let mut bytes: Vec<u8> = Vec::new();
        let at = self.params.iter().zip(bound).map(|(param, bound)| match (*bound, &param.kind) {
            (Bound::Uniform(own), Kind::Aggregate) => {
                bytes.resize(bytes.len().next_multiple_of(64), 0);
                let at = bytes.len() as u64;
                bytes.extend_from_slice(own);
                at
            }
            _ => 0,
        });
        let at = at.collect();
        Aggregates { bytes: aligned(&bytes), at }
    }

    /// The words of the argument block, one for each input.
    pub fn words(&self, domain: &Domain, bound: &[Bound<'_>], inputs: &[Input], bases: Bases<'_>) -> Vec<u64> {
        inputs.iter().map(|&input| self.word(domain, bound, input, bases).unwrap_or(0)).collect()
    }

    /// The word of one input. There is one for every input of a program that was made of this kernel.
    fn word(&self, domain: &Domain, bound: &[Bound<'_>], input: Input, bases: Bases<'_>) -> Option<u64> {
        let bound_to = |param: u32| bound.get(param as usize).copied();
        Some(match input {
            Input::ViewBase(param) => match bound_to(param)? {
                Bound::View { extent, .. } if extent.contains(&0) => bases.constants,
                Bound::View { base, .. } => base,
                Bound::Buffer { .. } | Bound::Uniform(_) => return None,
            },
            Input::ViewExtent(param, dimension) => match bound_to(param)? {
                Bound::View { extent, .. } => u64::from(*extent.get(dimension as usize)? as u32),
                Bound::Buffer { .. } | Bound::Uniform(_) => return None,
            },
            Input::ViewStride(param, dimension) => match (bound_to(param)?, &self.params.get(param as usize)?.kind) {
                // What overflows belongs to a dimension of one index, or of none.
                (Bound::View { strides, .. }, Kind::View(size)) => strides.get(dimension as usize)?.wrapping_mul(*size),
                _ => return None,
            },
            Input::ParamBase(param) => match bound_to(param)? {
                Bound::Buffer { base, .. } => base,
                Bound::Uniform(_) => bases.aggregates_at + bases.aggregates.at.get(param as usize)?,
                Bound::View { .. } => return None,
            },
            Input::ParamSize(param) => match bound_to(param)? {
                Bound::Buffer { size, .. } => size,
                Bound::Uniform(bytes) => bytes.len() as u64,
                Bound::View { .. } => return None,
            },
            Input::Uniform(param, component, _) => match (bound_to(param)?, &self.params.get(param as usize)?.kind) {
                (Bound::Uniform(bytes), Kind::Value(components)) => {
                    let &(at, stored) = components.get(usize::from(component))?;
                    decode(bytes.get(at as usize..)?, stored)
                }
                _ => return None,
            },
            Input::TableBase(table) => bases.constants + self.constants.tables.get(table as usize)?,
            Input::DomainExtent(dimension) => u64::from(*domain.extent.get(dimension as usize)? as u32),
            Input::Zeros => bases.constants,
        })
    }
}

/// Are neighbours along the last dimension neighbours in memory? The stride decides, also where there
/// is one element or none: kernels reinterpret a view only if its stride is 1.
fn is_unit(strides: &[u64]) -> bool {
    strides.last().is_none_or(|&stride| stride == 1)
}

/// Bytes from the first element to the end of the last, if they can be counted.
fn span(extent: &[i32], strides: &[u64], size: u64) -> Option<u64> {
    if extent.iter().any(|&extent| extent <= 0) {
        return Some(0);
    }
    let last = extent
        .iter()
        .zip(strides)
        .try_fold(0u64, |sum, (&extent, &stride)| sum.checked_add((extent as u64 - 1).checked_mul(stride)?));
    last?.checked_add(1)?.checked_mul(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::check::{Checked, check};
    use tilewise_ir::text::parse;

    use crate::lanes::Elem;

    fn kernel(text: &str) -> Checked<Kernel> {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    fn view<'a>(base: u64, home: u64, extent: &'a [i32], strides: &'a [u64]) -> Bound<'a> {
        Bound::View { base, home, extent, strides }
    }

    const TWO: &str = "kernel k(a: view<f32, 2, read>, b: view<f32, 2, read_write>, n: i32) rank(2) {
        b[global[0], global[1]] = a[global[0], n];
    }";

    #[test]
    fn views_of_one_home_share_a_space_which_is_written_if_one_of_them_is() {
        let kernel = kernel(TWO);
        let binder = Binder::new(kernel.inlined());
        let key = |homes: [u64; 2]| {
            let n = 3i32.to_le_bytes();
            let a = view(4096, homes[0], &[4, 4], &[4, 1]);
            let b = view(8192, homes[1], &[4, 4], &[4, 1]);
            let key = binder.key(&[a, b, Bound::Uniform(&n)], 8);
            (key.params.iter().map(|param| param.space).collect::<Vec<_>>(), key.writable)
        };
        assert_eq!(key([7, 9]), (vec![0, 1, 0], vec![false, true]));
        assert_eq!(key([7, 7]), (vec![0, 0, 0], vec![true]));
    }

    #[test]
    fn small_and_unit_are_what_the_strides_say() {
        let kernel = kernel(TWO);
        let binder = Binder::new(kernel.inlined());
        let key = |extent: [i32; 2], strides: [u64; 2]| {
            let n = 3i32.to_le_bytes();
            let a = view(4096, 1, &extent, &strides);
            let b = view(8192, 2, &[4, 4], &[4, 1]);
            let key = binder.key(&[a, b, Bound::Uniform(&n)], 8);
            (key.small, key.params[0].unit)
        };
        assert_eq!(key([4, 4], [4, 1]), (true, true));
        assert_eq!(key([4, 4], [1, 4]), (true, false));
        assert_eq!(key([4, 1], [1, 4]), (true, false), "also with one index in the last dimension");
        assert_eq!(key([2, 1], [(1 << 29) - 2, 1]), (true, true), "the last byte but four is the last of 31 bits");
        assert_eq!(key([2, 1], [(1 << 29) - 1, 1]), (false, true));
        assert_eq!(key([2, 1], [u64::MAX / 2, 1]), (false, true), "more than can be counted");
        assert_eq!(key([2, 0], [u64::MAX / 2, 1]), (true, true), "nothing spans nothing");
    }

    #[test]
    fn each_input_has_its_word() {
        let kernel = kernel(
            "struct pair { a: f32, b: f16 }
            const table: [u16; 3] = [1, 2, 3];
            kernel k(v: view<f32, 2, read>, e: view<f32, 1, read>, p: pair, s: f32x2, o: view<f32, 1, read_write>) rank(1) {
                o[global[0]] = v[0, 0] + e[0] + p.b + s.y + table[global[0]] as f32;
            }",
        );
        let binder = Binder::new(kernel.inlined());
        assert_eq!(binder.constants().bytes()[..8], [0; 8]);
        assert_eq!(binder.constants().bytes()[8], u64::from_le_bytes([1, 0, 2, 0, 3, 0, 0, 0]));
        let pair = [1, 2, 3, 4, 5, 6, 0, 0];
        let vector: Vec<u8> = [1.0f32, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let bound = [
            view(4096, 1, &[3, 5], &[7, 1]),
            view(8192, 2, &[0], &[1]),
            Bound::Uniform(&pair),
            Bound::Uniform(&vector),
            view(16384, 3, &[9], &[1]),
        ];
        let aggregates = binder.aggregates(&bound);
        assert_eq!(aggregates.bytes(), [u64::from_ne_bytes(pair)]);
        let bases = Bases { constants: 1 << 20, aggregates: &aggregates, aggregates_at: 1 << 21 };
        let expected = [
            (Input::ViewBase(0), 4096),
            (Input::ViewBase(1), 1 << 20),
            (Input::ViewBase(4), 16384),
            (Input::ViewExtent(0, 1), 5),
            (Input::ViewStride(0, 0), 28),
            (Input::ParamBase(2), 1 << 21),
            (Input::ParamSize(2), 8),
            (Input::Uniform(3, 1, Elem::F32), u64::from(2.0f32.to_bits())),
            (Input::TableBase(0), (1 << 20) + 64),
            (Input::DomainExtent(0), 9),
            (Input::Zeros, 1 << 20),
        ];
        let inputs: Vec<Input> = expected.iter().map(|(input, _)| *input).collect();
        let words: Vec<u64> = expected.iter().map(|(_, word)| *word).collect();
        assert_eq!(binder.words(&Domain::new([9]), &bound, &inputs, bases), words);
    }
}
