//! Expressions: literals, names, constants, and what each kind of syntax is walked by.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprPath, Lit};
use tilewise_ast::{ExprKind, SyntaxLiteral};

use super::call::strip;
use super::known::{KnownId, of};
use super::names::{Captured, Mutability, NameKey, is_capital, is_type, self_name};
use super::operator::operator;
use super::{SyntaxWalk, TableConstant, WalkedExpr, node, text};
use crate::at::{at, own, parens};

impl SyntaxWalk {
    /// Walks an expression that is used as a value.
    ///
    /// References have no form in a kernel: a reference parameter stands for the caller's place. So
    /// the tree of a value is a copy. The target of a shared reference does not change while the
    /// reference lives, so a copy is equivalent. A copy of the target of a `&mut` would receive the
    /// changes in its place, so such a parameter cannot be used as a value.
    pub(crate) fn expr(&mut self, expr: &Expr) -> WalkedExpr {
        let walked = self.expr_or_reference(expr);
        if let ExprKind::Local(local) = walked.tree.kind
            && self.names.named(local).callable
        {
            let message = "in a kernel, a closure is called, is an argument of a call, or gets another name by `let`";
            return self.refuse(walked.ends.0, message);
        }
        if let ExprKind::Local(local) = walked.tree.kind
            && self.names.named(local).reference == Some(Mutability::Exclusive)
        {
            let name = self.names.text(local);
            let message = format!(
                "`{name}` is a `&mut` reference, and in a kernel those are arguments of calls, or get another name by `let`: \
                 use `*{name}` or its fields"
            );
            return self.refuse(walked.ends.0, message);
        }
        walked
    }

    /// Walks an expression that is dereferenced or lent at once: an argument, a receiver, the
    /// operand of `*`, the base of a field or an element.
    pub(super) fn expr_or_reference(&mut self, expr: &Expr) -> WalkedExpr {
        match expr {
            Expr::Lit(lit) => self.literal(lit),
            Expr::Path(path) => self.path(path),
            Expr::Paren(paren) => {
                let inner = self.expr_or_reference(&paren.expr);
                let (open, close) = (paren.paren_token.span.open(), paren.paren_token.span.close());
                WalkedExpr { code: inner.tight(), loose: false, ends: (open, close), ..inner }
            }
            Expr::Group(group) => self.expr_or_reference(&group.expr),
            Expr::Unary(unary) if let Some(array) = bytes_of(unary) => self.expr_or_reference(&array),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => match operator(&binary.op) {
                Some((op, false)) => self.binary(binary, op),
                Some((op, true)) => self.assign_op(binary, op),
                None => self.logic(binary),
            },
            Expr::Assign(assign) => self.assign(assign),
            Expr::Index(index) => self.index(index),
            Expr::Field(field) => self.field(field),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Tuple(tuple) => self.tuple(tuple),
            Expr::Array(array) => self.array(array),
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Block(block) => self.block_expr(block),
            Expr::Const(block) => self.constant(quote!(#block), block.const_token.span(), ends(block)),
            Expr::If(branch) => self.branch(branch),
            Expr::Match(choice) => self.choice(choice),
            Expr::While(repeat) => self.while_loop(repeat),
            Expr::Loop(repeat) => self.endless_loop(repeat),
            Expr::ForLoop(repeat) => self.for_loop(repeat),
            Expr::Break(leave) => self.leave(leave),
            Expr::Continue(next) => self.next(next),
            Expr::Return(leave) => self.give_back(leave),
            Expr::Try(question) => self.question(question),
            Expr::Macro(call) => self.say(&call.mac),
            Expr::Reference(reference) if reference.mutability.is_none() => self.shared_reference(reference),
            other => self.not_in_the_language(other),
        }
    }

    fn literal(&mut self, lit: &ExprLit) -> WalkedExpr {
        let span = lit.lit.span();
        let Some((literal, suffix)) = self.literal_value(&lit.lit) else {
            return WalkedExpr {
                code: TokenStream::new(),
                tree: super::unit(at(span)),
                ty: None,
                loose: false,
                ends: (span, span),
            };
        };
        let (code, ty) = match suffix {
            Some(ty) => (lit.lit.to_token_stream(), ty),
            None => {
                let (witness, ty) = self.witness(span);
                (of(&witness, lit.lit.to_token_stream(), (span, span)), ty)
            }
        };
        let slot = self.slot(ty);
        WalkedExpr {
            code,
            tree: node(ExprKind::Literal(literal, slot), span),
            ty: Some(ty),
            loose: false,
            ends: (span, span),
        }
    }

    /// The value of a literal, and its type if it has a suffix.
    pub(super) fn literal_value(&mut self, lit: &Lit) -> Option<(SyntaxLiteral, Option<KnownId>)> {
        let span = lit.span();
        let known = |walk: &mut SyntaxWalk, suffix: &str| (!suffix.is_empty()).then(|| walk.plain(suffix, span));
        match lit {
            Lit::Bool(value) => Some((SyntaxLiteral::Bool(value.value), Some(self.plain("bool", span)))),
            Lit::Float(value) => {
                Some((SyntaxLiteral::Float(value.base10_digits().to_owned()), known(self, value.suffix())))
            }
            Lit::Int(value) if value.suffix().starts_with('f') => {
                Some((SyntaxLiteral::Float(value.base10_digits().to_owned()), known(self, value.suffix())))
            }
            Lit::Int(value) => match value.base10_parse::<u64>() {
                Ok(number) => Some((SyntaxLiteral::Int(number), known(self, value.suffix()))),
                Err(_) => {
                    self.error(span, "this number has more than 64 bits");
                    None
                }
            },
            Lit::Str(_) => {
                self.error(
                    span,
                    "there are no strings in a kernel; `print!` and `error!` take one as their first argument",
                );
                None
            }
            Lit::Char(value) => {
                Some((SyntaxLiteral::Int(u32::from(value.value()).into()), Some(self.plain("char", span))))
            }
            Lit::Byte(value) => Some((SyntaxLiteral::Int(value.value().into()), Some(self.plain("u8", span)))),
            Lit::ByteStr(_) => {
                let help = "write the array, `*b\"abc\"`, or make it a constant, `const TEXT: [u8; 3] = *b\"abc\";`";
                self.error(span, format!("a byte string is a reference to data of the host; {help}"));
                None
            }
            _ => {
                self.error(span, "this literal cannot be used in a kernel");
                None
            }
        }
    }

    fn path(&mut self, path: &ExprPath) -> WalkedExpr {
        let ends = ends(path);
        if let Some(bits) = self.bits(path, ends) {
            return bits;
        }
        let Some(ident) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
            return self.constant(
                quote!(#path),
                path.path.segments.last().map_or(ends.0, |last| last.ident.span()),
                ends,
            );
        };
        if let Some(local) = self.names.find(ident) {
            let name = in_closure(ident);
            let named = self.names.named(local);
            if named.range.is_some() {
                return self.refuse(ident.span(), super::iteration::RANGE);
            }
            let code = if named.tile_static { quote_spanned!(own(ident.span())=> #name.get()) } else { quote!(#name) };
            let tree = node(ExprKind::Local(local), ident.span());
            return WalkedExpr { code, tree, ty: named.ty, loose: false, ends };
        }
        if ident == "self" {
            let help = if self.closure { "capture a field: `self.name`" } else { "this function has no `self`" };
            return self.refuse(ident.span(), format!("`self` as a whole cannot be captured by a kernel; {help}"));
        }
        if is_capital(&text(ident)) || !self.closure {
            return self.constant(quote!(#ident), ident.span(), ends);
        }
        self.capture(&text(ident), NameKey::of(ident), ident.clone(), quote!(#ident), ends)
    }

    /// A name from around the closure.
    pub(super) fn capture(
        &mut self,
        text: &str,
        key: NameKey,
        name: Ident,
        source: TokenStream,
        ends: (Span, Span),
    ) -> WalkedExpr {
        let span = name.span();
        let id = match self.names.captured(text, &key) {
            Some(id) => id,
            None => {
                let (witness, ty) = self.outer_witness(span);
                self.names.add_capture(Captured {
                    key,
                    text: text.to_owned(),
                    name: name.clone(),
                    source,
                    witness,
                    ty,
                    function: None,
                    at: at(span),
                })
            }
        };
        let ty = Some(self.names.captures()[id as usize].ty);
        WalkedExpr { code: quote!(#name), tree: node(ExprKind::Capture(id), span), ty, loose: false, ends }
    }

    /// A constant; rustc proves that it is one.
    fn constant(&mut self, source: TokenStream, span: Span, ends: (Span, Span)) -> WalkedExpr {
        let written = source.to_string();
        let (_, ty) = self.witness(span);
        let slot = self.constant_slot(&source, span, Some(ty));
        let proof = if written.starts_with("const ") { source } else { quote_spanned!(own(span)=> const { #source }) };
        let tree = node(ExprKind::Const(slot), span);
        let code = as_constant(&self.witness_code(ty), proof, ends);
        WalkedExpr { code, tree, ty: Some(ty), loose: false, ends }
    }

    /// `usize::BITS`, `Word::BITS` of an alias: the width of the type in a kernel. For another type it is the
    /// constant, whatever that is.
    fn bits(&mut self, path: &ExprPath, ends: (Span, Span)) -> Option<WalkedExpr> {
        let (bits, before) =
            path.path.segments.iter().rev().collect::<Vec<_>>().split_first().map(|(last, before)| {
                (last.ident.clone(), before.iter().rev().map(|segment| (*segment).clone()).collect::<Vec<_>>())
            })?;
        let ty = match (&path.qself, before.last()) {
            (Some(of), None) => of.ty.to_token_stream(),
            (None, Some(last)) if is_type(&text(&last.ident)) => {
                let leading = &path.path.leading_colon;
                quote!(#leading #(#before)::*)
            }
            _ => return None,
        };
        if bits != "BITS" {
            return None;
        }
        let span = bits.span();
        let wider = quote_spanned! {own(span)=> {
            #[allow(unused_imports, reason = "for types of one width")]
            use ::tilewise::macro_support::Otherwise as _;
            <::tilewise::macro_support::Asked<#ty, ()>>::HOST_WIDE
        }};
        let (_, known) = self.witness(span);
        let in_a_kernel =
            quote_spanned!(own(span)=> ::tilewise::macro_support::bits_in_a_kernel(#wider, const { #path }));
        let slot = self.constant_slot(&in_a_kernel, span, Some(known));
        let witness = self.witness_code(known);
        let code = quote_spanned!(own(span)=> #witness.constant(::tilewise::macro_support::bits_here(#wider, const { #path })));
        Some(WalkedExpr { code, tree: node(ExprKind::Const(slot), span), ty: Some(known), loose: false, ends })
    }

    /// Adds a row to the table of constants and returns its number. Each use has its own row: equal
    /// text does not mean equal constants (`line!()`, `$crate::K` of two crates, `const { 1 }` of
    /// two types).
    pub(super) fn constant_slot(&mut self, source: &TokenStream, span: Span, ty: Option<KnownId>) -> u32 {
        self.constants.push(TableConstant { source: source.clone(), span, ty, kind: super::ConstantKind::Value });
        self.constants.len() as u32 - 1
    }

    /// The same, of an argument that may be a constructor.
    pub(super) fn handed_slot(&mut self, source: &TokenStream, span: Span, ty: KnownId) -> u32 {
        let kind = super::ConstantKind::Handed;
        self.constants.push(TableConstant { source: source.clone(), span, ty: Some(ty), kind });
        self.constants.len() as u32 - 1
    }
}

/// `b"text"`, and `"text".as_bytes()`, as a reference to the array of its bytes.
pub(super) fn bytes_reference(expr: &Expr) -> Option<Expr> {
    let bytes = match strip(expr) {
        Expr::Lit(ExprLit { lit: Lit::ByteStr(bytes), .. }) => bytes.clone(),
        Expr::MethodCall(call) if call.method == "as_bytes" && call.args.is_empty() => match strip(&call.receiver) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                syn::LitByteStr::new(text.value().as_bytes(), text.span())
            }
            _ => return None,
        },
        _ => return None,
    };
    let span = own(bytes.span());
    Some(syn::parse_quote_spanned!(span=> &*#bytes))
}

/// The array itself, where a part of it is taken, or a method called.
pub(super) fn bytes_array(expr: &Expr) -> Option<Expr> {
    match bytes_reference(expr)? {
        Expr::Reference(reference) => Some(*reference.expr),
        _ => None,
    }
}

/// `*b"text"` as the array of its bytes.
fn bytes_of(unary: &syn::ExprUnary) -> Option<Expr> {
    let (syn::UnOp::Deref(_), Expr::Lit(ExprLit { lit: Lit::ByteStr(text), .. })) = (&unary.op, strip(&unary.expr))
    else {
        return None;
    };
    let bytes = text.value().into_iter().map(|byte| {
        let mut byte = proc_macro2::Literal::u8_suffixed(byte);
        byte.set_span(text.span());
        byte
    });
    Some(syn::parse_quote_spanned!(text.span()=> [#(#bytes),*]))
}

/// `witness.constant(code)`, underlined from the first token to the last.
fn as_constant(witness: &TokenStream, code: TokenStream, ends: (Span, Span)) -> TokenStream {
    let argument = parens(code, ends.1);
    quote_spanned!(own(ends.1)=> #witness.constant #argument)
}

/// A name as it is in the closure.
pub(super) fn in_closure(ident: &Ident) -> Ident {
    if ident == "self" { self_name(ident.span()) } else { ident.clone() }
}

/// The spans of the first and the last token.
pub(super) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut all = tokens.to_token_stream().into_iter();
    let first = all.next();
    let last = all.last().or_else(|| first.clone());
    let span = |token: Option<TokenTree>, end: bool| match token {
        Some(TokenTree::Group(group)) if end => group.span_close(),
        Some(TokenTree::Group(group)) => group.span_open(),
        Some(token) => token.span(),
        None => Span::call_site(),
    };
    (span(first, false), span(last, true))
}
