//! Methods of `Option`, methods of numbers that return one, and functions of the standard library:
//! as in plain Rust.

use std::{cmp, mem};

use super::*;

#[amp]
fn half(n: i32) -> Option<i32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
enum Layer {
    Cellar = -3,
    Ground,
    Roof = 9,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
#[repr(u32)]
enum Far {
    Near = 5,
    Away = 4_000_000_000,
}

#[amp]
fn layer(n: i32) -> Layer {
    match n % 3 {
        0 => Layer::Ground,
        1 => Layer::Roof,
        _ => Layer::Cellar,
    }
}

oracle! {
    questions(n) -> i32 { let h = half(n); h.is_some() as i32 + h.is_none() as i32 * 2 + h.is_some_and(|x| x > 2) as i32 * 4 }
    defaults(n) -> i32 { half(n).unwrap_or(-1) * 100 + half(n).or(Some(7)).unwrap_or(0) + half(n).map_or(5, |x| x * 3) }
    lazy_defaults(n) -> i32 { let mut calls = 0; let x = half(n).unwrap_or_else(|| { calls += 1; n * 10 }); x * 10 + calls }
    mapped(n) -> i32 { match half(n).map(|x| x as f32 + 0.5).and_then(|y| if y > 2.0 { Some(y * 2.0) } else { None }) { Some(z) => z as i32, None => -1 } }
    returns_in_closures(n) -> i32 { half(n).map(|x| { if x > 3 { return x * 100; } x }).unwrap_or(-9) }
    equal(n) -> i32 { (half(n) == Some(2)) as i32 + (half(n) != None) as i32 * 2 + (half(n).map(|x| x as f32) == half(n + 1).map(|x| x as f32)) as i32 * 4 }
    checked(n) -> i32 {
        let big = i32::MAX - 5;
        let mut s = 0;
        if let Some(x) = big.checked_add(n) { s += x - big; } else { s -= 1; }
        s = s * 3 + (n as u32).checked_sub(4).unwrap_or(99) as i32;
        s = s * 3 + (1i64 << 60).checked_mul(n as i64).map_or(-1, |x| (x >> 60) as i32);
        s = s * 3 + 100i32.checked_div(n - 3).unwrap_or(-7) + 100i32.checked_rem(n - 4).unwrap_or(-8);
        s = s * 3 + i32::MIN.checked_div(n - 6).map_or(1, |x| x / 1000) + i32::MIN.checked_rem(n - 6).map_or(2, |x| x);
        s + 7u64.checked_div(n as u64).is_none() as i32
    }
    swapped(n) -> i32 {
        let (mut a, mut b) = (P { x: n, y: 1 }, P { x: 2, y: 3 });
        mem::swap(&mut a, &mut b);
        std::mem::swap(&mut a.x, &mut b.y);
        let old = mem::replace(&mut b.x, 50);
        let last = core::mem::replace(&mut a, P { x: 9, y: old });
        a.x + a.y * 10 + b.x * 100 + b.y + last.x * 7 + last.y
    }
    swapped_references(n) -> i32 { let (mut a, mut b) = (n, 5); { let p = &mut a; mem::swap(p, &mut b); *p += 1; } a * 100 + b }
    least_and_greatest_of_enums(n) -> i32 {
        let (a, b) = (layer(n), layer(n * 5 + 1));
        let both = cmp::max(a, b) as i32 * 10 + std::cmp::min(a, b) as i32;
        let far = cmp::max(Far::Near, if n > 3 { Far::Away } else { Far::Near }) as u32 as i32;
        let order = cmp::min(n.cmp(&5), cmp::Ordering::Equal) as i32 + cmp::max(n.cmp(&7), cmp::Ordering::Less) as i32 * 10;
        let truth = cmp::max(n > 3, n < 2) as i32 + cmp::min(n > 3, n < 8) as i32 * 2;
        both * 1000 + far % 100 + order * 7 + truth
    }
    least_and_greatest(n) -> i32 { cmp::max(n, 5) * 100 + std::cmp::min(n, 3) + std::cmp::max(n as u32, 7u32) as i32 }
    converted(n) -> i32 { let wide: i64 = n.into(); let f: f64 = n.into(); let t: u32 = (n > 3).into(); (wide * 2) as i32 + f as i32 + t as i32 }
}

#[test]
fn usize_has_the_width_of_a_kernel() {
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let n = i[0] as usize;
            let big = usize::MAX - 1;
            out[i] = match big.checked_add(n) {
                Some(x) => (x - big) as i32,
                None => -1,
            };
        })
    });
    assert_eq!(r, [0, 1, -1, -1]);
}

/// Its `max` is its least.
#[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
enum Falling {
    High,
    Low,
}

impl PartialOrd for Falling {
    fn partial_cmp(&self, other: &Falling) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Falling {
    fn cmp(&self, other: &Falling) -> cmp::Ordering {
        (*other as i32).cmp(&(*self as i32))
    }
}

#[test]
fn the_greatest_of_an_enum_with_an_order_by_hand_is_refused() {
    for target in ["reference", "jit"] {
        let on = Accelerator::new(target).unwrap().default_view();
        let out = ArrayView::from_vec(1, vec![0]).unwrap();
        let launched = parallel_for_each!(&on, Extent([1]), |i| {
            out[i] = cmp::max(Falling::High, Falling::Low) as i32;
        });
        let told = launched.unwrap_err().to_string();
        assert!(told.contains("K0704") && told.contains("`Falling` is ordered otherwise"), "{target}: {told}");
    }
}
