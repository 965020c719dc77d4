//! [`HostBytes`]: the bytes of an allocation, whoever they belong to. The one file that follows an
//! allocation's pointer for single elements and for copies; guards, which hand out slices, have
//! [`guard::span`](crate::api::guard::span).
//!
//! # What must hold
//! 1. While a [`Handle`](super::Handle) exists, `bytes` bytes at `pointer` are alive, initialised
//!    and plain data, and nobody else touches them: they are borrowed for the lifetime of every
//!    view, kernel and launch that has a handle, or owned by the allocation. After the last handle
//!    is gone nobody may follow the pointer.
//! 2. Whoever follows it has the [`Lock`](super::lock::Lock) of the allocation for those bytes: a
//!    guard, an access under the lock's mutex, or a launch. Bytes that are newer on a device than
//!    here are nobody's: [`coherence`](super::coherence) writes them, under its mutex, before
//!    anyone follows the pointer to them.
//! 3. Nothing writes to [`Origin::Shared`].
//!
//! Within one launch several threads may touch the same bytes; that is done by relaxed atomic words
//! and bytes ([`HostBytes::load`], [`HostBytes::store`]), so a race in a kernel is a wrong
//! answer and nothing worse.
#![allow(
    unsafe_code,
    reason = "follows pointers to memory that views borrow or own; the page says what makes it sound"
)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::Pod;
use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_ir::launch::AllocationFacts;

use crate::api::element::{AtomicElement, Word};
use crate::api::error::{Error, Result};

/// Alignment of memory that the library allocates: a line of the cache, and the widest vector.
pub(crate) const OWN_ALIGNMENT: usize = 64;

/// Bytes, and whose they are.
pub(crate) struct HostBytes {
    /// Where they are. The library's own are made when they are first asked for: those of an array on a device may never be.
    pointer: OnceLock<NonNull<u8>>,
    bytes: u64,
    alignment: usize,
    origin: Origin,
}

/// Whose the bytes are.
enum Origin {
    /// A `&mut [T]`.
    Borrowed,
    /// A `&[T]`: nothing writes.
    Shared,
    /// The library's: what is asked of the allocator, and what it gave.
    Own(Layout, OnceLock<NonNull<u8>>),
    /// A `Vec<T>`, until it is taken back.
    Vec(Mutex<Option<Box<dyn Any + Send + Sync>>>),
}

// SAFETY: the bytes are plain data (`Pod` elements that are `Send + Sync`), and who follows the pointer holds the lock (2).
unsafe impl Send for HostBytes {}
// SAFETY: as above.
unsafe impl Sync for HostBytes {}

impl HostBytes {
    /// A slice that nobody else can touch. The lifetime is kept by who holds the handles (1).
    pub(crate) fn borrowed<T: Pod>(data: &mut [T]) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data) as u64, align_of::<T>());
        HostBytes { pointer: start(data.as_mut_ptr()).into(), bytes, alignment, origin: Origin::Borrowed }
    }

    /// A slice that nobody can change. The lifetime is kept by who holds the handles (1).
    pub(crate) fn shared<T: Pod>(data: &[T]) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data) as u64, align_of::<T>());
        HostBytes { pointer: start(data.as_ptr().cast_mut()).into(), bytes, alignment, origin: Origin::Shared }
    }

    /// A Vec, which moves in.
    pub(crate) fn of_vec<T: Pod + Send + Sync>(mut data: Vec<T>) -> HostBytes {
        let (bytes, alignment) = (size_of_val(data.as_slice()) as u64, align_of::<T>());
        let pointer = start(data.as_mut_ptr());
        // Moving the Vec does not move its elements, and nobody looks at it before it is taken back.
        HostBytes { pointer: pointer.into(), bytes, alignment, origin: Origin::Vec(Mutex::new(Some(Box::new(data)))) }
    }

    /// Zeros, which take room when they are first used.
    pub(crate) fn zeroed(bytes: u64) -> Result<HostBytes> {
        let full = || Error::OutOfMemory(bytes);
        let size = usize::try_from(bytes).map_err(|_| full())?;
        // The allocator hands out fresh pages as they are, zero and not yet there, only if it is asked
        // for no more than its own alignment: else it clears every byte at once. So there is room to
        // align within.
        let size = size.checked_add(OWN_ALIGNMENT).ok_or_else(full)?;
        let layout = Layout::from_size_align(size, align_of::<u128>()).map_err(|_| full())?;
        let origin = Origin::Own(layout, OnceLock::new());
        Ok(HostBytes { pointer: OnceLock::new(), bytes, alignment: OWN_ALIGNMENT, origin })
    }

    /// Sees to it that the bytes are there.
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
            // Another thread was first. SAFETY: allocated above, and nobody has seen it.
            unsafe { dealloc(made.as_ptr(), *layout) };
        }
        let whole = *whole.get().expect("it was set");
        let skipped = whole.addr().get().next_multiple_of(OWN_ALIGNMENT) - whole.addr().get();
        // SAFETY: fewer bytes than there are for this beyond those of the memory.
        self.pointer.get_or_init(|| unsafe { whole.add(skipped) });
        Ok(())
    }

    /// Whether the bytes are there.
    pub(crate) fn is_provided(&self) -> bool {
        self.pointer.get().is_some()
    }

    /// Where they are.
    ///
    /// # Panics
    /// When the host has no room for them; who wants an error calls [`HostBytes::provide`] first.
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

    /// How many.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether they are a caller's, who sees what is written to them.
    pub(crate) fn is_borrowed(&self) -> bool {
        matches!(self.origin, Origin::Borrowed | Origin::Shared)
    }

    /// Whether nothing writes to it.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.origin, Origin::Shared)
    }

    /// What is known of it before anybody follows the pointer.
    pub(crate) fn facts(&self) -> AllocationFacts {
        AllocationFacts { size: self.bytes, alignment: self.alignment as u64 }
    }

    /// Where it is, for compiled code. The pointer may be used for all of it.
    ///
    /// # Panics
    /// When the host has no room for it; who wants an error calls [`HostBytes::provide`] first.
    pub(crate) fn host_allocation(&self) -> HostAllocation {
        HostAllocation { address: self.pointer().as_ptr().expose_provenance() as u64, size: self.bytes }
    }

    /// The address of byte `at`, for who hands out slices. It may lie behind the last byte, by none.
    pub(crate) fn address(&self, at: u64) -> NonNull<u8> {
        assert!(at <= self.bytes, "a view lies within its allocation");
        // SAFETY: within the allocation, or just behind it.
        unsafe { self.pointer().add(at as usize) }
    }

    /// The address of `size` bytes from `at` on.
    fn piece(&self, at: u64, size: usize) -> *mut u8 {
        assert!(at.checked_add(size as u64).is_some_and(|end| end <= self.bytes), "a view lies within its allocation");
        // SAFETY: within the allocation.
        unsafe { self.pointer().as_ptr().add(at as usize) }
    }

    /// The Vec that moved in, if it did and its elements are `T`. The caller has the only handle (1), and never follows the pointer again.
    pub(crate) fn take_vec<T: Pod>(&self) -> Option<Vec<T>> {
        let Origin::Vec(slot) = &self.origin else { return None };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if !slot.as_ref()?.is::<Vec<T>>() {
            return None;
        }
        slot.take()?.downcast().ok().map(|data| *data)
    }

    /// One element. The caller has the lock for it, alone or with other readers.
    pub(crate) fn read<T: Pod>(&self, at: u64) -> T {
        // SAFETY: in bounds by `piece`, any bytes are a `T`, and nobody writes meanwhile (2).
        unsafe { self.piece(at, size_of::<T>()).cast::<T>().read_unaligned() }
    }

    /// Writes one element. The caller has the lock for it, alone.
    pub(crate) fn write<T: Pod>(&self, at: u64, value: T) {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        // SAFETY: in bounds by `piece`, and nobody else touches it meanwhile (2).
        unsafe { self.piece(at, size_of::<T>()).cast::<T>().write_unaligned(value) };
    }

    /// Copies bytes out. The caller has the lock for them, alone or with other readers.
    pub(crate) fn read_bytes(&self, at: u64, into: &mut [u8]) {
        let from = self.piece(at, into.len());
        // SAFETY: in bounds by `piece`; `into` is another's memory, as no reference to ours is in anybody's hands but a reader's (2).
        unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
    }

    /// Copies elements onto the end of a Vec that has room for them. The caller has the lock for their
    /// bytes, alone or with other readers.
    pub(crate) fn append<T: Pod>(&self, at: u64, count: usize, to: &mut Vec<T>) {
        assert!(to.capacity() - to.len() >= count, "the Vec has room");
        let bytes = count * size_of::<T>();
        let from = self.piece(at, bytes);
        // SAFETY: in bounds by `piece`, and by the room that the Vec was seen to have, which is
        // another's memory; any bytes are a `T`, so the elements that are copied are initialised.
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
        // SAFETY: in bounds by `piece`; nobody else touches it meanwhile (2).
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), into, from.len()) };
    }

    /// Shows runs of bytes (the first, how many) as slices. The caller has the lock for them, alone or with other readers, until this returns.
    pub(crate) fn with_bytes<R>(
        &self,
        runs: impl Iterator<Item = (u64, u64)>,
        look: impl FnOnce(&[(u64, &[u8])]) -> R,
    ) -> R {
        let piece = |(at, len): (u64, u64)| {
            let from = self.piece(at, len as usize);
            // SAFETY: in bounds by `piece`, initialised (1), and nobody writes meanwhile (2).
            (at, unsafe { std::slice::from_raw_parts(from.cast_const(), len as usize) })
        };
        let pieces: Vec<(u64, &[u8])> = runs.map(piece).collect();
        look(&pieces)
    }

    /// Some bytes, as a slice.
    ///
    /// # Safety
    /// The caller has the lock for them, alone or with other readers, as long as the slice is used.
    pub(crate) unsafe fn slice(&self, at: u64, len: u64) -> &[u8] {
        // SAFETY: in bounds by `piece`, initialised (1), and nobody writes meanwhile, as the caller promises.
        unsafe { std::slice::from_raw_parts(self.piece(at, len as usize).cast_const(), len as usize) }
    }

    /// Some bytes, as a slice to write to.
    ///
    /// # Safety
    /// The caller has the lock for them, alone, as long as the slice is used, and makes no other of them.
    #[allow(clippy::mut_from_ref, reason = "the lock says who may write, as the caller promises")]
    pub(crate) unsafe fn slice_mut(&self, at: u64, len: u64) -> &mut [u8] {
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        // SAFETY: in bounds by `piece`, initialised (1), and nobody else touches it meanwhile, as the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.piece(at, len as usize), len as usize) }
    }

    /// One element, while other threads of the same launch may write it.
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
            // SAFETY: `from` is in bounds and aligned for the granule, every access of a launch to bytes that it may write is atomic, and `into` is this function's own.
            unsafe {
                match step {
                    4 => into
                        .add(i)
                        .cast::<u32>()
                        .write_unaligned(AtomicU32::from_ptr(from.add(i).cast()).load(Ordering::Relaxed)),
                    _ => into.add(i).write(AtomicU8::from_ptr(from.add(i)).load(Ordering::Relaxed)),
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
                match step {
                    4 => AtomicU32::from_ptr(into.add(i).cast())
                        .store(from.add(i).cast::<u32>().read_unaligned(), Ordering::Relaxed),
                    _ => AtomicU8::from_ptr(into.add(i)).store(from.add(i).read(), Ordering::Relaxed),
                }
            }
        }
    }

    /// Runs an atomic operation on one element. The caller has the lock for it, alone or with the other threads of its launch.
    pub(crate) fn atomic<T: AtomicElement, R>(&self, at: u64, operation: impl FnOnce(&T::Word) -> R) -> R {
        const { assert!(size_of::<T>() == size_of::<T::Word>(), "a word is as large as its element") };
        assert!(!self.is_shared(), "nothing writes to a shared slice");
        assert!(self.gives::<T::Word>(at), "atomic operations need an aligned element");
        let word = self.piece(at, size_of::<T::Word>()).cast::<T::Word>();
        // SAFETY: in bounds by `piece`, aligned by the line above; the two types that are words (`Word` is sealed) may have any bits; others touch it only by atomic accesses (2).
        operation(unsafe { &*word })
    }

    /// Whether references to `T` at byte `at` are aligned, whatever the address of the day.
    pub(crate) fn gives<T>(&self, at: u64) -> bool {
        self.aligns(at, align_of::<T>() as u64)
    }

    /// Whether byte `at` lies at a multiple of so many bytes, whatever the address of the day.
    pub(crate) fn aligns(&self, at: u64, multiple: u64) -> bool {
        (self.alignment as u64).is_multiple_of(multiple) && at.is_multiple_of(multiple)
    }
}

impl Drop for HostBytes {
    fn drop(&mut self) {
        if let Origin::Own(layout, whole) = &self.origin
            && let Some(whole) = whole.get()
        {
            // SAFETY: it was allocated with this layout, and nobody has a handle any more (1).
            unsafe { dealloc(whole.as_ptr(), *layout) };
        }
    }
}

/// Not null, as a slice's address never is.
fn start<T>(pointer: *mut T) -> NonNull<u8> {
    NonNull::new(pointer).expect("a slice has an address").cast()
}

/// Bytes that an access in a kernel moves at a time: words of 32 bits where they lie right.
fn granule(address: *mut u8, size: usize) -> usize {
    if size.is_multiple_of(4) && address.addr().is_multiple_of(4) { 4 } else { 1 }
}

const _: () = assert!(align_of::<AtomicU32>() == 4 && align_of::<AtomicU64>() == 8, "words are aligned by their size");
const _: () = {
    const fn word<W: Word>() {}
    word::<AtomicU32>();
    word::<AtomicU64>();
};
