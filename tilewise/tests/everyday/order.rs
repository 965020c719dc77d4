//! `<` and its like of tuples, arrays and `bool`s, in Rust's order: the first part that differs decides.

use super::*;

const FLOATS: [f32; 4] = [-1.0, -0.0, 0.0, f32::NAN];
const NUMBERS: [i32; 4] = [i32::MIN, -1, 0, 7];

#[amp]
fn bits(all: [bool; 4]) -> u32 {
    all[0] as u32 | (all[1] as u32) << 1 | (all[2] as u32) << 2 | (all[3] as u32) << 3
}

/// All pairs of two numbers each.
#[amp]
fn floats(n: usize) -> u32 {
    let (a, b) = ((FLOATS[n & 3], FLOATS[n >> 2 & 3]), (FLOATS[n >> 4 & 3], FLOATS[n >> 6]));
    let (x, y) = ([a.0, a.1], [b.0, b.1]);
    bits([a < b, a <= b, a > b, a >= b]) | bits([x < y, x <= y, x > y, x >= y]) << 4
}

#[amp]
fn mixed(n: usize) -> u32 {
    let a = (n & 1 == 1, (n >> 1 & 1) as u8, NUMBERS[n >> 2 & 3], n >> 4 & 1);
    let b = (n >> 5 & 1 == 1, (n >> 6 & 1) as u8, NUMBERS[n & 3], n >> 7 & 1);
    let p = &a;
    let q = &b;
    let by_references = bits([p < q, p <= q, p > q, p >= q]);
    let (x, y) = ([a.0, b.0, true], [b.0, a.0, b.0]);
    let of_bools = bits([x < y, x <= y, x > y, x >= y]);
    let greater = if a < b { b } else { a };
    bits([a < b, a <= b, a > b, a >= b])
        | by_references << 4
        | of_bools << 8
        | bits([a.0 < b.0, a.0 <= b.0, a.0 > b.0, a.0 >= b.0]) << 12
        | (greater.1 as u32) << 16
}

#[test]
fn tuples_and_arrays() {
    let expected: Vec<u32> = (0..256).map(floats).collect();
    on_all(&expected, |launch, v| parallel_for_each!(launch, |i| v[i] = floats(i[0] as usize)));
    let expected: Vec<u32> = (0..256).map(mixed).collect();
    on_all(&expected, |launch, v| parallel_for_each!(launch, |i| v[i] = mixed(i[0] as usize)));
}

#[test]
fn truths_are_ordered_as_an_enum() {
    on_all(&[5, 1, 2, 5], |launch, v| {
        parallel_for_each!(launch, |i| {
            let (a, b) = (i[0] & 1 == 1, i[0] & 2 == 2);
            let same = a <= b && a >= b;
            v[i] = (a < b) as i32 * 2 + (a > b) as i32 + same as i32 * 5;
        })
    });
}
