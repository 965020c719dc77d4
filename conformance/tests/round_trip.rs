//! Kernels become shaders on the GPU target, come back through the importer, and give the results of
//! the kernel itself, to the bit: all files of the suite, and random kernels. `ROUND_TRIP_KERNELS`
//! says how many of these, `ROUND_TRIP_SEED` from which seed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tilewise_conformance::corpus;
use tilewise_conformance::fuzz::FuzzCase;
use tilewise_conformance::kir::case::{self, prepare};
use tilewise_conformance::round_trip::{PLAN, RoundTripCounts, RoundTripGap, RoundTripOptions, judge_kernel, run};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

/// The runs of one file.
fn of_file(name: &str, text: &str, counts: &mut RoundTripCounts) -> Result<(), String> {
    let file = case::read(name, text);
    let Ok(kernel) = &file.kernel else { return Ok(()) };
    for run in &file.header.runs {
        if file.header.order_dependent.is_some() {
            PLAN.iter().for_each(|&end| counts.gap(end, RoundTripGap::OrderDependent));
            continue;
        }
        let Ok((domain, bound)) = prepare(kernel, run) else { continue };
        let case = FuzzCase {
            kernel: kernel.kernel().clone(),
            domain,
            memory: bound.memory,
            arguments: bound.arguments,
            aliases: Vec::new(),
        };
        judge_kernel(&case, kernel, &PLAN, counts).map_err(|what| format!("{name}: {what}"))?;
    }
    Ok(())
}

#[test]
fn every_kernel_of_the_suite_comes_back_as_a_shader() {
    let wanted = std::env::var("ROUND_TRIP_FILE").unwrap_or_default();
    let files: Vec<_> = corpus::FILES
        .iter()
        .filter(|(name, text)| name.ends_with(".kir") && name.contains(&wanted) && case::launches(text))
        .collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new((RoundTripCounts::default(), BTreeSet::new()));
    let work = || {
        while let Some((name, text)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut counts = RoundTripCounts::default();
            let wrong = of_file(name, text, &mut counts).err();
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.add(&counts);
            found.1.extend(wrong);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let (counts, wrong) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} files\n{counts}", files.len());
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
    if wanted.is_empty() {
        for end in PLAN {
            let agreed = counts.agreed.get(&end).copied().unwrap_or(0);
            assert!(agreed > 500, "{agreed} launches agree on {}, {}", end.0, end.1);
        }
    }
}

#[test]
fn random_kernels_come_back_as_shaders() {
    let options = RoundTripOptions {
        seed: number("ROUND_TRIP_SEED", 5_000_000),
        kernels: number("ROUND_TRIP_KERNELS", 60),
        ..RoundTripOptions::default()
    };
    let report = run(&options, &|report| report.failures.len() < 5);
    println!("{} kernels\n{}", report.kernels, report.counts);
    let failures: Vec<String> = report
        .failures
        .iter()
        .map(|failure| format!("seed {}: {}\n{}", failure.seed, failure.detail, failure.file))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for &(route, target) in &PLAN {
        let agreed = report.counts.agreed.get(&(route, target)).copied().unwrap_or(0);
        assert!(agreed * 4 >= report.kernels * 3, "{agreed} of {} on {route}, {target}", report.kernels);
    }
}

#[test]
fn a_kernel_that_comes_back_too_large_for_lanes_runs_one_thread_at_a_time() {
    // Copies of structs at odd places are many words in a shader, and more stack than `jit` takes for several lanes.
    let text = include_str!("round_trip/copies_of_structs_at_odd_places.kir");
    let mut counts = RoundTripCounts::default();
    of_file("copies_of_structs_at_odd_places.kir", text, &mut counts).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(counts.agreed.len(), PLAN.len(), "{counts}");
}
