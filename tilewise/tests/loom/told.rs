//! Completions, whoever comes first; and launches whose lines and errors several threads are told.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Wake, Waker};

use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use tilewise_ir::launch::Printed;

use crate::completion::Completion;
use crate::pending::{LaunchEnd, Pending, UnaskedLaunches};
use crate::stand_ins::{error::UNASKED, printed::HOOK};
use crate::{Error, Result};

#[test]
fn who_waits_for_a_completion_is_woken() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        completion.wait();
        assert!(completion.is_complete());
        assert_eq!(completion.get().unwrap(), 5);
        worker.join().unwrap();
    });
}

#[test]
fn two_who_wait_are_woken_both() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let completion = Arc::new(completion);
        let other = Arc::clone(&completion);
        let waits = thread::spawn(move || other.wait());
        let worker = thread::spawn(move || promise.keep(Ok(())));
        completion.wait();
        waits.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn what_is_to_run_next_runs_once_whoever_is_first() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        assert_eq!(completion.then(|five| Ok(five + 1)).get().unwrap(), 6);
        worker.join().unwrap();
    });
}

#[test]
fn a_chain_comes_to_its_end_whoever_is_first() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        let chain = completion.then(|five| Ok(five + 1)).then(|six| Ok(six * 2));
        assert_eq!(chain.get().unwrap(), 12);
        worker.join().unwrap();
    });
}

#[test]
fn an_error_comes_to_the_end_of_a_chain_whoever_is_first() {
    loom::model(|| {
        UNASKED.set(0);
        let (completion, promise) = Completion::<i32>::promised();
        let worker = thread::spawn(move || drop(promise));
        let chain = completion.then(|five| Ok(five + 1)).then(|six| Ok(six * 2));
        assert!(matches!(chain.get(), Err(Error::AcceleratorViewRemoved(_))));
        worker.join().unwrap();
        assert_eq!(UNASKED.get(), 0);
    });
}

#[test]
fn two_handles_give_the_value_whoever_is_first() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let other = completion.clone();
        let gets = thread::spawn(move || other.get());
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        assert_eq!(completion.get().unwrap(), 5);
        assert_eq!(gets.join().unwrap().unwrap(), 5);
        worker.join().unwrap();
    });
}

#[test]
fn a_handle_and_the_continuation_of_another_have_the_value_both() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let next = completion.clone();
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        let six = next.then(|five| Ok(five + 1));
        assert_eq!(completion.get().unwrap(), 5);
        assert_eq!(six.get().unwrap(), 6);
        worker.join().unwrap();
    });
}

#[test]
fn an_error_that_one_of_two_handles_gives_is_not_told_elsewhere() {
    loom::model(|| {
        UNASKED.set(0);
        let (completion, promise) = Completion::<()>::promised();
        let other = completion.clone();
        let worker = thread::spawn(move || promise.keep(Err(Error::OutOfMemory(1))));
        let drops = thread::spawn(move || drop(other));
        assert!(completion.get().is_err());
        worker.join().unwrap();
        drops.join().unwrap();
        assert_eq!(UNASKED.get(), 0);
    });
}

#[test]
fn an_error_that_no_handle_gives_is_told_once() {
    loom::model(|| {
        UNASKED.set(0);
        let (completion, promise) = Completion::<()>::promised();
        let other = completion.clone();
        let worker = thread::spawn(move || promise.keep(Err(Error::OutOfMemory(1))));
        let drops = thread::spawn(move || drop(other));
        drop(completion);
        worker.join().unwrap();
        drops.join().unwrap();
        assert_eq!(UNASKED.get(), 1);
    });
}

/// A task that sleeps until it is woken.
struct Sleeper(Mutex<bool>, Condvar);

impl Wake for Sleeper {
    fn wake(self: std::sync::Arc<Self>) {
        *self.0.lock().unwrap() = true;
        self.1.notify_one();
    }
}

#[test]
fn a_task_is_woken_when_there_is_something_for_it() {
    loom::model(|| {
        let (completion, promise) = Completion::promised();
        let worker = thread::spawn(move || promise.keep(Ok(5)));
        let sleeper = std::sync::Arc::new(Sleeper(Mutex::new(false), Condvar::new()));
        let waker = Waker::from(std::sync::Arc::clone(&sleeper));
        let mut completion = pin!(completion);
        let mut poll = || completion.as_mut().poll(&mut Context::from_waker(&waker));
        let value = match poll() {
            Poll::Ready(value) => value,
            Poll::Pending => {
                let mut woken = sleeper.0.lock().unwrap();
                while !*woken {
                    woken = sleeper.1.wait(woken).unwrap();
                }
                drop(woken);
                match poll() {
                    Poll::Ready(value) => value,
                    Poll::Pending => panic!("it was woken"),
                }
            }
        };
        assert_eq!(value.unwrap(), 5);
        worker.join().unwrap();
    });
}

#[test]
fn a_task_is_woken_when_the_result_is_back_from_who_cloned_it() {
    loom::model(|| {
        let completion = Completion::ready(5);
        let other = completion.clone();
        let gets = thread::spawn(move || other.get());
        let sleeper = std::sync::Arc::new(Sleeper(Mutex::new(false), Condvar::new()));
        let waker = Waker::from(std::sync::Arc::clone(&sleeper));
        let mut completion = pin!(completion);
        let mut poll = || completion.as_mut().poll(&mut Context::from_waker(&waker));
        let value = match poll() {
            Poll::Ready(value) => value,
            Poll::Pending => {
                let mut woken = sleeper.0.lock().unwrap();
                while !*woken {
                    woken = sleeper.1.wait(woken).unwrap();
                }
                drop(woken);
                match poll() {
                    Poll::Ready(value) => value,
                    Poll::Pending => panic!("it was woken"),
                }
            }
        };
        assert_eq!(value.unwrap(), 5);
        assert_eq!(gets.join().unwrap().unwrap(), 5);
    });
}

#[test]
fn an_error_that_nobody_reads_is_told_once_whoever_is_first() {
    loom::model(|| {
        UNASKED.set(0);
        let (completion, promise) = Completion::<()>::promised();
        let worker = thread::spawn(move || promise.keep(Err(Error::OutOfMemory(1))));
        drop(completion);
        worker.join().unwrap();
        assert_eq!(UNASKED.get(), 1);
    });
}

#[test]
fn a_promise_that_is_not_kept_is_an_error() {
    loom::model(|| {
        let (completion, promise) = Completion::<()>::promised();
        let worker = thread::spawn(move || drop(promise));
        assert!(matches!(completion.get(), Err(Error::AcceleratorViewRemoved(_))));
        worker.join().unwrap();
    });
}

/// A launch that prints one line and fails.
fn launch(line: &str) -> Arc<Pending> {
    let printed = (vec![Printed { thread: 0, text: line.to_owned() }], 0);
    let ask = move || LaunchEnd { printed, result: Err(Error::OutOfMemory(1)), is_lost: false };
    Arc::new(Pending::new(ask))
}

/// What the hook does from here on. What was there before is dropped while the model still runs.
fn set_hook(hook: impl Fn(&str) + 'static) {
    HOOK.set(Some(Rc::new(hook)));
}

fn errors(results: &[Result<()>]) -> usize {
    results.iter().filter(|result| result.is_err()).count()
}

#[test]
fn of_two_who_ask_one_is_given_the_error_and_the_lines_are_told_once() {
    loom::model(|| {
        let told = Rc::new(Cell::new(0));
        let ears = Rc::clone(&told);
        set_hook(move |_| ears.set(ears.get() + 1));
        let one = launch("a line");
        let other = Arc::clone(&one);
        let asks = thread::spawn(move || other.take());
        let here = one.take();
        assert_eq!(errors(&[here, asks.join().unwrap()]), 1);
        assert_eq!(told.get(), 1);
        assert!(one.is_well());
        HOOK.set(None);
    });
}

#[test]
fn a_hook_may_wait_for_a_thread_that_asks_for_the_same_launch() {
    loom::model(|| {
        let one = launch("a line");
        let same = Arc::clone(&one);
        set_hook(move |_| {
            let asked = Arc::clone(&same);
            assert!(thread::spawn(move || asked.take()).join().unwrap().is_ok());
            assert!(!same.has_failed());
        });
        assert!(one.take().is_err(), "who asked first is given the error");
        HOOK.set(None);
    });
}

#[test]
fn who_touches_what_a_launch_wrote_is_given_its_error_while_another_only_tells_its_lines() {
    loom::model(|| {
        let one = launch("a line");
        let other = Arc::clone(&one);
        let tells = thread::spawn(move || other.tell());
        assert!(one.take().is_err());
        assert!(!one.has_failed());
        tells.join().unwrap();
    });
}

#[test]
fn a_queue_that_is_dropped_tells_lines_and_leaves_errors_to_who_can_ask() {
    loom::model(|| {
        UNASKED.set(0);
        let told = Rc::new(Cell::new(0));
        let ears = Rc::clone(&told);
        set_hook(move |_| ears.set(ears.get() + 1));
        let (written, read) = (launch("written"), launch("read"));
        let queue = UnaskedLaunches::default();
        queue.expect(Arc::clone(&written));
        queue.expect(read);
        let dropping = thread::spawn(move || drop(queue));
        assert!(written.take().is_err());
        dropping.join().unwrap();
        assert_eq!((told.get(), UNASKED.get()), (2, 1));
        HOOK.set(None);
    });
}

#[test]
fn hooks_that_ask_for_each_others_launches_do_not_wait_in_a_circle() {
    loom::model(|| {
        let (one, two) = (launch("one"), launch("two"));
        let given = Rc::new(RefCell::new(Vec::new()));
        let (a, b, inside) = (Arc::clone(&one), Arc::clone(&two), Rc::clone(&given));
        set_hook(move |line| {
            let asked = if line == "one" { b.take() } else { a.take() };
            inside.borrow_mut().push(asked);
        });
        let other = Arc::clone(&two);
        let asks = thread::spawn(move || other.take());
        let here = one.take();
        let there = asks.join().unwrap();
        HOOK.set(None);
        let mut all = given.take();
        all.extend([here, there]);
        all.extend([one.take(), two.take()]);
        assert_eq!(errors(&all), 2);
    });
}

#[test]
fn a_launch_that_comes_while_others_are_waited_for_is_kept() {
    // Many steps: all orders with up to three switches where nothing forces one.
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        UNASKED.set(0);
        let waiting = Arc::new(UnaskedLaunches::default());
        waiting.expect(launch("one"));
        let other = Arc::clone(&waiting);
        let launches = thread::spawn(move || {
            other.expect(launch("two"));
            other.take()
        });
        let here = waiting.take();
        let there = launches.join().unwrap();
        let given = errors(&[here, there, waiting.take(), waiting.take()]);
        drop(waiting);
        assert_eq!((given, UNASKED.get()), (2, 0));
    });
}
