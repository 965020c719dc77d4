//! Kernels that cannot be compiled: what runs instead, and what the launch says of it.

use tilewise_interp as interp;
use tilewise_ir::launch::{Domain, Ending, LaunchMemory, Refusal};

use super::{bytes, kernel, number, threads, view};
use crate::run::{JitKernel, JitLaunchOptions, Ran, UserFallback};

/// Launches a kernel of this name, twice; asserts that it computes what it should, and gives the way it took.
fn ran(name: &str) -> Ran {
    let text =
        format!("kernel {name}(a: view<i32, 1, read_write>, n: i32) rank(1) {{ a[global[0]] = a[global[0]] * n; }}");
    let kernel = JitKernel::new(kernel(&text));
    let launch = || {
        let mut memory = LaunchMemory::new(vec![bytes(0..96)]);
        let options = JitLaunchOptions::default();
        let ran = threads(2).run(&kernel, &Domain::new([96]), &mut memory, &[view(0, &[96]), number(3)], &options);
        assert!(memory.allocations[0] == bytes((0..96).map(|n| n * 3)));
        ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran
    };
    let first = launch();
    assert_eq!(launch().fallback, first.fallback);
    first
}

#[test]
fn what_cannot_be_compiled_is_interpreted_and_says_why() {
    let ran = ran("fails");
    assert_eq!((ran.width, ran.fallback.as_deref()), (0, Some("as the test wants")));
}

#[test]
fn a_panic_of_the_compiler_is_a_reason_like_any_other() {
    let ran = ran("panics");
    assert_eq!((ran.width, ran.fallback.as_deref()), (0, Some("the compiler gave up: as the test wants")));
}

#[test]
fn what_fails_in_lanes_is_compiled_for_one_thread_at_a_time_and_says_why() {
    if crate::emit::widest() == 1 {
        return;
    }
    let ran = ran("fails_in_lanes");
    assert_eq!((ran.width, ran.fallback, ran.narrowed.as_deref()), (1, None, Some("as the test wants")));
}

#[test]
fn who_wants_no_fallback_is_refused() {
    let kernel = JitKernel::new(kernel("kernel fails(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = 1; }"));
    let options = JitLaunchOptions { no_fallback: true, ..JitLaunchOptions::default() };
    let ran = threads(1).run(
        &kernel,
        &Domain::new([1]),
        &mut LaunchMemory::new(vec![bytes(0..1)]),
        &[view(0, &[1])],
        &options,
    );
    assert_eq!(ran, Err(Refusal::Unsupported("the kernel cannot be compiled: as the test wants".into())));
}

#[test]
fn threads_that_were_missed_by_mistake_are_run_again_from_the_memory_as_it_was() {
    // The walk stops the first four at the barrier before it is the others' turn, who then end.
    let kernel = JitKernel::new(kernel(
        "kernel k(a: view<i32, 1, read_write>) tile(8) {
            let i = global[0];
            let x = a[i];
            a[i] = x + 1;
            if x < 4 { barrier; a[i] = x + 100; } else { abort; }
        }",
    ));
    let mut memory = LaunchMemory::new(vec![bytes(0..8)]);
    let launch = |memory: &mut LaunchMemory, fallback: UserFallback| {
        let options = JitLaunchOptions::default().with_fallback(fallback);
        threads(1).run(&kernel, &Domain::new([8]), memory, &[view(0, &[8])], &options)
    };
    // Where nothing may be interpreted, the memory is as before.
    let refused = launch(&mut memory, UserFallback::Error).map(|launched| launched.ran);
    assert!(matches!(&refused, Err(Refusal::Unsupported(why)) if why.contains("has to begin again")), "{refused:?}");
    assert!(memory.allocations[0] == bytes(0..8));
    let ran = launch(&mut memory, UserFallback::Note).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(matches!(ran.outcome.ending, Ending::Failed { thread: 4, message: None, others: 3, .. }), "{ran:?}");
    let way = ran.ran.slower_way(&"the kernel", UserFallback::Note);
    let why = "all threads that others had not waited for at a barrier failed";
    assert_eq!(way, Some(format!("the kernel has begun again, interpreted: {why}")));
    assert_eq!(ran.ran.slower_way(&"the kernel", UserFallback::Quiet), None);
    assert!(memory.allocations[0] == bytes([100, 101, 102, 103, 5, 6, 7, 8]));
}

#[test]
fn a_part_that_cannot_be_compiled_when_it_is_reached_is_interpreted_and_says_why() {
    // The elements behind the end, which seldom are any, are a part of their own: they are asked for one by one, and count, print and fail where they are.
    let text = "kernel fails_in_an_arm(a: view<i32, 1, read_write>, b: view<i32, 1, read>, c: view<i32, 1, read_write>) rank(1) {
        let i = global[0];
        let x = b[i * 2 + 1];
        if i > 60 { print(\"{}\", i); }
        a[i + 3] = x + i;
        atomic_add(c[i + 1], 2);
    }";
    let prepared = JitKernel::new(kernel(text));
    for count in [64, 61, 3] {
        let memory = LaunchMemory::new(vec![bytes(0..64), bytes((0..100).map(|n| n * 7)), bytes(0..50)]);
        let arguments = [view(0, &[64]), view(1, &[100]), view(2, &[50])];
        let mut expected = memory.clone();
        let options = interp::Options::default();
        let outcome = interp::run(prepared.kernel(), &Domain::new([count]), &mut expected, &arguments, &options);
        let outcome = outcome.unwrap_or_else(|refusal| panic!("{refusal}"));
        for crew in [1, 3] {
            let mut memory = memory.clone();
            let options = JitLaunchOptions::default();
            let ran = threads(crew).run(&prepared, &Domain::new([count]), &mut memory, &arguments, &options);
            let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}"));
            assert_eq!((ran.outcome.ending, ran.outcome.printed), (outcome.ending.clone(), outcome.printed.clone()));
            assert!(memory == expected, "{count} threads of the kernel, {crew} of the engine");
            if count == 64 && ran.ran.width > 1 {
                assert_eq!(ran.ran.part.as_deref(), Some("as the test wants"));
                let strict = JitLaunchOptions { no_fallback: true, ..options };
                let mut memory = memory.clone();
                let refused = threads(crew).run(&prepared, &Domain::new([count]), &mut memory, &arguments, &strict);
                assert!(matches!(refused, Err(Refusal::Unsupported(_))), "{refused:?}");
            }
        }
    }
}
