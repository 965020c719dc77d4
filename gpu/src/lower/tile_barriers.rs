//! Synchronisation of a tile's threads in [lifted](super::tile) code: votes, barriers, and the end
//! of a walk through the kernel.
//!
//! A vote is a word of tile memory, one of three in rotation: one collects the vote, the next is
//! cleared, and the previous one may still be read. So each vote needs only one barrier.

use std::ops::Range;

use naga::{AtomicFunction, Barrier, BinaryOperator, Block as Code, Expression, Statement};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::Inst;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::builder::ExprHandle;
use super::lowered::{MessageKind, message};
use super::state::{LeaveTarget, Lowerer, LoweringResult, Masks, malformed};

impl<'a> Lowerer<'a> {
    /// The OR of the bits of all threads of the tile, which all meet here.
    pub(super) fn vote(&mut self, bits: ExprHandle) -> LoweringResult<ExprHandle> {
        let masks = self.masks()?;
        let base = self.b.bare(Expression::GlobalVariable(masks.votes));
        let phase = self.b.load(masks.phase);
        let pointer = self.b.expr(Expression::Access { base, index: phase });
        let none = self.b.u32(0);
        let any = self.b.binary(BinaryOperator::NotEqual, bits, none);
        self.if_then(any, |this| {
            this.atomic_statement(pointer, AtomicFunction::InclusiveOr, bits, Scalar::U32);
            Ok(())
        })?;
        let (one, two) = (self.b.u32(1), self.b.u32(2));
        let next = self.b.add(phase, one);
        let last = self.b.equal(phase, two);
        let next = self.b.select(last, none, next);
        self.b.store(masks.phase, next);
        let first = self.here.in_tile.ok_or_else(|| malformed("there is no tile"))?;
        let first = self.b.equal(first, none);
        let clear = self.b.expr(Expression::Access { base, index: next });
        if !fault::planted(Fault::VoteOfPhaseBefore) {
            self.b.when(first, |b| b.store(clear, none));
        }
        self.b.statement(Statement::ControlBarrier(Barrier::STORAGE | Barrier::WORK_GROUP));
        Ok(self.b.load(pointer))
    }

    /// `bit` if the condition is true, else 0.
    pub(super) fn bit(&mut self, truth: ExprHandle, bit: u32) -> ExprHandle {
        let yes = self.b.u32(bit);
        let no = self.b.u32(0);
        self.b.select(truth, yes, no)
    }

    /// Whether a vote has that bit.
    pub(super) fn has(&mut self, vote: ExprHandle, bit: u32) -> ExprHandle {
        let bit = self.b.and(vote, bit);
        let none = self.b.u32(0);
        self.b.binary(BinaryOperator::NotEqual, bit, none)
    }

    /// Whether the thread is resuming at one of the barriers with these numbers.
    pub(super) fn heads(&mut self, barriers: Range<u32>) -> LoweringResult<ExprHandle> {
        let masks = self.masks()?;
        if !masks.ends || barriers.is_empty() {
            return Ok(self.b.bool(false));
        }
        let goal = self.goal();
        let goal = self.b.load(goal);
        let resume = self.goal_number(LeaveTarget::Resume);
        let resume = self.b.u32(resume);
        let back = self.b.equal(goal, resume);
        let site = self.b.load(masks.site);
        let (from, to) = (self.b.u32(barriers.start), self.b.u32(barriers.end));
        let behind = self.b.binary(BinaryOperator::GreaterEqual, site, from);
        let before = self.b.less(site, to);
        let within = self.b.both(behind, before);
        Ok(self.b.both(back, within))
    }

    /// The barrier with this number: all threads that have not ended must be active.
    pub(super) fn barrier(&mut self, number: u32) -> LoweringResult {
        let masks = self.masks()?;
        let goal = self.goal();
        let back = self.heads(number..number + 1)?;
        if self.b.truth(back) != Some(false) {
            self.b.when(back, |b| {
                let none = b.u32(0);
                b.store(goal, none);
                let yes = b.bool(true);
                b.store(masks.here, yes);
            });
        }
        let here = self.b.load(masks.here);
        let alive = self.alive(masks);
        let away = self.b.not(here);
        let other = self.b.both(alive, away);
        let (bit, apart) = (self.bit(here, 1), self.bit(other, 2));
        let bits = self.b.or(bit, apart);
        let vote = self.vote(bits)?;
        let three = self.b.u32(3);
        let split = self.b.equal(vote, three);
        let waits = self.b.both(split, here);
        let wait = self.goal_number(LeaveTarget::Wait);
        let rounds = self.lifted.rounds.clone();
        self.if_then(waits, |this| {
            let site = this.b.u32(number);
            this.b.store(masks.site, site);
            let ty = this.rounds_ty();
            let none = this.b.bare(Expression::ZeroValue(ty));
            this.b.store(masks.rounds, none);
            for (i, round) in (0..).zip(rounds) {
                let round = this.b.load(round);
                let pointer = this.b.at(masks.rounds, i);
                this.b.store(pointer, round);
            }
            let wait = this.b.u32(wait);
            this.b.store(goal, wait);
            let no = this.b.bool(false);
            this.b.store(masks.here, no);
            Ok(())
        })
    }

    /// Whether the thread was not ended by `abort` or `error`.
    fn alive(&mut self, masks: Masks) -> ExprHandle {
        if !masks.ends {
            return self.b.bool(true);
        }
        let goal = self.goal();
        let now = self.b.load(goal);
        let dead = self.goal_number(LeaveTarget::Dead);
        let dead = self.b.u32(dead);
        if fault::planted(Fault::DeadThreadsMissed) {
            return self.b.bool(true);
        }
        self.b.binary(BinaryOperator::NotEqual, now, dead)
    }

    /// Records where a thread returned, for a report.
    pub(super) fn note_return(&mut self, pos: Pos) {
        if let Some(masks) = self.lifted.masks {
            let site = self.site(pos, MessageKind::Return);
            let site = self.b.u32(site);
            self.b.store(masks.site, site);
        }
    }

    /// Emits the whole kernel as lifted code, and the end of a walk through it.
    pub(super) fn walks(&mut self, insts: &'a [Inst]) -> LoweringResult {
        // The barriers are the first sites, by their numbers.
        for barrier in self.input.regions.barriers() {
            self.site(barrier.pos, MessageKind::Barrier(barrier.loops));
        }
        if !self.masks()?.ends {
            self.lifted(insts)?;
            return self.end_of_the_walk();
        }
        let body = self.nested(|this| {
            this.lifted(insts)?;
            this.end_of_a_walk()
        })?;
        self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
        Ok(())
    }

    /// The end if no thread can end by `abort`: a thread that still waits here waits for threads
    /// that will never arrive.
    fn end_of_the_walk(&mut self) -> LoweringResult {
        let masks = self.masks()?;
        let waits = self.waits();
        let bits = self.bit(waits, 1);
        let vote = self.vote(bits)?;
        let none = self.b.u32(0);
        let split = self.b.binary(BinaryOperator::NotEqual, vote, none);
        self.if_then(split, |this| {
            let rounds = this.rounds_there(masks);
            this.say_where(masks, rounds)
        })
    }

    /// The end of a walk. It is the last unless all threads that have not ended wait at one
    /// barrier.
    fn end_of_a_walk(&mut self) -> LoweringResult {
        let masks = self.masks()?;
        let (alive, waits) = (self.alive(masks), self.waits());
        let bits = self.bit(waits, 1);
        let vote = self.vote(bits)?;
        let none = self.b.u32(0);
        let done = self.b.equal(vote, none);
        self.b.when(done, |b| b.statement(Statement::Break));
        // If a number is the same in all threads, no bit is set both in some thread's number and in
        // some thread's complement.
        let site = self.b.load(masks.site);
        let elsewhere = self.b.u32(u32::MAX);
        let site = self.b.select(waits, site, elsewhere);
        let rounds = self.rounds_there(masks);
        let mut apart = none;
        for &number in [site].iter().chain(&rounds) {
            let opposite = self.b.unary(naga::UnaryOperator::BitwiseNot, number);
            let mut votes = Vec::new();
            for bits in [number, opposite] {
                let bits = self.b.select(alive, bits, none);
                votes.push(self.vote(bits)?);
            }
            let both = self.b.binary(BinaryOperator::And, votes[0], votes[1]);
            apart = self.b.or(apart, both);
        }
        let met = self.b.equal(apart, none);
        let back = self.b.both(met, waits);
        let resume = self.goal_number(LeaveTarget::Resume);
        let (goal, resume) = (self.goal(), self.b.u32(resume));
        self.b.when(back, |b| b.store(goal, resume));
        let split = self.b.not(met);
        self.if_then(split, |this| {
            this.if_then(alive, |this| this.say_where(masks, rounds))?;
            this.b.statement(Statement::Break);
            Ok(())
        })
    }

    /// Whether the thread waits at a barrier.
    fn waits(&mut self) -> ExprHandle {
        let wait = self.goal_number(LeaveTarget::Wait);
        let goal = self.goal();
        let (now, wait) = (self.b.load(goal), self.b.u32(wait));
        self.b.equal(now, wait)
    }

    /// The type of the iteration numbers of all loops around a barrier, at least one.
    pub(super) fn rounds_ty(&mut self) -> naga::Handle<naga::Type> {
        self.words_ty(None, Some(self.input.regions.loops().max(1)))
    }

    /// The iterations of the thread's enclosing loops.
    fn rounds_there(&mut self, masks: Masks) -> Vec<ExprHandle> {
        let mut rounds = Vec::new();
        for i in 0..self.input.regions.loops() {
            let pointer = self.b.at(masks.rounds, i);
            rounds.push(self.b.load(pointer));
        }
        rounds
    }

    /// The thread's part of the report of divergence.
    fn say_where(&mut self, masks: Masks, rounds: Vec<ExprHandle>) -> LoweringResult {
        self.report(message::DIVERGED);
        let unknown = || malformed("there is no tile");
        let site = self.b.load(masks.site);
        let (tile, in_tile) = (self.here.tile_number.ok_or_else(unknown)?, self.here.in_tile.ok_or_else(unknown)?);
        self.log_divergence(tile, [tile, in_tile, site].into_iter().chain(rounds).collect())
    }
}
