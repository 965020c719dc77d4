//! What is live where, on small kernels.

mod flow;

use tilewise_ir::kernel::{Construct, Kernel};

use super::{BitSet, Live, Locals};
use crate::vectorize::samples::checked;

/// For each construct in text order its word and its sets, by the names of the locals (all are scalars).
fn shown(body: &str) -> Vec<String> {
    let kernel = checked(body);
    let locals = Locals::of(kernel.inlined(), kernel.facts());
    let kernel = kernel.inlined();
    let live = Live::of(kernel, &locals);
    let mut out = Vec::new();
    kernel.entry().body().walk(&mut |inst| {
        let (after, leaving) = (names(kernel, live.after(inst.id)), names(kernel, live.leaving(inst.id)));
        match inst.kind.construct() {
            Some(Construct::Loop { .. }) => {
                out.push(format!("loop head {}, after {after}, leaving {leaving}", names(kernel, live.head(inst.id))));
            }
            Some(construct @ (Construct::If { .. } | Construct::Switch { .. } | Construct::Scope { .. })) => {
                out.push(format!("{} after {after}, leaving {leaving}", construct.name()));
            }
            None => assert!(live.after(inst.id).is_empty()),
        }
    });
    out
}

fn names(kernel: &Kernel, set: &BitSet) -> String {
    let names: Vec<&str> = set.iter().map(|part| &*kernel.entry().locals()[part].name).collect();
    format!("[{}]", names.join(" "))
}

#[test]
fn after_an_if_lives_what_is_read_and_not_written_first() {
    let found = shown(
        "var a: i32 = 1; var b: i32 = 2; var c: i32 = 3; if i < n { a = 4; c = 5; } else { b = c; } b = 1; out[i] = a + b;",
    );
    assert_eq!(found, ["if after [a], leaving [a]"]);
}

#[test]
fn a_loop_carries_what_the_next_round_reads() {
    let found = shown(
        "var k: i32 = 0; var sum: i32 = 0; var t: i32 = 0; while k < n { t = data[k]; sum = sum + t; k = k + 1; } out[i] = sum;",
    );
    assert_eq!(found, ["loop head [k sum], after [sum], leaving [sum]"]);
}

#[test]
fn a_variable_that_is_declared_in_the_round_is_not_carried() {
    let found =
        shown("var k: i32 = 0; loop { var x: i32 = k; x = x + 1; k = x; } continuing { break if k > 9 } out[i] = k;");
    assert_eq!(found, ["loop head [k], after [k], leaving [k]"]);
}

#[test]
fn what_an_outer_round_needs_lives_through_the_inner_loop() {
    let found = shown(
        "var a: i32 = 0; var j: i32 = 0; var k: i32 = 0; \
         while j < n { k = 0; while k < n { k = k + 1; } j = j + 1; if j == 3 { a = a + 1; } } out[i] = a;",
    );
    assert_eq!(
        found,
        [
            "loop head [a j], after [a], leaving [a]",
            "loop head [a j k], after [a j], leaving [a j]",
            "if after [a j], leaving [a j]",
        ]
    );
}

#[test]
fn threads_that_leave_for_further_out_keep_what_is_needed_there() {
    let found = shown(
        "var x: i32 = 0; var y: i32 = 0; 'out: { loop { x = 1; if data[i] == 1 { break 'out; } x = 2; y = x; \
         if data[y] == 1 { break; } } x = 3; } out[i] = x;",
    );
    assert_eq!(
        found,
        [
            "scope after [x], leaving [x]",
            "loop head [], after [], leaving [x]",
            "if after [], leaving [x]",
            "if after [], leaving []"
        ]
    );
}

#[test]
fn a_thread_that_continues_keeps_what_the_continuing_part_reads() {
    let found = shown(
        "var x: i32 = 0; var k: i32 = 0; while k < 9 { if data[k] == 1 { x = 1; continue; } x = 2; } continuing { k = k + x; } out[i] = k;",
    );
    assert_eq!(found, ["loop head [k], after [k], leaving [k]", "if after [k], leaving [x k]"]);
}

#[test]
fn a_break_in_the_continuing_part_and_in_the_condition_leads_behind_the_loop() {
    let found = shown(
        "var x: i32 = 0; var k: i32 = 0; loop { k = k + 1; } continuing { x = k; break if k > 9 } out[i] = x; \
         switch n { case 1: { x = 7; } case 2: { return; } default: { } } out[i] = x;",
    );
    assert_eq!(found, ["loop head [k], after [x], leaving [x]", "switch after [x], leaving [x]"]);
}

#[test]
fn deep_nests_of_loops_take_few_passes() {
    let mut body = String::from("var a: i32 = 0; var b: i32 = 0;");
    for depth in 0..100 {
        body += &format!("var k{depth}: i32 = 0; while k{depth} < n {{ k{depth} = k{depth} + 1;");
    }
    body += "a = a + 1; b = a;";
    body += &"}".repeat(100);
    body += "out[i] = b;";
    let found = shown(&body);
    assert_eq!(found.len(), 100);
    assert!(found[99].starts_with("loop head [a b k0 k1 k2 "), "{}", found[99]);
    assert!(found[0].starts_with("loop head [a b k0], after [b]"), "{}", found[0]);
}
