//! Runs contestants side by side: checks each, then times them in turns.
//!
//! [`contestant`] lists the contestants, [`program`] those that are separate programs, [`row`] runs
//! one kind of work, [`bar`] holds the bars, [`report`] prints.

pub mod bar;
pub mod contestant;
pub mod program;
pub mod report;
pub mod row;
