//! Conway's Game of Life on bytes. The edges of the grid meet.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::Plain;
use crate::{PeerOutput, PreparedWork, input};

/// Steps of a run; an even number, so that the result lies where the input lay.
pub const STEPS: usize = 10;

/// The initial grid: 1 for a cell that lives, 0 for one that does not.
pub fn inputs(side: usize) -> Vec<u8> {
    input::words(side * side, 0).into_iter().map(|word| (word >> 31) as u8).collect()
}

struct Cells {
    side: usize,
    now: Vec<u8>,
    next: Vec<u8>,
}

/// One row, from the rows around it.
fn row([above, row, below]: [&[u8]; 3], to: &mut [u8]) {
    // The sums of three cells, with one more at both ends.
    let side = row.len();
    let mut sums = vec![0; side + 2];
    for (((sum, above), row), below) in sums[1..].iter_mut().zip(above).zip(row).zip(below) {
        *sum = above + row + below;
    }
    sums[0] = sums[side];
    sums[side + 1] = sums[1];
    let around = sums.iter().zip(&sums[1..]).zip(&sums[2..]);
    for ((to, own), ((left, middle), right)) in to.iter_mut().zip(row).zip(around) {
        // Nine cells: three if its own is among them, or if it is born.
        let sum = left + middle + right;
        *to = u8::from(sum == 3) | (u8::from(sum == 4) & own);
    }
}

fn step(side: usize, from: &[u8], to: &mut [u8]) {
    to.par_chunks_mut(side).with_min_len(16).enumerate().for_each(|(y, to)| {
        let at = |y: usize| &from[(y % side) * side..][..side];
        row([at(y + side - 1), at(y), at(y + 1)], to);
    });
}

pub(super) fn prepare(side: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Cells { side, now: inputs(side), next: vec![0; side * side] },
        restore: |s| s.now = inputs(s.side),
        run: |s| {
            for _ in 0..STEPS {
                step(s.side, &s.now, &mut s.next);
                std::mem::swap(&mut s.now, &mut s.next);
            }
        },
        output: |s| PeerOutput::Words(s.now.iter().map(|&cell| u32::from(cell)).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_live_by_the_rule_also_at_the_edges() {
        let side = 19;
        let from = inputs(side);
        let mut to = vec![0; side * side];
        step(side, &from, &mut to);
        for (at, cell) in to.into_iter().enumerate() {
            let near = |dy: usize, dx: usize| from[(at / side + dy) % side * side + (at % side + dx) % side];
            let steps = [side - 1, 0, 1];
            let all: u8 = steps.into_iter().flat_map(|dy| steps.map(|dx| near(dy, dx))).sum();
            let around = all - from[at];
            assert_eq!(cell == 1, around == 3 || (around == 2 && from[at] == 1), "cell {at}");
        }
    }
}
