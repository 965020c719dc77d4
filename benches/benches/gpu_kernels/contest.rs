//! A form of a kernel on a device: its buffers, filled; its dispatches; and how long they take.

use std::time::Instant;

use tilewise_gpu::exact::Exact;
use tilewise_gpu::lower::{HEAD, LaunchPredicates, LoweredModule, ModuleKey, TAIL, binding, block, lower};
use tilewise_gpu::run::{kinds, pack};
use tilewise_gpu::shader_form;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::text::parse;
use wgpu::BufferUsages;

use crate::device::{Gpu, Source};
use crate::work::{Hand, Launch, Setup};

/// How a kernel comes to the device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// WGSL, written by hand.
    Hand,
    /// Lowered, as a module: Relaxed.
    Module,
    /// Lowered, as SPIR-V whose floats mean what they say.
    Strict,
}

impl Form {
    pub(crate) const ALL: [Form; 3] = [Form::Hand, Form::Module, Form::Strict];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Form::Hand => "hand",
            Form::Module => "module",
            Form::Strict => "strict",
        }
    }
}

/// A form that is ready.
pub(crate) struct Contestant {
    pipeline: wgpu::ComputePipeline,
    /// One for each allocation of the work.
    allocations: Vec<wgpu::Buffer>,
    /// Where an allocation begins in its buffer.
    head: u64,
    /// What is bound and how many tiles there are: the dispatches of one run.
    dispatches: Vec<(wgpu::BindGroup, [u32; 2])>,
}

fn kernel(setup: &Setup) -> Result<Checked<Kernel>, String> {
    let kernel = parse("kernel.kir", setup.kir).map_err(|failure| failure.to_string())?;
    check(kernel).map_err(|rejected| rejected.to_string())
}

fn key(gpu: Option<&Gpu>, kernel: &Checked<Kernel>, launch: &Launch, strict: Option<Exact>) -> ModuleKey {
    let rounds = gpu.and_then(|gpu| gpu.adapter.rounds());
    let fences_meet = gpu.is_some_and(|gpu| gpu.adapter.fences_need_barriers());
    ModuleKey {
        strict,
        rounds,
        fences_need_barriers: fences_meet,
        ..ModuleKey::of(kernel, &LaunchPredicates::of(kernel), &launch.domain, &launch.arguments)
    }
}

/// The WGSL of the first launch: Relaxed, or Strict on a driver of which that is exact.
pub(crate) fn shown(setup: &Setup, exact: Option<Exact>) -> Result<String, String> {
    let kernel = kernel(setup)?;
    let lowered = lower(&kernel, &key(None, &kernel, &setup.launches[0], exact)).map_err(|reason| reason.0)?;
    shader_form::wgsl(&lowered).map_err(|reason| reason.0)
}

impl Contestant {
    /// Makes a form ready: its buffers hold the inputs.
    pub(crate) fn new(gpu: &Gpu, setup: &Setup, form: Form, exact: Option<Exact>) -> Result<Contestant, String> {
        match form {
            Form::Hand => Contestant::by_hand(gpu, setup),
            Form::Module => Contestant::lowered(gpu, setup, None),
            Form::Strict => {
                let why = || gpu.adapter.qualified().err().unwrap_or_else(|| "the device is not strict".into());
                Contestant::lowered(gpu, setup, Some(exact.ok_or_else(why)?))
            }
        }
    }

    fn by_hand(gpu: &Gpu, setup: &Setup) -> Result<Contestant, String> {
        let pipeline = gpu.pipeline(Source::Wgsl(setup.wgsl), None)?;
        let allocations: Vec<wgpu::Buffer> = setup
            .allocations
            .iter()
            .map(|bytes| gpu.buffer(bytes.len() as u64, 0, bytes, BufferUsages::STORAGE))
            .collect();
        let layout = pipeline.get_bind_group_layout(0);
        let uniform = |bytes: &[u8]| gpu.buffer(16, 0, bytes, BufferUsages::UNIFORM);
        let dispatches = setup.launches.iter().map(|launch| {
            let mut bound: Vec<wgpu::Buffer> =
                launch.hand.iter().map(|&Hand { allocation }| allocations[allocation].clone()).collect();
            bound.extend(setup.uniform.as_deref().map(uniform));
            (group(gpu, &layout, &(0..).zip(bound).collect::<Vec<_>>()), setup.groups)
        });
        let dispatches = dispatches.collect();
        Ok(Contestant { pipeline, allocations, head: 0, dispatches })
    }

    fn lowered(gpu: &Gpu, setup: &Setup, exact: Option<Exact>) -> Result<Contestant, String> {
        let kernel = kernel(setup)?;
        let first = &setup.launches[0];
        let key = key(Some(gpu), &kernel, first, exact);
        let lowered = lower(&kernel, &key).map_err(|reason| reason.0)?;
        let source = if exact.is_some() {
            let words = shader_form::strict(&lowered, gpu.adapter.controls()).map_err(|reason| reason.0)?;
            Source::Spirv(words, lowered.needs.workgroup)
        } else {
            shader_form::validate(&lowered.module).map_err(|reason| reason.0)?;
            Source::Module(&lowered.module)
        };
        let pipeline = gpu.pipeline(source, Some(&kinds(&lowered)))?;
        let head = u64::from(HEAD);
        let allocations: Vec<wgpu::Buffer> = setup
            .allocations
            .iter()
            .map(|bytes| {
                let size = head + bytes.len() as u64 + u64::from(TAIL);
                gpu.buffer(size, head, bytes, BufferUsages::STORAGE)
            })
            .collect();
        let mut dispatches = Vec::new();
        for launch in &setup.launches {
            dispatches.extend(dispatch(gpu, (&kernel, &key), &lowered, launch, &pipeline, &allocations));
        }
        Ok(Contestant { pipeline, allocations, head, dispatches })
    }

    /// One run from fresh inputs; gives the allocations that are results.
    pub(crate) fn once(&self, gpu: &Gpu, setup: &Setup) -> Result<Vec<Vec<u8>>, String> {
        self.submit(gpu, 1, None)?;
        gpu.wait()?;
        let results = setup.results.iter();
        results
            .map(|&allocation| {
                gpu.read(&self.allocations[allocation], self.head, setup.allocations[allocation].len() as u64)
            })
            .collect()
    }

    /// Milliseconds of one run, out of `count` in one submission.
    pub(crate) fn time(&self, gpu: &Gpu, count: u32) -> Result<f64, String> {
        let has_clock = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let queries = has_clock.then(|| {
            let (ty, count) = (wgpu::QueryType::Timestamp, 2);
            gpu.device.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty, count })
        });
        let begin = Instant::now();
        let ticks = self.submit(gpu, count, queries.as_ref())?;
        gpu.wait()?;
        let wall = begin.elapsed().as_secs_f64() * 1e3;
        let Some(ticks) = ticks else { return Ok(wall / f64::from(count)) };
        let bytes = gpu.read(&ticks, 0, 16)?;
        let tick = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| bytes[8 * i + k]));
        let ms = tick(1).wrapping_sub(tick(0)) as f64 * f64::from(gpu.queue.get_timestamp_period()) * 1e-6;
        Ok(ms / f64::from(count))
    }

    fn submit(&self, gpu: &Gpu, count: u32, clock: Option<&wgpu::QuerySet>) -> Result<Option<wgpu::Buffer>, String> {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let writes = clock.map(|query_set| wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: Some(0),
                end_of_pass_write_index: Some(1),
            });
            let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes: writes };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            pass.set_pipeline(&self.pipeline);
            for _ in 0..count {
                for (group, [x, y]) in &self.dispatches {
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups(*x, *y, 1);
                }
            }
        }
        let ticks = clock.map(|clock| {
            let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
            let ticks = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage,
                mapped_at_creation: false,
            });
            encoder.resolve_query_set(clock, 0..2, &ticks, 0);
            ticks
        });
        gpu.queue.submit([encoder.finish()]);
        Ok(ticks)
    }
}

fn group(gpu: &Gpu, layout: &wgpu::BindGroupLayout, bound: &[(u32, wgpu::Buffer)]) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = bound
        .iter()
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// The dispatches of a launch.
fn dispatch(
    gpu: &Gpu,
    (kernel, key): (&Kernel, &ModuleKey),
    lowered: &LoweredModule,
    launch: &Launch,
    pipeline: &wgpu::ComputePipeline,
    allocations: &[wgpu::Buffer],
) -> Vec<(wgpu::BindGroup, [u32; 2])> {
    /// Words of the message buffer.
    const MESSAGES: u32 = 1 << 16;
    let layout = pipeline.get_bind_group_layout(0);
    let mut words = pack::words(kernel, &lowered.layout, &launch.domain, &launch.arguments);
    words[block::BUDGET as usize] = gpu.adapter.rounds().unwrap_or(1 << 27);
    words[block::MESSAGES as usize] = MESSAGES;
    let constants = pack::constants(kernel, &lowered.layout, &launch.arguments);
    let bound = Setup::bound_allocations(&launch.arguments);
    let mut out = Vec::new();
    for pack::TileDispatch { first, tiles } in pack::dispatches(kernel, &launch.domain, key) {
        (words[block::FIRST as usize], words[block::ROW as usize]) = (first, tiles[0]);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let bound = lowered.bindings().into_iter().map(|number| {
            let buffer = match number {
                binding::BLOCK => gpu.buffer(bytes.len() as u64, 0, &bytes, BufferUsages::UNIFORM),
                binding::MESSAGES => gpu.buffer(u64::from(MESSAGES) * 4, 0, &[], BufferUsages::STORAGE),
                binding::CONSTANTS => gpu.buffer(constants.len() as u64, 0, &constants, BufferUsages::STORAGE),
                buffer => allocations[bound[(buffer - binding::ALLOCATIONS) as usize]].clone(),
            };
            (number, buffer)
        });
        let bound: Vec<(u32, wgpu::Buffer)> = bound.collect();
        out.push((group(gpu, &layout, &bound), tiles));
    }
    out
}
