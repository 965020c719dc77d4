//! Sections that other measurements add to the page: plots of accuracy, tables of litmus tests or faults.

use tilewise_conformance::page::{HtmlText, escape};

/// A section of the page, after the cases.
#[derive(Clone, Debug)]
pub(crate) struct ReportSection {
    /// The name in links: letters, digits and `-`.
    pub(crate) id: String,
    pub(crate) title: String,
    /// A paragraph for a reader who does not know the measurement.
    pub(crate) intro: String,
    /// The contents, as HTML that needs nothing else. It must be well-formed.
    pub(crate) html: String,
}

impl ReportSection {
    /// Gives sections of one kind names of their own.
    pub(crate) fn number(sections: &mut [ReportSection]) {
        for at in 1..sections.len() {
            let (before, rest) = sections.split_at_mut(at);
            let same = before.iter().filter(|other| other.id.split('-').next() == Some(rest[0].id.as_str())).count();
            if same > 0 {
                rest[0].id += &format!("-{}", same + 1);
            }
        }
    }

    pub(super) fn add_to(&self, page: &mut HtmlText) {
        let ReportSection { id, title, intro, html } = self;
        let (id, title, intro) = (escape(id), escape(title), escape(intro));
        page.add(format_args!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{title}</h2>\n<p>{intro}</p>\n{html}\n</section>\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_one_kind_have_names_of_their_own() {
        let section = |id: &str| ReportSection {
            id: id.to_owned(),
            title: String::new(),
            intro: String::new(),
            html: String::new(),
        };
        let mut sections = ["litmus", "accuracy", "litmus", "litmus"].map(section);
        ReportSection::number(&mut sections);
        assert_eq!(sections.map(|section| section.id), ["litmus", "accuracy", "litmus-2", "litmus-3"]);
    }

    #[test]
    fn a_section_has_a_place_for_links_and_escapes_all_but_its_contents() {
        let section = ReportSection {
            id: "ulp".to_owned(),
            title: "Errors < 1 ulp".to_owned(),
            intro: "a & b".to_owned(),
            html: "<svg></svg>".to_owned(),
        };
        let mut page = HtmlText::default();
        section.add_to(&mut page);
        for part in ["<section id=\"ulp\"", "Errors &lt; 1 ulp", "<p>a &amp; b</p>", "\n<svg></svg>\n"] {
            assert!(page.text.contains(part), "{part} is not in {}", page.text);
        }
    }
}
