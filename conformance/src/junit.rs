//! The report for continuous integration: JUnit's XML, as GitLab, Jenkins and actions of GitHub read it. A
//! suite is a target or an accelerator; a case that did not run is skipped.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::page::escape;
use crate::verdict::Verdict;

/// A case of the report.
#[derive(Clone, Debug)]
pub struct JunitCase<'r> {
    /// Its group.
    pub group: &'r str,
    /// Its name.
    pub name: &'r str,
    /// The verdict.
    pub verdict: &'r Verdict,
    /// The running time.
    pub time: Duration,
    /// How to repeat it, if there is a command.
    pub command: Option<String>,
}

/// The report as text: the cases of each target, and the time that all took together.
pub fn report(suites: &BTreeMap<&str, Vec<JunitCase<'_>>>, time: Duration) -> String {
    let all: Vec<&JunitCase<'_>> = suites.values().flatten().collect();
    let mut out =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tilewise\" {}>\n", numbers(&all, time));
    for (on, cases) in suites {
        let all: Vec<&JunitCase<'_>> = cases.iter().collect();
        let time = cases.iter().map(|case| case.time).sum();
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  <testsuite name=\"{}\" {}>", escape(on), numbers(&all, time));
        cases.iter().for_each(|case| case.add_to(on, &mut out));
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

/// The attributes that count.
fn numbers(cases: &[&JunitCase<'_>], time: Duration) -> String {
    let count = |is: fn(&Verdict) -> bool| cases.iter().filter(|case| is(case.verdict)).count();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count(|verdict| matches!(verdict, Verdict::Fail(_))),
        count(|verdict| matches!(verdict, Verdict::Unsupported(_) | Verdict::NotRun(_))),
        time.as_secs_f64()
    )
}

impl JunitCase<'_> {
    fn add_to(&self, on: &str, out: &mut String) {
        let class = if self.group.is_empty() { on.to_owned() } else { format!("{on}.{}", self.group) };
        let _ = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
            escape(&class),
            escape(self.name),
            self.time.as_secs_f64()
        );
        let reason = self.verdict.reason().unwrap_or_default();
        let first = escape(reason.lines().next().unwrap_or_default());
        let _ = match self.verdict {
            Verdict::Pass => writeln!(out, "/>"),
            Verdict::Fail(_) => {
                let repeat = self.command.as_ref().map_or(String::new(), |command| format!("\nrepeat: {command}"));
                let text = escape(&format!("{reason}{repeat}"));
                writeln!(out, ">\n      <failure message=\"{first}\" type=\"fail\">{text}</failure>\n    </testcase>")
            }
            Verdict::Unsupported(_) | Verdict::NotRun(_) => {
                let word = self.verdict.name();
                writeln!(out, ">\n      <skipped message=\"{word}: {first}\"/>\n    </testcase>")
            }
        };
    }
}
