//! Sizes that 32 bits cannot count, or a buffer cannot hold, are refused when a kernel is lowered: lowered code counts bytes in 32 bits, and is run without checks of the
//! driver's own.

use tilewise_gpu::lower::{ArgumentLayout, DATA_LIMIT, LoweredModule, ModuleKey, ModuleParam, Unsupported, lower};
use tilewise_gpu::shader_form::wgsl;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::text::parse;

fn kernel(text: &str) -> Checked<Kernel> {
    let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
    check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Lowered for arguments that lie in memory of their own.
fn lowered(text: &str) -> Result<LoweredModule, Unsupported> {
    let kernel = kernel(text);
    let mut allocations = 0..;
    let params = kernel.params().iter().map(|param| match param.kind {
        ParamKind::View(_) => ModuleParam { allocation: allocations.next(), align: 16, unit: true, covers: false },
        ParamKind::Buffer { .. } => ModuleParam { allocation: allocations.next(), align: 16, ..ModuleParam::default() },
        ParamKind::Uniform(_) => ModuleParam::default(),
    });
    let params = params.collect();
    lower(&kernel, &ModuleKey { params, ..ModuleKey::default() })
}

/// Why a kernel is not lowered.
fn refused(text: &str) -> String {
    match lowered(text) {
        Ok(lowered) => panic!("it is lowered, with {:?}", lowered.layout),
        Err(Unsupported(why)) => why,
    }
}

/// Bytes that are 65,536, and as many of them as make more than 4 GiB.
const WIDE: &str = "[[u8; 65536]; 65537]";

#[test]
fn captured_arrays_that_a_buffer_does_not_hold_are_refused() {
    let half = "[[u8; 65536]; 35000]";
    let why = refused(&format!("kernel k(a: {half}, b: {half}) rank(1) {{ let x = b[0][0]; }}"));
    assert!(why.contains("takes 2293760000 bytes") && why.contains(&DATA_LIMIT.to_string()), "{why}");
    // Each fits, and both do not.
    let half = "[[u8; 65536]; 20000]";
    let why = refused(&format!("kernel k(a: {half}, b: {half}) rank(1) {{ let x = b[0][0]; }}"));
    assert!(why.contains("takes 2621440000 bytes"), "{why}");
    assert!(lowered(&format!("kernel k(a: {half}) rank(1) {{ let x = a[0][0]; }}")).is_ok());
}

#[test]
fn views_of_elements_that_a_buffer_does_not_hold_are_refused() {
    let why = refused(&format!("kernel k(v: view<{WIDE}, 1, read>) rank(1) {{ let x = v[0][65536][1]; }}"));
    assert!(why.contains("an element of `v` takes 4295032832 bytes"), "{why}");
    // The largest that fits is lowered, and its size is not cut.
    let kernel = kernel(&format!("kernel k(v: view<[u8; {DATA_LIMIT}], 1, read>) rank(1) {{ let x = v[0][1]; }}"));
    let layout = ArgumentLayout::of(&kernel).unwrap_or_else(|why| panic!("{why}"));
    assert!(format!("{:?}", layout.params).contains(&format!("size: {DATA_LIMIT}")), "{layout:?}");
}

#[test]
fn views_are_not_reinterpreted_as_what_a_buffer_does_not_hold() {
    // 2^32 + 65536 bytes are 65536 in 32 bits: a view of so many bytes would have an element whose last bytes lie far outside.
    let why = refused(&format!(
        "kernel k(v: view<u8, 1, read_write>) rank(1) {{ let w = reinterpret<{WIDE}>(v); w[0][65536][7] = 1u32; }}"
    ));
    assert!(why.contains("as which a view is reinterpreted") && why.contains("4295032832 bytes"), "{why}");
}

#[test]
fn arrays_that_a_thread_cannot_keep_are_not_copied_by_way_of_it() {
    let copy =
        |length: u32| format!("kernel k(v: view<[i32; {length}], 1, read_write>) rank(1) {{ copy(v[0], v[1]); }}");
    assert!(lowered(&copy(16384)).is_ok());
    let why = refused(&copy(16385));
    assert!(why.contains("`copy` of 65540 bytes"), "{why}");
}

#[test]
fn the_count_of_what_is_said_does_not_wrap() {
    let text = "kernel k(v: view<i32, 1, read>) rank(1) { print(\"{}\", v[0]); }";
    let text = lowered(text).and_then(|lowered| wgsl(&lowered)).unwrap_or_else(|why| panic!("{why}"));
    let (before, behind) = text.split_once("atomicAdd(").unwrap_or_else(|| panic!("nothing is counted: {text}"));
    assert!(before.contains("atomicLoad(") && before.contains("< 2147483648u)"), "{text}");
    assert!(!behind.contains("atomicAdd("), "{text}");
}

#[test]
fn early_exits_in_sequence_are_written_or_refused_on_a_usual_stack() {
    let exits = |count: usize| {
        let steps = "if a[i] == 7 { return; } a[i] = a[i] + 1; ".repeat(count);
        format!("kernel k(a: view<i32, 1, read_write>) rank(1) {{ let i = global[0]; {steps} }}")
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let written = lowered(&exits(700)).and_then(|lowered| wgsl(&lowered));
        assert!(written.is_ok_and(|text| text.contains("fn main(")));
        let why = refused(&exits(3000));
        assert!(why.contains("3001 levels, at most 2048"), "{why}");
    });
    assert!(thread.expect("the system gives threads").join().is_ok());
}
