//! The requirements of `derive(AmpStruct)` on a struct and its fields.

use super::{RustConstant, RustType, StructTy, VariantsTy, Witness};
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

/// An enum as the host prints it, from the fields of all variants as the host prints them.
pub fn variants_on_the_host(ty: RustType, number: u64, fields: &[RustConstant]) -> RustConstant {
    let RustType::Variants(of) = &ty else { return RustConstant { ty, leaves: Vec::new(), too_wide: None } };
    let mut of = VariantsTy::clone(of);
    let types = of.variants.iter_mut().flat_map(|variant| &mut variant.fields);
    for ((_, ty), value) in types.zip(fields) {
        *ty = value.ty.clone();
    }
    let leaves = std::iter::once(number).chain(fields.iter().flat_map(|field| field.leaves.iter().copied())).collect();
    RustConstant { ty: RustType::Variants(of.into()), leaves, too_wide: None }
}

/// The type of a value.
pub const fn type_of<T>(_: &T) -> Witness<T> {
    Witness::NEW
}

/// Proves that two types are the same; a value could be coerced.
pub const fn is_type_of<T>(_: Witness<T>, _: Witness<T>) {}

/// The name of a type without paths.
pub fn name_of<T: ?Sized>() -> String {
    without_paths(std::any::type_name::<T>())
}

fn without_paths(whole: &str) -> String {
    let mut name = String::new();
    for c in whole.chars() {
        if c == ':' {
            let keep = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            name.truncate(keep);
        } else {
            name.push(c);
        }
    }
    name
}

/// The name of a type that a derive has seen, with its arguments, without their paths. (That of the compiler has
/// the closure or the `impl` in it where the type is declared.)
pub fn derived_name<T: ?Sized>(name: &str) -> String {
    let whole = std::any::type_name::<T>();
    let mut depth = 0;
    let start = whole.char_indices().rev().find_map(|(at, c)| {
        match c {
            '>' if !whole[..at].ends_with('-') => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    });
    match start {
        Some(start) if whole.ends_with('>') => format!("{name}{}", without_paths(&whole[start..])),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{derived_name, name_of};

    #[test]
    fn names_of_derives_have_the_arguments_of_types() {
        assert_eq!(derived_name::<Option<std::sync::Arc<[String; 3]>>>("Option"), "Option<Arc<[String; 3]>>");
        let name = || {
            struct Inside<T>(T);
            (derived_name::<Inside<fn() -> Option<u8>>>("Inside"), derived_name::<String>("String"))
        };
        assert_eq!(name(), ("Inside<fn() -> Option<u8>>".to_owned(), "String".to_owned()));
    }

    #[test]
    fn names_have_no_paths() {
        assert_eq!(name_of::<std::sync::Arc<[String; 3]>>(), "Arc<[String; 3]>");
        assert_eq!(name_of::<f32>(), "f32");
    }
}
