//! `#[amp]` on an `impl` of an operator, of `PartialEq`, `Default` or `From`. These traits of the
//! standard library have no place for duals and companions, so each `impl` gets a private trait.
//!
//! They are known by their names, and each `impl` proves that it is of the trait that is meant.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, ImplItem, ImplItemFn, ItemImpl, Path, PathArguments, Type};

use crate::at::own;
use crate::conditions::conditions;
use crate::function::{FunctionMarks, WalkedFunction, bare_generics, marker_fields, marker_generics, walk};
use crate::indexing;
use crate::methods::{ReplaceSelf, dual_declaration, dual_function, dual_name, functions, hidden, others, type_name};
use crate::walk::{companion, text, without_lifetimes};

/// A trait of the standard library with a meaning under `#[amp] impl`.
#[derive(Clone, Copy)]
pub(crate) enum OperatorTrait {
    /// With the operator's name in `macro_support::op`.
    Binary(&'static str),
    /// With the name of the operator without `=`.
    Assign(&'static str),
    Unary(&'static str),
    Equal,
    /// `partial_cmp` or `cmp`.
    Order,
    Index,
    IndexMut,
    Default,
    From,
    /// With advice.
    Refused(&'static str),
}

/// The trait of this name.
pub(crate) fn known(path: &Path) -> Option<OperatorTrait> {
    let name = path.segments.last()?.ident.to_string();
    Some(match name.as_str() {
        "Add" => OperatorTrait::Binary("Add"),
        "Sub" => OperatorTrait::Binary("Sub"),
        "Mul" => OperatorTrait::Binary("Mul"),
        "Div" => OperatorTrait::Binary("Div"),
        "Rem" => OperatorTrait::Binary("Rem"),
        "BitAnd" => OperatorTrait::Binary("BitAnd"),
        "BitOr" => OperatorTrait::Binary("BitOr"),
        "BitXor" => OperatorTrait::Binary("BitXor"),
        "Shl" => OperatorTrait::Binary("Shl"),
        "Shr" => OperatorTrait::Binary("Shr"),
        "Neg" => OperatorTrait::Unary("Neg"),
        "Not" => OperatorTrait::Unary("Not"),
        "PartialEq" => OperatorTrait::Equal,
        "Default" => OperatorTrait::Default,
        "From" => OperatorTrait::From,
        "AddAssign" => OperatorTrait::Assign("Add"),
        "SubAssign" => OperatorTrait::Assign("Sub"),
        "MulAssign" => OperatorTrait::Assign("Mul"),
        "DivAssign" => OperatorTrait::Assign("Div"),
        "RemAssign" => OperatorTrait::Assign("Rem"),
        "BitAndAssign" => OperatorTrait::Assign("BitAnd"),
        "BitOrAssign" => OperatorTrait::Assign("BitOr"),
        "BitXorAssign" => OperatorTrait::Assign("BitXor"),
        "ShlAssign" => OperatorTrait::Assign("Shl"),
        "ShrAssign" => OperatorTrait::Assign("Shr"),
        "PartialOrd" => OperatorTrait::Order,
        "Index" => OperatorTrait::Index,
        "IndexMut" => OperatorTrait::IndexMut,
        "Ord" => {
            OperatorTrait::Refused("a kernel compares by `PartialOrd`: write `#[amp]` on that, and leave it out here")
        }
        "Eq" | "Copy" | "Clone" => {
            OperatorTrait::Refused("there is nothing in this trait for a kernel: leave out `#[amp]`")
        }
        "Deref" | "DerefMut" | "Drop" | "Iterator" => {
            OperatorTrait::Refused("kernels do not use this trait: write an `#[amp]` method")
        }
        _ => return None,
    })
}

/// Expands the `impl` of such a trait.
pub(crate) fn implementation(item: &ItemImpl, path: &Path, known: OperatorTrait) -> Result<TokenStream, TokenStream> {
    expand(item, path, known, true)
}

/// The kernel form of an `impl` that a derive has written for the host.
pub(crate) fn of_a_derive(item: &ItemImpl, known: OperatorTrait) -> TokenStream {
    match &item.trait_ {
        Some((None, path, _)) => expand(item, path, known, false).unwrap_or_else(|errors| errors),
        _ => TokenStream::new(),
    }
}

fn expand(item: &ItemImpl, path: &Path, known: OperatorTrait, host: bool) -> Result<TokenStream, TokenStream> {
    if let OperatorTrait::Refused(help) = known {
        let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        return Err(syn::Error::new(span, help).to_compile_error());
    }
    let functions: Vec<&ImplItemFn> = functions(item).collect();
    let [function] = functions[..] else {
        let span = functions.get(1).map_or(item.impl_token.span, |second| second.sig.ident.span());
        return Err(syn::Error::new(span, "in `#[amp]`, this trait has its one required function").to_compile_error());
    };
    if let OperatorTrait::Index | OperatorTrait::IndexMut = known {
        return indexing::implementation(item, path, function, matches!(known, OperatorTrait::IndexMut));
    }
    let site = Span::mixed_site();
    let owner = &item.self_ty;
    let output = output(item);
    // The private trait has the dual, whose signature cannot name `Self::Output`.
    let mut signature = function.sig.clone();
    if let Some(output) = &output {
        ReplaceOutput(output.clone()).visit_signature_mut(&mut signature);
    }
    let sized = quote_spanned!(site=> Self: ::core::marker::Sized);
    let written = format!("{}::{}", type_name(owner), text(&function.sig.ident));
    let walked = walk(&signature, &function.block, &written, FunctionMarks::of(&function.attrs))?;
    let declaration = dual_declaration(&signature, &walked, &sized);
    let dual = dual_function(&signature, &walked, &sized);
    let (impl_generics, arguments, condition) = item.generics.split_for_impl();
    let own_trait = Ident::new("__TilewiseDual", own(site));
    let (name, dual_name) = (&function.sig.ident, dual_name(&function.sig.ident));
    let (attributes, output_tokens, inputs, call) =
        (&function.attrs, &function.sig.output, &walked.inputs, &walked.arguments);
    let (others, impl_attributes) = (others(item), &item.attrs);
    let (defaultness, unsafety) = (&item.defaultness, &item.unsafety);
    let forms = forms(item, path, known, output.as_ref(), function, &walked)?;
    let standard = if host { standard(item, path, known) } else { TokenStream::new() };
    let errors = &walked.errors;
    let on_the_host = host.then(|| {
        quote_spanned! {site=>
            #(#impl_attributes)*
            #defaultness #unsafety impl #impl_generics #path for #owner #condition {
                #(#others)*
                #(#attributes)*
                #[inline]
                fn #name(#inputs) #output_tokens {
                    <Self as #own_trait #arguments>::#dual_name(::core::option::Option::Some(#call)).result()
                }
            }
        }
    });
    let items = hidden(&quote_spanned! {site=>
        #errors
        #[allow(missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub trait #own_trait #impl_generics #condition {
            #declaration
        }
        impl #impl_generics #own_trait #arguments for #owner #condition {
            #dual
        }
        #on_the_host
        #forms
        #standard
    });
    let when = conditions(&item.attrs);
    Ok(quote!(#when #items))
}

/// Proves that the path names the trait of the standard library: another one may have its name.
///
/// A type that has the trait of the standard library, and nothing else, has the one that the path names.
pub(crate) fn standard(item: &ItemImpl, path: &Path, known: OperatorTrait) -> TokenStream {
    let last = path.segments.last().expect("a path has a segment");
    let (site, span, name) = (Span::mixed_site(), last.ident.span(), &last.ident);
    let owner = without_lifetimes((*item.self_ty).clone());
    // rustc points at traits of one name in other crates, so each type has its own.
    let of_type: String = type_name(&owner).chars().filter(char::is_ascii_alphanumeric).collect();
    let named = Ident::new(&format!("__TilewiseNamed{of_type}"), own(site));
    let mut generics = marker_generics(&item.generics);
    ReplaceSelf(owner.clone()).visit_generics_mut(&mut generics);
    let mut path = without_lifetimes_in(path.clone());
    ReplaceSelf(owner).visit_path_mut(&mut path);
    let (impl_generics, arguments, condition) = generics.split_for_impl();
    let (bare, fields) = (bare_generics(&generics), marker_fields(&generics));
    let example = quote_spanned!(own(span)=> __TilewiseExample #arguments);
    // Without an argument, the right operand is of the type itself.
    let right = argument(&path).map_or_else(|| example.clone(), ToTokens::to_token_stream);
    let (module, core, body) = match known {
        OperatorTrait::Binary(kind) => {
            let method = Ident::new(&kind.to_lowercase(), own(site));
            let body = quote!(type Output = (); fn #method(self, _: #right) {});
            ("ops", quote!(::core::ops::#name<#right>), body)
        }
        OperatorTrait::Assign(kind) => {
            let method = Ident::new(&format!("{}_assign", kind.to_lowercase()), own(site));
            ("ops", quote!(::core::ops::#name<#right>), quote!(fn #method(&mut self, _: #right) {}))
        }
        OperatorTrait::Unary(kind) => {
            let method = Ident::new(&kind.to_lowercase(), own(site));
            ("ops", quote!(::core::ops::#name), quote!(type Output = (); fn #method(self) {}))
        }
        OperatorTrait::Equal => {
            let body = quote!(fn eq(&self, _: &#right) -> ::core::primitive::bool { false });
            ("cmp", quote!(::core::cmp::PartialEq<#right>), body)
        }
        OperatorTrait::Order => {
            let body = quote!(
                fn partial_cmp(&self, _: &#right) -> ::core::option::Option<::core::cmp::Ordering> {
                    ::core::option::Option::None
                }
            );
            ("cmp", quote!(::core::cmp::PartialOrd<#right>), body)
        }
        OperatorTrait::Index => {
            let body = quote!(type Output = (); fn index(&self, _: #right) -> &() { &() });
            ("ops", quote!(::core::ops::Index<#right>), body)
        }
        OperatorTrait::IndexMut => {
            let body = quote!(fn index_mut(&mut self, _: #right) -> &mut () { ::core::unreachable!() });
            ("ops", quote!(::core::ops::IndexMut<#right>), body)
        }
        OperatorTrait::From => {
            let body = quote!(fn from(_: #right) -> Self { ::core::unreachable!() });
            ("convert", quote!(::core::convert::From<#right>), body)
        }
        OperatorTrait::Default => {
            let body = quote!(
                fn default() -> Self {
                    ::core::unreachable!()
                }
            );
            ("default", quote!(::core::default::Default), body)
        }
        OperatorTrait::Refused(_) => return TokenStream::new(),
    };
    // A trait of the standard library may be above it.
    let above = match known {
        OperatorTrait::Order => {
            let equal = quote!(::core::cmp::PartialEq<#right>);
            quote!(impl #impl_generics #equal for #example #condition { fn eq(&self, _: &#right) -> ::core::primitive::bool { false } })
        }
        OperatorTrait::IndexMut => {
            let index = quote!(::core::ops::Index<#right>);
            quote!(impl #impl_generics #index for #example #condition { type Output = (); fn index(&self, _: #right) -> &() { &() } })
        }
        _ => TokenStream::new(),
    };
    let message = format!("`#[amp]` takes this trait for `std::{module}::{}`, and it is another one", text(name));
    let named_there = Ident::new(&named.to_string(), own(span));
    let proof = quote_spanned!(own(span)=> <#example as #named_there #arguments>::proof());
    let mut with_type = generics.clone();
    with_type.params.push(syn::parse_quote_spanned!(site=> __Any: #path));
    let (named_generics, ..) = with_type.split_for_impl();
    quote_spanned! {site=>
        #[allow(dead_code, reason = "only calls from kernels use it")]
        struct __TilewiseExample #bare {
            marker: ::core::marker::PhantomData<fn() -> #fields>,
        }
        #above
        impl #impl_generics #core for #example #condition {
            #body
        }
        #[diagnostic::on_unimplemented(
            message = #message,
            label = "not the trait of the standard library",
            note = "operators, `PartialEq`, `Default` and `From` are known by their names: give your own trait another name"
        )]
        trait #named #impl_generics #condition {
            fn proof() {}
        }
        #[diagnostic::do_not_recommend]
        impl #named_generics #named #arguments for __Any #condition {}
        #[allow(dead_code, reason = "only calls from kernels use it")]
        fn standard #impl_generics () #condition {
            #proof
        }
    }
}

/// The path with `'static` for every lifetime.
fn without_lifetimes_in(path: Path) -> Path {
    match without_lifetimes(Type::Path(syn::TypePath { qself: None, path })) {
        Type::Path(ty) => ty.path,
        _ => unreachable!("a path stays one"),
    }
}

/// The items that tell the lowering the operator's meaning for these types.
fn forms(
    item: &ItemImpl,
    path: &Path,
    known: OperatorTrait,
    output: Option<&Type>,
    function: &ImplItemFn,
    walked: &WalkedFunction,
) -> Result<TokenStream, TokenStream> {
    let site = Span::mixed_site();
    let generics = marker_generics(&item.generics);
    let (impl_generics, _, condition) = generics.split_for_impl();
    let owner = without_lifetimes((*item.self_ty).clone());
    let arguments = static_arguments(item);
    let dual_name = dual_name(&function.sig.ident);
    if let Some(Type::Path(path)) = output
        && item.generics.type_params().any(|param| path.qself.is_none() && path.path.is_ident(&param.ident))
        && matches!(known, OperatorTrait::Binary(_) | OperatorTrait::Unary(_))
    {
        let help = "write an `#[amp]` method that gives it, or the operator for each type: `impl Neg for V<f32>`";
        let message = format!("in a kernel, the `Output` of an operator cannot be a parameter of its `impl`; {help}");
        return Err(syn::Error::new(path.span(), message).to_compile_error());
    }
    let form = quote_spanned! {site=>
        fn form() -> ::tilewise::macro_support::Form {
            <#owner as __TilewiseDual #arguments>::#dual_name(::core::option::Option::None).form()
        }
    };
    let operator = |kind: &str, right: TokenStream| {
        let agree = match known {
            OperatorTrait::Binary(_) => operands_agree(kind, &owner, &syn::parse_quote!(#right)),
            _ => TokenStream::new(),
        };
        let kind = Ident::new(kind, own(site));
        let result =
            output.map_or_else(|| quote!(#owner), |output| without_lifetimes(output.clone()).to_token_stream());
        quote_spanned! {site=>
            #[diagnostic::do_not_recommend]
            impl #impl_generics ::tilewise::macro_support::Operates<::tilewise::macro_support::op::#kind, #owner, #right> for #result #condition {
                #agree
                #form
            }
        }
    };
    Ok(match known {
        OperatorTrait::Binary(kind) => operator(kind, right_operand(path, &owner)?),
        OperatorTrait::Unary(kind) => operator(kind, quote!(())),
        OperatorTrait::Assign(kind) => {
            let right = right_operand(path, &owner)?;
            let agree = operands_agree(&format!("{kind}Assign"), &owner, &syn::parse_quote!(#right));
            let kind = Ident::new(kind, own(site));
            quote_spanned! {site=>
                #[diagnostic::do_not_recommend]
                impl #impl_generics ::tilewise::macro_support::Operates<
                    ::tilewise::macro_support::op::Assign<::tilewise::macro_support::op::#kind>,
                    #owner,
                    #right,
                > for () #condition {
                    #agree
                    #form
                }
            }
        }
        OperatorTrait::Equal => {
            let right = right_operand(path, &owner)?;
            let agree = operands_agree("PartialEq", &owner, &syn::parse_quote!(#right));
            quote_spanned! {site=>
                #[diagnostic::do_not_recommend]
                impl #impl_generics ::tilewise::macro_support::Compares<::tilewise::macro_support::op::Equal, #right> for #owner #condition {
                    #agree
                    #form
                }
            }
        }
        OperatorTrait::Order => {
            let right = right_operand(path, &owner)?;
            let agree = operands_agree("PartialOrd", &owner, &syn::parse_quote!(#right));
            let order = quote_spanned! {site=>
                #[diagnostic::do_not_recommend]
                impl #impl_generics ::tilewise::macro_support::Compares<::tilewise::macro_support::op::Order, #right> for #owner #condition {
                    #agree
                    #form
                }
            };
            let companion = order_companion(item, &right, function);
            let made = made(item, &form, &companion);
            quote!(#order #made)
        }
        OperatorTrait::Index | OperatorTrait::IndexMut => TokenStream::new(),
        OperatorTrait::Default => made(item, &form, &default_companion(item, function, walked)),
        OperatorTrait::From => made(item, &form, &from_companion(item, path, function, walked)),
        OperatorTrait::Refused(_) => TokenStream::new(),
    })
}

/// The marker of `default` and `from`, with their companion.
fn made(item: &ItemImpl, form: &TokenStream, companion: &TokenStream) -> TokenStream {
    let generics = marker_generics(&item.generics);
    let (impl_generics, arguments, condition) = generics.split_for_impl();
    let (bare, fields) = (bare_generics(&generics), marker_fields(&generics));
    quote_spanned! {Span::mixed_site()=>
        #[allow(dead_code, missing_debug_implementations, missing_docs, unreachable_pub, reason = "generated, and no part of the interface")]
        pub struct __TilewiseMade #bare {
            marker: ::core::marker::PhantomData<fn() -> #fields>,
        }
        impl #impl_generics ::tilewise::macro_support::KernelFn for __TilewiseMade #arguments #condition {
            #form
        }
        #companion
    }
}

/// A function of the type.
fn default_companion(item: &ItemImpl, function: &ImplItemFn, walked: &WalkedFunction) -> TokenStream {
    let marker = marker_generics(&item.generics);
    let (_, marker_arguments, _) = marker.split_for_impl();
    let (generics, arguments, condition) = item.generics.split_for_impl();
    let (owner, name, dual) = (&item.self_ty, companion(&function.sig.ident), dual_name(&function.sig.ident));
    let (inputs, call) = (&walked.inputs, &walked.arguments);
    quote_spanned! {Span::mixed_site()=>
        impl #generics #owner #condition {
            #[doc(hidden)]
            #[inline(always)]
            #[allow(missing_docs, dead_code, reason = "generated, and no part of the interface")]
            pub fn #name(#inputs) -> ::tilewise::macro_support::Called<Self, __TilewiseMade #marker_arguments> {
                ::tilewise::macro_support::Called::new(<Self as __TilewiseDual #arguments>::#dual(::core::option::Option::Some(#call)).result())
            }
        }
    }
}

/// The method `partial_cmp`.
fn order_companion(item: &ItemImpl, right: &TokenStream, function: &ImplItemFn) -> TokenStream {
    let marker = marker_generics(&item.generics);
    let (_, marker_arguments, _) = marker.split_for_impl();
    let (generics, arguments, condition) = item.generics.split_for_impl();
    let (owner, dual) = (&item.self_ty, dual_name(&function.sig.ident));
    quote_spanned! {Span::mixed_site()=>
        impl #generics ::tilewise::macro_support::PartialCmpMethod<#right> for #owner #condition {
            type Mark = __TilewiseMade #marker_arguments;

            #[inline(always)]
            fn partial_cmp_marked_amp(
                &self,
                __other: &#right,
            ) -> ::tilewise::macro_support::Called<::core::option::Option<::core::cmp::Ordering>, Self::Mark> {
                ::tilewise::macro_support::Called::new(
                    <Self as __TilewiseDual #arguments>::#dual(::core::option::Option::Some((self, __other))).result(),
                )
            }
        }
    }
}

/// A function of a trait, as `from` is: a type has several, and rustc takes one by the argument.
///
/// An `impl` without `#[amp]` is none of them. Where that is the one that Rust takes for a number
/// without a suffix, the kernel would take another: the type is refused.
fn from_companion(item: &ItemImpl, path: &Path, function: &ImplItemFn, walked: &WalkedFunction) -> TokenStream {
    let site = Span::mixed_site();
    let marker = marker_generics(&item.generics);
    let (_, marker_arguments, _) = marker.split_for_impl();
    let (generics, arguments, condition) = item.generics.split_for_impl();
    let (owner, dual) = (&item.self_ty, dual_name(&function.sig.ident));
    let from = argument(path).map_or_else(|| quote!(()), ToTokens::to_token_stream);
    let (inputs, call) = (&walked.inputs, &walked.arguments);
    let asked = literals_agree(&without_lifetimes((**owner).clone()), argument(path));
    // What depends on parameters is asked where the companion is called.
    let (now, then) = if marker.params.is_empty() {
        (quote_spanned!(site=> const _: () = #asked;), TokenStream::new())
    } else {
        let (impl_generics, arguments, condition) = marker.split_for_impl();
        let (bare, fields) = (bare_generics(&marker), marker_fields(&marker));
        let asked = quote_spanned! {site=>
            struct Literals #bare {
                marker: ::core::marker::PhantomData<fn() -> #fields>,
            }
            impl #impl_generics Literals #arguments #condition {
                const AGREE: () = #asked;
            }
        };
        let turbofish = arguments.as_turbofish();
        (asked, quote_spanned!(site=> let () = Literals #turbofish::AGREE;))
    };
    quote_spanned! {site=>
        impl #generics ::tilewise::macro_support::FromMethod<#from> for #owner #condition {
            type Mark = __TilewiseMade #marker_arguments;

            #[inline(always)]
            fn from_marked_amp(#inputs) -> ::tilewise::macro_support::Called<Self, Self::Mark> {
                #then
                ::tilewise::macro_support::Called::new(<Self as __TilewiseDual #arguments>::#dual(::core::option::Option::Some(#call)).result())
            }
        }
        #now
    }
}

/// Code that ends the build where a number without a suffix would be converted otherwise than in Rust.
fn literals_agree(owner: &Type, from: Option<&Type>) -> TokenStream {
    let span = own(from.map_or_else(Span::call_site, Spanned::span));
    let mut from = from.map_or_else(|| syn::parse_quote!(()), |ty| without_lifetimes(ty.clone()));
    ReplaceSelf(owner.clone()).visit_type_mut(&mut from);
    let refused = usual(&from).into_iter().map(|(asks, usual)| {
        let message = format!(
            "Rust takes a number without a suffix for an `i32` or an `f64`, and a kernel would take this `From` for \
             it: write `#[amp]` on `impl From<{}> for {}` as well",
            written(&usual),
            type_name(owner)
        );
        quote_spanned! {span=>
            ::core::assert!(
                !#asks
                    || !<::tilewise::macro_support::Asked<#owner, #usual>>::FROM
                    || <::tilewise::macro_support::Asked<#owner, #usual>>::FROM_MARKED,
                #message
            );
        }
    });
    quote_spanned! {span=>
        {
            #[allow(unused_imports, reason = "needed by some of the code")]
            use ::tilewise::macro_support::Otherwise as _;
            #(#refused)*
        }
    }
}

/// The types that Rust may take for a value of this type where its numbers have no suffix, each
/// with code that asks whether they do.
///
/// Only a type that is written as a tuple or an array shows its numbers here.
fn usual(ty: &Type) -> Vec<(TokenStream, Type)> {
    let span = own(ty.span());
    if let Type::Tuple(_) | Type::Array(_) = ty {
        let mut count = Numbers { chosen: 0, seen: 0 };
        count.visit_type_mut(&mut ty.clone());
        // Each choice of numbers, of some; of many, all.
        let choices = if count.seen <= 4 { 1..1 << count.seen } else { u32::MAX..u32::MAX };
        let all = (count.seen > 4).then_some(u32::MAX);
        let one = |chosen| {
            let mut ty = ty.clone();
            Numbers { chosen, seen: 0 }.visit_type_mut(&mut ty);
            (quote_spanned!(span=> true), ty)
        };
        return choices.chain(all).map(one).collect();
    }
    let asks = |kind: &str| {
        let kind = Ident::new(kind, span);
        quote_spanned!(span=> <::tilewise::macro_support::Asked<(), #ty>>::#kind)
    };
    let plain = |name: &str| {
        let name = Ident::new(name, span);
        syn::parse_quote_spanned!(span=> ::core::primitive::#name)
    };
    vec![(asks("INTEGER"), plain("i32")), (asks("FLOAT"), plain("f64"))]
}

/// A type of tuples, arrays and numbers, as in Rust's own messages.
fn written(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string().replace(":: core :: primitive :: ", "");
    for (spaced, tight) in [(" ,", ","), (" ;", ";"), ("[ ", "["), (" ]", "]"), ("( ", "("), (" )", ")")] {
        text = text.replace(spaced, tight);
    }
    text
}

/// Replaces numbers in a type by what Rust takes them for.
struct Numbers {
    /// A bit for each that is replaced.
    chosen: u32,
    /// How many there were.
    seen: u32,
}

impl VisitMut for Numbers {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty {
            let name = path.path.segments.last().map_or_else(String::new, |last| text(&last.ident));
            let usual = match name.as_str() {
                "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => "i32",
                "f32" | "f64" => "f64",
                _ => return,
            };
            let is_chosen = self.chosen.checked_shr(self.seen).is_some_and(|bits| bits & 1 == 1);
            self.seen += 1;
            if is_chosen {
                let usual = Ident::new(usual, own(ty.span()));
                *ty = syn::parse_quote!(#usual);
            }
            return;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

/// Code that is `false` where Rust would take another operator than this one for numbers without a
/// suffix, and that one has no `#[amp]`.
fn operands_agree(kind: &str, owner: &Type, right: &Type) -> TokenStream {
    let site = own(Span::call_site());
    let (known, marked) = (Ident::new(kind, site), Ident::new(&format!("{kind}Marked"), site));
    let of_right = usual(right).into_iter().map(|(asks, usual)| (asks, quote!(#owner), quote!(#usual)));
    let of_left = usual(owner).into_iter().map(|(asks, usual)| (asks, quote!(#usual), quote!(#right)));
    let agree = of_right.chain(of_left).map(|(asks, left, right)| {
        quote_spanned! {site=>
            && (!#asks
                || !<::tilewise::macro_support::Asked<#left, #right>>::#known
                || <::tilewise::macro_support::Asked<#left, #right>>::#marked)
        }
    });
    quote_spanned! {site=>
        const LITERALS_AGREE: ::core::primitive::bool = {
            #[allow(unused_imports, reason = "needed by some of the code")]
            use ::tilewise::macro_support::Otherwise as _;
            true #(#agree)*
        };
    }
}

/// `type Output = ..;`
pub(crate) fn output(item: &ItemImpl) -> Option<Type> {
    item.items.iter().find_map(|one| match one {
        ImplItem::Type(ty) if ty.ident == "Output" => {
            let mut ty = ty.ty.clone();
            ReplaceSelf((*item.self_ty).clone()).visit_type_mut(&mut ty);
            Some(ty)
        }
        _ => None,
    })
}

/// The type that a trait has as its argument.
pub(crate) fn argument(path: &Path) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|one| if let GenericArgument::Type(ty) = one { Some(ty) } else { None })
}

/// The argument of `Add<R>`; without one, the type itself.
fn right_operand(path: &Path, owner: &Type) -> Result<TokenStream, TokenStream> {
    match argument(path) {
        Some(Type::Reference(reference)) => {
            let help = "in a kernel, operators take their operands by value: leave out `&`";
            Err(syn::Error::new(reference.and_token.span, help).to_compile_error())
        }
        Some(ty) => {
            let mut ty = without_lifetimes(ty.clone());
            ReplaceSelf(owner.clone()).visit_type_mut(&mut ty);
            Ok(ty.to_token_stream())
        }
        None => Ok(quote!(#owner)),
    }
}

fn static_arguments(item: &ItemImpl) -> TokenStream {
    let arguments = item.generics.params.iter().map(|param| match param {
        syn::GenericParam::Lifetime(_) => quote!('static),
        syn::GenericParam::Type(ty) => ty.ident.to_token_stream(),
        syn::GenericParam::Const(constant) => constant.ident.to_token_stream(),
    });
    quote!(<#(#arguments),*>)
}

/// Replaces `Self::Output` by the type.
struct ReplaceOutput(Type);

impl VisitMut for ReplaceOutput {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let written = ty.to_token_stream().to_string();
        if written == "Self :: Output" {
            *ty = self.0.clone();
            return;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}
