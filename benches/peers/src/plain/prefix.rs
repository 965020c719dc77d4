//! Running sums of a whole array.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut};

use super::{CHUNK, Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// The numbers, whose sums wrap.
pub fn inputs(count: usize) -> Vec<u32> {
    input::words(count, 0)
}

struct Sums {
    numbers: Vec<u32>,
    sums: Vec<u32>,
}

/// The sums of a chunk, after that of all before it.
fn running(before: u32, numbers: &[u32], sums: &mut [u32]) {
    let mut sum = before;
    for (result, number) in sums.iter_mut().zip(numbers) {
        sum = sum.wrapping_add(*number);
        *result = sum;
    }
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Sums { numbers: inputs(count), sums: vec![0; count] },
        restore: nothing,
        run: |s| {
            let total = |numbers: &[u32]| numbers.iter().fold(0_u32, |sum, number| sum.wrapping_add(*number));
            let totals: Vec<u32> = s.numbers.par_chunks(CHUNK).map(total).collect();
            let mut before = vec![0; totals.len()];
            if let Some(before) = before.get_mut(1..) {
                running(0, &totals, before);
            }
            let chunks = s.sums.par_chunks_mut(CHUNK).zip(s.numbers.par_chunks(CHUNK)).zip(before);
            chunks.for_each(|((sums, numbers), before)| running(before, numbers, sums));
        },
        output: |s| PeerOutput::Words(s.sums.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_go_on_where_the_one_before_ended() {
        let count = 3 * CHUNK + 100;
        let mut sums = prepare(count);
        sums.run().expect("it runs");
        let mut expected = vec![0; count];
        running(0, &inputs(count), &mut expected);
        assert_eq!(sums.output().expect("it is there").compare(&PeerOutput::Words(expected), None), Ok(()));
    }
}
