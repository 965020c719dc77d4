//! Rows that are executed together, in launches with enough columns for every width.

use tilewise_interp as interp;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory};

use super::{JitKernel, bytes, kernel, native_forms, number, threads, view};
use crate::emit::CodeForm;
use crate::run::{Effort, JitLaunchOptions};

const PRODUCT: &str =
    "kernel product(a: view<i32, 2, read>, b: view<i32, 2, read>, c: view<i32, 2, read_write>, side: i32) rank(2) {
    var sum: i32 = 0;
    var k: i32 = 0;
    while k < side {
        sum = sum + a[global[0], k] * b[k, global[1]];
        k = k + 1;
    }
    c[global[0], global[1]] = sum;
}";

const PARTED: &str =
    "kernel parted(a: view<i32, 2, read>, b: view<i32, 2, read>, c: view<i32, 2, read_write>, side: i32) rank(2) {
    var sum: i32 = 0;
    var k: i32 = 0;
    while k < side {
        let near = b[k, global[1]];
        if (global[0] + k) % 3 == 0 {
            sum = sum + near;
        } else {
            sum = sum - 2 * b[side - 1 - k, global[1]] + a[global[0], k];
        }
        k = k + 1;
    }
    var j: i32 = 0;
    while j < global[0] % 7 {
        sum = sum + b[j, global[1]] * global[0];
        j = j + 1;
    }
    c[global[0], global[1]] = sum;
}";

/// The memory and arguments of a launch over 67 x 147, whose views have these extents.
fn launch(a: [i32; 2], b: [i32; 2], c: [i32; 2], side: i32) -> (LaunchMemory, Vec<Argument>) {
    let count = |extent: [i32; 2]| extent[0] * extent[1];
    let memory = vec![bytes(0..count(a)), bytes((0..count(b)).map(|n| 7 * n - 500)), bytes((0..count(c)).map(|_| -1))];
    (LaunchMemory::new(memory), vec![view(0, &a), view(1, &b), view(2, &c), number(side)])
}

#[test]
fn rows_in_groups_and_those_left_over_have_the_interpreter_s_results() {
    let domain = Domain::new([67, 147]);
    for text in [PRODUCT, PARTED] {
        for (a, b, c, side) in [
            ([67, 12], [12, 147], [67, 147], 12),
            // Some rows, columns and iterations are out of range.
            ([30, 12], [12, 147], [61, 147], 12),
            ([67, 12], [12, 100], [67, 130], 12),
            ([67, 5], [9, 147], [67, 147], 12),
            ([67, 12], [12, 147], [67, 147], 0),
        ] {
            let (memory, arguments) = launch(a, b, c, side);
            let mut expected = memory.clone();
            let options = interp::Options::default();
            let outcome = interp::run(&kernel(text), &domain, &mut expected, &arguments, &options);
            outcome.unwrap_or_else(|refusal| panic!("{refusal}"));
            for (form, width) in native_forms().into_iter().flat_map(|form| [(form, 16), (form, 32), (form, 64)]) {
                let prepared = JitKernel::new(kernel(text));
                let mut memory = memory.clone();
                let effort = Effort::Well;
                let options =
                    JitLaunchOptions { width: Some(width), form: Some(form), effort, ..JitLaunchOptions::default() };
                let launched = threads(2).run(&prepared, &domain, &mut memory, &arguments, &options);
                launched.unwrap_or_else(|refusal| panic!("{refusal}"));
                assert!(memory == expected, "{form:?}, {width} lanes, side {side}: {text}");
                // Equal kernels share their code, so Cranelift's may lie beside that of others.
                assert!(form == CodeForm::Cranelift || prepared.has_rows_together(), "{form:?}, {width} lanes");
            }
        }
    }
}
