//! The GPUs of this machine as runners of shaders.

use tilewise_gpu::run::{GpuDevice, WordShader, adapters};

use super::builtin::DeviceBuiltin;
use super::measure::BuiltinRunner;
use super::range::FloatWidth;

/// A GPU, or a driver in software.
#[derive(Debug)]
pub struct GpuRunner {
    device: GpuDevice,
    name: String,
    driver: String,
    /// Has it 16-bit floats?
    has_half: bool,
    /// The shader that ran last.
    last: Option<(String, WordShader)>,
}

impl GpuRunner {
    /// How many GPUs there are; `gpu/0` is the first.
    pub fn count() -> usize {
        adapters().len()
    }

    /// Opens the GPU of that number. The error is the reason why it cannot be.
    pub fn open(number: usize) -> Result<GpuRunner, String> {
        let adapter = adapters().get(number).ok_or_else(|| format!("there is no `gpu/{number}`"))?;
        let device = adapter.open_with_half()?;
        let (name, driver) = (adapter.name().to_owned(), adapter.driver());
        Ok(GpuRunner { device, name, driver, has_half: adapter.has_half(), last: None })
    }

    /// The reason why it cannot run a built-in, if it is known before it is tried.
    pub fn lacks(&self, builtin: &DeviceBuiltin) -> Option<&'static str> {
        let is_missing = builtin.width == FloatWidth::Half && !self.has_half;
        is_missing.then_some("the driver has no 16-bit floats (SHADER_F16)")
    }

    /// Why the device can no longer be used, if so.
    pub fn lost(&self) -> Option<String> {
        self.device.lost()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name and version of its driver.
    pub fn driver(&self) -> &str {
        &self.driver
    }
}

impl BuiltinRunner for GpuRunner {
    fn run(&mut self, shader: &str, given: &[u32], rows: usize, results: usize) -> Result<Vec<u32>, String> {
        if self.last.as_ref().is_none_or(|(text, _)| text != shader) {
            self.last = Some((shader.to_owned(), self.device.word_shader(shader)?));
        }
        let (_, compiled) = self.last.as_ref().ok_or("there is no shader")?;
        compiled.run(given, rows, results)
    }
}
