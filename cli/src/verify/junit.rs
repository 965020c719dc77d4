//! The report for continuous integration: JUnit's XML, as GitLab, Jenkins and actions of GitHub read it. A
//! suite is a target or an accelerator; a case that did not run is skipped.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use tilewise_conformance::library;
use tilewise_conformance::verdict::Verdict;

use super::VerifyRun;

/// A case of the report.
struct JunitCase<'r> {
    group: &'r str,
    name: &'r str,
    verdict: &'r Verdict,
    time: Duration,
    command: String,
}

/// The report as text.
pub(super) fn report(done: &VerifyRun) -> String {
    let mut suites: BTreeMap<&str, Vec<JunitCase<'_>>> = BTreeMap::new();
    for judged in &done.judged {
        let (case, verdict, time) = (judged.case, &judged.verdict, judged.time);
        let reported = JunitCase { group: case.group(), name: case.name, verdict, time, command: case.command() };
        suites.entry(case.target.name()).or_default().push(reported);
    }
    for judged in &done.checked {
        let (name, command) = (judged.case.check.name, judged.case.command());
        let reported = JunitCase { group: library::GROUP, name, verdict: &judged.verdict, time: judged.time, command };
        suites.entry(judged.case.accelerator.path()).or_default().push(reported);
    }
    let all: Vec<&JunitCase<'_>> = suites.values().flatten().collect();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tilewise\" {}>\n",
        numbers(&all, done.time)
    );
    for (on, cases) in &suites {
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
                let text = escape(&format!("{reason}\nrepeat: {}", self.command));
                writeln!(out, ">\n      <failure message=\"{first}\" type=\"fail\">{text}</failure>\n    </testcase>")
            }
            Verdict::Unsupported(_) | Verdict::NotRun(_) => {
                let word = self.verdict.name();
                writeln!(out, ">\n      <skipped message=\"{word}: {first}\"/>\n    </testcase>")
            }
        };
    }
}

/// Text of XML 1.0, which has no control characters but tabs and line ends.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use expect_test::expect;
    use tilewise_conformance::kir::FilePlace;
    use tilewise_conformance::suite::{CaseKind, JudgedCase, SuiteCase};
    use tilewise_conformance::target::SuiteTarget;
    use tilewise_conformance::verdict::Problem;

    use super::*;

    #[test]
    fn a_report_counts_and_escapes() {
        let judged = |name, verdict| JudgedCase {
            case: SuiteCase { name, kind: CaseKind::File(""), target: SuiteTarget::Jit },
            verdict,
            forms: BTreeSet::new(),
            time: Duration::from_millis(1500),
        };
        let at = FilePlace { line: 2, column: 5 };
        let problem = Problem { path: "a/b.kir".to_owned(), at, message: "\"1\" < 2 && \u{1b}\nmore".to_owned() };
        let judged = vec![
            judged("a/b.kir", Verdict::Fail(vec![problem])),
            judged("a/c.kir", Verdict::Pass),
            judged("a/d.kir", Verdict::NotRun("no GPU".to_owned())),
        ];
        let done = VerifyRun { judged, checked: Vec::new(), time: Duration::from_secs(2) };
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="tilewise" tests="3" failures="1" errors="0" skipped="1" time="2.000">
              <testsuite name="jit" tests="3" failures="1" errors="0" skipped="1" time="4.500">
                <testcase classname="jit.a" name="a/b.kir" time="1.500">
                  <failure message="a/b.kir:2:5: &quot;1&quot; &lt; 2 &amp;&amp; �" type="fail">a/b.kir:2:5: &quot;1&quot; &lt; 2 &amp;&amp; �
            more
            repeat: tilewise verify a/b.kir --target jit</failure>
                </testcase>
                <testcase classname="jit.a" name="a/c.kir" time="1.500"/>
                <testcase classname="jit.a" name="a/d.kir" time="1.500">
                  <skipped message="not-run: no GPU"/>
                </testcase>
              </testsuite>
            </testsuites>
        "#]]
        .assert_eq(&report(&done));
    }
}
