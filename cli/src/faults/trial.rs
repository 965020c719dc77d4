//! Runs the suite in processes of its own, with a fault planted there.
//!
//! A process learns of its fault from an environment variable, which only builds with faults read. So do the
//! processes that it starts, in which cases are judged: a case that crashes or does not end fails alone.
#![allow(unsafe_code, reason = "plants a fault, with which nothing in the process is sound any more")]

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tilewise::Accelerator;
use tilewise::ir::fault::{self, Fault, FaultArea};

use super::coverage::{self, FaultCoverage};
use super::record::{FaultEnd, FaultTrial};
use crate::child_lines::PROCESS_ENDED;
use crate::console::{CommandError, Console};
use crate::verify::CASE_LATE;

/// The environment variable with the name of the planted fault.
pub(crate) const VARIABLE: &str = "TILEWISE_FAULT";

/// Before the file in which cases are recorded with the faults that they come to.
const RECORD: &str = "record:";

/// What the process tells at its end, before the number. Cases in processes of their own are not counted.
const REACHED: &str = "times that code of this process came to the planted fault: ";

/// How often it is looked whether a process has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Plants the fault that the environment names, in a build that has faults.
pub(crate) fn plant_from_environment() -> Result<(), CommandError> {
    if !fault::PLANTABLE {
        return Ok(());
    }
    let Some(name) = std::env::var_os(VARIABLE) else { return Ok(()) };
    let name = name.to_string_lossy();
    if let Some(path) = name.strip_prefix(RECORD) {
        return coverage::record(Path::new(path));
    }
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
    let named = |name: &OsString| !name.to_string_lossy().starts_with(RECORD);
    if fault::PLANTABLE && std::env::var_os(VARIABLE).as_ref().is_some_and(named) {
        console.note(format_args!("{REACHED}{}", fault::times_reached()));
    }
}

/// How the suite runs with faults.
pub(super) struct TrialPlan {
    program: PathBuf,
    limit: Duration,
    has_gpu: bool,
    coverage: FaultCoverage,
    /// Has somebody ended this run?
    stop: Arc<AtomicBool>,
}

/// How a run of the suite ended.
enum SuiteRun {
    Passed,
    Ended(FaultEnd),
}

impl TrialPlan {
    /// Runs the suite without a fault, which must pass; measures its time, and which cases come to which
    /// faults.
    pub(super) fn new(limit: Option<Duration>, stop: Arc<AtomicBool>) -> Result<TrialPlan, CommandError> {
        let program = std::env::current_exe().map_err(|error| {
            CommandError::new(format!("this program does not know its own file: {error}"), "run it by its path")
        })?;
        let has_gpu = Accelerator::all().iter().any(|accelerator| accelerator.path().starts_with("gpu/"));
        let coverage = FaultCoverage::default();
        let mut plan =
            TrialPlan { program, limit: limit.unwrap_or(Duration::from_secs(7200)), has_gpu, coverage, stop };
        let begin = Instant::now();
        let record = TrialFile::new("coverage.jsonl");
        File::create(&record.0).map_err(|error| unwritable(&record.0, &error))?;
        match plan.suite(&format!("{RECORD}{}", record.0.display()), None)? {
            SuiteRun::Passed => {}
            SuiteRun::Ended(end) => {
                let message = format!("the suite does not pass without a fault: {} {}", end.name(), end.more());
                return Err(CommandError::new(message, "`tilewise verify` says more"));
            }
        }
        plan.limit = limit.unwrap_or(begin.elapsed() * 4 + Duration::from_secs(60));
        let text = std::fs::read_to_string(&record.0).map_err(|error| unwritable(&record.0, &error))?;
        plan.coverage = FaultCoverage::read(&text);
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
        let cases = self.coverage.of(fault);
        if !cases.is_empty()
            && let SuiteRun::Ended(end) = self.suite(&fault.name(), Some(&cases))?
        {
            return Ok(end);
        }
        Ok(match self.suite(&fault.name(), None)? {
            SuiteRun::Passed if cases.is_empty() => FaultEnd::NotReached,
            SuiteRun::Passed => FaultEnd::Survived,
            SuiteRun::Ended(end) => end,
        })
    }

    /// Runs `tilewise verify` on these cases or all of them, up to the first failure.
    fn suite(&self, planted: &str, cases: Option<&[&str]>) -> Result<SuiteRun, CommandError> {
        let (report, list) = (TrialFile::new("report.json"), TrialFile::new("cases.txt"));
        let complaint = TrialFile::new("complaint.txt");
        let errors = File::create(&complaint.0).map_err(|error| unwritable(&complaint.0, &error))?;
        let mut command = Command::new(&self.program);
        command.args(["verify", "--fail-fast", "--no-html", "--json"]).arg(&report.0);
        if let Some(cases) = cases {
            std::fs::write(&list.0, cases.join("\n")).map_err(|error| unwritable(&list.0, &error))?;
            command.arg("--cases").arg(&list.0);
        }
        command.env(VARIABLE, planted);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let mut child = command.spawn().map_err(|error| {
            let message = format!("`{}` cannot be started: {error}", self.program.display());
            CommandError::new(message, "`tilewise faults` runs its own file")
        })?;
        let begin = Instant::now();
        let status = loop {
            let ended = child.try_wait();
            if self.stop.load(Ordering::Relaxed) {
                // Its workers end with it, as nothing orders cases from them any more.
                _ = child.kill();
                _ = child.wait();
                return Err(CommandError::new("interrupted", "with `--state FILE` the same command goes on later"));
            }
            match ended {
                Ok(Some(status)) => break status,
                Ok(None) if begin.elapsed() > self.limit => {
                    // It may have ended meanwhile.
                    _ = child.kill();
                    _ = child.wait();
                    return Ok(SuiteRun::Ended(FaultEnd::Hung("the suite".to_owned())));
                }
                Ok(None) => std::thread::sleep(LOOK),
                Err(error) => return Err(CommandError::new(error.to_string(), "start it again")),
            }
        };
        judged(status, &report, &complaint.words())
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::new(format!("cannot write `{}`: {error}", path.display()), "make room for temporary files")
}

/// What a run of the suite came to. One that could not run, or could not write its report, has found nothing.
fn judged(status: ExitStatus, report: &TrialFile, complaint: &str) -> Result<SuiteRun, CommandError> {
    Ok(match status.code() {
        Some(0) => SuiteRun::Passed,
        Some(1) => report.first_failure().map_or(SuiteRun::Passed, SuiteRun::Ended),
        Some(code) if code == i32::from(crate::FAILED) => {
            let message = format!("`tilewise verify` could not run: {}", complaint.trim());
            return Err(CommandError::new(message, "mend that, and go on with `--state FILE`"));
        }
        Some(code) => SuiteRun::Ended(FaultEnd::Crashed(format!("the suite: exit code {code}"))),
        None => SuiteRun::Ended(FaultEnd::Crashed(format!("the suite: {status}"))),
    })
}

/// A temporary file of a run, removed in the end.
struct TrialFile(PathBuf);

impl TrialFile {
    fn new(name: &str) -> TrialFile {
        TrialFile(std::env::temp_dir().join(format!("tilewise-faults-{}-{name}", std::process::id())))
    }

    /// The first case that fails, in a report. Nothing if all pass or are not run.
    fn first_failure(&self) -> Option<FaultEnd> {
        let report: serde_json::Value = serde_json::from_reader(File::open(&self.0).ok()?).ok()?;
        let cases = report.get("cases")?.as_array()?;
        let text = |case: &serde_json::Value, key: &str| Some(case.get(key)?.as_str()?.to_owned());
        let failed = cases.iter().find(|case| text(case, "verdict").as_deref() == Some("fail"))?;
        let case = format!("{} on {}", text(failed, "name")?, text(failed, "target")?);
        let reason = text(failed, "reason").unwrap_or_default();
        Some(if reason.contains(CASE_LATE) {
            FaultEnd::Hung(case)
        } else if reason.contains(PROCESS_ENDED) {
            FaultEnd::Crashed(case)
        } else {
            FaultEnd::Failed(case)
        })
    }
}

impl TrialFile {
    /// The last lines of what a process complained about.
    fn words(&self) -> String {
        let text = std::fs::read(&self.0).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(COMPLAINT)..].join("\n")
    }
}

/// The lines of a complaint that are shown.
const COMPLAINT: usize = 8;

impl Drop for TrialFile {
    fn drop(&mut self) {
        // It may not exist.
        _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn a_suite_that_could_not_run_has_found_nothing() {
        let report = TrialFile::new("test-judged.json");
        let judged = |status: i32| judged(ExitStatus::from_raw(status), &report, "error: no room\n");
        let Err(error) = judged(2 << 8) else { panic!("it could not run") };
        assert!(error.message.contains("could not run: error: no room"), "{}", error.message);
        assert!(matches!(judged(0), Ok(SuiteRun::Passed)));
        for crash in [101 << 8, 134 << 8, 11] {
            assert!(matches!(judged(crash), Ok(SuiteRun::Ended(FaultEnd::Crashed(_)))), "{crash}");
        }
    }
}
