//! `+=` and its like: of a type with a function of its own, at every kind of place.

use tilewise::prelude::*;

use crate::{on_all, on_each};

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Sum {
    sum: i32,
    count: i32,
}

/// Its `+=` is no `a = a + b`.
#[amp]
impl std::ops::AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        self.sum += other.sum;
        self.count += 1;
        while self.count < 3 {
            self.count += 1;
        }
    }
}

#[amp]
impl std::ops::Add for Sum {
    type Output = Sum;
    fn add(self, other: Sum) -> Sum {
        Sum { sum: self.sum + other.sum, count: 100 }
    }
}

#[amp]
impl std::ops::AddAssign<i32> for Sum {
    fn add_assign(&mut self, other: i32) {
        *self = Sum { sum: self.sum * 2 + other, ..*self };
    }
}

#[amp]
impl std::ops::ShlAssign<u32> for Sum {
    fn shl_assign(&mut self, by: u32) {
        self.sum <<= by;
        self.count ^= by as i32;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Pair {
    a: Sum,
    all: [Sum; 3],
}

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Scaled<T> {
    value: T,
}

#[amp]
impl<T: Scalar> std::ops::MulAssign<T> for Scaled<T> {
    fn mul_assign(&mut self, by: T) {
        self.value *= by;
        self.value += T::ONE;
    }
}

#[amp]
fn added(to: &mut Sum, what: Sum) {
    *to += what;
    to.sum -= 1;
}

oracle! {
    an_operator_with_equals_is_the_types_own(n) -> i32 {
        let one = Sum { sum: 1, count: 0 };
        let mut s = Sum { sum: n, count: n };
        s += one;
        s += 5;
        s <<= 2;
        s = s + one;
        let mut p = Pair { a: s, all: [one; 3] };
        p.a += p.a;
        p.all[1] += s;
        p.all[(n % 3) as usize] += 7;
        p.all[2] <<= 1;
        let mut t = (3, s);
        t.1 += one;
        added(&mut t.1, s);
        let mut scaled = Scaled { value: n as f32 };
        scaled *= 1.5;
        let all = p.all[0].sum * 3 + p.all[1].sum * 5 + p.all[2].sum * 7 + p.all[1].count * 11 + p.all[2].count;
        all + s.sum + p.a.sum + p.a.count * 13 + t.1.sum + t.1.count + scaled.value as i32
    }
}

#[test]
fn an_operator_with_equals_changes_elements_of_views() {
    let got = on_all([4], |l, v: &ArrayView<'_, Pair>| {
        parallel_for_each!(l, |i| {
            let one = Sum { sum: 1, count: 0 };
            v[i].a += one;
            v[i].a += 2;
            v[i].all[i[0]] += v[i].a;
            let row = v.section(i, 1);
            row[0].all[2] <<= 3;
            // Out of range: the function runs on zeros, and nothing is written.
            v[i[0] + 4].a += one;
            v[i].all[7 + i[0]] += one;
        })
    });
    let sums = |p: Pair| (p.a.sum, p.a.count, p.all.map(|s| (s.sum, s.count)));
    assert_eq!(sums(got[0]), (4, 3, [(4, 3), (0, 0), (0, 3)]));
    assert_eq!(sums(got[2]), (4, 3, [(0, 0), (0, 0), (32, 0)]));
}

#[test]
fn an_operator_with_equals_changes_tile_static_variables() {
    let got = on_each(4, |on, out: &ArrayView<'_, i32>| {
        parallel_for_each!(on, Extent([4]).tile::<1>(), |t| {
            #[tile_static]
            let sums: [Sum; 2];
            #[tile_static]
            let one: Sum;
            sums[0] = Sum { sum: t.global[0], count: 1 };
            one = Sum { sum: 10, count: 5 };
            one += sums[0];
            sums[0] += one;
            sums[1] = one;
            sums[1] += 1;
            out[t] = sums[0].sum * 1000 + sums[0].count * 100 + sums[1].sum + sums[1].count;
        })
    });
    assert_eq!(got[3], 16_000 + 300 + 27 + 6);
}

#[derive(Clone, Copy, Debug, PartialEq, Default, AmpStruct)]
enum Mode {
    Fast,
    #[default]
    Slow,
}

#[derive(Clone, Copy, Debug, PartialEq, Default, AmpStruct)]
struct Options {
    scale: f32,
    steps: [i32; 3],
    far: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Odd {
    number: i32,
}

/// It runs once, on the host.
impl Default for Odd {
    fn default() -> Odd {
        Odd { number: format!("{}", 71).parse().unwrap_or_default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Even {
    number: i32,
}

#[amp]
impl Default for Even {
    fn default() -> Even {
        Even { number: 4 }
    }
}

#[amp]
fn fresh<T: Scalar + Default>(x: &mut T) -> T {
    let old = std::mem::take(x);
    *x += T::ONE;
    old + T::default()
}

oracle! {
    defaults_are_those_of_rust(n) -> i32 {
        let mut options = Options { scale: 2.5, ..Default::default() };
        options.steps[1] = n;
        let before = std::mem::take(&mut options);
        let steps = core::mem::take(&mut options.steps);
        let mut number = n;
        let old = fresh(&mut number);
        let mut odd = Odd::default();
        odd.number += n;
        let mut even: Even = Default::default();
        even.number += std::mem::take(&mut odd).number;
        let mode: Mode = std::default::Default::default();
        let pair = <(i32, bool)>::default();
        let none: Option<i32> = Default::default();
        let x: f32 = Default::default();
        let all = before.steps[1] * 3 + before.scale as i32 + steps[1] + options.far as i32 + old * 5 + number * 7;
        let flags = (mode == Mode::Slow) as i32 + pair.1 as i32 + pair.0 + none.is_none() as i32 * 2;
        all + odd.number * 11 + even.number * 13 + flags + (x + f32::default()) as i32
    }
}
