//! Tracks the contents of memory, and records accesses.
//!
//! A load of a value that was just stored or loaded yields the same value again. The value is
//! forgotten when another store may have changed it, and at the beginning and end of a loop. Stores
//! to the worker's memory that nothing loads are removed.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::Rewriter;
use crate::lanes::program::{
    AddressStep, ArenaPart, Effect, LaneAddress, LaneBlock, LaneInst, LaneValue, MemorySpace, Node,
};
use crate::lanes::sum::Sum;
use crate::lanes::walk::access;

/// The known contents of an address.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HeldValue {
    pub(super) at: LaneAddress,
    pub(super) value: LaneValue,
}

/// Contents that are known at a time, at most: each access looks through them. The oldest are forgotten.
const MOST_HELD: usize = 1024;

/// Of the contents before a branch those that both arms keep. An arm keeps them in their order, and adds its own
/// behind them, so one walk finds them.
pub(super) fn kept(before: &[HeldValue], then: &[HeldValue], otherwise: &[HeldValue]) -> Vec<HeldValue> {
    let (mut then, mut otherwise) = (then.iter().peekable(), otherwise.iter().peekable());
    let both = before.iter().filter(|&held| {
        let (in_then, in_otherwise) = (then.next_if_eq(&held), otherwise.next_if_eq(&held));
        in_then.is_some() && in_otherwise.is_some()
    });
    both.cloned().collect()
}

/// The bytes that loads may read: of each memory intervals that do not touch, in order.
struct ReadBytes(Vec<(MemorySpace, Vec<(i64, i64)>)>);

impl ReadBytes {
    fn of(read: Vec<(MemorySpace, (i64, i64))>) -> ReadBytes {
        let mut all = ReadBytes(Vec::new());
        for (space, bytes) in read {
            match all.0.iter_mut().find(|(other, _)| *other == space) {
                Some((_, list)) => list.push(bytes),
                None => all.0.push((space, vec![bytes])),
            }
        }
        for (_, list) in &mut all.0 {
            list.sort_unstable();
            list.dedup_by(|next, last| {
                let meets = next.0 <= last.1;
                last.1 = if meets { last.1.max(next.1) } else { last.1 };
                meets
            });
        }
        all
    }

    /// Is one of these bytes read?
    fn any(&self, space: MemorySpace, from: i64, to: i64) -> bool {
        let Some((_, list)) = self.0.iter().find(|(other, _)| *other == space) else { return false };
        // The first that ends behind the beginning.
        let first = list.partition_point(|&(_, end)| end <= from);
        list.get(first).is_some_and(|&(begin, _)| begin < to)
    }
}

/// An access in one or several iterations of a counted loop.
#[derive(Clone, Debug)]
pub(super) struct LoopAccess {
    pub(super) writes: bool,
    pub(super) at: LaneAddress,
    /// Is it unmasked?
    pub(super) whole: bool,
    /// The change of the address in bytes per increment of the counter, if nothing else changes.
    pub(super) by: Option<i64>,
    /// The counter in the first and in the last of these iterations.
    pub(super) rounds: (i64, i64),
}

/// The bytes of an access relative to base and offset: the first, and one past the last.
pub(super) fn span(at: &LaneAddress, width: u32) -> Option<(i64, i64)> {
    let size = i64::from(at.stored.size());
    let last = match at.along {
        AddressStep::Uniform => 0,
        AddressStep::Step(step) => step.checked_mul(i64::from(width) - 1)?,
        AddressStep::Each(_) => return None,
    };
    Some((at.displacement.checked_add(last.min(0))?, at.displacement.checked_add(last.max(0))?.checked_add(size)?))
}

/// Does a stored value read back unchanged?
const fn comes_back(stored: Stored) -> bool {
    matches!(stored, Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64 | Stored::F32 | Stored::F64)
}

impl Rewriter<'_> {
    /// A load: a known value, or a new load.
    pub(super) fn load(&mut self, at: LaneAddress, mask: Option<LaneValue>, ty: crate::lanes::LaneType) -> LaneValue {
        let at = self.address(at);
        self.accessed(false, &at, mask.is_none());
        if let (None, Some(held)) = (mask, self.held.iter().find(|held| held.at == at))
            && self.b.ty(held.value) == ty
        {
            self.loads_shared += usize::from(ty.is_lanes());
            return held.value;
        }
        if self.promotion.is_some()
            && let Some(value) = self.forwarded(&at, mask, ty)
        {
            return value;
        }
        let value = self.b.here(LaneInst::Load { at: at.clone(), mask }, ty);
        if mask.is_none() && !matches!(at.along, AddressStep::Each(_)) {
            self.hold(at, value);
        }
        value
    }

    /// Writes a store.
    pub(super) fn store(&mut self, at: LaneAddress, value: LaneValue, mask: Option<LaneValue>) {
        let at = self.address(at);
        self.accessed(true, &at, mask.is_none());
        if self.promotion.is_some()
            && let (MemorySpace::Arena(_), Some(mask)) = (at.space, mask)
            && let Some(value) = self.unmasked(&at, value, mask)
        {
            return self.store(at, value, None);
        }
        // The value is already there.
        if matches!(at.space, MemorySpace::Arena(_))
            && self.held.iter().any(|held| held.at == at && held.value == value)
        {
            return;
        }
        self.overwritten(&at);
        self.b.effect(Effect::Store { at: at.clone(), value, mask });
        let apart = match at.along {
            AddressStep::Uniform => !self.b.ty(value).is_lanes(),
            AddressStep::Step(step) => step.unsigned_abs() >= u64::from(at.stored.size()),
            AddressStep::Each(_) => false,
        };
        if mask.is_none() && apart && (comes_back(at.stored) || fault::planted(Fault::NarrowStoreKnown)) {
            self.hold(at, value);
        }
    }

    /// Records the contents of an address.
    fn hold(&mut self, at: LaneAddress, value: LaneValue) {
        if self.held.len() >= MOST_HELD {
            self.held.drain(..MOST_HELD / 2);
        }
        self.held.push(HeldValue { at, value });
    }

    /// Forgets contents that a store may overwrite.
    pub(super) fn overwritten(&mut self, at: &LaneAddress) {
        let width = self.program.width;
        let new = span(at, width);
        self.held.retain(|held| {
            let old = span(&held.at, width);
            held.at.space != at.space
                || fault::planted(Fault::HeldAcrossBases) && held.at.base != at.base
                || held.at.base == at.base
                    && held.at.offset == at.offset
                    && matches!((old, new), (Some(old), Some(new)) if old.1 <= new.0 + i64::from(fault::planted(Fault::HeldAtOverlap)) * 4 || new.1 <= old.0)
        });
    }

    /// Records an access, if recording is enabled.
    fn accessed(&mut self, writes: bool, at: &LaneAddress, whole: bool) {
        let Some(round) = &self.round else { return };
        let by = match at.offset {
            None => Some(0),
            Some(offset) => {
                // A constant too far away for a displacement is in no span.
                let Sum { terms, constant } = self.linear(offset);
                match (terms.as_slice(), round.counter) {
                    (&[(value, n)], Some(counter)) if value == counter && constant == 0 => Some(n),
                    _ => None,
                }
            }
        };
        let rounds = round.rounds;
        self.accesses.push(LoopAccess { writes, at: at.clone(), whole, by, rounds });
    }

    /// Removes stores to the worker's memory that no load can read, and what clears it if nothing is read.
    pub(super) fn unread(&self, body: &mut LaneBlock) {
        let mut read = Vec::new();
        self.reads(body, &mut read);
        let clears = read.iter().any(|(space, _)| matches!(space, MemorySpace::Arena(_)));
        self.sweep(body, &ReadBytes::of(read), clears);
    }

    /// The bytes of a part of the arena that an access may touch; all, if unknown.
    fn bytes(&self, at: &LaneAddress) -> (i64, i64) {
        let all = (i64::MIN, i64::MAX);
        let part = |part| self.arena_base(part) == Some(at.base);
        let MemorySpace::Arena(here) = at.space else { return all };
        let hull = match at.offset {
            None => Some((0, 0)),
            Some(offset) => self.hulls.get(&offset).copied(),
        };
        match (span(at, self.program.width), hull) {
            (Some(span), Some(hull)) if part(here) => (span.0.saturating_add(hull.0), span.1.saturating_add(hull.1)),
            _ => all,
        }
    }

    fn reads(&self, block: &LaneBlock, read: &mut Vec<(MemorySpace, (i64, i64))>) {
        for node in &block.nodes {
            match node {
                Node::Let { inst, .. } => read.extend(access(inst).map(|(at, _)| (at.space, self.bytes(at)))),
                Node::Do { effect, .. } => match effect {
                    Effect::Copy { from, .. } => read.push((from.space, (i64::MIN, i64::MAX))),
                    Effect::Store { .. }
                    | Effect::Clear { .. }
                    | Effect::Message { .. }
                    | Effect::Prefetch { .. }
                    | Effect::Fence => {}
                },
                Node::If { then, otherwise, .. } => {
                    self.reads(then, read);
                    self.reads(otherwise, read);
                }
                Node::Loop { .. } if fault::planted(Fault::UnreadStoreDropped) => {}
                Node::Loop { body, .. } => self.reads(body, read),
                Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn sweep(&self, block: &mut LaneBlock, read: &ReadBytes, clears: bool) {
        block.nodes.retain_mut(|node| {
            match node {
                Node::Do { effect: Effect::Store { at, .. }, .. } => {
                    let own = [ArenaPart::TileStatic, ArenaPart::Private, ArenaPart::Context];
                    let (from, to) = self.bytes(at);
                    return !own.iter().any(|&part| at.space == MemorySpace::Arena(part))
                        || read.any(at.space, from, to);
                }
                Node::Do { effect: Effect::Clear { .. }, .. } => return clears,
                Node::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|arm| self.sweep(arm, read, clears));
                }
                Node::Loop { body, .. } => self.sweep(body, read, clears),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            true
        });
    }
}
