//! Counts of the highest byte: increments at data-dependent places.

use rayon::prelude::{ParallelIterator, ParallelSlice};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Counters.
pub const BINS: usize = 256;

/// The words to count.
pub fn inputs(count: usize) -> Vec<u32> {
    input::words(count, 0)
}

struct Counts {
    words: Vec<u32>,
    bins: Vec<u32>,
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Counts { words: inputs(count), bins: vec![0; BINS] },
        restore: nothing,
        run: |s| {
            let chunks = s.words.par_chunks(CHUNK).fold(
                || vec![0; BINS],
                |mut bins: Vec<u32>, words| {
                    for word in words {
                        bins[(word >> 24) as usize] += 1;
                    }
                    bins
                },
            );
            s.bins = chunks.reduce(|| vec![0; BINS], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        },
        output: |s| PeerOutput::Words(s.bins.clone()),
    })
}
