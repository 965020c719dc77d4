//! Types of values, and layouts of data in memory.
//!
//! The two are separate on purpose.
//!
//! - A **value** ([`ValueType`]) is the result of an instruction: a scalar or a vector of 2 to 4
//!   scalars ([`Data`]), or a view. Values have no address and no padding. There are seven scalars
//!   ([`Scalar`]).
//! - A **memory type** ([`Type`], named by a [`TypeId`] of the kernel's [`Types`]) is a layout of
//!   bytes: stored scalars ([`Stored`], which include the 8- and 16-bit formats), packed vectors,
//!   arrays with an explicit stride, structs with explicit offsets, size and alignment. No layout
//!   rule is built in: Rust's `repr(C)` and WGSL's rules are both just numbers here.
//!   [`Types::natural_struct`] computes `repr(C)`.
//!
//! Loading a stored scalar gives its value ([`Stored::value`]): 8- and 16-bit integers widen to
//! `i32`/`u32`, `f16` to `f32`. Storing truncates integers and rounds floats to nearest even.
//! Aggregates (structs, arrays) are never values; they live in places, and the `copy` instruction
//! copies them.
//!
//! Textures and samplers will be further kinds of [`ValueType`] and of kernel parameter, without
//! other changes here.

use std::collections::HashMap;
use std::fmt;

use crate::pos::Pos;

/// A shared name from the source.
pub type Name = std::sync::Arc<str>;

/// A type of scalar values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// Truth value.
    Bool,
    /// Signed, 32 bits, wrapping.
    I32,
    /// Unsigned, 32 bits, wrapping.
    U32,
    /// Signed, 64 bits, wrapping.
    I64,
    /// Unsigned, 64 bits, wrapping.
    U64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Scalar {
    /// All of them, in the order of declaration.
    pub const ALL: [Scalar; 7] =
        [Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 => "i64",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Width in bits; a `bool` has one.
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    /// `i32`, `u32`, `i64`, `u64`.
    pub const fn is_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64)
    }

    /// `i32`, `i64`.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::I64)
    }

    /// `f32`, `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// The memory format that holds this scalar unchanged.
    pub const fn stored(self) -> Stored {
        match self {
            Scalar::Bool => Stored::Bool,
            Scalar::I32 => Stored::I32,
            Scalar::U32 => Stored::U32,
            Scalar::I64 => Stored::I64,
            Scalar::U64 => Stored::U64,
            Scalar::F32 => Stored::F32,
            Scalar::F64 => Stored::F64,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A storage format of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stored {
    /// One byte, 0 or 1. Only in `tile_static` and local variables: the host cannot access it.
    Bool,
    /// Signed byte; reads as `i32`.
    I8,
    /// Unsigned byte; reads as `u32`.
    U8,
    /// Signed, 16 bits; reads as `i32`.
    I16,
    /// Unsigned, 16 bits; reads as `u32`.
    U16,
    /// IEEE 754 binary16; reads as `f32`.
    F16,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Stored {
    /// All of them, in the order of declaration.
    pub const ALL: [Stored; 12] = [
        Stored::Bool,
        Stored::I8,
        Stored::U8,
        Stored::I16,
        Stored::U16,
        Stored::F16,
        Stored::I32,
        Stored::U32,
        Stored::I64,
        Stored::U64,
        Stored::F32,
        Stored::F64,
    ];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Stored::I8 => "i8",
            Stored::U8 => "u8",
            Stored::I16 => "i16",
            Stored::U16 => "u16",
            Stored::F16 => "f16",
            other => other.value().name(),
        }
    }

    /// The type of loads and stores in this format.
    pub const fn value(self) -> Scalar {
        match self {
            Stored::Bool => Scalar::Bool,
            Stored::I8 | Stored::I16 | Stored::I32 => Scalar::I32,
            Stored::U8 | Stored::U16 | Stored::U32 => Scalar::U32,
            Stored::F16 | Stored::F32 => Scalar::F32,
            Stored::I64 => Scalar::I64,
            Stored::U64 => Scalar::U64,
            Stored::F64 => Scalar::F64,
        }
    }

    /// Size in bytes; also its natural alignment.
    pub const fn size(self) -> u32 {
        match self {
            Stored::Bool | Stored::I8 | Stored::U8 => 1,
            Stored::I16 | Stored::U16 | Stored::F16 => 2,
            Stored::I32 | Stored::U32 | Stored::F32 => 4,
            Stored::I64 | Stored::U64 | Stored::F64 => 8,
        }
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A scalar or a vector of scalars: the type of most values. `width` is 1 to 4; 1 is the scalar
/// itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Data {
    /// Type of each component.
    pub scalar: Scalar,
    /// Number of components, 1 to 4.
    pub width: u8,
}

impl Data {
    /// The scalar type `scalar`.
    pub const fn scalar(scalar: Scalar) -> Data {
        Data { scalar, width: 1 }
    }

    /// `width` components of `scalar`; `width` must be 1 to 4.
    pub const fn vector(scalar: Scalar, width: u8) -> Data {
        assert!(width >= 1 && width <= 4, "a vector has 2 to 4 components");
        Data { scalar, width }
    }

    /// The same width with another component type.
    pub const fn with(self, scalar: Scalar) -> Data {
        Data { scalar, width: self.width }
    }

    /// Whether it has more than one component.
    pub const fn is_vector(self) -> bool {
        self.width > 1
    }

    /// The single value `bool`.
    pub const BOOL: Data = Data::scalar(Scalar::Bool);
    /// The single value `i32`.
    pub const I32: Data = Data::scalar(Scalar::I32);
    /// The single value `u32`.
    pub const U32: Data = Data::scalar(Scalar::U32);
    /// The single value `i64`.
    pub const I64: Data = Data::scalar(Scalar::I64);
    /// The single value `u64`.
    pub const U64: Data = Data::scalar(Scalar::U64);
    /// The single value `f32`.
    pub const F32: Data = Data::scalar(Scalar::F32);
    /// The single value `f64`.
    pub const F64: Data = Data::scalar(Scalar::F64);
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width {
            1 => write!(f, "{}", self.scalar),
            n => write!(f, "{}x{n}", self.scalar),
        }
    }
}

/// The permitted access to the memory of a view, a buffer or a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// Loads only.
    Read,
    /// Loads, stores and atomics.
    ReadWrite,
}

impl Access {
    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::ReadWrite => "read_write",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rectangle of elements whose extents, strides and base are run-time data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ViewType {
    /// Type of each element.
    pub element: TypeId,
    /// Number of dimensions, 1 to [`MAX_RANK`](crate::limits::MAX_RANK).
    pub rank: u32,
    /// The permitted access to the elements.
    pub access: Access,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueType {
    /// A scalar or a vector.
    Data(Data),
    /// A view. It can be indexed, sectioned, queried for its extent and passed to functions; it can
    /// be neither stored nor selected.
    View(ViewType),
    /// The result of an instruction that breaks a type rule. The builder leaves the explanation to
    /// the checker; uses of such a value are not reported again.
    Invalid,
}

impl ValueType {
    /// The scalar or vector type, if it is one.
    pub const fn data(self) -> Option<Data> {
        match self {
            ValueType::Data(data) => Some(data),
            ValueType::View(_) | ValueType::Invalid => None,
        }
    }

    /// The view type, if it is one.
    pub const fn view(self) -> Option<ViewType> {
        match self {
            ValueType::View(view) => Some(view),
            ValueType::Data(_) | ValueType::Invalid => None,
        }
    }
}

impl From<Data> for ValueType {
    fn from(data: Data) -> ValueType {
        ValueType::Data(data)
    }
}

impl From<Scalar> for ValueType {
    fn from(scalar: Scalar) -> ValueType {
        ValueType::Data(Data::scalar(scalar))
    }
}

/// Identifies a [`Type`] of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub(crate) u32);

impl TypeId {
    /// The id as an index into tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A layout of data in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// One stored scalar.
    Scalar(Stored),
    /// 2 to 4 stored scalars, contiguous.
    Vector(Stored, u8),
    /// Elements `stride` bytes apart. Without a length it is runtime-sized: it extends to the end
    /// of its buffer.
    Array {
        /// Type of each element.
        element: TypeId,
        /// Number of elements, if fixed.
        length: Option<u32>,
        /// Bytes between the starts of consecutive elements.
        stride: u32,
    },
    /// Named fields at explicit offsets.
    Struct(Struct),
}

/// A struct: fields at explicit offsets in an object of explicit size and alignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Struct {
    /// The name, unique among the structs of a kernel.
    pub name: Name,
    /// The fields, in the order of declaration.
    pub fields: Vec<Field>,
    /// Size in bytes. For a struct that ends in a runtime-sized array: the bytes before it.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub align: u32,
}

/// One field of a [`Struct`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// The name, unique in its struct.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Offset of its first byte in the struct.
    pub offset: u32,
}

impl Struct {
    /// The position of the field called `name`.
    pub fn field(&self, name: &str) -> Option<u32> {
        self.fields.iter().position(|field| &*field.name == name).map(|i| i as u32)
    }
}

/// The memory types of one kernel, without duplicates.
#[derive(Clone, Default, Debug)]
pub struct Types {
    list: Vec<Type>,
    measures: Vec<Measure>,
    ids: HashMap<Type, TypeId>,
    /// Where a text first has a struct's name or an array's length, for reports.
    places: HashMap<TypeId, Pos>,
}

/// The size of a type as a tree. Types share parts, so a few types can form a tree too large to
/// traverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Nesting depth; 0 for scalars and vectors.
    pub depth: u32,
    /// Number of types in the tree, with the element of an array counted once; saturates.
    pub parts: u64,
    /// Number of scalars that [`Types::leaves`] visits; saturates.
    pub leaves: u64,
}

impl Types {
    /// An empty set of types.
    pub fn new() -> Types {
        Types::default()
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.index()]
    }

    /// Every type with its id, in order of insertion: parts come before the whole.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.list.iter().enumerate().map(|(i, ty)| (TypeId(i as u32), ty))
    }

    /// Adds `ty` unless it exists already, and returns its id. A type nested deeper than one more
    /// than [`MAX_NESTING`](crate::limits::MAX_NESTING) is not added: its first part replaces it,
    /// deep enough for the checker to refuse it, and shallow enough for every traversal.
    pub fn add(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let measure = self.measure_new(&ty);
        if measure.depth > crate::limits::MAX_NESTING + 1 {
            let deepest = |part: &TypeId| self.measure(*part).depth;
            let part = match &ty {
                Type::Array { element, .. } => Some(*element),
                Type::Struct(s) => s.fields.iter().map(|field| field.ty).max_by_key(deepest),
                Type::Scalar(_) | Type::Vector(..) => None,
            };
            if let Some(part) = part {
                return part;
            }
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.measures.push(measure);
        self.ids.insert(ty, id);
        id
    }

    /// Notes where a text declares a type. The first place counts.
    pub(crate) fn declared_at(&mut self, id: TypeId, pos: Pos) {
        self.places.entry(id).or_insert(pos);
    }

    /// Where a text declares a type.
    pub(crate) fn place(&self, id: TypeId) -> Option<Pos> {
        self.places.get(&id).copied()
    }

    /// The size of the type as a tree.
    pub fn measure(&self, id: TypeId) -> Measure {
        self.measures[id.index()]
    }

    fn measure_new(&self, ty: &Type) -> Measure {
        match ty {
            Type::Scalar(_) => Measure { depth: 0, parts: 1, leaves: 1 },
            Type::Vector(_, n) => Measure { depth: 0, parts: 1, leaves: u64::from(*n) },
            Type::Array { element, length, .. } => {
                let element = self.measure(*element);
                let leaves = element.leaves.saturating_mul(u64::from(length.unwrap_or(0)));
                Measure { depth: element.depth + 1, parts: element.parts.saturating_add(1), leaves }
            }
            Type::Struct(s) => s.fields.iter().fold(Measure { depth: 1, parts: 1, leaves: 0 }, |sum, field| {
                let field = self.measure(field.ty);
                Measure {
                    depth: sum.depth.max(field.depth + 1),
                    parts: sum.parts.saturating_add(field.parts),
                    leaves: sum.leaves.saturating_add(field.leaves),
                }
            }),
        }
    }

    /// The type of one stored scalar.
    pub fn scalar(&mut self, stored: Stored) -> TypeId {
        self.add(Type::Scalar(stored))
    }

    /// The memory type that holds values of type `data` unchanged.
    pub fn data(&mut self, data: Data) -> TypeId {
        self.vector(data.scalar.stored(), data.width)
    }

    /// `width` contiguous stored scalars; a scalar if `width` is 1.
    pub fn vector(&mut self, stored: Stored, width: u8) -> TypeId {
        match width {
            1 => self.add(Type::Scalar(stored)),
            n => self.add(Type::Vector(stored, n)),
        }
    }

    /// An array whose stride is its element's size rounded up to the element's alignment.
    pub fn natural_array(&mut self, element: TypeId, length: Option<u32>) -> TypeId {
        let stride = self.natural_stride(element);
        self.add(Type::Array { element, length, stride })
    }

    /// The stride without needless padding: the size rounded up to the alignment.
    pub fn natural_stride(&self, element: TypeId) -> u32 {
        u32::try_from(self.element_size(element)).unwrap_or(u32::MAX)
    }

    /// Bytes between consecutive elements of a view without gaps: the size rounded up to the
    /// alignment.
    pub fn element_size(&self, element: TypeId) -> u64 {
        round_up(self.size(element), self.align(element))
    }

    /// A struct laid out as Rust's `repr(C)` does.
    pub fn natural_struct(&self, name: Name, fields: &[(Name, TypeId)]) -> Struct {
        let mut at: u64 = 0;
        let mut align: u32 = 1;
        let mut placed = Vec::with_capacity(fields.len());
        for (name, ty) in fields {
            let field_align = self.align(*ty);
            at = round_up(at, field_align);
            placed.push(Field { name: name.clone(), ty: *ty, offset: u32::try_from(at).unwrap_or(u32::MAX) });
            at = at.saturating_add(self.size(*ty));
            align = align.max(field_align);
        }
        Struct { name, fields: placed, size: u32::try_from(round_up(at, align)).unwrap_or(u32::MAX), align }
    }

    /// Size in bytes; 0 for a runtime-sized array; for a struct that ends in one, the bytes before
    /// it.
    pub fn size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Scalar(stored) => u64::from(stored.size()),
            Type::Vector(stored, n) => u64::from(stored.size()) * u64::from(*n),
            Type::Array { length: None, .. } | Type::Array { length: Some(0), .. } => 0,
            Type::Array { length: Some(n), stride, .. } => u64::from(*n) * u64::from(*stride),
            Type::Struct(s) => u64::from(s.size),
        }
    }

    /// The end of the last scalar, without the padding behind it and without a walk over all of them; of a
    /// runtime-sized array 0, and of a struct that ends in one what comes before it.
    pub fn end_of_scalars(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Scalar(_) | Type::Vector(..) => self.size(id),
            Type::Array { element, length, stride } => match (length.unwrap_or(0), self.end_of_scalars(*element)) {
                (0, _) | (_, 0) => 0,
                (length, last) => (u64::from(length) - 1) * u64::from(*stride) + last,
            },
            Type::Struct(s) => {
                let ends = s.fields.iter().map(|field| match self.end_of_scalars(field.ty) {
                    0 => 0,
                    last => u64::from(field.offset) + last,
                });
                ends.max().unwrap_or(0)
            }
        }
    }

    /// Alignment in bytes. A vector has that of its component, as in Rust; offsets and strides
    /// express WGSL's stricter alignment.
    pub fn align(&self, id: TypeId) -> u32 {
        match self.get(id) {
            Type::Scalar(stored) | Type::Vector(stored, _) => stored.size(),
            Type::Array { element, .. } => self.align(*element),
            Type::Struct(s) => s.align,
        }
    }

    /// The type of a load from a place of this type; `None` for aggregates.
    pub fn value(&self, id: TypeId) -> Option<Data> {
        match self.get(id) {
            Type::Scalar(stored) => Some(Data::scalar(stored.value())),
            Type::Vector(stored, n) => Some(Data { scalar: stored.value(), width: *n }),
            Type::Array { .. } | Type::Struct(_) => None,
        }
    }

    /// The stored scalar of a scalar or vector type.
    pub fn stored(&self, id: TypeId) -> Option<Stored> {
        match self.get(id) {
            Type::Scalar(stored) | Type::Vector(stored, _) => Some(*stored),
            Type::Array { .. } | Type::Struct(_) => None,
        }
    }

    /// Whether `found` holds for this type or any of its parts. Calls `found` once for each type,
    /// however often it occurs.
    pub fn any(&self, id: TypeId, found: &mut dyn FnMut(&Type) -> bool) -> bool {
        let mut wanted = vec![false; id.index() + 1];
        wanted[id.index()] = true;
        // Parts come before the whole.
        for i in (0..=id.index()).rev() {
            if !wanted[i] {
                continue;
            }
            let ty = &self.list[i];
            if found(ty) {
                return true;
            }
            match ty {
                Type::Scalar(_) | Type::Vector(..) => {}
                Type::Array { element, .. } => wanted[element.index()] = true,
                Type::Struct(s) => s.fields.iter().for_each(|field| wanted[field.ty.index()] = true),
            }
        }
        false
    }

    /// Whether the type has no fixed size, because it is or ends in a runtime-sized array.
    pub fn is_runtime_sized(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Array { length, .. } => length.is_none(),
            Type::Struct(s) => s.fields.last().is_some_and(|field| self.is_runtime_sized(field.ty)),
            Type::Scalar(_) | Type::Vector(..) => false,
        }
    }

    /// Visits the scalars of the type in order of declaration, each with its offset. Runtime-sized
    /// arrays have none.
    pub fn leaves(&self, id: TypeId, visit: &mut dyn FnMut(u64, Stored)) {
        self.leaves_at(id, 0, visit);
    }

    fn leaves_at(&self, id: TypeId, at: u64, visit: &mut dyn FnMut(u64, Stored)) {
        match self.get(id) {
            Type::Scalar(stored) => visit(at, *stored),
            Type::Vector(stored, n) => {
                (0..u64::from(*n)).for_each(|i| visit(at + i * u64::from(stored.size()), *stored));
            }
            Type::Array { element, length, stride } => {
                for i in 0..u64::from(length.unwrap_or(0)) {
                    self.leaves_at(*element, at + i * u64::from(*stride), visit);
                }
            }
            Type::Struct(s) => s.fields.iter().for_each(|f| self.leaves_at(f.ty, at + u64::from(f.offset), visit)),
        }
    }

    /// The type in the text form; structs by name.
    pub fn show(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Scalar(stored) => stored.name().to_owned(),
            Type::Vector(stored, n) => format!("{stored}x{n}"),
            Type::Array { element, length, stride } => {
                let mut out = format!("[{}", self.show(*element));
                if let Some(n) = length {
                    out += &format!("; {n}");
                }
                // Not `natural_stride`, which is no stride if it is 4 GiB.
                if u64::from(*stride) != self.element_size(*element) {
                    out += &format!(" stride {stride}");
                }
                out + "]"
            }
            Type::Struct(s) => s.name.to_string(),
        }
    }

    /// A value's type in the text form.
    pub fn show_value(&self, ty: ValueType) -> String {
        match ty {
            ValueType::Data(data) => data.to_string(),
            ValueType::View(view) => {
                format!("view<{}, {}, {}>", self.show(view.element), view.rank, view.access.name())
            }
            ValueType::Invalid => "a type in error".to_owned(),
        }
    }
}

impl PartialEq for Types {
    fn eq(&self, other: &Types) -> bool {
        self.list == other.list
    }
}

/// `value` rounded up to a multiple of `align`, a power of two or any other number but 0.
pub fn round_up(value: u64, align: u32) -> u64 {
    let align = u64::from(align.max(1));
    value.div_ceil(align).saturating_mul(align)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_end_before_the_padding_behind_them() {
        let mut types = Types::default();
        let [byte, word] = [Stored::U8, Stored::U32].map(|stored| types.scalar(stored));
        let field = |name: &str, ty, offset| Field { name: name.into(), ty, offset };
        let fields = vec![field("w", word, 0), field("b", byte, 4)];
        let row = types.add(Type::Struct(Struct { name: "R".into(), fields, size: 8, align: 4 }));
        let [rows, tail] = [Some(3), None].map(|length| types.add(Type::Array { element: row, length, stride: 8 }));
        let fields = vec![field("a", byte, 2), field("t", tail, 8)];
        let whole = types.add(Type::Struct(Struct { name: "W".into(), fields, size: 8, align: 4 }));
        let ends = [byte, word, row, rows, tail, whole].map(|ty| types.end_of_scalars(ty));
        assert_eq!(ends, [1, 4, 5, 21, 0, 3]);
    }
}
