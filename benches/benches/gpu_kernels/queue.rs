//! What it costs to use the device through this project's own runtime: a launch that is waited for, launches that are queued, and bytes sent both ways.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tilewise_gpu::run::{Adapter, Buffer, GpuKernel, GpuLaunchOptions, GpuQueue, SharedTarget};
use tilewise_gpu::shader_form::ShaderForm;
use tilewise_ir::check::check;
use tilewise_ir::launch::{Argument, Domain, ViewArgument};
use tilewise_ir::text::parse;

use crate::device::{Gpu, Source};

/// A kernel that does as good as nothing, in memory that it might have written.
const NOTHING: &str =
    "kernel nothing(a: view<u32, 1, read_write>, n: i32) rank(1) { if n > 1 { a[global[0]] = 1u32; } }";

/// A measurement: the median, the shortest, and in what.
#[derive(Serialize)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) unit: &'static str,
    pub(crate) median: f64,
    pub(crate) shortest: f64,
}

impl Figure {
    /// Of measurements of which each takes the seconds it gives; `per` of them are one.
    fn of(
        what: String,
        runs: usize,
        per: f64,
        mut once: impl FnMut() -> Result<f64, String>,
    ) -> Result<Figure, String> {
        let mut all = Vec::new();
        // The first prepares what is used again.
        for run in 0..=runs {
            let seconds = once()?;
            if run > 0 {
                all.push(seconds / per * 1e6);
            }
        }
        all.sort_by(f64::total_cmp);
        Ok(Figure { what, unit: "us", median: all[all.len() / 2], shortest: all[0] })
    }

    /// The same as a rate.
    fn rate(self, bytes: u64) -> Figure {
        let rate = |us: f64| bytes as f64 / us * 1e-3;
        Figure { unit: "GB/s", median: rate(self.median), shortest: rate(self.shortest), ..self }
    }

    pub(crate) fn line(&self) -> String {
        format!("{:<60}{:>12.3}{:>12.3} {}", self.what, self.median, self.shortest, self.unit)
    }
}

/// Queued launches of one measurement.
const MANY: u32 = 10_000;

struct Bench {
    queue: GpuQueue,
    kernel: GpuKernel,
    buffer: Buffer,
    options: GpuLaunchOptions,
}

impl Bench {
    fn launch(&self) -> Result<(), String> {
        let arguments = [Argument::View(ViewArgument::dense(0, &[256])), Argument::Uniform(vec![1, 0, 0, 0])];
        let buffers = std::slice::from_ref(&self.buffer);
        let launched = self.queue.launch(&self.kernel, &Domain::new([256]), buffers, &arguments, &self.options);
        launched.map(drop).map_err(|refusal| refusal.to_string())
    }

    fn wait(&self) -> Result<(), String> {
        self.queue.wait().map_err(|failed| failed.to_string())
    }
}

/// All figures of an adapter.
pub(crate) fn measure(adapter: &Adapter, large: bool, runs: usize) -> Result<Vec<Figure>, String> {
    let device = adapter.open().map_err(|failed| failed.to_string())?;
    let kernel = parse("nothing.kir", NOTHING).map_err(|failure| failure.to_string())?;
    let kernel = GpuKernel::new(Arc::new(check(kernel).map_err(|rejected| rejected.to_string())?));
    let buffer = device.allocate(1024, true).map_err(|failed| failed.to_string())?;
    let options = GpuLaunchOptions { way: ShaderForm::Module, ..GpuLaunchOptions::default() };
    let bench = Bench { queue: device.queue(), kernel, buffer, options };
    let mut out = Vec::new();
    out.push(Figure::of("a launch, waited for".into(), runs.max(7) * 30, 1.0, || {
        let begin = Instant::now();
        bench.launch()?;
        bench.wait()?;
        Ok(begin.elapsed().as_secs_f64())
    })?);
    out.extend(stages(&bench, runs.max(7) * 30)?);
    let many = f64::from(MANY);
    out.push(Figure::of(format!("each of {MANY} queued launches, to queue"), runs, many, || {
        let begin = Instant::now();
        (0..MANY).try_for_each(|_| bench.launch())?;
        let queued = begin.elapsed().as_secs_f64();
        bench.wait()?;
        Ok(queued)
    })?);
    out.push(Figure::of(format!("each of {MANY} queued launches, done"), runs, many, || {
        let begin = Instant::now();
        (0..MANY).try_for_each(|_| bench.launch())?;
        bench.wait()?;
        Ok(begin.elapsed().as_secs_f64())
    })?);
    // As by the public interface, whose limit on a real GPU is 2 seconds if none is set.
    let options = GpuLaunchOptions { time_limit: Some(Duration::from_secs(2)), ..bench.options };
    let bench = Bench { options, ..bench };
    out.push(Figure::of(format!("each of {MANY} queued launches with a limit of 2 s, done"), runs, many, || {
        let begin = Instant::now();
        (0..MANY).try_for_each(|_| bench.launch())?;
        bench.wait()?;
        Ok(begin.elapsed().as_secs_f64())
    })?);
    let sizes: &[u64] = if large { &[4 << 10, 1 << 20, 64 << 20, 1 << 30] } else { &[4 << 10, 1 << 20, 64 << 20] };
    for &size in sizes {
        out.extend(transfers(&bench.queue, size, runs)?);
    }
    Ok(out)
}

/// Where the time of a launch that is waited for goes.
fn stages(bench: &Bench, runs: usize) -> Result<[Figure; 3], String> {
    let mut all: [Vec<f64>; 3] = Default::default();
    for _ in 0..runs {
        let mut begin = Instant::now();
        let mut lap = |times: &mut Vec<f64>| {
            times.push(begin.elapsed().as_secs_f64());
            begin = Instant::now();
        };
        let [recorded, submitted, waited] = &mut all;
        bench.launch()?;
        lap(recorded);
        bench.queue.flush().map_err(|failed| failed.to_string())?;
        lap(submitted);
        bench.wait()?;
        lap(waited);
    }
    let of = |what: &str, times: &[f64]| {
        let mut times = times.iter();
        Figure::of(format!("    of it {what}"), runs - 1, 1.0, || times.next().copied().ok_or("too few times".into()))
    };
    let [recorded, submitted, waited] = &all;
    Ok([of("to record", recorded)?, of("to submit", submitted)?, of("until it is seen to be done", waited)?])
}

/// The way in which the argument block of a dispatch reaches the device.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockPath {
    /// None is sent.
    Kept,
    /// `write_buffer`, which copies on the device.
    Written,
    /// The host writes to the uniform buffer itself.
    Mapped,
    /// It is part of the commands.
    Immediate,
}

/// An empty kernel through wgpu alone.
struct EmptyDispatch<'a> {
    gpu: &'a Gpu,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    block: wgpu::Buffer,
    path: BlockPath,
}

impl<'a> EmptyDispatch<'a> {
    fn new(gpu: &'a Gpu, path: BlockPath) -> Result<EmptyDispatch<'a>, String> {
        let block = if path == BlockPath::Immediate { "var<immediate>" } else { "@group(0) @binding(0) var<uniform>" };
        let text = format!(
            "{block} n: vec4<u32>;
            @group(0) @binding(1) var<storage, read_write> a: array<u32>;
            @compute @workgroup_size(256)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {{ if n.x > 1u {{ a[id.x] = 1u; }} }}"
        );
        let pipeline = gpu.pipeline(Source::Wgsl(&text), None)?;
        let usage = match path {
            BlockPath::Mapped => wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::MAP_WRITE,
            BlockPath::Kept | BlockPath::Written | BlockPath::Immediate => {
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST
            }
        };
        let mapped = path == BlockPath::Mapped;
        let block = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: mapped };
        let block = gpu.device.create_buffer(&block);
        let memory = gpu.buffer(1024, 0, &[0; 16], wgpu::BufferUsages::STORAGE);
        fn entry(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
            wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
        }
        let entries = [entry(0, &block), entry(1, &memory)];
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: if path == BlockPath::Immediate { &entries[1..] } else { &entries },
        });
        gpu.wait()?;
        Ok(EmptyDispatch { gpu, pipeline, group, block, path })
    }

    /// Once, waited for, in seconds.
    fn once(&self) -> Result<f64, String> {
        let gpu = self.gpu;
        let begin = Instant::now();
        match self.path {
            BlockPath::Written => gpu.queue.write_buffer(&self.block, 0, &[0; 16]),
            BlockPath::Mapped => {
                let mut view = self.block.get_mapped_range_mut(..).map_err(|error| error.to_string())?;
                view.slice(..).copy_from_slice(&[0; 16]);
                drop(view);
                self.block.unmap();
            }
            BlockPath::Kept | BlockPath::Immediate => {}
        }
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        if self.path == BlockPath::Immediate {
            pass.set_immediates(0, &[0; 16]);
        }
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        if self.path == BlockPath::Mapped {
            self.block.map_async(wgpu::MapMode::Write, .., |_| ());
        }
        gpu.spin()?;
        Ok(begin.elapsed().as_secs_f64())
    }
}

/// The same dispatch through wgpu alone, and a submission without work.
pub(crate) fn by_wgpu(gpu: &Gpu, runs: usize) -> Result<Vec<Figure>, String> {
    let runs = runs.max(7) * 30;
    let paths = [
        (BlockPath::Kept, "a dispatch"),
        (BlockPath::Written, "and arguments by `write_buffer`"),
        (BlockPath::Mapped, "and arguments in mapped memory"),
        (BlockPath::Immediate, "and arguments as immediates"),
    ];
    let mut out = vec![Figure::of("wgpu alone: an empty submission, waited for".into(), runs, 1.0, || {
        let begin = Instant::now();
        let encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        gpu.queue.submit([encoder.finish()]);
        gpu.spin()?;
        Ok(begin.elapsed().as_secs_f64())
    })?];
    for (path, what) in paths {
        let needed = match path {
            BlockPath::Mapped => wgpu::Features::MAPPABLE_PRIMARY_BUFFERS,
            BlockPath::Immediate => wgpu::Features::IMMEDIATES,
            BlockPath::Kept | BlockPath::Written => wgpu::Features::empty(),
        };
        if gpu.device.features().contains(needed) {
            let dispatch = EmptyDispatch::new(gpu, path)?;
            out.push(Figure::of(format!("    {what}"), runs, 1.0, || dispatch.once())?);
        }
    }
    Ok(out)
}

/// There and back.
fn transfers(queue: &GpuQueue, size: u64, runs: usize) -> Result<[Figure; 2], String> {
    let device = queue.device();
    let buffer = device.allocate(size, false).map_err(|failed| failed.to_string())?;
    let bytes: Vec<u8> = (0..size).map(|i| (i * 7 + i / 256) as u8).collect();
    let mut back = vec![0_u8; size as usize];
    let name = |way: &str| format!("{way} {} KiB", size >> 10);
    let up = Figure::of(name("to the device,"), runs, 1.0, || {
        let begin = Instant::now();
        queue.upload(&buffer, &[(0, &bytes)]).map_err(|failed| failed.to_string())?;
        queue.wait().map_err(|failed| failed.to_string())?;
        Ok(begin.elapsed().as_secs_f64())
    })?;
    let down = Figure::of(name("from the device,"), runs, 1.0, || {
        let begin = Instant::now();
        let target = SharedTarget::new(&mut back);
        let write = |at: u64, bytes: &[u8]| target.write(at, bytes);
        queue.read(&buffer, &[(0, size)], write).map_err(|failed| failed.to_string())?;
        Ok(begin.elapsed().as_secs_f64())
    })?;
    if back != bytes {
        return Err(format!("{size} bytes came back as others"));
    }
    Ok([up.rate(size), down.rate(size)])
}
