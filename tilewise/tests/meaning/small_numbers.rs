//! Integers of 8 and 16 bits: operators, casts, methods, and where they are held.

use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, ReadView};

use crate::{on_all, on_each};

/// Adds to a sum of what was computed.
#[amp]
fn mixed(sum: i64, x: i64) -> i64 {
    sum.wrapping_mul(31).wrapping_add(x)
}

/// All operators, casts and methods of one type, for a pair of its numbers, as one number. They do not
/// overflow where Rust would panic.
macro_rules! all_of {
    ($kernel:ident $plain:ident: $t:ident $other:ident, [$($edge:expr),*]; $($own:tt)*) => {
        all_of!(@ $kernel [#[amp]] $t $other mixed; $($own)*);
        all_of!(@ $plain [] $t $other plain_mixed; $($own)*);

        #[test]
        fn $kernel() {
            let edges: Vec<$t> = vec![$($edge),*];
            let pairs: Vec<($t, $t)> = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect();
            let (left, right): (Vec<$t>, Vec<$t>) = pairs.iter().copied().unzip();
            let count = pairs.len() as i32;
            let got = on_all([count], |l, out: &ArrayView<'_, i64>| {
                let (left, right) = (ArrayView::read_only(count, &left)?, ArrayView::read_only(count, &right)?);
                parallel_for_each!(l, |i| {
                    out[i] = super::small_numbers::$kernel::sum(left[i], right[i]);
                })
            });
            let want: Vec<i64> = pairs.iter().map(|&(a, b)| $plain::sum(a, b)).collect();
            assert_eq!(got, want);
        }
    };
    (@ $name:ident [$($amp:tt)*] $t:ident $other:ident $mixed:ident; |$a:ident, $b:ident, $s:ident| {$($own:tt)*}) => {
        mod $name {
            use super::*;

            $($amp)*
            pub(super) fn sum($a: $t, $b: $t) -> i64 {
                let mut $s: i64 = 1;
                let c = $a.wrapping_add($b);
                $s = $mixed($s, c as i64);
                $s = $mixed($s, $a.wrapping_sub($b) as i64);
                $s = $mixed($s, $a.wrapping_mul($b) as i64);
                $s = $mixed($s, $a.wrapping_neg() as i64);
                $s = $mixed($s, ($a & $b) as i64);
                $s = $mixed($s, ($a | $b) as i64);
                $s = $mixed($s, ($a ^ $b) as i64);
                $s = $mixed($s, (!$a) as i64);
                $s = $mixed($s, ($a << 3) as i64);
                $s = $mixed($s, ($a >> 2_u8) as i64);
                $s = $mixed($s, ($a < $b) as i64 + ($a == $b) as i64 * 2 + ($a >= $b) as i64 * 4);
                $s = $mixed($s, $a.min($b) as i64 * 3 + $a.max($b) as i64);
                $s = $mixed($s, $a as f32 as i64 + $b as u32 as i64 + $a as i8 as i64 + $a as u16 as i64);
                $s = $mixed($s, $a as $other as i64 + ($b as $other).wrapping_shl(1) as i64);
                $s = $mixed($s, ($b as f64 * 1000.5) as $t as i64 + (-1.5_f32 * $a as f32) as $t as i64);
                $s = $mixed($s, (c as u64 as i64).wrapping_mul(7));
                $s = $mixed($s, i64::from($a) + i32::from($b) as i64);
                $s = $mixed($s, $a.wrapping_shl(9) as i64 + $a.wrapping_shr(17) as i64);
                $s = $mixed($s, $a.wrapping_pow(3) as i64 + $a.abs_diff($b) as i64);
                $s = $mixed($s, $a.saturating_add($b) as i64 * 5 + $a.saturating_sub($b) as i64);
                $s = $mixed($s, $a.saturating_mul($b) as i64);
                let (x, y, z) = ($a.overflowing_add($b), $a.overflowing_sub($b), $a.overflowing_mul($b));
                $s = $mixed($s, x.0 as i64 + x.1 as i64 * 1000 + y.0 as i64 + y.1 as i64 * 500);
                $s = $mixed($s, z.0 as i64 + z.1 as i64 * 1000);
                $s = $mixed($s, $a.checked_add($b).unwrap_or(3) as i64 + $a.checked_mul($b).is_some() as i64);
                $s = $mixed($s, $a.checked_div($b).map_or(77, |x| x as i64) + $a.checked_rem($b).is_none() as i64);
                $s = $mixed($s, $a.unbounded_shl($b as u32 & 31) as i64 + $a.unbounded_shr($b as u32 & 31) as i64);
                $s = $mixed($s, $a.rotate_left($b as u32 & 31) as i64 + $a.rotate_right(3) as i64 * 3);
                $s = $mixed($s, $a.count_ones() as i64 + $a.count_zeros() as i64 * 100);
                $s = $mixed($s, $a.leading_zeros() as i64 + $a.leading_ones() as i64 * 100);
                $s = $mixed($s, $a.trailing_zeros() as i64 + $a.trailing_ones() as i64 * 100);
                $s = $mixed($s, $a.swap_bytes() as i64 + $a.reverse_bits() as i64);
                if $b != 0 && $b != !0 {
                    $s = $mixed($s, ($a / $b) as i64 + ($a % $b) as i64 * 3);
                    $s = $mixed($s, $a.div_euclid($b) as i64 + $a.rem_euclid($b) as i64);
                }
                if $a > 0 {
                    $s = $mixed($s, $a.isqrt() as i64 + $a.ilog2() as i64 * 10);
                }
                $($own)*
                $s
            }
        }
    };
}

fn plain_mixed(sum: i64, x: i64) -> i64 {
    sum.wrapping_mul(31).wrapping_add(x)
}

all_of! { bytes plain_bytes: u8 i8, [0, 1, 2, 3, 7, 8, 15, 100, 127, 128, 129, 200, 254, 255]; |a, b, s| {
    s = s.wrapping_mul(3).wrapping_add(a.is_power_of_two() as i64 + a.wrapping_add_signed(b.cast_signed()) as i64 + u16::from(a) as i64);
    s = s.wrapping_add(u32::from(b) as i64 + f32::from(a) as i64 + a.checked_sub(b).is_none() as i64);
} }

all_of! { signed_bytes plain_signed_bytes: i8 u8, [0, 1, -1, 2, -2, 7, 8, 63, 64, 100, 126, 127, -128, -127, -100]; |a, b, s| {
    s = s.wrapping_mul(3).wrapping_add(a.wrapping_abs() as i64 + a.signum() as i64 + a.unsigned_abs() as i64 + a.is_negative() as i64);
    s = s.wrapping_add(a.saturating_abs() as i64 * 3 + b.saturating_neg() as i64 + a.cast_unsigned() as i64 + i16::from(b) as i64);
    s = s.wrapping_add(a.wrapping_add_unsigned(b as u8) as i64);
} }

all_of! { halves plain_halves: u16 i16, [0, 1, 2, 255, 256, 257, 1000, 32767, 32768, 40000, 65534, 65535]; |a, b, s| {
    s = s.wrapping_mul(3).wrapping_add(a.is_multiple_of(b) as i64 + a.cast_signed() as i64);
} }

all_of! { signed_halves plain_signed_halves: i16 u16, [0, 1, -1, 127, 128, -129, 181, 182, 1000, 32767, -32768, -32767]; |a, b, s| {
    s = s.wrapping_mul(3).wrapping_add(a.is_positive() as i64 + b.wrapping_sub_unsigned(a as u16) as i64);
} }

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Pixel {
    red: u8,
    green: u8,
    blue: u8,
    alpha: u8,
    depths: [i16; 2],
}

#[amp]
fn darker(p: &mut Pixel, by: u8) -> Option<u8> {
    p.red -= p.red.min(by);
    p.depths[1] += i16::from(by);
    p.green.checked_sub(by)
}

const LIMITS: [u8; 3] = [u8::MAX, 7, 3];

oracle! {
    numbers_of_8_bits_are_held_everywhere(n) -> i32 {
        let mut p = Pixel { red: 200, green: n as u8, blue: b'x', alpha: 255, depths: [-1; 2] };
        let green = darker(&mut p, 3);
        let mut all = [0_u8; 5];
        for i in 0..5_u8 {
            all[i as usize] = i * 50;
        }
        let mut sum = 0_u16;
        for x in (250..=255_u8).step_by(2) {
            sum += u16::from(x);
        }
        for x in (0..n as i8).rev() {
            sum ^= x as u16;
        }
        let kind = match p.red {
            0 => 1,
            x @ 190..=199 => x as i32 * 2,
            LIMIT => 9,
            _ => 4,
        };
        all[n as usize % 5] |= 0x81;
        all[1] <<= 1;
        let pair = (all[3], p.depths[1]);
        let q = if n > 4 { p } else { Pixel { red: 9, ..p } };
        kind + sum as i32 + green.unwrap_or(77) as i32 + pair.0 as i32 * 3 + pair.1 as i32 + q.red as i32
            + LIMITS[n as usize % 3] as i32 + all[1] as i32 * 5 + (p.red == q.red) as i32 + p.blue as i32
    }
}

const LIMIT: u8 = 197;

#[test]
fn elements_of_8_and_16_bits_have_their_own_types() {
    let start = Pixel { red: 250, green: 1, blue: 2, alpha: 3, depths: [i16::MIN, 7] };
    let (by, far) = (9_u8, -300_i16);
    let got = on_all([6], |l, v: &ArrayView<'_, Pixel>| {
        parallel_for_each!(l, |i| {
            v[i] = start;
            v[i].red = v[i].red.wrapping_add(by);
            v[i].green <<= i[0] as u8;
            v[i].depths[1] += far;
            v[i].alpha = v[i + 100].alpha + 4;
            if i[0] == 3 {
                print!("{} {}", v[i].red, v[i].depths[0]);
            }
        })
    });
    let want = |i: u8| Pixel { red: 3, green: 1 << i, blue: 2, alpha: 4, depths: [i16::MIN, -293] };
    assert_eq!(got, (0..6).map(want).collect::<Vec<_>>());
    let got = on_each(8, |on, out: &ArrayView<'_, i16>| {
        parallel_for_each!(on, Extent([8]).tile::<4>(), |t| {
            #[tile_static]
            let bytes: [u8; 4];
            bytes[t.local[0]] = t.global[0] as u8 * 20 + by;
            t.barrier.wait();
            out[t] = i16::from(bytes[3 - t.local[0]]) - far;
        })
    });
    assert_eq!(got, [3, 2, 1, 0, 7, 6, 5, 4].map(|i| 309 + i * 20));
}
