//! Loops of the kernel as loops of the module: their condition, their ends, and how those leave who go further than the loop.

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
        // What the module's continuing part may not hold stands at the end of the body instead.
        let inline = !may_continue(continuing);
        let kind = AroundKind::Loop { continues: !inline };
        self.around.push(Around { label: Some(label), kind });
        let falls_to = self.falls_to.take();
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
            this.falls_to = Some(LeaveTarget::Continue(label));
            let inner = this.block(body, None)?;
            this.falls_to = None;
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
        self.falls_to = falls_to;
        self.around.pop();
        let body = made?;
        self.b.statement(Statement::Loop { body, continuing: part, break_if });
        self.arrive(&mut leaves, LeaveTarget::Break(label));
        Ok(leaves)
    }

    /// A way out at the head of a loop, for lavapipe, that no thread takes and that the driver does not see through. It is for two of its faults:
    ///
    /// - Where a loop has one exit only, what is computed in a round is taken for what is known behind the loop; it is computed again while other threads go on, with zeros for
    ///   what is read from memory. What may come by either of two exits is noted by those who leave.
    /// - A vector of threads stays in a loop as long as one of its lanes does, also one that has no thread because the tile has too few; such a lane reads zeros from memory, so it may
    ///   stay while all threads have left. Then its vector comes to more barriers than the others, and spends the rounds that it may take. Those are the lanes that leave here.
    fn second_way_out(&mut self) -> LoweringResult {
        if self.key.inactive_lanes_run {
            let zero = self.word(block::ZERO);
            let threads = self.b.u32(self.workgroup().iter().product());
            let threads = self.b.binary(BinaryOperator::InclusiveOr, threads, zero);
            let in_tile = self.here.in_tile.ok_or_else(|| malformed("there is no tile"))?;
            let nobody = self.b.binary(BinaryOperator::GreaterEqual, in_tile, threads);
            self.b.when(nobody, |b| b.statement(Statement::Break));
        }
        Ok(())
    }

    /// A block that stands at the end of a loop's body; its value, if it has one, ends the loop.
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

    /// The condition of a loop, computed at its top. Who leaves from inside it finds it false.
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

    /// Ends the module's loop for those who are on their way to an aim outside of it.
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

/// May the block be the continuing part of a loop of the module?
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
