//! What `native` makes of closures: barriers, `tile_static`, panics, messages.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::ThreadId;

use tilewise::macro_support::{self, Bindings};
use tilewise::{Accelerator, ArrayView, Error, Extent, Index, TiledIndex, amp, parallel_for_each};

use crate::{by_hand, native};

type Tile4 = TiledIndex<1, 4>;

/// Runs a kernel over `tiles` tiles of four threads.
fn tiled(tiles: i32, closure: impl Fn(Tile4) + Send + Sync) -> tilewise::Result<()> {
    native().parallel_for_each(Extent([4 * tiles]).tile::<4>(), &by_hand(closure, Bindings::NEW))
}

#[test]
fn threads_take_turns_from_barrier_to_barrier() {
    let log = Mutex::new(Vec::new());
    let say = |phase: &'static str, t: Tile4| log.lock().unwrap().push((phase, t.global[0]));
    tiled(2, |t| {
        say("a", t);
        t.barrier.wait();
        say("b", t);
        if t.tile[0] == 1 {
            t.barrier.wait_with_tile_static_memory_fence();
            say("c", t);
        }
    })
    .unwrap();
    let of = |phase, threads: std::ops::Range<i32>| threads.map(move |thread| (phase, thread));
    let expected: Vec<_> =
        of("a", 0..4).chain(of("b", 0..4)).chain(of("a", 4..8)).chain(of("b", 4..8)).chain(of("c", 4..8)).collect();
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn a_thousand_threads_meet_in_a_loop() {
    let sum = AtomicU32::new(0);
    let kernel = by_hand(
        |t: TiledIndex<2, 32, 32>| {
            for round in 0..3 {
                assert_eq!(sum.load(Ordering::Relaxed) / 1024, round);
                t.barrier.wait();
                sum.fetch_add(1, Ordering::Relaxed);
                t.barrier.wait();
            }
        },
        Bindings::NEW,
    );
    native().parallel_for_each(Extent([32, 32]).tile::<32, 32>(), &kernel).unwrap();
    assert_eq!(sum.load(Ordering::Relaxed), 3 * 1024);
}

#[test]
fn a_kernel_without_barriers_runs_on_one_thread() {
    let threads = Mutex::new(Vec::<ThreadId>::new());
    tiled(50, |_| threads.lock().unwrap().push(std::thread::current().id())).unwrap();
    let threads = threads.into_inner().unwrap();
    assert_eq!(threads.len(), 200);
    assert!(threads.iter().all(|thread| *thread == threads[0]));
}

#[test]
fn tile_static_is_the_tiles_own_and_zero_at_first() {
    let seen = Mutex::new(Vec::new());
    static VALUES: macro_support::Declared = macro_support::Declared::NEW;
    let with = |f: &mut dyn FnMut(&mut [i32; 4])| macro_support::with_tile_static(&VALUES, || [0; 4], f);
    tiled(3, |t| {
        with(&mut |values| values[t.local[0] as usize] += t.global[0] + 1);
        t.barrier.wait();
        if t.local[0] == 2 {
            with(&mut |values| seen.lock().unwrap().push(*values));
        }
    })
    .unwrap();
    assert_eq!(*seen.lock().unwrap(), [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
}

#[test]
fn variables_of_other_declarations_and_types_are_others() {
    static HERE: macro_support::Declared = macro_support::Declared::NEW;
    static THERE: macro_support::Declared = macro_support::Declared::NEW;
    tiled(1, |t| {
        if t.local[0] == 0 {
            macro_support::with_tile_static(&HERE, || 0, |x: &mut i32| *x = 1);
            macro_support::with_tile_static(&THERE, || 0, |x: &mut i32| *x = 2);
            macro_support::with_tile_static(&HERE, || 0, |x: &mut u32| *x = 3);
        }
        t.barrier.wait();
        assert_eq!(macro_support::with_tile_static(&HERE, || 0, |x: &mut i32| *x), 1);
        assert_eq!(macro_support::with_tile_static(&THERE, || 0, |x: &mut i32| *x), 2);
        assert_eq!(macro_support::with_tile_static(&HERE, || 0, |x: &mut u32| *x), 3);
    })
    .unwrap();
}

fn divergence(result: tilewise::Result<()>) -> (String, Vec<i32>, u32) {
    match result {
        Err(Error::BarrierDivergence(fault)) => (fault.text.clone(), fault.thread, fault.source.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn threads_that_stay_away_from_a_barrier_are_named() {
    let line = line!() + 4;
    let (text, thread, at) = divergence(tiled(3, |t| {
        if t.tile[0] == 1 {
            if t.local[0] != 2 {
                t.barrier.wait();
            }
        } else {
            t.barrier.wait();
        }
    }));
    assert_eq!((thread, at), (vec![4], line), "{text}");
    assert!(
        text.contains("threads of tile (1)") && text.contains("threads 0-1, 3 of the tile reached this barrier"),
        "{text}"
    );
    assert!(text.contains("thread 2 of the tile reached the end of the kernel"), "{text}");
    assert!(text.contains(&format!("{}:{line}:", file!())), "{text}");
}

#[test]
fn threads_at_different_barriers_are_named() {
    let (text, _, _) = divergence(tiled(1, |t| match t.local[0] {
        0 | 1 => t.barrier.wait(),
        2 => t.barrier.wait(),
        _ => t.barrier.wait_with_global_memory_fence(),
    }));
    for side in ["threads 0-1 of the tile reached", "thread 2 of the tile reached", "thread 3 of the tile reached"] {
        assert!(text.contains(side), "{text}");
    }
}

#[test]
fn a_thread_that_waits_once_more_than_the_others_is_found() {
    divergence(tiled(1, |t| {
        for _ in 0..2 + t.local[0] / 3 {
            t.barrier.wait();
        }
    }));
}

fn unsupported(result: tilewise::Result<()>) -> String {
    match result {
        Err(Error::UnsupportedFeature(text)) => text.into(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn where_rust_panics_the_launch_is_unsupported() {
    let zero = std::hint::black_box(0);
    let line = line!() + 2;
    let run = |closure: &(dyn Fn(i32) + Sync)| {
        let kernel = by_hand(|i: Index<1>| closure(i[0]), Bindings::NEW);
        unsupported(native().parallel_for_each(Extent([5]), &kernel))
    };
    let text = run(&|i| assert!(5 / (i - 3 + zero) < 100));
    assert!(text.contains("attempt to divide by zero") && text.contains("`x / 0` is `x`"), "{text}");
    assert!(text.contains(&format!("the kernel at {}:{line}:", file!())), "{text}");
    assert!(run(&|i| assert!(5 % (i + zero) < 100)).contains("`x % 0` is 0"));
    assert!(run(&|i| assert!([1, 2, 3][i as usize + zero as usize] < 100)).contains("a read outside gives zero"));
    assert!(run(&|i| assert!(i32::MAX - 2 + i + zero > 0)).contains("integers wrap"));
    assert!(run(&|i| assert!(1 << (29 + i + zero) != 5)).contains("modulo the width"));
    assert!(run(&|i| assert_ne!(i, 4, "of its own")).contains("of its own"));
}

#[test]
fn a_panic_among_threads_that_wait_ends_the_launch() {
    let text = unsupported(tiled(2, |t| {
        assert!(t.global[0] != 6, "six");
        t.barrier.wait();
    }));
    assert!(text.contains("six"), "{text}");
}

#[test]
fn the_panic_hook_stays_the_programs() {
    // Those of these payloads, of which there are none elsewhere: tests of other threads panic too.
    static SEEN: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| match info.location() {
        Some(at) if info.payload().is::<u8>() => SEEN.lock().unwrap().push(at.line()),
        _ => before(info),
    }));
    let line = line!() + 1;
    assert!(unsupported(tiled(1, |_| std::panic::panic_any(7u8))).contains("a panic without a message"));
    assert_eq!(*SEEN.lock().unwrap(), [line], "a panic in a kernel is reported with its position");
    assert!(std::panic::catch_unwind(|| std::panic::panic_any(7u8)).is_err());
    assert_eq!(SEEN.lock().unwrap().len(), 2, "and so is one elsewhere");
}

#[test]
fn a_payload_that_panics_when_it_is_dropped_ends_the_launch() {
    struct PanicOnDrop;
    impl Drop for PanicOnDrop {
        fn drop(&mut self) {
            std::panic::panic_any(PanicOnDrop);
        }
    }
    let text = unsupported(tiled(2, |t| {
        if t.global[0] == 5 {
            std::panic::panic_any(PanicOnDrop);
        }
        t.barrier.wait();
    }));
    assert!(text.contains("a panic without a message"), "{text}");
    let untiled = by_hand(|_: Index<1>| std::panic::panic_any(PanicOnDrop), Bindings::NEW);
    assert!(unsupported(native().parallel_for_each(Extent([1]), &untiled)).contains("a panic without a message"));
}

#[test]
fn threads_that_end_themselves_count_as_arrived() {
    let after = AtomicU32::new(0);
    let result = tiled(2, |t| {
        if t.global[0] == 5 {
            macro_support::abort();
        }
        if t.global[0] % 4 == 2 {
            macro_support::error(
                &["thread ", " of ", ""],
                &[macro_support::constant(&t.global[0]), macro_support::constant(&8)],
                &["", ""],
            );
        }
        t.barrier.wait();
        after.fetch_add(1, Ordering::Relaxed);
    });
    let Err(Error::Aborted(fault)) = result else { panic!("{result:?}") };
    assert_eq!(fault.message, "thread 2 of 8; 2 other threads ended so too");
    assert_eq!((fault.thread, fault.source.0), (vec![2], file!()));
    assert_eq!(after.load(Ordering::Relaxed), 5);
}

#[test]
fn an_abort_alone() {
    let kernel = by_hand(
        |i: Index<2>| {
            if i == Index([1, 2]) {
                macro_support::abort()
            }
        },
        Bindings::NEW,
    );
    let result = native().parallel_for_each(Extent([3, 4]), &kernel);
    let Err(Error::Aborted(fault)) = result else { panic!("{result:?}") };
    assert_eq!((fault.message.as_str(), fault.thread), ("abort!", vec![1, 2]));
}

#[test]
fn outside_of_a_launch_there_is_no_barrier_and_no_tile() {
    let panics = |f: fn()| {
        let payload = std::panic::catch_unwind(f).unwrap_err();
        payload.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    assert!(
        panics(|| macro_support::native_barrier(macro_support::Fence::All))
            .contains("unsupported feature: a barrier outside")
    );
    assert!(panics(|| macro_support::error(&["no ", ""], &[macro_support::constant(&1)], &[""])).contains("no 1"));
    let untiled = by_hand(|_: Index<1>| macro_support::native_barrier(macro_support::Fence::All), Bindings::NEW);
    assert!(unsupported(native().parallel_for_each(Extent([1]), &untiled)).contains("a barrier outside"));
}

#[test]
fn a_kernel_cannot_launch_a_kernel() {
    let inner = by_hand(|_: Index<1>| {}, Bindings::NEW);
    let result = Mutex::new(None);
    let outer = by_hand(
        |_: Index<1>| *result.lock().unwrap() = Some(native().parallel_for_each(Extent([1]), &inner)),
        Bindings::NEW,
    );
    native().parallel_for_each(Extent([1]), &outer).unwrap();
    drop(outer);
    assert!(unsupported(result.into_inner().unwrap().unwrap()).contains("cannot launch a kernel"));
    native().parallel_for_each(Extent([1]), &inner).unwrap();
}

/// Part of one element, which builds without optimisation copy whole, on a thread of 512 KiB.
fn part_of_large_elements<const N: usize>(tiled: bool) -> tilewise::Result<f32> {
    let view = ArrayView::<[f32; N], 1>::without_source(2)?;
    let out = ArrayView::<f32, 1>::without_source(2)?;
    let native = Accelerator::new(Accelerator::NATIVE)?.default_view();
    let small = std::thread::Builder::new().stack_size(512 << 10);
    std::thread::scope(|scope| {
        let launch = || {
            if tiled {
                let domain = out.extent().tile::<2>();
                return parallel_for_each!((&native, domain), |t| out[t] = view[t][7] + 2.5);
            }
            parallel_for_each!((&native, out.extent()), |i| out[i] = view[i][7] + 2.5)
        };
        small.spawn_scoped(scope, launch).unwrap().join().unwrap()
    })?;
    out.get(1)
}

#[test]
fn parts_of_large_elements_are_read_on_small_stacks() {
    for tiled in [false, true] {
        assert_eq!(part_of_large_elements::<{ 1 << 16 }>(tiled).unwrap(), 2.5, "256 KiB, {tiled}");
        assert_eq!(part_of_large_elements::<{ 1 << 21 }>(tiled).unwrap(), 2.5, "8 MiB, {tiled}");
    }
    let refused = part_of_large_elements::<{ (1 << 22) + 1 }>(false).unwrap_err().to_string();
    assert!(refused.contains("16777220 bytes") && refused.contains("take another accelerator"), "{refused}");
}

/// The hook is the program's own code: views that the kernel does not use work in it as anywhere.
#[test]
fn a_panic_hook_may_count_in_a_view() {
    #[amp]
    fn more(counts: &ArrayView<'static, u32>) {
        counts[1] += 1;
    }
    let counts = ArrayView::from_vec(2, vec![0u32; 2]).unwrap();
    let before = std::panic::take_hook();
    let seen = counts.clone();
    std::panic::set_hook(Box::new(move |info| match info.payload().is::<u16>() {
        true => {
            seen.atomic(0).fetch_inc();
            more(&seen);
        }
        false => before(info),
    }));
    assert!(unsupported(tiled(1, |_| std::panic::panic_any(7u16))).contains("a panic without a message"));
    assert!(counts.get(0).unwrap() > 0);
    assert_eq!(counts.get(0).unwrap(), counts.get(1).unwrap());
}
