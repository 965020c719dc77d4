//! The machine and the moment of a race.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The machine.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct MachineRecord {
    /// The processor's name by the operating system.
    pub processor: String,
    /// The number of its threads that run at a time.
    pub threads: usize,
    /// Its vector instructions, as far as they matter to kernels.
    pub features: Vec<String>,
    /// The operating system.
    pub os: String,
    /// Its release, where it says so.
    pub release: Option<String>,
    /// The architecture.
    pub architecture: String,
}

impl MachineRecord {
    /// This machine.
    pub fn this() -> MachineRecord {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok();
        MachineRecord {
            processor: processor().unwrap_or_else(|| "unknown".into()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            features: features(),
            os: std::env::consts::OS.into(),
            release: release.map(|release| release.trim().to_owned()),
            architecture: std::env::consts::ARCH.into(),
        }
    }

    /// Is it the same kind of machine, so that times can be compared?
    pub fn is_like(&self, other: &MachineRecord) -> bool {
        let kind = |machine: &MachineRecord| {
            let MachineRecord { processor, features, os, architecture, .. } = machine.clone();
            (processor, features, os, architecture)
        };
        kind(self) == kind(other)
    }

    /// In a few words.
    pub fn words(&self) -> String {
        format!("{} ({} {})", self.processor, self.os, self.architecture)
    }
}

/// The processor's name, on systems that provide it in a file.
pub fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The vector instructions that this processor has.
fn features() -> Vec<String> {
    #[cfg(target_arch = "x86_64")]
    let all = [
        ("sse4.1", is_x86_feature_detected!("sse4.1")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let all: [(&str, bool); 0] = [];
    all.into_iter().filter(|feature| feature.1).map(|feature| feature.0.to_owned()).collect()
}

/// A moment as text, in universal time: `2026-11-28T03:08:37Z`.
pub fn date(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years that begin with March have their leap day at the end: 400 of them have 146097 days, and the
    // first of March of the year 0 is 719468 days before 1970.
    let since = days + 719_468;
    let (era, day_of_era) = (since / 146_097, since % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn machines_differ_by_what_times_depend_on() {
        let this = MachineRecord::this();
        let other = MachineRecord { release: Some("another".into()), threads: 1000, ..this.clone() };
        assert!(this.is_like(&other));
        assert!(!this.is_like(&MachineRecord { processor: "another".into(), ..this.clone() }));
        assert!(!this.is_like(&MachineRecord { features: vec!["another".into()], ..this.clone() }));
    }
}
