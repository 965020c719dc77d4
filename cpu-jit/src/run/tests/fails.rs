//! Kernels that cannot be compiled: what runs instead, and what the launch says of it.

use tilewise_ir::launch::{Domain, Memory, Refusal};

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
