//! Lifted code: code that all threads of a tile execute together under masks, since it holds a
//! barrier that is not proved to be reached by all of them.
//!
//! A construct that holds a barrier is [**lifted**](tilewise_ir::analysis::barrier_regions): every
//! thread executes it, and its variable `here` is its mask. Code without a barrier is a **region**,
//! executed under `if here`. The threads **vote** on whether any of them takes an arm, or another
//! iteration, so that all take the same path through the module's own control flow. At a barrier
//! the active threads arrive, and those that `abort` ended count as arrived. If others are still
//! elsewhere, the active threads wait: they stay inactive until the others have reached a barrier
//! too, or the end. If by then `abort` has ended all others, the waiting threads have met after
//! all: all threads **walk** through the kernel once more, with none active until that barrier.
//! Otherwise each thread that waits, or has reached its end, reports its location, and the host
//! makes the diagnostic.
//!
//! This module has the constructs; [`region`](super::region) has the code between barriers,
//! [`tile_barriers`](super::tile_barriers) votes, barriers, and the end of a walk.

use std::ops::Range;

use naga::{Block as Code, Statement};
use tilewise_ir::analysis::barrier_regions::TileStep;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Block, Construct, Inst, LabelId, SwitchCase, ValueId};
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::control::Leaves;
use super::state::{Around, AroundKind, LeaveTarget, Lowerer, LoweringResult, Masks, malformed};

impl<'a> Lowerer<'a> {
    pub(super) fn masks(&self) -> LoweringResult<Masks> {
        self.lifted.masks.ok_or_else(|| malformed("there are no masks"))
    }

    /// The numbers of the barriers in a block.
    fn barriers_in(&self, block: &Block) -> Range<u32> {
        self.input.regions.numbers(&block.insts)
    }

    /// Emits lifted code.
    pub(super) fn lifted(&mut self, insts: &'a [Inst]) -> LoweringResult {
        let mut rest = insts;
        while let Some((step, behind)) = self.input.regions.split_first(rest) {
            match step {
                TileStep::Region(region) => self.region(region)?,
                TileStep::Lifted(inst) => {
                    self.cursor.at = Some(inst.id);
                    self.lifted_inst(inst)?;
                }
            }
            rest = behind;
        }
        Ok(())
    }

    fn lifted_inst(&mut self, inst: &'a Inst) -> LoweringResult {
        let inside = self.input.regions.numbers(std::slice::from_ref(inst));
        if inst.kind.barrier().is_some() {
            return self.barrier(inside.start);
        }
        match inst.kind.construct() {
            Some(Construct::If { condition, then, otherwise }) => {
                self.lifted_if(condition, [then, otherwise], inst.result)
            }
            Some(Construct::Switch { selector, cases, default }) => {
                self.lifted_switch(inside, selector, cases, default)
            }
            Some(Construct::Scope { label, body }) => self.lifted_scope(label, body, inst.result),
            Some(Construct::Loop { label, condition, body, continuing }) => {
                self.lifted_loop(inside, label, condition, [body, continuing])
            }
            None => Err(malformed("a barrier stands in an instruction without blocks")),
        }
    }

    /// One vote decides which arms are executed.
    fn lifted_if(
        &mut self,
        condition: ValueId,
        [then, otherwise]: [&'a Block; 2],
        result: Option<ValueId>,
    ) -> LoweringResult {
        let to = self.result_variable(result);
        let condition = self.value(condition)?;
        let not = self.b.not(condition);
        let masks = self.masks()?;
        let entered = self.b.load(masks.here);
        let first = self.b.both(entered, condition);
        let second = self.b.both(entered, not);
        let back_first = self.heads(self.barriers_in(then))?;
        let back_second = self.heads(self.barriers_in(otherwise))?;
        let second_bit = fault::choose(Fault::ElseArmNotVoted, 2, 4);
        let arms = [(first, back_first, 1, then), (second, back_second, second_bit, otherwise)];
        let arms = match fault::planted(Fault::ElseArmNotVoted) {
            true => [arms[0], (arms[0].0, back_second, 1, otherwise)],
            false => arms,
        };
        let mut bits = self.b.u32(0);
        for (mask, back, bit, block) in arms {
            if !self.barriers_in(block).is_empty() {
                let comes = self.b.either(mask, back);
                let bit = self.bit(comes, bit);
                bits = self.b.or(bits, bit);
            }
        }
        let vote = self.vote(bits)?;
        for (mask, _, bit, block) in arms {
            // An arm without a barrier is executed only by threads that take it.
            let taken = if self.barriers_in(block).is_empty() { mask } else { self.has(vote, bit) };
            self.arm(taken, mask, block, to)?;
        }
        let back = self.b.either(back_first, back_second);
        let entered = self.b.either(entered, back);
        self.look_around(entered)?;
        self.take_result(result, to);
        Ok(())
    }

    fn lifted_switch(
        &mut self,
        inside: Range<u32>,
        selector: ValueId,
        cases: &'a [SwitchCase],
        default: &'a Block,
    ) -> LoweringResult {
        let scalar = self.data(selector).scalar;
        let selector = self.value(selector)?;
        let selector = self.b.bits(selector, scalar, Scalar::U32);
        let masks = self.masks()?;
        let entered = self.b.load(masks.here);
        let mut others = entered;
        let back = self.heads(inside)?;
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

    fn lifted_scope(&mut self, label: LabelId, body: &'a Block, result: Option<ValueId>) -> LoweringResult {
        let to = self.result_variable(result);
        if let Some(to) = to {
            self.leaves.results.insert(label, to);
        }
        let masks = self.masks()?;
        let entered = self.b.load(masks.here);
        let back = self.heads(self.barriers_in(body))?;
        let entered = self.b.either(entered, back);
        self.leaves.around.push(Around { label: Some(label), kind: AroundKind::Lifted });
        let made = self.lifted_block(body, to);
        self.leaves.around.pop();
        made?;
        self.return_from(LeaveTarget::Break(label));
        self.look_around(entered)?;
        self.take_result(result, to);
        Ok(())
    }

    /// The threads vote at the head of each iteration whether there is another.
    fn lifted_loop(
        &mut self,
        inside: Range<u32>,
        label: LabelId,
        condition: Option<&'a Block>,
        [body, continuing]: [&'a Block; 2],
    ) -> LoweringResult {
        let masks = self.masks()?;
        let entered = self.b.load(masks.here);
        let back = self.heads(inside.clone())?;
        // A resuming thread is still in the iteration in which it waited.
        let rounds = self.variable("rounds", Data::U32);
        let none = self.b.u32(0);
        if self.b.truth(back) == Some(false) {
            self.b.store(rounds, none);
        } else {
            let new = self.b.not(back);
            self.b.when(new, |b| b.store(rounds, none));
        }
        let entered = self.b.either(entered, back);
        self.leaves.around.push(Around { label: Some(label), kind: AroundKind::Lifted });
        self.lifted.rounds.push(rounds);
        let made = self.nested(|this| {
            this.those_here(|this| this.spend_round(label))?;
            if let Some(condition) = condition {
                this.lifted(&condition.insts)?;
                let value = condition.value.ok_or_else(|| malformed("a condition has no value"))?;
                let go = this.value(value)?;
                let over = this.b.not(go);
                this.stop(over, LeaveTarget::Break(label), entered)?;
            }
            let here = this.b.load(masks.here);
            let back = this.heads(inside.clone())?;
            let stays = this.b.either(here, back);
            let bits = this.bit(stays, 1);
            let vote = this.vote(bits)?;
            let none = this.b.u32(0);
            let over = this.b.equal(vote, none);
            this.b.when(over, |b| b.statement(Statement::Break));
            this.lifted_block(body, None)?;
            this.return_from(LeaveTarget::Continue(label));
            this.look_around(entered)?;
            this.lifted(&continuing.insts)?;
            if let Some(value) = continuing.value {
                let over = this.value(value)?;
                this.stop(over, LeaveTarget::Break(label), entered)?;
            }
            let round = this.b.load(rounds);
            let one = this.b.u32(1);
            let round = if fault::planted(Fault::RoundsNotCounted) { round } else { this.b.add(round, one) };
            this.b.store(rounds, round);
            Ok(())
        });
        self.lifted.rounds.pop();
        self.leaves.around.pop();
        let body = made?;
        self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
        self.return_from(LeaveTarget::Break(label));
        self.look_around(entered)
    }

    /// An arm with a vote of its own.
    fn voted_arm(&mut self, mask: ExprHandle, block: &'a Block) -> LoweringResult {
        let inside = self.barriers_in(block);
        if inside.is_empty() {
            return self.arm(mask, mask, block, None);
        }
        let back = self.heads(inside)?;
        let wanted = self.b.either(mask, back);
        let bits = self.bit(wanted, 1);
        let vote = self.vote(bits)?;
        let taken = self.has(vote, 1);
        self.arm(taken, mask, block, None)
    }

    /// Makes the active threads for which `over` holds leave to a target.
    fn stop(&mut self, over: ExprHandle, aim: LeaveTarget, entered: ExprHandle) -> LoweringResult {
        let masks = self.masks()?;
        let here = self.b.load(masks.here);
        let stops = self.b.both(here, over);
        let number = self.goal_number(aim);
        let goal = self.goal();
        let number = self.b.u32(number);
        self.b.when(stops, |b| b.store(goal, number));
        self.look_around(entered)
    }

    /// Ends the leave of the threads whose target this is.
    fn return_from(&mut self, aim: LeaveTarget) {
        let number = self.goal_number(aim);
        let goal = self.goal();
        let now = self.b.load(goal);
        let this = self.b.u32(number);
        let arrived = self.b.equal(now, this);
        let none = self.b.u32(0);
        self.b.when(arrived, |b| b.store(goal, none));
    }

    /// An arm of a lifted construct, executed if any thread takes it.
    fn arm(&mut self, taken: ExprHandle, mask: ExprHandle, block: &'a Block, to: Option<ExprHandle>) -> LoweringResult {
        if block.insts.is_empty() && to.is_none() {
            return Ok(());
        }
        self.leaves.around.push(Around { label: None, kind: AroundKind::Lifted });
        let made = self.if_then(taken, |this| {
            let masks = this.masks()?;
            this.b.store(masks.here, mask);
            this.lifted_block(block, to)
        });
        self.leaves.around.pop();
        made
    }

    fn lifted_block(&mut self, block: &'a Block, to: Option<ExprHandle>) -> LoweringResult {
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
}
