//! Control flow: maps the kernel's tree to the module's, including leaves that exit more than the
//! module's own `break` and `continue` can.
//!
//! A leave whose target is the innermost loop of the module is a `break` or `continue`. Any other
//! stores its target in the variable `goal` and falls through to the end of its construct; the code
//! after that runs only for threads with no pending leave, and the target clears `goal`. Most
//! leaves need neither: if an arm of an `if` always leaves, the code after the `if` moves into the
//! other arm ([`Lowerer::seq`]), and a leave to the target that its arm falls through to anyway
//! emits nothing ([`PendingLeaves::falls_to`](super::state::PendingLeaves::falls_to)).

use std::collections::HashSet;

use naga::{Block as Code, Expression, Literal, Statement, SwitchCase as ModuleCase, SwitchValue};
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::kernel::{Block, Construct, Init, Inst, InstClass, InstKind, Jump, SwitchCase, ValueId};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::state::{Around, AroundKind, LeaveTarget, Lowerer, LoweringResult, malformed};

/// The targets of pending leaves.
pub(super) type Leaves = HashSet<LeaveTarget>;

/// Emits code at the end of a block.
pub(super) type BlockEnd<'e, 'a> = &'e mut dyn FnMut(&mut Lowerer<'a>) -> LoweringResult;

impl<'a> Lowerer<'a> {
    /// Emits instructions in order, then `end`. Returns the targets of leaves that are pending
    /// after them.
    pub(super) fn seq(&mut self, insts: &'a [Inst], mut end: Option<BlockEnd<'_, 'a>>) -> LoweringResult<Leaves> {
        for (i, inst) in insts.iter().enumerate() {
            self.is_small_enough()?;
            let rest = &insts[i + 1..];
            self.cursor.at = Some(inst.id);
            self.cursor.places = 0;
            if let InstKind::If { condition, then, otherwise } = &inst.kind
                && inst.result.is_none()
                && always_leaves(then) != always_leaves(otherwise)
            {
                let condition = self.value(*condition)?;
                return self.split(condition, [then, otherwise], rest, end);
            }
            let falls_to = self.leaves.falls_to;
            if !rest.is_empty() || end.is_some() {
                self.leaves.falls_to = None;
            }
            // A leave falls through to the end of the enclosing code, whatever would follow here.
            if goes_no_further(&inst.kind) {
                self.leaves.falls_to = falls_to;
            }
            let leaves = self.inst(inst);
            self.leaves.falls_to = falls_to;
            let leaves = leaves?;
            if goes_no_further(&inst.kind) {
                return Ok(leaves);
            }
            if !leaves.is_empty() {
                return self.stayers(leaves, rest, end);
            }
        }
        if let Some(end) = &mut end {
            end(self)?;
        }
        Ok(Leaves::new())
    }

    /// Emits the code after a construct that some threads leave, for those that stay.
    fn stayers(
        &mut self,
        mut leaves: Leaves,
        rest: &'a [Inst],
        end: Option<BlockEnd<'_, 'a>>,
    ) -> LoweringResult<Leaves> {
        if rest.is_empty() && end.is_none() {
            return Ok(leaves);
        }
        let goal = self.goal();
        let goal = self.b.load(goal);
        let none = self.b.u32(0);
        let stay = self.b.equal(goal, none);
        let mut more = Leaves::new();
        self.if_then(stay, |this| {
            more = this.seq(rest, end)?;
            Ok(())
        })?;
        leaves.extend(more);
        Ok(leaves)
    }

    /// An `if` with one arm that always leaves: the code after it belongs to the other arm.
    fn split(
        &mut self,
        condition: ExprHandle,
        blocks: [&'a Block; 2],
        rest: &'a [Inst],
        end: Option<BlockEnd<'_, 'a>>,
    ) -> LoweringResult<Leaves> {
        let stays = usize::from(always_leaves(blocks[0]));
        let falls_to = self.leaves.falls_to;
        let mut arms = [Code::new(), Code::new()];
        let mut leaves = [Leaves::new(), Leaves::new()];
        for arm in 0..2 {
            if arm == stays && (!rest.is_empty() || end.is_some()) {
                self.leaves.falls_to = None;
            }
            self.b.open();
            let made = self.seq(&blocks[arm].insts, None);
            arms[arm] = self.b.close();
            self.leaves.falls_to = falls_to;
            leaves[arm] = made?;
        }
        // The arm that stays is closed already, so it is reopened for the code after the `if`.
        self.b.reopen(std::mem::take(&mut arms[stays]));
        let own = std::mem::take(&mut leaves[stays]);
        let made = if own.is_empty() { self.seq(rest, end) } else { self.stayers(own, rest, end) };
        arms[stays] = self.b.close();
        let mut all = made?;
        leaves.into_iter().for_each(|leaves| all.extend(leaves));
        let [accept, reject] = arms;
        self.b.statement(Statement::If { condition, accept, reject });
        Ok(all)
    }

    /// Emits a block and stores its value, if it has one, in a variable.
    pub(super) fn block(&mut self, block: &'a Block, to: Option<ExprHandle>) -> LoweringResult<Leaves> {
        let (Some(value), Some(to)) = (block.value, to) else { return self.seq(&block.insts, None) };
        self.seq(
            &block.insts,
            Some(&mut |this: &mut Lowerer<'a>| {
                let value = this.value(value)?;
                this.b.store(to, value);
                Ok(())
            }),
        )
    }

    /// Emits one instruction. Returns the targets of leaves that are pending after it.
    fn inst(&mut self, inst: &'a Inst) -> LoweringResult<Leaves> {
        if let Some(construct) = inst.kind.construct() {
            return self.construct(inst.result, construct);
        }
        if let Some(jump) = inst.kind.jump() {
            return self.jump(jump, inst.pos);
        }
        self.plain(inst)?;
        match inst.kind.class() {
            InstClass::Stop => self.leave(LeaveTarget::Dead),
            InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Read
            | InstClass::Write
            | InstClass::Atomic
            | InstClass::Declare
            | InstClass::Synchronize
            | InstClass::Output
            | InstClass::Call
            | InstClass::Structured
            | InstClass::Jump => Ok(Leaves::new()),
        }
    }

    fn construct(&mut self, result: Option<ValueId>, construct: Construct<'a>) -> LoweringResult<Leaves> {
        match construct {
            Construct::If { condition, then, otherwise } => {
                let condition = self.decided(condition)?;
                let to = self.result_variable(result);
                let mut leaves = Leaves::new();
                let mut arms = Vec::new();
                for block in [then, otherwise] {
                    self.b.open();
                    let made = self.block(block, to);
                    arms.push(self.b.close());
                    leaves.extend(made?);
                }
                let (Some(reject), Some(accept)) = (arms.pop(), arms.pop()) else {
                    return Err(malformed("an `if` has no arms"));
                };
                self.b.statement(Statement::If { condition, accept, reject });
                self.take_result(result, to);
                Ok(leaves)
            }
            Construct::Switch { selector, cases, default } => self.switch(selector, cases, default),
            Construct::Loop { label, condition, body, continuing } => self.repeat(label, condition, body, continuing),
            Construct::Scope { label, body } => {
                let to = self.result_variable(result);
                if let Some(to) = to {
                    self.leaves.results.insert(label, to);
                }
                self.leaves.around.push(Around { label: Some(label), kind: AroundKind::Scope });
                let falls_to = self.leaves.falls_to.replace(LeaveTarget::Break(label));
                let made = self.block(body, to);
                self.leaves.falls_to = falls_to;
                self.leaves.around.pop();
                let mut leaves = made?;
                self.arrive(&mut leaves, LeaveTarget::Break(label));
                self.take_result(result, to);
                Ok(leaves)
            }
        }
    }

    fn jump(&mut self, jump: Jump, pos: Pos) -> LoweringResult<Leaves> {
        match jump {
            Jump::Break { label, value } => {
                if let Some(value) = value {
                    let value = self.value(value)?;
                    if let Some(&to) = self.leaves.results.get(&label) {
                        self.b.store(to, value);
                    }
                }
                self.leave(LeaveTarget::Break(label))
            }
            Jump::Continue { label } => self.leave(LeaveTarget::Continue(label)),
            Jump::Return(_) => {
                self.note_return(pos);
                self.leave(LeaveTarget::Return)
            }
        }
    }

    /// A condition; a constant if its range is a single value for all threads.
    fn decided(&mut self, condition: ValueId) -> LoweringResult<ExprHandle> {
        match self.input.facts.value(condition).range.and_then(IntegerRange::single) {
            Some(number) => Ok(self.b.bool(number != 0)),
            None => self.value(condition),
        }
    }

    /// Initialises a local at its declaration.
    pub(super) fn declare(&mut self, local: tilewise_ir::kernel::LocalId, init: Init) -> LoweringResult {
        use super::state::LocalVar;
        let found = self.memory.locals.get(&local).copied();
        match (found, init) {
            (Some(LocalVar::Native(pointer)), Init::Value(value)) => {
                let value = self.value(value)?;
                self.b.store(pointer, value);
            }
            (Some(LocalVar::Native(pointer)), Init::Zero | Init::Unset) => {
                if let Some(data) =
                    self.input.kernel.types().value(self.input.kernel.entry().locals()[local.index()].ty)
                {
                    let zero = self.zero(data);
                    self.b.store(pointer, zero);
                }
            }
            (Some(LocalVar::Words(words, ty)), init) => {
                let zero = self.b.bare(Expression::ZeroValue(ty));
                self.b.store(words.array, zero);
                if let Init::Value(value) = init {
                    let value = self.value(value)?;
                    let place =
                        tilewise_ir::kernel::Place { root: tilewise_ir::kernel::Root::Local(local), path: Vec::new() };
                    let found = self.find(&place)?;
                    self.store(found, value)?;
                }
            }
            (None, _) => return Err(malformed("a local has no variable")),
        }
        Ok(())
    }

    pub(super) fn result_variable(&mut self, result: Option<ValueId>) -> Option<ExprHandle> {
        let data = self.data(result?);
        Some(self.variable("result", data))
    }

    pub(super) fn take_result(&mut self, result: Option<ValueId>, from: Option<ExprHandle>) {
        if let Some(from) = from {
            let value = self.b.load(from);
            self.set(result, value);
        }
    }

    fn switch(&mut self, selector: ValueId, cases: &'a [SwitchCase], default: &'a Block) -> LoweringResult<Leaves> {
        let signed = self.data(selector).scalar == Scalar::I32;
        let selector = self.value(selector)?;
        let mut leaves = Leaves::new();
        let mut out = Vec::new();
        self.leaves.around.push(Around { label: None, kind: AroundKind::Switch });
        let mut made = Ok(());
        for case in cases {
            self.b.open();
            let inner = self.block(&case.body, None);
            let body = self.b.close();
            match inner {
                Ok(inner) => leaves.extend(inner),
                Err(error) => made = Err(error),
            }
            let value = |&value: &u32| match signed {
                true => SwitchValue::I32(value as i32),
                false => SwitchValue::U32(value),
            };
            // The values before the last fall through to it.
            let (last, before) = case.values.split_last().ok_or_else(|| malformed("a case has no value"))?;
            out.extend(before.iter().map(|v| ModuleCase { value: value(v), body: Code::new(), fall_through: true }));
            out.push(ModuleCase { value: value(last), body, fall_through: false });
        }
        self.b.open();
        let inner = self.block(default, None);
        let body = self.b.close();
        self.leaves.around.pop();
        made?;
        leaves.extend(inner?);
        out.push(ModuleCase { value: SwitchValue::Default, body, fall_through: false });
        self.b.statement(Statement::Switch { selector, cases: out });
        Ok(leaves)
    }

    /// Ends the leaves with this target.
    pub(super) fn arrive(&mut self, leaves: &mut Leaves, aim: LeaveTarget) {
        if !leaves.remove(&aim) {
            return;
        }
        let number = self.goal_number(aim);
        let goal = self.goal();
        if leaves.is_empty() {
            let none = self.b.u32(0);
            self.b.store(goal, none);
            return;
        }
        let now = self.b.load(goal);
        let this = self.b.u32(number);
        let arrived = self.b.equal(now, this);
        self.b.when(arrived, |b| {
            let none = b.literal(Literal::U32(0));
            b.store(goal, none);
        });
    }

    /// The variable with the target of a pending leave.
    pub(super) fn goal(&mut self) -> ExprHandle {
        if let Some(goal) = self.leaves.goal {
            return goal;
        }
        let none = self.b.u32(0);
        let goal = self.variable("goal", Data::U32);
        self.b.begin_with(goal, none);
        self.leaves.goal = Some(goal);
        goal
    }

    /// The number of a target, never 0.
    pub(super) fn goal_number(&mut self, aim: LeaveTarget) -> u32 {
        let known = self.leaves.goals.iter().position(|&goal| goal == aim);
        let at = known.unwrap_or_else(|| {
            self.leaves.goals.push(aim);
            self.leaves.goals.len() - 1
        });
        at as u32 + 1
    }

    /// Emits a leave.
    pub(super) fn leave(&mut self, aim: LeaveTarget) -> LoweringResult<Leaves> {
        if self.leaves.falls_to == Some(aim) {
            return Ok(Leaves::new());
        }
        let whole = matches!(aim, LeaveTarget::Return | LeaveTarget::Dead);
        if whole && self.lifted.masks.is_none() {
            self.b.statement(Statement::Return { value: None });
            return Ok(Leaves::new());
        }
        // The innermost construct to which a `break` or `continue` would apply.
        for around in self.leaves.around.iter().rev() {
            match around.kind {
                AroundKind::Scope => {}
                AroundKind::Loop { continues } => {
                    let own = around.label;
                    if Some(aim) == own.map(LeaveTarget::Break) {
                        self.b.statement(Statement::Break);
                        return Ok(Leaves::new());
                    }
                    if continues && Some(aim) == own.map(LeaveTarget::Continue) {
                        self.b.statement(Statement::Continue);
                        return Ok(Leaves::new());
                    }
                    break;
                }
                AroundKind::Switch | AroundKind::Region | AroundKind::Lifted => break,
            }
        }
        let number = self.goal_number(aim);
        let goal = self.goal();
        let number = self.b.u32(number);
        self.b.store(goal, number);
        Ok(Leaves::from([aim]))
    }
}

/// Whether no thread continues after the instruction, since it leaves or ends there.
fn goes_no_further(kind: &InstKind) -> bool {
    matches!(kind.class(), InstClass::Jump | InstClass::Stop)
}

/// Whether no thread reaches the end of the block.
pub(super) fn always_leaves(block: &Block) -> bool {
    block.insts.last().is_some_and(|inst| {
        if let InstKind::If { then, otherwise, .. } = &inst.kind {
            return always_leaves(then) && always_leaves(otherwise);
        }
        goes_no_further(&inst.kind)
    })
}
