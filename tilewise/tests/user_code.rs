//! Code of the program that panics on threads of the library, under its locks, in destructors: wakers, hooks, functions on completion, values. The library goes on.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tilewise::{Accelerator, Array, Completion, Error, Extent, Result, copy_async_into, parallel_for_each};
use tilewise::{set_error_hook, set_print_hook};

/// Threads of the library are shared: one test at a time looks at them.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn text<T>(result: Result<T>) -> String {
    result.err().expect("it fails").to_string()
}

/// Panics when it is dropped, by a payload that does so too.
struct Bomb(Option<Sender<ThreadId>>);

impl Drop for Bomb {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            tell.send(thread::current().id()).unwrap();
        }
        if !thread::panicking() {
            panic_any(Bomb(None));
        }
    }
}

/// What something gives, if it does not panic. What it throws may not be dropped.
fn quiet<R>(run: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(run)).map_err(std::mem::forget).ok()
}

/// Work that is done once `go` is said. Gives where it is done.
fn work<T: Send + 'static>(end: impl FnOnce() -> Result<T> + Send + 'static) -> (Completion<T>, Sender<()>) {
    let (go, may) = channel::<()>();
    let work = Completion::ready(()).then(move |()| {
        may.recv().unwrap();
        end()
    });
    (work, go)
}

/// A thread of the library that is still there does more work, sooner or later.
fn still_works(thread: ThreadId) {
    let end = Instant::now() + Duration::from_secs(20);
    while Completion::ready(()).then(|()| Ok(thread::current().id())).get().unwrap() != thread {
        assert!(Instant::now() < end, "the thread is gone");
        thread::sleep(Duration::from_millis(5));
    }
}

struct Bad(Mutex<Sender<ThreadId>>);

impl Wake for Bad {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().send(thread::current().id()).unwrap();
        panic!("a waker that panics");
    }
}

/// A waker that panics when it is dropped.
struct Dropped(#[expect(dead_code, reason = "it is dropped")] Mutex<Bomb>);

impl Wake for Dropped {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_waker_that_panics_ends_no_thread() {
    let _alone = alone();
    let (tell, told) = channel();
    let waker = Waker::from(Arc::new(Bad(Mutex::new(tell))));
    let (mut work, go) = work(|| Ok(7));
    assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&waker)).is_pending());
    go.send(()).unwrap();
    let thread = told.recv_timeout(Duration::from_secs(20)).expect("it is woken");
    assert_eq!(work.get().unwrap(), 7);
    still_works(thread);
}

#[test]
fn a_waker_that_panics_when_it_is_dropped_ends_no_thread() {
    let _alone = alone();
    let (tell, told) = channel();
    let waker = Waker::from(Arc::new(Dropped(Mutex::new(Bomb(Some(tell))))));
    let (mut work, go) = work(|| Ok(7));
    assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&waker)).is_pending());
    // The completion's is the last.
    drop(waker);
    go.send(()).unwrap();
    let thread = told.recv_timeout(Duration::from_secs(20)).expect("it is dropped");
    assert_eq!(work.get().unwrap(), 7);
    still_works(thread);
}

#[test]
fn a_waker_that_panics_when_it_is_replaced_leaves_the_completion_as_it_was() {
    let _alone = alone();
    let (mut work, go) = work(|| Ok(7));
    let mut poll = |waker: &Waker| quiet(|| Pin::new(&mut work).poll(&mut Context::from_waker(waker)).is_pending());
    assert!(poll(&Waker::from(Arc::new(Dropped(Mutex::new(Bomb(None)))))).is_some());
    assert!(poll(Waker::noop()).is_none(), "the panic is the executor's");
    assert!(poll(Waker::noop()).unwrap());
    go.send(()).unwrap();
    assert_eq!(work.get().unwrap(), 7);
}

#[test]
fn what_nobody_asks_for_may_panic_when_it_is_dropped() {
    let _alone = alone();
    let (tell, told) = channel();
    let (work, go) = work(move || Ok(Bomb(Some(tell))));
    drop(work);
    go.send(()).unwrap();
    still_works(told.recv_timeout(Duration::from_secs(20)).expect("it is dropped"));
}

#[test]
fn what_an_error_skips_may_panic_when_it_is_dropped() {
    let _alone = alone();
    let (tell, told) = channel();
    let bomb = Bomb(Some(tell));
    let (work, go) = work(|| Err::<(), _>(Error::OutOfMemory(1)));
    let skipped = work.then(move |()| {
        std::mem::forget(bomb);
        Ok(())
    });
    let last = skipped.then(|()| Ok(()));
    go.send(()).unwrap();
    let thread = told.recv_timeout(Duration::from_secs(20)).expect("it is dropped");
    assert!(matches!(last.get(), Err(Error::OutOfMemory(1))));
    still_works(thread);
}

#[test]
fn what_a_function_throws_may_panic_when_it_is_dropped() {
    let _alone = alone();
    let (tell, told) = channel();
    let failed = Completion::ready(()).then(move |()| -> Result<()> { panic_any(Bomb(Some(tell))) });
    let last = failed.then(|()| Ok(()));
    assert!(text(last.get()).contains("panicked"));
    still_works(told.recv_timeout(Duration::from_secs(20)).expect("it is dropped"));
}

/// Says when it is dropped.
struct Witness(Option<Sender<()>>);

impl Drop for Witness {
    fn drop(&mut self) {
        _ = self.0.take().map(|tell| tell.send(()));
    }
}

#[test]
fn an_error_hook_that_panics_ends_no_thread_and_no_program() {
    let _alone = alone();
    let (tell, told) = channel();
    let tell = Mutex::new(tell);
    set_error_hook(move |_| {
        tell.lock().unwrap_or_else(PoisonError::into_inner).send(thread::current().id()).unwrap();
        panic!("a hook that panics");
    });
    // On a thread of the library.
    let (failing, go) = work(|| Err::<(), _>(Error::OutOfMemory(1)));
    drop(failing);
    go.send(()).unwrap();
    still_works(told.recv_timeout(Duration::from_secs(20)).expect("it is told"));
    // In a destructor, while its thread unwinds.
    let failed = Completion::ready(()).then(|()| Err::<(), _>(Error::OutOfMemory(2)));
    failed.wait();
    let (dropped, witness) = channel();
    let thread = thread::spawn(move || {
        let _witness = Witness(Some(dropped));
        let _failed = failed;
        panic!("a thread that panics");
    });
    let id = thread.thread().id();
    assert!(thread.join().is_err());
    assert_eq!(told.try_recv(), Ok(id));
    witness.try_recv().expect("the thread has unwound to its end");
    // Where there is somebody to hear of it, it is not lost: a test that fails in a hook fails.
    let failed = Completion::ready(()).then(|()| Err::<(), _>(Error::OutOfMemory(3)));
    failed.wait();
    assert!(quiet(|| drop(failed)).is_none());
    set_error_hook(|_| {});
}

#[test]
fn a_print_hook_that_panics_is_left_and_the_next_launch_prints() -> Result<()> {
    let _alone = alone();
    for path in ["native", "reference", "jit"] {
        let av = Accelerator::new(path)?.default_view();
        set_print_hook(|_| panic!("a hook that panics"));
        let launch = || parallel_for_each!(&av, Extent([1]), |_i| print!("a line"));
        assert!(quiet(launch).is_none(), "{path}");
        let (tell, told) = channel();
        set_print_hook(move |line| tell.send(line.to_owned()).unwrap());
        launch()?;
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["a line"], "{path}");
    }
    set_print_hook(|_| {});
    Ok(())
}

#[test]
fn a_hook_that_panics_when_it_is_replaced_has_been_replaced() {
    let _alone = alone();
    let bomb = Bomb(None);
    set_print_hook(move |_| {
        let _ = &bomb;
    });
    let (tell, told) = channel();
    assert!(quiet(|| set_print_hook(move |line| tell.send(line.to_owned()).unwrap())).is_none());
    let jit = Accelerator::new("jit").unwrap().default_view();
    parallel_for_each!(&jit, Extent([1]), |_i| print!("a line")).unwrap();
    assert_eq!(told.try_iter().collect::<Vec<_>>(), ["a line"]);
    set_print_hook(|_| {});
}

#[test]
fn elements_that_come_from_an_iterator_that_panics_leave_nothing_locked() -> Result<()> {
    let _alone = alone();
    let array = Array::from_slice(3, &[1, 2, 3])?;
    let bad = (0..3).map(|i| if i == 2 { panic!("an iterator that panics") } else { i });
    assert!(quiet(|| tilewise::copy_iter(bad, &array)).is_none());
    assert_eq!(array.to_vec()?, [1, 2, 3]);
    struct Full;
    impl Extend<i32> for Full {
        fn extend<I: IntoIterator<Item = i32>>(&mut self, _: I) {
            panic!("a collection that panics");
        }
    }
    assert!(quiet(|| tilewise::copy_extend(&array, &mut Full)).is_none());
    array.view().set(0, 5)?;
    assert_eq!(copy_async_into(&array, Vec::new())?.get()?, [5, 2, 3]);
    Ok(())
}

#[test]
fn a_poll_that_comes_back_finds_what_it_is_told() {
    let _alone = alone();
    // A waker that polls at once, from within the library.
    struct Again(Mutex<Option<Completion<i32>>>, Mutex<Sender<i32>>);
    impl Wake for Again {
        fn wake(self: Arc<Self>) {
            let mut completion = self.0.lock().unwrap().take().expect("it is there");
            if let Poll::Ready(value) = Pin::new(&mut completion).poll(&mut Context::from_waker(Waker::noop())) {
                self.1.lock().unwrap().send(value.unwrap()).unwrap();
            }
        }
    }
    let (tell, told) = channel();
    let (mut work, go) = work(|| Ok(7));
    let again = Arc::new(Again(Mutex::new(None), Mutex::new(tell)));
    let waker = Waker::from(Arc::clone(&again));
    assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&waker)).is_pending());
    *again.0.lock().unwrap() = Some(work);
    go.send(()).unwrap();
    assert_eq!(told.recv_timeout(Duration::from_secs(20)).expect("it is done"), 7);
}
