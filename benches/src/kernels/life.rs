//! Conway's Game of Life on bytes, step by step between two grids whose edges meet.

use tilewise::prelude::*;
use tilewise_peers::plain::life::{STEPS, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled};

struct CellGrids {
    now: ArrayView<'static, u8, 2>,
    next: ArrayView<'static, u8, 2>,
}

fn step(on: &AcceleratorView, from: &ReadView<'_, u8, 2>, to: &ArrayView<'_, u8, 2>) -> tilewise::Result<()> {
    let last = from.extent()[0] - 1;
    parallel_for_each!((on, to.extent()), |i| {
        let y = i[0];
        let x = i[1];
        let above = if y == 0 { last } else { y - 1 };
        let below = if y == last { 0 } else { y + 1 };
        let left = if x == 0 { last } else { x - 1 };
        let right = if x == last { 0 } else { x + 1 };
        let around = from[(above, left)]
            + from[(above, x)]
            + from[(above, right)]
            + from[(y, left)]
            + from[(y, right)]
            + from[(below, left)]
            + from[(below, x)]
            + from[(below, right)];
        let lives = around == 3 || (around == 2 && from[i] == 1);
        to[i] = if lives { 1 } else { 0 };
    })
}

pub(super) fn prepare(side: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    let views =
        CellGrids { now: filled((side, side), inputs(side))?, next: filled((side, side), vec![0; side * side])? };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: |s| {
            let before = inputs(s.now.extent()[0] as usize);
            s.now.host_mut()?.iter_mut().zip(before).for_each(|(to, from)| *to = from);
            Ok(())
        },
        run: |on, CellGrids { now, next }| {
            for _ in 0..STEPS / 2 {
                step(on, &now.as_read_only(), next)?;
                step(on, &next.as_read_only(), now)?;
            }
            Ok(())
        },
        output: |s| Ok(PeerOutput::Words(s.now.to_vec()?.into_iter().map(u32::from).collect())),
    }))
}
