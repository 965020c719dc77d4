//! What Tilewise does, and when: compiling, launches, transfers, waits, the chunks of each worker.
//!
//! ```
//! use tilewise_trace::{SpanKind, span};
//! let compile = span(SpanKind::Compile, || "the kernel at src/main.rs:10".to_owned());
//! // Work: the span ends with the value.
//! drop(compile);
//! ```
//!
//! A span has two listeners, and either may be absent:
//! - the subscriber of the crate `tracing`, if the program has one. All targets are `tilewise`;
//!   a span has the name of its kind and one field, `detail`. Chunks are of level `TRACE`, all else
//!   of level `DEBUG`;
//! - the timeline of the process, a file in the trace event format of Chrome, which
//!   <https://ui.perfetto.dev> opens: [`timeline`].
//!
//! Without a listener, a span costs two loads and no allocation, and its text is not made.

pub mod timeline;

use std::cell::Cell;
use std::fmt;
use std::time::Instant;

use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing::span::EnteredSpan;

/// What is done during a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpanKind {
    /// A launch, from its call to its return; on a GPU, until it is queued.
    Launch,
    /// A closure becomes a kernel, and is checked.
    Lower,
    /// A kernel becomes code of the processor, or a pipeline of a device.
    Compile,
    /// Bytes move between the host and a device.
    Transfer,
    /// A thread waits for a device or for another thread.
    Wait,
    /// A worker runs some tiles of a launch.
    Chunk,
}

impl SpanKind {
    /// Each kind.
    pub const ALL: [SpanKind; 6] =
        [SpanKind::Launch, SpanKind::Lower, SpanKind::Compile, SpanKind::Transfer, SpanKind::Wait, SpanKind::Chunk];

    /// The name of its spans.
    pub fn name(self) -> &'static str {
        match self {
            SpanKind::Launch => "launch",
            SpanKind::Lower => "lower",
            SpanKind::Compile => "compile",
            SpanKind::Transfer => "transfer",
            SpanKind::Wait => "wait",
            SpanKind::Chunk => "chunk",
        }
    }

    fn span(self, detail: &str) -> tracing::Span {
        match self {
            SpanKind::Launch => tracing::debug_span!(target: "tilewise", "launch", detail),
            SpanKind::Lower => tracing::debug_span!(target: "tilewise", "lower", detail),
            SpanKind::Compile => tracing::debug_span!(target: "tilewise", "compile", detail),
            SpanKind::Transfer => tracing::debug_span!(target: "tilewise", "transfer", detail),
            SpanKind::Wait => tracing::debug_span!(target: "tilewise", "wait", detail),
            SpanKind::Chunk => tracing::trace_span!(target: "tilewise", "chunk", detail),
        }
    }
}

/// A span of time, which ends when this is dropped.
#[must_use = "a span ends when it is dropped"]
pub struct TraceSpan(Option<Box<OpenSpan>>);

struct OpenSpan {
    kind: SpanKind,
    detail: String,
    begin: Instant,
    /// Ends the span for `tracing`.
    _entered: Option<EnteredSpan>,
}

thread_local! {
    /// The number of open spans of the thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Begins a span. `detail` says what it is about; it is called only if somebody listens.
#[inline]
pub fn span(kind: SpanKind, detail: impl FnOnce() -> String) -> TraceSpan {
    if is_heard() { TraceSpan(Some(begin(kind, detail()))) } else { TraceSpan(None) }
}

/// Does a timeline or a subscriber listen?
#[inline]
fn is_heard() -> bool {
    timeline::is_open() || (LevelFilter::current() >= LevelFilter::DEBUG && has_subscriber())
}

/// Does the thread's subscriber want spans of Tilewise?
#[cold]
fn has_subscriber() -> bool {
    tracing::enabled!(target: "tilewise", Level::DEBUG)
}

#[cold]
fn begin(kind: SpanKind, detail: String) -> Box<OpenSpan> {
    let _ = DEPTH.try_with(|depth| depth.set(depth.get() + 1));
    let entered = has_subscriber().then(|| kind.span(&detail).entered());
    Box::new(OpenSpan { kind, detail, begin: Instant::now(), _entered: entered })
}

/// Something that happens at one time: a kernel that is interpreted, a better code.
#[inline]
pub fn event(name: &'static str, detail: impl FnOnce() -> String) {
    if is_heard() {
        happen(name, &detail());
    }
}

#[cold]
fn happen(name: &'static str, detail: &str) {
    tracing::debug!(target: "tilewise", detail, "{name}");
    timeline::instant(name, detail);
}

impl Drop for TraceSpan {
    #[inline]
    fn drop(&mut self) {
        if let Some(open) = self.0.take() {
            end(&open);
        }
    }
}

#[cold]
fn end(open: &OpenSpan) {
    // On a thread that is ending, each span is the outermost.
    let depth = DEPTH.try_with(|depth| {
        depth.set(depth.get().saturating_sub(1));
        depth.get()
    });
    timeline::complete(open.kind, &open.detail, open.begin, depth.unwrap_or(0) == 0);
}

impl fmt::Debug for TraceSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.as_ref().map_or("nobody listens", |open| open.kind.name());
        f.debug_tuple("TraceSpan").field(&name).finish()
    }
}

#[cfg(test)]
mod tests;
