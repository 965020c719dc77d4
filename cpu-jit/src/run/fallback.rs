//! The fallback for kernels that fail to compile: the interpreter, in place, in the allocations of
//! the launch.
//!
//! # Safety requirements
//! The caller of [`Engine::launch`](super::Engine::launch) guarantees that the bytes that arguments
//! name are alive and initialised, and exclusive where the kernel writes; others may read bytes
//! that it only reads. So the interpreter borrows exactly those bytes ([`BorrowedMemory`]), never
//! the gaps between the rows of a section: bytes that the kernel may write as `&mut [u8]`, the rest
//! as `&[u8]`. No byte is borrowed twice: a byte that is both read and written is borrowed as
//! written, and allocations do not overlap.
#![allow(
    unsafe_code,
    reason = "makes slices of memory that the caller answers for; `Engine::launch` says what must hold"
)]

use tilewise_interp as interp;
use tilewise_ir::check::Checked;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{
    Argument, BorrowedMemory, BorrowedRun, Domain, Ending, Outcome, OutputCollector, Ranges, Refusal, room_for_runs,
};
use tilewise_ir::pos::Pos;

use crate::bind::{HostAllocation, LaunchArguments};

/// Interprets the launch.
///
/// # Safety
/// As [`Engine::launch`](super::Engine::launch); the arguments were validated.
pub(super) unsafe fn interpret(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    launch: LaunchArguments<'_>,
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome, Refusal> {
    if let Err(bytes) = room_for_runs(run_count(kernel, launch)) {
        return Ok(OutputCollector::<Pos>::default().outcome(Ending::OutOfMemory { bytes }, 0));
    }
    let used = used(kernel, launch);
    // SAFETY: guaranteed by the caller. Each allocation is borrowed once, for the bytes that
    // arguments name there, and allocations do not overlap.
    let lent = launch.allocations.iter().zip(&used).map(|(allocation, used)| unsafe { used.lend(*allocation) });
    let options = interp::Options::default();
    let outcome = interp::run_in(kernel, domain, lent.collect(), launch.arguments, &options, interrupt)?;
    Ok(Outcome { instructions: 0, ..outcome })
}

/// A copy of the bytes that a kernel may write, from before the launch.
pub(super) struct Before {
    bytes: Vec<u8>,
    /// Their origin: for each allocation, the address and the offsets.
    runs: Vec<(u64, Ranges)>,
}

impl Before {
    /// Copies the bytes.
    ///
    /// # Safety
    /// As [`interpret`].
    pub(super) unsafe fn of(kernel: &Checked<Kernel>, launch: LaunchArguments<'_>) -> Result<Before, Refusal> {
        let too_large = || Refusal::Unsupported("what the kernel may write is too large to be kept".into());
        room_for_runs(run_count(kernel, launch)).map_err(|_| too_large())?;
        let addresses = launch.allocations.iter().map(|allocation| allocation.address);
        let runs: Vec<(u64, Ranges)> =
            addresses.zip(used(kernel, launch).into_iter().map(|used| used.written)).collect();
        let size = usize::try_from(runs.iter().map(|(_, runs)| runs.bytes()).sum::<u64>()).map_err(|_| too_large())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        for (start, len) in addressed(&runs) {
            // SAFETY: bytes that an argument names, so alive and initialised, and nothing else
            // writes there.
            bytes.extend_from_slice(unsafe { slice(start, len) });
        }
        Ok(Before { bytes, runs })
    }

    /// Restores the bytes.
    ///
    /// # Safety
    /// As [`Before::of`], of the same launch.
    pub(super) unsafe fn put_back(self) {
        let mut rest = self.bytes.as_slice();
        for (start, len) in addressed(&self.runs) {
            let (bytes, behind) = rest.split_at(len as usize);
            rest = behind;
            // SAFETY: the kernel may write it, so it is alive and exclusive; no other slice of it
            // exists meanwhile.
            let target = unsafe { slice_mut(start, len) };
            if !fault::planted(Fault::PutBackNothing) {
                target.copy_from_slice(bytes);
            }
        }
    }
}

/// The runs of bytes with absolute addresses.
fn addressed(runs: &[(u64, Ranges)]) -> impl Iterator<Item = (u64, u64)> {
    runs.iter().flat_map(|(address, runs)| runs.runs().map(move |(start, len)| (address + start, len)))
}

/// The bytes of one allocation that arguments name, as offsets.
#[derive(Clone, Default)]
struct UsedBytes {
    /// Bytes that the kernel may write.
    written: Ranges,
    /// Bytes that it only reads.
    read: Ranges,
}

impl UsedBytes {
    /// Borrows these bytes of the allocation.
    ///
    /// # Safety
    /// As [`interpret`]; and during the borrow, no other borrow of written bytes is made.
    unsafe fn lend<'m>(&self, HostAllocation { address, size }: HostAllocation) -> BorrowedMemory<'m> {
        let read = self.read.runs().map(|(start, len)| {
            // SAFETY: named by an argument and not written: alive, initialised, and nothing writes
            // it.
            (start, BorrowedRun::Read(unsafe { slice(address + start, len) }))
        });
        let written = self.written.runs().map(|(start, len)| {
            // SAFETY: the kernel may write it, so it is alive, initialised and exclusive. Runs of a
            // set do not overlap, and `read` contains none of them.
            (start, BorrowedRun::Write(unsafe { slice_mut(address + start, len) }))
        });
        let mut runs: Vec<(u64, BorrowedRun<'m>)> = read.chain(written).collect();
        runs.sort_by_key(|(start, _)| *start);
        BorrowedMemory::new(size, runs, false)
    }
}

/// The arguments, with the size of the elements of a view.
fn sized<'a>(kernel: &'a Checked<Kernel>, arguments: &'a [Argument]) -> impl Iterator<Item = (&'a Argument, u64)> {
    let types = kernel.types();
    arguments.iter().zip(kernel.params()).map(move |(argument, param)| match param.kind {
        ParamKind::View(ty) => (argument, types.element_size(ty.element)),
        ParamKind::Buffer { .. } | ParamKind::Uniform(_) => (argument, 1),
    })
}

/// Runs of bytes of all arguments.
fn run_count(kernel: &Checked<Kernel>, launch: LaunchArguments<'_>) -> u64 {
    let counts = sized(kernel, launch.arguments).map(|(argument, element_size)| argument.run_count(element_size));
    counts.fold(0, u64::saturating_add)
}

/// The used bytes of each allocation.
fn used(kernel: &Checked<Kernel>, launch: LaunchArguments<'_>) -> Vec<UsedBytes> {
    let mut used = vec![UsedBytes::default(); launch.allocations.len()];
    for ((argument, element_size), &written) in sized(kernel, launch.arguments).zip(kernel.written()) {
        let Some(used) = argument.allocation().and_then(|allocation| used.get_mut(allocation)) else { continue };
        let set = if written { &mut used.written } else { &mut used.read };
        *set = set.with(&argument.bytes(element_size));
    }
    used.iter_mut().for_each(|used| used.read = used.read.without(&used.written));
    used
}

/// # Safety
/// These bytes are alive and initialised, and nothing writes them while the slice is in use.
unsafe fn slice<'m>(start: u64, len: u64) -> &'m [u8] {
    // SAFETY: guaranteed by the caller; a run is not empty, so its address is not null.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(start as usize), len as usize) }
}

/// # Safety
/// These bytes are alive and initialised, and nothing else accesses them while the slice is in use.
unsafe fn slice_mut<'m>(start: u64, len: u64) -> &'m mut [u8] {
    // SAFETY: guaranteed by the caller; a run is not empty, so its address is not null.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(start as usize), len as usize) }
}
