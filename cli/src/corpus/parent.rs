//! Runs the process that judges a file, and ends it if an entry point takes too long.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use super::CorpusArgs;
use super::record::{CRASHED, ChildLine, CorpusEntry, TIMED_OUT};

/// Judges a file; gives the error if none of its entry points can be judged.
pub(super) fn judge(path: &Path, args: &CorpusArgs) -> (Option<String>, Vec<CorpusEntry>) {
    let mut names: Option<Vec<String>> = None;
    let mut judged: Vec<CorpusEntry> = Vec::new();
    // Each turn judges one entry point at least, or ends.
    loop {
        let mut running = match RunningChild::start(path, judged.len(), args) {
            Ok(running) => running,
            Err(error) => return (Some(format!("the process that judges it cannot be started: {error}")), judged),
        };
        let (verdict, reason) = loop {
            match running.lines.recv_timeout(args.time) {
                Ok(ChildLine::Unreadable(error)) => return (Some(error), judged),
                Ok(ChildLine::Entries(entries)) => names = Some(entries),
                Ok(ChildLine::Judged(entry)) => judged.push(entry),
                Err(RecvTimeoutError::Timeout) => {
                    break (TIMED_OUT, format!("it took longer than {:?}", args.time));
                }
                Err(RecvTimeoutError::Disconnected) => break (CRASHED, running.ending()),
            }
        };
        running.end();
        let Some(names) = &names else {
            // It ended while naga read it.
            return (Some(format!("{verdict} while it was read: {reason}")), judged);
        };
        match names.get(judged.len()) {
            None => return (None, judged),
            Some(name) => judged.push(CorpusEntry::ended(name.clone(), verdict, reason)),
        }
        if judged.len() == names.len() {
            return (None, judged);
        }
    }
}

/// A child, and the lines that it has written.
struct RunningChild {
    child: Child,
    lines: Receiver<ChildLine>,
}

impl RunningChild {
    fn start(path: &Path, skip: usize, args: &CorpusArgs) -> std::io::Result<RunningChild> {
        let [x, y, z] = args.dispatch.0;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("corpus-file").arg(path);
        command.arg("--skip").arg(skip.to_string());
        command.arg("--dispatch").arg(format!("{x}x{y}x{z}"));
        // A launch ends before its process is ended.
        command.arg("--time").arg((args.time.as_secs() / 2).max(1).to_string());
        if !args.target.is_empty() {
            let names: Vec<&str> = args.target.iter().map(|target| target.name()).collect();
            command.arg("--target").arg(names.join(","));
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines() {
                    let Ok(line) = line else { break };
                    // What is no line of ours was printed by a driver.
                    let Ok(line) = serde_json::from_str(&line) else { continue };
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(RunningChild { child, lines })
    }

    /// How a child ended that has closed its output.
    fn ending(&mut self) -> String {
        match self.child.wait() {
            Ok(status) => shown(status),
            Err(error) => error.to_string(),
        }
    }

    fn end(&mut self) {
        // Either may find that the process has ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for RunningChild {
    fn drop(&mut self) {
        self.end();
    }
}

fn shown(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("its process ended with exit code {code}"),
        None => format!("its process was ended: {status}"),
    }
}
