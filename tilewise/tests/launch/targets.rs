//! Accelerators and their views; PFE-6, PFE-9.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tilewise::macro_support::{self, Bindings};
use tilewise::{Accelerator, AcceleratorView, ArrayView, Checks, Error, Extent, FloatMode, Index, Launch, QueuingMode};
use tilewise::{amp, parallel_for_each};

use crate::{by_hand, native};

fn accelerator(path: &str) -> Accelerator {
    Accelerator::new(path).unwrap()
}

#[test]
fn acc_1_a_path_that_is_none_is_an_error_with_those_that_are() {
    for path in ["gpu/99", "", "CPU", "Jit"] {
        let Err(Error::Accelerator(text)) = Accelerator::new(path) else { panic!("{path}") };
        assert!(text.contains(&format!("`{path}`")) && text.contains("`native`, `reference`, `jit`"), "{text}");
    }
    assert_eq!("reference".parse::<Accelerator>().unwrap(), accelerator(Accelerator::REFERENCE));
}

#[test]
fn acc_3_all_devices_are_listed() {
    let paths: Vec<String> = Accelerator::all().iter().map(ToString::to_string).collect();
    assert_eq!(paths[..4], ["cpu", "native", "reference", "jit"]);
    // Then come the GPUs that there are.
    assert!(paths[4..].iter().enumerate().all(|(number, path)| *path == format!("gpu/{number}")), "{paths:?}");
}

#[test]
fn acc_7_properties() {
    let [cpu, reference] = [accelerator("cpu"), accelerator("reference")];
    assert_eq!(cpu.description(), "CPU accelerator");
    assert!(cpu.is_emulated() && !cpu.is_debug() && !cpu.has_display());
    assert!(reference.is_emulated() && reference.is_debug() && reference.supports_double_precision());
    assert_eq!((reference.dedicated_memory(), reference.version()), (0, (0, 1)));
    assert_eq!(reference.float_mode(), FloatMode::Strict);
    let jit = accelerator("jit");
    assert!(jit.is_emulated() && !jit.is_debug() && !jit.has_display());
    assert!(jit.supports_double_precision() && jit.supports_cpu_shared_memory());
    assert_eq!((jit.dedicated_memory(), jit.float_mode()), (0, FloatMode::Strict));
}

#[test]
fn acv_1_views_are_equal_when_they_are_the_same_queue() {
    let reference = accelerator("reference");
    assert_eq!(reference.default_view(), reference.default_view());
    let other = reference.create_view(QueuingMode::Immediate).unwrap();
    assert_ne!(other, reference.default_view());
    assert_eq!(other.clone(), other);
    assert_eq!((other.queuing_mode(), other.accelerator()), (QueuingMode::Immediate, &reference));
    assert!(Accelerator::auto_selection_view().is_auto_selection() && !other.is_auto_selection());
    assert_eq!(Accelerator::auto_selection_view(), Accelerator::auto_selection_view());
}

#[test]
fn handles_can_be_sent_and_shared() {
    fn both<T: Send + Sync>() {}
    both::<Accelerator>();
    both::<AcceleratorView>();
    both::<tilewise::Kernel<'_, Index<1>>>();
    both::<Launch<Extent<1>>>();
}

#[test]
fn options_beyond_a_device_are_refused_with_the_reason() {
    let refused = |builder: tilewise::AcceleratorViewBuilder| match builder.create() {
        Err(Error::UnsupportedFeature(text)) => String::from(text),
        other => panic!("{other:?}"),
    };
    let (native, reference) = (accelerator("native"), accelerator("reference"));
    assert!(refused(native.view_builder().checks(Checks::ALL)).contains("`reference` does"));
    assert!(refused(reference.view_builder().threads(4)).contains("one thread at a time"));
    assert!(refused(native.view_builder().pin_threads(true)).contains("pin"));
    let jit = accelerator("jit");
    assert!(refused(jit.view_builder().checks(Checks::ALL)).contains("`reference` does"));
    assert!(refused(jit.view_builder().threads(0)).contains("at least 1 thread"));
    assert!(refused(jit.view_builder().threads(1025)).contains("at most 1024 threads"));
    let view = reference.view_builder().threads(1).checks(Checks::NONE).float_mode(FloatMode::Relaxed);
    let view = view.time_limit(Some(Duration::from_secs(5))).create().unwrap();
    assert_eq!((view.checks(), view.float_mode()), (Checks::NONE, FloatMode::Relaxed));
    assert_eq!(view.time_limit(), Some(Duration::from_secs(5)));
}

#[test]
fn pfe_6_the_cpu_runs_no_kernels() {
    let kernel = by_hand(|_: Index<1>| panic!("nothing runs"), Bindings::NEW);
    let cpu = accelerator("cpu").default_view();
    for result in [cpu.parallel_for_each(Extent([1]), &kernel), kernel.prepare(&cpu)] {
        let Err(Error::Accelerator(text)) = result else { panic!("{result:?}") };
        assert_eq!(&*text, "parallel_for_each is not supported on the selected accelerator \"CPU accelerator\".");
        assert!(Error::Accelerator(text).is_runtime_exception());
    }
}

#[test]
fn a_launch_says_its_float_mode() {
    let kernel = by_hand(|_: Index<1>| {}, Bindings::NEW);
    for mode in [FloatMode::Auto, FloatMode::Strict, FloatMode::Relaxed] {
        let launch = Launch::new(Extent([1])).on(&native()).float_mode(mode);
        assert_eq!(launch.run(&kernel).unwrap(), FloatMode::Strict);
    }
}

#[test]
fn a_kernel_works_on_what_it_captured() {
    let mut data = vec![1, 2, 3];
    let view = ArrayView::new(3, &mut data).unwrap();
    let n = 10;
    let bindings = Bindings::NEW.with(&view).with(&n);
    let (inside, factor) = (macro_support::capture(&view), macro_support::capture(&n));
    let kernel = by_hand(move |i: Index<1>| inside.kernel_write(i, inside.kernel_read(i) * factor), bindings);
    drop(view);
    native().parallel_for_each(Extent([3]), &kernel).unwrap();
    native().parallel_for_each(Extent([2]), &kernel.clone()).unwrap();
    drop(kernel);
    assert_eq!(data, [100, 200, 30]);
}

#[test]
fn a_launch_under_a_guard_is_refused_with_the_place_of_the_guard() {
    let view = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let inside = view.clone();
    let kernel = by_hand(move |i: Index<1>| inside.kernel_write(i, 1), Bindings::NEW.with(&view));
    let section = view.section(1, 1);
    let guard = section.host();
    let line = line!() - 1;
    let result = native().parallel_for_each(Extent([4]), &kernel);
    let Err(Error::Borrowed(at)) = result else { panic!("{result:?}") };
    assert_eq!((at.file(), at.line()), (file!(), line));
    drop(guard);
    native().parallel_for_each(Extent([4]), &kernel).unwrap();
    std::mem::forget(view.section(3, 1).host_mut().unwrap());
    assert!(matches!(native().parallel_for_each(Extent([4]), &kernel), Err(Error::Borrowed(_))));
}

#[test]
fn a_kernel_that_uses_what_it_did_not_capture_panics() {
    let view = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let other = view.clone();
    let kernel = by_hand(move |i: Index<1>| other.kernel_write(i, 1), Bindings::NEW);
    let result = native().parallel_for_each(Extent([4]), &kernel);
    let Err(Error::UnsupportedFeature(text)) = result else { panic!("{result:?}") };
    assert!(text.contains("captured"), "{text}");
    assert_eq!(view.to_vec().unwrap(), [0; 4]);
}

#[test]
fn pfe_9_a_launch_can_be_cancelled_and_limited_in_time() {
    let view = accelerator("native").view_builder().time_limit(Some(Duration::from_millis(20))).create().unwrap();
    let slow = by_hand(|_: Index<1>| std::thread::sleep(Duration::from_millis(1)), Bindings::NEW);
    let result = view.parallel_for_each(Extent([1 << 20]), &slow);
    let Err(Error::AcceleratorViewRemoved(text)) = result else { panic!("{result:?}") };
    assert!(text.contains("20ms"), "{text}");

    let view = accelerator("native").create_view(QueuingMode::Automatic).unwrap();
    let begun = AtomicU32::new(0);
    let slow = by_hand(
        |t: tilewise::TiledIndex<1, 2>| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(1));
            t.barrier.wait();
        },
        Bindings::NEW,
    );
    std::thread::scope(|scope| {
        let launch = scope.spawn(|| view.parallel_for_each(Extent([1 << 20]).tile::<2>(), &slow));
        while begun.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        view.cancel();
        let result = launch.join().unwrap();
        let Err(Error::AcceleratorViewRemoved(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("cancelled"), "{text}");
    });
    let quick = by_hand(|_: Index<1>| {}, Bindings::NEW);
    view.parallel_for_each(Extent([1]), &quick).unwrap();
    assert_eq!((view.flush().is_ok(), view.wait().is_ok()), (true, true));
}

#[test]
fn one_kernel_is_launched_by_many_threads() {
    let view = ArrayView::from_vec(100, vec![0; 100]).unwrap();
    let inside = view.clone();
    let kernel =
        by_hand(move |i: Index<1>| inside.kernel_write(i, inside.kernel_read(i) + 1), Bindings::NEW.with(&view));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..10).for_each(|_| native().parallel_for_each(Extent([100]), &kernel).unwrap()));
        }
    });
    // Launches that write the same elements come one after the other.
    assert_eq!(view.to_vec().unwrap(), [80; 100]);
}

#[test]
fn a_form_is_built_once_however_many_values_are_made_of_it() {
    static BUILT: AtomicU32 = AtomicU32::new(0);
    fn make(n: i32) -> tilewise::Kernel<'static, Index<1>> {
        macro_support::kernel(
            macro_support::Witness::NEW,
            |_: Index<1>| {},
            Bindings::NEW.with(&n),
            || {
                BUILT.fetch_add(1, Ordering::Relaxed);
                macro_support::RustFunction {
                    tree: b"not a tree",
                    file: file!(),
                    types: Vec::new(),
                    links: Vec::new(),
                    shared: Vec::new(),
                    constants: Vec::new(),
                    captures: Vec::new(),
                }
            },
        )
        .unregistered()
    }
    let reference = accelerator("reference").default_view();
    for n in 0..5 {
        let kernel = make(n);
        for _ in 0..2 {
            let result = kernel.prepare(&reference);
            let Err(Error::Kernel(diagnostics)) = result else { panic!("{result:?}") };
            assert_eq!(diagnostics.codes, ["K0701"]);
            assert!(matches!(reference.parallel_for_each(Extent([1]), &kernel), Err(Error::Kernel(_))));
        }
    }
    assert_eq!(BUILT.load(Ordering::Relaxed), 1);
}

#[test]
fn a_kernel_knows_where_it_was_written() {
    let kernel = by_hand(|_: Index<1>| {}, Bindings::NEW);
    let line = line!() - 1;
    assert_eq!((kernel.location().file(), kernel.location().line()), (file!(), line));
    assert!(format!("{kernel:?}").contains(&format!("{}:{line}", file!())));
}

#[test]
fn pfe_9_a_launch_that_waits_for_another_is_cancelled_too() {
    let all = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    for accelerator in all {
        let (held, waits) = (AtomicU32::new(0), AtomicU32::new(0));
        let view = ArrayView::from_vec(8, vec![0; 8]).unwrap();
        let queue = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let hold = by_hand(
            |_: Index<1>| {
                held.store(1, Ordering::Relaxed);
                while waits.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                }
            },
            Bindings::NEW.with(&view),
        );
        std::thread::scope(|scope| {
            let first = scope.spawn(|| native().parallel_for_each(Extent([1]), &hold));
            while held.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            let second = scope.spawn(|| parallel_for_each!(&queue, view.extent(), |i| view[i] = 5));
            // It comes to wait; if it took longer, it would be cancelled later than it begins, or not at all.
            std::thread::sleep(Duration::from_millis(300));
            queue.cancel();
            waits.store(1, Ordering::Relaxed);
            first.join().unwrap().unwrap();
            let result = second.join().unwrap();
            let Err(Error::AcceleratorViewRemoved(text)) = result else { panic!("{accelerator}: {result:?}") };
            assert!(text.contains("cancelled"), "{text}");
        });
        // Launches that come later are not.
        parallel_for_each!(&queue, view.extent(), |i| view[i] += 1).unwrap();
        assert_eq!(view.to_vec().unwrap(), [1; 8], "{accelerator}");
    }
}

#[amp]
fn never_ends(n: i32) -> i32 {
    let mut n = n;
    while n != 1_000_000 {
        n = n % 1000 + 1;
    }
    n
}

#[test]
fn pfe_9_an_endless_loop_ends_at_the_time_limit_on_native() {
    let limit = Some(Duration::from_millis(20));
    let view = accelerator("native").view_builder().time_limit(limit).create().unwrap();
    let out = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let is_late = |result: tilewise::Result<()>| {
        let Err(Error::AcceleratorViewRemoved(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("20ms"), "{text}");
    };
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        while out[i] != 7 {
            out[i] = 1;
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        loop {
            out[i] = 1;
            if out[i] == 7 {
                break;
            }
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        for a in 0..i32::MAX {
            for b in 0..i32::MAX {
                out[i] = a + b;
            }
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        while let Some(n) = Some(out[i]).filter(|n| *n < 7) {
            out[i] = n;
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| out[i] = never_ends(i[0])));
    is_late(parallel_for_each!(&view, out.extent().tile::<2>(), |t| out[t] = never_ends(t.local[0])));
}

/// What never ends by itself is refused before it runs, as everywhere.
#[test]
fn pfe_9_a_loop_that_is_proved_to_be_endless_is_refused_on_native() {
    let native = accelerator("native").default_view();
    let out = ArrayView::from_vec(1, vec![0_u64]).unwrap();
    let is_refused = |result: tilewise::Result<()>| {
        let Err(Error::Kernel(found)) = result else { panic!("{result:?}") };
        assert!(found.text.contains("never come to an end"), "{found}");
    };
    is_refused(parallel_for_each!((&native, out.extent()), |i| {
        loop {
            out[i] = 1;
        }
    }));
    is_refused(parallel_for_each!((&native, out.extent()), |i| {
        for x in (0_u64..).step_by(3).filter(|x| *x % 7 == 8) {
            out[i] = x;
        }
    }));
    assert_eq!(out.get(0).unwrap(), 0);
}

#[test]
fn pfe_9_an_iterator_without_an_end_ends_at_the_time_limit_on_native() {
    let limit = Some(Duration::from_millis(20));
    let view = accelerator("native").view_builder().time_limit(limit).create().unwrap();
    let out = ArrayView::from_vec(1, vec![0_u64]).unwrap();
    let is_late = |result: tilewise::Result<()>| {
        let Err(Error::AcceleratorViewRemoved(text)) = result else { panic!("{result:?}") };
        assert!(text.contains("20ms"), "{text}");
    };
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        for x in (0_u64..).step_by(3).filter(|x| *x % 7 == 8) {
            out[i] = x;
            if out[i] == 7 {
                break;
            }
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        out[i] = (0_u64..20_000_000_000).map(|x| x ^ 5).fold(0, |sum, x| (sum ^ x).rotate_left(3));
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        for x in (0_u64..).skip_while(|x| *x % 7 < 8) {
            out[i] = x;
            if out[i] == 7 {
                break;
            }
        }
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        out[i] = (0_u64..u64::MAX).map(|x| x & 1).filter_map(|x| if x == 2 { Some(x) } else { None }).sum::<u64>();
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        out[i] = (0_u64..).map(|x| x & i[0] as u64).find(|x| *x == 1).unwrap_or(0);
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        out[i] = (0_u64..u64::MAX).map(|x| x & i[0] as u64).max().unwrap_or(0);
    }));
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        out[i] = (0_u64..u64::MAX).map(|x| x & i[0] as u64).product::<u64>();
    }));
    is_late(
        parallel_for_each!(&view, out.extent(), |i| out[i] = (0_u64..u64::MAX).filter(|x| *x % 3 == 4).count() as u64)
    );
    is_late(parallel_for_each!(&view, out.extent(), |i| {
        (0_u64..u64::MAX).zip(5_u64..).for_each(|(x, y)| out[i] = x ^ y);
    }));
}

#[test]
fn pfe_9_an_endless_loop_on_native_can_be_cancelled() {
    let view = accelerator("native").create_view(QueuingMode::Automatic).unwrap();
    let out = ArrayView::from_vec(1, vec![0; 1]).unwrap();
    let begun = AtomicU32::new(0);
    let endless = by_hand(
        |_: Index<1>| {
            begun.fetch_add(1, Ordering::Relaxed);
            never_ends(0);
        },
        Bindings::NEW,
    );
    std::thread::scope(|scope| {
        let launch = scope.spawn(|| view.parallel_for_each(out.extent(), &endless));
        while begun.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        view.cancel();
        let result = launch.join().unwrap();
        assert!(matches!(result, Err(Error::AcceleratorViewRemoved(_))), "{result:?}");
    });
}
