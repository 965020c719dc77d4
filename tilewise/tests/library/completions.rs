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

/// A value that counts its clones.
struct Counted(Arc<AtomicUsize>);

impl Clone for Counted {
    fn clone(&self) -> Counted {
        self.0.fetch_add(1, Ordering::SeqCst);
        Counted(Arc::clone(&self.0))
    }
}

#[test]
fn fut_2_clones_share_one_value_which_the_last_of_them_takes() -> Result<()> {
    let clones = Arc::new(AtomicUsize::new(0));
    let count = || clones.load(Ordering::SeqCst);
    let first = Completion::ready(Counted(Arc::clone(&clones)));
    let (second, third, unused) = (first.clone(), first.clone(), first.clone());
    assert_eq!(count(), 0, "a handle is no copy of the value");
    first.get()?;
    drop(unused);
    assert_eq!(count(), 1);
    let after = third.then(|_| Ok(8));
    assert_eq!(after.get()?, 8);
    assert_eq!(count(), 2);
    second.get()?;
    assert_eq!(count(), 2, "the last takes the value itself");
    let alone = Completion::ready(Counted(Arc::clone(&clones)));
    drop(alone.clone());
    alone.get()?;
    assert_eq!(count(), 2);
    Ok(())
}

#[test]
fn fut_2_clones_see_the_result_of_running_work_each_in_its_way() -> Result<()> {
    let (go_on, may) = channel();
    let (wake, woken) = channel();
    let work = Completion::ready(()).then(move |()| {
        may.recv().unwrap();
        Ok(vec![1, 2, 3])
    });
    let mut polled = work.clone();
    let waker = Waker::from(Arc::new(After(Mutex::new(wake))));
    assert!(Pin::new(&mut polled).poll(&mut Context::from_waker(&waker)).is_pending());
    let sum = work.clone().then(|all| Ok(all.iter().sum::<i32>()));
    let length = work.clone().then(|all| Ok(all.len()));
    let gets = work.clone();
    let thread = std::thread::spawn(move || gets.get());
    assert!(!work.is_complete());
    go_on.send(()).unwrap();
    // While another clone takes its share the task waits once more, and is woken behind that.
    let found = loop {
        woken.recv_timeout(Duration::from_secs(60)).expect("the task is woken");
        if let Poll::Ready(found) = Pin::new(&mut polled).poll(&mut Context::from_waker(&waker)) {
            break found;
        }
    };
    assert_eq!(found?, [1, 2, 3]);
    assert_eq!((sum.get()?, length.get()?), (6, 3));
    assert_eq!(thread.join().expect("it does not panic")?, [1, 2, 3]);
    assert_eq!(work.get()?, [1, 2, 3]);
    Ok(())
}

#[test]
fn fut_2_every_clone_gives_the_error() {
    let failed: Completion<i32> = Completion::ready(()).then(|()| Err(Error::OutOfMemory(3)));
    let clones = [failed.clone(), failed.clone(), failed];
    for clone in clones {
        assert!(matches!(clone.get(), Err(Error::OutOfMemory(3))));
    }
}

#[test]
fn fut_2_a_clone_of_a_handle_that_gave_its_value_gives_it_while_another_has_it() -> Result<()> {
    let mut first = Completion::ready(3);
    let other = first.clone();
    let found = Pin::new(&mut first).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(found, Poll::Ready(Ok(3))));
    assert_eq!(first.clone().get()?, 3);
    assert_eq!(other.get()?, 3);
    assert!(text(first.clone().get()).contains("gives its value once"));
    assert!(text(first.clone().then(|n| Ok(n + 1)).get()).contains("gives its value once"));
    Ok(())
}

/// A value whose clone asks for another share of the value it is a clone of.
struct Recursive;

static ANOTHER_SHARE: Mutex<Option<Completion<Recursive>>> = Mutex::new(None);
static ANSWER: Mutex<Option<Result<()>>> = Mutex::new(None);

impl Clone for Recursive {
    fn clone(&self) -> Recursive {
        let other = ANOTHER_SHARE.lock().unwrap().take();
        if let Some(other) = other {
            *ANSWER.lock().unwrap() = Some(other.get().map(drop));
        }
        Recursive
    }
}

#[test]
fn fut_2_a_clone_that_asks_for_its_own_value_hears_an_error() -> Result<()> {
    let first = Completion::ready(Recursive);
    *ANOTHER_SHARE.lock().unwrap() = Some(first.clone());
    first.clone().get()?;
    let answer = ANSWER.lock().unwrap().take().expect("it was asked");
    assert!(answer.unwrap_err().to_string().contains("which is being cloned"));
    first.get()?;
    Ok(())
}

#[test]
fn fut_2_a_panic_of_the_clone_is_an_error_for_its_handle_alone() -> Result<()> {
    struct NoCopy(i32);
    impl Clone for NoCopy {
        fn clone(&self) -> NoCopy {
            panic!("there is one")
        }
    }
    let first = Completion::ready(NoCopy(5));
    let second = first.clone();
    assert!(text(first.get().map(|_| ())).contains("panicked: there is one"));
    assert_eq!(second.get()?.0, 5);
    Ok(())
}

#[test]
fn fut_5_the_functions_of_clones_may_wait_for_each_other() -> Result<()> {
    let (go_on, may) = channel();
    let work = Completion::ready(()).then(move |()| {
        may.recv().unwrap();
        Ok(2)
    });
    let (say, hear) = channel();
    let (answer, heard) = channel();
    let asks = work.clone().then(move |two| {
        say.send(two).unwrap();
        heard.recv_timeout(Duration::from_secs(60)).map_err(|_| Error::OutOfMemory(1))
    });
    let answers = work.then(move |two| {
        let asked = hear.recv_timeout(Duration::from_secs(60)).map_err(|_| Error::OutOfMemory(2))?;
        answer.send(asked * two).unwrap();
        Ok(())
    });
    go_on.send(()).unwrap();
    assert_eq!(asks.get()?, 4);
    answers.get()
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

#[test]
fn the_panic_of_a_clone_is_said_to_be_one() {
    struct Unclonable;

    impl Clone for Unclonable {
        fn clone(&self) -> Self {
            panic!("my clone")
        }
    }

    let first = Completion::ready(Unclonable);
    let second = first.clone();
    let text = text(first.get().map(drop));
    assert!(text.contains("`clone` of a completion's value panicked: my clone"), "{text}");
    assert!(second.get().is_ok(), "the last handle takes the value itself");
}
