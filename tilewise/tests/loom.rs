//! Every order in which threads can come to the lock of an allocation, to a completion, and to
//! launches whose end is reported: loom, a model checker, goes through them.
//!
//! The library's own files are included here, with the checker's mutexes in the place of std's.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "of the files of the library, not all is used here, and nobody can reach it"
)]

mod sync {
    //! The checker's.
    pub(crate) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::{ThreadId, current};
}

mod api {
    pub(crate) use crate::completion_state;
    pub(crate) use crate::stand_ins::{error, hook, printed};
}

#[path = "../src/api/completion.rs"]
mod completion;
#[path = "../src/api/completion_state.rs"]
mod completion_state;
#[path = "../src/memory/pending.rs"]
mod pending;
#[path = "loom/stand_ins.rs"]
mod stand_ins;
#[path = "loom/told.rs"]
mod told;
#[path = "../src/user_code.rs"]
mod user_code;

use stand_ins::workers;
use tilewise::{Error, Result};

#[path = "../src/memory/lock.rs"]
mod lock;
#[path = "../src/memory/region.rs"]
mod region;

use std::panic::Location;

use lock::{Guarded, Intent, Lock, Ticket, Wanted, take};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use region::ByteRegion;

/// Two bytes and their lock. A byte is read and written in two relaxed steps, so that an access which the lock lets in too early, or shows too little of what was before, loses an addition.
#[derive(Default)]
struct Allocation {
    lock: Lock,
    bytes: [AtomicUsize; 2],
}

impl Allocation {
    fn add(&self, at: usize) {
        let before = self.bytes[at].load(Ordering::Relaxed);
        thread::yield_now();
        self.bytes[at].store(before + 1, Ordering::Relaxed);
    }

    /// What the bytes hold, as one who has the lock sees it.
    fn seen(&self) -> [usize; 2] {
        let look = || [0, 1].map(|at: usize| self.bytes[at].load(Ordering::Relaxed));
        self.lock.briefly(&both(), Intent::Read, look).expect("all guards are given back")
    }

    /// As a launch: waits for others, and fails where a guard is in the way.
    fn launch(&self, region: &ByteRegion, intent: Intent) -> Result<Ticket, Guarded> {
        take(&[(&self.lock, vec![Wanted { region, intent }])]).map(|tickets| tickets[0])
    }
}

fn byte(at: usize) -> ByteRegion {
    ByteRegion::solid(at as u64, 1)
}

fn both() -> ByteRegion {
    ByteRegion::solid(0, 2)
}

/// What a launch that always succeeds does.
fn launch_and_add(allocation: &Allocation, at: usize) {
    let ticket = allocation.launch(&byte(at), Intent::Write).expect("there is no guard");
    allocation.add(at);
    allocation.lock.release(ticket);
}

#[test]
fn launches_take_turns() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::default());
        let other = Arc::clone(&allocation);
        let thread = thread::spawn(move || launch_and_add(&other, 0));
        launch_and_add(&allocation, 0);
        thread.join().unwrap();
        assert_eq!(allocation.seen(), [2, 0]);
    });
}

#[test]
fn a_guard_waits_for_a_launch_and_a_launch_fails_on_a_guard() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::default());
        let other = Arc::clone(&allocation);
        let thread = thread::spawn(move || match other.launch(&both(), Intent::Write) {
            Ok(ticket) => {
                other.add(0);
                other.lock.release(ticket);
                1
            }
            Err(_) => 0,
        });
        let ticket =
            allocation.lock.guard(byte(0), Intent::Write, Location::caller()).expect("there is no other guard");
        allocation.add(0);
        allocation.lock.release(ticket);
        let launched = thread.join().unwrap();
        assert_eq!(allocation.seen(), [1 + launched, 0]);
    });
}

#[test]
fn of_two_guards_one_may_fail_and_none_is_disturbed() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::default());
        let other = Arc::clone(&allocation);
        let add = |allocation: &Allocation| match allocation.lock.guard(byte(1), Intent::Write, Location::caller()) {
            Ok(ticket) => {
                allocation.add(1);
                allocation.lock.release(ticket);
                1
            }
            Err(_) => 0,
        };
        let thread = thread::spawn(move || add(&other));
        let added = add(&allocation);
        let added = added + thread.join().unwrap();
        assert!(added >= 1);
        assert_eq!(allocation.seen(), [0, added]);
    });
}

#[test]
fn launches_over_two_homes_in_either_order_neither_hang_nor_meet() {
    loom::model(|| {
        // In one array, so that their addresses, by which they are locked, have the same order in each run.
        let allocations = Arc::new([Allocation::default(), Allocation::default()]);
        let run = |allocations: &[Allocation; 2], order: [usize; 2]| {
            let region = byte(0);
            let wanted = order.map(|i| (&allocations[i].lock, vec![Wanted { region: &region, intent: Intent::Write }]));
            let tickets = take(&wanted).expect("there is no guard");
            for i in order {
                allocations[i].add(0);
            }
            order.iter().zip(tickets).for_each(|(&i, ticket)| allocations[i].lock.release(ticket));
        };
        let other = Arc::clone(&allocations);
        let thread = thread::spawn(move || run(&other, [1, 0]));
        run(&allocations, [0, 1]);
        thread.join().unwrap();
        assert_eq!([allocations[0].seen(), allocations[1].seen()], [[2, 0], [2, 0]]);
    });
}

#[test]
fn a_single_access_waits_for_a_launch() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::default());
        let other = Arc::clone(&allocation);
        let thread = thread::spawn(move || launch_and_add(&other, 0));
        allocation.lock.briefly(&byte(0), Intent::Write, || allocation.add(0)).expect("there is no guard");
        thread.join().unwrap();
        assert_eq!(allocation.seen(), [2, 0]);
    });
}

#[test]
fn who_waits_for_two_launches_is_woken_by_the_last() {
    let mut model = loom::model::Builder::new();
    // Three threads: all orders with up to three switches where nothing forces one.
    model.preemption_bound = Some(3);
    model.check(|| {
        let allocation = Arc::new(Allocation::default());
        let threads = [0, 1].map(|at| {
            let other = Arc::clone(&allocation);
            thread::spawn(move || launch_and_add(&other, at))
        });
        let ticket = allocation.launch(&both(), Intent::Write).expect("there is no guard");
        allocation.add(0);
        allocation.add(1);
        allocation.lock.release(ticket);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(allocation.seen(), [2, 2]);
    });
}

#[test]
fn readers_read_together() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::default());
        let other = Arc::clone(&allocation);
        let thread = thread::spawn(move || {
            let ticket = other.launch(&both(), Intent::Read).expect("the guard only reads");
            other.lock.release(ticket);
        });
        let ticket = allocation.lock.guard(byte(0), Intent::Read, Location::caller()).expect("the launch only reads");
        allocation.lock.release(ticket);
        thread.join().unwrap();
        assert_eq!(allocation.seen(), [0, 0]);
    });
}
