//! Launches on devices whose end is yet to come, what they print and the errors they end with. Each error is given once: to who waits for the queue, or touches what the launch wrote; if nobody does, to the hook.
//!
//! A model checker runs this file as it is (`tests/loom.rs`).
//!
//! # Two steps
//! To [`know`](Pending::know) how a launch ended is to wait for the device, which ends by itself; that may be done under any lock. To **tell** it calls hooks of the program, which may do anything; so that
//! is done while no lock is held, not even the launch's own, and **nobody waits for a hook**: it may
//! itself wait for whoever would. So one thread tells all lines of a launch, in their order, and who
//! comes meanwhile goes on. The error is for who asked first: of the one who tells the lines, if it
//! asked for the error too.

use std::sync::{PoisonError, TryLockError};

use tilewise_ir::launch::Printed;

use crate::api::error::nobody_asked;
use crate::sync::{Arc, Mutex, MutexGuard};
use crate::{Error, Result, api::hook, api::printed, workers};

/// What a launch came to.
pub(crate) struct LaunchEnd {
    /// The lines that it printed, and how many bytes were lost.
    pub(crate) printed: (Vec<Printed>, u64),
    /// How it ended.
    pub(crate) result: Result<()>,
    /// Whether that is all that is known of it, as its device was lost.
    pub(crate) is_lost: bool,
}

/// Waits for the device. It is called once.
type Ask = Box<dyn FnOnce() -> LaunchEnd + Send>;

/// A launch on a device.
pub(crate) struct Pending {
    stage: Mutex<PendingStage>,
}

struct PendingStage {
    /// It may still run.
    ask: Option<Ask>,
    /// What nobody was told yet.
    lines: Option<(Vec<Printed>, u64)>,
    error: Option<Error>,
    is_lost: bool,
    /// Its lines are being told.
    telling: Option<ErrorClaim>,
}

/// Whose the error of a launch is while its lines are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorClaim {
    /// Of the one who tells the lines.
    Teller,
    /// Of the first who asks.
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

    /// Whether the error, if there is one, is about to be given to the one who tells the lines.
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

    /// Waits for its end, which frees what it needed on the device. What there is to tell stays.
    pub(crate) fn know(&self) {
        self.stage().know();
    }

    /// Somebody was told that the device was lost, and what this launch wrote with it: then it need not say so again.
    pub(crate) fn lost_with_its_device(&self) {
        let mut stage = self.stage();
        stage.know();
        if stage.is_lost && !stage.is_claimed() {
            stage.error = None;
        }
    }

    /// Waits for its end; whether it has an error that nobody is given yet.
    pub(crate) fn has_failed(&self) -> bool {
        let mut stage = self.stage();
        stage.know();
        stage.error.is_some() && !stage.is_claimed()
    }

    /// Waits for its end, and tells its lines, unless another thread (or a caller of this one, that
    /// is in a hook) is at it.
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

    /// Waits for its end, and tells its lines. Its error stays for who asks. The caller holds no lock.
    pub(crate) fn tell(&self) {
        drop(self.tell_lines(ErrorClaim::Anyone));
    }

    /// Waits for its end, tells its lines, and gives its error if it is nobody else's. The caller holds no lock.
    pub(crate) fn take(&self) -> Result<()> {
        let mut stage = self.tell_lines(ErrorClaim::Teller);
        if stage.is_claimed() {
            return Ok(());
        }
        stage.error.take().map_or(Ok(()), Err)
    }

    /// Whether it may still run, as far as anybody has asked.
    pub(crate) fn is_open(&self) -> bool {
        self.look().is_none_or(|stage| stage.ask.is_some())
    }

    /// Whether it is over, with nothing to tell.
    pub(crate) fn is_well(&self) -> bool {
        let well = |stage: MutexGuard<'_, PendingStage>| {
            stage.ask.is_none() && stage.lines.is_none() && stage.error.is_none() && stage.telling.is_none()
        };
        self.look().is_some_and(well)
    }

    /// The stage, if nobody is waiting for the device with it.
    fn look(&self) -> Option<MutexGuard<'_, PendingStage>> {
        match self.stage.try_lock() {
            Ok(stage) => Some(stage),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Says that the lines are told, also when the hook panics.
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

/// Launches of a queue whose end nobody has asked for, the oldest first.
#[derive(Default)]
pub(crate) struct UnaskedLaunches(Mutex<Vec<Arc<Pending>>>);

/// Launches that may run and have something to say: each has a buffer for it on the device.
const MOST_OPEN: usize = 64;
/// Launches that are over, whose errors nobody has asked for.
const MOST_OVER: usize = 1024;

impl UnaskedLaunches {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Pending>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all, tells their lines, and gives the first error. The caller holds no lock.
    pub(crate) fn take(&self) -> Result<()> {
        // Each is told while nothing is locked; and it stays in the list until then, so that nobody
        // who waits meanwhile misses its error.
        let all: Vec<Arc<Pending>> = self.list().iter().cloned().collect();
        all.iter().for_each(|pending| drop(pending.tell_lines(ErrorClaim::Teller)));
        let told = all.iter().try_for_each(|pending| pending.take());
        self.list().retain(|pending| !pending.is_well());
        told
    }

    /// Keeps a launch until somebody asks how it ended: so many. Beyond that the oldest is waited for, and its lines are told; and the hook is told the oldest error. The caller holds no lock.
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
            // Nothing more is told, or hooks that launch would go ever deeper. A hook that this
            // thread is in tells it with its next launch, or who called that hook.
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
    /// The queue is gone, so nobody else would tell the lines before somebody touches what the
    /// launches wrote; their errors stay for that. Of those that wrote nothing, the errors are told.
    fn drop(&mut self) {
        let all = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        if all.is_empty() {
            return;
        }
        let tell = move || all.iter().for_each(|pending| pending.tell());
        if hook::inside() {
            // Hooks that make queues and drop them would go ever deeper.
            workers::run(Box::new(tell));
        } else {
            tell();
        }
    }
}
