//! Expressions: literals, names, operators, fields, subscripts, casts, aggregates.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprLit, ExprPath, Lit, Member, UnOp};
use tilewise_ast::{Binary, ExprKind, SyntaxLiteral, Unary};

use super::call::strip;
use super::known::{KnownId, of, result as result_of};
use super::names::{Captured, Mutability, NameKey, is_capital, self_name};
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
            Lit::Char(_) => {
                self.error(
                    span,
                    "there are no characters in a kernel; use their code: `'a' as u32` outside of the kernel",
                );
                None
            }
            Lit::Byte(value) => Some((SyntaxLiteral::Int(value.value().into()), Some(self.plain("u8", span)))),
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
    fn capture(
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
                let (witness, ty) = self.witness(span);
                self.names.add_capture(Captured {
                    key,
                    text: text.to_owned(),
                    name: name.clone(),
                    source,
                    witness,
                    ty,
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

    /// `usize::BITS`: the width of the type in a kernel.
    fn bits(&mut self, path: &ExprPath, ends: (Span, Span)) -> Option<WalkedExpr> {
        let [ty, bits] = [0, 1].map(|at| path.path.segments.get(at));
        let ([Some(ty), Some(bits)], 2) = ([ty, bits], path.path.segments.len()) else { return None };
        if path.qself.is_some() || bits.ident != "BITS" || !["usize", "isize"].iter().any(|name| ty.ident == name) {
            return None;
        }
        let (span, ty) = (bits.ident.span(), &ty.ident);
        let in_a_kernel = quote_spanned!(own(span)=> ::tilewise::macro_support::bits_in_a_kernel::<#ty>(#path));
        let slot = self.constant_slot(&in_a_kernel, span, None);
        let known = self.plain("u32", span);
        let code = quote_spanned!(own(span)=> ::tilewise::macro_support::bits_here::<#ty>(const { #path }));
        Some(WalkedExpr { code, tree: node(ExprKind::Const(slot), span), ty: Some(known), loose: false, ends })
    }

    /// Adds a row to the table of constants and returns its number. Each use has its own row: equal
    /// text does not mean equal constants (`line!()`, `$crate::K` of two crates, `const { 1 }` of
    /// two types).
    pub(super) fn constant_slot(&mut self, source: &TokenStream, span: Span, ty: Option<KnownId>) -> u32 {
        self.constants.push(TableConstant { source: source.clone(), span, ty, kind: super::ConstantKind::Value });
        self.constants.len() as u32 - 1
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> WalkedExpr {
        let span = unary.op.span();
        let ends = ends(unary);
        let op = match &unary.op {
            UnOp::Deref(_) => return self.dereference(unary, span, ends),
            UnOp::Neg(_) => Unary::Neg,
            UnOp::Not(_) => Unary::Not,
            _ => return self.refuse(span, "this operator cannot be used in a kernel"),
        };
        let operand = self.expr(&unary.expr);
        let symbol = &unary.op;
        // The lint for literals out of range must see the sign with its number: `-2147483648`.
        let negative = match &*unary.expr {
            Expr::Lit(lit) if op == Unary::Neg && matches!(lit.lit, Lit::Int(_) | Lit::Float(_)) => Some(&lit.lit),
            _ => None,
        };
        let (operand, ty) = self.typed(operand, span);
        let name = Ident::new(if op == Unary::Neg { "Neg" } else { "Not" }, own(span));
        let (code, result) = match negative {
            Some(lit) => {
                let witness = self.witness_code(ty);
                (quote_spanned!(own(span)=> #witness.of(#symbol #lit)), ty)
            }
            None => {
                let (witness, result) = self.witness(span);
                let operand = operand.tight();
                (result_of(&witness, quote!(#symbol #operand), ends), result)
            }
        };
        let (given, gives) = (self.witness_code(ty), self.witness_code(result));
        let link = self.link(
            quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Operates<::tilewise::macro_support::op::#name, _, ()>>::link(#given, ::tilewise::macro_support::Witness::NEW, #gives)),
        );
        let tree = node(ExprKind::Unary(op, Box::new(operand.tree), link), span);
        WalkedExpr { code, tree, ty: Some(result), loose: false, ends }
    }

    /// `value?` of an `Option`, in a function.
    fn question(&mut self, question: &syn::ExprTry) -> WalkedExpr {
        let span = question.question_token.span;
        if self.closure || self.closures > 0 {
            let help = "there is no caller that gets the `None`: write `let Some(x) = .. else { return };`";
            return self.refuse(span, format!("`?` stands in an `#[amp]` function that returns an `Option`; {help}"));
        }
        let value = self.expr(&question.expr);
        let (code, token) = (value.tight(), &question.question_token);
        let ends = (value.ends.0, span);
        let (witness, _) = self.witness(span);
        let code = quote_spanned!(own(span)=> #witness.option(#code) #token);
        WalkedExpr { code, tree: node(ExprKind::Try(Box::new(value.tree)), span), ty: None, loose: false, ends }
    }

    fn dereference(&mut self, unary: &syn::ExprUnary, span: Span, ends: (Span, Span)) -> WalkedExpr {
        let mistakes = self.errors.len();
        let base = self.handle(&unary.expr);
        if self.errors.len() > mistakes {
            // One error is enough.
            return base;
        }
        let target = match &base.tree.kind {
            ExprKind::Local(local) if self.names.named(*local).reference.is_some() => self.names.named(*local).target,
            // What it was bound to has been refused.
            ExprKind::Local(_) if mistakes > 0 => return base,
            _ => return self.refuse(span, "only a name that is a reference can be dereferenced in a kernel; what is captured is the value: leave out `*`"),
        };
        let (star, code) = (&unary.op, &base.code);
        WalkedExpr {
            code: quote!(#star #code),
            tree: node(ExprKind::Deref(Box::new(base.tree)), span),
            ty: target,
            loose: true,
            ends,
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, op: Binary) -> WalkedExpr {
        let span = binary.op.span();
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        let symbol = binary.op.to_token_stream();
        self.operation(left, right, op, &symbol, span)
    }

    /// `left op right` for walked operands.
    pub(super) fn operation(
        &mut self,
        left: WalkedExpr,
        right: WalkedExpr,
        op: Binary,
        symbol: &TokenStream,
        span: Span,
    ) -> WalkedExpr {
        let ends = (left.ends.0, right.ends.1);
        let (left, left_ty) = self.typed(left, span);
        let (right, right_ty) = self.typed(right, span);
        let (code, ty, link) = if let Some(comparison) = comparison(op) {
            let kind = Ident::new(comparison, own(span));
            let witnesses = [right_ty, left_ty].map(|ty| self.witness_code(ty));
            let link = self.link(
                quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Compares<::tilewise::macro_support::op::#kind, _>>::link(#(#witnesses),*)),
            );
            let (l, r) = (left.tight(), right.tight());
            (quote!(#l #symbol #r), self.plain("bool", span), link)
        } else {
            let (witness, result) = self.witness(span);
            let link = self.binary_link(op, false, [left_ty, right_ty, result], span);
            let (l, r) = (left.tight(), self.operand(op, left_ty, right.tight(), span));
            (result_of(&witness, quote!(#l #symbol #r), ends), result, link)
        };
        let loose = comparison(op).is_some();
        let tree = node(ExprKind::Binary(op, Box::new(left.tree), Box::new(right.tree), link), span);
        WalkedExpr { code, tree, ty: Some(ty), loose, ends }
    }

    /// The right operand in the closure: a shift amount may be too large for the left operand's
    /// type.
    pub(super) fn operand(&self, op: Binary, left: KnownId, right: TokenStream, span: Span) -> TokenStream {
        if !matches!(op, Binary::Shl | Binary::Shr) {
            return right;
        }
        let left = self.witness_code(left);
        quote_spanned!(own(span)=> #left.amount(#right))
    }

    /// The link of an operator between types that are known, with `=` or without.
    pub(super) fn binary_link(
        &mut self,
        op: Binary,
        assigns: bool,
        [left, right, result]: [KnownId; 3],
        span: Span,
    ) -> u32 {
        let name = Ident::new(op_name(op), own(span));
        let mut kind = quote_spanned!(own(span)=> ::tilewise::macro_support::op::#name);
        if assigns {
            kind = quote_spanned!(own(span)=> ::tilewise::macro_support::op::Assign<#kind>);
        }
        let (left, right, result) = (self.witness_code(left), self.witness_code(right), self.witness_code(result));
        self.link(
            quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Operates<#kind, _, _>>::link(#left, #right, #result)),
        )
    }

    fn logic(&mut self, binary: &syn::ExprBinary) -> WalkedExpr {
        let span = binary.op.span();
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        let (l, r, symbol) = (left.tight(), right.tight(), &binary.op);
        let (code, ends) = (quote!(#l #symbol #r), (left.ends.0, right.ends.1));
        let (left, right) = (Box::new(left.tree), Box::new(right.tree));
        let kind =
            if matches!(binary.op, BinOp::And(_)) { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        let ty = self.plain("bool", span);
        WalkedExpr { code, tree: node(kind, span), ty: Some(ty), loose: true, ends }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> WalkedExpr {
        let span = index.bracket_token.span.join();
        let (base, at) = (self.handle(&index.expr), self.expr(&index.index));
        let ends = (base.ends.0, index.bracket_token.span.close());
        let (b, i) = (base.tight(), at.code);
        let (link, slot) = self.linked(span);
        let code = read(&b, &i, &index.index, &link, ends);
        WalkedExpr {
            code,
            tree: node(ExprKind::Index(Box::new(base.tree), Box::new(at.tree), Some(slot)), span),
            ty: None,
            loose: false,
            ends,
        }
    }

    /// An expression of which a part is taken: a `#[tile_static]` name stands for the variable, not
    /// for its value.
    pub(super) fn handle(&mut self, expr: &Expr) -> WalkedExpr {
        if let Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
            && let Some(local) = self.names.find(ident)
            && self.names.named(local).tile_static
        {
            let ends = (ident.span(), ident.span());
            return WalkedExpr {
                code: quote!(#ident),
                tree: node(ExprKind::Local(local), ident.span()),
                ty: None,
                loose: false,
                ends,
            };
        }
        self.expr_or_reference(expr)
    }

    fn field(&mut self, field: &syn::ExprField) -> WalkedExpr {
        let (member, span) = (&field.member, field.member.span());
        if let Some(walked) = self.field_of_captured(field) {
            return walked;
        }
        let base = self.expr_or_reference(&field.base);
        let (code, dot) = (base.tight(), &field.dot_token);
        let tree = node(ExprKind::Field(Box::new(base.tree), member_text(member)), span);
        WalkedExpr { code: quote!(#code #dot #member), tree, ty: None, loose: false, ends: (base.ends.0, span) }
    }

    /// In a kernel's closure, a field of a name from around it is captured by itself, as Rust's
    /// closures do: `self.scale`, `system.bodies`, `pair.0`.
    pub(super) fn field_of_captured(&mut self, field: &syn::ExprField) -> Option<WalkedExpr> {
        if !self.closure {
            return None;
        }
        let (mut members, mut base) = (vec![member_text(&field.member)], strip(&field.base));
        while let Expr::Field(inner) = base {
            members.push(member_text(&inner.member));
            base = strip(&inner.base);
        }
        let Expr::Path(path) = base else { return None };
        let root = path.path.get_ident().filter(|_| path.qself.is_none())?;
        let is_name = *root == "self" || !is_capital(&text(root));
        if !is_name || self.names.find(root).is_some() {
            return None;
        }
        members.push(text(root));
        members.reverse();
        // Two paths have two names: `a_b.c` and `a.b_c`.
        let name = members.iter().map(|member| member.replace('_', "__")).collect::<Vec<_>>().join("_");
        let span = field.member.span();
        let name = Ident::new(&format!("__{name}"), own(span));
        Some(self.capture(&members.join("."), NameKey::of(root), name, quote!(#field), ends(field)))
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> WalkedExpr {
        let span = cast.as_token.span;
        let ends = ends(cast);
        let value = self.expr(&cast.expr);
        let (arrow, ty) = (&cast.as_token, &*cast.ty);
        let (value, from) = if self.may_be_host_wide(ty) {
            let (value, from) = self.typed(value, span);
            (value, Some(from))
        } else {
            (value, None)
        };
        let code = value.tight();
        let code = quote!(#code #arrow #ty);
        let known = self.written(ty, ty.span());
        let walked = WalkedExpr { code, tree: value.tree, ty: known, loose: true, ends };
        let (mut walked, known) = self.typed(walked, ty.span());
        if let Some(from) = from {
            let (to, from, code) = (self.witness_code(known), self.witness_code(from), walked.code);
            walked.code = quote_spanned!(own(span)=> #to.cast(#from, #code));
            walked.loose = false;
        }
        let slot = self.slot(known);
        walked.tree = node(ExprKind::Cast(Box::new(walked.tree), slot), span);
        walked
    }

    /// Whether the type may be `usize` or `isize`: by name, by an alias or a parameter, or by
    /// inference. A type that is an alias with the name of another primitive type is an error.
    fn may_be_host_wide(&mut self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(path) => {
                let name = path.path.get_ident().filter(|_| path.qself.is_none());
                let Some(name) = name.filter(|name| NOT_HOST_WIDE.contains(&text(name).as_str())) else { return true };
                self.primitive(name);
                false
            }
            syn::Type::Paren(ty) => self.may_be_host_wide(&ty.elem),
            syn::Type::Group(ty) => self.may_be_host_wide(&ty.elem),
            syn::Type::Infer(_) | syn::Type::Macro(_) => true,
            _ => false,
        }
    }

    /// Lets rustc prove that a primitive type's name does not mean `usize` or `isize`, once for each
    /// name.
    fn primitive(&mut self, name: &Ident) {
        if self.primitives.insert(NameKey::of(name)) {
            let span = own(name.span());
            self.declarations.push(quote_spanned!(span=> ::tilewise::macro_support::same_width::<#name>();));
        }
    }
}

/// The primitive types that have the same width in a kernel, and those that kernels do not have.
const NOT_HOST_WIDE: [&str; 14] =
    ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32", "f64", "bool", "char"];

/// `witness.constant(code)`, underlined from the first token to the last.
fn as_constant(witness: &TokenStream, code: TokenStream, ends: (Span, Span)) -> TokenStream {
    let argument = parens(code, ends.1);
    quote_spanned!(own(ends.1)=> #witness.constant #argument)
}

/// `link.call(macro_support::read(&base, index))`; an error about the index underlines the index.
pub(super) fn read(
    base: &TokenStream,
    index: &TokenStream,
    written: &Expr,
    link: &Ident,
    ends: (Span, Span),
) -> TokenStream {
    reading("read", base, index, written, link, ends)
}

/// The same for an element that is then changed and written back.
pub(super) fn read_changing(
    base: &TokenStream,
    index: &TokenStream,
    written: &Expr,
    link: &Ident,
    ends: (Span, Span),
) -> TokenStream {
    reading("read_changing", base, index, written, link, ends)
}

fn reading(
    name: &str,
    base: &TokenStream,
    index: &TokenStream,
    written: &Expr,
    link: &Ident,
    ends: (Span, Span),
) -> TokenStream {
    let whole = own(ends.0);
    // With the user's spans, a panic on the host would be at the user's line, and rustc would blame the
    // whole macro for a wrong index.
    let arguments = parens(quote_spanned!(whole=> &#base, #index), ends.1);
    let read = Ident::new(name, own(written.span()));
    let called = parens(quote_spanned!(whole=> ::tilewise::macro_support::#read #arguments), ends.1);
    let link = Ident::new(&link.to_string(), whole);
    quote_spanned!(whole=> #link.call #called)
}

/// A name as it is in the closure.
pub(super) fn in_closure(ident: &Ident) -> Ident {
    if ident == "self" { self_name(ident.span()) } else { ident.clone() }
}

/// A field's name as it is in the tree.
pub(super) fn member_text(member: &Member) -> String {
    match member {
        Member::Named(name) => text(name),
        Member::Unnamed(index) => index.index.to_string(),
    }
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

/// The operator, and whether it assigns; `None` for `&&` and `||`.
pub(super) fn operator(op: &BinOp) -> Option<(Binary, bool)> {
    Some(match op {
        BinOp::Add(_) => (Binary::Add, false),
        BinOp::Sub(_) => (Binary::Sub, false),
        BinOp::Mul(_) => (Binary::Mul, false),
        BinOp::Div(_) => (Binary::Div, false),
        BinOp::Rem(_) => (Binary::Rem, false),
        BinOp::BitAnd(_) => (Binary::BitAnd, false),
        BinOp::BitOr(_) => (Binary::BitOr, false),
        BinOp::BitXor(_) => (Binary::BitXor, false),
        BinOp::Shl(_) => (Binary::Shl, false),
        BinOp::Shr(_) => (Binary::Shr, false),
        BinOp::Eq(_) => (Binary::Eq, false),
        BinOp::Ne(_) => (Binary::Ne, false),
        BinOp::Lt(_) => (Binary::Lt, false),
        BinOp::Le(_) => (Binary::Le, false),
        BinOp::Gt(_) => (Binary::Gt, false),
        BinOp::Ge(_) => (Binary::Ge, false),
        BinOp::AddAssign(_) => (Binary::Add, true),
        BinOp::SubAssign(_) => (Binary::Sub, true),
        BinOp::MulAssign(_) => (Binary::Mul, true),
        BinOp::DivAssign(_) => (Binary::Div, true),
        BinOp::RemAssign(_) => (Binary::Rem, true),
        BinOp::BitAndAssign(_) => (Binary::BitAnd, true),
        BinOp::BitOrAssign(_) => (Binary::BitOr, true),
        BinOp::BitXorAssign(_) => (Binary::BitXor, true),
        BinOp::ShlAssign(_) => (Binary::Shl, true),
        BinOp::ShrAssign(_) => (Binary::Shr, true),
        _ => return None,
    })
}

/// The name of an operator in `macro_support::op`.
fn op_name(op: Binary) -> &'static str {
    match op {
        Binary::Add => "Add",
        Binary::Sub => "Sub",
        Binary::Mul => "Mul",
        Binary::Div => "Div",
        Binary::Rem => "Rem",
        Binary::BitAnd => "BitAnd",
        Binary::BitOr => "BitOr",
        Binary::BitXor => "BitXor",
        Binary::Shl => "Shl",
        Binary::Shr => "Shr",
        Binary::Eq | Binary::Ne => "Equal",
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => "Order",
    }
}

/// The kind of a comparison, if the operator is one.
fn comparison(op: Binary) -> Option<&'static str> {
    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge).then(|| op_name(op))
}
