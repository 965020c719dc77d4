//! Which parts of locals are needed later: backward liveness over the tree, of one thread. Parts are numbered by [`Locals`]; locals in memory are not in
//! the sets. Values need no liveness: they are visible where they may be used.
//!
//! For a construct (`if`, loop, `switch`, scope) by its id:
//! - [`after`](Live::after): the parts that are needed by a thread that has come out of it at its end, by its condition or by a `break` to it. What it gives
//!   to the code behind it.
//! - [`leaving`](Live::leaving): these, and the parts needed by threads that leave it for somewhere further out, by `break` or `continue` to a label around
//!   it. **Where threads of a strip part, this is the set to select and to carry on with**: a lane that has jumped waits with its parts until the others
//!   come to where it is, and what these do to their parts must not reach it. Of a construct without such jumps it is `after`.
//! - [`head`](Live::head), of a loop: the parts needed at the beginning of a round, the first too: before the condition, or before the body if there is
//!   none. A loop carries from round to round `head` of the lanes that go on, and `leaving` of those that have left.
//!
//! A write to a whole part ends its earlier life, and so does a declaration; a component at a computed index is written without that. `return` needs
//! nothing. `abort` and `error` are no control flow here, as for uniformity: a thread that they ended goes along without effect.
//!
//! Sets for back edges are kept from pass to pass, and passes over the whole tree are made until none changes: at most one more than loops nest,
//! never a repetition inside a repetition.

use tilewise_ir::kernel::{Block, Construct, Inst, InstClass, InstId, InstKind, Jump, Kernel, LabelId};

use super::bits::BitSet;
use super::locals::{Locals, Touched};
use crate::hash::HashMap;

/// The live parts of a kernel's body.
#[derive(Clone, Debug)]
pub(super) struct Live {
    /// Each set once.
    sets: Vec<BitSet>,
    known: HashMap<BitSet, u32>,
    /// By construct, which set.
    after: HashMap<InstId, u32>,
    leaving: HashMap<InstId, u32>,
    heads: HashMap<InstId, BitSet>,
    nothing: BitSet,
}

/// What is live at a moment.
#[derive(Clone, Debug)]
struct LiveState {
    /// The parts.
    now: BitSet,
    /// By label, what is needed where it leads.
    targets: HashMap<LabelId, LiveTarget>,
}

#[derive(Clone, Debug)]
struct LiveTarget {
    broken: BitSet,
    continued: BitSet,
}

/// A way out: of a loop or scope, or to the continuing part of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum LabelJump {
    /// `break`.
    Break(LabelId),
    /// `continue`.
    Continue(LabelId),
}

impl LabelJump {
    /// The label it names.
    const fn label(self) -> LabelId {
        match self {
            LabelJump::Break(label) | LabelJump::Continue(label) => label,
        }
    }
}

impl LiveState {
    /// What a thread needs that jumps there; the label must be around it.
    fn at(&self, jump: LabelJump) -> Option<&BitSet> {
        let target = self.targets.get(&jump.label())?;
        Some(match jump {
            LabelJump::Break(_) => &target.broken,
            LabelJump::Continue(_) => &target.continued,
        })
    }
}

impl Live {
    /// Works them out, for an inlined kernel.
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

    /// What is needed behind a construct.
    #[cfg(test)]
    pub(super) fn after(&self, construct: InstId) -> &BitSet {
        self.after.get(&construct).map_or(&self.nothing, |&set| &self.sets[set as usize])
    }

    /// What is needed by threads that leave a construct, wherever they go.
    pub(super) fn leaving(&self, construct: InstId) -> &BitSet {
        self.leaving.get(&construct).map_or(&self.nothing, |&set| &self.sets[set as usize])
    }

    /// What is needed where a round of a loop begins.
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
    /// For each open construct its label, and the jumps seen in it so far.
    open: Vec<(Option<LabelId>, Vec<LabelJump>)>,
    /// Has a loop's head grown?
    grown: bool,
    recording: bool,
}

impl<'w> LivenessWalk<'w> {
    fn new(kernel: &'w Kernel, locals: &'w Locals, live: &'w mut Live) -> LivenessWalk<'w> {
        let state = LiveState { now: BitSet::new(locals.count()), targets: HashMap::default() };
        LivenessWalk { kernel, locals, live, state, open: Vec::new(), grown: false, recording: false }
    }

    /// One pass; has it found anything new?
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

    /// Memory that is changed by atomic operations, and what a message says, is no local in parts.
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
                // The jumps of all arms are gathered; each arm begins from what is behind.
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

    /// Continuing part, body and condition; leaves what is live at the loop's head.
    fn round(&mut self, id: InstId, label: LabelId, blocks: (Option<&Block>, &Block, &Block), after: &BitSet) {
        let (condition, body, continuing) = blocks;
        // What is needed behind the loop is needed at its head unless the condition writes it. Known at once, it comes to the loops inside in the
        // same pass, not one loop deeper with each.
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
        if continuing.value.is_some() {
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

    /// The end of a construct, seen backwards its beginning: what its jumps out of it need.
    fn close(&mut self, construct: InstId, after: &BitSet) {
        let Some((label, jumps)) = self.open.pop() else { return };
        let mut leaving = if self.recording { after.clone() } else { BitSet::default() };
        for jump in jumps.into_iter().filter(|jump| Some(jump.label()) != label) {
            if let (true, Some(needed)) = (self.recording, self.state.at(jump)) {
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

/// Neither a construct nor a jump.
fn is_plain(kind: &InstKind) -> bool {
    !kind.leaves() && !kind.is_structured()
}

#[cfg(test)]
mod tests;
