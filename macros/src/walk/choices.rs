//! Choices among references, whose values are wanted: `a.iter().max().copied()`.
//!
//! The method that chooses and what takes the value out of the reference are one method, with a companion of its own.

use proc_macro2::Ident;
use syn::{BinOp, Expr, ExprBinary, ExprMatch, ExprMethodCall, Pat};

use super::call::strip;
use super::names::is_capital;
use super::{SyntaxWalk, text};

impl SyntaxWalk {
    /// `chosen.copied()`, of a method that chooses among references, as the one method that gives the value.
    pub(super) fn copied_choice(&mut self, call: &ExprMethodCall) -> Option<ExprMethodCall> {
        let is_copied = (call.method == "copied" || call.method == "cloned") && call.args.is_empty();
        let Expr::MethodCall(chosen) = strip(&call.receiver) else { return None };
        (is_copied && self.is_choice(chosen)).then(|| copied_method(chosen))
    }

    /// `*chosen.unwrap_or(&x)`, of a method that chooses among references, as a choice of values.
    pub(super) fn dereferenced_choice(&mut self, referring: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = strip(referring) else { return None };
        let (Expr::MethodCall(chosen), Some(Expr::Reference(other))) =
            (strip(&call.receiver), call.args.first().map(strip))
        else {
            return None;
        };
        if call.method != "unwrap_or" || !self.is_choice(chosen) {
            return None;
        }
        let mut call = call.clone();
        call.args = std::iter::once((*other.expr).clone()).collect();
        call.receiver = Box::new(Expr::MethodCall(copied_method(chosen)));
        Some(Expr::MethodCall(call))
    }

    /// A choice among references that a pattern takes apart, `if let Some(&x) = a.iter().max()`, as a choice of values,
    /// and the pattern for that.
    pub(super) fn choice_behind_pattern(&mut self, pattern: &Pat, chosen: &Expr) -> Option<(Pat, Expr)> {
        let (Pat::TupleStruct(some), Expr::MethodCall(call)) = (pattern, strip(chosen)) else { return None };
        let (Pat::Reference(reference), 1) = (some.elems.first()?, some.elems.len()) else { return None };
        let is_some = some.path.segments.last().is_some_and(|last| last.ident == "Some");
        if !is_some || reference.mutability.is_some() || !self.is_choice(call) {
            return None;
        }
        let mut some = some.clone();
        some.elems = std::iter::once((*reference.pat).clone()).collect();
        Some((Pat::TupleStruct(some), Expr::MethodCall(copied_method(call))))
    }

    /// `it.peek().is_some()`, as the question to a choice of values.
    pub(super) fn asked_choice(&mut self, call: &ExprMethodCall) -> Option<ExprMethodCall> {
        let is_question = (call.method == "is_some" || call.method == "is_none") && call.args.is_empty();
        let Expr::MethodCall(chosen) = strip(&call.receiver) else { return None };
        (is_question && chosen.method == "peek" && self.is_behind_iterator(&chosen.receiver)).then(|| {
            let receiver = Box::new(Expr::MethodCall(copied_method(chosen)));
            ExprMethodCall { receiver, ..call.clone() }
        })
    }

    /// `it.peek() == Some(&x)`, as a comparison of values.
    pub(super) fn compared_choice(&mut self, binary: &ExprBinary) -> Option<ExprBinary> {
        let (Expr::MethodCall(chosen), Expr::Call(some)) = (strip(&binary.left), strip(&binary.right)) else {
            return None;
        };
        let (Expr::Path(path), Some(Expr::Reference(reference)), 1) =
            (strip(&some.func), some.args.first().map(strip), some.args.len())
        else {
            return None;
        };
        let is_some = path.path.segments.last().is_some_and(|last| last.ident == "Some");
        let compares = matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_));
        let is_choice = self.is_behind_iterator(&chosen.receiver) && self.is_choice(chosen);
        if !compares || !is_some || reference.mutability.is_some() || !is_choice {
            return None;
        }
        let mut some = some.clone();
        some.args = std::iter::once((*reference.expr).clone()).collect();
        let left = Box::new(Expr::MethodCall(copied_method(chosen)));
        Some(ExprBinary { left, right: Box::new(Expr::Call(some)), ..binary.clone() })
    }

    /// `match it.peek() { Some(&x) => .., None => .. }`, as a match of values.
    pub(super) fn matched_choice(&mut self, choice: &ExprMatch) -> Option<ExprMatch> {
        let Expr::MethodCall(chosen) = strip(&choice.expr) else { return None };
        if !self.is_choice(chosen) {
            return None;
        }
        let mut choice = choice.clone();
        let mut takes = false;
        for arm in &mut choice.arms {
            match &mut arm.pat {
                Pat::TupleStruct(some) if some.elems.len() == 1 => match &some.elems[0] {
                    Pat::Reference(reference) if reference.mutability.is_none() => {
                        takes = true;
                        some.elems = std::iter::once((*reference.pat).clone()).collect();
                    }
                    Pat::Wild(_) => {}
                    _ => return None,
                },
                Pat::Path(_) | Pat::Wild(_) => {}
                // A name of the whole, which holds a reference.
                Pat::Ident(name) if !is_capital(&text(&name.ident)) => return None,
                Pat::Ident(_) => {}
                _ => return None,
            }
        }
        *choice.expr = Expr::MethodCall(copied_method(chosen));
        takes.then_some(choice)
    }

    /// Does a call choose among references, of the items of an iterator?
    fn is_choice(&mut self, call: &ExprMethodCall) -> bool {
        self.is_behind_iterator(&call.receiver) && CHOOSES.iter().any(|name| call.method == name)
    }
}

/// Methods of iterators that put an item into an `Option`.
const CHOOSES: [&str; 12] =
    ["find", "last", "max", "max_by", "max_by_key", "min", "min_by", "min_by_key", "next", "nth", "peek", "rfind"];

/// The method that chooses among references, and copies what it has chosen.
fn copied_method(chosen: &ExprMethodCall) -> ExprMethodCall {
    let name = Ident::new(&format!("tilewise_copied_{}", text(&chosen.method)), chosen.method.span());
    ExprMethodCall { method: name, ..chosen.clone() }
}
