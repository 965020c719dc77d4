//! Kernels that cannot be compiled: what runs instead, and what the launch says of it.

use tilewise_ir::launch::{Domain, Ending, Memory, Refusal};

use super::{bytes, kernel, number, threads, view};
use crate::run::{LaunchOptions, Prepared, Ran};

/// Launches a kernel of this name, twice; asserts that it computes what it should, and gives the way it took.
fn ran(name: &str) -> Ran {
    let text =
        format!("kernel {name}(a: view<i32, 1, read_write>, n: i32) rank(1) {{ a[global[0]] = a[global[0]] * n; }}");
    let kernel = Prepared::new(kernel(&text));
    let launch = || {
        let mut memory = Memory::new(vec![bytes(0..96)]);
        let options = LaunchOptions::default();
        let ran = threads(2).run(&kernel, &Domain::new([96]), &mut memory, &[view(0, &[96]), number(3)], &options);
        assert!(memory.pieces[0] == bytes((0..96).map(|n| n * 3)));
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
    let kernel = Prepared::new(kernel("kernel fails(a: view<i32, 1, read_write>) rank(1) { a[global[0]] = 1; }"));
    let options = LaunchOptions { no_fallback: true, ..LaunchOptions::default() };
    let ran =
        threads(1).run(&kernel, &Domain::new([1]), &mut Memory::new(vec![bytes(0..1)]), &[view(0, &[1])], &options);
    assert_eq!(ran, Err(Refusal::Unsupported("the kernel cannot be compiled: as the test wants".into())));
}

#[test]
fn threads_that_were_missed_by_mistake_are_run_again_from_the_memory_as_it_was() {
    // The walk stops the first four at the barrier before it is the others' turn, who then end.
    let kernel = Prepared::new(kernel(
        "kernel k(a: view<i32, 1, read_write>) tile(8) {
            let i = global[0];
            let x = a[i];
            a[i] = x + 1;
            if x < 4 { barrier; a[i] = x + 100; } else { abort; }
        }",
    ));
    let mut memory = Memory::new(vec![bytes(0..8)]);
    let ran = threads(1).run(&kernel, &Domain::new([8]), &mut memory, &[view(0, &[8])], &LaunchOptions::default());
    let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(matches!(ran.outcome.ending, Ending::Failed { thread: 4, message: None, others: 3, .. }), "{ran:?}");
    assert!(ran.ran.fallback.is_some());
    assert!(memory.pieces[0] == bytes([100, 101, 102, 103, 5, 6, 7, 8]));
}
