//! Lanes that lie gigabytes apart, and fields behind gigabytes: further than the displacement of an instruction
//! reaches. The memory is zeros that no page is there for until it is written.

use tilewise_cpu_jit::run::{Effort, JitKernel, JitLaunchOptions};
use tilewise_ir::launch::{Domain, Ending, LaunchMemory};

use super::launches::{engines, kernel, view};

/// Bytes of the memory that is accessed.
const FAR: usize = 2_400_000_000;

/// Launches a kernel over `v`, far memory of so many elements, and over `out`, one `i64` for each thread, and
/// asserts that each byte of `places` in `v` and each number of `out` is as said; all other places that any
/// of them names are zeros.
fn reaches(text: &str, threads: i32, elements: i32, places: &[(usize, u8)], out: &[i64]) {
    let kernel = JitKernel::new(kernel(text));
    let mut memory = LaunchMemory::new(vec![vec![0; FAR], vec![0; 8 * threads as usize]]);
    for (engine, _) in engines() {
        let widths = [None, Some(1), Some(8), Some(16), Some(64)];
        for (width, effort) in widths.into_iter().flat_map(|width| [(width, Effort::Soon), (width, Effort::Well)]) {
            let options = JitLaunchOptions { width, effort, no_fallback: true, ..JitLaunchOptions::default() };
            let arguments = [view(0, &[elements]), view(1, &[threads])];
            let ran = engine.run(&kernel, &Domain::new([threads]), &mut memory, &arguments, &options);
            let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}: {text}"));
            assert_eq!(ran.outcome.ending, Ending::Completed, "{text}");
            for &(at, byte) in places {
                let have = std::mem::take(&mut memory.allocations[0][at]);
                assert_eq!(have, byte, "byte {at} with {width:?} lanes: {text}");
            }
            let have: Vec<i64> =
                memory.allocations[1].as_chunks().0.iter().map(|&word| i64::from_le_bytes(word)).collect();
            assert_eq!(have, out, "{width:?} lanes: {text}");
        }
    }
}

/// The type of the values that are stored as this type.
fn value_type(element: &str) -> &str {
    match element {
        "i64" => "i64",
        "u8" => "u32",
        _ => "i32",
    }
}

/// A kernel that stores each thread's number, from 1, at an index, and its successor to `out`.
fn stores(element: &str, index: &str, store: &str) -> String {
    format!(
        "kernel k(v: view<{element}, 1, read_write>, out: view<i64, 1, read_write>) rank(1) {{
            let x = global[0]; {store} {{ v[{index}] = (x + 1) as {value}; }} out[x] = x as i64;
        }}",
        value = value_type(element),
    )
}

#[test]
fn stores_of_lanes_far_apart() {
    let numbers: Vec<i64> = (0..16).collect();
    for (element, size, step) in [("i32", 4, 36_000_000), ("i16", 2, 72_000_000), ("i64", 8, 18_000_000)] {
        let elements = (FAR / size) as i32;
        for (store, some) in [("if x >= 0", false), ("if x % 3 != 1", true)] {
            let stored = |x: usize| if some && x % 3 == 1 { 0 } else { x as u8 + 1 };
            let rising: Vec<(usize, u8)> = (0..16).map(|x| (x * step * size, stored(x))).collect();
            reaches(&stores(element, &format!("x * {step}"), store), 16, elements, &rising, &numbers);
            let falling: Vec<(usize, u8)> = (0..16).map(|x| ((15 - x) * step * size, stored(x))).collect();
            reaches(&stores(element, &format!("(15 - x) * {step}"), store), 16, elements, &falling, &numbers);
        }
    }
}

#[test]
fn runs_of_lanes_far_apart() {
    let numbers: Vec<i64> = (0..64).collect();
    let elements = (FAR / 4) as i32;
    let store: String = (0..4).map(|n| format!("v[x * 8600000 + {n}] = x + {n};")).collect();
    let text = |body: &str| {
        format!(
            "kernel k(v: view<i32, 1, read_write>, out: view<i64, 1, read_write>) rank(1) {{ let x = global[0]; {body} }}"
        )
    };
    let places: Vec<(usize, u8)> =
        (0..64).flat_map(|x| (0..4).map(move |n| ((x * 8_600_000 + n) * 4, (x + n) as u8))).collect();
    reaches(&text(&format!("{store} out[x] = x as i64;")), 64, elements, &places, &numbers);
    // What is stored is read by the same thread, and cleared by the check.
    let sum: Vec<String> = (0..8).map(|n| format!("v[x * 8600000 + {n}]")).collect();
    let sums: Vec<i64> = (0..64).map(|x| 4 * x + 6).collect();
    let sum = sum.join(" + ");
    reaches(&text(&format!("{store} out[x] = ({sum}) as i64;")), 64, elements, &places, &sums);
    // All zeros, read without a store.
    reaches(&text(&format!("out[x] = ({sum} + x) as i64;")), 64, elements, &[], &numbers);
}

#[test]
fn fields_behind_gigabytes() {
    for (element, before, size) in [("i32", 536_870_908, 4), ("i16", 1_073_741_820, 2), ("u8", 2_147_483_640_u32, 1)] {
        let text = format!(
            "struct far {{ a: [{element}; {before}], b: [{element}; 64] }}
            kernel k(v: view<far, 1, read_write>, out: view<i64, 1, read_write>) rank(1) {{
                let x = global[0]; v[0].b[x] = (x + 1) as {value}; out[x] = v[0].b[x] as i64;
            }}",
            value = value_type(element),
        );
        let places: Vec<(usize, u8)> = (0..64).map(|x| ((before as usize + x) * size, x as u8 + 1)).collect();
        let numbers: Vec<i64> = (1..=64).collect();
        reaches(&text, 64, 1, &places, &numbers);
    }
}
