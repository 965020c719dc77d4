//! Running sums within each tile of numbers.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Numbers of a tile.
pub const TILE: usize = 256;

/// The numbers: of [0, 1).
pub fn inputs(count: usize) -> Vec<f32> {
    input::floats(count, 0, 0.0, 1.0)
}

struct Sums {
    numbers: Vec<f32>,
    sums: Vec<f32>,
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Sums { numbers: inputs(count), sums: vec![0.0; count] },
        restore: nothing,
        run: |s| {
            s.sums.par_chunks_mut(CHUNK).zip(s.numbers.par_chunks(CHUNK)).for_each(|(sums, numbers)| {
                for (sums, numbers) in sums.chunks_mut(TILE).zip(numbers.chunks(TILE)) {
                    let mut sum = 0.0;
                    for (result, number) in sums.iter_mut().zip(numbers) {
                        sum += number;
                        *result = sum;
                    }
                }
            });
        },
        output: |s| PeerOutput::Floats(s.sums.clone()),
    })
}

/// The sums in the order in which the kernel adds: each thread adds the number 1, 2, 4, .. places
/// before its own.
pub(super) fn in_a_tree(count: usize) -> PeerOutput {
    let mut sums = inputs(count);
    for tile in sums.chunks_mut(TILE) {
        let mut distance = 1;
        while distance < TILE {
            for i in (distance..tile.len()).rev() {
                tile[i] += tile[i - distance];
            }
            distance *= 2;
        }
    }
    PeerOutput::Floats(sums)
}
