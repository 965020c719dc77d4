//! The way out for what cannot be compiled: the interpreter, in place, in the memory that is bound to the launch.
//!
//! # What must hold
//! [`Engine::launch`](super::Engine::launch) is promised that elements of views and bytes of buffers are alive and initialised, and nobody else's where the kernel writes; others may read what it only reads.
//! So the interpreter is lent exactly those bytes ([`Place`]), never what lies between the rows of a section: what the kernel may write as `&mut [u8]`, the rest as `&[u8]`. No byte is lent twice: what is both
//! read and written is written.
#![allow(
    unsafe_code,
    reason = "makes slices of memory that the caller answers for; `Engine::launch` says what must hold"
)]

use std::collections::BTreeMap;

use tilewise_ir::analysis::written::written;
use tilewise_ir::check::Checked;
use tilewise_ir::interp;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, Lent, Outcome, Place, Ranges, Refusal, ViewArgument};
use tilewise_ir::types::round_up;

use crate::bind::Bound;

/// Interprets the launch.
///
/// # Safety
/// As [`Engine::launch`](super::Engine::launch); what is bound fits the kernel's parameters.
pub(super) unsafe fn interpret(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    bound: &[Bound<'_>],
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome, Refusal> {
    let homes = homes(kernel.inlined(), bound);
    let mut places: Vec<Place<'_>> = Vec::with_capacity(homes.len() + 1);
    // SAFETY: the caller's promise, and what `homes` gives is of what is bound. One place is made of each home, and homes have no byte in common.
    places.extend(homes.values().map(|home| unsafe { home.place() }));
    // For what is bound without a byte.
    let nowhere = places.len();
    places.push(Place::default());
    let piece = |number: u64, base: u64| {
        let piece = homes.keys().position(|&home| home == number).expect("a byte of it is bound");
        (piece, base - homes[&number].low())
    };
    let arguments = bound.iter().map(|bound| match *bound {
        Bound::View { extent, .. } if extent.contains(&0) => Argument::View(ViewArgument::dense(nowhere, extent)),
        Bound::Buffer { size: 0, .. } => Argument::Buffer { piece: nowhere, offset: 0, size: 0 },
        Bound::View { base, home, extent, strides } => {
            let (piece, offset) = piece(home, base);
            Argument::View(ViewArgument { piece, offset, extent: extent.to_vec(), strides: strides.to_vec() })
        }
        Bound::Buffer { base, home, size } => {
            let (piece, offset) = piece(home, base);
            Argument::Buffer { piece, offset, size }
        }
        Bound::Uniform(bytes) => Argument::Uniform(bytes.to_vec()),
    });
    let arguments: Vec<Argument> = arguments.collect();
    let outcome = interp::run_in(kernel, domain, places, &arguments, &interp::Options::default(), interrupt)?;
    Ok(Outcome { instructions: 0, ..outcome })
}

/// What a kernel may write, as it was before the launch.
pub(super) struct Before {
    bytes: Vec<u8>,
    /// Where they are from, by their addresses.
    runs: Vec<Ranges>,
}

impl Before {
    /// Copies it.
    ///
    /// # Safety
    /// As [`interpret`].
    pub(super) unsafe fn of(kernel: &Kernel, bound: &[Bound<'_>]) -> Result<Before, Refusal> {
        let too_large = || Refusal::Unsupported("what the kernel may write is too large to be kept".into());
        let runs: Vec<Ranges> = homes(kernel, bound).into_values().map(|home| home.written).collect();
        let size = usize::try_from(runs.iter().map(Ranges::bytes).sum::<u64>()).map_err(|_| too_large())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        for (start, len) in runs.iter().flat_map(Ranges::runs) {
            // SAFETY: of what is bound, so alive and initialised, and nobody else writes there.
            bytes.extend_from_slice(unsafe { slice(start, len) });
        }
        Ok(Before { bytes, runs })
    }

    /// Puts it back.
    ///
    /// # Safety
    /// As [`Before::of`], with the same that is bound.
    pub(super) unsafe fn put_back(self) {
        let mut rest = self.bytes.as_slice();
        for (start, len) in self.runs.iter().flat_map(Ranges::runs) {
            let (bytes, behind) = rest.split_at(len as usize);
            rest = behind;
            // SAFETY: the kernel may write it, so it is alive and nobody else's; no other slice is made of it meanwhile.
            unsafe { slice_mut(start, len) }.copy_from_slice(bytes);
        }
    }
}

/// What is bound in one home, by its addresses.
#[derive(Default)]
struct Home {
    /// What the kernel may write.
    written: Ranges,
    /// What it only reads.
    read: Ranges,
}

impl Home {
    /// The first address, or one before it: a multiple of 8, so that what is aligned in the home is
    /// so in the place made of it.
    fn low(&self) -> u64 {
        let starts = [&self.written, &self.read].into_iter().filter_map(Ranges::bounds);
        starts.map(|(low, _)| low).min().unwrap_or(0) & !7
    }

    /// The memory from the first address to the last, of which what is bound is lent.
    ///
    /// # Safety
    /// As [`interpret`]; and as long as the place lives, nobody makes another of what is written.
    unsafe fn place<'m>(&self) -> Place<'m> {
        let low = self.low();
        let high = self.written.with(&self.read).bounds().map_or(0, |(_, high)| high);
        // SAFETY: of what is bound and not written: alive, initialised, and nobody writes it.
        let read = self.read.runs().map(|(start, len)| (start - low, Lent::Read(unsafe { slice(start, len) })));
        // SAFETY: the kernel may write it, so it is alive, initialised and nobody else's. Runs of a set have no byte in common, and `read` has none of them.
        let written =
            self.written.runs().map(|(start, len)| (start - low, Lent::Write(unsafe { slice_mut(start, len) })));
        let mut runs: Vec<(u64, Lent<'m>)> = read.chain(written).collect();
        runs.sort_by_key(|(start, _)| *start);
        Place::new(high - low, runs, false)
    }
}

/// The homes of what is bound, without those of which no byte is.
fn homes(kernel: &Kernel, bound: &[Bound<'_>]) -> BTreeMap<u64, Home> {
    let mut homes: BTreeMap<u64, Home> = BTreeMap::new();
    for ((bound, param), written) in bound.iter().zip(kernel.params()).zip(written(kernel)) {
        let (number, bytes) = match (*bound, param.kind) {
            (Bound::View { base, home, extent, strides }, ParamKind::View(ty)) => {
                let types = kernel.types();
                let size = round_up(types.size(ty.element), types.align(ty.element));
                (home, elements(base, extent, strides, size))
            }
            (Bound::Buffer { base, home, size }, _) => (home, Ranges::solid(base, base + size)),
            (Bound::View { .. } | Bound::Uniform(_), _) => continue,
        };
        if !bytes.is_empty() {
            let home = homes.entry(number).or_default();
            let set = if written { &mut home.written } else { &mut home.read };
            *set = set.with(&bytes);
        }
    }
    homes.values_mut().for_each(|home| home.read = home.read.without(&home.written));
    homes
}

/// The bytes of a view's elements.
fn elements(base: u64, extent: &[i32], strides: &[u64], size: u64) -> Ranges {
    if extent.contains(&0) {
        return Ranges::NONE;
    }
    // Where a dimension has one index nobody asks how far apart two are, and that may be more than can be counted.
    let dimensions = extent.iter().zip(strides).filter(|&(&count, &stride)| count > 1 && stride > 0);
    let mut steps: Vec<(u64, u64)> = dimensions.map(|(&count, &stride)| (count as u64, stride * size)).collect();
    steps.sort_unstable_by_key(|&(_, step)| step);
    let (mut run, mut rest) = (size, steps.as_slice());
    while let [(count, step), behind @ ..] = rest
        && *step <= run
    {
        run += (count - 1) * step;
        rest = behind;
    }
    let number = rest.iter().map(|(count, _)| count).product();
    let at = |mut number: u64| {
        let mut at = base;
        for &(count, step) in rest {
            at += number % count * step;
            number /= count;
        }
        (at, run)
    };
    (0..number).map(at).collect()
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
