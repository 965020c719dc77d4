//! A place in the header of a file, shown as errors show theirs: the line, with the word underlined.

use tilewise_conformance::kir::FilePlace;

/// A place in a file, and its line.
#[derive(Clone, Debug)]
pub(crate) struct HeaderExcerpt {
    /// `k.kir:2:5`, or the file alone.
    shown: String,
    /// Of a place in the file: the number of the line, the line, the characters before the word and those of the word.
    line: Option<(u32, String, usize, usize)>,
}

impl HeaderExcerpt {
    /// A place in the file of this name and text.
    pub(crate) fn new(name: &str, text: &str, at: FilePlace) -> HeaderExcerpt {
        let line = at.line.checked_sub(1).and_then(|above| text.lines().nth(above as usize));
        let Some(line) = line else { return HeaderExcerpt { shown: name.to_owned(), line: None } };
        let before = (at.column.max(1) as usize - 1).min(line.chars().count());
        let length = word_length(&line.chars().skip(before).collect::<Vec<char>>());
        HeaderExcerpt {
            shown: format!("{name}:{}:{}", at.line, before + 1),
            line: Some((at.line, line.to_owned(), before, length)),
        }
    }

    /// The lines below an error's message, with the help.
    pub(crate) fn render(&self, help: Option<&str>) -> String {
        let number = self.line.as_ref().map_or(String::new(), |(number, ..)| number.to_string());
        let margin = " ".repeat(number.len().max(1));
        let mut out = format!("{margin}--> {}\n", self.shown);
        if let Some((_, line, before, length)) = &self.line {
            // Tabs keep their width below the line.
            let indent: String = line.chars().take(*before).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            out += &format!("{margin} |\n{number} | {line}\n{margin} | {indent}{}\n", "^".repeat(*length));
        }
        if let Some(help) = help {
            out += &format!("{margin} |\n{margin} = help: {help}\n");
        }
        out
    }
}

/// The length of the word, the text in quotes or the list in brackets that characters begin with.
fn word_length(rest: &[char]) -> usize {
    let until = |end: &dyn Fn(&char) -> bool| rest.iter().skip(1).position(end).map_or(rest.len(), |at| at + 1);
    let length = match rest.first() {
        None => 1,
        Some('"') => until(&|c| *c == '"') + 1,
        Some('[') => until(&|c| *c == ']') + 1,
        Some('(') => until(&|c| *c == ')') + 1,
        Some('{' | '}' | ')' | ']' | ',' | ':' | '=' | '*') => 1,
        Some(_) => until(&|c| c.is_whitespace() || "()[]{},:=*\"".contains(*c)),
    };
    length.clamp(1, rest.len().max(1))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_word_of_a_place_is_underlined() {
        let text = "// A comment.\n//! domain 4x6\n//! a: [4, 6] = \"two words\" 3\n";
        let shown = |line, column| HeaderExcerpt::new("k.kir", text, FilePlace { line, column }).render(Some("do so"));
        expect![[r#"
             --> k.kir:2:12
              |
            2 | //! domain 4x6
              |            ^^^
              |
              = help: do so
        "#]]
        .assert_eq(&shown(2, 12));
        for (column, length) in [(5, 1), (6, 1), (8, 6), (17, 11), (29, 1), (99, 1)] {
            let carets = shown(3, column).chars().filter(|c| *c == '^').count();
            assert_eq!(carets, length, "{column}");
        }
        assert_eq!(shown(0, 0), " --> k.kir\n  |\n  = help: do so\n");
        assert_eq!(HeaderExcerpt::new("k.kir", "", FilePlace { line: 7, column: 1 }).render(None), " --> k.kir\n");
    }
}
