//! The order in which tiles and threads run.

use super::ThreadOrder;

/// A well-mixed function of its argument (the finaliser of SplitMix64).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A permutation of `0..count` that needs no list of its elements: a Feistel network over the next
/// even number of bits, iterated until the result is in range.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeistelPermutation {
    order: ThreadOrder,
    count: u64,
    half: u32,
}

impl FeistelPermutation {
    /// The permutation of `count` elements for an order.
    pub(super) fn new(order: ThreadOrder, count: u64) -> FeistelPermutation {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        FeistelPermutation { order, count, half: bits.div_ceil(2).clamp(1, 31) }
    }

    /// The element at position `turn`.
    pub(super) fn at(&self, turn: u64) -> u64 {
        let ThreadOrder::Shuffled(seed) = self.order else { return turn };
        let mask = (1 << self.half) - 1;
        let mut x = turn;
        // The network is a bijection, so the iteration reaches an element of the range, at the
        // latest `turn` itself.
        loop {
            let (mut left, mut right) = (x >> self.half, x & mask);
            for round in 0..4 {
                (left, right) = (right, left ^ (mix(seed ^ mix(right ^ (round << 56))) & mask));
            }
            x = left << self.half | right;
            if x < self.count {
                return x;
            }
        }
    }
}

/// Shuffles a list, deterministically for each `seed` and `occasion`.
pub(super) fn shuffle(list: &mut [u32], seed: u64, occasion: u64) {
    let mut state = mix(seed ^ mix(occasion));
    for i in (1..list.len()).rev() {
        state = mix(state);
        list.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_comes_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 1000, 4097] {
            for seed in 0..5 {
                let order = FeistelPermutation::new(ThreadOrder::Shuffled(seed), count);
                let mut seen: Vec<u64> = (0..count).map(|turn| order.at(turn)).collect();
                assert!(count < 1000 || seen.windows(2).any(|w| w[0] > w[1]), "it is shuffled");
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..count));
            }
        }
        assert!(FeistelPermutation::new(ThreadOrder::Shuffled(7), u64::from(u32::MAX)).at(12) < u64::from(u32::MAX));
    }
}
