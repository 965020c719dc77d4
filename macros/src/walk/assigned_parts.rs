//! Assignments to several places at once: `(a, b) = (b, a)`, `[x, _] = pair`, `Point { x, .. } = p`.
//!
//! As in Rust, the value is taken apart by a `let`, and its parts are assigned from left to right:
//! ```text
//! (a, v[i]) = value    { let (__part1, __part2) = value; a = __part1; v[i] = __part2; }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprAssign, FieldValue};

use super::call::strip;
use super::expr::ends;
use super::names::is_capital;
use super::{SyntaxWalk, WalkedExpr, text};
use crate::at::own;

/// The places of an assignment, each with the name of its part.
#[derive(Default)]
struct AssignedParts {
    places: Vec<(Ident, Expr)>,
}

impl SyntaxWalk {
    /// The assignment, if it is one to several places, or to `_`.
    pub(super) fn assign_parts(&mut self, assign: &ExprAssign) -> Option<WalkedExpr> {
        if !takes_apart(&assign.left) {
            return None;
        }
        let span = assign.eq_token.span;
        let mut parts = AssignedParts::default();
        let pattern = self.assigned_pattern(&assign.left, &mut parts);
        let value = &assign.right;
        let assignments = parts.places.iter().map(|(name, place)| {
            let equals = &assign.eq_token;
            quote_spanned!(own(span)=> #place #equals #name;)
        });
        let block = quote_spanned!(own(span)=> { let #pattern = #value; #(#assignments)* });
        match syn::parse2::<Expr>(block) {
            Ok(block) => Some(self.expr(&block)),
            Err(_) => Some(self.refuse(ends(&*assign.left).0, "this cannot be assigned to")),
        }
    }

    /// The pattern that takes apart what such places are assigned.
    fn assigned_pattern(&mut self, place: &Expr, parts: &mut AssignedParts) -> TokenStream {
        match strip(place) {
            Expr::Infer(_) => quote!(_),
            Expr::Range(range) if range.start.is_none() && range.end.is_none() => quote!(..),
            Expr::Tuple(tuple) => {
                let inner: Vec<TokenStream> =
                    tuple.elems.iter().map(|part| self.assigned_pattern(part, parts)).collect();
                let comma = (inner.len() == 1).then(|| quote!(,));
                quote!((#(#inner),* #comma))
            }
            Expr::Array(array) => {
                let inner = array.elems.iter().map(|part| self.assigned_pattern(part, parts));
                let inner: Vec<TokenStream> = inner.collect();
                quote!([#(#inner),*])
            }
            Expr::Call(call) if is_struct_path(&call.func) => {
                let path = &call.func;
                let inner = call.args.iter().map(|part| self.assigned_pattern(part, parts));
                let inner: Vec<TokenStream> = inner.collect();
                quote!(#path(#(#inner),*))
            }
            Expr::Struct(literal) => {
                let mut inner = Vec::new();
                for FieldValue { member, expr, .. } in &literal.fields {
                    let pattern = self.assigned_pattern(expr, parts);
                    inner.push(quote!(#member: #pattern));
                }
                if let Some(base) = &literal.rest {
                    self.error(ends(&**base).0, "a struct that is assigned to has no base: write `..`, and assign the other fields by themselves");
                }
                let path = &literal.path;
                let rest = literal.dot2_token.map(|dots| quote!(#dots));
                quote!(#path { #(#inner,)* #rest })
            }
            other => {
                let name = self.own_name("part", ends(other).0);
                parts.places.push((name.clone(), other.clone()));
                name.to_token_stream()
            }
        }
    }
}

/// Is it a form that takes a value apart?
fn takes_apart(place: &Expr) -> bool {
    match strip(place) {
        Expr::Infer(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) => true,
        Expr::Call(call) => is_struct_path(&call.func),
        _ => false,
    }
}

/// Is it the path of a tuple struct or a variant?
fn is_struct_path(function: &Expr) -> bool {
    let Expr::Path(path) = strip(function) else { return false };
    path.path.segments.last().is_some_and(|last| is_capital(&text(&last.ident)))
}
