//! Tiles with barriers.
//!
//! The tile's own code is scalar: it goes from region to region ([`super::cross`]), and through the constructs that hold barriers. A region is all strips of the
//! tile, one after the other; each takes up what its threads kept and keeps what they need later.
//!
//! # Who is here
//! As long as all conditions around barriers are proved to be the same in the whole tile, everybody is, and a condition is a scalar. Where that is not
//! proved the threads **vote**: if they disagree, both ways are walked, each with its own **crowd**, a mask in the worker's memory. That alone is no fault: a
//! barrier may lie on neither way. Only at a barrier it is judged whether the crowd is all threads that are left; if it is not, those of the crowd **stop**
//! there: where they stopped is noted, they take part in nothing further, and the walk goes on for the others, who will stop somewhere too. At the end of
//! the tile the program exits with what was noted. So every thread's way is told, exactly as if each had walked alone.
//!
//! Threads that `return`, `error` or `abort` are gone too; a barrier after a return of some is judged alike, while those that `error` or `abort` ended
//! are missed by nobody. One case is beyond this walk: threads stop at a barrier because others are elsewhere, and these all end by `error` or `abort` when it
//! is their turn, so that nobody was missing. Where that can be, the program is [doubtful](crate::lanes::LaneProgram::doubtful), and whoever launches it
//! keeps what the memory was; should it happen, the launch is made again by the interpreter.

mod context;
mod crowd;
mod lifted;
mod region;
mod rounds;

use tilewise_ir::analysis::uniformity::TileAgreement;
use tilewise_ir::kernel::{Block, Inst, InstKind, ValueId};
use tilewise_ir::types::Stored;

use crate::hash::HashMap;
use crate::lanes::{AddressStep, ArenaPart, Effect, Elem, ExitStatus, LaneAddress, LaneValue, MemorySpace, ThreadStop};
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::{Carry, RegionLiveness};
use crate::vectorize::nest::Strips;
use crate::vectorize::state::{Formed, PartNumber, Vectorizer};

/// Rounds up to which a loop with barriers is written out, and how much it may do in each.
const ROUNDS: usize = 10;
const ONE_BY_ONE: u32 = 60;

/// Bytes behind the first for each strip, times the width: a place in the context for each thread.
pub(in crate::vectorize) type ContextSlot = u64;

/// What is known at tile level.
#[derive(Clone, Debug, Default)]
pub(in crate::vectorize) struct Tile {
    pub(in crate::vectorize) crossing: RegionLiveness,
    /// Can threads part at a barrier, as far as is known?
    pub(in crate::vectorize) parting: bool,
    /// Can threads end before the tile does?
    pub(in crate::vectorize) ending: bool,
    /// Can those who are elsewhere end by `error` or `abort`, so that nobody is missed?
    pub(in crate::vectorize) doubtful: bool,
    /// Bytes of context in use for each thread.
    pub(in crate::vectorize) context: u64,
    /// Threads that are gone.
    gone: Option<ContextSlot>,
    crowds: Vec<Crowd>,
    /// Where kept values and parts are.
    values: HashMap<ValueId, Vec<(ContextSlot, Elem)>>,
    parts: HashMap<PartNumber, (ContextSlot, Elem)>,
    /// Rounds of the loops around.
    rounds: Vec<LaneValue>,
    /// At tile level: has somebody stopped apart from others, has somebody returned? `bool` parts.
    apart: PartNumber,
    returned: PartNumber,
    pub(in crate::vectorize) stops: Vec<ThreadStop>,
    pub(in crate::vectorize) vote_words: u32,
    number: Option<LaneValue>,
    /// Instructions that make values, to make them again.
    makers: HashMap<ValueId, Inst>,
    /// Is one strip enough for what is being written?
    pub(in crate::vectorize) one_strip: bool,
    /// Are we inside a strip of a region?
    inside: bool,
    /// In a region, the values that others use, as parts: lanes may leave before one is made, and what comes after it is then an arm of its own.
    pub(super) made: HashMap<ValueId, Vec<PartNumber>>,
}

/// The threads that walk together.
#[derive(Clone, Copy, Debug)]
pub(in crate::vectorize) struct Crowd {
    /// Their mask; nothing if they are those of the crowd around.
    slot: Option<ContextSlot>,
    /// Are others elsewhere? A `bool` part.
    partial: PartNumber,
    /// How many targets were open when it was made: leaving to one of those leaves the crowd.
    targets: usize,
}

impl Vectorizer<'_> {
    /// A tile from its beginning to its end.
    pub(in crate::vectorize) fn tile(&mut self, number: LaneValue) -> Formed {
        self.tile.number = Some(number);
        self.parts = vec![None; self.added];
        self.ended = self.add_part(Elem::Bool);
        self.inert = self.add_part(Elem::Bool);
        self.tile.apart = self.add_part(Elem::Bool);
        self.tile.returned = self.add_part(Elem::Bool);
        for (&part, &once) in &self.tile.crossing.parts.clone() {
            let elem = Elem::of(self.locals.part(part).stored.value());
            if once {
                self.parts[part] = Some(Comp::Plain(self.b.constant(elem, 0)));
            } else {
                let slot = self.slot(elem);
                self.tile.parts.insert(part, (slot, elem));
            }
        }
        let partial = self.add_part(Elem::Bool);
        self.tile.crowds = vec![Crowd { slot: None, partial, targets: 0 }];
        if self.tile.ending || self.tile.parting {
            let slot = self.slot(Elem::I32);
            self.tile.gone = Some(slot);
            self.each_strip(Vec::new(), |s, _| {
                let zero = s.b.constant(Elem::I32, 0);
                let zero = s.b.lanes(zero);
                s.keep(slot, Elem::I32, zero, None);
                Ok(Vec::new())
            })?;
        }
        if self.tile.vote_words > 0 {
            let from = self.arena(ArenaPart::Votes);
            let bytes = self.votes_size();
            self.b.effect(Effect::Clear { from, bytes });
        }
        let function = self.function;
        self.level(&function.body().insts)?;
        if self.tile.parting {
            let apart = self.added(self.tile.apart);
            let report = self.arena(ArenaPart::Report);
            let at = LaneAddress {
                space: MemorySpace::Arena(ArenaPart::Report),
                base: report,
                offset: None,
                displacement: 0,
                along: AddressStep::Uniform,
                stored: Stored::I64,
            };
            self.b.effect(Effect::Store { at, value: number, mask: None });
            self.b.exit(apart, ExitStatus::Diverged);
        }
        self.active = None;
        Ok(())
    }

    /// Bytes of all threads' votes.
    pub(in crate::vectorize) fn votes_size(&self) -> u64 {
        let strips = Strips::of(self.kernel.tile().unwrap_or(&[]), self.b.width());
        u64::from(strips.all()) * u64::from(self.b.width()) * u64::from(self.tile.vote_words) * 4
    }

    /// Instructions at tile level. What follows once everybody has left is skipped.
    fn level(&mut self, insts: &[Inst]) -> Formed {
        self.level_then(insts, &mut |_| Ok(()))
    }

    /// Instructions at tile level, then more by those who are still here: what instructions computed is there for them.
    fn level_then(&mut self, insts: &[Inst], more: &mut dyn FnMut(&mut Self) -> Formed) -> Formed {
        let mut rest = insts;
        while let Some(inst) = rest.first() {
            let before = self.active;
            let length = rest.iter().take_while(|inst| !self.shape.at(inst.id).barrier).count();
            if length == 0 {
                self.at = inst.id;
                self.b.at(inst.pos);
                self.lifted(inst)?;
                rest = &rest[1..];
            } else {
                self.region(&rest[..length])?;
                rest = &rest[length..];
            }
            let Some(active) = self.active.filter(|_| self.active != before) else { continue };
            match self.b.constant_of(active) {
                Some(0) => return Ok(()),
                Some(_) => {
                    self.active = None;
                    continue;
                }
                None => {}
            }
            return self.either(
                active,
                |s| {
                    s.active = None;
                    s.level_then(rest, more)
                },
                |_| Ok(()),
            );
        }
        more(self)
    }

    /// Prepares what [`Vectorizer::tile`] needs to know.
    pub(in crate::vectorize) fn prepare_tile(&mut self, crossing: RegionLiveness) {
        let barriers = self.facts.uniformity().barriers();
        self.tile.parting = barriers.iter().any(|barrier| barrier.class != TileAgreement::Uniform);
        self.tile.ending = self.shape.inside.iter().any(|inside| inside.ends);
        // In a construct that holds a barrier, or behind it, some may be ahead of others who have stopped.
        let mut from_there = self.shape.inside.iter().skip_while(|inside| !inside.barrier || inside.size == 1);
        self.tile.doubtful = self.tile.parting && from_there.any(|inside| inside.fails);
        let body = self.function.body();
        let makers = &mut self.tile.makers;
        body.walk(&mut |inst| {
            if let Some(value) = inst.result
                && crossing.values.get(&value) == Some(&Carry::Again)
            {
                makers.insert(value, inst.clone());
            }
        });
        if self.tile.parting {
            self.tile.vote_words = 1 + loops(body);
        }
        self.tile.crossing = crossing;
    }
}

/// The most loops with barriers around each other.
fn loops(block: &Block) -> u32 {
    let mut most = 0;
    for inst in &block.insts {
        let mut barrier = inst.kind.barrier().is_some();
        let mut inner = 0;
        inst.kind.blocks(&mut |block| {
            inner = inner.max(loops(block));
            block.walk(&mut |inst| barrier |= inst.kind.barrier().is_some());
        });
        let own = u32::from(barrier && matches!(inst.kind, InstKind::Loop { .. }));
        most = most.max(inner + own);
    }
    most
}

const fn stored_of(elem: Elem) -> Stored {
    match elem {
        Elem::Bool | Elem::I32 => Stored::I32,
        Elem::I64 => Stored::I64,
        Elem::F32 => Stored::F32,
        Elem::F64 => Stored::F64,
    }
}
