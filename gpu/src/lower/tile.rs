//! Code that all threads of a tile walk through together, because a barrier stands in it that has not been proved to be reached by all of them.
//!
//! A construct that holds a barrier is **lifted**: every thread goes through it, and its variable `here` says whether it takes part. Code without a barrier is a **region**, run under
//! `if here`. Whether anyone takes an arm, or another round, is **voted** on, so that all threads take the same way through the module's own control flow. At a barrier
//! the threads that are here, and those that `abort` ended, arrive. If others are still on their way, those who are here wait: they take part in nothing more, until
//! the others have come to a barrier too, or to the end. If by then all others have been ended by `abort`, those who wait have met after all: the kernel is **walked** through once more, with
//! nobody here until that barrier. Otherwise each thread that waits, or has come to its end, says where it stands, and the host makes the report of it.
//!
//! A vote is a word of the tile's memory, of which there are three in turn: one is voted on, the next is cleared, and the one before may still be read. So one barrier is enough.
//!
//! Values that a region computes for later go through variables, since what is computed inside a block of the module is not visible outside of it.

use naga::{AtomicFunction, Barrier, BinaryOperator, Block as Code, Expression, Statement};
use tilewise_ir::kernel::{Block, Inst, InstKind, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

use super::builder::Expr;
use super::control::Leaves;
use super::lowered::{SiteKind, message};
use super::state::{Around, AroundKind, Leave, Lowerer, Made, Masks, Val, malformed};
use super::view::View;

/// Is there a barrier in it?
pub(super) fn has_barrier(inst: &Inst) -> bool {
    let mut found = matches!(inst.kind, InstKind::Barrier(_));
    inst.kind.blocks(&mut |block| block.walk(&mut |inst| found |= matches!(inst.kind, InstKind::Barrier(_))));
    found
}

/// Variables that a value was put into, and the view that it is.
type Kept = Vec<(Expr, Option<View>)>;

/// Number of barriers in a block.
fn barriers(block: &Block) -> u32 {
    let mut count = 0;
    block.walk(&mut |inst| count += u32::from(matches!(inst.kind, InstKind::Barrier(_))));
    count
}

/// Number of instructions with those inside.
fn count(insts: &[Inst]) -> usize {
    let mut count = 0;
    for inst in insts {
        count += 1;
        inst.kind.blocks(&mut |block| block.walk(&mut |_| count += 1));
    }
    count
}

impl<'a> Lowerer<'a> {
    fn masks(&self) -> Made<Masks> {
        self.masks.ok_or_else(|| malformed("there are no masks"))
    }

    /// Lifted code.
    pub(super) fn lifted(&mut self, insts: &'a [Inst]) -> Made {
        let mut rest = insts;
        while let Some(first) = rest.first() {
            if has_barrier(first) {
                self.number += 1;
                self.lifted_inst(first)?;
                rest = &rest[1..];
            } else {
                let length = rest.iter().position(has_barrier).unwrap_or(rest.len());
                let (region, behind) = rest.split_at(length);
                self.region(region)?;
                rest = behind;
            }
        }
        Ok(())
    }

    /// Code without a barrier, for those who are here.
    fn region(&mut self, insts: &'a [Inst]) -> Made {
        let end = self.number + count(insts);
        let mut kept: Vec<ValueId> = Vec::new();
        for inst in insts {
            let second = match &inst.kind {
                InstKind::CompareExchange { equal, .. } => Some(*equal),
                _ => None,
            };
            kept.extend(inst.result.into_iter().chain(second).filter(|value| self.last_use[value.index()] > end));
        }
        let mut spilled: Vec<(ValueId, Kept)> = Vec::new();
        let leaves = self.those_here(|this| {
            this.seq(
                insts,
                Some(&mut |this: &mut Lowerer<'a>| {
                    for &value in &kept {
                        let vars = this.spill(value)?;
                        spilled.push((value, vars));
                    }
                    Ok(())
                }),
            )
        })?;
        let _ = leaves;
        for (value, vars) in spilled {
            self.fill(value, vars);
        }
        // What nobody computes, as all have left before it, is used nowhere.
        self.number = end;
        Ok(())
    }

    /// Runs something for those who are here, and looks who still is.
    fn those_here(&mut self, write: impl FnOnce(&mut Self) -> Made<Leaves>) -> Made<Leaves> {
        let masks = self.masks()?;
        let here = self.b.load(masks.here);
        self.around.push(Around { label: None, kind: AroundKind::Region });
        let falls_to = self.falls_to.take();
        let mut leaves = Leaves::new();
        let made = self.if_then(here, |this| {
            leaves = write(this)?;
            Ok(())
        });
        self.falls_to = falls_to;
        self.around.pop();
        made?;
        if !leaves.is_empty() {
            self.look_around(here)?;
        }
        Ok(leaves)
    }

    /// Those of `before` are here who are not on their way out.
    fn look_around(&mut self, before: Expr) -> Made {
        let masks = self.masks()?;
        let goal = self.goal();
        let goal = self.b.load(goal);
        let none = self.b.u32(0);
        let stays = self.b.equal(goal, none);
        let here = self.b.both(before, stays);
        self.b.store(masks.here, here);
        Ok(())
    }

    /// Puts a value into variables.
    fn spill(&mut self, value: ValueId) -> Made<Kept> {
        match self.values[value.index()].clone() {
            Some(Val::Data(expr)) => {
                let data = self.data(value);
                let var = self.variable("kept", data);
                self.b.store(var, expr);
                Ok(vec![(var, None)])
            }
            Some(Val::View(view)) => {
                let numbers: Vec<Expr> = [view.base]
                    .into_iter()
                    .chain(view.extents.iter().copied())
                    .chain(view.strides.iter().copied())
                    .collect();
                let mut vars = Vec::new();
                for number in numbers {
                    let var = self.variable("kept", Data::U32);
                    self.b.store(var, number);
                    vars.push((var, Some(view.clone())));
                }
                Ok(vars)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Takes a value out of its variables.
    fn fill(&mut self, value: ValueId, vars: Kept) {
        let numbers: Vec<Expr> = vars.iter().map(|(var, _)| self.b.load(*var)).collect();
        match (vars.into_iter().next(), numbers.first()) {
            (Some((_, Some(view))), Some(&base)) => {
                let rank = view.extents.len();
                let extents = numbers[1..=rank].to_vec();
                let strides = numbers[rank + 1..].to_vec();
                self.values[value.index()] = Some(Val::View(View { base, extents, strides, ..view }));
            }
            (Some((_, None)), Some(&expr)) => self.values[value.index()] = Some(Val::Data(expr)),
            _ => {}
        }
    }

    /// The OR of what all threads of the tile bring; all meet.
    fn vote(&mut self, bits: Expr) -> Made<Expr> {
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
        self.b.when(first, |b| b.store(clear, none));
        self.b.statement(Statement::ControlBarrier(Barrier::STORAGE | Barrier::WORK_GROUP));
        Ok(self.b.load(pointer))
    }

    /// `bit` where a truth value is true.
    fn bit(&mut self, truth: Expr, bit: u32) -> Expr {
        let yes = self.b.u32(bit);
        let no = self.b.u32(0);
        self.b.select(truth, yes, no)
    }

    /// Has a vote that bit?
    fn has(&mut self, vote: Expr, bit: u32) -> Expr {
        let bit = self.b.and(vote, bit);
        let none = self.b.u32(0);
        self.b.binary(BinaryOperator::NotEqual, bit, none)
    }

    fn lifted_inst(&mut self, inst: &'a Inst) -> Made {
        match &inst.kind {
            InstKind::Barrier(_) => self.barrier(),
            InstKind::If { condition, then, otherwise } => {
                let to = self.result_variable(inst.result);
                let condition = self.value(*condition)?;
                let not = self.b.not(condition);
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                let first = self.b.both(entered, condition);
                let second = self.b.both(entered, not);
                let back_first = self.heads(0, barriers(then))?;
                let back_second = self.heads(barriers(then), barriers(otherwise))?;
                let arms = [(first, back_first, 1, then), (second, back_second, 2, otherwise)];
                let mut bits = self.b.u32(0);
                for (mask, back, bit, block) in arms {
                    if barriers(block) > 0 {
                        let comes = self.b.either(mask, back);
                        let bit = self.bit(comes, bit);
                        bits = self.b.or(bits, bit);
                    }
                }
                let vote = self.vote(bits)?;
                for (mask, _, bit, block) in arms {
                    // Where there is no barrier nobody goes who has nothing to do there.
                    let taken = if barriers(block) > 0 { self.has(vote, bit) } else { mask };
                    self.arm(taken, mask, block, to)?;
                }
                let back = self.b.either(back_first, back_second);
                let entered = self.b.either(entered, back);
                self.look_around(entered)?;
                self.take_result(inst.result, to);
                Ok(())
            }
            InstKind::Switch { selector, cases, default } => {
                let scalar = self.data(*selector).scalar;
                let selector = self.value(*selector)?;
                let selector = self.b.bits(selector, scalar, Scalar::U32);
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                let mut others = entered;
                let inside: u32 = cases.iter().map(|case| barriers(&case.body)).sum::<u32>() + barriers(default);
                let back = self.heads(0, inside)?;
                for case in cases {
                    let mut fits = self.b.bool(false);
                    for &value in &case.values {
                        let value = self.b.u32(value);
                        let equal = self.b.equal(selector, value);
                        fits = self.b.either(fits, equal);
                    }
                    let mask = self.b.both(entered, fits);
                    let not = self.b.not(fits);
                    others = self.b.both(others, not);
                    self.voted_arm(mask, &case.body)?;
                }
                self.voted_arm(others, default)?;
                let entered = self.b.either(entered, back);
                self.look_around(entered)
            }
            InstKind::Scope { label, body } => {
                let to = self.result_variable(inst.result);
                if let Some(to) = to {
                    self.results.insert(*label, to);
                }
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                let back = self.heads(0, barriers(body))?;
                let entered = self.b.either(entered, back);
                self.around.push(Around { label: Some(*label), kind: AroundKind::Lifted });
                let made = self.lifted_block(body, to);
                self.around.pop();
                made?;
                self.return_from(Leave::Break(*label));
                self.look_around(entered)?;
                self.take_result(inst.result, to);
                Ok(())
            }
            InstKind::Loop { label, condition, body, continuing } => {
                let inside = condition.as_deref().map_or(0, barriers) + barriers(body) + barriers(continuing);
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                let back = self.heads(0, inside)?;
                // Who comes back is still in the round that it was in.
                let rounds = self.variable("rounds", Data::U32);
                let none = self.b.u32(0);
                if self.b.truth(back) == Some(false) {
                    self.b.store(rounds, none);
                } else {
                    let new = self.b.not(back);
                    self.b.when(new, |b| b.store(rounds, none));
                }
                let entered = self.b.either(entered, back);
                let first = self.barriers;
                self.around.push(Around { label: Some(*label), kind: AroundKind::Lifted });
                self.rounds.push(rounds);
                let made = self.nested(|this| {
                    this.those_here(|this| this.spend_round(*label))?;
                    if let Some(condition) = condition {
                        this.lifted(&condition.insts)?;
                        let value = condition.value.ok_or_else(|| malformed("a condition has no value"))?;
                        let go = this.value(value)?;
                        let over = this.b.not(go);
                        this.stop(over, Leave::Break(*label), entered)?;
                    }
                    let here = this.b.load(masks.here);
                    let back = this.heads_for(first, first + inside)?;
                    let stays = this.b.either(here, back);
                    let bits = this.bit(stays, 1);
                    let vote = this.vote(bits)?;
                    let none = this.b.u32(0);
                    let over = this.b.equal(vote, none);
                    this.b.when(over, |b| b.statement(Statement::Break));
                    this.lifted_block(body, None)?;
                    this.return_from(Leave::Continue(*label));
                    this.look_around(entered)?;
                    this.lifted(&continuing.insts)?;
                    if let Some(value) = continuing.value {
                        let over = this.value(value)?;
                        this.stop(over, Leave::Break(*label), entered)?;
                    }
                    let round = this.b.load(rounds);
                    let one = this.b.u32(1);
                    let round = this.b.add(round, one);
                    this.b.store(rounds, round);
                    Ok(())
                });
                self.rounds.pop();
                self.around.pop();
                let body = made?;
                self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
                self.return_from(Leave::Break(*label));
                self.look_around(entered)
            }
            _ => Err(malformed("a barrier stands in an instruction without blocks")),
        }
    }

    /// Is the thread on its way back to one of `count` barriers, the first of which is `skip` behind the next that is written?
    fn heads(&mut self, skip: u32, count: u32) -> Made<Expr> {
        self.heads_for(self.barriers + skip, self.barriers + skip + count)
    }

    /// Is it on its way back to one of the barriers with these numbers?
    fn heads_for(&mut self, from: u32, to: u32) -> Made<Expr> {
        let masks = self.masks()?;
        if !masks.ends || from == to {
            return Ok(self.b.bool(false));
        }
        let goal = self.goal();
        let goal = self.b.load(goal);
        let resume = self.goal_number(Leave::Resume);
        let resume = self.b.u32(resume);
        let back = self.b.equal(goal, resume);
        let site = self.b.load(masks.site);
        let (from, to) = (self.b.u32(from), self.b.u32(to));
        let behind = self.b.binary(BinaryOperator::GreaterEqual, site, from);
        let before = self.b.less(site, to);
        let within = self.b.both(behind, before);
        Ok(self.b.both(back, within))
    }

    /// An arm that is voted on by itself.
    fn voted_arm(&mut self, mask: Expr, block: &'a Block) -> Made {
        if barriers(block) == 0 {
            return self.arm(mask, mask, block, None);
        }
        let back = self.heads(0, barriers(block))?;
        let wanted = self.b.either(mask, back);
        let bits = self.bit(wanted, 1);
        let vote = self.vote(bits)?;
        let taken = self.has(vote, 1);
        self.arm(taken, mask, block, None)
    }

    /// Those here for whom `over` holds go to an aim.
    fn stop(&mut self, over: Expr, aim: Leave, entered: Expr) -> Made {
        let masks = self.masks()?;
        let here = self.b.load(masks.here);
        let stops = self.b.both(here, over);
        let number = self.goal_number(aim);
        let goal = self.goal();
        let number = self.b.u32(number);
        self.b.when(stops, |b| b.store(goal, number));
        self.look_around(entered)
    }

    /// Those whose aim this is are no longer on their way.
    fn return_from(&mut self, aim: Leave) {
        let number = self.goal_number(aim);
        let goal = self.goal();
        let now = self.b.load(goal);
        let this = self.b.u32(number);
        let arrived = self.b.equal(now, this);
        let none = self.b.u32(0);
        self.b.when(arrived, |b| b.store(goal, none));
    }

    /// An arm of a lifted construct, if anyone takes it.
    fn arm(&mut self, taken: Expr, mask: Expr, block: &'a Block, to: Option<Expr>) -> Made {
        if block.insts.is_empty() && to.is_none() {
            return Ok(());
        }
        self.around.push(Around { label: None, kind: AroundKind::Lifted });
        let made = self.if_then(taken, |this| {
            let masks = this.masks()?;
            this.b.store(masks.here, mask);
            this.lifted_block(block, to)
        });
        self.around.pop();
        made
    }

    fn lifted_block(&mut self, block: &'a Block, to: Option<Expr>) -> Made {
        self.lifted(&block.insts)?;
        if let (Some(value), Some(to)) = (block.value, to) {
            self.those_here(|this| {
                let value = this.value(value)?;
                this.b.store(to, value);
                Ok(Leaves::new())
            })?;
        }
        Ok(())
    }

    /// A barrier: all who are not dead must be here.
    fn barrier(&mut self) -> Made {
        let masks = self.masks()?;
        let number = self.barriers;
        self.barriers += 1;
        let goal = self.goal();
        let back = self.heads_for(number, number + 1)?;
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
        let wait = self.goal_number(Leave::Wait);
        let rounds = self.rounds.clone();
        self.if_then(waits, |this| {
            let site = this.b.u32(number);
            this.b.store(masks.site, site);
            let ty = this.words_ty(None, Some(this.depth));
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

    /// Was the thread not ended by `abort`?
    fn alive(&mut self, masks: Masks) -> Expr {
        if !masks.ends {
            return self.b.bool(true);
        }
        let goal = self.goal();
        let now = self.b.load(goal);
        let dead = self.goal_number(Leave::Dead);
        let dead = self.b.u32(dead);
        self.b.binary(BinaryOperator::NotEqual, now, dead)
    }

    /// Remembers where a thread returned, for a report.
    pub(super) fn note_return(&mut self, pos: Pos) {
        if let Some(masks) = self.masks {
            let site = self.site(pos, SiteKind::Return);
            let site = self.b.u32(site);
            self.b.store(masks.site, site);
        }
    }

    /// Writes the whole kernel as lifted code, and what follows a walk through it.
    pub(super) fn walks(&mut self, insts: &'a [Inst], depth: u32) -> Made {
        // The barriers are the first sites, in text order.
        let mut around = 0;
        self.barrier_sites(insts, &mut around);
        if !self.masks()?.ends {
            self.lifted(insts)?;
            return self.end_of_the_walk(depth);
        }
        let body = self.nested(|this| {
            this.lifted(insts)?;
            this.end_of_a_walk(depth)
        })?;
        self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
        Ok(())
    }

    fn barrier_sites(&mut self, insts: &[Inst], around: &mut u32) {
        for inst in insts {
            if matches!(inst.kind, InstKind::Barrier(_)) {
                self.site(inst.pos, SiteKind::Barrier(*around));
            }
            let is_loop = u32::from(matches!(inst.kind, InstKind::Loop { .. }));
            *around += is_loop;
            inst.kind.blocks(&mut |block| self.barrier_sites(&block.insts, around));
            *around -= is_loop;
        }
    }

    /// The end where no thread is ended by `abort`: who waits now waits for threads that are elsewhere for good.
    fn end_of_the_walk(&mut self, depth: u32) -> Made {
        let masks = self.masks()?;
        let waits = self.waits();
        let bits = self.bit(waits, 1);
        let vote = self.vote(bits)?;
        let none = self.b.u32(0);
        let split = self.b.binary(BinaryOperator::NotEqual, vote, none);
        self.if_then(split, |this| {
            let rounds = this.rounds_there(masks, depth);
            this.say_where(masks, rounds)
        })
    }

    /// The end of a walk: it is the last unless all who are not dead wait at one barrier.
    fn end_of_a_walk(&mut self, depth: u32) -> Made {
        let masks = self.masks()?;
        let (alive, waits) = (self.alive(masks), self.waits());
        let bits = self.bit(waits, 1);
        let vote = self.vote(bits)?;
        let none = self.b.u32(0);
        let done = self.b.equal(vote, none);
        self.b.when(done, |b| b.statement(Statement::Break));
        // What is the same in all has each bit or its opposite, never both.
        let site = self.b.load(masks.site);
        let elsewhere = self.b.u32(u32::MAX);
        let site = self.b.select(waits, site, elsewhere);
        let rounds = self.rounds_there(masks, depth);
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
        let resume = self.goal_number(Leave::Resume);
        let (goal, resume) = (self.goal(), self.b.u32(resume));
        self.b.when(back, |b| b.store(goal, resume));
        let split = self.b.not(met);
        self.if_then(split, |this| {
            this.if_then(alive, |this| this.say_where(masks, rounds))?;
            this.b.statement(Statement::Break);
            Ok(())
        })
    }

    /// Does the thread wait at a barrier?
    fn waits(&mut self) -> Expr {
        let wait = self.goal_number(Leave::Wait);
        let goal = self.goal();
        let (now, wait) = (self.b.load(goal), self.b.u32(wait));
        self.b.equal(now, wait)
    }

    /// The rounds of loops that the thread stands in.
    fn rounds_there(&mut self, masks: Masks, depth: u32) -> Vec<Expr> {
        let mut rounds = Vec::new();
        for i in 0..depth {
            let pointer = self.b.at(masks.rounds, i);
            rounds.push(self.b.load(pointer));
        }
        rounds
    }

    /// The thread's part of the report that not all met.
    fn say_where(&mut self, masks: Masks, rounds: Vec<Expr>) -> Made {
        self.report(message::DIVERGED);
        let unknown = || malformed("there is no tile");
        let site = self.b.load(masks.site);
        let (tile, in_tile) = (self.here.tile_number.ok_or_else(unknown)?, self.here.in_tile.ok_or_else(unknown)?);
        self.log(message::AT_END, [tile, in_tile, site].into_iter().chain(rounds).collect())
    }
}
