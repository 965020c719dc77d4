//! One pass of a radix sort: numbers in the order of one of their digits, and those with the same
//! digit in the order in which they are.

use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator, ParallelSlice};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Values of a digit.
pub const DIGITS: usize = 16;
/// Bits below the digit.
pub const SHIFT: u32 = 8;

/// The numbers.
pub fn inputs(count: usize) -> Vec<u32> {
    input::words(count, 0)
}

struct Pass {
    numbers: Vec<u32>,
    sorted: Vec<u32>,
}

fn digit(number: u32) -> usize {
    (number >> SHIFT) as usize % DIGITS
}

/// How often each digit occurs.
fn count(numbers: &[u32]) -> [usize; DIGITS] {
    // Two counters for each digit, as an increment waits for the one before of the same counter.
    let mut counts = [[0; DIGITS]; 2];
    let (pairs, rest) = numbers.as_chunks::<2>();
    for pair in pairs {
        counts[0][digit(pair[0])] += 1;
        counts[1][digit(pair[1])] += 1;
    }
    for number in rest {
        counts[0][digit(*number)] += 1;
    }
    std::array::from_fn(|digit| counts[0][digit] + counts[1][digit])
}

/// Writes each number to the next place of its digit.
fn scatter(numbers: &[u32], places: [&mut [u32]; DIGITS]) {
    let mut places = places.map(|places| places.iter_mut());
    for number in numbers {
        if let Some(place) = places[digit(*number)].next() {
            *place = *number;
        }
    }
}

pub(super) fn prepare(count_of_all: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Pass { numbers: inputs(count_of_all), sorted: vec![0; count_of_all] },
        restore: nothing,
        run: |s| {
            let counts: Vec<[usize; DIGITS]> = s.numbers.par_chunks(CHUNK).map(count).collect();
            // The places of each chunk and digit, first by digit.
            let mut places: Vec<[&mut [u32]; DIGITS]> = counts.iter().map(|_| Default::default()).collect();
            let mut rest = s.sorted.as_mut_slice();
            for digit in 0..DIGITS {
                for (places, counts) in places.iter_mut().zip(&counts) {
                    (places[digit], rest) = rest.split_at_mut(counts[digit]);
                }
            }
            let chunks = s.numbers.par_chunks(CHUNK).zip(places.into_par_iter());
            chunks.for_each(|(numbers, places)| scatter(numbers, places));
        },
        output: |s| PeerOutput::Words(s.sorted.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_their_digits_and_stay_in_order_otherwise() {
        let count = 3 * CHUNK + 100;
        let mut pass = prepare(count);
        pass.run().expect("it runs");
        let mut sorted = inputs(count);
        sorted.sort_by_key(|number| digit(*number));
        assert_eq!(pass.output().expect("it is there").compare(&PeerOutput::Words(sorted), None), Ok(()));
    }
}
