//! Accelerations of bodies by all others: arithmetic over few numbers.

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Keeps the distance of a body from itself off zero.
pub const SOFTENING: f32 = 0.01;

/// Position and mass of each body, all of [0, 1).
pub fn bodies(count: usize) -> Vec<[f32; 4]> {
    input::floats(4 * count, 0, 0.0, 1.0).as_chunks().0.to_vec()
}

struct Bodies {
    bodies: Vec<[f32; 4]>,
    accelerations: Vec<[f32; 4]>,
}

fn acceleration(me: [f32; 4], bodies: &[[f32; 4]]) -> [f32; 4] {
    let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
    for q in bodies {
        let (dx, dy, dz) = (q[0] - me[0], q[1] - me[1], q[2] - me[2]);
        let square = dx * dx + dy * dy + dz * dz + SOFTENING;
        let inverse = 1.0 / square.sqrt();
        let scale = q[3] * inverse * inverse * inverse;
        ax += dx * scale;
        ay += dy * scale;
        az += dz * scale;
    }
    [ax, ay, az, 0.0]
}

fn acceleration_fused(me: [f32; 4], bodies: &[[f32; 4]]) -> [f32; 4] {
    let (mut ax, mut ay, mut az) = (0.0_f32, 0.0_f32, 0.0_f32);
    for q in bodies {
        let (dx, dy, dz) = (q[0] - me[0], q[1] - me[1], q[2] - me[2]);
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
        let inverse = 1.0 / square.sqrt();
        let scale = q[3] * inverse * inverse * inverse;
        ax = dx.mul_add(scale, ax);
        ay = dy.mul_add(scale, ay);
        az = dz.mul_add(scale, az);
    }
    [ax, ay, az, 0.0]
}

fn of(count: usize, run: fn(&mut Bodies)) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Bodies { bodies: bodies(count), accelerations: vec![[0.0; 4]; count] },
        restore: nothing,
        run,
        output: |s| PeerOutput::Floats(s.accelerations.as_flattened().to_vec()),
    })
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    of(count, |s| {
        let results = s.accelerations.par_iter_mut().zip(s.bodies.par_iter()).with_min_len(64);
        results.for_each(|(result, me)| *result = acceleration(*me, &s.bodies));
    })
}

pub(super) fn prepare_fused(count: usize) -> Box<dyn PreparedWork> {
    of(count, |s| {
        let results = s.accelerations.par_iter_mut().zip(s.bodies.par_iter()).with_min_len(64);
        results.for_each(|(result, me)| *result = acceleration_fused(*me, &s.bodies));
    })
}
