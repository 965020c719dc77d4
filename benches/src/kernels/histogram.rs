//! Counts of the highest byte: each tile counts a chunk in `tile_static` memory first, in a few tables in
//! turn, as the peer in plain Rust does: an increment waits for the one before of the same counter.

use tilewise::prelude::*;
use tilewise_peers::plain::histogram::{BINS, TABLES, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

/// Tiles at most: each counts many words, so that its tables pay off.
const TILES: i32 = 256;

struct Counts {
    words: ReadView<'static, u32>,
    bins: ArrayView<'static, u32>,
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Counts { words: filled(count, inputs(count))?.as_read_only(), bins: filled(BINS, vec![0; BINS])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| s.bins.fill(0),
        run: |on, Counts { words, bins }| {
            let count = words.extent()[0];
            let tiles = (count / BINS as i32).clamp(1, TILES);
            // A whole number of rounds of a tile.
            let rounds = (count + tiles * BINS as i32 - 1) / (tiles * BINS as i32);
            parallel_for_each!((on, Extent([tiles * BINS as i32]).tile::<BINS>()), |t| {
                #[tile_static]
                let own: [u32; TABLES * BINS];
                let l = t.local[0];
                for table in 0..TABLES {
                    own[table * BINS + l as usize] = 0;
                }
                t.barrier.wait();
                let table = (l as usize % TABLES * BINS) as u32;
                let first = t.tile[0] * rounds * BINS as i32 + l;
                for round in 0..rounds {
                    let i = first + round * BINS as i32;
                    if i < count {
                        own.atomic(table + (words[i] >> 24)).fetch_add(1);
                    }
                }
                t.barrier.wait();
                let mut sum = 0;
                for table in 0..TABLES {
                    sum += own[table * BINS + l as usize];
                }
                bins.atomic(l).fetch_add(sum);
            })
        },
        output: |s| s.bins.to_vec().map(PeerOutput::Words),
    }))
}
