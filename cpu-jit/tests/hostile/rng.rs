//! Numbers that look random, the same in each run; and numbers that kernels tend to stumble over.

/// A generator (xorshift).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        (self.bits() >> 11) % end.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// An index, a size or a step for something with `count` elements: in range, near its ends, near the ends of `i32`, near fractions of 2^31 and 2^32, or anything.
    pub(crate) fn hostile(&mut self, count: i32) -> i32 {
        let near = self.pick(&[-2, -1, 0, 1, 2]);
        let fraction = self.pick(&[2i64, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 32, 64]);
        match self.below(8) {
            0..3 => self.below(count.max(1) as u64) as i32,
            3 => count.wrapping_add(near),
            4 => self.pick(&[i32::MIN, i32::MAX, 0]).wrapping_add(near),
            5 => (((1i64 << 32) / fraction) as i32).wrapping_add(near),
            6 => (((1i64 << 31) / fraction) as i32).wrapping_mul(self.pick(&[-1, 1])).wrapping_add(near),
            _ => self.bits() as i32 >> self.below(32),
        }
    }
}
