//! Parts of arrays, `a[1..n]`, where an iterator goes over them: `a[1..n].iter()`, `for x in &a[..n]`, `.zip(&a[1..])`.
//!
//! A kernel has no slices. Such an iterator is one over the whole array, of which a companion takes the part:
//! `a.iter().tilewise_part_between(1, n)`.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, ExprMethodCall, ExprReference, RangeLimits};

use super::call::strip;
use crate::at::own;

/// `a[1..n].iter()` and `a[1..n].iter_mut()`, as iterators over the array.
pub(super) fn iterator_of_part(call: &ExprMethodCall) -> Option<Expr> {
    if !(call.method == "iter" || call.method == "iter_mut") || !call.args.is_empty() {
        return None;
    }
    let (index, _) = part(&call.receiver)?;
    of_part(index, &call.method)
}

/// `&a[1..n]` and `&mut a[1..n]` where they are iterated over.
pub(super) fn iterated_part(expr: &Expr) -> Option<Expr> {
    let Expr::Reference(reference) = strip(expr) else { return None };
    let (index, _) = part(&reference.expr)?;
    let method = if reference.mutability.is_some() { "iter_mut" } else { "iter" };
    of_part(index, &Ident::new(method, reference.and_token.span()))
}

/// The head of a loop: either of both, also with methods behind the first.
pub(super) fn head_over_part(expr: &Expr) -> Option<Expr> {
    match strip(expr) {
        Expr::MethodCall(call) => iterator_of_part(call).or_else(|| {
            let receiver = head_over_part(&call.receiver)?;
            Some(Expr::MethodCall(ExprMethodCall { receiver: Box::new(receiver), ..call.clone() }))
        }),
        Expr::Reference(_) => iterated_part(expr),
        _ => None,
    }
}

/// `&m[k]` and `&mut m[k]` where they are iterated over.
pub(super) fn iterator_of_element(reference: &ExprReference) -> Expr {
    let (element, at) = (&reference.expr, reference.and_token.span());
    let method = Ident::new(if reference.mutability.is_some() { "iter_mut" } else { "iter" }, at);
    syn::parse_quote_spanned!(at=> #element.#method())
}

/// An element that is indexed by a range.
fn part(expr: &Expr) -> Option<(&ExprIndex, &syn::ExprRange)> {
    let Expr::Index(index) = strip(expr) else { return None };
    let Expr::Range(range) = strip(&index.index) else { return None };
    Some((index, range))
}

/// The iterator that a method makes, over a part.
fn of_part(index: &ExprIndex, method: &Ident) -> Option<Expr> {
    let Expr::Range(range) = strip(&index.index) else { return None };
    let (array, at) = (&index.expr, method.span());
    let whole: Expr = syn::parse_quote_spanned!(at=> #array.#method());
    let inner = own(range.limits.span());
    let name = |name: &str| Ident::new(&format!("tilewise_part_{name}"), inner);
    let end: Option<Expr> = range.end.as_ref().map(|end| match range.limits {
        RangeLimits::HalfOpen(_) => (**end).clone(),
        RangeLimits::Closed(_) => syn::parse_quote_spanned!(end.span()=> (#end) + 1),
    });
    let (from, to, between) = (name("from"), name("to"), name("between"));
    Some(match (&range.start, end) {
        (None, None) => whole,
        (Some(low), None) => syn::parse_quote_spanned!(at=> #whole.#from(#low)),
        (None, Some(high)) => syn::parse_quote_spanned!(at=> #whole.#to(#high)),
        (Some(low), Some(high)) => syn::parse_quote_spanned!(at=> #whole.#between(#low, #high)),
    })
}
