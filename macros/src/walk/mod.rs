//! The walk over the user's syntax that writes the closure and the tree at once.
//!
//! [`SyntaxWalk`] is its state: names, witnesses, the tables of types, links and constants, and the
//! mistakes found so far. Each module below handles one family of syntax; [`kernel`](crate::kernel)
//! and [`function`](crate::function) generate the code around the body.

mod aggregate;
mod array_part;
mod assigned_parts;
mod attributes;
mod block;
mod call;
mod cast;
mod characters;
mod choices;
mod closure;
mod control;
mod element_method;
mod expr;
mod function_item;
mod inferred;
mod iterated;
mod iteration;
mod known;
mod loan;
mod messages;
mod names;
mod operator;
mod part;
mod pattern;
mod place;
mod promotion;
mod refuse;
mod scrutinee;

use std::collections::{BTreeMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;
use tilewise_ast::{Expr, ExprKind, LinkSlot, LocalId, SourceSpan};

pub(crate) use block::pattern_span;
pub(crate) use call::{DUAL, companion};
pub(crate) use known::{KnownId, without_lifetimes};
pub(crate) use names::{Captured, Mutability, Named, is_capital, self_name};
pub(crate) use pattern::PatternUse;

use inferred::InferredKind;
use known::KnownType;

use crate::at::{across, at, own, parens};

/// The state of the walk.
pub(crate) struct SyntaxWalk {
    /// Is it a closure, which captures the names that it does not bind?
    closure: bool,
    /// Does the code ask in a loop whether its launch is over?
    polls: bool,
    pub(crate) names: names::WalkNames,
    /// The known types.
    known: Vec<KnownType>,
    /// The table of types, as indices into `known`.
    slots: Vec<KnownId>,
    /// The table of links: code whose value is a `FormLink`.
    links: Vec<TokenStream>,
    /// The table of types of `#[tile_static]` variables.
    shared: Vec<KnownId>,
    /// The parts of tuples that hold references, as patterns take them apart.
    tuples: Vec<Vec<PatternUse>>,
    /// Proofs that stand before the closure.
    proofs: Vec<TokenStream>,
    /// The witnesses and the links that rustc infers.
    inferred: inferred::InferredNames,
    /// The table of constants.
    constants: Vec<TableConstant>,
    /// The names of primitive types that casts rely on.
    primitives: HashSet<names::NameKey>,
    /// Enclosing loops and labelled blocks, the innermost last.
    labels: Vec<WalkLabel>,
    next_label: u32,
    /// Number of closures around the current position.
    closures: u32,
    /// Items at the top of the body, which are declared before it.
    items: Vec<TokenStream>,
    /// Names of functions, and names that are imported, at the top of the body.
    item_names: HashSet<names::NameKey>,
    /// Companions of methods that are called.
    companions: BTreeMap<String, Span>,
    /// The outermost block, and the blocks with items around the current position.
    item_blocks: Vec<TokenStream>,
    /// Is it the body of an `index_mut`, which changes nothing?
    names_a_place: bool,
    /// Is it the body of a method that gives the `&mut self` that it takes?
    gives_self: bool,
    /// Is this an argument that is the call of a method?
    is_argument: bool,
    /// Number of blocks around the current position.
    blocks: u32,
    /// Is this in an argument of a method behind `iter` or its like?
    behind_iterator: bool,
    /// Names that something may have borrowed: iterators, references with names.
    lent: HashSet<LocalId>,
    next_own: u32,
    errors: Vec<syn::Error>,
}

/// A constant of the table.
struct TableConstant {
    /// Its source code.
    source: TokenStream,
    span: Span,
    kind: ConstantKind,
    /// Its type, if it is known: of a value, rustc infers it from its use; of a pattern, it is that of
    /// what the pattern is held against.
    ty: Option<KnownId>,
}

/// What a constant of the table is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstantKind {
    /// A value.
    Value,
    /// A value, or a constructor.
    Handed,
    /// A value that a pattern names.
    Pattern,
    /// The number of the variant that the pattern in its source fits.
    Variant,
}

impl TableConstant {
    /// Code for its value as data.
    fn code(&self, walk: &SyntaxWalk) -> TokenStream {
        let (source, span) = (&self.source, own(self.span));
        let witness = self.ty.map(|ty| walk.witness_code(ty));
        match (self.kind, witness) {
            (ConstantKind::Value, witness) => {
                let known = witness.map(|witness| quote_spanned!(span=> #witness.is(__value);));
                // A single name could be a variable, which a kernel's form must not capture.
                let source = match source.clone().into_iter().count() {
                    1 => quote_spanned!(span=> const { #source }),
                    _ => source.clone(),
                };
                quote_spanned! {span=> {
                    #[allow(unused_imports, reason = "for types without constants in kernels")]
                    use ::tilewise::macro_support::NoConstant as _;
                    let __value = &#source;
                    #known
                    ::tilewise::macro_support::ConstantOf(__value).constant_value()
                }}
            }
            (ConstantKind::Handed, witness) => {
                let witness = witness.unwrap_or_else(|| quote_spanned!(span=> ::tilewise::macro_support::Witness::NEW));
                quote_spanned! {span=> {
                    #[allow(unused_imports, reason = "for constructors, constants, and types without constants in kernels")]
                    use ::tilewise::macro_support::{NoConstant as _, handed::{PathFunction as _, PathValue as _}};
                    (&&::tilewise::macro_support::handed::HandedPath(&const { #source })).data(#witness).constant_value()
                }}
            }
            // A name with a capital that is no constant would be a new name in the closure.
            (ConstantKind::Pattern, Some(witness)) => quote_spanned! {span=>
                ::tilewise::macro_support::PatternConstant(#witness, const { #source }).constant_value()
            },
            (ConstantKind::Pattern, None) => {
                quote_spanned!(span=> ::tilewise::macro_support::pattern_constant(&const { #source }))
            }
            (ConstantKind::Variant, witness) => {
                let witness = witness.unwrap_or_else(|| quote_spanned!(span=> ::tilewise::macro_support::Witness::NEW));
                quote_spanned! {span=>
                    ::tilewise::macro_support::PatternOf(#witness, |__value: &_| match *__value {
                        #source => true,
                        #[allow(unreachable_patterns, reason = "a struct has no other form")]
                        _ => false,
                    })
                    .variant_number()
                }
            }
        }
    }
}

struct WalkLabel {
    name: Option<Ident>,
    number: u32,
    a_loop: bool,
}

/// An expression after the walk.
pub(crate) struct WalkedExpr {
    /// For the closure.
    pub(crate) code: TokenStream,
    /// For the tree.
    pub(crate) tree: Expr,
    /// Its type, if it is known.
    pub(crate) ty: Option<KnownId>,
    /// Does it need parentheses as an operand?
    pub(crate) loose: bool,
    /// Its first and its last token.
    pub(crate) ends: (Span, Span),
}

impl WalkedExpr {
    /// As an operand.
    pub(crate) fn tight(&self) -> TokenStream {
        if self.loose { parens(self.code.clone(), self.ends.1) } else { self.code.clone() }
    }
}

impl SyntaxWalk {
    pub(crate) fn new(closure: bool) -> SyntaxWalk {
        SyntaxWalk {
            closure,
            polls: false,
            names: names::WalkNames::new(),
            known: Vec::new(),
            slots: Vec::new(),
            links: Vec::new(),
            shared: Vec::new(),
            tuples: Vec::new(),
            proofs: Vec::new(),
            inferred: inferred::InferredNames::default(),
            constants: Vec::new(),
            primitives: HashSet::new(),
            labels: Vec::new(),
            next_label: 0,
            closures: 0,
            items: Vec::new(),
            item_names: HashSet::new(),
            companions: BTreeMap::new(),
            item_blocks: Vec::new(),
            names_a_place: false,
            gives_self: false,
            is_argument: false,
            behind_iterator: false,
            blocks: 0,
            lent: HashSet::new(),
            next_own: 0,
            errors: Vec::new(),
        }
    }

    /// What loops of a function ask: whether there is a launch that could be over.
    pub(crate) fn watched(&self) -> Option<TokenStream> {
        let watched =
            quote_spanned!(Span::mixed_site()=> let __watched = ::tilewise::macro_support::WatchedLoops::here(););
        self.polls.then_some(watched)
    }

    /// Reports a mistake.
    pub(crate) fn error(&mut self, span: Span, message: impl std::fmt::Display) {
        self.errors.push(syn::Error::new(span, message));
    }

    /// Reports an expression that is not in the language. The returned placeholder lets the walk
    /// continue.
    fn refuse(&mut self, span: Span, message: impl std::fmt::Display) -> WalkedExpr {
        self.error(span, message);
        self.refused(span)
    }

    /// The placeholder for what has been reported.
    fn refused(&mut self, span: Span) -> WalkedExpr {
        WalkedExpr { code: TokenStream::new(), tree: unit(at(span)), ty: None, loose: false, ends: (span, span) }
    }

    /// All mistakes so far, as code that reports them.
    pub(crate) fn mistakes(&mut self) -> Option<TokenStream> {
        let mut errors = std::mem::take(&mut self.errors).into_iter();
        let mut first = errors.next()?;
        errors.for_each(|error| first.combine(error));
        Some(first.to_compile_error())
    }

    /// A unique name for generated code.
    fn own_name(&mut self, what: &str, span: Span) -> Ident {
        self.next_own += 1;
        Ident::new(&format!("__{what}{}", self.next_own), own(span))
    }

    fn link(&mut self, code: TokenStream) -> LinkSlot {
        self.links.push(code);
        self.links.len() as u32 - 1
    }

    /// The name and the slot of a link that rustc infers.
    fn linked(&mut self, span: Span) -> (Ident, LinkSlot) {
        self.new_linked(span, false)
    }

    /// A link that the code around the closure uses too.
    fn outer_linked(&mut self, span: Span) -> (Ident, LinkSlot) {
        self.new_linked(span, true)
    }

    fn new_linked(&mut self, span: Span, outer: bool) -> (Ident, LinkSlot) {
        let name = Ident::new(&format!("__l{}", self.links.len()), own(span));
        self.inferred.declare(name.clone(), InferredKind::Link, outer);
        let slot = self.link(quote_spanned!(own(span)=> ::tilewise::macro_support::link(#name)));
        (name, slot)
    }

    /// The declarations before the closure: the witnesses, the links, the proofs for constant
    /// patterns and those that names differ.
    pub(crate) fn declarations(&self) -> TokenStream {
        [self.inferred.before()].into_iter().chain(self.proofs.iter().cloned()).chain([self.names.doubts()]).collect()
    }

    /// The items of the body, and for each companion of a method a trait that never has it: rustc's error
    /// about a missing one then is the message of `UnmarkedMethod`.
    pub(crate) fn items(&self) -> TokenStream {
        let missing = self.companions.iter().map(|(name, span)| {
            let site = own(*span);
            // The methods of what rustc derives.
            let is_derived = ["cmp", "partial_cmp", "max", "min", "clamp"]
                .iter()
                .any(|derived| name.strip_prefix(derived) == Some(call::COMPANION));
            let place = if is_derived { "the_line_before_the_derive" } else { "the_impl" };
            let of = Ident::new(&format!("write_amp_on_{place}_for_{name}"), site);
            let name = Ident::new(name, site);
            quote_spanned! {site=>
                #[allow(dead_code, non_camel_case_types, reason = "for an error")]
                trait #of {
                    fn #name(&self);
                }
                impl<__T: ?::core::marker::Sized + ::tilewise::macro_support::call::MarkedMethod> #of for __T {
                    fn #name(&self) {}
                }
            }
        });
        self.items.iter().cloned().chain(missing).collect()
    }

    /// The `RustFunction` of the tree, with its tables. To be called after the walk.
    pub(crate) fn function(&mut self, tree: &tilewise_ast::SyntaxTree, named: Span) -> TokenStream {
        let site = Span::mixed_site();
        let tree = tree.encode();
        if tilewise_ast::SyntaxTree::decode(&tree).is_err_and(tilewise_ast::Broken::is_too_deep) {
            let help = "give parts of it names of their own, or turn a chain of `else if` into a `match`";
            let message = format!("expressions and blocks are nested too deep here for a kernel; {help}");
            return syn::Error::new(named, message).to_compile_error();
        }
        let (bytes, length) = (proc_macro2::Literal::byte_string(&tree), tree.len());
        let types: Vec<TokenStream> = self.slots.iter().map(|&id| self.ty_code(id)).collect();
        let links = &self.links;
        let shared: Vec<TokenStream> = self.shared.iter().map(|&id| self.shared_code(id)).collect();
        let constants = self.constants.iter().map(|constant| constant.code(self));
        let captures = self.names.captures().iter().map(|captured| self.ty_code(captured.ty));
        let kept = self.inferred.kept();
        let function = quote_spanned! {site=>
            ::tilewise::macro_support::RustFunction {
                // A static: its address distinguishes this function from others with the same
                // bytes.
                tree: {
                    static TREE: [::core::primitive::u8; #length] = *#bytes;
                    &TREE
                },
                file: ::core::file!(),
                types: ::std::vec![#(#types),*],
                links: ::std::vec![#(#links),*],
                shared: ::std::vec![#(#shared),*],
                constants: ::std::vec![#(#constants),*],
                captures: ::std::vec![#(#captures),*],
            }
        };
        if kept.is_empty() { function } else { quote_spanned!(site=> { #kept #function }) }
    }
}

/// A node of the tree.
fn node(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, at: at(span) }
}

/// A node of the tree whose position is all of the expression, if that stands on one line.
fn whole_node(kind: ExprKind, span: Span, ends: (Span, Span)) -> Expr {
    Expr { kind, at: across(ends, span) }
}

/// `()`
fn unit(at: SourceSpan) -> Expr {
    Expr { kind: ExprKind::Tuple(Vec::new()), at }
}

/// A name as it is in the tree.
pub(crate) fn text(ident: &Ident) -> String {
    ident.unraw().to_string()
}
