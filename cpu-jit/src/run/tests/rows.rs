//! Rows that are executed together, in launches with enough columns for every width.

use tilewise_interp as interp;
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, Outcome};

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

const COLUMN: &str = "kernel column(v: view<i32, 3, read_write>, n: i32) rank(3) {
    let i = global[0];
    let j = global[1];
    v[i, j, global[2]] = v[i, j, global[2]] * n + i * 1000 + domain_extent[1] - j;
    if j % 50 == 7 { print(\"{} {} {}\", i, j, global[2]); }
    if j == 70 { error(\"{}\", i); }
}";

#[test]
fn a_domain_of_very_many_threads_is_turned_by_its_short_dimension_only() {
    let prepared = JitKernel::new(kernel(CHANNELS));
    let turned = |extent: [i32; 3]| prepared.turned(&Domain::new(extent)).map(|(_, domain)| domain.extent);
    assert_eq!(turned([1, 1 << 30, 3]), Some(vec![1, 3, 1 << 30]));
    assert_eq!(turned([1, i32::MAX, 1]), Some(vec![1, 1, i32::MAX]));
    assert_eq!([turned([2, 100, 4]), turned([1, 1, 3])], [None, None]);
}

const CHANNELS: &str = "kernel channels(v: view<i32, 3, read_write>, n: i32) rank(3) {
    let c = global[2];
    v[global[0], global[1], c] = v[global[0], global[1], c] * n + c * 100 + domain_extent[2] - global[1] % 7;
}";

#[test]
fn domains_with_few_indices_in_the_last_dimensions_run_in_lanes() {
    let columns = [[2, 160, 1], [300, 1, 1], [1, 1, 200], [3, 1, 1], [1, 200, 1]].map(|extent| (COLUMN, extent));
    let channels = [[5, 160, 3], [160, 3, 1], [160, 1, 2], [3, 7, 2], [2, 160, 4]].map(|extent| (CHANNELS, extent));
    for (text, extent) in columns.into_iter().chain(channels) {
        let domain = Domain::new(extent);
        let memory = LaunchMemory::new(vec![bytes(0..extent.iter().product())]);
        let arguments = [view(0, &extent), number(3)];
        let mut expected = memory.clone();
        let options = interp::Options::default();
        let outcome = interp::run(&kernel(text), &domain, &mut expected, &arguments, &options);
        let outcome = outcome.unwrap_or_else(|refusal| panic!("{refusal}"));
        for form in native_forms() {
            for effort in [Effort::Soon, Effort::Well] {
                let mut memory = memory.clone();
                let options = JitLaunchOptions { form: Some(form), effort, ..JitLaunchOptions::default() };
                let prepared = JitKernel::new(kernel(text));
                let launched = threads(2).run(&prepared, &domain, &mut memory, &arguments, &options);
                let launched = launched.unwrap_or_else(|refusal| panic!("{refusal}"));
                assert!(memory == expected, "{form:?}, {extent:?}");
                let told = |outcome: &Outcome| format!("{:?} {:?}", outcome.printed, outcome.ending);
                assert_eq!(told(&launched.outcome), told(&outcome), "{form:?}, {extent:?}");
                let is_short = extent.iter().all(|&extent| extent < 16);
                assert!(is_short || crate::emit::widest() < 16 || launched.ran.width >= 4, "{form:?}, {extent:?}");
            }
        }
    }
}
