//! The report for people: one page that needs nothing else. A little script filters its cases; all
//! contents are there without it.

mod cases;
mod matrix;
#[cfg(feature = "accuracy")]
mod plots;
mod section;

use tilewise_conformance::page::{self, HtmlText, escape, thousands};
use tilewise_conformance::tolerance::Tolerance;

use super::VerifyRun;
use super::gpu::FirstGpu;
use crate::host;

pub(crate) use cases::description;
#[cfg(feature = "accuracy")]
pub(super) use plots::accuracy_section;
pub(crate) use section::ReportSection;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The meaning of each verdict, and what is to be done.
const LEGEND: [(&str, &str, &str); 4] = [
    ("pass", "pass", "All results are the expected ones, bit for bit; any NaN is as good as another."),
    ("fail", "fail", "A result differs, or the run crashed or did not end: a bug of Tilewise, or of the GPU's driver."),
    ("unsupported", "unsupported", "The target lacks a feature that the test needs. It does not count as passed."),
    (
        "not-run",
        "not run",
        "The test says nothing about the target here: the machine lacks it, or the file is for others, or a Relaxed GPU may compute floats in another way. It does not count as passed.",
    ),
];

/// The page.
pub(super) fn report(
    done: &VerifyRun,
    gpu: Option<&FirstGpu>,
    passed: bool,
    sections: &[ReportSection],
    devices_keep: bool,
) -> String {
    let mut page = page::begin("Tilewise conformance", STYLE);
    page.add(format_args!(
        "<a class=\"skip\" href=\"#cases\">Skip to the cases</a>\n<header><h1>Tilewise conformance</h1>\n"
    ));
    verdict(done, passed, devices_keep, &mut page);
    if !sections.is_empty() {
        let links = sections.iter().map(|section| {
            let (id, title) = (escape(&section.id), escape(&section.title));
            format!("<a href=\"#{id}\">{title}</a>")
        });
        page.add(format_args!("<p>Also on this page: {}.</p>\n", links.collect::<Vec<_>>().join(", ")));
    }
    machine(done, gpu, &mut page);
    page.add(format_args!("</header>\n<main>\n"));
    cases::failures(done, &mut page);
    let rows = done.table();
    page.add(format_args!(
        "<h2 id=\"matrix-title\">Groups and targets</h2>\n<p>How many tests of a group pass on a target, a way to run \
         kernels. A number leads to the tests.</p>\n"
    ));
    matrix::matrix(&rows, &mut page);
    page.add(format_args!("<details open><summary>What the words mean</summary><dl>\n"));
    for (class, word, meaning) in LEGEND {
        page.add(format_args!("<dt><span class=\"chip {class}\">{word}</span></dt><dd>{meaning}</dd>\n"));
    }
    page.add(format_args!("</dl></details>\n"));
    page.add(format_args!("<h2 id=\"cases\" tabindex=\"-1\">Cases</h2>\n"));
    filter(&matrix::columns(&rows), &mut page);
    cases::cases(done, &mut page);
    sections.iter().for_each(|section| section.add_to(&mut page));
    page.add(format_args!("</main>\n<script>{SCRIPT}</script>\n"));
    page::end(page)
}

fn verdict(done: &VerifyRun, passed: bool, devices_keep: bool, page: &mut HtmlText) {
    let total = done.total();
    let run = total.pass + total.fail;
    let (class, word) = if passed { ("pass", "Passed") } else { ("fail", "Failed") };
    let pass = match run {
        0 => "nothing was executed".to_owned(),
        _ => format!("{} of {} cases pass", thousands(total.pass), thousands(run)),
    };
    page.add(format_args!("<p class=\"verdict {class}\"><strong>{word}:</strong> {pass}"));
    for (count, word) in [(total.fail, "fail"), (total.unsupported, "are unsupported"), (total.not_run, "were not run")]
    {
        if count > 0 {
            page.add(format_args!(", {} {word}", thousands(count)));
        }
    }
    if let Some(Tolerance { absolute, relative }) = done.tolerance {
        let near = thousands(done.judged.iter().filter(|judged| super::is_near(judged)).count());
        page.add(format_args!(
            "; floats may differ by {absolute:e} and a part of {relative:e}, and {near} cases pass only within that"
        ));
    }
    if !devices_keep {
        page.add(format_args!(
            ", and a built-in function of a GPU is less exact than <a href=\"#accuracy\">promised</a>"
        ));
    }
    page.add(format_args!(".</p>\n"));
}

fn machine(done: &VerifyRun, gpu: Option<&FirstGpu>, page: &mut HtmlText) {
    let host = host::host();
    page.add(format_args!(
        "<dl><dt>Tested</dt><dd>Tilewise {}: {} file tests, kernels with known results, on targets, and {} programs that \
         use the library on accelerators</dd>\n<dt>Processor</dt><dd>{}, {} threads, {} {}</dd>\n",
        env!("CARGO_PKG_VERSION"),
        thousands(distinct(&mut done.judged.iter().map(|judged| judged.case.name))),
        thousands(distinct(&mut done.checked.iter().map(|judged| judged.case.check.name))),
        escape(&host.cpu),
        host.threads,
        host.os,
        host.architecture
    ));
    let lines = gpu.map_or_else(|| vec!["none ran a case".to_owned()], FirstGpu::lines);
    let mut lines = lines.iter().map(|line| escape(line.strip_prefix("GPU: ").unwrap_or(line).trim()));
    page.add(format_args!("<dt>GPU and driver</dt><dd>{}", lines.next().unwrap_or_default()));
    let replaced: Vec<String> = lines.collect();
    if !replaced.is_empty() {
        let count = replaced.len();
        page.add(format_args!(
            "<details><summary>{count} operations of the driver that Tilewise replaces</summary><ul><li>{}</ul></details>",
            replaced.join("<li>")
        ));
    }
    page.add(format_args!("</dd>\n"));
    page.add(format_args!("<dt>Time</dt><dd>{}</dd></dl>\n", page::time(done.time)));
}

/// The number of different names.
fn distinct(names: &mut dyn Iterator<Item = &'static str>) -> usize {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// The form that filters cases; the script shows it.
fn filter(places: &[&str], page: &mut HtmlText) {
    page.add(format_args!(
        "<form id=\"filter\" role=\"search\" aria-label=\"Filter the cases\" hidden>\
         <label>Name or words<input name=\"text\" type=\"search\" autocomplete=\"off\"></label>\n\
         <label>Verdict<select name=\"verdict\"><option value=\"\">any</option>"
    ));
    for (class, word, _) in LEGEND {
        page.add(format_args!("<option value=\"{class}\">{word}</option>"));
    }
    page.add(format_args!("</select></label>\n<label>Target<select name=\"on\"><option value=\"\">any</option>"));
    places.iter().map(|on| escape(on)).for_each(|on| page.add(format_args!("<option>{on}</option>")));
    page.add(format_args!(
        "</select></label>\n<button type=\"reset\">Show all</button>\n<output id=\"shown\" aria-live=\"polite\"></output></form>\n"
    ));
}
