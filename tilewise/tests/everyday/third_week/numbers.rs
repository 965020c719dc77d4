//! Numbers of a fixed point, complex numbers, curves.

use super::*;

mod fixed_point {
    use super::*;

    use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
    #[amp]
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, AmpStruct)]
    struct Fixed(i32);
    #[amp]
    impl Fixed {
        const ONE: Fixed = Fixed(1 << 8);
        const HALF: Fixed = Fixed(1 << 7);
        fn of(n: i32) -> Self {
            Fixed(n << 8)
        }
        fn round(self) -> i32 {
            (self + Self::HALF).0 >> 8
        }
        fn sqrt(self) -> Fixed {
            let mut guess = self.max(Fixed::ONE);
            for _ in 0..12 {
                guess = (guess + self / guess) * Fixed::HALF;
            }
            guess
        }
        fn abs(self) -> Self {
            if self < Fixed::default() { -self } else { self }
        }
    }

    #[amp]
    impl Add for Fixed {
        type Output = Fixed;
        fn add(self, o: Fixed) -> Fixed {
            Fixed(self.0 + o.0)
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
            Fixed(((i64::from(self.0) * i64::from(o.0)) >> 8) as i32)
        }
    }

    #[amp]
    impl Div for Fixed {
        type Output = Fixed;
        fn div(self, o: Fixed) -> Fixed {
            Fixed(((i64::from(self.0) << 8) / i64::from(o.0)) as i32)
        }
    }

    #[amp]
    impl Neg for Fixed {
        type Output = Fixed;
        fn neg(self) -> Fixed {
            Fixed(-self.0)
        }
    }

    #[amp]
    impl AddAssign for Fixed {
        fn add_assign(&mut self, o: Fixed) {
            self.0 += o.0;
        }
    }

    same! {
        runs: i32, |n| {
            let xs = [Fixed::of(n), Fixed::of(3) / Fixed::of(2), -Fixed::ONE];
            let mut sum = Fixed::default();
            for x in &xs {
                sum += *x * *x;
            }
            let least = xs.iter().copied().fold(Fixed::of(100), |a, b| a.min(b));
            let mut biggest = &xs[0];
            for x in &xs[1..] {
                if x > biggest {
                    biggest = x;
                }
            }
            sum.sqrt().0 * 7 + least.0 + biggest.round() + (xs[0] - xs[1]).abs().0
        }
    }
}

mod complex_numbers {
    use super::*;

    use std::ops::{Add, Mul, MulAssign, Neg, Sub};
    #[derive(Clone, Copy, PartialEq, Debug, Default, AmpStruct)]
    struct Complex {
        re: f32,
        im: f32,
    }

    #[amp]
    impl Complex {
        const I: Complex = Complex { re: 0.0, im: 1.0 };
        fn norm(&self) -> f32 {
            self.re * self.re + self.im * self.im
        }
        fn conj(self) -> Self {
            Self { im: -self.im, ..self }
        }
    }

    #[amp]
    impl Add for Complex {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self { re: self.re + o.re, im: self.im + o.im }
        }
    }

    #[amp]
    impl Sub for Complex {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self { re: self.re - o.re, im: self.im - o.im }
        }
    }

    #[amp]
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
        }
    }

    #[amp]
    impl Mul<f32> for Complex {
        type Output = Self;
        fn mul(self, k: f32) -> Self {
            Self { re: self.re * k, im: self.im * k }
        }
    }

    #[amp]
    impl Neg for Complex {
        type Output = Self;
        fn neg(self) -> Self {
            Self { re: -self.re, im: -self.im }
        }
    }

    #[amp]
    impl MulAssign for Complex {
        fn mul_assign(&mut self, o: Self) {
            *self = *self * o;
        }
    }

    #[amp]
    impl From<f32> for Complex {
        fn from(re: f32) -> Self {
            Complex { re, ..Complex::default() }
        }
    }

    #[amp]
    fn fft(a: &[Complex; 4]) -> [Complex; 4] {
        let (e0, e1) = (a[0] + a[2], a[0] - a[2]);
        let (o0, o1) = (a[1] + a[3], (a[1] - a[3]) * -Complex::I);
        [e0 + o0, e1 + o1, e0 - o0, e1 - o1]
    }

    same! {
        runs: f32, |n| {
            let c = Complex { re: n as f32 * 0.25 - 1.0, im: 0.3 };
            let (mut z, mut steps) = (Complex::default(), 0);
            while z.norm() < 4.0 && steps < 30 {
                z = z * z + c;
                steps += 1;
            }
            let signal = [1.0, n as f32, -2.0, 0.5].map(Complex::from);
            let spectrum = fft(&signal);
            let power: f32 = spectrum.iter().map(|s| (*s * s.conj()).re).sum();
            let mut turn = Complex::I;
            for _ in 0..n {
                turn *= Complex::I;
            }
            let strongest = spectrum.iter().map(Complex::norm).fold(0.0, f32::max);
            steps as f32 + power + turn.re * 3.0 + turn.im + strongest + (turn * 2.0).re
        }
    }
}

mod curves {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
    struct Key {
        at: f32,
        value: f32,
        slope: f32,
    }

    #[amp]
    fn lerp(a: f32, b: f32, t: f32) -> f32 {
        a + (b - a) * t
    }

    #[amp]
    fn hermite(a: &Key, b: &Key, x: f32) -> f32 {
        let w = b.at - a.at;
        let t = (x - a.at) / w;
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * a.value
            + (t3 - 2.0 * t2 + t) * w * a.slope
            + (3.0 * t2 - 2.0 * t3) * b.value
            + (t3 - t2) * w * b.slope
    }

    #[amp]
    fn sample<const N: usize>(keys: &[Key; N], x: f32) -> f32 {
        if let Some(first) = keys.first()
            && x <= first.at
        {
            return first.value;
        }
        for pair in keys.windows(2) {
            if let [a, b] = pair
                && (a.at..b.at).contains(&x)
            {
                return hermite(a, b, x);
            }
        }
        keys.last().map_or(0.0, |k| k.value)
    }

    #[amp]
    fn bezier(points: [f32; 4], t: f32) -> f32 {
        let mut p = points;
        for level in (1..4).rev() {
            for k in 0..level {
                p[k] = lerp(p[k], p[k + 1], t);
            }
        }
        p[0]
    }

    same! {
        runs: f32, |n| {
            let keys = [
                Key { at: 0.0, value: 1.0, slope: 0.0 },
                Key { at: 2.0, value: 3.0, slope: 1.0 },
                Key { at: 4.0, value: 0.5, slope: -1.0 },
            ];
            let x = n as f32 - 0.5;
            let table: [f32; 5] = std::array::from_fn(|k| sample(&keys, x + k as f32 * 0.25));
            let smooth = bezier([0.0, 1.0, x, 2.0], 0.3);
            let nearest =
                keys.iter().min_by(|a, b| (a.at - x).abs().total_cmp(&(b.at - x).abs())).map_or(9.0, |k| k.at);
            table.iter().sum::<f32>() + smooth + nearest
        }
    }
}
