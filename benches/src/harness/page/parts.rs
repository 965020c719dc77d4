//! The parts of the page that are no charts.

use tilewise_conformance::page::{HtmlText, escape};

use super::chart::BarKind;
use super::count;
use crate::harness::compare::{ChangeVerdict, RaceChanges};
use crate::harness::record::{RaceRecord, RowRecord};
use crate::harness::report::{by_reason, digits};

/// A text in which words between backticks are code.
fn marked(text: &str) -> String {
    let text = escape(text);
    // An odd number of backticks is no markup.
    if !text.matches('`').count().is_multiple_of(2) {
        return text;
    }
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| if at.is_multiple_of(2) { part.to_owned() } else { format!("<code>{part}</code>") })
        .collect()
}

/// The title, how quiet the machine was, what changed, the machine and the settings.
pub(super) fn header(record: &RaceRecord, changes: Option<&RaceChanges>, page: &mut HtmlText) {
    let first = record.contestants.first().map_or("", |first| first.name.as_str());
    page.add(format_args!(
        "<header><h1>Tilewise benchmarks</h1>\n<p class=\"lead\">{}, each the same work by {} on one machine, in one race: \
         all take turns on the same cores, and their results are compared. <strong>{}</strong> is Tilewise.</p>\n",
        count(record.rows.len(), "kernel"),
        count(record.contestants.len(), "contestant"),
        escape(first)
    ));
    let findings = record.noise.findings();
    let (class, title) = match findings.is_empty() {
        true => ("pass", "The machine was quiet"),
        false => ("other", "The machine was noisy, and the times may be off"),
    };
    let said = if findings.is_empty() { record.noise.sentence() } else { findings.join("; ") };
    page.add(format_args!("<p class=\"verdict {class}\"><strong>{title}:</strong> {}.</p>\n", escape(&said)));
    if let Some(changes) = changes {
        let class = if changes.regressions().is_empty() { "pass" } else { "fail" };
        let said = escape(&changes.summary());
        page.add(format_args!(
            "<p class=\"verdict {class}\"><strong>Since <a href=\"#changes\">the earlier race</a>:</strong> {said}.</p>\n"
        ));
    }
    let machine = &record.machine;
    let release = machine.release.as_ref().map(|release| format!(" {release}")).unwrap_or_default();
    let features =
        if machine.features.is_empty() { String::new() } else { format!("; {}", machine.features.join(", ")) };
    let settings = &record.settings;
    let cores = match &settings.cores {
        Some(cores) => format!(", held to the cores {cores}"),
        None => ", not held to cores of their own".to_owned(),
    };
    let sizes = if settings.small { "; the small sizes of the tests, whose times say little" } else { "" };
    let build = if settings.release { "" } else { "; a program built for development, whose times say little" };
    let rows = [
        ("Processor", format!("{}, {}{features}", machine.processor, count(machine.threads, "thread"))),
        ("System", format!("{}{release}, {}", machine.os, machine.architecture)),
        ("Race", format!("{}, {:.0} s; Tilewise {}", record.date, record.seconds, record.tilewise)),
        (
            "Settings",
            format!(
                "{} of each contestant, {} counts; {}{cores}{sizes}{build}",
                count(settings.runs, "run"),
                settings.compared.in_words(),
                count(settings.threads, "thread")
            ),
        ),
    ];
    page.add(format_args!("<dl>\n"));
    for (name, text) in rows {
        page.add(format_args!("<dt>{name}</dt><dd>{}</dd>\n", escape(&text)));
    }
    page.add(format_args!("</dl></header>\n"));
}

/// What bars mean, and who the contestants are.
pub(super) fn how_to_read(record: &RaceRecord, is_cut: bool, page: &mut HtmlText) {
    let first = record.contestants.first().map_or(String::new(), |first| escape(&first.name));
    let run = record.settings.compared.in_words();
    let runs = record.settings.runs;
    page.add(format_args!(
        "<h2>How to read the charts</h2>\n<p><strong>Shorter is faster.</strong> A bar is the time of one contestant at one \
         kernel: {run} of its runs{}. Behind it stands the time in milliseconds, and how many times as long as {first} that \
         is: {first} is 1.00, and 2.00 took twice as long.",
        if runs > 1 { "; the thin line at its end spans from the shortest to the longest run" } else { "" }
    ));
    if is_cut {
        page.add(format_args!(" A bar that ends with \u{bb} is longer than the chart."));
    }
    page.add(format_args!("</p>\n<ul class=\"key\">"));
    let has = |ours: bool| record.contestants.iter().skip(1).any(|who| who.ours == ours);
    let keys = [
        (BarKind::First, first.clone(), true),
        (BarKind::Ours, "Tilewise in another way".to_owned(), has(true)),
        (BarKind::Others, "others".to_owned(), has(false)),
    ];
    for (kind, text, _) in keys.iter().filter(|key| key.2) {
        page.add(format_args!("<li><span class=\"swatch {}\"></span>{text}</li>", kind.class()));
    }
    if runs > 1 {
        page.add(format_args!("<li><span class=\"swatch range-key\"></span>shortest to longest run</li>"));
    }
    page.add(format_args!("</ul>\n<dl>\n"));
    for who in &record.contestants {
        page.add(format_args!("<dt>{}</dt><dd>{}</dd>\n", escape(&who.name), marked(&who.about)));
    }
    page.add(format_args!("</dl>\n"));
}

/// Links to the kernels.
pub(super) fn jump(record: &RaceRecord, page: &mut HtmlText) {
    if record.rows.len() < 2 {
        return;
    }
    page.add(format_args!("<ul class=\"jump\">"));
    for name in record.rows.iter().map(|row| escape(&row.work)) {
        page.add(format_args!("<li><a href=\"#kernel-{name}\">{name}</a></li>"));
    }
    page.add(format_args!("</ul>\n"));
}

/// Below a chart: who gave a wrong result, the bar that the kernel has to keep, what disturbed, who did not run.
pub(super) fn below_chart(record: &RaceRecord, row: &RowRecord, page: &mut HtmlText) {
    let mut add = |class: &str, text: &str| page.add(format_args!("<p class=\"small {class}\">{}</p>\n", marked(text)));
    for entry in &row.contestants {
        if let Some(reason) = &entry.wrong {
            add("fail", &format!("{}: WRONG: {reason}", entry.name));
        }
    }
    if let (Some(factor), Some(against), Some(first)) = (row.bar, &row.against, record.contestants.first()) {
        let whom = if against == "best" { "the fastest peer" } else { against.as_str() };
        let (class, said) = match (row.met, row.ratio) {
            (Some(true), Some(ratio)) => ("pass", format!("met, {ratio:.2}")),
            (Some(false), Some(ratio)) => ("other", format!("missed, {ratio:.2}")),
            _ => ("about", "not known here".to_owned()),
        };
        add(class, &format!("Goal of {}: at most {factor:.2} times the time of {whom}: {said}.", first.name));
    }
    let mut noise = row.noise.findings(&record.noise.limits);
    let uneven = record.uneven().into_iter().filter(|uneven| uneven.0 == row.work);
    noise.extend(uneven.map(|(_, name, times)| format!("the runs of {name} differ by {times:.2} times")));
    if !noise.is_empty() {
        add("other", &format!("Noise: {}.", noise.join("; ")));
    }
    let missing = row.contestants.iter().filter_map(|entry| Some((entry.name.as_str(), entry.not_run.as_deref()?)));
    let missing: Vec<String> =
        by_reason(missing).iter().map(|(reason, names)| format!("{} ({reason})", names.join(", "))).collect();
    if !missing.is_empty() {
        add("about", &format!("Not run: {}.", missing.join("; ")));
    }
}

/// The contestants that could not run, and why.
pub(super) fn absent(record: &RaceRecord, page: &mut HtmlText) {
    if record.absent.is_empty() {
        return;
    }
    page.add(format_args!("<h2 id=\"absent\">Contestants that could not run here</h2>\n<dl>\n"));
    for who in &record.absent {
        let [name, about, reason] = [&who.name, &who.about, &who.reason].map(|text| marked(text));
        page.add(format_args!("<dt>{name}</dt><dd>{about}: <span class=\"other\">{reason}</span></dd>\n"));
    }
    page.add(format_args!("</dl>\n"));
}

/// The table of changes.
pub(super) fn changes(changes: &RaceChanges, page: &mut HtmlText) {
    page.add(format_args!(
        "<h2 id=\"changes\">Changes since {}</h2>\n<p>A time counts as slower or faster if the runs of both races do not \
         overlap, with the margin of the last number between: up to it, a change is noise.</p>\n",
        escape(&changes.old)
    ));
    if !changes.warnings.is_empty() {
        page.add(format_args!("<ul>"));
        for warning in &changes.warnings {
            page.add(format_args!("<li class=\"other\">{}</li>", marked(warning)));
        }
        page.add(format_args!("</ul>\n"));
    }
    page.add(format_args!(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"changes\"><table class=\"changes\"><thead><tr>\
         <th scope=\"col\">kernel</th><th scope=\"col\">contestant</th><th scope=\"col\">old ms</th><th scope=\"col\">new ms</th>\
         <th scope=\"col\">new / old</th><th scope=\"col\">noise</th><th scope=\"col\"></th></tr></thead><tbody>\n"
    ));
    for change in &changes.all {
        let class = match change.verdict {
            ChangeVerdict::Slower | ChangeVerdict::Gone if change.ours => "fail",
            ChangeVerdict::Slower | ChangeVerdict::Gone | ChangeVerdict::New => "other",
            ChangeVerdict::Faster => "pass",
            ChangeVerdict::Same => "",
        };
        let time = |ms: Option<f64>| ms.map_or(String::new(), digits);
        let number = |number: f64| match (change.old, change.new) {
            (Some(_), Some(_)) => format!("{number:.2}"),
            _ => String::new(),
        };
        page.add(format_args!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{class}\">{}</td></tr>\n",
            escape(&change.work),
            escape(&change.name),
            time(change.old),
            time(change.new),
            number(change.ratio),
            number(change.allowed),
            change.word()
        ));
    }
    page.add(format_args!("</tbody></table></div>\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_backticks_are_code() {
        assert_eq!(marked("on `jit`, <b> `x`"), "on <code>jit</code>, &lt;b&gt; <code>x</code>");
        assert_eq!(marked("a ` b"), "a ` b");
    }
}
