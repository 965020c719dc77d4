//! [`Outcome`]: what a launch came to that began.

use super::{CheckReport, Divergence};
use crate::pos::Pos;

/// What a launch that began came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What kernels printed, sorted by thread and program order.
    pub printed: Vec<Printed>,
    /// Bytes of output beyond [`MAX_PRINTED`] that were lost, a line's end counted as one.
    pub lost: u64,
    /// Instructions executed, counted over all threads; targets that do not count say 0.
    /// The page of the interpreter says what it counts.
    pub instructions: u64,
    /// What the checks found, in the order in which it was found; only the reference accelerator
    /// checks, and only when asked.
    pub reports: Vec<CheckReport>,
    /// Findings beyond the limit on reports, each occurrence counted.
    pub more_reports: u64,
}

/// Bytes of output that a launch keeps: the beginning of the output in its final order.
pub const MAX_PRINTED: usize = 1 << 20;

/// One line of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Linear index of the thread.
    pub thread: u64,
    /// The line.
    pub text: String,
}

/// How a launch ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// Every thread came to its end.
    Completed,
    /// `error` or `abort` ended at least one thread; the others went on to their end.
    Failed {
        /// Linear index of the lowest such thread.
        thread: u64,
        /// Its message; nothing for `abort`.
        message: Option<String>,
        /// Where it stands.
        pos: Pos,
        /// Number of other threads that ended so.
        others: u64,
    },
    /// The threads of a tile did not meet at one barrier. This ended the launch: other tiles may
    /// not have run.
    BarrierDivergence(Divergence),
    /// The limit on instructions was reached. Views hold what was written until then.
    OutOfFuel {
        /// The limit.
        fuel: u64,
    },
    /// Whoever asked for the launch wanted it to end: a time limit passed, it was cancelled. Views
    /// hold what was written until then.
    Interrupted,
    /// The launch was to end with the first report, and did: [`Outcome::reports`] has it. Views
    /// hold what was written until then.
    Stopped,
}
