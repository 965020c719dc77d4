//! [`Span`]: the elements of a guard, as references and slices. The lock and the pointer are one
//! value here, so that neither exists without the other.
//!
//! # Invariants
//! A span holds the allocation's lock for the bytes of its layout, shared or ([`SpanMut`])
//! exclusive, until it is dropped; and it borrows the view, so the allocation's memory is alive.
//! All references that it returns lie within the layout: elements at indices in range, rows of the
//! view, or the whole view if it is contiguous. Bytes between the rows belong to others.
#![allow(unsafe_code, reason = "makes references out of an allocation's pointer; the page says what makes it sound")]

use std::marker::PhantomData;
use std::panic::Location;
use std::ptr::NonNull;
use std::slice;

use crate::api::element::Element;
use crate::api::error::{Error, Result};
use crate::api::view::ViewLayout;
use crate::memory::Handle;
use crate::memory::lock::{Intent, Ticket};
use crate::memory::region::ByteRegion;
use crate::memory::storage::OWN_ALIGNMENT;

/// A region of an allocation, locked until this is dropped.
struct Hold<'g> {
    handle: &'g Handle,
    ticket: Ticket,
}

impl<'g> Hold<'g> {
    /// Takes the lock, after which the newest contents are in host memory.
    fn take(handle: &'g Handle, region: &ByteRegion, intent: Intent, at: &'static Location<'static>) -> Result<Self> {
        handle.refuse_own(region, intent)?;
        // Other threads wait too for data that a device must transfer first: the guard blocks them
        // only once its holder has it.
        let away = handle.is_away();
        let taken = match away {
            true => handle.lock.prepare(region.clone(), intent),
            false => handle.lock.guard(region.clone(), intent, at),
        };
        let hold = Hold { handle, ticket: taken.map_err(Error::Borrowed)? };
        handle.touched_by_host();
        handle.at_home(region)?;
        if away {
            handle.lock.hand_over(hold.ticket, at);
        }
        Ok(hold)
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.handle.lock.release(self.ticket);
    }
}

/// Elements to read.
pub struct Span<'g, T, const N: usize> {
    first: NonNull<T>,
    layout: ViewLayout<N>,
    _hold: Hold<'g>,
    elements: PhantomData<&'g [T]>,
}

// SAFETY: it permits what `&[T]` permits; any thread may release the lock.
unsafe impl<T: Send + Sync, const N: usize> Send for Span<'_, T, N> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync, const N: usize> Sync for Span<'_, T, N> {}

impl<'g, T: Element, const N: usize> Span<'g, T, N> {
    /// Takes the lock for reading.
    pub(crate) fn new(handle: &'g Handle, layout: ViewLayout<N>, at: &'static Location<'static>) -> Result<Self> {
        Span::with(handle, layout, Intent::Read, at)
    }

    fn with(handle: &'g Handle, layout: ViewLayout<N>, intent: Intent, at: &'static Location<'static>) -> Result<Self> {
        if !handle.memory.gives::<T>(layout.offset) {
            let align = align_of::<T>();
            let elements = if align > OWN_ALIGNMENT {
                format!("memory of the library is aligned to {OWN_ALIGNMENT} bytes, so elements of this view")
            } else {
                "the elements of this reinterpreted view".to_owned()
            };
            return Err(Error::shape(
                None,
                format!(
                    "{elements} need not begin at a multiple of {align} bytes, and there is no slice of them; use `get` and `set`"
                ),
            ));
        }
        let region = layout.region(size_of::<T>() as u64);
        // A pointer must not leave the allocation; `address` asserts that for the first byte, this
        // for the end. An empty view may be anywhere.
        assert!(region.is_empty() || region.end() <= handle.memory.bytes(), "a view lies within its allocation");
        let _hold = loop {
            handle.tell(&region)?;
            let hold = Hold::take(handle, &region, intent, at)?;
            if !handle.has_failed(&region) {
                break hold;
            }
        };
        if intent == Intent::Write {
            handle.wrote(&region);
        }
        let first = handle.memory.address(if region.is_empty() { 0 } else { layout.offset }).cast();
        Ok(Span { first, layout, _hold, elements: PhantomData })
    }

    /// The layout of its elements.
    #[inline(always)]
    pub(crate) fn layout(&self) -> &ViewLayout<N> {
        &self.layout
    }

    /// The address of an element.
    #[inline(always)]
    fn at(&self, distance: u64) -> NonNull<T> {
        // SAFETY: callers pass the distance of an element of the layout.
        unsafe { self.first.add(distance as usize) }
    }

    /// The element at an index, if in range.
    #[inline(always)]
    pub(crate) fn element(&self, index: [i32; N]) -> Option<&T> {
        let distance = self.layout.distance(index)?;
        // SAFETY: an element of the layout, aligned as its first is, and nobody writes while the
        // lock is held.
        Some(unsafe { self.at(distance).as_ref() })
    }

    /// All elements, if they are contiguous.
    #[inline]
    pub(crate) fn slice(&self) -> Option<&[T]> {
        // SAFETY: the elements of the layout, contiguous; nobody writes while the lock is held.
        self.layout
            .is_dense()
            .then(|| unsafe { slice::from_raw_parts(self.first.as_ptr(), self.layout.len() as usize) })
    }

    /// From the element at an index, if in range, to the end of its row.
    #[inline]
    pub(crate) fn row(&self, index: [i32; N]) -> Option<&[T]> {
        let distance = self.layout.distance(index)?;
        let len = self.layout.extent[N - 1] - index[N - 1];
        // SAFETY: elements of one row of the layout, contiguous; nobody writes while the lock is
        // held.
        Some(unsafe { slice::from_raw_parts(self.at(distance).as_ptr(), len as usize) })
    }

    /// All rows, in order; one, if all elements are contiguous.
    #[inline]
    pub(super) fn rows(&self) -> SpanRows<'_, T, N> {
        SpanRows { first: self.first, starts: Starts::of(&self.layout), elements: PhantomData }
    }
}

/// Elements to read and write.
pub struct SpanMut<'g, T, const N: usize>(Span<'g, T, N>);

impl<'g, T: Element, const N: usize> SpanMut<'g, T, N> {
    /// Takes the lock exclusively.
    pub(crate) fn new(handle: &'g Handle, layout: ViewLayout<N>, at: &'static Location<'static>) -> Result<Self> {
        assert!(!handle.memory.is_shared(), "nothing writes to a shared slice");
        Ok(SpanMut(Span::with(handle, layout, Intent::Write, at)?))
    }

    /// The span, for reading.
    #[inline(always)]
    pub(crate) fn span(&self) -> &Span<'g, T, N> {
        &self.0
    }

    /// The element at an index, if in range.
    #[inline(always)]
    pub(crate) fn element_mut(&mut self, index: [i32; N]) -> Option<&mut T> {
        let distance = self.0.layout.distance(index)?;
        // SAFETY: an element of the layout; the lock is exclusive, and so is the borrow of this
        // span.
        Some(unsafe { self.0.at(distance).as_mut() })
    }

    /// All elements, if they are contiguous.
    #[inline]
    pub(crate) fn slice_mut(&mut self) -> Option<&mut [T]> {
        let (first, len) = (self.0.first.as_ptr(), self.0.layout.len() as usize);
        // SAFETY: the elements of the layout, contiguous; the lock is exclusive, and so is the
        // borrow of this span.
        self.0.layout.is_dense().then(|| unsafe { slice::from_raw_parts_mut(first, len) })
    }

    /// From the element at an index, if in range, to the end of its row.
    #[inline]
    pub(crate) fn row_mut(&mut self, index: [i32; N]) -> Option<&mut [T]> {
        let distance = self.0.layout.distance(index)?;
        let len = self.0.layout.extent[N - 1] - index[N - 1];
        // SAFETY: elements of one row of the layout, contiguous; the lock is exclusive, and so is
        // the borrow of this span.
        Some(unsafe { slice::from_raw_parts_mut(self.0.at(distance).as_ptr(), len as usize) })
    }

    /// All rows, in order; one, if all elements are contiguous.
    #[inline]
    pub(super) fn rows_mut(&mut self) -> RowsMut<'_, T, N> {
        RowsMut { first: self.0.first, starts: Starts::of(&self.0.layout), elements: PhantomData }
    }
}

/// The first elements of rows, as distances from the first element of the span.
#[derive(Clone)]
struct Starts<const N: usize> {
    layout: ViewLayout<N>,
    /// Elements of a row.
    len: usize,
    /// The number of rows returned so far, and of all rows.
    next: u64,
    count: u64,
}

impl<const N: usize> Starts<N> {
    fn of(layout: &ViewLayout<N>) -> Self {
        let all = layout.len();
        let len = if layout.is_dense() { all } else { layout.extent[N - 1] as u64 };
        Starts { layout: *layout, len: len as usize, next: 0, count: if all == 0 { 0 } else { all / len } }
    }

    /// The distance of the next row.
    fn step(&mut self) -> Option<u64> {
        if self.next == self.count {
            return None;
        }
        let mut number = self.next;
        self.next += 1;
        let mut distance = 0;
        for d in (0..N - 1).rev() {
            let size = self.layout.extent[d] as u64;
            distance += number % size * self.layout.strides[d];
            number /= size;
        }
        Some(distance)
    }

    /// The number of elements not returned yet.
    fn left(&self) -> usize {
        (self.count - self.next) as usize * self.len
    }
}

/// Rows to read.
pub(super) struct SpanRows<'s, T, const N: usize> {
    first: NonNull<T>,
    starts: Starts<N>,
    elements: PhantomData<&'s [T]>,
}

impl<T, const N: usize> SpanRows<'_, T, N> {
    /// The number of elements in the remaining rows.
    pub(crate) fn left(&self) -> usize {
        self.starts.left()
    }
}

impl<'s, T, const N: usize> Iterator for SpanRows<'s, T, N> {
    type Item = &'s [T];

    fn next(&mut self) -> Option<&'s [T]> {
        let start = self.starts.step()?;
        // SAFETY: a row of the layout of the span that is borrowed for `'s`.
        Some(unsafe { slice::from_raw_parts(self.first.add(start as usize).as_ptr(), self.starts.len) })
    }
}

/// Rows to read and write.
pub(super) struct RowsMut<'s, T, const N: usize> {
    first: NonNull<T>,
    starts: Starts<N>,
    elements: PhantomData<&'s mut [T]>,
}

impl<T, const N: usize> RowsMut<'_, T, N> {
    /// The number of elements in the remaining rows.
    pub(crate) fn left(&self) -> usize {
        self.starts.left()
    }
}

impl<'s, T, const N: usize> Iterator for RowsMut<'s, T, N> {
    type Item = &'s mut [T];

    fn next(&mut self) -> Option<&'s mut [T]> {
        let start = self.starts.step()?;
        // SAFETY: a row of the layout of the span that is borrowed exclusively for `'s`; each row
        // is returned once, and rows do not overlap.
        Some(unsafe { slice::from_raw_parts_mut(self.first.add(start as usize).as_ptr(), self.starts.len) })
    }
}
