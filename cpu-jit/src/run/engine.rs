//! [`Engine`]: an accelerator.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use rayon::ThreadPool;

use super::team::Crew;
use super::warm_up;
use crate::environment;

/// How an engine is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineOptions {
    /// How many threads work at once; as many as the machine has for this process if not said, 1024 at most.
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
pub struct Engine {
    threads: usize,
    pin: Pin,
    /// Started at the first launch. Nothing if the system gives no threads.
    pool: Arc<OnceLock<Option<WorkerPool>>>,
    /// Has somebody begun to start it?
    begun: AtomicBool,
}

struct WorkerPool {
    workers: ThreadPool,
    /// Has each worker a core of its own?
    pinned: bool,
}

/// Threads of an engine at most: more than a machine has cores, and few enough to start at once.
pub const MOST_THREADS: usize = 1024;

impl Engine {
    /// Makes an engine. Its threads start when they are needed first, or when it is told that they will be ([`Engine::warm`]).
    pub fn new(options: EngineOptions) -> Engine {
        let threads = options.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        let threads = threads.clamp(1, MOST_THREADS);
        Engine { threads, pin: options.pin, pool: Arc::default(), begun: AtomicBool::new(false) }
    }

    /// The engine that the process shares, made at its first use. The environment variable
    /// `TILEWISE_JIT_THREADS` says how many threads it has, 1 to 1024.
    pub fn global() -> &'static Engine {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE
            .get_or_init(|| Engine::new(EngineOptions { threads: environment::threads(), ..EngineOptions::default() }))
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Begins to do what the first launch of the process would have to: it will come soon, but not at once. Nothing happens on a machine whose only core has
    /// better things to do.
    pub fn warm(&self) {
        static WARM: AtomicBool = AtomicBool::new(false);
        if self.threads < 2 || cfg!(miri) || WARM.swap(true, Ordering::Relaxed) {
            return;
        }
        let workers = self.first_to_start().then(|| (Arc::clone(&self.pool), self.threads, self.pin));
        let started = thread::Builder::new().name("tilewise start".into()).spawn(move || {
            if let Some((pool, threads, pin)) = workers {
                pool.get_or_init(|| start(threads, pin));
            }
            // Nobody waits for it, or would want to know.
            drop(warm_up::compiler());
        });
        drop(started);
    }

    /// Begins to start the workers for a launch with at most so many threads, if nobody has: while its kernel is compiled.
    pub(super) fn begin_start(&self, threads: Option<usize>) {
        if threads.unwrap_or(self.threads).min(self.threads) < 2 || !self.first_to_start() {
            return;
        }
        let (pool, threads, pin) = (Arc::clone(&self.pool), self.threads, self.pin);
        // Without a thread they are started when they are needed. The pool may outlive the engine for a moment, if that is dropped meanwhile.
        let started = thread::Builder::new().name("tilewise start".into()).spawn(move || {
            pool.get_or_init(|| start(threads, pin));
        });
        drop(started);
    }

    /// Is this the first who begins to start the workers?
    fn first_to_start(&self) -> bool {
        !self.begun.load(Ordering::Relaxed) && !self.begun.swap(true, Ordering::Relaxed)
    }

    /// Who works on a launch with at most so many threads; nothing if only its caller does.
    pub(super) fn crew(&self, threads: Option<usize>) -> Option<Crew<'_>> {
        let threads = threads.unwrap_or(self.threads).min(self.threads);
        if threads < 2 {
            return None;
        }
        let pool = self.pool.get_or_init(|| start(self.threads, self.pin)).as_ref()?;
        Some(Crew { pool: &pool.workers, threads, pinned: pool.pinned })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("threads", &self.threads).field("pin", &self.pin).finish_non_exhaustive()
    }
}

/// Stack of a worker, whatever `RUST_MIN_STACK` says: machine code takes at most a quarter of it, and what takes more runs on a larger one.
const STACK: usize = 2 << 20;

/// Starts the workers.
fn start(threads: usize, pin: Pin) -> Option<WorkerPool> {
    let cores = match pin {
        Pin::Never => Vec::new(),
        Pin::Auto | Pin::Always => core_affinity::get_core_ids().unwrap_or_default(),
    };
    let pinned = !cores.is_empty() && (pin == Pin::Always || cores.len() == threads);
    let begin = move |worker: usize| {
        if let Some(&core) = cores.get(worker % cores.len().max(1)).filter(|_| pinned) {
            // Without it the worker goes where the system puts it.
            core_affinity::set_for_current(core);
        }
    };
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).start_handler(begin);
    let workers = builder.thread_name(|worker| format!("tilewise jit {worker}")).build().ok()?;
    Some(WorkerPool { workers, pinned })
}
