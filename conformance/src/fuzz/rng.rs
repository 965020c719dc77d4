//! The only source of randomness: xoshiro256** seeded by splitmix64, written out so that a seed
//! gives the same kernel for ever.

/// A stream of numbers that is a function of its seed.
#[derive(Clone, Debug)]
pub struct SeedRng {
    state: [u64; 4],
}

impl SeedRng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> SeedRng {
        let mut at = seed;
        let state = std::array::from_fn(|_| {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = at;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        SeedRng { state }
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of a product is uniform enough for every `n` in use here, all far below
        // 2^32.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these; `None` if there is none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// One of these, of which there is at least one.
    pub fn one<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.below(N)]
    }

    /// A position in `weights`, with probability in proportion to its weight.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (i, &weight) in weights.iter().enumerate() {
            if left < weight {
                return i;
            }
            left -= weight;
        }
        0
    }
}
