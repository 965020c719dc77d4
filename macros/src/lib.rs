//! The procedural macros that turn Rust closures and functions into kernels.
//!
//! One walk over the user's syntax gives two results: the same Rust again, nearly verbatim (the
//! **closure**), and its syntax as data (the **tree**, [`tilewise_ast::SyntaxTree`], one
//! byte-string literal). `tilewise::macro_support` defines and documents the names used here.
//!
//! # What a kernel becomes
//! ```text
//! kernel!(|idx: Index<1>| { out[idx] = 2 * a[idx] + helper(k); })
//! // becomes
//! {
//!     use macro_support::{WriteElement as _, methods::*};
//!     let __w0 = macro_support::Witness::NEW; ..     // w0: of the parameter; w1: of the literal 2; w2: of the captured a, ..; w4: of a[idx]; w5: of 2 * a[idx]; ..
//!     let __l1 = macro_support::LinkedCall::NEW;         // what the call of helper resolves to
//!     let __bindings = macro_support::Bindings::NEW;
//!     let (__bindings, a) = __bindings.and(&a, __w2); ..   // what a launch binds, and what the name means in the closure
//!     let __kernel = macro_support::kernel(
//!         __w0,
//!         move |idx: Index<1>| {
//!             { let __v1 = __w8.of(__w5.of(__w1.of(2) * __w4.of(macro_support::read(&a, idx, __l2))) + __w7.of(__l1.call(helper::marked_amp(k)))); __l3.call(out.write_element(idx, __v1)); }
//!         },
//!         __bindings,
//!         || macro_support::RustFunction { tree: &TREE, file: file!(), types: vec![KernelType::ty_of(__w0), KernelType::ty_of(__w1)],
//!             links: vec![<_ as macro_support::Operates<macro_support::op::Mul, _, _>>::link(__w1, __w4, __w5), macro_support::link(__l1), ..], shared: vec![], constants: vec![], captures: vec![KernelType::ty_of(__w2), ..] },
//!     );
//!     let __kernel = unsafe { macro_support::registered(__kernel) };
//!     __kernel
//! }
//! ```
//! A type needs no witness if it is written (a suffix, a cast, a parameter of a function, an
//! annotated `let`) or if another expression has it: the variable of `for i in 0..n` has the
//! literal's type, a `let` without annotation its value's. The second closure captures only values
//! of size zero.
//!
//! `parallel_for_each!(domain, |idx| ..)` expands to the same code with
//! `macro_support::kernel_of(&launch, ..)`, which determines the type of the closure's parameter,
//! and then to a launch.
//!
//! # Expansion of each construct
//! | in Rust | closure | tree |
//! |---|---|---|
//! | `a[i]` read | `macro_support::read(&a, i, __l)` | `Index`, with the link to the meaning of `[]` |
//! | `a[i] = x` | `{ let __v = x; __l.call(a.write_element(i, __v)); }` | `Assign` |
//! | `a[i].f.g = x`, `a[i][j] = x` | `find` each element, which runs the user's code behind `[]`; read the outermost, change the copy, `put_back`; recursively. A row of a view is written in place | `Assign` with the whole place |
//! | `p op= x` | the operator unchanged on a copy of `p`, which is written back in the form above | `AssignOp` |
//! | `f(&mut a[i])` | a copy of the element, which is written back behind the call | `Ref` |
//! | `a + b`, `-a` | the operator unchanged, in `__w.of(..)`; operands of unknown type in `of` too | `Binary`, `Unary` |
//! | `a < b`, `a == b` | the operator unchanged; the link depends on the left operand's witness | `Binary` |
//! | `f(x)`, `m::f::<T>(x)` | `__l.call(m::f::<T>::marked_amp(x))`, by the indirection that `macro_support::call` explains | `Call` |
//! | `T::f(x)`, `Self::f(x)`, `<T as Trait>::f(x)` | `__l.call(T::f_marked_amp(x))` | `Call` |
//! | `f(g)` of a function `g` | `g`, with `__l.called(g::named_amp(g))` | `Function` |
//! | `x.f(y)` | `__l.call(x.f_marked_amp(y))`; an element as `(*&macro_support::read(..))`, so that a method that changes it is an error | `Call`, the receiver first |
//! | `T { .. }`, `T(x)`, `[x, y]`, `[x; N]` | `__w.of(..)`; `T(x)` also as a pattern, which proves that `T` is a tuple struct | `Struct`, `Array`, `Repeat` |
//! | a name from around the closure, or a field of one: `self.x`, `system.bodies` | the captured value | `Capture` |
//! | `K`, `a::K`, `T::K`, `Color::Red`, a const generic, `const { .. }` | `const { K }`, which proves that it is a constant | `Const` |
//! | a pattern | unchanged; in a `match`, a new name `x` is `x @ _` | `Pattern`; a literal has the witness of the matched value or of its part |
//! | `print!`, `error!`, `abort!` | `macro_support::print(pieces, values, formats)`, `macro_support::error(..)`, `macro_support::abort()` | `Print`, `Error`, `Abort` |
//! | `matches!` | that of the `match` | `Match` |
//! | `#[tile_static] let x: T;` | `let x = macro_support::tile_static::<T>(&DECLARED)`, with a static of its own; later `x` is `x.get()`, `x = v` is `x.set(v)` | `TileStatic` |
//!
//! A name is a constant if it begins with a capital, and in functions also if nothing in them binds
//! it; a path of several segments is always a constant, unless it is called. A called name with a
//! capital is a struct. All other syntax is unchanged in the closure and has its own node in the
//! tree.
//!
//! # What an `#[amp]` function becomes
//! Its body is emitted once, in its **dual**: with arguments, the dual runs the closure; without,
//! it returns the kernel form. The function itself calls the dual. A struct of the same name has
//! the companion `marked_amp`, which calls the dual too and returns `Called` with the struct as
//! marker; the marker's `KernelFn` gets the form from the dual. The struct's `named_amp` compares the
//! function with what Rust calls by its name at a call. A marker has the function's type
//! and const parameters, not its lifetimes: no form depends on those, and a lifetime inside a
//! closure could not leave it.
//!
//! In an `impl`, a method `m` gets a dual `m_marked_amp_dual` and a companion `m_marked_amp` beside
//! it, and a marker in an unnamed constant. In a trait, the companion has a body and each
//! `#[amp] impl` provides the dual. Traits of the standard library have no place for a dual, so
//! their `impl`s get a private trait: `#[amp] impl Add for T` also implements
//! `macro_support::Operates<op::Add, ..>`, `PartialEq` and `PartialOrd` implement
//! `macro_support::Compares`, `Default` gives an inherent companion, and `From` implements
//! `macro_support::FromMethod`. `Index` implements `macro_support::Read`, and `IndexMut`
//! `macro_support::WriteElement` ([`indexing`]). On a struct or an enum, `#[amp]` gives its derives of
//! `PartialEq` and `PartialOrd` their kernel forms ([`derived`]).
//!
//!
//! `#[amp(device_only)]` gives the function a first parameter for which no caller on the host has an
//! argument, and puts a bound on a method that no caller on the host satisfies.
//!
//! # Mistakes
//! The walk continues after a mistake and reports all of them. A function with a mistake keeps its
//! signature and its companion, so that its uses are not reported too. Generated tokens have the
//! position of the user's tokens that they stand for, with `mixed_site` hygiene: their names cannot
//! clash with others, and lints recognise them as generated code.

mod at;
mod callable;
mod conditions;
mod derived;
mod elided;
mod function;
mod indexing;
mod kernel;
mod methods;
mod misplaced;
mod operators;
mod packages;
mod structs;
mod swizzles;
#[cfg(test)]
mod tests;
mod unparsed;
mod walk;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// A kernel as a value, to be stored and launched often, on several accelerators:
/// `kernel!(|i: Index<3>| { v[i] = i[0] * 100 + i[1] * 10 + i[2]; })`.
///
/// The closure captures by value: views and arrays as handles, numbers and structs as copies.
#[proc_macro]
pub fn kernel(tokens: TokenStream) -> TokenStream {
    let closure = match syn::parse2::<syn::Expr>(at::with_bare_lifetimes(tokens.into())) {
        Ok(syn::Expr::Closure(closure)) => closure,
        Ok(other) => {
            let help = "`kernel!` is given a closure: `kernel!(|i: Index<1>| { .. })`";
            return syn::Error::new_spanned(other, help).to_compile_error().into();
        }
        Err(error) => return error.to_compile_error().into(),
    };
    kernel::kernel(&closure).into()
}

/// Runs a closure for every index of a domain:
/// `parallel_for_each!(sum.extent(), |idx| { sum[idx] = a[idx] + b[idx]; })?`.
///
/// The argument before the closure is a domain, an accelerator view and a domain, or a `Launch`.
#[proc_macro]
pub fn parallel_for_each(tokens: TokenStream) -> TokenStream {
    match syn::parse2::<kernel::LaunchInput>(at::with_bare_lifetimes(tokens.into())) {
        Ok(input) => kernel::parallel_for_each(&input).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// Makes a function, an `impl` or a trait usable in kernels and on the host: `restrict(cpu, amp)`.
///
/// `#[amp(device_only)]` is `restrict(amp)`: a call on the host does not compile.
// `texture_unit` is for the library's own samples.
#[doc(alias = "restrict")]
#[proc_macro_attribute]
pub fn amp(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = function::AmpOptions::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("device_only") {
            options.device_only = true;
            Ok(())
        } else if meta.path.is_ident("texture_unit") {
            options.texture_unit = true;
            Ok(())
        } else {
            Err(meta.error("`#[amp]` takes nothing, or `device_only`"))
        }
    });
    parse_macro_input!(arguments with parser);
    let mut item = match unparsed::item(at::with_bare_lifetimes(item.into())) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error().into(),
    };
    if options.texture_unit && !matches!(&item, syn::Item::Impl(item) if item.trait_.is_none()) {
        let message = "`texture_unit` is for inherent `impl`s of the library's textures";
        return syn::Error::new_spanned(item, message).to_compile_error().into();
    }
    let twice = misplaced::second(&mut item);
    let expanded = match item {
        syn::Item::Fn(item) if misplaced::is_method(&item) => misplaced::method(item),
        syn::Item::Fn(item) => function::function(&item, options),
        syn::Item::Impl(item) => methods::implementation(&item, options),
        syn::Item::Trait(item) if !options.device_only => methods::interface(&item),
        syn::Item::Struct(item) if !options.device_only => derived::derived(&item.into()),
        syn::Item::Enum(item) if !options.device_only => derived::derived(&item.into()),
        // A function without a body, which only a trait has.
        syn::Item::Verbatim(item) if syn::parse2::<syn::TraitItemFn>(item.clone()).is_ok() => misplaced::method(item),
        other => syn::Error::new_spanned(other, "`#[amp]` stands on a function, an `impl`, a trait or a derive")
            .to_compile_error(),
    };
    quote::quote!(#twice #expanded).into()
}

/// Lets kernels use and capture a struct of plain data, and views store it:
/// `#[derive(Clone, Copy, AmpStruct)]`. Also for an enum without fields, which can be used and
/// captured.
///
/// Fields are values of kernels. For elements of views they are numbers, short vectors, arrays of
/// those, and other such structs, without padding between them; a struct with another field, a `bool`
/// for example, can be captured and used. A struct with type or const parameters can be captured. It
/// can be stored if no arguments could give it padding: it is `repr(C)` or `repr(transparent)`
/// without `align`, has no attribute of another macro, a later `#[derive(..)]` included, and all its
/// fields are of one parameter or number type, or arrays of it. The discriminants of an enum have 32
/// bits.
#[proc_macro_derive(AmpStruct)]
pub fn derive_amp_struct(item: TokenStream) -> TokenStream {
    structs::derive(&parse_macro_input!(item as DeriveInput)).into()
}

/// The swizzles of the short vectors of `tilewise`. For that crate alone.
#[doc(hidden)]
#[proc_macro]
pub fn vector_swizzles(tokens: TokenStream) -> TokenStream {
    parse_macro_input!(tokens as swizzles::VectorFamily).swizzles().into()
}
