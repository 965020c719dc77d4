//! Steps until a point leaves: no memory, loops of different lengths.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork};

/// Steps after which a point counts as inside.
pub const LIMIT: u32 = 256;

/// Points that are computed together: two vectors of 16, as each step waits for the one before.
const TOGETHER: usize = 32;
/// Steps between two questions whether any point is still inside.
const STEPS: u32 = 8;

struct Picture {
    side: usize,
    steps: Vec<u32>,
}

/// The points of row `py` from `left` on.
fn steps(left: usize, py: usize, side: f32) -> [u32; TOGETHER] {
    let cx: [f32; TOGETHER] = std::array::from_fn(|i| -2.5 + 3.5 * (left + i) as f32 / side);
    let cy = -1.25 + 2.5 * py as f32 / side;
    let [mut x, mut y] = [[0.0_f32; TOGETHER]; 2];
    let (mut is_in, mut count) = ([1; TOGETHER], [0; TOGETHER]);
    for _ in 0..LIMIT / STEPS {
        for _ in 0..STEPS {
            for i in 0..TOGETHER {
                let (xx, yy) = (x[i] * x[i], y[i] * y[i]);
                is_in[i] &= u32::from(xx + yy <= 4.0);
                count[i] += is_in[i];
                y[i] = 2.0 * x[i] * y[i] + cy;
                x[i] = xx - yy + cx[i];
            }
        }
        if is_in == [0; TOGETHER] {
            break;
        }
    }
    count
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Picture { side, steps: vec![0; side * side] },
        restore: nothing,
        run: |s| {
            let side = s.side;
            // The cost of rows differs much, so a worker takes one at a time.
            s.steps.par_chunks_mut(side).with_max_len(1).enumerate().for_each(|(py, row)| {
                for (part, out) in row.chunks_mut(TOGETHER).enumerate() {
                    out.copy_from_slice(&steps(part * TOGETHER, py, side as f32)[..out.len()]);
                }
            });
        },
        output: |s| PeerOutput::Words(s.steps.clone()),
    })
}
