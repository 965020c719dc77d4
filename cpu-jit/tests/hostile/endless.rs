//! Loops without end, of every form: they end when their time is over and when somebody says so, and what comes after works.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tilewise_cpu_jit::run::{JitKernel, JitLaunchOptions};
use tilewise_ir::launch::{Domain, Ending, LaunchMemory};

use super::launches::{agree, bytes, engines, kernel, number, view};

/// Kernels that never end where `n` is 0: all threads or some, with and without memory, barriers, output, loops in loops.
const FORMS: [(&str, &str); 13] = [
    ("uniform", "rank(1) { let i = global[0]; loop { if n == 1 { break; } } a[i] = 1; }"),
    ("divergent", "rank(1) { let i = global[0]; loop { if i != 3 || n == 1 { break; } } a[i] = 1; }"),
    ("one thread of many", "rank(1) { let i = global[0]; var m: i32 = i; while m == 37 { m = m - n; } a[i] = m; }"),
    ("reads", "rank(1) { let i = global[0]; while a[i] >= 0 { if n == 1 { break; } } a[i] = 1; }"),
    ("writes", "rank(1) { let i = global[0]; loop { a[i] = a[i] + 1; if n == 1 { break; } } }"),
    ("atomics", "rank(1) { let i = global[0]; loop { atomic_add(a[i], 1); if n == 1 { break; } } }"),
    (
        "a counter that wraps",
        "rank(1) { let i = global[0]; var m: i32 = 0; while m <= 2147483647 { m = m + 1; if n == 1 { break; } } a[i] = 1; }",
    ),
    (
        "a counter that wraps and nothing else",
        "rank(1) { let i = global[0]; var m: i32 = i; let end = 2147483647 - n * 2147483647; while m <= end { m = m + 1; } a[i] = 1; }",
    ),
    (
        "a counter with no step",
        "rank(1) { let i = global[0]; var m: i32 = 0; while m < 100 { m = m + n; a[i] = m; } }",
    ),
    (
        "loops in loops",
        "rank(1) { let i = global[0]; loop { var j: i32 = 0; while j < 10 { j = j + 1; a[i] = j; } if n == 1 { break; } } }",
    ),
    (
        "long loops in long loops",
        "rank(1) { let i = global[0]; var s: u32 = 0u32; var j: i32 = 0; while j < 2147483647 { var k: i32 = 0; while k < 2147483647 { s = s * 3u32 + k as u32;
         k = k + 1; if n == 1 { break; } } j = j + 1; if n == 1 { break; } } a[i] = s as i32; }",
    ),
    ("a tile with barriers", "tile(16) { let i = global[0]; loop { barrier; a[i] = a[i] + 1; if n == 1 { break; } } }"),
    (
        "output",
        "rank(1) { let i = global[0]; loop { if i == 3 { print(\"{} is here\", i); } if n == 1 { break; } } a[i] = 1; }",
    ),
];

fn text(form: &str) -> String {
    format!("kernel k(a: view<i32, 1, read_write>, n: i32) {form}")
}

const COUNT: i32 = 48;

fn ends(form: &str, name: &str, options: &JitLaunchOptions<'_>, asked: Option<&AtomicU32>) {
    let kernel = JitKernel::new(kernel(&text(form)));
    for (engine, width) in engines() {
        if let Some(asked) = asked {
            asked.store(0, Ordering::Relaxed);
        }
        let mut memory = LaunchMemory::new(vec![bytes(0..COUNT)]);
        let options = JitLaunchOptions { width, no_fallback: true, ..*options };
        let begin = Instant::now();
        let ran = engine.run(&kernel, &Domain::new([COUNT]), &mut memory, &[view(0, &[COUNT]), number(0)], &options);
        let ending = ran.map(|ran| ran.outcome.ending);
        assert_eq!(ending, Ok(Ending::Interrupted), "{name}, width {width:?}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{name}, width {width:?}: {:?}", begin.elapsed());
    }
    // What follows is as ever.
    agree(&kernel, &[COUNT], &LaunchMemory::new(vec![bytes(0..COUNT)]), &[view(0, &[COUNT]), number(1)], name);
}

#[test]
fn a_time_limit_ends_every_endless_loop() {
    for (name, form) in FORMS {
        let time_limit = Some(Duration::from_millis(15));
        ends(form, name, &JitLaunchOptions { time_limit, ..JitLaunchOptions::default() }, None);
    }
}

#[test]
fn cancelling_ends_every_endless_loop() {
    for (name, form) in FORMS {
        let asked = AtomicU32::new(0);
        let interrupt = || asked.fetch_add(1, Ordering::Relaxed) > 2;
        ends(
            form,
            name,
            &JitLaunchOptions { interrupt: Some(&interrupt), ..JitLaunchOptions::default() },
            Some(&asked),
        );
    }
}
