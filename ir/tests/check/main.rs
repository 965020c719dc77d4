//! Tests of the checker, its analyses and the inliner: one binary, a module for each family.

mod accepted;
mod barriers;
mod built;
mod classes;
mod control;
mod errors_page;
mod facts;
mod ids;
mod inlining;
mod limits;
mod places;
mod types;
mod uniformity;
mod values;

use expect_test::Expect;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::text::parse;

/// The checked kernel of a text.
#[track_caller]
fn accept(text: &str) -> Checked<Kernel> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// The reports of a text that is read, but not accepted.
#[track_caller]
fn reject(text: &str, expected: Expect) {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    match check(kernel) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(rejected) => expected.assert_eq(&rejected.render(Colour::Never)),
    }
}

/// The codes of the reports of a text, in order; none if it is accepted.
#[track_caller]
fn codes(text: &str) -> Vec<&'static str> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    match check(kernel) {
        Ok(_) => Vec::new(),
        Err(rejected) => rejected.diagnostics.iter().map(|report| report.code.name()).collect(),
    }
}
