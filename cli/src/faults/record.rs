//! What became of planted faults, and the report for programs.

use serde::{Deserialize, Serialize};
use tilewise::ir::fault::Fault;

use super::trial::VARIABLE;
use crate::console::CommandError;
use crate::host::{self, HostMachine};

/// Version of the report's form.
pub(crate) const SCHEMA: u32 = 1;

/// A fault that was planted.
pub(super) struct FaultTrial {
    pub(super) fault: Fault,
    pub(super) end: FaultEnd,
    pub(super) seconds: f64,
}

/// What the suite made of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FaultEnd {
    /// A case fails: its name and target.
    Failed(String),
    /// The process of a case ended: the case.
    Crashed(String),
    /// A case did not end in time: which.
    Hung(String),
    /// All cases pass.
    Survived,
    /// All cases pass, and none comes to the fault.
    NotReached,
    /// The suite cannot find it on this machine: the reason.
    NotRun(String),
}

impl FaultEnd {
    /// One word, for reports.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            FaultEnd::Failed(_) => "failed",
            FaultEnd::Crashed(_) => "crashed",
            FaultEnd::Hung(_) => "hung",
            FaultEnd::Survived => "survived",
            FaultEnd::NotReached => "not-reached",
            FaultEnd::NotRun(_) => "not-run",
        }
    }

    /// What more there is to say.
    pub(super) fn more(&self) -> &str {
        match self {
            FaultEnd::Failed(more) | FaultEnd::Crashed(more) | FaultEnd::Hung(more) => more,
            FaultEnd::NotRun(why) => why,
            FaultEnd::Survived | FaultEnd::NotReached => "",
        }
    }
}

impl FaultTrial {
    /// The line of a state file.
    pub(super) fn line(&self) -> TrialLine {
        let (fault, end, by) = (self.fault.name(), self.end.name().to_owned(), self.end.more().to_owned());
        TrialLine { fault, end, by, seconds: self.seconds }
    }

    /// The command that repeats it.
    pub(super) fn command(&self) -> String {
        format!("{VARIABLE}={} tilewise verify --no-html", self.fault.name())
    }
}

/// A trial in a state file.
#[derive(Serialize, Deserialize)]
pub(super) struct TrialLine {
    fault: String,
    end: String,
    by: String,
    seconds: f64,
}

impl TrialLine {
    /// The trial, if there is such a fault still.
    pub(super) fn trial(self) -> Option<FaultTrial> {
        let end = match self.end.as_str() {
            "failed" => FaultEnd::Failed(self.by),
            "crashed" => FaultEnd::Crashed(self.by),
            "hung" => FaultEnd::Hung(self.by),
            "survived" => FaultEnd::Survived,
            "not-reached" => FaultEnd::NotReached,
            "not-run" => FaultEnd::NotRun(self.by),
            _ => return None,
        };
        Some(FaultTrial { fault: Fault::named(&self.fault)?, end, seconds: self.seconds })
    }
}

/// The report.
#[derive(Serialize)]
pub(super) struct FaultsJson<'t> {
    schema: u32,
    tilewise: &'static str,
    host: HostMachine,
    faults: Vec<FaultJson<'t>>,
}

#[derive(Serialize)]
struct FaultJson<'t> {
    name: String,
    mistake: &'static str,
    end: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    by: &'t str,
    seconds: f64,
}

impl<'t> FaultsJson<'t> {
    pub(super) fn new(trials: &'t [FaultTrial]) -> FaultsJson<'t> {
        let faults = trials.iter().map(|trial| FaultJson {
            name: trial.fault.name(),
            mistake: trial.fault.mistake(),
            end: trial.end.name(),
            by: trial.end.more(),
            seconds: trial.seconds,
        });
        FaultsJson { schema: SCHEMA, tilewise: env!("CARGO_PKG_VERSION"), host: host::host(), faults: faults.collect() }
    }

    pub(super) fn text(&self) -> Result<String, CommandError> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| {
            CommandError::new(format!("the report cannot be written as JSON: {error}"), "this is a bug of Tilewise")
        })
    }
}
