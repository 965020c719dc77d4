//! Types of Rust, asked about: what they consist of, how they lie in memory, whether they can be at all.
//!
//! Every table of types is walked once by [`sound`] before anything else is asked of it: parts are shared, so that a few types can make a tree that no one can walk. What
//! passes has few enough parts for all the other questions here.

use std::sync::Arc;

use super::{StructTy, Ty};
use crate::diag::Code;
use crate::limits::MAX_RANK;
use crate::types::{Data, Field, Scalar, Stored, Struct, Type, TypeId, Types};

/// Parts that a type may have, arrays counted once.
const MAX_PARTS: u32 = 1000;
/// Types inside types.
const MAX_DEPTH: u32 = 100;

/// What a value of a type consists of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holds {
    /// Nothing that takes memory or a value.
    Nothing,
    /// Scalars: it can lie in memory.
    Scalars,
    /// A view, or a reference to a place: it has no form but its own.
    Handle,
}

/// Why a type cannot be in a kernel.
#[derive(Debug)]
pub(super) enum Unsound {
    /// No program leads to it.
    Broken(&'static str),
    /// A program can have it, and it is beyond a limit: code, message, limit.
    Limit(Code, String, String),
}

/// Why a type cannot be, if it cannot.
pub(super) fn sound(ty: &Ty) -> Result<(), Unsound> {
    walk(ty, 0, &mut MAX_PARTS.clone())
}

fn walk(ty: &Ty, depth: u32, left: &mut u32) -> Result<(), Unsound> {
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
        Ty::Data(Data { width, .. }) if !(1..=4).contains(width) => {
            Err(Unsound::Broken("a vector that does not have 2 to 4 components"))
        }
        Ty::Enum(it) if !matches!(it.scalar, Scalar::I32 | Scalar::U32) => {
            Err(Unsound::Broken("an enum that is no `i32` or `u32`"))
        }
        Ty::Unit | Ty::Data(_) | Ty::Small(_) | Ty::Barrier | Ty::Atomic(_) | Ty::Enum(_) => Ok(()),
        Ty::Tuple(parts) => parts.iter().try_for_each(|part| walk(part, depth + 1, left)),
        Ty::Struct(it) => it.fields.iter().try_for_each(|field| walk(&field.ty, depth + 1, left)),
        Ty::Array(element, _) | Ty::TileStatic(element) => walk(element, depth + 1, left),
        Ty::View { element, rank: n, .. } => rank("a view", *n).and(walk(element, depth + 1, left)),
        Ty::Index(n) => rank("an index", *n),
        Ty::Extent(n) => rank("an extent", *n),
        Ty::TiledIndex(dims) | Ty::TiledExtent(dims) => tile(dims),
    }
}

impl Ty {
    /// The type of a single scalar.
    pub(super) const fn scalar(scalar: Scalar) -> Ty {
        Ty::Data(Data::scalar(scalar))
    }

    /// Without the mark of a `tile_static` variable.
    pub(super) fn bare(&self) -> &Ty {
        match self {
            Ty::TileStatic(inner) => inner.bare(),
            other => other,
        }
    }

    /// What a value of it consists of.
    pub(super) fn holds(&self) -> Holds {
        let all = |parts: &mut dyn Iterator<Item = &Ty>| parts.map(Ty::holds).max().unwrap_or(Holds::Nothing);
        match self {
            Ty::Unit | Ty::Barrier | Ty::Array(_, 0) | Ty::Index(0) | Ty::Extent(0) => Holds::Nothing,
            Ty::Tuple(parts) => all(&mut parts.iter()),
            Ty::Struct(it) => all(&mut it.fields.iter().map(|field| &field.ty)),
            Ty::Array(element, _) => element.holds(),
            Ty::TiledIndex(dims) | Ty::TiledExtent(dims) if dims.is_empty() => Holds::Nothing,
            Ty::Data(_) | Ty::Small(_) | Ty::Enum(_) => Holds::Scalars,
            Ty::Index(_) | Ty::Extent(_) | Ty::TiledIndex(_) | Ty::TiledExtent(_) => Holds::Scalars,
            Ty::View { .. } | Ty::TileStatic(_) | Ty::Atomic(_) => Holds::Handle,
        }
    }

    /// Has it a form in memory?
    pub(super) fn in_memory(&self) -> bool {
        self.holds() == Holds::Scalars
    }

    /// Number of scalars in it; a vector counts as one for each component. Saturates.
    pub(super) fn leaves(&self) -> u64 {
        let n = |n: usize| n as u64;
        match self {
            Ty::Unit | Ty::Barrier | Ty::View { .. } | Ty::TileStatic(_) | Ty::Atomic(_) => 0,
            Ty::Data(data) => u64::from(data.width),
            Ty::Small(_) | Ty::Enum(_) => 1,
            Ty::Tuple(parts) => parts.iter().fold(0, |sum: u64, part| sum.saturating_add(part.leaves())),
            Ty::Struct(it) => it.fields.iter().fold(0, |sum: u64, field| sum.saturating_add(field.ty.leaves())),
            Ty::Array(element, length) => element.leaves().saturating_mul(u64::from(*length)),
            Ty::Index(rank) | Ty::Extent(rank) => u64::from(*rank),
            Ty::TiledExtent(dims) => n(dims.len()),
            Ty::TiledIndex(dims) => 4 * n(dims.len()),
        }
    }

    /// The one value it is held in: of a number, a `bool`, a vector, an enum.
    pub(super) fn data(&self) -> Option<Data> {
        match self {
            Ty::Data(data) => Some(*data),
            Ty::Small(stored) => Some(Data::scalar(stored.value())),
            Ty::Enum(it) => Some(Data::scalar(it.scalar)),
            _ => None,
        }
    }

    /// Is there a `bool` in it?
    pub(super) fn has_bool(&self) -> bool {
        match self {
            Ty::Data(data) => data.scalar == Scalar::Bool,
            Ty::Tuple(parts) => parts.iter().any(Ty::has_bool),
            Ty::Struct(it) => it.fields.iter().any(|field| field.ty.has_bool()),
            Ty::Array(element, _) => element.has_bool(),
            _ => false,
        }
    }

    /// Number of parts of what is held part by part.
    pub(super) fn count(&self) -> usize {
        match self {
            Ty::Tuple(parts) => parts.len(),
            Ty::Struct(it) => it.fields.len(),
            Ty::Array(_, n) | Ty::Index(n) | Ty::Extent(n) => *n as usize,
            Ty::TiledExtent(dims) => dims.len(),
            Ty::TiledIndex(_) => TILED_PARTS.len(),
            _ => 0,
        }
    }

    /// The type of a part.
    pub(super) fn part(&self, i: usize) -> Option<Ty> {
        match self {
            Ty::Tuple(parts) => parts.get(i).cloned(),
            Ty::Struct(it) => it.fields.get(i).map(|field| field.ty.clone()),
            Ty::Array(element, n) => (i < *n as usize).then(|| Ty::clone(element)),
            Ty::Index(_) | Ty::Extent(_) | Ty::TiledExtent(_) => (i < self.count()).then(|| Ty::scalar(Scalar::I32)),
            Ty::TiledIndex(dims) => match i {
                0..=3 => Some(Ty::Index(dims.len() as u32)),
                4 => Some(Ty::Barrier),
                _ => None,
            },
            _ => None,
        }
    }

    /// The part called `name`.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        match self {
            Ty::Tuple(parts) => name.parse().ok().filter(|&i| i < parts.len()),
            Ty::Struct(it) => it.fields.iter().position(|field| field.name == name),
            Ty::TiledIndex(_) => TILED_PARTS.iter().position(|part| *part == name),
            _ => None,
        }
    }

    /// What a part is called behind the name of the whole.
    pub(super) fn part_name(&self, i: usize) -> String {
        match self {
            Ty::Struct(it) => it.fields.get(i).map_or_else(|| i.to_string(), |field| field.name.to_owned()),
            Ty::TiledIndex(_) => TILED_PARTS.get(i).map_or_else(|| i.to_string(), |part| (*part).to_owned()),
            _ => i.to_string(),
        }
    }

    /// As Rust writes it, for messages.
    pub(super) fn show(&self) -> String {
        match self {
            Ty::Unit => "()".to_owned(),
            Ty::Data(data) => data.to_string(),
            Ty::Small(stored) => stored.name().to_owned(),
            Ty::Tuple(parts) => format!("({})", parts.iter().map(Ty::show).collect::<Vec<_>>().join(", ")),
            Ty::Array(element, n) => format!("[{}; {n}]", element.show()),
            Ty::Struct(it) => it.name.clone(),
            Ty::Enum(it) => it.name.clone(),
            Ty::Index(n) => format!("Index<{n}>"),
            Ty::Extent(n) => format!("Extent<{n}>"),
            Ty::TiledIndex(_) => "TiledIndex".to_owned(),
            Ty::TiledExtent(_) => "TiledExtent".to_owned(),
            Ty::Barrier => "TileBarrier".to_owned(),
            Ty::View { element, rank, .. } => format!("ArrayView<{}, {rank}>", element.show()),
            Ty::TileStatic(inner) => inner.show(),
            Ty::Atomic(scalar) => format!("AtomicRef<{scalar}>"),
        }
    }
}

/// The fields of a tiled index, in the order in which it holds them.
pub(super) const TILED_PARTS: [&str; 5] = ["global", "local", "tile", "tile_origin", "barrier"];

/// The memory type of what can lie in memory; nothing for anything else.
pub(super) fn memory(types: &mut Types, ty: &Ty) -> Option<TypeId> {
    laid_out(types, ty, false)
}

/// The same for an aggregate that comes from the host, where a `bool` is a byte: the host's memory has no `bool` in the kernel language.
pub(super) fn host_memory(types: &mut Types, ty: &Ty) -> Option<TypeId> {
    laid_out(types, ty, true)
}

fn laid_out(types: &mut Types, ty: &Ty, host: bool) -> Option<TypeId> {
    if !ty.in_memory() {
        return None;
    }
    let numbers = |types: &mut Types, n: usize| {
        let element = types.scalar(Stored::I32);
        types.natural_array(element, Some(n as u32))
    };
    Some(match ty {
        Ty::Data(Data { scalar: Scalar::Bool, width }) if host => types.vector(Stored::U8, *width),
        Ty::Data(data) => types.data(*data),
        Ty::Small(stored) => types.scalar(*stored),
        Ty::Enum(it) => types.scalar(it.scalar.stored()),
        Ty::Array(element, n) => {
            let element = laid_out(types, element, host)?;
            types.natural_array(element, Some(*n))
        }
        Ty::Tuple(parts) => {
            let mut fields = Vec::new();
            for (i, part) in parts.iter().enumerate().filter(|(_, part)| part.in_memory()) {
                fields.push((format!("_{i}").into(), laid_out(types, part, host)?));
            }
            let tuple = types.natural_struct("tuple".into(), &fields);
            types.add(Type::Struct(tuple))
        }
        Ty::Struct(it) => struct_(types, it, host)?,
        Ty::TiledIndex(dims) => {
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

/// A field of a tuple struct has a number in Rust, which is no name here.
fn format_field(name: &str) -> Arc<str> {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}").into() } else { name.into() }
}

/// The position of part `i` among the fields that lie in memory.
pub(super) fn memory_field(ty: &Ty, i: usize) -> u32 {
    (0..i).filter(|&before| ty.part(before).is_some_and(|part| part.in_memory())).count() as u32
}
