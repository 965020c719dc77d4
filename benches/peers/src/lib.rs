//! The baseline of Tilewise's benchmarks: their work in plain Rust with rayon, without Tilewise, so
//! that it builds in seconds with other compiler flags.
//!
//! [`PeerWork`] lists the work, with the sizes that published figures are for; [`input`] makes the
//! data that all contestants get; [`plain`] does the work; [`pool`] provides the workers; [`time`]
//! measures. The program of this package prints a line for each work, like the other programs that
//! the harness in `benches` starts.

pub mod input;
pub mod output;
pub mod plain;
pub mod pool;
pub mod time;
mod work;

pub use output::{Mismatch, PeerOutput};
pub use work::{PeerWork, Tolerance};

/// Work that is ready to run: its memory is allocated and holds the inputs.
pub trait PreparedWork: Send {
    /// Restores inputs that a run has changed.
    ///
    /// # Errors
    /// The error message.
    fn restore(&mut self) -> Result<(), String>;

    /// Does the work once. This is timed.
    ///
    /// # Errors
    /// The error message.
    fn run(&mut self) -> Result<(), String>;

    /// The result.
    ///
    /// # Errors
    /// The error message.
    fn output(&self) -> Result<PeerOutput, String>;
}
