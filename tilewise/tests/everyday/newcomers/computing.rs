//! Programs as in the first chapters of a book: lexers, matrices, random numbers, hashes, bits, letters.

use super::*;

mod lexer {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    pub enum Token {
        Number(i32),
        Plus,
        Minus,
        Star,
        Open,
        Close,
        End,
    }
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Lexer<const N: usize> {
        text: [u8; N],
        at: usize,
    }
    #[amp]
    impl<const N: usize> Lexer<N> {
        fn next_token(&mut self) -> Token {
            while self.at < N && self.text[self.at] == b' ' {
                self.at += 1;
            }
            if self.at >= N {
                return Token::End;
            }
            let c = self.text[self.at];
            self.at += 1;
            match c {
                b'+' => Token::Plus,
                b'-' => Token::Minus,
                b'*' => Token::Star,
                b'(' => Token::Open,
                b')' => Token::Close,
                b'0'..=b'9' => {
                    let mut value = (c - b'0') as i32;
                    while self.at < N && self.text[self.at].is_ascii_digit() {
                        value = value * 10 + (self.text[self.at] - b'0') as i32;
                        self.at += 1;
                    }
                    Token::Number(value)
                }
                _ => Token::End,
            }
        }
    }

    same! {
        run: i32, |i| {
            let mut lexer = Lexer { text: *b"12 + 3*4 - (5)", at: 0 };
            let mut sum = i;
            let mut sign = 1;
            let mut product = 1;
            let mut count = 0;
            loop {
                let token = lexer.next_token();
                count += 1;
                match token {
                    Token::Number(n) => product *= n,
                    Token::Star | Token::Open | Token::Close => {}
                    Token::Plus => {
                        sum += sign * product;
                        sign = 1;
                        product = 1;
                    }
                    Token::Minus => {
                        sum += sign * product;
                        sign = -1;
                        product = 1;
                    }
                    Token::End => break,
                }
            }
            sum += sign * product;
            sum * 100 + count
        }
    }
}

mod matrices_of_any_size {
    use super::*;

    use std::ops::{Add, AddAssign, Index, IndexMut, Mul};
    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    pub struct Matrix<const R: usize, const C: usize> {
        data: [[f32; C]; R],
    }
    #[amp]
    impl<const R: usize, const C: usize> Matrix<R, C> {
        fn zero() -> Self {
            Matrix { data: [[0.0; C]; R] }
        }
        fn transpose(&self) -> Matrix<C, R> {
            let mut m = Matrix::<C, R>::zero();
            for r in 0..R {
                for c in 0..C {
                    m.data[c][r] = self.data[r][c];
                }
            }
            m
        }
    }
    #[amp]
    impl<const R: usize, const C: usize, const K: usize> Mul<Matrix<C, K>> for Matrix<R, C> {
        type Output = Matrix<R, K>;
        fn mul(self, other: Matrix<C, K>) -> Matrix<R, K> {
            let mut m = Matrix::<R, K>::zero();
            for r in 0..R {
                for k in 0..K {
                    m.data[r][k] = (0..C).map(|c| self.data[r][c] * other.data[c][k]).sum();
                }
            }
            m
        }
    }

    same! {
        run: f32, |i| {
            let a = Matrix { data: [[1.0, 2.0, i as f32], [0.5, -1.0, 3.0]] };
            let b = a.transpose();
            let c = a * b;
            let trace: f32 = (0..2).map(|k| c.data[k][k]).sum();
            trace + c.data[0][1] * 0.25
        }
    }
}

mod three_generators {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Lcg {
        state: u32,
    }
    #[amp]
    impl Lcg {
        const A: u32 = 1664525;
        const C: u32 = 1013904223;
        fn next(&mut self) -> u32 {
            self.state = self.state.wrapping_mul(Self::A).wrapping_add(Self::C);
            self.state >> 16
        }
        fn range(&mut self, low: u32, high: u32) -> u32 {
            low + self.next() % (high - low)
        }
        fn shuffle<const N: usize>(&mut self, a: &mut [u32; N]) {
            for i in (1..N).rev() {
                let j = self.range(0, i as u32 + 1) as usize;
                a.swap(i, j);
            }
        }
    }
    #[amp]
    fn xorshift(mut x: u32) -> u32 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x
    }
    #[amp]
    fn splitmix(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9E3779B97F4A7C15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
        z ^ (z >> 31)
    }

    same! {
        run: u32, |i| {
            let mut rng = Lcg { state: i as u32 };
            let mut deck = [0u32; 8];
            for (k, card) in deck.iter_mut().enumerate() {
                *card = k as u32;
            }
            rng.shuffle(&mut deck);
            let mut seed = rng.next() as u64;
            deck.iter().fold(xorshift(i as u32 + 1), |h, c| h.rotate_left(3) ^ c) ^ splitmix(&mut seed) as u32
        }
    }
}

mod four_hashes {
    use super::*;

    #[amp]
    fn fnv(bytes: &[u8; 5]) -> u32 {
        bytes.iter().fold(0x811c9dc5, |h, b| (h ^ *b as u32).wrapping_mul(0x01000193))
    }
    #[amp]
    fn djb2(bytes: &[u8; 5]) -> u32 {
        let mut h = 5381u32;
        for &b in bytes {
            h = (h << 5).wrapping_add(h).wrapping_add(b as u32);
        }
        h
    }
    #[amp]
    fn adler(bytes: &[u8; 5]) -> u32 {
        let (mut a, mut b) = (1u32, 0u32);
        for byte in bytes {
            a = (a + u32::from(*byte)) % 65521;
            b = (b + a) % 65521;
        }
        b << 16 | a
    }
    #[amp]
    fn crc(bytes: &[u8; 5]) -> u32 {
        let mut crc = !0u32;
        for b in bytes {
            crc ^= *b as u32;
            for _ in 0..8 {
                crc = if crc & 1 != 0 { crc >> 1 ^ 0xEDB88320 } else { crc >> 1 };
            }
        }
        !crc
    }

    same! {
        run: u32, |i| {
            let mut text = *b"hello";
            text[0] = b'a' + i as u8;
            fnv(&text) ^ djb2(&text) ^ adler(&text) ^ crc(&text)
        }
    }
}

mod bits {
    use super::*;

    #[amp]
    fn popcount(mut x: u32) -> u32 {
        let mut n = 0;
        while x != 0 {
            x &= x - 1;
            n += 1;
        }
        n
    }
    #[amp]
    fn reverse(x: u8) -> u8 {
        let mut r = 0;
        for k in 0..8 {
            if x & (1 << k) != 0 {
                r |= 1 << (7 - k);
            }
        }
        r
    }
    #[amp]
    fn morton(x: u16, y: u16) -> u32 {
        let mut z = 0;
        for k in 0..16 {
            z |= ((x as u32 >> k) & 1) << (2 * k) | ((y as u32 >> k) & 1) << (2 * k + 1);
        }
        z
    }
    #[amp]
    fn gray(n: u32) -> u32 {
        n ^ n >> 1
    }

    same! {
        run: u32, |i| {
            let x = 0xdead_beef_u32.rotate_right(i as u32);
            let low = x & x.wrapping_neg();
            let parity = (0..32).fold(false, |p, k| p ^ (x >> k & 1 == 1));
            popcount(x)
                + reverse(x as u8) as u32
                + morton(i as u16, 3)
                + gray(i as u32)
                + low.trailing_zeros()
                + u32::from(parity)
        }
    }
}

mod options_in_chains {
    use super::*;

    #[amp]
    fn parse_digit(b: u8) -> Option<u32> {
        if b.is_ascii_digit() { Some((b - b'0') as u32) } else { None }
    }
    #[amp]
    fn two(a: u8, b: u8) -> Option<u32> {
        let x = parse_digit(a)?;
        let y = parse_digit(b)?;
        Some(x * 10 + y)
    }
    #[amp]
    fn half(x: u32) -> Option<u32> {
        if x % 2 == 0 { Some(x / 2) } else { None }
    }
    #[amp]
    fn parse<const N: usize>(text: &[u8; N]) -> Option<u32> {
        let mut n: u32 = 0;
        for &b in text {
            n = n.checked_mul(10)?.checked_add(parse_digit(b)?)?;
        }
        Some(n)
    }

    same! {
        run: u32, |i| {
            let d = b'0' + i as u8;
            two(b'4', d).and_then(half).map(|x| x + 1).or(Some(7)).unwrap_or(0)
                + parse(b"123").unwrap_or(9)
                + parse(&[b'x', d]).unwrap_or(5)
                + if let Some(x) = half(i as u32)
                    && x > 1
                {
                    x
                } else {
                    100
                }
        }
    }
}

mod numerics {
    use super::*;

    #[amp]
    fn horner<const N: usize>(c: &[f64; N], x: f64) -> f64 {
        c.iter().rev().fold(0.0, |acc, &k| acc * x + k)
    }
    #[amp]
    fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
        for _ in 0..40 {
            let mid = 0.5 * (low + high);
            if f(low) * f(mid) <= 0.0 {
                high = mid;
            } else {
                low = mid;
            }
        }
        (low + high) / 2.0
    }
    #[amp]
    fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64, n: u32) -> f64 {
        let h = (b - a) / n as f64;
        let mut s = f(a) + f(b);
        for k in 1..n {
            s += f(a + k as f64 * h) * if k % 2 == 0 { 2.0 } else { 4.0 };
        }
        s * h / 3.0
    }

    same! {
        run: f64, |i| {
            let a = i as f64 + 1.0;
            let root = bisect(|x| x * x - a, 0.0, a + 1.0);
            root + horner(&[1.0, -2.0, 0.5], a) + simpson(|x| x * x, 0.0, 1.0, 10)
        }
    }
}

mod letters {
    use super::*;

    #[amp]
    fn caesar(c: u8, by: u8) -> u8 {
        match c {
            b'a'..=b'z' => (c - b'a' + by) % 26 + b'a',
            b'A'..=b'Z' => (c - b'A' + by) % 26 + b'A',
            other => other,
        }
    }
    #[amp]
    fn hex(d: u8) -> char {
        match d {
            0..=9 => (b'0' + d) as char,
            10..=15 => (b'a' + d - 10) as char,
            _ => '?',
        }
    }

    same! {
        run: u32, |i| {
            let mut text = *b"Hello, World";
            for c in text.iter_mut() {
                *c = caesar(*c, i as u8);
            }
            let is_vowel = |c: u8| matches!(c.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u');
            let vowels = text.iter().filter(|c| is_vowel(**c)).count();
            text.iter().fold(0u32, |h, &c| h.wrapping_mul(31).wrapping_add(c as u32))
                ^ hex(i as u8 + 8) as u32
                ^ vowels as u32
        }
    }
}
