//! [`AcceleratorView`]: a queue of an accelerator, with the options of its launches.
//!
//! On the CPU a launch is complete when the call returns, so nothing is ever queued: `flush` and
//! `wait` have nothing to do. On a GPU it is queued, and its error is reported later: by `wait`, by
//! an access to data that it wrote, or by the hook.

use std::hash::{Hash, Hasher};
use std::panic::RefUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;
use std::{fmt, ptr};

use super::{Accelerator, Checks, DeviceKind, FloatMode, QueuingMode, default};
use tilewise_cpu_jit::run::{Engine, EngineOptions, MOST_THREADS, Pin};

use super::limits::LaunchLimits;
use crate::api::completion::Completion;
use crate::memory::pending::{Pending, UnaskedLaunches};
use crate::{Error, Result, targets::gpu, workers};

/// A queue of an accelerator: its work runs in order, and queues run concurrently. A handle; two
/// are equal if they denote the same queue. `Send + Sync`.
///
/// ```
/// use tilewise::{Accelerator, ArrayView, parallel_for_each};
/// let queue = Accelerator::new("jit")?.default_view();
/// let view = ArrayView::from_vec(3, vec![1, 2, 3])?;
/// parallel_for_each!(&queue, view.extent(), |i| view[i] *= 10)?;
/// queue.wait()?;
/// assert_eq!(view.to_vec()?, [10, 20, 30]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "accelerator_view")]
#[derive(Clone)]
pub struct AcceleratorView(Arc<ViewQueue>);

struct ViewQueue {
    accelerator: Accelerator,
    auto: bool,
    queuing_mode: QueuingMode,
    float_mode: FloatMode,
    checks: Checks,
    time_limit: Option<Duration>,
    /// The queue's own threads of `jit`, if it has any.
    engine: Option<Engine>,
    /// The device and its queue, on a GPU. Made on first use, as the device is opened then.
    gpu: OnceLock<(gpu::GpuDevice, gpu::GpuQueue)>,
    /// Launches on a GPU whose errors nobody has read.
    waiting: UnaskedLaunches,
    /// The number of cancellations. A launch ends if the number has changed since it was requested.
    cancelled: Arc<AtomicU64>,
}

/// As for an allocation: locks are reacquired after a panic, and its wgpu state is consistent at
/// all times.
impl RefUnwindSafe for ViewQueue {}

impl AcceleratorView {
    /// Its device; for the view that selects a queue at each launch, the default device.
    #[doc(alias = "get_accelerator")]
    pub fn accelerator(&self) -> &Accelerator {
        match self.0.auto {
            // The launch reports an invalid environment variable.
            true => Accelerator::known(default::look().unwrap_or(DeviceKind::Jit)),
            false => &self.0.accelerator,
        }
    }

    /// The queuing mode.
    #[doc(alias = "get_queuing_mode")]
    pub fn queuing_mode(&self) -> QueuingMode {
        self.0.queuing_mode
    }

    /// Whether it selects a real queue at each launch.
    #[doc(alias = "get_is_auto_selection")]
    pub fn is_auto_selection(&self) -> bool {
        self.0.auto
    }

    /// The run-time checks.
    pub fn checks(&self) -> Checks {
        self.0.checks
    }

    /// The time limit of a launch.
    pub fn time_limit(&self) -> Option<Duration> {
        self.0.time_limit
    }

    /// The float mode of launches that do not set one.
    pub fn float_mode(&self) -> FloatMode {
        self.0.float_mode
    }

    /// Submits the queued work.
    pub fn flush(&self) -> Result<()> {
        match self.current()?.0.gpu.get() {
            Some((_, queue)) => queue.flush().map_err(gpu::failed),
            None => Ok(()),
        }
    }

    /// Waits for all submitted work and returns the first error that has not been returned yet. (On
    /// devices that run on the CPU, the launch itself returns it.) The queue keeps the last
    /// thousand errors of launches that nobody waits for; earlier ones go to the
    /// [hook](crate::set_error_hook).
    pub fn wait(&self) -> Result<()> {
        let target = self.current()?;
        let Some((_, queue)) = target.0.gpu.get() else { return Ok(()) };
        let waited = queue.wait().map_err(gpu::failed);
        target.0.waiting.take().and(waited)
    }

    /// A completion that completes when all work submitted before it has.
    pub fn create_marker(&self) -> Result<Completion> {
        match self.current()?.0.gpu.get() {
            None => Ok(Completion::ready(())),
            Some((_, queue)) => Ok(marker(queue)),
        }
    }

    /// Ends running work and drops queued work, from any thread, and does not block; the launches end
    /// with `AcceleratorViewRemoved`. Later launches are not affected. A launch that a GPU has begun
    /// cannot be stopped: if it does not complete within half a second for each launch queued before
    /// the call, the device is lost, and with it what was queued behind. Work that completes within
    /// that time is done.
    pub fn cancel(&self) {
        // If the default accelerator cannot be found, nothing was launched on it.
        let Ok(target) = self.current() else { return };
        target.0.cancelled.fetch_add(1, Ordering::Relaxed);
        if let Some((_, queue)) = target.0.gpu.get() {
            queue.cancel();
        }
    }

    /// The queue for a launch.
    pub(crate) fn chosen(&self) -> Result<AcceleratorView> {
        if self.0.auto { Ok(Accelerator::of(default::fix()?).default_view()) } else { Ok(self.clone()) }
    }

    /// The queue that a launch would use now; unlike [`chosen`](Self::chosen) this does not fix the
    /// default accelerator.
    fn current(&self) -> Result<AcceleratorView> {
        if self.0.auto { Ok(Accelerator::of(default::look()?).default_view()) } else { Ok(self.clone()) }
    }

    /// Device and queue of launches on a GPU; `None` on the CPU.
    pub(crate) fn gpu(&self) -> Result<Option<&(gpu::GpuDevice, gpu::GpuQueue)>> {
        let DeviceKind::Gpu(number) = self.0.accelerator.device() else { return Ok(None) };
        gpu::wait_at_exit(deliver_at_exit);
        if let Some(there) = self.0.gpu.get() {
            return Ok(Some(there));
        }
        let device = gpu::device(number)?;
        let queue = device.queue();
        Ok(Some(self.0.gpu.get_or_init(|| {
            let mut queues = GPU_QUEUES.lock().unwrap_or_else(PoisonError::into_inner);
            queues.retain(|queue| queue.strong_count() > 0);
            queues.push(Arc::downgrade(&self.0));
            (device, queue)
        })))
    }

    /// Whether its device was lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.still_there().is_err()
    }

    /// The error for operations that need the device, if it was lost.
    pub(crate) fn still_there(&self) -> Result<()> {
        let why = self.0.gpu.get().and_then(|(device, _)| device.lost());
        why.map_or(Ok(()), |why| Err(Error::AcceleratorViewRemoved(why.into())))
    }

    /// Keeps a launch until its error is read. The caller holds no lock.
    pub(crate) fn expect(&self, launch: Arc<Pending>) {
        self.0.waiting.expect(launch);
    }

    /// The engine of launches on `jit`.
    pub(crate) fn engine(&self) -> &Engine {
        self.0.engine.as_ref().unwrap_or_else(|| Engine::global())
    }

    /// The limits of a launch that is requested now and may have to wait for others.
    pub(crate) fn watch(&self) -> LaunchLimits {
        LaunchLimits::new(&self.0.cancelled, self.0.time_limit)
    }
}

/// The queues of GPUs.
static GPU_QUEUES: Mutex<Vec<Weak<ViewQueue>>> = Mutex::new(Vec::new());

/// Delivers what launches of queues printed that outlive `main`, as default views do, and passes their
/// errors to the hook: nobody can ask for them any more.
fn deliver_at_exit() {
    let queues: Vec<Weak<ViewQueue>> = GPU_QUEUES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    queues.iter().filter_map(Weak::upgrade).for_each(|queue| queue.waiting.deliver_all());
}

impl PartialEq for AcceleratorView {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for AcceleratorView {}

impl Hash for AcceleratorView {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(Arc::as_ptr(&self.0), state);
    }
}

impl fmt::Debug for AcceleratorView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.0.auto { "automatic" } else { self.0.accelerator.path() };
        write!(f, "AcceleratorView({kind})")
    }
}

/// Complete when all submitted work of a queue is done, or its device is lost.
pub(crate) fn marker(queue: &gpu::GpuQueue) -> Completion {
    let (completion, promise) = Completion::promised();
    // A hook or a waker that this calls may wait for another marker, which the device's thread must
    // be free to complete: so they run on a thread of their own.
    let keep = |done: Result<(), gpu::DeviceFailure>| {
        workers::run(Box::new(move || promise.keep(done.map_err(gpu::failed))));
    };
    queue.when_done(Box::new(keep));
    completion
}

/// The default view of a device.
pub(super) fn plain(device: DeviceKind) -> AcceleratorView {
    AcceleratorViewBuilder::new(device).queue(false, None)
}

/// The view that selects a queue at each launch.
pub(super) fn auto_selection() -> AcceleratorView {
    static AUTO: OnceLock<AcceleratorView> = OnceLock::new();
    AUTO.get_or_init(|| AcceleratorViewBuilder::new(DeviceKind::Jit).queue(true, None)).clone()
}

fn default_checks(device: DeviceKind) -> Checks {
    match device {
        DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Jit | DeviceKind::Gpu(_) => Checks::NONE,
        DeviceKind::Reference => Checks::ALL,
    }
}

/// The default time limit of a launch: on a real GPU 2 seconds, as its driver would end it not much
/// later.
fn default_limit(device: DeviceKind) -> Option<Duration> {
    match device {
        DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference | DeviceKind::Jit => None,
        DeviceKind::Gpu(number) => (!gpu::facts(number).is_software).then_some(Duration::from_secs(2)),
    }
}

/// Options of a queue, fixed at its creation, so that no other thread can change them during a
/// launch.
///
/// ```
/// use std::time::Duration;
/// use tilewise::{Accelerator, Checks};
/// let limit = Some(Duration::from_secs(5));
/// let checks = Checks::ALL.stopping_at_first();
/// let careful = Accelerator::new("reference")?.view_builder().checks(checks).time_limit(limit).create()?;
/// assert!(careful.checks().races);
/// assert_eq!(careful.time_limit(), limit);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[must_use]
#[derive(Clone, Debug)]
pub struct AcceleratorViewBuilder {
    device: DeviceKind,
    queuing_mode: QueuingMode,
    float_mode: FloatMode,
    checks: Checks,
    time_limit: Option<Duration>,
    threads: Option<usize>,
    pin_threads: bool,
}

impl AcceleratorViewBuilder {
    pub(super) fn new(device: DeviceKind) -> AcceleratorViewBuilder {
        AcceleratorViewBuilder {
            device,
            queuing_mode: QueuingMode::Automatic,
            float_mode: FloatMode::Auto,
            checks: default_checks(device),
            time_limit: default_limit(device),
            threads: None,
            pin_threads: false,
        }
    }

    /// Immediate or automatic (the default).
    pub fn queuing_mode(self, mode: QueuingMode) -> Self {
        AcceleratorViewBuilder { queuing_mode: mode, ..self }
    }

    /// How many operating-system threads run tiles: on `jit` 1 to 1024, by default one per core;
    /// queues that set a number have threads of their own. `native` and `reference` run one kernel
    /// thread at a time, so they accept only 1.
    pub fn threads(self, count: usize) -> Self {
        AcceleratorViewBuilder { threads: Some(count), ..self }
    }

    /// Pins each thread to a core: on `jit`, for a program that has the machine to itself. The
    /// other devices have no threads to pin.
    pub fn pin_threads(self, pin: bool) -> Self {
        AcceleratorViewBuilder { pin_threads: pin, ..self }
    }

    /// The float mode of launches that do not set one. `native` and `reference` are always strict,
    /// which satisfies every mode; in relaxed launches, `jit` contracts a product and a sum to one
    /// operation with one rounding, on machines that have it.
    pub fn float_mode(self, mode: FloatMode) -> Self {
        AcceleratorViewBuilder { float_mode: mode, ..self }
    }

    /// The run-time checks; only `reference` supports any.
    pub fn checks(self, checks: Checks) -> Self {
        AcceleratorViewBuilder { checks, ..self }
    }

    /// The time limit of a launch; `None` for no limit. `reference` and `jit` check the clock every
    /// few milliseconds, `native` between threads, at barriers, in each loop of a kernel's closure,
    /// in each `while` and `loop` of the `#[amp]` functions that it calls, and for the items of iterators
    /// over ranges, but not in `nth`. Compiling, at the first launch of a kernel, does not count and
    /// cannot be interrupted, not even by [`AcceleratorView::cancel`].
    pub fn time_limit(self, limit: Option<Duration>) -> Self {
        AcceleratorViewBuilder { time_limit: limit, ..self }
    }

    /// Creates the queue.
    pub fn create(self) -> Result<AcceleratorView> {
        let accelerator = Accelerator::of(self.device);
        let cannot = |what: &str| Err(Error::UnsupportedFeature(format!("{accelerator} {what}").into()));
        if self.device != DeviceKind::Reference && self.checks != Checks::NONE {
            return cannot("checks nothing while running; `reference` does");
        }
        let engine = match self.device {
            DeviceKind::Cpu | DeviceKind::Native | DeviceKind::Reference => {
                if self.threads.is_some_and(|count| count != 1) {
                    return cannot("runs one thread at a time: the number of threads is 1");
                }
                if self.pin_threads {
                    return cannot("has no threads to pin to cores");
                }
                None
            }
            DeviceKind::Gpu(_) => {
                if self.threads.is_some() || self.pin_threads {
                    return cannot("has no threads of the operating system to choose");
                }
                None
            }
            DeviceKind::Jit if self.threads == Some(0) => return cannot("needs at least 1 thread"),
            DeviceKind::Jit if self.threads.is_some_and(|count| count > MOST_THREADS) => {
                return cannot(&format!("has at most {MOST_THREADS} threads"));
            }
            DeviceKind::Jit => self.engine(),
        };
        Ok(self.queue(false, engine))
    }

    /// The queue's own threads, if the shared ones do not fit its options.
    fn engine(&self) -> Option<Engine> {
        if self.threads.is_none() && !self.pin_threads {
            return None;
        }
        let pin = if self.pin_threads { Pin::Always } else { Pin::default() };
        Some(Engine::new(EngineOptions { threads: self.threads, pin }))
    }

    fn queue(self, auto: bool, engine: Option<Engine>) -> AcceleratorView {
        if self.device == DeviceKind::Jit && !auto {
            engine.as_ref().unwrap_or_else(|| Engine::global()).warm();
        }
        AcceleratorView(Arc::new(ViewQueue {
            accelerator: Accelerator::of(self.device),
            auto,
            queuing_mode: self.queuing_mode,
            float_mode: self.float_mode,
            checks: self.checks,
            time_limit: self.time_limit,
            engine,
            gpu: OnceLock::new(),
            waiting: UnaskedLaunches::default(),
            cancelled: Arc::default(),
        }))
    }
}
