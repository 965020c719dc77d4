//! Patterns: the same on `native`, `reference` and `jit` as in plain Rust.

use super::*;

#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct Spot {
    x: i32,
    y: i32,
}
#[derive(Clone, Copy, Debug, PartialEq, AmpStruct)]
struct T2(i32, i32, i32);
#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Dot,
    Disc(i32),
    Box { w: i32, h: i32 },
    Pair(Spot, bool),
}
#[derive(Clone, Copy, AmpStruct)]
enum Either<A, B> {
    Left(A),
    Right(B),
}
#[amp]
impl Shape {
    fn area(&self) -> i32 {
        match self {
            Shape::Dot => 0,
            Shape::Disc(r) => 3 * *r * *r,
            Self::Box { w, h } => *w * *h,
            Shape::Pair(Spot { x, .. }, true) => *x,
            Shape::Pair(p, false) => p.y,
        }
    }
    fn grow(&mut self, by: i32) {
        match self {
            Shape::Disc(r) => *r += by,
            Shape::Box { w, .. } => {
                *w *= by;
            }
            _ => {}
        }
    }
}
#[amp]
fn make(n: i32) -> Shape {
    match n % 5 {
        0 => Shape::Dot,
        1 => Shape::Disc(n),
        2 => Shape::Box { h: n, w: 2 },
        3 => Shape::Pair(Spot { x: n, y: -n }, true),
        _ => Shape::Pair(Spot { x: n, y: -n }, false),
    }
}
#[amp]
fn half(n: i32) -> Option<i32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}
#[amp]
fn quarter(n: i32) -> Option<i32> {
    let h = half(n)?;
    Some(half(h)? + 100)
}
#[amp]
fn whole(Spot { x, y }: Spot, (a, [b, ..]): (i32, [i32; 3])) -> i32 {
    x * 1000 + y * 100 + a * 10 + b
}
mod limits {
    pub const LIMIT: i32 = 4;
}
const NEVER: Option<i32> = Some(3);
oracle! {
    structs(n) -> i32 { let Spot { x, y: z } = Spot { x: n, y: 2 * n }; let T2(a, .., c) = T2(n, 5, 7); x + 10 * z + 100 * a + c }
    arrays(n) -> i32 { let [a, b] = [n, 3]; let [first, rest @ .., last] = [1, n, 3, 4]; a * 100 + b + first + rest[0] * 7 + rest[1] + last }
    ats(n) -> i32 { match n { x @ 1..=3 => x * 2, x @ (5 | 7) => -x, all @ _ => all } }
    iflet(n) -> i32 { if let Some(x) = half(n) { x } else { -1 } }
    chain(n) -> i32 { if n > 2 && let Some(x) = half(n) && x != 3 && let Spot { x: q, .. } = (Spot { x, y: 1 }) { q + 50 } else if let None = half(n) { 7 } else { -1 } }
    chain_without_else(n) -> i32 { let mut r = 0; if n > 2 && let Some(x) = half(n) && x != 3 { r = x; } r }
    letelse(n) -> i32 { let Some(x) = half(n) else { return -5 }; let (1..=3, y) = (x, n) else { return -6 }; x * y }
    whilelet(n) -> i32 { let mut k = n * 4; let mut steps = 0; while let Some(h) = half(k) { k = h; steps += 1; if k == 0 { break; } } steps * 1000 + k }
    whilechain(n) -> i32 { let mut k = n * 64; let mut steps = 0; 'a: while steps < 4 && let Some(h) = half(k) && h != 6 { k = h; steps += 1; if steps == 2 { continue 'a; } k += 2; } steps * 1000 + k }
    question(n) -> i32 { match quarter(n) { Some(q) => q, None => -1 } }
    shapes(n) -> i32 { let mut s = make(n); let a = s.area(); s.grow(3); a * 100 + s.area() }
    nested_or(n) -> i32 { match (half(n), n) { (Some(x @ (1 | 2)), y) | (Some(y), x @ 6..=8) => x * 10 + y, (None, 1 | 3) => -1, _ => -2 } }
    generic(n) -> i32 { let e = if n < 5 { Either::Left(n) } else { Either::Right(n as f32 * 0.5) }; match e { Either::Left(a) => a, Either::Right(b) if b > 4.0 => b as i32, Either::Right(_) => -1 } }
    consts(n) -> i32 { match half(n) { NEVER => 9, Some(limits::LIMIT) => 8, Option::None => 7, ::core::option::Option::Some(x) => x } }
    params(n) -> i32 { whole(Spot { x: n, y: 2 }, (3, [4, 5, 6])) }
    refs(n) -> i32 { let mut x = n; let p = &mut x; *p += 1; *p *= 2; let q = &x; *q + 1 }
    mutlet(n) -> i32 { let mut o = half(n); if let Some(x) = &mut o { *x += 100; } match o { Some(x) => x, None => 0 } }
    guards(n) -> i32 { match make(n) { Shape::Disc(r) if r > 5 => r + 7, Shape::Disc(r) => -r, Shape::Box { w, h } if w > h => 1, Shape::Pair(Spot { x: 3, .. }, _) => 33, _ => 2 } }
    optional_loop(n) -> i32 { let mut best = None; for i in 0..n { if i * i % 7 == 2 { best = Some(i); } } if let Some(b) = best { b } else { -1 } }
    nested_option(n) -> i32 { let x = if n == 0 { None } else if n < 6 { Some(None) } else { Some(Some(n)) }; match x { None => 0, Some(None) => 1, Some(Some(y)) => y } }
}

/// Of the name of one in the module, which a kernel used to find ambiguous.
#[derive(Clone, Copy, AmpStruct)]
struct Pair(i32, i32);

#[test]
fn a_tuple_struct_of_a_function_hides_that_of_its_module() {
    #[derive(Clone, Copy, AmpStruct)]
    struct Pair(i32, i32, i32);
    let r = on_all([3], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let Pair(a, b, c) = Pair(i[0], 2, 3);
            out[i] = a * 100 + b * 10 + c;
        })
    });
    assert_eq!(r, [23, 123, 223]);
}

/// `Some` and `None` of another type, which has them the other way round.
mod own {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    pub(super) enum Option<T> {
        Some(T),
        None,
    }
    pub(super) use self::Option::{None as Some, Some as None};

    #[amp]
    pub(super) fn kind(n: i32) -> i32 {
        let x = if n > 1 { None(n) } else { Some };
        match x {
            Some => -1,
            None(k) => k,
        }
    }
}

#[test]
fn names_of_variants_are_those_that_rustc_finds() {
    let r = on_all([4], |l, out: &ArrayView<'_, i32>| parallel_for_each!(l, |i| out[i] = own::kind(i[0])));
    assert_eq!(r, [-1, -1, 2, 3]);
}

#[test]
fn options_and_enums_are_captured() {
    let (some, none, shape) = (Some(7), None::<i32>, Shape::Box { w: 3, h: 4 });
    let r = on_all([2], |l, out: &ArrayView<'_, i32>| {
        parallel_for_each!(l, |i| {
            let chosen = if i[0] == 0 { some } else { none };
            out[i] = match (chosen, shape) {
                (Some(x), Shape::Box { w, h }) => x * 100 + w * 10 + h,
                (None, Shape::Box { h, .. }) => -h,
                _ => 0,
            };
        })
    });
    assert_eq!(r, [734, -4]);
}
