//! Writes down on which accelerators tests pass, for the page on coverage; `.ci/verdicts` makes it.
//!
//! If the environment variable `TILEWISE_VERDICTS` names a folder, each round of a test's loop over accelerators leaves a line in a file there: program, test, accelerator, what that is, and
//! whether the round came to its end, or why it is left out. Whether the test passed says the program of tests itself.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;

use tilewise::Accelerator;

/// Rounds over accelerators, each of which is told of.
pub(crate) struct Told<T> {
    rounds: std::vec::IntoIter<(Accelerator, Round<T>)>,
    /// The accelerator of the round that goes on.
    on: Option<Accelerator>,
}

/// What a round is given, or why it is left out.
type Round<T> = Result<T, &'static str>;

/// A round for each accelerator.
pub(crate) fn told<T>(rounds: impl IntoIterator<Item = (Accelerator, Round<T>)>) -> Told<T> {
    Told { rounds: rounds.into_iter().collect::<Vec<_>>().into_iter(), on: None }
}

impl<T> Iterator for Told<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        tell(self.on.take(), "done");
        loop {
            match self.rounds.next()? {
                (accelerator, Ok(item)) => {
                    self.on = Some(accelerator);
                    return Some(item);
                }
                (accelerator, Err(why)) => tell(Some(accelerator), &format!("not run: {why}")),
            }
        }
    }
}

impl<T> Drop for Told<T> {
    /// A test that fails leaves the loop within a round.
    fn drop(&mut self) {
        tell(self.on.take(), "left");
    }
}

fn tell(on: Option<Accelerator>, how: &str) {
    let (Some(accelerator), Some(folder)) = (on, std::env::var_os("TILEWISE_VERDICTS")) else { return };
    let program = env!("CARGO_CRATE_NAME");
    let thread = thread::current();
    let test = thread.name().unwrap_or_default();
    let line = format!("round\t{program}\t{test}\t{}\t{}\t{how}\n", accelerator.path(), accelerator.description());
    let path = PathBuf::from(folder).join(format!("{program}-{}.txt", std::process::id()));
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    assert!(written.is_ok() || thread::panicking(), "{} can be written", path.display());
}
