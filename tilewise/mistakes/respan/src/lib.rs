//! A procedural macro that writes names with `Span::call_site()`, as many of users' own do. Rust
//! takes such a name for the same as one of the user's with its text; the two come from different
//! expansions all the same, which is what other macros see.

use proc_macro::{Group, Span, TokenStream, TokenTree};

/// The tokens as they are, but `@name` becomes `name` with `Span::call_site()`.
#[proc_macro]
pub fn at_call_site(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut marked = false;
    for token in tokens {
        let token = match token {
            TokenTree::Punct(punct) if punct.as_char() == '@' => {
                marked = true;
                continue;
            }
            TokenTree::Ident(mut name) if marked => {
                name.set_span(Span::call_site());
                TokenTree::Ident(name)
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), at_call_site(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        };
        marked = false;
        out.extend([token]);
    }
    out
}
