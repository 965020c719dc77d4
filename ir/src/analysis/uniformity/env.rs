//! The state of values and locals at a point of the walk, and the joins of paths.
//!
//! The states of locals are kept in layers, one for each open block: a layer has the assignments of
//! its block. So the cost of a branch depends on the number of its assignments, not on the number
//! of locals.

use std::collections::BTreeMap;

use super::TileAgreement;
use crate::analysis::range::IntegerRange;
use crate::analysis::shape::Stride;
use crate::kernel::LocalId;
use crate::types::Scalar;

/// Limit on work, after which the analysis gives up: well below a second. One unit is a lookup,
/// copy or join of a state.
pub(super) const MAX_WORK: u64 = 4_000_000;

/// Index of a link of a because-chain in the walk's list, plus 1; 0 is none.
pub(super) type LinkId = u32;

/// A class and its reason.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct UniformityVerdict {
    pub(super) class: TileAgreement,
    /// Whether the threads of a row, along x, agree. Those of a uniform tile do.
    pub(super) row: bool,
    pub(super) why: LinkId,
}

impl UniformityVerdict {
    pub(super) const UNIFORM: UniformityVerdict =
        UniformityVerdict { class: TileAgreement::Uniform, row: true, why: 0 };

    /// No claim, and no reason.
    pub(super) const UNPROVEN: UniformityVerdict =
        UniformityVerdict { class: TileAgreement::Unproven, row: false, why: 0 };

    /// The verdict of a result that depends on both; keeps the reason of the deciding one.
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

    /// Whether the classes are equal. Reasons are ignored: there may be several chains for the same
    /// class.
    pub(super) fn same(self, other: UniformityVerdict) -> bool {
        (self.class, self.row) == (other.class, other.row)
    }

    /// Whether it implies the other.
    pub(super) fn implies(self, other: UniformityVerdict) -> bool {
        self.with(other).same(other)
    }
}

/// The state of one component.
///
/// The verdict is kept even if the range is a single number: an `x` that is 0 on one path and 1 on
/// another is uniform on both, but not after they join.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Info {
    /// The verdict of its origin.
    pub(super) came: UniformityVerdict,
    pub(super) range: Option<IntegerRange>,
    /// Stride along x, among the active threads. Assignments by only some threads take effect where
    /// those meet the others, not before: see [`Env::meet`].
    pub(super) along: Option<Stride>,
}

impl Info {
    pub(super) const UNIFORM: Info = Info { came: UniformityVerdict::UNIFORM, range: None, along: Some(Stride::SAME) };

    /// From a verdict: the same along x, or unknown.
    pub(super) fn of(came: UniformityVerdict, range: Option<IntegerRange>) -> Info {
        Info { came, range, along: came.row.then_some(Stride::SAME) }
    }

    fn is_single(self) -> bool {
        self.range.is_some_and(|range| range.single().is_some())
    }

    /// Whether the threads agree on it. A single number is uniform, whatever its origin.
    pub(super) fn verdict(self) -> UniformityVerdict {
        match self.is_single() {
            true => UniformityVerdict::UNIFORM,
            false => UniformityVerdict { row: self.stride().is_some_and(Stride::is_same), ..self.came },
        }
    }

    /// Stride along x.
    pub(super) fn stride(self) -> Option<Stride> {
        if self.is_single() || self.came.is_uniform() { Some(Stride::SAME) } else { self.along }
    }

    /// The same value, when assigned or used as an operand: its origin does not matter if it is a
    /// known number.
    pub(super) fn now(self) -> Info {
        Info { came: self.verdict(), range: self.range, along: self.stride() }
    }

    /// The join of two paths.
    pub(super) fn join(self, other: Info) -> Info {
        let range = self.range.and_then(|range| Some(range.join(other.range?)));
        Info { came: self.came.with(other.came), range, along: Stride::join(self.along, other.along) }
    }

    /// With an additional dependence on control.
    pub(super) fn under(self, control: UniformityVerdict) -> Info {
        Info { came: self.came.with(control), ..self }
    }

    /// If `mixed`, for threads of a row that come from different paths: forgets the stride.
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

/// The state of a local: one entry for each component of a scalar or vector, or one for a whole
/// aggregate.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LocalState {
    pub(super) parts: Vec<Info>,
    /// The component's type, for widening; `None` for aggregates.
    pub(super) scalar: Option<Scalar>,
    /// Equal at two points if the local has not been assigned in between, so that it has the same
    /// value.
    pub(super) stamp: u64,
}

impl LocalState {
    pub(super) fn join(&mut self, other: &LocalState) {
        self.parts.iter_mut().zip(&other.parts).for_each(|(a, b)| *a = a.join(*b));
    }

    /// Joins the state of a back edge. After [`PATIENCE`] iterations a bound that still grows is
    /// widened to the limit of its type; a descending walk (see [`loops`](super::loops)) narrows it
    /// again where possible.
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

    /// Takes the other state's reasons where the classes are equal.
    pub(super) fn tell_as(&mut self, other: &LocalState) {
        for (a, b) in self.parts.iter_mut().zip(&other.parts) {
            if a.came.class == b.came.class {
                a.came.why = b.came.why;
            }
        }
    }

    /// Whether classes, ranges and strides are equal.
    pub(super) fn same(&self, other: &LocalState) -> bool {
        self.parts.iter().zip(&other.parts).all(|(a, b)| a.same(*b))
    }

    /// Whether it implies the other.
    pub(super) fn implies(&self, other: &LocalState) -> bool {
        self.parts.iter().zip(&other.parts).all(|(a, b)| a.implies(*b))
    }
}

/// Number of walks after which the range of a loop-carried variable is widened.
pub(super) const PATIENCE: u32 = 3;

/// The assignments of a block.
pub(super) type Diff = BTreeMap<LocalId, LocalState>;

/// The states of the locals at a point of the walk.
#[derive(Debug)]
pub(super) struct Env {
    layers: Vec<Diff>,
    /// For each local, the layer of its declaration.
    home: Vec<usize>,
    /// The newest stamp of a [`LocalState`].
    stamp: u64,
    /// Work done: layers searched, entries joined.
    pub(super) work: u64,
}

impl Env {
    pub(super) fn new(locals: usize) -> Env {
        Env { layers: vec![Diff::new()], home: vec![0; locals], stamp: 0, work: 0 }
    }

    /// Whether the work exceeded its limit. Results from then on are invalid.
    pub(super) fn is_spent(&self) -> bool {
        self.work > MAX_WORK
    }

    pub(super) fn depth(&self) -> usize {
        self.layers.len()
    }

    pub(super) fn push(&mut self) {
        self.layers.push(Diff::new());
    }

    /// Drops all layers above `depth` and returns their assignments to locals of lower layers.
    pub(super) fn pop_to(&mut self, depth: usize) -> Diff {
        let diff = self.above(depth);
        self.layers.truncate(depth.max(1));
        diff
    }

    /// The assignments of the layers above `depth` to locals of lower layers.
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

    /// Sets a new value, by an assignment to the local.
    pub(super) fn set(&mut self, local: LocalId, mut state: LocalState) {
        self.stamp += 1;
        state.stamp = self.stamp;
        self.refine(local, state);
    }

    /// Refines the state without a new value.
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

    /// Joins paths: a local has the join of its states on all of them; on a path that did not
    /// assign it, its earlier state. If threads of one row arrive on different paths (`mixed`), the
    /// strides of variables assigned on them become unknown.
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
                // Not assigned: only its range may be narrower.
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

    /// Whether the local is assigned in a layer above `depth`, judging by this state.
    pub(super) fn is_assigned_above(&mut self, depth: usize, local: LocalId, state: &LocalState) -> bool {
        let below = self.layers.iter().take(depth).rev().find_map(|layer| layer.get(&local));
        self.work += depth as u64;
        below.is_none_or(|below| below.stamp != state.stamp)
    }
}
