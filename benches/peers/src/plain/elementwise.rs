//! An operation for each element: bound by memory bandwidth.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// The factor of saxpy.
pub const ALPHA: f32 = 2.5;

/// The inputs of both: numbers of [0, 1).
pub fn inputs(count: usize) -> (Vec<f32>, Vec<f32>) {
    (input::floats(count, 0, 0.0, 1.0), input::floats(count, 1, 0.0, 1.0))
}

struct Add {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

pub(super) fn add(count: usize) -> Box<dyn PreparedWork> {
    let (a, b) = inputs(count);
    Box::new(Plain {
        state: Add { a, b, c: vec![0.0; count] },
        restore: nothing,
        run: |s| {
            let chunks = s.c.par_chunks_mut(CHUNK).zip(s.a.par_chunks(CHUNK)).zip(s.b.par_chunks(CHUNK));
            chunks.for_each(|((c, a), b)| {
                for ((c, a), b) in c.iter_mut().zip(a).zip(b) {
                    *c = a + b;
                }
            });
        },
        output: |s| PeerOutput::Floats(s.c.clone()),
    })
}

struct Saxpy {
    x: Vec<f32>,
    y: Vec<f32>,
}

pub(super) fn saxpy(count: usize) -> Box<dyn PreparedWork> {
    let (x, y) = inputs(count);
    Box::new(Plain {
        state: Saxpy { x, y },
        restore: |s| s.y = inputs(s.x.len()).1,
        run: |s| {
            s.y.par_chunks_mut(CHUNK).zip(s.x.par_chunks(CHUNK)).for_each(|(y, x)| {
                for (y, x) in y.iter_mut().zip(x) {
                    *y += ALPHA * x;
                }
            });
        },
        output: |s| PeerOutput::Floats(s.y.clone()),
    })
}
