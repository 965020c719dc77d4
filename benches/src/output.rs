//! Lines for people: results on standard output, progress on standard error.

/// A line of results.
#[allow(clippy::print_stdout, reason = "results are what the benchmarks are run for")]
pub fn result(line: &str) {
    println!("{line}");
}

/// A line of progress.
#[allow(clippy::print_stderr, reason = "what takes long says what it does")]
pub fn progress(line: &str) {
    eprintln!("{line}");
}
