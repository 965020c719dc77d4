//! Structs without fields: names for ways to do something.

use super::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
struct Sum;

#[derive(Clone, Copy, Default, AmpStruct)]
struct Product {}

#[amp]
trait Joins {
    fn start(&self) -> i32;
    fn join(&self, a: i32, b: i32) -> i32;
}

#[amp]
impl Joins for Sum {
    fn start(&self) -> i32 {
        0
    }
    fn join(&self, a: i32, b: i32) -> i32 {
        a + b
    }
}

#[amp]
impl Joins for Product {
    fn start(&self) -> i32 {
        1
    }
    fn join(&self, a: i32, b: i32) -> i32 {
        a * b
    }
}

#[amp]
impl Sum {
    fn of(self, n: i32) -> i32 {
        joined(self, &[n, n + 1, n + 2])
    }
}

#[amp]
fn joined<J: Joins, const N: usize>(join: J, items: &[i32; N]) -> i32 {
    let mut all = join.start();
    for x in items {
        all = join.join(all, *x);
    }
    all
}

#[derive(Clone, Copy, AmpStruct)]
struct Task<J> {
    how: J,
    n: i32,
}

same! {
    ways_to_join: i32, |i| {
        let items = [1, 2, i];
        let product = Product {};
        let sum = Sum;
        let (a, b) = (joined(sum, &items), joined(product, &items));
        a * 100 + b + Sum.of(i) + sum.of(1)
    }

    a_unit_struct_in_a_tuple_and_in_an_option: i32, |i| {
        let pair = (Sum, i);
        let (how, n) = pair;
        let some = if n > 2 { Some(how) } else { None };
        let all = [Product {}; 2];
        match some {
            Some(sum) => sum.of(n) + all[1].join(n, 2),
            None => -1,
        }
    }
}

#[test]
fn a_unit_struct_is_captured() {
    let (sum, product) = (Sum, Product::default());
    on_all(&[0, 3, 8, 15], |launch, v| {
        parallel_for_each!(launch, |p| {
            v[p] = product.join(p[0], sum.join(p[0], 2));
        })
    });
}
