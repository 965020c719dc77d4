//! Failures of work that a device was to do.

use std::fmt;

use tilewise_ir::stack::try_with_bytes;

/// Why a device did not do its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceFailure {
    /// It has no room for so many bytes.
    OutOfMemory(u64),
    /// The device and all contents of its memory are lost: the reason.
    Lost(String),
    /// The device cannot do this: the reason. It remains usable.
    Unsupported(String),
}

impl fmt::Display for DeviceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceFailure::OutOfMemory(bytes) => write!(f, "the device has no room for {bytes} bytes more"),
            DeviceFailure::Lost(reason) | DeviceFailure::Unsupported(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for DeviceFailure {}

/// Stack bytes for what a transfer asks of wgpu and of a driver.
const STACK: usize = 256 << 10;

/// Runs what asks something of wgpu or a driver, on another stack if the thread has little left of its own.
pub(super) fn with_stack<R>(work: impl FnOnce() -> Result<R, DeviceFailure>) -> Result<R, DeviceFailure> {
    try_with_bytes(STACK, work).unwrap_or_else(|none| Err(DeviceFailure::OutOfMemory(none.bytes as u64)))
}
