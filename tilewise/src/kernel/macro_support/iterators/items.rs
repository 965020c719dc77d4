//! Items of iterators: what is summed, what an `Option` holds, what is compared.

use std::iter::{Product, Sum};

use super::super::BehindReferences;
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

/// An item that a kernel puts into an `Option`: a value, or a shared reference to one. Nothing changes the target of
/// a shared reference while that lives, so a kernel holds a copy of it.
#[diagnostic::on_unimplemented(
    message = "in a kernel, an `Option` holds no `{Self}`: this method needs values, or references to such",
    label = "a `{Self}` would be in the `Option`",
    note = "to change one of the elements, find its number, `if let Some(k) = a.iter().position(|x| ..) {{ a[k] = y; }}`, or write a loop, `for x in &mut a {{ .. }}`; to change something where there is a value, `if let Some(x) = option {{ w.set(x); }}`"
)]
pub trait ItemOfOption: Sized {
    /// The value, behind its references. If the trait is missing, rustc reports no other mistake about this, as each
    /// type of [`KernelValue`] has an `impl` of its own.
    type Kept: KernelValue;

    /// The value, behind its references.
    fn kept(self) -> Self::Kept;

    /// What is read out of range: of a reference, one to a zero.
    fn held_zero() -> Self;

    /// The same value for as long as the program runs: what `native` refers to if it is no place of the program, as a
    /// zero out of range. Values of most types are kept once.
    #[cold]
    fn for_good<'z>(self) -> &'z Self
    where
        Self: 'z,
    {
        Box::leak(Box::new(self))
    }
}

/// What an `Option` of a kernel holds: a value, or a shared reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in an `Option` of a kernel",
    label = "neither a value of a kernel nor a reference to one"
)]
pub trait HeldValue: KernelType + ItemOfOption + Copy {}

#[diagnostic::do_not_recommend]
impl<T: KernelType + ItemOfOption + Copy> HeldValue for T {}

#[diagnostic::do_not_recommend]
impl<T: HeldValue> ItemOfOption for &T {
    type Kept = T::Kept;

    #[inline(always)]
    fn kept(self) -> T::Kept {
        (*self).kept()
    }

    fn held_zero() -> Self {
        T::held_zero().for_good()
    }
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

            #[inline(always)]
            fn held_zero() -> $t {
                <$t as $crate::kernel::types::KernelValue>::zero()
            }

            fn for_good<'z>(self) -> &'z $t {
                $crate::kernel::macro_support::value_for_good(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> $crate::kernel::macro_support::BehindReferences for $t {}
    )*};
}

pub(crate) use kept_in_options;

kept_in_options! {
    () ();
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue, E: HeldValue> ItemOfOption for Result<T, E> {
    type Kept = Result<T::Kept, E::Kept>;

    #[inline(always)]
    fn kept(self) -> Self::Kept {
        self.map(T::kept).map_err(E::kept)
    }

    fn held_zero() -> Self {
        Ok(T::held_zero())
    }
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue, E: HeldValue> BehindReferences for Result<T, E> {}

#[diagnostic::do_not_recommend]
impl<T: HeldValue> ItemOfOption for Option<T> {
    type Kept = Option<T::Kept>;

    #[inline(always)]
    fn kept(self) -> Self::Kept {
        self.map(T::kept)
    }

    #[inline(always)]
    fn held_zero() -> Self {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue, const N: usize> ItemOfOption for [T; N] {
    type Kept = [T::Kept; N];

    #[inline(always)]
    fn kept(self) -> Self::Kept {
        self.map(T::kept)
    }

    #[inline(always)]
    fn held_zero() -> Self {
        [T::held_zero(); N]
    }
}

#[diagnostic::do_not_recommend]
impl<T: HeldValue> BehindReferences for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: HeldValue, const N: usize> BehindReferences for [T; N] {}

macro_rules! tuples_kept {
    ($(($($t:ident)*);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: HeldValue),*> ItemOfOption for ($($t,)*) {
            type Kept = ($($t::Kept,)*);

            #[inline(always)]
            fn kept(self) -> Self::Kept {
                #[allow(non_snake_case, reason = "a part is named after its type")]
                let ($($t,)*) = self;
                ($($t.kept(),)*)
            }

            #[inline(always)]
            fn held_zero() -> Self {
                ($($t::held_zero(),)*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($t: HeldValue),*> BehindReferences for ($($t,)*) {}
    )*};
}

tuples_kept! {
    (A);
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
}

/// An item that a kernel compares by itself.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `min` and `max` compare integers, `bool`s, `char`s, and tuples and arrays of these, and not `{Self}`s: of floats, write `max_by(|a, b| a.total_cmp(b))`",
    label = "not a number with an order",
    note = "of a type of your own, write `max_by_key(|x| x.field)`; or `max_by(|a, b| a.cmp(b))`, with `#[amp]` on the line before its `#[derive(PartialEq, Eq, PartialOrd, Ord)]`"
)]
pub trait OrderedItem: Ord {
    /// The value, behind its references, as above.
    type Chosen: KernelValue;
}

#[diagnostic::do_not_recommend]
impl<T: OrderedItem> OrderedItem for &T {
    type Chosen = T::Chosen;
}

macro_rules! ordered {
    ($($t:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl OrderedItem for $t {
            type Chosen = $t;
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
        {
            type Chosen = ($($t::Chosen,)*);
        }
    )*};
}

ordered_tuples! {
    (A B);
    (A B C);
    (A B C D);
}

#[diagnostic::do_not_recommend]
impl<T: OrderedItem, const N: usize> OrderedItem for [T; N] {
    type Chosen = [T::Chosen; N];
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
