//! The table of groups and targets.

use std::fmt::Write as _;

use super::VerifyRun;
use crate::console::{Console, Paint};

/// One line for each group and target, or accelerator.
pub(super) fn table(done: &VerifyRun, console: &Console) -> String {
    let rows = done.table();
    let widest = |title: &str, words: &mut dyn Iterator<Item = usize>| words.max().unwrap_or(0).max(title.len());
    let group = widest("group", &mut rows.iter().map(|row| row.0.len()));
    let target = widest("target", &mut rows.iter().map(|row| row.1.len()));
    let head = format!(
        "{:group$}  {:target$}  {:>6}  {:>6}  {:>11}  {:>7}",
        "group", "target", "pass", "fail", "unsupported", "not-run"
    );
    let head = if done.tolerance.is_some() { format!("{head}  within tolerance") } else { head };
    let mut out = format!("{}\n", console.paint(&head, Paint::Bold));
    for (name, on, counts) in rows {
        let fail = format!("{:>6}", counts.fail);
        let fail = if counts.fail > 0 { console.paint(&fail, Paint::Red) } else { fail };
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            out,
            "{name:group$}  {on:target$}  {:>6}  {fail}  {:>11}  {:>7}{}",
            counts.pass,
            counts.unsupported,
            counts.not_run,
            if done.tolerance.is_some() {
                format!("  {:>16}", done.within_tolerance(name, &on))
            } else {
                String::new()
            }
        );
    }
    out
}
