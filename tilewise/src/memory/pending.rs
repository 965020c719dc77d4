//! Launches on devices that are not known to have ended, their printed lines and their errors. Each
//! error is delivered once: to the thread that waits for the queue or accesses bytes that the
//! launch wrote, or else to the hook.
//!
//! A model checker runs this file unchanged (`tests/loom.rs`).
//!
//! # Two steps
//! [`know`](Pending::know) learns how a launch ended by waiting for the device, which ends by
//! itself; that may be done under any lock. **Delivering** the output calls hooks of the program,
//! which may do anything. So no lock is held then, not even the launch's own, and **no thread waits
//! for a hook**: the hook may itself wait for that thread. Instead one thread delivers all lines of
//! a launch, in their order, and threads that arrive meanwhile continue. The error belongs to the
//! first thread that requests it: the one that delivers the lines, if it requests the error too.

use std::sync::{PoisonError, TryLockError};

use tilewise_ir::launch::Printed;

use crate::api::error::nobody_asked;
use crate::sync::{Arc, Mutex, MutexGuard};
use crate::{Error, Result, api::hook, api::printed, workers};

/// The end of a launch.
pub(crate) struct LaunchEnd {
    /// The lines that it printed, and the number of bytes lost.
    pub(crate) printed: (Vec<Printed>, u64),
    /// Its result.
    pub(crate) result: Result<()>,
    /// Whether nothing else is known, because its device was lost.
    pub(crate) is_lost: bool,
}

/// Waits for the device. Called once.
type Ask = Box<dyn FnOnce() -> LaunchEnd + Send>;

/// A launch on a device.
pub(crate) struct Pending {
    stage: Mutex<PendingStage>,
}

struct PendingStage {
    /// Present while the launch may still run.
    ask: Option<Ask>,
    /// Lines that have not been delivered.
    lines: Option<(Vec<Printed>, u64)>,
    error: Option<Error>,
    is_lost: bool,
    /// Set while the lines are being delivered.
    telling: Option<ErrorClaim>,
}

/// The owner of a launch's error while its lines are delivered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorClaim {
    /// The thread that delivers the lines.
    Teller,
    /// The first thread that requests it.
    Anyone,
}

impl PendingStage {
    fn know(&mut self) {
        if let Some(ask) = self.ask.take() {
            let LaunchEnd { printed, result, is_lost } = ask();
            self.is_lost = is_lost;
            self.lines = Some(printed).filter(|(lines, lost)| !lines.is_empty() || *lost > 0);
            self.error = result.err();
        }
    }

    /// Whether the error, if there is one, is reserved for the thread that delivers the lines.
    fn is_claimed(&self) -> bool {
        self.telling == Some(ErrorClaim::Teller)
    }
}

impl Pending {
    /// A launch; `ask` waits for its end.
    pub(crate) fn new(ask: impl FnOnce() -> LaunchEnd + Send + 'static) -> Pending {
        let stage = PendingStage { ask: Some(Box::new(ask)), lines: None, error: None, is_lost: false, telling: None };
        Pending { stage: Mutex::new(stage) }
    }

    fn stage(&self) -> MutexGuard<'_, PendingStage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its end, which frees its resources on the device. Its output and error stay.
    pub(crate) fn know(&self) {
        self.stage().know();
    }

    /// The loss of the device, and of the contents that this launch wrote, was reported: this
    /// launch need not report it again.
    pub(crate) fn lost_with_its_device(&self) {
        let mut stage = self.stage();
        stage.know();
        if stage.is_lost && !stage.is_claimed() {
            stage.error = None;
        }
    }

    /// Waits for its end; whether it has an error that is neither delivered nor reserved.
    pub(crate) fn has_failed(&self) -> bool {
        let mut stage = self.stage();
        stage.know();
        stage.error.is_some() && !stage.is_claimed()
    }

    /// Waits for its end, and delivers its lines, unless another thread (or a caller of this one,
    /// inside a hook) is already doing so.
    fn tell_lines(&self, claim: ErrorClaim) -> MutexGuard<'_, PendingStage> {
        let mut stage = self.stage();
        stage.know();
        if stage.telling.is_none()
            && let Some((lines, lost)) = stage.lines.take()
        {
            stage.telling = Some(claim);
            drop(stage);
            let telling = Telling(self);
            printed::deliver(&lines, lost);
            drop(telling);
            stage = self.stage();
        }
        stage
    }

    /// Waits for its end, and delivers its lines. Its error stays until it is requested. The caller
    /// holds no lock.
    pub(crate) fn tell(&self) {
        drop(self.tell_lines(ErrorClaim::Anyone));
    }

    /// Waits for its end, delivers its lines, and returns its error unless it is reserved for
    /// another thread. The caller holds no lock.
    pub(crate) fn take(&self) -> Result<()> {
        let mut stage = self.tell_lines(ErrorClaim::Teller);
        if stage.is_claimed() {
            return Ok(());
        }
        stage.error.take().map_or(Ok(()), Err)
    }

    /// Whether it may still run, as far as is known.
    pub(crate) fn is_open(&self) -> bool {
        self.look().is_none_or(|stage| stage.ask.is_some())
    }

    /// Whether it ended, with nothing to deliver.
    pub(crate) fn is_well(&self) -> bool {
        let well = |stage: MutexGuard<'_, PendingStage>| {
            stage.ask.is_none() && stage.lines.is_none() && stage.error.is_none() && stage.telling.is_none()
        };
        self.look().is_some_and(well)
    }

    /// The stage, unless another thread holds it to wait for the device.
    fn look(&self) -> Option<MutexGuard<'_, PendingStage>> {
        match self.stage.try_lock() {
            Ok(stage) => Some(stage),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Records the end of the delivery, also if the hook panics.
struct Telling<'p>(&'p Pending);

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        self.0.stage().telling = None;
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Err(error) = self.take() {
            nobody_asked(&error);
        }
    }
}

/// Launches of a queue whose outcome has not been requested, the oldest first.
#[derive(Default)]
pub(crate) struct UnaskedLaunches(Mutex<Vec<Arc<Pending>>>);

/// Maximum number of launches in flight that can have output: each has a message buffer on the
/// device.
const MOST_OPEN: usize = 64;
/// Maximum number of ended launches whose errors have not been requested.
const MOST_OVER: usize = 1024;

impl UnaskedLaunches {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Pending>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all launches, delivers their lines, and returns the first error. The caller holds
    /// no lock.
    pub(crate) fn take(&self) -> Result<()> {
        // Lines are delivered while nothing is locked; a launch stays in the list until then, so
        // that no concurrent waiter misses its error.
        let all: Vec<Arc<Pending>> = self.list().iter().cloned().collect();
        all.iter().for_each(|pending| drop(pending.tell_lines(ErrorClaim::Teller)));
        let told = all.iter().try_for_each(|pending| pending.take());
        self.list().retain(|pending| !pending.is_well());
        told
    }

    /// Waits for all launches, delivers their lines, and passes their errors to the hook. Launches of
    /// the hooks are not among them. The caller holds no lock.
    pub(crate) fn deliver_all(&self) {
        let all = std::mem::take(&mut *self.list());
        all.iter().for_each(|pending| pending.tell());
        for error in all.iter().filter_map(|pending| pending.take().err()) {
            nobody_asked(&error);
        }
    }

    /// Keeps a launch until its outcome is requested, up to the limits. Beyond them, the oldest
    /// launches in flight are waited for and their lines delivered, and the oldest errors are
    /// passed to the hook. The caller holds no lock.
    pub(crate) fn expect(&self, launch: Arc<Pending>) {
        let mut list = self.list();
        list.retain(|pending| !pending.is_well());
        list.push(launch);
        if list.len() <= MOST_OPEN {
            return;
        }
        let (open, over): (Vec<_>, Vec<_>) = list.iter().cloned().partition(|pending| pending.is_open());
        drop(list);
        let open = &open[..open.len().saturating_sub(MOST_OPEN)];
        if hook::is_nested() {
            // Nothing more is delivered here, or hooks that launch would recurse without limit. The
            // outer hook's next launch delivers it, or that of the code that called the outer hook.
            return open.iter().for_each(|pending| pending.know());
        }
        over.iter().chain(open).for_each(|pending| pending.tell());
        for pending in &over[..over.len().saturating_sub(MOST_OVER)] {
            if let Err(error) = pending.take() {
                nobody_asked(&error);
            }
        }
    }
}

impl Drop for UnaskedLaunches {
    /// The queue is gone, so nothing else would deliver the lines before an access to the bytes
    /// that the launches wrote; their errors stay for such an access. Errors of launches that wrote
    /// nothing are passed to the hook.
    fn drop(&mut self) {
        let all = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        if all.is_empty() {
            return;
        }
        let tell = move || all.iter().for_each(|pending| pending.tell());
        if hook::inside() {
            // Hooks that create and drop queues would recurse without limit.
            workers::run(Box::new(tell));
        } else {
            tell();
        }
    }
}
