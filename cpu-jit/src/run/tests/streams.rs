//! Launches that write so much that their stores bypass the caches.

use tilewise_ir::launch::{Domain, LaunchMemory};

use super::{kernel, native_forms, number, strided, threads};
use crate::emit::CodeForm;
use crate::run::streaming::WriteHistory;
use crate::run::{JitKernel, JitLaunchOptions};

/// Numbers that a launch writes: more than 32 MiB, and no multiple of any width.
const COUNT: i32 = (9 << 20) + 13;

/// Bytes that a view moves within.
const AROUND: usize = 128;

/// A slice that begins anywhere in a line is written whole, each element once or with the same value,
/// and nothing around it.
#[test]
fn large_launches_write_each_element_and_nothing_else() {
    let text = "kernel k(a: view<i32, 1, read_write>, n: i32) rank(1) {
        a[global[0]] = global[0] * n;
    }";
    let kernel = JitKernel::new(kernel(text));
    let engine = threads(2);
    let mut memory = LaunchMemory::new(vec![vec![0; COUNT as usize * 4 + AROUND]]);
    let begins = memory.allocations[0].as_ptr().addr();
    let line = begins.next_multiple_of(64) - begins;
    let mut n = 1;
    for form in native_forms() {
        for (width, into_line) in [(None, 0), (None, 4), (Some(8), 60), (Some(16), 20), (Some(4), 32), (Some(64), 12)] {
            let first = line + into_line;
            n += 2;
            let arguments = [strided(0, first as u64, &[COUNT], &[1]), number(n)];
            let options =
                JitLaunchOptions { width, form: Some(form), no_fallback: true, ..JitLaunchOptions::default() };
            let ran = engine.run(&kernel, &Domain::new([COUNT]), &mut memory, &arguments, &options);
            ran.unwrap_or_else(|refusal| panic!("{refusal}"));
            let (before, rest) = memory.allocations[0].split_at_mut(first);
            let (whole, behind) = rest.split_at_mut(COUNT as usize * 4);
            assert!(before.iter().chain(&*behind).all(|&byte| byte == 0), "{form:?}, {width:?}, {into_line}");
            for (i, four) in (0i32..).zip(whole.chunks_exact_mut(4)) {
                assert!(four == i.wrapping_mul(n).to_le_bytes(), "{form:?}, {width:?}, {into_line}, {i}");
                four.fill(0);
            }
        }
    }
}

/// Launches that read what the launch before wrote, on a machine whose cache may hold it, are made in both
/// ways; each writes all elements.
#[test]
fn launches_that_are_read_back_try_both_ways() {
    let text = "kernel k(from: view<i32, 1, read>, to: view<i32, 1, read_write>, n: i32) rank(1) {
        to[global[0]] = from[global[0]] + n;
    }";
    for form in native_forms() {
        let kernel = JitKernel::new(kernel(text));
        let mut engine = threads(2);
        engine.history = WriteHistory::with_cache(1 << 30);
        let mut memory = LaunchMemory::new(vec![vec![0; COUNT as usize * 4]; 2]);
        let mut sum: i32 = 0;
        let mut measured = [false; 2];
        // Some before the first trial, up to 24 of each way, and the way that won; then another trial may begin.
        for launch in 0..60 {
            sum += launch;
            let [from, to] = if launch % 2 == 0 { [0, 1] } else { [1, 0] };
            let arguments = [strided(from, 0, &[COUNT], &[1]), strided(to, 0, &[COUNT], &[1]), number(launch)];
            let options = JitLaunchOptions { form: Some(form), no_fallback: true, ..JitLaunchOptions::default() };
            let ran = engine.run(&kernel, &Domain::new([COUNT]), &mut memory, &arguments, &options);
            ran.unwrap_or_else(|refusal| panic!("{refusal}"));
            let (numbers, _) = memory.allocations[to].as_chunks::<4>();
            assert!(numbers.iter().all(|&number| number == sum.to_le_bytes()), "{form:?}, launch {launch}");
            for (ever, now) in measured.iter_mut().zip(kernel.stream_trial().measured()) {
                *ever |= now;
            }
        }
        // On a processor that runs code by Cranelift alone nothing streams.
        let both = CodeForm::widest() != CodeForm::Cranelift;
        assert_eq!(measured, [both; 2], "{form:?}");
    }
}
