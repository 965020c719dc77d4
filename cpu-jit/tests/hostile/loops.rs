//! Counted loops whose accesses are judged before they run: counters near the ends of `i32`, steps, bounds below the start, indices that wrap on the way.

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::launch::LaunchMemory;

use super::launches::{agree, bytes, kernel, number, view};
use super::rng::Rng;

/// Loops, by `{step}`; each ends after at most 40 rounds for the sake of the test, by a counter of its own that goes the other way.
fn text(step: i32, compare: &str, index: &str, uniform: bool) -> String {
    // Either all threads count alike, or each by itself.
    let first = if uniform { "first" } else { "first + at[i]" };
    let again = index.replace("n ", "m ").replace(" n", " m").replace("(n ", "(m ");
    let again = if index == "n" { "m" } else { &again };
    format!(
        "kernel k(list: view<i32, 1, read>, plane: view<u8, 2, read>, sums: view<i32, 1, read_write>, at: view<i32, 1, read>, out: view<i32, 2, read_write>,
                  first: i32, end: i32, a: i32, o: i32) rank(1) {{
            let i = global[0];
            var sum: i32 = 0;
            var n: i32 = {first};
            var left: i32 = 40;
            while n {compare} end {{
                let x = {index};
                sum = sum * 3 + list[x] + 1;
                sum = sum ^ plane[x, n] as i32 ^ plane[o, x] as i32;
                if left <= 0 {{ break; }}
                left = left - 1;
                n = n + {step};
            }}
            out[i, 0] = sum;
            var m: i32 = {first};
            var rounds: i32 = 0;
            loop {{
                if !(m {compare} end) || rounds >= 40 {{ break; }}
                let x = {again};
                atomic_add(sums[x], 1);
                out[i, 1 + rounds] = list[x + i] + list[x - 1] * 2;
                m = m + {step};
                rounds = rounds + 1;
            }}
        }}"
    )
}

#[test]
fn loops_whose_ends_are_in_range_still_see_what_is_not() {
    let mut rng = Rng::new(6);
    let indices = [
        "n",
        "n * 286331153",
        "n * 143165577 + o",
        "n * a",
        "n * a + o",
        "(n + o) * a",
        "o - n * 3",
        "n + i",
        "n * 1073741824 + o",
        "(n * a) as u32 as i32",
        "n * n",
        "(n - first) * 286331153",
    ];
    let mut kernels = 0;
    for (turn, index) in indices.into_iter().enumerate() {
        for (step, compare) in [(1, "<"), (1, "<="), (3, "<"), (7, "<="), (1000000, "<"), (-1, ">"), (1, "!=")] {
            kernels += 1;
            let uniform = (turn + kernels) % 3 != 0;
            let kernel = JitKernel::new(kernel(&text(step, compare, index, uniform)));
            for round in 0..6 {
                let threads = rng.pick(&[1, 5, 16, 18, 33]);
                let count = rng.pick(&[0, 1, 15, 16, 17, 40]);
                let (rows, columns) = (rng.pick(&[1, 3, 16]), rng.pick(&[1, 16, 30]));
                let first = match rng.below(5) {
                    0 => rng.hostile(count),
                    1 => i32::MAX - rng.below(20) as i32,
                    2 => i32::MIN + rng.below(20) as i32,
                    _ => rng.below(4) as i32 - 1,
                };
                let end = match rng.below(5) {
                    0 => rng.hostile(count),
                    1 => i32::MAX - rng.below(2) as i32,
                    2 => first.wrapping_sub(rng.below(3) as i32),
                    _ => first.wrapping_add(step.wrapping_mul(rng.below(20) as i32)),
                };
                let a = rng.pick(&[286331153, 143165577, 1, 2, -1, 1 << 30, 536870912, 1227133513]);
                let o = rng.hostile(count);
                let allocations = vec![
                    bytes((0..count).map(|n| n * 1003 + 7)),
                    bytes(0..rows * columns),
                    bytes((0..count).map(|_| 0)),
                    bytes((0..threads).map(|n| n % 3)),
                    bytes((0..threads * 41).map(|_| 9)),
                ];
                let arguments = [
                    view(0, &[count]),
                    view(1, &[rows, columns]),
                    view(2, &[count]),
                    view(3, &[threads]),
                    view(4, &[threads, 41]),
                    number(first),
                    number(end),
                    number(a),
                    number(o),
                ];
                let what = format!(
                    "n {compare} end, step {step}, index {index}, round {round}: {threads} threads, {count} elements, {rows} x {columns}, from {first} \
                     to {end}, a {a}, o {o}"
                );
                agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &what);
            }
        }
    }
}

#[test]
fn short_counted_loops_without_an_end_of_their_own_see_it_too() {
    // Nothing but the counter ends these loops, so that they are what is written twice.
    let mut rng = Rng::new(7);
    for index in
        ["n", "n * 286331153 + o", "n * a + o", "o - n", "(n + o) * a", "n + i * a", "(n as u32 * a as u32) as i32"]
    {
        for (step, compare) in [(1, "<"), (1, "<="), (2, "<"), (5, "<="), (65536, "<")] {
            let text = format!(
                "kernel k(list: view<i32, 1, read>, plane: view<i32, 2, read>, own: view<i32, 2, read_write>, out: view<i32, 1, read_write>, first: i32, end: i32, a: i32,
                          o: i32) rank(1) {{
                    let i = global[0];
                    var sum: i32 = 0;
                    var n: i32 = first;
                    while n {compare} end {{
                        let x = {index};
                        sum = sum * 5 + list[x] + plane[x, i] + plane[n, x];
                        own[i, x] = sum;
                        n = n + {step};
                    }}
                    out[i] = sum;
                }}"
            );
            let kernel = JitKernel::new(kernel(&text));
            for round in 0..8 {
                let threads = rng.pick(&[1, 16, 18, 33]);
                let count = rng.pick(&[0, 1, 15, 16, 17, 40]);
                let (rows, columns) = (rng.pick(&[1, 3, 16]), rng.pick(&[1, 16, 30]));
                let rounds = rng.pick(&[0, 1, 2, 15, 16, 17, 31]);
                let first = match rng.below(5) {
                    0 => i32::MAX - 40 * step,
                    1 => i32::MIN + rng.below(20) as i32,
                    2 => -(rng.below(20) as i32),
                    _ => rng.below(3) as i32,
                };
                let end = first + step * rounds - rng.below(2) as i32;
                let a = rng.pick(&[286331153, 143165577, 1, 2, -1, 1 << 30, 536870912, 1227133513]);
                let o = rng.hostile(count);
                let allocations = vec![
                    bytes((0..count).map(|n| n * 1003 + 7)),
                    bytes(0..rows * columns),
                    bytes((0..threads * count).map(|_| 5)),
                    bytes((0..threads).map(|_| 9)),
                ];
                let arguments = [
                    view(0, &[count]),
                    view(1, &[rows, columns]),
                    view(2, &[threads, count]),
                    view(3, &[threads]),
                    number(first),
                    number(end),
                    number(a),
                    number(o),
                ];
                let what = format!(
                    "n {compare} end, step {step}, index {index}, round {round}: {threads} threads, {count} elements, {rows} x {columns}, from {first} \
                     to {end}, a {a}, o {o}"
                );
                agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &what);
            }
        }
    }
}
