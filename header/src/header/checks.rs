//! Parses the names of checks: in headers (`checks races, out-of-range`) and on the command line.

use tilewise_interp::Checks;

use crate::{Complaint, FilePlace};

/// The checks with these names, and no others. `all` is the usual set, `none` is empty.
pub fn read(words: &[(FilePlace, String)]) -> Result<Checks, Complaint> {
    let mut checks = Checks::default();
    for &(at, ref word) in words {
        match word.as_str() {
            "none" if words.len() > 1 => {
                return Err(Complaint::new(at, "`none` stands beside other checks", "leave out one or the other"));
            }
            "none" => {}
            "all" => {
                checks.out_of_range = true;
                checks.races = true;
                checks.uninitialised = true;
                checks.unwritten_tile_memory = true;
            }
            "races" => checks.races = true,
            "out-of-range" => checks.out_of_range = true,
            "uninitialised" => {
                checks.uninitialised = true;
                checks.unwritten_tile_memory = true;
            }
            "division-by-zero" => checks.division_by_zero = true,
            "overflow" => checks.overflow = true,
            "shifts" => checks.shifts = true,
            "lossy-conversions" => checks.lossy_conversions = true,
            "arithmetic" => {
                checks.division_by_zero = true;
                checks.overflow = true;
                checks.shifts = true;
                checks.lossy_conversions = true;
            }
            "same-value-writes" => {
                checks.races = true;
                checks.same_value_writes = true;
            }
            "stop-at-first" => checks.stop_at_first = true,
            other => {
                let limit =
                    other.strip_prefix("at-most-").and_then(|number| number.parse().ok().filter(|&most| most > 0));
                let Some(limit) = limit else {
                    return Err(Complaint::new(
                        at,
                        format!("`{other}` is no check"),
                        "the checks are `all`, `none`, `races`, `out-of-range`, `uninitialised`, `same-value-writes`, `division-by-zero`, `overflow`, `shifts`, `lossy-conversions`, `arithmetic` (the last four), `stop-at-first` and `at-most-N` (N reports, 1 or more)",
                    ));
                };
                checks.max_reports = limit;
            }
        }
    }
    let is_none = words.iter().any(|(_, word)| word == "none");
    match words.first() {
        // A limit of reports is no check: it would be read as "look for nothing".
        Some((at, word)) if !is_none && !looks_for_something(&checks) => {
            let help = format!("name what to look for too, as in `all, {word}`");
            Err(Complaint::new(*at, format!("`{word}` is of reports, and nothing is looked for"), help))
        }
        _ => Ok(checks),
    }
}

/// Is any check on?
fn looks_for_something(checks: &Checks) -> bool {
    let Checks {
        out_of_range,
        races,
        same_value_writes,
        uninitialised,
        unwritten_tile_memory,
        division_by_zero,
        overflow,
        shifts,
        lossy_conversions,
        ..
    } = *checks;
    out_of_range
        || races
        || same_value_writes
        || uninitialised
        || unwritten_tile_memory
        || division_by_zero
        || overflow
        || shifts
        || lossy_conversions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_reports_is_no_check() {
        let of = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| (FilePlace::default(), (*word).to_owned())).collect();
            read(&words).map_err(|complaint| complaint.message)
        };
        assert!(of(&["races", "at-most-5"]).is_ok_and(|checks| checks.races && checks.max_reports == 5));
        assert!(of(&["none"]).is_ok_and(|checks| checks == Checks::default()));
        for alone in [&["at-most-5"][..], &["stop-at-first", "at-most-1"]] {
            let message = of(alone).expect_err("nothing is looked for");
            assert_eq!(message, format!("`{}` is of reports, and nothing is looked for", alone[0]));
        }
    }
}
