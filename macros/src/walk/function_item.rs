//! Functions as arguments: `map(x, square)`, `map(x, shapes::area)`.
//!
//! The macro sees names and no types. What a name in lower case means as an argument:
//! - a path, `shapes::area` or `self::square`, is a function;
//! - a path with a capital, `Meters` or `Color::Red`, is a constructor or a constant: its type decides;
//! - in an `#[amp]` function, a name that nothing in it binds is a function, as constants are in
//!   capitals;
//! - in a kernel's closure, a name that an item or a `use` of the kernel declares is a function; any other
//!   one is captured, and rustc finds out whether it is a function of the module
//!   (`macro_support::handed` explains how);
//! - a method of a primitive type, `f32::max`, is the closure that calls it.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprClosure, ExprPath, Item, Stmt, UseTree};
use tilewise_ast::ExprKind;

use super::call::{CompanionUse, strip};
use super::expr::ends;
use super::names::{NameKey, is_capital, is_type};
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{braces, own};

impl SyntaxWalk {
    /// The name of an item in an inner block that also stands outside of that block.
    pub(super) fn seen_outside(&self, item: &Item) -> Option<String> {
        let inner = self.item_blocks.last().filter(|_| self.blocks > 1 || self.closures > 0)?;
        let outer = self.item_blocks.first()?;
        let glob = |tree: &UseTree| if is_glob(tree) { Some("*".to_owned()) } else { None };
        if let Item::Use(import) = item
            && let Some(star) = glob(&import.tree)
        {
            return Some(star);
        }
        let times = |tokens: &TokenStream, name: &str| count(tokens.clone(), name);
        declared(item).into_iter().find(|name| times(outer, name) > times(inner, name))
    }

    /// Collects the names of functions and imports in a block.
    pub(super) fn note_items(&mut self, block: &Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Item(Item::Fn(function)) => {
                    self.item_names.insert(NameKey::of(&function.sig.ident));
                }
                Stmt::Item(Item::Use(import)) => self.note_import(&import.tree),
                _ => {}
            }
        }
    }

    fn note_import(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.note_import(&path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.note_import(tree)),
            UseTree::Name(name) => {
                self.item_names.insert(NameKey::of(&name.ident));
            }
            UseTree::Rename(rename) => {
                self.item_names.insert(NameKey::of(&rename.rename));
            }
            UseTree::Glob(_) => {}
        }
    }

    /// The argument, if it is a function.
    pub(super) fn function_item(&mut self, argument: &Expr) -> Option<WalkedExpr> {
        let Expr::Path(path) = strip(argument) else { return None };
        if let Some(closure) = of_a_primitive_type(path) {
            return Some(self.closure_value(&closure));
        }
        if is_method(path) {
            let help = "write a closure that calls it, `|x| x.sqrt()` or `|x| T::f(x)`";
            return Some(
                self.refuse(ends(path).0, format!("a function of a type is not handed on in a kernel; {help}")),
            );
        }
        if !self.is_function_item(path) {
            return None;
        }
        let last = path.path.segments.last()?;
        let span = last.ident.span();
        let (link, slot) = self.linked(span);
        let code: TokenStream = self.companion_path(path, &link, CompanionUse::Function);
        let tree = node(ExprKind::Function(slot), span);
        Some(WalkedExpr { code: quote!(#code), tree, ty: None, loose: false, ends: ends(path) })
    }

    /// `Meters`, `Color::Red`, `T::ZERO` as an argument: its type tells whether it is a constructor or a constant
    /// (`macro_support::handed`).
    pub(super) fn constructor_or_constant(&mut self, path: &ExprPath) -> Option<WalkedExpr> {
        let last = &path.path.segments.last()?.ident;
        if !is_capital(&text(last)) || last == "BITS" {
            return None;
        }
        if let Some(name) = path.path.get_ident()
            && self.names.find(name).is_some()
        {
            return None;
        }
        let (span, ends) = (last.span(), ends(path));
        let (_, ty) = self.witness(span);
        let source = quote!(#path);
        let slot = self.handed_slot(&source, span, ty);
        let (link, function) = self.linked(span);
        let (witness, name) = (self.witness_code(ty), self.own_name("h", ends.0));
        let (here, link) = (own(ends.1), proc_macro2::Ident::new(&link.to_string(), own(ends.1)));
        let code = quote_spanned! {here=>
            #[allow(unused_imports, reason = "it is one of them")]
            use ::tilewise::macro_support::handed::{PathFunction as _, PathValue as _};
            let #name = const { #path };
            (&&::tilewise::macro_support::handed::HandedPath(&#name)).handed(#witness, #link).constant(#name)
        };
        let tree = node(ExprKind::ConstOrFunction(slot, function), span);
        Some(WalkedExpr { code: braces(code, ends.1), tree, ty: None, loose: false, ends })
    }

    /// A captured name as an argument: rustc finds out whether it is a function.
    pub(super) fn perhaps_a_function(&mut self, argument: &Expr, walked: WalkedExpr) -> WalkedExpr {
        let ExprKind::Capture(id) = walked.tree.kind else { return walked };
        if !matches!(strip(argument), Expr::Path(_)) {
            return walked;
        }
        let known = self.names.function_link(id).as_ref().map(|(_, slot)| *slot);
        let slot = known.unwrap_or_else(|| {
            let link = self.outer_linked(walked.ends.0);
            let slot = link.1;
            *self.names.function_link(id) = Some(link);
            slot
        });
        WalkedExpr { tree: node(ExprKind::CaptureOrFunction(id, slot), walked.ends.0), ..walked }
    }

    fn is_function_item(&mut self, path: &ExprPath) -> bool {
        let segments = &path.path.segments;
        let Some(last) = segments.last().filter(|_| path.qself.is_none()) else { return false };
        if is_capital(&text(&last.ident)) || last.ident == "self" {
            return false;
        }
        if segments.len() > 1 {
            return !is_type(&text(&segments[segments.len() - 2].ident));
        }
        if self.names.find(&last.ident).is_some() {
            return false;
        }
        !self.closure || self.item_names.contains(&NameKey::of(&last.ident))
    }
}

/// `f32::max`, `i32::wrapping_add`, `f64::from` as the closure that calls it, whose parameters the name tells.
fn of_a_primitive_type(path: &ExprPath) -> Option<ExprClosure> {
    let segments = &path.path.segments;
    let (ty, last) = match (segments.first(), segments.last()) {
        (Some(ty), Some(last)) if segments.len() == 2 && path.qself.is_none() => (&ty.ident, &last.ident),
        _ => return None,
    };
    if path.path.leading_colon.is_some() || !last_has_no_arguments(path) {
        return None;
    }
    let (of, name) = (text(ty), text(last));
    if is_capital(&name) || !PRIMITIVE.contains(&of.as_str()) {
        return None;
    }
    let span = last.span();
    let site = proc_macro2::Span::mixed_site().located_at(span);
    let [a, b, c] = ["__a", "__b", "__c"].map(|name| proc_macro2::Ident::new(name, site));
    if name.starts_with("from") {
        return Some(syn::parse_quote_spanned!(span=> |#a| #path(#a)));
    }
    let by_reference = name.starts_with("is_ascii") || name.starts_with("to_ascii");
    if BY_REFERENCE.contains(&name.as_str()) {
        return Some(syn::parse_quote_spanned!(span=> |#a: &#ty, #b: &#ty| #a.#last(#b)));
    }
    Some(match name.as_str() {
        _ if by_reference => syn::parse_quote_spanned!(span=> |#a: &#ty| #a.#last()),
        "clamp" | "mul_add" => syn::parse_quote_spanned!(span=> |#a: #ty, #b: #ty, #c: #ty| #a.#last(#b, #c)),
        "pow" | "wrapping_pow" | "checked_pow" | "rotate_left" | "rotate_right" | "wrapping_shl" | "wrapping_shr"
        | "unbounded_shl" | "unbounded_shr" => {
            syn::parse_quote_spanned!(span=> |#a: #ty, #b: u32| #a.#last(#b))
        }
        "powi" => syn::parse_quote_spanned!(span=> |#a: #ty, #b: i32| #a.#last(#b)),
        other if OF_TWO.contains(&other) => syn::parse_quote_spanned!(span=> |#a: #ty, #b: #ty| #a.#last(#b)),
        _ => syn::parse_quote_spanned!(span=> |#a: #ty| #a.#last()),
    })
}

fn last_has_no_arguments(path: &ExprPath) -> bool {
    path.path.segments.iter().all(|segment| segment.arguments.is_none())
}

/// Types whose methods are the standard library's alone.
const PRIMITIVE: [&str; 14] =
    ["bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];

/// Methods of two references.
const BY_REFERENCE: [&str; 4] = ["cmp", "eq_ignore_ascii_case", "partial_cmp", "total_cmp"];

/// Methods of two numbers of one type.
const OF_TWO: [&str; 32] = [
    "abs_diff",
    "atan2",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_rem",
    "checked_sub",
    "copysign",
    "div_ceil",
    "div_euclid",
    "hypot",
    "is_multiple_of",
    "log",
    "max",
    "midpoint",
    "min",
    "next_multiple_of",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "powf",
    "rem_euclid",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "wrapping_add",
    "wrapping_div",
    "wrapping_div_euclid",
    "wrapping_mul",
    "wrapping_rem",
    "wrapping_rem_euclid",
    "wrapping_sub",
];

/// Is it `T::f`, a function of a type?
fn is_method(path: &ExprPath) -> bool {
    let segments = &path.path.segments;
    let Some(last) = segments.last() else { return false };
    let of_a_type = segments.len() > 1 && is_type(&text(&segments[segments.len() - 2].ident));
    !is_capital(&text(&last.ident)) && (path.qself.is_some() || of_a_type)
}

/// Does the import take all that is there?
fn is_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => is_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(is_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// The names that an item declares.
fn declared(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Use(import) => {
            let mut names = Vec::new();
            imported(&import.tree, &mut names);
            return names;
        }
        _ => return Vec::new(),
    };
    vec![text(name)]
}

fn imported(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, names)),
        UseTree::Name(name) => names.push(text(&name.ident)),
        UseTree::Rename(rename) => names.push(text(&rename.rename)),
        UseTree::Glob(_) => {}
    }
}

/// How often a name stands in tokens.
fn count(tokens: TokenStream, name: &str) -> usize {
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => count(group.stream(), name),
        TokenTree::Ident(ident) => usize::from(text(&ident) == name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => 0,
    };
    tokens.into_iter().map(one).sum()
}
