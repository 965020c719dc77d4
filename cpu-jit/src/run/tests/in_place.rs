//! Kernels that are interpreted work in the memory that is bound, and touch nothing of what lies beside it. Small enough for Miri, which checks that no byte is lent twice.
#![allow(unsafe_code, reason = "launches in parts of one slice, which only pointers can say")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use tilewise_ir::launch::{Domain, Ending, LaunchMemory, Refusal};

use super::{bytes, kernel, number, strided, threads, view};
use crate::bind::HostAllocation;
use crate::run::{JitKernel, JitLaunchOptions};

const ROWS: &str = "kernel k(a: view<i32, 2, read_write>, b: view<i32, 2, read>, n: i32) rank(2) {
    let i = global[0];
    let j = global[1];
    a[i, j] = a[i, j] * n + b[i, j];
}";

#[test]
fn what_lies_between_the_rows_is_another_s_and_what_is_only_read_others_may_read() {
    // Rows of 3 numbers, 8 apart: columns 0 to 2 are written, 3 to 5 read. The rest is written meanwhile.
    let mut slice: Vec<i32> = (0..32).collect();
    let base = slice.as_mut_ptr().expose_provenance() as u64;
    let columns = |column: u64| strided(0, 4 * column, &[4, 3], &[8, 1]);
    let interpret = JitLaunchOptions { interpret: true, ..JitLaunchOptions::default() };
    let (over, rows) = (AtomicBool::new(false), JitKernel::new(kernel(ROWS)));
    let read = thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut sum = 0i64;
            while !over.load(Ordering::Acquire) {
                for row in 0..4 {
                    let at = std::ptr::with_exposed_provenance_mut::<i32>(base as usize + 4 * (row * 8 + 6));
                    // SAFETY: the last two of a row are nobody's but this thread's.
                    unsafe { at.write(at.add(1).read() + 1) };
                    // SAFETY: nobody writes what stands in front of them while the launch reads it.
                    sum += i64::from(unsafe { at.sub(1).read() });
                }
                thread::yield_now();
            }
            sum
        });
        let allocation = HostAllocation { address: base, size: 4 * 32 };
        let arguments = [columns(0), columns(3), number(10)];
        // SAFETY: the elements lie in `slice`, which nobody uses until the launch is over but the other thread, and that reads what the kernel reads.
        let launched = unsafe { threads(1).launch(&rows, &Domain::new([4, 3]), &[allocation], &arguments, &interpret) };
        over.store(true, Ordering::Release);
        assert_eq!(launched.map(|launched| launched.outcome.ending), Ok(Ending::Completed));
        other.join().unwrap()
    });
    assert_eq!(read % (5 + 13 + 21 + 29), 0);
    let mut expected: Vec<i32> = (0..32).collect();
    for row in (0..32).step_by(8) {
        (0..3).for_each(|i| expected[row + i] = expected[row + i] * 10 + expected[row + i + 3]);
        // If the other thread had a turn at all.
        assert!(slice[row + 6] == row as i32 + 8 || slice[row + 6] == row as i32 + 6);
        expected[row + 6] = slice[row + 6];
    }
    assert_eq!(slice, expected);
}

#[test]
fn what_was_written_when_a_launch_was_left_is_there() {
    let kernel = JitKernel::new(kernel(
        "kernel k(a: view<i32, 1, read_write>) rank(1) { a[0] = 5; loop { if a[0] == 6 { break; } } }",
    ));
    let mut memory = LaunchMemory::new(vec![bytes([0])]);
    let asked = AtomicU32::new(0);
    let ask = || -> bool {
        assert!(asked.fetch_add(1, Ordering::Relaxed) < 2, "enough");
        false
    };
    let options = JitLaunchOptions { interpret: true, interrupt: Some(&ask), ..JitLaunchOptions::default() };
    let left = catch_unwind(AssertUnwindSafe(|| {
        threads(1).run(&kernel, &Domain::new([1]), &mut memory, &[view(0, &[1])], &options)
    }));
    assert!(left.is_err());
    assert!(memory.allocations[0] == bytes([5]));
}

#[test]
fn views_may_overlap_in_every_way_that_strides_have() {
    let start: Vec<i32> = (0..24).collect();
    // A transposed view; one that is read and lies over it; one whose rows are all the same row; one whose rows overlap.
    let text = "kernel k(a: view<i32, 2, read_write>, b: view<i32, 2, read>, c: view<i32, 2, read>, d: view<i32, 2, read_write>) rank(2) {
        let i = global[0];
        let j = global[1];
        d[i, j] = b[i, j] + c[i, j];
        a[i, j] = d[i, j] + 100;
    }";
    let argument = |offset, strides: &[u64]| strided(0, offset, &[2, 3], strides);
    let arguments = [argument(0, &[1, 2]), argument(16, &[3, 1]), argument(60, &[0, 2]), argument(72, &[2, 1])];
    let mut memory = LaunchMemory::new(vec![bytes(start)]);
    let mut expected = memory.clone();
    let options = tilewise_interp::Options::default();
    let prepared = JitKernel::new(kernel(text));
    let domain = Domain::new([2, 3]);
    tilewise_interp::run(prepared.kernel(), &domain, &mut expected, &arguments, &options).unwrap();
    let options = JitLaunchOptions { interpret: true, ..JitLaunchOptions::default() };
    threads(1).run(&prepared, &domain, &mut memory, &arguments, &options).unwrap();
    assert!(memory == expected);
}

#[test]
fn dimensions_of_one_index_may_have_any_stride_and_views_may_be_empty() {
    let text = "kernel k(a: view<i32, 2, read_write>, e: view<i32, 2, read_write>) rank(1) {
        let i = global[0];
        e[i, 0] = 1;
        a[0, i] = a[0, i] + e[i, i] + extent(e, 1);
    }";
    let mut memory = LaunchMemory::new(vec![bytes(0..4)]);
    let arguments = [strided(0, 4, &[1, 3], &[u64::MAX / 2, 1]), strided(0, 16, &[0, 9], &[u64::MAX, 1])];
    let options = JitLaunchOptions { interpret: true, ..JitLaunchOptions::default() };
    let kernel = JitKernel::new(kernel(text));
    threads(1).run(&kernel, &Domain::new([3]), &mut memory, &arguments, &options).unwrap();
    assert!(memory.allocations[0] == bytes([0, 10, 11, 12]));
    let beyond = [strided(0, 8, &[1, 3], &[1, 1]), arguments[1].clone()];
    let refused = threads(1).run(&kernel, &Domain::new([3]), &mut memory, &beyond, &options);
    assert!(matches!(refused, Err(Refusal::BadArgument(_))), "{refused:?}");
}

const WIDE: &str = "kernel k(first: view<u32, 1, read>, wide: view<u64, 1, read_write>) rank(1) {
    atomic_add(wide[global[0]], 5u64 + first[0] as u64);
}";

#[test]
fn what_is_atomic_is_aligned_in_its_allocation_and_that_in_memory() {
    let mut slice = [0u64; 4];
    let address = slice.as_mut_ptr().expose_provenance() as u64;
    let prepared = JitKernel::new(kernel(WIDE));
    let interpret = JitLaunchOptions { interpret: true, ..JitLaunchOptions::default() };
    let launch = |skip: u64, wide: u64| {
        let allocation = HostAllocation { address: address + skip, size: 32 - skip };
        let arguments = [strided(0, 4, &[1], &[1]), strided(0, wide, &[2], &[1])];
        // SAFETY: the allocation lies in `slice`, which nobody uses until the launch is over.
        let launched =
            unsafe { threads(1).launch(&prepared, &Domain::new([2]), &[allocation], &arguments, &interpret) };
        launched.map(|launched| launched.outcome.ending)
    };
    assert_eq!(launch(0, 8), Ok(Ending::Completed));
    let rule = "what is changed by atomic operations on 8 bytes begins at";
    let refused = |why: String| Err(Refusal::BadArgument(why));
    assert_eq!(launch(0, 12), refused(format!("`wide` begins at byte 12 of its memory: {rule} a multiple of 8")));
    assert_eq!(launch(4, 8), refused(format!("`wide` begins at an address that is no multiple of 8: {rule} one")));
    assert_eq!(launch(0, 24), refused("`wide` reaches beyond the 32 bytes of its memory".into()));
    assert_eq!(slice, [0, 5, 5, 0]);
}

#[test]
fn a_launch_stays_within_its_allocations() {
    let mut slice = [0u64; 4];
    let address = slice.as_mut_ptr().expose_provenance() as u64;
    let prepared = JitKernel::new(kernel(WIDE));
    let allocation = HostAllocation { address, size: 16 };
    for interpret in [false, true] {
        let options = JitLaunchOptions { interpret, ..JitLaunchOptions::default() };
        for arguments in [[strided(0, 0, &[1], &[1]), view(0, &[3])], [view(1, &[1]), view(0, &[2])]] {
            // SAFETY: the allocation lies in `slice`, which nobody uses until the launch is over.
            let refused =
                unsafe { threads(1).launch(&prepared, &Domain::new([2]), &[allocation], &arguments, &options) };
            assert!(matches!(refused, Err(Refusal::BadArgument(_))), "{refused:?}");
        }
    }
    assert_eq!(slice, [0; 4]);
}
