//! The proof that a struct is plain data, so that it can be an element of views: every bit pattern
//! of every field is a value, and there is no padding between the fields or after them.
//!
//! # The proof
//! [`checks`] are constants in which rustc proves that the struct has the fields that the derive
//! has seen and no others, that each of their types may be a field, and that their sizes add up to
//! the struct's. They bind the proved types to the struct itself. A type that a macro writes has a name in the
//! generated code, `type __F0 = t!();`: the macro could expand to another type the next time, and all
//! that is generated means the one that is proved.
//!
//! A struct without parameters has them in a constant of its own, which rustc evaluates whether or
//! not the struct is used. For a struct with parameters, rustc evaluates them only for arguments
//! that occur, and only if some code names the constant: `bytemuck` knows no such constant. So
//! [`is_proved_by_shape`] allows `Pod` only for structs that cannot have padding for any arguments.
//! The constant exists too, as `Element::PROOF`, which views evaluate.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{DeriveInput, GenericParam, Meta, Token, Type};

use super::StructField;
use crate::at::own;
use crate::walk::text;

/// `Pod`, `Zeroable` and `Element`, where they can be proved.
pub(super) fn implementations(
    input: &DeriveInput,
    parts: &[StructField],
    condition: &TokenStream,
) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (generics, arguments, _) = input.generics.split_for_impl();
    let mut condition = condition.clone();
    let mut alone = TokenStream::new();
    let in_trait;
    if input.generics.params.is_empty() {
        let checks = checks(input, parts, &name.to_token_stream());
        alone = quote_spanned!(own(name.span())=> const _: () = { #checks };);
        let sized = sized(input, &quote!(Self));
        in_trait = quote_spanned!(own(name.span())=> const PROOF: () = #sized;);
    } else {
        if !is_proved_by_shape(input, parts)? {
            return Ok(TokenStream::new());
        }
        let (checks, sized) = (checks(input, parts, &quote!(Self)), sized(input, &quote!(Self)));
        in_trait = quote_spanned!(own(name.span())=> const PROOF: () = { #checks #sized; };);
        let parameters = input.generics.type_params().map(|parameter| &parameter.ident);
        condition.extend(quote!(#(, #parameters: ::tilewise::Element<Value = #parameters>)*));
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
        #alone
        // SAFETY: every bit pattern of every field is a value, and the fields are all there is: the
        // constant above proves it, or the shape of the struct does.
        unsafe impl #generics ::tilewise::bytemuck::Zeroable for #name #arguments #condition {}
        // SAFETY: as above.
        unsafe impl #generics ::tilewise::bytemuck::Pod for #name #arguments #condition {}
        #[diagnostic::do_not_recommend]
        impl #generics ::tilewise::Element for #name #arguments #condition {
            type Value = Self;
            #in_trait
        }
    })
}

/// The proof that an element of a view has a size. Without one, the struct is a value, and no element.
fn sized(input: &DeriveInput, whole: &TokenStream) -> TokenStream {
    let nothing = format!("`{}` has no size", text(&input.ident));
    quote_spanned!(own(input.ident.span())=> ::core::assert!(::core::mem::size_of::<#whole>() > 0, #nothing))
}

/// The proof for one type, `whole`: statements that do not compile where it fails.
fn checks(input: &DeriveInput, parts: &[StructField], whole: &TokenStream) -> TokenStream {
    let name = text(&input.ident);
    let span = own(input.ident.span());
    let members = parts.iter().map(|part| &part.member);
    let types: Vec<Ident> = (0..parts.len()).map(|number| format_ident!("__t{number}", span = span)).collect();
    let bind = parts.iter().zip(&types).map(|(part, ty)| {
        let member = &part.member;
        quote_spanned!(span=> ::tilewise::macro_support::is_type_of(#ty, ::tilewise::macro_support::type_of(&{ __whole.#member }));)
    });
    // One expansion of the field's type, which may be a macro, is both proved and bound to the
    // field.
    let fields = parts.iter().zip(&types).map(|(part, ty)| {
        let written = &part.ty;
        quote_spanned!(own(part.span)=> let #ty = ::tilewise::macro_support::field::<#written>();)
    });
    let written = parts.iter().map(|part| &part.ty);
    let padding = format!(
        "there is padding in `{name}`: put larger fields before smaller ones, or fill the gaps by fields of your own"
    );
    quote_spanned! {span=>
        ::tilewise::macro_support::copied::<#whole>();
        #(#fields)*
        // The fields that the derive has seen are those of the struct, even if another macro has
        // changed it since.
        let _ = |__whole: #whole| {
            let #whole { #(#members: _),* } = __whole;
            #(#bind)*
        };
        #[allow(unused_imports, reason = "needed by some of the code")]
        use ::tilewise::macro_support::Otherwise as _;
        // A struct with a field that no view has may have padding: no view has it either.
        ::core::assert!(
            !(true #(&& <::tilewise::macro_support::Asked<#written, ()>>::ELEMENT)*)
                || ::core::mem::size_of::<#whole>() == 0 #(+ #types.size())*,
            #padding
        );
    }
}

/// Whether a struct with parameters has no padding for any arguments: its fields are of one type,
/// or arrays of it, without gaps.
///
/// That type is a parameter or a number. The same name is the same type in each field, and a bound
/// requires each field to be plain data by itself, so any type will do. A path could be an alias
/// that depends on the parameters; a macro could expand to another type each time.
fn is_proved_by_shape(input: &DeriveInput, parts: &[StructField]) -> syn::Result<bool> {
    let parameters: Vec<String> = input.generics.type_params().map(|ty| ty.ident.to_string()).collect();
    let leaves: Vec<String> = parts.iter().map(|part| leaf(&part.ty)).collect();
    let one = leaves.iter().all(|leaf| *leaf == leaves[0] && (parameters.contains(leaf) || is_number(leaf)));
    let one = one && !parts.iter().any(|part| super::has_macro(&part.ty));
    Ok(one && lies_side_by_side(input)? && is_final(input))
}

/// The text of a type, without the arrays around it.
fn leaf(ty: &Type) -> String {
    match ty {
        Type::Array(array) => leaf(&array.elem),
        Type::Paren(paren) => leaf(&paren.elem),
        Type::Group(group) => leaf(&group.elem),
        other => other.to_token_stream().to_string(),
    }
}

fn is_number(name: &str) -> bool {
    ["i32", "u32", "i64", "u64", "f32", "f64"].contains(&name)
}

/// Whether each field begins at the end of the one before, if all have one alignment, and the
/// struct ends with the last: `repr(C)` or `repr(transparent)`, without a larger alignment.
/// `packed` does no harm.
fn lies_side_by_side(input: &DeriveInput) -> syn::Result<bool> {
    let (mut in_order, mut others) = (false, false);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let list = attribute.parse_args_with(syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated)?;
        for meta in list {
            let path = meta.path();
            let ordered = path.is_ident("C") || path.is_ident("transparent");
            in_order |= ordered;
            others |= !ordered && !path.is_ident("packed");
        }
    }
    Ok(in_order && !others)
}

/// Whether the struct is the one that rustc compiles: another macro's attribute still on it could
/// change it after this derive has seen it.
fn is_final(input: &DeriveInput) -> bool {
    // Built-in attributes, whose names no macro can have. `derive` is a macro of the prelude, and a
    // program can have another one of that name.
    const INERT: [&str; 11] = [
        "allow",
        "automatically_derived",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "forbid",
        "must_use",
        "non_exhaustive",
        "repr",
        "warn",
    ];
    input.attrs.iter().all(|attribute| INERT.iter().any(|name| attribute.path().is_ident(name)))
}
