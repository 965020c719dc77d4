//! Any words of SPIR-V: the importer gives a kernel or reports.

#![no_main]

#[path = "../import_module.rs"]
mod import_module;

use import_module::{import_module, let_panics_be_caught};
use libfuzzer_sys::fuzz_target;
use tilewise_import::ShaderModule;

fuzz_target!(|input: &[u8]| {
    let_panics_be_caught();
    import_module(ShaderModule::from_spirv("fuzz.spv", input));
});
