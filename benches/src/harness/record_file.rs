//! The result of a race as a file in JSON: what `--json` writes, and `--compare` and `tilewise diff` read.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use tilewise_conformance::input_file;

use super::race::RaceError;
use super::record::{KIND, RaceRecord, SCHEMA};

impl RaceRecord {
    /// The text of its file.
    ///
    /// # Errors
    /// None, as long as all its members have a form in JSON.
    pub fn text(&self) -> Result<String, RaceError> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n")
            .map_err(|error| RaceError::new(error.to_string(), "this is a fault of the program"))
    }

    /// Does a text say that it is the result of a race, in any version?
    pub fn is_one(text: &str) -> bool {
        serde_json::from_str::<RecordHead>(text).is_ok_and(|head| head.report.as_deref() == Some(KIND))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no result of a race in this version.
    pub fn read(path: &Path) -> Result<RaceRecord, RaceError> {
        let text = input_file::text(path)
            .map_err(|error| RaceError::new(format!("cannot read `{}`: {error}", path.display()), WRITE_ONE))?;
        RaceRecord::of_file(path, &text)
    }

    /// The race in the text of a file.
    ///
    /// # Errors
    /// If it is no result of a race in this version.
    pub fn of_file(path: &Path, text: &str) -> Result<RaceRecord, RaceError> {
        let shown = path.display();
        RaceRecord::of_text(text).map_err(|wrong| match wrong {
            WrongRecord::Version(version) => {
                let message =
                    format!("`{shown}` has version {version} of this report, and this program reads {SCHEMA}");
                RaceError::new(message, "write it anew with this program")
            }
            WrongRecord::Other(why) => {
                RaceError::new(format!("`{shown}` is no report of `tilewise bench --json`: {why}"), WRITE_ONE)
            }
        })
    }

    /// Reads the text of a file.
    fn of_text(text: &str) -> Result<RaceRecord, WrongRecord> {
        let other = |error: serde_json::Error| WrongRecord::Other(error.to_string());
        let head: RecordHead = serde_json::from_str(text).map_err(other)?;
        if head.report.as_deref() != Some(KIND) {
            return Err(WrongRecord::Other(format!("its member `report` is not \"{KIND}\"")));
        }
        if head.schema != u64::from(SCHEMA) {
            return Err(WrongRecord::Version(head.schema));
        }
        let record: RaceRecord = serde_json::from_str(text).map_err(other)?;
        if !(record.noise.step_ns > 0.0 && record.noise.step_ns.is_finite()) {
            return Err(WrongRecord::Other("the time of a step of the loop is none".into()));
        }
        let mut seen = BTreeSet::new();
        for row in &record.rows {
            if !seen.insert(&row.work) {
                return Err(WrongRecord::Other(format!("it has two rows for `{}`", row.work)));
            }
            if let Some(entry) = row.contestants.iter().find(|entry| !entry.is_sound()) {
                let why = format!("the times of {} in the row `{}` are none", entry.name, row.work);
                return Err(WrongRecord::Other(why));
            }
        }
        Ok(record)
    }
}

/// The help for a file that cannot be read.
const WRITE_ONE: &str = "name a file that `tilewise bench --json FILE` has written";

/// The members that every version has.
#[derive(Deserialize)]
struct RecordHead {
    schema: u64,
    report: Option<String>,
}

/// Why a text is no record.
#[derive(Debug)]
enum WrongRecord {
    /// It is one of another version.
    Version(u64),
    /// It is something else.
    Other(String),
}

#[cfg(test)]
mod tests {
    use tilewise_peers::PeerWork;

    use super::*;
    use crate::harness::record::tests::record;
    use crate::harness::row::By;

    fn example() -> RaceRecord {
        record(&[(PeerWork::VectorAdd, [&[5.0, 5.5, 5.25], &[7.0, 7.0, 7.5], &[]])])
    }

    /// Why a text is refused.
    fn refused(text: &str) -> String {
        match RaceRecord::of_text(text) {
            Ok(_) => "it is not".into(),
            Err(WrongRecord::Version(version)) => format!("version {version}"),
            Err(WrongRecord::Other(why)) => why,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written = example();
        let text = written.text().expect("it has a form");
        assert_eq!(RaceRecord::of_text(&text).expect("it is one"), written);
        assert_eq!(written.rows[0].contestants[0].times(By::Median).map(|times| times.time), Some(5.25));
        assert_eq!(written.rows[0].contestants[0].times(By::Shortest).map(|times| times.time), Some(5.0));
        assert_eq!(written.rows[0].contestants[2].times(By::Median), None);
    }

    #[test]
    fn other_files_are_refused_with_the_reason() {
        let text = example().text().expect("it has a form");
        assert_eq!(refused(&text), "it is not");
        assert!(refused("").contains("EOF"));
        assert!(refused("[1]").contains("invalid"), "{}", refused("[1]"));
        assert!(refused("{\"schema\": 1, \"cases\": []}").contains("`report` is not"));
        assert_eq!(refused(&text.replace("\"schema\": 1", "\"schema\": 7")), "version 7");
        assert!(refused(&text.replace("\"machine\"", "\"engine\"")).contains("missing field `machine`"));
        assert!(refused(&text.replace("\"median_ms\": 5.25", "\"median_ms\": -1")).contains("jit in the row `vadd`"));
        assert!(refused(&text.replace("\"median_ms\": 5.25", "\"median_ms\": null")).contains("jit in the row `vadd`"));
        assert!(refused(&text.replace("\"min_ms\": 5.0", "\"min_ms\": 6.0")).contains("jit in the row `vadd`"));
        assert!(refused(&text[..text.len() / 2]).contains("EOF"));
        let mut twice = example();
        twice.rows.push(twice.rows[0].clone());
        assert!(refused(&twice.text().expect("it has a form")).contains("two rows for `vadd`"));
        let error = RaceRecord::read(Path::new("/nothing/here.json")).expect_err("there is none");
        assert!(
            error.message.contains("cannot read `/nothing/here.json`") && error.help.contains("--json"),
            "{error:?}"
        );
    }
}
