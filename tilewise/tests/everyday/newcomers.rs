//! Programs of a newcomer: pictures, sorting, random numbers, hashes, fixed point, matrices, parsers. Each gives in a
//! kernel what it gives in plain Rust.

use super::*;

mod gray_pixels {
    use super::*;

    #[amp]
    fn gray(rgba: u32) -> u8 {
        let [r, g, b, _] = rgba.to_le_bytes();
        ((r as u32 * 77 + g as u32 * 150 + b as u32 * 29) >> 8) as u8
    }

    same! {
        grays: u32, |i| {
            let pixel = u32::from_le_bytes([10 * i as u8, 200, 255 - i as u8, 255]);
            let g = gray(pixel);
            u32::from_be_bytes([255, g, g, g])
        }
    }
}

mod sorting_network {
    use super::*;

    #[amp]
    fn compare_swap(a: &mut [i32; 8], i: usize, j: usize, up: bool) {
        if (a[i] > a[j]) == up {
            a.swap(i, j);
        }
    }

    same! {
        bitonic: i32, |i| {
            let mut a = [7, 3, i, 1, 9, -4, 2, 8];
            let mut k = 2;
            while k <= a.len() {
                let mut j = k / 2;
                while j > 0 {
                    for n in 0..a.len() {
                        let l = n ^ j;
                        if l > n {
                            compare_swap(&mut a, n, l, n & k == 0);
                        }
                    }
                    j /= 2;
                }
                k *= 2;
            }
            a.iter().fold(0, |s, &x| s * 11 + x)
        }
    }
}

mod xoshiro {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Xoshiro {
        s: [u64; 4],
    }
    #[amp]
    impl Xoshiro {
        fn new(seed: u64) -> Self {
            let mut x = seed;
            let mut s = [0; 4];
            for word in &mut s {
                x = x.wrapping_add(0x9e3779b97f4a7c15);
                let mut z = x;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
                *word = z ^ (z >> 31);
            }
            Self { s }
        }
        fn next(&mut self) -> u64 {
            let result = self.s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
            let t = self.s[1] << 17;
            self.s[2] ^= self.s[0];
            self.s[3] ^= self.s[1];
            self.s[1] ^= self.s[2];
            self.s[0] ^= self.s[3];
            self.s[2] ^= t;
            self.s[3] = self.s[3].rotate_left(45);
            result
        }
        fn float(&mut self) -> f64 {
            (self.next() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
        }
    }

    same! {
        xoshiro: u64, |i| {
            let mut rng = Xoshiro::new(i as u64);
            let mut last = 0;
            for _ in 0..10 { last = rng.next(); }
            last ^ rng.float().to_bits()
        }
    }
}

mod pcg_numbers {
    use super::*;

    struct Pcg;
    const MULTIPLIER: u64 = 6364136223846793005;
    #[amp]
    fn pcg(state: &mut u64) -> u32 {
        let old = *state;
        *state = old.wrapping_mul(MULTIPLIER).wrapping_add(1442695040888963407);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        let rot = (old >> 59) as u32;
        (xorshifted >> rot) | (xorshifted << ((!rot).wrapping_add(1) & 31))
    }

    same! {
        pcgs: u32, |i| {
            let mut state = i as u64 + 42;
            (0..5).map(|_| pcg(&mut state)).fold(0, |a, b| a ^ b)
        }
    }
}

mod murmur {
    use super::*;

    #[amp]
    fn mix(mut h: u32) -> u32 {
        h ^= h >> 16;
        h = h.wrapping_mul(0x85eb_ca6b);
        h ^= h >> 13;
        h = h.wrapping_mul(0xc2b2_ae35);
        h ^ h >> 16
    }

    same! {
        murmur: u32, |i| {
            let key = *b"tilewise";
            let mut h = i as u32;
            for chunk in 0..2 {
                let at = 4 * chunk;
                let word = u32::from_le_bytes([key[at], key[at + 1], key[at + 2], key[at + 3]]);
                let k = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
                h = (h ^ k).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
            }
            mix(h ^ key.len() as u32)
        }
    }
}

mod fixed_point {
    use super::*;

    use std::ops::{Add, Div, Mul, Neg, Sub};
    #[derive(Clone, Copy, PartialEq, Eq, Debug, AmpStruct)]
    struct Fixed(i32);
    const FRACTION: u32 = 16;
    #[amp]
    impl Fixed {
        const ONE: Fixed = Fixed(1 << FRACTION);
        fn from_int(x: i32) -> Self {
            Fixed(x << FRACTION)
        }
        fn to_int(self) -> i32 {
            self.0 >> FRACTION
        }
    }
    #[amp]
    impl Add for Fixed {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Fixed(self.0.wrapping_add(o.0))
        }
    }
    #[amp]
    impl Sub for Fixed {
        type Output = Fixed;
        fn sub(self, o: Fixed) -> Fixed {
            Fixed(self.0 - o.0)
        }
    }
    #[amp]
    impl Mul for Fixed {
        type Output = Fixed;
        fn mul(self, o: Fixed) -> Fixed {
            Fixed(((self.0 as i64 * o.0 as i64) >> FRACTION) as i32)
        }
    }
    #[amp]
    impl Div for Fixed {
        type Output = Fixed;
        fn div(self, o: Fixed) -> Fixed {
            Fixed((((self.0 as i64) << FRACTION) / o.0 as i64) as i32)
        }
    }
    #[amp]
    impl Neg for Fixed {
        type Output = Fixed;
        fn neg(self) -> Fixed {
            Fixed(-self.0)
        }
    }

    same! {
        fixed: i32, |i| {
            let x = Fixed::from_int(i);
            let half = Fixed::ONE / Fixed::from_int(2);
            let y = (x + half) * (x - half) - -x;
            y.0 + y.to_int()
        }
    }
}

mod bit_boards {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Board {
        white: u64,
        black: u64,
    }
    #[amp]
    impl Board {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        fn occupied(&self) -> u64 {
            self.white | self.black
        }
        fn knight_moves(square: u32) -> u64 {
            let b = 1u64 << square;
            let l1 = (b >> 1) & !(Self::FILE_A << 7);
            let l2 = (b >> 2) & !(Self::FILE_A << 7 | Self::FILE_A << 6);
            let r1 = (b << 1) & !Self::FILE_A;
            let r2 = (b << 2) & !(Self::FILE_A | Self::FILE_A << 1);
            let h1 = l1 | r1;
            let h2 = l2 | r2;
            (h1 << 16) | (h1 >> 16) | (h2 << 8) | (h2 >> 8)
        }
    }

    same! {
        knights: u64, |i| {
            let board = Board { white: 0xffff, black: 0xffff << 48 };
            let mut moves = Board::knight_moves(i as u32 * 11 + 1) & !board.occupied();
            let mut sum = 0;
            while moves != 0 {
                let square = moves.trailing_zeros();
                moves &= moves - 1;
                sum = sum * 64 + square as u64;
            }
            sum
        }
    }
}

mod matrices {
    use super::*;

    type Matrix = [[f32; 4]; 4];
    const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    #[amp]
    fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
        let mut c = [[0.0; 4]; 4];
        for (row, a) in c.iter_mut().zip(a) {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = a.iter().zip(b.iter()).map(|(x, b)| x * b[j]).sum();
            }
        }
        c
    }
    #[amp]
    fn transpose(m: Matrix) -> Matrix {
        let mut t = m;
        for i in 0..4 {
            for j in 0..4 {
                t[j][i] = m[i][j];
            }
        }
        t
    }
    #[amp]
    fn trace(m: &Matrix) -> f32 {
        (0..4).map(|i| m[i][i]).sum()
    }

    same! {
        matrices: f32, |i| {
            let mut m = IDENTITY;
            m[0][3] = i as f32;
            m[2][1] = 0.5;
            let p = multiply(&multiply(&m, &transpose(m)), &m);
            trace(&p) + p[0][3] * 100.0
        }
    }
}

mod complex_numbers {
    use super::*;

    use std::ops::{Add, AddAssign, Mul, MulAssign};
    #[derive(Clone, Copy, Debug, Default, PartialEq, AmpStruct)]
    struct Complex<T> {
        re: T,
        im: T,
    }
    #[amp]
    impl<T: Scalar> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, rhs: Self) -> Self::Output {
            Self { re: self.re * rhs.re - self.im * rhs.im, im: self.re * rhs.im + self.im * rhs.re }
        }
    }
    #[amp]
    impl<T: Scalar> Add for Complex<T> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            Complex { re: self.re + rhs.re, im: self.im + rhs.im }
        }
    }
    #[amp]
    impl<T: Scalar> Complex<T> {
        fn norm_sqr(self) -> T {
            self.re * self.re + self.im * self.im
        }
    }

    same! {
        mandelbrot: i32, |i| {
            let c = Complex { re: -0.7 + i as f32 * 0.1, im: 0.3 };
            let mut z = Complex::<f32>::default();
            let mut n = 0;
            while z.norm_sqr() < 4.0 && n < 50 {
                z = z * z + c;
                n += 1;
            }
            n
        }
    }
}

mod state_machine {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug, AmpStruct)]
    enum State {
        Start,
        Number,
        Fraction,
        Done,
        Error,
    }
    #[amp]
    impl State {
        fn step(self, c: u8) -> State {
            match (self, c) {
                (State::Start | State::Number, b'0'..=b'9') => State::Number,
                (State::Number, b'.') => State::Fraction,
                (State::Fraction, b'0'..=b'9') => State::Fraction,
                (State::Number | State::Fraction, 0) => State::Done,
                _ => State::Error,
            }
        }
    }

    same! {
        parser: i32, |i| {
            let text = [b'1', b'2', b'.', b'0' + i as u8, if i == 3 { b'x' } else { b'5' }, 0];
            let mut state = State::Start;
            let mut value = 0;
            for c in text {
                state = state.step(c);
                if c.is_ascii_digit() {
                    value = value * 10 + (c - b'0') as i32;
                }
                if state == State::Error {
                    break;
                }
            }
            match state { State::Done => value, State::Error => -value, _ => 0 }
        }
    }
}

mod small_stack {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Stack<const N: usize> {
        data: [i32; N],
        len: usize,
    }
    #[amp]
    impl<const N: usize> Stack<N> {
        fn new() -> Self {
            Stack { data: [0; N], len: 0 }
        }
        fn push(&mut self, x: i32) -> bool {
            if self.len == N {
                return false;
            }
            self.data[self.len] = x;
            self.len += 1;
            true
        }
        fn pop(&mut self) -> Option<i32> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                Some(self.data[self.len])
            }
        }
        fn is_empty(&self) -> bool {
            self.len == 0
        }
    }

    same! {
        depth_first: i32, |i| {
            let mut stack = Stack::<8>::new();
            stack.push(i + 1);
            let mut sum = 0;
            while let Some(n) = stack.pop() {
                sum += n;
                if n < 12 {
                    stack.push(2 * n);
                    stack.push(2 * n + 1);
                }
            }
            sum + stack.is_empty() as i32
        }
    }
}

mod newton_roots {
    use super::*;

    #[amp]
    fn newton<F: Fn(f64) -> f64, D: Fn(f64) -> f64>(f: F, df: D, mut x: f64) -> f64 {
        for _ in 0..20 {
            let step = f(x) / df(x);
            x -= step;
            if step.abs() < 1e-12 {
                break;
            }
        }
        x
    }

    same! {
        roots: u64, |i| {
            let n = i as f64 + 2.0;
            let root = newton(|x| x * x - n, |x| 2.0 * x, n);
            let cube = newton(|x| x.powi(3) - n, |x| 3.0 * x * x, 1.0);
            root.to_bits() ^ cube.to_bits().rotate_left(7)
        }
    }
}

mod numbers_in_text {
    use super::*;

    #[amp]
    fn parse(text: &[u8; 6]) -> Option<i32> {
        let mut n = 0i32;
        let negative = text[0] == b'-';
        for &c in text.iter().skip(negative as usize) {
            if c == b' ' {
                break;
            }
            let digit = (c as char).to_digit(10)?;
            n = n.checked_mul(10)?.checked_add(digit as i32)?;
        }
        Some(if negative { -n } else { n })
    }

    same! {
        numbers: i32, |i| {
            let text = [b'-', b'1', b'0' + i as u8, if i == 4 { b'z' } else { b'7' }, b' ', b' '];
            parse(&text).unwrap_or(i32::MIN)
        }
    }
}

mod bodies {
    use super::*;

    use std::ops::{Add, AddAssign, Mul, Sub};
    #[derive(Clone, Copy, Default, PartialEq, AmpStruct)]
    struct V3 {
        x: f32,
        y: f32,
        z: f32,
    }
    #[amp]
    impl Add for V3 {
        type Output = V3;
        fn add(self, o: V3) -> V3 {
            V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
        }
    }
    #[amp]
    impl Sub for V3 {
        type Output = V3;
        fn sub(self, o: V3) -> V3 {
            V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
        }
    }
    #[amp]
    impl Mul<f32> for V3 {
        type Output = V3;
        fn mul(self, s: f32) -> V3 {
            V3 { x: self.x * s, y: self.y * s, z: self.z * s }
        }
    }
    #[amp]
    impl Mul<V3> for f32 {
        type Output = V3;
        fn mul(self, v: V3) -> V3 {
            v * self
        }
    }
    #[amp]
    impl AddAssign for V3 {
        fn add_assign(&mut self, o: V3) {
            *self = *self + o;
        }
    }
    #[amp]
    impl V3 {
        fn dot(self, o: V3) -> f32 {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        fn length(&self) -> f32 {
            self.dot(*self).sqrt()
        }
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Body {
        at: V3,
        mass: f32,
    }

    same! {
        force: f32, |i| {
            let bodies = [
                Body { at: V3 { x: i as f32, ..V3::default() }, mass: 1.0 },
                Body { at: V3 { y: 2.0, ..Default::default() }, mass: 3.0 },
                Body { at: V3 { x: -1.0, y: 0.5, z: 4.0 }, mass: 0.25 },
            ];
            let mut f = V3::default();
            let me = bodies[0];
            for other in &bodies[..] {
                let d = other.at - me.at;
                let r2 = d.dot(d) + 0.01;
                f += 2.0 * (d * (other.mass / (r2 * r2.sqrt())));
            }
            f.length()
        }
    }
}

mod run_lengths {
    use super::*;

    same! {
        runs: u32, |i| {
            let data = [1u8, 1, 1, 2, 2, i as u8, 3, 3, 3, 3];
            let mut out = [(0u8, 0u8); 10];
            let mut len = 0;
            for &b in &data {
                if len > 0 && out[len - 1].0 == b {
                    out[len - 1].1 += 1;
                } else {
                    out[len] = (b, 1);
                    len += 1;
                }
            }
            let mut h = 0u32;
            for (value, count) in out.iter().take(len) {
                h = h * 31 + (*value as u32) * 7 + u32::from(*count);
            }
            h
        }
    }
}

mod calculator {
    use super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    enum Token {
        Num(i32),
        Plus,
        Times,
        End,
    }
    #[amp]
    fn next(text: &[u8; 8], at: &mut usize) -> Token {
        let c = text[*at];
        *at += 1;
        match c {
            b'+' => Token::Plus,
            b'*' => Token::Times,
            d @ b'0'..=b'9' => Token::Num((d - b'0').into()),
            _ => Token::End,
        }
    }

    same! {
        calculator: i32, |i| {
            let text = [b'2', b'*', b'0' + i as u8, b'+', b'3', b'*', b'4', 0];
            let mut at = 0;
            let (mut sum, mut product) = (0, 1);
            loop {
                match next(&text, &mut at) {
                    Token::Num(n) => product *= n,
                    Token::Times => {}
                    Token::Plus => { sum += product; product = 1; }
                    Token::End => break sum + product,
                }
            }
        }
    }
}

mod colours {
    use super::*;

    #[amp]
    fn hsv([h, s, v]: [f32; 3]) -> (f32, f32, f32) {
        let c = v * s;
        let x = c * (1.0 - ((h / 60.0) % 2.0 - 1.0).abs());
        let m = v - c;
        let (r, g, b) = match (h / 60.0) as u32 {
            0 => (c, x, 0.0),
            1 => (x, c, 0.0),
            2 => (0.0, c, x),
            3 => (0.0, x, c),
            4 => (x, 0.0, c),
            _ => (c, 0.0, x),
        };
        (r + m, g + m, b + m)
    }

    same! {
        colours: u32, |i| {
            let (r, g, b) = hsv([i as f32 * 61.0, 0.75, 0.5]);
            let byte = |x: f32| (x * 255.0).round() as u8;
            u32::from_le_bytes([byte(r), byte(g), byte(b), 255])
        }
    }
}

mod edit_distance {
    use super::*;

    same! {
        distance: u32, |i| {
            let (a, b) = (*b"kitten", *b"sitting");
            let mut b = b;
            b[0] = b[0] - i as u8;
            let mut row: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
            for (x, ca) in a.iter().enumerate() {
                let mut previous = row[0];
                row[0] = x + 1;
                for (y, cb) in b.iter().enumerate() {
                    let cost = if ca == cb { 0 } else { 1 };
                    let next = (previous + cost).min(row[y] + 1).min(row[y + 1] + 1);
                    previous = std::mem::replace(&mut row[y + 1], next);
                }
            }
            row[b.len()] as u32
        }
    }
}

mod bounds_of_data {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
    struct Range {
        low: f32,
        high: f32,
    }
    #[amp]
    impl Range {
        const EMPTY: Range = Range { low: f32::INFINITY, high: f32::NEG_INFINITY };
        fn extend(self, x: f32) -> Range {
            Range { low: self.low.min(x), high: self.high.max(x) }
        }
        fn width(&self) -> f32 {
            self.high - self.low
        }
    }

    same! {
        ranges: f32, |i| {
            let data = [0.5, -2.0, i as f32, 1.25];
            let range = data.iter().fold(Range::EMPTY, |range, &x| range.extend(x));
            let total = data.into_iter().fold(f32::MIN, f32::max);
            range.width() + total
        }
    }
}
