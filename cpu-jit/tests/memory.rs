//! What stays when kernels go: of ten thousand that are compiled, run and dropped, nothing. Alone in its process, as the numbers are the process's.
#![cfg(target_os = "linux")]

use std::fs;
use std::sync::Arc;

use tilewise_cpu_jit::run::{Effort, Engine, EngineOptions, JitKernel, JitLaunchOptions};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument};
use tilewise_ir::text::parse;

/// Kernels after which the process has all that it keeps.
const WARM: u32 = 500;
/// Kernels in all.
const KERNELS: u32 = 10_000;

/// Mappings of the process, and its memory in KiB.
fn held() -> (usize, u64) {
    let maps = fs::read_to_string("/proc/self/maps").expect("Linux says so");
    let status = fs::read_to_string("/proc/self/status").expect("Linux says so");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has such a line");
    let resident = resident.trim().trim_end_matches("kB").trim().parse().expect("it is a number");
    (maps.lines().count(), resident)
}

#[test]
fn memory_of_kernels_that_are_dropped_is_freed() {
    let engine = Engine::new(EngineOptions { threads: Some(1), ..EngineOptions::default() });
    let options = JitLaunchOptions { no_fallback: true, effort: Effort::Soon, ..JitLaunchOptions::default() };
    let mut warm = (0, 0);
    let mut most = (0, 0);
    for number in 0..KERNELS {
        // Each is another: equal kernels share their code.
        let text = format!(
            "kernel k(a: view<i32, 1, read_write>) rank(1) {{ let i = global[0]; a[i] = a[i] * 3 + {number}; }}"
        );
        let kernel = check(parse("memory.kir", &text).expect("it parses")).expect("it is right");
        let prepared = JitKernel::new(Arc::new(kernel));
        let mut memory = LaunchMemory::default();
        memory.allocations.push((0..4_i32).flat_map(i32::to_ne_bytes).collect());
        let arguments = [Argument::View(ViewArgument::dense(0, &[4]))];
        let launched = engine.run(&prepared, &Domain::new([4]), &mut memory, &arguments, &options);
        assert_eq!(launched.expect("it is compiled").ran.fallback, None);
        let expected: Vec<u8> = (0..4).flat_map(|i: i32| (i * 3 + number as i32).to_ne_bytes()).collect();
        assert_eq!(memory.allocations[0], expected);
        drop(prepared);
        if number == WARM {
            warm = held();
        } else if number > WARM && number % 500 == 0 {
            let (maps, resident) = held();
            most = (most.0.max(maps), most.1.max(resident));
        }
    }
    assert!(warm.0 > 0 && most.0 > 0);
    assert!(most.0 <= warm.0 + 8, "{} mappings after {WARM} kernels, {} later", warm.0, most.0);
    assert!(most.1 <= warm.1 + 4096, "{} KiB after {WARM} kernels, {} later", warm.1, most.1);
}
