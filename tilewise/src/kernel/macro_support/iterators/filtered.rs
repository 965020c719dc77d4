//! `filter`: an iterator of its own, as the standard library's with a closure around that of the user is no `Clone`.

use super::{IteratedSource, polled};

/// The items for which a function gives `true`.
#[derive(Clone, Debug)]
pub struct FilteredItems<I, F> {
    items: I,
    right: F,
}

impl<I, F> FilteredItems<I, F> {
    pub(super) const fn new(items: I, right: F) -> Self {
        FilteredItems { items, right }
    }
}

impl<I: Iterator + IteratedSource, F: FnMut(&I::Item) -> bool> Iterator for FilteredItems<I, F> {
    type Item = I::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<I::Item> {
        let right = &mut self.right;
        self.items.find(|item| {
            polled::<I>();
            right(item)
        })
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.items.size_hint().1)
    }
}

impl<I: DoubleEndedIterator + IteratedSource, F: FnMut(&I::Item) -> bool> DoubleEndedIterator for FilteredItems<I, F> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<I::Item> {
        let right = &mut self.right;
        self.items.rfind(|item| {
            polled::<I>();
            right(item)
        })
    }
}
