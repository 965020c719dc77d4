//! How a value is written in a message: `{:>8.3}`, `{:#x}`, `{:?}`. The grammar and the results are
//! those of Rust's format strings, with numbers for width and precision.
//!
//! Two notations are the kernel language's own: `c` writes a `u32` as the character with this code
//! (`c?` in quotes), and `?Low=0/High=7` writes the name of a variant.

use std::fmt::{self, Write};

use crate::ops::ScalarBits;
use crate::types::{Name, Scalar};

/// The largest width and precision.
pub const MAX_WIDTH: u32 = 1000;

/// How a value is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValueFormat {
    /// The character that fills up to the width.
    pub fill: char,
    /// The side to which the value is moved; by default, numbers right and others left.
    pub align: Option<TextAlign>,
    /// `+`: also a sign for what is not negative.
    pub plus: bool,
    /// `#`: with `0x` and its like; parts on lines of their own.
    pub alternate: bool,
    /// `0`: zeros behind the sign up to the width.
    pub zeros: bool,
    /// The least number of characters.
    pub width: u32,
    /// The digits behind the point; of a `bool` or a name, the most characters.
    pub precision: Option<u32>,
    /// The notation.
    pub notation: TextNotation,
    /// The variants of an enum, with their numbers.
    pub names: Vec<(u32, Name)>,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextAlign {
    /// `<`
    Left,
    /// `^`
    Center,
    /// `>`
    Right,
}

/// A notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TextNotation {
    /// `{}`
    #[default]
    Plain,
    /// `{:?}`
    Debug,
    /// `{:x?}`
    DebugLowerHex,
    /// `{:X?}`
    DebugUpperHex,
    /// `{:x}`
    LowerHex,
    /// `{:X}`
    UpperHex,
    /// `{:o}`
    Octal,
    /// `{:b}`
    Binary,
    /// `{:e}`
    LowerExp,
    /// `{:E}`
    UpperExp,
    /// `{:c}`
    Char,
    /// `{:c?}`
    CharDebug,
}

const NOTATIONS: [(&str, TextNotation); 12] = [
    ("", TextNotation::Plain),
    ("?", TextNotation::Debug),
    ("x?", TextNotation::DebugLowerHex),
    ("X?", TextNotation::DebugUpperHex),
    ("x", TextNotation::LowerHex),
    ("X", TextNotation::UpperHex),
    ("o", TextNotation::Octal),
    ("b", TextNotation::Binary),
    ("e", TextNotation::LowerExp),
    ("E", TextNotation::UpperExp),
    ("c", TextNotation::Char),
    ("c?", TextNotation::CharDebug),
];

impl TextNotation {
    /// Does it write the form for programmers, with the names of structs?
    pub const fn is_debug(self) -> bool {
        match self {
            TextNotation::Debug
            | TextNotation::DebugLowerHex
            | TextNotation::DebugUpperHex
            | TextNotation::CharDebug => true,
            TextNotation::Plain
            | TextNotation::LowerHex
            | TextNotation::UpperHex
            | TextNotation::Octal
            | TextNotation::Binary
            | TextNotation::LowerExp
            | TextNotation::UpperExp
            | TextNotation::Char => false,
        }
    }

    /// Does it write the bits of an integer?
    pub const fn is_of_bits(self) -> bool {
        match self {
            TextNotation::LowerHex
            | TextNotation::UpperHex
            | TextNotation::Octal
            | TextNotation::Binary
            | TextNotation::DebugLowerHex
            | TextNotation::DebugUpperHex => true,
            TextNotation::Plain
            | TextNotation::Debug
            | TextNotation::LowerExp
            | TextNotation::UpperExp
            | TextNotation::Char
            | TextNotation::CharDebug => false,
        }
    }
}

impl Default for ValueFormat {
    fn default() -> Self {
        ValueFormat {
            fill: ' ',
            align: None,
            plus: false,
            alternate: false,
            zeros: false,
            width: 0,
            precision: None,
            notation: TextNotation::Plain,
            names: Vec::new(),
        }
    }
}

impl ValueFormat {
    /// Reads what stands behind the colon: `>8.3`, `#x`, `?`. `None` if it is no format.
    pub fn parse(text: &str) -> Option<ValueFormat> {
        let mut format = ValueFormat::default();
        let align = |c: char| match c {
            '<' => Some(TextAlign::Left),
            '^' => Some(TextAlign::Center),
            '>' => Some(TextAlign::Right),
            _ => None,
        };
        let mut rest = text;
        let mut chars = text.chars();
        match (chars.next(), chars.next().and_then(align)) {
            (Some(fill), Some(side)) => {
                // These end the text in which a format stands.
                if matches!(fill, '"' | '\\' | '{' | '}') || fill.is_control() {
                    return None;
                }
                (format.fill, format.align) = (fill, Some(side));
                rest = chars.as_str();
            }
            (Some(first), None) if align(first).is_some() => {
                format.align = align(first);
                rest = &text[1..];
            }
            _ => {}
        }
        let mut flag = |sign: char| match rest.strip_prefix(sign) {
            Some(behind) => {
                rest = behind;
                true
            }
            None => false,
        };
        format.plus = flag('+');
        // Rust reads it and does nothing.
        if !format.plus {
            flag('-');
        }
        (format.alternate, format.zeros) = (flag('#'), flag('0'));
        (format.width, rest) = number(rest)?;
        if let Some(behind) = rest.strip_prefix('.') {
            let digits = behind.starts_with(|c: char| c.is_ascii_digit());
            let (precision, behind) = number(behind).filter(|_| digits)?;
            (format.precision, rest) = (Some(precision), behind);
        }
        if let Some(names) = rest.strip_prefix('?').filter(|names| !names.is_empty()) {
            for name in names.split('/') {
                let (name, number) = name.split_once('=')?;
                format.names.push((number.parse().ok()?, name.into()));
            }
            rest = "?";
        }
        format.notation = NOTATIONS.iter().find(|(letters, _)| *letters == rest)?.1;
        Some(format)
    }

    /// Appends a scalar.
    pub(crate) fn scalar(&self, out: &mut String, scalar: Scalar, bits: u64) {
        if !self.names.is_empty() {
            let name = self.names.iter().find(|(number, _)| *number == bits as u32);
            return match name {
                Some((_, name)) => self.text(out, name),
                None => self.number(out, &(bits as u32).to_string()),
            };
        }
        if let TextNotation::Char | TextNotation::CharDebug = self.notation {
            let c = char::from_u32(bits as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            return match self.notation {
                TextNotation::CharDebug => out.push_str(&format!("{c:?}")),
                _ => self.text(out, c.encode_utf8(&mut [0; 4])),
            };
        }
        match scalar {
            Scalar::Bool => self.text(out, if bool::from_bits(bits) { "true" } else { "false" }),
            Scalar::I32 => self.number(out, &self.integer(&i32::from_bits(bits))),
            Scalar::U32 => self.number(out, &self.integer(&u32::from_bits(bits))),
            Scalar::I64 => self.number(out, &self.integer(&i64::from_bits(bits))),
            Scalar::U64 => self.number(out, &self.integer(&bits)),
            Scalar::F32 => self.number(out, &self.float(&f32::from_bits(bits as u32))),
            Scalar::F64 => self.number(out, &self.float(&f64::from_bits(bits))),
        }
    }

    fn integer(&self, x: &dyn IntegerNotations) -> String {
        let precision = self.precision.unwrap_or(0) as usize;
        match (self.notation, self.plus, self.alternate, self.precision) {
            (TextNotation::LowerExp, false, _, None) => format!("{x:e}"),
            (TextNotation::LowerExp, false, _, Some(_)) => format!("{x:.precision$e}"),
            (TextNotation::LowerExp, true, _, None) => format!("{x:+e}"),
            (TextNotation::LowerExp, true, _, Some(_)) => format!("{x:+.precision$e}"),
            (TextNotation::UpperExp, false, _, None) => format!("{x:E}"),
            (TextNotation::UpperExp, false, _, Some(_)) => format!("{x:.precision$E}"),
            (TextNotation::UpperExp, true, _, None) => format!("{x:+E}"),
            (TextNotation::UpperExp, true, _, Some(_)) => format!("{x:+.precision$E}"),
            (TextNotation::LowerHex | TextNotation::DebugLowerHex, false, false, _) => format!("{x:x}"),
            (TextNotation::LowerHex | TextNotation::DebugLowerHex, false, true, _) => format!("{x:#x}"),
            (TextNotation::LowerHex | TextNotation::DebugLowerHex, true, false, _) => format!("{x:+x}"),
            (TextNotation::LowerHex | TextNotation::DebugLowerHex, true, true, _) => format!("{x:+#x}"),
            (TextNotation::UpperHex | TextNotation::DebugUpperHex, false, false, _) => format!("{x:X}"),
            (TextNotation::UpperHex | TextNotation::DebugUpperHex, false, true, _) => format!("{x:#X}"),
            (TextNotation::UpperHex | TextNotation::DebugUpperHex, true, false, _) => format!("{x:+X}"),
            (TextNotation::UpperHex | TextNotation::DebugUpperHex, true, true, _) => format!("{x:+#X}"),
            (TextNotation::Octal, false, false, _) => format!("{x:o}"),
            (TextNotation::Octal, false, true, _) => format!("{x:#o}"),
            (TextNotation::Octal, true, false, _) => format!("{x:+o}"),
            (TextNotation::Octal, true, true, _) => format!("{x:+#o}"),
            (TextNotation::Binary, false, false, _) => format!("{x:b}"),
            (TextNotation::Binary, false, true, _) => format!("{x:#b}"),
            (TextNotation::Binary, true, false, _) => format!("{x:+b}"),
            (TextNotation::Binary, true, true, _) => format!("{x:+#b}"),
            (TextNotation::Plain | TextNotation::Debug | TextNotation::Char | TextNotation::CharDebug, false, ..) => {
                format!("{x}")
            }
            (TextNotation::Plain | TextNotation::Debug | TextNotation::Char | TextNotation::CharDebug, true, ..) => {
                format!("{x:+}")
            }
        }
    }

    fn float(&self, x: &dyn FloatNotations) -> String {
        let precision = self.precision.unwrap_or(0) as usize;
        match (self.notation, self.plus, self.precision) {
            (TextNotation::LowerExp, false, None) => format!("{x:e}"),
            (TextNotation::LowerExp, false, Some(_)) => format!("{x:.precision$e}"),
            (TextNotation::LowerExp, true, None) => format!("{x:+e}"),
            (TextNotation::LowerExp, true, Some(_)) => format!("{x:+.precision$e}"),
            (TextNotation::UpperExp, false, None) => format!("{x:E}"),
            (TextNotation::UpperExp, false, Some(_)) => format!("{x:.precision$E}"),
            (TextNotation::UpperExp, true, None) => format!("{x:+E}"),
            (TextNotation::UpperExp, true, Some(_)) => format!("{x:+.precision$E}"),
            (notation, false, None) if notation.is_debug() => format!("{x:?}"),
            (notation, false, Some(_)) if notation.is_debug() => format!("{x:.precision$?}"),
            (notation, true, None) if notation.is_debug() => format!("{x:+?}"),
            (notation, true, Some(_)) if notation.is_debug() => format!("{x:+.precision$?}"),
            (_, false, None) => format!("{x}"),
            (_, false, Some(_)) => format!("{x:.precision$}"),
            (_, true, None) => format!("{x:+}"),
            (_, true, Some(_)) => format!("{x:+.precision$}"),
        }
    }

    /// A number, to the right; zeros stand behind its sign and its `0x`.
    fn number(&self, out: &mut String, text: &str) {
        if !self.zeros {
            return self.padded(out, text, TextAlign::Right);
        }
        let sign = text.len() - text.trim_start_matches(['+', '-']).len();
        let prefix = ["0x", "0o", "0b"].iter().any(|prefix| text[sign..].starts_with(prefix));
        let start = sign + if prefix { 2 } else { 0 };
        let missing = (self.width as usize).saturating_sub(text.chars().count());
        out.push_str(&text[..start]);
        out.extend(std::iter::repeat_n('0', missing));
        out.push_str(&text[start..]);
    }

    /// A text, to the left, and no longer than the precision.
    pub fn text(&self, out: &mut String, text: &str) {
        let end = self.precision.and_then(|most| text.char_indices().nth(most as usize));
        self.padded(out, &text[..end.map_or(text.len(), |(end, _)| end)], TextAlign::Left);
    }

    fn padded(&self, out: &mut String, text: &str, usual: TextAlign) {
        let missing = (self.width as usize).saturating_sub(text.chars().count());
        let before = match self.align.unwrap_or(usual) {
            TextAlign::Left => 0,
            TextAlign::Center => missing / 2,
            TextAlign::Right => missing,
        };
        out.extend(std::iter::repeat_n(self.fill, before));
        out.push_str(text);
        out.extend(std::iter::repeat_n(self.fill, missing - before));
    }
}

/// The notations of an integer.
trait IntegerNotations:
    fmt::Display + fmt::LowerHex + fmt::UpperHex + fmt::Octal + fmt::Binary + fmt::LowerExp + fmt::UpperExp
{
}

impl IntegerNotations for i32 {}
impl IntegerNotations for u32 {}
impl IntegerNotations for i64 {}
impl IntegerNotations for u64 {}

/// The notations of a float.
trait FloatNotations: fmt::Display + fmt::Debug + fmt::LowerExp + fmt::UpperExp {}

impl FloatNotations for f32 {}
impl FloatNotations for f64 {}

/// The number at the beginning, 0 if there is none, and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (number <= MAX_WIDTH).then_some((number, rest))
}

/// As it stands in braces, with its colon: `:>8.3`; nothing for a plain one.
impl fmt::Display for ValueFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == ValueFormat::default() {
            return Ok(());
        }
        f.write_char(':')?;
        if let Some(side) = self.align {
            if self.fill != ' ' {
                f.write_char(self.fill)?;
            }
            f.write_char(match side {
                TextAlign::Left => '<',
                TextAlign::Center => '^',
                TextAlign::Right => '>',
            })?;
        }
        for (is, sign) in [(self.plus, '+'), (self.alternate, '#'), (self.zeros, '0')] {
            if is {
                f.write_char(sign)?;
            }
        }
        if self.width > 0 {
            write!(f, "{}", self.width)?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        let letters = NOTATIONS.iter().find(|(_, notation)| *notation == self.notation);
        f.write_str(letters.map_or("", |(letters, _)| letters))?;
        for (i, (number, name)) in self.names.iter().enumerate() {
            write!(f, "{}{name}={number}", if i > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str, scalar: Scalar, bits: u64) -> String {
        let read = ValueFormat::parse(format).expect("a format");
        assert_eq!(ValueFormat::parse(read.to_string().trim_start_matches(':')), Some(read.clone()), "{format}");
        let mut out = String::new();
        read.scalar(&mut out, scalar, bits);
        out
    }

    macro_rules! as_in_rust {
        ($scalar:ident $bits:expr; $x:expr; $($format:literal)*) => {
            $(assert_eq!(
                shown($format, Scalar::$scalar, $bits),
                format!(concat!("{:", $format, "}"), $x),
                "{}",
                concat!("{:", $format, "}")
            );)*
        };
    }

    #[test]
    fn integers_are_written_as_in_rust() {
        for x in [0, 1, -1, 42, -123_456, i32::MIN, i32::MAX] {
            as_in_rust!(I32 u64::from(x as u32); x;
                "" "5" "05" "+" "+5" "<8" "^8" ">8" "*^9" "#<7" "0>9" "x" "X" "#x" "#X" "#010x" "010x" "o" "#o" "b" "#b" "#034b"
                "e" "E" ".2e" "+.1E" "012.2e" "?" "#?" "5?" "x?" "X?" "#x?" "+x" "+#b" "^+12" "é>12" ".3" "-5" "<05" "^#12X");
            as_in_rust!(I64 i64::from(x) as u64; i64::from(x); "" "x" "#066b" "e" "+" "30?");
            as_in_rust!(U32 u64::from(x as u32); x as u32; "" "x" "#b" "+" "^20" "e");
            as_in_rust!(U64 i64::from(x) as u64; i64::from(x) as u64; "" "X" "o" "024" "E");
        }
    }

    #[test]
    fn floats_are_written_as_in_rust() {
        let all =
            [0.0, -0.0, 1.0, 0.1, -2.5, 1e20, 1.5e-9, 123.456, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for x in all {
            as_in_rust!(F32 u64::from(x.to_bits()); x;
                "" "8" "08" ".2" "8.3" "08.3" "+" "+.1" "<9.1" "^9.1" "*>12" "e" "E" ".3e" "+e" "012.2e" "?" ".2?" "+?" "9?" "09?" "#?" "x?" "+08" ".0");
            as_in_rust!(F64 f64::from(x).to_bits(); f64::from(x); "" ".3" "e" "?" "^+15.2" "020?");
        }
    }

    #[test]
    fn truths_and_characters_are_written_as_in_rust() {
        for x in [false, true] {
            as_in_rust!(Bool u64::from(x); x; "" "?" "8" ">8" "08" ".2" "^7.3" "*<9?" "+");
        }
        let with = |format: &str, notation: &str, c: char| {
            shown(&format!("{format}{notation}"), Scalar::U32, (c as u32).into())
        };
        for c in ['a', 'é', '\n', '\'', '\0'] {
            assert_eq!(with("", "c", c), format!("{c}"));
            assert_eq!(with("*^5", "c", c), format!("{c:*^5}"));
            assert_eq!(with(">3", "c", c), format!("{c:>3}"));
            assert_eq!(with("9", "c?", c), format!("{c:9?}"));
        }
        assert_eq!(shown("c", Scalar::U32, 0xd800), "\u{fffd}");
    }

    #[test]
    fn variants_have_names() {
        assert_eq!(shown(">6?Low=0/High=7", Scalar::U32, 7), "  High");
        assert_eq!(shown(">6?Low=0/High=7", Scalar::U32, 5), "     5");
        assert_eq!(shown("?Low=4294967292", Scalar::I32, u64::from(-4_i32 as u32)), "Low");
    }

    #[test]
    fn other_texts_are_no_formats() {
        for text in ["q", "1$", ".*", "1.", "x5", "?5", "1001", ".1001", "9999999999", "++", "<<<", "?a", "?=1", "d"] {
            let read = ValueFormat::parse(text);
            assert!(read.is_none() || text == "?=1", "{text}: {read:?}");
        }
    }
}
