//! [`Allocation`]: the memory that views of all shapes and types share, its lock, and the way
//! launches hold it. Everything here is in bytes; views define the meaning of an index.
//!
//! - [`region`]: the bytes of a view, and whether two views overlap.
//! - [`lock`]: the regions that are held, and by which holders.
//! - [`storage`]: the bytes themselves; the only file here that follows pointers.
//! - [`launch`]: the regions that a launch holds while it runs, and its kernels' access to them.
//! - [`in_place`]: lends the memory that a launch holds to the interpreter.
//! - [`state`], [`coherence`]: which memories hold the newest contents, and transfers between host
//!   and devices; [`region_copies`]: copies between allocations; [`rows`]: their rows.
//! - [`pending`]: launches on devices that are not known to have ended; [`device_writers`]: those
//!   that wrote to an allocation, and the delivery of their errors.
//!
//! # Lifetime of an allocation
//! An allocation is borrowed or owned **as long as a [`Handle`] exists**: in a view, in a kernel,
//! in a launch. Handles are counted apart from the `Arc`: code that holds only the `Arc` (work that
//! continues after the last view is dropped) may use the allocation's numbers and its lock, but not
//! its memory. Each holder of a handle carries the lifetime of the borrow in its own type, so the
//! last handle is dropped, or leaked, before the borrow ends; a leaked one does nothing.

use std::ops::Deref;
use std::panic::RefUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Arc, OnceLock};

pub(crate) mod coherence;
pub(crate) mod device_writers;
pub(crate) mod in_place;
pub(crate) mod launch;
pub(crate) mod lock;
pub(crate) mod pending;
pub(crate) mod region;
pub(crate) mod region_copies;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod storage;

// Here, because `tests/loom.rs` includes the file that it tests.
#[cfg(test)]
#[path = "pending/tests.rs"]
mod pending_tests;
#[cfg(test)]
mod tests;

use coherence::Coherence;
use lock::{Intent, Lock};
use region::ByteRegion;
use storage::HostBytes;

use crate::api::accelerator::{Accelerator, AcceleratorView, AccessType, DeviceKind};
use crate::api::error::{Error, Result, nobody_asked};

/// Memory that views share.
pub(crate) struct Allocation {
    pub(crate) memory: HostBytes,
    pub(crate) lock: Lock,
    pub(crate) coherence: Coherence,
    pub(crate) source: AllocationSource,
    /// Nothing has been written since the allocation was made or its contents were discarded.
    fresh: AtomicBool,
    /// Its contents were discarded, and nothing has been written since. Only a fresh allocation's
    /// counts.
    discarded: AtomicBool,
    handles: AtomicUsize,
}

/// A panic leaves no inconsistent state: every lock is taken again after one. Stated here, since
/// rustc would decide by the fields, down to those of wgpu.
impl RefUnwindSafe for Allocation {}

/// The home of an allocation's elements.
pub(crate) enum AllocationSource {
    /// Host memory that the program provided.
    Host,
    /// Undecided: the first access decides.
    Anyone(OnceLock<AcceleratorView>),
    /// An array.
    Array(Placement),
}

/// The placement of an array.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// The accelerator view that owns it.
    pub(crate) view: AcceleratorView,
    /// The accelerator view that a staging array is copied to and from.
    pub(crate) associated: AcceleratorView,
    /// The access that the host has.
    pub(crate) access: AccessType,
}

impl Allocation {
    /// Whether nothing has been written to it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh.load(Ordering::SeqCst)
    }

    /// Whether its contents are unspecified: they were discarded, and nothing was written since.
    pub(crate) fn is_unspecified(&self) -> bool {
        self.is_fresh() && self.discarded.load(Ordering::SeqCst)
    }

    /// Records that its contents were discarded.
    pub(crate) fn set_discarded(&self) {
        self.discarded.store(true, Ordering::SeqCst);
        self.set_fresh(true);
    }

    /// Records that the allocation was written, or that its contents were discarded.
    ///
    /// A writer stores this flag and then checks whether a device uses the allocation; a thread
    /// that brings the allocation to a device records that use and then checks whether the
    /// allocation is fresh. All of these accesses are in one order (`SeqCst`), so of two concurrent
    /// ones at least one sees the other.
    pub(crate) fn set_fresh(&self, fresh: bool) {
        if self.fresh.load(Ordering::Acquire) != fresh {
            self.fresh.store(fresh, Ordering::SeqCst);
        }
    }

    /// Records the first access to elements without a home.
    #[inline]
    pub(crate) fn touched_by(&self, view: impl FnOnce() -> AcceleratorView) {
        if let AllocationSource::Anyone(first) = &self.source {
            first.get_or_init(view);
        }
    }

    /// Records an access by the host.
    #[inline]
    pub(crate) fn touched_by_host(&self) {
        self.touched_by(|| Accelerator::of(DeviceKind::Cpu).default_view());
    }

    /// As [`Allocation::briefly`], for an access that writes every byte of the region: its old
    /// contents are not fetched.
    pub(crate) fn overwrite<R>(&self, region: &ByteRegion, access: impl FnOnce() -> R) -> Result<R> {
        launch::refuse_own(self, region, Intent::Write)?;
        let over = || {
            self.can_be_overwritten(region)?;
            self.touched_by_host();
            self.memory.provide()?;
            self.wrote(region);
            Ok(access())
        };
        self.lock.briefly(region, Intent::Write, over).map_err(Error::Borrowed)?
    }

    /// Accesses a region from the host with its newest contents, while nothing else can take it.
    /// Returns the errors of launches that wrote there.
    pub(crate) fn briefly<R>(&self, region: &ByteRegion, intent: Intent, access: impl FnOnce() -> R) -> Result<R> {
        launch::refuse_own(self, region, intent)?;
        let mut access = Some(access);
        loop {
            self.tell(region)?;
            let newest = || {
                self.touched_by_host();
                self.at_home(region)?;
                if self.has_failed(region) {
                    return Ok(None);
                }
                if intent == Intent::Write {
                    self.wrote(region);
                }
                Ok(access.take().map(|access| access()))
            };
            if let Some(done) = self.lock.briefly(region, intent, newest).map_err(Error::Borrowed)?? {
                return Ok(done);
            }
        }
    }
}

/// A share in an allocation: while one exists, its memory may be accessed.
pub(crate) struct Handle {
    allocation: Arc<Allocation>,
    /// Whether it stands for an array that a kernel captured rather than for a view of it: an array
    /// decides where the kernel runs.
    is_array: bool,
}

impl Handle {
    /// Fails if the host's access would wait for the launch that it is made from.
    pub(crate) fn refuse_own(&self, region: &ByteRegion, intent: Intent) -> Result<()> {
        launch::refuse_own(self, region, intent)
    }

    /// The first handle to a new allocation whose contents are in host memory.
    pub(crate) fn new(memory: HostBytes) -> Handle {
        Handle::with(memory, false, AllocationSource::Host)
    }

    /// The first handle to a new allocation; `fresh`: without contents yet.
    pub(crate) fn with(memory: HostBytes, fresh: bool, source: AllocationSource) -> Handle {
        let allocation = Allocation {
            memory,
            lock: Lock::default(),
            coherence: Coherence::default(),
            source,
            fresh: AtomicBool::new(fresh),
            discarded: AtomicBool::new(false),
            handles: AtomicUsize::new(1),
        };
        Handle { allocation: Arc::new(allocation), is_array: false }
    }

    /// Another handle, which stands for an array.
    pub(crate) fn of_array(&self) -> Handle {
        let mut handle = self.clone();
        handle.is_array = true;
        handle
    }

    /// Whether it stands for an array.
    pub(crate) fn is_array(&self) -> bool {
        self.is_array
    }

    /// Whether both are handles to one allocation.
    pub(crate) fn same_allocation(&self, other: &Handle) -> bool {
        Arc::ptr_eq(&self.allocation, &other.allocation)
    }

    /// A number that is unique among the allocations that exist at one time.
    pub(crate) fn number(&self) -> u64 {
        Arc::as_ptr(&self.allocation).addr() as u64
    }

    /// Whether there is no other handle.
    pub(crate) fn is_last(&self) -> bool {
        self.allocation.handles.load(Ordering::Acquire) == 1
    }
}

impl Deref for Handle {
    type Target = Allocation;

    fn deref(&self) -> &Allocation {
        &self.allocation
    }
}

impl Clone for Handle {
    fn clone(&self) -> Handle {
        // Cannot overflow before the count of the `Arc`, whose overflow aborts the program.
        self.allocation.handles.fetch_add(1, Ordering::Relaxed);
        Handle { allocation: Arc::clone(&self.allocation), is_array: self.is_array }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // The writes of this handle's holder are visible to the thread that drops the last handle.
        if self.allocation.handles.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        if self.allocation.is_away() {
            // The borrow lasts as long as the holder of this handle, which is being dropped: the
            // memory is still alive, and nothing else can reach it.
            if let Err(error) = self.allocation.end() {
                nobody_asked(&error);
            }
        }
    }
}
