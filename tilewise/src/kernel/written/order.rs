//! Methods of slices, which arrays have: they put elements in another order, copy them, or ask for them.
//!
//! Rust looks for them behind what traits give to an array, so their companions are those of `[T]`
//! ([`SliceMethods`](super::slices::SliceMethods)). The kernel forms are written here, once for all lengths: for arrays
//! of one element, with the length that the argument has.

use std::cmp::Ordering;
use std::marker::PhantomData;

use crate::amp;
use crate::kernel::macro_support::op::{Equal, Order};
use crate::kernel::macro_support::{Compares, Form, KernelFn};
use crate::kernel::types::KernelValue;

/// An element that `sort` compares, and a key. What each method is in a kernel is a part of it, as of a missing trait's
/// types, rustc reports nothing more.
#[diagnostic::on_unimplemented(
    message = "in a kernel, `{Self}` has no order of all of its values",
    label = "not in an order of all values",
    note = "floats are sorted by `sort_by(|a, b| a.total_cmp(b))`; a type of your own needs `#[amp]` on the line before `#[derive(PartialEq, Eq, PartialOrd, Ord)]`, or `sort_by_key(|x| x.field)`"
)]
pub trait SortedElement: Sized {
    /// `sort`
    type Sort;
    /// `sort_unstable`
    type SortUnstable;
    /// `sort_by_key`, of elements of the type `T`
    type SortByKey<T: KernelValue>;
    /// `sort_unstable_by_key`
    type SortUnstableByKey<T: KernelValue>;
    /// `binary_search`
    type Search;
    /// `binary_search_by_key`
    type SearchByKey<T: KernelValue>;

    /// `cmp`
    fn in_order(&self, other: &Self) -> Ordering;
}

#[diagnostic::do_not_recommend]
impl<K: OrderedElement> SortedElement for K {
    type Sort = ByOwnOrder<K, ArrayOrders_sort_marked_amp<[K; 1], K>>;
    type SortUnstable = ByOwnOrder<K, ArrayOrders_sort_unstable_marked_amp<[K; 1], K>>;
    type SortByKey<T: KernelValue> = ByOwnOrder<K, ArrayOrders_sort_by_key_marked_amp<[T; 1], T, K>>;
    type SortUnstableByKey<T: KernelValue> = ByOwnOrder<K, ArrayOrders_sort_unstable_by_key_marked_amp<[T; 1], T, K>>;
    type Search = ByOwnOrder<K, ArrayOrders_binary_search_marked_amp<[K; 1], K>>;
    type SearchByKey<T: KernelValue> = ByOwnOrder<K, ArrayOrders_binary_search_by_key_marked_amp<[T; 1], T, K>>;

    fn in_order(&self, other: &K) -> Ordering {
        self.cmp(other)
    }
}

/// A method `M` that goes by the `Ord` of `K`. Its kernel form goes by `<`, so it is refused where these are known to
/// differ, as for an enum whose `Ord` is written by hand.
#[derive(Debug)]
pub struct ByOwnOrder<K, M>(PhantomData<(K, M)>);

impl<K: OrderedElement, M: KernelFn> KernelFn for ByOwnOrder<K, M> {
    fn form() -> Form {
        <K as Compares<Order>>::other_order().unwrap_or_else(M::form)
    }
}

/// The same for the kernel forms of these methods.
pub trait OrderedElement: KernelValue + Ord + Compares<Order> {}

#[diagnostic::do_not_recommend]
impl<T: KernelValue + Ord + Compares<Order>> OrderedElement for T {}

/// Never implemented.
pub trait NeverSorted {}

// The only `impl` of a trait is taken by rustc before its bounds are looked at, and what it gives is reported once more
// where that is used. Of two, none is taken for a type that has neither's bounds.
#[diagnostic::do_not_recommend]
impl<K> SortedElement for K
where
    (K, NeverSortedElement): NeverSorted,
{
    type Sort = ();
    type SortUnstable = ();
    type SortByKey<T: KernelValue> = ();
    type SortUnstableByKey<T: KernelValue> = ();
    type Search = ();
    type SearchByKey<T: KernelValue> = ();

    fn in_order(&self, _: &K) -> Ordering {
        Ordering::Equal
    }
}

/// With any type, it makes a bound that is never met.
#[derive(Debug)]
pub struct NeverSortedElement;

/// What a type with a derived `Ord` has of that in a kernel.
#[amp]
pub trait OwnOrder: OrderedElement {
    /// `cmp`
    fn own_cmp(&self, other: &Self) -> Ordering;
    /// `min`: of two that are equal, the first.
    fn own_min(self, other: Self) -> Self;
    /// `max`: of two that are equal, the second.
    fn own_max(self, other: Self) -> Self;
}

#[amp]
impl<T: OrderedElement> OwnOrder for T {
    fn own_cmp(&self, other: &T) -> Ordering {
        if *self < *other {
            Ordering::Less
        } else if *other < *self {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    fn own_min(self, other: T) -> T {
        if other < self { other } else { self }
    }

    fn own_max(self, other: T) -> T {
        if other < self { self } else { other }
    }
}

/// The meaning of `max`, or of `min`, of a type with a derived `Ord`.
pub fn derived_choice<T: OrderedElement>(greatest: bool) -> Form {
    if greatest { OwnOrder_own_max_marked_amp::<T>::form() } else { OwnOrder_own_min_marked_amp::<T>::form() }
}

/// The meaning of `cmp` of a type with a derived `Ord`.
pub fn derived_total_order<T: OrderedElement>() -> Form {
    OwnOrder_own_cmp_marked_amp::<T>::form()
}

/// Sorting. As the arrays of a kernel are short, each element is put between those before it: stable, and quick for few.
#[amp]
pub trait ArrayOrders<T: KernelValue> {
    /// In increasing order.
    fn sort(&mut self)
    where
        T: OrderedElement;
    /// The same.
    fn sort_unstable(&mut self)
    where
        T: OrderedElement;
    /// In the order of a function.
    fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, order: F);
    /// The same.
    fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, order: F);
    /// By keys.
    fn sort_by_key<K: OrderedElement, F: FnMut(&T) -> K>(&mut self, key: F);
    /// The same.
    fn sort_unstable_by_key<K: OrderedElement, F: FnMut(&T) -> K>(&mut self, key: F);
    /// Is it in increasing order?
    fn is_sorted(&self) -> bool
    where
        T: PartialOrd + Compares<Order>;
    /// Is it in the order of these keys?
    fn is_sorted_by_key<K: PartialOrd + KernelValue + Compares<Order>, F: FnMut(&T) -> K>(&self, key: F) -> bool;
    /// Of a sorted array, where an element is, or would be.
    fn binary_search(&self, wanted: &T) -> Result<usize, usize>
    where
        T: OrderedElement;
    /// The same in the order of a function.
    fn binary_search_by<F: FnMut(&T) -> Ordering>(&self, order: F) -> Result<usize, usize>;
    /// The same by keys.
    fn binary_search_by_key<K: OrderedElement, F: FnMut(&T) -> K>(&self, wanted: &K, key: F) -> Result<usize, usize>;
    /// Of an array whose first elements are right, and the others not, how many are.
    fn partition_point<F: FnMut(&T) -> bool>(&self, right: F) -> usize;
    /// A copy of the first element.
    fn tilewise_copied_first(&self) -> Option<T>;
    /// A copy of the last element.
    fn tilewise_copied_last(&self) -> Option<T>;
    /// A copy of this element, if it is there.
    fn tilewise_copied_get(&self, at: usize) -> Option<T>;
}

#[amp]
impl<T: KernelValue> ArrayOrders<T> for [T; 1] {
    fn sort(&mut self)
    where
        T: OrderedElement,
    {
        for i in 1..self.tilewise_length() {
            let x = self[i];
            let mut at = i;
            while at > 0 && x < self[at - 1] {
                self[at] = self[at - 1];
                at -= 1;
            }
            self[at] = x;
        }
    }

    fn sort_unstable(&mut self)
    where
        T: OrderedElement,
    {
        self.sort();
    }

    fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, mut order: F) {
        for i in 1..self.tilewise_length() {
            let x = self[i];
            let mut at = i;
            while at > 0 && order(&x, &self[at - 1]).is_lt() {
                self[at] = self[at - 1];
                at -= 1;
            }
            self[at] = x;
        }
    }

    fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, order: F) {
        self.sort_by(order);
    }

    fn sort_by_key<K: OrderedElement, F: FnMut(&T) -> K>(&mut self, mut key: F) {
        for i in 1..self.tilewise_length() {
            let x = self[i];
            let of_x = key(&x);
            let mut at = i;
            while at > 0 && of_x < key(&self[at - 1]) {
                self[at] = self[at - 1];
                at -= 1;
            }
            self[at] = x;
        }
    }

    fn sort_unstable_by_key<K: OrderedElement, F: FnMut(&T) -> K>(&mut self, key: F) {
        self.sort_by_key(key);
    }

    fn is_sorted(&self) -> bool
    where
        T: PartialOrd + Compares<Order>,
    {
        for i in 1..self.tilewise_length() {
            // Of floats, a NaN is in no order.
            if !(self[i - 1] <= self[i]) {
                return false;
            }
        }
        true
    }

    fn is_sorted_by_key<K: PartialOrd + KernelValue + Compares<Order>, F: FnMut(&T) -> K>(&self, mut key: F) -> bool {
        if self.tilewise_length() == 0 {
            return true;
        }
        let mut before = key(&self[0]);
        for i in 1..self.tilewise_length() {
            let next = key(&self[i]);
            if !(before <= next) {
                return false;
            }
            before = next;
        }
        true
    }

    fn binary_search(&self, wanted: &T) -> Result<usize, usize>
    where
        T: OrderedElement,
    {
        self.binary_search_by(|x| {
            if *x < *wanted {
                Ordering::Less
            } else if *wanted < *x {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        })
    }

    fn binary_search_by<F: FnMut(&T) -> Ordering>(&self, mut order: F) -> Result<usize, usize> {
        let mut size = self.tilewise_length();
        if size == 0 {
            return Err(0);
        }
        let mut base = 0;
        while size > 1 {
            let half = size / 2;
            let middle = base + half;
            if !order(&self[middle]).is_gt() {
                base = middle;
            }
            size -= half;
        }
        let last = order(&self[base]);
        if last.is_eq() {
            Ok(base)
        } else if last.is_lt() {
            Err(base + 1)
        } else {
            Err(base)
        }
    }

    fn binary_search_by_key<K: OrderedElement, F: FnMut(&T) -> K>(
        &self,
        wanted: &K,
        mut key: F,
    ) -> Result<usize, usize> {
        self.binary_search_by(|x| {
            let of_x = key(x);
            if of_x < *wanted {
                Ordering::Less
            } else if *wanted < of_x {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        })
    }

    fn partition_point<F: FnMut(&T) -> bool>(&self, mut right: F) -> usize {
        let found = self.binary_search_by(|x| if right(x) { Ordering::Less } else { Ordering::Greater });
        match found {
            Ok(at) => at,
            Err(at) => at,
        }
    }

    fn tilewise_copied_first(&self) -> Option<T> {
        if self.tilewise_length() > 0 { Some(self[0]) } else { None }
    }

    fn tilewise_copied_last(&self) -> Option<T> {
        let length = self.tilewise_length();
        if length > 0 { Some(self[length - 1]) } else { None }
    }

    fn tilewise_copied_get(&self, at: usize) -> Option<T> {
        if at < self.tilewise_length() { Some(self[at]) } else { None }
    }
}

/// Elements that come from elsewhere.
#[amp]
pub trait ArrayCopies<T: KernelValue> {
    /// Exchanges two elements.
    fn swap(&mut self, a: usize, b: usize);
    /// Gives every element this value.
    fn fill(&mut self, value: T);
    /// Turns their order round.
    fn reverse(&mut self);
    /// Moves the elements to the front, and the first ones to the end.
    fn rotate_left(&mut self, by: usize);
    /// Moves the elements to the back, and the last ones to the front.
    fn rotate_right(&mut self, by: usize);
    /// All elements of another array.
    fn copy_from_slice(&mut self, other: &[T; 1]);
    /// The same.
    fn clone_from_slice(&mut self, other: &[T; 1]);
    /// Elements that a function gives, from the first one on.
    fn fill_with<F: FnMut() -> T>(&mut self, next: F);
    /// Copies a part to another place in the array.
    fn copy_within(&mut self, from: std::ops::Range<usize>, to: usize);
}

#[amp]
impl<T: KernelValue> ArrayCopies<T> for [T; 1] {
    fn swap(&mut self, a: usize, b: usize) {
        let kept = self[a];
        self[a] = self[b];
        self[b] = kept;
    }

    fn fill(&mut self, value: T) {
        for i in 0..self.tilewise_length() {
            self[i] = value;
        }
    }

    fn reverse(&mut self) {
        let length = self.tilewise_length();
        for i in 0..length / 2 {
            let kept = self[i];
            self[i] = self[length - 1 - i];
            self[length - 1 - i] = kept;
        }
    }

    fn rotate_left(&mut self, by: usize) {
        let (before, length) = (*self, self.tilewise_length());
        for i in 0..length {
            // The sum with all of `by` could wrap.
            self[i] = before[(i + by % length) % length];
        }
    }

    fn rotate_right(&mut self, by: usize) {
        let (before, length) = (*self, self.tilewise_length());
        for i in 0..length {
            self[(i + by % length) % length] = before[i];
        }
    }

    fn copy_from_slice(&mut self, other: &[T; 1]) {
        // Not as a whole: where Rust panics, `other` has another length, and nothing is copied.
        if other.tilewise_length() == self.tilewise_length() {
            for i in 0..self.tilewise_length() {
                self[i] = other[i];
            }
        }
    }

    fn clone_from_slice(&mut self, other: &[T; 1]) {
        self.copy_from_slice(other);
    }

    fn fill_with<F: FnMut() -> T>(&mut self, mut next: F) {
        for i in 0..self.tilewise_length() {
            self[i] = next();
        }
    }

    fn copy_within(&mut self, from: std::ops::Range<usize>, to: usize) {
        let (before, length) = (*self, self.tilewise_length());
        if from.start <= from.end && from.end <= length && to <= length - (from.end - from.start) {
            for i in from.start..from.end {
                self[to + (i - from.start)] = before[i];
            }
        }
    }
}

/// Comparisons of elements.
#[amp]
pub trait ArrayQuestions<T: KernelValue + PartialEq + Compares<Equal>> {
    /// Is it one of the elements?
    fn contains(&self, wanted: &T) -> bool;
    /// Are these the first elements?
    fn starts_with<const M: usize>(&self, first: &[T; M]) -> bool;
    /// Are these the last elements?
    fn ends_with<const M: usize>(&self, last: &[T; M]) -> bool;
}

#[amp]
impl<T: KernelValue + PartialEq + Compares<Equal>> ArrayQuestions<T> for [T; 1] {
    fn contains(&self, wanted: &T) -> bool {
        for i in 0..self.tilewise_length() {
            if self[i] == *wanted {
                return true;
            }
        }
        false
    }

    fn starts_with<const M: usize>(&self, first: &[T; M]) -> bool {
        let length = self.tilewise_length();
        if M > length {
            return false;
        }
        for i in 0..M {
            if self[i] != first[i] {
                return false;
            }
        }
        true
    }

    fn ends_with<const M: usize>(&self, last: &[T; M]) -> bool {
        let length = self.tilewise_length();
        if M > length {
            return false;
        }
        for i in 0..M {
            if self[length - M + i] != last[i] {
                return false;
            }
        }
        true
    }
}
