//! A breakpoint in a kernel. On the accelerator `native` a kernel is the closure itself, run one thread at a time in
//! index order: a debugger stops in it as in any other code. To see variables (builds here have only line numbers):
//!
//! ```text
//! $ CARGO_PROFILE_DEV_DEBUG=full CARGO_PROFILE_DEV_OPT_LEVEL=0 \
//!     cargo build -p tilewise-examples --example 08_breakpoint
//! $ rust-gdb target/debug/examples/08_breakpoint
//! (gdb) break 08_breakpoint.rs:41 if value == 97
//! (gdb) run
//! (gdb) print i              the position of the thread
//! (gdb) print value
//! (gdb) backtrace            the kernel, called by `tilewise::native`
//! (gdb) break 08_breakpoint.rs:26    a function that the kernel calls
//! (gdb) continue
//! (gdb) print n
//! ```
//!
//! The line has two more places, where the kernel is made; gdb skips them, as there is no `value`. In a kernel over
//! tiles each thread that waits at a barrier is a thread of the debugger: `info threads` shows where it waits.

use tilewise::prelude::*;

/// How many times `n` is halved, or tripled and added to, until it is 1.
#[amp]
fn steps(n: u32) -> u32 {
    let mut n = n;
    let mut count = 0;
    while n > 1 {
        count += 1;
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    }
    count
}

fn main() -> tilewise::Result<()> {
    let counts = ArrayView::<u32>::without_source(100)?;
    let native = Accelerator::new(Accelerator::NATIVE)?.default_view();

    parallel_for_each!(&native, counts.extent(), |i| {
        let value = i[0] as u32 + 1;
        counts[i] = steps(value);
    })?;

    let counts = counts.to_vec()?;
    for value in [1, 27, 97] {
        println!("{value} takes {} steps", counts[value - 1]);
    }
    Ok(())
}
