//! The rounds of a test over accelerators. What is left out is reported, so that nobody takes it for
//! passed: on stderr, past the capture of tests, as they pass without a word.

use std::io::Write as _;
use std::sync::Once;
use std::{io, thread};

use tilewise::Accelerator;

/// What a round is given, or why it is left out.
type Round<T> = Result<T, &'static str>;

/// A round for each accelerator but those that are left out.
pub(crate) fn rounds<T>(all: impl IntoIterator<Item = (Accelerator, Round<T>)>) -> impl Iterator<Item = T> {
    static WITHOUT_GPUS: Once = Once::new();
    if !Accelerator::all().iter().any(|accelerator| accelerator.path().starts_with("gpu/")) {
        WITHOUT_GPUS.call_once(|| report("not run on GPUs: there is none, or no driver"));
    }
    all.into_iter().filter_map(|(accelerator, round)| match round {
        Ok(item) => Some(item),
        Err(why) => {
            left_out(accelerator.path(), why);
            None
        }
    })
}

/// Reports that the test leaves out an accelerator.
pub(crate) fn left_out(path: &str, why: &str) {
    let test = thread::current().name().unwrap_or_default().to_owned();
    report(&format!("{test}: not run on {path}: {why}"));
}

fn report(text: &str) {
    // If nobody can read it there is nobody to tell.
    let _ = writeln!(io::stderr(), "{text}");
}
