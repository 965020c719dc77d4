//! A picture's convolution with 9 x 9 weights. The picture has a border, so that no point of the
//! result is special.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Rows and columns of weights.
pub const TAPS: usize = 9;

/// The picture, with its border: `side + TAPS - 1` rows and columns.
pub fn picture(side: usize) -> Vec<f32> {
    let whole = side + TAPS - 1;
    input::floats(whole * whole, 0, 0.0, 1.0)
}

/// The weights.
pub fn weights() -> Vec<f32> {
    input::floats(TAPS * TAPS, 1, 0.0, 1.0 / (TAPS * TAPS) as f32)
}

struct Pictures {
    side: usize,
    from: Vec<f32>,
    weights: Vec<f32>,
    to: Vec<f32>,
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Pictures { side, from: picture(side), weights: weights(), to: vec![0.0; side * side] },
        restore: nothing,
        run: |s| {
            let (side, from, weights) = (s.side, &s.from, &s.weights);
            let whole = side + TAPS - 1;
            s.to.par_chunks_mut(side).with_min_len(4).enumerate().for_each(|(y, to)| {
                // As many sums as stay in registers, over all weights.
                for (at, to) in to.chunks_mut(64).enumerate() {
                    let mut sums = [0.0; 64];
                    let sums = &mut sums[..to.len()];
                    for (row, weights) in weights.chunks(TAPS).enumerate() {
                        let from = &from[(y + row) * whole + at * 64..];
                        for (column, weight) in weights.iter().enumerate() {
                            for (sum, value) in sums.iter_mut().zip(&from[column..]) {
                                *sum += weight * value;
                            }
                        }
                    }
                    to.copy_from_slice(sums);
                }
            });
        },
        output: |s| PeerOutput::Floats(s.to.clone()),
    })
}
