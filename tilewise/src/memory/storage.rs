//! [`HostBytes`]: the bytes of an allocation, borrowed or owned. The one file that follows an
//! allocation's pointer for single elements and for copies; guards, which return slices, have
//! [`guard::span`](crate::api::guard::span).
//!
//! # Invariants
//! 1. While a [`Handle`](super::Handle) exists, `bytes` bytes at `pointer` are alive, initialised
//!    and plain data, and nothing else accesses them: they are borrowed for the lifetime of every
//!    view, kernel and launch that has a handle, or owned by the allocation. After the last handle
//!    is dropped nothing may follow the pointer.
//! 2. Code that follows the pointer has the [`Lock`](super::lock::Lock) of the allocation for those
//!    bytes: a guard, an access under the lock's mutex, or a launch. Bytes that are newer on a
//!    device than here have no holder: [`coherence`](super::coherence) writes them, under its
//!    mutex, before anything follows the pointer to them.
//! 3. Nothing writes to [`Origin::Shared`].
//!
//! Within one launch several threads may access the same bytes, in words and in bytes; they use
//! [`shared_memory`] ([`HostBytes::load`], [`HostBytes::store`]), so a race in a kernel gives a wrong
//! result but no undefined behaviour.
#![allow(
    unsafe_code,
    reason = "follows pointers to memory that views borrow or own; the page says what makes it sound"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::Pod;
use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_cpu_jit::emit::shared_memory;
use tilewise_ir::launch::AllocationFacts;

use crate::api::copy::make_room;
use crate::api::element::{AtomicElement, Word};
use crate::api::error::{Error, Result};

/// Alignment of memory that the library allocates: a cache line, and the widest vector.
pub(crate) const OWN_ALIGNMENT: usize = 64;

/// Size and alignment of a huge page of the usual processors.
const HUGE_PAGE: usize = 2 << 20;
/// Own memory from this size on asks for huge pages. With pages of 4 KiB, a kernel that reads a
/// column, or in steps of many KiB, spends most of its time on finding pages.
const HUGE_PAGES_FROM: usize = 2 * HUGE_PAGE;

/// Such memory begins that many bytes further behind a huge page than the allocation before, in turn up to
/// [`PAGE`]. A processor takes a load for one of bytes that are still to be stored if the lowest 12 bits of
/// their addresses agree, and waits; so it would where a kernel reads one array and writes another, and both
/// begin at huge pages. Half a page and a line keep the neighbours of an element apart too, also in rows of
/// a quarter of a page: a stencil of 27 points in a cube of side 256 took 0.73 to 0.86 times as long.
const APART: usize = PAGE / 2 + OWN_ALIGNMENT;
const PAGE: usize = 4096;

/// Bytes, and their owner.
pub(crate) struct HostBytes {
    /// The first byte. Memory of the library is allocated on first use: that of an array on a
    /// device may never be.
    pointer: OnceLock<NonNull<u8>>,
    bytes: u64,
    alignment: usize,
    origin: Origin,
}

/// The owner of the bytes.
enum Origin {
    /// A `&mut [T]`.
    Borrowed,
    /// A `&[T]`: never written.
    Shared,
    /// The library: the layout requested from the allocator, and its result.
    Own(Layout, OnceLock<NonNull<u8>>),
    /// A `Vec<T>`, until the caller takes it back.
    Vec(Mutex<Option<Box<dyn Any + Send + Sync>>>),
}

// SAFETY: the bytes are plain data (`Pod` elements that are `Send + Sync`), and code that follows
// the pointer holds the lock (2).
unsafe impl Send for HostBytes {}
// SAFETY: as above.
unsafe impl Sync for HostBytes {}

impl HostBytes {
    /// A slice that nothing else can access. The holders of handles keep its lifetime (1).
    pub(crate) fn borrowed<T: Pod>(data: &mut [T]) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data) as u64, align_of::<T>());
        HostBytes { pointer: start(data.as_mut_ptr()).into(), bytes, alignment, origin: Origin::Borrowed }
    }

    /// A slice that nothing can change. The holders of handles keep its lifetime (1).
    pub(crate) fn shared<T: Pod>(data: &[T]) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data) as u64, align_of::<T>());
        HostBytes { pointer: start(data.as_ptr().cast_mut()).into(), bytes, alignment, origin: Origin::Shared }
    }

    /// A Vec, moved in.
    pub(crate) fn of_vec<T: Pod + Send + Sync>(mut data: Vec<T>) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data.as_slice()) as u64, align_of::<T>());
        let pointer = start(data.as_mut_ptr());
        // Moving the Vec does not move its elements, and nothing accesses it before it is taken
        // back.
        HostBytes { pointer: pointer.into(), bytes, alignment, origin: Origin::Vec(Mutex::new(Some(Box::new(data)))) }
    }

    /// Zeroed bytes, allocated on first use.
    pub(crate) fn zeroed(bytes: u64) -> Result<HostBytes> {
        let full = || Error::OutOfMemory(bytes);
        let size = usize::try_from(bytes).map_err(|_| full())?;
        // The allocator returns fresh, untouched zero pages only if the requested alignment is at
        // most its own; otherwise it clears every byte at once. So the size includes room to align
        // within.
        let size = size.checked_add(room_to_place(size)).ok_or_else(full)?;
        let layout = Layout::from_size_align(size, align_of::<u128>()).map_err(|_| full())?;
        let origin = Origin::Own(layout, OnceLock::new());
        Ok(HostBytes { pointer: OnceLock::new(), bytes, alignment: OWN_ALIGNMENT, origin })
    }

    /// Makes sure that the bytes are allocated.
    #[inline]
    pub(crate) fn provide(&self) -> Result<()> {
        if self.pointer.get().is_some() {
            return Ok(());
        }
        self.allocate()
    }

    #[cold]
    fn allocate(&self) -> Result<()> {
        let Origin::Own(layout, whole) = &self.origin else { return Ok(()) };
        // SAFETY: the layout's size is not 0.
        let made = NonNull::new(unsafe { alloc_zeroed(*layout) }).ok_or(Error::OutOfMemory(self.bytes))?;
        if whole.set(made).is_err() {
            // Another thread was first. SAFETY: allocated above, and no other code has seen it.
            unsafe { dealloc(made.as_ptr(), *layout) };
        }
        let whole = *whole.get().expect("it was set");
        let size = self.bytes as usize;
        let is_large = size >= HUGE_PAGES_FROM;
        let aligned = |to: usize| whole.addr().get().next_multiple_of(to) - whole.addr().get();
        self.pointer.get_or_init(|| {
            static LARGE: AtomicUsize = AtomicUsize::new(0);
            let skipped = match is_large {
                true => aligned(HUGE_PAGE) + LARGE.fetch_add(APART, Ordering::Relaxed) % PAGE,
                false => aligned(OWN_ALIGNMENT),
            };
            // SAFETY: `skipped` is less than the bytes added to the size.
            unsafe { whole.add(skipped) }
        });
        if is_large {
            // SAFETY: as above.
            ask_for_huge_pages(unsafe { whole.add(aligned(HUGE_PAGE)) }, size);
        }
        Ok(())
    }

    /// Whether the bytes are allocated.
    pub(crate) fn is_provided(&self) -> bool {
        self.pointer.get().is_some()
    }

    /// The first byte.
    ///
    /// # Panics
    /// If the host has no room for the bytes; [`HostBytes::provide`] returns an error instead.
    #[inline]
    fn pointer(&self) -> NonNull<u8> {
        match self.pointer.get() {
            Some(pointer) => *pointer,
            None => self.provided(),
        }
    }

    #[cold]
    fn provided(&self) -> NonNull<u8> {
        if let Err(error) = self.allocate() {
            panic!("{error}");
        }
        *self.pointer.get().expect("it was made")
    }

    /// The size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether a caller owns the bytes and sees writes to them.
    pub(crate) fn is_borrowed(&self) -> bool {
        matches!(self.origin, Origin::Borrowed | Origin::Shared)
    }

    /// Whether the bytes are never written.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.origin, Origin::Shared)
    }

    /// Size and alignment, known before the allocation.
    pub(crate) fn facts(&self) -> AllocationFacts {
        AllocationFacts { size: self.bytes, alignment: self.alignment as u64 }
    }

    /// The address for compiled code. The pointer may be used for all of the bytes.
    ///
    /// # Panics
    /// If the host has no room for the bytes; [`HostBytes::provide`] returns an error instead.
    pub(crate) fn host_allocation(&self) -> HostAllocation {
        HostAllocation { address: self.pointer().as_ptr().expose_provenance() as u64, size: self.bytes }
    }

    /// The address of byte `at`, for code that makes slices. It may lie one past the last byte.
    pub(crate) fn address(&self, at: u64) -> NonNull<u8> {
        assert!(at <= self.bytes, "a view lies within its allocation");
        // SAFETY: within the allocation, or one past its end.
        unsafe { self.pointer().add(at as usize) }
    }

    /// The address of `size` bytes from `at`.
    fn piece(&self, at: u64, size: usize) -> *mut u8 {
        assert!(at.checked_add(size as u64).is_some_and(|end| end <= self.bytes), "a view lies within its allocation");
        // SAFETY: within the allocation.
        unsafe { self.pointer().as_ptr().add(at as usize) }
    }

    /// The Vec that was moved in, if there is one and its elements are `T`. The caller has the only
    /// handle (1), and never follows the pointer again.
    pub(crate) fn take_vec<T: Pod>(&self) -> Option<Vec<T>> {
        let Origin::Vec(slot) = &self.origin else { return None };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if !slot.as_ref()?.is::<Vec<T>>() {
            return None;
        }
        slot.take()?.downcast().ok().map(|data| *data)
    }

    /// Reads one element. The caller has the lock for it, alone or with other readers.
    pub(crate) fn read<T: Pod>(&self, at: u64) -> T {
        // SAFETY: in bounds by `piece`, any bytes are a `T`, and nothing writes meanwhile (2).
        unsafe { self.piece(at, size_of::<T>()).cast::<T>().read_unaligned() }
    }

    /// Writes one element. The caller has the lock for it, alone.
    pub(crate) fn write<T: Pod>(&self, at: u64, value: T) {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        // SAFETY: in bounds by `piece`, and nothing else accesses it meanwhile (2).
        unsafe { self.piece(at, size_of::<T>()).cast::<T>().write_unaligned(value) };
    }

    /// Copies bytes out. The caller has the lock for them, alone or with other readers.
    pub(crate) fn read_bytes(&self, at: u64, into: &mut [u8]) {
        let from = self.piece(at, into.len());
        // SAFETY: in bounds by `piece`; `into` is other memory, as only readers have references to
        // these bytes (2).
        unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
    }

    /// Appends elements to a Vec that has room for them. The caller has the lock for their bytes,
    /// alone or with other readers.
    pub(crate) fn append<T: Pod>(&self, at: u64, count: usize, to: &mut Vec<T>) {
        assert!(to.capacity() - to.len() >= count, "the Vec has room");
        let bytes = count * size_of::<T>();
        let from = self.piece(at, bytes);
        // SAFETY: in bounds by `piece`, and by the asserted capacity of the Vec, which is other
        // memory; any bytes are a `T`, so the copied elements are initialised.
        unsafe {
            let into = to.as_mut_ptr().add(to.len()).cast::<u8>();
            std::ptr::copy_nonoverlapping(from, into, bytes);
            to.set_len(to.len() + count);
        }
    }

    /// Copies bytes in. The caller has the lock for them, alone.
    pub(crate) fn write_bytes(&self, at: u64, from: &[u8]) {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        let into = self.piece(at, from.len());
        // SAFETY: in bounds by `piece`; nothing else accesses it meanwhile (2).
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), into, from.len()) };
    }

    /// Copies bytes to another place, here or in another allocation. The caller has the lock for both, and for those
    /// of the target alone.
    pub(crate) fn copy_to(&self, from: u64, target: &HostBytes, to: u64, len: u64) {
        assert!(!target.is_shared(), "nothing writes to a shared slice");
        let (from, into) = (self.piece(from, len as usize), target.piece(to, len as usize));
        // SAFETY: in bounds by `piece`; nothing writes the source, and nothing else accesses the target meanwhile (2).
        unsafe { std::ptr::copy(from.cast_const(), into, len as usize) };
    }

    /// Passes runs of bytes (first byte, length) as slices to `look`. The caller has the lock for
    /// them, alone or with other readers, until this returns.
    pub(crate) fn with_bytes<R>(
        &self,
        runs: impl Iterator<Item = (u64, u64)>,
        look: impl FnOnce(&[(u64, &[u8])]) -> Result<R>,
    ) -> Result<R> {
        let piece = |(at, len): (u64, u64)| {
            let from = self.piece(at, len as usize);
            // SAFETY: in bounds by `piece`, initialised (1), and nothing writes meanwhile (2).
            (at, unsafe { std::slice::from_raw_parts(from.cast_const(), len as usize) })
        };
        let mut pieces: Vec<(u64, &[u8])> = Vec::new();
        make_room(&mut pieces, runs.size_hint().0 as u64)?;
        pieces.extend(runs.map(piece));
        look(&pieces)
    }

    /// Bytes as a slice.
    ///
    /// # Safety
    /// The caller has the lock for them, alone or with other readers, as long as the slice is used.
    pub(crate) unsafe fn slice(&self, at: u64, len: u64) -> &[u8] {
        // SAFETY: in bounds by `piece`, initialised (1), and nothing writes meanwhile, as the
        // caller promises.
        unsafe { std::slice::from_raw_parts(self.piece(at, len as usize).cast_const(), len as usize) }
    }

    /// Bytes as a mutable slice.
    ///
    /// # Safety
    /// The caller has the lock for them, alone, as long as the slice is used, and makes no other
    /// slice of them.
    #[allow(clippy::mut_from_ref, reason = "the lock says who may write, as the caller promises")]
    pub(crate) unsafe fn slice_mut(&self, at: u64, len: u64) -> &mut [u8] {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        // SAFETY: in bounds by `piece`, initialised (1), and nothing else accesses it meanwhile, as
        // the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.piece(at, len as usize), len as usize) }
    }

    /// Reads one element, while other threads of the same launch may write it.
    pub(crate) fn load<T: Pod>(&self, at: u64) -> T {
        if self.is_shared() {
            return self.read(at);
        }
        let size = size_of::<T>();
        let from = self.piece(at, size);
        let mut value = MaybeUninit::<T>::uninit();
        let into = value.as_mut_ptr().cast::<u8>();
        let step = granule(from, size);
        for i in (0..size).step_by(step) {
            // SAFETY: `from` is in bounds, the threads of a launch access bytes that it may write by
            // `shared_memory` and atomic operations only, and `into` points to a local variable.
            unsafe {
                let bits = shared_memory::read(from.add(i), step as u64);
                match step {
                    4 => into.add(i).cast::<u32>().write_unaligned(bits as u32),
                    _ => into.add(i).write(bits as u8),
                }
            }
        }
        // SAFETY: all `size` bytes are written, and any bytes are a `T`.
        unsafe { value.assume_init() }
    }

    /// Writes one element, while other threads of the same launch may read or write it.
    pub(crate) fn store<T: Pod>(&self, at: u64, value: T) {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        let size = size_of::<T>();
        let into = self.piece(at, size);
        let from = std::ptr::from_ref(&value).cast::<u8>();
        let step = granule(into, size);
        for i in (0..size).step_by(step) {
            // SAFETY: as in `load`.
            unsafe {
                let bits = match step {
                    4 => from.add(i).cast::<u32>().read_unaligned().into(),
                    _ => from.add(i).read().into(),
                };
                shared_memory::write(into.add(i), step as u64, bits);
            }
        }
    }

    /// Runs an atomic operation on one element. The caller has the lock for it, alone or with the
    /// other threads of its launch.
    pub(crate) fn atomic<T: AtomicElement, R>(&self, at: u64, operation: impl FnOnce(&T::Word) -> R) -> R {
        const { assert!(size_of::<T>() == size_of::<T::Word>(), "a word is as large as its element") };
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        assert!(self.gives::<T::Word>(at), "atomic operations need an aligned element");
        let word = self.piece(at, size_of::<T::Word>()).cast::<T::Word>();
        // SAFETY: in bounds by `piece`, aligned by the line above; the two types that are words
        // (`Word` is sealed) may have any bits; others access it only by atomic accesses (2).
        operation(unsafe { &*word })
    }

    /// Whether references to `T` at byte `at` are aligned, at whatever address the bytes are
    /// allocated.
    pub(crate) fn gives<T>(&self, at: u64) -> bool {
        self.aligns(at, align_of::<T>() as u64)
    }

    /// Whether byte `at` is aligned to `multiple`, at whatever address the bytes are allocated.
    pub(crate) fn aligns(&self, at: u64, multiple: u64) -> bool {
        (self.alignment as u64).is_multiple_of(multiple) && at.is_multiple_of(multiple)
    }
}

impl Drop for HostBytes {
    fn drop(&mut self) {
        if let Origin::Own(layout, whole) = &self.origin
            && let Some(whole) = whole.get()
        {
            // SAFETY: it was allocated with this layout, and no handle exists any more (1).
            unsafe { dealloc(whole.as_ptr(), *layout) };
        }
    }
}

/// Bytes that are skipped at most before own memory of a size, and one.
const fn room_to_place(size: usize) -> usize {
    if size >= HUGE_PAGES_FROM { HUGE_PAGE + PAGE } else { OWN_ALIGNMENT }
}

/// Asks the system for huge pages, of those that lie within the bytes. It may decline.
#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_huge_pages(first: NonNull<u8>, size: usize) {
    let whole = size - size % HUGE_PAGE;
    // SAFETY: the pages are part of one allocation of this process; the advice changes neither their
    // contents nor who may access them.
    let _declined = unsafe { rustix::mm::madvise(first.as_ptr().cast(), whole, rustix::mm::Advice::LinuxHugepage) };
}

/// Other systems choose the size of pages themselves.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask_for_huge_pages(_first: NonNull<u8>, _size: usize) {}

/// A slice's address, which is never null.
fn start<T>(pointer: *mut T) -> NonNull<u8> {
    NonNull::new(pointer).expect("a slice has an address").cast()
}

/// Bytes per access of a kernel: 4 if size and address are multiples of 4, else 1.
fn granule(address: *mut u8, size: usize) -> usize {
    if size.is_multiple_of(4) && address.addr().is_multiple_of(4) { 4 } else { 1 }
}

const _: () = assert!(align_of::<AtomicU32>() == 4 && align_of::<AtomicU64>() == 8, "words are aligned by their size");
const _: () = {
    const fn word<W: Word>() {}
    word::<AtomicU32>();
    word::<AtomicU64>();
};
