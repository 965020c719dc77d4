//! The targets `gpu/N`: queues a launch on a device, with copies of the data that it holds; its
//! result is reported later.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tilewise_ir::launch::{Domain, Refusal, TexelFormat};

use crate::api::accelerator::{AcceleratorView, FloatMode, QueuingMode};
use crate::api::launch::{lock, settle};
use crate::api::printed::warn;
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::program::LoweredProgram;
use crate::memory::coherence::{QueuedOnDevice, on_device};
use crate::memory::pending::{LaunchEnd, Pending};
use crate::targets::arguments::arguments;
use crate::targets::gpu::{self, GpuLaunchOptions, ShaderForm};
use crate::{Error, Result, targets::fault};

/// Queues a launch over a valid domain on the GPU with that number. Returns the float mode that it
/// uses.
pub(crate) fn run(
    components: &[i32],
    program: &Arc<LoweredProgram>,
    mut binder: LaunchBinder<'_>,
    target: &AcceleratorView,
    (number, mode): (u8, FloatMode),
) -> Result<FloatMode> {
    let watch = target.watch();
    settle(&mut binder, Some(program), target)?;
    let (way, got) = way(number, mode, program.kernel().is_precise())?;
    let Some((device, queue)) = target.gpu()? else { return Err(Error::Accelerator("it is no GPU".into())) };
    let locked = lock(&binder, target)?;
    if watch.is_cancelled() {
        return Err(watch.reason());
    }
    let limit = target.time_limit();
    let textures = has_texture_units();
    let options = GpuLaunchOptions { way, time_limit: limit, textures, ..GpuLaunchOptions::default() };
    let mut arguments = arguments(program, binder, &locked)?;
    let QueuedOnDevice { pending, surplus } = on_device(&locked, device, queue, |there| {
        there.shift(&mut arguments);
        let domain = Domain::new(components);
        let launched = queue.launch(program.on_gpu(), &domain, &there.buffers, &arguments, &options);
        let launched = launched.or_else(|refusal| {
            // If the device was lost meanwhile, perhaps by this kernel, the refusal is not about
            // its capabilities.
            if matches!(refusal, Refusal::Driver(_)) {
                target.still_there()?;
            }
            Err(fault::refused(refusal))
        })?;
        // A launch that could not be queued does not run and changes nothing.
        if let Some(failed) = launched.failed() {
            return Err(gpu::failed(failed));
        }
        if launched.is_silent() {
            return Ok(None);
        }
        let (program, components) = (Arc::clone(program), components.to_vec());
        let ask = move || match launched.outcome() {
            Ok(outcome) => LaunchEnd {
                result: fault::of_outcome(&outcome, &program, &components, &|| gave_up(limit)),
                printed: (outcome.printed, outcome.lost),
                is_lost: false,
            },
            Err(failed) => {
                let is_lost = matches!(failed, gpu::DeviceFailure::Lost(_));
                LaunchEnd { result: Err(gpu::failed(failed)), printed: (Vec::new(), 0), is_lost }
            }
        };
        Ok(Some(Arc::new(Pending::new(ask))))
    })?;
    drop(locked);
    drop(surplus);
    if let Some(pending) = pending {
        target.expect(pending);
    }
    if target.queuing_mode() == QueuingMode::Immediate {
        target.flush()?;
    }
    Ok(got)
}

/// Whether texture units compute samples of such textures on an accelerator view of that GPU.
pub(crate) fn samples((number, mode): (u8, FloatMode), texels: TexelFormat, extent: &[i32]) -> bool {
    let is_relaxed = || matches!(way(number, mode, false), Ok((_, FloatMode::Relaxed)));
    has_texture_units() && gpu::samples(number, texels, extent) && is_relaxed()
}

/// Whether texture units may be used: the environment variable `TILEWISE_TEXTURES` is `native`, or
/// not set; with `buffers` they are not.
fn has_texture_units() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    const VARIABLE: &str = "TILEWISE_TEXTURES";
    let asked = || std::env::var_os(VARIABLE).unwrap_or_default().to_string_lossy().into_owned();
    *ASKED.get_or_init(|| match asked().as_str() {
        "" | "native" => true,
        "buffers" => false,
        other => {
            warn(format_args!(
                "the environment variable {VARIABLE} is `{other}`, which is taken for `native`; \
                 it can be `native` or `buffers`"
            ));
            true
        }
    })
}

/// The error of a launch that was ended early.
fn gave_up(limit: Option<Duration>) -> Error {
    let time = limit.map_or(String::new(), |limit| format!(", or took longer than its time limit of {limit:?}"));
    let text = format!("the kernel ran more iterations of its loops than a launch on a GPU may{time}");
    Error::AcceleratorViewRemoved(text.into())
}

/// The form in which a kernel goes to the driver for a float mode, and the resulting mode.
/// One that calls functions of `precise_math` is Strict, whatever the mode.
fn way(number: u8, mode: FloatMode, precise: bool) -> Result<(ShaderForm, FloatMode)> {
    // A Relaxed launch does not probe the device.
    if mode == FloatMode::Relaxed && !precise {
        return Ok((ShaderForm::Module, FloatMode::Relaxed));
    }
    match gpu::strict(number) {
        Ok(()) => Ok((ShaderForm::Strict, FloatMode::Strict)),
        Err(_) if mode == FloatMode::Auto && !precise => Ok((ShaderForm::Module, FloatMode::Relaxed)),
        Err(why) if precise => {
            let text = format!(
                "the accelerator `gpu/{number}` cannot keep strict floats, which functions of `precise_math` need: {why}"
            );
            Err(Error::UnsupportedFeature(text.into()))
        }
        Err(why) => {
            let text = format!("the accelerator `gpu/{number}` cannot keep strict floats: {why}");
            Err(Error::UnsupportedFeature(text.into()))
        }
    }
}
