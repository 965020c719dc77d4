//! Binds the arguments of a launch: computes the key that a lane program is specialised for
//! ([`CodeKey`]) and the words of its argument block ([`ArgumentWord`]).
//!
//! Addresses are plain numbers here. They are never dereferenced, so the lane interpreter can use
//! numbers of its own.

use tilewise_ir::analysis::written::written;
use tilewise_ir::bytes::{decode, encode};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{AllocationFacts, AllocationNumbers, Argument, Domain};
use tilewise_ir::types::{Type, TypeId, Types};

use crate::flat::{flattened, whole_views};
use crate::lanes::{ArgumentWord, OptimiseGoals};
use crate::vectorize::{CodeKey, ParamSpec, Without};

/// The address and size of an allocation of a launch. [`Argument`]s refer to it by its index in a
/// list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostAllocation {
    /// Address of the first byte.
    pub address: u64,
    /// Number of bytes.
    pub size: u64,
}

impl HostAllocation {
    /// The facts that [`validate`](tilewise_ir::launch::validate()) requires.
    pub fn facts(&self) -> AllocationFacts {
        AllocationFacts::at_address(self.address, self.size)
    }
}

/// The allocations and arguments of a launch: one value, since neither has a meaning alone.
#[derive(Clone, Copy, Debug)]
pub struct LaunchArguments<'a> {
    /// The allocations, by index.
    pub allocations: &'a [HostAllocation],
    /// One for each parameter.
    pub arguments: &'a [Argument],
}

impl LaunchArguments<'_> {
    /// The address of a byte of an allocation. Validation guarantees that the allocation exists.
    fn address(&self, allocation: usize, offset: u64) -> Option<u64> {
        Some(self.allocations.get(allocation)?.address.wrapping_add(offset))
    }
}

/// A view of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchView {
    /// Does the kernel write it? Otherwise it reads it.
    pub written: bool,
    /// The address of its first element.
    pub start: u64,
    /// The bytes of an element.
    pub element: u64,
    /// The bytes that it spans.
    pub bytes: u64,
    /// Does its last dimension have unit stride?
    pub unit: bool,
    /// Are all rows aligned to 64 bytes like the first?
    pub rows: bool,
}

/// Maximum number of bytes that views may span for 32-bit offsets.
const SMALL: u64 = 1 << 31;

/// The bytes of an element of the last array in a type, from the innermost one; of a type without arrays its own.
fn last_element(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Scalar(_) | Type::Vector(..) => types.size(ty),
        Type::Array { element, .. } => last_element(types, *element),
        Type::Struct(parts) => parts.fields.last().map_or(0, |field| last_element(types, field.ty)),
    }
}

/// Facts about a kernel that launches need, computed once.
#[derive(Clone, Debug)]
pub struct KernelBindings {
    params: Vec<BoundParam>,
    /// Parameters that are indexed by the whole position of a thread, if the position has no other
    /// use.
    whole_views: Option<Vec<bool>>,
    constants: Constants,
}

#[derive(Clone, Debug)]
struct BoundParam {
    kind: ParamBinding,
    /// May the kernel write through it?
    written: bool,
}

#[derive(Clone, Debug)]
enum ParamBinding {
    /// A view; the stride in bytes of a dense view.
    View(u64),
    /// A buffer; the bytes of an element of its last array.
    Buffer(u64),
    /// A scalar or vector: the offsets and formats of its components.
    Value(Vec<(u64, tilewise_ir::types::Stored)>),
    /// Its size.
    Aggregate(u64),
}

/// The bytes of a kernel's constant tables, and 64 zeros before them.
#[derive(Clone, Debug)]
pub struct Constants {
    bytes: Vec<u64>,
    /// The byte offset of each table.
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

    /// The bytes, as words in memory order. A program may use any copy of them that is aligned to 8
    /// bytes.
    pub fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// The bytes of one launch's uniform aggregates.
#[derive(Clone, Debug)]
pub struct Aggregates {
    bytes: Vec<u64>,
    /// For each parameter, its byte offset; 0 for anything but a uniform aggregate. Empty if there
    /// are none.
    at: Vec<u64>,
}

impl Aggregates {
    /// The bytes, as words in memory order.
    pub fn bytes(&self) -> &[u64] {
        &self.bytes
    }
}

/// Converts bytes to words in memory order.
fn aligned(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// The addresses of a launch's constants.
#[derive(Clone, Copy, Debug)]
pub struct Bases<'a> {
    /// Address of [`Constants::bytes`].
    pub constants: u64,
    /// The launch's aggregates.
    pub aggregates: &'a Aggregates,
    /// Address of their bytes.
    pub aggregates_at: u64,
}

impl KernelBindings {
    /// Analyses a kernel without calls.
    pub fn new(kernel: &Kernel) -> KernelBindings {
        let types = kernel.types();
        let written = written(kernel);
        let params = kernel.params().iter().zip(written).map(|(param, written)| {
            let kind = match param.kind {
                ParamKind::View(view) => ParamBinding::View(types.element_size(view.element)),
                ParamKind::Buffer { ty, .. } => ParamBinding::Buffer(last_element(types, ty)),
                ParamKind::Uniform(ty) => match types.get(ty) {
                    Type::Scalar(_) | Type::Vector(..) => {
                        let mut components = Vec::new();
                        types.leaves(ty, &mut |at, stored| components.push((at, stored)));
                        ParamBinding::Value(components)
                    }
                    Type::Array { .. } | Type::Struct(_) => ParamBinding::Aggregate(types.size(ty)),
                },
            };
            BoundParam { kind, written }
        });
        KernelBindings { params: params.collect(), whole_views: whole_views(kernel), constants: Constants::of(kernel) }
    }

    /// The single row that is equivalent to the domain, if there is one; the key then has `flat`
    /// set.
    pub fn flat(&self, domain: &Domain, arguments: &[Argument]) -> Option<Domain> {
        flattened(self.whole_views.as_deref()?, domain, arguments)
    }

    /// The bytes of the kernel's constant tables.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// The key of a program for this launch and width.
    pub fn key(&self, arguments: &[Argument], width: u32) -> CodeKey {
        let mut numbers = AllocationNumbers::default();
        let mut writable: Vec<bool> = Vec::new();
        let mut small = true;
        let params = self.params.iter().zip(arguments).map(|(param, argument)| {
            let Some(allocation) = argument.allocation() else {
                small &= !matches!(param.kind, ParamBinding::Aggregate(size) if size >= SMALL);
                return ParamSpec { allocation: 0, unit: false };
            };
            let number = numbers.number(allocation);
            let is_first = number == writable.len();
            if is_first {
                writable.push(false);
            }
            writable[number] |= param.written && (is_first || !fault::planted(Fault::AliasOfFirstWriter));
            let element_size = if let ParamBinding::View(size) = param.kind { size } else { 1 };
            small &= argument.bytes_spanned(element_size).is_some_and(|span| span < SMALL);
            let unit = matches!(argument, Argument::View(view) if view.unit_stride() || fault::planted(Fault::UnitStrideAssumed));
            ParamSpec { allocation: number as u16, unit }
        });
        let params = params.collect();
        CodeKey {
            width,
            small,
            flat: false,
            params,
            writable,
            goals: OptimiseGoals::PLAIN,
            without: Without::default(),
            streams: false,
        }
    }

    /// The views of a launch.
    pub fn views<'a>(&'a self, launch: LaunchArguments<'a>) -> impl Iterator<Item = LaunchView> + Clone + 'a {
        self.params.iter().zip(launch.arguments).filter_map(move |(param, argument)| {
            let written = param.written;
            let (size, view) = match (&param.kind, argument) {
                (ParamBinding::View(size), Argument::View(view)) => (size, view),
                // Nobody knows which thread writes which element.
                (&ParamBinding::Buffer(element), &Argument::Buffer { allocation, offset, size }) => {
                    let start = launch.address(allocation, offset)?;
                    return Some(LaunchView { written, start, element, bytes: size, unit: true, rows: false });
                }
                _ => return None,
            };
            let start = launch.address(view.allocation, view.offset)?;
            let one_row = view.extent.iter().rev().skip(1).all(|&extent| extent <= 1);
            let aligned = |&stride: &u64| stride.wrapping_mul(*size).is_multiple_of(64);
            let rows = one_row || view.strides.iter().rev().skip(1).all(aligned);
            let bytes = view.bytes_spanned(*size)?;
            Some(LaunchView { written, start, element: *size, bytes, unit: view.unit_stride(), rows })
        })
    }

    /// The bytes of a launch's uniform aggregates, in sequence.
    pub fn aggregates(&self, arguments: &[Argument]) -> Aggregates {
        if !self.params.iter().any(|param| matches!(param.kind, ParamBinding::Aggregate(_))) {
            return Aggregates { bytes: Vec::new(), at: Vec::new() };
        }
        let mut bytes: Vec<u8> = Vec::new();
        let at = self.params.iter().zip(arguments).map(|(param, argument)| match (argument, &param.kind) {
            (Argument::Uniform(own), ParamBinding::Aggregate(_)) => {
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
    pub fn words(
        &self,
        domain: &Domain,
        launch: LaunchArguments<'_>,
        inputs: &[ArgumentWord],
        bases: Bases<'_>,
    ) -> Vec<u64> {
        inputs.iter().map(|&input| self.word(domain, launch, input, bases).unwrap_or(0)).collect()
    }

    /// The word of one input. It exists for every input of a program built from this kernel.
    fn word(&self, domain: &Domain, launch: LaunchArguments<'_>, input: ArgumentWord, bases: Bases<'_>) -> Option<u64> {
        let argument = |param: u32| launch.arguments.get(param as usize);
        let view = |param: u32| match argument(param)? {
            Argument::View(view) => Some(view),
            Argument::Buffer { .. } | Argument::Uniform(_) => None,
        };
        let kind = |param: u32| self.params.get(param as usize).map(|param| &param.kind);
        Some(match input {
            ArgumentWord::ViewBase(param) => match view(param)? {
                view if view.is_empty() => bases.constants,
                view => launch.address(view.allocation, view.offset)?,
            },
            ArgumentWord::ViewExtent(param, dimension) => {
                u64::from(*view(param)?.extent.get(dimension as usize)? as u32)
            }
            ArgumentWord::ViewStride(param, dimension) => {
                let ParamBinding::View(size) = kind(param)? else { return None };
                // A stride that overflows belongs to a dimension with one index, or none, and is no element's size.
                view(param)?.strides.get(dimension as usize)?.saturating_mul(*size)
            }
            ArgumentWord::ParamBase(param) => match argument(param)? {
                Argument::Buffer { allocation, offset, .. } => launch.address(*allocation, *offset)?,
                Argument::Uniform(_) => bases.aggregates_at + bases.aggregates.at.get(param as usize)?,
                Argument::View(_) => return None,
            },
            ArgumentWord::ParamSize(param) => match argument(param)? {
                Argument::Buffer { size, .. } => *size,
                Argument::Uniform(bytes) => bytes.len() as u64,
                Argument::View(_) => return None,
            },
            ArgumentWord::Uniform(param, component, _) => match (argument(param)?, kind(param)?) {
                (Argument::Uniform(bytes), ParamBinding::Value(components)) => {
                    let &(at, stored) = components.get(usize::from(component))?;
                    decode(bytes.get(at as usize..)?, stored)
                }
                _ => return None,
            },
            ArgumentWord::TableBase(table) => bases.constants + self.constants.tables.get(table as usize)?,
            ArgumentWord::DomainExtent(dimension) => u64::from(*domain.extent.get(dimension as usize)? as u32),
            ArgumentWord::Zeros => bases.constants,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewise_ir::check::{Checked, check};
    use tilewise_ir::launch::ViewArgument;
    use tilewise_ir::text::parse;

    use crate::lanes::Elem;

    fn kernel(text: &str) -> Checked<Kernel> {
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    fn view(allocation: usize, extent: &[i32], strides: &[u64]) -> Argument {
        Argument::View(ViewArgument::new(allocation, 0, extent, strides))
    }

    fn number(n: i32) -> Argument {
        Argument::Uniform(n.to_le_bytes().into())
    }

    const TWO: &str = "kernel k(a: view<f32, 2, read>, b: view<f32, 2, read_write>, n: i32) rank(2) {
        b[global[0], global[1]] = a[global[0], n];
    }";

    #[test]
    fn views_of_one_allocation_share_a_number_and_it_is_written_if_one_of_them_is() {
        let kernel = kernel(TWO);
        let binder = KernelBindings::new(kernel.inlined());
        let key = |allocations: [usize; 2]| {
            let [a, b] = allocations.map(|allocation| view(allocation, &[4, 4], &[4, 1]));
            let key = binder.key(&[a, b, number(3)], 8);
            (key.params.iter().map(|param| param.allocation).collect::<Vec<_>>(), key.writable)
        };
        assert_eq!(key([7, 9]), (vec![0, 1, 0], vec![false, true]));
        assert_eq!(key([7, 7]), (vec![0, 0, 0], vec![true]));
    }

    #[test]
    fn small_and_unit_are_what_the_strides_say() {
        let kernel = kernel(TWO);
        let binder = KernelBindings::new(kernel.inlined());
        let key = |extent: [i32; 2], strides: [u64; 2]| {
            let key = binder.key(&[view(1, &extent, &strides), view(2, &[4, 4], &[4, 1]), number(3)], 8);
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
        let binder = KernelBindings::new(kernel.inlined());
        assert_eq!(binder.constants().bytes()[..8], [0; 8]);
        assert_eq!(binder.constants().bytes()[8], u64::from_le_bytes([1, 0, 2, 0, 3, 0, 0, 0]));
        let pair = [1, 2, 3, 4, 5, 6, 0, 0];
        let vector: Vec<u8> = [1.0f32, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let arguments = [
            Argument::View(ViewArgument::new(0, 96, [3, 5], [7, 1])),
            view(1, &[0], &[1]),
            Argument::Uniform(pair.into()),
            Argument::Uniform(vector),
            view(2, &[9], &[1]),
        ];
        let allocations = [4000, 8192, 16384].map(|address| HostAllocation { address, size: 512 });
        let launch = LaunchArguments { allocations: &allocations, arguments: &arguments };
        let aggregates = binder.aggregates(&arguments);
        assert_eq!(aggregates.bytes(), [u64::from_ne_bytes(pair)]);
        let bases = Bases { constants: 1 << 20, aggregates: &aggregates, aggregates_at: 1 << 21 };
        let expected = [
            (ArgumentWord::ViewBase(0), 4096),
            (ArgumentWord::ViewBase(1), 1 << 20),
            (ArgumentWord::ViewBase(4), 16384),
            (ArgumentWord::ViewExtent(0, 1), 5),
            (ArgumentWord::ViewStride(0, 0), 28),
            (ArgumentWord::ParamBase(2), 1 << 21),
            (ArgumentWord::ParamSize(2), 8),
            (ArgumentWord::Uniform(3, 1, Elem::F32), u64::from(2.0f32.to_bits())),
            (ArgumentWord::TableBase(0), (1 << 20) + 64),
            (ArgumentWord::DomainExtent(0), 9),
            (ArgumentWord::Zeros, 1 << 20),
        ];
        let inputs: Vec<ArgumentWord> = expected.iter().map(|(input, _)| *input).collect();
        let words: Vec<u64> = expected.iter().map(|(_, word)| *word).collect();
        assert_eq!(binder.words(&Domain::new([9]), launch, &inputs, bases), words);
    }
}
