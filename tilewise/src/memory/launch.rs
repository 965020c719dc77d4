//! [`Locked`]: the regions of the views that a launch's kernel captured, held all at once, and the
//! access that kernels running as closures have to them.
//!
//! # Inside a launch
//! An `#[amp]` function is safe code that anyone may call. An element access skips the lock only on
//! a thread that is **inside** a launch ([`Locked::inside`]), and only for bytes that this launch
//! holds; everywhere else it takes the lock, and panics if a host guard blocks it.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use smallvec::{SmallVec, smallvec};
use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::launch::{AllocationFacts, ViewArgument};

use super::lock::{self, Intent, PerAllocation, Ticket, Wanted};
use super::region::ByteRegion;
use super::{Allocation, Handle};
use crate::api::error::{Error, Result};

/// A view, bound to a launch.
#[derive(Clone)]
pub(crate) struct BoundView<'k> {
    pub(crate) handle: Handle,
    /// The argument for targets, except for the number of the allocation, which [`Locked`] knows.
    pub(crate) argument: ViewArgument,
    /// Whether the launch may write through it: the view allows it, and the kernel does.
    pub(crate) writes: bool,
    /// Its bytes.
    pub(crate) region: ByteRegion,
    /// The borrow of the memory.
    pub(crate) borrow: PhantomData<&'k mut ()>,
}

impl BoundView<'_> {
    fn intent(&self) -> Intent {
        if self.writes { Intent::Write } else { Intent::Read }
    }
}

/// Keeps the borrow until the view is dropped: without this, rustc would see no use of the lifetime
/// in the drop of the handle, which fetches contents from devices into the borrowed memory.
///
/// ```compile_fail,E0597
/// use tilewise::{ArrayView, Bind, macro_support::LaunchBinder};
/// let mut data = vec![0; 4];
/// let mut bound = LaunchBinder::default();
/// {
///     let view = ArrayView::new(4, &mut data)?;
///     view.bind(&mut bound);
/// }
/// data.clear();
/// // What was bound is dropped here, and is the last handle to memory that may be gone.
/// # Ok::<(), tilewise::Error>(())
/// ```
impl Drop for BoundView<'_> {
    fn drop(&mut self) {}
}

/// The regions of a launch, held until this is dropped.
pub(crate) struct Locked<'k> {
    held: Arc<HeldViews>,
    borrow: PhantomData<&'k mut ()>,
}

/// The regions of a [`Locked`], for the threads that are inside.
struct HeldViews {
    allocations: PerAllocation<HeldAllocation>,
    /// Whether host memory may have been written.
    touched: AtomicBool,
}

/// One for each view of an allocation: as a rule there is one.
type PerView<T> = SmallVec<[T; 1]>;

/// The regions held in one allocation.
pub(super) struct HeldAllocation {
    pub(super) handle: Handle,
    pub(super) regions: PerView<(ByteRegion, Intent)>,
    ticket: Ticket,
}

impl<'k> Locked<'k> {
    /// Takes the regions of these views, all or none. Waits for other launches; fails if a host
    /// guard blocks one, with the place where it was taken.
    pub(crate) fn new<'v>(views: impl IntoIterator<Item = &'v BoundView<'k>>) -> Result<Locked<'k>>
    where
        'k: 'v,
    {
        let mut allocations: PerAllocation<(&Handle, PerView<&BoundView<'k>>)> = SmallVec::new();
        for view in views {
            match allocations.iter_mut().find(|(handle, _)| handle.same_allocation(&view.handle)) {
                Some((_, views)) => views.push(view),
                None => allocations.push((&view.handle, smallvec![view])),
            }
        }
        let wanted: PerAllocation<(_, PerView<Wanted<'_>>)> = allocations
            .iter()
            .map(|(handle, views)| {
                let wanted = views.iter().map(|view| Wanted { region: &view.region, intent: view.intent() });
                (&handle.lock, wanted.collect())
            })
            .collect();
        let tickets = lock::take(&wanted).map_err(Error::Borrowed)?;
        let allocations = allocations.into_iter().zip(tickets).map(|((handle, views), ticket)| HeldAllocation {
            handle: handle.clone(),
            regions: views.iter().map(|view| (view.region.clone(), view.intent())).collect(),
            ticket,
        });
        let held = HeldViews { allocations: allocations.collect(), touched: AtomicBool::new(false) };
        Ok(Locked { held: Arc::new(held), borrow: PhantomData })
    }

    /// Runs one call of a kernel on this thread, with access to the regions that the launch holds.
    pub(crate) fn inside<R>(&self, kernel: impl FnOnce() -> R) -> R {
        let _reset = Reset(INSIDE.with(|inside| inside.replace(Some(Arc::clone(&self.held)))));
        kernel()
    }

    /// The number of a view's allocation in this launch. The view is one of those locked.
    pub(crate) fn number(&self, view: &BoundView<'_>) -> usize {
        let found = self.allocations().iter().position(|allocation| allocation.handle.same_allocation(&view.handle));
        found.expect("the launch holds the allocations of its views")
    }

    /// Size and alignment of the allocation with that number, the same on every target.
    pub(crate) fn facts(&self, number: usize) -> Option<AllocationFacts> {
        self.allocations().get(number).map(|allocation| allocation.handle.memory.facts())
    }

    /// The allocations in host memory, by number, for code that works in place as long as the
    /// launch holds them. The held bytes are up to date after [`Locked::at_home`].
    pub(crate) fn host_allocations(&self) -> PerAllocation<HostAllocation> {
        self.allocations().iter().map(|allocation| allocation.handle.memory.host_allocation()).collect()
    }

    /// Makes sure that host memory has the newest contents of all regions, for a target that works
    /// there. Regions that the launch may write count as written when this is dropped.
    #[inline]
    pub(crate) fn at_home(&self) -> Result<()> {
        for allocation in self.allocations() {
            for (region, _) in &allocation.regions {
                allocation.handle.at_home(region)?;
            }
        }
        // Set only after all succeed: after a failure nothing runs, and nothing is written.
        self.held.touched.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether a launch that wrote to the regions failed with an error that nothing has read yet.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.allocations()
            .iter()
            .any(|allocation| allocation.regions.iter().any(|(region, _)| allocation.handle.has_failed(region)))
    }

    pub(super) fn allocations(&self) -> &[HeldAllocation] {
        &self.held.allocations
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let touched = self.held.touched.load(Ordering::Relaxed);
        for allocation in &self.held.allocations {
            for (region, _) in allocation
                .regions
                .iter()
                .filter(|(_, intent)| touched && *intent == Intent::Write && !fault::planted(Fault::HostWritesUntold))
            {
                allocation.handle.wrote(region);
            }
            allocation.handle.lock.release(allocation.ticket);
        }
    }
}

thread_local! {
    /// Without a destructor, so that destructors of the thread's other variables may launch:
    /// [`Reset`] empties it.
    static INSIDE: ManuallyDrop<RefCell<Option<Arc<HeldViews>>>> = const { ManuallyDrop::new(RefCell::new(None)) };
}

/// Restores the launch that the thread was inside before, also if a kernel panics.
struct Reset(Option<Arc<HeldViews>>);

impl Drop for Reset {
    fn drop(&mut self) {
        INSIDE.with(|inside| inside.replace(self.0.take()));
    }
}

/// Whether this thread runs a kernel of a launch.
pub(crate) fn is_inside() -> bool {
    INSIDE.with(|inside| inside.borrow().is_some())
}

/// Panics inside a kernel, which has not captured the view that it uses. A panic hook that a kernel
/// enters is the program's own code, and may use other views.
#[track_caller]
pub(crate) fn refuse_uncaptured() {
    assert!(!is_inside() || thread::panicking(), "a kernel can only use views that it has captured");
}

/// Whether the launch that this thread is inside holds these bytes for this access.
pub(crate) fn holds(handle: &Handle, at: u64, size: u64, intent: Intent) -> bool {
    INSIDE.with(|inside| {
        let inside = inside.borrow();
        let Some(held) = inside.as_ref() else { return false };
        held.allocations.iter().filter(|allocation| allocation.handle.same_allocation(handle)).any(|allocation| {
            let enough = |held: Intent| held == Intent::Write || intent == Intent::Read;
            allocation.regions.iter().any(|(region, held)| enough(*held) && region.contains(at, size))
        })
    })
}

/// Refuses an access by the host from inside the launch that holds those bytes, as a panic hook may
/// attempt: the lock would wait for the launch, and the launch for the hook.
pub(super) fn refuse_own(allocation: &Allocation, region: &ByteRegion, intent: Intent) -> Result<()> {
    let waits = INSIDE.with(|inside| {
        let inside = inside.borrow();
        let held = inside.iter().flat_map(|held| &held.allocations);
        let mut held = held.filter(|held| std::ptr::eq(&*held.handle.allocation, allocation));
        let conflicts = |(own, held): &(ByteRegion, Intent)| held.conflicts(intent) && own.overlaps(region);
        held.any(|held| held.regions.iter().any(conflicts))
    });
    if !waits {
        return Ok(());
    }
    let text = "the host cannot use a view while it is inside of a launch that holds the view, as \
                a panic hook is that a closure on `native` enters";
    Err(Error::UnsupportedFeature(text.into()))
}

/// Whether a misaligned atomic operation inside a launch has no effect rather than panic: all
/// regions of the allocation that the launch may write begin at multiples of the alignment, so only
/// a view made in the kernel can be misaligned. Launches refuse a captured view that begins
/// elsewhere.
pub(crate) fn misses(handle: &Handle, alignment: u64) -> bool {
    INSIDE.with(|inside| {
        let inside = inside.borrow();
        let Some(held) = inside.as_ref() else { return false };
        let mut allocations = held.allocations.iter().filter(|allocation| allocation.handle.same_allocation(handle));
        allocations.any(|allocation| {
            let mut written =
                allocation.regions.iter().filter(|(region, held)| *held == Intent::Write && !region.is_empty());
            written.all(|(region, _)| allocation.handle.memory.aligns(region.start(), alignment))
        })
    })
}
