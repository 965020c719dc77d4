//! Expectations: what a buffer should hold, and how it differs from that.

use tilewise_header::value;
use tilewise_ir::types::Stored;

use crate::script::AmberScript;

/// One `EXPECT`.
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptExpect {
    /// The number of the buffer.
    pub buffer: usize,
    /// What it should hold.
    pub expected: ExpectedValues,
}

/// What a buffer should hold.
#[derive(Clone, PartialEq, Debug)]
pub enum ExpectedValues {
    /// Scalars from one on.
    Scalars {
        /// The number of the first scalar.
        first: u64,
        /// How they compare.
        comparator: Comparator,
        /// The bits of the values.
        values: Vec<u64>,
        /// How far they may be apart: one for all, or one for each component in turn.
        tolerances: Vec<Tolerated>,
    },
    /// The texels of a rectangle, all with these channels.
    Texels {
        /// Its first texel.
        at: [u32; 2],
        /// Width and height.
        size: [u32; 2],
        /// Red, green, blue and perhaps alpha, each 0 to 255.
        channels: Vec<f64>,
        /// As above.
        tolerances: Vec<Tolerated>,
    },
    /// The contents of another buffer.
    Buffer(usize),
    /// Those of another, with the root of the mean of the squared differences at most this.
    RootMeanSquare {
        /// The number of the other buffer.
        other: usize,
        /// The limit.
        tolerance: f64,
    },
}

/// How a scalar is compared with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparator {
    /// `EQ`.
    Equal,
    /// `NE`.
    NotEqual,
    /// `LT`.
    Less,
    /// `LE`.
    LessOrEqual,
    /// `GT`.
    Greater,
    /// `GE`.
    GreaterOrEqual,
}

impl Comparator {
    pub(crate) fn by_name(name: &str) -> Option<Comparator> {
        Some(match name {
            "EQ" => Comparator::Equal,
            "NE" => Comparator::NotEqual,
            "LT" => Comparator::Less,
            "LE" => Comparator::LessOrEqual,
            "GT" => Comparator::Greater,
            "GE" => Comparator::GreaterOrEqual,
            _ => return None,
        })
    }

    /// What is expected of a value, in words that stand before it.
    const fn words(self) -> &'static str {
        match self {
            Comparator::Equal => "expected",
            Comparator::NotEqual => "expected anything but",
            Comparator::Less => "expected less than",
            Comparator::LessOrEqual => "expected at most",
            Comparator::Greater => "expected more than",
            Comparator::GreaterOrEqual => "expected at least",
        }
    }
}

/// How far a number may be from the expected one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerated {
    /// The number.
    pub number: f64,
    /// Is it per cent of the expected number?
    pub is_percent: bool,
}

impl Tolerated {
    /// The largest difference from this number.
    fn most(self, expected: f64) -> f64 {
        if self.is_percent { self.number / 100.0 * expected.abs() } else { self.number }
    }

    /// The same of integers, of which those of 64 bits are not rounded before.
    fn allows_integer(self, actual: i128, expected: i128) -> bool {
        actual == expected || (actual - expected).abs() as f64 <= self.most(expected as f64)
    }

    fn allows(self, actual: f64, expected: f64) -> bool {
        let most = self.most(expected);
        // Of an infinity each percentage is infinite too, and allows nothing else.
        actual == expected || (most.is_finite() && (actual - expected).abs() <= most)
    }
}

/// What Amber takes for equal of floats: it matters of doubles only.
const EQUAL: Tolerated = Tolerated { number: 1e-6, is_percent: true };
/// The same of channels between 0 and 1.
const EQUAL_CHANNELS: Tolerated = Tolerated { number: 0.002, is_percent: false };
/// Scalars that a message lists.
const LISTED: usize = 8;

impl ScriptExpect {
    /// How buffers differ from what is expected, in one or more lines; `contents` gives their bytes.
    pub fn difference<'b>(&self, script: &AmberScript, contents: &dyn Fn(usize) -> &'b [u8]) -> Option<String> {
        let found = contents(self.buffer);
        match &self.expected {
            ExpectedValues::Scalars { first, comparator, values, tolerances } => {
                self.scalars(script, found, *first, *comparator, (values, tolerances))
            }
            ExpectedValues::Texels { at, size, channels, tolerances } => {
                self.texels(script, found, (*at, *size), channels, tolerances)
            }
            &ExpectedValues::Buffer(other) => self.buffers(script, found, contents(other)),
            &ExpectedValues::RootMeanSquare { other, tolerance } => {
                let error = self.root_mean_square(script, found, contents(other));
                // It may be NaN.
                let is_within = error <= tolerance;
                let name = |number: usize| script.buffers.get(number).map_or("", |buffer| buffer.name.as_str());
                (!is_within).then(|| {
                    let (left, right) = (name(self.buffer), name(other));
                    format!(
                        "`{left}` and `{right}` are too far apart\n  root of the mean of the squared differences: \
                         {error:e}\n  tolerance: {tolerance:e}"
                    )
                })
            }
        }
    }

    fn scalars(
        &self,
        script: &AmberScript,
        found: &[u8],
        first: u64,
        comparator: Comparator,
        (values, tolerances): (&[u64], &[Tolerated]),
    ) -> Option<String> {
        let mut wrong = ListedDifferences::default();
        for (i, (&expected, number)) in values.iter().zip(first..).enumerate() {
            let Some((at, stored)) = self.scalar(script, self.buffer, number) else { continue };
            let Some(actual) = value::read(found, at, stored) else { continue };
            let tolerance = if tolerances.is_empty() { None } else { tolerances.get(i % tolerances.len()) };
            if !holds(comparator, actual, expected, stored, tolerance.copied()) {
                wrong.add(|| {
                    let (shown, expected) = (value::show(actual, stored), value::show(expected, stored));
                    format!("byte {at}: {} {expected}, got {shown}", comparator.words())
                });
            }
        }
        self.told(script, &wrong, values.len())
    }

    fn texels(
        &self,
        script: &AmberScript,
        found: &[u8],
        ([x, y], [width, height]): ([u32; 2], [u32; 2]),
        channels: &[f64],
        tolerances: &[Tolerated],
    ) -> Option<String> {
        let buffer = script.buffers.get(self.buffer)?;
        let texels = buffer.texels.as_ref()?;
        let most = value::range(texels.stored).1 as f64;
        let mut wrong = ListedDifferences::default();
        for row in y..y.saturating_add(height) {
            for column in x..x.saturating_add(width) {
                let number = u64::from(row) * u64::from(buffer.extent[0]) + u64::from(column);
                let shares = |letter: u8| {
                    let place = texels.channels.iter().position(|&channel| channel == letter)? as u64;
                    let at = number * buffer.element.stride + place * u64::from(texels.stored.size());
                    let bits = value::read(found, at, texels.stored)?;
                    Some((value::number(bits, texels.stored) / most).max(-1.0))
                };
                // Without those that are not compared.
                let mut actual = [None; 4];
                let letters = b"RGBA".iter().zip(channels);
                actual.iter_mut().zip(letters).for_each(|(share, (&letter, _))| *share = shares(letter));
                let is_right = actual.iter().zip(channels).enumerate().all(|(i, (actual, expected))| {
                    let tolerance =
                        if tolerances.is_empty() { EQUAL_CHANNELS } else { tolerances[i % tolerances.len()] };
                    actual.is_none_or(|actual| tolerance.allows(actual, expected / 255.0))
                });
                if !is_right {
                    wrong.add(|| {
                        let shown: Vec<String> =
                            actual.iter().flatten().map(|share| format!("{:.1}", share * 255.0)).collect();
                        let expected: Vec<String> = channels.iter().map(f64::to_string).collect();
                        let (expected, shown) = (expected.join(" "), shown.join(" "));
                        format!("texel {column}, {row}: expected {expected}, got {shown}")
                    });
                }
            }
        }
        let all = width as usize * height as usize;
        self.told(script, &wrong, all)
    }

    fn buffers(&self, script: &AmberScript, found: &[u8], expected: &[u8]) -> Option<String> {
        let all = self.count(script, self.buffer);
        let mut wrong = ListedDifferences::default();
        for number in 0..all {
            // Both have the same layout.
            let Some((at, stored)) = self.scalar(script, self.buffer, number) else { continue };
            let read = |bytes| value::read(bytes, at, stored);
            let (Some(actual), Some(wanted)) = (read(found), read(expected)) else { continue };
            if !value::equal(actual, wanted, stored) {
                wrong.add(|| {
                    let (expected, shown) = (value::show(wanted, stored), value::show(actual, stored));
                    format!("byte {at}: expected {expected}, got {shown}")
                });
            }
        }
        self.told(script, &wrong, all as usize)
    }

    fn root_mean_square(&self, script: &AmberScript, found: &[u8], other: &[u8]) -> f64 {
        let all = self.count(script, self.buffer);
        let squares = (0..all).filter_map(|number| {
            let (at, stored) = self.scalar(script, self.buffer, number)?;
            let (one, other) = (value::read(found, at, stored)?, value::read(other, at, stored)?);
            let difference = match is_float(stored) {
                true => value::number(one, stored) - value::number(other, stored),
                false => (integer(one, stored) - integer(other, stored)) as f64,
            };
            Some(difference * difference)
        });
        (squares.sum::<f64>() / all.max(1) as f64).sqrt()
    }

    /// Offset and type of a scalar of a buffer.
    fn scalar(&self, script: &AmberScript, buffer: usize, number: u64) -> Option<(u64, Stored)> {
        let element = &script.buffers.get(buffer)?.element;
        let per = element.scalars.len().max(1) as u64;
        let &(offset, stored) = element.scalars.get((number % per) as usize)?;
        Some((number / per * element.stride + offset, stored))
    }

    fn count(&self, script: &AmberScript, buffer: usize) -> u64 {
        script.buffers.get(buffer).map_or(0, |buffer| buffer.count() * buffer.element.scalars.len() as u64)
    }

    fn told(&self, script: &AmberScript, wrong: &ListedDifferences, all: usize) -> Option<String> {
        if wrong.count == 0 {
            return None;
        }
        let name = script.buffers.get(self.buffer).map_or("", |buffer| buffer.name.as_str());
        let mut out = format!("`{name}` differs in {} of {all} values", wrong.count);
        wrong.first.iter().for_each(|line| out += &format!("\n  {line}"));
        if wrong.count > wrong.first.len() {
            out += &format!("\n  and {} more", wrong.count - wrong.first.len());
        }
        Some(out)
    }
}

/// Values that differ: their number, and the first of them in words. A buffer can have a hundred million of them.
#[derive(Default)]
struct ListedDifferences {
    count: usize,
    first: Vec<String>,
}

impl ListedDifferences {
    fn add(&mut self, told: impl FnOnce() -> String) {
        if self.first.len() < LISTED {
            self.first.push(told());
        }
        self.count += 1;
    }
}

fn is_float(stored: Stored) -> bool {
    matches!(stored, Stored::F16 | Stored::F32 | Stored::F64)
}

/// Does a scalar compare with a value as it should?
fn holds(comparator: Comparator, actual: u64, expected: u64, stored: Stored, tolerance: Option<Tolerated>) -> bool {
    if !is_float(stored) && tolerance.is_none() {
        let ordering = integer(actual, stored).cmp(&integer(expected, stored));
        return match comparator {
            Comparator::Equal => ordering.is_eq(),
            Comparator::NotEqual => ordering.is_ne(),
            Comparator::Less => ordering.is_lt(),
            Comparator::LessOrEqual => ordering.is_le(),
            Comparator::Greater => ordering.is_gt(),
            Comparator::GreaterOrEqual => ordering.is_ge(),
        };
    }
    let (a, b) = (value::number(actual, stored), value::number(expected, stored));
    let tolerated = tolerance.unwrap_or(EQUAL);
    let is_equal = || match is_float(stored) {
        true => tolerated.allows(a, b) || a.is_nan() && b.is_nan(),
        false => tolerated.allows_integer(integer(actual, stored), integer(expected, stored)),
    };
    match comparator {
        Comparator::Equal => is_equal(),
        Comparator::NotEqual => !is_equal(),
        Comparator::Less => a < b,
        Comparator::LessOrEqual => a <= b,
        Comparator::Greater => a > b,
        Comparator::GreaterOrEqual => a >= b,
    }
}

/// An integer with its sign.
fn integer(bits: u64, stored: Stored) -> i128 {
    let (least, _) = value::range(stored);
    let bits = i128::from(bits & value::mask(stored));
    // Of a signed type, the upper half of the patterns is negative.
    if least < 0 && bits >= -least { bits + 2 * least } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_compare_with_their_sign() {
        let is = |comparator, a: i64, b: i64, stored| holds(comparator, a as u64, b as u64, stored, None);
        assert!(is(Comparator::Less, -1, 0, Stored::I8));
        assert!(is(Comparator::Greater, 0xff, 0, Stored::U8));
        assert!(is(Comparator::Less, i64::MIN, i64::MAX, Stored::I64));
        assert!(is(Comparator::GreaterOrEqual, -1, 5, Stored::U64));
        assert!(is(Comparator::Equal, 0xffff, -1, Stored::I16));
        assert!(!is(Comparator::NotEqual, 7, 7, Stored::U32));
        assert!(is(Comparator::LessOrEqual, -5, -5, Stored::I32));
    }

    #[test]
    fn integers_of_64_bits_are_compared_before_they_are_rounded() {
        let large = 1u64 << 53;
        for (stored, a, b) in [
            (Stored::U64, large + 1, large),
            (Stored::U64, u64::MAX, u64::MAX - 1),
            (Stored::I64, (-1i64 << 60) as u64, ((-1i64 << 60) + 1) as u64),
        ] {
            let is =
                |comparator, number| holds(comparator, a, b, stored, Some(Tolerated { number, is_percent: false }));
            for near in [0.0, 0.5] {
                assert!(is(Comparator::NotEqual, near) && !is(Comparator::Equal, near), "{stored} {a} {b}");
            }
            assert!(is(Comparator::Equal, 1.0) && !is(Comparator::NotEqual, 1.0), "{stored} {a} {b}");
        }
    }

    #[test]
    fn floats_are_equal_by_value_and_within_a_tolerance() {
        let bits = |number: f32| u64::from(number.to_bits());
        let is = |comparator, a: f32, b: f32, tolerance| holds(comparator, bits(a), bits(b), Stored::F32, tolerance);
        assert!(is(Comparator::Equal, 0.0, -0.0, None));
        assert!(!is(Comparator::Equal, 1.0, 1.000_000_1, None));
        assert!(is(Comparator::NotEqual, 1.0, 1.000_000_1, None));
        assert!(is(Comparator::Equal, f32::NAN, f32::NAN, None));
        assert!(!is(Comparator::Equal, f32::NAN, 1.0, None));
        assert!(is(Comparator::Equal, f32::INFINITY, f32::INFINITY, None));
        for far in [f32::INFINITY, -f32::INFINITY] {
            let percent = Some(Tolerated { number: 1.0, is_percent: true });
            for tolerance in [None, percent] {
                assert!(is(Comparator::Equal, far, far, tolerance) && !is(Comparator::NotEqual, far, far, tolerance));
                for other in [5.0, f32::MAX, -far] {
                    assert!(is(Comparator::NotEqual, other, far, tolerance), "{other} and {far}");
                    assert!(!is(Comparator::Equal, other, far, tolerance), "{other} and {far}");
                    assert!(!is(Comparator::Equal, far, other, tolerance), "{far} and {other}");
                }
            }
        }
        let percent = Some(Tolerated { number: 1.0, is_percent: true });
        assert!(is(Comparator::Equal, 101.0, 100.0, percent) && !is(Comparator::Equal, 102.0, 100.0, percent));
        let absolute = Some(Tolerated { number: 0.5, is_percent: false });
        assert!(is(Comparator::Equal, 1.5, 1.0, absolute) && !is(Comparator::Equal, 1.75, 1.0, absolute));
    }
}
