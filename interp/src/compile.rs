//! Compiles the tree to bytecode: control flow, and the state of the whole kernel.
//! [`emit`](super::emit) compiles instructions without blocks.
//!
//! A straight-line run of instructions begins with a [`Count`](Instr::Count), patched at the end of
//! the run; every jump and every jump target ends a run.

use std::collections::BTreeMap;

use super::Checks;
use super::MAX_ARENA;
use super::bind::{BoundParam, LaunchPlan};
use super::code::{
    BarrierCode, Bytecode, DomainBinding, FrameLayout, FrameSlot, Instr, Position, ReportTables, SwitchCode, WatchCode,
};
use super::lifetimes::Deaths;
use super::slots::{Reuse, Slots};
use super::views;
use super::words::{AccessSite, AccessSiteKind};
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::kernel::{
    Block, Builtin, Construct, Fence, Function, Inst, InstKind, Jump, Kernel, LabelId, LocalId, SwitchCase, ValueDef,
    ValueId,
};
use tilewise_ir::launch::{NOT_WELL_FORMED, Refusal};
use tilewise_ir::ops::OpFamily;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::ValueType;
use tilewise_ir::typing::Context;

/// Number of bytes of an aggregate that cost as much fuel as one instruction.
pub(super) const BYTES: u64 = 64;

/// The slot of a value that has none yet.
const NOWHERE: FrameSlot = FrameSlot::MAX;

/// Compiles a kernel without calls for one launch.
pub(super) fn compile(
    kernel: &Kernel,
    plan: LaunchPlan,
    reuse: Reuse,
    watched: Watched<'_>,
) -> Result<Bytecode, Refusal> {
    let mut compiler = Compiler::new(kernel, plan, reuse, watched)?;
    let threads = compiler.code.launch.tile.iter().fold(1, |product: u64, &t| product.saturating_mul(u64::from(t)));
    let cleared = kernel.tile_vars().iter().fold(0, |sum: u64, var| sum.saturating_add(kernel.types().size(var.ty)));
    compiler.count(1 + cleared / BYTES / threads.max(1));
    compiler.block(kernel.entry().body())?;
    compiler.pos = Pos::NONE;
    compiler.emit(Instr::Return);
    compiler.finish()
}

/// What code does for observers beyond running the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Watched<'a> {
    /// Nothing.
    Nothing,
    /// It shows the operands of arithmetic that these checks are about.
    Arithmetic(&'a Checks),
    /// It has an event for each instruction and value.
    Events,
}

/// The refusal of an ill-formed kernel; the checker accepts none.
pub(super) fn malformed(what: &str) -> Refusal {
    Refusal::Unsupported(format!("{NOT_WELL_FORMED}: {what}"))
}

/// The state of the compilation.
pub(super) struct Compiler<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) context: Context<'a>,
    pub(super) plan: LaunchPlan,
    pub(super) code: Bytecode,
    pub(super) slots: Slots,
    deaths: Deaths,
    /// First slot of each value.
    homes: Vec<FrameSlot>,
    pub(super) origins: ViewOrigins,
    /// The location of each local variable.
    pub(super) locals: Vec<Option<LocalHome>>,
    /// Variables of the open blocks with slots in the frame, to be freed.
    open_locals: Vec<(LocalId, FrameSlot, u32)>,
    /// Bytes of private memory in use.
    pub(super) private_top: u64,
    builtins: BTreeMap<Builtin, FrameSlot>,
    labels: Vec<PendingJumps>,
    /// Number of blocks visited, as numbered by [`Deaths`].
    blocks: usize,
    /// Iteration counters of the open loops that contain a barrier.
    counters: Vec<FrameSlot>,
    /// The `Count` of the current straight-line run.
    run: Option<usize>,
    pub(super) pos: Pos,
    /// The operation compiled last: its value, and its position.
    pub(super) last_op: Option<(ValueId, OpFamily, Pos)>,
    /// Whether to emit events for an observer.
    pub(super) watched: Watched<'a>,
}

/// The location of a local variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalHome {
    /// A scalar or vector: in the frame.
    Lanes(FrameSlot),
    /// An aggregate: in private memory.
    Private(u64),
}

/// Jumps of a loop or scope that are still to be patched.
#[derive(Clone, Debug, Default)]
struct PendingJumps {
    exits: Vec<usize>,
    continues: Vec<usize>,
    /// First slot and number of lanes of a scope's value.
    result: Option<(FrameSlot, u32)>,
}

type Done = Result<(), Refusal>;

impl<'a> Compiler<'a> {
    fn new(kernel: &'a Kernel, plan: LaunchPlan, reuse: Reuse, watched: Watched<'a>) -> Result<Compiler<'a>, Refusal> {
        let entry = kernel.entry();
        let mut shared = Vec::new();
        let mut homes = vec![NOWHERE; entry.values().len()];
        for (home, value) in homes.iter_mut().zip(entry.values()) {
            let at = shared.len() as FrameSlot;
            match value.def {
                ValueDef::Const(constant) => shared.push(constant.bits),
                ValueDef::Param(i) => match plan.params.get(i as usize) {
                    Some(BoundParam::Value(lanes)) => shared.extend_from_slice(lanes),
                    _ => return Err(malformed("a parameter that is no value is used as one")),
                },
                ValueDef::Inst => continue,
            }
            *home = at;
        }
        let (builtins, positions) = builtins(entry, &plan, &mut shared);
        let own = (shared.len() + positions.len()) as FrameSlot;
        let code = Bytecode {
            instrs: Vec::new(),
            applies: Vec::new(),
            views: Vec::new(),
            places: Vec::new(),
            copies: Vec::new(),
            atomics: Vec::new(),
            exchanges: Vec::new(),
            switches: Vec::new(),
            barriers: Vec::new(),
            messages: Vec::new(),
            watches: Vec::new(),
            arithmetic: Vec::new(),
            report: ReportTables::default(),
            frame: FrameLayout { shared, positions, own, lanes: own, private: 0 },
            launch: DomainBinding {
                domain: plan.domain.clone(),
                tile: plan.tile.clone(),
                tile_space: plan.tile_space,
                private_space: plan.private_space,
            },
        };
        Ok(Compiler {
            kernel,
            context: kernel.context(entry),
            plan,
            code,
            slots: Slots::new(own, reuse),
            deaths: Deaths::new(entry),
            homes,
            origins: ViewOrigins::of(kernel),
            locals: vec![None; entry.locals().len()],
            open_locals: Vec::new(),
            private_top: 0,
            builtins,
            labels: vec![PendingJumps::default(); entry.labels().len()],
            blocks: 0,
            counters: Vec::new(),
            run: None,
            pos: Pos::NONE,
            last_op: None,
            watched,
        })
    }

    fn finish(mut self) -> Result<Bytecode, Refusal> {
        let lanes = self.slots.top();
        let threads = match self.code.barriers.is_empty() {
            true => 1,
            false => self.code.launch.tile.iter().map(|&t| u64::from(t)).product(),
        };
        let each = (lanes - u64::from(self.code.frame.own)).saturating_mul(8).saturating_add(self.code.frame.private);
        if each.saturating_mul(threads) > MAX_ARENA || lanes > u64::from(u32::MAX / 2) {
            return Err(Refusal::Unsupported(format!(
                "the {threads} threads of a tile need {each} bytes each for their values; the interpreter has {MAX_ARENA} bytes for all"
            )));
        }
        self.code.frame.lanes = lanes as FrameSlot;
        Ok(self.code)
    }

    /// Adds an instruction; returns its index, for patching.
    pub(super) fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.report.pos.push(self.pos);
        self.code.report.site_of.push(u32::MAX);
        self.code.instrs.len() - 1
    }

    /// Adds an instruction that may occur in reports.
    pub(super) fn emit_site(&mut self, instr: Instr, what: AccessSiteKind) {
        let pc = self.emit(instr);
        self.code.report.site_of[pc] = self.code.report.sites.len() as u32;
        self.code.report.sites.push(AccessSite { pc: pc as u32, what });
    }

    /// Adds to the fuel cost of the current run, in instructions.
    pub(super) fn count(&mut self, more: u64) {
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        match self.run.and_then(|run| self.code.instrs.get_mut(run)) {
            Some(Instr::Count(n)) => *n = n.saturating_add(more),
            _ => self.run = Some(self.emit(Instr::Count(more))),
        }
    }

    /// Ends a straight-line run: the next instruction is a jump target, or the last one jumps.
    /// Returns the index of the next.
    fn here(&mut self) -> u32 {
        self.run = None;
        self.code.instrs.len() as u32
    }

    /// Emits a jump that is patched later.
    pub(super) fn jump(&mut self, instr: Instr) -> usize {
        let at = self.emit(instr);
        self.run = None;
        at
    }

    fn patch(&mut self, jumps: &[usize], target: u32) {
        for &jump in jumps {
            match &mut self.code.instrs[jump] {
                Instr::Jump(to) | Instr::JumpIf { to, .. } | Instr::JumpUnless { to, .. } => *to = target,
                Instr::JumpUnlessBinary { to, .. } => *to = target,
                _ => {}
            }
        }
    }

    /// Emits a jump, to be patched later, that is taken unless the value is true. Fuses a
    /// comparison that was just computed and has no other use.
    fn jump_unless(&mut self, condition: ValueId) -> Result<usize, Refusal> {
        let slot = self.slot(condition)?;
        match self.code.instrs.last() {
            Some(&Instr::Binary { op, to, a, b }) if to == slot && self.deaths.used_once(condition) => {
                self.code.instrs.pop();
                self.code.report.pos.pop();
                self.code.report.site_of.pop();
                Ok(self.jump(Instr::JumpUnlessBinary { op, a, b, to: 0 }))
            }
            _ => Ok(self.jump(Instr::JumpUnless { condition: slot, to: 0 })),
        }
    }

    /// First slot of a value.
    pub(super) fn slot(&self, value: ValueId) -> Result<FrameSlot, Refusal> {
        match self.homes.get(value.index()) {
            Some(&slot) if slot != NOWHERE => Ok(slot),
            _ => Err(malformed("a value is used that nothing computes")),
        }
    }

    /// Whether an instruction's result has any use.
    pub(super) fn is_used(&self, result: Option<ValueId>) -> bool {
        result.is_some_and(|value| self.deaths.is_used(value))
    }

    /// The slots of several values.
    pub(super) fn slots_of(&self, values: &[ValueId]) -> Result<Vec<FrameSlot>, Refusal> {
        values.iter().map(|&value| self.slot(value)).collect()
    }

    /// Number of lanes of a value.
    pub(super) fn lanes(&self, value: ValueId) -> Result<u32, Refusal> {
        match self.context.value(value) {
            ValueType::Data(data) => Ok(u32::from(data.width)),
            ValueType::View(view) => Ok(views::lanes(view.rank)),
            ValueType::Invalid => Err(malformed("a value has no type")),
        }
    }

    /// Allocates slots for a result.
    pub(super) fn define(&mut self, value: Option<ValueId>) -> Result<FrameSlot, Refusal> {
        let Some(value) = value else { return Err(malformed("a result is missing")) };
        let slot = self.slots.take(self.lanes(value)?);
        self.homes[value.index()] = slot;
        Ok(slot)
    }

    /// Copies a value.
    pub(super) fn copy(&mut self, to: FrameSlot, from: FrameSlot, count: u32) {
        match count {
            _ if to == from => {}
            1 => _ = self.emit(Instr::Copy { to, from }),
            _ => _ = self.emit(Instr::CopyLanes { to, from, count }),
        }
    }

    /// Records the slots of a variable in the frame; they are freed at the end of the block.
    pub(super) fn keep_local(&mut self, local: LocalId, slot: FrameSlot, count: u32) {
        self.open_locals.push((local, slot, count));
    }

    /// The slot of a built-in.
    pub(super) fn builtin(&self, builtin: Builtin) -> Result<FrameSlot, Refusal> {
        self.builtins.get(&builtin).copied().ok_or_else(|| malformed("a built-in has no dimension"))
    }

    /// Makes a value share an existing slot.
    pub(super) fn alias(&mut self, value: Option<ValueId>, slot: FrameSlot) {
        if let Some(value) = value {
            self.homes[value.index()] = slot;
        }
    }

    fn block(&mut self, block: &Block) -> Done {
        let number = self.blocks;
        self.blocks += 1;
        let (private, locals) = (self.private_top, self.open_locals.len());
        for (i, inst) in block.insts.iter().enumerate() {
            self.pos = inst.pos;
            self.count(1);
            self.watch(WatchCode::Begins(inst.id));
            self.inst(inst)?;
            self.watch_results(inst)?;
            self.free(number, i);
        }
        // The block's own value is read before any slots are reused.
        self.free(number, block.insts.len());
        for (local, slot, count) in self.open_locals.split_off(locals) {
            self.slots.give_back(slot, count);
            self.locals[local.index()] = None;
        }
        self.private_top = private;
        Ok(())
    }

    fn is_observed(&self) -> bool {
        match self.watched {
            Watched::Events => true,
            Watched::Nothing | Watched::Arithmetic(_) => false,
        }
    }

    /// Emits an event for the observer, if there is one.
    fn watch(&mut self, code: WatchCode) {
        if self.is_observed() {
            self.code.watches.push(code);
            self.emit(Instr::Watch(self.code.watches.len() as u32 - 1));
        }
    }

    fn watch_results(&mut self, inst: &Inst) -> Done {
        let observed = self.is_observed();
        for value in inst.results().filter(|_| observed) {
            if let ValueType::Data(data) = self.context.value(value) {
                let slot = self.slot(value)?;
                self.watch(WatchCode::Value(value, slot, u32::from(data.width)));
            }
        }
        Ok(())
    }

    /// Frees the slots of values that die after an instruction.
    fn free(&mut self, block: usize, inst: usize) {
        for value in self.deaths.behind(block, inst) {
            let slot = self.homes[value.index()];
            // The slots of built-ins precede the thread's own and are never freed.
            if slot != NOWHERE && slot >= self.code.frame.own {
                let count = match self.context.value(value) {
                    ValueType::Data(data) => u32::from(data.width),
                    ValueType::View(view) => views::lanes(view.rank),
                    ValueType::Invalid => continue,
                };
                self.slots.give_back(slot, count);
            }
        }
    }

    fn inst(&mut self, inst: &Inst) -> Done {
        if let Some(construct) = inst.kind.construct() {
            return self.construct(inst.result, construct);
        }
        match inst.kind.jump() {
            Some(jump) => self.leave(jump),
            None => self.plain(inst),
        }
    }

    fn construct(&mut self, result: Option<ValueId>, construct: Construct<'_>) -> Done {
        match construct {
            Construct::If { condition, then, otherwise } => self.branch(result, condition, then, otherwise),
            Construct::Loop { label, condition, body, continuing } => self.repeat(label, condition, body, continuing),
            Construct::Switch { selector, cases, default } => self.switch(selector, cases, default),
            Construct::Scope { label, body } => self.scope(result, label, body),
        }
    }

    fn leave(&mut self, jump: Jump) -> Done {
        match jump {
            Jump::Break { label, value } => {
                if let (Some(value), Some((to, lanes))) = (value, self.label(label)?.result) {
                    self.copy(to, self.slot(value)?, lanes);
                }
                let jump = self.jump(Instr::Jump(0));
                self.label(label)?.exits.push(jump);
            }
            Jump::Continue { label } => {
                let jump = self.jump(Instr::Jump(0));
                self.label(label)?.continues.push(jump);
            }
            Jump::Return(_) => _ = self.jump(Instr::Return),
        }
        Ok(())
    }

    pub(super) fn barrier(&mut self, fence: Fence, pos: Pos) {
        let number = self.code.barriers.len() as u32;
        self.jump(Instr::Barrier(number));
        let resume = self.here();
        self.code.barriers.push(BarrierCode { pos, fence, resume, counters: self.counters.clone() });
    }

    fn label(&mut self, label: LabelId) -> Result<&mut PendingJumps, Refusal> {
        self.labels.get_mut(label.index()).ok_or_else(|| malformed("a label is not declared"))
    }

    /// Compiles a block, then copies its value to the construct's result.
    fn arm(&mut self, block: &Block, result: Option<(FrameSlot, u32)>) -> Done {
        self.block(block)?;
        if let (Some(value), Some((to, lanes))) = (block.value, result) {
            self.copy(to, self.slot(value)?, lanes);
        }
        Ok(())
    }

    fn branch(&mut self, result: Option<ValueId>, condition: ValueId, then: &Block, otherwise: &Block) -> Done {
        // The jump precedes the allocation of the result, so that it can fuse the comparison.
        let not = self.jump_unless(condition)?;
        let result = self.result(result)?;
        self.arm(then, result)?;
        if otherwise.insts.is_empty() && otherwise.value.is_none() {
            self.blocks += 1;
            let end = self.here();
            self.patch(&[not], end);
            return Ok(());
        }
        let over = self.jump(Instr::Jump(0));
        let second = self.here();
        self.patch(&[not], second);
        self.arm(otherwise, result)?;
        let end = self.here();
        self.patch(&[over], end);
        Ok(())
    }

    fn result(&mut self, result: Option<ValueId>) -> Result<Option<(FrameSlot, u32)>, Refusal> {
        let Some(value) = result else { return Ok(None) };
        Ok(Some((self.define(result)?, self.lanes(value)?)))
    }

    fn repeat(&mut self, label: LabelId, condition: Option<&Block>, body: &Block, continuing: &Block) -> Done {
        let pos = self.pos;
        let blocks = || condition.into_iter().chain([body, continuing]);
        let counter = blocks().any(has_barrier).then(|| self.slots.take(1));
        if let Some(counter) = counter {
            self.emit(Instr::Zero { to: counter, count: 1 });
            self.counters.push(counter);
        }
        self.watch(WatchCode::Loop(label));
        let head = self.here();
        self.count(1);
        self.watch(WatchCode::Round(label));
        let mut exits = Vec::new();
        if let Some(block) = condition {
            self.block(block)?;
            let Some(value) = block.value else { return Err(malformed("a loop's condition has no value")) };
            self.pos = pos;
            exits.push(self.jump_unless(value)?);
        }
        self.block(body)?;
        let again = self.here();
        self.block(continuing)?;
        self.pos = pos;
        if let Some(value) = continuing.value {
            let condition = self.slot(value)?;
            exits.push(self.jump(Instr::JumpIf { condition, to: 0 }));
        }
        if let Some(counter) = counter {
            self.emit(Instr::Round { counter });
        }
        self.jump(Instr::Jump(head));
        let end = self.here();
        let PendingJumps { exits: left, continues, .. } = std::mem::take(self.label(label)?);
        self.patch(&continues, again);
        self.patch(&left, end);
        self.patch(&exits, end);
        if let Some(counter) = counter {
            self.counters.pop();
            self.slots.give_back(counter, 1);
        }
        Ok(())
    }

    fn switch(&mut self, selector: ValueId, cases: &[SwitchCase], default: &Block) -> Done {
        let selector = self.slot(selector)?;
        let table = self.code.switches.len() as u32;
        self.code.switches.push(SwitchCode { cases: Vec::new(), default: 0 });
        self.jump(Instr::Switch { selector, table });
        let (mut targets, mut over) = (Vec::new(), Vec::new());
        for case in cases {
            let target = self.here();
            targets.extend(case.values.iter().map(|&value| (value, target)));
            self.block(&case.body)?;
            over.push(self.jump(Instr::Jump(0)));
        }
        let last = self.here();
        self.block(default)?;
        let end = self.here();
        self.patch(&over, end);
        targets.sort_by_key(|&(value, _)| value);
        self.code.switches[table as usize] = SwitchCode { cases: targets, default: last };
        Ok(())
    }

    fn scope(&mut self, result: Option<ValueId>, label: LabelId, body: &Block) -> Done {
        let result = self.result(result)?;
        self.label(label)?.result = result;
        self.arm(body, result)?;
        let end = self.here();
        let PendingJumps { exits, .. } = std::mem::take(self.label(label)?);
        self.patch(&exits, end);
        Ok(())
    }
}

/// Allocates slots for the built-ins that a kernel uses: uniform ones at the end of `shared`, the
/// others after it.
fn builtins(
    entry: &Function,
    plan: &LaunchPlan,
    shared: &mut Vec<u64>,
) -> (BTreeMap<Builtin, FrameSlot>, Vec<(Position, FrameSlot)>) {
    let mut asked = BTreeMap::new();
    entry.body().walk(&mut |inst| {
        if let InstKind::Builtin(builtin) = inst.kind
            && (builtin.dimension() as usize) < plan.domain.len()
        {
            asked.insert(builtin, NOWHERE);
        }
    });
    let mut positions = Vec::new();
    for (builtin, slot) in &mut asked {
        let d = builtin.dimension() as usize;
        let constant = match builtin {
            Builtin::DomainExtent(_) => plan.domain[d],
            Builtin::TileExtent(_) => plan.tile[d],
            Builtin::TileCount(_) => plan.domain[d] / plan.tile[d].max(1),
            Builtin::Global(_) | Builtin::Local(_) | Builtin::Tile(_) | Builtin::TileOrigin(_) => continue,
        };
        *slot = shared.len() as FrameSlot;
        shared.push(u64::from(constant));
    }
    for (builtin, slot) in &mut asked {
        let d = builtin.dimension() as usize;
        let position = match builtin {
            Builtin::Global(_) => Position::Global(d),
            Builtin::Local(_) => Position::Local(d),
            Builtin::Tile(_) => Position::Tile(d),
            Builtin::TileOrigin(_) => Position::TileOrigin(d),
            Builtin::DomainExtent(_) | Builtin::TileExtent(_) | Builtin::TileCount(_) => continue,
        };
        *slot = (shared.len() + positions.len()) as FrameSlot;
        positions.push((position, *slot));
    }
    (asked, positions)
}

fn has_barrier(block: &Block) -> bool {
    let mut found = false;
    block.walk(&mut |inst| found |= inst.kind.barrier().is_some());
    found
}
