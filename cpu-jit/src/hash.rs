//! Maps and sets for the compiler's own small keys: a hash that is quick rather than safe against keys chosen to collide, as nobody who could choose them gains anything.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A map with the quick hash.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Quick>>;
/// A set with the quick hash.
pub(crate) type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Quick>>;

/// Multiplies and turns, word by word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Quick(u64);

/// An odd number whose bits look random: the fraction of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

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

    /// The upper bits are the good ones; tables look at both ends.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// A key that is hashed once for all the tables in which it is looked for.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Hashed<K> {
    hash: u64,
    pub(crate) key: K,
}

impl<K: Hash> Hashed<K> {
    pub(crate) fn new(key: K) -> Hashed<K> {
        let mut hasher = Quick::default();
        key.hash(&mut hasher);
        Hashed { hash: hasher.finish(), key }
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
        let mut hasher = Quick::default();
        value.hash(&mut hasher);
        hasher.finish()
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
}
