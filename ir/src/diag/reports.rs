//! The list of diagnostics under collection. It bounds the number kept and the number shown,
//! however many errors a text has.

use std::collections::BTreeSet;

use super::{Code, Diagnostic, Severity};

/// Limit on the diagnostics kept, among which the first ones in source order are chosen.
const MAX_KEPT: usize = 1000;

/// Limit on the diagnostics shown: a text in another language should not produce thousands.
pub(crate) const MAX_SHOWN: usize = 60;

/// Diagnostics in order of detection. The first [`MAX_KEPT`] are kept, the others only counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagnosticList {
    kept: Vec<Diagnostic>,
    dropped: usize,
    /// The codes of all diagnostics, including those not kept.
    codes: BTreeSet<Code>,
}

impl DiagnosticList {
    /// Adds one diagnostic.
    pub(crate) fn push(&mut self, report: Diagnostic) {
        self.codes.insert(report.code);
        if self.kept.len() < MAX_KEPT {
            self.kept.push(report);
        } else {
            self.dropped += 1;
        }
    }

    /// Appends another list.
    pub(crate) fn append(&mut self, other: DiagnosticList) {
        self.dropped += other.dropped;
        self.codes.extend(&other.codes);
        other.kept.into_iter().for_each(|report| self.push(report));
    }

    /// Whether the list is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether further diagnostics are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= MAX_KEPT
    }

    /// Whether this rule was broken.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.codes.contains(&code)
    }

    /// The kept diagnostics, and the number of the others.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, usize) {
        (self.kept, self.dropped)
    }
}

impl Extend<Diagnostic> for DiagnosticList {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, reports: T) {
        reports.into_iter().for_each(|report| self.push(report));
    }
}

/// Truncates a list to the diagnostics that are shown; the last one states how many more there are,
/// including the `dropped` ones.
pub(crate) fn cut(reports: &mut Vec<Diagnostic>, dropped: usize) {
    let more = reports.len().saturating_sub(MAX_SHOWN) + dropped;
    reports.truncate(MAX_SHOWN);
    let Some(last) = reports.last_mut() else { return };
    let word = match last.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    last.notes.extend(match more {
        0 => None,
        1 => Some(format!("1 more {word} is not shown")),
        more => Some(format!("{more} more {word}s are not shown")),
    });
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
