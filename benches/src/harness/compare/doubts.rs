//! Whether two races can be compared at all, and what makes a comparison doubtful.

use super::ENOUGH_RUNS;
use crate::harness::machine::MachineRecord;
use crate::harness::race::RaceError;
use crate::harness::record::{RaceRecord, RaceSettings};
use crate::harness::row::By;

/// A difference of clocks that is worth a warning.
const CLOCK: f64 = 1.03;

/// Whether an earlier race can be compared with one of these settings on this machine.
///
/// # Errors
/// The reason why times of the two say nothing about each other.
pub fn comparable(old: &RaceRecord, machine: &MachineRecord, settings: &RaceSettings) -> Result<(), RaceError> {
    let help = "compare races of one machine with the same `--threads` and sizes, by the same build";
    let differ = |what: &str, then: &str, now: &str| {
        Err(RaceError::new(format!("the earlier race had {what} {then}, this one has {now}"), help))
    };
    let build = |release: bool| if release { "for release" } else { "for development" };
    let sizes = |small: bool| if small { "small" } else { "full" };
    if !machine.is_like(&old.machine) {
        return differ("another machine,", &old.machine.words(), &machine.words());
    }
    if settings.threads != old.settings.threads {
        return differ("threads:", &old.settings.threads.to_string(), &settings.threads.to_string());
    }
    if settings.small != old.settings.small {
        return differ("sizes that are", sizes(old.settings.small), sizes(settings.small));
    }
    if settings.release != old.settings.release {
        return differ("a program built", build(old.settings.release), build(settings.release));
    }
    Ok(())
}

/// What makes a comparison doubtful.
pub(super) fn warnings(old: &RaceRecord, new: &RaceRecord, clock: f64) -> Vec<String> {
    let mut out = Vec::new();
    for (which, record) in [("earlier", old), ("new", new)] {
        let findings = record.noise.findings();
        if !findings.is_empty() {
            out.push(format!("the machine was noisy in the {which} race: {}", findings.join("; ")));
        }
    }
    if clock > CLOCK {
        out.push(format!(
            "the same loop takes {clock:.2} times as long now: the processor is slower, by its clock or by its \
             neighbours, and times may be longer by as much"
        ));
    } else if clock < 1.0 / CLOCK {
        out.push(format!(
            "the same loop takes {clock:.2} of the time now: the processor is faster, and a slower kernel may be hidden"
        ));
    }
    if old.settings.cores != new.settings.cores {
        let cores = |record: &RaceRecord| record.settings.cores.clone().unwrap_or_else(|| "no cores of its own".into());
        out.push(format!("the earlier race was held to the cores {}, this one to {}", cores(old), cores(new)));
    }
    if old.settings.compared != new.settings.compared && new.settings.compared == By::Shortest {
        out.push("the shortest runs of both are compared".into());
    }
    let few = [old, new].iter().any(|record| record.settings.runs < ENOUGH_RUNS);
    if few {
        out.push(format!(
            "of fewer than {ENOUGH_RUNS} runs nothing is known of their noise: a change of 10% for each race is allowed"
        ));
    }
    let names = |record: &RaceRecord| record.contestants.iter().map(|who| who.name.clone()).collect::<Vec<_>>();
    let now = names(new);
    let left: Vec<String> = names(old).into_iter().filter(|name| !now.contains(name)).collect();
    if !left.is_empty() {
        out.push(format!("{} took part in the earlier race, and not in this one", left.join(", ")));
    }
    let missing: Vec<&str> = new
        .rows
        .iter()
        .map(|row| row.work.as_str())
        .filter(|work| old.rows.iter().all(|row| row.work != **work))
        .collect();
    if !missing.is_empty() {
        out.push(format!("the earlier race has no rows for {}", missing.join(", ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use tilewise_peers::PeerWork;

    use super::*;
    use crate::harness::compare::RaceChanges;
    use crate::harness::record::tests::record;

    #[test]
    fn races_that_say_nothing_about_each_other_are_refused() {
        let old = record(&[(PeerWork::VectorAdd, [&[10.0; 3], &[7.0; 3], &[]])]);
        let refused = |change: &dyn Fn(&mut RaceRecord)| {
            let mut new = old.clone();
            change(&mut new);
            RaceChanges::between(&old, &new).expect_err("they differ").message
        };
        assert!(refused(&|new| new.settings.threads = 4).contains("threads: 2, this one has 4"));
        assert!(refused(&|new| new.settings.small = true).contains("sizes that are full, this one has small"));
        assert!(refused(&|new| new.settings.release = false).contains("built for release"));
        assert!(refused(&|new| new.machine.processor = "another".into()).contains("another machine"));
        let mut new = old.clone();
        new.rows[0].size = 7;
        new.settings.cores = None;
        new.contestants.pop();
        let changes = RaceChanges::between(&old, &new).expect("that is only doubtful");
        assert_eq!(changes.all, []);
        let warned = |text: &str| changes.warnings.iter().any(|warning| warning.contains(text));
        assert!(warned("`vadd` had the size") && warned("to no cores of its own"), "{:?}", changes.warnings);
        assert!(warned("numba took part in the earlier race, and not in this one"), "{:?}", changes.warnings);
    }
}
