//! Many launches: memory stays flat, threads that share views lose nothing. Short in the usual tests; a full run is
//! `TILEWISE_STRESS_SECONDS=600 TILEWISE_STRESS_LAUNCHES=1000000 cargo test --release -p tilewise --test stress -- --nocapture`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Error, QueuingMode, Result, kernel, parallel_for_each};

fn asked(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(number) => number.parse().unwrap_or_else(|_| panic!("{variable} is `{number}`, not a number")),
        Err(_) => otherwise,
    }
}

/// `jit`, and the GPUs that there are.
fn quick() -> Vec<AcceleratorView> {
    let quick = |a: &Accelerator| a.path() == Accelerator::JIT || a.path().starts_with("gpu/");
    Accelerator::all().into_iter().filter(quick).map(|a| a.default_view()).collect()
}

/// Bytes of the process in memory, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn memory_is_flat_over_many_launches() -> Result<()> {
    let launches = asked("TILEWISE_STRESS_LAUNCHES", 20_000);
    for av in quick() {
        let array = Array::<u32>::builder(64).on(&av).build()?;
        let add = kernel!(|i: tilewise::Index<1>| array[i] += 1);
        let rounds = |count: u64| -> Result<()> {
            for round in 0..count {
                av.parallel_for_each(array.extent(), &add)?;
                if round % 64 == 63 {
                    // A view of its own each time: what a launch leaves behind in a home goes with the home.
                    let view = ArrayView::from_vec(16, vec![round as u32; 16])?;
                    parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
                    assert_eq!(view.get(3)?, round as u32 + 1);
                }
            }
            av.wait()
        };
        rounds(launches / 10)?;
        let before = resident();
        let begin = Instant::now();
        rounds(launches)?;
        let each = begin.elapsed() / launches as u32;
        let grown = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
        println!("{}: {launches} launches, {each:?} each, memory grown by {grown:?} bytes", av.accelerator());
        assert!(grown.is_none_or(|grown| grown < 48 << 20), "{av:?}: {grown:?}");
        assert_eq!(array.to_vec()?, [(launches + launches / 10) as u32; 64]);
    }
    Ok(())
}

#[test]
fn threads_that_share_views_lose_nothing() -> Result<()> {
    let end = Instant::now() + Duration::from_secs(asked("TILEWISE_STRESS_SECONDS", 3));
    let (launches, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    let shared = ArrayView::from_vec(1024, vec![0u32; 1024])?;
    let counts = ArrayView::from_vec(4, vec![0u32; 4])?;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (shared, counts, launches, refused) = (&shared, &counts, &launches, &refused);
            scope.spawn(move || {
                let own = shared.section(thread * 256, 256);
                let mut kernels = 0u32;
                while Instant::now() < end {
                    for av in quick() {
                        // One's own quarter, and a counter that all share.
                        let counted = parallel_for_each!(&av, own.extent(), |i| {
                            own[i] += 1;
                            if i[0] == 0 {
                                counts.atomic(0).fetch_inc();
                            }
                        });
                        match counted {
                            Ok(()) => kernels += 1,
                            // Another thread has a guard on the counter.
                            Err(Error::Borrowed(_)) => {
                                refused.fetch_add(1, Ordering::Relaxed);
                                std::thread::yield_now();
                                continue;
                            }
                            Err(error) => panic!("{error}"),
                        }
                    }
                    let rounds = kernels / 2;
                    if rounds.is_multiple_of(8) {
                        assert_eq!(own.get(255).expect("it is there"), kernels);
                    }
                    if rounds.is_multiple_of(16) {
                        match counts.host() {
                            Ok(guard) => assert!(guard[0] >= kernels),
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
                launches.fetch_add(kernels.into(), Ordering::Relaxed);
                assert_eq!(own.to_vec().expect("it is there"), vec![kernels; 256]);
            });
        }
    });
    let launches = launches.into_inner();
    println!("{launches} launches of 4 threads, {} refused because of a guard", refused.into_inner());
    assert_eq!(u64::from(counts.get(0)?), launches);
    Ok(())
}

/// What a launch writes supersedes what is on its way home, whose staging memory is given back while
/// other threads wait for the device, and have it finish mappings.
#[test]
fn downloads_that_are_superseded_end_while_other_threads_wait() -> Result<()> {
    for accelerator in Accelerator::all().into_iter().filter(|a| a.path().starts_with("gpu/")) {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let mut all = Vec::new();
            for number in 0..4 {
                let accelerator = &accelerator;
                all.push(scope.spawn(move || {
                    let av = accelerator.create_view(QueuingMode::Automatic)?;
                    let view = ArrayView::from_vec(1024, vec![0u32; 1024])?;
                    let mut rounds = 0;
                    while begin.elapsed() < Duration::from_secs(3) {
                        parallel_for_each!(&av, view.extent(), |i| view[i] += 1)?;
                        rounds += 1;
                        match number % 2 {
                            0 => drop(view.synchronize_async()?),
                            _ => assert_eq!(view.get(7)?, rounds),
                        }
                    }
                    assert_eq!(view.to_vec()?, vec![rounds; 1024]);
                    Ok(())
                }));
            }
            all.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
        })?;
    }
    Ok(())
}
