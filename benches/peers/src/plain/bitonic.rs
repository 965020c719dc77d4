//! A sort by Batcher's bitonic network: the same comparisons whatever the numbers are, a vector at a
//! time. All runs go up, as the first step of a merge reads one of them from its end.

use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, ParallelIterator, ParallelSlice, ParallelSliceMut,
};

use super::{Plain, nothing};
use crate::{PeerOutput, PreparedWork, input};

/// Numbers that fit the nearest cache.
const NEAR: usize = 1 << 12;
/// Numbers that a worker sorts and merges on its own, in its cache.
const OWN: usize = 1 << 15;
/// Numbers of each half or quarter that a worker orders at once.
const PART: usize = 1 << 12;

/// The numbers: a power of two of them.
pub fn inputs(count: usize) -> Vec<u32> {
    input::words(count, 0)
}

struct Numbers {
    given: Vec<u32>,
    sorted: Vec<u32>,
}

/// Puts the smaller one first.
fn order(a: &mut u32, b: &mut u32) {
    (*a, *b) = ((*a).min(*b), (*a).max(*b));
}

/// The first step of a merge: the numbers of a sorted half, and from the other end those of another.
fn fold(low: &mut [u32], high: &mut [u32]) {
    low.iter_mut().zip(high.iter_mut().rev()).for_each(|(a, b)| order(a, b));
}

/// A further step: the numbers of two halves.
fn halves(low: &mut [u32], high: &mut [u32]) {
    low.iter_mut().zip(high).for_each(|(a, b)| order(a, b));
}

/// Two further steps at once, which saves every other pass over memory.
fn quarters([a, b, c, d]: [&mut [u32]; 4]) {
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        order(a, c);
        order(b, d);
        order(a, b);
        order(c, d);
    }
}

fn in_quarters(run: &mut [u32]) -> [&mut [u32]; 4] {
    let (low, high) = run.split_at_mut(run.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    [a, b, c, d]
}

/// [`quarters`] of all runs, whose quarters have a length that the compiler knows.
fn quarters_of_all<const QUARTER: usize>(numbers: &mut [u32]) {
    for [a, b, c, d] in numbers.as_chunks_mut::<QUARTER>().0.as_chunks_mut().0 {
        for i in 0..QUARTER {
            let [low_a, low_b, high_c, high_d] = [a[i].min(c[i]), b[i].min(d[i]), a[i].max(c[i]), b[i].max(d[i])];
            (a[i], b[i]) = (low_a.min(low_b), low_a.max(low_b));
            (c[i], d[i]) = (high_c.min(high_d), high_c.max(high_d));
        }
    }
}

/// [`quarters`] of all runs of 32, two at a time: the compiler makes vectors of a loop over 8
/// numbers only if its body is so long that it stays a loop.
fn quarters_of_32(numbers: &mut [u32]) {
    fn order_at(a: &mut [u32; 8], b: &mut [u32; 8], i: usize) {
        (a[i], b[i]) = (a[i].min(b[i]), a[i].max(b[i]));
    }
    for [a, b, c, d, e, f, g, h] in numbers.as_chunks_mut::<8>().0.as_chunks_mut().0 {
        for i in 0..8 {
            order_at(a, c, i);
            order_at(b, d, i);
            order_at(a, b, i);
            order_at(c, d, i);
            order_at(e, g, i);
            order_at(f, h, i);
            order_at(e, f, i);
            order_at(g, h, i);
        }
    }
}

/// The last three steps.
fn settle_8(numbers: &mut [u32]) {
    for run in numbers.as_chunks_mut().0 {
        let [a, b, c, d, e, f, g, h]: [u32; 8] = *run;
        let [a, b, c, d, e, f, g, h] = [a.min(e), b.min(f), c.min(g), d.min(h), a.max(e), b.max(f), c.max(g), d.max(h)];
        let [a, b, c, d, e, f, g, h] = [a.min(c), b.min(d), a.max(c), b.max(d), e.min(g), f.min(h), e.max(g), f.max(h)];
        *run = [a.min(b), a.max(b), c.min(d), c.max(d), e.min(f), e.max(f), g.min(h), g.max(h)];
    }
}

/// All further steps of a merge, in runs of this length.
fn settle(numbers: &mut [u32], length: usize) {
    if length > NEAR {
        quarters(in_quarters(numbers));
        let quarter = numbers.len() / 4;
        numbers.chunks_exact_mut(quarter).for_each(|numbers| settle(numbers, length / 4));
        return;
    }
    let mut length = length;
    while length > 32 {
        match length / 4 {
            16 => quarters_of_all::<16>(numbers),
            32 => quarters_of_all::<32>(numbers),
            64 => quarters_of_all::<64>(numbers),
            128 => quarters_of_all::<128>(numbers),
            256 => quarters_of_all::<256>(numbers),
            512 => quarters_of_all::<512>(numbers),
            _ => quarters_of_all::<1024>(numbers),
        }
        length /= 4;
    }
    if length == 32 {
        quarters_of_32(numbers);
    } else if length == 16 {
        numbers.chunks_exact_mut(length).for_each(|run| {
            let (low, high) = run.split_at_mut(length / 2);
            halves(low, high);
        });
    }
    settle_8(numbers);
}

/// Sorts numbers that fit the nearest cache.
fn sort_near(numbers: &mut [u32]) {
    for run in numbers.as_chunks_mut().0 {
        let [a, b, c, d]: [u32; 4] = *run;
        let [a, b, c, d] = [a.min(b), a.max(b), c.min(d), c.max(d)];
        let [a, b, c, d] = [a.min(d), b.min(c), b.max(c), a.max(d)];
        *run = [a.min(b), a.max(b), c.min(d), c.max(d)];
    }
    for run in numbers.as_chunks_mut().0 {
        let [a, b, c, d, e, f, g, h]: [u32; 8] = *run;
        *run = [a.min(h), b.min(g), c.min(f), d.min(e), d.max(e), c.max(f), b.max(g), a.max(h)];
    }
    // Its first step changes nothing any more: the greater four are above.
    settle_8(numbers);
    let mut length = 8;
    while length < numbers.len() {
        numbers.chunks_exact_mut(2 * length).for_each(|run| {
            let (low, high) = run.split_at_mut(length);
            fold(low, high);
        });
        settle(numbers, length);
        length *= 2;
    }
}

/// Sorts a worker's own numbers.
fn sort(numbers: &mut [u32]) {
    if numbers.len() <= NEAR {
        return sort_near(numbers);
    }
    let half = numbers.len() / 2;
    let (low, high) = numbers.split_at_mut(half);
    sort(low);
    sort(high);
    fold(low, high);
    settle(low, half);
    settle(high, half);
}

/// [`settle`] with all workers, for runs that are longer than [`OWN`].
fn settle_together(run: &mut [u32]) {
    if run.len() <= OWN {
        settle(run, run.len());
    } else if run.len() == 2 * OWN {
        let (low, high) = run.split_at_mut(OWN);
        low.par_chunks_mut(PART).zip(high.par_chunks_mut(PART)).for_each(|(low, high)| halves(low, high));
        run.par_chunks_mut(OWN).for_each(|run| settle(run, OWN));
    } else {
        let [a, b, c, d] = in_quarters(run).map(|quarter| quarter.par_chunks_mut(PART));
        a.zip(b).zip(c).zip(d).for_each(|(((a, b), c), d)| quarters([a, b, c, d]));
        let quarter = run.len() / 4;
        run.par_chunks_mut(quarter).for_each(settle_together);
    }
}

/// Makes one sorted run of two, with all workers.
fn merge_together(run: &mut [u32]) {
    let (low, high) = run.split_at_mut(run.len() / 2);
    low.par_chunks_mut(PART).zip(high.par_chunks_mut(PART).rev()).for_each(|(low, high)| fold(low, high));
    [low, high].into_par_iter().for_each(settle_together);
}

pub(super) fn prepare(count: usize) -> Box<dyn PreparedWork> {
    Box::new(Plain {
        state: Numbers { given: inputs(count), sorted: vec![0; count] },
        restore: nothing,
        run: |s| {
            let count = s.given.len();
            let own = OWN.min(count);
            s.sorted.par_chunks_mut(own).zip(s.given.par_chunks(own)).for_each(|(run, given)| {
                run.copy_from_slice(given);
                sort(run);
            });
            let mut length = 2 * own;
            while length <= count {
                s.sorted.par_chunks_mut(length).for_each(merge_together);
                length *= 2;
            }
        },
        output: |s| PeerOutput::Words(s.sorted.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_in_one_chunk_and_in_many() {
        for count in [NEAR / 2, OWN, 2 * OWN, 4 * OWN, 8 * OWN] {
            let mut sort = prepare(count);
            sort.run().expect("it runs");
            let mut sorted = inputs(count);
            sorted.sort_unstable();
            assert_eq!(
                sort.output().expect("it is there").compare(&PeerOutput::Words(sorted), None),
                Ok(()),
                "{count}"
            );
        }
    }
}
