//! `derive(AmpStruct)`: what the kernel language must know of a struct, or of an enum without fields.
//!
//! The layout is rustc's own, by `offset_of!`. One constant proves what makes the struct plain data: each field is, and their sizes add up to the struct's. The bounds that the `impl`s
//! would fail by are written so that only that proof fails, and so is one error at the field: each stands behind `for<'a>`, which rustc does not judge by itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DataStruct, DeriveInput, Field, Fields, GenericParam, Member, Type};

use crate::at::own;
use crate::walk::text;

/// `derive(AmpStruct)`
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let result = match &input.data {
        Data::Struct(data) => structure(input, data),
        Data::Enum(data) => enumeration(input, data),
        Data::Union(data) => {
            Err(syn::Error::new(data.union_token.span, "a union cannot be used in a kernel: use a struct"))
        }
    };
    result.unwrap_or_else(|error| error.to_compile_error())
}

/// A field: how it is reached, and its type.
struct Part<'i> {
    member: Member,
    name: String,
    ty: &'i Type,
    span: Span,
}

fn structure(input: &DeriveInput, data: &DataStruct) -> syn::Result<TokenStream> {
    let parts = parts(data);
    refuse(input, &parts)?;
    let name = &input.ident;
    let site = Span::mixed_site();
    let (generics, arguments, _) = input.generics.split_for_impl();
    let copied = quote_spanned!(site=> for<'__a> #name #arguments: ::tilewise::form::Copied<'__a>);
    let fields: Vec<TokenStream> = parts
        .iter()
        .map(|part| {
            let ty = part.ty;
            quote_spanned!(site=> for<'__a> #ty: ::tilewise::form::Field<'__a>)
        })
        .collect();
    let own_condition =
        input.generics.where_clause.as_ref().map(|clause| clause.predicates.iter()).into_iter().flatten();
    let condition = quote_spanned!(site=> where #(#own_condition,)* #copied, #(#fields),*);
    let (members, names): (Vec<_>, Vec<_>) = parts.iter().map(|part| (&part.member, &part.name)).unzip();
    let types: Vec<_> = parts.iter().map(|part| part.ty).collect();
    let data_impls = plain_data(input, &parts, &condition)?;
    let proof = if input.generics.type_params().next().is_none() { proof(input, &parts) } else { TokenStream::new() };
    Ok(quote_spanned! {site=>
        #proof
        impl #generics ::tilewise::types::KernelType for #name #arguments #condition {
            fn ty() -> ::tilewise::form::Ty {
                ::tilewise::form::Ty::Struct(::std::sync::Arc::new(::tilewise::form::StructTy {
                    name: ::tilewise::form::name_of::<Self>(),
                    fields: ::std::vec![#(::tilewise::form::FieldTy {
                        name: #names,
                        offset: ::core::mem::offset_of!(Self, #members) as u32,
                        ty: <#types as ::tilewise::types::KernelType>::ty(),
                    }),*],
                    size: ::core::mem::size_of::<Self>() as u32,
                    align: ::core::mem::align_of::<Self>() as u32,
                }))
            }
        }
        impl #generics ::tilewise::types::KernelValue for #name #arguments #condition {
            fn leaves(&self, __out: &mut ::std::vec::Vec<u64>) {
                #(::tilewise::types::KernelValue::leaves(&{ self.#members }, __out);)*
            }

            fn zero() -> Self {
                Self { #(#members: <#types as ::tilewise::types::KernelValue>::zero()),* }
            }
        }
        impl #generics ::tilewise::Capture for #name #arguments #condition {
            type Value = Self;

            fn capture(&self) -> Self {
                *self
            }
        }
        #data_impls
    })
}

fn parts(data: &DataStruct) -> Vec<Part<'_>> {
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
            Part { member, name, ty: &field.ty, span: field.ty.span() }
        })
        .collect()
}

/// What can be seen without types.
fn refuse(input: &DeriveInput, parts: &[Part<'_>]) -> syn::Result<()> {
    let mut errors = Vec::new();
    if parts.is_empty() {
        let message = "an `AmpStruct` needs a field: a kernel cannot hold a type without a size";
        errors.push(syn::Error::new(input.ident.span(), message));
    }
    for part in parts {
        let message = match part.ty {
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

/// The proof that the struct is plain data.
fn proof(input: &DeriveInput, parts: &[Part<'_>]) -> TokenStream {
    let name = &input.ident;
    let (_, arguments, _) = input.generics.split_for_impl();
    let span = own(name.span());
    let fields = parts.iter().map(|part| {
        let ty = part.ty;
        quote_spanned!(own(part.span)=> ::tilewise::form::field::<#ty>();)
    });
    let types = parts.iter().map(|part| part.ty);
    let padding = format!(
        "there is padding in `{}`: put larger fields before smaller ones, or fill the gaps by fields of your own",
        text(name)
    );
    let nothing = format!("`{}` has no size", text(name));
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    quote_spanned! {span=>
        const _: () = {
            ::tilewise::form::copied::<#name #arguments>();
            #(#fields)*
            ::core::assert!(::core::mem::size_of::<#name #arguments>() > 0, #nothing);
            ::core::assert!(
                ::core::mem::size_of::<#name #arguments>() == 0 #(+ ::core::mem::size_of::<#types>())*,
                #padding
            );
        };
    }
}

/// What makes it an element of views. A struct with type parameters is one if nothing that they stand for could bring padding: all fields are of one parameter, in `repr(C)`.
fn plain_data(input: &DeriveInput, parts: &[Part<'_>], condition: &TokenStream) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (generics, arguments, _) = input.generics.split_for_impl();
    let mut condition = condition.clone();
    if !input.generics.params.is_empty() {
        let parameters: Vec<String> = input.generics.type_params().map(|ty| text(&ty.ident)).collect();
        let leaves: Vec<String> = parts.iter().map(|part| leaf(part.ty)).collect();
        let one = leaves.iter().all(|leaf| *leaf == leaves[0] && (parameters.contains(leaf) || is_number(leaf)));
        if !one || !is_repr_c(input)? {
            return Ok(TokenStream::new());
        }
        let leaf: Ident = Ident::new(&leaves[0], Span::mixed_site());
        let leaf = if parameters.contains(&leaves[0]) { quote!(#leaf) } else { quote!(::core::primitive::#leaf) };
        condition.extend(quote!(, #leaf: ::tilewise::Element<Value = #leaf>));
    }
    let outlives = input.generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(ty) => {
            let ty = &ty.ident;
            Some(quote!(, #ty: 'static))
        }
        _ => None,
    });
    let condition = quote!(#condition #(#outlives)*);
    Ok(quote_spanned! {Span::mixed_site()=>
        // SAFETY: every bit pattern of every field is a value, and the fields are all there is: the constant above proves it, or the shape of the struct does.
        unsafe impl #generics ::tilewise::bytemuck::Zeroable for #name #arguments #condition {}
        // SAFETY: as above.
        unsafe impl #generics ::tilewise::bytemuck::Pod for #name #arguments #condition {}
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::Element for #name #arguments #condition {
            type Value = Self;
        }
    })
}

/// The name of what a type consists of, arrays left out.
fn leaf(ty: &Type) -> String {
    match ty {
        Type::Array(array) => leaf(&array.elem),
        Type::Paren(paren) => leaf(&paren.elem),
        other => other.to_token_stream().to_string(),
    }
}

fn is_number(name: &str) -> bool {
    ["i32", "u32", "i64", "u64", "f32", "f64"].contains(&name)
}

fn is_repr_c(input: &DeriveInput) -> syn::Result<bool> {
    let mut found = false;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("C") || meta.path.is_ident("transparent");
            if meta.input.peek(syn::token::Paren) {
                let inside;
                syn::parenthesized!(inside in meta.input);
                let _: TokenStream = inside.parse()?;
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn has_repr(input: &DeriveInput, name: &str) -> bool {
    let reprs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr"));
    reprs.into_iter().any(|attribute| attribute.meta.to_token_stream().to_string().contains(name))
}

fn enumeration(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        let help = "an enum in a kernel has no fields: use a struct with a field that tells which";
        return Err(syn::Error::new(variant.fields.span(), help));
    }
    if data.variants.is_empty() {
        return Err(syn::Error::new(input.ident.span(), "an enum in a kernel needs a variant"));
    }
    if let Some(param) = input.generics.params.first() {
        return Err(syn::Error::new(param.span(), "an enum in a kernel has no parameters"));
    }
    if ["i64", "u64", "i128", "u128"].iter().any(|wide| has_repr(input, wide)) {
        return Err(syn::Error::new(
            input.ident.span(),
            "the discriminants of an enum in a kernel have 32 bits at most",
        ));
    }
    let name = &input.ident;
    let scalar = Ident::new(if has_repr(input, "u32") { "U32" } else { "I32" }, Span::mixed_site());
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let names: Vec<String> = variants.iter().map(|variant| text(variant)).collect();
    let first = variants[0];
    let written = text(name);
    let site = Span::mixed_site();
    let proof = quote_spanned!(own(name.span())=> const _: () = ::tilewise::form::copied::<#name>(););
    let condition = quote_spanned!(site=> where for<'__a> #name: ::tilewise::form::Copied<'__a>);
    Ok(quote_spanned! {site=>
        #proof
        impl ::tilewise::types::KernelType for #name {
            fn ty() -> ::tilewise::form::Ty {
                ::tilewise::form::Ty::Enum(::std::sync::Arc::new(::tilewise::form::EnumTy {
                    name: ::std::string::String::from(#written),
                    scalar: ::tilewise::form::Scalar::#scalar,
                    variants: ::std::vec![#((#names, #name::#variants as i64 as u32)),*],
                }))
            }
        }
        impl ::tilewise::types::KernelValue for #name #condition {
            fn leaves(&self, __out: &mut ::std::vec::Vec<u64>) {
                __out.push(::core::primitive::u64::from(*self as i64 as u32));
            }

            // What is not there is the variant of value 0, or the first.
            fn zero() -> Self {
                #(if #name::#variants as i64 == 0 {
                    return #name::#variants;
                })*
                #name::#first
            }
        }
        impl ::tilewise::Capture for #name #condition {
            type Value = Self;

            fn capture(&self) -> Self {
                *self
            }
        }
        impl ::tilewise::form::Compares<::tilewise::form::op::Equal> for #name {
            fn form() -> ::tilewise::form::Form {
                ::tilewise::form::op::OWN
            }
        }
    })
}
