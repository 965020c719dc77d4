//! `if`, `match`, loops, and the jumps out of them.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{
    Expr, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprMethodCall, ExprRange, ExprWhile, Lifetime, Pat, RangeLimits,
};
use tilewise_ast::{ExprKind, ForHead, LocalId, MatchArm, RangeAdapter, SyntaxBlock};

use super::block::{NOT_SELF, pattern_span};
use super::call::strip;
use super::characters::over_characters;
use super::expr::ends;
use super::known::KnownId;
use super::names::{NameKey, Named};
use super::pattern::PatternUse;
use super::scrutinee::has_let;
use super::{SyntaxWalk, WalkLabel, WalkedExpr, node};
use crate::at::own;

impl SyntaxWalk {
    pub(super) fn branch(&mut self, branch: &ExprIf) -> WalkedExpr {
        if has_let(&branch.cond) {
            return self.branch_with_let(branch);
        }
        let span = branch.if_token.span;
        let condition = self.condition(&branch.cond);
        let (then_code, then) = self.block(&branch.then_branch);
        let (else_code, otherwise, end) = self.else_part(branch);
        let (if_token, test) = (&branch.if_token, condition.code);
        let tree = node(ExprKind::If(Box::new(condition.tree), then, otherwise), span);
        WalkedExpr {
            code: quote!(#if_token #test #then_code #else_code),
            tree,
            ty: None,
            loose: true,
            ends: (span, end),
        }
    }

    /// The code of an `else`, if there is one, its tree, and the last token of the whole `if`.
    pub(super) fn else_part(&mut self, branch: &ExprIf) -> (TokenStream, Option<SyntaxBlock>, Span) {
        let Some((token, expr)) = &branch.else_branch else {
            return (TokenStream::new(), None, branch.then_branch.brace_token.span.close());
        };
        let (code, tree, end) = self.otherwise(expr);
        (quote!(#token #code), Some(tree), end)
    }

    /// The block behind `else`, or the `if` there: its code, its tree, its last token.
    fn otherwise(&mut self, expr: &Expr) -> (TokenStream, SyntaxBlock, Span) {
        match expr {
            Expr::Block(block) if block.label.is_none() => {
                let (code, tree) = self.block(&block.block);
                (code, tree, block.block.brace_token.span.close())
            }
            expr => {
                let walked = self.expr(expr);
                let value = Some(Box::new(walked.tree));
                (walked.code, SyntaxBlock { statements: Vec::new(), value }, walked.ends.1)
            }
        }
    }

    /// The condition of an `if` or a `while`. A struct literal at its front needs parentheses,
    /// which the user wrote.
    pub(super) fn condition(&mut self, condition: &Expr) -> WalkedExpr {
        let walked = self.expr(condition);
        let code = if starts_with_brace(&walked.code) { walked.tight() } else { walked.code.clone() };
        WalkedExpr { code, ..walked }
    }

    pub(super) fn choice(&mut self, choice: &ExprMatch) -> WalkedExpr {
        if let Some(choice) = self.matched_choice(choice) {
            return self.choice(&choice);
        }
        let span = choice.match_token.span;
        let patterns: Vec<&Pat> = choice.arms.iter().map(|arm| &arm.pat).collect();
        let (value, using) = self.scrutinee(&choice.expr, &patterns, true);
        let (mut code, mut arms) = (TokenStream::new(), Vec::new());
        for arm in &choice.arms {
            self.names.enter();
            let pattern = self.pattern(&arm.pat, PatternUse { refutable: true, arm: true, ..using });
            let guard = arm.guard.as_ref().map(|(token, guard)| {
                if has_let(guard) {
                    let help = "put an `if let` into the arm";
                    return (
                        token,
                        self.refuse(ends(&**guard).0, format!("in a kernel, a guard has no `let`: {help}")),
                    );
                }
                (token, self.condition(guard))
            });
            let body = self.expr(&arm.body);
            self.names.leave();
            let (written, arrow, body_code) = (SyntaxWalk::unmistakable(&arm.pat), &arm.fat_arrow_token, body.code);
            let guard_code = guard.as_ref().map(|(token, guard)| {
                let guard = &guard.code;
                quote!(#token #guard)
            });
            code.extend(quote!(#written #guard_code #arrow #body_code,));
            arms.push(MatchArm { pattern, guard: guard.map(|guard| guard.1.tree), body: body.tree });
        }
        let end = choice.brace_token.span;
        let (token, test, arms_code) = (&choice.match_token, value.tight(), crate::at::braces(code, end.join()));
        let tree = node(ExprKind::Match(Box::new(value.tree), arms), span);
        WalkedExpr { code: quote!(#token #test #arms_code), tree, ty: None, loose: true, ends: (span, end.close()) }
    }

    pub(super) fn while_loop(&mut self, repeat: &ExprWhile) -> WalkedExpr {
        if has_let(&repeat.cond) {
            return self.while_with_let(repeat);
        }
        let span = repeat.while_token.span;
        // The condition may jump out of the loop too, by its label.
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        let condition = self.condition(&repeat.cond);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled(body_code);
        self.leave_label();
        let (label, token, test) = (&repeat.label, &repeat.while_token, condition.code);
        let tree = node(ExprKind::While(Box::new(condition.tree), body, number), span);
        let end = repeat.body.brace_token.span.close();
        WalkedExpr { code: quote!(#label #token #test #body_code), tree, ty: None, loose: true, ends: (span, end) }
    }

    pub(super) fn endless_loop(&mut self, repeat: &ExprLoop) -> WalkedExpr {
        let span = repeat.loop_token.span;
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled(body_code);
        self.leave_label();
        let (label, token) = (&repeat.label, &repeat.loop_token);
        let end = repeat.body.brace_token.span.close();
        WalkedExpr {
            code: quote!(#label #token #body_code),
            tree: node(ExprKind::Loop(body, number), span),
            ty: None,
            loose: true,
            ends: (span, end),
        }
    }

    pub(super) fn for_loop(&mut self, repeat: &ExprForLoop) -> WalkedExpr {
        let span = repeat.for_token.span;
        let end = repeat.body.brace_token.span.close();
        if let Some(characters) = over_characters(&repeat.expr) {
            return self.for_loop(&ExprForLoop { expr: Box::new(characters), ..repeat.clone() });
        }
        let head = if self.is_range_head(&repeat.expr) { self.head(&repeat.expr) } else { None };
        let Some(head) = head else { return self.for_elements(repeat) };
        self.names.enter();
        let local = self.loop_name(&repeat.pat, head.ty);
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled_in_a_kernel(body_code);
        self.leave_label();
        self.names.leave();
        let ty = self.slot(head.ty);
        let WalkedRange { low, high, inclusive, adapters, code, .. } = head;
        let tree_head = ForHead { local, ty, low, high, inclusive, adapters };
        let (label, for_token, pattern, in_token) = (&repeat.label, &repeat.for_token, &repeat.pat, &repeat.in_token);
        let code = quote!(#label #for_token #pattern #in_token #code #body_code);
        WalkedExpr {
            code,
            tree: node(ExprKind::For(Box::new(tree_head), body, number), span),
            ty: None,
            loose: true,
            ends: (span, end),
        }
    }

    fn loop_name(&mut self, pattern: &Pat, ty: KnownId) -> Option<LocalId> {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(self.names.bind(
                &name.ident,
                name.mutability.is_some(),
                Named { ty: Some(ty), ..Named::default() },
            )),
            Pat::Wild(_) => None,
            other => {
                self.error(pattern_span(other), "a `for` of a kernel needs a single name here, or `_`");
                None
            }
        }
    }

    /// Is it a range with nothing behind it but `rev` and `step_by`?
    fn is_range_head(&mut self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Range(range) => range.start.is_some() && range.end.is_some(),
            Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.len()) {
                ("clone", 0) => self.is_named_range(&call.receiver),
                ("rev", 0) | ("step_by", 1) => self.is_range_head(&call.receiver),
                _ => false,
            },
            name => self.is_named_range(name),
        }
    }

    /// The range of a `for`, with its adapters.
    fn head(&mut self, expr: &Expr) -> Option<WalkedRange> {
        match strip(expr) {
            Expr::Range(range) => self.range(range),
            Expr::MethodCall(call) => self.adapted(call),
            Expr::Path(path) => {
                let (low, high, ty, inclusive) = self.named_range(expr)?;
                let (code, end) = (quote!(#path), ends(path).1);
                Some(WalkedRange { ty, low, high, inclusive, adapters: Vec::new(), code, open: false, end })
            }
            _ => None,
        }
    }

    fn range(&mut self, range: &ExprRange) -> Option<WalkedRange> {
        let (low, high, ty, code) = self.ends_of(range)?;
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        Some(WalkedRange { ty, low, high, inclusive, adapters: Vec::new(), code, open: true, end: ends(range).1 })
    }

    fn adapted(&mut self, call: &ExprMethodCall) -> Option<WalkedRange> {
        let mut head = self.head(&call.receiver)?;
        let arguments = match (call.method.to_string().as_str(), call.args.len()) {
            // Of a name, as a range is moved by a loop.
            ("clone", 0) if matches!(strip(&call.receiver), Expr::Path(_)) => TokenStream::new(),
            ("rev", 0) => {
                head.adapters.push(RangeAdapter::Rev);
                TokenStream::new()
            }
            ("step_by", 1) => {
                let step = self.expr(&call.args[0]);
                head.adapters.push(RangeAdapter::StepBy(step.tree));
                step.code
            }
            _ => return None,
        };
        let (dot, method) = (&call.dot_token, &call.method);
        let range = if head.open { crate::at::parens(head.code, head.end) } else { head.code };
        let arguments = crate::at::parens(arguments, call.paren_token.span.join());
        head.code = quote!(#range #dot #method #arguments);
        head.open = false;
        Some(head)
    }

    pub(super) fn leave(&mut self, leave: &syn::ExprBreak) -> WalkedExpr {
        let span = leave.break_token.span;
        let value = leave.expr.as_ref().map(|value| self.expr(value));
        let number = self.label(leave.label.as_ref());
        let (token, label) = (&leave.break_token, &leave.label);
        let value_code = value.as_ref().map(WalkedExpr::tight);
        let end = value.as_ref().map_or(span, |value| value.ends.1);
        let tree = node(ExprKind::Break(number, value.map(|value| Box::new(value.tree))), span);
        WalkedExpr { code: quote!(#token #label #value_code), tree, ty: None, loose: true, ends: (span, end) }
    }

    pub(super) fn next(&mut self, next: &syn::ExprContinue) -> WalkedExpr {
        let span = next.continue_token.span;
        let number = self.label(next.label.as_ref());
        WalkedExpr {
            code: quote!(#next),
            tree: node(ExprKind::Continue(number), span),
            ty: None,
            loose: true,
            ends: (span, span),
        }
    }

    pub(super) fn give_back(&mut self, leave: &syn::ExprReturn) -> WalkedExpr {
        let span = leave.return_token.span;
        if self.gives_self && self.closures == 0 {
            return self.give_self_back(leave);
        }
        let value = leave.expr.as_ref().map(|value| self.expr(value));
        let (token, value_code) = (&leave.return_token, value.as_ref().map(WalkedExpr::tight));
        let end = value.as_ref().map_or(span, |value| value.ends.1);
        let tree = node(ExprKind::Return(value.map(|value| Box::new(value.tree))), span);
        WalkedExpr { code: quote!(#token #value_code), tree, ty: None, loose: true, ends: (span, end) }
    }

    /// `return self` of a method that gives the `&mut self` that it takes.
    fn give_self_back(&mut self, leave: &syn::ExprReturn) -> WalkedExpr {
        let span = leave.return_token.span;
        let value = match leave.expr.as_deref().map(strip) {
            Some(Expr::Path(path)) if path.path.is_ident("self") => self.expr_or_reference(&Expr::Path(path.clone())),
            Some(other) => return self.refuse(ends(other).0, NOT_SELF),
            None => return self.refuse(span, NOT_SELF),
        };
        let (token, code) = (&leave.return_token, value.tight());
        let tree = node(ExprKind::Return(None), span);
        WalkedExpr { code: quote!(#token #code), tree, ty: None, loose: true, ends: (span, value.ends.1) }
    }

    /// The body of a loop, each iteration of which asks whether the launch is over. A function that the host calls too
    /// asks only if there was a launch when it began: that is known before the loop.
    pub(super) fn polled(&mut self, body: TokenStream) -> TokenStream {
        self.polls = true;
        let is_function = !self.closure;
        let one = |token: TokenTree| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let (span, inside) = (own(group.span()), group.stream());
                let poll = if is_function {
                    quote_spanned!(span=> __watched.iteration();)
                } else {
                    quote_spanned!(span=> ::tilewise::macro_support::iteration();)
                };
                crate::at::braces(quote!(#poll #inside), group.span())
            }
            other => other.into(),
        };
        body.into_iter().map(one).collect()
    }

    /// The same for a loop that has an end, which is worth its cost in a kernel's own closure, that only
    /// `native` runs.
    pub(super) fn polled_in_a_kernel(&mut self, body: TokenStream) -> TokenStream {
        if self.closure { self.polled(body) } else { body }
    }

    /// Enters a loop or a labelled block and returns its number.
    pub(super) fn enter_label(&mut self, name: Option<&Lifetime>, a_loop: bool) -> u32 {
        self.next_label += 1;
        let number = self.next_label - 1;
        self.labels.push(WalkLabel { name: name.map(|name| name.ident.clone()), number, a_loop });
        number
    }

    pub(super) fn leave_label(&mut self) {
        self.labels.pop();
    }

    /// The number of the label. If there is none, rustc reports it.
    fn label(&mut self, name: Option<&Lifetime>) -> u32 {
        let Some(name) = name else {
            return self.labels.iter().rev().find(|label| label.a_loop).map_or(0, |label| label.number);
        };
        let wanted = NameKey::of(&name.ident);
        for label in self.labels.iter().rev() {
            let Some(other) = &label.name else { continue };
            let key = NameKey::of(other);
            if key == wanted {
                return label.number;
            }
            // Labels have the hygiene of variables.
            if key.is_other(&wanted) {
                self.names.doubt(&name.ident, other);
            }
        }
        0
    }
}

/// The range of a `for` after the walk.
struct WalkedRange {
    ty: KnownId,
    low: tilewise_ast::Expr,
    high: tilewise_ast::Expr,
    inclusive: bool,
    adapters: Vec<RangeAdapter>,
    code: TokenStream,
    /// Is the code a bare range?
    open: bool,
    end: Span,
}

fn starts_with_brace(code: &TokenStream) -> bool {
    let first: Option<TokenTree> = code.clone().into_iter().next();
    matches!(first, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}
