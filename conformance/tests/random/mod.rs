//! Random numbers, and places in texts, for the tests that change files at random.

use tilewise_conformance::kir::data;

/// A generator with its state.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = data::next(self.0);
        let mixed = (self.0 ^ (self.0 >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 33) as usize) % limit.max(1)
    }

    /// A place between two characters.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    }

    /// A stretch of a text, of at most about so many bytes.
    pub(crate) fn stretch(&mut self, text: &str, most: usize) -> (usize, usize) {
        let (a, b) = (self.place(text), self.place(text));
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + most));
        (a, (b..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len()))
    }
}
