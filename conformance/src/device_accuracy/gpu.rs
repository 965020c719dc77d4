//! The GPUs of this machine as runners of shaders.

use tilewise_gpu::run::{GpuDevice, WordShader, adapters};

use super::measure::BuiltinRunner;

/// A GPU, or a driver in software.
#[derive(Debug)]
pub struct GpuRunner {
    device: GpuDevice,
    name: String,
    driver: String,
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
        let device = adapter.open()?;
        Ok(GpuRunner { device, name: adapter.name().to_owned(), driver: adapter.driver(), last: None })
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
