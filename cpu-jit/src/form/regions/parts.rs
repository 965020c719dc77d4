//! Which parts of locals a region loads at its start and stores at its end.

use std::collections::HashMap;

use tilewise_ir::kernel::Kernel;

use super::super::bits::BitSet;
use super::super::live::{Live, Moment};
use super::super::locals::Locals;
use super::super::numbers::Numbers;
use super::Regions;

/// Fills in `parts_in` and `parts_out` of each region, in one backward walk: at a region's last instruction the set behind it is kept, at its first
/// all is known. Regions do not overlap, so one set is kept at a time.
pub(super) fn cross(regions: &mut Regions, kernel: &Kernel, locals: &Locals, numbers: &Numbers, live: &mut Live) {
    let filled = || regions.list.iter().enumerate().filter(|(_, region)| !region.numbers.is_empty());
    let lasts: HashMap<usize, usize> = filled().filter_map(|(i, region)| Some((region.last?, i))).collect();
    let firsts: HashMap<usize, usize> = filled().map(|(i, region)| (region.numbers.start, i)).collect();
    let mut behind = BitSet::new(locals.count());
    live.visit(kernel, locals, numbers, &mut |number, moment, state| match moment {
        Moment::After => {
            if lasts.contains_key(&number) {
                behind.clone_from(&state.now);
            }
        }
        Moment::Before => {
            let Some(&region) = firsts.get(&number) else { return };
            let region = &mut regions.list[region];
            for needed in region.jumps.iter().filter_map(|&jump| state.at(jump)) {
                behind.join(needed);
            }
            region.parts_out = region.writes.iter().copied().filter(|&part| behind.has(part)).collect();
            region.parts_in = region.reads.iter().chain(&region.parts_out).copied().collect();
            region.parts_in.retain(|&part| state.now.has(part));
            super::sorted(&mut region.parts_in);
            for &part in region.parts_in.iter().chain(&region.parts_out) {
                regions.parts.insert(part);
            }
            // The next region may end by leaving, and has nothing behind it then.
            behind.clear();
        }
    });
}
