//! Host guards against plain slices: the same sums, by every way of access. `cargo bench -p tilewise-benches --bench guards`.
//!
//! One million floats in one dimension, and as 1000 rows of 1000. Sums of floats cannot be vectorised, so what is measured is the cost of an access; `scaled` can be, and shows whether
//! the guard hides anything from the compiler.
#![allow(clippy::needless_range_loop, reason = "loops by index are what is measured")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tilewise::{ArrayView, HostWrite, ReadView};

const SIDE: usize = 1000;

fn sums(c: &mut Criterion) {
    let data: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % 17) as f32).collect();
    let line = ReadView::read_only(data.len(), &data).expect("it fits");
    let mut group = c.benchmark_group("sum");
    group.bench_function("slice by index", |b| {
        b.iter(|| {
            let data = black_box(&data[..]);
            let mut sum = 0.0;
            for i in 0..data.len() {
                sum += data[i];
            }
            sum
        });
    });
    group.bench_function("guard by index", |b| {
        let guard = line.host().expect("it is free");
        b.iter(|| {
            let guard = black_box(&guard);
            let mut sum = 0.0;
            for i in 0..guard.len() {
                sum += guard[i];
            }
            sum
        });
    });
    group.bench_function("guard by i32 index", |b| {
        let guard = line.host().expect("it is free");
        b.iter(|| {
            let guard = black_box(&guard);
            let mut sum = 0.0;
            for i in 0..guard.extent()[0] {
                sum += guard[i];
            }
            sum
        });
    });
    group.bench_function("slice iter", |b| b.iter(|| black_box(&data[..]).iter().sum::<f32>()));
    group.bench_function("guard iter", |b| {
        let guard = line.host().expect("it is free");
        b.iter(|| black_box(&guard).iter().sum::<f32>());
    });
    group.bench_function("guard iter in a loop", |b| {
        let guard = line.host().expect("it is free");
        b.iter(|| {
            let mut sum = 0.0;
            for x in black_box(&guard).iter() {
                sum += x;
            }
            sum
        });
    });
    group.bench_function("guard as_slice", |b| {
        let guard = line.host().expect("it is free");
        b.iter(|| black_box(&guard).as_slice().expect("in one piece").iter().sum::<f32>());
    });
    group.bench_function("get", |b| {
        b.iter(|| {
            let line = black_box(&line);
            (0..1000).map(|i| line.get(i).expect("it is free")).sum::<f32>()
        });
    });
    group.finish();
}

fn tables(c: &mut Criterion) {
    let data: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % 17) as f32).collect();
    let table = ReadView::read_only((SIDE, SIDE), &data).expect("it fits");
    let inner = table.section((0, 0), (SIDE, SIDE - 1));
    let mut group = c.benchmark_group("table");
    group.bench_function("slice by i * width + j", |b| {
        b.iter(|| {
            let data = black_box(&data[..]);
            let mut sum = 0.0;
            for i in 0..SIDE {
                for j in 0..SIDE {
                    sum += data[i * SIDE + j];
                }
            }
            sum
        });
    });
    group.bench_function("guard by (i, j)", |b| {
        let guard = table.host().expect("it is free");
        b.iter(|| {
            let guard = black_box(&guard);
            let mut sum = 0.0;
            for i in 0..SIDE {
                for j in 0..SIDE {
                    sum += guard[(i, j)];
                }
            }
            sum
        });
    });
    group.bench_function("slice rows", |b| {
        b.iter(|| black_box(&data[..]).chunks(SIDE).fold(0.0, |sum, row| row.iter().fold(sum, |sum, x| sum + x)));
    });
    group.bench_function("guard rows", |b| {
        let guard = table.host().expect("it is free");
        b.iter(|| {
            let guard = black_box(&guard);
            (0..SIDE).fold(0.0, |sum, i| guard.row((i, 0)).iter().fold(sum, |sum, x| sum + x))
        });
    });
    group.bench_function("guard of a section iter", |b| {
        let guard = inner.host().expect("it is free");
        b.iter(|| black_box(&guard).iter().sum::<f32>());
    });
    group.finish();
}

#[inline(never)]
fn scale_slice(data: &mut [f32]) {
    for i in 0..data.len() {
        data[i] *= 1.000_001;
    }
}

#[inline(never)]
fn scale_guard(guard: &mut HostWrite<'_, f32, 1>) {
    for i in 0..guard.len() {
        guard[i] *= 1.000_001;
    }
}

#[inline(never)]
fn scale_guard_by_extent(guard: &mut HostWrite<'_, f32, 1>) {
    for i in 0..guard.extent()[0] {
        guard[i] *= 1.000_001;
    }
}

#[inline(never)]
fn scale_table(guard: &mut HostWrite<'_, f32, 2>) {
    for i in 0..guard.extent()[0] {
        for j in 0..guard.extent()[1] {
            guard[(i, j)] *= 1.000_001;
        }
    }
}

fn scaled(c: &mut Criterion) {
    let mut data = vec![1.0f32; SIDE * SIDE];
    let mut group = c.benchmark_group("scaled");
    group.bench_function("slice by index", |b| b.iter(|| scale_slice(black_box(&mut data))));
    let view = ArrayView::of(&mut data);
    let mut guard = view.host_mut().expect("it is free");
    group.bench_function("guard by index", |b| b.iter(|| scale_guard(black_box(&mut guard))));
    group.bench_function("guard by i32 index", |b| b.iter(|| scale_guard_by_extent(black_box(&mut guard))));
    group.bench_function("guard iter_mut", |b| {
        b.iter(|| black_box(&mut guard).iter_mut().for_each(|x| *x *= 1.000_001));
    });
    group.bench_function("guard as_mut_slice", |b| {
        b.iter(|| scale_slice(black_box(&mut guard).as_mut_slice().expect("in one piece")));
    });
    drop(guard);
    let table = view.view_as((SIDE, SIDE));
    let mut guard = table.host_mut().expect("it is free");
    group.bench_function("guard by (i, j)", |b| b.iter(|| scale_table(black_box(&mut guard))));
    group.bench_function("guard rows", |b| {
        b.iter(|| {
            let guard = black_box(&mut guard);
            (0..SIDE).for_each(|i| scale_slice(guard.row_mut((i, 0))));
        });
    });
    group.finish();
}

criterion_group!(benches, sums, tables, scaled);
criterion_main!(benches);
