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

/// Sums that stay in registers over all weights.
const TOGETHER: usize = 64;

/// Some sums of a row, from `x` on; `rows` are the rows of the picture that they reach.
fn sums<const COUNT: usize>(rows: [&[f32]; TAPS], weights: &[f32], x: usize) -> [f32; COUNT] {
    let mut sums = [0.0; COUNT];
    for (row, weights) in rows.iter().zip(weights.chunks(TAPS)) {
        for (column, weight) in weights.iter().enumerate() {
            for (sum, value) in sums.iter_mut().zip(&row[x + column..][..COUNT]) {
                *sum += weight * value;
            }
        }
    }
    sums
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Pictures { side, from: picture(side), weights: weights(), to: vec![0.0; side * side] },
        restore: nothing,
        run: |s| {
            let (side, from, weights) = (s.side, &s.from, &s.weights);
            let whole = side + TAPS - 1;
            s.to.par_chunks_mut(side).with_min_len(4).enumerate().for_each(|(y, to)| {
                let rows = std::array::from_fn(|row| &from[(y + row) * whole..][..whole]);
                let (some, rest) = to.as_chunks_mut();
                for (part, to) in some.iter_mut().enumerate() {
                    *to = sums::<TOGETHER>(rows, weights, part * TOGETHER);
                }
                for (i, to) in rest.iter_mut().enumerate() {
                    [*to] = sums(rows, weights, some.len() * TOGETHER + i);
                }
            });
        },
        output: |s| PeerOutput::Floats(s.to.clone()),
    })
}
