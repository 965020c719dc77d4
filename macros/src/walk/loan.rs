//! Arguments by reference: `&place`, `&mut place`, `&value`, and `&mut view[i]`.
//!
//! An element of a view, of an array or of a `#[tile_static]` array cannot be borrowed in the closure.
//! The call gets a reference to a copy, which is written back when the call is done:
//! ```text
//! f(&mut v[i], x)      { let (mut __i1, mut __f2, mut __e3); let __r4 = f({ __i1 = i; __f2 = find(&v, __i1); __e3 = read_changing(&v, __i1, __f2); &mut __e3 }, x); v.put_back(__i1, __f2, __e3); __r4 }
//! ```
//! The lowering does the same.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Expr, Token};
use tilewise_ast::ExprKind;

use super::call::strip;
use super::expr::bytes_reference;
use super::names::Mutability;
use super::place::{PlaceEvaluation, PlaceShape, PlaceUse};
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{braces, own};

/// Arguments after the walk.
pub(super) struct WalkedArguments {
    pub(super) codes: Vec<TokenStream>,
    pub(super) trees: Vec<tilewise_ast::Expr>,
    loans: Vec<ElementLoan>,
}

/// An element that is lent to a call.
struct ElementLoan {
    /// The declaration of its index and of its copy.
    before: TokenStream,
    /// The write of the copy.
    after: TokenStream,
}

impl WalkedArguments {
    /// Is [`WalkedArguments::around`] a block, which is a statement by itself where one may begin?
    pub(super) fn is_block(&self) -> bool {
        !self.loans.is_empty()
    }

    /// The call with these arguments, and what stands around it.
    pub(super) fn around(&self, walk: &mut SyntaxWalk, call: TokenStream, ends: (Span, Span)) -> TokenStream {
        if self.loans.is_empty() {
            return call;
        }
        let (before, after) = (self.loans.iter().map(|loan| &loan.before), self.loans.iter().map(|loan| &loan.after));
        let result = walk.own_name("r", ends.0);
        let inside = quote_spanned!(own(ends.0)=> #(#before)* let #result = #call; #(#after)* #result);
        braces(inside, ends.1)
    }
}

impl SyntaxWalk {
    pub(super) fn arguments(&mut self, arguments: &Punctuated<Expr, Token![,]>) -> WalkedArguments {
        let mut all = WalkedArguments { codes: Vec::new(), trees: Vec::new(), loans: Vec::new() };
        for argument in arguments {
            let walked = self.argument(argument, &mut all.loans);
            all.codes.push(walked.code);
            all.trees.push(walked.tree);
        }
        all
    }

    /// The argument of `expect("text")`, which stands for nothing in the tree.
    pub(super) fn text_argument(call: &syn::ExprMethodCall) -> WalkedArguments {
        let codes = call.args.iter().map(ToTokens::to_token_stream).collect();
        WalkedArguments { codes, trees: Vec::new(), loans: Vec::new() }
    }

    /// An argument, the only position for `&`.
    fn argument(&mut self, argument: &Expr, loans: &mut Vec<ElementLoan>) -> WalkedExpr {
        if let Some(range) = self.range_argument(argument) {
            return range;
        }
        if let Some(bytes) = bytes_reference(argument) {
            return self.argument(&bytes, loans);
        }
        match strip(argument) {
            Expr::Reference(reference) => match strip(&reference.expr) {
                Expr::Closure(closure) => self.lent_closure(reference, closure),
                _ if reference.mutability.is_none() => self.shared_reference(reference),
                _ if self.is_place(&reference.expr).is_ok() => self.lend(reference),
                _ => self.lend_element(reference, loans),
            },
            Expr::Closure(closure) => self.closure_value(closure),
            Expr::Path(path) if let Some(handed) = self.constructor_or_constant(path) => handed,
            _ => match self.function_item(argument) {
                Some(function) => function,
                None => {
                    self.is_argument = matches!(strip(argument), Expr::MethodCall(_));
                    let walked = self.expr_or_reference(argument);
                    let walked = self.perhaps_a_function(argument, walked);
                    self.handed_on(walked)
                }
            },
        }
    }

    /// An argument by value. The closure keeps what it has captured, also a view, which it would give away: the
    /// argument is a copy with a name, so that rustc infers its type from the captured name alone.
    fn handed_on(&mut self, walked: WalkedExpr) -> WalkedExpr {
        if !matches!(walked.tree.kind, ExprKind::Capture(_) | ExprKind::CaptureOrFunction(..)) {
            return walked;
        }
        let span = own(walked.ends.0);
        let (name, code) = (self.own_name("h", walked.ends.0), &walked.code);
        let copied = quote_spanned!(span=> let #name = ::tilewise::macro_support::handed::again(&#code); #name);
        WalkedExpr { code: braces(copied, walked.ends.1), ..walked }
    }

    /// `&place`, `&value` as a value: nothing changes what it refers to while the reference lives, so that a kernel
    /// has a copy.
    pub(super) fn shared_reference(&mut self, reference: &syn::ExprReference) -> WalkedExpr {
        match strip(&reference.expr) {
            Expr::Closure(closure) => self.not_in_the_language(&Expr::Closure(closure.clone())),
            _ if self.is_promoted(&reference.expr) => self.lend_value(reference),
            _ if self.is_place(&reference.expr).is_ok() => self.lend(reference),
            _ if self.is_part_of_an_element(&reference.expr) => self.lend_shared_element(reference),
            _ => self.lend_value(reference),
        }
    }

    /// Is it an element of a local name, or of a part of one, or a part of such an element? Whether that is an array, and
    /// the element a place, rustc knows.
    pub(super) fn is_part_of_an_element(&mut self, expr: &Expr) -> bool {
        let (mut base, mut is_element) = (strip(expr), false);
        loop {
            base = match base {
                Expr::Index(index) if matches!(strip(&index.index), Expr::Range(_)) => return false,
                Expr::Index(index) => {
                    is_element = true;
                    strip(&index.expr)
                }
                Expr::Field(field) => strip(&field.base),
                Expr::Path(path) => {
                    let local = path.path.get_ident().and_then(|name| self.names.find(name));
                    return is_element && local.is_some_and(|local| !self.names.named(local).tile_static);
                }
                _ => return false,
            };
        }
    }

    /// `&array[i]` as a value: in the closure, a reference to the element.
    pub(super) fn lend_shared_element(&mut self, reference: &syn::ExprReference) -> WalkedExpr {
        let span = reference.and_token.span;
        let place = self.reached(&reference.expr, PlaceUse::Read);
        let Some(code) = self.element_of(&place.shape, &place.tree, span, false) else {
            return self.lend_value(reference);
        };
        let (and, ends) = (&reference.and_token, (span, place.ends.1));
        let tree = node(ExprKind::Ref(false, Box::new(place.tree)), span);
        WalkedExpr { code: quote!(#and #code), tree, ty: None, loose: true, ends }
    }

    /// `&value`: an element or a result, which nothing else can change.
    fn lend_value(&mut self, reference: &syn::ExprReference) -> WalkedExpr {
        let span = reference.and_token.span;
        self.is_argument = fills_an_option(&reference.expr);
        let value = self.expr(&reference.expr);
        let code = self.reference_to(reference, &value, false);
        let tree = node(ExprKind::Ref(false, Box::new(value.tree)), span);
        WalkedExpr { code, tree, ty: None, loose: true, ends: (span, value.ends.1) }
    }

    /// `&mut view[i]`, `&mut view[i].field`: the place is evaluated here, and the copy of it lent.
    fn lend_element(&mut self, reference: &syn::ExprReference, loans: &mut Vec<ElementLoan>) -> WalkedExpr {
        let span = reference.and_token.span;
        let place = self.place(&reference.expr);
        let owned = self.owned(&place);
        let mut evaluation = PlaceEvaluation { declared: Some(Vec::new()), ..PlaceEvaluation::default() };
        let settled = self.settle(&place.shape, span, &mut evaluation);
        let PlaceEvaluation { code: evaluate, declared: names } = evaluation;
        let names = names.into_iter().flatten();
        let copy = self.own_name("e", place.ends.0);
        let (current, after) = (settled.current(), self.put(&settled, &quote!(#copy), span));
        let (and, mutability) = (&reference.and_token, &reference.mutability);
        let code = quote_spanned! {own(span)=>
            #owned
            #evaluate
            #copy = #current;
            #and #mutability #copy
        };
        let before = quote_spanned! {own(span)=>
            #[allow(unused_mut, reason = "some changes need it")]
            let (#(mut #names,)* mut #copy,);
        };
        loans.push(ElementLoan { before, after });
        let ends = (span, place.ends.1);
        let tree = node(ExprKind::Ref(true, Box::new(place.tree)), span);
        WalkedExpr { code: braces(code, ends.1), tree, ty: None, loose: false, ends }
    }

    /// `&mut array[i]` that gets a name: the element of a local array.
    pub(super) fn lend_local_element(&mut self, reference: &syn::ExprReference) -> WalkedExpr {
        let (span, mistakes) = (reference.and_token.span, self.errors.len());
        let place = self.place(&reference.expr);
        self.owned(&place);
        let code = match self.local_element(&place.shape, &place.tree, span) {
            Some(code) => code,
            None if self.errors.len() > mistakes => TokenStream::new(),
            None => {
                let help = "copy it, change the copy, and write it back: `let mut x = a[i]; x.n += 1; a[i] = x;`";
                self.error(place.ends.0, format!("in a kernel, `&mut` that gets a name stands before a variable, or a part of a local array; {help}"));
                TokenStream::new()
            }
        };
        let (and, mutability) = (&reference.and_token, &reference.mutability);
        let ends = (span, place.ends.1);
        let tree = node(ExprKind::Ref(true, Box::new(place.tree)), span);
        WalkedExpr { code: quote!(#and #mutability #code), tree, ty: None, loose: true, ends }
    }

    /// An element of a local array, or a part of one, whose method borrows it: `m[k].iter_mut()`.
    pub(super) fn element_itself(&mut self, element: &Expr, span: Span) -> WalkedExpr {
        let mistakes = self.errors.len();
        let place = self.place(element);
        match self.local_element(&place.shape, &place.tree, span) {
            Some(code) => WalkedExpr { code, tree: place.tree, ty: None, loose: false, ends: place.ends },
            None if self.errors.len() > mistakes => self.refused(place.ends.0),
            None => self.refuse(
                place.ends.0,
                "in a kernel, a method that changes its array is one of a local array, or of an array in one",
            ),
        }
    }

    /// Code for the place itself, if it is a part of a variable. Its indices are evaluated before it is borrowed, as
    /// they may read it.
    fn local_element(&mut self, shape: &PlaceShape, tree: &tilewise_ast::Expr, span: Span) -> Option<TokenStream> {
        let mut before = PlaceEvaluation::default();
        let shape = self.evaluated(shape, false, &mut before);
        let element = self.element_of(&shape, tree, span, true)?;
        let before = before.code;
        if before.is_empty() {
            return Some(element);
        }
        Some(quote_spanned!(own(span)=> (*{ #before &mut #element })))
    }

    /// The shape with names in the place of indices that are more than a name or a number, and of names in front of
    /// such, which these may change. `later`: is there one behind the shape?
    fn evaluated(&mut self, shape: &PlaceShape, later: bool, before: &mut PlaceEvaluation) -> PlaceShape {
        match shape {
            PlaceShape::Direct(_) | PlaceShape::TileStatic(_) | PlaceShape::Value(_) => shape.clone(),
            PlaceShape::Field { base, member } => {
                PlaceShape::Field { base: Box::new(self.evaluated(base, later, before)), member: member.clone() }
            }
            PlaceShape::Index { base, index, written, link, ends } => {
                let is_name = matches!(strip(written), Expr::Path(_));
                let is_more = !is_name && !matches!(strip(written), Expr::Lit(_));
                let base = Box::new(self.evaluated(base, later || is_more, before));
                let index = if is_more || is_name && later {
                    let name = self.own_name("i", ends.0);
                    before.set(&name, index, ends.0);
                    quote!(#name)
                } else {
                    index.clone()
                };
                PlaceShape::Index { base, index, written: written.clone(), link: link.clone(), ends: *ends }
            }
        }
    }

    /// The same, whether it is to be changed or not.
    pub(super) fn element_of(
        &mut self,
        shape: &PlaceShape,
        tree: &tilewise_ast::Expr,
        span: Span,
        changes: bool,
    ) -> Option<TokenStream> {
        match shape {
            // The name of a reference is no place of its own that could be lent.
            PlaceShape::Direct(code) => Some(match tree.kind {
                ExprKind::Local(local)
                    if self.names.named(local).reference.is_some_and(|by| by == Mutability::Exclusive || !changes) =>
                {
                    quote_spanned!(own(span)=> (*#code))
                }
                _ => code.clone(),
            }),
            PlaceShape::TileStatic(_) | PlaceShape::Value(_) => None,
            PlaceShape::Field { base, member } => {
                let base = self.element_of(base, base_of(tree), span, changes)?;
                Some(quote_spanned!(own(span)=> #base.#member))
            }
            PlaceShape::Index { base, index, link, ends, .. } => {
                let has_index = base.has_index();
                let base = self.element_of(base, base_of(tree), span, changes)?;
                let whole = own(ends.0);
                let link = Ident::new(&link.to_string(), whole);
                if !changes {
                    // `macro_support::elements` explains the code.
                    let share = |lent: TokenStream| {
                        let arguments = crate::at::parens(quote_spanned!(whole=> #lent, #index, #link), ends.1);
                        quote_spanned! {whole=>
                            (&&::tilewise::macro_support::element_base(#lent)).share_element #arguments
                        }
                    };
                    if !has_index {
                        let element = share(quote_spanned!(whole=> &#base));
                        return Some(quote_spanned!(whole=> (*&*#element)));
                    }
                    // An index is evaluated once.
                    let name = self.own_name("b", ends.0);
                    let element = share(quote!(#name));
                    return Some(quote_spanned!(whole=> (*&*match &#base { #name => #element })));
                }
                let arguments = crate::at::parens(quote_spanned!(whole=> &mut #base, #index, #link), ends.1);
                Some(quote_spanned!(whole=> (*::tilewise::macro_support::local_element #arguments)))
            }
        }
    }
}

/// What a field or an element is a part of.
fn base_of(tree: &tilewise_ast::Expr) -> &tilewise_ast::Expr {
    match &tree.kind {
        ExprKind::Field(base, _) | ExprKind::Index(base, ..) => base,
        _ => tree,
    }
}

/// Is it a method of this name? That gives a reference, and `&` before it another one, which is no other type to Rust's
/// calls: so the result's type must not come from the parameter.
fn fills_an_option(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = strip(expr) else { return false };
    ["insert", "get_or_insert", "get_or_insert_with"].iter().any(|name| call.method == name)
}
