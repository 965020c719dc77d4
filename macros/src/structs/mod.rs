//! `derive(AmpStruct)`: describes a struct or an enum to the kernel language.
//!
//! The layout is rustc's own, by `offset_of!`. The bounds of the `impl`s are higher-ranked
//! (`for<'a>`), so that rustc does not check them on their own: a field of a wrong type fails only
//! the proof in [`plain_data`], which is one error, at the field. Primitive types are written as
//! `::core::primitive::u32`, as the user may have other types of these names.

mod enumeration;
mod plain_data;
mod variants;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Data, DataStruct, DeriveInput, Field, Fields, GenericArgument, Member, PathArguments, Type};

use crate::at::own;
use crate::walk::text;

/// `derive(AmpStruct)`
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    if contains_itself(input) {
        // rustc reports that, and would report all that is written about its fields too.
        return TokenStream::new();
    }
    let result = match &input.data {
        Data::Struct(data) => structure(input, data),
        Data::Enum(data) if data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) => {
            enumeration::enumeration(input, data)
        }
        Data::Enum(data) => variants::variants(input, data),
        Data::Union(data) => {
            Err(syn::Error::new(data.union_token.span, "a union cannot be used in a kernel: use a struct"))
        }
    };
    result.unwrap_or_else(|error| error.to_compile_error())
}

/// Does a type contain itself, so that it has no end?
fn contains_itself(input: &DeriveInput) -> bool {
    let of = |fields: &Fields| fields.iter().any(|field| lies_in(&input.ident, &field.ty));
    match &input.data {
        Data::Struct(data) => of(&data.fields),
        Data::Enum(data) => data.variants.iter().any(|variant| of(&variant.fields)),
        Data::Union(_) => false,
    }
}

/// Is a type of this name, or `Self`, a part of another type?
fn lies_in(name: &Ident, ty: &Type) -> bool {
    match ty {
        Type::Array(array) => lies_in(name, &array.elem),
        Type::Group(ty) => lies_in(name, &ty.elem),
        Type::Paren(ty) => lies_in(name, &ty.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| lies_in(name, ty)),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return false };
            let is_itself = path.path.segments.len() == 1 && (last.ident == *name || last.ident == "Self");
            let holds = last.ident == "Option" || last.ident == "Result";
            let arguments = match &last.arguments {
                PathArguments::AngleBracketed(arguments) if holds => Some(&arguments.args),
                _ => None,
            };
            is_itself
                || arguments.into_iter().flatten().any(|argument| match argument {
                    GenericArgument::Type(ty) => lies_in(name, ty),
                    _ => false,
                })
        }
        _ => false,
    }
}

/// A field: its member and its type.
struct StructField {
    member: Member,
    name: String,
    ty: Type,
    span: Span,
}

/// Does a type contain the call of a macro, which may expand to something else the next time?
fn has_macro(ty: &Type) -> bool {
    struct MacroSearch(bool);
    impl VisitMut for MacroSearch {
        fn visit_macro_mut(&mut self, _: &mut syn::Macro) {
            self.0 = true;
        }
    }
    let mut macros = MacroSearch(matches!(ty, Type::Verbatim(_)));
    macros.visit_type_mut(&mut ty.clone());
    macros.0
}

/// Gives each type of a field that a macro writes a name: all uses of the name are one expansion. In a struct with
/// parameters such a type stays, and the struct is no plain data.
fn name_types_of_macros(input: &DeriveInput, parts: &mut [StructField]) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let mut named = TokenStream::new();
    for (number, part) in parts.iter_mut().enumerate().filter(|(_, part)| has_macro(&part.ty)) {
        let (written, name) = (&part.ty, Ident::new(&format!("__F{number}"), own(part.span)));
        named.extend(quote_spanned!(own(part.span)=> type #name = #written;));
        part.ty = syn::parse_quote!(#name);
    }
    named
}

fn structure(input: &DeriveInput, data: &DataStruct) -> syn::Result<TokenStream> {
    let mut parts = parts(data);
    refuse(input, &parts)?;
    let named_types = name_types_of_macros(input, &mut parts);
    let (name, type_name) = (&input.ident, text(&input.ident));
    let site = Span::mixed_site();
    let (generics, arguments, _) = input.generics.split_for_impl();
    let copied = quote_spanned!(site=> for<'__a> #name #arguments: ::tilewise::macro_support::Copied<'__a>);
    let fields: Vec<TokenStream> = parts
        .iter()
        .map(|part| {
            let ty = &part.ty;
            quote_spanned!(site=> for<'__a> #ty: ::tilewise::macro_support::StructField<'__a>)
        })
        .collect();
    let own_condition =
        input.generics.where_clause.as_ref().map(|clause| clause.predicates.iter()).into_iter().flatten();
    let condition = quote_spanned!(site=> where #(#own_condition,)* #copied, #(#fields),*);
    let (members, names): (Vec<_>, Vec<_>) = parts.iter().map(|part| (&part.member, &part.name)).unzip();
    let types: Vec<_> = parts.iter().map(|part| &part.ty).collect();
    let element_fields =
        types.iter().map(|ty| quote_spanned!(site=> for<'__a> #ty: ::tilewise::macro_support::ElementField<'__a>));
    let element_condition = quote_spanned!(site=> #condition, #(#element_fields),*);
    // Without a field, it is a value, and no element: it has no size.
    let data_impls = match parts.is_empty() {
        true => TokenStream::new(),
        false => plain_data::implementations(input, &parts, &element_condition)?,
    };
    let all = quote_spanned! {site=>
        #named_types
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::types::KernelType for #name #arguments #condition {
            fn ty() -> ::tilewise::macro_support::RustType {
                ::tilewise::macro_support::RustType::Struct(::std::sync::Arc::new(::tilewise::macro_support::StructTy {
                    name: ::tilewise::macro_support::derived_name::<Self>(#type_name),
                    fields: ::std::vec![#(::tilewise::macro_support::FieldTy {
                        name: #names,
                        offset: ::core::mem::offset_of!(Self, #members) as ::core::primitive::u32,
                        ty: <#types as ::tilewise::types::KernelType>::ty(),
                    }),*],
                    size: const {
                        ::tilewise::types::in_32_bits(
                            ::core::mem::size_of::<Self>(),
                            "a struct in a kernel has at most 4294967295 bytes",
                        )
                    },
                    align: ::core::mem::align_of::<Self>() as ::core::primitive::u32,
                }))
            }
        }
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::types::KernelValue for #name #arguments #condition {
            fn leaves(&self, __out: &mut ::std::vec::Vec<::core::primitive::u64>) {
                #(::tilewise::types::KernelValue::leaves(&{ self.#members }, __out);)*
            }

            fn zero() -> Self {
                Self { #(#members: <#types as ::tilewise::types::KernelValue>::zero()),* }
            }

            fn beyond(&self) -> ::core::option::Option<::core::primitive::i128> {
                ::core::option::Option::None
                    #(.or_else(|| ::tilewise::types::KernelValue::beyond(&{ self.#members })))*
            }

            fn on_the_host(&self) -> ::tilewise::macro_support::RustConstant {
                ::tilewise::macro_support::struct_on_the_host(
                    <Self as ::tilewise::types::KernelType>::ty(),
                    &[#(::tilewise::types::KernelValue::on_the_host(&{ self.#members })),*],
                )
            }

            fn end_in_a_kernel(self) -> Self {
                Self { #(#members: ::tilewise::types::KernelValue::end_in_a_kernel(self.#members)),* }
            }
        }
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::macro_support::BehindReferences for #name #arguments #condition {}
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::macro_support::ItemOfOption for #name #arguments #condition {
            type Kept = Self;

            fn kept(self) -> Self {
                self
            }

            fn held_zero() -> Self {
                <Self as ::tilewise::types::KernelValue>::zero()
            }

            fn for_good<'z>(self) -> &'z Self {
                ::tilewise::macro_support::value_for_good(self)
            }
        }
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::Capture for #name #arguments #condition {
            type Value = Self;

            fn capture(&self) -> Self {
                *self
            }
        }
        #data_impls
    };
    Ok(if named_types.is_empty() { all } else { crate::methods::hidden(&all) })
}

fn parts(data: &DataStruct) -> Vec<StructField> {
    let part = |(index, field): (usize, &'_ Field)| {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(syn::Index { index: index as u32, span: Span::mixed_site() }),
        };
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), text);
        (member, name)
    };
    let fields = data.fields.iter().enumerate();
    fields
        .map(|(index, field)| {
            let (member, name) = part((index, field));
            StructField { member, name, ty: field.ty.clone(), span: field.ty.span() }
        })
        .collect()
}

/// Reports the mistakes that are visible without types.
fn refuse(input: &DeriveInput, parts: &[StructField]) -> syn::Result<()> {
    let mut errors = Vec::new();
    for part in parts {
        let message = match &part.ty {
            Type::Reference(_) => "a reference cannot be a field of an `AmpStruct`: hold the value, or capture a view",
            Type::Ptr(_) => "a pointer cannot be a field of an `AmpStruct`",
            Type::BareFn(_) => "a function cannot be a field of an `AmpStruct`",
            _ => continue,
        };
        errors.push(syn::Error::new(part.span, message));
    }
    if let (true, Some(lifetime)) = (errors.is_empty(), input.generics.lifetimes().next()) {
        let message = "an `AmpStruct` holds values alone and so has no lifetime";
        errors.push(syn::Error::new(lifetime.lifetime.span(), message));
    }
    match errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    }) {
        Some(errors) => Err(errors),
        None => Ok(()),
    }
}
