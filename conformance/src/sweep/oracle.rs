//! The independent oracles of the op table: the files of `ir/tests/ops_oracle`, which test the table
//! itself. They share no code with the table or with a target.

#[path = "../../../ir/tests/ops_oracle/arguments.rs"]
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod arguments;
#[path = "../../../ir/tests/ops_oracle/bitloop.rs"]
mod bitloop;
#[path = "../../../ir/tests/ops_oracle/composed.rs"]
mod composed;
#[path = "../../../ir/tests/ops_oracle/integers.rs"]
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod integers;
#[path = "../../../ir/tests/ops_oracle/judge.rs"]
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod judge;
#[path = "../../../ir/tests/ops_oracle/ordering.rs"]
mod ordering;
#[path = "../../../ir/tests/ops_oracle/soft.rs"]
#[allow(dead_code, reason = "the tests of the table need more of it")]
pub(super) mod soft;
#[path = "../../../ir/tests/ops_oracle/softfloat.rs"]
mod softfloat;
