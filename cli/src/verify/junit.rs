//! The report for continuous integration: the cases of a run of `verify` as JUnit's XML.

use std::collections::BTreeMap;

use tilewise_conformance::junit::{self, JunitCase};
use tilewise_conformance::library;

use super::VerifyRun;

/// The report as text.
pub(super) fn report(done: &VerifyRun) -> String {
    let mut suites: BTreeMap<&str, Vec<JunitCase<'_>>> = BTreeMap::new();
    for judged in &done.judged {
        let (case, verdict, time) = (judged.case, &judged.verdict, judged.time);
        let command = Some(case.command(done.tolerance.unwrap_or_default()));
        let reported = JunitCase { group: case.group(), name: case.name, verdict, time, command };
        suites.entry(case.target.name()).or_default().push(reported);
    }
    for judged in &done.checked {
        let (name, command) = (judged.case.check.name, Some(judged.case.command()));
        let reported = JunitCase { group: library::GROUP, name, verdict: &judged.verdict, time: judged.time, command };
        suites.entry(judged.case.accelerator.path()).or_default().push(reported);
    }
    junit::report(&suites, done.time)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use expect_test::expect;
    use tilewise_conformance::kir::FilePlace;
    use tilewise_conformance::suite::{CaseKind, JudgedCase, SuiteCase};
    use tilewise_conformance::target::SuiteTarget;
    use tilewise_conformance::verdict::{Problem, Verdict};

    use super::*;

    #[test]
    fn a_report_counts_and_escapes() {
        let judged = |name, verdict| JudgedCase {
            case: SuiteCase { name, kind: CaseKind::File(""), target: SuiteTarget::Jit },
            verdict,
            forms: BTreeSet::new(),
            within_tolerance: false,
            time: Duration::from_millis(1500),
        };
        let at = FilePlace { line: 2, column: 5 };
        let problem = Problem { path: "a/b.kir".to_owned(), at, message: "\"1\" < 2 && \u{1b}\nmore".to_owned() };
        let judged = vec![
            judged("a/b.kir", Verdict::Fail(vec![problem])),
            judged("a/c.kir", Verdict::Pass),
            judged("a/d.kir", Verdict::NotRun("no GPU".to_owned())),
        ];
        let done = VerifyRun { judged, checked: Vec::new(), tolerance: None, time: Duration::from_secs(2) };
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
