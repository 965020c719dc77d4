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

impl<T> Stage<T> {
    /// What came of it, if it is done and nobody has that yet.
    fn take(&mut self) -> Option<Result<T>> {
        match self {
            Stage::Done(_) => match std::mem::replace(self, Stage::Taken) {
                Stage::Done(result) => Some(result),
                Stage::Running { .. } | Stage::Taken => None,
            },
            Stage::Running { .. } | Stage::Taken => None,
        }
    }
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
            Ok(value) => workers::run(Box::new(move || promise.keep(guarded(|| f(value))))),
            Err(error) => promise.keep(Err(error)),
        };
        let mut stage = self.0.stage();
        if let Stage::Running { next: slot, .. } = &mut *stage {
            *slot = Some(Box::new(next));
            return completion;
        }
        let done = stage.take();
        drop(stage);
        next(done.unwrap_or_else(|| Err(given())));
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
        // Wakers are the executor's, which may do anything when one is cloned or dropped: while nothing is locked.
        let mut new = Some(cx.waker().clone());
        let mut stage = self.0.stage();
        if let Stage::Running { waker, .. } = &mut *stage {
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn of_several_the_first_error_counts_also_of_one_that_is_over() {
        let failed = |bytes| Completion::ready(()).then(move |()| Err(Error::OutOfMemory(bytes)));
        let all = Completion::of_all([Completion::ready(()), failed(1), Completion::ready(())]);
        assert!(matches!(all.get(), Err(Error::OutOfMemory(1))));
        let over = failed(2);
        over.wait();
        assert!(matches!(Completion::of_all([over, Completion::ready(())]).get(), Err(Error::OutOfMemory(2))));
        assert!(Completion::of_all([]).get().is_ok());
    }
}
