//! Lanes a constant step apart, in memory that ends with the highest of them, and begins with the lowest.

use tilewise_cpu_jit::run::JitKernel;
use tilewise_ir::launch::LaunchMemory;

use super::guarded::agree;
use super::launches::{kernel, view};

/// Threads: no multiple of any width.
const THREADS: i32 = 203;

/// Formats of elements, and their bytes.
const FORMATS: [(&str, usize); 8] =
    [("u8", 1), ("i8", 1), ("u16", 2), ("i16", 2), ("u32", 4), ("f32", 4), ("i64", 8), ("f64", 8)];

/// Bytes of so many elements, none of which is NaN in any format.
fn elements(count: i32, size: usize) -> Vec<u8> {
    let byte = |at: usize| if at % size == size - 1 { (at / size % 59) as u8 } else { (at * 7 + 3) as u8 };
    (0..count as usize * size).map(byte).collect()
}

/// Steps between lanes, in elements.
const STEPS: [i32; 16] = [1, 2, 3, 4, 5, 7, 8, 9, -1, -2, -3, -4, -5, -7, -8, -9];

/// Launches kernels, whose text is made of a format and an index, for each format and step. The extents
/// of their views are made of the number of elements from the lowest lane to the highest.
fn each_step(steps: &[i32], text: impl Fn(&str, &str) -> String, extents: impl Fn(i32) -> [i32; 2], what: &str) {
    for (format, size) in FORMATS {
        for &step in steps {
            let first = if step < 0 { (THREADS - 1) * -step } else { 0 };
            let kernel = JitKernel::new(kernel(&text(format, &format!("global[0] * {step} + {first}"))));
            let extents = extents((THREADS - 1) * step.abs() + 1);
            let memory = LaunchMemory::new(extents.map(|count| elements(count, size)).into());
            let arguments = [view(0, &extents[..1]), view(1, &extents[1..])];
            agree(&kernel, &[THREADS], &memory, &arguments, &format!("{what} {format} {step}"));
        }
    }
}

#[test]
fn loads_stay_between_the_lowest_and_the_highest_lane() {
    let text = |format: &str, at: &str| {
        format!(
            "kernel k(a: view<{format}, 1, read>, b: view<{format}, 1, read_write>) rank(1) {{
                b[global[0]] = a[{at}];
            }}"
        )
    };
    each_step(&STEPS, text, |far| [far, THREADS], "loads of");
}

#[test]
fn stores_leave_what_lies_between_the_lanes() {
    let text = |format: &str, at: &str| {
        format!(
            "kernel k(a: view<{format}, 1, read>, b: view<{format}, 1, read_write>) rank(1) {{
                b[{at}] = a[global[0]];
            }}"
        )
    };
    each_step(&STEPS, text, |far| [THREADS, far], "stores of");
}

/// Offsets that no step describes, of lanes that are partly off.
#[test]
fn gathers_of_narrow_elements_touch_no_page_beyond_them() {
    let text = |format: &str, _: &str| {
        format!(
            "kernel k(a: view<{format}, 1, read>, b: view<{format}, 1, read_write>) rank(1) {{
                let i = global[0];
                if i % 3 != 1 {{ b[i] = a[(i * 37 + 5) % {THREADS}]; }}
            }}"
        )
    };
    each_step(&[1], text, |_| [THREADS, THREADS], "gathers of");
}
