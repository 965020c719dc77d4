//! Shaders that would become very large are refused, and in little time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tilewise_import::{ImportOptions, ShaderModule};
use tilewise_ir::check::check;

#[test]
fn functions_that_call_others_twice_are_refused_before_they_fill_the_memory() {
    let mut text = String::from("fn f0(x: u32) -> u32 { return x + 1u; }\n");
    for i in 1..60 {
        let before = i - 1;
        writeln!(text, "fn f{i}(x: u32) -> u32 {{ return f{before}(x) + f{before}(x * 3u); }}").expect("a text grows");
    }
    text += "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        @compute @workgroup_size(1) fn main() { v[0] = f59(v[0]); }";
    let module = ShaderModule::from_wgsl("doubled.wgsl", &text).expect("it is WGSL");
    let begin = Instant::now();
    let error = module.import(&ImportOptions::default()).expect_err("it is too large").to_string();
    assert!(error.contains("too large when its calls are inlined"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn an_element_of_a_large_array_by_value_is_one_element() {
    let text = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
        struct Table { n: array<u32, 5000> }
        @group(0) @binding(1) var<storage, read> t: Table;
        @compute @workgroup_size(1) fn main() {
            let all = t;
            v[0] = all.n[7] + all.n[4999] + array<u32, 5000>()[3];
        }";
    let module = ShaderModule::from_wgsl("large.wgsl", text).expect("it is WGSL");
    let kernel = module.import(&ImportOptions::default()).expect("it is imported").kernel;
    assert!(kernel.entry().values().len() < 100, "{} values", kernel.entry().values().len());
    check(kernel).expect("it obeys the rules");
}
