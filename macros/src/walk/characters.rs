//! Ranges of characters: `'a'..='e'`, and methods behind them. In a kernel they are those of the numbers, without the
//! numbers that no character has.

use quote::quote_spanned;
use syn::{Expr, ExprMethodCall, ExprRange, Lit, RangeLimits};

use super::call::strip;
use crate::at::own;

/// What goes over the characters of a range that has a character as an end, and the methods behind it.
pub(super) fn over_characters(expr: &Expr) -> Option<Expr> {
    match strip(expr) {
        Expr::Range(range) => items(range),
        Expr::MethodCall(call) => over_characters_of(call).map(Expr::MethodCall),
        _ => None,
    }
}

/// The same of a call of a method.
pub(super) fn over_characters_of(call: &ExprMethodCall) -> Option<ExprMethodCall> {
    if matches!(strip(&call.receiver), Expr::Range(_)) && OF_THE_RANGE.iter().any(|name| call.method == name) {
        return None;
    }
    over_characters(&call.receiver).map(|receiver| ExprMethodCall { receiver: Box::new(receiver), ..call.clone() })
}

fn items(range: &ExprRange) -> Option<Expr> {
    let (Some(start), Some(end)) = (range.start.as_deref(), range.end.as_deref()) else { return None };
    if !is_character(start) && !is_character(end) {
        return None;
    }
    let [start, end] = [start, end].map(|end| {
        let span = own(super::expr::ends(end).0);
        match is_character(end) {
            true => quote_spanned!(span=> (#end as u32)),
            // What is no character is rustc's error.
            false => quote_spanned!(span=> ({ let __end: char = #end; __end } as u32)),
        }
    });
    let (limits, span) = match &range.limits {
        RangeLimits::HalfOpen(dots) => (quote_spanned!(dots.spans[0]=> ..), dots.spans[0]),
        RangeLimits::Closed(dots) => (quote_spanned!(dots.spans[0]=> ..=), dots.spans[0]),
    };
    Some(syn::parse_quote_spanned!(own(span)=> (#start #limits #end).filter_map(|__n: u32| char::from_u32(__n))))
}

fn is_character(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Lit(lit) if matches!(lit.lit, Lit::Char(_)))
}

/// Methods that ask a range, and do not go over it.
const OF_THE_RANGE: [&str; 4] = ["contains", "end", "is_empty", "start"];
