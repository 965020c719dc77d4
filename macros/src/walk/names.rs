//! Names: what is bound in the kernel, what it captures, and what a constant looks like.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use tilewise_ast::{At, CaptureId, Local, LocalId, Name};

use super::known::KnownId;
use super::text;
use crate::at::{at, own};

/// The names of one kernel or function.
pub(crate) struct Names {
    scopes: Vec<HashMap<String, LocalId>>,
    locals: Vec<Local>,
    named: Vec<Named>,
    captures: Vec<Captured>,
}

/// What the macro knows of a local name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Named {
    /// Its type.
    pub(crate) ty: Option<KnownId>,
    /// What it refers to, if it is a parameter that is a reference.
    pub(crate) target: Option<KnownId>,
    /// Is it a reference?
    pub(crate) reference: bool,
    /// Declared with `#[tile_static]`?
    pub(crate) tile_static: bool,
}

/// A name that a closure takes from around it.
pub(crate) struct Captured {
    /// As in the tree.
    pub(crate) text: String,
    /// The name it has in the closure.
    pub(crate) name: Ident,
    /// What is captured, as written.
    pub(crate) source: TokenStream,
    pub(crate) witness: Ident,
    pub(crate) ty: KnownId,
    pub(crate) at: At,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { scopes: vec![HashMap::new()], locals: Vec::new(), named: Vec::new(), captures: Vec::new() }
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
        self.locals.push(Local { text: text(ident), mutable, at: at(ident.span()) });
        self.named.push(named);
        self.scopes.last_mut().expect("there is a scope around everything").insert(text(ident), id);
        id
    }

    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// The name, if the innermost scope binds it.
    pub(super) fn bound_here(&self, name: &str) -> Option<LocalId> {
        self.scopes.last().and_then(|scope| scope.get(name)).copied()
    }

    pub(super) fn named(&self, id: LocalId) -> Named {
        self.named[id as usize]
    }

    pub(super) fn captured(&self, name: &str) -> Option<CaptureId> {
        self.captures.iter().position(|captured| captured.text == name).map(|at| at as u32)
    }

    pub(super) fn add_capture(&mut self, captured: Captured) -> CaptureId {
        self.captures.push(captured);
        self.captures.len() as u32 - 1
    }

    pub(crate) fn captures(&self) -> &[Captured] {
        &self.captures
    }

    /// The tree's lists of captures and of locals.
    pub(crate) fn take(&mut self) -> (Vec<Name>, Vec<Local>) {
        let captures =
            self.captures.iter().map(|captured| Name { text: captured.text.clone(), at: captured.at }).collect();
        (captures, std::mem::take(&mut self.locals))
    }
}

/// Does it begin with a capital, as constants, variants, types do?
pub(super) fn is_capital(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// Is it the name of a type, as far as one can see: a capital, or a primitive type?
pub(super) fn is_type(name: &str) -> bool {
    let primitive = [
        "bool", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
        "char",
    ];
    is_capital(name) || primitive.contains(&name)
}

/// `self` as the closure calls it.
pub(crate) fn self_name(span: Span) -> Ident {
    Ident::new("__self", own(span))
}
