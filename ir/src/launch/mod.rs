//! What every target takes and gives: plain data.
//!
//! A launch is a checked kernel, a [`Domain`] to run it over, the [`Memory`] it works in and an [`Argument`] for each parameter; it ends in an
//! [`Outcome`], or is refused with a [`Refusal`] before anything has run.

mod output;
mod place;
mod ranges;
mod report;
mod say;

pub use output::{Failed, Output};
pub use place::{Lent, Place};
pub use ranges::Ranges;
pub use report::{Cut, Did, Finding, OutOf, Report, Touch, Where};

use crate::check::Checked;
use crate::kernel::{Kernel, ParamKind};
use crate::limits;
use crate::pos::Pos;
use crate::types::{Access, round_up};

/// The indices a kernel runs over: a size for each dimension, the most significant first. The tile belongs to the kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    /// One component for each dimension.
    pub extent: Vec<i32>,
}

impl Domain {
    /// A domain of this extent.
    pub fn new(extent: impl Into<Vec<i32>>) -> Domain {
        Domain { extent: extent.into() }
    }

    /// Number of threads; right only for a domain that [`Domain::check`] accepts.
    pub fn threads(&self) -> u64 {
        self.extent.iter().map(|&e| e.max(0) as u64).product()
    }

    /// May `kernel` be launched over this domain? The error is the text of an `InvalidComputeDomain`.
    pub fn check(&self, kernel: &Kernel) -> Result<(), Refusal> {
        let refuse = |text: String| Err(Refusal::InvalidComputeDomain(text));
        if self.extent.len() != kernel.rank() as usize {
            let (have, want) = (self.extent.len(), kernel.rank());
            return refuse(format!(
                "the kernel `{}` runs over domains of rank {want}, this one has rank {have}",
                kernel.name()
            ));
        }
        let mut threads: u64 = 1;
        for (d, &e) in self.extent.iter().enumerate() {
            if e <= 0 {
                return refuse(format!("dimension {d} of the domain is {e}; every dimension must be at least 1"));
            }
            threads = threads.saturating_mul(e as u64);
        }
        if threads > limits::MAX_THREADS {
            return refuse(format!(
                "the domain has {threads} threads or more; at most {} are possible",
                limits::MAX_THREADS
            ));
        }
        for (d, (&e, &t)) in self.extent.iter().zip(kernel.tile().unwrap_or(&[])).enumerate() {
            if !(e as u32).is_multiple_of(t.max(1)) {
                return refuse(format!("dimension {d} of the domain is {e}, which the tile's {t} does not divide"));
            }
        }
        Ok(())
    }
}

/// The memory a launch works in: pieces of bytes that views and buffers point into. Views that share a piece may overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The pieces.
    pub pieces: Vec<Vec<u8>>,
    /// For each piece, is it **fresh**: allocated and never written? What it holds counts (zeros, as a rule), but the reference accelerator reports a read of
    /// bytes that the launch has not written yet. Pieces beyond the end of the list are not.
    pub fresh: Vec<bool>,
}

impl Memory {
    /// Memory of these pieces, none of them fresh.
    pub fn new(pieces: Vec<Vec<u8>>) -> Memory {
        Memory { pieces, fresh: Vec::new() }
    }

    /// The pieces, to work in.
    pub fn places(&mut self) -> Vec<Place<'_>> {
        let fresh = |i: usize| self.fresh.get(i) == Some(&true);
        let pieces = self.pieces.iter_mut().enumerate();
        pieces.map(|(i, piece)| Place::new(piece.len() as u64, vec![(0, Lent::Write(piece))], fresh(i))).collect()
    }
}

/// What is bound to one parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// For a view.
    View(ViewArgument),
    /// For a buffer: `size` bytes of a piece from `offset`.
    Buffer {
        /// Which piece of [`Memory`].
        piece: usize,
        /// First byte.
        offset: u64,
        /// Number of bytes.
        size: u64,
    },
    /// For a uniform: the bytes of its type.
    Uniform(Vec<u8>),
}

/// A view that a launch binds: element `(i0, i1, ..)` is at byte `offset + (i0 * strides[0] + i1 * strides[1] + ..) * element size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewArgument {
    /// Which piece of [`Memory`].
    pub piece: usize,
    /// Byte of the first element.
    pub offset: u64,
    /// Size of each dimension, none negative.
    pub extent: Vec<i32>,
    /// Elements from one index to the next in each dimension, none negative.
    pub strides: Vec<u64>,
}

impl ViewArgument {
    /// A view of a whole piece, row-major and without gaps.
    pub fn dense(piece: usize, extent: &[i32]) -> ViewArgument {
        let mut strides = vec![1; extent.len()];
        for d in (1..extent.len()).rev() {
            strides[d - 1] = strides[d] * extent[d].max(0) as u64;
        }
        ViewArgument { piece, offset: 0, extent: extent.to_vec(), strides }
    }
}

/// Why a launch did not begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The domain is wrong for the kernel.
    InvalidComputeDomain(String),
    /// An argument does not fit its parameter.
    BadArgument(String),
    /// The target cannot run this kernel: the reason.
    Unsupported(String),
    /// The target should, and what it hands the kernel to, such as a driver, fails: what that says.
    Driver(String),
}

impl Refusal {
    /// The reason, as a sentence.
    pub fn text(&self) -> &str {
        match self {
            Refusal::InvalidComputeDomain(text)
            | Refusal::BadArgument(text)
            | Refusal::Unsupported(text)
            | Refusal::Driver(text) => text,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Refusal {}

/// Do the arguments fit the kernel's parameters and lie within the memory?
pub fn check_arguments(kernel: &Checked<Kernel>, memory: &Memory, arguments: &[Argument]) -> Result<(), Refusal> {
    check_places(kernel, |piece| memory.pieces.get(piece).map(|bytes| bytes.len() as u64), arguments)
}

/// Do the arguments fit the kernel's parameters and lie within memory whose pieces have these sizes, wherever it is?
pub fn check_places(
    kernel: &Checked<Kernel>,
    piece_size: impl Fn(usize) -> Option<u64>,
    arguments: &[Argument],
) -> Result<(), Refusal> {
    let bad = |text: String| Err(Refusal::BadArgument(text));
    if arguments.len() != kernel.params().len() {
        return bad(format!(
            "the kernel `{}` has {} parameters, {} were bound",
            kernel.name(),
            kernel.params().len(),
            arguments.len()
        ));
    }
    for ((param, argument), &atomic) in kernel.params().iter().zip(arguments).zip(kernel.atomic_sizes()) {
        let name = &param.name;
        match (param.kind, argument) {
            (ParamKind::View(ty), Argument::View(view)) => {
                if view.extent.len() != ty.rank as usize || view.strides.len() != ty.rank as usize {
                    return bad(format!(
                        "`{name}` is a view of rank {}, the one bound has rank {}",
                        ty.rank,
                        view.extent.len()
                    ));
                }
                if let Some(e) = view.extent.iter().find(|&&e| e < 0) {
                    return bad(format!("`{name}`: an extent of {e} is negative"));
                }
                let Some(have) = piece_size(view.piece) else {
                    return bad(format!("`{name}` lies in a piece of memory that the launch does not have"));
                };
                let size = round_up(kernel.types().size(ty.element), kernel.types().align(ty.element));
                if view.extent.iter().all(|&e| e > 0) {
                    let last = view
                        .extent
                        .iter()
                        .zip(&view.strides)
                        .try_fold(0u64, |sum, (&e, &s)| sum.checked_add((e as u64 - 1).checked_mul(s)?));
                    let end = last.and_then(|last| last.checked_add(1)?.checked_mul(size)?.checked_add(view.offset));
                    if end.is_none_or(|end| end > have) {
                        return bad(format!("`{name}` reaches beyond the {have} bytes of its memory"));
                    }
                    check_begin(name, view.offset, atomic)?;
                }
            }
            (ParamKind::Buffer { ty, .. }, Argument::Buffer { piece, offset, size }) => {
                let Some(have) = piece_size(*piece) else {
                    return bad(format!("`{name}` lies in a piece of memory that the launch does not have"));
                };
                if offset.checked_add(*size).is_none_or(|end| end > have) {
                    return bad(format!("`{name}` reaches beyond the {have} bytes of its memory"));
                }
                let need = kernel.types().size(ty);
                if *size < need {
                    return bad(format!("`{name}` needs at least {need} bytes, {size} were bound"));
                }
                if *size > 0 {
                    check_begin(name, *offset, atomic)?;
                }
            }
            (ParamKind::Uniform(ty), Argument::Uniform(bytes)) => {
                let need = kernel.types().size(ty);
                if bytes.len() as u64 != need {
                    return bad(format!("`{name}` takes {need} bytes, {} were given", bytes.len()));
                }
            }
            (ParamKind::View(_), _) => return bad(format!("`{name}` is a view, and something else was bound to it")),
            (ParamKind::Buffer { .. }, _) => {
                return bad(format!("`{name}` is a buffer, and something else was bound to it"));
            }
            (ParamKind::Uniform(_), _) => {
                return bad(format!("`{name}` is a value, and something else was bound to it"));
            }
        }
    }
    Ok(())
}

/// May a view or buffer begin at this byte of its memory, if atomic operations on scalars of up to `atomic` bytes change it?
/// 0 stands for none.
pub fn check_begin(name: &str, offset: u64, atomic: u32) -> Result<(), Refusal> {
    if atomic == 0 || offset.is_multiple_of(atomic.into()) {
        return Ok(());
    }
    Err(Refusal::BadArgument(format!(
        "`{name}` begins at byte {offset} of its memory: what is changed by atomic operations on {atomic} bytes begins at a multiple of {atomic}"
    )))
}

/// Can the launch write through this parameter?
pub fn writes(kind: ParamKind) -> bool {
    match kind {
        ParamKind::View(view) => view.access == Access::ReadWrite,
        ParamKind::Buffer { access, .. } => access == Access::ReadWrite,
        ParamKind::Uniform(_) => false,
    }
}

/// What a launch that began came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What kernels printed, sorted by thread and program order.
    pub printed: Vec<Printed>,
    /// Bytes of output beyond [`MAX_PRINTED`] that were lost, a line's end counted as one.
    pub lost: u64,
    /// Instructions executed, counted over all threads; targets that do not count say 0. [`interp`](crate::interp) says what it counts.
    pub instructions: u64,
    /// What the checks found, in the order in which it was found; only the reference accelerator checks, and only when asked.
    pub reports: Vec<Report>,
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
    /// The threads of a tile did not meet at one barrier. This ended the launch: other tiles may not have run.
    BarrierDivergence(Divergence),
    /// The limit on instructions was reached. Views hold what was written until then.
    OutOfFuel {
        /// The limit.
        fuel: u64,
    },
    /// Whoever asked for the launch wanted it to end: a time limit passed, it was cancelled. Views hold what was written until then.
    Interrupted,
    /// The launch was to end with the first report, and did: [`Outcome::reports`] has it. Views hold what was written until then.
    Stopped,
}

/// Threads of one tile that went different ways where all must meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Divergence {
    /// Position of the tile.
    pub tile: Vec<i32>,
    /// The sides, the one with the lowest thread first; at least two.
    pub sides: Vec<Side>,
}

/// Threads that went one way.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    /// What they did.
    pub did: Arrival,
    /// Where: the barrier, or the `return`; the end of the kernel has no position.
    pub pos: Pos,
    /// Their linear indices in the tile.
    pub threads: Vec<u32>,
}

/// What threads did while others arrived at a barrier.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arrival {
    /// Arrived at a barrier, in these rounds of the loops around it, the outermost first, counted from 0.
    Barrier {
        /// Rounds.
        rounds: Vec<u64>,
    },
    /// Came to the end of the kernel.
    Returned,
}
