//! [`Completion`]: asynchronous work. A thread may wait for it, an executor may poll it, or a
//! continuation may run on one of the [`workers`](crate::workers). A model checker runs this file
//! unchanged (`tests/loom.rs`).
//!
//! # Chains
//! Completing one link of a chain does not complete the next link recursively: it returns a
//! [`NextStep`], and [`follow`] executes the steps in a loop. So a chain of any length takes
//! constant stack, whether its links succeed, fail or are abandoned.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::api::error::nobody_asked;
use crate::sync::{Arc, Condvar, Mutex, MutexGuard};
use crate::user_code::{drop_contained, drop_payload, run_contained};
use crate::{Error, Result, workers};

/// Asynchronous work. It borrows nothing, so leaking or dropping it is harmless; the work
/// continues. A `Future` on any executor. C++ AMP's `completion_future`.
///
/// An error that is not read before the completion is dropped goes to the
/// [hook](crate::set_error_hook). It is not `Clone`, as it returns its value once. To share it, put
/// it into an `Arc` and [`wait`](Completion::wait) on that, or make one marker for each user.
///
/// ```
/// # fn main() -> tilewise::Result<()> {
/// use tilewise::{Array, copy_async_from, copy_async_into};
/// let array = Array::<i32>::new(3)?;
/// let back = copy_async_from(vec![1, 2, 3], &array)?.then(move |_| copy_async_into(&array, Vec::new())?.get());
/// assert_eq!(back.get()?, [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "completion_future")]
#[must_use = "it says when the work is done, and how it ended"]
pub struct Completion<T = ()>(Arc<CompletionState<T>>);

struct CompletionState<T> {
    stage: Mutex<CompletionStage<T>>,
    done: Condvar,
}

/// Makes the next step from a result.
type Next<T> = Box<dyn FnOnce(Result<T>) -> NextStep + Send>;

/// The next step of a chain, executed by the thread that completed the previous link. A step
/// returns the step after it.
enum NextStep {
    /// Completes the next link with this link's error.
    PassError(Box<dyn FnOnce() -> Option<NextStep> + Send>),
    /// Runs a user function on a thread of the library, and completes the next link.
    RunNext(Box<dyn FnOnce() -> Option<NextStep> + Send>),
}

/// Executes a step and all steps that follow from it.
fn follow(first: Option<NextStep>, on_worker: bool) {
    let mut step = first;
    while let Some(now) = step {
        step = match now {
            NextStep::PassError(pass) => pass(),
            NextStep::RunNext(run) if on_worker => run(),
            NextStep::RunNext(run) => {
                workers::run(Box::new(move || follow(run(), true)));
                None
            }
        };
    }
}

enum CompletionStage<T> {
    /// The work is running; holds its waker and its continuation.
    Running { waker: Option<Waker>, next: Option<Next<T>> },
    /// The work is done and its result has not been taken.
    Done(Result<T>),
    /// The result has been taken.
    Taken,
}

impl<T> CompletionStage<T> {
    /// Takes the result if the work is done.
    fn take(&mut self) -> Option<Result<T>> {
        match self {
            CompletionStage::Done(_) => match std::mem::replace(self, CompletionStage::Taken) {
                CompletionStage::Done(result) => Some(result),
                CompletionStage::Running { .. } | CompletionStage::Taken => None,
            },
            CompletionStage::Running { .. } | CompletionStage::Taken => None,
        }
    }
}

/// The producer's end of a completion. If it is dropped without a result, the completion gets an
/// error.
pub(crate) struct Promise<T>(Option<Arc<CompletionState<T>>>);

impl<T> CompletionState<T> {
    fn new(stage: CompletionStage<T>) -> Arc<CompletionState<T>> {
        Arc::new(CompletionState { stage: Mutex::new(stage), done: Condvar::new() })
    }

    fn stage(&self) -> MutexGuard<'_, CompletionStage<T>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Completion<T> {
    /// A completed one.
    pub fn ready(value: T) -> Self {
        Completion(CompletionState::new(CompletionStage::Done(Ok(value))))
    }

    /// A running one, and its producer's end.
    pub(crate) fn promised() -> (Completion<T>, Promise<T>) {
        let shared = CompletionState::new(CompletionStage::Running { waker: None, next: None });
        (Completion(Arc::clone(&shared)), Promise(Some(shared)))
    }

    /// Runs work on a thread of the library.
    pub(crate) fn of_work(work: impl FnOnce() -> Result<T> + Send + 'static) -> Completion<T> {
        let (completion, promise) = Completion::promised();
        workers::run(Box::new(move || follow(promise.settle(guarded(work)), true)));
        completion
    }

    /// Whether it is complete, without waiting.
    pub fn is_complete(&self) -> bool {
        !matches!(*self.0.stage(), CompletionStage::Running { .. })
    }

    /// Waits until it is complete; an error stays for [`get`](Completion::get).
    pub fn wait(&self) {
        let mut stage = self.0.stage();
        while matches!(*stage, CompletionStage::Running { .. }) {
            stage = self.0.done.wait(stage).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits at most `timeout`. Returns whether it is complete.
    #[doc(alias = "wait_for")]
    #[doc(alias = "wait_until")]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.wait_to(Instant::now().checked_add(timeout))
    }

    /// Waits at most until `end`. Returns whether it is complete.
    pub fn wait_until(&self, end: Instant) -> bool {
        self.wait_to(Some(end))
    }

    /// Waits at most until `end`, or without end.
    fn wait_to(&self, end: Option<Instant>) -> bool {
        let mut stage = self.0.stage();
        while matches!(*stage, CompletionStage::Running { .. }) {
            let Some(end) = end else {
                // Beyond the range of the clock.
                stage = self.0.done.wait(stage).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            stage = self.0.done.wait_timeout(stage, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Waits, and returns the value or the error. It is an error if an executor has already taken
    /// the value.
    pub fn get(self) -> Result<T> {
        self.wait();
        let mut stage = self.0.stage();
        stage.take().unwrap_or_else(|| Err(given()))
    }

    /// Runs `f` on a thread of the library when this is complete; an error skips `f` and passes on.
    /// If `f` panics, the new completion gets an error with the panic's message. It also gets an
    /// error if an executor has already taken the value.
    pub fn then<U: Send + 'static>(self, f: impl FnOnce(T) -> Result<U> + Send + 'static) -> Completion<U> {
        let (completion, promise) = Completion::promised();
        let next = move |result: Result<T>| match result {
            Ok(value) => NextStep::RunNext(Box::new(move || promise.settle(guarded(|| f(value))))),
            Err(error) => {
                drop_contained(f);
                NextStep::PassError(Box::new(move || promise.settle(Err(error))))
            }
        };
        let mut stage = self.0.stage();
        if let CompletionStage::Running { next: slot, .. } = &mut *stage {
            *slot = Some(Box::new(next));
            return completion;
        }
        let done = stage.take();
        drop(stage);
        follow(Some(next(done.unwrap_or_else(|| Err(given())))), false);
        completion
    }
}

impl Completion {
    /// Complete when all are; with the first error in their order, if there is one.
    pub(crate) fn of_all(all: impl IntoIterator<Item = Completion>) -> Completion {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or_else(|| Completion::ready(()));
        all.fold(first, |before, next| before.then(move |()| next.get()))
    }
}

/// The error if the value has already been taken.
fn given() -> Error {
    Error::Accelerator("a completion gives its value once, and this one has given it".into())
}

/// Runs a user function; a panic becomes an error.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (None, Some(text)) => text.as_str(),
            (None, None) => "without a message",
        };
        let error = Error::Accelerator(format!("a function that was to run on completion panicked: {text}").into());
        drop_payload(panic);
        Err(error)
    })
}

impl<T> Promise<T> {
    /// Completes the completion.
    pub(crate) fn keep(self, result: Result<T>) {
        follow(self.settle(result), false);
    }

    /// Completes the completion and returns the next step, which the caller must execute.
    fn settle(mut self, result: Result<T>) -> Option<NextStep> {
        self.0.take().and_then(|shared| complete(shared, result))
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            let given_up = Error::AcceleratorViewRemoved("the work was given up".into());
            follow(complete(shared, Err(given_up)), false);
        }
    }
}

/// Completes the completion and wakes its waiters. User code that runs here, such as a waker or the
/// destructor of a value that nobody takes, may panic without harm.
fn complete<T>(shared: Arc<CompletionState<T>>, result: Result<T>) -> Option<NextStep> {
    let mut stage = shared.stage();
    let CompletionStage::Running { waker, next } = &mut *stage else { return None };
    let (waker, next) = (waker.take(), next.take());
    let step = match next {
        Some(next) => {
            *stage = CompletionStage::Taken;
            drop(stage);
            Some(next(result))
        }
        None => {
            *stage = CompletionStage::Done(result);
            drop(stage);
            None
        }
    };
    shared.done.notify_all();
    if let Some(waker) = waker {
        run_contained(|| waker.wake());
    }
    drop_contained(shared);
    step
}

impl<T> Future for Completion<T> {
    type Output = Result<T>;

    /// # Panics
    /// If it is polled again after it returned its value.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        // Wakers belong to the executor, and cloning or dropping one may run any code: so no lock
        // is held then.
        let mut new = Some(cx.waker().clone());
        let mut stage = self.0.stage();
        if let CompletionStage::Running { waker, .. } = &mut *stage {
            std::mem::swap(waker, &mut new);
            drop(stage);
            return Poll::Pending;
        }
        let done = stage.take();
        drop(stage);
        Poll::Ready(done.expect("a completion gives its value once"))
    }
}

impl<T> Drop for Completion<T> {
    fn drop(&mut self) {
        // One that is still running has a continuation, or no reader: then its error is reported
        // when the last reference to the shared state is dropped.
        let done = self.0.stage().take();
        if let Some(Err(error)) = done {
            nobody_asked(&error);
        }
    }
}

impl<T> Drop for CompletionState<T> {
    fn drop(&mut self) {
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let CompletionStage::Done(Err(error)) = stage {
            nobody_asked(error);
        }
    }
}

impl<T> fmt::Debug for Completion<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match *self.0.stage() {
            CompletionStage::Running { .. } => "running",
            CompletionStage::Done(Ok(_)) => "complete",
            CompletionStage::Done(Err(_)) => "complete, with an error",
            CompletionStage::Taken => "taken",
        };
        write!(f, "Completion({stage})")
    }
}
