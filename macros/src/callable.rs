//! Parameters of `#[amp]` functions that are called, `F: Fn(f32) -> f32`, or iterated over, `I: Iterator<Item = f32>`.
//!
//! The kernel form of such a function is the same for every `F`, as the body of the closure is
//! lowered where it is called. So the marker of the function has no `F`, and its form is made with a
//! function pointer, `fn(f32) -> f32`, in its place. The same holds for iterators, with a `HandedIterator<f32>`.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Block, FnArg, GenericParam, Generics, Pat, PathArguments, Signature, Type, TypeParamBound, WherePredicate};

/// Gives each `impl Trait` of the parameters a generic parameter, named after its parameter:
/// `step: impl Fn(f32) -> f32` becomes `step: Step` with `Step: Fn(f32) -> f32`. The name is none that
/// the function itself uses, or what is around it has.
pub(crate) fn name_impl_traits(signature: &mut Signature, body: Option<&Block>, around: Option<&Generics>) {
    let mut taken = HashSet::new();
    if signature.inputs.iter().any(has_impl_trait) {
        collect_names(signature.to_token_stream(), &mut taken);
        collect_names(body.to_token_stream(), &mut taken);
        collect_names(around.to_token_stream(), &mut taken);
    }
    for input in &mut signature.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let mut ty = &mut *typed.ty;
        while let Type::Reference(reference) = ty {
            ty = &mut reference.elem;
        }
        let Type::ImplTrait(bounds) = ty else { continue };
        let (span, bounds) = (bounds.impl_token.span, bounds.bounds.clone());
        let base = match &*typed.pat {
            Pat::Ident(name) => capitalised(&crate::walk::text(&name.ident)),
            _ => "Given".to_owned(),
        };
        let mut name = base.clone();
        while taken.contains(&name) {
            name.push('T');
        }
        let ident = Ident::new(&name, crate::at::own(span));
        taken.insert(name);
        signature.generics.params.push(syn::parse_quote!(#ident: #bounds));
        *ty = syn::parse_quote!(#ident);
    }
    let names = iterators(&signature.generics);
    for param in signature.generics.type_params_mut().filter(|param| names.contains(&param.ident)) {
        // What a kernel iterates over tells what it is by this trait.
        let source =
            quote::quote_spanned!(crate::at::own(param.ident.span())=> ::tilewise::macro_support::IteratedSource);
        param.colon_token.get_or_insert_with(Default::default);
        param.bounds.push(syn::parse_quote!(#source));
    }
}

/// Is it a parameter of an `impl Trait`?
fn has_impl_trait(input: &FnArg) -> bool {
    let FnArg::Typed(typed) = input else { return false };
    let mut ty = &*typed.ty;
    while let Type::Reference(reference) = ty {
        ty = &reference.elem;
    }
    matches!(ty, Type::ImplTrait(_))
}

/// Adds every name in the tokens.
fn collect_names(tokens: TokenStream, names: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                // `r#Step` is the name `Step`.
                names.insert(crate::walk::text(&name));
            }
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// `next_step` becomes `NextStep`.
fn capitalised(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    let name: String = name.split('_').map(word).collect();
    // `_1` and `self_` give no name of a type.
    let is_name = syn::parse_str::<Ident>(&name).is_ok() && name.starts_with(char::is_uppercase);
    if is_name { name } else { "Given".to_owned() }
}

/// The parameters of generics that are iterators.
pub(crate) fn iterators(generics: &Generics) -> Vec<Ident> {
    let is_iterator = |bounds: &ParamBounds| bounds.iter().any(|bound| iterator(bound).is_some());
    bounded(generics).into_iter().filter(|(_, bounds)| is_iterator(bounds)).map(|(name, _)| name).collect()
}

type ParamBounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;

/// The callable parameters of generics, each with the type of a function pointer, and the iterators.
pub(crate) fn callables(generics: &Generics) -> Vec<(Ident, TokenStream)> {
    let mut found: Vec<(Ident, TokenStream)> = Vec::new();
    for (name, bounds) in bounded(generics) {
        if let Some(pointer) = bounds.iter().find_map(|bound| pointer(bound).or_else(|| iterator(bound)))
            && found.iter().all(|(known, _)| *known != name)
        {
            found.push((name, pointer));
        }
    }
    found
}

/// The type parameters with their bounds, one row for each place where these stand.
fn bounded(generics: &Generics) -> Vec<(Ident, &ParamBounds)> {
    let own = generics.type_params().map(|param| (param.ident.clone(), &param.bounds));
    let clause = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let others = clause.filter_map(|predicate| {
        let WherePredicate::Type(predicate) = predicate else { return None };
        let Type::Path(path) = &predicate.bounded_ty else { return None };
        Some((path.path.get_ident()?.clone(), &predicate.bounds))
    });
    own.chain(others).filter(|(name, _)| generics.type_params().any(|param| param.ident == *name)).collect()
}

/// For the bound `Iterator<Item = T>`, `HandedIterator<T>`.
fn iterator(bound: &TypeParamBound) -> Option<TokenStream> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    if !ITERATORS.iter().any(|name| last.ident == name) {
        return None;
    }
    let item = arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::AssocType(item) if item.ident == "Item" => Some(item.ty.clone()),
        _ => None,
    });
    let mut item = item?;
    WithoutOuterLifetimes { own: HashSet::new() }.visit_type_mut(&mut item);
    Some(quote!(::tilewise::macro_support::HandedIterator<#item>))
}

/// Traits of iterators that kernels have.
const ITERATORS: [&str; 3] = ["DoubleEndedIterator", "ExactSizeIterator", "Iterator"];

/// For the bound `Fn(A) -> R`, `fn(A) -> R`.
pub(crate) fn pointer(bound: &TypeParamBound) -> Option<TokenStream> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let PathArguments::Parenthesized(signature) = &last.arguments else { return None };
    let (mut signature, lifetimes) = (signature.clone(), &bound.lifetimes);
    let own = lifetimes.iter().flat_map(|bound| &bound.lifetimes).filter_map(|param| match param {
        GenericParam::Lifetime(param) => Some(param.lifetime.ident.to_string()),
        GenericParam::Type(_) | GenericParam::Const(_) => None,
    });
    WithoutOuterLifetimes { own: own.collect() }.visit_parenthesized_generic_arguments_mut(&mut signature);
    let (inputs, output) = (&signature.inputs, &signature.output);
    Some(quote!(#lifetimes fn(#inputs) #output))
}

/// Replaces lifetimes of the function, which its kernel form does not have.
struct WithoutOuterLifetimes {
    own: HashSet<String>,
}

impl VisitMut for WithoutOuterLifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "_" && !self.own.contains(&lifetime.ident.to_string()) {
            *lifetime = syn::Lifetime::new("'static", lifetime.span());
        }
    }
}

/// The generics without their callable parameters.
pub(crate) fn without(mut generics: Generics) -> Generics {
    let callables = callables(&generics);
    let is_callable = |name: &Ident| callables.iter().any(|(known, _)| known == name);
    generics.params = generics
        .params
        .into_iter()
        .filter(|param| !matches!(param, GenericParam::Type(ty) if is_callable(&ty.ident)))
        .collect();
    if let Some(clause) = &mut generics.where_clause {
        let kept = std::mem::take(&mut clause.predicates).into_iter().filter(|predicate| {
            let WherePredicate::Type(predicate) = predicate else { return true };
            !matches!(&predicate.bounded_ty, Type::Path(path) if path.path.get_ident().is_some_and(is_callable))
        });
        clause.predicates = kept.collect();
    }
    generics
}

/// The callable parameters and the predicates about them, for a function inside an `impl` of the
/// others: `F: Fn(f32) -> f32`.
pub(crate) fn only(generics: &Generics) -> (TokenStream, TokenStream) {
    let callables = callables(generics);
    let is_callable = |name: &Ident| callables.iter().any(|(known, _)| known == name);
    let params = generics.type_params().filter(|param| is_callable(&param.ident)).map(|param| {
        let mut param = param.clone();
        param.default = None;
        param
    });
    let clause = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = clause.filter(|predicate| {
        let WherePredicate::Type(predicate) = predicate else { return false };
        matches!(&predicate.bounded_ty, Type::Path(path) if path.path.get_ident().is_some_and(is_callable))
    });
    let condition: Vec<&WherePredicate> = predicates.collect();
    let condition = if condition.is_empty() { TokenStream::new() } else { quote!(where #(#condition),*) };
    (quote!(#(#params),*), condition)
}

/// `::<T, fn(f32) -> f32>` for all type and const parameters, or nothing.
pub(crate) fn turbofish(generics: &Generics) -> TokenStream {
    let callables = callables(generics);
    let arguments = generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(ty) => {
            let (name, found) = (&ty.ident, callables.iter().find(|(known, _)| *known == ty.ident));
            Some(found.map_or_else(|| quote!(#name), |(_, pointer)| pointer.clone()))
        }
        GenericParam::Const(constant) => {
            let name = &constant.ident;
            Some(quote!(#name))
        }
    });
    let arguments: Vec<TokenStream> = arguments.collect();
    if arguments.is_empty() { TokenStream::new() } else { quote!(::<#(#arguments),*>) }
}

/// Is the type of a parameter one of these, or a reference to it?
pub(crate) fn is_callable(ty: &Type, callables: &[(Ident, TokenStream)]) -> bool {
    let names: Vec<Ident> = callables.iter().map(|(name, _)| name.clone()).collect();
    is_one_of(ty, &names)
}

/// Is it one of these parameters, or a reference to one?
pub(crate) fn is_one_of(ty: &Type, names: &[Ident]) -> bool {
    match ty {
        Type::Reference(reference) => is_one_of(&reference.elem, names),
        Type::Paren(inner) => is_one_of(&inner.elem, names),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| names.contains(name)),
        _ => false,
    }
}
