//! [`Completion`]: work under way. Who waits may be a thread, a task of an executor, or a function that is to run next, on one of the [`workers`](crate::workers). A model checker runs this file as it is
//! (`tests/loom.rs`).

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::error::nobody_asked;
use crate::sync::{Arc, Condvar, Mutex, MutexGuard};
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
pub struct Completion<T = ()>(Arc<Shared<T>>);

struct Shared<T> {
    stage: Mutex<Stage<T>>,
    done: Condvar,
}

/// What runs next, with what came of it.
type Next<T> = Box<dyn FnOnce(Result<T>) + Send>;

enum Stage<T> {
    /// Under way; who waits for it.
    Running { waker: Option<Waker>, next: Option<Next<T>> },
    /// It is done.
    Done(Result<T>),
    /// What came of it is somebody's.
    Taken,
}

/// The other end of a completion: who does the work. If it is dropped unkept, the completion gets an error.
pub(crate) struct Promise<T>(Option<Arc<Shared<T>>>);

impl<T> Shared<T> {
    fn new(stage: Stage<T>) -> Arc<Shared<T>> {
        Arc::new(Shared { stage: Mutex::new(stage), done: Condvar::new() })
    }

    fn stage(&self) -> MutexGuard<'_, Stage<T>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Send + 'static> Completion<T> {
    /// One that is complete.
    pub fn ready(value: T) -> Self {
        Completion(Shared::new(Stage::Done(Ok(value))))
    }

    /// One under way, and its other end.
    pub(crate) fn promised() -> (Completion<T>, Promise<T>) {
        let shared = Shared::new(Stage::Running { waker: None, next: None });
        (Completion(Arc::clone(&shared)), Promise(Some(shared)))
    }

    /// Does some work on a thread of the library.
    pub(crate) fn of_work(work: impl FnOnce() -> Result<T> + Send + 'static) -> Completion<T> {
        let (completion, promise) = Completion::promised();
        workers::run(Box::new(move || promise.keep(guarded(work))));
        completion
    }

    /// Whether it is complete, without waiting.
    pub fn is_complete(&self) -> bool {
        !matches!(*self.0.stage(), Stage::Running { .. })
    }

    /// Waits; an error stays for [`get`](Completion::get).
    pub fn wait(&self) {
        let mut stage = self.0.stage();
        while matches!(*stage, Stage::Running { .. }) {
            stage = self.0.done.wait(stage).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits at most so long; whether it is complete.
    #[doc(alias = "wait_for")]
    #[doc(alias = "wait_until")]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        let end = Instant::now().checked_add(timeout);
        let mut stage = self.0.stage();
        while matches!(*stage, Stage::Running { .. }) {
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

    /// Waits and takes the value or the error.
    pub fn get(self) -> Result<T> {
        self.wait();
        match std::mem::replace(&mut *self.0.stage(), Stage::Taken) {
            Stage::Done(result) => result,
            Stage::Running { .. } | Stage::Taken => unreachable!("it is complete, and only `get` and `then` take it"),
        }
    }

    /// Runs `f` on a thread of the library when this is complete; an error skips it. If `f` panics, the new completion has an error that says so.
    pub fn then<U: Send + 'static>(self, f: impl FnOnce(T) -> Result<U> + Send + 'static) -> Completion<U> {
        let (completion, promise) = Completion::promised();
        let next = move |result: Result<T>| match result {
            Ok(value) => workers::run(Box::new(move || promise.keep(guarded(|| f(value))))),
            Err(error) => promise.keep(Err(error)),
        };
        let mut stage = self.0.stage();
        if let Stage::Running { next: slot, .. } = &mut *stage {
            *slot = Some(Box::new(next));
            return completion;
        }
        let done = std::mem::replace(&mut *stage, Stage::Taken);
        drop(stage);
        if let Stage::Done(result) = done {
            next(result);
        }
        completion
    }
}

/// Runs a function of the user; a panic is an error.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (None, Some(text)) => text.as_str(),
            (None, None) => "without a message",
        };
        Err(Error::Accelerator(format!("a function that was to run on completion panicked: {text}").into()))
    })
}

impl<T> Promise<T> {
    /// The work is done.
    pub(crate) fn keep(mut self, result: Result<T>) {
        if let Some(shared) = self.0.take() {
            complete(&shared, result);
        }
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            complete(&shared, Err(Error::AcceleratorViewRemoved("the work was given up".into())));
        }
    }
}

fn complete<T>(shared: &Shared<T>, result: Result<T>) {
    let mut stage = shared.stage();
    let Stage::Running { waker, next } = &mut *stage else { return };
    let waker = waker.take();
    if let Some(next) = next.take() {
        *stage = Stage::Taken;
        drop(stage);
        next(result);
    } else {
        *stage = Stage::Done(result);
        drop(stage);
    }
    shared.done.notify_all();
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl<T> Future for Completion<T> {
    type Output = Result<T>;

    /// # Panics
    /// When it is polled again after it gave its value.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        let mut stage = self.0.stage();
        if let Stage::Running { waker, .. } = &mut *stage {
            *waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        match std::mem::replace(&mut *stage, Stage::Taken) {
            Stage::Done(result) => Poll::Ready(result),
            Stage::Running { .. } | Stage::Taken => panic!("a completion gives its value once"),
        }
    }
}

impl<T> Drop for Completion<T> {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        // One that is still running has a `next`, or nobody to ask: then what comes of it is told by who drops the shared part last.
        if let Stage::Done(Err(_)) = *stage
            && let Stage::Done(Err(error)) = std::mem::replace(&mut *stage, Stage::Taken)
        {
            drop(stage);
            nobody_asked(&error);
        }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        let stage = self.stage.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Done(Err(error)) = stage {
            nobody_asked(error);
        }
    }
}

impl<T> fmt::Debug for Completion<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match *self.0.stage() {
            Stage::Running { .. } => "running",
            Stage::Done(Ok(_)) => "complete",
            Stage::Done(Err(_)) => "complete, with an error",
            Stage::Taken => "taken",
        };
        write!(f, "Completion({stage})")
    }
}
