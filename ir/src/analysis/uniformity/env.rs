//! What is known about values and locals at a point of the walk, and how paths are joined.
//!
//! The locals' states are kept in layers, one for each block that is open: a layer holds what was assigned in its block. A branch costs what it changes,
//! not what exists.

use std::collections::BTreeMap;

use super::Class;
use crate::analysis::range::Range;
use crate::kernel::LocalId;
use crate::types::Scalar;

/// Steps after which the analysis gives up: well below a second. A step is a state looked for, copied or joined.
const MAX_WORK: u64 = 4_000_000;

/// Names a link of a because-chain in the walk's list; 0 is none.
pub(super) type LinkId = u32;

/// A class and why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Verdict {
    pub(super) class: Class,
    pub(super) why: LinkId,
}

impl Verdict {
    pub(super) const UNIFORM: Verdict = Verdict { class: Class::Uniform, why: 0 };

    /// Of what depends on both; keeps the reason of the one that decides.
    pub(super) fn with(self, other: Verdict) -> Verdict {
        let class = self.class.with(other.class);
        if class == self.class { self } else { Verdict { class, why: other.why } }
    }

    pub(super) fn is_uniform(self) -> bool {
        self.class == Class::Uniform
    }
}

/// What is known about one component.
///
/// The verdict is kept even where the range is a single value: that `x` is 0 here and 1 there is uniform in both places, but not where they meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Info {
    /// What it came from.
    pub(super) came: Verdict,
    pub(super) range: Option<Range>,
}

impl Info {
    pub(super) const UNIFORM: Info = Info { came: Verdict::UNIFORM, range: None };

    /// Do the threads agree on it? A single value is the same everywhere, wherever it comes from.
    pub(super) fn verdict(self) -> Verdict {
        if self.range.is_some_and(|range| range.single().is_some()) { Verdict::UNIFORM } else { self.came }
    }

    /// The same value, assigned anew or computed with: where it came from does not matter if it is known.
    pub(super) fn now(self) -> Info {
        Info { came: self.verdict(), range: self.range }
    }

    /// Of a path or the other.
    pub(super) fn join(self, other: Info) -> Info {
        let range = self.range.and_then(|range| Some(range.join(other.range?)));
        Info { came: self.came.with(other.came), range }
    }

    /// Under a further dependence.
    pub(super) fn under(self, control: Verdict) -> Info {
        Info { came: self.came.with(control), range: self.range }
    }
}

/// What is known about a local: each component of a scalar or vector, or one for all of an aggregate.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    pub(super) parts: Vec<Info>,
    /// The component's type, for widening; nothing for aggregates.
    pub(super) scalar: Option<Scalar>,
}

impl State {
    pub(super) fn join(&mut self, other: &State) {
        self.parts.iter_mut().zip(&other.parts).for_each(|(a, b)| *a = a.join(*b));
    }

    /// Joins what came round a loop. After a few rounds a range that still grows is given up on the side where it grows.
    pub(super) fn join_widening(&mut self, other: &State, rounds: u32) {
        let whole = self.scalar.and_then(Range::of_type);
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            let joined = a.join(*b);
            let range = match (a.range, joined.range, whole) {
                (Some(old), Some(new), Some(whole)) if rounds > 3 => Some(Range {
                    lo: if new.lo < old.lo { whole.lo } else { new.lo },
                    hi: if new.hi > old.hi { whole.hi } else { new.hi },
                }),
                (Some(old), Some(new), None) if rounds > 3 && new != old => None,
                (_, new, _) => new,
            };
            *a = Info { came: joined.came, range };
        }
    }

    /// Same classes and ranges? Reasons do not count: a chain may be told in several ways.
    pub(super) fn same(&self, other: &State) -> bool {
        let same = |(a, b): (&Info, &Info)| a.came.class == b.came.class && a.range == b.range;
        self.parts.iter().zip(&other.parts).all(same)
    }
}

/// What a block assigned.
pub(super) type Diff = BTreeMap<LocalId, State>;

/// The locals at a point of the walk.
#[derive(Debug)]
pub(super) struct Env {
    layers: Vec<Diff>,
    /// For each local the layer of its declaration.
    home: Vec<usize>,
    /// Work done: layers looked through, entries joined.
    pub(super) work: u64,
}

impl Env {
    pub(super) fn new(locals: usize) -> Env {
        Env { layers: vec![Diff::new()], home: vec![0; locals], work: 0 }
    }

    /// Has it been too much work? What is found from then on is wrong.
    pub(super) fn is_spent(&self) -> bool {
        self.work > MAX_WORK
    }

    pub(super) fn depth(&self) -> usize {
        self.layers.len()
    }

    pub(super) fn push(&mut self) {
        self.layers.push(Diff::new());
    }

    /// Drops everything above `depth` layers and gives what it assigned to locals from below.
    pub(super) fn pop_to(&mut self, depth: usize) -> Diff {
        let diff = self.above(depth);
        self.layers.truncate(depth.max(1));
        diff
    }

    /// What the layers above `depth` assigned to locals from below.
    pub(super) fn above(&mut self, depth: usize) -> Diff {
        let mut diff = Diff::new();
        for layer in self.layers.iter().skip(depth) {
            self.work += layer.len() as u64;
            if self.work > MAX_WORK {
                break;
            }
            for (local, state) in layer {
                if self.home.get(local.index()).is_some_and(|&home| home < depth) {
                    diff.insert(*local, state.clone());
                }
            }
        }
        diff
    }

    pub(super) fn declare(&mut self, local: LocalId, state: State) {
        if let Some(home) = self.home.get_mut(local.index()) {
            *home = self.layers.len() - 1;
        }
        self.set(local, state);
    }

    pub(super) fn set(&mut self, local: LocalId, state: State) {
        if let Some(layer) = self.layers.last_mut() {
            layer.insert(local, state);
        }
    }

    pub(super) fn get(&mut self, local: LocalId) -> Option<&State> {
        for layer in self.layers.iter().rev() {
            self.work += 1;
            if let Some(state) = layer.get(&local) {
                return Some(state);
            }
        }
        None
    }

    /// Where paths meet: a local is what it is on any of them; on a path that did not assign it, what it was before.
    pub(super) fn meet(&mut self, paths: &[Diff]) {
        let mut locals: Vec<LocalId> = paths.iter().flat_map(BTreeMap::keys).copied().collect();
        locals.sort();
        locals.dedup();
        for local in locals {
            self.work += paths.len() as u64;
            if self.is_spent() {
                return;
            }
            let before =
                if paths.iter().all(|path| path.contains_key(&local)) { None } else { self.get(local).cloned() };
            let mut all = paths.iter().filter_map(|path| path.get(&local)).chain(&before);
            let Some(mut state) = all.next().cloned() else { continue };
            all.for_each(|other| state.join(other));
            self.set(local, state);
        }
    }
}
