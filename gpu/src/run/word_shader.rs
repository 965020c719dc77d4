//! [`WordShader`]: a compute shader in WGSL over words, as it is, for measurements of what a driver makes of
//! it. Kernels have nothing to do with it.

use std::borrow::Cow;
use std::time::Duration;

use wgpu::{BufferUsages, PollType};

use super::device::GpuDevice;
use super::thread_safe::ThreadSafe;

/// The time that a dispatch may take.
const LIMIT: Duration = Duration::from_secs(120);

/// A shader with the entry point `main`, which reads the words of binding 0 of group 0 and writes those of
/// binding 1, in tiles of 64 threads, one thread for each row.
#[derive(Debug)]
pub struct WordShader {
    device: GpuDevice,
    pipeline: ThreadSafe<wgpu::ComputePipeline>,
}

impl GpuDevice {
    /// Compiles a shader over words. The error is that of the text or of the driver.
    pub fn word_shader(&self, text: &str) -> Result<WordShader, String> {
        let device = &self.shared.gpu.device;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(text));
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(error.to_string()),
            None => Ok(WordShader { device: self.clone(), pipeline: ThreadSafe::new(pipeline) }),
        }
    }
}

impl WordShader {
    /// Runs it, for at most 4,194,240 rows.
    pub fn run(&self, given: &[u32], rows: usize, results: usize) -> Result<Vec<u32>, String> {
        let (device, queue) = (&self.device.shared.gpu.device, &self.device.shared.gpu.queue);
        let tiles = u32::try_from(rows.div_ceil(64)).ok().filter(|&tiles| tiles <= 65_535);
        let tiles = tiles.ok_or_else(|| format!("{rows} rows are too many for a dispatch"))?;
        let lost = || self.device.shared.alive().err().map(|why| why.to_string());
        let scope = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = |words: usize, usage| {
            let size = (words.max(1) * 4) as u64;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let input = buffer(given.len(), BufferUsages::STORAGE | BufferUsages::COPY_DST);
        let output = buffer(rows * results, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
        let reading = buffer(rows * results, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.to_string());
        }
        let bytes: Vec<u8> = given.iter().flat_map(|word| word.to_le_bytes()).collect();
        queue.write_buffer(&input, 0, &bytes);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(tiles, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&output, 0, &reading, 0, reading.size());
        queue.submit([encoder.finish()]);
        // Whether it worked is seen when the range is asked for.
        reading.map_async(wgpu::MapMode::Read, .., |_| ());
        device
            .poll(PollType::Wait { submission_index: None, timeout: Some(LIMIT) })
            .map_err(|error| lost().unwrap_or_else(|| error.to_string()))?;
        if let Some(why) = lost() {
            return Err(why);
        }
        let mapped = reading.get_mapped_range(..).map_err(|error| error.to_string())?;
        let words = mapped.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        Ok(words.take(rows * results).collect())
    }
}
