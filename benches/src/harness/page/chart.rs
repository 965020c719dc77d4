//! A chart of bars, as a list: the length of a bar is a time, a thin line over its end the range of the runs.

use tilewise_conformance::page::{HtmlText, escape};

/// Whose bar it is, which gives its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BarKind {
    /// The one that the others are compared with.
    First,
    /// Another way to run kernels by Tilewise.
    Ours,
    /// Anything else.
    Others,
}

/// A bar.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ChartBar {
    /// Whose it is.
    pub(super) name: String,
    /// See there.
    pub(super) kind: BarKind,
    /// Its length.
    pub(super) value: f64,
    /// Where its range begins and ends.
    pub(super) range: Option<(f64, f64)>,
    /// Its length in words, with a unit.
    pub(super) label: String,
    /// Its multiple of the first one's length.
    pub(super) times: Option<f64>,
    /// All about it, for those who point at it.
    pub(super) title: String,
}

/// A bar that is longer than this many times the first one, or the one in the middle, is cut: beside it the others
/// could not be told apart.
const LONGEST: f64 = 3.0;

impl BarKind {
    /// Its class in the style.
    pub(super) fn class(self) -> &'static str {
        match self {
            BarKind::First => "first",
            BarKind::Ours => "ours",
            BarKind::Others => "others",
        }
    }
}

/// The length that fills the width of a chart.
fn full_length(bars: &[ChartBar]) -> f64 {
    let mut lengths: Vec<f64> = bars.iter().map(|bar| bar.range.map_or(bar.value, |range| range.1)).collect();
    lengths.sort_by(f64::total_cmp);
    let first = bars.first().map_or(0.0, |bar| bar.value);
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(0.0);
    let longest = lengths.last().copied().unwrap_or(0.0);
    longest.min(LONGEST * first.max(middle)).max(f64::MIN_POSITIVE)
}

/// Adds a chart; returns whether a bar is cut.
pub(super) fn chart(bars: &[ChartBar], label: &str, page: &mut HtmlText) -> bool {
    let full = full_length(bars);
    let part = |length: f64| (length / full * 100.0).clamp(0.0, 100.0);
    let mut is_any_cut = false;
    page.add(format_args!("<ul class=\"chart\" aria-label=\"{}\">\n", escape(label)));
    for bar in bars {
        let is_cut = bar.value > full;
        is_any_cut |= is_cut;
        let cut = if is_cut { " cut" } else { "" };
        let [name, title, label] = [&bar.name, &bar.title, &bar.label].map(|text| escape(text));
        page.add(format_args!(
            "<li class=\"{}{cut}\" title=\"{title}\"><span class=\"who\">{name}</span>\
             <span class=\"track\" aria-hidden=\"true\"><span class=\"fill\" style=\"width:{:.2}%\"></span>",
            bar.kind.class(),
            part(bar.value)
        ));
        if let Some((low, high)) = bar.range.filter(|_| !is_cut) {
            let (left, width) = (part(low), part(high) - part(low));
            page.add(format_args!("<span class=\"range\" style=\"left:{left:.2}%;width:{width:.2}%\"></span>"));
        }
        let times = bar.times.map_or(String::new(), |times| format!("{times:.2}"));
        page.add(format_args!("</span><span class=\"ms\">{label}</span><span class=\"times\">{times}</span></li>\n"));
    }
    page.add(format_args!("</ul>\n"));
    is_any_cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, value: f64, range: Option<(f64, f64)>) -> ChartBar {
        let (label, title) = (format!("{value} ms"), String::new());
        ChartBar { name: name.into(), kind: BarKind::Others, value, range, label, times: Some(1.0), title }
    }

    #[test]
    fn bars_have_the_lengths_of_their_times() {
        let mut page = HtmlText::default();
        assert!(!chart(&[bar("a", 1.0, None), bar("b", 3.0, Some((2.0, 4.0)))], "two", &mut page));
        assert!(
            page.text.contains("style=\"width:25.00%\"") && page.text.contains("style=\"width:75.00%\""),
            "{}",
            page.text
        );
        assert!(page.text.contains("style=\"left:50.00%;width:50.00%\""), "{}", page.text);
    }

    #[test]
    fn a_bar_beyond_the_others_is_cut_and_keeps_its_number() {
        let mut page = HtmlText::default();
        let bars = [bar("a", 1.0, None), bar("b", 2.0, None), bar("c", 900.0, Some((800.0, 1000.0)))];
        assert!(chart(&bars, "three", &mut page));
        assert!(page.text.contains("<li class=\"others cut\"") && page.text.contains("900 ms"), "{}", page.text);
        assert!(
            page.text.contains("style=\"width:16.67%\"") && !page.text.contains("class=\"range\""),
            "{}",
            page.text
        );
        assert!(!chart(&[], "none", &mut HtmlText::default()));
    }
}
