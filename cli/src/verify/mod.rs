//! `tilewise verify`: runs the suite that is built into the program, and writes reports.

mod case_list;
mod devices;
mod gpu;
mod html;
mod include;
mod isolated;
mod json;
mod junit;
mod level;
mod own;
mod schedule;
mod table;
mod work_line;
mod worker;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tilewise_conformance::kir::case;
use tilewise_conformance::library::{self, LibraryCase};
use tilewise_conformance::shell_word::shell_word;
use tilewise_conformance::suite::{self, CaseKind, JudgedCase, SuiteCase, VerdictCounts};
use tilewise_conformance::target::SuiteTarget;
use tilewise_conformance::tolerance::Tolerance;
use tilewise_conformance::verdict::Verdict;

use crate::VerifyArgs;
use crate::console::{CommandError, Console, Paint};
use crate::report_file::ReportFile;
use crate::{each_once, source};

use devices::MeasuredDevices;
use gpu::FirstGpu;
use html::ReportSection;
pub(crate) use html::description;
pub(crate) use isolated::CASE_LATE;
pub(crate) use level::LevelArgs;
#[cfg(feature = "accuracy")]
pub(crate) use level::level_parser;
use schedule::RunPlan;
pub(crate) use worker::work as work_for_verify;

/// The page that a run of the whole suite writes by default.
const USUAL_PAGE: &str = "tilewise-report.html";

/// The results of file tests on targets and of checks of the library on accelerators.
struct VerifyRun {
    judged: Vec<JudgedCase>,
    checked: Vec<library::JudgedCheck>,
    /// By how much floats may differ, if the command line says so.
    tolerance: Option<Tolerance>,
    time: Duration,
}

impl VerifyRun {
    fn total(&self) -> VerdictCounts {
        let mut total = suite::total(&self.judged);
        library::add_to(&mut total, &self.checked);
        total
    }

    /// How many cases of a group pass on a target although some floats are not the expected ones.
    fn within_tolerance(&self, group: &str, target: &str) -> usize {
        let is_one = |judged: &&JudgedCase| judged.case.group() == group && judged.case.target.name() == target;
        self.judged.iter().filter(is_one).filter(|judged| is_near(judged)).count()
    }

    /// The counts of each group and place.
    fn table(&self) -> Vec<(&'static str, String, VerdictCounts)> {
        let files = suite::table(&self.judged).into_iter();
        let files = files.map(|((group, target), counts)| (group, target.name().to_owned(), counts));
        let checks = library::table(&self.checked).into_iter();
        files.chain(checks.map(|(accelerator, counts)| (library::GROUP, accelerator, counts))).collect()
    }
}

/// Does a case pass, although some floats are not the expected ones?
fn is_near(judged: &JudgedCase) -> bool {
    judged.within_tolerance && judged.verdict == Verdict::Pass
}

/// Runs the cases; true if some ran and all passed.
pub(crate) fn verify(args: &VerifyArgs, console: &mut Console) -> Result<bool, CommandError> {
    let targets = if args.target.is_empty() { SuiteTarget::BUILT.to_vec() } else { each_once(&args.target) };
    let of_shader = args.shader.first_given();
    if !args.inputs.is_empty() || !args.results.is_empty() || of_shader.is_some() {
        let Some(path) = args.pattern.as_deref().filter(|path| is_kernel_file(path)) else {
            let option = args.inputs.first_given().or(of_shader).unwrap_or("--expect");
            return Err(no_kernel_file(option, args.pattern.as_deref()));
        };
        if let Some(option) = of_the_suite(args) {
            let message = format!("`{option}` is about cases of the suite, and this launch is none");
            let help = "leave it out, or write inputs and expectations into the header of the file";
            return Err(CommandError::new(message, help));
        }
        return own::verify_launch(Path::new(path), args, &targets, console);
    }
    let is_own_script = args.pattern.as_deref().is_some_and(|path| is_file_of(path, &[".amber"]));
    if is_own_script && args.results.tolerance.is_given() {
        let message = "`--tolerance` and `--relative` are of kernels and shaders, and this is a script of Amber";
        let help = "write `TOLERANCE` into its expectations: `EXPECT b IDX 0 TOLERANCE 0.1 EQ 1.5`";
        return Err(CommandError::new(message, help));
    }
    let is_pattern = |name: &OsStr| name.to_string_lossy().contains(['*', '?', '[', '{']);
    let is_meant = |name: &&OsStr| has_end(name, &[".kir", ".wgsl", ".amber", ".spv"]) && !is_pattern(name);
    let meant = args.pattern.as_deref().filter(is_meant).map(Path::new);
    // What lies here under the name of a file but is none, a link to nowhere or a folder, is no pattern either.
    let is_no_file = |path: &&Path| path.symlink_metadata().is_ok() && !path.is_file();
    let dots = |name: &&OsStr| name.to_string_lossy().chars().all(|part| matches!(part, '.' | '/' | '\\'));
    let folder = args.pattern.as_deref().filter(|name| !name.is_empty()).filter(dots).map(Path::new);
    if let Some(path) = meant.filter(is_no_file).or(folder) {
        source::read(path)?;
    }
    let (cases, checks) = selected(args, &targets)?;
    if cases.is_empty() && checks.is_empty() {
        if let Some(path) = meant.filter(|path| is_file_of(path.as_os_str(), &[".spv"])) {
            let message = format!("`{}` does not say how it is launched: SPIR-V has no text for it", path.display());
            let help = "add `--dispatch 64`, and for its buffers `--bind 0.0='[64] = zero'`";
            return Err(CommandError::new(message, help));
        }
        if let Some(path) = meant {
            // It is no file, or its name would have been one of a file of the user's.
            source::read(path)?;
        }
        let pattern = pattern(args).unwrap_or("**".into());
        return Err(CommandError::new(
            format!("no case matches `{pattern}`"),
            "`tilewise verify --list` shows all cases",
        ));
    }
    if args.list {
        cases.iter().for_each(|case| console.line(format_args!("{} {}", case.target, case.name)));
        checks.iter().for_each(|case| console.line(format_args!("{} {}", case.accelerator, case.check.name)));
        return Ok(true);
    }
    let whole = args.pattern.is_none() && args.target.is_empty() && args.cases.is_none();
    let reports = ReportFiles::prepare(args, whole, console)?;
    let resume = args.level.resume_file()?;
    let included = args.include.iter().map(|path| include::section(path)).collect::<Result<Vec<_>, _>>()?;
    // First: where there is no device to measure, nobody waits for the suite to hear of it.
    let mut devices = MeasuredDevices::of(args, console)?;
    // The verdict of the page links to what was measured here, which has the name without a number.
    let mut sections: Vec<ReportSection> = devices.section.take().into_iter().chain(included).collect();
    ReportSection::number(&mut sections);
    let start = Instant::now();
    let isolated = (!args.no_isolate).then(|| Duration::from_secs(args.limit));
    let given = args.results.tolerance;
    let tolerance = given.is_given().then(|| given.tolerance());
    let plan = RunPlan {
        fail_fast: args.fail_fast,
        isolated,
        resume: resume.as_ref(),
        tolerance: tolerance.unwrap_or_default(),
    };
    let (judged, checked) = plan.judge(&cases, checks);
    let time = start.elapsed();
    let done = VerifyRun { judged, checked, tolerance, time };
    failures(&done.judged, tolerance.unwrap_or_default(), console);
    failures_of_library(&done.checked, console);
    console.text(table::table(&done, console));
    for (target, counts) in suite::forms(&done.judged) {
        let forms: Vec<String> =
            counts.by_form.iter().map(|(form, count)| format!("{count} {}", form.name())).collect();
        console.line(format_args!("emitters on {target}, of {} kernels: {}", counts.cases, forms.join(", ")));
    }
    let gpu = FirstGpu::of(&done.judged);
    gpu.iter().flat_map(FirstGpu::lines).for_each(|line| console.line(line));
    let total = done.total();
    let idle = idle_targets(&args.target, &done.judged);
    for (target, reason) in &idle {
        console.nothing_run(target, reason);
    }
    let passed = total.fail == 0 && total.pass > 0 && idle.is_empty() && devices.is_kept;
    let near = tolerance.map(|_| done.judged.iter().filter(|judged| is_near(judged)).count());
    console.line(summary(total, near, passed, time, console));
    reports.write(&done, gpu.as_ref(), passed, &sections, devices, console)?;
    Ok(passed)
}

/// The named targets that ran none of their cases, with the reason. By default the available targets run, each what
/// it can; of a target that is named, a pass says that something ran on it.
fn idle_targets(named: &[SuiteTarget], judged: &[JudgedCase]) -> Vec<(SuiteTarget, String)> {
    let idle = each_once(named).into_iter().filter_map(|target| {
        let cases: Vec<&JudgedCase> = judged.iter().filter(|judged| judged.case.target == target).collect();
        let ran = cases.iter().any(|judged| matches!(judged.verdict, Verdict::Pass | Verdict::Fail(_)));
        let reason = || match cases.as_slice() {
            [] => None,
            [only] => only.verdict.reason(),
            [first, others @ ..] => {
                let reason = first.verdict.reason()?;
                let more = others.iter().filter(|other| other.verdict.reason().as_ref() != Some(&reason)).count();
                let more = if more == 0 { String::new() } else { format!("; {more} for other reasons") };
                Some(format!("none of {} cases: {reason}{more}", cases.len()))
            }
        };
        target.missing().or_else(|| if ran { None } else { reason() }).map(|reason| (target, reason))
    });
    idle.collect()
}

/// Why this option of a launch is of no use: no file of a kernel or shader is named.
fn no_kernel_file(option: &str, named: Option<&OsStr>) -> CommandError {
    if named.is_some_and(|path| is_file_of(path, &[".amber"])) {
        let help = "leave it out: a script has its own buffers, pipelines and expectations";
        return CommandError::new(format!("`{option}` is of kernels and shaders"), help);
    }
    let help = "write `tilewise verify blur.wgsl --dispatch 8x8 --bind 0.0=in.npy ..`";
    CommandError::new(format!("`{option}`: such options are of a file, and none is named"), help)
}

/// An option of the command line that a launch of the user's has no use for.
fn of_the_suite(args: &VerifyArgs) -> Option<&'static str> {
    #[cfg(feature = "accuracy")]
    let measures = args.accuracy;
    #[cfg(not(feature = "accuracy"))]
    let measures = false;
    let named = [
        (args.json.is_some(), "--json"),
        (args.junit.is_some(), "--junit"),
        (args.html.is_some(), "--html"),
        (!args.include.is_empty(), "--include"),
        (measures, "--accuracy"),
        (args.list, "--list"),
        (args.level.resume().is_some(), "--resume"),
        (args.fail_fast, "--fail-fast"),
    ];
    named.into_iter().find_map(|(is_named, option)| is_named.then_some(option))
}

/// The cases that the command line selects, and the checks of the library.
fn selected(args: &VerifyArgs, targets: &[SuiteTarget]) -> Result<(Vec<SuiteCase>, Vec<LibraryCase>), CommandError> {
    if let Some(list) = &args.cases {
        return case_list::read(list, args.level.level);
    }
    let cases = match args.pattern.as_deref() {
        Some(path) if is_test_file(path) => cases_of_file(path, targets)?,
        _ => suite::select(pattern(args).as_deref(), targets, args.level.level),
    };
    // `--target` selects where kernels run; checks of the library run on accelerators.
    let checks = if args.target.is_empty() { library::select(pattern(args).as_deref()) } else { Vec::new() };
    Ok((cases, checks))
}

/// The argument as a pattern of names. A file's name may have other bytes than those of texts, and the name of no case
/// has these.
fn pattern(args: &VerifyArgs) -> Option<Cow<'_, str>> {
    args.pattern.as_deref().map(OsStr::to_string_lossy)
}

/// Does the argument name a file that ends in one of these?
fn is_file_of(path: &OsStr, ends: &[&str]) -> bool {
    has_end(path, ends) && Path::new(path).is_file()
}

fn has_end(path: &OsStr, ends: &[&str]) -> bool {
    let name = path.to_string_lossy();
    ends.iter().any(|end| name.ends_with(end))
}

/// Does the argument name a file of the user's, and not cases of the suite?
fn is_test_file(path: &OsStr) -> bool {
    is_file_of(path, &[".kir", ".wgsl", ".amber"])
}

/// Does the argument name a file of a kernel or shader?
fn is_kernel_file(path: &OsStr) -> bool {
    is_file_of(path, &[".kir", ".wgsl", ".spv"])
}

/// The cases of a user's own file test.
fn cases_of_file(path: &OsStr, targets: &[SuiteTarget]) -> Result<Vec<SuiteCase>, CommandError> {
    let (name, text) = source::read(Path::new(path))?;
    // Cases live as long as the program, like those of the suite.
    let (name, text): (&'static str, &'static str) = (name.leak(), text.leak());
    let targets = if case::launches(text) { targets } else { &targets[..1] };
    Ok(targets.iter().map(|&target| SuiteCase { name, kind: CaseKind::File(text), target }).collect())
}

/// The files of the reports.
struct ReportFiles {
    json: Option<ReportFile>,
    junit: Option<ReportFile>,
    html: Option<ReportFile>,
    /// Did the user name the page? If not, an unwritable page is no failure of the suite.
    html_named: bool,
}

impl ReportFiles {
    /// The files that the command line names, and the page of a run of the whole suite.
    fn prepare(args: &VerifyArgs, whole: bool, console: &Console) -> Result<ReportFiles, CommandError> {
        let json = ReportFile::prepare_if_named("--json", args.json.as_ref())?;
        let mut html = ReportFile::prepare_if_named("--html", args.html.as_ref())?;
        if whole && args.html.is_none() && !args.no_html {
            match ReportFile::prepare("--html", Path::new(USUAL_PAGE)) {
                Ok(usual) => html = Some(usual),
                Err(trouble) => console.complain(&trouble),
            }
        }
        let junit = ReportFile::prepare_if_named("--junit", args.junit.as_ref())?;
        let files: Vec<&ReportFile> = [&json, &junit, &html].into_iter().flatten().collect();
        let case = args.pattern.as_deref().filter(|path| is_test_file(path)).map(Path::new);
        let kept = [&args.cases, args.level.resume()].into_iter().flatten().chain(&args.include);
        let read: Vec<&Path> = case.into_iter().chain(kept.map(PathBuf::as_path)).collect();
        for (i, file) in files.iter().enumerate() {
            files[i + 1..].iter().try_for_each(|other| file.differs_from(other))?;
            read.iter().try_for_each(|path| file.spares(path))?;
        }
        Ok(ReportFiles { json, junit, html, html_named: args.html.is_some() })
    }

    /// Writes the reports, each also if others cannot be written.
    fn write(
        self,
        done: &VerifyRun,
        gpu: Option<&FirstGpu>,
        passed: bool,
        sections: &[ReportSection],
        devices: MeasuredDevices,
        console: &mut Console,
    ) -> Result<(), CommandError> {
        let json = self.json.map_or(Ok(()), |file| file.write(&json::report(done, gpu, devices.record)?));
        let junit = self.junit.map_or(Ok(()), |file| file.write(junit::report(done)));
        let json = json.and(junit);
        if let Some(file) = self.html {
            let shown = file.named().display().to_string();
            match file.write(html::report(done, gpu, passed, sections, devices.is_kept)) {
                Ok(()) => console.line(format_args!("report: {shown}")),
                Err(trouble) if self.html_named && json.is_ok() => return Err(trouble),
                Err(trouble) => console.complain(&trouble),
            }
        }
        json
    }
}

/// Lists every case that did not pass, with its reason and the command that repeats it; groups
/// those that were not run for the same reason.
fn failures(judged: &[JudgedCase], tolerance: Tolerance, console: &mut Console) {
    let mut not_run: BTreeMap<(SuiteTarget, &str), Vec<Cow<'_, str>>> = BTreeMap::new();
    for JudgedCase { case, verdict, .. } in judged {
        let colour = match verdict {
            Verdict::Pass => continue,
            Verdict::Fail(_) => Paint::Red,
            Verdict::Unsupported(_) => Paint::Yellow,
            Verdict::NotRun(reason) => {
                not_run.entry((case.target, reason)).or_default().push(shell_word(case.name));
                continue;
            }
        };
        let title = console.paint(&format!("{}:", verdict.name()), colour);
        console.line(format_args!("{title} {} on {}", shell_word(case.name), case.target));
        for line in verdict.reason().unwrap_or_default().lines() {
            console.line(format_args!("  {line}"));
        }
        console.line(format_args!("  repeat: {}\n", case.command(tolerance)));
    }
    for ((target, reason), names) in &not_run {
        let title = console.paint("not-run:", Paint::Yellow);
        let more = if names.len() > LISTED { format!(" and {} more", names.len() - LISTED) } else { String::new() };
        console.line(format_args!("{title} {} on {target}: {reason}", names.len()));
        console.line(format_args!("  {}{more}\n", names[..names.len().min(LISTED)].join(", ")));
    }
}

/// Lists every check of the library that did not pass, with its reason and the command that repeats
/// it.
fn failures_of_library(checked: &[library::JudgedCheck], console: &mut Console) {
    for library::JudgedCheck { case, verdict, .. } in checked {
        let Some(reason) = verdict.reason() else { continue };
        let title = console.paint(&format!("{}:", verdict.name()), Paint::Red);
        console.line(format_args!("{title} {} on {}", case.check.name, case.accelerator));
        reason.lines().for_each(|line| console.line(format_args!("  {line}")));
        console.line(format_args!("  repeat: {}\n", case.command()));
    }
}

/// The maximum number of names that are listed for one reason.
const LISTED: usize = 8;

fn summary(total: VerdictCounts, near: Option<usize>, passed: bool, time: Duration, console: &Console) -> String {
    let VerdictCounts { pass, fail, unsupported, not_run } = total;
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    let near = near.map_or(String::new(), |near| format!(" ({near} of them only within the tolerance)"));
    let why = if pass + fail == 0 { ", nothing was executed" } else { "" };
    format!(
        "{word}: {pass} pass{near}, {fail} fail, {unsupported} unsupported, {not_run} not run, in {:.1} s{why}",
        time.as_secs_f64()
    )
}
