//! Constructs that are not in the language, and the advice for each.

use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Item};

use super::expr::ends;
use super::{SyntaxWalk, WalkedExpr};
use crate::at::own;
use crate::misplaced::is_amp;

impl SyntaxWalk {
    pub(super) fn not_in_the_language(&mut self, expr: &Expr) -> WalkedExpr {
        let (span, message) = words(expr);
        self.refuse(span, message)
    }

    /// Reports `#[cfg(..)]` in a body. rustc leaves disabled code out of the closure, and the macro
    /// cannot know which code that is.
    pub(crate) fn refuse_conditions(&mut self, body: &Block) {
        struct Conditions(Vec<Span>);
        impl VisitMut for Conditions {
            fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
                let path = attribute.path();
                if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                    self.0.push(path.span());
                }
            }
        }
        let mut conditions = Conditions(Vec::new());
        conditions.visit_block_mut(&mut body.clone());
        for span in conditions.0 {
            let help = "make it a constant, `const DEBUG: bool = cfg!(debug_assertions);`, and ask for it by `if`";
            self.error(span, format!("conditions of compilation cannot stand in a kernel; {help}"));
        }
    }

    /// An item. It is declared before the closure, where the tables see it too: one in an inner block
    /// too, if nothing outside of that block has its name.
    pub(super) fn item(&mut self, item: &Item) {
        let span = ends(item).0;
        if let Some(name) = self.seen_outside(item) {
            let help = "give it another name, or put it into the outermost block";
            return self.error(
                span,
                format!("in a kernel, `{name}` of an inner block would also be `{name}` outside of it; {help}"),
            );
        }
        match item {
            Item::Fn(function) if !function.attrs.iter().any(is_amp) => {
                let marked = quote_spanned!(own(span)=> #[::tilewise::amp]);
                self.items.push(quote!(#marked #function));
            }
            Item::Const(_)
            | Item::Enum(_)
            | Item::Fn(_)
            | Item::Impl(_)
            | Item::Static(_)
            | Item::Struct(_)
            | Item::Trait(_)
            | Item::Type(_)
            | Item::Use(_) => self.items.push(item.to_token_stream()),
            _ => self.error(span, "this item cannot stand in a kernel: put it outside of it"),
        }
    }
}

fn words(expr: &Expr) -> (Span, &'static str) {
    match expr {
        Expr::Closure(closure) => (
            closure.or1_token.span,
            "in a kernel, a closure gets a name, `let f = |x| ..;`, or is an argument of a call",
        ),
        Expr::Reference(reference) => (
            reference.and_token.span,
            "in a kernel, `&mut` stands before an argument, behind `let name =` and before what a pattern takes apart",
        ),
        Expr::RawAddr(address) => (address.and_token.span, "there are no pointers in a kernel"),
        Expr::Unsafe(block) => (block.unsafe_token.span, "there is no unsafe code in a kernel"),
        Expr::Async(block) => (block.async_token.span, "a kernel does not wait: there is no `async` in it"),
        Expr::Await(wait) => (wait.await_token.span, "a kernel does not wait: there is no `.await` in it"),
        Expr::TryBlock(block) => (block.try_token.span, "there is no `try` in a kernel"),
        Expr::Yield(leave) => (leave.yield_token.span, "there is no `yield` in a kernel"),
        Expr::Let(test) => {
            (test.let_token.span, "`let` stands in the condition of an `if` or a `while`, at its front or behind `&&`")
        }
        Expr::Range(range) => (range.limits.span(), super::iteration::RANGE),
        Expr::Infer(hole) => (hole.underscore_token.span, "a value is missing here"),
        other => (ends(other).0, "this expression is not in the kernel language"),
    }
}
