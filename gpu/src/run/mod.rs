//! Running kernels on GPUs through wgpu.
//!
//! [`adapters`] lists what there is; without a Vulkan loader, nothing. [`Adapter::open`] gives a [`Device`]. A [`Prepared`] kernel holds the pipelines that launches made of it, and is the same
//! for all devices. [`Device::run`] launches it over pieces of bytes, as the interpreter and the CPU's engine do.
//!
//! # The way of a launch
//! 1. `launch`: checks that domain and arguments fit, finds the pipeline for the [key](crate::lower::Key), or makes it.
//! 2. `pack` makes the words of the argument block and the constants.
//! 3. Buffers are filled, tiles dispatched by number, what was written is copied back, and the device is waited for, no longer than the launch may take.
//! 4. `told` reads the messages and makes the outcome.
//!
//! # No panic
//! wgpu panics on an error that nobody asks for. So every call that can fail stands in error scopes, and what still escapes goes to callbacks that mark the device as lost. A device that does not answer in
//! time is **parked**: wgpu waits for it without limit when it is dropped, so it is given to a thread of its own that may wait forever.

mod adapter;
mod buffer;
mod bytes;
mod controls;
mod device;
mod failed;
mod in_flight;
mod launch;
mod launched;
pub mod pack;
mod pipeline;
mod pool;
mod queue;
mod staging;
mod told;
mod transfer;
mod watch;

pub use adapter::{Adapter, adapters};
pub use buffer::Buffer;
pub use device::Device;
pub use failed::Failed;
pub use launch::LaunchOptions;
pub use launched::Launched;
pub use pipeline::Prepared;
pub use queue::Queue;
pub use transfer::Download;
