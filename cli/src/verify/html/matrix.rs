//! The table of groups and places.

use std::collections::BTreeMap;

use tilewise_conformance::page::{HtmlText, escape, thousands};
use tilewise_conformance::suite::VerdictCounts;

/// The name of the group of files that are not of the suite.
pub(super) const FILES_OF_USERS: &str = "files of yours";

/// A table with a row for each group and a column for each target or accelerator. Its cells link to the
/// cases of the group.
pub(super) fn matrix(rows: &[(&str, String, VerdictCounts)], page: &mut HtmlText) {
    let columns = columns(rows);
    let mut groups: BTreeMap<&str, BTreeMap<&str, VerdictCounts>> = BTreeMap::new();
    for (group, on, counts) in rows {
        groups.entry(group).or_default().insert(on, *counts);
    }
    page.add(format_args!(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"matrix-title\" tabindex=\"0\"><table class=\"matrix\">\
         <thead><tr><th scope=\"col\">group</th>"
    ));
    columns.iter().for_each(|on| page.add(format_args!("<th scope=\"col\">{}</th>", escape(on))));
    page.add(format_args!("</tr></thead>\n<tbody>\n"));
    for (group, cells) in &groups {
        let group = escape(group);
        let name = if group.is_empty() { FILES_OF_USERS } else { &group };
        page.add(format_args!("<tr><th scope=\"row\"><a href=\"#group-{group}\" data-on=\"\">{name}</a></th>"));
        for on in &columns {
            match cells.get(on) {
                None => page.add(format_args!("<td class=\"none\" aria-label=\"no case\">&middot;</td>")),
                Some(counts) => cell(&group, &escape(on), *counts, page),
            }
        }
        page.add(format_args!("</tr>\n"));
    }
    page.add(format_args!("</tbody></table></div>\n"));
}

/// Targets and accelerators in the order in which they come first.
pub(super) fn columns<'r>(rows: &'r [(&str, String, VerdictCounts)]) -> Vec<&'r str> {
    let mut columns: Vec<&str> = Vec::new();
    for (_, on, _) in rows {
        if !columns.contains(&on.as_str()) {
            columns.push(on);
        }
    }
    columns
}

fn cell(group: &str, on: &str, counts: VerdictCounts, page: &mut HtmlText) {
    let VerdictCounts { pass, fail, unsupported, not_run } = counts;
    let class = match counts {
        VerdictCounts { fail: 1.., .. } => "fail",
        VerdictCounts { pass: 1.., .. } => "pass",
        VerdictCounts { .. } => "not-run",
    };
    let mut shown = match pass + fail {
        0 => String::new(),
        run if fail > 0 => format!("{} of {}", thousands(pass), thousands(run)),
        run => thousands(run),
    };
    for (count, class, word) in [(unsupported, "unsupported", "unsupported"), (not_run, "not-run", "not run")] {
        if count > 0 {
            shown += &format!("<small class=\"{class}\">{} {word}</small>", thousands(count));
        }
    }
    page.add(format_args!(
        "<td><a class=\"{class}\" href=\"#group-{group}\" data-on=\"{on}\" \
         aria-label=\"{group} on {on}: {pass} pass, {fail} fail, {unsupported} unsupported, {not_run} not run\">{shown}</a></td>"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_counts_and_links() {
        let counts = VerdictCounts { pass: 3, fail: 1, unsupported: 0, not_run: 2 };
        let rows = [("sync", "jit".to_owned(), counts), ("ops", "reference".to_owned(), VerdictCounts::default())];
        let mut page = HtmlText::default();
        matrix(&rows, &mut page);
        let cell = "<a class=\"fail\" href=\"#group-sync\" data-on=\"jit\" aria-label=\"sync on jit: 3 pass, 1 fail, 0 unsupported, 2 not run\">3 of 4<small class=\"not-run\">2 not run</small></a>";
        assert!(page.text.contains(cell), "{}", page.text);
        assert_eq!(columns(&rows), ["jit", "reference"]);
        assert_eq!(page.text.matches("no case").count(), 2);
    }
}
