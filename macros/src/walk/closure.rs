//! Closures in a kernel: they get a name by `let`, or are arguments of calls, and are inlined where
//! they are called.
//!
//! The body has the names of its surroundings, so a closure that captures by reference needs nothing
//! else. A `move` closure has copies of its own: names for them, which its body means, and which get
//! their values where the closure is made.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprCall, ExprClosure, ExprReference, Local, Pat, ReturnType, Type};
use tilewise_ast::{ClosureCopy, ClosureParam, ExprKind, LocalId, Mode, Pattern, Statement};

use super::block::pattern_span;
use super::call::strip;
use super::expr::ends;
use super::names::{Mutability, Named};
use super::pattern::PatternUse;
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{at, users_parens};

impl SyntaxWalk {
    /// A closure, as the value of a `let` or as an argument.
    pub(super) fn closure_value(&mut self, closure: &ExprClosure) -> WalkedExpr {
        let span = closure.or1_token.span;
        self.note_loans(&closure.body);
        let ends = (ends(closure).0, ends(&*closure.body).1);
        if let Some(token) = &closure.asyncness {
            return self.refuse(token.span, "a kernel does not wait: there is no `async` in it");
        }
        self.names.enter();
        if closure.capture.is_some() {
            self.names.enter_move();
        }
        let params = closure.inputs.iter().map(|input| self.closure_param(input)).collect();
        let labels = std::mem::take(&mut self.labels);
        self.refuse_lost_reference(&closure.body);
        self.closures += 1;
        let body = self.expr(&closure.body);
        self.closures -= 1;
        self.labels = labels;
        let copies = if closure.capture.is_some() { self.names.leave_move() } else { Vec::new() };
        self.names.leave();
        let copies = copies.into_iter().map(|(copy, original)| ClosureCopy { copy, original }).collect();
        let (capture, or1, inputs, or2) = (&closure.capture, &closure.or1_token, &closure.inputs, &closure.or2_token);
        let (output, code) = (&closure.output, &body.code);
        let code = match &closure.output {
            ReturnType::Default => quote!(#capture #or1 #inputs #or2 #code),
            ReturnType::Type(..) => quote!(#capture #or1 #inputs #or2 #output { #code }),
        };
        let tree = node(ExprKind::Closure(copies, params, Box::new(body.tree)), span);
        WalkedExpr { code, tree, ty: None, loose: true, ends }
    }

    fn closure_param(&mut self, input: &Pat) -> ClosureParam {
        let (pattern, ty) = match input {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let (target, mode) = match ty {
            Some(Type::Reference(reference)) if reference.mutability.is_some() => {
                (Some(&*reference.elem), Mode::RefMut)
            }
            Some(Type::Reference(reference)) => (Some(&*reference.elem), Mode::Ref),
            None if matches!(pattern, Pat::Reference(_)) => (None, Mode::Ref),
            ty => (ty, Mode::Value),
        };
        let known = target.and_then(|ty| self.written(ty, pattern_span(pattern)));
        let reference = match mode {
            Mode::Ref => Some(Mutability::Shared),
            Mode::RefMut => Some(Mutability::Exclusive),
            Mode::Value | Mode::Function | Mode::Iterator => None,
        };
        let pattern = self.pattern(
            pattern,
            PatternUse {
                ty: known,
                reference,
                untyped_parameter: ty.is_none(),
                item: ty.is_none() && self.behind_iterator,
                ..PatternUse::default()
            },
        );
        ClosureParam { pattern, mode }
    }

    /// `let name = |x| ..;`, `let name = other;` of one.
    pub(super) fn closure_of_let(&mut self, local: &Local) -> Option<(TokenStream, Statement)> {
        let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return None };
        if init.diverge.is_some() || name.subpat.is_some() || name.by_ref.is_some() {
            return None;
        }
        let value = match strip(&init.expr) {
            Expr::Closure(closure) => self.closure_value(closure),
            Expr::Path(_) if self.is_callable(&init.expr) => self.expr_or_reference(&init.expr),
            Expr::Reference(reference) => match strip(&reference.expr) {
                Expr::Closure(closure) => self.lent_closure(reference, closure),
                Expr::Path(_) if self.is_callable(&reference.expr) => self.lend(reference),
                _ => return None,
            },
            _ => return None,
        };
        let id = self.names.bind(&name.ident, false, Named { callable: true, ..Named::default() });
        let (attributes, token, equals, semicolon) =
            (&local.attrs, &local.let_token, &init.eq_token, &local.semi_token);
        let (code, span) = (&value.code, name.ident.span());
        let code = quote!(#(#attributes)* #token #name #equals #code #semicolon);
        Some((code, Statement::Let(Pattern::Bind(id), None, Some(value.tree), at(span))))
    }

    /// `&|x| ..`, `&mut |x| ..`
    pub(super) fn lent_closure(&mut self, reference: &ExprReference, closure: &ExprClosure) -> WalkedExpr {
        let walked = self.closure_value(closure);
        let (and, mutability, code) = (&reference.and_token, &reference.mutability, walked.tight());
        WalkedExpr { code: quote!(#and #mutability #code), ..walked }
    }

    /// Is it the name of a closure?
    fn is_callable(&mut self, expr: &Expr) -> bool {
        let Expr::Path(path) = strip(expr) else { return false };
        let found = path.path.get_ident().and_then(|name| self.names.find(name));
        found.is_some_and(|local| self.names.named(local).callable)
    }

    /// A call of a closure by its name.
    pub(super) fn invoke(&mut self, call: &ExprCall, local: LocalId) -> WalkedExpr {
        let called = self.expr_or_reference(&call.func);
        let walked = self.arguments(&call.args);
        let codes = &walked.codes;
        let arguments = users_parens(quote!(#(#codes),*), call.paren_token.span.join());
        let name = called.tight();
        let ends = (called.ends.0, call.paren_token.span.close());
        let tree = node(ExprKind::Invoke(local, walked.trees.clone()), called.ends.0);
        let code = walked.around(self, quote!(#name #arguments), ends);
        WalkedExpr { code, tree, ty: None, loose: walked.is_block(), ends }
    }
}
