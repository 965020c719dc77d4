//! Replaces launches on GPUs in a program without the feature `gpu`.

use crate::api::accelerator::{AcceleratorView, FloatMode};
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::value::Kernel;
use crate::{Error, Result};

pub(crate) fn run<I>(
    _: &[i32],
    _: &Kernel<'_, I>,
    _: LaunchBinder<'_>,
    target: &AcceleratorView,
    _: (u8, FloatMode),
) -> Result<FloatMode> {
    let text = format!("this program was built without the feature `gpu`, so `{}` is not there", target.accelerator());
    Err(Error::Accelerator(text.into()))
}
