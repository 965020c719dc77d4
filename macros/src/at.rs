//! Spans: positions of the user's tokens, and spans for the tokens that the macros generate.

use proc_macro2::{Delimiter, Group, LineColumn, Span, TokenStream, TokenTree};
use tilewise_ast::SourceSpan;

/// The position of a token, as stored in the tree.
pub(crate) fn at(span: Span) -> SourceSpan {
    let (start, end) = (span.start(), span.end());
    let length = if end.line == start.line { end.column.saturating_sub(start.column) } else { 1 };
    SourceSpan { line: start.line as u32, column: start.column as u32 + 1, length: length.max(1) as u32 }
}

/// The position of an expression between two tokens, around the one that names it. If it does not stand on one line,
/// or a macro has put it together, it is the position of that one.
pub(crate) fn across((first, last): (Span, Span), named: Span) -> SourceSpan {
    let place = |at: LineColumn| (at.line, at.column);
    let (start, end) = (place(first.start()), place(last.end()));
    let around = start <= place(named.start()) && place(named.end()) <= end;
    if start.0 != end.0 || !around || first.file() != last.file() || first.file() != named.file() {
        return at(named);
    }
    SourceSpan { line: start.0 as u32, column: start.1 as u32 + 1, length: (end.1 - start.1).max(1) as u32 }
}

/// The same position for a token that the macro generates: mixed-site hygiene keeps its names apart
/// from the user's, and lints recognise it as generated code.
pub(crate) fn own(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

/// The tokens with the lifetimes that a macro's `$l:lifetime` stands for, which come in invisible groups, as they
/// are written.
pub(crate) fn with_bare_lifetimes(tokens: TokenStream) -> TokenStream {
    if !has_grouped_lifetime(&tokens) {
        return tokens;
    }
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) if is_grouped_lifetime(&group) => group.stream(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_bare_lifetimes(group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(one).collect::<TokenStream>()
}

fn has_grouped_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => is_grouped_lifetime(&group) || has_grouped_lifetime(&group.stream()),
        _ => false,
    })
}

fn is_grouped_lifetime(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    group.delimiter() == Delimiter::None
        && matches!(tokens.next(), Some(TokenTree::Punct(quote)) if quote.as_char() == '\'')
        && matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
}

/// Tokens in parentheses, with position `span`.
pub(crate) fn parens(tokens: TokenStream, span: Span) -> TokenStream {
    group(Delimiter::Parenthesis, tokens, own(span))
}

/// Tokens in parentheses with the user's own span: for `#[track_caller]`, a call that ends in them
/// is located where the user wrote it. A call with an [`own`] span would be located at the whole
/// macro.
pub(crate) fn users_parens(tokens: TokenStream, span: Span) -> TokenStream {
    group(Delimiter::Parenthesis, tokens, span)
}

/// Tokens in braces with the user's own span.
pub(crate) fn users_braces(tokens: TokenStream, span: Span) -> TokenStream {
    group(Delimiter::Brace, tokens, span)
}

/// Tokens in braces, with position `span`.
pub(crate) fn braces(tokens: TokenStream, span: Span) -> TokenStream {
    group(Delimiter::Brace, tokens, own(span))
}

/// Tokens in brackets, with position `span`.
pub(crate) fn brackets(tokens: TokenStream, span: Span) -> TokenStream {
    group(Delimiter::Bracket, tokens, own(span))
}

fn group(delimiter: Delimiter, tokens: TokenStream, span: Span) -> TokenStream {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(span);
    TokenTree::Group(group).into()
}
