//! The file that keeps what became of faults, so that a run which is stopped goes on from there: a line of
//! JSON for each fault.

use std::path::{Path, PathBuf};

use tilewise_conformance::journal_file::JournalFile;

use super::record::{FaultEnd, FaultTrial, TrialLine};
use crate::console::CommandError;

/// A state file, open for more lines.
pub(super) struct TrialState {
    path: PathBuf,
    journal: JournalFile,
}

impl TrialState {
    /// Opens a file, or makes it; and the trials that it has.
    pub(super) fn open(path: &Path) -> Result<(TrialState, Vec<FaultTrial>), CommandError> {
        let (journal, lines) = JournalFile::open(path, BEGINS).map_err(|message| unusable(&message))?;
        let mut trials: Vec<FaultTrial> = Vec::new();
        for (number, line) in (1..).zip(&lines) {
            let line: TrialLine = serde_json::from_str(line).map_err(|error| {
                unusable(&format!("cannot use `{}`: line {number} is no trial: {error}", path.display()))
            })?;
            let Some(trial) = line.trial() else { continue };
            // Of several lines of a fault the last counts. One that was not planted is new: another machine may have
            // what was missing.
            trials.retain(|before| before.fault != trial.fault);
            if !matches!(trial.end, FaultEnd::NotRun(_)) {
                trials.push(trial);
            }
        }
        Ok((TrialState { path: path.to_owned(), journal }, trials))
    }

    /// Adds a trial.
    pub(super) fn add(&mut self, trial: &FaultTrial) -> Result<(), CommandError> {
        let line = serde_json::to_string(&trial.line())
            .map_err(|error| unusable(&format!("cannot write `{}`: {error}", self.path.display())))?;
        self.journal.add(&line).map_err(|message| unusable(&message))
    }
}

/// How each file begins.
const BEGINS: &str = "{\"fault\":";

fn unusable(message: &str) -> CommandError {
    CommandError::new(format!("`--state`: {message}"), "name a file of an earlier run, or one that does not exist yet")
}

#[cfg(test)]
mod tests {
    use tilewise::ir::fault::Fault;

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
        drop(state);
        for _ in 0..2 {
            let (_, trials) = TrialState::open(&path).unwrap_or_else(|error| panic!("{}", error.message));
            // The last was not planted.
            assert_eq!(trials.iter().map(|trial| trial.end.clone()).collect::<Vec<_>>(), ends[..2]);
        }
        let line = |end: FaultEnd| {
            let trial = FaultTrial { fault: Fault::ALL[0], end, seconds: 1.5 };
            serde_json::to_string(&trial.line()).expect("it is data") + "\n"
        };
        let lines = line(FaultEnd::Survived) + &line(FaultEnd::Failed("a on jit".to_owned()));
        std::fs::write(&path, lines).expect("it can be written");
        let (_, trials) = TrialState::open(&path).unwrap_or_else(|error| panic!("{}", error.message));
        let [only] = &trials[..] else { panic!("{} trials of one fault", trials.len()) };
        assert_eq!(only.end, FaultEnd::Failed("a on jit".to_owned()));
        std::fs::write(&path, "{\"fault\":\n").expect("it can be written");
        let refused = TrialState::open(&path).err().expect("it is no state");
        assert!(refused.message.contains("line 1"), "{}", refused.message);
        _ = std::fs::remove_file(&path);
    }
}
