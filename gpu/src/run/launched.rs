//! The outcome of a launch: available once the device has finished it, and returned as often as
//! requested.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use tilewise_ir::launch::{Domain, Ending, Outcome, OutputCollector};
use tilewise_ir::pos::Pos;

use super::device::{DeviceShared, locked};
use super::failed::{DeviceFailure, with_stack};
use super::in_flight::{Submission, WaitBudget};
use super::message_readback;
use super::pipeline::{GpuKernel, Pipeline};
use super::pool::{LentBuffer, Purpose};
use super::queue::{GpuQueue, encoder};
use super::staging::Reading;
use super::thread_safe::ThreadSafe;
use crate::lower::messages;

/// Words of the log: room for the output that a launch keeps, unless its lines are shorter as text
/// than as words.
pub(super) const LOG_WORDS: u32 = 1 << 20;
/// Words of a message buffer.
pub(super) const MESSAGES: u32 = messages::LOG + LOG_WORDS + messages::RESERVE;
/// Bytes of a launch's messages that every submission reads back; the rest is read only if needed.
pub(super) const SLOT: u32 = 4096;

/// A queued launch. Clones are the same launch.
#[derive(Clone)]
pub struct QueuedLaunch {
    pub(super) state: ThreadSafe<Arc<LaunchState>>,
    pub(super) queue: GpuQueue,
}

/// The state of a launch.
#[derive(Debug, Default)]
pub(super) struct LaunchState {
    submission: OnceLock<Result<Arc<Submission>, DeviceFailure>>,
    result: OnceLock<Result<Outcome, DeviceFailure>>,
    /// `None` if the kernel cannot send messages.
    pub(super) speech: Option<Speech>,
}

/// Everything needed to decode a launch's messages.
pub(super) struct Speech {
    pub(super) pipeline: Arc<Pipeline>,
    pub(super) kernel: GpuKernel,
    pub(super) domain: Domain,
    /// Why the launch fails if its budget of loop iterations runs out: the driver's own limit.
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

/// The messages of a submission's launches. They are read only for launches whose outcome can still
/// be requested. A launch holds its submission, so this must not hold the launch: if the device is
/// lost, nobody reads the messages, and the two would keep each other alive, and with them the
/// buffers and threads of the device.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) reading: Reading,
    pub(super) states: Vec<Weak<LaunchState>>,
}

impl LaunchState {
    /// Sets the submission, or the failure to submit.
    pub(super) fn submitted(&self, submission: Result<Arc<Submission>, DeviceFailure>) {
        // Only set here, once per launch.
        drop(self.submission.set(submission));
    }

    /// A launch that failed before it began.
    pub(super) fn failed(failed: DeviceFailure) -> LaunchState {
        LaunchState { submission: OnceLock::new(), result: OnceLock::from(Err(failed)), speech: None }
    }
}

/// The outcome of a launch without messages.
fn nothing_said() -> Outcome {
    OutputCollector::<Pos>::default().outcome(Ending::Completed, 0)
}

impl QueuedLaunch {
    /// Whether the kernel can send no messages: it has no output, no error, no barrier that threads
    /// may miss, no loop that may not end. Such a launch fails only if its device does.
    pub fn is_silent(&self) -> bool {
        self.state.speech.is_none()
    }

    /// The failure, if one is known already: a launch that could not be queued never begins, so its
    /// kernel cannot report it.
    pub fn failed(&self) -> Option<DeviceFailure> {
        self.state.result.get()?.as_ref().err().cloned()
    }

    /// Waits for the launch and returns its outcome.
    pub fn outcome(&self) -> Result<Outcome, DeviceFailure> {
        if let Some(result) = self.state.result.get() {
            return result.clone();
        }
        with_stack(|| {
            if self.state.submission.get().is_none() {
                self.queue.flush()?;
            }
            let submission = self.submission()?;
            let shared = &self.queue.0.shared;
            let result = shared.wait_for(&submission).and_then(|()| shared.settle(&submission));
            self.settled(result)
        })
    }

    /// The outcome if it is known already, else `None`. Does not submit: a launch that is only
    /// recorded stays unfinished until something else submits it.
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
        let looked = with_stack(|| match shared.look(&submission) {
            Ok(false) => Ok(None),
            Ok(true) => self.settled(shared.settle(&submission)).map(Some),
            Err(failed) => self.settled(Err(failed)).map(Some),
        });
        looked.transpose()
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
    /// Reads the messages of a submission's launches, once it is done.
    pub(super) fn settle(&self, submission: &Submission) -> Result<(), DeviceFailure> {
        // A second caller waits here until the first has read.
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

    /// Decodes the messages of a launch.
    fn hear(&self, speech: &Speech, words: &[u32]) -> Result<Outcome, DeviceFailure> {
        let messages = locked(&speech.messages).take();
        let used = words.get(messages::USED as usize).copied().unwrap_or(0);
        // If the log is full, the reserve may hold entries.
        let full = used > LOG_WORDS;
        let whole = if full { MESSAGES } else { used + messages::LOG };
        let long = match &messages {
            Some(piece) if whole as usize > words.len() => Some(self.rest(piece, whole)?),
            _ => None,
        };
        // An entry that does not fit leaves a hole at the end of the log, which must read as zero.
        // A piece that was filled halfway is therefore not reused.
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

    /// Reads the used part of a message buffer.
    fn rest(&self, messages: &LentBuffer, count: u32) -> Result<Vec<u32>, DeviceFailure> {
        let size = u64::from(count) * 4;
        let staging = self.lend(Purpose::Down, size)?;
        let mut encoder = encoder(self);
        encoder.copy_buffer_to_buffer(&messages.buffer, 0, &staging.buffer, 0, size);
        let submission = {
            let _order = locked(&self.submitting);
            let done = self.submit([encoder.finish()])?;
            let limit = WaitBudget::of(std::time::Duration::from_secs(10));
            let submission = Submission::new(done, u64::MAX, Some(limit), None, 0, Vec::new());
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
