//! Sets of small numbers, one bit each.

/// A set of numbers below a size that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set of numbers below `size`.
    pub(super) fn new(size: usize) -> BitSet {
        BitSet(vec![0; size.div_ceil(64)])
    }

    /// Is the number in it? Numbers at or above the size are not.
    pub(super) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a number; false if it was there.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let word = &mut self.0[number / 64];
        let before = *word;
        *word |= 1 << (number % 64);
        *word != before
    }

    /// Removes a number.
    pub(super) fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Adds all elements of another set of the same size; true if any is new.
    pub(super) fn join(&mut self, other: &BitSet) -> bool {
        let mut new = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    /// Removes all numbers.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Is it empty?
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The numbers in it, in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let rest = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|&rest| rest != 0).map(move |rest| i * 64 + rest.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[test]
    fn a_set_gives_back_in_order_what_was_put_in() {
        let mut set = BitSet::new(200);
        for n in [199, 0, 63, 64, 65, 127, 128] {
            assert!(set.insert(n));
        }
        assert!(!set.insert(64));
        set.remove(65);
        set.remove(1000);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 127, 128, 199]);
        assert!(set.has(199) && !set.has(65) && !set.has(1000));
    }

    #[test]
    fn joining_tells_whether_there_was_anything_new() {
        let (mut a, mut b) = (BitSet::new(70), BitSet::new(70));
        b.insert(69);
        assert!(a.join(&b));
        assert!(!a.join(&b));
        assert_eq!(a, b);
        a.clear();
        assert!(a.is_empty() && !b.is_empty());
    }
}
