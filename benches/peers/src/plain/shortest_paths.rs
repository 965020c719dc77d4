//! Shortest paths between all pairs, by Floyd and Warshall: a round for each point that paths may
//! lead through.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use super::Plain;
use crate::{PeerOutput, PreparedWork, input};

/// The distances: one to ten, zero from a point to itself.
pub fn distances(points: usize) -> Vec<f32> {
    let mut all = input::floats(points * points, 0, 1.0, 10.0);
    all.iter_mut().step_by(points + 1).for_each(|own| *own = 0.0);
    all
}

/// Rounds that are done together, so that a row passes through the registers once for all of them.
const TOGETHER: usize = 4;

struct Paths {
    points: usize,
    distances: Vec<f32>,
}

/// Shortens the paths of one row that lead through the points from `via` on, whose own rows are
/// `through`.
fn shorten(row: &mut [f32], via: usize, through: &[Vec<f32>]) {
    // The distance to a point when its round comes: the rounds before may have shortened it.
    let mut first = [0.0; TOGETHER];
    for round in 0..through.len() {
        let before = (0..round)
            .fold(row[via + round], |least, earlier| shorter(least, first[earlier] + through[earlier][via + round]));
        first[round] = before;
    }
    if let [a, b, c, d] = through {
        for ((((to, a), b), c), d) in row.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let least = shorter(*to, first[0] + a);
            let least = shorter(least, first[1] + b);
            let least = shorter(least, first[2] + c);
            *to = shorter(least, first[3] + d);
        }
    } else {
        for (first, through) in first.iter().zip(through) {
            for (to, then) in row.iter_mut().zip(through) {
                *to = shorter(*to, first + then);
            }
        }
    }
}

fn shorter(old: f32, new: f32) -> f32 {
    if new < old { new } else { old }
}

pub(super) fn prepare(points: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Paths { points, distances: distances(points) },
        restore: |s| s.distances = distances(s.points),
        run: |s| {
            for via in (0..s.points).step_by(TOGETHER) {
                let mut through: Vec<Vec<f32>> = Vec::with_capacity(TOGETHER);
                for row in s.distances.chunks(s.points).skip(via).take(TOGETHER) {
                    // This row, when its round comes.
                    let mut row = row.to_vec();
                    shorten(&mut row, via, &through);
                    through.push(row);
                }
                s.distances.par_chunks_mut(s.points).with_min_len(64).for_each(|row| shorten(row, via, &through));
            }
        },
        output: |s| PeerOutput::Floats(s.distances.clone()),
    })
}
