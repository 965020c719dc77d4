//! `for` over arrays, ranges with names, and `contains`: the same as in plain Rust.

use super::*;

#[derive(Clone, Copy, AmpStruct)]
struct Spot {
    x: i32,
    y: i32,
}

const WEIGHTS: [i32; 4] = [3, 1, 4, 1];

#[amp]
fn sum_of(a: &[i32; 4]) -> i32 {
    let mut sum = a.len() as i32 * 1000;
    for x in a {
        sum += *x;
    }
    sum
}

#[amp]
fn double(a: &mut [i32; 3]) {
    for x in a.iter_mut() {
        *x *= 2;
    }
}

#[amp]
fn sum_of_range(of: std::ops::Range<i32>, inside: i32) -> i32 {
    let mut sum = if of.contains(&inside) { 1000 * (of.end - of.start) } else { 0 };
    for k in of.clone().rev() {
        sum = sum * 3 + k;
    }
    for k in of {
        sum += k;
    }
    sum
}

#[amp]
fn count_of(of: std::ops::RangeInclusive<usize>) -> i32 {
    let mut count = 0;
    for _ in of {
        count += 1;
    }
    count
}

#[amp]
fn product_of<T: Scalar>(of: core::ops::Range<T>) -> T {
    let mut product = T::ONE;
    if of.contains(&T::ONE) {
        product = of.end * of.start;
    }
    product
}

oracle! {
    ranges_as_arguments(n) -> i32 {
        let r = n - 3..n;
        let some = sum_of_range(r.clone(), 2) + sum_of_range(0..n, n + 1) * 7;
        some + sum_of_range(r, n) + count_of(2..=n as usize) * 100000 + product_of(n - 4..n + 1)
    }
    by_value(n) -> i32 { let mut s = 0; for x in [n, 2, 3 * n] { s = s * 10 + x; } s }
    by_reference(n) -> i32 { let a = [n, 5, 7]; let mut s = 0; for x in &a { s = s * 10 + *x; } for x in a.iter() { s += x * 2; } s }
    by_mutable_reference(n) -> i32 {
        let mut a = [n, 5, 7];
        for x in &mut a { *x += 1; }
        for (i, x) in a.iter_mut().enumerate() { *x += i as i32 * 100; }
        double(&mut a);
        a[0] * 10000 + a[1] * 100 + a[2]
    }
    enumerated(n) -> i32 { let a = [n, 5, 7, 1]; let mut s = 0; for (i, x) in a.iter().enumerate() { s += i as i32 * *x; } for (i, x) in a.iter().enumerate().rev() { s = s * 2 + i as i32 + *x; } s }
    reversed(n) -> i32 { let a = [n, 5, 7, 1]; let mut s = 0; for x in a.iter().rev() { s = s * 3 + *x; } for mut x in a.into_iter().rev() { x += 1; s = s * 3 + x; } s }
    constants(n) -> i32 { let mut s = n; for w in WEIGHTS { s = s * 10 + w; } for (i, w) in WEIGHTS.into_iter().enumerate() { s -= w * i as i32; } s }
    patterns_of_elements(n) -> i32 { let a = [Spot { x: n, y: 2 }, Spot { x: 3, y: n }]; let mut s = 0; for Spot { x, y } in a { s = s * 10 + x - y; } for (a, [b, c]) in [(n, [1, 2]), (3, [n, 4])] { s += a * b + c; } s }
    jumps(n) -> i32 { let mut s = 0; 'a: for x in [1, n, 3] { for y in [x, 2, n] { if y == 5 { continue 'a; } if x + y == 9 { break 'a; } s = s * 3 + x * y; } } s }
    a_copy_is_iterated(n) -> i32 { let mut a = [n, 2, 3]; let mut s = 0; for x in a { a[2] = 9; s = s * 10 + x; } s + a[2] }
    ranges_with_names(n) -> i32 { let r = 1..n; let q = n..=3; let mut s = 0; for i in r { s += i; } for i in q.rev() { s = s * 5 + i; } s }
    a_range_keeps_its_ends(n) -> i32 { let mut m = n; let r = 0..m; m = 100; let mut s = m; for i in r { s += i; } s }
    contained(n) -> i32 { let r = 2..n; let mut s = 0; if r.contains(&3) { s += 1; } if (1..=n).contains(&(n / 2)) { s += 2; } if (0.5..2.5).contains(&(n as f32)) { s += 4; } if !r.contains(&n) { s += 8; } s }
    the_order_of_a_range(n) -> i32 { let mut k = n; let inside = ({ k += 1; k }..{ k *= 2; k }).contains(&{ k += 3; k - 4 }); if inside { k } else { -k } }
    of_functions(n) -> i32 { let a = [n, 2, 3, 4]; sum_of(&a) + WEIGHTS.len() as i32 }
    nested_arrays(n) -> i32 { let mut s = 0; for row in [[n, 1], [2, n]] { for x in row { s = s * 7 + x; } } let g = [[n; 3]; 2]; for row in g.iter() { for x in row.iter() { s += *x; } } s }
    empty(n) -> i32 { let a: [i32; 0] = []; let mut s = n; for x in a { s += x; } if a.is_empty() { s } else { -1 } }
}

mod a_type_named_like_a_range {
    use super::*;

    #[derive(Clone, Copy, AmpStruct)]
    struct Range<T> {
        low: T,
        high: T,
    }

    #[amp]
    fn length(of: Range<i32>) -> i32 {
        of.high - of.low
    }

    oracle! {
        is_a_value(n) -> i32 { let r = Range { low: 2, high: n }; length(r) * 10 + length(Range { low: n, high: 3 }) }
    }
}
