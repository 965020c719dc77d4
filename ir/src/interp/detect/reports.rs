//! Gathers reports: each finding once, up to a limit, with a count of how often it came up.

use std::collections::HashMap;

use crate::launch::{Did, Finding, Report};
use crate::pos::Pos;

/// What was found so far.
#[derive(Default)]
pub(super) struct Reports {
    list: Vec<Report>,
    limit: usize,
    more: u64,
    seen: HashMap<Key, usize>,
}

/// What makes two reports the same: kind and places. Positions compare equal by design, so they are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    kind: u8,
    places: [(u32, u32, u32, u32, Did); 2],
}

impl Key {
    /// The key of a finding of a kind at one place, or at two in any order.
    pub(super) fn new(kind: Kind, place: (Pos, Did), other: Option<(Pos, Did)>) -> Key {
        let flat = |(pos, did): (Pos, Did)| (pos.source, pos.line, pos.column, pos.length, did);
        let mut places = [flat(place), flat(other.unwrap_or(place))];
        places.sort_unstable();
        Key { kind: kind as u8, places }
    }
}

/// The kinds of [`Finding`].
#[derive(Clone, Copy)]
pub(super) enum Kind {
    OutOfRange,
    RaceInTile,
    RaceOfTiles,
    ReadBeforeWrite,
    NotWithin,
    Misaligned,
}

impl Reports {
    pub(super) fn new(limit: usize) -> Reports {
        Reports { limit, ..Reports::default() }
    }

    /// Takes a finding; it is put into words only if it is new.
    pub(super) fn add(&mut self, key: Key, report: impl FnOnce() -> Report) {
        if let Some(&i) = self.seen.get(&key) {
            self.list[i].again += 1;
        } else if self.list.len() < self.limit {
            self.seen.insert(key, self.list.len());
            self.list.push(report());
        } else {
            self.more += 1;
        }
    }

    pub(super) fn any(&self) -> bool {
        self.more > 0 || !self.list.is_empty()
    }

    /// The reports, and how many findings came beyond the limit.
    pub(super) fn finish(self) -> (Vec<Report>, u64) {
        (self.list, self.more)
    }
}

impl Report {
    /// A finding that came up for the first time.
    pub(super) fn found(finding: Finding, access: crate::launch::Touch) -> Report {
        Report { finding, access, again: 0 }
    }
}
