//! Launches with short time limits: those that are known to be short are submitted together, all others alone, and each comes to its end in order.

use std::time::{Duration, Instant};

use libtest_mimic::Failed as Fault;
use tilewise_gpu::run::{Adapter, Buffer, DeviceFailure, GpuDevice, GpuKernel, GpuLaunchOptions, GpuQueue};
use tilewise_ir::launch::{Argument, Domain};

use crate::{ADD_ONE, equal, numbers, prepared, read, view};

/// A time limit with which a launch is submitted alone if nothing is known of it.
const LIMIT: Duration = Duration::from_secs(5);

/// A device on which every launch is short that is not known to be long.
fn opened(adapter: &Adapter) -> Result<GpuDevice, Fault> {
    let device = adapter.open()?;
    device.take_for_brief(Duration::from_secs(100));
    Ok(device)
}

fn options(time_limit: Option<Duration>) -> GpuLaunchOptions {
    GpuLaunchOptions { time_limit, ..GpuLaunchOptions::default() }
}

/// `count` launches of one kernel over ten numbers.
fn launches(queue: &GpuQueue, kernel: &GpuKernel, buffer: &Buffer, count: u32) -> Result<(), Fault> {
    for _ in 0..count {
        let buffers = std::slice::from_ref(buffer);
        queue.launch(kernel, &Domain::new([10]), buffers, &[view(0, 10)], &options(Some(LIMIT)))?;
    }
    Ok(())
}

/// What `ADD_ONE` makes of a number, so many times.
fn added(number: u32, times: u32) -> u32 {
    (0..times).fold(number, |n, _| n.wrapping_mul(3).wrapping_add(1))
}

pub(crate) fn short_launches_are_submitted_together(adapter: &Adapter) -> Result<(), Fault> {
    let device = opened(adapter)?;
    let (queue, kernel) = (device.queue(), prepared(ADD_ONE)?);
    let buffer = device.allocate(40, true)?;
    launches(&queue, &kernel, &buffer, 1)?;
    queue.wait()?;
    let before = device.submissions();
    launches(&queue, &kernel, &buffer, 200)?;
    queue.wait()?;
    equal(device.submissions() - before, 7)?;
    equal(numbers(&read(&queue, &buffer)?), vec![added(0, 201); 10])?;
    // None is short enough.
    device.take_for_brief(Duration::ZERO);
    let before = device.submissions();
    launches(&queue, &kernel, &buffer, 50)?;
    equal(device.submissions() - before, 50)?;
    equal(numbers(&read(&queue, &buffer)?), vec![added(0, 251); 10])?;
    // A device that has nothing to do gets each at once.
    let idle = adapter.open()?;
    let (queue, buffer) = (idle.queue(), idle.allocate(40, true)?);
    for round in 0..20 {
        let before = idle.submissions();
        launches(&queue, &kernel, &buffer, 1)?;
        equal((round, idle.submissions() > before), (round, true))?;
        queue.wait()?;
    }
    equal(numbers(&read(&queue, &buffer)?), vec![added(0, 20); 10])
}

/// Uploads, copies, downloads, launches of other kernels and other time limits between.
pub(crate) fn short_launches_run_in_order_with_all_else(adapter: &Adapter) -> Result<(), Fault> {
    let device = opened(adapter)?;
    let (queue, other, kernel) = (device.queue(), device.queue(), prepared(ADD_ONE)?);
    let twice = prepared(
        "kernel k(a: view<u32, 1, read_write>) rank(1) { a[global[0]] = a[global[0]] * 2u32; print(\"twice\"); }",
    )?;
    let (buffer, copy) = (device.allocate(40, true)?, device.allocate(40, true)?);
    let mut want = 0_u32;
    let mut said = Vec::new();
    for round in 0..40_u32 {
        launches(&queue, &kernel, &buffer, round % 5)?;
        want = added(want, round % 5);
        let (launch, limit) = match round % 4 {
            0 => (&twice, Some(LIMIT)),
            1 => (&twice, None),
            2 => (&twice, Some(Duration::from_secs(60))),
            _ => (&kernel, Some(LIMIT)),
        };
        let buffers = std::slice::from_ref(&buffer);
        said.push(queue.launch(launch, &Domain::new([10]), buffers, &[view(0, 10)], &options(limit))?);
        want = if round % 4 == 3 { added(want, 1) } else { want.wrapping_mul(2) };
        if round % 7 == 0 {
            queue.copy(&buffer, &copy, &[(0, 0, 40)])?;
            queue.flush()?;
            launches(&other, &kernel, &copy, 3)?;
            equal(numbers(&read(&other, &copy)?), vec![added(want, 3); 10])?;
        }
        if round % 11 == 0 {
            want = round;
            queue.upload(&buffer, &[(0, &round.to_le_bytes().repeat(10))])?;
        }
    }
    equal(numbers(&read(&queue, &buffer)?), vec![want; 10])?;
    for (round, launch) in said.iter().enumerate() {
        let lines = launch.outcome()?.printed.len();
        equal((round, lines), (round, if round % 4 == 3 { 0 } else { 10 }))?;
    }
    Ok(())
}

/// Kernels of which it cannot be foreseen how long they take.
pub(crate) fn launches_that_may_be_long_are_submitted_alone(adapter: &Adapter) -> Result<(), Fault> {
    let device = opened(adapter)?;
    let queue = device.queue();
    let buffer = device.allocate(40, true)?;
    let counted = prepared(
        "kernel k(a: view<u32, 1, read_write>, n: i32) rank(1) {
            var x: u32 = a[global[0]];
            var i: i32 = 0;
            while i < n { x = x + 1u32; } continuing { i = i + 1; }
            a[global[0]] = x;
        }",
    )?;
    let endless = prepared(
        "kernel k(a: view<u32, 1, read_write>, n: i32) rank(1) { loop { a[global[0]] = a[global[0]] + 1u32; if a[0] > 0u32 { break; } } }",
    )?;
    let launch = |kernel: &GpuKernel, n: i32| -> Result<u64, Fault> {
        let before = device.submissions();
        let arguments = [view(0, 10), Argument::Uniform(n.to_le_bytes().to_vec())];
        let buffers = std::slice::from_ref(&buffer);
        queue.launch(kernel, &Domain::new([10]), buffers, &arguments, &options(Some(LIMIT)))?;
        Ok(device.submissions() - before)
    };
    // A driver in software compiles a kernel in a submission of its own.
    launch(&endless, 1)?;
    for _ in 0..20 {
        queue.wait()?;
        equal(launch(&endless, 1)?, 1)?;
    }
    // Alone at first, together when it is known, alone with another number of rounds.
    equal(launch(&counted, 5)? >= 1, true)?;
    queue.wait()?;
    let known: u64 = (0..40).map(|_| launch(&counted, 5)).sum::<Result<u64, Fault>>()?;
    equal(known, 1).map_err(|_| "32 together")?;
    queue.wait()?;
    equal(launch(&counted, 6)?, 1)?;
    queue.wait()?;
    equal(numbers(&read(&queue, &buffer)?)[1] >= 41 * 5 + 6, true)
}

/// A kernel that was short, and with another argument is not.
pub(crate) fn a_limit_holds_for_a_kernel_that_was_short(adapter: &Adapter) -> Result<(), Fault> {
    let device = opened(adapter)?;
    let step = "x = n / (x | 1u32) + x * 1664525u32 + 1013904223u32;";
    let kernel = prepared(&format!(
        "kernel k(a: view<u32, 1, read_write>, rounds: u32) tile(1024) {{
            var x: u32 = to_u32(global[0]);
            var n: u32 = 0u32;
            while n < rounds {{ {} }} continuing {{ n = n + 1u32; }}
            a[global[0]] = x;
        }}",
        step.repeat(16)
    ))?;
    let (queue, buffer) = (device.queue(), device.allocate(4096, true)?);
    let launch = |rounds: u32, limit: Duration| {
        let arguments = [view(0, 1024), Argument::Uniform(rounds.to_le_bytes().to_vec())];
        let buffers = std::slice::from_ref(&buffer);
        queue.launch(&kernel, &Domain::new([1024]), buffers, &arguments, &options(Some(limit)))
    };
    for _ in 0..3 {
        launch(10, LIMIT)?.outcome()?;
    }
    let begin = Instant::now();
    launch(10, LIMIT)?;
    let failed = launch(30_000, Duration::from_millis(50))?.outcome().err();
    if device.adapter().is_software() {
        equal(matches!(&failed, Some(DeviceFailure::Lost(why)) if why.contains("time limit of 50ms")), true)?;
        equal(begin.elapsed() < Duration::from_secs(2), true)?;
    }
    Ok(())
}
