//! One pass of a radix sort: each thread counts the digits of its own run of numbers, the running
//! sums of all counts say where each thread's numbers with each digit begin, and each thread moves
//! its numbers there in order.
//!
//! A thread's sixteen counts are bytes of four words, which are registers: a count in an array
//! would be an access for each number.

use tilewise::prelude::*;
use tilewise_peers::plain::radix::{DIGITS, SHIFT, inputs};
use tilewise_peers::{PeerOutput, PreparedWork};

use super::{Views, filled, nothing, prefix};

/// Numbers of a thread: no more than a byte counts.
const OWN: usize = 128;
/// Counters between those of one digit and of the next that nobody counts with: lines a power of two apart
/// share a few places in the caches, and each thread has a counter for each digit.
const APART: usize = 16;
/// Counts in a word.
const COUNTS: u32 = 4;

struct Pass {
    numbers: ReadView<'static, u32>,
    sorted: ArrayView<'static, u32>,
    /// Counts of each digit, and of each thread with that digit.
    counts: ArrayView<'static, u32>,
    places: ArrayView<'static, u32>,
    totals: Vec<ArrayView<'static, u32>>,
}

/// The counts of a thread's digits.
#[derive(Clone, Copy, AmpStruct)]
struct DigitCounts {
    words: UInt4,
}

#[amp]
impl DigitCounts {
    fn of(&self, digit: u32) -> u32 {
        let word = digit / COUNTS;
        let low = if word == 0 { self.words.x } else { self.words.y };
        let high = if word == 2 { self.words.z } else { self.words.w };
        let bytes = if word < 2 { low } else { high };
        bytes >> (8 * (digit % COUNTS)) & 0xff
    }

    fn add(&mut self, digit: u32) {
        let word = digit / COUNTS;
        let one = 1 << (8 * (digit % COUNTS));
        self.words.x += if word == 0 { one } else { 0 };
        self.words.y += if word == 1 { one } else { 0 };
        self.words.z += if word == 2 { one } else { 0 };
        self.words.w += if word == 3 { one } else { 0 };
    }
}

#[amp]
fn digit(number: u32) -> u32 {
    (number >> SHIFT) % DIGITS as u32
}

/// Counts the digits of each thread's run.
fn count(on: &AcceleratorView, numbers: &ReadView<'_, u32>, counts: &ArrayView<'_, u32>) -> tilewise::Result<()> {
    let threads = numbers.extent()[0] / OWN as i32;
    let apart = threads + APART as i32;
    parallel_for_each!((on, Extent([threads])), |i| {
        let mut own = DigitCounts { words: UInt4::ZERO };
        for k in 0..OWN as i32 {
            own.add(digit(numbers[i[0] * OWN as i32 + k]));
        }
        for d in 0..DIGITS as i32 {
            counts[d * apart + i[0]] = own.of(d as u32);
        }
    })
}

/// Makes running sums with each own count those without it.
fn places_before(
    on: &AcceleratorView,
    counts: &ArrayView<'_, u32>,
    places: &ArrayView<'_, u32>,
) -> tilewise::Result<()> {
    parallel_for_each!((on, places.extent()), |i| {
        places[i] -= counts[i];
    })
}

/// Moves the numbers: `places` has the places of each thread's first number with each digit.
fn scatter(on: &AcceleratorView, pass: &Pass) -> tilewise::Result<()> {
    let Pass { numbers, sorted, places, .. } = pass;
    let threads = numbers.extent()[0] / OWN as i32;
    let apart = threads + APART as i32;
    parallel_for_each!((on, Extent([threads])), |i| {
        let mut own = DigitCounts { words: UInt4::ZERO };
        for k in 0..OWN as i32 {
            let number = numbers[i[0] * OWN as i32 + k];
            let of = digit(number);
            sorted[places[of as i32 * apart + i[0]] + own.of(of)] = number;
            own.add(of);
        }
    })
}

pub(super) fn prepare(length: usize, on: &AcceleratorView) -> tilewise::Result<Box<dyn PreparedWork>> {
    assert!(length.is_multiple_of(OWN), "runs are whole");
    let counters = (length / OWN + APART) * DIGITS;
    let views = Pass {
        numbers: filled(length, inputs(length))?.as_read_only(),
        sorted: filled(length, vec![0; length])?,
        counts: filled(counters, vec![0; counters])?,
        places: filled(counters, vec![0; counters])?,
        totals: prefix::totals(counters)?,
    };
    Ok(Box::new(Views {
        on: on.clone(),
        views,
        restore: nothing,
        run: |on, pass| {
            count(on, &pass.numbers, &pass.counts)?;
            prefix::scan(on, &pass.counts, &pass.places, &pass.totals)?;
            places_before(on, &pass.counts, &pass.places)?;
            scatter(on, pass)
        },
        output: |s| s.sorted.to_vec().map(PeerOutput::Words),
    }))
}
