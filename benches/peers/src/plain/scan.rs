//! Running sums within each tile of numbers.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Numbers of a tile.
pub const TILE: usize = 256;
/// Numbers of a vector.
const LANES: usize = 16;

/// The numbers: of [0, 1).
pub fn inputs(count: usize) -> Vec<f32> {
    input::floats(count, 0, 0.0, 1.0)
}

struct Sums {
    numbers: Vec<f32>,
    sums: Vec<f32>,
}

/// The sums of a tile, a vector at a time: in as many steps as its length has binary digits.
fn running(sums: &mut [f32; TILE], numbers: &[f32; TILE]) {
    let mut last = 0.0;
    for (sums, numbers) in sums.as_chunks_mut().0.iter_mut().zip(numbers.as_chunks().0) {
        let part = add_shifted::<1>(*numbers);
        let part = add_shifted::<2>(part);
        let part = add_shifted::<4>(part);
        let part = add_shifted::<8>(part);
        *sums = part.map(|sum| last + sum);
        last += part[LANES - 1];
    }
}

/// Adds the number `DISTANCE` places before to each.
fn add_shifted<const DISTANCE: usize>(part: [f32; LANES]) -> [f32; LANES] {
    let mut before = [0.0; LANES];
    before[DISTANCE..].copy_from_slice(&part[..LANES - DISTANCE]);
    std::array::from_fn(|i| part[i] + before[i])
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Sums { numbers: inputs(count), sums: vec![0.0; count] },
        restore: nothing,
        run: |s| {
            s.sums.par_chunks_mut(CHUNK).zip(s.numbers.par_chunks(CHUNK)).for_each(|(sums, numbers)| {
                let (sums, numbers) = (sums.as_chunks_mut::<TILE>().0, numbers.as_chunks::<TILE>().0);
                for (sums, numbers) in sums.iter_mut().zip(numbers) {
                    running(sums, numbers);
                }
            });
        },
        output: |s| PeerOutput::Floats(s.sums.clone()),
    })
}

/// The sums in the order in which the kernel adds: each thread adds the number 1, 2, 4, .. places
/// before its own.
pub(super) fn in_a_tree(count: usize) -> PeerOutput {
    let mut sums = inputs(count);
    for tile in sums.chunks_mut(TILE) {
        let mut distance = 1;
        while distance < TILE {
            for i in (distance..tile.len()).rev() {
                tile[i] += tile[i - distance];
            }
            distance *= 2;
        }
    }
    PeerOutput::Floats(sums)
}
