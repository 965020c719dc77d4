//! `try_from` and `try_into` between integers, and between these and characters: the companions, and the errors as
//! values of a kernel.

use std::char::{CharTryFromError, TryFromCharError};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::num::TryFromIntError;
use std::sync::Arc;

use crate::kernel::capture::captured_by_copy;
use crate::kernel::macro_support::op::Plain;
use crate::kernel::macro_support::{Called, Form, KernelFn, RustBuiltin, RustConstant, RustType, StructTy};
use crate::kernel::types::{KernelType, KernelValue};
use crate::targets::native::running;

/// The companion of `try_from`.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `try_from` of `{Self}` takes no `{X}`",
    label = "no conversion between integers and characters"
)]
pub trait TryFromMethod<X>: Sized {
    /// The error of a value that does not fit.
    type Error;
    /// Stands for the conversion.
    type Mark;
    /// The companion.
    fn try_from_marked_amp(x: X) -> Called<Result<Self, Self::Error>, Self::Mark>;
}

/// The companion of `try_into`: that of `try_from` of the other type.
pub trait TryIntoMethod: Sized {
    /// The companion.
    #[inline(always)]
    fn try_into_marked_amp<T: TryFromMethod<Self>>(self) -> Called<Result<T, T::Error>, T::Mark> {
        T::try_from_marked_amp(self)
    }
}

impl<X: KernelValue> TryIntoMethod for X {}

/// `try_from` with the result `R`.
#[derive(Debug)]
pub struct FittedNumber<R>(PhantomData<R>);

impl<R: KernelType> KernelFn for FittedNumber<R> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Fitted(R::ty()))
    }
}

macro_rules! fitted {
    ($($t:ident: $($x:ident)*;)*) => {$($(
        fitted!(@ $t $x, x => <$t as TryFrom<$x>>::try_from(x));
    )*)*};
    // In a kernel, the number has 32 bits.
    (narrow $($t:ident as $word:ident: $($x:ident)*;)*) => {$($(
        fitted!(@ $t $x, x => {
            if running::inside() { $word::try_from(x).map(|x| x as $t) } else { <$t as TryFrom<$x>>::try_from(x) }
        });
    )*)*};
    (@ $t:ident $x:ident, $value:ident => $result:expr) => {
        #[diagnostic::do_not_recommend]
        impl TryFromMethod<$x> for $t {
            type Error = <$t as TryFrom<$x>>::Error;
            type Mark = FittedNumber<Result<$t, <$t as TryFrom<$x>>::Error>>;

            #[inline(always)]
            fn try_from_marked_amp($value: $x) -> Called<Result<$t, Self::Error>, Self::Mark> {
                Called::new($result)
            }
        }
    };
}

fitted! {
    i8: i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    u8: i8 u8 i16 u16 i32 u32 i64 u64 isize usize char;
    i16: i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    u16: i8 u8 i16 u16 i32 u32 i64 u64 isize usize char;
    i32: i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    u32: i8 u8 i16 u16 i32 u32 i64 u64 isize usize char;
    i64: i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    u64: i8 u8 i16 u16 i32 u32 i64 u64 isize usize char;
    isize: i8 u8 i16 u16 i32 isize;
    usize: i8 u8 i16 u16 i32 u32 isize usize;
    char: u8 u32 char;
}

fitted! {
    narrow
    isize as i32: u32 i64 u64 usize;
    usize as u32: i64 u64;
}

/// Errors without parts.
macro_rules! errors {
    ($($t:ident: $zero:expr, $has_values:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KernelType for $t {
            fn ty() -> RustType {
                let name = stringify!($t).to_owned();
                RustType::Struct(Arc::new(StructTy { name, fields: Vec::new(), size: 0, align: 1 }))
            }
        }

        #[diagnostic::do_not_recommend]
        impl KernelValue for $t {
            const HAS_VALUES: bool = $has_values;

            fn leaves(&self, _: &mut Vec<u64>) {}

            fn zero() -> $t {
                $zero
            }

            fn filler() -> RustConstant {
                RustConstant { ty: Self::ty(), leaves: Vec::new(), too_wide: None }
            }
        }

        #[diagnostic::do_not_recommend]
        impl Plain for $t {}

        captured_by_copy! {
            () $t;
        }
    )*};
}

errors! {
    TryFromIntError: failure(u8::try_from(-1)), true;
    TryFromCharError: failure(u8::try_from('\u{100}')), true;
    CharTryFromError: failure(char::try_from(0xd800_u32)), true;
    Infallible: unreachable!("no value has this type"), false;
}

/// The error of a conversion that fails.
fn failure<T, E>(result: Result<T, E>) -> E {
    match result {
        Err(error) => error,
        Ok(_) => unreachable!("the value does not fit"),
    }
}
