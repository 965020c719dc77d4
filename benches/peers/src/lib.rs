//! What Tilewise is measured against: the work of its benchmarks in plain Rust with rayon, without Tilewise, so that it builds in seconds with other flags of the compiler.
//!
//! [`PeerWork`] lists the work, with the sizes that published figures are for; [`input`] makes the data that all contestants get; [`plain`] does the work; [`pool`] is where; [`time`] measures.
//! The program of this package prints a line for each work, as the other programs do that the harness in `benches` starts.

pub mod input;
pub mod output;
pub mod plain;
pub mod pool;
pub mod time;
mod work;

pub use output::{Mismatch, PeerOutput};
pub use work::{PeerWork, Tolerance};

/// Work that is ready to run: its memory is there and holds the inputs.
pub trait PreparedWork: Send {
    /// Puts the inputs back where a run has changed them.
    ///
    /// # Errors
    /// What went wrong, for people.
    fn restore(&mut self) -> Result<(), String>;

    /// Does the work once. This is what is timed.
    ///
    /// # Errors
    /// What went wrong, for people.
    fn run(&mut self) -> Result<(), String>;

    /// What it has computed.
    ///
    /// # Errors
    /// What went wrong, for people.
    fn output(&self) -> Result<PeerOutput, String>;
}
