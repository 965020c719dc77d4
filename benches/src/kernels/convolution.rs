//! A picture's convolution with 9 x 9 weights.

use tilewise::prelude::*;
use tilewise_peers::plain::convolution::{TAPS, picture, weights};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

struct Pictures {
    from: ReadView<'static, f32, 2>,
    weights: ReadView<'static, f32, 2>,
    to: ArrayView<'static, f32, 2>,
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let whole = side + TAPS - 1;
    let views = Pictures {
        from: filled((whole, whole), picture(side))?.as_read_only(),
        weights: filled((TAPS, TAPS), weights())?.as_read_only(),
        to: filled((side, side), vec![0.0; side * side])?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, Pictures { from, weights, to }| {
            parallel_for_each!((on, to.extent()), |i| {
                let mut sum = 0.0;
                for row in 0..TAPS as i32 {
                    for column in 0..TAPS as i32 {
                        sum += weights[(row, column)] * from[(i[0] + row, i[1] + column)];
                    }
                }
                to[i] = sum;
            })
        },
        output: |s| s.to.to_vec().map(PeerOutput::Floats),
    }))
}
