//! The requirements of `derive(AmpStruct)` on a struct and its fields.

use super::{RustConstant, RustType, StructTy, Witness};
use crate::api::element::Element;
use crate::kernel::types::KernelValue;

/// Can be copied. The lifetime means nothing: rustc does not check a bound `for<'a> T: Copied<'a>`
/// at the `impl` that states it, so a missing `Copy` is one error, not one per `impl`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can be copied neither by kernels nor for them",
    label = "not `Copy`",
    note = "write `#[derive(Clone, Copy, AmpStruct)]`"
)]
pub trait Copied<'a>: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> Copied<'_> for T {}

/// Can be a field. The lifetime means nothing, as in [`Copied`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an `AmpStruct`",
    label = "not a value of a kernel",
    note = "fields are numbers, `bool`s, `char`s, short vectors, tuples and arrays of those, and structs and enums with `#[derive(Clone, Copy, AmpStruct)]`"
)]
pub trait StructField<'a>: KernelValue {}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> StructField<'_> for T {}

/// Can be a field of an element of a view. The lifetime means nothing, as in [`Copied`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an element of a view",
    label = "not plain data",
    note = "fields of elements are numbers, short vectors, arrays of those, and structs of those; in the place of a `bool`, write a `u32`"
)]
pub trait ElementField<'a>: Element<Value = Self> + KernelValue {}

#[diagnostic::do_not_recommend]
impl<T: Element<Value = T> + KernelValue> ElementField<'_> for T {}

/// Can be a field of a variant of an enum. The lifetime means nothing, as in [`Copied`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an enum in a kernel",
    label = "not a value of a kernel",
    note = "fields of variants are numbers of 32 and 64 bits, `bool`s, short vectors, tuples and arrays of those, and structs and enums with `#[derive(Clone, Copy, AmpStruct)]`"
)]
pub trait VariantField<'a>: KernelValue {}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> VariantField<'_> for T {}

/// Proves that a type can be a field of a variant.
pub const fn variant_field<T: for<'a> VariantField<'a>>() {}

/// Proves that a type can be copied.
pub const fn copied<T: for<'a> Copied<'a>>() {}

/// Proves that a type can be a field.
pub const fn field<T: for<'a> StructField<'a>>() -> Witness<T> {
    Witness::NEW
}

/// A struct as the host prints it, from its fields as the host prints them.
pub fn struct_on_the_host(ty: RustType, fields: &[RustConstant]) -> RustConstant {
    let RustType::Struct(of) = &ty else { return RustConstant { ty, leaves: Vec::new(), too_wide: None } };
    let mut of = StructTy::clone(of);
    for (field, value) in of.fields.iter_mut().zip(fields) {
        field.ty = value.ty.clone();
    }
    let leaves = fields.iter().flat_map(|field| field.leaves.iter().copied()).collect();
    RustConstant { ty: RustType::Struct(of.into()), leaves, too_wide: None }
}

/// The type of a value.
pub const fn type_of<T>(_: &T) -> Witness<T> {
    Witness::NEW
}

/// Proves that two types are the same; a value could be coerced.
pub const fn is_type_of<T>(_: Witness<T>, _: Witness<T>) {}

/// The name of a type without paths.
pub fn name_of<T: ?Sized>() -> String {
    let mut name = String::new();
    for c in std::any::type_name::<T>().chars() {
        if c == ':' {
            let keep = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            name.truncate(keep);
        } else {
            name.push(c);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn names_have_no_paths() {
        assert_eq!(name_of::<std::sync::Arc<[String; 3]>>(), "Arc<[String; 3]>");
        assert_eq!(name_of::<f32>(), "f32");
    }
}
