//! [`Engine`]: an accelerator.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use rayon::ThreadPool;

use super::streaming::WriteHistory;
use super::team::Crew;
use super::{heap, warm_up};
use crate::environment;

/// Options of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineOptions {
    /// Number of threads that work at once; by default the available parallelism of this process,
    /// at most 1024.
    pub threads: Option<usize>,
    /// Whether each worker is pinned to a core.
    pub pin: Pin,
}

/// Whether each worker is pinned to a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pin {
    /// Pinned if every core available to the process gets exactly one worker.
    #[default]
    Auto,
    /// Always pinned; workers share cores if there are more workers than cores.
    Always,
    /// Never pinned.
    Never,
}

/// An accelerator: worker threads and their state. Launches from several threads at once are
/// allowed, from workers of any thread pool too.
pub struct Engine {
    threads: usize,
    pin: Pin,
    /// Started at the first launch. `None` if the system provides no threads.
    pool: Arc<OnceLock<Option<WorkerPool>>>,
    /// Has a thread begun to start it?
    begun: AtomicBool,
    /// What its launches wrote.
    pub(super) history: WriteHistory,
}

struct WorkerPool {
    workers: ThreadPool,
    /// Has each worker a core of its own?
    pinned: bool,
}

/// Maximum number of threads of an engine: more than a machine has cores, and few enough to start
/// at once.
pub const MOST_THREADS: usize = 1024;

impl Engine {
    /// Makes an engine. Its threads start when they are first needed, or at [`Engine::warm`].
    pub fn new(options: EngineOptions) -> Engine {
        let threads = options.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        let threads = threads.clamp(1, MOST_THREADS);
        Engine {
            threads,
            pin: options.pin,
            pool: Arc::default(),
            begun: AtomicBool::new(false),
            history: WriteHistory::default(),
        }
    }

    /// The engine that the process shares, made at its first use. The environment variable
    /// `TILEWISE_JIT_THREADS` sets its number of threads, 1 to 1024.
    pub fn global() -> &'static Engine {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE
            .get_or_init(|| Engine::new(EngineOptions { threads: environment::threads(), ..EngineOptions::default() }))
    }

    /// The number of threads that work at once.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Starts in the background the initialisation that the first launch of the process needs: call
    /// it when a launch is expected soon. Has no effect on an engine with one thread.
    pub fn warm(&self) {
        static WARM: AtomicBool = AtomicBool::new(false);
        if self.threads < 2 || cfg!(miri) || WARM.swap(true, Ordering::Relaxed) {
            return;
        }
        heap::make_room();
        let workers = self.first_to_start().then(|| (Arc::clone(&self.pool), self.threads, self.pin));
        let started = thread::Builder::new().name("tilewise start".into()).spawn(move || {
            if let Some((pool, threads, pin)) = workers {
                pool.get_or_init(|| start(threads, pin));
            }
            heap::make_room();
            // No thread waits for the result, and a failure will recur in launches.
            drop(warm_up::compiler());
        });
        drop(started);
    }

    /// Starts the workers in the background for a launch with at most `threads` threads, while its
    /// kernel is compiled.
    pub(super) fn begin_start(&self, threads: Option<usize>) {
        if self.working(threads) < 2 || !self.first_to_start() {
            return;
        }
        let (pool, threads, pin) = (Arc::clone(&self.pool), self.threads, self.pin);
        // If no thread can be started, the workers start when they are needed. The pool may briefly
        // outlive the engine, if that is dropped meanwhile.
        let started = thread::Builder::new().name("tilewise start".into()).spawn(move || {
            pool.get_or_init(|| start(threads, pin));
        });
        drop(started);
    }

    /// The number of threads of a launch that is limited to `threads`.
    pub(super) fn working(&self, threads: Option<usize>) -> usize {
        threads.unwrap_or(self.threads).min(self.threads)
    }

    /// Is this the first call that starts the workers?
    fn first_to_start(&self) -> bool {
        !self.begun.load(Ordering::Relaxed) && !self.begun.swap(true, Ordering::Relaxed)
    }

    /// The workers for a launch with at most `threads` threads; `None` if its caller works alone.
    pub(super) fn crew(&self, threads: Option<usize>) -> Option<Crew<'_>> {
        let threads = self.working(threads);
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

/// Stack of a worker, independent of `RUST_MIN_STACK`: machine code takes at most a quarter of it,
/// and anything larger runs on another stack.
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
            // If pinning fails, the system schedules the worker anywhere.
            core_affinity::set_for_current(core);
        }
    };
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).start_handler(begin);
    let workers = builder.thread_name(|worker| format!("tilewise jit {worker}")).build().ok()?;
    Some(WorkerPool { workers, pinned })
}
