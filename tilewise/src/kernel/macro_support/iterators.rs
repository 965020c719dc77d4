//! Iterators over local arrays and ranges: the companions of their methods.
//!
//! In the closure, the iterators are those of the standard library. A companion calls the method of its name, and
//! marks the result with what the lowering has to know: the method, and what its receiver is, as
//! [`IteratedSource`] tells it by the type.

use std::array;
use std::iter::{
    Chain, Cloned, Copied, Enumerate, Filter, FilterMap, Inspect, Map, MapWhile, Product, Rev, Skip, SkipWhile, StepBy,
    Sum, Take, TakeWhile, Zip,
};
use std::marker::PhantomData;
use std::ops::{Range, RangeFrom, RangeInclusive};
use std::slice;

pub use tilewise_lower::{SequenceCall, SequenceMethod, SequenceSource};

use super::op::Plain;
use super::{Called, Form, KernelFn, LinkedCall, RustBuiltin, RustType};
use crate::kernel::numbers::Absent;
use crate::kernel::types::{KernelType, KernelValue};
use crate::targets::native::running;

/// What a kernel iterates over.
#[diagnostic::on_unimplemented(
    message = "kernels do not have an iterator over a `{Self}`",
    label = "neither an array nor a range",
    note = "iterators go over local arrays, `a.iter()`, and over ranges, `0..n`: the elements of a view are `view[i]`"
)]
pub trait IteratedSource {
    /// Which of them it is. (A type without the iterator's own, whose lifetimes a link must not have.)
    type Kind: SourceKind;
    /// May it give so many items that the launch should be able to end in between? Those of ranges, and what is made
    /// of them; the arrays of a kernel are short.
    const MAY_BE_LONG: bool;
}

/// An item of an iterator comes: leaves the closure if the launch is over.
#[inline(always)]
fn polled<I: IteratedSource>() {
    if I::MAY_BE_LONG {
        super::iteration();
    }
}

/// What is iterated over, as a type.
pub trait SourceKind {
    /// The same as data.
    const SOURCE: SequenceSource;
}

macro_rules! kinds {
    ($($name:ident)*) => {$(
        #[doc = concat!("`SequenceSource::", stringify!($name), "`")]
        #[derive(Debug)]
        pub enum $name {}

        impl super::SourceKind for $name {
            const SOURCE: super::SequenceSource = super::SequenceSource::$name;
        }
    )*};
}

/// What is iterated over, as types.
pub mod kinds {
    kinds!(Made Values Shared Exclusive Range RangeInclusive RangeFrom);
}

/// A type that a `for` of a kernel goes over.
#[diagnostic::on_unimplemented(
    message = "`for` in a kernel does not go over a `{Self}`",
    label = "neither a range nor an array nor an iterator over one",
    note = "it goes over ranges, `for i in 0..n`, and over local arrays: the elements of a view are `view[i]`"
)]
pub trait LoopedOver: Sized {
    /// The type itself. If the trait is missing, rustc reports no other mistake about this.
    type Items: IntoIterator;
    /// What it is.
    type Source: KernelFn;

    /// Itself.
    fn items(self) -> Self::Items;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator + IteratedSource> LoopedOver for I {
    type Items = I;
    type Source = IteratorOf<I::Kind>;

    #[inline(always)]
    fn items(self) -> I {
        self
    }
}

impl<M> LinkedCall<M> {
    /// Takes what a loop goes over, and returns it.
    #[inline(always)]
    pub fn items<I>(self, items: I) -> I::Items
    where
        I: LoopedOver<Source = M>,
    {
        items.items()
    }
}

const fn of_method(
    method: SequenceMethod,
    receiver: SequenceSource,
    argument: Option<SequenceSource>,
    result: Option<RustType>,
) -> Form {
    Form::Builtin(RustBuiltin::Sequence(SequenceCall { method, receiver, argument, result, key: None }))
}

macro_rules! sources {
    ($([$($generics:tt)*] $t:ty => $source:ident, $long:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IteratedSource for $t {
            type Kind = kinds::$source;
            const MAY_BE_LONG: bool = $long;
        }
    )*};
}

sources! {
    [T, const N: usize] [T; N] => Values, false;
    [T, const N: usize] &[T; N] => Shared, false;
    [T, const N: usize] &mut [T; N] => Exclusive, false;
    [T] Range<T> => Range, true;
    [T] RangeInclusive<T> => RangeInclusive, true;
    [T] RangeFrom<T> => RangeFrom, true;
    [T] slice::Iter<'_, T> => Made, false;
    [T] slice::IterMut<'_, T> => Made, false;
    [T, const N: usize] array::IntoIter<T, N> => Made, false;
    [A: IteratedSource, B: IteratedSource] Chain<A, B> => Made, A::MAY_BE_LONG || B::MAY_BE_LONG;
    [I: IteratedSource] Cloned<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Copied<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Enumerate<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Filter<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] FilterMap<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Inspect<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] Map<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] MapWhile<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Rev<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Skip<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] SkipWhile<I, F> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] StepBy<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource] Take<I> => Made, I::MAY_BE_LONG;
    [I: IteratedSource, F] TakeWhile<I, F> => Made, I::MAY_BE_LONG;
    [A: IteratedSource, B: IteratedSource] Zip<A, B> => Made, A::MAY_BE_LONG && B::MAY_BE_LONG;
}

/// What makes an iterator of something of this kind.
#[derive(Debug)]
pub struct IteratorOf<I>(PhantomData<I>);

impl<I: SourceKind> KernelFn for IteratorOf<I> {
    fn form() -> Form {
        of_method(SequenceMethod::Itself, I::SOURCE, None, None)
    }
}

/// The companions of what makes an iterator of an array by reference.
pub trait ArrayIterators {
    /// The type of an element.
    type Element;

    /// The companion of `iter`.
    fn iter_marked_amp(&self) -> Called<slice::Iter<'_, Self::Element>, IteratorOf<kinds::Shared>>;

    /// The companion of `iter_mut`.
    fn iter_mut_marked_amp(&mut self) -> Called<slice::IterMut<'_, Self::Element>, IteratorOf<kinds::Exclusive>>;
}

impl<T, const N: usize> ArrayIterators for [T; N] {
    type Element = T;

    #[inline(always)]
    fn iter_marked_amp(&self) -> Called<slice::Iter<'_, T>, IteratorOf<kinds::Shared>> {
        Called::new(self.iter())
    }

    #[inline(always)]
    fn iter_mut_marked_amp(&mut self) -> Called<slice::IterMut<'_, T>, IteratorOf<kinds::Exclusive>> {
        Called::new(self.iter_mut())
    }
}

/// The companion of `into_iter`.
pub trait IntoIterMethod: IntoIterator + IteratedSource + Sized {
    /// The companion.
    #[inline(always)]
    fn into_iter_marked_amp(self) -> Called<Self::IntoIter, IteratorOf<Self::Kind>> {
        Called::new(self.into_iter())
    }
}

impl<I: IntoIterator + IteratedSource> IntoIterMethod for I {}

/// A method of iterators, as a type.
pub trait SequenceMark {
    /// The method.
    const METHOD: SequenceMethod;
}

/// The method `M` of an iterator of the kind `I`, which makes another one, or has a result whose type needs no name.
#[derive(Debug)]
pub struct Adapted<M, I>(PhantomData<(M, I)>);

impl<M: SequenceMark, I: SourceKind> KernelFn for Adapted<M, I> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, None, None)
    }
}

/// The method `M` of an iterator of the kind `I` with another one, which makes a third.
#[derive(Debug)]
pub struct AdaptedWith<M, I, U>(PhantomData<(M, I, U)>);

impl<M: SequenceMark, I: SourceKind, U: SourceKind> KernelFn for AdaptedWith<M, I, U> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, Some(U::SOURCE), None)
    }
}

/// The method `M` of an iterator of the kind `I` whose result has this type.
#[derive(Debug)]
pub struct Gathered<M, I, R>(PhantomData<(M, I, R)>);

impl<M: SequenceMark, I: SourceKind, R: KernelType> KernelFn for Gathered<M, I, R> {
    fn form() -> Form {
        of_method(M::METHOD, I::SOURCE, None, Some(R::ty()))
    }
}

/// The method `M` of an iterator of the kind `I` whose result has the type `R`, by keys of the type `K`.
#[derive(Debug)]
pub struct GatheredByKey<M, I, R, K>(PhantomData<(M, I, R, K)>);

impl<M: SequenceMark, I: SourceKind, R: KernelType, K: KernelType> KernelFn for GatheredByKey<M, I, R, K> {
    fn form() -> Form {
        let result = Some(R::ty());
        let call = SequenceCall { method: M::METHOD, receiver: I::SOURCE, argument: None, result, key: Some(K::ty()) };
        Form::Builtin(RustBuiltin::Sequence(call))
    }
}

macro_rules! marks {
    ($($name:ident)*) => {$(
        #[doc = concat!("`SequenceMethod::", stringify!($name), "`")]
        #[derive(Debug)]
        pub enum $name {}

        impl super::SequenceMark for $name {
            const METHOD: super::SequenceMethod = super::SequenceMethod::$name;
        }
    )*};
}

/// The methods of iterators, as types.
pub mod marks {
    marks! {
        Rev Skip Take StepBy PartFrom PartTo PartBetween Enumerate Copied Map Filter FilterMap TakeWhile SkipWhile MapWhile Inspect Chain Zip
        ForEach Count Len Sum Product Fold Reduce Min Max MinByKey MaxByKey MinBy MaxBy Any All Position Find FindMap Last Nth
    }
}

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
    note = "write `.copied()` before it: `a.iter().copied().max()`"
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
    (T: KernelValue) Option<T>;
    (A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue, F: KernelValue, G: KernelValue)
        (A, B, C, D, E, F, G);
    (
        A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue, F: KernelValue, G: KernelValue,
        H: KernelValue
    ) (A, B, C, D, E, F, G, H);
}

/// An item that a kernel compares by itself.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `min` and `max` compare integers, `bool`s, `char`s and tuples of these, and not `{Self}`s: write `.copied()` before them, or of floats `max_by(|a, b| a.total_cmp(b))`",
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
type KeptItem<I> = <I as ItemOfOption>::Kept;
/// The one of several items that is chosen.
type ChosenItem<I> = <I as OrderedItem>::Chosen;

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

/// Never implemented.
#[diagnostic::on_unimplemented(
    message = "kernels do not have this method of an iterator",
    label = "not a method in kernels",
    note = "write a loop, `for x in &a {{ .. }}`; docs/kernels.md lists the methods of iterators that there are"
)]
pub trait MissingOfIterators {
    /// What the method gives: of a missing trait's type, rustc reports nothing more.
    type Nothing;
}

macro_rules! methods {
    ($($companion:ident $name:ident $mark:ident ($($arg:ident: $ty:ty),*) $([$($generics:tt)*])? -> $result:ty
        $(where [$($bounds:tt)*])?;)*) => {
        /// The companions of the methods of iterators.
        pub trait IteratorMethods: Iterator + IteratedSource + Sized {$(
            #[doc = concat!("The companion of `", stringify!($name), "`.")]
            #[inline(always)]
            fn $companion<$($($generics)*)?>(self, $($arg: $ty),*) -> Called<$result, Adapted<marks::$mark, Self::Kind>>
            $(where $($bounds)*)?
            {
                Called::new(self.$name($($arg),*))
            }
        )*

            /// The companion of `zip`.
            #[inline(always)]
            fn zip_marked_amp<U: IntoIterator + IteratedSource>(
                self,
                other: U,
            ) -> Called<Zip<Self, U::IntoIter>, AdaptedWith<marks::Zip, Self::Kind, U::Kind>> {
                Called::new(self.zip(other))
            }

            /// The companion of `chain`.
            #[inline(always)]
            fn chain_marked_amp<U: IntoIterator<Item = Self::Item> + IteratedSource>(
                self,
                other: U,
            ) -> Called<Chain<Self, U::IntoIter>, AdaptedWith<marks::Chain, Self::Kind, U::Kind>> {
                Called::new(self.chain(other))
            }

            /// The companion of `sum`.
            #[inline(always)]
            fn sum_marked_amp<S: SummedNumber<Self::Item>>(self) -> Called<S, Gathered<marks::Sum, Self::Kind, S>> {
                Called::new(self.inspect(|_| polled::<Self>()).sum())
            }

            /// The companion of `product`.
            #[inline(always)]
            fn product_marked_amp<S: MultipliedNumber<Self::Item>>(
                self,
            ) -> Called<S, Gathered<marks::Product, Self::Kind, S>> {
                Called::new(self.inspect(|_| polled::<Self>()).product())
            }

            /// The companion of `filter`.
            #[inline(always)]
            fn filter_marked_amp<F: FnMut(&Self::Item) -> bool>(
                self,
                mut f: F,
            ) -> Called<Filter<Self, impl FnMut(&Self::Item) -> bool>, Adapted<marks::Filter, Self::Kind>> {
                Called::new(self.filter(move |item: &Self::Item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `filter_map`.
            #[inline(always)]
            fn filter_map_marked_amp<B: ItemOfOption, F: FnMut(Self::Item) -> Option<B>>(
                self,
                mut f: F,
            ) -> Called<FilterMap<Self, impl FnMut(Self::Item) -> Option<B>>, Adapted<marks::FilterMap, Self::Kind>>
            {
                Called::new(self.filter_map(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `skip_while`.
            #[inline(always)]
            fn skip_while_marked_amp<F: FnMut(&Self::Item) -> bool>(
                self,
                mut f: F,
            ) -> Called<SkipWhile<Self, impl FnMut(&Self::Item) -> bool>, Adapted<marks::SkipWhile, Self::Kind>> {
                Called::new(self.skip_while(move |item: &Self::Item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `for_each`.
            #[inline(always)]
            fn for_each_marked_amp<F: FnMut(Self::Item)>(
                self,
                mut f: F,
            ) -> Called<(), Adapted<marks::ForEach, Self::Kind>> {
                self.for_each(move |item| {
                    polled::<Self>();
                    f(item);
                });
                Called::new(())
            }

            /// The companion of `count`.
            #[inline(always)]
            fn count_marked_amp(self) -> Called<usize, Adapted<marks::Count, Self::Kind>> {
                // Where the number of items is known, the library need not ask for each.
                let is_known = matches!(self.size_hint(), (low, Some(high)) if low == high);
                let count = match Self::MAY_BE_LONG && !is_known {
                    true => self.inspect(|_| polled::<Self>()).count(),
                    false => self.count(),
                };
                Called::new(count)
            }

            /// The companion of `fold`.
            #[inline(always)]
            fn fold_marked_amp<B, F: FnMut(B, Self::Item) -> B>(
                self,
                start: B,
                mut f: F,
            ) -> Called<B, Adapted<marks::Fold, Self::Kind>> {
                Called::new(self.fold(start, move |before, item| {
                    polled::<Self>();
                    f(before, item)
                }))
            }

            /// The companion of `reduce`.
            #[inline(always)]
            fn reduce_marked_amp<F: FnMut(Self::Item, Self::Item) -> Self::Item>(
                self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::Reduce, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.reduce(move |before, item| {
                    polled::<Self>();
                    f(before, item)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `min`.
            #[inline(always)]
            fn min_marked_amp(self) -> Called<Option<ChosenItem<Self::Item>>, Gathered<marks::Min, Self::Kind, Option<ChosenItem<Self::Item>>>>
            where
                Self::Item: OrderedItem,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).min().map(OrderedItem::chosen))
                    }
                    _ => Called::new(self.min().map(OrderedItem::chosen)),
                }
            }

            /// The companion of `max`.
            #[inline(always)]
            fn max_marked_amp(self) -> Called<Option<ChosenItem<Self::Item>>, Gathered<marks::Max, Self::Kind, Option<ChosenItem<Self::Item>>>>
            where
                Self::Item: OrderedItem,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).max().map(OrderedItem::chosen))
                    }
                    _ => Called::new(self.max().map(OrderedItem::chosen)),
                }
            }

            /// The companion of `min_by_key`.
            #[inline(always)]
            fn min_by_key_marked_amp<K: OrderedItem, F: FnMut(&Self::Item) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, GatheredByKey<marks::MinByKey, Self::Kind, Option<KeptItem<Self::Item>>, K>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.min_by_key(move |item| {
                    polled::<Self>();
                    f(item)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `max_by_key`.
            #[inline(always)]
            fn max_by_key_marked_amp<K: OrderedItem, F: FnMut(&Self::Item) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, GatheredByKey<marks::MaxByKey, Self::Kind, Option<KeptItem<Self::Item>>, K>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.max_by_key(move |item| {
                    polled::<Self>();
                    f(item)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `min_by`.
            #[inline(always)]
            fn min_by_marked_amp<F: FnMut(&Self::Item, &Self::Item) -> std::cmp::Ordering>(
                self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::MinBy, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.min_by(move |a, b| {
                    polled::<Self>();
                    f(a, b)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `max_by`.
            #[inline(always)]
            fn max_by_marked_amp<F: FnMut(&Self::Item, &Self::Item) -> std::cmp::Ordering>(
                self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::MaxBy, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.max_by(move |a, b| {
                    polled::<Self>();
                    f(a, b)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `position`.
            #[inline(always)]
            fn position_marked_amp<F: FnMut(Self::Item) -> bool>(
                mut self,
                mut f: F,
            ) -> Called<Option<usize>, Gathered<marks::Position, Self::Kind, Option<usize>>> {
                Called::new(self.position(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `find`.
            #[inline(always)]
            fn find_marked_amp<F: FnMut(&Self::Item) -> bool>(
                mut self,
                mut f: F,
            ) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::Find, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.find(move |item| {
                    polled::<Self>();
                    f(item)
                })
.map(ItemOfOption::kept))
            }

            /// The companion of `find_map`.
            #[inline(always)]
            fn find_map_marked_amp<B: ItemOfOption, F: FnMut(Self::Item) -> Option<B>>(
                mut self,
                mut f: F,
            ) -> Called<Option<B>, Gathered<marks::FindMap, Self::Kind, Option<B>>> {
                Called::new(self.find_map(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `last`.
            #[inline(always)]
            fn last_marked_amp(self) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::Last, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).last().map(ItemOfOption::kept))
                    }
                    _ => Called::new(self.last().map(ItemOfOption::kept)),
                }
            }

            /// The companion of `nth`.
            #[inline(always)]
            fn nth_marked_amp(
                mut self,
                n: usize,
            ) -> Called<Option<KeptItem<Self::Item>>, Gathered<marks::Nth, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.nth(n).map(ItemOfOption::kept))
            }

            /// The companion of `any`.
            #[inline(always)]
            fn any_marked_amp<F: FnMut(Self::Item) -> bool>(
                mut self,
                mut f: F,
            ) -> Called<bool, Adapted<marks::Any, Self::Kind>> {
                Called::new(self.any(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `all`.
            #[inline(always)]
            fn all_marked_amp<F: FnMut(Self::Item) -> bool>(
                mut self,
                mut f: F,
            ) -> Called<bool, Adapted<marks::All, Self::Kind>> {
                Called::new(self.all(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }
        }
    };
}

macro_rules! absent {
    ($($companion:ident $([$($g:ident),*])? ($($arg:ty),*);)*) => {
        /// Methods of iterators that kernels do not have. Their companions have a bound that no type satisfies.
        #[allow(clippy::should_implement_trait, reason = "the names are those of the methods")]
        pub trait AbsentOfIterators: Iterator + Sized {$(
            /// No companion.
            fn $companion<$($($g),*)?>(&self, $(_: $arg),*) -> Called<Self::Nothing, Absent>
            where
                Self: MissingOfIterators,
            {
                unreachable!()
            }
        )*}

        impl<I: Iterator> AbsentOfIterators for I {}
    };
}

methods! {
    rev_marked_amp rev Rev() -> Rev<Self> where [Self: DoubleEndedIterator];
    skip_marked_amp skip Skip(n: usize) -> Skip<Self>;
    take_marked_amp take Take(n: usize) -> Take<Self>;
    step_by_marked_amp step_by StepBy(n: usize) -> StepBy<Self>;
    enumerate_marked_amp enumerate Enumerate() -> Enumerate<Self>;
    copied_marked_amp copied Copied() ['a, T: Copy + 'a] -> Copied<Self> where [Self: Iterator<Item = &'a T>];
    cloned_marked_amp cloned Copied() ['a, T: Copy + 'a] -> Cloned<Self> where [Self: Iterator<Item = &'a T>];
    map_marked_amp map Map(f: F) [B, F: FnMut(Self::Item) -> B] -> Map<Self, F>;
    take_while_marked_amp take_while TakeWhile(f: F) [F: FnMut(&Self::Item) -> bool] -> TakeWhile<Self, F>;
    map_while_marked_amp map_while MapWhile(f: F)
        [B: ItemOfOption, F: FnMut(Self::Item) -> Option<B>] -> MapWhile<Self, F>;
    inspect_marked_amp inspect Inspect(f: F) [F: FnMut(&Self::Item)] -> Inspect<Self, F>;
    len_marked_amp len Len() -> usize where [Self: ExactSizeIterator];
}

impl<I: Iterator + IteratedSource> IteratorMethods for I {}

/// Iterators over parts of arrays: `a[1..n].iter()` is `a.iter().tilewise_part_between(1, n)`. In a kernel, a part ends
/// where the array does; on the host, these panic as Rust does.
pub trait ArrayParts: ExactSizeIterator + IteratedSource + Sized {
    /// `a[low..]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_from_marked_amp(self, low: usize) -> Called<Skip<Self>, Adapted<marks::PartFrom, Self::Kind>> {
        is_part(low, self.len(), self.len());
        Called::new(self.skip(low))
    }

    /// `a[..high]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_to_marked_amp(self, high: usize) -> Called<Take<Self>, Adapted<marks::PartTo, Self::Kind>> {
        is_part(0, high, self.len());
        Called::new(self.take(high))
    }

    /// `a[low..high]`
    #[inline(always)]
    #[track_caller]
    fn tilewise_part_between_marked_amp(
        self,
        low: usize,
        high: usize,
    ) -> Called<Skip<Take<Self>>, Adapted<marks::PartBetween, Self::Kind>> {
        is_part(low, high, self.len());
        Called::new(self.take(high).skip(low))
    }
}

impl<I: ExactSizeIterator + IteratedSource> ArrayParts for I {}

/// A part that is not there: in a kernel there is less of it.
///
/// # Panics
/// On the host, with Rust's messages.
#[inline(always)]
#[track_caller]
fn is_part(low: usize, high: usize, length: usize) {
    if low > high || high > length {
        no_part(low, high, length);
    }
}

#[cold]
#[track_caller]
fn no_part(low: usize, high: usize, length: usize) {
    assert!(
        running::inside() || low > length || high <= length,
        "range end index {high} out of range for slice of length {length}"
    );
    assert!(running::inside() || low <= length, "range start index {low} out of range for slice of length {length}");
    assert!(running::inside(), "slice index starts at {low} but ends at {high}");
}

absent! {
    by_ref_marked_amp();
    cmp_marked_amp[U](U);
    collect_marked_amp[B]();
    cycle_marked_amp();
    eq_marked_amp[U](U);
    flat_map_marked_amp[F](F);
    flatten_marked_amp();
    fuse_marked_amp();
    ge_marked_amp[U](U);
    gt_marked_amp[U](U);
    is_sorted_marked_amp();
    is_sorted_by_marked_amp[F](F);
    is_sorted_by_key_marked_amp[F](F);
    le_marked_amp[U](U);
    lt_marked_amp[U](U);
    ne_marked_amp[U](U);
    next_marked_amp();
    next_back_marked_amp();
    nth_back_marked_amp(usize);
    partial_cmp_marked_amp[U](U);
    partition_marked_amp[B, F](F);
    peekable_marked_amp();
    rfind_marked_amp[F](F);
    rfold_marked_amp[A, F](A, F);
    rposition_marked_amp[F](F);
    scan_marked_amp[A, F](A, F);
    size_hint_marked_amp();
    try_fold_marked_amp[A, F](A, F);
    try_for_each_marked_amp[F](F);
    unzip_marked_amp[A, B]();
}
