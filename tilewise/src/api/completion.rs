//! [`Completion`]: asynchronous work. A thread may wait for it, an executor may poll it, or a
//! continuation may run on one of the [`workers`](crate::workers). The result itself is in the
//! [state](super::completion_state) that all handles share. A model checker runs this file
//! unchanged (`tests/loom.rs`).

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::PoisonError;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tilewise_trace::{SpanKind, span};

use crate::api::completion_state::{
    CompletionProgress, CompletionState, NextStep, Promise, already_taken, follow, guarded,
};
use crate::api::error::nobody_asked;
use crate::sync::Arc;
use crate::user_code::drop_contained;
use crate::{Result, workers};

/// Asynchronous work. It borrows nothing, so leaking or dropping it is harmless; the work
/// continues. A `Future` on any executor. C++ AMP's `completion_future`.
///
/// # Clones
/// A clone is another handle to the same work. Each handle may be waited for, polled, continued by
/// [`then`](Completion::then), and gives the result once: an error is given to every handle; the
/// value is cloned, except for the handle that takes it last.
///
/// An error that no handle has given goes to the [hook](crate::set_error_hook) when the last one is
/// dropped.
///
/// ```
/// # fn main() -> tilewise::Result<()> {
/// use tilewise::{Array, copy_async_from, copy_async_into};
/// let array = Array::<i32>::new(3)?;
/// let sent = copy_async_from(vec![1, 2, 3], &array)?;
/// let back = sent.then(move |_| copy_async_into(&array, Vec::new())?.get());
/// let sum = back.clone().then(|all| Ok(all.iter().sum::<i32>()));
/// assert_eq!((back.get()?, sum.get()?), (vec![1, 2, 3], 6));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "completion_future")]
#[must_use = "it says when the work is done, and how it ended"]
pub struct Completion<T = ()> {
    state: Arc<CompletionState<T>>,
    /// Of this handle, for its waker.
    number: u64,
    /// Whether this handle has taken its share of the result.
    is_taken: bool,
}

/// What the functions are called that a panic's error names.
const ON_COMPLETION: &str = "a function that was to run on completion";

impl<T: Send + 'static> Completion<T> {
    /// A completed one.
    pub fn ready(value: T) -> Self {
        Completion::first(CompletionState::new(CompletionProgress::Done(Ok(value))))
    }

    /// A running one, and its producer's end.
    pub(crate) fn promised() -> (Completion<T>, Promise<T>) {
        let state = CompletionState::new(CompletionProgress::Running);
        (Completion::first(Arc::clone(&state)), Promise::new(state))
    }

    /// Runs work on a thread of the library.
    pub(crate) fn of_work(work: impl FnOnce() -> Result<T> + Send + 'static) -> Completion<T> {
        let (completion, promise) = Completion::promised();
        workers::run(Box::new(move || follow(promise.settle(guarded(ON_COMPLETION, work)), true)));
        completion
    }

    /// The first handle.
    fn first(state: Arc<CompletionState<T>>) -> Completion<T> {
        Completion { state, number: 0, is_taken: false }
    }

    /// Whether it is complete, without waiting.
    pub fn is_complete(&self) -> bool {
        !matches!(self.state.stage().progress, CompletionProgress::Running)
    }

    /// Waits until it is complete; an error stays for [`get`](Completion::get).
    pub fn wait(&self) {
        self.wait_to(None);
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

    /// Waits at most until `end`, or without end: `None` may also be beyond the range of the clock.
    fn wait_to(&self, end: Option<Instant>) -> bool {
        if self.is_complete() {
            return true;
        }
        let _wait = span(SpanKind::Wait, || "for a completion".to_owned());
        let mut stage = self.state.stage();
        while matches!(stage.progress, CompletionProgress::Running) {
            let Some(end) = end else {
                stage = self.state.done.wait(stage).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            stage = self.state.done.wait_timeout(stage, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Waits, and returns the value or the error. If there are other handles, the value is cloned.
    /// It is an error if an executor has already taken it from this handle.
    pub fn get(mut self) -> Result<T> {
        if self.is_taken {
            return Err(already_taken());
        }
        self.is_taken = true;
        self.state.share()
    }

    /// Runs `f` on a thread of the library when this is complete; an error skips `f` and passes on.
    /// If `f` panics, the new completion gets an error with the panic's message. It also gets an
    /// error if an executor has already taken the value from this handle.
    ///
    /// The functions of several clones run at once, each on a thread of its own.
    pub fn then<U: Send + 'static>(mut self, f: impl FnOnce(T) -> Result<U> + Send + 'static) -> Completion<U> {
        let (completion, promise) = Completion::promised();
        let next = move |result: Result<T>| match result {
            Ok(value) => NextStep::RunNext(Box::new(move || promise.settle(guarded(ON_COMPLETION, || f(value))))),
            Err(error) => {
                drop_contained(f);
                NextStep::PassError(Box::new(move || promise.settle(Err(error))))
            }
        };
        if self.is_taken {
            follow(Some(next(Err(already_taken()))), false);
            return completion;
        }
        // From here on the share is the continuation's.
        self.is_taken = true;
        let mut stage = self.state.stage();
        if matches!(stage.progress, CompletionProgress::Running) {
            stage.next.push(Box::new(next));
            let waker = stage.forget(self.number);
            drop(stage);
            drop(waker);
        } else {
            drop(stage);
            follow(Some(next(self.state.share())), false);
        }
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

impl<T: Clone> Clone for Completion<T> {
    fn clone(&self) -> Self {
        let mut stage = self.state.stage();
        let number = stage.handles;
        stage.handles += 1;
        stage.shares += 1;
        stage.clone = Some(T::clone);
        drop(stage);
        Completion { state: Arc::clone(&self.state), number, is_taken: false }
    }
}

impl<T> Future for Completion<T> {
    type Output = Result<T>;

    /// # Panics
    /// If it is polled again after it returned its value.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        assert!(!self.is_taken, "a completion gives its value once");
        // Wakers belong to the executor, and cloning or dropping one may run any code: so no lock
        // is held then.
        let waker = cx.waker().clone();
        let share = match self.state.try_share(self.state.stage()) {
            Ok(share) => share,
            Err(mut stage) => {
                let old = stage.register(self.number, waker);
                drop(stage);
                drop(old);
                return Poll::Pending;
            }
        };
        self.is_taken = true;
        Poll::Ready(share)
    }
}

impl<T> Drop for Completion<T> {
    fn drop(&mut self) {
        if self.is_taken {
            return;
        }
        // Of work that is still running, the error is reported when the last reference to the state
        // is dropped.
        let mut stage = self.state.stage();
        let (result, waker, is_unread) = (stage.give_up(), stage.forget(self.number), stage.is_unread());
        drop(stage);
        drop(waker);
        if let Some(Err(error)) = result
            && is_unread
        {
            nobody_asked(&error);
        }
    }
}

impl<T> fmt::Debug for Completion<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let progress = match self.state.stage().progress {
            CompletionProgress::Running => "running",
            _ if self.is_taken => "taken",
            CompletionProgress::Done(Err(_)) => "complete, with an error",
            CompletionProgress::Done(Ok(_)) | CompletionProgress::Lent(_) => "complete",
            CompletionProgress::Taken => "taken",
        };
        write!(f, "Completion({progress})")
    }
}
