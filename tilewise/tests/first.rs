//! First.
#![warn(clippy::all)]
use tilewise::prelude::*;
use tilewise::{amp, kernel};

#[amp]
fn add(a: i32, b: i32) -> i32 {
    a + b * 2 - -3
}

const LIMIT: i32 = 10;

#[amp]
fn many(n: i32, x: f32) -> f32 {
    let mut sum = 0.0;
    let mut table = [0.0; 8];
    for i in 0..n {
        if i > LIMIT {
            break;
        }
        sum += x * i as f32;
        table[i] = sum;
        table[1] += 1.0;
    }
    let (a, mut b) = (1, 2.5);
    b += table[a];
    match n {
        0 | 1 => b,
        2..=5 if n % 2 == 0 => b + 1.0,
        k => add(k, 1) as f32,
    }
}

#[amp]
fn bump(p: &mut i32, by: &i32) {
    *p += *by;
}

#[amp]
fn generic<T: Copy, const N: usize>(a: [T; N], i: usize) -> T
where
    T: tilewise::types::KernelValue,
{
    a[i]
}

#[test]
fn host() {
    assert_eq!(add(1, 2), 8);
    assert_eq!(many(3, 1.0), 8.0);
    let mut p = 3;
    bump(&mut p, &4);
    assert_eq!(p, 7);
    assert_eq!(generic([1, 2, 3], 1), 2);
    let k = 3;
    let f = [1.0f32, 2.0];
    let k: tilewise::Kernel<'_, Index<1>> = kernel!(|i: Index<1>| {
        let mut x = i[0] + k;
        bump(&mut x, &k);
        if x == 3 || f[0] < 2.0 {
            print!("x = {x}");
        }
    });
    println!("{k:?}");
}
