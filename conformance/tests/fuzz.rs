//! The fuzzer is itself tested: what it makes is accepted, ends, and does not depend on the order of threads; it meets everything there is; and what it
//! finds becomes small.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tilewise_conformance::fuzz::{
    Act, Coverage, Endings, FuzzCase, FuzzFault, FuzzOptions, FuzzReport, KernelBudget, KernelEdit, KernelLauncher,
    KernelSize, SeedRng, Subject, count, generate, judge, replay, run, shrink,
};
use tilewise_conformance::kir::case::run_and_bless;
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_conformance::verdict::Verdict;
use tilewise_interp as interp;
use tilewise_ir::check::check;
use tilewise_ir::kernel::{Function, Inst, InstKind, Kernel, Place, Root, Step};
use tilewise_ir::launch::{
    Argument, CheckReport, Domain, Finding, LaunchMemory, Outcome, Refusal, ViewArgument, Where,
};
use tilewise_ir::ops::Op;
use tilewise_ir::text::parse;
use tilewise_ir::types::{Data, Type, ValueType};

/// Enough that everything is met with room to spare.
const KERNELS: u64 = 3000;

/// Kernels of all sizes on the interpreter, which two tests look at.
fn of_all_sizes() -> &'static FuzzReport {
    static REPORT: OnceLock<FuzzReport> = OnceLock::new();
    REPORT.get_or_init(|| {
        let kernels = std::env::var("FUZZ_KERNELS").ok().and_then(|n| n.parse().ok()).unwrap_or(KERNELS);
        let seed = std::env::var("FUZZ_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
        let options = FuzzOptions { kernels, seed, targets: vec![SuiteTarget::Reference], ..FuzzOptions::default() };
        run(&options, &mut |report| report.failures.len() < 5)
    })
}

#[test]
fn kernels_are_accepted_end_agree_in_every_order_read_back_equal_and_meet_everything() {
    let report = of_all_sizes();
    for failure in &report.failures {
        eprintln!("{}", failure.file);
    }
    let coverage = report.coverage.clone().unwrap_or_default();
    println!("{coverage}\n{} kernels in {:?}", report.kernels, report.time);
    let failures: Vec<_> = report.failures.iter().map(|f| (f.seed, f.fault.name(), &f.detail)).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(coverage.missing(), [], "never executed");
}

#[test]
fn small_kernels_are_made_of_the_same_things_as_others() {
    let kernels = of_all_sizes().kernels;
    let options = FuzzOptions {
        kernels,
        size: KernelSize::Small,
        targets: vec![SuiteTarget::Reference],
        ..FuzzOptions::default()
    };
    let small = run(&options, &mut |_| true);
    assert!(small.failures.is_empty(), "{:?}", small.failures);
    assert!(small.instructions * 3 < of_all_sizes().instructions * 2, "{} instructions", small.instructions);
    let sums = |coverage: &Coverage| {
        let mut sums: BTreeMap<Subject, u64> = BTreeMap::new();
        coverage.counts().for_each(|(subject, _, count)| *sums.entry(subject).or_default() += count);
        sums
    };
    let (all, few) = (of_all_sizes().coverage.clone().unwrap_or_default(), small.coverage.unwrap_or_default());
    let (all_sums, few_sums) = (sums(&all), sums(&few));
    let counts: BTreeMap<(Subject, &str), u64> = few.counts().map(|(subject, key, n)| ((subject, key), n)).collect();
    let mut rarer = Vec::new();
    for (subject, key, count) in all.counts().filter(|(.., count)| *count >= 60) {
        let found = counts.get(&(subject, key)).copied().unwrap_or(0);
        // Of all that is counted for the subject, the share is at least a sixth of what it is among all sizes.
        if found * 6 * all_sums[&subject] < count * few_sums[&subject] {
            rarer.push((subject, key, count, found));
        }
    }
    assert_eq!(rarer, []);
}

/// A driver that fails to take some kernels.
fn picky(target: SuiteTarget, launch: &TargetLaunch<'_>, memory: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    if target == SuiteTarget::Jit && is_beyond_the_driver(launch.domain) {
        return Err(Refusal::Driver("compilation failed: 3".into()));
    }
    target.launch(launch, memory)
}

fn is_beyond_the_driver(domain: &Domain) -> bool {
    domain.threads().is_multiple_of(3)
}

#[test]
fn what_a_driver_fails_to_take_is_counted_and_saved_and_ends_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-refused");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    let options = FuzzOptions {
        kernels: 40,
        size: KernelSize::Small,
        targets: vec![SuiteTarget::Reference, SuiteTarget::Jit, SuiteTarget::Lanes8],
        coverage: false,
        launcher: KernelLauncher::new(picky),
        save: Some(folder.clone()),
        ..FuzzOptions::default()
    };
    let report = run(&options, &mut |_| true);
    let wanted: Vec<u64> =
        (0..40).filter(|&seed| is_beyond_the_driver(&generate(seed, KernelSize::Small.budget(seed)).domain)).collect();
    assert!(wanted.len() > 3 && wanted.len() < 40, "{wanted:?}");
    assert_eq!((report.kernels, report.failures.len(), report.unsaved.as_deref()), (40, 0, None));
    assert_eq!(report.refused.iter().map(|refused| refused.seed).collect::<Vec<_>>(), wanted);
    assert_eq!(report.refusals(), BTreeMap::from([(SuiteTarget::Jit, wanted.len() as u64)]));
    assert!(!report.passed());
    // The other targets ran: four times on the first, twice on the third, four times on `jit`.
    assert_eq!(report.launches, 40 * (4 + 2) + (40 - wanted.len() as u64) * 4);
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut expected: Vec<String> = wanted.iter().map(|seed| format!("refused-jit-{seed}.kir")).collect();
    expected.sort();
    assert_eq!(names, expected);
    let file = fs::read_to_string(folder.join(&names[0])).unwrap();
    assert!(file.contains("compilation failed: 3") && file.contains("\nkernel fuzzed("), "{file}");
    // One is as small as can be: threads that do nothing.
    let small = report.refused.iter().filter(|refused| refused.file.ends_with("\nkernel fuzzed() rank(1) {\n}\n"));
    assert_eq!(small.count(), 1, "{:?}", report.refused);
}

/// A driver that takes the process with it, as far as a test can see that.
fn deadly(_: SuiteTarget, _: &TargetLaunch<'_>, _: &mut LaunchMemory) -> Result<Outcome, Refusal> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-deadly");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert_eq!(names.collect::<Vec<_>>(), ["running-5.kir"]);
    let file = fs::read_to_string(folder.join("running-5.kir")).unwrap();
    assert!(file.contains("\nkernel fuzzed("), "{file}");
    Err(Refusal::Driver("it was there".into()))
}

#[test]
fn the_kernel_that_runs_is_in_a_file_while_it_does() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-deadly");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    let targets = vec![SuiteTarget::Reference];
    let options = FuzzOptions {
        kernels: 1,
        seed: 5,
        targets,
        coverage: false,
        launcher: KernelLauncher::new(deadly),
        save: Some(folder),
        jobs: 1,
        ..FuzzOptions::default()
    };
    let report = run(&options, &mut |_| true);
    assert_eq!((report.failures.len(), report.refused.len()), (0, 1), "{:?}", report.failures);
}

#[test]
fn targets_that_take_turns_meet_kernels_of_every_size() {
    let targets = vec![SuiteTarget::Reference, SuiteTarget::GpuModule, SuiteTarget::GpuStrict];
    let options = FuzzOptions { targets, alternate: true, ..FuzzOptions::default() };
    for size in 0..32 {
        let met: HashSet<Vec<SuiteTarget>> = (0..4).map(|round| options.targets_of(round * 32 + size)).collect();
        assert_eq!(met.len(), 2, "{size}");
        assert!(met.iter().all(|targets| targets.len() == 2 && targets[0] == SuiteTarget::Reference));
    }
}

#[test]
fn all_targets_agree_on_random_kernels() {
    // Seeds of their own: those of the test above are looked at by the reference in several orders.
    let options = FuzzOptions { seed: 1_000_000, kernels: 200, coverage: false, tries: 500, ..FuzzOptions::default() };
    let report = run(&options, &mut |report| report.failures.len() < 3);
    for failure in &report.failures {
        eprintln!("{}", failure.file);
    }
    let failures: Vec<_> = report.failures.iter().map(|f| (f.seed, f.fault.name(), &f.detail)).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(report.not_run.is_empty(), "a target ran less than everything: {:?}", report.not_run);
    let share = report.share;
    println!("{} launches of {} kernels in {:?}: {:?}", report.launches, report.kernels, report.time, report.endings);
    println!("{} of {} kernels and loops in lanes", share.lanes, share.parts);
    assert!(share.percent() >= 95.0, "{:.1}% run in lanes; not these: {:?}", share.percent(), report.scalar);
    let Endings { completed, failed, diverged } = report.endings;
    assert!(completed > 8 * (failed + diverged) && failed > 0 && diverged > 0, "{:?}", report.endings);
}

#[test]
fn a_seed_means_one_case() {
    for seed in 0..50 {
        let [a, b] = [0, 1].map(|_| generate(seed, KernelBudget::MEDIUM));
        assert_eq!(a.kernel, b.kernel);
        assert_eq!((a.memory, a.arguments, a.domain), (b.memory, b.arguments, b.domain));
    }
    assert_ne!(generate(1, KernelBudget::SMALL).kernel, generate(2, KernelBudget::SMALL).kernel);
}

/// Changes nothing.
struct Same;

impl KernelEdit for Same {}

#[test]
fn a_kernel_made_again_without_changes_is_equal() {
    for seed in 0..300 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        assert_eq!(replay(&case.kernel, &mut Same), case.kernel, "seed {seed}");
    }
}

#[test]
fn most_of_what_is_generated_is_executed() {
    // Executed by some thread; the rest stands in branches that no thread of that launch takes.
    let options = FuzzOptions { kernels: 200, ..FuzzOptions::default() };
    let report = run(&options, &mut |_| true);
    let executed: u64 = report
        .coverage
        .iter()
        .flat_map(|coverage| {
            coverage.counts().filter(|(s, ..)| s.name() == "instruction").map(|(.., n)| n).collect::<Vec<_>>()
        })
        .sum();
    println!("{executed} of {} instructions", report.instructions);
    assert!(executed * 2 > report.instructions, "{executed} of {} instructions", report.instructions);
}

/// Is there a product of integers that is stored as it is?
fn stores_product(function: &Function) -> bool {
    let mut products = HashSet::new();
    let mut stored = false;
    function.body().walk(&mut |inst: &Inst| {
        if let InstKind::Op { op: Op::Mul, .. } = inst.kind {
            products.extend(inst.result.filter(|&result| is_integer(function, result)));
        }
        if let InstKind::Store { value, .. } = &inst.kind {
            stored |= products.contains(value);
        }
    });
    stored
}

fn is_integer(function: &Function, value: tilewise_ir::kernel::ValueId) -> bool {
    matches!(function.value(value).ty, ValueType::Data(Data { scalar, .. }) if scalar.is_integer())
}

#[test]
fn a_fault_of_one_operation_shrinks_to_it_and_what_it_needs() {
    let planted = |case: &FuzzCase| case.kernel.functions().iter().chain([case.kernel.entry()]).any(stores_product);
    let cases = (0..4000).map(|seed| generate(seed, KernelBudget::of_seed(seed))).filter(planted).take(3);
    let mut met = 0;
    for case in cases {
        let small = shrink(case, 6000, &mut |case| planted(case));
        println!("{}", small.to_file("a stored product"));
        assert!(planted(&small) && check(small.kernel.clone()).is_ok());
        // The product, the store, and a variable or an index.
        assert!(count(&small.kernel) <= 6, "{} instructions", count(&small.kernel));
        assert_eq!(small.domain.threads(), 1);
        met += 1;
    }
    assert_eq!(met, 3);
}

/// A compiler that takes `-` for `+`.
struct Wrong;

impl KernelEdit for Wrong {
    fn act(&mut self, _: usize, inst: &Inst) -> Act {
        let InstKind::Op { op: Op::Sub, args } = &inst.kind else { return Act::Keep };
        Act::Replace(InstKind::Op { op: Op::Add, args: args.clone() })
    }
}

fn result(case: &FuzzCase, wrong: bool) -> Option<LaunchMemory> {
    let kernel = if wrong { replay(&case.kernel, &mut Wrong) } else { case.kernel.clone() };
    let mut memory = case.memory.clone();
    let options = interp::Options { fuel: Some(1_000_000), ..interp::Options::default() };
    interp::run(&check(kernel).ok()?, &case.domain, &mut memory, &case.arguments, &options).ok()?;
    Some(memory)
}

fn loops(kernel: &Kernel) -> usize {
    let mut loops = 0;
    for function in kernel.functions().iter().chain([kernel.entry()]) {
        function.body().walk(&mut |inst| loops += usize::from(matches!(inst.kind, InstKind::Loop { .. })));
    }
    loops
}

#[test]
fn a_wrong_result_shrinks_to_a_kernel_that_still_shows_it() {
    let differs = |case: &FuzzCase| match (result(case, false), result(case, true)) {
        (Some(right), Some(wrong)) => case.compare(&right, &wrong).is_some(),
        _ => false,
    };
    // A function of a library that is wrong may be larger than what is asked for.
    let has_library = |case: &FuzzCase| case.kernel.functions().iter().any(|f| f.name().contains("::"));
    let usual = |case: &FuzzCase| !has_library(case) && differs(case);
    let found: Vec<FuzzCase> =
        (0..200).map(|seed| generate(seed, KernelBudget::of_seed(seed))).filter(usual).take(8).collect();
    assert_eq!(found.len(), 8, "a compiler this wrong is noticed at once");
    for case in found {
        let mut asked = 0;
        let before = count(&case.kernel);
        let small = shrink(case, 6000, &mut |case| {
            asked += 1;
            differs(case)
        });
        println!("{before} instructions, {asked} launches");
        println!("{}", small.to_file("a difference"));
        // A loop that the difference needs is a counter, its condition and its increment.
        let most = 16 + 8 * loops(&small.kernel);
        assert!(count(&small.kernel) <= most, "{} instructions, {most} are allowed", count(&small.kernel));
        assert!(differs(&small));
    }
}

#[test]
fn a_case_is_a_file_test() {
    for seed in 0..120 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let mut text = case.to_file("Made at random");
        let mut blessed = run_and_bless("fuzzed.kir", &text, SuiteTarget::Reference).1;
        if blessed.is_none() {
            // Which tile is told of, where several diverge, depends on their order.
            text =
                text.replacen("//! fuel", "//! order-dependent because of several tiles one is told of\n//! fuel", 1);
            blessed = run_and_bless("fuzzed.kir", &text, SuiteTarget::Reference).1;
            assert!(blessed.as_ref().is_none_or(|blessed| blessed.contains("//! expect divergence")), "seed {seed}");
        }
        let Some(blessed) = blessed else { panic!("seed {seed} can not be blessed:\n{text}") };
        let (verdict, _) = run_and_bless("fuzzed.kir", &blessed, SuiteTarget::Reference);
        assert!(matches!(verdict, Verdict::Pass), "seed {seed}: {verdict:?}\n{blessed}");
    }
}

#[test]
fn what_is_wrong_is_told_apart() {
    let mut case = generate(1, KernelBudget::SMALL);
    assert!(judge(&case, &SuiteTarget::on_this_cpu(), &mut Default::default()).is_ok());
    case.arguments.pop();
    let fault = judge(&case, &SuiteTarget::on_this_cpu(), &mut Default::default()).map_err(|(fault, _)| fault);
    assert_eq!(fault, Err(FuzzFault::Refused));
    // Threads that all store to one place race, which is no difference.
    let racy = "kernel k(a: view<i32, 1, read_write>) rank(1) { a[0] = global[0]; }";
    let case = FuzzCase {
        kernel: parse("k.kir", racy).unwrap_or_else(|failure| panic!("{failure:?}")),
        domain: Domain::new([2]),
        memory: LaunchMemory::new(vec![vec![0; 4]]),
        arguments: vec![Argument::View(ViewArgument::dense(0, &[1]))],
        aliases: Vec::new(),
    };
    let fault = judge(&case, &SuiteTarget::on_this_cpu(), &mut Default::default()).map_err(|(fault, _)| fault);
    assert_eq!(fault, Err(FuzzFault::Report));
}

/// A compiler that forgets barriers.
struct NoBarriers;

impl KernelEdit for NoBarriers {
    fn act(&mut self, _: usize, inst: &Inst) -> Act {
        if matches!(inst.kind, InstKind::Barrier(_)) { Act::Drop } else { Act::Keep }
    }
}

#[test]
fn a_forgotten_barrier_is_noticed() {
    let (mut with_barriers, mut noticed) = (0, 0);
    for seed in 0..600 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let kernel = replay(&case.kernel, &mut NoBarriers);
        if kernel == case.kernel {
            continue;
        }
        with_barriers += 1;
        let wrong = FuzzCase { kernel, ..case.clone() };
        let agree = |order: interp::ThreadOrder| -> Option<bool> {
            let options = interp::Options { fuel: Some(1_000_000), order, ..interp::Options::default() };
            let [right, wrong] = [&case, &wrong].map(|case| {
                let mut memory = case.memory.clone();
                let kernel = check(case.kernel.clone()).ok()?;
                interp::run(&kernel, &case.domain, &mut memory, &case.arguments, &options).ok()?;
                Some(memory)
            });
            Some(case.compare(&right?, &wrong?).is_none())
        };
        noticed += u32::from(
            agree(interp::ThreadOrder::Linear) == Some(false) || agree(interp::ThreadOrder::Shuffled(1)) == Some(false),
        );
    }
    println!("{noticed} of {with_barriers}");
    assert!(noticed * 3 > with_barriers, "{noticed} of {with_barriers}");
}

/// A compiler that takes zero for the result of one operation.
struct Zero {
    number: usize,
}

impl KernelEdit for Zero {
    fn act(&mut self, number: usize, _: &Inst) -> Act {
        if number == self.number { Act::Drop } else { Act::Keep }
    }
}

#[test]
fn what_is_computed_is_seen() {
    let mut rng = SeedRng::new(1);
    let (mut faults, mut noticed) = (0, 0);
    for seed in 0..400 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let number = rng.below(count(&case.kernel));
        let kernel = replay(&case.kernel, &mut Zero { number });
        if kernel == case.kernel || check(kernel.clone()).is_err() {
            continue;
        }
        faults += 1;
        let wrong = FuzzCase { kernel, ..case.clone() };
        noticed += u32::from(match (result(&case, false), result(&wrong, false)) {
            (Some(right), Some(wrong)) => case.compare(&right, &wrong).is_some(),
            _ => true,
        });
    }
    println!("{noticed} of {faults}");
    assert!(noticed * 4 > faults, "{noticed} of {faults}");
}

#[test]
fn race_free_kernels_have_no_races() {
    let checks = interp::Checks { out_of_range: false, ..interp::Checks::all() };
    // What the generator makes counts on memory that begins as zero; of what the host hands over nothing is fresh.
    let is_wrong = |finding: &Finding| match finding {
        Finding::ReadBeforeWrite(memory) => *memory == Where::Global,
        Finding::Race { .. } | Finding::OutOfRange(_) | Finding::NotWithin { .. } | Finding::Misaligned { .. } => true,
        Finding::Arithmetic { .. } => true,
    };
    let mut executed = 0;
    for seed in 0..200 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let kernel = check(case.kernel.clone()).unwrap_or_else(|rejected| panic!("{rejected}"));
        for order in [interp::ThreadOrder::Linear, interp::ThreadOrder::Shuffled(seed)] {
            let options = interp::Options { fuel: Some(10_000_000), order, checks: checks.clone() };
            let mut memory = case.memory.clone();
            let outcome = interp::run(&kernel, &case.domain, &mut memory, &case.arguments, &options).unwrap();
            let messages: Vec<String> =
                outcome.reports.iter().filter(|r| is_wrong(&r.finding)).map(CheckReport::message).collect();
            assert!(messages.is_empty(), "seed {seed}: {messages:?}");
            executed += outcome.instructions;
        }
    }
    assert!(executed > 100_000, "{executed}");
}

#[test]
fn long_arrays_of_a_thread_that_loops_change_are_met() {
    let mut kernels = 0;
    for seed in 0..600 {
        let kernel = generate(seed, KernelSize::Small.budget(seed)).kernel;
        let is_long = |place: &Place| {
            let Root::Local(local) = place.root else { return false };
            let ty = kernel.entry().locals()[local.index()].ty;
            let length = match kernel.types().get(ty) {
                Type::Array { length: Some(length), .. } => *length,
                Type::Array { length: None, .. } | Type::Scalar(_) | Type::Vector(..) | Type::Struct(_) => 0,
            };
            length > 33 && matches!(place.path[..], [Step::Index(_)])
        };
        let mut met = false;
        kernel.entry().body().walk(&mut |inst| {
            if let InstKind::Loop { body, .. } = &inst.kind {
                let (mut loads, mut stores) = (0, 0);
                body.walk(&mut |inst| {
                    loads += u32::from(matches!(&inst.kind, InstKind::Load(place) if is_long(place)));
                    stores += u32::from(matches!(&inst.kind, InstKind::Store { place, .. } if is_long(place)));
                });
                met |= loads > 0 && stores > 1;
            }
        });
        kernels += u32::from(met);
    }
    println!("{kernels} of 600 kernels");
    assert!(kernels >= 6, "{kernels} of 600 kernels");
}

#[test]
fn atomic_operations_on_words_that_are_not_aligned_are_met() {
    let checks = interp::Checks { out_of_range: true, ..interp::Checks::default() };
    let mut kernels = 0;
    for seed in 0..600 {
        let case = generate(seed, KernelBudget::of_seed(seed));
        let kernel = check(case.kernel.clone()).unwrap_or_else(|rejected| panic!("{rejected}"));
        let options = interp::Options { fuel: Some(10_000_000), checks: checks.clone(), ..interp::Options::default() };
        let mut memory = case.memory.clone();
        let outcome = interp::run(&kernel, &case.domain, &mut memory, &case.arguments, &options).unwrap();
        let is_misaligned = |report: &CheckReport| matches!(report.finding, Finding::Misaligned { .. });
        kernels += u32::from(outcome.reports.iter().any(is_misaligned));
    }
    println!("{kernels} of 600 kernels");
    assert!(kernels >= 12, "{kernels} of 600 kernels");
}
