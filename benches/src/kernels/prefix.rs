//! Running sums of a whole array: within each tile, then those of the tiles' totals, which are an
//! array in the same way, and then each tile adds the total of all tiles before it.

use tilewise::prelude::*;
use tilewise_peers::plain::prefix::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Threads of a tile.
const TILE: usize = 256;

/// Memory for the totals of tiles, of the totals' tiles, and so on down to a single one.
pub(super) fn totals(count: usize) -> tilewise::Result<Vec<ArrayView<'static, u32>>> {
    let mut all = Vec::new();
    let mut count = count;
    while count > 1 {
        count = count.div_ceil(TILE);
        all.push(ArrayView::without_source(count)?);
    }
    Ok(all)
}

/// The running sums of `numbers`, to `sums`; both may be the same view.
pub(super) fn scan(
    on: &AcceleratorView,
    numbers: &ArrayView<'_, u32>,
    sums: &ArrayView<'_, u32>,
    totals: &[ArrayView<'_, u32>],
) -> tilewise::Result<()> {
    let Some((totals, further)) = totals.split_first() else { return Ok(()) };
    let count = numbers.extent()[0];
    let tiles = Extent([count]).tile::<TILE>().pad();
    parallel_for_each!((on, tiles), |t| {
        #[tile_static]
        let part: [u32; TILE];
        let l = t.local[0];
        let i = t.global[0];
        part[l] = if i < count { numbers[i] } else { 0 };
        t.barrier.wait();
        let mut distance = 1;
        while distance < TILE as i32 {
            let before = if l >= distance { part[l - distance] } else { 0 };
            t.barrier.wait();
            part[l] = part[l].wrapping_add(before);
            t.barrier.wait();
            distance *= 2;
        }
        if i < count {
            sums[i] = part[l];
        }
        if l == TILE as i32 - 1 {
            totals[t.tile] = part[l];
        }
    })?;
    if totals.extent()[0] == 1 {
        return Ok(());
    }
    scan(on, totals, totals, further)?;
    parallel_for_each!((on, tiles), |t| {
        let i = t.global[0];
        if t.tile[0] > 0 && i < count {
            sums[i] = sums[i].wrapping_add(totals[t.tile[0] - 1]);
        }
    })
}

struct Sums {
    numbers: ArrayView<'static, u32>,
    sums: ArrayView<'static, u32>,
    totals: Vec<ArrayView<'static, u32>>,
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views =
        Sums { numbers: filled(count, inputs(count))?, sums: filled(count, vec![0; count])?, totals: totals(count)? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Sums { numbers, sums, totals }| scan(on, numbers, sums, totals),
        output: |s| s.sums.to_vec().map(PeerOutput::Words),
    }))
}
