//! Accelerations of bodies by all others: with a tile of bodies at a time in `tile_static` memory,
//! without, and with `mad` for operations that `Relaxed` may contract.

use tilewise::bytemuck;
use tilewise::prelude::*;
use tilewise_peers::plain::n_body::{SOFTENING, bodies};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Threads of a tile.
const TILE: usize = 256;

/// Position and mass of each body, and its acceleration.
struct Bodies {
    bodies: ReadView<'static, Float4>,
    accelerations: ArrayView<'static, Float4>,
}

/// The acceleration that a body of mass `q.w` causes at `me`.
#[amp]
fn pull(me: Float4, q: Float4) -> Float3 {
    let dx = q.x - me.x;
    let dy = q.y - me.y;
    let dz = q.z - me.z;
    let square = dx * dx + dy * dy + dz * dz + SOFTENING;
    let inverse = fast_math::rsqrt(square);
    let scale = q.w * inverse * inverse * inverse;
    Float3::new(dx * scale, dy * scale, dz * scale)
}

fn of(
    count: usize,
    on: &AcceleratorView,
    run: fn(&AcceleratorView, &Bodies) -> tilewise::Result<()>,
) -> tilewise::Result<Box<dyn PreparedWork>> {
    let given: Vec<Float4> = bodies(count).into_iter().map(Float4::from).collect();
    let views = Bodies {
        bodies: filled(count, given)?.as_read_only(),
        accelerations: filled(count, vec![Float4::ZERO; count])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run,
        output: |s| s.accelerations.to_vec().map(|all| PeerOutput::Floats(bytemuck::cast_slice(&all).to_vec())),
    }))
}

pub(super) fn staged(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(count, on, |on, Bodies { bodies, accelerations }| {
        let tiles = bodies.extent()[0] / TILE as i32;
        parallel_for_each!((on, bodies.extent().tile::<TILE>()), |t| {
            #[tile_static]
            let staged: [Float4; TILE];
            let l = t.local[0];
            let me = bodies[t];
            let mut sum = Float3::ZERO;
            for tile in 0..tiles {
                staged[l] = bodies[tile * TILE as i32 + l];
                t.barrier.wait();
                for j in 0..TILE {
                    sum += pull(me, staged[j]);
                }
                t.barrier.wait();
            }
            accelerations[t] = Float4::new(sum.x, sum.y, sum.z, 0.0);
        })
    })
}

pub(super) fn plain(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(count, on, |on, Bodies { bodies, accelerations }| {
        let count = bodies.extent()[0];
        parallel_for_each!((on, bodies.extent()), |i| {
            let me = bodies[i];
            let mut sum = Float3::ZERO;
            for j in 0..count {
                sum += pull(me, bodies[j]);
            }
            accelerations[i] = Float4::new(sum.x, sum.y, sum.z, 0.0);
        })
    })
}

pub(super) fn fused(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(count, on, |on, Bodies { bodies, accelerations }| {
        let tiles = bodies.extent()[0] / TILE as i32;
        parallel_for_each!((on, bodies.extent().tile::<TILE>()), |t| {
            #[tile_static]
            let staged: [Float4; TILE];
            let l = t.local[0];
            let me = bodies[t];
            let mut ax = 0.0f32;
            let mut ay = 0.0f32;
            let mut az = 0.0f32;
            for tile in 0..tiles {
                staged[l] = bodies[tile * TILE as i32 + l];
                t.barrier.wait();
                for j in 0..TILE {
                    let q = staged[j];
                    let dx = q.x - me.x;
                    let dy = q.y - me.y;
                    let dz = q.z - me.z;
                    let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
                    let inverse = fast_math::rsqrt(square);
                    let scale = q.w * inverse * inverse * inverse;
                    ax = dx.mul_add(scale, ax);
                    ay = dy.mul_add(scale, ay);
                    az = dz.mul_add(scale, az);
                }
                t.barrier.wait();
            }
            accelerations[t] = Float4::new(ax, ay, az, 0.0);
        })
    })
}
