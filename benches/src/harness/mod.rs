//! Contestants side by side: each checked, then timed in turns.
//!
//! [`contestant`] is who takes part, [`program`] those that are programs of their own, [`row`] what happens for one kind of work, [`bar`] what must hold, [`report`] what is printed.

pub mod bar;
pub mod contestant;
pub mod program;
pub mod report;
pub mod row;
