//! Pages for people that need nothing else: no network, no other file. All have one style, light and dark, for phones
//! too; a page adds the rules of its own parts. What a page says is its maker's: `tilewise verify`, `tilewise bench`.

mod markup;

pub use markup::{HtmlText, escape, thousands, time};

/// The style of all pages.
const STYLE: &str = include_str!("page.css");

/// A page up to its first element, with the rules of its own parts. [`end`] closes it.
pub fn begin(title: &str, own_style: &str) -> HtmlText {
    let mut page = HtmlText::default();
    page.add(format_args!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}{own_style}</style></head><body>\n",
        escape(title)
    ));
    page
}

/// The text of the whole page.
pub fn end(mut page: HtmlText) -> String {
    page.add(format_args!("</body></html>\n"));
    page.text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_and_ends_and_loads_nothing() {
        let mut page = begin("a < b", ".own{color:red}");
        page.add(format_args!("<p>text</p>\n"));
        let text = end(page);
        assert!(text.starts_with("<!doctype html>") && text.ends_with("<p>text</p>\n</body></html>\n"), "{text}");
        assert!(text.contains("<title>a &lt; b</title>") && text.contains(".own{color:red}</style>"), "{text}");
        assert!(!text.contains("url(") && !text.contains("@import") && !text.contains("//"), "{text}");
    }
}
