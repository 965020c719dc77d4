//! An average over the 27 points around each point of a cube. The points of its surface stay.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// What each of the 27 points counts.
pub const SHARE: f32 = 1.0 / 27.0;

/// The cube.
pub fn inputs(side: usize) -> Vec<f32> {
    input::floats(side * side * side, 0, 0.0, 1.0)
}

struct Cubes {
    side: usize,
    from: Vec<f32>,
    to: Vec<f32>,
}

/// Averages of a row that stay in registers together.
const TOGETHER: usize = 64;

/// One row: `rows` are the nine around it, `rows[4]` itself.
fn average(rows: [&[f32]; 9], to: &mut [f32]) {
    let last = to.len() - 1;
    to[0] = rows[4][0];
    to[last] = rows[4][last];
    if to.len() < TOGETHER + 2 {
        for x in 1..last {
            average_some::<1>(rows, x, to);
        }
        return;
    }
    for x in (1..last - TOGETHER).step_by(TOGETHER) {
        average_some::<TOGETHER>(rows, x, to);
    }
    // The last ones overlap those before.
    average_some::<TOGETHER>(rows, last - TOGETHER, to);
}

/// Some averages of a row, from `x` on.
fn average_some<const COUNT: usize>(rows: [&[f32]; 9], x: usize, to: &mut [f32]) {
    let mut sums = [0.0; COUNT];
    for row in rows {
        let row = &row[x - 1..][..COUNT + 2];
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += row[i];
            *sum += row[i + 1];
            *sum += row[i + 2];
        }
    }
    to[x..x + COUNT].copy_from_slice(&sums.map(|sum| sum * SHARE));
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Cubes { side, from: inputs(side), to: vec![0.0; side * side * side] },
        restore: nothing,
        run: |s| {
            let (side, from) = (s.side, &s.from);
            let row = |z: usize, y: usize| &from[(z * side + y) * side..][..side];
            s.to.par_chunks_mut(side).with_min_len(16).enumerate().for_each(|(at, to)| {
                let (z, y) = (at / side, at % side);
                if z == 0 || z == side - 1 || y == 0 || y == side - 1 {
                    to.copy_from_slice(row(z, y));
                    return;
                }
                average(std::array::from_fn(|i| row(z + i / 3 - 1, y + i % 3 - 1)), to);
            });
        },
        output: |s| PeerOutput::Floats(s.to.clone()),
    })
}
