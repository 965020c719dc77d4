//! Products of square matrices. Each element is a sum from left to right in all forms, so all give
//! the same bits, except for the fused one.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Rows of a block: as many sums as the registers hold.
const ROWS: usize = 4;
/// Columns of a block.
const COLUMNS: usize = 16;
/// Rows that a worker takes at once.
const BAND: usize = 64;

/// Both factors, with numbers of [0, 1).
pub fn inputs(side: usize) -> (Vec<f32>, Vec<f32>) {
    (input::floats(side * side, 0, 0.0, 1.0), input::floats(side * side, 1, 0.0, 1.0))
}

struct Matrices {
    side: usize,
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

fn of(side: usize, run: fn(&mut Matrices)) -> Box<dyn PreparedWork> {
    let (a, b) = inputs(side);
    let state = Matrices { side, a, b, c: vec![0.0; side * side] };
    Box::new(Plain { state, restore: nothing, run, output: |s| PeerOutput::Floats(s.c.clone()) })
}

/// Block by block; first copies the columns of a block into contiguous memory. The side is a
/// multiple of [`BAND`].
pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    of(side, |s| blocked(s, |x, y, sum| sum + x * y))
}

/// Like `prepare`, with one rounding for each step.
pub(super) fn prepare_fused(side: usize) -> Box<dyn PreparedWork> {
    of(side, |s| blocked(s, f32::mul_add))
}

fn blocked(s: &mut Matrices, step: impl Fn(f32, f32, f32) -> f32 + Sync) {
    let (side, b) = (s.side, &s.b);
    s.c.par_chunks_mut(BAND * side).zip(s.a.par_chunks(BAND * side)).for_each(|(c, a)| {
        let mut columns = vec![[0.0; COLUMNS]; side];
        for left in (0..side).step_by(COLUMNS) {
            for (columns, row) in columns.iter_mut().zip(b.chunks(side)) {
                columns.copy_from_slice(&row[left..left + COLUMNS]);
            }
            for top in (0..BAND).step_by(ROWS) {
                let mut sums = [[0.0; COLUMNS]; ROWS];
                let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &a[(top + row) * side..][..side]);
                for (k, columns) in columns.iter().enumerate() {
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        for (sum, y) in sums.iter_mut().zip(columns) {
                            *sum = step(row[k], *y, *sum);
                        }
                    }
                }
                for (row, sums) in sums.iter().enumerate() {
                    c[(top + row) * side + left..][..COLUMNS].copy_from_slice(sums);
                }
            }
        }
    });
}
