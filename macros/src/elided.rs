//! Lifetimes that a signature leaves out.
//!
//! The result of a function that returns a view has the lifetime of one of its parameters. Generated
//! functions have the parameters in a tuple, and closures their types, where Rust's rules do not find that
//! lifetime. So it gets a name.

use std::collections::HashSet;

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, GenericParam, Lifetime, LifetimeParam, ReturnType, Signature};

/// Gives the lifetime that the result has by Rust's rules a name, in the result and in the parameters: in
/// `fn row(v: View<'_>) -> View<'_>` one of its own.
pub(crate) fn name_lifetimes(signature: &mut Signature) {
    let ReturnType::Type(_, result) = &mut signature.output else { return };
    let mut in_result = LifetimePlaces::default();
    in_result.visit_type_mut(result);
    if in_result.elided == 0 {
        return;
    }
    let fresh = Lifetime::new("'__result", Span::mixed_site());
    let lent_self = signature.inputs.iter_mut().find_map(|input| match input {
        FnArg::Receiver(receiver) => receiver.reference.as_mut().map(|(_, lifetime)| lifetime),
        FnArg::Typed(_) => None,
    });
    let name = match lent_self {
        Some(lifetime) => lifetime.get_or_insert_with(|| fresh.clone()).clone(),
        None => {
            let mut places = LifetimePlaces::default();
            for input in &mut signature.inputs {
                if let FnArg::Typed(typed) = input {
                    places.visit_type_mut(&mut typed.ty);
                }
            }
            let mut named = places.named.into_iter();
            match (places.elided, named.next(), named.next()) {
                (1, None, _) => {
                    let mut naming = LifetimePlaces { name: Some(fresh.clone()), ..LifetimePlaces::default() };
                    for input in &mut signature.inputs {
                        if let FnArg::Typed(typed) = input {
                            naming.visit_type_mut(&mut typed.ty);
                        }
                    }
                    fresh.clone()
                }
                (0, Some(name), None) => name,
                // rustc reports it.
                _ => return,
            }
        }
    };
    if name == fresh {
        signature.generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(fresh)));
    }
    if let ReturnType::Type(_, result) = &mut signature.output {
        LifetimePlaces { name: Some(name), ..LifetimePlaces::default() }.visit_type_mut(result);
    }
}

/// The lifetimes of a type: counts them, or names those that are left out.
#[derive(Default)]
struct LifetimePlaces {
    elided: usize,
    named: HashSet<Lifetime>,
    name: Option<Lifetime>,
}

impl VisitMut for LifetimePlaces {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "_" {
            self.named.insert(lifetime.clone());
            return;
        }
        self.elided += 1;
        if let Some(name) = &self.name {
            *lifetime = name.clone();
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            self.elided += 1;
            reference.lifetime.clone_from(&self.name);
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    // Those of `fn(&T) -> &T` and `Fn(&T) -> &T` are their own.
    fn visit_type_bare_fn_mut(&mut self, _: &mut syn::TypeBareFn) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
}
