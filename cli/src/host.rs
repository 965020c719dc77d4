//! The host machine, for reports.

use serde::Serialize;

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
        cpu: cpu_name().unwrap_or_else(|| "unknown".to_owned()),
        threads: threads(),
    }
}

/// The number of threads that run in parallel.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The name of the processor, on systems that provide it in a file.
fn cpu_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
