//! `#[amp]` on an `impl` and on a trait: each function gets its dual and its companion beside it.
//!
//! A trait gets the supertrait `KernelType`, and a required function that only an `#[amp] impl` has:
//! the default of a method would else run in kernels in the place of what an `impl` without `#[amp]`
//! has.
//!
//! Other declarations are in an unnamed constant, so that their names cannot clash; only the
//! markers of a trait's methods, which every `impl` shares, are beside the trait.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    Generics, ImplItem, ImplItemFn, ItemImpl, ItemTrait, Signature, TraitItem, TraitItemFn, Type, TypePath, Visibility,
};

use crate::at::own;
use crate::callable::name_impl_traits;
use crate::conditions::{conditions, under};
use crate::elided::name_lifetimes;
use crate::function::{
    AmpOptions, FunctionMarks, WalkedFunction, bare_generics, marker_fields, marker_generics, refuse_variadic,
    refused_function, unbounded_in_impl, walk,
};
use crate::misplaced;
use crate::operators;
use crate::walk::{DUAL, companion, text, without_lifetimes};

/// The name of the function that an `#[amp] impl` of a trait has. rustc's errors show it: for an
/// `impl` without `#[amp]`, and for an `#[amp] impl` of a trait without.
fn of_both(span: Span) -> Ident {
    Ident::new("write_amp_on_both_trait_and_impl", own(span))
}

/// `#[amp] impl`
pub(crate) fn implementation(item: &ItemImpl, options: AmpOptions) -> TokenStream {
    let mut item = item.clone();
    let of_an_operator = item.trait_.as_ref().is_some_and(|(_, path, _)| operators::known(path).is_some());
    let mut marked = TokenStream::new();
    for inner in &mut item.items {
        if let ImplItem::Fn(function) = inner {
            marked.extend(misplaced::inner(&mut function.attrs));
            marked.extend(refuse_variadic(&mut function.sig));
            name_impl_traits(&mut function.sig, Some(&function.block), Some(&item.generics));
            if !of_an_operator {
                name_lifetimes(&mut function.sig);
            }
        }
    }
    let item = &item;
    let signatures: Vec<&Signature> = functions(item).map(|function| &function.sig).collect();
    let unbounded = if of_an_operator { None } else { unbounded_in_impl(&item.generics, &signatures) };
    let is_refused = unbounded.is_some();
    marked.extend(unbounded);
    let result = match &item.trait_ {
        None => Ok(inherent(item, options, is_refused)),
        Some(_) if options.device_only => Err(refusal(
            item.impl_token.span,
            "what implements a trait can be called on the host: `device_only` is for functions and inherent `impl`s",
        )),
        Some((Some(not), ..)) => Err(refusal(not.span, "there is nothing in a negative `impl` for a kernel")),
        Some((None, path, _)) => match operators::known(path) {
            Some(operator) => operators::implementation(item, path, operator),
            None => Ok(of_a_trait(item, path, is_refused)),
        },
    };
    // An `impl` that cannot be a kernel stays unchanged on the host, so that its uses are not
    // reported too.
    let expanded = result.unwrap_or_else(|errors| quote!(#errors #item));
    quote!(#marked #expanded)
}

fn refusal(span: Span, message: &str) -> TokenStream {
    syn::Error::new(span, message).to_compile_error()
}

/// Walks the functions of an `impl`. Those that cannot have a companion are returned behind their mistakes, unchanged:
/// the others keep theirs, so that their uses are not reported too.
fn walk_all(
    item: &ItemImpl,
    options: AmpOptions,
    is_refused: bool,
) -> (Vec<(&ImplItemFn, WalkedFunction)>, TokenStream) {
    let owner = type_name(&item.self_ty);
    let (mut all, mut refused) = (Vec::new(), TokenStream::new());
    let mut names = HashSet::new();
    for function in functions(item) {
        // rustc reports the second of a name; what is generated for it would be reported too.
        if conditions(&function.attrs).is_empty() && !names.insert(text(&function.sig.ident)) {
            refused.extend(quote!(#function));
            continue;
        }
        let name = format!("{owner}::{}", text(&function.sig.ident));
        let texture_unit = options.texture_unit;
        let marks = FunctionMarks { texture_unit, is_refused, ..FunctionMarks::of(&function.attrs) };
        match walk(&function.sig, &function.block, &name, marks) {
            Ok(walked) => all.push((function, walked)),
            Err(errors) => refused.extend(quote!(#errors #function)),
        }
    }
    (all, refused)
}

/// The functions of an `impl`.
pub(crate) fn functions(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|item| if let ImplItem::Fn(function) = item { Some(function) } else { None })
}

/// The items that are not functions, unchanged.
pub(crate) fn others(item: &ItemImpl) -> impl Iterator<Item = &ImplItem> {
    item.items.iter().filter(|item| !matches!(item, ImplItem::Fn(_)))
}

fn inherent(item: &ItemImpl, options: AmpOptions, is_refused: bool) -> TokenStream {
    let (walked, mut inside) = walk_all(item, options, is_refused);
    let mut outside = TokenStream::new();
    for (function, walked) in &walked {
        let when = conditions(&function.attrs);
        outside.extend(under(&when, walked.errors.clone().unwrap_or_default()));
        let generics = joined(&item.generics, &function.sig.generics);
        let marker = Marker::new(companion(&function.sig.ident), &generics, &item.self_ty);
        let myself = quote_spanned!(Span::mixed_site()=> Self);
        inside.extend(host_function(function, walked, &myself, options));
        inside.extend(when.clone());
        inside.extend(companion_function(
            &function.vis,
            &function.sig,
            walked,
            (&marker.ty, &myself),
            &TokenStream::new(),
            true,
        ));
        inside.extend(when.clone());
        inside.extend(dual_function(&function.sig, walked, &TokenStream::new()));
        outside.extend(when.clone());
        outside.extend(marker.declaration(&quote!(pub)));
        let (owner, dual) = (without_lifetimes((*item.self_ty).clone()), dual_name(&function.sig.ident));
        let turbofish = turbofish(&function.sig.generics, &owner);
        outside.extend(when);
        outside.extend(marker.form(&quote!(<#owner>::#dual #turbofish)));
    }
    let (others, attributes, owner) = (others(item), &item.attrs, &item.self_ty);
    let (defaultness, unsafety) = (&item.defaultness, &item.unsafety);
    let (generics, _, condition) = item.generics.split_for_impl();
    let (when, items) = (
        conditions(attributes),
        hidden(&quote_spanned! {Span::mixed_site()=>
            #(#attributes)*
            #defaultness #unsafety impl #generics #owner #condition {
                #(#others)*
                #inside
            }
            #outside
        }),
    );
    quote!(#when #items)
}

/// An `impl` of a trait that is `#[amp]` itself.
fn of_a_trait(item: &ItemImpl, path: &syn::Path, is_refused: bool) -> TokenStream {
    let (walked, mut inside) = walk_all(item, AmpOptions::default(), is_refused);
    let mut outside = TokenStream::new();
    // Through the trait: an inherent method, or one of another trait, may have the same name.
    let within = quote_spanned!(Span::mixed_site()=> <Self as #path>);
    for (function, walked) in &walked {
        let when = conditions(&function.attrs);
        outside.extend(under(&when, walked.errors.clone().unwrap_or_default()));
        inside.extend(host_function(function, walked, &within, AmpOptions::default()));
        inside.extend(when);
        inside.extend(dual_function(&function.sig, walked, &TokenStream::new()));
    }
    let outside = under(&conditions(&item.attrs), outside);
    let of_both = of_both(path.segments.last().map_or(item.impl_token.span, |last| last.ident.span()));
    let (others, attributes, owner) = (others(item), &item.attrs, &item.self_ty);
    let (defaultness, unsafety) = (&item.defaultness, &item.unsafety);
    let (generics, _, condition) = item.generics.split_for_impl();
    quote_spanned! {Span::mixed_site()=>
        #(#attributes)*
        #defaultness #unsafety impl #generics #path for #owner #condition {
            #[doc(hidden)]
            fn #of_both() {}
            #(#others)*
            #inside
        }
        #outside
    }
}

/// `#[amp] trait`
pub(crate) fn interface(item: &ItemTrait) -> TokenStream {
    if let Some(token) = &item.auto_token {
        let error = refusal(token.span, "there is nothing in an `auto` trait for a kernel");
        return quote!(#error #item);
    }
    let mut item = item.clone();
    let mut marked = TokenStream::new();
    for inner in &mut item.items {
        if let TraitItem::Fn(function) = inner {
            marked.extend(misplaced::inner(&mut function.attrs));
            marked.extend(refuse_variadic(&mut function.sig));
            name_impl_traits(&mut function.sig, function.default.as_ref(), Some(&item.generics));
            name_lifetimes(&mut function.sig);
        }
    }
    let item = &item;
    let expanded = interface_parts(item);
    quote!(#marked #expanded)
}

fn interface_parts(item: &ItemTrait) -> TokenStream {
    let site = Span::mixed_site();
    let (mut inside, mut outside) = (TokenStream::new(), TokenStream::new());
    let (_, arguments, _) = item.generics.split_for_impl();
    let name = &item.ident;
    let implementor: Ident = Ident::new("__Implementor", site);
    let sized = quote_spanned!(site=> Self: ::core::marker::Sized);
    for function in
        item.items.iter().filter_map(|item| if let TraitItem::Fn(function) = item { Some(function) } else { None })
    {
        let signature = &function.sig;
        let written = format!("{}::{}", text(name), text(&signature.ident));
        let empty: syn::Block = syn::parse_quote!({});
        let body = function.default.as_ref().unwrap_or(&empty);
        let walked = match walk(signature, body, &written, FunctionMarks::of(&function.attrs)) {
            Ok(walked) => walked,
            // It stays, and the others keep their companions, so that their uses are not reported too.
            Err(errors) => {
                inside.extend(quote!(#errors #function));
                continue;
            }
        };
        let mut when = conditions(&function.attrs);
        outside.extend(under(&when, walked.errors.clone().unwrap_or_default()));
        // The marker stands for the method of any implementor of the trait.
        let mut generics = joined(&item.generics, &signature.generics);
        let bound: Type = syn::parse_quote!(#name #arguments);
        generics.params.insert(generics.lifetimes().count(), syn::parse_quote_spanned!(site=> #implementor: #bound));
        let marker_name =
            Ident::new(&format!("{}_{}", text(name), companion(&signature.ident)), own(signature.ident.span()));
        let marker = Marker::new(marker_name, &generics, &syn::parse_quote!(#implementor));
        let marker_in_trait = replace_ident(&marker.ty, &implementor, &quote!(Self));
        let within = quote_spanned!(site=> <Self as #name #arguments>);
        inside.extend(trait_function(function, &walked, &within, &sized));
        inside.extend(when.clone());
        inside.extend(companion_function(
            &Visibility::Inherited,
            signature,
            &walked,
            (&marker_in_trait, &within),
            &sized,
            false,
        ));
        inside.extend(when.clone());
        inside.extend(match &function.default {
            Some(_) => dual_function(signature, &walked, &sized),
            None => dual_declaration(signature, &walked, &sized),
        });
        let visibility = &item.vis;
        when.extend(conditions(&item.attrs));
        outside.extend(when.clone());
        outside.extend(marker.declaration(&quote!(#visibility)));
        let owner: Type = syn::parse_quote!(#implementor);
        let (dual, turbofish) = (dual_name(&signature.ident), turbofish(&signature.generics, &owner));
        let arguments = static_arguments(&item.generics);
        outside.extend(when);
        outside.extend(marker.form(&quote!(<#implementor as #name #arguments>::#dual #turbofish)));
    }
    let others = item.items.iter().filter(|item| !matches!(item, TraitItem::Fn(_)));
    let (attributes, visibility, token, supertraits) = (&item.attrs, &item.vis, &item.trait_token, &item.supertraits);
    // With the defaults of its parameters, which only a declaration has.
    let (declared, condition) = (&item.generics, &item.generics.where_clause);
    let (supertraits, unsafety) = (supertraits.iter(), &item.unsafety);
    let of_both = of_both(item.ident.span());
    quote_spanned! {site=>
        #(#attributes)*
        #visibility #unsafety #token #name #declared: ::tilewise::types::KernelType #(+ #supertraits)* #condition {
            #[doc(hidden)]
            #[allow(missing_docs, dead_code, reason = "generated, and no part of the interface")]
            fn #of_both() where #sized;
            #(#others)*
            #inside
        }
        #outside
    }
}

/// A trait's function unchanged; a default body calls the dual.
fn trait_function(
    function: &TraitItemFn,
    walked: &WalkedFunction,
    within: &TokenStream,
    sized: &TokenStream,
) -> TokenStream {
    // Kernels call the companion, so the lint would not see the use.
    let allowed = quote_spanned!(Span::mixed_site()=> #[allow(dead_code, reason = "only calls from kernels use it")]);
    if function.default.is_none() {
        return quote!(#allowed #function);
    }
    let (attributes, signature) = (&function.attrs, &function.sig);
    let (name, output, token, generics) =
        (&signature.ident, &signature.output, &signature.fn_token, &signature.generics.params);
    let condition = condition(&signature.generics, sized);
    let WalkedFunction { inputs, arguments, refused, .. } = walked;
    if let Some(body) = refused {
        let function = refused_function(&Visibility::Inherited, signature, body);
        return quote!(#allowed #(#attributes)* #function);
    }
    let (dual, given) = (dual_name(name), own_arguments(&signature.generics));
    quote_spanned! {Span::mixed_site()=>
        #allowed
        #(#attributes)*
        #token #name<#generics>(#inputs) #output #condition {
            #within::#dual #given(::core::option::Option::Some(#arguments)).result()
        }
    }
}

/// The function that the host calls. `within` has its dual: `Self`, or `<Self as Trait>`.
fn host_function(
    function: &ImplItemFn,
    walked: &WalkedFunction,
    within: &TokenStream,
    options: AmpOptions,
) -> TokenStream {
    let ImplItemFn { attrs: attributes, vis: visibility, defaultness, sig: signature, .. } = function;
    let (name, output, token, generics) =
        (&signature.ident, &signature.output, &signature.fn_token, &signature.generics.params);
    let WalkedFunction { inputs, arguments, refused, .. } = walked;
    if let Some(body) = refused.as_ref().filter(|_| !options.device_only) {
        let function = refused_function(visibility, signature, body);
        return quote!(#(#attributes)* #function);
    }
    let dual = dual_name(name);
    let site = Span::mixed_site();
    let (condition, body) = if options.device_only {
        (crate::function::device_only(&signature.generics), quote_spanned!(site=> ::core::unreachable!()))
    } else {
        let (condition, given) = (&signature.generics.where_clause, own_arguments(&signature.generics));
        let call = quote_spanned!(site=> #within::#dual #given(::core::option::Option::Some(#arguments)).result());
        (quote!(#condition), call)
    };
    let unused = options.device_only.then(|| quote!(#[allow(unused_variables, reason = "the body is not used")]));
    quote_spanned! {site=>
        #[allow(dead_code, reason = "only calls from kernels use it")]
        #(#attributes)*
        #[inline]
        #unused
        #visibility #defaultness #token #name<#generics>(#inputs) #output #condition {
            #body
        }
    }
}

fn companion_function(
    visibility: &Visibility,
    signature: &Signature,
    walked: &WalkedFunction,
    (marker, within): (&TokenStream, &TokenStream),
    sized: &TokenStream,
    inline: bool,
) -> TokenStream {
    let WalkedFunction { result, inputs, arguments, .. } = walked;
    let (name, dual, generics) = (companion(&signature.ident), dual_name(&signature.ident), &signature.generics.params);
    let (condition, given) = (condition(&signature.generics, sized), own_arguments(&signature.generics));
    let inline = inline.then(|| quote!(#[inline(always)]));
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #inline
        #[allow(missing_docs, clippy::missing_errors_doc, clippy::too_many_arguments, clippy::wrong_self_convention, dead_code, reason = "the signature is the user's")]
        #visibility fn #name<#generics>(#inputs) -> ::tilewise::macro_support::Called<#result, #marker> #condition {
            ::tilewise::macro_support::Called::new(
                #within::#dual #given(::core::option::Option::Some(#arguments)).result()
            )
        }
    }
}

/// The dual of a function.
pub(crate) fn dual_function(signature: &Signature, walked: &WalkedFunction, sized: &TokenStream) -> TokenStream {
    let (head, body) = (dual_head(signature, walked, sized), &walked.dual_body);
    quote_spanned!(Span::mixed_site()=> #[inline] #head { #body })
}

/// The dual of a function without a body.
pub(crate) fn dual_declaration(signature: &Signature, walked: &WalkedFunction, sized: &TokenStream) -> TokenStream {
    let head = dual_head(signature, walked, sized);
    quote!(#head;)
}

fn dual_head(signature: &Signature, walked: &WalkedFunction, sized: &TokenStream) -> TokenStream {
    let WalkedFunction { types, result, .. } = walked;
    let (dual, generics) = (dual_name(&signature.ident), &signature.generics.params);
    let condition = condition(&signature.generics, sized);
    quote_spanned! {Span::mixed_site()=>
        #[doc(hidden)]
        #[allow(missing_docs, clippy::type_complexity, clippy::wrong_self_convention, reason = "the signature is the user's")]
        fn #dual<#generics>(__call: ::core::option::Option<#types>) -> ::tilewise::macro_support::Dual<#result> #condition
    }
}

/// The name of a function's dual. It differs from every companion: their names end in
/// `_marked_amp`.
pub(crate) fn dual_name(name: &Ident) -> Ident {
    Ident::new(&format!("{}{DUAL}", text(name)), name.span())
}

/// A `where` clause with one more predicate.
fn condition(generics: &Generics, more: &TokenStream) -> TokenStream {
    let predicates = generics.where_clause.as_ref().map(|clause| clause.predicates.iter()).into_iter().flatten();
    let predicates: Vec<_> =
        predicates.map(ToTokens::to_token_stream).chain((!more.is_empty()).then(|| more.clone())).collect();
    if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) }
}

/// The generics of an `impl` or a trait, with those of a function in it.
fn joined(outer: &Generics, inner: &Generics) -> Generics {
    let mut all = outer.clone();
    let lifetimes = inner.lifetimes().cloned().map(syn::GenericParam::Lifetime);
    let others = inner.params.iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_))).cloned();
    let mine: Vec<syn::GenericParam> = std::mem::take(&mut all.params).into_iter().collect();
    let (first, rest): (Vec<_>, Vec<_>) =
        mine.into_iter().partition(|param| matches!(param, syn::GenericParam::Lifetime(_)));
    all.params = first.into_iter().chain(lifetimes).chain(rest).chain(others).collect();
    if let Some(clause) = &inner.where_clause {
        all.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    if all.lt_token.is_none() {
        all.lt_token = inner.lt_token;
        all.gt_token = inner.gt_token;
    }
    all
}

/// `::<T, N>` of a function's own generics, with function pointers for what is called. `owner`
/// replaces `Self` in them.
fn turbofish(generics: &Generics, owner: &Type) -> TokenStream {
    let mut generics = generics.clone();
    ReplaceSelf(owner.clone()).visit_generics_mut(&mut generics);
    crate::callable::turbofish(&generics)
}

/// `::<T, N>` of a function's own generics, as they stand. rustc cannot infer those that no argument names.
fn own_arguments(generics: &Generics) -> TokenStream {
    let arguments = generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Lifetime(_) => None,
        syn::GenericParam::Type(ty) => Some(ty.ident.to_token_stream()),
        syn::GenericParam::Const(constant) => Some(constant.ident.to_token_stream()),
    });
    let arguments: Vec<TokenStream> = arguments.collect();
    if arguments.is_empty() { TokenStream::new() } else { quote!(::<#(#arguments),*>) }
}

/// The arguments of a trait, with `'static` for its lifetimes.
fn static_arguments(generics: &Generics) -> TokenStream {
    let arguments = generics.params.iter().map(|param| match param {
        syn::GenericParam::Lifetime(_) => quote!('static),
        syn::GenericParam::Type(ty) => ty.ident.to_token_stream(),
        syn::GenericParam::Const(constant) => constant.ident.to_token_stream(),
    });
    quote!(<#(#arguments),*>)
}

/// The type that stands for a function.
struct Marker {
    name: Ident,
    generics: Generics,
    /// The type with its arguments.
    ty: TokenStream,
}

impl Marker {
    /// `owner` replaces `Self` in the generics.
    fn new(name: Ident, generics: &Generics, owner: &Type) -> Marker {
        let mut generics = marker_generics(generics);
        let owner = without_lifetimes(owner.clone());
        ReplaceSelf(owner).visit_generics_mut(&mut generics);
        let (_, arguments, _) = generics.split_for_impl();
        let ty = quote!(#name #arguments);
        Marker { name, generics, ty }
    }

    fn declaration(&self, visibility: &TokenStream) -> TokenStream {
        let (name, bare, fields) = (&self.name, bare_generics(&self.generics), marker_fields(&self.generics));
        quote_spanned! {Span::mixed_site()=>
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types, missing_debug_implementations, missing_docs, unreachable_pub, reason = "a marker has the name of its function")]
            #visibility struct #name #bare {
                marker: ::core::marker::PhantomData<fn() -> #fields>,
            }
        }
    }

    /// Implements `KernelFn` for the marker, by a dual.
    fn form(&self, dual: &TokenStream) -> TokenStream {
        let (impl_generics, _, condition) = self.generics.split_for_impl();
        let ty = &self.ty;
        quote_spanned! {Span::mixed_site()=>
            #[allow(non_camel_case_types, reason = "a marker has the name of its function")]
            impl #impl_generics ::tilewise::macro_support::KernelFn for #ty #condition {
                fn form() -> ::tilewise::macro_support::Form {
                    #dual(::core::option::Option::None).form()
                }
            }
        }
    }
}

/// Replaces `Self` by another type.
pub(crate) struct ReplaceSelf(pub(crate) Type);

impl VisitMut for ReplaceSelf {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath { qself: None, path }) = ty
            && path.is_ident("Self")
        {
            *ty = self.0.clone();
            return;
        }
        if let Type::Path(TypePath { qself: qself @ None, path }) = ty
            && path.segments.len() > 1
            && path.segments[0].ident == "Self"
        {
            *qself = Some(syn::QSelf {
                lt_token: syn::Token![<](Span::mixed_site()),
                ty: Box::new(self.0.clone()),
                position: 0,
                as_token: None,
                gt_token: syn::Token![>](Span::mixed_site()),
            });
            path.leading_colon = Some(syn::Token![::](Span::mixed_site()));
            path.segments = path.segments.iter().skip(1).cloned().collect();
            return;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

fn replace_ident(tokens: &TokenStream, from: &Ident, to: &TokenStream) -> TokenStream {
    let one = |token: proc_macro2::TokenTree| match token {
        proc_macro2::TokenTree::Ident(name) if name == *from => to.clone(),
        proc_macro2::TokenTree::Group(group) => {
            let mut new = proc_macro2::Group::new(group.delimiter(), replace_ident(&group.stream(), from, to));
            new.set_span(group.span());
            proc_macro2::TokenTree::Group(new).into()
        }
        other => other.into(),
    };
    tokens.clone().into_iter().map(one).collect::<TokenStream>()
}

/// Wraps items in an unnamed constant.
pub(crate) fn hidden(items: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        #[allow(non_local_definitions, reason = "the impl stands in a constant of its own")]
        const _: () = { #items };
    }
}

/// The name of a type for reports, without its path and its arguments.
pub(crate) fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map_or_else(String::new, |last| text(&last.ident)),
        other => other.to_token_stream().to_string(),
    }
}
