//! [`Completion`]: work under way. Who waits may be a thread, a task of an executor, or a function that is to run next, on one of the [`workers`](crate::workers). A model checker runs this file as it is
//! (`tests/loom.rs`).
//!
//! # Chains
//! What completes a link of a chain does not complete the next: it returns that as a [`NextStep`], and [`follow`] takes one step after the other. So a chain takes no stack, however long
//! it is, whether its links succeed, fail or are given up.

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

/// Work under way. It borrows nothing, so leaking or dropping it is harmless; the work goes on. A `Future` on any executor. C++ AMP's `completion_future`.
///
/// An error that nobody reads before it is dropped is told to the [hook](crate::set_error_hook). It is not `Clone`: the value is given once. Who must share it puts it into an `Arc` to
/// [`wait`](Completion::wait) on, or makes a marker for each.
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

/// Makes the next step of a result.
type Next<T> = Box<dyn FnOnce(Result<T>) -> NextStep + Send>;

/// What is to be done when a completion is complete, by whoever made it so. It gives the step after it.
enum NextStep {
    /// Completes the next link with the error of this one.
    PassError(Box<dyn FnOnce() -> Option<NextStep> + Send>),
    /// Runs a function of the program, on a thread of the library, and completes the next link.
    RunNext(Box<dyn FnOnce() -> Option<NextStep> + Send>),
}

/// Takes a step, and those that follow from it.
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
    /// Under way; who waits for it.
    Running { waker: Option<Waker>, next: Option<Next<T>> },
    /// It is done.
    Done(Result<T>),
    /// What came of it is somebody's.
    Taken,
}

impl<T> CompletionStage<T> {
    /// What came of it, if it is done and nobody has that yet.
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

/// The other end of a completion: who does the work. If it is dropped unkept, the completion gets an error.
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
    /// One that is complete.
    pub fn ready(value: T) -> Self {
        Completion(CompletionState::new(CompletionStage::Done(Ok(value))))
    }

    /// One under way, and its other end.
    pub(crate) fn promised() -> (Completion<T>, Promise<T>) {
        let shared = CompletionState::new(CompletionStage::Running { waker: None, next: None });
        (Completion(Arc::clone(&shared)), Promise(Some(shared)))
    }

    /// Does some work on a thread of the library.
    pub(crate) fn of_work(work: impl FnOnce() -> Result<T> + Send + 'static) -> Completion<T> {
        let (completion, promise) = Completion::promised();
        workers::run(Box::new(move || follow(promise.settle(guarded(work)), true)));
        completion
    }

    /// Whether it is complete, without waiting.
    pub fn is_complete(&self) -> bool {
        !matches!(*self.0.stage(), CompletionStage::Running { .. })
    }

    /// Waits; an error stays for [`get`](Completion::get).
    pub fn wait(&self) {
        let mut stage = self.0.stage();
        while matches!(*stage, CompletionStage::Running { .. }) {
            stage = self.0.done.wait(stage).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits at most so long; whether it is complete.
    #[doc(alias = "wait_for")]
    #[doc(alias = "wait_until")]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        let end = Instant::now().checked_add(timeout);
        let mut stage = self.0.stage();
        while matches!(*stage, CompletionStage::Running { .. }) {
            let Some(end) = end else {
                // Longer than clocks can say.
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

    /// Waits and takes the value or the error. If it gave its value to an executor before, that is an error.
    pub fn get(self) -> Result<T> {
        self.wait();
        let mut stage = self.0.stage();
        stage.take().unwrap_or_else(|| Err(given()))
    }

    /// Runs `f` on a thread of the library when this is complete; an error skips it. If `f` panics, the new completion has an error that says so; as it has if this gave its value to an executor before.
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
    /// Complete when all are; with the first error of them, in their order, if there is one.
    pub(crate) fn of_all(all: impl IntoIterator<Item = Completion>) -> Completion {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or_else(|| Completion::ready(()));
        all.fold(first, |before, next| before.then(move |()| next.get()))
    }
}

/// The error of who asks for what somebody has.
fn given() -> Error {
    Error::Accelerator("a completion gives its value once, and this one has given it".into())
}

/// Runs a function of the user; a panic is an error.
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
    /// The work is done.
    pub(crate) fn keep(self, result: Result<T>) {
        follow(self.settle(result), false);
    }

    /// The same; the step that follows is the caller's to take.
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

/// Completes it, and tells whoever waits. What the program has to do with it, a waker, and a value that nobody asks for, can panic without harm.
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
    /// When it is polled again after it gave its value.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        // Wakers are the executor's, which may do anything when one is cloned or dropped: while nothing is locked.
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
        // One that is still running has a `next`, or nobody to ask: then what comes of it is told by who drops the shared part last.
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
