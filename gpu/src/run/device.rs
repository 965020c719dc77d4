//! Devices: opened adapters, and the handling of their errors.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use wgpu::{DeviceDescriptor, ErrorFilter, PollType};

use super::adapter::Adapter;
use super::buffer::Buffer;
use super::bytes::Bytes;
use super::failed::{DeviceFailure, with_stack};
use super::in_flight::InFlight;
use super::pool::{BufferPool, Purpose};
use super::queue::{GpuQueue, QueueInner};
use super::texel_copy::TexelCopies;
use super::thread_safe::ThreadSafe;
use super::watch::CompletionWatch;
use crate::lower::{BINDING_LIMIT, HEAD, SamplerKey, TAIL, messages};

/// An opened adapter. Clones are the same device.
#[derive(Clone, Debug)]
pub struct GpuDevice {
    pub(super) shared: ThreadSafe<Arc<DeviceShared>>,
}

/// The state shared by everything that belongs to a device.
#[derive(Debug)]
pub(super) struct DeviceShared {
    pub(super) gpu: WgpuDevice,
    pub(super) adapter: Adapter,
    pub(super) number: u64,
    pub(super) lost: Arc<Lost>,
    /// The first words of an empty message buffer.
    pub(super) silence: wgpu::Buffer,
    pub(super) pool: BufferPool,
    pub(super) in_flight: InFlight,
    pub(super) bytes: Bytes,
    pub(super) watch: CompletionWatch,
    /// Held during a submission. The map lists the pieces to clear before any other work: by number
    /// of the piece, its buffer and its size in bytes.
    pub(super) submitting: Mutex<BTreeMap<u64, (wgpu::Buffer, u64)>>,
    /// Limit on bytes in use, all ones except in tests; 0 also refuses new kernels.
    pub(super) room: AtomicU64,
    /// The number of submissions so far.
    pub(super) submissions: AtomicU64,
    /// The longest launch that is submitted together with others, for tests.
    pub(super) brief: Mutex<Option<Duration>>,
    /// The simulated handling of new kernels, for tests.
    pub(super) on_kernels: Mutex<OnKernels>,
    /// The samplers made so far.
    pub(super) samplers: Mutex<Vec<(SamplerKey, wgpu::Sampler)>>,
    pub(super) texel_copies: TexelCopies,
    /// Incremented to make queues drop their bind groups.
    pub(super) epoch: AtomicU64,
    /// The queues, which drop their bind groups when the pool frees memory.
    pub(super) queues: Mutex<Vec<Weak<QueueInner>>>,
}

/// Whether a device is lost, and the reason.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// The device's name.
    name: String,
    is: AtomicBool,
    /// Whether it was lost because it exceeded a time limit.
    pub(super) overdue: AtomicBool,
    why: Mutex<Option<String>>,
    /// Names of the kernels that the driver is compiling now.
    making: Mutex<Vec<String>>,
}

/// A driver's handling of kernels, which tests simulate to check error paths.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OnKernels {
    /// Compiles them.
    #[default]
    Makes,
    /// Refuses them.
    Refuses,
    /// Refuses them, and the device is lost.
    IsLost,
}

/// wgpu's device and queue.
#[derive(Debug)]
pub(super) struct WgpuDevice {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

impl Lost {
    pub(super) fn note(&self, text: String) {
        locked(&self.why).get_or_insert_with(|| format!("`{}`: {text}", self.name));
        self.is.store(true, Ordering::Release);
    }

    /// The driver has lost the device. Some drivers do so while they compile a kernel, so the
    /// kernels being compiled are named.
    fn given_up(&self, why: &str) {
        let meanwhile = match &locked(&self.making)[..] {
            [] => String::new(),
            [kernel] => format!(" while its driver made the kernel `{kernel}`"),
            kernels => format!(" while its driver made the kernels `{}`", kernels.join("`, `")),
        };
        self.note(format!("the device was lost{meanwhile}: {why}"));
    }

    /// Runs a function during which the driver compiles a kernel.
    pub(super) fn making<T>(&self, kernel: &str, make: impl FnOnce() -> T) -> T {
        locked(&self.making).push(kernel.to_owned());
        let made = make();
        let mut making = locked(&self.making);
        if let Some(at) = making.iter().position(|other| other == kernel) {
            making.swap_remove(at);
        }
        made
    }

    pub(super) fn why(&self) -> Option<String> {
        if !self.is.load(Ordering::Acquire) {
            return None;
        }
        locked(&self.why).clone()
    }
}

/// Locks, also after a panic: the data is consistent at all times.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GpuDevice {
    /// Opens a device with what kernels need, and with more features, which the adapter has.
    pub(super) fn open(adapter: &Adapter, more: wgpu::Features) -> Result<GpuDevice, String> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let descriptor = DeviceDescriptor {
            label: None,
            required_features: adapter.wanted() | more,
            required_limits: adapter.limits().clone(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            memory_hints: wgpu::MemoryHints::Performance,
            trace: wgpu::Trace::Off,
        };
        let (device, queue) =
            pollster::block_on(adapter.handle().request_device(&descriptor)).map_err(|error| error.to_string())?;
        let lost = Arc::new(Lost { name: adapter.name().to_owned(), ..Lost::default() });
        let seen = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, text| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                seen.given_up(&text);
            }
        });
        let seen = Arc::clone(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| seen.note(chain(&error))));
        let gpu = WgpuDevice { device, queue };
        let silence = silence(&gpu).map_err(|trouble| trouble.to_string())?;
        let shared = DeviceShared {
            gpu,
            adapter: adapter.clone(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            lost,
            silence,
            pool: BufferPool::default(),
            in_flight: InFlight::default(),
            bytes: Bytes::default(),
            watch: CompletionWatch::default(),
            submitting: Mutex::default(),
            room: AtomicU64::new(u64::MAX),
            submissions: AtomicU64::new(0),
            brief: Mutex::default(),
            on_kernels: Mutex::default(),
            samplers: Mutex::default(),
            texel_copies: TexelCopies::default(),
            epoch: AtomicU64::new(0),
            queues: Mutex::default(),
        };
        Ok(GpuDevice { shared: ThreadSafe::new(Arc::new(shared)) })
    }

    /// The adapter that it was opened on.
    pub fn adapter(&self) -> &Adapter {
        &self.shared.adapter
    }

    /// The device's number, unique in the process.
    pub fn number(&self) -> u64 {
        self.shared.number
    }

    /// Why the device can no longer be used, if so.
    pub fn lost(&self) -> Option<String> {
        self.shared.lost.why()
    }

    /// Creates a queue, which runs its work in order. Between queues of a device, the order of
    /// submission counts.
    pub fn queue(&self) -> GpuQueue {
        GpuQueue::new(&self.shared)
    }

    /// Allocates a buffer. If `zeroed`, all its bytes are zero; else they are arbitrary.
    pub fn allocate(&self, bytes: u64, zeroed: bool) -> Result<Buffer, DeviceFailure> {
        with_stack(|| Buffer::allocate(&self.shared, bytes, zeroed))
    }

    /// The size limit of a buffer, in bytes.
    pub fn largest(&self) -> u64 {
        self.shared.largest()
    }

    /// Bytes of device memory in buffers in use, without staging memory.
    pub fn memory_in_use(&self) -> u64 {
        self.shared.pool.in_use()
    }

    /// Waits until everything submitted so far is done, or the device is lost.
    pub fn finish(&self) {
        if let Some(last) = self.shared.in_flight.last() {
            drop(self.shared.wait_for(&last));
        }
    }

    /// Frees the unused memory that the pool keeps.
    pub fn trim(&self) {
        self.shared.trim();
    }

    /// Simulates a device with room for so many bytes in all; with 0, there is no room for new
    /// kernels either. For tests of callers that handle a lack of memory.
    #[doc(hidden)]
    pub fn fill_up(&self, bytes: u64) {
        self.shared.room.store(bytes, Ordering::Relaxed);
    }

    /// The number of submissions so far, for tests.
    #[doc(hidden)]
    pub fn submissions(&self) -> u64 {
        self.shared.submissions.load(Ordering::Relaxed)
    }

    /// Takes launches for short that take as long as that, and the device for busy, for tests: how fast a
    /// driver in software is depends on what else runs.
    #[doc(hidden)]
    pub fn take_for_brief(&self, longest: Duration) {
        *locked(&self.shared.brief) = Some(longest);
    }

    /// Simulates a driver that handles new kernels in this way, for tests of callers that handle
    /// its failures.
    #[doc(hidden)]
    pub fn on_kernels(&self, does: OnKernels) {
        *locked(&self.shared.on_kernels) = does;
    }

    /// Loses the device at the next new kernel, as a driver may, for tests of callers that handle
    /// it.
    #[doc(hidden)]
    pub fn lose_over_a_kernel(&self) {
        self.on_kernels(OnKernels::IsLost);
    }

    /// Loses the device, as a driver may, for tests of callers that handle it.
    #[doc(hidden)]
    pub fn lose(&self, why: &str) {
        self.shared.lose(why);
    }
}

impl DeviceShared {
    /// Loses the device for a test.
    pub(super) fn lose(&self, why: &str) {
        self.lost.given_up(why);
        self.gpu.device.destroy();
    }

    /// Fails if the device is lost, with the reason.
    pub(super) fn alive(&self) -> Result<(), DeviceFailure> {
        self.lost.why().map_or(Ok(()), |why| Err(DeviceFailure::Lost(why)))
    }

    /// Size limit of a wgpu buffer that kernels access, in bytes.
    pub(super) fn most(&self) -> u64 {
        binding_limit(self.adapter.limits())
    }

    /// The user's part of that limit.
    pub(super) fn largest(&self) -> u64 {
        self.most().saturating_sub(u64::from(HEAD) + u64::from(TAIL))
    }

    pub(super) fn trim(&self) {
        self.pool.trim();
        self.forget_bound();
    }

    /// Makes queues drop their bind groups: now, or with their next dispatch if they are recording.
    pub(super) fn forget_bound(&self) {
        self.epoch.fetch_add(1, Ordering::Relaxed);
        let queues: Vec<Arc<QueueInner>> = locked(&self.queues).iter().filter_map(Weak::upgrade).collect();
        queues.iter().for_each(|queue| queue.forget_bound());
    }

    /// Creates a wgpu buffer. If there is no room, the error reports `bytes`.
    pub(super) fn make(&self, purpose: Purpose, size: u64, bytes: u64) -> Result<wgpu::Buffer, DeviceFailure> {
        self.alive()?;
        if purpose == Purpose::Storage && self.pool.in_use() + size > self.room.load(Ordering::Relaxed) {
            return Err(DeviceFailure::OutOfMemory(bytes));
        }
        let descriptor = purpose.descriptor(size);
        match self.gpu.checked(|device| device.create_buffer(&descriptor)) {
            Ok(buffer) => Ok(buffer),
            Err(WgpuError::NoRoom) => Err(DeviceFailure::OutOfMemory(bytes)),
            Err(WgpuError::Other(text)) => Err(self.alive().err().unwrap_or(DeviceFailure::Unsupported(text))),
        }
    }
}

/// Size limit of a bound buffer, in bytes: the smaller of the limit that lowered code relies on,
/// whatever an adapter reports, and the adapter's own.
fn binding_limit(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(BINDING_LIMIT) / 4 * 4
}

/// Creates the buffer of the words that a message buffer begins with.
fn silence(gpu: &WgpuDevice) -> Result<wgpu::Buffer, WgpuError> {
    let size = u64::from(messages::LOG) * 4;
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let none = [messages::LOWEST, messages::LOWEST_TILE];
    gpu.checked(|device| {
        let buffer = device.create_buffer(&descriptor);
        none.iter().for_each(|&at| gpu.queue.write_buffer(&buffer, u64::from(at) * 4, &u32::MAX.to_le_bytes()));
        buffer
    })
}

/// An error that wgpu reports.
#[derive(Debug)]
pub(super) enum WgpuError {
    NoRoom,
    Other(String),
}

impl std::fmt::Display for WgpuError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WgpuError::NoRoom => f.write_str("the device has no room for it"),
            WgpuError::Other(text) => f.write_str(text),
        }
    }
}

impl WgpuDevice {
    /// Runs a function in error scopes and returns the error that wgpu reports, if any.
    pub(super) fn checked<T>(&self, what: impl FnOnce(&wgpu::Device) -> T) -> Result<T, WgpuError> {
        let scopes = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation]
            .map(|filter| self.device.push_error_scope(filter));
        let made = what(&self.device);
        let mut error = None;
        for scope in scopes.into_iter().rev() {
            error = pollster::block_on(scope.pop()).or(error);
        }
        match error {
            Some(wgpu::Error::OutOfMemory { .. }) => Err(WgpuError::NoRoom),
            Some(error) => Err(WgpuError::Other(chain(&error))),
            None => Ok(made),
        }
    }

    /// Polls wgpu. If the device is lost, wgpu panics; the panic is caught and returned as text.
    ///
    /// There is no wait with a time limit: wgpu 30 asserts that a wait which times out does not
    /// find an empty queue, which fails if another thread sees the end of the work at that moment.
    pub(super) fn nudge(&self) -> Result<(), String> {
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.device.poll(PollType::Poll)));
        match polled {
            Ok(Ok(_) | Err(wgpu::PollError::Timeout)) => Ok(()),
            Ok(Err(error)) => Err(format!("the device was lost: {error}")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
                Err(format!("the device was lost: {text}"))
            }
        }
    }
}

impl Drop for WgpuDevice {
    /// wgpu waits without limit for a queue's remaining work when its last clone is dropped. So a
    /// thread of its own waits, and holds a clone until no work remains.
    fn drop(&mut self) {
        let calmly = |what: &mut dyn FnMut() -> bool| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(what)).unwrap_or_default()
        };
        let device = self.device.clone();
        if calmly(&mut || matches!(device.poll(PollType::Poll), Ok(wgpu::PollStatus::QueueEmpty))) {
            return;
        }
        let queue = self.queue.clone();
        let wait = move || {
            calmly(&mut || device.poll(PollType::wait_indefinitely()).is_ok());
            let mut rest = Some((queue, device));
            calmly(&mut || rest.take().is_some());
        };
        // If no thread can be created, the device is dropped here: nothing else can wait.
        drop(std::thread::Builder::new().name("parked GPU".into()).spawn(wait));
    }
}

/// An error with its causes, in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut out = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        out += ": ";
        out += &error.to_string();
        next = error.source();
    }
    out.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_adapter_binds_as_much_as_2_gib() {
        let limits = |binding, buffer| wgpu::Limits {
            max_storage_buffer_binding_size: binding,
            max_buffer_size: buffer,
            ..wgpu::Limits::default()
        };
        for (binding, buffer, most) in [
            (u64::MAX, u64::MAX, BINDING_LIMIT),
            (u64::from(u32::MAX), 1 << 40, BINDING_LIMIT),
            (1 << 31, 1 << 31, BINDING_LIMIT),
            ((1 << 31) - 1, 1 << 40, BINDING_LIMIT),
            (1 << 27, 1 << 28, 1 << 27),
            (1 << 30, 1001, 1000),
            (0, 0, 0),
        ] {
            assert_eq!(binding_limit(&limits(binding, buffer)), most, "{binding} {buffer}");
        }
        // As lowered code assumes: an offset, a number of bytes and an extent in bytes are positive
        // as an `i32`.
        assert!(i32::try_from(BINDING_LIMIT).is_ok() && BINDING_LIMIT.is_multiple_of(4));
    }
}
