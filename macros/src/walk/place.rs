//! Assignments. A place behind an index cannot be borrowed in a kernel, so the closure reads the
//! outermost element, changes the copy and writes it back; the tree has the place as written.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprAssign, ExprBinary, Member};
use tilewise_ast::{Binary, ExprKind};

use super::call::strip;
use super::expr::{ends, in_closure};
use super::known::{KnownId, of};
use super::names::Mutability;
use super::part::{member_text, read_changing};
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{braces, own, parens};

/// A place after the walk.
pub(super) struct WalkedPlace {
    pub(super) shape: PlaceShape,
    pub(super) tree: tilewise_ast::Expr,
    ty: Option<KnownId>,
    pub(super) ends: (Span, Span),
}

/// What is done with a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceUse {
    /// It is read only: it may be a part of a constant, or of what a shared reference refers to.
    Read,
    /// It is changed.
    Change,
}

/// The way to reach a place.
#[derive(Clone)]
pub(super) enum PlaceShape {
    /// A variable, a field of one, the target of a reference.
    Direct(TokenStream),
    /// A `#[tile_static]` name.
    TileStatic(Ident),
    /// The result of an expression: a view.
    Value(TokenStream),
    /// `base[index]`
    Index { base: Box<PlaceShape>, index: TokenStream, written: Box<Expr>, link: Ident, ends: (Span, Span) },
    /// `base.member`, where the base is not direct.
    Field { base: Box<PlaceShape>, member: Member },
}

impl SyntaxWalk {
    /// `place = value`
    pub(super) fn assign(&mut self, assign: &ExprAssign) -> WalkedExpr {
        let span = assign.eq_token.span;
        if let Some(walked) = self.assign_parts(assign) {
            return walked;
        }
        let mistakes = self.errors.len();
        let value = self.expr(&assign.right);
        let before = self.errors.len();
        let place = self.place(&assign.left);
        if self.refuse_rebinding(&place) {
            // One error is enough for `p = &mut x`.
            self.errors.drain(mistakes..before);
        }
        let owned = self.owned(&place);
        let value = self.first_of_untyped(&place, value);
        let ends = (place.ends.0, value.ends.1);
        let equals = &assign.eq_token;
        let code = match &place.shape {
            PlaceShape::Direct(direct) => {
                let value = &value.code;
                quote!(#direct #equals #value)
            }
            shape => {
                let (name, value) = (self.own_name("v", value.ends.0), &value.code);
                let (before, shape) = self.settled(shape, span);
                let store = self.store(&shape, &quote!(#name), span);
                braces(quote_spanned!(own(span)=> let #name = #value; #owned #before #store), ends.1)
            }
        };
        let tree = node(ExprKind::Assign(Box::new(place.tree), Box::new(value.tree)), span);
        WalkedExpr { code, tree, ty: None, loose: true, ends }
    }

    /// The first value of a name that was declared without a type: it tells the type.
    fn first_of_untyped(&mut self, place: &WalkedPlace, value: WalkedExpr) -> WalkedExpr {
        match (&place.tree.kind, place.ty) {
            (ExprKind::Local(local), Some(ty)) if self.names.assigned_first(*local) => {
                let witness = self.witness_code(ty);
                let argument = parens(value.code, value.ends.1);
                let code = quote_spanned!(own(value.ends.1)=> #witness.of #argument);
                WalkedExpr { code, loose: false, ..value }
            }
            _ => value,
        }
    }

    /// `place op= value`, the value first: the operator changes a copy, which is written back.
    pub(super) fn assign_op(&mut self, binary: &ExprBinary, op: Binary) -> WalkedExpr {
        let span = binary.op.span();
        let value = self.expr(&binary.right);
        let (value, value_ty) = self.typed(value, span);
        let place = self.place(&binary.left);
        self.refuse_rebinding(&place);
        let owned = self.owned(&place);
        let ends = (place.ends.0, value.ends.1);
        let (name, value_code) = (self.own_name("v", span), &value.code);
        let symbol = &binary.op;
        let (unit, unit_ty) = self.witness(span);
        let (place_witness, place_ty) = match place.ty {
            Some(ty) => (None, ty),
            None => {
                let (witness, ty) = self.witness(span);
                (Some(witness), ty)
            }
        };
        let link = self.binary_link(op, true, [place_ty, value_ty, unit_ty], span);
        let operand = self.operand(op, place_ty, quote!(#name), span);
        let (copy, of_place) = (self.own_name("c", place.ends.0), self.witness_code(place_ty));
        let sum = |before: TokenStream| {
            let before = match &place_witness {
                Some(witness) => of(witness, before, place.ends),
                None => before,
            };
            let change = of(&unit, quote!(#copy #symbol #operand), ends);
            quote_spanned!(own(span)=> { let mut #copy = #before; #change; #of_place.result(#copy) })
        };
        let (before, shape) = self.settled(&place.shape, span);
        let change = self.change(&shape, &sum, span);
        let code = braces(quote_spanned!(own(span)=> let #name = #value_code; #owned #before #change), ends.1);
        let tree = node(ExprKind::AssignOp(op, Box::new(place.tree), Box::new(value.tree), link), span);
        WalkedExpr { code, tree, ty: None, loose: true, ends }
    }

    /// A reference parameter stands for the caller's place, which an assignment to the name itself
    /// would overwrite.
    fn refuse_rebinding(&mut self, place: &WalkedPlace) -> bool {
        let ExprKind::Local(local) = place.tree.kind else { return false };
        if self.names.named(local).reference.is_none() {
            return false;
        }
        let name = self.names.text(local);
        let message = format!(
            "`{name}` is a reference, and a kernel cannot make it refer to something else: \
             assign to `*{name}`, or bind the other to a name of its own"
        );
        self.error(place.ends.0, message);
        true
    }

    /// A place that is assigned to, or lent to be changed.
    pub(super) fn place(&mut self, expr: &Expr) -> WalkedPlace {
        self.reached(expr, PlaceUse::Change)
    }

    pub(super) fn reached(&mut self, expr: &Expr, using: PlaceUse) -> WalkedPlace {
        let ends = ends(expr);
        match strip(expr) {
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident()
                    && let Some(local) = self.names.find(ident)
                {
                    let named = self.names.named(local);
                    let name = in_closure(ident);
                    let shape = if named.tile_static {
                        PlaceShape::TileStatic(name)
                    } else {
                        PlaceShape::Direct(quote!(#name))
                    };
                    return WalkedPlace { shape, tree: node(ExprKind::Local(local), ident.span()), ty: named.ty, ends };
                }
                let walked = self.expr(expr);
                if let (ExprKind::Const(_), PlaceUse::Change) = (&walked.tree.kind, using) {
                    self.error(ends.0, "a constant cannot be assigned to");
                }
                WalkedPlace { shape: PlaceShape::Direct(walked.code), tree: walked.tree, ty: walked.ty, ends }
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                let walked = self.expr(expr);
                if let ExprKind::Deref(base) = &walked.tree.kind
                    && let ExprKind::Local(local) = base.kind
                    && using == PlaceUse::Change
                {
                    self.refuse_untyped(local, ends.0);
                }
                WalkedPlace { shape: PlaceShape::Direct(walked.code), tree: walked.tree, ty: walked.ty, ends }
            }
            Expr::Field(field) => {
                if let Some(walked) = self.field_of_captured(field) {
                    return WalkedPlace {
                        shape: PlaceShape::Direct(walked.code),
                        tree: walked.tree,
                        ty: walked.ty,
                        ends,
                    };
                }
                let base = self.reached(&field.base, using);
                let (member, dot) = (&field.member, &field.dot_token);
                let tree = node(ExprKind::Field(Box::new(base.tree), member_text(member)), member.span());
                let shape = match base.shape {
                    PlaceShape::Direct(code) => PlaceShape::Direct(quote!(#code #dot #member)),
                    other => PlaceShape::Field { base: Box::new(other), member: member.clone() },
                };
                WalkedPlace { shape, tree, ty: None, ends }
            }
            Expr::Index(index) => {
                let base = self.reached(&index.expr, using);
                let at = self.expr(&index.index);
                let span = index.bracket_token.span.join();
                let (link, slot) = self.linked(span);
                let tree = node(ExprKind::Index(Box::new(base.tree), Box::new(at.tree), Some(slot)), span);
                let shape = PlaceShape::Index {
                    base: Box::new(base.shape),
                    index: at.code,
                    written: index.index.clone(),
                    link,
                    ends,
                };
                WalkedPlace { shape, tree, ty: None, ends }
            }
            other => {
                let walked = self.expr(other);
                WalkedPlace { shape: PlaceShape::Value(walked.code), tree: walked.tree, ty: walked.ty, ends }
            }
        }
    }

    /// A parameter of a closure that is changed through a `&mut`, which only its type tells.
    fn refuse_untyped(&mut self, local: tilewise_ast::LocalId, span: Span) {
        if self.names.named(local).perhaps_reference && !self.names.is_mutable(local) {
            let name = self.names.text(local);
            let help = format!("write the type of the closure's parameter, `|{name}: &mut T|`");
            self.error(span, format!("it is not known here that `{name}` is a `&mut` reference: {help}"));
        }
    }

    /// A capture is a copy: only the elements of a captured view can be assigned to. The returned
    /// code lets rustc check that it is a view.
    pub(super) fn owned(&mut self, place: &WalkedPlace) -> TokenStream {
        let (mut tree, mut indexed) = (&place.tree, false);
        while let ExprKind::Field(base, _) | ExprKind::Index(base, ..) = &tree.kind {
            indexed |= matches!(tree.kind, ExprKind::Index(..));
            tree = base;
        }
        if let ExprKind::Local(local) = tree.kind
            && self.names_a_place
            && self.names.text(local) == "self"
        {
            let message = "in `#[amp]`, `index_mut` names a place in `self` and changes nothing: change it where the place is used";
            self.error(place.ends.0, message);
        }
        if let ExprKind::Local(local) = tree.kind
            && !indexed
            && self.names.text(local) == "self"
        {
            // rustc would name the variable that the closure has in the place of `self`.
            match self.names.named(local).reference {
                None if !self.names.is_mutable(local) => {
                    let help = "write `mut self` to change the copy, or `&mut self` to change the caller's";
                    self.error(place.ends.0, format!("`self` is a copy that cannot change: {help}"));
                }
                Some(Mutability::Shared) => {
                    let message = "`self` is a `&` reference, through which nothing changes: write `&mut self`";
                    self.error(place.ends.0, message);
                }
                None | Some(Mutability::Exclusive) => {}
            }
        }
        let ExprKind::Capture(id) = tree.kind else { return TokenStream::new() };
        let captured = &self.names.captures()[id as usize];
        if indexed {
            // A clone, as the name may be a raw one: `r#in`.
            let mut name = captured.name.clone();
            name.set_span(captured.name.span().located_at(place.ends.0));
            return quote_spanned!(own(place.ends.0)=> ::tilewise::macro_support::shared(&#name););
        }
        let help = "give the result through a view, or copy it first: `let mut copy = ..;`";
        let message = format!("`{}` is captured by value, and a kernel cannot change it; {help}", captured.text);
        self.error(place.ends.0, message);
        TokenStream::new()
    }

    /// If an index may have side effects, evaluates all indices of the place, from the outermost
    /// on, before any element is read for a read-modify-write. Otherwise returns the place
    /// unchanged.
    fn settled(&mut self, shape: &PlaceShape, span: Span) -> (TokenStream, PlaceShape) {
        let mut before = TokenStream::new();
        let shape = if shape.may_act() { self.settle(shape, span, &mut before) } else { shape.clone() };
        (before, shape)
    }

    pub(super) fn settle(&mut self, shape: &PlaceShape, span: Span, before: &mut TokenStream) -> PlaceShape {
        match shape {
            PlaceShape::Direct(_) | PlaceShape::TileStatic(_) => shape.clone(),
            PlaceShape::Value(value) => {
                let name = self.own_name("b", span);
                before.extend(quote_spanned!(own(span)=> #[allow(unused_mut, reason = "some changes need it")] let mut #name = #value;));
                PlaceShape::Direct(quote!(#name))
            }
            PlaceShape::Field { base, member } => {
                let base = Box::new(self.settle(base, span, before));
                match *base {
                    PlaceShape::Direct(code) => PlaceShape::Direct(quote_spanned!(own(span)=> #code.#member)),
                    _ => PlaceShape::Field { base, member: member.clone() },
                }
            }
            PlaceShape::Index { base, index, written, link, ends } => {
                let base = Box::new(self.settle(base, span, before));
                let name = self.own_name("i", ends.0);
                before.extend(quote_spanned!(own(ends.0)=> let #name = #index;));
                let (index, written, link) = (quote!(#name), written.clone(), link.clone());
                PlaceShape::Index { base, index, written, link, ends: *ends }
            }
        }
    }

    /// Stores an evaluated value.
    pub(super) fn store(&mut self, shape: &PlaceShape, value: &TokenStream, span: Span) -> TokenStream {
        self.store_by("write_element", shape, value, span)
    }

    /// The same for a place that was read before.
    pub(super) fn store_again(&mut self, shape: &PlaceShape, value: &TokenStream, span: Span) -> TokenStream {
        self.store_by("write_again", shape, value, span)
    }

    fn store_by(&mut self, method: &str, shape: &PlaceShape, value: &TokenStream, span: Span) -> TokenStream {
        match shape {
            PlaceShape::Direct(place) => quote_spanned!(own(span)=> #place = #value;),
            PlaceShape::Value(place) => quote_spanned!(own(span)=> #place = #value;),
            PlaceShape::TileStatic(name) => quote_spanned!(own(span)=> #name.set(#value);),
            PlaceShape::Index { base, index, link, ends, .. } => {
                self.with(base, span, &mut |_, place| write_element(method, &place, index, value, link, *ends))
            }
            PlaceShape::Field { base, member } => {
                self.with_value(base, span, &mut |_, place| quote_spanned!(own(span)=> #place.#member = #value;))
            }
        }
    }

    /// Stores the result of `sum` applied to the current value.
    fn change(&mut self, shape: &PlaceShape, sum: &dyn Fn(TokenStream) -> TokenStream, span: Span) -> TokenStream {
        match shape {
            PlaceShape::Direct(place) | PlaceShape::Value(place) => {
                let value = sum(place.clone());
                quote_spanned!(own(span)=> #place = #value;)
            }
            PlaceShape::TileStatic(name) => {
                let value = sum(quote_spanned!(own(span)=> #name.get()));
                quote_spanned!(own(span)=> #name.set(#value);)
            }
            PlaceShape::Index { base, index, written, link, ends } => self.with(base, span, &mut |walk, place| {
                let at = walk.own_name("i", ends.0);
                let value = sum(read_changing(&place, &quote!(#at), written, link, *ends));
                let store = write_element("write_again", &place, &quote!(#at), &quote!(#value), link, *ends);
                quote_spanned!(own(span)=> let #at = #index; #store)
            }),
            PlaceShape::Field { base, member } => self.with_value(base, span, &mut |_, place| {
                let value = sum(quote!(#place.#member));
                quote_spanned!(own(span)=> #place.#member = #value;)
            }),
        }
    }

    /// Calls `then` with the base of an index: a view, a variable, a `#[tile_static]` name, or the
    /// copy of an element that is written back.
    fn with(
        &mut self,
        base: &PlaceShape,
        span: Span,
        then: &mut dyn FnMut(&mut SyntaxWalk, TokenStream) -> TokenStream,
    ) -> TokenStream {
        match base {
            PlaceShape::TileStatic(name) => then(self, quote!(#name)),
            other => self.with_value(other, span, then),
        }
    }

    /// Calls `then` with the base of a field: a variable, or a copy that is written back.
    fn with_value(
        &mut self,
        base: &PlaceShape,
        span: Span,
        then: &mut dyn FnMut(&mut SyntaxWalk, TokenStream) -> TokenStream,
    ) -> TokenStream {
        match base {
            PlaceShape::Direct(place) => then(self, place.clone()),
            PlaceShape::Value(value) => {
                let name = self.own_name("b", span);
                let inner = then(self, quote!(#name));
                quote_spanned!(own(span)=> #[allow(unused_mut, reason = "some changes need it")] let mut #name = #value; #inner)
            }
            PlaceShape::TileStatic(tile) => {
                let name = self.own_name("e", span);
                let inner = then(self, quote!(#name));
                quote_spanned!(own(span)=> let mut #name = #tile.get(); #inner #tile.set(#name);)
            }
            PlaceShape::Index { base, index, written, link, ends } => self.with(base, span, &mut |walk, place| {
                let (at, name) = (walk.own_name("i", ends.0), walk.own_name("e", ends.0));
                let element = read_changing(&place, &quote!(#at), written, link, *ends);
                let inner = then(walk, quote!(#name));
                quote_spanned! {own(span)=>
                    let #at = #index;
                    #[allow(unused_mut, reason = "some changes need it")]
                    let mut #name = #element;
                    #inner
                    #place.put_back(#at, #name);
                }
            }),
            PlaceShape::Field { base, member } => {
                self.with_value(base, span, &mut |walk, place| then(walk, quote!(#place.#member)))
            }
        }
    }
}

impl PlaceShape {
    /// May the evaluation of an index have side effects?
    fn may_act(&self) -> bool {
        match self {
            PlaceShape::Direct(_) | PlaceShape::TileStatic(_) | PlaceShape::Value(_) => false,
            PlaceShape::Field { base, .. } => base.may_act(),
            PlaceShape::Index { base, written, .. } => base.may_act() || !is_pure(written),
        }
    }
}

/// Is the evaluation of the expression certainly free of side effects?
pub(super) fn is_pure(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Lit(_) | Expr::Path(_) | Expr::Const(_) => true,
        Expr::Field(field) => is_pure(&field.base),
        Expr::Cast(cast) => is_pure(&cast.expr),
        Expr::Unary(unary) => is_pure(&unary.expr),
        Expr::Index(index) => is_pure(&index.expr) && is_pure(&index.index),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_pure),
        Expr::Array(array) => array.elems.iter().all(is_pure),
        Expr::Binary(binary) => {
            let changes = super::operator::operator(&binary.op).is_some_and(|(_, assigns)| assigns);
            !changes && is_pure(&binary.left) && is_pure(&binary.right)
        }
        _ => false,
    }
}

/// `link.call(place.write_element(index, value))`, underlined at the place.
fn write_element(
    method: &str,
    place: &TokenStream,
    index: &TokenStream,
    value: &TokenStream,
    link: &Ident,
    ends: (Span, Span),
) -> TokenStream {
    let (name, link) = (Ident::new(method, own(ends.0)), Ident::new(&link.to_string(), own(ends.0)));
    let arguments = parens(quote!(#index, #value), ends.1);
    let called = parens(quote_spanned!(own(ends.0)=> #place.#name #arguments), ends.1);
    quote_spanned!(own(ends.0)=> #link.call #called;)
}
