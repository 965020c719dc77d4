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
    let (name, type_name) = (&input.ident, text(&input.ident));
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
    let all = || data.variants.iter().enumerate();
    let leaves = all().map(|(index, variant)| leaves(data, index, variant));
    let beyond = all().map(|(_, variant)| beyond(variant));
    let on_the_host = all().map(|(index, variant)| on_the_host(data, index, variant));
    let end_in_a_kernel = all().map(|(_, variant)| end_in_a_kernel(variant));
    let proof = proof(input, data);
    Ok(quote_spanned! {site=>
        #proof
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::types::KernelType for #name #arguments #condition {
            fn ty() -> ::tilewise::macro_support::RustType {
                ::tilewise::macro_support::RustType::Variants(::std::sync::Arc::new(::tilewise::macro_support::VariantsTy {
                    name: ::tilewise::macro_support::derived_name::<Self>(#type_name),
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

            fn beyond(&self) -> ::core::option::Option<::core::primitive::i128> {
                match *self {
                    #(#beyond)*
                }
            }

            fn on_the_host(&self) -> ::tilewise::macro_support::RustConstant {
                let (__number, __fields) = match *self {
                    #(#on_the_host)*
                };
                ::tilewise::macro_support::variants_on_the_host(
                    <Self as ::tilewise::types::KernelType>::ty(),
                    __number,
                    &__fields,
                )
            }

            fn end_in_a_kernel(self) -> Self {
                match self {
                    #(#end_in_a_kernel)*
                }
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

/// The names of a variant's fields in its arms.
fn bound(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len()).map(|at| Ident::new(&format!("__f{at}"), Span::mixed_site())).collect()
}

/// The variant with these in the place of its fields: a pattern or a value.
fn with_fields(variant: &Variant, fields: &[TokenStream]) -> TokenStream {
    let name = &variant.ident;
    match &variant.fields {
        Fields::Unit => quote!(Self::#name),
        Fields::Unnamed(_) => quote!(Self::#name(#(#fields),*)),
        Fields::Named(named) => {
            let names = named.named.iter().map(|field| &field.ident);
            quote!(Self::#name { #(#names: #fields),* })
        }
    }
}

fn pattern(variant: &Variant) -> TokenStream {
    let bound: Vec<TokenStream> = bound(variant).iter().map(ToTokens::to_token_stream).collect();
    with_fields(variant, &bound)
}

/// The fields of all variants: those of the one at `index` by their names, zeros for those of the others.
fn all_fields(data: &DataEnum, index: usize) -> impl Iterator<Item = TokenStream> {
    data.variants.iter().enumerate().flat_map(move |(other, variant)| {
        let bound = bound(variant);
        variant.fields.iter().zip(bound).map(move |(field, bound)| {
            let ty = &field.ty;
            match other == index {
                true => bound.to_token_stream(),
                false => quote_spanned!(Span::mixed_site()=> <#ty as ::tilewise::types::KernelValue>::zero()),
            }
        })
    })
}

/// The arm that writes the scalars of a variant.
fn leaves(data: &DataEnum, index: usize, variant: &Variant) -> TokenStream {
    let (pattern, number, fields) = (pattern(variant), index as u64, all_fields(data, index));
    quote_spanned!(Span::mixed_site()=> #pattern => {
        __out.push(#number);
        #(::tilewise::types::KernelValue::leaves(&#fields, __out);)*
    })
}

/// The arm that finds a `usize` that has more than 32 bits.
fn beyond(variant: &Variant) -> TokenStream {
    let (pattern, bound) = (pattern(variant), bound(variant));
    quote_spanned!(Span::mixed_site()=> #pattern =>
        ::core::option::Option::None #(.or_else(|| ::tilewise::types::KernelValue::beyond(&#bound)))*,
    )
}

/// The arm that gives the number of a variant and the fields of all, as the host prints them.
fn on_the_host(data: &DataEnum, index: usize, variant: &Variant) -> TokenStream {
    let (pattern, number, fields) = (pattern(variant), index as u64, all_fields(data, index));
    quote_spanned!(Span::mixed_site()=> #pattern =>
        (#number, ::std::vec![#(::tilewise::types::KernelValue::on_the_host(&#fields)),*]),
    )
}

/// The arm that replaces the largest and smallest `usize` by those of 32 bits.
fn end_in_a_kernel(variant: &Variant) -> TokenStream {
    let (pattern, bound) = (pattern(variant), bound(variant));
    let ended = bound
        .iter()
        .map(|bound| quote_spanned!(Span::mixed_site()=> ::tilewise::types::KernelValue::end_in_a_kernel(#bound)));
    let value = with_fields(variant, &ended.collect::<Vec<_>>());
    quote_spanned!(Span::mixed_site()=> #pattern => #value,)
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
