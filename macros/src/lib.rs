//! The procedural macros that turn Rust closures and functions into kernels.
//!
//! One walk over the user's syntax gives two things: the same Rust again, nearly verbatim (the **closure**), and its syntax as data (the **tree**, [`tilewise_ast::Tree`], one byte-string
//! literal). The names used here are those of `tilewise::form`, whose page tells what the parts are for.
//!
//! # What a kernel becomes
//! ```text
//! kernel!(|idx: Index<1>| { out[idx] = 2 * a[idx] + helper(k); })
//! // becomes
//! {
//!     let __bindings = form::Bindings::new().with(&out).with(&a).with(&k);     // what a launch binds, in the order of the tree's captures
//!     let out = form::capture(&out); let a = form::capture(&a); let k = form::capture(&k);
//!     let __c0 = form::Witness::new(); ..   __w0: Witness of the parameter; __w1: of the literal 2; __o0, __o1: Operated; __l0: Linked
//!     let __closure = move |idx: Index<1>| {
//!         __w0.is(&idx);
//!         { let __v = __o1.gives({ let __l = __o0.gives({ let __l = __w1.of(2); let __r = form::read(&a, idx); __o0.on(&__l, &__r); __l * __r });
//!                                  let __r = __l0.call(helper::marked_amp(k)); __o1.on(&__l, &__r); __l + __r });
//!           out.write_element(idx, __v); }
//!     };
//!     form::kernel(__closure, __bindings, move || form::Function { tree: b"..", file: file!(), types: vec![__w0.ty(), __w1.ty()],
//!         links: vec![__o0.form::<form::op::Mul>(), __l0.form(), __o1.form::<form::op::Add>()], constants: vec![], captures: vec![__c0.ty(), ..] })
//! }
//! ```
//! `form::Bindings::with` and `form::capture` take `tilewise::Capture`: every type that is a `KernelValue` implements it beside that (`derive(AmpStruct)` too): `type Value = Self;
//! fn capture(&self) -> Self { *self }`. The closure `move || form::Function` must capture nothing but zero-sized values.
//!
//! `parallel_for_each!(launch, |idx| ..)` is the same with the closure's parameter inferred from the domain, and a launch:
//! ```text
//! {
//!     let __launch = ::tilewise::IntoLaunch::into_launch(launch);      // a domain, `(&accelerator_view, domain)`, a `Launch`
//!     ..
//!     __launch.run(&form::kernel_of(&__launch, __w0, move |idx| .., __bindings, ..)).map(|_| ())
//! }
//! ```
//! `parallel_for_each!(&av, domain, |idx| ..)` is `parallel_for_each!((&av, domain), |idx| ..)`.
//!
//! # What each construct becomes
//! | in Rust | closure | tree |
//! |---|---|---|
//! | `a[i]` read | `form::read(&a, i)`; consecutive subscripts of a `#[tile_static]` or local array stay nested reads | `Index` |
//! | `a[i] = x` | `{ let __v = x; a.write_element(i, __v) }` | `Assign` |
//! | `a[i].f.g = x`, `a[i][j] = x` on arrays | read the outermost element, change the copy, write it back; recursively | `Assign` with the whole place |
//! | `p op= x` | `p = p op x` in the form above; the link is the operator's | `AssignOp` |
//! | `a + b`, `-a` | operands bound to names, `Operated::on`, the operator verbatim, `Operated::gives` | `Binary`, `Unary` |
//! | `a < b`, `a == b` | operands bound, `Witness::is` of the left one, the operator verbatim; `Witness::compares` | `Binary` |
//! | `f(x)`, `m::f::<T>(x)` | `__l.call(m::f::<T>::marked_amp(x))` | `Call` |
//! | `T::f(x)`, `Self::f(x)`, `<T as Trait>::f(x)` | `__l.call(T::f_marked_amp(x))` | `Call` |
//! | `x.f(y)` | `__l.call(x.f_marked_amp(y))` | `Call`, the receiver first |
//! | a name of the closure's surroundings | the captured value | `Capture` |
//! | `K` (in capitals), `a::K`, `T::K`, `Color::Red`, a const generic | `const { K }`: proves that it is one | `Const` |
//! | `print!("a {} b", x)`, `error!(..)`, `abort!()` | `form::print(&["a ", " b"], &[form::constant(&x)])`, `form::error(..)` likewise, `form::abort()` | `Print`, `Error`, `Abort` |
//! | `#[tile_static] let x: T;` | `let x = form::tile_static::<T>(id)`; later `x` is `x.get()`, `x = v` is `x.set(v)` | `TileStatic` |
//!
//! # What an `#[amp]` function becomes
//! The function itself, calling the closure of its parts; a struct of its name, whose `marked_amp` calls the function and gives `Called` with the struct as marker; `KernelFn` for the struct. A
//! method `m` gets a companion `m_marked_amp` beside it and a marker of its own; a trait's method a companion with a default body in the trait, and `m_form_marked_amp()`, which each `#[amp] impl` gives.
//! `#[amp] impl Add for T` gives `form::Operates<op::Add, ..>`; `PartialEq` and `PartialOrd` give `form::Compares`; `Default` and `From` give inherent companions.

mod at;
mod function;
mod kernel;
mod methods;
mod operators;
mod packages;
mod structs;
mod walk;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// A kernel as a value, to be stored and launched often, on several accelerators: `kernel!(|i: Index<3>| { v[i] = i[0] * 100 + i[1] * 10 + i[2]; })`.
///
/// The closure captures by value: views and arrays as handles, numbers and structs as copies.
#[proc_macro]
pub fn kernel(tokens: TokenStream) -> TokenStream {
    let closure = match syn::parse::<syn::Expr>(tokens) {
        Ok(syn::Expr::Closure(closure)) => closure,
        Ok(other) => {
            let help = "`kernel!` is given a closure: `kernel!(|i: Index<1>| { .. })`";
            return syn::Error::new_spanned(other, help).to_compile_error().into();
        }
        Err(error) => return error.to_compile_error().into(),
    };
    kernel::kernel(&closure).into()
}

/// Runs a closure for every index of a domain: `parallel_for_each!(sum.extent(), |idx| { sum[idx] = a[idx] + b[idx]; })?`.
///
/// Before the closure stands a domain, or an accelerator view and a domain, or a `Launch`.
#[proc_macro]
pub fn parallel_for_each(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as kernel::Launch);
    kernel::parallel_for_each(&input).into()
}

/// Marks a function, an `impl` or a trait as usable in kernels and on the host: `restrict(cpu, amp)`.
///
/// `#[amp(device_only)]` is `restrict(amp)`: a call on the host does not compile.
#[proc_macro_attribute]
pub fn amp(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = function::Options::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("device_only") {
            options.device_only = true;
            Ok(())
        } else {
            Err(meta.error("`#[amp]` takes nothing, or `device_only`"))
        }
    });
    parse_macro_input!(arguments with parser);
    match parse_macro_input!(item as syn::Item) {
        syn::Item::Fn(item) => function::function(&item, options).into(),
        syn::Item::Impl(item) => methods::implementation(&item, options).into(),
        syn::Item::Trait(item) if !options.device_only => methods::interface(&item).into(),
        other => syn::Error::new_spanned(other, "`#[amp]` stands on a function, an `impl` or a trait")
            .to_compile_error()
            .into(),
    }
}

/// Lets a struct of plain data be used in kernels, captured, and stored in views: `#[derive(Clone, Copy, AmpStruct)]`. Also an enum without fields, which can be used and captured.
///
/// Fields are numbers of 32 and 64 bits, short vectors, arrays of those, and other such structs; there may be no padding between them. A struct with type parameters can be
/// stored if it is `repr(C)` and all its fields are of one parameter.
#[proc_macro_derive(AmpStruct)]
pub fn derive_amp_struct(item: TokenStream) -> TokenStream {
    structs::derive(&parse_macro_input!(item as DeriveInput)).into()
}
