//! Runs the process that judges a file, and ends it if an entry point takes too long.

use std::path::Path;
use std::process::{Command, Stdio};

use super::CorpusArgs;
use super::record::{CRASHED, ChildLine, CorpusEntry, NOT_READ, TIMED_OUT, UnreadFile};
use crate::child_lines::{ChildLines, NoLine};

/// Judges a file; gives the reason if none of its entry points can be judged.
pub(super) fn judge(path: &Path, args: &CorpusArgs) -> (Option<UnreadFile>, Vec<CorpusEntry>) {
    let mut names: Option<Vec<String>> = None;
    let mut judged: Vec<CorpusEntry> = Vec::new();
    // Each turn judges one entry point at least, or ends.
    loop {
        let mut running = match start(path, judged.len(), args) {
            Ok(running) => running,
            Err(error) => {
                let reason = format!("the process that judges it cannot be started: {error}");
                return (Some(UnreadFile { verdict: Some(NOT_READ), reason }), judged);
            }
        };
        let (verdict, reason) = loop {
            match running.next(args.time) {
                Ok(ChildLine::Unreadable(reason)) => return (Some(UnreadFile { verdict: None, reason }), judged),
                Ok(ChildLine::Entries(entries)) => names = Some(entries),
                Ok(ChildLine::Judged(entry)) => judged.push(entry),
                Err(NoLine::Late) => {
                    break (TIMED_OUT, format!("it took longer than {:?}", args.time));
                }
                Err(NoLine::Ended) => break (CRASHED, running.ending()),
            }
        };
        running.stop();
        let Some(names) = &names else {
            // It ended while naga read it.
            let reason = format!("while it was read: {reason}");
            return (Some(UnreadFile { verdict: Some(verdict), reason }), judged);
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

/// Starts a process that judges the entry points from the one with number `skip` on.
fn start(path: &Path, skip: usize, args: &CorpusArgs) -> std::io::Result<ChildLines<ChildLine>> {
    let [x, y, z] = args.dispatch.0;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("corpus-file");
    command.arg("--skip").arg(skip.to_string());
    command.arg("--dispatch").arg(format!("{x}x{y}x{z}"));
    // A launch ends before its process is ended.
    command.arg("--time").arg((args.time.as_secs() / 2).max(1).to_string());
    if !args.target.is_empty() {
        let names: Vec<&str> = args.target.iter().map(|target| target.name()).collect();
        command.arg("--target").arg(names.join(","));
    }
    // Its name may begin as an option does.
    command.arg("--").arg(path);
    ChildLines::start(command.stdin(Stdio::null()).stderr(Stdio::null()))
}
