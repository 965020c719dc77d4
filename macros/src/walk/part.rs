//! Parts of values: fields, elements, what a reference refers to.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Member};
use tilewise_ast::ExprKind;

use super::call::strip;
use super::expr::{bytes_array, ends};
use super::names::{NameKey, Named, is_capital};
use super::place::{ElementIndex, PlaceEvaluation, PlaceShape, PlaceUse, is_pure};
use super::{SyntaxWalk, WalkedExpr, node, text, whole_node};
use crate::at::{braces, own, parens};

impl SyntaxWalk {
    pub(super) fn dereference(&mut self, unary: &syn::ExprUnary, span: Span, ends: (Span, Span)) -> WalkedExpr {
        if let Some(choice) = self.dereferenced_choice(&unary.expr) {
            return self.expr(&choice);
        }
        let mistakes = self.errors.len();
        let base = self.handle(&unary.expr);
        if self.errors.len() > mistakes {
            // One error is enough.
            return base;
        }
        let target = match &base.tree.kind {
            ExprKind::Local(local) if self.names.named(*local).reference.is_some() => self.names.named(*local).target,
            ExprKind::Capture(_) => {
                let message = "what a kernel captures is a value, and no reference: leave out `*`";
                return self.refuse(span, message);
            }
            // rustc knows whether it is a reference.
            _ => None,
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

    /// The name, if it is one that may be a reference, or hold some, or a part of such a one.
    pub(super) fn perhaps_referring(&self, tree: &tilewise_ast::Expr) -> Option<Named> {
        match &tree.kind {
            ExprKind::Local(local) => Some(self.names.named(*local)).filter(|named| named.perhaps_reference),
            ExprKind::Deref(base) | ExprKind::Field(base, _) => self.perhaps_referring(base),
            _ => None,
        }
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> WalkedExpr {
        let span = index.bracket_token.span.join();
        self.refuse_pair(index);
        if !is_pure(&index.index) {
            return self.index_that_acts(index, span);
        }
        let (base, at) = (self.handle(&index.expr), self.expr(&index.index));
        let ends = (base.ends.0, index.bracket_token.span.close());
        let is_part = matches!(base.tree.kind, ExprKind::Field(..)) && self.is_copied(&base.tree);
        let (b, i) = (if is_part { moved(&base.tight(), ends.0) } else { base.tight() }, at.code);
        let (link, slot) = self.linked(span);
        let code = ElementIndex { base: &b, index: &i, written: &index.index, ends }.read(&link);
        WalkedExpr {
            code,
            tree: whole_node(ExprKind::Index(Box::new(base.tree), Box::new(at.tree), Some(slot)), span, ends),
            ty: None,
            loose: false,
            ends,
        }
    }

    /// Refuses a pair as the index of what is certainly an array.
    pub(super) fn refuse_pair(&mut self, index: &syn::ExprIndex) {
        let (Expr::Path(path), Expr::Tuple(pair)) = (strip(&index.expr), strip(&index.index)) else { return };
        let local = path.path.get_ident().and_then(|name| self.names.find(name));
        if local.is_some_and(|local| self.names.named(local).array) && pair.elems.len() > 1 {
            let message = "an array has one index; of an array in an array, write `a[i][j]`";
            self.error(pair.paren_token.span.open(), message);
        }
    }

    /// An element at an index whose evaluation may change something. As in Rust, all indices of the
    /// place are evaluated before any element of it is read.
    fn index_that_acts(&mut self, index: &syn::ExprIndex, span: Span) -> WalkedExpr {
        let place = self.reached(&Expr::Index(index.clone()), PlaceUse::Read);
        let mut before = PlaceEvaluation::default();
        // The whole is read where all has been evaluated.
        let value = match &place.shape {
            PlaceShape::Index { base, index, written, link, ends } => {
                let base = self.settled_base(base, span, &mut before);
                let name = self.own_name("i", ends.0);
                before.set(&name, index, ends.0);
                ElementIndex { base: &base, index: &quote!(#name), written, ends: *ends }.read(link)
            }
            other => self.settled_value(other, span, &mut before),
        };
        let before = before.code;
        let code = braces(quote_spanned!(own(span)=> #before #value), place.ends.1);
        WalkedExpr { code, tree: place.tree, ty: None, loose: true, ends: place.ends }
    }

    /// The value of a place whose indices are evaluated before. An element that code of the user's returns is read
    /// where that code runs, before the next index.
    fn settled_value(&mut self, shape: &PlaceShape, span: Span, before: &mut PlaceEvaluation) -> TokenStream {
        match shape {
            PlaceShape::Direct(code) => code.clone(),
            PlaceShape::TileStatic(name) => quote!(#name),
            PlaceShape::Value(value) => {
                let name = self.own_name("b", span);
                before.set(&name, value, span);
                quote!(#name)
            }
            PlaceShape::Field { base, member } => {
                let is_tile = matches!(**base, PlaceShape::TileStatic(_));
                let base = self.settled_value(base, span, before);
                let base = if is_tile { quote!(#base.get()) } else { base };
                quote_spanned!(own(span)=> #base.#member)
            }
            PlaceShape::Index { base, index, written, link, ends } => {
                let base = self.settled_base(base, span, before);
                let (name, read) = (self.own_name("i", ends.0), self.own_name("e", ends.0));
                before.set(&name, index, ends.0);
                let element = ElementIndex { base: &base, index: &quote!(#name), written, ends: *ends }.read(link);
                let (whole, link) = (own(ends.0), Ident::new(&link.to_string(), own(ends.0)));
                let at_once = quote_spanned! {whole=>
                    if ::tilewise::macro_support::runs_code(#link) { ::core::option::Option::Some(#element) }
                    else { ::core::option::Option::None }
                };
                before.set(&read, &at_once, ends.0);
                let arguments = parens(quote_spanned!(whole=> &#read, || #element), ends.1);
                quote_spanned!(whole=> ::tilewise::macro_support::read_before #arguments)
            }
        }
    }

    /// The same of what an element is taken of.
    fn settled_base(&mut self, shape: &PlaceShape, span: Span, before: &mut PlaceEvaluation) -> TokenStream {
        let base = self.settled_value(shape, span, before);
        if shape.is_field_of_a_copy() { moved(&base, span) } else { base }
    }

    /// An expression of which a part is taken: a `#[tile_static]` name stands for the variable, not
    /// for its value.
    pub(super) fn handle(&mut self, expr: &Expr) -> WalkedExpr {
        if let Some(bytes) = bytes_array(expr) {
            return self.expr(&bytes);
        }
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

    pub(super) fn field(&mut self, field: &syn::ExprField) -> WalkedExpr {
        let (member, span) = (&field.member, field.member.span());
        if let Some(walked) = self.field_of_captured(field) {
            return walked;
        }
        if let Some(walked) = self.end_of_range(field) {
            return walked;
        }
        let base = self.expr_or_reference(&field.base);
        let (code, dot) = (base.tight(), &field.dot_token);
        let tree = node(ExprKind::Field(Box::new(base.tree), member_text(member)), span);
        WalkedExpr { code: quote!(#code #dot #member), tree, ty: None, loose: false, ends: (base.ends.0, span) }
    }

    /// `r.start`, `r.end` of a range.
    fn end_of_range(&mut self, field: &syn::ExprField) -> Option<WalkedExpr> {
        let part = match member_text(&field.member).as_str() {
            "start" => 0,
            "end" => 1,
            _ => return None,
        };
        let (low, high, ty, inclusive) = self.named_range(&field.base)?;
        let tree = [low, high].into_iter().nth(part).filter(|_| !inclusive)?;
        Some(WalkedExpr { code: quote!(#field), tree, ty: Some(ty), loose: false, ends: ends(field) })
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
        // Two paths have two names, also `a_.b` and `a._b`: behind a `_` of theirs is `u`, never `_`.
        let name = members.iter().map(|member| member.replace('_', "_u")).collect::<Vec<_>>().join("__");
        let span = field.member.span();
        let name = Ident::new(&format!("__{name}"), own(span));
        Some(self.capture(&members.join("."), NameKey::of(root), name, quote!(#field), ends(field)))
    }
}

/// The value of a field of a copy: in a packed struct, there is no reference to the field.
fn moved(field: &TokenStream, at: Span) -> TokenStream {
    braces(field.clone(), at)
}

/// A field's name as it is in the tree.
pub(super) fn member_text(member: &Member) -> String {
    match member {
        Member::Named(name) => text(name),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
