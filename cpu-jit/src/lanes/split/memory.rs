//! What memory is known to hold, and who touches what.
//!
//! A load of what was just stored or loaded gives the same value again. That is forgotten where something else may have been stored since, and where a
//! loop begins or ends. What is stored in the worker's memory and never loaded by anything is not stored.

use tilewise_ir::types::Stored;

use super::Rewriter;
use crate::lanes::program::{
    AddressStep, ArenaPart, Effect, LaneAddress, LaneBlock, LaneInst, LaneValue, MemorySpace, Node,
};
use crate::lanes::walk::access;

/// What lies at an address.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HeldValue {
    pub(super) at: LaneAddress,
    pub(super) value: LaneValue,
}

/// An access in a round of a counted loop, or in some of them.
#[derive(Clone, Debug)]
pub(super) struct LoopAccess {
    pub(super) writes: bool,
    pub(super) at: LaneAddress,
    /// No mask.
    pub(super) whole: bool,
    /// By how many bytes it goes on when the counter goes on by one, if that is all that changes.
    pub(super) by: Option<i64>,
    /// The counter in the first and in the last of these rounds.
    pub(super) rounds: (i64, i64),
}

/// Bytes of an access behind base and offset: the first, and the first that is beyond.
pub(super) fn span(at: &LaneAddress, width: u32) -> Option<(i64, i64)> {
    let size = i64::from(at.stored.size());
    let last = match at.along {
        AddressStep::Uniform => 0,
        AddressStep::Step(step) => step.checked_mul(i64::from(width) - 1)?,
        AddressStep::Each(_) => return None,
    };
    Some((at.displacement.checked_add(last.min(0))?, at.displacement.checked_add(last.max(0))?.checked_add(size)?))
}

/// Does what is stored come back as it was?
const fn comes_back(stored: Stored) -> bool {
    matches!(stored, Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64 | Stored::F32 | Stored::F64)
}

impl Rewriter<'_> {
    /// A load: known already, or written here.
    pub(super) fn load(&mut self, at: LaneAddress, mask: Option<LaneValue>, ty: crate::lanes::LaneType) -> LaneValue {
        let at = self.address(at);
        self.accessed(false, &at, mask.is_none());
        if let (None, Some(held)) = (mask, self.held.iter().find(|held| held.at == at))
            && self.b.ty(held.value) == ty
        {
            self.loads_shared += usize::from(ty.is_lanes());
            return held.value;
        }
        let value = self.b.here(LaneInst::Load { at: at.clone(), mask }, ty);
        if mask.is_none() && !matches!(at.along, AddressStep::Each(_)) {
            self.held.push(HeldValue { at, value });
        }
        value
    }

    /// A store.
    pub(super) fn store(&mut self, at: LaneAddress, value: LaneValue, mask: Option<LaneValue>) {
        let at = self.address(at);
        self.accessed(true, &at, mask.is_none());
        // It is there already.
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
        if mask.is_none() && apart && comes_back(at.stored) {
            self.held.push(HeldValue { at, value });
        }
    }

    /// Forgets what is not there any more.
    pub(super) fn overwritten(&mut self, at: &LaneAddress) {
        let width = self.program.width;
        let new = span(at, width);
        self.held.retain(|held| {
            let old = span(&held.at, width);
            held.at.space != at.space
                || held.at.base == at.base
                    && held.at.offset == at.offset
                    && matches!((old, new), (Some(old), Some(new)) if old.1 <= new.0 || new.1 <= old.0)
        });
    }

    /// Notes an access for who asked for it.
    fn accessed(&mut self, writes: bool, at: &LaneAddress, whole: bool) {
        let Some(round) = &self.round else { return };
        let by = match at.offset {
            None => Some(0),
            Some(offset) => match (self.linear(offset).terms.as_slice(), round.counter) {
                (&[(value, n)], Some(counter)) if value == counter => Some(n),
                _ => None,
            },
        };
        let rounds = round.rounds;
        self.accesses.push(LoopAccess { writes, at: at.clone(), whole, by, rounds });
    }

    /// Takes out stores to the worker's memory that no load can meet.
    pub(super) fn unread(&self, body: &mut LaneBlock) {
        let mut read = Vec::new();
        self.reads(body, &mut read);
        self.sweep(body, &read);
    }

    /// Bytes of a part of the arena that an access may touch; all, if they are not known.
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
                    Effect::Store { .. } | Effect::Clear { .. } | Effect::Message { .. } | Effect::Fence => {}
                },
                Node::If { then, otherwise, .. } => {
                    self.reads(then, read);
                    self.reads(otherwise, read);
                }
                Node::Loop { body, .. } => self.reads(body, read),
                Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn sweep(&self, block: &mut LaneBlock, read: &[(MemorySpace, (i64, i64))]) {
        block.nodes.retain_mut(|node| {
            match node {
                Node::Do { effect: Effect::Store { at, .. }, .. } => {
                    let own = [ArenaPart::TileStatic, ArenaPart::Private, ArenaPart::Context];
                    let (from, to) = self.bytes(at);
                    return !own.iter().any(|&part| at.space == MemorySpace::Arena(part))
                        || read.iter().any(|&(space, (first, end))| space == at.space && first < to && from < end);
                }
                Node::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|arm| self.sweep(arm, read)),
                Node::Loop { body, .. } => self.sweep(body, read),
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
            true
        });
    }
}
