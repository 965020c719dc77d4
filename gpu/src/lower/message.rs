//! What threads say to the host: lines of output, errors, rounds that ran out. Each is an entry of
//! the log in the message buffer. A line that finds it full is lost, and the count of words tells the
//! host how much is. Other entries then go to a reserve that lines cannot fill.

use naga::{AtomicFunction, BinaryOperator, Expression};
use tilewise_ir::kernel::{LabelId, Message};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::lowered::{MessageKind, block, message};
use super::state::{LeaveTarget, Lowerer, LoweringResult};

/// The log's word counter stops here: 8 GiB.
const COUNTED: u32 = 1 << 31;

impl Lowerer<'_> {
    /// A word of the message buffer that does not belong to the log.
    fn message_word(&mut self, word: u32) -> ExprHandle {
        let base = self.messages();
        self.b.expr(Expression::AccessIndex { base, index: word })
    }

    pub(super) fn say_print(&mut self, said: &Message, pos: Pos) -> LoweringResult {
        let types = said.values.iter().map(|&value| self.data(value)).collect();
        let site = self.site(pos, MessageKind::Print(said.clone(), types));
        let values = self.said(said)?;
        self.log(site, values, true)
    }

    /// `error` with its message, or `abort` without. Only the entry of the lowest thread so far can
    /// be needed.
    pub(super) fn say_error(&mut self, said: Option<&Message>, pos: Pos) -> LoweringResult {
        let (kind, values) = match said {
            Some(said) => {
                let types = said.values.iter().map(|&value| self.data(value)).collect();
                (MessageKind::Error(said.clone(), types), self.said(said)?)
            }
            None => (MessageKind::Abort, Vec::new()),
        };
        let site = self.site(pos, kind);
        let ended = self.message_word(message::ENDED);
        let one = self.b.u32(1);
        self.atomic_statement(ended, AtomicFunction::Add, one, Scalar::U32);
        let lowest = self.message_word(message::LOWEST);
        let thread = self.thread();
        let before = self.atomic_statement(lowest, AtomicFunction::Min, thread, Scalar::U32);
        let lower = self.b.less(thread, before);
        self.if_then(lower, |this| this.log(site, values, false))
    }

    /// Linear index of the thread in the domain.
    pub(super) fn thread(&mut self) -> ExprHandle {
        if let Some(thread) = self.here.thread {
            return thread;
        }
        let mut linear = self.b.u32(0);
        for (d, at) in self.here.global.clone().into_iter().enumerate() {
            let extent = self.word(block::DOMAIN + d as u32);
            let up = self.b.mul(linear, extent);
            linear = self.b.add(up, at);
        }
        linear
    }

    fn said(&mut self, said: &Message) -> LoweringResult<Vec<ExprHandle>> {
        let mut words = Vec::new();
        for &value in &said.values {
            let Data { scalar, width } = self.data(value);
            let whole = self.value(value)?;
            for i in 0..u32::from(width) {
                let component = if width == 1 { whole } else { self.b.at(whole, i) };
                match scalar.bits() {
                    1 => words.push(self.b.convert(component, Scalar::U32)),
                    32 => words.push(self.b.bits(component, scalar, Scalar::U32)),
                    _ => words.extend(self.halves(component, scalar)),
                }
            }
        }
        Ok(words)
    }

    /// Adds an entry to the log: a line of output, or one that must not be lost for lines.
    pub(super) fn log(&mut self, site: u32, words: Vec<ExprHandle>, is_print: bool) -> LoweringResult {
        let thread = self.thread();
        let size = words.len() as u32 + 3;
        let mut entry = vec![self.b.u32(size), self.b.u32(site), thread];
        entry.extend(words);
        let place = self.variable("place", Data::U32);
        let nowhere = self.b.u32(u32::MAX);
        self.b.store(place, nowhere);
        let room = self.word(block::MESSAGES);
        let limit = self.b.u32(message::RESERVE.saturating_add(message::LOG).saturating_add(size));
        let limit = self.b.binary(BinaryOperator::Subtract, room, limit);
        let first = self.b.u32(message::LOG);
        self.claim(message::USED, size, (limit, first), place)?;
        if !is_print && size <= message::RESERVE {
            let at = self.b.load(place);
            let none = self.b.equal(at, nowhere);
            self.if_then(none, |this| {
                let limit = this.b.u32(message::RESERVE - size);
                let reserve = this.b.u32(message::RESERVE);
                let first = this.b.binary(BinaryOperator::Subtract, room, reserve);
                this.claim(message::RESERVE_USED, size, (limit, first), place)
            })?;
        }
        let at = self.b.load(place);
        let found = self.b.binary(BinaryOperator::NotEqual, at, nowhere);
        self.if_then(found, |this| {
            let base = this.messages();
            for (i, word) in (0..).zip(entry) {
                let more = this.b.u32(i);
                let index = this.b.add(at, more);
                let pointer = this.b.expr(Expression::Access { base, index });
                this.b.store(pointer, word);
            }
            Ok(())
        })
    }

    /// Claims words of a region that a word of the head counts, and stores in `place` where they are
    /// in the buffer, if they begin within the limit; the region begins at `first`.
    fn claim(
        &mut self,
        counter: u32,
        size: u32,
        (limit, first): (ExprHandle, ExprHandle),
        place: ExprHandle,
    ) -> LoweringResult {
        let used = self.message_word(counter);
        // The counter must not wrap, or the region would be written anew: it stops where no number
        // of threads that run at once takes it to 2^32.
        let before = self.b.load(used);
        let half = self.b.u32(COUNTED);
        let counts = self.b.less(before, half);
        self.if_then(counts, |this| {
            let count = this.b.u32(size);
            let at = this.atomic_statement(used, AtomicFunction::Add, count, Scalar::U32);
            // It may have gone far beyond the region: the test must not wrap either.
            let fits = this.b.binary(BinaryOperator::LessEqual, at, limit);
            this.if_then(fits, |this| {
                let at = this.b.add(first, at);
                this.b.store(place, at);
                Ok(())
            })
        })
    }

    /// Adds the part that a thread has in a report that not all met. Only the lowest tile is
    /// reported, so tiles above the lowest so far say nothing.
    pub(super) fn log_divergence(&mut self, tile: ExprHandle, words: Vec<ExprHandle>) -> LoweringResult {
        let lowest = self.message_word(message::LOWEST_TILE);
        let before = self.atomic_statement(lowest, AtomicFunction::Min, tile, Scalar::U32);
        let wanted = self.b.binary(BinaryOperator::LessEqual, tile, before);
        self.if_then(wanted, |this| this.log(message::AT_END, words, false))
    }

    /// Sets bits of the status.
    pub(super) fn report(&mut self, bits: u32) {
        let status = self.message_word(message::STATUS);
        let bits = self.b.u32(bits);
        self.atomic_statement(status, AtomicFunction::InclusiveOr, bits, Scalar::U32);
    }

    /// Counts one iteration of a loop, if the loop is counted; a thread whose budget is spent
    /// leaves.
    pub(super) fn spend_round(&mut self, label: LabelId) -> LoweringResult<super::control::Leaves> {
        let Some(budget) = self.budget.filter(|_| self.input.scan.counted.contains(&label)) else {
            return Ok(super::control::Leaves::new());
        };
        let left = self.b.load(budget);
        let cost = self.b.u32(self.input.scan.costs.get(&label).copied().unwrap_or(1));
        let spent = self.b.less(left, cost);
        let mut leaves = super::control::Leaves::new();
        self.if_then(spent, |this| {
            this.report(message::TIRED);
            // It does not arrive at any barrier: the launch ends, and other threads wait in vain.
            let aim = if this.lifted.masks.is_some() { LeaveTarget::Tired } else { LeaveTarget::Dead };
            leaves = this.leave(aim)?;
            if !leaves.is_empty()
                && !matches!(
                    this.leaves.around.last().map(|around| around.kind),
                    Some(super::state::AroundKind::Region)
                )
            {
                this.b.statement(naga::Statement::Break);
            }
            Ok(())
        })?;
        let left = self.b.binary(BinaryOperator::Subtract, left, cost);
        self.b.store(budget, left);
        Ok(leaves)
    }

    /// Counts iterations of a loop that the kernel does not have, on a driver that stops loops. The
    /// thread goes on: the next iteration of a loop of the kernel's finds the budget spent.
    pub(super) fn spend_more(&mut self, iterations: u32) {
        let Some(budget) = self.budget.filter(|_| self.input.key.rounds.is_some()) else { return };
        let left = self.b.load(budget);
        let cost = self.b.u32(iterations);
        let cost = self.b.math(naga::MathFunction::Min, &[left, cost]);
        let left = self.b.binary(BinaryOperator::Subtract, left, cost);
        self.b.store(budget, left);
    }
}
