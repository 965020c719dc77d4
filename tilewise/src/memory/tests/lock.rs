//! Tests of the lock: requests that succeed, wait, or are refused. `tests/loom.rs` runs every order
//! of threads.

use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::memory::lock::{Intent, Lock, Wanted, take};
use crate::memory::region::ByteRegion;

fn bytes(range: std::ops::Range<u64>) -> ByteRegion {
    ByteRegion::solid(range.start, range.end - range.start)
}

#[test]
fn readers_agree_writers_do_not() {
    let lock = Lock::default();
    let here = Location::caller();
    let first = lock.guard(bytes(0..8), Intent::Read, here).unwrap();
    let second = lock.guard(bytes(4..12), Intent::Read, here).unwrap();
    assert_eq!(lock.guard(bytes(8..9), Intent::Write, here), Err(here));
    lock.release(second);
    let third = lock.guard(bytes(8..9), Intent::Write, here).unwrap();
    assert_eq!(lock.briefly(&bytes(8..9), Intent::Read, || ()), Err(here));
    assert_eq!(lock.briefly(&bytes(0..8), Intent::Read, || 7), Ok(7));
    lock.release(first);
    lock.release(third);
    assert_eq!(lock.briefly(&bytes(0..100), Intent::Write, || 8), Ok(8));
}

#[test]
fn a_launch_takes_all_or_nothing() {
    let (a, b) = (Lock::default(), Lock::default());
    let here = Location::caller();
    let (low, high) = (bytes(0..4), bytes(4..8));
    let guard = b.guard(high.clone(), Intent::Read, here).unwrap();
    let wanted = |region| vec![Wanted { region, intent: Intent::Write }];
    assert_eq!(take(&[(&a, wanted(&low)), (&b, wanted(&high))]), Err(here));
    // None of it was kept.
    let whole = a.guard(bytes(0..8), Intent::Write, here).unwrap();
    a.release(whole);
    b.release(guard);
    let tickets = take(&[(&a, wanted(&low)), (&b, wanted(&high))]).unwrap();
    assert_eq!(a.briefly(&high, Intent::Write, || 1), Ok(1));
    a.release(tickets[0]);
    b.release(tickets[1]);
}

#[test]
fn a_guard_waits_for_a_launch() {
    let lock = Lock::default();
    let region = bytes(0..4);
    let launch = take(&[(&lock, vec![Wanted { region: &region, intent: Intent::Write }])]).unwrap();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let ticket = lock.guard(region.clone(), Intent::Write, Location::caller()).unwrap();
            assert!(ended.load(Ordering::SeqCst), "the guard did not wait");
            lock.release(ticket);
        });
        thread::sleep(Duration::from_millis(20));
        ended.store(true, Ordering::SeqCst);
        lock.release(launch[0]);
    });
}

#[test]
fn launches_over_the_same_allocations_in_any_order_do_not_hang() {
    let locks = [Lock::default(), Lock::default()];
    let region = bytes(0..4);
    thread::scope(|scope| {
        for flip in [0, 1, 0, 1] {
            let (locks, region) = (&locks, &region);
            scope.spawn(move || {
                for _ in 0..200 {
                    let wanted = || vec![Wanted { region, intent: Intent::Write }];
                    let order = [&locks[flip], &locks[1 - flip]];
                    let tickets = take(&[(order[0], wanted()), (order[1], wanted())]).unwrap();
                    order.iter().zip(tickets).for_each(|(lock, ticket)| lock.release(ticket));
                }
            });
        }
    });
    assert_eq!(locks[0].briefly(&region, Intent::Write, || 3), Ok(3));
}

#[test]
fn what_is_prepared_for_a_guard_is_waited_for_and_then_in_the_way() {
    let lock = Lock::default();
    let here = Location::caller();
    let ticket = lock.prepare(bytes(0..8), Intent::Read).unwrap();
    let began = AtomicBool::new(false);
    thread::scope(|scope| {
        let waits = scope.spawn(|| {
            began.store(true, Ordering::SeqCst);
            lock.briefly(&bytes(4..5), Intent::Write, || ())
        });
        while !began.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(20));
        assert!(!waits.is_finished(), "it waits while the guard is made ready");
        lock.hand_over(ticket, here);
        assert_eq!(waits.join().expect("no panic"), Err(here));
    });
    lock.release(ticket);
    assert_eq!(lock.briefly(&bytes(4..5), Intent::Write, || 3), Ok(3));
}
