//! Operator traits, const generics, associated consts and types, generic containers.

use super::*;
use std::ops::{Add, AddAssign, BitAnd, BitOr, BitXor, Index, IndexMut, Mul, Neg, Not, Shl, Sub};

// Fixed point with operator traits and a const generic.
#[derive(Clone, Copy, PartialEq, Eq, AmpStruct)]
struct Fixed<const BITS: u32> {
    raw: i32,
}

#[amp]
impl<const BITS: u32> Fixed<BITS> {
    const ONE: i32 = 1;
    fn from_int(n: i32) -> Self {
        Fixed { raw: n << BITS }
    }
    fn new(raw: i32) -> Self {
        Self { raw }
    }
    fn floor(self) -> i32 {
        self.raw >> BITS
    }
}

#[amp]
impl<const BITS: u32> Add for Fixed<BITS> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { raw: self.raw.wrapping_add(other.raw) }
    }
}

#[amp]
impl<const BITS: u32> Mul for Fixed<BITS> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { raw: ((self.raw as i64 * other.raw as i64) >> BITS) as i32 }
    }
}

#[amp]
impl<const BITS: u32> Neg for Fixed<BITS> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { raw: -self.raw }
    }
}

same! {
    fixed_point: i32, |i| {
        let a = Fixed::<8>::from_int(i);
        let b = Fixed::<8>::new(384);
        let c = a * b + -a;
        c.raw * 10 + (c + b).floor()
    }
}

// A small matrix, const generic, with Index and Mul.
#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Matrix<const N: usize> {
    rows: [[i32; N]; N],
}

#[amp]
impl<const N: usize> Matrix<N> {
    fn identity() -> Self {
        let mut rows = [[0; N]; N];
        for k in 0..N {
            rows[k][k] = 1;
        }
        Self { rows }
    }
    fn transposed(&self) -> Self {
        let mut out = *self;
        for r in 0..N {
            for c in 0..N {
                out.rows[c][r] = self.rows[r][c];
            }
        }
        out
    }
    fn trace(&self) -> i32 {
        (0..N).map(|k| self.rows[k][k]).sum()
    }
    fn pow(self, n: u32) -> Self {
        let (mut base, mut n, mut result) = (self, n, Self::identity());
        while n > 0 {
            if n & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            n >>= 1;
        }
        result
    }
}

#[amp]
impl<const N: usize> Mul for Matrix<N> {
    type Output = Matrix<N>;
    fn mul(self, other: Matrix<N>) -> Matrix<N> {
        let mut rows = [[0_i32; N]; N];
        for r in 0..N {
            for c in 0..N {
                for k in 0..N {
                    rows[r][c] = rows[r][c].wrapping_add(self.rows[r][k].wrapping_mul(other.rows[k][c]));
                }
            }
        }
        Matrix { rows }
    }
}

#[amp]
impl<const N: usize> Index<(usize, usize)> for Matrix<N> {
    type Output = i32;
    fn index(&self, (r, c): (usize, usize)) -> &i32 {
        &self.rows[r][c]
    }
}

#[amp]
impl<const N: usize> IndexMut<(usize, usize)> for Matrix<N> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut i32 {
        &mut self.rows[r][c]
    }
}

same! {
    small_matrices: i32, |i| {
        let mut m = Matrix { rows: [[1, 1], [1, 0]] };
        m[(1, 1)] += i % 2;
        let p = m.pow(i as u32 + 3).transposed();
        p[(0, 1)] * 100 + p.trace()
    }
}

// Bit sets with operator traits.
#[derive(Clone, Copy, PartialEq, Eq, Default, AmpStruct)]
struct Bits(u32);

#[amp]
impl Bits {
    const EMPTY: Bits = Bits(0);
    fn insert(&mut self, n: u32) -> bool {
        let fresh = !self.contains(n);
        self.0 |= 1 << n;
        fresh
    }
    fn remove(&mut self, n: u32) {
        self.0 &= !(1 << n);
    }
    fn contains(self, n: u32) -> bool {
        self.0 >> n & 1 == 1
    }
    fn len(self) -> u32 {
        self.0.count_ones()
    }
    fn first(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros()) }
    }
}

#[amp]
impl BitOr for Bits {
    type Output = Bits;
    fn bitor(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }
}

#[amp]
impl BitAnd for Bits {
    type Output = Bits;
    fn bitand(self, other: Bits) -> Bits {
        Bits(self.0 & other.0)
    }
}

#[amp]
impl Not for Bits {
    type Output = Bits;
    fn not(self) -> Bits {
        Bits(!self.0)
    }
}

same! {
    bit_sets: u32, |i| {
        let mut a = Bits::EMPTY;
        let mut b = Bits::default();
        for k in 0..i as u32 + 3 {
            a.insert(k * 3 % 11);
            b.insert(k * 2 % 7);
        }
        a.remove(3);
        let mut sum = 0;
        let mut rest = a & !b;
        while let Some(n) = rest.first() {
            sum = sum * 5 + n;
            rest.remove(n);
        }
        (a | b).len() * 1000 + sum + u32::from(a.insert(0))
    }
}

// Traits with generic methods, associated consts and types.
#[amp]
trait Metric {
    type Number;
    const SCALE: i32;
    fn between(&self, a: [i32; 2], b: [i32; 2]) -> i32;
    fn scaled(&self, a: [i32; 2], b: [i32; 2]) -> i32 {
        self.between(a, b) * Self::SCALE
    }
    fn farthest<const N: usize>(&self, from: [i32; 2], to: [[i32; 2]; N]) -> i32 {
        let mut most = 0;
        for p in to {
            most = most.max(self.between(from, p));
        }
        most
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct City {
    unit: i32,
}

#[derive(Clone, Copy, AmpStruct)]
struct Chess {
    bonus: i32,
}

#[amp]
impl Metric for City {
    type Number = i32;
    const SCALE: i32 = 2;
    fn between(&self, a: [i32; 2], b: [i32; 2]) -> i32 {
        (a[0] - b[0]).abs() + (a[1] - b[1]).abs()
    }
}

#[amp]
impl Metric for Chess {
    type Number = u32;
    const SCALE: i32 = 3;
    fn between(&self, a: [i32; 2], b: [i32; 2]) -> i32 {
        (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) + self.bonus
    }
}

#[amp]
fn measured<M: Metric>(metric: &M, i: i32) -> i32 {
    metric.scaled([0, i], [3, 1]) + metric.farthest([i, i], [[0, 0], [5, 2], [1, 9]])
}

#[amp]
fn measured_too(metric: impl Metric, i: i32) -> i32 {
    metric.between([i, 0], [0, i])
}

same! {
    associated_things: i32, |i| {
        measured(&City { unit: 1 }, i) * 100 + measured(&Chess { bonus: i }, i) + measured_too(City { unit: 1 }, i) + <Chess as Metric>::SCALE
    }
}

// Generic stack with Default and where clauses.
#[derive(Clone, Copy, AmpStruct)]
struct Stack<T: tilewise::types::KernelValue, const N: usize> {
    items: [T; N],
    length: u32,
}

#[amp]
impl<T, const N: usize> Stack<T, N>
where
    T: tilewise::types::KernelValue,
{
    fn new(zero: T) -> Self {
        Stack { items: [zero; N], length: 0 }
    }
    fn push(&mut self, item: T) -> Result<(), T> {
        if self.length as usize >= N {
            return Err(item);
        }
        self.items[self.length as usize] = item;
        self.length += 1;
        Ok(())
    }
    fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        Some(self.items[self.length as usize])
    }
    fn peek(&self) -> Option<T> {
        if self.length == 0 { None } else { Some(self.items[self.length as usize - 1]) }
    }
    fn is_empty(&self) -> bool {
        self.length == 0
    }
}

same! {
    a_generic_stack: i32, |i| {
        let mut stack: Stack<i32, 4> = Stack::new(0);
        let mut full = 0;
        for k in 0..i + 2 {
            if stack.push(k * k).is_err() {
                full += 1;
            }
        }
        let top = stack.peek().unwrap_or(-1);
        let mut s = 0;
        while let Some(x) = stack.pop() {
            s = s * 7 + x;
        }
        s + full * 10_000 + top + i32::from(stack.is_empty())
    }
}

// Vectors with scalar on both sides.
#[derive(Clone, Copy, PartialEq, Debug, AmpStruct)]
struct V2 {
    x: f32,
    y: f32,
}

#[amp]
impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 { x: self.x + o.x, y: self.y + o.y }
    }
}

#[amp]
impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}

#[amp]
impl Mul<f32> for V2 {
    type Output = V2;
    fn mul(self, k: f32) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}

#[amp]
impl Mul<V2> for f32 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}

#[amp]
impl From<(f32, f32)> for V2 {
    fn from((x, y): (f32, f32)) -> V2 {
        V2 { x, y }
    }
}

#[amp]
impl From<[f32; 2]> for V2 {
    fn from(a: [f32; 2]) -> V2 {
        V2 { x: a[0], y: a[1] }
    }
}

same! {
    vectors_and_scalars: f32, |i| {
        let mut p = V2::from((i as f32, 2.0));
        let v = V2::from([1.5, -0.5]);
        for _ in 0..3 {
            p += 0.5 * v + v * 2.0;
        }
        p.x * 100.0 + p.y
    }
}
