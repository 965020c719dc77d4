//! Synchronization of a view: contents that are brought to the place of their next use, that are
//! given up, or that were changed outside of the library.
//!
//! # Access types
//! A synchronization with an [`AccessType`] names what is done at a place next, with host memory or
//! on an accelerator:
//!
//! | access | transferred to the place | valid afterwards |
//! |---|---|---|
//! | `Read`, `Auto` | bytes that are newer elsewhere | there, and where they were |
//! | `ReadWrite` | bytes that are newer elsewhere | there alone |
//! | `Write` | nothing: the contents are given up | there alone, unspecified until written |
//!
//! Of `Write` to a device, host memory keeps its bytes until the device writes, as after
//! [`discard_data`](ArrayView::discard_data).

use super::{Access, ArrayView, Writable};
use crate::api::accelerator::marker;
use crate::api::element::Element;
use crate::api::error::{Error, Result};
use crate::memory::coherence::Traffic;
use crate::memory::lock::Intent;
use crate::memory::region_copies::TakenRegions;
use crate::{AcceleratorView, AccessType, Completion};

impl<T: Element, const N: usize, A: Access> ArrayView<'_, T, N, A> {
    /// Waits for pending work and brings the newest contents to host memory. Returns errors that
    /// dropping the view does not return.
    pub fn synchronize(&self) -> Result<()> {
        // A launch on host memory works in place and is complete when it returns; one of another
        // thread is waited for.
        self.handle.briefly(&self.region(), Intent::Read, || ())
    }

    /// Waits for pending work and prepares host memory for an access that the library does not see:
    /// memory that is mapped, or that foreign code reads and writes.
    ///
    /// - `Read`, `Auto`: as [`synchronize`](Self::synchronize).
    /// - `ReadWrite`: likewise, and copies on devices are dropped, so that the next kernel there
    ///   gets the contents of host memory.
    /// - `Write`: the contents are given up, and nothing is transferred; copies on devices are
    ///   dropped.
    ///
    /// A guard of [`host_mut`](Self::host_mut) needs none of this. `None` is an error.
    ///
    /// ```
    /// use tilewise::{AccessType, ArrayView, parallel_for_each};
    /// let view = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
    /// parallel_for_each!(view.extent(), |i| view[i] *= 2)?;
    /// view.synchronize_for(AccessType::ReadWrite)?;
    /// assert_eq!(view.to_vec()?, [2, 4, 6, 8]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    pub fn synchronize_for(&self, access: AccessType) -> Result<()>
    where
        A: Writable,
    {
        match access {
            AccessType::Read | AccessType::Auto => self.synchronize(),
            AccessType::ReadWrite => self.handle.briefly(&self.region(), Intent::Write, || ()),
            AccessType::Write => self.handle.overwrite(&self.region(), || ()),
            AccessType::None => Err(no_access()),
        }
    }

    /// Starts [`synchronize`](Self::synchronize). After its completion, at most a copy within host
    /// memory remains, at the next access.
    pub fn synchronize_async(&self) -> Result<Completion> {
        let region = self.region();
        let taken = TakenRegions::new(&[(&self.handle, &region, Intent::Read)])?;
        let queues = self.handle.begin_home(&region)?;
        drop(taken);
        Ok(Completion::of_all(queues.iter().map(marker).collect::<Vec<_>>()))
    }

    /// Starts [`synchronize_for`](Self::synchronize_for). To be read, as
    /// [`synchronize_async`](Self::synchronize_async). With an access that writes it is done during
    /// the call, as the program may change host memory after the completion: nothing may be copied
    /// there later.
    pub fn synchronize_for_async(&self, access: AccessType) -> Result<Completion>
    where
        A: Writable,
    {
        match access {
            AccessType::Read | AccessType::Auto => self.synchronize_async(),
            AccessType::ReadWrite | AccessType::Write | AccessType::None => {
                self.synchronize_for(access).map(Completion::ready)
            }
        }
    }

    /// Brings the newest contents to an accelerator before they are needed there; to host memory,
    /// for an accelerator that works in it.
    pub fn synchronize_to(&self, view: &AcceleratorView) -> Result<()> {
        match view.chosen()?.gpu()? {
            None => self.synchronize(),
            Some((device, queue)) => {
                let region = self.region();
                let _taken = TakenRegions::new(&[(&self.handle, &region, Intent::Read)])?;
                self.handle.at_device(device, queue, &region)
            }
        }
    }

    /// Prepares the memory of an accelerator for an access; host memory, for an accelerator that
    /// works in it: [`synchronize_for`](Self::synchronize_for).
    ///
    /// - `Read`, `Auto`: as [`synchronize_to`](Self::synchronize_to).
    /// - `ReadWrite`: likewise, and the contents of the device are the newest from here on: the
    ///   next access of the host brings them back.
    /// - `Write`: the contents are given up, and nothing is transferred. For elements that the next
    ///   kernel overwrites.
    ///
    /// `None` is an error.
    pub fn synchronize_to_for(&self, view: &AcceleratorView, access: AccessType) -> Result<()>
    where
        A: Writable,
    {
        let view = view.chosen()?;
        let Some((device, queue)) = view.gpu()? else { return self.synchronize_for(access) };
        let region = self.region();
        let take = || TakenRegions::new(&[(&self.handle, &region, Intent::Write)]);
        match access {
            AccessType::Read | AccessType::Auto => self.synchronize_to(&view),
            AccessType::ReadWrite => {
                let _taken = take()?;
                self.handle.at_device_alone(device, queue, &region)
            }
            AccessType::Write => {
                let _taken = take()?;
                self.handle.room_at_device(device, queue, &region)
            }
            AccessType::None => Err(no_access()),
        }
    }

    /// Starts [`synchronize_to`](Self::synchronize_to). The completion completes when the contents
    /// have arrived.
    pub fn synchronize_to_async(&self, view: &AcceleratorView) -> Result<Completion> {
        let view = view.chosen()?;
        if view.gpu()?.is_none() {
            return self.synchronize_async();
        }
        // The data to upload is read during the call, which does not wait for the device.
        self.synchronize_to(&view)?;
        view.create_marker()
    }

    /// Starts [`synchronize_to_for`](Self::synchronize_to_for). The completion completes when the
    /// contents have arrived.
    pub fn synchronize_to_for_async(&self, view: &AcceleratorView, access: AccessType) -> Result<Completion>
    where
        A: Writable,
    {
        let view = view.chosen()?;
        if view.gpu()?.is_none() {
            return self.synchronize_for_async(access);
        }
        self.synchronize_to_for(&view, access)?;
        view.create_marker()
    }

    /// A hint that the present contents need not be kept or transferred. Data that is in host
    /// memory now stays readable there until it is overwritten.
    pub fn discard_data(&self)
    where
        A: Writable,
    {
        // An asynchronous copy may still read them. If a guard holds them, it must keep showing
        // them.
        let region = self.region();
        if self.handle.refuse_own(&region, Intent::Write).is_ok() {
            _ = self.handle.lock.briefly(&region, Intent::Write, || self.handle.discard(&region));
        }
    }

    /// Invalidates copies on devices, after host memory was changed outside of the library (it is
    /// mapped, or foreign code writes it). Data that devices have written is brought to host memory
    /// first.
    pub fn refresh(&self) -> Result<()> {
        self.handle.briefly(&self.region(), Intent::Read, || self.handle.refresh(&self.region()))
    }

    /// The bytes transferred for this view's memory, by all views of it.
    pub fn traffic(&self) -> Traffic {
        self.handle.traffic()
    }

    /// [`synchronize`](Self::synchronize), then drops this handle; the borrow ends here if it is
    /// the last one.
    pub fn close(self) -> Result<()> {
        self.synchronize()
    }
}

/// The error of an access type that asks for nothing.
fn no_access() -> Error {
    Error::Accelerator("a view is synchronized for no access: give `AccessType::Read`, `Write` or `ReadWrite`".into())
}
