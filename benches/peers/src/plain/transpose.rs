//! The transpose of a matrix: memory accesses in an order that suits no cache.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Rows and columns of a block.
const BLOCK: usize = 16;

/// The matrix.
pub fn inputs(side: usize) -> Vec<f32> {
    input::floats(side * side, 0, 0.0, 1.0)
}

struct Matrix {
    side: usize,
    from: Vec<f32>,
    to: Vec<f32>,
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Matrix { side, from: inputs(side), to: vec![0.0; side * side] },
        restore: nothing,
        run: |s| {
            let side = s.side;
            s.to.par_chunks_mut(BLOCK * side).enumerate().for_each(|(band, out)| {
                let left = band * BLOCK;
                for top in (0..side).step_by(BLOCK) {
                    for (x, row) in out.chunks_mut(side).enumerate() {
                        for (y, to) in row[top..side.min(top + BLOCK)].iter_mut().enumerate() {
                            *to = s.from[(top + y) * side + left + x];
                        }
                    }
                }
            });
        },
        output: |s| PeerOutput::Floats(s.to.clone()),
    })
}
