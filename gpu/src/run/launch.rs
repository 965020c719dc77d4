//! Launches, from arguments to the queue.

use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, OutputCollector, Refusal, validate};
use tilewise_ir::pos::Pos;

use super::buffer::Buffer;
use super::device::{DeviceShared, GpuDevice};
use super::failed::DeviceFailure;
use super::launched::{LaunchState, MESSAGES, QueuedLaunch, Speech};
use super::pace::{LaunchWork, PacedLaunch};
use super::pack;
use super::pipeline::{GpuKernel, Pipeline};
use super::pool::Purpose;
use super::queue::{ANY, BOUND, BoundResource, GpuQueue, PARTS, QueueInner, RecordedDispatch, Recording};
use super::texture_uses::{SampledTexture, StoredTexture, texture_stores, texture_uses};
use super::thread_safe::ThreadSafe;
use crate::exact::Exact;
use crate::lower::{ModuleKey, binding, block};
use crate::shader_form::ShaderForm;

/// Options of a launch.
#[derive(Clone, Copy, Debug)]
pub struct GpuLaunchOptions {
    /// The form in which the kernel reaches the driver.
    pub way: ShaderForm,
    /// The operations that Strict leaves to the driver, instead of the [probe](super::Qualified)'s
    /// result: for the probe itself, and for tests.
    pub exact: Option<Exact>,
    /// Loop iterations allowed per thread; beyond them the launch ends with
    /// [`Ending::Interrupted`].
    pub rounds: Option<u32>,
    /// Time limit of the launch; a device that exceeds it is given up.
    pub time_limit: Option<Duration>,
    /// Whether the device's texture units compute what they can. Never in Strict.
    pub textures: bool,
}

impl Default for GpuLaunchOptions {
    fn default() -> GpuLaunchOptions {
        GpuLaunchOptions {
            way: ShaderForm::Module,
            exact: None,
            rounds: None,
            time_limit: Some(Duration::from_secs(10)),
            textures: true,
        }
    }
}

/// Default loop iterations per thread: about a second.
const ROUNDS: u32 = 1 << 27;

/// A launch whose arguments were validated.
struct FittingLaunch<'a> {
    kernel: &'a GpuKernel,
    key: ModuleKey,
    pipeline: Arc<Pipeline>,
    domain: &'a Domain,
    arguments: &'a [Argument],
    /// The buffers of the allocations, by the numbers of the key.
    bound: Vec<&'a Buffer>,
    textures: Vec<SampledTexture<'a>>,
    stored: Vec<StoredTexture<'a>>,
    samplers: Vec<(wgpu::Sampler, u64)>,
    rounds: u32,
    time_limit: Option<Duration>,
}

impl GpuQueue {
    /// Queues a launch; `buffers` are its allocations and may repeat. Does not wait. A launch that
    /// does not fit or is not supported is refused before anything runs; a failure of the device is
    /// part of the outcome.
    pub fn launch(
        &self,
        kernel: &GpuKernel,
        domain: &Domain,
        buffers: &[Buffer],
        arguments: &[Argument],
        options: &GpuLaunchOptions,
    ) -> Result<QueuedLaunch, Refusal> {
        domain.check(kernel.kernel())?;
        validate(kernel.kernel(), arguments, |allocation| buffers.get(allocation).map(Buffer::facts))?;
        let shared = &self.0.shared;
        if !buffers.iter().all(|buffer| buffer.is_of(shared)) {
            return Err(Refusal::BadArgument("a buffer is of another device than the queue".into()));
        }
        let failed = |failed| QueuedLaunch {
            state: ThreadSafe::new(Arc::new(LaunchState::failed(failed))),
            queue: self.clone(),
        };
        if let Err(lost) = shared.alive() {
            return Ok(failed(lost));
        }
        let most = shared.adapter.rounds();
        let strict = match (options.way, options.exact) {
            (ShaderForm::Strict, Some(exact)) => Some(exact),
            (ShaderForm::Strict, None) => {
                Some(shared.adapter.exact().map_err(|reason| Refusal::Unsupported(reason.0))?)
            }
            _ => None,
        };
        let is_native = strict.is_none() && options.textures;
        let (textures, sampled) =
            if is_native { texture_uses(kernel, shared, buffers, arguments) } else { Default::default() };
        let (stores, stored) = if is_native {
            texture_stores(kernel, shared, self.0.number, domain, buffers, arguments)
        } else {
            Default::default()
        };
        let key = ModuleKey {
            strict,
            rounds: most,
            fences_need_barriers: shared.adapter.fences_need_barriers(),
            inactive_lanes_run: shared.adapter.inactive_lanes_run(),
            indices_read_late: shared.adapter.indices_read_late(),
            ..kernel.key(domain, arguments, |allocation| buffers.get(allocation).map(Buffer::number))
        };
        let key = ModuleKey { stores, ..key.with_textures(textures, shared.adapter.robust_images(), domain) };
        let (key, pipeline, stored) = match kernel.pipeline(shared, options.way, &key) {
            // What is stored beside memory need not be.
            Err(_) if !key.stores.is_empty() => {
                let key = ModuleKey { stores: Vec::new(), ..key };
                let pipeline = kernel.pipeline(shared, options.way, &key)?;
                (key, pipeline, Vec::new())
            }
            made => (key, made?, stored),
        };
        let mut bound: Vec<Option<&Buffer>> = vec![None; pipeline.lowered.allocations.len()];
        for (param, argument) in key.params.iter().zip(arguments) {
            let slot = param.allocation.and_then(|number| bound.get_mut(number as usize));
            if let (Some(slot), Some(allocation)) = (slot, argument.allocation()) {
                *slot = buffers.get(allocation);
            }
        }
        let samplers = pipeline.lowered.samplers.iter().filter_map(|key| shared.sampler(*key)).collect();
        let rounds = options.rounds.unwrap_or(ROUNDS);
        let job = FittingLaunch {
            kernel,
            key,
            pipeline,
            domain,
            arguments,
            bound: bound.into_iter().flatten().collect(),
            textures: sampled,
            stored,
            samplers,
            rounds,
            time_limit: options.time_limit,
        };
        match self.0.record(|queue, recording| queue.launch(recording, &job)) {
            Ok(state) => Ok(QueuedLaunch { state: ThreadSafe::new(state), queue: self.clone() }),
            Err(DeviceFailure::Unsupported(why)) => Err(Refusal::Unsupported(why)),
            Err(other) => Ok(failed(other)),
        }
    }
}

impl FittingLaunch<'_> {
    /// What the launch does, and what that is expected to take; nothing if that cannot be foreseen.
    fn paced(&self, words: &[u32]) -> Option<PacedLaunch> {
        let Pipeline { lowered, pace, .. } = &*self.pipeline;
        let work = LaunchWork::of(lowered.loops, self.domain, words, self.arguments)?;
        Some(PacedLaunch { pace: Arc::clone(pace), work, expected: pace.expected(&work) })
    }
}

impl QueueInner {
    fn launch(&self, recording: &mut Recording, job: &FittingLaunch<'_>) -> Result<Arc<LaunchState>, DeviceFailure> {
        let shared = &self.shared;
        let lowered = &job.pipeline.lowered;
        let inlined = job.kernel.kernel().inlined();
        let most = shared.adapter.rounds();
        let rounds = most.map_or(job.rounds, |most| most.min(job.rounds));
        let mut words = pack::words(inlined, &lowered.layout, job.domain, job.arguments);
        let limit = job.time_limit.filter(|limit| *limit < ANY);
        let paced = limit.and_then(|_| job.paced(&words));
        let is_brief = paced.as_ref().is_some_and(|paced| paced.expected.is_some_and(|time| shared.is_brief(time)));
        if recording.open.keeps_out(limit.is_some()) {
            self.submit(recording)?;
        }
        for sampled in &job.textures {
            sampled.texture.copy_from(sampled.buffer, self, recording)?;
        }
        self.make_room(recording, lowered.layout.words as usize, PARTS)?;
        words[block::BUDGET as usize] = rounds;
        words[block::MESSAGES as usize] = MESSAGES;
        let mut bound = Vec::with_capacity(job.bound.len() + 2);
        let mut state = LaunchState::default();
        if lowered.messages {
            let piece = shared.lend(Purpose::Messages, u64::from(MESSAGES) * 4)?;
            bound.push((binding::MESSAGES, piece.buffer.clone(), piece.number));
            let capped = (rounds < job.rounds).then(|| {
                let name = shared.adapter.name();
                format!("the driver of `{name}` ends loops of a thread after {rounds} iterations or some more")
            });
            state.speech = Some(Speech {
                pipeline: Arc::clone(&job.pipeline),
                kernel: job.kernel.clone(),
                domain: job.domain.clone(),
                capped,
                messages: Mutex::new(Some(piece)),
            });
        }
        if lowered.layout.constants > 0 {
            let constants = self.constants(recording, job)?;
            bound.push((binding::CONSTANTS, constants.wgpu().clone(), constants.number()));
            recording.open.keep.push(constants);
        }
        let messages = bound.first().filter(|_| lowered.messages).map(|(_, buffer, _)| buffer.clone());
        let allocations = (binding::ALLOCATIONS..).zip(&job.bound);
        let textures = job.textures.iter().map(|it| (BoundResource::Texture(&it.texture.view), it.texture.number));
        let samplers = job.samplers.iter().map(|(sampler, number)| (BoundResource::Sampler(sampler), *number));
        let stored = job.stored.iter().filter_map(|it| it.level.view());
        let stored = stored.map(|(view, number)| (BoundResource::Texture(view), *number));
        let others = (lowered.first_texture()..).zip(textures.chain(samplers).chain(stored));
        let bound: Vec<(u32, BoundResource<'_>, u64)> = bound
            .iter()
            .map(|(binding, buffer, number)| (*binding, BoundResource::Buffer(buffer), *number))
            .chain(allocations.map(|(at, buffer)| (at, BoundResource::Buffer(buffer.wgpu()), buffer.number())))
            .chain(others.map(|(binding, (resource, number))| (binding, resource, number)))
            .collect();
        let state = Arc::new(state);
        let alone = limit.is_some() && !is_brief;
        if alone {
            self.compile(recording, job, &words, &bound)?;
            self.submit(recording)?;
        }
        if lowered.messages {
            self.room_to_speak(&mut recording.open)?;
        }
        // There is room for all dispatches, so none of them submits; if one fails, those before it
        // still have their buffers.
        recording.open.keep.extend(job.bound.iter().map(|&buffer| buffer.clone()));
        for pack::TileDispatch { first, tiles: [x, y] } in pack::dispatches(inlined, job.domain, &job.key) {
            words[block::FIRST as usize] = first;
            words[block::ROW as usize] = x;
            self.dispatch(
                recording,
                &RecordedDispatch { program: &job.pipeline.program, block: &words, bound: &bound, tiles: (x, y) },
            )?;
        }
        for (buffer, _) in job.bound.iter().zip(&lowered.allocations).filter(|(_, written)| **written) {
            let change = buffer.textures().changed();
            for stored in job.stored.iter().filter(|stored| stored.buffer.number() == buffer.number()) {
                stored.level.written(change, self);
            }
        }
        let open = &mut recording.open;
        open.speakers.extend(messages.map(|messages| (Arc::clone(&state), messages)));
        open.launches.push(Arc::clone(&state));
        match job.time_limit {
            Some(limit) => open.time = open.time.saturating_add(limit),
            None => open.endless = true,
        }
        if let Some(limit) = limit {
            let paced = paced.map(|paced| PacedLaunch { expected: paced.expected.filter(|_| is_brief), ..paced });
            open.limited.push(limit, paced);
        }
        match limit {
            Some(_) if is_brief => self.submit_brief(recording)?,
            Some(_) => self.submit(recording).map(drop)?,
            None => self.submit_many(recording)?,
        }
        Ok(state)
    }

    /// Makes a driver that compiles a kernel at its first dispatch do so now, in a dispatch of no
    /// tiles: the time limit of a launch does not cover compilation.
    fn compile(
        &self,
        recording: &mut Recording,
        job: &FittingLaunch<'_>,
        words: &[u32],
        bound: &[(u32, BoundResource<'_>, u64)],
    ) -> Result<(), DeviceFailure> {
        let program = &job.pipeline.program;
        if !self.shared.adapter.is_software() || program.used.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.dispatch(recording, &RecordedDispatch { program, block: words, bound, tiles: (0, 0) })
    }

    /// The constants of a launch on the device. If they equal those of the program's last launch,
    /// their buffer is reused.
    fn constants(&self, recording: &mut Recording, job: &FittingLaunch<'_>) -> Result<Buffer, DeviceFailure> {
        let bytes = pack::constants(job.kernel.kernel().inlined(), &job.pipeline.lowered.layout, job.arguments);
        let number = job.pipeline.program.number;
        if let Entry::Occupied(known) = recording.constants.entry(number)
            && known.get().0 == bytes
        {
            return Ok(known.get().1.clone());
        }
        if recording.constants.len() >= BOUND {
            // Most belong to kernels that no longer exist.
            recording.constants.clear();
        }
        let buffer = Buffer::allocate(&self.shared, bytes.len() as u64, false)?;
        let (from, offset) = recording.open.staging.write(&self.shared, &bytes)?;
        let size = (bytes.len() as u64).next_multiple_of(4);
        recording.open.encoder(&self.shared).copy_buffer_to_buffer(&from, offset, buffer.wgpu(), 0, size);
        recording.constants.insert(number, (bytes, buffer.clone()));
        Ok(buffer)
    }
}

impl GpuDevice {
    /// Runs a kernel over host memory, as the interpreter's `run` does. A capability that the
    /// device or the form lacks is [`Refusal::Unsupported`], a failure of the driver
    /// [`Refusal::Driver`]; a launch that exceeds its time limit is [`Ending::Interrupted`], and
    /// its device is lost.
    pub fn run(
        &self,
        kernel: &GpuKernel,
        domain: &Domain,
        memory: &mut LaunchMemory,
        arguments: &[Argument],
        options: &GpuLaunchOptions,
    ) -> Result<Outcome, Refusal> {
        domain.check(kernel.kernel())?;
        validate(kernel.kernel(), arguments, |allocation| memory.facts(allocation))?;
        self.shared.alive().map_err(refused)?;
        match self.run_whole(kernel, domain, memory, arguments, options) {
            Err(Refusal::Driver(_)) if self.shared.lost.overdue.load(Ordering::Acquire) => {
                Ok(OutputCollector::<Pos>::default().outcome(Ending::Interrupted, 0))
            }
            other => other,
        }
    }

    fn run_whole(
        &self,
        kernel: &GpuKernel,
        domain: &Domain,
        memory: &mut LaunchMemory,
        arguments: &[Argument],
        options: &GpuLaunchOptions,
    ) -> Result<Outcome, Refusal> {
        let queue = self.queue();
        let mut buffers = Vec::new();
        for bytes in &memory.allocations {
            let buffer = self.allocate(bytes.len() as u64, false).map_err(refused)?;
            queue.upload(&buffer, &[(0, bytes)]).map_err(refused)?;
            buffers.push(buffer);
        }
        let launched = queue.launch(kernel, domain, &buffers, arguments, options)?;
        let mut back = Vec::new();
        for (&written, argument) in kernel.kernel().written().iter().zip(arguments) {
            let Some(allocation) = argument.allocation().filter(|_| written) else { continue };
            let (buffer, bytes) = (&buffers[allocation], &memory.allocations[allocation]);
            back.push((allocation, queue.download(buffer, &[(0, bytes.len() as u64)]).map_err(refused)?));
        }
        let outcome = launched.outcome().map_err(refused)?;
        for (allocation, download) in back {
            download.wait(|_, bytes| memory.allocations[allocation].copy_from_slice(bytes)).map_err(refused)?;
        }
        Ok(outcome)
    }
}

fn refused(failed: DeviceFailure) -> Refusal {
    match failed {
        DeviceFailure::Lost(why) => Refusal::Driver(why),
        DeviceFailure::OutOfMemory(_) | DeviceFailure::Unsupported(_) => Refusal::Unsupported(failed.to_string()),
    }
}

impl GpuQueue {
    /// The queue's device.
    pub fn device(&self) -> GpuDevice {
        let shared: &Arc<DeviceShared> = &self.0.shared;
        GpuDevice { shared: ThreadSafe::new(Arc::clone(shared)) }
    }
}
