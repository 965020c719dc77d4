//! What it costs to make a kernel value and to launch it: with few captures, over one thread, again and again as a program does that launches in a loop.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tilewise::Checks;
use tilewise::prelude::*;

fn make(c: &mut Criterion) {
    let (a, b) = ([1.0f32; 64], [2.0f32; 64]);
    let a = ArrayView::read_only(64, &a).expect("it fits");
    let b = ArrayView::read_only(64, &b).expect("it fits");
    let mut out = [0.0f32; 64];
    let out = ArrayView::new(64, &mut out).expect("it fits");
    let scale = 3.0f32;
    let mut group = c.benchmark_group("make a kernel value");
    group.bench_function("one scalar", |bench| {
        bench.iter(|| {
            kernel!(|_: Index<1>| {
                let _x = scale + 1.0;
            })
        });
    });
    group.bench_function("one view", |bench| {
        bench.iter(|| {
            kernel!(|i: Index<1>| {
                out[i] = 1.0;
            })
        });
    });
    group.bench_function("three views and a scalar", |bench| {
        bench.iter(|| {
            kernel!(|i: Index<1>| {
                out[i] = scale * a[i] + b[i];
            })
        });
    });
    group.bench_function("a clone of it", |bench| {
        let kernel = kernel!(|i: Index<1>| {
            out[i] = scale * a[i] + b[i];
        });
        bench.iter(|| black_box(&kernel).clone());
    });
    group.finish();
}

fn launch(c: &mut Criterion) {
    let (a, b) = ([1.0f32; 64], [2.0f32; 64]);
    let a = ArrayView::read_only(64, &a).expect("it fits");
    let b = ArrayView::read_only(64, &b).expect("it fits");
    let mut out = [0.0f32; 64];
    let out = ArrayView::new(64, &mut out).expect("it fits");
    let scale = 3.0f32;
    let mut group = c.benchmark_group("launch one thread");
    let reference = Accelerator::new(Accelerator::REFERENCE).expect("it is everywhere");
    let unchecked = reference.view_builder().checks(Checks::NONE).create().expect("it can go without");
    let native = Accelerator::new(Accelerator::NATIVE).expect("it is everywhere").default_view();
    for (name, view) in
        [("native", native), ("reference, no checks", unchecked), ("reference", reference.default_view())]
    {
        let kernel = kernel!(|i: Index<1>| {
            out[i] = scale * a[i] + b[i];
        });
        group.bench_function(format!("{name}, a value that is kept"), |bench| {
            bench.iter(|| view.parallel_for_each(Extent([1]), &kernel));
        });
        group.bench_function(format!("{name}, made anew"), |bench| {
            bench.iter(|| {
                parallel_for_each!(&view, Extent([1]), |i| {
                    out[i] = scale * a[i] + b[i];
                })
            });
        });
    }
    group.finish();
}

/// What `native` takes for each thread, and for each barrier.
fn threads(c: &mut Criterion) {
    let native = Accelerator::new(Accelerator::NATIVE).expect("it is everywhere").default_view();
    let view = ArrayView::from_vec((256, 256), vec![0; 65536]).expect("it fits");
    let mut group = c.benchmark_group("native, 65536 threads");
    group.sample_size(10);
    group.bench_function("untiled", |bench| {
        bench.iter(|| {
            parallel_for_each!(&native, view.extent(), |i| {
                view[i] += 1;
            })
        });
    });
    group.bench_function("tiles without a barrier", |bench| {
        bench.iter(|| {
            parallel_for_each!(&native, view.extent().tile::<16, 16>(), |t| {
                view[t] += 1;
            })
        });
    });
    group.bench_function("tiles with a barrier", |bench| {
        bench.iter(|| {
            parallel_for_each!(&native, view.extent().tile::<16, 16>(), |t| {
                t.barrier.wait();
                view[t] += 1;
            })
        });
    });
    group.finish();
}

criterion_group!(benches, make, launch, threads);
criterion_main!(benches);
