//! The width of `usize` and `isize`: Rust gives them the host's width, a kernel 32 bits. Where
//! `native` runs the closure of a kernel, each operator and cast is followed by code that brings
//! its result to the value that it has in a kernel.
//!
//! While a kernel runs, every `usize` and `isize` fits 32 bits: captured ones are checked by the
//! launch, constants and literals when the kernel is built, and results are brought here. So an
//! operator's operands fit, and the low 32 bits of its result are the result of the 32-bit operator.
//! Only shifts need care before: their amount is taken modulo 32. When no kernel runs, an `#[amp]`
//! function is an ordinary Rust function and nothing is changed.

use super::Witness;
use crate::kernel::types::KernelType;
use crate::targets::native::running;

/// What a type is on the host, compared with what it is in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostWidth {
    /// The same.
    Same,
    /// The same, a float: a cast of it saturates.
    Float,
    /// Wider: `usize`, `isize`.
    Wider,
}

/// What a number that does not fit becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrowing {
    /// The low 32 bits.
    Wrap,
    /// The nearest that fits.
    Saturate,
    /// The low 5 bits, of the amount of a shift by 32 bits. Of all integers.
    Amount,
}

/// The number as a kernel has it, if one runs here.
#[inline(always)]
fn narrowed<T: KernelType>(x: T, how: Narrowing) -> T {
    match T::HOST_WIDTH {
        HostWidth::Same | HostWidth::Float => x,
        HostWidth::Wider => x.narrowed(how, running::inside),
    }
}

impl<T> Witness<T> {
    /// The result of an operator.
    #[inline(always)]
    pub fn result(self, x: T) -> T
    where
        T: KernelType,
    {
        narrowed(x, Narrowing::Wrap)
    }

    /// The value of a constant: `usize::MAX` and the other ends are those of 32 bits; others fit.
    #[inline(always)]
    pub fn constant(self, x: T) -> T
    where
        T: KernelType,
    {
        narrowed(x, Narrowing::Saturate)
    }

    /// What a cast from another type gives.
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

/// `usize::BITS` in a closure.
#[inline(always)]
pub fn bits_here<T: KernelType>(bits: u32) -> u32 {
    if running::inside() { bits_in_a_kernel::<T>(bits) } else { bits }
}

/// `usize::BITS` in a kernel.
pub const fn bits_in_a_kernel<T: KernelType>(bits: u32) -> u32 {
    match T::HOST_WIDTH {
        HostWidth::Same | HostWidth::Float => bits,
        HostWidth::Wider => 32,
    }
}
