//! Steps until a point leaves: no memory, loops of different lengths.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork};

/// Steps after which a point counts as inside.
pub const LIMIT: u32 = 256;

struct Picture {
    side: usize,
    steps: Vec<u32>,
}

fn steps(px: usize, py: usize, side: f32) -> u32 {
    let (cx, cy) = (-2.5 + 3.5 * px as f32 / side, -1.25 + 2.5 * py as f32 / side);
    let (mut x, mut y, mut count) = (0.0_f32, 0.0_f32, 0);
    while count < LIMIT && x * x + y * y <= 4.0 {
        let next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
        count += 1;
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
                for (px, out) in row.iter_mut().enumerate() {
                    *out = steps(px, py, side as f32);
                }
            });
        },
        output: |s| PeerOutput::Words(s.steps.clone()),
    })
}
