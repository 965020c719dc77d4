//! Definite assignment. `K0404`.
//!
//! A scalar or vector declared without a value is written before it is read, on every path; a
//! vector component by component, or whole. The walk carries the set of components that are
//! definitely written; where paths join, the sets are intersected; a path that has left counts as
//! having written everything. A loop needs no second iteration, because the set is smallest in the
//! first.
//!
//! In a function as written, a place passed by `&mut` counts as written and not as read; the check
//! of the inlined kernel is precise.

use super::body::Body;
use super::report;
use crate::diag::Code;
use crate::kernel::{
    Block, CallArgument, Construct, FnParamKind, Init, Inst, InstClass, InstKind, Jump, LabelId, LocalId, Place, Root,
    Step,
};
use crate::pos::Pos;
use crate::types::Access;

/// Checks the family.
pub(super) fn check(body: &mut Body<'_>) {
    let mut slots = vec![None; body.function.locals.len()];
    let mut count = 0;
    let (function, types) = (body.function, &body.kernel.types);
    body.each(&mut |_, inst| {
        if let InstKind::Declare { local, init: Init::Unset } = &inst.kind
            && let Some(slot @ None) = slots.get_mut(local.index())
            && let Some(data) = function.locals.get(local.index()).and_then(|local| types.value(local.ty))
        {
            let width = usize::from(data.width);
            *slot = Some((count, count + width));
            count += width;
        }
    });
    if count == 0 {
        return;
    }
    let mut walk =
        AssignedWalk { body, slots, count, now: Set::none(count), targets: Vec::new(), reported: vec![false; count] };
    walk.block(&function.body);
}

/// A set of components of variables.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn none(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)])
    }

    fn all(count: usize) -> Set {
        Set(vec![u64::MAX; count.div_ceil(64)])
    }

    fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn set(&mut self, i: usize, to: bool) {
        let bit = 1 << (i % 64);
        if to {
            self.0[i / 64] |= bit;
        } else {
            self.0[i / 64] &= !bit;
        }
    }

    fn cut(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }
}

/// The components written at each exit of a label's construct, and at each `continue` of its loop.
struct LabelAssignments {
    label: LabelId,
    broken: Set,
    continued: Set,
}

struct AssignedWalk<'w, 'a> {
    body: &'w mut Body<'a>,
    /// For each local, the range of its components in the sets, if it needs the check.
    slots: Vec<Option<(usize, usize)>>,
    count: usize,
    now: Set,
    targets: Vec<LabelAssignments>,
    /// Whether a variable was reported; one report per variable is enough.
    reported: Vec<bool>,
}

impl<'a> AssignedWalk<'_, 'a> {
    fn block(&mut self, block: &'a Block) {
        block.insts.iter().for_each(|inst| self.inst(inst));
    }

    fn inst(&mut self, inst: &'a Inst) {
        match inst.kind.class() {
            InstClass::Structured => inst.kind.construct().into_iter().for_each(|construct| self.construct(construct)),
            InstClass::Jump => inst.kind.jump().into_iter().for_each(|jump| self.jump(jump)),
            InstClass::Declare => {
                if let InstKind::Declare { local, init } = &inst.kind {
                    let (first, end) = self.slot(*local).unwrap_or_default();
                    (first..end).for_each(|i| self.now.set(i, *init != Init::Unset));
                }
            }
            InstClass::Write => {
                inst.kind.read_place().into_iter().for_each(|place| self.read(place, inst.pos));
                inst.kind.written_place().into_iter().for_each(|place| self.write(place));
            }
            InstClass::Call => {
                if let InstKind::Call { function, args } = &inst.kind {
                    self.call(*function, args, inst.pos);
                }
            }
            // Atomics never change a local variable: see `K0207`.
            InstClass::Atomic
            | InstClass::Read
            | InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Synchronize
            | InstClass::Output
            | InstClass::Stop => inst.kind.places(&mut |place| self.read(place, inst.pos)),
        }
    }

    fn construct(&mut self, construct: Construct<'a>) {
        match construct {
            Construct::If { then, otherwise, .. } => self.branches(&[then, otherwise]),
            Construct::Switch { cases, default, .. } => {
                let blocks: Vec<&Block> = cases.iter().map(|case| &case.body).chain([default]).collect();
                self.branches(&blocks);
            }
            Construct::Scope { label, body } => {
                self.open(label);
                self.block(body);
                if let Some(target) = self.targets.pop() {
                    self.now.cut(&target.broken);
                }
            }
            Construct::Loop { label, condition, body, continuing } => self.round(label, condition, body, continuing),
        }
    }

    fn jump(&mut self, jump: Jump) {
        match jump {
            Jump::Break { label, .. } => self.leave(label, false),
            Jump::Continue { label } => self.leave(label, true),
            Jump::Return(_) => self.now = Set::all(self.count),
        }
    }

    fn branches(&mut self, blocks: &[&'a Block]) {
        let before = self.now.clone();
        let mut after = Set::all(self.count);
        for block in blocks {
            self.now.clone_from(&before);
            self.block(block);
            after.cut(&self.now);
        }
        self.now = after;
    }

    fn round(&mut self, label: LabelId, condition: Option<&'a Block>, body: &'a Block, continuing: &'a Block) {
        self.open(label);
        let mut out = Set::all(self.count);
        if let Some(condition) = condition {
            self.block(condition);
            out.cut(&self.now);
        }
        self.block(body);
        if let Some(target) = self.targets.last() {
            self.now.cut(&target.continued);
        }
        self.block(continuing);
        if continuing.value.is_some() {
            out.cut(&self.now);
        }
        if let Some(target) = self.targets.pop() {
            out.cut(&target.broken);
        }
        self.now = out;
    }

    fn open(&mut self, label: LabelId) {
        let all = Set::all(self.count);
        self.targets.push(LabelAssignments { label, broken: all.clone(), continued: all });
    }

    fn leave(&mut self, label: LabelId, goes_on: bool) {
        if let Some(target) = self.targets.iter_mut().rev().find(|target| target.label == label) {
            if goes_on {
                target.continued.cut(&self.now);
            } else {
                target.broken.cut(&self.now);
            }
        }
        self.now = Set::all(self.count);
    }

    fn call(&mut self, function: crate::kernel::FunctionId, args: &'a [CallArgument], pos: Pos) {
        let Some(callee) = self.body.kernel.functions.get(function.index()) else { return };
        let mut written = Vec::new();
        for (arg, param) in args.iter().zip(&callee.params) {
            match (arg, param.kind) {
                (CallArgument::Place(place), FnParamKind::Ref { access: Access::ReadWrite, .. }) => written.push(place),
                (CallArgument::Place(place), _) => self.read(place, pos),
                (CallArgument::Value(_), _) => {}
            }
        }
        written.into_iter().for_each(|place| self.write(place));
    }

    fn slot(&self, local: LocalId) -> Option<(usize, usize)> {
        self.slots.get(local.index()).copied().flatten()
    }

    /// The local and components that a place refers to, and whether a dynamic index selects among
    /// them.
    fn components(&self, place: &Place) -> Option<(LocalId, std::ops::Range<usize>, bool)> {
        let Root::Local(local) = place.root else { return None };
        let (first, end) = self.slot(local)?;
        Some(match place.path.first() {
            None | Some(Step::Field(_)) => (local, first..end, false),
            Some(Step::Component(c)) => {
                let at = first + usize::from(*c);
                (local, at..end.min(at + 1), false)
            }
            Some(Step::Index(_)) => (local, first..end, true),
        })
    }

    fn write(&mut self, place: &Place) {
        if let Some((_, components, false)) = self.components(place) {
            components.for_each(|i| self.now.set(i, true));
        }
    }

    fn read(&mut self, place: &Place, pos: Pos) {
        let Some((local, mut components, _)) = self.components(place) else { return };
        let reported = self.slot(local).map_or(0, |(first, _)| first);
        if components.all(|i| self.now.has(i)) || self.reported[reported] {
            return;
        }
        self.reported[reported] = true;
        let name = &self.body.function.locals[local.index()].name;
        let mut out = report(Code::K0404, format!("`{name}` may be read before it is written"))
            .at(pos, "not written on every way to here");
        if let Some(declaration) = self.body.declaration(local) {
            out = out.and(declaration.pos, "declared without a value");
        }
        let ty = self.body.kernel.types.show(self.body.function.locals[local.index()].ty);
        self.body.report(out.help(format!("give it a value: `var {name}: {ty} = zero;`")));
    }
}
