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

#[derive(Clone, Copy, AmpStruct)]
struct Made {
    how: i32,
}

#[amp]
impl From<u32> for Made {
    fn from(x: u32) -> Made {
        Made { how: 1000 + x as i32 }
    }
}

#[amp]
impl From<i32> for Made {
    fn from(x: i32) -> Made {
        Made { how: 2000 + x }
    }
}

#[amp]
impl From<Near> for Made {
    fn from(near: Near) -> Made {
        Made { how: near.x }
    }
}

impl From<bool> for Made {
    fn from(_: bool) -> Made {
        Made { how: -1 }
    }
}

/// Only one takes an integer.
#[derive(Clone, Copy, AmpStruct)]
struct Unsigned {
    bits: u32,
}

#[amp]
impl From<u32> for Unsigned {
    fn from(bits: u32) -> Unsigned {
        Unsigned { bits: bits - 7 }
    }
}

#[amp]
impl From<Made> for u32 {
    fn from(made: Made) -> u32 {
        made.how as u32
    }
}

#[amp]
impl<T: Scalar> From<T> for Pair<T> {
    fn from(a: T) -> Pair<T> {
        Pair { a, b: a + T::ONE }
    }
}

#[amp]
impl<T: Scalar> From<(T, T)> for Pair<T> {
    fn from(both: (T, T)) -> Pair<T> {
        Pair { a: both.1, b: both.0 }
    }
}

oracle! {
    a_conversion_is_that_of_its_argument(n) -> i32 {
        let (unsigned, number) = (Made::from(n as u32), 5);
        let near = Near { x: n * 3, y: 0 };
        let pair = Pair::from((n, 4));
        let sum = Made::from(number).how + unsigned.how * 3 + Made::from(near).how * 7 + Made::from(-1).how;
        let small = Unsigned::from(9).bits.wrapping_sub(3);
        sum + small as i32 + u32::from(unsigned) as i32 + Pair::from(n as f32).b as i32 * 5 + pair.a * 9 + pair.b
    }
}

/// With an operator with `=` of its own, and for another type without.
#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    x: i64,
}

#[amp]
impl std::ops::Add<i64> for Wide {
    type Output = Wide;
    fn add(self, other: i64) -> Wide {
        Wide { x: self.x + other }
    }
}

#[amp]
impl std::ops::Add<i32> for Wide {
    type Output = Wide;
    fn add(self, other: i32) -> Wide {
        Wide { x: self.x + other as i64 * 1000 }
    }
}

/// For the host, and no literal means it.
impl std::ops::Add<u8> for Wide {
    type Output = Wide;
    fn add(self, _: u8) -> Wide {
        Wide { x: 0 }
    }
}

#[amp]
impl std::ops::Add<(i64, [f32; 2])> for Wide {
    type Output = Wide;
    fn add(self, other: (i64, [f32; 2])) -> Wide {
        Wide { x: self.x + other.0 + other.1[1] as i64 }
    }
}

#[amp]
impl PartialEq<i64> for Wide {
    fn eq(&self, other: &i64) -> bool {
        self.x == *other
    }
}

#[test]
fn a_literal_takes_the_operator_that_rust_takes() {
    let host = |k: i64| {
        let w: Wide = Wide { x: k } + 1;
        let w: Wide = w + (5, [1.0, 2.0]);
        let w: Wide = w + 7_i64;
        w.x + (w == 1016) as i64 * 100_000
    };
    let got = on_all([3], |l, out: &ArrayView<'_, i64>| {
        parallel_for_each!(l, |i| {
            let mut w: Wide = Wide { x: i[0] as i64 } + 1;
            w = w + (5, [1.0, 2.0]);
            w = w + 7_i64;
            out[i] = w.x + (w == 1016) as i64 * 100_000;
        })
    });
    assert_eq!(got, [0, 1, 2].map(host));
}

mod mem {
    use tilewise::amp;

    /// Not the one of the standard library.
    #[amp]
    pub(super) fn swap(a: &mut i32, b: &mut i32) {
        *a += *b;
    }
}

oracle! {
    functions_named_like_those_of_std_are_those_of_the_path(n) -> i32 {
        let (mut a, mut b) = (n, 2);
        mem::swap(&mut a, &mut b);
        std::mem::swap(&mut a, &mut b);
        let old = std::mem::replace::<i32>(&mut a, 7);
        std::cmp::min(a, n) * 100 + b * 10 + old + std::cmp::max(n, 3)
    }
}

mod boxes {
    use tilewise::prelude::*;

    /// Types with names of the standard library's, which are none of them.
    #[derive(Clone, Copy, AmpStruct)]
    pub(super) struct Box {
        pub(super) width: i32,
    }

    #[amp]
    impl Box {
        pub(super) fn new(width: i32) -> Box {
            Box { width: width * 3 }
        }
    }

    #[derive(Clone, Copy, AmpStruct)]
    pub(super) struct String {
        pub(super) x: i32,
    }

    #[amp]
    impl String {
        pub(super) fn new() -> String {
            String { x: 4 }
        }

        pub(super) fn with_capacity(x: i32) -> String {
            String { x }
        }

        pub(super) fn from(x: i32) -> String {
            String { x: x + 100 }
        }

        pub(super) fn default() -> String {
            String { x: 1000 }
        }

        pub(super) fn of(x: i32) -> String {
            String { x: x * 7 }
        }
    }
}

mod types_named_like_those_of_the_heap {
    use super::boxes::{Box, String};
    use super::*;

    oracle! {
        are_those_that_are_imported(n) -> i32 {
            let b = Box::new(n);
            let v = if n > 3 { String::new() } else { String::with_capacity(n) };
            let made = String::from(n).x + String::of(n).x + String::default().x;
            b.width * 10 + v.x + boxes::Box::new(1).width * 100 + made * 10000
        }
    }
}
