//! `#[amp]` on a struct or an enum: its `#[derive(PartialEq, PartialOrd)]` is for kernels too.
//!
//! A derive does not see the other derives of a type, so what kernels are to take from them is
//! marked, as with functions. The bodies are those that the derives of the standard library write: all
//! fields are equal; the first field that differs decides the order. The host has the derives' own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Fields, ItemImpl, Member, Path, Token, Type, Variant};

use crate::at::own;
use crate::conditions::is_condition;
use crate::operators::{OperatorTrait, of_a_derive};

/// `#[amp] #[derive(PartialEq, PartialOrd, ..)] struct`
pub(crate) fn derived(item: &DeriveInput) -> TokenStream {
    match implementations(item) {
        Ok(forms) => quote!(#item #forms),
        Err(errors) => {
            let errors = errors.to_compile_error();
            quote!(#errors #item)
        }
    }
}

fn implementations(item: &DeriveInput) -> syn::Result<TokenStream> {
    let derives: Vec<Path> = item.attrs.iter().map(derives_of).collect::<syn::Result<Vec<_>>>()?.concat();
    let find = |name: &str| derives.iter().find(|path| path.segments.last().is_some_and(|last| last.ident == name));
    let (equal, order) = (find("PartialEq"), find("PartialOrd"));
    if equal.is_none() && order.is_none() {
        let help =
            "write it on the line before `#[derive(PartialEq, PartialOrd, ..)]`, and on an `impl` for its functions";
        let message =
            format!("`#[amp]` on a type lets kernels compare its values, and there is nothing to compare by; {help}");
        return Err(syn::Error::new(item.ident.span(), message));
    }
    if let Data::Enum(data) = &item.data
        && data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit))
    {
        let message = "kernels compare an enum without fields by its derives as it is: leave out `#[amp]`";
        return Err(syn::Error::new(item.ident.span(), message));
    }
    if let Some(parameter) = item.generics.type_params().next() {
        let help = "write an `#[amp] impl PartialEq` or `PartialOrd`, with the bounds that it needs";
        let message = format!("kernels do not take the comparison of a type with parameters from a derive; {help}");
        return Err(syn::Error::new(parameter.span(), message));
    }
    if let Some(condition) = condition_on_a_part(&item.data) {
        let help = "put the condition on the type, and write it once for each case";
        let message =
            format!("conditions of compilation cannot stand on a field or a variant of an `#[amp]` type; {help}");
        return Err(syn::Error::new(condition.path().span(), message));
    }
    let mut forms = TokenStream::new();
    if let Some(path) = equal {
        forms.extend(form(item, path, OperatorTrait::Equal)?);
    }
    if let Some(path) = order {
        forms.extend(form(item, path, OperatorTrait::Order)?);
        if let Some(path) = find("Ord") {
            forms.extend(total_order(item, path));
        }
    }
    Ok(forms)
}

/// A condition on a field or a variant. Only a derive sees a type without the parts that are left out.
fn condition_on_a_part(data: &Data) -> Option<&Attribute> {
    let fields: Vec<&Field> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    let of_variants = match data {
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.attrs).collect(),
        Data::Struct(_) | Data::Union(_) => Vec::new(),
    };
    let of_fields = fields.into_iter().flat_map(|field| &field.attrs);
    of_variants.into_iter().chain(of_fields).find(|attribute| is_condition(attribute))
}

/// `cmp`, `min` and `max` of a type with `#[derive(PartialOrd, Ord)]`, which agree.
fn total_order(item: &DeriveInput, derive: &Path) -> TokenStream {
    let name = &item.ident;
    let (generics, arguments, condition) = item.generics.split_for_impl();
    let whole = quote!(#name #arguments);
    let support = quote!(::tilewise::macro_support);
    let head = quote!(#[diagnostic::do_not_recommend] impl #generics);
    quote_spanned! {own(derive.span())=>
        #head #support::ChosenByOrder for #whole #condition {
            fn chosen(greatest: ::core::primitive::bool) -> #support::Form {
                #support::derived_choice::<Self>(greatest)
            }

            fn compared() -> #support::Form {
                #support::derived_total_order::<Self>()
            }
        }
        #head #support::CmpMethod for #whole #condition {
            type Mark = #support::ComparedTotalVariants<Self>;

            fn cmp_marked_amp(&self, other: &Self) -> #support::Called<::core::cmp::Ordering, Self::Mark> {
                #support::Called::new(::core::cmp::Ord::cmp(self, other))
            }
        }
        #head #support::ChoiceMethods for #whole #condition {
            fn min_marked_amp(self, other: Self) -> #support::Called<Self, #support::ChosenValue<Self, false>> {
                #support::Called::new(::core::cmp::Ord::min(self, other))
            }

            fn max_marked_amp(self, other: Self) -> #support::Called<Self, #support::ChosenValue<Self, true>> {
                #support::Called::new(::core::cmp::Ord::max(self, other))
            }
        }
    }
}

/// The traits that an attribute derives.
fn derives_of(attribute: &Attribute) -> syn::Result<Vec<Path>> {
    if !attribute.path().is_ident("derive") {
        return Ok(Vec::new());
    }
    let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?;
    Ok(paths.into_iter().collect())
}

fn form(item: &DeriveInput, derive: &Path, kind: OperatorTrait) -> syn::Result<TokenStream> {
    let name = &item.ident;
    let span = own(derive.span());
    let (generics, arguments, condition) = item.generics.split_for_impl();
    let bodies = DerivedBodies { name, span, order: matches!(kind, OperatorTrait::Order) };
    let body = match &item.data {
        Data::Struct(data) => bodies.of_struct(&data.fields),
        Data::Enum(data) => bodies.of_enum(data.variants.iter().collect()),
        Data::Union(data) => {
            return Err(syn::Error::new(data.union_token.span, "a union cannot be used in a kernel: use a struct"));
        }
    };
    let implementation: ItemImpl = if bodies.order {
        syn::parse_quote_spanned! {span=>
            impl #generics ::core::cmp::PartialOrd for #name #arguments #condition {
                fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> { #body }
            }
        }
    } else {
        syn::parse_quote_spanned! {span=>
            impl #generics ::core::cmp::PartialEq for #name #arguments #condition {
                fn eq(&self, other: &Self) -> ::core::primitive::bool { #body }
            }
        }
    };
    Ok(of_a_derive(&implementation, kind))
}

/// Writes the bodies of `eq` and of `partial_cmp`.
struct DerivedBodies<'d> {
    name: &'d Ident,
    span: Span,
    order: bool,
}

impl DerivedBodies<'_> {
    fn of_struct(&self, fields: &Fields) -> TokenStream {
        let parts = fields.iter().enumerate().map(|(number, field)| {
            let member = member(number, field);
            let span = own(field.ty.span());
            (field.ty.clone(), quote_spanned!(span=> self.#member), quote_spanned!(span=> other.#member))
        });
        self.all(parts.collect(), 0)
    }

    fn of_enum(&self, variants: Vec<&Variant>) -> TokenStream {
        let span = self.span;
        let arms = variants.iter().enumerate().map(|(at, variant)| {
            let (mine, others) = (self.pattern(variant, "a"), self.pattern(variant, "b"));
            let parts = variant.fields.iter().enumerate().map(|(number, field)| {
                let (a, b) = (self.bound("a", number), self.bound("b", number));
                let span = own(field.ty.span());
                (field.ty.clone(), quote_spanned!(span=> (*#a)), quote_spanned!(span=> (*#b)))
            });
            let same = self.all(parts.collect(), 0);
            let rest = self.apart(&variants, at);
            quote_spanned!(span=> #mine => match other { #others => { #same } #rest },)
        });
        quote_spanned!(span=> match self { #(#arms)* })
    }

    /// The arms for the other variants.
    fn apart(&self, variants: &[&Variant], at: usize) -> TokenStream {
        let span = self.span;
        if variants.len() == 1 {
            return TokenStream::new();
        }
        if !self.order {
            return quote_spanned!(span=> _ => false,);
        }
        let name = self.name;
        let arm = |others: &[&Variant], order: &str| {
            let order = Ident::new(order, span);
            let patterns = others.iter().map(|other| {
                let variant = &other.ident;
                match &other.fields {
                    Fields::Unit => quote_spanned!(span=> #name::#variant),
                    Fields::Unnamed(_) => quote_spanned!(span=> #name::#variant(..)),
                    Fields::Named(_) => quote_spanned!(span=> #name::#variant { .. }),
                }
            });
            let some = quote_spanned!(span=> ::core::option::Option::Some(::core::cmp::Ordering::#order));
            if others.is_empty() { TokenStream::new() } else { quote_spanned!(span=> #(#patterns)|* => #some,) }
        };
        let (before, after) = (arm(&variants[..at], "Greater"), arm(&variants[at + 1..], "Less"));
        quote!(#before #after)
    }

    fn pattern(&self, variant: &Variant, side: &str) -> TokenStream {
        let (span, name, variant_name) = (self.span, self.name, &variant.ident);
        let names = (0..variant.fields.len()).map(|number| self.bound(side, number));
        match &variant.fields {
            Fields::Unit => quote_spanned!(span=> #name::#variant_name),
            Fields::Unnamed(_) => quote_spanned!(span=> #name::#variant_name(#(#names),*)),
            Fields::Named(fields) => {
                let members = fields.named.iter().map(|field| &field.ident);
                quote_spanned!(span=> #name::#variant_name { #(#members: #names),* })
            }
        }
    }

    fn bound(&self, side: &str, number: usize) -> Ident {
        Ident::new(&format!("{side}{number}"), self.span)
    }

    /// All of several parts, each with its type and the two places.
    fn all(&self, parts: Vec<(Type, TokenStream, TokenStream)>, depth: usize) -> TokenStream {
        let span = self.span;
        let parts: Vec<TokenStream> = parts.iter().map(|(ty, a, b)| self.one(ty, a, b, depth)).collect();
        if !self.order {
            return if parts.is_empty() { quote_spanned!(span=> true) } else { quote_spanned!(span=> #(#parts)&&*) };
        }
        let equal = self.equal();
        let Some((last, before)) = parts.split_last() else { return equal };
        before.iter().rev().fold(
            last.clone(),
            |rest, part| quote_spanned!(span=> { let order = #part; if order == #equal { #rest } else { order } }),
        )
    }

    /// `Some(Ordering::Equal)`
    fn equal(&self) -> TokenStream {
        quote_spanned!(self.span=> ::core::option::Option::Some(::core::cmp::Ordering::Equal))
    }

    fn one(&self, ty: &Type, a: &TokenStream, b: &TokenStream, depth: usize) -> TokenStream {
        let span = own(ty.span());
        match ty {
            Type::Paren(ty) => self.one(&ty.elem, a, b, depth),
            Type::Group(ty) => self.one(&ty.elem, a, b, depth),
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().enumerate().map(|(number, ty)| {
                    let at = syn::Index { index: number as u32, span };
                    (ty.clone(), quote_spanned!(span=> #a.#at), quote_spanned!(span=> #b.#at))
                });
                let all = self.all(parts.collect(), depth);
                quote_spanned!(span=> (#all))
            }
            Type::Array(array) => {
                let (at, found) = (Ident::new(&format!("at{depth}"), span), Ident::new(&format!("found{depth}"), span));
                let (a, b) = (quote_spanned!(span=> #a[#at]), quote_spanned!(span=> #b[#at]));
                let (element, length) = (self.one(&array.elem, &a, &b, depth + 1), &array.len);
                let start = if self.order { self.equal() } else { quote_spanned!(span=> true) };
                // In parentheses: a block at the start of a statement would be one by itself.
                quote_spanned! {span=>
                    ({
                        let (mut #found, mut #at) = (#start, 0);
                        while #at < const { #length } && #found == #start {
                            #found = #element;
                            #at += 1;
                        }
                        #found
                    })
                }
            }
            _ if self.order => quote_spanned!(span=> #a.partial_cmp(&#b)),
            _ => quote_spanned!(span=> #a == #b),
        }
    }
}

fn member(number: usize, field: &Field) -> Member {
    match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(syn::Index { index: number as u32, span: Span::mixed_site() }),
    }
}
