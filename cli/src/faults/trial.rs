//! Runs the suite in a process of its own, with a fault planted there.
//!
//! The process learns of its fault from an environment variable, which only builds with faults read,
//! and tells at its end on standard error how often its code came to the fault.
#![allow(unsafe_code, reason = "plants a fault, with which nothing in the process is sound any more")]

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tilewise::Accelerator;
use tilewise::ir::fault::{self, Fault, FaultArea};

use super::record::{FaultEnd, FaultTrial};
use crate::console::{CommandError, Console};

/// The environment variable with the name of the planted fault.
pub(crate) const VARIABLE: &str = "TILEWISE_FAULT";

/// What the process tells at its end, before the number.
const REACHED: &str = "times that code came to the planted fault: ";

/// How often it is looked whether a process has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Plants the fault that the environment names, in a build that has faults.
pub(crate) fn plant_from_environment() -> Result<(), CommandError> {
    if !fault::PLANTABLE {
        return Ok(());
    }
    let Some(name) = std::env::var_os(VARIABLE) else { return Ok(()) };
    let name = name.to_string_lossy();
    let Some(fault) = Fault::named(&name) else {
        let message = format!("{VARIABLE} names no fault: `{name}`");
        return Err(CommandError::new(message, "`tilewise faults --list` shows all faults"));
    };
    // SAFETY: the variable is set by who wants a program with a mistake, as `tilewise faults` does; the
    // process runs one command and ends.
    unsafe { fault::plant(fault) };
    Ok(())
}

/// At the end of a process with a planted fault: tells how often its code came there.
pub(crate) fn tell_planted(console: &mut Console) {
    if fault::PLANTABLE && std::env::var_os(VARIABLE).is_some() {
        console.note(format_args!("{REACHED}{}", fault::times_reached()));
    }
}

/// How the suite runs with faults.
pub(super) struct TrialPlan {
    program: PathBuf,
    limit: Duration,
    has_gpu: bool,
}

/// How a run of the suite ended.
enum SuiteRun {
    Passed { reached: bool },
    Ended(FaultEnd),
}

impl TrialPlan {
    /// Runs the suite without a fault, which must pass, and measures its time.
    pub(super) fn new(limit: Option<Duration>) -> Result<TrialPlan, CommandError> {
        let program = std::env::current_exe().map_err(|error| {
            CommandError::new(format!("this program does not know its own file: {error}"), "run it by its path")
        })?;
        let has_gpu = Accelerator::all().iter().any(|accelerator| accelerator.path().starts_with("gpu/"));
        let mut plan = TrialPlan { program, limit: limit.unwrap_or(Duration::from_secs(3600)), has_gpu };
        let begin = Instant::now();
        match plan.suite(None, &[])? {
            SuiteRun::Passed { .. } => {}
            SuiteRun::Ended(end) => {
                let message = format!("the suite does not pass without a fault: {} {}", end.name(), end.more());
                return Err(CommandError::new(message, "`tilewise verify` says more"));
            }
        }
        plan.limit = limit.unwrap_or(begin.elapsed() * 4 + Duration::from_secs(60));
        Ok(plan)
    }

    /// Plants a fault, and runs the suite.
    pub(super) fn run(&self, fault: Fault) -> Result<FaultTrial, CommandError> {
        let begin = Instant::now();
        let end = self.end(fault)?;
        Ok(FaultTrial { fault, end, seconds: begin.elapsed().as_secs_f64() })
    }

    fn end(&self, fault: Fault) -> Result<FaultEnd, CommandError> {
        if !self.has_gpu && matches!(fault.area(), FaultArea::GpuLowering | FaultArea::GpuRunning) {
            return Ok(FaultEnd::NotRun("there is no GPU".to_owned()));
        }
        if let SuiteRun::Ended(end) = self.suite(Some(fault), likely(fault.area()))? {
            return Ok(end);
        }
        Ok(match self.suite(Some(fault), &[])? {
            SuiteRun::Passed { reached: true } => FaultEnd::Survived,
            SuiteRun::Passed { reached: false } => FaultEnd::NotReached,
            SuiteRun::Ended(end) => end,
        })
    }

    /// Runs `tilewise verify` with these arguments, up to the first failure.
    fn suite(&self, fault: Option<Fault>, arguments: &[&str]) -> Result<SuiteRun, CommandError> {
        let files = TrialFiles::new()?;
        let mut command = Command::new(&self.program);
        command.arg("verify").args(arguments).args(["--fail-fast", "--no-isolate", "--no-html", "--json"]);
        command.arg(&files.report).env_remove(VARIABLE);
        if let Some(fault) = fault {
            command.env(VARIABLE, fault.name());
        }
        let errors = File::create(&files.errors).map_err(|error| unwritable(&files.errors, &error))?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let mut child = command.spawn().map_err(|error| {
            let message = format!("`{}` cannot be started: {error}", self.program.display());
            CommandError::new(message, "`tilewise faults` runs its own file")
        })?;
        let begin = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if begin.elapsed() > self.limit => {
                    // It may have ended meanwhile.
                    _ = child.kill();
                    _ = child.wait();
                    return Ok(SuiteRun::Ended(FaultEnd::Hung));
                }
                Ok(None) => std::thread::sleep(LOOK),
                Err(error) => return Err(CommandError::new(error.to_string(), "start it again")),
            }
        };
        Ok(files.judged(status))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::new(format!("cannot write `{}`: {error}", path.display()), "make room for temporary files")
}

/// The arguments of `verify` that select the cases most likely to find a fault of an area.
fn likely(area: FaultArea) -> &'static [&'static str] {
    match area {
        FaultArea::Analysis
        | FaultArea::Vectorizing
        | FaultArea::Versions
        | FaultArea::Passes
        | FaultArea::Cranelift
        | FaultArea::WideCode
        | FaultArea::Running
        | FaultArea::Math => &["--target", "jit,jit-clif,jit-avx2,jit-avx512,lanes-8,lanes-16"],
        FaultArea::GpuLowering | FaultArea::GpuRunning => &["--target", "gpu-strict,gpu-module"],
        FaultArea::Lowering | FaultArea::Coherence | FaultArea::Textures => &["library/*"],
        FaultArea::Importer => &["shaders", "--target", "reference,jit"],
    }
}

/// The temporary files of a run, removed in the end.
struct TrialFiles {
    report: PathBuf,
    errors: PathBuf,
}

impl TrialFiles {
    fn new() -> Result<TrialFiles, CommandError> {
        let file = |name: &str| std::env::temp_dir().join(format!("tilewise-faults-{}-{name}", std::process::id()));
        Ok(TrialFiles { report: file("report.json"), errors: file("errors.txt") })
    }

    /// What the process says of itself.
    fn judged(&self, status: ExitStatus) -> SuiteRun {
        match status.code() {
            Some(0) => SuiteRun::Passed { reached: self.reached() },
            Some(1) => SuiteRun::Ended(FaultEnd::Failed(self.first_failure().unwrap_or_default())),
            Some(code) => SuiteRun::Ended(FaultEnd::Crashed(format!("exit code {code}"))),
            None => SuiteRun::Ended(FaultEnd::Crashed(status.to_string())),
        }
    }

    /// Did its code come to the fault?
    fn reached(&self) -> bool {
        let mut text = String::new();
        let read = File::open(&self.errors).and_then(|mut file| file.read_to_string(&mut text));
        let last = text.lines().rev().find_map(|line| line.split_once(REACHED)).map(|(_, count)| count);
        read.is_ok() && last.is_some_and(|count| count != "0")
    }

    /// The first case that fails, in the report.
    fn first_failure(&self) -> Option<String> {
        let report: serde_json::Value = serde_json::from_reader(File::open(&self.report).ok()?).ok()?;
        let cases = report.get("cases")?.as_array()?;
        let text = |case: &serde_json::Value, key: &str| Some(case.get(key)?.as_str()?.to_owned());
        let failed = cases.iter().find(|case| text(case, "verdict").as_deref() == Some("fail"))?;
        Some(format!("{} on {}", text(failed, "name")?, text(failed, "target")?))
    }
}

impl Drop for TrialFiles {
    fn drop(&mut self) {
        // They may not exist.
        _ = std::fs::remove_file(&self.report);
        _ = std::fs::remove_file(&self.errors);
    }
}
