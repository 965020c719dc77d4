//! An average over the 27 points around each point of a cube.

use tilewise::prelude::*;
use tilewise_peers::plain::stencil_3d::{SHARE, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Cubes {
    from: ReadView<'static, f32, 3>,
    to: ArrayView<'static, f32, 3>,
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Cubes {
        from: filled((side, side, side), inputs(side))?.as_read_only(),
        to: filled((side, side, side), vec![0.0; side * side * side])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Cubes { from, to }| {
            let last = from.extent()[0] - 1;
            parallel_for_each!((on, from.extent()), |i| {
                let z = i[0];
                let y = i[1];
                let x = i[2];
                if z == 0 || z == last || y == 0 || y == last || x == 0 || x == last {
                    to[i] = from[i];
                } else {
                    let mut sum = 0.0;
                    for dz in 0..3 {
                        for dy in 0..3 {
                            for dx in 0..3 {
                                sum += from[(z + dz - 1, y + dy - 1, x + dx - 1)];
                            }
                        }
                    }
                    to[i] = sum * SHARE;
                }
            })
        },
        output: |s| s.to.to_vec().map(PeerOutput::Floats),
    }))
}
