//! The GPUs of this machine: each has a number, a device that is opened on first use, and queues. A
//! program without the feature `gpu` has `absent.rs` in place of this file.
//!
//! # The end of the process
//! A software driver has threads of its own. If `main` returns while they compile or run a kernel, the
//! destructors of the driver's libraries run at the same time, and the process may crash. So the main
//! thread ends by waiting for submitted work: in the destructor of one of its thread-local variables,
//! which runs before those of libraries.

use std::cell::Cell;
use std::sync::{Mutex, OnceLock, PoisonError};

use tilewise_gpu::run::{Adapter, adapters};
use tilewise_ir::launch::TexelFormat;
use tilewise_ir::stack::with_bytes;

pub(crate) use tilewise_gpu::run::{Buffer, DeviceFailure, Download, GpuDevice, GpuKernel, GpuLaunchOptions, GpuQueue};
pub(crate) use tilewise_gpu::shader_form::ShaderForm;

use crate::api::accelerator::{GPUS, GpuFacts};
use crate::user_code::run_contained;
use crate::{Error, Result};

/// A GPU, and its device once it is open.
struct GpuSlot {
    adapter: &'static Adapter,
    facts: GpuFacts,
    device: Mutex<Option<GpuDevice>>,
}

/// Bytes of stack for a driver to list its devices, and to open one.
const DRIVER_STACK: usize = 1 << 20;

fn seats() -> &'static [GpuSlot] {
    static SEATS: OnceLock<Vec<GpuSlot>> = OnceLock::new();
    SEATS.get_or_init(|| {
        let seat = |adapter: &'static Adapter| {
            let facts = GpuFacts {
                description: format!("{} ({})", adapter.name(), adapter.driver()),
                is_software: adapter.is_software(),
                has_double: adapter.has_double(),
                shares_memory: adapter.shared_memory(),
                memory: adapter.memory(),
            };
            GpuSlot { adapter, facts, device: Mutex::new(None) }
        };
        // Drivers are loaded here, perhaps on a thread with little stack.
        with_bytes(DRIVER_STACK, || adapters().iter().take(GPUS).map(seat).collect())
    })
}

/// Waits, when the main thread ends and the process with it, for what devices were given, and has the
/// output and errors of launches delivered that nobody asked for.
struct ExitGuard {
    is_main: bool,
    deliver: Cell<Option<fn()>>,
}

thread_local! {
    static EXIT_GUARD: ExitGuard =
        ExitGuard { is_main: std::thread::current().name() == Some("main"), deliver: Cell::new(None) };
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if !self.is_main {
            return;
        }
        // A device that a thread opens at this moment has nothing to do yet.
        let open = |slot: &GpuSlot| slot.device.try_lock().ok().and_then(|device| device.clone());
        seats().iter().filter_map(open).for_each(|device| device.finish());
        if let Some(deliver) = self.deliver.get() {
            // Hooks are code of the program; a panic that left a destructor of a thread would abort.
            run_contained(deliver);
        }
    }
}

/// Has the end of this thread, if it is the main one, wait for devices, and call `deliver` then.
pub(crate) fn wait_at_exit(deliver: fn()) {
    // Where the thread is beyond that, it ends as it did before.
    _ = EXIT_GUARD.try_with(|guard| guard.deliver.set(Some(deliver)));
}

/// The number of GPUs.
pub(crate) fn count() -> usize {
    seats().len()
}

/// The facts about a GPU that are available before it is opened.
pub(crate) fn facts(number: u8) -> &'static GpuFacts {
    &seats()[usize::from(number)].facts
}

/// Whether its texture units can sample such textures.
pub(crate) fn samples(number: u8, texels: TexelFormat, extent: &[i32]) -> bool {
    seats()[usize::from(number)].adapter.samples(texels, extent)
}

/// Succeeds if it supports strict floats; else the reason.
pub(crate) fn strict(number: u8) -> Result<(), String> {
    seats()[usize::from(number)].adapter.strict()
}

/// The native float operations that are replaced: the operation, its replacement, and a witness
/// that the native one is not exact.
pub(crate) fn replaced(number: u8) -> Vec<[String; 3]> {
    let Ok(qualified) = seats()[usize::from(number)].adapter.qualified() else { return Vec::new() };
    let words = |(fault, how): (&tilewise_gpu::run::ProbeFault, &str)| {
        [format!("{} of {}", fault.own.name(), fault.scalar), how.to_owned(), fault.witness.clone()]
    };
    qualified.replaced().map(words).collect()
}

/// Its device, opened on first use, and again if it was lost.
pub(crate) fn device(number: u8) -> Result<GpuDevice> {
    let seat = &seats()[usize::from(number)];
    let mut slot = seat.device.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = slot.as_ref().filter(|device| device.lost().is_none()) {
        return Ok(device.clone());
    }
    let opened = with_bytes(DRIVER_STACK, || seat.adapter.open());
    let device = opened.map_err(|reason| {
        Error::Accelerator(format!("the device `{}` cannot be opened: {reason}", seat.adapter.name()).into())
    })?;
    Ok(slot.insert(device).clone())
}

/// The error of a failed call.
pub(crate) fn failed(failed: DeviceFailure) -> Error {
    match failed {
        DeviceFailure::OutOfMemory(bytes) => Error::OutOfMemory(bytes),
        DeviceFailure::Lost(reason) => Error::AcceleratorViewRemoved(reason.into()),
        DeviceFailure::Unsupported(reason) => Error::UnsupportedFeature(reason.into()),
    }
}
