//! `#[amp] impl Index` and `IndexMut`: `grid[i]`, `grid[i] = x` and `grid[i] += x` of a type of the
//! user's own.
//!
//! On the host the functions are the user's, as they return references. A kernel has no references,
//! so the duals differ:
//! - that of `index` returns the element itself: `&self.cells[i]` becomes `self.cells[i]`;
//! - that of `index_mut` is given a function that changes an element. Its body ends in the place,
//!   `&mut self.cells[i]`, of which a copy is changed and written back. In the tree the body is as
//!   written; the lowering stores to the place itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ImplItemFn, ItemImpl, Path, ReturnType, Stmt, Type};

use crate::at::own;
use crate::function::{FunctionMarks, WalkedFunction, bare_generics, marker_fields, marker_generics, walk, walk_place};
use crate::methods::{dual_name, hidden, type_name};
use crate::operators::{OperatorTrait, argument, output, standard};
use crate::walk::text;

/// Expands the `impl` of `Index`, or of `IndexMut`.
pub(crate) fn implementation(
    item: &ItemImpl,
    path: &Path,
    function: &ImplItemFn,
    changes: bool,
) -> Result<TokenStream, TokenStream> {
    let site = Span::mixed_site();
    let owner = &item.self_ty;
    let Some(index) = argument(path) else {
        return Err(refusal(path.span(), "name the type of the index: `Index<i32>`"));
    };
    if let Type::Reference(reference) = index {
        return Err(refusal(reference.and_token.span, "in a kernel, an index is taken by value: leave out `&`"));
    }
    let said = MessageMacros::of(&function.block);
    if let Some(span) = said.0 {
        let message = "in `#[amp]`, `index` and `index_mut` name an element, and neither print nor end the kernel";
        return Err(refusal(span, message));
    }
    let written = format!("{}::{}", type_name(owner), text(&function.sig.ident));
    let (dual, change) = (dual_name(&function.sig.ident), Ident::new("__change", own(site)));
    let element = match (changes, output(item)) {
        (false, Some(output)) => output,
        (false, None) => return Err(refusal(item.impl_token.span, "`type Output = ..;` is missing")),
        (true, _) => syn::parse_quote!(<Self as ::core::ops::Index<#index>>::Output),
    };
    let mut signature = function.sig.clone();
    let walked = if changes {
        signature.output = ReturnType::Default;
        walk_place(&signature, &function.block, &written, &change)?
    } else {
        signature.output = syn::parse_quote!(-> #element);
        let block = without_references(&function.block)?;
        walk(&signature, &block, &written, FunctionMarks::of(&function.attrs))?
    };
    let WalkedFunction { dual_body, types, result, errors, .. } = &walked;
    let given = changes.then(|| quote_spanned!(site=> #change: &mut dyn ::core::ops::FnMut(&mut #element),));
    let dual_head = quote_spanned! {site=>
        fn #dual(__call: ::core::option::Option<#types>, #given) -> ::tilewise::macro_support::Dual<#result>
    };
    let (impl_generics, arguments, condition) = item.generics.split_for_impl();
    let marker = marker_generics(&item.generics);
    let (marker_generics, marker_arguments, marker_condition) = marker.split_for_impl();
    let (bare, fields) = (bare_generics(&marker), marker_fields(&marker));
    let kind = if changes { OperatorTrait::IndexMut } else { OperatorTrait::Index };
    let standard = standard(item, path, kind);
    let nothing = changes.then(|| quote_spanned!(site=> , &mut |_| {}));
    let implemented = implemented(&element, index, &dual, changes, &quote!(__TilewiseIndexed #marker_arguments));
    let implemented = implemented.iter().map(|(name, body)| {
        quote_spanned! {site=>
            impl #impl_generics ::tilewise::macro_support::#name<#index> for #owner #condition { #body }
        }
    });
    let static_owner = crate::walk::without_lifetimes((**owner).clone());
    // The element's type is that of the `Index`.
    let above = changes.then(|| quote_spanned!(site=> : ::core::ops::Index<#index>));
    let unused =
        changes.then(|| quote_spanned!(site=> #[allow(unused_variables, reason = "the form needs no function")]));
    let items = hidden(&quote_spanned! {site=>
        #errors
        #item
        #[allow(missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub trait __TilewiseDual #impl_generics #above #condition {
            #dual_head;
        }
        impl #impl_generics __TilewiseDual #arguments for #owner #condition {
            #unused
            #dual_head { #dual_body }
        }
        #[allow(dead_code, missing_debug_implementations, missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub struct __TilewiseIndexed #bare {
            marker: ::core::marker::PhantomData<fn() -> #fields>,
        }
        impl #marker_generics ::tilewise::macro_support::KernelFn for __TilewiseIndexed #marker_arguments #marker_condition {
            fn form() -> ::tilewise::macro_support::Form {
                <#static_owner as __TilewiseDual #arguments>::#dual(::core::option::Option::None #nothing).form()
            }
        }
        #(#implemented)*
        #standard
    });
    let when = crate::conditions::conditions(&item.attrs);
    Ok(quote!(#when #items))
}

/// The traits by which kernels index, each with what its `impl` has.
fn implemented(
    element: &Type,
    index: &Type,
    dual: &Ident,
    changes: bool,
    mark: &TokenStream,
) -> Vec<(Ident, TokenStream)> {
    let site = Span::mixed_site();
    let name = |name: &str| Ident::new(name, own(site));
    let some = quote_spanned!(site=> ::core::option::Option::Some);
    if !changes {
        let body = quote_spanned! {site=>
            type Out = #element;
            type Mark = #mark;
            const RUNS_CODE: ::core::primitive::bool = true;

            fn read(&self, __index: #index) -> #element {
                Self::#dual(#some((self, __index))).result()
            }
        };
        return vec![(name("Read"), body)];
    }
    let reading = quote_spanned! {site=>
        type Place = #mark;

        fn read_changing(&self, __index: #index) -> <Self as ::core::ops::Index<#index>>::Output {
            let (mut __copy, mut __element) = (*self, ::core::option::Option::None);
            Self::#dual(#some((&mut __copy, __index)), &mut |__place| __element = #some(*__place)).result();
            __element.expect("the function names a place")
        }
    };
    let writing = quote_spanned! {site=>
        fn write_element(
            &mut self,
            __index: #index,
            __value: <Self as ::core::ops::Index<#index>>::Output,
        ) -> ::tilewise::macro_support::Called<(), #mark> {
            ::tilewise::macro_support::Called::new(
                Self::#dual(#some((self, __index)), &mut |__place| *__place = __value).result(),
            )
        }

        fn write_again(
            &mut self,
            __index: #index,
            __value: <Self as ::core::ops::Index<#index>>::Output,
        ) -> ::tilewise::macro_support::Called<(), #mark> {
            ::tilewise::macro_support::silently(|| self.write_element(__index, __value))
        }
    };
    vec![(name("ReadChanging"), reading), (name("WriteElement"), writing)]
}

fn refusal(span: Span, message: &str) -> TokenStream {
    syn::Error::new(span, message).to_compile_error()
}

/// The body of an `index` without the `&` of its results.
fn without_references(block: &Block) -> Result<Block, TokenStream> {
    let mut block = block.clone();
    let mut results = ResultPlaces { wrong: None };
    results.visit_block_mut(&mut block);
    results.block(&mut block);
    match results.wrong {
        Some(span) => {
            Err(refusal(span, "in `#[amp]`, the result of `index` is an element by its place: `&self.cells[i]`"))
        }
        None => Ok(block),
    }
}

/// Takes `&` from the results of a function.
struct ResultPlaces {
    /// A result that is no reference to a place.
    wrong: Option<Span>,
}

impl ResultPlaces {
    fn block(&mut self, block: &mut Block) {
        match block.stmts.last_mut() {
            Some(Stmt::Expr(value, None)) => self.value(value),
            _ => self.wrong = self.wrong.or_else(|| Some(block.brace_token.span.close())),
        }
    }

    fn value(&mut self, value: &mut Expr) {
        match value {
            Expr::Reference(reference) if reference.mutability.is_none() => *value = (*reference.expr).clone(),
            Expr::Paren(paren) => self.value(&mut paren.expr),
            Expr::Group(group) => self.value(&mut group.expr),
            Expr::Block(block) => self.block(&mut block.block),
            Expr::If(branch) => {
                self.block(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.value(otherwise);
                }
            }
            Expr::Match(choice) => choice.arms.iter_mut().for_each(|arm| self.value(&mut arm.body)),
            // Its value is taken where it stands.
            Expr::Return(_) => {}
            other => self.wrong = self.wrong.or_else(|| Some(other.span())),
        }
    }
}

impl VisitMut for ResultPlaces {
    fn visit_expr_return_mut(&mut self, leave: &mut syn::ExprReturn) {
        if let Some(value) = &mut leave.expr {
            self.value(value);
        }
    }

    // A `return` in there is another function's.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The first `print!`, `error!` or `abort!` in a body.
struct MessageMacros(Option<Span>);

impl MessageMacros {
    fn of(block: &Block) -> MessageMacros {
        let mut found = MessageMacros(None);
        found.visit_block_mut(&mut block.clone());
        found
    }
}

impl VisitMut for MessageMacros {
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if ["print", "error", "abort"].iter().any(|name| call.path.is_ident(name)) {
            self.0 = self.0.or_else(|| Some(call.path.span()));
        }
    }
}
