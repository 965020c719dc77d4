//! Types of Rust: their contents, their layout in memory, their validity.
//!
//! [`sound`] checks every table of types once before any other use: parts are shared, so a few
//! types can make a tree too large to traverse. A sound type has few enough parts for all other
//! functions here.

use std::sync::Arc;

use super::{RustType, StructTy, VariantTy};
use tilewise_ir::diag::Code;
use tilewise_ir::limits::MAX_RANK;
use tilewise_ir::types::{Data, Field, Scalar, Stored, Struct, Type, TypeId, Types};

/// Limit on the parts of a type; an array's element counts once.
const MAX_PARTS: u32 = 1000;
/// Limit on nested types.
const MAX_DEPTH: u32 = 100;

/// The contents of a value of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TypeContents {
    /// Nothing that takes memory or a value.
    Nothing,
    /// Scalars: it has a representation in memory.
    Scalars,
    /// A view, or a reference to a place: it has no other representation.
    Handle,
}

/// The reason a type cannot be in a kernel.
#[derive(Debug)]
pub(super) enum Unsound {
    /// No program leads to it.
    Broken(&'static str),
    /// A program can have it, but it exceeds a limit: code, message, limit.
    Limit(Code, String, String),
}

/// Checks that a type can be in a kernel.
pub(super) fn sound(ty: &RustType) -> Result<(), Unsound> {
    walk(ty, 0, &mut MAX_PARTS.clone())
}

fn walk(ty: &RustType, depth: u32, left: &mut u32) -> Result<(), Unsound> {
    if depth > MAX_DEPTH {
        let message = "a type is nested too deep for a kernel".to_owned();
        return Err(Unsound::Limit(Code::K0606, message, format!("at most {MAX_DEPTH} types inside each other")));
    }
    let Some(rest) = left.checked_sub(1) else {
        let message = "a type has too many parts for a kernel".to_owned();
        return Err(Unsound::Limit(Code::K0606, message, format!("at most {MAX_PARTS}, those of its parts included")));
    };
    *left = rest;
    let rank = |what: &str, n: u32| match n <= MAX_RANK {
        true => Ok(()),
        false => Err(Unsound::Limit(Code::K0602, format!("{what} of rank {n}"), format!("1 to {MAX_RANK}"))),
    };
    let tile = |dims: &[u32]| match dims.len() <= 3 {
        true => Ok(()),
        false => Err(Unsound::Broken("a tile of more than 3 dimensions")),
    };
    match ty {
        RustType::Data(Data { width, .. }) if !(1..=4).contains(width) => {
            Err(Unsound::Broken("a vector that does not have 2 to 4 components"))
        }
        RustType::Enum(it) if !matches!(it.scalar, Scalar::I32 | Scalar::U32) => {
            Err(Unsound::Broken("an enum that is no `i32` or `u32`"))
        }
        RustType::Unit
        | RustType::Data(_)
        | RustType::Small(_)
        | RustType::Char
        | RustType::Barrier
        | RustType::Atomic(_)
        | RustType::Enum(_) => Ok(()),
        RustType::Tuple(parts) => parts.iter().try_for_each(|part| walk(part, depth + 1, left)),
        RustType::Struct(it) => it.fields.iter().try_for_each(|field| walk(&field.ty, depth + 1, left)),
        RustType::Variants(it) => it.fields().try_for_each(|field| walk(field, depth + 1, left)),
        RustType::Array(element, _) | RustType::TileStatic(element) => walk(element, depth + 1, left),
        RustType::View { element, rank: n, .. } => rank("a view", *n).and(walk(element, depth + 1, left)),
        RustType::Index(n) => rank("an index", *n),
        RustType::Extent(n) => rank("an extent", *n),
        RustType::TiledIndex(dims) | RustType::TiledExtent(dims) => tile(dims),
    }
}

impl RustType {
    /// The type of a single scalar.
    pub(super) const fn scalar(scalar: Scalar) -> RustType {
        RustType::Data(Data::scalar(scalar))
    }

    /// The type without the `tile_static` wrapper.
    pub(super) fn bare(&self) -> &RustType {
        match self {
            RustType::TileStatic(inner) => inner.bare(),
            other => other,
        }
    }

    /// The contents of its values.
    pub(super) fn holds(&self) -> TypeContents {
        let all = |parts: &mut dyn Iterator<Item = &RustType>| {
            parts.map(RustType::holds).max().unwrap_or(TypeContents::Nothing)
        };
        match self {
            RustType::Unit | RustType::Barrier | RustType::Array(_, 0) | RustType::Index(0) | RustType::Extent(0) => {
                TypeContents::Nothing
            }
            RustType::Tuple(parts) => all(&mut parts.iter()),
            RustType::Struct(it) => all(&mut it.fields.iter().map(|field| &field.ty)),
            RustType::Variants(it) => all(&mut it.fields()).max(TypeContents::Scalars),
            RustType::Array(element, _) => element.holds(),
            RustType::TiledIndex(dims) | RustType::TiledExtent(dims) if dims.is_empty() => TypeContents::Nothing,
            RustType::Data(_) | RustType::Small(_) | RustType::Char | RustType::Enum(_) => TypeContents::Scalars,
            RustType::Index(_) | RustType::Extent(_) | RustType::TiledIndex(_) | RustType::TiledExtent(_) => {
                TypeContents::Scalars
            }
            RustType::View { .. } | RustType::TileStatic(_) | RustType::Atomic(_) => TypeContents::Handle,
        }
    }

    /// Does it have a representation in memory?
    pub(super) fn in_memory(&self) -> bool {
        self.holds() == TypeContents::Scalars
    }

    /// Number of scalars in it; each component of a vector counts. Saturates.
    pub(super) fn leaves(&self) -> u64 {
        let n = |n: usize| n as u64;
        match self {
            RustType::Unit
            | RustType::Barrier
            | RustType::View { .. }
            | RustType::TileStatic(_)
            | RustType::Atomic(_) => 0,
            RustType::Data(data) => u64::from(data.width),
            RustType::Small(_) | RustType::Char | RustType::Enum(_) => 1,
            RustType::Tuple(parts) => parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.leaves())),
            RustType::Struct(it) => it.fields.iter().fold(0, |sum: u64, field| sum.saturating_add(field.ty.leaves())),
            RustType::Variants(it) => it.fields().fold(1, |sum: u64, field| sum.saturating_add(field.leaves())),
            RustType::Array(element, length) => element.leaves().saturating_mul(u64::from(*length)),
            RustType::Index(rank) | RustType::Extent(rank) => u64::from(*rank),
            RustType::TiledExtent(dims) => n(dims.len()),
            RustType::TiledIndex(dims) => 4 * n(dims.len()),
        }
    }

    /// The type of the kernel value that holds it: of a number, a `bool`, a vector, an enum.
    pub(super) fn data(&self) -> Option<Data> {
        match self {
            RustType::Data(data) => Some(*data),
            RustType::Small(stored) => Some(Data::scalar(stored.value())),
            RustType::Char => Some(Data::U32),
            RustType::Enum(it) => Some(Data::scalar(it.scalar)),
            _ => None,
        }
    }

    /// Does it contain a `bool`?
    pub(super) fn has_bool(&self) -> bool {
        match self {
            RustType::Data(data) => data.scalar == Scalar::Bool,
            RustType::Tuple(parts) => parts.iter().any(RustType::has_bool),
            RustType::Struct(it) => it.fields.iter().any(|field| field.ty.has_bool()),
            RustType::Variants(it) => it.fields().any(RustType::has_bool),
            RustType::Array(element, _) => element.has_bool(),
            _ => false,
        }
    }

    /// Does it lie in memory as rustc lays it out? What no view has as an element does not.
    fn is_plain(&self) -> bool {
        match self {
            RustType::Data(data) => data.scalar != Scalar::Bool,
            RustType::Small(_) | RustType::Index(_) | RustType::Extent(_) => true,
            RustType::Struct(it) => it.fields.iter().all(|field| field.ty.is_plain()),
            RustType::Array(element, _) => element.is_plain(),
            RustType::Unit
            | RustType::Char
            | RustType::Tuple(_)
            | RustType::Enum(_)
            | RustType::Variants(_)
            | RustType::TiledIndex(_)
            | RustType::TiledExtent(_)
            | RustType::Barrier
            | RustType::View { .. }
            | RustType::TileStatic(_)
            | RustType::Atomic(_) => false,
        }
    }

    /// Number of parts of a type that is held part by part.
    pub(super) fn count(&self) -> usize {
        match self {
            RustType::Tuple(parts) => parts.len(),
            RustType::Struct(it) => it.fields.len(),
            RustType::Variants(it) => 1 + it.fields().count(),
            RustType::Array(_, n) | RustType::Index(n) | RustType::Extent(n) => *n as usize,
            RustType::TiledExtent(dims) => dims.len(),
            RustType::TiledIndex(_) => TILED_PARTS.len(),
            _ => 0,
        }
    }

    /// The type of a part.
    pub(super) fn part(&self, i: usize) -> Option<RustType> {
        match self {
            RustType::Tuple(parts) => parts.get(i).cloned(),
            RustType::Struct(it) => it.fields.get(i).map(|field| field.ty.clone()),
            RustType::Variants(_) if i == 0 => Some(RustType::scalar(Scalar::U32)),
            RustType::Variants(it) => it.fields().nth(i - 1).cloned(),
            RustType::Array(element, n) => (i < *n as usize).then(|| RustType::clone(element)),
            RustType::Index(_) | RustType::Extent(_) | RustType::TiledExtent(_) => {
                (i < self.count()).then(|| RustType::scalar(Scalar::I32))
            }
            RustType::TiledIndex(dims) => match i {
                0..=3 => Some(RustType::Index(dims.len() as u32)),
                4 => Some(RustType::Barrier),
                _ => None,
            },
            _ => None,
        }
    }

    /// The index of the part with this name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        match self {
            RustType::Tuple(parts) => name.parse().ok().filter(|&i| i < parts.len()),
            RustType::Struct(it) => it.fields.iter().position(|field| field.name == name),
            RustType::TiledIndex(_) => TILED_PARTS.iter().position(|part| *part == name),
            _ => None,
        }
    }

    /// The name of a part, to append to the name of the whole.
    pub(super) fn part_name(&self, i: usize) -> String {
        match self {
            RustType::Struct(it) => it.fields.get(i).map_or_else(|| i.to_string(), |field| field.name.to_owned()),
            RustType::Variants(it) => {
                let name = |variant: &VariantTy, field: &str| format!("{}_{field}", variant.name);
                let fields = it.variants.iter().flat_map(|it| it.fields.iter().map(move |(field, _)| name(it, field)));
                std::iter::once("variant".to_owned()).chain(fields).nth(i).unwrap_or_else(|| i.to_string())
            }
            RustType::TiledIndex(_) => TILED_PARTS.get(i).map_or_else(|| i.to_string(), |part| (*part).to_owned()),
            _ => i.to_string(),
        }
    }

    /// The type in Rust's notation, for messages.
    pub(super) fn show(&self) -> String {
        match self {
            RustType::Unit => "()".to_owned(),
            RustType::Data(data) => data.to_string(),
            RustType::Small(stored) => stored.name().to_owned(),
            RustType::Char => "char".to_owned(),
            RustType::Tuple(parts) => format!("({})", parts.iter().map(RustType::show).collect::<Vec<_>>().join(", ")),
            RustType::Array(element, n) => format!("[{}; {n}]", element.show()),
            RustType::Struct(it) => it.name.clone(),
            RustType::Enum(it) => it.name.clone(),
            RustType::Variants(it) => it.name.clone(),
            RustType::Index(n) => format!("Index<{n}>"),
            RustType::Extent(n) => format!("Extent<{n}>"),
            RustType::TiledIndex(_) => "TiledIndex".to_owned(),
            RustType::TiledExtent(_) => "TiledExtent".to_owned(),
            RustType::Barrier => "TileBarrier".to_owned(),
            RustType::View { element, rank, .. } => format!("ArrayView<{}, {rank}>", element.show()),
            RustType::TileStatic(inner) => inner.show(),
            RustType::Atomic(scalar) => format!("AtomicRef<{scalar}>"),
        }
    }
}

/// The fields of a tiled index, in order.
pub(super) const TILED_PARTS: [&str; 5] = ["global", "local", "tile", "tile_origin", "barrier"];

/// The memory type of a type; `None` if it has no representation in memory.
pub(super) fn memory(types: &mut Types, ty: &RustType) -> Option<TypeId> {
    laid_out(types, ty, false)
}

/// The same for an aggregate from the host, where a `bool` is a byte: host memory has no `bool` in
/// the kernel language.
pub(super) fn host_memory(types: &mut Types, ty: &RustType) -> Option<TypeId> {
    laid_out(types, ty, true)
}

fn laid_out(types: &mut Types, ty: &RustType, host: bool) -> Option<TypeId> {
    if !ty.in_memory() {
        return None;
    }
    let numbers = |types: &mut Types, n: usize| {
        let element = types.scalar(Stored::I32);
        types.natural_array(element, Some(n as u32))
    };
    Some(match ty {
        RustType::Data(Data { scalar: Scalar::Bool, width }) if host => types.vector(Stored::U8, *width),
        RustType::Data(data) => types.data(*data),
        RustType::Small(stored) => types.scalar(*stored),
        RustType::Char => types.scalar(Stored::U32),
        RustType::Enum(it) => types.scalar(it.scalar.stored()),
        RustType::Array(element, n) => {
            let element = laid_out(types, element, host)?;
            types.natural_array(element, Some(*n))
        }
        RustType::Tuple(_) | RustType::Variants(_) => {
            let mut fields = Vec::new();
            for i in 0..ty.count() {
                let Some(part) = ty.part(i).filter(RustType::in_memory) else { continue };
                fields.push((format!("_{i}").into(), laid_out(types, &part, host)?));
            }
            let name = if let RustType::Variants(it) = ty { it.name.as_str() } else { "tuple" };
            let tuple = types.natural_struct(name.into(), &fields);
            types.add(Type::Struct(tuple))
        }
        RustType::Struct(it) if ty.is_plain() => struct_(types, it, host)?,
        // No view has it as an element, and the host's layout does not matter.
        RustType::Struct(it) => {
            let mut fields = Vec::new();
            for field in it.fields.iter().filter(|field| field.ty.in_memory()) {
                fields.push((format_field(field.name), laid_out(types, &field.ty, host)?));
            }
            let natural = types.natural_struct(it.name.as_str().into(), &fields);
            types.add(Type::Struct(natural))
        }
        RustType::TiledIndex(dims) => {
            let one = numbers(types, dims.len());
            types.natural_array(one, Some(4))
        }
        other => numbers(types, other.count()),
    })
}

fn struct_(types: &mut Types, it: &Arc<StructTy>, host: bool) -> Option<TypeId> {
    let mut fields = Vec::new();
    for field in it.fields.iter().filter(|field| field.ty.in_memory()) {
        let ty = laid_out(types, &field.ty, host)?;
        fields.push(Field { name: format_field(field.name), ty, offset: field.offset });
    }
    Some(types.add(Type::Struct(Struct { name: it.name.as_str().into(), fields, size: it.size, align: it.align })))
}

/// A field of a tuple struct has a number in Rust, which is not a name here.
fn format_field(name: &str) -> Arc<str> {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}").into() } else { name.into() }
}

/// The position of part `i` among the fields that are in memory.
pub(super) fn memory_field(ty: &RustType, i: usize) -> u32 {
    (0..i).filter(|&before| ty.part(before).is_some_and(|part| part.in_memory())).count() as u32
}

/// The fields of a vector.
pub(super) fn vector_fields(ty: &RustType) -> Option<&'static [&'static str]> {
    match ty {
        RustType::Data(data @ Data { width: 2..=4, .. }) => Some(&["x", "y", "z", "w"][..usize::from(data.width)]),
        _ => None,
    }
}
