//! Running kernels on GPUs through wgpu.
//!
//! [`adapters`] lists what there is; without a Vulkan loader, nothing. [`Adapter::open`] gives a
//! [`GpuDevice`], which lends a [`Buffer`] and makes a [`GpuQueue`]. A [`GpuKernel`] kernel holds
//! the
//! pipelines that launches made of it, and is the same for all devices. [`GpuQueue::launch`] queues
//! it over buffers; [`GpuDevice::run`] runs it over pieces of bytes, as the interpreter does.
//!
//! # The way of a launch
//! 1. `launch`: checks that domain and arguments fit, finds the pipeline for the
//!    [key](crate::lower::ModuleKey), or makes it.
//! 2. `pack` makes the words of the argument block and the constants.
//! 3. `queue` records the dispatch: the block gathers in host memory, what is bound is remembered. It submits when somebody waits, and after some dispatches.
//! 4. `in_flight` knows what was submitted, waits for it, and ends a device that takes too long.
//! 5. `launched`: what a launch said is read when it is done, and `message_readback` makes the
//!    outcome of it. A kernel that can say nothing has no messages at all.
//!
//! `transfer` moves bytes through `staging`; `bytes` has the kernels for the edges of words. `pool` lends memory again, and `watch` is the thread that tells others.
//!
//! # Strict
//! Before the first launch of a Strict kernel the adapter is asked which float operations of its
//! driver's own are exact ([`probe`](crate::probe), which keeps the answer on disk).
//!
//! # No panic
//! wgpu panics on an error that nobody asks for. So what is made is made in error scopes, and what else escapes goes to callbacks that mark the device as lost. wgpu waits without limit for a
//! queue that is dropped: one that is not idle is **parked**, dropped on a thread of its own that may wait forever.

mod adapter;
mod buffer;
mod bytes;
mod controls;
mod device;
mod failed;
mod in_flight;
mod instance;
mod launch;
mod launched;
mod message_readback;
pub mod pack;
mod pipeline;
mod pool;
mod queue;
mod staging;
mod transfer;
mod watch;

pub use crate::qualified::{ProbeFault, Qualified};
pub use adapter::{Adapter, adapters};
pub use buffer::Buffer;
pub use device::{GpuDevice, OnKernels};
pub use failed::DeviceFailure;
pub use instance::list_adapters;
pub use launch::GpuLaunchOptions;
pub use launched::QueuedLaunch;
pub use pipeline::{GpuKernel, group_layout, kinds};
pub use queue::GpuQueue;
pub use transfer::Download;
