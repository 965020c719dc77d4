//! Iteration over all elements of a guard, row by row.

use std::slice;

use super::span::{RowsMut, SpanRows};

macro_rules! elements {
    ($(#[$doc:meta])* $iter:ident, $rows:ident, $slice:ident, $item:ty, $start:ident) => {
        $(#[$doc])*
        pub(super) struct $iter<'s, T, const N: usize> {
            row: slice::$slice<'s, T>,
            rows: $rows<'s, T, N>,
        }

        impl<'s, T, const N: usize> $iter<'s, T, N> {
            #[inline]
            pub(super) fn new(mut rows: $rows<'s, T, N>) -> Self {
                let row = rows.next().unwrap_or_default().$start();
                $iter { row, rows }
            }
        }

        impl<'s, T, const N: usize> Iterator for $iter<'s, T, N> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                loop {
                    if let Some(element) = self.row.next() {
                        return Some(element);
                    }
                    self.row = self.rows.next()?.$start();
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.row.len() + self.rows.left();
                (left, Some(left))
            }

            // As fast as iteration over slices, which `next` alone is not.
            #[inline]
            fn fold<B, F: FnMut(B, $item) -> B>(self, start: B, mut f: F) -> B {
                let first = self.row.fold(start, &mut f);
                self.rows.fold(first, |so_far, row| row.$start().fold(so_far, &mut f))
            }
        }

        impl<T, const N: usize> ExactSizeIterator for $iter<'_, T, N> {}
    };
}

elements! {
    /// Elements to read.
    Iter, SpanRows, Iter, &'s T, iter
}

elements! {
    /// Elements to read and write.
    IterMut, RowsMut, IterMut, &'s mut T, iter_mut
}
