//! Which expressions are iterators, by their syntax, and calls of their methods in other words.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Stmt};

use super::array_part::{iterated_part, iterator_of_element};
use super::call::strip;
use super::names::is_capital;
use super::{SyntaxWalk, text};

impl SyntaxWalk {
    /// Does it end in methods behind `iter` or its like, or behind a range, or behind the name of what does?
    pub(super) fn is_behind_iterator(&mut self, receiver: &Expr) -> bool {
        match strip(receiver) {
            Expr::MethodCall(call) => {
                ITERATORS.iter().any(|name| call.method == name) || self.is_behind_iterator(&call.receiver)
            }
            Expr::Range(_) => true,
            Expr::Path(path) => {
                let local = path.path.get_ident().and_then(|name| self.names.find(name));
                local.map(|local| self.names.named(local)).is_some_and(|named| named.iterator || named.range.is_some())
            }
            _ => false,
        }
    }

    /// Is it `a.iter()`, or what a method makes of that that is an iterator again?
    pub(super) fn is_an_iterator(&mut self, receiver: &Expr) -> bool {
        let Expr::MethodCall(call) = strip(receiver) else { return matches!(strip(receiver), Expr::Range(_)) };
        let is_made = ITERATORS.iter().any(|name| call.method == name) && call.args.is_empty();
        is_made || ADAPTS.iter().any(|name| call.method == name) && self.is_an_iterator(&call.receiver)
    }

    /// A call of `zip` or `chain` of an iterator with a part of an array, `&a[1..]`, or with an element, `&mut m[k]`, as
    /// one with an iterator.
    pub(super) fn iterated_parts(&mut self, call: &ExprMethodCall) -> Option<ExprMethodCall> {
        if !(call.method == "zip" || call.method == "chain") || call.args.len() != 1 {
            return None;
        }
        let argument = iterated_part(&call.args[0]).or_else(|| match strip(&call.args[0]) {
            Expr::Reference(reference)
                if matches!(strip(&reference.expr), Expr::Index(_)) && self.is_behind_iterator(&call.receiver) =>
            {
                Some(iterator_of_element(reference))
            }
            _ => None,
        })?;
        let mut call = call.clone();
        call.args = std::iter::once(argument).collect();
        Some(call)
    }

    pub(super) fn is_named_range(&mut self, expr: &Expr) -> bool {
        let Expr::Path(path) = strip(expr) else { return false };
        let local = path.path.get_ident().and_then(|name| self.names.find(name));
        local.is_some_and(|local| self.names.named(local).range.is_some())
    }
}

/// A call with a method of a type of the user's as the function, `.map(Point::length)`, as one with a closure.
pub(super) fn closure_of_path(call: &ExprMethodCall) -> Option<ExprMethodCall> {
    let (_, at) = TAKES_A_FUNCTION.into_iter().find(|(name, _)| call.method == name)?;
    let Expr::Path(path) = strip(call.args.get(at)?) else { return None };
    let mut segments = path.path.segments.iter().rev();
    let (last, owner) = (segments.next()?, segments.next());
    let is_method = owner.is_some_and(|owner| is_capital(&text(&owner.ident))) || path.qself.is_some();
    if !is_method || is_capital(&text(&last.ident)) {
        return None;
    }
    let span = last.ident.span();
    let name = Ident::new("__a", Span::mixed_site().located_at(span));
    let mut call = call.clone();
    call.args[at] = syn::parse_quote_spanned!(span=> |#name| #path(#name));
    Some(call)
}

/// `flat_map(|x| 0..x)`, with the range as an iterator: a closure of a kernel gives no range.
pub(super) fn closure_of_range(call: &ExprMethodCall) -> Option<ExprMethodCall> {
    let (true, Expr::Closure(closure)) = (call.method == "flat_map", strip(call.args.first()?)) else { return None };
    let mut closure = closure.clone();
    as_iterator(&mut closure.body).then(|| {
        let mut call = call.clone();
        call.args = std::iter::once(Expr::Closure(closure)).collect();
        call
    })
}

/// A range, also one at the end of a block, as an iterator. Returns whether it is one.
fn as_iterator(expr: &mut Expr) -> bool {
    match expr {
        Expr::Range(range) => {
            let at = Span::mixed_site().located_at(range.limits.span());
            *expr = syn::parse_quote_spanned!(at=> (#range).into_iter());
            true
        }
        Expr::Paren(inner) => as_iterator(&mut inner.expr),
        Expr::Group(inner) => as_iterator(&mut inner.expr),
        Expr::Block(block) => match block.block.stmts.last_mut() {
            Some(Stmt::Expr(last, None)) => as_iterator(last),
            _ => false,
        },
        _ => false,
    }
}

/// Methods of iterators, arrays and `Option`s that call a function with one argument, and where that stands.
const TAKES_A_FUNCTION: [(&str, usize); 7] = [
    ("and_then", 0),
    ("filter_map", 0),
    ("find_map", 0),
    ("map", 0),
    ("map_or", 1),
    ("map_or_else", 1),
    ("map_while", 0),
];

/// Methods that compare iterators, and other values.
pub(super) const COMPARES: [&str; 8] = ["cmp", "eq", "ge", "gt", "le", "lt", "ne", "partial_cmp"];

/// Methods that make an iterator of another one.
const ADAPTS: [&str; 10] = ["chain", "cloned", "copied", "cycle", "filter", "map", "rev", "scan", "skip", "take"];

/// What makes an iterator of an array.
pub(super) const ITERATORS: [&str; 6] = ["iter", "iter_mut", "into_iter", "windows", "chunks", "chunks_exact"];
