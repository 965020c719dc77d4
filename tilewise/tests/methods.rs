//! `#[amp]` on impls and traits, as the host calls them.

#![warn(clippy::all, unreachable_pub, missing_docs)]
use std::ops::{Add, Neg};

use tilewise::{Index, amp, kernel};

/// A.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair<T> {
    x: T,
    y: T,
}

impl<T: tilewise::types::KernelType> tilewise::types::KernelType for Pair<T> {
    fn ty() -> tilewise::form::Ty {
        T::ty()
    }
}

#[amp]
impl Pair<f32> {
    /// Limit.
    pub const LIMIT: f32 = 3.0;

    /// Make.
    pub fn new(x: f32, y: f32) -> Self {
        Pair { x, y }
    }

    /// Sum.
    pub fn sum(&self) -> f32 {
        self.x + self.y + Self::LIMIT
    }

    fn scale(&mut self, by: f32) {
        self.x *= by;
        self.y *= by;
    }

    fn both<T: tilewise::Scalar>(self, t: T, k: T) -> T {
        let mut me = self;
        me.scale(Self::LIMIT);
        if me.sum() > Pair::<f32>::LIMIT { t + k } else { t }
    }
}

#[amp]
impl Add for Pair<f32> {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Pair { x: self.x + other.x, ..self }
    }
}

#[amp]
impl Neg for Pair<f32> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

/// Shape.
#[amp]
pub trait Shape {
    /// N.
    const N: i32;
    /// Area.
    fn area(&self) -> f32;
    /// Twice.
    fn twice(&self, k: f32) -> f32
    where
        Self: Sized,
    {
        self.area() * k * Self::N as f32
    }
}

#[amp]
impl Shape for Pair<f32> {
    const N: i32 = 2;
    fn area(&self) -> f32 {
        self.x * self.y
    }
}

#[amp]
fn total<S>(s: &S, p: Pair<f32>) -> f32
where
    S: Shape + tilewise::types::KernelType,
{
    let q = -(p + Pair::new(1.0, 2.0));
    s.twice(q.y) + s.area()
}

#[test]
fn methods_run_on_the_host() {
    let p = Pair::new(1.0, 2.0);
    assert_eq!(p.sum(), 6.0);
    assert_eq!(p.both(1, 2), 3);
    assert_eq!((p + p).x, 2.0);
    assert_eq!(total(&p, p), 2.0 * -2.0 * 2.0 + 2.0);
    let n = 4;
    let k = kernel!(|i: Index<1>| {
        let q = Pair::new(1.0, n as f32);
        if total(&q, q) > 3.0 && i[0] > 3 {
            error!("{} is too large", n);
        }
    });
    assert!(format!("{k:?}").contains("methods.rs"));
}
