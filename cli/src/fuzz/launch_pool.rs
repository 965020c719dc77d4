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
        let mut idle = self.take();
        loop {
            let mut process = match idle.take() {
                Some(process) => process,
                None => self.start().map_err(Refusal::Driver)?,
            };
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
                // It may be the doing of a kernel before.
                Err(NoReply::Failed(_) | NoReply::Late) if !process.is_new => {}
                Err(NoReply::Failed(message)) => return Err(Refusal::Driver(message)),
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
    fn take(&self) -> Option<LaunchProcess> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// A new process.
    fn start(&self) -> Result<LaunchProcess, String> {
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

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use tilewise::ir::check::check;
    use tilewise::ir::launch::Domain;
    use tilewise::ir::text;
    use tilewise_conformance::target::Limit;

    use super::*;

    /// A process that answers its first order and hangs over the others.
    const SCRIPT: &str = "#!/bin/sh
read order
echo '{\"Refused\":{\"kind\":\"Unsupported\",\"text\":\"it was asked\"}}'
read order
exec sleep 60
";

    #[test]
    fn a_kernel_that_hangs_in_a_process_of_others_is_tried_again_in_a_new_one() {
        let program = std::env::temp_dir().join(format!("tilewise-launch-pool-{}.sh", std::process::id()));
        fs::write(&program, SCRIPT).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let pool = LaunchPool { program: program.clone(), ..LaunchPool::new(Duration::from_millis(300)).unwrap() };
        let kernel = check(text::parse("k.kir", "kernel k() rank(1) { }").unwrap()).unwrap();
        let domain = Domain::new([1]);
        let launch = TargetLaunch::new(&kernel, &domain, &[], Limit::of_fuel(9));
        for _ in 0..2 {
            let launched = pool.launch(SuiteTarget::GpuStrict, &launch, &mut LaunchMemory::default());
            assert_eq!(launched.map(|_| ()), Err(Refusal::Unsupported("it was asked".to_owned())));
        }
        pool.close();
        fs::remove_file(&program).unwrap();
    }
}
