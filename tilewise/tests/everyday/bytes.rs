//! Bytes of numbers, midpoints and the total order of floats: each program gives in a kernel what it gives in plain
//! Rust.

use super::*;

same! {
    bytes_of_integers: u32, |i| {
        let word = (i as u32).wrapping_mul(0x9e37_79b9) ^ 0x8000_0001;
        let [a, b, c, d] = word.to_le_bytes();
        let big = word.to_be_bytes();
        let mut s = a as u32 + 3 * b as u32 + 5 * c as u32 + 7 * d as u32;
        for (k, byte) in big.iter().enumerate() {
            s = s.wrapping_mul(31).wrapping_add(*byte as u32 * k as u32);
        }
        let short = (word as i16).to_le_bytes();
        let tiny = (i as i8 - 3).to_be_bytes();
        s ^= u32::from(short[0]) << 8 | u32::from(short[1]) | u32::from(tiny[0]) << 24;
        let signed = (-i - 1).to_be_bytes();
        s ^ u32::from_be_bytes(signed) ^ u32::from_le_bytes([a, b, d, c])
    }

    numbers_of_bytes: i32, |i| {
        let b = [i as u8, 0x80 + i as u8, 0xff - i as u8, 0x12];
        let short = i16::from_le_bytes([b[1], b[2]]);
        let other = i16::from_be_bytes([b[1], b[2]]);
        let tiny = i8::from_le_bytes([b[2]]);
        let unsigned = u16::from_be_bytes([b[0], b[1]]);
        let word = i32::from_be_bytes(b);
        let mixed = word.wrapping_add(short as i32).wrapping_mul(3).wrapping_sub(other as i32);
        mixed ^ tiny as i32 ^ (unsigned as i32) << 8
    }

    bytes_of_wide_numbers: u64, |i| {
        let x = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63;
        let le = x.to_le_bytes();
        let mut turned = [0_u8; 8];
        for k in 0..8 {
            turned[k] = le[7 - k];
        }
        let back = u64::from_le_bytes(turned);
        let signed = i64::from_be_bytes(le);
        (back == x.swap_bytes()) as u64 ^ back ^ signed as u64 ^ u64::from_ne_bytes(x.to_ne_bytes()).rotate_left(9)
    }

    bytes_of_floats: u32, |i| {
        let x = i as f32 * -1.5 + 0.1;
        let bytes = x.to_be_bytes();
        let y = f32::from_be_bytes(bytes);
        let z = f32::from_le_bytes([bytes[3], bytes[2], bytes[1], bytes[0]]);
        let sum = bytes.iter().fold(0, |sum, byte| sum * 257 + u32::from(*byte));
        sum ^ y.to_bits() ^ z.to_bits().rotate_left(1)
    }

    bytes_of_wide_floats: u64, |i| {
        let x = i as f64 / 3.0 - 1.0;
        let bytes = x.to_le_bytes();
        let mut s = 0_u64;
        for byte in bytes {
            s = s.wrapping_mul(257).wrapping_add(u64::from(byte));
        }
        s ^ f64::from_be_bytes(bytes).to_bits() ^ f64::from_le_bytes(bytes).to_bits()
    }

    hash_of_bytes: u32, |i| {
        let mut hash = 0x811c_9dc5_u32;
        for byte in (i * 1000 - 7).to_le_bytes() {
            hash ^= byte as u32;
            hash = hash.wrapping_mul(0x0100_0193);
        }
        hash
    }

    midpoints: i64, |i| {
        let a = [i32::MIN, -7, -1, 0, 1, 6, i32::MAX];
        let mut s = 0_i64;
        for x in a {
            for y in a {
                s = s.wrapping_mul(31).wrapping_add(x.midpoint(y) as i64);
                s ^= (x as u32).midpoint(y as u32) as i64;
                s ^= ((x as u8).midpoint(y as u8) as i64) << 40;
                s ^= ((x as i8).midpoint(y as i8) as i64) << 50;
                s ^= ((x as u16).midpoint(y as u16) as i64) << 20;
                s ^= (x as i64 * i as i64).midpoint(y as i64);
            }
        }
        s
    }

    midpoints_of_floats: u32, |i| {
        let a = [0.0, -0.0, 1.0, -1.5, f32::MAX, f32::MIN, 1e-45, 3e-45, f32::INFINITY, 0.1 * i as f32];
        let mut s = 0_u32;
        for x in a {
            for y in a {
                let half = x.midpoint(y);
                if !half.is_nan() {
                    s = s.rotate_left(5) ^ half.to_bits();
                }
            }
        }
        s
    }

    total_order: i32, |i| {
        let a = [0.0_f32, -0.0, 1.5, -2.5, f32::INFINITY, f32::NEG_INFINITY, i as f32 - 2.0];
        let mut s = 0_i32;
        for x in a {
            for y in a {
                s = s.wrapping_mul(3).wrapping_add(x.total_cmp(&y) as i32);
            }
        }
        s.wrapping_add((1.0_f64 / i as f64).total_cmp(&0.4).is_lt() as i32)
    }

    extremes_by_an_order: f32, |i| {
        let a = [3.5, i as f32, -1.25, 4.5, -0.0, 0.0, i as f32];
        let most = a.iter().copied().max_by(|x, y| x.total_cmp(y)).unwrap_or(0.0);
        let least = a.iter().copied().min_by(|x, y| x.total_cmp(y)).unwrap_or(0.0);
        let near = a.into_iter().min_by(|x, y| (x - 2.2).abs().total_cmp(&(y - 2.2).abs())).unwrap_or(9.0);
        let far = a.into_iter().max_by(|x, y| x.abs().partial_cmp(&y.abs()).unwrap_or(std::cmp::Ordering::Equal));
        let none = a.iter().copied().skip(7).max_by(|x, y| x.total_cmp(y)).is_none();
        most * 100.0 + least * 10.0 + near + far.unwrap_or(0.5) * 1000.0 + none as i32 as f32
    }

    extremes_by_a_key: i32, |i| {
        let a = [4, -i, 9, 2, -3, i * i, 4];
        let least = a.iter().copied().min_by_key(|x| (x - 3).abs()).unwrap_or(0);
        let most = a.iter().copied().max_by_key(|x| x % 4).unwrap_or(0);
        let pair = a.into_iter().enumerate().max_by_key(|(_, x)| *x).unwrap_or((99, 0));
        let first = a.into_iter().enumerate().min_by_key(|(_, x)| x.abs()).map_or(99, |(k, _)| k as i32);
        let by = a.iter().copied().min_by(|x, y| y.cmp(x)).unwrap_or(0);
        let other = (0..9).max_by(|x, y| (x % 5).cmp(&(y % 5)).then(y.cmp(x))).unwrap_or(0);
        least + most * 10 + pair.0 as i32 * 100 + pair.1 * 1000 + first * 7 + by * 13 + other * 17
    }

    inspected: i32, |i| {
        let a = [1, i, 3];
        let (mut seen, mut kept) = (0, 0);
        let sum: i32 = a
            .iter()
            .inspect(|x| seen = seen * 5 + **x)
            .filter(|x| **x != 3)
            .inspect(|x| kept += *x)
            .map(|x| x * 2)
            .sum();
        seen * 100 + kept * 10 + sum
    }

    sorted_by_choice: u32, |i| {
        let mut a = [0.5_f32 * i as f32, 2.0, -1.0, 0.75];
        for k in 0..a.len() {
            let least = (k..a.len()).min_by(|x, y| a[*x].total_cmp(&a[*y])).unwrap_or(k);
            a.swap(k, least);
        }
        a.iter().fold(0, |s, x| s * 7 + x.to_bits() % 1009)
    }
}
