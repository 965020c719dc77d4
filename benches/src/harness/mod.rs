//! Runs contestants side by side: checks each, then times them in turns. `cargo bench --bench peers` and `tilewise
//! bench` are this harness.
//!
//! [`options`] has the command line, [`race`] runs all rows and tells a [`listener`]. [`contestant`] lists the
//! contestants, [`program`] those that are separate programs, [`script`] keeps the files of those in Python; [`row`]
//! runs one kind of work, [`bar`] holds the bars, [`noise`] measures what disturbs. [`record`] is the result as data,
//! [`record_file`] as a file, [`machine`] what it is of; [`report`] makes it lines, [`page`] a page, [`compare`] holds
//! it against an earlier one.

pub mod bar;
pub mod compare;
pub mod contestant;
pub mod listener;
pub mod machine;
pub mod noise;
pub mod options;
pub mod page;
pub mod program;
pub mod race;
pub mod record;
mod record_file;
pub mod report;
pub mod row;
pub mod script;
