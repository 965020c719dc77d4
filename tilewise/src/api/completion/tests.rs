//! Chains of any length, and code of the program that panics where nobody expects it.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use crate::Error;
use crate::api::completion::Completion;

/// Links of a long chain. (Miri would take hours for as many.)
const MANY: usize = if cfg!(miri) { 300 } else { 1_000_000 };

/// On a thread with so little stack that each link may take no more than a fraction of a byte of it.
fn with_little_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(512 << 10).spawn(test).expect("there is a thread");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// A chain behind `first` that counts its links.
fn chain(first: Completion<usize>) -> Completion<usize> {
    (0..MANY).fold(first, |before, _| before.then(|count| Ok(count + 1)))
}

#[test]
fn a_chain_of_any_length_hands_on_its_value() {
    with_little_stack(|| {
        let (first, promise) = Completion::promised();
        let last = chain(first);
        promise.keep(Ok(0));
        assert_eq!(last.get().unwrap(), MANY);
        assert_eq!(chain(Completion::ready(5)).get().unwrap(), MANY + 5);
    });
}

#[test]
fn a_chain_of_any_length_hands_on_an_error() {
    with_little_stack(|| {
        let (first, promise) = Completion::promised();
        let last = chain(first);
        promise.keep(Err(Error::OutOfMemory(7)));
        assert!(matches!(last.get(), Err(Error::OutOfMemory(7))));
        let failed = Completion::ready(0).then(|_| Err(Error::OutOfMemory(8)));
        assert!(matches!(chain(failed).get(), Err(Error::OutOfMemory(8))));
    });
}

#[test]
fn a_chain_of_any_length_ends_when_the_work_is_given_up() {
    with_little_stack(|| {
        let (first, promise) = Completion::promised();
        let last = chain(first);
        drop(promise);
        assert!(matches!(last.get(), Err(Error::AcceleratorViewRemoved(_))));
    });
}

#[test]
fn a_chain_of_any_length_that_nobody_waits_for_runs_to_its_end() {
    with_little_stack(|| {
        let (first, promise) = Completion::promised();
        let (tell, told) = channel();
        drop(chain(first).then(move |count| {
            tell.send(count).unwrap();
            Ok(())
        }));
        promise.keep(Ok(0));
        assert_eq!(told.recv().unwrap(), MANY);
        // Nor does one that fails, whose functions are dropped unrun.
        struct Counted(Arc<AtomicUsize>);
        impl Drop for Counted {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }
        let dropped = Arc::new(AtomicUsize::new(0));
        let (first, promise) = Completion::promised();
        let last = (0..MANY).fold(first, |before, _| {
            let counted = Counted(dropped.clone());
            before.then(move |()| {
                drop(counted);
                Ok(())
            })
        });
        drop(last.then(|()| Ok(())));
        drop(promise);
        assert_eq!(dropped.load(Ordering::SeqCst), MANY);
    });
}

/// Wakes by a message.
struct Bell(Mutex<std::sync::mpsc::Sender<()>>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().send(()).unwrap();
    }
}

#[test]
fn a_chain_of_any_length_wakes_the_task_that_waits_for_it() {
    with_little_stack(|| {
        for fails in [false, true] {
            let (ring, rings) = channel();
            let waker = Waker::from(Arc::new(Bell(Mutex::new(ring))));
            let (first, promise) = Completion::promised();
            let mut last = chain(first);
            let mut poll = || Pin::new(&mut last).poll(&mut Context::from_waker(&waker));
            assert!(poll().is_pending());
            promise.keep(if fails { Err(Error::OutOfMemory(1)) } else { Ok(0) });
            rings.recv().unwrap();
            match poll() {
                Poll::Ready(Ok(count)) => assert!(!fails && count == MANY),
                Poll::Ready(Err(_)) => assert!(fails),
                Poll::Pending => panic!("it was woken"),
            }
        }
    });
}

#[test]
fn any_number_of_completions_are_one() {
    with_little_stack(|| {
        let ready = || (0..MANY).map(|_| Completion::ready(()));
        Completion::of_all(ready()).get().unwrap();
        let failed = Completion::ready(()).then(|()| Err(Error::OutOfMemory(3)));
        assert!(matches!(Completion::of_all([failed].into_iter().chain(ready())).get(), Err(Error::OutOfMemory(3))));
        let (pending, promise) = Completion::promised();
        let all = Completion::of_all([pending].into_iter().chain(ready()));
        drop(promise);
        assert!(matches!(all.get(), Err(Error::AcceleratorViewRemoved(_))));
    });
}

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

#[test]
fn forks_of_any_number_take_constant_stack() {
    with_little_stack(|| {
        // Each link has two continuations.
        for fails in [false, true] {
            let (first, promise) = Completion::promised();
            let (mut last, mut ends) = (first, Vec::new());
            for at in 0..MANY.min(1000) {
                ends.push(last.clone().then(move |count: usize| Ok(count - at)));
                last = last.then(|count| Ok(count + 1));
            }
            promise.keep(if fails { Err(Error::OutOfMemory(7)) } else { Ok(0) });
            match last.get() {
                Ok(count) => assert!(!fails && count == ends.len()),
                Err(error) => assert!(fails && matches!(error, Error::OutOfMemory(7))),
            }
            for end in ends {
                match end.get() {
                    Ok(nothing) => assert!(!fails && nothing == 0),
                    Err(error) => assert!(fails && matches!(error, Error::OutOfMemory(7))),
                }
            }
        }
    });
}
