//! Which device is the default.
//!
//! The program's choice ([`choose`]) counts most, then the environment variable `TILEWISE_DEFAULT_ACCELERATOR`, then [`built_in`]. The choice is fixed by making it and
//! by the first launch that goes by it; looking at it fixes nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Accelerator, DeviceKind, find};
use crate::{Error, Result, targets::gpu};

/// The environment variable.
const VARIABLE: &str = "TILEWISE_DEFAULT_ACCELERATOR";

/// The default of a program that chooses nothing.
fn built_in() -> DeviceKind {
    best((0..gpu::count() as u8).map(|number| gpu::facts(number).is_software))
}

/// The first real GPU, else `jit`. A driver in software is never chosen. GPUs, the best first, are given by whether they are such drivers.
fn best(software: impl Iterator<Item = bool>) -> DeviceKind {
    (0..).zip(software).find(|(_, software)| !software).map_or(DeviceKind::Jit, |(number, _)| DeviceKind::Gpu(number))
}

static FIXED: Mutex<Option<DeviceKind>> = Mutex::new(None);

fn fixed() -> MutexGuard<'static, Option<DeviceKind>> {
    FIXED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The default as it is now.
pub(super) fn look() -> Result<DeviceKind> {
    match *fixed() {
        Some(device) => Ok(device),
        None => unfixed(),
    }
}

/// The default, which does not change any more.
pub(super) fn fix() -> Result<DeviceKind> {
    let mut fixed = fixed();
    match *fixed {
        Some(device) => Ok(device),
        None => Ok(*fixed.insert(unfixed()?)),
    }
}

/// Makes it the default; false if it is fixed already.
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
