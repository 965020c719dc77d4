//! Orders and equality of types of the program's own, and `Ordering`.

use std::cmp::Ordering;

use tilewise::prelude::*;

use crate::{on_all, on_each};

#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
struct Body {
    place: [i32; 2],
    level: Level,
    mass: f32,
}

#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
enum Placed {
    Nowhere(Level, Level),
    At([u32; 2], Reach),
}

/// Its numbers are not in the order of zero first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
#[repr(u32)]
enum Reach {
    Near = 2,
    Off = 5,
    Gone = 0xffff_fff0,
}

/// Compared as it is derived.
#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
struct Version {
    major: i32,
    parts: [[u32; 2]; 2],
    weight: f32,
}

#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
struct Named(Version, u32);

#[amp]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
enum Shape {
    Dot,
    Disc(f32),
    Box { width: f32, height: i32 },
    Named(u32, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, AmpStruct)]
enum Level {
    Low = -4,
    High = 7,
    Top = 9,
}

/// Ordered by the distance from zero; what is infinite has no order.
#[derive(Clone, Copy, Debug, AmpStruct)]
struct Far(f32);

#[amp]
impl PartialEq for Far {
    fn eq(&self, other: &Far) -> bool {
        self.0.abs() == other.0.abs()
    }
}

#[amp]
impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Far) -> Option<Ordering> {
        if self.0.is_infinite() || other.0.is_infinite() {
            return None;
        }
        self.0.abs().partial_cmp(&other.0.abs())
    }
}

/// With a number.
#[amp]
impl PartialEq<i32> for Far {
    fn eq(&self, other: &i32) -> bool {
        self.0 == *other as f32
    }
}

#[amp]
impl PartialOrd<i32> for Far {
    fn partial_cmp(&self, other: &i32) -> Option<Ordering> {
        self.0.partial_cmp(&(*other as f32))
    }
}

#[amp]
fn between<T: Scalar>(x: T, low: T, high: T) -> i32 {
    match (x.partial_cmp(&low), x.partial_cmp(&high)) {
        (Some(Ordering::Less), _) => 1,
        (_, Some(Ordering::Greater)) => 2,
        (None, _) => 3,
        _ => 4,
    }
}

oracle! {
    numbers_of_any_type_are_compared(n) -> i32 {
        let x = if n == 5 { 0.0 / 0.0 } else { n as f32 };
        between(n, 2, 7) + between(x, 2.0, 7.5) * 10 + between(n as u64, 3, 4) * 100
    }

    derived_orders_are_those_of_rust(n) -> i32 {
        let a = Version { major: 2, parts: [[1, 2], [3, 4]], weight: 0.5 };
        let b = match n {
            0 => a,
            1 => Version { major: 3, ..a },
            2 => Version { parts: [[1, 2], [3, 3]], weight: 9.0, ..a },
            3 => Version { parts: [[1, 3], [0, 0]], ..a },
            4 => Version { weight: -0.5, ..a },
            5 => Version { weight: 0.0 / 0.0, ..a },
            6 => Version { weight: 0.0 / 0.0, major: 1, ..a },
            _ => Version { weight: n as f32, ..a },
        };
        let (x, y) = (Named(a, 5), Named(b, if n % 2 == 0 { 5 } else { 4 }));
        let lows = (a < b) as i32 + (a <= b) as i32 * 2 + (a > b) as i32 * 4 + (a >= b) as i32 * 8 + (a == b) as i32 * 16 + (a != b) as i32 * 32;
        let highs = (x < y) as i32 + (x <= y) as i32 * 2 + (x > y) as i32 * 4 + (x >= y) as i32 * 8 + (x == y) as i32 * 16 + (x != y) as i32 * 32;
        lows + highs * 64
    }

    derived_orders_with_arrays_first_and_enums_without_fields(n) -> i32 {
        let level = |n: i32| if n % 2 == 0 { Level::Low } else { Level::High };
        let far = |n: i32| match n % 3 { 0 => Reach::Near, 1 => Reach::Off, _ => Reach::Gone };
        let body = |n: i32| Body { place: [1, n / 8], level: level(n), mass: n as f32 };
        let placed = |n: i32| if n % 4 == 0 { Placed::Nowhere(level(n), level(n + 1)) } else { Placed::At([3, 4], far(n)) };
        let mut sum = 0;
        for k in 0..12 {
            let (a, b, x, y) = (body(n), body(k), placed(n), placed(k));
            let bodies = (a == b) as i32 + (a < b) as i32 * 2 + (a >= b) as i32 * 4;
            let placeds = (x == y) as i32 + (x <= y) as i32 * 2 + (x > y) as i32 * 4;
            let levels = match a.level.partial_cmp(&b.level) { Some(order) => order as i32 + 1, None => 7 };
            let fars = match far(n).partial_cmp(&far(k)) { Some(order) => order as i32 + 1, None => 7 };
            sum = sum * 3 % 1000003 + bodies + placeds * 8 + levels * 64 + fars * 512;
        }
        sum
    }

    derived_orders_of_enums_are_those_of_rust(n) -> i32 {
        let one = |n: i32| match n % 6 {
            0 => Shape::Dot,
            1 => Shape::Disc(1.5),
            2 => Shape::Box { width: 1.0, height: 2 },
            3 => Shape::Box { width: 1.0, height: 3 },
            4 => Shape::Named(3, true),
            _ => Shape::Named(3, false),
        };
        let level = |n: i32| match n % 3 {
            0 => Level::Low,
            1 => Level::High,
            _ => Level::Top,
        };
        let mut sum = 0;
        for k in 0..6 {
            let (a, b) = (one(n), one(k));
            sum = sum * 7 + (a < b) as i32 + (a <= b) as i32 * 2 + (a >= b) as i32 * 4 + (a == b) as i32 * 8;
            let (a, b) = (level(n), level(k));
            sum = sum * 3 + (a < b) as i32 + (a >= b) as i32 * 2;
        }
        sum
    }

    orders_of_the_programs_own_are_called(n) -> i32 {
        let value = |n: i32| match n {
            0 => Far(0.0),
            1 => Far(-2.0),
            2 => Far(2.0),
            3 => Far(1.0 / 0.0),
            4 => Far(0.0 / 0.0),
            _ => Far(-3.5),
        };
        let mut sum = 0;
        for k in 0..6 {
            let (a, b) = (value(n), value(k));
            sum = sum * 5 + (a < b) as i32 + (a <= b) as i32 * 2 + (a > b) as i32 * 4 + (a >= b) as i32 * 8 + (a == b) as i32 * 16;
            sum += (a < k) as i32 * 3 + (a >= k) as i32 * 6;
            let order = match a.partial_cmp(&b) {
                Some(Ordering::Less) => 1,
                Some(Ordering::Equal) => 2,
                Some(_) => 3,
                None => 4,
            };
            sum = sum * 3 + order;
        }
        sum
    }

    numbers_are_compared_by_method(n) -> i32 {
        let (x, y) = (n as f32 - 4.0, if n == 7 { 0.0 / 0.0 } else { 1.0 });
        let order = x.partial_cmp(&y);
        let whole = n.cmp(&5);
        let small = (n as u8).cmp(&7).reverse();
        let truths = (n > 4).cmp(&(n < 9));
        let both = whole.then(small);
        let wide = (n as u64 * 0x1_0000_0000).partial_cmp(&0x5_0000_0000);
        let mut sum = order.is_none() as i32 + (order == Some(Ordering::Less)) as i32 * 2 + (order != wide) as i32 * 4;
        sum = sum * 8 + whole.is_lt() as i32 + whole.is_le() as i32 * 2 + whole.is_eq() as i32 * 4;
        sum = sum * 8 + small.is_gt() as i32 + small.is_ge() as i32 * 2 + small.is_ne() as i32 * 4;
        sum = sum * 8 + (both < Ordering::Equal) as i32 + (truths == Ordering::Less) as i32 * 2;
        let line = [Ordering::Less, Ordering::Greater, Ordering::Equal];
        sum * 4 + line[(n % 3) as usize] as i32 + 1
    }
}

#[test]
fn an_order_is_captured_and_elements_are_compared() {
    let (wanted, limit) = (Ordering::Greater, Version { major: 1, parts: [[0; 2]; 2], weight: 0.0 });
    let all: Vec<Version> = (0..4).map(|n| Version { major: n, ..limit }).collect();
    let got = on_all([4], |l, v: &ArrayView<'_, i32>| {
        let all = ArrayView::read_only(4, &all)?;
        parallel_for_each!(l, |i| {
            v[i] = (all[i].partial_cmp(&limit) == Some(wanted)) as i32 + (all[i] > limit) as i32 * 2;
        })
    });
    assert_eq!(got, [0, 0, 3, 3]);
}
