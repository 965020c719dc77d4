//! Closed matches: a `match` on a kind of thing that grows names every case, so that a new
//! instruction, operation or node does not compile until each pass and target has decided about it.
//!
//! `clippy::wildcard_enum_match_arm` finds some of these matches, of every enum and without looking
//! into tuples. This test looks at some enums only, in tuples and behind `Some` too: a catch-all arm
//! in a match whose other arms name one of them is a breach. `if let` and `matches!` ask about one
//! case and are free; `InstKind::class`, `construct` and `jump` serve passes that treat many kinds
//! alike. Arms with a guard are no catch-all.

use syn::visit_mut::{VisitMut, visit_expr_match_mut};

use crate::{files, no_breach, read};

/// The enums that grow with the language, its targets and their programs.
const GROWING: [&str; 9] = ["InstKind", "InstClass", "Construct", "Jump", "Op", "AtomicOp", "Node", "Effect", "Inst"];

/// The crates whose passes and targets match on them.
const CRATES: [&str; 5] = ["ir/src", "header/src", "cpu-jit/src", "gpu/src", "conformance/src"];

/// Matches that a file has.
#[derive(Default)]
struct OpenMatches {
    /// The enum, and the line of the arm that catches the rest.
    found: Vec<(String, usize)>,
}

/// The pattern without what is around it: `&`, parentheses, `Some`.
fn bare(pattern: &syn::Pat) -> &syn::Pat {
    match pattern {
        syn::Pat::Reference(inner) => bare(&inner.pat),
        syn::Pat::Paren(inner) => bare(&inner.pat),
        syn::Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.len() == 1 => bare(&some.elems[0]),
        other => other,
    }
}

/// The positions of a pattern: of a tuple its elements, else the pattern itself.
fn positions(pattern: &syn::Pat) -> Vec<&syn::Pat> {
    match bare(pattern) {
        syn::Pat::Tuple(tuple) => tuple.elems.iter().collect(),
        other => vec![other],
    }
}

/// The growing enum whose case the pattern names.
fn named(pattern: &syn::Pat) -> Option<String> {
    let path = match bare(pattern) {
        syn::Pat::Path(path) => &path.path,
        syn::Pat::Struct(pattern) => &pattern.path,
        syn::Pat::TupleStruct(pattern) => &pattern.path,
        syn::Pat::Or(or) => return or.cases.iter().find_map(named),
        syn::Pat::Ident(ident) => return named(&ident.subpat.as_ref()?.1),
        _ => return None,
    };
    let before_last = path.segments.iter().rev().nth(1)?.ident.to_string();
    GROWING.contains(&before_last.as_str()).then_some(before_last)
}

/// Does the pattern take whatever comes?
fn catches_all(pattern: &syn::Pat) -> bool {
    match bare(pattern) {
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Ident(ident) => {
            // `None` and constants are patterns of one word too.
            let binds = ident.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_');
            binds && ident.subpat.as_ref().is_none_or(|(_, inner)| catches_all(inner))
        }
        syn::Pat::Or(or) => or.cases.iter().any(catches_all),
        syn::Pat::Tuple(tuple) => tuple.elems.iter().all(catches_all),
        _ => false,
    }
}

impl VisitMut for OpenMatches {
    fn visit_expr_match_mut(&mut self, node: &mut syn::ExprMatch) {
        let enums = node.arms.iter().flat_map(|arm| positions(&arm.pat)).find_map(named);
        if let Some(name) = enums {
            let open = node.arms.iter().filter(|arm| arm.guard.is_none() && catches_all(&arm.pat));
            self.found.extend(open.map(|arm| (name.clone(), syn::spanned::Spanned::span(&arm.pat).start().line)));
        }
        visit_expr_match_mut(self, node);
    }
}

/// The open matches of a text of Rust.
fn open_matches(text: &str) -> Vec<(String, usize)> {
    let mut file = syn::parse_file(text).expect("what compiles can be parsed");
    let mut open = OpenMatches::default();
    open.visit_file_mut(&mut file);
    open.found
}

#[test]
fn matches_on_what_grows_name_every_case() {
    let sources = CRATES.iter().flat_map(|folder| files(folder, "rs"));
    let mut breaches = Vec::new();
    // An operation that no oracle judges is a failure of their test.
    let judged = |path: &str| path.contains("/tests") || path.contains("/sweep/oracle/");
    for path in sources.filter(|path| !judged(path)) {
        for (name, line) in open_matches(&read(&path)) {
            breaches.push(format!("{path}:{line}: `{name}`: name the cases, or ask `class()`"));
        }
    }
    no_breach("A match on a kind of thing that grows has no catch-all:", &breaches);
}

#[test]
fn open_matches_are_recognised() {
    let lines = |body: &str| -> Vec<usize> {
        open_matches(&format!("fn f() {{\n{body}\n}}")).into_iter().map(|(_, line)| line).collect()
    };
    assert_eq!(lines("match op {\nOp::Add => 1,\n_ => 2,\n}"), [4]);
    assert_eq!(lines("match &inst.kind {\nInstKind::Load(place) => 1,\nother => 2,\n}"), [4]);
    assert_eq!(lines("match (op, x) {\n(ops::Op::Add, 1) => 1,\n(_, _) => 2,\n}"), [4]);
    assert_eq!(lines("match (op, x) {\n(Op::Add | Op::Sub, 1) => 1,\n_ => 2,\n}"), [4]);
    assert_eq!(lines("match node {\nNode::Let { .. } => match x { Effect::Store { .. } => 1,\n_ => 2,\n},\n}"), [4]);
    assert_eq!(lines("match kind.class() {\nInstClass::Read => 1,\n_ => 2,\n}"), [4]);
    assert_eq!(lines("match it.construct() {\nSome(Construct::If { .. }) => 1,\nSome(_) => 2,\nNone => 3,\n}"), [4]);
    assert_eq!(lines("match (a, b) {\n(Some(Jump::Return(_)), 1) => 1,\n_ => 2,\n}"), [4]);
    // Closed, guarded, or about something else.
    assert_eq!(lines("match it.construct() {\nSome(Construct::If { .. }) => 1,\nNone => 3,\n}"), [0; 0]);
    assert_eq!(lines("match op {\nOp::Add => 1,\nOp::Sub | Op::Mul => 2,\n}"), [0; 0]);
    assert_eq!(lines("match op {\nOp::Add => 1,\n_ if x => 3,\nOp::Sub => 2,\n}"), [0; 0]);
    assert_eq!(lines("match ty {\nScalar::F32 => 1,\n_ => 2,\n}"), [0; 0]);
    assert_eq!(lines("match (op, x) {\n(Op::Add, 1) => 1,\n(_, 2) => 2,\n(Op::Sub, None) => 3,\n}"), [0; 0]);
}
