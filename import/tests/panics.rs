//! A panic of naga over a shader is an error that names naga, and the thread goes on.

use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicU32, Ordering};

use tilewise_import::{ImportOptions, ShaderModule, panic_becomes_error};

/// One instruction of SPIR-V.
fn instruction(op: u32, operands: &[u32]) -> Vec<u32> {
    let words = operands.len() as u32 + 1;
    [&[words << 16 | op], operands].concat()
}

/// A module whose `OpSwitch` has a float to select by, which SPIR-V forbids and over which naga 30 panics.
fn switch_by_a_float() -> Vec<u8> {
    let main = u32::from_le_bytes(*b"main");
    let words = [
        vec![0x0723_0203, 0x0001_0300, 0, 9, 0],
        instruction(17, &[1]),
        instruction(14, &[0, 1]),
        instruction(15, &[5, 4, main, 0]),
        instruction(16, &[4, 17, 1, 1, 1]),
        instruction(19, &[2]),
        instruction(33, &[3, 2]),
        instruction(22, &[5, 32]),
        instruction(43, &[5, 6, 1.0f32.to_bits()]),
        instruction(54, &[2, 4, 0, 3]),
        instruction(248, &[7]),
        instruction(247, &[8, 0]),
        instruction(251, &[6, 8]),
        instruction(248, &[8]),
        instruction(253, &[]),
        instruction(56, &[]),
    ];
    words.concat().into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Panics that a hook like that of the program printed, and those that it left to their error.
static PRINTED: AtomicU32 = AtomicU32::new(0);
static LEFT: AtomicU32 = AtomicU32::new(0);

#[test]
fn a_panic_of_naga_is_an_error_that_says_whose_it_is() {
    let usual = take_hook();
    set_hook(Box::new(|_| {
        let count = if panic_becomes_error() { &LEFT } else { &PRINTED };
        count.fetch_add(1, Ordering::Relaxed);
    }));
    let read = ShaderModule::from_spirv("switch.spv", &switch_by_a_float());
    let guarded_after = panic_becomes_error();
    let other = std::panic::catch_unwind(|| panic!("of the program"));
    set_hook(usual);
    let error = read.expect_err("naga panics").to_string();
    assert!(error.starts_with("error[K0901]: naga panicked, which reads shaders: "), "{error}");
    assert!(error.contains("Unexpected selector") && error.contains("this is a bug of naga"), "{error}");
    assert!(error.contains("switch.spv"), "{error}");
    assert!(other.is_err() && !guarded_after);
    assert_eq!((LEFT.load(Ordering::Relaxed), PRINTED.load(Ordering::Relaxed)), (1, 1));
    // The next shader is read as if nothing had been.
    let text = "@compute @workgroup_size(1) fn main() {}";
    let module = ShaderModule::from_wgsl("next.wgsl", text).expect("it is WGSL");
    module.import(&ImportOptions::default()).expect("it is imported");
}
