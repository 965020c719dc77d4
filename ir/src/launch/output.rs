//! What threads say: lines of output, and the messages that end them. Both are gathered so that the order in which threads ran cannot be seen.

use std::collections::BTreeMap;

use super::{Ending, MAX_PRINTED, Outcome, Printed};
use crate::pos::Pos;

/// What was said so far. `P` is how a target names a place of the source.
#[derive(Debug)]
pub struct OutputCollector<P = Pos> {
    /// By thread, then in the order of the program.
    lines: BTreeMap<(u64, u64), String>,
    /// Number of lines so far; within a thread, program order.
    count: u64,
    /// Bytes kept and lost; a line's end is one.
    kept: u64,
    lost: u64,
    /// The lowest line that was lost: none behind it is kept either, so that what is kept is the beginning of all output in its final order.
    cut: Option<(u64, u64)>,
    failed: Option<FailedThreads<P>>,
}

/// The threads that ended with `error` or `abort`.
#[derive(Clone, PartialEq, Debug)]
pub struct FailedThreads<P = Pos> {
    /// Linear index of the lowest.
    pub thread: u64,
    /// Its message; nothing for `abort`.
    pub message: Option<String>,
    /// Where it stands.
    pub pos: P,
    /// Number of other threads that ended so.
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

    /// Notes a thread's end; without a message for `abort`.
    pub fn fail(&mut self, thread: u64, message: Option<String>, pos: P) {
        match &mut self.failed {
            Some(failed) if failed.thread < thread => failed.others += 1,
            Some(failed) => *failed = FailedThreads { thread, message, pos, others: failed.others + 1 },
            None => self.failed = Some(FailedThreads { thread, message, pos, others: 0 }),
        }
    }

    /// So many more threads failed, none of them the lowest: of these only the number counts.
    pub fn others_fail(&mut self, count: u64) {
        if let Some(failed) = &mut self.failed {
            failed.others += count;
        }
    }

    /// Forgets the lines of other threads than these.
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
    /// What the launch came to. A failed thread is told only if the others came to their end.
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
