//! The vectorisation report: what became of each line of a kernel, for people who want it to be fast.
//!
//! [`report`] reads the lane program, whose nodes know their place in the source, and what [`vectorize`](crate::vectorize) noted of branches and loops
//! ([`LaneProgram::notes`]). `access` finds out about memory, `sums` about products that are added, `text` writes it.
//! It is about the lanes, so it is the same on all machines; what an operation costs on one is in the tables of `emit/op`.

mod access;
mod sums;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use text::snippet;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::pos::Pos;
use tilewise_ir::stack::with_levels;

use crate::lanes::{LaneControl, LaneProgram, Note};

/// What became of a kernel.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// Lanes.
    pub width: u32,
    /// By place in the source: source, line, column.
    pub findings: Vec<PlaceFinding>,
}

/// What became of a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceFinding {
    /// The place.
    pub pos: Pos,
    /// What became of it.
    pub what: PlaceOutcome,
}

/// What became of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceOutcome {
    /// An access to memory.
    Access(ReportedAccess),
    /// A branch.
    Branch(LaneControl),
    /// A loop.
    Loop(LaneControl),
    /// A product that is added to something: two roundings, where `mad` may take one.
    Sum,
}

/// An access to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedAccess {
    /// Which.
    pub kind: AccessKind,
    /// Where it goes from lane to lane: all ways that it usually takes, the best first.
    pub ways: Vec<LaneStride>,
    /// By a mask, at least in one of them?
    pub masked: bool,
    /// When it is seen to that it lies within its memory.
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
    /// Changes in one step.
    Atomic,
}

/// Where an access goes from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LaneStride {
    /// To one place for all lanes.
    One,
    /// Each lane to the element next to the last lane's.
    Side,
    /// Each lane so many bytes further.
    Step(i64),
    /// Anywhere.
    Each,
}

/// When it is seen to that an access lies within its memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundsKnowledge {
    /// Never: it is proven, or a mask has it.
    Known,
    /// Once before a loop.
    Before,
    /// Each time, once for all lanes.
    Asked,
}

/// How much of a kernel runs in lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// The kernel as a whole and its loops: those that run in lanes.
    pub lanes: u32,
    /// All of them.
    pub parts: u32,
}

impl Share {
    /// Both together.
    pub fn and(self, other: Share) -> Share {
        Share { lanes: self.lanes + other.lanes, parts: self.parts + other.parts }
    }

    /// In percent; all of nothing is 100.
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
    // One at a time, all lanes agree.
    if program.width > 1 {
        findings.extend(program.notes.iter().map(|&(pos, note)| {
            let what = match note {
                Note::Branch(how) => PlaceOutcome::Branch(how),
                Note::Loop(how) => PlaceOutcome::Loop(how),
            };
            PlaceFinding { pos, what }
        }));
    }
    findings.extend(sums::sums(kernel.inlined()).into_iter().map(|pos| PlaceFinding { pos, what: PlaceOutcome::Sum }));
    findings.retain(|finding| finding.pos.is_known());
    findings.sort_by_key(|finding| finding.pos.key());
    // A function that is called twice stands there once.
    findings.dedup_by(|b, a| a.pos.key() == b.pos.key() && a.what == b.what);
    KernelReport { width: program.width, findings }
}

impl KernelReport {
    /// How much of the kernel runs in lanes.
    pub fn share(&self) -> Share {
        let loops = self.findings.iter().filter(|finding| matches!(finding.what, PlaceOutcome::Loop(_))).count() as u32;
        let parts = loops + 1;
        Share { lanes: if self.width > 1 { parts } else { 0 }, parts }
    }

    /// The accesses whose lanes go one by one.
    pub fn one_by_one(&self) -> usize {
        let slow = |access: &ReportedAccess| {
            access.kind == AccessKind::Atomic
                || access.ways.iter().any(|way| matches!(way, LaneStride::Step(_) | LaneStride::Each))
        };
        self.accesses().filter(|access| slow(access)).count()
    }

    /// All accesses.
    pub fn accesses(&self) -> impl Iterator<Item = &ReportedAccess> {
        self.findings.iter().filter_map(|finding| match &finding.what {
            PlaceOutcome::Access(access) => Some(access),
            _ => None,
        })
    }
}
