//! Programs around types of the user's own: traits, operators, states, sets of bits, generators.

// A trait with a generic method.
mod visitors {
    use super::super::*;

    #[amp]
    trait Visitor {
        fn visit<T: Scalar>(&mut self, x: T) -> T;
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Count {
        n: u32,
    }
    #[amp]
    impl Visitor for Count {
        fn visit<T: Scalar>(&mut self, x: T) -> T {
            self.n += 1;
            x + x
        }
    }
    #[amp]
    fn walk<V: Visitor>(v: &mut V, i: i32) -> i32 {
        v.visit(i) + v.visit(1.5_f32) as i32
    }
    same! {
        runs: i32, |i| {
            let mut c = Count { n: 0 };
            let r = walk(&mut c, i);
            r * 10 + c.n as i32
        }
    }
}

// Associated constants and types.
mod shapes_with_sides {
    use super::super::*;

    #[amp]
    trait Shape {
        const SIDES: u32;
        type Unit: tilewise::types::KernelValue;
        fn unit(&self) -> Self::Unit;
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Tri {
        a: i32,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Quad {
        a: f32,
    }
    #[amp]
    impl Shape for Tri {
        const SIDES: u32 = 3;
        type Unit = i32;
        fn unit(&self) -> i32 {
            self.a
        }
    }
    #[amp]
    impl Shape for Quad {
        const SIDES: u32 = 4;
        type Unit = f32;
        fn unit(&self) -> f32 {
            self.a
        }
    }
    #[amp]
    fn sides<S: Shape>(_s: &S) -> u32 {
        S::SIDES
    }
    same! {
        runs: i32, |i| {
            let (t, q) = (Tri { a: i }, Quad { a: 2.5 });
            (sides(&t) * sides(&q)) as i32 + t.unit() + q.unit() as i32
        }
    }
}

// A matrix of any size, with operators and powers.
mod matrix_powers {
    use super::super::*;

    use std::ops::{Add, Index, IndexMut, Mul};
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Mat<const N: usize> {
        m: [[i32; N]; N],
    }
    #[amp]
    impl<const N: usize> Mul for Mat<N> {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            let mut r = [[0; N]; N];
            for i in 0..N {
                for j in 0..N {
                    for k in 0..N {
                        r[i][j] += self.m[i][k] * o.m[k][j];
                    }
                }
            }
            Mat { m: r }
        }
    }
    #[amp]
    impl<const N: usize> Add for Mat<N> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            let mut r = self;
            for i in 0..N {
                for j in 0..N {
                    r.m[i][j] += o.m[i][j];
                }
            }
            r
        }
    }
    #[amp]
    impl<const N: usize> Mat<N> {
        fn identity() -> Self {
            let mut m = [[0; N]; N];
            for i in 0..N {
                m[i][i] = 1;
            }
            Self { m }
        }
        fn pow(self, mut n: u32) -> Self {
            let mut b = self;
            let mut r = Self::identity();
            while n > 0 {
                if n & 1 == 1 {
                    r = r * b;
                }
                b = b * b;
                n >>= 1;
            }
            r
        }
        fn trace(&self) -> i32 {
            (0..N).map(|k| self.m[k][k]).sum()
        }
    }
    same! {
        runs: i32, |i| {
            let f = Mat { m: [[1, 1], [1, 0]] };
            let g = f.pow(i as u32 + 3);
            let s = g + Mat::identity();
            s.m[0][1] * 100 + s.trace()
        }
    }
}

// An iterator in a struct.
mod collatz {
    use super::super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Collatz {
        n: u32,
        done: bool,
    }
    #[amp]
    impl Collatz {
        fn new(n: u32) -> Self {
            Self { n, done: false }
        }
        fn next(&mut self) -> Option<u32> {
            if self.done {
                return None;
            }
            let r = self.n;
            if r == 1 {
                self.done = true;
            } else {
                self.n = if r % 2 == 0 { r / 2 } else { 3 * r + 1 };
            }
            Some(r)
        }
    }
    same! {
        runs: u32, |i| {
            let mut c = Collatz::new(i as u32 + 5);
            let mut s = 0;
            let mut most = 0;
            while let Some(x) = c.next() {
                s += 1;
                most = most.max(x);
            }
            s * 1000 + most
        }
    }
}

// A state machine of an enum with fields.
mod traffic_light {
    use super::super::*;

    #[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
    enum Light {
        Red,
        Green { left: u8 },
        Yellow,
    }
    #[amp]
    impl Light {
        fn tick(self, car: bool) -> Self {
            use Light::*;
            match (self, car) {
                (Red, true) => Green { left: 2 },
                (Red, false) => Red,
                (Green { left: 0 }, _) => Yellow,
                (Green { left }, _) => Green { left: left - 1 },
                (Yellow, _) => Red,
            }
        }
    }
    same! {
        runs: i32, |i| {
            let mut l = Light::Red;
            let mut s = 0;
            for k in 0..12 {
                l = l.tick((k + i) % 3 == 0);
                s = s * 3
                    + match l {
                        Light::Red => 0,
                        Light::Green { .. } => 1,
                        Light::Yellow => 2,
                    };
                s %= 100_003;
            }
            s
        }
    }
}

// A set of bits in a tuple struct.
mod bit_sets {
    use super::super::*;

    #[derive(Clone, Copy, Default, PartialEq, AmpStruct)]
    struct Bits([u64; 2]);
    #[amp]
    impl Bits {
        fn insert(&mut self, k: usize) -> bool {
            let (w, b) = (k / 64, 1_u64 << (k % 64));
            let was = self.0[w] & b != 0;
            self.0[w] |= b;
            !was
        }
        fn contains(&self, k: usize) -> bool {
            self.0[k >> 6] >> (k & 63) & 1 == 1
        }
        fn len(&self) -> u32 {
            self.0.iter().map(|w| w.count_ones()).sum()
        }
        fn first(&self) -> Option<usize> {
            for (k, w) in self.0.iter().enumerate() {
                if *w != 0 {
                    return Some(k * 64 + w.trailing_zeros() as usize);
                }
            }
            None
        }
    }
    same! {
        runs: u32, |i| {
            let mut b = Bits::default();
            let mut fresh = 0;
            for k in 0..10 {
                if b.insert(((k * 37 + i * 11) % 128) as usize) {
                    fresh += 1;
                }
            }
            fresh * 10000 + b.len() * 100 + b.first().unwrap_or(0) as u32 + b.contains(37) as u32
        }
    }
}

// Numbers with a fixed point, with their operators.
mod fixed_point {
    use super::super::*;

    use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
    #[amp]
    #[derive(Clone, Copy, PartialEq, PartialOrd, AmpStruct)]
    struct Fix(i32);
    const ONE: i32 = 1 << 16;
    #[amp]
    impl Fix {
        fn from_int(n: i32) -> Self {
            Fix(n * ONE)
        }
        fn floor(self) -> i32 {
            self.0 >> 16
        }
        fn sqrt(self) -> Fix {
            let mut x = self;
            for _ in 0..12 {
                x = (x + self / x) / Fix::from_int(2);
            }
            x
        }
    }
    #[amp]
    impl Add for Fix {
        type Output = Fix;
        fn add(self, o: Fix) -> Fix {
            Fix(self.0 + o.0)
        }
    }
    #[amp]
    impl Sub for Fix {
        type Output = Fix;
        fn sub(self, o: Fix) -> Fix {
            Fix(self.0 - o.0)
        }
    }
    #[amp]
    impl Mul for Fix {
        type Output = Fix;
        fn mul(self, o: Fix) -> Fix {
            Fix(((self.0 as i64 * o.0 as i64) >> 16) as i32)
        }
    }
    #[amp]
    impl Div for Fix {
        type Output = Fix;
        fn div(self, o: Fix) -> Fix {
            Fix((((self.0 as i64) << 16) / o.0 as i64) as i32)
        }
    }
    #[amp]
    impl Neg for Fix {
        type Output = Fix;
        fn neg(self) -> Fix {
            Fix(-self.0)
        }
    }
    #[amp]
    impl AddAssign for Fix {
        fn add_assign(&mut self, o: Fix) {
            self.0 += o.0;
        }
    }
    same! {
        runs: i32, |i| {
            let mut x = Fix::from_int(i + 2).sqrt();
            x += -Fix(100) * Fix::from_int(3);
            if x > Fix::from_int(2) {
                x = x - Fix::from_int(1);
            }
            x.0 + x.floor()
        }
    }
}

// Generators of random numbers, by a trait with methods of its own.
mod generators_of_a_trait {
    use super::super::*;

    #[amp]
    trait Rng {
        fn next_u32(&mut self) -> u32;
        fn below(&mut self, n: u32) -> u32 {
            (self.next_u32() as u64 * n as u64 >> 32) as u32
        }
        fn unit(&mut self) -> f32 {
            (self.next_u32() >> 8) as f32 / (1 << 24) as f32
        }
        fn shuffle<const N: usize>(&mut self, a: &mut [u32; N]) {
            for k in (1..N).rev() {
                let j = self.below(k as u32 + 1) as usize;
                a.swap(k, j);
            }
        }
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct XorShift {
        s: u32,
    }
    #[derive(Clone, Copy, AmpStruct)]
    struct Pcg {
        state: u64,
        inc: u64,
    }
    #[amp]
    impl Rng for XorShift {
        fn next_u32(&mut self) -> u32 {
            self.s ^= self.s << 13;
            self.s ^= self.s >> 17;
            self.s ^= self.s << 5;
            self.s
        }
    }
    #[amp]
    impl Rng for Pcg {
        fn next_u32(&mut self) -> u32 {
            let old = self.state;
            self.state = old.wrapping_mul(6364136223846793005).wrapping_add(self.inc | 1);
            let x = (((old >> 18) ^ old) >> 27) as u32;
            x.rotate_right((old >> 59) as u32)
        }
    }
    same! {
        runs: u32, |i| {
            let mut x = XorShift { s: 7 + i as u32 };
            let mut p = Pcg { state: i as u64, inc: 3 };
            let mut d = [0, 1, 2, 3, 4, 5, 6];
            x.shuffle(&mut d);
            p.shuffle(&mut d);
            let mut h = 0u32;
            for v in d {
                h = h.wrapping_mul(31).wrapping_add(v);
            }
            h ^ (p.unit() * 1000.0) as u32
        }
    }
}

// Conversions of two types into each other.
mod temperatures {
    use super::super::*;

    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Celsius(f32);
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    struct Fahrenheit(f32);
    #[amp]
    impl From<Celsius> for Fahrenheit {
        fn from(c: Celsius) -> Self {
            Fahrenheit(c.0 * 9.0 / 5.0 + 32.0)
        }
    }
    #[amp]
    impl From<Fahrenheit> for Celsius {
        fn from(f: Fahrenheit) -> Self {
            Celsius((f.0 - 32.0) * 5.0 / 9.0)
        }
    }
    same! {
        runs: i32, |i| {
            let c = Celsius(i as f32 * 10.0);
            let f: Fahrenheit = c.into();
            let back = Celsius::from(f);
            (f.0 * 10.0) as i32 + back.0 as i32
        }
    }
}
