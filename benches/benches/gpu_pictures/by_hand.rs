//! The works by hand: [`HandDevice`] is an adapter opened through wgpu, [`HandPicture`] a work on it.
#![allow(unsafe_code, reason = "hands shaders to wgpu without its own checks, as kernels of the library are")]

use std::borrow::Cow;
use std::time::Instant;

use tilewise_gpu::run::{adapters, list_adapters};
use wgpu::{BufferUsages, Extent3d, PollType, TextureUsages};

use crate::works::PictureWork;

/// The format of all textures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// An open device.
pub(crate) struct HandDevice {
    pub(crate) name: String,
    pub(crate) driver: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl HandDevice {
    /// The adapter with that number, in the order of the library.
    pub(crate) fn open(number: usize) -> Result<HandDevice, String> {
        let adapter = adapters().get(number).ok_or("there is no such adapter")?;
        let own = list_adapters().into_iter().find(|other| other.get_info().name == adapter.name());
        let own = own.ok_or("the adapter is gone")?;
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: own.limits(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(own.request_device(&descriptor)).map_err(|error| error.to_string())?;
        Ok(HandDevice { name: adapter.name().to_owned(), driver: adapter.driver(), device, queue })
    }

    fn texture(&self, size: u32, usage: TextureUsages) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: Extent3d { width: size, height: size, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage,
            view_formats: &[],
        })
    }

    fn write(&self, texture: &wgpu::Texture, bytes: &[u8]) {
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(texture.width() * 4), rows_per_image: None };
        self.queue.write_texture(texture.as_image_copy(), bytes, layout, texture.size());
    }

    /// The bytes of a texture.
    fn read(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, String> {
        let row = (texture.width() * 4) as usize;
        let pitch = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: pitch as u64 * u64::from(texture.height()),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch as u32), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| ());
        self.wait()?;
        let mapped = buffer.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(mapped.chunks_exact(pitch).flat_map(|padded| &padded[..row]).copied().collect())
    }

    fn wait(&self) -> Result<(), String> {
        let wait = PollType::Wait { submission_index: None, timeout: None };
        self.device.poll(wait).map(|_| ()).map_err(|error| error.to_string())
    }

    /// A pipeline of an entry point, for workgroups of `side` x `side`.
    fn pipeline(&self, text: &str, entry: &str, side: u32) -> Result<wgpu::ComputePipeline, String> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(text));
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        // SAFETY: what the shaders of this benchmark load is held to the texture, what they store outside of one has no
        // effect, and they have no loops.
        let module =
            unsafe { self.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("side", f64::from(side))],
                ..Default::default()
            },
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(error.to_string()),
            None => Ok(pipeline),
        }
    }
}

/// A work that is ready: its textures, filled, and its passes.
pub(crate) struct HandPicture {
    /// The pipelines and what they work on, in order.
    passes: Vec<(wgpu::ComputePipeline, wgpu::BindGroup)>,
    /// Workgroups along each dimension.
    groups: u32,
    to: wgpu::Texture,
}

impl HandPicture {
    /// For a picture of that width and height, in workgroups of `side` x `side`.
    pub(crate) fn new(
        gpu: &HandDevice,
        work: PictureWork,
        size: u32,
        bytes: &[u8],
        side: u32,
    ) -> Result<HandPicture, String> {
        let (text, entries) = work.by_hand();
        let result_size = work.result_size(size);
        let from = gpu.texture(size, TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST);
        gpu.write(&from, bytes);
        let written = TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
        let mut textures = vec![from];
        let mut passes = Vec::new();
        for entry in entries {
            let pipeline = gpu.pipeline(text, entry, side)?;
            let to = gpu.texture(result_size, written);
            let group = group(gpu, work, &pipeline, &textures[textures.len() - 1], &to);
            passes.push((pipeline, group));
            textures.push(to);
        }
        let to = textures.pop().ok_or("a work has no pass")?;
        Ok(HandPicture { passes, groups: result_size.div_ceil(side), to })
    }

    /// The bytes of the result.
    pub(crate) fn once(&self, gpu: &HandDevice) -> Result<Vec<u8>, String> {
        self.submit(gpu, 1);
        gpu.read(&self.to)
    }

    /// Milliseconds of one launch, out of `count` in one submission.
    pub(crate) fn time(&self, gpu: &HandDevice, count: u32) -> Result<f64, String> {
        let begin = Instant::now();
        self.submit(gpu, count);
        gpu.wait()?;
        Ok(begin.elapsed().as_secs_f64() * 1e3 / f64::from(count))
    }

    fn submit(&self, gpu: &HandDevice, count: u32) {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for _ in 0..count {
            for (pipeline, group) in &self.passes {
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(self.groups, self.groups, 1);
            }
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
}

/// The textures of a pass, and the sampler where it has one.
fn group(
    gpu: &HandDevice,
    work: PictureWork,
    pipeline: &wgpu::ComputePipeline,
    from: &wgpu::Texture,
    to: &wgpu::Texture,
) -> wgpu::BindGroup {
    let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
    let (from, to) = (view(from), view(to));
    let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    let mut entries = vec![
        wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&from) },
        wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&to) },
    ];
    if matches!(work, PictureWork::Half | PictureWork::Double) {
        entries.push(wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&sampler) });
    }
    let layout = &pipeline.get_bind_group_layout(0);
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
