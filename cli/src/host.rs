//! The host machine, for reports.

use serde::Serialize;
use tilewise_benches::harness::machine;

/// The machine.
#[derive(Serialize, Debug)]
pub(crate) struct HostMachine {
    pub(crate) os: &'static str,
    pub(crate) architecture: &'static str,
    pub(crate) cpu: String,
    pub(crate) threads: usize,
}

/// Queries the machine.
pub(crate) fn host() -> HostMachine {
    HostMachine {
        os: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        cpu: machine::processor().unwrap_or_else(|| "unknown".to_owned()),
        threads: threads(),
    }
}

/// The number of threads that run in parallel.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
