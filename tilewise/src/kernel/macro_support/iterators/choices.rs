//! Choices among references whose values are wanted: `a.iter().max().copied()`, and an iterator by reference.
//!
//! The method and the `copied` behind it have one companion.

use std::cmp::Ordering;

use super::super::Called;
use super::items::KeptItem;
use super::{Gathered, GatheredByKey, ItemOfOption, IteratedSource, OrderedItem, marks, polled};

macro_rules! choices {
    ($($(#[$doc:meta])* $companion:ident $mark:ident [$($self:tt)*] $this:ident ($($arg:ident: $ty:ty),*) [$($generics:tt)*]
        $([$($bounds:tt)*])? |$it:ident| $chosen:expr;)*) => {
        /// The companions of methods of iterators over references with `copied` behind them.
        pub trait CopiedChoices<'a, T: ItemOfOption + Copy + 'a>: Iterator<Item = &'a T> + IteratedSource + Sized {$(
            $(#[$doc])*
            #[inline(always)]
            fn $companion<$($generics)*>(
                $($self)*,
                $($arg: $ty),*
            ) -> Called<Option<T>, Gathered<marks::$mark, Self::Kind, Option<KeptItem<T>>>>
            $(where $($bounds)*)?
            {
                #[allow(unused_mut, reason = "some methods change it")]
                let mut $it = $this;
                Called::new($chosen.copied())
            }
        )*

            /// `min_by_key`
            #[inline(always)]
            fn tilewise_copied_min_by_key_marked_amp<K: OrderedItem, F: FnMut(&&'a T) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<T>, GatheredByKey<marks::MinByKey, Self::Kind, Option<KeptItem<T>>, K>> {
                Called::new(self.min_by_key(move |item| (polled::<Self>(), f(item)).1).copied())
            }

            /// `max_by_key`
            #[inline(always)]
            fn tilewise_copied_max_by_key_marked_amp<K: OrderedItem, F: FnMut(&&'a T) -> K>(
                self,
                mut f: F,
            ) -> Called<Option<T>, GatheredByKey<marks::MaxByKey, Self::Kind, Option<KeptItem<T>>, K>> {
                Called::new(self.max_by_key(move |item| (polled::<Self>(), f(item)).1).copied())
            }
        }
    };
}

choices! {
    /// `find`
    tilewise_copied_find_marked_amp Find [&mut self] self (f: F) [F: FnMut(&&'a T) -> bool] |it| it.find(f);
    /// `last`
    tilewise_copied_last_marked_amp Last [self] self () [] |it| it.last();
    /// `max`
    tilewise_copied_max_marked_amp Max [self] self () [] [T: OrderedItem] |it| it.max();
    /// `max_by`
    tilewise_copied_max_by_marked_amp MaxBy [self] self (f: F) [F: FnMut(&&'a T, &&'a T) -> Ordering] |it| it.max_by(f);
    /// `min`
    tilewise_copied_min_marked_amp Min [self] self () [] [T: OrderedItem] |it| it.min();
    /// `min_by`
    tilewise_copied_min_by_marked_amp MinBy [self] self (f: F) [F: FnMut(&&'a T, &&'a T) -> Ordering] |it| it.min_by(f);
    /// `next`
    tilewise_copied_next_marked_amp Next [&mut self] self () [] |it| it.next();
    /// `nth`
    tilewise_copied_nth_marked_amp Nth [&mut self] self (n: usize) [] |it| it.nth(n);
    /// `rfind`
    tilewise_copied_rfind_marked_amp RFind [&mut self] self (f: F) [F: FnMut(&&'a T) -> bool] [Self: DoubleEndedIterator] |it| it.rfind(f);
}

impl<'a, T: ItemOfOption + Copy + 'a, I: Iterator<Item = &'a T> + IteratedSource> CopiedChoices<'a, T> for I {}

/// An iterator by reference: what is made of it goes on where that is.
#[derive(Debug)]
pub struct ByRef<'i, I>(pub(super) &'i mut I);

impl<I: Iterator> Iterator for ByRef<'_, I> {
    type Item = I::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.0.nth(n)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

// Lowering says what cannot stand behind `by_ref`, and what to write instead.
impl<I: DoubleEndedIterator> DoubleEndedIterator for ByRef<'_, I> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next_back()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for ByRef<'_, I> {}
