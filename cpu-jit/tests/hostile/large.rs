//! Kernels at the limits of what may be built: they work, or are refused with a reason, on a thread with a stack of 2 MiB.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::Prepared;
use tilewise_ir::launch::Memory;

use super::launches::{agree, bytes, engines, kernel, view};

/// Runs something on a thread with the stack that Rust's threads have.
fn on_a_usual_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(work).expect("the system gives threads");
    assert!(thread.join().is_ok());
}

/// Asserts that a kernel over a view of `i32` computes what the interpreter says, and compiles in this time (twenty times what it takes on an idle machine).
fn works(what: &'static str, text: String, threads: i32, within: Duration) {
    on_a_usual_stack(move || {
        let kernel = Prepared::new(kernel(&text));
        let begin = Instant::now();
        let memory = Memory::new(vec![bytes((0..threads).map(|n| n * 7 - 20))]);
        agree(&kernel, &[threads], &memory, &[view(0, &[threads])], what);
        assert!(begin.elapsed() < within, "{what}: {:?}", begin.elapsed());
        let _ = engines();
    });
}

/// A kernel over `a` in so many nested parts.
fn nested(depth: usize, open: impl Fn(usize) -> String, close: &str, inside: &str) -> String {
    let mut text = String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var s: i32 = a[i]; var t: i32 = 0;\n");
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
fn deep_nesting_works() {
    let ifs = nested(250, |level| format!("if s > {} {{", level as i32 - 200), "t = t + 1; }", "s = s + 1;");
    works("nested ifs", ifs, 40, Duration::from_secs(60));
    let loops = nested(120, |_| "loop {".into(), "t = t + 1; if t > a[i] { break; } }", "s = s + 1;");
    works("nested loops", loops, 40, Duration::from_secs(60));
}
