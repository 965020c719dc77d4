//! Messages from threads to the host: lines of output, errors, exhausted iteration budgets. Each is
//! an entry of the log in the message buffer. If the log is full, the entry is dropped, and the
//! word count shows the host how much is lost.

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
        self.log(site, values)
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
        self.if_then(lower, |this| this.log(site, values))
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

    /// Appends an entry to the log.
    pub(super) fn log(&mut self, site: u32, words: Vec<ExprHandle>) -> LoweringResult {
        let thread = self.thread();
        let size = words.len() as u32 + 3;
        let mut entry = vec![self.b.u32(size), self.b.u32(site), thread];
        entry.extend(words);
        let used = self.message_word(message::USED);
        // The counter must not wrap, or the log would be overwritten: it stops where no number of
        // concurrent threads can take it to 2^32.
        let before = self.b.load(used);
        let half = self.b.u32(COUNTED);
        let counts = self.b.less(before, half);
        self.if_then(counts, |this| {
            let count = this.b.u32(size);
            let at = this.atomic_statement(used, AtomicFunction::Add, count, Scalar::U32);
            // It may be far beyond the log, so the test must not wrap either.
            let room = this.word(block::MESSAGES);
            let last = this.b.u32(message::LOG + size);
            let limit = this.b.binary(BinaryOperator::Subtract, room, last);
            let fits = this.b.binary(BinaryOperator::LessEqual, at, limit);
            this.if_then(fits, |this| {
                let base = this.messages();
                for (i, word) in (0..).zip(entry) {
                    let more = this.b.u32(message::LOG + i);
                    let index = this.b.add(at, more);
                    let pointer = this.b.expr(Expression::Access { base, index });
                    this.b.store(pointer, word);
                }
                Ok(())
            })
        })
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
        let Some(budget) = self.budget.filter(|_| self.counted.contains(&label)) else {
            return Ok(super::control::Leaves::new());
        };
        let left = self.b.load(budget);
        let none = self.b.u32(0);
        let spent = self.b.equal(left, none);
        let mut leaves = super::control::Leaves::new();
        self.if_then(spent, |this| {
            this.report(message::TIRED);
            // It does not arrive at any barrier: the launch ends, and other threads wait in vain.
            let aim = if this.masks.is_some() { LeaveTarget::Tired } else { LeaveTarget::Dead };
            leaves = this.leave(aim)?;
            if !leaves.is_empty()
                && !matches!(this.around.last().map(|around| around.kind), Some(super::state::AroundKind::Region))
            {
                this.b.statement(naga::Statement::Break);
            }
            Ok(())
        })?;
        let one = self.b.u32(1);
        let left = self.b.binary(BinaryOperator::Subtract, left, one);
        self.b.store(budget, left);
        Ok(leaves)
    }
}
