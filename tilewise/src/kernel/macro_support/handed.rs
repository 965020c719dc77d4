//! Captured names that are arguments, `map(x, square)`: a value, or an `#[amp]` function of the module.
//!
//! The macro sees a name in lower case. What it stands for, rustc finds out twice, before the closure:
//! ```text
//! let (__as, __bindings, square @ _) = (&&Captured(&square)).captured(__bindings, witness);
//! {
//!     use macro_support::handed::NoFunction as square;
//!     {
//!         use self::*;
//!         link.handed(__as, square::named_amp(..));
//!     }
//! }
//! ```
//! - `captured` is that of [`CaptureFunction`] for what can be called, and that of [`CaptureValue`], with
//!   one reference less, for everything else. A function is bound as a `bool` that nothing reads.
//! - The path `square` is the marker of the module's function of this name, if there is one; else it
//!   is [`NoFunction`], of the enclosing block. A value may have the name of a function: then the
//!   function is not used. A function must be the one that is marked.
//!
//! A path with a capital, `.map(Meters)`, `paint(Color::Red)`, is a constructor or a constant, and its type
//! decides which, in the same way: `handed` is that of [`PathFunction`] or of [`PathValue`].

use std::any::type_name;
use std::marker::PhantomData;

use super::call::{ItselfMarked, Named};
use super::width::ConstantOf;
use super::{Bindings, Form, KernelFn, LinkedCall, RustBuiltin, RustType, Witness, name_of, op};
use crate::kernel::capture::Capture;
use crate::kernel::types::KernelType;

/// What is captured by a name.
#[derive(Debug)]
pub struct Captured<'c, C: ?Sized>(pub &'c C);

/// It is called.
#[derive(Clone, Copy, Debug)]
pub struct AsFunction;

/// It is a value.
#[derive(Clone, Copy, Debug)]
pub struct AsValue;

/// Captures of what can be called with arguments `A`.
pub trait CaptureFunction<A> {
    /// The function.
    type Function;
    /// The same results as [`CaptureValue::captured`].
    fn captured<L>(self, bindings: Bindings<L>, _: Witness<bool>) -> (AsFunction, Bindings<(L, bool)>, Self::Function);
}

/// Captures of values.
pub trait CaptureValue<C: ?Sized> {
    /// How it is used, the bindings with its value, and its value in the closure.
    #[allow(clippy::type_complexity, reason = "a name for it would need every parameter again")]
    fn captured<L>(
        self,
        bindings: Bindings<L>,
        witness: Witness<C::Value>,
    ) -> (AsValue, Bindings<(L, C::Value)>, C::Value)
    where
        C: Capture;
}

impl<C: ?Sized> CaptureValue<C> for &Captured<'_, C> {
    #[inline]
    fn captured<L>(
        self,
        bindings: Bindings<L>,
        witness: Witness<C::Value>,
    ) -> (AsValue, Bindings<(L, C::Value)>, C::Value)
    where
        C: Capture,
    {
        let (bindings, value) = bindings.and(self.0, witness);
        (AsValue, bindings, value)
    }
}

macro_rules! functions {
    ($(($($arg:ident)*))*) => {$(
        impl<F: Fn($($arg),*) -> R + Copy, R, $($arg),*> CaptureFunction<($($arg,)*)> for &&Captured<'_, F> {
            type Function = F;

            #[inline]
            fn captured<L>(self, bindings: Bindings<L>, _: Witness<bool>) -> (AsFunction, Bindings<(L, bool)>, F) {
                (AsFunction, bindings.with(&false), *self.0)
            }
        }
    )*};
}

functions! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E G)
}

/// There is no marked function of a name.
#[derive(Debug)]
pub struct NoFunction;

/// The same, and the type of what the name stands for.
#[derive(Debug)]
pub struct Unmarked<F>(PhantomData<F>);

impl NoFunction {
    /// In the place of a marker's.
    pub fn named_amp<F>(_: F) -> Unmarked<F> {
        Unmarked(PhantomData)
    }
}

/// In the place of a function's marker. It has the form of nothing that is called.
#[derive(Debug)]
pub struct NoMarker;

impl KernelFn for NoMarker {
    fn form() -> Form {
        op::OWN
    }
}

/// What a name stands for, used as `K`, has the marker `M`.
pub trait HandedAs<M, K> {}

impl<M, P: ItselfMarked> HandedAs<M, AsFunction> for Named<M, P> {}
impl<M, P> HandedAs<M, AsValue> for Named<M, P> {}
impl<F> HandedAs<NoMarker, AsValue> for Unmarked<F> {}
impl<F: Capture> HandedAs<NoMarker, AsFunction> for Unmarked<F> {}

impl<M> LinkedCall<M> {
    /// Takes the marker of what a name stands for.
    #[inline(always)]
    pub fn handed<K, H: HandedAs<M, K>>(self, _: K, _: H) {}
}

/// What a path with a capital stands for, as an argument.
#[derive(Debug)]
pub struct HandedPath<'c, C: ?Sized>(pub &'c C);

impl AsFunction {
    /// The constructor, in the place of [`Witness::constant`].
    #[inline(always)]
    pub fn constant<F>(self, function: F) -> F {
        function
    }
}

/// Paths of constructors with arguments `A`.
pub trait PathFunction<A> {
    /// The constructor.
    type Function;
    /// What it makes.
    type Made;
    /// Like [`PathValue::handed`].
    fn handed(self, _: Witness<Self::Function>, _: LinkedCall<MadeBy<Self::Function, Self::Made>>) -> AsFunction;
    /// Like [`PathValue::data`]. Nothing reads it.
    fn data(self, _: Witness<Self::Function>) -> ConstantOf<'static, bool>;
}

/// Paths of constants.
pub trait PathValue<'c, C> {
    /// How it is used. The witness and the link have the types that the tables beside the tree need.
    fn handed(self, _: Witness<C>, _: LinkedCall<NoMarker>) -> Witness<C>;
    /// The constant, whose value is to be data.
    fn data(self, _: Witness<C>) -> ConstantOf<'c, C>;
}

impl<'c, C> PathValue<'c, C> for &HandedPath<'c, C> {
    #[inline(always)]
    fn handed(self, witness: Witness<C>, _: LinkedCall<NoMarker>) -> Witness<C> {
        witness
    }

    fn data(self, _: Witness<C>) -> ConstantOf<'c, C> {
        ConstantOf(self.0)
    }
}

macro_rules! constructors {
    ($(($($arg:ident)*))*) => {$(
        impl<F: Fn($($arg),*) -> R + Copy, R: KernelType, $($arg),*> PathFunction<($($arg,)*)> for &&HandedPath<'_, F> {
            type Function = F;
            type Made = R;

            #[inline(always)]
            fn handed(self, _: Witness<F>, _: LinkedCall<MadeBy<F, R>>) -> AsFunction {
                AsFunction
            }

            fn data(self, _: Witness<F>) -> ConstantOf<'static, bool> {
                ConstantOf(&false)
            }
        }
    )*};
}

constructors! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E G)
}

/// The meaning of the constructor `F` of an `R`.
#[derive(Debug)]
pub struct MadeBy<F, R>(PhantomData<(F, R)>);

impl<F, R: KernelType> KernelFn for MadeBy<F, R> {
    fn form() -> Form {
        let ty = R::ty();
        let by_position =
            |names: &mut dyn Iterator<Item = &'static str>| names.enumerate().all(|(at, name)| name.parse() == Ok(at));
        let name = name_of::<F>();
        // The compiler names the function of a tuple struct or a variant so. Another function is none of them.
        let variant = type_name::<F>().strip_suffix("::{{constructor}}").and_then(|path| match &ty {
            RustType::Struct(of) => by_position(&mut of.fields.iter().map(|field| field.name)).then_some(0),
            RustType::Variants(of) => of.variants.iter().position(|variant| {
                path.rsplit("::").next() == Some(variant.name)
                    && by_position(&mut variant.fields.iter().map(|field| field.0))
            }),
            _ => None,
        });
        Form::Builtin(match variant {
            Some(variant) => RustBuiltin::Construct(ty, variant),
            None => RustBuiltin::NoConstructor(name),
        })
    }
}

/// A captured value that is an argument by value.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot hand on `{Self}` by value",
    label = "captured, and no copy can be made of it",
    note = "hand it on by reference, `&x`, or write `#[derive(Clone)]`"
)]
pub trait HandedByValue {
    /// A copy; of a view, one more handle.
    fn again(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> HandedByValue for T {
    #[inline(always)]
    fn again(&self) -> T {
        self.clone()
    }
}

/// A copy of a captured value, for an argument.
#[inline(always)]
pub fn again<T: HandedByValue>(captured: &T) -> T {
    captured.again()
}

/// The type of a value.
#[inline(always)]
pub const fn type_of<F>(_: &F) -> PhantomData<F> {
    PhantomData
}

/// A value of a type, in code that does not run.
#[cold]
pub fn value_of<F>(_: PhantomData<F>) -> F {
    unreachable!()
}
