//! The cases of the page, by group and test: a test's kernel stands there once, whatever the number of
//! targets that ran it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use tilewise_conformance::corpus;
use tilewise_conformance::library;
use tilewise_conformance::page::{HtmlText, escape, time};
use tilewise_conformance::verdict::Verdict;

use super::matrix::FILES_OF_USERS;
use crate::verify::VerifyRun;

/// A test on one target or accelerator.
struct TestRun<'r> {
    on: &'r str,
    verdict: &'r Verdict,
    time: Duration,
    command: String,
}

/// A test with all its runs.
struct ReportedTest<'r> {
    name: &'r str,
    /// The text of the file; of a check of the library, nothing.
    text: Cow<'r, str>,
    runs: Vec<TestRun<'r>>,
}

/// The tests of each group.
fn by_group(done: &VerifyRun) -> BTreeMap<&str, Vec<ReportedTest<'_>>> {
    let mut groups: BTreeMap<&str, BTreeMap<&str, ReportedTest<'_>>> = BTreeMap::new();
    let mut add = |group, name, text, run| {
        let test = groups.entry(group).or_default().entry(name);
        test.or_insert_with(|| ReportedTest { name, text, runs: Vec::new() }).runs.push(run);
    };
    let tolerance = done.tolerance.unwrap_or_default();
    for judged in &done.judged {
        let case = judged.case;
        let (verdict, time, command) = (&judged.verdict, judged.time, case.command(tolerance));
        let run = TestRun { on: case.target.name(), verdict, time, command };
        add(corpus::group(case.name), case.name, case.text(), run);
    }
    for judged in &done.checked {
        let (verdict, time, command) = (&judged.verdict, judged.time, judged.case.command());
        let run = TestRun { on: judged.case.accelerator.path(), verdict, time, command };
        add(library::GROUP, judged.case.check.name, Cow::Borrowed(""), run);
    }
    groups.into_iter().map(|(group, tests)| (group, tests.into_values().collect())).collect()
}

/// Links to all that failed, above everything else.
pub(super) fn failures(done: &VerifyRun, page: &mut HtmlText) {
    let groups = by_group(done);
    let failed: Vec<(&str, &str)> = groups
        .values()
        .flatten()
        .flat_map(|test| test.runs.iter().map(move |run| (test.name, run)))
        .filter(|(_, run)| matches!(run.verdict, Verdict::Fail(_)))
        .map(|(name, run)| (name, run.on))
        .collect();
    if failed.is_empty() {
        return;
    }
    page.add(format_args!("<h2>Failures</h2>\n<ul>\n"));
    for (name, on) in failed {
        let (name, on) = (escape(name), escape(on));
        // A browser takes `%41` in a link for `A`.
        let link = name.replace('%', "%25");
        page.add(format_args!("<li><a href=\"#case-{link}\">{name} on {on}</a></li>\n"));
    }
    page.add(format_args!("</ul>\n"));
}

/// All cases.
pub(super) fn cases(done: &VerifyRun, page: &mut HtmlText) {
    for (group, tests) in by_group(done) {
        let name = if group.is_empty() { FILES_OF_USERS } else { group };
        let (group, name) = (escape(group), escape(name));
        page.add(format_args!("<section class=\"group\" id=\"group-{group}\"><h3>{name}</h3>\n"));
        tests.iter().for_each(|test| add_test(test, page));
        page.add(format_args!("</section>\n"));
    }
}

fn add_test(test: &ReportedTest<'_>, page: &mut HtmlText) {
    let about = description(test.name, &test.text);
    let is_failure = test.runs.iter().any(|run| matches!(run.verdict, Verdict::Fail(_)));
    let open = if is_failure { " open" } else { "" };
    let name = escape(test.name);
    let about = escape(&about);
    page.add(format_args!(
        "<details class=\"file\" id=\"case-{name}\" data-text=\"{}\"{open}><summary>",
        format!("{name} {about}").to_lowercase()
    ));
    for word in ["fail", "unsupported", "not-run", "pass"] {
        let count = test.runs.iter().filter(|run| run.verdict.name() == word).count();
        if count > 0 {
            page.add(format_args!("<span class=\"chip {word}\">{count} {word}</span> "));
        }
    }
    page.add(format_args!("{name} <span class=\"about\">{about}</span></summary>\n<table class=\"runs\">"));
    for run in &test.runs {
        let (on, word) = (escape(run.on), run.verdict.name());
        page.add(format_args!(
            "<tr data-on=\"{on}\" data-verdict=\"{word}\"><th scope=\"row\">{on}<td class=\"{word}\">{word}<td>{}",
            time(run.time)
        ));
    }
    page.add(format_args!("</table>\n"));
    for run in &test.runs {
        let Some(reason) = run.verdict.reason() else { continue };
        let (on, word) = (escape(run.on), run.verdict.name());
        page.add(format_args!(
            "<p><span class=\"{word}\">{word}</span> on {on}:</p><pre class=\"reason\">{}</pre>\n<p>Repeat it: <code>{}</code></p>\n",
            escape(&reason),
            escape(&run.command)
        ));
    }
    if let Some(run) = test.runs.iter().find(|run| matches!(run.verdict, Verdict::Pass)) {
        page.add(format_args!("<p>Repeat it: <code>{}</code></p>\n", escape(&run.command)));
    }
    if !test.text.is_empty() {
        page.add(format_args!("<pre tabindex=\"0\" aria-label=\"the test\">{}</pre>\n", escape(&test.text)));
    }
    page.add(format_args!("</details>\n"));
}

/// One line on a test: the comment at the beginning of a file, or the words of a check's name.
pub(crate) fn description(name: &str, text: &str) -> String {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let first = lines.next().unwrap_or_default();
    if first.trim_end() == "#!amber" {
        let second = lines.next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
        return second.trim().to_owned();
    }
    match first.strip_prefix("//").filter(|rest| !rest.starts_with('!')) {
        Some(comment) => comment.trim().to_owned(),
        None if text.is_empty() => name.rsplit('/').next().unwrap_or(name).replace('_', " "),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_described_by_its_first_comment() {
        assert_eq!(description("a.kir", "// Adds.\n//! domain 4\n"), "Adds.");
        assert_eq!(description("a.kir", "//! domain 4\n"), "");
        assert_eq!(description("a.amber", "#!amber\n# Adds.\nRUN p 1 1 1\n"), "Adds.");
        assert_eq!(description("a.amber", "#!amber\nRUN p 1 1 1\n"), "");
        assert_eq!(description("library/a_copy_is_whole", ""), "a copy is whole");
        let without: Vec<&str> =
            corpus::FILES.iter().filter(|(name, text)| description(name, text).is_empty()).map(|file| file.0).collect();
        assert_eq!(without, Vec::<&str>::new(), "every file test says in its first line what it tests");
    }
}
