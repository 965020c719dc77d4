//! Launches on devices whose end is yet to come, what they print and the errors they end with. Each error is given once: to who waits for the queue, or touches what the launch wrote; if nobody does, to the hook.
//!
//! A model checker runs this file as it is (`tests/loom.rs`).
//!
//! # Two steps
//! To [`know`](Pending::know) how a launch ended is to wait for the device, which ends by itself; that may be done under any lock. To **tell** it calls hooks of the program, which may do anything; so that
//! is done while no lock is held, not even the launch's own. Who comes while another thread tells the lines of a launch waits until they are told, unless it is in a hook itself: else two hooks could wait for
//! each other.

use std::sync::{PoisonError, TryLockError};

use tilewise_ir::launch::Printed;

use crate::api::error::nobody_asked;
use crate::sync::{Arc, Condvar, Mutex, MutexGuard};
use crate::{Error, Result, api::hook, api::printed};

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
    /// Its lines are told.
    told: Condvar,
}

struct PendingStage {
    /// It may still run.
    ask: Option<Ask>,
    /// What nobody was told yet.
    lines: Option<(Vec<Printed>, u64)>,
    error: Option<Error>,
    is_lost: bool,
    /// Its lines are being told.
    telling: bool,
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
}

impl Pending {
    /// A launch; `ask` waits for its end.
    pub(crate) fn new(ask: impl FnOnce() -> LaunchEnd + Send + 'static) -> Pending {
        let stage = PendingStage { ask: Some(Box::new(ask)), lines: None, error: None, is_lost: false, telling: false };
        Pending { stage: Mutex::new(stage), told: Condvar::new() }
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
        if stage.is_lost && !stage.telling {
            stage.error = None;
        }
    }

    /// Waits for its end; whether it has an error that nobody is given yet.
    pub(crate) fn has_failed(&self) -> bool {
        let mut stage = self.stage();
        stage.know();
        stage.error.is_some() && !stage.telling
    }

    /// Waits for its end, and tells its lines. Then nobody is telling them, and the stage is this thread's; nothing where only another could come to that, whom a hook must not wait for.
    fn tell_lines(&self) -> Option<MutexGuard<'_, PendingStage>> {
        let mut stage = self.stage();
        stage.know();
        loop {
            if stage.telling {
                if hook::inside() {
                    return None;
                }
                stage = self.told.wait(stage).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let Some((lines, lost)) = stage.lines.take() else { return Some(stage) };
            stage.telling = true;
            drop(stage);
            let telling = Telling(self);
            printed::deliver(&lines, lost);
            drop(telling);
            stage = self.stage();
        }
    }

    /// Waits for its end, and tells its lines. Its error stays for who asks. The caller holds no lock.
    pub(crate) fn tell(&self) {
        drop(self.tell_lines());
    }

    /// Waits for its end, tells its lines, and gives its error if nobody was given it before. The caller holds no lock.
    pub(crate) fn take(&self) -> Result<()> {
        self.tell_lines().and_then(|mut stage| stage.error.take()).map_or(Ok(()), Err)
    }

    /// Whether it may still run, as far as anybody has asked.
    pub(crate) fn is_open(&self) -> bool {
        self.look().is_none_or(|stage| stage.ask.is_some())
    }

    /// Whether it is over, with nothing to tell.
    pub(crate) fn is_well(&self) -> bool {
        let well = |stage: MutexGuard<'_, PendingStage>| {
            stage.ask.is_none() && stage.lines.is_none() && stage.error.is_none() && !stage.telling
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
        self.0.stage().telling = false;
        self.0.told.notify_all();
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
        // Each is told while nothing is locked; and it stays in the list until then, so that another thread that waits does so until all is told.
        let all: Vec<Arc<Pending>> = self.list().iter().cloned().collect();
        all.iter().for_each(|pending| pending.tell());
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
        if hook::inside() {
            // Nothing more is told, or hooks that launch would go ever deeper.
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
