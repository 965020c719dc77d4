//! Random changes of a text, for the tests that try changed shaders and scripts.

use crate::random::Random;

impl Random {
    /// Changes a place of a text: a stretch is taken out or copied elsewhere, a line of another text is added, or
    /// one of the pieces.
    pub(crate) fn change_text(&mut self, text: &mut String, other: &str, pieces: &[&str]) {
        let (a, b) = self.stretch(text, 60);
        match self.below(5) {
            0 => text.replace_range(a..b, ""),
            1 => {
                let copy = text[a..b].to_owned();
                let at = self.place(text);
                text.insert_str(at, &copy);
            }
            2 => {
                let lines: Vec<&str> = other.lines().collect();
                let at = text[..a].rfind('\n').map_or(0, |at| at + 1);
                text.insert_str(at, &format!("{}\n", lines.get(self.below(lines.len())).unwrap_or(&"")));
            }
            _ => text.insert_str(a, pieces[self.below(pieces.len())]),
        }
    }
}
