//! The lines of a race: the table, its last line, and the reasons why contestants have no times.

use std::fmt::Write as _;

use super::bar::{self, Against, BarVerdict};
use super::contestant::Out;
use super::program;
use super::record::{MeanRecord, RaceRecord};
use super::row::{BenchRow, By, RowEntry};

/// The width of the work's name.
const NAME: usize = 21;
/// The width of a contestant's cell.
const CELL: usize = 17;
/// The width of the first contestant's cell, which has the range of its runs.
const FIRST: usize = 26;

/// The line above the table.
pub fn heading(row: &BenchRow) -> String {
    let mut line = format!("{:<NAME$}", "ms");
    for (number, entry) in row.entries.iter().enumerate() {
        let width = if number == 0 { FIRST } else { CELL };
        let _ = write!(line, "{:<width$}", entry.name);
    }
    line + "bar"
}

/// A line of the table: the median of each contestant; for the first one also its range, for the
/// others the ratio of the first one's time to theirs.
pub fn line(row: &BenchRow, by: By) -> String {
    let mut line = format!("{:<NAME$}", row.work);
    let first = row.entries.first().and_then(|entry| entry.run(by));
    for (number, entry) in row.entries.iter().enumerate() {
        let width = if number == 0 { FIRST } else { CELL };
        let cell = match (&entry.runs, entry.run(by), entry.range()) {
            (Err(Out::Wrong(_)), ..) => "WRONG".into(),
            (_, Some(run), Some((min, max))) if number == 0 => {
                format!("{} ({}..{})", digits(run), digits(min), digits(max))
            }
            (_, Some(run), _) => {
                let ratio = first.map(|first| format!("  {:.2}x", first / run)).unwrap_or_default();
                format!("{}{ratio}", digits(run))
            }
            _ => "not run".into(),
        };
        let _ = write!(line, "{cell:<width$}");
    }
    line + &verdict(row, by)
}

/// Four digits.
pub(super) fn digits(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.3}"),
        ms if ms < 100.0 => format!("{ms:.2}"),
        ms if ms < 1000.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

/// The bar, and whether it is met.
fn verdict(row: &BenchRow, by: By) -> String {
    let Some(bar) = bar::bar(row.work) else { return "-".into() };
    let whom = match bar.against {
        Against::Best => "the best",
        Against::Peer(name) => name,
    };
    let said = match judge(row, by) {
        Some(BarVerdict::Met(ratio)) => format!("met ({ratio:.2})"),
        Some(BarVerdict::Missed(ratio)) => format!("MISSED ({ratio:.2})"),
        Some(BarVerdict::Unknown) | None => "not known".into(),
    };
    format!("{:.2} x {whom}: {said}", bar.factor)
}

fn judge(row: &BenchRow, by: By) -> Option<BarVerdict> {
    let (first, others) = row.entries.split_first()?;
    let peers: Vec<(&str, f64)> = others
        .iter()
        .filter(|entry| is_peer(entry))
        .filter_map(|entry| Some((entry.name.as_str(), entry.run(by)?)))
        .collect();
    Some(bar::bar(row.work)?.judge(first.run(by), &peers))
}

/// Is it a peer, not an accelerator of ours?
fn is_peer(entry: &RowEntry) -> bool {
    entry.name.starts_with("rust") || entry.name.starts_with("ispc") || program::PYTHON.contains(&entry.name.as_str())
}

/// A bar, and whether it is met.
pub(super) struct JudgedBar {
    /// The multiple of a peer's time that the first contestant may take.
    pub(super) factor: Option<f64>,
    /// That peer; `best` is the fastest of all.
    pub(super) against: Option<&'static str>,
    /// The ratio to its time.
    pub(super) ratio: Option<f64>,
    /// Whether the ratio is within the bar.
    pub(super) met: Option<bool>,
}

/// The bar of a row, and whether it is met.
pub(super) fn judged_bar(row: &BenchRow, by: By) -> JudgedBar {
    let bar = bar::bar(row.work);
    let (ratio, met) = match judge(row, by) {
        Some(BarVerdict::Met(ratio)) => (Some(ratio), Some(true)),
        Some(BarVerdict::Missed(ratio)) => (Some(ratio), Some(false)),
        Some(BarVerdict::Unknown) | None => (None, None),
    };
    let against = bar.map(|bar| match bar.against {
        Against::Best => "best",
        Against::Peer(name) => name,
    });
    JudgedBar { factor: bar.map(|bar| bar.factor), against, ratio, met }
}

/// The mean ratio of the first contestant to each other one. All rows have the same contestants.
pub fn means(rows: &[BenchRow], by: By) -> Vec<MeanRecord> {
    let others = rows.first().map(|row| row.entries.get(1..).unwrap_or_default()).unwrap_or_default();
    let mean = |(number, other): (usize, &RowEntry)| {
        let ratio = |row: &BenchRow| Some(row.entries[0].run(by)? / row.entries.get(number)?.run(by)?);
        let logarithms: Vec<f64> = rows.iter().filter_map(ratio).map(f64::ln).collect();
        let count = logarithms.len();
        let ratio = (count > 0).then(|| (logarithms.iter().sum::<f64>() / count as f64).exp());
        MeanRecord { name: other.name.clone(), ratio, rows: count }
    };
    (1..).zip(others).map(mean).collect()
}

/// The last line of the table: the mean ratio to each peer, and the number of rows that it is over.
pub fn means_line(rows: &[BenchRow], by: By) -> String {
    let mut line = format!("{:<NAME$}{:<FIRST$}", "geometric mean", "");
    for mean in means(rows, by) {
        let cell = match mean.ratio {
            Some(ratio) => format!("{ratio:.2}x of {}", mean.rows),
            None => "-".into(),
        };
        let _ = write!(line, "{cell:<CELL$}");
    }
    line.trim_end().into()
}

/// What the columns are, what the numbers in them mean, and who could not run.
pub(super) fn explanation(record: &RaceRecord) -> Vec<String> {
    let Some(first) = record.contestants.first() else { return Vec::new() };
    let mut out = vec![format!(
        "Milliseconds, {} of {}; `{first}` with its shortest and longest run. `0.50x` in the column of another \
         one: `{first}` takes half of its time.",
        record.settings.compared.in_words(),
        match record.settings.runs {
            1 => "1 run".to_owned(),
            runs => format!("{runs} runs"),
        },
        first = first.name
    )];
    out.extend(record.contestants.iter().map(|who| format!("  {}: {}", who.name, who.about)));
    out.extend(record.absent.iter().map(|who| format!("{} not run: {} ({})", who.name, who.reason, who.about)));
    out
}

/// How quiet the machine was, and how that is known.
pub(super) fn noise_lines(record: &RaceRecord) -> Vec<String> {
    let findings = record.noise.findings();
    let mut out = vec![match findings.is_empty() {
        true => format!("The machine was quiet: {}.", record.noise.sentence()),
        false => format!(
            "WARNING: the machine was noisy: {}. Medians may be off: use `--shortest`, or a quiet machine.",
            findings.join("; ")
        ),
    }];
    let mut uneven = record.uneven();
    uneven.sort_by(|one, other| other.2.total_cmp(&one.2));
    if let Some((work, name, times)) = uneven.first() {
        out.push(format!(
            "{} of the times have runs that differ by more than {:.2} times, most those of {name} at {work}: {times:.2}.",
            uneven.len(),
            record.noise.limits.runs
        ));
    }
    out
}

/// Names by the reason why they did not run, in the order in which reasons come first; each name once.
pub(super) fn by_reason<'n>(all: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<(&'n str, Vec<&'n str>)> {
    let mut out: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, reason) in all {
        match out.iter_mut().find(|known| known.0 == reason) {
            Some(known) if known.1.contains(&name) => {}
            Some(known) => known.1.push(name),
            None => out.push((reason, vec![name])),
        }
    }
    out
}

/// The reasons why contestants have no times in a row, each once.
pub fn reasons(rows: &[BenchRow]) -> Vec<String> {
    let entries = || rows.iter().flat_map(|row| row.entries.iter().map(move |entry| (row, entry)));
    let not_run = entries().filter_map(|(_, entry)| match &entry.runs {
        Err(Out::NotRun(reason)) => Some((entry.name.as_str(), reason.as_str())),
        Ok(_) | Err(Out::Wrong(_)) => None,
    });
    let wrong = entries().filter_map(|(row, entry)| match &entry.runs {
        Err(Out::Wrong(reason)) => Some(format!("{} is wrong at {}: {reason}", entry.name, row.work)),
        Ok(_) | Err(Out::NotRun(_)) => None,
    });
    let not_run = by_reason(not_run).into_iter();
    wrong.chain(not_run.map(|(reason, names)| format!("{} not run: {reason}", names.join(", ")))).collect()
}

/// Whether any contestant gave a wrong result.
pub fn any_wrong(rows: &[BenchRow]) -> bool {
    rows.iter().flat_map(|row| &row.entries).any(|entry| matches!(entry.runs, Err(Out::Wrong(_))))
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use tilewise_peers::PeerWork;

    use super::*;

    #[test]
    fn a_line_has_ratios_and_the_verdict() {
        let entry = |name: &str, ms| RowEntry { name: name.into(), runs: Ok(vec![ms]) };
        let mut row = BenchRow {
            work: PeerWork::Scan,
            size: 1,
            entries: vec![entry("jit", 6.0), entry("rust", 3.0), entry("ispc-avx2", 4.0)],
        };
        let shown = line(&row, By::Median);
        assert!(shown.contains("6.000 (6.000..6.000)") && shown.contains("3.000  2.00x"), "{shown}");
        assert!(shown.ends_with("2.00 x ispc-avx2: met (1.50)"), "{shown}");
        row.entries[2].runs = Err(Out::NotRun("it is elsewhere".into()));
        assert!(line(&row, By::Median).ends_with("not known"));
        assert_eq!(reasons(&[row.clone()]), ["ispc-avx2 not run: it is elsewhere"]);
        row.entries[1].runs = Err(Out::NotRun("it is elsewhere".into()));
        row.entries[0].runs = Err(Out::Wrong("1 is 2".into()));
        let both = ["jit is wrong at scan: 1 is 2", "rust, ispc-avx2 not run: it is elsewhere"];
        assert_eq!(reasons(&[row.clone(), row])[1..], both);
    }

    #[test]
    fn means_are_geometric_and_over_rows_where_both_ran() {
        let row = |times: [Option<f64>; 3]| BenchRow {
            work: PeerWork::Scan,
            size: 1,
            entries: ["jit", "rust", "numba"]
                .into_iter()
                .zip(times)
                .map(|(name, ms)| RowEntry {
                    name: name.into(),
                    runs: ms.map(|ms| vec![ms]).ok_or_else(|| Out::NotRun("it is elsewhere".into())),
                })
                .collect(),
        };
        // Ratios of 2 and 1/8; the rows without one of both do not count.
        let mut rows = vec![
            row([Some(6.0), Some(3.0), None]),
            row([Some(1.0), Some(8.0), None]),
            row([None, Some(5.0), Some(1.0)]),
            row([Some(5.0), None, None]),
        ];
        let found = means(&rows, By::Median);
        assert_eq!((found[0].name.as_str(), found[0].rows), ("rust", 2));
        assert_abs_diff_eq!(found[0].ratio.expect("two rows"), 0.5, epsilon = 1e-12);
        assert_eq!(found[1], MeanRecord { name: "numba".into(), ratio: None, rows: 0 });
        assert!(means_line(&rows, By::Median).ends_with("0.50x of 2       -"));

        rows.truncate(1);
        assert_abs_diff_eq!(means(&rows, By::Median)[0].ratio.expect("one row"), 2.0, epsilon = 1e-12);
        assert_eq!(means(&[], By::Median), []);
    }
}
