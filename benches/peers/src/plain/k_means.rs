//! The nearest of some centres for each point: the assignment of k-means.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Centres.
pub const CENTRES: usize = 16;
/// Points that are compared with a centre together, so that the compiler has vectors.
const TOGETHER: usize = 16;

/// The points.
pub fn points(count: usize) -> Vec<[f32; 3]> {
    triples(count, 0)
}

/// The centres.
pub fn centres() -> Vec<[f32; 3]> {
    triples(CENTRES, 1)
}

fn triples(count: usize, stream: u32) -> Vec<[f32; 3]> {
    let numbers = input::floats(3 * count, stream, -1.0, 1.0);
    numbers.chunks_exact(3).map(|xyz| [xyz[0], xyz[1], xyz[2]]).collect()
}

struct Points {
    points: Vec<[f32; 3]>,
    centres: Vec<[f32; 3]>,
    nearest: Vec<u32>,
}

/// The first of the nearest centres, for a few points.
fn assign(points: &[[f32; 3]; TOGETHER], centres: &[[f32; 3]]) -> [u32; TOGETHER] {
    let [mut xs, mut ys, mut zs] = [[0.0; TOGETHER]; 3];
    for i in 0..TOGETHER {
        [xs[i], ys[i], zs[i]] = points[i];
    }
    let (mut least, mut which) = ([f32::INFINITY; TOGETHER], [0; TOGETHER]);
    for (number, centre) in (0..).zip(centres) {
        let square: [f32; TOGETHER] = std::array::from_fn(|i| {
            let (dx, dy, dz) = (xs[i] - centre[0], ys[i] - centre[1], zs[i] - centre[2]);
            dx * dx + dy * dy + dz * dz
        });
        for i in 0..TOGETHER {
            which[i] = if square[i] < least[i] { number } else { which[i] };
        }
        for i in 0..TOGETHER {
            least[i] = if square[i] < least[i] { square[i] } else { least[i] };
        }
    }
    which
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Points { points: points(count), centres: centres(), nearest: vec![0; count] },
        restore: nothing,
        run: |s| {
            let centres = &s.centres;
            s.nearest.par_chunks_mut(CHUNK / 4).zip(s.points.par_chunks(CHUNK / 4)).for_each(|(nearest, points)| {
                let (whole, rest) = points.as_chunks();
                let (nearest, nearest_of_rest) = nearest.as_chunks_mut();
                for (nearest, points) in nearest.iter_mut().zip(whole) {
                    *nearest = assign(points, centres);
                }
                let mut points = [[0.0; 3]; TOGETHER];
                points[..rest.len()].copy_from_slice(rest);
                nearest_of_rest.copy_from_slice(&assign(&points, centres)[..rest.len()]);
            });
        },
        output: |s| PeerOutput::Words(s.nearest.clone()),
    })
}
