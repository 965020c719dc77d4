//! The checks of the library: small programs in the style of users, with their expected results.

use std::fmt::Debug;
use std::sync::{Mutex, OnceLock, PoisonError};

use tilewise::{
    Accelerator, Array, ArrayView, Error, Extent, Traffic, copy, copy_async, copy_async_from, copy_async_into,
    parallel_for_each, set_print_hook,
};

use super::language::{
    bytes_keep_their_eight_bits, indices_and_vectors_compare_as_on_the_host, math_functions_are_those_of_the_host,
    ranges_run_the_rounds_of_rust, the_first_arm_that_fits_is_taken, the_place_of_an_assignment_is_the_left_operand,
};
use super::launches::{
    a_large_view_that_begins_between_vectors_is_written_whole, equal_kernels_tell_their_own_lines,
    of_tiles_that_diverge_the_first_is_told, views_of_one_memory_see_each_other,
};
use super::moves::{
    bytes_that_the_host_sets_keep_those_beside_them, gaps_between_what_a_launch_uses_are_not_moved,
    large_memory_is_used_from_its_end_to_its_beginning, rows_are_copied_to_the_rows_of_a_section,
    what_is_written_while_it_comes_home_is_the_newest,
};
use super::pictures::{
    a_texture_has_its_newest_texels_in_each_launch, samples_are_of_the_place_and_the_sampler,
    texels_are_read_at_their_row_column_and_level,
};
use super::{Check, CheckFinding};

/// Lists the checks; each is named after its function.
macro_rules! checks {
    ($($name:ident)*) => {
        /// All checks.
        pub const ALL: &[Check] = &[$(Check { name: concat!("library/", stringify!($name)), run: $name }),*];
    };
}

checks! {
    a_borrowed_slice_is_written_back_when_its_view_is_closed
    a_section_shares_the_elements_of_its_view
    elements_are_seen_in_another_shape_and_as_another_type
    small_elements_keep_their_neighbours
    arrays_are_copied_in_and_out_whole_and_in_part
    an_array_is_copied_to_one_of_another_accelerator
    copies_in_the_background_keep_their_order
    the_host_and_two_accelerators_see_the_newest_contents
    what_is_only_read_is_moved_once
    memory_changed_behind_a_view_is_seen_after_refresh
    atomic_counters_give_each_number_once
    tiles_exchange_elements_behind_a_barrier
    lines_are_printed_in_the_order_of_threads
    an_error_of_a_thread_names_the_thread
    more_memory_than_there_is_is_refused
    a_domain_without_threads_is_refused
    equal_kernels_tell_their_own_lines
    views_of_one_memory_see_each_other
    a_large_view_that_begins_between_vectors_is_written_whole
    of_tiles_that_diverge_the_first_is_told
    ranges_run_the_rounds_of_rust
    bytes_keep_their_eight_bits
    the_first_arm_that_fits_is_taken
    the_place_of_an_assignment_is_the_left_operand
    indices_and_vectors_compare_as_on_the_host
    math_functions_are_those_of_the_host
    texels_are_read_at_their_row_column_and_level
    samples_are_of_the_place_and_the_sampler
    a_texture_has_its_newest_texels_in_each_launch
    bytes_that_the_host_sets_keep_those_beside_them
    rows_are_copied_to_the_rows_of_a_section
    gaps_between_what_a_launch_uses_are_not_moved
    what_is_written_while_it_comes_home_is_the_newest
    large_memory_is_used_from_its_end_to_its_beginning
}

/// Compares a value with the expected one.
pub(super) fn same<T: PartialEq<U> + Debug, U: Debug>(what: &str, found: T, expected: U) -> Result<(), CheckFinding> {
    if found == expected { Ok(()) } else { Err(CheckFinding(format!("{what}: {found:?} in place of {expected:?}"))) }
}

fn a_borrowed_slice_is_written_back_when_its_view_is_closed(on: &Accelerator) -> Result<(), CheckFinding> {
    let mut data: Vec<i32> = (0..1000).collect();
    let view = ArrayView::of(&mut data);
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] = view[i] * 2 + 1)?;
    view.close()?;
    same("the slice", data, (0..1000).map(|x| x * 2 + 1).collect::<Vec<_>>())
}

fn a_section_shares_the_elements_of_its_view(on: &Accelerator) -> Result<(), CheckFinding> {
    let table = ArrayView::from_vec((6, 8), vec![0; 48])?;
    let inner = table.section((1, 2), (4, 3)).section((1, 1), (2, 2));
    parallel_for_each!(&on.default_view(), inner.extent(), |i| inner[i] = 10 * i[0] + i[1] + 1)?;
    let mut expected = vec![0; 48];
    for (at, value) in [(2 * 8 + 3, 1), (2 * 8 + 4, 2), (3 * 8 + 3, 11), (3 * 8 + 4, 12)] {
        expected[at] = value;
    }
    same("the table", table.to_vec()?, expected)
}

fn elements_are_seen_in_another_shape_and_as_another_type(on: &Accelerator) -> Result<(), CheckFinding> {
    let line = ArrayView::from_vec(6, vec![1.0f32; 6])?;
    let bits = line.reinterpret_as::<u32>();
    let plane = bits.view_as::<2>((2, 3));
    parallel_for_each!(&on.default_view(), plane.extent(), |i| plane[i] ^= (i[0] as u32) << 31)?;
    same("the line", line.to_vec()?, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
}

fn small_elements_keep_their_neighbours(on: &Accelerator) -> Result<(), CheckFinding> {
    let bytes = ArrayView::from_vec(64, (0..64).collect::<Vec<u8>>())?;
    let odd = bytes.section(1, 62);
    parallel_for_each!(&on.default_view(), odd.extent(), |i| {
        if i[0] % 2 == 0 {
            odd[i] = 255 - odd[i];
        }
    })?;
    let expected: Vec<u8> = (0..64).map(|x| if x % 2 == 1 && x < 63 { 255 - x } else { x }).collect();
    same("the bytes", bytes.to_vec()?, expected)
}

fn arrays_are_copied_in_and_out_whole_and_in_part(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let first = Array::<u32, 2>::builder((4, 4)).on(&av).build_from_iter(0..16)?;
    let second = Array::<u32, 2>::builder((4, 4)).on(&av).build()?;
    copy(&first, &second)?;
    parallel_for_each!(second.extent(), |i| second[i] += 100)?;
    copy(&first.section((0, 0), (2, 2)), &second.section((2, 2), (2, 2)))?;
    let mut row = [0; 4];
    copy(&second.view().project::<1>(2), &mut row)?;
    same("the third row", row, [108, 109, 0, 1])?;
    same("the array that was copied from", first.to_vec()?, (0..16).collect::<Vec<_>>())
}

fn an_array_is_copied_to_one_of_another_accelerator(on: &Accelerator) -> Result<(), CheckFinding> {
    let other = other_than(on)?;
    let here = Array::<f32>::builder(100).on(&on.default_view()).build()?;
    let there = Array::<f32>::builder(100).on(&other.default_view()).build()?;
    parallel_for_each!(here.extent(), |i| here[i] = i[0] as f32 * 0.5)?;
    copy(&here, &there)?;
    parallel_for_each!(there.extent(), |i| there[i] += 1.0)?;
    same("the copy", there.to_vec()?, (0..100).map(|x| x as f32 * 0.5 + 1.0).collect::<Vec<_>>())
}

fn copies_in_the_background_keep_their_order(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let [a, b] = [Array::<i32>::builder(1000).on(&av).build()?, Array::<i32>::builder(1000).on(&av).build()?];
    let input = copy_async_from((0..1000).collect(), &a)?;
    let between = copy_async(&a, &b)?;
    let output = copy_async_into(&b, Vec::new())?;
    same("what comes out", output.get()?, (0..1000).collect::<Vec<_>>())?;
    between.get()?;
    same("the buffer that is given back", input.get()?.len(), 1000)
}

/// An accelerator other than this one.
fn other_than(on: &Accelerator) -> Result<Accelerator, CheckFinding> {
    let path = if on.path() == Accelerator::JIT { Accelerator::REFERENCE } else { Accelerator::JIT };
    Ok(Accelerator::new(path)?)
}

fn the_host_and_two_accelerators_see_the_newest_contents(on: &Accelerator) -> Result<(), CheckFinding> {
    let (this, other) = (on.default_view(), other_than(on)?.default_view());
    let view = ArrayView::from_vec(256, vec![1; 256])?;
    for round in 0..3 {
        parallel_for_each!(&this, view.extent(), |i| view[i] += 1)?;
        parallel_for_each!(&other, view.extent(), |i| view[i] *= 2)?;
        view.set(7, view.get(7)? + round)?;
    }
    let expected: Vec<i32> = (0..256).map(|i| if i == 7 { 26 } else { 22 }).collect();
    same("the view", view.to_vec()?, expected)
}

fn what_is_only_read_is_moved_once(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let input = ArrayView::from_vec(1024, vec![3u32; 1024])?;
    let output = Array::<u32>::builder(1024).on(&av).build_from(&[0; 1024])?;
    for _ in 0..3 {
        parallel_for_each!(&av, output.extent(), |i| output[i] += input[i])?;
    }
    same("the sums", output.to_vec()?, vec![9; 1024])?;
    let traffic = input.traffic();
    let (none, once) = (Traffic::default(), 4096);
    if traffic == none || traffic.uploaded == once && traffic.downloaded == 0 {
        return Ok(());
    }
    Err(CheckFinding(format!("{} bytes went up and {} came down, of {once}", traffic.uploaded, traffic.downloaded)))
}

fn memory_changed_behind_a_view_is_seen_after_refresh(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(16, vec![1; 16])?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] += 1)?;
    view.synchronize()?;
    view.host_mut()?.fill(5);
    view.refresh()?;
    parallel_for_each!(&on.default_view(), view.extent(), |i| view[i] += 1)?;
    same("the view", view.to_vec()?, [6; 16])
}

fn atomic_counters_give_each_number_once(on: &Accelerator) -> Result<(), CheckFinding> {
    let counter = ArrayView::from_vec(1, vec![0u32])?;
    let tickets = ArrayView::from_vec(1000, vec![0u32; 1000])?;
    parallel_for_each!(&on.default_view(), tickets.extent(), |i| tickets[i] = counter.atomic(0).fetch_inc())?;
    same("the counter", counter.get(0)?, 1000)?;
    let mut tickets = tickets.to_vec()?;
    tickets.sort_unstable();
    same("the numbers", tickets, (0..1000).collect::<Vec<_>>())
}

fn tiles_exchange_elements_behind_a_barrier(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec((8, 8), (0..64).collect())?;
    parallel_for_each!(&on.default_view(), view.extent().tile::<4, 4>(), |t| {
        #[tile_static]
        let tile: [[i32; 4]; 4];
        tile[t.local[0]][t.local[1]] = view[t];
        t.barrier.wait();
        view[t] = tile[t.local[1]][t.local[0]];
    })?;
    let transposed = |at: i32| {
        let (row, column) = (at / 8, at % 8);
        (row / 4 * 4 + column % 4) * 8 + column / 4 * 4 + row % 4
    };
    same("the tiles", view.to_vec()?, (0..64).map(transposed).collect::<Vec<_>>())
}

/// The printed lines. The hook belongs to the whole process, so it is set once.
pub(super) fn printed() -> &'static Mutex<Vec<String>> {
    static LINES: OnceLock<Mutex<Vec<String>>> = OnceLock::new();
    LINES.get_or_init(|| {
        set_print_hook(|line| {
            if let Some(lines) = LINES.get() {
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
            }
        });
        Mutex::default()
    })
}

fn lines_are_printed_in_the_order_of_threads(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let lines = printed();
    lines.lock().unwrap_or_else(PoisonError::into_inner).clear();
    parallel_for_each!(&av, Extent([4]), |i| print!("{} of {}", i[0], 4))?;
    av.wait()?;
    let found = std::mem::take(&mut *lines.lock().unwrap_or_else(PoisonError::into_inner));
    same("the lines", found, ["0 of 4", "1 of 4", "2 of 4", "3 of 4"])
}

fn an_error_of_a_thread_names_the_thread(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    let view = ArrayView::from_vec(8, vec![1; 8])?;
    let launched = parallel_for_each!(&av, view.extent(), |i| {
        if i[0] == 5 {
            error!("no {}", view[i]);
        }
        view[i] = 2;
    });
    match launched.and_then(|()| av.wait()) {
        Err(Error::Aborted(fault)) => {
            same("the thread", &fault.thread[..], [5])?;
            same("the message", fault.message.contains("no 1"), true)
        }
        other => Err(CheckFinding(format!("the error is not told: {other:?}"))),
    }
}

fn more_memory_than_there_is_is_refused(on: &Accelerator) -> Result<(), CheckFinding> {
    let av = on.default_view();
    // Larger than the address space of any machine.
    match Array::<[[u32; 4096]; 128]>::builder(i32::MAX).on(&av).build() {
        // The second is the error for a size beyond what a device can address in one piece.
        Err(Error::OutOfMemory(_) | Error::UnsupportedFeature(_)) => {}
        Err(other) => return Err(CheckFinding(format!("the error is another: {other}"))),
        Ok(_) => return Err(CheckFinding("it is given".into())),
    }
    same("an array made afterwards", Array::<i32>::builder(2).on(&av).build()?.to_vec()?, [0; 2])
}

fn a_domain_without_threads_is_refused(on: &Accelerator) -> Result<(), CheckFinding> {
    let view = ArrayView::from_vec(6, vec![0; 6])?;
    let launches = [
        parallel_for_each!(&on.default_view(), Extent([0]), |i| view[i] = 1),
        parallel_for_each!(&on.default_view(), view.extent().tile::<4>(), |t| view[t] = 1),
    ];
    for launched in launches {
        same("the kind of the error", matches!(launched, Err(Error::InvalidComputeDomain(_))), true)?;
    }
    same("the view", view.to_vec()?, [0; 6])
}
