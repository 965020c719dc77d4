//! The data of every contestant: pseudo-random numbers by position, the same in all programs.

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

/// The number at `position` of `stream`: a step of a linear congruential generator and the PCG
/// permutation of its state.
pub fn pcg(position: u32, stream: u32) -> u32 {
    let state =
        position.wrapping_add(stream.wrapping_mul(0x9E37_79B9)).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// A float of [0, 1).
pub fn unit(position: u32, stream: u32) -> f32 {
    (pcg(position, stream) >> 8) as f32 / 16_777_216.0
}

/// Floats of [`low`, `high`).
pub fn floats(count: usize, stream: u32, low: f32, high: f32) -> Vec<f32> {
    filled(count, |i| low + (high - low) * unit(i, stream))
}

/// Whole numbers of 32 bits.
pub fn words(count: usize, stream: u32) -> Vec<u32> {
    filled(count, |i| pcg(i, stream))
}

fn filled<T: Default + Clone + Send>(count: usize, at: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let mut all = vec![T::default(); count];
    all.par_iter_mut().with_min_len(1 << 12).enumerate().for_each(|(i, element)| *element = at(i as u32));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_floats_are_in_range() {
        assert_ne!(pcg(0, 0), pcg(0, 1));
        let all = floats(1000, 3, 5.0, 30.0);
        assert!(all.iter().all(|x| (5.0..30.0).contains(x)));
        assert!(all.iter().any(|&x| x < 6.0) && all.iter().any(|&x| x > 29.0));
    }

    #[test]
    fn the_generator_is_the_one_of_the_other_programs() {
        // By hand: state 2891336453, shift 10 + 4.
        let state = 2_891_336_453_u32;
        let word = ((state >> 14) ^ state).wrapping_mul(277_803_737);
        assert_eq!(pcg(0, 0), (word >> 22) ^ word);
    }
}
