//! The **sweep**: every row of the op table at every scalar and width, and every atomic operation, on
//! every target, judged by an independent oracle.
//!
//! The cells ([`cells`]) come from the table itself, so a new row is swept from its first day. A cell
//! is a few kernels, each with many uses of the row: operands from memory, captured, and literals,
//! also mixed; in a line of threads that ends in the middle of a vector, in rows of 67 threads, in
//! tiles of 32 and of 27 threads. Operands are all pairs of edge values and seeded random values; how
//! many is the [`SweepLevel`]. Outputs hold a pattern before the launch, so that an element that was
//! not written shows.
//!
//! The expected results are those of [`oracle`]: arithmetic on `i128`, a soft-float on
//! integer significands, loops over single bits. They share no code with the table, the interpreter
//! or a compiler. Every row has such an oracle; a test holds that.
//!
//! | module | contents |
//! |---|---|
//! | `cells` | the list of cells |
//! | `values` | operands and literals |
//! | `forms` | the uses of a row in its kernels |
//! | `program` | a kernel: text, memory, comparison |
//! | `atomic` | cells of atomic operations |
//! | `run` | the launches of a cell, and its verdict |
//! | `exhaustive` | all values of small operands, and all 2^32 of an `f32` |
//! | `level` | how much runs; the file from which a long run continues |
//! | `oracle` | the oracles |

mod atomic;
mod cells;
mod exhaustive;
mod forms;
mod level;
mod oracle;
mod program;
mod run;
#[cfg(test)]
mod tests;
mod values;

pub use cells::{CellKind, SweepCell, SweptAtomic, cells};
pub use level::{ResumeFile, SweepLevel, SweepRun};
pub use run::judge_cell;
pub(crate) use run::judge_cell_by;

/// The group of all cells in reports.
pub const GROUP: &str = "sweep";
