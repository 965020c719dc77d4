//! Methods of numbers in kernels, such as `x.rotate_left(3)`.
//!
//! A method has Rust's name and Rust's meaning; where Rust panics, a kernel has a meaning of its
//! own, which the row's note states. `table.rs` has one [`Method`] for each name and class of
//! scalars; all else is derived from it: the lowering ([`emit`]), the lists for tests ([`names`]),
//! the page `docs/methods.md` ([`markdown`]). `tilewise::numbers` implements the methods again, in
//! Rust, for the host; its tests compare the two.
//!
//! Not here: operators, casts, functions without a receiver (`f32::from_bits`), methods of vectors
//! and views.

mod page;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use tilewise_ir::build::Builder;
use tilewise_ir::kernel::ValueId;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar, ValueType};

pub use page::markdown;
use writer::MethodWriter;

/// The type of an argument or result, relative to the receiver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodType {
    /// The receiver's own.
    Own,
    /// The unsigned integer of the receiver's width.
    Unsigned,
    /// The signed integer of the receiver's width.
    Signed,
    /// Always `u32`.
    U32,
    /// Always `i32`.
    I32,
    /// Always `bool`.
    Bool,
}

impl MethodType {
    /// The scalar that it stands for with a receiver of type `own`.
    pub const fn of(self, own: Scalar) -> Scalar {
        let wide = own.bits() == 64;
        match self {
            MethodType::Own => own,
            MethodType::Unsigned if wide => Scalar::U64,
            MethodType::Signed if wide => Scalar::I64,
            MethodType::Unsigned | MethodType::U32 => Scalar::U32,
            MethodType::Signed | MethodType::I32 => Scalar::I32,
            MethodType::Bool => Scalar::Bool,
        }
    }
}

/// A method of some scalars.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Rust's name.
    pub name: &'static str,
    /// The types that have it.
    pub on: &'static [Scalar],
    /// The types of its arguments; the receiver is the first.
    pub args: &'static [MethodType],
    /// The types of its results: one value, or two for a tuple.
    pub results: &'static [MethodType],
    /// Its meaning where Rust panics or leaves the result open; empty where Rust does neither.
    pub note: &'static str,
    /// Emits it.
    emit: fn(&mut MethodWriter<'_>, &[ValueId]) -> Vec<ValueId>,
}

/// Every method, in the order of the page.
pub fn all() -> &'static [Method] {
    table::METHODS
}

/// The method of a scalar with the name `name`.
pub fn find(name: &str, scalar: Scalar) -> Option<&'static Method> {
    all().iter().find(|method| method.name == name && method.on.contains(&scalar))
}

/// Every method of every scalar.
pub fn names() -> impl Iterator<Item = (&'static str, Scalar)> {
    all().iter().flat_map(|method| method.on.iter().map(|&scalar| (method.name, scalar)))
}

/// Emits the method `name` of the first argument's type. `None` if that type has no such method, or
/// not with such arguments.
pub fn emit(b: &mut Builder, name: &str, args: &[ValueId], pos: Pos) -> Option<Vec<ValueId>> {
    let scalar = b.context().data(*args.first()?)?.scalar;
    let method = find(name, scalar)?;
    let wanted = method.args.iter().map(|part| ValueType::Data(Data::scalar(part.of(scalar))));
    if !wanted.eq(args.iter().map(|&arg| b.value_type(arg))) {
        return None;
    }
    Some((method.emit)(&mut MethodWriter { b, scalar, pos }, args))
}
