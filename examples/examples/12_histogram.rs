//! How often each letter occurs in a text: atomic additions to 26 counters. In the second form each tile counts in
//! memory of its own first, so that few threads meet at the same counter. The last tile reaches past the end of the
//! text: a domain must be a multiple of its tile, so it is padded, and the threads too many count nothing.

use tilewise::prelude::*;

const TEXT: &str = "\
    It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want \
    of a wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, \
    this truth is so well fixed in the minds of the surrounding families, that he is considered as the rightful \
    property of some one or other of their daughters.";

/// Threads of a tile.
const TILE: usize = 64;
/// Letters of the alphabet.
const LETTERS: usize = 26;

/// The place of a letter in the alphabet; `LETTERS` for what is none.
#[amp]
fn letter(byte: u8) -> usize {
    match byte {
        b'A'..=b'Z' => (byte - b'A') as usize,
        b'a'..=b'z' => (byte - b'a') as usize,
        _ => LETTERS,
    }
}

/// All threads add to the same counters.
fn count(text: &ReadView<'_, u8>, counts: &ArrayView<'_, u32>) -> tilewise::Result<()> {
    parallel_for_each!(text.extent(), |i| {
        let place = letter(text[i]);
        if place < LETTERS {
            counts.atomic(place).fetch_add(1);
        }
    })
}

/// Each tile counts by itself, then its first threads add what it has.
fn count_in_tiles(text: &ReadView<'_, u8>, counts: &ArrayView<'_, u32>) -> tilewise::Result<()> {
    let length = text.extent()[0];
    parallel_for_each!(text.extent().tile::<TILE>().pad(), |t| {
        #[tile_static]
        let own: [u32; LETTERS];
        let i = t.local[0];
        if i < LETTERS as i32 {
            own[i] = 0;
        }
        t.barrier.wait();
        if t.global[0] < length {
            let place = letter(text[t]);
            if place < LETTERS {
                own.atomic(place).fetch_add(1);
            }
        }
        t.barrier.wait();
        if i < LETTERS as i32 {
            counts.atomic(i).fetch_add(own[i]);
        }
    })
}

fn main() -> tilewise::Result<()> {
    let text = ArrayView::read_only(TEXT.len(), TEXT.as_bytes())?;
    let counts = ArrayView::from_vec(LETTERS, vec![0; LETTERS])?;
    count(&text, &counts)?;
    let in_tiles = ArrayView::from_vec(LETTERS, vec![0; LETTERS])?;
    count_in_tiles(&text, &in_tiles)?;
    assert_eq!(counts.to_vec()?, in_tiles.to_vec()?);

    let counts = counts.to_vec()?;
    for (letter, &count) in ('a'..='z').zip(&counts) {
        println!("{letter} {count:3} {}", "#".repeat(count as usize));
    }
    println!("{} letters of {} bytes", counts.iter().sum::<u32>(), TEXT.len());
    tilewise_examples::record("counts", &counts);
    Ok(())
}
