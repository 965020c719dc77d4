//! The report for people: one page without scripts and external resources.

use std::fmt::Write as _;
use std::time::Duration;

use tilewise_conformance::verdict::Verdict;

use super::VerifyRun;
use super::gpu::FirstGpu;
use crate::host;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right}\
td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}\
.pass{color:#176b2c}.fail{color:#b00020;font-weight:600}.unsupported,.not-run{color:#8a5a00}.zero{color:#aaa}\
pre{background:#f5f5f5;padding:.6rem;overflow:auto}summary{cursor:pointer}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}td,th{border-color:#444}\
.pass{color:#6cc47f}.fail{color:#ff6b81}.unsupported,.not-run{color:#e0b050}.zero{color:#666}}";

/// The page.
pub(super) fn report(done: &VerifyRun, gpu: Option<&FirstGpu>) -> String {
    let mut page = HtmlPage(String::new());
    let host = host::host();
    page.add(format_args!("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tilewise conformance</title>\n<style>{STYLE}</style></head><body>\n"));
    page.add(format_args!(
        "<h1>Tilewise conformance</h1>\n<p>Tilewise {}, {} {}, {} ({} threads), {:.1} s</p>\n",
        env!("CARGO_PKG_VERSION"),
        host.os,
        host.architecture,
        escape(&host.cpu),
        host.threads,
        done.time.as_secs_f64()
    ));
    if let Some(gpu) = gpu {
        let lines: Vec<String> = gpu.lines().iter().map(|line| escape(line)).collect();
        page.add(format_args!("<p>{}</p>\n", lines.join("<br>\n")));
    }
    page.add(format_args!(
        "<table><tr><th>group</th><th>target</th><th>pass</th><th>fail</th><th>unsupported</th><th>not-run</th></tr>\n"
    ));
    for (group, target, counts) in done.table() {
        page.add(format_args!("<tr><td>{}</td><td>{target}</td>", escape(group)));
        for (class, count) in [
            ("pass", counts.pass),
            ("fail", counts.fail),
            ("unsupported", counts.unsupported),
            ("not-run", counts.not_run),
        ] {
            let class = if count == 0 { "zero" } else { class };
            page.add(format_args!("<td class=\"{class}\">{count}</td>"));
        }
        page.add(format_args!("</tr>\n"));
    }
    page.add(format_args!("</table>\n<h2>Cases</h2>\n"));
    for judged in &done.judged {
        let (name, on) = (judged.case.name, judged.case.target.name());
        page.case(name, on, &judged.verdict, judged.time, &judged.case.command());
    }
    for judged in &done.checked {
        let (name, on) = (judged.case.check.name, judged.case.accelerator.path());
        page.case(name, on, &judged.verdict, judged.time, &judged.case.command());
    }
    page.add(format_args!("</body></html>\n"));
    page.0
}

struct HtmlPage(String);

impl HtmlPage {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.0.write_fmt(text);
    }

    /// A case with its verdict.
    fn case(&mut self, name: &str, on: &str, verdict: &Verdict, time: Duration, command: &str) {
        let head = format!(
            "<span class=\"{0}\">{0}</span> {1} on {on} <small>{2:.1} ms</small>",
            verdict.name(),
            escape(name),
            time.as_secs_f64() * 1000.0
        );
        match verdict {
            Verdict::Pass => self.add(format_args!("<div>{head}</div>\n")),
            Verdict::Fail(_) | Verdict::Unsupported(_) | Verdict::NotRun(_) => {
                let (reason, command) = (escape(&verdict.reason().unwrap_or_default()), escape(command));
                self.add(format_args!(
                    "<details open><summary>{head}</summary><pre>{reason}</pre><pre>{command}</pre></details>\n"
                ));
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
