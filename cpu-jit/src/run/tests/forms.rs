//! The emitters of a kernel's code: the launch chooses one, and says which code ran.

use tilewise_ir::launch::{Domain, LaunchMemory};

use super::{bytes, kernel, native_forms, number, threads, view};
use crate::emit::CodeForm;
use crate::run::{Effort, JitKernel, JitLaunchOptions, Ran};

/// Launches a kernel over so many numbers, which it multiplies by 3; gives the way it took.
fn ran(kernel: &JitKernel, count: i32, options: &JitLaunchOptions<'_>) -> Ran {
    let mut memory = LaunchMemory::new(vec![bytes(0..count)]);
    let arguments = [view(0, &[count]), number(3)];
    let ran = threads(1).run(kernel, &Domain::new([count]), &mut memory, &arguments, options);
    assert!(memory.allocations[0] == bytes((0..count).map(|n| n * 3)));
    ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran
}

fn times(name: &str) -> JitKernel {
    let head = format!("kernel {name}(a: view<i32, 1, read_write>, n: i32) rank(1)");
    JitKernel::new(kernel(&format!("{head} {{ a[global[0]] = a[global[0]] * n; }}")))
}

#[test]
fn code_of_both_emitters_is_kept_for_one_kernel() {
    let kernel = times("by_both");
    for cached in [false, true] {
        for form in native_forms() {
            for effort in [Effort::Soon, Effort::Well] {
                let options = JitLaunchOptions { form: Some(form), effort, ..JitLaunchOptions::default() };
                let ran = ran(&kernel, 256, &options);
                assert_eq!((ran.form, ran.left_to_cranelift), (Some(form), None));
                assert!(!cached || ran.cached, "{form:?}, {effort:?}");
            }
        }
    }
}

#[test]
fn the_widest_emitter_is_the_default_and_one_thread_at_a_time_is_of_cranelift() {
    let kernel = times("by_default");
    let default = JitLaunchOptions::default();
    assert_eq!(ran(&kernel, 256, &default).form, Some(CodeForm::widest()));
    for form in native_forms() {
        let one = JitLaunchOptions { width: Some(1), form: Some(form), ..default };
        let ran = ran(&kernel, 256, &one);
        assert_eq!((ran.width, ran.form, ran.left_to_cranelift), (1, Some(CodeForm::Cranelift), None));
    }
    let interpreted = ran(&kernel, 256, &JitLaunchOptions { interpret: true, ..default });
    assert_eq!((interpreted.width, interpreted.form), (0, None));
}

#[test]
fn lanes_are_those_of_the_code_that_ran() {
    let kernel = times("by_lanes");
    for (form, most) in [(CodeForm::Cranelift, 16), (CodeForm::Avx2, 64), (CodeForm::Avx512, 64)] {
        if !form.is_native() || crate::emit::widest() < 16 {
            continue;
        }
        let options = JitLaunchOptions { form: Some(form), effort: Effort::Well, ..JitLaunchOptions::default() };
        assert_eq!(ran(&kernel, 256, &options).width, most, "{form:?}");
        // The first launches take one vector, which takes the least time to compile.
        let soon = JitLaunchOptions { effort: Effort::Soon, ..options };
        assert_eq!(ran(&times("by_few_lanes"), 256, &soon).width, 16, "{form:?}");
    }
}

#[test]
fn runs_of_threads_take_fewer_lanes_that_access_them_in_blocks() {
    let text = "kernel by_rows(m: view<i32, 2, read>, sums: view<i32, 1, read_write>) rank(1) {
        var k: i32 = 0;
        while k < extent(m, 1) {
            sums[global[0]] = sums[global[0]] * 3 + m[global[0], k];
            k = k + 1;
        }
    }";
    let rows: Vec<i32> = (0..256 * 40).collect();
    let sum = |row: &[i32]| row.iter().fold(1i32, |sum, &number| sum.wrapping_mul(3).wrapping_add(number));
    for form in [CodeForm::Avx2, CodeForm::Avx512].into_iter().filter(|form| form.is_native()) {
        let kernel = JitKernel::new(kernel(text));
        for effort in [Effort::Soon, Effort::Well] {
            let options = JitLaunchOptions { form: Some(form), effort, ..JitLaunchOptions::default() };
            let mut memory = LaunchMemory::new(vec![bytes(0..256 * 40), bytes((0..256).map(|_| 1))]);
            let arguments = [view(0, &[256, 40]), view(1, &[256])];
            let ran = threads(1).run(&kernel, &Domain::new([256]), &mut memory, &arguments, &options);
            let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran;
            // With more lanes a block would have too many elements.
            assert_eq!((ran.form, ran.width), (Some(form), 16), "{effort:?}");
            assert!(memory.allocations[1] == bytes(rows.chunks(40).map(sum)), "{form:?}, {effort:?}");
        }
    }
}

#[test]
fn a_program_that_is_too_large_with_blocks_of_runs_is_wide_code_without_them() {
    let sweep = "k = 0; while k < extent(m, 1) { m[global[0], k] = m[global[0], k] * 3 + k; k = k + 1; }";
    let text =
        format!("kernel many_rows(m: view<i32, 2, read_write>) rank(1) {{ var k: i32 = 0; {} }}", sweep.repeat(60));
    let expected = (0..32 * 40).map(|n| (0..60).fold(n, |m: i32, _| m.wrapping_mul(3).wrapping_add(n % 40)));
    for form in [CodeForm::Avx2, CodeForm::Avx512].into_iter().filter(|form| form.is_native()) {
        let options = JitLaunchOptions { form: Some(form), effort: Effort::Well, ..JitLaunchOptions::default() };
        let mut memory = LaunchMemory::new(vec![bytes(0..32 * 40)]);
        let kernel = JitKernel::new(kernel(&text));
        let ran = threads(1).run(&kernel, &Domain::new([32]), &mut memory, &[view(0, &[32, 40])], &options);
        let ran = ran.unwrap_or_else(|refusal| panic!("{refusal}")).ran;
        assert_eq!((ran.form, ran.left_to_cranelift), (Some(form), None));
        assert!(memory.allocations[0] == bytes(expected.clone()), "{form:?}");
    }
}

#[test]
fn a_program_that_is_too_large_with_more_lanes_runs_with_fewer() {
    for form in [CodeForm::Avx2, CodeForm::Avx512].into_iter().filter(|form| form.is_native()) {
        for effort in [Effort::Auto, Effort::Soon, Effort::Well] {
            let kernel = times("fails_with_more_lanes");
            let options = JitLaunchOptions { form: Some(form), effort, ..JitLaunchOptions::default() };
            let ran = ran(&kernel, 256, &options);
            assert_eq!((ran.width, ran.form), (16, Some(form)), "{effort:?}");
            assert_eq!((ran.narrowed, ran.left_to_cranelift, ran.fallback), (None, None, None));
        }
    }
}

#[test]
fn a_lack_of_memory_for_code_passes() {
    let kernel = times("lacks_memory_at_first");
    let options = JitLaunchOptions::default();
    let first = ran(&kernel, 256, &options);
    assert_eq!((first.width, first.fallback), (1, None));
    assert_eq!(first.narrowed.as_deref(), Some("no memory for machine code: as the test wants"));
    let second = ran(&kernel, 256, &options);
    assert_eq!((second.narrowed, second.fallback), (None, None));
    assert!(second.width > 1);
}

#[test]
fn a_program_without_wide_code_is_left_to_cranelift_and_says_why() {
    let kernel = times("fails_in_wide_code");
    for form in [CodeForm::Avx2, CodeForm::Avx512].into_iter().filter(|form| form.is_native()) {
        for effort in [Effort::Auto, Effort::Soon, Effort::Well] {
            let options = JitLaunchOptions { form: Some(form), effort, ..JitLaunchOptions::default() };
            let ran = ran(&kernel, 256, &options);
            assert_eq!((ran.width, ran.form, ran.fallback), (16, Some(CodeForm::Cranelift), None));
            assert_eq!(ran.left_to_cranelift.as_deref(), Some("as the test wants"));
        }
    }
    let asked = JitLaunchOptions { form: Some(CodeForm::Cranelift), ..JitLaunchOptions::default() };
    assert_eq!(ran(&kernel, 256, &asked).left_to_cranelift, None);
}
