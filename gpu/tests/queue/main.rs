//! Queues, buffers and transfers of the first GPU: what is given to a queue is done in order, bytes beside what is written stay, and what goes wrong is said and harms nobody else.
//!
//! Without a GPU all are ignored, and say so.

mod brief;
mod messages;
mod texels;
mod troubles;

use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed as Fault, Trial};
use tilewise_gpu::run::{Adapter, Buffer, DeviceFailure, GpuKernel, GpuLaunchOptions, GpuQueue, adapters};
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, Ending, MAX_PRINTED, Refusal, ViewArgument};
use tilewise_ir::text::parse;

/// Held by tests together, or by one alone.
static ALONE: RwLock<()> = RwLock::new(());

type Test = fn(&Adapter) -> Result<(), Fault>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests: &[(&str, Test)] = &[
        ("bytes come back as they were sent, whatever their offsets", bytes_come_back),
        ("copies on the device take any offsets, also within a buffer", copies_take_any_offsets),
        ("a new buffer reads as zero, also where memory is used again", a_new_buffer_reads_as_zero),
        ("launches run in the order in which they were queued", launches_run_in_order),
        ("a buffer that is dropped lives until its work is done", dropped_buffers_live_on),
        ("two arguments in one buffer share it", two_arguments_share_a_buffer),
        ("constants are those of their launch", constants_are_those_of_their_launch),
        ("what threads say comes back, much or little", what_threads_say_comes_back),
        ("what was said beyond the room for it is counted", what_is_lost_is_counted),
        ("a log full of lines hides no divergence", messages::a_full_log_hides_no_divergence),
        ("a log full of lines hides no error", messages::a_full_log_hides_no_error),
        ("lines of tiles behind a divergence are not kept", messages::lines_of_tiles_behind_a_divergence_are_not_kept),
        ("many divergent tiles leave room for the lowest", messages::many_divergent_tiles_leave_room_for_the_lowest),
        ("many errors leave room for the lowest", messages::many_errors_leave_room_for_the_lowest),
        ("outcomes are the same each time, and for all clones", outcomes_are_the_same),
        ("whoever asks is told on another thread", whoever_asks_is_told),
        ("threads share a queue", threads_share_a_queue),
        ("a launch of any rank runs each index once", any_rank_runs_each_index_once),
        ("what does not fit is refused and runs nothing", what_does_not_fit_is_refused),
        ("memory goes back to the pool and out of it", memory_goes_back),
        ("launches that are known to be short are submitted together", brief::short_launches_are_submitted_together),
        ("short launches run in order with all else", brief::short_launches_run_in_order_with_all_else),
        ("launches that may be long are submitted alone", brief::launches_that_may_be_long_are_submitted_alone),
        ("textures have what was written last, and are not always copied", texels::textures_have_what_was_written_last),
        ("too large a buffer is refused in words, with the limit", troubles::too_large_a_buffer_is_refused),
        ("a view of 2 GiB is refused, whatever the adapter binds", troubles::too_large_a_view_is_refused),
        ("without room, the error says how much was asked for", troubles::without_room),
        ("a kernel that there was no room for is made another time", troubles::without_room_for_a_kernel),
        ("time limits may be as long as can be", troubles::all_the_time_there_is),
        ("a lost device says so, and another one works", troubles::a_lost_device_says_so),
        (
            "what a driver fails to compile is told as its failure, and the next kernel runs",
            troubles::a_driver_that_fails,
        ),
        ("a device that is lost over a kernel names it", troubles::a_driver_that_gives_up_over_a_kernel),
    ];
    let slow: &[(&str, Test)] = &[
        ("a time limit holds for a kernel that was short", brief::a_limit_holds_for_a_kernel_that_was_short),
        ("a launch past its time limit ends its device, not another", troubles::past_the_time_limit),
        ("a launch that never ends is over soon after its time limit, also if it is the first", troubles::endless),
        ("a launch that is cancelled ends", troubles::a_cancelled_launch_ends),
        ("a cancel waits for nobody, and gives up what is queued behind", troubles::a_cancel_waits_for_nobody),
        ("a cancel leaves later launches alone", troubles::a_cancel_leaves_later_launches_alone),
    ];
    let adapter = adapters().first();
    let trials = tests.iter().map(|test| (test, false)).chain(slow.iter().map(|test| (test, true)));
    let trials = trials.map(|(&(name, test), slow)| {
        let run = move || match adapter {
            // A driver in software shares its threads: what is slow is alone.
            Some(adapter) if slow => {
                let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
                test(adapter)
            }
            Some(adapter) => {
                let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
                test(adapter)
            }
            None => Err("there is no GPU here: not run".into()),
        };
        let on = adapter.map_or("no GPU: not run", Adapter::name);
        Trial::test(format!("{name} ({on})"), run).with_ignored_flag(adapter.is_none())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn prepared(text: &str) -> Result<GpuKernel, Fault> {
    let kernel = parse("k.kir", text).map_err(|failure| failure.to_string())?;
    Ok(GpuKernel::new(Arc::new(check(kernel).map_err(|rejected| rejected.to_string())?)))
}

fn view(allocation: usize, extent: i32) -> Argument {
    Argument::View(ViewArgument::dense(allocation, &[extent]))
}

fn read(queue: &GpuQueue, buffer: &Buffer) -> Result<Vec<u8>, DeviceFailure> {
    let mut out = Vec::new();
    queue.download(buffer, &[(0, buffer.bytes())])?.wait(|_, bytes| out = bytes.to_vec())?;
    Ok(out)
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

fn equal<T: PartialEq + std::fmt::Debug>(got: T, want: T) -> Result<(), Fault> {
    if got == want { Ok(()) } else { Err(format!("{got:?} is not {want:?}").into()) }
}

/// Numbers without an order of their own.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

const ADD_ONE: &str = "kernel k(a: view<u32, 1, read_write>) rank(1) { a[global[0]] = a[global[0]] * 3u32 + 1u32; }";

fn bytes_come_back(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let mut seed = 1;
    for _ in 0..200 {
        let size = random(&mut seed) % 100;
        let buffer = device.allocate(size, true)?;
        let mut want = vec![0_u8; size as usize];
        for _ in 0..3 {
            // Pieces that lie apart, some of them side by side in one word.
            let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
            let mut at = random(&mut seed) % 5;
            while at < size {
                let length = (random(&mut seed) % 9).min(size - at);
                let bytes: Vec<u8> = (0..length).map(|_| random(&mut seed) as u8).collect();
                want[at as usize..(at + length) as usize].copy_from_slice(&bytes);
                pieces.push((at, bytes));
                at += length + random(&mut seed) % 4;
            }
            let pieces: Vec<(u64, &[u8])> = pieces.iter().map(|(at, bytes)| (*at, bytes.as_slice())).collect();
            queue.upload(&buffer, &pieces)?;
        }
        equal(read(&queue, &buffer)?, want.clone())?;
        let ranges: Vec<(u64, u64)> =
            (0..3).map(|_| random(&mut seed) % (size + 1)).map(|at| (at, (size - at) / 2)).collect();
        let mut got = Vec::new();
        queue.download(&buffer, &ranges)?.wait(|at, bytes| got.push((at, bytes.to_vec())))?;
        let slices = ranges.iter().map(|&(at, length)| (at, want[at as usize..(at + length) as usize].to_vec()));
        equal(got, slices.collect())?;
    }
    let large: Vec<u8> = (0..80_000_003).map(|_| random(&mut seed) as u8).collect();
    let buffer = device.allocate(large.len() as u64, false)?;
    queue.upload(&buffer, &[(0, &large)])?;
    if read(&queue, &buffer)? != large {
        return Err("80 MB do not come back as they were".into());
    }
    Ok(())
}

fn copies_take_any_offsets(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let mut seed = 7;
    for round in 0..100 {
        let size = 3000;
        let [from, to] = [device.allocate(size, true)?, device.allocate(size, true)?];
        let fill: Vec<u8> = (0..size).map(|_| random(&mut seed) as u8).collect();
        let other: Vec<u8> = (0..size).map(|_| random(&mut seed) as u8).collect();
        queue.upload(&from, &[(0, &fill)])?;
        queue.upload(&to, &[(0, &other)])?;
        let within = round % 2 == 1;
        let target = if within { &from } else { &to };
        let mut want = if within { fill.clone() } else { other };
        let mut ranges = Vec::new();
        for part in 0..3 {
            let length = random(&mut seed) % 900;
            let (first, start) =
                (random(&mut seed) % (size - length), part * 1000 + random(&mut seed) % (1000 - length));
            ranges.push((first, start, length));
            want[start as usize..(start + length) as usize]
                .copy_from_slice(&fill[first as usize..(first + length) as usize]);
        }
        queue.copy(&from, target, &ranges)?;
        equal(read(&queue, target)?, want)?;
    }
    Ok(())
}

fn a_new_buffer_reads_as_zero(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (queue, other) = (device.queue(), device.queue());
    for _ in 0..5 {
        let buffer = device.allocate(1000, true)?;
        equal(read(&other, &buffer)?, vec![0; 1000])?;
        queue.upload(&buffer, &[(0, &[0xff; 1000])])?;
        equal(read(&queue, &buffer)?, vec![0xff; 1000])?;
    }
    Ok(())
}

fn launches_run_in_order(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared(ADD_ONE)?;
    let buffer = device.allocate(400, true)?;
    let options = GpuLaunchOptions::default();
    let mut want = 0_u32;
    let mut launched = Vec::new();
    for i in 0..500 {
        launched.push(queue.launch(
            &kernel,
            &Domain::new([100]),
            std::slice::from_ref(&buffer),
            &[view(0, 100)],
            &options,
        )?);
        want = want.wrapping_mul(3).wrapping_add(1);
        if i % 100 == 50 {
            queue.upload(&buffer, &[(0, &[0; 400])])?;
            want = 0;
        }
    }
    equal(numbers(&read(&queue, &buffer)?), vec![want; 100])?;
    for launched in launched {
        equal(launched.outcome()?.ending, Ending::Completed)?;
    }
    Ok(())
}

fn dropped_buffers_live_on(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let (queue, other) = (device.queue(), device.queue());
    let kernel = prepared(
        "kernel k(a: view<u32, 1, read_write>, b: view<u32, 1, read>) rank(1) { a[global[0]] = b[global[0]]; }",
    )?;
    let target = device.allocate(4000, true)?;
    let source = device.allocate(4000, false)?;
    queue.upload(&source, &[(0, &[7; 4000])])?;
    let buffers = [target.clone(), source];
    let options = GpuLaunchOptions::default();
    queue.launch(&kernel, &Domain::new([1000]), &buffers, &[view(0, 1000), view(1, 1000)], &options)?;
    drop(buffers);
    // The same size, so that the memory would be used again.
    let next = device.allocate(4000, true)?;
    other.upload(&next, &[(0, &[9; 4000])])?;
    other.wait()?;
    equal(read(&queue, &target)?, vec![7; 4000])
}

fn two_arguments_share_a_buffer(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared(
        "kernel k(a: view<u32, 1, read_write>, b: view<u32, 1, read>) rank(1) { a[global[0]] = b[global[0]]; }",
    )?;
    let buffer = device.allocate(80, false)?;
    let bytes: Vec<u8> = (0..20_u32).flat_map(u32::to_le_bytes).collect();
    queue.upload(&buffer, &[(0, &bytes)])?;
    let second = Argument::View(ViewArgument::new(1, 40, vec![10], vec![1]));
    let options = GpuLaunchOptions::default();
    // Two places, one buffer.
    queue
        .launch(&kernel, &Domain::new([10]), &[buffer.clone(), buffer.clone()], &[view(0, 10), second], &options)?
        .outcome()?;
    equal(numbers(&read(&queue, &buffer)?), (10..20).chain(10..20).collect())
}

fn constants_are_those_of_their_launch(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared(
        "kernel k(out: view<u32, 1, read_write>, c: [u32; 3]) rank(1) { out[global[0]] = out[global[0]] * 10u32 + c[global[0]]; }",
    )?;
    let buffer = device.allocate(12, true)?;
    let options = GpuLaunchOptions::default();
    for c in [[1_u32, 2, 3], [1, 2, 3], [4, 5, 6], [1, 2, 3]] {
        let bytes = c.iter().flat_map(|n| n.to_le_bytes()).collect();
        let arguments = [view(0, 3), Argument::Uniform(bytes)];
        queue.launch(&kernel, &Domain::new([3]), std::slice::from_ref(&buffer), &arguments, &options)?;
    }
    equal(numbers(&read(&queue, &buffer)?), vec![1141, 2252, 3363])
}

fn what_threads_say_comes_back(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel =
        prepared("kernel k(n: u32) rank(1) { if to_u32(global[0]) < n { print(\"thread {}\", global[0]); } }")?;
    let options = GpuLaunchOptions::default();
    let counts = [3_u32, 0, 2000, 1, 700, 0];
    let launched: Result<Vec<_>, Refusal> = counts
        .iter()
        .map(|n| {
            queue.launch(&kernel, &Domain::new([4096]), &[], &[Argument::Uniform(n.to_le_bytes().to_vec())], &options)
        })
        .collect();
    for (launched, count) in launched?.iter().zip(counts) {
        let outcome = launched.outcome()?;
        let lines: Vec<String> = outcome.printed.iter().map(|line| line.text.clone()).collect();
        equal(lines, (0..count).map(|i| format!("thread {i}")).collect())?;
        equal(outcome.lost, 0)?;
    }
    Ok(())
}

fn what_is_lost_is_counted(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared("kernel k(a: u32) rank(1) { print(\"{} {} {}\", a, a, a); }")?;
    let options = GpuLaunchOptions::default();
    for threads in [400_000, 10] {
        let a = Argument::Uniform(7_u32.to_le_bytes().to_vec());
        let outcome = queue.launch(&kernel, &Domain::new([threads]), &[], &[a], &options)?.outcome()?;
        let kept: usize = outcome.printed.iter().map(|line| line.text.len() + 1).sum();
        if threads == 10 {
            equal((outcome.printed.len(), outcome.lost), (10, 0))?;
            continue;
        }
        if !(MAX_PRINTED - 8..=MAX_PRINTED).contains(&kept) || !outcome.printed.iter().all(|line| line.text == "7 7 7")
        {
            return Err(format!("{kept} bytes are kept").into());
        }
        // Six words each: about 174,000 found room.
        if outcome.lost < 225_000 * 24 {
            return Err(format!("only {} bytes are said to be lost", outcome.lost).into());
        }
    }
    Ok(())
}

fn outcomes_are_the_same(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let speaks = prepared("kernel k() rank(1) { if global[0] == 5 { error(\"no {}\", global[0]); } }")?;
    let silent = prepared(ADD_ONE)?;
    let options = GpuLaunchOptions::default();
    let buffer = device.allocate(40, true)?;
    let one = queue.launch(&speaks, &Domain::new([10]), &[], &[], &options)?;
    let two = queue.launch(&silent, &Domain::new([10]), &[buffer], &[view(0, 10)], &options)?;
    equal((one.is_silent(), two.is_silent()), (false, true))?;
    equal(one.try_outcome().is_none(), true)?;
    let first = one.outcome()?;
    equal(matches!(&first.ending, Ending::Failed { thread: 5, message: Some(text), .. } if text == "no 5"), true)?;
    equal(one.clone().outcome()?, first.clone())?;
    equal(one.try_outcome(), Some(Ok(first)))?;
    equal(two.outcome()?.ending, Ending::Completed)?;
    device.lose("by the test");
    equal(two.outcome()?.ending, Ending::Completed)
}

fn whoever_asks_is_told(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared(ADD_ONE)?;
    let buffer = device.allocate(40, true)?;
    let (send, receive) = channel();
    for _ in 0..3 {
        let options = GpuLaunchOptions::default();
        let launched =
            queue.launch(&kernel, &Domain::new([10]), std::slice::from_ref(&buffer), &[view(0, 10)], &options)?;
        let send = send.clone();
        queue.when_done(Box::new(move |result| {
            let done = launched.try_outcome().is_some();
            drop(send.send((std::thread::current().id(), result, done)));
        }));
    }
    for _ in 0..3 {
        let (thread, result, done) = receive.recv_timeout(Duration::from_secs(20))?;
        equal((thread != std::thread::current().id(), result, done), (true, Ok(()), true))?;
    }
    device.lose("by the test");
    queue.when_done(Box::new(move |result| drop(send.send((std::thread::current().id(), result, true)))));
    let (_, result, _) = receive.recv_timeout(Duration::from_secs(20))?;
    equal(matches!(result, Err(DeviceFailure::Lost(_))), true)
}

fn threads_share_a_queue(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let kernel = prepared("kernel k(a: view<u32, 1, read_write>) rank(1) { atomic_add(a[0], 1u32); }")?;
    let buffer = device.allocate(4, true)?;
    let work = |own: bool| -> Result<(), DeviceFailure> {
        let queue = if own { device.queue() } else { queue.clone() };
        let options = GpuLaunchOptions::default();
        for i in 0..100 {
            let launched =
                queue.launch(&kernel, &Domain::new([64]), std::slice::from_ref(&buffer), &[view(0, 1)], &options);
            let launched = launched.map_err(|refusal| DeviceFailure::Unsupported(refusal.to_string()))?;
            if i % 7 == 0 {
                launched.outcome()?;
            }
        }
        queue.wait()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|i| scope.spawn(move || work(i % 2 == 0))).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(result) => result.map_err(Fault::from),
            Err(_) => Err("a thread panicked".into()),
        })
    })?;
    equal(numbers(&read(&queue, &buffer)?), vec![4 * 100 * 64])
}

fn any_rank_runs_each_index_once(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let extent = [3, 5, 2, 7, 11];
    let kernel = prepared(
        "kernel k(a: view<u32, 1, read_write>) rank(5) {
            let i = (((global[0] * 5 + global[1]) * 2 + global[2]) * 7 + global[3]) * 11 + global[4];
            atomic_add(a[i], to_u32(i) + 1u32);
        }",
    )?;
    let count: i32 = extent.iter().product();
    let buffer = device.allocate(count as u64 * 4, true)?;
    let options = GpuLaunchOptions::default();
    queue.launch(&kernel, &Domain::new(extent), std::slice::from_ref(&buffer), &[view(0, count)], &options)?;
    equal(numbers(&read(&queue, &buffer)?), (1..=count as u32).collect())?;
    // More tiles than one dimension of a dispatch has, and a rest.
    let kernel =
        prepared("kernel k(a: view<u32, 1, read_write>) tile(1) { a[global[0]] = to_u32(global[0]) + 1u32; }")?;
    let count = 65_535 * 3 + 17;
    let buffer = device.allocate(count as u64 * 4, true)?;
    queue.launch(&kernel, &Domain::new([count]), std::slice::from_ref(&buffer), &[view(0, count)], &options)?;
    equal(numbers(&read(&queue, &buffer)?) == (1..=count as u32).collect::<Vec<u32>>(), true)
}

fn what_does_not_fit_is_refused(adapter: &Adapter) -> Result<(), Fault> {
    let (device, other) = (adapter.open()?, adapter.open()?);
    let queue = device.queue();
    let kernel = prepared(ADD_ONE)?;
    let options = GpuLaunchOptions::default();
    let [buffer, foreign] = [device.allocate(40, true)?, other.allocate(40, true)?];
    let launch = |domain: i32, buffer: &Buffer, extent: i32| {
        queue.launch(&kernel, &Domain::new([domain]), std::slice::from_ref(buffer), &[view(0, extent)], &options).err()
    };
    equal(matches!(launch(0, &buffer, 10), Some(Refusal::InvalidComputeDomain(_))), true)?;
    equal(matches!(launch(10, &buffer, 11), Some(Refusal::BadArgument(_))), true)?;
    equal(matches!(launch(10, &foreign, 10), Some(Refusal::BadArgument(_))), true)?;
    equal(matches!(queue.upload(&buffer, &[(37, &[1; 4])]), Err(DeviceFailure::Unsupported(_))), true)?;
    equal(matches!(queue.download(&buffer, &[(u64::MAX, 4)]), Err(DeviceFailure::Unsupported(_))), true)?;
    equal(matches!(queue.upload(&foreign, &[(0, &[1; 4])]), Err(DeviceFailure::Unsupported(_))), true)?;
    equal(device.number() != other.number(), true)?;
    equal(read(&queue, &buffer)?, vec![0; 40])
}

fn memory_goes_back(adapter: &Adapter) -> Result<(), Fault> {
    let device = adapter.open()?;
    let queue = device.queue();
    let before = device.memory_in_use();
    let buffer = device.allocate(10 << 20, false)?;
    let used = device.memory_in_use() - before;
    if !(10 << 20..=12 << 20).contains(&used) {
        return Err(format!("{used} bytes are in use for 10 MiB").into());
    }
    let clone = buffer.clone();
    drop(buffer);
    queue.upload(&clone, &[(5, &[3; 7])])?;
    drop(clone);
    queue.wait()?;
    equal(device.memory_in_use(), before)?;
    device.trim();
    let again = device.allocate(10 << 20, true)?;
    queue.upload(&again, &[(1, &[1])])?;
    let mut got = Vec::new();
    queue.download(&again, &[(0, 16)])?.wait(|_, bytes| got = bytes.to_vec())?;
    equal(got, vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
}
