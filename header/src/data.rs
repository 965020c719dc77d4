//! The `DATA` of a header: parses lists, `zero`, `fill`, `iota`, `random`, and prints bits as the
//! shortest list.

use std::sync::Arc;

use tilewise_ir::types::Stored;

use crate::{Complaint, FilePlace, value};

/// Data of a header, before its type is known.
#[derive(Clone, PartialEq, Debug)]
pub struct HeaderData {
    /// Where it begins.
    pub at: FilePlace,
    /// Its form.
    pub form: DataForm,
}

/// The forms of [`HeaderData`].
#[derive(Clone, PartialEq, Debug)]
pub enum DataForm {
    /// Values one by one.
    List(Vec<RepeatedItem>),
    /// All zero.
    Zero,
    /// These values, repeated.
    Fill(Vec<RepeatedItem>),
    /// Counts from `start` by `step`.
    Iota {
        /// The first value.
        start: DataLiteral,
        /// The difference between consecutive values.
        step: DataLiteral,
    },
    /// Any bits, or values of a range.
    Random {
        /// The seed of the sequence.
        seed: u64,
        /// The inclusive lower and the exclusive upper bound.
        range: Option<(DataLiteral, DataLiteral)>,
    },
    /// The bits of each scalar: contents of a file, which no header writes.
    Bits(Arc<[u64]>),
}

/// A value with its count.
#[derive(Clone, PartialEq, Debug)]
pub struct RepeatedItem {
    /// The count.
    pub count: u64,
    /// The value.
    pub literal: DataLiteral,
}

/// A value, before its type is known.
#[derive(Clone, PartialEq, Debug)]
pub struct DataLiteral {
    /// Where it stands.
    pub at: FilePlace,
    /// The word; of `bits(..)`, the number.
    pub word: String,
    /// Is it `bits(..)`?
    pub bits: bool,
}

impl DataLiteral {
    fn read(&self, stored: Stored) -> Result<u64, Complaint> {
        if self.bits {
            let bits = value::integer(&self.word).and_then(|bits| u64::try_from(bits).ok());
            return bits.filter(|&bits| bits <= value::mask(stored)).ok_or_else(|| {
                Complaint::new(
                    self.at,
                    format!("`bits({})` are not the bits of a `{stored}`", self.word),
                    format!("write a number of at most {} bits", stored.size() * 8),
                )
            });
        }
        value::parse(&self.word, stored).map_err(|message| {
            Complaint::new(self.at, message, "values are the literals of the text form, without suffix")
        })
    }

    fn number(&self) -> Result<f64, Complaint> {
        let number = match value::integer(&self.word) {
            Some(integer) => Some(integer as f64),
            None => self.word.replace('_', "").parse().ok(),
        };
        number
            .filter(|_| !self.bits)
            .ok_or_else(|| Complaint::new(self.at, format!("`{}` is no number", self.word), "write a decimal number"))
    }

    /// The number, if it is finite as a float of this type.
    fn finite(&self, stored: Stored) -> Result<f64, Complaint> {
        // The least number that rounds to infinity.
        let beyond = match stored {
            Stored::F16 => 65520.0,
            Stored::F32 => f64::from(f32::MAX) + 2f64.powi(103),
            Stored::F64 => f64::INFINITY,
            Stored::Bool
            | Stored::I8
            | Stored::U8
            | Stored::I16
            | Stored::U16
            | Stored::I32
            | Stored::U32
            | Stored::I64
            | Stored::U64 => return self.number(),
        };
        let number = self.number()?;
        if number.abs() < beyond {
            return Ok(number);
        }
        let message = format!("`{}` is no finite `{stored}`", self.word);
        Err(Complaint::new(self.at, message, "write finite numbers at both ends of the range"))
    }
}

/// The maximum number of scalars in one piece of data.
pub const MOST: u64 = 1 << 24;

/// The bits of `data` for scalars of these types.
pub fn fill(data: &HeaderData, leaves: &[Stored]) -> Result<Vec<u64>, Complaint> {
    match &data.form {
        DataForm::Zero => Ok(vec![0; leaves.len()]),
        DataForm::List(items) => {
            let have = counted(items);
            if have != leaves.len() as u64 {
                let message = format!("{} values are needed here, and {have} are given", leaves.len());
                return Err(Complaint::new(
                    data.at,
                    message,
                    "give all of them, or write `zero`, `fill`, `iota` or `random`",
                ));
            }
            cycle(items, leaves)
        }
        DataForm::Fill(items) => {
            let given = counted(items);
            if given > leaves.len() as u64 && !leaves.is_empty() {
                let message = format!("`fill` repeats {given} values, and {} are needed here", leaves.len());
                return Err(Complaint::new(data.at, message, "write at most as many values as there are scalars"));
            }
            cycle(items, leaves)
        }
        DataForm::Iota { start, step } => {
            leaves.iter().zip(0i128..).map(|(&stored, i)| count(start, step, i, stored)).collect()
        }
        DataForm::Random { seed, range } => {
            let mut state = *seed;
            let mut draw = || {
                state = next(state);
                scramble(state)
            };
            leaves.iter().map(|&stored| random(draw(), range.as_ref(), stored)).collect()
        }
        DataForm::Bits(bits) if bits.len() == leaves.len() => Ok(bits.to_vec()),
        DataForm::Bits(bits) => {
            let message = format!("{} values are needed here, and {} are given", leaves.len(), bits.len());
            Err(Complaint::new(data.at, message, "give all of them"))
        }
    }
}

/// The number of values.
fn counted(items: &[RepeatedItem]) -> u64 {
    items.iter().fold(0, |sum, item| sum.saturating_add(item.count))
}

/// The values over and over. None is left out, unless there are no scalars at all.
fn cycle(items: &[RepeatedItem], leaves: &[Stored]) -> Result<Vec<u64>, Complaint> {
    let mut out = Vec::with_capacity(leaves.len());
    // The loop ends: the parser guarantees positive counts, and at least one item unless `leaves`
    // is empty.
    while out.len() < leaves.len() {
        for item in items {
            for _ in 0..item.count {
                let Some(&stored) = leaves.get(out.len()) else { return Ok(out) };
                out.push(item.literal.read(stored)?);
            }
        }
    }
    Ok(out)
}

fn count(start: &DataLiteral, step: &DataLiteral, i: i128, stored: Stored) -> Result<u64, Complaint> {
    if let Some(bits) = [start, step].into_iter().find(|literal| literal.bits) {
        let message = format!("`iota` counts from `bits({})`, which are no number", bits.word);
        return Err(Complaint::new(bits.at, message, "write the number itself"));
    }
    if let (Some(first), Some(by)) = (value::integer(&start.word), value::integer(&step.word)) {
        let at = by.checked_mul(i).and_then(|by| by.checked_add(first));
        let (low, high) = value::range(stored);
        return match stored {
            Stored::F16 | Stored::F32 | Stored::F64 => {
                finite_count(at.map_or(f64::INFINITY, |at| at as f64), start, stored)
            }
            _ => match at.filter(|at| *at >= low && *at <= high) {
                Some(at) => Ok(at as u64 & value::mask(stored)),
                None => Err(Complaint::new(
                    start.at,
                    format!("`iota` counts beyond what `{stored}` holds, {low} to {high}"),
                    "begin lower, or write a smaller `step`",
                )),
            },
        };
    }
    match stored {
        Stored::F16 | Stored::F32 | Stored::F64 => {
            finite_count(start.number()? + step.number()? * i as f64, start, stored)
        }
        _ => Err(Complaint::new(
            start.at,
            format!("`iota` with fractions, and `{stored}` is stored here"),
            "count in integers",
        )),
    }
}

/// A float that `iota` counts to.
fn finite_count(at: f64, start: &DataLiteral, stored: Stored) -> Result<u64, Complaint> {
    let bits = round(at, stored);
    if value::number(bits, stored).is_finite() {
        return Ok(bits);
    }
    let message = format!("`iota` counts beyond what `{stored}` holds");
    Err(Complaint::new(start.at, message, "begin lower, or write a smaller `step`"))
}

fn round(value: f64, stored: Stored) -> u64 {
    match stored {
        Stored::F16 => u64::from(half::f16::from_f64(value).to_bits()),
        Stored::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The next state of the random sequence: Weyl steps, as in SplitMix64.
pub fn next(state: u64) -> u64 {
    state.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The output of SplitMix64 for a state.
fn scramble(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn random(bits: u64, range: Option<&(DataLiteral, DataLiteral)>, stored: Stored) -> Result<u64, Complaint> {
    let Some((low, high)) = range else {
        return Ok(if stored == Stored::Bool { bits & 1 } else { bits & value::mask(stored) });
    };
    let empty = || Complaint::new(low.at, "this range is empty".to_owned(), "write `LO..HI` with LO below HI");
    match stored {
        Stored::F16 | Stored::F32 | Stored::F64 => {
            let (from, to) = (low.finite(stored)?, high.finite(stored)?);
            if from >= to {
                return Err(empty());
            }
            let part = (bits >> 11) as f64 / (1u64 << 53) as f64;
            // The difference of two finite numbers may overflow.
            let width = to - from;
            let drawn = if width.is_finite() { from + width * part } else { from * (1.0 - part) + to * part };
            let value = round(drawn, stored);
            // Rounding may reach the upper bound, which is excluded.
            Ok(if value == round(to, stored) { round(from, stored) } else { value })
        }
        _ => {
            low.read(stored)?;
            let (Some(from), Some(to)) = (value::integer(&low.word), value::integer(&high.word)) else {
                return Err(Complaint::new(
                    low.at,
                    format!("this range is of fractions, and `{stored}` is stored here"),
                    "write integers",
                ));
            };
            if from >= to {
                return Err(empty());
            }
            if to > value::range(stored).1 + 1 {
                high.read(stored)?;
            }
            let span = (to - from) as u128;
            Ok((from + (u128::from(bits) % span) as i128) as u64 & value::mask(stored))
        }
    }
}

/// `bits` in short form: `zero`, `fill`, `iota`, or a list with repeat counts. Values of one
/// element stand in `( )`.
pub fn show(bits: &[u64], leaves: &[Stored], per_element: usize) -> Vec<String> {
    let words: Vec<String> = bits.iter().zip(leaves).map(|(&bits, &stored)| value::show(bits, stored)).collect();
    if !words.is_empty() && bits.iter().all(|&b| b == 0) {
        return vec!["zero".to_owned()];
    }
    let short = 8;
    if per_element <= 1 && words.len() >= short {
        if words.iter().all(|word| *word == words[0]) {
            return vec!["fill".to_owned(), words[0].clone()];
        }
        if let Some(steps) = steady(&words) {
            return steps;
        }
    }
    list(bits, leaves, per_element)
}

/// `bits` as a list with repeat counts.
pub fn list(bits: &[u64], leaves: &[Stored], per_element: usize) -> Vec<String> {
    let words: Vec<String> = bits.iter().zip(leaves).map(|(&bits, &stored)| value::show(bits, stored)).collect();
    if per_element > 1 {
        return words.chunks(per_element).map(|element| format!("({})", element.join(" "))).collect();
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let run = words[i..].iter().take_while(|word| **word == words[i]).count();
        if run >= 4 {
            out.push(format!("{run}*{}", words[i]));
        } else {
            out.extend(words[i..i + run].iter().cloned());
        }
        i += run;
    }
    out
}

/// `iota ..` if the words form an arithmetic sequence of integers.
fn steady(words: &[String]) -> Option<Vec<String>> {
    let whole = |word: &String| value::integer(word.strip_suffix(".0").unwrap_or(word)).filter(|_| word != "-0.0");
    let numbers: Vec<i128> = words.iter().map(whole).collect::<Option<_>>()?;
    // Above this a float may not count by ones.
    if numbers.iter().any(|n| n.abs() > 1000 && words[0].contains('.')) {
        return None;
    }
    let step = numbers.get(1)? - numbers[0];
    if step == 0 || numbers.windows(2).any(|pair| pair[1] - pair[0] != step) {
        return None;
    }
    let mut out = vec!["iota".to_owned()];
    if (numbers[0], step) != (0, 1) {
        out.push(numbers[0].to_string());
    }
    if step != 1 {
        out.extend(["step".to_owned(), step.to_string()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(range: (&str, &str), stored: Stored) -> Result<Vec<u64>, String> {
        let literal =
            |word: &str| DataLiteral { word: word.to_owned(), bits: false, at: FilePlace { line: 1, column: 1 } };
        let range = (literal(range.0), literal(range.1));
        let mut state = 1;
        let draw = |_| {
            state = next(state);
            random(state, Some(&range), stored).map_err(|complaint| complaint.message)
        };
        (0..200).map(draw).collect()
    }

    #[test]
    fn random_floats_are_within_their_range_however_wide_it_is() {
        for (low, high) in [("-1.7e308", "1.7e308"), ("0", "1"), ("-1.7e308", "0")] {
            let (from, to): (f64, f64) = (low.parse().expect("a number"), high.parse().expect("a number"));
            let drawn = drawn((low, high), Stored::F64).expect("a range");
            assert!(drawn.iter().all(|&bits| (from..to).contains(&f64::from_bits(bits))), "{low}..{high}");
        }
    }

    #[test]
    fn ends_of_a_range_that_the_type_does_not_have_are_named() {
        let refused = |low, high, stored| drawn((low, high), stored).expect_err("the range is refused");
        for (low, high) in [("nan", "1"), ("-inf", "inf"), ("0", "inf"), ("0", "nan")] {
            assert!(refused(low, high, Stored::F64).contains("is no finite `f64`"), "{low}..{high}");
        }
        assert_eq!(refused("1e39", "1e40", Stored::F32), "`1e39` is no finite `f32`");
        assert_eq!(refused("0", "65520", Stored::F16), "`65520` is no finite `f16`");
        assert!(refused("0", "2147483649", Stored::I32).contains("does not fit in `i32`"));
        assert!(drawn(("2147483647", "2147483648"), Stored::I32).is_ok());
        assert_eq!(refused("1", "1", Stored::F32), "this range is empty");
    }

    #[test]
    fn counting_beyond_the_type_is_refused_for_floats_too() {
        let literal =
            |word: &str| DataLiteral { word: word.to_owned(), bits: false, at: FilePlace { line: 1, column: 1 } };
        let counted = |(start, step), i, stored| count(&literal(start), &literal(step), i, stored);
        assert_eq!(counted(("3e38", "3e38"), 0, Stored::F32).ok(), Some(u64::from(3e38f32.to_bits())));
        let huge = "99999999999999999999999999999999999999";
        for (pair, i, stored, name) in [
            (("3e38", "3e38"), 1, Stored::F32, "f32"),
            (("1e39", "0"), 0, Stored::F32, "f32"),
            (("65504", "16"), 1, Stored::F16, "f16"),
            (("0", huge), 2, Stored::F32, "f32"),
            (("1e308", "1e308"), 1, Stored::F64, "f64"),
        ] {
            let complaint = counted(pair, i, stored).expect_err("it is beyond");
            assert_eq!(complaint.message, format!("`iota` counts beyond what `{name}` holds"), "{pair:?}");
        }
    }

    #[test]
    fn counting_from_bits_is_refused() {
        let literal =
            |word: &str, bits| DataLiteral { word: word.to_owned(), bits, at: FilePlace { line: 1, column: 1 } };
        for (start, step) in [(literal("5", true), literal("1", false)), (literal("5", false), literal("1", true))] {
            for stored in [Stored::F32, Stored::U8] {
                assert!(count(&start, &step, 0, stored).is_err_and(|one| one.message.contains("are no number")));
            }
        }
    }

    #[test]
    fn a_fill_has_at_most_as_many_values_as_there_are_scalars() {
        let literal =
            |word: &str| DataLiteral { word: word.to_owned(), bits: false, at: FilePlace { line: 1, column: 1 } };
        let filled = |items: &[(u64, &str)], scalars: usize| {
            let items = items.iter().map(|&(count, word)| RepeatedItem { count, literal: literal(word) }).collect();
            let data = HeaderData { at: FilePlace { line: 1, column: 9 }, form: DataForm::Fill(items) };
            fill(&data, &vec![Stored::I32; scalars]).map_err(|complaint| (complaint.at.column, complaint.message))
        };
        let [one, two, three] = [(1, "1"), (1, "2"), (1, "3")];
        assert_eq!(filled(&[one, two], 2), Ok(vec![1, 2]));
        assert_eq!(filled(&[one, two], 3), Ok(vec![1, 2, 1]));
        assert_eq!(filled(&[one, two, three], 0), Ok(Vec::new()), "no scalar, and nothing of it is wrong");
        let message = "`fill` repeats 3 values, and 2 are needed here".to_owned();
        assert_eq!(filled(&[one, two, three], 2), Err((9, message.clone())));
        assert_eq!(filled(&[(2, "1"), two], 2), Err((9, message)));
    }
}
