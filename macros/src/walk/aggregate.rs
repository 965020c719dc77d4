//! Structs, tuples and arrays as values.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};
use tilewise_ast::{ExprKind, FieldValue};

use super::expr::ends;
use super::known::of;
use super::part::member_text;
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{braces, brackets, parens};

impl SyntaxWalk {
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> WalkedExpr {
        let path = &literal.path;
        let span = path_span(path);
        if let Some(qself) = &literal.qself {
            return self.refuse(qself.lt_token.span, "name the struct by its own path in a kernel");
        }
        let (mut code, mut fields) = (TokenStream::new(), Vec::new());
        for field in &literal.fields {
            let value = self.expr(&field.expr);
            let (member, value_code) = (&field.member, value.code);
            code.extend(quote!(#member: #value_code,));
            fields.push(FieldValue { name: member_text(member), value: value.tree });
        }
        let rest = literal.rest.as_ref().map(|rest| {
            let rest = self.expr(rest);
            let rest_code = rest.code;
            code.extend(quote!(..#rest_code));
            Box::new(rest.tree)
        });
        let ends = (ends(path).0, literal.brace_token.span.close());
        let (witness, ty) = self.witness(span);
        let slot = self.slot(ty);
        let fields_code = braces(code, ends.1);
        let code = of(&witness, quote!(#path #fields_code), ends);
        // `Self` is no variant.
        let variant = (!path.is_ident("Self")).then(|| self.variant(Some(ty), quote!(#path { .. }), span));
        WalkedExpr {
            code,
            tree: node(ExprKind::Struct(slot, variant, fields, rest), span),
            ty: Some(ty),
            loose: false,
            ends,
        }
    }

    /// `T(x, y)`. The pattern of the variant proves that Rust takes `T` for a tuple struct or a tuple
    /// variant: beside a type `T`, an alias for example, there may be a function `T`.
    pub(super) fn tuple_struct(&mut self, call: &syn::ExprCall, path: &syn::ExprPath) -> WalkedExpr {
        let span = path_span(&path.path);
        let (values, trees) = self.parts(&call.args);
        let fields = trees.into_iter().enumerate();
        let fields = fields.map(|(at, value)| FieldValue { name: at.to_string(), value }).collect();
        let ends = (ends(path).0, call.paren_token.span.close());
        let (witness, ty) = self.witness(span);
        let slot = self.slot(ty);
        let values = parens(quote!(#(#values),*), call.paren_token.span.join());
        let code = of(&witness, quote!(#path #values), ends);
        let any = parens(quote!(..), call.paren_token.span.join());
        let variant = Some(self.variant(Some(ty), quote!(#path #any), span));
        WalkedExpr {
            code,
            tree: node(ExprKind::Struct(slot, variant, fields, None), span),
            ty: Some(ty),
            loose: false,
            ends,
        }
    }

    pub(super) fn tuple(&mut self, tuple: &syn::ExprTuple) -> WalkedExpr {
        let (open, close) = (tuple.paren_token.span.open(), tuple.paren_token.span.close());
        let (values, trees) = self.parts(&tuple.elems);
        let code = parens(quote!(#(#values,)*), tuple.paren_token.span.join());
        WalkedExpr { code, tree: node(ExprKind::Tuple(trees), open), ty: None, loose: false, ends: (open, close) }
    }

    pub(super) fn array(&mut self, array: &syn::ExprArray) -> WalkedExpr {
        let (open, close) = (array.bracket_token.span.open(), array.bracket_token.span.close());
        let (values, trees) = self.parts(&array.elems);
        let (witness, ty) = self.witness(open);
        let slot = self.slot(ty);
        let values = brackets(quote!(#(#values),*), array.bracket_token.span.join());
        let code = of(&witness, values, (open, close));
        WalkedExpr {
            code,
            tree: node(ExprKind::Array(trees, slot), open),
            ty: Some(ty),
            loose: false,
            ends: (open, close),
        }
    }

    pub(super) fn repeat(&mut self, repeat: &syn::ExprRepeat) -> WalkedExpr {
        let (open, close) = (repeat.bracket_token.span.open(), repeat.bracket_token.span.close());
        let value = self.expr(&repeat.expr);
        let (value_code, length) = (&value.code, &repeat.len);
        let (witness, ty) = self.witness(open);
        let slot = self.slot(ty);
        let values = brackets(quote!(#value_code; #length), repeat.bracket_token.span.join());
        let code = of(&witness, values, (open, close));
        WalkedExpr {
            code,
            tree: node(ExprKind::Repeat(Box::new(value.tree), slot), open),
            ty: Some(ty),
            loose: false,
            ends: (open, close),
        }
    }

    fn parts(&mut self, parts: &Punctuated<Expr, Token![,]>) -> (Vec<TokenStream>, Vec<tilewise_ast::Expr>) {
        let walk = |part| {
            let part = self.expr(part);
            (part.code, part.tree)
        };
        parts.iter().map(walk).unzip()
    }
}

/// The last name of a path.
pub(super) fn path_span(path: &syn::Path) -> Span {
    path.segments.last().map_or_else(Span::call_site, |last| last.ident.span())
}
