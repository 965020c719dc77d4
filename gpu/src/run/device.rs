//! A device: an adapter that was opened, and what becomes of its errors.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wgpu::{DeviceDescriptor, ErrorFilter, PollType, Queue};

use super::adapter::Adapter;

/// An adapter that was opened. Clones are the same device.
#[derive(Clone, Debug)]
pub struct Device {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    /// Nothing once it is parked.
    open: Mutex<Option<Open>>,
    pub(super) adapter: Adapter,
    pub(super) number: u64,
    /// Why it can no longer be used.
    lost: Arc<Mutex<Option<String>>>,
}

/// wgpu's part of a device.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) device: wgpu::Device,
    pub(super) queue: Queue,
}

impl Device {
    pub(super) fn open(adapter: &Adapter) -> Result<Device, String> {
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
        let lost: Arc<Mutex<Option<String>>> = Arc::default();
        let note = |lost: &Arc<Mutex<Option<String>>>, text: String| {
            lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
        };
        let seen = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, text| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                note(&seen, format!("the device was lost: {text}"));
            }
        });
        let seen = Arc::clone(&lost);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(&seen, error.to_string())));
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let open = Mutex::new(Some(Open { device, queue }));
        Ok(Device { shared: Arc::new(Shared { open, adapter: adapter.clone(), number, lost }) })
    }

    /// The adapter.
    pub fn adapter(&self) -> &Adapter {
        &self.shared.adapter
    }

    /// Why it can no longer be used, if so.
    pub fn lost(&self) -> Option<String> {
        self.shared.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn opened(&self) -> Result<Open, String> {
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let open = self.shared.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| "the device was given up".to_owned())
    }

    /// Gives a device up that does not answer: it is dropped on a thread of its own, which may wait for it forever.
    pub(super) fn park(&self, why: &str, held: impl Send + 'static) {
        self.shared.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why.to_owned());
        let open = self.shared.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let parked = std::thread::Builder::new().name("parked GPU".into()).spawn(move || drop((held, open)));
        // Where no thread can be had there is none to wait on: the device stays.
        drop(parked);
    }
}

impl Open {
    /// Does something, and gives the error that wgpu finds in it.
    pub(super) fn checked<T>(&self, what: impl FnOnce(&wgpu::Device) -> T) -> Result<T, String> {
        let scopes = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation]
            .map(|filter| self.device.push_error_scope(filter));
        let made = what(&self.device);
        let mut error = None;
        for scope in scopes.into_iter().rev() {
            error = pollster::block_on(scope.pop()).or(error);
        }
        match error {
            Some(error) => Err(chain(&error)),
            None => Ok(made),
        }
    }

    /// Waits for what was submitted. Does the device answer in time?
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex, limit: Option<Duration>) -> bool {
        let wait = PollType::Wait { submission_index: Some(submission), timeout: limit };
        self.device.poll(wait).is_ok()
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
