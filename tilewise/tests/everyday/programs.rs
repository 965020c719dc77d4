//! Small programs as a new user writes them, each of which gives in a kernel what it gives in plain Rust.

use super::*;

mod queues {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    struct Ring<const N: usize> {
        items: [u32; N],
        head: u32,
        len: u32,
    }

    #[amp]
    impl<const N: usize> Ring<N> {
        const CAPACITY: u32 = N as u32;

        fn new() -> Self {
            Self { items: [0; N], head: 0, len: 0 }
        }

        fn push(&mut self, x: u32) -> Option<u32> {
            if self.len == Self::CAPACITY {
                return None;
            }
            let at = (self.head + self.len) % Self::CAPACITY;
            self.items[at as usize] = x;
            self.len += 1;
            Some(self.len)
        }

        fn pop(&mut self) -> Option<u32> {
            let first = (self.len > 0).then(|| self.items[self.head as usize])?;
            self.head = (self.head + 1) % Self::CAPACITY;
            self.len -= 1;
            Some(first)
        }
    }

    same! {
        a_ring_of_numbers: u32, |i| {
            let n = i as u32;
            let mut ring = Ring::<3>::new();
            let mut failed = 0;
            for k in 0..n + 2 {
                if ring.push(k * k + n).is_none() {
                    failed += 1;
                }
            }
            let first = ring.pop().unwrap_or(99);
            let mut all = 0;
            while let Some(x) = ring.pop() {
                all = all * 10 + x;
            }
            failed * 100000 + first * 1000 + all
        }
    }
}

mod machines {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    enum State {
        Idle,
        Run { left: u32, speed: i32 },
        Done(i32),
    }

    #[amp]
    impl State {
        fn next(self, input: i32) -> Self {
            match (self, input) {
                (State::Idle, 0) => State::Idle,
                (State::Idle, n) if n < 0 => State::Done(n),
                (State::Idle, n) => State::Run { left: n as u32 % 3 + 1, speed: n },
                (State::Run { left: 0 | 1, speed }, _) => State::Done(speed),
                (State::Run { left, speed }, n) => State::Run { left: left - 1, speed: speed + n },
                (done @ State::Done(..), _) => done,
            }
        }

        fn score(&self) -> i32 {
            match *self {
                State::Idle => 0,
                State::Run { left, .. } => left as i32,
                State::Done(x) => x,
            }
        }
    }

    #[amp]
    fn classify(t: (i32, [i32; 3])) -> i32 {
        match t {
            (0, _) => 1,
            (n, [a, b, c]) if a == b && b == c => n * 10,
            (_, [first, .., last]) if first == last => first,
            (n @ 1..=3, [_, rest @ ..]) => n + rest[0] * rest[1],
            (_, all) => all.iter().filter(|x| **x > 2).count() as i32 * 7 + all.len() as i32,
        }
    }

    same! {
        states_with_parts: i32, |i| {
            let inputs = [0, i - 2, 3, 1, 1];
            let last = inputs.iter().fold(State::Idle, |state, &input| state.next(input));
            let busy = inputs.iter().filter(|x| matches!(State::Idle.next(**x), State::Run { .. })).count();
            last.score() * 10 + busy as i32
        }

        patterns_of_tuples_and_arrays: i32, |i| {
            classify((i, [i, 3, i % 4])) * 1000 + classify((2, [4, 5, 6])) * 10 + classify((7 - i, [i, i, i]))
        }

        labels_and_values_of_loops: i32, |i| {
            let grid = [[1, 5, i], [7, i * 2, 3], [9, 9, 4]];
            let found = 'search: {
                for (y, row) in grid.iter().enumerate() {
                    for (x, &cell) in row.iter().enumerate() {
                        if cell == 4 {
                            break 'search Some((x, y));
                        }
                    }
                }
                None
            };
            let mut n = i + 27;
            let steps = loop {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                if n < 10 {
                    break n * 2;
                }
            };
            let (x, y) = found.unwrap_or((9, 9));
            let x = x as i32 * 100;
            x + y as i32 * 10 + steps
        }
    }
}

mod vectors {
    use super::*;
    use std::ops::{Add, Index, IndexMut, Mul, Neg, Sub};

    #[amp]
    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    struct V<const N: usize> {
        x: [i32; N],
    }

    #[amp]
    impl<const N: usize> Add for V<N> {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            let mut sum = self;
            for (a, b) in sum.x.iter_mut().zip(other.x) {
                *a += b;
            }
            sum
        }
    }

    #[amp]
    impl<const N: usize> V<N> {
        fn dot(&self, other: &Self) -> i32 {
            self.x.iter().zip(&other.x).map(|(a, b)| a * b).sum()
        }

        fn map(self, f: impl Fn(i32) -> i32) -> Self {
            let mut out = self;
            out.x.iter_mut().for_each(|x| *x = f(*x));
            out
        }

        fn longest(self, other: Self) -> Self {
            if self.dot(&self) < other.dot(&other) { other } else { self }
        }
    }

    #[amp]
    trait Area {
        const SIDES: u32;
        fn area(&self) -> i32;
        fn weighted(&self) -> i32 {
            self.area() * Self::SIDES as i32
        }
    }

    #[derive(Clone, Copy, AmpStruct)]
    struct Square(i32);

    #[derive(Clone, Copy, AmpStruct)]
    struct Triangle {
        base: i32,
        height: i32,
    }

    #[amp]
    impl Area for Square {
        const SIDES: u32 = 4;
        fn area(&self) -> i32 {
            self.0 * self.0
        }
    }

    #[amp]
    impl Area for Triangle {
        const SIDES: u32 = 3;
        fn area(&self) -> i32 {
            self.base * self.height / 2
        }
    }

    #[amp]
    fn both<A, B>(a: &A, b: &B) -> i32
    where
        A: Area,
        B: Area,
    {
        a.weighted() - b.weighted() * (A::SIDES + B::SIDES) as i32
    }

    const fn cube(x: i32) -> i32 {
        x * x * x
    }
    const EIGHT: i32 = cube(2);

    same! {
        generic_vectors: i32, |i| {
            let (a, b) = (V { x: [i, 2, 3] }, V { x: [4, -i, 6] });
            let c = (a + b).map(|x| x * 2 - i);
            c.dot(&a) * 100 + a.longest(c).x[1] + V::<3> { x: [EIGHT; 3] }.dot(&b)
        }

        traits_with_constants: i32, |i| {
            both(&Square(i), &Triangle { base: 2, height: i * 3 })
        }
    }
}

mod numbers_of_all_types {
    use super::*;

    same! {
        bits_of_integers: u64, |i| {
            let (a, b, c, d) = (i as u8 * 37 + 5, i as u16 * 9001 + 77, i as u32 * 0x1234_5679 + 1, i as u64 * 0x9e37_79b9 + 3);
            let (e, f, g, h) = (i as i8 * 21 - 50, i as i16 * -999 + 5, i * 77777 - 123, i as i64 * -0x1_0000_0001 + 9);
            let mut s = 0_u64;
            s = s * 31 + (a.leading_zeros() + b.leading_zeros() + c.trailing_zeros() + d.leading_zeros()) as u64;
            s = s * 31 + (a.rotate_left(3) as u64 ^ b.rotate_right(5) as u64 ^ c.rotate_left(i as u32) as u64 ^ d.rotate_left(9));
            s = s.wrapping_mul(31) + (a.count_ones() + e.count_ones() + f.count_zeros() + h.count_ones()) as u64;
            s = s.wrapping_mul(31) ^ b.swap_bytes() as u64 ^ c.swap_bytes() as u64 ^ d.swap_bytes();
            s = s.wrapping_mul(31) ^ a.reverse_bits() as u64 ^ f.reverse_bits() as u64 ^ g.reverse_bits() as u64;
            s = s.wrapping_mul(31) ^ a.wrapping_add(200) as u64 ^ e.wrapping_sub(100) as u64 ^ g.wrapping_mul(99999) as u64;
            s = s.wrapping_mul(31) ^ a.saturating_add(200) as u64 ^ e.saturating_sub(100) as u64 ^ f.saturating_mul(50) as u64;
            s = s.wrapping_mul(31) ^ a.checked_add(200).map_or(7, |x| x as u64) ^ g.checked_mul(77777).map_or(9, |x| x as u64);
            let (x, over) = c.overflowing_mul(3);
            s = s.wrapping_mul(31) ^ x as u64 ^ over as u64;
            s = s.wrapping_mul(31) ^ a.abs_diff(100) as u64 ^ e.abs_diff(-3) as u64 ^ h.abs_diff(4);
            s.wrapping_mul(31) ^ d.isqrt() ^ c.ilog2() as u64 ^ (b | 1).ilog2() as u64
        }

        arithmetic_of_integers: i64, |i| {
            let (e, g, h) = (i as i8 * 21 - 50, i * 7 - 15, i as i64 * -1000 + 9);
            let mut s = 0_i64;
            s = s * 31 + e.rem_euclid(7) as i64 + g.rem_euclid(4) as i64 + h.rem_euclid(-13);
            s = s * 31 + e.div_euclid(7) as i64 + g.div_euclid(-4) as i64 + h.div_euclid(13);
            s = s * 31 + g.pow(3) as i64 + (e as i64).pow(2) + 3_i64.pow(i as u32);
            s = s * 31 + (e.signum() as i64 + g.signum() as i64 * 3 + h.signum() * 9);
            s = s * 31 + (e.clamp(-10, 20) as i64 + g.clamp(-2, 2) as i64 + h.clamp(-1, 5000));
            s = s * 31 + g.unsigned_abs() as i64 + e.abs() as i64 + h.abs();
            s = s * 31 + (i as u32 * 7 + 3).next_power_of_two() as i64 + (i as u32 + 3).is_power_of_two() as i64;
            s * 31 + i.min(3) as i64 + i64::from(i).max(2) + (i as u32).div_ceil(2) as i64
        }

        casts_of_every_pair: i64, |i| {
            let x = i as f32 * 77.7 - 150.0;
            let (a, b, c, d, e) = (x as u8, x as i8, x as u16, x as i16, x as u32);
            let (f, g, h, k) = (x as i32, x as u64, x as i64, x as usize);
            let wide = (f as i8 as i64) + (f as u8 as i64) + (h as i16 as i64) + (g as u16 as i64) + (e as i32 as i64);
            let floats = (a as f32 + b as f32 + c as f32 + d as f32 + k as f32) as f64 + f as f64 + h as f64;
            let small = (true as u8 as i64) + (i > 2) as i64 + ('a' as u32 as i64) + (b'z' as char as u32 as i64);
            wide * 3 + floats as i64 + small + (b as u8 as i64) + (d as u16 as i64) + (i as i8 as u64 as i64)
        }

        floats: u32, |i| {
            use std::f32::consts::PI;
            let x = i as f32 * 0.75 - 1.5;
            let mut s = x.mul_add(2.0, 1.0).to_bits();
            s ^= x.rem_euclid(0.4).to_bits().rotate_left(1);
            s ^= x.copysign(-2.0).to_bits().rotate_left(2);
            s ^= x.clamp(-1.0, 1.0).to_bits().rotate_left(3);
            s ^= (x * PI).to_degrees().to_bits().rotate_left(4);
            s ^= x.abs().sqrt().floor().to_bits().rotate_left(5);
            s ^= f32::from_bits(0x4000_0000 + i as u32).fract().to_bits().rotate_left(6);
            s ^= (f32::MIN_POSITIVE * 0.5).to_bits();
            s ^= (x.is_nan() as u32) + 2 * (x < f32::EPSILON) as u32 + 4 * x.is_sign_negative() as u32;
            s ^ x.round().to_bits() ^ x.trunc().to_bits() ^ (x as f64 / 3.0).to_bits() as u32
        }
    }
}

mod closures {
    use super::*;

    #[amp]
    fn apply<F>(times: u32, mut f: F)
    where
        F: FnMut(u32) -> bool,
    {
        let mut k = 0;
        while k < times && f(k) {
            k += 1;
        }
    }

    #[amp]
    fn compose<F: Fn(i32) -> i32, G: Fn(i32) -> i32>(f: F, g: G, x: i32) -> i32 {
        g(f(x))
    }

    #[amp]
    fn parsed(text: &[u8; 5]) -> Option<i32> {
        let sign = if let [b'-', ..] = text { -1 } else { 1 };
        let mut value = 0_i32;
        for &byte in text.iter().skip(1) {
            let digit = if byte.is_ascii_digit() { Some(byte - b'0') } else { None }?;
            value = value.checked_mul(10)?.checked_add(digit as i32)?;
        }
        Some(sign * value)
    }

    same! {
        closures_that_change_what_is_around_them: i32, |i| {
            let mut sum = 0;
            apply(5, |k| {
                sum += k as i32 * i;
                sum < 20
            });
            let double = |x: i32| x * 2;
            let offset = i * 3;
            sum + compose(double, |x| x + offset, 4) + compose(|x| x - 1, double, i)
        }

        early_ends: i32, |i| {
            let text = [if i % 2 == 0 { b'-' } else { b'+' }, b'0' + i as u8, b'1', if i == 3 { b'x' } else { b'7' }, b'9'];
            parsed(&text).map_or(-1, |x| x + 1)
        }

        nested_tuples_and_shadows: i32, |i| {
            let ((a, b), [c, (d, e)]) = ((i, 2), [(3, i), (i * 4, 5)]);
            let a = a + c.0 - c.1;
            let a = { let a = a * 2; a + b };
            let mut pairs = [(i, 1.5_f32), (2, i as f32)];
            pairs[1].0 += 3;
            pairs[0].1 *= 2.0;
            let total: i32 = pairs.iter().map(|(n, x)| n * *x as i32).sum();
            let [(n, _), ..] = pairs;
            a + d - e + total + n
        }
    }
}

mod sorts {
    use super::*;

    same! {
        by_neighbours: u32, |i| {
            let mut w = [0_u32; 16];
            for k in 0..16 {
                w[k as usize] = ((k * 7 + i) % 16) as u32;
            }
            for n in 0..15 {
                for j in 0..15 - n {
                    let a = w[j as usize];
                    let b = w[(j + 1) as usize];
                    w[j as usize] = a.min(b);
                    w[(j + 1) as usize] = a.max(b);
                }
            }
            let mut s = 0_u32;
            for x in w {
                s = s.wrapping_mul(31).wrapping_add(x);
            }
            s
        }
        by_exchanges: u32, |i| {
            let mut w = [0_u32; 50];
            for k in 0..50 {
                w[k] = ((k as u32) * 17 + i as u32) % 50;
            }
            for n in (1..50).rev() {
                for j in 0..n {
                    if w[j] > w[j + 1] {
                        w.swap(j, j + 1);
                    }
                }
            }
            w[i as usize] + w[49 - i as usize] * 100
        }
        turned_by_one: u32, |i| {
            let mut w = [0_u32; 40];
            for k in 0..40 {
                w[k] = (k as u32 * 7 + i as u32) % 40;
            }
            for j in 0..39 {
                let held = w[j];
                w[j] = w[j + 1];
                w[j + 1] = held;
            }
            w[i as usize] + w[39 - i as usize] * 100 + w[39] * 10000
        }
    }
}
