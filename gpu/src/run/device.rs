//! A device: an adapter that was opened, and what becomes of its errors.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use wgpu::{DeviceDescriptor, ErrorFilter, PollType};

use super::adapter::Adapter;
use super::buffer::Buffer;
use super::bytes::Bytes;
use super::failed::DeviceFailure;
use super::in_flight::InFlight;
use super::pool::{BufferPool, Purpose};
use super::queue::{GpuQueue, QueueInner};
use super::watch::CompletionWatch;
use crate::lower::{BINDING_LIMIT, HEAD, TAIL, messages};

/// An adapter that was opened. Clones are the same device.
#[derive(Clone, Debug)]
pub struct GpuDevice {
    pub(super) shared: Arc<DeviceShared>,
}

/// What all that belongs to a device shares.
#[derive(Debug)]
pub(super) struct DeviceShared {
    pub(super) gpu: WgpuDevice,
    pub(super) adapter: Adapter,
    pub(super) number: u64,
    pub(super) lost: Arc<Lost>,
    /// The first words of a message buffer in which nothing was said.
    pub(super) silence: wgpu::Buffer,
    pub(super) pool: BufferPool,
    pub(super) in_flight: InFlight,
    pub(super) bytes: Bytes,
    pub(super) watch: CompletionWatch,
    /// Held while something is submitted. In it: buffers that must read as zero before anything else
    /// is, and how many bytes of each, by the number of the piece.
    pub(super) submitting: Mutex<BTreeMap<u64, (wgpu::Buffer, u64)>>,
    /// Bytes that may be in use, all ones but in tests; 0: not even new kernels.
    pub(super) room: AtomicU64,
    /// Does it take no new kernel? Only in tests.
    pub(super) on_kernels: Mutex<OnKernels>,
    /// Counts how often queues are to forget what they have bound.
    pub(super) epoch: AtomicU64,
    /// The queues, whose bound buffers are forgotten when the pool gives memory back.
    pub(super) queues: Mutex<Vec<Weak<QueueInner>>>,
}

/// Whether a device is lost, and why.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// What the device is called.
    name: String,
    is: AtomicBool,
    /// Because it took too long?
    pub(super) overdue: AtomicBool,
    why: Mutex<Option<String>>,
    /// Names of the kernels that the driver is making at this moment.
    making: Mutex<Vec<String>>,
}

/// What a driver makes of kernels, for tests of those who must live with it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OnKernels {
    /// What it can.
    #[default]
    Makes,
    /// Nothing.
    Refuses,
    /// Nothing, and the device is lost over it.
    IsLost,
}

/// wgpu's part of a device.
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

    /// The driver has given the device up. Some do so over a kernel, so those that it is making are named.
    fn given_up(&self, why: &str) {
        let meanwhile = match &locked(&self.making)[..] {
            [] => String::new(),
            [kernel] => format!(" while its driver made the kernel `{kernel}`"),
            kernels => format!(" while its driver made the kernels `{}`", kernels.join("`, `")),
        };
        self.note(format!("the device was lost{meanwhile}: {why}"));
    }

    /// Does something during which the driver makes a kernel.
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

/// Locks, also after a panic: what is in here is right at every time.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GpuDevice {
    pub(super) fn open(adapter: &Adapter) -> Result<GpuDevice, String> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let descriptor = DeviceDescriptor {
            label: None,
            required_features: adapter.wanted(),
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
            on_kernels: Mutex::default(),
            epoch: AtomicU64::new(0),
            queues: Mutex::default(),
        };
        Ok(GpuDevice { shared: Arc::new(shared) })
    }

    /// The adapter.
    pub fn adapter(&self) -> &Adapter {
        &self.shared.adapter
    }

    /// Its number, which no other device of the process has or will have.
    pub fn number(&self) -> u64 {
        self.shared.number
    }

    /// Why it can no longer be used, if so.
    pub fn lost(&self) -> Option<String> {
        self.shared.lost.why()
    }

    /// A queue: what it is given runs in that order. Between queues of a device the order of submission counts.
    pub fn queue(&self) -> GpuQueue {
        GpuQueue::new(&self.shared)
    }

    /// A buffer. If it is `zeroed` all its bytes are zero, else they may be anything.
    pub fn allocate(&self, bytes: u64, zeroed: bool) -> Result<Buffer, DeviceFailure> {
        Buffer::allocate(&self.shared, bytes, zeroed)
    }

    /// The most bytes that one buffer may have.
    pub fn largest(&self) -> u64 {
        self.shared.largest()
    }

    /// Bytes of the device's memory that buffers in use take, staging memory not counted.
    pub fn memory_in_use(&self) -> u64 {
        self.shared.pool.in_use()
    }

    /// Waits until all that was submitted so far is done, or the device is lost.
    pub fn finish(&self) {
        if let Some(last) = self.shared.in_flight.last() {
            drop(self.shared.wait_for(&last));
        }
    }

    /// Gives memory back that nobody uses and the pool kept.
    pub fn trim(&self) {
        self.shared.trim();
    }

    /// Acts from here on as if the device had room for so many bytes in all, and with none not for a new kernel either: for tests of those who must live without.
    #[doc(hidden)]
    pub fn fill_up(&self, bytes: u64) {
        self.shared.room.store(bytes, Ordering::Relaxed);
    }

    /// Acts from here on as a driver that does this with kernels: for tests of those who must live with it.
    #[doc(hidden)]
    pub fn on_kernels(&self, does: OnKernels) {
        *locked(&self.shared.on_kernels) = does;
    }

    /// Is lost over the next kernel, as a driver may be: for tests of those who must live with it.
    #[doc(hidden)]
    pub fn lose_over_a_kernel(&self) {
        self.on_kernels(OnKernels::IsLost);
    }

    /// Loses the device, as a driver may: for tests of those who must live with it.
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

    /// Is it lost? Then the error that says why.
    pub(super) fn alive(&self) -> Result<(), DeviceFailure> {
        self.lost.why().map_or(Ok(()), |why| Err(DeviceFailure::Lost(why)))
    }

    /// Most bytes of a buffer of wgpu's that kernels are to reach.
    pub(super) fn most(&self) -> u64 {
        binding_limit(self.adapter.limits())
    }

    /// Bytes of them that are the user's.
    pub(super) fn largest(&self) -> u64 {
        self.most().saturating_sub(u64::from(HEAD) + u64::from(TAIL))
    }

    pub(super) fn trim(&self) {
        self.pool.trim();
        self.forget_bound();
    }

    /// Queues drop what they have bound, now, or with their next launch if they are at work.
    pub(super) fn forget_bound(&self) {
        self.epoch.fetch_add(1, Ordering::Relaxed);
        let queues: Vec<Arc<QueueInner>> = locked(&self.queues).iter().filter_map(Weak::upgrade).collect();
        queues.iter().for_each(|queue| queue.forget_bound());
    }

    /// A buffer of wgpu's, made. `bytes` is what the error says if there is no room.
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

/// Bytes that a buffer may have to be bound to a kernel: what lowered code relies on, whatever an adapter says of itself, and what the adapter takes.
fn binding_limit(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(BINDING_LIMIT) / 4 * 4
}

/// Makes the words that a message buffer begins with.
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

/// What wgpu finds wrong.
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
    /// Does something, and gives the error that wgpu finds in it.
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

    /// Lets wgpu do what is due. Where the device is lost it panics, which ends here, in words.
    ///
    /// There is no wait with a time limit: wgpu 30 asserts that one which runs out does not find an empty queue, as it may where another thread sees the end at that moment.
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
    /// wgpu waits without limit for what a queue still does when its last clone is dropped. So a thread of its own waits, and holds a clone until there is nothing left to wait for.
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
        // Where no thread can be had, the device is dropped here: there is nobody else to wait.
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
        // As lowered code has it: an offset, a number of bytes and an extent in bytes are positive as an `i32`.
        assert!(i32::try_from(BINDING_LIMIT).is_ok() && BINDING_LIMIT.is_multiple_of(4));
    }
}
