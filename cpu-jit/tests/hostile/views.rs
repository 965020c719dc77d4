//! Views that kernels make with hostile numbers: sections, projections, reinterpretations, shapes.

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::launch::LaunchMemory;

use super::launches::{agree, bytes, kernel, number, view};
use super::rng::Rng;

#[test]
fn views_made_with_hostile_numbers_are_parts_of_their_parents_or_empty() {
    // By numbers that differ from thread to thread.
    let text = "kernel k(list: view<i32, 1, read>, plane: view<i32, 2, read>, cube: view<u16, 3, read>, n: view<i32, 2, read>, sums: view<i32, 2, read_write>,
                         out: view<i32, 2, read_write>) rank(1) {
        let i = global[0];
        let a = n[i, 0]; let b = n[i, 1]; let c = n[i, 2]; let d = n[i, 3];
        let part = section(list, [a], [b]);
        out[i, 0] = part[c] + part[0] + part[extent(part, 0) - 1] + extent(part, 0);
        let inner = section(part, [c], [d]);
        out[i, 1] = inner[0] + inner[a] + extent(inner, 0) * 7;
        let area = section(plane, [a, b], [c, d]);
        out[i, 2] = area[0, 0] + area[c, d] + area[c - 1, d - 1] + area[b, a] + extent(area, 1);
        let row = project(plane, a);
        out[i, 3] = row[b] + row[0] + extent(row, 0);
        let slice = project(section(cube, [a, b, c], [d, b, a]), c);
        out[i, 4] = slice[a, b] as i32 + extent(slice, 0) + project(project(cube, a), b)[c] as i32;
        let shape = view_as(list, [a, b]);
        out[i, 5] = shape[c, d] + shape[0, 0] + extent(shape, 0) + extent(shape, 1);
        let shape3 = view_as(part, [b, c, d]);
        out[i, 6] = shape3[a, b, c] + shape3[0, 0, 0] + extent(shape3, 2);
        let bytes = reinterpret<u8>(part);
        out[i, 7] = bytes[c] as i32 + extent(bytes, 0);
        let words = reinterpret<i32>(section(bytes, [c], [d]));
        out[i, 8] = words[0] + words[a] + extent(words, 0);
        let longs = reinterpret<u64>(part);
        out[i, 9] = longs[c] as i32 + (longs[0] >> 32u32) as i32 + extent(longs, 0);
        let counts = section(sums, [a, 0], [b, 2]);
        atomic_add(counts[c, 0], 1);
        atomic_add(project(sums, a)[d], 1);
    }";
    // The same by numbers of the launch: other ways through the compiler.
    let all_alike = text
        .replace("let a = n[i, 0]; let b = n[i, 1]; let c = n[i, 2]; let d = n[i, 3];", "")
        .replace("out: view<i32, 2, read_write>)", "out: view<i32, 2, read_write>, a: i32, b: i32, c: i32, d: i32)");
    // And with the thread's number, which goes evenly.
    let even = all_alike
        .replace("section(list, [a], [b])", "section(list, [i + a], [b])")
        .replace("section(plane, [a, b], [c, d])", "section(plane, [a, i * b], [i, d])")
        .replace("project(plane, a)", "project(plane, a * i)")
        .replace("view_as(list, [a, b])", "view_as(list, [i, b])");
    assert!(all_alike.contains("d: i32)") && even.contains("a * i"));
    let mut rng = Rng::new(8);
    for (which, text) in [text, &all_alike, &even].into_iter().enumerate() {
        let kernel = JitKernel::new(kernel(text));
        for round in 0..90 {
            let threads = rng.pick(&[1, 16, 19, 40]);
            let count = rng.pick(&[0, 1, 5, 16, 40]);
            let (rows, columns) = (rng.pick(&[0, 1, 5, 16]), rng.pick(&[0, 1, 4, 17]));
            let small = if rng.below(3) == 0 { 3 } else { count };
            let allocations = vec![
                bytes((0..count).map(|n| n * 0x0301_0201 + 7)),
                bytes(0..rows * columns),
                bytes(0..30),
                bytes((0..threads * 4).map(|_| rng.hostile(small))),
                bytes((0..rows * 2).map(|_| 0)),
                bytes((0..threads * 10).map(|_| 9)),
            ];
            let mut arguments = vec![
                view(0, &[count]),
                view(1, &[rows, columns]),
                view(2, &[3, 4, 5]),
                view(3, &[threads, 4]),
                view(4, &[rows, 2]),
                view(5, &[threads, 10]),
            ];
            if which > 0 {
                arguments.extend((0..4).map(|_| number(rng.hostile(small))));
            }
            let what = format!("kernel {which} round {round}: {arguments:?}");
            agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &what);
        }
    }
}

#[test]
fn stores_through_views_made_with_hostile_numbers_stay_within() {
    let text = "kernel k(list: view<i32, 1, read_write>, plane: view<u8, 2, read_write>, a: i32, b: i32, c: i32, d: i32) rank(1) {
        let i = global[0];
        section(list, [a], [b])[i + c] = i;
        section(plane, [a, c], [b, d])[d, i] = i as u32 + 100u32;
        project(plane, b)[c - i] = i as u32;
    }";
    let kernel = JitKernel::new(kernel(text));
    let mut rng = Rng::new(9);
    for round in 0..150 {
        let threads = rng.pick(&[1, 16, 19, 40]);
        let count = rng.pick(&[0, 1, 5, 16, 40]);
        let (rows, columns) = (rng.pick(&[0, 1, 5, 16]), rng.pick(&[0, 1, 4, 17]));
        let allocations = vec![bytes(0..count), bytes(0..rows * columns)];
        let numbers: Vec<i32> = (0..4).map(|_| rng.hostile(count.min(6))).collect();
        let mut arguments = vec![view(0, &[count]), view(1, &[rows, columns])];
        arguments.extend(numbers.iter().map(|&n| number(n)));
        let what = format!("round {round}: {threads} threads, {count}, {rows} x {columns}, {numbers:?}");
        // A row that two stores write is written by threads in an order that nobody promises.
        if numbers[1] == numbers[0].wrapping_add(numbers[3]) {
            continue;
        }
        agree(&kernel, &[threads], &LaunchMemory::new(allocations), &arguments, &what);
    }
}
