//! Checks of what launches tell, and of the code that they share.

use std::sync::PoisonError;

use tilewise::{Accelerator, ArrayView, Error, parallel_for_each};

use super::CheckFinding;
use super::checks::{printed, same};

pub(super) fn equal_kernels_tell_their_own_lines(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    let line = |launched: tilewise::Result<()>| match launched.and_then(|()| av.wait()) {
        Err(Error::Aborted(fault)) => Ok(fault.source.1),
        other => Err(CheckFinding(format!("the error is not told: {other:?}"))),
    };
    let first = line!() + 2;
    let found = line(parallel_for_each!(&av, view.extent(), |i| if view[i] == 0 {
        error!("zero")
    }))?;
    same("the first line", found, first)?;
    let second = line!() + 2;
    let found = line(parallel_for_each!(&av, view.extent(), |i| if view[i] == 0 {
        error!("zero")
    }))?;
    same("the second line", found, second)
}

/// Counts through one view what another view may see.
fn count(on: &Accelerator, from: &ArrayView<'_, i32, 1>, to: &ArrayView<'_, i32, 1>) -> tilewise::Result<()> {
    parallel_for_each!(&on.default_view(), from.extent().tile::<64>(), |t| {
        #[tile_static]
        let cells: [i32; 64];
        let i = t.local[0];
        cells[i] = from[i];
        t.barrier.wait();
        to[i] = 5;
        t.barrier.wait();
        cells[i] = cells[i] * 10 + from[i];
        t.barrier.wait();
        to[i] = cells[i] * 2;
    })
}

pub(super) fn views_of_one_memory_see_each_other(on: &Accelerator) -> Result<(), CheckFinding> {
    let [from, to] = [ArrayView::from_vec(64, vec![1; 64])?, ArrayView::from_vec(64, vec![0; 64])?];
    count(on, &from, &to)?;
    same("a view apart", to.to_vec()?, vec![22; 64])?;
    let both = ArrayView::from_vec(64, vec![1; 64])?;
    count(on, &both, &both)?;
    same("a view of the same memory", both.to_vec()?, vec![30; 64])
}

pub(super) fn of_tiles_that_diverge_the_first_is_told(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let lines = printed();
    lines.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let gates = ArrayView::from_vec((2, 4), vec![1, 1, 1, 0, 1, 1, 1, 1])?;
    let slow = ArrayView::from_vec((64, 512), vec![0; 64 * 512])?;
    let launched = parallel_for_each!(&av, slow.extent().tile::<2, 4>(), |t| {
        if t.local[0] + t.local[1] == 0 && (t.tile[1] < 2 || t.tile[0] > 1) {
            print!("tile {} {}", t.tile[0], t.tile[1]);
        }
        // No tile of the first row diverges, and the first of the second row comes to the barrier last.
        let mut rounds = 0;
        while t.tile[0] == 1 && t.tile[1] == 0 && rounds < 50_000 + slow[t] {
            rounds += 1;
        }
        slow[t] = rounds;
        if t.tile[0] == 0 || gates[t.local] == 1 {
            t.barrier.wait();
        }
    });
    let Err(Error::BarrierDivergence(fault)) = launched.and_then(|()| av.wait()) else {
        return Err(CheckFinding("the divergence is not told".into()));
    };
    same("tile (1, 0) in the message", fault.message.contains("tile (1, 0)"), true)?;
    let found = std::mem::take(&mut *lines.lock().unwrap_or_else(PoisonError::into_inner));
    same("the lines", found, ["tile 0 0", "tile 0 1", "tile 1 0"])
}
