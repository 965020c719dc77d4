//! `for` over the elements of arrays and over iterators, and ranges that are kept in a `let`.
//!
//! In the tree, a loop over an array is one over numbers: the name of an element is bound to `array[i]`, or to
//! the place if the loop goes over references; a range is the pair of its ends. What other expressions go over, their
//! types tell (`ForEach`).

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprForLoop, ExprMethodCall, ExprRange, GenericArgument, Local, Pat, PathArguments, RangeLimits, Token, Type,
};
use tilewise_ast::{Binary, ExprKind, ForHead, LocalId, Pattern, RangeAdapter, Statement, SyntaxBlock, SyntaxLiteral};

use super::array_part::{head_over_part, iterator_of_element};
use super::block::pattern_span;
use super::call::strip;
use super::expr::{bytes_array, ends};
use super::known::KnownId;
use super::names::{Mutability, Named};
use super::pattern::PatternUse;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{at, own, parens};

/// What a loop over elements goes over.
struct ArrayElements<'e> {
    /// The array, or a reference to it.
    array: &'e Expr,
    /// By reference, if the loop says so: `&array`, `array.iter()`.
    by: Option<Mutability>,
    /// `.iter()` and its like, and `.rev()`.
    calls: Vec<&'e ExprMethodCall>,
    backwards: bool,
    enumerated: bool,
}

/// A value, which is an array if the loop is right.
fn of_value(array: &Expr) -> ArrayElements<'_> {
    ArrayElements { array, by: None, calls: Vec::new(), backwards: false, enumerated: false }
}

/// A loop over an array with `iter` or its like, then `enumerate`, then `rev` behind it; `None` for other methods.
fn elements_of(expr: &Expr) -> Option<ArrayElements<'_>> {
    let Expr::MethodCall(call) = strip(expr) else {
        return match strip(expr) {
            Expr::Range(_) => None,
            Expr::Reference(reference) if reference.mutability.is_some() => {
                Some(ArrayElements { by: Some(Mutability::Exclusive), ..of_value(&reference.expr) })
            }
            Expr::Reference(reference) => {
                Some(ArrayElements { by: Some(Mutability::Shared), ..of_value(&reference.expr) })
            }
            other => Some(of_value(other)),
        };
    };
    if !call.args.is_empty() {
        return None;
    }
    let by = match text(&call.method).as_str() {
        "iter" => Some(Mutability::Shared),
        "iter_mut" => Some(Mutability::Exclusive),
        "into_iter" => None,
        adapter @ ("rev" | "enumerate") => {
            let mut inner = elements_of(&call.receiver).filter(|inner| !inner.calls.is_empty() && !inner.backwards)?;
            match adapter {
                "rev" => inner.backwards = true,
                _ if !inner.enumerated => inner.enumerated = true,
                _ => return None,
            }
            inner.calls.push(call);
            return Some(inner);
        }
        _ => return None,
    };
    let is_made = matches!(strip(&call.receiver), Expr::MethodCall(_) | Expr::Range(_));
    (!is_made).then(|| ArrayElements { by, calls: vec![call], ..of_value(&call.receiver) })
}

impl SyntaxWalk {
    /// A `for` that does not go over a range.
    pub(super) fn for_elements(&mut self, repeat: &ExprForLoop) -> WalkedExpr {
        self.note_loans(&repeat.expr);
        if let Some(head) = head_over_part(&repeat.expr) {
            return self.for_elements(&ExprForLoop { expr: Box::new(head), ..repeat.clone() });
        }
        if let Some(bytes) = bytes_array(&repeat.expr) {
            let head: Expr = syn::parse_quote!((#bytes).iter());
            return self.for_items(&ExprForLoop { expr: Box::new(head), ..repeat.clone() });
        }
        if let Expr::Reference(reference) = strip(&repeat.expr)
            && reference.mutability.is_none()
            && self.is_promoted(&reference.expr)
        {
            // An array without a name.
            let (array, at) = (strip(&reference.expr), own(reference.and_token.span));
            let head: Expr = syn::parse_quote_spanned!(at=> (#array).iter());
            return self.for_items(&ExprForLoop { expr: Box::new(head), ..repeat.clone() });
        }
        if let Some(head) = self.head_over_element(&repeat.expr) {
            return self.for_items(&ExprForLoop { expr: Box::new(head), ..repeat.clone() });
        }
        let span = repeat.for_token.span;
        let at_head = ends(&*repeat.expr).0;
        let is_pair = matches!(&*repeat.pat, Pat::Tuple(pair) if pair.elems.len() == 2);
        let Some(elements) = elements_of(&repeat.expr)
            .filter(|elements| !self.is_told_by_type(elements, &repeat.expr) && (is_pair || !elements.enumerated))
        else {
            return self.for_items(repeat);
        };
        let mistakes = self.errors.len();
        let (array, witness, known, by) = self.array_of(&elements);
        if self.errors.len() > mistakes {
            return array;
        }
        let array_end = array.ends.1;
        let mut code = array.code.clone();
        for call in &elements.calls {
            let (dot, method) = (&call.dot_token, &call.method);
            let arguments = parens(TokenStream::new(), call.paren_token.span.join());
            code = quote!(#code #dot #method #arguments);
        }
        self.names.enter();
        let counter = self.names.hidden("at", span);
        let (mut before, element) = match by {
            // A copy, as the loop has one.
            None => {
                let copy = self.names.hidden("elements", span);
                let bound = Statement::Let(Pattern::Bind(copy), None, Some(array.tree), at(at_head));
                (vec![bound], node(ExprKind::Local(copy), at_head))
            }
            Some(_) => (Vec::new(), array.tree),
        };
        let index = |place| {
            node(ExprKind::Index(Box::new(place), Box::new(node(ExprKind::Local(counter), at_head)), None), at_head)
        };
        let element = match by {
            None => index(element),
            Some(by) => node(ExprKind::Ref(by == Mutability::Exclusive, Box::new(index(element))), at_head),
        };
        let mut inside = Vec::new();
        let pattern = match (&*repeat.pat, elements.enumerated) {
            (Pat::Tuple(pair), true) if pair.elems.len() == 2 => {
                let ty = self.plain("usize", span);
                let using = PatternUse { ty: Some(ty), ..PatternUse::default() };
                let number = self.pattern(&pair.elems[0], using);
                let value = node(ExprKind::Local(counter), span);
                inside.push(Statement::Let(number, None, Some(value), at(pattern_span(&pair.elems[0]))));
                &pair.elems[1]
            }
            (pattern, _) => pattern,
        };
        let ty = self.element(known, pattern_span(pattern));
        // What is no array may give references: rustc says that it is none.
        let using = PatternUse { ty: Some(ty), reference: by, item: by.is_none(), ..PatternUse::default() };
        let bound = self.pattern(pattern, using);
        inside.push(Statement::Let(bound, None, Some(element), at(pattern_span(pattern))));
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled_in_a_kernel(body_code);
        self.leave_label();
        self.names.leave();
        inside.push(Statement::Expr(node(ExprKind::Block(body, None), span)));
        let usize_ty = self.plain("usize", span);
        let slot = self.slot(usize_ty);
        // Where the array is: of equal errors at one place, rustc reports one.
        let at_array = own(array_end);
        let witness = Ident::new(&witness.to_string(), at_array);
        let length = Ident::new(if elements.calls.is_empty() { "array_length" } else { "iterated_length" }, at_array);
        let length = self.link(quote_spanned!(at_array=> ::tilewise::macro_support::#length(#witness)));
        let head = ForHead {
            local: Some(counter),
            ty: slot,
            low: node(ExprKind::Literal(SyntaxLiteral::Int(0), slot), span),
            high: node(ExprKind::Call(length, Vec::new()), span),
            inclusive: false,
            adapters: if elements.backwards { vec![RangeAdapter::Rev] } else { Vec::new() },
        };
        let whole = node(ExprKind::For(Box::new(head), SyntaxBlock { statements: inside, value: None }, number), span);
        before.push(Statement::Expr(whole));
        let (label, for_token, pattern, in_token) = (&repeat.label, &repeat.for_token, &repeat.pat, &repeat.in_token);
        WalkedExpr {
            code: quote!(#label #for_token #pattern #in_token #code #body_code),
            tree: node(ExprKind::Block(SyntaxBlock { statements: before, value: None }, None), span),
            ty: None,
            loose: true,
            ends: (span, repeat.body.brace_token.span.close()),
        }
    }

    /// A loop over references into an element, `&m[k]`, `m[k].iter_mut().rev()`, as one over an iterator.
    fn head_over_element(&mut self, expr: &Expr) -> Option<Expr> {
        match strip(expr) {
            Expr::Reference(reference) => {
                self.element_root(&reference.expr)?;
                Some(iterator_of_element(reference))
            }
            Expr::MethodCall(call) if call.args.is_empty() && (call.method == "iter" || call.method == "iter_mut") => {
                self.element_root(&call.receiver).map(|_| expr.clone())
            }
            Expr::MethodCall(call) => self.head_over_element(&call.receiver).map(|_| expr.clone()),
            _ => None,
        }
    }

    /// The local name of which an expression is an element, or a part of one: `m` of `m[k].cells`.
    pub(super) fn element_root(&mut self, expr: &Expr) -> Option<LocalId> {
        let (mut at, mut indexed) = (strip(expr), false);
        loop {
            at = match at {
                Expr::Index(index) if matches!(strip(&index.index), Expr::Range(_)) => return None,
                Expr::Index(index) => {
                    indexed = true;
                    strip(&index.expr)
                }
                Expr::Field(field) => strip(&field.base),
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => strip(&unary.expr),
                Expr::Path(path) => {
                    let local = self.names.find(path.path.get_ident().filter(|_| indexed)?)?;
                    return (!self.names.named(local).tile_static).then_some(local);
                }
                _ => return None,
            };
        }
    }

    /// Does only the type tell what a loop goes over: is it the name of an iterator, or of an item of one or a parameter of
    /// a closure, which may be a reference?
    fn is_told_by_type(&mut self, elements: &ArrayElements<'_>, expr: &Expr) -> bool {
        let Expr::Path(path) = strip(elements.array) else { return false };
        if matches!(strip(expr), Expr::Reference(_)) {
            return false;
        }
        let local = path.path.get_ident().and_then(|name| self.names.find(name));
        local.map(|local| self.names.named(local)).is_some_and(|named| named.iterator || named.perhaps_reference)
    }

    /// A `for` over what an expression is by its type: an iterator, an array that a method gives, `low..`.
    fn for_items(&mut self, repeat: &ExprForLoop) -> WalkedExpr {
        let span = repeat.for_token.span;
        let items = match self.range_argument(&repeat.expr) {
            Some(range) => range,
            None => self.expr_or_reference(&repeat.expr),
        };
        let end = own(items.ends.1);
        let (link, slot) = self.linked(items.ends.0);
        let link = Ident::new(&link.to_string(), end);
        let argument = parens(items.code.clone(), items.ends.1);
        let items_code = quote_spanned!(end=> #link.items #argument);
        self.names.enter();
        let bound = self.pattern(&repeat.pat, PatternUse { item: true, ..PatternUse::default() });
        let number = self.enter_label(repeat.label.as_ref().map(|label| &label.name), true);
        let (body_code, body) = self.block(&repeat.body);
        let body_code = self.polled_in_a_kernel(body_code);
        self.leave_label();
        self.names.leave();
        let tree = node(ExprKind::ForEach(Box::new(items.tree), slot, bound, body, number), span);
        let (label, for_token, pattern, in_token) = (&repeat.label, &repeat.for_token, &repeat.pat, &repeat.in_token);
        WalkedExpr {
            code: quote!(#label #for_token #pattern #in_token #items_code #body_code),
            tree,
            ty: None,
            loose: true,
            ends: (span, repeat.body.brace_token.span.close()),
        }
    }

    /// The array of a loop, whose type is that of a witness which proves that it is one, and the kind
    /// of reference to its elements.
    fn array_of(&mut self, elements: &ArrayElements<'_>) -> (WalkedExpr, Ident, KnownId, Option<Mutability>) {
        let span = ends(elements.array).0;
        let (witness, known) = self.witness(span);
        if let Expr::Index(part) = strip(elements.array)
            && let Expr::Range(range) = strip(&part.index)
        {
            let message = "in a kernel, a loop goes over a whole array: of a part, loop over the numbers of the elements, `for i in 1..3 { a[i] }`";
            return (self.refuse(ends(&range.limits).0, message), witness, known, elements.by);
        }
        let walked = self.handle(elements.array);
        let reference = match walked.tree.kind {
            ExprKind::Local(local) => self.names.named(local).reference,
            _ => None,
        };
        let code = walked.code.clone();
        // `for x in array` of a reference goes over references too.
        let by = elements.by.or(reference);
        let form = if elements.calls.is_empty() { "array" } else { "iterated" };
        let wrapped = |end: &str, argument: TokenStream| {
            let name = Ident::new(&format!("{form}{end}"), own(walked.ends.1));
            let argument = parens(argument, walked.ends.1);
            quote_spanned!(own(walked.ends.1)=> #witness.#name #argument)
        };
        let code = match (by, reference) {
            (None, _) => wrapped("", code),
            (Some(Mutability::Shared), None) => wrapped("_ref", quote!(&#code)),
            (Some(Mutability::Shared), Some(_)) => wrapped("_ref", quote!(&*#code)),
            (Some(Mutability::Exclusive), None) => wrapped("_mut", quote!(&mut #code)),
            (Some(Mutability::Exclusive), Some(_)) => wrapped("_mut", quote!(&mut *#code)),
        };
        let is_place = self.is_place(elements.array);
        if by.is_some() && self.is_shared(&walked.tree) {
            let help =
                "loop over the numbers of its elements, `for i in 0..a.len() { a[i] }`, or over a copy, `for x in a`";
            self.error(span, format!("a `#[tile_static]` variable has no references to its elements: {help}"));
        } else if by.is_some() && (is_place.is_err() || self.is_copied(&walked.tree)) {
            let at = is_place.err().unwrap_or(span);
            self.error(
                at,
                "in a kernel, a loop over references goes over a local array: put this into a variable first",
            );
        }
        (WalkedExpr { code, loose: false, ..walked }, witness, known, by)
    }

    /// Is it a `#[tile_static]` variable?
    fn is_shared(&self, tree: &tilewise_ast::Expr) -> bool {
        matches!(tree.kind, ExprKind::Local(local) if self.names.named(local).tile_static)
    }

    /// `let name = low..high;`
    pub(super) fn range_of_let(&mut self, local: &Local) -> Option<(TokenStream, Statement)> {
        let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return None };
        if init.diverge.is_some() || name.subpat.is_some() || name.by_ref.is_some() {
            return None;
        }
        let span = name.ident.span();
        if name.mutability.is_some() {
            // A `mut` range is an iterator, which is asked for one number after the other.
            let range = strip(&init.expr);
            let mut value: Expr = syn::parse_quote_spanned!(own(span)=> (#range).into_iter());
            let is_range = matches!(range, Expr::Range(_)) || self.is_named_range(of_a_copy(range));
            if let (Expr::MethodCall(call), true) = (&mut value, is_range) {
                call.dot_token.span = own(ends(range).1);
                let init = syn::LocalInit { expr: Box::new(value), ..init.clone() };
                let (mut code, mut statements) = (TokenStream::new(), Vec::new());
                self.local(&Local { init: Some(init), ..local.clone() }, &mut code, &mut statements);
                return statements.pop().map(|statement| (code, statement));
            }
        }
        let (tree, ty, inclusive, code) = match strip(&init.expr) {
            Expr::Range(range) => {
                let (low, high, ty, code) = self.ends_of(range)?;
                let inclusive = matches!(range.limits, RangeLimits::Closed(_));
                (node(ExprKind::Tuple(vec![low, high]), span), ty, inclusive, code)
            }
            other => {
                let (_, _, ty, inclusive) = self.named_range(of_a_copy(other))?;
                let range = self.range_argument(other)?;
                (range.tree, ty, inclusive, range.code)
            }
        };
        let named = Named { range: Some(inclusive), ty: Some(ty), ..Named::default() };
        let id = self.names.bind(&name.ident, false, named);
        let (attributes, token, equals, semicolon) =
            (&local.attrs, &local.let_token, &init.eq_token, &local.semi_token);
        let code = quote!(#(#attributes)* #token #name #equals #code #semicolon);
        Some((code, Statement::Let(Pattern::Bind(id), None, Some(tree), at(span))))
    }

    /// Of a parameter `std::ops::Range<T>` or `RangeInclusive<T>`: is it inclusive, and the type of its numbers. A type
    /// that is named by `Range` alone may be another one.
    pub(crate) fn range_parameter(&mut self, ty: &Type) -> Option<(bool, Option<KnownId>)> {
        let Type::Path(path) = ty else { return None };
        let segments = &path.path.segments;
        let last = segments.last().filter(|_| path.qself.is_none())?;
        segments.iter().rev().nth(1).filter(|module| module.ident == "ops")?;
        let inclusive = match text(&last.ident).as_str() {
            "Range" => false,
            "RangeInclusive" => true,
            _ => return None,
        };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        let Some(GenericArgument::Type(number)) = arguments.args.first().filter(|_| arguments.args.len() == 1) else {
            return None;
        };
        let span = own(last.ident.span());
        self.proofs.push(quote_spanned!(span=> ::tilewise::macro_support::is_range::<#ty>();));
        Some((inclusive, self.written(number, last.ident.span())))
    }

    /// A range as an argument: with its ends, or a name of one.
    pub(super) fn range_argument(&mut self, argument: &Expr) -> Option<WalkedExpr> {
        let argument = strip(argument);
        if let Expr::Range(range) = argument {
            let ends = ends(range);
            if let (Some(start), None) = (&range.start, &range.end) {
                let low = self.expr(start);
                let (low, _) = self.typed(low, ends.0);
                let (code, limits) = (low.tight(), &range.limits);
                let range = parens(quote!(#code #limits), ends.1);
                let code = quote_spanned!(own(ends.1)=> ::tilewise::macro_support::endless #range);
                return Some(WalkedExpr { code, tree: low.tree, ty: None, loose: false, ends });
            }
            let (low, high, _, code) = self.ends_of(range)?;
            let inclusive = matches!(range.limits, RangeLimits::Closed(_));
            let tree = node(ExprKind::Range(Box::new(low), Box::new(high), inclusive), range.limits.span());
            return Some(WalkedExpr { code, tree, ty: None, loose: true, ends });
        }
        let Expr::Path(path) = of_a_copy(argument) else { return None };
        let local = self.names.find(path.path.get_ident()?)?;
        self.names.named(local).range?;
        let ends = ends(argument);
        let tree = node(ExprKind::Local(local), ends.0);
        Some(WalkedExpr { code: quote!(#argument), tree, ty: None, loose: false, ends })
    }

    /// The ends of a range, the type of its numbers, its code.
    pub(super) fn ends_of(
        &mut self,
        range: &ExprRange,
    ) -> Option<(tilewise_ast::Expr, tilewise_ast::Expr, KnownId, TokenStream)> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else { return None };
        let low = self.expr(start);
        let (low, ty) = self.typed(low, ends(&**start).0);
        let high = self.expr(end);
        let (low_code, limits, high_code) = (low.tight(), &range.limits, high.tight());
        Some((low.tree, high.tree, ty, quote!(#low_code #limits #high_code)))
    }

    /// The ends of a range that a name stands for, the type of its numbers, whether it is inclusive.
    pub(super) fn named_range(
        &mut self,
        expr: &Expr,
    ) -> Option<(tilewise_ast::Expr, tilewise_ast::Expr, KnownId, bool)> {
        let Expr::Path(path) = strip(expr) else { return None };
        let local = self.names.find(path.path.get_ident()?)?;
        let named = self.names.named(local);
        let (inclusive, ty, span) = (named.range?, named.ty?, ends(expr).0);
        let end = |name: &str| {
            let pair = Box::new(node(ExprKind::Local(local), span));
            node(ExprKind::Field(pair, name.to_owned()), span)
        };
        Some((end("0"), end("1"), ty, inclusive))
    }

    /// A range that is asked something: `(low..high)`, `(low..)`, `(..high)`, or the name of one.
    fn asked_range(&mut self, receiver: &Expr) -> Option<AskedRange> {
        if let Some((low, high, ty, inclusive)) = self.named_range(of_a_copy(receiver)) {
            return Some(AskedRange { low: Some(low), high: Some(high), ty, code: quote!(#receiver), inclusive });
        }
        let Expr::Range(range) = strip(receiver) else { return None };
        let (low, high, ty, code) = match (&range.start, &range.end) {
            (None, None) => return None,
            (Some(_), Some(_)) => {
                let (low, high, ty, code) = self.ends_of(range)?;
                (Some(low), Some(high), ty, code)
            }
            (Some(end), None) | (None, Some(end)) => {
                let walked = self.expr(end);
                let (walked, ty) = self.typed(walked, ends(&**end).0);
                let (limits, code) = (&range.limits, walked.tight());
                match range.start {
                    Some(_) => (Some(walked.tree), None, ty, quote!(#code #limits)),
                    None => (None, Some(walked.tree), ty, quote!(#limits #code)),
                }
            }
        };
        let code = parens(code, ends(receiver).1);
        Some(AskedRange { low, high, ty, code, inclusive: matches!(range.limits, RangeLimits::Closed(_)) })
    }

    /// `(low..high).is_empty()`
    pub(super) fn is_empty_range(&mut self, call: &ExprMethodCall) -> Option<WalkedExpr> {
        let has_ends = |range: &ExprRange| range.start.is_some() && range.end.is_some();
        let is_range = match of_a_copy(&call.receiver) {
            Expr::Range(range) => has_ends(range),
            name => self.is_named_range(name),
        };
        if call.method != "is_empty" || !call.args.is_empty() || !is_range {
            return None;
        }
        let AskedRange { low: Some(low), high: Some(high), ty, code: range, inclusive } =
            self.asked_range(&call.receiver)?
        else {
            return None;
        };
        let span = call.method.span();
        let (dot, method) = (&call.dot_token, &call.method);
        let arguments = parens(TokenStream::new(), call.paren_token.span.join());
        let code = quote!(#range #dot #method #arguments);
        let order = self.order_link(ty, ty, span);
        let less = if inclusive { Binary::Le } else { Binary::Lt };
        let has_some = node(ExprKind::Binary(less, Box::new(low), Box::new(high), order), span);
        let known = self.plain("bool", span);
        let slot = self.slot(known);
        let truth = |truth| SyntaxBlock {
            statements: Vec::new(),
            value: Some(Box::new(node(ExprKind::Literal(SyntaxLiteral::Bool(truth), slot), span))),
        };
        let tree = node(ExprKind::If(Box::new(has_some), truth(false), Some(truth(true))), span);
        let ends = (ends(&*call.receiver).0, call.paren_token.span.close());
        Some(WalkedExpr { code, tree, ty: Some(known), loose: false, ends })
    }

    /// The link to the order of two types.
    fn order_link(&mut self, left: KnownId, right: KnownId, span: proc_macro2::Span) -> tilewise_ast::LinkSlot {
        let [right, left] = [right, left].map(|ty| self.witness_code(ty));
        self.link(quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Compares<::tilewise::macro_support::op::Order, _>>::link(#right, #left)))
    }

    /// `(low..high).contains(&x)`, also with one end.
    pub(super) fn contains(&mut self, call: &ExprMethodCall) -> Option<WalkedExpr> {
        if call.method != "contains" || call.args.len() != 1 {
            return None;
        }
        // `&x`, or a name that is a reference.
        let argument = strip(&call.args[0]);
        let of_a_range = matches!(strip(&call.receiver), Expr::Range(_)) || self.named_range(&call.receiver).is_some();
        let given = match argument {
            Expr::Reference(given) => given.clone(),
            Expr::Path(_) | Expr::Field(_) | Expr::Unary(_) if of_a_range => {
                let span = own(ends(argument).0);
                let (and, star) = (Token![&](span), Token![*](span));
                let expr = quote!(#star #argument);
                syn::parse2(quote!(#and #expr)).ok()?
            }
            _ => return None,
        };
        let AskedRange { low, high, ty, code: range, inclusive } = self.asked_range(&call.receiver)?;
        let span = call.method.span();
        let given_value = self.expr(&given.expr);
        let (given_value, given_ty) = self.typed(given_value, span);
        let (and, given_code) = (&given.and_token, given_value.tight());
        let (dot, method) = (&call.dot_token, &call.method);
        let arguments = parens(quote!(#and #given_code), call.paren_token.span.join());
        let code = quote!(#range #dot #method #arguments);
        let mut statements = Vec::new();
        let mut named = |walk: &mut SyntaxWalk, text: &str, value: tilewise_ast::Expr| {
            let id = walk.names.hidden(text, span);
            statements.push(Statement::Let(Pattern::Bind(id), None, Some(value), at(span)));
            Box::new(node(ExprKind::Local(id), span))
        };
        let (low, high) = (low.map(|low| named(self, "low", low)), high.map(|high| named(self, "high", high)));
        let x = named(self, "x", given_value.tree);
        let mut order = |right, left| self.order_link(left, right, span);
        let last = if inclusive { Binary::Le } else { Binary::Lt };
        let from = low.map(|low| node(ExprKind::Binary(Binary::Le, low, x.clone(), order(given_ty, ty)), span));
        let to = high.map(|high| node(ExprKind::Binary(last, x, high, order(ty, given_ty)), span));
        let value = match (from, to) {
            (Some(from), Some(to)) => Some(node(ExprKind::And(Box::new(from), Box::new(to)), span)),
            (from, to) => from.or(to),
        };
        let value = value.map(Box::new);
        let known = self.plain("bool", span);
        let ends = (ends(&*call.receiver).0, call.paren_token.span.close());
        let tree = node(ExprKind::Block(SyntaxBlock { statements, value }, None), span);
        Some(WalkedExpr { code, tree, ty: Some(known), loose: false, ends })
    }
}

/// A range that is asked something.
struct AskedRange {
    low: Option<tilewise_ast::Expr>,
    high: Option<tilewise_ast::Expr>,
    /// The type of its numbers.
    ty: KnownId,
    code: TokenStream,
    inclusive: bool,
}

/// Of `x.clone()`, `x`; others are themselves.
pub(super) fn of_a_copy(expr: &Expr) -> &Expr {
    match strip(expr) {
        Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => strip(&call.receiver),
        other => other,
    }
}

/// The error for a range that is used otherwise.
pub(super) const RANGE: &str = "in a kernel, a range stands behind `for .. in`, behind `let r =`, before `.contains(&x)`, as an argument and in a pattern; a part of a view is `view.section(origin, extent)`";
