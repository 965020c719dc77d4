//! Structs, tuples and arrays as values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};
use tilewise_ast::{ExprKind, FieldValue};

use super::expr::{ends, member_text};
use super::known::of;
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{braces, own, parens};

impl SyntaxWalk {
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> WalkedExpr {
        let path = &literal.path;
        let span = path.segments.last().map_or(literal.brace_token.span.open(), |last| last.ident.span());
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
        WalkedExpr { code, tree: node(ExprKind::Struct(slot, fields, rest), span), ty: Some(ty), loose: false, ends }
    }

    /// `T(x, y)`
    pub(super) fn tuple_struct(&mut self, call: &syn::ExprCall, path: &syn::ExprPath) -> WalkedExpr {
        let span = path.path.segments.last().map_or(call.paren_token.span.open(), |last| last.ident.span());
        let (values, trees) = self.parts(&call.args);
        let fields = trees.into_iter().enumerate();
        let fields = fields.map(|(at, value)| FieldValue { name: at.to_string(), value }).collect();
        let ends = (ends(path).0, call.paren_token.span.close());
        let (witness, ty) = self.witness(span);
        let slot = self.slot(ty);
        // As `T { 0: x }`, by its fields, so that a function with the name `T` is an error and does
        // not pass for a struct.
        let members = (0..values.len()).map(|at| syn::Index { index: at as u32, span: own(ends.0) });
        let fields_code = braces(quote!(#(#members: #values),*), ends.1);
        let code = of(&witness, quote!(#path #fields_code), ends);
        WalkedExpr { code, tree: node(ExprKind::Struct(slot, fields, None), span), ty: Some(ty), loose: false, ends }
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
        let code = of(&witness, quote!([#(#values),*]), (open, close));
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
        let code = of(&witness, quote!([#value_code; #length]), (open, close));
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
