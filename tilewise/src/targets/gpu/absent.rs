//! Replaces the GPUs in a program without the feature `gpu`: there are none, and the types of
//! devices have no values.

use std::convert::Infallible;

use crate::Error;
use crate::api::accelerator::GpuFacts;

/// A type without values. (Its field is private to this file, so that rustc does not call code that
/// uses it unreachable.)
#[derive(Clone, Debug)]
pub(crate) struct Never {
    none: Infallible,
}

pub(crate) type Buffer = Never;
pub(crate) type GpuDevice = Never;
pub(crate) type Download = Never;
pub(crate) type DeviceFailure = Never;

/// A queue; there is none.
#[derive(Clone, Debug)]
pub(crate) struct GpuQueue {
    none: Infallible,
}

macro_rules! never {
    ($never:ident: $(fn $name:ident(&self $(, $arg:ident: $ty:ty)*) $(-> $result:ty)?;)*) => {
        impl $never {$(
            #[allow(dead_code, reason = "the surface of a device")]
            pub(crate) fn $name(&self $(, $arg: $ty)*) $(-> $result)? {
                match self.none {}
            }
        )*}
    };
}

never! {
    Never:
    fn number(&self) -> u64;
    fn queue(&self) -> GpuQueue;
    fn allocate(&self, _bytes: u64, _zeroed: bool) -> Result<Buffer, DeviceFailure>;
    fn bytes(&self) -> u64;
    fn largest(&self) -> u64;
    fn lost(&self) -> Option<String>;
    fn lose(&self, _why: &str);
    fn lose_over_a_kernel(&self);
    fn fill_up(&self, _bytes: u64);
}

never! {
    GpuQueue:
    fn is_same(&self, _other: &GpuQueue) -> bool;
    fn upload(&self, _to: &Buffer, _pieces: &[(u64, &[u8])]) -> Result<(), DeviceFailure>;
    fn download(&self, _from: &Buffer, _ranges: &[(u64, u64)]) -> Result<Download, DeviceFailure>;
    fn copy(&self, _from: &Buffer, _to: &Buffer, _ranges: &[(u64, u64, u64)]) -> Result<(), DeviceFailure>;
    fn flush(&self) -> Result<(), DeviceFailure>;
    fn wait(&self) -> Result<(), DeviceFailure>;
    fn cancel(&self);
    fn when_done(&self, _then: Box<dyn FnOnce(Result<(), DeviceFailure>) + Send>);
}

impl GpuQueue {
    pub(crate) fn read(
        &self,
        _from: &Buffer,
        _ranges: &[(u64, u64)],
        _read: impl Fn(u64, &[u8]) + Sync,
    ) -> Result<(), DeviceFailure> {
        match self.none {}
    }
}

impl Never {
    pub(crate) fn wait_shared(self, _read: impl Fn(u64, &[u8]) + Sync) -> Result<(), DeviceFailure> {
        match self.none {}
    }
}

/// There is nothing to wait for.
pub(crate) fn wait_at_exit(_deliver: fn()) {}

/// The number of GPUs: none.
pub(crate) fn count() -> usize {
    0
}

/// The error of a failed call.
pub(crate) fn failed(failed: DeviceFailure) -> Error {
    match failed.none {}
}

/// Callers pass the number of a GPU, and there is none.
const NONE: &str = "a program without GPUs has no accelerator that is one";

pub(crate) fn facts(_: u8) -> &'static GpuFacts {
    unreachable!("{NONE}")
}

pub(crate) fn strict(_: u8) -> Result<(), String> {
    unreachable!("{NONE}")
}

pub(crate) fn replaced(_: u8) -> Vec<[String; 3]> {
    unreachable!("{NONE}")
}

pub(crate) fn device(_: u8) -> Result<GpuDevice, Error> {
    unreachable!("{NONE}")
}
