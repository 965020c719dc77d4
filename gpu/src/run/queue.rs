//! Queues: how work is recorded and submitted.
//!
//! A queue records into one encoder. It submits when its work is awaited, read or flushed, and
//! after [`MANY`] dispatches. A launch with a short time limit is submitted alone, unless it is
//! [known to be short](super::pace): then it is submitted with others like it, at once if the device
//! has little to do. Argument blocks gather in host memory and are written at once on
//! submission; each dispatch has an offset into them. Where the adapter allows it, the host writes
//! them to the memory that shaders read, a piece per submission, which returns to the pool when the
//! device is done with it; else they are copied on the device, which takes a fifth of the time of a
//! launch that is waited for. Bind groups are cached, so that the same kernel with the same buffers
//! creates no new objects.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use super::buffer::Buffer;
use super::device::{DeviceShared, locked};
use super::failed::{DeviceFailure, with_stack};
use super::in_flight::{Submission, WaitBudget};
use super::launched::{LaunchState, SLOT, Said};
use super::pace::PacedLaunch;
use super::pipeline::GpuProgram;
use super::pool::{LentBuffer, Purpose};
use super::shared_copy;
use super::staging::{self, Reading, Staging};
use super::thread_safe::ThreadSafe;
use super::watch::Then;
use crate::lower::{BINDING_LIMIT, binding};

/// Dispatches after which a queue submits without a request.
const MANY: u32 = 32;
/// Copies after which a queue submits without a request. They cost the device almost nothing, but
/// each takes memory until it is submitted.
const MANY_COPIES: u32 = 1024;
/// Bytes for the argument blocks of one submission.
const BLOCKS: u64 = 64 << 10;
/// Maximum number of dispatches of a launch.
pub(super) const PARTS: u64 = 3;
/// Size limit of an argument block in bytes, so that those of a launch fit into one submission.
pub(super) const BLOCK_MOST: u64 = BLOCKS / 4;
/// Maximum number of cached bind groups, and of kernels whose constants are cached.
pub(super) const BOUND: usize = 1024;
/// Bytes of transfers for which a submission gets an additional second.
const A_SECOND: u64 = 128 << 20;
/// Base time limit of a submission. A launch with a shorter limit is submitted alone, with its own
/// limit.
pub(super) const ANY: Duration = Duration::from_secs(10);
/// Added to the limit of such a launch: time until the device starts it, and until its end is
/// noticed.
const MARGIN: Duration = Duration::from_millis(500);
/// Submissions in flight above which the queue checks whether the first are done.
const UNSEEN: usize = 16;

/// A queue of a device, which runs its work in order. Clones are the same queue; threads may share
/// it.
#[derive(Clone, Debug)]
pub struct GpuQueue(pub(super) ThreadSafe<Arc<QueueInner>>);

#[derive(Debug)]
pub(super) struct QueueInner {
    pub(super) shared: Arc<DeviceShared>,
    pub(super) number: u64,
    recording: Mutex<Recording>,
    /// How often the queue was cancelled.
    cancels: AtomicU64,
}

/// Recorded work that is not submitted, and state that later recordings reuse.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub(super) open: OpenRecording,
    /// The piece for the argument blocks of the next submission.
    arguments: Option<LentBuffer>,
    bound: HashMap<Box<[u64]>, wgpu::BindGroup>,
    epoch: u64,
    /// By program, the constants of its last launch.
    pub(super) constants: HashMap<u64, (Vec<u8>, Buffer)>,
    /// Scratch for the keys of bind groups.
    key: Vec<u64>,
}

/// Recorded work.
#[derive(Debug, Default)]
pub(super) struct OpenRecording {
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// The program set in the pass.
    program: Option<u64>,
    blocks: Vec<u8>,
    dispatches: u32,
    /// Buffers that must not return to the pool before submission.
    pub(super) keep: Vec<Buffer>,
    pub(super) staging: Staging,
    /// Launches that can send messages, and their message buffers.
    pub(super) speakers: Vec<(Arc<LaunchState>, wgpu::Buffer)>,
    /// Staging memory for the first bytes of their messages.
    pub(super) said: Option<LentBuffer>,
    /// All launches, which are notified on submission.
    pub(super) launches: Vec<Arc<LaunchState>>,
    pub(super) moved: u64,
    pub(super) copies: u32,
    /// The sum of the launches' time limits.
    pub(super) time: Duration,
    pub(super) endless: bool,
    /// The launches, if each has a time limit below [`ANY`]: then no other is recorded with them.
    pub(super) limited: LimitedLaunches,
    /// How often the queue had been cancelled when this recording began.
    cancels: u64,
}

/// Launches with short time limits that are recorded.
#[derive(Debug, Default)]
pub(super) struct LimitedLaunches {
    pub(super) list: Vec<PacedLaunch>,
    count: u32,
    /// The longest limit.
    longest: Duration,
    /// What they are expected to take together.
    expected: Duration,
}

impl LimitedLaunches {
    /// A launch was recorded, with what it does, if the time of that can be foreseen.
    pub(super) fn push(&mut self, limit: Duration, paced: Option<PacedLaunch>) {
        self.count += 1;
        // A limit of zero is a limit too.
        self.longest = self.longest.max(limit).max(Duration::from_nanos(1));
        self.expected += paced.as_ref().and_then(|paced| paced.expected).unwrap_or_default();
        self.list.extend(paced);
    }
}

impl OpenRecording {
    /// The encoder, with no pass open.
    pub(super) fn encoder(&mut self, shared: &DeviceShared) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.program = None;
        self.encoder.get_or_insert_with(|| encoder(shared))
    }

    fn is_empty(&self) -> bool {
        self.encoder.is_none()
    }

    /// Whether a launch must not be submitted with those that are recorded: they have short time
    /// limits, and it has not, or the other way round.
    pub(super) fn keeps_out(&self, is_limited: bool) -> bool {
        !self.launches.is_empty() && is_limited != (self.limited.count > 0)
    }
}

pub(super) fn encoder(shared: &DeviceShared) -> wgpu::CommandEncoder {
    shared.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

/// What a binding binds.
#[derive(Clone, Copy)]
pub(super) enum BoundResource<'a> {
    Buffer(&'a wgpu::Buffer),
    Texture(&'a wgpu::TextureView),
    Sampler(&'a wgpu::Sampler),
}

impl<'a> BoundResource<'a> {
    fn as_binding(self) -> wgpu::BindingResource<'a> {
        match self {
            BoundResource::Buffer(buffer) => buffer.as_entire_binding(),
            BoundResource::Texture(view) => wgpu::BindingResource::TextureView(view),
            BoundResource::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
        }
    }

    /// Bytes of a buffer.
    fn bytes(self) -> u64 {
        match self {
            BoundResource::Buffer(buffer) => buffer.size(),
            BoundResource::Texture(_) | BoundResource::Sampler(_) => 0,
        }
    }
}

/// A dispatch: tiles along x and y, and the bindings after the argument block, each with the number
/// of its piece, texture or sampler.
pub(super) struct RecordedDispatch<'a> {
    pub(super) program: &'a GpuProgram,
    pub(super) block: &'a [u32],
    pub(super) bound: &'a [(u32, BoundResource<'a>, u64)],
    pub(super) tiles: (u32, u32),
}

impl GpuQueue {
    pub(super) fn new(shared: &Arc<DeviceShared>) -> GpuQueue {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let inner =
            QueueInner { shared: Arc::clone(shared), number, recording: Mutex::default(), cancels: AtomicU64::new(0) };
        let inner = Arc::new(inner);
        let mut queues = locked(&shared.queues);
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(&inner));
        GpuQueue(ThreadSafe::new(inner))
    }

    /// Whether both are the same queue.
    pub fn is_same(&self, other: &GpuQueue) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Submits the recorded work.
    pub fn flush(&self) -> Result<(), DeviceFailure> {
        with_stack(|| self.0.record(QueueInner::submit).map(drop))
    }

    /// Waits until everything queued is done.
    pub fn wait(&self) -> Result<(), DeviceFailure> {
        with_stack(|| {
            self.flush()?;
            let shared = &self.0.shared;
            let Some(last) = shared.in_flight.last_of(self.0.number) else { return shared.alive() };
            shared.wait_for(&last)?;
            shared.settle(&last)
        })
    }

    /// Submits, and calls `then` on the device's watch thread once everything queued is done or the
    /// device is lost.
    pub fn when_done(&self, then: Box<dyn FnOnce(Result<(), DeviceFailure>) + Send>) {
        let then: Then = then;
        let shared = &self.0.shared;
        let asked = self.flush().map(|()| shared.in_flight.last_of(self.0.number));
        shared.tell(asked, then);
    }

    /// Gives up the queued work that is not done. The device gets a grace period to finish it; if
    /// it does not, it is lost, as nothing else can end a running kernel. Recorded work is
    /// submitted when the queue is next used, since later work may depend on its transfers, and
    /// then has its own grace period. Does not block, not even on a thread that is submitting.
    pub fn cancel(&self) {
        // Incremented first: work that is submitted after the increment was read is in the list.
        self.0.cancels.fetch_add(1, Ordering::SeqCst);
        self.0.shared.in_flight.cancel(self.0.number);
    }
}

impl QueueInner {
    /// Records work.
    pub(super) fn record<T>(
        &self,
        what: impl FnOnce(&QueueInner, &mut Recording) -> Result<T, DeviceFailure>,
    ) -> Result<T, DeviceFailure> {
        let mut recording = locked(&self.recording);
        if let Err(failed) = self.shared.alive() {
            recording.open = OpenRecording::default();
            return Err(failed);
        }
        let cancels = self.cancels.load(Ordering::SeqCst);
        if recording.open.cancels != cancels {
            // Keeps cancelled work out of the submission of new work.
            self.submit(&mut recording)?;
            recording.open.cancels = cancels;
        }
        what(self, &mut recording)
    }

    /// Drops the cached bind groups and constants, unless another thread is recording.
    pub(super) fn forget_bound(&self) {
        if let Ok(mut recording) = self.recording.try_lock() {
            recording.bound = HashMap::new();
            recording.constants = HashMap::new();
        }
    }

    fn alignment(&self) -> u64 {
        u64::from(self.shared.adapter.limits().min_uniform_buffer_offset_alignment).max(4)
    }

    /// Makes sure that so many dispatches with blocks of so many words fit into the open
    /// submission.
    pub(super) fn make_room(
        &self,
        recording: &mut Recording,
        words: usize,
        dispatches: u64,
    ) -> Result<(), DeviceFailure> {
        let size = (words as u64 * 4).next_multiple_of(self.alignment());
        let used = (recording.open.blocks.len() as u64).next_multiple_of(self.alignment());
        if used + size * dispatches <= BLOCKS { Ok(()) } else { self.submit(recording).map(drop) }
    }

    /// Records a dispatch. This may submit the work recorded before, so buffers for the dispatch
    /// must be added to `keep` afterwards.
    pub(super) fn dispatch(
        &self,
        recording: &mut Recording,
        dispatch: &RecordedDispatch<'_>,
    ) -> Result<(), DeviceFailure> {
        self.make_room(recording, dispatch.block.len(), 1)?;
        let at = (recording.open.blocks.len() as u64).next_multiple_of(self.alignment());
        self.bind(recording, dispatch)?;
        let Recording { open, bound, key, .. } = recording;
        let Some(group) = bound.get(key.as_slice()) else { return Ok(()) };
        open.blocks.resize(at as usize, 0);
        open.blocks.extend(dispatch.block.iter().flat_map(|word| word.to_le_bytes()));
        let encoder = open.encoder.get_or_insert_with(|| encoder(&self.shared));
        let pass = open.pass.get_or_insert_with(|| {
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        });
        if open.program.replace(dispatch.program.number) != Some(dispatch.program.number) {
            pass.set_pipeline(&dispatch.program.pipeline);
        }
        pass.set_bind_group(0, group, &[at as u32]);
        pass.dispatch_workgroups(dispatch.tiles.0, dispatch.tiles.1, 1);
        open.dispatches += 1;
        Ok(())
    }

    /// Makes sure that the dispatch's bind group is cached under `recording.key`.
    fn bind(&self, recording: &mut Recording, dispatch: &RecordedDispatch<'_>) -> Result<(), DeviceFailure> {
        let epoch = self.shared.epoch.load(Ordering::Relaxed);
        if recording.epoch != epoch || recording.bound.len() >= BOUND {
            recording.epoch = epoch;
            recording.bound.clear();
        }
        if recording.arguments.is_none() {
            let mapped = self.shared.adapter.maps_arguments();
            let purpose = if mapped { Purpose::MappedArguments } else { Purpose::Arguments };
            recording.arguments = Some(self.shared.lend(purpose, BLOCKS)?);
        }
        let Some(arguments) = &recording.arguments else { return Ok(()) };
        recording.key.clear();
        recording.key.extend([dispatch.program.number, arguments.number]);
        recording.key.extend(dispatch.bound.iter().map(|(_, _, number)| number));
        if recording.bound.contains_key(recording.key.as_slice()) {
            return Ok(());
        }
        let size = std::num::NonZeroU64::new(dispatch.block.len() as u64 * 4);
        let block = wgpu::BufferBinding { buffer: &arguments.buffer, offset: 0, size };
        let mut entries =
            vec![wgpu::BindGroupEntry { binding: binding::BLOCK, resource: wgpu::BindingResource::Buffer(block) }];
        entries.extend(
            dispatch.bound.iter().map(|(binding, resource, _)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: resource.as_binding(),
            }),
        );
        // Lowered code relies on this limit and is passed to the driver without further checks.
        // Buffers are created within it; this is the last place to check.
        let sizes = dispatch.bound.iter().map(|(_, resource, _)| resource.bytes());
        if let Some(size) = sizes.into_iter().find(|size| *size > BINDING_LIMIT) {
            return Err(DeviceFailure::Unsupported(format!(
                "a buffer of {size} bytes, of which {BINDING_LIMIT} can be bound"
            )));
        }
        let layout = &dispatch.program.layout;
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        let made = self.shared.gpu.checked(|device| device.create_bind_group(&descriptor));
        let group = made.map_err(|trouble| DeviceFailure::Unsupported(trouble.to_string()))?;
        recording.bound.insert(recording.key.as_slice().into(), group);
        Ok(())
    }

    /// Submits if enough work is recorded.
    pub(super) fn submit_many(&self, recording: &mut Recording) -> Result<(), DeviceFailure> {
        let OpenRecording { dispatches, copies, .. } = recording.open;
        if dispatches < MANY && copies < MANY_COPIES { Ok(()) } else { self.submit(recording).map(drop) }
    }

    /// Submits if enough work is recorded that is short, or if the device has little to do.
    pub(super) fn submit_brief(&self, recording: &mut Recording) -> Result<(), DeviceFailure> {
        let OpenRecording { dispatches, copies, ref limited, .. } = recording.open;
        let waits = self.shared.is_brief(limited.expected / 2) && dispatches < MANY && copies < MANY_COPIES;
        if waits && self.shared.is_busy()? { Ok(()) } else { self.submit(recording).map(drop) }
    }

    /// Submits the recorded work, if any.
    pub(super) fn submit(&self, recording: &mut Recording) -> Result<Option<Arc<Submission>>, DeviceFailure> {
        if recording.open.is_empty() {
            return Ok(None);
        }
        let mut open = std::mem::take(&mut recording.open);
        recording.open.cancels = open.cancels;
        let result = self.hand_over(&mut open, &mut recording.arguments);
        for launch in open.launches.drain(..) {
            launch.submitted(result.clone());
        }
        // The vectors are reused.
        open.keep.clear();
        open.blocks.clear();
        recording.open.keep = std::mem::take(&mut open.keep);
        recording.open.blocks = std::mem::take(&mut open.blocks);
        recording.open.launches = std::mem::take(&mut open.launches);
        let submission = result?;
        if self.shared.in_flight.len() > UNSEEN {
            self.shared.look(&submission)?;
        }
        Ok(Some(submission))
    }

    fn hand_over(
        &self,
        open: &mut OpenRecording,
        arguments: &mut Option<LentBuffer>,
    ) -> Result<Arc<Submission>, DeviceFailure> {
        let shared = &self.shared;
        let said = self.said(open);
        open.pass = None;
        let staged = open.staging.unmap();
        let moved = Duration::from_millis(open.moved.saturating_mul(1000) / A_SECOND);
        let more = |limit: Duration, margin| limit.saturating_add(moved).saturating_add(margin);
        let budget = match open.time {
            _ if open.endless => None,
            all if open.limited.count > 0 => {
                let LimitedLaunches { longest, count, .. } = open.limited;
                Some(WaitBudget { limit: longest, launches: count, whole: more(all, MARGIN) })
            }
            limit => Some(WaitBudget::of(more(limit, ANY))),
        };
        let mut submitting = locked(&shared.submitting);
        let clears = std::mem::take(&mut *submitting);
        let mut first = None;
        if !clears.is_empty() || !open.speakers.is_empty() {
            let encoder = first.get_or_insert_with(|| encoder(shared));
            clears.values().for_each(|(buffer, size)| encoder.clear_buffer(buffer, 0, Some(*size)));
            let size = shared.silence.size();
            open.speakers.iter().for_each(|(_, to)| encoder.copy_buffer_to_buffer(&shared.silence, 0, to, 0, size));
        }
        if !open.blocks.is_empty() {
            self.write_arguments(&open.blocks, arguments)?;
        }
        let all = first.into_iter().chain(open.encoder.take()).map(wgpu::CommandEncoder::finish);
        let done = shared.submit(all)?;
        open.staging.come_back(shared);
        if !open.blocks.is_empty()
            && let Some(piece) = arguments.take_if(|piece| piece.purpose == Purpose::MappedArguments)
        {
            staging::come_back(shared, piece);
        }
        let said = said.map(|staging| {
            let states = open.speakers.drain(..).map(|(state, _)| Arc::downgrade(&state)).collect();
            Said { reading: Reading::new(staging), states }
        });
        let paced = std::mem::take(&mut open.limited.list);
        let submission = Submission::new(done, self.number, budget, said, staged, paced);
        shared.in_flight.push(Arc::clone(&submission));
        if self.cancels.load(Ordering::SeqCst) != open.cancels {
            submission.cancel();
        }
        drop(submitting);
        shared.alive().map(|()| submission)
    }

    /// Writes the argument blocks of a submission: into mapped memory, or as a copy on the device.
    fn write_arguments(&self, blocks: &[u8], arguments: &Option<LentBuffer>) -> Result<(), DeviceFailure> {
        let lost = || DeviceFailure::Lost("memory for arguments cannot be written".into());
        let piece = arguments.as_ref().ok_or_else(lost)?;
        if piece.purpose != Purpose::MappedArguments {
            self.shared.gpu.queue.write_buffer(&piece.buffer, 0, blocks);
            return Ok(());
        }
        let size = blocks.len() as u64;
        let mut view = piece.buffer.get_mapped_range_mut(..size).map_err(|_| lost())?;
        shared_copy::fill(view.slice(..), blocks);
        drop(view);
        piece.buffer.unmap();
        Ok(())
    }

    /// Makes room for the messages of one more launch.
    pub(super) fn room_to_speak(&self, open: &mut OpenRecording) -> Result<(), DeviceFailure> {
        if open.said.is_none() {
            open.said = Some(self.shared.lend(Purpose::Down, u64::from(SLOT) * u64::from(MANY))?);
        }
        Ok(())
    }

    /// Copies the first bytes of each launch's messages to staging memory.
    fn said(&self, open: &mut OpenRecording) -> Option<LentBuffer> {
        let staging = open.said.take()?;
        let from: Vec<wgpu::Buffer> = open.speakers.iter().map(|(_, buffer)| buffer.clone()).collect();
        let encoder = open.encoder(&self.shared);
        for (from, at) in from.iter().zip((0..).step_by(SLOT as usize)) {
            encoder.copy_buffer_to_buffer(from, 0, &staging.buffer, at, u64::from(SLOT));
        }
        Some(staging)
    }
}

impl Drop for QueueInner {
    /// Queued work is completed even if nobody waits for it.
    fn drop(&mut self) {
        let mut recording = std::mem::take(&mut *locked(&self.recording));
        if self.shared.alive().is_ok() {
            drop(self.submit(&mut recording));
        }
        if let Some(arguments) = recording.arguments.take() {
            self.shared.give(arguments);
        }
        locked(&self.shared.queues).retain(|queue: &Weak<QueueInner>| queue.strong_count() > 0);
    }
}
