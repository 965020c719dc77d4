//! Functions with a mistake in the syntax of their body.
//!
//! rustc parses an item before its attributes see it, so it has reported the mistake, or goes on from it. Such a body
//! becomes the call of a macro that does not exist, which the walk knows: the function keeps its signature and its
//! companion, so that its uses are not reported too.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Block, Item, Stmt};

/// The macro that stands for a body.
const UNPARSED: &str = "__tilewise_unparsed";

/// Parses an item, where the bodies of its functions may be wrong.
pub(crate) fn item(tokens: TokenStream) -> syn::Result<Item> {
    syn::parse2(tokens.clone()).or_else(|error| {
        let parsed = syn::parse2(with_marks(tokens)).map_err(|_| error.clone())?;
        match parsed {
            Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => Ok(parsed),
            _ => Err(error),
        }
    })
}

/// The tokens, where each body of a function that is not Rust is replaced.
fn with_marks(tokens: TokenStream) -> TokenStream {
    let (mut of_a_function, mut of_functions) = (false, false);
    let one = |token: TokenTree| match token {
        TokenTree::Ident(name) => {
            of_a_function |= name == "fn";
            of_functions |= name == "impl" || name == "trait";
            name.into()
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let body = std::mem::take(&mut of_a_function);
            let tokens = match (body, of_functions) {
                (true, _) if syn::parse2::<Block>(TokenTree::Group(group.clone()).into()).is_err() => mark(),
                (false, true) => with_marks(group.stream()),
                _ => group.stream(),
            };
            let mut new = Group::new(Delimiter::Brace, tokens);
            new.set_span(group.span());
            new.into()
        }
        TokenTree::Punct(end) => {
            of_a_function &= end.as_char() != ';';
            end.into()
        }
        other => other,
    };
    tokens.into_iter().map(one).collect::<TokenStream>()
}

fn mark() -> TokenStream {
    let name = Ident::new(UNPARSED, Span::mixed_site());
    quote!(#name!{})
}

/// Code for such a body. If rustc takes the syntax and the macro does not, it is the error.
pub(crate) fn instead_of(body: &Block, function: &str) -> Option<TokenStream> {
    match &body.stmts[..] {
        [Stmt::Macro(call)] if call.mac.path.is_ident(UNPARSED) => {
            let message = format!("`#[amp]` does not know the syntax of `{function}`");
            // It is evaluated where it is used, and so not behind another error.
            Some(quote_spanned! {Span::mixed_site()=>
                fn __unknown<__T>() -> ! {
                    const { ::core::panic!(#message) }
                }
                __unknown::<()>()
            })
        }
        _ => None,
    }
}
