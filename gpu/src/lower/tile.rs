//! Code that all threads of a tile walk through together, because a barrier stands in it that has not been proved to be reached by all of them.
//!
//! A construct that holds a barrier is **lifted**: every thread goes through it, and its variable `here` says whether it takes part. Code without a barrier is a **region**, run under
//! `if here`. Whether anyone takes an arm, or another round, is **voted** on, so that all threads take the same way through the module's own control flow. At a barrier
//! the threads that are here, and those that `abort` ended, arrive. If others are still on their way, those who are here wait: they take part in nothing more, until
//! the others have come to a barrier too, or to the end. Then each thread that waits, or has come to its end, says where it stands, and the host makes the report of it.
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
        let mut spilled: Vec<(ValueId, Vec<(Expr, Option<View>)>)> = Vec::new();
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
    fn spill(&mut self, value: ValueId) -> Made<Vec<(Expr, Option<View>)>> {
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
    fn fill(&mut self, value: ValueId, vars: Vec<(Expr, Option<View>)>) {
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
        let one = self.b.u32(1);
        let next = self.b.add(phase, one);
        let three = self.b.u32(3);
        let next = self.b.binary(BinaryOperator::Modulo, next, three);
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
            InstKind::Barrier(_) => self.barrier(inst.pos),
            InstKind::If { condition, then, otherwise } => {
                let to = self.result_variable(inst.result);
                let condition = self.value(*condition)?;
                let not = self.b.not(condition);
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                let first = self.b.both(entered, condition);
                let second = self.b.both(entered, not);
                let (bit, other) = (self.bit(first, 1), self.bit(second, 2));
                let bits = self.b.binary(BinaryOperator::InclusiveOr, bit, other);
                let vote = self.vote(bits)?;
                for (mask, bit, block) in [(first, 1, then), (second, 2, otherwise)] {
                    let taken = self.has(vote, bit);
                    self.arm(taken, mask, block, to)?;
                }
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
                for case in cases {
                    let mut fits = self.b.bool(false);
                    for &value in &case.values {
                        let value = self.b.u32(value);
                        let equal = self.b.equal(selector, value);
                        fits = self.b.binary(BinaryOperator::LogicalOr, fits, equal);
                    }
                    let mask = self.b.both(entered, fits);
                    let not = self.b.not(fits);
                    others = self.b.both(others, not);
                    let bits = self.bit(mask, 1);
                    let vote = self.vote(bits)?;
                    let taken = self.has(vote, 1);
                    self.arm(taken, mask, &case.body, None)?;
                }
                let bits = self.bit(others, 1);
                let vote = self.vote(bits)?;
                let taken = self.has(vote, 1);
                self.arm(taken, others, default, None)?;
                self.look_around(entered)
            }
            InstKind::Scope { label, body } => {
                let to = self.result_variable(inst.result);
                if let Some(to) = to {
                    self.results.insert(*label, to);
                }
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
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
                let rounds = self.variable("rounds", Data::U32);
                let none = self.b.u32(0);
                self.b.store(rounds, none);
                let masks = self.masks()?;
                let entered = self.b.load(masks.here);
                self.around.push(Around { label: Some(*label), kind: AroundKind::Lifted });
                self.rounds.push(rounds);
                let made = self.nested(|this| {
                    this.those_here(|this| this.spend_round())?;
                    if let Some(condition) = condition {
                        this.lifted(&condition.insts)?;
                        let value = condition.value.ok_or_else(|| malformed("a condition has no value"))?;
                        let go = this.value(value)?;
                        let over = this.b.not(go);
                        this.stop(over, Leave::Break(*label), entered)?;
                    }
                    let here = this.b.load(masks.here);
                    let bits = this.bit(here, 1);
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
    fn barrier(&mut self, pos: Pos) -> Made {
        let masks = self.masks()?;
        let here = self.b.load(masks.here);
        let goal = self.goal();
        let now = self.b.load(goal);
        let dead = self.goal_number(Leave::Dead);
        let dead = self.b.u32(dead);
        let alive = self.b.binary(BinaryOperator::NotEqual, now, dead);
        let away = self.b.not(here);
        let other = self.b.both(alive, away);
        let (bit, apart) = (self.bit(here, 1), self.bit(other, 2));
        let bits = self.b.binary(BinaryOperator::InclusiveOr, bit, apart);
        let vote = self.vote(bits)?;
        let three = self.b.u32(3);
        let split = self.b.equal(vote, three);
        let waits = self.b.both(split, here);
        let site = self.site(pos, SiteKind::Barrier(self.rounds.len() as u32));
        let wait = self.goal_number(Leave::Wait);
        let rounds = self.rounds.clone();
        self.if_then(waits, |this| {
            let site = this.b.u32(site);
            this.b.store(masks.site, site);
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

    /// Remembers where a thread returned, for a report.
    pub(super) fn note_return(&mut self, pos: Pos) {
        if let Some(masks) = self.masks {
            let site = self.site(pos, SiteKind::Return);
            let site = self.b.u32(site);
            self.b.store(masks.site, site);
        }
    }

    /// The end of the kernel: if anyone waits at a barrier, all say where they are.
    pub(super) fn end_of_lifted(&mut self, depth: u32) -> Made {
        let masks = self.masks()?;
        let goal = self.goal();
        let now = self.b.load(goal);
        let wait = self.goal_number(Leave::Wait);
        let wait = self.b.u32(wait);
        let waits = self.b.equal(now, wait);
        let bits = self.bit(waits, 1);
        let vote = self.vote(bits)?;
        let split = self.has(vote, 1);
        let dead = self.goal_number(Leave::Dead);
        let dead = self.b.u32(dead);
        let alive = self.b.binary(BinaryOperator::NotEqual, now, dead);
        let speaks = self.b.both(split, alive);
        self.if_then(speaks, |this| {
            this.report(message::DIVERGED);
            let mut words = vec![
                this.here.tile_number.ok_or_else(|| malformed("there is no tile"))?,
                this.here.in_tile.ok_or_else(|| malformed("there is no tile"))?,
                this.b.load(masks.site),
            ];
            for i in 0..depth {
                let pointer = this.b.at(masks.rounds, i);
                words.push(this.b.load(pointer));
            }
            this.log(message::AT_END, words)
        })
    }
}
