//! Reports that are being gathered. However much is wrong with a text, what is kept and what is shown is
//! bounded.

use std::collections::BTreeSet;

use super::{Code, Diagnostic};

/// Reports that are kept, so that those which stand first in the source can be chosen among them.
const MAX_KEPT: usize = 1000;

/// Reports that are shown: a text of another language should not give thousands.
pub(crate) const MAX_SHOWN: usize = 60;

/// Reports in the order in which they are found. The first thousand are kept, the others counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagnosticList {
    kept: Vec<Diagnostic>,
    dropped: usize,
    /// The codes of all of them.
    codes: BTreeSet<Code>,
}

impl DiagnosticList {
    /// Adds one.
    pub(crate) fn push(&mut self, report: Diagnostic) {
        self.codes.insert(report.code);
        if self.kept.len() < MAX_KEPT {
            self.kept.push(report);
        } else {
            self.dropped += 1;
        }
    }

    /// Adds all of another list.
    pub(crate) fn append(&mut self, other: DiagnosticList) {
        self.dropped += other.dropped;
        self.codes.extend(&other.codes);
        other.kept.into_iter().for_each(|report| self.push(report));
    }

    /// Were there none?
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Are no more kept?
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= MAX_KEPT
    }

    /// Was this rule broken?
    pub(crate) fn has(&self, code: Code) -> bool {
        self.codes.contains(&code)
    }

    /// Those that are kept, and how many more there were.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.kept, self.dropped)
    }
}

impl Extend<Diagnostic> for DiagnosticList {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, reports: T) {
        reports.into_iter().for_each(|report| self.push(report));
    }
}

/// Leaves the first reports of a list, as many as are shown; the last of them says how many more there
/// are, `dropped` ones among them.
pub(crate) fn cut(reports: &mut Vec<Diagnostic>, dropped: usize) {
    let more = reports.len().saturating_sub(MAX_SHOWN) + dropped;
    reports.truncate(MAX_SHOWN);
    let note = match more {
        0 => return,
        1 => "1 more error is not shown".to_owned(),
        more => format!("{more} more errors are not shown"),
    };
    if let Some(last) = reports.last_mut() {
        last.notes.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_kept_is_counted() {
        let mut all = DiagnosticList::default();
        let one = || Diagnostic::new(Code::K0001, "wrong");
        let mut others = DiagnosticList::default();
        others.extend((0..1500).map(|_| one()));
        all.push(one());
        others.push(Diagnostic::new(Code::K0002, "also wrong"));
        all.append(others);
        assert!(all.has(Code::K0001) && all.has(Code::K0002) && !all.has(Code::K0003));
        let (mut kept, dropped) = all.into_parts();
        assert_eq!((kept.len(), dropped), (1000, 502));
        cut(&mut kept, dropped);
        assert_eq!(kept.len(), 60);
        assert_eq!(kept[59].notes, ["1442 more errors are not shown"]);
        let mut few = vec![one(); 60];
        cut(&mut few, 0);
        assert!(few.iter().all(|report| report.notes.is_empty()));
    }
}
