//! Kernels at the limits of what may be built: they work, or are refused with a reason, on a thread with a stack of 2 MiB.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::Prepared;
use tilewise_ir::launch::Memory;

use super::launches::{agree, bytes, kernel, view};

/// Runs something on a thread with the stack that Rust's threads have.
fn on_a_usual_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(work).expect("the system gives threads");
    assert!(thread.join().is_ok());
}

/// Asserts that a kernel over a view of `i32` computes what the interpreter says, all within this time.
fn works(what: &'static str, text: String, threads: i32, within: Duration) {
    on_a_usual_stack(move || {
        let kernel = Prepared::new(kernel(&text));
        let begin = Instant::now();
        let memory = Memory::new(vec![bytes((0..threads).map(|n| n * 7 - 20))]);
        agree(&kernel, &[threads], &memory, &[view(0, &[threads])], what);
        assert!(begin.elapsed() < within, "{what}: {:?}", begin.elapsed());
    });
}

/// A kernel over `a` in so many nested parts.
fn nested(depth: usize, open: impl Fn(usize) -> String, close: &str, inside: &str) -> String {
    let mut text = String::from(
        "kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var s: i32 = a[i]; var t: i32 = 0;\n",
    );
    for level in 0..depth {
        let _ = writeln!(text, "{}", open(level));
    }
    let _ = writeln!(text, "{inside}");
    for _ in 0..depth {
        let _ = writeln!(text, "{close}");
    }
    text + "a[i] = s + t; }"
}

#[test]
fn deeply_nested_ifs_work() {
    let ifs = nested(250, |level| format!("if s > {} {{", level as i32 - 200), "t = t + 1; }", "s = s + 1;");
    works("nested ifs", ifs, 40, Duration::from_secs(60));
}

#[test]
fn deeply_nested_loops_work() {
    let loops = nested(120, |_| "loop {".into(), "t = t + 1; if t > a[i] { break; } }", "s = s + 1;");
    works("nested loops", loops, 40, Duration::from_secs(60));
}

#[test]
fn thousands_of_instructions_work() {
    let mut text =
        String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var s: i32 = a[i];\n");
    for n in 0..1_000 {
        let _ = writeln!(text, "s = s * {} + (s ^ {n});", n + 3);
    }
    works("many instructions", text + "a[i] = s; }", 40, Duration::from_secs(60));
}

#[test]
fn all_the_private_memory_and_tile_static_there_may_be_work() {
    let private = "kernel k(a: view<i32, 1, read_write>) rank(1) {
        let i = global[0];
        var list: [i32; 16000];
        list[a[i] * 57] = 5;
        list[15999] = list[15999] + 1;
        a[i] = list[i * 399] + list[15999] + list[16000 + i];
    }";
    works("private memory", private.into(), 40, Duration::from_secs(60));
    let shared = "kernel k(a: view<i32, 1, read_write>) tile(1024) {
        tile_static list: [i32; 8192];
        let t = local[0];
        list[8191 - t * 8] = a[global[0]];
        barrier;
        a[global[0]] = list[t * 8 + 7] + list[8192 + t] + list[0 - t];
    }";
    works("tile_static", shared.into(), 2048, Duration::from_secs(60));
}
