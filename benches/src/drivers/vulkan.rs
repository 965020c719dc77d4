//! Mesa's lavapipe: kernels in WGSL, through wgpu with its own checks.

use std::borrow::Cow;

use tilewise_peers::{PeerOutput, PreparedWork};
use wgpu::{BufferDescriptor, BufferUsages, ErrorFilter, PollType};

use super::by_hand;
use super::plan::DriverPlan;

/// A processor.
pub(super) struct VulkanDevice(VulkanOpen);

#[derive(Clone)]
struct VulkanOpen {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

/// A kernel with its memory.
pub(super) struct VulkanWork {
    open: VulkanOpen,
    plan: DriverPlan,
    pipeline: wgpu::ComputePipeline,
    buffers: Vec<wgpu::Buffer>,
    /// The bindings of each launch.
    groups: Vec<wgpu::BindGroup>,
}

impl VulkanDevice {
    /// Looks for lavapipe.
    pub(super) fn open() -> Result<VulkanDevice, String> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters.into_iter().find(|adapter| adapter.get_info().name.contains("llvmpipe"));
        let adapter = adapter.ok_or(
            "none of the Vulkan devices is lavapipe; Debian: `apt-get install mesa-vulkan-drivers libvulkan1`",
        )?;
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
        Ok(VulkanDevice(VulkanOpen { device, queue }))
    }

    pub(super) fn prepare(&self, plan: DriverPlan) -> Result<VulkanWork, String> {
        let open = self.0.clone();
        let source = by_hand::wgsl(plan.name)?;
        open.checked(|open| {
            let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(source));
            let module = open.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
            let pipeline = open.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
            let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            let buffers: Vec<wgpu::Buffer> = plan.buffers.iter().map(|words| open.buffer(words, storage)).collect();
            let numbers = (!plan.numbers.is_empty()).then(|| {
                let mut words = plan.numbers.clone();
                words.resize(4, 0);
                open.buffer(&words, BufferUsages::UNIFORM | BufferUsages::COPY_DST)
            });
            let layout = pipeline.get_bind_group_layout(0);
            let group = |of: &Vec<usize>| {
                let bound = of.iter().map(|&buffer| &buffers[buffer]).chain(&numbers);
                let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
                    .zip(bound)
                    .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
                    .collect();
                let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
                open.device.create_bind_group(&descriptor)
            };
            let groups = plan.launches.iter().map(group).collect();
            VulkanWork { open: open.clone(), plan, pipeline, buffers, groups }
        })
    }
}

impl VulkanOpen {
    /// Calls `what`, and returns the first error that wgpu finds in it.
    fn checked<T>(&self, what: impl FnOnce(&VulkanOpen) -> T) -> Result<T, String> {
        let scopes = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation]
            .map(|filter| self.device.push_error_scope(filter));
        let made = what(self);
        let mut errors = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop()));
        match errors.next() {
            Some(error) => Err(format!("wgpu says: {error}")),
            None => Ok(made),
        }
    }

    fn buffer(&self, words: &[u32], usage: BufferUsages) -> wgpu::Buffer {
        let size = 4 * words.len() as u64;
        let buffer =
            self.device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
        self.write(&buffer, words);
        buffer
    }

    fn write(&self, buffer: &wgpu::Buffer, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.queue.write_buffer(buffer, 0, &bytes);
    }

    /// Waits for all submitted work.
    fn wait(&self) -> Result<(), String> {
        let wait = PollType::Wait { submission_index: None, timeout: None };
        self.device.poll(wait).map(drop).map_err(|error| format!("wgpu says: {error}"))
    }
}

impl PreparedWork for VulkanWork {
    fn restore(&mut self) -> Result<(), String> {
        self.open.checked(|open| {
            self.plan.changed.iter().for_each(|&buffer| open.write(&self.buffers[buffer], &self.plan.buffers[buffer]));
            open.queue.submit([]);
        })?;
        self.open.wait()
    }

    fn run(&mut self) -> Result<(), String> {
        let mut encoder = self.open.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            let [x, y] = self.plan.tiles();
            for group in &self.groups {
                pass.set_bind_group(0, group, &[]);
                pass.dispatch_workgroups(x, y, 1);
            }
        }
        self.open.queue.submit([encoder.finish()]);
        self.open.wait()
    }

    fn output(&self) -> Result<PeerOutput, String> {
        let mut all = Vec::new();
        for &buffer in &self.plan.output {
            let from = &self.buffers[buffer];
            let back = self.open.checked(|open| {
                let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
                let size = from.size();
                let to = open.device.create_buffer(&BufferDescriptor {
                    label: None,
                    size,
                    usage,
                    mapped_at_creation: false,
                });
                let mut encoder = open.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                encoder.copy_buffer_to_buffer(from, 0, &to, 0, size);
                open.queue.submit([encoder.finish()]);
                to.map_async(wgpu::MapMode::Read, .., |_| ());
                to
            })?;
            self.open.wait()?;
            let bytes = back.get_mapped_range(..).map_err(|error| format!("a buffer cannot be read: {error}"))?;
            all.extend(bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
        }
        Ok(self.plan.result(all))
    }
}
