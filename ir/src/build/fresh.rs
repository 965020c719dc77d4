//! Names in use, and names that are not: the wanted one, or that with the least free number behind it.
//!
//! The least free number is found without a search: the numbers in use behind each name are kept as
//! intervals. Inlining asks for the same name once for each call.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::types::Name;

/// The number that the second name of several equal ones gets.
const FIRST: u64 = 2;

/// A set of names.
#[derive(Default)]
pub(super) struct TakenNames {
    names: HashSet<Name>,
    /// For names `base_2`, `base_3` and so on: the numbers by their bases.
    numbers: HashMap<Name, NumberSet>,
}

impl TakenNames {
    /// Adds a name.
    pub(super) fn take(&mut self, name: &Name) {
        if self.names.insert(name.clone())
            && let Some((base, number)) = numbered(name)
        {
            match self.numbers.get_mut(base) {
                Some(numbers) => numbers.add(number),
                None => self.numbers.entry(base.into()).or_default().add(number),
            }
        }
    }

    /// Removes a name.
    pub(super) fn free(&mut self, name: &Name) {
        if self.names.remove(name)
            && let Some((base, number)) = numbered(name)
            && let Some(numbers) = self.numbers.get_mut(base)
        {
            numbers.remove(number);
            if numbers.intervals.is_empty() {
                self.numbers.remove(base);
            }
        }
    }

    /// The wanted name if it is free, otherwise `wanted_2`, or the first free one after it.
    pub(super) fn unused(&self, wanted: &str) -> Name {
        if !self.names.contains(wanted) {
            return wanted.into();
        }
        let number = self.numbers.get(wanted).map_or(FIRST, NumberSet::first_free);
        format!("{wanted}_{number}").into()
    }
}

/// The name and the number behind it, if it could be a name of [`TakenNames::unused`].
fn numbered(name: &str) -> Option<(&str, u64)> {
    let (base, digits) = name.rsplit_once('_')?;
    let written = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    // No list of names is as long as the larger numbers, which so are of no interest.
    let number = digits.parse().ok().filter(|&number| written && (FIRST..u64::MAX).contains(&number))?;
    Some((base, number))
}

/// Numbers, as intervals that do not touch: the last number of each, by its first.
#[derive(Default)]
struct NumberSet {
    intervals: BTreeMap<u64, u64>,
}

impl NumberSet {
    /// Adds a number that is not in the set.
    fn add(&mut self, number: u64) {
        let before = self.intervals.range(..number).next_back().map(|(&first, &last)| (first, last));
        let first = before.filter(|before| before.1 + 1 == number).map_or(number, |before| before.0);
        let last = self.intervals.remove(&(number + 1)).unwrap_or(number);
        self.intervals.insert(first, last);
    }

    /// Removes a number that is in the set.
    fn remove(&mut self, number: u64) {
        let Some((&first, &last)) = self.intervals.range(..=number).next_back() else { return };
        self.intervals.remove(&first);
        if first < number {
            self.intervals.insert(first, number - 1);
        }
        if number < last {
            self.intervals.insert(number + 1, last);
        }
    }

    fn first_free(&self) -> u64 {
        self.intervals.get(&FIRST).map_or(FIRST, |last| last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by a search.
    fn searched(taken: &[Name], wanted: &str) -> Name {
        let numbered = (FIRST..).map(|n| format!("{wanted}_{n}").into());
        let mut candidates = std::iter::once(Name::from(wanted)).chain(numbered);
        candidates.find(|name| !taken.contains(name)).expect("there are more candidates than names")
    }

    #[test]
    fn the_free_name_is_the_one_that_a_search_finds() {
        let mut state = 7u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let wanted = ["a", "a_2", "a_3", "a_2_2", "a_02", "a_1", "a_5", "b", "a_", "a_99999999999999999999", "::f_7"];
        for _ in 0..40 {
            let (mut names, mut taken) = (TakenNames::default(), Vec::<Name>::new());
            for _ in 0..100 {
                if random(3) == 0 && !taken.is_empty() {
                    names.free(&taken.swap_remove(random(taken.len())));
                    continue;
                }
                let name = names.unused(wanted[random(wanted.len())]);
                let again = wanted[random(wanted.len())];
                assert_eq!(names.unused(again), searched(&taken, again), "{again} beside {taken:?}");
                names.take(&name);
                if !taken.contains(&name) {
                    taken.push(name);
                }
            }
        }
    }
}
