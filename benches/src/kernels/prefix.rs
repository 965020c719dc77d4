//! Running sums of a whole array: the total of each tile, the running sums of the totals, which are an
//! array in the same way, and then the running sums within each tile after the total of all tiles
//! before it. The array is read twice and written once.

use tilewise::prelude::*;
use tilewise_peers::plain::prefix::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Threads of a tile.
const TILE: usize = 256;

/// Memory for the totals of tiles, of the totals' tiles, and so on down to a single one: whole tiles,
/// with zeros behind the totals.
pub(super) fn totals(count: usize) -> tilewise::Result<Vec<ArrayView<'static, u32>>> {
    assert!(count.is_multiple_of(TILE), "tiles are whole");
    let mut all = Vec::new();
    let mut tiles = count / TILE;
    loop {
        let numbers = tiles.next_multiple_of(TILE);
        all.push(filled(numbers, vec![0; numbers])?);
        if tiles <= 1 {
            return Ok(all);
        }
        tiles = numbers / TILE;
    }
}

/// The running sums of `numbers`, to `sums`; both may be the same view.
pub(super) fn scan(
    on: &AcceleratorView,
    numbers: &ArrayView<'_, u32>,
    sums: &ArrayView<'_, u32>,
    totals: &[ArrayView<'_, u32>],
) -> tilewise::Result<()> {
    let Some((totals, further)) = totals.split_first() else { return Ok(()) };
    let tiles = numbers.extent().tile::<TILE>();
    if !further.is_empty() {
        parallel_for_each!((on, tiles), |t| {
            #[tile_static]
            let part: [u32; TILE];
            let l = t.local[0];
            part[l] = numbers[t];
            t.barrier.wait();
            let mut half = TILE as i32 / 2;
            while half > 0 {
                if l < half {
                    part[l] = part[l].wrapping_add(part[l + half]);
                }
                t.barrier.wait();
                half /= 2;
            }
            if l == 0 {
                totals[t.tile[0]] = part[0];
            }
        })?;
        scan(on, totals, totals, further)?;
    }
    parallel_for_each!((on, tiles), |t| {
        #[tile_static]
        let part: [u32; TILE];
        let l = t.local[0];
        part[l] = numbers[t];
        t.barrier.wait();
        let mut distance = 1;
        while distance < TILE as i32 {
            let mut sum = part[l];
            if l >= distance {
                sum = sum.wrapping_add(part[l - distance]);
            }
            t.barrier.wait();
            part[l] = sum;
            t.barrier.wait();
            distance *= 2;
        }
        let before = if t.tile[0] > 0 { totals[t.tile[0] - 1] } else { 0 };
        sums[t] = part[l].wrapping_add(before);
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
