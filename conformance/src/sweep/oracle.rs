//! The independent oracles of the op table. They share no code with the table or with a target.
//!
//! `ir/tests/ops_oracle` tests the table itself with these files; they are here because a published crate
//! contains only files of its own folder.

#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod arguments;
mod bitloop;
mod composed;
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod integers;
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod judge;
mod ordering;
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod soft;
mod softfloat;
