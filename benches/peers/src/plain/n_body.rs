//! Accelerations of bodies by all others: arithmetic over few numbers.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Keeps the distance of a body from itself off zero.
pub const SOFTENING: f32 = 0.01;

/// Position and mass of each body, all of [0, 1).
pub fn bodies(count: usize) -> Vec<[f32; 4]> {
    input::floats(4 * count, 0, 0.0, 1.0).as_chunks().0.to_vec()
}

/// Bodies whose accelerations are computed together, so that the compiler has vectors.
const TOGETHER: usize = 16;

struct Bodies {
    bodies: Vec<[f32; 4]>,
    accelerations: Vec<[f32; 4]>,
}

/// The accelerations of a few bodies, one number of each at a time: `step` adds what one body
/// causes to one acceleration.
fn accelerate(
    own: &[[f32; 4]],
    bodies: &[[f32; 4]],
    results: &mut [[f32; 4]],
    step: impl Fn(&mut [f32; 3], [f32; 3], f32),
) {
    let [mut xs, mut ys, mut zs] = [[0.0; TOGETHER]; 3];
    for (i, me) in own.iter().enumerate() {
        [xs[i], ys[i], zs[i], _] = *me;
    }
    let [mut ax, mut ay, mut az] = [[0.0; TOGETHER]; 3];
    for q in bodies {
        for i in 0..TOGETHER {
            let mut sum = [ax[i], ay[i], az[i]];
            step(&mut sum, [q[0] - xs[i], q[1] - ys[i], q[2] - zs[i]], q[3]);
            [ax[i], ay[i], az[i]] = sum;
        }
    }
    for (i, result) in results.iter_mut().enumerate() {
        *result = [ax[i], ay[i], az[i], 0.0];
    }
}

fn pull(sum: &mut [f32; 3], [dx, dy, dz]: [f32; 3], mass: f32) {
    let square = dx * dx + dy * dy + dz * dz + SOFTENING;
    let inverse = 1.0 / square.sqrt();
    let scale = mass * inverse * inverse * inverse;
    sum[0] += dx * scale;
    sum[1] += dy * scale;
    sum[2] += dz * scale;
}

fn pull_fused(sum: &mut [f32; 3], [dx, dy, dz]: [f32; 3], mass: f32) {
    let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
    let inverse = 1.0 / square.sqrt();
    let scale = mass * inverse * inverse * inverse;
    sum[0] = dx.mul_add(scale, sum[0]);
    sum[1] = dy.mul_add(scale, sum[1]);
    sum[2] = dz.mul_add(scale, sum[2]);
}

fn of(count: usize, run: fn(&mut Bodies)) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Bodies { bodies: bodies(count), accelerations: vec![[0.0; 4]; count] },
        restore: nothing,
        run,
        output: |s| PeerOutput::Floats(s.accelerations.as_flattened().to_vec()),
    })
}

fn all(s: &mut Bodies, step: impl Fn(&mut [f32; 3], [f32; 3], f32) + Copy + Sync) {
    let results = s.accelerations.par_chunks_mut(TOGETHER).zip(s.bodies.par_chunks(TOGETHER));
    results.for_each(|(results, own)| accelerate(own, &s.bodies, results, step));
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    of(count, |s| all(s, pull))
}

pub(super) fn prepare_fused(count: usize) -> Box<dyn PreparedWork> {
    of(count, |s| all(s, pull_fused))
}
