//! What kernels say: output, errors, aborts.

use tilewise_interp::ThreadOrder;
use tilewise_ir::launch::{Ending, MAX_PRINTED};

use crate::case::Case;

#[test]
fn output_is_sorted_by_thread_then_program_order() {
    let text = r#"kernel k() tile(2) {
        print("{} before", global[0]);
        barrier;
        print("{} after", global[0]);
    }"#;
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(5)] {
        let outcome = Case::new(text, &[4]).order(order).outcome();
        let lines: Vec<_> = outcome.printed.iter().map(|line| line.text.as_str()).collect();
        let expected = ["0 before", "0 after", "1 before", "1 after", "2 before", "2 after", "3 before", "3 after"];
        assert_eq!(lines, expected);
        assert_eq!(outcome.lost, 0);
    }
}

#[test]
fn values_are_written_as_rust_writes_them() {
    let text = r#"kernel k() rank(1) {
        print("{} {} {} {}", -1, 4294967295u32, true, -9i64);
        print("{} {} {} {{}}", 1.0, 0.1, inf);
        print("{} {}", f32x2(0.5, -0.0), i32x3(1, -2, 3));
        print("plain");
    }"#;
    let outcome = Case::new(text, &[1]).outcome();
    let lines: Vec<_> = outcome.printed.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, ["-1 4294967295 true -9", "1 0.1 inf {}", "(0.5, -0) (1, -2, 3)", "plain"]);
}

#[test]
fn output_beyond_the_limit_is_counted() {
    let text = r#"kernel k() rank(1) { var i: i32 = 0; while i < 1000 { print("0123456789012345678901234567890"); i = i + 1; } }"#;
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(1)] {
        let outcome = Case::new(text, &[100]).order(order).outcome();
        assert_eq!(outcome.printed.len() * 32, MAX_PRINTED);
        assert_eq!(outcome.lost, 3_200_000 - MAX_PRINTED as u64);
        assert!(outcome.printed.iter().map(|line| line.thread).eq((0..32768).map(|i| i / 1000)));
    }
}

#[test]
fn the_lowest_failed_thread_is_told_and_the_others_go_on() {
    let text = r#"kernel k(out: view<i32, 1, read_write>) rank(1) {
        if global[0] % 3 == 2 {
            if global[0] > 4 { abort; }
            error("thread {} at {}", global[0], 0.5);
        }
        out[global[0]] = 1;
    }"#;
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(1), ThreadOrder::Shuffled(2)] {
        let mut case = Case::new(text, &[9]).zeros(9).order(order);
        let Ending::Failed { thread, message, pos, others } = case.outcome().ending else { panic!("it failed") };
        assert_eq!((thread, message.as_deref(), others, pos.line), (2, Some("thread 2 at 0.5"), 2, 4));
        assert_eq!(case.as_ints(0), [1, 1, 0, 1, 1, 0, 1, 1, 0]);
    }
}

#[test]
fn a_failed_thread_counts_as_arrived_at_every_barrier() {
    let text = "kernel k(out: view<i32, 1, read_write>) tile(4) {
        tile_static sum: i32;
        if local[0] == 1 { abort; }
        atomic_add(sum, 1);
        barrier;
        var i: i32 = 0;
        while i < 3 {
            if local[0] == 2 && i == 1 { abort; }
            atomic_add(sum, 10);
            barrier;
            i = i + 1;
        }
        out[global[0]] = sum;
    }";
    for order in [ThreadOrder::Linear, ThreadOrder::Shuffled(1)] {
        let mut case = Case::new(text, &[4]).zeros(4).order(order);
        let outcome = case.outcome();
        assert!(matches!(outcome.ending, Ending::Failed { thread: 1, message: None, others: 1, .. }));
        assert_eq!(case.as_ints(0), [73, 0, 0, 73]);
    }
}

#[test]
fn a_tile_whose_threads_all_failed_is_done() {
    let text = "kernel k() tile(2) { abort; }";
    let outcome = Case::new(text, &[4]).outcome();
    assert!(matches!(outcome.ending, Ending::Failed { thread: 0, others: 3, .. }));
}
