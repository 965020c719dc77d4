//! Types as far as the macro knows them: as written, or by a witness whose type rustc infers. A
//! type enters the table of types only when the tree names it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Lifetime, Type};
use tilewise_ast::TypeSlot;

use super::inferred::InferredKind;
use super::{SyntaxWalk, WalkedExpr};
use crate::at::{own, parens};

/// Number of a known type in the walk.
pub(crate) type KnownId = usize;

/// A type known to the walk.
pub(crate) struct KnownType {
    how: KnownFrom,
    /// The position for the error "this type cannot be used in a kernel".
    span: Span,
    slot: Option<TypeSlot>,
}

enum KnownFrom {
    /// The type of this witness.
    Witness(Ident),
    /// As written.
    Written(TokenStream),
    /// A part of a tuple.
    Part(KnownId, usize),
    /// An element of an array.
    Element(KnownId),
    /// What `__part` is in a pattern that fits a value of a type.
    Through(KnownId, TokenStream),
    /// Of a number without a suffix that is cast to a type; whether it is a float. It has no witness.
    LiteralUnder(KnownId, bool),
}

impl SyntaxWalk {
    fn know(&mut self, how: KnownFrom, span: Span) -> KnownId {
        self.known.push(KnownType { how, span, slot: None });
        self.known.len() - 1
    }

    /// A new witness.
    pub(crate) fn witness(&mut self, span: Span) -> (Ident, KnownId) {
        self.new_witness(span, false)
    }

    /// A new witness that the code around the closure uses too.
    pub(super) fn outer_witness(&mut self, span: Span) -> (Ident, KnownId) {
        self.new_witness(span, true)
    }

    fn new_witness(&mut self, span: Span, outer: bool) -> (Ident, KnownId) {
        let name = Ident::new(&format!("__w{}", self.known.len()), own(span));
        self.inferred.declare(name.clone(), InferredKind::Witness, outer);
        let id = self.know(KnownFrom::Witness(name.clone()), span);
        (name, id)
    }

    /// A type as written; `None` if rustc must infer a part of it.
    pub(crate) fn written(&mut self, ty: &Type, span: Span) -> Option<KnownId> {
        if has_holes(ty) {
            return None;
        }
        let ty = without_lifetimes(ty.clone());
        Some(self.know(KnownFrom::Written(quote::quote!(#ty)), span))
    }

    /// A primitive type.
    pub(super) fn plain(&mut self, name: &str, span: Span) -> KnownId {
        let name = Ident::new(name, own(span));
        self.know(KnownFrom::Written(quote_spanned!(own(span)=> ::core::primitive::#name)), span)
    }

    pub(super) fn part(&mut self, of: KnownId, index: usize, span: Span) -> KnownId {
        self.know(KnownFrom::Part(of, index), span)
    }

    /// The type of an element of an array.
    pub(super) fn element(&mut self, of: KnownId, span: Span) -> KnownId {
        self.know(KnownFrom::Element(of), span)
    }

    /// The type of `__part` in a pattern for a value of the type `of`.
    pub(super) fn through(&mut self, of: KnownId, pattern: TokenStream, span: Span) -> KnownId {
        self.know(KnownFrom::Through(of, pattern), span)
    }

    /// The type of a number without a suffix that is cast to the type `target`.
    pub(super) fn literal_under(&mut self, target: KnownId, is_float: bool, span: Span) -> KnownId {
        self.know(KnownFrom::LiteralUnder(target, is_float), span)
    }

    /// Its index in the table of types.
    pub(crate) fn slot(&mut self, id: KnownId) -> TypeSlot {
        if let Some(slot) = self.known[id].slot {
            return slot;
        }
        self.slots.push(id);
        let slot = self.slots.len() as u32 - 1;
        self.known[id].slot = Some(slot);
        slot
    }

    /// Code for its witness.
    pub(crate) fn witness_code(&self, id: KnownId) -> TokenStream {
        let known = &self.known[id];
        let span = own(known.span);
        match &known.how {
            KnownFrom::Witness(name) => {
                let name = Ident::new(&name.to_string(), span);
                quote_spanned!(span=> #name)
            }
            KnownFrom::Written(ty) => quote_spanned!(span=> ::tilewise::macro_support::Witness::<#ty>::NEW),
            KnownFrom::Part(of, index) => {
                let of = self.witness_code(*of);
                quote_spanned!(span=> #of.part::<#index>())
            }
            KnownFrom::Element(of) => {
                let of = self.witness_code(*of);
                quote_spanned!(span=> #of.element_type())
            }
            KnownFrom::LiteralUnder(of, _) => self.witness_code(*of),
            KnownFrom::Through(of, pattern) => {
                let of = self.witness_code(*of);
                quote_spanned! {span=>
                    ::tilewise::macro_support::PatternPart(#of, |__whole| match __whole {
                        #pattern => __part,
                        #[allow(unreachable_patterns, reason = "a struct has no other form")]
                        _ => ::tilewise::macro_support::other_form(),
                    })
                    .part_type()
                }
            }
        }
    }

    /// Code for the type as data.
    pub(super) fn ty_code(&self, id: KnownId) -> TokenStream {
        let witness = self.witness_code(id);
        let span = own(self.known[id].span);
        let ty = quote_spanned!(span=> ::tilewise::types::KernelType::ty_of(#witness));
        match self.known[id].how {
            KnownFrom::LiteralUnder(_, is_float) => {
                quote_spanned!(span=> ::tilewise::macro_support::literal_under(#ty, #is_float))
            }
            _ => ty,
        }
    }

    /// Code for the entry of a type in the table of types of `#[tile_static]` variables.
    pub(super) fn shared_code(&self, id: KnownId) -> TokenStream {
        let witness = self.witness_code(id);
        let (slot, span) = (self.known[id].slot, own(self.known[id].span));
        quote_spanned!(span=> (#slot, ::tilewise::macro_support::type_id_of(#witness)))
    }

    /// The expression with a known type, if necessary by a new witness.
    pub(super) fn typed(&mut self, walked: WalkedExpr, span: Span) -> (WalkedExpr, KnownId) {
        if let Some(ty) = walked.ty {
            return (walked, ty);
        }
        let (witness, ty) = self.witness(span);
        (WalkedExpr { code: of(&witness, walked.code, walked.ends), ty: Some(ty), loose: false, ..walked }, ty)
    }
}

/// `witness.of(code)`, underlined from the first token to the last.
pub(super) fn of(witness: &Ident, code: TokenStream, ends: (Span, Span)) -> TokenStream {
    let witness = Ident::new(&witness.to_string(), own(ends.0));
    let argument = parens(code, ends.1);
    quote_spanned!(own(ends.1)=> #witness.of #argument)
}

/// `witness.result(code)`: the result of an operator.
pub(super) fn result(witness: &Ident, code: TokenStream, ends: (Span, Span)) -> TokenStream {
    let witness = Ident::new(&witness.to_string(), own(ends.0));
    let argument = parens(code, ends.1);
    quote_spanned!(own(ends.1)=> #witness.result #argument)
}

/// Does rustc infer a part of it?
fn has_holes(ty: &Type) -> bool {
    struct Holes(bool);
    impl VisitMut for Holes {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            self.0 |= matches!(ty, Type::Infer(_));
            visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut holes = Holes(false);
    holes.visit_type_mut(&mut ty.clone());
    holes.0
}

/// The type with `'static` for every lifetime: types as data have none, and a closure's lifetimes
/// cannot be named.
pub(crate) fn without_lifetimes(mut ty: Type) -> Type {
    struct Static;
    impl VisitMut for Static {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            visit_mut::visit_type_reference_mut(self, reference);
            reference.lifetime = Some(Lifetime::new("'static", reference.and_token.span));
        }
    }
    Static.visit_type_mut(&mut ty);
    ty
}
