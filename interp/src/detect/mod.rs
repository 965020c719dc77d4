//! The checks of the reference accelerator: out-of-range accesses, data races, reads before a
//! write, arithmetic beyond the range of its type.
//!
//! A [`Detector`] is the watcher ([`LaunchWatch`]) of a machine. [`shadow`] has the state of each
//! byte of memory; [`describe`] turns findings into text; [`reports`] collects them. Nothing here
//! changes the behaviour of a kernel: results are those of a launch without checks.
//!
//! Barriers order memory by kind: views and buffers have one phase count, `tile_static` another,
//! and a barrier advances the counts of the memories that it names. Fences advance none. The
//! interpreter itself orders all memory at every barrier, but the detector follows the source.

pub(super) mod arithmetic;
mod describe;
mod reports;
mod shadow;

use super::Checks;
use super::code::{ArithmeticCode, Bytecode};
use super::copy::ScalarBytes;
use super::memory::{SpaceAddress, SpaceId};
use super::watch::{LaunchWatch, PendingWrite, Scene};
use describe::Describe;
use reports::ReportList;
use shadow::{ReadKind, Shadow, ShadowFinding, Who, split};
use tilewise_ir::bytes;
use tilewise_ir::kernel::{Fence, Kernel};
use tilewise_ir::launch::{Argument, BorrowedMemory, CheckReport, MemoryAct};

/// The watcher that detects and reports errors.
pub(super) struct Detector<'a> {
    describe: Describe<'a>,
    /// For each space, the state of its bytes; constants and private memory have none.
    shadows: Vec<Shadow>,
    /// For each four bytes of private memory, a mask of those written.
    locals: Vec<u8>,
    reports: ReportList,
    who: Who,
    tile_space: SpaceId,
    private_space: SpaceId,
    checks: Checks,
    /// Bytes of shadow memory that the system did not have, if so: the checks are not complete, and
    /// the launch ends.
    missing: Option<u64>,
}

impl<'a> Detector<'a> {
    /// A detector for a launch.
    pub(super) fn new(
        checks: &Checks,
        kernel: &'a Kernel,
        code: &'a Bytecode,
        allocations: &[BorrowedMemory<'_>],
        arguments: &'a [Argument],
        tile_static: usize,
    ) -> Detector<'a> {
        let threads = code.launch.tile.iter().product();
        let returns = |fence: Fence| {
            let has = code.barriers.iter().any(|barrier| barrier.fence == fence);
            has.then_some((code.report.sites.len(), threads))
        };
        let shadow = |memory: &BorrowedMemory<'_>| {
            let fresh = checks.uninitialised && memory.is_fresh();
            Shadow::new(memory.size() as usize, checks.races, fresh, returns(Fence::TileStatic))
        };
        let mut shadows: Vec<Shadow> = allocations.iter().map(shadow).collect();
        // An untiled kernel has no `tile_static`, and a tile of one thread cannot race on it.
        let fresh = checks.uninitialised && checks.unwritten_tile_memory;
        shadows.push(Shadow::new(tile_static, checks.races, fresh, returns(Fence::Global)));
        let missing = shadows.iter().find_map(Shadow::missing);
        Detector {
            describe: Describe { kernel, code, arguments },
            shadows,
            locals: Vec::new(),
            reports: ReportList::new(if checks.stop_at_first { 1 } else { checks.max_reports }),
            who: Who { thread: 0, first: 0, threads: code.launch.tile.iter().product(), tile: 0 },
            tile_space: code.launch.tile_space,
            private_space: code.launch.private_space,
            checks: checks.clone(),
            missing,
        }
    }

    /// The reports, and the number of findings beyond the limit.
    pub(super) fn finish(self) -> (Vec<CheckReport>, u64) {
        self.reports.finish()
    }

    /// Bytes of shadow memory that the system did not have, if so: the checks are not complete, and
    /// the launch has ended.
    pub(super) fn missing(&self) -> Option<u64> {
        self.missing
    }

    /// Bytes of shadow memory.
    #[cfg(test)]
    pub(super) fn shadow_bytes(&self) -> u64 {
        self.shadows.iter().map(Shadow::bytes).sum::<u64>() + self.locals.len() as u64
    }

    #[inline]
    fn reads(&mut self, scene: Scene<'_>, from: SpaceAddress, size: u64, kind: ReadKind) {
        let did = if kind == ReadKind::Plain { MemoryAct::Read } else { MemoryAct::Atomic };
        let site = scene.code.report.site_of[scene.pc];
        if let Some(shadow) = self.shadows.get_mut(from.space as usize) {
            let (describe, reports, who) = (&self.describe, &mut self.reports, self.who);
            shadow.read(who, site, (from.at, size), kind, &mut |found| {
                describe.found(reports, scene, who, from.space, did, found, None);
            });
            self.missing = self.missing.or(shadow.missing());
        } else if from.space == self.private_space && self.checks.uninitialised {
            self.local_read(scene, from, size);
        }
    }

    fn local_read(&mut self, scene: Scene<'_>, from: SpaceAddress, size: u64) {
        let mut unwritten = None;
        split(from.at, size, |number, mask| {
            let left = mask & !self.locals.get(number as usize).copied().unwrap_or(0xf);
            if left != 0 && unwritten.is_none() {
                unwritten = Some(number * 4 + u64::from(left.trailing_zeros()));
            }
        });
        if let Some(at) = unwritten {
            let found = ShadowFinding::Unwritten { at };
            self.describe.found(&mut self.reports, scene, self.who, from.space, MemoryAct::Read, found, None);
        }
    }

    #[inline]
    fn writes(&mut self, scene: Scene<'_>, to: SpaceAddress, size: u64, new: PendingWrite<'_>) {
        let site = scene.code.report.site_of[scene.pc];
        if let Some(shadow) = self.shadows.get_mut(to.space as usize) {
            let (describe, reports, who) = (&self.describe, &mut self.reports, self.who);
            let ask_all = self.checks.same_value_writes;
            shadow.write(who, site, to.at, size, &mut |found| {
                if ask_all || !is_same(scene, to, new, found) {
                    describe.found(reports, scene, who, to.space, MemoryAct::Write, found, Some(new));
                }
            });
            self.missing = self.missing.or(shadow.missing());
        } else if to.space == self.private_space && self.checks.uninitialised {
            self.local_write(to, size, true);
        }
    }

    fn local_write(&mut self, to: SpaceAddress, size: u64, written: bool) {
        let end = (to.at + size).div_ceil(4) as usize;
        if let more @ 1.. = end.saturating_sub(self.locals.len()) {
            // Room for further ones too, if there is any.
            let room = self.locals.try_reserve(more).or_else(|_| self.locals.try_reserve_exact(more));
            if room.is_err() {
                self.missing = self.missing.or(Some(end as u64));
                return;
            }
            self.locals.resize(end, 0xf);
        }
        split(to.at, size, |number, mask| {
            if let Some(bytes) = self.locals.get_mut(number as usize) {
                if written {
                    *bytes |= mask;
                } else {
                    *bytes &= !mask;
                }
            }
        });
    }

    #[cold]
    fn missed(&mut self, scene: Scene<'_>, did: MemoryAct) {
        self.describe.out_of_range(&mut self.reports, scene, self.who, did);
    }
}

impl LaunchWatch for Detector<'_> {
    fn tile(&mut self, tile: u64) {
        self.who.tile = tile + 1;
        // There are at most 2^32 - 1 threads.
        self.who.first = (tile as u32).wrapping_mul(self.who.threads);
        self.shadows.iter_mut().for_each(Shadow::begin_tile);
        if let Some(shadow) = self.shadows.get_mut(self.tile_space as usize) {
            shadow.clear();
        }
    }

    fn turn(&mut self, thread: u32) {
        self.who.thread = self.who.first + thread;
    }

    fn barrier(&mut self, fence: Fence) {
        let (allocations, tile) = self.shadows.split_at_mut(self.tile_space as usize);
        if fence != Fence::TileStatic {
            allocations.iter_mut().for_each(|shadow| shadow.next_phase(self.who.tile));
        }
        if fence != Fence::Global {
            tile.iter_mut().for_each(|shadow| shadow.next_phase(self.who.tile));
        }
    }

    #[inline]
    fn read(&mut self, scene: Scene<'_>, from: Option<SpaceAddress>, size: u64) {
        match from {
            Some(from) => self.reads(scene, from, size, ReadKind::Plain),
            None if self.checks.out_of_range => self.missed(scene, MemoryAct::Read),
            None => {}
        }
    }

    #[inline]
    fn write(&mut self, scene: Scene<'_>, to: Option<SpaceAddress>, size: u64, new: PendingWrite<'_>) {
        match to {
            Some(to) => self.writes(scene, to, size, new),
            None if self.checks.out_of_range => self.missed(scene, MemoryAct::Write),
            None => {}
        }
    }

    #[inline]
    fn atomic(&mut self, scene: Scene<'_>, at: Option<SpaceAddress>, size: u64, stores: bool) {
        match at {
            Some(at) if at.at.is_multiple_of(size) => {
                let kind = if stores { ReadKind::AtomicStore } else { ReadKind::Atomic };
                self.reads(scene, at, size, kind);
            }
            Some(at) if self.checks.out_of_range => {
                self.describe.misaligned(&mut self.reports, scene, self.who, at, size);
            }
            None if self.checks.out_of_range => self.missed(scene, MemoryAct::Atomic),
            Some(_) => {}
            None => {}
        }
    }

    fn copy(
        &mut self,
        scene: Scene<'_>,
        to: Option<SpaceAddress>,
        from: Option<SpaceAddress>,
        shape: &ScalarBytes,
        bytes: &[u8],
    ) {
        match from {
            Some(from) => shape.runs(from.at, &mut |at, size| {
                self.reads(scene, SpaceAddress { at: at as u64, ..from }, size as u64, ReadKind::Plain);
            }),
            None if self.checks.out_of_range => self.missed(scene, MemoryAct::Read),
            None => {}
        }
        match to {
            Some(to) => {
                let mut done = 0;
                shape.runs(to.at, &mut |at, size| {
                    let new = bytes.get(done..done + size).unwrap_or(&[]);
                    done += size;
                    self.writes(scene, SpaceAddress { at: at as u64, ..to }, size as u64, PendingWrite::Bytes(new));
                });
            }
            None if self.checks.out_of_range => self.missed(scene, MemoryAct::Write),
            None => {}
        }
    }

    #[inline]
    fn lane(&mut self, scene: Scene<'_>, index: u64, width: u8, writes: bool) {
        if index >= u64::from(width) && self.checks.out_of_range {
            self.missed(scene, if writes { MemoryAct::Write } else { MemoryAct::Read });
        }
    }

    fn misfit(&mut self, scene: Scene<'_>) {
        if self.checks.out_of_range {
            self.describe.misfit(&mut self.reports, scene, self.who);
        }
    }

    fn declare(&mut self, at: SpaceAddress, size: u32, unset: bool) {
        if self.checks.uninitialised {
            self.local_write(at, u64::from(size), !unset);
        }
    }

    fn arithmetic(&mut self, scene: Scene<'_>, code: &ArithmeticCode) {
        for component in 0..usize::from(code.width) {
            let mut operands = [0; 3];
            for (operand, &slot) in operands.iter_mut().zip(&code.args) {
                *operand = scene.frame[slot as usize + component];
            }
            if let Some(slip) = arithmetic::slip(code, operands, &self.checks) {
                self.describe.arithmetic(&mut self.reports, scene, self.who, code, operands, slip);
            }
        }
    }

    #[inline]
    fn stopped(&self) -> bool {
        self.missing.is_some() || self.checks.stop_at_first && self.reports.any()
    }
}

/// Whether the write would leave unchanged the bytes at which it races with another write.
#[cold]
fn is_same(scene: Scene<'_>, to: SpaceAddress, new: PendingWrite<'_>, found: ShadowFinding) -> bool {
    let ShadowFinding::Race { granule, mask, with } = found else { return false };
    if !with.wrote {
        return false;
    }
    let mut encoded = [0; 32];
    let new = match new {
        PendingWrite::Bytes(bytes) => bytes,
        PendingWrite::Lanes(from, stored, width) => {
            let size = stored.size() as usize;
            for i in 0..usize::from(width) {
                bytes::encode(&mut encoded[i * size..], stored, scene.frame[from as usize + i]);
            }
            &encoded[..size * usize::from(width)]
        }
    };
    let old = scene.spaces.get(to.space as usize);
    (0..4).filter(|bit| mask >> bit & 1 != 0).all(|bit| {
        let at = granule + bit;
        let new = at.checked_sub(to.at).and_then(|i| new.get(i as usize));
        new.is_some() && new.copied() == old.and_then(|old| old.byte(at))
    })
}
