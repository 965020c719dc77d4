//! Nothing beside what is bound is read or written: every kind of access, in memory that begins or ends at a forbidden page.
#![cfg(unix)]

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::launch::{Argument, LaunchMemory, ViewArgument};

use super::guarded::agree;
use super::launches::{bytes, kernel, number, view};
use super::rng::Rng;

/// Element types, their sizes, and how a kernel writes a one of theirs.
const ELEMENTS: [(&str, usize, &str); 10] = [
    ("u8", 1, "1u32"),
    ("i8", 1, "1"),
    ("u16", 2, "1u32"),
    ("i16", 2, "1"),
    ("f16", 2, "1.0"),
    ("i32", 4, "1"),
    ("f32", 4, "1.0"),
    ("u64", 8, "1u64"),
    ("i64", 8, "1i64"),
    ("f64", 8, "1.0f64"),
];

/// So many elements, none of them NaN.
fn elements(name: &str, count: i32) -> Vec<u8> {
    let one = |n: i32| -> Vec<u8> {
        match name {
            "u8" | "i8" => vec![n.wrapping_mul(37) as u8],
            "f16" => (0x3c00 + (n % 1024) as u16).to_le_bytes().into(),
            "u16" | "i16" => (n.wrapping_mul(12347) as u16).to_le_bytes().into(),
            "f32" => (n as f32 * 0.75).to_le_bytes().into(),
            "f64" => (f64::from(n) * 0.75).to_le_bytes().into(),
            "i32" => n.wrapping_mul(123_456_789).to_le_bytes().into(),
            _ => (n as u64).wrapping_mul(0x0123_4567_89ab_cdef).to_le_bytes().into(),
        }
    };
    (0..count).flat_map(one).collect()
}

/// Indices from 0 to `count`, each once.
fn shuffled(count: i32, rng: &mut Rng) -> Vec<i32> {
    let mut all: Vec<i32> = (0..count).collect();
    for i in (1..all.len()).rev() {
        all.swap(i, rng.below(i as u64 + 1) as usize);
    }
    all
}

/// Sizes: all small ones, in turns, so that each type sees each length of a vector and its rest.
fn sizes(turn: usize) -> impl Iterator<Item = i32> {
    (1..=70).filter(move |n| (*n as usize + turn).is_multiple_of(3) || [15, 16, 17].contains(n))
}

#[test]
fn lines_of_every_element() {
    let mut rng = Rng::new(11);
    for (turn, (name, _, one)) in ELEMENTS.into_iter().enumerate() {
        let text = format!(
            "kernel k(a: view<{name}, 1, read>, b: view<{name}, 1, read_write>, c: view<{name}, 1, read_write>, d: view<{name}, 1, read_write>,
                      at: view<i32, 1, read>, m: i32) rank(1) {{
                let i = global[0];
                let n = extent(a, 0);
                b[i] = a[i] + {one};
                c[n - 1 - i] = a[n - 1 - i] + a[i + 1] + a[i - 1] + a[i * 2] + a[i * 2 + 1] + a[i * 3 - 1];
                if at[i] % 3 != 0 {{ d[at[i]] = a[at[i]] + b[i]; }} else {{ d[at[i]] = a[n - 1] + a[at[i] + 1]; }}
                if i < m {{ b[i] = b[i] + a[i]; }}
                if at[i] < m {{ c[n - 1 - i] = {one}; }}
                if at[i] == m {{ b[i] = a[n - 1 - i]; d[at[i]] = a[0] + a[n]; }}
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for n in sizes(turn) {
            let at = bytes(shuffled(n, &mut rng));
            let allocations = vec![elements(name, n), elements(name, n), elements(name, n), elements(name, n), at];
            let m = rng.below(n as u64 + 1) as i32;
            let arguments = [view(0, &[n]), view(1, &[n]), view(2, &[n]), view(3, &[n]), view(4, &[n]), number(m)];
            agree(&kernel, &[n], &LaunchMemory::new(allocations), &arguments, &format!("{n} of {name}, m {m}"));
        }
    }
}

#[test]
fn loops_over_every_element() {
    for (turn, (name, _, one)) in ELEMENTS.into_iter().enumerate() {
        // Narrow elements are read as wide numbers.
        let wide = match name {
            "u8" | "u16" => "u32",
            "i8" | "i16" => "i32",
            "f16" => "f32",
            other => other,
        };
        let text = format!(
            "kernel k(a: view<{name}, 1, read>, b: view<{name}, 1, read>, out: view<{name}, 1, read_write>) rank(1) {{
                let i = global[0];
                let n = extent(a, 0);
                var s: {wide} = {one};
                var j: i32 = 0;
                while j < n {{ s = s + a[j] + b[n - 1 - j]; j = j + 1; }}
                j = 0;
                while j < n {{ s = s + a[j + i]; if j > i {{ s = s + b[j - i]; }} j = j + 2; }}
                j = i;
                while j < n {{ s = s + a[j] + b[j * 2 - i]; j = j + 3; }}
                j = -1;
                while j <= n {{ s = s + a[j]; j = j + 1; }}
                out[i] = s;
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for n in sizes(turn) {
            let allocations = vec![elements(name, n), elements(name, n), elements(name, n)];
            agree(
                &kernel,
                &[n],
                &LaunchMemory::new(allocations),
                &[view(0, &[n]), view(1, &[n]), view(2, &[n])],
                &format!("{n} of {name}"),
            );
        }
    }
}

#[test]
fn planes_and_sections_of_every_element() {
    for (turn, (name, size, one)) in ELEMENTS.into_iter().enumerate() {
        let text = format!(
            "kernel k(a: view<{name}, 2, read>, b: view<{name}, 2, read_write>, c: view<{name}, 2, read_write>) rank(2) {{
                let y = global[0]; let x = global[1];
                b[y, x] = a[y, x] + a[y - 1, x] + a[y, x + 1] + a[y + 1, x - 1] + {one};
                let part = section(a, [1, 0], [extent(a, 0) - 1, extent(a, 1)]);
                c[y, x] = part[y, x] + project(a, y)[extent(a, 1) - 1 - x] + a[x, y];
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for n in sizes(turn) {
            for gap in [0, 1, 13] {
                let rows = 3;
                let reach = (rows - 1) * (n + gap) + n;
                // The allocation ends with the last row: there is no gap behind it.
                let place = |allocation| {
                    let strides = vec![(n + gap) as u64, 1];
                    Argument::View(ViewArgument::new(allocation, 0, vec![rows, n], strides))
                };
                let allocations = vec![elements(name, reach), elements(name, reach), elements(name, reach)];
                assert_eq!(allocations[0].len(), reach as usize * size);
                let what = format!("{rows} x {n} of {name}, gap {gap}");
                agree(&kernel, &[rows, n], &LaunchMemory::new(allocations), &[place(0), place(1), place(2)], &what);
            }
        }
    }
}

#[test]
fn columns_with_gaps_of_every_element() {
    for (turn, (name, _, one)) in ELEMENTS.into_iter().enumerate() {
        let text = format!(
            "kernel k(a: view<{name}, 1, read>, b: view<{name}, 1, read_write>) rank(1) {{
                let i = global[0];
                b[i] = a[i] + a[i + 1] + a[i - 1] + {one};
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for n in sizes(turn) {
            for step in [0u64, 2, 3, 7] {
                let place = |allocation, step| Argument::View(ViewArgument::new(allocation, 0, vec![n], vec![step]));
                let reach = |step: u64| (n as u64 - 1) * step + 1;
                let allocations = vec![elements(name, reach(step) as i32), elements(name, reach(step.max(1)) as i32)];
                let arguments = [place(0, step), place(1, step.max(1))];
                agree(
                    &kernel,
                    &[n],
                    &LaunchMemory::new(allocations),
                    &arguments,
                    &format!("{n} of {name}, step {step}"),
                );
            }
        }
    }
}

#[test]
fn tiles_of_every_element() {
    for (turn, (name, _, one)) in ELEMENTS.into_iter().enumerate() {
        let text = format!(
            "kernel k(a: view<{name}, 1, read>, b: view<{name}, 1, read_write>) tile(24) {{
                tile_static s: [{name}; 24];
                let t = local[0];
                let i = global[0];
                s[23 - t] = a[i];
                barrier;
                b[i] = s[t] + s[t + 1] + s[t - 1] + {one};
                barrier;
                if t < 5 {{ b[tile[0] * 24 + t * 2] = s[t]; }}
                if t == 23 {{ b[i] = a[i] + a[extent(a, 0) - 1]; }}
            }}"
        );
        let kernel = JitKernel::new(kernel(&text));
        for n in sizes(turn) {
            let threads = (n as u32).next_multiple_of(24) as i32;
            let memory = LaunchMemory::new(vec![elements(name, n), elements(name, n)]);
            agree(&kernel, &[threads], &memory, &[view(0, &[n]), view(1, &[n])], &format!("{n} of {name}"));
        }
    }
}

#[test]
fn structs_vectors_and_copies() {
    let text = "struct small { a: u8, b: u16, c: u8 }
    struct large size(40) align(8) { a: i32 @ 0, b: f64 @ 8, c: [u16; 5] @ 16, d: f32x2 @ 32 }
    struct many { list: [i32; 33] }
    kernel k(from: view<small, 1, read>, to: view<small, 1, read_write>, l: view<large, 1, read_write>, v: view<f32x3, 1, read_write>,
             w: view<f32x4, 1, read>, x: view<f32x4, 1, read_write>, m: view<many, 1, read>, n: view<many, 1, read_write>, at: view<i32, 1, read>) rank(1) {
        let i = global[0];
        let last = extent(from, 0) - 1;
        copy(to[i], from[last - i]);
        to[i].b = to[i].b + from[i + 1].b + from[at[i]].c;
        l[i].b = l[i].b + 1.0f64;
        l[i].c[at[i] % 6] = 7u32;
        l[i].d = l[i].d * splat(2.0, 2);
        v[i] = v[i] * splat(2.0, 3);
        v[i].z = 1.0;
        if at[i] % 2 == 0 { x[i] = w[at[i]]; } else { x[i] = w[i] + w[i + 1]; }
        if at[i] % 3 != 1 { copy(n[at[i]], m[i]); }
        copy(n[i - last - 1], m[i]);
        n[at[i]].list[at[i]] = 5;
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(12);
    for n in 1..=70 {
        let at = bytes(shuffled(n, &mut rng));
        let filled = |size: i32| (0..n * size).map(|n| (n % 113) as u8).collect::<Vec<u8>>();
        let allocations =
            vec![filled(6), filled(6), filled(40), filled(12), filled(16), filled(16), filled(132), filled(132), at];
        // Of some alignments a vector of three takes 12 bytes, of some 16: the element size is the kernel's to say.
        let arguments: Vec<Argument> = (0..9).map(|allocation| view(allocation, &[n])).collect();
        agree(&kernel, &[n], &LaunchMemory::new(allocations), &arguments, &format!("{n} elements"));
    }
}

#[test]
fn atomics_and_buffers() {
    let text = "struct Log { total: i32, entries: [u16] }
    kernel k(a: view<i32, 1, read_write>, b: view<u32, 1, read_write>, c: view<i64, 1, read_write>, d: view<f32, 1, read_write>, e: view<i32, 1, read_write>,
             log: buffer<Log, read_write>, at: view<i32, 1, read>) rank(1) {
        let i = global[0];
        atomic_add(a[i], 5);
        atomic_add(a[at[i] + 1], 1);
        atomic_xor(b[at[i]], 77u32);
        atomic_max(c[i], 3i64);
        atomic_exchange(d[at[i]], 2.5);
        if at[i] % 2 == 1 { atomic_compare_exchange(e[i], 0, 9); }
        atomic_add(a[i - 1], 1);
        log.entries[i] = log.entries[i] + 3u32;
        atomic_add(log.total, log.entries[i + 1000] as i32 + 1);
        if at[i] == 0 { log.entries[i + 1000] = 1u32; }
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(13);
    for n in 1..=70 {
        let at = bytes(shuffled(n, &mut rng));
        let allocations = vec![
            elements("i32", n),
            elements("i32", n),
            elements("i64", n),
            elements("f32", n),
            elements("i32", n),
            (0..4 + 2 * n).map(|n| n as u8).collect(),
            at,
        ];
        let size = allocations[5].len() as u64;
        let buffer = Argument::Buffer { allocation: 5, offset: 0, size };
        let arguments =
            [view(0, &[n]), view(1, &[n]), view(2, &[n]), view(3, &[n]), view(4, &[n]), buffer, view(6, &[n])];
        agree(&kernel, &[n], &LaunchMemory::new(allocations), &arguments, &format!("{n} elements"));
    }
}

#[test]
fn bytes_seen_as_larger_elements() {
    let text = "kernel k(a: view<u8, 1, read>, b: view<u8, 1, read_write>, o: i32) rank(1) {
        let i = global[0];
        let n = extent(a, 0);
        let words = reinterpret<u32>(section(a, [o], [(n - o) / 4 * 4]));
        let tail = reinterpret<u64>(section(a, [n & 7], [n - (n & 7)]));
        let out = reinterpret<u16>(section(b, [n & 1], [n - (n & 1)]));
        let t = tail[extent(tail, 0) - 1 - i] >> 56u32;
        out[i] = words[i] + words[i + 1] + t as u32 + (words[extent(words, 0) - 1] >> 24u32);
    }";
    let kernel = JitKernel::new(kernel(text));
    for n in 1..=70 {
        for o in [0, 1, 2, 3] {
            let memory = LaunchMemory::new(vec![elements("u8", n), elements("u8", n)]);
            agree(&kernel, &[n], &memory, &[view(0, &[n]), view(1, &[n]), number(o)], &format!("{n} bytes from {o}"));
        }
    }
}
