//! Transposes a matrix through `tile_static` memory.

use tilewise::prelude::*;
use tilewise_peers::plain::transpose::inputs;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

/// Rows and columns of a tile.
const TILE: usize = 16;

struct Matrices {
    from: ReadView<'static, f32, 2>,
    to: ArrayView<'static, f32, 2>,
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Matrices {
        from: filled((side, side), inputs(side))?.as_read_only(),
        to: filled((side, side), vec![0.0; side * side])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Matrices { from, to }| {
            parallel_for_each!((on, from.extent().tile::<TILE, TILE>()), |t| {
                #[tile_static]
                let block: [[f32; TILE]; TILE];
                let row = t.local[0];
                let column = t.local[1];
                block[row][column] = from[t];
                t.barrier.wait();
                to[(t.tile_origin[1] + row, t.tile_origin[0] + column)] = block[column][row];
            })
        },
        output: |s| s.to.to_vec().map(PeerOutput::Floats),
    }))
}
