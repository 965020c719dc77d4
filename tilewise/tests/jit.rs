//! What is particular to the accelerator `jit`: threads of its own, ends from outside, memory that several launches read at once. That kernels mean the same there as everywhere is what the
//! other tests see to.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use tilewise::prelude::*;
use tilewise::{AcceleratorView, Error, FloatMode, Launch, QueuingMode, parallel_for_each};

fn jit() -> Accelerator {
    Accelerator::new(Accelerator::JIT).expect("it is everywhere")
}

fn threads(count: usize) -> AcceleratorView {
    jit().view_builder().threads(count).create().expect("there are so many")
}

#[test]
fn a_relaxed_launch_rounds_a_product_and_a_sum_once_and_says_so() {
    let x = 1.0f32 + 1.0 / 4096.0;
    let (strict, fused) = (x * x - (1.0 + 1.0 / 2048.0), x.mul_add(x, -(1.0 + 1.0 / 2048.0)));
    let relaxed = jit().view_builder().float_mode(FloatMode::Relaxed).create().unwrap();
    for (view, mode, relaxes) in [
        (jit().default_view(), None, false),
        (jit().default_view(), Some(FloatMode::Strict), false),
        (jit().default_view(), Some(FloatMode::Relaxed), true),
        (relaxed.clone(), None, true),
        (relaxed, Some(FloatMode::Strict), false),
    ] {
        let out = ArrayView::from_vec(64, vec![x; 64]).unwrap();
        let launch = Launch::new(out.extent()).on(&view);
        let launch = if let Some(mode) = mode { launch.float_mode(mode) } else { launch };
        let got = parallel_for_each!(launch, |i| {
            out[i] = out[i] * out[i] - (1.0 + 1.0 / 2048.0);
        });
        got.unwrap();
        let expected = if relaxes && fuses() { fused } else { strict };
        assert_eq!(out.to_vec().unwrap(), vec![expected; 64], "{mode:?}");
    }
}

/// Has the machine that this runs on an operation for it?
#[cfg(target_arch = "x86_64")]
fn fuses() -> bool {
    is_x86_feature_detected!("fma")
}

/// Has the machine that this runs on an operation for it?
#[cfg(not(target_arch = "x86_64"))]
fn fuses() -> bool {
    cfg!(target_arch = "aarch64")
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let run = |view: &AcceleratorView| {
        let out = ArrayView::<u32, 2>::without_source((300, 128)).unwrap();
        parallel_for_each!(view, out.extent().tile::<2, 64>(), |t| {
            #[tile_static]
            let row: [u32; 64];
            let i = t.local[1];
            row[i] = (t.global[0] * 128 + t.global[1]) as u32;
            t.barrier.wait();
            out[t] = row[63 - i] * 3 + row[i];
        })
        .unwrap();
        out.into_vec().unwrap()
    };
    let expected = run(&jit().default_view());
    assert!(expected.iter().any(|&x| x > 0));
    for count in [1, 2, 3, 8] {
        assert_eq!(run(&threads(count)), expected, "{count} threads");
    }
}

#[test]
fn a_kernel_that_never_ends_is_given_up() {
    let limited = jit().view_builder().time_limit(Some(Duration::from_millis(30))).create().unwrap();
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let forever = kernel!(|i: Index<1>| {
        v[i] = 1;
        while v[3] >= 0 {
            v[i] += 0;
        }
    });
    let begin = Instant::now();
    let result = limited.parallel_for_each(v.extent(), &forever);
    let Err(Error::AcceleratorViewRemoved(reason)) = result else { panic!("{result:?}") };
    assert!(reason.contains("30ms"), "{reason}");
    assert!(begin.elapsed() < Duration::from_secs(20), "it was given up after {:?}", begin.elapsed());

    let queue = jit().create_view(QueuingMode::Automatic).unwrap();
    std::thread::scope(|scope| {
        let launch = scope.spawn(|| queue.parallel_for_each(v.extent(), &forever));
        while !launch.is_finished() {
            queue.cancel();
            std::thread::sleep(Duration::from_millis(5));
        }
        let result = launch.join().unwrap();
        assert!(
            matches!(&result, Err(Error::AcceleratorViewRemoved(reason)) if reason.contains("cancelled")),
            "{result:?}"
        );
    });
    // The accelerator goes on.
    parallel_for_each!(&limited, v.extent(), |i| {
        v[i] = i[0];
    })
    .unwrap();
    assert_eq!(v.to_vec().unwrap(), [0, 1, 2, 3]);
}

#[test]
fn launches_read_the_same_memory_at_once_and_write_one_after_the_other() {
    let input: Vec<i32> = (0..4096).collect();
    let input = ArrayView::read_only(4096, &input).unwrap();
    let total = ArrayView::from_vec(1, vec![0]).unwrap();
    let begin = Barrier::new(8);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (input, total, begin) = (&input, &total, &begin);
            scope.spawn(move || {
                let out = ArrayView::<i32>::without_source(4096).unwrap();
                begin.wait();
                for _ in 0..20 {
                    parallel_for_each!(&jit().default_view(), out.extent(), |i| {
                        out[i] = input[i] * n;
                        total.atomic(0).fetch_add(1);
                    })
                    .unwrap();
                }
                let expected: Vec<i32> = (0..4096).map(|x| x * n).collect();
                assert_eq!(out.into_vec().unwrap(), expected);
            });
        }
    });
    assert_eq!(total.get(0).unwrap(), 8 * 20 * 4096);
}

#[test]
fn only_the_elements_of_a_view_are_written() {
    let mut data = [7u8; 101];
    let grid = ArrayView::new((10, 10), &mut data[..100]).unwrap();
    let inner = grid.section((1, 2), (8, 5));
    parallel_for_each!(&jit().default_view(), inner.extent(), |i| {
        inner[i] = 1;
    })
    .unwrap();
    drop(inner);
    drop(grid);
    for (at, &x) in data.iter().enumerate() {
        let (row, column) = (at / 10, at % 10);
        let inside = (1..9).contains(&row) && (2..7).contains(&column);
        assert_eq!(x, if inside { 1 } else { 7 }, "byte {at}");
    }
}

#[test]
fn atomics_on_elements_that_need_not_be_aligned_are_refused() {
    let mut bytes = vec![0u8; 68];
    let view = ArrayView::new(68, &mut bytes).unwrap();
    let words = view.section_from(1).section_to(64).reinterpret_as::<i32>();
    for path in [Accelerator::JIT, Accelerator::REFERENCE] {
        let view = Accelerator::new(path).unwrap().default_view();
        let result = parallel_for_each!(&view, words.extent(), |i| {
            words.atomic(i).fetch_add(1);
        });
        let Err(Error::Shape(why)) = result else { panic!("{path}: {result:?}") };
        assert!(why.message.contains("need not begin at a multiple of 4 bytes"), "{path}: {}", why.message);
        // Plain accesses go anywhere.
        parallel_for_each!(&view, words.extent(), |i| {
            words[i] += i[0];
        })
        .unwrap();
    }
    assert_eq!(words.to_vec().unwrap(), (0..16).map(|i| 2 * i).collect::<Vec<_>>());
}

#[test]
fn what_kernels_say_comes_in_the_order_of_threads() {
    let view = threads(3);
    let result = parallel_for_each!(&view, Extent::new(5000), |i| {
        if i[0] % 1000 == 999 {
            error!("thread {} is bad", i[0]);
        }
    });
    let Err(Error::Aborted(fault)) = result else { panic!("{result:?}") };
    assert_eq!(fault.thread, [999]);
    assert!(fault.message.starts_with("thread 999 is bad; 4 other threads"), "{}", fault.message);
}

#[test]
fn a_limit_of_no_time_ends_every_launch() {
    for path in ["reference", "jit", "native"] {
        let limited = Accelerator::new(path).unwrap().view_builder().time_limit(Some(Duration::ZERO)).create().unwrap();
        for _ in 0..3 {
            let view = ArrayView::from_vec(4, vec![1; 4]).unwrap();
            let launched = parallel_for_each!(&limited, view.extent(), |i| view[i] += 1);
            let error = launched.expect_err("there is no time").to_string();
            assert!(error.contains("longer than its time limit of 0ns"), "{path}: {error}");
        }
    }
}

/// How many floats lie between two.
fn steps_between(a: f32, b: f32) -> u32 {
    let place = |x: f32| if x.is_sign_negative() { -i64::from(x.to_bits() << 1 >> 1) } else { i64::from(x.to_bits()) };
    place(a).abs_diff(place(b)) as u32
}

#[test]
fn relaxed_functions_of_fast_math_are_within_two_ulp() {
    let arguments: Vec<f32> = (1..1 << 16).map(|n| n as f32 / 4096.0).collect();
    let x = ArrayView::from_vec(arguments.len(), arguments.clone()).unwrap();
    let out = ArrayView::from_vec((arguments.len(), 5), vec![0.0f32; 5 * arguments.len()]).unwrap();
    let launch = Launch::new(x.extent()).on(&jit().default_view()).float_mode(FloatMode::Relaxed);
    parallel_for_each!(launch, |i| {
        out[(i[0], 0)] = fast_math::sin(x[i]);
        out[(i[0], 1)] = fast_math::cos(x[i]);
        out[(i[0], 2)] = fast_math::tan(x[i]);
        out[(i[0], 3)] = fast_math::exp2(x[i]);
        out[(i[0], 4)] = fast_math::log(x[i]);
    })
    .unwrap();
    let results = out.to_vec().unwrap();
    for (&x, row) in arguments.iter().zip(results.chunks_exact(5)) {
        let exact = f64::from(x);
        let exact = [exact.sin(), exact.cos(), exact.tan(), exact.exp2(), exact.ln()];
        for ((name, &got), exact) in ["sin", "cos", "tan", "exp2", "log"].iter().zip(row).zip(exact) {
            assert!(steps_between(got, exact as f32) <= 2, "{name}({x}) is {got}, not {exact}");
        }
    }
}
