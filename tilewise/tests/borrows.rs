//! Kernels and host guards over the same elements: what is refused, what waits, what a leak leaves behind. On `native`, `reference` and `jit`, but under Miri without `jit`, whose code it cannot run.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::thread;

use tilewise::prelude::{Accelerator, AcceleratorView, ArrayView, Index, ReadView, amp, kernel, parallel_for_each};
use tilewise::{Array, Completion, Error, Result, copy_async, copy_async_from, copy_async_into};

fn targets() -> impl Iterator<Item = AcceleratorView> {
    let paths = [Accelerator::NATIVE, Accelerator::REFERENCE, Accelerator::JIT];
    let paths = paths.into_iter().filter(|path| !cfg!(miri) || *path != Accelerator::JIT);
    paths.map(|path| Accelerator::new(path).expect("it is everywhere").default_view())
}

fn borrowed<T>(result: Result<T>) -> u32 {
    match result {
        Err(Error::Borrowed(at)) => at.line(),
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("it is not refused"),
    }
}

#[test]
fn a_launch_under_a_guard_is_refused_and_does_nothing() -> Result<()> {
    for target in targets() {
        let (view, other) = (ArrayView::from_vec(4, vec![0f32; 4])?, ArrayView::from_vec(4, vec![0f32; 4])?);
        let guard = view.section_from(3);
        let guard = guard.host()?;
        let line = line!() - 1;
        let launch = || {
            parallel_for_each!(&target, view.extent(), |i| {
                view[i] = 1.0;
                other[i] = 1.0;
            })
        };
        assert_eq!(borrowed(launch()), line);
        assert_eq!(other.to_vec()?, [0.0; 4], "no region was kept or written");
        other.host_mut()?[0] = 2.0;
        assert_eq!(guard[0], 0.0);
        drop(guard);
        launch()?;
        assert_eq!(view.to_vec()?, [1.0; 4]);
    }
    Ok(())
}

#[test]
fn a_launch_beside_a_guard_on_other_elements_runs() -> Result<()> {
    for target in targets() {
        let view = ArrayView::from_vec((2, 3), vec![0; 6])?;
        let (left, right) = (view.section((0, 0), (2, 2)), view.section((0, 2), (2, 1)));
        let mut guard = left.host_mut()?;
        parallel_for_each!(&target, right.extent(), |i| {
            right[i] = 10 + i[0];
        })?;
        guard[(1, 1)] = 5;
        drop(guard);
        assert_eq!(view.to_vec()?, [0, 0, 10, 0, 5, 11]);
    }
    Ok(())
}

#[test]
fn a_launch_that_reads_runs_beside_a_guard_that_reads() -> Result<()> {
    for target in targets() {
        let (from, to) = (ArrayView::from_vec(3, vec![1, 2, 3])?, ArrayView::<i32>::without_source(3)?);
        let guard = from.host()?;
        let read = from.as_read_only();
        parallel_for_each!(&target, to.extent(), |i| {
            to[i] = read[i] * 2;
        })?;
        assert_eq!((guard[2], to.to_vec()?), (3, vec![2, 4, 6]));
    }
    Ok(())
}

#[test]
fn a_leaked_guard_stops_launches_too() -> Result<()> {
    for target in targets() {
        let view = ArrayView::<f32>::without_source(4)?;
        forget(view.host_mut()?);
        let line = line!() - 1;
        let launched = parallel_for_each!(&target, view.extent(), |i| {
            view[i] = 1.0;
        });
        assert_eq!(borrowed(launched), line);
    }
    Ok(())
}

#[test]
fn after_a_leaked_view_and_a_leaked_kernel_the_borrow_still_ends() -> Result<()> {
    for target in targets() {
        let mut data = [0; 4];
        let view = ArrayView::new(4, &mut data)?;
        let kernel = kernel!(|i: Index<1>| {
            view[i] = i[0];
        });
        target.parallel_for_each(view.extent(), &kernel)?;
        forget(kernel);
        forget(view);
        data[0] = 3;
        assert_eq!(data, [3, 1, 2, 3]);
    }
    Ok(())
}

#[test]
fn leaked_completions_leave_their_work_to_go_on() -> Result<()> {
    for target in targets() {
        let (from, to) =
            (Array::<i32>::builder(4).on(&target).build_from(&[1; 4])?, Array::builder(4).on(&target).build()?);
        forget(copy_async(&from, &to)?);
        // Who touches the elements waits for the work, whoever asks for its end.
        assert_eq!(to.to_vec()?, [1; 4]);
        forget(copy_async_from(vec![2; 4], &to)?);
        forget(copy_async_into(&to, Vec::new())?.then(|elements| Ok(elements.len())));
        assert_eq!(to.to_vec()?, [2; 4]);
        // Memory that a view borrows is read and written at the call; nothing is left that could follow the borrow.
        let mut data = vec![3; 4];
        let view = ArrayView::new(4, &mut data)?;
        forget(copy_async(&view, &to)?);
        forget(copy_async(&to, &view)?);
        forget(view.synchronize_async()?);
        drop(view);
        data.fill(4);
        assert_eq!((data, to.to_vec()?), (vec![4; 4], vec![3; 4]));
    }
    let (never, chained): (Completion<i32>, _) = (Completion::ready(1), Completion::ready(2).then(|two| Ok(two + 1)));
    forget(never);
    forget(chained);
    Ok(())
}

#[test]
fn the_interpreter_writes_beside_those_who_read_and_write_other_rows() -> Result<()> {
    let reference = Accelerator::new(Accelerator::REFERENCE)?.default_view();
    let mut data = vec![1; 24];
    let table = ArrayView::new((4, 6), &mut data)?;
    let (left, right) = (table.section((0, 0), (4, 3)), table.section((0, 3), (4, 3)));
    let (both, apart) = (right.section((0, 0), (4, 1)).as_read_only(), right.section((0, 1), (4, 2)));
    let mut mine = apart.host_mut()?;
    thread::scope(|scope| {
        let seen = both.host()?;
        // Between the rows that the launch has are those of a guard that writes, and of one that reads as the launch does.
        let launch =
            scope.spawn(|| parallel_for_each!(&reference, left.extent(), |i| left[i] += both[(i[0], 0)] + i[1]));
        (0..4).for_each(|row| mine[(row, 1)] += seen[(row, 0)]);
        launch.join().expect("it does not panic")
    })?;
    drop(mine);
    assert_eq!(table.to_vec()?, [2, 3, 4, 1, 1, 2].repeat(4));
    Ok(())
}

#[amp]
fn put(view: &ArrayView<'_, i32>, i: i32, value: i32) {
    view[i] = value;
}

#[amp]
fn look(view: &ReadView<'_, i32>, i: i32) -> i32 {
    view[i]
}

fn panics(run: impl FnOnce()) -> String {
    *catch_unwind(AssertUnwindSafe(run)).expect_err("it panics").downcast::<String>().expect("it has a message")
}

#[test]
fn a_marked_function_on_the_host_takes_the_lock() -> Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    put(&view, 1, 7);
    assert_eq!(look(&view.as_read_only(), 1), 7);
    let upper = view.section_from(2);
    let guard = upper.host_mut()?;
    put(&view, 0, 8);
    assert!(panics(|| put(&view, 2, 9)).contains("in the hands of the host guard"));
    assert!(panics(|| drop(look(&view.as_read_only(), 3).to_string())).contains("drop that guard first"));
    drop(guard);
    assert!(panics(|| put(&view, 4, 9)).contains("dimension 0 has the indices 0 to 3, not 4"));
    assert_eq!(view.to_vec()?, [8, 7, 0, 0]);
    Ok(())
}

#[test]
fn overlapping_views_in_one_kernel_are_one_memory() -> Result<()> {
    for target in targets() {
        let base = ArrayView::from_vec(6, vec![2; 6])?;
        let (low, high) = (base.section(0, 4), base.section(2, 4));
        parallel_for_each!(&target, low.extent(), |i| {
            low.atomic(i).fetch_add(1);
            high.atomic(i).fetch_add(1);
        })?;
        assert_eq!(base.to_vec()?, [3, 3, 4, 4, 3, 3]);
    }
    Ok(())
}

#[test]
fn launches_of_threads_over_the_same_elements_take_turns() -> Result<()> {
    for target in targets() {
        let (threads, launches) = (4, 8);
        let view = ArrayView::from_vec(16, vec![0; 16])?;
        let start = Barrier::new(threads);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    start.wait();
                    for _ in 0..launches {
                        // Not atomic: two launches at once would lose additions.
                        parallel_for_each!(&target, view.extent(), |i| {
                            view[i] = view[i] + 1;
                        })
                        .expect("a launch waits for another");
                        assert!(view.get(3).expect("and so does the host") > 0);
                    }
                });
            }
        });
        assert_eq!(view.to_vec()?, [threads as i32 * launches; 16]);
    }
    Ok(())
}
