//! Who hears of a race while it runs.

use crate::output;

/// A moment of a race.
#[derive(Clone, Copy, Debug)]
pub struct RaceStep<'s> {
    /// Steps that are done.
    pub done: usize,
    /// All steps; 0 if it is not known yet.
    pub of: usize,
    /// What is done now.
    pub text: &'s str,
    /// Does a new row begin, or something else that takes long?
    pub is_new: bool,
}

/// Takes the output of a race.
pub trait RaceListener {
    /// A line of the results.
    fn line(&mut self, text: &str);
    /// A warning.
    fn note(&mut self, text: &str);
    /// Progress.
    fn step(&mut self, step: RaceStep<'_>);
}

/// Prints results, and on standard error a line for each row.
#[derive(Clone, Copy, Default, Debug)]
pub struct PlainListener;

impl RaceListener for PlainListener {
    fn line(&mut self, text: &str) {
        output::result(text);
    }

    fn note(&mut self, text: &str) {
        output::progress(&format!("note: {text}"));
    }

    fn step(&mut self, step: RaceStep<'_>) {
        if step.is_new {
            output::progress(&format!("{} ..", step.text));
        }
    }
}
