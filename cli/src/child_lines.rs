//! A process of this program that does work for another one: it answers in lines of JSON on its
//! standard output, and it may be ended when it takes too long or may end by itself.
//!
//! `verify` and `corpus` judge in such processes, and `fuzz` launches on GPUs in them, so that a crash or an
//! endless loop is the result of one case and not the end of all.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::console::{CommandError, Console};

/// How often it is looked whether a process has ended.
const LOOK: Duration = Duration::from_millis(2);

/// The number of bytes of a process's messages that are kept, the last ones.
const KEPT: usize = 1 << 14;

/// The number of lines of a process's messages that words about its end show.
const LAST_WORDS: usize = 8;

/// A running process, and the lines that it has written.
pub(crate) struct ChildLines<T> {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<T>,
    errors: Arc<Mutex<Vec<u8>>>,
    error_reader: Option<JoinHandle<()>>,
}

/// How words about a process begin that did not end by itself.
pub(crate) const PROCESS_ENDED: &str = "its process ";

/// The reason why a process has written no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoLine {
    /// It took too long.
    Late,
    /// It has closed its output.
    Ended,
}

impl<T: DeserializeOwned + Send + 'static> ChildLines<T> {
    /// Starts a process. Its standard error is kept if `command` pipes it.
    pub(crate) fn start(command: &mut Command) -> io::Result<ChildLines<T>> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take();
        let (sender, lines) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(out).split(b'\n') {
                    let Ok(line) = line else { break };
                    // What is no line of ours was printed by a driver.
                    let Ok(line) = serde_json::from_slice(&line) else { continue };
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let errors = Arc::default();
        let error_reader = child.stderr.take().map(|from| keep(from, Arc::clone(&errors)));
        Ok(ChildLines { child, input, lines, errors, error_reader })
    }

    /// Waits for the next line.
    pub(crate) fn next(&self, limit: Duration) -> Result<T, NoLine> {
        self.lines.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }
}

impl<T> ChildLines<T> {
    /// Writes a line to the process. An error means that it has ended.
    pub(crate) fn send(&mut self, line: &impl Serialize) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        input.write_all(text.as_bytes()).and_then(|()| input.flush())
    }

    /// Takes what the process has written to standard error since the last call.
    pub(crate) fn take_errors(&self) -> String {
        let bytes = std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// How a process ended that has closed its output.
    pub(crate) fn ending(&mut self) -> String {
        let ending = self.child.wait();
        self.read_errors();
        match ending {
            Ok(status) => ending_in_words(status),
            Err(error) => error.to_string(),
        }
    }

    /// Words about the end of a process, and the last lines that it wrote to standard error.
    pub(crate) fn with_last_words(&self, ending: String) -> String {
        let errors = self.take_errors();
        let said: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &said[said.len().saturating_sub(LAST_WORDS)..];
        last.iter().fold(ending, |words, line| words + "\n  it wrote: " + line)
    }

    /// Closes the input, waits for the end, and says how the process ended if not by itself in time and
    /// with success.
    pub(crate) fn close(&mut self, limit: Duration) -> Option<String> {
        drop(self.input.take());
        let begin = Instant::now();
        let bad = loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => break None,
                Ok(Some(status)) => break Some(ending_in_words(status)),
                Ok(None) if begin.elapsed() > limit => {
                    self.stop();
                    break Some(format!("its process did not end within {} s", limit.as_secs()));
                }
                Ok(None) => std::thread::sleep(LOOK),
                Err(error) => break Some(error.to_string()),
            }
        };
        self.read_errors();
        bad
    }

    /// Ends the process.
    pub(crate) fn stop(&mut self) {
        // Either may find that the process has ended by itself.
        _ = self.child.kill();
        _ = self.child.wait();
    }

    /// Waits until all messages of a process that has ended are read. A process that it started may hold
    /// the pipe open, so not for ever.
    fn read_errors(&mut self) {
        let Some(reader) = self.error_reader.take() else { return };
        let begin = Instant::now();
        while !reader.is_finished() && begin.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(LOOK);
        }
    }
}

/// Answers orders, one after another, as a process does that [`ChildLines`] started, until standard input ends.
pub(crate) fn answer_orders<O, A>(console: &mut Console, answer: impl Fn(O) -> A + Sync) -> Result<bool, CommandError>
where
    O: DeserializeOwned + Send + 'static,
    A: Serialize,
{
    let busy = Arc::new(AtomicBool::new(false));
    let orders = orders(Arc::clone(&busy));
    // Work has the stack of a thread, as it has where it is not isolated.
    let worker = std::thread::scope(|scope| {
        let work = || {
            for order in orders {
                let text = serde_json::to_string(&answer(order));
                let text = text.map_err(|error| CommandError::new(error.to_string(), "this is a bug of Tilewise"))?;
                busy.store(false, Ordering::SeqCst);
                // A driver may have printed a line without its end.
                console.text(format_args!("\n{text}\n"));
                console.flush();
            }
            Ok(true)
        };
        scope.spawn(work).join()
    });
    worker.unwrap_or_else(|_| Err(CommandError::new("the worker panicked", "this is a bug of Tilewise")))
}

/// The orders, as they come. Standard input ends during work only if the parent is gone: then nobody waits for
/// the answer, and the process ends.
fn orders<O: DeserializeOwned + Send + 'static>(busy: Arc<AtomicBool>) -> Receiver<O> {
    let (sender, orders) = channel();
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let Ok(order) = serde_json::from_str(&line) else { break };
            busy.store(true, Ordering::SeqCst);
            if sender.send(order).is_err() {
                return;
            }
        }
        if busy.load(Ordering::SeqCst) {
            std::process::exit(1);
        }
    });
    orders
}

impl<T> Drop for ChildLines<T> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads messages as they come, so that no pipe is ever full, and keeps the last of them.
fn keep(mut from: ChildStderr, errors: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut block = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut block) {
            let mut kept = errors.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&block[..count]);
            let excess = kept.len().saturating_sub(KEPT);
            kept.drain(..excess);
        }
    })
}

/// How a process ended, with the name of the signal.
fn ending_in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) if cfg!(windows) => match code.cast_unsigned() {
            0xc000_0005 => "its process was ended: access violation (0xc0000005)".to_owned(),
            0xc000_00fd => "its process was ended: stack overflow (0xc00000fd)".to_owned(),
            0xc000_001d => "its process was ended: illegal instruction (0xc000001d)".to_owned(),
            0xc000_0409 => "its process was ended: fast fail, as an abort does (0xc0000409)".to_owned(),
            code => format!("its process ended with exit code {code}"),
        },
        Some(code) => format!("its process ended with exit code {code}"),
        None => format!("its process was ended: {status}"),
    }
}
