//! A sum for each tile of numbers: repeatedly adds one half to the other, which also lets the
//! compiler use vectors.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// The number of summands of a sum.
pub const TILE: usize = 256;

/// The numbers: of [0, 1).
pub fn inputs(count: usize) -> Vec<f32> {
    input::floats(count, 0, 0.0, 1.0)
}

struct Sums {
    numbers: Vec<f32>,
    sums: Vec<f32>,
}

fn sum(tile: &[f32; TILE]) -> f32 {
    let mut part: [f32; TILE / 2] = std::array::from_fn(|i| tile[i] + tile[i + TILE / 2]);
    let mut half = TILE / 4;
    while half > 0 {
        for i in 0..half {
            part[i] += part[i + half];
        }
        half /= 2;
    }
    part[0]
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Sums { numbers: inputs(count), sums: vec![0.0; count / TILE] },
        restore: nothing,
        run: |s| {
            let chunks = s.sums.par_chunks_mut(CHUNK / TILE).zip(s.numbers.par_chunks(CHUNK));
            chunks.for_each(|(sums, numbers)| {
                for (result, tile) in sums.iter_mut().zip(numbers.as_chunks().0) {
                    *result = sum(tile);
                }
            });
        },
        output: |s| PeerOutput::Floats(s.sums.clone()),
    })
}
