//! Output of threads: printed lines, and the messages of failed threads. The collected output does
//! not depend on the order in which threads ran.

use std::collections::BTreeMap;

use super::{Ending, MAX_PRINTED, Outcome, Printed};
use crate::pos::Pos;

/// Collects printed lines and failed threads. `P` is a target's representation of a source
/// position.
#[derive(Debug)]
pub struct OutputCollector<P = Pos> {
    /// Keyed by thread, then program order.
    lines: BTreeMap<(u64, u64), String>,
    /// Number of lines so far; gives program order within a thread.
    count: u64,
    /// Bytes kept and lost; the end of a line counts as one.
    kept: u64,
    lost: u64,
    /// The lowest line that was lost. No later line is kept, so that the kept lines are the
    /// beginning of all output in its final order.
    cut: Option<(u64, u64)>,
    failed: Option<FailedThreads<P>>,
}

/// The threads that ended with `error` or `abort`.
#[derive(Clone, PartialEq, Debug)]
pub struct FailedThreads<P = Pos> {
    /// Linear index of the lowest.
    pub thread: u64,
    /// Its message; `None` for `abort`.
    pub message: Option<String>,
    /// Position of the `error` or `abort`.
    pub pos: P,
    /// Number of other threads that ended the same way.
    pub others: u64,
}

impl<P> Default for OutputCollector<P> {
    fn default() -> Self {
        OutputCollector { lines: BTreeMap::new(), count: 0, kept: 0, lost: 0, cut: None, failed: None }
    }
}

impl<P> OutputCollector<P> {
    /// Adds a line.
    pub fn print(&mut self, thread: u64, text: String) {
        let key = (thread, self.count);
        self.count += 1;
        let bytes = |text: &str| text.len() as u64 + 1;
        if self.cut.is_some_and(|cut| key > cut) {
            self.lost += bytes(&text);
            return;
        }
        self.kept += bytes(&text);
        self.lines.insert(key, text);
        while self.kept > MAX_PRINTED as u64
            && let Some((key, text)) = self.lines.pop_last()
        {
            self.kept -= bytes(&text);
            self.lost += bytes(&text);
            self.cut = Some(key);
        }
    }

    /// Records a failed thread; `message` is `None` for `abort`.
    pub fn fail(&mut self, thread: u64, message: Option<String>, pos: P) {
        match &mut self.failed {
            Some(failed) if failed.thread < thread => failed.others += 1,
            Some(failed) => *failed = FailedThreads { thread, message, pos, others: failed.others + 1 },
            None => self.failed = Some(FailedThreads { thread, message, pos, others: 0 }),
        }
    }

    /// Adds `count` failed threads, none of them the lowest, so only their number matters.
    pub fn others_fail(&mut self, count: u64) {
        if let Some(failed) = &mut self.failed {
            failed.others += count;
        }
    }

    /// Drops the lines of threads for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        self.lines.retain(|&(thread, _), _| keep(thread));
    }

    /// The lines in their final order, how many bytes were lost, and the threads that failed.
    pub fn finish(self) -> (Vec<Printed>, u64, Option<FailedThreads<P>>) {
        let lines = self.lines.into_iter().map(|((thread, _), text)| Printed { thread, text }).collect();
        (lines, self.lost, self.failed)
    }
}

impl OutputCollector {
    /// The outcome of the launch. Failed threads are reported only if the other threads ran to
    /// their end.
    pub fn outcome(self, ending: Ending, instructions: u64) -> Outcome {
        let (printed, lost, failed) = self.finish();
        let ending = match (ending, failed) {
            (Ending::Completed, Some(FailedThreads { thread, message, pos, others })) => {
                Ending::Failed { thread, message, pos, others }
            }
            (ending, _) => ending,
        };
        Outcome { ending, printed, lost, instructions, reports: Vec::new(), more_reports: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_all_output_is_kept_whatever_the_order() {
        let lines: Vec<(u64, usize)> = vec![(0, 400_000), (1, 500_000), (2, 200_000), (3, 10), (4, 700_000), (5, 0)];
        let gather = |order: &[usize]| {
            let mut output: OutputCollector = OutputCollector::default();
            order.iter().for_each(|&i| output.print(lines[i].0, "x".repeat(lines[i].1)));
            let outcome = output.outcome(Ending::Completed, 0);
            let threads: Vec<u64> = outcome.printed.iter().map(|line| line.thread).collect();
            (threads, outcome.lost)
        };
        let expected = (vec![0, 1], 900_010 + 4);
        for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 5, 0, 4, 1, 2], [2, 3, 4, 0, 5, 1]] {
            assert_eq!(gather(&order), expected);
        }
    }
}
