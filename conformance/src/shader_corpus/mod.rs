//! Judges shaders of others: each entry point is imported, checked, run on made-up inputs on the
//! reference accelerator, and compared between targets.
//!
//! A shader of the world comes without inputs. [`inputs`] makes some from the declared types; as
//! many shaders do nothing unless a number means something to them, several sets are tried until one
//! makes the shader write. What a shader computes may depend on the order of its threads (atomics,
//! races); then targets are compared in one order only.

mod inputs;

use std::collections::BTreeSet;
use std::time::Duration;

use tilewise_import::{ImportOptions, ShaderModule};
use tilewise_interp::Checks;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Diagnostic;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Domain, Ending, LaunchMemory, Outcome, Refusal};
use tilewise_ir::pos::Sources;

use crate::kir::case::{RELAXED, relaxed_allows};
use crate::kir::shader::domain;
use crate::memory_difference::memory_difference;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch};
use inputs::{InputSet, MadeInputs};

/// How to judge.
#[derive(Clone, Debug)]
pub struct CorpusOptions {
    /// Targets that are compared with the reference.
    pub targets: Vec<SuiteTarget>,
    /// Workgroups in x, y and z.
    pub dispatch: [u32; 3],
    /// Bytes of each runtime-sized array.
    pub bytes: u64,
    /// The limit on instructions of a launch on the reference.
    pub fuel: u64,
    /// Time for a launch on another target.
    pub time: Duration,
}

impl Default for CorpusOptions {
    fn default() -> CorpusOptions {
        let wanted = [SuiteTarget::JitClif, SuiteTarget::JitAvx2, SuiteTarget::JitAvx512, SuiteTarget::Lanes8];
        CorpusOptions {
            targets: wanted.into_iter().filter(|target| target.missing().is_none()).collect(),
            dispatch: [2, 1, 1],
            bytes: 16 << 10,
            fuel: 30_000_000,
            time: Duration::from_secs(10),
        }
    }
}

/// How far an entry point came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EntryVerdict {
    /// The importer refuses it.
    NotImported,
    /// The checker refuses its kernel.
    NotChecked,
    /// A launch is refused, or does not come to its end, on the reference accelerator; or no target
    /// could be compared with it.
    NotRun,
    /// A script of Amber ran, and the reference accelerator does not give what it expects.
    NotAsExpected,
    /// Targets disagree.
    Disagreed,
    /// It ran and all targets agree, but it wrote nothing with any inputs.
    WroteNothing,
    /// It ran and all targets agree in one order of threads; other orders give other results.
    AgreedInOrder,
    /// It ran and all targets agree.
    Agreed,
}

impl EntryVerdict {
    /// All, from the worst to the best.
    pub const ALL: [EntryVerdict; 8] = [
        EntryVerdict::NotImported,
        EntryVerdict::NotChecked,
        EntryVerdict::NotRun,
        EntryVerdict::NotAsExpected,
        EntryVerdict::Disagreed,
        EntryVerdict::WroteNothing,
        EntryVerdict::AgreedInOrder,
        EntryVerdict::Agreed,
    ];

    /// The verdict in reports for programs.
    pub const fn name(self) -> &'static str {
        match self {
            EntryVerdict::NotImported => "not-imported",
            EntryVerdict::NotChecked => "not-checked",
            EntryVerdict::NotRun => "not-run",
            EntryVerdict::NotAsExpected => "not-as-expected",
            EntryVerdict::Disagreed => "disagreed",
            EntryVerdict::WroteNothing => "wrote-nothing",
            EntryVerdict::AgreedInOrder => "agreed-in-order",
            EntryVerdict::Agreed => "agreed",
        }
    }

    /// Did it run, with one result on all targets?
    pub const fn is_agreement(self) -> bool {
        matches!(self, EntryVerdict::WroteNothing | EntryVerdict::AgreedInOrder | EntryVerdict::Agreed)
    }
}

/// What became of an entry point.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryReport {
    /// Its name.
    pub entry: String,
    /// How far it came.
    pub verdict: EntryVerdict,
    /// Why not further; where targets differ; which targets were not compared.
    pub reason: String,
    /// For a refusal, each message with its line (0 if unknown).
    pub refusals: Vec<(String, u32)>,
    /// The codes that the checks of the reference accelerator report.
    pub findings: Vec<String>,
    /// The inputs that were used last.
    pub inputs: String,
    /// Instructions on the reference accelerator.
    pub instructions: u64,
    /// The targets that were compared with it.
    pub compared: Vec<SuiteTarget>,
}

/// The value of an override without a default.
const OVERRIDE: f64 = 4.0;

/// How many times the instructions one workgroup gets in the end, if no launch ended, and other targets than the
/// reference get.
const PATIENCE: u64 = 10;

/// Judges one entry point.
pub fn judge(module: &ShaderModule, entry: &str, options: &CorpusOptions) -> EntryReport {
    let mut report = EntryReport::new(entry);
    let mut import = ImportOptions { entry: Some(entry.to_owned()), ..ImportOptions::default() };
    for (name, has_default) in module.overrides_with_defaults() {
        if !has_default {
            import.overrides.insert(name, OVERRIDE);
        }
    }
    let shader = match module.import(&import) {
        Ok(shader) => shader,
        Err(error) => {
            report.refused(&error.diagnostics, &error.sources);
            return report;
        }
    };
    let kernel = match check(shader.kernel) {
        Ok(kernel) => kernel,
        Err(rejected) => {
            report.verdict = EntryVerdict::NotChecked;
            report.refused(&rejected.diagnostics, &rejected.sources);
            return report;
        }
    };
    report.verdict = EntryVerdict::NotRun;
    let domains = domain(options.dispatch, shader.workgroup_size)
        .and_then(|extent| Ok((Domain::new(extent), Domain::new(domain([1, 1, 1], shader.workgroup_size)?))));
    let (extent, alone) = match domains {
        Ok(domains) => domains,
        Err(message) => {
            report.reason = message;
            return report;
        }
    };
    let patient = CorpusOptions { dispatch: [1, 1, 1], fuel: options.fuel.saturating_mul(PATIENCE), ..options.clone() };
    let first = InputSet::ALL.map(|set| (set, options, &extent));
    // Some shaders have long loops whatever their inputs are.
    let last = InputSet::FEWEST.map(|set| (set, &patient, &alone));
    let mut depends_on_set = true;
    let mut is_out_of_fuel = false;
    for (set, options, domain) in first.into_iter().chain(last) {
        let is_wanted = if std::ptr::eq(options, &patient) {
            is_out_of_fuel && report.verdict == EntryVerdict::NotRun
        } else if set.is_zero() {
            // Memory of zeros is for launches that do not end with made-up contents.
            report.verdict == EntryVerdict::NotRun
        } else {
            depends_on_set
        };
        if !is_wanted {
            continue;
        }
        let made = match MadeInputs::make(&kernel, &shader.bindings, set, options.bytes) {
            Ok(made) => made,
            Err(message) => {
                report.reason = message;
                return report;
            }
        };
        depends_on_set = made.depends_on_set;
        let trial = Trial { kernel: &kernel, domain, made: &made, options };
        let (tried, out_of_fuel) = trial.run_or_run_alone(&alone, &report);
        is_out_of_fuel |= out_of_fuel;
        // What came to an end with some inputs counts, whatever others do.
        let is_better = report.inputs.is_empty() || tried.verdict > report.verdict;
        let is_settled = !matches!(tried.verdict, EntryVerdict::WroteNothing | EntryVerdict::NotRun);
        if is_better || is_settled {
            report = EntryReport { inputs: format!("{set}{}", tried.inputs), ..tried };
        }
        if is_settled {
            break;
        }
    }
    report
}

impl EntryReport {
    /// Of an entry point that is not imported yet.
    pub(crate) fn new(entry: &str) -> EntryReport {
        EntryReport {
            entry: entry.to_owned(),
            verdict: EntryVerdict::NotImported,
            reason: String::new(),
            refusals: Vec::new(),
            findings: Vec::new(),
            inputs: String::new(),
            instructions: 0,
            compared: Vec::new(),
        }
    }

    /// Notes targets that were compared.
    fn compared(&mut self, targets: Vec<SuiteTarget>) {
        for target in targets {
            if !self.compared.contains(&target) {
                self.compared.push(target);
            }
        }
    }

    pub(crate) fn refused(&mut self, diagnostics: &[Diagnostic], sources: &Sources) {
        for diagnostic in diagnostics {
            let line = diagnostic.pos().map_or(0, |pos| pos.line);
            self.refusals.push((format!("{}: {}", diagnostic.code, diagnostic.message), line));
        }
        let first = diagnostics.first();
        let place = first.and_then(|first| sources.show(first.pos()?)).map_or(String::new(), |at| format!("{at}: "));
        self.reason = format!("{place}{}", first.map_or("", |first| &first.message));
    }
}

/// One launch of a kernel with one set of inputs.
struct Trial<'a> {
    kernel: &'a Checked<Kernel>,
    domain: &'a Domain,
    made: &'a MadeInputs,
    options: &'a CorpusOptions,
}

impl Trial<'_> {
    /// Launches; if that does not end, with the domain of one workgroup. The inputs of the result are what is
    /// to be said of the number of workgroups. The second result tells whether a launch ran out of instructions
    /// and none ended.
    fn run_or_run_alone(&self, alone: &Domain, report: &EntryReport) -> (EntryReport, bool) {
        let with = |inputs: &str| EntryReport { inputs: inputs.to_owned(), ..report.clone() };
        let is_alone = self.domain.extent == alone.extent;
        let mut tried = with("");
        let is_out_of_fuel = self.run(&mut tried);
        if !is_out_of_fuel || is_alone {
            return (tried, is_out_of_fuel);
        }
        let mut fewer = with("; one workgroup");
        let is_out_of_fuel = Trial { domain: alone, ..*self }.run(&mut fewer);
        (if fewer.verdict == EntryVerdict::NotRun { tried } else { fewer }, is_out_of_fuel)
    }

    fn launch(
        &self,
        target: SuiteTarget,
        way: LaunchVariant,
        checks: Checks,
    ) -> Result<(Outcome, LaunchMemory), Refusal> {
        // Lanes count the instructions of threads that do not run, too: what ends on the reference may end there later.
        let patience = if target == SuiteTarget::Reference { 1 } else { PATIENCE };
        let limit = Limit { fuel: self.options.fuel.saturating_mul(patience), time: self.options.time };
        let plain = TargetLaunch::new(self.kernel, self.domain, &self.made.arguments, limit);
        let mut memory = self.made.memory.clone();
        // A shader that is too large for lanes runs one thread at a time, as it does for users.
        let outcome = target.launch_compiled(&TargetLaunch { way, checks, ..plain }, &mut memory)?;
        Ok((outcome, memory))
    }

    /// Launches on all targets. Returns whether the reference accelerator ran out of instructions.
    fn run(&self, report: &mut EntryReport) -> bool {
        report.verdict = EntryVerdict::NotRun;
        let checks = Checks { unwritten_tile_memory: false, ..Checks::all() };
        let (outcome, expected) = match self.launch(SuiteTarget::Reference, LaunchVariant::Linear, checks) {
            Ok(launched) => launched,
            Err(refusal) => {
                report.reason = format!("refused: {refusal}");
                return false;
            }
        };
        report.instructions = outcome.instructions;
        let codes: BTreeSet<&str> = outcome.reports.iter().map(|found| found.code().name()).collect();
        report.findings = codes.into_iter().map(str::to_owned).collect();
        if outcome.ending != Ending::Completed {
            report.reason = self.ending(&outcome.ending);
            return matches!(outcome.ending, Ending::OutOfFuel { .. });
        }
        let is_racy = report.findings.iter().any(|code| code == "K0802");
        let is_ordered = is_racy || self.depends_on_order(&expected);
        let (mut compared, mut left_out) = (Vec::new(), Vec::new());
        for &target in &self.options.targets {
            match self.compare(target, is_ordered, &expected) {
                TargetComparison::Equal => compared.push(target),
                TargetComparison::NotRun(reason) => left_out.push(format!("not compared on {target}: {reason}")),
                TargetComparison::Differs(found) => {
                    compared.push(target);
                    report.compared(compared);
                    report.verdict = EntryVerdict::Disagreed;
                    report.reason = format!("on {target}: {found}");
                    return false;
                }
            }
        }
        report.reason = left_out.join("; ");
        // What no target ran, no target agrees on.
        let none = compared.is_empty();
        report.compared(compared);
        if none && !left_out.is_empty() {
            return false;
        }
        report.verdict = match (is_ordered, self.made.memory != expected) {
            (true, _) => EntryVerdict::AgreedInOrder,
            (false, true) => EntryVerdict::Agreed,
            (false, false) => EntryVerdict::WroteNothing,
        };
        false
    }

    fn ending(&self, of: &Ending) -> String {
        match of {
            Ending::OutOfFuel { .. } => format!("it does not end within {} instructions", self.options.fuel),
            Ending::Interrupted => format!("it does not end within {:?}", self.options.time),
            Ending::Completed
            | Ending::Failed { .. }
            | Ending::BarrierDivergence(_)
            | Ending::Stopped
            | Ending::OutOfMemory { .. } => ending(of),
        }
    }

    /// Does a target give what the reference accelerator gave?
    fn compare(&self, target: SuiteTarget, is_ordered: bool, expected: &LaunchMemory) -> TargetComparison {
        if let Some(missing) = target.missing() {
            return TargetComparison::NotRun(missing);
        }
        let way = if is_ordered { target.in_order() } else { Some(LaunchVariant::Linear) };
        let Some(way) = way else {
            return TargetComparison::NotRun("the result depends on the order of threads, and it has none".to_owned());
        };
        let found = match self.launch(target, way, Checks::default()) {
            // A GPU may lack a feature; a CPU lacks none.
            Err(Refusal::Unsupported(reason)) if target.is_gpu() => return TargetComparison::NotRun(reason),
            Err(refusal) => return TargetComparison::Differs(format!("refused: {refusal}")),
            Ok((outcome, _)) if outcome.ending != Ending::Completed => {
                return TargetComparison::Differs(self.ending(&outcome.ending));
            }
            Ok((_, memory)) => memory,
        };
        let arguments = &self.made.arguments;
        match memory_difference(self.kernel, arguments, expected, &found) {
            None => TargetComparison::Equal,
            Some(_) if target.is_relaxed() && relaxed_allows(self.kernel, arguments, expected, &found) => {
                TargetComparison::NotRun(RELAXED.to_owned())
            }
            Some(difference) => TargetComparison::Differs(difference.to_string()),
        }
    }

    /// Do two other orders of threads give other results?
    fn depends_on_order(&self, expected: &LaunchMemory) -> bool {
        [1, 2].into_iter().any(|seed| {
            let launched = self.launch(SuiteTarget::Reference, LaunchVariant::Shuffled(seed), Checks::default());
            launched.is_ok_and(|(_, memory)| {
                memory_difference(self.kernel, &self.made.arguments, expected, &memory).is_some()
            })
        })
    }
}

/// What a target's result is beside the reference accelerator's.
enum TargetComparison {
    Equal,
    Differs(String),
    NotRun(String),
}

pub(crate) fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "completed".to_owned(),
        Ending::Failed { .. } => "a thread ended with an error".to_owned(),
        Ending::BarrierDivergence(_) => "not all threads of a workgroup reach a barrier".to_owned(),
        Ending::OutOfFuel { .. } => "it does not end within the limit".to_owned(),
        Ending::Interrupted => "interrupted".to_owned(),
        Ending::Stopped => "stopped".to_owned(),
        Ending::OutOfMemory { bytes } => format!("no memory for {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> EntryReport {
        judged_on(text, &CorpusOptions::default())
    }

    fn judged_on(text: &str, options: &CorpusOptions) -> EntryReport {
        let module = ShaderModule::from_wgsl("shader.wgsl", text).expect("it is WGSL");
        let entry = module.entry_points().next().expect("it has an entry point").to_owned();
        judge(&module, &entry, options)
    }

    const HEAD: &str = "enable wgpu_ray_query;
        @group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
        @group(0) @binding(2) var<uniform> size: u32;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) ";

    #[test]
    fn each_verdict_is_given() {
        for (body, verdict, word) in [
            ("{ v[id.x] = id.x * 3u; }", EntryVerdict::Agreed, ""),
            ("{ v[id.x] = atomicAdd(&n, 1u); }", EntryVerdict::AgreedInOrder, ""),
            ("{ if (size == 77u) { v[id.x] = 1u; } }", EntryVerdict::WroteNothing, ""),
            ("{ loop { v[0] += 1u; if (size == 77u) { break; } } }", EntryVerdict::NotRun, "does not end"),
            (
                "{ var p: ray_query; v[id.x] = select(0u, 1u, rayQueryProceed(&p)); }",
                EntryVerdict::NotImported,
                "ray queries",
            ),
        ] {
            let report = judged(&format!("{HEAD}{body}"));
            assert_eq!(report.verdict, verdict, "{body}: {report:?}");
            assert!(report.reason.contains(word), "{report:?}");
        }
    }

    #[test]
    fn another_set_of_inputs_is_tried_if_nothing_is_written() {
        let report = judged(&format!("{HEAD}{{ if (size >= 200u && id.x < size) {{ v[id.x] = size; }} }}"));
        assert_eq!(report.verdict, EntryVerdict::Agreed);
        assert!(report.inputs.contains("256"), "{report:?}");
    }

    #[test]
    fn a_launch_that_ends_with_some_inputs_counts() {
        // It writes nothing with the first sizes, and does not end with the last.
        let body = "{ for (var i = 0u; i < size * size * 16u; i += 1u) { if (v[0] == 77u) { v[id.x] = i; } } }";
        let report = judged(&format!("{HEAD}{body}"));
        assert_eq!(report.verdict, EntryVerdict::WroteNothing, "{report:?}");
        // One workgroup is few enough.
        let body = "{ for (var i = 0u; i < 30000u; i += 1u) { v[id.x] = i; } }";
        let report = judged(&format!("{HEAD}{body}"));
        assert_eq!(report.verdict, EntryVerdict::Agreed, "{report:?}");
        assert!(report.inputs.contains("one workgroup"), "{report:?}");
        // It waits for what nobody writes.
        let report = judged(&format!("{HEAD}{{ while (v[3] != 0u) {{ v[4] += 1u; }} v[id.x + 8u] = 5u; }}"));
        assert_eq!(report.verdict, EntryVerdict::Agreed, "{report:?}");
        assert!(report.inputs.contains("buffers are zero"), "{report:?}");
    }

    #[test]
    fn a_launch_that_is_long_with_all_inputs_gets_more_instructions() {
        let options = CorpusOptions { fuel: 100_000, ..CorpusOptions::default() };
        let report =
            judged_on(&format!("{HEAD}{{ for (var i = 0u; i < 1000u; i += 1u) {{ v[id.x] = i; }} }}"), &options);
        assert_eq!(report.verdict, EntryVerdict::Agreed, "{report:?}");
        assert!(report.instructions > options.fuel, "{report:?}");
        let report = judged_on(&format!("{HEAD}{{ loop {{ if (v[0] == 77u) {{ break; }} }} }}"), &options);
        assert_eq!(report.verdict, EntryVerdict::NotRun, "{report:?}");
    }

    #[test]
    fn what_no_target_could_run_is_no_agreement() {
        let ordered = format!("{HEAD}{{ v[id.x] = atomicAdd(&n, 1u); }}");
        let on = |targets: &[SuiteTarget]| {
            judged_on(&ordered, &CorpusOptions { targets: targets.to_vec(), ..CorpusOptions::default() })
        };
        let none = on(&[SuiteTarget::Lanes16]);
        assert_eq!(none.verdict, EntryVerdict::NotRun, "{none:?}");
        assert!(none.reason.contains("not compared on lanes-16: the result depends on the order"), "{none:?}");
        let one = on(&[SuiteTarget::Lanes16, SuiteTarget::JitClif]);
        assert_eq!(one.verdict, EntryVerdict::AgreedInOrder, "{one:?}");
        assert!(one.reason.contains("not compared on lanes-16"), "{one:?}");
        assert_eq!((none.compared, one.compared), (Vec::new(), vec![SuiteTarget::JitClif]));
    }

    #[test]
    fn a_shader_that_changes_integers_which_are_patterns_of_nan_has_written() {
        let text = "@group(0) @binding(0) var<storage, read_write> v: array<i32>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = -1 - i32(id.x); }";
        assert_eq!(judged(text).verdict, EntryVerdict::Agreed);
    }

    #[test]
    fn a_race_is_a_finding() {
        let report = judged(&format!("{HEAD}{{ v[0] = id.x; }}"));
        assert_eq!((report.verdict, &report.findings[..]), (EntryVerdict::AgreedInOrder, &["K0802".to_owned()][..]));
    }
}
