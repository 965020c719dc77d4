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

struct Paths {
    points: usize,
    distances: Vec<f32>,
}

pub(super) fn prepare(points: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Paths { points, distances: distances(points) },
        restore: |s| s.distances = distances(s.points),
        run: |s| {
            for via in 0..s.points {
                let through = s.distances[via * s.points..][..s.points].to_vec();
                s.distances.par_chunks_mut(s.points).with_min_len(64).enumerate().for_each(|(from, row)| {
                    if from != via {
                        let first = row[via];
                        for (to, then) in row.iter_mut().zip(&through) {
                            let sum = first + then;
                            *to = if sum < *to { sum } else { *to };
                        }
                    }
                });
            }
        },
        output: |s| PeerOutput::Floats(s.distances.clone()),
    })
}
