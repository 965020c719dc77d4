//! The lock of an allocation: the regions held, their holders, and waiting for them. Independent of
//! memory, so that a model checker can run it unchanged (`tests/loom.rs` includes this file).
//!
//! # Rules
//! - Regions without a common byte never conflict; overlapping ones conflict unless both are read.
//! - **Launches are waited for**: they end by themselves. **Host guards are not**: the requesting
//!   thread may hold the guard itself. A request for bytes that a guard holds fails at once, with
//!   the guard's line.
//! - A launch takes all its regions, in all allocations, at once or none, so launches never wait
//!   for one another in a cycle.
//! - An access that ends before the call returns ([`Lock::briefly`]) runs under the mutex itself
//!   and is not recorded.
//!
//! # Memory ordering
//! Each allocation has one mutex, which protects all state here. A holder takes a region after the
//! previous holder released it under the same mutex, so it sees the previous holder's writes.

use std::panic::Location;
use std::sync::PoisonError;

use smallvec::SmallVec;

use super::region::ByteRegion;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// The access to a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intent {
    /// Shared with other readers.
    Read,
    /// Exclusive.
    Write,
}

impl Intent {
    /// Whether two accesses of one byte conflict: one of them writes.
    pub(crate) fn conflicts(self, other: Intent) -> bool {
        self == Intent::Write || other == Intent::Write
    }
}

/// The holder of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    /// A host guard, with its source location.
    Guard(&'static Location<'static>),
    /// A launch.
    Launch,
}

/// Identifies held regions until their release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket(u64);

/// A region that a launch requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'r> {
    /// The region.
    pub(crate) region: &'r ByteRegion,
    /// Its access.
    pub(crate) intent: Intent,
}

/// One for each allocation of a launch, which are few as a rule.
pub(crate) type PerAllocation<T> = SmallVec<[T; 4]>;

/// The source location of the guard that blocks a request.
pub(crate) type Guarded = &'static Location<'static>;

#[derive(Debug)]
struct HeldRegion {
    ticket: Ticket,
    region: ByteRegion,
    intent: Intent,
    holder: Holder,
}

#[derive(Debug, Default)]
struct LockState {
    held: Vec<HeldRegion>,
    last: u64,
    /// The number of threads that wait for a launch.
    waiting: usize,
}

/// The holder that blocks a request.
enum Obstacle {
    Guard(Guarded),
    Launch,
}

impl LockState {
    /// The holder that blocks an access. A guard takes precedence over a launch: waiting for the
    /// launch first would be of no use.
    fn obstacle(&self, region: &ByteRegion, intent: Intent) -> Option<Obstacle> {
        let mut found = None;
        for held in self.held.iter().filter(|held| held.intent.conflicts(intent) && held.region.overlaps(region)) {
            match held.holder {
                Holder::Guard(at) => return Some(Obstacle::Guard(at)),
                Holder::Launch => found = Some(Obstacle::Launch),
            }
        }
        found
    }

    fn next(&mut self) -> Ticket {
        self.last += 1;
        Ticket(self.last)
    }
}

/// The lock of one allocation.
#[derive(Debug)]
pub(crate) struct Lock {
    state: Mutex<LockState>,
    /// Notified when a launch releases its regions.
    ended: Condvar,
}

impl Default for Lock {
    fn default() -> Lock {
        Lock { state: Mutex::new(LockState::default()), ended: Condvar::new() }
    }
}

impl Lock {
    fn state(&self) -> MutexGuard<'_, LockState> {
        // A panic leaves consistent state: each change is a single push or retain.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no launch blocks the access.
    fn free(&self, region: &ByteRegion, intent: Intent) -> Result<MutexGuard<'_, LockState>, Guarded> {
        let mut state = self.state();
        loop {
            match state.obstacle(region, intent) {
                None => return Ok(state),
                Some(Obstacle::Guard(at)) => return Err(at),
                Some(Obstacle::Launch) => state = self.wait_for_end(state),
            }
        }
    }

    /// Waits until a launch releases its regions, or for no reason.
    fn wait_for_end<'a>(&self, mut state: MutexGuard<'a, LockState>) -> MutexGuard<'a, LockState> {
        state.waiting += 1;
        let mut state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Takes a region for a guard.
    pub(crate) fn guard(&self, region: ByteRegion, intent: Intent, at: Guarded) -> Result<Ticket, Guarded> {
        let mut state = self.free(&region, intent)?;
        let ticket = state.next();
        state.held.push(HeldRegion { ticket, region, intent, holder: Holder::Guard(at) });
        Ok(ticket)
    }

    /// Takes a region for a guard whose contents are not in place yet: until
    /// [`hand_over`](Lock::hand_over), other requests wait for it as for a launch.
    pub(crate) fn prepare(&self, region: ByteRegion, intent: Intent) -> Result<Ticket, Guarded> {
        let mut state = self.free(&region, intent)?;
        let ticket = state.next();
        state.held.push(HeldRegion { ticket, region, intent, holder: Holder::Launch });
        Ok(ticket)
    }

    /// A prepared region becomes a guard's, with its source location.
    pub(crate) fn hand_over(&self, ticket: Ticket, at: Guarded) {
        let mut state = self.state();
        state.held.iter_mut().filter(|held| held.ticket == ticket).for_each(|held| held.holder = Holder::Guard(at));
        let awaited = state.waiting > 0;
        drop(state);
        // Waiting threads now find the guard.
        if awaited {
            self.ended.notify_all();
        }
    }

    /// Runs `access` while nothing else can take the region. `access` must not use this lock.
    pub(crate) fn briefly<R>(
        &self,
        region: &ByteRegion,
        intent: Intent,
        access: impl FnOnce() -> R,
    ) -> Result<R, Guarded> {
        let _state = self.free(region, intent)?;
        Ok(access())
    }

    /// Releases the regions of a ticket.
    pub(crate) fn release(&self, ticket: Ticket) {
        let mut state = self.state();
        let mut launch = false;
        state.held.retain(|held| {
            let mine = held.ticket == ticket;
            launch |= mine && held.holder == Holder::Launch;
            !mine
        });
        // Without this number each launch would call the system for each of its views.
        let awaited = launch && state.waiting > 0;
        drop(state);
        if awaited {
            self.ended.notify_all();
        }
    }
}

/// Takes all regions of a launch, in all its allocations, or none. Returns one ticket per
/// allocation, in the order given. The allocations must be distinct.
pub(crate) fn take<'r, W: AsRef<[Wanted<'r>]>>(allocations: &[(&Lock, W)]) -> Result<PerAllocation<Ticket>, Guarded> {
    // All threads lock mutexes in the order of their addresses.
    let mut order: PerAllocation<usize> = (0..allocations.len()).collect();
    order.sort_by_key(|&i| std::ptr::from_ref(allocations[i].0).addr());
    'retry: loop {
        let mut states: PerAllocation<Option<MutexGuard<'_, LockState>>> = allocations.iter().map(|_| None).collect();
        for &i in &order {
            states[i] = Some(allocations[i].0.state());
        }
        let mut launch = None;
        for (i, (state, (_, wanted))) in states.iter().zip(allocations).enumerate() {
            for want in wanted.as_ref() {
                match state.as_ref().and_then(|state| state.obstacle(want.region, want.intent)) {
                    None => {}
                    Some(Obstacle::Guard(at)) => return Err(at),
                    Some(Obstacle::Launch) => launch = Some(i),
                }
            }
        }
        if let Some(i) = launch {
            // Only the allocation that the other launch holds stays locked until this thread
            // sleeps, so its end cannot be missed.
            let state = states[i].take();
            drop(states);
            if let Some(state) = state {
                drop(allocations[i].0.wait_for_end(state));
            }
            continue 'retry;
        }
        let tickets = states.iter_mut().zip(allocations).map(|(state, (_, wanted))| {
            let state = state.as_mut().expect("every allocation was locked above");
            let ticket = state.next();
            let held = |want: &Wanted<'_>| HeldRegion {
                ticket,
                region: want.region.clone(),
                intent: want.intent,
                holder: Holder::Launch,
            };
            state.held.extend(wanted.as_ref().iter().map(held));
            ticket
        });
        return Ok(tickets.collect());
    }
}
