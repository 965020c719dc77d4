//! Vectorizes tiles with barriers.
//!
//! Code at tile level is scalar: it executes the regions ([`super::cross`]) in order, and the
//! constructs that hold barriers. A region executes all strips of the tile sequentially; each strip
//! reloads the values that its threads kept and stores those that they need later.
//!
//! - `region`: one barrier region over all strips;
//! - `context`: the slots that hold values between regions, and the loop over strips;
//! - `crowd`: thread sets, votes and divergence at barriers;
//! - `lifted`, `rounds`: branches, scopes and loops that hold barriers.
//!
//! # Active threads
//! As long as all conditions around barriers are proved uniform over the tile, all threads are
//! active, and a condition is a scalar. Otherwise the threads **vote**: if they disagree, both
//! paths are executed, each with its own **crowd**, a mask of threads in the worker's memory. That
//! alone is no error: a barrier may lie on neither path. Only a barrier checks whether the crowd
//! contains all remaining threads; if not, the threads of the crowd **stop** there: their position
//! is recorded, they execute nothing further, and execution continues for the others, which will
//! stop somewhere too. At the end of the tile the program exits with the recorded positions. So
//! every thread's path is reported, exactly as if each thread had run alone.
//!
//! Threads that `return`, `error` or `abort` are gone too; a barrier after some threads have
//! returned is checked in the same way, while threads that `error` or `abort` ended are not missed.
//! This scheme cannot handle one case: threads stop at a barrier because others are elsewhere, and
//! all of these later end by `error` or `abort`, so no thread was missing. Where that is possible,
//! the program is marked [doubtful](crate::lanes::LaneProgram::doubtful), and the launch keeps a
//! copy of its memory; if the case occurs, the interpreter repeats the launch.

mod context;
mod crowd;
mod lifted;
mod region;
mod rounds;

use tilewise_ir::analysis::barrier_regions::TileStep;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Inst, ValueId};
use tilewise_ir::types::Stored;

use crate::hash::HashMap;
use crate::lanes::{AddressStep, ArenaPart, Effect, Elem, ExitStatus, LaneAddress, LaneValue, MemorySpace, ThreadStop};
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::{Carry, RegionLiveness};
use crate::vectorize::current::CurrentParts;
use crate::vectorize::nest::Strips;
use crate::vectorize::state::{Formed, PartNumber, Vectorizer};

/// Maximum number of iterations up to which a loop with barriers is unrolled, and maximum work in
/// each.
const ROUNDS: usize = 10;
const ONE_BY_ONE: u32 = 60;

/// The byte offset in the context of an array with an element for each thread.
pub(in crate::vectorize) type ContextSlot = u64;

/// The state at tile level.
#[derive(Clone, Debug, Default)]
pub(in crate::vectorize) struct Tile {
    pub(in crate::vectorize) crossing: RegionLiveness,
    pub(in crate::vectorize) divergence: TileDivergence,
    pub(in crate::vectorize) slots: ContextSlots,
    crowds: Vec<Crowd>,
    /// The iteration numbers of the enclosing loops.
    rounds: Vec<LaneValue>,
    number: Option<LaneValue>,
    /// Instructions that define values, to rematerialise them.
    makers: HashMap<ValueId, Inst>,
    /// Does one strip suffice for the code being written?
    pub(in crate::vectorize) one_strip: bool,
    /// Is code being written inside a strip of a region?
    inside: bool,
    /// In a region, the values that others use, as parts: lanes may leave before one is computed,
    /// and the code after it is then an arm of its own.
    pub(super) made: HashMap<ValueId, Vec<PartNumber>>,
}

/// How the threads of a tile may come apart, and what the program records of it.
#[derive(Clone, Debug, Default)]
pub(in crate::vectorize) struct TileDivergence {
    /// Can threads diverge at a barrier?
    pub(in crate::vectorize) parting: bool,
    /// Can threads end before the tile does?
    ending: bool,
    /// Can threads that are elsewhere end by `error` or `abort`, so that a divergence is spurious?
    pub(in crate::vectorize) doubtful: bool,
    /// At tile level: has any thread stopped apart from others, has any returned? `bool` parts.
    apart: PartNumber,
    returned: PartNumber,
    pub(in crate::vectorize) stops: Vec<ThreadStop>,
    pub(in crate::vectorize) vote_words: u32,
}

/// The places in the context of what threads keep between regions.
#[derive(Clone, Debug, Default)]
pub(in crate::vectorize) struct ContextSlots {
    /// Bytes in use per thread.
    pub(in crate::vectorize) context: u64,
    /// The mask of threads that are gone.
    gone: Option<ContextSlot>,
    values: HashMap<ValueId, Vec<(ContextSlot, Elem)>>,
    parts: HashMap<PartNumber, (ContextSlot, Elem)>,
}

/// The threads that execute together.
#[derive(Clone, Copy, Debug)]
pub(in crate::vectorize) struct Crowd {
    /// Their mask; `None` if they are those of the enclosing crowd.
    slot: Option<ContextSlot>,
    /// Are other threads elsewhere? A `bool` part.
    partial: PartNumber,
    /// The number of open targets when it was created: leaving to one of those leaves the crowd.
    targets: usize,
}

impl Vectorizer<'_> {
    /// Writes a tile from its beginning to its end.
    pub(in crate::vectorize) fn tile(&mut self, number: LaneValue) -> Formed {
        self.tile.number = Some(number);
        self.parts = CurrentParts::unknown(self.added);
        self.exits.ended = self.add_part(Elem::Bool);
        self.exits.inert = self.add_part(Elem::Bool);
        self.tile.divergence.apart = self.add_part(Elem::Bool);
        self.tile.divergence.returned = self.add_part(Elem::Bool);
        for (part, once) in self.tile.crossing.parts.clone() {
            let elem = Elem::of(self.input.locals.part(part).stored.value());
            if once {
                self.parts[part] = Some(Comp::Plain(self.b.constant(elem, 0)));
            } else {
                let slot = self.slot(elem);
                self.tile.slots.parts.insert(part, (slot, elem));
            }
        }
        let partial = self.add_part(Elem::Bool);
        self.tile.crowds = vec![Crowd { slot: None, partial, targets: 0 }];
        if self.tile.divergence.ending || self.tile.divergence.parting {
            let slot = self.slot(Elem::I32);
            self.tile.slots.gone = Some(slot);
            self.each_strip(Vec::new(), |s, _| {
                let zero = s.b.constant(Elem::I32, 0);
                let zero = s.b.lanes(zero);
                if !fault::planted(Fault::GoneOfTileBefore) {
                    s.keep(slot, Elem::I32, zero, None);
                }
                Ok(Vec::new())
            })?;
        }
        if self.tile.divergence.vote_words > 0 && !fault::planted(Fault::VotesOfTileBefore) {
            let from = self.arena(ArenaPart::Votes);
            let bytes = self.votes_size();
            self.b.effect(Effect::Clear { from, bytes });
        }
        let function = self.input.function;
        self.level(&function.body().insts)?;
        if self.tile.divergence.parting {
            let apart = self.added(self.tile.divergence.apart);
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

    /// The size of all threads' votes in bytes.
    pub(in crate::vectorize) fn votes_size(&self) -> u64 {
        let strips = Strips::of(self.input.kernel.tile().unwrap_or(&[]), self.b.width());
        u64::from(strips.all()) * u64::from(self.b.width()) * u64::from(self.tile.divergence.vote_words) * 4
    }

    /// Writes instructions at tile level. Code after all threads have left is skipped.
    fn level(&mut self, insts: &[Inst]) -> Formed {
        self.level_then(insts, &mut |_| Ok(()))
    }

    /// Writes instructions at tile level, then `more` for the threads that remain: the results of
    /// the instructions are available to them.
    fn level_then(&mut self, insts: &[Inst], more: &mut dyn FnMut(&mut Self) -> Formed) -> Formed {
        let mut rest = insts;
        while let Some((step, behind)) = self.input.regions.split_first(rest) {
            let before = self.active;
            match step {
                TileStep::Region(region) => self.region(region)?,
                TileStep::Lifted(inst) => {
                    self.at = inst.id;
                    self.b.at(inst.pos);
                    self.lifted(inst)?;
                }
            }
            rest = behind;
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

    /// Prepares the state for [`Vectorizer::tile`].
    pub(in crate::vectorize) fn prepare_tile(&mut self, crossing: RegionLiveness) {
        self.tile.divergence.parting = !self.input.facts.uniformity().proves_barriers();
        let (regions, shape, makers) = (&self.input.regions, &self.input.shape, &mut self.tile.makers);
        // Nobody asks who has ended behind the last barrier.
        let insts = &self.input.function.body().insts;
        let last = insts.iter().rposition(|inst| regions.is_lifted(inst.id)).map_or(0, |last| last + 1);
        self.tile.divergence.ending = insts[..last].iter().any(|inst| shape.at(inst.id).ends);
        let (mut ahead, mut fails) = (false, false);
        self.input.function.body().walk(&mut |inst| {
            // In or after a construct that holds a barrier, some threads may be ahead of others
            // that have stopped.
            ahead |= regions.is_lifted(inst.id) && inst.kind.is_structured();
            fails |= ahead && shape.at(inst.id).fails;
            if let Some(value) = inst.result
                && crossing.values.get(&value) == Some(&Carry::Again)
            {
                makers.insert(value, inst.clone());
            }
        });
        self.tile.divergence.doubtful =
            self.tile.divergence.parting && fails && !fault::planted(Fault::DoubtfulDivergenceBelieved);
        if self.tile.divergence.parting {
            self.tile.divergence.vote_words = 1 + self.input.regions.loops();
        }
        self.tile.crossing = crossing;
    }
}

const fn stored_of(elem: Elem) -> Stored {
    match elem {
        Elem::Bool | Elem::I32 => Stored::I32,
        Elem::I64 => Stored::I64,
        Elem::F32 => Stored::F32,
        Elem::F64 => Stored::F64,
    }
}
