//! What goes wrong: no room, no time, a device that is lost, a driver that fails. Each is said, and harms nobody else.

use std::time::{Duration, Instant};

use libtest_mimic::Failed as Fault;
use tilewise_gpu::lower::DATA_LIMIT;
use tilewise_gpu::run::{Adapter, Buffer, DeviceFailure, GpuDevice, GpuKernel, GpuLaunchOptions, OnKernels};
use tilewise_gpu::shader_form::ShaderForm;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Refusal, ViewArgument};

use crate::{ADD_ONE, equal, numbers, prepared, read, view};

pub(crate) fn too_large_a_buffer_is_refused(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let most = device.largest();
    let refused = device.allocate(most + 1, false).err().map(|failed| failed.to_string()).unwrap_or_default();
    equal(refused.contains(&most.to_string()) && refused.contains(adapter.name()), true)?;
    equal(device.lost(), None)?;
    equal(read(&device.queue(), &device.allocate(4, true)?)?, vec![0; 4])
}

/// Whatever the adapter says that it binds: lowered code counts bytes in 31 bits.
pub(crate) fn too_large_a_view_is_refused(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    equal(device.largest() <= DATA_LIMIT, true)?;
    let text = "kernel k(v: view<[u8; 16], 1, read_write>) rank(1) { v[global[0]][15] = 7u32; }";
    let kernel = prepared(text)?;
    let domain = Domain::new([1]);
    // The system has these bytes when somebody touches them.
    let mut memory = LaunchMemory::new(vec![vec![0; 1 << 31]]);
    let arguments = [Argument::View(ViewArgument::dense(0, &[1 << 27]))];
    let refused = device.run(&kernel, &domain, &mut memory, &arguments, &GpuLaunchOptions::default());
    match refused {
        Err(Refusal::Unsupported(why)) => {
            equal(why.contains("2147483648 bytes in one array") && why.contains(adapter.name()), true)?;
        }
        other => return Err(format!("{other:?}").into()),
    }
    equal(device.lost(), None)
}

pub(crate) fn without_room(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let size = device.largest();
    device.fill_up(3 * size);
    let mut held = Vec::new();
    let failed = loop {
        match device.allocate(size, false) {
            Ok(buffer) => held.push(buffer),
            Err(failed) => break failed,
        }
    };
    equal(failed.clone(), DeviceFailure::OutOfMemory(size))?;
    equal(failed.to_string().contains(&size.to_string()), true)?;
    // What goes back can be had again, and the device works on.
    drop(held);
    let buffer = device.allocate(size, false)?;
    let queue = device.queue();
    queue.upload(&buffer, &[(size - 3, &[1, 2, 3])])?;
    let mut got = Vec::new();
    queue.download(&buffer, &[(size - 3, 3)])?.wait(|_, bytes| got = bytes.to_vec())?;
    equal(got, vec![1, 2, 3])
}

pub(crate) fn without_room_for_a_kernel(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (queue, kernel) = (device.queue(), prepared(ADD_ONE)?);
    let buffer = device.allocate(40, true)?;
    let launch = || {
        let buffers = std::slice::from_ref(&buffer);
        queue.launch(&kernel, &Domain::new([10]), buffers, &[view(0, 10)], &GpuLaunchOptions::default())
    };
    device.fill_up(0);
    equal(matches!(launch(), Err(Refusal::Driver(why)) if why.contains("no room")), true)?;
    // It is asked for again when there may be room.
    device.fill_up(u64::MAX);
    launch()?.outcome()?;
    equal(numbers(&read(&queue, &buffer)?), vec![1; 10])
}

pub(crate) fn all_the_time_there_is(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (queue, kernel) = (device.queue(), prepared(ADD_ONE)?);
    let buffer = device.allocate(40, true)?;
    for time_limit in [Some(Duration::MAX), Some(Duration::MAX), None, Some(Duration::MAX)] {
        let options = GpuLaunchOptions { time_limit, ..GpuLaunchOptions::default() };
        queue.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &[view(0, 10)], &options)?;
    }
    equal(numbers(&read(&queue, &buffer)?), vec![40; 10])
}

pub(crate) fn a_lost_device_says_so(adapter: &Adapter) -> Result<(), Fault> {
    let (device, other) = (adapter.open()?, adapter.open()?);
    let (queue, works) = (device.queue(), other.queue());
    let kernel = prepared(ADD_ONE)?;
    let options = GpuLaunchOptions::default();
    let buffer = device.allocate(40, true)?;
    let arguments = [view(0, 10)];
    let before = queue.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &arguments, &options)?;
    let download = queue.download(&buffer, &[(0, 40)])?;
    let recorded = queue.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &arguments, &options)?;
    device.lose("by the test");
    let lost = |result: Result<(), DeviceFailure>| match result {
        Err(DeviceFailure::Lost(why)) if why.contains("by the test") => Ok(()),
        other => Err(Fault::from(format!("{other:?} says nothing of the loss"))),
    };
    equal(device.lost().is_some_and(|why| why.contains("by the test")), true)?;
    lost(recorded.outcome().map(drop))?;
    lost(queue.flush())?;
    lost(queue.wait())?;
    lost(queue.upload(&buffer, &[(0, &[1])]))?;
    lost(queue.download(&buffer, &[(0, 4)]).map(drop))?;
    lost(device.allocate(4, true).map(drop))?;
    let after = queue.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &arguments, &options)?;
    lost(after.outcome().map(drop))?;
    // What was submitted before may have come to its end; nobody waits for ever.
    drop((before.outcome(), download.wait(|_, _| ())));
    let mut memory = LaunchMemory::new(vec![vec![0; 40]]);
    equal(device.run(&kernel, &Domain::new([10]), &mut memory, &arguments, &options).is_err(), true)?;
    drop((queue, buffer, device));
    let buffer = other.allocate(40, true)?;
    works.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &arguments, &options)?.outcome()?;
    equal(numbers(&read(&works, &buffer)?), vec![1; 10])?;
    let again = adapter.open()?;
    equal(read(&again.queue(), &again.allocate(4, true)?)?, vec![0; 4])
}

/// A kernel that takes a second or more, and then ends: one tile, with divisions that wait for each other, so that neither cores nor lanes make it short.
fn slow(device: &GpuDevice) -> Result<(GpuKernel, Vec<Buffer>, Domain), Fault> {
    let step = "x = n / (x | 1u32) + x * 1664525u32 + 1013904223u32;";
    let kernel = prepared(&format!(
        "kernel k(a: view<u32, 1, read_write>) tile(1024) {{
            var x: u32 = to_u32(global[0]);
            var n: u32 = 0u32;
            while n < 30000u32 {{ {} }} continuing {{ n = n + 1u32; }}
            a[global[0]] = x;
        }}",
        step.repeat(16)
    ))?;
    Ok((kernel, vec![device.allocate(4096, true)?], Domain::new([1024])))
}

pub(crate) fn past_the_time_limit(adapter: &Adapter) -> Result<(), Fault> {
    let (device, other) = (adapter.open()?, adapter.open()?);
    let (kernel, buffers, domain) = slow(&device)?;
    let queue = device.queue();
    let options = GpuLaunchOptions { time_limit: Some(Duration::from_millis(50)), ..GpuLaunchOptions::default() };
    let begin = Instant::now();
    let launched = queue.launch(&kernel, &domain, &buffers, &[view(0, 1024)], &options)?;
    let failed = launched.outcome().err();
    if device.adapter().is_software() {
        equal(matches!(&failed, Some(DeviceFailure::Lost(why)) if why.contains("time limit of 50ms")), true)?;
        equal(begin.elapsed() < Duration::from_secs(2), true)?;
        equal(queue.wait().is_err(), true)?;
    }
    // Nobody waits for what still runs.
    drop((launched, queue, buffers, device));
    equal(begin.elapsed() < Duration::from_secs(3), true)?;
    let buffer = other.allocate(40, true)?;
    let quick = prepared(ADD_ONE)?;
    let options = GpuLaunchOptions { way: ShaderForm::Module, time_limit: None, ..GpuLaunchOptions::default() };
    other.queue().launch(&quick, &Domain::new([10]), std::slice::from_ref(&buffer), &[view(0, 10)], &options)?;
    equal(numbers(&read(&other.queue(), &buffer)?), vec![1; 10])
}

pub(crate) fn endless(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let kernel = prepared(
        "kernel k(a: view<u32, 1, read_write>) rank(1) {
            var x: u32 = to_u32(global[0]);
            loop { x = x * 1664525u32 + 1013904223u32 + (x >> 7u32) % 3u32; if x == a[0] { break; } }
            a[global[0] & 1023] = x;
        }",
    )?;
    let quick = prepared(ADD_ONE)?;
    let limit = Duration::from_secs(1);
    let options = GpuLaunchOptions { time_limit: Some(limit), ..GpuLaunchOptions::default() };
    let mut memory = LaunchMemory::new(vec![vec![0; 4096]]);
    let begin = Instant::now();
    let outcome = device.run(&kernel, &Domain::new([1 << 17]), &mut memory, &[view(0, 1024)], &options)?;
    equal(outcome.ending, Ending::Interrupted)?;
    equal(begin.elapsed() < Duration::from_secs(3), true)?;
    // A driver in software goes on with what was given up until its own limit of rounds ends it, and others wait.
    let options = GpuLaunchOptions { time_limit: None, ..options };
    let device = if device.lost().is_some() { adapter.open()? } else { device };
    let mut memory = LaunchMemory::new(vec![vec![0; 40]]);
    device.run(&quick, &Domain::new([10]), &mut memory, &[view(0, 10)], &options)?;
    equal(numbers(&memory.allocations[0]), vec![1; 10])
}

pub(crate) fn a_driver_that_fails(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    device.on_kernels(OnKernels::Refuses);
    let (domain, options) = (Domain::new([10]), GpuLaunchOptions::default());
    let mut memory = LaunchMemory::new(vec![vec![0; 40]]);
    let refused = device.run(&prepared(ADD_ONE)?, &domain, &mut memory, &[view(0, 10)], &options);
    let told = matches!(&refused, Err(Refusal::Driver(why)) if why.starts_with("the driver refuses the kernel: "));
    equal((told, device.lost()), (true, None))?;
    device.on_kernels(OnKernels::Makes);
    device.run(&prepared(ADD_ONE)?, &domain, &mut memory, &[view(0, 10)], &options)?;
    equal(numbers(&memory.allocations[0]), vec![1; 10])
}

pub(crate) fn a_driver_that_gives_up_over_a_kernel(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (domain, options) = (Domain::new([10]), GpuLaunchOptions::default());
    let mut memory = LaunchMemory::new(vec![vec![0; 40]]);
    device.run(&prepared(ADD_ONE)?, &domain, &mut memory, &[view(0, 10)], &options)?;
    device.on_kernels(OnKernels::IsLost);
    let culprit = prepared("kernel culprit(a: view<u32, 1, read_write>) rank(1) { a[global[0]] = 3u32; }")?;
    let failed = device.run(&culprit, &domain, &mut memory, &[view(0, 10)], &options);
    let text = "the device was lost while its driver made the kernel `culprit`: a test wants it so";
    equal(matches!(&failed, Err(Refusal::Driver(why)) if why.ends_with(text)), true)?;
    equal(device.lost().is_some_and(|why| why.ends_with(text)), true)?;
    // What was there stays, and another device works.
    equal(numbers(&memory.allocations[0]), vec![1; 10])?;
    adapter.open()?.run(&culprit, &domain, &mut memory, &[view(0, 10)], &options)?;
    equal(numbers(&memory.allocations[0]), vec![3; 10])
}

pub(crate) fn a_cancelled_launch_ends(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (kernel, buffers, domain) = slow(&device)?;
    let queue = device.queue();
    let options = GpuLaunchOptions { time_limit: None, ..GpuLaunchOptions::default() };
    let launched = queue.launch(&kernel, &domain, &buffers, &[view(0, 1024)], &options)?;
    queue.flush()?;
    let begin = Instant::now();
    let result = std::thread::scope(|scope| {
        let waits = scope.spawn(|| launched.outcome());
        std::thread::sleep(Duration::from_millis(100));
        queue.cancel();
        waits.join()
    });
    let result = result.map_err(|_| "the waiting thread panicked")?;
    equal(begin.elapsed() < Duration::from_secs(5), true)?;
    if device.adapter().is_software() {
        equal(matches!(&result, Err(DeviceFailure::Lost(why)) if why.contains("cancelled")), true)?;
    }
    Ok(())
}

pub(crate) fn a_cancel_waits_for_nobody(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (kernel, buffers, domain) = slow(&device)?;
    let quick = prepared(ADD_ONE)?;
    let buffer = device.allocate(40, true)?;
    let queue = device.queue();
    let options = GpuLaunchOptions { time_limit: None, ..GpuLaunchOptions::default() };
    let launched = queue.launch(&kernel, &domain, &buffers, &[view(0, 1024)], &options)?;
    queue.flush()?;
    let begin = Instant::now();
    let took = std::thread::scope(|scope| {
        // A driver in software has this thread wait until the first is done.
        let launches = scope.spawn(|| {
            queue.launch(&quick, &Domain::new([10]), std::slice::from_ref(&buffer), &[view(0, 10)], &options)?;
            queue.flush().map_err(Fault::from)
        });
        std::thread::sleep(Duration::from_millis(100));
        let asked = Instant::now();
        queue.cancel();
        let took = asked.elapsed();
        let flushed = launches.join();
        flushed.is_ok_and(|flushed| flushed.is_err() || !device.adapter().is_software()).then_some(took)
    });
    let took = took.ok_or("what was queued behind the cancelled launch was not given up")?;
    equal(took < Duration::from_millis(100), true)?;
    equal(begin.elapsed() < Duration::from_secs(2), true)?;
    if device.adapter().is_software() {
        let failed = launched.outcome();
        equal(matches!(&failed, Err(DeviceFailure::Lost(why)) if why.contains("cancelled")), true)?;
    }
    Ok(())
}

pub(crate) fn a_cancel_leaves_later_launches_alone(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let quick = prepared(ADD_ONE)?;
    let buffer = device.allocate(40, true)?;
    let queue = device.queue();
    let options = GpuLaunchOptions::default();
    let add = || queue.launch(&quick, &Domain::new([10]), std::slice::from_ref(&buffer), &[view(0, 10)], &options);
    // A driver in software may still be at work on what other tests gave up.
    add()?;
    queue.wait()?;
    // It is recorded, and transfers may be with it: it is done, if it comes to its end soon.
    add()?;
    queue.cancel();
    add()?;
    queue.wait()?;
    equal(numbers(&read(&queue, &buffer)?), vec![13; 10])?;
    let (kernel, buffers, domain) = slow(&device)?;
    add()?;
    queue.cancel();
    let options = GpuLaunchOptions { time_limit: None, ..options };
    let launched = queue.launch(&kernel, &domain, &buffers, &[view(0, 1024)], &options)?;
    launched.outcome()?;
    equal(numbers(&read(&queue, &buffer)?), vec![40; 10])
}
