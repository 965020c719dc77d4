//! What became of a launch: known when the device is done with it, and told as often as somebody asks.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use tilewise_ir::launch::{Domain, Ending, Outcome, OutputCollector};
use tilewise_ir::pos::Pos;

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::in_flight::{Submission, WaitBudget};
use super::message_readback;
use super::pipeline::{GpuKernel, Pipeline};
use super::pool::{LentBuffer, Purpose};
use super::queue::{GpuQueue, encoder};
use super::staging::Reading;
use crate::lower::messages;

/// Words of the log: room for the output that a launch keeps, unless its lines are shorter as text
/// than as words.
pub(super) const LOG_WORDS: u32 = 1 << 20;
/// Words of a message buffer.
pub(super) const MESSAGES: u32 = messages::LOG + LOG_WORDS + messages::RESERVE;
/// Bytes of what a launch said that are read at once; the rest only where there is any.
pub(super) const SLOT: u32 = 4096;

/// A launch that was queued. Clones are the same launch.
#[derive(Clone)]
pub struct QueuedLaunch {
    pub(super) state: Arc<LaunchState>,
    pub(super) queue: GpuQueue,
}

/// What is known of a launch.
#[derive(Debug, Default)]
pub(super) struct LaunchState {
    submission: OnceLock<Result<Arc<Submission>, DeviceFailure>>,
    result: OnceLock<Result<Outcome, DeviceFailure>>,
    /// Nothing if it can say nothing.
    pub(super) speech: Option<Speech>,
}

/// What it takes to understand a launch.
pub(super) struct Speech {
    pub(super) pipeline: Arc<Pipeline>,
    pub(super) kernel: GpuKernel,
    pub(super) domain: Domain,
    /// Why the launch counts for nothing if its loops took too many rounds: the driver's own limit.
    pub(super) capped: Option<String>,
    pub(super) messages: Mutex<Option<LentBuffer>>,
}

impl fmt::Debug for Speech {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a launch of `{}` that may speak", self.kernel.kernel().name())
    }
}

impl fmt::Debug for QueuedLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launched").field("state", &self.state).finish_non_exhaustive()
    }
}

/// What the launches of a submission said. It is read for those that somebody can still ask for. A
/// launch holds its submission, so this must not hold the launch: where the device is lost nobody
/// reads it, and both would keep each other, and with them the buffers and threads of the device.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) reading: Reading,
    pub(super) states: Vec<Weak<LaunchState>>,
}

impl LaunchState {
    /// It was submitted, or was not.
    pub(super) fn submitted(&self, submission: Result<Arc<Submission>, DeviceFailure>) {
        // Once; nobody else sets it.
        drop(self.submission.set(submission));
    }

    /// A launch that failed before it began.
    pub(super) fn failed(failed: DeviceFailure) -> LaunchState {
        LaunchState { submission: OnceLock::new(), result: OnceLock::from(Err(failed)), speech: None }
    }
}

/// What a launch that says nothing comes to.
fn nothing_said() -> Outcome {
    OutputCollector::<Pos>::default().outcome(Ending::Completed, 0)
}

impl QueuedLaunch {
    /// Can the kernel say nothing at all: no output, no error, no barrier that threads may miss, no loop that may not end? Then all that can happen to the launch happens to the device.
    pub fn is_silent(&self) -> bool {
        self.state.speech.is_none()
    }

    /// Why it failed, if that is known already: what cannot be queued never begins, and its kernel can say nothing of it.
    pub fn failed(&self) -> Option<DeviceFailure> {
        self.state.result.get()?.as_ref().err().cloned()
    }

    /// Waits, and gives what the launch came to.
    pub fn outcome(&self) -> Result<Outcome, DeviceFailure> {
        if let Some(result) = self.state.result.get() {
            return result.clone();
        }
        if self.state.submission.get().is_none() {
            self.queue.flush()?;
        }
        let submission = self.submission()?;
        let shared = &self.queue.0.shared;
        let result = shared.wait_for(&submission).and_then(|()| shared.settle(&submission));
        self.settled(result)
    }

    /// The same if it is known already; else nothing. What is only recorded is not done before somebody submits it.
    pub fn try_outcome(&self) -> Option<Result<Outcome, DeviceFailure>> {
        if let Some(result) = self.state.result.get() {
            return Some(result.clone());
        }
        self.state.submission.get()?;
        let submission = match self.submission() {
            Ok(submission) => submission,
            Err(failed) => return Some(Err(failed)),
        };
        let shared = &self.queue.0.shared;
        match shared.look(&submission) {
            Ok(false) => None,
            Ok(true) => Some(self.settled(shared.settle(&submission))),
            Err(failed) => Some(self.settled(Err(failed))),
        }
    }

    fn submission(&self) -> Result<Arc<Submission>, DeviceFailure> {
        let lost = || Err(DeviceFailure::Lost("the launch was dropped with its device".into()));
        self.state.submission.get().cloned().unwrap_or_else(lost)
    }

    fn settled(&self, settled: Result<(), DeviceFailure>) -> Result<Outcome, DeviceFailure> {
        let result = || match (settled, self.is_silent()) {
            (Err(failed), _) => Err(failed),
            (Ok(()), true) => Ok(nothing_said()),
            (Ok(()), false) => Err(DeviceFailure::Lost("what the launch said was lost with its device".into())),
        };
        self.state.result.get_or_init(result).clone()
    }
}

impl DeviceShared {
    /// Reads what the launches of a submission said, once it is done.
    pub(super) fn settle(&self, submission: &Submission) -> Result<(), DeviceFailure> {
        // Who comes second waits until the first has read.
        let mut held = locked(&submission.said);
        let Some(said) = held.take() else { return Ok(()) };
        let mut slots = Vec::new();
        let read = said.reading.read(self, |bytes| {
            slots.extend(bytes.chunks_exact(SLOT as usize).take(said.states.len()).map(words));
        });
        for (i, state) in said.states.iter().enumerate() {
            let Some(state) = state.upgrade() else { continue };
            let Some(speech) = &state.speech else { continue };
            let heard = match (&read, slots.get(i)) {
                (Ok(()), Some(words)) => self.hear(speech, words),
                (Err(failed), _) => Err(failed.clone()),
                (Ok(()), None) => Err(DeviceFailure::Lost("what a launch said came back too short".into())),
            };
            state.result.get_or_init(|| heard);
        }
        said.reading.give(self);
        Ok(())
    }

    /// Understands what a launch said.
    fn hear(&self, speech: &Speech, words: &[u32]) -> Result<Outcome, DeviceFailure> {
        let messages = locked(&speech.messages).take();
        let used = words.get(messages::USED as usize).copied().unwrap_or(0);
        // Where the log is full, there may be entries in the reserve.
        let full = used > LOG_WORDS;
        let whole = if full { MESSAGES } else { used + messages::LOG };
        let long = match &messages {
            Some(piece) if whole as usize > words.len() => Some(self.rest(piece, whole)?),
            _ => None,
        };
        // Where the log was almost full there may be a hole at its end, which must read as zero: such a piece is not used again.
        if let Some(piece) = messages.filter(|_| used < MESSAGES / 2) {
            self.give(piece);
        }
        let words = long.as_deref().unwrap_or(words);
        let outcome = message_readback::outcome(
            words,
            &speech.pipeline.lowered.sites,
            speech.kernel.kernel().inlined(),
            &speech.domain,
        );
        match &speech.capped {
            Some(why) if outcome.ending == Ending::Interrupted => Err(DeviceFailure::Unsupported(why.clone())),
            _ => Ok(outcome),
        }
    }

    /// Reads all of a message buffer that is used.
    fn rest(&self, messages: &LentBuffer, count: u32) -> Result<Vec<u32>, DeviceFailure> {
        let size = u64::from(count) * 4;
        let staging = self.lend(Purpose::Down, size)?;
        let mut encoder = encoder(self);
        encoder.copy_buffer_to_buffer(&messages.buffer, 0, &staging.buffer, 0, size);
        let submission = {
            let _order = locked(&self.submitting);
            let done = self.submit([encoder.finish()])?;
            let limit = WaitBudget::of(std::time::Duration::from_secs(10));
            let submission = Submission::new(done, u64::MAX, Some(limit), None, 0);
            self.in_flight.push(Arc::clone(&submission));
            submission
        };
        let reading = Reading::new(staging);
        self.wait_for(&submission)?;
        let mut out = Vec::new();
        reading.read(self, |bytes| out = words(bytes.get(..size as usize).unwrap_or(&[])))?;
        reading.give(self);
        Ok(out)
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}
