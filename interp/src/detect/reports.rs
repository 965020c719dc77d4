//! Collects reports: each finding once, up to a limit, with a count of repetitions.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use super::arithmetic::ArithmeticRule;
use tilewise_ir::launch::{CheckReport, Finding, MemoryAct, Touch};
use tilewise_ir::pos::Pos;

/// The findings so far.
#[derive(Default)]
pub(super) struct ReportList {
    list: Vec<CheckReport>,
    limit: usize,
    more: u64,
    seen: HashMap<ReportKey, usize>,
    /// For each operation on numbers that was asked about: is what it does meant so? The answer takes the text of a
    /// file, and an operation may slip in each of a million threads.
    meant: HashMap<(ReportKey, Discriminant<ArithmeticRule>), bool>,
}

/// The identity of a report: kind and places. Positions compare equal by design, so the key has
/// their parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ReportKey {
    kind: u8,
    places: [(u32, u32, u32, u32, MemoryAct); 2],
}

impl ReportKey {
    /// The key of a finding at one place, or at two in either order.
    pub(super) fn new(kind: FindingKind, place: (Pos, MemoryAct), other: Option<(Pos, MemoryAct)>) -> ReportKey {
        let flat = |(pos, did): (Pos, MemoryAct)| (pos.source, pos.line, pos.column, pos.length, did);
        let mut places = [flat(place), flat(other.unwrap_or(place))];
        places.sort_unstable();
        ReportKey { kind: kind as u8, places }
    }
}

/// The kinds of [`Finding`].
#[derive(Clone, Copy)]
pub(super) enum FindingKind {
    OutOfRange,
    RaceInTile,
    RaceOfTiles,
    ReadBeforeWrite,
    NotWithin,
    Misaligned,
    DivisionByZero,
    Overflow,
    Shift,
    LossyConversion,
}

impl ReportList {
    pub(super) fn new(limit: usize) -> ReportList {
        ReportList { limit, ..ReportList::default() }
    }

    /// Adds a finding; builds the report only if it is new.
    pub(super) fn add(&mut self, key: ReportKey, report: impl FnOnce() -> CheckReport) {
        if let Some(&i) = self.seen.get(&key) {
            self.list[i].again += 1;
        } else if self.list.len() < self.limit {
            self.seen.insert(key, self.list.len());
            self.list.push(report());
        } else {
            self.more += 1;
        }
    }

    /// Whether an operation means what it does; asks once for each.
    pub(super) fn is_meant(&mut self, key: ReportKey, rule: ArithmeticRule, ask: impl FnOnce() -> bool) -> bool {
        *self.meant.entry((key, discriminant(&rule))).or_insert_with(ask)
    }

    /// Whether there is already a report of this finding.
    pub(super) fn has(&self, key: ReportKey) -> bool {
        self.seen.contains_key(&key)
    }

    pub(super) fn any(&self) -> bool {
        self.more > 0 || !self.list.is_empty()
    }

    /// The reports, and the number of findings beyond the limit.
    pub(super) fn finish(self) -> (Vec<CheckReport>, u64) {
        (self.list, self.more)
    }
}

/// A report of a new finding.
pub(super) fn first_report(finding: Finding, access: Touch) -> CheckReport {
    CheckReport { finding, access, again: 0 }
}
