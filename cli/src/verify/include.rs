//! `--include FILE`: sections of the page from the JSON reports of `tilewise litmus`, `tilewise faults` and
//! `tilewise accuracy --device`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tilewise_conformance::input_file;
use tilewise_conformance::litmus::run::OutcomeClass;
use tilewise_conformance::page::{HtmlText, escape, thousands};

use super::html::ReportSection;
use crate::console::CommandError;
use crate::litmus::{LitmusReport, RecordedRace};
use crate::report_file::reads_version;

/// The part of a report of planted faults.
#[derive(Deserialize)]
struct FaultsReport {
    schema: u32,
    faults: Vec<PlantedFault>,
}

#[derive(Deserialize)]
struct PlantedFault {
    name: String,
    mistake: String,
    end: String,
    #[serde(default)]
    by: String,
}

/// The section of a report, whichever of the three it is.
pub(super) fn section(path: &Path) -> Result<ReportSection, CommandError> {
    let shown = path.display();
    let help =
        "name a file that `--json` of `tilewise litmus`, `tilewise faults` or `tilewise accuracy --device` wrote";
    let text = input_file::text(path)
        .map_err(|error| CommandError::new(format!("`--include`: cannot read `{shown}`: {error}"), help))?;
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| CommandError::new(format!("`--include`: `{shown}` is no JSON report: {error}"), help))?;
    let has = |key: &str| value.get(key).is_some_and(serde_json::Value::is_array);
    let other_form = |error: serde_json::Error| {
        let message = format!("`--include`: `{shown}` is no report of this version: {error}");
        CommandError::new(message, help)
    };
    if has("tests") {
        let report: LitmusReport = serde_json::from_value(value).map_err(other_form)?;
        report.check_version(path)?;
        Ok(litmus(&report))
    } else if has("faults") {
        let report: FaultsReport = serde_json::from_value(value).map_err(other_form)?;
        reads_version(path, report.schema, crate::faults::SCHEMA)?;
        Ok(faults(&report))
    } else if has("devices") {
        devices(value, path)
    } else {
        let message = format!("`--include`: `{shown}` is none of the reports that the page can show");
        Err(CommandError::new(message, help))
    }
}

#[cfg(feature = "accuracy")]
fn devices(value: serde_json::Value, path: &Path) -> Result<ReportSection, CommandError> {
    let report: crate::device_accuracy::DevicesJson = serde_json::from_value(value).map_err(|error| {
        let message = format!("`--include`: `{}` is no report of this version: {error}", path.display());
        CommandError::new(message, "measure again: `tilewise accuracy --device --json FILE`")
    })?;
    Ok(super::html::accuracy_section(&report.devices(path)?))
}

#[cfg(not(feature = "accuracy"))]
fn devices(_: serde_json::Value, path: &Path) -> Result<ReportSection, CommandError> {
    let message = format!("`--include`: `{}` is of measured devices, which this program cannot show", path.display());
    Err(CommandError::new(message, "build it with the feature `accuracy`, which is on by default"))
}

fn litmus(report: &LitmusReport) -> ReportSection {
    let mut page = HtmlText::default();
    let mut targets: BTreeMap<&str, Vec<&RecordedRace>> = BTreeMap::new();
    report.tests.iter().for_each(|test| targets.entry(&test.target).or_default().push(test));
    for (target, tests) in &targets {
        let failed = tests.iter().filter(|test| test.failed).count();
        let not_run = tests.iter().filter(|test| test.is_not_run()).count();
        // A report is no more than a file: its numbers may be any.
        let instances = tests.iter().fold(0, |sum: u64, test| sum.saturating_add(test.instances));
        let (class, word) = match (failed, not_run) {
            (0, 0) => ("pass", "no outcome that is forbidden was seen".to_owned()),
            (0, _) if not_run == tests.len() => ("not-run", "no test ran".to_owned()),
            (0, _) => ("pass", format!("no outcome that is forbidden was seen, {not_run} tests not run")),
            (1, _) => ("fail", "a test fails".to_owned()),
            (_, _) => ("fail", format!("{failed} tests fail")),
        };
        let (target, count) = (escape(target), tests.len());
        page.add(format_args!(
            "<details{}><summary><span class=\"chip {class}\">{word}</span> {target}: {} tests, {} instances</summary>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"litmus tests on {target}\"><table><thead><tr>\
             <th scope=\"col\">test</th><th scope=\"col\">instances</th><th scope=\"col\">strong seen</th>\
             <th scope=\"col\">weak seen</th><th scope=\"col\">forbidden seen</th></tr></thead><tbody>\n",
            if failed > 0 { " open" } else { "" },
            thousands(count),
            thousands(usize::try_from(instances).unwrap_or(usize::MAX)),
        ));
        for test in tests {
            let of = |class| {
                let (seen, all) = test.of(class);
                format!("{seen} of {all}")
            };
            let class = match (test.failed, test.is_not_run()) {
                (true, _) => " class=\"fail\"",
                (false, true) => " class=\"not-run\"",
                (false, false) => "",
            };
            page.add(format_args!(
                "<tr{class}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escape(&test.name),
                thousands(usize::try_from(test.instances).unwrap_or(usize::MAX)),
                of(OutcomeClass::Strong),
                of(OutcomeClass::Weak),
                of(OutcomeClass::Forbidden),
            ));
            if let Some(reason) = &test.reason {
                page.add(format_args!("<tr><td colspan=\"5\" class=\"reason\">{}</td></tr>\n", escape(reason)));
            }
        }
        page.add(format_args!("</tbody></table></div></details>\n"));
    }
    ReportSection {
        id: "litmus".to_owned(),
        title: "Litmus tests".to_owned(),
        intro:
            "Small races between threads, run many times. The memory model allows strong outcomes, which some order \
                of all accesses explains, and weak ones, which need not be seen; one that it forbids is a failure."
                .to_owned(),
        html: page.text,
    }
}

fn faults(report: &FaultsReport) -> ReportSection {
    let mut page = HtmlText::default();
    let is_found = |fault: &&PlantedFault| matches!(fault.end.as_str(), "failed" | "crashed" | "hung");
    let survived = |fault: &&PlantedFault| matches!(fault.end.as_str(), "survived" | "not-reached");
    let (found, lost) = (report.faults.iter().filter(is_found).count(), report.faults.iter().filter(survived).count());
    let (class, word) = match (found, lost) {
        (0, 0) => ("not-run", "none was planted".to_owned()),
        (_, 0) => ("pass", format!("{found} of {found} found")),
        (_, _) => ("fail", format!("{found} of {} found", found + lost)),
    };
    page.add(format_args!("<p><span class=\"chip {class}\">{word}</span></p>\n"));
    let mut areas: BTreeMap<&str, Vec<&PlantedFault>> = BTreeMap::new();
    for fault in &report.faults {
        areas.entry(fault.name.split('/').next().unwrap_or_default()).or_default().push(fault);
    }
    for (area, faults) in &areas {
        let found = faults.iter().copied().filter(|fault| is_found(fault)).count();
        let lost = faults.iter().copied().filter(|fault| survived(fault)).count();
        page.add(format_args!(
            "<details{}><summary>{}: {found} of {} found</summary><dl>\n",
            if lost > 0 { " open" } else { "" },
            escape(area),
            found + lost
        ));
        for fault in faults {
            let (class, word) = match fault.end.as_str() {
                "failed" => ("pass", "found by"),
                "crashed" => ("pass", "found by a crash of"),
                "hung" => ("pass", "found by a hang of"),
                "survived" | "not-reached" => ("fail", "survived"),
                _ => ("not-run", "not run:"),
            };
            page.add(format_args!(
                "<dt>{}</dt><dd>{} <span class=\"{class}\">{word} {}</span></dd>\n",
                escape(&fault.name),
                escape(&fault.mistake),
                escape(&fault.by)
            ));
        }
        page.add(format_args!("</dl></details>\n"));
    }
    ReportSection {
        id: "faults".to_owned(),
        title: "Planted faults".to_owned(),
        intro: "Mistakes that were planted in Tilewise on purpose, one at a time, and the first test that failed with \
                each. One that survives shows that a test is missing."
            .to_owned(),
        html: page.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn litmus_of(tests: &str) -> String {
        let text = format!(r#"{{"schema": 1, "host": {{"cpu": "c"}}, "tests": [{tests}]}}"#);
        litmus(&serde_json::from_str(&text).unwrap()).html
    }

    #[test]
    fn races_that_did_not_run_are_no_pass() {
        let test = |instances: u64, more: &str| {
            format!(
                r#"{{"name": "mp", "target": "jit", "instances": {instances}, "failed": false{more}, "outcomes": []}}"#
            )
        };
        let none = litmus_of(&[test(0, ""), test(0, r#", "not_run": true"#)].join(", "));
        assert!(none.contains("chip not-run\">no test ran") && !none.contains("chip pass"), "{none}");
        let one = litmus_of(&[test(0, ""), test(5, "")].join(", "));
        assert!(one.contains("chip pass\">no outcome that is forbidden was seen, 1 tests not run"), "{one}");
        // The sum is beyond all numbers.
        let most = litmus_of(&[test(u64::MAX, ""), test(u64::MAX, "")].join(", "));
        assert!(most.contains("18,446,744,073,709,551,615 instances"), "{most}");
    }

    #[test]
    fn a_report_of_another_version_is_refused() {
        let path = std::env::temp_dir().join(format!("tilewise-include-{}.json", std::process::id()));
        for rest in [r#""host": {"cpu": "c"}, "tests": []"#, r#""faults": []"#, r#""devices": []"#] {
            std::fs::write(&path, format!(r#"{{"schema": 7, {rest}}}"#)).unwrap();
            let refused = section(&path).err().map(|error| error.message).unwrap_or_default();
            assert!(refused.contains("has version 7 of reports"), "{rest}: {refused}");
            std::fs::write(&path, format!(r#"{{"schema": 1, {rest}}}"#)).unwrap();
            assert!(section(&path).is_ok(), "{rest}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn faults_that_were_not_planted_are_no_pass() {
        let fault = |end: &str| format!(r#"{{"name": "math/one", "mistake": "A mistake.", "end": "{end}"}}"#);
        let page = |list: &str| {
            faults(&serde_json::from_str(&format!(r#"{{"schema": 1, "faults": [{list}]}}"#)).unwrap()).html
        };
        assert!(page(&fault("not-run")).contains("chip not-run\">none was planted"));
        assert!(page(&fault("failed")).contains("chip pass\">1 of 1 found"));
        assert!(page(&[fault("failed"), fault("survived")].join(", ")).contains("chip fail\">1 of 2 found"));
    }
}
