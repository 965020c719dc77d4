//! Casts.

use proc_macro2::Ident;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use tilewise_ast::ExprKind;

use super::expr::ends;
use super::names::NameKey;
use super::{SyntaxWalk, WalkedExpr, node, text};
use crate::at::own;

impl SyntaxWalk {
    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> WalkedExpr {
        let span = cast.as_token.span;
        let ends = ends(cast);
        let value = self.expr(&cast.expr);
        let (arrow, ty) = (&cast.as_token, &*cast.ty);
        let (value, from) = if self.may_be_host_wide(ty) {
            let (value, from) = self.typed(value, span);
            (value, Some(from))
        } else {
            (value, None)
        };
        let code = value.tight();
        let code = quote!(#code #arrow #ty);
        let known = self.written(ty, ty.span());
        let walked = WalkedExpr { code, tree: value.tree, ty: known, loose: true, ends };
        let (mut walked, known) = self.typed(walked, ty.span());
        if let Some(from) = from {
            let (to, from, code) = (self.witness_code(known), self.witness_code(from), walked.code);
            walked.code = quote_spanned!(own(span)=> #to.cast(#from, #code));
            walked.loose = false;
        }
        let slot = self.slot(known);
        walked.tree = node(ExprKind::Cast(Box::new(walked.tree), slot), span);
        walked
    }

    /// Whether the type may be `usize` or `isize`: by name, by an alias or a parameter, or by
    /// inference. A type that is an alias with the name of another primitive type is an error.
    pub(super) fn may_be_host_wide(&mut self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(path) => {
                let name = path.path.get_ident().filter(|_| path.qself.is_none());
                let Some(name) = name.filter(|name| NOT_HOST_WIDE.contains(&text(name).as_str())) else { return true };
                self.primitive(name);
                false
            }
            syn::Type::Paren(ty) => self.may_be_host_wide(&ty.elem),
            syn::Type::Group(ty) => self.may_be_host_wide(&ty.elem),
            syn::Type::Infer(_) | syn::Type::Macro(_) => true,
            _ => false,
        }
    }

    /// Lets rustc prove that a primitive type's name does not mean `usize` or `isize`, once for each
    /// name.
    pub(super) fn primitive(&mut self, name: &Ident) {
        if self.primitives.insert(NameKey::of(name)) {
            let span = own(name.span());
            self.declarations.push(quote_spanned!(span=> ::tilewise::macro_support::same_width::<#name>();));
        }
    }
}

/// The primitive types that have the same width in a kernel, and those that kernels do not have.
const NOT_HOST_WIDE: [&str; 14] =
    ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32", "f64", "bool", "char"];
