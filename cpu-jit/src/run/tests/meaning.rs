//! What kernels compute and say, by machine code and by the interpreter.

use std::time::Duration;

use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, ViewArgument};

use super::{JitKernel, JitLaunchOptions, agree, agree_within, bytes, kernel, number, threads, view};
use crate::emit::{self, CodeForm};
use crate::run::Effort;
use crate::run::float::elsewhere;

#[test]
fn rows_columns_and_what_is_left_over_are_all_done() {
    let text = "kernel k(a: view<i32, 2, read_write>, b: view<i32, 2, read>) rank(2) {
        let y = global[0]; let x = global[1];
        a[y, x] = a[y, x] * 3 + b[y, x] - y * 1000 + x;
    }";
    for (rows, columns) in [(1, 1), (3, 5), (2, 16), (7, 33), (40, 100), (1, 5000), (300, 1), (130, 1031)] {
        let count = rows * columns;
        let memory = LaunchMemory::new(vec![bytes(0..count), bytes((0..count).map(|n| n * 7))]);
        agree(text, &[rows, columns], &memory, &[view(0, &[rows, columns]), view(1, &[rows, columns])]);
    }
}

#[test]
fn only_a_relaxed_launch_takes_a_product_and_a_sum_as_one() {
    let text =
        "kernel k(a: view<f32, 1, read_write>, b: view<f32, 1, read_write>, c: view<f32, 1, read_write>) rank(1) {
        let i = global[0];
        let x = a[i];
        let y = b[i];
        let z = c[i];
        a[i] = x * x + y;
        b[i] = x * z - y;
        c[i] = y - z * z;
    }";
    let (x, y) = (1.0f32 + 1.0 / 4096.0, -(1.0f32 + 1.0 / 2048.0));
    let floats = |x: f32| (0..40).flat_map(|_| x.to_le_bytes()).collect::<Vec<u8>>();
    let arguments = [0, 1, 2].map(|allocation| view(allocation, &[40]));
    let prepared = JitKernel::new(kernel(text));
    for width in [1, 4, 8, 16] {
        for relaxed in [false, true] {
            let mut memory = LaunchMemory::new(vec![floats(x), floats(y), floats(x)]);
            let options =
                JitLaunchOptions { width: Some(width), relaxed, no_fallback: true, ..JitLaunchOptions::default() };
            let ran = threads(1).run(&prepared, &Domain::new([40]), &mut memory, &arguments, &options);
            let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran;
            assert_eq!(ran.relaxed, relaxed && emit::fuses());
            let expected = match ran.relaxed {
                true => [x.mul_add(x, y), x.mul_add(x, -y), (-x).mul_add(x, y)],
                false => [x * x + y, x * x - y, y - x * x],
            };
            assert_eq!(memory.allocations, expected.map(floats), "width {width}, {}", ran.relaxed);
        }
    }
}

#[test]
fn a_relaxed_launch_computes_precise_functions_as_a_strict_one() {
    let text = "kernel k(a: view<f64, 1, read_write>, b: view<f64, 1, read_write>) rank(1) {
        let i = global[0];
        let x = a[i];
        a[i] = precise_math::exp(x);
        b[i] = x * x + b[i];
    }";
    // In a file that declares it, everything is computed as it is written.
    let declared = "fn precise_math::own(x: f64, y: f64) -> f64 {
        return x * x + 1.0f64 / sqrt(y);
    }
    kernel k(a: view<f64, 1, read_write>, b: view<f64, 1, read_write>) rank(1) {
        let i = global[0];
        a[i] = precise_math::own(a[i], 2.0f64) + b[i];
    }";
    let numbers = |from: f64| (0..200).map(move |n| from + f64::from(n) * 0.123_456_789).collect::<Vec<_>>();
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let run = |text: &str, width: u32, relaxed: bool| {
        let prepared = JitKernel::new(kernel(text));
        let mut memory = LaunchMemory::new(vec![bytes(&numbers(-10.0)), bytes(&numbers(-3.0))]);
        let arguments = [0, 1].map(|allocation| view(allocation, &[200]));
        let options =
            JitLaunchOptions { width: Some(width), relaxed, no_fallback: true, ..JitLaunchOptions::default() };
        let ran = threads(1).run(&prepared, &Domain::new([200]), &mut memory, &arguments, &options);
        let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran;
        assert_eq!(ran.relaxed, relaxed && emit::fuses());
        memory.allocations
    };
    for width in [1, 4, 8, 16] {
        let [strict, relaxed] = [false, true].map(|relaxed| run(text, width, relaxed));
        assert_eq!(strict[0], relaxed[0], "width {width}");
        let fused: Vec<f64> = numbers(-10.0).iter().zip(numbers(-3.0)).map(|(x, y)| x.mul_add(*x, y)).collect();
        assert_eq!(relaxed[1] == bytes(&fused), emit::fuses(), "width {width}: the kernel's own sum");
        assert_eq!(run(declared, width, false), run(declared, width, true), "width {width}");
    }
}

#[test]
fn quotients_by_roots_of_a_relaxed_launch_are_within_two_units() {
    let text = "kernel k(a: view<f32, 1, read>, b: view<f32, 1, read_write>) rank(1) {
        let i = global[0];
        b[i] = 1.0 / sqrt(a[i]);
    }";
    // Each exponent, both signs: fractions spread over all, and what is no usual number.
    let numbers: Vec<f32> =
        (0..1u32 << 16).map(|n| f32::from_bits(n << 16 | n.wrapping_mul(40_503) & 0xffff)).collect();
    let special =
        [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -1.0, f32::MAX, f32::MIN_POSITIVE, 1e-45, 1e-39];
    let numbers: Vec<f32> = numbers.into_iter().chain(special.into_iter().cycle().take(64)).collect();
    let count = numbers.len();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    for form in CodeForm::ALL.into_iter().filter(|form| form.is_native()) {
        let prepared = JitKernel::new(kernel(text));
        let mut memory = LaunchMemory::new(vec![bytes.clone(), vec![0; count * 4]]);
        let arguments = [view(0, &[count as i32]), view(1, &[count as i32])];
        let options = JitLaunchOptions {
            relaxed: true,
            form: Some(form),
            no_fallback: true,
            effort: Effort::Well,
            ..JitLaunchOptions::default()
        };
        let ran = threads(1).run(&prepared, &Domain::new([count as i32]), &mut memory, &arguments, &options);
        ran.unwrap_or_else(|refusal| panic!("{refusal}"));
        let results =
            memory.allocations[1].chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four")));
        for (number, found) in numbers.iter().zip(results) {
            let expected = 1.0 / number.sqrt();
            let near = expected.to_bits().abs_diff(found.to_bits()) <= 2;
            let usual = expected.is_finite() && expected != 0.0;
            let right =
                if usual { near } else { expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan() };
            assert!(right, "{form:?}: {number:e} gives {found:e}, not {expected:e}");
        }
    }
}

#[test]
fn sections_of_one_allocation_may_overlap() {
    let text = "kernel k(a: view<i32, 2, read_write>, b: view<i32, 2, read>) rank(2) {
        let y = global[0]; let x = global[1];
        if b[y, x] > 20 { a[y, x] = a[y, x] * 10; }
    }";
    let section = |offset| Argument::View(ViewArgument::new(0, offset, vec![3, 18], vec![40, 1]));
    agree(text, &[3, 18], &LaunchMemory::new(vec![bytes(0..160)]), &[section(4), section(88)]);
}

#[test]
fn tiles_are_all_done() {
    let text = "kernel k(a: view<i32, 2, read_write>, n: i32) tile(4, 8) {
        let y = global[0]; let x = global[1];
        let at = tile[0] * 100 + tile[1];
        if local[0] < local[1] { a[y, x] = at + n; } else { a[y, x] = a[y, x] / n; }
    }";
    for extent in [[4, 8], [8, 8], [64, 80], [400, 16]] {
        let memory = LaunchMemory::new(vec![bytes(0..extent[0] * extent[1])]);
        agree(text, &extent, &memory, &[view(0, &extent), number(3)]);
    }
}

#[test]
fn what_threads_say_is_sorted_and_reads_as_the_interpreter_writes_it() {
    let text = r#"kernel k(a: view<f32, 1, read>, n: i32) rank(1) {
        let x = a[global[0]];
        if global[0] % 3 == 1 { print("{} at {}", x, global[0]); }
        print("n is {}", n);
        if global[0] % 50 == 7 { print("and {}", x > 3.0); }
    }"#;
    let floats = (0..100).flat_map(|n| (n as f32 * 0.37).to_le_bytes()).collect();
    agree(text, &[100], &LaunchMemory::new(vec![floats]), &[view(0, &[100]), number(-4)]);
}

#[test]
fn only_so_much_of_what_threads_say_is_kept() {
    let line = "x".repeat(400);
    let text = format!(r#"kernel k() rank(1) {{ print("{line} {{}}", global[0]); }}"#);
    agree(&text, &[3000], &LaunchMemory::default(), &[]);
}

#[test]
fn the_lowest_thread_that_fails_is_told() {
    let text = r#"kernel k(a: view<i32, 1, read_write>, n: i32) rank(1) {
        let i = global[0];
        if i % 7 == n { error("thread {} of {}", i, n); }
        if i % 11 == n { abort; }
        a[i] = 1;
    }"#;
    for n in [0, 3, 6, 9, 20] {
        agree(text, &[500], &LaunchMemory::new(vec![bytes(0..500)]), &[view(0, &[500]), number(n)]);
    }
}

#[test]
fn denormals_and_rounding_do_not_depend_on_the_thread() {
    let text = "kernel k(a: view<f32, 1, read_write>) rank(1) {
        a[global[0]] = a[global[0]] * 0.5 + 0.00000000000000000000000000000000000000001;
    }";
    let floats = |count: u32| (0..count).flat_map(|n| f32::from_bits(n * 37 + 5).to_le_bytes()).collect::<Vec<u8>>();
    for count in [33, 100_000] {
        let memory = LaunchMemory::new(vec![floats(count)]);
        let within = |launch: &mut dyn FnMut()| {
            let ((), kept) = elsewhere(launch);
            assert!(kept, "the caller's environment");
        };
        agree_within(text, &[count as i32], &memory, &[view(0, &[count as i32])], within);
    }
}

#[test]
fn a_thread_that_waits_for_an_earlier_tile_is_in_no_vector_with_it() {
    let prepared = JitKernel::new(kernel(
        "kernel chain(done: view<i32, 1, read_write>) tile(1) {
            let i = global[0];
            while atomic_or(done[i], 0) == 0 { }
            atomic_exchange(done[i + 1], 1);
        }",
    ));
    let mut words = vec![0i32; 65];
    words[0] = 1;
    let mut memory = LaunchMemory::new(vec![words.iter().flat_map(|word| word.to_le_bytes()).collect()]);
    let options = JitLaunchOptions { time_limit: Some(Duration::from_secs(20)), ..JitLaunchOptions::default() };
    let launched = threads(1).run(&prepared, &Domain::new([64]), &mut memory, &[view(0, &[65])], &options);
    let launched = launched.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(launched.outcome.ending, Ending::Completed);
    assert!(memory.allocations[0].chunks_exact(4).all(|word| word == 1i32.to_le_bytes()));
}
