//! Scripts of Amber on targets: each is judged by its `EXPECT` lines, and every target must leave the memory that
//! the reference leaves, bit for bit.
//!
//! The crate `tilewise-amber` reads scripts. Here [`program`] imports the shaders of the pipelines that run,
//! [`bind`] makes arguments of the buffers that a pipeline binds, [`mod@play`] runs a script once on one target, and
//! [`judge`] runs it on the reference and beside it on others, command by command; [`corpus`] makes an entry of a
//! report of it.
//!
//! # The order of threads
//! Scripts do not say whether what they compute depends on the order of threads. So the reference runs each in
//! three orders. From the first `RUN` on whose memory differs between them, or has races, a target that can keep
//! the order of the reference does so; one that cannot is judged by the expectations alone, if these hold in all
//! three orders, and is not run if they do not.

pub mod bind;
mod corpus;
mod judge;
mod play;
pub mod program;

pub use corpus::{SCRIPT_ENTRY, judge_script};
pub(crate) use judge::verdict_on;
pub use play::{PlayOptions, PlayedScript, PlayedStep, play};
pub use program::{AmberProgram, AmberRejection, load};

/// Does a file of this name hold a script?
pub fn is_script(path: &str) -> bool {
    path.ends_with(".amber")
}

/// Does this text begin as a script does?
pub(crate) fn is_script_text(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with("#!amber")
}
