//! Phases: determines the loads from `tile_static` with which no thread can be storing
//! concurrently.
//!
//! The threads of a tile leave a barrier together. Until one of them passes the next barrier, each
//! is at some point reachable from the first barrier without passing another: all those points form
//! a phase. A variable without stores in a phase is settled in it, for every thread.
//!
//! Points are not enumerated: a phase is a number, and where two pieces of code meet (after an
//! `if`, at the head of a loop, after a construct with a `break`) their numbers are united. That
//! may join code that no single run joins, which only makes phases larger and the result more
//! conservative. The start of the kernel begins a phase too, as `tile_static` is zero there.

use std::collections::{HashMap, HashSet};

use crate::kernel::{Block, Construct, Fence, Inst, InstClass, Jump, Kernel, LabelId, Place, Root, TileVarId, ValueId};

/// The results of loads from `tile_static` variables that are settled in the load's phase.
pub(super) fn settled_loads(kernel: &Kernel) -> HashSet<ValueId> {
    let mut walk = PhaseWalk::default();
    if kernel.tile_vars.is_empty() {
        return HashSet::new();
    }
    let start = walk.fresh();
    walk.block(&kernel.entry.body, Some(start));
    let stores: HashSet<(usize, TileVarId)> =
        std::mem::take(&mut walk.stores).into_iter().map(|(phase, var)| (walk.find(phase), var)).collect();
    let loads = std::mem::take(&mut walk.loads);
    loads.into_iter().filter(|&(_, phase, var)| !stores.contains(&(walk.find(phase), var))).map(|load| load.0).collect()
}

#[derive(Default)]
struct PhaseWalk {
    /// Union-find: for each phase one that it is united with; itself for a representative.
    united: Vec<usize>,
    /// Phases at the exits of a label's construct, and at the `continue`s of its loop.
    left: HashMap<LabelId, Vec<usize>>,
    goes_on: HashMap<LabelId, Vec<usize>>,
    stores: Vec<(usize, TileVarId)>,
    loads: Vec<(ValueId, usize, TileVarId)>,
}

impl PhaseWalk {
    fn fresh(&mut self) -> usize {
        self.united.push(self.united.len());
        self.united.len() - 1
    }

    fn find(&mut self, mut phase: usize) -> usize {
        while self.united[phase] != phase {
            self.united[phase] = self.united[self.united[phase]];
            phase = self.united[phase];
        }
        phase
    }

    /// The phase of a point that is reached from all of these; `None` if there are none.
    fn meet(&mut self, from: impl IntoIterator<Item = usize>) -> Option<usize> {
        let mut from = from.into_iter();
        let first = from.next()?;
        for other in from {
            let (a, b) = (self.find(first), self.find(other));
            self.united[a] = b;
        }
        Some(first)
    }

    /// Returns the phase at the end of a block, `None` if the end is unreachable. `phase` is `None`
    /// for unreachable code.
    fn block(&mut self, block: &Block, mut phase: Option<usize>) -> Option<usize> {
        for inst in &block.insts {
            phase = self.inst(inst, phase?);
        }
        phase
    }

    fn inst(&mut self, inst: &Inst, phase: usize) -> Option<usize> {
        let tile_var = |place: Option<&Place>| match place?.root {
            Root::Tile(var) => Some(var),
            Root::View { .. } | Root::Param(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => None,
        };
        match inst.kind.class() {
            InstClass::Structured => return self.construct(inst.kind.construct()?, phase),
            InstClass::Jump => {
                self.jump(inst.kind.jump()?, phase);
                return None;
            }
            InstClass::Synchronize => {
                if let Some(Fence::All | Fence::TileStatic) = inst.kind.barrier() {
                    return Some(self.fresh());
                }
            }
            InstClass::Read => {
                if let (Some(result), Some(var)) = (inst.result, tile_var(inst.kind.read_place())) {
                    self.loads.push((result, phase, var));
                }
            }
            InstClass::Write | InstClass::Atomic => {
                self.stores.extend(tile_var(inst.kind.written_place()).map(|var| (phase, var)));
            }
            InstClass::Compute
            | InstClass::Query
            | InstClass::MakeView
            | InstClass::Declare
            | InstClass::Output
            // A thread that ends here continues without effect.
            | InstClass::Stop
            // Kernels with calls get no claims.
            | InstClass::Call => {}
        }
        Some(phase)
    }

    fn construct(&mut self, construct: Construct<'_>, phase: usize) -> Option<usize> {
        match construct {
            Construct::If { then, otherwise, .. } => {
                let ends = [self.block(then, Some(phase)), self.block(otherwise, Some(phase))];
                self.meet(ends.into_iter().flatten())
            }
            Construct::Switch { cases, default, .. } => {
                let blocks = cases.iter().map(|case| &case.body).chain([default]);
                let ends: Vec<_> = blocks.filter_map(|block| self.block(block, Some(phase))).collect();
                self.meet(ends)
            }
            Construct::Scope { label, body } => {
                let end = self.block(body, Some(phase));
                let left = self.left.remove(&label).unwrap_or_default();
                self.meet(end.into_iter().chain(left))
            }
            Construct::Loop { label, condition, body, continuing } => {
                let mut out = Vec::new();
                let mut at = Some(phase);
                if let Some(condition) = condition {
                    at = self.block(condition, at);
                    out.extend(at);
                }
                let end = self.block(body, at);
                let goes_on = self.goes_on.remove(&label).unwrap_or_default();
                let again = self.meet(end.into_iter().chain(goes_on));
                let again = self.block(continuing, again);
                if continuing.value.is_some() {
                    out.extend(again);
                }
                self.meet([phase].into_iter().chain(again));
                out.extend(self.left.remove(&label).unwrap_or_default());
                self.meet(out)
            }
        }
    }

    fn jump(&mut self, jump: Jump, phase: usize) {
        match jump {
            Jump::Break { label, .. } => self.left.entry(label).or_default().push(phase),
            Jump::Continue { label } => self.goes_on.entry(label).or_default().push(phase),
            Jump::Return(_) => {}
        }
    }
}
