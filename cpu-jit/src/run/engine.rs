//! [`Engine`]: an accelerator.

use std::sync::OnceLock;
use std::thread;

/// How an engine is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How many threads work at once; as many as the machine has for this process if not said.
    pub threads: Option<usize>,
    /// Whether each worker stays on one core.
    pub pin: Pin,
}

/// Whether each worker stays on one core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pin {
    /// If every core that the process may use gets exactly one worker.
    #[default]
    Auto,
    /// Yes; cores are shared where there are more workers.
    Always,
    /// No.
    Never,
}

/// An accelerator: worker threads and what they need. Launches from several threads at once are fine, from workers of any thread pool too.
#[derive(Debug)]
pub struct Engine {
    threads: usize,
}

impl Engine {
    /// Makes an engine. Its threads start when they are needed first.
    pub fn new(options: Options) -> Engine {
        let threads = options.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into)).max(1);
        Engine { threads }
    }

    /// The engine that the process shares, made at its first use. The environment variable `TILEWISE_JIT_THREADS` says how many threads it has.
    pub fn global() -> &'static Engine {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE.get_or_init(|| {
            let threads = std::env::var("TILEWISE_JIT_THREADS").ok().and_then(|text| text.trim().parse().ok());
            Engine::new(Options { threads, ..Options::default() })
        })
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.threads
    }
}
