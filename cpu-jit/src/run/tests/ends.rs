//! Launches that are refused, end early, or panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Refusal};

use super::{bytes, kernel, number, threads, view};
use crate::run::{JitKernel, JitLaunchOptions};

#[test]
fn what_does_not_fit_is_refused() {
    let text = "kernel k(a: view<i32, 2, read_write>, n: i32) rank(2) { a[global[0], global[1]] = n; }";
    let kernel = JitKernel::new(kernel(text));
    let engine = threads(1);
    let domain = Domain::new([3, 2]);
    let run = |arguments: &[Argument], domain: &Domain| {
        let mut memory = LaunchMemory::new(vec![bytes(0..40)]);
        engine.run(&kernel, domain, &mut memory, arguments, &JitLaunchOptions::default())
    };
    assert!(matches!(run(&[view(0, &[3, 2])], &domain), Err(Refusal::BadArgument(_))));
    assert!(matches!(run(&[view(0, &[30, 2]), number(1)], &domain), Err(Refusal::BadArgument(_))));
    assert!(matches!(run(&[view(0, &[3, 2]), number(1)], &Domain::new([3])), Err(Refusal::InvalidComputeDomain(_))));
    assert!(run(&[view(0, &[3, 2]), number(1)], &domain).is_ok());
}

/// Loops until it is ended, in the threads from 3 on.
const ENDLESS: &str = "kernel k(a: view<i32, 1, read_write>, n: i32) rank(1) {
    let i = global[0];
    loop { if i < n { break; } }
    a[i] = 1;
}";

/// Asserts that a launch of it ends by itself, and soon.
fn is_interrupted(count: i32, options: JitLaunchOptions<'_>) {
    let kernel = JitKernel::new(kernel(ENDLESS));
    for engine in [threads(1), threads(3)] {
        let mut memory = LaunchMemory::new(vec![bytes((0..count).map(|_| 0))]);
        let arguments = [view(0, &[count]), number(3)];
        let begin = Instant::now();
        let options = JitLaunchOptions { no_fallback: true, ..options };
        let ran = engine.run(&kernel, &Domain::new([count]), &mut memory, &arguments, &options);
        assert_eq!(ran.map(|ran| ran.outcome.ending), Ok(Ending::Interrupted));
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    }
}

#[test]
fn an_endless_kernel_ends_when_its_time_is_over() {
    for count in [4, 5000] {
        let time_limit = Some(Duration::from_millis(20));
        is_interrupted(count, JitLaunchOptions { time_limit, ..JitLaunchOptions::default() });
    }
}

#[test]
fn an_endless_kernel_ends_when_somebody_says_so() {
    let asked = AtomicU32::new(0);
    let interrupt = || asked.fetch_add(1, Ordering::Relaxed) > 3;
    is_interrupted(5000, JitLaunchOptions { interrupt: Some(&interrupt), ..JitLaunchOptions::default() });
    is_interrupted(5000, JitLaunchOptions { interrupt: Some(&|| true), ..JitLaunchOptions::default() });
}

#[test]
fn a_launch_ends_within_a_tenth_of_a_second_of_being_told() {
    let kernel = JitKernel::new(kernel(ENDLESS));
    let engine = threads(2);
    let told_to_end = || {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let launch = scope.spawn(|| {
                let interrupt = || stop.load(Ordering::Relaxed);
                let options = JitLaunchOptions { interrupt: Some(&interrupt), ..JitLaunchOptions::default() };
                let mut memory = LaunchMemory::new(vec![bytes(0..1000)]);
                let arguments = [view(0, &[1000]), number(3)];
                let ran = engine.run(&kernel, &Domain::new([1000]), &mut memory, &arguments, &options);
                assert_eq!(ran.map(|ran| ran.outcome.ending), Ok(Ending::Interrupted));
                Instant::now()
            });
            thread::sleep(Duration::from_millis(50));
            let told = Instant::now();
            stop.store(true, Ordering::Relaxed);
            launch.join().map_or(Duration::MAX, |end| end.duration_since(told))
        })
    };
    // The machine may be busy with other things for a while, but hardly each time.
    let took = (0..10).map(|_| told_to_end()).min();
    assert!(took < Some(Duration::from_millis(100)), "{took:?}");
}

#[test]
fn a_panic_of_whoever_is_asked_comes_out_and_the_next_launch_is_as_ever() {
    let kernel = JitKernel::new(kernel(ENDLESS));
    let engine = threads(2);
    let launch = |n: i32, interrupt: &(dyn Fn() -> bool + Sync)| {
        let options = JitLaunchOptions { interrupt: Some(interrupt), ..JitLaunchOptions::default() };
        let mut memory = LaunchMemory::new(vec![bytes(0..1000)]);
        let arguments = [view(0, &[1000]), number(n)];
        engine.run(&kernel, &Domain::new([1000]), &mut memory, &arguments, &options).map(|ran| ran.outcome.ending)
    };
    let asked = AtomicU32::new(0);
    let interrupt = || {
        assert!(asked.fetch_add(1, Ordering::Relaxed) < 2, "as the test wants");
        false
    };
    assert!(catch_unwind(AssertUnwindSafe(|| launch(3, &interrupt))).is_err());
    assert_eq!(launch(1000, &|| false), Ok(Ending::Completed));
}

#[test]
fn the_lowest_tile_that_diverges_is_told_and_none_above_it_is_waited_for() {
    // Tile 40 and those behind it never end, of tiles 9 and 12 only half comes to the barrier.
    let text = "kernel k(a: view<i32, 1, read_write>, n: i32) tile(16) {
        let t = tile[0];
        if t >= 40 { loop { if n == 1 { break; } } }
        if a[global[0]] == n { barrier; }
        print(\"{}\", t);
    }";
    let kernel = JitKernel::new(kernel(text));
    let numbers = |thread: i32| i32::from([9, 12].contains(&(thread / 16)) && thread % 2 == 0);
    for engine in [threads(1), threads(3)] {
        for width in [None, Some(1)] {
            let mut memory = LaunchMemory::new(vec![bytes((0..1600).map(numbers))]);
            let options = JitLaunchOptions {
                width,
                time_limit: Some(Duration::from_secs(20)),
                no_fallback: true,
                ..JitLaunchOptions::default()
            };
            let arguments = [view(0, &[1600]), number(0)];
            let ran = engine.run(&kernel, &Domain::new([1600]), &mut memory, &arguments, &options);
            let outcome = ran.map(|ran| ran.outcome).unwrap_or_else(|refusal| panic!("{refusal}"));
            let Ending::BarrierDivergence(divergence) = outcome.ending else { panic!("{:?}", outcome.ending) };
            assert_eq!(divergence.tile, [9]);
            let threads: Vec<usize> = divergence.sides.iter().map(|side| side.threads.len()).collect();
            assert_eq!(threads, [8, 8]);
            assert!(outcome.printed.iter().all(|line| line.thread < 160));
        }
    }
}
