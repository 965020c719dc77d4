//! `Completion`: section 10 of the catalogue.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use tilewise::{Array, Completion, Error, Result, copy_async_from, copy_async_into};

use crate::{launchers, text};

#[test]
fn fut_3_a_completion_gives_its_value_or_its_error() -> Result<()> {
    let ready = Completion::ready(5);
    assert!(ready.is_complete() && ready.wait_timeout(Duration::ZERO));
    ready.wait();
    assert_eq!(ready.get()?, 5);
    let failed: Completion<i32> = Completion::ready(()).then(|()| Err(Error::OutOfMemory(3)));
    failed.wait();
    assert!(failed.is_complete());
    assert!(matches!(failed.get(), Err(Error::OutOfMemory(3))));
    Ok(())
}

#[test]
fn fut_3_waiting_may_be_given_up() -> Result<()> {
    let slow = Completion::ready(()).then(|()| {
        std::thread::sleep(Duration::from_millis(200));
        Ok(7)
    });
    assert!(!slow.wait_timeout(Duration::from_millis(5)));
    assert!(!slow.wait_until(Instant::now() + Duration::from_millis(5)));
    assert!(!slow.is_complete());
    assert!(slow.wait_until(Instant::now() + Duration::from_secs(60)));
    assert!(slow.wait_timeout(Duration::MAX));
    assert_eq!(slow.get()?, 7);
    Ok(())
}

#[test]
fn fut_3_who_asks_for_what_an_executor_has_is_told_so() -> Result<()> {
    let polled = || {
        let mut completion = Completion::ready(3);
        let polled = Pin::new(&mut completion).poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Ready(Ok(3))));
        completion
    };
    assert!(text(polled().get()).contains("gives its value once"));
    assert!(text(polled().then(|n| Ok(n + 1)).get()).contains("gives its value once"));
    polled().wait();
    assert!(polled().is_complete());
    Ok(())
}

/// The waker of a task that another takes over from: when it is dropped, work goes on, and the other is woken.
struct Before {
    go_on: Sender<()>,
    woken: Mutex<Receiver<()>>,
}

impl Wake for Before {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Before {
    fn drop(&mut self) {
        self.go_on.send(()).unwrap();
        self.woken.get_mut().unwrap().recv_timeout(Duration::from_secs(20)).expect("the other is woken");
    }
}

struct After(Mutex<Sender<()>>);

impl Wake for After {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().send(()).unwrap();
    }
}

#[test]
fn fut_3_a_waker_that_is_not_needed_any_more_is_dropped_while_nothing_is_locked() -> Result<()> {
    let ((go_on, may), (wake, woken)) = (channel(), channel());
    let mut work = Completion::ready(()).then(move |()| {
        may.recv().unwrap();
        Ok(7)
    });
    let before = Waker::from(Arc::new(Before { go_on, woken: Mutex::new(woken) }));
    assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&before)).is_pending());
    // The completion's is the last.
    drop(before);
    let after = Waker::from(Arc::new(After(Mutex::new(wake))));
    assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&after)).is_pending());
    assert_eq!(work.get()?, 7);
    Ok(())
}

#[test]
fn fut_5_then_runs_after_completion_and_an_error_skips_it() -> Result<()> {
    let text = Completion::ready(2).then(|x| Ok(x * 3)).then(|x| Ok(format!("{x}")));
    assert_eq!(text.get()?, "6");
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let failed = Completion::ready(()).then(|()| Err::<(), _>(Error::OutOfMemory(1)));
    let skipped = failed.then(move |()| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    assert!(skipped.get().is_err());
    assert_eq!(runs.load(Ordering::Relaxed), 0);
    Ok(())
}

#[test]
fn fut_5_a_panic_in_then_is_an_error() {
    let panics = Completion::ready(()).then(|()| -> Result<()> { panic!("of seven bits") });
    assert!(text(panics.get()).contains("panicked: of seven bits"));
}

#[test]
fn a_completion_is_a_future_on_any_executor() -> Result<()> {
    struct Count(AtomicUsize);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let count = Arc::new(Count(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&count));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(Completion::ready(()).then(|()| {
        std::thread::sleep(Duration::from_millis(50));
        Ok(3)
    }));
    let value = loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => break value?,
            Poll::Pending => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert_eq!(value, 3);
    assert_eq!(count.0.load(Ordering::SeqCst), 1, "it was woken");
    Ok(())
}

#[test]
fn a_leaked_or_dropped_completion_does_no_harm() -> Result<()> {
    for view in launchers() {
        let array = Array::<i32>::builder(4).on(&view).build()?;
        std::mem::forget(copy_async_from(vec![1, 2, 3, 4], &array)?);
        drop(copy_async_into(&array, Vec::new())?);
        assert_eq!(array.to_vec()?, [1, 2, 3, 4]);
    }
    Ok(())
}

#[test]
fn cpy_8_chains_of_six_keep_data_in_order() -> Result<()> {
    for view in launchers() {
        let array = Arc::new(Array::<i32>::builder(1000).on(&view).build()?);
        let mut chain = copy_async_from(vec![0; 1000], &*array)?;
        for _ in 0..6 {
            let array = Arc::clone(&array);
            chain = chain.then(move |mut data| {
                data.iter_mut().for_each(|x| *x += 1);
                let data = copy_async_from(data, &*array)?.get()?;
                copy_async_into(&*array, data)?.get()
            });
        }
        assert_eq!(chain.get()?, [6; 1000], "{view:?}");
    }
    Ok(())
}
