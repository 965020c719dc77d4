//! Products of square matrices: a thread for each element; with blocks of both factors in `tile_static` memory; the same with `mad`.

use tilewise::prelude::*;
use tilewise_peers::plain::matmul::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Rows and columns of a tile.
const TILE: usize = 16;

struct Matrices {
    a: ReadView<'static, f32, 2>,
    b: ReadView<'static, f32, 2>,
    c: ArrayView<'static, f32, 2>,
}

fn of(
    side: usize,
    on: &AcceleratorView,
    run: fn(&AcceleratorView, &Matrices) -> tilewise::Result<()>,
) -> tilewise::Result<Box<dyn PreparedWork>> {
    let (a, b) = inputs(side);
    let views = Matrices {
        a: filled((side, side), a)?.as_read_only(),
        b: filled((side, side), b)?.as_read_only(),
        c: filled((side, side), vec![0.0; side * side])?,
    };
    let output = |s: &Matrices| s.c.to_vec().map(PeerOutput::Floats);
    Ok(Box::new(Views { on: on.clone(), views, restore: nothing, run, output }))
}

pub(super) fn naive(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(side, on, |on, Matrices { a, b, c }| {
        let side = a.extent()[1];
        parallel_for_each!((on, c.extent()), |i| {
            let row = i[0];
            let column = i[1];
            let mut sum = 0.0;
            for k in 0..side {
                sum += a[(row, k)] * b[(k, column)];
            }
            c[i] = sum;
        })
    })
}

pub(super) fn tiled(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(side, on, |on, Matrices { a, b, c }| {
        let side = a.extent()[1];
        parallel_for_each!((on, c.extent().tile::<TILE, TILE>()), |t| {
            #[tile_static]
            let left: [[f32; TILE]; TILE];
            #[tile_static]
            let right: [[f32; TILE]; TILE];
            let row = t.local[0];
            let column = t.local[1];
            let mut sum = 0.0;
            for first in (0..side).step_by(TILE) {
                left[row][column] = a[(t.global[0], first + column)];
                right[row][column] = b[(first + row, t.global[1])];
                t.barrier.wait();
                for k in 0..TILE {
                    sum += left[row][k] * right[k][column];
                }
                t.barrier.wait();
            }
            c[t] = sum;
        })
    })
}

pub(super) fn fused(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    of(side, on, |on, Matrices { a, b, c }| {
        let side = a.extent()[1];
        parallel_for_each!((on, c.extent().tile::<TILE, TILE>()), |t| {
            #[tile_static]
            let left: [[f32; TILE]; TILE];
            #[tile_static]
            let right: [[f32; TILE]; TILE];
            let row = t.local[0];
            let column = t.local[1];
            let mut sum = 0.0f32;
            for first in (0..side).step_by(TILE) {
                left[row][column] = a[(t.global[0], first + column)];
                right[row][column] = b[(first + row, t.global[1])];
                t.barrier.wait();
                for k in 0..TILE {
                    sum = left[row][k].mul_add(right[k][column], sum);
                }
                t.barrier.wait();
            }
            c[t] = sum;
        })
    })
}
