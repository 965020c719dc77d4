//! `#[amp]` on a function: its body, emitted once as closure and tree, and the callers of that
//! body.
//!
//! Closure and tables share witnesses, so both are in one hidden function, the **dual**: with
//! arguments it runs the closure, without it returns the kernel form.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Generics, ItemFn, Pat, ReturnType, Signature, Type, Visibility};
use tilewise_ast::{Mode, SyntaxParam, SyntaxTree};

use crate::at::{at, own};
use crate::callable::{callables, is_callable, is_one_of, only, without};
use crate::conditions::{conditions, is_condition, under};
use crate::kernel::{allowed, scope};
use crate::walk::{Mutability, Named, PatternUse, SyntaxWalk, is_capital, self_name, text, without_lifetimes};

/// The options of `#[amp(..)]`.
#[derive(Clone, Copy, Default)]
pub(crate) struct AmpOptions {
    /// Only kernels may call it.
    pub(crate) device_only: bool,
    /// The texture units of GPUs compute its functions: of the library's own `impl`s.
    pub(crate) texture_unit: bool,
}

/// What a function's tree says of it besides its syntax.
#[derive(Clone, Copy, Default)]
pub(crate) struct FunctionMarks {
    /// Reports about the body name its call.
    pub(crate) tracks_caller: bool,
    /// [`AmpOptions::texture_unit`]
    pub(crate) texture_unit: bool,
    /// The `impl` around it has a mistake, which is reported there.
    pub(crate) is_refused: bool,
}

impl FunctionMarks {
    /// Of a function with these attributes.
    pub(crate) fn of(attributes: &[Attribute]) -> FunctionMarks {
        let tracks_caller = attributes.iter().any(|attribute| attribute.path().is_ident("track_caller"));
        FunctionMarks { tracks_caller, ..FunctionMarks::default() }
    }
}

/// A function after the walk.
pub(crate) struct WalkedFunction {
    /// The body of the dual.
    pub(crate) dual_body: TokenStream,
    /// `(__p0, __p1)`: the arguments' types as a tuple.
    pub(crate) types: TokenStream,
    /// The result's type.
    pub(crate) result: TokenStream,
    /// The parameters of the function itself and of its companion.
    pub(crate) inputs: TokenStream,
    /// The arguments as a tuple.
    pub(crate) arguments: TokenStream,
    /// The mistakes in the body. The other fields are valid all the same, so that uses of the
    /// function are not reported too.
    pub(crate) errors: Option<TokenStream>,
    /// The body for the host of a function whose signature is the mistake: `const fn`, a result by reference.
    /// What the host calls keeps that signature.
    pub(crate) refused: Option<TokenStream>,
}

/// `#[amp] fn`
pub(crate) fn function(item: &ItemFn, options: AmpOptions) -> TokenStream {
    let mut item = item.clone();
    let of_dots = refuse_variadic(&mut item.sig);
    crate::callable::name_impl_traits(&mut item.sig, Some(&item.block), None);
    crate::elided::name_lifetimes(&mut item.sig);
    let (signature, visibility, attributes) = (&item.sig, &item.vis, &item.attrs);
    let walked = match walk(signature, &item.block, &text(&signature.ident), FunctionMarks::of(attributes)) {
        Ok(walked) => walked,
        // The signature stays, so that calls of the function on the host are not reported too.
        Err(errors) => {
            let function = refused_function(visibility, signature, &quote!({ ::core::unreachable!() }));
            return quote!(#of_dots #errors #(#attributes)* #function);
        }
    };
    let WalkedFunction { dual_body, types, result, inputs, arguments, errors, refused } = walked;
    let name = &signature.ident;
    let site = Span::mixed_site();
    let (marker, all) = (marker_generics(&signature.generics), &signature.generics);
    let (impl_generics, type_generics, condition) = marker.split_for_impl();
    let (_, _, all_condition) = all.split_for_impl();
    let (lifetimes, (called, called_condition)) = (lifetimes(all), only(all));
    let inner_generics = match (lifetimes.is_empty(), called.is_empty()) {
        (false, false) => quote!(#lifetimes, #called),
        _ => quote!(#lifetimes #called),
    };
    // The parameters that are called have no part in the marker's meaning: they are there for calls that
    // write their arguments, `sum::<f32, _>(..)`, and are `()`.
    let called_params = callables(all);
    let is_called = |name: &Ident| called_params.iter().any(|(known, _)| known == name);
    let own_arguments = all.params.iter().filter_map(|param| match param {
        syn::GenericParam::Lifetime(_) => None,
        syn::GenericParam::Type(ty) if is_called(&ty.ident) => Some(quote!(())),
        syn::GenericParam::Type(ty) => Some(ty.ident.to_token_stream()),
        syn::GenericParam::Const(constant) => Some(constant.ident.to_token_stream()),
    });
    let own_arguments: Vec<TokenStream> = own_arguments.collect();
    let type_generics =
        if called_params.is_empty() { type_generics.to_token_stream() } else { quote!(<#(#own_arguments),*>) };
    let turbofish = if type_generics.is_empty() { TokenStream::new() } else { quote_spanned!(site=> ::#type_generics) };
    let deprecated = attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("deprecated"))
        .then(|| quote!(#[allow(deprecated, reason = "the function itself names it")]));
    let pointers = crate::callable::turbofish(all);
    let dual_pointers = match callables(all) {
        none if none.is_empty() => TokenStream::new(),
        some => {
            let pointers = some.iter().map(|(_, pointer)| pointer);
            quote!(::<#(#pointers),*>)
        }
    };
    let mut whole = all.clone();
    whole.params =
        all.params.iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_))).cloned().collect();
    let (fields, bare) = (marker_fields(&whole), bare_generics(&whole));
    let host_inputs = if options.device_only { device_only_inputs(signature) } else { inputs.clone() };
    let body = if options.device_only {
        quote_spanned!(site=> ::core::unreachable!())
    } else {
        quote_spanned!(site=> #name #turbofish::dual(::core::option::Option::Some(#arguments)).result())
    };
    // The argument that only kernels have is inferred from a function pointer.
    let of_kernels = options.device_only.then(|| {
        let others = signature.inputs.iter().skip(1).map(|_| quote_spanned!(site=> _));
        quote_spanned!(site=> let _: fn(::tilewise::macro_support::InKernel #(, #others)*) -> _ = __function;)
    });
    let (all_generics, output, token) = (&all.params, &signature.output, &signature.fn_token);
    let unused = options.device_only.then(|| quote!(#[allow(unused_variables, reason = "the body is not used")]));
    let when = conditions(attributes);
    let errors = under(&when, quote!(#of_dots #errors));
    let on_the_host = match refused.filter(|_| !options.device_only) {
        Some(body) => refused_function(visibility, signature, &body),
        None => quote_spanned! {site=>
            #[inline]
            #unused
            #visibility #token #name<#all_generics>(#host_inputs) #output #all_condition {
                #body
            }
        },
    };
    quote_spanned! {site=>
        #errors
        #(#attributes)*
        #on_the_host

        #when
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types, missing_debug_implementations, missing_docs, unreachable_pub, reason = "a marker has the name of its function")]
        #visibility struct #name #bare {
            marker: ::core::marker::PhantomData<fn() -> #fields>,
        }

        #when
        #[allow(non_camel_case_types, reason = "a marker has the name of its function")]
        impl #impl_generics #name #type_generics #condition {
            #[doc(hidden)]
            #[inline(always)]
            #[allow(clippy::too_many_arguments, missing_docs, reason = "the signature is the user's")]
            #visibility fn marked_amp<#inner_generics>(#inputs) -> ::tilewise::macro_support::Called<#result, Self> #called_condition {
                ::tilewise::macro_support::Called::new(Self::dual(::core::option::Option::Some(#arguments)).result())
            }

            #[doc(hidden)]
            #[inline(always)]
            #[allow(missing_docs, reason = "generated, and no part of the interface")]
            #deprecated
            #visibility fn named_amp<__Named>(
                __named: __Named,
            ) -> ::tilewise::macro_support::call::Named<Self, impl ::core::marker::Sized> {
                let __function = #name #pointers;
                #of_kernels
                ::tilewise::macro_support::call::Named::new(__function, __named)
            }

            #[inline]
            fn dual<#inner_generics>(__call: ::core::option::Option<#types>) -> ::tilewise::macro_support::Dual<#result> #called_condition {
                #dual_body
            }
        }

        #when
        #[allow(non_camel_case_types, reason = "a marker has the name of its function")]
        impl #impl_generics ::tilewise::macro_support::KernelFn for #name #type_generics #condition {
            fn form() -> ::tilewise::macro_support::Form {
                Self::dual #dual_pointers(::core::option::Option::None).form()
            }
        }
    }
}

/// Reports `...` among the parameters, and takes it away: rustc would report it twice more.
pub(crate) fn refuse_variadic(signature: &mut Signature) -> TokenStream {
    let Some(rest) = signature.variadic.take() else { return TokenStream::new() };
    // What is left is one list without a comma too many.
    if let Some(last) = signature.inputs.pop() {
        signature.inputs.push_value(last.into_value());
    }
    let message = "an `#[amp]` function has a fixed number of parameters: take an array, `all: [i32; 4]`";
    syn::Error::new_spanned(rest.dots, message).to_compile_error()
}

/// A function for the host that keeps its signature, with the body of [`WalkedFunction::refused`].
pub(crate) fn refused_function(visibility: &Visibility, signature: &Signature, body: &TokenStream) -> TokenStream {
    quote!(#[allow(unused_variables, reason = "the body is not used")] #visibility #signature #body)
}

/// Walks the body.
pub(crate) fn walk(
    signature: &Signature,
    body: &syn::Block,
    name: &str,
    marks: FunctionMarks,
) -> Result<WalkedFunction, TokenStream> {
    walk_body(signature, body, name, None, marks)
}

/// Walks the body of an `index_mut`, whose last expression names a place. The dual has `change` as a
/// parameter, to which the element at that place is lent.
pub(crate) fn walk_place(
    signature: &Signature,
    body: &syn::Block,
    name: &str,
    element: &Type,
) -> Result<WalkedFunction, TokenStream> {
    walk_body(signature, body, name, Some(element), FunctionMarks::default())
}

fn walk_body(
    signature: &Signature,
    body: &syn::Block,
    name: &str,
    lent: Option<&Type>,
    marks: FunctionMarks,
) -> Result<WalkedFunction, TokenStream> {
    let mut walk = SyntaxWalk::new(false);
    refuse_qualifiers(&mut walk, signature);
    let of_qualifiers = walk.mistakes();
    refuse_bounds(&mut walk, signature);
    let (callables, iterators) = (callables(&signature.generics), crate::callable::iterators(&signature.generics));
    let mut params = Vec::new();
    let (mut types, mut patterns, mut inputs, mut arguments) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, input) in signature.inputs.iter().enumerate() {
        let attributes = match input {
            FnArg::Receiver(receiver) => &receiver.attrs,
            FnArg::Typed(typed) => &typed.attrs,
        };
        if let Some(attribute) = attributes.iter().find(|attribute| is_condition(attribute)) {
            let help = "put the condition on the function, and write it once for each case";
            let message =
                format!("conditions of compilation cannot stand on a parameter of an `#[amp]` function; {help}");
            walk.error(attribute.path().span(), message);
        }
        let parameter = match input {
            FnArg::Receiver(receiver) => self_parameter(&mut walk, receiver),
            FnArg::Typed(typed) if is_callable(&typed.ty, &callables) => {
                let is_iterator = is_one_of(&typed.ty, &iterators);
                callable_parameter(&mut walk, typed, index, is_iterator)
            }
            FnArg::Typed(typed) => parameter(&mut walk, typed, index),
        };
        params.push(parameter.param);
        types.push(match (&lent, input) {
            // Only the place is found.
            (Some(_), FnArg::Receiver(_)) => quote!(&Self),
            _ => parameter.ty,
        });
        patterns.push(parameter.pattern);
        inputs.push(parameter.input);
        arguments.push(parameter.argument);
    }
    // The function keeps its companion, so that its calls are not reported too.
    let of_parameters = walk.mistakes();
    let (mut result, mut of_result) = (quote!(()), None);
    let gives_self = lent.is_none() && gives_self(signature, name);
    let slot = match &signature.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) if gives_self => {
            result = quote!(#ty);
            None
        }
        ReturnType::Type(_, ty) => {
            refuse_types(&mut walk, ty, true);
            of_result = walk.mistakes();
            // What the kernel would have in the place of a result by reference.
            let ty = match &**ty {
                Type::Reference(reference) if of_result.is_some() => &*reference.elem,
                ty => ty,
            };
            if of_result.is_some() && has_no_value(ty) {
                return Err(quote!(#of_qualifiers #of_parameters #of_result));
            }
            result = quote!(#ty);
            let known = walk.written(ty, ty.span());
            known.map(|known| walk.slot(known))
        }
    };
    let unparsed = crate::unparsed::instead_of(body, name);
    let on_the_host = (unparsed.is_some() || of_qualifiers.is_some() || of_result.is_some()).then(|| match &unparsed {
        Some(instead) => quote!({ #instead }),
        None if signature.constness.is_some() => quote!(#body),
        None => quote!({ ::core::unreachable!() }),
    });
    let refused = (on_the_host.is_some() || of_parameters.is_some() || marks.is_refused)
        .then(|| quote!(#of_qualifiers #of_parameters #of_result));
    let nothing = syn::parse_quote!({});
    let body = if refused.is_some() { &nothing } else { body };
    walk.refuse_conditions(body);
    walk.refuse_lost_in(body);
    let (body_code, body) = match lent {
        Some(element) if refused.is_none() => walk.lent_place(body, element),
        Some(_) | None if gives_self => walk.giving_self(body),
        Some(_) | None => walk.block(body),
    };
    let errors = refused.or_else(|| walk.mistakes());
    let (captures, locals) = walk.names.take();
    let at = at(signature.ident.span());
    let FunctionMarks { tracks_caller, texture_unit, is_refused: _ } = marks;
    let name = name.to_owned();
    let tree =
        SyntaxTree { name, params, captures, locals, result: slot, body, at, tracks_caller, texture_unit, gives_self };
    let function = walk.function(&tree, signature.ident.span());
    let (declarations, allowed, scope, items) = (walk.declarations(), allowed(), scope(), walk.items());
    let watched = walk.watched();
    // A place has no type that can be written.
    let returns = lent.is_none().then(|| quote!(-> #result));
    let dual_body = if errors.is_some() && lent.is_some() {
        quote_spanned! {Span::mixed_site()=>
            let _ = __call;
            ::tilewise::macro_support::Dual::Result(::core::option::Option::None::<::core::convert::Infallible>)
        }
    } else if errors.is_some() {
        let instead = unparsed.unwrap_or_else(|| quote_spanned!(Span::mixed_site()=> ::core::unreachable!()));
        quote_spanned!(Span::mixed_site()=> { let _ = __call; #instead })
    } else {
        quote_spanned! {Span::mixed_site()=>
        #scope
        #items
        #declarations
        #allowed
        let __dual = match __call {
            ::core::option::Option::Some(__arguments) => {
                #watched
                let __closure = move |(#(#patterns,)*): (#(#types,)*)| #returns #body_code;
                ::tilewise::macro_support::Dual::Result(__closure(__arguments))
            }
            ::core::option::Option::None => ::tilewise::macro_support::Dual::of_form(move || #function),
        };
        __dual
        }
    };
    let types = quote!((#(#types,)*));
    Ok(WalkedFunction {
        dual_body,
        types,
        result,
        inputs: quote!(#(#inputs),*),
        arguments: quote!((#(#arguments,)*)),
        errors,
        refused: on_the_host,
    })
}

/// Is it a method that takes `&mut self` and gives it: `-> &mut Self`, or `&mut Counter` of a `Counter::add`?
fn gives_self(signature: &Signature, name: &str) -> bool {
    let is_lent = signature.receiver().is_some_and(|receiver| {
        receiver.colon_token.is_none() && receiver.reference.is_some() && receiver.mutability.is_some()
    });
    let ReturnType::Type(_, result) = &signature.output else { return false };
    let (Type::Reference(result), true) = (&**result, is_lent) else { return false };
    let (Some(_), Type::Path(ty)) = (&result.mutability, &*result.elem) else { return false };
    let owner = name.split("::").next();
    ty.qself.is_none()
        && ty.path.segments.last().is_some_and(|last| last.ident == "Self" || Some(text(&last.ident).as_str()) == owner)
}

/// A parameter in its five forms.
struct Parameter {
    param: SyntaxParam,
    ty: TokenStream,
    /// In the closure.
    pattern: TokenStream,
    /// In the function itself.
    input: TokenStream,
    argument: TokenStream,
}

fn parameter(walk: &mut SyntaxWalk, typed: &syn::PatType, index: usize) -> Parameter {
    refuse_types(walk, &typed.ty, false);
    let (target, mode) = match &*typed.ty {
        Type::Reference(reference) if reference.mutability.is_some() => (&*reference.elem, Mode::RefMut),
        Type::Reference(reference) => (&*reference.elem, Mode::Ref),
        ty => (ty, Mode::Value),
    };
    let known = walk.written(target, target.span());
    let (pattern, input) = match &*typed.pat {
        Pat::Ident(name) => (name, name.ident.clone()),
        other => {
            let name = Ident::new(&format!("__p{index}"), Span::mixed_site());
            let using = PatternUse { ty: known, reference: mutability(mode), ..PatternUse::default() };
            let pattern = walk.pattern(other, using);
            let ty = &typed.ty;
            let slot = known.map_or(0, |known| walk.slot(known));
            return Parameter {
                param: SyntaxParam { pattern, ty: slot, mode },
                ty: quote!(#ty),
                pattern: quote!(#other),
                input: quote!(#name: #ty),
                argument: quote!(#name),
            };
        }
    };
    let named = match (mode, walk.range_parameter(target)) {
        (Mode::Value, Some((inclusive, ends))) => Named { range: Some(inclusive), ty: ends, ..Named::default() },
        (Mode::Value | Mode::Function | Mode::Iterator, _) => Named { ty: known, ..Named::default() },
        (Mode::Ref | Mode::RefMut, _) => Named { reference: mutability(mode), target: known, ..Named::default() },
    };
    let local = walk.names.bind(&pattern.ident, pattern.mutability.is_some(), named);
    let slot = known.map_or(0, |known| walk.slot(known));
    let ty = &typed.ty;
    Parameter {
        param: SyntaxParam { pattern: tilewise_ast::Pattern::Bind(local), ty: slot, mode },
        ty: quote!(#ty),
        pattern: quote!(#pattern),
        input: quote!(#input: #ty),
        argument: quote!(#input),
    }
}

/// A parameter that is called, or an iterator.
fn callable_parameter(walk: &mut SyntaxWalk, typed: &syn::PatType, index: usize, is_iterator: bool) -> Parameter {
    let ty = &typed.ty;
    let mode = if is_iterator { Mode::Iterator } else { Mode::Function };
    if is_iterator && let Type::Reference(reference) = &**ty {
        let help = "take it by value, `it: impl Iterator<Item = i32>`, and call it with `it.by_ref()`";
        walk.error(reference.and_token.span, format!("in a kernel, an iterator is no reference: {help}"));
    }
    let Pat::Ident(pattern) = &*typed.pat else {
        let what = if is_iterator { "an iterator" } else { "a closure" };
        walk.error(typed.pat.span(), format!("a parameter that is {what} needs a name"));
        let name = Ident::new(&format!("__p{index}"), Span::mixed_site());
        let param = SyntaxParam { pattern: tilewise_ast::Pattern::Wild, ty: 0, mode };
        return Parameter {
            param,
            ty: quote!(#ty),
            pattern: quote!(_),
            input: quote!(#name: #ty),
            argument: quote!(#name),
        };
    };
    let named = Named { callable: !is_iterator, iterator: is_iterator, ..Named::default() };
    let local = walk.names.bind(&pattern.ident, is_iterator && pattern.mutability.is_some(), named);
    let input = &pattern.ident;
    Parameter {
        param: SyntaxParam { pattern: tilewise_ast::Pattern::Bind(local), ty: 0, mode },
        ty: quote!(#ty),
        pattern: quote!(#pattern),
        input: quote!(#input: #ty),
        argument: quote!(#input),
    }
}

/// The access that a reference parameter gives.
const fn mutability(mode: Mode) -> Option<Mutability> {
    match mode {
        Mode::Value | Mode::Function | Mode::Iterator => None,
        Mode::Ref => Some(Mutability::Shared),
        Mode::RefMut => Some(Mutability::Exclusive),
    }
}

fn self_parameter(walk: &mut SyntaxWalk, receiver: &syn::Receiver) -> Parameter {
    let token = receiver.self_token;
    let span = token.span;
    if receiver.colon_token.is_some() {
        walk.error(span, "in `#[amp]`, `self` is taken as `self`, `&self` or `&mut self`");
    }
    let ident = Ident::new("self", span);
    let name = self_name(span);
    let own_type = Ident::new("Self", own(span));
    let (ty, mode) = match (&receiver.reference, &receiver.mutability) {
        (Some((_, lifetime)), Some(_)) => (quote!(&#lifetime mut #own_type), Mode::RefMut),
        (Some((_, lifetime)), None) => (quote!(&#lifetime #own_type), Mode::Ref),
        (None, _) => (quote!(#own_type), Mode::Value),
    };
    let self_type: Type = syn::parse_quote!(#own_type);
    let known = walk.written(&self_type, span);
    let named = match mode {
        Mode::Value | Mode::Function | Mode::Iterator => Named { ty: known, ..Named::default() },
        Mode::Ref | Mode::RefMut => Named { reference: mutability(mode), target: known, ..Named::default() },
    };
    let mutable = receiver.reference.is_none() && receiver.mutability.is_some();
    let local = walk.names.bind(&ident, mutable, named);
    let slot = known.map_or(0, |known| walk.slot(known));
    let keyword = mutable.then(|| quote!(mut));
    let reference = receiver.reference.as_ref().map(|(and, lifetime)| quote!(#and #lifetime));
    let mutability = if receiver.reference.is_some() { receiver.mutability } else { None };
    Parameter {
        param: SyntaxParam { pattern: tilewise_ast::Pattern::Bind(local), ty: slot, mode },
        ty,
        pattern: quote!(#keyword #name),
        input: quote!(#reference #mutability #token),
        argument: quote!(#token),
    }
}

fn refuse_qualifiers(walk: &mut SyntaxWalk, signature: &Signature) {
    if let Some(token) = &signature.constness {
        let help = "leave it out, and write a second function for constants, `const` and without `#[amp]`";
        walk.error(token.span, format!("an `#[amp]` function cannot be `const`: {help}"));
    }
    if signature.ident == "main" {
        walk.error(signature.ident.span(), "`main` is the program's own: mark the functions that kernels call");
    }
    if is_capital(&text(&signature.ident)) {
        let message =
            "in a kernel, a call by a capitalised name makes a struct: give this function a name in lower case";
        walk.error(signature.ident.span(), message);
    }
    if let Some(token) = &signature.asyncness {
        walk.error(token.span, "a kernel does not wait: an `#[amp]` function cannot be `async`");
    }
    if let Some(token) = &signature.unsafety {
        walk.error(token.span, "there is no unsafe code in a kernel: an `#[amp]` function cannot be `unsafe`");
    }
    if let Some(abi) = &signature.abi {
        walk.error(abi.extern_token.span, "an `#[amp]` function is called by Rust alone: leave out `extern`");
    }
}

/// The names of the traits that bound a type parameter.
fn bounds_of(param: &syn::TypeParam, generics: &Generics) -> Vec<Option<Ident>> {
    let clause = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let others = clause.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate)
            if matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(&param.ident)) =>
        {
            Some(&predicate.bounds)
        }
        _ => None,
    });
    std::iter::once(&param.bounds)
        .chain(others)
        .flatten()
        .filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(bound.path.segments.last().map(|last| last.ident.clone())),
            _ => None,
        })
        .collect()
}

/// Are all bounds, if there are any, traits of the standard library?
fn are_of_std(names: &[Option<Ident>]) -> bool {
    const OF_STD: [&str; 26] = [
        "Add",
        "AddAssign",
        "BitAnd",
        "BitOr",
        "BitXor",
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "Display",
        "Div",
        "Eq",
        "From",
        "Into",
        "Mul",
        "MulAssign",
        "Neg",
        "Not",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Rem",
        "Send",
        "Sub",
        "SubAssign",
        "Sync",
    ];
    names.iter().all(|name| name.as_ref().is_some_and(|name| OF_STD.contains(&&*name.to_string())))
}

/// The message about a type parameter of which nothing says that a kernel has the type.
fn unbounded(name: &Ident, names: &[Option<Ident>], any: &str) -> String {
    let what = if names.is_empty() { "nothing says" } else { "these bounds do not say" };
    format!(
        "{what} that a kernel has the type `{name}`: write `{name}: Scalar` for numbers with their operators and comparisons, \
         `{name}: tilewise::types::{any}` for any type of kernels, or a trait with `#[amp]`"
    )
}

/// Reports type parameters of parameters that nothing bounds, or only traits of the standard library: none of them
/// says that a kernel has the type.
fn refuse_bounds(walk: &mut SyntaxWalk, signature: &Signature) {
    let generics = &signature.generics;
    for param in generics.type_params() {
        let names = bounds_of(param, generics);
        let is_iterator =
            |name: &Option<Ident>| name.as_ref().is_some_and(|name| name.to_string().ends_with("Iterator"));
        if names.iter().any(is_iterator) {
            if crate::callable::iterators(generics).contains(&param.ident) {
                continue;
            }
            let help = "write `Iterator<Item = f32>`; or take an array, `a: &[i32; 4]`, or a range by its whole path, `r: std::ops::Range<i32>`";
            walk.error(
                param.ident.span(),
                format!("in a kernel, a function takes an `Iterator` whose item is written: {help}"),
            );
            continue;
        }
        let name = &param.ident;
        let is_of_a_parameter = |input: &FnArg| matches!(input, FnArg::Typed(typed) if is_or_holds(&typed.ty, name));
        if are_of_std(&names) && (!names.is_empty() || signature.inputs.iter().any(is_of_a_parameter)) {
            walk.error(name.span(), unbounded(name, &names, "KernelType"));
        }
    }
}

/// The same for the type parameters of an `impl` that are those of parameters and results of its functions.
pub(crate) fn unbounded_in_impl(generics: &Generics, signatures: &[&Signature]) -> Option<TokenStream> {
    let mut errors: Option<syn::Error> = None;
    for param in generics.type_params() {
        let (names, name) = (bounds_of(param, generics), &param.ident);
        let is_in = |signature: &Signature| {
            // A function may say more.
            if !are_of_std(&bounds_of(&param.ident.clone().into(), &signature.generics)) {
                return false;
            }
            let is_result = matches!(&signature.output, ReturnType::Type(_, ty) if is_or_holds(ty, name));
            let of_input = |input: &FnArg| matches!(input, FnArg::Typed(typed) if is_or_holds(&typed.ty, name));
            is_result || signature.inputs.iter().any(of_input)
        };
        if are_of_std(&names) && signatures.iter().any(|signature| is_in(signature)) {
            let error = syn::Error::new(name.span(), unbounded(name, &names, "KernelValue"));
            match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            }
        }
    }
    errors.map(|errors| errors.to_compile_error())
}

/// Is it a type parameter, a reference to values of it, or an array or a tuple of them?
fn is_or_holds(ty: &Type, parameter: &Ident) -> bool {
    match ty {
        Type::Path(path) => path.path.is_ident(parameter),
        Type::Reference(reference) => is_or_holds(&reference.elem, parameter),
        Type::Array(array) => is_or_holds(&array.elem, parameter),
        Type::Tuple(tuple) => tuple.elems.iter().any(|part| is_or_holds(part, parameter)),
        Type::Paren(inner) => is_or_holds(&inner.elem, parameter),
        Type::Group(inner) => is_or_holds(&inner.elem, parameter),
        _ => false,
    }
}

/// Is it a `&` to what may be a value of a kernel?
fn refers_to_value(reference: &syn::TypeReference) -> bool {
    let may_be_a_value = match &*reference.elem {
        Type::Path(path) => !path.path.is_ident("str"),
        Type::Array(_) | Type::Tuple(_) => true,
        _ => false,
    };
    reference.mutability.is_none() && may_be_a_value
}

/// Reports types that have an error message of their own.
fn refuse_types(walk: &mut SyntaxWalk, ty: &Type, result: bool) {
    match ty {
        Type::ImplTrait(ty) => {
            let is_iterator = quote!(#ty).to_string().contains("Iterator");
            let help = match (result, ty.bounds.iter().any(|bound| crate::callable::pointer(bound).is_some())) {
                (true, _) if is_iterator => {
                    "write the iterator where it is used, or take a closure that gets each item: `fn each<F: FnMut(u32)>(self, f: F)`"
                }
                (true, _) => "name the type",
                (false, true) => "write a generic parameter: `fn f<F: Fn(f32) -> f32>(f: F)`",
                (false, false) => "write a generic parameter: `fn f<T: Scalar>(x: T)`",
            };
            walk.error(
                ty.impl_token.span,
                format!("an `#[amp]` function cannot have `impl Trait` in its signature; {help}"),
            );
        }
        Type::Reference(reference) if result && !refers_to_value(reference) => {
            let message = "an `#[amp]` function returns values and `&` references to values, and no other reference: return the value";
            walk.error(reference.and_token.span, message);
        }
        Type::Never(never) if result => {
            let help = "write the type of the value that is wanted where it is called, `-> f32`";
            let message = format!("a kernel has no function without a result, `-> !`: {help}");
            walk.error(never.bang_token.span, message);
        }
        Type::Slice(slice) => {
            let help = "take a view, `&ArrayView<'_, f32>`, or an array, `&[f32; 4]`";
            walk.error(slice.bracket_token.span.join(), format!("there are no slices in a kernel: {help}"));
        }
        Type::Reference(reference) if is_array(&reference.elem) => {
            let help = "take its view, `&ArrayView<'_, f32>`: in a kernel, the name of an array is that, and on the host `array.view()`";
            walk.error(reference.elem.span(), format!("a kernel sees an `Array` as a view; {help}"));
        }
        Type::Reference(reference) => refuse_types(walk, &reference.elem, result),
        Type::TraitObject(object) => {
            walk.error(object.span(), "there are no trait objects in a kernel: write a generic parameter");
        }
        Type::Ptr(pointer) => walk.error(pointer.star_token.span, "there are no pointers in a kernel"),
        Type::BareFn(function) => walk.error(function.fn_token.span, "functions are no values in a kernel"),
        _ => {}
    }
}

/// Is it a type that no companion can give: one without a name, or without a size?
fn has_no_value(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.is_ident("str"),
        Type::ImplTrait(_) | Type::Never(_) | Type::Slice(_) | Type::TraitObject(_) => true,
        _ => false,
    }
}

/// Is it the library's `Array<T, N>`?
fn is_array(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    last.ident == "Array" && matches!(last.arguments, syn::PathArguments::AngleBracketed(_))
}

/// The generics of a marker: type and const parameters. Kernel forms do not depend on lifetimes.
pub(crate) fn marker_generics(generics: &Generics) -> Generics {
    let mut marker = generics.clone();
    marker.params =
        marker.params.into_iter().filter(|param| !matches!(param, syn::GenericParam::Lifetime(_))).collect();
    marker = without(marker);
    let mut strip = WithoutLifetimes;
    syn::visit_mut::VisitMut::visit_generics_mut(&mut strip, &mut marker);
    marker
}

struct WithoutLifetimes;

impl syn::visit_mut::VisitMut for WithoutLifetimes {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        *ty = without_lifetimes(ty.clone());
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        *lifetime = syn::Lifetime::new("'static", lifetime.span());
    }
}

/// `<T, const N: usize>` without bounds, for the declaration of a marker.
pub(crate) fn bare_generics(generics: &Generics) -> TokenStream {
    let params = generics.params.iter().map(|param| match param {
        syn::GenericParam::Type(ty) => {
            let name = &ty.ident;
            quote!(#name)
        }
        syn::GenericParam::Const(constant) => {
            let (name, ty) = (&constant.ident, &constant.ty);
            quote!(const #name: #ty)
        }
        syn::GenericParam::Lifetime(lifetime) => quote!(#lifetime),
    });
    quote!(<#(#params),*>)
}

/// `(T, U)`: the type parameters of a marker, for its `PhantomData`.
pub(crate) fn marker_fields(generics: &Generics) -> TokenStream {
    let types = generics.type_params().map(|ty| &ty.ident);
    quote!((#(#types,)*))
}

/// The lifetimes among the parameters, with their bounds.
pub(crate) fn lifetimes(generics: &Generics) -> TokenStream {
    let lifetimes = generics.lifetimes();
    quote!(#(#lifetimes),*)
}

/// The parameters of a function that no call on the host can give an argument to: the first, or one
/// that it gets for this.
///
/// A `where` bound would not do, as here the function is named where a kernel calls it.
fn device_only_inputs(signature: &Signature) -> TokenStream {
    let site = Span::mixed_site();
    let first = quote_spanned!(site=> impl ::tilewise::macro_support::InKernelsOnly);
    let mut inputs = Vec::new();
    for (index, input) in signature.inputs.iter().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        let (ty, name) = (&typed.ty, Ident::new(&format!("__p{index}"), site));
        let name = if let Pat::Ident(pattern) = &*typed.pat { &pattern.ident } else { &name };
        inputs.push(if index == 0 { quote!(#name: #first) } else { quote!(#name: #ty) });
    }
    if inputs.is_empty() {
        return quote_spanned!(site=> _: ::tilewise::macro_support::InKernel);
    }
    quote!(#(#inputs),*)
}

/// A `where` bound that no call on the host satisfies. It depends on a lifetime, so rustc does not
/// report it at the function itself.
pub(crate) fn device_only(generics: &Generics) -> TokenStream {
    let mine = quote_spanned!(Span::mixed_site()=> for<'__a> &'__a ::tilewise::macro_support::Host: ::tilewise::macro_support::InKernelsOnly);
    match &generics.where_clause {
        Some(clause) => {
            let (token, predicates) = (&clause.where_token, clause.predicates.iter());
            quote!(#token #(#predicates,)* #mine)
        }
        None => quote!(where #mine),
    }
}
