//! Kernels, native, reference and jit: the same results.

#![warn(clippy::all)]

mod control;
mod empty;
mod enums;
mod methods;
mod structs;
mod values;
mod width;

use tilewise::prelude::*;
use tilewise::{Accelerator, ArrayView, Element, Launch, ReadView, amp, kernel, parallel_for_each};

/// Runs a kernel on all targets, each on zeros, and gives the results.
fn on_all<const N: usize, T: Element + PartialEq + std::fmt::Debug>(
    extent: [i32; N],
    run: impl Fn(Launch<Extent<N>>, &ArrayView<'_, T, N>) -> tilewise::Result<()>,
) -> Vec<T> {
    let mut results = Vec::new();
    for target in ["native", "reference", "jit"] {
        let target = Accelerator::new(target).unwrap().default_view();
        let view = ArrayView::<T, N>::without_source(extent).unwrap();
        if let Err(error) = run(Launch::new(Extent(extent)).on(&target), &view) {
            panic!("on {}: {error}", target.accelerator());
        }
        results.push(view.into_vec().unwrap());
    }
    let jit = results.pop().unwrap();
    let reference = results.pop().unwrap();
    let native = results.pop().unwrap();
    assert_eq!(native, reference, "native, then reference");
    assert_eq!(jit, reference, "jit, then reference");
    native
}

#[amp]
fn add(a: i32, b: i32) -> i32 {
    a + b * 2 - -3
}

const LIMIT: i32 = 10;

#[amp]
fn many(n: i32, x: f32) -> f32 {
    let mut sum = 0.0;
    let mut table = [0.0; 16];
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
fn row_sum(row: &ReadView<'_, f32>, n: usize) -> f32 {
    let mut s = 0.0;
    for k in 0..n {
        s += row[k].sqrt();
    }
    s
}

#[test]
fn functions() {
    let results = on_all([12], |launch, v: &ArrayView<'_, f32>| {
        parallel_for_each!(launch, |i| {
            v[i] = many(i[0], 1.5);
        })
    });
    assert_eq!(results[4], many(4, 1.5));
    let results = on_all([12], |launch, v: &ArrayView<'_, i32>| {
        let by = 7;
        parallel_for_each!(launch, |i| {
            let mut x = i[0];
            bump(&mut x, &by);
            v[i] = x;
        })
    });
    assert_eq!(results[4], 11);
}

#[test]
fn views() {
    let grid: Vec<f32> = (0..12).map(|x| x as f32).collect();
    let results = on_all([3, 4], |launch, v: &ArrayView<'_, f32, 2>| {
        let g = ArrayView::read_only((3, 4), &grid)?;
        parallel_for_each!(launch, |i| {
            v[i] = 2.0 * g[i];
            v[i] += 1.0;
            let row = v[i[0]];
            row[i[1]] += g[0][1] + g[(i[0], 2)];
            v[i[0]][i[1]] -= 1.0;
            v[(i[0], i[1])] /= 2.0;
            let n = g.extent()[0] + v.extent()[1];
            if n > 3 && i[1] == 0 {
                let row = g.project(i[0]);
                v[i] = row_sum(&row, 4);
            }
        })
    });
    assert_eq!(results[5], (2.0 * 5.0 + 1.0 + 1.0 + 6.0 - 1.0) / 2.0);
    let k = kernel!(|i: Index<1>| print!("{}", i[0]));
    assert!(format!("{k:?}").contains("main.rs"));
}

const TS: usize = 2;

#[test]
fn tiles() {
    let data = [2, 2, 9, 7, 1, 4, 4, 4, 8, 8, 3, 4, 1, 5, 1, 2, 5, 2, 6, 8, 3, 2, 7, 2];
    let results = on_all([4, 6], |launch, average: &ArrayView<'_, i32, 2>| {
        let _ = launch;
        let sample = ArrayView::read_only((4, 6), &data)?;
        for target in ["native", "reference", "jit"] {
            let target = Accelerator::new(target)?.default_view();
            parallel_for_each!(&target, sample.extent().tile::<TS, TS>(), |t| {
                #[tile_static]
                let nums: [[i32; TS]; TS];
                nums[t.local[1]][t.local[0]] = sample[t.global];
                t.barrier.wait();
                let sum = nums[0][0] + nums[0][1] + nums[1][0] + nums[1][1];
                average[t] = sum / 4;
            })?;
        }
        Ok(())
    });
    assert_eq!(results, [3, 3, 8, 8, 3, 3, 3, 3, 8, 8, 3, 3, 5, 5, 2, 2, 4, 4, 5, 5, 2, 2, 4, 4]);
}
