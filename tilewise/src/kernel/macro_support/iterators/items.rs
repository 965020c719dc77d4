//! Items of iterators: what is summed, what an `Option` holds, what is compared.

use std::iter::{Product, Sum};

use super::super::op::Plain;
use crate::kernel::types::{KernelType, KernelValue};

/// A number that `sum` of a kernel gives for items of the type `I`.
#[diagnostic::on_unimplemented(
    message = "in a kernel, no `{Self}` is the sum of `{I}`s",
    label = "not a sum of numbers",
    note = "write `fold(start, |sum, x| sum + x)`"
)]
pub trait SummedNumber<I>: KernelType + Sum<I> {}

#[diagnostic::do_not_recommend]
impl<I, T: KernelType + Plain + Sum<I>> SummedNumber<I> for T {}

/// A number that `product` of a kernel gives for items of the type `I`.
#[diagnostic::on_unimplemented(
    message = "in a kernel, no `{Self}` is the product of `{I}`s",
    label = "not a product of numbers",
    note = "write `fold(start, |product, x| product * x)`"
)]
pub trait MultipliedNumber<I>: KernelType + Product<I> {}

#[diagnostic::do_not_recommend]
impl<I, T: KernelType + Plain + Product<I>> MultipliedNumber<I> for T {}

/// An item that a kernel puts into an `Option`.
#[diagnostic::on_unimplemented(
    message = "in a kernel, an `Option` holds no reference: this method needs values",
    label = "an item of this iterator is a `{Self}`",
    note = "write `.copied()` before it: `a.iter().copied().max()`; or take the value, `a.iter().max().copied()`, `Some(&x)`"
)]
pub trait ItemOfOption: Sized {
    /// The item itself. If the trait is missing, rustc reports no other mistake about this, as each type of
    /// [`KernelValue`] has an `impl` of its own.
    type Kept: KernelValue;

    /// The item itself.
    fn kept(self) -> Self::Kept;
}

/// The `impl`s of types that are captured by copying.
macro_rules! kept_in_options {
    ($(($($generics:tt)*) $t:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> $crate::kernel::macro_support::ItemOfOption for $t {
            type Kept = $t;

            #[inline(always)]
            fn kept(self) -> $t {
                self
            }
        }
    )*};
}

pub(crate) use kept_in_options;

kept_in_options! {
    () ();
    (T: KernelValue) Option<T>;
    (T: KernelValue, E: KernelValue) Result<T, E>;
    (A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue, F: KernelValue, G: KernelValue)
        (A, B, C, D, E, F, G);
    (
        A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue, F: KernelValue, G: KernelValue,
        H: KernelValue
    ) (A, B, C, D, E, F, G, H);
}

/// An item that a kernel compares by itself.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `min` and `max` compare integers, `bool`s, `char`s, and tuples and arrays of these, and not `{Self}`s: write `.copied()` before them, or of floats `max_by(|a, b| a.total_cmp(b))`",
    label = "not a number with an order"
)]
pub trait OrderedItem: Ord {
    /// The item itself, as above.
    type Chosen: KernelValue;

    /// The item itself.
    fn chosen(self) -> Self::Chosen;
}

macro_rules! ordered {
    ($($t:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl OrderedItem for $t {
            type Chosen = $t;

            #[inline(always)]
            fn chosen(self) -> $t {
                self
            }
        }
    )*};
}

ordered!(bool char i8 u8 i16 u16 i32 u32 i64 u64 usize isize);

/// An item as an `Option` has it.
pub(super) type KeptItem<I> = <I as ItemOfOption>::Kept;
/// The one of several items that is chosen.
pub(super) type ChosenItem<I> = <I as OrderedItem>::Chosen;

macro_rules! ordered_tuples {
    ($(($($t:ident)*);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: OrderedItem),*> OrderedItem for ($($t,)*)
        where
            ($($t,)*): KernelValue,
        {
            type Chosen = ($($t,)*);

            #[inline(always)]
            fn chosen(self) -> ($($t,)*) {
                self
            }
        }
    )*};
}

ordered_tuples! {
    (A B);
    (A B C);
    (A B C D);
}

#[diagnostic::do_not_recommend]
impl<T: OrderedItem, const N: usize> OrderedItem for [T; N]
where
    [T; N]: KernelValue,
{
    type Chosen = [T; N];

    #[inline(always)]
    fn chosen(self) -> [T; N] {
        self
    }
}

/// What the function of `try_fold` gives in a kernel.
#[diagnostic::on_unimplemented(
    message = "in a kernel, the function of `try_fold` gives an `Option` or a `Result`, and not a `{Self}`",
    label = "neither an `Option` nor a `Result`"
)]
pub trait TriedValue: KernelValue {
    /// The value in it.
    type Value;

    /// The value, if it has one.
    fn tried(self) -> Option<Self::Value>;

    /// With this value.
    fn of_value(value: Self::Value) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue> TriedValue for Option<T> {
    type Value = T;

    #[inline(always)]
    fn tried(self) -> Option<T> {
        self
    }

    #[inline(always)]
    fn of_value(value: T) -> Self {
        Some(value)
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelValue, E: KernelValue> TriedValue for Result<T, E> {
    type Value = T;

    #[inline(always)]
    fn tried(self) -> Option<T> {
        self.ok()
    }

    #[inline(always)]
    fn of_value(value: T) -> Self {
        Ok(value)
    }
}
