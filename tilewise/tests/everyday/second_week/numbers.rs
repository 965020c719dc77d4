//! Enums in the place of trait objects, bytes, runs, a heap, numbers.

use super::*;

// Trait objects are not there, enum dispatch is.
#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Circle { r: f32 },
    Rect { w: f32, h: f32 },
    Triangle([f32; 3]),
}

#[amp]
trait Area {
    fn area(&self) -> f32;
    fn doubled(&self) -> f32 {
        self.area() * 2.0
    }
}

#[amp]
impl Area for Shape {
    fn area(&self) -> f32 {
        match *self {
            Shape::Circle { r } => 3.0 * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Triangle([a, b, c]) => {
                let s = (a + b + c) / 2.0;
                (s * (s - a) * (s - b) * (s - c)).sqrt()
            }
        }
    }
}

same! {
    enum_dispatch: f32, |i| {
        let shapes = [Shape::Circle { r: i as f32 }, Shape::Rect { w: 2.0, h: 1.5 }, Shape::Triangle([3.0, 4.0, 5.0])];
        let total: f32 = shapes.iter().map(|s| s.area()).sum();
        let widest = shapes.iter().map(Area::doubled).fold(0.0_f32, f32::max);
        total + widest
    }
}

// An impl Trait argument and a function that returns a tuple; let else; matches!.
#[amp]
fn extremes(f: impl Fn(i32) -> i32, range: std::ops::Range<i32>) -> (i32, i32) {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for x in range {
        let y = f(x);
        (low, high) = (low.min(y), high.max(y));
    }
    (low, high)
}

same! {
    functions_of_functions: i32, |i| {
        let (low, high) = extremes(|x| (x - 3) * (x - i), 0..7);
        let kind = if matches!(low, -9..=-1) { 1 } else { 2 };
        high * 100 + low + kind * 10_000
    }
}

// Const fn-like tables by associated consts, u8 arithmetic, bytes to hex.
struct Hex;
impl Hex {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
}

same! {
    hexadecimal: u32, |i| {
        let n = (i as u32 + 1) * 0x0102_0304;
        let mut out = [0_u8; 8];
        for (k, byte) in n.to_be_bytes().into_iter().enumerate() {
            out[2 * k] = Hex::DIGITS[(byte >> 4) as usize];
            out[2 * k + 1] = Hex::DIGITS[(byte & 15) as usize];
        }
        out.iter().fold(7_u32, |h, &b| h.wrapping_mul(31).wrapping_add(b as u32))
    }
}

// Run length coding.
same! {
    runs: i32, |i| {
        let data = [1, 1, 1, i, i, 7, 7, 2];
        let mut runs = [(0, 0_u8); 8];
        let mut n = 0;
        for &x in &data {
            match n {
                0 => { runs[0] = (x, 1); n = 1; }
                _ if runs[n - 1].0 == x => runs[n - 1].1 += 1,
                _ => { runs[n] = (x, 1); n += 1; }
            }
        }
        runs[..n].iter().map(|&(x, k)| x * 10 + i32::from(k)).fold(0, |s, x| (s * 13 + x) % 100_003)
    }
}

// A generic binary heap with Ord.
#[derive(Clone, Copy, AmpStruct)]
struct Heap<const N: usize> {
    items: [i32; N],
    length: usize,
}

#[amp]
impl<const N: usize> Heap<N> {
    fn push(&mut self, x: i32) {
        let mut at = self.length;
        self.items[at] = x;
        self.length += 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.items[parent] <= self.items[at] {
                break;
            }
            self.items.swap(parent, at);
            at = parent;
        }
    }
    fn pop(&mut self) -> Option<i32> {
        let least = self.items[..self.length].iter().copied().nth(0)?;
        self.length -= 1;
        self.items[0] = self.items[self.length];
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            if left < self.length && self.items[left] < self.items[least] {
                least = left;
            }
            if right < self.length && self.items[right] < self.items[least] {
                least = right;
            }
            if least == at {
                break;
            }
            self.items.swap(least, at);
            at = least;
        }
        Some(least)
    }
}

// Gcd with tuples, collatz, digits, primes by a sieve.
#[amp]
fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

same! {
    numbers: u32, |i| {
        let i = i as u32;
        let mut sieve = [true; 40];
        sieve[0] = false;
        sieve[1] = false;
        for p in 2..40 {
            if !sieve[p] { continue; }
            for multiple in (p * p..40).step_by(p) {
                sieve[multiple] = false;
            }
        }
        let primes = sieve.iter().enumerate().filter(|(_, prime)| **prime).map(|(n, _)| n as u32);
        let sum: u32 = primes.skip(i as usize).take(3).sum();
        let steps = { let mut n = i + 7; let mut steps = 0; while n != 1 { n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; steps += 1; } steps };
        sum * 10_000 + steps * 100 + gcd(84, 36 + i)
    }
}
