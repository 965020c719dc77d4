//! The file that keeps what became of faults, so that a run which is stopped goes on from there: a line of
//! JSON for each fault.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::record::{FaultTrial, TrialLine};
use crate::console::CommandError;

/// A state file, open for more lines.
pub(super) struct TrialState {
    path: PathBuf,
    file: File,
}

impl TrialState {
    /// Opens a file, or makes it; and the trials that it has. A last line that is not whole is that of a run
    /// which was stopped, and is left out.
    pub(super) fn open(path: &Path) -> Result<(TrialState, Vec<FaultTrial>), CommandError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unusable(path, &error.to_string())),
        };
        let mut trials = Vec::new();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for (number, line) in (1..).zip(whole.lines()) {
            let line: TrialLine = serde_json::from_str(line)
                .map_err(|error| unusable(path, &format!("line {number} is no line of such a file: {error}")))?;
            trials.extend(line.trial());
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| unusable(path, &error.to_string()))?;
        file.set_len(whole.len() as u64).map_err(|error| unusable(path, &error.to_string()))?;
        Ok((TrialState { path: path.to_owned(), file }, trials))
    }

    /// Adds a trial.
    pub(super) fn add(&mut self, trial: &FaultTrial) -> Result<(), CommandError> {
        let line = serde_json::to_string(&trial.line());
        let line = line.map_err(|error| unusable(&self.path, &error.to_string()))?;
        writeln!(self.file, "{line}").map_err(|error| unusable(&self.path, &error.to_string()))
    }
}

fn unusable(path: &Path, why: &str) -> CommandError {
    let message = format!("cannot use `{}` as `--state`: {why}", path.display());
    CommandError::new(message, "name a file of an earlier run, or one that does not exist yet")
}

#[cfg(test)]
mod tests {
    use tilewise::ir::fault::Fault;

    use super::super::record::FaultEnd;
    use super::*;

    #[test]
    fn trials_are_read_as_they_were_written_also_after_a_run_that_was_stopped() {
        let path = std::env::temp_dir().join(format!("tilewise-state-{}.jsonl", std::process::id()));
        _ = std::fs::remove_file(&path);
        let ends = [
            FaultEnd::Failed("a on jit".to_owned()),
            FaultEnd::Hung("b on jit".to_owned()),
            FaultEnd::NotRun("none".to_owned()),
        ];
        let (mut state, trials) = TrialState::open(&path).unwrap_or_else(|error| panic!("{}", error.message));
        assert!(trials.is_empty());
        for (end, &fault) in ends.iter().zip(Fault::ALL) {
            let trial = FaultTrial { fault, end: end.clone(), seconds: 1.5 };
            state.add(&trial).unwrap_or_else(|error| panic!("{}", error.message));
        }
        std::fs::write(&path, std::fs::read_to_string(&path).expect("it is there") + "{\"fault\":").expect("it can be");
        for _ in 0..2 {
            let (_, trials) = TrialState::open(&path).unwrap_or_else(|error| panic!("{}", error.message));
            assert_eq!(trials.iter().map(|trial| trial.end.clone()).collect::<Vec<_>>(), ends);
        }
        std::fs::write(&path, "no line\n").expect("it can be written");
        let refused = TrialState::open(&path).err().expect("it is no state");
        assert!(refused.message.contains("line 1"), "{}", refused.message);
        _ = std::fs::remove_file(&path);
    }
}
