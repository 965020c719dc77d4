//! A sum for each tile: a tree, with a barrier at each level.

use tilewise::prelude::*;
use tilewise_peers::plain::reduce::{TILE, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Sums {
    numbers: ReadView<'static, f32>,
    sums: ArrayView<'static, f32>,
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Sums {
        numbers: filled(count, inputs(count))?.as_read_only(),
        sums: filled(count / TILE, vec![0.0; count / TILE])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Sums { numbers, sums }| {
            parallel_for_each!((on, numbers.extent().tile::<TILE>()), |t| {
                #[tile_static]
                let part: [f32; TILE];
                let l = t.local[0];
                part[l] = numbers[t];
                t.barrier.wait();
                let mut half = TILE as i32 / 2;
                while half > 0 {
                    if l < half {
                        part[l] += part[l + half];
                    }
                    t.barrier.wait();
                    half /= 2;
                }
                if l == 0 {
                    sums[t.tile] = part[0];
                }
            })
        },
        output: |s| s.sums.to_vec().map(PeerOutput::Floats),
    }))
}
