//! Launches on devices whose end is yet to come, and the errors they end with. Each error is given once: to who waits for the queue, or touches what the launch wrote; if nobody does, to the hook.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::nobody_asked;
use crate::{Error, Result};

/// What a launch will have come to. It waits for the device, delivers what the kernel printed, and is called once.
type Settle = Box<dyn FnOnce() -> Result<()> + Send>;

/// A launch on a device.
pub(crate) struct Pending(Mutex<Stage>);

enum Stage {
    /// It may still run.
    Running(Settle),
    /// It is over, and nobody has asked how.
    Over(Error),
    /// It is over, and there is nothing to tell any more.
    Told,
}

impl Pending {
    /// A launch; `settle` waits for its end.
    pub(crate) fn new(settle: impl FnOnce() -> Result<()> + Send + 'static) -> Pending {
        Pending(Mutex::new(Stage::Running(Box::new(settle))))
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its end. Its error stays for who asks.
    pub(crate) fn settle(&self) {
        let mut stage = self.stage();
        if let Stage::Running(_) = *stage
            && let Stage::Running(settle) = std::mem::replace(&mut *stage, Stage::Told)
            && let Err(error) = settle()
        {
            *stage = Stage::Over(error);
        }
    }

    /// Waits for its end, and gives its error if nobody was given it before.
    pub(crate) fn take(&self) -> Result<()> {
        self.settle();
        match std::mem::replace(&mut *self.stage(), Stage::Told) {
            Stage::Over(error) => Err(error),
            Stage::Running(_) | Stage::Told => Ok(()),
        }
    }

    /// Whether it is over, with nothing to tell.
    pub(crate) fn is_well(&self) -> bool {
        matches!(*self.stage(), Stage::Told)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Err(error) = self.take() {
            nobody_asked(&error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_given_once() {
        let pending = Pending::new(|| Err(Error::OutOfMemory(5)));
        assert!(!pending.is_well());
        pending.settle();
        assert!(!pending.is_well());
        assert!(matches!(pending.take(), Err(Error::OutOfMemory(5))));
        assert!(pending.is_well() && pending.take().is_ok());
    }
}
