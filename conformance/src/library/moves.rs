//! Checks of what is moved between host and devices: parts of views, at any byte.

use tilewise::{Accelerator, Array, ArrayView, copy, parallel_for_each};

use super::CheckFinding;
use super::checks::same;

pub(super) fn bytes_that_the_host_sets_keep_those_beside_them(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let view = ArrayView::from_vec(64, vec![0u8; 64])?;
    parallel_for_each!(&av, view.extent(), |i| view[i] = i[0] as u8 + 100)?;
    view.set(5, 7)?;
    view.set(21, 8)?;
    view.section(42, 3).fill(9)?;
    parallel_for_each!(&av, view.extent(), |i| view[i] ^= 1)?;
    let expected = |n: u8| match n {
        5 => 7,
        21 => 8,
        42..=44 => 9,
        n => n + 100,
    };
    same("the bytes", view.to_vec()?, (0..64).map(|n| expected(n) ^ 1).collect::<Vec<u8>>())
}

pub(super) fn rows_are_copied_to_the_rows_of_a_section(on: &Accelerator) -> Result<(), CheckFinding> {
    let table = Array::<i32, 2>::builder((5, 7)).on(&on.default_view()).build_from(&[-1; 35])?;
    let rows: Vec<i32> = (0..6).collect();
    copy(&rows[..], &table.section((1, 2), (3, 2)))?;
    parallel_for_each!(table.extent(), |i| table[i] *= 2)?;
    let expected = |n: i32| {
        let (row, column) = (n / 7 - 1, n % 7 - 2);
        if (0..3).contains(&row) && (0..2).contains(&column) { 2 * (row * 2 + column) } else { -2 }
    };
    same("the table", table.to_vec()?, (0..35).map(expected).collect::<Vec<_>>())
}

pub(super) fn gaps_between_what_a_launch_uses_are_not_moved(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(40, (0..40).collect::<Vec<i32>>())?;
    let columns = view.view_as::<2>((5, 8)).section((0, 0), (5, 7));
    parallel_for_each!(&on.default_view(), columns.extent(), |i| columns[i] += 100)?;
    // The last of each row was in no launch: the host's is the newest.
    for row in 0..5 {
        view.set(row * 8 + 7, -row)?;
    }
    let expected = |n: i32| if n % 8 == 7 { -(n / 8) } else { n + 100 };
    same("the view", view.to_vec()?, (0..40).map(expected).collect::<Vec<_>>())
}

pub(super) fn what_is_written_while_it_comes_home_is_the_newest(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let view = ArrayView::from_vec(4096, vec![1; 4096])?;
    parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
    let home = view.synchronize_async()?;
    parallel_for_each!(&av, view.extent(), |i| view[i] *= 10)?;
    home.get()?;
    same("the view", view.to_vec()?, vec![20; 4096])
}

pub(super) fn large_memory_is_used_from_its_end_to_its_beginning(on: &Accelerator) -> Result<(), CheckFinding> {
    // More than what goes to a device whole.
    const LENGTH: i32 = 18 << 20;
    let view = ArrayView::from_vec(LENGTH, vec![1i32; LENGTH as usize])?;
    let (end, start) = (view.section(LENGTH - 1000, 1000), view.section(500, 1000));
    parallel_for_each!(&on.default_view(), end.extent(), |i| end[i] += i[0])?;
    parallel_for_each!(&on.default_view(), start.extent(), |i| start[i] -= i[0])?;
    same("the end", end.to_vec()?, (0..1000).map(|n| 1 + n).collect::<Vec<_>>())?;
    same("the beginning", start.to_vec()?, (0..1000).map(|n| 1 - n).collect::<Vec<_>>())?;
    same("what lies between", view.section(1500, 100).to_vec()?, vec![1; 100])
}
