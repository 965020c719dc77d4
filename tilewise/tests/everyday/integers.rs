//! Methods of integers whose results tell what does not fit, logarithms, and the order of bytes.

use super::*;

macro_rules! all_numbers {
    ($($name:ident: $t:ident;)*) => {
        same! {$(
            $name: i64, |i| {
                let numbers: [$t; 6] = [$t::MIN, $t::MAX, 0, 1, 3, i as $t];
                let x = numbers[i as usize];
                let mut s = 0_i64;
                for y in numbers {
                    for n in [0, 1, 2, 7, 8, 33, 64] {
                        s = s.wrapping_mul(7).wrapping_add(y.checked_pow(n).map_or(5, |p| p as i64));
                        s = s.wrapping_mul(7).wrapping_add(y.saturating_pow(n) as i64);
                        let (power, over) = y.overflowing_pow(n);
                        s = s.wrapping_mul(7).wrapping_add(power as i64 ^ i64::from(over));
                        s = s.wrapping_mul(7).wrapping_add(y.checked_shl(n).map_or(5, |p| p as i64));
                        s = s.wrapping_mul(7).wrapping_add(y.checked_shr(n).map_or(5, |p| p as i64));
                        let (shifted, over) = y.overflowing_shl(n);
                        s = s.wrapping_mul(7).wrapping_add(shifted as i64 ^ i64::from(over));
                        let (shifted, over) = y.overflowing_shr(n);
                        s = s.wrapping_mul(7).wrapping_add(shifted as i64 ^ i64::from(over));
                    }
                    if x != 0 {
                        s = s.wrapping_mul(7).wrapping_add(y.saturating_div(x) as i64);
                        let (a, over) = y.overflowing_div(x);
                        s = s.wrapping_mul(7).wrapping_add(a as i64 ^ i64::from(over));
                        let (a, over) = y.overflowing_rem(x);
                        s = s.wrapping_mul(7).wrapping_add(a as i64 ^ i64::from(over));
                        let (a, over) = y.overflowing_div_euclid(x);
                        s = s.wrapping_mul(7).wrapping_add(a as i64 ^ i64::from(over));
                        let (a, over) = y.overflowing_rem_euclid(x);
                        s = s.wrapping_mul(7).wrapping_add(a as i64 ^ i64::from(over));
                    }
                    s = s.wrapping_mul(7).wrapping_add(y.checked_div_euclid(x).map_or(5, |p| p as i64));
                    s = s.wrapping_mul(7).wrapping_add(y.checked_rem_euclid(x).map_or(5, |p| p as i64));
                    s = s.wrapping_mul(7).wrapping_add(y.checked_ilog(x).map_or(50, i64::from));
                    s = s.wrapping_mul(7).wrapping_add(y.checked_ilog2().map_or(50, i64::from));
                    s = s.wrapping_mul(7).wrapping_add(y.checked_ilog10().map_or(50, i64::from));
                    if y > 0 {
                        s = s.wrapping_mul(7).wrapping_add(i64::from(y.ilog10()) + i64::from(y.ilog(3)));
                    }
                    s = s.wrapping_mul(7).wrapping_add(y.checked_neg().map_or(5, |p| p as i64));
                    let (a, over) = y.overflowing_neg();
                    s = s.wrapping_mul(7).wrapping_add(a as i64 ^ i64::from(over));
                    s = s.wrapping_mul(7).wrapping_add(y.to_be() as i64);
                    s = s.wrapping_mul(7).wrapping_add($t::from_be(y.to_le()) as i64 ^ $t::from_le(y) as i64);
                }
                s
            }
        )*}
    };
}

all_numbers! {
    bytes: u8;
    signed_bytes: i8;
    shorts: u16;
    signed_shorts: i16;
    words: u32;
    signed_words: i32;
    longs: u64;
    signed_longs: i64;
}

same! {
    numbers_with_and_without_signs_are_joined: i64, |i| {
        let signed = [i32::MIN, -7, 0, i, i32::MAX];
        let unsigned = [0, 1, 9, i as u32, 1 << 31, u32::MAX];
        let mut s = 0_i64;
        for x in signed {
            s = s.wrapping_mul(5).wrapping_add(x.checked_abs().map_or(3, i64::from));
            s = s.wrapping_mul(5).wrapping_add(i64::from(x.overflowing_abs().0) + i64::from(x.overflowing_abs().1));
            s = s.wrapping_mul(5).wrapping_add(x.checked_isqrt().map_or(3, i64::from));
            for y in unsigned {
                s = s.wrapping_mul(5).wrapping_add(x.checked_add_unsigned(y).map_or(3, i64::from));
                s = s.wrapping_mul(5).wrapping_add(x.checked_sub_unsigned(y).map_or(3, i64::from));
                s = s.wrapping_mul(5).wrapping_add(i64::from(x.saturating_add_unsigned(y)));
                s = s.wrapping_mul(5).wrapping_add(i64::from(x.saturating_sub_unsigned(y)));
                let (a, over) = x.overflowing_add_unsigned(y);
                s = s.wrapping_mul(5).wrapping_add(i64::from(a) + i64::from(over));
                let (a, over) = x.overflowing_sub_unsigned(y);
                s = s.wrapping_mul(5).wrapping_add(i64::from(a) + i64::from(over));
                s = s.wrapping_mul(5).wrapping_add(y.checked_add_signed(x).map_or(3, i64::from));
                s = s.wrapping_mul(5).wrapping_add(i64::from(y.saturating_add_signed(x)));
                let (a, over) = y.overflowing_add_signed(x);
                s = s.wrapping_mul(5).wrapping_add(i64::from(a) + i64::from(over));
                s = s.wrapping_mul(5).wrapping_add(y.checked_next_power_of_two().map_or(3, i64::from));
                s = s.wrapping_mul(5).wrapping_add(y.checked_next_multiple_of(i as u32).map_or(3, i64::from));
            }
        }
        s
    }

    characters_of_numbers_and_digits: u32, |i| {
        let mut s = 0_u32;
        for n in [65, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0x10ffff, 0x110000, 100 + i as u32] {
            s = s.wrapping_mul(31).wrapping_add(char::from_u32(n).map_or(1, |c| c as u32));
        }
        for d in 0..12 {
            s = s.wrapping_mul(31).wrapping_add(char::from_digit(d, 10 + i as u32).map_or(1, |c| c as u32));
        }
        s.wrapping_add('f'.to_digit(10 + i as u32 * 2).unwrap_or(77))
    }

    texts_of_bytes: u32, |i| {
        let text = b"12ab";
        let mut n = 0;
        for b in text.iter() {
            n = n * 16 + (*b as char).to_digit(16).unwrap_or(0);
        }
        for b in b"xyz" {
            n = n.wrapping_mul(7).wrapping_add(u32::from(*b));
        }
        let word = "hello".as_bytes();
        let sum: u32 = word.iter().map(|b| u32::from(*b)).sum();
        n.wrapping_add(sum * 3 + u32::from(word[i as usize % 5]) + b"abc"[1] as u32 + hash(b"key!"))
    }
}

macro_rules! guarded_by_zero {
    ($($name:ident: $t:ty;)*) => {
        same! {$(
            $name: u32, |i| {
                let x = i as $t;
                let mut s = u32::from(x.checked_div(0).is_none());
                s = s * 2 + u32::from(x.checked_rem(0).is_none());
                s = s * 2 + u32::from(x.checked_div_euclid(0).is_none());
                s = s * 2 + u32::from(x.checked_rem_euclid(0).unwrap_or(x) == x);
                s * 100 + x.checked_div_euclid(3).map_or(9, |q| q as u32)
            }
        )*}
    };
}

guarded_by_zero! {
    a_constant_zero_does_not_divide_an_i8: i8;
    a_constant_zero_does_not_divide_an_i16: i16;
    a_constant_zero_does_not_divide_an_i32: i32;
    a_constant_zero_does_not_divide_an_i64: i64;
    a_constant_zero_does_not_divide_a_u8: u8;
    a_constant_zero_does_not_divide_a_u16: u16;
    a_constant_zero_does_not_divide_a_u32: u32;
    a_constant_zero_does_not_divide_a_u64: u64;
}

same! {
    no_multiple_of_a_constant_zero: u32, |i| {
        let (a, b) = ((i as u8).checked_next_multiple_of(0), (i as u16).checked_next_multiple_of(4));
        a.map_or(5, u32::from) * 1000 + b.map_or(5, u32::from)
    }
}

#[amp]
fn hash(text: &[u8; 4]) -> u32 {
    let mut h = 0x811c_9dc5_u32;
    for b in text {
        h = (h ^ u32::from(*b)).wrapping_mul(0x0100_0193);
    }
    h
}
