//! Text of a page.

use std::fmt::{Arguments, Write as _};
use std::time::Duration;

/// HTML that grows.
#[derive(Default, Debug)]
pub struct HtmlText {
    /// What it has so far.
    pub text: String,
}

impl HtmlText {
    /// Adds markup.
    pub fn add(&mut self, markup: Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.text.write_fmt(markup);
    }
}

/// Text between tags and in attributes, of HTML and of XML 1.0. Characters that neither may hold (controls but tabs and
/// line ends, U+FFFE, U+FFFF) become `�`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with `,` between thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A running time.
pub fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 0.01 => format!("{:.2} ms", s * 1e3),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{s:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_is_text() {
        assert_eq!(escape("<b a=\"1\">&'x'\u{1b}\n"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;x&#39;\u{fffd}\n");
        assert_eq!(escape("\t\u{fffe}\u{ffff}\u{85}"), "\t\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn numbers_and_times_are_short() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        let shown = [1, 250, 2_500, 250_000].map(|ms| time(Duration::from_millis(ms)));
        assert_eq!(shown, ["1.00 ms", "250 ms", "2.5 s", "250 s"]);
    }
}
