//! Devices that are lost, have no room, or do not end: the error is reported once, to whom it
//! concerns; host memory keeps its contents, and everything else goes on. With a driver in software
//! too. One test at a time, as all use one device. Without a GPU all are ignored, and say so.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use tilewise::{
    Accelerator, AcceleratorView, AccessType, Array, ArrayView, Completion, Error, Extent, QueuingMode, Result, amp,
    copy, copy_async_into, parallel_for_each, set_error_hook,
};

/// A test, by its name.
type Test = (&'static str, fn() -> Result<()>);

macro_rules! tests {
    ($($test:ident)*) => { &[$((stringify!($test), $test)),*] };
}

const TESTS: &[Test] = tests! {
    what_was_newest_on_a_lost_device_is_lost_and_said_once
    each_part_of_a_view_that_was_lost_says_so_once
    a_device_that_is_lost_over_a_kernel_is_said_to_be_lost
    all_ways_of_a_lost_view_home_say_so_once
    who_drops_a_lost_view_hears_of_it_by_the_hook
    a_hook_may_ask_for_the_default_view_that_takes_the_place_of_a_lost_one
    an_array_of_a_lost_device_is_gone
    a_launch_that_cannot_have_its_data_leaves_what_it_would_have_written
    without_room_on_a_device_all_stays_usable
    transfers_need_little_stack
    a_section_of_too_many_rows_is_refused
    a_launch_without_room_for_what_it_captures_is_refused
    a_launch_past_its_time_limit_ends_its_device_and_nothing_else
    a_lost_device_leaves_no_threads_behind
    the_process_ends_when_devices_are_done
    what_launches_said_is_delivered_when_the_process_ends
};

/// Set in a process that launches and returns from `main`.
const RETURNS: &str = "LOSS_RETURNS";

/// Set in a process whose launches print and fail, and that asks for neither.
const SPEAKS: &str = "LOSS_SPEAKS";

fn main() -> ExitCode {
    if std::env::var_os(SPEAKS).is_some() {
        return match launch_and_speak() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    if std::env::var_os(RETURNS).is_some() {
        return match launch_and_return() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    let is_missing = queues().next().is_none();
    let trials = TESTS.iter().map(|&(name, test)| {
        let run = move || test().map_err(|error| Failed::from(error.to_string()));
        let name = if is_missing { format!("{name} (no GPU: not run)") } else { name.to_owned() };
        Trial::test(name, run).with_ignored_flag(is_missing)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A queue of each GPU. Those that are in software give no long time to who does not ask for it.
fn queues() -> impl Iterator<Item = AcceleratorView> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path().starts_with("gpu/"));
    all.map(|accelerator| accelerator.create_view(QueuingMode::Automatic).expect("a plain queue"))
}

fn jit() -> AcceleratorView {
    Accelerator::new(Accelerator::JIT).expect("it is everywhere").default_view()
}

/// Sees that it failed because a device was lost, which is named, for this reason.
fn lost<T: std::fmt::Debug>(result: Result<T>, av: &AcceleratorView, why: &str) {
    match result {
        Err(Error::AcceleratorViewRemoved(text)) => {
            let name = text.split('`').nth(1).unwrap_or("nothing");
            assert!(av.accelerator().description().starts_with(name) && text.contains(why), "{text} for {av:?}");
        }
        other => panic!("{other:?} says nothing of the loss"),
    }
}

/// Sees that the accelerator works: by a new queue, with new memory.
fn works(accelerator: &Accelerator) -> Result<()> {
    let av = accelerator.create_view(QueuingMode::Automatic)?;
    for av in [av, accelerator.default_view()] {
        let array = Array::<u32>::builder(8).on(&av).build_from(&[4; 8])?;
        parallel_for_each!(&av, array.extent(), |i| array[i] += 1)?;
        av.wait()?;
        assert_eq!(array.to_vec()?, [5; 8]);
    }
    Ok(())
}

fn what_was_newest_on_a_lost_device_is_lost_and_said_once() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let (mut data, mut read) = (vec![1u32; 8], vec![7u32; 8]);
        let (view, seen) = (ArrayView::new(8, &mut data)?, ArrayView::new(8, &mut read)?);
        let untouched = ArrayView::from_vec(4, vec![3u32; 4])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = seen[i] + 5)?;
        assert_eq!(view.get(0)?, 12);
        parallel_for_each!(&av, view.extent(), |i| view[i] = seen[i] + 50)?;
        av.inject_loss("by the test")?;
        // The newest was there; host memory has what came home last.
        lost(view.get(0), &av, "by the test");
        assert_eq!(view.to_vec()?[0], 12);
        view.synchronize()?;
        // What was only read there is not lost, nor what was never there.
        assert_eq!((seen.to_vec()?, untouched.to_vec()?), (vec![7; 8], vec![3; 4]));
        // The queue says so each time.
        for _ in 0..2 {
            lost(parallel_for_each!(&av, seen.extent(), |i| seen[i] = 1), &av, "by the test");
            lost(av.wait(), &av, "by the test");
            lost(av.flush(), &av, "by the test");
            lost(Array::<u32>::builder(4).on(&av).build(), &av, "by the test");
            lost(seen.synchronize_to(&av), &av, "by the test");
            lost(av.create_marker()?.get(), &av, "by the test");
        }
        // Others go on with the same views.
        parallel_for_each!(&jit(), view.extent(), |i| view[i] = seen[i] + 1)?;
        let next = av.accelerator().create_view(QueuingMode::Automatic)?;
        parallel_for_each!(&next, view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.to_vec()?, [9; 8]);
        works(av.accelerator())?;
        drop((view, seen));
        assert_eq!((data, read), (vec![9; 8], vec![7; 8]));
    }
    Ok(())
}

fn each_part_of_a_view_that_was_lost_says_so_once() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        for is_waited_for in [false, true] {
            let av = av.accelerator().create_view(QueuingMode::Automatic)?;
            let view = ArrayView::from_vec(12, vec![1; 12])?;
            let (first, second, third) = (view.section(0, 4), view.section(4, 4), view.section(8, 4));
            for part in [&first, &second, &third] {
                let part = part.clone();
                parallel_for_each!(&av, part.extent(), |i| part[i] = 7)?;
            }
            if is_waited_for {
                av.wait()?;
            }
            av.inject_loss("by the test")?;
            lost(first.to_vec(), &av, "by the test");
            assert_eq!(first.to_vec()?, [1; 4]);
            // Another thread may know nothing but its part.
            lost(parallel_for_each!(&jit(), second.extent(), |i| second[i] += 1), &av, "by the test");
            parallel_for_each!(&jit(), second.extent(), |i| second[i] += 1)?;
            // New contents make up for lost ones.
            copy(&[3; 4][..], &third)?;
            assert_eq!(view.to_vec()?, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        }
    }
    Ok(())
}

fn a_device_that_is_lost_over_a_kernel_is_said_to_be_lost() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let view = ArrayView::from_vec(8, (0..8).collect::<Vec<u32>>())?;
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.to_vec()?, (1..9).collect::<Vec<_>>());
        av.inject_loss_over_a_kernel()?;
        let why = "while its driver made the kernel";
        lost(parallel_for_each!(&av, view.extent(), |i| view[i] = view[i] * 3 + 1), &av, why);
        lost(parallel_for_each!(&av, view.extent(), |i| view[i] = view[i] * 5 + 1), &av, why);
        // It ran nowhere, so all is as it was.
        assert_eq!(view.to_vec()?, (1..9).collect::<Vec<_>>());
        parallel_for_each!(&jit(), view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.to_vec()?, (2..10).collect::<Vec<_>>());
        works(av.accelerator())?;
    }
    Ok(())
}

fn all_ways_of_a_lost_view_home_say_so_once() -> Result<()> {
    let _alone = alone();
    type Way = fn(&ArrayView<'static, u32>) -> Result<()>;
    let ways: [Way; 12] = [
        |view| view.synchronize_async()?.get(),
        |view| view.synchronize_to(&jit()),
        |view| view.refresh(),
        |view| view.to_vec().map(drop),
        |view| view.set(1, 5),
        |view| view.host().map(drop),
        |view| view.host_mut().map(drop),
        |view| view.synchronize(),
        |view| copy(view, &mut vec![0; 8]),
        |view| copy(view, &Array::<u32>::builder(8).on(&jit()).build()?),
        |view| copy_async_into(view, Vec::new())?.get().map(drop),
        |view| parallel_for_each!(&jit(), view.extent(), |i| view[i] += 1),
    ];
    for av in queues() {
        for (number, way) in ways.iter().enumerate() {
            for speaks in [false, true] {
                let av = av.accelerator().create_view(QueuingMode::Automatic)?;
                let view = ArrayView::from_vec(8, vec![2u32; 8])?;
                if speaks {
                    parallel_for_each!(&av, view.extent(), |i| {
                        view[i] = 3;
                        if i[0] > 100 {
                            error!("there is no such thread");
                        }
                    })?;
                } else {
                    parallel_for_each!(&av, view.extent(), |i| view[i] = 3)?;
                }
                av.inject_loss("on some way")?;
                let told = way(&view);
                assert!(
                    matches!(&told, Err(Error::AcceleratorViewRemoved(why)) if why.contains("on some way")),
                    "way {number}: {told:?}"
                );
                assert_eq!(view.to_vec()?, [2; 8], "way {number}, {speaks}");
                way(&view)?;
            }
        }
        works(av.accelerator())?;
    }
    Ok(())
}

fn who_drops_a_lost_view_hears_of_it_by_the_hook() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        set_error_hook(move |error| ears.lock().unwrap().push(error.to_string()));
        let mut data = vec![1u32; 8];
        let view = ArrayView::new(8, &mut data)?;
        parallel_for_each!(&av, view.extent(), |i| view[i] = 2)?;
        av.inject_loss("before the end")?;
        drop(view);
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        assert!(heard.len() == 1 && heard[0].contains("before the end"), "{heard:?}");
        assert_eq!(data, [1; 8]);
        set_error_hook(|_| {});
    }
    Ok(())
}

fn a_hook_may_ask_for_the_default_view_that_takes_the_place_of_a_lost_one() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let accelerator = av.accelerator().clone();
        let heard = Arc::new(Mutex::new(0));
        let (ears, again) = (Arc::clone(&heard), accelerator.clone());
        set_error_hook(move |_| {
            works(&again).expect("it works again");
            *ears.lock().unwrap() += 1;
        });
        let before = accelerator.default_view();
        let view = ArrayView::from_vec(8, vec![1u32; 8])?;
        // The queue alone knows of it in the end.
        parallel_for_each!(&before, view.extent(), |i| {
            view[i] = 2;
            error!("nobody asks");
        })?;
        before.inject_loss("by the test")?;
        drop((view, before));
        let after = accelerator.default_view();
        after.wait()?;
        assert_eq!(*heard.lock().unwrap(), 1);
        set_error_hook(|_| {});
    }
    Ok(())
}

fn an_array_of_a_lost_device_is_gone() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let array = Array::<u32>::builder(8).on(&av).build_from(&[1; 8])?;
        parallel_for_each!(&av, array.extent(), |i| array[i] += 1)?;
        av.inject_loss("with all arrays")?;
        let next = av.accelerator().create_view(QueuingMode::Automatic)?;
        let other = Array::<u32>::builder(8).on(&next).build_from(&[6; 8])?;
        // Nothing of it is anywhere else, so it says so each time.
        for _ in 0..2 {
            lost(array.to_vec(), &av, "with all arrays");
            lost(array.view().get(0), &av, "with all arrays");
            lost(copy(&array, &other), &av, "with all arrays");
            lost(copy(&other, &array), &av, "with all arrays");
            lost(copy(&[1; 8], &array), &av, "with all arrays");
            lost(parallel_for_each!(&next, array.extent(), |i| other[i] = array[i]), &av, "with all arrays");
            lost(array.try_clone(), &av, "with all arrays");
            lost(array.view().set(0, 3), &av, "with all arrays");
            lost(array.view().fill(3), &av, "with all arrays");
            lost(array.view().section(2, 3).fill(3), &av, "with all arrays");
            for access in [AccessType::Read, AccessType::ReadWrite, AccessType::Write] {
                lost(array.view().synchronize_for(access), &av, "with all arrays");
                lost(array.view().synchronize_for_async(access).and_then(Completion::get), &av, "with all arrays");
                lost(array.view().synchronize_to_for(&next, access), &av, "with all arrays");
            }
            lost(array.view().synchronize_async().and_then(Completion::get), &av, "with all arrays");
        }
        parallel_for_each!(&next, other.extent(), |i| other[i] += 1)?;
        assert_eq!(other.to_vec()?, [7; 8]);
    }
    Ok(())
}

fn a_launch_that_cannot_have_its_data_leaves_what_it_would_have_written() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        let (first, second) = (ArrayView::from_vec(8, vec![1u32; 8])?, ArrayView::from_vec(8, vec![1u32; 8])?);
        parallel_for_each!(&av, first.extent(), |i| first[i] = 2)?;
        av.inject_loss("by the test")?;
        let next = av.accelerator().create_view(QueuingMode::Automatic)?;
        parallel_for_each!(&next, second.extent(), |i| second[i] = 3)?;
        for order in [true, false] {
            let (a, b) = if order { (&second, &first) } else { (&first, &second) };
            let both = parallel_for_each!(&jit(), a.extent(), |i| {
                a[i] += 1;
                b[i] += 1;
            });
            match order {
                true => lost(both, &av, "by the test"),
                false => both?,
            }
        }
        assert_eq!((first.to_vec()?, second.to_vec()?), (vec![2; 8], vec![4; 8]));
    }
    Ok(())
}

fn without_room_on_a_device_all_stays_usable() -> Result<()> {
    let _alone = alone();
    const MANY: i32 = 1 << 20;
    const BYTES: u64 = 4 << 20;
    for av in queues() {
        // A device of its own: the one before is given up.
        av.inject_loss("for a new one")?;
        let av = av.accelerator().create_view(QueuingMode::Automatic)?;
        let (small, large) = (ArrayView::from_vec(8, vec![1u32; 8])?, ArrayView::from_vec(MANY, vec![1u32; 1 << 20])?);
        parallel_for_each!(&av, small.extent(), |i| small[i] += 1)?;
        av.wait()?;
        av.inject_room(1 << 20)?;
        for _ in 0..2 {
            let built = Array::<u32>::builder(MANY).on(&av).build();
            assert!(matches!(built, Err(Error::OutOfMemory(bytes)) if bytes == BYTES), "{built:?}");
            let both = parallel_for_each!(&av, small.extent(), |i| {
                small[i] += 1;
                large[i] += 1;
            });
            assert!(matches!(both, Err(Error::OutOfMemory(bytes)) if bytes == BYTES), "{both:?}");
            assert!(matches!(large.synchronize_to(&av), Err(Error::OutOfMemory(bytes)) if bytes == BYTES));
        }
        // Nothing ran, nothing is held, and all that fits goes on.
        parallel_for_each!(&av, small.extent(), |i| small[i] += 1)?;
        parallel_for_each!(&jit(), large.extent(), |i| large[i] += 1)?;
        av.wait()?;
        assert_eq!((small.to_vec()?, large.get(9)?), (vec![3; 8], 2));
        large.set(9, 5)?;
        // With room again, so does what did not fit.
        av.inject_room(u64::MAX)?;
        parallel_for_each!(&av, large.extent(), |i| large[i] += 1)?;
        assert_eq!((large.get(9)?, large.get(10)?), (6, 3));
        assert_eq!(Array::<u32>::builder(MANY).on(&av).build_from(&large)?.view().get(9)?, 6);
    }
    Ok(())
}

fn a_launch_without_room_for_what_it_captures_is_refused() -> Result<()> {
    let _alone = alone();
    for av in queues() {
        av.inject_loss("for a new one")?;
        let av = av.accelerator().create_view(QueuingMode::Automatic)?;
        let view = ArrayView::from_vec(8, vec![1u32; 8])?;
        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
        av.wait()?;
        let mut captured = [3u32, 5, 7, 9];
        let mut launch = || {
            captured[0] += 1;
            let weights = captured;
            parallel_for_each!(&av, view.extent(), |i| view[i] += weights[(i[0] % 4) as usize])
        };
        launch()?;
        av.inject_room(1)?;
        for _ in 0..2 {
            let launched = launch();
            assert!(matches!(launched, Err(Error::OutOfMemory(_))), "{launched:?}");
        }
        av.inject_room(u64::MAX)?;
        launch()?;
        av.wait()?;
        assert_eq!(view.to_vec()?, [2 + 4 + 7, 12, 16, 20, 13, 12, 16, 20]);
    }
    Ok(())
}

#[amp]
fn step(x: u32, n: u32) -> u32 {
    n / (x | 1) + x * 1_664_525 + 1_013_904_223
}

fn a_launch_past_its_time_limit_ends_its_device_and_nothing_else() -> Result<()> {
    let _alone = alone();
    for av in queues().filter(|av| av.accelerator().is_emulated()) {
        let limited = av.accelerator().view_builder().time_limit(Some(Duration::from_millis(50))).create()?;
        // Queues open the device when they are first used.
        parallel_for_each!(&av, Extent([1]), |_i| {})?;
        av.wait()?;
        // One tile with divisions that wait for each other takes a second or more, however many cores and lanes the driver has.
        let view = ArrayView::from_vec(1024, vec![1u32; 1024])?;
        let begin = Instant::now();
        parallel_for_each!(&limited, view.extent().tile::<1024>(), |t| {
            let mut x = t.global[0] as u32;
            for n in 0..30_000u32 {
                x = step(step(step(step(step(step(step(step(x, n), n), n), n), n), n), n), n);
                x = step(step(step(step(step(step(step(step(x, n), n), n), n), n), n), n), n);
            }
            view[t.global] = x;
        })?;
        lost(limited.wait(), &limited, "time limit of 50ms");
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        lost(view.get(7), &limited, "time limit of 5");
        assert_eq!(view.to_vec()?, vec![1; 1024]);
        // The queue beside it was of the same device.
        lost(parallel_for_each!(&av, view.extent(), |i| view[i] = 3), &av, "time limit of 5");
        parallel_for_each!(&jit(), view.extent(), |i| view[i] += 1)?;
        assert_eq!(view.get(0)?, 2);
        works(av.accelerator())?;
    }
    Ok(())
}

/// Names of the threads of the process, where the system tells.
fn threads() -> Option<Vec<String>> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    Some(tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok()).collect())
}

fn a_lost_device_leaves_no_threads_behind() -> Result<()> {
    let _alone = alone();
    for av in queues().filter(|av| av.accelerator().is_emulated()) {
        let accelerator = av.accelerator().clone();
        drop(av);
        works(&accelerator)?;
        let Some(before) = threads() else { return Ok(()) };
        for _ in 0..5 {
            let limited = accelerator.view_builder().time_limit(Some(Duration::from_millis(5))).create()?;
            let view = ArrayView::from_vec(1024, vec![1u32; 1024])?;
            // Its loop may take too many rounds, so it has something to say.
            parallel_for_each!(&limited, view.extent(), |i| {
                let mut x = i[0] as u32;
                for n in 0..60_000u32 {
                    x = step(step(step(step(step(step(step(step(x, n), n), n), n), n), n), n), n);
                    x = x ^ view[(x & 1023) as i32];
                }
                view[i] = x;
            })?;
            lost(limited.wait(), &limited, "time limit of 5ms");
            drop(view.get(0));
        }
        works(&accelerator)?;
        // The kernels come to their end meanwhile.
        let begin = Instant::now();
        while threads().is_some_and(|now| now.len() > before.len() + 1) && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let after = threads().unwrap_or_default();
        // The kernel keeps what the last device made of it until it is launched again.
        assert!(after.len() <= before.len() + 1, "{after:?} are more than {before:?}");
    }
    Ok(())
}

/// Gives each GPU in software a second of work, and waits for none of it.
fn launch_and_return() -> Result<()> {
    for av in queues().filter(|av| av.accelerator().is_emulated()) {
        let view = ArrayView::from_vec(1024, vec![1u32; 1024])?;
        parallel_for_each!(&av, view.extent().tile::<1024>(), |t| {
            let mut x = t.global[0] as u32;
            for n in 0..30_000u32 {
                x = step(step(step(step(step(step(step(step(x, n), n), n), n), n), n), n), n);
                x = step(step(step(step(step(step(step(step(x, n), n), n), n), n), n), n), n);
            }
            view[t.global] = x;
        })?;
        av.flush()?;
        // A view that is dropped brings its contents home, and a queue tells what launches printed.
        std::mem::forget((view, av));
    }
    writeln!(std::io::stdout(), "returns").expect("standard output is there");
    Ok(())
}

/// Launches on the default view of each GPU, and reads nothing but the data.
fn launch_and_speak() -> Result<()> {
    for av in queues().map(|av| av.accelerator().default_view()) {
        let mut data = [1; 4];
        let view = ArrayView::of(&mut data);
        parallel_for_each!(&av, view.extent(), |i| {
            view[i] = 7;
            print!("line {}", i[0]);
            if i[0] == 2 {
                error!("it failed");
            }
        })?;
        drop(view);
        assert_eq!(data, [7; 4]);
    }
    Ok(())
}

fn what_launches_said_is_delivered_when_the_process_ends() -> Result<()> {
    let _alone = alone();
    let own = std::env::current_exe().expect("the program has a file");
    let ended = std::process::Command::new(own).env(SPEAKS, "1").output().expect("it starts");
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert_eq!(ended.status.code(), Some(0), "{out}{err}");
    let gpus = queues().count();
    for i in 0..4 {
        assert_eq!(out.matches(&format!("line {i}\n")).count(), gpus, "{out}");
    }
    assert_eq!(err.matches("it failed").count(), gpus, "{err}");
    Ok(())
}

fn the_process_ends_when_devices_are_done() -> Result<()> {
    let _alone = alone();
    if queues().all(|av| !av.accelerator().is_emulated()) {
        return Ok(());
    }
    let own = std::env::current_exe().expect("the program has a file");
    let mut child = std::process::Command::new(own);
    let child = child.env(RETURNS, "1").env("MESA_SHADER_CACHE_DISABLE", "true");
    let mut child = child.stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("it is a pipe"));
    std::io::BufRead::read_line(&mut lines, &mut line).expect("it prints a line");
    let begin = Instant::now();
    let status = child.wait().expect("it ends");
    assert_eq!((line.trim(), status.code()), ("returns", Some(0)), "{status}");
    assert!(begin.elapsed() > Duration::from_millis(300), "nobody waited: {:?}", begin.elapsed());
    Ok(())
}

/// Transfers ask a driver, which takes more stack than this thread has.
fn transfers_need_little_stack() -> Result<()> {
    let _alone = alone();
    let Some(queue) = queues().next() else { return Ok(()) };
    let transfers = move || -> Result<()> {
        let array = Array::<u32>::builder(5000).on(&queue).build_from(&[3; 5000])?;
        let view = ArrayView::from_vec(5000, vec![0u32; 5000])?;
        copy(&array, &view)?;
        assert_eq!(view.get(4999)?, 3);
        copy(&vec![4u32; 5000], &array)?;
        let mut back = vec![0; 5000];
        copy(&array, &mut back)?;
        assert_eq!(back, [4; 5000]);
        assert_eq!(copy_async_into(&array, back)?.get()?, [4; 5000]);
        let seen = array.view();
        seen.synchronize()?;
        parallel_for_each!(&queue, view.extent(), |i| view[i] += 1)?;
        queue.wait()?;
        let coming = view.synchronize_async()?;
        while !coming.is_complete() {
            std::thread::yield_now();
        }
        coming.get()?;
        assert_eq!(view.get(0)?, 4);
        Ok(())
    };
    let thread = std::thread::Builder::new().stack_size(24 << 10).spawn(transfers).expect("there is room");
    thread.join().expect("the thread does not panic")
}

fn a_section_of_too_many_rows_is_refused() -> Result<()> {
    let _alone = alone();
    let Some(queue) = queues().next() else { return Ok(()) };
    let rows = (1 << 24) + 1;
    let array = Array::<u8, 2>::builder((rows, 2)).on(&queue).build()?;
    let view = array.view();
    let column = view.section((0, 1), (rows, 1));
    let refused = |result: Result<()>| match result {
        Err(Error::UnsupportedFeature(why)) => {
            assert!(why.contains("16777217 runs of 1 bytes") && why.contains("at most 16777216"), "{why}");
        }
        other => panic!("{other:?}"),
    };
    let mut bytes = vec![0; rows as usize];
    refused(copy(&column, &mut bytes));
    refused(copy(&bytes, &column));
    refused(copy_async_into(&column, Vec::new())?.get().map(drop));
    refused(parallel_for_each!((&queue, Extent::new([4])), |i| {
        column[(i[0], 0)] = 7;
    }));
    // One row less is as good as any.
    let fewer = view.section((0, 1), (1000, 1));
    copy(&vec![5; 1000], &fewer)?;
    copy(&fewer, &mut bytes[..1000])?;
    assert_eq!(bytes[..1001], [&[5; 1000][..], &[0]].concat());
    Ok(())
}
