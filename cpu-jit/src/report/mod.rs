//! The vectorisation report: how each line of a kernel was vectorised, for performance tuning.
//!
//! [`report`] reads the lane program, whose nodes carry their source position, and the notes on
//! branches and loops that [`vectorize`](crate::vectorize) left in [`LaneProgram::notes`]. `access`
//! classifies memory accesses, `sums` finds products that are added, `costs` counts what a thread
//! moves and computes, and names the limit, `text` renders the report. It
//! describes lanes, so but for [`KernelReport::form`] it is the same on all machines; the
//! per-machine cost of an operation is in the tables of `emit/op`.

mod access;
mod costs;
mod sums;
#[cfg(test)]
mod tests;
mod text;

pub use costs::{PartCosts, WorkKind};
pub(crate) use text::snippet;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_levels;

use crate::emit::{CodeForm, moves_rows};
use crate::lanes::{LaneControl, LaneProgram, Note};

/// The vectorisation report of a kernel.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// Number of lanes.
    pub width: u32,
    /// The emitter of its machine code, if it was compiled.
    pub form: Option<CodeForm>,
    /// Sorted by place in the source: source, line, column.
    pub findings: Vec<PlaceFinding>,
    /// The costs of its innermost parts.
    pub costs: Vec<PartCosts>,
}

/// A finding about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceFinding {
    /// The place.
    pub pos: Pos,
    /// The finding.
    pub what: PlaceOutcome,
}

/// A kind of finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceOutcome {
    /// An access to memory.
    Access(ReportedAccess),
    /// A branch.
    Branch(LaneControl),
    /// A loop.
    Loop(LaneControl),
    /// A loop whose iterations are written one after another.
    Unrolled,
    /// A `tile_static` variable that needs no memory: tiles keep it in registers, but for those at an
    /// edge.
    Promoted,
    /// A load that serves so many rows, which are executed together.
    Rows(u32),
    /// A load whose memory is requested some iterations earlier.
    Prefetched,
    /// A product that is added to something: two roundings, where `mad` may take one.
    Sum,
}

/// An access to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedAccess {
    /// Load, store, copy or atomic.
    pub kind: AccessKind,
    /// The strides it usually has from lane to lane, the best first.
    pub ways: Vec<LaneStride>,
    /// Does at least one of them use a mask?
    pub masked: bool,
    /// When it is known to be in range.
    pub range: BoundsKnowledge,
}

/// Kinds of accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Copies an aggregate.
    Copy,
    /// Read-modify-write.
    Atomic,
    /// Read-modify-write of one place, once for all lanes.
    CombinedAtomic,
}

/// The stride of an access from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LaneStride {
    /// One address for all lanes.
    One,
    /// Unit stride.
    Side,
    /// A step of so many bytes, of which other accesses beside it take the rest: together whole
    /// vectors.
    Rows {
        /// In bytes.
        step: i64,
        /// In elements.
        elements: i64,
        /// Is it so small that each access is moved as whole vectors by itself?
        near: bool,
    },
    /// A step of so many bytes, in which lie the lane's own elements, one for each iteration of a loop:
    /// whole vectors of them are read or written at once.
    Run {
        /// In bytes; `None` if only the launch knows.
        step: Option<i64>,
    },
    /// A constant number of bytes, which comes to few elements: wide code moves whole vectors.
    Near {
        /// The step in bytes.
        step: i64,
        /// The same in elements.
        elements: i64,
    },
    /// A constant number of bytes.
    Step(i64),
    /// Arbitrary.
    Each,
}

/// When an access is known to be in range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundsKnowledge {
    /// Always: it is proved, or a mask guards it.
    Known,
    /// Checked once, before a loop.
    Before,
    /// Checked on each execution, once for all lanes.
    Asked,
}

/// The vectorised share of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// The kernel as a whole and its loops: those that are vectorised.
    pub lanes: u32,
    /// All of them.
    pub parts: u32,
}

impl Share {
    /// The sum of both.
    pub fn and(self, other: Share) -> Share {
        Share { lanes: self.lanes + other.lanes, parts: self.parts + other.parts }
    }

    /// In percent; an empty share is 100.
    pub fn percent(self) -> f64 {
        if self.parts == 0 { 100.0 } else { f64::from(self.lanes) * 100.0 / f64::from(self.parts) }
    }
}

/// Reports on a lane program of a kernel.
pub fn report(kernel: &Checked<Kernel>, program: &LaneProgram) -> KernelReport {
    with_levels(program.body.depth(), || report_of(kernel, program))
}

fn report_of(kernel: &Checked<Kernel>, program: &LaneProgram) -> KernelReport {
    let mut findings = access::accesses(program);
    // At width 1 every branch is uniform.
    if program.width > 1 {
        findings.extend(program.notes.iter().map(|&(pos, note)| {
            let what = match note {
                Note::Branch(how) => PlaceOutcome::Branch(how),
                Note::Loop(how) => PlaceOutcome::Loop(how),
                Note::Unrolled => PlaceOutcome::Unrolled,
            };
            PlaceFinding { pos, what }
        }));
    }
    let promoted = kernel.tile_vars().iter().filter(|_| program.promoted);
    findings.extend(promoted.map(|var| PlaceFinding { pos: var.pos, what: PlaceOutcome::Promoted }));
    findings.extend(program.rows.map(|rows| PlaceFinding { pos: rows.pos, what: PlaceOutcome::Rows(rows.count) }));
    findings.extend(sums::sums(kernel.inlined()).into_iter().map(|pos| PlaceFinding { pos, what: PlaceOutcome::Sum }));
    findings.retain(|finding| finding.pos.is_known());
    findings.sort_by_key(|finding| finding.pos.key());
    // A function that is called twice is reported once.
    findings.dedup_by(|b, a| a.pos.key() == b.pos.key() && a.what == b.what);
    KernelReport { width: program.width, form: None, findings, costs: costs::costs(program) }
}

impl KernelReport {
    /// The vectorised share of the kernel.
    pub fn share(&self) -> Share {
        let is_loop = |what: &PlaceOutcome| matches!(what, PlaceOutcome::Loop(_) | PlaceOutcome::Unrolled);
        let loops = self.findings.iter().filter(|finding| is_loop(&finding.what)).count() as u32;
        let parts = loops + 1;
        Share { lanes: if self.width > 1 { parts } else { 0 }, parts }
    }

    /// The number of accesses that are scalarised.
    pub fn one_by_one(&self) -> usize {
        let slow = |access: &ReportedAccess, way: &LaneStride| match way {
            LaneStride::One | LaneStride::Side => false,
            LaneStride::Run { .. } => !self.moves_runs(),
            LaneStride::Rows { elements, near, .. } => !self.moves_rows(access.kind, *elements, *near),
            LaneStride::Near { elements, .. } => !self.moves_vectors(access.kind, *elements),
            LaneStride::Step(_) | LaneStride::Each => true,
        };
        let one_by_one = |access: &&ReportedAccess| {
            let in_blocks = access.ways.iter().any(|way| self.is_run(way));
            access.kind == AccessKind::Atomic || !in_blocks && access.ways.iter().any(|way| slow(access, way))
        };
        self.accesses().filter(one_by_one).count()
    }

    /// Are lanes a few elements apart moved as whole vectors?
    fn moves_vectors(&self, kind: AccessKind, elements: i64) -> bool {
        match (self.form, kind) {
            (Some(CodeForm::Avx512), AccessKind::Load | AccessKind::Store)
            | (Some(CodeForm::Avx2), AccessKind::Load) => true,
            (Some(CodeForm::Avx2), AccessKind::Store) => elements == -1,
            (Some(CodeForm::Cranelift) | None, _)
            | (Some(_), AccessKind::Copy | AccessKind::Atomic | AccessKind::CombinedAtomic) => false,
        }
    }

    /// Are whole vectors of lanes' own runs moved, in blocks of iterations?
    fn is_run(&self, way: &LaneStride) -> bool {
        matches!(way, LaneStride::Run { .. }) && self.moves_runs()
    }

    /// Are parts of lanes' own runs moved as whole vectors?
    fn moves_runs(&self) -> bool {
        matches!(self.form, Some(CodeForm::Avx2 | CodeForm::Avx512))
    }

    /// Are lanes of whole rows moved as whole vectors, or alone?
    fn moves_rows(&self, kind: AccessKind, elements: i64, near: bool) -> bool {
        self.form.is_some_and(|form| moves_rows(form, elements as usize)) || near && self.moves_vectors(kind, elements)
    }

    /// All accesses.
    pub fn accesses(&self) -> impl Iterator<Item = &ReportedAccess> {
        self.findings.iter().filter_map(|finding| match &finding.what {
            PlaceOutcome::Access(access) => Some(access),
            _ => None,
        })
    }
}
