//! Enums without fields: in a kernel, the discriminant minus that of the variant that stands for
//! zero.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{DataEnum, DeriveInput};

use crate::at::own;
use crate::walk::text;

pub(super) fn enumeration(input: &DeriveInput, data: &DataEnum) -> syn::Result<TokenStream> {
    if data.variants.is_empty() {
        return Err(syn::Error::new(input.ident.span(), "an enum in a kernel needs a variant"));
    }
    if let Some(param) = input.generics.params.first() {
        return Err(syn::Error::new(param.span(), "an enum in a kernel has no parameters"));
    }
    let name = &input.ident;
    let unsigned = is_unsigned(input)?;
    let scalar = Ident::new(if unsigned { "U32" } else { "I32" }, Span::mixed_site());
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let names: Vec<String> = variants.iter().map(|variant| text(variant)).collect();
    let first = variants[0];
    let written = text(name);
    let site = Span::mixed_site();
    let proof = proof(name, &variants, unsigned);
    let condition = quote_spanned!(site=> where for<'__a> #name: ::tilewise::macro_support::Copied<'__a>);
    Ok(quote_spanned! {site=>
        #proof
        #[diagnostic::do_not_recommend]
        impl ::tilewise::types::KernelType for #name {
            fn ty() -> ::tilewise::macro_support::RustType {
                ::tilewise::macro_support::RustType::Enum(::std::sync::Arc::new(::tilewise::macro_support::EnumTy {
                    name: ::std::borrow::ToOwned::to_owned(#written),
                    scalar: ::tilewise::macro_support::Scalar::#scalar,
                    variants: ::std::vec![#((#names, #name::#variants as ::core::primitive::i64 as ::core::primitive::u32)),*],
                }))
            }

            fn variant(__is: &dyn ::core::ops::Fn(&Self) -> ::core::primitive::bool) -> ::core::primitive::u32 {
                let __all = [#(#name::#variants),*];
                __all.iter().position(|__one| __is(__one)).unwrap_or_default() as ::core::primitive::u32
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::types::KernelValue for #name #condition {
            // As in a kernel, where 0 is the variant that `zero` returns.
            fn leaves(&self, __out: &mut ::std::vec::Vec<::core::primitive::u64>) {
                let __zero = <#name as ::tilewise::types::KernelValue>::zero() as ::core::primitive::i64;
                let __number = (*self as ::core::primitive::i64 - __zero) as ::core::primitive::u32;
                __out.push(__number as ::core::primitive::u64);
            }

            // An out-of-range value is the variant of discriminant 0, or the first.
            fn zero() -> Self {
                #(if #name::#variants as ::core::primitive::i64 == 0 {
                    return #name::#variants;
                })*
                #name::#first
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::BehindReferences for #name #condition {}
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::ItemOfOption for #name #condition {
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
        impl ::tilewise::Capture for #name #condition {
            type Value = Self;

            fn capture(&self) -> Self {
                *self
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::Compares<::tilewise::macro_support::op::Equal> for #name
        where
            for<'__a> #name: ::tilewise::macro_support::op::Equals<'__a>,
        {
            fn form() -> ::tilewise::macro_support::Form {
                ::tilewise::macro_support::op::enum_equality(&[#(#name::#variants),*])
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::Compares<::tilewise::macro_support::op::Order> for #name
        where
            for<'__a> #name: ::tilewise::macro_support::Copied<'__a> + ::tilewise::macro_support::op::Ordered<'__a>,
        {
            fn form() -> ::tilewise::macro_support::Form {
                ::tilewise::macro_support::op::enum_order(&[#(#name::#variants),*], |__one| *__one as ::core::primitive::i64)
            }

            fn other_order() -> ::core::option::Option<::tilewise::macro_support::Form> {
                #[allow(unused_imports, reason = "an enum that is `Ord` has the method itself")]
                use ::tilewise::macro_support::op::NoTotalOrder as _;

                ::tilewise::macro_support::op::VariantsInOrder(&[#(#name::#variants),*])
                    .other_order(|__one| *__one as ::core::primitive::i64)
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::ChosenByOrder for #name
        where
            for<'__a> #name: ::tilewise::macro_support::Copied<'__a> + ::tilewise::macro_support::op::TotallyOrdered<'__a>,
        {
            fn chosen(__greatest: ::core::primitive::bool) -> ::tilewise::macro_support::Form {
                ::tilewise::macro_support::op::enum_choice(
                    &[#(#name::#variants),*],
                    |__one| *__one as ::core::primitive::i64,
                    __greatest,
                )
            }

            fn compared() -> ::tilewise::macro_support::Form {
                ::tilewise::macro_support::op::enum_total_order(
                    &[#(#name::#variants),*],
                    |__one| *__one as ::core::primitive::i64,
                )
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::CmpMethod for #name
        where
            for<'__a> #name: ::tilewise::macro_support::Copied<'__a> + ::tilewise::macro_support::op::TotallyOrdered<'__a>,
        {
            type Mark = ::tilewise::macro_support::ComparedTotalVariants<#name>;

            fn cmp_marked_amp(
                &self,
                __other: &#name,
            ) -> ::tilewise::macro_support::Called<
                ::core::cmp::Ordering,
                ::tilewise::macro_support::ComparedTotalVariants<#name>,
            > {
                ::tilewise::macro_support::Called::new(
                    ::tilewise::macro_support::op::TotallyOrdered::totally_ordered(self, __other),
                )
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::ChoiceMethods for #name
        where
            for<'__a> #name: ::tilewise::macro_support::Copied<'__a> + ::tilewise::macro_support::op::TotallyOrdered<'__a>,
        {
            fn min_marked_amp(
                self,
                __other: #name,
            ) -> ::tilewise::macro_support::Called<#name, ::tilewise::macro_support::ChosenValue<#name, false>> {
                let [__least, _] = ::tilewise::macro_support::op::TotallyOrdered::least_and_greatest(self, __other);
                ::tilewise::macro_support::Called::new(__least)
            }

            fn max_marked_amp(
                self,
                __other: #name,
            ) -> ::tilewise::macro_support::Called<#name, ::tilewise::macro_support::ChosenValue<#name, true>> {
                let [_, __greatest] = ::tilewise::macro_support::op::TotallyOrdered::least_and_greatest(self, __other);
                ::tilewise::macro_support::Called::new(__greatest)
            }
        }
        #[diagnostic::do_not_recommend]
        impl ::tilewise::macro_support::PartialCmpMethod for #name
        where
            for<'__a> #name: ::tilewise::macro_support::Copied<'__a> + ::tilewise::macro_support::op::Ordered<'__a>,
        {
            type Mark = ::tilewise::macro_support::ComparedVariants<#name>;

            fn partial_cmp_marked_amp(
                &self,
                __other: &#name,
            ) -> ::tilewise::macro_support::Called<
                ::core::option::Option<::core::cmp::Ordering>,
                ::tilewise::macro_support::ComparedVariants<#name>,
            > {
                ::tilewise::macro_support::Called::new(::tilewise::macro_support::op::Ordered::ordered(self, __other))
            }
        }
    })
}

/// Proves that the variants are those that the derive has seen, and that each discriminant fits in
/// 32 bits.
fn proof(name: &Ident, variants: &[&Ident], unsigned: bool) -> TokenStream {
    let least_and_most = if unsigned { (0, i64::from(u32::MAX)) } else { (i64::from(i32::MIN), i64::from(i32::MAX)) };
    let (least, most) = least_and_most;
    let fit = variants.iter().map(|variant| {
        let message = format!(
            "the number of `{}::{}` does not fit: those of an enum in a kernel lie between {least} and {most}",
            text(name),
            text(variant)
        );
        quote_spanned! {own(variant.span())=>
            {
                let number = #name::#variant as ::core::primitive::i128;
                ::core::assert!(number >= #least as ::core::primitive::i128 && number <= #most as ::core::primitive::i128, #message);
            }
        }
    });
    quote_spanned! {own(name.span())=>
        const _: () = {
            ::tilewise::macro_support::copied::<#name>();
            // The variants that the derive has seen are those of the enum, even if another macro
            // has changed it since.
            let _ = |value: #name| match value {
                #(#name::#variants => {})*
            };
            #(#fit)*
        };
    }
}

/// Whether its discriminants are `u32`; otherwise they are `i32`.
fn is_unsigned(input: &DeriveInput) -> syn::Result<bool> {
    let mut unsigned = false;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            unsigned |= meta.path.is_ident("u32");
            Ok(())
        })?;
    }
    Ok(unsigned)
}
