//! `sampler linear repeat`: the settings of a shader's sampler, in words. They are the members of the
//! struct that the importer makes of it (`import/src/texture/sampler.rs`), in its order.

use super::words::EntryWords;
use crate::data::{DataForm, DataLiteral, RepeatedItem};
use crate::{Complaint, FilePlace};

/// The members by number: three filters, three address modes, the comparison, two limits of levels.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SamplerWords {
    members: [u32; 7],
    levels: [f32; 2],
}

/// Words of a comparison; the position is its number.
const COMPARISONS: [&str; 8] =
    ["never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"];

const HELP: &str = "write `linear` or `nearest`, `repeat`, `mirror` or `clamp`, `less` or another comparison; \
    for one filter `magnify linear`, `minify linear`, `levels linear`; for one dimension `x repeat`; \
    `least 0.5` and `most 3` for levels";

/// Parses the words behind `sampler`.
pub(super) fn read(words: &mut EntryWords<'_>) -> Result<DataForm, Complaint> {
    let at = words.at();
    // Nearest, clamped, never; as many levels as WebGPU's default has.
    let mut out = SamplerWords { members: [0; 7], levels: [0.0, 32.0] };
    while !words.is_end() {
        let word_at = words.at();
        let word = words.word("a setting of a sampler")?;
        let unknown = |word: &str| Complaint::new(word_at, format!("`{word}` is no setting of a sampler"), HELP);
        let one = match word.as_str() {
            "magnify" => Some(0..1),
            "minify" => Some(1..2),
            "levels" => Some(2..3),
            "x" => Some(3..4),
            "y" => Some(4..5),
            "z" => Some(5..6),
            _ => None,
        };
        if let Some(members) = one {
            let is_filter = members.start < 3;
            let setting = words.word("its setting")?;
            let number = if is_filter { filter(&setting) } else { address(&setting) };
            out.members[members].fill(number.ok_or_else(|| unknown(&setting))?);
        } else if let Some(number) = filter(&word) {
            out.members[..3].fill(number);
        } else if let Some(number) = address(&word) {
            out.members[3..6].fill(number);
        } else if let Some(number) = COMPARISONS.iter().position(|name| *name == word) {
            out.members[6] = number as u32;
        } else if let Some(limit) = ["least", "most"].iter().position(|name| *name == word) {
            let number = words.word("a level of detail")?;
            out.levels[limit] = number.parse().map_err(|_| unknown(&number))?;
        } else {
            return Err(unknown(&word));
        }
    }
    Ok(DataForm::List(literals(out, at)))
}

fn literals(words: SamplerWords, at: FilePlace) -> Vec<RepeatedItem> {
    let item = |word: String| RepeatedItem { count: 1, literal: DataLiteral { at, word, bits: false } };
    let numbers = words.members.iter().map(|number| item(number.to_string()));
    numbers.chain(words.levels.iter().map(|level| item(format!("{level:?}")))).collect()
}

fn filter(word: &str) -> Option<u32> {
    ["nearest", "linear"].iter().position(|name| *name == word).map(|number| number as u32)
}

fn address(word: &str) -> Option<u32> {
    ["clamp", "repeat", "mirror"].iter().position(|name| *name == word).map(|number| number as u32)
}
