//! A run of the fuzzer keeps to its time, whatever targets do.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use tilewise_conformance::fuzz::{FuzzOptions, KernelLauncher, KernelSize, run};
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_ir::launch::{LaunchMemory, Outcome, Refusal};

/// What one refusal of [`refuses_slowly`] takes.
const REFUSAL: Duration = Duration::from_millis(200);

/// A driver that refuses every kernel, takes its time over it, and gives another reason each time, so that
/// each is worth shrinking: as a GPU may whose device is lost over a kernel and has to be opened again.
fn refuses_slowly(
    target: SuiteTarget,
    launch: &TargetLaunch<'_>,
    memory: &mut LaunchMemory,
) -> Result<Outcome, Refusal> {
    static REFUSED: Mutex<u64> = Mutex::new(0);
    if target != SuiteTarget::Jit {
        return target.launch(launch, memory);
    }
    thread::sleep(REFUSAL);
    let mut refused = REFUSED.lock().unwrap();
    *refused += 1;
    Err(Refusal::Driver(format!("error {refused} of the driver")))
}

/// A compiler that is always wrong, slowly.
fn is_wrong_slowly(
    target: SuiteTarget,
    launch: &TargetLaunch<'_>,
    memory: &mut LaunchMemory,
) -> Result<Outcome, Refusal> {
    let outcome = target.launch(launch, memory);
    if target == SuiteTarget::Jit {
        thread::sleep(REFUSAL);
        memory.allocations.iter_mut().flatten().for_each(|byte| *byte ^= 1);
    }
    outcome
}

/// A driver that never answers.
fn never_answers(
    target: SuiteTarget,
    launch: &TargetLaunch<'_>,
    memory: &mut LaunchMemory,
) -> Result<Outcome, Refusal> {
    if target == SuiteTarget::Jit {
        thread::sleep(Duration::from_secs(3600));
    }
    target.launch(launch, memory)
}

fn options() -> FuzzOptions {
    FuzzOptions {
        size: KernelSize::Small,
        targets: vec![SuiteTarget::Reference, SuiteTarget::Jit],
        coverage: false,
        jobs: 2,
        ..FuzzOptions::default()
    }
}

/// What a machine with other things to do may take longer than a quiet one.
const SLOWNESS: Duration = Duration::from_secs(10);

#[test]
fn shrinking_kernels_that_a_driver_refuses_slowly_ends_with_the_time_of_the_run() {
    let time = Duration::from_secs(3);
    let options = FuzzOptions { time: Some(time), launcher: KernelLauncher::new(refuses_slowly), ..options() };
    let begin = Instant::now();
    let report = run(&options, &mut |_| true);
    assert!(begin.elapsed() < time + SLOWNESS, "{:?}", begin.elapsed());
    assert!(!report.refused.is_empty() && !report.passed(), "{report:?}");
    assert_eq!(report.unfinished, [], "every step is short");
}

#[test]
fn shrinking_what_differs_ends_with_the_time_of_the_run() {
    let time = Duration::from_secs(3);
    let options = FuzzOptions { time: Some(time), launcher: KernelLauncher::new(is_wrong_slowly), ..options() };
    let begin = Instant::now();
    let report = run(&options, &mut |_| true);
    assert!(begin.elapsed() < time + SLOWNESS, "{:?}", begin.elapsed());
    assert!(!report.failures.is_empty() && !report.passed(), "{report:?}");
}

#[test]
fn shrinking_one_kernel_has_a_time_of_its_own() {
    let shrink_time = Duration::from_secs(2);
    let options = FuzzOptions {
        kernels: 1,
        shrink_time: Some(shrink_time),
        launcher: KernelLauncher::new(refuses_slowly),
        ..options()
    };
    let begin = Instant::now();
    let report = run(&options, &mut |_| true);
    assert!(begin.elapsed() < shrink_time + SLOWNESS, "{:?}", begin.elapsed());
    assert_eq!((report.kernels, report.refused.len()), (1, 1), "{report:?}");
}

#[test]
fn what_never_answers_is_left_behind_and_named_and_no_success() {
    let (time, slack) = (Duration::from_secs(1), Duration::from_secs(1));
    let options =
        FuzzOptions { seed: 7, time: Some(time), slack, launcher: KernelLauncher::new(never_answers), ..options() };
    let begin = Instant::now();
    let report = run(&options, &mut |_| true);
    assert!(begin.elapsed() >= time + slack && begin.elapsed() < time + slack + SLOWNESS, "{:?}", begin.elapsed());
    assert_eq!((report.kernels, report.unfinished.as_slice()), (0, &[7, 8][..]), "{report:?}");
    assert!(!report.passed());
}
