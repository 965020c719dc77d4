//! `&` of a constant expression, `&7`, `&Point { x: 0, y: 1 }`, which lives as long as the program.
//!
//! rustc keeps the value of such an expression as it is written. In the closure, the value of a literal is the result of
//! a call of its witness, which is temporary. So what is behind `&` stands there as written, and the witness, or the
//! code with the witnesses of its parts, which never runs, has its type beside it:
//! ```text
//! &7         __w1.shared(&7)
//! &LIMIT     __w1.lent_constant(&const { LIMIT })
//! &(1, 2)    { let __r3 = &(1, 2); let _ = || { let _ = [__r3, &(__w1.of(1), __w2.of(2))]; }; __r3 }
//! ```
//! Of a computation, the value may be another one in a kernel, where a `usize` has 32 bits.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprPath, ExprReference, Lit, UnOp};

use super::call::strip;
use super::names::is_capital;
use super::{SyntaxWalk, WalkedExpr, text};
use crate::at::{braces, own, parens};

/// What rustc keeps for the whole program.
enum KeptValue<'e> {
    /// A literal, with its sign.
    Literal,
    /// A constant, or a variant without fields.
    Constant(&'e ExprPath),
    /// A tuple, an array, a struct or a variant of these.
    Made,
}

impl SyntaxWalk {
    /// `&value`, of a value after the walk. `named`: gets it a name at once, for which rustc keeps also what is no
    /// constant expression?
    pub(super) fn reference_to(&mut self, reference: &ExprReference, value: &WalkedExpr, named: bool) -> TokenStream {
        let (and, span) = (&reference.and_token, own(value.ends.1));
        match (self.kept_value(&reference.expr), value.ty) {
            (Some(KeptValue::Literal), Some(ty)) => {
                let (witness, written) = (self.witness_code(ty), parens(reference.to_token_stream(), value.ends.1));
                quote_spanned!(span=> #witness.shared #written)
            }
            (Some(KeptValue::Constant(path)), Some(ty)) if !named || !is_constant_of_a_type(path) => {
                let witness = self.witness_code(ty);
                let constant = parens(quote_spanned!(span=> #and const { #path }), value.ends.1);
                quote_spanned!(span=> #witness.lent_constant #constant)
            }
            (Some(KeptValue::Made), _) => {
                let (code, written) = (value.tight(), strip(&reference.expr));
                // rustc's error about the type is at the user's token.
                let name = Ident::new(&self.own_name("r", span).to_string(), and.span);
                let written = parens(written.to_token_stream(), value.ends.1);
                let types = quote_spanned!(span=> let _ = || { let _ = [#name, &#code]; };);
                braces(quote_spanned!(span=> let #name = #and #written; #types #name), value.ends.1)
            }
            _ => {
                let code = value.tight();
                quote!(#and #code)
            }
        }
    }

    /// Does rustc keep the value of an expression, of which `&` is taken, for the whole program?
    pub(super) fn is_promoted(&self, expr: &Expr) -> bool {
        self.kept_value(expr).is_some()
    }

    fn kept_value<'e>(&self, expr: &'e Expr) -> Option<KeptValue<'e>> {
        match strip(expr) {
            Expr::Path(path) => self.names_a_constant(path).then_some(KeptValue::Constant(path)),
            expr if is_literal(expr) => Some(KeptValue::Literal),
            expr => self.is_made(expr).then_some(KeptValue::Made),
        }
    }

    /// Is it made of literals?
    fn is_made(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Tuple(tuple) => tuple.elems.iter().all(|part| self.is_made(part)),
            Expr::Array(array) => array.elems.iter().all(|part| self.is_made(part)),
            Expr::Repeat(repeat) => self.is_made(&repeat.expr),
            Expr::Path(path) => is_variant(path),
            Expr::Call(call) => {
                // A kernel calls nothing else with a capital.
                let makes = matches!(strip(&call.func), Expr::Path(path) if self.names_a_constant(path));
                makes && call.args.iter().all(|part| self.is_made(part))
            }
            Expr::Struct(made) => made.rest.is_none() && made.fields.iter().all(|field| self.is_made(&field.expr)),
            expr => is_literal(expr),
        }
    }

    /// A variant, or a constant.
    fn names_a_constant(&self, path: &ExprPath) -> bool {
        let segments = &path.path.segments;
        let Some(last) = segments.last().filter(|_| path.qself.is_none()) else { return false };
        is_capital(&text(&last.ident)) && (segments.len() > 1 || self.names.bound(&last.ident).is_none())
    }
}

impl SyntaxWalk {
    /// Refuses `&(LIMIT, 1)` at the end of a function or a closure: rustc keeps the value of such an expression as it
    /// is written, and in the closure of a kernel it is written with witnesses.
    pub(crate) fn refuse_lost_reference(&mut self, end: &Expr) {
        match strip(end) {
            Expr::Reference(reference) if reference.mutability.is_none() => {
                let value = strip(&reference.expr);
                if !self.is_promoted(value)
                    && matches!(value, Expr::Tuple(_) | Expr::Array(_))
                    && self.is_constant(value)
                {
                    let help =
                        "make a constant of the whole, `const PAIR: (i32, i32) = (LIMIT, 1);`, and write `&PAIR`";
                    let message =
                        format!("in a kernel, a reference to a value with a constant in it ends here; {help}");
                    self.error(reference.and_token.span, message);
                }
            }
            Expr::Block(block) => self.refuse_lost_in(&block.block),
            Expr::If(branch) => {
                self.refuse_lost_in(&branch.then_branch);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.refuse_lost_reference(otherwise);
                }
            }
            Expr::Match(choice) => choice.arms.iter().for_each(|arm| self.refuse_lost_reference(&arm.body)),
            _ => {}
        }
    }

    /// The same for the value of a block.
    pub(crate) fn refuse_lost_in(&mut self, block: &syn::Block) {
        if let Some(syn::Stmt::Expr(end, None)) = block.stmts.last() {
            self.refuse_lost_reference(end);
        }
    }

    /// Is it made of literals and constants?
    fn is_constant(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Tuple(tuple) => tuple.elems.iter().all(|part| self.is_constant(part)),
            Expr::Array(array) => array.elems.iter().all(|part| self.is_constant(part)),
            Expr::Path(path) => self.names_a_constant(path),
            Expr::Call(call) => {
                let makes = matches!(strip(&call.func), Expr::Path(path) if is_variant(path));
                makes && call.args.iter().all(|part| self.is_constant(part))
            }
            expr => is_literal(expr),
        }
    }
}

/// Is it a number with its sign, a truth or a character?
fn is_literal(expr: &Expr) -> bool {
    let is_number = |lit: &Lit| matches!(lit, Lit::Int(_) | Lit::Float(_));
    match strip(expr) {
        Expr::Lit(literal) => {
            is_number(&literal.lit) || matches!(literal.lit, Lit::Bool(_) | Lit::Char(_) | Lit::Byte(_))
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            matches!(&*unary.expr, Expr::Lit(literal) if is_number(&literal.lit))
        }
        _ => false,
    }
}

/// Is it `Point::ORIGIN`, or `T::ZERO`, whose value rustc does not keep, as it does not know the type?
fn is_constant_of_a_type(path: &ExprPath) -> bool {
    let of = path.path.segments.iter().rev().nth(1);
    !is_variant(path) && of.is_some_and(|of| is_capital(&text(&of.ident)))
}

/// Does a path look like a variant or a struct, `Some`, `Shape::Dot`, and not like a constant?
fn is_variant(path: &ExprPath) -> bool {
    let last = path.path.segments.last().filter(|_| path.qself.is_none());
    last.is_some_and(|last| is_capital(&text(&last.ident)) && text(&last.ident).contains(char::is_lowercase))
}
