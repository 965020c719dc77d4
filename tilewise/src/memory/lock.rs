//! The lock of an allocation: which regions are held, by whom, and who waits for whom. Knows
//! nothing of memory, so that a model checker can run it as it is (`tests/loom.rs` includes this
//! file).
//!
//! # The rules
//! - Regions that share no byte never conflict; of those that do, readers agree with readers.
//! - **A launch is waited for**: it ends by itself. **A host guard is not**: who holds it may be the one who asks. Asking for what a guard holds fails at once, with the guard's line.
//! - A launch takes all its regions, in all allocations, at once or none, so launches never wait
//!   for one another in a circle.
//! - An access that is over when the call returns ([`Lock::briefly`]) is done under the mutex itself and leaves no trace.
//!
//! # Memory ordering
//! Each allocation has one mutex, which everything here is under. Who takes a region has locked the
//! mutex after the one who gave it back, so it sees what was written.

use std::panic::Location;
use std::sync::PoisonError;

use super::region::ByteRegion;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// What is done with a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intent {
    /// Others may read too.
    Read,
    /// Nobody else.
    Write,
}

impl Intent {
    /// Whether one of two who touch a byte writes.
    pub(crate) fn conflicts(self, other: Intent) -> bool {
        self == Intent::Write || other == Intent::Write
    }
}

/// Who holds a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    /// A host guard, taken there.
    Guard(&'static Location<'static>),
    /// A launch.
    Launch,
}

/// What was taken, to be given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket(u64);

/// A region that a launch asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'r> {
    /// Which.
    pub(crate) region: &'r ByteRegion,
    /// What for.
    pub(crate) intent: Intent,
}

/// Where the guard was taken that stands in the way.
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
}

/// Who stands in the way.
enum Obstacle {
    Guard(Guarded),
    Launch,
}

impl LockState {
    /// What stands in the way of an access. A guard goes before a launch: there is no use in waiting for the launch first.
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
    /// A launch has given its regions back.
    ended: Condvar,
}

impl Default for Lock {
    fn default() -> Lock {
        Lock { state: Mutex::new(LockState::default()), ended: Condvar::new() }
    }
}

impl Lock {
    fn state(&self) -> MutexGuard<'_, LockState> {
        // Nothing is left half done by a panic: each change of the state is a single push or retain.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no launch is in the way.
    fn free(&self, region: &ByteRegion, intent: Intent) -> Result<MutexGuard<'_, LockState>, Guarded> {
        let mut state = self.state();
        loop {
            match state.obstacle(region, intent) {
                None => return Ok(state),
                Some(Obstacle::Guard(at)) => return Err(at),
                Some(Obstacle::Launch) => {
                    state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Takes a region for a guard.
    pub(crate) fn guard(&self, region: ByteRegion, intent: Intent, at: Guarded) -> Result<Ticket, Guarded> {
        let mut state = self.free(&region, intent)?;
        let ticket = state.next();
        state.held.push(HeldRegion { ticket, region, intent, holder: Holder::Guard(at) });
        Ok(ticket)
    }

    /// Takes a region for a guard that is yet to be made ready: until [`hand_over`](Lock::hand_over) others wait for it, as for a launch.
    pub(crate) fn prepare(&self, region: ByteRegion, intent: Intent) -> Result<Ticket, Guarded> {
        let mut state = self.free(&region, intent)?;
        let ticket = state.next();
        state.held.push(HeldRegion { ticket, region, intent, holder: Holder::Launch });
        Ok(ticket)
    }

    /// What was prepared is a guard's from now on, taken there.
    pub(crate) fn hand_over(&self, ticket: Ticket, at: Guarded) {
        let mut state = self.state();
        state.held.iter_mut().filter(|held| held.ticket == ticket).for_each(|held| held.holder = Holder::Guard(at));
        drop(state);
        // Who waited for it now learns that there is a guard.
        self.ended.notify_all();
    }

    /// Runs `access` while nobody else can take the region. It must not come back to this lock.
    pub(crate) fn briefly<R>(
        &self,
        region: &ByteRegion,
        intent: Intent,
        access: impl FnOnce() -> R,
    ) -> Result<R, Guarded> {
        let _state = self.free(region, intent)?;
        Ok(access())
    }

    /// Gives back what was taken.
    pub(crate) fn release(&self, ticket: Ticket) {
        let mut state = self.state();
        let mut launch = false;
        state.held.retain(|held| {
            let mine = held.ticket == ticket;
            launch |= mine && held.holder == Holder::Launch;
            !mine
        });
        drop(state);
        if launch {
            self.ended.notify_all();
        }
    }
}

/// Takes all regions of a launch, in all its allocations, or none. One ticket for each allocation,
/// in the order given. The allocations must be distinct.
pub(crate) fn take(allocations: &[(&Lock, Vec<Wanted<'_>>)]) -> Result<Vec<Ticket>, Guarded> {
    // Everyone locks mutexes in the order of their addresses.
    let mut order: Vec<usize> = (0..allocations.len()).collect();
    order.sort_by_key(|&i| std::ptr::from_ref(allocations[i].0).addr());
    'retry: loop {
        let mut states: Vec<Option<MutexGuard<'_, LockState>>> = allocations.iter().map(|_| None).collect();
        for &i in &order {
            states[i] = Some(allocations[i].0.state());
        }
        let mut launch = None;
        for (i, (state, (_, wanted))) in states.iter().zip(allocations).enumerate() {
            for want in wanted {
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
                drop(allocations[i].0.ended.wait(state));
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
            state.held.extend(wanted.iter().map(held));
            ticket
        });
        return Ok(tickets.collect());
    }
}
