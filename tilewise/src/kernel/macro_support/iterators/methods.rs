//! The companions of the methods of iterators.

use std::iter::{
    Chain, Cloned, Copied, Cycle, Enumerate, FilterMap, Inspect, Map, MapWhile, Peekable, Rev, Scan, Skip, SkipWhile,
    StepBy, Take, TakeWhile, Zip,
};

use super::super::Called;
use super::super::op::Plain;
use super::super::width::{Narrowing, narrowed};
use super::items::{ChosenItem, KeptItem};
use super::{
    Adapted, AdaptedWith, ByRef, FilteredItems, Gathered, GatheredByKey, ItemOfOption, IteratedSource,
    MultipliedNumber, OrderedItem, SequenceSource, SourceKind, SummedNumber, TriedValue, marks, polled,
};
use crate::kernel::types::KernelValue;

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
                let sum: S = self.inspect(|_| polled::<Self>()).sum();
                Called::new(narrowed(sum, Narrowing::Wrap))
            }

            /// The companion of `product`.
            #[inline(always)]
            fn product_marked_amp<S: MultipliedNumber<Self::Item>>(
                self,
            ) -> Called<S, Gathered<marks::Product, Self::Kind, S>> {
                let product: S = self.inspect(|_| polled::<Self>()).product();
                Called::new(narrowed(product, Narrowing::Wrap))
            }

            /// The companion of `filter`.
            #[inline(always)]
            fn filter_marked_amp<F: FnMut(&Self::Item) -> bool>(
                self,
                f: F,
            ) -> Called<FilteredItems<Self, F>, Adapted<marks::Filter, Self::Kind>> {
                Called::new(FilteredItems::new(self, f))
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
                // Of a range of `u64`, there may be more than a `usize` of a kernel holds.
                Called::new(narrowed(count, Narrowing::Wrap))
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
            ) -> Called<Option<Self::Item>, Gathered<marks::Reduce, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.reduce(move |before, item| {
                    polled::<Self>();
                    f(before, item)
                }))
            }

            /// The companion of `min`.
            #[inline(always)]
            fn min_marked_amp(self) -> Called<Option<Self::Item>, Gathered<marks::Min, Self::Kind, Option<ChosenItem<Self::Item>>>>
            where
                Self::Item: OrderedItem,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).min())
                    }
                    _ => Called::new(self.min()),
                }
            }

            /// The companion of `max`.
            #[inline(always)]
            fn max_marked_amp(self) -> Called<Option<Self::Item>, Gathered<marks::Max, Self::Kind, Option<ChosenItem<Self::Item>>>>
            where
                Self::Item: OrderedItem,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).max())
                    }
                    _ => Called::new(self.max()),
                }
            }

            /// The companion of `min_by_key`.
            #[inline(always)]
            fn min_by_key_marked_amp<K: OrderedItem, F: FnMut(&Self::Item) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<Self::Item>, GatheredByKey<marks::MinByKey, Self::Kind, Option<KeptItem<Self::Item>>, K>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.min_by_key(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `max_by_key`.
            #[inline(always)]
            fn max_by_key_marked_amp<K: OrderedItem, F: FnMut(&Self::Item) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<Self::Item>, GatheredByKey<marks::MaxByKey, Self::Kind, Option<KeptItem<Self::Item>>, K>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.max_by_key(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `min_by`.
            #[inline(always)]
            fn min_by_marked_amp<F: FnMut(&Self::Item, &Self::Item) -> std::cmp::Ordering>(
                self,
                mut f: F,
            ) -> Called<Option<Self::Item>, Gathered<marks::MinBy, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.min_by(move |a, b| {
                    polled::<Self>();
                    f(a, b)
                }))
            }

            /// The companion of `max_by`.
            #[inline(always)]
            fn max_by_marked_amp<F: FnMut(&Self::Item, &Self::Item) -> std::cmp::Ordering>(
                self,
                mut f: F,
            ) -> Called<Option<Self::Item>, Gathered<marks::MaxBy, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.max_by(move |a, b| {
                    polled::<Self>();
                    f(a, b)
                }))
            }

            /// The companion of `position`.
            #[inline(always)]
            fn position_marked_amp<F: FnMut(Self::Item) -> bool>(
                &mut self,
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
                &mut self,
                mut f: F,
            ) -> Called<Option<Self::Item>, Gathered<marks::Find, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.find(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `find_map`.
            #[inline(always)]
            fn find_map_marked_amp<B: ItemOfOption, F: FnMut(Self::Item) -> Option<B>>(
                &mut self,
                mut f: F,
            ) -> Called<Option<B>, Gathered<marks::FindMap, Self::Kind, Option<B>>> {
                Called::new(self.find_map(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `last`.
            #[inline(always)]
            fn last_marked_amp(self) -> Called<Option<Self::Item>, Gathered<marks::Last, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                // Of a range itself, it is known without a loop.
                match <Self::Kind as SourceKind>::SOURCE {
                    SequenceSource::Made if Self::MAY_BE_LONG => {
                        Called::new(self.inspect(|_| polled::<Self>()).last())
                    }
                    _ => Called::new(self.last()),
                }
            }

            /// The companion of `nth`.
            #[inline(always)]
            fn nth_marked_amp(
                &mut self,
                n: usize,
            ) -> Called<Option<Self::Item>, Gathered<marks::Nth, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.nth(n))
            }

            /// The companion of `next`.
            #[inline(always)]
            #[allow(clippy::type_complexity, reason = "a name for it would hide the method")]
            fn next_marked_amp(
                &mut self,
            ) -> Called<Option<Self::Item>, Gathered<marks::Next, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption,
            {
                Called::new(self.next())
            }

            /// The companion of `len`.
            #[inline(always)]
            fn len_marked_amp(&self) -> Called<usize, Adapted<marks::Len, Self::Kind>>
            where
                Self: ExactSizeIterator,
            {
                Called::new(self.len())
            }

            /// The companion of `clone`.
            #[inline(always)]
            fn clone_marked_amp(&self) -> Called<Self, Adapted<marks::Clone, Self::Kind>>
            where
                Self: Clone,
            {
                Called::new(self.clone())
            }

            /// The companion of `by_ref`.
            #[inline(always)]
            fn by_ref_marked_amp(&mut self) -> Called<ByRef<'_, Self>, Adapted<marks::ByRef, Self::Kind>> {
                Called::new(ByRef(self))
            }

            /// The companion of `try_fold`, with an `Option` or a `Result`.
            #[inline(always)]
            fn try_fold_marked_amp<B: KernelValue, R: TriedValue<Value = B>, F: FnMut(B, Self::Item) -> R>(
                &mut self,
                start: B,
                mut f: F,
            ) -> Called<R, Gathered<marks::TryFold, Self::Kind, R>> {
                let mut gathered = start;
                for item in self {
                    polled::<Self>();
                    let next = f(gathered, item);
                    match next.tried() {
                        Some(value) => gathered = value,
                        None => return Called::new(next),
                    }
                }
                Called::new(R::of_value(gathered))
            }

            /// The companion of `rfold`.
            #[inline(always)]
            fn rfold_marked_amp<B, F: FnMut(B, Self::Item) -> B>(
                self,
                start: B,
                mut f: F,
            ) -> Called<B, Adapted<marks::RFold, Self::Kind>>
            where
                Self: DoubleEndedIterator,
            {
                Called::new(self.rfold(start, move |before, item| {
                    polled::<Self>();
                    f(before, item)
                }))
            }

            /// The companion of `rfind`.
            #[inline(always)]
            fn rfind_marked_amp<F: FnMut(&Self::Item) -> bool>(
                &mut self,
                mut f: F,
            ) -> Called<Option<Self::Item>, Gathered<marks::RFind, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self: DoubleEndedIterator,
                Self::Item: ItemOfOption,
            {
                Called::new(self.rfind(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `rposition`.
            #[inline(always)]
            fn rposition_marked_amp<F: FnMut(Self::Item) -> bool>(
                &mut self,
                mut f: F,
            ) -> Called<Option<usize>, Gathered<marks::RPosition, Self::Kind, Option<usize>>>
            where
                Self: ExactSizeIterator + DoubleEndedIterator,
            {
                Called::new(self.rposition(move |item| {
                    polled::<Self>();
                    f(item)
                }))
            }

            /// The companion of `is_sorted`.
            #[allow(clippy::wrong_self_convention, reason = "the method that it stands for takes the iterator")]
            #[inline(always)]
            fn is_sorted_marked_amp(
                self,
            ) -> Called<bool, Gathered<marks::IsSorted, Self::Kind, Option<KeptItem<Self::Item>>>>
            where
                Self::Item: ItemOfOption + Plain + PartialOrd,
            {
                Called::new(self.inspect(|_| polled::<Self>()).is_sorted())
            }

            /// The companion of `any`.
            #[inline(always)]
            fn any_marked_amp<F: FnMut(Self::Item) -> bool>(
                &mut self,
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
                &mut self,
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
    scan_marked_amp scan Scan(state: S, f: F)
        [S: KernelValue, B: ItemOfOption, F: FnMut(&mut S, Self::Item) -> Option<B>] -> Scan<Self, S, F>;
    cycle_marked_amp cycle Cycle() -> Cycle<Self> where [Self: Clone];
    peekable_marked_amp peekable Peekable() -> Peekable<Self>;
    inspect_marked_amp inspect Inspect(f: F) [F: FnMut(&Self::Item)] -> Inspect<Self, F>;
}

impl<I: Iterator + IteratedSource> IteratorMethods for I {}
