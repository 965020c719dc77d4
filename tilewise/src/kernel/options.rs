//! `Option` in kernels: an enum with fields, like those with `derive(AmpStruct)`; its methods, and
//! those of numbers that return one.

use std::marker::PhantomData;
use std::sync::Arc;

use super::capture::Capture;
use super::macro_support::op::{Equal, OWN, Order, PlainPart};
use super::macro_support::{
    Called, Compares, Form, HeldValue, ItemOfOption, KernelFn, OptionMethod, RustBuiltin, RustConstant, RustType,
    VariantTy, VariantsTy, name_of, variants_on_the_host,
};
use super::numbers::FromMethod;
use super::types::{KernelType, KernelValue};
use crate::targets::native::running;

#[diagnostic::do_not_recommend]
impl<T: HeldValue> KernelType for Option<T> {
    fn ty() -> RustType {
        let some = T::ty();
        RustType::Variants(Arc::new(VariantsTy {
            name: name_of::<Option<T::Kept>>(),
            variants: vec![
                VariantTy { name: "None", fields: Vec::new() },
                VariantTy { name: "Some", fields: vec![("0", some)] },
            ],
        }))
    }

    fn variant(is: &dyn Fn(&Self) -> bool) -> u32 {
        u32::from(!is(&None))
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> KernelValue for Option<T> {
    fn leaves(&self, out: &mut Vec<u64>) {
        out.push(self.is_some().into());
        match self {
            Some(value) => value.leaves(out),
            None => out.extend(T::filler().leaves),
        }
    }

    fn zero() -> Self {
        None
    }

    fn beyond(&self) -> Option<i128> {
        self.and_then(|value| value.beyond())
    }

    fn on_the_host(&self) -> RustConstant {
        let value = self.map_or_else(T::filler, |value| value.on_the_host());
        variants_on_the_host(Self::ty(), self.is_some().into(), &[value])
    }

    fn end_in_a_kernel(self) -> Self {
        self.map(T::end_in_a_kernel)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> Capture for Option<T> {
    type Value = Self;

    #[inline]
    fn capture(&self) -> Self {
        *self
    }
}

#[diagnostic::do_not_recommend]
impl<T: PlainPart, R: PlainPart> Compares<Equal, Option<R>> for Option<T> {
    fn form() -> Form {
        OWN
    }
}

#[diagnostic::do_not_recommend]
impl<T: PlainPart, R: PlainPart> Compares<Order, Option<R>> for Option<T> {
    fn form() -> Form {
        OWN
    }
}

mod conditions {
    //! The bound of methods that kernels do not have. Its name states what it would mean.

    /// Methods may panic.
    #[diagnostic::on_unimplemented(
        message = "kernels do not have this method: it panics where there is no value",
        label = "not a method in kernels",
        note = "write `let Some(x) = option else {{ return }};`, or `option.unwrap_or(..)`"
    )]
    pub trait Panics {}
}

macro_rules! methods {
    ($($mark:ident: $method:ident => $result:ty;)*) => {$(
        #[doc = concat!("The method `", stringify!($method), "` of an `Option`.")]
        #[derive(Debug)]
        pub struct $mark<T>(PhantomData<T>);

        impl<T: HeldValue> KernelFn for $mark<T> {
            fn form() -> Form {
                Form::Builtin(RustBuiltin::OfOption(OptionMethod::$method, <$result>::ty()))
            }
        }
    )*};
}

methods! {
    OptionIsSome: IsSome => bool;
    OptionIsNone: IsNone => bool;
    OptionUnwrapOr: UnwrapOr => T;
    OptionUnwrapOrElse: UnwrapOrElse => T;
    OptionOr: Or => Option<T>;
    OptionMap: Map => Option<T>;
    OptionAndThen: AndThen => Option<T>;
    OptionIsSomeAnd: IsSomeAnd => bool;
    OptionMapOr: MapOr => T;
}

/// The companions of the methods of `Option`s.
#[allow(clippy::wrong_self_convention, reason = "the names are those of the methods, and the value is copied")]
pub trait OptionMethods<T: HeldValue>: Sized {
    /// The value.
    fn option(self) -> Option<T>;

    /// The companion of `is_some`.
    #[inline(always)]
    fn is_some_marked_amp(self) -> Called<bool, OptionIsSome<T>> {
        Called::new(self.option().is_some())
    }

    /// The companion of `is_none`.
    #[inline(always)]
    fn is_none_marked_amp(self) -> Called<bool, OptionIsNone<T>> {
        Called::new(self.option().is_none())
    }

    /// The companion of `unwrap_or`.
    #[inline(always)]
    fn unwrap_or_marked_amp(self, other: T) -> Called<T, OptionUnwrapOr<T>> {
        Called::new(self.option().unwrap_or(other))
    }

    /// The companion of `unwrap_or_else`.
    #[inline(always)]
    fn unwrap_or_else_marked_amp<F: FnOnce() -> T>(self, other: F) -> Called<T, OptionUnwrapOrElse<T>> {
        Called::new(self.option().unwrap_or_else(other))
    }

    /// The companion of `or`.
    #[inline(always)]
    fn or_marked_amp(self, other: Option<T>) -> Called<Option<T>, OptionOr<T>> {
        Called::new(self.option().or(other))
    }

    /// The companion of `map`.
    #[inline(always)]
    fn map_marked_amp<U: ItemOfOption, F: FnOnce(T) -> U>(self, f: F) -> Called<Option<U>, OptionMap<U::Kept>> {
        Called::new(self.option().map(f))
    }

    /// The companion of `and_then`.
    #[inline(always)]
    fn and_then_marked_amp<U: ItemOfOption, F: FnOnce(T) -> Option<U>>(
        self,
        f: F,
    ) -> Called<Option<U>, OptionAndThen<U::Kept>> {
        Called::new(self.option().and_then(f))
    }

    /// The companion of `is_some_and`.
    #[inline(always)]
    fn is_some_and_marked_amp<F: FnOnce(T) -> bool>(self, f: F) -> Called<bool, OptionIsSomeAnd<T>> {
        Called::new(self.option().is_some_and(f))
    }

    /// The companion of `map_or`.
    #[inline(always)]
    fn map_or_marked_amp<U: HeldValue, F: FnOnce(T) -> U>(self, other: U, f: F) -> Called<U, OptionMapOr<U>> {
        Called::new(self.option().map_or(other, f))
    }

    /// No companion of `unwrap`.
    fn unwrap_marked_amp(self) -> Called<T, OptionUnwrapOr<T>>
    where
        Self: conditions::Panics,
    {
        unreachable!()
    }

    /// No companion of `expect`.
    fn expect_marked_amp(self, _: &str) -> Called<T, OptionUnwrapOr<T>>
    where
        Self: conditions::Panics,
    {
        unreachable!()
    }
}

impl<T: HeldValue> OptionMethods<T> for Option<T> {
    #[inline(always)]
    fn option(self) -> Option<T> {
        self
    }
}

macro_rules! checked {
    ($($mark:ident $companion:ident $method:ident;)*) => {
        $(
            #[doc = concat!("`", stringify!($method), "` of a number.")]
            #[derive(Debug)]
            pub struct $mark<T>(PhantomData<T>);

            impl<T: KernelValue> KernelFn for $mark<T> {
                fn form() -> Form {
                    Form::Builtin(RustBuiltin::Checked(stringify!($method), <Option<T>>::ty()))
                }
            }
        )*

        /// The companions of the methods of integers that return an `Option`.
        pub trait CheckedMethods: KernelValue {$(
            #[doc = concat!("The companion of `", stringify!($method), "`.")]
            fn $companion(self, other: Self) -> Called<Option<Self>, $mark<Self>>;
        )*}

        checked!(@ [i8 u8 i16 u16 i32 u32 i64 u64] ($($mark $companion $method;)*));

        checked!(@@ usize u32 $($mark $companion $method;)*);
        checked!(@@ isize i32 $($mark $companion $method;)*);
    };
    (@ [$($t:ident)*] $methods:tt) => { $(checked!(@@@ $t $methods);)* };
    (@@@ $t:ident ($($mark:ident $companion:ident $method:ident;)*)) => {
        impl CheckedMethods for $t {$(
            #[inline(always)]
            fn $companion(self, other: $t) -> Called<Option<$t>, $mark<$t>> {
                Called::new(self.$method(other))
            }
        )*}
    };
    // In a kernel, the number has 32 bits.
    (@@ $t:ident $narrow:ident $($mark:ident $companion:ident $method:ident;)*) => {
        impl CheckedMethods for $t {$(
            #[inline]
            fn $companion(self, other: $t) -> Called<Option<$t>, $mark<$t>> {
                if let (Ok(x), Ok(y)) = ($narrow::try_from(self), $narrow::try_from(other))
                    && running::inside()
                {
                    return Called::new(x.$method(y).map(|x| x as $t));
                }
                Called::new(self.$method(other))
            }
        )*}
    };
}

checked! {
    CheckedAdd checked_add_marked_amp checked_add;
    CheckedSub checked_sub_marked_amp checked_sub;
    CheckedMul checked_mul_marked_amp checked_mul;
    CheckedDiv checked_div_marked_amp checked_div;
    CheckedRem checked_rem_marked_amp checked_rem;
}

/// The companion of `into`: that of `from` of the other type.
pub trait IntoMethod: Sized {
    /// The companion.
    #[inline(always)]
    fn into_marked_amp<T: FromMethod<Self>>(self) -> Called<T, T::Mark> {
        T::from_marked_amp(self)
    }
}

impl<X: KernelValue> IntoMethod for X {}
