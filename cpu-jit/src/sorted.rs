//! Maps and sets in sorted vectors, iterated in the order of their keys.
//!
//! Each pair of types that a `BTreeMap` holds adds 6000 lines to what LLVM compiles, a tenth of
//! this crate in all; these add 300. An insertion at the end takes constant time, elsewhere time
//! proportional to the entries behind it: they are for a few keys, or for keys that mostly ascend,
//! such as the numbers of values and instructions in the order of the code.

use std::ops::Index;
use std::slice;
use std::vec;

/// A map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

/// A set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SortedSet<K> {
    keys: Vec<K>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap { entries: Vec::new() }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    pub(crate) fn new() -> Self {
        SortedMap::default()
    }

    /// The place of a key, or where to insert it.
    fn place(&self, key: &K) -> Result<usize, usize> {
        match self.entries.last() {
            Some((last, _)) if last < key => Err(self.entries.len()),
            _ => self.entries.binary_search_by(|(other, _)| other.cmp(key)),
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|at| &self.entries[at].1)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// Sets the value of a key; returns the value that it had.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// The value of a key, a default value if it had none.
    pub(crate) fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, V::default()));
                at
            }
        };
        &mut self.entries[at].1
    }
}

impl<K, V> SortedMap<K, V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn iter(&self) -> slice::Iter<'_, (K, V)> {
        self.entries.iter()
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> Index<&K> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).unwrap_or_else(|| panic!("the key has no entry"))
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = &'m (K, V);
    type IntoIter = slice::Iter<'m, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        SortedSet { keys: Vec::new() }
    }
}

impl<K: Ord> SortedSet<K> {
    pub(crate) fn new() -> Self {
        SortedSet::default()
    }

    /// The place of a key, or where to insert it.
    fn place(&self, key: &K) -> Result<usize, usize> {
        match self.keys.last() {
            Some(last) if last < key => Err(self.keys.len()),
            _ => self.keys.binary_search(key),
        }
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// Adds a key; was it missing?
    pub(crate) fn insert(&mut self, key: K) -> bool {
        let place = self.place(&key);
        if let Err(at) = place {
            self.keys.insert(at, key);
        }
        place.is_err()
    }

    /// Removes a key; was it there?
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        let place = self.place(key);
        if let Ok(at) = place {
            self.keys.remove(at);
        }
        place.is_ok()
    }
}

impl<K> SortedSet<K> {
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn iter(&self) -> slice::Iter<'_, K> {
        self.keys.iter()
    }

    pub(crate) fn first(&self) -> Option<&K> {
        self.keys.first()
    }

    pub(crate) fn last(&self) -> Option<&K> {
        self.keys.last()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type Item = K;
    type IntoIter = vec::IntoIter<K>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter()
    }
}

impl<'s, K> IntoIterator for &'s SortedSet<K> {
    type Item = &'s K;
    type IntoIter = slice::Iter<'s, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(keys);
        set
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A sorted map answers as a tree does, and has the same entries in the same order.
    #[test]
    fn a_map_is_like_a_tree() {
        let mut state = 1_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..200 {
            let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
            for _ in 0..random(60) {
                let (key, value) = (random(20), random(1000));
                match random(2) {
                    0 => assert_eq!(map.insert(key, value), tree.insert(key, value)),
                    _ => assert_eq!(map.or_default(key), tree.entry(key).or_default()),
                }
                assert_eq!(map.get(&key), tree.get(&key));
                assert_eq!(map.contains_key(&0), tree.contains_key(&0));
                assert_eq!(map.is_empty(), tree.is_empty());
            }
            assert!(map.keys().eq(tree.keys()));
            assert!(map.into_iter().eq(tree));
        }
    }

    #[test]
    fn a_set_has_each_key_once_in_order() {
        let mut set: SortedSet<u32> = [5, 1, 3, 1, 4].into();
        assert!(!set.insert(3) && set.insert(2) && set.remove(&4) && !set.remove(&4));
        assert!(set.iter().eq(&[1, 2, 3, 5]));
        assert_eq!((set.first(), set.last(), set.len()), (Some(&1), Some(&5), 4));
        assert!(set.contains(&5) && !set.contains(&4) && !set.contains(&6));
    }
}
