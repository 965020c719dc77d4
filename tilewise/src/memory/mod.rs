//! [`Allocation`]: the memory that views of all shapes and types share, its lock, and how launches
//! hold it. What an index means is the views' affair; here are bytes.
//!
//! - [`region`]: which bytes a view names, and whether two views overlap.
//! - [`lock`]: who may touch which bytes now.
//! - [`storage`]: the bytes themselves; the only file here that follows pointers.
//! - [`launch`]: what a launch holds while it runs, and the access that its kernels have.
//! - [`in_place`]: what a launch holds, for the interpreter.
//! - [`state`], [`coherence`]: where the newest contents are, when devices have memories of their
//!   own, and how they come to where they are used; [`region_copies`]: copies from allocation to allocation.
//! - [`pending`]: launches on devices whose end is yet to come; [`device_writers`]: those that wrote
//!   to an allocation, and who hears how they ended.
//!
//! # Who keeps an allocation alive
//! An allocation is borrowed or owned **as long as a [`Handle`] exists**: in a view, in a kernel,
//! in a launch. Handles are counted apart from the `Arc`: whoever holds only the `Arc` (work that
//! goes on after the last view is gone) may use the allocation's numbers and its lock, but not its
//! memory. Each holder of a handle carries the lifetime of the borrow in its own type, so the last
//! handle is dropped, or leaked, before the borrow ends; a leaked one does nothing.

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
pub(crate) mod state;
pub(crate) mod storage;

// Not in the file that it tests: `tests/loom.rs` includes that.
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
    /// Nothing has been written since it was allocated or since its contents were given up.
    fresh: AtomicBool,
    handles: AtomicUsize,
}

/// A panic leaves nothing half done here: each lock is taken again after one. Said here, as rustc would
/// judge by the fields, down to those of wgpu.
impl RefUnwindSafe for Allocation {}

/// Where elements live.
pub(crate) enum AllocationSource {
    /// Memory of the host, given by the program.
    Host,
    /// Nowhere yet: whoever touches them first decides.
    Anyone(OnceLock<AcceleratorView>),
    /// An array's.
    Array(Placement),
}

/// Where an array is.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// What owns it.
    pub(crate) view: AcceleratorView,
    /// What a staging array is copied to and from.
    pub(crate) associated: AcceleratorView,
    /// What the host may do with it.
    pub(crate) access: AccessType,
}

impl Allocation {
    /// Whether nothing has been written to it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh.load(Ordering::SeqCst)
    }

    /// Says that something was written, or that what was written is given up.
    ///
    /// Who writes says so, and then looks whether a device uses the allocation; who brings an
    /// allocation to a device says so, and then looks whether it is fresh. All of it in one order
    /// (`SeqCst`), so one of two who do so at the same time sees the other.
    pub(crate) fn set_fresh(&self, fresh: bool) {
        if self.fresh.load(Ordering::Acquire) != fresh {
            self.fresh.store(fresh, Ordering::SeqCst);
        }
    }

    /// Notes who touches elements that have no source yet.
    #[inline]
    pub(crate) fn touched_by(&self, view: impl FnOnce() -> AcceleratorView) {
        if let AllocationSource::Anyone(first) = &self.source {
            first.get_or_init(view);
        }
    }

    /// Notes that the host touches it.
    #[inline]
    pub(crate) fn touched_by_host(&self) {
        self.touched_by(|| Accelerator::of(DeviceKind::Cpu).default_view());
    }

    /// As [`Allocation::briefly`], by who writes every byte of the region: what was there need not
    /// come here first.
    pub(crate) fn overwrite<R>(&self, region: &ByteRegion, access: impl FnOnce() -> R) -> Result<R> {
        launch::refuse_own(self, region, Intent::Write)?;
        let over = || {
            self.touched_by_host();
            self.memory.provide()?;
            self.wrote(region);
            Ok(access())
        };
        self.lock.briefly(region, Intent::Write, over).map_err(Error::Borrowed)?
    }

    /// Accesses a region from the host while nobody else can take it, with the newest contents in place. Gives the errors of launches that wrote there.
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

/// A share in an allocation: while one exists, its memory may be touched.
pub(crate) struct Handle {
    allocation: Arc<Allocation>,
    /// Whether it stands for an array that a kernel captured, and not for a view of it: then it says where the kernel runs.
    is_array: bool,
}

impl Handle {
    /// Fails where an access of the host would wait for the launch that it is made from.
    pub(crate) fn refuse_own(&self, region: &ByteRegion, intent: Intent) -> Result<()> {
        launch::refuse_own(self, region, intent)
    }

    /// The first handle to a new allocation with contents in host memory.
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
            handles: AtomicUsize::new(1),
        };
        Handle { allocation: Arc::new(allocation), is_array: false }
    }

    /// One more, that stands for an array.
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

    /// A number that allocations which exist at one time do not share.
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
        // It cannot overflow before the count of the `Arc` does, which ends the program.
        self.allocation.handles.fetch_add(1, Ordering::Relaxed);
        Handle { allocation: Arc::clone(&self.allocation), is_array: self.is_array }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // What this handle's holder wrote is seen by who finds itself the last.
        if self.allocation.handles.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        if self.allocation.is_away() {
            // The borrow lasts as long as this handle's holder, who is being dropped: the memory is still alive, and nobody else can reach it.
            if let Err(error) = self.allocation.end() {
                nobody_asked(&error);
            }
        }
    }
}
