//! Companions of functions without a receiver: `f32::from_bits`, `f64::from`, and `default` of any
//! type.

use std::marker::PhantomData;
use std::panic::catch_unwind;

use crate::kernel::macro_support::{Called, Form, KernelFn, Op, RustBuiltin, constant, name_of};
use crate::kernel::types::{KernelType, KernelValue};
use crate::user_code::drop_payload;

/// A float from its bits.
pub trait FromBitsMethod: Sized {
    /// The unsigned integer of the same width.
    type Pattern;
    /// The companion of `from_bits`.
    fn from_bits_marked_amp(bits: Self::Pattern) -> Called<Self, FromBits<Self>>;
}

/// `T::from_bits`
#[derive(Debug)]
pub struct FromBits<T>(PhantomData<T>);

/// A number from another one, without loss; also the result of an `#[amp] impl From`.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from` does not take `{X}` in a kernel",
    label = "no conversion without loss",
    note = "where numbers may be lost or rounded, write `x as {Self}`; for a type of your own, write `#[amp]` on its `impl From<{X}>`"
)]
pub trait FromMethod<X>: Sized {
    /// Stands for the conversion.
    type Mark;
    /// The companion of `from`.
    fn from_marked_amp(x: X) -> Called<Self, Self::Mark>;
}

/// `T::from`, of a number
#[derive(Debug)]
pub struct From<T>(PhantomData<T>);

/// The companion of `default` for each type that has a `Default`, also a derived one: its value is a
/// constant, for which the host calls the function when the kernel is made. A type with an
/// `#[amp] impl Default` has an inherent companion, which goes before this one.
pub trait DefaultMethod: Sized {
    /// The companion of `default`.
    fn default_marked_amp() -> Called<Self, Default<Self>>;
}

/// `T::default`, as a constant
#[derive(Debug)]
pub struct Default<T>(PhantomData<T>);

#[diagnostic::do_not_recommend]
impl<T: std::default::Default + KernelValue> DefaultMethod for T {
    #[inline(always)]
    fn default_marked_amp() -> Called<T, Default<T>> {
        Called::new(T::default())
    }
}

impl<T: std::default::Default + KernelValue> KernelFn for Default<T> {
    fn form() -> Form {
        Form::Builtin(Self::value())
    }
}

impl<T: std::default::Default + KernelValue> Default<T> {
    /// The value as a constant.
    pub(crate) fn value() -> RustBuiltin {
        match catch_unwind(|| constant(&T::default())) {
            Ok(value) => RustBuiltin::Value(value),
            Err(payload) => {
                drop_payload(payload);
                RustBuiltin::NoDefault(name_of::<T>())
            }
        }
    }
}

macro_rules! from_bits {
    ($($t:ident $pattern:ident $op:ident;)*) => {$(
        impl FromBitsMethod for $t {
            type Pattern = $pattern;

            #[inline(always)]
            fn from_bits_marked_amp(bits: $pattern) -> Called<$t, FromBits<$t>> {
                Called::new($t::from_bits(bits))
            }
        }

        impl KernelFn for FromBits<$t> {
            fn form() -> Form {
                Form::Builtin(RustBuiltin::Op(Op::$op))
            }
        }
    )*};
}

from_bits! {
    f32 u32 BitcastF32;
    f64 u64 BitcastF64;
}

macro_rules! from {
    ($($t:ident $op:ident: $($x:ident)*;)*) => {$(
        $(
            #[diagnostic::do_not_recommend]
            impl FromMethod<$x> for $t {
                type Mark = From<$t>;

                #[inline(always)]
                fn from_marked_amp(x: $x) -> Called<$t, From<$t>> {
                    Called::new(<$t as std::convert::From<$x>>::from(x))
                }
            }
        )*

        impl KernelFn for From<$t> {
            fn form() -> Form {
                Form::Builtin(RustBuiltin::Op(Op::$op))
            }
        }
    )*};
}

from! {
    i32 ToI32: bool i8 u8 i16 u16 i32;
    u32 ToU32: bool char u8 u16 u32;
    i64 ToI64: bool i8 u8 i16 u16 i32 u32 i64;
    u64 ToU64: bool char u8 u16 u32 u64;
    f32 ToF32: bool i8 u8 i16 u16 f32;
    f64 ToF64: bool i8 u8 i16 u16 i32 u32 f32 f64;
    usize ToU32: bool u8 u16 usize;
    isize ToI32: bool i8 u8 i16 isize;
}

/// To the integers of 8 and 16 bits, and to characters.
macro_rules! from_small {
    ($($t:ident: $($x:ident)*;)*) => {$(
        $(
            #[diagnostic::do_not_recommend]
            impl FromMethod<$x> for $t {
                type Mark = From<$t>;

                #[inline(always)]
                fn from_marked_amp(x: $x) -> Called<$t, From<$t>> {
                    Called::new(<$t as std::convert::From<$x>>::from(x))
                }
            }
        )*

        impl KernelFn for From<$t> {
            fn form() -> Form {
                Form::Builtin(RustBuiltin::Cast(<$t as KernelType>::ty()))
            }
        }
    )*};
}

from_small! {
    i8: bool i8;
    u8: bool u8;
    i16: bool i8 u8 i16;
    u16: bool u8 u16;
    char: u8 char;
}
