//! `try_from` and `try_into` between integers, and between these and characters.

use super::*;

/// `try_from` and `try_into` of some numbers to each of the types.
macro_rules! fitting {
    ($($name:ident: $from:ty, |$n:ident| [$($x:expr),*] => $($to:ty)*;)*) => {$(
        same! {
            $name: i32, |$n| {
                let mut s = 0_i32;
                for x in [$($x),*] {
                    $(
                        s = s.wrapping_mul(3).wrapping_add(match <$to>::try_from(x) {
                            Ok(v) => v as i32,
                            Err(_) => -7,
                        });
                        let y: Result<$to, _> = x.try_into();
                        s = s.wrapping_mul(3).wrapping_add(i32::from(y.is_ok()));
                        s = s.wrapping_mul(3).wrapping_add(<$to>::try_from(x).unwrap_or(5) as i32);
                        s = s.wrapping_mul(3).wrapping_add(<$to>::try_from(x).ok().map_or(1, |v| v as i32));
                        s = s.wrapping_mul(2).wrapping_add(i32::from(<$to>::try_from(x).is_err()));
                    )*
                }
                s
            }
        }
    )*};
}

// A `usize` has 32 bits in a kernel: these rows have numbers that fit there.
fitting! {
    from_i8: i8, |n| [i8::MIN, i8::MAX, (n * 50 - 128) as i8] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_u8: u8, |n| [0, u8::MAX, (n * 50) as u8] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_i16: i16, |n| [i16::MIN, i16::MAX, (n * 60 - 129) as i16] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_u16: u16, |n| [0, u16::MAX, (n * 60) as u16] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_i32: i32, |n| [i32::MIN, i32::MAX, n * 60 - 129, n * 9000] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_u32: u32, |n| [0, u32::MAX, n as u32 * 60, n as u32 * 9000] => i8 u8 i16 u16 i32 u32 i64 u64 usize;
    from_i64: i64, |n| [i64::MIN, i64::MAX, n as i64 * 60 - 129, (n as i64) << 31] => i8 u8 i16 u16 i32 u32 i64 u64;
    from_u64: u64, |n| [0, u64::MAX, n as u64 * 60, (n as u64) << 31] => i8 u8 i16 u16 i32 u32 i64 u64;
    from_isize: isize, |n| [n as isize * 60 - 129, n as isize * 9000] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    from_usize: usize, |n| [n as usize * 60, n as usize * 9000] => i8 u8 i16 u16 i32 u32 i64 u64 isize usize;
    wide_to_words: i64, |n| [n as i64 * 60 - 129, n as i64 * 9000] => isize usize;
    wide_without_sign_to_words: u64, |n| [n as u64 * 60, n as u64 * 9000] => isize usize;
}

#[test]
fn words_have_32_bits() {
    on_all(&[7, 7], |launch, v: &ArrayView<'_, i32>| {
        parallel_for_each!(launch, |p| {
            let wide = 1_i64 << 32;
            let fits = [usize::try_from(wide).is_ok(), isize::try_from(1_u64 << 31).is_ok()];
            let others = [usize::try_from(u32::MAX).is_ok(), isize::try_from(-wide).is_err(), !fits[0]];
            v[p] = i32::from(others[0]) + i32::from(others[1]) * 2 + i32::from(others[2]) * 4 + i32::from(fits[1]) * 8;
        })
    });
}

mod in_functions {
    use super::*;

    #[amp]
    fn half(x: i32) -> Option<i32> {
        let b = u8::try_from(x).ok()?;
        Some(i32::from(b) / 2)
    }
    #[amp]
    fn half2(x: i32) -> Result<u8, std::num::TryFromIntError> {
        let b = u8::try_from(x)?;
        Ok(b / 2)
    }
    #[amp]
    fn half3(x: i32) -> Result<u8, i32> {
        let b: u8 = x.try_into().map_err(|_| x)?;
        Ok(b / 2)
    }

    same! {
        runs: i32, |n| {
            half(n * 100).unwrap_or(-1) + half2(n * 100).unwrap_or(1) as i32 + half3(n * 100).map_or(5, i32::from)
        }
    }
}

mod try_into {
    use super::*;

    same! {
        runs: i32, |n| {
            let k: u8 = (n * 100).try_into().unwrap_or(u8::MAX);
            let m: usize = (n - 2).try_into().unwrap_or(0);
            i32::from(k)
                + m as i32
                + if let Ok(v) = u16::try_from(n - 1) { v as i32 } else { 4 }
                + u32::try_from(n - 3).map_or(-1, |v| v as i32)
                + u32::try_from(n - 3).map(|v| v * 2).unwrap_or_default() as i32
        }
    }
}

mod characters_of_numbers {
    use super::*;

    same! {
        runs: i32, |n| {
            let c = char::from_u32((n * 0x3000 + 97) as u32);
            let d = char::from(65 + n as u8);
            let e = (97 + n as u8) as char;
            let f = char::from_digit(n as u32 * 3, 16).unwrap_or('?');
            c.map_or(-1, |c| c as i32)
                + d as i32 * 3
                + e as i32 * 5
                + f as i32 * 7
                + e.to_digit(16).map_or(1, |v| v as i32)
        }
    }
}

mod characters_that_may_not_fit {
    use super::*;

    same! {
        runs: i32, |n| {
            let c = char::try_from((n * 0x3000 + 97) as u32);
            let d = u8::try_from(if n > 2 { 'é' } else { '\u{1234}' });
            let e: Result<u8, _> = 'x'.try_into();
            let f = u32::from('a') + u64::from('b') as u32;
            let g = u16::try_from('ß');
            (match c {
                Ok(c) => c as i32,
                Err(_) => 1,
            }) + d.map_or(-1, i32::from)
                + e.map_or(0, |v| v as i32)
                + f as i32
                + g.map_or(0, |v| v as i32)
        }
    }
}

/// A conversion that always fits has an error without values, which an `Option` holds too.
mod errors_without_values {
    use super::*;
    use std::convert::Infallible;

    same! {
        runs: i32, |n| {
            let always = i64::try_from(n);
            let none: Option<Infallible> = None;
            let several = [None::<Infallible>; 3];
            always.is_ok() as i32
                + always.err().is_none() as i32 * 10
                + none.is_some() as i32 * 100
                + several[n as usize % 3].is_none() as i32 * 1000
                + always.map_or(3, |wide| wide as i32 * 2)
        }
    }
}
