//! Indices from memory and indices that are computed, in range and far from it.

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::launch::{Argument, LaunchMemory, ViewArgument};

use super::launches::{agree, bytes, kernel, number, view};
use super::rng::Rng;

/// Numbers that differ.
fn filled(count: i32) -> Vec<u8> {
    bytes((0..count).map(|n| n.wrapping_mul(0x0101_0101).wrapping_add(77)))
}

#[test]
fn indices_from_memory_read_and_write_their_own_element_or_none() {
    let text = "struct pair { a: i32, b: u8 }
    const table: [i32; 9] = [3, 1, 4, 1, 5, 9, 2, 6, 5];
    kernel k(at: view<i32, 1, read>, list: view<i32, 1, read>, plane: view<u8, 2, read>, pairs: view<pair, 1, read>,
             sums: view<i32, 1, read_write>, out: view<i32, 2, read_write>) rank(1) {
        let i = global[0];
        let a = at[i];
        let b = at[i + 1];
        out[i, 0] = list[a];
        out[i, 1] = plane[a, b] as i32;
        out[i, 2] = pairs[b].a + pairs[a].b as i32;
        out[i, 3] = table[a] + list[a + b] + list[a * 4] + list[a ^ b];
        out[i, 4] = list[a as u32 * 3u32] + list[(a as u32 >> 1u32)];
        var own: [i32; 5];
        own[a] = 7;
        own[b] = own[a] + own[b & 3] + 1;
        own[0 - a] = 5;
        out[i, 5] = own[0] + own[1] * 10 + own[2] * 100 + own[3] * 1000 + own[4] * 10000;
        atomic_add(sums[a], 1);
        atomic_add(sums[b], i);
        if a >= 0 { out[i, 6] = list[b] + 1; } else { out[i, 6 + (b & 65536)] = list[a - b]; }
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(1);
    for round in 0..60 {
        let threads = rng.pick(&[1, 2, 7, 16, 17, 33, 70, 500]);
        let count = rng.pick(&[0, 1, 2, 16, 19, 64, 1000]);
        let (rows, columns) = (rng.below(9) as i32, rng.below(9) as i32);
        let at = bytes((0..=threads).map(|_| rng.hostile(count)));
        let allocations =
            vec![at, filled(count), filled(30), filled(2 * count), filled(count.min(20)), filled(7 * threads)];
        let arguments = [
            view(0, &[threads + 1]),
            view(1, &[count]),
            view(2, &[rows, columns]),
            view(3, &[count]),
            view(4, &[count.min(20)]),
            view(5, &[threads, 7]),
        ];
        agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &format!("round {round}"));
    }
}

#[test]
fn tile_static_is_held_as_strictly_as_views() {
    let text = "kernel k(at: view<i32, 1, read>, out: view<i32, 2, read_write>) tile(24) {
        tile_static before: [i32; 7];
        tile_static list: [i32; 24];
        tile_static bytes: [u8; 5];
        tile_static after: [i32; 7];
        let t = local[0];
        let a = at[global[0]];
        list[t] = t + 100;
        if a < 0 || a >= 24 { list[a] = 1; }
        list[t * 178956971 + 24] = 5;
        list[t * 2147483647 - 1] = 6;
        barrier;
        out[global[0], 0] = list[a] + list[a + t];
        out[global[0], 1] = list[t * 286331153] + list[23 - t] + list[t * 2 - 3];
        atomic_add(after[a], 1);
        barrier;
        out[global[0], 2] = before[t & 7] + after[t] + bytes[a] as i32;
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(2);
    for round in 0..20 {
        let threads = 24 * rng.pick(&[1, 2, 5, 40]);
        let at = bytes((0..threads).map(|_| rng.hostile(24)));
        let memory = LaunchMemory::new(vec![at, filled(3 * threads)]);
        agree(&kernel, &[threads], &memory, &[view(0, &[threads]), view(1, &[threads, 3])], &format!("round {round}"));
    }
}

/// Steps whose multiples wrap round to where they began, and others.
const STEPS: [i32; 30] = [
    286331153,
    286331154,
    286331152,
    143165577,
    143165576,
    429496730,
    429496729,
    715827883,
    613566757,
    858993459,
    268435456,
    268435457,
    536870912,
    536870911,
    1073741824,
    1073741823,
    134217728,
    67108864,
    67108865,
    178956971,
    126322567,
    252645135,
    2147483647,
    -1,
    -2,
    -7,
    -286331153,
    -1073741824,
    -2147483648,
    3,
];

#[test]
fn steps_that_wrap_between_ends_in_range_are_seen() {
    let mut rng = Rng::new(3);
    for chunk in STEPS.chunks(2) {
        let [a, b] = chunk else { continue };
        // Constant steps, then the same as numbers of the launch.
        for (a, b, known) in [(a.to_string(), b.to_string(), true), ("a".into(), "b".into(), false)] {
            let text = format!(
                "kernel k(list: view<i32, 1, read>, plane: view<i32, 2, read>, narrow: view<u8, 1, read>, sums: view<i32, 1, read_write>,
                          out: view<i32, 2, read_write>, o: i32, a: i32, b: i32) rank(1) {{
                    let i = global[0];
                    out[i, 0] = list[i * {a}] + list[i * {a} + o];
                    out[i, 1] = list[i * {b} - o] + narrow[i * {b} + o] as i32;
                    out[i, 2] = plane[i * {a}, i * {b}] + plane[o, i * {a} + o];
                    out[i, 3] = plane[i * {b} + o, i] + list[(i + o) * {a}] + list[(i - o) * {b} - i * {a}];
                    out[i, 4] = list[(i * {a}) / 2] + list[i * {a} * {b}] + list[(i + o) & 15];
                    atomic_add(sums[i * {a} + o], 1);
                    atomic_add(sums[i * {b}], 1);
                }}"
            );
            if !known && chunk[0] != STEPS[0] {
                continue;
            }
            let kernel = JitKernel::new(kernel(&text));
            let rounds = if known { 6 } else { 90 };
            for round in 0..rounds {
                let threads = rng.pick(&[1, 15, 16, 17, 31, 33, 64, 100]);
                let count = rng.pick(&[1, 2, 16, 17, 100]);
                let (rows, columns) = (rng.pick(&[1, 2, 16, 17]), rng.pick(&[1, 15, 16, 40]));
                let o = rng.hostile(count);
                let (a, b) = if known { (0, 0) } else { (rng.pick(&STEPS), rng.pick(&STEPS)) };
                let allocations =
                    vec![filled(count), filled(rows * columns), filled(25), filled(count), filled(5 * threads)];
                let arguments = [
                    view(0, &[count]),
                    view(1, &[rows, columns]),
                    view(2, &[count]),
                    view(3, &[count]),
                    view(4, &[threads, 5]),
                    number(o),
                    number(a),
                    number(b),
                ];
                let what =
                    format!("{chunk:?} round {round}: {threads} threads, {count} elements, offset {o}, steps {a} {b}");
                agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &what);
            }
        }
    }
}

#[test]
fn stores_at_computed_indices_land_where_they_should_or_nowhere() {
    let mut rng = Rng::new(4);
    // Odd steps: threads never meet, as long as there are fewer than 2^32.
    for step in [1, -1, 3, 286331153, 143165577, -5, 2147483647, 1431655765, -2147483647] {
        let text = format!(
            "kernel k(list: view<i32, 1, read_write>, bytes: view<u8, 1, read_write>, wide: view<f64, 1, read_write>, halves: view<f16, 1, read_write>,
                      o: i32) rank(2) {{
                let i = global[1] + global[0] * 40;
                list[i * {step} + o] = i;
                bytes[i * {step} - o] = i as u32;
                wide[(i + o) * {step}] = i as f64;
                halves[o - i * {step}] = i as f32;
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for round in 0..12 {
            let (rows, columns) = (rng.pick(&[1, 2, 5]), rng.pick(&[1, 16, 17, 33, 40]));
            let count = rng.pick(&[0, 1, 16, 17, 100, 200]);
            let o = rng.hostile(count);
            let allocations = vec![filled(count), filled(50), filled(2 * count), filled(100)];
            let arguments = [view(0, &[count]), view(1, &[count]), view(2, &[count]), view(3, &[count]), number(o)];
            let what = format!("step {step} round {round}: {rows} x {columns}, {count} elements, offset {o}");
            agree(&kernel, &[rows, columns], &LaunchMemory::new(allocations), &arguments, &what);
        }
    }
}

#[test]
fn strides_of_bound_views_need_not_fit_32_bits() {
    // One row or column: a stride that is never taken may be anything.
    let text = "kernel k(a: view<i32, 2, read_write>, b: view<u8, 2, read_write>, at: view<i32, 1, read>) rank(2) {
        let y = global[0]; let x = global[1];
        let t = at[x];
        b[y, x] = a[t, x] as u32 + a[y, t] as u32;
        a[y, x] = a[y, x] + a[y + 1, x] + a[y, x - 1] + 1;
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(5);
    for stride in [0, 1, 7, 1 << 29, (1 << 29) + 1, 1 << 30, 1 << 31, (1 << 32) / 15, 1 << 40, 1 << 61] {
        for columns in [1, 2, 17] {
            let strided =
                |allocation| Argument::View(ViewArgument::new(allocation, 0, vec![1, columns], vec![stride, 1]));
            let at = bytes((0..columns).map(|_| rng.hostile(columns)));
            let memory = LaunchMemory::new(vec![filled(columns), filled(columns), at]);
            let arguments = [strided(0), strided(1), view(2, &[columns])];
            // The row above reads a neighbour's sum, so there is one thread only where there are neighbours.
            agree(&kernel, &[1, 1], &memory, &arguments, &format!("stride {stride}, {columns} columns"));
        }
    }
}
