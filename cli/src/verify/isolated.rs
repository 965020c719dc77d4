//! Judges cases in a process of their own, which is ended if a case takes too long, and replaced when
//! it has ended.
//!
//! One process judges many cases, one at a time: so a crash is the crash of one case, and starting a
//! process costs nothing beside its cases.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tilewise_conformance::kir::FilePlace;
use tilewise_conformance::verdict::{CaseOutcome, Problem, Verdict};

use super::work_line::{WorkOrder, WorkResult};
use crate::child_lines::{ChildLines, NoLine};

/// How the failure of a case begins that takes too long.
pub(crate) const CASE_LATE: &str = "it did not end within ";

/// The time in which a process without work must end.
const CLOSING: Duration = Duration::from_secs(20);

/// A process that judges, when there is one.
pub(super) struct IsolatedWorker {
    /// The program, or the reason why it is not known.
    program: Result<PathBuf, String>,
    limit: Duration,
    running: Option<ChildLines<WorkResult>>,
    /// The cases that it has judged, and the last of them.
    before: usize,
    last: String,
}

/// What came of a case, and its running time.
pub(super) type JudgedParts = (CaseOutcome, Duration);

impl IsolatedWorker {
    /// A worker whose cases take `limit` at most. Its process starts with the first case.
    pub(super) fn new(limit: Duration) -> IsolatedWorker {
        let program = std::env::current_exe().map_err(|error| error.to_string());
        IsolatedWorker { program, limit, running: None, before: 0, last: String::new() }
    }

    /// Judges a case.
    pub(super) fn judge(&mut self, order: &WorkOrder, name: &str) -> JudgedParts {
        let begin = Instant::now();
        match self.run(order) {
            Ok(result) => {
                self.before += 1;
                self.last = order.id();
                result.parts()
            }
            Err(message) => {
                self.running = None;
                self.before = 0;
                (CaseOutcome::of(failure(name, message)), begin.elapsed())
            }
        }
    }

    fn run(&mut self, order: &WorkOrder) -> Result<WorkResult, String> {
        let running = match &mut self.running {
            Some(running) => running,
            None => {
                let program = self.program.as_ref();
                let program = program.map_err(|error| format!("this program does not know its own file: {error}"))?;
                let mut command = Command::new(program);
                command.arg("verify-worker").stdin(Stdio::piped()).stderr(Stdio::piped());
                let started = ChildLines::start(&mut command);
                self.running.insert(started.map_err(|error| format!("its process cannot be started: {error}"))?)
            }
        };
        let answer = running.send(order).map_err(|_| NoLine::Ended).and_then(|()| running.next(self.limit));
        let ending = match answer {
            Ok(result) => {
                forward(&running.take_errors());
                return Ok(result);
            }
            Err(NoLine::Ended) => running.ending(),
            Err(NoLine::Late) => {
                let help = "\n  help: `--limit SECONDS` gives cases more time";
                running.stop();
                format!("{CASE_LATE}{} s{help}", self.limit.as_secs_f64())
            }
        };
        let ending = running.with_last_words(ending);
        let before = match self.before {
            0 => "\n  it was the first case of its process".to_owned(),
            count => format!("\n  its process had judged {count} cases before it, the last of them {}", self.last),
        };
        Err(format!("{ending}{before}"))
    }

    /// Ends the process. The result is a failure of its last case if it ends badly.
    pub(super) fn close(&mut self, name: &str) -> Option<Verdict> {
        let mut running = self.running.take()?;
        let ending = running.close(CLOSING);
        let errors = running.take_errors();
        forward(&errors);
        let message = format!("after this case, the last one of its process, at the end: {}", ending?);
        Some(failure(name, message))
    }
}

/// Writes messages of a process on, which has answered.
fn forward(errors: &str) {
    if !errors.is_empty() {
        use std::io::Write as _;
        // There is no other place to report that standard error cannot be written.
        _ = std::io::stderr().lock().write_all(errors.as_bytes());
    }
}

fn failure(name: &str, message: String) -> Verdict {
    Verdict::Fail(vec![Problem { path: name.to_owned(), at: FilePlace::default(), message }])
}
