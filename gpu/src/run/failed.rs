//! Failures of work that a device was to do.

use std::fmt;

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
