//! The swizzles of short vectors, for the crate `tilewise` itself: all permutations of distinct
//! components, each with a getter, a setter and their companions, by `xyzw` and by `rgba`. A macro by
//! example could not join letters to names.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Token, Type};

/// The names of a component: that of the field, and that of a color.
const LETTERS: [[char; 2]; 4] = [['x', 'r'], ['y', 'g'], ['z', 'b'], ['w', 'a']];

/// The vectors of one scalar: `i32: Int2 Int3 Int4`.
pub(crate) struct VectorFamily {
    scalar: Type,
    /// Of two, three and four components.
    vectors: [Ident; 3],
}

impl Parse for VectorFamily {
    fn parse(input: ParseStream<'_>) -> syn::Result<VectorFamily> {
        let scalar = input.parse()?;
        input.parse::<Token![:]>()?;
        let vectors = [input.parse()?, input.parse()?, input.parse()?];
        Ok(VectorFamily { scalar, vectors })
    }
}

impl VectorFamily {
    /// The swizzles of all three.
    pub(crate) fn swizzles(&self) -> TokenStream {
        (2..=4).map(|width| self.of_width(width)).collect()
    }

    fn of_width(&self, width: usize) -> TokenStream {
        let mut methods = TokenStream::new();
        for alphabet in 0..2 {
            // A single component by `xyzw` is a field.
            for count in 2 - alphabet..=width {
                let each = permutations(width, count).into_iter();
                methods.extend(each.map(|components| self.accessors(&components, alphabet)));
            }
        }
        let vector = &self.vectors[width - 2];
        quote!(impl #vector { #methods })
    }

    /// The getter and the setter of these components.
    fn accessors(&self, components: &[usize], alphabet: usize) -> TokenStream {
        let letters: String = components.iter().map(|&component| LETTERS[component][alphabet]).collect();
        let fields =
            components.iter().map(|&component| Ident::new(&LETTERS[component][0].to_string(), Span::call_site()));
        let fields: Vec<Ident> = fields.collect();
        let numbers = components.iter().map(|&component| Literal::usize_unsuffixed(component));
        let numbers = quote!(<#(#numbers),*>);
        let (getter, setter) = (format_ident!("{letters}"), format_ident!("set_{letters}"));
        let (getter_companion, setter_companion) =
            (format_ident!("{getter}_marked_amp"), format_ident!("{setter}_marked_amp"));
        let count = components.len();
        let (get, set) = (format_ident!("Swizzle{count}"), format_ident!("SetSwizzle{count}"));
        let listed = fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
        let (reads, sets, ty, value, change);
        if let [field] = &fields[..] {
            (reads, sets) = (format!("The component {listed}."), format!("Sets the component {listed}."));
            let scalar = &self.scalar;
            ty = quote!(#scalar);
            value = quote!(self.#field);
            change = quote!(self.#field = value);
        } else {
            reads = format!("The components {listed}, in this order.");
            sets = format!("Sets the components {listed}, in this order.");
            let vector = &self.vectors[count - 2];
            ty = quote!(#vector);
            value = quote!(#vector::new(#(self.#fields),*));
            change = quote!([#(self.#fields),*] = value.to_array());
        }
        quote! {
            crate::kernel::companions::both! {
                #[doc = #reads]
                pub const fn #getter[#getter_companion: mark::#get #numbers](self) -> #ty {
                    #value
                }

                #[doc = #sets]
                pub const fn #setter[#setter_companion: mark::#set #numbers](&mut self, value: #ty) {
                    #change;
                }
            }
        }
    }
}

/// All ways to take `count` of the components, in order.
fn permutations(width: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let longer = |shorter: Vec<usize>| {
        let others = (0..width).filter(|component| !shorter.contains(component)).collect::<Vec<_>>();
        others.into_iter().map(move |component| [&shorter[..], &[component]].concat())
    };
    permutations(width, count - 1).into_iter().flat_map(longer).collect()
}

#[cfg(test)]
mod tests {
    use super::permutations;

    #[test]
    fn each_component_occurs_once_in_a_permutation() {
        assert_eq!(permutations(2, 2), [[0, 1], [1, 0]]);
        assert_eq!([2, 3, 4].map(|count| permutations(4, count).len()), [12, 24, 24]);
        assert_eq!(permutations(3, 1), [[0], [1], [2]]);
    }
}
