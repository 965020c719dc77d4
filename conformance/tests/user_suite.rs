//! [`Suite`] judges targets of users: right ones pass, and each kind of wrong one is told from the others.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use tilewise::Accelerator;
use tilewise_conformance::sweep::SweepLevel;
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_conformance::tolerance::Tolerance;
use tilewise_conformance::user_suite::SuiteFailure;
use tilewise_conformance::verdict::Verdict;
use tilewise_conformance::{KernelTarget, Suite};
use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

/// Launches, as a right target does.
fn right(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    SuiteTarget::Reference.launch(launch, memory)
}

/// Adds one to the last byte of all memory that a launch changes.
fn adds_one(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let before = memory.clone();
    let outcome = right(launch, memory)?;
    for (after, before) in memory.allocations.iter_mut().zip(&before.allocations) {
        let changed = (0..after.len()).rev().find(|&i| after[i] != before[i]);
        if let Some(byte) = changed {
            after[byte] = after[byte].wrapping_add(1);
        }
    }
    Ok(outcome)
}

fn refuses(_: &TargetLaunch<'_>, _: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    Err(Refusal::Unsupported("it has no units that compute".to_owned()))
}

fn loses_its_device(_: &TargetLaunch<'_>, _: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    Err(Refusal::Driver("device lost".to_owned()))
}

fn panics(_: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    memory.allocations.iter_mut().flatten().for_each(|byte| *byte = 7);
    panic!("out of paper")
}

fn takes_the_memory(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let outcome = right(launch, memory)?;
    memory.allocations.clear();
    Ok(outcome)
}

fn cuts_the_memory(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let outcome = right(launch, memory)?;
    memory.allocations.iter_mut().for_each(|bytes| bytes.truncate(bytes.len() / 2));
    Ok(outcome)
}

/// The failures of a target on one case, as text.
fn failure(target: &dyn KernelTarget, pattern: &str) -> String {
    let report = Suite::new("mine", target).pattern(pattern).run();
    report.check().expect_err("the target is wrong").to_string()
}

#[test]
fn an_accelerator_passes_and_its_cases_are_told_as_they_end() {
    let jit = Accelerator::new("jit").expect("it is everywhere");
    let mut told = Vec::new();
    let report = Suite::new("my jit", &jit)
        .pattern("sync/tile_*")
        .progress(|case| told.push((case.name, case.verdict.name())))
        .run();
    assert_eq!(report.check(), Ok(()));
    assert!(report.counts().pass > 0 && report.executed as usize >= report.counts().pass, "{report}");
    assert_eq!(told.len(), report.cases.len());
    assert!(told.contains(&("sync/tile_sum.kir", "pass")), "{told:?}");
    let xml = report.junit();
    assert!(xml.contains("<testsuite name=\"my jit\"") && xml.contains("name=\"sync/tile_sum.kir\""), "{xml}");
    assert!(report.to_string().starts_with("my jit: "), "{report}");
}

#[test]
fn cells_of_the_sweep_run_on_a_closure_and_at_a_level() {
    let report = Suite::new("mine", &right).pattern("sweep/add/u32").level(SweepLevel::Quick).run();
    assert_eq!(report.check(), Ok(()), "{report}");
    assert_eq!(report.counts().pass, 1);
    let text = failure(&adds_one, "sweep/add/u32");
    assert!(text.starts_with("1 case failed\nsweep/add/u32: "), "{text}");
}

#[test]
fn a_wrong_result_fails_with_the_case_its_line_and_both_values() {
    let text = failure(&adds_one, "sync/tile_sum.kir");
    assert!(text.starts_with("1 case failed\nsync/tile_sum.kir:"), "{text}");
    assert!(text.contains("differs in ") && text.contains("expected ") && text.contains("got "), "{text}");
    let place = text.split("tile_sum.kir:").nth(1).and_then(|rest| rest.split(':').next());
    assert!(place.and_then(|line| line.parse::<u32>().ok()).is_some_and(|line| line > 0), "{text}");
}

#[test]
fn a_panic_and_a_lost_device_fail_with_the_case_and_the_message() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let text = failure(&panics, "sync/tile_sum.kir");
    std::panic::set_hook(hook);
    assert!(text.contains("sync/tile_sum.kir:") && text.contains("the target panicked: out of paper"), "{text}");
    assert!(!text.contains("memory has changed"), "{text}");
    let text = failure(&loses_its_device, "sync/tile_sum.kir");
    assert!(text.contains("sync/tile_sum.kir:") && text.contains("device lost"), "{text}");
}

#[test]
fn a_target_that_runs_nothing_has_not_passed() {
    let report = Suite::new("mine", &refuses).pattern("sync/*").run();
    assert!(report.counts().not_run > 0 && report.counts().fail == 0, "{report}");
    let nothing = report.check().expect_err("nothing ran");
    assert_eq!(nothing, SuiteFailure::NothingRan(Some("it has no units that compute".to_owned())));
    assert!(nothing.to_string().contains("the target ran no kernel"), "{nothing}");
    let report = Suite::new("mine", &right).pattern("no/such/case").run();
    assert_eq!(report.check(), Err(SuiteFailure::NoCase("no/such/case".to_owned())));
    let native = Accelerator::new("native").expect("it is everywhere");
    assert!(failure(&native, "sync/tile_sum.kir").contains("`native` runs closures of Rust"));
}

#[test]
fn a_run_may_stop_at_its_first_failure() {
    let report = Suite::new("mine", &adds_one).pattern("sync/*").stop_at_first().run();
    assert_eq!(report.failures().count(), 1);
    assert!(matches!(report.cases.last().map(|case| &case.verdict), Some(Verdict::Fail(_))));
}

/// A target that is wrong about floats only, and says that it may be.
struct RelaxedFloats(AtomicU32);

impl KernelTarget for RelaxedFloats {
    fn launch(&self, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
        self.0.fetch_add(1, Ordering::Relaxed);
        adds_one(launch, memory)
    }

    fn is_relaxed(&self) -> bool {
        true
    }
}

#[test]
fn other_floats_of_a_relaxed_target_count_as_not_run_and_other_integers_as_failures() {
    let relaxed = RelaxedFloats(AtomicU32::new(0));
    let floats = Suite::new("mine", &relaxed).pattern("sweep/sqrt/f32").run();
    assert_eq!((floats.counts().not_run, floats.counts().fail), (1, 0), "{floats}");
    assert!(relaxed.0.load(Ordering::Relaxed) > 0);
    let nothing = floats.check().expect_err("nothing is shown");
    assert!(matches!(&nothing, SuiteFailure::NothingJudged(Some(why)) if why.contains("Relaxed")), "{nothing:?}");
    assert!(nothing.to_string().starts_with("no case passed"), "{nothing}");
    let integers = Suite::new("mine", &relaxed).pattern("sweep/add/u32").run();
    assert_eq!(integers.counts().fail, 1, "{integers}");
}

#[test]
#[cfg(feature = "gpu")]
fn a_gpu_runs_in_its_strict_form_and_one_that_is_not_there_runs_nothing() {
    let Ok(gpu) = Accelerator::new("gpu/0") else {
        let none = Suite::new("no GPU", &SuiteTarget::GpuStrict).pattern("sync/tile_sum.kir").run();
        assert!(matches!(none.check(), Err(SuiteFailure::NothingRan(Some(_)))));
        return;
    };
    let report = Suite::new("gpu/0", &gpu).pattern("sync/tile_sum.kir").run();
    assert_eq!(report.check(), Ok(()));
}

#[test]
fn the_example_of_the_documentation_is_the_one_that_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("it is there");
    let page = read("../docs/test-your-driver.md");
    let shown = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let source = read("src/user_suite.rs");
    let run: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let run: Vec<&str> = run.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    assert!(run.join("\n").contains(shown.trim_end()), "{shown}");
}

#[test]
fn memory_that_a_target_takes_away_is_not_right() {
    let targets: [&dyn KernelTarget; 2] = [&takes_the_memory, &cuts_the_memory];
    for target in targets {
        for name in ["sweep/atomic_add/u32", "sweep/add/u32", "sync/tile_sum.kir", "atomics/adding_floats.kir"] {
            let text = failure(target, name);
            assert!(text.contains("the target leaves allocations of ["), "{name}: {text}");
        }
    }
}

/// Numbers of a result are a little too large.
fn a_little_more(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let outcome = right(launch, memory)?;
    for word in memory.allocations.iter_mut().flat_map(|bytes| bytes.chunks_exact_mut(4)) {
        let Ok(bytes) = <[u8; 4]>::try_from(&*word) else { continue };
        let number = f32::from_le_bytes(bytes);
        if number == 2.5 {
            word.copy_from_slice(&2.501f32.to_le_bytes());
        }
    }
    Ok(outcome)
}

#[test]
fn floats_may_differ_by_a_tolerance_of_the_users() {
    let suite = || Suite::new("mine", &a_little_more).pattern("memory/vector_add.kir");
    assert_eq!(suite().run().counts().fail, 1);
    let near = suite().tolerance(Tolerance { absolute: 0.01, relative: 0.0 }).run();
    assert_eq!(near.check(), Ok(()), "{near}");
    assert!(near.cases.iter().all(|case| case.within_tolerance));
    assert_eq!(suite().tolerance(Tolerance { absolute: 0.0, relative: 1e-5 }).run().counts().fail, 1);
}

/// The last bit of each number that a launch changes is another.
fn a_last_bit(launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let before = memory.clone();
    let outcome = right(launch, memory)?;
    for (after, before) in memory.allocations.iter_mut().zip(&before.allocations) {
        for (after, before) in after.chunks_exact_mut(4).zip(before.chunks_exact(4)) {
            let number = <[u8; 4]>::try_from(&*after).map_or(0.0, f32::from_le_bytes);
            if after != before && number.is_normal() {
                after[0] ^= 1;
            }
        }
    }
    Ok(outcome)
}

#[test]
fn sums_by_atomic_operations_may_differ_by_it_too() {
    for name in ["sweep/add/f32", "sweep/atomic_add/f32"] {
        let suite = || Suite::new("mine", &a_last_bit).pattern(name);
        assert_eq!(suite().run().counts().fail, 1, "{name}");
        let near = suite().tolerance(Tolerance { absolute: 1e-30, relative: 1e-3 }).run();
        assert_eq!(near.check(), Ok(()), "{name}: {near}");
        assert!(near.cases.iter().all(|case| case.within_tolerance), "{name}");
    }
}
