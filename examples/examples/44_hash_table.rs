//! How often each word occurs in a text: a hash table that all threads fill at once. A thread takes an empty place by
//! `compare_exchange`, which tells it whether another was faster. Which word has which place depends on the order of
//! the threads; what is found in the table does not.

use tilewise::prelude::*;

const TEXT: &str = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of \
    foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the \
    season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had \
    nothing before us, we were all going direct to Heaven, we were all going direct the other way.";

/// Places of the table: more than there are words.
const PLACES: usize = 64;
/// The key of an empty place.
const EMPTY: u32 = 0;

/// A part of the text.
#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Word {
    start: u32,
    end: u32,
}

/// The key of a word: a hash of its letters, small and capital ones alike. Never that of an empty place.
#[amp]
fn key_of(word: Word, text: &ReadView<'_, u8>) -> u32 {
    let mut key = 0x811c_9dc5_u32;
    for at in word.start..word.end {
        key = (key ^ u32::from(text[at].to_ascii_lowercase())).wrapping_mul(0x0100_0193);
    }
    key.max(EMPTY + 1)
}

/// The place of a key; the first empty one becomes its place if it has none. `None` if the table is full.
#[amp]
fn place_of(keys: &ArrayView<'_, u32>, key: u32) -> Option<usize> {
    for tried in 0..PLACES {
        let place = (key as usize % PLACES + tried) % PLACES;
        let (before, _) = keys.atomic(place).compare_exchange(EMPTY, key);
        if before == EMPTY || before == key {
            return Some(place);
        }
    }
    None
}

fn main() -> tilewise::Result<()> {
    let mut words = Vec::new();
    for word in TEXT.split(|sign: char| !sign.is_alphabetic()).filter(|word| !word.is_empty()) {
        let start = (word.as_ptr().addr() - TEXT.as_ptr().addr()) as u32;
        words.push(Word { start, end: start + word.len() as u32 });
    }
    let text = ArrayView::read_only(TEXT.len(), TEXT.as_bytes())?;
    let given = ArrayView::read_only(words.len(), &words)?;
    let keys = ArrayView::from_vec(PLACES, vec![EMPTY; PLACES])?;
    let counts = ArrayView::from_vec(PLACES, vec![0_u32; PLACES])?;
    parallel_for_each!(given.extent(), |i| {
        let Some(place) = place_of(&keys, key_of(given[i], &text)) else {
            error!("the table is full");
        };
        counts.atomic(place).fetch_add(1);
    })?;

    // The next launch finds what this one has stored.
    let found = ArrayView::<u32>::without_source(words.len())?;
    parallel_for_each!(given.extent(), |i| {
        if let Some(place) = place_of(&keys, key_of(given[i], &text)) {
            found[i] = counts[place];
        }
    })?;

    let found = found.into_vec()?;
    let mut list: Vec<(String, u32)> = words
        .iter()
        .zip(&found)
        .map(|(word, &count)| (TEXT[word.start as usize..word.end as usize].to_lowercase(), count))
        .collect();
    list.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
    list.dedup();
    println!("{} words, {} different ones; those that occur most often:", words.len(), list.len());
    for (word, count) in list.iter().take(8) {
        println!("{word:8} {count:2} {}", "#".repeat(*count as usize));
    }
    tilewise_examples::record("found", &found);
    Ok(())
}
