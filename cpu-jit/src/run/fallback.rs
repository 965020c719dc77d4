//! The way out for what cannot be compiled: the interpreter, in place, in the allocations of the
//! launch.
//!
//! # What must hold
//! [`Engine::launch`](super::Engine::launch) is promised that the bytes that arguments name are
//! alive and initialised, and nobody else's where the kernel writes; others may read what it only
//! reads. So the interpreter is lent exactly those bytes ([`BorrowedMemory`]), never what lies
//! between the rows of a section: what the kernel may write as `&mut [u8]`, the rest as `&[u8]`. No
//! byte is lent twice: what is both read and written is written, and allocations have no byte in
//! common.
#![allow(
    unsafe_code,
    reason = "makes slices of memory that the caller answers for; `Engine::launch` says what must hold"
)]

use tilewise_interp as interp;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{BorrowedMemory, BorrowedRun, Domain, Outcome, Ranges, Refusal};

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
    let used = used(kernel, launch);
    // SAFETY: the caller's promise. One loan is made of each allocation, of bytes that arguments
    // name there, and allocations have no byte in common.
    let lent = launch.allocations.iter().zip(&used).map(|(allocation, used)| unsafe { used.lend(*allocation) });
    let options = interp::Options::default();
    let outcome = interp::run_in(kernel, domain, lent.collect(), launch.arguments, &options, interrupt)?;
    Ok(Outcome { instructions: 0, ..outcome })
}

/// What a kernel may write, as it was before the launch.
pub(super) struct Before {
    bytes: Vec<u8>,
    /// Where they are from: of each allocation, the address and the offsets.
    runs: Vec<(u64, Ranges)>,
}

impl Before {
    /// Copies it.
    ///
    /// # Safety
    /// As [`interpret`].
    pub(super) unsafe fn of(kernel: &Checked<Kernel>, launch: LaunchArguments<'_>) -> Result<Before, Refusal> {
        let too_large = || Refusal::Unsupported("what the kernel may write is too large to be kept".into());
        let addresses = launch.allocations.iter().map(|allocation| allocation.address);
        let runs: Vec<(u64, Ranges)> =
            addresses.zip(used(kernel, launch).into_iter().map(|used| used.written)).collect();
        let size = usize::try_from(runs.iter().map(|(_, runs)| runs.bytes()).sum::<u64>()).map_err(|_| too_large())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        for (start, len) in addressed(&runs) {
            // SAFETY: bytes that an argument names, so alive and initialised, and nobody else
            // writes there.
            bytes.extend_from_slice(unsafe { slice(start, len) });
        }
        Ok(Before { bytes, runs })
    }

    /// Puts it back.
    ///
    /// # Safety
    /// As [`Before::of`], of the same launch.
    pub(super) unsafe fn put_back(self) {
        let mut rest = self.bytes.as_slice();
        for (start, len) in addressed(&self.runs) {
            let (bytes, behind) = rest.split_at(len as usize);
            rest = behind;
            // SAFETY: the kernel may write it, so it is alive and nobody else's; no other slice is made of it meanwhile.
            unsafe { slice_mut(start, len) }.copy_from_slice(bytes);
        }
    }
}

/// Runs of bytes by their addresses.
fn addressed(runs: &[(u64, Ranges)]) -> impl Iterator<Item = (u64, u64)> {
    runs.iter().flat_map(|(address, runs)| runs.runs().map(move |(start, len)| (address + start, len)))
}

/// The bytes of one allocation that arguments name, by their offsets.
#[derive(Clone, Default)]
struct UsedBytes {
    /// What the kernel may write.
    written: Ranges,
    /// What it only reads.
    read: Ranges,
}

impl UsedBytes {
    /// These bytes of the allocation, lent.
    ///
    /// # Safety
    /// As [`interpret`]; and as long as the loan lives, nobody makes another of what is written.
    unsafe fn lend<'m>(&self, HostAllocation { address, size }: HostAllocation) -> BorrowedMemory<'m> {
        let read = self.read.runs().map(|(start, len)| {
            // SAFETY: named by an argument and not written: alive, initialised, and nobody writes
            // it.
            (start, BorrowedRun::Read(unsafe { slice(address + start, len) }))
        });
        let written = self.written.runs().map(|(start, len)| {
            // SAFETY: the kernel may write it, so it is alive, initialised and nobody else's. Runs
            // of a set have no byte in common, and `read` has none of them.
            (start, BorrowedRun::Write(unsafe { slice_mut(address + start, len) }))
        });
        let mut runs: Vec<(u64, BorrowedRun<'m>)> = read.chain(written).collect();
        runs.sort_by_key(|(start, _)| *start);
        BorrowedMemory::new(size, runs, false)
    }
}

/// For each allocation, what of it is used.
fn used(kernel: &Checked<Kernel>, launch: LaunchArguments<'_>) -> Vec<UsedBytes> {
    let mut used = vec![UsedBytes::default(); launch.allocations.len()];
    let types = kernel.types();
    for ((argument, param), &written) in launch.arguments.iter().zip(kernel.params()).zip(kernel.written()) {
        let Some(used) = argument.allocation().and_then(|allocation| used.get_mut(allocation)) else { continue };
        let element_size = match param.kind {
            ParamKind::View(ty) => types.element_size(ty.element),
            ParamKind::Buffer { .. } | ParamKind::Uniform(_) => 1,
        };
        let set = if written { &mut used.written } else { &mut used.read };
        *set = set.with(&argument.bytes(element_size));
    }
    used.iter_mut().for_each(|used| used.read = used.read.without(&used.written));
    used
}

/// # Safety
/// These bytes are alive and initialised, and nobody writes them as long as the slice is used.
unsafe fn slice<'m>(start: u64, len: u64) -> &'m [u8] {
    // SAFETY: the caller's word; a run is not empty, so its address is not null.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(start as usize), len as usize) }
}

/// # Safety
/// These bytes are alive and initialised, and nobody else touches them as long as the slice is used.
unsafe fn slice_mut<'m>(start: u64, len: u64) -> &'m mut [u8] {
    // SAFETY: the caller's word; a run is not empty, so its address is not null.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(start as usize), len as usize) }
}
