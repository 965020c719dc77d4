//! Numbers: pictures, random numbers, hashes, fixed point, bits, roots, colours.

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
