//! `print!`, `error!` and `abort!`, and the refusal of every other macro.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Macro, Pat, Token};
use tilewise_ast::{ExprKind, LocalId, Pattern, Statement, SyntaxBlock};

use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{at, own, users_parens};

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
            "matches" if is_of_std(&call.path) => self.matches(call),
            "assert" | "debug_assert" if is_of_std(&call.path) => self.assertion(call, None),
            "assert_eq" | "debug_assert_eq" if is_of_std(&call.path) => self.assertion(call, Some("==")),
            "assert_ne" | "debug_assert_ne" if is_of_std(&call.path) => self.assertion(call, Some("!=")),
            other => {
                let message = instead(other);
                self.refuse(span, message)
            }
        }
    }

    /// `matches!(x, pattern if guard)`: a `match`.
    fn matches(&mut self, call: &Macro) -> WalkedExpr {
        let span = call.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        match call.parse_body::<MatchesInput>() {
            Ok(MatchesInput { value, pattern, guard }) => {
                let guard = guard.map(|guard| quote!(if #guard));
                let arms = quote_spanned!(own(span)=> { #pattern #guard => true, _ => false });
                let choice = syn::parse2(quote_spanned!(own(span)=> match #value #arms));
                // The braces of a struct would be those of the `match`.
                match choice.or_else(|_| syn::parse2(quote_spanned!(own(span)=> match (#value) #arms))) {
                    Ok(choice) => self.expr(&choice),
                    Err(error) => self.refuse(span, error),
                }
            }
            Err(error) => {
                self.errors.push(error);
                self.refused(span)
            }
        }
    }

    /// `assert!(condition, "..", a)`, `assert_eq!(a, b)`: an `error!` with Rust's words if it does not hold. Those of
    /// the name `debug_assert` are there where the crate around the kernel has its debug assertions.
    fn assertion(&mut self, call: &Macro, compares: Option<&str>) -> WalkedExpr {
        let span = call.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let arguments = match parsed {
            Ok(arguments) => arguments.into_iter().collect::<Vec<_>>(),
            Err(error) => {
                self.errors.push(error);
                return self.refused(span);
            }
        };
        let count = if compares.is_some() { 2 } else { 1 };
        if arguments.len() < count {
            let message = match compares {
                Some(_) => "two values are expected here, which are compared",
                None => "a condition is expected here",
            };
            return self.refuse(span, message);
        }
        let (tested, said) = arguments.split_at(count);
        let (format, values) = match said.split_first() {
            None => (None, said),
            Some((Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(format), .. }), values)) => (Some(format), values),
            Some((other, _)) => {
                return self
                    .refuse(super::expr::ends(other).0, "a text is expected here: `assert!(x > 0, \"x = {x}\")`");
            }
        };
        let error = Ident::new("error", span);
        let written = match (compares, tested) {
            (Some(sign), [left, right]) => {
                // At the name of the macro, where rustc reports that the two cannot be compared.
                let at = own(span);
                let sign_code = if sign == "==" { quote_spanned!(at=> ==) } else { quote_spanned!(at=> !=) };
                // The text may use its own values in another order, or by their names.
                let detail = match values.len() {
                    0 => "\n  left: {:?}\n right: {:?}".to_owned(),
                    own => format!("\n  left: {{{own}:?}}\n right: {{{}:?}}", own + 1),
                };
                let colon = if format.is_some() { ": " } else { "" };
                let own_text = format.map(LitStr::value).unwrap_or_default();
                let text = format!("assertion `left {sign} right` failed{colon}{own_text}{detail}");
                let text = LitStr::new(&text, format.map_or(span, LitStr::span));
                let [first, second] = ["__left", "__right"].map(|name| Ident::new(name, Span::mixed_site()));
                quote_spanned! {own(span)=> {
                    let #first = #left;
                    let #second = #right;
                    if !(#first #sign_code #second) {
                        #error!(#text, #(#values,)* #first, #second);
                    }
                }}
            }
            (_, tested) => {
                let condition = tested.iter().map(ToTokens::to_token_stream).collect::<TokenStream>();
                let text = match format {
                    Some(format) => format.clone(),
                    None => {
                        let shown = as_written(&condition.to_string()).replace('{', "{{").replace('}', "}}");
                        LitStr::new(&format!("assertion failed: {shown}"), span)
                    }
                };
                quote_spanned!(own(span)=> if !(#condition) { #error!(#text, #(#values),*); })
            }
        };
        let is_of_debug = call.path.segments.last().is_some_and(|last| text(&last.ident).starts_with("debug_"));
        let written = match is_of_debug {
            true => quote_spanned!(own(span)=> if const { ::core::cfg!(debug_assertions) } { #written }),
            false => written,
        };
        match syn::parse2(written) {
            Ok(written) => self.expr(&written),
            Err(error) => self.refuse(span, error),
        }
    }

    /// `print!("..", a)`, `error!("..", a)`
    fn message(&mut self, call: &Macro, name: &Ident) -> WalkedExpr {
        let span = name.span();
        let MessageText { format, values } = match call.parse_body() {
            Ok(message) => message,
            Err(error) => {
                self.errors.push(error);
                return self.refused(span);
            }
        };
        let holes = match holes(&format.value()) {
            Ok(holes) => holes,
            Err(message) => return self.refuse(format.span(), message),
        };
        let mut given = GivenValues::of(&values, &holes);
        let (mut pieces, mut codes, mut trees, mut formats) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut items = Vec::new();
        // Values that the text names, or uses in another order, are evaluated before it, each once.
        let (mut before, mut statements) = (TokenStream::new(), Vec::new());
        if given.in_advance {
            for value in &mut given.values {
                let walked = self.printed_value(value.written);
                value.is_item = self.is_item(&walked.tree);
                let (name, local) = (self.own_name("p", span), self.names.hidden("printed", span));
                let code = &walked.code;
                before.extend(quote_spanned!(own(span)=> let #name = #code;));
                statements.push(Statement::Let(Pattern::Bind(local), None, Some(walked.tree), at(span)));
                value.bound = Some((name, local));
            }
        }
        for part in holes {
            let hole = match part {
                MessagePart::Text(text) => {
                    pieces.push(text);
                    continue;
                }
                MessagePart::Hole(hole, written) => match (formats.push(written), given.find(&hole)).1 {
                    Ok(Some(Given { bound: Some((name, local)), is_item, .. })) => {
                        items.push(*is_item);
                        codes.push(quote!(#name));
                        trees.push(node(ExprKind::Local(*local), span));
                        continue;
                    }
                    Ok(Some(Given { written, bound: None, .. })) => self.printed_value(written),
                    Ok(None) => {
                        let HoleName::Named(named) = hole else { continue };
                        let ident = Ident::new(&named, format.span());
                        self.printed_value(&syn::parse_quote!(#ident))
                    }
                    Err(message) => return self.refuse(format.span(), message),
                },
            };
            items.push(self.is_item(&hole.tree));
            codes.push(hole.tight());
            trees.push(hole.tree);
        }
        if let Some(extra) = given.values.iter().find(|value| !value.used) {
            return self.refuse(super::expr::ends(extra.written).0, "there is no `{}` for this value in the text");
        }
        // `error!` reports its caller's position, so these tokens have the user's span.
        let entry = Ident::new(&text(name), span);
        let values = codes.iter().zip(&formats).zip(&items).map(|((code, format), is_item)| {
            let printed = printed_by(format);
            if *is_item {
                let printed = Ident::new(&format!("item_{printed}"), own(span));
                return quote_spanned!(own(span)=> (#code).#printed());
            }
            let printed = Ident::new(printed, own(span));
            quote_spanned!(own(span)=> ::tilewise::macro_support::#printed(&#code))
        });
        let arguments =
            users_parens(quote_spanned!(own(span)=> &[#(#pieces),*], &[#(#values),*], &[#(#formats),*]), span);
        let code = quote_spanned!(span=> ::tilewise::macro_support::#entry #arguments);
        let kind = match name == "print" {
            true => ExprKind::Print(pieces, trees, formats),
            false => ExprKind::Error(pieces, trees, formats),
        };
        let mut tree = node(kind, span);
        if statements.is_empty() {
            return WalkedExpr { code, tree, ty: None, loose: false, ends: (span, span) };
        }
        tree = node(ExprKind::Block(SyntaxBlock { statements, value: Some(Box::new(tree)) }, None), span);
        let code = quote_spanned!(own(span)=> { #before #code });
        WalkedExpr { code, tree, ty: None, loose: false, ends: (span, span) }
    }
}

impl SyntaxWalk {
    /// Is it the name of an item, perhaps behind a reference?
    fn is_item(&self, tree: &tilewise_ast::Expr) -> bool {
        self.perhaps_referring(tree).is_some_and(|named| named.item)
    }

    /// A value of a message. A name that is a reference stands for what it refers to.
    fn printed_value(&mut self, written: &Expr) -> WalkedExpr {
        let Expr::Path(path) = super::call::strip(written) else { return self.expr(written) };
        let local = path.path.get_ident().and_then(|name| self.names.find(name));
        if local.is_none_or(|local| self.names.named(local).reference.is_none()) {
            return self.expr(written);
        }
        let walked = self.expr_or_reference(written);
        let code = walked.tight();
        WalkedExpr { code: quote_spanned!(own(walked.ends.0)=> *#code), loose: true, ..walked }
    }
}

/// A value behind the text.
struct Given<'v> {
    /// `name = value`
    name: Option<String>,
    written: &'v Expr,
    /// Its name in the closure and in the tree, if it is evaluated in advance.
    bound: Option<(Ident, LocalId)>,
    /// Is it the name of an item?
    is_item: bool,
    used: bool,
}

struct GivenValues<'v> {
    values: Vec<Given<'v>>,
    /// Does the text use them otherwise than one after the other?
    in_advance: bool,
    /// The value of the next `{}`.
    next: usize,
}

impl<'v> GivenValues<'v> {
    fn of(values: &'v [MessageValue], holes: &[MessagePart]) -> GivenValues<'v> {
        let one = |value: &'v MessageValue| {
            let name = value.name.as_ref().map(text);
            Given { name, written: &value.value, bound: None, is_item: false, used: false }
        };
        let is_next = |hole: &MessagePart| matches!(hole, MessagePart::Hole(HoleName::Next, _));
        // A variable in the text is read behind all values.
        let last = holes.iter().rposition(is_next).unwrap_or(0);
        let is_early = |(at, hole): (usize, &MessagePart)| match hole {
            MessagePart::Hole(HoleName::Named(name), _) => {
                at < last || values.iter().any(|value| value.name.as_ref().is_some_and(|given| text(given) == *name))
            }
            MessagePart::Hole(HoleName::At(_), _) => true,
            MessagePart::Hole(HoleName::Next, _) | MessagePart::Text(_) => false,
        };
        let in_advance = holes.iter().enumerate().any(is_early);
        GivenValues { values: values.iter().map(one).collect(), in_advance, next: 0 }
    }

    /// The value of a hole; `None` if it is a variable.
    fn find(&mut self, hole: &HoleName) -> Result<Option<&Given<'v>>, &'static str> {
        let at = match hole {
            HoleName::Named(name) => self.values.iter().position(|value| value.name.as_ref() == Some(name)),
            HoleName::At(at) => Some(*at),
            HoleName::Next => {
                self.next += 1;
                Some(self.next - 1)
            }
        };
        let Some(at) = at else { return Ok(None) };
        match self.values.get_mut(at) {
            Some(value) => {
                value.used = true;
                Ok(Some(value))
            }
            None => Err("there are more `{}` than values behind the text"),
        }
    }
}

struct MessageText {
    format: LitStr,
    values: Vec<MessageValue>,
}

/// `value`, `name = value`
struct MessageValue {
    name: Option<Ident>,
    value: Expr,
}

impl Parse for MessageValue {
    fn parse(input: ParseStream<'_>) -> syn::Result<MessageValue> {
        let is_named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { Some(input.parse()?) } else { None };
        if is_named {
            input.parse::<Token![=]>()?;
        }
        Ok(MessageValue { name, value: input.parse()? })
    }
}

impl Parse for MessageText {
    fn parse(input: ParseStream<'_>) -> syn::Result<MessageText> {
        let format = input
            .parse::<LitStr>()
            .map_err(|error| syn::Error::new(error.span(), "a text is expected here: `print!(\"x = {}\", x)`"))?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let values: Punctuated<MessageValue, Token![,]> = input.parse_terminated(MessageValue::parse, Token![,])?;
        Ok(MessageText { format, values: values.into_iter().collect() })
    }
}

/// A part of a format string: texts and placeholders alternate; the first and the last part are
/// texts.
enum MessagePart {
    Text(String),
    /// A value, and its format: what stands behind the colon.
    Hole(HoleName, String),
}

/// The value of a hole.
enum HoleName {
    /// `{}`: the next of those behind the text.
    Next,
    /// `{0}`: by its position.
    At(usize),
    /// `{name}`: a value with this name, or the variable.
    Named(String),
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
                let (name, format) = match name.split_once(':') {
                    Some((name, format)) => (name.to_owned(), format.to_owned()),
                    None => (name, String::new()),
                };
                if let Some(message) = wrong_format(&format) {
                    return Err(message);
                }
                let is_plain = |name: &str| name.chars().all(|c| c == '_' || c.is_alphanumeric());
                let hole = match name.parse() {
                    _ if name.is_empty() => HoleName::Next,
                    Ok(at) => HoleName::At(at),
                    Err(_) if is_plain(&name) && (name == "self" || syn::parse_str::<Ident>(&name).is_ok()) => {
                        HoleName::Named(name)
                    }
                    Err(_) => {
                        return Err(
                            "a hole is `{}`, `{0}` or `{name}`, each also with a format behind a colon: `{name:>8.3}`",
                        );
                    }
                };
                parts.push(MessagePart::Text(std::mem::take(&mut text)));
                parts.push(MessagePart::Hole(hole, format));
            }
            '}' => return Err("a `}` without its `{`: write `}}` for the sign itself"),
            c => text.push(c),
        }
    }
    parts.push(MessagePart::Text(text));
    Ok(parts)
}

/// The reason why a kernel cannot write a value so; `None` if it can.
fn wrong_format(format: &str) -> Option<&'static str> {
    let is_side = |c: char| matches!(c, '<' | '^' | '>');
    let mut rest = format;
    let mut chars = format.chars();
    match (chars.next(), chars.next()) {
        (Some(fill), Some(side)) if is_side(side) => {
            if matches!(fill, '"' | '\\' | '{' | '}') || fill.is_control() {
                return Some("in a kernel, a value is not filled up by this sign: take another one");
            }
            rest = chars.as_str();
        }
        (Some(side), _) if is_side(side) => rest = &format[1..],
        _ => {}
    }
    rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    rest = rest.strip_prefix('#').unwrap_or(rest);
    let (width, behind) = digits(rest);
    let (precision, letters) = match behind.strip_prefix('.') {
        Some(behind) => digits(behind),
        None => ("", behind),
    };
    if rest.contains('$') || behind.starts_with(".*") {
        return Some("in a kernel, width and precision are numbers: `{:8.3}`");
    }
    let is_large = |digits: &str| !digits.is_empty() && digits.parse::<u32>().map_or(true, |number| number > 1000);
    if is_large(width) || is_large(precision) {
        return Some("in a kernel, width and precision are at most 1000");
    }
    match letters {
        "" if behind != "." => None,
        "?" | "x?" | "X?" | "x" | "X" | "o" | "b" | "e" | "E" => None,
        "p" => Some("there are no pointers in a kernel"),
        _ => Some(
            "behind the colon stand fill and side, `+`, `#`, `0`, width, `.` and precision, and one of `? x X o b e E`, in this order",
        ),
    }
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// The function that takes a value for a format: what it requires of the type.
fn printed_by(format: &str) -> &'static str {
    match format.chars().last() {
        Some('x' | 'X' | 'o' | 'b') => "printed_bits",
        Some('e' | 'E') => "printed_exponent",
        _ => "printed",
    }
}

/// The input of `matches!`.
struct MatchesInput {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for MatchesInput {
    fn parse(input: ParseStream<'_>) -> syn::Result<MatchesInput> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok(MatchesInput { value, pattern, guard })
    }
}

/// Is it a macro of the standard library by its path, or a name without one?
fn is_of_std(path: &syn::Path) -> bool {
    path.get_ident().is_some()
        || path.segments.len() == 2 && ["std", "core"].iter().any(|name| path.segments[0].ident == name)
}

/// The text of tokens without the spaces that nobody writes: `v [p] . x` as `v[p].x`.
fn as_written(tokens: &str) -> String {
    let mut text = String::new();
    let mut rest = tokens.chars().peekable();
    while let Some(c) = rest.next() {
        let (before, after) = (text.chars().next_back(), rest.peek());
        let is_word = before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ')' | ']'));
        let closes = after.is_some_and(|after| matches!(after, '.' | ',' | ')' | ']' | ';'));
        let opens = after.is_some_and(|after| matches!(after, '[' | '(')) && is_word;
        let is_between = before.is_some_and(|before| matches!(before, '.' | '(' | '[' | '!' | '&'));
        let doubled = text.ends_with("&&") || text.ends_with("..");
        if c == ' ' && (closes || opens || is_between && !doubled) {
            continue;
        }
        text.push(c);
    }
    text
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
            "this is no macro of the standard library's: call that, or `error!(\"..\")`"
        }
        "kernel" | "parallel_for_each" => "a kernel cannot launch a kernel",
        _ => {
            "the macros of a kernel see it as it is written, before other macros: write an `#[amp]` function, \
             or for a constant `const { name!(..) }`"
        }
    };
    format!("`{name}!` cannot be used in a kernel; {help}")
}
