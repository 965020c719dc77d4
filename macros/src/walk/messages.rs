//! `print!`, `error!` and `abort!`, and the refusal of every other macro.

use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Macro, Token};
use tilewise_ast::ExprKind;

use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{own, users_parens};

impl SyntaxWalk {
    pub(super) fn say(&mut self, call: &Macro) -> WalkedExpr {
        let Some(name) = call.path.segments.last().map(|last| &last.ident) else {
            return self.refuse(Span::call_site(), "a macro cannot be used in a kernel");
        };
        let span = name.span();
        match text(name).as_str() {
            "print" | "error" if call.path.get_ident().is_some() => self.message(call, name),
            "abort" if call.path.get_ident().is_some() => {
                if !call.tokens.is_empty() {
                    return self.refuse(span, "`abort!()` takes nothing; `error!(\"..\")` takes a message");
                }
                let code = quote_spanned!(span=> ::tilewise::macro_support::abort());
                WalkedExpr { code, tree: node(ExprKind::Abort, span), ty: None, loose: false, ends: (span, span) }
            }
            other => {
                let message = instead(other);
                self.refuse(span, message)
            }
        }
    }

    /// `print!("..", a)`, `error!("..", a)`
    fn message(&mut self, call: &Macro, name: &Ident) -> WalkedExpr {
        let span = name.span();
        let MessageText { format, values } = match call.parse_body() {
            Ok(message) => message,
            Err(error) => {
                self.errors.push(error);
                return WalkedExpr {
                    code: quote!(),
                    tree: super::unit(crate::at::at(span)),
                    ty: None,
                    loose: false,
                    ends: (span, span),
                };
            }
        };
        let holes = match holes(&format.value()) {
            Ok(holes) => holes,
            Err(message) => return self.refuse(format.span(), message),
        };
        let mut given = values.iter();
        let (mut pieces, mut codes, mut trees) = (Vec::new(), Vec::new(), Vec::new());
        for part in holes {
            let hole = match part {
                MessagePart::Text(text) => {
                    pieces.push(text);
                    continue;
                }
                MessagePart::Hole(Some(named)) => {
                    let ident = Ident::new(&named, format.span());
                    self.expr(&syn::parse_quote!(#ident))
                }
                MessagePart::Hole(None) => match given.next() {
                    Some(value) => self.expr(value),
                    None => return self.refuse(format.span(), "there are more `{}` than values behind the text"),
                },
            };
            codes.push(hole.tight());
            trees.push(hole.tree);
        }
        if let Some(extra) = given.next() {
            return self.refuse(super::expr::ends(extra).0, "there is no `{}` for this value in the text");
        }
        // `error!` reports its caller's position, so these tokens have the user's span.
        let entry = Ident::new(&text(name), span);
        let values = codes.iter().map(|code| quote_spanned!(own(span)=> ::tilewise::macro_support::printed(&#code)));
        let arguments = users_parens(quote_spanned!(own(span)=> &[#(#pieces),*], &[#(#values),*]), span);
        let code = quote_spanned!(span=> ::tilewise::macro_support::#entry #arguments);
        let kind = if name == "print" { ExprKind::Print(pieces, trees) } else { ExprKind::Error(pieces, trees) };
        WalkedExpr { code, tree: node(kind, span), ty: None, loose: false, ends: (span, span) }
    }
}

struct MessageText {
    format: LitStr,
    values: Punctuated<Expr, Token![,]>,
}

impl Parse for MessageText {
    fn parse(input: ParseStream<'_>) -> syn::Result<MessageText> {
        let format = input
            .parse::<LitStr>()
            .map_err(|error| syn::Error::new(error.span(), "a text is expected here: `print!(\"x = {}\", x)`"))?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(MessageText { format, values: input.parse_terminated(Expr::parse, Token![,])? })
    }
}

/// A part of a format string: texts and placeholders alternate; the first and the last part are
/// texts.
enum MessagePart {
    Text(String),
    /// `{}`, or `{name}`.
    Hole(Option<String>),
}

fn holes(format: &str) -> Result<Vec<MessagePart>, &'static str> {
    let (mut parts, mut text) = (Vec::new(), String::new());
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' | '}' if rest.peek() == Some(&c) => {
                rest.next();
                text.push(c);
            }
            '{' => {
                let mut name = String::new();
                loop {
                    match rest.next() {
                        Some('}') => break,
                        Some(c) => name.push(c),
                        None => return Err("a `{` without its `}`: write `{{` for the sign itself"),
                    }
                }
                let is_plain = |name: &str| name.chars().all(|c| c == '_' || c.is_alphanumeric());
                if !name.is_empty() && (!is_plain(&name) || syn::parse_str::<Ident>(&name).is_err()) {
                    return Err("in a kernel, a hole is `{}` or `{name}`, without a format behind a colon");
                }
                parts.push(MessagePart::Text(std::mem::take(&mut text)));
                parts.push(MessagePart::Hole((!name.is_empty()).then_some(name)));
            }
            '}' => return Err("a `}` without its `{`: write `}}` for the sign itself"),
            c => text.push(c),
        }
    }
    parts.push(MessagePart::Text(text));
    Ok(parts)
}

fn instead(name: &str) -> String {
    let help = match name {
        "println" | "eprintln" | "eprint" | "dbg" => "use `print!`, whose text arrives when the launch is complete",
        "vec" => "a kernel has no heap: use an array, `[0.0; 16]`",
        "format" | "write" | "writeln" | "concat" | "stringify" => "there are no strings in a kernel: use `print!`",
        "panic" | "todo" | "unimplemented" | "unreachable" => {
            "use `error!(\"..\")`, which ends the launch with a message, or `abort!()`"
        }
        "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
            "use `if .. { error!(\"..\"); }`, which ends the launch with a message"
        }
        "matches" => "use `match`",
        "kernel" | "parallel_for_each" => "a kernel cannot launch a kernel",
        _ => "macros are not expanded in a kernel: write an `#[amp]` function",
    };
    format!("`{name}!` cannot be used in a kernel; {help}")
}
