//! Checks of what launches tell, and of the code that they share.

use std::sync::PoisonError;

use tilewise::{Accelerator, ArrayView, Error, Extent, parallel_for_each};

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

/// Reads rows of three elements through one view, and amid them stores through another, which may be the same.
fn around_a_store(
    on: &Accelerator,
    one: &ArrayView<'_, i32, 1>,
    other: &ArrayView<'_, i32, 1>,
) -> tilewise::Result<()> {
    parallel_for_each!(&on.default_view(), Extent::new(64), |i| {
        let row = 3 * i[0];
        let first = one[row];
        other[row + 1] = first * 5;
        other[row] = one[row + 1] * 100 + one[row + 2];
    })
}

pub(super) fn views_of_one_memory_see_each_other(on: &Accelerator) -> Result<(), CheckFinding> {
    let rows = || ArrayView::from_vec(192, [1, 2, 3].repeat(64));
    let (one, other) = (rows()?, rows()?);
    around_a_store(on, &one, &other)?;
    same("a view apart", other.to_vec()?, [203, 5, 3].repeat(64))?;
    let both = rows()?;
    around_a_store(on, &both, &both)?;
    same("a view of the same memory", both.to_vec()?, [503, 5, 3].repeat(64))
}

pub(super) fn a_large_view_that_begins_between_vectors_is_written_whole(on: &Accelerator) -> Result<(), CheckFinding> {
    // More than caches hold where code for vectors writes them; elsewhere the same with fewer elements.
    let elements: u32 = if on.path() == Accelerator::JIT { 4_300_000 } else { 4_300 };
    let all = ArrayView::from_vec(elements + 1, vec![7_i64; elements as usize + 1])?;
    let view = all.section(1, elements);
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = i64::from(i[0]) + 3)?;
    let found = all.to_vec()?;
    let wrong = (0_i64..).zip(&found[1..]).find(|&(i, &element)| element != i + 3);
    same("the element before the view", found[0], 7)?;
    same("the first element of the view that is wrong, and its value", wrong, None::<(i64, &i64)>)
}

pub(super) fn of_tiles_that_diverge_the_first_is_told(on: &Accelerator) -> Result<(), CheckFinding> {
    // Whether several workers are at tiles that diverge depends on their timing.
    (0..6).try_for_each(|_| the_first_is_told(on))
}

fn the_first_is_told(on: &Accelerator) -> Result<(), CheckFinding> {
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
