//! What becomes of work that a device was given and did not do.

use std::fmt;

/// Why a device did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceFailure {
    /// It has no room for so many bytes.
    OutOfMemory(u64),
    /// It can no longer be used, nor can anything in its memory: the reason.
    Lost(String),
    /// It cannot do this: the reason. It is as usable as before.
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
