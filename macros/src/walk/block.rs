//! Blocks and the statements in them.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Expr, ExprBlock, Local, Pat, Stmt};
use tilewise_ast::{ExprKind, Pattern, Statement};

use super::call::strip;
use super::expr::bytes_reference;
use super::inferred::CodeInParts;
use super::names::{Named, self_name};
use super::pattern::{PatternUse, takes_apart};
use super::place::PlaceEvaluation;
use super::scrutinee::compares;
use super::{SyntaxWalk, WalkedExpr, node};
use crate::at::{at, braces, own};

impl SyntaxWalk {
    /// Walks a block: its code in braces, and its tree.
    pub(crate) fn block(&mut self, block: &Block) -> (TokenStream, tilewise_ast::SyntaxBlock) {
        let has_items = self.blocks == 0 || block.stmts.iter().any(|statement| matches!(statement, Stmt::Item(_)));
        if has_items {
            self.note_items(block);
            self.item_blocks.push(block.to_token_stream());
        }
        self.names.enter();
        self.blocks += 1;
        let (mut code, mut statements, mut value) = (CodeInParts::of(self), Vec::new(), None);
        let count = block.stmts.len();
        for (index, statement) in block.stmts.iter().enumerate() {
            let last = self.statement(statement, index + 1 == count, code.end(), &mut statements);
            value = last.map(Box::new);
            code.divide(self);
        }
        let code = code.finish(self);
        self.blocks -= 1;
        self.names.leave();
        if has_items {
            self.item_blocks.pop();
        }
        (braces(code, block.brace_token.span.join()), tilewise_ast::SyntaxBlock { statements, value })
    }

    /// The body of a method that gives the `&mut self` that it takes: in the closure as written, and without a value
    /// in the tree.
    pub(crate) fn giving_self(&mut self, block: &Block) -> (TokenStream, tilewise_ast::SyntaxBlock) {
        self.gives_self = true;
        let walked = self.block(block);
        self.gives_self = false;
        walked
    }

    /// Walks a statement. Returns the value of the block, if it is that.
    fn statement(
        &mut self,
        statement: &Stmt,
        is_last: bool,
        code: &mut TokenStream,
        statements: &mut Vec<Statement>,
    ) -> Option<tilewise_ast::Expr> {
        match statement {
            Stmt::Local(local) => self.local(local, code, statements),
            // It checks something when the code is compiled, and has no value.
            Stmt::Expr(Expr::Const(check), semicolon)
                if semicolon.is_some() || !is_last || ends_without_value(check) =>
            {
                code.extend(quote!(#check #semicolon));
            }
            // A semicolon too many, which rustc warns of.
            Stmt::Expr(Expr::Verbatim(nothing), semicolon @ Some(_)) if nothing.is_empty() => {
                code.extend(quote!(#semicolon));
            }
            Stmt::Expr(expr, None) if is_last && self.gives_self && self.blocks == 1 => {
                if !is_behind_self(expr) {
                    self.error(super::expr::ends(expr).0, NOT_SELF);
                    return None;
                }
                let walked = self.expr_or_reference(expr);
                code.extend(walked.code);
                if !matches!(walked.tree.kind, ExprKind::Local(_)) {
                    statements.push(Statement::Expr(walked.tree));
                }
            }
            Stmt::Expr(expr, semicolon) => {
                let walked = self.expr(expr);
                let walked_code = &walked.code;
                code.extend(quote!(#walked_code #semicolon));
                if is_last && semicolon.is_none() && has_value(&walked.tree.kind) {
                    return Some(walked.tree);
                }
                statements.push(Statement::Expr(walked.tree));
            }
            Stmt::Macro(call) => {
                let walked = self.say(&call.mac);
                let (walked_code, semicolon) = (&walked.code, &call.semi_token);
                code.extend(quote!(#walked_code #semicolon));
                if !is_last && semicolon.is_none() {
                    // `print! { .. }` is a statement; a call is one by its semicolon.
                    code.extend(quote!(;));
                }
                if is_last && semicolon.is_none() && has_value(&walked.tree.kind) {
                    return Some(walked.tree);
                }
                statements.push(Statement::Expr(walked.tree));
            }
            Stmt::Item(item) => self.item(item),
        }
        None
    }

    /// The body of an `index_mut`. The closure evaluates it with a `&self`, so that it changes nothing, and gives
    /// the way to the element that it has found:
    /// ```text
    /// { .. let __i1 = i; let __f2 = find(&__self.cells, __i1);
    ///   Some(FoundPlace(move |__self: &Self| read_changing(&__self.cells, __i1, __f2),
    ///                   move |__self: &mut Self, __e3: T| __self.cells.put_back(__i1, __f2, __e3))) }
    /// ```
    pub(crate) fn lent_place(
        &mut self,
        block: &Block,
        element: &syn::Type,
    ) -> (TokenStream, tilewise_ast::SyntaxBlock) {
        let end = block.brace_token.span.close();
        let empty = tilewise_ast::SyntaxBlock { statements: Vec::new(), value: None };
        let (last, before) = match block.stmts.split_last() {
            Some((Stmt::Expr(last, None), before)) => (strip(last), before),
            _ => {
                self.error(end, NO_PLACE);
                return (TokenStream::new(), empty);
            }
        };
        let reference = match last {
            Expr::Reference(reference) if reference.mutability.is_some() && is_of_self(&reference.expr) => reference,
            other => {
                self.error(super::expr::ends(other).0, NO_PLACE);
                return (TokenStream::new(), empty);
            }
        };
        let span = reference.and_token.span;
        self.names_a_place = true;
        let (mut code, mut statements) = (TokenStream::new(), Vec::new());
        for statement in before {
            self.statement(statement, false, &mut code, &mut statements);
        }
        let place = self.place(&reference.expr);
        let mut evaluation = PlaceEvaluation::default();
        let settled = self.settle(&place.shape, span, &mut evaluation);
        let (evaluate, copy) = (evaluation.code, self.own_name("e", span));
        let (current, store) = (settled.current(), self.put(&settled, &quote!(#copy), span));
        let (myself, own_type) = (self_name(span), Ident::new("Self", own(span)));
        let code = quote_spanned! {own(span)=>
            #code
            #evaluate
            ::core::option::Option::Some(::tilewise::macro_support::FoundPlace(
                move |#myself: &#own_type| -> #element { #current },
                move |#myself: &mut #own_type, #copy: #element| { #store },
            ))
        };
        let value = Some(Box::new(node(ExprKind::Ref(true, Box::new(place.tree)), span)));
        (braces(code, block.brace_token.span.join()), tilewise_ast::SyntaxBlock { statements, value })
    }

    pub(super) fn block_expr(&mut self, block: &ExprBlock) -> WalkedExpr {
        let (open, close) = (block.block.brace_token.span.open(), block.block.brace_token.span.close());
        let number = block.label.as_ref().map(|label| self.enter_label(Some(&label.name), false));
        let (code, body) = self.block(&block.block);
        if number.is_some() {
            self.leave_label();
        }
        let label = &block.label;
        let tree = node(ExprKind::Block(body, number), open);
        WalkedExpr { code: quote!(#label #code), tree, ty: None, loose: true, ends: (open, close) }
    }

    pub(super) fn local(&mut self, local: &Local, code: &mut TokenStream, statements: &mut Vec<Statement>) {
        if local.attrs.iter().any(|attribute| attribute.path().is_ident("tile_static")) {
            return self.tile_static(local, code, statements);
        }
        if let Some((closure_code, statement)) = self.closure_of_let(local) {
            code.extend(closure_code);
            return statements.push(statement);
        }
        if let Some((range_code, statement)) = self.range_of_let(local) {
            code.extend(range_code);
            return statements.push(statement);
        }
        if local.init.is_none() && self.deferred(&local.pat, statements) {
            return code.extend(quote!(#local));
        }
        let choice = local.init.as_ref().and_then(|init| self.choice_behind_pattern(&local.pat, &init.expr));
        if let (Some((pattern, value)), Some(init)) = (choice, &local.init) {
            let init = syn::LocalInit { expr: Box::new(value), ..init.clone() };
            return self.local(&Local { pat: pattern, init: Some(init), ..local.clone() }, code, statements);
        }
        if let Some(init) = local.init.as_ref()
            && let Some(bytes) = bytes_reference(&init.expr)
        {
            let init = syn::LocalInit { expr: Box::new(bytes), ..init.clone() };
            return self.local(&Local { init: Some(init), ..local.clone() }, code, statements);
        }
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let (start, equals) = (local.let_token.span, local.init.as_ref().map(|init| &init.eq_token));
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        // Where it may fail, a name with a capital is compared.
        let apart = takes_apart(pattern) || otherwise.is_some() && compares(pattern);
        let taken = local.init.as_ref().map(|init| self.scrutinee(&init.expr, &[pattern], apart));
        let written = ty.and_then(|ty| self.written(ty, pattern_span(pattern)));
        if taken.is_none() && written.is_none() {
            self.error(start, "in a kernel, a `let` without a value needs its type: `let x: f32;`");
        }
        if taken.is_none() && has_whole_name(pattern) {
            let message = "in a kernel, a `let` without a value gives names to parts, or to the whole: leave out `@`";
            self.error(pattern_span(pattern), message);
        }
        let otherwise = otherwise.map(|(token, block)| match &**block {
            Expr::Block(block) => (token, self.block(&block.block)),
            other => {
                let walked = self.expr(other);
                let (code, value) = (walked.code, Some(Box::new(walked.tree)));
                (token, (quote!({ #code }), tilewise_ast::SyntaxBlock { statements: Vec::new(), value }))
            }
        });
        let (value, found) = taken.map_or((None, PatternUse::default()), |(value, using)| (Some(value), using));
        let refutable = otherwise.is_some();
        let known = written.filter(|_| found.reference.is_none()).or(found.ty);
        let iterator = local.init.as_ref().is_some_and(|init| self.is_behind_iterator(&init.expr));
        let array = matches!(local.init.as_ref().map(|init| strip(&init.expr)), Some(Expr::Array(_) | Expr::Repeat(_)));
        let array_of_references = local.init.as_ref().is_some_and(|init| is_array_of_references(&init.expr));
        let late = value.is_none();
        let using = PatternUse { ty: known, refutable, late, iterator, array, array_of_references, ..found };
        let tree = self.pattern(pattern, using);
        let (attributes, let_token, semicolon) = (&local.attrs, &local.let_token, &local.semi_token);
        let whole = if refutable { SyntaxWalk::unmistakable(&local.pat) } else { local.pat.clone() };
        let value_code = value.as_ref().map(|value| if refutable { value.tight() } else { value.code.clone() });
        let place = at(pattern_span(pattern));
        match (otherwise, value) {
            (Some((token, (block_code, block))), Some(value)) => {
                code.extend(
                    quote!(#(#attributes)* #let_token #whole #equals #value_code #token #block_code #semicolon),
                );
                statements.push(Statement::LetElse(tree, value.tree, block, place));
            }
            (_, value) => {
                code.extend(quote!(#(#attributes)* #let_token #whole #equals #value_code #semicolon));
                let slot = if value.is_none() { written.map(|ty| self.slot(ty)) } else { None };
                statements.push(Statement::Let(tree, slot, value.map(|value| value.tree), place));
            }
        }
    }

    /// `let x;`, `let (a, b);`: the first assignment gives each name its type.
    fn deferred(&mut self, pattern: &Pat, statements: &mut Vec<Statement>) -> bool {
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let span = name.ident.span();
                let (_, ty) = self.witness(span);
                let named = Named { ty: Some(ty), untyped: true, ..Named::default() };
                let bound = Pattern::Bind(self.names.bind(&name.ident, true, named));
                let slot = self.slot(ty);
                statements.push(Statement::Let(bound, Some(slot), None, at(span)));
                true
            }
            Pat::Tuple(tuple) => {
                let is_name =
                    |part: &Pat| matches!(part, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none());
                tuple.elems.iter().all(is_name) && tuple.elems.iter().all(|part| self.deferred(part, statements))
            }
            _ => false,
        }
    }

    /// `#[tile_static] let name: ty;`
    fn tile_static(&mut self, local: &Local, code: &mut TokenStream, statements: &mut Vec<Statement>) {
        let whole = local.let_token.span;
        let Pat::Type(typed) = &local.pat else {
            return self
                .error(whole, "`#[tile_static]` needs a name and its type: `#[tile_static] let sums: [f32; 64];`");
        };
        let Pat::Ident(name) = &*typed.pat else {
            return self.error(pattern_span(&typed.pat), "`#[tile_static]` needs a single name");
        };
        if let Some(mutability) = &name.mutability {
            self.error(mutability.span, "`#[tile_static]` variables can always be written: leave out `mut`");
        }
        if let Some(init) = &local.init {
            self.error(
                init.eq_token.span,
                "a `#[tile_static]` variable is shared by the threads of a tile and begins as zero: write to it in the kernel instead",
            );
        }
        let (ident, span) = (&name.ident, name.ident.span());
        let Some(ty) = self.written(&typed.ty, pattern_span(&typed.pat)) else {
            return self.error(span, "`#[tile_static]` needs its whole type");
        };
        let slot = self.slot(ty);
        self.shared.push(ty);
        let id = self.names.bind(ident, true, Named { tile_static: true, ty: Some(ty), ..Named::default() });
        let (written, place) = (&typed.ty, at(span));
        code.extend(quote_spanned!(own(span)=>
            let #ident = ::tilewise::macro_support::tile_static::<#written>({
                static DECLARED: ::tilewise::macro_support::Declared = ::tilewise::macro_support::Declared::NEW;
                &DECLARED
            });
        ));
        statements.push(Statement::TileStatic(id, slot, place));
    }
}

const NO_PLACE: &str = "in `#[amp]`, `index_mut` ends in the one place that it names: `&mut self.cells[i]`, with `if` and `match` before it, for `i`";

/// `[&a, &b]`, `[&a; 4]`
fn is_array_of_references(expr: &Expr) -> bool {
    let is_reference = |expr: &Expr| matches!(strip(expr), Expr::Reference(_));
    match strip(expr) {
        Expr::Array(array) => array.elems.iter().any(is_reference),
        Expr::Repeat(repeat) => is_reference(&repeat.expr),
        _ => false,
    }
}

/// Does a `const` block end without a value?
fn ends_without_value(block: &syn::ExprConst) -> bool {
    match block.block.stmts.last() {
        None | Some(Stmt::Local(_) | Stmt::Item(_) | Stmt::Expr(_, Some(_))) => true,
        Some(Stmt::Macro(call)) => {
            call.semi_token.is_some()
                || call.mac.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("assert"))
        }
        Some(Stmt::Expr(Expr::Macro(call), None)) => {
            call.mac.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("assert"))
        }
        Some(Stmt::Expr(_, None)) => false,
    }
}

/// The reason why a method that gives `&mut Self` is refused.
pub(super) const NOT_SELF: &str =
    "in `#[amp]`, a method that gives `&mut Self` ends in `self`, or in methods of `self` that give it: `self.a().b()`";

/// Is it `self`, or a chain of methods behind it?
fn is_behind_self(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::MethodCall(call) => is_behind_self(&call.receiver),
        // It ends the method, and is looked at where it stands.
        Expr::Return(_) => true,
        _ => false,
    }
}

/// Is it a place in `self`?
fn is_of_self(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Field(field) => is_of_self(&field.base),
        Expr::Index(index) => is_of_self(&index.expr),
        _ => false,
    }
}

/// The position of a pattern.
pub(crate) fn pattern_span(pattern: &Pat) -> proc_macro2::Span {
    match pattern {
        Pat::Ident(name) => name.ident.span(),
        other => super::expr::ends(other).0,
    }
}

/// Is there a name for a whole, `whole @ (a, b)`?
fn has_whole_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.subpat.is_some(),
        Pat::Paren(inner) => has_whole_name(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().any(has_whole_name),
        Pat::TupleStruct(parts) => parts.elems.iter().any(has_whole_name),
        Pat::Slice(slice) => slice.elems.iter().any(has_whole_name),
        Pat::Struct(parts) => parts.fields.iter().any(|field| has_whole_name(&field.pat)),
        _ => false,
    }
}

/// Can it be the value at the end of a block? An expression without a value is a statement there
/// too.
fn has_value(kind: &ExprKind) -> bool {
    !matches!(
        kind,
        ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::While(..)
            | ExprKind::For(..)
            | ExprKind::ForEach(..)
            | ExprKind::Print(..)
            | ExprKind::Error(..)
            | ExprKind::Abort
    )
}
