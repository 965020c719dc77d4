//! Which `impl` an operator or a conversion means: the one that Rust takes.

use crate::on_all;
use tilewise::prelude::*;
use tilewise::{ArrayView, amp, parallel_for_each};

#[derive(Clone, Copy, AmpStruct)]
struct Far {
    far: [i32; 3],
    near: i32,
}

/// Equal to itself by both fields, to a `Far` by one.
#[derive(Clone, Copy, AmpStruct)]
struct Near {
    x: i32,
    y: i32,
}

#[amp]
impl PartialEq for Near {
    fn eq(&self, other: &Near) -> bool {
        self.x == other.x && self.y == other.y
    }
}

#[amp]
impl PartialEq<Far> for Near {
    fn eq(&self, other: &Far) -> bool {
        self.x == other.far[2]
    }
}

#[amp]
impl PartialEq<i32> for Near {
    fn eq(&self, other: &i32) -> bool {
        self.y + 1 == *other
    }
}

#[amp]
impl PartialEq<Near> for i32 {
    fn eq(&self, other: &Near) -> bool {
        *self == other.x * 100
    }
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Level {
    Low = 0,
    High = 3,
}

#[amp]
impl PartialEq<i32> for Level {
    fn eq(&self, other: &i32) -> bool {
        *self as i32 + 40 == *other
    }
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

#[amp]
impl<T: Scalar> PartialEq for Pair<T> {
    fn eq(&self, other: &Pair<T>) -> bool {
        self.a == other.a
    }
}

#[amp]
impl<T: Scalar> PartialEq<T> for Pair<T> {
    fn eq(&self, other: &T) -> bool {
        self.b == *other
    }
}

oracle! {
    a_comparison_is_that_of_its_two_types(n) -> i32 {
        let (a, b) = (Near { x: n, y: 3 }, Near { x: 4, y: n });
        let far = Far { far: [7, 7, 5], near: n };
        let level = if n == 1 { Level::High } else { Level::Low };
        let pair = Pair { a: n as f32, b: 2.0 };
        let mut bits = (a == b) as i32 + (a != b) as i32 * 2 + (a == far) as i32 * 4 + (b == n + 1) as i32 * 8;
        bits += (n * 100 == a) as i32 * 16 + (n != b) as i32 * 32 + (level == Level::High) as i32 * 64;
        bits += (level == 43) as i32 * 128 + (level == 3) as i32 * 256 + (level != 40) as i32 * 512;
        bits + (pair == Pair { a: 6.0, b: 1.0 }) as i32 * 1024 + (pair == n as f32) as i32 * 2048
    }
}
