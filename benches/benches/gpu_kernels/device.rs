//! [`Gpu`]: an adapter opened through wgpu, its buffers and pipelines.
#![allow(unsafe_code, reason = "hands shaders to wgpu without its own checks, which is what is measured")]

use std::borrow::Cow;

use tilewise_gpu::run::{Adapter, adapters, group_layout, list_adapters};
use wgpu::{BufferUsages, Features, PollType};

/// An open device.
pub(crate) struct Gpu {
    pub(crate) name: String,
    pub(crate) driver: String,
    pub(crate) adapter: &'static Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

/// What a pipeline is made of.
pub(crate) enum Source<'a> {
    /// WGSL text.
    Wgsl(&'a str),
    /// A module.
    Module(&'a naga::Module),
    /// SPIR-V, with the threads of a tile.
    Spirv(Vec<u32>, [u32; 3]),
}

impl Gpu {
    pub(crate) fn open(number: usize) -> Result<Gpu, String> {
        let adapter = adapters().get(number).ok_or("there is no such adapter")?;
        let own = list_adapters().into_iter().find(|other| other.get_info().name == adapter.name());
        let own = own.ok_or("the adapter is gone")?;
        let wanted = Features::SHADER_F64
            | Features::SHADER_INT64
            | Features::PASSTHROUGH_SHADERS
            | Features::TIMESTAMP_QUERY
            | Features::MAPPABLE_PRIMARY_BUFFERS
            | Features::IMMEDIATES;
        let descriptor = wgpu::DeviceDescriptor {
            label: None,
            required_features: own.features() & wanted,
            required_limits: own.limits(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            memory_hints: wgpu::MemoryHints::Performance,
            trace: wgpu::Trace::Off,
        };
        let (device, queue) = pollster::block_on(own.request_device(&descriptor)).map_err(|error| error.to_string())?;
        Ok(Gpu { name: adapter.name().to_owned(), driver: adapter.driver(), adapter, device, queue })
    }

    /// A buffer of at least so many bytes that holds these from `at` on.
    pub(crate) fn buffer(&self, size: u64, at: u64, bytes: &[u8], usage: BufferUsages) -> wgpu::Buffer {
        let usage = usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let size = size.next_multiple_of(16).max(16);
        let buffer =
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        // In pieces: one write is staged as a whole.
        for (i, piece) in bytes.chunks(1 << 27).enumerate() {
            self.queue.write_buffer(&buffer, at + ((i as u64) << 27), piece);
            self.queue.submit([]);
        }
        buffer
    }

    /// Bytes of a buffer.
    pub(crate) fn read(&self, buffer: &wgpu::Buffer, at: u64, count: u64) -> Result<Vec<u8>, String> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let size = count.next_multiple_of(4);
        let to =
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, at, &to, 0, size);
        self.queue.submit([encoder.finish()]);
        to.map_async(wgpu::MapMode::Read, .., |_| ());
        self.wait()?;
        let mapped = to.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(mapped[..count as usize].to_vec())
    }

    /// Until all is done.
    pub(crate) fn wait(&self) -> Result<(), String> {
        let wait = PollType::Wait { submission_index: None, timeout: None };
        self.device.poll(wait).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Until all is done, without sleep, as the library waits.
    pub(crate) fn spin(&self) -> Result<(), String> {
        loop {
            match self.device.poll(PollType::Poll).map_err(|error| error.to_string())? {
                wgpu::PollStatus::QueueEmpty => return Ok(()),
                wgpu::PollStatus::WaitSucceeded | wgpu::PollStatus::Poll => std::thread::yield_now(),
            }
        }
    }

    /// A pipeline whose layout is told by the kinds of its bindings, or found in the text.
    pub(crate) fn pipeline(
        &self,
        source: Source<'_>,
        bindings: Option<&[(u32, wgpu::BindingType)]>,
    ) -> Result<wgpu::ComputePipeline, String> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = self.module(source);
        let layout = bindings.map(|bindings| {
            let layout = group_layout(&self.device, bindings, false);
            self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })
        });
        let options = wgpu::PipelineCompilationOptions { constants: &[], zero_initialize_workgroup_memory: false };
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: layout.as_ref(),
            module: &module,
            entry_point: Some("main"),
            compilation_options: options,
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(error.to_string()),
            None => Ok(pipeline),
        }
    }

    fn module(&self, source: Source<'_>) -> wgpu::ShaderModule {
        let source = match source {
            Source::Wgsl(text) => wgpu::ShaderSource::Wgsl(Cow::Borrowed(text)),
            Source::Module(module) => wgpu::ShaderSource::Naga(Cow::Owned(module.clone())),
            Source::Spirv(words, [x, y, z]) => {
                let entries = [wgpu::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: (x, y, z) }];
                let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
                    label: None,
                    entry_points: Cow::Borrowed(&entries),
                    spirv: Some(Cow::Owned(words)),
                    ..Default::default()
                };
                // SAFETY: the words are of the lowering's own strict way; its kernels test their indices, and their loops end.
                return unsafe { self.device.create_shader_module_passthrough(descriptor) };
            }
        };
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        let mut checks = wgpu::ShaderRuntimeChecks::checked();
        (checks.bounds_checks, checks.force_loop_bounding) = (false, false);
        // SAFETY: the kernels of this benchmark, lowered or by hand, stay within their buffers at the sizes that `work` has, and end.
        unsafe { self.device.create_shader_module_trusted(descriptor, checks) }
    }
}
