//! Types that may be used in a kernel, stored in a view, or captured by a kernel.
//!
//! ```
//! use tilewise::types::KernelType;
//! use tilewise::vector::Float4;
//! fn is_usable<T: KernelType>() -> bool {
//!     true
//! }
//! assert!(is_usable::<(bool, [Float4; 2])>());
//! ```

use std::marker::PhantomData;
use std::sync::Arc;

use crate::kernel::macro_support::{
    Data, HeldValue, HostWidth, ItemOfOption, Narrowing, RustConstant, RustType, Stored, StructTy, Witness,
};
use tilewise_ir::types::Scalar as KernelScalar;

/// A type that kernels can use: numbers, `bool`, `usize` (32 bits there), indices and extents,
/// arrays, tuples, short vectors, `AmpStruct`s, views.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used inside a kernel",
    label = "not a kernel type",
    note = "kernels have numbers, `bool`, `char`, indices and extents, arrays and tuples, short vectors, views, and structs with `#[derive(Clone, Copy, AmpStruct)]`; in a generic function, `T: Scalar` is a number, and arrays and structs hold a `T: tilewise::types::KernelValue`; data of the host, in an `Array`, a `Vec` or a slice, is a view: `&ArrayView<'_, f32>`"
)]
pub trait KernelType {
    #[doc(hidden)]
    fn ty() -> RustType;

    /// The type that rustc infers for a witness.
    #[doc(hidden)]
    fn ty_of(_: Witness<Self>) -> RustType {
        Self::ty()
    }

    /// The number of a variant of an enum with fields, of which `is` knows the pattern; 0 for all
    /// other types.
    #[doc(hidden)]
    fn variant(_is: &dyn Fn(&Self) -> bool) -> u32
    where
        Self: Sized,
    {
        0
    }

    /// Whether its width on the host is the same as in a kernel.
    #[doc(hidden)]
    const HOST_WIDTH: HostWidth = HostWidth::Same;

    /// The kernel's value of an integer, if `inside` returns that a kernel is running.
    #[doc(hidden)]
    #[inline(always)]
    fn narrowed(self, _how: Narrowing, _inside: fn() -> bool) -> Self
    where
        Self: Sized,
    {
        self
    }

    /// The amount of a shift behind a reference, as [`Narrowing::Amount`] has it.
    #[doc(hidden)]
    #[inline(always)]
    fn amount_behind(amount: &Self, _inside: fn() -> bool) -> &Self
    where
        Self: Sized,
    {
        amount
    }
}

/// A shared reference: a kernel has a copy of its target, which nothing changes while the reference lives.
#[diagnostic::do_not_recommend]
impl<T: HeldValue> KernelType for &T {
    fn ty() -> RustType {
        T::ty()
    }

    const HOST_WIDTH: HostWidth = T::HOST_WIDTH;

    #[inline(always)]
    fn narrowed(self, how: Narrowing, inside: fn() -> bool) -> Self {
        match how {
            Narrowing::Amount => T::amount_behind(self, inside),
            Narrowing::Wrap | Narrowing::Saturate => self,
        }
    }
}

/// A kernel type that is plain data, so that a value of it can be captured or be a constant.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data, which a kernel needs here",
    label = "not plain data"
)]
pub trait KernelValue: KernelType + ItemOfOption<Kept = Self> + Copy + Send + Sync + 'static {
    /// Has it values? `Infallible`, the error of a conversion that always fits, has none.
    #[doc(hidden)]
    const HAS_VALUES: bool = true;

    /// Its scalars, in order, in the representation of the kernel language.
    #[doc(hidden)]
    fn leaves(&self, out: &mut Vec<u64>);

    /// Zero in every scalar: the value of an out-of-range read.
    #[doc(hidden)]
    fn zero() -> Self;

    /// What stands for a value of this type in a `None`, and in a `Result` that has the other, as the host prints it.
    #[doc(hidden)]
    fn filler() -> RustConstant {
        Self::zero().on_the_host()
    }

    /// A `usize` or `isize` in it that does not fit the 32 bits that it has in a kernel.
    #[doc(hidden)]
    fn beyond(&self) -> Option<i128> {
        None
    }

    /// The value as it is printed on the host, where `usize` and `isize` have more than 32 bits.
    #[doc(hidden)]
    fn on_the_host(&self) -> RustConstant {
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        RustConstant { ty: Self::ty(), leaves, too_wide: None }
    }

    /// For a `usize` or `isize`, replaces the largest and smallest value by those of 32 bits.
    #[doc(hidden)]
    fn end_in_a_kernel(self) -> Self {
        self
    }
}

/// A value without parts, as a struct without fields is.
#[diagnostic::do_not_recommend]
impl<T: ?Sized> KernelType for PhantomData<T> {
    fn ty() -> RustType {
        let name = "PhantomData".to_owned();
        RustType::Struct(Arc::new(StructTy { name, fields: Vec::new(), size: 0, align: 1 }))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized + Send + Sync + 'static> KernelValue for PhantomData<T> {
    fn leaves(&self, _: &mut Vec<u64>) {}

    fn zero() -> Self {
        PhantomData
    }
}

/// The type of a scalar.
const fn data(scalar: KernelScalar) -> RustType {
    RustType::Data(Data { scalar, width: 1 })
}

macro_rules! numbers {
    ($($t:ident $scalar:ident $x:ident => $bits:expr, {$($in_type:tt)*} {$($in_value:tt)*};)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KernelType for $t {
            fn ty() -> RustType {
                data(KernelScalar::$scalar)
            }

            $($in_type)*
        }

        #[diagnostic::do_not_recommend]
        impl KernelValue for $t {
            fn leaves(&self, out: &mut Vec<u64>) {
                let $x = *self;
                out.push($bits);
            }

            fn zero() -> $t {
                $t::default()
            }

            $($in_value)*
        }
    )*};
}

/// For an integer behind a reference as the amount of a shift of 32 bits, the bits that apply.
macro_rules! amount_behind {
    () => {
        #[inline(always)]
        fn amount_behind(amount: &Self, inside: fn() -> bool) -> &Self {
            let amounts = const {
                let mut amounts = [0 as Self; 32];
                let mut at = 0;
                while at < 32 {
                    amounts[at] = at as Self;
                    at += 1;
                }
                &{ amounts }
            };
            if (0..32).contains(amount) || !inside() { amount } else { &amounts[(*amount & 31) as usize] }
        }
    };
}

/// For an integer as the amount of a shift of 32 bits, the bits that apply.
macro_rules! amount {
    () => {
        #[inline(always)]
        fn narrowed(self, how: Narrowing, inside: fn() -> bool) -> Self {
            if how == Narrowing::Amount && !(0..32).contains(&self) && inside() { self & 31 } else { self }
        }

        amount_behind!();
    };
}

numbers! {
    bool Bool x => u64::from(x), {} {};
    i32 I32 x => u64::from(x as u32), {amount!();} {};
    u32 U32 x => u64::from(x), {amount!();} {};
    i64 I64 x => x as u64, {amount!();} {};
    u64 U64 x => x, {amount!();} {};
    f32 F32 x => u64::from(x.to_bits()), {
        const HOST_WIDTH: HostWidth = HostWidth::Float;
    } {};
    f64 F64 x => x.to_bits(), {
        const HOST_WIDTH: HostWidth = HostWidth::Float;
    } {};
}

/// `usize` and `isize`, 32 bits wide in a kernel.
macro_rules! host_numbers {
    ($($t:ident is $word:ident, $scalar:ident, on the host $wide:ident;)*) => {
        numbers! {$(
            $t $scalar x => u64::from(x as u32), {
                const HOST_WIDTH: HostWidth = HostWidth::Wider;

                #[inline(always)]
                fn narrowed(self, how: Narrowing, inside: fn() -> bool) -> $t {
                    let fits = match how {
                        Narrowing::Wrap | Narrowing::Saturate => $word::try_from(self).is_ok(),
                        Narrowing::Amount => (0..32).contains(&self),
                    };
                    if fits || !inside() {
                        return self;
                    }
                    match how {
                        Narrowing::Wrap => self as $word as $t,
                        Narrowing::Saturate => self.clamp($word::MIN as $t, $word::MAX as $t),
                        Narrowing::Amount => self & 31,
                    }
                }

                amount_behind!();
            } {
                fn beyond(&self) -> Option<i128> {
                    $word::try_from(*self).is_err().then_some(*self as i128)
                }

                fn on_the_host(&self) -> RustConstant {
                    RustConstant { ty: data(KernelScalar::$wide), leaves: vec![*self as u64], too_wide: None }
                }

                fn end_in_a_kernel(self) -> $t {
                    match self {
                        $t::MIN => $word::MIN as $t,
                        $t::MAX => $word::MAX as $t,
                        other => other,
                    }
                }
            };
        )*}
    };
}

host_numbers! {
    usize is u32, U32, on the host U64;
    isize is i32, I32, on the host I64;
}

macro_rules! small {
    ($($t:ident $stored:ident $wide:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KernelType for $t {
            fn ty() -> RustType {
                RustType::Small(Stored::$stored)
            }

            amount!();
        }

        #[diagnostic::do_not_recommend]
        impl KernelValue for $t {
            fn leaves(&self, out: &mut Vec<u64>) {
                out.push(u64::from($wide::from(*self) as u32));
            }

            fn zero() -> $t {
                0
            }
        }
    )*};
}

#[diagnostic::do_not_recommend]
impl KernelType for char {
    fn ty() -> RustType {
        RustType::Char
    }
}

#[diagnostic::do_not_recommend]
impl KernelValue for char {
    fn leaves(&self, out: &mut Vec<u64>) {
        out.push(u64::from(u32::from(*self)));
    }

    fn zero() -> char {
        '\0'
    }
}

small! {
    i8 I8 i32;
    u8 U8 u32;
    i16 I16 i32;
    u16 U16 u32;
}

#[diagnostic::do_not_recommend]
impl KernelType for () {
    fn ty() -> RustType {
        RustType::Unit
    }
}

#[diagnostic::do_not_recommend]
impl KernelValue for () {
    fn leaves(&self, _: &mut Vec<u64>) {}

    fn zero() {}
}

#[diagnostic::do_not_recommend]
impl<T: KernelType, const N: usize> KernelType for [T; N] {
    fn ty() -> RustType {
        let length = const { in_32_bits(N, "an array in a kernel has at most 4294967295 elements") };
        RustType::Array(Arc::new(T::ty()), length)
    }
}

/// A length or a size of Rust, which has 32 bits in the language of kernels. For constants: what is larger does not
/// compile.
///
/// ```compile_fail,E0080
/// use tilewise::{ArrayView, parallel_for_each};
/// let view = ArrayView::from_vec(1, vec![0u32])?;
/// parallel_for_each!(view.extent(), |i| {
///     let many = [0u8; 4294967300];
///     view[i] = many[4] as u32;
/// })?;
/// # Ok::<(), tilewise::Error>(())
/// ```
///
/// ```compile_fail,E0080
/// use tilewise::{AmpStruct, ArrayView, parallel_for_each};
/// #[derive(Clone, Copy, AmpStruct)]
/// struct Large {
///     numbers: [u32; 1 << 30],
/// }
/// let view = ArrayView::<Large>::without_source(1)?;
/// parallel_for_each!(view.extent(), |i| view[i].numbers[5] = 1)?;
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(hidden)]
pub const fn in_32_bits(count: usize, otherwise: &str) -> u32 {
    if count as u64 > u32::MAX as u64 {
        panic!("{}", otherwise);
    }
    count as u32
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, const N: usize> KernelValue for [T; N] {
    fn leaves(&self, out: &mut Vec<u64>) {
        for item in self {
            item.leaves(out);
        }
    }

    fn beyond(&self) -> Option<i128> {
        self.iter().find_map(T::beyond)
    }

    fn on_the_host(&self) -> RustConstant {
        let element = self.first().map_or_else(T::ty, |first| first.on_the_host().ty);
        let leaves = self.iter().flat_map(|item| item.on_the_host().leaves).collect();
        let length = const { in_32_bits(N, "an array in a kernel has at most 4294967295 elements") };
        RustConstant { ty: RustType::Array(Arc::new(element), length), leaves, too_wide: None }
    }

    fn zero() -> [T; N] {
        [T::zero(); N]
    }

    fn end_in_a_kernel(self) -> [T; N] {
        self.map(T::end_in_a_kernel)
    }
}

macro_rules! tuples {
    ($(($($t:ident)*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: KernelType),*> KernelType for ($($t,)*) {
            fn ty() -> RustType {
                RustType::Tuple(vec![$($t::ty()),*])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($t: KernelValue),*> KernelValue for ($($t,)*) {
            fn leaves(&self, out: &mut Vec<u64>) {
                #[allow(non_snake_case, reason = "a part is named after its type")]
                let ($($t,)*) = self;
                $($t.leaves(out);)*
            }

            fn beyond(&self) -> Option<i128> {
                #[allow(non_snake_case, reason = "a part is named after its type")]
                let ($($t,)*) = self;
                None$(.or_else(|| $t.beyond()))*
            }

            fn on_the_host(&self) -> RustConstant {
                #[allow(non_snake_case, reason = "a part is named after its type")]
                let ($($t,)*) = self;
                let (mut types, mut leaves) = (Vec::new(), Vec::new());
                $(
                    let part = $t.on_the_host();
                    types.push(part.ty);
                    leaves.extend(part.leaves);
                )*
                RustConstant { ty: RustType::Tuple(types), leaves, too_wide: None }
            }

            fn zero() -> Self {
                ($($t::zero(),)*)
            }

            fn end_in_a_kernel(self) -> Self {
                #[allow(non_snake_case, reason = "a part is named after its type")]
                let ($($t,)*) = self;
                ($($t.end_in_a_kernel(),)*)
            }
        }
    )*};
}

tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F)(A B C D E F G)(A B C D E F G H));
