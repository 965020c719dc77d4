//! `peekable`, and what a peekable iterator is asked: `peek`, `next_if`, `next_if_eq`.
//!
//! `peek` with `copied` behind it has a companion of its own.

use std::iter::Peekable;

use super::super::Called;
use super::super::op::Plain;
use super::items::KeptItem;
use super::{Gathered, ItemOfOption, IteratedSource, kinds, marks};

/// An item that is looked at, or taken.
type Asked<M, I> = Called<Option<I>, Gathered<M, kinds::Made, Option<KeptItem<I>>>>;

/// A reference to an item that is looked at.
type Peeked<'p, T> = Called<Option<&'p T>, Gathered<marks::Peek, kinds::Made, Option<KeptItem<T>>>>;

/// The companions.
pub trait PeekedItems<T> {
    /// `peek` with `copied`
    fn tilewise_copied_peek_marked_amp(&mut self) -> Asked<marks::Peek, T>
    where
        T: ItemOfOption + Copy;

    /// `next_if`
    fn next_if_marked_amp<F: FnOnce(&T) -> bool>(&mut self, f: F) -> Asked<marks::NextIf, T>
    where
        T: ItemOfOption;

    /// `next_if_eq`
    fn next_if_eq_marked_amp(&mut self, wanted: &T) -> Asked<marks::NextIfEq, T>
    where
        T: ItemOfOption + PartialEq + Plain;

    /// `peek`
    fn peek_marked_amp(&mut self) -> Peeked<'_, T>
    where
        T: ItemOfOption + Copy;
}

impl<I: Iterator + IteratedSource> PeekedItems<I::Item> for Peekable<I> {
    #[inline(always)]
    fn peek_marked_amp(&mut self) -> Peeked<'_, I::Item>
    where
        I::Item: ItemOfOption + Copy,
    {
        Called::new(self.peek())
    }

    #[inline(always)]
    fn tilewise_copied_peek_marked_amp(&mut self) -> Asked<marks::Peek, I::Item>
    where
        I::Item: ItemOfOption + Copy,
    {
        Called::new(self.peek().copied())
    }

    #[inline(always)]
    fn next_if_marked_amp<F: FnOnce(&I::Item) -> bool>(&mut self, f: F) -> Asked<marks::NextIf, I::Item>
    where
        I::Item: ItemOfOption,
    {
        Called::new(self.next_if(f))
    }

    #[inline(always)]
    fn next_if_eq_marked_amp(&mut self, wanted: &I::Item) -> Asked<marks::NextIfEq, I::Item>
    where
        I::Item: ItemOfOption + PartialEq + Plain,
    {
        Called::new(self.next_if_eq(wanted))
    }
}
