//! Runs kernels on GPUs through wgpu.
//!
//! [`adapters`] lists the adapters; without a Vulkan loader there are none. [`Adapter::open`]
//! returns a [`GpuDevice`], which allocates [`Buffer`]s and creates [`GpuQueue`]s. A [`GpuKernel`]
//! holds the pipelines that launches created from it, for every device. [`GpuQueue::launch`] queues
//! it over buffers; [`GpuDevice::run`] runs it over host memory, as the interpreter does.
//!
//! # Stages of a launch
//! 1. `launch` checks that domain and arguments fit, and finds or creates the pipeline of the
//!    [key](crate::lower::ModuleKey).
//! 2. `pack` encodes the argument block and the constants.
//! 3. `queue` records the dispatch. Argument blocks gather in host memory; bind groups are cached.
//!    A queue submits when its work is awaited, and after a number of dispatches; a launch with a
//!    short time limit at once, unless `pace` knows that it is short.
//! 4. `in_flight` lists the submissions, waits for them, and gives up a device that exceeds its
//!    time limit.
//! 5. `launched` reads a launch's messages once it is done, and `message_readback` turns them into
//!    its outcome. A kernel that can send no messages has no message buffer.
//!
//! `transfer` moves bytes through `staging`, many of them on the threads of `shared_copy`; `bytes` has
//! the kernels for transfers that are not aligned to words. `packed_launch` is a launch as data, without
//! a device. `texture_uses` decides what texture units compute of a launch, and to which textures it stores
//! what it writes; `texture` copies texels to textures for it, by the kernels of `texel_copy`. `word_shader` runs a shader as it is, to measure
//! drivers. `pool` reuses memory, and `watch` is the thread that calls completion callbacks.
//!
//! # Strict
//! Before the first launch of a Strict kernel, the [probe](crate::probe) determines which of the
//! driver's native float operations are exact; its result is cached on disk.
//!
//! # No panic
//! wgpu panics on an error that nobody handles. So objects are created in error scopes, and other
//! errors reach callbacks that mark the device as lost. wgpu waits without limit for a queue that
//! is dropped, so a queue that is not idle is **parked**: dropped on a thread of its own, which may
//! wait forever.

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
mod pace;
pub mod pack;
mod packed_launch;
mod pipeline;
mod pool;
mod queue;
mod shared_copy;
mod staging;
mod texel_copy;
mod texture;
mod texture_uses;
mod thread_safe;
mod transfer;
mod watch;
mod word_shader;

pub use crate::qualified::{ProbeFault, Qualified};
pub use adapter::{Adapter, adapters};
pub use buffer::Buffer;
pub use device::{GpuDevice, OnKernels};
pub use failed::DeviceFailure;
pub use instance::list_adapters;
pub use launch::GpuLaunchOptions;
pub use launched::QueuedLaunch;
pub use packed_launch::{PackedBuffer, PackedLaunch};
pub use pipeline::{GpuKernel, group_layout, kinds};
pub use queue::GpuQueue;
pub use shared_copy::SharedTarget;
pub use texture::texture_copies;
pub use transfer::Download;
pub use word_shader::WordShader;
