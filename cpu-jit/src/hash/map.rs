//! [`HashMap`] and [`HashSet`]: entries in the order of insertion, found by the hash of their keys.
//!
//! The passes have maps of some sixty types, and each instance of the standard library's is a thousand lines for LLVM,
//! a tenth of this crate's. Here, the table of hashes knows no keys, so its code exists once; and most maps have so few
//! entries that they need no table. Entries come in the order of insertion, whatever the keys' hashes are, up to the
//! first that is removed: the last entry takes its place.

use std::borrow::Borrow;
use std::hash::Hash;
use std::ops::Index;

use super::quick_hash;

/// Up to so many entries are compared one by one.
const FEW_ENTRIES: usize = 8;

/// An entry of the table, or none.
#[derive(Clone, Copy, Debug)]
struct HashSlot {
    hash: u32,
    /// The number of the entry; [`NO_ENTRY`] if the slot is free.
    entry: u32,
}

const NO_ENTRY: u32 = u32::MAX;

/// The numbers of entries by the hashes of their keys: a slot behind another if that is taken. At most half of the
/// slots are taken, and their number is a power of two; there are none as long as there are few entries.
#[derive(Clone, Default, Debug)]
struct HashSlots {
    slots: Vec<HashSlot>,
    taken: usize,
}

impl HashSlots {
    const fn is_in_use(&self) -> bool {
        !self.slots.is_empty()
    }

    const fn mask(&self) -> usize {
        self.slots.len() - 1
    }

    /// The next entry with this hash, from a slot on, which becomes the one behind it.
    fn next(&self, hash: u32, at: &mut usize) -> Option<usize> {
        loop {
            let slot = self.slots[*at & self.mask()];
            if slot.entry == NO_ENTRY {
                return None;
            }
            *at += 1;
            if slot.hash == hash {
                return Some(slot.entry as usize);
            }
        }
    }

    /// Adds an entry whose key is new.
    fn add(&mut self, hash: u32, entry: usize) {
        if 2 * (self.taken + 1) > self.slots.len() {
            let length = (2 * self.slots.len()).max(4 * FEW_ENTRIES);
            let old = std::mem::replace(&mut self.slots, vec![HashSlot { hash: 0, entry: NO_ENTRY }; length]);
            old.into_iter().filter(|slot| slot.entry != NO_ENTRY).for_each(|slot| self.place(slot));
        }
        self.taken += 1;
        self.place(HashSlot { hash, entry: entry as u32 });
    }

    fn place(&mut self, slot: HashSlot) {
        let mut at = slot.hash as usize & self.mask();
        while self.slots[at].entry != NO_ENTRY {
            at = (at + 1) & self.mask();
        }
        self.slots[at] = slot;
    }

    /// The slot of an entry.
    fn slot_of(&self, hash: u32, entry: usize) -> usize {
        let mut at = hash as usize & self.mask();
        while self.slots[at].entry as usize != entry {
            at = (at + 1) & self.mask();
        }
        at
    }

    /// Removes an entry; those behind it that it kept from their place move up.
    fn remove(&mut self, hash: u32, entry: usize) {
        let (mut free, mask) = (self.slot_of(hash, entry), self.mask());
        let mut at = free;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot.entry == NO_ENTRY {
                break;
            }
            let (from_home, from_free) = (at.wrapping_sub(slot.hash as usize), at.wrapping_sub(free));
            if from_home & mask >= from_free & mask {
                self.slots[free] = slot;
                free = at;
            }
        }
        self.slots[free].entry = NO_ENTRY;
        self.taken -= 1;
    }

    /// Gives an entry another number.
    fn renumber(&mut self, hash: u32, from: usize, to: usize) {
        let at = self.slot_of(hash, from);
        self.slots[at].entry = to as u32;
    }

    fn clear(&mut self) {
        *self = HashSlots::default();
    }
}

/// A map with the fast hash.
#[derive(Clone, Debug)]
pub(crate) struct HashMap<K, V> {
    entries: Vec<(K, V)>,
    slots: HashSlots,
}

impl<K, V> Default for HashMap<K, V> {
    fn default() -> HashMap<K, V> {
        HashMap { entries: Vec::new(), slots: HashSlots::default() }
    }
}

impl<K, V> HashMap<K, V> {
    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    pub(crate) fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.slots.clear();
    }
}

impl<K: Hash + Eq, V> HashMap<K, V> {
    /// The number of the entry of a key.
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        if !self.slots.is_in_use() {
            return self.entries.iter().position(|(entry, _)| entry.borrow() == key);
        }
        let hash = quick_hash(key) as u32;
        let mut at = hash as usize;
        loop {
            let entry = self.slots.next(hash, &mut at)?;
            if self.entries[entry].0.borrow() == key {
                return Some(entry);
            }
        }
    }

    /// Adds an entry whose key is new; returns its number.
    fn push(&mut self, key: K, value: V) -> usize {
        let entry = self.entries.len();
        self.entries.push((key, value));
        if self.slots.is_in_use() {
            self.slots.add(quick_hash(&self.entries[entry].0) as u32, entry);
        } else if entry >= FEW_ENTRIES {
            self.index();
        }
        entry
    }

    /// Makes the table of all entries.
    fn index(&mut self) {
        self.slots.clear();
        for (entry, (key, _)) in self.entries.iter().enumerate() {
            self.slots.add(quick_hash(key) as u32, entry);
        }
    }

    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).map(|entry| &self.entries[entry].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.find(key).map(|entry| &mut self.entries[entry].1)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.find(key).is_some()
    }

    /// Puts a value at a key; returns what was there. A key that is there already stays.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Some(entry) => Some(std::mem::replace(&mut self.entries[entry].1, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.find(key)?;
        if self.slots.is_in_use() {
            self.slots.remove(quick_hash(key) as u32, entry);
            let last = self.entries.len() - 1;
            if entry != last {
                self.slots.renumber(quick_hash(&self.entries[last].0) as u32, last, entry);
            }
        }
        Some(self.entries.swap_remove(entry).1)
    }

    pub(crate) fn entry(&mut self, key: K) -> MapEntry<'_, K, V> {
        MapEntry { map: self, key }
    }

    pub(crate) fn retain(&mut self, mut stays: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| stays(key, value));
        if self.slots.is_in_use() {
            self.index();
        }
    }
}

/// The place of a key in a map.
pub(crate) struct MapEntry<'m, K, V> {
    map: &'m mut HashMap<K, V>,
    key: K,
}

impl<'m, K: Hash + Eq, V> MapEntry<'m, K, V> {
    pub(crate) fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        let entry = match self.map.find(&self.key) {
            Some(entry) => entry,
            None => self.map.push(self.key, value()),
        };
        &mut self.map.entries[entry].1
    }

    pub(crate) fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    pub(crate) fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Hash + Eq, V> Index<&K> for HashMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("the map has the key")
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for HashMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for HashMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> HashMap<K, V> {
        let mut map = HashMap::default();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for HashMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// A set with the fast hash.
#[derive(Clone, Debug)]
pub(crate) struct HashSet<K>(HashMap<K, ()>);

impl<K> Default for HashSet<K> {
    fn default() -> HashSet<K> {
        HashSet(HashMap::default())
    }
}

impl<K> HashSet<K> {
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Hash + Eq> HashSet<K> {
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// Adds a key; whether it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Removes a key; whether it was there.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        self.0.remove(key).is_some()
    }
}

impl<K: Hash + Eq> Extend<K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: Hash + Eq> FromIterator<K> for HashSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> HashSet<K> {
        let mut set = HashSet::default();
        set.extend(keys);
        set
    }
}

impl<'a, K: Copy + Hash + Eq + 'a> Extend<&'a K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = &'a K>>(&mut self, keys: I) {
        self.extend(keys.into_iter().copied());
    }
}

impl<K> IntoIterator for HashSet<K> {
    type Item = K;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, ())| key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Few keys, so that most steps meet an entry; eight have the same hash, so that the table has runs.
    #[test]
    fn a_map_is_as_the_standard_one() {
        let mut state = 1_u64;
        let mut random = |bound: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % bound
        };
        for round in 0..if cfg!(miri) { 10 } else { 400 } {
            let (mut map, mut expected) = (HashMap::default(), BTreeMap::new());
            for step in 0..random(400) {
                let key = LikeKey(random(16 << (round % 4)));
                match random(8) {
                    0..=2 => assert_eq!(map.insert(key, step), expected.insert(key, step)),
                    3 | 4 => assert_eq!(map.remove(&key), expected.remove(&key)),
                    5 => assert_eq!(map.entry(key).or_insert(step), expected.entry(key).or_insert(step)),
                    6 if step % 16 == 0 => {
                        map.retain(|key, _| key.0 % 3 != 0);
                        expected.retain(|key, _| key.0 % 3 != 0);
                    }
                    _ => assert_eq!(map.get(&key), expected.get(&key)),
                }
                assert_eq!(map.len(), expected.len());
            }
            assert!(map.keys().all(|key| map.get(key) == expected.get(key)));
            let mut all: Vec<(LikeKey, u64)> = map.into_iter().collect();
            all.sort_unstable();
            assert_eq!(all, expected.into_iter().collect::<Vec<_>>());
        }
    }

    /// Eight of these have the same hash.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct LikeKey(u64);

    impl Hash for LikeKey {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            state.write_u64(self.0 / 8);
        }
    }

    #[test]
    fn entries_come_in_the_order_of_insertion() {
        let map: HashMap<u32, u32> = (0..100).map(|i| (i * 7919 % 1000, i)).collect();
        assert!(map.values().copied().eq(0..100));
        assert_eq!((map[&7919_u32.rem_euclid(1000)], map.get(&1000)), (1, None));
    }
}
