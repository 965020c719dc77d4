//! The result that the handles of a [`Completion`](super::completion::Completion) share, its
//! producer's end, and the chains of continuations. A model checker runs this file unchanged
//! (`tests/loom.rs`).
//!
//! # Shares
//! Each handle and each continuation has one share of the result. The last share taken is the value
//! itself; the others are clones of it. A clone is made while nothing is locked: the result is lent
//! to the thread that makes it ([`CompletionProgress::Lent`]), and others wait for its return.
//!
//! # Chains
//! Completing one link of a chain does not complete the next link recursively: it returns a
//! [`NextStep`], and [`follow`] executes the steps in a loop. So a chain of any length takes
//! constant stack, whether its links succeed, fail or are abandoned.

use std::mem::{replace, take};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::task::Waker;

use crate::api::error::nobody_asked;
use crate::sync::{Arc, Condvar, Mutex, MutexGuard, ThreadId, current};
use crate::user_code::{drop_contained, drop_payload, run_contained};
use crate::{Error, Result, workers};

/// The state that all handles share.
pub(crate) struct CompletionState<T> {
    stage: Mutex<CompletionStage<T>>,
    /// Signalled when the result is there, and when it is returned after it was lent.
    pub(crate) done: Condvar,
}

/// The part of the state that is behind the lock.
pub(crate) struct CompletionStage<T> {
    pub(crate) progress: CompletionProgress<T>,
    /// Handles and continuations that have not taken their share.
    pub(crate) shares: usize,
    /// Handles ever made, which number the wakers.
    pub(crate) handles: u64,
    /// `T::clone`, once there was a second handle.
    pub(crate) clone: Option<fn(&T) -> T>,
    /// The wakers of the tasks that polled a handle, by its number.
    wakers: Vec<(u64, Waker)>,
    /// Continuations of work that is running.
    pub(crate) next: Vec<Next<T>>,
    /// Whether a share of an error has been taken.
    is_read: bool,
}

/// The progress of the work.
pub(crate) enum CompletionProgress<T> {
    /// The work is running.
    Running,
    /// The work is done, and there are shares left.
    Done(Result<T>),
    /// The work is done, and a thread clones its result.
    Lent(ThreadId),
    /// All shares have been taken.
    Taken,
}

/// Makes the next step from a result.
pub(crate) type Next<T> = Box<dyn FnOnce(Result<T>) -> NextStep + Send>;

/// The next step of a chain, executed by the thread that completed the previous link. A step
/// returns the step after it.
pub(crate) enum NextStep {
    /// Completes the next link with this link's error.
    PassError(Box<dyn FnOnce() -> Option<NextStep> + Send>),
    /// Runs a user function on a thread of the library, and completes the next link.
    RunNext(Box<dyn FnOnce() -> Option<NextStep> + Send>),
    /// The steps of several continuations.
    Several(Vec<NextStep>),
}

/// Executes a step and all steps that follow from it.
pub(crate) fn follow(first: Option<NextStep>, on_worker: bool) {
    let mut steps = Vec::from_iter(first);
    while let Some(step) = steps.pop() {
        let after = match step {
            NextStep::PassError(pass) => pass(),
            // A user function may wait for those of other steps, so these never wait for it.
            NextStep::RunNext(run) if on_worker && steps.is_empty() => run(),
            NextStep::RunNext(run) => {
                workers::run(Box::new(move || follow(run(), true)));
                None
            }
            NextStep::Several(several) => {
                steps.extend(several);
                None
            }
        };
        steps.extend(after);
    }
}

impl<T> CompletionStage<T> {
    /// Stores the waker of a handle in place of its old one, which is returned.
    pub(crate) fn register(&mut self, handle: u64, waker: Waker) -> Option<Waker> {
        match self.wakers.iter_mut().find(|(number, _)| *number == handle) {
            Some((_, old)) => Some(replace(old, waker)),
            None => {
                self.wakers.push((handle, waker));
                None
            }
        }
    }

    /// Removes the waker of a handle that is not polled any more.
    pub(crate) fn forget(&mut self, handle: u64) -> Option<Waker> {
        let at = self.wakers.iter().position(|(number, _)| *number == handle)?;
        Some(self.wakers.swap_remove(at).1)
    }

    /// Gives up a share without taking it. Returns what is to be dropped while nothing is locked:
    /// the result, if this was its last share.
    pub(crate) fn give_up(&mut self) -> Option<Result<T>> {
        self.shares -= 1;
        match &self.progress {
            CompletionProgress::Done(_) if self.shares == 0 => {
                match replace(&mut self.progress, CompletionProgress::Taken) {
                    CompletionProgress::Done(result) => Some(result),
                    CompletionProgress::Running | CompletionProgress::Lent(_) | CompletionProgress::Taken => None,
                }
            }
            CompletionProgress::Done(_)
            | CompletionProgress::Running
            | CompletionProgress::Lent(_)
            | CompletionProgress::Taken => None,
        }
    }

    /// Whether nobody has been given the error.
    pub(crate) fn is_unread(&self) -> bool {
        !self.is_read
    }
}

impl<T> CompletionState<T> {
    /// With one handle, of number 0.
    pub(crate) fn new(progress: CompletionProgress<T>) -> Arc<CompletionState<T>> {
        let stage = CompletionStage {
            progress,
            shares: 1,
            handles: 1,
            clone: None,
            wakers: Vec::new(),
            next: Vec::new(),
            is_read: false,
        };
        Arc::new(CompletionState { stage: Mutex::new(stage), done: Condvar::new() })
    }

    pub(crate) fn stage(&self) -> MutexGuard<'_, CompletionStage<T>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a share of the result; the stage is returned if that has to wait.
    pub(crate) fn try_share<'s>(
        &'s self,
        mut stage: MutexGuard<'s, CompletionStage<T>>,
    ) -> Result<Result<T>, MutexGuard<'s, CompletionStage<T>>> {
        let result = match replace(&mut stage.progress, CompletionProgress::Lent(current().id())) {
            CompletionProgress::Done(result) => result,
            CompletionProgress::Taken => {
                stage.progress = CompletionProgress::Taken;
                stage.shares -= 1;
                return Ok(Err(already_taken()));
            }
            CompletionProgress::Lent(thread) if thread == current().id() => {
                // The clone that this thread is making asks for another: it would wait for itself.
                stage.progress = CompletionProgress::Lent(thread);
                stage.shares -= 1;
                return Ok(Err(asked_by_its_clone()));
            }
            waits @ (CompletionProgress::Running | CompletionProgress::Lent(_)) => {
                stage.progress = waits;
                return Err(stage);
            }
        };
        stage.is_read |= result.is_err();
        stage.shares -= 1;
        if stage.shares == 0 {
            stage.progress = CompletionProgress::Taken;
            return Ok(result);
        }
        let clone = stage.clone;
        drop(stage);
        let share = cloned(&result, clone);
        let mut stage = self.stage();
        // If all others have given up their shares meanwhile, it is dropped with the state.
        stage.progress = CompletionProgress::Done(result);
        let wakers = take(&mut stage.wakers);
        drop(stage);
        self.call(wakers);
        Ok(share)
    }

    /// Waits, and takes a share of the result.
    pub(crate) fn share(&self) -> Result<T> {
        let mut stage = self.stage();
        loop {
            match self.try_share(stage) {
                Ok(share) => return share,
                Err(waits) => stage = self.done.wait(waits).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Wakes the threads and the tasks that wait. Wakers are code of the program, which may panic.
    fn call(&self, wakers: Vec<(u64, Waker)>) {
        self.done.notify_all();
        for (_, waker) in wakers {
            run_contained(|| waker.wake());
        }
    }
}

impl<T> Drop for CompletionState<T> {
    fn drop(&mut self) {
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let CompletionProgress::Done(Err(error)) = &stage.progress
            && stage.is_unread()
        {
            nobody_asked(error);
        }
    }
}

/// A share of a result that others have shares of.
fn cloned<T>(result: &Result<T>, clone: Option<fn(&T) -> T>) -> Result<T> {
    match (result, clone) {
        (Err(error), _) => Err(error.clone()),
        (Ok(value), Some(clone)) => guarded("`clone` of a completion's value", || Ok(clone(value))),
        // A second share is made by a clone of the handle.
        (Ok(_), None) => Err(already_taken()),
    }
}

/// The error of a handle whose share has been taken.
pub(crate) fn already_taken() -> Error {
    Error::Accelerator("a completion gives its value once, and this one has given it".into())
}

/// The error of a value's `clone` that asks for the value whose clone it makes.
fn asked_by_its_clone() -> Error {
    Error::Accelerator("`clone` of a completion's value asks for that value, which is being cloned for it".into())
}

/// Runs a user function, `what`; a panic becomes an error.
pub(crate) fn guarded<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (None, Some(text)) => text.as_str(),
            (None, None) => "without a message",
        };
        let error = Error::Accelerator(format!("{what} panicked: {text}").into());
        drop_payload(panic);
        Err(error)
    })
}

/// The producer's end of a completion. If it is dropped without a result, the completion gets an
/// error.
pub(crate) struct Promise<T>(Option<Arc<CompletionState<T>>>);

impl<T> Promise<T> {
    pub(crate) fn new(state: Arc<CompletionState<T>>) -> Promise<T> {
        Promise(Some(state))
    }

    /// Completes the completion.
    pub(crate) fn keep(self, result: Result<T>) {
        follow(self.settle(result), false);
    }

    /// Completes the completion and returns the next step, which the caller must execute.
    pub(crate) fn settle(mut self, result: Result<T>) -> Option<NextStep> {
        self.0.take().and_then(|state| complete(state, result))
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        if let Some(state) = self.0.take() {
            let given_up = Error::AcceleratorViewRemoved("the work was given up".into());
            follow(complete(state, Err(given_up)), false);
        }
    }
}

/// Completes the completion, wakes its waiters, and makes the steps of its continuations. User code
/// that runs here, such as a waker or the destructor of a value that nobody takes, may panic
/// without harm.
fn complete<T>(state: Arc<CompletionState<T>>, result: Result<T>) -> Option<NextStep> {
    let mut stage = state.stage();
    stage.progress = CompletionProgress::Done(result);
    let (wakers, next) = (take(&mut stage.wakers), take(&mut stage.next));
    drop(stage);
    state.call(wakers);
    let mut steps: Vec<NextStep> = next.into_iter().map(|next| next(state.share())).collect();
    drop_contained(state);
    if steps.len() > 1 { Some(NextStep::Several(steps)) } else { steps.pop() }
}
