//! Atomics of all lanes at one place: on one thread each gets what those before it have left, at every number of lanes
//! and in every form of code.

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_cpu_jit::run::{JitKernel, JitLaunchOptions};
use tilewise_interp as interp;
use tilewise_ir::launch::{Domain, Ending, LaunchMemory};

use crate::launches::{engines, kernel, view};

/// Each operation of a type, in some of the threads; `o` has a row for each.
fn text(ty: &str) -> String {
    format!(
        "kernel k(a: view<{ty}, 1, read_write>, o: view<{ty}, 2, read_write>, whole: i32) rank(1) {{
            let i = global[0];
            let n = (i * 7 - 100) as {ty};
            if i % 5 != 2 || whole == 1 {{
                o[0, i] = atomic_add(a[0], n);
                o[1, i] = atomic_sub(a[1], n);
                o[2, i] = atomic_and(a[2], !(1{ty} << ((i & 31) as u32)));
                o[3, i] = atomic_or(a[3], 1{ty} << ((i & 31) as u32));
                o[4, i] = atomic_xor(a[4], n);
                o[5, i] = atomic_inc(a[5]);
                o[6, i] = atomic_dec(a[6]);
                o[7, i] = atomic_min(a[7], (n ^ 77{ty}) * n);
                o[8, i] = atomic_max(a[8], (n ^ 77{ty}) * n);
                o[9, i] = atomic_exchange(a[9], n);
                atomic_add(a[10], n);
                atomic_sub(a[11], n);
                atomic_and(a[12], !(n & 15{ty}));
                atomic_or(a[13], n & 255{ty});
                atomic_xor(a[14], n * n);
                atomic_inc(a[15]);
                atomic_dec(a[16]);
                atomic_min(a[17], n);
                atomic_max(a[18], n);
                // Out of range: nothing is there, and nothing is changed.
                o[10, i] = atomic_add(a[19 + whole], n);
                atomic_max(a[whole - 2], n);
            }}
        }}"
    )
}

#[test]
fn each_thread_gets_what_those_before_it_left() {
    for (ty, size) in [("i32", 4), ("u32", 4), ("i64", 8), ("u64", 8)] {
        let kernel = JitKernel::new(kernel(&text(ty)));
        for (n, all) in [(1, 1), (3, 0), (64, 1), (200, 0), (257, 1)] {
            let start: Vec<u8> = (0..20 * size).map(|at| (at * 37 + 11) as u8).collect();
            let memory = LaunchMemory::new(vec![start, vec![0; 11 * n as usize * size]]);
            let arguments = [view(0, &[20]), view(1, &[11, n]), crate::launches::number(all)];
            let domain = Domain::new([n]);
            let mut expected = memory.clone();
            let ran = interp::run(kernel.kernel(), &domain, &mut expected, &arguments, &interp::Options::default());
            assert_eq!(ran.map(|outcome| outcome.ending), Ok(Ending::Completed));
            let (engine, _) = engines()[0];
            for form in CodeForm::ALL.into_iter().filter(|form| form.is_native()) {
                for width in [None, Some(1), Some(4), Some(8), Some(16), Some(32), Some(64)] {
                    let options =
                        JitLaunchOptions { width, form: Some(form), no_fallback: true, ..JitLaunchOptions::default() };
                    let mut memory = memory.clone();
                    let ran = engine.run(&kernel, &domain, &mut memory, &arguments, &options);
                    let of = || format!("{ty}, {n} threads, {width:?} lanes, {}", form.name());
                    let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}: {}", of()));
                    assert_eq!(ran.outcome.ending, Ending::Completed, "{}", of());
                    assert_eq!(memory.allocations, expected.allocations, "{}", of());
                }
            }
        }
    }
}
