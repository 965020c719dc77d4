//! Running sums within each tile: each thread adds the number 1, 2, 4, .. places before its own.

use tilewise::prelude::*;
use tilewise_peers::plain::scan::{TILE, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Sums {
    numbers: ReadView<'static, f32>,
    sums: ArrayView<'static, f32>,
}

pub(super) fn prepare(count: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Sums { numbers: filled(count, inputs(count))?.as_read_only(), sums: filled(count, vec![0.0; count])? };
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
                let mut distance = 1;
                while distance < TILE as i32 {
                    let mut sum = part[l];
                    if l >= distance {
                        sum += part[l - distance];
                    }
                    t.barrier.wait();
                    part[l] = sum;
                    t.barrier.wait();
                    distance *= 2;
                }
                sums[t] = part[l];
            })
        },
        output: |s| s.sums.to_vec().map(PeerOutput::Floats),
    }))
}
