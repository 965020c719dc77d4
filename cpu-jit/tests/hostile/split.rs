//! Launches that run at the same time in parts of one slice.
#![allow(unsafe_code, reason = "launches in halves of one slice, which only pointers can say")]

use std::thread;

use tilewise_cpu_jit::bind::HostAllocation;
use tilewise_cpu_jit::run::{JitKernel, JitLaunchOptions};
use tilewise_ir::launch::{Argument, Domain, Ending, ViewArgument};

use super::launches::{engines, kernel};

/// Odd, so that no vector ends where the halves meet.
const HALF: usize = 4099;

/// Adds a number to each element of a slice, by a launch.
fn launch(kernel: &JitKernel, turn: usize, half: &mut [u8], n: i32) {
    let (engine, width) = engines()[turn % 4];
    let extent = [half.len() as i32];
    let half = HostAllocation { address: half.as_mut_ptr().expose_provenance() as u64, size: half.len() as u64 };
    let arguments = [Argument::View(ViewArgument::dense(0, &extent)), Argument::Uniform(n.to_le_bytes().into())];
    let options = JitLaunchOptions { width, no_fallback: true, ..JitLaunchOptions::default() };
    // SAFETY: the allocation is the whole of `half`, which is borrowed for us alone; elements are
    // bytes.
    let ran = unsafe { engine.launch(kernel, &Domain::new(extent), &[half], &arguments, &options) };
    assert_eq!(ran.map(|ran| ran.outcome.ending), Ok(Ending::Completed));
}

const ADD: &str = "kernel k(a: view<u8, 1, read_write>, n: i32) rank(1) {
    let i = global[0];
    a[i] = a[i] + n as u32;
    if a[i] & 1u32 == 1u32 { a[i] = a[i] ^ 64u32; }
}";

/// What the kernel makes of a number.
fn added(x: u8, n: i32) -> u8 {
    let x = x.wrapping_add(n as u8);
    if x & 1 == 1 { x ^ 64 } else { x }
}

#[test]
fn two_threads_launch_on_the_halves_of_one_slice() {
    let kernel = JitKernel::new(kernel(ADD));
    let mut slice: Vec<u8> = (0..2 * HALF).map(|i| i as u8).collect();
    let mut expected = slice.clone();
    for turn in 0..60 {
        let (low, high) = slice.split_at_mut(HALF);
        thread::scope(|scope| {
            let kernel = &kernel;
            scope.spawn(move || launch(kernel, turn, low, 3));
            scope.spawn(move || launch(kernel, turn + 2, high, 5));
        });
        for (i, x) in expected.iter_mut().enumerate() {
            *x = added(*x, if i < HALF { 3 } else { 5 });
        }
        assert!(slice == expected, "turn {turn}");
    }
}

#[test]
fn the_other_half_may_be_read_and_written_while_one_is_launched_on() {
    let kernel = JitKernel::new(kernel(ADD));
    let mut slice: Vec<u8> = (0..2 * HALF).map(|i| i as u8).collect();
    let mut expected = slice.clone();
    for turn in 0..60 {
        let (low, high) = slice.split_at_mut(HALF);
        thread::scope(|scope| {
            let kernel = &kernel;
            scope.spawn(move || launch(kernel, turn, low, 7));
            let mut before = high[0];
            for _ in 0..20 {
                // A store of the launch that reaches beyond its half would bring an older number back.
                assert_eq!(high[0], before);
                high.iter_mut().for_each(|x| *x = x.wrapping_add(1));
                before = before.wrapping_add(1);
            }
        });
        for (i, x) in expected.iter_mut().enumerate() {
            *x = if i < HALF { added(*x, 7) } else { x.wrapping_add(20) };
        }
        assert!(slice == expected, "turn {turn}");
    }
}
