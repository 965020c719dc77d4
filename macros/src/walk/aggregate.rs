//! Structs, tuples and arrays as values.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Expr, PathArguments, Token};
use tilewise_ast::{ExprKind, FieldValue};

use super::expr::{ends, member_text};
use super::known::of;
use super::names::is_type;
use super::{SyntaxWalk, WalkedExpr, node, text};
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
        let values = parens(quote!(#(#values),*), call.paren_token.span.join());
        let code = of(&witness, constructor(path, &values), ends);
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

/// `T(x, y)`, with the proof that Rust takes `T` for a tuple struct, which a pattern is: beside a type
/// `T`, an alias for example, there may be a function `T`.
///
/// Both resolve through one import, so that an unknown name is one error, and so is a function. The
/// import is named as the errors name it.
fn constructor(path: &syn::ExprPath, values: &TokenStream) -> TokenStream {
    let segments = &path.path.segments;
    let span = own(segments.last().map_or_else(Span::call_site, |last| last.ident.span()));
    // `Self(x)` cannot be imported, nor what a type has.
    let of_a_type = segments.iter().rev().nth(1).is_some_and(|segment| is_type(&text(&segment.ident)));
    if path.qself.is_some() || of_a_type || path.path.is_ident("Self") {
        return quote!(#path #values);
    }
    let mut imported = path.path.clone();
    let last = imported.segments.last_mut().expect("the caller looked at it");
    let arguments = match std::mem::take(&mut last.arguments) {
        PathArguments::AngleBracketed(mut arguments) => {
            arguments.colon2_token = Some(Token![::](span));
            Some(arguments)
        }
        _ => None,
    };
    quote_spanned! {span=>
        {
            use #imported as tuple_struct_of_this_name;
            match tuple_struct_of_this_name #arguments #values {
                __made @ tuple_struct_of_this_name(..) => __made,
            }
        }
    }
}
