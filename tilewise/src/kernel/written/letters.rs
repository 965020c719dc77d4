//! Letters: the methods of `u8` and `char` about ASCII, and digits.

#![allow(clippy::wrong_self_convention, reason = "the names are those of the standard library's methods")]

use super::integers::InPlaceOfPanic;
use crate::amp;
use crate::kernel::macro_support::Called;
use crate::targets::native::running;

/// A radix that no digits have.
pub trait NoRadix {
    /// The companion: nothing in a kernel; elsewhere it panics, as Rust's own does.
    #[track_caller]
    fn no_radix_marked_amp(&self) -> Called<u32, InPlaceOfPanic> {
        assert!(running::inside(), "a radix of digits is from 2 to 36");
        Called::new(0)
    }
}

impl NoRadix for char {}

/// Methods of `u8`.
#[amp]
pub trait ByteMethods {
    /// Is it an ASCII character?
    fn is_ascii(self) -> bool;
    /// `0` to `9`
    fn is_ascii_digit(self) -> bool;
    /// `0` to `9`, `a` to `f`, `A` to `F`
    fn is_ascii_hexdigit(self) -> bool;
    /// `A` to `Z`
    fn is_ascii_uppercase(self) -> bool;
    /// `a` to `z`
    fn is_ascii_lowercase(self) -> bool;
    /// A letter
    fn is_ascii_alphabetic(self) -> bool;
    /// A letter or a digit
    fn is_ascii_alphanumeric(self) -> bool;
    /// Space, tab, line feed, form feed or carriage return
    fn is_ascii_whitespace(self) -> bool;
    /// U+0000 to U+001F, or U+007F
    fn is_ascii_control(self) -> bool;
    /// `!` to `~`
    fn is_ascii_graphic(self) -> bool;
    /// Graphic, and neither a letter nor a digit
    fn is_ascii_punctuation(self) -> bool;
    /// `A` for `a`
    fn to_ascii_uppercase(self) -> u8;
    /// `a` for `A`
    fn to_ascii_lowercase(self) -> u8;
}

#[amp]
impl ByteMethods for u8 {
    fn is_ascii(self) -> bool {
        self <= 0x7f
    }

    fn is_ascii_digit(self) -> bool {
        matches!(self, b'0'..=b'9')
    }

    fn is_ascii_hexdigit(self) -> bool {
        matches!(self, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F')
    }

    fn is_ascii_uppercase(self) -> bool {
        matches!(self, b'A'..=b'Z')
    }

    fn is_ascii_lowercase(self) -> bool {
        matches!(self, b'a'..=b'z')
    }

    fn is_ascii_alphabetic(self) -> bool {
        matches!(self, b'a'..=b'z' | b'A'..=b'Z')
    }

    fn is_ascii_alphanumeric(self) -> bool {
        matches!(self, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')
    }

    fn is_ascii_whitespace(self) -> bool {
        matches!(self, b' ' | b'\t' | b'\n' | 0x0c | b'\r')
    }

    fn is_ascii_control(self) -> bool {
        matches!(self, 0x00..=0x1f | 0x7f)
    }

    fn is_ascii_graphic(self) -> bool {
        matches!(self, b'!'..=b'~')
    }

    fn is_ascii_punctuation(self) -> bool {
        matches!(self, b'!'..=b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~')
    }

    fn to_ascii_uppercase(self) -> u8 {
        if matches!(self, b'a'..=b'z') { self - 32 } else { self }
    }

    fn to_ascii_lowercase(self) -> u8 {
        if matches!(self, b'A'..=b'Z') { self + 32 } else { self }
    }
}

/// Methods of `char`.
#[amp]
pub trait CharMethods {
    /// Is it an ASCII character?
    fn is_ascii(self) -> bool;
    /// `0` to `9`
    fn is_ascii_digit(self) -> bool;
    /// `0` to `9`, `a` to `f`, `A` to `F`
    fn is_ascii_hexdigit(self) -> bool;
    /// `A` to `Z`
    fn is_ascii_uppercase(self) -> bool;
    /// `a` to `z`
    fn is_ascii_lowercase(self) -> bool;
    /// A letter
    fn is_ascii_alphabetic(self) -> bool;
    /// A letter or a digit
    fn is_ascii_alphanumeric(self) -> bool;
    /// Space, tab, line feed, form feed or carriage return
    fn is_ascii_whitespace(self) -> bool;
    /// U+0000 to U+001F, or U+007F
    fn is_ascii_control(self) -> bool;
    /// `!` to `~`
    fn is_ascii_graphic(self) -> bool;
    /// Graphic, and neither a letter nor a digit
    fn is_ascii_punctuation(self) -> bool;
    /// `A` for `a`
    fn to_ascii_uppercase(self) -> char;
    /// `a` for `A`
    fn to_ascii_lowercase(self) -> char;
    /// Its value as a digit.
    fn to_digit(self, radix: u32) -> Option<u32>;
    /// Is it a digit?
    fn is_digit(self, radix: u32) -> bool;
}

#[amp]
impl CharMethods for char {
    fn is_ascii(self) -> bool {
        self <= '\u{7f}'
    }

    fn is_ascii_digit(self) -> bool {
        matches!(self, '0'..='9')
    }

    fn is_ascii_hexdigit(self) -> bool {
        matches!(self, '0'..='9' | 'a'..='f' | 'A'..='F')
    }

    fn is_ascii_uppercase(self) -> bool {
        matches!(self, 'A'..='Z')
    }

    fn is_ascii_lowercase(self) -> bool {
        matches!(self, 'a'..='z')
    }

    fn is_ascii_alphabetic(self) -> bool {
        matches!(self, 'a'..='z' | 'A'..='Z')
    }

    fn is_ascii_alphanumeric(self) -> bool {
        matches!(self, 'a'..='z' | 'A'..='Z' | '0'..='9')
    }

    fn is_ascii_whitespace(self) -> bool {
        matches!(self, ' ' | '\t' | '\n' | '\u{c}' | '\r')
    }

    fn is_ascii_control(self) -> bool {
        matches!(self, '\u{0}'..='\u{1f}' | '\u{7f}')
    }

    fn is_ascii_graphic(self) -> bool {
        matches!(self, '!'..='~')
    }

    fn is_ascii_punctuation(self) -> bool {
        matches!(self, '!'..='/' | ':'..='@' | '['..='`' | '{'..='~')
    }

    fn to_ascii_uppercase(self) -> char {
        if matches!(self, 'a'..='z') { (self as u8 - 32) as char } else { self }
    }

    fn to_ascii_lowercase(self) -> char {
        if matches!(self, 'A'..='Z') { (self as u8 + 32) as char } else { self }
    }

    fn to_digit(self, radix: u32) -> Option<u32> {
        if radix < 2 || radix > 36 {
            self.no_radix();
        }
        let digit = match self {
            '0'..='9' => self as u32 - 48,
            'a'..='z' => self as u32 - 87,
            'A'..='Z' => self as u32 - 55,
            _ => return None,
        };
        if digit < radix { Some(digit) } else { None }
    }

    fn is_digit(self, radix: u32) -> bool {
        self.to_digit(radix).is_some()
    }
}

/// Functions that give a `char`.
#[amp]
pub trait CharFunctions {
    /// The character with this number, if there is one.
    fn from_u32(number: u32) -> Option<char>;
    /// The digit with this value, if the radix has it.
    fn from_digit(digit: u32, radix: u32) -> Option<char>;
}

#[amp]
impl CharFunctions for char {
    fn from_u32(number: u32) -> Option<char> {
        if number < 0xd800 || (0xe000..=0x0010_ffff).contains(&number) { Some(char::of_number(number)) } else { None }
    }

    fn from_digit(digit: u32, radix: u32) -> Option<char> {
        if radix > 36 {
            '0'.no_radix();
        }
        if digit >= radix || digit >= 36 {
            None
        } else if digit < 10 {
            Some((b'0' + digit as u8) as char)
        } else {
            Some((b'a' + (digit as u8 - 10)) as char)
        }
    }
}
