//! Calls of functions, associated functions and methods, each through its companion. Their arguments
//! are in [`loan`](super::loan).

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, PathArguments, Token};
use tilewise_ast::ExprKind;

use super::array_part::iterator_of_part;
use super::attributes::is_attribute;
use super::characters::over_characters_of;
use super::element_method::{changes_its_array, is_in_its_arguments};
use super::expr::{bytes_array, ends};
use super::iterated::{COMPARES, closure_of_path, closure_of_range};
use super::iteration::of_a_copy;
use super::names::{is_capital, is_type, self_name};
use super::place::PlaceUse;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::{own, parens, users_braces, users_parens};

impl SyntaxWalk {
    pub(super) fn call(&mut self, call: &ExprCall) -> WalkedExpr {
        let Expr::Path(path) = strip(&call.func) else {
            return self
                .refuse(ends(&call.func).0, "only functions that are called by their name can be called in a kernel");
        };
        let Some(last) = path.path.segments.last() else {
            return self.refuse(call.paren_token.span.open(), "a function's name is missing");
        };
        if is_capital(&text(&last.ident)) {
            return self.tuple_struct(call, path);
        }
        if let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none())
            && let Some(local) = self.names.find(name)
        {
            if self.names.named(local).callable {
                return self.invoke(call, local);
            }
            let message = "this is no closure of the kernel: a kernel calls a closure, `let f = |x| ..;`, or an `#[amp]` function";
            return self.refuse(last.ident.span(), message);
        }
        let span = last.ident.span();
        if is_default(path) {
            return self.std_default(call, path);
        }
        if let Some(ty) = path.path.segments.iter().rev().nth(1).filter(|ty| is_of_the_heap(path, ty, &call.args)) {
            let help =
                "a kernel has no heap: views hold data, `view[i]`, and arrays of a fixed size are local, `[0.0; 16]`";
            return self.refuse(ty.ident.span(), format!("there is no `{}` in a kernel; {help}", text(&ty.ident)));
        }
        let (link, slot) = self.linked(span);
        let walked = self.arguments(&call.args);
        let codes = &walked.codes;
        let arguments = parens(quote!(#(#codes),*), call.paren_token.span.join());
        let ends = (ends(path).0, call.paren_token.span.close());
        // rustc infers the parameters of a closure from the call that it is an argument of, and does
        // not look beyond the proof for that.
        let has_closure = walked.trees.iter().any(|tree| matches!(tree.kind, ExprKind::Closure(..)));
        let called = if has_closure {
            self.companion_path(path, &link, CompanionUse::Called(&arguments))
        } else if let Some(ty) = converted(path, call) {
            // Of equal errors at one place, rustc reports one.
            let (mut path, at) = (path.clone(), own(ty));
            let type_at = path.path.segments.len() - 2;
            path.path.segments[type_at].ident.set_span(at);
            let companion = self.companion_path(&path, &link, CompanionUse::Value);
            let arguments = parens(quote!(#(#codes),*), ty);
            quote!(#companion #arguments)
        } else {
            let companion = self.companion_path(path, &link, CompanionUse::Value);
            quote!(#companion #arguments)
        };
        let called = linked_call((&link, slot), called, walked.trees.clone(), span, ends);
        WalkedExpr { code: walked.around(self, called.code, ends), loose: walked.is_block(), ..called }
    }

    /// `Default::default()`, with the proof that it is the one of the standard library.
    fn std_default(&mut self, call: &ExprCall, path: &ExprPath) -> WalkedExpr {
        let span = path.path.segments.last().map_or(call.paren_token.span.open(), |last| last.ident.span());
        let (link, slot) = self.linked(span);
        let arguments = users_parens(call.args.to_token_stream(), call.paren_token.span.join());
        let check = (!call.args.is_empty()).then(|| quote_spanned!(own(span)=> __function #arguments;));
        let called = quote_spanned! {own(span)=>
            {
                let __function = #path;
                ::tilewise::macro_support::std_functions::same_function(
                    __function,
                    <_ as ::core::default::Default>::default,
                );
                #check
                ::tilewise::macro_support::std_functions::default(__function)
            }
        };
        linked_call((&link, slot), called, Vec::new(), span, (ends(path).0, call.paren_token.span.close()))
    }

    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> WalkedExpr {
        let is_argument = std::mem::replace(&mut self.is_argument, false);
        if let Some(walked) = self.contains(call).or_else(|| self.is_empty_range(call)) {
            return walked;
        }
        if let Some(iterator) = iterator_of_part(call) {
            return self.expr_or_reference(&iterator);
        }
        if let Some(characters) = over_characters_of(call) {
            return self.method_call(&characters);
        }
        if let Some(choice) = self.copied_choice(call).or_else(|| self.asked_choice(call)) {
            return self.method_call(&choice);
        }
        let span = call.method.span();
        if COMPARES.iter().any(|name| call.method == name)
            && call.args.len() == 1
            && matches!(strip(&call.receiver), Expr::MethodCall(_))
            && self.is_an_iterator(&call.receiver)
        {
            let help = "compare arrays, `a == b`, or items, `a.iter().zip(&b).all(|(x, y)| x == y)`";
            return self.refuse(span, format!("kernels do not compare iterators; {help}"));
        }
        if call.method == "collect" && call.args.is_empty() && self.is_behind_iterator(&call.receiver) {
            let help = "fill an array, `let mut all = [0; 4];`, by `for (to, x) in all.iter_mut().zip(a.iter()) { *to = x * 2; }`; or make one of another, `a.map(|x| x * 2)`";
            return self.refuse(span, format!("kernels do not have `collect`, as they have no heap: {help}"));
        }
        let parts = self.iterated_parts(call).or_else(|| closure_of_path(call)).or_else(|| closure_of_range(call));
        let call = parts.as_ref().unwrap_or(call);
        if let Some(walked) = self.method_of_element(call, is_argument) {
            return walked;
        }
        let written = text(&call.method);
        for end in [COMPANION, DUAL] {
            if let Some(name) = written.strip_suffix(end) {
                // rustc suggests this name if there is no such companion.
                return self.refuse(span, format!("write `{name}`: the end `{end}` is for the macros"));
            }
        }
        let is_atomic = call.method == "atomic";
        let is_element_itself = changes_its_array(call) && self.element_root(&call.receiver).is_some();
        // A `tile_static` name has atomic operations of its own; any other method is that of its value.
        let receiver = match self.range_receiver(&call.receiver) {
            Some(range) => range,
            None if is_element_itself => self.element_itself(&call.receiver, span),
            None if let Some(bytes) = bytes_array(&call.receiver) => self.expr(&bytes),
            None if is_atomic => self.handle(&call.receiver),
            None if self.is_part_of_an_element(&call.receiver) && !is_in_its_arguments(call) => {
                let place = self.reached(&call.receiver, PlaceUse::Read);
                match self.element_of(&place.shape, &place.tree, span, false) {
                    Some(code) => WalkedExpr { code, tree: place.tree, ty: None, loose: false, ends: place.ends },
                    None => self.expr_or_reference(&call.receiver),
                }
            }
            None => self.expr_or_reference(&call.receiver),
        };
        if CHANGES_ITS_ARRAY.iter().any(|name| call.method == name) && self.is_array_of_references(&receiver.tree) {
            return self.refuse_changed_references(span);
        }
        let companion = self.method_companion(&call.method);
        let is_behind_iterator = self.is_behind_iterator(&call.receiver);
        let around = std::mem::replace(&mut self.behind_iterator, is_behind_iterator);
        let walked = if is_expect_of_text(call) { Self::text_argument(call) } else { self.arguments(&call.args) };
        self.behind_iterator = around;
        let mut trees = walked.trees.clone();
        trees.insert(0, receiver.tree.clone());
        let (dot, turbofish) = (&call.dot_token, &call.turbofish);
        // The closure has a copy of an element, and a method that changes it would have no effect:
        // rustc reports that for a place behind a shared reference. The place itself, `*&copy`, has
        // the type that error messages name.
        let itself = is_atomic && matches!(receiver.tree.kind, ExprKind::Local(_)) && self.is_copied(&receiver.tree);
        let value = if itself {
            let code = &receiver.code;
            users_parens(quote_spanned!(own(span)=> (&#code).with_atomic()), span)
        } else if is_element_itself {
            receiver.code.clone()
        } else if self.is_copied(&receiver.tree) {
            behind_shared(&receiver, span)
        } else if is_place(&receiver.tree) {
            with_users_self(receiver.tight(), span)
        } else if is_field_of_result(&call.receiver) {
            // In a block it would be a copy: `w.set(2).d.add(3)` changes what `set` gives.
            users_parens(receiver.code.clone(), span)
        } else if is_behind_iterator || matches!(strip(&call.receiver), Expr::MethodCall(_) | Expr::Call(_)) {
            // What it may borrow from, `[1, 2].iter()`, `Counter::new().add(1)`, lives as long as in Rust, which it would
            // not in a block.
            let value = users_parens(receiver.code.clone(), span);
            quote_spanned!(span=> ::tilewise::macro_support::itself #value)
        } else {
            users_braces(receiver.code.clone(), span)
        };
        let codes = &walked.codes;
        let arguments = users_parens(quote!(#(#codes),*), call.paren_token.span.join());
        let code = quote!(#value #dot #companion #turbofish #arguments);
        let ends = (receiver.ends.0, call.paren_token.span.close());
        let (link, slot) = self.linked(span);
        let called = if is_argument {
            handed_call((&link, slot), code, trees, span, ends)
        } else {
            linked_call((&link, slot), code, trees, span, ends)
        };
        WalkedExpr { code: walked.around(self, called.code, ends), loose: walked.is_block(), ..called }
    }

    /// `&place`, `&mut place`
    pub(super) fn lend(&mut self, reference: &syn::ExprReference) -> WalkedExpr {
        let span = reference.and_token.span;
        if let Err(at) = self.is_place(&reference.expr) {
            let (sign, help) = match reference.mutability {
                None => ("&", "put it into a variable first: `let x = ..;`, then `&x`"),
                Some(_) => {
                    ("&mut", "copy it, lend the copy, and write it back: `let mut x = a[i]; f(&mut x); a[i] = x;`")
                }
            };
            return self.refuse(at, format!("in a kernel, `{sign}` stands before a variable or its fields; {help}"));
        }
        let place = self.handle(&reference.expr);
        if reference.mutability.is_some()
            && !matches!(place.tree.kind, ExprKind::Local(_))
            && self.is_copied(&place.tree)
        {
            let help = "copy the variable, lend a part of the copy, and write the copy back";
            let message = format!("a part of a `#[tile_static]` variable cannot be lent by `&mut` in a kernel; {help}");
            return self.refuse(span, message);
        }
        let (and, mutability, code) = (&reference.and_token, &reference.mutability, place.tight());
        let kind = ExprKind::Ref(mutability.is_some(), Box::new(place.tree));
        WalkedExpr {
            code: quote!(#and #mutability #code),
            tree: node(kind, span),
            ty: None,
            loose: true,
            ends: (span, place.ends.1),
        }
    }

    /// The companion of a function: `T::f_marked_amp`, or `f::marked_amp` written so that rustc's error
    /// names a missing `#[amp]`, and with the proof that Rust calls this function by the path
    /// (`macro_support::call` explains how).
    ///
    pub(super) fn companion_path(&mut self, path: &ExprPath, link: &Ident, with: CompanionUse<'_>) -> TokenStream {
        let (written, mut path) = (path, path.clone());
        let count = path.path.segments.len();
        let associated = path.qself.is_some() || count >= 2 && is_type(&text(&path.path.segments[count - 2].ident));
        let last = path.path.segments.last_mut().expect("the caller looked at it");
        if associated {
            last.ident = self.method_companion(&last.ident);
            return match with {
                CompanionUse::Called(arguments) => quote!(#path #arguments),
                CompanionUse::Value | CompanionUse::Function => quote!(#path),
            };
        }
        let span = own(last.ident.span());
        let shared = crate::packages::named(&text(&last.ident));
        let arguments = match std::mem::take(&mut last.arguments) {
            PathArguments::AngleBracketed(mut arguments) => {
                arguments.colon2_token = Some(Token![::](span));
                Some(arguments)
            }
            _ => None,
        };
        if count == 1 && shared {
            return match with {
                CompanionUse::Function => {
                    quote_spanned!(span=> ({ #link.called(#path #arguments::named_amp(#written)); #written }))
                }
                CompanionUse::Value => {
                    quote_spanned!(span=> ({ #link.called(#path::named_amp(#written)); #path #arguments::marked_amp }))
                }
                CompanionUse::Called(call) => quote_spanned! {span=>
                    ({ let __made = #path #arguments::marked_amp #call; #link.called(#path::named_amp(#written)); __made })
                },
            };
        }
        // Imports resolve to items only, never to a local variable of this name. `$crate` means the
        // crate of the macro that it comes from.
        let names = path.path.segments.iter_mut().filter(|segment| segment.ident != "$crate");
        names.for_each(|segment| segment.ident.set_span(own(segment.ident.span())));
        let name = &path.path.segments.last().expect("it has one").ident;
        // Around a closure, a variable may have the name as well. The import does not see it, so a macro of the name
        // stands there for it, which nothing calls; and the variable is read outside of the block of that macro, which
        // rustc would take it for.
        let is_called = self.closure && count == 1 && !matches!(with, CompanionUse::Function);
        let perhaps_variable = (is_called && !is_attribute(&text(name))).then(|| self.own_name("called", span));
        let (called, read, stand_in) = match &perhaps_variable {
            Some(read) => (
                quote!(#read),
                quote_spanned!(span=> let #read = #written;),
                quote_spanned! {span=>
                    #[allow(unused_macros, reason = "it is imported where nothing else has the name")]
                    macro_rules! #name { () => {} }
                },
            ),
            None if is_called => (quote!(#written), TokenStream::new(), TokenStream::new()),
            None => (quote_spanned!(span=> __tilewise_call), TokenStream::new(), TokenStream::new()),
        };
        // What the import below does not find: a marker of the standard library's function, or none.
        let otherwise = if OF_STD.contains(&text(name).as_str()) {
            let marker = Ident::new(&text(name), span);
            quote_spanned!(span=> std_functions::#marker as __tilewise_call)
        } else {
            // With arguments, so that those are not one more mistake.
            match arguments.as_ref().map_or(0, |arguments| arguments.args.len()) {
                0 if perhaps_variable.is_some() => quote_spanned!(span=> call::UnmarkedInKernel as __tilewise_call),
                0 => quote_spanned!(span=> call::__tilewise_call),
                count @ 1..=6 => {
                    let of = Ident::new(&format!("UnmarkedOf{count}"), span);
                    quote_spanned!(span=> call::#of as __tilewise_call)
                }
                _ => quote_spanned!(span=> call::__tilewise_call),
            }
        };
        let within = match with {
            // A function without `#[amp]` has no companion, which is the error.
            CompanionUse::Function => quote_spanned! {span=>
                let _ = __tilewise_call #arguments::marked_amp;
                #link.called(__tilewise_call #arguments::named_amp(#written));
                #written
            },
            CompanionUse::Value => quote_spanned! {span=>
                #link.called(__tilewise_call::named_amp(#called));
                __tilewise_call #arguments::marked_amp
            },
            CompanionUse::Called(call) => quote_spanned! {span=>
                #link.called(__tilewise_call::named_amp(#called));
                __tilewise_call #arguments::marked_amp #call
            },
        };
        quote_spanned! {span=>
            ({
                #[allow(unused_imports, reason = "needed by some of the code")]
                use ::tilewise::macro_support::{call::Callable as _, #otherwise};
                #read
                {
                    #stand_in
                    #[allow(deprecated, reason = "rustc says so at the call")]
                    use #path as __tilewise_call;
                    #within
                }
            })
        }
    }

    /// The companion of a method, or of a function of a type.
    pub(super) fn method_companion(&mut self, name: &Ident) -> Ident {
        let companion = companion(name);
        self.companions.entry(companion.to_string()).or_insert_with(|| name.span());
        companion
    }

    /// Does the closure read a copy there? So it does for elements and for parts of
    /// `#[tile_static]` variables.
    pub(super) fn is_copied(&self, mut tree: &tilewise_ast::Expr) -> bool {
        loop {
            tree = match &tree.kind {
                ExprKind::Index(..) => return true,
                ExprKind::Field(base, _) => base,
                ExprKind::Local(local) => return self.names.named(*local).tile_static,
                _ => return false,
            };
        }
    }

    /// Is it a variable, or a field of one? Otherwise returns the position of the obstacle.
    pub(super) fn is_place(&self, expr: &Expr) -> Result<(), Span> {
        match strip(expr) {
            Expr::Path(path) if path.path.get_ident().is_some() => Ok(()),
            Expr::Field(field) => self.is_place(&field.base),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.is_place(&unary.expr),
            other => Err(ends(other).0),
        }
    }
}

/// Methods that put the elements of an array in other places.
const CHANGES_ITS_ARRAY: [&str; 10] = [
    "fill",
    "reverse",
    "rotate_left",
    "rotate_right",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "swap",
];

/// Is it a field of what a function or a method gives?
fn is_field_of_result(expr: &Expr) -> bool {
    let Expr::Field(field) = strip(expr) else { return false };
    matches!(strip(&field.base), Expr::MethodCall(_) | Expr::Call(_)) || is_field_of_result(&field.base)
}

/// Types whose values lie on the heap.
const HEAP: [&str; 12] = [
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Rc",
    "String",
    "Vec",
    "VecDeque",
];

/// Does a call make a value of one of these types? A type of the user's with such a name is known by its module. Of a
/// single name, rustc knows whose it is (`macro_support::HeapMethods`), but for a string of a literal, which is in no
/// kernel.
fn is_of_the_heap(path: &ExprPath, ty: &syn::PathSegment, arguments: &Punctuated<Expr, Token![,]>) -> bool {
    let (ty, segments) = (text(&ty.ident), &path.path.segments);
    if !HEAP.contains(&ty.as_str()) {
        return false;
    }
    let function = segments.last().map_or_else(String::new, |last| text(&last.ident));
    if segments.len() <= 2 {
        let is_text = |expr: &Expr| matches!(expr, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Str(_)));
        return ty == "String" && function == "from" && arguments.iter().all(is_text);
    }
    let first = &segments[0].ident;
    if !["std", "alloc", "core", "sync", "rc", "collections"].iter().any(|name| first == name) {
        return false;
    }
    match (function.as_str(), ty.as_str()) {
        ("new", "Arc" | "Box" | "Rc") => arguments.len() == 1,
        ("new" | "default", _) => arguments.is_empty(),
        _ => arguments.len() == 1,
    }
}

impl SyntaxWalk {
    /// A range that a method is called on.
    fn range_receiver(&mut self, receiver: &Expr) -> Option<WalkedExpr> {
        let is_range = match strip(receiver) {
            Expr::Range(range) => range.start.is_some(),
            other => self.is_named_range(of_a_copy(other)),
        };
        if is_range { self.range_argument(receiver) } else { None }
    }
}

/// What a call does with the companion of a function.
#[derive(Clone, Copy)]
pub(super) enum CompanionUse<'c> {
    /// Calls it, behind the expression.
    Value,
    /// Calls it with these arguments, in parentheses.
    Called(&'c TokenStream),
    /// Nothing: the function itself is handed on.
    Function,
}

/// The call of a companion, with the link that records its marker.
pub(super) fn linked_call(
    (link, slot): (&Ident, tilewise_ast::LinkSlot),
    called: TokenStream,
    trees: Vec<tilewise_ast::Expr>,
    span: Span,
    ends: (Span, Span),
) -> WalkedExpr {
    linked_by("call", (link, slot), called, trees, span, ends)
}

/// The same in an argument, whose type the parameter does not tell: of `&mut Self`, a `&Self` is made there.
pub(super) fn handed_call(
    link: (&Ident, tilewise_ast::LinkSlot),
    called: TokenStream,
    trees: Vec<tilewise_ast::Expr>,
    span: Span,
    ends: (Span, Span),
) -> WalkedExpr {
    linked_by("call_handed", link, called, trees, span, ends)
}

fn linked_by(
    by: &str,
    (link, slot): (&Ident, tilewise_ast::LinkSlot),
    called: TokenStream,
    trees: Vec<tilewise_ast::Expr>,
    span: Span,
    ends: (Span, Span),
) -> WalkedExpr {
    let link = Ident::new(&link.to_string(), own(ends.0));
    let (called, by) = (parens(called, ends.1), Ident::new(by, own(span)));
    let code = quote_spanned!(own(span)=> #link.#by #called);
    WalkedExpr { code, tree: node(ExprKind::Call(slot, trees), span), ty: None, loose: false, ends }
}

/// Is it `.expect("text")`? No method of a kernel takes a text, so rustc says what is wrong.
pub(super) fn is_expect_of_text(call: &ExprMethodCall) -> bool {
    let is_text = |expr: &Expr| matches!(expr, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Str(_)));
    call.method == "expect" && call.args.len() == 1 && call.args.first().map(strip).is_some_and(is_text)
}

// Where a method is not there, rustc blames the receiver, and where that is a macro's, the whole macro. So the receivers
// below have the user's own span, which can only be that of one token: the method's name.

/// `(*&value)`; of fields, `((*&value).field)`: Rust takes the value of a field of a packed struct, and no reference.
fn behind_shared(value: &WalkedExpr, at: Span) -> TokenStream {
    let (code, fields) = without_fields(value);
    let lent = users_parens(quote_spanned!(own(value.ends.0)=> &#code), at);
    let shared = users_parens(quote_spanned!(at=> *#lent), at);
    if fields.is_empty() { shared } else { users_parens(quote!(#shared #fields), at) }
}

/// The code of a value without the fields behind it, and these: `.a.b`.
fn without_fields(value: &WalkedExpr) -> (TokenStream, TokenStream) {
    let mut code: Vec<TokenTree> = value.code.clone().into_iter().collect();
    let (mut base, mut first) = (&value.tree, code.len());
    while let ExprKind::Field(of, _) = &base.kind {
        (base, first) = (of, first.saturating_sub(2));
    }
    let fields = code.split_off(first);
    (code.into_iter().collect(), fields.into_iter().collect())
}

/// Is it a variable, or a part of one, which a method can change?
fn is_place(tree: &tilewise_ast::Expr) -> bool {
    match &tree.kind {
        ExprKind::Field(base, _) => is_place(base),
        ExprKind::Capture(_) | ExprKind::Deref(_) | ExprKind::Local(_) => true,
        _ => false,
    }
}

/// The code of a place, where the name that stands for `self` has the user's own span.
fn with_users_self(code: TokenStream, users: Span) -> TokenStream {
    let mut tokens = code.into_iter();
    match tokens.next() {
        Some(TokenTree::Ident(name)) if name == self_name(users) => {
            let first = users_parens(name.to_token_stream(), name.span().resolved_at(users));
            std::iter::once(first).chain(std::iter::once(tokens.collect())).collect()
        }
        first => first.into_iter().chain(tokens).collect(),
    }
}

/// Of `T::from(x)`, the position of `T`.
fn converted(path: &ExprPath, call: &ExprCall) -> Option<Span> {
    let mut segments = path.path.segments.iter().rev();
    let is_from = segments.next().is_some_and(|last| last.ident == "from") && call.args.len() == 1;
    let ty = segments.next().filter(|ty| path.qself.is_none() && ty.arguments.is_none())?;
    (is_from && is_type(&text(&ty.ident)) && ty.ident != "Self").then(|| ty.ident.span())
}

/// `Default::default`, where the type is inferred.
fn is_default(path: &ExprPath) -> bool {
    let names: Vec<String> = path.path.segments.iter().map(|segment| text(&segment.ident)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    path.qself.is_none()
        && matches!(names[..], ["Default", "default"] | ["std" | "core", "default", "Default", "default"])
}

/// Functions of the standard library that kernels have, by the markers of these names.
const OF_STD: [&str; 6] = ["swap", "replace", "take", "min", "max", "from_fn"];

/// The expression inside parentheses.
pub(super) fn strip(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => strip(&paren.expr),
        Expr::Group(group) => strip(&group.expr),
        other => other,
    }
}

/// Suffix of the names of companions.
pub(super) const COMPANION: &str = "_marked_amp";
/// Suffix of the names of duals.
pub(crate) const DUAL: &str = "_marked_amp_dual";

/// The name of a method's companion.
pub(crate) fn companion(name: &Ident) -> Ident {
    Ident::new(&format!("{}{COMPANION}", text(name)), name.span())
}
