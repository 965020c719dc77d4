//! `#[cfg(..)]` on items that the macros expand: the items generated beside a function get the
//! function's conditions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// The conditional-compilation attributes among `attributes`.
pub(crate) fn conditions(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().filter_map(|attribute| condition(&attribute.meta));
    conditions.map(|condition| quote!(#[#condition])).collect()
}

/// Is it a conditional-compilation attribute?
pub(crate) fn is_condition(attribute: &Attribute) -> bool {
    condition(&attribute.meta).is_some()
}

/// A `cfg(..)` itself, or a `cfg_attr(..)` reduced to its `cfg`s.
fn condition(meta: &Meta) -> Option<TokenStream> {
    if meta.path().is_ident("cfg") {
        return Some(meta.to_token_stream());
    }
    let Meta::List(list) = meta else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let mut parts = parts.iter();
    let when = parts.next()?;
    let conditions: Vec<TokenStream> = parts.filter_map(condition).collect();
    (!conditions.is_empty()).then(|| quote!(cfg_attr(#when, #(#conditions),*)))
}

/// Items compiled only under the conditions.
pub(crate) fn under(conditions: &TokenStream, items: TokenStream) -> TokenStream {
    if conditions.is_empty() || items.is_empty() {
        return items;
    }
    quote!(#conditions const _: () = { #items };)
}
