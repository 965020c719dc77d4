//! Copies of what a launch holds, for targets that work in a memory of their own: exactly the views' bytes go in, exactly those of writable views come back, never the gaps between rows.

use tilewise_ir::launch::{Memory, ViewArgument};

use super::launch::{BoundView, Locked};
use super::lock::Intent;
use super::region::Region;

impl Locked<'_> {
    /// One piece of memory for each home, from the first byte held to the last, with the bytes that are held; the rest is zero.
    pub(crate) fn copy_in(&self) -> Memory {
        let mut memory = Memory::default();
        for home in self.homes() {
            let (low, high) = bounds(&home.regions);
            let mut piece = vec![0; (high - low) as usize];
            for (start, bytes) in home.regions.iter().flat_map(|(region, _)| region.runs()) {
                let into = (start - low) as usize;
                home.handle.memory.read_bytes(start, &mut piece[into..into + bytes as usize]);
            }
            memory.pieces.push(piece);
            memory.fresh.push(home.handle.is_fresh());
        }
        memory
    }

    /// Where a view lies in the memory that [`Locked::copy_in`] gave. The view is one of those that were locked.
    pub(crate) fn argument(&self, view: &BoundView<'_>) -> ViewArgument {
        let homes = self.homes().iter().enumerate();
        let mut found = homes.filter(|(_, home)| home.handle.same_home(&view.handle));
        let (piece, home) = found.next().expect("the launch holds the homes of its views");
        let (low, _) = bounds(&home.regions);
        let offset = if view.region.is_empty() { 0 } else { view.offset - low };
        ViewArgument { piece, offset, extent: view.extent.clone(), strides: view.strides.clone() }
    }

    /// Writes back what writable views name.
    pub(crate) fn copy_out(&self, memory: &Memory) {
        for (home, piece) in self.homes().iter().zip(&memory.pieces) {
            let (low, _) = bounds(&home.regions);
            let writable = home.regions.iter().filter(|(_, intent)| *intent == Intent::Write);
            for (start, bytes) in writable.flat_map(|(region, _)| region.runs()) {
                let from = (start - low) as usize;
                home.handle.memory.write_bytes(start, &piece[from..from + bytes as usize]);
            }
        }
    }
}

/// From the first byte to behind the last.
fn bounds(regions: &[(Region, Intent)]) -> (u64, u64) {
    let filled = || regions.iter().map(|(region, _)| region).filter(|region| !region.is_empty());
    let low = filled().map(Region::start).min().unwrap_or(0);
    (low, filled().map(Region::end).max().unwrap_or(low))
}
