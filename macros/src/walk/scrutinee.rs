//! What a pattern is held against, and conditions with `let` in them.
//!
//! The tree has no `if let`: it is a `match` with two arms, and a `while let` is a `loop` of one. In
//! a chain `a && let P = b && c`, each condition stands inside the one before it; a label around the
//! chain leads past the `else`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, ExprIf, ExprLet, ExprTuple, ExprWhile, Pat};
use tilewise_ast::{ExprKind, MatchArm, Pattern, Statement, SyntaxBlock};

use super::call::strip;
use super::expr::ends;
use super::names::{Mutability, Named, is_capital};
use super::pattern::{PatternUse, TypeBehind, position, takes_apart};
use super::{SyntaxWalk, WalkedExpr, node, text, unit};
use crate::at::{at, braces, own, parens};

/// What is asked of the type of what patterns are held against.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeNeed {
    /// They are names.
    Nothing,
    /// They take it apart, or compare it.
    Parts,
    /// One of them names a variant, or a struct.
    Variants,
}

impl TypeNeed {
    /// For patterns that take a value apart, if they do.
    fn of(patterns: &[&Pat], apart: bool) -> TypeNeed {
        match (apart, patterns.iter().any(|pattern| names_a_variant(pattern))) {
            (false, _) => TypeNeed::Nothing,
            (true, false) => TypeNeed::Parts,
            (true, true) => TypeNeed::Variants,
        }
    }
}

/// Does a pattern name a variant, a struct or a constant?
fn names_a_variant(pattern: &Pat) -> bool {
    match pattern {
        Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Path(_) => true,
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) => names_a_variant(inner),
            None => is_capital(&text(&name.ident)),
        },
        Pat::Or(or) => or.cases.iter().any(names_a_variant),
        Pat::Paren(inner) => names_a_variant(&inner.pat),
        Pat::Reference(reference) => names_a_variant(&reference.pat),
        _ => false,
    }
}

/// The patterns that stand in patterns of a tuple for its part `at` of `count`. Does one stand for the whole instead?
fn in_column<'p>(pattern: &'p Pat, at: usize, count: usize, column: &mut Vec<&'p Pat>) -> bool {
    match pattern {
        Pat::Tuple(tuple) => {
            let of_part = |(index, _): &(usize, &Pat)| position(tuple, *index, count) == Some(at);
            column.extend(tuple.elems.iter().enumerate().filter(of_part).map(|(_, part)| part));
            false
        }
        Pat::Paren(inner) => in_column(&inner.pat, at, count, column),
        Pat::Type(typed) => in_column(&typed.pat, at, count, column),
        Pat::Or(or) => {
            let mut whole = false;
            for case in &or.cases {
                whole |= in_column(case, at, count, column);
            }
            whole
        }
        Pat::Ident(name) => {
            if let Some((_, inner)) = &name.subpat {
                in_column(inner, at, count, column);
            }
            true
        }
        _ => false,
    }
}

/// Does a pattern that may fail name a variant, or is it a tuple of patterns of which one does?
pub(super) fn compares(pattern: &Pat) -> bool {
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().any(compares),
        Pat::Paren(inner) => compares(&inner.pat),
        _ => names_a_variant(pattern),
    }
}

/// A condition of a chain after the walk.
pub(super) enum WalkedCondition {
    /// An expression.
    Bool(tilewise_ast::Expr),
    /// `let pattern = value`
    Let(Pattern, tilewise_ast::Expr),
}

impl SyntaxWalk {
    /// What patterns are held against: a value, or, if it is a reference, the place behind it; of a tuple that
    /// holds references, each part for itself. `apart`: do the patterns take it apart, or compare it?
    pub(super) fn scrutinee(&mut self, expr: &Expr, patterns: &[&Pat], apart: bool) -> (WalkedExpr, PatternUse) {
        match strip(expr) {
            Expr::Tuple(tuple) if self.holds_references(tuple) => self.tuple_of_references(tuple, patterns),
            _ => self.whole_scrutinee(expr, TypeNeed::of(patterns, apart)),
        }
    }

    /// Is there a reference among the parts of a tuple, as far as that can be seen?
    fn holds_references(&self, tuple: &ExprTuple) -> bool {
        tuple.elems.iter().any(|part| match strip(part) {
            Expr::Tuple(tuple) => self.holds_references(tuple),
            part => self.refers(part),
        })
    }

    /// Is it `&x`, or a name of a reference, or of what may be one or hold some, or a part of such a one?
    fn refers(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Reference(_) => true,
            Expr::Field(field) => self.refers_by_type(&field.base),
            expr => {
                let named = self.named_by(expr);
                named.is_some_and(|named| named.reference.is_some()) || self.refers_by_type(expr)
            }
        }
    }

    /// Is it a name of what may be a reference or hold some, or a part of such a one?
    fn refers_by_type(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Field(field) => self.refers_by_type(&field.base),
            expr => self.named_by(expr).is_some_and(|named| named.perhaps_reference),
        }
    }

    fn named_by(&self, expr: &Expr) -> Option<Named> {
        let Expr::Path(path) = expr else { return None };
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        self.names.bound(name).map(|local| self.names.named(local))
    }

    /// What is known of a name of a tuple that holds references, and of a part of such a one.
    fn part_of_named(&self, tree: &tilewise_ast::Expr) -> Option<PatternUse> {
        match &tree.kind {
            ExprKind::Local(local) => {
                let tuple @ Some(_) = self.names.named(*local).tuple else { return None };
                Some(PatternUse { tuple, ..PatternUse::default() })
            }
            ExprKind::Field(base, name) => {
                let row = self.tuples.get(self.part_of_named(base)?.tuple?)?;
                row.get(name.parse::<usize>().ok()?).copied()
            }
            _ => None,
        }
    }

    /// A tuple that holds references: patterns take its parts apart as if each stood alone.
    fn tuple_of_references(&mut self, tuple: &ExprTuple, patterns: &[&Pat]) -> (WalkedExpr, PatternUse) {
        let (mut codes, mut trees, mut uses) = (Vec::new(), Vec::new(), Vec::new());
        for (index, part) in tuple.elems.iter().enumerate() {
            let mut column = Vec::new();
            let whole = patterns.iter().any(|pattern| in_column(pattern, index, tuple.elems.len(), &mut column));
            let apart = column.iter().any(|pattern| takes_apart(pattern) || compares(pattern));
            // A name of the whole may be taken apart later.
            let need = if whole { TypeNeed::Parts } else { TypeNeed::of(&column, apart) };
            let (walked, using) = match strip(part) {
                Expr::Tuple(tuple) if self.holds_references(tuple) => self.tuple_of_references(tuple, &column),
                part if self.refers(part) => self.whole_scrutinee(part, need),
                part => {
                    let walked = self.expr(part);
                    let span = walked.ends.0;
                    let walked = if need == TypeNeed::Nothing { walked } else { self.typed(walked, span).0 };
                    // A method may give one of its references: `x.max(y)`.
                    let item = matches!(part, Expr::MethodCall(_));
                    let using = PatternUse { ty: walked.ty, item, ..PatternUse::default() };
                    (walked, using)
                }
            };
            codes.push(walked.code);
            trees.push(walked.tree);
            uses.push(using);
        }
        self.tuples.push(uses);
        let using = PatternUse { tuple: Some(self.tuples.len() - 1), ..PatternUse::default() };
        let (open, close) = (tuple.paren_token.span.open(), tuple.paren_token.span.close());
        let code = parens(quote!(#(#codes,)*), tuple.paren_token.span.join());
        let tree = node(ExprKind::Tuple(trees), open);
        (WalkedExpr { code, tree, ty: None, loose: false, ends: (open, close) }, using)
    }

    fn whole_scrutinee(&mut self, expr: &Expr, need: TypeNeed) -> (WalkedExpr, PatternUse) {
        let typed = need != TypeNeed::Nothing;
        let span = ends(expr).0;
        if matches!(strip(expr), Expr::Reference(_)) || self.is_behind_iterator(expr) {
            self.note_loans(expr);
        }
        if let Expr::Reference(reference) = strip(expr) {
            let is_constant = reference.mutability.is_none() && self.is_promoted(&reference.expr);
            if is_constant || self.is_place(&reference.expr).is_err() {
                return match reference.mutability {
                    None => self.copy_behind_reference(reference, typed),
                    Some(_) => {
                        let walked = self.lend_local_element(reference);
                        self.by_reference(walked, true, None, typed)
                    }
                };
            }
            let walked = self.lend(reference);
            return match walked.tree.kind {
                // Part of a `#[tile_static]` variable: the closure refers to a copy.
                ExprKind::Ref(false, inner) if !matches!(inner.kind, ExprKind::Local(_)) && self.is_copied(&inner) => {
                    let walked = WalkedExpr { tree: *inner, ..walked };
                    self.by_reference(walked, false, None, typed)
                }
                ExprKind::Ref(mutable, _) => self.by_reference(walked, mutable, None, typed),
                // It was refused.
                _ => (walked, PatternUse::default()),
            };
        }
        let walked = self.expr_or_reference(expr);
        if let ExprKind::Local(local) = walked.tree.kind
            && let named = self.names.named(local)
            && let Some(reference) = named.reference
        {
            let mutable = reference == Mutability::Exclusive;
            let tree = node(ExprKind::Ref(mutable, Box::new(walked.tree)), span);
            return self.by_reference(WalkedExpr { tree, ..walked }, mutable, named.target, typed);
        }
        if let Some(using) = self.part_of_named(&walked.tree) {
            return (walked, using);
        }
        let root = self.perhaps_referring(&walked.tree).unwrap_or_default();
        let mut behind = TypeBehind::Nothing;
        let walked = match need {
            TypeNeed::Nothing => walked,
            // The type behind the references, of which the pattern names a variant.
            TypeNeed::Variants if root.item => {
                behind = TypeBehind::AllReferences;
                let ((witness, ty), code) = (self.witness(span), &walked.code);
                let end = own(walked.ends.1);
                let code = braces(quote_spanned!(end=> (#code).behind_references(#witness); #code), walked.ends.1);
                WalkedExpr { code, ty: Some(ty), loose: true, ..walked }
            }
            TypeNeed::Parts | TypeNeed::Variants => self.typed(walked, span).0,
        };
        // Only rustc knows whether a method gives a reference; kernels have none that does, which is its error then.
        let of_a_call = matches!(strip(expr), Expr::MethodCall(_));
        let using = PatternUse {
            ty: walked.ty,
            behind,
            item: of_a_call || root.item,
            untyped_parameter: root.perhaps_reference && !root.item,
            ..PatternUse::default()
        };
        (walked, using)
    }

    /// `&view[i]`, `&f(x)`: nothing changes the value while the reference lives, so that its names
    /// stand for copies.
    fn copy_behind_reference(&mut self, reference: &syn::ExprReference, typed: bool) -> (WalkedExpr, PatternUse) {
        let span = reference.and_token.span;
        if self.is_part_of_an_element(&reference.expr) {
            let walked = self.lend_shared_element(reference);
            let tree = match walked.tree.kind {
                ExprKind::Ref(_, element) => *element,
                _ => walked.tree,
            };
            return self.by_reference(WalkedExpr { tree, ..walked }, false, None, typed);
        }
        let value = self.expr(&reference.expr);
        let value = if typed { self.typed(value, span).0 } else { value };
        let (code, using) = (self.reference_to(reference, &value, true), value.ty);
        let using = PatternUse { ty: using, reference: Some(Mutability::Shared), ..PatternUse::default() };
        let ends = (span, value.ends.1);
        (WalkedExpr { code, tree: value.tree, ty: None, loose: true, ends }, using)
    }

    /// A reference whose target has this type, if it is known.
    fn by_reference(
        &mut self,
        walked: WalkedExpr,
        mutable: bool,
        target: Option<super::KnownId>,
        typed: bool,
    ) -> (WalkedExpr, PatternUse) {
        let reference = Some(if mutable { Mutability::Exclusive } else { Mutability::Shared });
        if target.is_some() || !typed {
            return (walked, PatternUse { ty: target, reference, ..PatternUse::default() });
        }
        let (witness, ty) = self.witness(walked.ends.0);
        let code = parens(walked.code.clone(), walked.ends.1);
        let code = if mutable {
            quote_spanned!(own(walked.ends.1)=> #witness.exclusive #code)
        } else {
            quote_spanned!(own(walked.ends.1)=> #witness.shared #code)
        };
        let walked = WalkedExpr { code, loose: false, ..walked };
        (walked, PatternUse { ty: Some(ty), reference, ..PatternUse::default() })
    }

    /// The condition of an `if`, a `while` or a guard: its code, and the conditions of its chain. The
    /// names that it binds are in the innermost scope.
    pub(super) fn chain(&mut self, condition: &Expr) -> (TokenStream, Vec<WalkedCondition>) {
        if !has_let(condition) {
            let walked = self.condition(condition);
            return (walked.code, vec![WalkedCondition::Bool(walked.tree)]);
        }
        match condition {
            Expr::Let(test) => self.test(test),
            Expr::Binary(binary) => {
                let (left, mut all) = self.chain(&binary.left);
                let (right, others) = self.chain(&binary.right);
                all.extend(others);
                let and = &binary.op;
                (quote!(#left #and #right), all)
            }
            other => {
                // `(let a = b)` is an error of rustc's, which sees the closure.
                let span = ends(other).0;
                let walked = self.refuse(span, "`let` stands at the front of a condition, or behind `&&`");
                (walked.code, Vec::new())
            }
        }
    }

    fn test(&mut self, test: &ExprLet) -> (TokenStream, Vec<WalkedCondition>) {
        let choice = self.choice_behind_pattern(&test.pat, &test.expr);
        let (test_pattern, tested) =
            choice.as_ref().map_or((&*test.pat, &*test.expr), |(pattern, value)| (pattern, value));
        let (value, using) = self.scrutinee(tested, &[test_pattern], true);
        let pattern = self.pattern(test_pattern, PatternUse { refutable: true, arm: true, ..using });
        let (written, code) = (SyntaxWalk::unmistakable(test_pattern), value.tight());
        let (token, equals) = (&test.let_token, &test.eq_token);
        (quote!(#token #written #equals #code), vec![WalkedCondition::Let(pattern, value.tree)])
    }

    /// An `if` whose condition has a `let`.
    pub(super) fn branch_with_let(&mut self, branch: &ExprIf) -> WalkedExpr {
        let span = branch.if_token.span;
        self.names.enter();
        let label = self.enter_label(None, false);
        let (test, conditions) = self.chain(&branch.cond);
        let (then_code, then) = self.block(&branch.then_branch);
        self.leave_label();
        self.names.leave();
        let (else_code, otherwise, end) = self.else_part(branch);
        let then = node(ExprKind::Block(then, None), span);
        let kind = match (<[WalkedCondition; 1]>::try_from(conditions), otherwise) {
            (Ok([WalkedCondition::Let(pattern, value)]), otherwise) => {
                let otherwise = otherwise.map_or_else(|| unit(at(span)), |block| block_of(block, span));
                two_arms(pattern, value, then, otherwise)
            }
            (Ok([WalkedCondition::Bool(_)]), _) => ExprKind::Tuple(Vec::new()),
            (Err(conditions), None) => inside(conditions, then, span).kind,
            (Err(conditions), Some(otherwise)) => {
                let out = node(ExprKind::Break(label, Some(Box::new(then))), span);
                let tested = Statement::Expr(inside(conditions, out, span));
                let otherwise = Some(Box::new(block_of(otherwise, span)));
                ExprKind::Block(SyntaxBlock { statements: vec![tested], value: otherwise }, Some(label))
            }
        };
        let if_token = &branch.if_token;
        WalkedExpr {
            code: quote!(#if_token #test #then_code #else_code),
            tree: node(kind, span),
            ty: None,
            loose: true,
            ends: (span, end),
        }
    }

    /// A `while` whose condition has a `let`.
    pub(super) fn while_with_let(&mut self, repeat: &ExprWhile) -> WalkedExpr {
        let span = repeat.while_token.span;
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        self.names.enter();
        let (test, conditions) = self.chain(&repeat.cond);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled(body_code);
        self.names.leave();
        self.leave_label();
        let leave = node(ExprKind::Break(number, None), span);
        let whole = match <[WalkedCondition; 1]>::try_from(conditions) {
            Ok([WalkedCondition::Let(pattern, value)]) => {
                let body = block_of(body, span);
                SyntaxBlock {
                    statements: vec![Statement::Expr(node(two_arms(pattern, value, body, leave), span))],
                    value: None,
                }
            }
            Ok([WalkedCondition::Bool(_)]) => SyntaxBlock { statements: Vec::new(), value: None },
            Err(conditions) => {
                let next = Statement::Expr(node(ExprKind::Continue(number), span));
                let body = Statement::Expr(block_of(body, span));
                let body = block_of(SyntaxBlock { statements: vec![body, next], value: None }, span);
                let tested = Statement::Expr(inside(conditions, body, span));
                SyntaxBlock { statements: vec![tested, Statement::Expr(leave)], value: None }
            }
        };
        let (label, token) = (&repeat.label, &repeat.while_token);
        let end = repeat.body.brace_token.span.close();
        WalkedExpr {
            code: quote!(#label #token #test #body_code),
            tree: node(ExprKind::Loop(whole, number), span),
            ty: None,
            loose: true,
            ends: (span, end),
        }
    }
}

/// Each condition inside the one before it, and `then` inside the last.
fn inside(conditions: Vec<WalkedCondition>, then: tilewise_ast::Expr, span: proc_macro2::Span) -> tilewise_ast::Expr {
    conditions.into_iter().rev().fold(then, |then, condition| {
        let kind = match condition {
            WalkedCondition::Bool(test) => {
                let then = SyntaxBlock { statements: vec![Statement::Expr(then)], value: None };
                ExprKind::If(Box::new(test), then, None)
            }
            WalkedCondition::Let(pattern, value) => two_arms(pattern, value, then, unit(at(span))),
        };
        node(kind, span)
    })
}

/// `match value { pattern => then, _ => otherwise }`
fn two_arms(
    pattern: Pattern,
    value: tilewise_ast::Expr,
    then: tilewise_ast::Expr,
    otherwise: tilewise_ast::Expr,
) -> ExprKind {
    let arm = |pattern, body| MatchArm { pattern, guard: None, body };
    ExprKind::Match(Box::new(value), vec![arm(pattern, then), arm(Pattern::Wild, otherwise)])
}

fn block_of(block: SyntaxBlock, span: proc_macro2::Span) -> tilewise_ast::Expr {
    node(ExprKind::Block(block, None), span)
}

/// Is there a `let` in a condition?
pub(super) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        Expr::Group(group) => has_let(&group.expr),
        _ => false,
    }
}
