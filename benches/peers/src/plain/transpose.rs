//! The transpose of a matrix: memory accesses in an order that suits no cache.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Rows and columns of a block: a row is a line of the cache.
const BLOCK: usize = 16;
/// Rows and columns of the parts of a block, which stay in registers.
const PART: usize = 4;
/// Rows and columns whose blocks are done one after the other, so that their pages stay known.
const BAND: usize = 128;

/// The matrix.
pub fn inputs(side: usize) -> Vec<f32> {
    input::floats(side * side, 0, 0.0, 1.0)
}

struct Matrix {
    side: usize,
    from: Vec<f32>,
    to: Vec<f32>,
}

/// Transposes a block, from rows and to rows of matrices with that many columns: a multiple of
/// [`BLOCK`].
fn block(from: &[f32], to: &mut [f32], side: usize) {
    for x in (0..BLOCK).step_by(PART) {
        for y in (0..BLOCK).step_by(PART) {
            let rows: [&[f32]; PART] = std::array::from_fn(|i| &from[(y + i) * side + x..][..PART]);
            for i in 0..PART {
                to[(x + i) * side + y..][..PART].copy_from_slice(&rows.map(|row| row[i]));
            }
        }
    }
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Matrix { side, from: inputs(side), to: vec![0.0; side * side] },
        restore: nothing,
        run: |s| {
            let (side, from) = (s.side, &s.from);
            s.to.par_chunks_mut(BAND * side).enumerate().for_each(|(band, to)| {
                for top in (0..side).step_by(BAND) {
                    for left in (0..to.len() / side).step_by(BLOCK) {
                        for down in (top..side.min(top + BAND)).step_by(BLOCK) {
                            let from = &from[down * side + band * BAND + left..];
                            block(from, &mut to[left * side + down..], side);
                        }
                    }
                }
            });
        },
        output: |s| PeerOutput::Floats(s.to.clone()),
    })
}
