//! Methods of elements of local arrays, `bodies[k].step(time)`, and where something may have borrowed an array.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprMethodCall, Token};
use tilewise_ast::ExprKind;

use super::call::{handed_call, is_expect_of_text, linked_call, strip};
use super::iterated::ITERATORS;
use super::names::Mutability;
use super::operator::operator;
use super::part::member_text;
use super::place::PlaceShape;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{braces, own, users_parens};

impl SyntaxWalk {
    /// A method of an element of a local array, which the method may change. (`macro_support::elements` explains the
    /// code.) Not where something else may have borrowed the array.
    pub(super) fn method_of_element(&mut self, call: &ExprMethodCall, is_argument: bool) -> Option<WalkedExpr> {
        let Expr::Index(index) = strip(&call.receiver) else { return None };
        let is_of_array = ITERATORS.iter().any(|name| call.method == name) || changes_its_array(call);
        if is_of_array || call.method == "atomic" || matches!(strip(&index.index), Expr::Range(_)) || self.closures > 0
        {
            return None;
        }
        let mut base = strip(&index.expr);
        while let Expr::Field(field) = base {
            base = strip(&field.base);
        }
        let Expr::Path(path) = base else { return None };
        let local = self.names.find(path.path.get_ident()?)?;
        let (named, mutable) = (self.names.named(local), self.names.is_mutable(local));
        let is_variable = mutable && named.reference.is_none() || named.reference == Some(Mutability::Exclusive);
        if !is_variable || named.tile_static || named.callable || self.lent.contains(&local) {
            return None;
        }
        let array = place_path(&index_base(&call.receiver));
        let span = call.method.span();
        let place = self.place(&call.receiver);
        let PlaceShape::Index { base, index, written: written_index, link, .. } = &place.shape else { return None };
        let PlaceShape::Direct(base) = &**base else { return None };
        let base = match named.reference {
            Some(_) if matches!(strip(&index_base(&call.receiver)), Expr::Path(_)) => {
                quote_spanned!(own(span)=> (*#base))
            }
            _ => base.clone(),
        };
        let companion = self.method_companion(&call.method);
        let around = std::mem::replace(&mut self.behind_iterator, false);
        let walked = if is_expect_of_text(call) { Self::text_argument(call) } else { self.arguments(&call.args) };
        self.behind_iterator = around;
        let mut trees = walked.trees.clone();
        trees.insert(0, node(ExprKind::Ref(true, Box::new(place.tree)), place.ends.0));
        let [at, element, result] = ["i", "e", "r"].map(|name| self.own_name(name, place.ends.0));
        let (whole, ends) = (own(place.ends.0), (place.ends.0, call.paren_token.span.close()));
        let link = Ident::new(&link.to_string(), whole);
        let (name, written) = (path.path.get_ident()?, &call.args);
        let reads_it = |argument: &Expr| has_name(argument, name);
        let is_read = reads_it(written_index) || written.iter().any(reads_it);
        // What changes the array is an argument of a method by value, which has the element as it was before.
        let is_lent = named.reference.is_some();
        let changes = array.as_ref().map_or(ArrayChange::Certain, |array| {
            let changes = written.iter().map(|argument| array_change(argument, array, is_lent));
            changes.max().unwrap_or(ArrayChange::None)
        });
        let is_copied = changes > ArrayChange::None || is_read && copies_early(written);
        // What reads the array is evaluated before the element is borrowed, as in Rust.
        let mut codes = walked.codes.clone();
        let is_before = !is_copied && is_read;
        let (held, mut names, mut values) = (self.own_name("h", place.ends.0), Vec::new(), Vec::new());
        if is_before {
            for (argument, code) in written.iter().zip(&mut codes) {
                // A closure has its types from the call. The name of a `&mut` is lent there, and would be moved here.
                if !matches!(strip(argument), Expr::Closure(_)) && !self.is_name_of_exclusive(argument) {
                    let name = self.own_name("a", place.ends.0);
                    values.push(std::mem::replace(code, quote!(#name)));
                    names.push(name);
                }
            }
        }
        // A method of another element borrows the array by `&mut`, whether it changes it or not.
        let array_meanwhile = match changes {
            ArrayChange::ByMethod => quote_spanned!(whole=> &()),
            ArrayChange::None | ArrayChange::Certain => quote_spanned!(whole=> &#base),
        };
        let lent = match (is_copied, is_before) {
            (true, _) if array.is_none_or(|array| written.iter().any(|argument| keeps_borrow(argument, &array))) => {
                quote_spanned!(whole=> #element.shared(#array_meanwhile))
            }
            (true, _) => quote_spanned!(whole=> #element.changing(#array_meanwhile)),
            (false, true) => quote_spanned! {whole=>
                (&&::tilewise::macro_support::element_base(&#base)).held_place(&mut #base, #at)
            },
            (false, false) => quote_spanned! {whole=>
                (&&::tilewise::macro_support::element_base(&#base)).lend_place(&mut #base, #index, #link)
            },
        };
        let value = users_parens(quote_spanned!(whole=> *#lent), span);
        let (dot, turbofish) = (&call.dot_token, &call.turbofish);
        let arguments = users_parens(quote!(#(#codes),*), call.paren_token.span.join());
        let called_link = self.linked(span);
        let code = quote!(#value #dot #companion #turbofish #arguments);
        let link_of_call = (&called_link.0, called_link.1);
        let called = match is_argument {
            true => handed_call(link_of_call, code, trees, span, ends),
            false => linked_call(link_of_call, code, trees, span, ends),
        };
        if !is_copied {
            let code = match is_before {
                // What is temporary in an argument lives as long as in Rust.
                true => {
                    let call = &called.code;
                    let released = quote_spanned!(whole=> match #held.released());
                    let call = braces(quote_spanned!(whole=> #at => #call), ends.1);
                    let arm = braces(quote_spanned!(whole=> (#held, #(#names,)*) => #released #call), ends.1);
                    let hold = quote_spanned! {whole=>
                        (&&::tilewise::macro_support::element_base(&#base)).hold_place(&#base, #at, #link)
                    };
                    // The index is evaluated before anything is borrowed: a method in it may change the array.
                    let arm = braces(quote_spanned!(whole=> #at => match (#hold, #(#values,)*) #arm), ends.1);
                    quote_spanned!(whole=> match #index #arm)
                }
                false => called.code.clone(),
            };
            let code = walked.around(self, code, ends);
            return Some(WalkedExpr { code, loose: is_before || walked.is_block(), ..called });
        }
        let inner = walked.around(self, called.code, ends);
        let code = quote_spanned! {whole=>
            let #at = #index;
            let mut #element =
                (&&::tilewise::macro_support::element_base(&#base)).lend_element(&#base, #at, #link);
            let #result = #inner;
            (&&::tilewise::macro_support::element_base(&#base)).put_element(&mut #base, #element);
            #result
        };
        Some(WalkedExpr { code: braces(code, ends.1), loose: true, ..called })
    }

    /// Is it the name of a `&mut`?
    fn is_name_of_exclusive(&self, argument: &Expr) -> bool {
        let Expr::Path(path) = strip(argument) else { return false };
        let local = path.path.get_ident().and_then(|name| self.names.bound(name));
        local.is_some_and(|local| self.names.named(local).reference == Some(Mutability::Exclusive))
    }

    /// Notes that the names in an expression may be borrowed by what is made of it.
    pub(super) fn note_loans(&mut self, expr: &Expr) {
        let mut names = Vec::new();
        names_in(expr.to_token_stream(), &mut names);
        for name in names {
            self.lent.extend(self.names.bound(&name));
        }
    }
}

/// Is the array, or whatever else has the element that a method is called on, in one of its arguments too?
pub(super) fn is_in_its_arguments(call: &ExprMethodCall) -> bool {
    let mut base = strip(&call.receiver);
    while let Expr::Index(syn::ExprIndex { expr: of, .. }) | Expr::Field(syn::ExprField { base: of, .. }) = base {
        base = strip(of);
    }
    let name = match base {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    };
    name.is_some_and(|name| call.args.iter().any(|argument| has_name(argument, name)))
}

/// A name and the fields behind it: `self.bodies`.
#[derive(Clone)]
pub(super) struct PlacePath {
    name: Ident,
    fields: Vec<String>,
    /// Does it end in a field or the name? Behind an element or a method, nothing is known of fields.
    is_open: bool,
}

impl PlacePath {
    /// Is one of both a part of the other, or may it be?
    fn overlaps(&self, other: &PlacePath) -> bool {
        self.name == other.name && self.fields.iter().zip(&other.fields).all(|(field, other)| field == other)
    }
}

/// The path of a place, as far as its fields tell.
fn place_path(expr: &Expr) -> Option<PlacePath> {
    match strip(expr) {
        Expr::Path(path) => Some(PlacePath { name: path.path.get_ident()?.unraw(), fields: Vec::new(), is_open: true }),
        Expr::Index(index) => Some(PlacePath { is_open: false, ..place_path(&index.expr)? }),
        Expr::MethodCall(call) => Some(PlacePath { is_open: false, ..place_path(&call.receiver)? }),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => place_path(expr),
        Expr::Field(field) => {
            let mut path = place_path(&field.base)?;
            if path.is_open {
                path.fields.push(member_text(&field.member));
            }
            Some(path)
        }
        _ => None,
    }
}

/// Does an argument change an array?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ArrayChange {
    None,
    /// If a method of an element in it takes `&mut self`.
    ByMethod,
    /// It does, or borrows the array for longer than its own value.
    Certain,
}

/// `is_lent`: the name of the array is a `&mut`, which another function can get by the name alone.
fn array_change(argument: &Expr, array: &PlacePath, is_lent: bool) -> ArrayChange {
    let mut search = ChangeSearch { array, is_lent, found: ArrayChange::None };
    if let Expr::Reference(lent) = strip(argument) {
        let is_apart = place_path(&lent.expr).is_some_and(|path| path.is_open && !path.overlaps(array));
        if !is_apart && has_name(argument, &array.name) {
            if is_place_expr(&lent.expr) {
                return ArrayChange::Certain;
            }
            // Of what is no place, the value may be a reference.
            search.found = ArrayChange::ByMethod;
        }
    }
    search.visit_expr_mut(&mut argument.clone());
    search.found
}

/// May the value of an argument borrow from an array: is there a reference to a part of it in it, a closure that does
/// not copy it, a macro with it, or a pattern by reference?
fn keeps_borrow(argument: &Expr, array: &PlacePath) -> bool {
    let mut search = BorrowSearch { array, may_hold: may_hold_closure(argument), in_closure: false, found: false };
    search.visit_expr_mut(&mut argument.clone());
    search.found
}

/// Looks for what may borrow from an array.
struct BorrowSearch<'a> {
    array: &'a PlacePath,
    /// May the value be a closure, or hold one?
    may_hold: bool,
    /// Is this in a closure, which borrows all that it names?
    in_closure: bool,
    found: bool,
}

impl BorrowSearch<'_> {
    /// Is it the array, or a part of it, or what it is a part of?
    fn is_of_it(&self, expr: &Expr) -> bool {
        place_path(expr).is_some_and(|path| path.overlaps(self.array))
    }
}

impl VisitMut for BorrowSearch<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.found |= match expr {
            // What is no place is a value of its own, `&a[k].scaled(2)`, and its parts are looked at below.
            Expr::Reference(lent) => is_place_expr(&lent.expr) && self.is_of_it(&lent.expr),
            Expr::Path(_) => self.in_closure && self.is_of_it(expr),
            _ => false,
        };
        match expr {
            Expr::Closure(closure) => {
                let is_inside = self.in_closure || self.may_hold && closure.capture.is_none();
                let around = std::mem::replace(&mut self.in_closure, is_inside);
                syn::visit_mut::visit_expr_closure_mut(self, closure);
                self.in_closure = around;
            }
            // Another field of what the array is a field of.
            Expr::Field(_) if place_path(expr).is_some_and(|path| path.is_open && !path.overlaps(self.array)) => {}
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let mut names = Vec::new();
        names_in(call.tokens.clone(), &mut names);
        self.found |= names.contains(&self.array.name);
    }

    fn visit_pat_ident_mut(&mut self, bound: &mut syn::PatIdent) {
        self.found |= bound.by_ref.is_some();
    }
}

/// May a value be a closure, or an iterator with one? Not a number that is computed by one,
/// `(0..3).map(|k| a[k]).sum()`.
fn may_hold_closure(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Binary(_) | Expr::Unary(_) | Expr::Lit(_) | Expr::Cast(_) | Expr::Index(_) | Expr::Field(_) => false,
        Expr::MethodCall(call) => !VALUES.iter().any(|name| call.method == name),
        Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(last, None)) => may_hold_closure(last),
            _ => true,
        },
        _ => true,
    }
}

/// Methods of iterators and of what they give, whose values are none.
const VALUES: [&str; 16] = [
    "all",
    "any",
    "count",
    "fold",
    "is_none",
    "is_some",
    "len",
    "map_or",
    "max",
    "min",
    "position",
    "product",
    "rfold",
    "rposition",
    "sum",
    "unwrap_or",
];

/// Is it a name, or a part of one?
fn is_place_expr(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Path(_) => true,
        Expr::Index(syn::ExprIndex { expr: of, .. })
        | Expr::Field(syn::ExprField { base: of, .. })
        | Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: of, .. }) => is_place_expr(of),
        _ => false,
    }
}

/// Looks for what may change an array: assignments, `&mut`, methods, closures, macros.
struct ChangeSearch<'a> {
    array: &'a PlacePath,
    is_lent: bool,
    found: ArrayChange,
}

impl ChangeSearch<'_> {
    fn add(&mut self, changes: bool) {
        if changes {
            self.found = ArrayChange::Certain;
        }
    }

    /// Is it the array, or a part of it, or what it is a part of?
    fn is_of_it(&self, expr: &Expr) -> bool {
        place_path(expr).is_some_and(|path| path.overlaps(self.array))
    }

    /// Is it, or a part of it, among the places of an assignment, `(a[i].x, y) = pair`?
    fn assigns(&self, place: &Expr) -> bool {
        match strip(place) {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.assigns(part)),
            Expr::Array(array) => array.elems.iter().any(|part| self.assigns(part)),
            Expr::Call(call) => call.args.iter().any(|part| self.assigns(part)),
            Expr::Struct(parts) => parts.fields.iter().any(|field| self.assigns(&field.expr)),
            other => self.is_of_it(other),
        }
    }
}

impl VisitMut for ChangeSearch<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let changes = match expr {
            Expr::Assign(assign) => self.assigns(&assign.left),
            Expr::Binary(binary) => matches!(operator(&binary.op), Some((_, true))) && self.is_of_it(&binary.left),
            Expr::Reference(lent) => lent.mutability.is_some() && self.is_of_it(&lent.expr),
            Expr::MethodCall(call) if is_of_an_element(call) => {
                if self.is_of_it(&call.receiver) {
                    self.found = self.found.max(ArrayChange::ByMethod);
                }
                false
            }
            Expr::MethodCall(call) => self.is_of_it(&call.receiver),
            Expr::Path(path) => {
                self.is_lent && path.path.get_ident().is_some_and(|name| name.unraw() == self.array.name)
            }
            Expr::Closure(_) => has_name(expr, &self.array.name),
            _ => false,
        };
        self.add(changes);
        match expr {
            // A part of what is lent is no `&mut`.
            Expr::Index(index) if place_path(&index.expr).is_some_and(|path| path.is_open) => {
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Field(field) if place_path(&field.base).is_some_and(|path| path.is_open) => {}
            _ => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let mut names = Vec::new();
        names_in(call.tokens.clone(), &mut names);
        self.add(names.contains(&self.array.name));
    }

    fn visit_pat_ident_mut(&mut self, bound: &mut syn::PatIdent) {
        self.add(bound.by_ref.is_some() && bound.mutability.is_some());
    }
}

/// Is there a `move` closure before another argument, which may change what the closure has copied?
fn copies_early(arguments: &Punctuated<Expr, Token![,]>) -> bool {
    let is_moved = |argument: &Expr| matches!(strip(argument), Expr::Closure(closure) if closure.capture.is_some());
    let mut arguments = arguments.iter();
    arguments.any(is_moved) && arguments.next().is_some()
}

/// Does a name stand in an expression?
fn has_name(expr: &Expr, name: &Ident) -> bool {
    let mut names = Vec::new();
    names_in(expr.to_token_stream(), &mut names);
    names.contains(&name.unraw())
}

/// What an index is one of.
fn index_base(expr: &Expr) -> Expr {
    match strip(expr) {
        Expr::Index(index) => strip(&index.expr).clone(),
        other => other.clone(),
    }
}

/// The names in tokens, each without `r#`.
fn names_in(tokens: TokenStream, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name.unraw()),
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Is it a method of an element, which is no array that it changes?
fn is_of_an_element(call: &ExprMethodCall) -> bool {
    let is_of_array = ITERATORS.iter().any(|name| call.method == name) || changes_its_array(call);
    let is_of_element =
        matches!(strip(&call.receiver), Expr::Index(index) if !matches!(strip(&index.index), Expr::Range(_)));
    is_of_element && !is_of_array
}

/// Is it a method that changes an array, or an `Option`, in place?
pub(super) fn changes_its_array(call: &ExprMethodCall) -> bool {
    match text(&call.method).as_str() {
        "take" => call.args.is_empty(),
        name => CHANGING.contains(&name),
    }
}

/// Methods of arrays and `Option`s that change them. (`rotate_left` is one of numbers, too, where it changes nothing.)
const CHANGING: [&str; 14] = [
    "copy_from_slice",
    "copy_within",
    "fill",
    "fill_with",
    "iter_mut",
    "replace",
    "reverse",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "swap",
];
