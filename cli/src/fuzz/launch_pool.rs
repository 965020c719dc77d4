//! Launches of `fuzz` in processes of their own, which are ended if a launch takes too long, and replaced
//! when they have ended or their driver has refused a kernel.
//!
//! A driver that fails over a kernel may lose its device, end its process or never return. In a process of its
//! own a kernel does this to nobody else: a process has a device of its own, and one launch at a time. What a
//! process does that has launched other kernels before may be their doing, so a kernel is blamed only after a
//! second try in a new one.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tilewise::ir::launch::{LaunchMemory, Outcome, Refusal};
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};

use super::launch_line::{LaunchOrder, LaunchReply, RefusalKind};
use crate::child_lines::{ChildLines, NoLine};

/// The hidden command of a process that launches.
pub(crate) const COMMAND: &str = "fuzz-worker";

/// How often a launch that waits for its result looks whether the run has ended.
const LOOK: Duration = Duration::from_millis(50);

/// How long the end of the run waits for launches to stop.
const CLOSING: Duration = Duration::from_secs(2);

/// Processes that launch kernels.
pub(super) struct LaunchPool {
    program: PathBuf,
    /// The time that a launch may take.
    limit: Duration,
    idle: Mutex<Vec<LaunchProcess>>,
    /// The number of launches in flight.
    busy: AtomicUsize,
    closing: AtomicBool,
}

struct LaunchProcess {
    lines: ChildLines<LaunchReply>,
    /// Has it launched nothing yet?
    is_new: bool,
}

/// The reason why a process gave no result of a launch.
enum NoReply {
    /// It or its driver failed.
    Failed(String),
    /// It took too long.
    Late,
    /// The run has ended.
    Closed,
}

impl LaunchPool {
    /// A pool without processes: they start when they are needed.
    pub(super) fn new(limit: Duration) -> std::io::Result<LaunchPool> {
        Ok(LaunchPool {
            program: std::env::current_exe()?,
            limit,
            idle: Mutex::default(),
            busy: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
        })
    }

    /// Launches a kernel: on a GPU in a process of its own, elsewhere here.
    pub(super) fn launch(
        &self,
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        if !target.is_gpu() {
            return target.launch(launch, memory);
        }
        let Some(order) = LaunchOrder::of(target, launch, memory) else { return target.launch(launch, memory) };
        self.busy.fetch_add(1, Ordering::SeqCst);
        let result = self.order(&order);
        self.busy.fetch_sub(1, Ordering::SeqCst);
        result?.result(memory)
    }

    /// Launches in a process, and in a new one if one that has launched other kernels fails.
    fn order(&self, order: &LaunchOrder) -> Result<LaunchReply, Refusal> {
        loop {
            let mut process = self.take().map_err(Refusal::Driver)?;
            match self.ask(&mut process, order) {
                Ok(reply) => {
                    if !matches!(reply, LaunchReply::Refused { kind: RefusalKind::Driver, .. }) {
                        process.is_new = false;
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                        return Ok(reply);
                    }
                    if process.is_new {
                        return Ok(reply);
                    }
                }
                Err(NoReply::Failed(message)) if process.is_new => return Err(Refusal::Driver(message)),
                Err(NoReply::Failed(_)) => {}
                Err(NoReply::Late) => {
                    let limit = self.limit.as_secs();
                    return Err(Refusal::Driver(format!(
                        "it did not end within {limit} s, and its process was ended (`--limit SECONDS` gives it more)"
                    )));
                }
                Err(NoReply::Closed) => return Err(Refusal::Driver("the run ended before it".to_owned())),
            }
        }
    }

    /// A process that has nothing to do.
    fn take(&self) -> Result<LaunchProcess, String> {
        if let Some(process) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(process);
        }
        let mut command = Command::new(&self.program);
        command.arg(COMMAND).stdin(Stdio::piped()).stderr(Stdio::piped());
        let lines = ChildLines::start(&mut command);
        let lines = lines.map_err(|error| format!("the process that launches it cannot be started: {error}"))?;
        Ok(LaunchProcess { lines, is_new: true })
    }

    /// Sends a launch, and waits for its result.
    fn ask(&self, process: &mut LaunchProcess, order: &LaunchOrder) -> Result<LaunchReply, NoReply> {
        let lines = &mut process.lines;
        let begin = Instant::now();
        let mut answer = lines.send(order).map_err(|_| NoLine::Ended);
        while answer.is_ok() {
            match lines.next(LOOK) {
                Ok(reply) => return Ok(reply),
                Err(NoLine::Late) if self.closing.load(Ordering::SeqCst) => return Err(NoReply::Closed),
                Err(NoLine::Late) if begin.elapsed() < self.limit => {}
                Err(reason) => answer = Err(reason),
            }
        }
        match answer {
            Err(NoLine::Ended) => {
                let ending = lines.ending();
                Err(NoReply::Failed(lines.with_last_words(ending)))
            }
            Err(NoLine::Late) | Ok(()) => Err(NoReply::Late),
        }
    }

    /// Ends all processes, also those that launch: the run has ended, and what is in flight is reported as
    /// unfinished.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // A process that a driver keeps from ending is left to the system.
        let begin = Instant::now();
        while self.busy.load(Ordering::SeqCst) > 0 && begin.elapsed() < CLOSING {
            std::thread::sleep(LOOK);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
