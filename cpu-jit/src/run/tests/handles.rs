//! Kernels prepared, launched from many threads, and dropped.

use std::thread;

use tilewise_ir::launch::{Domain, LaunchMemory};

use super::{bytes, kernel, number, threads, view};
use crate::run::{Engine, EngineOptions, JitKernel, JitLaunchOptions, Pin};

fn plus(n: i32) -> String {
    format!("kernel k(a: view<i32, 1, read_write>, m: i32) rank(1) {{ a[global[0]] = a[global[0]] * {n} + m; }}")
}

/// Launches it and says whether it computed what it should; and whether its code was there.
fn launch(engine: &Engine, kernel: &JitKernel, n: i32, count: i32) -> (bool, bool) {
    launch_at(None, engine, kernel, n, count)
}

fn launch_at(width: Option<u32>, engine: &Engine, kernel: &JitKernel, n: i32, count: i32) -> (bool, bool) {
    let mut memory = LaunchMemory::new(vec![bytes(0..count)]);
    let options = JitLaunchOptions { width, no_fallback: true, ..JitLaunchOptions::default() };
    let ran = engine.run(kernel, &Domain::new([count]), &mut memory, &[view(0, &[count]), number(5)], &options);
    let right = memory.allocations[0] == bytes((0..count).map(|x| x * n + 5));
    (right && ran.is_ok(), ran.is_ok_and(|ran| ran.ran.cached))
}

#[test]
fn equal_kernels_share_their_code() {
    let engine = threads(1);
    let text = plus(12345);
    let first = JitKernel::new(kernel(&text));
    assert_eq!(launch(&engine, &first, 12345, 64), (true, false));
    assert_eq!(launch(&engine, &first, 12345, 64), (true, true));
    assert_eq!(launch(&engine, &JitKernel::new(kernel(&format!("\n\n{text}"))), 12345, 64), (true, true));
    drop(first);
    assert_eq!(launch(&engine, &JitKernel::new(kernel(&text)), 12345, 64), (true, false));
}

#[test]
fn several_threads_may_launch_at_once_several_kernels_or_one() {
    let engine = threads(3);
    let shared = JitKernel::new(kernel(&plus(99)));
    let all = thread::scope(|scope| {
        let launches: Vec<_> = (0..8)
            .map(|n| {
                let (engine, shared) = (&engine, &shared);
                scope.spawn(move || {
                    let own = JitKernel::new(kernel(&plus(n)));
                    (0..40).all(|i| {
                        let count = [1, 50, 3000, 60_000][i % 4];
                        launch(engine, &own, n, count).0 && launch(engine, shared, 99, count).0
                    })
                })
            })
            .collect();
        launches.into_iter().all(|launch| launch.join().is_ok_and(|right| right))
    });
    assert!(all);
}

#[test]
fn workers_of_any_pool_may_launch() {
    let engine = Engine::new(EngineOptions { threads: Some(2), pin: Pin::Always });
    let kernel = JitKernel::new(kernel(&plus(7)));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("the system gives threads");
    pool.scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|_| assert!(launch(&engine, &kernel, 7, 60_000).0));
        }
    });
}

/// Bytes of memory that the process has; nothing where that cannot be seen.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

/// Set in the process that measures alone.
const ALONE: &str = "TILEWISE_TEST_ALONE";

#[test]
fn kernels_leave_nothing_behind() {
    if std::env::var_os(ALONE).is_none() {
        // Other tests of this process take memory meanwhile: it is measured in one of its own.
        let this = std::env::current_exe().expect("a test is a program");
        let name = "run::tests::handles::kernels_leave_nothing_behind";
        let output = std::process::Command::new(this).args(["--exact", name]).env(ALONE, "1").output();
        let output = output.expect("it runs again");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let engine = threads(1);
    let round = |from: i32, to: i32| {
        for n in from..to {
            assert!(launch_at(Some(1), &engine, &JitKernel::new(kernel(&plus(n))), n, 16).0);
        }
    };
    round(1000, 1500);
    let before = resident();
    round(2000, 12_000);
    if let (Some(before), Some(after)) = (before, resident()) {
        // One page of each kernel would be 40 MB.
        assert!(after < before + (30 << 20), "{before} bytes, then {after}");
    }
}
