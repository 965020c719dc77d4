//! `#[amp]` on impls and traits: methods, operators, static dispatch.

use std::ops::{Add, Mul, Neg};

use tilewise::{AmpStruct, ArrayView, amp, parallel_for_each};

use crate::on_all;

#[derive(Clone, Copy, Debug, AmpStruct)]
struct Pair {
    x: f32,
    y: f32,
}

#[amp]
impl Pair {
    const LIMIT: f32 = 3.0;

    fn new(x: f32, y: f32) -> Self {
        Pair { x, y }
    }

    fn sum(&self) -> f32 {
        self.x + self.y + Self::LIMIT
    }

    fn scale(&mut self, by: f32) {
        self.x *= by;
        self.y *= by;
    }

    fn on_all<T: tilewise::Scalar>(self, t: T, k: T) -> T {
        let mut me = self;
        me.scale(Self::LIMIT);
        if me.sum() > Pair::LIMIT { t + k } else { t }
    }
}

#[amp]
impl Add for Pair {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Pair { x: self.x + other.x, ..self }
    }
}

#[amp]
impl Mul<f32> for Pair {
    type Output = Pair;
    fn mul(self, by: f32) -> Pair {
        Pair::new(self.x * by, self.y * by)
    }
}

#[amp]
impl Mul<Pair> for f32 {
    type Output = Pair;
    fn mul(self, pair: Pair) -> Pair {
        pair * self
    }
}

#[amp]
impl Neg for Pair {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

#[amp]
impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.x == other.x
    }
}

#[amp]
impl Default for Pair {
    fn default() -> Self {
        Pair { x: 1.0, y: 0.5 }
    }
}

#[amp]
impl From<f32> for Pair {
    fn from(x: f32) -> Self {
        Pair { x, y: x }
    }
}

#[amp]
trait Shape {
    const N: i32;
    fn area(&self) -> f32;
    fn twice(&self, k: f32) -> f32
    where
        Self: Sized,
    {
        self.area() * k * Self::N as f32
    }
    fn unit() -> Self;
}

#[amp]
impl Shape for Pair {
    const N: i32 = 2;
    fn area(&self) -> f32 {
        self.x * self.y
    }
    fn unit() -> Self {
        Pair::new(1.0, 1.0)
    }
}

#[amp]
fn total<S: Shape>(s: &S, by: f32) -> f32 {
    s.twice(by) + s.area() + S::unit().area()
}

#[amp]
fn everything(n: f32) -> f32 {
    let p = Pair::new(1.0, n);
    let mut q = -(p + Pair::new(1.0, 2.0)) * 2.0;
    q = q + 0.5 * p;
    let same = q == p || p != Pair::default();
    let made = Pair::from(n);
    total(&q, made.y) + p.on_all(1.5, n) + if same { 1.0 } else { 2.0 } + total::<Pair>(&made, 1.0)
}

#[test]
fn methods_operators_and_traits() {
    let results = on_all([6], |launch, v: &ArrayView<'_, f32>| {
        parallel_for_each!(launch, |i| {
            v[i] = everything(i[0] as f32);
        })
    });
    let wanted: Vec<f32> = (0..6).map(|n| everything(n as f32)).collect();
    assert_eq!(results, wanted);
}

#[test]
fn the_host_calls_them_too() {
    let p = Pair::new(1.0, 2.0);
    assert_eq!(p.sum(), 6.0);
    assert_eq!(p.on_all(1, 2), 3);
    assert_eq!((p + p).x, 2.0);
    assert_eq!(total(&p, 2.0), 8.0 + 2.0 + 1.0);
}

#[amp]
trait Sided: Copy {
    const SIDES: i32;

    fn side<const K: usize>(&self) -> i32;

    fn next_side<const K: usize>(&self) -> i32 {
        self.side::<K>() + 1
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Lengths {
    all: [i32; 4],
}

#[amp]
impl Sided for Lengths {
    const SIDES: i32 = 4;

    fn side<const K: usize>(&self) -> i32 {
        self.all[K]
    }
}

#[amp]
impl Lengths {
    fn last<const K: usize>() -> usize {
        K - 1
    }

    fn longer<const K: usize, const UP: bool>(&mut self, by: i32) -> i32 {
        self.all[K] += if UP { by } else { -by };
        self.all[Self::last::<K>()]
    }

    fn sides<T: Sided>(self) -> i32 {
        self.all[0] * T::SIDES
    }
}

/// Parameters that no argument names.
#[amp]
fn by_its_parameters(n: i32) -> i32 {
    let mut lengths = Lengths { all: [n, 2, 3, 4] };
    let (a, b) = (lengths.longer::<1, true>(10), lengths.longer::<2, false>(n));
    a + b * 10 + lengths.side::<2>() * 100 + lengths.next_side::<3>() * 1000 + lengths.sides::<Lengths>() * 10000
}

#[test]
fn methods_have_parameters_that_no_argument_names() {
    let results =
        on_all([4], |launch, v: &ArrayView<'_, i32>| parallel_for_each!(launch, |i| v[i] = by_its_parameters(i[0])));
    assert_eq!(results, [0, 1, 2, 3].map(|n| n + 120 + (3 - n) * 100 + 5000 + n * 40000));
    assert_eq!(by_its_parameters(1), 1 + 120 + 200 + 5000 + 40000);
}
