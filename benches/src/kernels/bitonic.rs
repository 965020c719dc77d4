//! A sort by Batcher's bitonic network: steps over up to a tile's numbers in `tile_static` memory,
//! each longer one in a launch of its own.

use tilewise::prelude::*;
use tilewise_peers::plain::bitonic::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Threads of a tile; each orders two numbers.
const TILE: usize = 512;
/// Numbers of a tile.
const PAIR: usize = 2 * TILE;

struct Numbers {
    given: ReadView<'static, u32>,
    sorted: ArrayView<'static, u32>,
}

/// Sorts the numbers of each tile: up in one, down in the next.
fn sort_tiles(on: &AcceleratorView, given: &ReadView<'_, u32>, sorted: &ArrayView<'_, u32>) -> tilewise::Result<()> {
    let threads = given.extent()[0] / 2;
    parallel_for_each!((on, Extent([threads]).tile::<TILE>()), |t| {
        #[tile_static]
        let part: [u32; PAIR];
        let l = t.local[0];
        let first = t.tile[0] * PAIR as i32;
        part[l] = given[first + l];
        part[l + TILE as i32] = given[first + TILE as i32 + l];
        t.barrier.wait();
        let mut length = 2;
        while length <= PAIR as i32 {
            let mut distance = length / 2;
            while distance > 0 {
                let low = 2 * l - (l & (distance - 1));
                let high = low + distance;
                let up = (first + low) & length == 0;
                let a = part[low];
                let b = part[high];
                if (a > b) == up {
                    part[low] = b;
                    part[high] = a;
                }
                t.barrier.wait();
                distance /= 2;
            }
            length *= 2;
        }
        sorted[first + l] = part[l];
        sorted[first + TILE as i32 + l] = part[l + TILE as i32];
    })
}

/// One step of a merge of runs of that length, over more than a tile's numbers.
fn step(on: &AcceleratorView, sorted: &ArrayView<'_, u32>, length: i32, distance: i32) -> tilewise::Result<()> {
    parallel_for_each!((on, Extent([sorted.extent()[0] / 2])), |i| {
        let low = 2 * i[0] - (i[0] & (distance - 1));
        let high = low + distance;
        let a = sorted[low];
        let b = sorted[high];
        if (a > b) == (low & length == 0) {
            sorted[low] = b;
            sorted[high] = a;
        }
    })
}

/// The other steps of that merge.
fn merge_tiles(on: &AcceleratorView, sorted: &ArrayView<'_, u32>, length: i32) -> tilewise::Result<()> {
    let threads = sorted.extent()[0] / 2;
    parallel_for_each!((on, Extent([threads]).tile::<TILE>()), |t| {
        #[tile_static]
        let part: [u32; PAIR];
        let l = t.local[0];
        let first = t.tile[0] * PAIR as i32;
        part[l] = sorted[first + l];
        part[l + TILE as i32] = sorted[first + TILE as i32 + l];
        t.barrier.wait();
        let up = first & length == 0;
        let mut distance = TILE as i32;
        while distance > 0 {
            let low = 2 * l - (l & (distance - 1));
            let high = low + distance;
            let a = part[low];
            let b = part[high];
            if (a > b) == up {
                part[low] = b;
                part[high] = a;
            }
            t.barrier.wait();
            distance /= 2;
        }
        sorted[first + l] = part[l];
        sorted[first + TILE as i32 + l] = part[l + TILE as i32];
    })
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Numbers { given: filled(count, inputs(count))?.as_read_only(), sorted: filled(count, vec![0; count])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Numbers { given, sorted }| {
            sort_tiles(on, given, sorted)?;
            let mut length = 2 * PAIR as i32;
            while length <= sorted.extent()[0] {
                let mut distance = length / 2;
                while distance >= PAIR as i32 {
                    step(on, sorted, length, distance)?;
                    distance /= 2;
                }
                merge_tiles(on, sorted, length)?;
                length *= 2;
            }
            Ok(())
        },
        output: |s| s.sorted.to_vec().map(PeerOutput::Words),
    }))
}
