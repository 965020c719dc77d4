//! `#[amp]` where it has nothing to stand on: on a function in an `impl` or a trait, and a second time.

use proc_macro2::{Ident, Span, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, ItemFn};

/// For a function that stands in an `impl` or a trait, where there is no place for the struct of its name.
pub(crate) const ON_A_METHOD: &str = "write `#[amp]` on the `impl` or the trait, not on a function in it";

/// Is it `#[amp]`?
pub(crate) fn is_amp(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "amp")
}

/// Takes further `#[amp]`s off an item: they would mark it again.
pub(crate) fn second(item: &mut Item) -> TokenStream {
    let attributes = match item {
        Item::Enum(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        _ => return TokenStream::new(),
    };
    taken(attributes, "`#[amp]` stands here twice: leave one out")
}

/// Takes `#[amp]` off a function in an `#[amp] impl` or trait.
pub(crate) fn inner(attributes: &mut Vec<Attribute>) -> TokenStream {
    taken(attributes, "`#[amp]` on the `impl` or the trait is for all functions in it: leave it out here")
}

fn taken(attributes: &mut Vec<Attribute>, message: &str) -> TokenStream {
    let Some(first) = attributes.iter().find(|attribute| is_amp(attribute)) else { return TokenStream::new() };
    let error = syn::Error::new_spanned(first, message).to_compile_error();
    attributes.retain(|attribute| !is_amp(attribute));
    error
}

/// Is it a function of an `impl` or a trait? Without `self` and `Self`, nothing tells.
pub(crate) fn is_method(item: &ItemFn) -> bool {
    struct OwnType(bool);
    impl VisitMut for OwnType {
        fn visit_ident_mut(&mut self, name: &mut Ident) {
            self.0 |= name == "Self";
        }

        // An item in the body has a `Self` of its own.
        fn visit_item_mut(&mut self, _: &mut Item) {}
    }
    let mut own_type = OwnType(item.sig.receiver().is_some());
    visit_mut::visit_item_fn_mut(&mut own_type, &mut item.clone());
    own_type.0
}

/// The error for such a function, which stays as it is.
pub(crate) fn method(item: impl quote::ToTokens) -> TokenStream {
    let error = syn::Error::new(Span::call_site(), ON_A_METHOD).to_compile_error();
    quote::quote!(#error #item)
}
