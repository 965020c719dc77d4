//! Counts of the highest byte: each tile counts in `tile_static` memory first.

use tilewise::prelude::*;
use tilewise_peers::plain::histogram::{BINS, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

/// Threads of all tiles: each counts many words, so that the counters of each tile pay off.
const THREADS: usize = 1 << 16;

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
            let threads = count.min(THREADS as i32);
            parallel_for_each!((on, Extent([threads]).tile::<BINS>()), |t| {
                #[tile_static]
                let own: [u32; BINS];
                let l = t.local[0];
                own[l] = 0;
                t.barrier.wait();
                let mut i = t.global[0];
                while i < count {
                    own.atomic(words[i] >> 24).fetch_add(1);
                    i += threads;
                }
                t.barrier.wait();
                bins.atomic(l).fetch_add(own[l]);
            })
        },
        output: |s| s.bins.to_vec().map(PeerOutput::Words),
    }))
}
