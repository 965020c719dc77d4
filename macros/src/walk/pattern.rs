//! Patterns of `let`, of parameters and of `match`. The closure keeps them as written, except for
//! the new names of a `match`, which become `name @ _`.

use proc_macro2::Ident;
use quote::{quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Lit, Pat, PatIdent, RangeLimits, Token};
use tilewise_ast::{Pattern, TypeSlot};

use super::block::pattern_span;
use super::known::KnownId;
use super::names::{Named, is_capital};
use super::{SyntaxWalk, text};
use crate::at::{at, own};

impl SyntaxWalk {
    /// The pattern of a `let` or a parameter, which is irrefutable.
    pub(crate) fn pattern_of_let(&mut self, pattern: &Pat, ty: Option<KnownId>, late: bool) -> Pattern {
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let mutable = late || name.mutability.is_some();
                Pattern::Bind(self.names.bind(&name.ident, mutable, Named { ty, ..Named::default() }))
            }
            Pat::Wild(_) => Pattern::Wild,
            Pat::Paren(inner) => self.pattern_of_let(&inner.pat, ty, late),
            Pat::Tuple(tuple) => {
                let part = |(index, part): (usize, &Pat)| {
                    let ty = ty.map(|ty| self.part(ty, index, pattern_span(part)));
                    self.pattern_of_let(part, ty, late)
                };
                Pattern::Tuple(tuple.elems.iter().enumerate().map(part).collect())
            }
            other => {
                self.error(
                    pattern_span(other),
                    "in a kernel, a `let` or a parameter binds a name or a tuple of names; take fields by their names: `let x = p.x;`",
                );
                Pattern::Wild
            }
        }
    }

    /// The pattern of an arm.
    pub(super) fn pattern(&mut self, pattern: &Pat, ty: Option<KnownId>) -> Pattern {
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                if is_capital(&text(&name.ident)) && name.mutability.is_none() {
                    return self.constant_pattern(quote!(#name), name.ident.span());
                }
                // The scope is the arm's own: a name that is already bound is that of another
                // alternative of `a | b`.
                match self.names.bound_here(&name.ident) {
                    Some(local) => Pattern::Bind(local),
                    None => {
                        let named = Named { ty, ..Named::default() };
                        Pattern::Bind(self.names.bind(&name.ident, name.mutability.is_some(), named))
                    }
                }
            }
            Pat::Ident(name) => {
                self.error(
                    name.ident.span(),
                    "in a kernel, a pattern binds a name alone: test the value by a guard, `x if x > 3`",
                );
                Pattern::Wild
            }
            Pat::Wild(_) => Pattern::Wild,
            Pat::Paren(inner) => self.pattern(&inner.pat, ty),
            Pat::Tuple(tuple) => {
                if let Some(rest) = tuple.elems.iter().find(|part| matches!(part, Pat::Rest(_))) {
                    self.error(pattern_span(rest), "in a kernel, a tuple pattern names every part: use `_`");
                }
                let part = |(index, part): (usize, &Pat)| {
                    let ty = ty.map(|ty| self.part(ty, index, pattern_span(part)));
                    self.pattern(part, ty)
                };
                Pattern::Tuple(tuple.elems.iter().enumerate().map(part).collect())
            }
            Pat::Or(or) => Pattern::Or(or.cases.iter().map(|case| self.pattern(case, ty)).collect()),
            Pat::Lit(lit) => self.literal_pattern(&lit.lit, false, ty),
            Pat::Path(path) => self.constant_pattern(quote!(#path), pattern_span(pattern)),
            Pat::Range(range) => {
                let low = range.start.as_ref().map(|end| Box::new(self.end(end, ty)));
                let high = range.end.as_ref().map(|end| Box::new(self.end(end, ty)));
                Pattern::Range(low, high, matches!(range.limits, RangeLimits::Closed(_)), at(pattern_span(pattern)))
            }
            other => {
                self.error(
                    pattern_span(other),
                    "in a kernel, a pattern consists of numbers, ranges, constants, variants without fields, names, `_`, tuples and `|`",
                );
                Pattern::Wild
            }
        }
    }

    /// The pattern with names that rustc and the tree read alike: a bare name in a pattern may be a
    /// constant or a new binding. A new name becomes `name @ _`, an error if a constant has this
    /// name. For a name with a capital, a declaration before the closure proves that it is a
    /// constant.
    pub(super) fn unmistakable(&mut self, pattern: &Pat) -> Pat {
        struct PatternNames(Vec<Ident>);
        impl VisitMut for PatternNames {
            fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
                if name.by_ref.is_some() || name.subpat.is_some() {
                    return;
                }
                if is_capital(&text(&name.ident)) && name.mutability.is_none() {
                    return self.0.push(name.ident.clone());
                }
                let span = own(name.ident.span());
                let any = Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](span) });
                name.subpat = Some((Token![@](span), Box::new(any)));
            }
        }
        let (mut pattern, mut names) = (pattern.clone(), PatternNames(Vec::new()));
        names.visit_pat_mut(&mut pattern);
        for name in names.0 {
            self.declarations.push(quote_spanned!(own(name.span())=> let _ = const { #name };));
        }
        pattern
    }

    fn end(&mut self, end: &syn::Expr, ty: Option<KnownId>) -> Pattern {
        match end {
            syn::Expr::Lit(lit) => self.literal_pattern(&lit.lit, false, ty),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match &*unary.expr {
                syn::Expr::Lit(lit) => self.literal_pattern(&lit.lit, true, ty),
                _ => self.strange_end(end),
            },
            syn::Expr::Path(path) => self.constant_pattern(quote!(#path), super::expr::ends(path).0),
            _ => self.strange_end(end),
        }
    }

    fn strange_end(&mut self, end: &syn::Expr) -> Pattern {
        self.error(super::expr::ends(end).0, "the end of a range is a number or a constant");
        Pattern::Wild
    }

    fn literal_pattern(&mut self, lit: &Lit, negative: bool, ty: Option<KnownId>) -> Pattern {
        // In patterns, `syn` parses the sign as a part of the number.
        let (lit, negative) = match unsigned(lit) {
            Some(lit) => (lit, true),
            None => (lit.clone(), negative),
        };
        let Some((literal, suffix)) = self.literal_value(&lit) else { return Pattern::Wild };
        let slot: TypeSlot = match suffix.or(ty) {
            Some(ty) => self.slot(ty),
            None => 0,
        };
        Pattern::Literal(literal, negative, slot, at(lit.span()))
    }

    fn constant_pattern(&mut self, written: proc_macro2::TokenStream, span: proc_macro2::Span) -> Pattern {
        let slot = self.constant_slot(&written, span, None);
        self.constants[slot as usize].in_pattern = true;
        Pattern::Const(slot, at(span))
    }
}

/// The number without the sign, if it is negative.
fn unsigned(lit: &Lit) -> Option<Lit> {
    let text = match lit {
        Lit::Int(number) => number.to_string(),
        Lit::Float(number) => number.to_string(),
        _ => return None,
    };
    let mut number: Lit = syn::parse_str(text.strip_prefix('-')?.trim_start()).ok()?;
    number.set_span(lit.span());
    Some(number)
}
