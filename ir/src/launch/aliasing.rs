//! [`AllocationNumbers`]: which arguments of a launch can overlap.
//!
//! Two arguments can overlap only if they lie in one allocation. The code that a target makes for a
//! launch depends on which arguments share an allocation, not on which allocations they are: code
//! keyed by [`Argument::allocation`](super::Argument::allocation) for `(a: 7, b: 9, c: 7)` would
//! not serve `(a: 0, b: 4, c: 0)`. So targets renumber allocations in order of their first use by
//! an argument: both launches above become `(0, 1, 0)`.

/// Dense numbers for allocations, in order of first use. `A` identifies an allocation for the
/// caller: a number, an address, a buffer.
#[derive(Clone, Debug)]
pub struct AllocationNumbers<A> {
    used: Vec<A>,
}

impl<A> Default for AllocationNumbers<A> {
    fn default() -> Self {
        AllocationNumbers { used: Vec::new() }
    }
}

impl<A: PartialEq> AllocationNumbers<A> {
    /// The number of an allocation; assigns the next one on first use.
    pub fn number(&mut self, allocation: A) -> usize {
        // A launch has few allocations, so a linear search is quicker than a table.
        self.used.iter().position(|known| *known == allocation).unwrap_or_else(|| {
            self.used.push(allocation);
            self.used.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_in_the_order_of_first_use() {
        let numbers = |allocations: &[usize]| -> Vec<usize> {
            let mut numbers = AllocationNumbers::default();
            allocations.iter().map(|&allocation| numbers.number(allocation)).collect()
        };
        assert_eq!(numbers(&[7, 9, 7, 3, 9]), [0, 1, 0, 2, 1]);
        assert_eq!(numbers(&[0, 4, 0, 2, 4]), [0, 1, 0, 2, 1]);
        assert_eq!(numbers(&[]), []);
    }
}
