//! The width of `usize` and `isize`: Rust gives them the host's width, a kernel 32 bits. Where
//! `native` runs the closure of a kernel, each operator and cast, and each `sum`, `product` and `count`,
//! is followed by code that narrows its result to the value that it has in a kernel.
//!
//! While a kernel runs, every `usize` and `isize` fits in 32 bits: the launch checks captured ones,
//! lowering checks constants and literals, and results are narrowed here. So an operator's operands
//! fit, and the low 32 bits of its result are the result of the 32-bit operator. Only the amount of
//! a shift is narrowed before the operator, modulo 32. When no kernel runs, an `#[amp]` function is
//! an ordinary Rust function and nothing is changed.

use std::any::Any;

use super::{Data, HeldValue, RustConstant, RustType, Scalar, Stored, Witness, constant};
use crate::kernel::types::{KernelType, KernelValue as _};
use crate::targets::native::running;

/// The width of a type on the host, compared with that in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostWidth {
    /// The same.
    Same,
    /// The same; a float, from which a cast saturates.
    Float,
    /// Wider: `usize`, `isize`.
    Wider,
}

/// The treatment of a number that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrowing {
    /// The low 32 bits.
    Wrap,
    /// The nearest number that fits.
    Saturate,
    /// The low 5 bits, for the amount of a 32-bit shift. For all integers.
    Amount,
}

/// The number as in a kernel, if a kernel runs here.
#[inline(always)]
pub(super) fn narrowed<T: KernelType>(x: T, how: Narrowing) -> T {
    match T::HOST_WIDTH {
        HostWidth::Same | HostWidth::Float => x,
        HostWidth::Wider => x.narrowed(how, running::inside),
    }
}

/// A type whose constants kernels use.
#[diagnostic::on_unimplemented(
    message = "a constant of the type `{Self}` cannot be used in a kernel",
    label = "not a type of constants in a kernel",
    note = "kernels have constants of numbers, `bool`s, `char`s, indices and extents, short vectors, arrays and tuples of these, and structs and enums with `#[derive(Clone, Copy, AmpStruct)]`; in the place of a slice, `&[i32]`, write an array, `[i32; 3]`; text stands in the format of `print!`"
)]
pub trait ConstantType: Sized {
    /// The type itself. If the trait is missing, rustc reports no other mistake about this.
    type Itself;

    /// The value in a kernel.
    fn in_a_kernel(self) -> Self::Itself;

    /// The same behind a reference.
    fn lent_in_a_kernel(&self) -> &Self::Itself;
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue> ConstantType for T {
    type Itself = T;

    #[inline(always)]
    fn in_a_kernel(self) -> T {
        narrowed(self, Narrowing::Saturate)
    }

    #[inline(always)]
    fn lent_in_a_kernel(&self) -> &T {
        match T::HOST_WIDTH {
            HostWidth::Wider if running::inside() && self.kept().beyond().is_some() => {
                // A limit of `usize` on `native`.
                narrowed(*self, Narrowing::Saturate).for_good()
            }
            HostWidth::Same | HostWidth::Float | HostWidth::Wider => self,
        }
    }
}

/// A constant, whose value is to be data.
#[derive(Debug)]
pub struct ConstantOf<'v, T>(pub &'v T);

impl<T: HeldValue> ConstantOf<'_, T> {
    /// The constant as data.
    pub fn constant_value(self) -> RustConstant {
        constant(&self.0.kept())
    }
}

/// The answer for a type that has no constants in kernels, which [`ConstantType`] reports.
pub trait NoConstant: Sized {
    /// Never used.
    fn constant_value(self) -> RustConstant {
        RustConstant { ty: u32::ty(), leaves: Vec::new(), too_wide: None }
    }
}

impl<T> NoConstant for ConstantOf<'_, T> {}

impl<T> Witness<T> {
    /// The result of an operator.
    #[inline(always)]
    pub fn result(self, x: T) -> T
    where
        T: KernelType,
    {
        narrowed(x, Narrowing::Wrap)
    }

    /// The value of a constant: the limits `usize::MAX`, `isize::MIN` and `isize::MAX` become those
    /// of 32 bits; others fit.
    #[inline(always)]
    pub fn constant(self, x: T) -> T::Itself
    where
        T: ConstantType,
    {
        x.in_a_kernel()
    }

    /// The same of a constant behind `&`.
    #[inline(always)]
    pub fn lent_constant(self, x: &T) -> &T::Itself
    where
        T: ConstantType,
    {
        x.lent_in_a_kernel()
    }

    /// The result of a cast from another type.
    #[inline(always)]
    pub fn cast<F: KernelType>(self, _: Witness<F>, x: T) -> T
    where
        T: KernelType,
    {
        narrowed(x, if F::HOST_WIDTH == HostWidth::Float { Narrowing::Saturate } else { Narrowing::Wrap })
    }

    /// The amount of a shift of a value of this type.
    #[inline(always)]
    pub fn amount<N: KernelType>(self, n: N) -> N
    where
        T: KernelType,
    {
        match T::HOST_WIDTH {
            HostWidth::Same | HostWidth::Float => n,
            HostWidth::Wider => n.narrowed(Narrowing::Amount, running::inside),
        }
    }
}

/// The type of a number without a suffix that is cast to another: that type, if it is of its kind, and else
/// the one that Rust takes.
pub fn literal_under(target: RustType, is_float: bool) -> RustType {
    let fits = match &target {
        RustType::Data(data) => {
            data.width == 1 && (if is_float { data.scalar.is_float() } else { data.scalar.is_integer() })
        }
        RustType::Small(_) => !is_float,
        // The only number that is cast to a character.
        RustType::Char if !is_float => return RustType::Small(Stored::U8),
        _ => false,
    };
    let otherwise = if is_float { Scalar::F64 } else { Scalar::I32 };
    if fits { target } else { RustType::Data(Data { scalar: otherwise, width: 1 }) }
}

/// `T::BITS` in a closure; `wider`: is `T` `usize` or `isize`?
#[inline(always)]
pub fn bits_here<B: Copy + 'static>(wider: bool, bits: B) -> B {
    if wider && running::inside() { bits_in_a_kernel(wider, bits) } else { bits }
}

/// `T::BITS` in a kernel.
pub fn bits_in_a_kernel<B: Copy + 'static>(wider: bool, mut bits: B) -> B {
    if wider && let Some(bits) = (&mut bits as &mut dyn Any).downcast_mut::<u32>() {
        *bits = 32;
    }
    bits
}

/// A type that a kernel may cast to by the name of a primitive type other than `usize` and `isize`:
/// results of such casts are not narrowed.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot cast to `{Self}` by the name of another primitive type",
    label = "this is `{Self}`",
    note = "`{Self}` has another width in a kernel: give the alias a name that no primitive type has"
)]
pub trait SameWidth {}

macro_rules! same_width {
    ($($t:ident)*) => { $(#[diagnostic::do_not_recommend] impl SameWidth for $t {})* };
}

same_width!(bool char i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64);

/// Proves that a type named like a primitive type is not `usize` or `isize`.
#[inline(always)]
pub const fn same_width<T: SameWidth>() {}
