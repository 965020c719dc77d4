//! The procedural macros that turn Rust closures and functions into kernels.
//!
//! One walk over the user's syntax gives two things: the same Rust again, nearly verbatim (the
//! **closure**), and its syntax as data (the **tree**, [`tilewise_ast::SyntaxTree`], one
//! byte-string
//! literal). The names used here are those of `tilewise::macro_support`, whose page tells what the parts are for.
//!
//! # What a kernel becomes
//! ```text
//! kernel!(|idx: Index<1>| { out[idx] = 2 * a[idx] + helper(k); })
//! // becomes
//! {
//!     use form::{WriteElement as _, methods::*};
//!     let __w0 = macro_support::Witness::NEW; ..     // w0: of the parameter; w1: of the literal 2; w2: of the captured a, ..; w4: of a[idx]; w5: of 2 * a[idx]; ..
//!     let __l1 = macro_support::LinkedCall::NEW;         // what the call of helper resolves to
//!     let __bindings = macro_support::Bindings::NEW;
//!     let (__bindings, a) = __bindings.and(&a, __w2); ..   // what a launch binds, and what the name means in the closure
//!     let __kernel = macro_support::kernel(
//!         __w0,
//!         move |idx: Index<1>| {
//!             { let __v1 = __w8.of(__w5.of(__w1.of(2) * __w4.of(macro_support::read(&a, idx))) + __w7.of(__l1.call(helper::marked_amp(k)))); out.write_element(idx, __v1); }
//!         },
//!         __bindings,
//!         || macro_support::RustFunction { tree: &TREE, file: file!(), types: vec![KernelType::ty_of(__w0), KernelType::ty_of(__w1)],
//!             links: vec![<_ as macro_support::Operates<macro_support::op::Mul, _, _>>::link(__w1, __w4, __w5), macro_support::link(__l1), ..], constants: vec![], captures: vec![KernelType::ty_of(__w2), ..] },
//!     );
//!     __kernel
//! }
//! ```
//! A type that is written down (a suffix, a cast, a parameter of a function, an annotated `let`) needs no witness, and neither does one that another expression has: the variable of
//! `for i in 0..n` has the literal's, a `let` without annotation its value's. The second closure captures nothing that has a size.
//!
//! `parallel_for_each!(domain, |idx| ..)` is the same with `macro_support::kernel_of(&launch, ..)`,
//! from which the closure's parameter has its type, and a launch.
//!
//! # What each construct becomes
//! | in Rust | closure | tree |
//! |---|---|---|
//! | `a[i]` read | `macro_support::read(&a, i)` | `Index` |
//! | `a[i] = x` | `{ let __v = x; a.write_element(i, __v); }` | `Assign` |
//! | `a[i].f.g = x`, `a[i][j] = x` | read the outermost element, change the copy, `put_back`; recursively. A row of a view is written in place | `Assign` with the whole place |
//! | `p op= x` | `p = p op x` in the form above; the link is the operator's | `AssignOp` |
//! | `a + b`, `-a` | the operator as it stands, in `__w.of(..)`; operands whose types are not known in `of` too | `Binary`, `Unary` |
//! | `a < b`, `a == b` | the operator as it stands; the link goes by the left operand's witness | `Binary` |
//! | `f(x)`, `m::f::<T>(x)` | `__l.call(m::f::<T>::marked_amp(x))`, by the detour that `macro_support::call` explains | `Call` |
//! | `T::f(x)`, `Self::f(x)`, `<T as Trait>::f(x)` | `__l.call(T::f_marked_amp(x))` | `Call` |
//! | `x.f(y)` | `__l.call(x.f_marked_amp(y))`; an element as `(*&macro_support::read(..))`, so that what changes it is an error | `Call`, the receiver first |
//! | `T { .. }`, `T(x)`, `[x, y]`, `[x; N]` | `__w.of(..)`; `T(x)` as `T { 0: x }` | `Struct`, `Array`, `Repeat` |
//! | a name of the closure's surroundings; `self.x` in a closure | the captured value | `Capture` |
//! | `K`, `a::K`, `T::K`, `Color::Red`, a const generic, `const { .. }` | `const { K }`: proves that it is one | `Const` |
//! | a pattern | as it is written; in a `match`, a new name `x` is `x @ _` | `Pattern`; a literal has the witness of what it is compared with, or a part of it |
//! | `print!`, `error!`, `abort!` | `macro_support::print(pieces, values)`, `macro_support::error(..)`, `macro_support::abort()` | `Print`, `Error`, `Abort` |
//! | `#[tile_static] let x: T;` | `let x = macro_support::tile_static::<T>(&DECLARED)`, by a static of its own; later `x` is `x.get()`, `x = v` is `x.set(v)` | `TileStatic` |
//!
//! A name is a constant if it begins with a capital, and in functions also if nothing in them binds it; a path of several parts is always one, unless it is called.
//! What is called by a name with a capital is a struct. The rest of the syntax stays as it is in the closure, and has its own node in the tree.
//!
//! # What an `#[amp]` function becomes
//! Its body stands once, in its **dual**: given arguments, the dual runs the closure; given none, it gives the kernel form. The function itself calls the dual. A struct of its name carries the companion
//! `marked_amp`, which calls the dual too and gives `Called` with the struct as marker; the marker's `KernelFn` asks the dual for the form. A marker has the function's type and number
//! parameters, not its lifetimes: no form depends on those, and a lifetime inside of a closure could not leave it.
//!
//! In an `impl`, a method `m` gets a dual `m_marked_amp_dual` and a companion `m_marked_amp` beside it, and a marker in an unnamed constant. In a trait the companion has a body and the
//! dual is what each `#[amp] impl` gives. Traits of the standard library have no place for a dual,
//! so that their `impl`s get a trait of their own: `#[amp] impl Add for T` gives
//! `macro_support::Operates<op::Add, ..>`
//! besides, `PartialEq` gives `macro_support::Compares`, `Default` and `From` give inherent companions.
//!
//! `#[amp(device_only)]` puts a condition on the function that no caller on the host can meet.
//!
//! # Mistakes
//! The walk goes on after a mistake and reports all of them. A function with a mistake keeps its signature and its companion, so that its uses are not reported as well. Tokens
//! of the macros stand at the place of the user's tokens that they are for, with `mixed_site` hygiene: their names meet no other names, and lints know that nobody wrote them.

mod at;
mod conditions;
mod function;
mod kernel;
mod methods;
mod operators;
mod packages;
mod structs;
#[cfg(test)]
mod tests;
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
/// Before the closure stands a domain, or an accelerator view and a domain, or a `LaunchInput`.
#[proc_macro]
pub fn parallel_for_each(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as kernel::LaunchInput);
    kernel::parallel_for_each(&input).into()
}

/// Marks a function, an `impl` or a trait as usable in kernels and on the host: `restrict(cpu, amp)`.
///
/// `#[amp(device_only)]` is `restrict(amp)`: a call on the host does not compile.
#[doc(alias = "restrict")]
#[proc_macro_attribute]
pub fn amp(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = function::AmpOptions::default();
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
/// Fields are numbers of 32 and 64 bits, short vectors, arrays of those, and other such structs; there may be no padding between them. A struct with type or const parameters can be
/// captured; it can be stored if no arguments could give it padding: it is `repr(C)` without `align`, no attribute of another macro stands on it, and its fields are all of one parameter
/// or number, or arrays of it. The variants of an enum have numbers of 32 bits.
#[proc_macro_derive(AmpStruct)]
pub fn derive_amp_struct(item: TokenStream) -> TokenStream {
    structs::derive(&parse_macro_input!(item as DeriveInput)).into()
}
