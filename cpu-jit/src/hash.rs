//! A fast hash for the compiler's own small keys, which is not resistant to chosen collisions, since
//! nobody who could choose keys gains anything. And a 128-bit hash, for contents.
//!
//! [`HashMap`] and [`HashSet`] are in `map`.

mod map;

pub(crate) use map::{HashMap, HashSet};

use std::hash::{Hash, Hasher};

/// Multiplies and rotates, word by word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Quick(u64);

/// An odd number with random-looking bits: the fraction of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

/// Splits bytes into 64-bit words, the last padded with zeros.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// Integers are hashed as 64-bit words.
macro_rules! words {
    () => {
        fn write_u8(&mut self, n: u8) {
            self.add(n.into());
        }

        fn write_u16(&mut self, n: u16) {
            self.add(n.into());
        }

        fn write_u32(&mut self, n: u32) {
            self.add(n.into());
        }

        fn write_u64(&mut self, n: u64) {
            self.add(n);
        }

        fn write_usize(&mut self, n: usize) {
            self.add(n as u64);
        }
    };
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        words_of(bytes).for_each(|word| self.add(word));
    }

    words!();

    /// The upper bits are the good ones; tables use the lower ones.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// The fast hash of a key.
fn quick_hash<K: Hash + ?Sized>(key: &K) -> u64 {
    let mut hasher = Quick::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// A 128-bit hash: accidental collisions are negligible, deliberate ones are possible.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wide(u128);

/// The same fraction, with more digits.
const WIDE_FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl Wide {
    /// Multiplies, and rotates the good upper bits to where the next word is combined.
    const fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word as u128).wrapping_mul(WIDE_FACTOR).rotate_left(64);
    }

    /// The hash of all that was added.
    pub(crate) const fn finish_wide(&self) -> u128 {
        let mixed = (self.0 ^ self.0 >> 67).wrapping_mul(WIDE_FACTOR);
        mixed ^ mixed >> 64
    }
}

impl Hasher for Wide {
    fn write(&mut self, bytes: &[u8]) {
        words_of(bytes).for_each(|word| self.add(word));
        self.add(bytes.len() as u64);
    }

    words!();

    fn finish(&self) -> u64 {
        (self.finish_wide() >> 64) as u64
    }
}

/// A key that is hashed once for several table lookups.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Hashed<K> {
    hash: u64,
    pub(crate) key: K,
}

impl<K: Hash> Hashed<K> {
    pub(crate) fn new(key: K) -> Hashed<K> {
        Hashed { hash: quick_hash(&key), key }
    }
}

impl<K> Hash for Hashed<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash;

    fn hash(value: impl Hash) -> u64 {
        quick_hash(&value)
    }

    #[test]
    fn neighbouring_numbers_fall_into_different_places_of_a_table() {
        let places: HashSet<u64> = (0..4096u32).map(|n| hash(n) & 0xffff).collect();
        assert!(places.len() > 3000, "{}", places.len());
        let tags: HashSet<u64> = (0..4096u32).map(|n| hash(n) >> 57).collect();
        assert_eq!(tags.len(), 128);
    }

    #[test]
    fn the_order_of_words_counts() {
        assert_ne!(hash((1u32, 2u32)), hash((2u32, 1u32)));
        assert_ne!(hash("ab"), hash("ba"));
    }

    fn wide(value: impl Hash) -> u128 {
        let mut hasher = Wide::default();
        value.hash(&mut hasher);
        hasher.finish_wide()
    }

    #[test]
    fn each_bit_of_what_is_hashed_changes_about_half_of_the_wide_hash() {
        let before = wide([0u64; 4]);
        for bit in 0..256 {
            let mut words = [0u64; 4];
            words[bit / 64] = 1 << (bit % 64);
            let changed = (wide(words) ^ before).count_ones();
            assert!((28..=100).contains(&changed), "bit {bit}: {changed}");
        }
    }

    #[test]
    fn no_two_of_many_small_contents_have_the_same_half_of_a_wide_hash() {
        for half in [0, 64] {
            let hashes: HashSet<u64> = (0..1u32 << 16).map(|n| (wide((n >> 8, n & 255)) >> half) as u64).collect();
            assert_eq!(hashes.len(), 1 << 16);
        }
        assert_ne!(wide(("ab", "c")), wide(("a", "bc")));
        assert_ne!(wide((1u32, 2u32)), wide((2u32, 1u32)));
    }
}
