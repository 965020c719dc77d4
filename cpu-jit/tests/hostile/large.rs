//! Kernels at the limits of what may be built: they work, or are refused with a reason, on a thread with a stack of 2 MiB.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::{Engine, JitKernel, JitLaunchOptions};
use tilewise_interp as interp;
use tilewise_ir::launch::{Domain, LaunchMemory};

use super::launches::{agree, bytes, kernel, view};

/// Runs something on a thread with the stack that Rust's threads have.
fn on_a_usual_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(work).expect("the system gives threads");
    assert!(thread.join().is_ok());
}

/// Asserts that a kernel over a view of `i32` computes what the interpreter says, all within this time.
fn works(what: &'static str, text: String, threads: i32, within: Duration) {
    on_a_usual_stack(move || {
        let kernel = JitKernel::new(kernel(&text));
        let begin = Instant::now();
        let memory = LaunchMemory::new(vec![bytes((0..threads).map(|n| n * 7 - 20))]);
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
    let loops = nested(250, |_| "loop {".into(), "t = t + 1; if t > a[i] { break; } }", "s = s + 1;");
    works("nested loops", loops, 40, Duration::from_secs(240));
}

/// Threads that end one after another: the code behind each exit is nested for those that stay.
fn exits(count: usize) -> String {
    let mut text = String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0];\n");
    for n in 0..count {
        let _ = writeln!(text, "if a[i] == {n} {{ return; }} a[i] = a[i] + 1;");
    }
    text + "}"
}

#[test]
fn early_exits_in_sequence_work() {
    works("early exits", exits(400), 40, Duration::from_secs(60));
}

#[test]
fn more_early_exits_than_registers_or_levels_are_run_in_fewer_lanes_or_interpreted() {
    for (count, is_interpreted) in [(900, false), (3_000, true)] {
        early_exits_run(count, is_interpreted);
    }
}

/// Runs so many early exits with the fallbacks that users get, beside the interpreter.
fn early_exits_run(count: usize, is_interpreted: bool) {
    on_a_usual_stack(move || {
        let kernel = JitKernel::new(kernel(&exits(count)));
        let mut memory = LaunchMemory::new(vec![bytes(0..40)]);
        let mut expected = memory.clone();
        let (domain, arguments) = (Domain::new([40]), [view(0, &[40])]);
        let options = interp::Options::default();
        let outcome = interp::run(kernel.kernel(), &domain, &mut expected, &arguments, &options);
        assert!(outcome.is_ok(), "{outcome:?}");
        let options = JitLaunchOptions::default();
        let ran = Engine::global().run(&kernel, &domain, &mut memory, &arguments, &options);
        let fallback = ran.expect("it runs").ran.fallback.unwrap_or_default();
        assert_eq!(fallback.contains("3001 levels, at most 2048"), is_interpreted, "{fallback}");
        assert!(memory == expected);
    });
}

#[test]
fn long_conditions_of_loops_work() {
    let mut text = String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var j: i32 = 0;\n");
    text += "while { let c0 = j < 3;\n";
    for n in 1..2_000 {
        let _ = writeln!(text, "let c{n} = c{} & (i != {});", n - 1, n + 1_000);
    }
    text += "c1999 } { a[i] = a[i] + j; j = j + 1; } }";
    works("a long condition", text, 40, Duration::from_secs(60));
}

/// How long a kernel takes whose threads keep so many values across a barrier, compiled anew.
fn time_across_a_barrier(count: usize) -> Duration {
    let mut text =
        String::from("kernel k(a: view<i32x4, 1, read_write>) tile(32) { let i = global[0]; var s: i32x4 = a[i];\n");
    for n in 0..count {
        let _ = writeln!(text, "let v{n} = a[i];");
    }
    text += "barrier;\n";
    for n in 0..count {
        let _ = writeln!(text, "s = s ^ v{n};");
    }
    text += "a[i] = s; }";
    let kernel = JitKernel::new(kernel(&text));
    let mut memory = LaunchMemory::new(vec![bytes(0..256)]);
    let mut expected = memory.clone();
    let (domain, arguments) = (Domain::new([64]), [view(0, &[64])]);
    let outcome = interp::run(kernel.kernel(), &domain, &mut expected, &arguments, &interp::Options::default());
    assert!(outcome.is_ok(), "{outcome:?}");
    let begin = Instant::now();
    let ran = Engine::global().run(&kernel, &domain, &mut memory, &arguments, &JitLaunchOptions::default());
    let took = begin.elapsed();
    assert!(ran.is_ok() && memory == expected);
    took
}

#[test]
fn thousands_of_values_that_live_across_a_barrier_run() {
    on_a_usual_stack(|| {
        let (few, many) = (time_across_a_barrier(2_000), time_across_a_barrier(8_000));
        // Four times as many take four to six times as long; what is quadratic takes sixteen times. A short time on a
        // machine that does other things too says nothing.
        let few = few.max(Duration::from_millis(100));
        assert!(many < few * 12, "2,000 values take {few:?}, 8,000 take {many:?}");
    });
}

#[test]
fn thousands_of_instructions_work() {
    works("many instructions", straight(1_000), 40, Duration::from_secs(60));
}

/// Straight on, with a constant of its own in every line.
fn straight(lines: usize) -> String {
    let mut text =
        String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var s: i32 = a[i];\n");
    for n in 0..lines {
        let _ = writeln!(text, "s = s * {} + (s ^ {n});", n + 3);
    }
    text + "a[i] = s; }"
}

#[test]
fn as_many_instructions_as_there_may_be_work() {
    // Six of them in a line.
    works("the most instructions", straight(16_600), 40, Duration::from_secs(240));
}

/// So many values that are all needed at the end, of a type that elements are made and become one of by these.
fn values(count: usize, [ty, made, back]: [&str; 3]) -> String {
    let mut text = format!("kernel k(a: view<i32, 1, read_write>) rank(1) {{ let i = global[0]; let v0 = {made};\n");
    for n in 1..count {
        let _ = writeln!(text, "let v{n} = v{} + (v0 ^ v{});", n - 1, n / 2);
    }
    let _ = writeln!(text, "var s: {ty} = v0;");
    for n in (0..count).rev() {
        let _ = writeln!(text, "s = s + s + v{n};");
    }
    text + &format!("a[i] = {back}; }}")
}

#[test]
fn thousands_of_values_that_are_needed_at_the_end_work() {
    works("many values at once", values(6_000, ["i32", "a[i]", "s"]), 40, Duration::from_secs(240));
}

/// Asserts that a kernel that is too large for something computes what the interpreter says, within this time, and gives why it had fewer lanes or none.
fn comes_out_right(what: &'static str, text: String, threads: i32, within: Duration) -> String {
    let kernel = JitKernel::new(kernel(&text));
    let begin = Instant::now();
    let before = LaunchMemory::new(vec![bytes((0..threads).map(|n| n * 7 - 20))]);
    let (domain, arguments) = (Domain::new([threads]), [view(0, &[threads])]);
    let mut expected = before.clone();
    let outcome = interp::run(kernel.kernel(), &domain, &mut expected, &arguments, &interp::Options::default());
    let mut memory = before;
    let options = JitLaunchOptions { width: Some(16), ..JitLaunchOptions::default() };
    let ran = Engine::global().run(&kernel, &domain, &mut memory, &arguments, &options);
    let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}: {what}"));
    assert_eq!(Ok(ran.outcome.ending), outcome.map(|outcome| outcome.ending), "{what}");
    assert!(memory == expected, "{what}: memory differs");
    assert!(begin.elapsed() < within, "{what}: {:?}", begin.elapsed());
    let why = ran.ran.fallback.or(ran.ran.narrowed);
    why.unwrap_or_else(|| panic!("{what}: compiled with {} lanes", ran.ran.width)).to_string()
}

/// Each branch leaves values behind that the next one takes up.
fn branches(count: usize) -> String {
    let mut text =
        String::from("kernel k(a: view<i32, 1, read_write>) rank(1) { let i = global[0]; var s: i32 = a[i];\n");
    for n in 0..count {
        let _ = writeln!(text, "if s > {n} {{ s = s - 3; a[i] = s; }}");
    }
    text + "a[i] = s; }"
}

#[test]
fn a_kernel_that_would_take_too_much_stack_is_run_otherwise() {
    on_a_usual_stack(|| {
        let why = comes_out_right(
            "12,000 values",
            values(12_000, ["i64", "a[i] as i64", "s as i32"]),
            40,
            Duration::from_secs(240),
        );
        assert!(why.contains("stack"), "{why}");
    });
}

#[test]
fn a_kernel_that_comes_to_too_many_instructions_is_run_otherwise() {
    on_a_usual_stack(|| {
        let why = comes_out_right("10,000 branches", branches(10_000), 40, Duration::from_secs(240));
        assert!(why.contains("instructions"), "{why}");
    });
}

#[test]
fn thousands_of_barriers_work() {
    let mut text = String::from(
        "kernel k(a: view<i32, 1, read_write>) tile(8) { tile_static t: [i32; 8]; let i = global[0]; let l = local[0]; var s: i32 = a[i];\n",
    );
    for n in 0..2_000 {
        let _ = writeln!(text, "t[l] = s; barrier; s = s + t[7 - l] * {n}; barrier;");
    }
    works("many barriers", text + "a[i] = s; }", 40, Duration::from_secs(240));
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
