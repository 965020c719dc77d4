//! The timeline: a file of the process in the trace event format of Chrome, which
//! <https://ui.perfetto.dev> and `chrome://tracing` open.
//!
//! The file is complete, and valid JSON, whenever a span has ended that is inside no other one of
//! its thread, however the process ends later: nothing runs at its end. Chunks are written with the
//! launch that they belong to.
//! A file that can no longer be written (a full disk) ends the timeline; [`fault`] says why.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{env, process, thread};

use super::SpanKind;

/// The environment variable with the path of the file.
pub const VARIABLE: &str = "TILEWISE_TRACE";

/// Whether spans are recorded. A span that sees an old value is recorded late, or not: no memory
/// depends on it.
static OPEN: AtomicBool = AtomicBool::new(false);
static TIMELINE: Mutex<Option<Timeline>> = Mutex::new(None);
static FAULT: OnceLock<String> = OnceLock::new();

/// Text is kept up to this many bytes before it is written.
const KEPT: usize = 64 << 10;

struct Timeline {
    file: File,
    begin: Instant,
    /// The length of the file without its last bracket.
    written: u64,
    /// Events that are not in the file.
    text: String,
    /// The threads that have a name in the file.
    named: HashSet<u32>,
}

/// Is there a timeline?
#[inline]
pub fn is_open() -> bool {
    OPEN.load(Ordering::Relaxed)
}

/// The environment is looked at once.
static ASKED: Once = Once::new();

/// Opens the file that the variable `TILEWISE_TRACE` names, the first time that it is called; `%p`
/// in the name is the number of the process. The library calls it before its first work.
#[inline]
pub fn open_from_environment() {
    ASKED.call_once(|| {
        let Some(name) = env::var_os(VARIABLE).filter(|name| !name.is_empty()) else { return };
        let path = match name.to_str() {
            Some(name) => PathBuf::from(name.replace("%p", &process::id().to_string())),
            None => PathBuf::from(name),
        };
        if let Err(error) = open(&path) {
            FAULT.get_or_init(|| format!("{VARIABLE} is `{}`, which cannot be written: {error}", path.display()));
        }
    });
}

/// Leaves the file that the variable names to the process that has started this one, unless each
/// process has a file of its own.
pub fn leave_to_parent() {
    let apart = env::var_os(VARIABLE).is_some_and(|name| name.to_str().is_some_and(|name| name.contains("%p")));
    if !apart {
        ASKED.call_once(|| ());
    }
}

/// The reason for which there is no timeline, or no more of it, though one was asked for.
pub fn fault() -> Option<&'static str> {
    FAULT.get().map(String::as_str)
}

/// Records all spans from now on in this file, which is made anew.
pub fn open(path: &Path) -> io::Result<()> {
    let timeline = Timeline {
        file: File::create(path)?,
        begin: Instant::now(),
        written: 0,
        text: "[\n".to_owned(),
        named: HashSet::new(),
    };
    let mut open = locked();
    let timeline = open.insert(timeline);
    timeline.event("process_name", "M", &format_args!("\"args\":{{\"name\":{}}}", Quoted(&program())));
    timeline.write()?;
    OPEN.store(true, Ordering::Relaxed);
    Ok(())
}

/// Ends the timeline: its file is complete.
pub fn close() -> io::Result<()> {
    OPEN.store(false, Ordering::Relaxed);
    locked().take().map_or(Ok(()), |mut timeline| timeline.write())
}

/// A span that ends now; `outermost` if it is inside no other one of its thread.
pub(crate) fn complete(kind: SpanKind, detail: &str, begin: Instant, outermost: bool) {
    let end = Instant::now();
    record(outermost && kind != SpanKind::Chunk, |timeline| {
        // A span may be older than the timeline.
        let start = begin.saturating_duration_since(timeline.begin);
        let length = end.saturating_duration_since(begin.max(timeline.begin));
        let (start, length) = (Micros(start), Micros(length));
        let rest = format_args!("\"ts\":{start},\"dur\":{length},\"args\":{{\"detail\":{}}}", Quoted(detail));
        timeline.event(kind.name(), "X", &rest);
    });
}

/// An event of now.
pub(crate) fn instant(name: &str, detail: &str) {
    record(false, |timeline| {
        let now = Micros(timeline.begin.elapsed());
        timeline.event(name, "i", &format_args!("\"ts\":{now},\"s\":\"t\",\"args\":{{\"detail\":{}}}", Quoted(detail)));
    });
}

fn record(write: bool, add: impl FnOnce(&mut Timeline)) {
    if !is_open() {
        return;
    }
    let mut open = locked();
    let Some(timeline) = &mut *open else { return };
    timeline.name_thread();
    add(timeline);
    if (write || timeline.text.len() > KEPT)
        && let Err(error) = timeline.write()
    {
        OPEN.store(false, Ordering::Relaxed);
        *open = None;
        FAULT.get_or_init(|| format!("the timeline of {VARIABLE} ends here, as it cannot be written: {error}"));
    }
}

/// A panic while it is held leaves at most half an event in the text, which only `Quoted` and
/// numbers make: they do not panic.
fn locked() -> MutexGuard<'static, Option<Timeline>> {
    TIMELINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Timeline {
    /// Adds an event. `rest` is its other members.
    fn event(&mut self, name: &str, phase: &str, rest: &std::fmt::Arguments<'_>) {
        let (name, process, thread) = (Quoted(name), process::id(), thread_number());
        let comma = if self.text.ends_with("[\n") && self.written == 0 { "" } else { ",\n" };
        // A string takes all that is written to it.
        let _ = write!(
            self.text,
            "{comma}{{\"name\":{name},\"cat\":\"tilewise\",\"ph\":\"{phase}\",\"pid\":{process},\"tid\":{thread},{rest}}}"
        );
    }

    /// Names the calling thread, once.
    fn name_thread(&mut self) {
        let number = thread_number();
        if self.named.insert(number) {
            let name = thread::current().name().map_or_else(|| format!("thread {number}"), str::to_owned);
            self.event("thread_name", "M", &format_args!("\"args\":{{\"name\":{}}}", Quoted(&name)));
        }
    }

    /// Writes what is kept in the place of the last bracket, and the bracket behind it.
    fn write(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.written))?;
        let length = self.text.len() as u64;
        self.text.push_str("\n]\n");
        self.file.write_all(self.text.as_bytes())?;
        self.written += length;
        self.text.clear();
        Ok(())
    }
}

/// A small number of the calling thread.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local!(static NUMBER: Cell<u32> = const { Cell::new(0) });
    let number = NUMBER.try_with(Cell::get).unwrap_or(0);
    if number != 0 {
        return number;
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // A thread that is ending keeps none.
    let _ = NUMBER.try_with(|own| own.set(number));
    number
}

fn program() -> String {
    let path = env::current_exe().ok();
    let name = path.as_deref().and_then(Path::file_name);
    name.map_or_else(|| "tilewise".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// A time in microseconds, to the nanosecond.
struct Micros(Duration);

impl std::fmt::Display for Micros {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:03}", self.0.as_micros(), self.0.subsec_nanos() % 1000)
    }
}

/// A string of JSON.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                letter if (letter as u32) < 0x20 => write!(f, "\\u{:04x}", letter as u32)?,
                letter => f.write_char(letter)?,
            }
        }
        f.write_char('"')
    }
}
