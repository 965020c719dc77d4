//! Where tokens stand, and how the macros' own tokens are placed over the user's.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use tilewise_ast::SourceSpan;

/// The place of a token, as the tree has it.
pub(crate) fn at(span: Span) -> SourceSpan {
    let (start, end) = (span.start(), span.end());
    let length = if end.line == start.line { end.column.saturating_sub(start.column) } else { 1 };
    SourceSpan { line: start.line as u32, column: start.column as u32 + 1, length: length.max(1) as u32 }
}

/// The same place for a token that the macro makes: its names cannot meet the user's, and lints know that nobody wrote it.
pub(crate) fn own(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

/// Tokens in parentheses that stand at `span`.
pub(crate) fn parens(tokens: TokenStream, span: Span) -> TokenStream {
    group(proc_macro2::Delimiter::Parenthesis, tokens, span)
}

/// Tokens in parentheses that are the user's own: a call that ends in them stands, for those who ask where they are called from, where the user wrote it. What is
/// [`own`] stands at the whole macro.
pub(crate) fn users_parens(tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, tokens);
    group.set_span(span);
    TokenTree::Group(group).into()
}

/// Tokens in braces that stand at `span`.
pub(crate) fn braces(tokens: TokenStream, span: Span) -> TokenStream {
    group(proc_macro2::Delimiter::Brace, tokens, span)
}

fn group(delimiter: proc_macro2::Delimiter, tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(own(span));
    TokenTree::Group(group).into()
}
