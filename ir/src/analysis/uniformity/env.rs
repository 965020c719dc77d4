//! What is known about values and locals at a point of the walk, and how paths are joined.
//!
//! The locals' states are kept in layers, one for each block that is open: a layer holds what was assigned in its block. A branch costs what it changes,
//! not what exists.

use std::collections::BTreeMap;

use super::TileAgreement;
use crate::analysis::range::IntegerRange;
use crate::analysis::shape::Stride;
use crate::kernel::LocalId;
use crate::types::Scalar;

/// Steps after which the analysis gives up: well below a second. A step is a state looked for, copied or joined.
pub(super) const MAX_WORK: u64 = 4_000_000;

/// Names a link of a because-chain in the walk's list; 0 is none.
pub(super) type LinkId = u32;

/// A class and why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct UniformityVerdict {
    pub(super) class: TileAgreement,
    /// Do the threads of a row, along x, agree? Those of a uniform tile do.
    pub(super) row: bool,
    pub(super) why: LinkId,
}

impl UniformityVerdict {
    pub(super) const UNIFORM: UniformityVerdict =
        UniformityVerdict { class: TileAgreement::Uniform, row: true, why: 0 };

    /// Nothing is known, and there is nothing to tell.
    pub(super) const UNPROVEN: UniformityVerdict =
        UniformityVerdict { class: TileAgreement::Unproven, row: false, why: 0 };

    /// Of what depends on both; keeps the reason of the one that decides.
    pub(super) fn with(self, other: UniformityVerdict) -> UniformityVerdict {
        let class = self.class.with(other.class);
        UniformityVerdict {
            class,
            row: self.row && other.row,
            why: if class == self.class { self.why } else { other.why },
        }
    }

    pub(super) fn is_uniform(self) -> bool {
        self.class == TileAgreement::Uniform
    }

    /// The same classes? Reasons do not count: a chain may be told in several ways.
    pub(super) fn same(self, other: UniformityVerdict) -> bool {
        (self.class, self.row) == (other.class, other.row)
    }

    /// Does it claim all that the other does?
    pub(super) fn implies(self, other: UniformityVerdict) -> bool {
        self.with(other).same(other)
    }
}

/// What is known about one component.
///
/// The verdict is kept even where the range is a single value: that `x` is 0 here and 1 there is uniform in both places, but not where they meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Info {
    /// What it came from.
    pub(super) came: UniformityVerdict,
    pub(super) range: Option<IntegerRange>,
    /// How it grows along x, in the threads that are here. What only some threads assign is evident where they meet the others, not before: see
    /// [`Env::meet`].
    pub(super) along: Option<Stride>,
}

impl Info {
    pub(super) const UNIFORM: Info = Info { came: UniformityVerdict::UNIFORM, range: None, along: Some(Stride::SAME) };

    /// As a verdict says: the same along x, or unknown.
    pub(super) fn of(came: UniformityVerdict, range: Option<IntegerRange>) -> Info {
        Info { came, range, along: came.row.then_some(Stride::SAME) }
    }

    fn is_single(self) -> bool {
        self.range.is_some_and(|range| range.single().is_some())
    }

    /// Do the threads agree on it? A single value is the same everywhere, wherever it comes from.
    pub(super) fn verdict(self) -> UniformityVerdict {
        match self.is_single() {
            true => UniformityVerdict::UNIFORM,
            false => UniformityVerdict { row: self.stride().is_some_and(Stride::is_same), ..self.came },
        }
    }

    /// How it grows along x.
    pub(super) fn stride(self) -> Option<Stride> {
        if self.is_single() || self.came.is_uniform() { Some(Stride::SAME) } else { self.along }
    }

    /// The same value, assigned anew or computed with: where it came from does not matter if it is known.
    pub(super) fn now(self) -> Info {
        Info { came: self.verdict(), range: self.range, along: self.stride() }
    }

    /// Of a path or the other.
    pub(super) fn join(self, other: Info) -> Info {
        let range = self.range.and_then(|range| Some(range.join(other.range?)));
        Info { came: self.came.with(other.came), range, along: Stride::join(self.along, other.along) }
    }

    /// Under a further dependence.
    pub(super) fn under(self, control: UniformityVerdict) -> Info {
        Info { came: self.came.with(control), ..self }
    }

    /// Of threads of a row that come from different ways, if they do.
    pub(super) fn mixed(self, mixed: bool) -> Info {
        if mixed { Info { along: None, ..self } } else { self }
    }

    fn same(self, other: Info) -> bool {
        self.came.same(other.came) && self.range == other.range && self.along == other.along
    }

    fn implies(self, other: Info) -> bool {
        let narrower = match (self.range, other.range) {
            (_, None) => true,
            (Some(a), Some(b)) => b.contains(a),
            (None, Some(_)) => false,
        };
        self.came.implies(other.came) && narrower && Stride::implies(self.along, other.along)
    }
}

/// What is known about a local: each component of a scalar or vector, or one for all of an aggregate.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LocalState {
    pub(super) parts: Vec<Info>,
    /// The component's type, for widening; nothing for aggregates.
    pub(super) scalar: Option<Scalar>,
    /// Equal at two points if the local has not been assigned in between: it holds the same value.
    pub(super) stamp: u64,
}

impl LocalState {
    pub(super) fn join(&mut self, other: &LocalState) {
        self.parts.iter_mut().zip(&other.parts).for_each(|(a, b)| *a = a.join(*b));
    }

    /// Joins what came round a loop. After a few rounds a range that still grows is given up on the side where it grows; a walk down from there
    /// (see [`walk`](super::walk)) takes back what was given up too much.
    pub(super) fn join_widening(&mut self, other: &LocalState, rounds: u32) {
        let whole = self.scalar.and_then(IntegerRange::of_type);
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            let joined = a.join(*b);
            let range = match (a.range, joined.range, whole) {
                (Some(old), Some(new), Some(whole)) if rounds > PATIENCE => Some(IntegerRange {
                    lo: if new.lo < old.lo { whole.lo } else { new.lo },
                    hi: if new.hi > old.hi { whole.hi } else { new.hi },
                }),
                (Some(old), Some(new), None) if rounds > PATIENCE && new != old => None,
                (_, new, _) => new,
            };
            *a = Info { range, ..joined };
        }
    }

    /// Takes over the reasons for the same classes.
    pub(super) fn tell_as(&mut self, other: &LocalState) {
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            if a.came.class == b.came.class {
                a.came.why = b.came.why;
            }
        }
    }

    /// Same classes, ranges and strides?
    pub(super) fn same(&self, other: &LocalState) -> bool {
        self.parts.iter().zip(&other.parts).all(|(a, b)| a.same(*b))
    }

    /// Does it claim all that the other does?
    pub(super) fn implies(&self, other: &LocalState) -> bool {
        self.parts.iter().zip(&other.parts).all(|(a, b)| a.implies(*b))
    }
}

/// Walks after which the range of what a loop carries is no longer waited for.
pub(super) const PATIENCE: u32 = 3;

/// What a block assigned.
pub(super) type Diff = BTreeMap<LocalId, LocalState>;

/// The locals at a point of the walk.
#[derive(Debug)]
pub(super) struct Env {
    layers: Vec<Diff>,
    /// For each local the layer of its declaration.
    home: Vec<usize>,
    /// The newest stamp of a [`LocalState`].
    stamp: u64,
    /// Work done: layers looked through, entries joined.
    pub(super) work: u64,
}

impl Env {
    pub(super) fn new(locals: usize) -> Env {
        Env { layers: vec![Diff::new()], home: vec![0; locals], stamp: 0, work: 0 }
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

    pub(super) fn declare(&mut self, local: LocalId, state: LocalState) {
        if let Some(home) = self.home.get_mut(local.index()) {
            *home = self.layers.len() - 1;
        }
        self.set(local, state);
    }

    /// A new value: the local was assigned.
    pub(super) fn set(&mut self, local: LocalId, mut state: LocalState) {
        self.stamp += 1;
        state.stamp = self.stamp;
        self.refine(local, state);
    }

    /// More is known about the value that the local holds.
    pub(super) fn refine(&mut self, local: LocalId, state: LocalState) {
        if let Some(layer) = self.layers.last_mut() {
            layer.insert(local, state);
        }
    }

    pub(super) fn get(&mut self, local: LocalId) -> Option<&LocalState> {
        for layer in self.layers.iter().rev() {
            self.work += 1;
            if let Some(state) = layer.get(&local) {
                return Some(state);
            }
        }
        None
    }

    /// Where paths meet: a local is what it is on any of them; on a path that did not assign it, what it was before. If threads of one row come on
    /// different paths (`mixed`), nothing is known along x about what was assigned on them.
    pub(super) fn meet(&mut self, paths: &[Diff], mixed: bool) {
        let mut locals: Vec<LocalId> = paths.iter().flat_map(BTreeMap::keys).copied().collect();
        locals.sort();
        locals.dedup();
        for local in locals {
            self.work += paths.len() as u64;
            if self.is_spent() {
                return;
            }
            let Some(before) = self.get(local).cloned() else { continue };
            let everywhere = paths.iter().all(|path| path.contains_key(&local));
            let mut all = paths.iter().filter_map(|path| path.get(&local)).chain((!everywhere).then_some(&before));
            let Some(mut state) = all.next().cloned() else { continue };
            let mut one = true;
            all.for_each(|other| {
                one &= other.stamp == state.stamp;
                state.join(other);
            });
            if one && state.stamp == before.stamp {
                // Not assigned: only its range may be known better.
                self.refine(local, state);
                continue;
            }
            state.parts.iter_mut().for_each(|part| *part = part.mixed(mixed));
            if one && !mixed {
                self.refine(local, state);
            } else {
                self.set(local, state);
            }
        }
    }

    /// Is the local assigned in a layer above `depth`, as far as this state tells?
    pub(super) fn is_assigned_above(&mut self, depth: usize, local: LocalId, state: &LocalState) -> bool {
        let below = self.layers.iter().take(depth).rev().find_map(|layer| layer.get(&local));
        self.work += depth as u64;
        below.is_none_or(|below| below.stamp != state.stamp)
    }
}
