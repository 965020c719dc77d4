//! An average over five points, ten times: a grid that does not fit the caches.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::Plain;
use crate::{PeerOutput, PreparedWork, input};

/// Steps of a run; an even number, so that the result lies where the input lay.
pub const STEPS: usize = 10;

/// The initial grid.
pub fn inputs(side: usize) -> Vec<f32> {
    input::floats(side * side, 0, 0.0, 1.0)
}

struct Grid {
    side: usize,
    now: Vec<f32>,
    next: Vec<f32>,
}

fn step(side: usize, a: &[f32], out: &mut [f32]) {
    out.par_chunks_mut(side).with_min_len(16).enumerate().for_each(|(y, out)| {
        let row = &a[y * side..][..side];
        if y == 0 || y == side - 1 {
            out.copy_from_slice(row);
            return;
        }
        let (above, below) = (&a[(y - 1) * side..][..side], &a[(y + 1) * side..][..side]);
        out[0] = row[0];
        out[side - 1] = row[side - 1];
        for x in 1..side - 1 {
            out[x] = 0.2 * (row[x] + row[x - 1] + row[x + 1] + above[x] + below[x]);
        }
    });
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Grid { side, now: inputs(side), next: vec![0.0; side * side] },
        restore: |s| s.now = inputs(s.side),
        run: |s| {
            for _ in 0..STEPS {
                step(s.side, &s.now, &mut s.next);
                std::mem::swap(&mut s.now, &mut s.next);
            }
        },
        output: |s| PeerOutput::Floats(s.now.clone()),
    })
}
