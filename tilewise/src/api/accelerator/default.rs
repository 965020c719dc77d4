//! The default device.
//!
//! The program's choice ([`choose`]) takes precedence, then the environment variable
//! `TILEWISE_DEFAULT_ACCELERATOR`, then [`built_in`]. Making the choice fixes it, and so does the
//! first launch that uses the default; reading it does not.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Accelerator, DeviceKind, find};
use crate::{Error, Result, targets::gpu};

/// The environment variable.
const VARIABLE: &str = "TILEWISE_DEFAULT_ACCELERATOR";

/// The default of a program that makes no choice.
fn built_in() -> DeviceKind {
    best((0..gpu::count() as u8).map(|number| gpu::facts(number).is_software))
}

/// The first real GPU, else `jit`; never a software driver. `software` holds, for each GPU, best
/// first, whether its driver is one.
fn best(software: impl Iterator<Item = bool>) -> DeviceKind {
    (0..).zip(software).find(|(_, software)| !software).map_or(DeviceKind::Jit, |(number, _)| DeviceKind::Gpu(number))
}

static FIXED: Mutex<Option<DeviceKind>> = Mutex::new(None);

fn fixed() -> MutexGuard<'static, Option<DeviceKind>> {
    FIXED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The current default.
pub(super) fn look() -> Result<DeviceKind> {
    match *fixed() {
        Some(device) => Ok(device),
        None => unfixed(),
    }
}

/// The default, fixed from now on.
pub(super) fn fix() -> Result<DeviceKind> {
    let mut fixed = fixed();
    match *fixed {
        Some(device) => Ok(device),
        None => Ok(*fixed.insert(unfixed()?)),
    }
}

/// Sets the default. Returns false if it is fixed already.
pub(super) fn choose(device: DeviceKind) -> bool {
    let mut fixed = fixed();
    let free = fixed.is_none();
    fixed.get_or_insert(device);
    free
}

fn unfixed() -> Result<DeviceKind> {
    let path = match std::env::var_os(VARIABLE) {
        None => return Ok(built_in()),
        Some(path) => path.to_string_lossy().into_owned(),
    };
    if path.is_empty() || path == Accelerator::DEFAULT {
        return Ok(built_in());
    }
    find(&path).map_err(|error| Error::Accelerator(format!("in the environment variable {VARIABLE}: {error}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_real_gpu_is_the_default_else_jit_and_never_a_driver_in_software() {
        assert_eq!(best([].into_iter()), DeviceKind::Jit);
        assert_eq!(best([true, true].into_iter()), DeviceKind::Jit);
        assert_eq!(best([false, false, true].into_iter()), DeviceKind::Gpu(0));
        assert_eq!(best([true, false].into_iter()), DeviceKind::Gpu(1));
    }
}
