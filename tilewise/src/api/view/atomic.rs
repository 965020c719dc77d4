//! [`AtomicRef`]: the atomic operations on one element of a view.

use std::fmt;

use super::{Access, ArrayView, Writable};
use crate::IntoIndex;
use crate::api::element::{AtomicElement, AtomicInteger, Element, Word};
use crate::kernel::macro_support::RustType;
use crate::kernel::types::KernelType;
use crate::memory::Handle;
use crate::memory::launch::{holds, is_inside, misses, refuse_uncaptured};
use crate::memory::lock::Intent;
use crate::memory::region::ByteRegion;
use crate::targets::fault;

/// Atomic operations on one element, with relaxed ordering; on every target and on the host. Made
/// by [`ArrayView::atomic`].
///
/// ```
/// use tilewise::{ArrayView, parallel_for_each};
/// let digits = ArrayView::from_vec(8, vec![3, 1, 4, 1, 5, 9, 2, 6])?;
/// let counts = ArrayView::from_vec(10, vec![0u32; 10])?;
/// parallel_for_each!(digits.extent(), |i| {
///     counts.atomic(digits[i]).fetch_inc();
/// })?;
/// assert_eq!(counts.to_vec()?, [0, 2, 1, 1, 1, 1, 1, 0, 0, 1]);
/// # Ok::<(), tilewise::Error>(())
/// ```
pub struct AtomicRef<'v, T> {
    place: Place<'v, T>,
}

/// The location of the element.
enum Place<'v, T> {
    /// Byte `at` of an allocation.
    Allocation { handle: &'v Handle, at: u64 },
    /// An element of something else: of `tile_static` memory.
    Other { of: &'v dyn AtomicPlace<T>, index: u64 },
    /// Out of range or unaligned, in a kernel: operations do nothing and return 0.
    Nowhere,
}

/// Something other than a view with atomic elements.
#[doc(hidden)]
pub trait AtomicPlace<T>: Sync {
    /// Replaces an element by the result of `change`, and returns the old value; `None` if the
    /// index is out of range.
    fn change(&self, index: u64, change: &mut dyn FnMut(T) -> T) -> Option<T>;
}

impl<T> Clone for AtomicRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AtomicRef<'_, T> {}

impl<T> Clone for Place<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Place<'_, T> {}

impl<T> fmt::Debug for AtomicRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicRef").finish_non_exhaustive()
    }
}

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// The atomic operations on one element; in kernels and on the host.
    ///
    /// Elements of a reinterpreted view may be unaligned. In a kernel an operation on such an
    /// element changes nothing and returns 0, as for an index out of range; but each view that the
    /// kernel captures must begin at a multiple of the element's size, or the launch fails.
    ///
    /// # Panics
    /// On the host, if the index is out of range or the element may be unaligned.
    #[track_caller]
    pub fn atomic(&self, index: impl IntoIndex<N>) -> AtomicRef<'_, T>
    where
        T: AtomicElement,
        A: Writable,
    {
        match self.place(index) {
            Ok(at) if self.handle.memory.gives::<T::Word>(at) => {
                AtomicRef { place: Place::Allocation { handle: &self.handle, at } }
            }
            Ok(_) if misses(&self.handle, align_of::<T::Word>() as u64) => AtomicRef { place: Place::Nowhere },
            Ok(_) => panic!("{}", fault::misaligned("this reinterpreted view", size_of::<T>() as u64)),
            Err(_) if is_inside() => AtomicRef { place: Place::Nowhere },
            Err(error) => panic!("{error}"),
        }
    }
}

impl<'v, T: AtomicElement> AtomicRef<'v, T> {
    /// The atomic operations on an element of something that is not a view.
    #[doc(hidden)]
    pub fn of_place(of: &'v dyn AtomicPlace<T>, index: u64) -> Self {
        AtomicRef { place: Place::Other { of, index } }
    }

    /// Replaces the element by the result of `change`, and returns the old value. Outside of
    /// kernels it takes the lock.
    #[track_caller]
    fn change(&self, mut change: impl FnMut(T) -> T) -> Option<T> {
        let operation = |word: &T::Word| T::of_bits(word.change(|bits| change(T::of_bits(bits)).into_bits()));
        match self.place {
            Place::Nowhere => None,
            Place::Other { of, index } => of.change(index, &mut change),
            Place::Allocation { handle, at } => {
                let size = size_of::<T>() as u64;
                if holds(handle, at, size, Intent::Write) {
                    return Some(handle.memory.atomic::<T, T>(at, operation));
                }
                refuse_uncaptured();
                let access = || handle.memory.atomic::<T, T>(at, operation);
                match handle.briefly(&ByteRegion::solid(at, size), Intent::Write, access) {
                    Ok(old) => Some(old),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    #[track_caller]
    fn update(&self, change: impl FnMut(T) -> T) -> T {
        self.change(change).unwrap_or_else(T::zeroed)
    }

    /// Adds, wrapping. Returns the old value, as all of these do.
    #[doc(alias = "atomic_fetch_add")]
    #[track_caller]
    pub fn fetch_add(&self, value: T) -> T {
        self.update(|old| old.plus(value))
    }

    /// Stores the smaller value. Of floats, -0 is below +0, and a number goes before a NaN.
    #[doc(alias = "atomic_fetch_min")]
    #[track_caller]
    pub fn fetch_min(&self, value: T) -> T {
        self.update(|old| old.least(value))
    }

    /// Stores the larger value. Of floats, as [`fetch_min`](AtomicRef::fetch_min).
    #[doc(alias = "atomic_fetch_max")]
    #[track_caller]
    pub fn fetch_max(&self, value: T) -> T {
        self.update(|old| old.greatest(value))
    }

    /// Stores `value`.
    #[doc(alias = "atomic_exchange")]
    #[track_caller]
    pub fn exchange(&self, value: T) -> T {
        self.update(|_| value)
    }
}

impl<T: AtomicInteger> AtomicRef<'_, T> {
    /// Subtracts, wrapping.
    #[doc(alias = "atomic_fetch_sub")]
    #[track_caller]
    pub fn fetch_sub(&self, value: T) -> T {
        self.update(|old| old.minus(value))
    }

    /// Bitwise and.
    #[doc(alias = "atomic_fetch_and")]
    #[track_caller]
    pub fn fetch_and(&self, value: T) -> T {
        self.update(|old| old & value)
    }

    /// Bitwise or.
    #[doc(alias = "atomic_fetch_or")]
    #[track_caller]
    pub fn fetch_or(&self, value: T) -> T {
        self.update(|old| old | value)
    }

    /// Bitwise exclusive or.
    #[doc(alias = "atomic_fetch_xor")]
    #[track_caller]
    pub fn fetch_xor(&self, value: T) -> T {
        self.update(|old| old ^ value)
    }

    /// Adds 1, wrapping.
    #[doc(alias = "atomic_fetch_inc")]
    #[track_caller]
    pub fn fetch_inc(&self) -> T {
        self.update(|old| old.plus(T::UNIT))
    }

    /// Subtracts 1, wrapping.
    #[doc(alias = "atomic_fetch_dec")]
    #[track_caller]
    pub fn fetch_dec(&self) -> T {
        self.update(|old| old.minus(T::UNIT))
    }

    /// Stores `new` if the value is `current`. Returns the old value, and whether it was replaced.
    /// Never fails spuriously.
    #[doc(alias = "atomic_compare_exchange")]
    #[track_caller]
    pub fn compare_exchange(&self, current: T, new: T) -> (T, bool) {
        match self.change(|old| if old == current { new } else { old }) {
            Some(old) => (old, old == current),
            None => (T::zeroed(), false),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: AtomicElement> KernelType for AtomicRef<'_, T> {
    fn ty() -> RustType {
        RustType::Atomic(T::SCALAR)
    }
}
