//! Tests: the regions that a launch holds, the accesses of its kernels, the memory lent to the
//! interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tilewise_ir::launch::{BorrowedMemory, BorrowedRun};

use crate::api::element::Element;
use crate::api::view::{Access, ArrayView, ReadView};
use crate::memory::launch::Locked;
use crate::{Error, Result};

fn locked<'v, T: Element, const N: usize, A: Access, R>(
    view: &'v ArrayView<'_, T, N, A>,
    run: impl FnOnce(&Locked<'v>) -> R,
) -> R {
    run(&Locked::new([&view.bound()]).expect("no guard is in the way"))
}

/// A run of lent bytes: its first and past-the-end addresses relative to the start of a slice, and
/// whether it may be written.
type Run = (usize, usize, bool);

/// The allocations of a launch: the size and the runs of each.
fn lent(allocations: &[BorrowedMemory<'_>], from: usize) -> Vec<(u64, Vec<Run>)> {
    let run = |(_, run): &(u64, BorrowedRun<'_>)| {
        let (at, len) = (run.bytes().as_ptr().addr() - from, run.bytes().len());
        (at, at + len, matches!(run, BorrowedRun::Write(_)))
    };
    allocations.iter().map(|memory| (memory.size(), memory.runs().iter().map(run).collect())).collect()
}

fn panics(run: impl FnOnce()) -> String {
    let cause = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    cause.downcast_ref::<String>().cloned().or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap()
}

#[test]
fn inside_of_a_launch_elements_are_read_and_written_without_the_lock() -> Result<()> {
    let view = ArrayView::from_vec((2, 3), vec![1, 2, 3, 4, 5, 6])?;
    locked(&view, |launch| {
        launch.inside(|| {
            view.kernel_write((1, 2), view.kernel_read((0, 1)) + 40);
            view.kernel_write((0, 3), 99);
            view.kernel_write((-1, 0), 99);
            assert_eq!((view.kernel_read((2, 0)), view.kernel_read((0, -1)), view.kernel_read((0, 3))), (0, 0, 0));
        });
    });
    assert_eq!(view.to_vec()?, [1, 2, 3, 4, 5, 42]);
    Ok(())
}

#[test]
fn outside_of_a_launch_elements_are_locked() -> Result<()> {
    let view = ArrayView::from_vec(4, vec![1u8, 2, 3, 4])?;
    view.kernel_write(0, 44);
    assert_eq!(view.kernel_read(0), 44);
    assert!(panics(|| view.kernel_write(4, 1)).contains("dimension 0 has the indices 0 to 3, not 4"));
    let guard = view.section_from(2).host_mut()?.extent();
    assert_eq!(guard.size(), 2);
    let rest = view.section_from(2);
    let held = rest.host_mut()?;
    view.kernel_write(1, 7);
    assert!(panics(|| view.kernel_write(2, 7)).contains("host guard taken at"));
    assert!(
        panics(|| {
            view.kernel_read(3);
        })
        .contains("drop that guard")
    );
    drop(held);
    assert_eq!(view.to_vec()?, [44, 7, 3, 4]);
    Ok(())
}

#[test]
fn a_kernel_reaches_what_was_captured_and_nothing_else() -> Result<()> {
    let whole = ArrayView::from_vec(8, vec![0i32; 8])?;
    let (left, stranger) = (whole.section_to(4), ArrayView::<i32>::without_source(2)?);
    locked(&left, |launch| {
        launch.inside(|| {
            whole.kernel_write(3, 1);
            assert!(panics(|| whole.kernel_write(4, 1)).contains("captured"));
            assert!(panics(|| stranger.kernel_write(0, 1)).contains("captured"));
        });
        // Meanwhile the other half is free, this one is not.
        whole.section_from(4).host_mut().map(|mut half| half.fill(2))
    })?;
    assert_eq!(whole.to_vec()?, [0, 0, 0, 1, 2, 2, 2, 2]);
    Ok(())
}

#[test]
fn a_kernel_cannot_write_what_was_captured_to_be_read() -> Result<()> {
    let view = ArrayView::from_vec(2, vec![5i32, 6])?;
    locked(&view.as_read_only(), |launch| {
        launch.inside(|| {
            assert_eq!(view.kernel_read(1), 6);
            assert!(panics(|| view.kernel_write(1, 1)).contains("captured"));
        });
    });
    Ok(())
}

#[test]
fn a_panic_in_a_kernel_ends_what_the_thread_was_inside_of() -> Result<()> {
    let view = ArrayView::from_vec(2, vec![5i32, 6])?;
    locked(&view, |launch| {
        assert_eq!(panics(|| launch.inside(|| panic!("stop"))), "stop");
        assert!(!crate::memory::launch::is_inside());
    });
    assert_eq!(view.get(0)?, 5);
    Ok(())
}

#[test]
fn sections_that_do_not_fit_are_empty_in_a_kernel() -> Result<()> {
    let view = ArrayView::from_vec((2, 3), vec![7; 6])?;
    assert!(panics(|| drop(view.section((1, 1), (2, 2)))).contains("does not fit into dimension 0"));
    locked(&view, |launch| {
        launch.inside(|| {
            let outside = view.section((1, 1), (2, 2));
            assert_eq!(outside.extent().0, [0, 0]);
            assert_eq!(outside.kernel_read((0, 0)), 0);
            outside.kernel_write((0, 0), 1);
            let row: ArrayView<'_, i32> = view.project(2);
            assert_eq!((row.kernel_read(0), row.reinterpret_as::<u8>().kernel_read(0)), (0, 0));
            assert_eq!(row.atomic(0).fetch_add(1), 0);
            assert_eq!(row.atomic(0).compare_exchange(0, 1), (0, false));
            assert_eq!(view.section_from((1, 1)).kernel_read((0, 1)), 7);
            assert_eq!(view.section_from((-1, 0)).extent().0, [0, 0]);
        });
    });
    assert_eq!(view.to_vec()?, [7; 6]);
    Ok(())
}

#[test]
fn elements_of_any_size_at_any_place() -> Result<()> {
    let bytes = ArrayView::from_vec(19, (0..19).collect::<Vec<u8>>())?;
    locked(&bytes, |launch| {
        launch.inside(|| {
            let odd = bytes.section(3, 16);
            assert_eq!(odd.reinterpret_as::<u32>().kernel_read(1), u32::from_le_bytes([7, 8, 9, 10]));
            odd.reinterpret_as::<u64>().kernel_write(1, u64::MAX);
            let halves = odd.reinterpret_as::<half::f16>();
            halves.kernel_write(0, 1.5);
            assert_eq!(halves.kernel_read(0), 1.5);
        });
    });
    assert_eq!(bytes.to_vec()?, [0, 1, 2, 0, 0x3e, 5, 6, 7, 8, 9, 10, 255, 255, 255, 255, 255, 255, 255, 255]);
    Ok(())
}

#[test]
fn atomics_inside_and_outside() -> Result<()> {
    let view = ArrayView::from_vec(3, vec![5u32, u32::MAX, 7])?;
    assert_eq!(view.atomic(1).fetch_inc(), u32::MAX);
    assert_eq!(view.atomic(0).compare_exchange(4, 9), (5, false));
    locked(&view, |launch| {
        launch.inside(|| {
            assert_eq!(view.atomic(2).fetch_max(9), 7);
            assert_eq!(view.atomic(0).compare_exchange(5, 9), (5, true));
            assert_eq!(view.atomic(3).exchange(1), 0);
        });
    });
    assert_eq!(view.to_vec()?, [9, 0, 9]);
    assert!(
        panics(|| {
            view.atomic(3).fetch_inc();
        })
        .contains("dimension 0 has the indices 0 to 2, not 3")
    );
    let bytes = ArrayView::from_vec(8, vec![0u8; 8])?;
    assert!(
        panics(|| {
            bytes.reinterpret_as::<u32>().atomic(0).fetch_inc();
        })
        .contains("multiple of 4 bytes")
    );
    Ok(())
}

#[test]
fn a_launch_is_refused_while_a_guard_is_held() -> Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    let guard = view.host()?;
    let line = line!() - 1;
    let Err(Error::Borrowed(at)) = Locked::new([&view.bound()]) else { panic!("it is refused") };
    assert_eq!((at.file(), at.line()), (file!(), line));
    // Two readers do not conflict.
    assert!(Locked::new([&view.as_read_only().bound()]).is_ok());
    drop(guard);
    assert!(Locked::new([&view.bound(), &view.section_to(2).bound()]).is_ok());
    Ok(())
}

#[test]
fn exactly_the_views_own_bytes_are_lent_where_they_are() -> Result<()> {
    let mut data: Vec<u8> = (0..30).collect();
    let from = data.as_ptr().addr();
    let table = ArrayView::new((5, 6), &mut data)?;
    let (write, read) = (table.section((1, 1), (2, 2)), table.section((2, 2), (3, 2)).as_read_only());
    let (first, second) = (write.bound(), read.bound());
    {
        let mut launch = Locked::new([&first, &second])?;
        assert_eq!((launch.number(&first), launch.number(&second)), (0, 0));
        assert_eq!((first.argument.offset, second.argument.offset), (7, 14));
        let lent_bytes = launch.lend(true)?;
        // One allocation, of 30 bytes, of which both views contain byte 14.
        let runs = vec![(7, 9, true), (13, 15, true), (15, 16, false), (20, 22, false), (26, 28, false)];
        assert_eq!(lent(&lent_bytes, from), [(30, runs)]);
        assert!(lent_bytes[0].runs().iter().all(|(at, run)| run.bytes()[0] == *at as u8));
        for (_, run) in lent_bytes.into_iter().flat_map(BorrowedMemory::into_runs) {
            if let BorrowedRun::Write(bytes) = run {
                bytes.fill(99);
            }
        }
    }
    drop((first, second));
    drop((write, read));
    table.close()?;
    let mut expected: Vec<u8> = (0..30).collect();
    for at in [7, 8, 13, 14] {
        expected[at] = 99;
    }
    assert_eq!(data, expected);
    Ok(())
}

#[test]
fn launches_on_the_cpu_work_in_the_memory_of_the_program() -> Result<()> {
    let (mut data, shared) = (vec![1u32; 8], vec![2u32; 4]);
    let (data_at, shared_at) = (data.as_ptr().addr(), shared.as_ptr().addr());
    let write = ArrayView::new(8, &mut data)?.section_from(2);
    let read = ReadView::read_only(4, &shared)?;
    let (first, second) = (write.bound(), read.bound());
    let mut launch = Locked::new([&first, &second])?;
    // Compiled code gets addresses.
    let host = launch.host_allocations().into_iter().map(|allocation| (allocation.address as usize, allocation.size));
    assert_eq!(host.collect::<Vec<_>>(), [(data_at, 32), (shared_at, 16)]);
    assert_eq!((launch.number(&first), launch.number(&second), first.argument.offset), (0, 1, 8));
    // The interpreter gets slices.
    let allocations = launch.lend(true)?;
    assert_eq!(lent(&allocations[..1], data_at), [(32, vec![(8, 32, true)])]);
    assert_eq!(lent(&allocations[1..], shared_at), [(16, vec![(0, 16, false)])]);
    Ok(())
}

/// Whether the interpreter is told that a view's memory is fresh: all that is not written, and what
/// was discarded.
fn is_lent_fresh(view: &ArrayView<'_, i32>) -> Result<[bool; 2]> {
    let read = view.as_read_only();
    let bound = read.bound();
    let mut launch = Locked::new([&bound])?;
    launch.at_home()?;
    Ok([launch.lend(true)?[0].is_fresh(), launch.lend(false)?[0].is_fresh()])
}

#[test]
fn memory_that_nobody_has_written_is_zero_and_discarded_memory_is_unspecified() -> Result<()> {
    let view = ArrayView::<i32>::without_source(4)?;
    assert_eq!(is_lent_fresh(&view)?, [true, false]);
    view.set(0, 1)?;
    assert_eq!(is_lent_fresh(&view)?, [false; 2]);
    view.section_to(2).discard_data();
    assert_eq!(is_lent_fresh(&view)?, [false; 2], "the rest still counts");
    view.discard_data();
    assert_eq!(is_lent_fresh(&view)?, [true; 2]);
    drop(view.host_mut()?);
    assert_eq!(is_lent_fresh(&view)?, [false; 2]);
    view.discard_data();
    locked(&view, Locked::at_home)?;
    assert_eq!(is_lent_fresh(&view)?, [false; 2], "a launch that may write has been");
    Ok(())
}

#[test]
fn a_kernel_that_reads_runs_beside_a_guard_that_reads() -> Result<()> {
    let view = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
    let guard = view.host()?;
    let slice = guard.as_slice();
    let read = view.as_read_only();
    assert_eq!(locked(&read, |launch| launch.inside(|| read.kernel_read(2))), 3);
    assert_eq!(slice, Some(&[1, 2, 3, 4][..]));
    Ok(())
}

#[test]
fn threads_of_one_launch_share_what_it_holds() -> Result<()> {
    let view = ArrayView::from_vec(4, vec![0i32; 4])?;
    locked(&view, |launch| {
        std::thread::scope(|scope| {
            for i in 0..4 {
                let view = &view;
                scope.spawn(move || {
                    launch.inside(|| {
                        // A race, which gives a wrong result in a kernel but no undefined
                        // behaviour.
                        view.kernel_write(0, i);
                        view.kernel_write(i, view.kernel_read(0) + i);
                        view.atomic(3).fetch_add(0);
                    });
                });
            }
        });
    });
    assert_eq!(view.to_vec()?.len(), 4);
    Ok(())
}
