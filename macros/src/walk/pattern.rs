//! Patterns of `let`, of parameters, of `match` and of conditions. The closure keeps them as written,
//! except for new names where a pattern may fail, which become `name @ _`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{FieldPat, Lit, Pat, PatIdent, PatTuple, RangeLimits, Token};
use tilewise_ast::{ConstSlot, FieldPattern, LocalId, Pattern};

use super::block::pattern_span;
use super::known::KnownId;
use super::names::{Mutability, Named, is_capital};
use super::part::member_text;
use super::{ConstantKind, SyntaxWalk, text};
use crate::at::{at, own};

/// What stands between what a pattern takes apart and the type that is known of it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TypeBehind {
    /// Nothing: it is that type.
    #[default]
    Nothing,
    /// It is a reference to that type.
    OneReference,
    /// It is that type, or references to it, however many.
    AllReferences,
}

/// What a pattern is held against, and how.
#[derive(Clone, Copy, Default)]
pub(crate) struct PatternUse {
    /// The type of what it takes apart, without the references that `behind` names.
    pub(crate) ty: Option<KnownId>,
    /// The references that `&` of a pattern takes away before it is about `ty`.
    pub(crate) behind: TypeBehind,
    /// If a reference is taken apart: names are references to parts then.
    pub(crate) reference: Option<Mutability>,
    /// Is it a parameter of a closure without a type?
    pub(crate) untyped_parameter: bool,
    /// Is it an item of an iterator, which may be a reference, or hold some?
    pub(crate) item: bool,
    /// If it is a tuple that holds references, as that is written: the row of its parts in the walk's table.
    pub(crate) tuple: Option<usize>,
    /// Is it an iterator, or what the methods of one give?
    pub(crate) iterator: bool,
    /// Is it an array, as that is written?
    pub(crate) array: bool,
    /// Is it an array of references, as that is written?
    pub(crate) array_of_references: bool,
    /// May it fail? Then a name with a capital is a constant or a variant.
    pub(crate) refutable: bool,
    /// Is it one of an arm, which has an arm for each of several patterns?
    pub(crate) arm: bool,
    /// Are the names assigned later?
    pub(crate) late: bool,
    /// Names of the scope from this one on belong to this pattern, so that those of another
    /// alternative of `a | b` are the same.
    pub(crate) since: LocalId,
}

impl PatternUse {
    /// For a part of what is taken apart.
    fn part(self, ty: Option<KnownId>) -> PatternUse {
        PatternUse {
            ty,
            behind: TypeBehind::Nothing,
            tuple: None,
            iterator: false,
            array: false,
            array_of_references: false,
            ..self
        }
    }

    /// For the whole of what is taken apart: of a reference, the type is that of its target.
    fn whole(self) -> PatternUse {
        match self.reference {
            Some(_) => PatternUse { behind: TypeBehind::OneReference, ..self },
            None => self,
        }
    }

    /// For a part of a tuple that is held against the pattern as this tells.
    fn of_tuple(self, part: PatternUse) -> PatternUse {
        let PatternUse { refutable, arm, late, since, .. } = self;
        PatternUse { refutable, arm, late, since, ..part }.whole()
    }

    /// The facts about a name that is bound to the whole.
    fn named(self) -> Named {
        match self.reference {
            // Its parts may be references.
            None if self.tuple.is_some() => {
                Named { tuple: self.tuple, perhaps_reference: true, item: true, ..Named::default() }
            }
            None => Named {
                ty: self.ty,
                perhaps_reference: self.untyped_parameter || self.item,
                item: self.item,
                iterator: self.iterator,
                array: self.array,
                array_of_references: self.array_of_references,
                ..Named::default()
            },
            Some(_) => Named { reference: self.reference, target: self.ty, ..Named::default() },
        }
    }
}

impl SyntaxWalk {
    /// Walks a pattern and binds its names in the innermost scope.
    pub(crate) fn pattern(&mut self, pattern: &Pat, using: PatternUse) -> Pattern {
        let since = self.names.count();
        self.pattern_part(pattern, PatternUse { since, ..using }.whole())
    }

    fn pattern_part(&mut self, pattern: &Pat, using: PatternUse) -> Pattern {
        let (span, hole) = (pattern_span(pattern), hole());
        match pattern {
            Pat::Ident(name) => self.name_pattern(name, using),
            Pat::Wild(_) => Pattern::Wild,
            Pat::Rest(_) => Pattern::Rest,
            Pat::Paren(inner) => self.pattern_part(&inner.pat, using),
            Pat::Tuple(tuple) => {
                let rest = tuple.elems.iter().position(|part| matches!(part, Pat::Rest(_)));
                let uses = using.tuple.and_then(|row| self.tuples.get(row)).cloned().unwrap_or_default();
                let part = |(index, part): (usize, &Pat)| {
                    if let Some(taken) = position(tuple, index, uses.len()).and_then(|at| uses.get(at)) {
                        return self.pattern_part(part, using.of_tuple(*taken));
                    }
                    // The position of a part behind `..` is known to rustc alone.
                    let before = rest.is_none_or(|rest| index < rest);
                    let ty = using.ty.filter(|_| before).map(|ty| self.part(ty, index, pattern_span(part)));
                    self.pattern_part(part, using.part(ty))
                };
                Pattern::Tuple(tuple.elems.iter().enumerate().map(part).collect())
            }
            Pat::Slice(slice) => {
                let ty = using.ty.map(|ty| self.element(ty, span));
                let parts = slice.elems.iter().map(|part| {
                    // `rest @ ..` is an array of another type.
                    let whole = matches!(part, Pat::Ident(name) if name.subpat.is_some());
                    self.pattern_part(part, using.part(ty.filter(|_| !whole)))
                });
                Pattern::Tuple(parts.collect())
            }
            Pat::TupleStruct(pattern) => {
                if let Some(qself) = &pattern.qself {
                    return self.no_pattern(qself.lt_token.span, "name the type by its own path in a kernel");
                }
                let path = &pattern.path;
                let rest = pattern.elems.iter().position(|part| matches!(part, Pat::Rest(_)));
                let variant = self.variant(using.ty, quote!(#path(..)), super::aggregate::path_span(path));
                let count = pattern.elems.len();
                let mut parts = Vec::new();
                for (index, part) in pattern.elems.iter().enumerate() {
                    let ty = using.ty.map(|ty| match rest {
                        Some(rest) if index >= rest => self.behind_rest(ty, index, rest, count, path),
                        _ => {
                            let before = (0..index).map(|_| quote!(_,));
                            self.through(ty, quote!(#path(#(#before)* #hole, ..)), pattern_span(part))
                        }
                    });
                    parts.push(self.pattern_part(part, using.part(ty)));
                }
                Pattern::Positions(variant, parts, at(span))
            }
            Pat::Struct(pattern) => {
                if let Some(qself) = &pattern.qself {
                    return self.no_pattern(qself.lt_token.span, "name the type by its own path in a kernel");
                }
                let path = &pattern.path;
                let variant = self.variant(using.ty, quote!(#path { .. }), super::aggregate::path_span(path));
                let mut fields = Vec::new();
                for FieldPat { member, pat, .. } in &pattern.fields {
                    let ty = using
                        .ty
                        .map(|ty| self.through(ty, quote!(#path { #member: #hole, .. }), pattern_span(pat)));
                    fields.push(FieldPattern {
                        name: member_text(member),
                        pattern: self.pattern_part(pat, using.part(ty)),
                    });
                }
                Pattern::Fields(variant, fields, at(span))
            }
            Pat::Or(or) => {
                let cases: Vec<Pattern> = or.cases.iter().map(|case| self.pattern_part(case, using)).collect();
                // Which of them gives a name its value is found by an arm for each, which other patterns do not have.
                if !using.arm
                    && let Some(name) = cases.first().and_then(|case| case.names().first().copied())
                {
                    let name = self.names.text(name).to_owned();
                    let help = format!("write `let {name} = match value {{ .. => {name}, .. => {name} }};`");
                    let place = or.cases.pairs().next().and_then(|pair| pair.punct().map(|sign| sign.span));
                    let message =
                        format!("in a kernel, a `match` finds which of several patterns gives `{name}` its value: {help}");
                    return self.no_pattern(place.unwrap_or(span), &message);
                }
                Pattern::Or(cases)
            }
            Pat::Lit(lit) => self.literal_pattern(&lit.lit, false),
            Pat::Path(path) => self.constant_pattern(quote!(#path), span, using.ty),
            Pat::Range(range) => {
                let low = range.start.as_ref().map(|end| Box::new(self.end(end)));
                let high = range.end.as_ref().map(|end| Box::new(self.end(end)));
                Pattern::Range(low, high, matches!(range.limits, RangeLimits::Closed(_)), at(span))
            }
            Pat::Type(typed) => self.pattern_part(&typed.pat, using),
            Pat::Reference(reference) if reference.mutability.is_none() => {
                let (ty, behind) = match using.behind {
                    TypeBehind::OneReference => (using.ty, TypeBehind::Nothing),
                    TypeBehind::AllReferences => (using.ty, TypeBehind::AllReferences),
                    // Of a reference to a slice too, the type tells that of an element.
                    TypeBehind::Nothing if is_slice(&reference.pat) => (using.ty, TypeBehind::Nothing),
                    TypeBehind::Nothing => {
                        let ty = using.ty.map(|ty| self.through(ty, quote!(&#hole), pattern_span(&reference.pat)));
                        (ty, TypeBehind::Nothing)
                    }
                };
                let inner = PatternUse { ty, behind, reference: None, ..using };
                Pattern::Deref(Box::new(self.pattern_part(&reference.pat, inner)))
            }
            Pat::Reference(reference) => self.no_pattern(
                reference.and_token.span,
                "in a kernel, `&mut` does not stand in a pattern: leave it out, and use `*x` of a name that is a reference",
            ),
            _ => self.no_pattern(
                span,
                "in a kernel, a pattern consists of names, `_`, numbers, ranges, constants, structs, variants, tuples, arrays and `|`",
            ),
        }
    }

    /// Is there a `&mut` reference in the tuple of this row?
    fn holds_exclusive(&self, row: usize) -> bool {
        self.tuples[row].iter().any(|part| {
            part.reference == Some(Mutability::Exclusive) || part.tuple.is_some_and(|row| self.holds_exclusive(row))
        })
    }

    fn no_pattern(&mut self, span: Span, message: &str) -> Pattern {
        self.error(span, message);
        Pattern::Wild
    }

    fn name_pattern(&mut self, name: &PatIdent, using: PatternUse) -> Pattern {
        if let Some(token) = &name.by_ref {
            let help = "take a reference apart instead, `match &mut x { .. }`";
            let message = format!("in a kernel, a pattern has no `ref`: leave it out; {help}");
            self.error(token.span, message);
            // One error is enough: the name is there.
            let reference = Some(if name.mutability.is_some() { Mutability::Exclusive } else { Mutability::Shared });
            return Pattern::Bind(self.names.bind(&name.ident, false, Named { reference, ..Named::default() }));
        }
        if let Some(row) = using.tuple.filter(|row| self.holds_exclusive(*row)) {
            let parts: Vec<String> = (0..self.tuples[row].len()).map(|part| format!("x{part}")).collect();
            let help = format!("give its parts names, `({})`", parts.join(", "));
            let message = format!("in a kernel, a tuple with a `&mut` reference gets no name: {help}");
            return self.no_pattern(name.ident.span(), &message);
        }
        let is_bare = name.subpat.is_none() && name.mutability.is_none();
        if using.refutable && is_bare && is_capital(&text(&name.ident)) {
            let ident = &name.ident;
            return self.constant_pattern(quote!(#ident), name.ident.span(), using.ty);
        }
        let local = match self.names.bound_here(&name.ident).filter(|local| *local >= using.since) {
            Some(local) => local,
            None => {
                let mutable = using.late || name.mutability.is_some();
                let named = match using.reference {
                    // It may refer to something else later, so it is a variable that holds a reference.
                    Some(Mutability::Shared) if name.mutability.is_some() => {
                        Named { perhaps_reference: true, item: true, ..Named::default() }
                    }
                    _ => using.named(),
                };
                self.names.bind(&name.ident, mutable, named)
            }
        };
        match &name.subpat {
            None => Pattern::Bind(local),
            Some((_, inner)) => Pattern::At(local, Box::new(self.pattern_part(inner, using))),
        }
    }

    /// The type of a part behind `..`, counted from the end.
    fn behind_rest(&mut self, ty: KnownId, index: usize, rest: usize, count: usize, path: &syn::Path) -> KnownId {
        let (span, hole) = (Span::mixed_site(), hole());
        if index == rest {
            return ty;
        }
        let after = (index + 1..count).map(|_| quote!(, _));
        self.through(ty, quote!(#path(.., #hole #(#after)*)), span)
    }

    /// The slot of the constant that is the number of the variant which the pattern fits.
    pub(super) fn variant(&mut self, of: Option<KnownId>, pattern: TokenStream, span: Span) -> ConstSlot {
        let slot = self.constant_slot(&pattern, span, of);
        self.constants[slot as usize].kind = ConstantKind::Variant;
        slot
    }

    /// The pattern with names that rustc and the tree read alike: a bare name in a pattern that may
    /// fail may be a constant or a new binding. A new name becomes `name @ _`, an error if a constant
    /// has this name.
    pub(super) fn unmistakable(pattern: &Pat) -> Pat {
        struct PatternNames;
        impl VisitMut for PatternNames {
            fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
                syn::visit_mut::visit_pat_ident_mut(self, name);
                let is_constant = is_capital(&text(&name.ident)) && name.mutability.is_none();
                if name.by_ref.is_some() || name.subpat.is_some() || is_constant {
                    return;
                }
                let span = own(name.ident.span());
                let any = Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](span) });
                name.subpat = Some((Token![@](span), Box::new(any)));
            }

            fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
                // `Point { x }` has no form with `@`.
                if field.colon_token.is_none() {
                    field.colon_token = Some(Token![:](Span::mixed_site()));
                }
                syn::visit_mut::visit_field_pat_mut(self, field);
            }
        }
        let mut pattern = pattern.clone();
        PatternNames.visit_pat_mut(&mut pattern);
        pattern
    }

    fn end(&mut self, end: &syn::Expr) -> Pattern {
        match end {
            syn::Expr::Lit(lit) => self.literal_pattern(&lit.lit, false),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match &*unary.expr {
                syn::Expr::Lit(lit) => self.literal_pattern(&lit.lit, true),
                _ => self.strange_end(end),
            },
            syn::Expr::Path(path) => self.constant_pattern(quote!(#path), super::expr::ends(path).0, None),
            _ => self.strange_end(end),
        }
    }

    fn strange_end(&mut self, end: &syn::Expr) -> Pattern {
        self.no_pattern(super::expr::ends(end).0, "the end of a range is a number or a constant")
    }

    fn literal_pattern(&mut self, lit: &Lit, negative: bool) -> Pattern {
        // In patterns, `syn` parses the sign as a part of the number.
        let (lit, negative) = match unsigned(lit) {
            Some(lit) => (lit, true),
            None => (lit.clone(), negative),
        };
        let Some((literal, _)) = self.literal_value(&lit) else { return Pattern::Wild };
        Pattern::Literal(literal, negative, at(lit.span()))
    }

    fn constant_pattern(&mut self, written: TokenStream, span: Span, ty: Option<KnownId>) -> Pattern {
        // A variant may be of a generic enum, whose arguments follow from what it is compared with.
        // A constant in capitals has a type of its own, and rustc has compared the two.
        let names: Vec<String> = written.clone().into_iter().map(|token| token.to_string()).collect();
        let last = names.last().map_or("", String::as_str);
        // Of `Tree::E` it cannot be seen which it is; a constant of a type mostly has that type.
        let of_a_type = matches!(&names[..], [.., owner, _, _, _] if is_capital(owner));
        let ty = ty.filter(|_| last.contains(char::is_lowercase) || of_a_type);
        let slot = self.constant_slot(&written, span, ty);
        self.constants[slot as usize].kind = ConstantKind::Pattern;
        Pattern::Const(slot, at(span))
    }
}

/// The name of the part in the pattern of [`SyntaxWalk::through`].
fn hole() -> Ident {
    Ident::new("__part", Span::mixed_site())
}

/// The position in a tuple of `count` parts of what a part of its pattern stands for; `None` for `..`.
pub(super) fn position(pattern: &PatTuple, index: usize, count: usize) -> Option<usize> {
    match pattern.elems.iter().position(|part| matches!(part, Pat::Rest(_))) {
        Some(rest) if index == rest => None,
        Some(rest) if index > rest => (count + index).checked_sub(pattern.elems.len()),
        _ => Some(index),
    }
}

/// Is it `[a, b]`, a pattern of an array?
fn is_slice(pattern: &Pat) -> bool {
    match pattern {
        Pat::Slice(_) => true,
        Pat::Paren(inner) => is_slice(&inner.pat),
        _ => false,
    }
}

/// Does a pattern do more than to name what it is held against?
pub(super) fn takes_apart(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.subpat.is_some(),
        Pat::Wild(_) => false,
        Pat::Paren(inner) => takes_apart(&inner.pat),
        Pat::Type(typed) => takes_apart(&typed.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().any(|part| takes_apart(part) || matches!(part, Pat::Rest(_))),
        _ => true,
    }
}

/// The number without the sign, if it is negative.
fn unsigned(lit: &Lit) -> Option<Lit> {
    let text = match lit {
        Lit::Int(number) => number.to_string(),
        Lit::Float(number) => number.to_string(),
        _ => return None,
    };
    let mut number: Lit = syn::parse_str(text.strip_prefix('-')?.trim_start()).ok()?;
    number.set_span(lit.span());
    Some(number)
}
