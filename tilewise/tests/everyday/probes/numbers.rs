//! Numbers of few bits, characters, truths, and atomic operations on floats.

use super::*;
use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Key {
    letter: char,
    is_shifted: bool,
    times: u8,
}

#[amp]
impl Key {
    fn typed(self) -> char {
        if self.is_shifted { self.letter.to_ascii_uppercase() } else { self.letter }
    }
}

same! {
    bytes_without_a_sign: u32, |i| {
        let x = (250 + i) as u8;
        let y = x.wrapping_add(10);
        (x / 3) as u32 * 1000 + y as u32 + (x >> 2) as u32
    }

    bytes_with_a_sign: i32, |i| {
        let x = (100 + i * 20) as i8;
        x as i32 * 1000 + x.wrapping_mul(3) as i32 + (x >> 1) as i32
    }

    shorts_without_a_sign: u32, |i| {
        let x = (65_530 + i * 3) as u16;
        x as u32 * 2 + x.rotate_left(4) as u32 + (x & 0xff) as u32
    }

    shorts_with_a_sign: i32, |i| {
        let x = (32_000 + i * 400) as i16;
        x as i32 + x.saturating_add(500) as i32 * 2 - (x % 7) as i32
    }

    wide_integers: i64, |i| {
        let x = i as i64 * 10_000_000_000;
        (x / 7) ^ (x >> 3)
    }

    characters_and_truths_in_a_struct: u32, |i| {
        let key = Key { letter: (b'a' + i as u8) as char, is_shifted: i % 2 == 1, times: 2 };
        key.typed() as u32 * key.times as u32
    }

    characters: i32, |i| {
        match char::from_digit(i as u32 + 7, 16) {
            Some('a'..='f') => 1,
            Some(digit) => digit.to_digit(10).map_or(-1, |x| x as i32 * 10),
            None => -1,
        }
    }

    text_as_bytes: i32, |i| { b"kernel"[i as usize] as i32 * 2 }

    checked_arithmetic: i32, |i| {
        let sum = (i * 300_000_000).checked_add(1_000_000_000);
        sum.map_or(-1, |x| x / 1000) + (i - 3).checked_rem(i - 2).unwrap_or(7)
    }

    methods_of_floats: f32, |i| {
        let x = i as f32 * 0.75 - 1.0;
        x.abs().sqrt().mul_add(2.0, x.floor()) + x.max(0.5).rem_euclid(0.4)
    }

    numbers_of_the_length_of_an_address: u32, |i| {
        let at = i as usize * 3;
        (at % 4) as u32 + at.count_ones() + ((at as isize - 5).signum() + 1) as u32
    }
}

#[test]
fn a_maximum_of_floats_of_all_threads() {
    on_each(&[6.5, 0.0], |on, v: &ArrayView<'_, f32>| {
        parallel_for_each!((on, Extent::new(14)), |i| {
            v.atomic(0).fetch_max(i[0] as f32 * 0.5);
        })
    });
}

#[test]
fn a_minimum_of_floats_of_all_threads() {
    on_each(&[-6.5, 0.0], |on, v: &ArrayView<'_, f32>| {
        parallel_for_each!((on, Extent::new(14)), |i| {
            v.atomic(0).fetch_min(i[0] as f32 * -0.5);
        })
    });
}

#[test]
fn a_sum_of_doubles_of_all_threads() {
    on_each(&[45.5, 0.0], |on, v: &ArrayView<'_, f64>| {
        parallel_for_each!((on, Extent::new(14)), |i| {
            v.atomic(0).fetch_add(i[0] as f64 * 0.5);
        })
    });
}
