//! Programs as in the first chapters of a book: structs with methods, traits and operators.

use super::*;

mod rectangles {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, AmpStruct)]
    pub struct Rectangle {
        width: u32,
        height: u32,
    }
    #[amp]
    impl Rectangle {
        pub fn new(width: u32, height: u32) -> Self {
            Self { width, height }
        }
        pub fn square(size: u32) -> Self {
            Self::new(size, size)
        }
        fn area(&self) -> u32 {
            self.width * self.height
        }
        fn can_hold(&self, other: &Rectangle) -> bool {
            self.width > other.width && self.height > other.height
        }
        fn scale(&mut self, by: u32) {
            self.width *= by;
            self.height *= by;
        }
    }

    same! {
        run: u32, |i| {
            let mut r = Rectangle::new(3, i as u32 + 1);
            let s = Rectangle::square(2);
            if r.can_hold(&s) {
                r.scale(2);
            }
            let Rectangle { width, height } = r;
            r.area() * 100 + width + height + s.area()
        }
    }
}

mod shapes_by_traits {
    use super::*;

    #[amp]
    pub trait Shape {
        fn area(&self) -> f32;
        fn name(&self) -> u32 {
            7
        }
    }
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Circle {
        r: f32,
    }
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Square(f32);
    #[amp]
    impl Shape for Circle {
        fn area(&self) -> f32 {
            3.0 * self.r * self.r
        }
    }
    #[amp]
    impl Shape for Square {
        fn area(&self) -> f32 {
            self.0 * self.0
        }
        fn name(&self) -> u32 {
            4
        }
    }
    #[amp]
    fn larger<A: Shape, B: Shape>(a: &A, b: &B) -> f32 {
        if a.area() > b.area() { a.area() } else { b.area() }
    }
    #[amp]
    fn describe(shape: &impl Shape) -> f32 {
        shape.area() + shape.name() as f32
    }

    same! {
        run: f32, |i| {
            let c = Circle { r: i as f32 };
            let s = Square(3.0);
            larger(&c, &s) + describe(&c) + describe(&s)
        }
    }
}

mod stack_of_a_length {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Stack<const N: usize> {
        items: [i32; N],
        len: usize,
    }
    #[amp]
    impl<const N: usize> Stack<N> {
        fn new() -> Self {
            Stack { items: [0; N], len: 0 }
        }
        fn push(&mut self, x: i32) -> bool {
            if self.len == N {
                return false;
            }
            self.items[self.len] = x;
            self.len += 1;
            true
        }
        fn pop(&mut self) -> Option<i32> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                Some(self.items[self.len])
            }
        }
        fn peek(&self) -> Option<i32> {
            if self.is_empty() { None } else { Some(self.items[self.len - 1]) }
        }
        fn is_empty(&self) -> bool {
            self.len == 0
        }
    }

    same! {
        run: i32, |i| {
            let mut s: Stack<4> = Stack::new();
            let mut ok = 0;
            for k in 0..i + 1 {
                if s.push(k * k) {
                    ok += 1;
                }
            }
            let top = s.peek().unwrap_or(-1);
            let mut sum = 0;
            while let Some(x) = s.pop() {
                sum += x;
            }
            ok * 1000 + top * 10 + sum
        }
    }
}

mod units {
    use super::*;

    #[amp]
    pub trait Unit: tilewise::types::KernelValue {
        const FACTOR: f32;
        fn raw(self) -> f32;
    }
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Meters(f32);
    #[derive(Clone, Copy, AmpStruct)]
    pub struct Feet(f32);
    #[amp]
    impl Unit for Meters {
        const FACTOR: f32 = 1.0;
        fn raw(self) -> f32 {
            self.0
        }
    }
    #[amp]
    impl Unit for Feet {
        const FACTOR: f32 = 0.3048;
        fn raw(self) -> f32 {
            self.0
        }
    }
    #[amp]
    fn to_meters<U: Unit>(u: U) -> f32 {
        u.raw() * U::FACTOR
    }
    #[derive(Clone, Copy, Default, Debug, PartialEq, AmpStruct)]
    pub struct Config {
        speed: f32,
        level: u32,
    }

    same! {
        run: f32, |i| {
            let config = Config { level: i as u32, ..Default::default() };
            let all = [to_meters(Meters(2.0)), to_meters(Feet(10.0)), config.speed + config.level as f32];
            all.iter().sum::<f32>() + all.iter().copied().fold(f32::NEG_INFINITY, f32::max)
        }
    }
}

mod points {
    use super::*;

    use std::ops::*;
    #[derive(Debug, Copy, Clone, PartialEq, AmpStruct)]
    pub struct Point {
        x: i32,
        y: i32,
    }
    #[amp]
    impl Add for Point {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Self { x: self.x + other.x, y: self.y + other.y }
        }
    }
    #[amp]
    impl Sub for Point {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self { x: self.x - o.x, y: self.y - o.y }
        }
    }
    #[amp]
    impl Neg for Point {
        type Output = Self;
        fn neg(self) -> Self {
            Self { x: -self.x, y: -self.y }
        }
    }
    #[amp]
    impl AddAssign for Point {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }
    #[amp]
    impl Mul<i32> for Point {
        type Output = Point;
        fn mul(self, k: i32) -> Point {
            Point { x: self.x * k, y: self.y * k }
        }
    }
    #[amp]
    impl Point {
        const ORIGIN: Point = Point { x: 0, y: 0 };
        fn manhattan(&self) -> i32 {
            self.x.abs() + self.y.abs()
        }
    }

    same! {
        run: i32, |i| {
            let mut p = Point { x: i, y: 3 };
            p += Point { x: 1, y: -7 } * 2;
            let q = -(p - Point::ORIGIN);
            let all = [p, q, Point::ORIGIN];
            let total = all.iter().fold(Point::ORIGIN, |a, b| a + *b);
            q.manhattan() * 10 + total.x + all.iter().map(Point::manhattan).max().unwrap_or(0)
        }
    }
}

mod builder {
    use super::*;

    #[derive(Clone, Copy, Default, AmpStruct)]
    pub struct Options {
        width: u32,
        height: u32,
        fast: u32,
    }
    #[amp]
    impl Options {
        fn new() -> Self {
            Options { width: 1, height: 1, fast: 0 }
        }
        fn width(mut self, w: u32) -> Self {
            self.width = w;
            self
        }
        fn height(mut self, h: u32) -> Self {
            self.height = h;
            self
        }
        fn fast(self) -> Self {
            Options { fast: 1, ..self }
        }
        fn area(&self) -> u32 {
            self.width * self.height + self.fast
        }
    }

    same! {
        run: u32, |i| {
            Options::new().width(i as u32).height(3).fast().area()
        }
    }
}

mod generic_pairs {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Pair<T> {
        a: T,
        b: T,
    }
    #[amp]
    impl<T: Scalar> Pair<T> {
        fn largest(&self) -> T {
            if self.a > self.b { self.a } else { self.b }
        }
        fn swapped(self) -> Self {
            Pair { a: self.b, b: self.a }
        }
    }
    #[amp]
    fn largest<T: Scalar, const N: usize>(all: &[T; N]) -> T {
        let mut best = all[0];
        for &x in all {
            if x > best {
                best = x;
            }
        }
        best
    }

    same! {
        run: f32, |i| {
            let p = Pair { a: i, b: 3 };
            let q = Pair { a: 1.5f32, b: i as f32 }.swapped();
            largest(&[1, i, 4]) as f32 + largest(&[0.5, i as f32]) + q.largest() + p.largest() as f32
        }
    }
}

mod accounts {
    use super::*;

    #[derive(Clone, Copy, Debug, AmpStruct)]
    pub struct Account {
        id: i64,
        balance: i64,
    }
    #[derive(Clone, Copy, PartialEq, AmpStruct)]
    pub enum Refusal {
        None,
        TooLittle,
        SameAccount,
    }
    #[amp]
    impl Account {
        fn deposit(&mut self, x: i64) {
            self.balance += x;
        }
        fn withdraw(&mut self, x: i64) -> Option<i64> {
            if x > self.balance {
                return None;
            }
            self.balance -= x;
            Some(self.balance)
        }
    }

    same! {
        run: i64, |i| {
            let mut accounts = [Account { id: 1, balance: 50 }, Account { id: 2, balance: i as i64 }];
            accounts[0].deposit(10);
            let taken = accounts[0].withdraw(i as i64 * 15);
            if let Some(_) = taken {
                accounts[1].balance += i as i64 * 15;
            }
            accounts.iter().map(|a| a.balance * a.id).sum::<i64>()
        }
    }
}

mod particles {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub struct Particle {
        x: f32,
        v: f32,
    }
    #[amp]
    impl Particle {
        fn step(&mut self, dt: f32) {
            self.v -= 9.8 * dt;
            self.x += self.v * dt;
            if self.x < 0.0 {
                self.x = -self.x;
                self.v = -self.v * 0.5;
            }
        }
        fn energy(&self) -> f32 {
            0.5 * self.v * self.v + 9.8 * self.x
        }
    }

    same! {
        run: f32, |i| {
            let mut ps = [Particle { x: 1.0, v: 0.0 }; 3];
            for (k, p) in ps.iter_mut().enumerate() {
                p.x += k as f32;
            }
            for _ in 0..i {
                for p in &mut ps {
                    p.step(0.1);
                }
            }
            ps.iter().map(|p| p.energy()).sum::<f32>()
        }

        by_index: f32, |i| {
            let mut ps = [Particle { x: 1.0, v: 0.0 }; 3];
            for k in 0..3 {
                let p = &mut ps[k];
                p.step(0.5);
            }
            ps[0].energy() + ps[(i % 3) as usize].x
        }

        elements: f32, |i| {
            let mut ps = [Particle { x: 1.0, v: 0.0 }; 3];
            for k in 0..3 {
                ps[k].step(0.1 * i as f32);
            }
            ps[2].x
        }
    }
}
