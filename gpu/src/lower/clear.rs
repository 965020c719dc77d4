//! The code that clears tile memory before a tile begins.
//! [`tile_memory`](tilewise_ir::analysis::tile_memory) decides which variables need it.

use naga::{Barrier, BinaryOperator, Block as Code, Statement};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Data;

use super::builder::ExprHandle;
use super::state::{Lowerer, LoweringResult, WordMemory, malformed};

/// Most stores by one thread that are unrolled; more are in a loop.
const UNROLLED: u32 = 8;

impl Lowerer<'_> {
    /// Clears tile memory, each thread a part, followed by a barrier. Emits nothing if there is
    /// none to clear.
    pub(super) fn clear(&mut self, memory: &[(WordMemory, u32)]) -> LoweringResult {
        if memory.is_empty() {
            return Ok(());
        }
        let threads: u32 = self.input.kernel.tile().map_or(1, |tile| tile.iter().product());
        let first = self.here.in_tile.ok_or_else(|| malformed("there is no tile"))?;
        for &(words, count) in memory {
            if count.div_ceil(threads) <= UNROLLED {
                let cleared = if fault::planted(Fault::ClearFirstWords) { count.min(threads) } else { count };
                for begin in (0..cleared).step_by(threads as usize) {
                    let more = self.b.u32(begin);
                    let at = self.b.add(first, more);
                    match begin + threads <= count {
                        true => self.clear_word(words, at),
                        false => {
                            let length = self.b.u32(count);
                            let within = self.b.less(at, length);
                            self.if_then(within, |this| {
                                this.clear_word(words, at);
                                Ok(())
                            })?;
                        }
                    }
                }
            } else {
                self.clear_in_a_loop(words, count, first, threads)?;
            }
        }
        self.b.statement(Statement::ControlBarrier(Barrier::WORK_GROUP));
        Ok(())
    }

    fn clear_in_a_loop(&mut self, words: WordMemory, count: u32, first: ExprHandle, threads: u32) -> LoweringResult {
        let counter = self.variable("cleared", Data::U32);
        self.b.store(counter, first);
        let body = self.nested(|this| {
            let at = this.b.load(counter);
            let length = this.b.u32(count);
            let over = this.b.binary(BinaryOperator::GreaterEqual, at, length);
            this.b.when(over, |b| b.statement(Statement::Break));
            this.clear_word(words, at);
            let step = this.b.u32(threads);
            let next = this.b.add(at, step);
            this.b.store(counter, next);
            Ok(())
        })?;
        self.b.statement(Statement::Loop { body, continuing: Code::new(), break_if: None });
        Ok(())
    }

    fn clear_word(&mut self, words: WordMemory, at: ExprHandle) {
        let zero = self.b.u32(0);
        self.store_word(words, at, zero);
    }
}
