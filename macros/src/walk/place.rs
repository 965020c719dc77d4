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
use super::part::member_text;
use super::{SyntaxWalk, WalkedExpr, node, whole_node};
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

/// A place of which everything is evaluated that stands between it and its variable: its indices, and the code of
/// the user's behind `[]`, which runs once.
pub(super) enum SettledPlace {
    /// A variable, a field of one, the target of a reference, or a view.
    Direct(TokenStream),
    /// A `#[tile_static]` name.
    TileStatic(Ident),
    /// `base[index]`: `found` has what that code has found.
    Index { base: Box<SettledPlace>, index: Ident, written: Box<Expr>, found: Ident, ends: (Span, Span) },
    /// `base.member`, where the base is not direct.
    Field { base: Box<SettledPlace>, member: Member },
}

/// How an element is reached.
#[derive(Clone, Copy)]
pub(super) struct ElementIndex<'p> {
    pub(super) base: &'p TokenStream,
    pub(super) index: &'p TokenStream,
    /// As it is written.
    pub(super) written: &'p Expr,
    pub(super) ends: (Span, Span),
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
        if let ExprKind::Index(base, ..) = &place.tree.kind
            && self.is_array_of_references(base)
        {
            return self.refuse_changed_references(place.ends.0);
        }
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
                let store = self.store(shape, &quote!(#name), span);
                braces(quote_spanned!(own(span)=> let #name = #value; #owned #store), ends.1)
            }
        };
        let tree = whole_node(ExprKind::Assign(Box::new(place.tree), Box::new(value.tree)), span, ends);
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

    /// Is it the name of an array of references, as that was written?
    pub(super) fn is_array_of_references(&self, tree: &tilewise_ast::Expr) -> bool {
        matches!(tree.kind, ExprKind::Local(local) if self.names.named(local).array_of_references)
    }

    /// An array of references that is changed.
    pub(super) fn refuse_changed_references(&mut self, span: Span) -> WalkedExpr {
        let message = "in a kernel, an array of references does not change; change an array of numbers in its place, \
                       `let mut order = [0, 1]; order.swap(0, 1);`, and read `refs[order[0]]`";
        // `(r[0], r[1]) = (r[1], r[0])` is one mistake.
        if self.errors.iter().any(|error| error.to_string() == message) {
            return self.refused(span);
        }
        self.refuse(span, message)
    }

    /// `place op= value`, the value first: the operator changes a copy, which is written back.
    pub(super) fn assign_op(&mut self, binary: &ExprBinary, op: Binary) -> WalkedExpr {
        let span = binary.op.span();
        let (lent, value) = self.operand_with_place(&binary.right);
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
        let mut before = PlaceEvaluation::default();
        let settled = self.settle(&place.shape, span, &mut before);
        let (before, change) = (before.code, self.change(&settled, &sum, span));
        let code = braces(quote_spanned!(own(span)=> #lent let #name = #value_code; #owned #before #change), ends.1);
        let tree = whole_node(ExprKind::AssignOp(op, Box::new(place.tree), Box::new(value.tree), link), span, ends);
        WalkedExpr { code, tree, ty: None, loose: true, ends }
    }

    /// An operand that the code around the operator keeps: what `&value` refers to has a name there.
    fn operand_with_place(&mut self, operand: &Expr) -> (TokenStream, WalkedExpr) {
        let walked = self.expr(operand);
        let Expr::Reference(reference) = strip(operand) else { return (TokenStream::new(), walked) };
        if self.is_place(&reference.expr).is_ok() {
            return (TokenStream::new(), walked);
        }
        let (name, code) = (self.own_name("o", walked.ends.0), &walked.code);
        let lent = quote_spanned!(own(walked.ends.0)=> let #name = #code;);
        (lent, WalkedExpr { code: quote!(#name), loose: false, ..walked })
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
                if using == PlaceUse::Change {
                    self.refuse_pair(index);
                }
                let base = self.reached(&index.expr, using);
                let at = self.expr(&index.index);
                let span = index.bracket_token.span.join();
                let (link, slot) = self.linked(span);
                let tree = whole_node(ExprKind::Index(Box::new(base.tree), Box::new(at.tree), Some(slot)), span, ends);
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
        let named = self.names.named(local);
        if named.perhaps_reference && !named.item && !self.names.is_mutable(local) {
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

    /// Evaluates what stands between the place and its variable, from the outermost index on, before any element is
    /// read to be changed: so nothing that this code changes is lost.
    pub(super) fn settle(&mut self, shape: &PlaceShape, span: Span, before: &mut PlaceEvaluation) -> SettledPlace {
        match shape {
            PlaceShape::Direct(code) => SettledPlace::Direct(code.clone()),
            PlaceShape::TileStatic(name) => SettledPlace::TileStatic(name.clone()),
            PlaceShape::Value(value) => {
                let name = self.own_name("b", span);
                before.set_changing(&name, value, span);
                SettledPlace::Direct(quote!(#name))
            }
            PlaceShape::Field { base, member } => match self.settle(base, span, before) {
                SettledPlace::Direct(code) => SettledPlace::Direct(quote_spanned!(own(span)=> #code.#member)),
                base => SettledPlace::Field { base: Box::new(base), member: member.clone() },
            },
            PlaceShape::Index { base, index, written, link, ends } => {
                let base = self.settle(base, span, before);
                let (name, found) = (self.own_name("i", ends.0), self.own_name("f", ends.0));
                before.set(&name, index, ends.0);
                let at = ElementIndex { base: &base.value(), index: &quote!(#name), written, ends: *ends };
                before.set(&found, &base.only_if_needed(at.find(link), link, ends.0), ends.0);
                SettledPlace::Index { base: Box::new(base), index: name, written: written.clone(), found, ends: *ends }
            }
        }
    }

    /// Stores an evaluated value.
    fn store(&mut self, shape: &PlaceShape, value: &TokenStream, span: Span) -> TokenStream {
        let mut before = PlaceEvaluation::default();
        let store = match shape {
            PlaceShape::Direct(place) | PlaceShape::Value(place) => quote_spanned!(own(span)=> #place = #value;),
            PlaceShape::Index { base, index, written, link, ends } if base.is_whole() => {
                let base = self.settle(base, span, &mut before).value();
                let index = if is_pure(written) {
                    index.clone()
                } else {
                    let name = self.own_name("i", ends.0);
                    before.set(&name, index, ends.0);
                    quote!(#name)
                };
                ElementIndex { base: &base, index: &index, written, ends: *ends }.write_element(value, link)
            }
            other => {
                let place = self.settle(other, span, &mut before);
                self.put(&place, value, span)
            }
        };
        let before = before.code;
        quote!(#before #store)
    }

    /// Stores an evaluated value in a settled place.
    pub(super) fn put(&mut self, place: &SettledPlace, value: &TokenStream, span: Span) -> TokenStream {
        match place {
            SettledPlace::Direct(place) => quote_spanned!(own(span)=> #place = #value;),
            SettledPlace::TileStatic(name) => quote_spanned!(own(span)=> #name.set(#value);),
            SettledPlace::Index { base, index, written, found, ends } => self.with(base, span, &mut |_, place| {
                ElementIndex { base: &place, index: &quote!(#index), written, ends: *ends }.put_back(found, value)
            }),
            SettledPlace::Field { base, member } => {
                self.with_value(base, span, &mut |_, place| quote_spanned!(own(span)=> #place.#member = #value;))
            }
        }
    }

    /// Stores the result of `sum` applied to the current value.
    fn change(&mut self, place: &SettledPlace, sum: &dyn Fn(TokenStream) -> TokenStream, span: Span) -> TokenStream {
        match place {
            SettledPlace::Direct(place) => {
                let value = sum(place.clone());
                quote_spanned!(own(span)=> #place = #value;)
            }
            SettledPlace::TileStatic(name) => {
                let value = sum(quote_spanned!(own(span)=> #name.get()));
                quote_spanned!(own(span)=> #name.set(#value);)
            }
            SettledPlace::Index { base, index, written, found, ends } => self.with(base, span, &mut |_, place| {
                let at = ElementIndex { base: &place, index: &quote!(#index), written, ends: *ends };
                at.put_back(found, &sum(at.read_changing(found)))
            }),
            SettledPlace::Field { base, member } => self.with_value(base, span, &mut |_, place| {
                let value = sum(quote!(#place.#member));
                quote_spanned!(own(span)=> #place.#member = #value;)
            }),
        }
    }

    /// Calls `then` with the base of an index: a view, a variable, a `#[tile_static]` name, or the
    /// copy of an element that is written back.
    fn with(
        &mut self,
        base: &SettledPlace,
        span: Span,
        then: &mut dyn FnMut(&mut SyntaxWalk, TokenStream) -> TokenStream,
    ) -> TokenStream {
        match base {
            SettledPlace::TileStatic(name) => then(self, quote!(#name)),
            other => self.with_value(other, span, then),
        }
    }

    /// Calls `then` with the base of a field: a variable, or a copy that is written back.
    fn with_value(
        &mut self,
        base: &SettledPlace,
        span: Span,
        then: &mut dyn FnMut(&mut SyntaxWalk, TokenStream) -> TokenStream,
    ) -> TokenStream {
        match base {
            SettledPlace::Direct(place) => then(self, place.clone()),
            SettledPlace::TileStatic(tile) => {
                let name = self.own_name("e", span);
                let inner = then(self, quote!(#name));
                quote_spanned!(own(span)=> let mut #name = #tile.get(); #inner #tile.set(#name);)
            }
            SettledPlace::Index { base, index, written, found, ends } => self.with(base, span, &mut |walk, place| {
                let name = walk.own_name("e", ends.0);
                let at = ElementIndex { base: &place, index: &quote!(#index), written, ends: *ends };
                let (element, inner) = (at.read_changing(found), then(walk, quote!(#name)));
                let back = at.put_back(found, &quote!(#name));
                quote_spanned! {own(span)=>
                    #[allow(unused_mut, reason = "some changes need it")]
                    let mut #name = #element;
                    #inner
                    #back
                }
            }),
            SettledPlace::Field { base, member } => {
                self.with_value(base, span, &mut |walk, place| then(walk, quote!(#place.#member)))
            }
        }
    }
}

impl PlaceShape {
    /// Is it a field of an element or of a `#[tile_static]` variable, of which the closure has a copy?
    pub(super) fn is_field_of_a_copy(&self) -> bool {
        let PlaceShape::Field { base, .. } = self else { return false };
        match &**base {
            PlaceShape::Index { .. } | PlaceShape::TileStatic(_) => true,
            PlaceShape::Field { .. } => base.is_field_of_a_copy(),
            PlaceShape::Direct(_) | PlaceShape::Value(_) => false,
        }
    }

    /// Is it an element, or a part of one?
    pub(super) fn has_index(&self) -> bool {
        match self {
            PlaceShape::Index { .. } => true,
            PlaceShape::Field { base, .. } => base.has_index(),
            PlaceShape::Direct(_) | PlaceShape::TileStatic(_) | PlaceShape::Value(_) => false,
        }
    }

    /// Is it reached without an element or a field?
    fn is_whole(&self) -> bool {
        match self {
            PlaceShape::Direct(_) | PlaceShape::TileStatic(_) | PlaceShape::Value(_) => true,
            PlaceShape::Field { .. } | PlaceShape::Index { .. } => false,
        }
    }
}

impl SettledPlace {
    /// Its current value; of a `#[tile_static]` name, the name.
    fn value(&self) -> TokenStream {
        match self {
            SettledPlace::TileStatic(name) => quote!(#name),
            other => other.current(),
        }
    }

    /// Its current value.
    pub(super) fn current(&self) -> TokenStream {
        match self {
            SettledPlace::Direct(code) => code.clone(),
            SettledPlace::TileStatic(name) => quote!(#name.get()),
            SettledPlace::Field { base, member } => {
                let base = base.current();
                quote!(#base.#member)
            }
            SettledPlace::Index { base, index, written, found, ends } => {
                let at = ElementIndex { base: &base.value(), index: &quote!(#index), written, ends: *ends };
                at.read_changing(found)
            }
        }
    }

    /// The code that finds an element of this place. The place is read for it, so if that reads an element, only
    /// where there is code of the user's to run.
    fn only_if_needed(&self, find: TokenStream, link: &Ident, at: Span) -> TokenStream {
        match self {
            SettledPlace::Direct(_) | SettledPlace::TileStatic(_) => find,
            SettledPlace::Index { .. } | SettledPlace::Field { .. } => {
                let link = Ident::new(&link.to_string(), own(at));
                quote_spanned! {own(at)=>
                    if ::tilewise::macro_support::runs_code(#link) { #find } else { ::core::option::Option::None }
                }
            }
        }
    }
}

/// The code that evaluates a place.
#[derive(Default)]
pub(super) struct PlaceEvaluation {
    pub(super) code: TokenStream,
    /// The names that it gives values, if they are declared elsewhere.
    pub(super) declared: Option<Vec<Ident>>,
}

impl PlaceEvaluation {
    pub(super) fn set(&mut self, name: &Ident, value: &TokenStream, span: Span) {
        match &mut self.declared {
            None => self.code.extend(quote_spanned!(own(span)=> let #name = #value;)),
            Some(names) => {
                names.push(name.clone());
                self.code.extend(quote_spanned!(own(span)=> #name = #value;));
            }
        }
    }

    /// A name whose value may then be changed.
    fn set_changing(&mut self, name: &Ident, value: &TokenStream, span: Span) {
        match self.declared {
            Some(_) => self.set(name, value, span),
            None => self.code.extend(quote_spanned! {own(span)=>
                #[allow(unused_mut, reason = "some changes need it")]
                let mut #name = #value;
            }),
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

impl ElementIndex<'_> {
    /// `macro_support::read(&base, index, link)`; an error about the index underlines the index.
    pub(super) fn read(self, link: &Ident) -> TokenStream {
        let link = Ident::new(&link.to_string(), own(self.ends.0));
        self.function("read", &quote!(#link), (self.written.span(), self.ends.1))
    }

    /// Runs the code of the user's that names the element, which is then read and written.
    fn find(self, link: &Ident) -> TokenStream {
        let link = Ident::new(&link.to_string(), own(self.ends.0));
        self.function("find", &quote!(#link), (self.ends.0, self.ends.0))
    }

    /// The element as it has been found.
    fn read_changing(self, found: &Ident) -> TokenStream {
        self.function("read_changing", &quote!(#found), (self.ends.0, self.ends.0))
    }

    /// With the user's spans, a panic on the host would be at the user's line, and rustc would blame the
    /// whole macro for a wrong index. Where name and end stand at one place, rustc's errors about both are equal, and
    /// it reports one.
    fn function(self, name: &str, last: &TokenStream, (name_at, end): (Span, Span)) -> TokenStream {
        let ElementIndex { base, index, ends, .. } = self;
        let (whole, name) = (own(ends.0), Ident::new(name, own(name_at)));
        let arguments = parens(quote_spanned!(whole=> &#base, #index, #last), end);
        quote_spanned!(whole=> ::tilewise::macro_support::#name #arguments)
    }

    /// `link.call(place.write_element(index, value))`, underlined at the place.
    fn write_element(self, value: &TokenStream, link: &Ident) -> TokenStream {
        let ElementIndex { base, index, ends, .. } = self;
        let (name, link) = (Ident::new("write_element", own(ends.0)), Ident::new(&link.to_string(), own(ends.0)));
        let arguments = parens(quote!(#index, #value), ends.1);
        let called = parens(quote_spanned!(own(ends.0)=> #base.#name #arguments), ends.1);
        quote_spanned!(own(ends.0)=> #link.call #called;)
    }

    /// `place.put_back(index, found, value);`, underlined where the functions above are: then rustc's errors about a
    /// wrong index are equal, and it reports one.
    fn put_back(self, found: &Ident, value: &TokenStream) -> TokenStream {
        let ElementIndex { base, index, ends, .. } = self;
        let name = Ident::new("put_back", own(ends.0));
        let arguments = parens(quote!(#index, #found, #value), ends.0);
        quote_spanned!(own(ends.0)=> #base.#name #arguments;)
    }
}
