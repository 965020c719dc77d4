//! Liveness of the parts of locals: backward data flow over the tree, for one thread. Parts are
//! numbered by [`Locals`]; locals in memory are not in the sets. Values need no liveness: scoping
//! determines their visibility.
//!
//! For a construct (`if`, loop, `switch`, scope) by its id:
//! - [`after`](Live::after): the parts needed by a thread that has left it at its end, by its
//!   condition or by a `break` to it: the live-out set for the code after it.
//! - [`leaving`](Live::leaving): these, and the parts needed by threads that leave it for an outer
//!   target, by `break` or `continue` to a label around it. **Where threads of a strip diverge,
//!   this is the set to select and to carry**: a lane that has jumped keeps its parts until the
//!   others reach its target, and assignments by those must not affect it. For a construct without
//!   such jumps it equals `after`.
//! - [`head`](Live::head), of a loop: the parts needed at the beginning of an iteration, including
//!   the first: before the condition, or before the body if there is none. A loop carries `head`
//!   for the lanes that continue, and `leaving` for those that have left.
//!
//! A write to a whole part ends its previous live range, and so does a declaration; a write to a
//! component at a computed index does not. `return` needs nothing. `abort` and `error` are no
//! control flow here, as for uniformity: a thread that they ended continues without effect.
//!
//! Sets for back edges are kept from pass to pass, and passes over the whole tree repeat until none
//! changes: at most one more than the nesting depth of loops, never an iteration within an
//! iteration.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Block, Construct, Inst, InstClass, InstId, InstKind, Jump, Kernel, LabelId};

use super::bits::BitSet;
use super::locals::{Locals, Touched};
use crate::hash::HashMap;

/// The live parts of a kernel's body.
#[derive(Clone, Debug)]
pub(super) struct Live {
    /// Each distinct set once.
    sets: Vec<BitSet>,
    known: HashMap<BitSet, u32>,
    /// The index of the set of each construct.
    after: HashMap<InstId, u32>,
    leaving: HashMap<InstId, u32>,
    heads: HashMap<InstId, BitSet>,
    nothing: BitSet,
}

/// The state at a program point.
#[derive(Clone, Debug)]
struct LiveState {
    /// The live parts.
    now: BitSet,
    /// The parts needed at the target of each label.
    targets: HashMap<LabelId, LiveTarget>,
}

#[derive(Clone, Debug)]
struct LiveTarget {
    broken: BitSet,
    continued: BitSet,
}

/// An exit: from a loop or scope, or to the continuing block of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum LabelJump {
    /// `break`.
    Break(LabelId),
    /// `continue`.
    Continue(LabelId),
}

impl LabelJump {
    /// The label that it names.
    const fn label(self) -> LabelId {
        match self {
            LabelJump::Break(label) | LabelJump::Continue(label) => label,
        }
    }
}

impl LiveState {
    /// The parts needed at the target of a jump; the label must enclose it.
    fn at(&self, jump: LabelJump) -> Option<&BitSet> {
        let target = self.targets.get(&jump.label())?;
        Some(match jump {
            LabelJump::Break(_) => &target.broken,
            LabelJump::Continue(_) => &target.continued,
        })
    }
}

impl Live {
    /// Computes liveness for an inlined kernel.
    pub(super) fn of(kernel: &Kernel, locals: &Locals) -> Live {
        let mut live = Live {
            sets: Vec::new(),
            known: HashMap::default(),
            after: HashMap::default(),
            leaving: HashMap::default(),
            heads: HashMap::default(),
            nothing: BitSet::new(locals.count()),
        };
        while LivenessWalk::new(kernel, locals, &mut live).all() {}
        let mut walk = LivenessWalk::new(kernel, locals, &mut live);
        walk.recording = true;
        walk.all();
        live
    }

    /// The parts needed after a construct.
    #[cfg(test)]
    pub(super) fn after(&self, construct: InstId) -> &BitSet {
        self.after.get(&construct).map_or(&self.nothing, |&set| &self.sets[set as usize])
    }

    /// The parts needed by threads that leave a construct, to any target.
    pub(super) fn leaving(&self, construct: InstId) -> &BitSet {
        self.leaving.get(&construct).map_or(&self.nothing, |&set| &self.sets[set as usize])
    }

    /// The parts needed at the beginning of a loop iteration.
    pub(super) fn head(&self, construct: InstId) -> &BitSet {
        self.heads.get(&construct).unwrap_or(&self.nothing)
    }

    fn set(&mut self, set: &BitSet) -> u32 {
        if let Some(&known) = self.known.get(set) {
            return known;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.known.insert(set.clone(), number);
        number
    }
}

struct LivenessWalk<'w> {
    kernel: &'w Kernel,
    locals: &'w Locals,
    live: &'w mut Live,
    state: LiveState,
    /// The label of each open construct, and the jumps found in it so far.
    open: Vec<(Option<LabelId>, Vec<LabelJump>)>,
    /// Has the head set of a loop grown?
    grown: bool,
    recording: bool,
}

impl<'w> LivenessWalk<'w> {
    fn new(kernel: &'w Kernel, locals: &'w Locals, live: &'w mut Live) -> LivenessWalk<'w> {
        let state = LiveState { now: BitSet::new(locals.count()), targets: HashMap::default() };
        LivenessWalk { kernel, locals, live, state, open: Vec::new(), grown: false, recording: false }
    }

    /// Runs one pass; returns whether it has found anything new.
    fn all(&mut self) -> bool {
        self.block(self.kernel.entry().body());
        self.grown
    }

    fn block(&mut self, block: &Block) {
        block.insts.iter().rev().for_each(|inst| self.inst(inst));
    }

    fn inst(&mut self, inst: &Inst) {
        if let Some(construct) = inst.kind.construct() {
            return self.construct(inst, construct);
        }
        match inst.kind.jump() {
            Some(Jump::Break { label, .. }) => self.jump(LabelJump::Break(label)),
            Some(Jump::Continue { label }) => self.jump(LabelJump::Continue(label)),
            Some(Jump::Return(_)) => self.state.now.clear(),
            None => self.access(inst),
        }
    }

    /// Memory modified by atomic operations, and the values of messages, are not split locals.
    fn access(&mut self, inst: &Inst) {
        if let Some(local) = inst.kind.declared() {
            self.locals.parts(local).for_each(|part| self.state.now.remove(part));
        }
        if let Some(place) = inst.kind.written_place().filter(|_| inst.kind.class() == InstClass::Write) {
            self.write(place);
        }
        if let Some(place) = inst.kind.read_place() {
            self.read(place);
        }
    }

    fn construct(&mut self, inst: &Inst, construct: Construct<'_>) {
        let after = self.state.now.clone();
        match construct {
            Construct::If { .. } | Construct::Switch { .. } => {
                let mut before = BitSet::new(self.locals.count());
                self.open.push((None, Vec::new()));
                // Collects the jumps of all arms; each arm begins with the set after the construct.
                let mut blocks = Vec::new();
                inst.kind.each_block(&mut |block| blocks.push(block));
                for block in blocks.into_iter().rev() {
                    self.state.now.clone_from(&after);
                    self.block(block);
                    before.join(&self.state.now);
                }
                self.state.now = before;
            }
            Construct::Scope { label, body } => {
                self.enter(label, &after);
                self.block(body);
            }
            Construct::Loop { label, condition, body, continuing } => {
                self.enter(label, &after);
                self.round(inst.id, label, (condition, body, continuing), &after);
            }
        }
        self.close(inst.id, &after);
    }

    /// Continuing block, body and condition; leaves the live set of the loop's head.
    fn round(&mut self, id: InstId, label: LabelId, blocks: (Option<&Block>, &Block, &Block), after: &BitSet) {
        let (condition, body, continuing) = blocks;
        // The parts needed after the loop are needed at its head unless the condition writes them.
        // Known immediately, they reach inner loops in the same pass, instead of one loop level per
        // pass.
        if !self.recording
            && let Some(condition) = condition
            && condition.insts.iter().all(|inst| is_plain(&inst.kind))
        {
            self.block(condition);
        } else {
            self.state.now.clear();
        }
        let (locals, live) = (self.locals, &mut *self.live);
        let head = live.heads.entry(id).or_insert_with(|| BitSet::new(locals.count()));
        head.join(&self.state.now);
        self.state.now.clone_from(head);
        if continuing.value.is_some() && !fault::planted(Fault::LivenessForgetsLoopEnd) {
            self.state.now.join(after);
        }
        self.block(continuing);
        if let Some(target) = self.state.targets.get_mut(&label) {
            target.continued.clone_from(&self.state.now);
        }
        self.block(body);
        if let Some(condition) = condition {
            self.state.now.join(after);
            self.block(condition);
        }
        if let Some(head) = self.live.heads.get_mut(&id) {
            self.grown |= head.join(&self.state.now);
        }
    }

    fn enter(&mut self, label: LabelId, after: &BitSet) {
        let continued = BitSet::new(self.locals.count());
        self.state.targets.insert(label, LiveTarget { broken: after.clone(), continued });
        self.open.push((Some(label), Vec::new()));
    }

    /// The end of a construct, in backward order its beginning: the parts needed by its outgoing
    /// jumps.
    fn close(&mut self, construct: InstId, after: &BitSet) {
        let Some((label, jumps)) = self.open.pop() else { return };
        let mut leaving = if self.recording { after.clone() } else { BitSet::default() };
        for jump in jumps.into_iter().filter(|jump| Some(jump.label()) != label) {
            if let (true, Some(needed)) =
                (self.recording && !fault::planted(Fault::LivenessForgetsJumps), self.state.at(jump))
            {
                leaving.join(needed);
            }
            self.note(jump);
        }
        if let Some(label) = label {
            self.state.targets.remove(&label);
        }
        if self.recording {
            let (after, leaving) = (self.live.set(after), self.live.set(&leaving));
            self.live.after.insert(construct, after);
            self.live.leaving.insert(construct, leaving);
        }
    }

    fn jump(&mut self, jump: LabelJump) {
        match self.state.targets.get(&jump.label()) {
            Some(LiveTarget { broken, .. }) if matches!(jump, LabelJump::Break(_)) => self.state.now.clone_from(broken),
            Some(LiveTarget { continued, .. }) => self.state.now.clone_from(continued),
            None => {}
        }
        self.note(jump);
    }

    fn note(&mut self, jump: LabelJump) {
        if let Some((_, jumps)) = self.open.last_mut()
            && !jumps.contains(&jump)
        {
            jumps.push(jump);
        }
    }

    fn write(&mut self, place: &tilewise_ir::kernel::Place) {
        if let Some(Touched::Parts(parts)) = self.locals.touched(self.kernel, place) {
            parts.for_each(|part| self.state.now.remove(part));
        }
    }

    fn read(&mut self, place: &tilewise_ir::kernel::Place) {
        if let Some(touched) = self.locals.touched(self.kernel, place) {
            touched.parts().for_each(|part| {
                self.state.now.insert(part);
            });
        }
    }
}

/// Is it neither a construct nor a jump?
fn is_plain(kind: &InstKind) -> bool {
    !kind.leaves() && !kind.is_structured()
}

#[cfg(test)]
mod tests;
