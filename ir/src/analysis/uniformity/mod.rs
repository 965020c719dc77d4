//! Uniformity: what is the same in all threads of a tile, what differs, and what only running tells.
//!
//! A barrier is legal where all threads of a tile arrive together. So the checker asks of every condition on the way to a barrier, and of every early
//! leave past one, whether the threads agree on it. Targets ask the same of values: what is uniform need be computed once a tile.
//!
//! # The three classes
//! - **Uniform**: proved the same in all threads of a tile that compute it together. From constants, what the launch hands over, the tile's own indices,
//!   and whatever is computed from uniform things only; or because its [range](super::range) is a single number, whatever it is computed from:
//!   `local[0] < 16` in a tile 16 wide.
//! - **Divergent**: computed from the thread's own index by pure operations and uniform values alone. A barrier that depends on it is an error.
//! - **Unproven**: all else, above all data out of memory. A barrier that depends on it is allowed; targets let the threads vote.
//!
//! The error is only for what is plain to see. Where divergent meets unproven, the result is unproven: `local[0] * data[i]` may well be the same
//! everywhere. For the same reason what went through a table, an array or a struct is never divergent, at most unproven. A vector is
//! followed by component.
//!
//! *Uniform* is a claim that code relies on, *divergent* a claim that rejects; *unproven* claims nothing and is always right. So wherever the analysis
//! is short of insight, or of time, the answer is unproven.
//!
//! # Memory
//! What a load at a uniform address gives is uniform if no thread can be writing there at the time:
//! - a captured value, a table: always;
//! - a view or buffer: if the kernel writes to none at all. (That *this* one is read-only says little: bindings may overlap, and another tile may
//!   write. A launch knows more, and a target may specialise for it.)
//! - a `tile_static` variable: if it is not written in the same **phase**. A phase is a stretch of code between barriers that order `tile_static`: what
//!   can be reached from the same barrier, or from the start, without passing another. See [`phases`]. That is AMP's "right after a barrier and with
//!   no store in between", taken from both sides: a store *after* the load would race with it just as well.
//!
//! # Locals
//! A local variable is followed along the flow: it has one class here and another there. An assignment takes the class of the value, and that of the
//! **control** under which it stands, as far as that began after the variable's declaration: what only some threads assign differs afterwards. Where
//! paths meet, classes are joined.
//!
//! # Control
//! Control at a point is the list of reasons why not all threads of the tile are there: conditions around it that are not uniform, and leaves.
//!
//! ```text
//! loop {                          the loop is left by some threads only, in its 1st, 2nd, .. round:
//!     if local[0] > i { break; }  so everything in it stands under divergent control, and so does
//!     i = i + 1;                  this assignment: i is divergent after the loop
//!     barrier;                    error: barrier <- break <- if <- local[0]
//! }
//! barrier;                        fine: all threads are back
//! ```
//! - A condition that is not uniform adds to the control of its arms.
//! - A `break`, `continue` or `return` under control that is not uniform, counted from the start of a construct that it leaves through, adds to the
//!   control of what follows that construct, up to where the leave goes to. There all threads are together again. (`return` goes to the very end.)
//! - A loop that threads leave in different rounds adds that to the control of its whole body and continuing part.
//! - `abort` and `error` are not control: the thread walks on without effect.
//!
//! # Along x
//! The walk also follows how each value changes along x, in the threads that are here ([`shape`](super::shape)). This is worked out in another way than
//! the class: an assignment gives the variable what the value is, whoever makes it, and only **where threads of one row meet that came different ways**
//! is nothing known any more of what was assigned on those ways. So a variable stays affine inside a loop that threads leave one after the other.
//!
//! # How
//! The entry of an inlined kernel is walked from top to bottom, again and again until nothing changes; classes only ever rise, from uniform over
//! divergent to unproven, and ranges only widen, those carried round a loop to the whole type after a few rounds. Then some walks lead down again, to
//! ranges as narrow as the loops' conditions allow ([`loops`]). Nested loops do not multiply: a loop keeps what its back edge brought for the next walk
//! over everything. Should the work exceed a bound, everything is unproven ([`Uniformity::gave_up`]).

mod env;
mod facts;
mod loops;
mod narrow;
mod order;
mod phases;
mod show;
mod values;
mod walk;

use crate::analysis::facts::KernelFacts;
use crate::analysis::range::IntegerRange;
use crate::kernel::{Builtin, InstId, Kernel, LocalId, ValueId};
use crate::pos::Pos;

/// All facts, of which uniformity is a part. `given` says of parameters by number between which numbers they lie, if that is known.
pub(super) fn run(kernel: &Kernel, given: &[Option<IntegerRange>]) -> KernelFacts {
    walk::run(kernel, given)
}

/// Do the threads of a tile agree? In the order of what it means for a barrier: fine, to be voted on, an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TileAgreement {
    /// Proved to.
    Uniform,
    /// Only running tells.
    Unproven,
    /// They differ by their indices.
    Divergent,
}

impl TileAgreement {
    /// Of something that depends on both.
    #[must_use]
    pub fn with(self, other: TileAgreement) -> TileAgreement {
        match (self, other) {
            (TileAgreement::Uniform, class) | (class, TileAgreement::Uniform) => class,
            (TileAgreement::Divergent, TileAgreement::Divergent) => TileAgreement::Divergent,
            (TileAgreement::Unproven, _) | (_, TileAgreement::Unproven) => TileAgreement::Unproven,
        }
    }

    /// The name in printed analyses.
    pub const fn name(self) -> &'static str {
        match self {
            TileAgreement::Uniform => "uniform",
            TileAgreement::Unproven => "unproven",
            TileAgreement::Divergent => "divergent",
        }
    }
}

/// One link of a because-chain: the threads may differ because of this.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BecauseLink {
    /// What it is.
    pub what: LinkReason,
    /// Where it stands.
    pub pos: Pos,
}

/// What a [`BecauseLink`] is. Values and locals are those of the inlined entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkReason {
    /// The thread's own index: an end of the chain.
    Index(Builtin),
    /// A value out of memory, or of an atomic: an end of the chain.
    Memory(ValueId),
    /// A value, computed from the next link.
    Value(ValueId),
    /// A local variable is set to the next link's value.
    Set(LocalId),
    /// A local variable is set by some threads only; the next link says by which.
    SetBySome(LocalId),
    /// The condition or selector of a construct is the next link's value.
    Condition(Chooser),
    /// Some threads leave; the next link says which.
    Left(EarlyLeave),
}

/// A construct that chooses a way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chooser {
    /// `if`
    If,
    /// `switch`
    Switch,
    /// The condition of a loop.
    While,
    /// The end of a continuing part.
    BreakIf,
}

/// An early leave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EarlyLeave {
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
}

/// A barrier, and whether the threads of a tile reach it together.
#[derive(Clone, PartialEq, Debug)]
pub struct BarrierFact {
    /// The instruction.
    pub inst: InstId,
    /// Where it stands: several do at one place if a function is called several times.
    pub pos: Pos,
    /// Uniform: together. Unproven: to be voted on. Divergent: an error, so not in a checked kernel.
    pub class: TileAgreement,
    /// Why, if it is not uniform: from the innermost cause to its end.
    pub because: Vec<BecauseLink>,
}

/// The facts about an inlined kernel's entry.
#[derive(Clone, Debug)]
pub struct Uniformity {
    values: Vec<TileAgreement>,
    locals: Vec<TileAgreement>,
    /// By the id of a construct.
    constructs: Vec<TileAgreement>,
    barriers: Vec<BarrierFact>,
    gave_up: bool,
}

impl Uniformity {
    /// Works them out. The kernel must be inlined and obey the rules; of any other the answer is unproven.
    pub fn of(kernel: &Kernel) -> Uniformity {
        run(kernel, &[]).uniformity
    }

    /// The class of a value of the entry; of a vector, that of all components together.
    pub fn value(&self, value: ValueId) -> TileAgreement {
        self.values.get(value.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// The class of everything that a local variable of the entry ever holds.
    pub fn local(&self, local: LocalId) -> TileAgreement {
        self.locals.get(local.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// Of an `if` or a `switch`: do the threads that enter it together agree on the condition or
    /// selector? Of a loop or a scope: do they leave it together, a loop in the same iteration?
    pub fn construct(&self, construct: InstId) -> TileAgreement {
        self.constructs.get(construct.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// The barriers in text order.
    pub fn barriers(&self) -> &[BarrierFact] {
        &self.barriers
    }

    /// What is known of one barrier; nothing of another instruction.
    pub fn barrier(&self, inst: InstId) -> Option<&BarrierFact> {
        let at = self.barriers.binary_search_by_key(&inst, |barrier| barrier.inst).ok()?;
        self.barriers.get(at)
    }

    /// Was the kernel beyond what the analysis takes on? Then all is unproven but what has a single value.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}
