//! Methods of elements of local arrays, `bodies[k].step(time)`, and where something may have borrowed an array.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprMethodCall};
use tilewise_ast::ExprKind;

use super::call::{is_expect_of_text, linked_call, strip};
use super::iterated::ITERATORS;
use super::names::Mutability;
use super::place::PlaceShape;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{braces, own, users_parens};

impl SyntaxWalk {
    /// A method of an element of a local array, which the method may change. (`macro_support::elements` explains the
    /// code.) Not where something else may have borrowed the array.
    pub(super) fn method_of_element(&mut self, call: &ExprMethodCall) -> Option<WalkedExpr> {
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
        let span = call.method.span();
        let place = self.place(&call.receiver);
        let PlaceShape::Index { base, index, link, .. } = &place.shape else { return None };
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
        let value = users_parens(quote_spanned!(own(place.ends.0)=> *#element), span);
        let (dot, turbofish, codes) = (&call.dot_token, &call.turbofish, &walked.codes);
        let arguments = users_parens(quote!(#(#codes),*), call.paren_token.span.join());
        let ends = (place.ends.0, call.paren_token.span.close());
        let called_link = self.linked(span);
        let code = quote!(#value #dot #companion #turbofish #arguments);
        let called = linked_call((&called_link.0, called_link.1), code, trees, span, ends);
        let inner = walked.around(self, called.code, ends);
        let whole = own(place.ends.0);
        let link = Ident::new(&link.to_string(), whole);
        let code = quote_spanned! {whole=>
            let #at = #index;
            #[allow(unused_mut, reason = "some methods change it")]
            let mut #element =
                (&&::tilewise::macro_support::element_base(&#base)).lend_element(&#base, #at, #link);
            let #result = #inner;
            (&&::tilewise::macro_support::element_base(&#base)).put_element(&mut #base, #element);
            #result
        };
        Some(WalkedExpr { code: braces(code, ends.1), loose: true, ..called })
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

/// What an index is one of.
fn index_base(expr: &Expr) -> Expr {
    match strip(expr) {
        Expr::Index(index) => strip(&index.expr).clone(),
        other => other.clone(),
    }
}

/// The names in tokens.
fn names_in(tokens: TokenStream, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
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
