//! Uniformity: classifies values and control flow as uniform, divergent or unproven among the
//! threads of a tile.
//!
//! A barrier is legal where all threads of a tile arrive together. So the checker needs to know of
//! every condition that controls a barrier, and of every early exit that may skip one, whether the
//! threads agree on it. Targets need the same of values: a uniform value can be computed once for
//! the tile.
//!
//! | module | purpose |
//! |---|---|
//! | `walk` | the traversal: control, early exits, joins |
//! | `state` | the state of the traversal |
//! | `loops` | fixed points of loops |
//! | `values` | transfer functions of single instructions |
//! | `env` | state of values and locals, and its joins |
//! | `narrow`, `order` | ranges and orders implied by conditions |
//! | `phases` | code between barriers, for loads from `tile_static` |
//! | `facts`, `show` | the results, and their text |
//!
//! # The three classes
//! - **Uniform**: proved the same in all threads of a tile that compute it together. Computed only
//!   from constants, arguments of the launch, the tile's own indices, and other uniform values; or
//!   its [range](super::range) is a single number, whatever its operands: `local[0] < 16` in a tile
//!   16 wide.
//! - **Divergent**: computed from the thread's own index by pure operations and uniform values
//!   alone. A barrier that depends on it is an error.
//! - **Unproven**: everything else, above all data from memory. A barrier that depends on it is
//!   allowed; targets take a vote of the threads.
//!
//! Only obvious divergence is an error. Divergent combined with unproven gives unproven: the
//! product `local[0] * data[i]` may well be the same everywhere. For the same reason a value that
//! passed through a table, an array or a struct is never divergent, at most unproven. A vector is
//! analysed by component.
//!
//! *Uniform* is a claim that generated code relies on, *divergent* a claim that rejects kernels;
//! *unproven* claims nothing and is always correct. So wherever the analysis lacks precision, or
//! time, the result is unproven.
//!
//! # Memory
//! A load at a uniform address is uniform if no thread can write there at the same time:
//! - a captured value, a table: always;
//! - a view or buffer: if the kernel writes to none at all. (That *this* one is read-only does not
//!   suffice: bindings may overlap, and another tile may write. A launch knows more, and a target
//!   may specialise for it.)
//! - a `tile_static` variable: if it is not written in the same **phase**. A phase is the code
//!   between barriers that order `tile_static`: all points reachable from the same barrier, or from
//!   the start, without passing another. See [`phases`]. This is AMP's rule "right after a barrier
//!   and with no store in between", applied in both directions: a store *after* the load would race
//!   with it too.
//!
//! # Locals
//! The class of a local variable is flow-sensitive. An assignment gives it the join of the value's
//! class and the class of the **control** of the assignment, as far as that began after the
//! variable's declaration: a variable that only some threads assign differs afterwards. Classes are
//! joined where paths meet.
//!
//! # Control
//! Control at a point is the list of reasons why some threads of the tile may be inactive there:
//! enclosing conditions that are not uniform, and early exits.
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
//! - A `break`, `continue` or `return` under control that is not uniform, counted from the start of
//!   a construct that it leaves, adds to the control of the code after that construct, up to the
//!   target of the exit, where all threads reconverge. (The target of `return` is the end of the
//!   kernel.)
//! - A loop that threads leave in different iterations adds that to the control of its whole body
//!   and continuing block.
//! - `abort` and `error` are not control: the thread continues without effect.
//!
//! # Along x
//! The walk also tracks how each value changes along x, among the active threads
//! ([`shape`](super::shape)), by other rules than the class: an assignment gives the variable the
//! value's shape, whichever threads execute it, and only **where threads of one row meet that took
//! different paths** the shape of variables assigned on those paths becomes unknown. So a variable
//! stays affine inside a loop that threads leave at different times.
//!
//! # Algorithm
//! The walk traverses the entry of an inlined kernel from top to bottom, repeatedly, until nothing
//! changes. Classes only rise, from uniform over divergent to unproven, and ranges only widen;
//! loop-carried ranges widen to the whole type after a few iterations. Then some descending walks
//! narrow the ranges as far as the loops' conditions allow ([`loops`]). The cost of nested loops
//! does not multiply: a loop keeps the state of its back edge for the next walk over the whole
//! kernel. If the work exceeds a limit, everything is unproven ([`Uniformity::gave_up`]).

mod env;
mod facts;
mod loops;
mod narrow;
mod order;
mod phases;
mod show;
mod state;
mod values;
mod walk;

use crate::analysis::facts::KernelFacts;
use crate::analysis::range::IntegerRange;
use crate::kernel::{Builtin, InstId, Kernel, LocalId, ValueId};
use crate::pos::Pos;

/// Computes all facts, including uniformity. `given` has known ranges of parameters, indexed by
/// parameter.
pub(super) fn run(kernel: &Kernel, given: &[Option<IntegerRange>]) -> KernelFacts {
    walk::run(kernel, given)
}

/// Whether the threads of a tile agree. Ordered by the consequence for a barrier: legal, needs a
/// vote, an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TileAgreement {
    /// Proved to agree.
    Uniform,
    /// Known only at run time.
    Unproven,
    /// They differ by their indices.
    Divergent,
}

impl TileAgreement {
    /// The class of a result that depends on both.
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

/// One link of a because-chain: a cause of divergence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BecauseLink {
    /// The cause.
    pub what: LinkReason,
    /// Its position.
    pub pos: Pos,
}

/// The cause in a [`BecauseLink`]. Values and locals are those of the inlined entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkReason {
    /// The thread's own index: the end of a chain.
    Index(Builtin),
    /// A value loaded from memory, or the result of an atomic: the end of a chain.
    Memory(ValueId),
    /// A value, computed from the next link.
    Value(ValueId),
    /// A local variable is set to the next link's value.
    Set(LocalId),
    /// Only some threads set a local variable; the next link gives the reason.
    SetBySome(LocalId),
    /// The condition or selector of a construct is the next link's value.
    Condition(Chooser),
    /// Some threads exit early; the next link gives the reason.
    Left(EarlyLeave),
}

/// A condition that selects a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chooser {
    /// `if`
    If,
    /// `switch`
    Switch,
    /// The condition of a loop.
    While,
    /// The condition at the end of a continuing block.
    BreakIf,
}

/// An early exit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EarlyLeave {
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
}

/// Whether the threads of a tile reach a barrier together.
#[derive(Clone, PartialEq, Debug)]
pub struct BarrierFact {
    /// The instruction.
    pub inst: InstId,
    /// Its position; not unique if a function is inlined several times.
    pub pos: Pos,
    /// Uniform: together. Unproven: needs a vote. Divergent: an error, so not in a checked kernel.
    pub class: TileAgreement,
    /// The reasons if it is not uniform, from the innermost cause to the root cause.
    pub because: Vec<BecauseLink>,
}

/// The uniformity of an inlined kernel's entry.
#[derive(Clone, Debug)]
pub struct Uniformity {
    values: Vec<TileAgreement>,
    locals: Vec<TileAgreement>,
    /// Indexed by the id of a construct.
    constructs: Vec<TileAgreement>,
    barriers: Vec<BarrierFact>,
    gave_up: bool,
}

impl Uniformity {
    /// Analyses a kernel. It must be inlined and obey the rules; for any other kernel the result is
    /// unproven.
    pub fn of(kernel: &Kernel) -> Uniformity {
        run(kernel, &[]).uniformity
    }

    /// The class of a value of the entry; for a vector, the join over its components.
    pub fn value(&self, value: ValueId) -> TileAgreement {
        self.values.get(value.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// The join of the classes that a local variable of the entry has at any point.
    pub fn local(&self, local: LocalId) -> TileAgreement {
        self.locals.get(local.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// For an `if` or a `switch`: whether the threads that enter it together agree on the condition
    /// or selector. For a loop or a scope: whether they leave it together, a loop in the same
    /// iteration.
    pub fn construct(&self, construct: InstId) -> TileAgreement {
        self.constructs.get(construct.index()).copied().unwrap_or(TileAgreement::Unproven)
    }

    /// The barriers in text order.
    pub fn barriers(&self) -> &[BarrierFact] {
        &self.barriers
    }

    /// The fact about a barrier; `None` for any other instruction.
    pub fn barrier(&self, inst: InstId) -> Option<&BarrierFact> {
        let at = self.barriers.binary_search_by_key(&inst, |barrier| barrier.inst).ok()?;
        self.barriers.get(at)
    }

    /// Whether all threads of the tile are proved to reach a barrier together.
    pub fn proves_barrier(&self, inst: InstId) -> bool {
        self.barrier(inst).is_some_and(|barrier| barrier.class == TileAgreement::Uniform)
    }

    /// Whether that is proved of all barriers, so that threads need not vote.
    pub fn proves_barriers(&self) -> bool {
        self.barriers.iter().all(|barrier| barrier.class == TileAgreement::Uniform)
    }

    /// Whether the analysis exceeded its limits. Then everything is unproven except single numbers.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }
}
