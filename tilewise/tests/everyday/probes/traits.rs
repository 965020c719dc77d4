//! Operators and traits of types of the program, generics.

use super::*;
use std::cmp;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Not, Sub, SubAssign};
use tilewise::prelude::*;

#[amp]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AmpStruct)]
struct Money {
    euros: i32,
    cents: i32,
}

#[amp]
impl Money {
    const CENT: Self = Money { euros: 0, cents: 1 };

    fn new(cents: i32) -> Self {
        Money { euros: cents / 100, cents: cents % 100 }
    }

    fn all(self) -> i32 {
        self.euros * 100 + self.cents
    }
}

#[amp]
impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Money::new(self.all() + other.all())
    }
}

#[amp]
impl Sub for Money {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[amp]
impl Neg for Money {
    type Output = Self;

    fn neg(self) -> Self {
        Money::new(-self.all())
    }
}

#[amp]
impl Mul<i32> for Money {
    type Output = Self;

    fn mul(self, by: i32) -> Self {
        Money::new(self.all() * by)
    }
}

#[amp]
impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[amp]
impl SubAssign<i32> for Money {
    fn sub_assign(&mut self, cents: i32) {
        *self = Money::new(self.all() - cents);
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Row {
    cells: [i32; 4],
}

#[amp]
impl Index<i32> for Row {
    type Output = i32;

    fn index(&self, at: i32) -> &i32 {
        &self.cells[at as usize]
    }
}

#[amp]
impl IndexMut<i32> for Row {
    fn index_mut(&mut self, at: i32) -> &mut i32 {
        &mut self.cells[at as usize]
    }
}

#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Side {
    Left,
    Right,
}

#[amp]
impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

#[amp]
trait Shape {
    const SIDES: i32;

    fn side(&self) -> i32;

    fn around(&self) -> i32 {
        self.side() * Self::SIDES
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Square(i32);

#[amp]
impl Shape for Square {
    const SIDES: i32 = 4;

    fn side(&self) -> i32 {
        self.0
    }
}

#[amp]
fn fence<S: Shape>(shape: &S) -> i32 {
    shape.around() + S::SIDES
}

#[amp]
fn mean<T: Scalar, const N: usize>(of: [T; N]) -> T {
    let mut sum = T::ZERO;
    for x in of {
        sum += x;
    }
    sum / (T::ONE + T::ONE)
}

/// A number with a unit that only types know.
#[derive(Clone, Copy, AmpStruct)]
struct Length<U> {
    number: i32,
    unit: PhantomData<U>,
}

#[derive(Clone, Copy, AmpStruct)]
struct Metre;

#[amp]
impl<U: tilewise::types::KernelValue> Length<U> {
    fn new(number: i32) -> Self {
        Length { number, unit: PhantomData }
    }

    fn plus(self, other: Self) -> Self {
        Length::new(self.number + other.number)
    }
}

same! {
    operators_of_a_type: i32, |i| {
        let price = Money::new(i * 250) + Money { euros: 1, cents: 60 } * 2 - Money::new(30);
        price.euros * 1000 + price.cents
    }

    operators_that_assign: i32, |i| {
        let mut sum = Money::new(i * 99);
        sum += Money::CENT;
        sum -= 50;
        sum.all()
    }

    the_opposite_of_an_enum: i32, |i| {
        let side = if i % 2 == 0 { Side::Left } else { Side::Right };
        (!side == Side::Left) as i32
    }

    a_type_is_indexed: i32, |i| {
        let row = Row { cells: [10, 20, 30, 40] };
        row[i % 4] + row[0]
    }

    an_element_of_a_type_is_assigned: i32, |i| {
        let mut row = Row { cells: [1; 4] };
        row[i % 4] = 5;
        row[3] += i;
        row.cells[0] * 1000 + row.cells[1] * 100 + row.cells[2] * 10 + row.cells[3]
    }

    derived_orders: i32, |i| {
        let (a, b) = (Money::new(i * 100), Money { euros: 2, cents: 50 });
        (a < b) as i32 * 10 + (a == Money { euros: 3, cents: 0 }) as i32
    }

    the_least_by_a_derived_order: i32, |i| {
        let (a, b, c) = (Money::new(i * 100), Money { euros: 2, cents: 50 }, Money::new(150));
        let between = a.max(c).min(b);
        let most = [a, b, c].iter().copied().max_by(|x, y| x.cmp(y)).unwrap_or(a);
        between.all() + cmp::min(a, b).all() * 2 + cmp::max(a, b).all() * 3 + most.all() + a.cmp(&b) as i32
    }

    a_trait_with_a_constant: i32, |i| { fence(&Square(i)) + Square::SIDES }

    generic_types_and_lengths: f32, |i| { mean([i as f32, 1.0, 2.5]) + mean([i, 8]) as f32 }

    a_marker_of_a_type: i32, |i| {
        let length = Length::<Metre>::new(i).plus(Length::new(5));
        length.number
    }

    structs_in_structs: i32, |i| {
        let mut pair = (Row { cells: [i; 4] }, Square(2));
        pair.0.cells[1] += pair.1.0;
        pair.0.cells[1] * 10 + pair.0.cells[2]
    }
}
