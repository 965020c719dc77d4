//! Tuples whose parts are references, and what patterns find in them: `match (self, other)`.

use super::*;

#[derive(Clone, Copy, AmpStruct)]
enum Kind {
    Count(i32),
    Span { from: i32, to: i32 },
    Nothing,
}

#[derive(Clone, Copy, AmpStruct)]
struct Sized {
    kind: Kind,
    size: Option<i32>,
    flags: (bool, u8),
}

#[amp]
impl Kind {
    fn of(i: i32) -> Kind {
        match i % 4 {
            0 => Kind::Count(i),
            1 => Kind::Span { from: i, to: 2 * i + 1 },
            2 => Kind::Count(-i),
            _ => Kind::Nothing,
        }
    }

    fn same(&self, other: &Self) -> bool {
        matches!((self, other), (Kind::Count(_), Kind::Count(_)) | (Kind::Nothing, Kind::Nothing))
    }

    fn sum(&self, other: &Kind) -> i32 {
        match (self, other) {
            (Kind::Count(x), Kind::Count(y)) => x + y,
            (Kind::Count(x), Kind::Span { from, to }) if *x > *from => *x * 10 + to - from,
            (Kind::Span { from: a, .. }, Kind::Span { to: b, .. }) => *a * 100 + *b,
            (Kind::Nothing, other) | (other, Kind::Nothing) => match other {
                Kind::Count(n) => *n * 1000,
                _ => -1,
            },
            (_, _) => -2,
        }
    }

    fn beside(&self, n: i32) -> i32 {
        match (self, n) {
            (Kind::Count(x), 0) => *x,
            (Kind::Count(x), k @ 1..=3) => x * k,
            (Kind::Span { from, to }, mut k) => {
                k += from;
                k * *to
            }
            (_, k) => -k,
        }
    }
}

#[amp]
impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Count(a), Kind::Count(b)) => a == b,
            (Kind::Span { from: a, to: b }, Kind::Span { from: c, to: d }) => a == c && *b == *d,
            (Kind::Nothing, Kind::Nothing) => true,
            _ => false,
        }
    }
}

#[amp]
impl PartialOrd for Kind {
    fn partial_cmp(&self, other: &Kind) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Kind::Count(a), Kind::Count(b)) => a.partial_cmp(b),
            (Kind::Nothing, Kind::Count(_)) => Some(std::cmp::Ordering::Less),
            (Kind::Count(_), Kind::Nothing) => Some(std::cmp::Ordering::Greater),
            _ => None,
        }
    }
}

#[amp]
impl Sized {
    fn of(i: i32) -> Sized {
        Sized { kind: Kind::of(i), size: if i % 3 == 0 { None } else { Some(i) }, flags: (i % 2 == 0, i as u8) }
    }

    fn both(&self, other: &Sized) -> i32 {
        let Sized { size: Some(a), .. } = self else { return -1 };
        if let (Some(a), Some(b)) = (self.size, other.size) {
            return a * 10 + b;
        }
        if let (Some(a), None) = (&self.size, &other.size) { *a } else { 5 }
    }

    fn sizes(&self, other: &Sized) -> i32 {
        let (Sized { size: Some(a), .. }, Sized { size: Some(b), flags: (_, f), .. }) = (self, other) else {
            return -7;
        };
        a * 10 + *b + *f as i32
    }

    fn kinds(&self, other: &Kind) -> i32 {
        match (self, other) {
            (Sized { size: Some(3), .. }, Kind::Count(_)) => 1,
            (Sized { kind: Kind::Count(n), flags: (true, _), .. }, Kind::Count(m)) => n * m,
            (Sized { kind: Kind::Nothing, .. }, _) => 4,
            (Sized { flags: (even, byte), .. }, Kind::Nothing) => {
                if *even {
                    *byte as i32
                } else {
                    -5
                }
            }
            _ => 6,
        }
    }
}

#[amp]
fn in_inner_tuple(a: &mut Option<i32>, b: &Option<i32>, c: Option<Kind>) -> i32 {
    match (a, (*b, c)) {
        (Some(x), (y, None)) => {
            *x += 1;
            *x + y.unwrap_or(2)
        }
        (_, (None, _)) => 5,
        _ => 6,
    }
}

#[amp]
fn either_option(a: &Option<i32>, b: &Option<i32>) -> i32 {
    match (a, b) {
        (None, Some(_)) => 1,
        (Some(x), Some(y)) if x > y => *x - *y,
        (Some(x), Some(y)) => x * y,
        (Some(x), None) => *x,
        (None, None) => 0,
    }
}

#[amp]
fn in_a_tuple(a: &Option<i32>, b: &Kind, c: i32) -> i32 {
    match ((a, c), b) {
        ((Some(x), 1), Kind::Count(n)) => x + n,
        ((Some(x), k), Kind::Span { from, .. }) => *x * k - *from,
        ((None, k), _) => k,
        (_, Kind::Nothing) => 70,
        ((x, _), _) => x.unwrap_or(3),
    }
}

#[amp]
fn with_rest(a: &Kind, b: i32, c: &Option<i32>) -> i32 {
    match (a, b, c) {
        (Kind::Count(x), .., Some(y)) => x - y,
        (.., None) => 9,
        (Kind::Span { from, to }, ..) => from * to,
        _ => 8,
    }
}

#[amp]
fn of_numbers(x: &i32, y: &bool, z: &f32) -> i32 {
    match (x, y, z) {
        (0, true, _) => 1,
        (n @ 1..=2, false, _) => *n,
        (_, true, w) if *w > 3.0 => 4,
        (n, ..) => n + 7,
    }
}

#[amp]
fn add_to(a: &mut Option<i32>, b: &Option<i32>) -> bool {
    match (a, b) {
        (Some(x), Some(y)) => {
            *x += *y;
            true
        }
        (a @ None, Some(y)) => {
            *a = Some(*y);
            false
        }
        _ => false,
    }
}

#[amp]
fn forms<T: Scalar>(a: &Option<T>, b: &Result<T, u8>) -> u32 {
    match (a, b) {
        (Some(_), Ok(_)) => 1,
        (None, Err(code)) => u32::from(*code),
        (Some(_), Err(_)) => 2,
        (None, Ok(_)) => 3,
    }
}

#[amp]
fn greater(x: &i32, y: &i32) -> i32 {
    let either = x.min(y) + x.max(&2);
    *x.max(y) * 10 + either
}

#[amp]
fn greater_beside(x: &i32, kind: &Kind) -> i32 {
    match (x.max(&3), kind) {
        (3, Kind::Count(n)) => *n,
        (n, _) => *n + 1,
    }
}

#[amp]
fn lesser(x: &u8, y: &u8) -> u8 {
    *x.min(y)
}

#[amp]
fn nothing_else(o: Option<i32>) -> i32 {
    let None = ({
        let z: Option<i32> = o;
        z
    }) else {
        return 2;
    };
    let None = o else { return 3 };
    let (n, None) = (3, o) else { return 3 };
    n + 1
}

same! {
    methods_on_two_references: i32, |i| {
        let mut s = 0;
        for j in 0..6 {
            let (a, b) = (Kind::of(i), Kind::of(j));
            s = s * 3 + a.sum(&b) + i32::from(a.same(&b)) + a.beside(j) * 2;
        }
        s
    }

    comparisons_by_hand: i32, |i| {
        let mut s = 0;
        for j in 0..6 {
            let (a, b) = (Kind::of(i), Kind::of(j));
            s = s * 4 + i32::from(a == b) + 2 * i32::from(a < b);
        }
        s
    }

    structs_behind_references: i32, |i| {
        let mut s = 0;
        for j in 0..6 {
            let (a, b) = (Sized::of(i), Sized::of(j));
            s = s * 5 + a.both(&b) + a.sizes(&b) * 3 + a.kinds(&b.kind) * 7;
        }
        s
    }

    functions_of_references: i32, |i| {
        let mut s = 0;
        for j in 0..5 {
            let a = if i % 3 == 0 { None } else { Some(i) };
            let b = if j % 2 == 0 { Some(j) } else { None };
            let mut n = b;
            s = s * 3 + in_inner_tuple(&mut n, &a, if i > j { None } else { Some(Kind::of(j)) }) + n.unwrap_or(0);
            s = s * 7 + either_option(&a, &b) + in_a_tuple(&b, &Kind::of(i), j) + with_rest(&Kind::of(j), j, &a);
            s += of_numbers(&(i - 1), &(j > 2), &(j as f32 + 0.5));
        }
        s
    }

    references_that_change_their_targets: i32, |i| {
        let mut a = if i % 2 == 0 { Some(i) } else { None };
        let b = if i > 3 { None } else { Some(10) };
        let changed = add_to(&mut a, &b);
        let mut n = 4;
        let mut k = Kind::of(i);
        match (&mut n, &mut k, i) {
            (n, Kind::Count(x), 0..=2) => {
                *n += 5;
                *x += *n;
            }
            (n, Kind::Span { to, .. }, i) => {
                *to *= 2;
                *n = i;
            }
            (n, _, _) => *n = 0,
        }
        let (p, q) = (&mut n, &b);
        *p += q.unwrap_or(1);
        a.unwrap_or(-1) * 100 + i32::from(changed) * 50 + k.sum(&Kind::Count(1)) + n
    }

    closures_and_names: i32, |i| {
        let (a, b) = (Kind::of(i), Kind::of(i + 2));
        let both = |x: &Kind, y: &Kind| match (x, y) {
            (Kind::Count(x), Kind::Count(y)) => *x - *y,
            _ => 100,
        };
        let one = |x: &Kind, n: i32| matches!((x, n), (Kind::Count(_), 2) | (Kind::Nothing, _));
        let (x, y) = (&a, &b);
        let (z, w) = (x, 3);
        let t = (x, y, w);
        let named = match t {
            (Kind::Count(x), Kind::Count(y), n) => x + *y + n,
            (_, Kind::Nothing, n) => n,
            _ => 12,
        };
        let around = (t, z, 4);
        let within = match around.0 {
            (Kind::Count(x), Kind::Span { to, .. }, _) => *x - *to,
            (Kind::Nothing, ..) => 40,
            (_, _, n) => n,
        };
        let (inner, other, four) = around;
        let parts = match (inner, other) {
            ((Kind::Count(x), ..), Kind::Count(y)) => *x * *y,
            ((_, _, k), _) => k + four,
        };
        let chosen = if i > 2 { (x, y) } else { (y, x) };
        let of_chosen = match chosen {
            (Kind::Count(a), Kind::Count(b)) => a * 10 + b,
            (Kind::Nothing, _) => 60,
            _ => 61,
        };
        both(x, y) + within * 11 + parts * 13 + of_chosen * 17 + i32::from(one(z, i)) * 1000 + named * 7 + t.0.sum(t.1) * 3
    }

    items_in_tuples: i32, |i| {
        let kinds = [Kind::of(i), Kind::of(3), Kind::of(i + 1)];
        let mut sizes = [Some(1), None, Some(i)];
        let mut s = 0;
        for (kind, size) in kinds.iter().zip(sizes.iter_mut()) {
            match (kind, size) {
                (Kind::Count(n), Some(k)) => *k += *n,
                (Kind::Nothing, size @ None) => *size = Some(50),
                (_, Some(k)) => s += *k,
                _ => s += 9,
            }
        }
        for (k, kind) in kinds.iter().enumerate() {
            s = s * 3 + match (k, kind) {
                (0, Kind::Count(n)) => *n,
                (k, Kind::Count(n)) => n * k as i32,
                (1..=2, _) => 2,
                _ => 5,
            };
        }
        s += kinds.iter().zip(&sizes).map(|(kind, size)| match (kind, size) {
            (Kind::Count(n), Some(k)) => n * k,
            (_, k) => k.unwrap_or(4),
        }).sum::<i32>();
        s
    }

    choices_of_references: i32, |i| {
        let largest = |x: &i32, y: &i32| *x.max(y) * 10 + *y.min(&2);
        greater(&i, &3) * 100 + greater_beside(&i, &Kind::of(i + 1)) * 7 + largest(&i, &4) + i32::from(lesser(&(i as u8), &4))
    }

    generic_parts: u32, |i| {
        let a = if i % 2 == 0 { Some(i) } else { None };
        let b = if i % 3 == 0 { Ok(i) } else { Err(i as u8) };
        forms(&a, &b) + 10 * forms(&Some(2.5f32), &Err(7))
    }

    nothing_else_in_a_let_else: i32, |i| {
        let o = if i % 2 == 0 { Some(i) } else { None };
        let get = |i: i32| {
            let o = if i > 5 { Some(i) } else { None };
            let None = o else { return 5 };
            6
        };
        let then = (i > 3).then(|| {
            let o = if i > 4 { Some(i) } else { None };
            let None = o else { return 5 };
            6
        });
        let is = |k: Kind| {
            let Kind::Nothing = k else { return 1 };
            2
        };
        get(i + 3) * 10 + then.unwrap_or(1) + is(Kind::of(i)) * 100 + nothing_else(o) * 1000
    }
}
