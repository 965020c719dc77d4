//! Hooks of the program may use the library: who is told a line or an error launches, reads and waits from there, and nothing hangs. Nor do launches gather that nobody waits for.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Completion, Error, Extent, QueuingMode, Result, copy};
use tilewise::{copy_async, copy_async_into, kernel, parallel_for_each, set_error_hook, set_print_hook};

/// A view of each accelerator that can run kernels, which no other test uses.
fn launchers() -> Vec<AcceleratorView> {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    all.map(|accelerator| accelerator.create_view(QueuingMode::Automatic).expect("a plain queue")).collect()
}

fn gpus() -> impl Iterator<Item = AcceleratorView> {
    launchers().into_iter().filter(|av| av.accelerator().path().starts_with("gpu/"))
}

/// The hooks are of the whole process: one test at a time has them.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a test, and fails if it has not ended after a while.
fn ends(what: &str, test: impl FnOnce() -> Result<()> + Send + 'static) {
    let (done, wait) = channel();
    let thread = std::thread::spawn(move || done.send(test()));
    match wait.recv_timeout(Duration::from_secs(100)) {
        Ok(result) => result.unwrap_or_else(|error| panic!("{what}: {error}")),
        Err(RecvTimeoutError::Timeout) => panic!("{what} does not end"),
        Err(RecvTimeoutError::Disconnected) => drop(thread.join().map_err(|panic| std::panic::resume_unwind(panic))),
    }
}

#[test]
fn an_error_is_told_also_if_the_hook_for_lines_panics() {
    let _alone = alone();
    for av in launchers() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&told);
        set_error_hook(move |error| ears.lock().unwrap().push(error.to_string()));
        set_print_hook(|_| panic!("in the hook"));
        let view = ArrayView::from_vec(4, vec![0; 4]).unwrap();
        let launched = std::panic::catch_unwind(|| {
            parallel_for_each!(&av, view.extent(), |i| {
                print!("a line");
                if i[0] == 2 {
                    error!("it failed");
                }
                view[i] = 1;
            })
        });
        // A GPU delivers at the next access, which panics then; its error is for the one behind.
        let is_gpu = launched.is_ok();
        if is_gpu {
            assert!(std::panic::catch_unwind(|| view.to_vec()).is_err(), "{av:?}");
            let error = view.to_vec().expect_err("the launch failed").to_string();
            assert!(error.contains("it failed"), "{av:?}: {error}");
        } else {
            let told = std::mem::take(&mut *told.lock().unwrap());
            assert!(told.len() == 1 && told[0].contains("it failed"), "{av:?}: {told:?}");
        }
        set_print_hook(|_| ());
        set_error_hook(|_| ());
    }
}

/// What a hook does with a view and the queue that wrote it: all that a program may do.
fn use_all(view: &ArrayView<'static, u32>, av: &AcceleratorView) -> Result<u32> {
    let first = view.get(0)?;
    let own = ArrayView::from_vec(4, vec![1u32; 4])?;
    parallel_for_each!(av, own.extent(), |i| own[i] += 1)?;
    // One that speaks, to those who do not listen.
    parallel_for_each!(av, Extent([1]), |_i| print!("from the hook"))?;
    parallel_for_each!(av, view.extent(), |i| view[i] += 10)?;
    view.set(3, 7)?;
    assert_eq!(view.host()?[3], 7);
    view.host_mut()?[3] = 8;
    copy(view, &own)?;
    assert_eq!(own.get(3)?, 8);
    av.wait()?;
    av.create_marker()?.get()?;
    view.synchronize()?;
    Ok(first)
}

/// How a program comes to be told.
type Way = fn(&ArrayView<'static, u32>, &AcceleratorView) -> Result<()>;

const WAYS: [(&str, Way); 10] = [
    ("wait", |_, av| av.wait()),
    ("get", |view, _| view.get(1).map(drop)),
    ("set", |view, _| view.set(1, 5)),
    ("host", |view, _| view.host().map(drop)),
    ("host_mut", |view, _| view.host_mut().map(drop)),
    ("synchronize", |view, _| view.synchronize()),
    ("copy out", |view, _| copy(view, &mut vec![0; 4])),
    ("copy to an array", |view, _| copy(view, &Array::<u32>::new(4)?)),
    ("copy in the background", |view, av| {
        copy_async(view, &Array::<u32>::builder(4).on(av).build()?)?.get()?;
        av.wait()
    }),
    ("launch on the reference", |view, _| {
        let reference = Accelerator::new(Accelerator::REFERENCE)?.default_view();
        parallel_for_each!(&reference, view.extent(), |i| view[i] += 1)
    }),
];

#[test]
fn a_print_hook_may_do_what_any_function_may() {
    let _alone = alone();
    for av in launchers() {
        for (name, way) in WAYS {
            let av = av.clone();
            ends(&format!("{name} on {av:?}"), move || {
                let view = ArrayView::from_vec(4, vec![0u32; 4])?;
                let (heard, inside) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
                let (ears, seen, queue) = (Arc::clone(&heard), view.clone(), av.clone());
                set_print_hook(move |line| {
                    // Lines of launches by the hook itself come here too.
                    if line == "thread 2" && !inside.swap(true, Ordering::SeqCst) {
                        let first = use_all(&seen, &queue).unwrap_or_else(|error| panic!("in the hook: {error}"));
                        assert_eq!(first, 1);
                        ears.fetch_add(1, Ordering::SeqCst);
                    }
                });
                parallel_for_each!(&av, view.extent(), |i| {
                    view[i] = 1;
                    if i[0] == 2 {
                        print!("thread {}", i[0]);
                    }
                })?;
                way(&view, &av)?;
                av.wait()?;
                assert_eq!(heard.load(Ordering::SeqCst), 1, "it is told once");
                assert!(view.get(0)? >= 11);
                set_print_hook(|_| {});
                Ok(())
            });
        }
    }
}

#[test]
fn an_error_after_lines_is_given_to_who_asked_and_not_to_the_hook() {
    let _alone = alone();
    for av in launchers() {
        ends(&format!("on {av:?}"), move || {
            let view = ArrayView::from_vec(2, vec![0u32; 2])?;
            let (seen, queue) = (view.clone(), av.clone());
            set_print_hook(move |line| {
                if line == "first" {
                    queue.wait().expect("whoever asked is given the error");
                    assert_eq!(seen.get(1).expect("likewise"), 3);
                }
            });
            let launched = parallel_for_each!(&av, view.extent(), |i| {
                view[i] = 3;
                print!("first");
                error!("then this");
            });
            let told = launched.and_then(|()| view.synchronize()).expect_err("it failed").to_string();
            assert!(told.contains("then this"), "{told}");
            view.synchronize()?;
            av.wait()?;
            set_print_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn threads_that_are_told_of_each_others_launches_do_not_wait_in_a_circle() {
    let _alone = alone();
    ends("four threads", || {
        let queues = launchers();
        let view = ArrayView::from_vec(8, vec![0u32; 8])?;
        let (seen, all) = (view.clone(), queues.clone());
        let lines = Arc::new(AtomicU32::new(0));
        let ears = Arc::clone(&lines);
        set_print_hook(move |_| {
            ears.fetch_add(1, Ordering::SeqCst);
            all.iter().for_each(|av| av.wait().expect("nothing fails"));
            seen.get(0).expect("nobody holds it");
        });
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (view, queues) = (view.section(thread * 2, 2), &queues);
                scope.spawn(move || {
                    for round in 0..20 {
                        for av in queues {
                            let launched = parallel_for_each!(av, view.extent(), |i| {
                                view[i] += 1;
                                if i[0] == 0 {
                                    print!("a line");
                                }
                            });
                            launched.expect("nobody has a guard");
                        }
                        if round % 4 == thread {
                            queues.iter().for_each(|av| av.wait().expect("nothing fails"));
                        }
                    }
                });
            }
        });
        assert_eq!(view.to_vec()?, vec![20 * queues.len() as u32; 8]);
        queues.iter().try_for_each(AcceleratorView::wait)?;
        assert_eq!(lines.load(Ordering::SeqCst), 80 * queues.len() as u32);
        set_print_hook(|_| {});
        Ok(())
    });
}

#[test]
fn an_error_hook_may_do_what_any_function_may() {
    let _alone = alone();
    // On the CPU a launch gives its errors itself.
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let path = av.accelerator().path().to_owned();
            let view = ArrayView::from_vec(4, vec![0u32; 4])?;
            let (seen, heard) = (view.clone(), Arc::new(Mutex::new(Vec::new())));
            let ears = Arc::clone(&heard);
            set_error_hook(move |error| {
                let other = Accelerator::new(&path).expect("it is there").default_view();
                seen.fill(1).expect("nobody holds it");
                assert_eq!(use_all(&seen, &other).unwrap_or_else(|error| panic!("in the hook: {error}")), 1);
                ears.lock().unwrap().push(error.to_string());
            });
            // The last who could ask is the queue.
            let failing = Array::<u32>::builder(4).on(&av).build_from(&[0; 4])?;
            parallel_for_each!(&av, failing.extent(), |i| {
                failing[i] = 1;
                error!("of the queue");
            })?;
            drop((failing, av));
            let heard = std::mem::take(&mut *heard.lock().unwrap());
            assert!(heard.len() == 1 && heard[0].contains("of the queue"), "{heard:?}");
            set_error_hook(|_| {});
            view.get(0).map(drop)
        });
    }
    ends("a completion", || {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        let view = ArrayView::from_vec(4, vec![0u32; 4])?;
        set_error_hook(move |error| {
            let jit = Accelerator::new(Accelerator::JIT).expect("it is there").default_view();
            view.fill(1).expect("nobody holds it");
            use_all(&view, &jit).unwrap_or_else(|error| panic!("in the hook: {error}"));
            ears.lock().unwrap().push(error.to_string());
        });
        let failed: Completion = Completion::ready(()).then(|()| Err(Error::OutOfMemory(3)));
        failed.wait();
        drop(failed);
        assert_eq!(*heard.lock().unwrap(), ["out of memory: there is no room for 3 bytes"]);
        set_error_hook(|_| {});
        Ok(())
    });
}

#[test]
fn a_hook_may_hold_what_uses_the_library_when_another_takes_its_place() {
    let _alone = alone();
    ends("it", || {
        let heard = Arc::new(AtomicU32::new(0));
        for _ in 0..2 {
            let failed: Completion = Completion::ready(()).then(|()| Err(Error::OutOfMemory(4)));
            failed.wait();
            let ears = Arc::clone(&heard);
            // Dropped with the hook, which is the end of who could ask.
            let held = Mutex::new(Some(failed));
            set_error_hook(move |_| {
                drop(held.lock().map(|held| held.is_some()));
                ears.fetch_add(1, Ordering::SeqCst);
            });
        }
        set_error_hook(|_| {});
        assert_eq!(heard.load(Ordering::SeqCst), 1, "the second heard of the first's");
        Ok(())
    });
}

/// Bytes of the process in memory, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn launches_that_speak_do_not_gather() {
    let _alone = alone();
    for av in launchers() {
        ends(&format!("on {av:?}"), move || {
            let lines = Arc::new(AtomicU32::new(0));
            let ears = Arc::clone(&lines);
            set_print_hook(move |line| {
                assert_eq!(line, "still there");
                ears.fetch_add(1, Ordering::SeqCst);
            });
            let array = Array::<u32>::builder(8).on(&av).build_from(&[0; 8])?;
            let speak = kernel!(|i: tilewise::Index<1>| {
                array[i] += 1;
                if i[0] == 0 {
                    print!("still there");
                }
            });
            let rounds = |count: u32| (0..count).try_for_each(|_| av.parallel_for_each(array.extent(), &speak));
            rounds(500)?;
            let before = resident();
            rounds(10_000)?;
            let grown = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
            assert!(grown.is_none_or(|grown| grown < 64 << 20), "{av:?}: {grown:?} bytes more");
            av.wait()?;
            assert_eq!(lines.load(Ordering::SeqCst), 10_500);
            assert_eq!(array.to_vec()?, [10_500; 8]);
            set_print_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn errors_that_nobody_asks_for_do_not_gather() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let heard = Arc::new(AtomicU32::new(0));
            let ears = Arc::clone(&heard);
            set_error_hook(move |error| {
                assert!(error.to_string().contains("again"), "{error}");
                ears.fetch_add(1, Ordering::SeqCst);
            });
            let array = Array::<u32>::builder(8).on(&av).build_from(&[0; 8])?;
            let fail = kernel!(|i: tilewise::Index<1>| {
                array[i] += 1;
                if i[0] == 0 {
                    error!("again");
                }
            });
            (0..3000).try_for_each(|_| av.parallel_for_each(array.extent(), &fail))?;
            let mut given = 0;
            while av.wait().is_err() {
                given += 1;
            }
            assert!((1..=2000).contains(&given), "{given} were kept");
            assert_eq!(given + heard.load(Ordering::SeqCst), 3000, "each is told once");
            assert_eq!(array.to_vec()?, [3000; 8]);
            set_error_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn a_hook_that_is_told_of_a_marker_nobody_kept_may_wait_for_another() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let (tell, told) = channel();
            let queue = av.clone();
            set_error_hook(move |error| {
                let marker = queue.create_marker().and_then(Completion::get);
                drop(tell.send((error.to_string(), marker.is_err())));
            });
            let view = ArrayView::from_vec(8, vec![0u32; 8])?;
            parallel_for_each!(&av, view.extent(), |i| view[i] = 1)?;
            view.synchronize()?;
            av.inject_loss("by the test")?;
            drop(av.create_marker()?);
            let (error, failed) = told.recv_timeout(Duration::from_secs(30)).expect("the hook comes to its end");
            assert!(error.contains("by the test") && failed, "{error}");
            set_error_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn transfers_that_nobody_waits_for_do_not_gather() -> Result<()> {
    let _alone = alone();
    for av in gpus() {
        let (from, to) = (Array::<u32>::builder(4).on(&av).build_from(&[1; 4])?, Array::builder(4).on(&av).build()?);
        let ways: [(&str, &dyn Fn() -> Result<()>); 3] = [
            ("from array to array", &|| copy(&from, &to)),
            ("from a slice", &|| copy(&[2u32; 4], &to)),
            ("arrays that come and go", &|| Array::<u32>::builder(4).on(&av).build().map(drop)),
        ];
        for (name, way) in ways {
            (0..5_000).try_for_each(|_| way())?;
            let before = resident();
            (0..100_000).try_for_each(|_| way())?;
            av.wait()?;
            let grown = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
            assert!(grown.is_none_or(|grown| grown < 16 << 20), "{name} on {av:?}: {grown:?} bytes more");
        }
        assert_eq!(to.to_vec()?, [2; 4]);
    }
    Ok(())
}

/// How a hook has another thread touch what the launch wrote, and waits for it.
type Elsewhere = fn(&ArrayView<'static, u32>) -> Result<u32>;

const ELSEWHERE: [(&str, Elsewhere); 3] = [
    ("a copy in the background", |view| copy_async_into(view, Vec::new())?.get().map(|copied| copied[0])),
    ("a completion", |view| {
        let view = view.clone();
        Completion::ready(()).then(move |()| view.get(0)).get()
    }),
    ("a thread", |view| {
        let view = view.clone();
        std::thread::spawn(move || view.get(0)).join().expect("it does not panic")
    }),
];

#[test]
fn a_print_hook_may_wait_for_other_threads_that_touch_what_the_launch_wrote() {
    let _alone = alone();
    for av in launchers() {
        for (name, elsewhere) in ELSEWHERE {
            let av = av.clone();
            ends(&format!("{name} on {av:?}"), move || {
                let view = ArrayView::from_vec(4, vec![0u32; 4])?;
                let (seen, heard) = (view.clone(), Arc::new(Mutex::new(Vec::new())));
                let ears = Arc::clone(&heard);
                set_print_hook(move |_| {
                    let first = elsewhere(&seen).unwrap_or_else(|error| panic!("in the hook: {error}"));
                    ears.lock().unwrap().push(first);
                });
                let launched = parallel_for_each!(&av, view.extent(), |i| {
                    view[i] = 6;
                    if i[0] == 2 {
                        print!("thread {}", i[0]);
                        error!("and an error");
                    }
                });
                let told = launched.and_then(|()| view.synchronize()).expect_err("whoever asked is given it");
                assert!(told.to_string().contains("and an error"), "{told}");
                assert_eq!(*heard.lock().unwrap(), [6]);
                view.synchronize()?;
                av.wait()?;
                set_print_hook(|_| {});
                Ok(())
            });
        }
    }
}

#[test]
fn what_launches_have_to_say_reaches_the_hooks_when_their_queue_is_dropped() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let heard = Arc::new(Mutex::new(Vec::new()));
            let (lines, errors) = (Arc::clone(&heard), Arc::clone(&heard));
            set_print_hook(move |line| lines.lock().unwrap().push(line.to_owned()));
            set_error_hook(move |error| errors.lock().unwrap().push(error.to_string()));
            let view = ArrayView::from_vec(4, vec![7u32; 4])?;
            // Of what it only reads, nobody would ask how the launch ended.
            let queue = av.accelerator().create_view(QueuingMode::Automatic)?;
            parallel_for_each!(&queue, Extent([1]), |_i| {
                print!("reads {}", view[3]);
                error!("read");
            })?;
            drop(queue);
            let told = std::mem::take(&mut *heard.lock().unwrap());
            assert!(told.len() == 2 && told[0] == "reads 7" && told[1].contains("read"), "{told:?}");
            view.synchronize()?;
            // What it wrote is there to ask for the error.
            let queue = av.accelerator().create_view(QueuingMode::Automatic)?;
            parallel_for_each!(&queue, Extent([1]), |i| {
                view[i] = 1;
                print!("writes");
                error!("written");
            })?;
            drop(queue);
            assert_eq!(std::mem::take(&mut *heard.lock().unwrap()), ["writes"]);
            assert!(view.get(0).is_err_and(|error| error.to_string().contains("written")));
            assert_eq!((view.get(0)?, heard.lock().unwrap().len()), (1, 0));
            set_print_hook(|_| {});
            set_error_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn queues_that_come_and_go_leave_nothing_behind() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let lines = Arc::new(AtomicU32::new(0));
            let ears = Arc::clone(&lines);
            set_print_hook(move |_| _ = ears.fetch_add(1, Ordering::SeqCst));
            let view = ArrayView::from_vec(4, vec![0u32; 4])?;
            let rounds = |count: u32| {
                (0..count).try_for_each(|_| {
                    let queue = av.accelerator().create_view(QueuingMode::Automatic)?;
                    parallel_for_each!(&queue, Extent([64]), |i| {
                        view[0] = 1;
                        for k in 0..200 {
                            print!("a line that is long, so that it is seen if it gathers {} {}", i[0], k);
                        }
                    })
                })
            };
            rounds(30)?;
            let before = resident();
            rounds(120)?;
            let grown = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
            assert!(grown.is_none_or(|grown| grown < 48 << 20), "{av:?}: {grown:?} bytes more");
            assert_eq!(lines.load(Ordering::SeqCst), 150 * 64 * 200);
            set_print_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn errors_of_queues_that_are_gone_do_not_gather_at_what_they_wrote() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let heard = Arc::new(AtomicU32::new(0));
            let ears = Arc::clone(&heard);
            set_error_hook(move |_| _ = ears.fetch_add(1, Ordering::SeqCst));
            let view = ArrayView::from_vec(1, vec![0u32; 1])?;
            for _ in 0..1500 {
                let queue = av.accelerator().create_view(QueuingMode::Automatic)?;
                parallel_for_each!(&queue, Extent([1]), |i| {
                    view[i] = 1;
                    error!("again");
                })?;
            }
            let mut given = 0;
            while view.synchronize().is_err() {
                given += 1;
            }
            assert!((1000..=1100).contains(&given), "{given} were kept");
            assert_eq!(given + heard.load(Ordering::SeqCst), 1500, "each is told once");
            set_error_hook(|_| {});
            Ok(())
        });
    }
}

#[test]
fn launches_by_a_hook_do_not_gather() {
    let _alone = alone();
    for av in gpus() {
        ends(&format!("on {av:?}"), move || {
            let (lines, errors) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
            let (ears, heard, grown) = (Arc::clone(&lines), Arc::clone(&errors), Arc::new(AtomicU32::new(0)));
            let (queue, grew, storm) = (av.clone(), Arc::clone(&grown), AtomicBool::new(true));
            set_error_hook(move |_| _ = heard.fetch_add(1, Ordering::SeqCst));
            set_print_hook(move |_| {
                ears.fetch_add(1, Ordering::SeqCst);
                if !storm.swap(false, Ordering::SeqCst) {
                    return;
                }
                let mut before = None;
                for round in 0..1200 {
                    let launched = parallel_for_each!(&queue, Extent([1]), |_i| {
                        for k in 0..800 {
                            print!("a line that is long, so that it is seen if it gathers {}", k);
                        }
                        error!("and an error");
                    });
                    launched.expect("nobody has a guard");
                    if round == 200 {
                        before = resident();
                    }
                }
                let more = resident().zip(before).map_or(0, |(after, before)| after.saturating_sub(before));
                grew.store((more >> 20) as u32, Ordering::SeqCst);
            });
            parallel_for_each!(&av, Extent([1]), |_i| print!("begin"))?;
            av.wait()?;
            let mut given = 0;
            while av.wait().is_err() {
                given += 1;
            }
            let grown = grown.load(Ordering::SeqCst);
            assert!(grown < 48, "{grown} MiB more");
            assert_eq!(lines.load(Ordering::SeqCst), 1 + 1200 * 800);
            assert_eq!(given + errors.load(Ordering::SeqCst), 1200, "each is told once");
            set_print_hook(|_| {});
            set_error_hook(|_| {});
            Ok(())
        });
    }
}

/// A panic hook runs inside of the kernel that panics, so what waits for the launch would wait for
/// ever.
#[test]
fn a_panic_hook_that_uses_what_the_kernel_writes_is_given_errors() {
    let _alone = alone();
    ends("on native", || {
        let view = ArrayView::from_vec(4, vec![1i32; 4])?;
        let other = ArrayView::from_vec(4, vec![5i32; 4])?;
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let escaped: Arc<Mutex<Option<ArrayView<'static, i32>>>> = Arc::default();
        let before = std::panic::take_hook();
        let (mine, free, heard, empty) = (view.clone(), other.clone(), Arc::clone(&seen), Arc::clone(&escaped));
        std::panic::set_hook(Box::new(move |_| {
            let mut heard = heard.lock().expect("nobody panics with it");
            heard.clear();
            let results = [
                mine.get(0).map(drop),
                mine.set(0, 2),
                mine.fill(3),
                mine.host().map(drop),
                mine.host_mut().map(drop),
                mine.to_vec().map(drop),
                copy(&mine, &free),
                copy(&[1, 2, 3, 4], &mine),
                parallel_for_each!(free.extent(), |i| free[i] = 9),
                parallel_for_each!(mine.extent(), |i| mine[i] = 9),
            ];
            // Nothing to discard: the kernel has it.
            mine.discard_data();
            heard.extend(results.map(|result| result.err().map_or("no error".into(), |error| error.to_string())));
            heard.push(free.get(0).map_or_else(|error| error.to_string(), |value| value.to_string()));
            *empty.lock().expect("nobody panics with it") = Some(mine.section(9, 3));
        }));
        let native = Accelerator::new("native")?.default_view();
        let launched = parallel_for_each!(&native, view.extent(), |i| view[i] /= view[i] - 1);
        std::panic::set_hook(before);
        assert!(launched.is_err_and(|error| error.to_string().contains("divide by zero")));
        let seen = seen.lock().expect("nobody panics with it");
        let (last, refused) = seen.split_last().expect("the hook was called");
        assert_eq!(last, "5", "what the kernel does not use is there");
        let (launches, accesses) = (&refused[8..], &refused[..8]);
        assert!(accesses.iter().all(|error| error.contains("inside of a launch that holds the view")), "{accesses:?}");
        assert!(launches.iter().all(|error| error.contains("a kernel cannot launch a kernel")), "{launches:?}");
        let empty = escaped.lock().expect("nobody panics with it").take().expect("the hook left it");
        assert_eq!((empty.host()?.len(), empty.to_vec()?), (0, vec![]));
        view.set(0, 4)?;
        Ok(())
    });
}

#[test]
fn memory_that_nobody_has_touched_takes_no_room() -> Result<()> {
    let _alone = alone();
    let view = ArrayView::<u8>::without_source(1 << 29)?;
    let before = resident();
    view.set(1 << 28, 1)?;
    let grown = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
    assert!(grown.is_none_or(|grown| grown < 64 << 20), "{grown:?} bytes for one");
    assert_eq!((view.get(1 << 28)?, view.get(0)?), (1, 0));
    Ok(())
}
