//! The companions of the methods of slices. What they do in a kernel is in [`order`](super::order).

#![allow(clippy::wrong_self_convention, reason = "the names are those of the standard library's methods")]

use std::cmp::Ordering;
use std::marker::PhantomData;

use super::order::{
    ArrayCopies_clone_from_slice_marked_amp, ArrayCopies_copy_from_slice_marked_amp,
    ArrayCopies_copy_within_marked_amp, ArrayCopies_fill_marked_amp, ArrayCopies_fill_with_marked_amp,
    ArrayCopies_reverse_marked_amp, ArrayCopies_rotate_left_marked_amp, ArrayCopies_rotate_right_marked_amp,
    ArrayCopies_swap_marked_amp, ArrayOrders_binary_search_by_marked_amp, ArrayOrders_is_sorted_by_key_marked_amp,
    ArrayOrders_is_sorted_marked_amp, ArrayOrders_partition_point_marked_amp, ArrayOrders_sort_by_marked_amp,
    ArrayOrders_sort_unstable_by_marked_amp, ArrayOrders_tilewise_copied_first_marked_amp,
    ArrayOrders_tilewise_copied_get_marked_amp, ArrayOrders_tilewise_copied_last_marked_amp,
    ArrayQuestions_contains_marked_amp, ArrayQuestions_ends_with_marked_amp, ArrayQuestions_starts_with_marked_amp,
    SortedElement,
};
use crate::kernel::macro_support::op::Order;
use crate::kernel::macro_support::{Called, Compares, Form, KernelFn, RustBuiltin};
use crate::kernel::types::KernelValue;
use crate::targets::native::running;

/// The array in whose kernel form the length is asked.
type Any<T> = [T; 1];

/// The companions.
pub trait SliceMethods<T: KernelValue> {
    /// `len`
    fn len_marked_amp(&self) -> Called<usize, LengthOfArgument<T>>;
    /// `sort`
    fn sort_marked_amp(&mut self) -> Called<(), T::Sort>
    where
        T: SortedElement;
    /// `sort_unstable`
    fn sort_unstable_marked_amp(&mut self) -> Called<(), T::SortUnstable>
    where
        T: SortedElement;
    /// `sort_by`
    fn sort_by_marked_amp<F: FnMut(&T, &T) -> Ordering>(
        &mut self,
        order: F,
    ) -> Called<(), ArrayOrders_sort_by_marked_amp<Any<T>, T>>;
    /// `sort_unstable_by`
    fn sort_unstable_by_marked_amp<F: FnMut(&T, &T) -> Ordering>(
        &mut self,
        order: F,
    ) -> Called<(), ArrayOrders_sort_unstable_by_marked_amp<Any<T>, T>>;
    /// `sort_by_key`
    fn sort_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(&mut self, key: F) -> Called<(), K::SortByKey<T>>;
    /// `sort_unstable_by_key`
    fn sort_unstable_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(
        &mut self,
        key: F,
    ) -> Called<(), K::SortUnstableByKey<T>>;
    /// `is_sorted`
    fn is_sorted_marked_amp(&self) -> Called<bool, ArrayOrders_is_sorted_marked_amp<Any<T>, T>>
    where
        T: PartialOrd + Compares<Order>;
    /// `is_sorted_by_key`
    fn is_sorted_by_key_marked_amp<K: PartialOrd + KernelValue + Compares<Order>, F: FnMut(&T) -> K>(
        &self,
        key: F,
    ) -> Called<bool, ArrayOrders_is_sorted_by_key_marked_amp<Any<T>, T, K>>;
    /// `binary_search`
    fn binary_search_marked_amp(&self, wanted: &T) -> Called<Result<usize, usize>, T::Search>
    where
        T: SortedElement;
    /// `binary_search_by`
    fn binary_search_by_marked_amp<F: FnMut(&T) -> Ordering>(
        &self,
        order: F,
    ) -> Called<Result<usize, usize>, ArrayOrders_binary_search_by_marked_amp<Any<T>, T>>;
    /// `binary_search_by_key`
    fn binary_search_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(
        &self,
        wanted: &K,
        key: F,
    ) -> Called<Result<usize, usize>, K::SearchByKey<T>>;
    /// `partition_point`
    fn partition_point_marked_amp<F: FnMut(&T) -> bool>(
        &self,
        right: F,
    ) -> Called<usize, ArrayOrders_partition_point_marked_amp<Any<T>, T>>;
    /// `first`
    fn first_marked_amp(&self) -> Called<Option<&T>, ArrayOrders_tilewise_copied_first_marked_amp<Any<T>, T>>;
    /// `last`
    fn last_marked_amp(&self) -> Called<Option<&T>, ArrayOrders_tilewise_copied_last_marked_amp<Any<T>, T>>;
    /// `get`
    fn get_marked_amp(&self, at: usize) -> Called<Option<&T>, ArrayOrders_tilewise_copied_get_marked_amp<Any<T>, T>>;
    /// `copy_within`
    fn copy_within_marked_amp(
        &mut self,
        from: std::ops::Range<usize>,
        to: usize,
    ) -> Called<(), ArrayCopies_copy_within_marked_amp<Any<T>, T>>;
    /// `swap`
    fn swap_marked_amp(&mut self, a: usize, b: usize) -> Called<(), ArrayCopies_swap_marked_amp<Any<T>, T>>;
    /// `fill`
    fn fill_marked_amp(&mut self, value: T) -> Called<(), ArrayCopies_fill_marked_amp<Any<T>, T>>;
    /// `reverse`
    fn reverse_marked_amp(&mut self) -> Called<(), ArrayCopies_reverse_marked_amp<Any<T>, T>>;
    /// `rotate_left`
    fn rotate_left_marked_amp(&mut self, by: usize) -> Called<(), ArrayCopies_rotate_left_marked_amp<Any<T>, T>>;
    /// `rotate_right`
    fn rotate_right_marked_amp(&mut self, by: usize) -> Called<(), ArrayCopies_rotate_right_marked_amp<Any<T>, T>>;
    /// `copy_from_slice`
    fn copy_from_slice_marked_amp(
        &mut self,
        other: &[T],
    ) -> Called<(), ArrayCopies_copy_from_slice_marked_amp<Any<T>, T>>;
    /// `clone_from_slice`
    fn clone_from_slice_marked_amp(
        &mut self,
        other: &[T],
    ) -> Called<(), ArrayCopies_clone_from_slice_marked_amp<Any<T>, T>>;
    /// `fill_with`
    fn fill_with_marked_amp<F: FnMut() -> T>(
        &mut self,
        next: F,
    ) -> Called<(), ArrayCopies_fill_with_marked_amp<Any<T>, T>>;
    /// `contains`
    fn contains_marked_amp(&self, wanted: &T) -> Called<bool, ArrayQuestions_contains_marked_amp<Any<T>, T>>
    where
        T: PartialEq;
    /// `starts_with`
    fn starts_with_marked_amp<const M: usize>(
        &self,
        first: &[T; M],
    ) -> Called<bool, ArrayQuestions_starts_with_marked_amp<Any<T>, T, M>>
    where
        T: PartialEq;
    /// `ends_with`
    fn ends_with_marked_amp<const M: usize>(
        &self,
        last: &[T; M],
    ) -> Called<bool, ArrayQuestions_ends_with_marked_amp<Any<T>, T, M>>
    where
        T: PartialEq;
}

/// Puts each element between those before it, as kernels do, so that functions with effects see the same.
fn insert_each<T: Copy>(all: &mut [T], mut is_less: impl FnMut(&T, &T) -> bool) {
    for i in 1..all.len() {
        let (x, mut at) = (all[i], i);
        while at > 0 && is_less(&x, &all[at - 1]) {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = x;
    }
}

/// The same by keys: that of an element is asked for once.
fn insert_each_by_key<T: Copy, K: SortedElement>(all: &mut [T], mut key: impl FnMut(&T) -> K) {
    for i in 1..all.len() {
        let (x, mut at) = (all[i], i);
        let of_x = key(&x);
        while at > 0 && of_x.in_order(&key(&all[at - 1])).is_lt() {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = x;
    }
}

/// In a kernel, elements that are not there read as zero.
fn read<T: KernelValue>(of: &[T], at: usize) -> T {
    match of.get(at) {
        None if running::inside() => T::zero(),
        _ => of[at],
    }
}

fn write<T: KernelValue>(of: &mut [T], at: usize, value: T) {
    match of.get_mut(at) {
        None if running::inside() => {}
        _ => of[at] = value,
    }
}

/// Where an element is or would be, asked for in the same places as in a kernel: so functions with effects see the
/// same, and of equal elements the same one is found.
fn searched<T>(all: &[T], mut order: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
    let (mut base, mut size) = (0, all.len());
    if size == 0 {
        return Err(0);
    }
    while size > 1 {
        let half = size / 2;
        if order(&all[base + half]).is_le() {
            base += half;
        }
        size -= half;
    }
    match order(&all[base]) {
        Ordering::Less => Err(base + 1),
        Ordering::Equal => Ok(base),
        Ordering::Greater => Err(base),
    }
}

/// How far elements are moved, of so many.
fn moved(by: usize, of: usize) -> usize {
    if running::inside() && of > 0 { by % of } else { by }
}

fn copied<T: KernelValue>(to: &mut [T], from: &[T]) {
    if !running::inside() || to.len() == from.len() {
        to.copy_from_slice(from);
    }
}

impl<T: KernelValue> SliceMethods<T> for [T] {
    fn len_marked_amp(&self) -> Called<usize, LengthOfArgument<T>> {
        Called::new(self.len())
    }

    fn sort_marked_amp(&mut self) -> Called<(), T::Sort>
    where
        T: SortedElement,
    {
        insert_each(self, |a, b| a.in_order(b).is_lt());
        Called::new(())
    }

    fn sort_unstable_marked_amp(&mut self) -> Called<(), T::SortUnstable>
    where
        T: SortedElement,
    {
        insert_each(self, |a, b| a.in_order(b).is_lt());
        Called::new(())
    }

    fn sort_by_marked_amp<F: FnMut(&T, &T) -> Ordering>(
        &mut self,
        mut order: F,
    ) -> Called<(), ArrayOrders_sort_by_marked_amp<Any<T>, T>> {
        insert_each(self, |a, b| order(a, b).is_lt());
        Called::new(())
    }

    fn sort_unstable_by_marked_amp<F: FnMut(&T, &T) -> Ordering>(
        &mut self,
        mut order: F,
    ) -> Called<(), ArrayOrders_sort_unstable_by_marked_amp<Any<T>, T>> {
        insert_each(self, |a, b| order(a, b).is_lt());
        Called::new(())
    }

    fn sort_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(&mut self, key: F) -> Called<(), K::SortByKey<T>> {
        insert_each_by_key(self, key);
        Called::new(())
    }

    fn sort_unstable_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(
        &mut self,
        key: F,
    ) -> Called<(), K::SortUnstableByKey<T>> {
        insert_each_by_key(self, key);
        Called::new(())
    }

    fn is_sorted_marked_amp(&self) -> Called<bool, ArrayOrders_is_sorted_marked_amp<Any<T>, T>>
    where
        T: PartialOrd + Compares<Order>,
    {
        Called::new(self.is_sorted())
    }

    fn is_sorted_by_key_marked_amp<K: PartialOrd + KernelValue + Compares<Order>, F: FnMut(&T) -> K>(
        &self,
        key: F,
    ) -> Called<bool, ArrayOrders_is_sorted_by_key_marked_amp<Any<T>, T, K>> {
        Called::new(self.is_sorted_by_key(key))
    }

    fn binary_search_marked_amp(&self, wanted: &T) -> Called<Result<usize, usize>, T::Search>
    where
        T: SortedElement,
    {
        Called::new(searched(self, |x| x.in_order(wanted)))
    }

    fn binary_search_by_marked_amp<F: FnMut(&T) -> Ordering>(
        &self,
        order: F,
    ) -> Called<Result<usize, usize>, ArrayOrders_binary_search_by_marked_amp<Any<T>, T>> {
        Called::new(searched(self, order))
    }

    fn binary_search_by_key_marked_amp<K: SortedElement, F: FnMut(&T) -> K>(
        &self,
        wanted: &K,
        mut key: F,
    ) -> Called<Result<usize, usize>, K::SearchByKey<T>> {
        Called::new(searched(self, |x| key(x).in_order(wanted)))
    }

    fn partition_point_marked_amp<F: FnMut(&T) -> bool>(
        &self,
        mut right: F,
    ) -> Called<usize, ArrayOrders_partition_point_marked_amp<Any<T>, T>> {
        let found = searched(self, |x| if right(x) { Ordering::Less } else { Ordering::Greater });
        Called::new(found.unwrap_or_else(|at| at))
    }

    fn first_marked_amp(&self) -> Called<Option<&T>, ArrayOrders_tilewise_copied_first_marked_amp<Any<T>, T>> {
        Called::new(self.first())
    }

    fn last_marked_amp(&self) -> Called<Option<&T>, ArrayOrders_tilewise_copied_last_marked_amp<Any<T>, T>> {
        Called::new(self.last())
    }

    fn get_marked_amp(&self, at: usize) -> Called<Option<&T>, ArrayOrders_tilewise_copied_get_marked_amp<Any<T>, T>> {
        Called::new(self.get(at))
    }

    fn copy_within_marked_amp(
        &mut self,
        from: std::ops::Range<usize>,
        to: usize,
    ) -> Called<(), ArrayCopies_copy_within_marked_amp<Any<T>, T>> {
        let length = self.len();
        let fits = from.start <= from.end && from.end <= length && to <= length - (from.end - from.start);
        if !running::inside() || fits {
            self.copy_within(from, to);
        }
        Called::new(())
    }

    fn swap_marked_amp(&mut self, a: usize, b: usize) -> Called<(), ArrayCopies_swap_marked_amp<Any<T>, T>> {
        let kept = read(self, a);
        let other = read(self, b);
        write(self, a, other);
        write(self, b, kept);
        Called::new(())
    }

    fn fill_marked_amp(&mut self, value: T) -> Called<(), ArrayCopies_fill_marked_amp<Any<T>, T>> {
        self.fill(value);
        Called::new(())
    }

    fn reverse_marked_amp(&mut self) -> Called<(), ArrayCopies_reverse_marked_amp<Any<T>, T>> {
        self.reverse();
        Called::new(())
    }

    fn rotate_left_marked_amp(&mut self, by: usize) -> Called<(), ArrayCopies_rotate_left_marked_amp<Any<T>, T>> {
        self.rotate_left(moved(by, self.len()));
        Called::new(())
    }

    fn rotate_right_marked_amp(&mut self, by: usize) -> Called<(), ArrayCopies_rotate_right_marked_amp<Any<T>, T>> {
        self.rotate_right(moved(by, self.len()));
        Called::new(())
    }

    fn copy_from_slice_marked_amp(
        &mut self,
        other: &[T],
    ) -> Called<(), ArrayCopies_copy_from_slice_marked_amp<Any<T>, T>> {
        copied(self, other);
        Called::new(())
    }

    fn clone_from_slice_marked_amp(
        &mut self,
        other: &[T],
    ) -> Called<(), ArrayCopies_clone_from_slice_marked_amp<Any<T>, T>> {
        copied(self, other);
        Called::new(())
    }

    fn fill_with_marked_amp<F: FnMut() -> T>(
        &mut self,
        next: F,
    ) -> Called<(), ArrayCopies_fill_with_marked_amp<Any<T>, T>> {
        self.fill_with(next);
        Called::new(())
    }

    fn contains_marked_amp(&self, wanted: &T) -> Called<bool, ArrayQuestions_contains_marked_amp<Any<T>, T>>
    where
        T: PartialEq,
    {
        Called::new(self.contains(wanted))
    }

    fn starts_with_marked_amp<const M: usize>(
        &self,
        first: &[T; M],
    ) -> Called<bool, ArrayQuestions_starts_with_marked_amp<Any<T>, T, M>>
    where
        T: PartialEq,
    {
        Called::new(self.starts_with(first))
    }

    fn ends_with_marked_amp<const M: usize>(
        &self,
        last: &[T; M],
    ) -> Called<bool, ArrayQuestions_ends_with_marked_amp<Any<T>, T, M>>
    where
        T: PartialEq,
    {
        Called::new(self.ends_with(last))
    }
}

/// The length of the array that is the argument, whatever its type says.
#[derive(Debug)]
pub struct LengthOfArgument<T>(PhantomData<T>);

impl<T> KernelFn for LengthOfArgument<T> {
    fn form() -> Form {
        Form::Builtin(RustBuiltin::Length)
    }
}

/// The length in the kernel forms of these methods.
pub trait AskedLength<T> {
    /// The companion.
    fn tilewise_length_marked_amp(&self) -> Called<usize, LengthOfArgument<T>>;
}

impl<T> AskedLength<T> for Any<T> {
    fn tilewise_length_marked_amp(&self) -> Called<usize, LengthOfArgument<T>> {
        Called::new(1)
    }
}
