//! Iterators as arguments of `#[amp]` functions: inlined, as closures are.

use super::*;

#[amp]
fn total(items: impl Iterator<Item = i32>) -> i32 {
    items.sum()
}

#[amp]
fn greatest<I: Iterator<Item = i32>>(items: I, least: i32) -> i32 {
    let mut most = least;
    for x in items {
        if x > most {
            most = x;
        }
    }
    most
}

#[amp]
fn mean<T: Scalar, I>(items: I, count: T) -> T
where
    I: Iterator<Item = T>,
{
    items.fold(T::ZERO, |s, x| s + x) / count
}

#[amp]
fn dot<'a>(a: impl Iterator<Item = &'a i32>, b: impl Iterator<Item = i32>) -> i32 {
    a.zip(b).map(|(x, y)| x * y).sum()
}

#[amp]
fn two(mut items: impl Iterator<Item = i32>) -> i32 {
    let first = items.next().unwrap_or(-1);
    let second = items.next().unwrap_or(-2);
    first * 10 + second + items.count() as i32 * 100
}

#[amp]
fn backwards(items: impl DoubleEndedIterator<Item = i32>) -> i32 {
    items.rev().fold(0, |s, x| s * 3 + x)
}

#[amp]
fn filtered(items: impl Iterator<Item = i32>, f: impl Fn(i32) -> bool) -> i32 {
    total(items.filter(|x| f(*x)))
}

#[amp]
fn hash(items: impl Iterator<Item = u8>) -> u32 {
    let mut h = 2_166_136_261_u32;
    for byte in items {
        h = (h ^ u32::from(byte)).wrapping_mul(16_777_619);
    }
    h
}

#[derive(Clone, Copy, AmpStruct)]
struct Bag {
    sum: i32,
}

#[amp]
trait Filled {
    fn fill<I: Iterator<Item = i32>>(&mut self, items: I);
}

#[amp]
impl Filled for Bag {
    fn fill<I: Iterator<Item = i32>>(&mut self, items: I) {
        for x in items {
            self.sum += x;
        }
    }
}

#[amp]
impl Bag {
    fn of(items: impl Iterator<Item = i32>) -> Bag {
        Bag { sum: items.product() }
    }
}

same! {
    iterators_are_handed_on: i32, |i| {
        let a = [3, 1, 4, 1, 5, i];
        let mut s = total(a.iter().copied());
        s = s * 3 + total(0..i);
        s = s * 3 + total(1..=i);
        s = s * 3 + total(a.iter().map(|x| x * i).filter(|x| x % 2 == 0));
        s = s * 3 + greatest(a.into_iter(), 2);
        s = s * 3 + greatest((0..i).rev().step_by(2), -5);
        s = s * 3 + dot(a.iter(), (1..).take(4));
        s = s * 3 + two(a.iter().copied().skip(1));
        s = s * 3 + two(0..i);
        s = s * 3 + backwards(a.iter().copied());
        s = s * 3 + filtered(a.iter().copied(), |x| x > i);
        let named = a.iter().map(|x| x + 1);
        s = (s * 3 + total(named)) % 100_003;
        let mut it = a.iter().copied();
        let first = it.next().unwrap_or(0);
        s + first + total(it) * 1000
    }

    generic_and_nested: f32, |i| {
        let a = [1.5_f32, 2.5, i as f32];
        let rows = [[1, 2, 3], [4, 5, i]];
        let nested = total(rows.iter().map(|row| total(row.iter().copied())));
        let mut calls = 0;
        let counted = total((0..4).map(|x| { calls += 1; x * i }));
        let mut bag = Bag::of(1..4);
        bag.fill(rows[1].iter().copied());
        bag.fill(0..i);
        mean(a.iter().copied(), 3.0) + mean((0..3).map(|x| x as f32), 3.0) + nested as f32 + (counted + calls + bag.sum) as f32
            + (hash([1, 2, i as u8].into_iter()) % 1000) as f32
    }
}

#[test]
fn the_host_calls_them() {
    let all = [1, 2, 3];
    assert_eq!(total(all.iter().copied()), 6);
    assert_eq!(greatest(0..4, 1), 3);
    assert_eq!(two(all.into_iter()), 112);
    assert_eq!(backwards((0..3).map(|x| x + 1)), 3 * 9 + 2 * 3 + 1);
}
