//! [`Outcome`]: the result of a launch that started.

use super::{CheckReport, Divergence};
use crate::pos::Pos;

/// The result of a launch that started.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Lines printed by kernels, sorted by thread and program order.
    pub printed: Vec<Printed>,
    /// Bytes of output lost beyond [`MAX_PRINTED`]; the end of a line counts as one.
    pub lost: u64,
    /// Instructions executed, summed over all threads; 0 on targets that do not count. The page of
    /// the interpreter defines the count.
    pub instructions: u64,
    /// Findings of the checks, in the order of detection; only the reference accelerator checks,
    /// and only on request.
    pub reports: Vec<CheckReport>,
    /// Findings beyond the limit on reports; each occurrence counts.
    pub more_reports: u64,
}

/// Limit on the bytes of output that a launch keeps: the beginning of the output in its final
/// order.
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
    /// Every thread ran to its end.
    Completed,
    /// `error` or `abort` ended at least one thread; the others ran to their end.
    Failed {
        /// Linear index of the lowest such thread.
        thread: u64,
        /// Its message; `None` for `abort`.
        message: Option<String>,
        /// Position of the `error` or `abort`.
        pos: Pos,
        /// Number of other threads that ended the same way.
        others: u64,
    },
    /// The threads of a tile did not arrive at the same barrier, which ended the launch: other
    /// tiles may not have run.
    BarrierDivergence(Divergence),
    /// The limit on instructions was reached. Views hold everything written until then.
    OutOfFuel {
        /// The limit.
        fuel: u64,
    },
    /// The caller interrupted the launch, for example by a time limit or a cancellation. Views hold
    /// everything written until then.
    Interrupted,
    /// The first report ended the launch, as requested: [`Outcome::reports`] has it. Views hold
    /// everything written until then.
    Stopped,
    /// The target itself needed memory that the system did not have, for example for its checks.
    /// Views hold everything written until then.
    OutOfMemory {
        /// Bytes that there was no room for.
        bytes: u64,
    },
}
