//! Prints the table, and the same as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::bar::{self, Against, BarVerdict};
use super::contestant::Out;
use super::program;
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
fn digits(ms: f64) -> String {
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
    entry.name.starts_with("rust") || entry.name.starts_with("ispc") || entry.name == program::NUMBA
}

/// The first contestant beside another one, over the rows where both ran.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeanRatio<'r> {
    /// The other one.
    pub name: &'r str,
    /// The geometric mean of the ratios of the first one's time to the other's.
    pub ratio: Option<f64>,
    /// The number of rows.
    pub rows: usize,
}

/// The mean ratio of the first contestant to each other one. All rows have the same contestants.
pub fn means<'r>(rows: &'r [BenchRow], by: By) -> Vec<MeanRatio<'r>> {
    let others = rows.first().map(|row| row.entries.get(1..).unwrap_or_default()).unwrap_or_default();
    let mean = |(number, other): (usize, &'r RowEntry)| {
        let ratio = |row: &BenchRow| Some(row.entries[0].run(by)? / row.entries.get(number)?.run(by)?);
        let logarithms: Vec<f64> = rows.iter().filter_map(ratio).map(f64::ln).collect();
        let count = logarithms.len();
        let ratio = (count > 0).then(|| (logarithms.iter().sum::<f64>() / count as f64).exp());
        MeanRatio { name: &other.name, ratio, rows: count }
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

/// The reasons why contestants have no times, each once.
pub fn reasons(rows: &[BenchRow]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for row in rows {
        for entry in &row.entries {
            let line = match &entry.runs {
                Ok(_) => continue,
                Err(Out::NotRun(reason)) => format!("{} not run: {reason}", entry.name),
                Err(Out::Wrong(reason)) => format!("{} is wrong at {}: {reason}", entry.name, row.work),
            };
            if !out.contains(&line) {
                out.push(line);
            }
        }
    }
    out
}

/// Whether any contestant gave a wrong result.
pub fn any_wrong(rows: &[BenchRow]) -> bool {
    rows.iter().flat_map(|row| &row.entries).any(|entry| matches!(entry.runs, Err(Out::Wrong(_))))
}

/// All results, for programs.
#[derive(Serialize)]
pub struct Json<'r> {
    /// Workers of each contestant.
    pub threads: usize,
    /// The run of each contestant that the ratios use.
    pub compared: &'static str,
    /// The cores that all were pinned to, if they were.
    pub cores: Option<String>,
    /// The processor's name by the operating system.
    pub processor: Option<String>,
    /// The table.
    pub rows: Vec<JsonRow<'r>>,
    /// The first contestant beside each other one.
    pub means: Vec<MeanRatio<'r>>,
}

/// One kind of work.
#[derive(Serialize)]
pub struct JsonRow<'r> {
    work: &'r str,
    size: usize,
    bar: Option<f64>,
    against: Option<&'r str>,
    ratio: Option<f64>,
    met: Option<bool>,
    contestants: Vec<JsonEntry<'r>>,
}

/// One contestant.
#[derive(Serialize)]
pub struct JsonEntry<'r> {
    name: &'r str,
    median_ms: Option<f64>,
    min_ms: Option<f64>,
    max_ms: Option<f64>,
    runs_ms: &'r [f64],
    wrong: Option<&'r str>,
    not_run: Option<&'r str>,
}

impl<'r> JsonRow<'r> {
    /// The same as data.
    pub fn new(row: &'r BenchRow, by: By) -> Self {
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
        let contestants = row.entries.iter().map(JsonEntry::new).collect();
        JsonRow {
            work: row.work.name(),
            size: row.size,
            bar: bar.map(|bar| bar.factor),
            against,
            ratio,
            met,
            contestants,
        }
    }
}

impl<'r> JsonEntry<'r> {
    fn new(entry: &'r RowEntry) -> Self {
        let (wrong, not_run) = match &entry.runs {
            Ok(_) => (None, None),
            Err(Out::Wrong(reason)) => (Some(reason.as_str()), None),
            Err(Out::NotRun(reason)) => (None, Some(reason.as_str())),
        };
        JsonEntry {
            name: &entry.name,
            median_ms: entry.median(),
            min_ms: entry.range().map(|range| range.0),
            max_ms: entry.range().map(|range| range.1),
            runs_ms: entry.runs.as_deref().unwrap_or_default(),
            wrong,
            not_run,
        }
    }
}

/// The processor's name by Linux.
pub fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
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
        assert_eq!(reasons(&[row]), ["ispc-avx2 not run: it is elsewhere"]);
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
        assert_eq!((found[0].name, found[0].rows), ("rust", 2));
        assert_abs_diff_eq!(found[0].ratio.expect("two rows"), 0.5, epsilon = 1e-12);
        assert_eq!(found[1], MeanRatio { name: "numba", ratio: None, rows: 0 });
        assert!(means_line(&rows, By::Median).ends_with("0.50x of 2       -"));

        rows.truncate(1);
        assert_abs_diff_eq!(means(&rows, By::Median)[0].ratio.expect("one row"), 2.0, epsilon = 1e-12);
        assert_eq!(means(&[], By::Median), []);
    }
}
