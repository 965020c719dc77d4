//! `#[amp] impl Index` and `IndexMut`: `grid[i]`, `grid[i] = x` and `grid[i] += x` of a type of the
//! user's own.
//!
//! On the host the functions are the user's, as they return references. A kernel has no references,
//! so the duals differ:
//! - that of `index` returns the element itself: `&self.cells[i]` becomes `self.cells[i]`;
//! - that of `index_mut` returns the way to the element: two functions, which read it and give it a value. So its
//!   body, which ends in the place, `&mut self.cells[i]`, runs once, and the element is read and written where its
//!   use is evaluated. In the tree the body is as written; the lowering stores to the place itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, GenericParam, Generics, ImplItemFn, ItemImpl, Path, ReturnType, Stmt, Type};

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
    let dual = dual_name(&function.sig.ident);
    let element = match (changes, output(item)) {
        (false, Some(output)) => output,
        (false, None) => return Err(refusal(item.impl_token.span, "`type Output = ..;` is missing")),
        (true, _) => syn::parse_quote!(<Self as ::core::ops::Index<#index>>::Output),
    };
    let mut signature = function.sig.clone();
    let walked = if changes {
        signature.output = ReturnType::Default;
        walk_place(&signature, &function.block, &written, &element)?
    } else {
        signature.output = syn::parse_quote!(-> #element);
        let block = without_references(&function.block)?;
        walk(&signature, &block, &written, FunctionMarks::of(&function.attrs))?
    };
    let WalkedFunction { dual_body, types, result, errors, .. } = &walked;
    let dual_head = |place_result: TokenStream| {
        let result = if changes { place_result } else { quote!(#result) };
        quote_spanned! {site=>
            fn #dual(__call: ::core::option::Option<#types>) -> ::tilewise::macro_support::Dual<#result>
        }
    };
    let declared = dual_head(found_place(&element, &item.generics, true));
    let dual_head = dual_head(found_place(&element, &item.generics, false));
    let (impl_generics, arguments, condition) = item.generics.split_for_impl();
    let marker = marker_generics(&item.generics);
    let (marker_generics, marker_arguments, marker_condition) = marker.split_for_impl();
    let (bare, fields) = (bare_generics(&marker), marker_fields(&marker));
    let kind = if changes { OperatorTrait::IndexMut } else { OperatorTrait::Index };
    let standard = standard(item, path, kind);
    let implemented =
        implemented(&element, index, &dual, changes, &quote!(__TilewiseIndexed #marker_arguments), &item.generics);
    let implemented = implemented.iter().map(|(name, body)| {
        quote_spanned! {site=>
            impl #impl_generics ::tilewise::macro_support::#name<#index> for #owner #condition { #body }
        }
    });
    let static_owner = crate::walk::without_lifetimes((**owner).clone());
    // The element's type is that of the `Index`.
    let refining =
        changes.then(|| quote_spanned!(site=> #[allow(refining_impl_trait, reason = "a type without a name")]));
    let above = changes.then(|| quote_spanned!(site=> : ::core::ops::Index<#index, Output: ::core::marker::Sized>));
    let items = hidden(&quote_spanned! {site=>
        #errors
        #item
        #[allow(missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub trait __TilewiseDual #impl_generics #above #condition {
            #declared;
        }
        #refining
        impl #impl_generics __TilewiseDual #arguments for #owner #condition {
            #dual_head { #dual_body }
        }
        #[allow(dead_code, missing_debug_implementations, missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub struct __TilewiseIndexed #bare {
            marker: ::core::marker::PhantomData<fn() -> #fields>,
        }
        impl #marker_generics ::tilewise::macro_support::KernelFn for __TilewiseIndexed #marker_arguments #marker_condition {
            fn form() -> ::tilewise::macro_support::Form {
                <#static_owner as __TilewiseDual #arguments>::#dual(::core::option::Option::None).form()
            }
        }
        impl #bare ::tilewise::macro_support::IndexMeaning for __TilewiseIndexed #marker_arguments {
            const RUNS_CODE: ::core::primitive::bool = true;
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
    generics: &Generics,
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
    let output = quote_spanned!(site=> <Self as ::core::ops::Index<#index>>::Output);
    let found = quote_spanned!(site=> __F: ::tilewise::macro_support::FoundElement<Self, #output>);
    let place = found_place(element, generics, false);
    let reading = quote_spanned! {site=>
        type Place = #mark;
        type Indexed = Self;

        #[allow(refining_impl_trait, reason = "a type without a name")]
        fn find(&self, __index: #index) -> #place {
            Self::#dual(#some((self, __index))).result()
        }

        fn read_changing<#found>(&self, _: #index, __found: ::core::option::Option<__F>) -> #output {
            ::tilewise::macro_support::FoundElement::element(__found.expect("it was found"), self)
        }
    };
    let writing = quote_spanned! {site=>
        fn write_element(
            &mut self,
            __index: #index,
            __value: #output,
        ) -> ::tilewise::macro_support::Called<(), #mark> {
            let __found = Self::#dual(#some((&*self, __index))).result();
            ::tilewise::macro_support::WriteElement::put_back(self, __index, __found, __value);
            ::tilewise::macro_support::Called::new(())
        }

        fn put_back<#found>(&mut self, _: #index, __found: ::core::option::Option<__F>, __value: #output) {
            ::tilewise::macro_support::FoundElement::replace(__found.expect("it was found"), self, __value);
        }
    };
    vec![(name("ReadChanging"), reading), (name("WriteElement"), writing)]
}

/// What the dual of `index_mut` returns; in a trait, or in an `impl`.
fn found_place(element: &Type, generics: &Generics, in_trait: bool) -> TokenStream {
    let name = |parameter: &GenericParam| match parameter {
        GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_token_stream(),
        GenericParam::Type(ty) => ty.ident.to_token_stream(),
        GenericParam::Const(constant) => constant.ident.to_token_stream(),
    };
    let (lifetimes, others): (Vec<_>, Vec<_>) =
        generics.params.iter().partition(|parameter| matches!(parameter, GenericParam::Lifetime(_)));
    let myself = in_trait.then(|| quote!(Self));
    let names = lifetimes.into_iter().map(name).chain(myself).chain(others.into_iter().map(name));
    quote_spanned! {Span::mixed_site()=>
        ::core::option::Option<impl ::tilewise::macro_support::FoundElement<Self, #element> + use<#(#names),*>>
    }
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
