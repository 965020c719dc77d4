//! Enums with fields in their variants: in a kernel, the number of the variant and the fields of all
//! variants. They are local values, parameters, results and captures, and no elements of views.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DataEnum, DeriveInput, Field, Fields, Type, Variant};

use crate::at::own;
use crate::walk::text;

pub(super) fn variants(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    refuse(input, data)?;
    let name = &input.ident;
    let site = Span::mixed_site();
    let (generics, arguments, _) = input.generics.split_for_impl();
    let types: Vec<&Type> = data.variants.iter().flat_map(|it| it.fields.iter().map(|field| &field.ty)).collect();
    let own_condition =
        input.generics.where_clause.as_ref().map(|clause| clause.predicates.iter()).into_iter().flatten();
    let condition = quote_spanned! {site=>
        where
            #(#own_condition,)*
            for<'__a> #name #arguments: ::tilewise::macro_support::Copied<'__a>,
            #(for<'__a> #types: ::tilewise::macro_support::VariantField<'__a>),*
    };
    let described = data.variants.iter().map(|variant| {
        let fields = variant.fields.iter().enumerate().map(|(index, field)| {
            let (name, ty) = (field_name(index, field), &field.ty);
            quote_spanned!(site=> (#name, <#ty as ::tilewise::types::KernelType>::ty()))
        });
        let name = text(&variant.ident);
        quote_spanned! {site=>
            ::tilewise::macro_support::VariantTy { name: #name, fields: ::std::vec![#(#fields),*] }
        }
    });
    let zeros: Vec<TokenStream> = data.variants.iter().map(zero).collect();
    let numbers: Vec<u32> = (0..data.variants.len() as u32).collect();
    let first = &zeros[0];
    let leaves = data.variants.iter().enumerate().map(|(index, variant)| leaves(data, index, variant));
    let proof = proof(input, data);
    Ok(quote_spanned! {site=>
        #proof
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::types::KernelType for #name #arguments #condition {
            fn ty() -> ::tilewise::macro_support::RustType {
                ::tilewise::macro_support::RustType::Variants(::std::sync::Arc::new(::tilewise::macro_support::VariantsTy {
                    name: ::tilewise::macro_support::name_of::<Self>(),
                    variants: ::std::vec![#(#described),*],
                }))
            }

            fn variant(__is: &dyn ::core::ops::Fn(&Self) -> ::core::primitive::bool) -> ::core::primitive::u32 {
                #(if __is(&#zeros) {
                    return #numbers;
                })*
                0
            }
        }
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::types::KernelValue for #name #arguments #condition {
            fn leaves(&self, __out: &mut ::std::vec::Vec<::core::primitive::u64>) {
                match *self {
                    #(#leaves)*
                }
            }

            fn zero() -> Self {
                #first
            }
        }
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::Capture for #name #arguments #condition {
            type Value = Self;

            fn capture(&self) -> Self {
                *self
            }
        }
    })
}

fn field_name(index: usize, field: &Field) -> String {
    field.ident.as_ref().map_or_else(|| index.to_string(), text)
}

/// The variant with zeros in its fields.
fn zero(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    let zero = |field: &Field| {
        let ty = &field.ty;
        quote!(<#ty as ::tilewise::types::KernelValue>::zero())
    };
    let zeros = variant.fields.iter().map(zero);
    match &variant.fields {
        Fields::Unit => quote!(Self::#name),
        Fields::Unnamed(_) => quote!(Self::#name(#(#zeros),*)),
        Fields::Named(fields) => {
            let names = fields.named.iter().map(|field| &field.ident);
            quote!(Self::#name { #(#names: #zeros),* })
        }
    }
}

/// The arm that writes the scalars of a variant: zeros for the fields of the others.
fn leaves(data: &DataEnum, index: usize, variant: &Variant) -> TokenStream {
    let site = Span::mixed_site();
    let name = &variant.ident;
    let bound: Vec<Ident> = (0..variant.fields.len()).map(|at| Ident::new(&format!("__f{at}"), site)).collect();
    let pattern = match &variant.fields {
        Fields::Unit => quote!(Self::#name),
        Fields::Unnamed(_) => quote!(Self::#name(#(#bound),*)),
        Fields::Named(fields) => {
            let names = fields.named.iter().map(|field| &field.ident);
            quote!(Self::#name { #(#names: #bound),* })
        }
    };
    let number = index as u64;
    let written = data.variants.iter().enumerate().flat_map(|(other, variant)| {
        let bound = &bound;
        variant.fields.iter().enumerate().map(move |(at, field)| {
            let ty = &field.ty;
            let value = match other == index {
                true => bound[at].to_token_stream(),
                false => quote_spanned!(site=> <#ty as ::tilewise::types::KernelValue>::zero()),
            };
            quote_spanned!(site=> ::tilewise::types::KernelValue::leaves(&#value, __out);)
        })
    });
    quote_spanned!(site=> #pattern => {
        __out.push(#number);
        #(#written)*
    })
}

/// Proves that the variants and the types of their fields are those that the derive has seen, and
/// that each may be a field.
fn proof(input: &DeriveInput, data: &DataEnum) -> TokenStream {
    if !input.generics.params.is_empty() {
        // A type with parameters is proved where the `impl`s are used.
        return TokenStream::new();
    }
    let name = &input.ident;
    let fields = data.variants.iter().flat_map(|variant| variant.fields.iter()).map(|field| {
        let ty = &field.ty;
        quote_spanned!(own(ty.span())=> ::tilewise::macro_support::variant_field::<#ty>();)
    });
    quote_spanned! {own(name.span())=>
        const _: () = {
            ::tilewise::macro_support::copied::<#name>();
            #(#fields)*
        };
    }
}

/// Reports the mistakes that are visible without types.
fn refuse(input: &DeriveInput, data: &DataEnum) -> syn::Result<()> {
    for variant in &data.variants {
        if let Some((_, number)) = &variant.discriminant {
            let message = "an enum with fields has no numbers of its own in a kernel: leave this out";
            return Err(syn::Error::new(number.span(), message));
        }
        for field in &variant.fields {
            let message = match &field.ty {
                Type::Reference(_) => {
                    "a reference cannot be a field of an `AmpStruct`: hold the value, or capture a view"
                }
                Type::Ptr(_) => "a pointer cannot be a field of an `AmpStruct`",
                Type::BareFn(_) => "a function cannot be a field of an `AmpStruct`",
                _ => continue,
            };
            return Err(syn::Error::new(field.ty.span(), message));
        }
    }
    match input.generics.lifetimes().next() {
        Some(lifetime) => {
            let message = "an `AmpStruct` holds values alone and so has no lifetime";
            Err(syn::Error::new(lifetime.lifetime.span(), message))
        }
        None => Ok(()),
    }
}
