//! The Mandelbrot set: a thread for each point, a loop that ends early.

use tilewise::prelude::*;
use tilewise_peers::plain::mandelbrot::LIMIT;
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing};

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    Ok(Box::new(Views {
        on: on.clone(),
        views: filled::<u32, 2>((side, side), vec![0; side * side])?,
        restore: nothing,
        run: |on, steps| {
            let side = steps.extent()[0];
            parallel_for_each!((on, steps.extent()), |i| {
                let cx = -2.5 + 3.5 * i[1] as f32 / side as f32;
                let cy = -1.25 + 2.5 * i[0] as f32 / side as f32;
                let mut x = 0.0;
                let mut y = 0.0;
                let mut count = 0u32;
                while count < LIMIT && x * x + y * y <= 4.0 {
                    let next = x * x - y * y + cx;
                    y = 2.0 * x * y + cy;
                    x = next;
                    count += 1;
                }
                steps[i] = count;
            })
        },
        output: |steps| steps.to_vec().map(PeerOutput::Words),
    }))
}
