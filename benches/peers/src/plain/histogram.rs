//! Counts of the highest byte: increments at data-dependent places.

use rayon::prelude::{ParallelIterator, ParallelSlice};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Counters.
pub const BINS: usize = 256;

/// Tables of a worker.
pub const TABLES: usize = 4;

/// The words to count.
pub fn inputs(count: usize) -> Vec<u32> {
    input::words(count, 0)
}

struct Counts {
    words: Vec<u32>,
    bins: Vec<u32>,
}

/// Counts in a few tables in turn, as an increment waits for the one before of the same counter.
fn count(words: &[u32]) -> Vec<u32> {
    let mut tables = [[0_u32; BINS]; TABLES];
    let (some, rest) = words.as_chunks::<TABLES>();
    for words in some {
        for (table, word) in tables.iter_mut().zip(words) {
            table[(word >> 24) as usize] += 1;
        }
    }
    for word in rest {
        tables[0][(word >> 24) as usize] += 1;
    }
    (0..BINS).map(|bin| tables.iter().map(|table| table[bin]).sum()).collect()
}

pub(super) fn prepare(length: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Counts { words: inputs(length), bins: vec![0; BINS] },
        restore: nothing,
        run: |s| {
            let chunks = s.words.par_chunks(CHUNK).map(count);
            s.bins = chunks.reduce(|| vec![0; BINS], |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        },
        output: |s| PeerOutput::Words(s.bins.clone()),
    })
}
