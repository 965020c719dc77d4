//! The page of a race: charts that say how they are read, for people who did not run it. It needs nothing else, and has
//! no script.

mod chart;
mod parts;

use tilewise_conformance::page::{self, HtmlText, escape};

use super::compare::RaceChanges;
use super::record::{EntryRecord, RaceRecord, RowRecord};
use super::report::digits;
use chart::{BarKind, ChartBar, chart};

/// The rules of its own parts.
const STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(record: &RaceRecord, changes: Option<&RaceChanges>) -> String {
    let mut page = page::begin("Tilewise benchmarks", STYLE);
    parts::header(record, changes, &mut page);
    // Charts first, as the sentence on how to read them depends on them.
    let mut charts = HtmlText::default();
    let mut is_cut = summary(record, &mut charts);
    charts.add(format_args!("<h2 id=\"kernels\">Each kernel</h2>\n"));
    parts::jump(record, &mut charts);
    charts.add(format_args!("<div class=\"kernels\">\n"));
    for row in &record.rows {
        is_cut |= kernel(record, row, &mut charts);
    }
    charts.add(format_args!("</div>\n"));
    page.add(format_args!("<main>\n"));
    parts::how_to_read(record, is_cut, &mut page);
    page.add(format_args!("{}", charts.text));
    if let Some(changes) = changes {
        parts::changes(changes, &mut page);
    }
    parts::absent(record, &mut page);
    page.add(format_args!("</main>\n"));
    page::end(page)
}

/// Whose bar it is.
fn kind(record: &RaceRecord, name: &str) -> BarKind {
    match record.contestants.iter().position(|who| who.name == name) {
        Some(0) => BarKind::First,
        Some(at) if record.contestants[at].ours => BarKind::Ours,
        Some(_) | None => BarKind::Others,
    }
}

/// The chart of the geometric means; returns whether a bar is cut.
fn summary(record: &RaceRecord, page: &mut HtmlText) -> bool {
    let Some(first) = record.contestants.first() else { return false };
    let name = escape(&first.name);
    page.add(format_args!(
        "<h2>All kernels together</h2>\n<p>How many times as long as {name} each contestant took: the geometric mean \
         over the kernels that both ran. Shorter is faster, and {name} is 1.00.</p>\n"
    ));
    let mut bars = vec![ChartBar {
        name: first.name.clone(),
        kind: BarKind::First,
        value: 1.0,
        range: None,
        label: count(record.rows.len(), "kernel"),
        times: Some(1.0),
        title: first.about.clone(),
    }];
    for mean in &record.means {
        let Some(ratio) = mean.ratio else { continue };
        let about = record.contestants.iter().find(|who| who.name == mean.name).map(|who| who.about.clone());
        bars.push(ChartBar {
            name: mean.name.clone(),
            kind: kind(record, &mean.name),
            value: 1.0 / ratio,
            range: None,
            label: count(mean.rows, "kernel"),
            times: Some(1.0 / ratio),
            title: about.unwrap_or_default(),
        });
    }
    chart(&bars, "All kernels together", page)
}

/// A number of things.
fn count(number: usize, of: &str) -> String {
    if number == 1 { format!("1 {of}") } else { format!("{number} {of}s") }
}

/// A kernel with its chart; returns whether a bar is cut.
fn kernel(record: &RaceRecord, row: &RowRecord, page: &mut HtmlText) -> bool {
    let work = tilewise_peers::PeerWork::of_name(&row.work);
    let about = work.map_or(String::new(), |work| format!("{}; {}", work.about(), work.size_text(row.size)));
    let (name, about) = (escape(&row.work), escape(&about));
    page.add(format_args!(
        "<section class=\"kernel\" id=\"kernel-{name}\"><h3>{name}</h3>\n<p class=\"about\">{about}</p>\n"
    ));
    let by = record.settings.compared;
    let first = row.contestants.first().and_then(|entry| entry.times(by));
    let bar = |entry: &EntryRecord| {
        let times = entry.times(by)?;
        let runs = count(times.runs, "run");
        Some(ChartBar {
            name: entry.name.clone(),
            kind: kind(record, &entry.name),
            value: times.time,
            range: (times.runs > 1).then_some((times.min, times.max)),
            label: format!("{} ms", digits(times.time)),
            times: first.map(|first| times.time / first.time),
            title: format!("{}: {} to {} ms in {runs}", entry.name, digits(times.min), digits(times.max)),
        })
    };
    let bars: Vec<ChartBar> = row.contestants.iter().filter_map(bar).collect();
    let is_cut = chart(&bars, &format!("{}: time of each contestant", row.work), page);
    parts::below_chart(record, row, page);
    page.add(format_args!("</section>\n"));
    is_cut
}

#[cfg(test)]
mod tests {
    use tilewise_peers::PeerWork;

    use super::*;
    use crate::harness::record::tests::record;

    fn example() -> RaceRecord {
        record(&[
            (PeerWork::VectorAdd, [&[5.0, 5.5, 5.25], &[7.0, 9.5, 7.5], &[]]),
            (PeerWork::Scan, [&[3.0, 3.0, 3.0], &[2.0, 2.0, 2.0], &[500.0, 510.0, 520.0]]),
        ])
    }

    /// What is open at the end, or the first tag that ends something else.
    fn ill_formed(text: &str) -> Option<String> {
        let mut open: Vec<&str> = Vec::new();
        for tag in text.split('<').skip(1) {
            let Some((tag, _)) = tag.split_once('>') else { return Some(format!("a tag has no end: {tag}")) };
            if !tag.matches('"').count().is_multiple_of(2) {
                return Some(format!("a value has no end: {tag}"));
            }
            let name = tag.split_whitespace().next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(closed) if open.pop() == Some(closed) => {}
                Some(closed) => return Some(format!("`{closed}` ends what is not open")),
                None if name.starts_with('!') || ["meta", "link", "br"].contains(&name) => {}
                None => open.push(name),
            }
        }
        open.pop().map(|name| format!("`{name}` does not end"))
    }

    #[test]
    fn the_check_of_tags_finds_mistakes() {
        assert_eq!(ill_formed("<p>a <b>c</b></p><br>"), None);
        assert!(
            ill_formed("<p><b></p></b>").is_some()
                && ill_formed("<p>").is_some()
                && ill_formed("<p a=\">x</p>").is_some()
        );
    }

    #[test]
    fn the_page_is_well_formed_and_names_every_row_and_contestant() {
        let record = example();
        let changes = RaceChanges::between(&record, &record).expect("comparable");
        for changes in [None, Some(&changes)] {
            let text = page(&record, changes);
            assert_eq!(ill_formed(&text), None);
            assert!(!text.contains("//") && !text.contains("<script") && !text.contains("url("), "it loads nothing");
            for part in ["id=\"kernel-vadd\"", "id=\"kernel-scan\"", "the sum of two arrays", "16777216 elements"] {
                assert!(text.contains(part), "{part} is not in {text}");
            }
            for name in ["jit", "rust", "numba", "pocl"] {
                assert!(text.contains(&format!(">{name}<")), "{name} is not in {text}");
            }
            assert_eq!(text.contains("Changes since"), changes.is_some());
        }
    }

    #[test]
    fn texts_of_the_record_are_escaped() {
        let mut record = example();
        record.rows[0].contestants[2].not_run = Some("<i>\"no\"</i>".into());
        record.machine.processor = "A & B <cpu>".into();
        let text = page(&record, None);
        assert!(text.contains("A &amp; B &lt;cpu&gt;") && text.contains("&lt;i&gt;&quot;no&quot;&lt;/i&gt;"), "{text}");
        assert!(text.contains("there is &lt;no&gt; OpenCL") && !text.contains("jit <b>"), "{text}");
    }

    #[test]
    fn the_page_says_how_to_read_it_and_whether_the_machine_was_quiet() {
        let mut record = example();
        let text = page(&record, None);
        assert!(text.contains("The machine was quiet") && text.contains("Shorter is faster"), "{text}");
        assert!(text.contains("<span class=\"ms\">5.250 ms</span><span class=\"times\">1.00</span>"), "{text}");
        assert!(text.contains("is longer than the chart"), "one bar is cut");
        assert!(text.contains("runs of rust differ by 1.36 times"), "{text}");
        record.noise.others = Some(0.14);
        record.rows[1].noise.others = Some(0.4);
        let text = page(&record, None);
        assert!(text.contains("The machine was noisy") && text.contains("other programs took 14% of"), "{text}");
        assert!(text.contains("other programs took 40% of"), "{text}");
    }
}
