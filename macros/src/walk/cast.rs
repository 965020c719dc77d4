//! Casts.

use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, UnOp};
use tilewise_ast::{ExprKind, Unary};

use super::expr::ends;
use super::names::NameKey;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::own;

impl SyntaxWalk {
    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> WalkedExpr {
        let span = cast.as_token.span;
        let ends = ends(cast);
        if let Some(walked) = self.cast_of_literal(cast) {
            return walked;
        }
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

    /// `1.5 as f32`, `-1 as T`: a number without a suffix has the type that it is cast to, if that is of its
    /// kind. rustc finds that where the number stands before `as`; the form asks the type.
    fn cast_of_literal(&mut self, cast: &syn::ExprCast) -> Option<WalkedExpr> {
        let (signs, lit) = signs_and_literal(&cast.expr)?;
        let (span, ty) = (cast.as_token.span, &*cast.ty);
        let target = self.written(ty, ty.span())?;
        let (literal, suffix) = self.literal_value(&lit.lit)?;
        if suffix.is_some() {
            return None;
        }
        let is_float = matches!(lit.lit, Lit::Float(_));
        let slot = {
            let of = self.literal_under(target, is_float, lit.lit.span());
            self.slot(of)
        };
        let mut tree = node(ExprKind::Literal(literal, slot), lit.lit.span());
        for (op, at) in signs {
            let link = self.link(quote_spanned!(own(at)=> ::tilewise::macro_support::op::own));
            tree = node(ExprKind::Unary(op, Box::new(tree), link), at);
        }
        let (value, arrow) = (&cast.expr, &cast.as_token);
        let mut code = quote!(#value #arrow #ty);
        let mut loose = true;
        if self.may_be_host_wide(ty) {
            let from = self.plain(if is_float { "f64" } else { "i32" }, span);
            let (to, from) = (self.witness_code(target), self.witness_code(from));
            code = quote_spanned!(own(span)=> #to.cast(#from, #code));
            loose = false;
        }
        let slot = self.slot(target);
        let tree = node(ExprKind::Cast(Box::new(tree), slot), span);
        Some(WalkedExpr { code, tree, ty: Some(target), loose, ends: ends(cast) })
    }

    /// Whether the type may be `usize` or `isize`: by name, by an alias or a parameter, or by
    /// inference. A type that is an alias with the name of another primitive type is an error.
    pub(super) fn may_be_host_wide(&mut self, ty: &syn::Type) -> bool {
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
    pub(super) fn primitive(&mut self, name: &Ident) {
        if self.primitives.insert(NameKey::of(name)) {
            let span = own(name.span());
            self.proofs.push(quote_spanned!(span=> ::tilewise::macro_support::same_width::<#name>();));
        }
    }
}

/// A number with signs before it, the innermost first: `-1`, `!(0)`.
fn signs_and_literal(expr: &Expr) -> Option<(Vec<(Unary, Span)>, &ExprLit)> {
    match expr {
        Expr::Paren(paren) => signs_and_literal(&paren.expr),
        Expr::Group(group) => signs_and_literal(&group.expr),
        Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Float(_)) => Some((Vec::new(), lit)),
        Expr::Unary(unary) => {
            let op = match unary.op {
                UnOp::Neg(_) => Unary::Neg,
                UnOp::Not(_) => Unary::Not,
                _ => return None,
            };
            let (mut signs, lit) = signs_and_literal(&unary.expr)?;
            signs.push((op, unary.op.span()));
            Some((signs, lit))
        }
        _ => None,
    }
}

/// The primitive types that have the same width in a kernel, and those that kernels do not have.
const NOT_HOST_WIDE: [&str; 14] =
    ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32", "f64", "bool", "char"];
