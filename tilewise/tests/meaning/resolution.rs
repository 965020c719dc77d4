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

mod methods_named_like_those_of_std {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Own {
        a: i32,
    }

    #[amp]
    impl Own {
        fn iter(&self) -> Own {
            Own { a: self.a + 1 }
        }

        fn iter_mut(&mut self) -> i32 {
            self.a += 5;
            self.a
        }

        fn into_iter(self) -> i32 {
            self.a * 2
        }

        fn map(self, by: i32) -> Own {
            Own { a: self.a * by }
        }

        fn any(self, f: impl Fn(i32) -> bool) -> bool {
            f(self.a)
        }

        fn position(self, at: i32) -> Option<i32> {
            Some(self.a - at)
        }

        fn sum(self) -> i32 {
            self.a
        }

        fn expect(self, n: i32) -> i32 {
            self.a - n
        }

        fn unwrap(self) -> i32 {
            self.a * 31
        }

        fn contains(&self, x: &i32) -> bool {
            self.a == *x
        }

        fn rev(self) -> [i32; 3] {
            [self.a, 2, 1]
        }

        fn enumerate(self) -> [(i32, i32); 2] {
            [(5, self.a), (1, 4)]
        }

        fn step_by(self, n: i32) -> [i32; 2] {
            [n, self.a]
        }

        fn atomic(self, by: i32) -> i32 {
            self.a * by
        }

        fn get(self) -> i32 {
            self.a - 7
        }

        fn set(&mut self, a: i32) {
            self.a = a;
        }

        fn clone(&self) -> Own {
            Own { a: self.a + 100 }
        }

        fn len(&self) -> i32 {
            self.a + 70
        }

        fn min(self, other: i32) -> i32 {
            if self.a < other { other } else { self.a }
        }

        fn into(self) -> i32 {
            self.a + 9
        }

        fn then(self) -> i32 {
            self.a / 2
        }

        fn cmp(&self, other: i32) -> i32 {
            self.a - other
        }

        fn take(&mut self) -> i32 {
            self.a += 1;
            self.a
        }

        fn wait(self) -> i32 {
            self.a * 11
        }

        fn swap(&mut self, b: i32) {
            self.a = b;
        }
    }

    oracle! {
        that_search(n) -> i32 {
            let own = Own { a: n };
            let mut out = own.iter().map(3).sum() + own.into_iter();
            if own.iter().any(|x| x > 4) {
                out += 1000;
            }
            if let Some(at) = own.iter().position(2) {
                out += at * 10000;
            }
            out
        }
        that_change(n) -> i32 {
            let mut own = Own { a: n };
            let mut out = own.iter_mut() + own.take() * 100;
            own.swap(4);
            out += own.a * 10000;
            own.set(3);
            if own.contains(&3) {
                out += 1000000;
            }
            out
        }
        that_give_values(n) -> i32 {
            let own = Own { a: n };
            let some = own.expect(2) + own.unwrap() + own.atomic(5) + own.get() + own.clone().a + own.len();
            some * 1000 + own.min(3) + own.into() + own.then() + own.cmp(3) + own.wait()
        }
        that_loops_go_over(n) -> i32 {
            let (own, mut out) = (Own { a: n }, 0);
            for x in own.rev() {
                out = out * 3 + x;
            }
            for (at, x) in own.enumerate() {
                out = out * 3 + x * at;
            }
            for x in own.step_by(2) {
                out = out * 3 + x;
            }
            out
        }
    }

    #[test]
    fn atomic_of_a_shared_struct_is_its_own() {
        let values: Vec<i32> = crate::on_each(8, |on, view| {
            parallel_for_each!((on, view.extent().tile::<4>()), |t| {
                #[tile_static]
                let own: Own;
                #[tile_static]
                let count: i32;
                #[tile_static]
                let counts: [i32; 2];
                if t.local[0] == 0 {
                    own.a = 3 + t.tile[0];
                }
                count.atomic().fetch_add(1);
                counts.atomic(1).fetch_add(10);
                t.barrier.wait();
                view[t] = own.atomic(100) + count + counts[1];
            })
        });
        assert_eq!(values, [344, 344, 344, 344, 444, 444, 444, 444]);
    }
}
