//! Replaces launches on GPUs in a program without the feature `gpu`.

use std::sync::Arc;

use crate::api::accelerator::{AcceleratorView, FloatMode};
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::program::LoweredProgram;
use crate::{Error, Result};
use tilewise_ir::launch::TexelFormat;

pub(crate) fn samples(_: (u8, FloatMode), _: TexelFormat, _: &[i32]) -> bool {
    false
}

pub(crate) fn run(
    _: &[i32],
    _: &Arc<LoweredProgram>,
    _: LaunchBinder<'_>,
    target: &AcceleratorView,
    _: (u8, FloatMode),
) -> Result<FloatMode> {
    let text = format!("this program was built without the feature `gpu`, so `{}` is not there", target.accelerator());
    Err(Error::Accelerator(text.into()))
}
