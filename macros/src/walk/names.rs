//! Names: bound in the kernel, captured, or constants by their spelling.
//!
//! Two names are the same if their texts *and* their hygiene are the same: a name that a
//! `macro_rules!` wrote differs from the same text in its input. rustc resolves the closure so, and
//! the tree must agree.
//!
//! A procedural macro that writes a name with `Span::call_site()` gives it another number of an
//! expansion and no other hygiene; the numbers alone do not show that. So where a name of the same
//! text and another expansion is bound nearer, the tree has a **doubt**: code beside the closure that
//! rustc accepts only if it tells the two names apart, as the tree does.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use tilewise_ast::{CaptureId, LinkSlot, LocalId, SourceSpan, SyntaxLocal, SyntaxName};

use super::known::KnownId;
use super::text;
use crate::at::{at, own};

/// The names of one kernel or function.
pub(crate) struct WalkNames {
    scopes: Vec<HashMap<NameKey, LocalId>>,
    locals: Vec<SyntaxLocal>,
    named: Vec<Named>,
    captures: Vec<Captured>,
    /// The `move` closures around the current position, the innermost last.
    moves: Vec<MovedNames>,
    /// Bound names as they are written.
    written: HashMap<LocalId, Ident>,
    /// The expansions that have bound names.
    contexts: HashSet<String>,
    /// Names, each with one of the same text and another expansion that it must not be.
    doubts: Vec<(Ident, Ident)>,
}

/// The names that a `move` closure copies.
struct MovedNames {
    /// Names before this one are from around it.
    since: LocalId,
    /// Copies with what they are made of: the original, or the copy of the closure around this one.
    copies: Vec<(LocalId, LocalId)>,
}

/// Identity of a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NameKey {
    text: String,
    /// The macro expansion that it comes from, in rustc's numbering.
    context: String,
}

impl NameKey {
    pub(crate) fn of(ident: &Ident) -> NameKey {
        let text = text(ident);
        // The signature binds `self`, whichever expansion wrote it.
        let context = if text == "self" { String::new() } else { context(ident.span()) };
        NameKey { text, context }
    }

    /// Whether this has the same text and comes from another expansion.
    pub(super) fn is_other(&self, key: &NameKey) -> bool {
        self.text == key.text && self.context != key.context
    }
}

/// The number of the macro expansion that a token comes from. Stable Rust shows it in `Debug`
/// output only: `#3 bytes(5..6)`. If that has another form, all tokens count as one expansion's.
pub(super) fn context(span: Span) -> String {
    let told = format!("{span:?}");
    let number = told.strip_prefix('#').and_then(|rest| rest.split(' ').next());
    number.unwrap_or_default().to_owned()
}

/// The access that a reference gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mutability {
    /// `&`: reads.
    Shared,
    /// `&mut`: reads and writes.
    Exclusive,
}

/// The facts that the macro knows about a local name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Named {
    /// Its type.
    pub(crate) ty: Option<KnownId>,
    /// The type of its target, if it is a reference parameter.
    pub(crate) target: Option<KnownId>,
    /// The kind of reference, if it is a reference parameter.
    pub(crate) reference: Option<Mutability>,
    /// Is it a parameter of a closure without a type, which may be a reference?
    pub(crate) perhaps_reference: bool,
    /// Is it an item of an iterator, or a part of one?
    pub(crate) item: bool,
    /// If it is a tuple that holds references, as that was written: the row of its parts in the walk's table.
    pub(crate) tuple: Option<usize>,
    /// Declared with `#[tile_static]`?
    pub(crate) tile_static: bool,
    /// Is it a closure?
    pub(crate) callable: bool,
    /// Is it an iterator, or what the methods of one give?
    pub(crate) iterator: bool,
    /// Was it given an array, as that is written?
    pub(crate) array: bool,
    /// Was it given an array of references, as that is written?
    pub(crate) array_of_references: bool,
    /// Was it declared without a type and a value, and not assigned yet?
    pub(crate) untyped: bool,
    /// If it is a range, whether that is inclusive; then `ty` is the type of its numbers.
    pub(crate) range: Option<bool>,
}

/// A name that a closure captures.
pub(crate) struct Captured {
    /// Its identity. For `system.bodies`, that of `system`.
    pub(crate) key: NameKey,
    /// As in the tree.
    pub(crate) text: String,
    /// Its name in the closure.
    pub(crate) name: Ident,
    /// The captured expression, as written.
    pub(crate) source: TokenStream,
    pub(crate) witness: Ident,
    pub(crate) ty: KnownId,
    /// If it is an argument, which may be a function: the link to that.
    pub(crate) function: Option<(Ident, LinkSlot)>,
    pub(crate) at: SourceSpan,
}

impl WalkNames {
    pub(super) fn new() -> WalkNames {
        WalkNames {
            scopes: vec![HashMap::new()],
            locals: Vec::new(),
            named: Vec::new(),
            captures: Vec::new(),
            moves: Vec::new(),
            written: HashMap::new(),
            contexts: HashSet::new(),
            doubts: Vec::new(),
        }
    }

    pub(crate) fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Binds a name in the innermost scope.
    pub(crate) fn bind(&mut self, ident: &Ident, mutable: bool, named: Named) -> LocalId {
        let id = self.locals.len() as u32;
        self.locals.push(SyntaxLocal { text: text(ident), mutable, at: at(ident.span()) });
        self.named.push(named);
        let key = NameKey::of(ident);
        self.contexts.insert(key.context.clone());
        self.written.insert(id, ident.clone());
        self.scopes.last_mut().expect("there is a scope around everything").insert(key, id);
        id
    }

    /// Doubts that a name is not one of another expansion that is bound after `found`, its own.
    fn doubt_nearer(&mut self, name: &Ident, key: &NameKey, found: Option<LocalId>) {
        if self.contexts.iter().all(|context| *context == key.context) {
            return;
        }
        let nearer = |(other, id): &(&NameKey, &LocalId)| other.is_other(key) && found.is_none_or(|found| **id > found);
        let nearer: Vec<LocalId> = self.scopes.iter().flatten().filter(nearer).map(|(_, id)| *id).collect();
        for id in nearer {
            if let Some(other) = self.written.get(&id).cloned() {
                self.doubt(name, &other);
            }
        }
    }

    /// Notes that the tree takes these for two names, which have one text.
    pub(super) fn doubt(&mut self, name: &Ident, other: &Ident) {
        let pair = |a: &Ident, b: &Ident| (NameKey::of(a), NameKey::of(b));
        let new = pair(name, other);
        if self.doubts.iter().all(|(a, b)| pair(a, b) != new) {
            self.doubts.push((name.clone(), other.clone()));
        }
    }

    /// Code that rustc accepts if it takes the names of each doubt for two.
    pub(super) fn doubts(&self) -> TokenStream {
        let check = |(name, other): &(Ident, Ident)| {
            quote_spanned! {Span::mixed_site()=> {
                #[allow(unused_variables, reason = "shows which of the two a name is")]
                let #name = ::tilewise::macro_support::NameItself;
                #[allow(unused_variables, reason = "shows which of the two a name is")]
                let #other = ::tilewise::macro_support::HidingName;
                ::tilewise::macro_support::apart(#name);
            }}
        };
        self.doubts.iter().map(check).collect()
    }

    /// The name that is meant: in a `move` closure, the closure's copy.
    pub(super) fn find(&mut self, name: &Ident) -> Option<LocalId> {
        let key = NameKey::of(name);
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(&key)).copied();
        self.doubt_nearer(name, &key, found);
        let mut found = found?;
        let named = self.named(found);
        // These stand for places, or for what does not change.
        if named.reference.is_some() || named.tile_static || named.range.is_some() {
            return Some(found);
        }
        let original = found;
        for depth in 0..self.moves.len() {
            if original >= self.moves[depth].since {
                continue;
            }
            let known = self.moves[depth].copies.iter().find(|(_, original)| *original == found);
            found = match known {
                Some((copy, _)) => *copy,
                None => {
                    let copy = self.count();
                    self.locals.push(self.locals[found as usize].clone());
                    self.named.push(named);
                    self.moves[depth].copies.push((copy, found));
                    copy
                }
            };
        }
        Some(found)
    }

    /// The name that is bound there, whichever closure is around the current position.
    pub(super) fn bound(&self, name: &Ident) -> Option<LocalId> {
        let key = NameKey::of(name);
        self.scopes.iter().rev().find_map(|scope| scope.get(&key)).copied()
    }

    /// Enters a `move` closure.
    pub(super) fn enter_move(&mut self) {
        self.moves.push(MovedNames { since: self.count(), copies: Vec::new() });
    }

    /// Leaves it; returns its copies with their originals.
    pub(super) fn leave_move(&mut self) -> Vec<(LocalId, LocalId)> {
        self.moves.pop().map(|moved| moved.copies).unwrap_or_default()
    }

    /// The name, if the innermost scope binds it.
    pub(super) fn bound_here(&self, name: &Ident) -> Option<LocalId> {
        self.scopes.last().and_then(|scope| scope.get(&NameKey::of(name))).copied()
    }

    /// A name of the tree's own, which no name of the user's means.
    pub(super) fn hidden(&mut self, text: &str, span: Span) -> LocalId {
        self.locals.push(SyntaxLocal { text: text.to_owned(), mutable: false, at: at(span) });
        self.named.push(Named::default());
        self.locals.len() as u32 - 1
    }

    /// Number of local names so far.
    pub(super) fn count(&self) -> LocalId {
        self.locals.len() as u32
    }

    /// The name as it is written.
    pub(super) fn text(&self, id: LocalId) -> &str {
        &self.locals[id as usize].text
    }

    pub(super) fn named(&self, id: LocalId) -> Named {
        self.named[id as usize]
    }

    pub(super) fn is_mutable(&self, id: LocalId) -> bool {
        self.locals[id as usize].mutable
    }

    /// Its first assignment gives it its type.
    pub(super) fn assigned_first(&mut self, id: LocalId) -> bool {
        std::mem::take(&mut self.named[id as usize].untyped)
    }

    pub(super) fn captured(&self, text: &str, key: &NameKey) -> Option<CaptureId> {
        self.captures.iter().position(|captured| captured.text == text && captured.key == *key).map(|at| at as u32)
    }

    pub(super) fn add_capture(&mut self, captured: Captured) -> CaptureId {
        self.captures.push(captured);
        self.captures.len() as u32 - 1
    }

    /// The link of a captured name that may be a function.
    pub(super) fn function_link(&mut self, id: CaptureId) -> &mut Option<(Ident, LinkSlot)> {
        &mut self.captures[id as usize].function
    }

    pub(crate) fn captures(&self) -> &[Captured] {
        &self.captures
    }

    /// The tree's lists of captures and of locals.
    pub(crate) fn take(&mut self) -> (Vec<SyntaxName>, Vec<SyntaxLocal>) {
        let captures =
            self.captures.iter().map(|captured| SyntaxName { text: captured.text.clone(), at: captured.at }).collect();
        (captures, std::mem::take(&mut self.locals))
    }
}

/// Does it begin with a capital, as constants, variants and types do?
pub(crate) fn is_capital(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// Does it look like the name of a type: a capital, or a primitive type?
pub(super) fn is_type(name: &str) -> bool {
    let primitive = [
        "bool", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
        "char",
    ];
    is_capital(name) || primitive.contains(&name)
}

/// The name of `self` in the closure.
pub(crate) fn self_name(span: Span) -> Ident {
    Ident::new("__self", own(span))
}
