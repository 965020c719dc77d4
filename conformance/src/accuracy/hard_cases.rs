//! Arguments whose exact results lie next to a number or to the middle of two, nearer than random
//! ones do: those that V. Lefevre, J.-M. Muller, P. Zimmermann and the CORE-MATH project published,
//! and some found here.
//!
//! `hard_cases.txt` has them; a test holds that each is hard. A row has a function of `f64` and the
//! bits of its arguments.

const ROWS: &str = include_str!("hard_cases.txt");

/// The hard arguments of a function of `f64`, as bits.
pub(super) fn hard_cases(name: &str) -> impl Iterator<Item = [u64; 2]> {
    rows().filter(move |(function, _)| *function == name).map(|(_, row)| row)
}

/// All rows of the table.
pub(super) fn rows() -> impl Iterator<Item = (&'static str, [u64; 2])> {
    ROWS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split(' ');
        let function = words.next()?;
        let mut bits = || words.next().map_or(Some(0), |word| u64::from_str_radix(word, 16).ok());
        Some((function, [bits()?, bits()?]))
    })
}
