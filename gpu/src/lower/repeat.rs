//! Loops of the kernel as loops of the module: their condition, their end, and leaves whose target
//! is outside the loop.

use naga::{BinaryOperator, Block as Code, Statement};
use tilewise_ir::kernel::{Block, InstKind, LabelId};
use tilewise_ir::types::Data;

use super::builder::ExprHandle;
use super::control::Leaves;
use super::lowered::block;
use super::state::{Around, AroundKind, LeaveTarget, Lowerer, LoweringResult, malformed};

impl<'a> Lowerer<'a> {
    pub(super) fn repeat(
        &mut self,
        label: LabelId,
        condition: Option<&'a Block>,
        body: &'a Block,
        continuing: &'a Block,
    ) -> LoweringResult<Leaves> {
        // A block that the module's `continuing` block may not hold goes to the end of the body
        // instead.
        let inline = !may_continue(continuing);
        let kind = AroundKind::Loop { continues: !inline };
        self.leaves.around.push(Around { label: Some(label), kind });
        let falls_to = self.leaves.falls_to.take();
        let mut leaves = Leaves::new();
        let mut part = Code::new();
        let mut break_if = None;
        let made = self.nested(|this| {
            leaves.extend(this.spend_round(label)?);
            this.second_way_out()?;
            if let Some(condition) = condition {
                let found = this.condition(condition, &mut leaves)?;
                let over = this.b.not(found);
                this.if_then(over, |this| {
                    this.b.statement(Statement::Break);
                    Ok(())
                })?;
            }
            this.leaves.falls_to = Some(LeaveTarget::Continue(label));
            let inner = this.block(body, None)?;
            this.leaves.falls_to = None;
            leaves.extend(inner);
            this.arrive(&mut leaves, LeaveTarget::Continue(label));
            this.go_on(&leaves);
            if inline {
                let inner = this.block_then_break(continuing)?;
                this.go_on(&inner);
                leaves.extend(inner);
                return Ok(());
            }
            this.b.open();
            let made = match continuing.value {
                None => this.seq(&continuing.insts, None),
                Some(value) => this.seq(
                    &continuing.insts,
                    Some(&mut |this: &mut Lowerer<'a>| {
                        break_if = Some(this.value(value)?);
                        Ok(())
                    }),
                ),
            };
            part = this.b.close();
            made.map(|_| ())
        });
        self.leaves.falls_to = falls_to;
        self.leaves.around.pop();
        let body = made?;
        self.b.statement(Statement::Loop { body, continuing: part, break_if });
        self.arrive(&mut leaves, LeaveTarget::Break(label));
        Ok(leaves)
    }

    /// A second exit at the head of a loop, for lavapipe: no thread takes it, and the driver cannot
    /// infer that. It works around two bugs:
    ///
    /// - In a loop with a single exit, lavapipe takes values computed in an iteration as available
    ///   after the loop, and recomputes them while other threads iterate, with zeros for values
    ///   read from memory. With two exits, threads record such values as they leave.
    /// - A vector of threads stays in a loop as long as any of its lanes does, including a lane
    ///   without a thread because the tile is too small. Such a lane reads zeros from memory, so it
    ///   may stay after all threads have left. Its vector then executes more barriers than the
    ///   others, and uses up its limit of iterations. Such lanes leave here.
    fn second_way_out(&mut self) -> LoweringResult {
        if self.input.key.inactive_lanes_run {
            let zero = self.word(block::ZERO);
            let threads = self.b.u32(self.workgroup().iter().product());
            let threads = self.b.binary(BinaryOperator::InclusiveOr, threads, zero);
            let in_tile = self.here.in_tile.ok_or_else(|| malformed("there is no tile"))?;
            let nobody = self.b.binary(BinaryOperator::GreaterEqual, in_tile, threads);
            self.b.when(nobody, |b| b.statement(Statement::Break));
        }
        Ok(())
    }

    /// A block at the end of a loop's body; if it has a value, that ends the loop.
    fn block_then_break(&mut self, block: &'a Block) -> LoweringResult<Leaves> {
        let Some(value) = block.value else { return self.seq(&block.insts, None) };
        self.seq(
            &block.insts,
            Some(&mut |this: &mut Lowerer<'a>| {
                let over = this.value(value)?;
                this.b.when(over, |b| b.statement(Statement::Break));
                Ok(())
            }),
        )
    }

    /// The condition of a loop, computed at its top. For a thread that leaves from inside it, it is
    /// false.
    fn condition(&mut self, condition: &'a Block, leaves: &mut Leaves) -> LoweringResult<ExprHandle> {
        let value = condition.value.ok_or_else(|| malformed("a condition has no value"))?;
        let mut found = None;
        let to = if may_continue(condition) { None } else { Some(self.variable("go", Data::BOOL)) };
        if let Some(to) = to {
            let no = self.b.bool(false);
            self.b.store(to, no);
        }
        let inner = self.seq(
            &condition.insts,
            Some(&mut |this: &mut Lowerer<'a>| {
                let value = this.value(value)?;
                match to {
                    Some(to) => this.b.store(to, value),
                    None => found = Some(value),
                }
                Ok(())
            }),
        )?;
        leaves.extend(inner);
        match to {
            Some(to) => Ok(self.b.load(to)),
            None => found.ok_or_else(|| malformed("a condition has no value")),
        }
    }

    /// Exits the module's loop for threads whose pending leave has a target outside of it.
    fn go_on(&mut self, leaves: &Leaves) {
        if leaves.is_empty() {
            return;
        }
        let goal = self.goal();
        let goal = self.b.load(goal);
        let none = self.b.u32(0);
        let away = self.b.binary(BinaryOperator::NotEqual, goal, none);
        self.b.when(away, |b| b.statement(Statement::Break));
    }
}

/// Whether the block may be the `continuing` block of a module's loop.
fn may_continue(block: &Block) -> bool {
    let mut plain = true;
    block.walk(&mut |inst| {
        plain &= !matches!(
            inst.kind,
            InstKind::Break { .. }
                | InstKind::Continue { .. }
                | InstKind::Return(_)
                | InstKind::Error(_)
                | InstKind::Abort
                | InstKind::Loop { .. }
                | InstKind::Scope { .. }
        );
    });
    plain
}
