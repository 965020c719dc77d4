//! Constructs that are not in the language, and the advice for each.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, Item};

use super::expr::ends;
use super::{SyntaxWalk, WalkedExpr};

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

    pub(super) fn refuse_item(&mut self, item: &Item) {
        let (what, span) = match item {
            Item::Fn(item) => ("function", item.sig.fn_token.span),
            Item::Const(item) => ("constant", item.const_token.span),
            Item::Static(item) => ("static", item.static_token.span),
            Item::Struct(item) => ("struct", item.struct_token.span),
            Item::Enum(item) => ("enum", item.enum_token.span),
            Item::Use(item) => ("`use`", item.use_token.span),
            other => ("item", ends(other).0),
        };
        self.error(span, format!("there are no items in a kernel: put this {what} outside of it"));
    }
}

fn words(expr: &Expr) -> (Span, &'static str) {
    match expr {
        Expr::Closure(closure) => {
            (closure.or1_token.span, "there are no closures in a kernel: write an `#[amp]` function")
        }
        Expr::Reference(reference) => (
            reference.and_token.span,
            "in a kernel, `&` stands before an argument, behind `let name =` and before what a pattern takes apart: use the value itself",
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
        Expr::Range(range) => (
            range.limits.span(),
            "in a kernel, a range stands only behind `for .. in` and in a pattern; a part of a view is `view.section(origin, extent)`",
        ),
        Expr::Infer(hole) => (hole.underscore_token.span, "a value is missing here"),
        other => (ends(other).0, "this expression is not in the kernel language"),
    }
}
