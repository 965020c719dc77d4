//! An average over five points, step by step between two grids.

use tilewise::prelude::*;
use tilewise_peers::plain::stencil::{STEPS, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

struct Grids {
    now: ArrayView<'static, f32, 2>,
    next: ArrayView<'static, f32, 2>,
}

/// One step; the edges stay.
fn step(on: &AcceleratorView, a: &ReadView<'_, f32, 2>, out: &ArrayView<'_, f32, 2>) -> tilewise::Result<()> {
    let last = a.extent()[0] - 1;
    parallel_for_each!((on, out.extent()), |i| {
        let y = i[0];
        let x = i[1];
        if x == 0 || y == 0 || x == last || y == last {
            out[i] = a[i];
        } else {
            out[i] = 0.2 * (a[i] + a[(y, x - 1)] + a[(y, x + 1)] + a[(y - 1, x)] + a[(y + 1, x)]);
        }
    })
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views = Grids { now: filled((side, side), inputs(side))?, next: filled((side, side), vec![0.0; side * side])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| {
            let before = inputs(s.now.extent()[0] as usize);
            s.now.host_mut()?.iter_mut().zip(before).for_each(|(to, from)| *to = from);
            Ok(())
        },
        run: |on, Grids { now, next }| {
            for _ in 0..STEPS / 2 {
                step(on, &now.as_read_only(), next)?;
                step(on, &next.as_read_only(), now)?;
            }
            Ok(())
        },
        output: |s| s.now.to_vec().map(PeerOutput::Floats),
    }))
}
